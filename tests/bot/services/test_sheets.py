"""Games of sheets (King of Kings) through the services: what is sent, what is answered, what is told of a turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast

import pytest

from bot.model import GameId, UserId
from bot.services import doors, gm, orders, replay, turns
from bot.services.errors import LONGEST_PROBLEM, Refused
from bot.services.guidance import guidance
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.board import plain_time
from bot.text.compose import compose
from bot.text.discord_limits import breaches
from bot.text.failure import refused_message
from bot.text.help import help_message
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from engine.core.dice import seal
from engine.core.ids import PowerId, SystemId
from engine.king_of_kings.model import State
from engine.king_of_kings.system import KING_OF_KINGS
from engine.registry import AnySystem, systems
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.shown import described
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, World
from tests.toy_system import TOY

RULES = KING_OF_KINGS


def homes(world: World, game_id: GameId, user_id: UserId) -> list[str]:
    """The provinces of a player as orders name them."""
    document = world.game(game_id).document
    assert document is not None
    state: State = RULES.play.load(document)
    power = next(seat.power for seat in world.seats(game_id) if seat.user_id == user_id)
    assert power is not None
    return ["{} {}".format(*state.grid.xy(cell)) for cell in state.owned(power)]


def told(world: World, game_id: GameId, kind: str) -> list[Message]:
    messages = [m for out in world.outbox(game_id) if out.kind == kind for m in compose(world.context, out)]
    assert [breach for message in messages for breach in breaches(message)] == []
    return messages


def test_a_sheet_takes_the_place_of_the_one_before(world: World, game_id: GameId) -> None:
    first, second, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}\nPLA {first} FO", mode=SubmitMode.AS_SENT)
    receipt = world.submit(game_id, ANN, f"BEGIN\nBUILD {second}\nEND", mode=SubmitMode.AS_SENT)
    assert receipt.orders == (f"BUILD {second}",)


def test_a_receipt_says_which_orders_a_new_sheet_took_the_place_of(world: World, game_id: GameId) -> None:
    """Whoever sends one order after the other would else keep only the last one unawares."""
    first, second, third, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, "PASS", mode=SubmitMode.AS_SENT)
    assert "No longer in your sheet" not in said(world.submit(game_id, ANN, f"BUILD {first}", mode=SubmitMode.AS_SENT))
    replaced = said(world.submit(game_id, ANN, f"BUILD {second}", mode=SubmitMode.AS_SENT))
    assert f"No longer in your sheet: `BUILD {first}`. A message replaces the whole sheet" in replaced
    assert "No longer in your sheet" not in said(world.submit(game_id, ANN, f"BUILD {third}"))
    assert "No longer in your sheet" not in said(world.submit(game_id, ANN, "PASS", mode=SubmitMode.AS_SENT))


def said(receipt: Receipt) -> str:
    return "\n".join(message.content for message in receipt_message(receipt))


def test_single_orders_go_to_the_end_of_the_sheet(world: World, game_id: GameId) -> None:
    first, second, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}", mode=SubmitMode.AS_SENT)
    receipt = world.submit(game_id, ANN, f"BUILD {second}")
    assert receipt.orders == (f"BUILD {first}", f"BUILD {second}")


def test_full_sheet_loses_nothing_to_an_order_that_has_no_room(world: World) -> None:
    wishes = {ANN: "", BOB: "", CY: ""}
    game_id = world.start(wishes=wishes, system="king_of_kings", players=3, options={"max_orders": "2"})
    first, second, third, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}\nBUILD {second}", mode=SubmitMode.AS_SENT)
    receipt = world.submit(game_id, ANN, f"BUILD {third}")
    assert receipt.orders == (f"BUILD {first}", f"BUILD {second}")
    assert [(error.code, error.text) for error in receipt.errors] == [("E05", f"BUILD {third}")]
    assert not receipt.changed


def test_lines_in_another_order_are_another_sheet(world: World, game_id: GameId) -> None:
    first, second, *_ = homes(world, game_id, ANN)
    lines = (f"PLA {first} FO", f"PLA {second} FO")
    world.submit(game_id, ANN, "\n".join(lines), mode=SubmitMode.AS_SENT)
    world.ready(game_id, ANN)
    same = world.submit(game_id, ANN, "\n".join(lines), mode=SubmitMode.AS_SENT)
    assert (same.changed, same.is_ready) == (False, True)
    turned = world.submit(game_id, ANN, "\n".join(reversed(lines)), mode=SubmitMode.AS_SENT)
    assert (turned.changed, turned.is_ready) == (True, False)


@pytest.mark.parametrize("text", ["PASS", "BEGIN\nEND"])
def test_a_sheet_without_orders_is_taken(world: World, game_id: GameId, text: str) -> None:
    receipt = world.submit(game_id, ANN, text, mode=SubmitMode.AS_SENT)
    assert (receipt.orders, receipt.errors) == (("PASS",), ())


def missed_turns(world: World, game_id: GameId) -> dict[str, int]:
    """How many turns each nation has missed in a row, as the rules count them."""
    document = world.game(game_id).document
    assert document is not None
    return {nation["name"]: nation.get("missed", 0) for nation in document["state"]["nations"]}


def test_who_is_ready_without_a_sheet_has_sent_an_empty_one(world: World, game_id: GameId) -> None:
    """Whoever says so is there: the server does not play for them."""
    world.ready(game_id, ANN)
    receipt = orders.show(world.context, game_id, ANN)
    assert (receipt.orders, receipt.missing, receipt.is_ready) == (("PASS",), (), True)
    world.ready(game_id, BOB)
    world.pass_deadline(game_id)
    powers = {seat.user_id: str(seat.power) for seat in world.seats(game_id)}
    missed = missed_turns(world, game_id)
    assert [missed[powers[user_id]] for user_id in (ANN, BOB, CY)] == [0, 0, 1]


def test_ready_leaves_a_sheet_as_it_is(world: World, game_id: GameId) -> None:
    first, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}", mode=SubmitMode.AS_SENT)
    world.ready(game_id, ANN)
    receipt = orders.show(world.context, game_id, ANN)
    assert (receipt.orders, receipt.version) == ((f"BUILD {first}",), 1)


def test_a_sheet_that_was_taken_back_is_one_all_the_same(world: World, game_id: GameId) -> None:
    """The receipt does not say that the server will play, and it does not."""
    world.submit(game_id, ANN, "PASS", mode=SubmitMode.AS_SENT)
    orders.clear(world.context, game_id, ANN)
    receipt = orders.show(world.context, game_id, ANN)
    assert (receipt.orders, receipt.missing) == ((), ())
    assert "Your sheet is empty" in described(receipt)
    world.pass_deadline(game_id)
    power = next(str(seat.power) for seat in world.seats(game_id) if seat.user_id == ANN)
    assert missed_turns(world, game_id)[power] == 0


def test_talk_is_no_sheet(world: World, game_id: GameId) -> None:
    """The receipt says what becomes of who sends none, the player is reminded, and the server plays."""
    receipt = world.submit(game_id, ANN, "hello, what do I do?", mode=SubmitMode.AS_SENT)
    assert receipt.missing
    assert "the computer plays your nation this turn" in fields(receipt)
    assert "sheet is empty" not in described(receipt)
    world.pass_deadline(game_id)
    power = next(str(seat.power) for seat in world.seats(game_id) if seat.user_id == ANN)
    assert missed_turns(world, game_id)[power] == 1
    record = world.records(game_id)[-1]
    assert PowerId(power) not in record.sheets


def fields(receipt: Receipt) -> str:
    messages = receipt_message(receipt)
    return "\n".join(field.value for message in messages for embed in message.embeds for field in embed.fields)


def test_warnings_and_what_follows_them_make_one_sentence(world: World, game_id: GameId) -> None:
    document = world.game(game_id).document
    assert document is not None
    hills = next(place for place in homes(world, game_id, ANN) if terrain(document, place) == "H")
    receipt = world.submit(game_id, ANN, f"BUILD {hills}", mode=SubmitMode.AS_SENT)
    assert "↳ note: hills would become grassland, which does not yield more; costs 12 gold" in described(receipt)


def terrain(document: Mapping[str, Any], place: str) -> str:
    x, y = map(int, place.split())
    return str(document["state"]["map"][y][x])


def test_a_players_part_too_long_to_read_comes_in_brief_and_whole_as_a_file(world: World) -> None:
    wishes = {ANN: "", BOB: "", CY: ""}
    game_id = world.start(wishes=wishes, system="king_of_kings", players=3, options={"max_orders": "400"})
    first, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"NAME {first} Ur\n" + "BUILD 999 0\n" * 399, mode=SubmitMode.AS_SENT)
    world.pass_deadline(game_id)
    power = next(seat.power for seat in world.seats(game_id) if seat.user_id == ANN)
    out = [out for out in world.outbox(game_id) if out.kind == "briefing" and out.payload["power"] == power][-1]
    messages = compose(world.context, out)
    assert [breach for message in messages for breach in breaches(message)] == []
    (file,) = [file for message in messages for file in message.files]
    assert file.text.count("is off the map") == 399
    assert len(messages) <= 4
    text = "\n".join(embed.description for message in messages for embed in message.embeds)
    assert "more lines; all of them are in the file" in text


def test_a_reminder_says_what_becomes_of_who_sends_nothing(world: World, game_id: GameId) -> None:
    deadline = world.game(game_id).deadline_at
    assert deadline is not None
    world.clock.moment = deadline - timedelta(minutes=10)
    turns.sweep(world.context)
    reminded = told(world, game_id, "reminder")
    assert len(reminded) == 3
    assert all("the computer plays your nation this turn" in message.content for message in reminded)


def test_the_receipt_tells_of_each_line_what_it_costs_and_whether_it_fails(world: World, game_id: GameId) -> None:
    first, *_ = homes(world, game_id, ANN)
    receipt = world.submit(game_id, ANN, f"PLA {first} FO\nBUILD 999 0\nNONSENSE", mode=SubmitMode.AS_SENT)
    text = described(receipt)
    assert ".;" not in text
    assert f"1. `PLA {first} FO`\n↳ ok; costs 6 gold" in text
    assert "2. `BUILD 999 0`\n↳ will fail: 999/0 is off the map" in text
    assert [(error.line, error.code) for error in receipt.errors] == [(3, "E01")]
    assert len(receipt.orders) == 2


def test_treaties_are_orders_too(world: World, game_id: GameId) -> None:
    first, *_ = homes(world, game_id, ANN)
    other = next(seat.power for seat in world.seats(game_id) if seat.user_id == BOB)
    assert other is not None
    whats = {"ally": {"status": "3"}, "donate": {"gold": "5"}, "cede": {"place": first.replace(" ", "/")}}
    for door, given in whats.items():
        receipt = doors.order(world.context, game_id, ANN, door, {"nation": other, **given})
    assert receipt.orders == (f"ALL {other} 3", f"DONATE {other} 5", f"CEDE {first} {other}")


IMPOSSIBLE = [
    ("ally", {"nation": "Atlantis", "status": "1"}, "E11"),
    ("donate", {"nation": "9", "gold": "5"}, "E11"),
    ("donate", {"nation": "Atlantis", "gold": "5"}, "E11"),
    ("cede", {"nation": "2", "place": "99 99"}, "E03"),
    ("cede", {"nation": "2", "place": "-1/4"}, "E03"),
    ("cede", {"nation": "2", "place": "Rome"}, "E02"),
]


@pytest.mark.parametrize(("door", "given", "code"), IMPOSSIBLE)
def test_treaty_with_nobody_or_about_no_place_is_refused_at_once(
    world: World, game_id: GameId, door: str, given: dict[str, str], code: str
) -> None:
    """Source: ruling K-82."""
    first, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}", mode=SubmitMode.AS_SENT)
    receipt = doors.order(world.context, game_id, ANN, door, given)
    assert receipt.orders == (f"BUILD {first}",)
    assert [error.code for error in receipt.errors] == [code]
    assert not receipt.changed
    by_text = world.submit(game_id, ANN, f"DEF {first} C\n{receipt.errors[0].text}")
    assert (by_text.orders[1:], [error.code for error in by_text.errors]) == ((f"DEF {first} C",), [code])


def test_whole_sheet_keeps_its_impossible_lines_marked(world: World, game_id: GameId) -> None:
    """Source: ruling K-82."""
    receipt = world.submit(game_id, ANN, "ALL atlantis 1\nBUILD 99 99", mode=SubmitMode.AS_SENT)
    assert (receipt.orders, receipt.errors) == (("ALL atlantis 1", "BUILD 99 99"), ())
    assert "another nation that is still in the game" in described(receipt)
    assert "off the map" in described(receipt)


def test_line_with_a_possible_part_is_put_in(world: World, game_id: GameId) -> None:
    first, *_ = homes(world, game_id, ANN)
    assert world.submit(game_id, ANN, f"DEF {first} C 99 99 C").orders == (f"DEF {first} C 99 99 C",)
    assert world.submit(game_id, ANN, "DEF 98 99 C 99 99 C").errors[0].code == "E03"


@pytest.mark.parametrize("mode", [SubmitMode.MERGE, SubmitMode.AS_SENT])
def test_nation_that_may_be_meant_is_named(world: World, game_id: GameId, mode: SubmitMode) -> None:
    other = next(seat.power for seat in world.seats(game_id) if seat.user_id == BOB)
    assert other is not None
    for typed in (other[:4], f"{other[:-2]}x"):
        receipt = world.submit(game_id, ANN, f"ALL {typed} 1", mode=mode)
        (message,) = receipt_message(receipt)
        assert f"Try `ALL {other} 1`" in "\n".join(embed.description for embed in message.embeds)


def test_an_option_of_a_treaty_can_not_smuggle_in_a_line(world: World, game_id: GameId) -> None:
    receipt = doors.order(world.context, game_id, ANN, "ally", {"nation": "2\nPASS\n", "status": "3"})
    assert (receipt.orders, [error.code for error in receipt.errors]) == ((), ["E02"])


def test_games_without_treaties_refuse_them_kindly() -> None:
    world = World({RULES.info.id: systems[RULES.info.id], SystemId("toy"): cast(AnySystem, TOY)})
    game_id = world.start()
    with pytest.raises(Refused) as caught:
        doors.order(world.context, game_id, ANN, "ally", {"nation": "green", "status": "3"})
    assert "you deal with others by talking to them" in refused_message(caught.value).content


def test_a_turn_is_told_in_short_and_attached_in_whole_without_the_seed(world: World, game_id: GameId) -> None:
    first, *_ = homes(world, game_id, ANN)
    world.submit(game_id, ANN, f"BUILD {first}\nBUILD 999 0", mode=SubmitMode.AS_SENT)
    document = world.game(game_id).document
    assert document is not None
    world.forget_mail()
    world.pass_deadline(game_id)
    (closed,) = told(world, game_id, "phase_closed")
    files = {file.filename: file.text for file in closed.files}
    record = json.loads(files["turn.json"])
    assert "off the map" not in closed.embeds[0].description
    assert "off the map" in files["report.txt"]
    assert {"nation", "line", "part", "order", "code", "codes", "level", "text"} == set(record["results"][0])
    assert record["position"]["phase"] == {"turn": 2}
    assert all(str(document["seed"]) not in text for text in files.values())


def test_the_report_of_a_turn_begins_with_its_time_the_next_deadline_and_the_seal(
    world: World, game_id: GameId
) -> None:
    """King of Kings, rules 11: game, turn, date, next deadline, seed commitment."""
    document = world.game(game_id).document
    assert document is not None
    world.forget_mail()
    world.pass_deadline(game_id)
    (closed,) = told(world, game_id, "phase_closed")
    (text,) = [file.text for file in closed.files if file.filename == "report.txt"]
    deadline = world.game(game_id).deadline_at
    assert deadline is not None
    head = text.partition("\n\n")[0].splitlines()
    assert head[1:] == [
        f"Closed {plain_time(world.clock.now())}.",
        f"The next orders lock {plain_time(deadline)}.",
        f"Fingerprint of the seed of the dice (SHA-256): {seal(str(document['seed']))}.",
    ]


def test_each_player_is_told_of_the_own_errors(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANN, "BUILD 999 0", mode=SubmitMode.AS_SENT)
    world.forget_mail()
    world.pass_deadline(game_id)
    briefings = {out.target_id: compose(world.context, out) for out in world.outbox(game_id) if out.kind == "briefing"}
    seen = {user: "".join(e.description for m in parts for e in m.embeds) for user, parts in briefings.items()}
    assert "off the map" in seen[ANN]
    assert "off the map" not in seen[BOB]
    assert CHANNEL not in seen


def test_an_enormous_sheet_is_answered_within_what_discord_takes(world: World, game_id: GameId) -> None:
    lines = "\n".join(f"BUILD {number} 0" for number in range(7000))
    receipt = world.submit(game_id, ANN, lines, mode=SubmitMode.AS_SENT)
    assert len(receipt_message(receipt)) < 8
    assert len(receipt.orders) == 50
    assert {error.code for error in receipt.errors} == {"E05"}


def test_system_id_is_the_registered_one() -> None:
    assert RULES.info.id == SystemId("king_of_kings")


def test_a_game_master_changes_the_position_for_all_to_see(world: World, game_id: GameId) -> None:
    power = next(seat.power for seat in world.seats(game_id) if seat.user_id == ANN)
    world.forget_mail()
    gm.edit(world.context, game_id, CREATOR, is_manager=False, text=f"gold {power}  99")
    document = world.game(game_id).document
    assert document is not None
    assert next(row["gold"] for row in document["state"]["nations"] if row["name"] == power) == 99
    assert [out.payload["args"]["text"] for out in world.outbox(game_id)] == [f"gold {power} 99"]
    world.pass_deadline(game_id)
    assert replay.verify(world.context, game_id).drifted == ()


def test_changes_are_for_game_masters_and_for_games_that_take_them(world: World, game_id: GameId) -> None:
    change = {"is_manager": False, "text": "gold 1 99"}
    assert refused_code(gm.edit, world.context, game_id, ANN, **change) == "not_a_game_master"
    assert refused_code(gm.edit, world.context, game_id, CREATOR, is_manager=False, text="gold") == "edit_impossible"
    other = World()
    other_id = other.start()
    assert refused_code(gm.edit, other.context, other_id, CREATOR, **change) == "no_edits"


def test_a_long_problem_is_quoted_with_an_ellipsis(world: World, game_id: GameId) -> None:
    nobody = "x" * 450
    found = refusal(gm.edit, world.context, game_id, CREATOR, is_manager=False, text=f"gold {nobody} 9")
    problem = str(found.what.args["problem"])
    assert (len(problem), problem[-1]) == (LONGEST_PROBLEM + 1, "…")


@pytest.mark.parametrize(
    ("players", "options", "told_at_once"),
    [
        (15, {}, "King of Kings can't be played by 15 players.\nIt can be from 2 to 14."),
        (20, {}, "can't be played by 20 players"),
        (60, {}, "can't be played by 60 players"),
        (1, {}, "can't be played by 1 player."),
        (14, {"map_side": "22"}, "14 nations need from 23 to 60, not 22"),
        (2, {"map_side": "8"}, "2 nations need from 12 to 60, not 8"),
        (2, {"map_side": "61"}, "The option map_side can't be “61”.\nIt can be from 0 to 60."),
    ],
)
def test_map_that_cannot_be_made_fair_is_refused_when_the_game_is_created(
    world: World, players: int, options: dict[str, str], told_at_once: str
) -> None:
    with pytest.raises(Refused) as refusal:
        world.create(system="king_of_kings", players=players, options=options)
    message = refused_message(refusal.value)
    assert told_at_once in message.content.replace("\\", "")
    assert world.storage.tables.games == {}


def test_ranking_of_fourteen_nations_is_told_in_one_message(world: World) -> None:
    """Source: rules 11; what a phone shows in a row is 40 characters wide."""
    wishes = {UserId(number): "" for number in range(1, 15)}
    game_id = world.start(wishes=wishes, system="king_of_kings", players=14)
    world.forget_mail()
    world.pass_deadline(game_id)
    (closed,) = told(world, game_id, "phase_closed")
    (embed,) = closed.embeds
    table = embed.description.partition("of the three ranks)**\n```\n")[2].partition("\n```")[0].splitlines()
    assert len(table) == 15
    (width,) = {len(row) for row in table}
    assert width <= 40


def test_a_first_text_of_which_nothing_is_understood_is_said_to_change_nothing(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, ANN, "hello what is this", mode=SubmitMode.AS_SENT)
    told = "\n".join(message.content for message in receipt_message(receipt))
    assert "Nothing was changed by this." in told
    assert "sheet is empty" not in described(receipt)


def test_help_says_once_what_becomes_of_who_sends_nothing_and_not_when_a_sheet_was_emptied(
    world: World, game_id: GameId
) -> None:
    assert help_for(world, ANN).count("If you send no sheet") == 1
    world.submit(game_id, ANN, "PASS", mode=SubmitMode.AS_SENT)
    orders.clear(world.context, game_id, ANN)
    assert "If you send no sheet" not in help_for(world, ANN)
    assert "Your sheet is empty: unless you send another, you do nothing" in help_for(world, ANN)


def help_for(world: World, user_id: UserId) -> str:
    person = guidance(world.context, user_id, guild_id=None, channel_id=None)
    messages = help_message(person, lambda name: name)
    return "\n".join(embed.description for message in messages for embed in message.embeds)


def test_help_by_direct_message_speaks_of_no_server_that_one_is_not_in(world: World) -> None:
    told = help_for(world, UserId(987654))
    assert "this server" not in told
    assert "in a channel of one that I am in" in told
