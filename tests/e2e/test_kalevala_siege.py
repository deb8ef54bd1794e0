"""A siege of Kalevala through Discord: gear and gates planned by menus alone, rehearsed, fought and told.

It costs some seconds, since two windows of six rulers are played.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.play.eyes import plain_text
from engine.kalevala.war import room as war_room
from tests.e2e.table import LiveGame, leaks, open_table
from tests.e2e.test_kalevala import RULERS, ready, seen
from tests.e2e.test_kalevala_battle import HOME, MARKET, NEUTRALS, new_messages, planned

TOWER = f"tower on {MARKET} KF 19"


async def test_a_tower_is_besieged_by_menus_and_told_to_the_two_who_fought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(war_room, "MOST_BATTLES", 2)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 1)
    async with open_table(tmp_path, people=6, seed="sampo", system="kalevala", players="6", wishes=RULERS) as table:
        await give_bert_a_tower(table)
        start = seen(table)
        await table.message("anna", f"EXPLORE 1 {HOME} > {MARKET}")
        await ready(table, *RULERS)
        await refusing(table)
        await attacking(table)
        await defending(table)
        assert TOWER in await table.slash("anna", "war trial", enemy="4LB 2BB")
        assert leaks(table, await table.standing(), start) == []
        await ready(table, *RULERS)
        for ruler in ("anna", "bert"):
            assert f"onagers threw 2 stones at the {TOWER}" in table.dm_text(ruler)
            assert "set 1 ladder against" in table.dm_text(ruler) or "set 2 ladders against" in table.dm_text(ruler)
        for ruler in NEUTRALS:
            assert MARKET not in "\n".join(map(plain_text, new_messages(table, ruler, start)))
        assert MARKET not in table.channel_text()
        assert table.complaints() == []


async def give_bert_a_tower(table: LiveGame) -> None:
    """Where Anna comes: this saves many windows of arming and building."""
    game = (await table.standing()).game
    with table.application.context.unit_of_work() as unit:
        stored = unit.games.find(game.id)
        assert stored is not None
        assert stored.document is not None
        state = dict(stored.document["state"])
        market = {**state["gf"][MARKET], "works": [{"type": "Tu", "kf": 19, "gates": ["19/SW"]}]}
        state["gf"] = {**state["gf"], MARKET: {**market, "hz": {**market["hz"], "founded": True}}}
        state["owners"] = {**state["owners"], MARKET: "bert"}
        stacks = {**state["stacks"]}
        stacks["anna"] = {**stacks["anna"], HOME: "20LB 5BB 2On 2Le 30RE"}
        stacks["bert"] = {**stacks["bert"], MARKET: "6LB 2BB 10RE"}
        changed = replace(stored, document={**stored.document, "state": {**state, "stacks": stacks}})
        assert unit.games.advance(changed, expected_phase_no=stored.phase_no)
        unit.commit()


async def attacking(table: LiveGame) -> None:
    await table.message("anna", f"ENTER 2 {HOME} K {MARKET} 18LB 5BB 2On 2Le")
    battle = f"The attack on {MARKET}"
    await planned(table, "anna", battle, "onagers: 4LB 2On", "In the usual place", "shoot")
    await planned(table, "anna", battle, "What your onagers throw at", f"tower on {MARKET} 19", "2 of them")
    noted = await planned(table, "anna", battle, "ladders: 2LB 2Le", "In the usual place", "storm the building")
    assert f"BATTLE {HOME} VS {MARKET}" in noted
    orders = await table.orders("anna")
    for line in (f"FIRE 2On KF {MARKET}:19", "GROUP ladders 2LB 2Le", "AIM ladders STORM"):
        assert f"BATTLE {HOME} VS {MARKET}: {line}" in orders


async def defending(table: LiveGame) -> None:
    defence = f"The standing defence of {MARKET}"
    await planned(table, "bert", defence, "bows: 2BB", "On the platform", "shoot")
    await planned(table, "bert", defence, "Open or shut a gate", "Open the gate 19/SW", "In round 4")
    orders = await table.orders("bert")
    for line in ("PLACE 19+1 2BB G bows", "GATE 19/SW OPEN KR 4"):
        assert f"DEFEND {MARKET}: {line}" in orders


async def refusing(table: LiveGame) -> None:
    """Gear without crew, a gate of another's, more onagers than there are, no onager: each with its reason."""
    lines = ("PLACE 1 1Le", f"GATE {MARKET}:19/SW OPEN KR 2", "FIRE 3On KF 19", "FIRE 2LB KF 19")
    sheet = (f"ENTER 2 {HOME} K {MARKET} 18LB 5BB 2On 2Le", f"BATTLE {HOME}", *lines, "END")
    answer = await table.message("anna", "\n".join(sheet))
    for reason in (
        "gear needs its crew on the same field",
        "there is no gate of yours",
        "only onagers (On) can be given",
    ):
        assert reason in answer
    assert answer.count("↳ ok") <= 2, "the attack and the head of the plan stand"
