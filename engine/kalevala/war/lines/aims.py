"""What groups are ordered to do, and in which rounds. Source: rules 16.1, B27"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.kalevala.battle.kinds import ONAGER, STORMING
from engine.kalevala.coordinates import gf_of
from engine.kalevala.figures import Figures, kind_of
from engine.kalevala.land import land_of
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.tables import BUILDINGS
from engine.kalevala.war import room as war_room
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import (
    AVOID,
    GUARD,
    HOLD,
    KILL,
    LAST_ROUND,
    RAM,
    RESERVE,
    SHOOT,
    SIEGE,
    STORM,
    TAKE,
    Aim,
    Detail,
)

WAITS = (2, 3, 4, 6)
"""The rounds until which a reserve can hold, as the menus offer them."""


def aims(plan: PlanDraft, name: str, figures: Figures, first: int = 1, last: int = LAST_ROUND) -> Question:
    """What a group can be ordered to do, from a round on or until one."""
    found = (replace(aim, first=first, last=last) for aim in _aims(plan, name, figures))
    options = [Option(str(aim), plan.say(f"plan_aim_{aim.what}", round=aim.wait), _with(plan, aim)) for aim in found]
    spots = tuple(_goals(plan, name, first, last))
    if spots and not _shoots(figures):
        label = plan.say("plan_aim_field")
        options.append(Option("KF", label, Question("plan_to_where", spots)))
    if (first, last) == (1, LAST_ROUND):
        later = plan.rounds(range(2, LAST_ROUND + 1), lambda number: aims(plan, name, figures, first=number))
        options.append(Option("FROM", plan.say("plan_later"), Question("plan_from_round", later)))
        sooner = plan.rounds(range(1, LAST_ROUND), lambda number: aims(plan, name, figures, last=number))
        options.append(Option("UNTIL", plan.say("plan_sooner"), Question("plan_until_round", sooner)))
    return Question("plan_aim", tuple(options))


def _aims(plan: PlanDraft, name: str, figures: Figures) -> Iterator[Aim]:
    """The aims that make sense for figures: archers who hold or storm don't shoot."""
    if _shoots(figures):
        yield from (Aim(name, SHOOT), Aim(name, AVOID))
        return
    reserves = (Aim(name, RESERVE, wait=wait) for wait in WAITS)
    if not plan.camp.against:
        yield from (Aim(name, GUARD), Aim(name, HOLD), Aim(name, KILL), *reserves)
        return
    if craft_among(plan.camp.figures):
        yield from (Aim(name, TAKE), Aim(name, KILL), Aim(name, SHOOT), Aim(name, RAM), Aim(name, HOLD))
        return
    gear = any(kind_of(item).code in STORMING for item in figures)
    storms = (Aim(name, STORM), Aim(name, SIEGE)) if gear or _holds(plan) else ()
    if gear:
        yield from storms
    yield from (Aim(name, TAKE), Aim(name, KILL), Aim(name, HOLD))
    if not gear:
        yield from storms
    yield from reserves


def _holds(plan: PlanDraft) -> bool:
    """Whether the viewer knows of buildings in the attacked land."""
    land = land_of(plan.view.state)
    return any(work.type in BUILDINGS for place in plan.camp.against for work in land.works(place))


def _goals(plan: PlanDraft, name: str, first: int, last: int) -> Iterator[Option]:
    """Fields to go for, or to guard."""
    what = TAKE if plan.camp.against else GUARD
    for spot in plan.fields(plan.camp.against or (plan.camp.at,)):
        aim = Aim(name, what, spot, first=first, last=last)
        yield Option(
            str(spot), plan.say("plan_spot", gf=gf_of(spot.gf or plan.camp.at), cell=spot.cell), _with(plan, aim)
        )


def _with(plan: PlanDraft, aim: Aim) -> Sequence[Detail]:
    """The plan with an aim in place of the group's previous one for the same rounds; later rounds come last."""
    before = [each for each in plan.details if isinstance(each, Aim) and each.name == aim.name]
    kept = [each for each in plan.details if each not in before]
    theirs = [each for each in before if (each.first, each.last) != (aim.first, aim.last)]
    return (*kept, *sorted((*theirs, aim), key=lambda each: (each.first, each.last)))


def _shoots(figures: Figures) -> bool:
    """Whether there are only archers, or onagers with their crews."""
    bows, men = war_room.parted(figures)
    return bool(bows and not men) or any(kind_of(item).code == ONAGER for item in figures)
