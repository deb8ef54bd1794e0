"""The receipt: what stands, what was refused where and why, what is missing, until when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model import GameId, UserId
from bot.services import gm, orders
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.custom_ids import Action, parse_custom_id
from bot.text.discord_limits import breaches
from bot.text.message import Message
from bot.text.order_receipt import receipt_message, sure_message
from engine.core.ids import SystemId
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.services.world import CREATOR, World

AUSTRIA = UserId(1)
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PLAYERS = {UserId(number): power for number, power in enumerate(POWERS, start=1)}


@pytest.fixture
def world() -> World:
    return World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)


def told(receipt: Receipt) -> str:
    messages = receipt_message(receipt)
    assert [breach for message in messages for breach in breaches(message)] == []
    return "\n".join(_text(message) for message in messages)


def _text(message: Message) -> str:
    embeds = (
        f"{embed.title}\n{embed.description}\n" + "\n".join(f"{field.name}\n{field.value}" for field in embed.fields)
        for embed in message.embeds
    )
    return "\n".join([message.content, *embeds])


def actions(receipt: Receipt) -> list[str]:
    parsed = [parse_custom_id(button.custom_id) for button in receipt_message(receipt)[-1].buttons]
    return [custom_id.action for custom_id in parsed if custom_id]


def test_orders_are_numbered_as_understood(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "bud-ser\nVienna to Galicia"))

    assert "1. `A BUD - SER`\n2. `A VIE - GAL`" in text
    assert "F TRI" in text.partition("Still without an order")[2]


def test_whatever_has_no_order_is_followed_by_what_the_rules_do_then(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "bud-ser"))

    assert "A unit without an order holds." in text.partition("Still without an order")[2]
    assert "holds" not in told(world.submit(game_id, AUSTRIA, "bud-ser; vie h; tri h"))


def test_a_caret_points_at_what_is_wrong_and_something_better_is_named(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "A BUD - Serbai"))

    assert "```\nA BUD - Serbai\n        ^^^^^^\n```" in text
    assert "Did you mean `A BUD - SER`" in text


def test_what_stands_already_is_not_what_was_meant(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")

    assert "Did you mean" not in told(world.submit(game_id, AUSTRIA, "A BUD - Serbai"))


def test_in_a_long_line_the_wrong_part_is_shown(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "A BUD - SER " + "x " * 300 + "# no"))
    block = text.partition("```\n")[2].partition("```")[0].splitlines()

    assert len(block[0]) <= 60
    assert block[1].strip("^ ") == ""
    assert len(block[1]) <= len(block[0])


def test_backticks_in_a_line_do_not_break_out_of_the_box(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "A BUD - Mo```on"))

    assert text.count("```") % 2 == 0


def test_many_refused_lines_come_as_a_file_too(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, AUSTRIA, "\n".join(f"A Q{number} - Moon" for number in range(300)))

    (message,) = receipt_message(receipt)
    assert "292 more" in _text(message)
    assert "A Q299 - Moon" in message.files[0].text


def test_a_long_line_that_is_refused_order_by_order_is_not_repeated_each_time(world: World, game_id: GameId) -> None:
    """A file of 100 kB would be answered with one of five gigabytes, made here."""
    orders_in_line = 2000

    receipt = world.submit(game_id, AUSTRIA, "1," * orders_in_line)

    assert len(receipt.errors) == orders_in_line
    (file,) = [file for message in receipt_message(receipt) for file in message.files if file.filename == "refused.txt"]
    assert file.text.count("1,1,") >= orders_in_line - 1
    assert len(file.text) < 500 * orders_in_line


def test_refused_text_that_changes_nothing_says_so(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")

    text = told(world.submit(game_id, AUSTRIA, "A BUD - Moon"))

    assert "Nothing was changed" in text
    assert "1. `A BUD - SER`" in text


def test_it_says_until_when(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, AUSTRIA, "A BUD - SER")

    assert receipt.deadline_at is not None
    assert f"Locks <t:{int(receipt.deadline_at.timestamp())}:R>" in told(receipt)


def test_it_says_when_the_game_is_paused(world: World, game_id: GameId) -> None:
    gm.pause(world.context, game_id, CREATOR, is_manager=False)

    assert "paused" in told(world.submit(game_id, AUSTRIA, "A BUD - SER"))


def test_picture_and_alt_text_show_the_own_orders(world: World, game_id: GameId) -> None:
    (message,) = receipt_message(world.submit(game_id, AUSTRIA, "A BUD - SER"))

    (picture,) = message.pictures
    assert "A BUD - SER" in picture.alt
    assert isinstance(picture.scene, Scene)
    assert [arrow.end for arrow in picture.scene.arrows] == ["SER"]


def test_the_picture_is_about_the_own_realm_and_a_button_has_the_rest(world: World, game_id: GameId) -> None:
    (message,) = receipt_message(world.submit(game_id, AUSTRIA, "A BUD - SER"))

    scene = message.pictures[0].scene
    assert isinstance(scene, Scene)
    assert set(scene.focus) == {"BUD", "TRI", "VIE", "SER"}
    assert scene.lit == "austria"
    assert "Whole map" in [button.label for button in message.buttons]


def test_whoever_sends_what_they_had_ordered_already_hears_that_nothing_has_changed(
    world: World, game_id: GameId
) -> None:
    """The answer was the receipt of before, as if the order had been another one."""
    already = "Nothing has changed"
    assert already not in told(world.submit(game_id, AUSTRIA, "A BUD - SER; A VIE - GAL"))
    assert already in told(world.submit(game_id, AUSTRIA, "A BUD - SER"))
    assert already not in told(world.submit(game_id, AUSTRIA, "A BUD - RUM"))
    assert already not in told(orders.show(world.context, game_id, AUSTRIA))
    assert already not in told(world.submit(game_id, AUSTRIA, "A BUD - RUM; A VIE - PAR"))


def test_whoever_is_out_hears_that_instead_of_what_this_phase_asks(world: World, game_id: GameId) -> None:
    """They were told when orders lock, and that nothing was to be ordered in this phase."""
    game = world.game(game_id)
    assert game.document is not None
    state = game.document["state"]
    centres = {place: None if owner == "austria" else owner for place, owner in state["centres"].items()}
    world.set_state(game_id, units=[unit for unit in state["units"] if unit["power"] != "austria"], centres=centres)
    text = told(orders.show(world.context, game_id, AUSTRIA))
    assert "The game is over for Austria: you have nothing more to order." in text
    assert "in this phase" not in text
    assert "Locks" not in text


def test_a_picture_that_leaves_orders_out_says_so(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, AUSTRIA, "A BUD - SER")
    assert isinstance(receipt.scene, Scene)
    assert "with most of your orders" not in told(receipt)
    part = replace(receipt.scene, is_part=True)
    assert "with most of your orders" in told(replace(receipt, scene=part))
    assert "with most of your units" in told(replace(receipt, scene=replace(part, arrows=())))


def test_lines_that_will_fail_are_drawn_so_and_the_words_say_so(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, AUSTRIA, "A BUD - SER\nA VIE S A BUD\nF TRI - ALB")

    assert isinstance(receipt.scene, Scene)
    assert [arrow.start for arrow in receipt.scene.arrows if arrow.status is ArrowStatus.FAILED] == ["VIE"]
    (line,) = [line for line in told(receipt).split("\n") if "this will fail" in line]
    assert told(receipt).split("\n")[told(receipt).split("\n").index(line) - 1].count("A VIE S A BUD")


def test_buttons_follow_what_stands(world: World, game_id: GameId) -> None:
    empty = orders.show(world.context, game_id, AUSTRIA)
    given = world.submit(game_id, AUSTRIA, "A BUD - SER")
    ready = orders.set_ready(world.context, game_id, AUSTRIA, True)

    assert Action.CLEAR not in actions(empty)
    assert {Action.READY, Action.EDIT, Action.CLEAR} <= set(actions(given))
    assert Action.UNREADY in actions(ready)
    assert Action.READY not in actions(ready)


def test_changing_orders_ends_being_ready_and_says_so(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.ready(game_id, AUSTRIA)

    assert "no longer ready" in told(world.submit(game_id, AUSTRIA, "A BUD - RUM"))


def test_advice_is_given_once_and_the_order_stands(world: World, game_id: GameId) -> None:
    text = told(world.submit(game_id, AUSTRIA, "A BUD - SER\nA VIE S A BUD"))

    assert "Worth a second look" in text


def test_closing_receipt_points_to_the_channel(world: World, game_id: GameId) -> None:
    world.ready(game_id, *list(PLAYERS)[:-1])

    receipt = orders.set_ready(world.context, game_id, list(PLAYERS)[-1], True)

    assert receipt.closed
    assert "channel" in told(receipt)
    assert actions(receipt) == []


def test_the_longest_sheet_a_form_takes_is_answered(world: World, game_id: GameId) -> None:
    for line in ("A BUD - Moon\n", "A BUD - `*_~|\n", "ä" * 3999 + "\n", "\t\x00 A BUD\n"):
        sheet = (line * 4000)[:4000]
        told(world.submit(game_id, AUSTRIA, sheet, mode=SubmitMode.REPLACE))


def test_markdown_in_a_games_name_is_shown_as_written(world: World, game_id: GameId) -> None:
    receipt = world.submit(game_id, AUSTRIA, "A BUD - SER")

    assert r"\*\*" in told(replace(receipt, game=replace(receipt.game, name="**x**")))


def test_before_there_are_orders_ready_stands_last(world: World, game_id: GameId) -> None:
    assert actions(orders.show(world.context, game_id, AUSTRIA))[-1] is Action.READY
    assert actions(world.submit(game_id, AUSTRIA, "A BUD - SER"))[0] is Action.READY


def test_whoever_is_ready_without_a_sheet_is_told_that_the_nation_does_nothing() -> None:
    kings = SystemId("king_of_kings")
    world = World({kings: systems[kings]})
    game_id = world.start(wishes={UserId(1): "", UserId(2): ""}, system=kings, players=2)
    (message,) = sure_message(orders.show(world.context, game_id, UserId(1)))

    assert "your nation does nothing this turn" in message.content
    assert "the server gives orders" not in message.content


def test_whoever_is_ready_with_a_line_that_will_fail_is_asked_and_shown_which() -> None:
    kalevala = SystemId("kalevala")
    world = World({kalevala: systems[kalevala]})
    rulers = {UserId(number): name for number, name in enumerate(("anna", "bert", "carl", "dora", "emil", "fina"), 1)}
    game_id = world.start(wishes=rulers, system="kalevala", players=6)
    fine = world.submit(game_id, UserId(2), "EXPLORE 1 2H+4 > 2H+3")
    assert not fine.is_incomplete
    failing = world.submit(game_id, UserId(2), "CONVERT 2H+5 300LB 300BB")
    assert failing.is_incomplete
    (message,) = sure_message(failing)
    assert "1 line of your sheet will fail:\n" in message.content
    assert "2. `CONVERT 2H+5 300BB 300LB`\n↳" in message.content
    assert "2H+3" not in message.content
    assert "Not everything has an order" not in message.content
    many = "\n".join(f"CONVERT 2H+5 {number}LB {number}BB" for number in range(300, 307))
    (message,) = sure_message(world.submit(game_id, UserId(2), many))
    assert "… and 2 more." in message.content


def test_whoever_is_ready_with_an_order_of_which_every_part_will_fail_is_asked_too() -> None:
    kings = SystemId("king_of_kings")
    world = World({kings: systems[kings]})
    game_id = world.start(wishes={UserId(1): "", UserId(2): ""}, system=kings, players=2)
    # Every nation begins with wood for two ships, and nobody can give it more.
    assert not world.submit(game_id, UserId(1), "PLA 7 2 SH 8 2 SH").is_incomplete
    assert not world.submit(game_id, UserId(1), "PLA 7 2 SH 8 2 FO").is_incomplete
    hopeless = world.submit(game_id, UserId(1), "PLA 7 2 SH 7 2 SH")
    assert hopeless.failing == (3,)
    (message,) = sure_message(hopeless)
    assert hopeless.is_incomplete
    assert "1 line of your sheet will fail:\n" in message.content


def test_whoever_is_ready_with_nothing_but_lines_that_only_others_could_save_is_asked_too() -> None:
    kings = SystemId("king_of_kings")
    world = World({kings: systems[kings]})
    game_id = world.start(wishes={UserId(1): "", UserId(2): ""}, system=kings, players=2)
    # A province that is somebody else's could be ceded; likelier column and row were mixed up.
    hopeless = world.submit(game_id, UserId(1), "BUILD 0 0")
    assert hopeless.rehearsal is not None
    assert [each.is_likely for each in hopeless.rehearsal.lines if each.line == 1] == [True]
    (message,) = sure_message(hopeless)
    assert hopeless.is_incomplete
    assert "1 line of your sheet will fail:\n1. `BUILD 0 0`\n" in message.content
    assert not world.submit(game_id, UserId(1), "PLA 7 2 FO").is_incomplete


def test_who_has_nothing_to_decide_is_offered_no_way_to_order() -> None:
    world = World(systems)
    rulers = ("pan_tang", "melnibone", "jharkor", "lormyr", "ilmiora", "argimiliar")
    wishes = {UserId(number): power for number, power in enumerate(rulers, start=1)}
    game_id = world.start(wishes=wishes, system="young_kingdoms", name="War", players=6)
    waiting, placing = (orders.show(world.context, game_id, UserId(number)) for number in (1, 2))
    assert actions(waiting) == [Action.WHOLE]
    assert {Action.EDIT, Action.GUIDE, Action.READY} < set(actions(placing))
