"""A year of Feudal Europe, from the lists of centres to new units, through commands, menus and buttons."""

from __future__ import annotations

import random
import re
from pathlib import Path

from bot.play.eyes import Payload, parts
from bot.play.world import Answer
from tests.e2e.table import LiveGame, leaks, open_table

PLAYERS, LEAST_DISTANCE, MOST_LISTS = 4, 3, 3


async def test_four_lords_play_a_year_and_agree_on_a_draw(tmp_path: Path) -> None:
    chance = random.Random("oak")
    async with open_table(
        tmp_path, people=PLAYERS, seed="oak", system="feudal", players=str(PLAYERS), options="magic=true"
    ) as table:
        codes = []
        while not (code := await phase_code(table)).startswith("S816"):
            codes.append(code)
            assert len(codes) < 30, "the year does not end"
            await play_phase(table)
            if chance.random() < 0.2:
                await table.world.restart()
        for person in table.world.people:
            await table.robots.vote_draw(person)
        await table.quiet()
        text = table.channel_text()
        assert "Sunday Table is over" in text
        assert "The nomads' dice show" in text
        assert "barbarian" in text
        assert {code[:5] for code in codes} == {"S815S", "S815M", "U815M", "F815M", "W815A"} | {
            code[:5] for code in codes if code.endswith("R")
        }
        assert table.complaints() == []


async def test_centres_are_chosen_and_units_built_by_menus_and_buttons(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=PLAYERS, seed="yew", system="feudal", players=str(PLAYERS)) as table:
        await choose_by_menus(table, "lion")
        assert [order[:8] for order in await table.orders("lion")] == ["CHOOSE 1", "CHOOSE 2", "CHOOSE 3"]
        await close(table)
        while "choice of centre 2" not in table.channel_text():
            await close(table)
        answer = await table.click("lion", "Guide me")
        (first, *_) = menus_of(table, "lion", answer)
        labels = [option["label"] for option in first["options"] if not option["value"].startswith(">")]
        distances = [int(number) for label in labels for number in re.findall(r"\d+", label)]
        assert len(distances) == len(labels)
        assert min(distances) >= LEAST_DISTANCE
        while not (await phase_code(table)).startswith("W815"):
            await close(table)
        answer = await table.click("lion", "Take the default")
        said = await table.said(table.player("lion"), answer)
        built = await table.orders("lion")
        assert any(order.startswith("BUILD K") for order in built)
        assert all(order in said for order in built)
        assert table.complaints() == []


LISTS = {
    "lion": "PAR BRE MAR SPA LON LVP",
    "eagle": "BEL HOL MUN KIE BER DEN",
    "boar": "MOS WAR SEV RUM BUD VIE",
    "stag": "CON SMY BUL GRE SER TRI",
}
"""What each has in mind; a list is three of them, and each round gives the first."""


async def test_what_may_not_be_ordered_is_refused_with_its_reason_and_costs_only_itself(tmp_path: Path) -> None:
    async with open_table(
        tmp_path,
        people=PLAYERS,
        seed="elm",
        system="feudal",
        players=str(PLAYERS),
        options="magic=true, close_starts=true",
    ) as table:
        answer = await table.message("lion", "choose: Par, Swe, Bur, Xyz, Par, Bre, Mar, Spa")
        refuses(answer, ["Sweden belongs to the barbarians", "Burgundy is not a supply centre", 'no place called "Xyz"',
                         "Paris is on your list already", "Your list has room for 3 choices"])  # fmt: skip
        assert set(await table.orders("lion")) == {"CHOOSE 1 PAR", "CHOOSE 2 BRE", "CHOOSE 3 MAR"}
        for first in range(4):
            for power, wishes in LISTS.items():
                await table.message(power, "choose: " + ", ".join(wishes.split()[first : first + 3]))
            await close(table)
            if not first:
                refuses(await table.message("lion", "choose: Bel"), ["Belgium belongs to Eagle already"])
        answer = await table.message("lion", "castle Bel\ncastle Par\ncastle Bre")
        refuses(answer, ["Belgium is not yours", "You have only one castle, and have already named Paris"])
        assert await table.orders("lion") == ("CASTLE PAR",)
        while not (await phase_code(table)).startswith("W815"):
            await close(table)
        answer = await table.message(
            "lion", "build W Par, W Mar, N Mar, A Par, A Bel, A Mar, A Spa, A Bre, K Bre, K Par"
        )
        refuses(answer, ["your limit is 1 wizard.", "your limit is 0 knights besides", "A unit is already being built",
                         "You can't build in Belgium", "Your King must be among your units"])  # fmt: skip
        assert set(await table.orders("lion")) == {"BUILD W PAR", "BUILD A MAR", "BUILD A SPA", "BUILD K BRE"}
        await close(table)
        answer = await table.message(
            "lion", "W Par I K Bel\nW Par S2 K Bre\nA Mar I A Mun\nW Par I A Mun\nW Par S2 A Spa\nA Spa H"
        )
        refuses(
            answer,
            ["no magic stops knights", "Brest is 1 move from W PAR", "not a wizard", "has a magic order already"],
        )
        assert set(await table.orders("lion")) == {"W PAR I A MUN", "A SPA H"}
        await close(table)
        answer = await table.message("lion", "W Par I A Mun\nA Mar H")
        refuses(answer, ["was to immobilize A MUN last season"])
        assert await table.orders("lion") == ("A MAR H",)
        assert table.complaints() == []


async def test_one_list_is_for_all_centres_and_only_who_got_too_few_is_asked_again(tmp_path: Path) -> None:
    async with open_table(
        tmp_path, people=PLAYERS, seed="ash", system="feudal", players=str(PLAYERS), options="quick_choosing=true"
    ) as table:
        assert "this one list is for all of your 4 centres" in table.dm_text("lion")
        assert "own units" not in table.dm_text("lion")
        answer = await table.message("lion", "choose: Par, Swe, Ven, Ber, Lon, Sev")
        refuses(answer, ["Sweden belongs to the barbarians", "Your list has 5 choices for 4 centres", "up to 12"])
        await table.message("eagle", "choose: Par, Mos, Con, Kie, Nap")
        await table.message("boar", "choose: Mun, Bud, Den, Bel, Bul")
        answer = await table.message("stag", "choose: Ber, Smy, Spa")
        refuses(answer, ["choice 4", "If your list does not give you 4 centres, you are asked again for the rest."])
        await close(table)
        said = table.channel_text()
        assert "Lion gets Venice (VEN), London (LON), Sevastopol (SEV) and Paris (PAR)." in said
        assert "Boar and Stag got too few centres and must send a new list for the rest." in said
        standing = await table.standing()
        assert standing.table is not None
        assert sorted(standing.table.status.to_act) == ["boar", "stag"]
        refuses(await table.message("lion", "choose: Hol"), ["You have nothing to decide"])
        await choose_by_menus(table, "stag")
        while "castles" not in (await table.standing()).title:
            assert (await table.standing()).game.phase_no <= MOST_LISTS
            await close(table)
        assert table.complaints() == []


def refuses(answer: str, reasons: list[str]) -> None:
    """The answer gives each of the reasons."""
    assert [reason for reason in reasons if reason not in answer] == [], answer


async def phase_code(table: LiveGame) -> str:
    standing = await table.standing()
    assert standing.table is not None
    return standing.table.status.code


async def play_phase(table: LiveGame) -> None:
    """Everybody does his part; pending orders are nobody else's."""
    await table.quiet()
    standing = await table.standing()
    since = {person.number: {message["id"] for message in table.messages(person)} for person in table.world.people}
    for person in table.world.people:
        await table.robots.play_person(person, standing.game.phase_no)
        now = await table.standing()
        if now.game.phase_no != standing.game.phase_no or now.is_over:
            break
        assert leaks(table, now, since) == []
    await table.quiet()


async def close(table: LiveGame) -> None:
    """Everybody is content with what stands."""
    for person in table.world.people:
        standing = await table.standing()
        if standing.has_to_act(person) and not standing.is_ready(person):
            answer = await table.world.slash(person, table.world.channel.id, "orders ready", {"sure": True})
            await table.said(person, answer)
    await table.quiet()


async def choose_by_menus(table: LiveGame, power: str) -> None:
    """One centre after the other, each from the menu of its entry, until the list is full."""
    person = table.player(power)
    answer = await table.click(power, "Guide me")
    for step in range(3):
        menu = menus_of(table, power, answer)[step]
        value = menu["options"][step]["value"]
        answer = await table.world.select(person, int(menu["message"]), menu["custom_id"], [value])
        await table.said(person, answer)


def menus_of(table: LiveGame, power: str, answer: Answer) -> list[Payload]:
    """The menus in an answer."""
    sight = table.world.sight(table.player(power))
    shown = [message for message_id in answer.message_ids if (message := sight.message(message_id))]
    return [
        {**part, "message": message["id"]}
        for message in shown
        for part in parts(message)
        if part["kind"] == "select" and not part["disabled"]
    ]
