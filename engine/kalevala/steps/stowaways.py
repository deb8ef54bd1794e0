"""Agents in caravans and craft: bribing a leader, and travelling along unseen.

Source: rules 22.3, R-071, rulings KA136, KA138, KA198, KA311
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.agents.facts import CRAFT, MISDEEDS, SHIP, Agent
from engine.kalevala.agents.orders import AgentMisdeed, AgentRide
from engine.kalevala.caravans.facts import Caravan, fields_of
from engine.kalevala.coordinates import Province
from engine.kalevala.orders import Line
from engine.kalevala.sea.craft import craft_among, is_steered
from engine.kalevala.steps import caravanning, spying
from engine.kalevala.steps.attempts import Attempt, failed, succeeded, throw, void
from engine.kalevala.window import Window, purpose


def join(window: Window, ruler: PowerId, line: Line, order: AgentRide) -> None:
    """An agent goes with a caravan of his ruler's that is where he is. Ruling KA311"""
    agent = spying.find(window, ruler, order.number)
    caravan = window.caravans.get((ruler, order.caravan))
    if agent is None or caravan is None or caravan.at != agent.at:
        which = spying.lack(window, ruler, order.number) if agent is None else "no_ride"
        window.refuse(ruler, line, "V02", which=which)
    elif (ruler, order.number) in window.agents_at_work.moving:
        window.refuse(ruler, line, "V05")
    else:
        spying.keep(window, replace(agent, inside=None, hidden_in=(ruler, order.caravan)))


def bribe(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """The leader takes the caravan to the place named when it can next move, or stays if no place was named."""
    caravan = _foreign(window, agent)
    if caravan is None:
        return void("V02")
    misdeed = MISDEEDS["BRIBE"]
    assert window.dice is not None, "agents need dice"
    why = purpose("agent_bribe", agent=agent.name, ruler=agent.ruler, place=agent.at)
    if window.dice.roll(spying.stream_of(agent), sides=6, purpose=why) < fields_of(caravan.load) + 1:
        return failed(misdeed, caravan.ruler)
    target = caravan.at if order.place is None else order.place
    window.caravans[caravan.ruler, caravan.number] = replace(caravan, bribed_to=target)
    return succeeded(misdeed, phrase("deed.bribed", place=target), caravan.ruler)


def stow_away(window: Window, agent: Agent, about: str) -> Attempt:
    """He travels with a foreign caravan or craft, and lives on what it has, until he leaves. KA138, KA198"""
    caravan = _foreign(window, agent)
    hidden_in = None if caravan is None else (caravan.ruler, caravan.number)
    if about == SHIP:
        others = (ruler for ruler in window.rulers if ruler != agent.ruler)
        hidden_in = next(((host, CRAFT) for host in others if _has_craft(window, host, agent)), None)
    if hidden_in is None:
        return void("V02")
    misdeed = MISDEEDS["SNEAK"]
    if throw(window, agent, "agent_sneak") < misdeed.needed:
        return failed(misdeed, hidden_in[0])
    window.agents[agent.ruler, agent.number] = replace(agent, inside=None, hidden_in=hidden_in)
    return succeeded(misdeed, phrase("deed.aboard" if about == SHIP else "deed.stowed"), hidden_in[0])


def _has_craft(window: Window, ruler: PowerId, agent: Agent) -> bool:
    """Whether a ruler has craft with somebody aboard where an agent is."""
    return any(is_steered(item) for item in craft_among(window.stack(ruler, agent.at)))


def ride(window: Window) -> None:
    """Agents in caravans and craft are where those are. Rulings KA138, KA198"""
    for agent in list(spying.in_turn(window)) if window.dice is not None else ():
        if agent.hidden_in is None:
            continue
        at = _where(window, agent)
        key = agent.ruler, agent.number
        if at is None:
            window.agents[key] = replace(agent, hidden_in=None)  # a document may name one that is not there
        elif at != agent.at:
            window.agents[key] = replace(agent, at=at, has_scouted=False, is_exposed=False)
            window.tell("agent_moved", [agent.ruler], {"agent": agent.name, "gf": at, "blocked": False})
    window.voyages.clear()


def _where(window: Window, agent: Agent) -> Province | None:
    """Where the craft or caravan with which he travels is; `None`: it no longer exists."""
    assert agent.hidden_in is not None, "he goes along with somebody"
    ruler, number = agent.hidden_in
    if number != CRAFT:
        caravan = window.caravans.get(agent.hidden_in)
        return None if caravan is None else caravan.at
    at = agent.at
    for host, source, target in window.voyages:
        at = target if (host, source) == (ruler, at) else at
    return at


def leave_wrecks(window: Window) -> None:
    """When his hosts have no craft there any more, he is ashore; on the water he drowns. Ruling KA198"""
    for agent in list(spying.in_turn(window)) if window.dice is not None else ():
        if agent.hidden_in is None or agent.hidden_in[1] != CRAFT:
            continue
        if not _has_craft(window, agent.hidden_in[0], agent):
            if window.land.is_sea(agent.at):
                spying.lose(window, agent, "drowned")
            else:
                window.agents[agent.ruler, agent.number] = replace(agent, hidden_in=None)


def _foreign(window: Window, agent: Agent) -> Caravan | None:
    """The first foreign caravan where an agent is."""
    there = (each for each in caravanning.in_turn(window) if each.at == agent.at and each.ruler != agent.ruler)
    return next(there, None)
