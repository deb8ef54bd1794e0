"""Phase 5: DEF orders set the lasting tactics of provinces. Source: rules 2.3, 4; ruling K-21."""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.model import Defend, Stance
from engine.king_of_kings.orders import MOST_PARTS
from engine.king_of_kings.working import Turn

_PROBLEMS = {"E04": "not_yours", "E15": "no_tactics"}


def take_stances(turn: Turn) -> None:
    """Phase 5: each part of a DEF succeeds or fails alone."""
    for nation, line, order in turn.lines(Defend):
        for number, part in enumerate(order.parts, 1):
            if number > MOST_PARTS:
                turn.remark(nation, line, "E02", part=number, problem=phrase("problem.parts", most=MOST_PARTS))
                continue
            error = _take_stance(turn, nation, part)
            if error:
                at = {"x": part.x, "y": part.y}
                problem = phrase(f"problem.{_PROBLEMS.get(error, 'not_yours')}", **at)
                turn.remark(nation, line, error, part=number, **at, problem=problem)


def _take_stance(turn: Turn, nation: PowerId, part: Stance) -> str | None:
    area = turn.area(part.x, part.y)
    if area is None:
        return "E03"
    if area.is_sea:
        return "E15"
    if area.owner != nation:
        return "E04"
    area.tactic = part.tactic
    return None
