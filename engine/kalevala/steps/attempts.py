"""What all misdeeds of agents have in common: the roll, the victim, the result. Source: R-071"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agents.facts import GROUP_ROOM, KING, MISDEEDS, PRICES, Agent, Misdeed, class_of, room_of, victims
from engine.kalevala.agents.orders import AgentMisdeed
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import format_figures, kind_of, minus
from engine.kalevala.kings.facts import is_king
from engine.kalevala.steps import caravanning, spying
from engine.kalevala.window import Window, purpose


@dataclass(slots=True)
class Attempt:
    """The result of a misdeed: whether it succeeded, against whom, and what is reported."""

    is_done: bool
    victims: tuple[PowerId, ...]
    risk: int
    experience: float
    what: Phrase | None = None
    code: str | None = None


def void(code: str) -> Attempt:
    """A misdeed that can no longer be done, or never could; it is paid for all the same."""
    return Attempt(is_done=False, victims=(), risk=0, experience=0, code=code)


def failed(misdeed: Misdeed, *victims: PowerId | None) -> Attempt:
    """The dice were against it."""
    return Attempt(is_done=False, victims=_each(victims), risk=misdeed.risk, experience=0)


def succeeded(misdeed: Misdeed, what: Phrase, *victims: PowerId | None) -> Attempt:
    """The misdeed succeeded, and with what result."""
    return Attempt(True, _each(victims), misdeed.risk, misdeed.experience, what)


def _each(victims: Iterable[PowerId | None]) -> tuple[PowerId, ...]:
    return tuple(dict.fromkeys(name for name in victims if name is not None))


def throw(window: Window, agent: Agent, code: str) -> int:
    """Three dice of an agent's stream."""
    assert window.dice is not None
    return window.dice.throw(
        spying.stream_of(agent), purpose=purpose(code, agent=agent.name, ruler=agent.ruler, place=agent.at)
    ).total


def bare(item: str) -> str:
    """An item without its number; all kings are alike."""
    return KING if is_king(item) else kind_of(item).code if "[" not in item else item


@dataclass(frozen=True, slots=True)
class Holding:
    """The target of a misdeed: a figure or thing in a stack or in a caravan.

    Args:
        item: as it is written in full; `count`: how many there are.
        caravan: the number of the caravan; `None`: they are in the stack.
    """

    ruler: PowerId
    item: str
    count: int
    caravan: int | None = None


def find_holding(window: Window, agent: Agent, item: str) -> Holding | None:
    """Where one of them is: with the owner of the land first, then others, then caravans.

    An agent who is hidden in a caravan finds that one first. Ruling KA138
    """
    return next(iter(find_holdings(window, agent, item)), None)


def find_holdings(window: Window, agent: Agent, item: str) -> list[Holding]:
    """Where they all are, the very item first."""
    found = [each for each in _holdings(window, agent) if bare(each.item) == bare(item)]
    return sorted(found, key=lambda each: each.item != item)


def gather(window: Window, agent: Agent, item: str, count: int) -> list[tuple[int, Holding]] | None:
    """How many are taken from where: all from one who has enough, else from several; `None`: too few are there."""
    found = find_holdings(window, agent, item)
    whole = next((each for each in found if each.count >= count), None)
    if whole is not None:
        return [(count, whole)]
    taken = []
    for each in found:
        part = min(each.count, count)
        taken += [(part, each)] if part else []
        count -= part
    return None if count else taken


def _holdings(window: Window, agent: Agent) -> Iterator[Holding]:
    owner = window.owners.get(agent.at)
    caravans = [each for each in caravanning.in_turn(window) if each.at == agent.at and each.ruler != agent.ruler]
    caravans.sort(key=lambda each: (each.ruler, each.number) != agent.hidden_in)
    carried = [Holding(each.ruler, item, n, each.number) for each in caravans for item, n in each.load.items()]
    if agent.hidden_in is not None:
        yield from carried
    for ruler in sorted(window.rulers, key=lambda each: each != owner):
        if ruler != agent.ruler:
            yield from (Holding(ruler, item, count) for item, count in window.stack(ruler, agent.at).items())
    yield from carried


def lose(window: Window, holding: Holding, at: Province, count: int, why: str) -> None:
    """Take this many away from where they are.

    Only losses of stacks are booked: what is in a caravan has left the books already.
    """
    if holding.caravan is None:
        window.book(holding.ruler, at, holding.item, -count, why)
        return
    caravan = window.caravans[holding.ruler, holding.caravan]
    left = minus(caravan.load, {holding.item: count})
    window.caravans[holding.ruler, holding.caravan] = replace(caravan, load=left)


def room_left(agent: Agent) -> int:
    """How many REH of room his group has left."""
    return GROUP_ROOM - 1 - room_of(agent.group)


def take(window: Window, agent: Agent, item: str, count: int) -> None:
    """Put something into his group."""
    group = dict(agent.group)
    group[item] = group.get(item, 0) + count
    window.agents[agent.ruler, agent.number] = replace(agent, group=group)


def try_each(
    window: Window,
    agent: Agent,
    order: AgentMisdeed,
    attempt: Callable[[Agent, Holding], bool],
    find: Callable[[Window, Agent, str], Holding | None] = find_holding,
) -> Attempt:
    """A misdeed done to one target after the other; it has succeeded if it did against any of them. Ruling KA128"""
    rows = PRICES.get(order.misdeed, {})
    misdeed = MISDEEDS[order.misdeed]
    done: dict[str, int] = {}
    hurt: list[PowerId] = []
    risk, experience = 0, 0.0
    for item in victims(order.figures):
        living = window.agents.get((agent.ruler, agent.number))
        found = None if living is None else find(window, living, item)
        if living is None or found is None:
            continue
        hurt.append(found.ruler)
        _, more, gained = rows.get(class_of(item), (0, misdeed.risk, misdeed.experience))
        risk += more
        if attempt(living, found):
            experience += gained
            done[bare(item)] = done.get(bare(item), 0) + 1
    if not hurt:
        return void("V02")
    what = phrase("deed.figures", figures=format_figures(done)) if done else None
    return Attempt(bool(done), _each(hurt), risk, experience, what)
