"""Whole games exported as one document, and imported elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.model import GameStatus
from bot.services import gm, inbox, lobby, orders, replay, transfer
from bot.services.buttons import game_of_button
from engine.core.phrases import Phrase
from engine.core.variant import load_phrases
from engine.registry import systems
from tests.bot.services.played import long_played
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, DAN, GREEN, GUILD, RED, World


def test_export_is_plain_json_and_holds_everything() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    assert json.loads(json.dumps(document)) == document
    assert (document["kind"], document["version"]) == ("sealed-orders game", 1)
    assert len(document["phases"]) == 3
    assert document["phases"][0]["sheets"]["green"]["typed"] == ["bid 2"]
    assert document["sheets"]["green"]["orders"] == ["PEEK red"]
    assert [ballot["power"] for ballot in document["ballots"]] == ["green"]


def test_imported_game_exports_to_the_same_document_and_plays_on() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    document["game"]["token"] = "g77"
    other = World()
    other.context = replace(other.context, seeds=lambda: "another seed")
    other.clock.moment = world.clock.moment
    other.create(name="something else")
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert game.document is None
    assert transfer.export_game(other.context, game.id) == document
    assert other.alarm.settings[game.id][0] == game.phase_no
    assert replay.replay(other.context, game.id) == ()
    assert orders.show(other.context, game.id, BOB).orders == ("PEEK red",)
    for one, copy in ((world, game_id), (other, game.id)):
        one.pass_deadline(copy)
    assert other.game(game.id).document == world.game(game_id).document


def test_imported_game_belongs_to_its_importer_and_place() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    game = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=DAN)
    assert (game.guild_id, game.channel_id, game.creator_id, game.game_masters) == (GUILD + 1, 7, DAN, frozenset({DAN}))
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[RED] == ANN
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[GREEN] == BOB


def test_game_whose_deadline_is_past_comes_paused() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = world.clock.moment + timedelta(days=100)
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert (game.status, game.deadline_at) == (GameStatus.PAUSED, None)
    assert other.alarm.settings == {}


def test_name_that_is_taken_is_refused() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, world.context, document, **arguments) == "name_taken"


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "something"},
        {"version": 2},
        {"game": {}},
        {"game": None},
        {"seats": [{"number": 1}]},
        {"phases": [17]},
        {"sheets": []},
    ],
)
def test_damaged_export_is_refused_and_nothing_stored(damage: dict[str, Any]) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id) | damage
    other = World()
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, other.context, document, **arguments) == "export_unreadable"
    assert not other.storage.tables.games


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("players", "many", "players: Input should be a valid integer"),
        ("status", "asleep", "status: Input should be 'lobby'"),
        ("pace", {"default": None}, "pace.default: "),
        ("created_at", "2026-01-01T12:00:00+01:00", "created_at: 2026-01-01 12:00:00+01:00 is not in UTC"),
        ("created_at", "2026-01-01T12:00:00", "created_at: 2026-01-01 12:00:00 is not in UTC"),
        ("variant", "lunar", "variant: there is no 'lunar'; there is "),
        ("opened_at", None, "opened_at: a game that has begun has one"),
        ("document", None, "document: a game that has begun has one"),
    ],
)
def test_damaged_field_is_named(field: str, value: Any, said: str) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    document["game"][field] = value
    refused = refusal(
        transfer.import_game, World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
    )
    assert str(refused.what.args["problem"]).startswith(said)


@pytest.mark.parametrize("name", ["start", "end"])
def test_a_closed_phase_that_nobody_could_look_at_is_refused(name: str) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    document["phases"][1][name]["options"] = {"siesta": True}
    other = World()
    refused = refusal(
        transfer.import_game, other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
    )
    assert str(refused.what.args["problem"]).startswith(f"phases[1].{name}.")
    assert not other.storage.tables.games


@pytest.mark.parametrize("told", [{"code": "no.such.words"}, {"code": ""}, {"code": "toy.found"}])
@pytest.mark.parametrize("where", ["results[0].reason", "events[0]"])
def test_a_closed_phase_that_nobody_could_read_about_is_refused(where: str, told: dict[str, Any]) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    if where == "events[0]":
        document["phases"][1]["events"] = [told | {"args": {}, "audience": None}]
    else:
        document["phases"][1]["results"][0]["reason"] = told | {"args": {}}
    other = World()
    refused = refusal(
        transfer.import_game, other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
    )
    assert str(refused.what.args["problem"]).startswith(f"phases[1].{where}: ")
    assert not other.storage.tables.games


@pytest.mark.parametrize(
    "change",
    [{"code": "no.such.words"}, {"args": {"by": "1h"}}, {"args": {"by": "1h", "deadline": None}}],
)
def test_what_a_game_master_did_and_nobody_could_read_is_refused(change: dict[str, Any]) -> None:
    world, game_id = long_played()
    gm.extend(world.context, game_id, CREATOR, is_manager=True, by="1h")
    document = transfer.export_game(world.context, game_id)
    place = len(document["deeds"]) - 1
    document["deeds"][place] |= change
    refused = refusal(
        transfer.import_game, World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
    )
    assert str(refused.what.args["problem"]).startswith(f"deeds[{place}]")


@pytest.mark.parametrize("number", [0, 1, 99, True])
def test_a_closed_phase_with_the_number_of_another_one_or_of_none_is_refused(number: int) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    document["phases"][1]["phase_no"] = number
    place = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, World().context, document, **place) == "export_unreadable"


def test_an_outcome_that_the_game_does_not_have_is_refused() -> None:
    world = World(systems)
    game_id = world.start(system="diplomacy", players=2, wishes={ANN: "", BOB: ""})
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=True)
    document = transfer.export_game(world.context, game_id)
    result = document["phases"][0]["results"][0]
    result["outcome"], result["reason"] = "destroyed", {"code": "outcome.held", "args": {}}
    place: Any = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    refused = refusal(transfer.import_game, World(systems).context, document, **place)
    assert str(refused.what.args["problem"]).startswith("phases[0].results: ")


def test_lobby_is_exported_too() -> None:
    world = World()
    game_id = world.create()
    lobby.join_game(world.context, game_id, ANN, power="blue")
    document = transfer.export_game(world.context, game_id)
    other = World()
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert transfer.export_game(other.context, game.id) == document


# Moving


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("players", 99, "bad_setup"),
        ("options", {"weather": True}, "bad_value"),
        ("pace", {"default": "for ever"}, "pace_unreadable"),
        ("pace", {"default": "1d", "by_kind": {"bid": "1s"}}, "pace_unreadable"),
        ("name", "x" * 61, "name_too_long"),
        ("name", "\u202e", "name_missing"),
    ],
)
def test_a_game_that_could_not_go_on_is_refused(field: str, value: Any, code: str) -> None:
    world = World()
    document = transfer.export_game(world.context, world.create())
    document["game"][field] = value
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, World().context, document, **arguments) == code


def test_what_turns_the_rest_of_a_line_round_is_left_out_of_an_imported_name() -> None:
    world = World()
    document = transfer.export_game(world.context, world.create())
    document["game"]["name"] = "Odd\u202e\n# heading"
    game = transfer.import_game(World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert game.name == "Odd # heading"


def test_the_buttons_of_a_game_that_was_moved_go_on_working() -> None:
    world, game_id = long_played()
    other = World()
    first = other.start(name="another")
    document = transfer.export_game(world.context, game_id)
    document["game"]["token"] = "g77"
    moved = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert moved.id != game_id == first
    assert game_of_button(other.context, "g77", GUILD) == moved.id
    assert game_of_button(other.context, other.game(first).token, None) == first
    # Its buttons of version 0.1.0 had the number that another game has here.
    assert refused_code(game_of_button, other.context, str(game_id), GUILD) == "lost_button"


def test_the_copy_of_a_game_has_buttons_of_its_own() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    copy = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=DAN)
    tokens = world.game(game_id).token, world.game(copy.id).token
    assert [game_of_button(world.context, token, None) for token in tokens] == [game_id, copy.id]


def test_buttons_of_the_first_version_work_where_they_were_posted() -> None:
    world, game_id = long_played()
    world.storage.tables.games[game_id] = replace(world.game(game_id), has_numbered_buttons=True)
    for guild_id in (GUILD, None):
        assert game_of_button(world.context, str(game_id), guild_id) == game_id
    assert refused_code(game_of_button, world.context, str(game_id), GUILD + 1) == "lost_button"
    document = transfer.export_game(world.context, game_id)
    other = World()
    copy = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert copy.id == game_id
    assert refused_code(game_of_button, other.context, str(copy.id), GUILD) == "lost_button"


@pytest.mark.parametrize("key", ["", "0", "99", "no number", "9" * 40, "²"])
def test_what_names_no_game_is_refused(key: str) -> None:
    world, _ = long_played()
    assert refused_code(game_of_button, world.context, key, GUILD) == "lost_button"


def test_an_imported_game_is_announced_with_briefs_for_its_players() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = world.clock.moment
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=7, user_id=CREATOR)
    told = [
        (out.target_id, out.payload.get("code", out.kind)) for out in other.outbox(game.id) if out.message_id is None
    ]
    told = [(target, code) for target, code in told if code in ("notice.imported", "phase_opened", "briefing")]
    players = [(seat.user_id, "briefing") for seat in world.seats(game_id) if seat.user_id is not None]
    assert told == [(7, "notice.imported"), (7, "phase_opened"), *players]


def test_an_imported_lobby_calls_for_players() -> None:
    world = World()
    document = transfer.export_game(world.context, world.create())
    other = World()
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=7, user_id=CREATOR)
    assert other.kinds(game.id) == ["call"]


def test_what_an_import_passes_over_is_said() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    sheet = document["sheets"]["green"]
    document["game"]["phase_code"] = "nonsense"
    document["sheets"]["purple"] = sheet
    document["sheets"]["red"] = sheet | {"phase_no": 1}
    document["sheets"]["green"] = sheet | {"orders": ["PEEK red", "SING loudly"]}
    document["ballots"].append(document["ballots"][0] | {"power": "purple"})
    document["weather"] = "fine"
    said: list[Phrase] = []
    other = World()
    other.clock.moment = world.clock.moment
    place: Any = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    game = transfer.import_game(other.context, document, **place, note=said.append)
    assert [what.code for what in said] == [
        "imported.unknown_part",
        "imported.phase_code",
        "imported.sheet",
        "imported.sheet",
        "imported.order",
        "imported.ballot",
    ]
    assert all(load_phrases().render(what) for what in said)
    again = transfer.export_game(other.context, game.id)
    assert (again["game"]["phase_code"], set(again["sheets"])) == (world.game(game_id).phase_code, {"green"})


def test_an_export_of_the_first_version_is_read() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    del document["proposals"], document["game"]["token"]
    for seat in document["seats"]:
        del seat["former"], seat["is_removed"]
    said: list[Phrase] = []
    place: Any = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    game = transfer.import_game(World().context, document, **place, note=said.append)
    assert game.token
    assert said == []


@pytest.mark.parametrize("field", ["number", "power", "user_id"])
def test_two_seats_that_are_one_are_refused(field: str) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    first, second = document["seats"][:2]
    second[field] = first[field]
    place: Any = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, World().context, document, **place) == "export_unreadable"


@pytest.mark.parametrize(
    ("hours", "known", "since"),
    [(2, None, 0), (25, None, None), (-1, None, None), (2, 1, 1)],
    ids=["a move", "an old export", "a clock that ran ahead", "a database that knows better"],
)
def test_messages_sent_while_a_game_was_moved_are_read(hours: int, known: int | None, since: int | None) -> None:
    world, game_id = long_played()
    stopped = world.clock.now()
    inbox.note_read_until(world.context, stopped)
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = stopped + timedelta(hours=hours)
    if known is not None:
        inbox.note_read_until(other.context, stopped + timedelta(hours=known))
    transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    with other.context.reading() as unit:
        assert inbox.read_until(unit) == (None if since is None else stopped + timedelta(hours=since))
        assert inbox.is_all_read(unit, stopped, stopped) is (since == 0)


@pytest.mark.parametrize("moment", ["now", 7, "2026-11-21T12:00:00", "2026-11-21T12:00:00+01:00"])
def test_what_is_no_moment_until_when_messages_were_read_is_refused(moment: object) -> None:
    world, game_id = long_played()
    document = {**transfer.export_game(world.context, game_id), "messages_read_until": moment}
    arguments: dict[str, Any] = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, World().context, document, **arguments) == "export_unreadable"
