"""The artefacts that a ruler has or sees: what each does, where it is, who bears it. Rulings KA230 to KA235"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.doors import Door, Page
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.artefacts.facts import Artefact, artefacts_in
from engine.kalevala.coordinates import Province
from engine.kalevala.example_places import home, own_beside
from engine.kalevala.figures import kind_of
from engine.kalevala.model import View
from engine.kalevala.orders import Line


def has_artefacts(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there is one to look at."""
    return view.viewer is not None and next(artefacts_in(view.state.modules), None) is not None


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    if not has_artefacts(view):
        return None
    found = sorted(artefacts_in(view.state.modules), key=lambda each: (each.holder is None, each.number))
    return Page(lines=(*(line for each in found for line in _one(each)), _how(view, found[0])))


def _how(view: View, artefact: Artefact) -> Phrase:
    """What can be done with an artefact that the ruler has, if there is one, and with warriors who are there."""
    assert view.viewer is not None, "a player's page"
    place = home(view) if artefact.holder is None else artefact.at
    men = (item for item in view.state.stack(view.viewer, Province(place)) if kind_of(item).is_warrior)
    args = {"item": artefact.item, "figure": next(men, "L"), "place": place}
    return phrase("door.artefacts.how", beside=own_beside(view, place), **args)


def _one(artefact: Artefact) -> Iterator[Phrase]:
    args = {"item": artefact.item, "name": artefact.name, "gp": artefact.points, "place": artefact.at}
    if artefact.holder is None:
        yield phrase("door.artefacts.lies", cell=artefact.cell, **args)
    else:
        bearer = phrase("door.artefacts.best")
        if artefact.bearer:
            bearer = phrase("door.artefacts.kind", figure=phrase(f"figure.{artefact.bearer}", count=1))
        yield phrase("door.artefacts.held", bearer=bearer, **args)
    if artefact.text:
        yield phrase("door.artefacts.text", text=artefact.text)


ARTEFACT_DOOR: Door[View, Line] = Door(
    info=commands.ARTEFACT,
    page=_show,
    is_open=has_artefacts,
    brings_page=lambda view: False,
)
