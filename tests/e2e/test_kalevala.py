"""Kalevala through Discord: the first two great rounds of six rulers, by every way in which orders come.

It costs some seconds, since whatever is sent to anybody in four windows is read, and held against what they may know.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from bot.play.eyes import Payload, parts, plain_text
from bot.play.world import Answer
from tests.e2e.table import LiveGame, leaks, open_table
from tests.engine.kalevala.test_first_rounds import ARMING, GUESTS, OPENING, SETTLERS

RULERS = tuple(OPENING)
PLACE = re.compile(r"\b2[A-Z]'*[+-]\d")


async def test_six_rulers_play_two_great_rounds(tmp_path: Path) -> None:
    async with open_table(
        tmp_path, people=7, seed="vaka", system="kalevala", players="6", lengths="deeds=12h", wishes=RULERS
    ) as table:
        await scouting(table)
        await settling(table)
        await arming(table)
        await visiting(table)
        assert secrets_in_channel(table) == []
        verified = await table.slash("anna", "game verify")
        assert "all 4 closed phases came out just as they were posted" in verified
        assert "is the same, and so is who drew which power" in verified
        await taking_over(table)
        assert table.complaints() == []


async def scouting(table: LiveGame) -> None:
    """Scouts by menu, form, file and message; the window closes when all are ready."""
    since = seen(table)
    first = table.dm_text("anna")
    assert "Your provinces, and what is there" in first
    assert "EXPLORE 1 2E+7 >" in first, "the sheet has lines that would work"
    noted = await guided(table, "bert", "2H+3, south-west of 2H+4")
    assert "EXPLORE 1 2H+4 > 2H+3" in noted
    assert "EXPLORE 2 2G+5 > 2G+4" in await table.slash("bert", "orders enter", text="EXPLORE 2 2G+5 > 2G+4")
    assert "EXPLORE 1 2G+2 > 2F+2" in await by_form(table, "carl", OPENING["carl"])
    await table.message("dora", "", (("orders.txt", OPENING["dora"].encode()),))
    refused = await table.message("emil", "EXPLORE 9 2B+6 > 2B+7\nMARCH\n" + OPENING["emil"])
    assert "line 2" in refused.lower()
    await table.message("emil", OPENING["emil"])
    await table.message("fina", OPENING["fina"])
    await table.message("anna", OPENING["anna"])
    await ready(table, *RULERS[:-1])
    assert "Emil" in table.channel_text()
    assert leaks(table, await table.standing(), since) == []
    await ready(table, RULERS[-1])
    assert "part 3" in table.channel_text()
    assert "met another ruler's in 2C+6" in table.dm_text("fina")


async def settling(table: LiveGame) -> None:
    """The window of deeds has a length of its own; its deadline closes it."""
    for ruler, sheet in SETTLERS.items():
        assert ruler in RULERS
        await table.message(ruler, sheet)
    await table.skip(hours=12, minutes=1)
    assert "Great round 2" in table.channel_text()
    assert "contested" in table.dm_text("fina")


async def arming(table: LiveGame) -> None:
    """Arming, letters and permits by the doors."""
    for ruler, sheet in ARMING.items():
        await table.message(ruler, sheet)
    letter = await table.slash("dora", "letter", ruler="anna", text='Peace from the "south"?')
    assert "LETTER anna \"Peace from the 'south'?\"" in letter
    permit = await table.slash("dora", "permit", ruler="carl", place="ALL", rounds="2")
    assert "PERMIT carl ALL 2" in permit
    await ready(table, *RULERS)
    assert "Peace from the 'south'?" in table.dm_text("anna")
    assert "Let me have the hills" in table.dm_text("emil")
    assert "have your report" in await reporting(table, "anna", "This is a trap.")
    masters = "\n".join(map(plain_text, table.messages(table.world.people[0])))
    assert "This is a trap." in masters
    assert "Peace from the 'south'?" in masters


async def visiting(table: LiveGame) -> None:
    """A guest comes, the contest is settled, one ruler sends nothing."""
    for ruler, sheet in GUESTS.items():
        if ruler != "bert":
            await table.message(ruler, sheet)
    await table.skip(hours=12, minutes=1)
    assert "Bert has sent no sheet" in table.channel_text()
    assert "2SC" in table.dm_text("bert"), "the host sees the guest"


async def taking_over(table: LiveGame) -> None:
    """A realm was given up; somebody new joins, is shown all of it, and nobody learns who it is."""
    former, newcomer = table.player("fina"), table.world.people[-1]
    await table.slash("fina", "game leave", sure=True)
    await make_vacant(table, "fina")
    before, public = seen(table), table.channel_text()
    joined = await table.world.slash(newcomer, table.world.channel.id, "game join", {"power": "Fina"})
    assert "You now play **Fina**" in await table.said(newcomer, joined)
    fresh = [message for message in table.messages(newcomer) if message["id"] not in before[newcomer.number]]
    text = "\n".join(map(plain_text, fresh))
    # What its wizard has gained is up to the dice, which no two games share.
    assert re.search(r"# 2B\+8 14B 21L Z/\d+ 26RE", text), "what it has"
    assert "EXPLORE 1 2B+8 > 2A+9" in text, "the sheet has lines that would work"
    assert "map.png" in text
    remembered = "2D+7: lowland and fortress (F) possible on KF 19; last seen in round 1; who holds it now is not known"
    assert remembered in text, "what was scouted before"
    for person in table.world.people[:-1]:
        new = [message for message in table.messages(person) if message["id"] not in before[person.number]]
        assert newcomer.name not in "\n".join(map(plain_text, new))
    assert former.name not in table.channel_text()[len(public) :]


async def make_vacant(table: LiveGame, ruler: str) -> None:
    """What three missed windows and three great rounds of protection make of a realm."""
    game_id = (await table.standing()).game.id
    with table.application.context.unit_of_work() as unit:
        game = unit.games.find(game_id)
        assert game is not None
        document = json.loads(json.dumps(game.document))
        document["state"]["rulers"][ruler] |= {"kind": "vacant", "protected": document["phase"]["gr"] + 2, "nmr": 3}
        assert unit.games.advance(replace(game, document=document), expected_phase_no=game.phase_no)
        unit.commit()


# --- What people do and see ---------------------------------------------------------------------------------


def secrets_in_channel(table: LiveGame) -> list[str]:
    """What everybody reads in the channel and may not: places, letters, pictures, files, who plays whom."""
    found = []
    host = table.world.people[0]
    for message in table.world.sight(host).messages(table.world.channel.id):
        if message["ephemeral"] or not message["author"]["bot"]:
            continue
        text = plain_text(message)
        found += PLACE.findall(text)
        pictures = [embed[key] for embed in message["embeds"] for key in ("image", "thumbnail") if embed[key]]
        found += [file["name"] for file in (*message["files"], *pictures)]
        if "Great round" in text:
            found += [person.name for person in table.world.people if person.name in text]
    return found


def test_files_pictures_and_places_in_the_channel_are_found() -> None:
    picture = {"name": "realm.png", "alt": "a map"}
    message = {
        "ephemeral": False,
        "author": {"bot": True},
        "plain": "Won: 2D+5",
        "files": [{"name": "rolls.txt", "alt": ""}],
        "embeds": [{"title": "", "description": "", "fields": [], "footer": "", "image": picture, "thumbnail": None}],
        "rows": [],
    }
    sight = SimpleNamespace(messages=lambda channel: [message])
    world = SimpleNamespace(people=[None], channel=SimpleNamespace(id=1), sight=lambda person: sight)
    assert secrets_in_channel(cast(LiveGame, SimpleNamespace(world=world))) == ["2D+5", "rolls.txt", "realm.png"]


def seen(table: LiveGame) -> dict[int, set[str]]:
    return {person.number: table.message_ids(person) for person in table.world.people}


async def ready(table: LiveGame, *rulers: str) -> None:
    for ruler in rulers:
        await table.slash(ruler, "orders ready", sure=True)
    await table.quiet()


async def by_form(table: LiveGame, ruler: str, text: str) -> str:
    opened = await table.click(ruler, "Write orders")
    assert opened.modal is not None
    (field,) = opened.modal["fields"]
    assert "PASS" in field["value"]
    person = table.player(ruler)
    return await table.said(
        person, await table.world.submit(person, int(opened.modal["id"]), {field["custom_id"]: text})
    )


async def reporting(table: LiveGame, ruler: str, text: str) -> str:
    """Press the button below a letter, and say what is wrong with it; what comes of that."""
    opened = await table.click(ruler, "Report what was written")
    assert opened.modal is not None
    (field,) = opened.modal["fields"]
    person = table.player(ruler)
    said = await table.said(
        person, await table.world.submit(person, int(opened.modal["id"]), {field["custom_id"]: text})
    )
    await table.quiet()
    return said


async def guided(table: LiveGame, ruler: str, *choices: str) -> str:
    """Choose in the guided flow by labels; what it says in the end."""
    answer = await table.click(ruler, "Guide me")
    await table.said(table.player(ruler), answer)
    said = ""
    for label in choices:
        message, menus = menus_of(table, ruler, answer)
        custom_id, value = next(
            (menu["custom_id"], option["value"])
            for menu in reversed(menus)
            for option in menu["options"]
            if option["label"].startswith(label)
        )
        await table.world.select(table.player(ruler), message, custom_id, [value])
        await table.quiet()
        said = plain_text(table.world.sight(table.player(ruler)).message(answer.message_ids[-1]) or {})
    return said


def menus_of(table: LiveGame, ruler: str, answer: Answer) -> tuple[int, list[Payload]]:
    message = table.world.sight(table.player(ruler)).message(answer.message_ids[-1])
    assert message is not None
    return int(message["id"]), [part for part in parts(message) if part["kind"] == "select"]
