"""Everything that there is to press, type and complete, found by itself, tells nobody what they may not know.

Commands and their completions are read from the cogs and the doors, buttons from the list of actions, services from
their modules: a new one is walked too. It is a game with fog whose players are unknown to each other; in two worlds
others hold other numbers and have ordered something else; in both nobody is told of a place that they have not seen.
"""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from types import CodeType, FrameType, SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

import bot.services
import cogs
from bot.model import GameId, UserId
from bot.text.custom_ids import Action
from cogs.doors import commands_of
from cogs.presses import _HANDLERS, Presses
from engine.core.ids import PowerId, SystemId
from engine.core.viewer import Playing
from engine.registry import AnySystem, systems
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, World
from tests.cogs.conftest import commands_of_cog
from tests.cogs.stubs import StubAttachment, StubClient, StubInteraction
from tests.contract.hidden import own_variants
from tests.foggy_system import EVERYWHERE, SEEN
from tests.toy_system import BLUE, GREEN, RED

TYPED = ("", "B", "v", "Vien", "PAR", "Moskow", "BID", "1")
GIVEN = {
    "text": "BID 1\nBID 99\nsing",
    "game": "Vault one",
    "region": "Vienna",
    "phase": "last",
    "at": "in 6h",
    "by": "6h",
}
"""What goes into options by their names; any other text is `BID 1`."""
OWN_ONLY = {"create", "start", "end", "move", "replace", "rollback", "set-deadline", "extend", "pause", "adjudicate"}
"""Commands that change the game for all; they are given by a stranger alone, who is refused."""


def _cogs() -> Iterator[commands.Cog]:
    for found in pkgutil.iter_modules(cogs.__path__):
        for _, kind in inspect.getmembers(import_module(f"cogs.{found.name}"), inspect.isclass):
            is_own = kind.__module__ == f"cogs.{found.name}"
            if is_own and issubclass(kind, commands.Cog) and kind.__cog_app_commands__:
                yield kind()


def _commands() -> Iterator[tuple[commands.Cog | None, app_commands.Command[Any, ..., Any]]]:
    for cog in _cogs():
        yield from ((None if entry.binding is None else cog, entry) for entry in commands_of_cog(cog))
    for top in commands_of(systems.infos.values()):
        entries = top.walk_commands() if isinstance(top, app_commands.Group) else (top,)
        yield from ((None, entry) for entry in entries if isinstance(entry, app_commands.Command))


def _value(option: app_commands.Parameter) -> Any:
    kind = option.type
    if option.choices:
        return option.choices[-1].value
    if kind is discord.AppCommandOptionType.boolean:
        return True
    if kind is discord.AppCommandOptionType.integer:
        return option.max_value or 1
    if kind is discord.AppCommandOptionType.attachment:
        return StubAttachment("orders.txt", b"BID 1\nPEEK green\nsing")
    if kind is discord.AppCommandOptionType.user:
        return SimpleNamespace(id=77, bot=False)
    return GIVEN.get(option.name, "BID 1")


async def _all_shown(
    world: World, game_id: GameId, user_id: UserId, *, system: str = "toy", is_short: bool = False
) -> list[str]:
    """All that a person is shown; `is_short`: each command and button once, and completions of what is typed first."""
    client = StubClient(world.context)
    shown: list[str] = []

    def asked(**options: Any) -> StubInteraction:
        return StubInteraction(client, user_id, options={"game": "Vault one", "system": system, **options})

    for cog, entry in _commands():
        for option in entry.parameters:
            complete = entry._params[next(n for n, p in entry._params.items() if p.display_name == option.display_name)]
            if complete.autocomplete:
                for typed in TYPED[:2] if is_short else TYPED:
                    call: Any = complete.autocomplete
                    takes_cog = "self" in inspect.signature(call).parameters
                    found = await (call(cog, asked().discord, typed) if takes_cog else call(asked().discord, typed))
                    shown.append(f"{entry.qualified_name} {option.name} {typed}: {[(c.name, c.value) for c in found]}")
        if user_id != DAN and entry.name in OWN_ONLY | {"leave", "ready", "unready"}:
            continue
        names = {p.display_name: n for n, p in entry._params.items()}
        required = {names[o.display_name]: _value(o) for o in entry.parameters if o.required}
        game = {"game": "Vault one"} if "game" in entry._params else {}
        single = ({names[o.display_name]: _value(o)} for o in entry.parameters if o.name != "game")
        for options in ({}, *(() if is_short else single)):
            if "scenario" in options:
                continue
            told = asked()
            arguments = {**required, **game, **options}
            callback: Any = entry.callback
            await (callback(cog, told.discord, **arguments) if cog is not None else callback(told.discord, **arguments))
            shown.append(_told(entry.qualified_name, told))
    for action in dict.fromkeys([*map(str, Action), *map(str, _HANDLERS), *_door_words()]):
        if user_id != DAN and action in ("leave", "ready", "unready"):
            continue
        for phase_no in (1,) if is_short else (0, 1, 2):
            for token in ("", "1") if is_short else ("", "1", "0", "toy-0", "abc"):
                told = asked()
                told.type = discord.InteractionType.component
                told.data = {"custom_id": f"so:{action}:game{game_id}:{phase_no}" + (f":{token}" if token else "")}
                told.data["values"] = ["BID 1"]
                await Presses().on_interaction(told.discord)
                shown.append(_told(f"{action} {phase_no} {token}", told))
    return [*shown, *(repr(scene) for scene in client.renderer.drawn), *(repr(post) for _, post in client.posted)]


def _door_words() -> Iterator[str]:
    for info in systems.infos.values():
        for door in info.doors:
            yield door.id
            if door.form is not None:
                yield door.form


def _told(what: str, asked: StubInteraction) -> str:
    files = [(f.filename, f.description, f.fp.read()) for t in asked.answers for f in t.kwargs.get("files", ())]
    items = [(getattr(i, "label", None), getattr(i, "options", None)) for t in asked.answers for i in t.items]
    assert "went wrong" not in asked.text, what
    return f"{what}: {asked.text} {files} {items} {asked.modals}"


POWERS = {ANN: RED, BOB: GREEN, CY: BLUE}


def _world(viewer: UserId, number: int, others: str) -> tuple[World, GameId]:
    """A game in which the numbers of others, and what two of them have ordered, are as given."""
    world = World(systems)
    game_id = world.start()
    spy = CY if viewer == BOB else BOB
    world.submit(game_id, spy, f"PEEK {RED if number > 2 else POWERS[CY if spy == BOB else BOB]}")
    world.pass_deadline(game_id)
    numbers = {RED: 7 - number, GREEN: number, BLUE: 1 + number % 6}
    if viewer in POWERS:
        numbers[POWERS[viewer]] = 3
    world.set_state(game_id, numbers=numbers, gold=dict.fromkeys(numbers, 8))
    for user_id in [player for player in POWERS if player != viewer][-2:]:
        world.submit(game_id, user_id, others)
    return world, game_id


@contextmanager
def _called() -> Iterator[set[CodeType]]:
    """The functions that are called inside."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def _services() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Everything public in the services that is done for somebody."""
    for found in pkgutil.iter_modules(bot.services.__path__):
        module = import_module(f"bot.services.{found.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == module.__name__ and not name.startswith("_")
            takes = inspect.signature(function).parameters
            if is_own and "user_id" in takes and "context" in takes:
                yield f"{found.name}.{name}", function


ELSEWHERE = {
    "seats.seat_player": "what becomes of seats: tests/cogs/test_unknown_players.py",
    "lobby.leave_game": "the walk asks whether to leave, and stays: tests/cogs/test_lobby.py",
    "lobby.prepare_start": "the walk is through games that have begun: tests/cogs/test_lobby.py",
    "lobby.end_game": "the walk asks whether to end a game, and goes on: tests/cogs/test_lobby.py",
    "transfer.import_game": "for the host alone",
    "complaints.send": "of what others wrote, of which there is nothing here: tests/bot/services/test_complaints.py",
    **dict.fromkeys(
        (
            "inbox.find_mailbox",
            "inbox.find_unread",
            "inbox.note_answered",
            "inbox.note_channel",
            "orders.can_be_read",
            "orders.example",
            "which_game.named_before",
            "which_game.without_name",
        ),
        "direct messages: tests/cogs/test_direct_messages.py",
    ),
    "orders.only_game_for": "messages that were missed: tests/cogs/test_missed_messages.py",
    **dict.fromkeys(
        ("gm.adjudicate_now", "gm.replace_player", "rollback.prepare", "rollback.roll_back"),
        "for masters alone: tests/cogs/test_looking_and_mastering.py",
    ),
    **dict.fromkeys(
        ("doors.ask", "doors.order", "doors.path", "doors.show"),
        "games that have doors: the short walks below, and tests/bot/services/shown.py",
    ),
    **dict.fromkeys(
        ("rulings.forms", "rulings.rule"), "for masters of games that take rulings: tests/bot/services/test_rulings.py"
    ),
}
"""Services that no command or button of the walk comes to."""


@pytest.mark.usefixtures("_fog")
@pytest.mark.parametrize("user_id", [ANN, BOB, CREATOR, DAN])
async def test_everything_there_is_tells_nobody_what_they_may_not_know(user_id: UserId) -> None:
    """A player, another one, a game master, and somebody who has nothing to do with the game."""
    one = await _all_shown(*_world(user_id, 2, "BID 3"), user_id)
    other = await _all_shown(*_world(user_id, 5, "BID 1\nDIG"), user_id)
    assert len(one) > 300
    different = [first for first, second in zip(one, other, strict=True) if first != second]
    assert different == []
    known = SEEN[POWERS[user_id]] if user_id in POWERS else ()
    told = "\n".join(one)
    for place, space in EVERYWHERE.items():
        # Berlin is a time zone in what is said of times.
        if place not in known and space.name not in (*GIVEN.values(), "Berlin"):
            assert space.name not in told
    assert all(EVERYWHERE[place].name in told.replace("“Vienna”", "") for place in known)


@pytest.mark.usefixtures("_fog")
async def test_the_walk_comes_to_every_service_that_is_for_somebody() -> None:
    with _called() as called:
        for user_id in (ANN, DAN, CREATOR):
            await _all_shown(*_world(user_id, 2, "BID 3"), user_id)
    missed = {name for name, function in _services() if inspect.unwrap(function).__code__ not in called}
    assert missed <= ELSEWHERE.keys(), missed


def _begun(rules: AnySystem, sheet: int) -> tuple[World, GameId, dict[UserId, PowerId]]:
    """A game with all its players, in which Bob has sent one of the orders that he could."""
    seats = rules.info.seats[-1 if rules.info.has_secrets else 0]
    players = {UserId(number): "" for number in range(1, seats + 1)}
    world = World(systems)
    game_id = world.start(system=rules.info.id, players=len(players), wishes=players)
    powers = {seat.user_id: seat.power for seat in world.seats(game_id) if seat.user_id and seat.power}
    state = rules.play.load(world.game(game_id).document or {})
    legal = rules.orders.legal(rules.sight.view(state, Playing(powers[BOB])))
    orders = [rules.orders.format(order) for found in legal.values() for order in found]
    if orders:
        world.submit(game_id, BOB, orders[sheet % len(orders)])
    return world, game_id, powers


@pytest.mark.parametrize("system", systems)
async def test_no_game_tells_a_player_what_it_hides(system: str) -> None:
    """Short walks through worlds that Ann can't tell apart; in games that hide nothing in a position they differ
    in Bob's orders alone."""
    rules = systems[SystemId(system)]
    world, game_id, powers = _begun(rules, 0)
    state = rules.play.load(world.game(game_id).document or {})
    walk = await _all_shown(world, game_id, ANN, system=system, is_short=True)
    assert len(walk) > 100
    viewer, different = Playing(powers[ANN]), 0
    # One after the other, so that everything differs that may.
    while rules.info.has_secrets and (found := list(own_variants(rules)(state, viewer))[different:]):
        state, different = found[0], different + 1
    assert different or not rules.info.has_secrets
    world, game_id, _ = _begun(rules, 1)
    world.storage.tables.games[game_id] = replace(world.game(game_id), document=rules.play.dump(state))
    again = await _all_shown(world, game_id, ANN, system=system, is_short=True)
    told = [one for one, other in zip(walk, again, strict=True) if one != other]
    # What the game was opened with is compared with what it is now.
    assert [one for one in told if not one.startswith("game verify")] == []
