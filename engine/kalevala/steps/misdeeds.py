"""What agents do to others in P4, before the battles. Source: rules 22.3, R-071, rulings KA125 to KA132"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agents.facts import (
    CARAVAN,
    MISDEEDS,
    PRICES,
    REVOLT,
    RULER,
    SCOUTING_RISK,
    SHIP,
    STOWS,
    Agent,
    class_of,
    purse_of,
    room_of,
    victims,
)
from engine.kalevala.agents.orders import AgentBack, AgentMisdeed, Seize
from engine.kalevala.caravans.facts import caravan_row
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import MONEY, Figures, format_figures, kind_of, parse_figures, price_of, warriors
from engine.kalevala.model import EXPLORATION_UNITS, State
from engine.kalevala.orders import Line
from engine.kalevala.sea.craft import is_craft
from engine.kalevala.steps import caravanning, murders, revolts, seizing, spying, stowaways, thefts
from engine.kalevala.steps.attempts import Attempt, bare, room_left
from engine.kalevala.steps.questions import is_within
from engine.kalevala.steps.realm import is_known_to_be_barred, is_shielded
from engine.kalevala.tables import Group
from engine.kalevala.window import Window

_FARTHEST_QUESTION = 2
_AGENT_POINTS, _MURDER = 3, 2
"""GP of an agent, and the 2 more for a murderer. Source: rules 22.3"""
_STOLEN = (Group.GEAR, Group.ARTEFACT, Group.MONEY)
_GROUPS: Mapping[str, tuple[Group, ...]] = {
    "STEAL": (Group.ANIMAL,),
    "THEFT": _STOLEN,
    "SABOTAGE": (Group.GEAR,),
    "MURDER": (Group.HUMAN,),
    "KIDNAP": (Group.HUMAN,),
}
"""What each misdeed is about."""
_UNSEEN = ("ASK", "LETTERS", "SNEAK", "BRIBE", "GUIDE")
"""Deeds that nobody learns of as long as they succeed."""


# P3: what is ordered


def do(window: Window, ruler: PowerId, line: Line, order: AgentMisdeed) -> None:
    """Order a misdeed of an agent who has scouted where he is. Source: rules 22.3"""
    agent = spying.find(window, ruler, order.number)
    if agent is None:
        window.refuse(ruler, line, "V02", which=spying.lack(window, ruler, order.number))
        return
    if not agent.has_scouted:
        window.refuse(ruler, line, "V27")
        return
    seen, _ = window.sight(ruler)
    owner = seen.owners.get(agent.at)
    if owner not in (None, ruler) and is_known_to_be_barred(window, ruler, owner):
        window.refuse(ruler, line, "V17")
        return
    key = ruler, order.number
    cost = price(order, seen, agent)
    have = agent.money - window.agents_at_work.due[key]
    code = _flaw(window, replace(agent, money=max(0, have - cost)), order, seen)
    if code is None and cost > have:
        code = "V09"
    if code is not None:
        args = {"cost": cost, "have": max(0, have), "place": agent.at}
        if code == "V02":
            there = _others_there(seen, agent)
            args |= {"which": _which(order), "deed": order.misdeed}
            args["seen"] = format_figures(there) or phrase("figures.nothing")
        window.refuse(ruler, line, code, **args)
        return
    window.agents_at_work.due[key] += cost
    window.agents_at_work.misdeeds.append((ruler, line))


def price(order: AgentMisdeed, seen: State, agent: Agent) -> int:
    """What a misdeed costs, given what is known about the figures there. Source: R-071"""
    if order.misdeed in PRICES:
        rows = PRICES[order.misdeed]
        found = sum(rows[class_of(item)][0] for item in victims(order.figures) if class_of(item) in rows)
    elif order.misdeed == "SABOTAGE":
        found = sum(-(-price_of(item) // 2) for item in victims(order.figures))
    elif order.misdeed == "BRIBE":
        found = MISDEEDS[order.misdeed].price + warriors(next(_caravans(seen, agent), {}))
    elif order.misdeed == "REVOLT":
        owner = seen.owners.get(agent.at)
        stack = {} if owner is None else seen.stack(owner, agent.at)
        found = _price_of_revolt(stack)
    else:
        found = MISDEEDS[order.misdeed].price
    return found * order.times


def _caravans(seen: State, agent: Agent) -> Iterator[Figures]:
    """What foreign caravans carry where an agent is, as far as that is known."""
    for row in seen.modules.get("caravans", ()):
        if row.get("at") == agent.at and row.get("ruler") != agent.ruler:
            yield parse_figures(str(row.get("load") or "")) or {}


def _price_of_revolt(stack: Figures) -> int:
    return sum(REVOLT[kind_of(item).rank][0] * count for item, count in stack.items() if kind_of(item).is_warrior)


def _flaw(window: Window, agent: Agent, order: AgentMisdeed, seen: State) -> str | None:
    """The first test that fails, by what the ruler knows."""
    _, land = window.sight(agent.ruler)
    there = _others_there(seen, agent)
    match order.misdeed:
        case "ASK":
            return _question_flaw(window, agent, order, seen)
        case "STEAL":
            is_fitting = all(kind_of(item).group is Group.ANIMAL for item in victims(order.figures))
            return _taking_flaw(agent, order, there, is_fitting=is_fitting)
        case "SABOTAGE":
            is_gear = all(kind_of(item).group is Group.GEAR for item in victims(order.figures))
            return None if is_gear and _are_there(order, there) else "V02"
        case "THEFT" if order.cell is not None:
            return None if order.cell in land.cells(agent.at) else "V20"
        case "THEFT":
            is_fitting = all(kind_of(item).group in _STOLEN for item in victims(order.figures))
            return _taking_flaw(agent, order, there, is_fitting=is_fitting)
        case "MURDER" | "KIDNAP":
            return _people_flaw(agent, order, there)
        case "LETTERS":
            centre, owner = land.centre(agent.at), seen.owners.get(agent.at)
            is_capital = centre is not None and centre.is_founded and centre.centre.arming > 0
            return None if is_capital and owner not in (None, agent.ruler) else "V02"
        case "SNEAK" if order.about == CARAVAN:
            return "V02" if next(_caravans(seen, agent), None) is None else None
        case "SNEAK" if order.about == SHIP:
            return None if any(is_craft(item) for item in there) else "V02"
        case "SNEAK":
            works = [work for work in land.works(agent.at) if work.cell == order.cell and work.type in thefts.ENTERED]
            return None if works else "V21"
        case "GATE":
            cells = {work.cell for work in land.works(agent.at) if order.edge in work.gates}
            return None if cells & _insides(window, agent) else "V21"
        case "BRIBE":
            if next(_caravans(seen, agent), None) is None:
                return "V02"
            near = (gf_of(agent.at), *neighbours_of(gf_of(agent.at)))
            return None if order.place is None or gf_of(order.place) in near else "V03"
        case "GUIDE":
            assert order.place is not None
            gf = gf_of(order.place)
            is_water = gf in seen.land and all(map(land.is_sea, land.provinces(gf)))
            return None if gf in neighbours_of(gf_of(agent.at)) and not is_water else "V03"
        case "REVOLT":
            owner = seen.owners.get(agent.at)
            is_there = owner not in (None, agent.ruler) and warriors(seen.stack(owner, agent.at)) > 0
            return None if is_there else "V02"
    return None


def _which(order: AgentMisdeed) -> str:
    """What is wrong with a misdeed whose figures aren't there, or that is about something else."""
    if order.misdeed == "LETTERS":
        return "deed_letters"
    groups = _GROUPS.get(order.misdeed)
    is_fitting = groups is None or all(kind_of(item).group in groups for item in victims(order.figures))
    return "deed_unseen" if is_fitting else "deed_kind"


def _people_flaw(agent: Agent, order: AgentMisdeed, there: Figures) -> str | None:
    """Those who are murdered or kidnapped have to be there, and captives need room; agents can't be kidnapped.

    Source: ruling KA127
    """
    found = [*victims(order.figures)]
    if not all(kind_of(item).group is Group.HUMAN for item in found) or not _are_there(order, {**there, "Ag": 99}):
        return "V02"
    if order.misdeed == "MURDER":
        return None
    if any(bare(item) == "Ag" for item in found):
        return "V30"
    return "V20" if room_left(agent) < len(found) else None


def _insides(window: Window, agent: Agent) -> set[int | None]:
    """The fields of the buildings in which an agent is, or may be once he has slipped into them as ordered before."""
    lines = (line.order for ruler, line in window.agents_at_work.misdeeds if ruler == agent.ruler)
    sneaks = (each for each in lines if isinstance(each, AgentMisdeed) and each.misdeed == "SNEAK")
    found = {each.cell for each in sneaks if each.number == agent.number and each.about not in STOWS}
    return {agent.inside, *found} - {None}


def _question_flaw(window: Window, agent: Agent, order: AgentMisdeed, seen: State) -> str | None:
    if order.question == RULER and order.about not in window.rulers:
        return "V02"
    field = seen.land.get(gf_of(agent.at))
    if field is None or field.centre is None or not field.centre.is_founded:
        return "V08"
    is_far = order.question != RULER and not is_within(agent.at, order.about, _FARTHEST_QUESTION)
    return "V04" if is_far else None


def _others_there(seen: State, agent: Agent) -> Figures:
    """The figures of others where an agent is, as other rulers see them, and what foreign caravans carry."""
    stacks = [seen.stack(ruler, agent.at) for ruler in seen.rulers if ruler != agent.ruler]
    found: dict[str, int] = {}
    for figures in (*stacks, *_caravans(seen, agent)):
        for item, count in figures.items():
            found[bare(item)] = found.get(bare(item), 0) + count
    return found


def _are_there(order: AgentMisdeed, there: Figures) -> bool:
    wanted: dict[str, int] = {}
    for item in victims(order.figures):
        wanted[bare(item)] = wanted.get(bare(item), 0) + 1
    return all(there.get(item, 0) >= count for item, count in wanted.items())


def _taking_flaw(agent: Agent, order: AgentMisdeed, there: Figures, *, is_fitting: bool) -> str | None:
    """What is taken has to be there, and the agent's group has to have room and carriers for it."""
    if not is_fitting or not _are_there(order, there):
        return "V02"
    taken = dict(order.figures)
    if room_of(taken) > room_left(agent):
        return "V20"
    people = 1 + sum(n for item, n in agent.group.items() if kind_of(item).group is Group.HUMAN)
    beasts = sum(n for item, n in {**agent.group, **taken}.items() if kind_of(item).group is Group.ANIMAL)
    is_carried = agent.money + taken.get(MONEY, 0) <= purse_of(agent.group)
    return None if is_carried and beasts <= people else "V06"


def back(window: Window, ruler: PowerId, line: Line, order: AgentBack) -> None:
    """Go home into own land nearby before the battles. Source: rules 22.3, ruling KA131"""
    agent = spying.find(window, ruler, order.number)
    if agent is None:
        window.refuse(ruler, line, "V02", which=spying.lack(window, ruler, order.number))
        return
    window.agents_at_work.back.append((ruler, line))


def seize(window: Window, ruler: PowerId, line: Line, order: Seize) -> None:
    """Take on a foreign agent who was found, or for an EE a foreign caravan. Rulings KA125, KA166, KA282"""
    at = seizing.place_of(window, ruler, order.at)
    is_found = any(
        row.get("at") == at
        and row.get("exposed")
        and row.get("captive") is None
        and (row.get("of") or row.get("ruler")) != ruler
        for row in window.state.modules.get("agents", ())
    )
    has_caravan = any(
        row.get("at") == at and row.get("ruler") != ruler for row in window.state.modules.get("caravans", ())
    )
    if at is None or not (is_found or has_caravan):
        window.refuse(ruler, line, "V02")
        return
    if not is_found:
        window.caravans_at_work.raids.append((ruler, line, at))  # they take what the entries leave
    elif not window.has_warrior(ruler, at):
        window.refuse(ruler, line, "V19", place=at)
    else:
        window.caravans_at_work.seizures.append((ruler, line))


def close_sheet(window: Window, ruler: PowerId) -> None:
    """Once all entries are read: each attack on a caravan takes the last EE that is left. Ruling KA282"""
    for who, line, at in window.caravans_at_work.raids:
        if who != ruler:
            continue
        used = window.used.setdefault(ruler, set())
        unit = max({*range(1, EXPLORATION_UNITS + 1)} - used, default=None)
        if unit is None:
            window.refuse(ruler, line, "V13")
        elif not window.has_warrior(ruler, at):
            window.refuse(ruler, line, "V19", place=at)
        else:
            used.add(unit)
            window.caravans_at_work.seizures.append((ruler, line))


# P4: results


def act(window: Window) -> None:
    """Carry out all misdeeds, by seat, agent and line; an agent who is detected does no more of them. Source: R-116"""
    if window.dice is None:
        return
    seats = {ruler: seat for seat, ruler in enumerate(window.rulers)}

    def turn(row: tuple[PowerId, Line]) -> tuple[int, int, int]:
        assert isinstance(row[1].order, AgentMisdeed)
        return seats[row[0]], row[1].order.number, row[1].number

    for ruler, line in sorted(window.agents_at_work.misdeeds, key=turn):
        order = line.order
        assert isinstance(order, AgentMisdeed)
        agent = window.agents.get((ruler, order.number))
        if agent is None or not agent.has_scouted or agent.captor is not None:
            window.void(ruler, line, "V27")
            continue
        owner = window.owners.get(agent.at)
        if owner != ruler and is_shielded(window, owner):
            window.void(ruler, line, "V17")  # Ruling KA285
            continue
        has_worked = False
        for _ in range(1 if order.misdeed == "LETTERS" else order.times):
            agent = window.agents.get((ruler, order.number))
            if agent is None or not agent.has_scouted:
                break
            has_worked |= _one(window, agent, line, order)
        if has_worked:
            window.succeed(ruler, line)


def _one(window: Window, agent: Agent, line: Line, order: AgentMisdeed) -> bool:
    """One misdeed: it is paid, then the roll for detection, then the misdeed's own dice. Returns whether it has worked.

    Source: R-070, R-071
    """
    cost = price(replace(order, times=order.times if order.misdeed == "LETTERS" else 1), _truth(window), agent)
    if cost > agent.money:
        window.void(agent.ruler, line, "V09", cost=cost, have=agent.money)
        return False
    agent = replace(agent, money=agent.money - cost)
    if _overloads(agent, order):
        window.void(agent.ruler, line, "V20")
        return False
    window.agents[agent.ruler, agent.number] = agent
    if spying.is_detected(window, agent, SCOUTING_RISK, "deed"):
        _is_caught(window, agent, line, order)
        return False
    found = _CARRIED_OUT[order.misdeed](window, agent, order)
    _conclude(window, agent, line, order, found)
    return found.is_done


def _is_caught(window: Window, agent: Agent, line: Line, order: AgentMisdeed) -> None:
    """He is found before he has done anything, and does no more in this P4. Source: rules 22.3, ruling KA123"""
    key = agent.ruler, agent.number
    owner = window.owners.get(agent.at)
    risk = MISDEEDS[order.misdeed].risk or max(
        PRICES[order.misdeed][class_of(item)][1] for item in victims(order.figures)
    )
    window.agents_at_work.risks[key] = window.agents_at_work.risks.get(key, 0) + risk
    window.fail(agent.ruler, line, "detected")
    _tell_him(window, agent, order, "deed_detected", is_done=False, is_detected=True)
    if owner is not None:
        _tell_victim(window, agent, order, owner, is_known=True)
    window.agents[key] = replace(agent, has_scouted=False)
    spying.expose(window, window.agents[key])


def _conclude(window: Window, agent: Agent, line: Line, order: AgentMisdeed, found: Attempt) -> None:
    """Risk and experience, and who learns of it; of a failed misdeed also whose agent did it. Source: rules 22.3"""
    key = agent.ruler, agent.number
    window.agents_at_work.risks[key] = window.agents_at_work.risks.get(key, 0) + found.risk
    if found.code is not None:
        which = f"deed_{order.misdeed}" if found.code == "V02" and order.misdeed in _GONE else ""
        window.void(agent.ruler, line, found.code, which=which, place=agent.at)
        return
    living = window.agents.get(key)
    if not found.is_done:
        window.fail(agent.ruler, line, "dice")
    elif living is not None:
        window.agents[key] = replace(living, experience=living.experience + found.experience)
    words = "deed" if found.is_done else "deed_failed"
    _tell_him(window, agent, order, words, is_done=found.is_done, what=found.what or phrase("deed.no_more"))
    for victim in () if found.is_done and order.misdeed in _UNSEEN else found.victims:
        _tell_victim(window, agent, order, victim, is_known=not found.is_done)


def _tell_him(
    window: Window,
    agent: Agent,
    order: AgentMisdeed,
    words: str,
    *,
    is_done: bool,
    is_detected: bool = False,
    what: Phrase | None = None,
) -> None:
    """Report the result of a misdeed to the agent's ruler."""
    args = {"agent": agent.name, "gf": agent.at, "deed": order.misdeed, "done": is_done, "detected": is_detected}
    more: dict[str, Any] = {} if what is None else {"what": what}
    window.tell("deed", [agent.ruler], args, words=words, what_deed=phrase(f"deed.{order.misdeed}"), **more)


def _tell_victim(window: Window, agent: Agent, order: AgentMisdeed, victim: PowerId, *, is_known: bool) -> None:
    """Report that an agent was at work, and, if it is known, whose."""
    if victim == agent.ruler:
        return
    args = {"gf": agent.at, "deed": order.misdeed, "by": agent.ruler if is_known else None}
    words = "misdeed_by" if is_known else "misdeed"
    window.tell("misdeed", [victim], args, words=words, what_deed=phrase(f"deed.{order.misdeed}"))


def _overloads(agent: Agent, order: AgentMisdeed) -> bool:
    """Whether earlier misdeeds have left too little room, or too few carriers, for what this one would bring."""
    if order.misdeed not in ("STEAL", "THEFT", "KIDNAP"):
        return False
    taken = dict(order.figures)
    return room_of(taken) > room_left(agent) or agent.money + taken.get(MONEY, 0) > purse_of(agent.group)


def _truth(window: Window) -> State:
    """The position as it is now."""
    caravans = [caravan_row(caravan) for caravan in caravanning.in_turn(window)]
    modules = {**window.state.modules, "caravans": caravans}
    return window.state.replace(owners=window.owners, stacks=window.stacks, modules=modules)


_GONE = ("LETTERS", "SNEAK", "BRIBE", "REVOLT")
"""Misdeeds that are about something else than figures, which turned out not to be there."""
_CARRIED_OUT: Mapping[str, Callable[[Window, Agent, AgentMisdeed], Attempt]] = {
    "ASK": thefts.ask,
    "STEAL": thefts.steal,
    "SABOTAGE": thefts.sabotage,
    "MURDER": murders.murder,
    "KIDNAP": murders.kidnap,
    "LETTERS": thefts.letters,
    "SNEAK": thefts.sneak,
    "GATE": thefts.gate,
    "BRIBE": stowaways.bribe,
    "GUIDE": thefts.guide,
    "THEFT": thefts.theft,
    "REVOLT": revolts.revolt,
}


def go_back(window: Window) -> None:
    """Agents slip away before the battles, into own land at most two great fields away. Ruling KA131"""
    if window.dice is None:
        return
    for ruler, line in window.agents_at_work.back:
        assert isinstance(line.order, AgentBack)
        agent = window.agents.get((ruler, line.order.number))
        home = None if agent is None or agent.captor is not None else refuge(window, ruler, agent.at)
        if agent is None or home is None:
            window.fail(ruler, line, "blocked")
        else:
            spying.arrive(window, agent, home)


def refuge(window: Window, ruler: PowerId, at: Province, beside: Collection[Province] = ()) -> Province | None:
    """The nearest own land at most two great fields away, apart from some; `None`: there is none. Ruling KA131"""
    first = list(window.land.links(at))
    second = [beyond for place in first for beyond in window.land.links(place)]
    for ring in (first, second):
        own = {place for place in ring if window.owners.get(place) == ruler and place not in beside}
        if own:
            return min(own, key=order_of)
    return None
