"""Kalevala's letters and permits as doors, and what each ruler is sent after a window."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace

import pytest

from bot.model import GameId, Target, UserId
from bot.services import doors, orders, replay, transfer
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.order_receipt import receipt_message
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.kalevala.parse import MOST_LINES
from engine.registry import systems
from tests.bot.services.world import World

KALEVALA = systems[SystemId("kalevala")]
RULERS = ("anna", "bert", "carl", "dora", "emil", "fina")
PLAYERS = {UserId(number): ruler for number, ruler in enumerate(RULERS, start=1)}
ANNA, BERT, STRANGER = UserId(1), UserId(2), UserId(99)


@pytest.fixture
def world() -> World:
    return World({KALEVALA.info.id: KALEVALA})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="kalevala", players=6)


def offered(world: World, game_id: GameId, user_id: UserId, door: str, option: str) -> list[str]:
    return [choice.value for choice in doors.complete(world.context, game_id, user_id, door, option, "")]


def test_rulers_and_own_land_complete_themselves(world: World, game_id: GameId) -> None:
    rulers = offered(world, game_id, ANNA, "letter", "ruler")
    assert {*rulers} == {*RULERS[1:]}, "marauders read no letters"
    everywhere, *places = offered(world, game_id, ANNA, "permit", "place")
    assert everywhere == "ALL"
    assert len(places) == 3
    assert not set(places) & set(offered(world, game_id, BERT, "permit", "place")[1:])
    with pytest.raises(Refused):
        offered(world, game_id, STRANGER, "permit", "place")


def test_a_letter_can_not_be_written_so_that_it_looks_like_another(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, ANNA, 'LETTER bert "\u202ePeace\u202c at https://example.com"')
    assert receipt.orders == ('LETTER bert "Peace at https://example.com"',)
    world.pass_deadline(game_id)
    for message in world.outbox(game_id):
        if message.target_id == BERT:
            told = [text for part in compose(world.context, message) for text in (part.content, repr(part.embeds))]
            assert not any("https://example.com" in text or "\u202e" in text for text in told)


def test_a_letter_and_a_permit_go_into_the_sheet(world: World, game_id: GameId) -> None:
    place = offered(world, game_id, ANNA, "permit", "place")[1]
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": 'Peace?\nSay "yes"'})
    receipt = doors.order(world.context, game_id, ANNA, "permit", {"ruler": "bert", "place": place, "rounds": "3"})
    assert receipt.errors == ()
    assert receipt.orders == ("LETTER bert \"Peace? Say 'yes'\"", f"PERMIT bert {place} 3")
    assert orders.show(world.context, game_id, BERT).orders == ()


def test_a_letter_reaches_its_receiver_alone_and_each_gets_their_books(world: World, game_id: GameId) -> None:
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "Meet me at the sea"})
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    told: dict[tuple[Target, int], str] = {}
    files: dict[int, dict[str, str]] = {}
    for outgoing in world.outbox(game_id):
        for message in compose(world.context, outgoing):
            to = outgoing.target, outgoing.target_id
            told[to] = told.get(to, "") + repr(message)
            files.setdefault(outgoing.target_id, {}).update({file.filename: file.text for file in message.files})
            assert outgoing.target is Target.USER or (message.pictures, message.files) == ((), ())
    heard = {number for (_, number), text in told.items() if "Meet me" in text}
    assert heard == {ANNA, BERT}, "whoever wrote it sees the own line"
    for user_id in PLAYERS:
        assert "Upkeep due" in files[user_id]["ledger.txt"]


def test_a_letter_of_a_sham_ruler_has_a_name_below_it_as_others_have(world: World, game_id: GameId) -> None:
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "Hail", "signed": "Old Louhi"})
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    mail = [outgoing for outgoing in world.outbox(game_id) if outgoing.target_id == BERT]
    told = "".join(repr(message) for outgoing in mail for message in compose(world.context, outgoing))
    assert "A letter from Old Louhi" in told


def test_forms_name_somebody_and_land_of_the_players_own_game(world: World, game_id: GameId) -> None:
    capital = (world.game(game_id).document or {})["state"]["rulers"]["bert"]["capital"]
    assert doors.form(world.context, game_id, BERT, "letters").example in {*RULERS} - {"bert"}
    assert doors.form(world.context, game_id, BERT, "courier").example == capital


def test_a_form_holds_all_letters_and_express_and_sham_ones_have_options(world: World, game_id: GameId) -> None:
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "Peace?"})
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "carl", "text": "Hail", "signed": "Old Louhi"})
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "dora", "text": "Help", "sending": "express"})
    receipt = doors.submit_form(
        world.context, game_id, ANNA, "letters", 'bert: War, then: "yes"\nemil: And you?\nnonsense'
    )
    assert receipt.orders == (
        'LETTER carl "Hail" AS old_louhi',
        'EXPRESS dora "Help"',
        "LETTER bert \"War, then: 'yes'\"",
        'LETTER emil "And you?"',
    )
    assert [error.line for error in receipt.errors] == [3]
    for wrong in ({"ruler": "bert"}, {"ruler": "bert", "text": "x", "sending": "express", "signed": "Louhi"}):
        with pytest.raises(Refused):
            doors.order(world.context, game_id, ANNA, "letter", wrong)


@pytest.mark.parametrize("name", ["anna", "zorro", "wolves"])
def test_whoever_writes_to_nobody_is_told_to_whom_letters_can_go(world: World, game_id: GameId, name: str) -> None:
    with pytest.raises(Refused) as refused:
        doors.order(world.context, game_id, ANNA, "letter", {"ruler": name, "text": "Hail"})
    assert refused.value.what == phrase("door.letter.stranger", ruler=name)
    assert refused.value.hint is not None
    assert set(refused.value.hint.args["words"]) <= {"bert", "carl", "dora", "emil", "fina"}
    assert doors.order(world.context, game_id, ANNA, "letter", {"ruler": "Bert", "text": "Hail"}).orders


def test_a_sheet_is_answered_line_by_line_whatever_stands_in_it(world: World, game_id: GameId) -> None:
    """Places of no map, pieces that nobody has, umlauts in every spelling, others' land: the rest stands."""
    sheet = (
        "EXPLORE 1 2E+7 > 2E+6\n"
        "EXPLORE 2 2X+99 > 2X+98\n"
        "MARCH ON POHJOLA\n"
        "CONVERT 2E+8 1KrKö\nCONVERT 2E+8 1krkoe\nCONVERT 2E+8 1KrKo\u0308\nCONVERT 2E+8 1Qö\n"
        "WATCH 2H+5 1\n"
        "\n# a comment\n"
        "WATCH 2E+8 1\n"
    )
    receipt = world.submit(game_id, ANNA, sheet)
    assert [error.line for error in receipt.errors] == [3, 7]
    assert len(receipt.orders) == 7
    assert receipt.rehearsal is not None
    levels = [forecast.level for forecast in receipt.rehearsal.lines]
    assert levels == ["ok", "error", "error", "error", "error", "error", "ok"]


def test_a_letter_of_100_kb_arrives_whole_and_10_000_lines_cost_nothing_that_stands(
    world: World, game_id: GameId
) -> None:
    letter, many = "x" * 99_000, "\n".join(f"WATCH 2E+8 {number}" for number in range(1, 10_000))
    receipt = world.submit(game_id, ANNA, f'LETTER bert "{letter}"')
    assert receipt_message(receipt)
    with contextlib.suppress(Refused):
        world.submit(game_id, ANNA, many)
    receipt = world.submit(game_id, ANNA, "WATCH 2E+8 1")
    assert {f'LETTER bert "{letter}"', "WATCH 2E+8 1"} <= set(receipt.orders)
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    mail = [outgoing for outgoing in world.outbox(game_id) if outgoing.target_id == BERT]
    texts = [file.text for outgoing in mail for message in compose(world.context, outgoing) for file in message.files]
    assert any(letter in text for text in texts)


def test_a_game_exports_and_comes_back_the_same(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANNA, "EXPLORE 1 2E+7 > 2E+6")
    world.pass_deadline(game_id)
    world.submit(game_id, ANNA, "ENTER 2 2E+7 B 2E+6 3L LOSS 2L")
    document = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    other = World({KALEVALA.info.id: KALEVALA})
    other.context = replace(other.context, seeds=lambda: "another seed")
    other.clock.moment = world.clock.moment
    game = transfer.import_game(other.context, document, guild_id=1, channel_id=2, user_id=ANNA)
    assert replay.replay(other.context, game.id) == ()
    for one, copy in ((world, game_id), (other, game.id)):
        one.pass_deadline(copy)
    assert other.game(game.id).document == world.game(game_id).document


def test_what_is_added_to_a_full_sheet_is_refused_and_the_sheet_stands(world: World, game_id: GameId) -> None:
    full = "\n".join(f'LETTER bert "{number}"' for number in range(MOST_LINES))
    before = world.submit(game_id, UserId(1), full, mode=SubmitMode.REPLACE)
    assert (len(before.orders), before.errors) == (MOST_LINES, ())
    added = world.submit(game_id, UserId(1), 'LETTER carl "hello"', mode=SubmitMode.MERGE)
    assert [error.code for error in added.errors] == ["too_many_lines"]
    assert added.orders == before.orders
    assert "a sheet holds at most 1000 lines, and this one is full" in repr(receipt_message(added))
