"""The kinds of lines that make sense in a plan, and which of its lines still do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from engine.core.shortlists import LONGEST
from engine.kalevala.board import others
from engine.kalevala.modules import has_module
from engine.kalevala.war.lines import ranks, works
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import (
    ALL,
    SACK,
    Aim,
    Band,
    Detail,
    Enslave,
    Flee,
    PalaceTaking,
    Phalanx,
    Placing,
    Plunder,
    Raze,
    Sided,
    Strike,
)


def offered(plan: PlanDraft) -> Iterator[Option]:
    """The kinds of lines that make sense here."""
    yield from _wishes(plan)
    kinds = (
        ("PHALANX", "plan_close", ranks.ranks),
        ("GATE", "plan_which_gate", works.gates),
        ("FIRE", "plan_at_what", works.targets),
        ("SIDE", "plan_for_whom", _sides),
        ("DROP", "plan_which_line", _dropped),
    )
    for value, prompt, make in kinds:
        found = tuple(make(plan))
        if found:
            yield Option(value, plan.say(f"plan_{value}"), Question(prompt, found))


def _wishes(plan: PlanDraft) -> Iterator[Option]:
    kinds = {type(detail) for detail in plan.details}
    if Flee not in kinds:
        yield plan.line("FLEE", plan.say("plan_FLEE"), Flee())
    if has_module(plan.view.state, "slaves") and Enslave not in kinds:
        yield plan.line("SLAVES", plan.say("plan_SLAVES"), Enslave())
    if not plan.camp.against:
        return
    for what, value in (("RE", "PLUNDER"), ("GOODS", "GOODS")):
        if Plunder(what) not in plan.details:
            kept = [each for each in plan.details if not isinstance(each, Plunder)]
            yield Option(value, plan.say(f"plan_{value}"), (*kept, Plunder(what)))
    if has_module(plan.view.state, "king") and PalaceTaking not in kinds:
        yield plan.line("PALACE", plan.say("plan_PALACE"), PalaceTaking(SACK))
    if Raze not in kinds:
        yield plan.line("RAZE", plan.say("plan_RAZE"), Raze())


def _dropped(plan: PlanDraft) -> Iterator[Option]:
    """Lines that can be removed; those that make no sense without one go with it."""
    for number, line in enumerate(plan.details, 1):
        left = tuple(each for each in plan.details if each is not line)
        yield Option(f"{number}", f"{line}"[:LONGEST], left)


def _sides(plan: PlanDraft) -> Iterator[Option]:
    """The rulers for whom guests can fight; at home there is no choice."""
    host = plan.view.state.owners.get(plan.camp.at)
    if plan.camp.against or host is None or host == plan.view.viewer:
        return
    kept = [each for each in plan.details if not isinstance(each, Sided)]
    for ruler in others(plan.view.state, plan.view.viewer):
        if Sided(ruler) not in plan.details:
            yield Option(ruler, plan.say("plan_side", ruler=ruler), (*kept, Sided(ruler)))


def consistent(details: Iterable[Detail]) -> tuple[Detail, ...]:
    """A plan without lines that no longer refer to anything: broken phalanxes, aims of groups that are gone."""
    lines = tuple(details)
    there: dict[int, Counter[str]] = {}
    for each in lines:
        if isinstance(each, Placing):
            there.setdefault(each.at.cell, Counter()).update(dict(each.figures))
    names = {each.group for each in lines if isinstance(each, Placing)}
    names |= {each.name for each in lines if isinstance(each, Band)} | {ALL}
    formed = {
        each.at
        for each in lines
        if isinstance(each, Phalanx)
        and (each.at.gf is not None or each.at.cell not in there or ranks.is_phalanx(dict(there[each.at.cell])))
    }

    def stands(line: Detail) -> bool:
        match line:
            case Phalanx(at=at) | Strike(at=at):
                return at in formed
            case Aim(name=name):
                return name in names
        return True

    return tuple(filter(stands, lines))
