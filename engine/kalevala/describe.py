"""A great field in words, as far as its viewer knows it: for those who can't see its picture. Source: rules 6, 31"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.core.phrases import Phrase, phrase
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.figures import format_figures
from engine.kalevala.land import Land
from engine.kalevala.model import GreatField, State, TradeCentre
from engine.kalevala.tables import TERRAIN, UNSEEN


def about(state: State, land: Land, gf: GfId, places: Sequence[Province], *, is_remembered: bool) -> Iterator[Phrase]:
    """What is known of a field: the land, what stands on it, whose it is, and who is there.

    Args:
        places: its provinces of which anything but the land is known.
    """
    field = land.field(gf)
    counts = Counter(field.cells)
    grounds = [
        phrase("about.ground", ground=phrase(f"key.{TERRAIN[letter].name}"), count=count)
        for letter, count in counts.most_common()
        if letter != UNSEEN
    ]
    if counts[UNSEEN]:
        grounds.append(phrase("about.unseen", count=counts[UNSEEN]))
    yield phrase("about.land", place=gf, grounds=grounds)
    if is_remembered:
        yield phrase("about.remembered")
    if field.centre is not None:
        yield _centre(field.centre)
    yield from _lines(field)
    if land.is_divided(gf):
        yield phrase("about.divided", count=len(land.provinces(gf)))
    for province in places:
        owner = state.owners.get(province)
        if owner is not None:
            yield phrase("about.owner", place=province, ruler=owner)
        for ruler in state.present(province):
            figures = format_figures(state.stack(ruler, province))
            yield phrase("about.figures", place=province, ruler=ruler, figures=figures)


def _centre(centre: TradeCentre) -> Phrase:
    if centre.cell is None:
        return phrase("about.centre_anywhere", type=phrase(f"key.{centre.type}"))
    code = "about.centre" if centre.is_founded else "about.site"
    return phrase(code, type=phrase(f"key.{centre.type}"), name=centre.name, cell=centre.cell)


def _lines(field: GreatField) -> Iterator[Phrase]:
    """Rivers, ascents, running water and works."""
    for kind, edges in (("river", field.rivers), ("ascent", field.ascents)):
        if edges:
            yield phrase(f"about.{kind}", edges=[str(edge) for edge in sorted(edges)])
    if field.flow:
        yield phrase("about.flow", cells=[f"{cell}/{side}" for cell, side in sorted(field.flow.items())])
    works = [f"{work.type} {work.edge if work.edge is not None else work.cell}" for work in field.works]
    if works:
        yield phrase("about.works", works=works)
