"""A game master who does not play hides the cards that were set aside; nobody else learns where."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import gm, lobby, replay, transfer
from bot.services.errors import Refused
from bot.text.failure import all_words
from tests.bot.services.hidden_cards import OPTION, hide, suggested
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_requests import PLAYERS
from tests.bot.services.world import CREATOR, GUILD, World


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(system="young_kingdoms", players=6, wishes=PLAYERS, options=OPTION)


def _hidden(world: World, game_id: GameId) -> dict[str, object]:
    document = world.game(game_id).document
    assert document is not None
    return dict(document["state"]["hidden"])


def test_game_master_sees_which_cards_wait_and_hides_them(world: World, game_id: GameId) -> None:
    seen = hide(world, game_id)
    assert (len(seen.left), seen.hidden, _hidden(world, game_id)) == (2, None, {})
    first, second = seen.left
    after = hide(world, game_id, place=seen.places[0].lower(), card=second)
    assert after.hidden == (second, seen.places[0])
    assert after.left == (first,)
    assert seen.places[0] not in after.places
    hide(world, game_id, place=seen.places[1])
    assert set(_hidden(world, game_id)) == set(seen.places[:2])
    assert refused_code(lambda: hide(world, game_id)) == "door.hide.none"


def test_hiding_is_announced_to_nobody(world: World, game_id: GameId) -> None:
    before = world.outbox(game_id)
    hide(world, game_id, place=hide(world, game_id).places[0])
    assert world.outbox(game_id) == before


def test_what_was_hidden_stands_when_the_phase_closes_and_the_rest_is_drawn(world: World, game_id: GameId) -> None:
    place = hide(world, game_id).places[0]
    hide(world, game_id, place=place)
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    assert place in _hidden(world, game_id)
    assert len(_hidden(world, game_id)) == 2
    assert replay.replay(world.context, game_id) == ()


def test_places_are_suggested_to_game_masters_who_do_not_play_alone(world: World, game_id: GameId) -> None:
    first, second, *_ = offered = suggested(world, game_id, CREATOR)
    assert list(offered) == sorted(offered)
    assert len(offered) == len(hide(world, game_id).places)
    hide(world, game_id, place=first)
    assert suggested(world, game_id, CREATOR)[0] == second
    for other in (UserId(1), UserId(77)):
        assert suggested(world, game_id, other) == []
    hide(world, game_id, UserId(77), is_manager=True)
    assert suggested(world, game_id, UserId(77))[0] == second
    hide(world, game_id, place=second)
    assert suggested(world, game_id, CREATOR) == []
    other_game = world.create(system="young_kingdoms", players=6, name="two")
    assert suggested(world, other_game, CREATOR) == []


def test_places_are_not_suggested_to_a_game_master_who_plays(world: World) -> None:
    wishes = {CREATOR: "", **{UserId(number): "" for number in range(1, 6)}}
    game_id = world.start(system="young_kingdoms", players=6, wishes=wishes, options=OPTION)
    assert CREATOR in world.game(game_id).game_masters
    assert suggested(world, game_id, CREATOR) == []


@pytest.mark.parametrize("given", [{"place": "nowhere"}, {"place": "nowhere", "card": 99}])
def test_whoever_learns_the_places_from_a_refusal_has_looked(
    world: World, game_id: GameId, given: dict[str, object]
) -> None:
    manager = UserId(77)
    with pytest.raises(Refused):
        hide(world, game_id, manager, is_manager=True, **given)
    assert manager in world.game(game_id).game_masters


def test_who_plays_or_is_no_game_master_hides_nothing(world: World, game_id: GameId) -> None:
    player = UserId(1)
    assert refused_code(lambda: hide(world, game_id, player)) == "not_a_game_master"
    assert refused_code(hide, world, game_id, player, is_manager=True) == "door.hide.plays"


def test_in_a_game_without_cards_a_game_master_who_plays_hears_that_there_are_none(world: World) -> None:
    """Here it was said that hiding the cards would tell too much, as if there were some."""
    powers = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
    wishes = {UserId(number): power for number, power in enumerate(powers, start=1)}
    game_id = world.start(system="diplomacy", players=7, wishes=wishes)
    assert refused_code(hide, world, game_id, UserId(1), is_manager=True) == "door.hide.none"


def test_who_could_hide_cards_takes_no_seat_afterwards(world: World, game_id: GameId) -> None:
    """Else a player who is game master too could leave, look, and come back."""
    manager, stranger = UserId(70), UserId(71)
    lobby.leave_game(world.context, game_id, UserId(1))
    hide(world, game_id, place=hide(world, game_id).places[0])
    hide(world, game_id, manager, is_manager=True)
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)

    for knowing in (CREATOR, manager):
        assert refused_code(lobby.join_game, world.context, game_id, knowing, power=None) == "door.hide.knows"
        given = {"is_manager": False, "power": PLAYERS[UserId(2)], "new_user_id": knowing}
        assert refused_code(gm.replace_player, world.context, game_id, CREATOR, **given) == "door.hide.knows"
    assert lobby.join_game(world.context, game_id, stranger, power=None).user_id == stranger


def test_who_could_hide_cards_takes_no_seat_after_a_move_to_another_database_either(
    world: World, game_id: GameId
) -> None:
    manager, host = UserId(70), UserId(71)
    hide(world, game_id, manager, is_manager=True)
    document = transfer.export_game(world.context, game_id)
    moved = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=host)
    assert moved.game_masters == {manager, host}
    lobby.leave_game(world.context, moved.id, UserId(1))
    assert refused_code(lobby.join_game, world.context, moved.id, manager, power=None) == "door.hide.knows"


def test_game_masters_take_seats_where_no_card_was_set_aside(world: World) -> None:
    dealt = world.start(system="young_kingdoms", players=6, wishes=PLAYERS, name="Dealt")
    lobby.leave_game(world.context, dealt, UserId(1))
    assert lobby.join_game(world.context, dealt, CREATOR, power=None).user_id == CREATOR


def test_a_wrong_place_or_card_is_refused_and_changes_nothing(world: World, game_id: GameId) -> None:
    seen = hide(world, game_id)
    other = next(number for number in range(1, 11) if number not in seen.left)
    with pytest.raises(Refused) as told:
        hide(world, game_id, place="Melnibone")
    assert told.value.what.code == "door.hide.wrong_place"
    assert "Each may lie in " in all_words().plain(told.value.what)
    assert refused_code(lambda: hide(world, game_id, place=seen.places[0], card=other)) == "door.hide.wrong_card"
    assert _hidden(world, game_id) == {}


def test_games_that_leave_no_choice_refuse_kindly(world: World) -> None:
    dealt = world.start(system="young_kingdoms", players=6, wishes=PLAYERS, name="Dealt")
    assert refused_code(lambda: hide(world, dealt)) == "door.hide.none"
