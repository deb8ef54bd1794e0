"""Every door of the services into which people type: what comes through is understood or refused, never a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import GameId, GameStatus, Pace, UserId
from bot.services import (
    doors,
    gm,
    inspect,
    lobby,
    orders,
    overview,
    rollback,
    secret_choice,
    transfer,
    votes,
    which_game,
)
from bot.services.arrivals import Arrival
from bot.services.calendar import next_deadline, parse_duration, parse_moment, parse_pace, preview
from bot.services.errors import Refused
from bot.services.region import focus, suggest_regions_of
from bot.services.scenarios import ScenarioFile
from bot.services.setup import find_system, read_name, read_options, read_players, read_variant
from bot.services.sheets import SubmitMode
from bot.services.table import read_power
from bot.text.catalogue import common_words
from bot.text.failure import refused_message
from engine.core.ids import SystemId
from engine.core.json_text import is_text
from engine.core.orders import Parsed
from engine.core.variant import Variant
from engine.registry import AnySystem, systems
from engine.young_kingdoms.commands import HIDE_CARD
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, DAN, GUILD, RED, World
from tests.examples import few
from tests.odd import odd_texts
from tests.toy_system import TOY, ToyOrder, ToyView

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
EACH = [SystemId(system) for system in systems]
each_system = pytest.mark.parametrize("system", EACH)
some = settings(max_examples=few(20), deadline=None)

_TIMES = (
    "3d", "12h", "1d12h", "90m", "mon", "thu", "daily", "19:00", "25:61", "Europe/Berlin", "UTC", "in",
    "2026-11-23", "2026-02-30", "0000-00-00", "and", "2 days", "99999w", "..", "../etc", "localtime",
)  # fmt: skip


def tried(service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a service gives; `None` where it refuses, in words that can be said."""
    try:
        return service(*args, **kwargs)
    except Refused as refusal:
        refused_message(refusal)
        return None


@given(text=odd_texts(_TIMES, most=5))
@example(text="²d")
@example(text="٣d")
@example(text="mon ²:00 UTC")
@example(text="2026-11-²3 19:00 UTC")
def test_paces_lengths_and_moments(text: str) -> None:
    schedule = tried(parse_pace, text)
    if schedule is not None:
        assert next_deadline(schedule, NOW) > NOW
        preview(schedule, NOW)
    tried(parse_duration, text)
    tried(parse_moment, text, NOW)


@cache
def _maps() -> Sequence[Variant]:
    states = ((rules, rules.play.start(variant=name, players=rules.info.seats[-1], options={}, seed="s"))
              for rules in systems.values() for name in rules.info.variants)  # fmt: skip
    return tuple(rules.play.variant(state) for rules, state in states)


@given(text=odd_texts(("War", "Diplomacy", "standard", "true", "none")), other=odd_texts())
@example(text="²", other="²")
def test_names_systems_variants_and_options(text: str, other: str) -> None:
    world = World(systems)
    name = tried(read_name, text)
    assert name is None or name.encode()
    tried(find_system, world.context, text)
    for rules in systems.values():
        tried(read_variant, rules.info, text)
        tried(read_players, rules.info, len(text), rules.info.variants[-1])
        for option in rules.info.options:
            tried(read_options, rules.info, {option.name: text})
        tried(read_options, rules.info, {text: other})
    for variant in _maps():
        tried(read_power, variant, text)


@cache
def _running(system: SystemId) -> tuple[World, GameId]:
    world = World(systems)
    fewest = max(3, systems[system].info.seats[0])
    people = [ANN, BOB, CY, DAN, *(UserId(number) for number in range(5, 5 + fewest))][:fewest]
    return world, world.start(wishes=dict.fromkeys(people, ""), system=system, players=fewest, name=f"War {system}")


@each_system
@settings(some, max_examples=few(12))
@given(
    text=odd_texts(("A BUD", "all", "last", "H ZY", "set", "gold")), other=odd_texts(), number=st.integers(-5, 10**20)
)
def test_what_players_and_game_masters_type_in_a_running_game(
    system: SystemId, text: str, other: str, number: int
) -> None:
    world, game_id = _running(system)
    context, before = world.context, world.storage.tables.snapshot()
    tried(orders.submit, context, game_id, ANN, text, mode=SubmitMode.MERGE)
    tried(orders.submit, context, game_id, ANN, text, mode=SubmitMode.REPLACE, arrival=Arrival(phase_no=number))
    tried(orders.suggest, context, game_id, ANN, text)
    tried(orders.menu, context, game_id, ANN, [text, other])
    for door in systems[system].doors:
        given = {
            option.name: option_text for option, option_text in zip(door.options, (text, other, text), strict=False)
        }
        if door.options:
            tried(doors.order, context, game_id, ANN, door.id, given)
        if door.form is not None:
            tried(doors.submit_form, context, game_id, ANN, door.id, text)
        for option in door.options:
            tried(doors.complete, context, game_id, ANN, door.id, option.name, text)
    tried(doors.show, context, game_id, ANN, text)
    tried(votes.vote, context, game_id, ANN, "concession", in_favour=True, winner=text)
    tried(inspect.history, context, game_id, ANN, text)
    tried(suggest_regions_of, context, game_id, ANN, text)
    board = inspect.board(context, game_id, ANN)
    tried(focus, context, game_id, ANN, board.scene, text)
    find = {"user_id": ANN, "guild_id": GUILD, "channel_id": CHANNEL}
    tried(which_game.resolve_game, context, **find, name=text, purpose="any")
    tried(lobby.join_game, context, game_id, UserId(99), power=text)
    as_master: dict[str, Any] = {"is_manager": False}
    tried(gm.extend, context, game_id, CREATOR, by=text, **as_master)
    tried(gm.set_deadline, context, game_id, CREATOR, at=text, **as_master)
    tried(gm.edit, context, game_id, CREATOR, text=text, **as_master)
    tried(rollback.roll_back, context, game_id, CREATOR, phase=text, keep_orders=True, **as_master)
    tried(gm.replace_player, context, game_id, CREATOR, power=text, new_user_id=None, **as_master)
    given = {"place": text, "card": str(number)}
    tried(secret_choice.choose, context, game_id, CREATOR, command=HIDE_CARD, given=given, **as_master)
    world.storage.tables = before


@some
@given(name=odd_texts(), pace=odd_texts(_TIMES, most=3), option=odd_texts(), value=odd_texts())
def test_what_a_creator_types(name: str, pace: str, option: str, value: str) -> None:
    world = World(systems)
    for changes in ({"name": name}, {"pace": Pace(pace)}, {"options": {option: value}}, {"variant": value}):
        tried(world.create, system="diplomacy", players=7, **changes)


@some
@given(data=st.data())
def test_scenario_files(data: st.DataObject) -> None:
    world = World(systems)
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | odd_texts(), lambda inner: st.lists(inner, max_size=3)
    )
    keys = st.sampled_from(("name", "about", "players", "map", "nations", "provinces", "options", "seed", "²"))
    document = data.draw(st.dictionaries(keys, anything, max_size=4))
    text = data.draw(st.just(json.dumps(document)) | odd_texts(('{"name":', '"²"', '"\\ud800"', "[", "}")))
    file = ScenarioFile(data.draw(odd_texts()), text)
    game_id = tried(world.create, system="king_of_kings", scenario=file, players=None)
    if game_id is not None:
        scenario = world.game(game_id).scenario
        assert scenario is not None
        kept = (scenario.name, scenario.about, scenario.filename, *scenario.powers.values(), scenario.text or "")
        assert all(map(is_text, kept))


# Exported games


@cache
def _exported() -> dict[str, Any]:
    world, game_id = _running(SystemId("kregen"))
    world.submit(game_id, ANN, "nonsense")
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    world.submit(game_id, ANN, "nonsense")
    return transfer.export_game(world.context, game_id)


_ODD_VALUES: tuple[Any, ...] = (
    "²", "", None, True, -1, 0, 2**31, 2**63, 2**64, 10**400, 1.5, float("nan"), [], {}, ["²"], {"²": "²"},
    "\ud800", "\0", [None], "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00", "running", "3d", "x" * 5000,
)  # fmt: skip


@settings(max_examples=few(60), deadline=None)
@given(data=st.data())
def test_damaged_exports_are_refused(data: st.DataObject) -> None:
    document = deepcopy(_exported())
    part: Any = document
    for depth in range(8):
        keys = sorted(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        inner = part[key]
        if depth == 7 or not (isinstance(inner, dict | list) and inner) or data.draw(st.integers(0, 4)) == 0:
            break
        part = inner
    if data.draw(st.booleans()) and isinstance(part, dict):
        part[data.draw(st.sampled_from(("²", "\ud800", "\0", "1")))] = part.pop(key)
    else:
        part[key] = data.draw(st.sampled_from(_ODD_VALUES))
    world = World(systems)
    game = tried(transfer.import_game, world.context, document, guild_id=1, channel_id=2, user_id=UserId(3))
    if game is None:
        return
    stored = world.game(game.id)
    assert is_text(stored.name)
    for seat in world.seats(game.id):
        assert seat.user_id is None or 0 <= seat.user_id < 2**63
    if stored.status is not GameStatus.OVER:
        with suppress(Refused):
            overview.game_info(world.context, game.id, ANN)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("game", "name"), "War \ud800", "name: holds what is no character"),
        (("game", "phase_no"), 2**31, "phase_no"),
        (("game", "guild_id"), "²", "guild_id"),
        (("seats", 0, "user_id"), 2**63, "user_id"),
        (("seats", 0, "number"), -1, "number"),
        (("phases", 0, "code"), "\0", "code: holds what is no character"),
        (("game", "document"), {}, "seed"),
        (("phases", 0, "start"), {}, "seed"),
    ],
)
def test_what_no_database_could_keep_is_named(path: tuple[Any, ...], value: object, problem: str) -> None:
    document: Any = deepcopy(_exported())
    part = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(Refused) as caught:
        transfer.import_game(World(systems).context, document, guild_id=1, channel_id=2, user_id=UserId(3))
    assert problem in str(caught.value.what.args["problem"])


# Faults of ours


def _parse(text: str, view: ToyView) -> Parsed[ToyOrder]:
    if "crash" in text:
        raise KeyError(text)
    return TOY.orders.parse(text, view)


FAULTY = replace(TOY, orders=replace(TOY.orders, parse=_parse))
"""A game whose rules raise over a line that says `crash`."""


def test_a_fault_of_ours_costs_its_line_and_is_logged_without_it(caplog: pytest.LogCaptureFixture) -> None:
    world = World({SystemId("toy"): cast(AnySystem, FAULTY)})
    game_id = world.start()
    receipt = world.submit(game_id, ANN, "BID 3\nDIG crash\nDIG")
    assert receipt.orders == ("BID 3", "DIG")
    assert [(error.line, error.code) for error in receipt.errors] == [(2, "fault")]
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert sheet.orders == ("BID 3", "DIG")
    [logged] = [record.getMessage() for record in caplog.records]
    assert "a line could not be read: KeyError at " in logged
    assert "DIG" not in logged
    assert "a mistake in the bot" in common_words().plainly(receipt.errors[0].reason.code)


def test_an_order_that_stands_is_never_passed_over() -> None:
    """As after an update that can't read it: the game waits until it is mended, and nothing is lost."""
    world = World({SystemId("toy"): cast(AnySystem, FAULTY)})
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    world.storage.tables.sheets[game_id, 1, RED] = replace(sheet, orders=("BID 3", "crash"))
    with pytest.raises(Refused):
        gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    with pytest.raises(KeyError):
        world.submit(game_id, ANN, "DIG")
    assert world.sheet(game_id, RED) == replace(sheet, orders=("BID 3", "crash"))
