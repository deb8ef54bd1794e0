"""Agents and foreign caravans: whose leader they bribe, and in which they go along unseen.

Source: rules 22.3, R-071, rulings KA136, KA138
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.kalevala.agent_orders import AgentDeed
from engine.kalevala.agents import DEEDS, Agent
from engine.kalevala.caravans import Caravan, fields_of
from engine.kalevala.steps import caravanning, spying
from engine.kalevala.steps.attempts import Attempt, failed, succeeded, throw, void
from engine.kalevala.working import Round, purpose


def bribe(round_: Round, agent: Agent, order: AgentDeed) -> Attempt:
    """He goes where he is told when the caravan can move next, and stays where he is if no place was named."""
    caravan = _foreign(round_, agent)
    if caravan is None:
        return void("V02")
    deed = DEEDS["BRIBE"]
    assert round_.dice is not None, "agents act with dice alone"
    why = purpose("agent_bribe", agent=agent.name, ruler=agent.ruler, place=agent.at)
    if round_.dice.roll(spying.stream_of(agent), sides=6, purpose=why) < fields_of(caravan.load) + 1:
        return failed(deed, caravan.ruler)
    target = caravan.at if order.place is None else order.place
    round_.caravans[caravan.ruler, caravan.number] = replace(caravan, bribed_to=target)
    return succeeded(deed, caravan.ruler, phrase("deed.bribed", place=target))


def stow_away(round_: Round, agent: Agent) -> Attempt:
    """He goes along with a foreign caravan, and lives on what it has, until he leaves. Ruling KA138"""
    caravan = _foreign(round_, agent)
    if caravan is None:
        return void("V02")
    deed = DEEDS["SNEAK"]
    if throw(round_, agent, "agent_sneak") < deed.needed:
        return failed(deed, caravan.ruler)
    round_.agents[agent.ruler, agent.number] = replace(agent, inside=None, hidden_in=(caravan.ruler, caravan.number))
    return succeeded(deed, caravan.ruler, phrase("deed.stowed"))


def ride(round_: Round) -> None:
    """Agents in caravans are where those are. Ruling KA138"""
    for agent in list(spying.in_turn(round_)) if round_.dice is not None else ():
        if agent.hidden_in is None:
            continue
        caravan = round_.caravans.get(agent.hidden_in)
        key = agent.ruler, agent.number
        if caravan is None:
            round_.agents[key] = replace(agent, hidden_in=None)  # a document may name one that is not there
        elif caravan.at != agent.at:
            round_.agents[key] = replace(agent, at=caravan.at, has_scouted=False)
            args = {"agent": agent.name, "gf": caravan.at, "blocked": False}
            round_.tell("agent_moved", [agent.ruler], args)


def _foreign(round_: Round, agent: Agent) -> Caravan | None:
    """The first foreign caravan where an agent is."""
    there = (each for each in caravanning.in_turn(round_) if each.at == agent.at and each.ruler != agent.ruler)
    return next(there, None)
