"""Plans of Kalevala through Discord that say more than one aim a group: for some rounds, and spells on several fields.

It costs some seconds, since two windows of six rulers are played.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.kalevala.war import room as war_room
from tests.e2e.table import LiveGame, leaks, open_table
from tests.e2e.test_kalevala import RULERS, ready, seen
from tests.e2e.test_kalevala_battle import HOME, MARKET, planned

ATTACK = f"ENTER 2 {HOME} K {MARKET} 18LB Z/90/4"
PLAN = f"BATTLE {HOME} VS {MARKET}"
BATTLE = f"The attack on {MARKET}"


async def test_men_wait_up_to_a_round_while_the_wizard_casts_on_three_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(war_room, "MOST_BATTLES", 2)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 1)
    async with open_table(tmp_path, people=6, seed="sampo", system="kalevala", players="6", wishes=RULERS) as table:
        await give_anna_a_wizard(table)
        start = seen(table)
        await table.message("anna", f"EXPLORE 1 {HOME} > {MARKET}")
        await ready(table, *RULERS)
        await refusing(table)
        await planning(table)
        await table.message("bert", f"DEFEND {MARKET}\nAIM ALL HOLD\nEND")
        assert "Fought twice" in await table.slash("anna", "war trial")
        assert leaks(table, await table.standing(), start) == []
        await ready(table, *RULERS)
        telling(table)
        assert table.complaints() == []


async def give_anna_a_wizard(table: LiveGame) -> None:
    """With points for many spells, beside a market of bert's."""
    game = (await table.standing()).game
    with table.application.context.unit_of_work() as unit:
        stored = unit.games.find(game.id)
        assert stored is not None
        assert stored.document is not None
        state = dict(stored.document["state"])
        state["owners"] = {**state["owners"], MARKET: "bert"}
        stacks = {**state["stacks"]}
        # A realm has one wizard.
        stacks["anna"] = {at: re.sub(r" ?\bZ/\S+", "", figures) for at, figures in stacks["anna"].items()}
        stacks["anna"] = {**stacks["anna"], HOME: "20LB Z/90/4 30RE"}
        stacks["bert"] = {**stacks["bert"], MARKET: "12LB 10RE"}
        changed = replace(stored, document={**stored.document, "state": {**state, "stacks": stacks}})
        assert unit.games.advance(changed, expected_phase_no=stored.phase_no)
        unit.commit()


async def planning(table: LiveGame) -> None:
    """By menus: everybody waits for three rounds, then goes; the wizard weakens enemies on three fields."""
    await table.message("anna", ATTACK)
    await planned(table, "anna", BATTLE, "Everybody who has no aim", "go for the trade centre")
    wait = "Something else in the first rounds", "In round 3", "stay in their field"
    await planned(table, "anna", BATTLE, "Everybody who has no aim", *wait)
    orders = await table.orders("anna")
    assert f"{PLAN}: AIM ALL HOLD UNTIL 3" in orders
    assert f"{PLAN}: AIM ALL TAKE HZ" in orders
    spell = "Your wizard", "A spell on a field, or in a round", "WEAKEN"
    fields = f"{MARKET} KF 12", "On one more field", f"{MARKET} KF 13", "On one more field", f"{MARKET} KF 19"
    noted = await planned(table, "anna", BATTLE, *spell, *fields, "20 ZEH at most", "In each round")
    cast = f"CAST WEAKEN FOE KF {MARKET}:12,{MARKET}:13,{MARKET}:19 MAX 20 EACH"
    assert cast in noted
    assert f"{PLAN}: {cast}" in await table.orders("anna")


async def refusing(table: LiveGame) -> None:
    """Each line that is wrong is answered by itself; those that can't be read are not kept."""
    unread = ("AIM ALL HOLD UNTIL 13", "AIM ALL HOLD FROM 5 UNTIL 4")
    refused = ("CAST STRENGTHEN OWN KF 1,19", "CAST PETRIFY FOE BEST", "CAST NONSENSE BEST", "CHALLENGE nobody")
    answer = await table.message("anna", "\n".join((ATTACK, PLAN, *unread, *refused, "END")))
    assert answer.count("AIM left TAKE HZ FROM 2 UNTIL 6") == 2, "how such a line is written"
    for reason in ("have to touch each other", "has not learnt that spell", "no spell has that name", "no other ruler"):
        assert reason in answer
    assert not any("UNTIL" in order for order in await table.orders("anna"))


def telling(table: LiveGame) -> None:
    """Nobody comes near the other before the fourth round; the spell is cast in each before it, too."""
    text = table.dm_text("anna")
    told = text[text.index(f"The battle of {MARKET}") :]
    waiting, _, fighting = told.partition("Round 4.")
    assert "Round 3." in waiting
    assert "struck at" not in waiting
    assert "struck at" in fighting
    assert waiting.count("Anna's wizard weakened") == 3
