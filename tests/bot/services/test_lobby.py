"""From the call for players to the start; seats; which game is meant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from bot.model import Game, GameStatus, Pace, Target, UserId
from bot.services import gm, lobby, orders, overview, transfer, which_game
from bot.services.which_game import Ambiguous
from bot.text.catalogue import common_words
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.registry import AnySystem, systems
from tests.bot.services.consenting import CONSENTING_TOY
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import (
    ANN,
    BLUE,
    BOB,
    CHANNEL,
    CREATOR,
    CY,
    DAN,
    DAY,
    GREEN,
    GUILD,
    HOUR,
    NOON,
    RED,
    World,
)
from tests.toy_system import TOY

# Creating


def test_creator_is_game_master_and_has_no_seat() -> None:
    world = World()
    game = world.game(world.create())
    assert game.status is GameStatus.LOBBY
    assert game.game_masters == {CREATOR}
    assert world.seats(game.id) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"system": "chess"}, "unknown_system"),
        ({"variant": "huge"}, "unknown_variant"),
        ({"players": 4}, "player_count"),
        ({"options": {"golt": "3"}}, "unknown_option"),
        ({"options": {"gold": "many"}}, "bad_option"),
        ({"options": {"gold": "16"}}, "bad_option"),
        ({"options": {"peeking": "perhaps"}}, "bad_option"),
        ({"options": {"mood": "wild"}}, "bad_option"),
        ({"pace": Pace("soon")}, "pace_unreadable"),
        ({"pace": Pace("1d", {"tribute": "never"})}, "pace_unreadable"),
        ({"pace": Pace("1d", {"retreats": "1d"})}, "no_such_phases"),
        ({"name": "  "}, "name_missing"),
        ({"name": "\u200b\u3164\u200d"}, "name_missing"),
        ({"name": "x" * 61}, "name_too_long"),
        ({"name": " #\u200b7 "}, "name_is_number"),
    ],
)
def test_game_that_can_not_be_played_is_refused_and_not_stored(changes: dict[str, Any], code: str) -> None:
    world = World()
    assert refusal(world.create, **changes).what.code == f"refused.{code}"
    assert not world.storage.tables.games


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("The\u200b Great\u202e War\x00", "The Great War"),
        ("Krieg\n# und Frieden", "Krieg # und Frieden"),
        ("👨\u200d👩\u200d👧 ⚔\ufe0f", "👨\u200d👩\u200d👧 ⚔\ufe0f"),
        ("@everyone", "@everyone"),
    ],
)
def test_name_keeps_what_is_seen_and_nothing_else(written: str, name: str) -> None:
    world = World()
    assert world.game(world.create(name=written)).name == name


def test_near_misses_of_an_option_are_named() -> None:
    hint = refusal(World().create, options={"golt": "3"}).hint
    assert hint is not None
    assert hint.args["words"] == ("gold",)


def test_options_are_read_as_their_type() -> None:
    world = World()
    game_id = world.create(options={"GOLD": " 5 ", "peeking": "no", "mood": "Stormy"}, system="the vault")
    assert world.game(game_id).options == {"gold": 5, "peeking": False, "mood": "stormy"}


def test_what_the_rules_say_against_an_option_names_it_and_players_are_counted_by_variant() -> None:
    world = World(systems)
    late = refusal(world.create, system="diplomacy", players=7, options={"last_year": "1900"})
    assert late.what.code == "refused.bad_value"
    assert (late.what.args["option"], late.what.args["value"]) == ("last_year", "1900")
    assert common_words().plain(late.what).startswith("The option last_year can't be “1900”: 1900 is before")
    many = refusal(world.create, system="kalevala", variant="small", players=7)
    assert common_words().plain(many.what) == "Kalevala can't be played by 7 players with the variant “small”."


def test_name_is_unique_among_unfinished_games_of_a_server() -> None:
    world = World()
    game_id = world.create(name="Vault  one ")
    assert refusal(world.create, name="vault ONE").what.code == "refused.name_taken"
    world.create(name="vault one", guild_id=GUILD + 1)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    world.create(name="vault one")


def test_one_person_sets_up_only_so_many_games_that_are_not_over_on_a_server() -> None:
    world = World()
    world.context = replace(world.context, games_per_person=2)
    first, second = (world.create(name=name) for name in ("one", "two"))
    refused = refusal(world.create, name="three")
    assert refused.what.code == "refused.many_games"
    assert refused.hint is not None
    world.create(name="three", user_id=ANN)
    world.create(name="three", guild_id=GUILD + 1)
    world.create(name="by a manager", is_manager=True)
    lobby.end_game(world.context, first, CREATOR, is_manager=False)
    assert refused_code(world.create, name="four") == "many_games"
    lobby.end_game(world.context, second, CREATOR, is_manager=False)
    world.clock.advance(HOUR)
    world.create(name="four")


def test_one_person_sets_up_only_so_many_games_within_an_hour() -> None:
    world = World()
    world.context = replace(world.context, games_per_person=2)
    for name in ("one", "two"):
        lobby.end_game(world.context, world.create(name=name), CREATOR, is_manager=False)
    assert refused_code(world.create, name="three") == "many_new_games"
    world.create(name="three", user_id=ANN)
    world.create(name="by a manager", is_manager=True)
    world.clock.advance(HOUR)
    world.create(name="four")


# Joining, leaving and starting


def test_who_joins_again_and_again_does_not_call_the_game_masters_each_time() -> None:
    world = World()
    game_id = world.create(players=2)
    lobby.join_game(world.context, game_id, ANN, power=None)
    told = []
    for hours in (0, 0, 0.5, 1):
        world.clock.advance(hours * HOUR)
        lobby.join_game(world.context, game_id, BOB, power=None)
        told.append(world.kinds(game_id).count("notice.everybody_here"))
        lobby.leave_game(world.context, game_id, BOB)
    assert told == [1, 1, 1, 2]


def test_everybody_gets_the_power_wished_for_if_the_wishes_differ() -> None:
    world = World()
    game_id = world.start(wishes={ANN: "Blue", BOB: "red", CY: "GREEN"})
    assert {seat.user_id: seat.power for seat in world.seats(game_id)} == {ANN: BLUE, BOB: RED, CY: GREEN}


def test_powers_are_drawn_by_lot_and_a_contested_wish_too() -> None:
    draws = set()
    for number in range(12):
        world = World()
        world.context = replace(world.context, seeds=partial(str, f"lot {number}"))
        game_id = world.start(wishes={ANN: "red", BOB: "red", CY: ""})
        draws.add(tuple(seat.power for seat in world.seats(game_id)))
    assert {draw.index(RED) for draw in draws} == {0, 1}
    assert len(draws) > 2


def test_who_joins_does_not_have_a_first_position_made_each_time() -> None:
    """A map by lot takes a tenth of a second for 14 nations."""
    made = []

    def start(**what: Any) -> Any:
        made.append(what)
        return TOY.play.start(**what)

    toy = replace(TOY, play=replace(TOY.play, start=start))
    world = World({SystemId("toy"): cast(AnySystem, toy)})
    game_id = world.create(options={"gold": "4"})
    for user_id in (ANN, BOB, CY):
        lobby.join_game(world.context, game_id, user_id, power="red")
    assert [what["options"]["gold"] for what in made] == [4]
    world.create(name="Vault two", options={"gold": "5"})
    assert [what["options"]["gold"] for what in made] == [4, 5]


@pytest.mark.parametrize("power", ["purple", "grene"])
def test_wish_for_no_power_is_refused(power: str) -> None:
    world = World()
    game_id = world.create()
    error = refusal(lobby.join_game, world.context, game_id, ANN, power=power)
    assert error.what.code == "refused.unknown_power"
    assert not world.seats(game_id)


def test_wish_for_a_power_that_is_not_played_by_so_few_is_refused() -> None:
    world = World()
    game_id = world.create(players=2)
    error = refusal(lobby.join_game, world.context, game_id, ANN, power="blue")
    assert error.what.code == "refused.power_not_played"


def test_nobody_joins_twice_or_beyond_the_seats() -> None:
    world = World()
    game_id = world.create(players=2)
    lobby.join_game(world.context, game_id, ANN, power=None)
    assert refusal(lobby.join_game, world.context, game_id, ANN, power=None).what.code == "refused.have_a_seat"
    lobby.join_game(world.context, game_id, BOB, power=None)
    assert refusal(lobby.join_game, world.context, game_id, CY, power=None).what.code == "refused.game_full"


def test_who_leaves_the_lobby_is_gone() -> None:
    world = World()
    game_id = world.create()
    lobby.join_game(world.context, game_id, ANN, power=None)
    lobby.join_game(world.context, game_id, BOB, power=None)
    lobby.leave_game(world.context, game_id, ANN)
    lobby.join_game(world.context, game_id, CY, power=None)
    assert [(seat.number, seat.user_id) for seat in world.seats(game_id)] == [(2, BOB), (3, CY)]
    assert refusal(lobby.leave_game, world.context, game_id, ANN).what.code == "refused.not_in_game"


def test_start_opens_the_first_phase_and_queues_opening_and_briefings() -> None:
    world = World()
    game_id = world.start()
    game = world.game(game_id)
    assert (game.status, game.phase_no, game.phase_code) == (GameStatus.RUNNING, 1, "1B")
    assert (game.opened_at, game.deadline_at) == (NOON, NOON + DAY)
    assert world.kinds(game_id) == ["opening", "briefing", "briefing", "briefing"]
    briefings = world.outbox(game_id)[1:]
    assert [(message.target, message.target_id, message.payload["power"]) for message in briefings] == [
        (Target.USER, ANN, RED),
        (Target.USER, BOB, GREEN),
        (Target.USER, CY, BLUE),
    ]
    assert world.alarm.settings == {game_id: (1, NOON + DAY)}


def test_start_needs_enough_players_and_a_game_master() -> None:
    world = World()
    game_id = world.create()
    lobby.join_game(world.context, game_id, ANN, power=None)
    start = lobby.start_game
    few = refusal(start, world.context, game_id, CREATOR, is_manager=False)
    assert few.what.code == "refused.too_few_players"
    assert few.hint == phrase("refused.hint.enough_players", least=2)
    lobby.join_game(world.context, game_id, BOB, power=None)
    assert refusal(start, world.context, game_id, ANN, is_manager=False).what.code == "refused.not_a_game_master"
    start(world.context, game_id, CREATOR, is_manager=False)
    assert world.game(game_id).players == 2
    assert {seat.power for seat in world.seats(game_id)} == {RED, GREEN}


def test_any_player_starts_a_full_game_but_no_stranger_does() -> None:
    world = World()
    game_id = world.create(players=2)
    for user_id in (ANN, BOB):
        lobby.join_game(world.context, game_id, user_id, power=None)
    stranger = refusal(lobby.start_game, world.context, game_id, DAN, is_manager=False)
    assert stranger.what.code == "refused.not_a_game_master"
    started = lobby.start_game(world.context, game_id, BOB, is_manager=False)
    assert started.status is GameStatus.RUNNING
    assert started.document is None, "nothing that leaves the services holds the seed"
    again = refusal(lobby.start_game, world.context, game_id, BOB, is_manager=False)
    assert again.what.code == "refused.already_started"


def test_managers_of_the_server_may_what_game_masters_may() -> None:
    world = World()
    game_id = world.create()
    assert lobby.end_game(world.context, game_id, DAN, is_manager=True).status is GameStatus.CANCELLED
    assert world.kinds(game_id) == ["call", "game_cancelled"]


def test_ended_game_has_no_winner_and_is_over() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    ended = lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    assert ended.status is GameStatus.OVER
    assert world.kinds(game_id) == ["game_over"]
    info = overview.game_info(world.context, game_id, ANN)
    assert info.status is not None
    assert info.status.winners == ()
    assert world.alarm.settings == {}
    left = refusal(lobby.leave_game, world.context, game_id, ANN)
    assert (left.what.code, left.hint) == ("refused.game_over", phrase("refused.hint.look_back"))
    assert refusal(lobby.join_game, world.context, game_id, DAN, power=None).what.code == "refused.game_over"


# Seats that change hands


def test_seat_of_who_leaves_a_running_game_is_open_and_its_orders_stand_for_who_takes_over() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.forget_mail()
    lobby.leave_game(world.context, game_id, ANN)
    seat = world.seat(game_id, RED)
    assert (seat.user_id, seat.is_open) == (None, True)
    taken = lobby.join_game(world.context, game_id, DAN, power=None)
    assert (taken.user_id, taken.power, taken.is_open) == (DAN, RED, False)
    assert orders.show(world.context, game_id, DAN).orders == ("BID 3",)
    assert world.kinds(game_id) == ["notice.seat_left", "notice.seat_taken", "briefing"]
    assert world.outbox(game_id)[-1].target_id == DAN


def test_take_over_asks_which_of_several_seats() -> None:
    world = World()
    game_id = world.start()
    no_seat = refusal(lobby.join_game, world.context, game_id, DAN, power=None)
    assert no_seat.what.code == "refused.no_open_seat"
    assert no_seat.hint is not None
    assert no_seat.hint.code == "refused.hint.no_open_seat"
    lobby.leave_game(world.context, game_id, ANN)
    lobby.leave_game(world.context, game_id, BOB)
    error = refusal(lobby.join_game, world.context, game_id, DAN, power=None)
    assert error.what.code == "refused.which_power"
    assert error.hint is not None
    assert error.hint.args["powers"] == (RED, GREEN)
    closed = refusal(lobby.join_game, world.context, game_id, DAN, power="blue")
    assert closed.what.code == "refused.seat_not_open"
    assert lobby.join_game(world.context, game_id, DAN, power="Green").power == GREEN


def test_phase_closes_when_the_last_who_was_waited_for_leaves() -> None:
    world = World()
    game_id = world.start()
    world.ready(game_id, ANN, BOB)
    lobby.leave_game(world.context, game_id, CY)
    assert world.game(game_id).phase_no == 2
    assert world.records(game_id)[0].closed_because == "ready"


def test_game_pauses_when_the_last_player_leaves_and_goes_on_after_a_take_over() -> None:
    world = World()
    game_id = world.start()
    for user_id in (ANN, BOB, CY):
        lobby.leave_game(world.context, game_id, user_id)
    game = world.game(game_id)
    assert (game.status, game.phase_no, game.deadline_at, game.time_left_s) == (GameStatus.PAUSED, 1, None, 86400)
    assert world.kinds(game_id)[-1] == "notice.nobody_plays"
    error = refusal(gm.resume, world.context, game_id, CREATOR, is_manager=False)
    assert error.what.code == "refused.nobody_plays"
    lobby.join_game(world.context, game_id, DAN, power="red")
    assert gm.resume(world.context, game_id, CREATOR, is_manager=False).status is GameStatus.RUNNING


# Looking


def test_info_names_who_has_sent_nothing_and_never_what_was_sent() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 7")
    world.ready(game_id, BOB)
    info = overview.game_info(world.context, game_id, CY)
    assert info.missing == (BLUE,)
    assert (info.ready, info.deciding, info.power) == (1, 3, BLUE)
    assert info.schedule == tuple(NOON + number * DAY for number in range(1, 7))
    mixed = world.create(name="mixed", pace=Pace("1d", by_kind={"tribute": "1h"}))
    assert overview.game_info(world.context, mixed, None).schedule == (), "nobody knows which phases come"
    assert "BID" not in repr(info)
    assert "seed 1" not in repr(info)


def test_refused_lines_and_cleared_orders_leave_a_player_missing() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 700")
    world.submit(game_id, BOB, "BID 1")
    orders.clear(world.context, game_id, BOB)
    assert overview.game_info(world.context, game_id, None).missing == (RED, GREEN, BLUE)


def test_lists_hold_what_goes_on_without_documents() -> None:
    world = World()
    first = world.start(name="first")
    second = world.create(name="second")
    lobby.join_game(world.context, second, ANN, power=None)
    third = world.create(name="third")
    lobby.end_game(world.context, third, CREATOR, is_manager=False)
    lines = overview.games_in_guild(world.context, GUILD)
    assert [(line.game.name, line.seats_taken) for line in lines] == [("second", 1), ("first", 3)]
    mine = overview.games_of_user(world.context, ANN)
    assert [(line.game.id, line.power) for line in mine] == [(first, RED), (second, None)]
    assert all(line.game.document is None for line in (*lines, *mine))


# Which game is meant


def _resolve(world: World, user_id: UserId, **changes: Any) -> Game | Ambiguous:
    arguments: dict[str, Any] = {"guild_id": GUILD, "channel_id": CHANNEL, "name": None, "purpose": "seat"}
    return which_game.resolve_game(world.context, user_id=user_id, **arguments | changes)


def test_game_is_found_by_name_in_any_case_and_near_misses_are_named() -> None:
    world = World()
    game_id = world.start(name="The Long Game")
    found = _resolve(world, DAN, name="the  long game", purpose="any")
    assert isinstance(found, Game)
    assert (found.id, found.document) == (game_id, None)
    error = refusal(_resolve, world, DAN, name="the long gmae")
    assert error.what.code == "refused.unknown_game"
    assert error.hint is not None
    assert error.hint.args["words"] == ("The Long Game",)


def test_games_of_other_servers_are_not_found_by_strangers() -> None:
    world = World()
    world.start(name="Hidden game")
    error = refusal(_resolve, world, DAN, guild_id=GUILD + 1, channel_id=CHANNEL + 1, name="Hidden gam")
    assert error.hint is None
    assert refusal(_resolve, world, DAN, guild_id=None, channel_id=None, name="Hidden game").what.code.endswith(
        "unknown_game"
    )


def test_game_of_the_channel_comes_before_ones_own_others() -> None:
    world = World()
    here = world.start(name="here")
    there = world.start(name="there", channel_id=CHANNEL + 1)
    for channel_id, game_id in ((CHANNEL, here), (CHANNEL + 1, there)):
        found = _resolve(world, ANN, channel_id=channel_id)
        assert isinstance(found, Game)
        assert found.id == game_id


def test_several_own_games_are_asked_about_in_direct_messages() -> None:
    world = World()
    slow = world.start(name="slow", pace=Pace("3d"))
    fast = world.start(name="fast", pace=Pace("1h"))
    found = _resolve(world, ANN, guild_id=None, channel_id=None)
    assert isinstance(found, Ambiguous)
    assert [game.id for game in found.games] == [fast, slow]


def test_running_game_is_meant_rather_than_one_that_has_not_begun() -> None:
    world = World()
    running = world.start(name="running")
    lobby.join_game(world.context, world.create(name="waiting"), ANN, power=None)
    found = _resolve(world, ANN, guild_id=None, channel_id=None)
    assert isinstance(found, Game)
    assert found.id == running


def test_who_joins_means_the_lobby_of_the_channel() -> None:
    world = World()
    world.start(name="running")
    waiting = world.create(name="waiting")
    found = _resolve(world, DAN, purpose="lobby")
    assert isinstance(found, Game)
    assert found.id == waiting


def test_who_looks_sees_the_finished_game_of_the_channel_if_nothing_else_goes_on() -> None:
    world = World()
    game_id = world.start()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    found = _resolve(world, DAN, purpose="any")
    assert isinstance(found, Game)
    assert found.id == game_id
    assert refusal(_resolve, world, DAN).what.code == "refused.no_seat"


def test_who_has_played_the_finished_game_of_the_channel_is_told_that_it_is_over() -> None:
    world = World()
    game_id = world.start()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    assert refusal(_resolve, world, ANN).what.code == "refused.game_over"
    again = world.start(name="again")
    found = _resolve(world, ANN)
    assert isinstance(found, Game)
    assert found.id == again


def test_who_has_played_one_power_can_not_look_into_the_open_seat_of_another() -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, BOB)
    lobby.leave_game(world.context, game_id, ANN)

    code = refused_code(lobby.join_game, world.context, game_id, ANN, power="green")
    assert code == "played_another"
    assert refused_code(lobby.join_game, world.context, game_id, DAN, power=None) == "which_power"
    assert lobby.join_game(world.context, game_id, ANN, power=None).power == RED
    assert lobby.join_game(world.context, game_id, DAN, power="green").power == GREEN

    lobby.leave_game(world.context, game_id, ANN)
    replace = (gm.replace_player, world.context, game_id, CREATOR)
    assert refused_code(*replace, is_manager=False, power="blue", new_user_id=ANN) == "played_another"
    assert world.seat(game_id, BLUE).user_id == CY


def test_who_can_not_come_back_is_told_so_and_not_asked_which_other_power_it_shall_be() -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, ANN)
    lobby.join_game(world.context, game_id, DAN, power="red")
    lobby.leave_game(world.context, game_id, BOB)
    lobby.leave_game(world.context, game_id, CY)
    assert refused_code(lobby.join_game, world.context, game_id, ANN, power=None) == "played_another"


def test_a_manager_can_not_go_from_seat_to_seat_and_the_channel_is_told_whose_they_took() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    as_manager: Any = {"is_manager": True, "power": "red"}
    assert gm.replace_player(world.context, game_id, DAN, **as_manager, new_user_id=DAN).user_id == DAN
    assert gm.replace_player(world.context, game_id, DAN, **as_manager, new_user_id=ANN).user_id == ANN
    for power in ("green", "blue"):
        code = refused_code(
            gm.replace_player, world.context, game_id, DAN, is_manager=True, power=power, new_user_id=DAN
        )
        assert code == "played_another"
    told = [message.payload for message in world.outbox(game_id) if message.kind == "notice"]
    assert [notice["args"] for notice in told] == [
        {"power": RED, "user": DAN, "former": ANN},
        {"power": RED, "user": ANN, "former": DAN},
    ]
    assert [notice["master"] for notice in told] == [DAN, DAN]


@pytest.mark.parametrize("copied", [False, True])
def test_whoever_has_seen_a_power_is_remembered_wherever_the_game_goes(copied: bool) -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, ANN)
    if copied:
        document = transfer.export_game(world.context, game_id)
        world = World()
        game_id = transfer.import_game(world.context, document, guild_id=1, channel_id=2, user_id=CREATOR).id
    else:
        world.forget_mail()
    lobby.leave_game(world.context, game_id, BOB)
    assert refused_code(lobby.join_game, world.context, game_id, ANN, power="green") == "played_another"


def test_whoever_leaves_after_being_out_promises_nobody_a_seat() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 4, "green": 4, "blue": 0})
    world.forget_mail()
    lobby.leave_game(world.context, game_id, CY)
    assert world.kinds(game_id) == ["notice.seat_left_out"]


def test_who_agreed_to_end_a_game_in_one_phase_does_not_end_it_in_the_next() -> None:
    world = World()
    game_id = world.start()
    asked = lobby.ending(world.context, game_id, CREATOR, is_manager=False)
    assert asked is not None
    world.pass_deadline(game_id)
    old = {"is_manager": False, "phase_no": asked.game.phase_no}
    assert refusal(lobby.end_game, world.context, game_id, CREATOR, **old).what.code == "refused.phase_over"
    assert world.game(game_id).status is GameStatus.RUNNING


def test_nobody_ends_a_game_for_their_own_victory() -> None:
    world = World({SystemId("toy"): cast(AnySystem, CONSENTING_TOY)})
    winners = []
    for user_id in (ANN, BOB):
        game_id = world.start(name=f"of {user_id}")
        world.set_state(game_id, gold={"red": 9, "green": 3, "blue": 1})
        lobby.end_game(world.context, game_id, user_id, is_manager=True)
        info = overview.game_info(world.context, game_id, None)
        assert info.status is not None
        winners.append(info.status.winners)
    assert winners == [(), (RED,)]


def test_who_writes_directly_after_the_end_of_a_game_is_told_that_it_is_over() -> None:
    world = World()
    for name in ("first", "last"):
        world.clock.advance(HOUR)
        lobby.end_game(world.context, world.start(name=name), CREATOR, is_manager=False)
    directly = {"guild_id": None, "channel_id": None}
    told = refusal(_resolve, world, ANN, **directly)
    assert (told.what.code, told.what.args) == ("refused.game_over", {"game": "last"})
    assert refusal(_resolve, world, DAN, **directly).what.code == "refused.no_seat"
