"""The courier as a page, and reports to the game masters about what other players have written."""

from __future__ import annotations

import pytest

from bot.model import GameId, MessageKind, Outgoing, Target, UserId
from bot.services import complaints, doors
from bot.services.errors import Refused
from bot.text.compose import compose
from bot.text.custom_ids import Action, parse_custom_id
from bot.text.discord_limits import breaches
from bot.text.message import Message
from bot.text.newspaper import NEWSPAPER_FILE
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.world import CREATOR, World

KALEVALA = systems[SystemId("kalevala")]
RULERS = ("anna", "bert", "carl", "dora", "emil", "fina")
PLAYERS = {UserId(number): ruler for number, ruler in enumerate(RULERS, start=1)}
ANNA, BERT, CARL, STRANGER = UserId(1), UserId(2), UserId(3), UserId(99)
PIECE = "The <b>harvest</b> was good.\n\nLetters & gifts to *Anna*, please."


@pytest.fixture
def world() -> World:
    return World({KALEVALA.info.id: KALEVALA})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="kalevala", players=6)


def composed(world: World, game_id: GameId, kind: str, to: int | None = None) -> list[tuple[Outgoing, list[Message]]]:
    """The messages of a kind, to somebody if that is said."""
    return [
        (each, list(compose(world.context, each)))
        for each in world.outbox(game_id)
        if each.kind == kind and to in (None, each.target_id)
    ]


def report_buttons(messages: list[Message]) -> list[int]:
    """Of which phases what was written can be reported."""
    ids = [parse_custom_id(button.custom_id) for message in messages for button in message.buttons]
    return [each.phase_no for each in ids if each is not None and each.action == Action.REPORT]


def test_the_courier_is_a_page_in_which_nothing_of_a_players_is_markup(world: World, game_id: GameId) -> None:
    doors.submit_form(world.context, game_id, ANNA, "article", PIECE)
    assert doors.form(world.context, game_id, ANNA, "courier").text == PIECE.replace("\n\n", "\n")
    world.forget_mail()
    world.pass_deadline(game_id)
    [(_, [message])] = composed(world, game_id, "phase_closed")
    [page] = [file.text for file in message.files if file.filename == NEWSPAPER_FILE]
    assert "The Courier of great round 1" in page
    assert "&lt;b&gt;harvest&lt;/b&gt; was good.</p>" in page
    assert "<p>Letters &amp; gifts to *Anna*, please.</p>" in page
    assert "<h2>Anna, 1.3</h2>" in page
    assert report_buttons([message]) == [1]
    world.forget_mail()
    world.pass_deadline(game_id)
    quiet = [message for _, messages in composed(world, game_id, "phase_closed") for message in messages]
    assert not [file for message in quiet for file in message.files if file.filename == NEWSPAPER_FILE]
    assert report_buttons(quiet) == []


def test_the_news_are_those_of_both_windows(world: World, game_id: GameId) -> None:
    world.pass_in_silence(game_id, 2)
    world.forget_mail()
    doors.order(world.context, game_id, ANNA, "courier", {"text": "Peace!"})
    world.pass_in_silence(game_id, 1)
    [(_, [message])] = composed(world, game_id, "phase_closed")
    [page] = [file.text for file in message.files if file.filename == NEWSPAPER_FILE]
    assert "Bert has sent no sheet. Windows missed in a row: 2." in page
    assert "Bert has sent no sheet. Windows missed in a row: 3." in page


def test_what_was_written_is_reported_to_the_masters_alone_and_once(world: World, game_id: GameId) -> None:
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "You *fool*"})
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "carl", "text": "My friend"})
    world.forget_mail()
    world.pass_deadline(game_id)
    [(_, letter)] = composed(world, game_id, "briefing", BERT)
    assert report_buttons(letter) == [1]
    [(_, others)] = composed(world, game_id, "briefing", UserId(4))
    assert report_buttons(others) == []
    world.forget_mail()
    for whom in (STRANGER, UserId(4)):
        with pytest.raises(Refused):
            complaints.send(world.context, game_id, whom, 1, "rude")
    with pytest.raises(Refused):
        complaints.send(world.context, game_id, BERT, 1, "  ")
    with pytest.raises(Refused):
        complaints.send(world.context, game_id, BERT, 7, "a phase that is not over")
    complaints.send(world.context, game_id, BERT, 1, "That is rude.\n@everyone look")
    with pytest.raises(Refused):
        complaints.send(world.context, game_id, BERT, 1, "And again")
    [(outgoing, [message])] = composed(world, game_id, MessageKind.COMPLAINT)
    assert world.kinds(game_id) == [MessageKind.COMPLAINT]
    assert (outgoing.target, outgoing.target_id) == (Target.USER, CREATOR)
    text = f"{message.content}\n{message.embeds[0].description}"
    assert "**Bert** reports" in text
    assert "> That is rude." in text
    assert "You \\*fool\\*" in text
    assert "My friend" not in text, "what somebody else was written is nobody's to report"
    assert message.mentions == ()
    assert breaches(message) == []
    complaints.send(world.context, game_id, CARL, 1, "He is no friend of mine")
    assert len(composed(world, game_id, MessageKind.COMPLAINT)) == 2
