"""REVOLT: a garrison that an agent has incited. Source: R-071, ruling KA132"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.agents.facts import MISDEEDS, REVOLT, Agent, victims
from engine.kalevala.agents.orders import AgentMisdeed
from engine.kalevala.battle.melee import ATTACK, unaided_defence
from engine.kalevala.battle.odds import NATURAL
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import kind_of, warriors
from engine.kalevala.model import MARAUDER
from engine.kalevala.steps.attempts import Attempt, failed, succeeded, throw, void
from engine.kalevala.steps.loyalty import go_over
from engine.kalevala.steps.realm import release as release_land
from engine.kalevala.window import Window

_MOST_ROUNDS = 12


def revolt(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Rebels fight the others of the garrison, and keep the land if they win; otherwise they go away. Ruling KA132"""
    misdeed, owner = MISDEEDS["REVOLT"], window.owners.get(agent.at)
    if owner is None or owner == agent.ruler or not warriors(window.stack(owner, agent.at)):
        return void("V02")
    stack = window.stack(owner, agent.at)
    garrison = [(item, stack[item]) for item in sorted(stack, key=_weakest_first) if kind_of(item).is_warrior]
    rebels: list[str] = []
    loyal: list[str] = []
    for item in victims(garrison):
        rises = throw(window, agent, "agent_revolt") >= REVOLT[kind_of(item).rank][1]
        (rebels if rises else loyal).append(item)
    if not rebels:
        return failed(misdeed, owner)
    risen, faithful = len(rebels), len(loyal)
    for item in rebels:
        window.book(owner, agent.at, item, -1, "revolt")
    left = _fight_out(window, agent, rebels, loyal)
    for item in left:
        window.book(owner, agent.at, item, -1, "revolt")
    args = {"gf": agent.at, "rebels": risen, "loyal": faithful, "fallen": len(left)}
    is_lost = not warriors(window.stack(owner, agent.at)) and bool(rebels)
    words = "" if not is_lost else "revolt_freed" if window.rulers[owner].kind == MARAUDER else "revolt_lost"
    for reader in (owner, agent.ruler):  # one event each: the owner must not learn who else gets a report
        window.tell("revolt", [reader], {**args, "lost": is_lost}, words=words)
    if is_lost:
        _keep(window, owner, agent.at, rebels)
    return succeeded(misdeed, phrase("deed.rebels", count=risen), owner)


def _keep(window: Window, owner: PowerId, place: Province, rebels: list[str]) -> None:
    """Rebels who have won become marauders and keep the land; if it was marauders' land, the natives get it."""
    if window.rulers[owner].kind == MARAUDER:
        release_land(window, place)
        return
    group = go_over(window, owner, [place])
    for item in rebels:
        window.book(group, place, item, 1, "revolt")


def _weakest_first(item: str) -> tuple[str, str]:
    return kind_of(item).rank, item


def _fight_out(window: Window, agent: Agent, rebels: list[str], loyal: list[str]) -> list[str]:
    """Rebels against loyal men, the strongest of each, twelve times at most; returns the loyal who fell."""
    fallen: list[str] = []
    for _ in range(_MOST_ROUNDS):
        if not rebels or not loyal:
            break
        one, other = max(rebels, key=unaided_defence), max(loyal, key=unaided_defence)
        first, second = throw(window, agent, "agent_rebel"), throw(window, agent, "agent_loyal")
        margin = first + unaided_defence(one) + ATTACK - second - unaided_defence(other)
        if margin > 0 and first >= NATURAL:
            loyal.remove(other)
            fallen.append(other)
        elif margin < 0 and second >= NATURAL:
            rebels.remove(one)
    return fallen
