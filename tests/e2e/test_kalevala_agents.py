"""Agents, caravans and fiefs of Kalevala through Discord: a leader is bribed, a fief given, an agent fights.

It costs some seconds, since three windows of six rulers are played and everything that anybody sees is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from bot.play.eyes import plain_text
from tests.e2e.table import LiveGame, leaks, open_table
from tests.e2e.test_kalevala import RULERS, ready, secrets_in_channel, seen
from tests.e2e.test_kalevala_battle import HOME, MARKET, new_messages

State: TypeAlias = dict[str, Any]
BESIDE = "2H+6"
STRANGERS = ("emil", "fina")


async def test_a_leader_is_bribed_a_fief_is_given_and_an_agent_comes_out_of_hiding(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=6, seed="sampo", system="kalevala", players="6", wishes=RULERS) as table:
        await change(table, place_everybody, {"agent/anna/1": [99, 99], "agent/anna/2": [99, 99]})
        start = seen(table)
        await looking_round(table)
        await ready(table, *RULERS)
        assert f"A foreign caravan is in {MARKET}, with 1K 1L 8RE." in table.dm_text("anna")
        await change(table, lambda state: state, {"agent/anna/2": [99, 3]})
        await doing(table)
        assert leaks(table, await table.standing(), start) == []
        await ready(table, *RULERS)
        telling(table, start)
        await ready(table, *RULERS)
        await table.message("carl", f"CARAVAN 1 MOVE {MARKET} > {BESIDE}")
        await ready(table, *RULERS)
        assert f"The leader of your caravan KW1 has gone his own way: it is in {HOME}." in table.dm_text("carl")
        assert table.complaints() == []


async def change(table: LiveGame, changed: Callable[[State], State], dice: Mapping[str, Sequence[int]]) -> None:
    """Another position, and how dice fall in the window that is open: this saves many windows."""
    game = (await table.standing()).game
    with table.application.context.unit_of_work() as unit:
        stored = unit.games.find(game.id)
        assert stored is not None
        assert stored.document is not None
        state = changed(dict(stored.document["state"]))
        other = replace(stored, document={**stored.document, "state": state, "dice": dict(dice)})
        assert unit.games.advance(other, expected_phase_no=stored.phase_no)
        unit.commit()


def place_everybody(state: State) -> State:
    """Agents abroad, a caravan on its way, and neighbours."""
    stacks = {**state["stacks"]}
    stacks["anna"] = {**stacks["anna"], HOME: "20LB 5BB 30RE"}
    stacks["bert"] = {**stacks["bert"], MARKET: "6LB 2BB 10RE"}
    stacks["dora"] = {**stacks["dora"], BESIDE: "3L"}
    agents = [
        {"ruler": "anna", "n": 1, "at": MARKET, "group": "2BC", "re": 60, "egp": 12},
        {"ruler": "anna", "n": 2, "at": MARKET, "group": "", "re": 60, "egp": 12},
    ]
    return {
        **state,
        "owners": {**state["owners"], MARKET: "bert", BESIDE: "dora"},
        "stacks": stacks,
        "agents": agents,
        "caravans": [{"ruler": "carl", "n": 1, "at": MARKET, "load": "1K 1L 9RE"}],
    }


async def looking_round(table: LiveGame) -> None:
    noted = await table.message("anna", f"AGENT 1 SCOUT\nAGENT 2 SCOUT\nEXPLORE 1 {HOME} > {MARKET}")
    assert "AGENT 2 SCOUT" in noted
    assert "Ag1" in await table.slash("anna", "agents dossier")
    assert "KW1" in await table.slash("carl", "caravan")
    assert "You have no agents" in await table.slash("emil", "agents dossier")


async def doing(table: LiveGame) -> None:
    """A bribe and an ambush by message, a fief by commands of both; what can't be done is refused with its reason."""
    refused = await table.message("anna", "AGENT 1 SHOW KR 13\nAGENT 9 SHOW KR 1\nAGENT 1 DO SNEAK SHIP")
    for reason in ("AGENT 1 SHOW KR 3", "you have no agent with that number", "has not seen such figures"):
        assert reason in refused, refused
    noted = await table.message(
        "anna", f"ENTER 2 {HOME} K {MARKET} 18LB 5BB\nAGENT 1 SHOW KR 1\nAGENT 2 DO BRIBE {HOME}"
    )
    assert "AGENT 1 SHOW KR 1" in noted
    assert f"AGENT 2 DO BRIBE {HOME}" in noted
    offered = await table.slash("dora", "fief offer", ruler="bert", place=BESIDE, rounds="3")
    assert f"FIEF {BESIDE} TO bert 3" in offered
    accepted = await table.slash("bert", "fief accept", ruler="dora", place=BESIDE)
    assert f"ACCEPT {BESIDE} OF dora" in accepted


def telling(table: LiveGame, start: dict[int, set[str]]) -> None:
    """The bribe for Anna alone, the battle for the two who fought, the fief for the two who agreed."""
    told = table.dm_text("anna")
    assert f"it will be in {HOME}, whatever its ruler orders" in told
    assert "Round 1. Anna's agent came out of hiding" in told
    assert "Anna's agent came out of hiding" in table.dm_text("bert")
    for ruler in ("bert", "dora"):
        assert f"{BESIDE} is a fief now: Dora has lent it to Bert" in table.dm_text(ruler)
    for ruler in ("carl", *STRANGERS):
        shown = "\n".join(map(plain_text, new_messages(table, ruler, start)))
        assert "bribe" not in shown
        assert BESIDE not in shown
        assert "came out of hiding" not in shown
    assert secrets_in_channel(table) == []
