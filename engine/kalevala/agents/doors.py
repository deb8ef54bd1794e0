"""The secret service: a page with a dossier for each agent, and doors for the ransoms of captives.

Source: rules 22
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from engine.core.doors import Door, Page
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.agents.facts import (
    ABROAD,
    AT_HOME,
    CRAFT,
    SCOUTING_PRICE,
    SCOUTING_RISK,
    Agent,
    agents_in,
    risk_of,
    upkeep_of,
)
from engine.kalevala.coordinates import order_of
from engine.kalevala.example_places import beside
from engine.kalevala.figures import count_of, format_figures
from engine.kalevala.model import DEEDS_PART, View
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked


def has_service(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there are agents to look at, whether the ruler's own or others'."""
    return view.viewer is not None and bool(view.state.modules.get("agents") or _unnumbered(view))


def _unnumbered(view: View) -> dict[str, int]:
    """New agents of the ruler's, who get their number by the first order to them: how many are where. Ruling KA120"""
    stacks = view.state.stacks.get(view.viewer, {}) if view.viewer is not None else {}
    own = sorted((place for place in stacks if view.state.owners.get(place) == view.viewer), key=order_of)
    return {place: found for place in own if (found := count_of(stacks[place], "Ag"))}


def _own(view: View) -> list[Agent]:
    found = [agent for agent in agents_in(view.state.modules) if agent.ruler == view.viewer]
    return sorted(found, key=lambda agent: agent.number)


def _others(view: View) -> list[tuple[str, str, bool]]:
    """Foreign agents whom the ruler holds or who were found in the ruler's land: where, whose, and whether at large."""
    rows = [row for row in view.state.modules.get("agents", ()) if row.get("of") is not None]
    return [(str(row["at"]), str(row["of"]), bool(row.get("exposed"))) for row in rows]


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    if not has_service(view):
        return None
    lines: list[Phrase] = []
    for agent in _own(view):
        lines += _dossier(view, agent)
    for at, who, is_at_large in sorted(_others(view), key=lambda row: order_of(row[0])):
        code = "at_large" if is_at_large else "held"
        lines.append(phrase(f"door.dossier.{code}", place=at, ruler=who))
    number = next(n for n in count(1) if all(agent.number != n for agent in _own(view)))
    for place, waiting in _unnumbered(view).items():
        lines.append(phrase("door.dossier.unnumbered", place=place, count=waiting, number=number))
    return Page(lines=(*lines, *_how([agent for agent in _own(view) if agent.captor is None], view)))


def _how(free: Sequence[Agent], view: View) -> Iterator[Phrase]:
    """The orders, to the first of those who can be given any, and how the others are named."""
    if free:
        at = free[0].at
        yield phrase("door.dossier.how", number=free[0].number, place=at, beside=beside(view, at))
    if len(free) > 1:
        yield phrase("door.dossier.which", numbers=tuple(f"{agent.number}" for agent in free))


def _dossier(view: View, agent: Agent) -> Iterator[Phrase]:
    """Everything that a ruler knows about an agent."""
    group = format_figures(agent.group)
    args = {"agent": agent.name, "place": agent.at, "money": agent.money, "egp": f"{agent.experience:g}"}
    yield phrase("door.dossier.agent" if group else "door.dossier.alone", **args, group=group)
    if agent.captor is not None:
        yield phrase("door.dossier.captive", captor=agent.captor, number=agent.number)
        return
    is_home = view.state.owners.get(agent.at) == view.viewer
    base = AT_HOME if is_home else ABROAD
    now = risk_of(base, agent.surcharge, agent.experience)
    busy = risk_of(base, agent.surcharge + SCOUTING_RISK, agent.experience)
    if agent.hidden_in is not None and not agent.is_stowaway:
        yield phrase("door.dossier.riding", number=agent.hidden_in[1], busy=busy, cost=upkeep_of(agent))
    elif agent.hidden_in is not None:
        risk = risk_of(AT_HOME, agent.surcharge, agent.experience)
        code = "door.dossier.aboard" if agent.hidden_in[1] == CRAFT else "door.dossier.stowed"
        yield phrase(code, ruler=agent.hidden_in[0], risk=risk, busy=busy)
    else:
        code = "door.dossier.at_home" if is_home else "door.dossier.abroad"
        yield phrase(code, risk=now, busy=busy, cost=upkeep_of(agent))
    if agent.inside is not None:
        yield phrase("door.dossier.inside", cell=agent.inside)
    if agent.is_exposed:
        yield phrase("door.dossier.exposed")
    elif view.state.part == DEEDS_PART:
        yield phrase("door.dossier.ready" if agent.has_scouted else "door.dossier.blind")
    elif agent.money < SCOUTING_PRICE:
        yield phrase("door.dossier.poor", price=SCOUTING_PRICE)


def _held_agents(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    held = [agent for agent in _own(view) if agent.captor is not None]
    return tuple(Choice(f"{agent.number}", f"{agent.name} {agent.at}") for agent in held)


def _prisoners(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    return tuple(Choice(f"{who} {at}", f"{who} {at}") for at, who, is_at_large in _others(view) if not is_at_large)


def _ransom(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    return f"RANSOM {given['agent']} {given['amount']}"


def _release(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    who, _, at = given["prisoner"].partition(" ")
    price = given.get("price", "0")
    return f"RELEASE {who} AT {at}" + (f" FOR {price}" if price != "0" else "")


def _may_ransom(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.state.part == DEEDS_PART and bool(_held_agents(view, orders))


def _may_release(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.state.part == DEEDS_PART and bool(_prisoners(view, orders))


AGENT_DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.AGENTS_DOSSIER,
        page=_show,
        is_open=has_service,
        brings_page=lambda view: False,
    ),
    Door(
        info=commands.AGENTS_RANSOM,
        completions={"agent": _held_agents},
        order=_ransom,
        is_open=_may_ransom,
    ),
    Door(
        info=commands.AGENTS_RELEASE,
        completions={"prisoner": _prisoners},
        order=_release,
        is_open=_may_release,
    ),
)
