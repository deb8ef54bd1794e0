"""`/map`, `/history`, `/help`, `/rules` and `/gm`."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.ext import commands

from bot.model import Delivery, GameId, GameStatus, UserId
from bot.services import inspect, lobby, overview
from bot.text.games import info_message
from bot.text.message import Message
from cogs._transformers import complete_phase, complete_region
from cogs.gm import GameMaster
from cogs.help import Help
from cogs.inspect import Inspect
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.world import CREATOR, World
from tests.cogs.conftest import PLAYERS, Interact, command_of, offered, run
from tests.cogs.stubs import StubClient, StubInteraction

AUSTRIA = UserId(1)


def labels(done: StubInteraction) -> set[str]:
    """What stands on the buttons of the last answer."""
    return {item.label for item in done.last.items}


# Looking


async def test_map_shows_the_position_to_the_asker(interact: Interact, game_id: GameId) -> None:
    done = await run(Inspect(), interact(99), "map")

    assert done.last.kwargs["files"][0].description.startswith("Map of Spring 1901")
    assert done.last.kwargs["files"][1].filename == "board.txt"
    assert done.last.ephemeral is True


async def test_map_in_words(interact: Interact, game_id: GameId) -> None:
    done = await run(Inspect(), interact(99), "map", text=True)

    assert "A BUD" in done.text
    assert [file.filename for file in done.last.kwargs["files"]] == ["board.txt"]


async def test_map_can_be_shared(interact: Interact, game_id: GameId) -> None:
    done = await run(Inspect(), interact(99), "map", share=True)

    assert done.answers[0].ephemeral is True
    assert "Spring 1901" in done.public


@pytest.mark.parametrize("options", [{}, {"view": "orders"}])
async def test_map_shows_a_region_close_up(
    interact: Interact, world: World, game_id: GameId, options: dict[str, str]
) -> None:
    done = await run(Inspect(), interact(AUSTRIA), "map", region="Serbia, black sea", **options)

    assert done.client.renderer.drawn[-1].focus == ("SER", "BLA")


async def test_a_power_is_a_region_with_all_that_it_has(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.pass_deadline(game_id)

    done = await run(Inspect(), interact(99), "map", region="austria", view="results")

    assert set(done.client.renderer.drawn[-1].focus) >= {"BUD", "TRI", "VIE", "SER"}


async def test_map_names_places_near_to_an_unknown_region(interact: Interact, game_id: GameId) -> None:
    done = await run(Inspect(), interact(99), "map", region="Serbai")

    assert "Serbia" in done.text
    assert done.last.ephemeral is True


async def test_regions_complete_behind_those_that_are_written(interact: Interact, game_id: GameId) -> None:
    fresh = await complete_region(interact(99, options={}).discord, "ser")
    later = await complete_region(interact(99, options={}).discord, "Serbia,aus")
    anything = await complete_region(interact(99, options={}).discord, "")

    assert [choice.value for choice in fresh][:1] == ["Serbia"]
    assert [choice.value for choice in later] == ["Serbia, Austria"]
    assert len(anything) == 25


async def test_own_orders_are_never_shared(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")

    done = await run(Inspect(), interact(AUSTRIA), "map", view="orders", share=True)

    assert "A BUD - SER" in done.text
    assert done.public == ""
    assert done.deferred is True


async def test_pending_orders_are_in_no_map_but_the_own(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")

    for user_id in (AUSTRIA, 5, 99):
        done = await run(Inspect(), interact(user_id), "map")
        (scene,) = done.client.renderer.drawn[-1:]
        assert scene.arrows == ()


@pytest.mark.parametrize(
    ("name", "options"), [("map", {"view": "results"}), ("map", {"phase": "s1901m"}), ("history", {})]
)
async def test_results_of_a_phase(
    interact: Interact, world: World, game_id: GameId, name: str, options: dict[str, Any]
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.ready(game_id, *PLAYERS)

    done = await run(Inspect(), interact(99), name, **options)

    assert "✓ A BUD - SER" in done.text
    assert [answer.kwargs["files"][0].filename for answer in done.answers] == ["orders.png", "map.png"]
    assert done.public == ""


async def test_history_of_nothing_and_of_an_unknown_phase(interact: Interact, world: World, game_id: GameId) -> None:
    assert "No phase has been played" in (await run(Inspect(), interact(99), "history")).text
    world.ready(game_id, *PLAYERS)

    assert "Did you mean S1901M?" in (await run(Inspect(), interact(99), "history", phase="S1902M")).text


@pytest.mark.parametrize("phase", ["S1901M", "Spring 1901, movement", "spring 1901"])
async def test_phases_are_named_by_code_or_title(interact: Interact, world: World, game_id: GameId, phase: str) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.ready(game_id, *PLAYERS)
    world.ready(game_id, *PLAYERS)

    history = await run(Inspect(), interact(99), "history", phase=phase, text=True)
    film = await run(Inspect(), interact(99), "replay", phase=phase)

    assert "A BUD - SER" in history.text
    assert film.last.kwargs["files"][0].description.startswith("Animated map of Spring 1901")


async def test_completion_finds_phases_by_code_that_are_too_old_for_titles(
    interact: Interact, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect, "_TITLED", 1)
    world.ready(game_id, *PLAYERS)
    world.ready(game_id, *PLAYERS)

    offered = await complete_phase(interact(99).discord, "1901m")

    assert [choice.name for choice in offered] == ["Fall 1901, movement (F1901M)", "S1901M"]


@pytest.mark.parametrize(
    ("typed", "codes"), [("", ["F1901M", "S1901M"]), ("spring", ["S1901M"]), ("f1901", ["F1901M"])]
)
async def test_completion_of_phases_has_titles_and_codes(
    interact: Interact, world: World, game_id: GameId, typed: str, codes: list[str]
) -> None:
    world.ready(game_id, *PLAYERS)
    world.ready(game_id, *PLAYERS)

    offered = await complete_phase(interact(99).discord, typed)

    assert [choice.value for choice in offered] == codes
    assert all(choice.name in ("Fall 1901, movement (F1901M)", "Spring 1901, movement (S1901M)") for choice in offered)


async def test_replay_shows_a_phase_as_a_film_with_its_words(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.ready(game_id, *PLAYERS)

    done = await run(Inspect(), interact(99), "replay")

    (file,) = done.last.kwargs["files"]
    assert file.filename == "replay.gif"
    assert file.description.startswith("Animated map of Spring 1901")
    assert "A BUD - SER" in done.text
    assert done.deferred is True
    assert done.public == ""
    assert [type(shown).__name__ for shown in done.client.renderer.drawn] == ["Film"]


async def test_replay_can_be_shared(interact: Interact, world: World, game_id: GameId) -> None:
    world.ready(game_id, *PLAYERS)

    assert "Spring 1901" in (await run(Inspect(), interact(99), "replay", share=True)).public


async def test_replay_of_the_present_phase_is_refused_with_what_can_be_done(
    interact: Interact, world: World, game_id: GameId
) -> None:
    done = await run(Inspect(), interact(99), "replay", phase="s1901m")

    assert "has not closed yet" in done.text
    assert "`/map`" in done.text


async def test_replay_of_a_game_that_is_over_is_the_whole_game(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.pass_in_silence(game_id, 3)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    done = await run(Inspect(), interact(99), "replay")

    assert "the whole game" in done.text
    assert "4 phases" in done.text
    film, table = done.last.kwargs["files"]
    assert "Supply centres by year, from the start: Russia 4 4" in film.description
    rows = table.fp.read().decode().splitlines()
    assert rows[2].split() == ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
    assert [row.split()[0] for row in rows[3:]] == ["start", "1901", "1902"]


@pytest.mark.parametrize("text", [False, True])
async def test_history_has_the_standings_once_a_year_is_over(
    interact: Interact, world: World, game_id: GameId, text: bool
) -> None:
    while world.game(game_id).phase_code != "S1902M":
        world.pass_deadline(game_id)

    done = await run(Inspect(), interact(99), "history", text=text)
    before = await run(Inspect(), interact(99), "history", phase="S1901M")

    assert "Supply centres by year" in done.last.content
    assert ("start" in done.last.content) is text
    names = [file.filename for answer in done.answers for file in answer.kwargs.get("files", ())]
    assert ("standings.png" in names) is not text
    assert "Supply centres" not in before.text


async def test_help_fits_the_situation(interact: Interact, world: World, game_id: GameId) -> None:
    newcomer = await run(Help(), interact(99, guild_id=None), "help")
    player = await run(Help(), interact(AUSTRIA), "help")

    assert "not in a game at the moment" in newcomer.text
    assert "</game join:1>" in newcomer.text
    assert "You play **Austria** in **War**. Now: **Spring 1901, movement**." in player.text
    assert "</orders enter:1>" in player.text


async def test_help_of_a_player_tells_the_goal_what_is_missing_and_what_could_be_written_now(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    told = (await run(Help(), interact(AUSTRIA), "help")).text

    assert "The first to hold 18 of the 34 supply centres at the end of a Fall wins" in told
    assert "Without an order: F TRI and A VIE" in told
    assert "A unit without an order holds" in told
    assert "`A BUD - RUM` sends your army to Rumania. Nobody owns that centre yet." in told
    assert "gm extend" not in told, "no game master"
    assert "/duel" not in told, "another game's"
    assert "end the game as it stands" not in told, "Diplomacy knows no such end"


async def test_help_of_a_phase_has_examples_of_that_phase(interact: Interact, world: World, game_id: GameId) -> None:
    document = world.game(game_id).document
    assert document is not None
    units = [unit for unit in document["state"]["units"] if unit["at"] != "BUD"]
    phase = {"year": 1901, "season": "winter", "kind": "adjustments"}
    world.set_state(game_id, units=units, phase=phase)
    told = (await run(Help(), interact(AUSTRIA), "help")).text

    assert "`BUILD A BUD` adds a new army in Budapest" in told
    assert "A build without an order lapses" in told
    assert "A VIE - " not in told


async def test_help_of_a_spectator_and_of_a_game_master(interact: Interact, world: World, game_id: GameId) -> None:
    spectator = (await run(Help(), interact(99), "help")).text
    master = (await run(Help(), interact(CREATOR), "help")).text

    assert "**War** is being played here (Spring 1901, movement), and you have no seat in it" in spectator
    assert "A seat is open" not in spectator
    assert "orders enter" not in spectator
    assert "You are the game master of War" in master
    assert "</gm extend:1>" in master
    assert "gm set:" not in master, "positions of Diplomacy can't be changed"
    lobby.leave_game(world.context, game_id, AUSTRIA)
    assert "A seat is open" in (await run(Help(), interact(99), "help")).text


async def test_help_has_buttons_for_the_rules(interact: Interact, world: World, game_id: GameId) -> None:
    newcomer = await run(Help(), interact(99, guild_id=None), "help")
    player = await run(Help(), interact(AUSTRIA), "help")

    assert {"Diplomacy", "Kregen"} <= labels(newcomer)
    assert "Rules" in labels(player)


async def test_help_asks_nothing_of_who_is_out(interact: Interact, world: World, game_id: GameId) -> None:
    document = world.game(game_id).document
    assert document is not None
    units = [unit for unit in document["state"]["units"] if unit["power"] != "austria"]
    centres = {place: None if owner == "austria" else owner for place, owner in document["state"]["centres"].items()}
    world.set_state(game_id, units=units, centres=centres)

    told = (await run(Help(), interact(AUSTRIA), "help")).text

    assert "in which the game is over for **Austria**: you have nothing more to do" in told
    assert "orders lock" not in told


async def test_rules_by_topic(interact: Interact, game_id: GameId) -> None:
    first = await run(Help(), interact(99), "rules")
    convoys = await run(Help(), interact(99), "rules", topic="convoys")
    unknown = await run(Help(), interact(99), "rules", topic="Convoi")

    assert {"Moving", "Convoys"} <= labels(first)
    assert "Convoys" not in labels(convoys)
    assert "F NTH C A LON - BEL" in convoys.text
    assert "The rules of Diplomacy have no such topic" in unknown.text
    assert "Did you mean Convoys?" in unknown.text


async def test_rules_can_be_read_without_any_game(interact: Interact) -> None:
    assert "Seven powers" in (await run(Help(), interact(99, guild_id=None), "rules")).text


async def test_rules_complete_their_topics(interact: Interact, game_id: GameId) -> None:
    assert await offered(Help(), interact(99, options={}), "rules", "topic", "bui") == ["Building and removing"]


@pytest.mark.parametrize(
    ("cog", "name", "options"),
    [(Inspect(), "map", {"game": "Ware"}), (Inspect(), "history", {}), (Help(), "rules", {"topic": "chess"})],
)
async def test_what_can_not_be_shared_is_told_to_the_asker_alone(
    interact: Interact, game_id: GameId, cog: commands.Cog, name: str, options: dict[str, str]
) -> None:
    done = await run(cog, interact(AUSTRIA), name, share=True, **options)

    assert done.answers
    assert done.public == ""


async def test_game_of_another_server_is_not_shared_here(interact: Interact, game_id: GameId) -> None:
    assert "Spring 1901" in (await run(Inspect(), interact(AUSTRIA, guild_id=999), "map")).text

    done = await run(Inspect(), interact(AUSTRIA, guild_id=999), "map", share=True)

    assert done.public == ""


async def test_nobody_fills_a_channel_with_what_they_share(interact: Interact, world: World, game_id: GameId) -> None:
    cog = Inspect()
    for _ in range(5):
        assert (await run(cog, interact(99), "map", share=True)).public
    rules = await run(Help(), interact(99), "rules", share=True)
    assert rules.public == ""
    refused = await run(cog, interact(99), "map", text=True, share=True)
    assert refused.public == ""
    assert "You have shared 5 answers" in refused.text
    assert "Without `share`" in refused.text
    assert "Spring 1901" in (await run(cog, interact(99), "map")).text
    assert (await run(cog, interact(98), "map", share=True)).public
    world.clock.moment += timedelta(minutes=10)
    assert (await run(cog, interact(99), "map", share=True)).public


async def test_direct_messages_speak_of_no_server_that_is_not_there(interact: Interact, game_id: GameId) -> None:
    for named in ({}, {"game": "War"}):
        stranger = await run(Inspect(), interact(99, guild_id=None, channel_id=None), "map", **named)
        assert "of this server" not in stranger.text
        assert "server" in stranger.text
    assert "of this server" in (await run(Inspect(), interact(99, guild_id=7, channel_id=8), "map")).text


async def test_help_offers_no_seat_of_a_game_whose_seats_are_taken(world: World) -> None:
    game_id = world.create(system="diplomacy", name="Full", players=2)
    for number in (1, 2):
        told = (await run(Help(), StubInteraction(StubClient(world.context), UserId(99)), "help")).text
        assert "looking for players" in told
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    told = (await run(Help(), StubInteraction(StubClient(world.context), UserId(99)), "help")).text
    assert "All seats of **Full** are taken." in told
    assert "looking for players" not in told


# Game masters


async def gm(interaction: StubInteraction, name: str, **options: Any) -> StubInteraction:
    return await run(GameMaster(), interaction, name, **options)


async def test_hiding_cards_is_for_games_that_leave_it_to_the_master(interact: Interact, game_id: GameId) -> None:
    playing = interact(AUSTRIA, permissions=discord.Permissions(manage_guild=True))
    for master in (interact(CREATOR), playing):
        done = await gm(master, "hide-card", place="Bakshaan")
        assert "no card is waiting" in done.text


async def test_places_for_hidden_cards_are_offered() -> None:
    world = World({SystemId("young_kingdoms"): systems[SystemId("young_kingdoms")]})
    world.start(wishes=YOUNG_KINGDOMS, system="young_kingdoms", players=6, options={"umpire_places_spells": "true"})
    client = StubClient(world.context)
    command = command_of(GameMaster(), "hide-card")
    complete = command._params["place"].autocomplete
    assert callable(complete)
    offered = await complete(StubInteraction(client, CREATOR).discord, "tan")
    assert [choice.value for choice in offered] == ["Tanelorn"]
    by_code = await complete(StubInteraction(client, CREATOR).discord, "iop")
    assert [(choice.name, choice.value) for choice in by_code] == [
        ("Isle of Purple Towns (IOP)", "Isle of Purple Towns")
    ]
    assert await complete(StubInteraction(client, UserId(1)).discord, "tan") == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("extend", {"by": "12h"}),
        ("set-deadline", {"at": "in 6h"}),
        ("pause", {}),
        ("resume", {}),
        ("adjudicate", {}),
        ("rollback", {}),
        ("replace", {"power": "italy"}),
        ("check", {}),
        ("hide-card", {}),
    ],
)
async def test_only_game_masters_may(
    interact: Interact, world: World, game_id: GameId, name: str, options: dict[str, Any]
) -> None:
    before = world.game(game_id)

    done = await gm(interact(AUSTRIA), name, **options)

    assert "Only a game master" in done.text
    assert world.game(game_id) == before


async def test_the_clock(interact: Interact, world: World, game_id: GameId) -> None:
    assert "now closes" in (await gm(interact(CREATOR), "extend", by="12h")).text
    assert "now closes" in (await gm(interact(CREATOR), "set-deadline", at="in 6h")).text
    assert "is paused" in (await gm(interact(CREATOR), "pause")).text
    assert "more time when it resumes" in (await gm(interact(CREATOR), "extend", by="12h")).text
    assert "goes on" in (await gm(interact(CREATOR), "resume")).text
    assert "length of time" in (await gm(interact(CREATOR), "extend", by="later")).text


async def test_adjudicating_and_going_back(interact: Interact, world: World, game_id: GameId) -> None:
    assert "is closed" in (await gm(interact(CREATOR), "adjudicate")).text
    assert world.game(game_id).phase_code == "F1901M"

    assert "back in Spring 1901, movement" in (await gm(interact(CREATOR), "rollback")).text
    assert world.game(game_id).phase_code == "S1901M"


async def test_going_back_in_a_paused_game_says_that_it_is_paused(interact: Interact, game_id: GameId) -> None:
    await gm(interact(CREATOR), "adjudicate")
    await gm(interact(CREATOR), "pause")

    gone_back = await gm(interact(CREATOR), "rollback")

    assert "back in Spring 1901, movement.\nIt is paused: `/gm resume` starts the clock again." in gone_back.text


async def test_replacing_a_player(interact: Interact, world: World, game_id: GameId) -> None:
    bot = await gm(interact(CREATOR), "replace", power="Italy", player=SimpleNamespace(id=61, bot=True))
    given = await gm(interact(CREATOR), "replace", power="Italy", player=SimpleNamespace(id=60, bot=False))
    opened = await gm(interact(CREATOR), "replace", power="italy")

    assert "A bot can't be a player." in bot.text
    assert "<@60> now plays Italy" in given.text
    assert "open for a new player" in opened.text


async def test_the_computer_is_put_in_and_named(interact: Interact, world: World, game_id: GameId) -> None:
    put = await gm(interact(CREATOR), "replace", power="Italy", computer="fair")
    info = overview.game_info(world.context, game_id, CREATOR)

    assert "The computer (level: fair) now plays Italy" in put.text
    assert (
        "**Italy**: the computer, fair (open: `/game join`)"
        in info_message(info, systems[SystemId("diplomacy")].info)[0].embeds[0].fields[0].value
    )
    assert world.game(game_id).computer is None
    again = await gm(interact(CREATOR), "replace", power="Italy", computer="fair")
    assert "The computer plays Italy already (fair)." in again.text


async def test_a_manager_of_the_server_may_too(interact: Interact, world: World, game_id: GameId) -> None:
    manager = interact(77, permissions=discord.Permissions(manage_guild=True))

    await gm(manager, "pause")

    assert world.game(game_id).status is GameStatus.PAUSED


async def test_check_names_missing_permissions(interact: Interact, game_id: GameId) -> None:
    good = await gm(interact(CREATOR), "check")
    bad = await gm(interact(CREATOR, app_permissions=discord.Permissions(view_channel=True)), "check")
    elsewhere = await gm(interact(CREATOR, channel_id=999), "check")

    assert "as it should be" in good.text
    assert "Send messages, Embed links and Attach files" in bad.text
    assert "use `/gm check` in it" in elsewhere.text


async def test_check_names_whose_messages_fail_and_why(interact: Interact, world: World, game_id: GameId) -> None:
    errors = {1: "403 50007", 2: "503 0", 3: "KeyError at bot/text/compose.py:1"}
    outbox = world.storage.tables.outbox
    for message in world.outbox(game_id):
        error = errors.get(message.target_id, "403 50013")
        delivery = Delivery.PENDING if error == "503 0" else Delivery.FAILED
        outbox[message.id] = replace(message, delivery=delivery, error=error)

    done = await gm(interact(CREATOR), "check")

    assert "as it should be" not in done.text
    assert "<@1>: messages that I gave up on: 1. They don't take direct messages" in done.text
    assert "<@2>: messages that are waiting: 1. Discord could not take them" in done.text
    assert "<@3>: messages that I gave up on: 1. They could not be written" in done.text
    assert "<#200>: messages that I gave up on: 1. I lack a permission there" in done.text
    assert "/game move" in done.text


YOUNG_KINGDOMS = {
    UserId(number): power
    for number, power in enumerate(("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone"), start=1)
}


async def test_the_number_of_the_message_that_tells_of_new_dice_is_part_of_their_seed() -> None:
    world = World({SystemId("young_kingdoms"): systems[SystemId("young_kingdoms")]})
    game_id = world.start(wishes=YOUNG_KINGDOMS, system="young_kingdoms", name="War", players=6)
    world.pass_deadline(game_id)
    client = StubClient(world.context)

    await gm(StubInteraction(client, CREATOR), "rollback")
    assert client.posted == []
    before = world.seed(game_id)
    world.pass_deadline(game_id)
    await gm(StubInteraction(client, CREATOR), "rollback", new_dice=True)
    [(channel_id, message)] = client.posted
    assert channel_id == world.game(game_id).channel_id
    assert "with new dice" in message.content
    secret, number = world.seed(game_id).split("|")
    assert number == "9001"
    assert hashlib.sha256(secret.encode()).hexdigest() == before.partition("|")[0]
    assert before.partition("|")[0] not in message.content
    world.pass_deadline(game_id)
    client.may_post = False
    assert "back in" in (await gm(StubInteraction(client, CREATOR), "rollback", new_dice=True)).text
    assert world.seed(game_id).endswith("|-")


async def test_a_phase_that_closes_while_new_dice_are_announced_is_not_played_again_instead() -> None:
    world = World({SystemId("young_kingdoms"): systems[SystemId("young_kingdoms")]})
    game_id = world.start(wishes=YOUNG_KINGDOMS, system="young_kingdoms", name="War", players=6)
    world.pass_deadline(game_id)

    class Slow(StubClient):
        async def post(self, channel_id: int, message: Message) -> int | None:
            world.pass_deadline(game_id)
            return await super().post(channel_id, message)

    client = Slow(world.context)
    refused = await gm(StubInteraction(client, CREATOR), "rollback", new_dice=True)
    assert "is over" in refused.text
    assert world.game(game_id).phase_no == 3
    [(_, post)] = client.posted
    assert "Nothing came of that" in post.content
