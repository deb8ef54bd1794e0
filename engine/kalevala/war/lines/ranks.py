"""Where phalanxes form, of whom, and which way they face. Source: rules B8"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.kalevala.figures import Figures, common, format_figures, kind_of, minus
from engine.kalevala.land import land_of
from engine.kalevala.steps.planning import PHALANX_SIZE
from engine.kalevala.tables import BUILDINGS, TERRAIN
from engine.kalevala.war import room as war_room
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import Band, Detail, Phalanx, Placing, Spot, Strike
from engine.lattice.great_fields import Side, distance

_RANKS = "phalanx"
"""The name of the group for figures placed as a phalanx."""


def ranks(plan: PlanDraft) -> Iterator[Option]:
    """Where four of a kind are, or can be placed; and changes of planned phalanxes."""
    formed = {each.at for each in plan.details if isinstance(each, Phalanx)}
    for at in sorted(formed, key=str):
        if Strike(at) not in plan.details:
            yield plan.line(f"STRIKE {at}", plan.say("plan_strike", cell=at.cell), Strike(at))
    there: dict[Spot, Counter[str]] = {}
    for each in plan.details:
        if isinstance(each, Placing):
            there.setdefault(Spot(each.at.cell), Counter()).update(dict(each.figures))
    for at, figures in there.items():
        if is_phalanx(figures) and at not in formed and _has_room(plan, at.cell):
            yield _faced(plan, at, dict(figures), plan.details)
    recruits = _recruits(plan)
    if recruits is None:
        return
    item, made = recruits
    for cell in _free(plan, there):
        placed = Placing(Spot(cell), ((item, PHALANX_SIZE),), _RANKS)
        if Spot(cell) not in formed:
            yield _faced(plan, Spot(cell), {item: PHALANX_SIZE}, (placed, *made))


def _recruits(plan: PlanDraft) -> tuple[str, tuple[Detail, ...]] | None:
    """Four men of a kind who are not placed yet, and the plan without them in another group."""
    placed = Counter[str]()
    for each in plan.details:
        if isinstance(each, Placing):
            placed.update(dict(each.figures))
    left = minus(plan.camp.figures, common(placed, plan.camp.figures))
    men = {item: count for item, count in war_room.parted(left)[1].items() if count >= PHALANX_SIZE}
    if not men:
        return None
    item = max(men, key=lambda each: men[each])
    grouped = sum(dict(each.figures).get(item, 0) for each in plan.details if isinstance(each, Band))
    lacking = PHALANX_SIZE - (men[item] - grouped)
    made: list[Detail] = []
    for each in plan.details:
        count = dict(each.figures).get(item, 0) if isinstance(each, Band) else 0
        taken = min(count, max(lacking, 0))
        if isinstance(each, Band) and taken:
            lacking -= taken
            rest = {code: n - taken * (code == item) for code, n in each.figures}
            each = replace(each, figures=tuple((code, n) for code, n in rest.items() if n))
            if not each.figures:
                continue
        made.append(each)
    return item, tuple(made)


def _free(plan: PlanDraft, there: Iterable[Spot]) -> Iterator[int]:
    """Empty fields with room for four, nearest to the expected fighting first."""
    land = land_of(plan.view.state)
    taken = {spot.cell for spot in there}
    built = {work.cell for work in land.works(plan.camp.at) if work.type in BUILDINGS}
    cells = [cell for cell in land.cells(plan.camp.at) if cell not in taken | built and _has_room(plan, cell)]
    goals = [cell for cell in (land.centre(plan.camp.at),) if cell is not None and cell.cell is not None]
    middle = goals[0].cell if goals and goals[0].cell is not None else 19
    yield from sorted(cells, key=lambda cell: (distance(cell, middle), cell))


def _has_room(plan: PlanDraft, cell: int) -> bool:
    land = land_of(plan.view.state)
    field, centre = land.field(plan.camp.at), land.centre(plan.camp.at)
    if any(work.cell == cell and work.type in BUILDINGS for work in land.works(plan.camp.at)):
        return False
    letter = TERRAIN[field.cells[cell - 1]]
    return letter.is_land and (letter.room >= PHALANX_SIZE or (centre is not None and centre.cell == cell))


def _faced(plan: PlanDraft, at: Spot, figures: Figures, details: Sequence[Detail]) -> Option:
    """A phalanx, and which way it faces."""
    ahead = (
        Option("AHEAD", plan.say("plan_ahead"), (*details, Phalanx(at))),
        Option("STRIKE", plan.say("plan_ahead_strike"), (*details, Phalanx(at), Strike(at))),
    )
    sides = (Option(side.name, plan.say("plan_facing", side=side.name), (*details, Phalanx(at, side))) for side in Side)
    step = Question("plan_facing_where", (*ahead, *sides))
    label = plan.say("plan_ranks", cell=at.cell, figures=format_figures(figures))
    return Option(str(at.cell), label, step)


def is_phalanx(figures: Figures) -> bool:
    """Whether figures can close ranks: four of one kind, and nobody else. Source: rules B8"""
    return len(figures) == 1 and set(figures.values()) == {PHALANX_SIZE} and kind_of(next(iter(figures))).is_warrior
