"""Deeds of agents that hurt nobody: questions, thefts, sabotage, letters, getting into and out of buildings.

Source: R-071
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.kalevala.agents.facts import MISDEEDS, NEAR, STEAL_NEEDS, STOWS, Agent, class_of, purse_of
from engine.kalevala.agents.orders import AgentMisdeed
from engine.kalevala.coordinates import gf_of
from engine.kalevala.figures import MONEY, format_figures
from engine.kalevala.steps import apparitions, reigning, spying, stowaways
from engine.kalevala.steps.attempts import (
    Attempt,
    Holding,
    bare,
    failed,
    gather,
    lose,
    succeeded,
    take,
    throw,
    try_each,
    void,
)
from engine.kalevala.steps.post import signature
from engine.kalevala.steps.questions import answer, hiding_places
from engine.kalevala.window import Window, purpose

GREEDY = 10
"""Near a greedy king one more RE is stolen for every ten. Source: R-047"""
ENTERED = ("Tu", "Bf", "BF", "Tt")


def ask(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Answer what is asked; an agent on the spot is also told on which small fields something lies. Source: R-059"""
    found = answer(window, order.question, order.about)
    if found is None:
        return void("V02")
    args, words = found
    cells = hiding_places(window, agent.at) if order.question == NEAR and gf_of(agent.at) == args["gf"] else []
    if cells:
        args, words = {**args, "kf": cells}, phrase("answer.something_at", gf=args["gf"], cells=tuple(cells))
    facts = {"agent": agent.name, "question": order.question, **args}
    window.tell("answer", [agent.ruler], facts, answer=words)
    return succeeded(MISDEEDS["ASK"], phrase("deed.answered"))


def steal(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Animals are stolen one by one; each needs its throw. Source: R-071"""

    def attempt(living: Agent, holding: Holding) -> bool:
        if throw(window, agent, "agent_steal") < STEAL_NEEDS[class_of(holding.item)]:
            return False
        lose(window, holding, agent.at, 1, "stolen")
        take(window, living, holding.item, 1)
        return True

    return try_each(window, agent, order, attempt)


def sabotage(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Gear is destroyed piece by piece; each needs its throw. Source: R-071"""

    def attempt(living: Agent, holding: Holding) -> bool:
        if throw(window, agent, "agent_sabotage") < MISDEEDS["SABOTAGE"].needed:
            return False
        lose(window, holding, agent.at, 1, "sabotage")
        return True

    return try_each(window, agent, order, attempt)


def theft(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Gear, RE and artefacts are taken by one roll for all of them. Source: R-071, rulings KA175, KA270"""
    if order.cell is not None:
        return _snatch(window, agent, order.cell)
    misdeed = MISDEEDS["THEFT"]
    held: list[tuple[int, Holding]] = []
    for item, count in order.figures:
        rows = gather(window, agent, item, count)
        if rows is None:
            return void("V02")
        held += rows
    victims = [row.ruler for _, row in held]
    things = sum(1 if item == MONEY else count for item, count in order.figures)
    if not _slips_away(window, agent, things):
        return failed(misdeed, *victims)
    taken: dict[str, int] = {}
    for wanted, row in held:
        count = wanted
        living = window.agents[agent.ruler, agent.number]
        if row.item == MONEY and reigning.lure(window, row.ruler, agent.at):
            # Ruling KA175
            most = min(row.count, purse_of(living.group) - living.money)
            count = min(most, count + -(-count // GREEDY))
        lose(window, row, agent.at, count, "stolen")
        taken[bare(row.item)] = taken.get(bare(row.item), 0) + count
        if row.item == MONEY:
            window.agents[agent.ruler, agent.number] = replace(living, money=living.money + count)
        else:
            take(window, living, row.item, count)
    what = phrase("deed.figures", figures=format_figures(taken))
    return succeeded(misdeed, what, *victims)


def _snatch(window: Window, agent: Agent, cell: int) -> Attempt:
    """Steal whatever magic thing lies on a small field: an artefact, or a god's weak spot.

    Source: R-077, ruling KA270
    """
    misdeed, spot = MISDEEDS["THEFT"], apparitions.spot_at(window, agent.at, cell)
    lying = [
        each for each in window.artefacts.values() if each.holder is None and (each.at, each.cell) == (agent.at, cell)
    ]
    things = len(lying) + (spot is not None and spot != agent.ruler)
    if not things or not _slips_away(window, agent, things):
        return failed(misdeed, window.owners.get(agent.at))
    for each in lying:
        window.artefacts[each.number] = replace(each, holder=agent.ruler)
        take(window, window.agents[agent.ruler, agent.number], each.item, 1)
    names = [phrase("deed.artefact", name=each.name) for each in lying]
    if spot is not None and spot != agent.ruler:
        apparitions.lose_spots(window, {spot: agent.ruler}, is_known=False)
        names.append(phrase("deed.weak_spot", ruler=spot))
    return succeeded(misdeed, phrase("deed.things", things=tuple(names)), window.owners.get(agent.at))


def _slips_away(window: Window, agent: Agent, things: int) -> bool:
    """One die has to show more than the number of things."""
    assert window.dice is not None
    why = purpose("agent_theft", agent=agent.name, ruler=agent.ruler, place=agent.at)
    return window.dice.roll(spying.stream_of(agent), sides=6, purpose=why) > things


def letters(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Read the latest letters to the ruler whose capital it is. Source: rules 22.3"""
    owner = window.owners.get(agent.at)
    if owner is None or owner == agent.ruler or window.capital_of(owner) != agent.at:
        return void("V02")
    read = [row for row in window.state.modules.get("mail", ()) if row["to"] == owner][-order.times :]
    for row in read:
        args = {"from": row["from"], "time": row["time"], "text": row["text"], "of": owner}
        window.tell("letter_read", [agent.ruler], args, sender=signature(window, row["from"]))
    misdeed = MISDEEDS["LETTERS"]
    what = phrase("deed.letters", count=len(read))
    return succeeded(misdeed, what, owner)


def sneak(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """Into a building, a caravan or a ship; in a headquarters he learns where its owner's agents and watchers are.

    Source: rules 22.1, 22.3, rulings KA138, KA198
    """
    if order.about in STOWS:
        return stowaways.stow_away(window, agent, order.about)
    misdeed, owner = MISDEEDS["SNEAK"], window.owners.get(agent.at)
    work = next((w for w in window.land.works(agent.at) if w.cell == order.cell and w.type in ENTERED), None)
    if work is None:
        return void("V21")
    if throw(window, agent, "agent_sneak") < misdeed.needed:
        return failed(misdeed, owner)
    window.agents[agent.ruler, agent.number] = replace(agent, inside=order.cell, hidden_in=None)
    if work.is_headquarters and owner is not None and owner != agent.ruler:
        spying.reveal(window, owner, agent.ruler)
        spying.give_up_headquarters(window, owner, agent.at, work)
    return succeeded(misdeed, phrase("deed.inside", cell=order.cell or 0), owner)


def gate(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """The gate stays open through the battle of this P4. Ruling KA130"""
    misdeed, owner = MISDEEDS["GATE"], window.owners.get(agent.at)
    edge = order.edge
    work = next((w for w in window.land.works(agent.at) if edge in w.gates and w.cell == agent.inside), None)
    if work is None or edge is None or owner is None:
        return void("V21")
    if throw(window, agent, "agent_gate") < misdeed.needed:
        return failed(misdeed, owner)
    window.agents_at_work.opened_gates.add(f"{gf_of(agent.at)}:{edge}")
    return succeeded(misdeed, phrase("deed.gate", edge=str(edge)), owner)


def guide(window: Window, agent: Agent, order: AgentMisdeed) -> Attempt:
    """A guide leads him over what bars the way into the adjacent great field. Ruling KA131"""
    assert order.place is not None
    land = window.land
    target = land.meant(order.place, near=(agent.at,)) if land.exists(gf_of(order.place)) else None
    if target is None or land.is_sea(target):
        return void("V03")
    misdeed = MISDEEDS["GUIDE"]
    window.agents[agent.ruler, agent.number] = replace(
        agent, at=target, has_scouted=False, inside=None, is_exposed=False, hidden_in=None
    )
    return succeeded(misdeed, phrase("deed.guided", place=target))
