"""Duels of agents: murder, kidnapping, one agent against another, warriors who take one. Source: rules B7, R-071"""

from __future__ import annotations

from engine.kalevala.agents.facts import Agent
from engine.kalevala.agents.orders import AgentMisdeed, Seize
from engine.kalevala.artefacts.facts import is_artefact
from engine.kalevala.battle.melee import ATTACK, DEADLY, DEFENCE, unaided_defence
from engine.kalevala.battle.odds import KNIFE, NATURAL
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY, NONE, Figures, format_figures, has_people, kind_of, minus, plus, with_loads
from engine.kalevala.kings.facts import KILLS, is_king
from engine.kalevala.steps import captivity, reigning, seizing, spying
from engine.kalevala.steps.attempts import Attempt, Holding, bare, find_holding, lose, take, throw, try_each
from engine.kalevala.steps.magic import is_mortal
from engine.kalevala.window import Window

_AGENT_POINTS, _MURDER = 3, 2
"""GP of an agent, and the 2 more for a murderer. Source: rules 22.3"""


def duel(window: Window, agent: Agent, victim: Holding, more: int) -> tuple[bool, bool]:
    """An agent attacks a figure. Returns whether the victim falls, and whether the agent does.

    Source: rules 19.7, B7, R-071, ruling KA274
    """
    item = victim.item
    first, second = throw(window, agent, "agent_duel"), throw(window, agent, "agent_victim")
    margin = first + _AGENT_POINTS + ATTACK + more - second - unaided_defence(item)
    kind = kind_of(item)
    strikes_back = kind.is_warrior or kind.code in DEFENCE or is_king(item)
    needs = KNIFE if kind.is_warrior and kind.weapon == "B" else KILLS if is_king(item) else NATURAL
    kills = first >= NATURAL if kind.code != "Z" else first == DEADLY and is_mortal(window, victim.ruler)
    return margin > 0 and kills, margin < 0 and strikes_back and second >= needs


def murder(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Each victim is one duel, which may kill the agent instead; a king loses one life. Source: R-071, ruling KA179"""

    def attempt(living: Agent, holding: Holding) -> bool:
        rival = _rival(window, living) if bare(holding.item) == "Ag" else None
        falls, is_beaten = duel(window, living, holding, _MURDER)
        if is_beaten:
            die(window, living)
        if falls and rival is not None:
            die(window, rival)
        elif falls:
            _fell(window, holding, agent.at, "murdered")
        return falls

    return try_each(window, agent, order, attempt, _find_victim)


def _find_victim(window: Window, agent: Agent, item: str) -> Holding | None:
    """Where a victim is; agents at large come before those in stacks. Ruling KA129"""
    rival = _rival(window, agent) if bare(item) == "Ag" else None
    return find_holding(window, agent, item) if rival is None else Holding(rival.ruler, "Ag", 1)


def _rival(window: Window, agent: Agent) -> Agent | None:
    """The first agent of another ruler where an agent is, hidden or not."""
    there = (each for each in spying.in_turn(window) if each.at == agent.at and each.ruler != agent.ruler)
    return next((each for each in there if each.captor is None), None)


def _fell(window: Window, victim: Holding, at: Province, why: str) -> None:
    if is_king(victim.item):
        reigning.wound(window, victim.ruler)
        return
    lose(window, victim, at, 1, why)


def die(window: Window, agent: Agent) -> None:
    """An agent is dead: his companions stand where he fell, for all to see. Source: rules 22.3

    If none of his ruler's people are there, what he carried is the landowner's. Ruling KA302
    """
    del window.agents[agent.ruler, agent.number]
    owner = window.owners.get(agent.at)
    left = {item: count for item, count in {**agent.group, MONEY: agent.money}.items() if count}
    booty: Figures = NONE
    if owner is not None and owner != agent.ruler and not has_people(plus(left, window.stack(agent.ruler, agent.at))):
        booty = {item: count for item, count in left.items() if not is_artefact(item)}
        for item, count in booty.items():
            window.book(owner, agent.at, item, count, "booty")
    for item, count in minus(left, booty).items():
        window.book(agent.ruler, agent.at, item, count, "group")
    audience = [agent.ruler] if owner is None else [agent.ruler, owner]
    args = {"agent": agent.name, "gf": agent.at, "why": "fallen", "of": agent.ruler}
    words = "agent_lost_booty" if booty else "agent_lost_fallen"
    found = format_figures(booty)
    window.tell("agent_lost", list(dict.fromkeys(audience)), args, words=words, owner=owner, booty=found)


def kidnap(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Each victim is one duel, which may kill the agent; the captives become slaves, but a king stays a king.

    Source: R-071, rulings KA127, KA179
    """

    def attempt(living: Agent, holding: Holding) -> bool:
        wins, is_beaten = duel(window, living, holding, 0)
        if is_beaten:
            die(window, living)
        if wins and is_king(holding.item):
            captivity.carry_off(window, holding.ruler, agent.ruler, agent.at)
        elif wins:
            _fell(window, holding, agent.at, "kidnapped")
            take(window, living, "Sl", 1)
        return wins

    return try_each(window, agent, order, attempt)


def seize_found(window: Window) -> None:
    """Warriors take on agents who were found in land without a trade centre. Ruling KA125"""
    if window.dice is None:
        return
    for ruler, line in window.caravans_at_work.seizures:
        assert isinstance(line.order, Seize)
        at = window.find_own(ruler, line.order.at)
        agent = next(
            (
                each
                for each in spying.in_turn(window)
                if each.at == at and each.ruler != ruler and each.is_exposed and each.captor is None
            ),
            None,
        )
        if at is None or agent is None or not window.has_warrior(ruler, at):
            window.void(ruler, line, "V02")
            continue
        men = (each for each in with_loads(window.stack(ruler, at)) if kind_of(each).is_warrior)
        item = max(men, key=lambda each: (unaided_defence(each), each))
        first, second = throw(window, agent, "agent_seized"), throw(window, agent, "agent_resists")
        attack = ATTACK if kind_of(item).weapon != "B" else 0
        margin = first + unaided_defence(item) + attack - second - DEFENCE["Ag"]
        if margin > 0 and first >= (KNIFE if kind_of(item).weapon == "B" else NATURAL):
            spying.capture(window, agent, ruler)
            continue
        fallen = {item: 1} if margin < 0 and second >= NATURAL else {}
        seizing.bury(window, ruler, at, fallen)
        window.fail(ruler, line, "dice")
        args = {"gf": at, "of": agent.ruler, "fallen": item if fallen else None}
        words = "agent_kills" if fallen else "agent_stands"
        window.tell("agent_stands", [ruler, agent.ruler], args, words=words, dead=format_figures(fallen))
