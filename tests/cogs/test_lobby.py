"""`/game`: what the channel learns and what only the asker is told."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.model import GameId, GameStatus, UserId
from bot.services import lobby, replay
from bot.services.errors import Refused
from bot.text.compose import compose
from bot.text.games import leave_message
from bot.text.message import Message
from cogs.gm import GameMaster
from cogs.lobby import Lobby, read_pairs
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.registry import systems
from tests.bot.services.world import CREATOR, World
from tests.cogs.conftest import PLAYERS, Interact, command_of, offered
from tests.cogs.conftest import run as run_of
from tests.cogs.stubs import StubClient, StubInteraction
from tests.cogs.test_presses import press


async def run(interaction: StubInteraction, name: str, /, **options: Any) -> StubInteraction:
    return await run_of(Lobby(), interaction, name, **options)


async def create(interaction: StubInteraction, **options: Any) -> StubInteraction:
    return await run(interaction, "create", **{"system": "diplomacy", "name": "War"} | options)


def the_call(world: World) -> Message:
    """The call for players as it reads now."""
    *_, last = [message for message in world.storage.tables.outbox.values() if message.kind == "call"]
    (call,) = compose(world.context, last)
    return call


async def test_create_calls_for_players_with_a_button(interact: Interact, world: World) -> None:
    done = await create(
        interact(CREATOR), phases="mon,thu 19:00 Europe/Berlin", lengths="retreats=1d", options="victory_centres=20"
    )

    assert done.answers[0].ephemeral is True
    call = the_call(world)
    assert "<@9> sets up a game of Diplomacy" in call.content
    assert "*Seven powers of Europe in 1901: negotiate, write your orders in secret" in call.content
    assert "mon,thu 19:00 Europe/Berlin and retreats: 1d" in call.content
    assert r"victory\_centres = 20" in call.content
    assert [button.custom_id for button in call.buttons] == ["so:join:game1:0"]


async def test_the_call_names_the_seats_of_the_computer(interact: Interact, world: World) -> None:
    await create(interact(CREATOR), computer="strong", computers="Italy")

    assert "**1 of 7 seats taken**: the computer (strong) as Italy." in the_call(world).content
    assert "The computer (level: strong) plays vacant seats" in the_call(world).content


async def test_levels_in_character_are_told_apart_in_the_call(interact: Interact, world: World) -> None:
    await create(interact(CREATOR), computer="fair, bold", computers="2")

    assert "**2 of 7 seats taken**: the computer (fair, bold) in 2 seats." in the_call(world).content


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"computers": "7"}, "At least one of the 7 seats is for a person."),
        ({"computers": "Italy, italy"}, "The computer can have a power only once."),
        ({"computers": "Spain"}, "No power here is called “Spain”."),
    ],
)
async def test_seats_that_the_computer_can_not_have_are_refused(
    interact: Interact, options: dict[str, Any], why: str
) -> None:
    assert why in (await create(interact(CREATOR), **options)).text


async def test_every_kind_of_phase_of_the_game_may_have_a_length(interact: Interact, world: World) -> None:
    await create(interact(CREATOR), lengths="movement=mon,thu 19:00 Europe/Berlin, retreats=12h, adjustments=6h")

    for answer in ("movement: mon,thu 19:00 Europe/Berlin", "retreats: 12h", "adjustments: 6h"):
        assert answer in the_call(world).content


async def test_a_length_for_phases_that_the_game_lacks_is_refused_with_those_it_has(interact: Interact) -> None:
    done = await create(interact(CREATOR), system="king_of_kings", lengths="retreats=1d")

    assert done.last.ephemeral is True
    assert "King of Kings has no phases called “retreats”." in done.text
    assert "turn" in done.text


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("", "movement=12h"),
        ("re", "retreats=12h"),
        ("retreats=1d, adj", "retreats=1d, adjustments=12h"),
        ("retreats=mon,thu 19:00 UTC, adj", "retreats=mon,thu 19:00 UTC, adjustments=12h"),
        ("retreats=36h", "retreats=36h"),
    ],
)
async def test_lengths_complete_with_the_kinds_of_phases_of_the_game(
    interact: Interact, typed: str, first: str
) -> None:
    values = await offered(Lobby(), interact(CREATOR, options={"system": "diplomacy"}), "create", "lengths", typed)

    assert values[0] == first
    assert not any("setup" in value for value in values)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"phases": "soon"}, "length of time"),
        ({"lengths": "1d"}, "name=value"),
        ({"lengths": "retreats=soon"}, "length of time"),
        ({"lengths": "tribute=1d"}, "movement, retreats and adjustments"),
        ({"phases": "19:00"}, "days"),
        ({"system": "chess"}, "no rules for a game called"),
        ({"players": 40}, "can't be played by 40"),
        ({"options": "victory"}, "name=value"),
        ({"options": "victory=18"}, "no option called"),
        ({"options": "victory_centres=many"}, "can't be"),
        ({"variant": "standart"}, "Did you mean standard"),
    ],
)
async def test_what_can_not_be_set_up_is_told_to_the_creator_alone(
    interact: Interact, world: World, options: dict[str, Any], why: str
) -> None:
    done = await create(interact(CREATOR), **options)

    assert why in done.text
    assert done.public == ""
    assert world.storage.tables.games == {}


async def test_create_works_in_servers_only(interact: Interact, world: World) -> None:
    done = await create(interact(CREATOR, guild_id=None))

    assert "only in a server" in done.text
    assert world.storage.tables.games == {}


async def test_create_warns_of_missing_permissions(interact: Interact) -> None:
    permissions = discord.Permissions(view_channel=True, send_messages=True, embed_links=True)

    done = await create(interact(CREATOR, app_permissions=permissions))

    assert "Attach files" in done.answers[1].content
    assert done.answers[1].ephemeral is True


async def test_joining_and_leaving_change_the_call(interact: Interact, world: World) -> None:
    await create(interact(CREATOR))

    joined = await run(interact(50), "join", power="italy")
    assert "1 of 7 seats taken**: <@50>." in the_call(world).content
    assert "Italy" not in the_call(world).content
    await run(interact(51), "join")
    left = await run(interact(50), "leave")

    assert "asked for Italy" in joined.text
    assert joined.public == left.public == ""
    assert "1 of 7 seats taken**: <@51>." in the_call(world).content
    assert [message.kind for message in world.outbox(GameId(1))] == ["call"]


async def test_once_all_seats_are_taken_the_call_says_that_any_player_can_start(
    interact: Interact, world: World
) -> None:
    await create(interact(CREATOR), system="feudal", players=2, options="magic=true")
    assert "magic = yes" in the_call(world).content
    for user in (50, 51):
        await run(interact(user), "join")

    assert "any player can start the game now, with `/game start`" in the_call(world).content
    await run(interact(51), "start")
    assert world.game(GameId(1)).status is GameStatus.RUNNING


async def test_the_call_for_rulers_who_stay_unknown_only_counts_them(interact: Interact, world: World) -> None:
    await create(interact(CREATOR), system="kalevala", variant="small", players=6)
    await run(interact(50), "join")
    await run(interact(51), "join")

    assert "**2 of 6 seats taken**." in the_call(world).content
    assert "Somebody" not in the_call(world).content
    await run(interact(52), "join", word="heron")
    assert "**3 of 6 seats taken**: Somebody (word: `heron`)." in the_call(world).content


async def test_the_master_is_called_once_all_seats_are_taken(interact: Interact, world: World) -> None:
    await create(interact(CREATOR))
    for user_id in PLAYERS:
        await run(interact(user_id), "join")

    assert "All seats are taken" in the_call(world).content
    (notice,) = world.outbox(GameId(1))[1:]
    assert (notice.payload["code"], notice.payload["mentions"]) == ("notice.everybody_here", [CREATOR])
    await run(interact(CREATOR), "start")
    assert the_call(world).buttons == ()


async def test_start_draws_powers(interact: Interact, world: World) -> None:
    await create(interact(CREATOR))
    for user_id in PLAYERS:
        await run(interact(user_id), "join")

    done = await run(interact(CREATOR), "start")

    assert "begins" in done.text
    assert world.game(GameId(1)).status is GameStatus.RUNNING


async def test_start_with_too_few_is_refused(interact: Interact) -> None:
    await create(interact(CREATOR))

    assert "0 of 7 seats" in (await run(interact(CREATOR), "start")).text


async def test_whoever_starts_with_free_seats_is_asked_first(interact: Interact, world: World) -> None:
    await create(interact(CREATOR))
    for user_id in list(PLAYERS)[:2]:
        await run(interact(user_id), "join")

    asked = await run(interact(CREATOR), "start")

    assert "2 of 7 seats of **War** are taken. Do you want to start it with 2 players?" in asked.text
    assert asked.public == ""
    [item] = asked.last.items
    assert (item.label, item.custom_id) == ("Start the game", f"so:start:{world.game(GameId(1)).token}:0:2")
    assert world.game(GameId(1)).status is GameStatus.LOBBY
    assert "Only a game master" in (await press(interact(1), item.custom_id)).text
    await run(interact(list(PLAYERS)[2]), "join")
    assert "3 of 7 seats" in (await press(interact(CREATOR), item.custom_id)).text
    assert world.game(GameId(1)).status is GameStatus.LOBBY

    started = await press(interact(CREATOR), item.custom_id.replace(":2", ":3"))

    assert "**War** begins." in started.text
    assert (started.last.ephemeral, started.last.items) == (None, [])
    assert (world.game(GameId(1)).status, world.game(GameId(1)).players) == (GameStatus.RUNNING, 3)
    assert "begun" in (await press(interact(CREATOR), item.custom_id)).text


@pytest.mark.parametrize("options", [{"sure": True}, {"computer": "easy"}])
async def test_whoever_is_sure_or_leaves_free_seats_to_the_computer_starts_at_once(
    interact: Interact, world: World, options: dict[str, Any]
) -> None:
    await create(interact(CREATOR))
    for user_id in list(PLAYERS)[:2]:
        await run(interact(user_id), "join")

    await run_of(GameMaster(), interact(CREATOR), "start", **options)

    assert world.game(GameId(1)).status is GameStatus.RUNNING


async def test_list_in_a_server_and_in_direct_messages(interact: Interact, game_id: GameId) -> None:
    here = await run(interact(99), "list")
    mine = await run(interact(1), "list")
    dm = await run(interact(1, guild_id=None), "list")
    nothing = await run(interact(99, guild_id=None), "list")

    assert "**War**" in here.text
    assert "you play" not in here.text
    assert "you play Austria" in mine.text
    assert "<#200>" in dm.text
    assert "not in a game at the moment" in nothing.text
    for done in (here, mine, dm):
        assert "Spring 1901" in done.text
        assert "S1901M" not in done.text


async def test_info_names_who_is_missing_and_never_what_was_ordered(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, 1, "A BUD - SER")  # type: ignore[arg-type]

    done = await run(interact(99), "info")

    missing = done.text.partition("Seats")[0]
    assert "England, France, Germany, Italy, Russia and Turkey" in done.text
    assert "SER" not in done.text
    assert missing


async def test_info_counts_the_seats_that_are_taken(interact: Interact) -> None:
    await create(interact(CREATOR), name="Long")
    for number in (1, 2):
        await run(interact(number), "join")
    await run(interact(1), "leave")

    assert "1. <@2>" in (await run(interact(99), "info")).text


async def test_info_names_the_options_of_the_rules(interact: Interact) -> None:
    await create(interact(CREATOR), name="Long", options="victory_centres=20")

    done = await run(interact(99), "info", game="Long")

    assert "Options: victory\\_centres = 20." in done.text


async def test_info_of_a_game_that_is_over_offers_no_seat(interact: Interact, world: World, game_id: GameId) -> None:
    await run(interact(1), "leave", sure=True)
    assert "(open: `/game join`)" in (await run(interact(99), "info")).text
    await run(interact(CREATOR), "end", sure=True)

    done = await run(interact(99), "info", game="War")

    assert "Over.\nNobody won.\nA game master ended the game." in done.text
    assert "/game join" not in done.text


async def test_verify_tells_anybody_that_the_game_was_honest_and_no_seed(
    interact: Interact, world: World, game_id: GameId
) -> None:
    done = await run(interact(CREATOR), "verify")

    document = world.game(game_id).document
    assert document is not None
    assert "nothing to play again" in done.text
    assert str(document["seed"]) not in done.text
    assert done.public == ""


async def test_games_are_played_again_one_at_a_time(
    interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    cog, at_work, most = Lobby(), set[int](), 0
    verify = replay.verify

    def slowly(*args: Any) -> replay.Verification:
        nonlocal most
        at_work.add(threading.get_ident())
        most = max(most, len(at_work))
        time.sleep(0.05)
        at_work.remove(threading.get_ident())
        return verify(*args)

    async def off_the_loop(_: StubClient, service: Any, /, *args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(service, *args, **kwargs)

    monkeypatch.setattr(StubClient, "call", off_the_loop)
    monkeypatch.setattr(replay, "verify", slowly)
    asked = [interact(user) for user in (1, 2, 3)]
    await asyncio.gather(*(run_of(cog, one, "verify") for one in asked))

    assert most == 1
    assert all("nothing to play again" in one.text for one in asked)


async def test_who_may_manage_the_server_can_set_up_more_games_than_others(
    interact: Interact, client: StubClient, world: World
) -> None:
    client.context = replace(world.context, games_per_person=1)
    await create(interact(CREATOR), name="one")

    refused = await create(interact(CREATOR), name="two")
    assert "One person can have set up 1 unfinished game on a server at a time, and you have 1 here." in refused.text
    assert "`/game end` ends one" in refused.text
    manager = discord.Permissions(manage_guild=True)
    assert "set up" in (await create(interact(CREATOR, permissions=manager), name="two")).text


async def test_end_is_for_game_masters(interact: Interact, world: World, game_id: GameId) -> None:
    assert "Only a game master" in (await run(interact(1), "end")).text
    assert world.game(game_id).status is GameStatus.RUNNING

    assert "ended" in (await run(interact(CREATOR), "end", sure=True)).text
    assert world.game(game_id).status is GameStatus.OVER


async def test_whoever_ends_a_game_that_others_play_is_asked_first(
    interact: Interact, world: World, game_id: GameId
) -> None:
    asked = await run(interact(CREATOR), "end")

    assert "Do you want to end **War**? Others are still playing it." in asked.text
    assert "nobody wins" in asked.text
    assert asked.public == ""
    [item] = asked.last.items
    assert (item.label, item.custom_id) == ("End the game", f"so:end:game{game_id}:1:sure")
    assert world.game(game_id).status is GameStatus.RUNNING
    assert "Only a game master" in (await press(interact(1), item.custom_id)).text
    assert "Only a game master" in (await press(interact(77), item.custom_id)).text
    world.pass_deadline(game_id)
    assert "Do you want to end" in (await press(interact(CREATOR), item.custom_id)).text
    assert world.game(game_id).status is GameStatus.RUNNING

    ended = await press(interact(CREATOR), f"so:end:game{game_id}:2:sure")

    assert "**War** has been ended." in ended.text
    assert (ended.last.ephemeral, ended.last.items) == (None, [])
    assert world.game(game_id).status is GameStatus.OVER
    assert "is over" in (await press(interact(CREATOR), item.custom_id)).text


async def test_whoever_ends_a_game_that_nobody_else_plays_is_not_asked(
    interact: Interact, world: World, game_id: GameId
) -> None:
    for number in PLAYERS:
        if number != 1:
            lobby.leave_game(world.context, game_id, number)

    manager = discord.Permissions(manage_guild=True)
    assert "**War** has been ended." in (await run(interact(1, permissions=manager), "end")).text


async def test_whoever_plays_and_ends_a_game_that_others_play_is_asked_too(
    interact: Interact, world: World, game_id: GameId
) -> None:
    manager = discord.Permissions(manage_guild=True)
    asked = await run(interact(1, permissions=manager), "end")
    assert "Others are still playing it" in asked.text
    assert world.game(game_id).status is GameStatus.RUNNING


async def test_whose_rules_name_a_winner_is_not_told_who_would_be(interact: Interact) -> None:
    world = World({SystemId("kregen"): systems[SystemId("kregen")]})
    game_id = world.create(system="kregen", name="Sea", players=8)
    for number in range(1, 9):
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)

    asked = await run(StubInteraction(StubClient(world.context), CREATOR), "end")

    assert "its rules say who has won, but it can't be you" in asked.text
    leaders = lobby.ending(world.context, game_id, CREATOR, is_manager=False)
    assert leaders is not None
    assert leaders.has_winners


async def test_whoever_ends_a_game_that_nobody_else_plays_but_that_the_rules_decide_is_asked(
    interact: Interact,
) -> None:
    world = World({SystemId("kregen"): systems[SystemId("kregen")]})
    game_id = world.create(system="kregen", name="Sea", players=8)
    for number in range(1, 9):
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    for number in range(1, 9):
        lobby.leave_game(world.context, game_id, UserId(number))

    asked = await run(StubInteraction(StubClient(world.context), CREATOR), "end")

    assert "its rules say who has won" in asked.text
    assert "Others are still playing" not in asked.text
    assert world.game(game_id).status is GameStatus.PAUSED
    ended = await press(StubInteraction(StubClient(world.context), CREATOR), asked.last.items[0].custom_id)
    assert "**Sea** has been ended." in ended.text


async def test_managers_of_another_server_are_no_game_masters(
    interact: Interact, world: World, game_id: GameId
) -> None:
    manager = discord.Permissions(manage_guild=True)
    lobby.leave_game(world.context, game_id, 2)  # type: ignore[arg-type]

    elsewhere = await run(interact(1, guild_id=555, channel_id=556, permissions=manager), "end")
    assert "Only a game master" in elsewhere.text

    assert "ended" in (await run(interact(77, permissions=manager), "end", sure=True)).text


async def test_whoever_takes_over_a_seat_is_told_where_to_see_what_was_played(
    interact: Interact, world: World, game_id: GameId
) -> None:
    for number in (UserId(1), UserId(2)):
        lobby.leave_game(world.context, game_id, number)
    assert "/history" not in (await run(interact(40), "join", power="austria")).text
    world.pass_deadline(game_id)

    joined = await run(interact(41), "join")

    assert "You now play **England**" in joined.text
    assert "`/history` shows what was played before, and `/chronicle` everything that England was told." in joined.text


async def test_a_vote_that_was_never_cast_is_not_said_to_be_withdrawn(interact: Interact, game_id: GameId) -> None:
    for _ in range(2):
        assert "nothing to withdraw" in (await run(interact(1), "vote", kind="draw", in_favour=False)).text
    await run(interact(1), "vote", kind="draw")
    assert "is withdrawn" in (await run(interact(1), "vote", kind="draw", in_favour=False)).text
    assert "nothing to withdraw" in (await run(interact(1), "vote", kind="draw", in_favour=False)).text


async def test_votes_are_told_to_the_voter_alone(interact: Interact, game_id: GameId) -> None:
    done = await run(interact(1), "vote", kind="draw")

    assert "noted" in done.text
    assert done.public == ""
    assert "withdrawn" in (await run(interact(1), "vote", kind="draw", in_favour=False)).text
    assert "To whom" in (await run(interact(1), "vote", kind="concession")).text
    assert "Italy" in (await run(interact(1), "vote", kind="concession", winner="italy")).text


async def test_the_last_vote_carries(interact: Interact, world: World, game_id: GameId) -> None:
    for user_id in PLAYERS:
        done = await run(interact(user_id), "vote", kind="draw")

    assert "carried" in done.text
    assert world.game(game_id).status is GameStatus.OVER


async def test_completion_of_options_names_them_and_their_values(interact: Interact) -> None:
    interaction = interact(CREATOR, options={"system": "diplomacy"})

    names = await offered(Lobby(), interaction, "create", "options", "rule")
    later = await offered(Lobby(), interaction, "create", "options", "rulebook=datc, vic")

    assert "rulebook=webdiplomacy" in names
    assert later == ["rulebook=datc, victory_centres=18"]


@pytest.mark.parametrize(("system", "last"), [("kalevala", "invitation=yes"), ("king_of_kings", "map=")])
async def test_completion_of_many_options_names_them_all(interact: Interact, system: str, last: str) -> None:
    interaction = interact(CREATOR, options={"system": system})

    names = await offered(Lobby(), interaction, "create", "options", "")

    assert names[-1].startswith(last)
    assert len(names) == len(systems.infos[SystemId(system)].options)


async def test_completion_of_options_recommends_the_more_even_game(interact: Interact) -> None:
    interaction = interact(CREATOR, options={"system": "kregen"})
    lobby_cog = Lobby()
    complete = command_of(lobby_cog, "create")._params["options"].autocomplete
    choices = await complete(lobby_cog, interaction.discord, "vic")
    (found,) = [choice for choice in choices if choice.value == "victory=handicap"]
    assert found.name == "victory=handicap (recommended: even chances)"
    # Whoever types on after choosing it types after the words that were offered.
    later = await offered(Lobby(), interaction, "create", "options", f"{found.name}, last")
    assert later == ["victory=handicap, last_year=0"]
    assert read_pairs(f"{found.name}, last_year=4") == {"victory": "handicap", "last_year": "4"}


def test_pairs_are_read() -> None:
    assert read_pairs(" a = 1, b=two words ,") == {"a": "1", "b": "two words"}
    assert read_pairs("a=1 b = two words  c=3, d=4") == {"a": "1", "b": "two words", "c": "3", "d": "4"}
    with pytest.raises(Refused):
        read_pairs("a=1, b")


async def test_an_option_has_one_value_and_is_not_offered_again(interact: Interact) -> None:
    assert read_pairs("a=1, a=1") == {"a": "1"}
    with pytest.raises(Refused) as refused:
        read_pairs("a=1, b=2, a=3")
    assert refused.value.what == phrase("failure.option_twice", name="a", one="1", other="3")
    interaction = interact(CREATOR, options={"system": "kregen"})
    offers = await offered(Lobby(), interaction, "create", "options", "victory=classic, ")
    assert offers
    assert not [offer for offer in offers if offer.count("victory") > 1]


async def test_a_game_is_moved_to_the_channel_in_which_that_is_asked(
    interact: Interact, world: World, game_id: GameId
) -> None:
    done = await run(interact(CREATOR, channel_id=201), "move", game="War")

    assert "**War** is played here from now on" in done.text
    assert done.public == ""
    assert world.game(game_id).channel_id == 201


@pytest.mark.parametrize(
    ("asker", "changes", "why"),
    [
        (CREATOR, {"app_permissions": discord.Permissions(view_channel=True)}, "Send messages"),
        (CREATOR, {"guild_id": None}, "only in a server"),
        (UserId(1), {}, "Only a game master"),
        (CREATOR, {"channel_id": 200}, "already"),
    ],
)
async def test_a_game_stays_where_it_is_if_the_other_channel_is_none(
    interact: Interact, world: World, game_id: GameId, asker: UserId, changes: dict[str, Any], why: str
) -> None:
    before = world.game(game_id)

    done = await run(interact(asker, **{"channel_id": 201} | changes), "move", game="War")

    assert why in done.text
    assert world.game(game_id) == before


# Words for the seed


async def test_the_call_tells_the_fingerprint_of_a_secret_and_words_are_public(
    interact: Interact, world: World
) -> None:
    called = await create(interact(CREATOR))
    [game] = world.storage.tables.games.values()
    assert game.own_seed is not None
    assert hashlib.sha256(game.own_seed.encode()).hexdigest() in the_call(world).content
    assert game.own_seed not in called.text
    assert game.own_seed not in the_call(world).content

    joined = await run(interact(1), "join", word="seven swans")
    assert "Your word is `seven swans`" in joined.text
    assert "<@1> (word: `seven swans`)" in the_call(world).content
    await run(interact(1), "join", word="eight swans")
    assert "`eight swans`" in the_call(world).content
    assert "1 of 7" in the_call(world).content


async def test_the_number_of_the_message_that_begins_the_game_is_part_of_the_seed(
    interact: Interact, client: StubClient, world: World
) -> None:
    await create(interact(CREATOR))
    for number in PLAYERS:
        await run(interact(number), "join", word="swan" if number == 3 else None)
    await run(interact(CREATOR), "start")
    [(channel_id, message)] = client.posted
    [game] = world.storage.tables.games.values()
    assert channel_id == game.channel_id
    assert game.document is not None
    assert str(game.document["seed"]) == f"{game.own_seed}|9001|swan"
    assert "Words for its seed, in the order of joining: `swan`" in message.content
    assert str(game.own_seed) not in message.content


async def test_a_game_begins_where_its_channel_can_not_be_written_to(
    interact: Interact, client: StubClient, world: World
) -> None:
    await create(interact(CREATOR))
    for number in PLAYERS:
        await run(interact(number), "join", word="swan" if number == 3 else None)
    client.may_post = False
    await run(interact(CREATOR), "start")
    [game] = world.storage.tables.games.values()
    assert game.document is not None
    assert str(game.document["seed"]) == f"{game.own_seed}|-|swan"


async def test_the_post_of_a_start_that_is_refused_after_all_says_so(
    interact: Interact, client: StubClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create(interact(CREATOR))
    for number in PLAYERS:
        await run(interact(number), "join")
    [game_id] = world.storage.tables.games
    post = client.post

    async def slow(channel_id: int, message: Message) -> int | None:
        lobby.join_game(world.context, game_id, UserId(3), power=None, word="swan")
        return await post(channel_id, message)

    monkeypatch.setattr(client, "post", slow)
    assert "Start it again" in (await run(interact(CREATOR), "start")).text
    assert [message.content for _, message in client.posted] == ["This attempt to start **War** came to nothing."]


async def test_nothing_is_posted_for_a_game_that_can_not_begin(interact: Interact, client: StubClient) -> None:
    await create(interact(CREATOR))
    refused = await run(interact(CREATOR), "start")
    assert "0" in refused.text
    assert client.posted == []


async def test_whoever_leaves_a_running_game_gets_what_they_have_lived_through(
    interact: Interact, world: World, game_id: GameId
) -> None:
    player = next(seat.user_id for seat in world.seats(game_id) if seat.user_id is not None)
    before = await run(interact(player + 1), "leave", game="War", sure=True)
    assert "the story of your power" not in before.text
    assert all(each.kwargs.get("files", []) == [] for each in before.answers)
    world.pass_deadline(game_id)
    left = await run(interact(player), "leave", game="War", sure=True)
    assert "This is the story of your power in **War**" in left.text
    assert left.public == ""
    sent = {file.filename for each in left.answers for file in each.kwargs.get("files", ())}
    assert {"chronicle.html", "chronicle.gif"} <= sent


async def test_whoever_leaves_a_running_game_is_asked_first(interact: Interact, world: World, game_id: GameId) -> None:
    asked = await run(interact(1), "leave", game="War")

    assert "Do you want to give up Austria in **War**?" in asked.text
    assert "You can come back only as long as nobody has" in asked.text
    assert asked.public == ""
    assert [(item.label, item.custom_id) for answer in asked.answers for item in answer.items] == [
        ("Give up my seat", f"so:leave:game{game_id}:1:sure")
    ]
    assert world.seat(game_id, PowerId("austria")).user_id == 1


async def test_the_button_below_the_question_leaves(interact: Interact, world: World, game_id: GameId) -> None:
    left = await press(interact(1), f"so:leave:game{game_id}:1:sure")

    assert "You have left **War**" in left.last.text
    assert (left.last.ephemeral, left.last.items) == (None, [])
    assert world.seat(game_id, PowerId("austria")).user_id is None
    again = await press(interact(1), f"so:leave:game{game_id}:1:sure")
    assert "You have left" not in again.text


async def test_a_question_from_an_earlier_phase_is_asked_again(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.pass_deadline(game_id)

    asked = await press(interact(1), f"so:leave:game{game_id}:1:sure")

    assert "Do you want to give up Austria in **War**?" in asked.text
    assert world.seat(game_id, PowerId("austria")).user_id == 1


async def test_the_question_says_that_a_seat_out_of_the_game_is_gone(
    interact: Interact, world: World, game_id: GameId
) -> None:
    leaving = lobby.leaving(world.context, game_id, UserId(1))

    assert "you can't come back" in leave_message(replace(leaving, is_out=True)).content
    assert "game masters can give your seat" in leave_message(replace(leaving, is_open=False)).content


async def test_a_usual_length_that_no_phase_has_is_not_told(interact: Interact, world: World) -> None:
    await create(interact(CREATOR), phases="2d", lengths="movement=1d, retreats=12h")
    assert "Length of phases: 2d, movement: 1d and retreats: 12h." in the_call(world).content

    await create(interact(CREATOR), name="All", phases="2d", lengths="movement=1d, retreats=12h, adjustments=6h")
    assert "Length of phases: movement: 1d, retreats: 12h and adjustments: 6h." in the_call(world).content


@pytest.mark.parametrize(
    ("who", "options", "is_told"), [(CREATOR, "yes", True), (1, "yes", False), (CREATOR, "no", False)]
)
async def test_a_master_who_takes_a_seat_is_told_that_cards_hide_themselves_then(
    who: UserId, options: str, is_told: bool
) -> None:
    client = StubClient(World({SystemId("young_kingdoms"): systems[SystemId("young_kingdoms")]}).context)
    options = f"umpire_places_spells={options}"
    await create(StubInteraction(client, CREATOR), system="young_kingdoms", options=options)

    joined = await run(StubInteraction(client, who), "join")

    assert ("can't choose with `/gm hide-card`" in joined.text) is is_told
