"""What priests pray for, where and when. Source: rules 20.3"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine.core.phrases import phrase
from engine.kalevala.priests.facts import PRAYERS, priests_among
from engine.kalevala.war.lines.draft import Option, PlanDraft, Question
from engine.kalevala.war.plans import LAST_ROUND, Detail, Prayer
from engine.kalevala.wizards.spells import Meant, Spell


def priests(plan: PlanDraft) -> list[str]:
    """The priests who go along, the one with most ZEH first."""
    return priests_among(plan.camp.people)[::-1]


def prayers(plan: PlanDraft) -> Question:
    """Other prayers: wherever they do most, or for a field or round of the player's choice."""
    options = []
    for prayer in PRAYERS:
        label = plan.say("plan_prayer", prayer=prayer.name, what=phrase(f"door.priests.does_{prayer.name}"))
        best = Prayer(prayer.name, is_each=True)
        options.append(Option(str(best), label, _prayed(plan, best)))
    chosen = tuple(
        Option(prayer.name, plan.say("plan_prayer_at", prayer=prayer.name), partial(_prayed_on, plan, prayer))
        for prayer in PRAYERS
    )
    options.append(Option("AT", plan.say("plan_pray_at"), Question("plan_which_prayer", chosen)))
    options.append(Option("COUNTER", plan.say("plan_DEFY"), Question("plan_from_zeh", plan.counters())))
    return Question("plan_prayers", tuple(options))


def _prayed_on(plan: PlanDraft, prayer: Spell) -> Question:
    places = (plan.camp.at,) if prayer.meant is Meant.CASTLE else (*plan.camp.against, plan.camp.at)
    spots = [Option("BEST", plan.say("plan_best_near"), partial(_prayed_in, plan, Prayer(prayer.name)))]
    for spot in plan.fields(places):
        line = Prayer(prayer.name, (spot,))
        label = plan.say("plan_spot", gf=spot.gf, cell=spot.cell)
        spots.append(Option(str(spot), label, partial(_prayed_in, plan, line)))
    return Question("plan_on_which", tuple(spots))


def _prayed_in(plan: PlanDraft, line: Prayer) -> Question:
    each = replace(line, is_each=True)
    options = [
        Option("ANY", plan.say("plan_first_chance"), _prayed(plan, line)),
        Option("EACH", plan.say("plan_each_round"), _prayed(plan, each)),
    ]
    for number in range(1, LAST_ROUND + 1):
        due = replace(line, round=number)
        options.append(Option(str(number), plan.say("plan_round", round=number), _prayed(plan, due)))
    return Question("plan_when", tuple(options))


def _prayed(plan: PlanDraft, line: Prayer) -> Sequence[Detail]:
    """The plan with a prayer; those for one round come before those for any."""
    kept = [each for each in plan.details if not isinstance(each, Prayer)]
    others = [each for each in plan.details if isinstance(each, Prayer) and each != line]
    return (*kept, *sorted((*others, line), key=lambda each: each.round or LAST_ROUND + 1))
