"""Reports and positions as text, files and alt texts."""

from __future__ import annotations

import re

import pytest

from bot.model import GameId, UserId
from bot.services import inspect
from bot.text.board import board_file, board_picture, brief_text, report_text, results_picture
from bot.text.catalogue import Words, words_for
from engine.core.ids import SystemId
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.report import Report, Section, SectionKind
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.services.world import NOON, World
from tests.bot.text.test_longest_messages import GAME

WORDS = Words(Catalogue({"heading": "{text}", "line": "{text}"}, {}))


def report(*lines: str) -> Report:
    return Report((Section(line("Austria"), tuple(line(text) for text in lines)),))


def line(text: str) -> Phrase:
    return phrase("line", text=text)


def test_short_orders_share_a_row_and_sentences_do_not() -> None:
    told = report_text(
        WORDS, report("✓ A BUD H", "✓ A VIE H", "✗ F TRI H: dislodged by A VEN", "✓ A GAL H", "Done.", "So.")
    )

    assert told.splitlines() == [
        "**Austria**",
        "✓ A BUD H · ✓ A VIE H",
        "✗ F TRI H: dislodged by A VEN",
        "✓ A GAL H",
        "Done.",
        "So.",
    ]


def test_standings_have_a_row_each_however_short() -> None:
    standings = ["Germany: 11 centres, 10 units", "Italy: 1 centre, 1 unit", "Turkey: 1 centre, 1 unit"]
    assert report_text(WORDS, report(*standings)).splitlines()[1:] == standings


def test_a_row_is_not_longer_than_a_phone_is_wide() -> None:
    told = report_text(WORDS, report(*["✓ F STP/SC S A MOS - LVN"] * 9))

    assert max(map(len, told.splitlines())) <= 80


def test_a_first_section_is_not_headed_again_with_the_heading_that_it_stands_below() -> None:
    told = Report((Section(line("News"), (line("One."),)), Section(line("News"), (line("Two."),))))

    assert report_text(WORDS, told, below="News") == brief_text(WORDS, told, 500, below="News")
    assert report_text(WORDS, told, below="News").splitlines() == ["One.", "", "**News**", "Two."]
    assert report_text(WORDS, told, below="Else").startswith("**News**\nOne.")


BRIEFLY = Words(Catalogue({"heading": "{text}", "line": "{text}", "message.more_lines": "and {count} more"}, {}))


@pytest.mark.parametrize("most", [0, 60, 200, 500, 10_000])
def test_a_brief_report_holds_its_tables_whole_and_of_stories_as_much_as_fits(most: int) -> None:
    table = Section(line("Table"), tuple(line(f"row {number}") for number in range(9)), SectionKind.TABLE)
    stories = [Section(line(name), tuple(line(f"It was {number}.") for number in range(40))) for name in ("One", "Two")]
    told = brief_text(BRIEFLY, Report((stories[0], table, stories[1])), most)

    assert all(f"row {number}\n" in told for number in range(9))
    left = [int(more) for more in re.findall(r"and (\d+) more", told)]
    assert told.count("It was") + sum(left) == 80
    least = len("**One**\nand 40 more\n\n**Table**\n**Two**\nand 40 more") + 9 * len("row 1\n") + len("```\n\n```\n\n")
    assert len(told) <= max(most, least)


def test_rows_of_tables_are_read_aloud_without_their_blanks() -> None:
    table = Section(line("Nations"), (line("        Gold  Wood"), line("Gauls     3     5")), SectionKind.TABLE)
    words = Words(Catalogue({"line": "{text}", "message.alt_results": "{report}", "message.caption": "{game}"}, {}))
    scene = Scene(SystemId("diplomacy"), "standard", line("Turn 1"))

    assert results_picture(words, GAME, scene, Report((table,)), ()).alt == "Nations: Gold Wood; Gauls 3 5."


def test_a_report_that_fits_is_told_whole() -> None:
    told = report("It was so.", "And so.")

    assert brief_text(BRIEFLY, told, 500) == report_text(BRIEFLY, told)


@pytest.fixture
def world() -> World:
    return World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})


@pytest.fixture
def game_id(world: World) -> GameId:
    players = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
    wishes = {UserId(number): power for number, power in enumerate(players, start=1)}
    return world.start(wishes=wishes, system="diplomacy", name="*War*", players=7)


def test_alt_text_names_every_unit_of_the_board(world: World, game_id: GameId) -> None:
    view = inspect.board(world.context, game_id, None)
    words = words_for(SystemId("diplomacy"), "standard")

    picture = board_picture(words, view.game, view.scene, view.text, deadline_at=NOON)

    assert len(picture.alt) <= 1024
    for unit in ("A BUD", "F STP/SC", "F ANK", "A LVP"):
        assert unit in picture.alt


def test_picture_names_game_and_deadline_in_utc(world: World, game_id: GameId) -> None:
    view = inspect.board(world.context, game_id, None)
    words = words_for(SystemId("diplomacy"), "standard")

    caption = board_picture(words, view.game, view.scene, view.text, deadline_at=NOON).scene.caption

    assert caption is not None
    assert words.plain(caption) == "*War* · orders until Sat 21 Nov 2026, 12:00 UTC"


def test_board_file_is_plain_text(world: World, game_id: GameId) -> None:
    view = inspect.board(world.context, game_id, None)

    file = board_file(words_for(SystemId("diplomacy"), "standard"), view.game, view.title, view.text)

    assert file.filename == "board.txt"
    assert file.text.startswith("*War*: Spring 1901")
    assert "**" not in file.text
