"""The dry run of one sheet: the expected result of each line, what it costs, what is left. Source: rules 4.2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import Advice, Forecast, ReadOrder, Rehearsal
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings import turn as turns
from engine.king_of_kings.model import Ally, Build, Cede, Defend, Donate, Line, March, Place, Sail, View
from engine.king_of_kings.narrative import place
from engine.king_of_kings.orders import write
from engine.king_of_kings.results import OK, level_of, remarks_on, said
from engine.king_of_kings.working import Remark, Turn

_HANGS_ON_OTHERS = (Sail, March, Cede, Donate)
"""Results that others' orders may change: moves meet other moves; CEDE and DONATE depend on others' ALL."""
_CERTAIN = frozenset({"E02", "E03", "E11", "E12", "E15", "E17", "E18", "E22"})
"""Remarks that nobody else can change, except that a second order (E10, E16) is carried out if the first fails."""
_MAY_COME = frozenset({"E04", "E06"})
"""Errors that gifts of others may remove: a ceded province, donated gold."""
_IMPOSSIBLE = frozenset({"E03", "E11", "E22"})
"""Errors in any position of this game. Source: ruling K-82"""
_NO_PLAYER = "E11"
_MOST_HINTS = 3


def check(view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[OrderError | None, ...]:
    """Nothing is refused: every readable line is kept in the sheet; it may fail when it is carried out."""
    return (None,) * len(orders)


def rehearse(view: View, orders: Sequence[ReadOrder[Line]]) -> Rehearsal:
    """The results of the viewer's lines if nobody else ordered anything and no dice were rolled."""
    nation = view.viewer
    if nation is None or view.state.over is not None or not view.state.is_played(nation):
        return Rehearsal(())
    lines = [read.order for read in orders]
    turn = turns.rehearse(view.state, nation, lines)
    realm = turn.realms[nation]
    found = [_forecast(remark) for remark in remarks_on(turn, nation, None)]
    for line in turn.sheets[nation]:
        found += _forecasts(turn, nation, line)
    return Rehearsal(tuple(found), (phrase("rehearsal.left", gold=realm.gold, wood=realm.wood),))


def _forecasts(turn: Turn, nation: PowerId, line: Line) -> Iterator[Forecast]:
    """One forecast for each remark on a line, or one saying that it is carried out; the first has the notes."""
    remarks = sorted(remarks_on(turn, nation, line), key=lambda remark: remark.part or 0)
    notes = tuple(_notes(turn, nation, line))
    if not remarks:
        remarks = [Remark(nation, line, None, OK, {})]
    for number, remark in enumerate(remarks):
        hints = _others_meant(turn, nation, line) if remark.code == _NO_PLAYER else ()
        yield _forecast(remark, notes if number == 0 else (), hints)


def _others_meant(turn: Turn, nation: PowerId, line: Line) -> tuple[str, ...]:
    """The order with each nation that a wrong name may mean, or with all of a few nations: if it is like none, or if it
    is the sender's own.
    """
    order = line.order
    if not isinstance(order, Ally | Cede | Donate):
        return ()
    others = [other for other in turn.realms if other != nation and turn.state.is_played(other)]
    near = [other for other in others if other.startswith(order.to)] or get_close_matches(order.to, others, _MOST_HINTS)
    if not near and len(others) <= _MOST_HINTS:
        near = others
    return tuple(write(turn.rules, replace(order, to=other)) for other in near[:_MOST_HINTS])


def _forecast(remark: Remark, notes: tuple[Phrase, ...] = (), hints: tuple[str, ...] = ()) -> Forecast:
    line = remark.line
    hangs_on_others = line is not None and isinstance(line.order, _HANGS_ON_OTHERS)
    return Forecast(
        line=line.number if line else 0,
        part=remark.part,
        code=remark.code,
        level=level_of(remark.code),
        what=said(remark.code, remark.args),
        is_likely=remark.code not in _CERTAIN and (hangs_on_others or remark.code in _MAY_COME),
        notes=notes,
        parts=len(line.order.parts) if line is not None and isinstance(line.order, Place | Defend) else 1,
        is_impossible=remark.code in _IMPOSSIBLE,
        hints=hints,
    )


def _notes(turn: Turn, nation: PowerId, line: Line) -> Iterator[Phrase]:
    """What the line costs and what is left after it; a build's chance of success; where its units end."""
    gold = wood = spent_gold = spent_wood = 0
    for entry in turn.ledger:
        if entry.nation != nation or entry.what not in ("gold", "wood"):
            continue
        is_own = entry.line is not None and entry.line.number == line.number
        if entry.what == "gold":
            gold += entry.amount
            spent_gold -= entry.amount if is_own else 0
        else:
            wood += entry.amount
            spent_wood -= entry.amount if is_own else 0
        if is_own:
            left = turn.state.nations[nation].gold + gold, turn.state.nations[nation].wood + wood
    spent = {"gold": spent_gold, "wood": spent_wood}
    cost = tuple(phrase(f"rehearsal.{what}", amount=amount) for what, amount in spent.items() if amount)
    if cost:
        yield phrase("rehearsal.spent", cost=cost, gold_left=left[0], wood_left=left[1])
    if isinstance(line.order, Build) and spent_gold:
        area = turn.area(line.order.x, line.order.y)
        improvement = turn.rules.build[area.terrain.name] if area is not None else None
        if improvement is not None:
            yield phrase("rehearsal.builds", percent=improvement.percent, to=improvement.to)
    end = turn.ends.get((nation, line.number))
    if end is not None:
        yield phrase("rehearsal.ends", place=place(turn, end))


def advise(view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[Advice, ...]:
    """The errors and warnings of the dry run; the lines are kept all the same."""
    return tuple(
        Advice(forecast.line, remark_on(forecast)) for forecast in rehearse(view, orders).lines if forecast.level != OK
    )


def remark_on(forecast: Forecast) -> Phrase:
    """The forecast, marked as the rules mark errors and warnings."""
    part = forecast.named_part
    why = forecast.what if part is None else phrase("rehearsal.part", part=part, what=forecast.what)
    what = phrase(f"rehearsal.{forecast.level}", why=why)
    return phrase("rehearsal.likely", what=what) if forecast.is_likely else what
