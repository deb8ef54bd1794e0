"""What could be done with artefacts, as whole orders for the guided flow, likeliest first. Rulings KA231, KA232"""

from __future__ import annotations

from engine.core.phrases import phrase
from engine.kalevala.artefacts.facts import USUAL_CELL, artefacts_in, is_artefact
from engine.kalevala.artefacts.orders import BearArtefact, LayArtefact, TakeArtefact
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import kind_of
from engine.kalevala.orders import Whole
from engine.kalevala.tables import Group


def orders_of(counsel: Counsel) -> Whole:
    """Orders to pick artefacts up, to name bearers, and to lay them down."""
    known = {each.item: each for each in artefacts_in(counsel.state.modules)}
    for place in dict.fromkeys(each.at for each in known.values() if each.holder is None):
        names = ", ".join(each.name for each in known.values() if each.holder is None and each.at == place)
        yield from counsel.tried(TakeArtefact(place), "artefact_take", place=place, name=names)
    held = [
        (place, stack, item)
        for place, stack in counsel.state.stacks.get(counsel.ruler, {}).items()
        for item in stack
        if is_artefact(item) and item in known
    ]
    for _, stack, item in held:
        people = dict.fromkeys(kind_of(each) for each in stack if kind_of(each).group is Group.HUMAN)
        for kind in people:
            figure = phrase(f"figure.{kind.code}", count=1)
            yield from counsel.tried(
                BearArtefact(item, kind.code), "artefact_bear", name=known[item].name, figure=figure
            )
    for place, _, item in held:
        cells = counsel.land.cells(place)
        for cell in [USUAL_CELL] if USUAL_CELL in cells else sorted(cells)[:1]:
            args = {"name": known[item].name, "place": place, "cell": cell}
            yield from counsel.tried(LayArtefact(item, place, cell), "artefact_lay", **args)
