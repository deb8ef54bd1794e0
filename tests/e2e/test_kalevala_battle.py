"""A battle of Kalevala through Discord: planned, rehearsed, fought and told, and nobody else learns of it.

It costs some seconds, since two windows of six rulers are played and everything that anybody sees is read.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.play.eyes import parts, plain_text
from engine.kalevala.war import room as war_room
from tests.e2e.table import LiveGame, leaks, open_table
from tests.e2e.test_kalevala import RULERS, ready, secrets_in_channel, seen

NEUTRALS = tuple(ruler for ruler in RULERS if ruler not in ("anna", "bert"))
HOME, MARKET = "2F+7", "2G+6"
FILE = re.compile(r"\(\S+\.(png|gif|webp|txt): ")


async def test_two_rulers_plan_rehearse_and_fight_and_nobody_else_learns_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(war_room, "MOST_BATTLES", 3)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 2)
    async with open_table(tmp_path, people=6, seed="sampo", system="kalevala", players="6", wishes=RULERS) as table:
        await give_bert_the_market(table)
        start = seen(table)
        await table.message("anna", f"EXPLORE 1 {HOME} > {MARKET}")
        await asking_the_oracle(table)
        await ready(table, *RULERS)
        assert f"The oracle in {HOME} says, for 10 RE: figures in {MARKET}: 2BB 6LB 10RE." in table.dm_text("anna")
        assert f"Your scouts saw others in {MARKET}" in table.dm_text("anna")
        await planning(table)
        await rehearsing(table)
        assert leaks(table, await table.standing(), start) == []
        await ready(table, *RULERS)
        telling(table, start)
        assert "You play in" in await table.slash(host(table), "gm set", change=f"battle {MARKET} again")
        verified = await table.slash("carl", "game verify")
        assert "all 2 closed phases came out just as they were posted" in verified
        assert table.complaints() == []


async def give_bert_the_market(table: LiveGame) -> None:
    """The two are far from each other when a game begins: this saves four windows."""
    game = (await table.standing()).game
    with table.application.context.unit_of_work() as unit:
        stored = unit.games.find(game.id)
        assert stored is not None
        assert stored.document is not None
        state = dict(stored.document["state"])
        state["owners"] = {**state["owners"], MARKET: "bert"}
        stacks = {**state["stacks"]}
        stacks["anna"] = {**stacks["anna"], HOME: "20LB 5BB Pr/20 30RE"}
        land = {**state["gf"]}
        land[HOME] = {**land[HOME], "works": [{"type": "Tt", "kf": 19, "ts": 60}]}
        state["gf"] = land
        stacks["bert"] = {**stacks["bert"], MARKET: "6LB 2BB 10RE"}
        changed = replace(stored, document={**stored.document, "state": {**state, "stacks": stacks}})
        assert unit.games.advance(changed, expected_phase_no=stored.phase_no)
        unit.commit()


async def asking_the_oracle(table: LiveGame) -> None:
    """Anna's priest prays for ZEH, and her oracle tells who stands in bert's market: by commands, for her alone."""
    assert f"PRAY {HOME} Pr 20" in await table.slash("anna", "temple pray", place=HOME, amount=20)
    asked = await table.slash("anna", "temple ask", place=HOME, question="GARRISON", subject=MARKET)
    assert f"ORACLE {HOME} 10 GARRISON {MARKET}" in asked
    assert "60 RE" in await table.slash("anna", "temple priests")


async def planning(table: LiveGame) -> None:
    """Anna by the menus, group by group; Bert by one button for a sensible plan."""
    await table.message("anna", f"ENTER 2 {HOME} K {MARKET} 18LB 5BB Pr/30\nGOD CALL BASE")
    battle = f"The attack on {MARKET}"
    noted = await planned(table, "anna", battle, "line: ", "KF", "go for the trade centre")
    assert f"BATTLE {HOME} VS {MARKET}" in noted
    orders = "\n".join(await table.orders("anna"))
    assert f"BATTLE {HOME} VS {MARKET}: AIM line TAKE HZ" in orders
    assert orders.count(": PLACE ") == 5, "18 men, four to a small field"
    shown = await table.slash("bert", "war plan", place=MARKET, enemy="9LB")
    assert "Bert" in shown
    assert "no line of yours attacks it" in await table.slash("bert", "war plan", place="2B+2")
    pressed = await table.click("bert", "A sensible plan")
    assert f"DEFEND {MARKET}" in await table.said(table.player("bert"), pressed)
    assert f"DEFEND {MARKET}: AIM guard HOLD" in await table.orders("bert")


async def planned(table: LiveGame, ruler: str, *labels: str) -> str:
    """By the button for plans, then choice by choice; what the newest message says in the end."""
    person = table.player(ruler)
    await table.click(ruler, "Plan a battle, or a standing defence")
    for label in labels:
        message, custom_id, value = next(
            (int(message["id"]), part["custom_id"], option["value"])
            for message in reversed(table.messages(person))
            for part in parts(message)
            if part["kind"] == "select"
            for option in part["options"]
            if option["label"].startswith(label)
        )
        await table.world.select(person, message, custom_id, [value])
        await table.quiet()
    return plain_text(table.messages(person)[-1])


async def rehearsing(table: LiveGame) -> None:
    told = await table.slash("anna", "war trial")
    assert "Fought 3 times" in told
    assert "How it usually goes" in told
    assert "Fought 3 times" in await table.slash("bert", "war trial", place=MARKET, enemy="18LB 5BB")
    assert "nobody to fight" in await table.slash("carl", "war trial")


def telling(table: LiveGame, start: dict[int, set[str]]) -> None:
    """Page, pictures, film and rolls for the two; silence for everybody else."""
    for ruler in ("anna", "bert"):
        text = table.dm_text(ruler)
        assert f"The battle of {MARKET}" in text
        assert "Round 1." in text
        told = text[text.index(f"The battle of {MARKET}") :]
        assert "Anna attacked with" in told, told[:600]
        assert "Bert stood there" in told, told[:600]
        assert "Anna's priests called their god" in told, told
        ends = Counter(FILE.findall(told))
        assert ends["png"] >= 3, told
        # A battle that the dice end in its first round has no film.
        assert ends["gif"] + ends["webp"] == ("Round 2." in told), told
        assert ends["txt"], told
    for ruler in NEUTRALS:
        shown = "\n".join(map(plain_text, new_messages(table, ruler, start)))
        assert "The battle of" not in shown
        assert "called their god" not in shown
        assert MARKET not in shown
    assert MARKET not in table.channel_text()
    assert secrets_in_channel(table) == []


def host(table: LiveGame) -> str:
    """Whoever set the game up, who is its game master and plays."""
    person = table.world.people[0]
    return next(ruler for ruler in RULERS if table.player(ruler) is person)


def new_messages(table: LiveGame, ruler: str, start: dict[int, set[str]]) -> list[dict[str, object]]:
    person = table.player(ruler)
    old = start[person.number]
    return [message for message in table.messages(person) if message["id"] not in old]
