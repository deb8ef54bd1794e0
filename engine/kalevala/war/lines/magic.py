"""What the wizard casts, on which fields, at what cost and when. Source: rules 19.3, R-122"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from engine.core.phrases import phrase
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import count_of, kind_of
from engine.kalevala.land import land_of
from engine.kalevala.planes.facts import mystic_in
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.steps.planning import WIZARD
from engine.kalevala.tables import DRAGON
from engine.kalevala.war.lines import works
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import LAST_ROUND, TO_MYSTIC, Cast, Challenge, Detail, Forced, Spot
from engine.kalevala.wizards.doors import does
from engine.kalevala.wizards.spells import BEINGS, DISPLACE, FORCED, SPELL, SPELLS, STORE, Meant, Spell, known_of
from engine.lattice.great_fields import CELLS, distance, inner_neighbours

_WIDE = (Meant.OWN, Meant.FOE)
"""Spells that can be cast on several fields."""
_LIMITS = (10, 20, 30, 50)
"""How many ZEH the menus let a spell cost."""
_FARTHEST = {DISPLACE: 6, BEINGS: STORE // SPELL[BEINGS].base}
"""How far spells can move figures. Source: R-053"""


def wizard(plan: PlanDraft) -> str:
    """The wizard who goes along; empty if none does."""
    return next((item for item in plan.camp.people if kind_of(item).code == WIZARD), "")


def magic(plan: PlanDraft) -> Question:
    """What the wizard does, in place of what the plan had him do in the same rounds."""
    known = SPELLS[: known_of(wizard(plan))]
    options = []
    for spell in known:
        if spell.meant in (Meant.FOE, Meant.OWN):
            cast = Cast(spell.name, spell.meant is Meant.OWN, is_each=True)
            label = plan.say("plan_spell", spell=spell.name, what=does(spell))
            options.append(Option(str(cast), label, _conjured(plan, cast)))
    for rival in others(plan.view.state, plan.view.viewer):
        dare = Challenge(rival)
        options.append(Option(str(dare), plan.say("plan_challenge", ruler=rival), _conjured(plan, dare)))
    chosen = tuple(_chosen_spells(plan, known))
    if chosen:
        options.append(Option("AT", plan.say("plan_cast_at"), Question("plan_which_spell", chosen)))
    forced = [each for each in known if each.meant in (Meant.OWN, Meant.FOE) and each.base <= FORCED]
    kept = [each for each in plan.details if not isinstance(each, Forced)]
    triples = tuple(
        Option(each.name, plan.say("plan_spell", spell=each.name, what=does(each)), (*kept, Forced(each.name)))
        for each in forced
    )
    if mystic_in(plan.camp.people):
        triples += (Option(TO_MYSTIC, plan.say("plan_to_mystic"), (*kept, Forced(TO_MYSTIC))),)
    if triples:
        options.append(Option("TRIPLE", plan.say("plan_TRIPLE"), Question("plan_which_triple", triples)))
    options.append(Option("COUNTER", plan.say("plan_COUNTER"), Question("plan_from_zeh", plan.counters())))
    return Question("plan_magic", tuple(options))


def _conjured(plan: PlanDraft, line: Cast | Challenge) -> Sequence[Detail]:
    """The plan with a line for the wizard; those for one round come before those for any."""
    kept = [each for each in plan.details if not isinstance(each, Cast | Challenge)]
    magic = [each for each in plan.details if isinstance(each, Cast | Challenge)]
    if line.round:
        theirs = [each for each in magic if each.round != line.round]
    else:
        theirs = [] if line.is_each or isinstance(line, Challenge) else [each for each in magic if not each.is_each]
    return (*kept, *sorted((*theirs, line), key=lambda each: each.round or LAST_ROUND + 1))


def _chosen_spells(plan: PlanDraft, known: Iterable[Spell]) -> Iterator[Option]:
    """A spell with its field, its goal if it moves somebody, and its round."""
    for spell in known:
        if spell.name == BEINGS and not _sees_dragons(plan):
            continue
        meant = {Meant.OWN: (True,), Meant.SHIP: (True,), Meant.MOVED: (False, True)}.get(spell.meant, (False,))
        for is_own in meant:
            whose = "own" if is_own else "foe"
            code = f"plan_spell_{whose}" if spell.meant is Meant.MOVED else "plan_spell"
            if next(_aimed_spells(plan, spell, is_own=is_own), None) is not None:
                label = plan.say(code, spell=spell.name, what=does(spell))
                yield Option(f"{spell.name} {whose.upper()}", label, partial(_on_which, plan, spell, is_own=is_own))


def _sees_dragons(plan: PlanDraft) -> bool:
    """Whether there is any fabulous being, as far as the viewer knows."""
    stacks = (stack for stacks in plan.view.state.stacks.values() for stack in stacks.values())
    return any(count_of(stack, DRAGON) for stack in stacks)


def _on_which(plan: PlanDraft, spell: Spell, *, is_own: bool) -> Question:
    return Question("plan_on_which", tuple(_aimed_spells(plan, spell, is_own=is_own)))


def _aimed_spells(plan: PlanDraft, spell: Spell, *, is_own: bool) -> Iterator[Option]:
    places = (*plan.camp.against, plan.camp.at)
    if spell.meant is Meant.GATE:
        for place in places:
            gf = Province(gf_of(place))
            for kind, gate in works.gates_of(plan, place):
                cast = Cast(spell.name, is_own, (Spot(gate.cell, gf),), side=gate.side)
                label = plan.say("plan_fire_at", work=phrase(f"work.{kind}"), gf=gf, place=f"{gate}")
                yield _timed(plan, f"{gf}:{gate}", label, cast)
        return
    if spell.meant is Meant.SHIP:
        if any(item.startswith("SS") for item in craft_among(plan.camp.figures)):
            yield _timed(plan, "BEST", plan.say("plan_best_ship"), Cast(spell.name, is_own))
        return
    if spell.meant in (Meant.OWN, Meant.FOE):
        yield _timed(plan, "BEST", plan.say("plan_best"), Cast(spell.name, is_own))
    spots = list(plan.fields(places))
    if spell.meant is Meant.RIVER:
        land = land_of(plan.view.state)
        wet = {(gf_of(place), edge.cell) for place in places for edge in land.field(place).rivers}
        spots = [spot for spot in spots if (gf_of(spot.gf or plan.camp.at), spot.cell) in wet]
    for spot in spots:
        label = plan.say("plan_spot", gf=spot.gf, cell=spot.cell)
        cast = Cast(spell.name, is_own, (spot,))
        if spell.meant is Meant.MOVED:
            yield Option(str(spot), label, partial(_moved, plan, spell, cast, spots))
            continue
        yield _timed(plan, str(spot), label, cast, *_more(plan, cast, spots))


def _more(plan: PlanDraft, cast: Cast, spots: Sequence[Spot]) -> Iterator[Option]:
    """More fields for a spell that can affect several: all next to the first one, or one by one."""
    if SPELL[cast.spell].meant not in _WIDE:
        return
    around = [each for each in spots if _are_beside(cast.fields[0], each)] if len(cast.fields) == 1 else []
    if around:
        wide = replace(cast, fields=(*cast.fields, *around))
        yield Option("AROUND", plan.say("plan_around"), partial(_limited, plan, wide))
    if any(_touches(cast.fields, each) for each in spots):
        yield Option("ALSO", plan.say("plan_also"), partial(_next_field, plan, cast, spots))


def _next_field(plan: PlanDraft, cast: Cast, spots: Sequence[Spot]) -> Question:
    """One more field of a spell, next to those that it has. Source: rules 19.3"""

    def grown(spot: Spot) -> Question:
        wider = replace(cast, fields=(*cast.fields, spot))
        return _limited(plan, wider, *_more(plan, wider, spots))

    found = tuple(
        Option(str(each), plan.say("plan_spot", gf=each.gf, cell=each.cell), partial(grown, each))
        for each in spots
        if _touches(cast.fields, each)
    )
    return Question("plan_on_which", found)


def _moved(plan: PlanDraft, spell: Spell, cast: Cast, spots: Iterable[Spot]) -> Question:
    """Where a spell moves the figures on its field."""
    (start,) = cast.fields
    goals = tuple(
        _timed(plan, str(goal), plan.say("plan_spot", gf=goal.gf, cell=goal.cell), replace(cast, goal=goal))
        for goal in spots
        if goal.gf == start.gf and goal != start and distance(goal.cell, start.cell) <= _FARTHEST.get(spell.name, CELLS)
    )
    return Question("plan_to_where", goals)


def _limited(plan: PlanDraft, cast: Cast, *more: Option) -> Question:
    """What a spell on several fields may cost, and whether it gets more of them. Source: rules 19.3"""
    limits = (
        _timed(plan, str(most), plan.say("plan_limit_zeh", zeh=most), replace(cast, most=most)) for most in _LIMITS
    )
    return Question("plan_limit", (_timed(plan, "WHOLE", plan.say("plan_no_limit"), cast), *limits, *more))


def _timed(plan: PlanDraft, value: str, label: str, cast: Cast, *more: Option) -> Option:
    """The round in which a spell is due.

    Args:
        more: what can be said about the spell before the round.
    """

    def rounds() -> Question:
        each, first = replace(cast, is_each=True), plan.say("plan_first_chance")
        options = [
            *more,
            Option("ANY", first, _conjured(plan, cast)),
            Option("EACH", plan.say("plan_each_round"), _conjured(plan, each)),
        ]
        for number in range(1, LAST_ROUND + 1):
            due = replace(cast, round=number)
            options.append(Option(str(number), plan.say("plan_round", round=number), _conjured(plan, due)))
        return Question("plan_when", tuple(options))

    return Option(value, label, rounds)


def _are_beside(one: Spot, other: Spot) -> bool:
    return one.gf == other.gf and other.cell in inner_neighbours(one.cell)


def _touches(fields: Sequence[Spot], spot: Spot) -> bool:
    return spot not in fields and any(_are_beside(each, spot) for each in fields)
