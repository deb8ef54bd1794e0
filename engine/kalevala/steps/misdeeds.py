"""What agents do to others in P4, before the battles. Source: rules 22.3, R-071, rulings KA125 to KA132"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agent_orders import AgentBack, AgentDeed, Seize
from engine.kalevala.agents import (
    DEEDS,
    GROUP_ROOM,
    KING,
    PRICES,
    REVOLT,
    RULER,
    SCOUTING_RISK,
    STEAL_NEEDS,
    Agent,
    class_of,
    purse_of,
    room_of,
    victims,
)
from engine.kalevala.battle.melee import ATTACK, CLASS_POINTS, DEADLY, DEFENCE, KNIFE_POINTS
from engine.kalevala.battle.odds import KNIFE, NATURAL
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import MONEY, Figures, format_figures, kind_of, price_of, warriors
from engine.kalevala.kings import KILLS, is_king
from engine.kalevala.kings import defence_of as kings_defence
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.plans import GateOrder, Spot
from engine.kalevala.steps import reigning, spying
from engine.kalevala.steps.mustering import plan_at
from engine.kalevala.steps.questions import answer, is_within
from engine.kalevala.steps.realm import release as release_land
from engine.kalevala.tables import Group
from engine.kalevala.working import Round, purpose

_BUILDINGS = ("Tu", "Bf", "BF", "Tt")
_FARTHEST_QUESTION = 2
_AGENT_POINTS, _MURDER = 3, 2
"""GP of an agent, and the 2 more of a murderer. Source: rules 22.3"""
_MOST_ROUNDS = 12
GREEDY = 10
"""Near a greedy king one RE more is stolen for each ten. Source: R-047"""
_UNSEEN = ("ASK", "LETTERS", "SNEAK", "GUIDE")
"""Deeds of which nobody learns as long as they succeed."""


# P3: what is ordered


def do(round_: Round, ruler: PowerId, line: Line, order: AgentDeed) -> None:
    """Order a deed of an agent who has scouted where he is. Source: rules 22.3"""
    agent = spying.find(round_, ruler, order.number)
    if agent is None:
        round_.refuse(ruler, line, "V02")
        return
    if not agent.has_scouted:
        round_.refuse(ruler, line, "V27")
        return
    seen, _ = round_.sight(ruler)
    key = ruler, order.number
    cost = price(order, seen, agent)
    have = agent.money - round_.agents_due[key]
    code = _flaw(round_, agent, order, seen)
    if code is None and cost > have:
        code = "V09"
    if code is not None:
        round_.refuse(ruler, line, code, cost=cost, have=max(0, have), place=agent.at)
        return
    round_.agents_due[key] += cost
    round_.agents_deeds.append((ruler, line))


def price(order: AgentDeed, seen: State, agent: Agent) -> int:
    """What a deed costs by what is known of who stands there. Source: R-071"""
    if order.deed in PRICES:
        rows = PRICES[order.deed]
        found = sum(rows[class_of(item)][0] for item in victims(order.figures) if class_of(item) in rows)
    elif order.deed == "SABOTAGE":
        found = sum(-(-price_of(item) // 2) for item in victims(order.figures))
    elif order.deed == "REVOLT":
        owner = seen.owners.get(agent.at)
        stack = {} if owner is None else seen.stack(owner, agent.at)
        found = _price_of_revolt(stack)
    else:
        found = DEEDS[order.deed].price
    return found * order.times


def _price_of_revolt(stack: Figures) -> int:
    return sum(REVOLT[kind_of(item).rank][0] * count for item, count in stack.items() if kind_of(item).is_warrior)


def _flaw(round_: Round, agent: Agent, order: AgentDeed, seen: State) -> str | None:
    """The first test that fails, by what the ruler knows."""
    _, land = round_.sight(agent.ruler)
    there = _others_there(seen, agent)
    match order.deed:
        case "ASK":
            return _question_flaw(round_, agent, order, seen)
        case "STEAL":
            is_fitting = all(kind_of(item).group is Group.ANIMAL for item in victims(order.figures))
            return _taking_flaw(agent, order, there, is_fitting=is_fitting)
        case "SABOTAGE":
            is_gear = all(kind_of(item).group is Group.GEAR for item in victims(order.figures))
            return None if is_gear and _are_there(order, there) else "V02"
        case "THEFT":
            is_fitting = all(kind_of(item).group in (Group.GEAR, Group.MONEY) for item in victims(order.figures))
            return _taking_flaw(agent, order, there, is_fitting=is_fitting)
        case "MURDER" | "KIDNAP":
            people = all(kind_of(item).group is Group.HUMAN for item in victims(order.figures))
            if not people or not _are_there(order, {**there, "Ag": 99}):
                return "V02"
            if order.deed == "KIDNAP":
                if any(class_of(item) not in "ABC" and not is_king(item) for item in victims(order.figures)):
                    return "V30"  # who is no ordinary man can't be made a slave. Ruling KA127
                return "V20" if _room_left(agent) < len([*victims(order.figures)]) else None
            return None
        case "SNEAK":
            works = [work for work in land.works(agent.at) if work.cell == order.cell and work.type in _BUILDINGS]
            return None if works else "V21"
        case "GATE":
            if agent.inside is None and not any(
                isinstance(line.order, AgentDeed)
                and (ruler, line.order.number, line.order.deed) == (agent.ruler, agent.number, "SNEAK")
                for ruler, line in round_.agents_deeds
            ):
                return "V21"
            return None if any(order.edge in work.gates for work in land.works(agent.at)) else "V21"
        case "GUIDE":
            assert order.place is not None
            return None if gf_of(order.place) in neighbours_of(gf_of(agent.at)) else "V03"
        case "REVOLT":
            owner = seen.owners.get(agent.at)
            is_there = owner not in (None, agent.ruler) and warriors(seen.stack(owner, agent.at)) > 0
            return None if is_there else "V02"
    return None


def _question_flaw(round_: Round, agent: Agent, order: AgentDeed, seen: State) -> str | None:
    if order.question == RULER and order.about not in round_.rulers:
        return "V02"
    field = seen.land.get(gf_of(agent.at))
    if field is None or field.centre is None or not field.centre.is_founded:
        return "V08"
    is_far = order.question != RULER and not is_within(agent.at, order.about, _FARTHEST_QUESTION)
    return "V04" if is_far else None


def _others_there(seen: State, agent: Agent) -> Figures:
    """The figures of others where an agent is, as strangers know them."""
    found: dict[str, int] = {}
    for ruler in seen.rulers:
        if ruler != agent.ruler:
            for item, count in seen.stack(ruler, agent.at).items():
                name = _bare(item)
                found[name] = found.get(name, 0) + count
    return found


def _bare(item: str) -> str:
    """An item without the number it bears; all kings are alike."""
    return KING if is_king(item) else kind_of(item).code if "[" not in item else item


def _are_there(order: AgentDeed, there: Figures) -> bool:
    wanted: dict[str, int] = {}
    for item in victims(order.figures):
        wanted[_bare(item)] = wanted.get(_bare(item), 0) + 1
    return all(there.get(item, 0) >= count for item, count in wanted.items())


def _taking_flaw(agent: Agent, order: AgentDeed, there: Figures, *, is_fitting: bool) -> str | None:
    """What is taken has to be there, and an agent's group has to hold and carry it."""
    if not is_fitting or not _are_there(order, there):
        return "V02"
    taken = dict(order.figures)
    if room_of(taken) > _room_left(agent):
        return "V20"
    people = 1 + sum(n for item, n in agent.group.items() if kind_of(item).group is Group.HUMAN)
    beasts = sum(n for item, n in {**agent.group, **taken}.items() if kind_of(item).group is Group.ANIMAL)
    is_carried = agent.money + taken.get(MONEY, 0) <= purse_of(agent.group)
    return None if is_carried and beasts <= people else "V06"


def _room_left(agent: Agent) -> int:
    return GROUP_ROOM - 1 - room_of(agent.group)


def back(round_: Round, ruler: PowerId, line: Line, order: AgentBack) -> None:
    """Go home into own land nearby before the battles. Source: rules 22.3, ruling KA131"""
    agent = spying.find(round_, ruler, order.number)
    if agent is None:
        round_.refuse(ruler, line, "V02")
        return
    round_.agents_back.append((ruler, line))


def seize(round_: Round, ruler: PowerId, line: Line, order: Seize) -> None:
    """Take on a foreign agent who was found, with the strongest warrior there. Ruling KA125"""
    at = round_.find_own(ruler, order.at)
    is_found = any(
        row.get("at") == at
        and row.get("exposed")
        and row.get("captive") is None
        and (row.get("of") or row.get("ruler")) != ruler
        for row in round_.state.modules.get("agents", ())
    )
    if at is None or not is_found:
        round_.refuse(ruler, line, "V02")
    elif not round_.has_warrior(ruler, at):
        round_.refuse(ruler, line, "V19", place=at)
    else:
        round_.seizures.append((ruler, line))


# P4: what comes of it


@dataclass(slots=True)
class _Try:
    """What came of a deed: whether it succeeded, against whom, what is told."""

    is_done: bool
    victim: PowerId | None
    risk: int
    experience: float
    what: Phrase | None = None
    code: str | None = None


def act(round_: Round) -> None:
    """All deeds, by seat, agent and line; who is detected does no more of them. Source: R-116"""
    if round_.dice is None:
        return
    seats = {ruler: seat for seat, ruler in enumerate(round_.rulers)}

    def turn(row: tuple[PowerId, Line]) -> tuple[int, int, int]:
        assert isinstance(row[1].order, AgentDeed)
        return seats[row[0]], row[1].order.number, row[1].number

    for ruler, line in sorted(round_.agents_deeds, key=turn):
        order = line.order
        assert isinstance(order, AgentDeed)
        agent = round_.agents.get((ruler, order.number))
        if agent is None or not agent.has_scouted or agent.captor is not None:
            round_.void(ruler, line, "V27")
            continue
        for _ in range(1 if order.deed == "LETTERS" else order.times):
            agent = round_.agents.get((ruler, order.number))
            if agent is None or not agent.has_scouted:
                break
            _one(round_, agent, line, order)


def _one(round_: Round, agent: Agent, line: Line, order: AgentDeed) -> None:
    """One deed: paid, then the roll that may detect him, then the deed's own dice. Source: R-070, R-071"""
    key = agent.ruler, agent.number
    cost = price(replace(order, times=order.times if order.deed == "LETTERS" else 1), _truth(round_), agent)
    if cost > agent.money:
        round_.void(agent.ruler, line, "V09", cost=cost, have=agent.money)
        return
    if _overloads(agent, order):
        round_.void(agent.ruler, line, "V20")
        return
    agent = replace(agent, money=agent.money - cost)
    round_.agents[key] = agent
    owner = round_.owners.get(agent.at)
    args = {"agent": agent.name, "gf": agent.at, "deed": order.deed}
    what_deed = phrase(f"deed.{order.deed}")
    deed = DEEDS[order.deed]
    risk = deed.risk or max(PRICES[order.deed][class_of(item)][1] for item in victims(order.figures))
    if spying.is_detected(round_, agent, SCOUTING_RISK, "deed"):
        round_.agents_risks[key] = round_.agents_risks.get(key, 0) + risk
        round_.fail(agent.ruler, line, "detected")
        round_.tell(
            "deed", [agent.ruler], {**args, "done": False, "detected": True}, words="deed_detected", what_deed=what_deed
        )
        if owner is not None and owner != agent.ruler:
            round_.tell(
                "misdeed",
                [owner],
                {"gf": agent.at, "deed": order.deed, "by": agent.ruler},
                words="misdeed_by",
                what_deed=what_deed,
            )
        round_.agents[key] = replace(agent, has_scouted=False)
        spying.expose(round_, round_.agents[key])
        return
    found = _CARRIED_OUT[order.deed](round_, agent, order)
    round_.agents_risks[key] = round_.agents_risks.get(key, 0) + found.risk
    if found.code is not None:
        round_.void(agent.ruler, line, found.code)
        return
    if not found.is_done:
        round_.fail(agent.ruler, line, "dice")
    living = round_.agents.get(key)
    if living is not None and found.is_done:
        round_.agents[key] = replace(living, experience=living.experience + found.experience)
    told = {**args, "done": found.is_done, "detected": False}
    what = found.what or phrase("deed.no_more")
    round_.tell(
        "deed", [agent.ruler], told, words="deed" if found.is_done else "deed_failed", what=what, what_deed=what_deed
    )
    if found.victim is not None and not (found.is_done and order.deed in _UNSEEN):
        by = None if found.is_done else agent.ruler
        words = "misdeed" if by is None else "misdeed_by"
        round_.tell(
            "misdeed", [found.victim], {"gf": agent.at, "deed": order.deed, "by": by}, words=words, what_deed=what_deed
        )


def _overloads(agent: Agent, order: AgentDeed) -> bool:
    """Whether what earlier deeds brought leaves no room, or nobody to carry what this one would bring."""
    if order.deed not in ("STEAL", "THEFT", "KIDNAP"):
        return False
    taken = dict(order.figures)
    return room_of(taken) > _room_left(agent) or agent.money + taken.get(MONEY, 0) > purse_of(agent.group)


def _truth(round_: Round) -> State:
    """The position as it is now."""
    return round_.state.replace(owners=round_.owners, stacks=round_.stacks)


def _throw(round_: Round, agent: Agent, code: str) -> int:
    assert round_.dice is not None
    return round_.dice.throw(
        spying.stream_of(agent), purpose=purpose(code, agent=agent.name, ruler=agent.ruler, place=agent.at)
    ).total


def _owner_of(round_: Round, agent: Agent, item: str) -> tuple[PowerId, str] | None:
    """Who has such a figure there, the owner of the land first, and how it is written in full."""
    owner = round_.owners.get(agent.at)
    for ruler in sorted(round_.rulers, key=lambda each: each != owner):
        if ruler == agent.ruler:
            continue
        for own in round_.stack(ruler, agent.at):
            if _bare(own) == _bare(item):
                return ruler, own
    return None


def _ask(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    found = answer(round_, order.question, order.about)
    if found is None:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    args, words = found
    told = {"agent": agent.name, "question": order.question, **args}
    round_.tell("answer", [agent.ruler], told, answer=words)
    return _Try(is_done=True, victim=None, risk=DEEDS["ASK"].risk, experience=0, what=words)


def _each(round_: Round, agent: Agent, order: AgentDeed, attempt: Callable[[Agent, PowerId, str], bool]) -> _Try:
    """A deed done to one after the other; it has succeeded if anything of it has. Ruling KA128"""
    rows = PRICES.get(order.deed, {})
    deed = DEEDS[order.deed]
    done: dict[str, int] = {}
    victim: PowerId | None = None
    risk, experience = 0, 0.0
    is_tried = False
    for item in victims(order.figures):
        living = round_.agents.get((agent.ruler, agent.number))
        found = _owner_of(round_, agent, item)
        if living is None or found is None:
            continue
        is_tried, (victim, whole) = True, found
        _, more, gained = rows.get(class_of(item), (0, deed.risk, deed.experience))
        risk += more
        if attempt(living, victim, whole):
            experience += gained
            done[_bare(item)] = done.get(_bare(item), 0) + 1
    if not is_tried:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    what = phrase("deed.figures", figures=format_figures(done)) if done else None
    return _Try(bool(done), victim, risk, experience, what)


def _steal(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    def attempt(living: Agent, victim: PowerId, item: str) -> bool:
        if _throw(round_, agent, "agent_steal") < STEAL_NEEDS[class_of(item)]:
            return False
        round_.book(victim, agent.at, item, -1, "stolen")
        _take(round_, living, item, 1)
        return True

    return _each(round_, agent, order, attempt)


def _take(round_: Round, agent: Agent, item: str, count: int) -> None:
    group = dict(agent.group)
    group[item] = group.get(item, 0) + count
    round_.agents[agent.ruler, agent.number] = replace(agent, group=group)


def _sabotage(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    def attempt(living: Agent, victim: PowerId, item: str) -> bool:
        if _throw(round_, agent, "agent_sabotage") < DEEDS["SABOTAGE"].needed:
            return False
        round_.book(victim, agent.at, item, -1, "sabotage")
        return True

    return _each(round_, agent, order, attempt)


def defence_of(item: str) -> int:
    """With how many GP somebody defends against an agent. Source: rules B7"""
    kind = kind_of(item)
    if kind.is_warrior:
        return (KNIFE_POINTS if kind.weapon == "B" else CLASS_POINTS)[kind.rank]
    return kings_defence(item) if is_king(item) else DEFENCE.get(kind.code, 0)


def duel(round_: Round, agent: Agent, item: str, more: int) -> tuple[bool, bool]:
    """An agent attacks somebody: whether that one falls, whether the agent does. Source: rules B7, R-071"""
    first, second = _throw(round_, agent, "agent_duel"), _throw(round_, agent, "agent_victim")
    margin = first + _AGENT_POINTS + ATTACK + more - second - defence_of(item)
    kind = kind_of(item)
    strikes_back = kind.is_warrior or kind.code in DEFENCE or is_king(item)
    needs = KNIFE if kind.is_warrior and kind.weapon == "B" else KILLS if is_king(item) else NATURAL
    falls = margin > 0 and first >= (DEADLY if kind.code == "Z" else NATURAL)
    return falls, margin < 0 and strikes_back and second >= needs


def _murder(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    if any(_bare(item) == "Ag" for item in victims(order.figures)):
        return _duel_of_agents(round_, agent)

    def attempt(living: Agent, victim: PowerId, item: str) -> bool:
        falls, is_beaten = duel(round_, living, item, _MURDER)
        if is_beaten:
            die(round_, living)
        if falls:
            _fell(round_, victim, agent.at, item, "murdered")
        return falls

    return _each(round_, agent, order, attempt)


def _fell(round_: Round, victim: PowerId, at: Province, item: str, why: str) -> None:
    if is_king(item):
        reigning.wound(round_, victim)
        return
    round_.book(victim, at, item, -1, why)
    own = round_.rulers[victim]
    if kind_of(item).code == "Z":
        round_.rulers[victim] = replace(own, wizard=None)


def _duel_of_agents(round_: Round, agent: Agent) -> _Try:
    """One agent falls on another one who is there, hidden or not. Ruling KA129"""
    rival = next(
        (
            each
            for each in spying.in_turn(round_)
            if each.at == agent.at and each.ruler != agent.ruler and each.captor is None
        ),
        None,
    )
    stack = _owner_of(round_, agent, "Ag")
    if rival is None and stack is None:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    _, risk, experience = PRICES["MURDER"][class_of("Ag")]
    falls, is_beaten = duel(round_, agent, "Ag", _MURDER)
    victim = rival.ruler if rival is not None else stack[0] if stack is not None else None
    if falls and rival is not None:
        die(round_, rival)
    elif falls and stack is not None:
        round_.book(stack[0], agent.at, stack[1], -1, "murdered")
    if is_beaten:
        die(round_, agent)
    return _Try(falls, victim, risk, experience, phrase("deed.agent") if falls else None)


def die(round_: Round, agent: Agent) -> None:
    """An agent is dead: those with him stand where he fell, for all to see. Source: rules 22.3"""
    del round_.agents[agent.ruler, agent.number]
    for item, count in {**agent.group, MONEY: agent.money}.items():
        if count:
            round_.book(agent.ruler, agent.at, item, count, "group")
    owner = round_.owners.get(agent.at)
    told = [agent.ruler] if owner is None else [agent.ruler, owner]
    args = {"agent": agent.name, "gf": agent.at, "why": "fallen", "of": agent.ruler}
    round_.tell("agent_lost", list(dict.fromkeys(told)), args, words="agent_lost_fallen")


def _kidnap(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    def attempt(living: Agent, victim: PowerId, item: str) -> bool:
        wins, is_beaten = duel(round_, living, item, 0)
        if is_beaten:
            die(round_, living)
        if wins and is_king(item):
            reigning.carry_off(round_, victim, agent.ruler, agent.at)
        elif wins:
            round_.book(victim, agent.at, item, -1, "kidnapped")
            _take(round_, living, "Sl", 1)
        return wins

    return _each(round_, agent, order, attempt)


def _letters(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    owner = round_.owners.get(agent.at)
    if owner is None or owner == agent.ruler or round_.capital_of(owner) != agent.at:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    read = [row for row in round_.state.modules.get("mail", ()) if row["to"] == owner][-order.times :]
    for row in read:
        args = {"from": row["from"], "time": row["time"], "text": row["text"], "of": owner}
        round_.tell("letter_read", [agent.ruler], args, sender=row["from"])
    deed = DEEDS["LETTERS"]
    what = phrase("deed.letters", count=len(read))
    return _Try(is_done=True, victim=owner, risk=deed.risk, experience=deed.experience, what=what)


def _sneak(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    deed, owner = DEEDS["SNEAK"], round_.owners.get(agent.at)
    work = next((w for w in round_.land.works(agent.at) if w.cell == order.cell and w.type in _BUILDINGS), None)
    if work is None:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V21")
    if _throw(round_, agent, "agent_sneak") < deed.needed:
        return _Try(is_done=False, victim=owner, risk=deed.risk, experience=0)
    round_.agents[agent.ruler, agent.number] = replace(agent, inside=order.cell)
    if work.is_headquarters and owner is not None and owner != agent.ruler:
        spying.reveal(round_, owner, agent.ruler)
    return _Try(
        is_done=True,
        victim=owner,
        risk=deed.risk,
        experience=deed.experience,
        what=phrase("deed.inside", cell=order.cell or 0),
    )


def _gate(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    """The gate stays open through the battle of this P4. Ruling KA130"""
    deed, owner = DEEDS["GATE"], round_.owners.get(agent.at)
    edge = order.edge
    work = next((w for w in round_.land.works(agent.at) if edge in w.gates and w.cell == agent.inside), None)
    if work is None or edge is None or owner is None:
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V21")
    if _throw(round_, agent, "agent_gate") < deed.needed:
        return _Try(is_done=False, victim=owner, risk=deed.risk, experience=0)
    plan = plan_at(round_, owner, agent.at)
    opened = GateOrder(Spot(edge.cell), edge.side, is_open=True, round=1)
    round_.plans.setdefault(owner, {})[agent.at] = replace(plan, gates=(*plan.gates, opened))
    return _Try(
        is_done=True, victim=owner, risk=deed.risk, experience=deed.experience, what=phrase("deed.gate", edge=str(edge))
    )


def _guide(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    """Over what bars the way into the great field beside. Ruling KA131"""
    assert order.place is not None
    land = round_.land
    target = land.meant(order.place, near=(agent.at,)) if land.exists(gf_of(order.place)) else None
    if target is None or land.is_sea(target):
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V03")
    deed = DEEDS["GUIDE"]
    round_.agents[agent.ruler, agent.number] = replace(
        agent, at=target, has_scouted=False, inside=None, is_exposed=False
    )
    return _Try(
        is_done=True, victim=None, risk=deed.risk, experience=deed.experience, what=phrase("deed.guided", place=target)
    )


def _theft(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    deed = DEEDS["THEFT"]
    found = [(item, count, _owner_of(round_, agent, item)) for item, count in order.figures]
    if any(row is None or round_.stack(row[0], agent.at).get(row[1], 0) < count for _, count, row in found):
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    victim = next((row[0] for _, _, row in found if row is not None), None)
    things = sum(1 if item == MONEY else count for item, count in order.figures)
    assert round_.dice is not None
    why = purpose("agent_theft", agent=agent.name, ruler=agent.ruler, place=agent.at)
    if round_.dice.roll(spying.stream_of(agent), sides=6, purpose=why) < things + 1:
        return _Try(is_done=False, victim=victim, risk=deed.risk, experience=0)
    taken: dict[str, int] = {}
    for item, count, row in found:
        assert row is not None
        living = round_.agents[agent.ruler, agent.number]
        if row[1] == MONEY and reigning.lure(round_, row[0], agent.at):
            # Ruling KA175
            most = min(round_.money(row[0], agent.at), purse_of(living.group) - living.money)
            count = min(most, count + -(-count // GREEDY))
        round_.book(row[0], agent.at, row[1], -count, "stolen")
        taken[item] = count
        if row[1] == MONEY:
            round_.agents[agent.ruler, agent.number] = replace(living, money=living.money + count)
        else:
            _take(round_, living, row[1], count)
    what = phrase("deed.figures", figures=format_figures(taken))
    return _Try(is_done=True, victim=victim, risk=deed.risk, experience=deed.experience, what=what)


def _revolt(round_: Round, agent: Agent, order: AgentDeed) -> _Try:
    """Who rises fights the others of the garrison; who is left of the rebels goes away. Ruling KA132"""
    deed, owner = DEEDS["REVOLT"], round_.owners.get(agent.at)
    if owner is None or owner == agent.ruler or not warriors(round_.stack(owner, agent.at)):
        return _Try(is_done=False, victim=None, risk=0, experience=0, code="V02")
    stack = round_.stack(owner, agent.at)
    garrison = [(item, stack[item]) for item in sorted(stack, key=_weakest_first) if kind_of(item).is_warrior]
    rebels: list[str] = []
    loyal: list[str] = []
    for item in victims(garrison):
        rises = _throw(round_, agent, "agent_revolt") >= REVOLT[kind_of(item).rank][1]
        (rebels if rises else loyal).append(item)
    if not rebels:
        return _Try(is_done=False, victim=owner, risk=deed.risk, experience=0)
    risen, faithful = len(rebels), len(loyal)
    for item in rebels:
        round_.book(owner, agent.at, item, -1, "revolt")
    left = _fight_out(round_, agent, rebels, loyal)
    for item in left:
        round_.book(owner, agent.at, item, -1, "revolt")
    args = {"gf": agent.at, "rebels": risen, "loyal": faithful, "fallen": len(left)}
    if not warriors(round_.stack(owner, agent.at)) and rebels:
        release_land(round_, agent.at)
        round_.tell("revolt", [owner, agent.ruler], {**args, "lost": True}, words="revolt_lost")
    else:
        round_.tell("revolt", [owner, agent.ruler], {**args, "lost": False})
    return _Try(
        is_done=True, victim=owner, risk=deed.risk, experience=deed.experience, what=phrase("deed.rebels", count=risen)
    )


def _weakest_first(item: str) -> tuple[str, str]:
    return kind_of(item).rank, item


def _fight_out(round_: Round, agent: Agent, rebels: list[str], loyal: list[str]) -> list[str]:
    """Rebels against loyal men, the strongest of each, twelve times at most; returns the loyal who fell."""
    fallen: list[str] = []
    for _ in range(_MOST_ROUNDS):
        if not rebels or not loyal:
            break
        one, other = max(rebels, key=defence_of), max(loyal, key=defence_of)
        first, second = _throw(round_, agent, "agent_rebel"), _throw(round_, agent, "agent_loyal")
        margin = first + defence_of(one) + ATTACK - second - defence_of(other)
        if margin > 0 and first >= NATURAL:
            loyal.remove(other)
            fallen.append(other)
        elif margin < 0 and second >= NATURAL:
            rebels.remove(one)
    return fallen


_CARRIED_OUT: Mapping[str, Callable[[Round, Agent, AgentDeed], _Try]] = {
    "ASK": _ask,
    "STEAL": _steal,
    "SABOTAGE": _sabotage,
    "MURDER": _murder,
    "KIDNAP": _kidnap,
    "LETTERS": _letters,
    "SNEAK": _sneak,
    "GATE": _gate,
    "GUIDE": _guide,
    "THEFT": _theft,
    "REVOLT": _revolt,
}


def seize_found(round_: Round) -> None:
    """Warriors take on agents who were found in land without a trade centre. Ruling KA125"""
    if round_.dice is None:
        return
    for ruler, line in round_.seizures:
        assert isinstance(line.order, Seize)
        at = round_.find_own(ruler, line.order.at)
        agent = next(
            (
                each
                for each in spying.in_turn(round_)
                if each.at == at and each.ruler != ruler and each.is_exposed and each.captor is None
            ),
            None,
        )
        if at is None or agent is None or not round_.has_warrior(ruler, at):
            round_.void(ruler, line, "V02")
            continue
        stack = round_.stack(ruler, at)
        item = max((each for each in stack if kind_of(each).is_warrior), key=lambda each: (defence_of(each), each))
        first, second = _throw(round_, agent, "agent_seized"), _throw(round_, agent, "agent_resists")
        attack = ATTACK if kind_of(item).weapon != "B" else 0
        margin = first + defence_of(item) + attack - second - DEFENCE["Ag"]
        if margin > 0 and first >= (KNIFE if kind_of(item).weapon == "B" else NATURAL):
            spying.capture(round_, agent, ruler)
            continue
        if margin < 0 and second >= NATURAL:
            round_.book(ruler, at, item, -1, "seizing")
        round_.fail(ruler, line, "dice")
        round_.tell(
            "agent_stands",
            [ruler, agent.ruler],
            {"gf": at, "of": agent.ruler, "fallen": item if margin < 0 and second >= NATURAL else None},
        )


def go_back(round_: Round) -> None:
    """Agents slip away before the battles, into own land at most two great fields away. Ruling KA131"""
    if round_.dice is None:
        return
    for ruler, line in round_.agents_back:
        assert isinstance(line.order, AgentBack)
        agent = round_.agents.get((ruler, line.order.number))
        near = [] if agent is None or agent.captor is not None else _own_near(round_, ruler, agent.at)
        if agent is None or not near:
            round_.fail(ruler, line, "blocked")
            continue
        round_.agents[ruler, agent.number] = replace(agent, at=near[0], inside=None, is_exposed=False)
        round_.tell("agent_moved", [ruler], {"agent": agent.name, "gf": near[0], "blocked": False})


def _own_near(round_: Round, ruler: PowerId, at: Province) -> list[Province]:
    first = list(round_.land.links(at))
    second = [beyond for place in first for beyond in round_.land.links(place)]
    for ring in (first, second):
        own = sorted({place for place in ring if round_.owners.get(place) == ruler}, key=order_of)
        if own:
            return own
    return []
