"""What agents could do, as whole orders for the guided flow, likeliest first. Source: rules 22"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.agents.facts import CARAVAN, GARRISON, MOST_RE, NEAR, SHIP, STOWS, Agent, agents_in
from engine.kalevala.agents.orders import (
    HIDE,
    LEAVE,
    SHOW,
    AgentBack,
    AgentGroup,
    AgentMisdeed,
    AgentMove,
    AgentRide,
    AgentScout,
    AgentStance,
    Ransom,
    Release,
    Seize,
)
from engine.kalevala.artefacts.facts import artefacts_in
from engine.kalevala.caravans.facts import caravans_in, strange_ones
from engine.kalevala.coordinates import Province
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, kind_of, parse_figures
from engine.kalevala.orders import Order, Whole, named
from engine.kalevala.sea.craft import craft_among, is_steered
from engine.kalevala.tables import Group

_PRICES = (10, 25, 50)
_SHOW_IN, _END_IN = (1, 2, 3, 4, 6), (4, 6, 8)
"""The rounds of a battle that are offered; any from 1 to 12 can be written."""
_PURSES = (40, 60, MOST_RE)


def orders_of(counsel: Counsel) -> Whole:
    """Orders for the window of orders: groups, moves, scouting."""
    for agent in _agents(counsel):
        yield from counsel.tried(AgentScout(agent.number), "agent_scout", agent=agent.name, place=agent.at)
        for way in _ways(counsel, agent):
            order = AgentMove(agent.number, way)
            yield from counsel.tried(order, "agent_move", agent=agent.name, place=way[-1])
        for each in caravans_in(counsel.state.modules):
            if each.ruler == counsel.ruler and each.at == agent.at:
                ride = AgentRide(agent.number, each.number)
                yield from counsel.tried(ride, "agent_ride", agent=agent.name, count=each.number)
        yield from _groups(counsel, agent.number, agent.at, agent.name)
    for place, stack in counsel.state.stacks.get(counsel.ruler, {}).items():
        if stack.get("Ag"):
            number = _next_number(counsel)
            yield from _groups(counsel, number, place, f"Ag{number}")
            return


def _groups(counsel: Counsel, number: int, place: Province, name: str) -> Whole:
    if counsel.state.owners.get(place) != counsel.ruler:
        return
    stack = counsel.trial.stack(counsel.ruler, place)
    money = min(MOST_RE, stack.get(MONEY, 0))
    warrior = next((item for item in stack if kind_of(item).is_warrior), None)
    for purse in dict.fromkeys((*(each for each in _PURSES if each <= money), money)):
        for companions in ({}, {warrior: 1} if warrior is not None else {}):
            figures = {**companions, **({MONEY: purse} if purse else {})}
            if figures:
                order = AgentGroup(number, named(figures))
                text = str(order).partition("GROUP ")[2]
                yield from counsel.tried(order, "agent_group", agent=name, figures=text)


def deeds_of(counsel: Counsel) -> Whole:
    """Orders for the window of deeds: what each agent could do where he has scouted, captives, agents who were
    found.
    """
    for agent in _agents(counsel):
        if agent.has_scouted:
            for order in _misdeeds(counsel, agent):
                what = counsel.say(f"deed_{order.misdeed}{_variety(order)}")
                target = order.about if order.question else str(order).partition(f"DO {order.misdeed}")[2].strip()
                target = "" if order.about in STOWS else target
                yield from counsel.tried(order, "agent_do", agent=agent.name, what=what, target=target)
        if counsel.state.owners.get(agent.at) != counsel.ruler:
            yield from counsel.tried(AgentBack(agent.number), "agent_back", agent=agent.name)
        if counsel.state.owners.get(agent.at) is not None:
            yield from _stances(counsel, agent)
    for agent in agents_in(counsel.state.modules):
        if agent.ruler == counsel.ruler and agent.captor is not None:
            for price in _PRICES:
                offer = Ransom(agent.number, price)
                yield from counsel.tried(offer, "agent_ransom", agent=agent.name, count=price, ruler=agent.captor)
    for row in counsel.state.modules.get("agents", ()):
        if row.get("of") is None:
            continue
        at, who = Province(str(row["at"])), str(row["of"])
        if row.get("exposed"):
            yield from counsel.tried(Seize(at), "agent_seize", place=at, ruler=PowerId(who))
        else:
            for price in (*_PRICES, 0):
                freed = Release(who, at, price)
                yield from counsel.tried(freed, "agent_release", place=at, ruler=PowerId(who), count=price)


def _stances(counsel: Counsel, agent: Agent) -> Whole:
    """Orders for a battle where he is, if there will be one: when to come out of hiding, and when to hide again or
    leave.
    """
    for what, rounds in ((SHOW, _SHOW_IN), (HIDE, _END_IN), (LEAVE, _END_IN)):
        for number in rounds:
            order = AgentStance(agent.number, what, number)
            yield from counsel.tried(order, f"agent_{what}", agent=agent.name, round=number, place=agent.at)


def _misdeeds(counsel: Counsel, agent: Agent) -> Iterator[AgentMisdeed]:
    stacks = [counsel.state.stack(ruler, agent.at) for ruler in counsel.state.rulers if ruler != counsel.ruler]
    caravans = [row for row in strange_ones(counsel.state.modules) if row.get("at") == agent.at]
    stacks += [parse_figures(str(row.get("load") or "")) or {} for row in caravans]
    items = list(dict.fromkeys(item for stack in stacks for item in stack))
    for item in items:
        kind = kind_of(item)
        one = named({item.partition("/")[0] if "[" not in item else item: 1})
        if kind.group is Group.HUMAN:
            yield AgentMisdeed(agent.number, "MURDER", one)
            yield AgentMisdeed(agent.number, "KIDNAP", one)
        elif kind.group is Group.ANIMAL:
            yield AgentMisdeed(agent.number, "STEAL", one)
        elif kind.group is Group.ARTEFACT:
            yield AgentMisdeed(agent.number, "THEFT", one)
        elif kind.group is Group.GEAR:
            yield AgentMisdeed(agent.number, "SABOTAGE", one)
            yield AgentMisdeed(agent.number, "THEFT", one)
    for artefact in artefacts_in(counsel.state.modules):
        if artefact.holder is None and artefact.at == agent.at:
            yield AgentMisdeed(agent.number, "THEFT", cell=artefact.cell)
    for place in dict.fromkeys((agent.at, *_near(counsel, agent))):
        yield AgentMisdeed(agent.number, "ASK", question=NEAR, about=place)
    money = max((stack.get(MONEY, 0) for stack in stacks), default=0)
    if money:
        yield AgentMisdeed(agent.number, "THEFT", ((MONEY, min(money, MOST_RE - agent.money)),))
    if caravans:
        for target in (None, *_near(counsel, agent)):
            yield AgentMisdeed(agent.number, "BRIBE", place=target)
        yield AgentMisdeed(agent.number, "SNEAK", about=CARAVAN)
    if any(is_steered(item) for stack in stacks for item in craft_among(stack)):
        yield AgentMisdeed(agent.number, "SNEAK", about=SHIP)
    for place in dict.fromkeys((agent.at, *_near(counsel, agent))):
        yield AgentMisdeed(agent.number, "ASK", question=GARRISON, about=place)
    yield AgentMisdeed(agent.number, "LETTERS", times=3)
    for work in counsel.land.works(agent.at):
        if work.cell is not None:
            yield AgentMisdeed(agent.number, "SNEAK", cell=work.cell)
            for edge in work.gates:
                yield AgentMisdeed(agent.number, "GATE", edge=edge)
    yield AgentMisdeed(agent.number, "REVOLT")


def _variety(order: AgentMisdeed) -> str:
    """The end of a misdeed's label: what the misdeed is about, or that there is nothing to name."""
    if order.question:
        return f"_{order.question.lower()}"
    if order.about in STOWS:
        return f"_{order.about.lower()}"
    return "_stay" if order.misdeed == "BRIBE" and order.place is None else ""


def _near(counsel: Counsel, agent: Agent) -> list[Province]:
    """The provinces next to an agent."""
    return list(counsel.land.links(agent.at))


def number_of(order: Order) -> str:
    """The agent's number, by which orders to agents are grouped."""
    match order:
        case (
            AgentGroup(number=n)
            | AgentMove(number=n)
            | AgentScout(number=n)
            | AgentRide(number=n)
            | AgentBack(number=n)
            | Ransom(number=n)
        ):
            return f"Ag{n}"
        case AgentMisdeed(number=n) | AgentStance(number=n):
            return f"Ag{n}"
        case Seize(at=at) | Release(at=at):
            return at
    return ""


def _agents(counsel: Counsel) -> list[Agent]:
    """The ruler's own agents who are free, by number."""
    mine = [
        agent for agent in agents_in(counsel.state.modules) if agent.ruler == counsel.ruler and agent.captor is None
    ]
    return sorted(mine, key=lambda agent: agent.number)


def _next_number(counsel: Counsel) -> int:
    """The number for an agent who has none yet."""
    return 1 + max(
        (agent.number for agent in agents_in(counsel.state.modules) if agent.ruler == counsel.ruler), default=0
    )


def _ways(counsel: Counsel, agent: Agent) -> list[tuple[Province, ...]]:
    """Moves of one and two steps, as far as the land is known."""
    near = list(counsel.land.links(agent.at))
    far = [(agent.at, via, beyond) for via in near for beyond in counsel.land.links(via)]
    short = [(agent.at, target) for target in near]
    return [*short, *(way for way in far if way[2] != agent.at and way[2] not in near)]
