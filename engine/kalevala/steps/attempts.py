"""What all deeds of agents have in common: the roll, the victim, what comes of it. Source: R-071"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agent_orders import AgentDeed
from engine.kalevala.agents import DEEDS, GROUP_ROOM, KING, PRICES, Agent, Misdeed, class_of, room_of, victims
from engine.kalevala.figures import format_figures, kind_of
from engine.kalevala.kings import is_king
from engine.kalevala.steps import spying
from engine.kalevala.working import Round, purpose


@dataclass(slots=True)
class Attempt:
    """What came of a deed: whether it succeeded, against whom, what is told."""

    is_done: bool
    victim: PowerId | None
    risk: int
    experience: float
    what: Phrase | None = None
    code: str | None = None


def void(code: str) -> Attempt:
    """A deed that can't be done any more, or never could be; it is paid all the same."""
    return Attempt(is_done=False, victim=None, risk=0, experience=0, code=code)


def failed(deed: Misdeed, victim: PowerId | None) -> Attempt:
    """The dice were against it."""
    return Attempt(is_done=False, victim=victim, risk=deed.risk, experience=0)


def succeeded(deed: Misdeed, victim: PowerId | None, what: Phrase) -> Attempt:
    """It was done, and what came of it."""
    return Attempt(is_done=True, victim=victim, risk=deed.risk, experience=deed.experience, what=what)


def throw(round_: Round, agent: Agent, code: str) -> int:
    """Three dice of an agent's stream."""
    assert round_.dice is not None
    return round_.dice.throw(
        spying.stream_of(agent), purpose=purpose(code, agent=agent.name, ruler=agent.ruler, place=agent.at)
    ).total


def bare(item: str) -> str:
    """An item without the number it bears; all kings are alike."""
    return KING if is_king(item) else kind_of(item).code if "[" not in item else item


def owner_of(round_: Round, agent: Agent, item: str) -> tuple[PowerId, str] | None:
    """Who has such a figure there, the owner of the land first, and how it is written in full."""
    owner = round_.owners.get(agent.at)
    for ruler in sorted(round_.rulers, key=lambda each: each != owner):
        if ruler == agent.ruler:
            continue
        for own in round_.stack(ruler, agent.at):
            if bare(own) == bare(item):
                return ruler, own
    return None


def room_left(agent: Agent) -> int:
    """The REH that his group has left."""
    return GROUP_ROOM - 1 - room_of(agent.group)


def take(round_: Round, agent: Agent, item: str, count: int) -> None:
    """Put something into his group."""
    group = dict(agent.group)
    group[item] = group.get(item, 0) + count
    round_.agents[agent.ruler, agent.number] = replace(agent, group=group)


def try_each(round_: Round, agent: Agent, order: AgentDeed, attempt: Callable[[Agent, PowerId, str], bool]) -> Attempt:
    """A deed done to one after the other; it has succeeded if anything of it has. Ruling KA128"""
    rows = PRICES.get(order.deed, {})
    deed = DEEDS[order.deed]
    done: dict[str, int] = {}
    victim: PowerId | None = None
    risk, experience = 0, 0.0
    is_tried = False
    for item in victims(order.figures):
        living = round_.agents.get((agent.ruler, agent.number))
        found = owner_of(round_, agent, item)
        if living is None or found is None:
            continue
        is_tried, (victim, whole) = True, found
        _, more, gained = rows.get(class_of(item), (0, deed.risk, deed.experience))
        risk += more
        if attempt(living, victim, whole):
            experience += gained
            done[bare(item)] = done.get(bare(item), 0) + 1
    if not is_tried:
        return void("V02")
    what = phrase("deed.figures", figures=format_figures(done)) if done else None
    return Attempt(bool(done), victim, risk, experience, what)
