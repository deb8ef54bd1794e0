"""Buttons, menus and forms, as they come in after any restart: by their custom ids alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.model import GameId, UserId
from bot.text.compose import compose
from cogs._reply import replace_message
from cogs.inspect import Inspect
from cogs.presses import Presses
from tests.bot.services.world import World
from tests.cogs.conftest import PLAYERS, Interact, run
from tests.cogs.stubs import StubInteraction

AUSTRIA, ITALY = 1, 5


async def press(interaction: StubInteraction, custom_id: str, **data: Any) -> StubInteraction:
    interaction.type = discord.InteractionType.component
    interaction.data = {"custom_id": custom_id, **data}
    await Presses().on_interaction(interaction.discord)
    return interaction


async def send_form(interaction: StubInteraction, custom_id: str, text: str) -> StubInteraction:
    interaction.type = discord.InteractionType.modal_submit
    field = {"type": 4, "custom_id": "text", "value": text}
    interaction.data = {"custom_id": custom_id, "components": [{"type": 18, "component": field}]}
    await Presses().on_interaction(interaction.discord)
    return interaction


@pytest.mark.parametrize("custom_id", ["", "poll:1", "sox:ready:1:1"])
async def test_what_is_not_ours_is_left_alone(interact: Interact, game_id: GameId, custom_id: str) -> None:
    done = await press(interact(AUSTRIA), custom_id)

    assert (done.answers, done.deferred) == ([], None)


@pytest.mark.parametrize(
    ("custom_id", "values"),
    [
        ("so:dance:1:1", ["1:1"]),
        ("so:ready:x", []),
        ("so:ready:²:1", []),
        ("so:", []),
        ("so:which:0:0:9", ["no number"]),
        ("so:which:0:0:9", ["²:1"]),
        ("so:which:0:0:9", ["1:" + "9" * 5000]),
        ("so:which:0:0:x", ["1:1"]),
        ("so:which:0:0", []),
    ],
)
async def test_an_unknown_button_is_answered_kindly(
    interact: Interact, game_id: GameId, caplog: pytest.LogCaptureFixture, custom_id: str, values: list[str]
) -> None:
    done = await press(interact(AUSTRIA), custom_id, values=values)

    assert "This button is from an older version" in done.text
    assert all(answer.ephemeral for answer in done.answers)
    assert not caplog.records


async def test_ready_and_back(interact: Interact, world: World, game_id: GameId) -> None:
    assert "**ready**" in (await press(interact(AUSTRIA), f"so:ready:game{game_id}:1:sure")).text
    assert world.seat(game_id, "austria").is_ready  # type: ignore[arg-type]

    await press(interact(AUSTRIA), f"so:unready:game{game_id}:1")
    assert not world.seat(game_id, "austria").is_ready  # type: ignore[arg-type]


async def test_the_last_one_ready_closes_the_phase(interact: Interact, world: World, game_id: GameId) -> None:
    for user_id in PLAYERS:
        done = await press(interact(user_id), f"so:ready:game{game_id}:1:sure")

    assert "the phase is closed" in done.text
    assert world.game(game_id).phase_no == 2


@pytest.mark.parametrize("action", ["ready", "unready", "clear", "edit", "guide"])
async def test_a_button_of_an_old_phase_changes_nothing_and_says_so(
    interact: Interact, world: World, game_id: GameId, action: str
) -> None:
    world.ready(game_id, *PLAYERS)
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]
    world.ready(game_id, ITALY)  # type: ignore[arg-type]

    done = await press(interact(AUSTRIA), f"so:{action}:game{game_id}:1")

    assert "is over" in done.text
    assert "Nothing was changed" in done.text
    assert done.modals == []
    assert world.sheet(game_id, "austria").orders == ("A BUD - SER",)  # type: ignore[arg-type]
    assert not world.seat(game_id, "austria").is_ready  # type: ignore[arg-type]


async def test_edit_opens_the_form(interact: Interact, game_id: GameId) -> None:
    (form,) = (await press(interact(AUSTRIA), f"so:edit:game{game_id}:1")).modals

    assert form["custom_id"] == f"so:sheet:game{game_id}:1"


async def test_a_sheet_replaces_and_lines_are_added(interact: Interact, world: World, game_id: GameId) -> None:
    await send_form(interact(AUSTRIA), f"so:sheet:game{game_id}:1", "A BUD - SER\nA VIE - GAL")
    added = await send_form(interact(AUSTRIA), f"so:lines:game{game_id}:1", "F TRI - ALB")
    assert added.text.count("`A BUD - SER`") == 1
    assert "3. " in added.text

    replaced = await send_form(interact(AUSTRIA), f"so:sheet:game{game_id}:1", "A BUD - RUM")

    assert "1. `A BUD - RUM`" in replaced.text
    assert "2. " not in replaced.text


async def test_a_form_of_an_old_phase_is_refused(interact: Interact, world: World, game_id: GameId) -> None:
    world.ready(game_id, *PLAYERS)

    done = await send_form(interact(AUSTRIA), f"so:sheet:game{game_id}:1", "A BUD - SER")

    assert "is over" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_clear_takes_everything_back(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]

    assert "None yet." in (await press(interact(AUSTRIA), f"so:clear:game{game_id}:1")).text


async def test_who_presses_anothers_button_sees_only_their_own(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]

    for action in ("orders", "map", "whole", "board", "ready", "clear", "guide", "edit"):
        done = await press(interact(ITALY), f"so:{action}:game{game_id}:1")
        assert "SER" not in done.text.replace("Serbia", "")
        assert done.public == ""
    assert world.sheet(game_id, "austria").orders == ("A BUD - SER",)  # type: ignore[arg-type]


async def test_position_as_picture_and_in_words(interact: Interact, game_id: GameId) -> None:
    picture = await press(interact(99), f"so:map:game{game_id}:1")
    words = await press(interact(99), f"so:board:game{game_id}:1")

    assert [file.filename for file in picture.last.kwargs["files"]] == ["map.png", "board.txt"]
    assert "A BUD" in words.text


async def test_join_gives_a_seat_and_changes_the_call(interact: Interact, world: World) -> None:
    lobby = world.create(system="diplomacy", name="New", players=7)

    done = await press(interact(50), f"so:join:game{lobby}:0")

    assert "You have a seat" in done.answers[0].content
    assert done.answers[0].ephemeral is True
    assert done.public == ""
    assert [(edit.kind, edit.phase_no) for edit in world.edits(lobby)] == [("call", 0)]
    assert "can't take another" in (await press(interact(50), f"so:join:game{lobby}:0")).text
    assert len(world.seats(lobby)) == 1


async def test_the_key_is_told_around_the_map(interact: Interact, game_id: GameId) -> None:
    plain = await press(interact(99), f"so:map:game{game_id}:1")
    told = await press(interact(99), f"so:key:game{game_id}:1")
    assert [item.custom_id for item in plain.last.items] == [
        f"so:{action}:game{game_id}:1" for action in ("key", "board")
    ]
    assert [told.client.renderer.with_key[-1], plain.client.renderer.with_key[0]] == [True, False]
    assert told.last.ephemeral is True


async def test_the_key_below_a_field_shown_by_its_cells_is_that_fields(world: World, interact: Interact) -> None:
    rulers = ("anna", "bert", "carl", "dora", "emil", "fina")
    game_id = world.start(
        system="kalevala", players=6, options={}, wishes={UserId(60 + n): ruler for n, ruler in enumerate(rulers)}
    )
    shown = await run(Inspect(), interact(60), "map", region="2D+8", game=f"#{game_id}")
    (key,) = (item.custom_id for item in shown.last.items if ":key:" in (item.custom_id or ""))

    told = await press(interact(60), key)

    opened = [scene.opened for scene in (*shown.client.renderer.drawn, *told.client.renderer.drawn)]
    assert opened[0] is not None
    assert opened[-1] == opened[0]
    assert told.client.renderer.with_key[-1]


@pytest.mark.parametrize(
    "action", ["join", "map", "whole", "key", "board", "orders", "edit", "guide", "ready", "clear"]
)
@pytest.mark.parametrize("guild_id", [999, None])
async def test_forged_buttons_open_no_game_of_another_server(
    interact: Interact, world: World, game_id: GameId, action: str, guild_id: int | None
) -> None:
    lobby = world.create(system="diplomacy", name="New", players=7)

    for number in (game_id, lobby):
        done = await press(interact(50, guild_id=guild_id), f"so:{action}:game{number}:0")
        assert not [answer for answer in done.answers if answer.kwargs.get("files")]
        assert done.modals == []
    assert world.seats(lobby) == []


async def test_players_look_at_their_game_from_direct_messages_too(interact: Interact, game_id: GameId) -> None:
    assert "A BUD" in (await press(interact(AUSTRIA, guild_id=None), f"so:board:game{game_id}:1")).text


# The guided flow


def menu_of(done: StubInteraction) -> discord.ui.Select[Any]:
    return next(item for item in done.last.items if isinstance(item, discord.ui.Select))


def menus_of(done: StubInteraction) -> list[discord.ui.Select[Any]]:
    return [item for item in done.last.items if isinstance(item, discord.ui.Select)]


async def choose(interact: Interact, done: StubInteraction, value: str, row: int = 0) -> StubInteraction:
    return await press(interact(AUSTRIA), menus_of(done)[row].custom_id, values=[value])


async def test_the_guide_goes_from_unit_to_unit_and_ends_with_the_receipt(
    interact: Interact, world: World, game_id: GameId
) -> None:
    done = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")
    for row, order in enumerate(("A BUD - SER", "F TRI - ALB", "A VIE S A BUD")):
        done = await choose(interact, done, order, row=row)

    assert "Everything has an order." in done.text
    assert len(world.sheet(game_id, "austria").orders) == 3  # type: ignore[arg-type]


async def test_the_guide_shows_what_has_an_order(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]

    done = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")

    assert [menu.placeholder for menu in menus_of(done)] == [
        "Army Budapest: A BUD - SER",
        "Fleet Trieste: choose…",
        "Army Vienna: choose…",
    ]


async def test_back_goes_one_step_back(interact: Interact, game_id: GameId) -> None:
    receipt = await press(interact(AUSTRIA), f"so:orders:game{game_id}:1")
    begun = await press(interact(AUSTRIA), menu_of(receipt).custom_id, values=[">BUD"])
    moved = await choose(interact, begun, "move")
    back = next(item for item in moved.last.items if getattr(item, "custom_id", "").startswith("so:back:"))

    again = await press(interact(AUSTRIA), back.custom_id)

    assert [option.value for option in menu_of(again).options] == [option.value for option in menu_of(begun).options]


async def test_a_menu_can_not_be_used_by_somebody_else(interact: Interact, world: World, game_id: GameId) -> None:
    begun = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")

    done = await press(interact(ITALY), menu_of(begun).custom_id, values=["hold"])

    assert "belongs to somebody else" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_after_a_restart_the_guide_asks_to_begin_again(interact: Interact, game_id: GameId) -> None:
    done = await press(interact(AUSTRIA), f"so:pick:game{game_id}:1:forgotten", values=["hold"])

    assert "opens a new one" in done.text


async def test_a_forged_choice_is_refused_like_any_text(interact: Interact, world: World, game_id: GameId) -> None:
    begun = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")

    done = await choose(interact, begun, "A VEN - TRI")

    assert "Not understood or not possible" in done.text
    assert world.sheet(game_id, "austria").orders == ()  # type: ignore[arg-type]


async def test_a_guide_of_an_old_phase_ends_with_how_things_stand(
    interact: Interact, world: World, game_id: GameId
) -> None:
    begun = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")
    world.ready(game_id, *PLAYERS)

    done = await choose(interact, begun, "hold")

    assert "is over" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_two_clicks_at_once_are_one(
    interact: Interact, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes while the guide's last step is under way, when the flow has ended but nothing shows it yet."""
    world.submit(game_id, AUSTRIA, "A BUD H\nA VIE H")  # type: ignore[arg-type]
    begun = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")
    second = interact(AUSTRIA)
    show = "cogs._sheets.replace_message"

    async def slowly(interaction: StubInteraction, messages: Any) -> None:
        await press(second, menus_of(begun)[1].custom_id, values=["F TRI H"])
        await replace_message(interaction.discord, messages)

    monkeypatch.setattr(show, slowly)
    done = await choose(interact, begun, "F TRI H", row=1)

    assert "Everything has an order." in done.text
    assert second.answers == []
    assert second.response.is_done()


async def test_a_guide_that_came_to_its_end_says_so(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD H\nA VIE H")  # type: ignore[arg-type]
    begun = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")
    await choose(interact, begun, "F TRI H", row=1)

    again = await choose(interact, begun, "F TRI H", row=1)

    assert "This menu is closed" in again.text
    assert "restarted" not in again.text


async def test_a_line_of_the_receipt_is_changed_where_it_stands(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]
    shown = await press(interact(AUSTRIA), f"so:orders:game{game_id}:1")
    assert len(menus_of(shown)) == 3

    changed = await choose(interact, shown, "A BUD - RUM")

    (receipt,) = changed.answers
    assert "1. `A BUD - RUM`" in receipt.text
    assert receipt.ephemeral is None, "changed in place"
    assert menus_of(changed)[0].placeholder == "Army Budapest: A BUD - RUM"


async def test_what_is_not_listed_is_reached_step_by_step_and_ends_with_the_receipt(
    interact: Interact, world: World, game_id: GameId
) -> None:
    shown = await press(interact(AUSTRIA), f"so:orders:game{game_id}:1")
    done = await press(interact(AUSTRIA), menu_of(shown).custom_id, values=[">TRI"])
    for value in ("move", "ALB"):
        done = await choose(interact, done, value)

    assert "1. `F TRI - ALB`" in done.text
    assert done.last.ephemeral is None


def shortcut(done: StubInteraction, label: str) -> str:
    return str(next(item.custom_id for item in done.last.items if getattr(item, "label", "") == label))


@pytest.fixture
def small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages with room for two rows of what can be ordered: Austria's third unit has no menu in sight."""
    for place in ("bot.services.sheets", "bot.text.order_receipt", "bot.text.guide"):
        monkeypatch.setattr(f"{place}.MENUS", 2)


@pytest.mark.usefixtures("small_messages")
@pytest.mark.parametrize("where", ["orders", "guide"])
async def test_a_unit_without_a_menu_has_a_button_that_brings_it(
    interact: Interact, world: World, game_id: GameId, where: str
) -> None:
    shown = await press(interact(AUSTRIA), f"so:{where}:game{game_id}:1")
    assert [menu.placeholder for menu in menus_of(shown)] == ["Army Budapest: choose…"]

    shown = await press(interact(AUSTRIA), shortcut(shown, "Army Vienna"))
    assert [menu.placeholder for menu in menus_of(shown)] == ["Army Vienna: choose…"]
    assert shortcut(shown, "Army Budapest")
    assert shown.last.ephemeral is None, "changed in place"

    shown = await choose(interact, shown, "A VIE - GAL")
    assert "A VIE - GAL" in shown.text
    assert shortcut(shown, "Army Vienna"), "what has an order can be changed in the same way"
    again = await press(interact(AUSTRIA), shortcut(shown, "Army Vienna"))
    assert menus_of(again)[0].placeholder == "Army Vienna: A VIE - GAL"


@pytest.mark.usefixtures("small_messages")
async def test_a_button_of_a_unit_outlives_restarts_and_forgers_gain_nothing(
    interact: Interact, world: World, game_id: GameId
) -> None:
    for token in ("forgotten-2", "receipt-2", "below-2"):
        done = await press(interact(AUSTRIA), f"so:unit:game{game_id}:1:{token}")
        assert menus_of(done)[0].placeholder == "Army Vienna: choose…"
    for token in ("receipt-99", "receipt-x", "receipt", "forgotten-99"):
        done = await press(interact(AUSTRIA), f"so:unit:game{game_id}:1:{token}")
        assert "Army Budapest" in str([menu.placeholder for menu in menus_of(done)])
    assert "A BUD" not in (await press(interact(ITALY), f"so:unit:game{game_id}:1:receipt-2")).text
    world.ready(game_id, *PLAYERS)
    assert "is over" in (await press(interact(AUSTRIA), f"so:unit:game{game_id}:1:receipt-2")).text


async def test_menus_of_whole_orders_outlive_a_restart(interact: Interact, world: World, game_id: GameId) -> None:
    for token in ("forgotten-1", "receipt-1", "below-1"):
        done = await press(interact(AUSTRIA), f"so:choose:game{game_id}:1:{token}", values=["F TRI - ALB"])
        assert "F TRI - ALB" in done.text
        assert world.sheet(game_id, "austria").orders == ("F TRI - ALB",)  # type: ignore[arg-type]
        await press(interact(AUSTRIA), f"so:clear:game{game_id}:1")


async def test_did_you_mean_has_a_button_that_takes_it(interact: Interact, world: World, game_id: GameId) -> None:
    shown = await send_form(interact(AUSTRIA), f"so:lines:game{game_id}:1", "A BUD - SIR\nA VIE H")
    custom_id = button_of(shown, "hint")
    assert "SER" not in custom_id

    taken = await press(interact(AUSTRIA), custom_id)

    (receipt,) = taken.answers
    assert "A BUD - SER" in receipt.text
    assert receipt.ephemeral is None, "changed in place"
    assert not [item for item in receipt.items if item.custom_id.startswith("so:hint:")]
    assert "Nothing was changed" in (await press(interact(ITALY), custom_id)).text
    world.ready(game_id, *PLAYERS)
    assert "is over" in (await press(interact(AUSTRIA), custom_id)).text


async def test_clear_can_be_undone(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]
    cleared = await press(interact(AUSTRIA), f"so:clear:game{game_id}:1:receipt")
    undo = button_of(cleared, "undo")

    assert "1. `A BUD - SER`" in (await press(interact(AUSTRIA), undo)).text
    assert "this can't be undone" in (await press(interact(AUSTRIA), undo)).text


async def test_a_menu_of_an_old_phase_changes_nothing(interact: Interact, world: World, game_id: GameId) -> None:
    world.ready(game_id, *PLAYERS)
    for token, value in (("receipt-0", "A BUD - SER"), ("receipt-0", ">BUD"), ("forgotten-0", "A BUD - SER")):
        done = await press(interact(AUSTRIA), f"so:choose:game{game_id}:1:{token}", values=[value])
        assert "is over" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


def button_of(done: StubInteraction, action: str) -> str:
    ids = (str(getattr(item, "custom_id", "")) for item in done.last.items)
    return next(custom_id for custom_id in ids if custom_id.startswith(f"so:{action}:"))


async def test_a_press_on_the_receipt_changes_the_receipt(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD H\nA VIE H\nF TRI H")  # type: ignore[arg-type]
    shown = await press(interact(AUSTRIA), f"so:orders:game{game_id}:1")

    for action, words in (("ready", "You are **ready**"), ("unready", "A BUD H"), ("clear", "None yet.")):
        shown = await press(interact(AUSTRIA), button_of(shown, action))
        (receipt,) = shown.answers
        assert words in receipt.text
        assert receipt.ephemeral is None, "changed in place"


async def test_a_press_below_another_message_leaves_that_as_it_is(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD H\nA VIE H\nF TRI H")  # type: ignore[arg-type]
    done = await press(interact(AUSTRIA), f"so:ready:game{game_id}:1")

    assert "You are **ready**" in done.text
    assert done.last.ephemeral is True


async def test_buttons_of_the_first_version_still_work(interact: Interact, world: World, game_id: GameId) -> None:
    done = await press(interact(AUSTRIA), f"so:orders:{game_id}:1")
    assert "no longer know which game" in done.text

    world.storage.tables.games[game_id] = replace(world.game(game_id), has_numbered_buttons=True)
    done = await press(interact(AUSTRIA), f"so:orders:{game_id}:1")
    assert "None yet." in done.text


async def test_no_custom_id_tells_of_an_order(interact: Interact, world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]
    done = await press(interact(AUSTRIA), f"so:guide:game{game_id}:1")
    assert len(menus_of(done)) == 3
    receipt = await press(interact(AUSTRIA), f"so:orders:game{game_id}:1")

    for item in (*done.last.items, *receipt.last.items):
        assert "BUD" not in item.custom_id
        assert "move" not in item.custom_id


async def test_topics_of_the_rules_are_a_press_away(interact: Interact, world: World, game_id: GameId) -> None:
    of_kregen = await press(interact(99), "so:rules:0:0:kregen-0")
    of_game = await press(interact(AUSTRIA), f"so:rules:{world.game(game_id).token}:0:diplomacy-2")

    assert "Kregen: In a minute" in of_kregen.text
    assert "Heroes" in {item.label for item in of_kregen.last.items}
    assert "Diplomacy: Moving" in of_game.text
    assert of_game.last.ephemeral


@pytest.mark.parametrize("token", ["kregen-99", "chess-0", "kregen", "-", "kregen-x"])
async def test_a_topic_that_there_is_not_is_refused(interact: Interact, token: str) -> None:
    assert "no longer works" in (await press(interact(99), f"so:rules:0:0:{token}")).text


@pytest.mark.parametrize("place", ["", ":receipt"])
async def test_whoever_is_ready_with_something_left_without_an_order_is_asked_once(
    interact: Interact, world: World, game_id: GameId, place: str
) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")  # type: ignore[arg-type]
    asked = await press(interact(AUSTRIA), f"so:ready:game{game_id}:1{place}")

    assert "Not everything has an order yet: F TRI (Trieste) and A VIE (Vienna)." in asked.text
    assert "A unit without an order holds." in asked.text
    assert asked.last.ephemeral
    assert not world.seat(game_id, "austria").is_ready  # type: ignore[arg-type]

    answered = await press(interact(AUSTRIA), button_of(asked, "ready"))
    assert "You are **ready**" in answered.text
    assert world.seat(game_id, "austria").is_ready  # type: ignore[arg-type]


async def test_the_whole_map_is_a_press_away_with_ones_own_orders(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, UserId(AUSTRIA), "A BUD - SER")
    done = await press(interact(AUSTRIA), f"so:whole:{world.game(game_id).token}:1")

    drawn = done.client.renderer.drawn[-1]
    assert (drawn.focus, drawn.lit) == ((), "austria")
    assert [arrow.end for arrow in drawn.arrows] == ["SER"]
    assert done.last.ephemeral is True


async def test_the_whole_map_shows_nobodys_orders_to_whoever_plays_nothing(
    interact: Interact, world: World, game_id: GameId
) -> None:
    world.submit(game_id, UserId(AUSTRIA), "A BUD - SER")
    done = await press(interact(99), f"so:whole:{world.game(game_id).token}:1")

    assert (done.client.renderer.drawn[-1].focus, done.client.renderer.drawn[-1].arrows) == ((), ())


async def test_close_ups_of_a_large_board_come_by_a_press_and_one_by_default(interact: Interact, world: World) -> None:
    kregen = world.start(wishes={UserId(number): "" for number in range(1, 9)}, system="kregen", players=8)
    world.ready(kregen, *map(UserId, range(1, 9)))
    assert world.game(kregen).phase_code == "S1M"
    (setup,) = [row for row in world.outbox(kregen) if row.kind == "phase_closed"]
    (story, *_) = compose(world.context, setup)
    assert story.pictures[0].scene.is_close_up
    pressed = [button for button in story.buttons if ":closeup:" in button.custom_id]
    assert pressed
    assert all(button.label.startswith("Around ") for button in pressed)

    done = await press(interact(99), pressed[0].custom_id)

    assert done.client.renderer.drawn[-1].focus not in ((), story.pictures[0].scene.focus)  # type: ignore[attr-defined]
    done = await press(interact(99), next(b.custom_id for b in story.buttons if ":whole:" in b.custom_id))
    assert done.client.renderer.drawn[-1].focus == ()
    assert done.client.renderer.drawn[-1].arrows


@pytest.mark.parametrize("token", ["", ":x", ":99", ":-1", ":9"])
async def test_a_forged_close_up_is_answered_kindly(interact: Interact, world: World, token: str) -> None:
    kregen = world.start(wishes={UserId(number): "" for number in range(1, 9)}, system="kregen", players=8)
    world.ready(kregen, *map(UserId, range(1, 9)))
    done = await press(interact(99), f"so:closeup:{world.game(kregen).token}:1{token}")
    assert done.answers
    assert "went wrong" not in done.text
