"""BRIBE: the leader of a foreign caravan follows an agent's ruler once. Source: rules 22.3, R-071, ruling KA136"""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.kalevala.agent_orders import AgentDeed
from engine.kalevala.agents import DEEDS, Agent
from engine.kalevala.caravans import Caravan, fields_of
from engine.kalevala.steps import caravanning, spying
from engine.kalevala.steps.attempts import Attempt, failed, succeeded, void
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


def _foreign(round_: Round, agent: Agent) -> Caravan | None:
    """The first foreign caravan where an agent is."""
    there = (each for each in caravanning.in_turn(round_) if each.at == agent.at and each.ruler != agent.ruler)
    return next(there, None)
