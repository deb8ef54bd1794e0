"""Agents: their groups, moves and scouting, detection, and what happens to captives.

What they do to others is in `misdeeds`. Source: rules 22, R-070, R-072, R-116, rulings KA120 to KA134
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala import books
from engine.kalevala.agents.facts import (
    ABROAD,
    AT_HOME,
    GROUP_ROOM,
    SCOUTING_PRICE,
    SCOUTING_RISK,
    SPEED,
    UPKEEP,
    Agent,
    purse_of,
    risk_of,
    room_of,
    upkeep_of,
)
from engine.kalevala.agents.orders import AgentGroup, AgentMove, AgentScout, Ransom, Release
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import MONEY, NONE, Figures, format_figures, has_people, is_part, kind_of
from engine.kalevala.land import land_of
from engine.kalevala.model import ORDERS_PART, Work
from engine.kalevala.orders import Line
from engine.kalevala.steps import reigning, scouting
from engine.kalevala.tables import BUILDINGS, Group
from engine.kalevala.view import view_of
from engine.kalevala.window import Window, purpose

_STAY_BEHIND = frozenset({"Z", "Ag", "KrKö", "AgKö", "PrKö"})
"""Who can't be hidden in a group. Source: rules 22.3, ruling KA121"""


# P1: orders


def find(window: Window, ruler: PowerId, number: int) -> Agent | None:
    """A free agent of a ruler; a new number means one of those who stand in the ruler's land. Ruling KA120"""
    known = window.agents.get((ruler, number))
    if known is not None:
        return None if known.captor is not None else known
    places = [
        place for place, stack in window.stacks[ruler].items() if stack.get("Ag") and _is_own(window, ruler, place)
    ]
    if not places or window.state.part != ORDERS_PART:
        return None
    return Agent(
        ruler, number, min(places, key=lambda place: (not _has_headquarters(window, place), order_of(place))), NONE
    )


def lack(window: Window, ruler: PowerId, number: int) -> str:
    """Why there is no free agent with a number: he is a captive, or there is none."""
    return "captive" if (ruler, number) in window.agents else "no_agent"


def keep(window: Window, agent: Agent) -> None:
    """Record an agent as he is now; a new one leaves the stack in which he was."""
    key = agent.ruler, agent.number
    if key not in window.agents:
        window.book(agent.ruler, agent.at, "Ag", -1, "agent")
    window.agents[key] = agent


def _is_own(window: Window, ruler: PowerId, place: Province) -> bool:
    return window.owners.get(place) == ruler


def _has_headquarters(window: Window, place: Province) -> bool:
    return any(work.is_headquarters for work in window.land.works(place))


def group(window: Window, ruler: PowerId, line: Line, order: AgentGroup) -> None:
    """Say who and what goes with an agent; former companions stay behind. RE that he was given in this window and gives
    back are as if they had been brought. Source: rules 22.3, ruling KA304
    """
    agent = find(window, ruler, order.number)
    if agent is None or not _is_own(window, ruler, agent.at):
        which = lack(window, ruler, order.number) if agent is None else "abroad"
        window.refuse(ruler, line, "V02", which=which)
        return
    wanted = dict(order.figures)
    have = _available(window, agent)
    code = _group_flaw(wanted, have)
    if code is not None:
        which = "companions" if code == "V02" else ""
        window.refuse(ruler, line, code, cost=wanted.get(MONEY, 0), have=have.get(MONEY, 0), which=which)
        return
    before = {**agent.group, **({MONEY: agent.money} if agent.money else {})}
    joining = {item: max(0, count - before.get(item, 0)) for item, count in wanted.items()}
    if window.breaks_watch(ruler, agent.at, joining):
        window.refuse(ruler, line, "V05", which="watch")
        return
    new = {item: count for item, count in wanted.items() if item != MONEY}
    keep(window, replace(agent, group=new, money=wanted.get(MONEY, 0)))
    taken = wanted.get(MONEY, 0) - before.get(MONEY, 0)
    given = window.agents_at_work.given
    returned = min(max(0, -taken), given[ruler, order.number])
    given[ruler, order.number] += max(0, taken) - returned
    window.book(ruler, agent.at, MONEY, returned, "group", is_marked=True)
    for item in sorted({*before, *wanted}):
        change = before.get(item, 0) - wanted.get(item, 0) - (returned if item == MONEY else 0)
        window.book(ruler, agent.at, item, change, "group")
    window.spent[ruler] += taken
    if not window.has_warrior(ruler, agent.at):
        window.warn(ruler, line, "W3", place=agent.at)


def _available(window: Window, agent: Agent) -> Figures:
    """What can be in an agent's group: what is there and has not moved, and what he has."""
    found = dict(window.unmarked(agent.ruler, agent.at))
    for item, count in {**agent.group, MONEY: agent.money}.items():
        found[item] = found.get(item, 0) + count
    return found


def _group_flaw(wanted: Figures, have: Figures) -> str | None:
    companions = {item: count for item, count in wanted.items() if item != MONEY}
    if any(kind_of(item).code in _STAY_BEHIND or kind_of(item).group is Group.SHIP for item in companions):
        return "V20"
    if not is_part(companions, have):
        return "V02"
    if room_of(companions) > GROUP_ROOM - 1:
        return "V20"
    people = 1 + sum(count for item, count in companions.items() if kind_of(item).group is Group.HUMAN)
    beasts = sum(count for item, count in companions.items() if kind_of(item).group is Group.ANIMAL)
    if beasts > people or wanted.get(MONEY, 0) > purse_of(companions):
        return "V06"
    return "V09" if wanted.get(MONEY, 0) > have.get(MONEY, 0) else None


def move(window: Window, ruler: PowerId, line: Line, order: AgentMove) -> None:
    """Send an agent somewhere; he goes in P2. Source: rules 22.3"""
    agent = find(window, ruler, order.number)
    start, *steps = order.path
    if agent is None or gf_of(start) != gf_of(agent.at):
        which = lack(window, ruler, order.number) if agent is None else "elsewhere"
        window.refuse(ruler, line, "V02", place=start, which=which)
        return
    _, seen = window.sight(ruler)
    is_way = all(
        gf_of(there) in (gf_of(here), *neighbours_of(gf_of(here)))
        for here, there in zip(order.path, steps, strict=False)
    )
    if not is_way or not seen.may_be_linked(agent.at, steps[0]):
        window.refuse(ruler, line, "V03")
        return
    if len(steps) > SPEED:
        window.refuse(ruler, line, "V04")
        return
    if (ruler, order.number) in window.agents_at_work.moving:
        window.refuse(ruler, line, "V05")
        return
    keep(window, agent)
    window.agents_at_work.moving[ruler, order.number] = line


def scout(window: Window, ruler: PowerId, line: Line, order: AgentScout) -> None:
    """Have an agent scout where he will be in P2, for 10 RE that he carries. Source: rules 22.3"""
    agent = find(window, ruler, order.number)
    if agent is None:
        window.refuse(ruler, line, "V02", which=lack(window, ruler, order.number))
        return
    if (ruler, order.number) in window.agents_at_work.scouting:
        window.refuse(ruler, line, "V13")
        return
    if agent.money < SCOUTING_PRICE:
        window.refuse(ruler, line, "V09", cost=SCOUTING_PRICE, have=agent.money)
        return
    keep(window, replace(agent, money=agent.money - SCOUTING_PRICE))
    window.agents_at_work.scouting[ruler, order.number] = line


def in_turn(window: Window) -> Iterator[Agent]:
    """All agents, by seat and number."""
    seats = {ruler: seat for seat, ruler in enumerate(window.rulers)}
    for key in sorted(window.agents, key=lambda key: (seats[key[0]], key[1])):
        if key in window.agents:
            yield window.agents[key]


def pay(window: Window) -> None:
    """Agents abroad and captives pay with what they carry; one who can't is lost. Source: rules 22.3, ruling KA122"""
    for agent in in_turn(window):
        if _is_own(window, agent.ruler, agent.at) and agent.captor is None:
            continue
        if agent.is_stowaway:
            continue  # he lives on what the caravan has. Ruling KA138
        cost = UPKEEP if agent.captor is not None else upkeep_of(agent)
        if agent.money >= cost:
            window.agents[agent.ruler, agent.number] = replace(agent, money=agent.money - cost)
        elif agent.captor is None and agent.money >= UPKEEP:
            # Those with him leave first.
            window.agents[agent.ruler, agent.number] = replace(agent, money=agent.money - UPKEEP, group=NONE)
            left = format_figures(agent.group)
            window.tell("agent_unpaid", [agent.ruler], {"agent": agent.name, "gf": agent.at, "left": left})
            _note_unpaid(window, agent, left)
        else:
            let_go(window, agent, "starved" if agent.captor is not None else "unpaid")


def let_go(window: Window, agent: Agent, why: str) -> None:
    """An agent who can't be paid is lost, and what he was to do in this window is not done."""
    lose(window, agent, why)
    _note_unpaid(window, agent, "")
    at_work = window.agents_at_work
    for lines in (at_work.moving, at_work.scouting):
        line = lines.pop((agent.ruler, agent.number), None)
        if line is not None:
            window.void(agent.ruler, line, "V09", cost=UPKEEP, have=agent.money)


def _note_unpaid(window: Window, agent: Agent, left: str) -> None:
    """For receipts: an agent can't pay those with him, or is lost himself."""
    booked = window.accounts[agent.ruler]
    booked["agents"] = [*booked.get("agents", ()), (agent.name, left)]


def lose(window: Window, agent: Agent, why: str) -> None:
    """An agent is gone, with all that he has."""
    del window.agents[agent.ruler, agent.number]
    to = [agent.ruler] if agent.captor is None else [agent.ruler, agent.captor]
    args = {"agent": agent.name, "gf": agent.at, "why": why, "of": agent.ruler}
    window.tell("agent_lost", to, args, words=f"agent_lost_{why}")


def lose_cut_off(window: Window) -> None:
    """A ruler whose headquarters fell, and who has built no new one, loses all agents abroad. Source: rules 22.1"""
    for agent in in_turn(window):
        if not agent.is_cut_off:
            continue
        if _is_own(window, agent.ruler, agent.at) or any(
            _has_headquarters(window, place) for place in window.owned(agent.ruler)
        ):
            window.agents[agent.ruler, agent.number] = replace(agent, is_cut_off=False)
        else:
            lose(window, agent, "cut_off")


# P2: moves and scouting


def walk(window: Window) -> None:
    """Agents go where they were sent, as far as the land allows. Source: rules 22.3"""
    if window.dice is None:
        return
    for agent in in_turn(window):
        key = agent.ruler, agent.number
        line = window.agents_at_work.moving.get(key)
        if line is None:
            continue
        assert isinstance(line.order, AgentMove)
        at, is_barred = agent.at, False
        for named in line.order.path[1:]:
            target = window.land.meant(named, near=(at,))
            if target is None or not window.land.is_linked(at, target):
                is_barred = True
                break
            at = target
        went = at != agent.at
        money = agent.money
        if is_barred:
            window.fail(agent.ruler, line, "blocked")
            scouting_line = window.agents_at_work.scouting.pop(key, None)
            if scouting_line is not None:
                money += SCOUTING_PRICE
                window.fail(agent.ruler, scouting_line, "blocked")
        window.agents[key] = replace(
            agent,
            at=at,
            money=money,
            inside=None if went else agent.inside,
            hidden_in=None if went else agent.hidden_in,
            is_exposed=agent.is_exposed and not went,
        )
        window.tell(
            "agent_moved",
            [agent.ruler],
            {"agent": agent.name, "gf": at, "blocked": is_barred},
            words="agent_blocked" if is_barred else "",
        )


def arrive(window: Window, agent: Agent, place: Province) -> None:
    """An agent slips away into own land."""
    freed = replace(agent, at=place, inside=None, is_exposed=False, hidden_in=None)
    window.agents[agent.ruler, agent.number] = freed
    window.tell("agent_moved", [agent.ruler], {"agent": agent.name, "gf": place, "blocked": False})


def look(window: Window) -> None:
    """Which agents are detected, and what the others see. Source: rules 22.3, R-070"""
    if window.dice is None:
        return
    for agent in in_turn(window):
        key = agent.ruler, agent.number
        line = window.agents_at_work.scouting.get(key)
        if agent.captor is not None:
            continue
        is_found = agent.is_exposed or is_detected(window, agent, 0, "stay")
        is_new = is_found and not agent.is_exposed
        is_driven_out = is_new and agent.hidden_in is not None
        if line is not None and not is_found:
            is_found = is_new = is_detected(window, agent, SCOUTING_RISK, "scouting")
        if is_driven_out:
            _drive_out(window, agent)
        elif is_new:
            expose(window, agent)
        if line is not None and is_found:
            window.fail(agent.ruler, line, "detected")
        elif line is not None:
            window.agents[key] = replace(agent, has_scouted=True)
    for agent in in_turn(window):
        if agent.has_scouted:
            _tell_findings(window, agent)


def is_detected(window: Window, agent: Agent, more: int, what: str) -> bool:
    """Roll whether an agent is detected where he is; he can't be among natives, or at home without enemies."""
    owner = window.owners.get(agent.at)
    if agent.hidden_in is not None and not agent.is_stowaway and what == "stay":
        return False  # he travels with his ruler's own caravan. Ruling KA311
    if agent.hidden_in is not None and what == "stay":
        # Only those in the caravan can find him. Ruling KA138
        risk = risk_of(AT_HOME, agent.surcharge, agent.experience + reigning.experience(window, agent.ruler))
        return _throws(window, agent, risk, what)
    if owner is None:
        return False
    others = [
        each
        for each in window.agents.values()
        if each.at == agent.at and each.captor is None and each.ruler != agent.ruler
    ]
    experience = agent.experience + reigning.experience(window, agent.ruler)
    if owner == agent.ruler:
        if not others:
            return False
        risk = risk_of(AT_HOME, agent.surcharge + more, experience, watchers=len(others) - 1)
    else:
        watchers = window.watch.get(owner, {}).get(agent.at, 0) + sum(each.ruler == owner for each in others)
        watchers += window.stack(owner, agent.at).get("Ag", 0)  # those without a group of their own
        is_empty = not has_people(window.stack(owner, agent.at))
        more += reigning.alertness(window, owner, agent.at)
        risk = risk_of(ABROAD, agent.surcharge + more, experience, is_empty=is_empty, watchers=watchers)
    return _throws(window, agent, risk, what)


def _throws(window: Window, agent: Agent, risk: int, what: str) -> bool:
    assert window.dice is not None, "agents need dice"
    thrown = window.dice.d100(
        stream_of(agent), purpose(f"agent_{what}", agent=agent.name, ruler=agent.ruler, place=agent.at, risk=risk)
    )
    return thrown <= risk


def stream_of(agent: Agent) -> str:
    """The stream of an agent's rolls. Source: rules 34"""
    return f"agent/{agent.ruler}/{agent.number}"


def expose(window: Window, agent: Agent) -> None:
    """An agent is found: where there is a trade centre he is captured, and his gear falls to the captor. Rules 22.3"""
    owner = window.owners.get(agent.at)
    if owner is None or owner == agent.ruler:
        # At home an enemy's agent has seen him, and can do nothing more. Ruling KA124
        rivals = [each.ruler for each in window.agents.values() if each.at == agent.at and each.ruler != agent.ruler]
        audience = list(dict.fromkeys((agent.ruler, *rivals)))
        window.tell("agent_found", audience, {"gf": agent.at, "by": agent.ruler, "captive": False}, words="agent_seen")
        return
    if window.centre(agent.at) is not None:
        capture(window, agent, owner)
    else:
        window.agents[agent.ruler, agent.number] = replace(agent, is_exposed=True, has_scouted=False, hidden_in=None)
        args = {"gf": agent.at, "by": agent.ruler, "captive": False}
        window.tell("agent_found", [agent.ruler, owner], args)


def _drive_out(window: Window, agent: Agent) -> None:
    """He is found among those with whom he travels, and has to leave; the owner of the land learns of him.

    KA138, KA198
    """
    assert agent.hidden_in is not None, "else nobody finds him there"
    if window.land.is_sea(agent.at):
        lose(window, agent, "drowned")
        return
    owner, finder = window.owners.get(agent.at), agent.hidden_in[0]
    is_abroad = owner not in (None, agent.ruler)
    key = agent.ruler, agent.number
    window.agents[key] = replace(agent, hidden_in=None, is_exposed=is_abroad, has_scouted=False)
    audience = [agent.ruler, finder, *([owner] if owner is not None else [])]
    args = {"gf": agent.at, "by": agent.ruler, "captive": False}
    window.tell("agent_found", list(dict.fromkeys(audience)), args, words="agent_driven_out")


def capture(window: Window, agent: Agent, captor: PowerId) -> None:
    """An agent is captured with his companions; his gear and artefacts are the captor's. Source: rules 22.3"""
    gear = {item: n for item, n in agent.group.items() if kind_of(item).group in (Group.GEAR, Group.ARTEFACT)}
    for item, count in gear.items():
        window.book(captor, agent.at, item, count, "captured")
    held = {item: count for item, count in agent.group.items() if item not in gear}
    window.agents[agent.ruler, agent.number] = replace(
        agent, group=held, captor=captor, is_exposed=True, has_scouted=False, inside=None, hidden_in=None
    )
    args = {"gf": agent.at, "by": agent.ruler, "captive": True}
    window.tell("agent_found", [agent.ruler, captor], args, words="agent_captured")


def _tell_findings(window: Window, agent: Agent) -> None:
    """Report what an agent saw, including hidden agents. Source: rules 22.3"""
    seen = view_of(window.close(), agent.ruler, window.land)
    args, words = scouting.findings(window, seen, agent.ruler, agent.at)
    window.tell(
        "explored",
        [agent.ruler],
        {"ee": agent.name, "from": agent.at, "to": agent.at, "result": "full", **args},
        words="explored_by_agent",
        agent=agent.name,
        target=agent.at,
        found=words,
    )
    scouting.tell_of_caravans(window, seen, agent.ruler, agent.at)
    hidden = [
        each for each in in_turn(window) if each.at == agent.at and each.ruler != agent.ruler and each.captor is None
    ]
    for each in hidden:
        args = {"gf": agent.at, "of": each.ruler, "group": format_figures(each.group)}
        window.tell("agent_seen", [agent.ruler], args, words="agent_unmasked_group" if each.group else "agent_unmasked")


def notice_scouts(window: Window) -> None:
    """Agents in foreign land notice scouts there, but not whose they are. Source: rules 22.3"""
    for agent in in_turn(window):
        is_visited = any(
            row.target == agent.at for ruler, rows in window.explored.items() if ruler != agent.ruler for row in rows
        )
        if is_visited and agent.captor is None and not _is_own(window, agent.ruler, agent.at):
            window.tell("scouts_noticed", [agent.ruler], {"agent": agent.name, "gf": agent.at})


# P3 and P4: captives


def captives(window: Window, captor: PowerId, who: str, at: Province) -> bool:
    """Whether a ruler holds an agent of another ruler in a province, as far as the ruler knows."""
    return any(
        row.get("at") == at and (row.get("of") or row.get("ruler")) == who
        for row in window.state.modules.get("agents", ())
        if row.get("captive") == captor or (row.get("of") is not None and not row.get("exposed"))
    )


def ransom(window: Window, ruler: PowerId, line: Line, order: Ransom) -> None:
    """Offer RE for a captive agent of the ruler's. Ruling KA133"""
    agent = window.agents.get((ruler, order.number))
    if agent is None or agent.captor is None:
        window.refuse(ruler, line, "V02")
        return
    have = books.owned_money(window, ruler)
    if have < order.amount:
        window.refuse(ruler, line, "V09", cost=order.amount, have=have)
        return
    window.warn(ruler, line, "W5")
    window.agents_at_work.ransoms[ruler, order.number] = line


def release(window: Window, ruler: PowerId, line: Line, order: Release) -> None:
    """Let a captive go, for RE or for nothing. Ruling KA133"""
    if not captives(window, ruler, order.who, order.at):
        window.refuse(ruler, line, "V02")
        return
    if order.amount:
        window.warn(ruler, line, "W5")
    window.agents_at_work.releases.append((ruler, line))


def exchange(window: Window) -> None:
    """Captives are freed if both sides order it, for the captor's price. Ruling KA133"""
    if window.dice is None:
        return
    paid: set[tuple[PowerId, int]] = set()
    for captor, line in window.agents_at_work.releases:
        order = line.order
        assert isinstance(order, Release)
        held = next(
            (
                agent
                for agent in in_turn(window)
                if (agent.ruler, agent.at, agent.captor) == (order.who, order.at, captor)
                and (not order.amount or _pays(window, agent, order.amount))
            ),
            None,
        )
        if held is None:
            window.fail(captor, line, "unmatched")
            continue
        for place in _stores(window, held.ruler):
            part = min(order.amount, window.money(held.ruler, place))
            window.book(held.ruler, place, MONEY, -part, "ransom")
            window.book(captor, held.at, MONEY, part, "ransom")
            order = replace(order, amount=order.amount - part)
        assert isinstance(line.order, Release)
        paid.add((held.ruler, held.number))
        home = _home(window, held.ruler)
        freed = replace(held, at=home or held.at, captor=None, is_exposed=False)
        window.agents[held.ruler, held.number] = freed
        args = {"agent": held.name, "of": held.ruler, "captor": captor, "gf": held.at, "re": line.order.amount}
        window.tell("agent_freed", [held.ruler, captor], args)
    for key, line in window.agents_at_work.ransoms.items():
        if key not in paid:
            window.fail(key[0], line, "unmatched")


def _pays(window: Window, agent: Agent, price: int) -> bool:
    line = window.agents_at_work.ransoms.get((agent.ruler, agent.number))
    is_offered = line is not None and isinstance(line.order, Ransom) and line.order.amount >= price
    return is_offered and sum(window.money(agent.ruler, place) for place in window.owned(agent.ruler)) >= price


def _stores(window: Window, ruler: PowerId) -> Sequence[Province]:
    """Which provinces pay a ransom: the capital first, then the others by coordinate."""
    capital = window.capital_of(ruler)
    return sorted(window.owned(ruler), key=lambda place: (place != capital, order_of(place)))


def _home(window: Window, ruler: PowerId) -> Province | None:
    """Where agents go home to: the headquarters, else the capital, else the ruler's first province."""
    own = window.owned(ruler)
    capital = window.capital_of(ruler)
    return min(
        own, key=lambda place: (not _has_headquarters(window, place), place != capital, order_of(place)), default=None
    )


# The end of P4


def conclude(window: Window) -> None:
    """Settle captives whose prison fell, the risks of the next round, what agents have seen."""
    if window.dice is None:
        return
    open_prisons(window)
    for agent in in_turn(window):
        key = agent.ruler, agent.number
        if agent.captor is None and not _is_own(window, agent.ruler, agent.at):
            window.known.setdefault(agent.ruler, set()).add(agent.at)
            if agent.has_scouted:
                window.seen.setdefault(agent.ruler, {})[agent.at] = window.gr
        is_exposed = agent.is_exposed and (agent.captor is not None or not _is_own(window, agent.ruler, agent.at))
        risk = window.agents_at_work.risks.get(key, 0)
        window.agents[key] = replace(agent, surcharge=risk, has_scouted=False, is_exposed=is_exposed)


def open_prisons(window: Window) -> None:
    """The conqueror of the land gets the captives there, and frees their own. Ruling KA134"""
    if window.dice is None:
        return
    for agent in in_turn(window):
        owner = window.owners.get(agent.at)
        if agent.captor is None or owner == agent.captor:
            continue
        key = agent.ruler, agent.number
        if owner is None or owner == agent.ruler:
            window.agents[key] = replace(agent, captor=None, is_exposed=False)
            args = {"agent": agent.name, "of": agent.ruler, "captor": agent.captor, "gf": agent.at, "re": 0}
            window.tell("agent_freed", [agent.ruler, agent.captor], args, words="agent_escaped")
        else:
            window.agents[key] = replace(agent, captor=owner)
            args = {"gf": agent.at, "by": agent.ruler, "captive": True}
            window.tell("agent_found", [agent.ruler, owner], args, words="agent_captured")


def watch_headquarters(window: Window) -> None:
    """Whoever takes a headquarters learns of all agents and watchers of its ruler, and it is none any more. One whose
    building is gone is lost in the same way, only that nobody learns anything.

    Source: rules 22.1, rulings KA301, KA306
    """
    if window.dice is None:
        return
    before = land_of(window.state)
    for place, loser in window.state.owners.items():
        for cell in [work.cell or 0 for work in before.works(place) if work.is_headquarters]:
            now = window.land.at(gf_of(place), cell) or place
            seat = next((work for work in window.land.works(now) if work.cell == cell and work.type in BUILDINGS), None)
            winner = window.owners.get(now)
            if seat is None:
                _mourn_headquarters(window, loser, now, cell, "headquarters_ruined")
            elif seat.is_headquarters and winner != loser:
                if winner is not None:
                    reveal(window, loser, winner)
                _close(window, loser, now, seat, "headquarters_lost")


def give_up_headquarters(window: Window, owner: PowerId, at: Province, seat: Work) -> None:
    """A headquarters into which an agent slipped is none any more. Source: rules 22.1, ruling KA300"""
    _close(window, owner, at, seat, "headquarters_entered")


def _close(window: Window, owner: PowerId, at: Province, seat: Work, words: str) -> None:
    works = window.land.field(at).works
    window.set_field(
        gf_of(at), works=tuple(replace(work, is_headquarters=False) if work == seat else work for work in works)
    )
    _mourn_headquarters(window, owner, at, seat.cell or 0, words)


def _mourn_headquarters(window: Window, owner: PowerId, at: Province, cell: int, words: str) -> None:
    """Without another headquarters, agents who are abroad need a new one in the next P1. Source: rules 22.1"""
    abroad = [each for each in in_turn(window) if each.ruler == owner and not _is_own(window, owner, each.at)]
    is_threat = bool(abroad) and not any(_has_headquarters(window, own) for own in window.owned(owner))
    if is_threat:
        for agent in abroad:
            window.agents[owner, agent.number] = replace(agent, is_cut_off=True)
    window.tell("headquarters", [owner], {"gf": at, "kf": cell}, words=words if is_threat else f"{words}_without_loss")


def reveal(window: Window, loser: PowerId, finder: PowerId) -> None:
    """Reveal to a ruler where another ruler's agents and watchers are. Source: rules 22.1"""
    places = [f"{agent.name} {agent.at}" for agent in in_turn(window) if agent.ruler == loser]
    watchers = [f"{count} {place}" for place, count in window.watch.get(loser, {}).items()]
    nobody = (phrase("event.nobody_there"),)
    window.tell(
        "headquarters",
        [finder],
        {"of": loser, "agents": places, "watchers": watchers},
        agents=tuple(places) or nobody,
        watchers=tuple(watchers) or nobody,
    )
