"""Agents and battles: who comes out of hiding, who stays hidden, who leaves the site. Source: rules 22.3, ruling KA137

An agent without such an order stays hidden through a battle, and nothing finds him there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.agents.facts import Agent
from engine.kalevala.agents.orders import HIDE, LEAVE, SHOW, AgentStance
from engine.kalevala.battle.ending import BattleEnd
from engine.kalevala.battle.hiding import AGENT
from engine.kalevala.battle.sites import Army, BattleSite, HiddenGroup
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, kind_of, minus
from engine.kalevala.orders import Line
from engine.kalevala.steps import misdeeds, murders, spying
from engine.kalevala.tables import Group
from engine.kalevala.war.plans import Plan
from engine.kalevala.window import Window

DONE, TOO_LATE, BLOCKED, NO_BATTLE = "ok", "late", "blocked", "peace"
"""What became of an order for a battle."""
_RIDDEN = ("IP", "sP")
"""What comes out of hiding with its rider; elephants, wagons and gear stay behind."""


# P3: what is ordered


def order(window: Window, ruler: PowerId, line: Line, stance: AgentStance) -> None:
    """What an agent does in a battle where he is."""
    if spying.find(window, ruler, stance.number) is None:
        window.refuse(ruler, line, "V02", which=spying.lack(window, ruler, stance.number))
        return
    window.agents_at_work.stances.setdefault((ruler, stance.number), {})[stance.what] = line


def _round_of(window: Window, agent: Agent, what: str) -> int:
    """For which round of the battle something was ordered; 0: it was not."""
    line = window.agents_at_work.stances.get((agent.ruler, agent.number), {}).get(what)
    return line.order.round if line is not None and isinstance(line.order, AgentStance) else 0


# P4: battles


def groups(
    window: Window, provinces: Collection[Province], attacked: Collection[Province], plans: dict[PowerId, Plan]
) -> Iterator[HiddenGroup]:
    """Groups of agents that will come out, for rulers with others there; each fights by the plan for that province.

    Args:
        plans: those of rulers who take part and attack.
    """
    for agent in spying.in_turn(window):
        shows = _round_of(window, agent, SHOW)
        if not shows or agent.at not in provinces or agent.captor is not None or agent.ruler not in plans:
            continue
        hides, leaves = _round_of(window, agent, HIDE), _round_of(window, agent, LEAVE)
        is_at_target = agent.at in attacked and window.owners.get(agent.at) != agent.ruler
        army = Army(agent.ruler, agent.at, _coming(agent), plans[agent.ruler], agent.at if is_at_target else None)
        yield HiddenGroup(army, agent.number, shows, hides, leaves, agent.inside)


def _coming(agent: Agent) -> Figures:
    people = {item: count for item, count in agent.group.items() if kind_of(item).group is Group.HUMAN}
    horses = {item: count for item, count in agent.group.items() if item in _RIDDEN}
    return {AGENT: 1, **people, **horses}


def come_out(window: Window, end: BattleEnd) -> None:
    """Those who came out of hiding belong to their ruler's stack there while the battle is settled."""
    for key, figures in end.emerged.items():
        agent = window.agents[key]
        for item, count in figures.items():
            window.book(agent.ruler, agent.at, item, count, "group")
        companions = {item: count for item, count in figures.items() if item != AGENT}
        window.agents[key] = replace(agent, group=minus(agent.group, companions), inside=None, hidden_in=None)


def go_in(window: Window, end: BattleEnd) -> None:
    """Surviving agents are agents again, where they stand, with those next to them. Dead agents lead nobody."""
    for key in end.emerged:
        agent = window.agents[key]
        own = [each for each in end.living if (each.ruler, each.agent) == key]
        leader = next((each for each in own if each.item == AGENT), None)
        if leader is None:
            murders.die(window, agent)
            continue
        group = dict(agent.group)
        for each in own:
            for item in filter(None, (each.item, each.mount)) if each.at == leader.at else ():
                window.book(agent.ruler, each.at, item, -1, "group")
                group[item] = group.get(item, 0) + (item != AGENT)
        group = {item: count for item, count in group.items() if count}
        has_left = leader.at not in end.course.provinces
        is_seen = bool(leader.cell) or not agent.has_scouted
        window.agents[key] = replace(agent, at=leader.at, group=group, is_exposed=is_seen and not has_left)


def part(window: Window, site: BattleSite, end: BattleEnd) -> None:
    """Hidden agents who were ordered to leave do so, if the battle lasted until their round."""
    for group in site.hidden:
        key = group.army.ruler, group.number
        has_come = key in end.emerged
        window.agents_at_work.told[key, SHOW] = DONE if has_come else TOO_LATE
        if has_come:
            window.agents_at_work.told[key, LEAVE] = DONE
    for agent in list(spying.in_turn(window)):
        key = agent.ruler, agent.number
        leaves = _round_of(window, agent, LEAVE)
        if not leaves or agent.at not in site.provinces or agent.captor is not None or key in end.emerged:
            continue
        home = misdeeds.refuge(window, agent.ruler, agent.at, site.provinces)
        if leaves > end.course.length:
            window.agents_at_work.told[key, LEAVE] = TOO_LATE
        elif home is None:
            window.agents_at_work.told[key, LEAVE] = BLOCKED
        else:
            window.agents_at_work.told[key, LEAVE] = DONE
            spying.arrive(window, agent, home)


def tell_vain(window: Window) -> None:
    """Report orders for battles that did not take place, or were over before that round."""
    if window.dice is None:
        return
    for key, stances in window.agents_at_work.stances.items():
        for what, line in stances.items():
            word = window.agents_at_work.told.get((key, what), NO_BATTLE)
            if what != HIDE and word != DONE:
                window.fail(key[0], line, word)
