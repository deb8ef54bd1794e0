"""The order sheet: putting orders in, and a sheet to fill in that can be sent back as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.orders import Missing
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.model import Ally, Build, Cede, Defend, Line, Name, Pass, State, Units, View
from engine.king_of_kings.orders import subject

_ONE_OF_A_KIND = (Ally, Build, Cede, Defend, Name)
"""Kinds of orders of which only one for the same subject can be carried out, or the later undoes the earlier."""
_PASS = "PASS"
_ROOM = 1000
"""The most characters of a sheet apart from orders, so that it fits into a message and a form."""


def amend(view: View, standing: Sequence[Line], new: Sequence[Line]) -> tuple[Line, ...]:
    """New lines go to the end of the sheet. PASS alone withdraws all orders, and is replaced by any other order.

    Whether the sheet then has too many lines is tested when it is read.
    """
    if new and all(isinstance(line.order, Pass) for line in new):
        return tuple(new[:1])
    added = tuple(line for line in new if not isinstance(line.order, Pass))
    if not added:
        return tuple(standing)
    said = {line.order for line in added}
    replaced = {subject(line.order) for line in added if isinstance(line.order, _ONE_OF_A_KIND)}
    kept = [
        line
        for line in standing
        if line.order not in said
        and not isinstance(line.order, Pass)
        and not (isinstance(line.order, _ONE_OF_A_KIND) and subject(line.order) in replaced)
    ]
    return (*kept, *added)


def missing(view: View, orders: Sequence[Line]) -> tuple[Missing, ...]:
    """Nothing once there is a sheet; else the places of the viewer's units, or that a sheet is missing."""
    if orders or view.viewer is None or not view.state.is_played(view.viewer) or view.state.over is not None:
        return ()
    places = tuple(Missing(f"{x}/{y}") for x, y in _places(view.state, view))
    return places or (Missing(_PASS, (_PASS,)),)


def otherwise(view: View, orders: Sequence[Line]) -> tuple[Phrase, ...]:
    """A nation without a sheet is played by the server, except the first time if the option spares it.

    Source: rules 10.
    """
    if view.viewer is None or not missing(view, orders):
        return ()
    is_spared = view.state.options.nmr == "hold" and not view.state.nations[view.viewer].missed
    return (phrase("otherwise.spared" if is_spared else "otherwise.played_for"),)


def _places(state: State, view: View) -> Iterator[tuple[int, int]]:
    for cell, province in enumerate(state.provinces):
        if view.viewer is not None and province.units.get(view.viewer):
            yield cell % state.width, cell // state.width


def template(view: View, orders: Sequence[Line]) -> str:
    """A sheet with the present orders, or PASS; what the nation has is added as comments."""
    lines = [line.canonical for line in orders] or [_PASS]
    return "\n".join(("BEGIN", *(f"; {text}" for text in _shortened(tuple(_belongings(view)))), *lines, "END"))


def _shortened(belongings: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """What a nation has, as far as it leaves room for orders: first the places with units."""
    room, fitting = _ROOM, set[str]()
    for text, _ in sorted(belongings, key=lambda place: not place[1]):
        room -= len(text) + len("; \n")
        if room < 0:
            break
        fitting.add(text)
    yield from (text for text, _ in belongings if text in fitting)
    if len(fitting) < len(belongings):
        yield f"… {len(belongings) - len(fitting)}"


def _belongings(view: View) -> Iterator[tuple[str, bool]]:
    """Each place that a nation owns or holds, in the words of orders, and whether it has units there."""
    state, nation = view.state, view.viewer
    for cell, province in enumerate(state.provinces):
        units = province.units.get(nation, {}) if nation is not None else {}
        if nation is None or (province.owner != nation and not units):
            continue
        place = f"{cell % state.width} {cell // state.width} {province.terrain}"
        words = [f"{place} {province.name}" if province.name else place]
        words += [unit_words(view, units)] if units else []
        words += [str(province.tactic)] if not state.rules.terrain[province.terrain].is_sea else []
        yield ", ".join(words), bool(units)


def unit_words(view: View, units: Units) -> str:
    """Units as orders name them: `FO 2 BO 1`."""
    return " ".join(f"{view.state.rules.troops[symbol].keyword} {amount}" for symbol, amount in units.items())
