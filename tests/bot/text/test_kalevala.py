"""Kalevala's seats and endings as players read of them: nobody is named, nothing shows of a predecessor, equals win.

The world with its six rulers is set up once for each test, which costs half a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.model import BallotKind, GameId, GameStatus, Outgoing, Target, UserId
from bot.services import gm, inspect, orders, rollback, votes
from bot.services.guidance import guidance
from bot.services.region import focus
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.help import help_message
from bot.text.looking import board_messages
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from engine.computer.levels import Level
from engine.core.ids import PowerId, SystemId
from engine.registry import systems
from tests.bot.services.world import CREATOR, World

KALEVALA = SystemId("kalevala")
PLAYERS = tuple(UserId(seat) for seat in range(101, 107))
LATER = UserId(109)
BERT = PowerId("bert")
SECRET = 'EXPLORE 1 2H+4 > 2H+3\nLETTER anna "meet me at the ford"'


@pytest.fixture
def world() -> World:
    return World({KALEVALA: systems[KALEVALA]})


@pytest.fixture
def game_id(world: World) -> GameId:
    """Bert has scouted and written in the first window."""
    rulers = dict(zip(PLAYERS, ("anna", "bert", "carl", "dora", "emil", "fina"), strict=True))
    game_id = world.start(wishes=rulers, system="kalevala", players=6, options={})
    world.submit(game_id, PLAYERS[1], SECRET)
    world.ready(game_id, *PLAYERS)
    world.forget_mail()
    return game_id


def mail(world: World, game_id: GameId) -> Iterator[tuple[Outgoing, str]]:
    """All that goes out, with its words and files."""
    for outgoing in world.outbox(game_id):
        messages: tuple[Message, ...] = compose(world.context, outgoing)
        yield outgoing, "\n".join(map(repr, messages))


def in_channel(world: World, game_id: GameId) -> str:
    return "\n".join(text for outgoing, text in mail(world, game_id) if outgoing.target is Target.CHANNEL)


def test_each_window_has_first_steps_the_first_time(world: World) -> None:
    rulers = dict(zip(PLAYERS, ("anna", "bert", "carl", "dora", "emil", "fina"), strict=True))
    game_id = world.start(wishes=rulers, system="kalevala", players=6, options={})
    world.forget_mail()
    shown = []
    for _ in range(2):
        gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
        own = [text for outgoing, text in mail(world, game_id) if outgoing.target_id == PLAYERS[1]]
        shown.append((world.game(game_id).phase_code, any("First steps" in text for text in own)))
        world.forget_mail()
    assert shown == [("1.3", True), ("2.1", False)]


def helped(world: World, user_id: UserId) -> list[str]:
    """The lines of what `/help` says to somebody."""
    messages = help_message(guidance(world.context, user_id, guild_id=None, channel_id=None), lambda name: f"/{name}")
    return [line for message in messages for embed in message.embeds for line in embed.description.splitlines()]


def test_help_names_only_what_is_open_to_the_ruler_now_a_line_each(world: World) -> None:
    """In the first window nobody has priests, caravans, agents or artefacts, and nobody can fight or begin."""
    rulers = dict(zip(PLAYERS, ("anna", "bert", "carl", "dora", "emil", "fina"), strict=True))
    game_id = world.start(wishes=rulers, system="kalevala", players=6, options={})

    def doors() -> list[str]:
        lines = helped(world, PLAYERS[1])
        return [line[2:].partition(" ")[0] for line in lines[lines.index("**Also possible now:**") + 1 :][:12] if line]

    first = doors()
    assert {"/letter,", "/god", "/culture"} <= set(first)
    assert not {"/temple", "/caravan", "/agents", "/artefact", "/begin", "/fief"} & set(first)
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    assert "/fief" in doors()


def test_help_tells_what_could_be_written_apart_from_what_words_mean(world: World, game_id: GameId) -> None:
    lines = helped(world, PLAYERS[1])
    orders, meanings = (
        lines.index("**Now you could write, for example:**"),
        lines.index("**What the short words mean:**"),
    )
    assert orders < meanings
    assert not any("is a great field (GF)" in line for line in lines[orders:meanings])
    assert any("is a great field (GF)" in line for line in lines[meanings:])


def replace_bert(world: World, game_id: GameId, **changes: object) -> None:
    arguments: dict[str, object] = {"power": "bert", "new_user_id": None, **changes}
    gm.replace_player(world.context, game_id, CREATOR, is_manager=False, **arguments)  # type: ignore[arg-type]


def named(text: str) -> list[UserId]:
    """Whom a text mentions, or whose number stands in it."""
    return [user for user in (*PLAYERS, LATER) if f"{user}" in text]


def test_whoever_takes_a_realm_over_knows_it_and_nobody_is_named(world: World, game_id: GameId) -> None:
    replace_bert(world, game_id, new_user_id=LATER)
    sent = list(mail(world, game_id))
    assert named(in_channel(world, game_id)) == []
    own = "\n".join(text for outgoing, text in sent if outgoing.target_id == LATER)
    assert "Realm of Bert" in own or "'bert'" in own
    assert "2H+3" in own, "what was scouted for the realm is known to whoever rules it"
    assert not set(named(own)) - {LATER}
    lost = [text for outgoing, text in sent if outgoing.target_id == PLAYERS[1]]
    assert lost
    assert not any("2H+3" in text for text in lost)
    world.forget_mail()
    world.ready(game_id, *PLAYERS[:1], LATER, *PLAYERS[2:])
    told = {outgoing.target_id for outgoing, _ in mail(world, game_id) if outgoing.kind == "briefing"}
    assert told == {*PLAYERS, LATER} - {PLAYERS[1]}
    assert named(in_channel(world, game_id)) == []


def test_going_back_tells_the_channel_nothing_and_each_ruler_their_own_sheet(world: World, game_id: GameId) -> None:
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="1.1", keep_orders=True)
    public = in_channel(world, game_id)
    assert "goes back to before Great round 1, orders" in public
    assert not any(word in public for word in ("2H+3", "at the ford", *map(str, PLAYERS)))
    knowing = {outgoing.target_id for outgoing, text in mail(world, game_id) if "at the ford" in text}
    assert knowing == {PLAYERS[1]}
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    knowing = {outgoing.target_id for outgoing, text in mail(world, game_id) if "at the ford" in text}
    assert knowing == {PLAYERS[1], PLAYERS[0]}, "who wrote, and who is written to"


def test_the_computer_rules_a_realm_by_what_it_may_do_and_keeps_nobody_waiting(world: World, game_id: GameId) -> None:
    replace_bert(world, game_id, computer=Level.EASY)
    assert named(in_channel(world, game_id)) == []
    for _ in range(2):
        before = world.game(game_id).phase_no
        world.ready(game_id, PLAYERS[0], *PLAYERS[2:])
        assert world.game(game_id).phase_no == before + 1
    ordered = [result for record in world.records(game_id)[1:] for result in record.results if result.power == BERT]
    assert any(not result.outcome.is_failure and result.text != "PASS" for result in ordered)
    assert named(in_channel(world, game_id)) == []


def test_a_game_ended_by_all_has_no_winner_and_names_nobody(world: World, game_id: GameId) -> None:
    for user_id in PLAYERS:
        votes.vote(world.context, game_id, user_id, BallotKind.DRAW, True, None)
    assert world.game(game_id).status is GameStatus.OVER
    public = in_channel(world, game_id)
    assert named(public) == []
    assert "no winner" in public
    assert "victory" not in public
    assert "Who played what" not in public
    assert "/replay" not in public


def test_rulers_with_equal_scores_win_together_and_none_is_told_that_nobody_does(world: World) -> None:
    rulers = dict(zip(PLAYERS, ("anna", "bert", "carl", "dora", "emil", "fina"), strict=True))
    game_id = world.start(wishes=rulers, system="kalevala", players=6, options={"rounds": "1"}, name="Level")
    for _ in range(2):
        world.ready(game_id, *PLAYERS)
    assert world.game(game_id).status is GameStatus.OVER
    public = in_channel(world, game_id)
    assert "The highest score is shared by " in public
    assert "no winner" not in public
    assert named(public) == []


def test_whoever_has_nothing_else_to_do_is_not_asked_to_give_land_away(world: World, game_id: GameId) -> None:
    offer = orders.show(world.context, game_id, PLAYERS[5]).offer
    assert "FIEF" in [first.value for first in offer.firsts]
    assert offer.shortlists == ()
    place = [first.value for first in offer.firsts].index("FIEF")
    (asked,) = orders.show(world.context, game_id, PLAYERS[5], asked=(place,)).offer.shortlists
    assert asked.first.value == "FIEF"


def test_a_sheet_too_long_for_a_chat_is_one_message_with_all_of_it_in_a_file(world: World, game_id: GameId) -> None:
    for text in (f'LETTER anna "{"a" * 90_000}"', "\n".join(f"SETTLE 2H+{number} TO anna" for number in range(900))):
        receipt = world.submit(game_id, PLAYERS[1], text, mode=SubmitMode.REPLACE)
        (message,) = receipt_message(receipt)
        (file,) = message.files
        assert file.filename == "sheet.txt"
        assert all(order in file.text for order in receipt.orders)
        assert "all of them are in the file" in message.embeds[-1].description or len(receipt.orders) == 1


def test_one_great_field_in_words_is_told_like_its_picture_and_nothing_else(world: World, game_id: GameId) -> None:
    view = inspect.board(world.context, game_id, PLAYERS[1])
    opened = replace(view, scene=focus(world.context, game_id, PLAYERS[1], view.scene, "2H+5"))
    (message,) = board_messages(opened, as_text=True)
    said = str(message.embeds[0].description)
    assert "2H+5: " in said
    assert "Bert in 2H+5: " in said
    assert "2H+4" not in said
    assert "2H+4" in str(board_messages(view, as_text=True)[0].embeds[0].description)
