"""Places kept for players who come later: seats, asking, leaving, and what of it is told, kept and carried along.

The rules of Kalevala are the only ones that keep places. Source: rulings KA224, KA225, KA228
"""

from __future__ import annotations

import pytest

from bot.model import ActKind, GameId, UserId
from bot.services import asking, gm, lobby, overview, replay, rollback, seats
from bot.services.opening import Opening
from bot.services.transfer import export_game, import_game
from bot.text.compose import compose
from bot.text.games import info_message
from bot.text.gm import replaced_message
from engine.computer.levels import Level
from engine.core.ids import PowerId, SystemId
from engine.core.viewer import EVERYBODY, Playing, Viewer
from engine.registry import systems
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_battles import ANNA, BERT, PLAYERS, world
from tests.bot.services.test_rulings import REFEREE, position_seen, state, told
from tests.bot.services.world import World

__all__ = ["world"]
NEW, NEWER = UserId(901), UserId(902)
GERD = PowerId("gerd")


@pytest.fixture
def kept(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="kalevala", players=6, options={"places": "2"})


@pytest.fixture
def invited(world: World) -> GameId:
    return world.start(
        wishes=PLAYERS, system="kalevala", players=6, options={"places": "2", "invitation": "yes", "invaders": "yes"}
    )


def join(world: World, game_id: GameId, user: UserId, power: str | None = None) -> PowerId | None:
    return lobby.join_game(world.context, game_id, user, power=power).power


def kind(world: World, game_id: GameId, ruler: str) -> str:
    return str(state(world, game_id)["rulers"][ruler].get("kind", "realm"))


def close(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)


def test_a_place_has_an_open_seat_for_which_nobody_is_drawn(world: World, kept: GameId) -> None:
    found = {seat.power: seat for seat in world.seats(kept)}
    assert (found[GERD].user_id, found[GERD].is_open) == (None, True)
    assert {seat.user_id for seat in found.values()} - {None} == set(PLAYERS)
    info = overview.game_info(world.context, kept, None)
    shown = repr(info_message(info, systems[SystemId("kalevala")].info))
    assert "Gerd**: nobody (open: `/game join`) – a place for a new player" in shown
    assert GERD not in info.missing


def test_nobody_in_the_lobby_is_given_a_place(world: World) -> None:
    game_id = world.create(system="kalevala", players=6, options={"places": "2"})
    code = refused_code(lambda: lobby.join_game(world.context, game_id, ANNA, power="Gerd"))
    assert code in ("power_not_played", "unknown_power")


def test_somebody_joins_and_begins_and_the_game_is_verified(world: World, kept: GameId) -> None:
    with pytest.raises(Exception, match="which_power"):
        join(world, kept, NEW)
    assert join(world, kept, NEW, "Gerd") == GERD
    assert refused_code(lambda: join(world, kept, NEWER, "Gerd")) == "seat_not_open"
    world.submit(kept, NEW, "BEGIN LAND")
    for user in PLAYERS:
        world.submit(kept, user, "PASS")
    others: list[Viewer] = [EVERYBODY, *(Playing(PowerId(name)) for name in PLAYERS.values())]
    world.forget_mail()
    close(world, kept)
    assert kind(world, kept, "gerd") == "realm"
    letters = [repr(compose(world.context, each)) for each in world.outbox(kept)]
    assert sum("you are allotted" in letter.lower() for letter in letters) == 1
    capital = state(world, kept)["rulers"]["gerd"]["capital"]
    channel = [repr(compose(world.context, each)) for each in world.outbox(kept) if each.target == "channel"]
    assert channel
    assert not any(capital in words for words in channel)
    assert all(capital not in repr(position_seen(world, kept, viewer)["state"].get("owners", {})) for viewer in others)
    found = replay.verify(world.context, kept)
    assert (found.drifted, found.altered, found.opening, found.changes) == ((), (), Opening.SAME, 0)


def test_a_game_with_places_is_exported_and_imported_and_goes_on(world: World, kept: GameId) -> None:
    join(world, kept, NEW, "Gerd")
    world.submit(kept, NEW, "BEGIN LAND")
    lobby.leave_game(world.context, kept, ANNA)
    document = export_game(world.context, kept)
    gm_id = world.game(kept).creator_id
    lobby.end_game(world.context, kept, gm_id, is_manager=False)
    copy = import_game(world.context, document, guild_id=77, channel_id=78, user_id=REFEREE)
    gm.adjudicate_now(world.context, copy.id, REFEREE, is_manager=True) if copy.deadline_at else None
    assert {seat.power for seat in world.seats(copy.id)} >= {GERD, PowerId("hans")}
    assert kind(world, copy.id, "gerd") == "realm"
    assert kind(world, copy.id, "anna") == "vacant"
    assert replay.verify(world.context, copy.id).drifted == ()


def test_completion_offers_what_somebody_could_take(world: World, kept: GameId) -> None:
    def offered() -> list[str]:
        return [power.id for power in seats.joinable(world.context, kept, NEW)]

    assert offered() == ["gerd", "hans"]
    lobby.leave_game(world.context, kept, ANNA)
    join(world, kept, NEWER, "Gerd")
    assert offered() == ["anna", "hans"]


def test_completion_offers_in_the_lobby_what_seats_are_drawn_from(world: World) -> None:
    game_id = world.create(system="kalevala", players=6, options={"places": "2"})
    assert "anna" in [power.id for power in seats.joinable(world.context, game_id, NEW)]


# By invitation


def test_where_places_are_given_the_masters_are_asked_once(world: World, invited: GameId) -> None:
    assert not world.seat(invited, GERD).is_open
    assert refused_code(lambda: join(world, invited, NEW, "Gerd")) == "no_open_seat"
    world.forget_mail()
    asked = asking.ask(world.context, invited, NEW, power=None)
    assert asked is not None
    assert asked.power == GERD
    (message,) = world.outbox(invited)
    assert message.target_id == world.game(invited).creator_id
    assert f"<@{NEW}>" in repr(compose(world.context, message))
    assert refused_code(lambda: asking.ask(world.context, invited, NEW, power="Gerd")) == "asked_already"
    assert asking.ask(world.context, invited, ANNA, power=None) is None, "a player has a seat"
    master = world.game(invited).creator_id
    gm.replace_player(world.context, invited, master, is_manager=False, power="Gerd", new_user_id=NEW)
    assert world.seat(invited, GERD).user_id == NEW
    assert compose(world.context, message) == ()


def test_a_place_that_is_left_before_anybody_began_stays_by_invitation(world: World, invited: GameId) -> None:
    master = world.game(invited).creator_id
    gm.replace_player(world.context, invited, master, is_manager=False, power="Gerd", new_user_id=NEW)
    lobby.leave_game(world.context, invited, NEW)
    assert not world.seat(invited, GERD).is_open
    assert kind(world, invited, "gerd") == "expected"
    assert refused_code(lambda: asking.ask(world.context, invited, NEW, power="Hans")) == "played_another"


def test_nobody_is_told_that_a_seat_is_open_which_is_to_be_asked_for(world: World, invited: GameId) -> None:
    world.forget_mail()
    lobby.leave_game(world.context, invited, ANNA)
    master = world.game(invited).creator_id
    emptied = gm.replace_player(world.context, invited, master, is_manager=False, power="Bert", new_user_id=None)
    posts = [repr(compose(world.context, each)) for each in world.outbox(invited) if each.kind == "notice"]
    assert len(posts) == 2
    assert all("`/game join` asks for it" in post for post in posts)
    assert "asks you for it" in replaced_message(world.game(invited), emptied).content


def test_a_realm_that_is_left_is_by_invitation_too_and_so_is_one_whose_player_is_silent(
    world: World, invited: GameId
) -> None:
    lobby.leave_game(world.context, invited, ANNA)
    for _ in range(2):
        close(world, invited)
    assert not any(seat.is_open for seat in world.seats(invited))
    assert refused_code(lambda: join(world, invited, NEW, "Anna")) == "no_open_seat"
    asked = asking.ask(world.context, invited, NEW, power="Anna")
    assert asked is not None
    assert asked.power == "anna"
    assert "anna" in [power.id for power in seats.joinable(world.context, invited, NEWER)]
    shown = repr(info_message(overview.game_info(world.context, invited, None), systems[SystemId("kalevala")].info))
    assert "Anna**: nobody (`/game join` asks a game master)" in shown
    assert asking.ask(world.context, invited, NEW, power="Bert") is None, "whose player is only silent"


def test_nobody_asks_where_places_are_open_or_none_is_kept(world: World, kept: GameId) -> None:
    assert asking.ask(world.context, kept, NEW, power="Gerd") is None
    plain = world.start(wishes=PLAYERS, system="kalevala", players=6, name="Other")
    assert asking.ask(world.context, plain, NEW, power=None) is None


# Leaving


def test_who_leaves_leaves_a_realm_that_is_vacant_and_protected_when_the_window_is_over(
    world: World, kept: GameId
) -> None:
    world.submit(kept, ANNA, "WATCH 2E+7 1")
    before = {user: position_seen(world, kept, Playing(PowerId(name))) for user, name in PLAYERS.items()}
    public = position_seen(world, kept, EVERYBODY)
    lobby.leave_game(world.context, kept, ANNA)
    assert position_seen(world, kept, EVERYBODY) == public
    for user, name in PLAYERS.items():
        if user != ANNA:
            assert position_seen(world, kept, Playing(PowerId(name))) == before[user]
    assert kind(world, kept, "anna") == "realm"
    for user in PLAYERS:
        if user != ANNA:
            world.submit(kept, user, "PASS")
    world.forget_mail()
    close(world, kept)
    row = state(world, kept)["rulers"]["anna"]
    assert (row["kind"], row["protected"], row.get("nmr", 0), row.get("left")) == ("vacant", 3, 0, None)
    assert not any("sent no sheet" in repr(compose(world.context, each)) for each in world.outbox(kept))
    found = replay.verify(world.context, kept)
    assert (found.drifted, found.altered, found.changes) == ((), (), 0)
    assert join(world, kept, NEW, "Anna") == "anna"
    world.submit(kept, NEW, "PASS")
    close(world, kept)
    assert kind(world, kept, "anna") == "realm"


def test_a_realm_that_nobody_takes_over_is_protected_for_three_rounds_and_marauders_after(
    world: World, kept: GameId
) -> None:
    lobby.leave_game(world.context, kept, ANNA)
    kinds = []
    while state(world, kept)["rulers"]["anna"].get("kind") != "marauder":
        for user in PLAYERS:
            if user != ANNA:
                world.submit(kept, user, "PASS")
        phase = world.game(kept).document or {}
        kinds.append((phase["phase"]["gr"], kind(world, kept, "anna")))
        close(world, kept)
    assert kinds == [(1, "realm"), (1, "vacant"), (2, "vacant"), (2, "vacant"), (3, "vacant"), (3, "vacant")]
    assert refused_code(lambda: join(world, kept, NEW, "Anna")) == "seat_not_open"


def test_who_comes_before_the_window_is_over_finds_it_as_if_nobody_had_gone(world: World, kept: GameId) -> None:
    lobby.leave_game(world.context, kept, ANNA)
    join(world, kept, NEW, "Anna")
    assert "left" not in state(world, kept)["rulers"]["anna"]
    close(world, kept)
    assert kind(world, kept, "anna") == "realm"
    with world.context.reading() as unit:
        acts = [(act.kind, act.text, act.actor) for act in unit.acts.of_game(kept)]
    assert acts == [(ActKind.SEAT, "left anna", 0), (ActKind.SEAT, "taken anna", 0)]
    assert replay.verify(world.context, kept).altered == ()


def test_a_window_that_is_played_again_knows_who_plays_by_now(world: World, kept: GameId) -> None:
    lobby.leave_game(world.context, kept, ANNA)
    close(world, kept)
    join(world, kept, NEW, "Anna")
    master = world.game(kept).creator_id
    rollback.roll_back(world.context, kept, master, is_manager=False, phase="last", keep_orders=True)
    assert "left" not in state(world, kept)["rulers"]["anna"]
    close(world, kept)
    assert kind(world, kept, "anna") == "realm"
    found = replay.verify(world.context, kept)
    assert (found.drifted, found.altered) == ((), ())


def test_where_the_computer_plays_what_nobody_plays_nothing_falls_vacant(world: World) -> None:
    game_id = world.start(wishes=PLAYERS, system="kalevala", players=6, options={"places": "1"}, computer=Level.EASY)
    assert world.seat(game_id, GERD).computer is None, "a place waits for a person"
    lobby.leave_game(world.context, game_id, ANNA)
    assert "left" not in state(world, game_id)["rulers"]["anna"]
    master = world.game(game_id).creator_id
    gm.replace_player(world.context, game_id, master, is_manager=False, power="Anna", new_user_id=None)
    assert state(world, game_id)["rulers"]["anna"]["left"] is True


def test_an_invaders_fleet_that_is_taken_over_is_an_invaders_again(world: World) -> None:
    game_id = world.start(wishes=PLAYERS, system="kalevala", players=6, options={"landless": "1"})
    (user,) = (user for user, name in PLAYERS.items() if name == "emil")
    lobby.leave_game(world.context, game_id, user)
    for other in PLAYERS:
        if other != user:
            world.submit(game_id, other, "PASS")
    close(world, game_id)
    assert kind(world, game_id, "emil") == "vacant"
    join(world, game_id, NEW, "Emil")
    world.submit(game_id, NEW, "PASS")
    close(world, game_id)
    assert kind(world, game_id, "emil") == "invader"


def test_the_channel_hears_that_somebody_came_and_went_and_not_who(world: World, kept: GameId) -> None:
    world.forget_mail()
    join(world, kept, NEW, "Gerd")
    lobby.leave_game(world.context, kept, BERT)
    words = [repr(compose(world.context, each)) for each in world.outbox(kept) if each.target == "channel"]
    assert any("There is a new player for Gerd" in text for text in words)
    assert any("The player of Bert has left" in text for text in words)
    assert not any(str(int(user)) in text for text in words for user in (NEW, BERT))
    assert set(told(world, kept)) <= {NEW, world.game(kept).channel_id}


@pytest.mark.parametrize(("system", "players", "absent"), [("kalevala", 6, "wolves"), ("king_of_kings", 3, "monsters")])
def test_nobody_is_offered_a_power_before_the_start_that_nobody_can_play(
    system: str, players: int, absent: str
) -> None:
    world = World(systems)
    game_id = world.create(system=system, players=players)
    offered = [power.id for power in seats.joinable(world.context, game_id, NEW)]
    assert len(offered) == players
    assert absent not in offered
