"""Reports and positions as text, files and alt texts."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import inspect
from bot.text.board import board_file, board_picture, report_text
from bot.text.catalogue import Words, words_for
from engine.core.ids import SystemId
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.report import Report, Section
from engine.registry import systems
from tests.bot.services.world import NOON, World

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


def test_a_row_is_not_longer_than_a_phone_is_wide() -> None:
    told = report_text(WORDS, report(*["✓ F STP/SC S A MOS - LVN"] * 9))

    assert max(map(len, told.splitlines())) <= 80


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
