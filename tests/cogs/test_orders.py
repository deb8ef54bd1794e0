"""`/orders`: each answer is for the player alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from bot.model import ClosedBecause, GameId, UserId
from bot.ports import StorageUnavailable
from bot.services import orders, turns
from cogs._transformers import find_game_now
from cogs.gm import GameMaster
from cogs.orders import OrderCommands
from engine.core.ids import PowerId
from tests.bot.services.world import CREATOR, World
from tests.cogs.conftest import PLAYERS, Interact, offered
from tests.cogs.conftest import run as run_of
from tests.cogs.stubs import StubAttachment, StubClient, StubInteraction

AUSTRIA, ITALY = 1, 5
AUSTRIA_POWER = PowerId("austria")


async def run(interaction: StubInteraction, name: str, **options: Any) -> StubInteraction:
    return await run_of(OrderCommands(), interaction, name, **options)


async def test_text_is_taken_at_once_and_answered_to_the_player_alone(interact: Interact, game_id: GameId) -> None:
    done = await run(interact(AUSTRIA), "enter", text="A BUD - SER; A VIE - GAL")

    assert done.deferred is True
    assert "1. `A BUD - SER`\n2. `A VIE - GAL`" in done.last.text
    assert done.public == ""


async def test_a_text_file_is_taken_behind_the_text(interact: Interact, game_id: GameId) -> None:
    sheet = StubAttachment("orders.txt", b"A VIE - GAL")

    done = await run(interact(AUSTRIA), "enter", text="A BUD - SER", file=sheet)

    assert done.deferred is True
    assert "1. `A BUD - SER`\n2. `A VIE - GAL`" in done.last.text
    assert done.public == ""


async def test_sheets_of_one_person_are_read_one_after_the_other_and_keep_nobody_else_waiting(
    monkeypatch: pytest.MonkeyPatch, interact: Interact, game_id: GameId
) -> None:
    at_work: Counter[UserId] = Counter()
    most: Counter[UserId] = Counter()
    together = 0

    async def slowly(_: StubClient, service: Any, /, *args: Any, **kwargs: Any) -> Any:
        nonlocal together
        if service is orders.submit:
            user_id = args[2]
            at_work[user_id] += 1
            most[user_id] = max(most[user_id], at_work[user_id])
            together = max(together, at_work.total())
            await asyncio.sleep(0.01)
            at_work[user_id] -= 1
        return service(*args, **kwargs)

    monkeypatch.setattr(StubClient, "call", slowly)
    sheet = StubAttachment("orders.txt", b"A VIE - GAL")
    asked = [interact(user) for user in (AUSTRIA, AUSTRIA, AUSTRIA, ITALY)]

    await asyncio.gather(*(run(one, "enter", file=sheet) for one in asked))

    assert most == {AUSTRIA: 1, ITALY: 1}
    assert together == 2
    assert all(one.answers for one in asked)


async def test_in_direct_messages_the_answer_stays(interact: Interact, game_id: GameId) -> None:
    done = await run(interact(AUSTRIA, guild_id=None), "enter", text="A BUD - SER")

    assert done.deferred is False
    assert done.last.ephemeral is False


async def test_without_text_the_form_opens_with_the_present_sheet(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]

    done = await run(interact(AUSTRIA), "enter")

    (form,) = done.modals
    assert form["custom_id"] == f"so:sheet:game{game_id}:1"
    assert form["title"] == "War · Spring 1901, movement"
    assert form["components"][0]["component"]["value"].startswith("A BUD - SER\n")
    assert form["components"][0]["component"]["placeholder"] == "A BUD - RUM"


async def test_a_form_that_is_slow_to_come_opens_empty_and_adds(
    interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    interaction = interact(AUSTRIA)
    monkeypatch.setattr("cogs._sheets._FORM_PATIENCE_S", 0.01)
    slow = interaction.client.call

    async def call(service: Any, /, *args: Any, **kwargs: Any) -> Any:
        if service.__name__ == "_load":
            import asyncio

            await asyncio.sleep(0.1)
        return await slow(service, *args, **kwargs)

    interaction.client.call = call  # type: ignore[method-assign]

    done = await run(interaction, "enter")

    assert done.modals[0]["custom_id"] == f"so:lines:game{game_id}:1"
    assert done.modals[0]["title"] == "War · Orders"
    assert not done.modals[0]["components"][0]["component"].get("value")


async def test_a_sheet_too_long_for_a_form_comes_as_a_file(
    interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._sheets.FORM_TEXT", 10)

    done = await run(interact(AUSTRIA), "enter")

    assert done.modals == []
    assert done.last.ephemeral is True
    assert done.last.kwargs["files"][0].filename == "orders.txt"


async def test_show_clear_ready_and_unready(interact: Interact, game_id: GameId) -> None:
    await run(interact(AUSTRIA), "enter", text="A BUD - SER")

    assert "A BUD - SER" in (await run(interact(AUSTRIA), "show")).text
    assert "**ready**" in (await run(interact(AUSTRIA), "ready", sure=True)).text
    assert "**ready**" not in (await run(interact(AUSTRIA), "unready")).text
    assert "None yet." in (await run(interact(AUSTRIA), "clear")).text


async def test_whoever_is_ready_by_command_with_something_left_is_asked_as_by_the_button(
    interact: Interact, world: World, game_id: GameId
) -> None:
    await run(interact(AUSTRIA), "enter", text="A BUD - SER")

    asked = await run(interact(AUSTRIA), "ready")

    assert "Not everything has an order yet: F TRI (Trieste) and A VIE (Vienna)." in asked.text
    assert asked.last.ephemeral
    assert not world.seat(game_id, AUSTRIA_POWER).is_ready
    await run(interact(AUSTRIA), "enter", text="F TRI H; A VIE H")
    assert "You are **ready**" in (await run(interact(AUSTRIA), "ready")).text
    assert world.seat(game_id, AUSTRIA_POWER).is_ready


async def test_others_see_nothing_of_an_order(interact: Interact, game_id: GameId) -> None:
    await run(interact(AUSTRIA), "enter", text="A BUD - RUM")

    for name in ("show", "enter", "guide"):
        done = await run(interact(ITALY), name)
        assert "RUM" not in done.text
        assert "RUM" not in str(done.modals)


async def test_a_stranger_is_refused_kindly(interact: Interact, game_id: GameId) -> None:
    done = await run(interact(99), "enter", text="A BUD - SER")

    assert "You are not playing" in done.text
    assert done.last.ephemeral is True


async def test_a_database_that_is_away_is_told(
    interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise StorageUnavailable("locked")

    monkeypatch.setattr("bot.services.orders.submit", away)

    done = await run(interact(AUSTRIA), "enter", text="A BUD - SER")

    assert "database does not answer" in done.text
    assert done.last.ephemeral is True


async def test_a_fault_is_told_with_a_reference_and_logged_without_the_orders(
    interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Any, __: Any, ___: Any, text: str, **____: Any) -> None:
        raise ValueError(f"bad {text}")

    monkeypatch.setattr("bot.services.orders.submit", broken)

    done = await run(interact(AUSTRIA), "enter", text="A BUD - SER")

    reference = done.text.split("`")[1]
    assert reference in caplog.text
    assert "ValueError" in caplog.text
    assert "BUD" not in caplog.text
    assert "BUD" not in done.text


async def test_several_games_are_named_and_one_can_be_chosen(interact: Interact, world: World, game_id: GameId) -> None:
    other = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)

    asked = await run(interact(AUSTRIA), "enter", text="A BUD - SER")
    assert "War and Peace" in asked.text or "Peace and War" in asked.text

    done = await run(interact(AUSTRIA), "enter", text="A BUD - SER", game="Peace")
    assert "**Peace**" in done.text
    assert "**War**" in (await run(interact(AUSTRIA), "show", game=f"#{game_id}")).text
    assert world.sheet(other, "austria") is not None  # type: ignore[arg-type]
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_completion_suggests_legal_orders_behind_those_that_are_written(
    interact: Interact, game_id: GameId
) -> None:
    fresh = await offered(OrderCommands(), interact(AUSTRIA), "enter", "text", "")
    later = await offered(OrderCommands(), interact(AUSTRIA), "enter", "text", "A BUD - SER; A VIE")
    strangers = await offered(OrderCommands(), interact(99), "enter", "text", "")

    assert {value.split()[1] for value in fresh} == {"BUD", "VIE", "TRI"}
    assert all(value.startswith("A BUD - SER; A VIE") for value in later)
    assert 0 < len(later) <= 25
    assert strangers == []


@pytest.mark.parametrize(("name", "options"), [("ready", {"sure": True}), ("enter", {"text": "A BUD - SER"})])
async def test_what_was_said_when_a_phase_closed_is_not_said_of_the_next(
    interact: Interact, world: World, game_id: GameId, name: str, options: dict[str, Any]
) -> None:
    """Otherwise whoever plays alone and is ready on two devices at once would be so for a phase not seen yet."""
    asked = interact(AUSTRIA)
    call = asked.client.call

    async def closing(service: Any, /, *args: Any, **kwargs: Any) -> Any:
        found = await call(service, *args, **kwargs)
        if service is find_game_now:
            turns.close_phase(world.context, game_id, 1, ClosedBecause.GAME_MASTER)
        return found

    asked.client.call = closing  # type: ignore[method-assign]

    done = await run(asked, name, **options)

    assert "that is over" in done.text
    assert world.sheet(game_id, AUSTRIA_POWER) is None
    assert not world.seat(game_id, AUSTRIA_POWER).is_ready


@pytest.mark.parametrize(
    ("name", "options"),
    [("enter", {"text": "A BUD - SER"}), ("ready", {"sure": True}), ("clear", {}), ("unready", {})],
)
async def test_a_command_that_was_given_before_the_phase_opened_is_not_for_it(
    interact: Interact, world: World, game_id: GameId, name: str, options: dict[str, Any]
) -> None:
    """On its way from Discord it was overtaken by the deadline."""
    asked = interact(AUSTRIA)
    world.pass_deadline(game_id)
    await run(asked, name, **options)

    assert "belonged to a phase of “War” that is over. Now it is" in asked.text
    assert world.sheet(game_id, PowerId("austria")) is None
    assert not world.seat(game_id, PowerId("austria")).is_ready


async def test_a_game_master_who_was_overtaken_by_the_deadline_does_not_close_the_next_phase(
    interact: Interact, world: World, game_id: GameId
) -> None:
    asked, again = interact(CREATOR), interact(CREATOR)
    world.pass_deadline(game_id)
    await run_of(GameMaster(), asked, "adjudicate")
    await run_of(GameMaster(), again, "rollback")

    assert "is over" in asked.text
    assert "is over" in again.text
    assert world.game(game_id).phase_no == 2
