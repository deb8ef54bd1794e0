"""Gates that are opened and shut, and what onagers throw at. Source: rules B11, B13"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.phrases import phrase
from engine.kalevala.battle.kinds import ONAGER
from engine.kalevala.coordinates import Edge, Province, gf_of
from engine.kalevala.land import land_of, usual_gate
from engine.kalevala.tables import BUILDINGS
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import LAST_ROUND, Fire, GateOrder, Spot
from engine.lattice.great_fields import Side


def gates_of(plan: PlanDraft, place: Province) -> Iterator[tuple[str, Edge]]:
    """The known gates of a province, each with its work."""
    land = land_of(plan.view.state)
    for work in land.works(place):
        if work.type == "Ma" and work.has_gate and work.edge is not None:
            yield work.type, work.edge
        elif work.type in BUILDINGS and work.cell is not None:
            for gate in work.gates or (usual_gate(work.cell, land.field(place).centre),):
                yield work.type, gate


def gates(plan: PlanDraft) -> Iterator[Option]:
    """The ruler's gates, to be opened or shut in a round."""
    for kind, gate in gates_of(plan, plan.camp.at):
        for is_open in (True, False):
            what = "OPEN" if is_open else "SHUT"
            orders = [GateOrder(Spot(gate.cell), gate.side, is_open, number) for number in range(1, LAST_ROUND + 1)]
            rounds = tuple(
                plan.line(str(each.round), plan.say("plan_round", round=each.round), each)
                for each in orders
                if each not in plan.details
            )
            label = plan.say(f"plan_gate_{what}", gate=f"{gate}", work=phrase(f"work.{kind}"))
            yield Option(f"{gate} {what}", label, Question("plan_when", rounds))


def targets(plan: PlanDraft) -> Iterator[Option]:
    """What onagers can throw at: known buildings, walls and bridges, else the attacked trade centre."""
    fires = [each for each in plan.details if isinstance(each, Fire)]
    left = plan.camp.figures.get(ONAGER, 0) - sum(count for each in fires for _, count in each.figures)
    if not plan.camp.figures.get(ONAGER, 0):
        return
    for spot, side, label in _known_works(plan) if left > 0 else ():
        counts = tuple(
            plan.line(str(count), plan.say("plan_onagers", count=count), Fire(((ONAGER, count),), spot, side))
            for count in range(left, 0, -1)
        )
        value = f"{spot}" if side is None else f"{spot}/{side.name}"
        whole = counts[0].then
        yield Option(value, label, whole if left == 1 else Question("plan_how_many", counts))
    if fires:
        yield Option("BEST", plan.say("plan_fire_best"), tuple(each for each in plan.details if each not in fires))


def _known_works(plan: PlanDraft) -> Iterator[tuple[Spot, Side | None, str]]:
    land = land_of(plan.view.state)
    for place in plan.camp.against or (plan.camp.at,):
        gf, built = Province(gf_of(place)), False
        for work in land.field(place).works:
            if work.type in BUILDINGS and work.cell is not None and plan.camp.against:
                built = True
                label = plan.say("plan_fire_at", work=phrase(f"work.{work.type}"), gf=gf, place=work.cell)
                yield Spot(work.cell, gf), None, label
            elif work.type in ("Ma", "Br") and work.edge is not None:
                label = plan.say("plan_fire_at", work=phrase(f"work.{work.type}"), gf=gf, place=f"{work.edge}")
                yield Spot(work.edge.cell, gf), work.edge.side, label
        centre = land.centre(place)
        if plan.camp.against and not built and centre is not None and centre.cell is not None:
            label = plan.say("plan_fire_field", gf=gf, cell=centre.cell)
            yield Spot(centre.cell, gf), None, label
