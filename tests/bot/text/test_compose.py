"""Each message of the outbox: what it tells whom, with the real rules on a game in memory."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.model import BallotKind, GameId, MessageKind, Outgoing, Target, Trouble, UserId
from bot.services import gm, lobby, post, rollback, transfer, turns, votes
from bot.text.catalogue import words_of
from bot.text.compose import compose, kinds
from bot.text.custom_ids import parse_custom_id
from bot.text.discord_limits import breaches
from bot.text.games import call_for_players, vote_message
from bot.text.message import Message
from engine.computer.levels import Level
from engine.core.dice import seal
from engine.core.ids import PowerId, SystemId
from engine.pictures.tiles import TileScene
from engine.registry import systems
from tests.bot.services.world import CHANNEL, CREATOR, HOUR, World

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PLAYERS = {UserId(number): power for number, power in enumerate(POWERS, start=1)}
AUSTRIA, GERMANY, ITALY = UserId(1), UserId(4), UserId(5)
NAME = "The *Great* War"


@pytest.fixture
def world() -> World:
    return World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="diplomacy", name=NAME, players=7)


def composed(world: World, game_id: GameId, kind: str, *, to: int = CHANNEL) -> list[Message]:
    """All messages of a kind to a target that are in the outbox, none of which Discord would refuse."""
    messages = [
        message
        for outgoing in world.outbox(game_id)
        if outgoing.kind == kind and outgoing.target_id == to
        for message in compose(world.context, outgoing)
    ]
    assert [breach for message in messages for breach in breaches(message)] == []
    return messages


def text(messages: list[Message]) -> str:
    parts = [part for message in messages for part in (message.content, *map(_embed_text, message.embeds))]
    return "\n".join(parts)


def _embed_text(embed: object) -> str:
    fields = "\n".join(f"{field.name}\n{field.value}" for field in embed.fields)  # type: ignore[attr-defined]
    return f"{embed.title}\n{embed.description}\n{fields}"  # type: ignore[attr-defined]


def close(world: World, game_id: GameId) -> None:
    """Everyone gets ready; what was announced before is forgotten."""
    world.forget_mail()
    world.ready(game_id, *PLAYERS)


def test_opening_names_the_players_and_notifies_them(world: World, game_id: GameId) -> None:
    messages = composed(world, game_id, "opening")

    assert "**Austria**: <@1>" in text(messages)
    assert r"The \*Great\* War" in messages[0].content
    assert "Spring 1901" in text(messages)
    assert sorted(messages[0].mentions) == list(PLAYERS)


@pytest.mark.parametrize("system", ["diplomacy", "feudal", "king_of_kings", "kregen"])
def test_orders_are_due_from_people_and_the_computer_is_named_apart(system: str) -> None:
    world = World({SystemId(system): systems[SystemId(system)]})
    game_id = world.create(system=system, players=2, computer=Level.EASY)
    lobby.join_game(world.context, game_id, UserId(1), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    seats = world.seats(game_id)
    names = {bool(seat.computer): words_of(world.game(game_id)).in_sentence(str(seat.power)) for seat in seats}
    opened = text(composed(world, game_id, "opening"))
    assert f"Orders are due from {names[False]}." in opened
    assert f"The computer plays {names[True]}: nobody waits for it." in opened


def test_the_renders_of_kregen_have_their_article_in_sentences_alone() -> None:
    kregen = SystemId("kregen")
    world = World({kregen: systems[kregen]})
    wishes = {UserId(number): "renders" if number == 8 else "" for number in range(1, 9)}
    game_id = world.start(wishes=wishes, system="kregen", players=8)
    opened, first = text(composed(world, game_id, "opening")), text(composed(world, game_id, "briefing", to=UserId(8)))
    assert "**Renders**: <@8>" in opened
    assert "Proconia and the Renders." in opened
    assert "You play **the Renders**." in first


def test_the_part_of_a_map_that_a_first_message_names_is_the_readers_own() -> None:
    kings = SystemId("king_of_kings")
    world = World({kings: systems[kings]})
    game_id = world.start(wishes={UserId(1): "", UserId(2): "", UserId(3): ""}, system="king_of_kings", players=3)
    named = set()
    for user in (UserId(1), UserId(2), UserId(3)):
        first, *_ = composed(world, game_id, "briefing", to=user)
        (scene,) = (picture.scene for picture in first.pictures)
        assert isinstance(scene, TileScene)
        (columns, rows), *_ = re.findall(r"`region: (\S+) ([^`]+)`", first.content)
        assert [int(end) for end in columns.split("-")] == [f({x for x, _ in scene.focus}) for f in (min, max)]
        assert [int(end) for end in rows.split("-")] == [f({y for _, y in scene.focus}) for f in (min, max)]
        named.add((columns, rows))
    assert len(named) == 3


def test_a_game_with_dice_opens_with_the_seal_of_its_seed_and_ends_with_the_seed() -> None:
    feudal = SystemId("feudal")
    world = World({feudal: systems[feudal]})
    game_id = world.start(wishes={UserId(1): "", UserId(2): ""}, system="feudal", players=2)
    document = world.game(game_id).document
    assert document is not None
    seed = str(document["seed"])
    opening = text(composed(world, game_id, "opening"))
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    assert seal(seed) in opening
    assert f"`{seed}`" not in opening
    assert f"`{seed}`" in text(composed(world, game_id, "game_over"))


def test_an_opening_calls_for_negotiation_unless_the_rules_forbid_it_in_the_first_phase(
    world: World, game_id: GameId
) -> None:
    feudal = SystemId("feudal")
    silent = World({feudal: systems[feudal]})
    silent_id = silent.start(wishes={UserId(1): "", UserId(2): ""}, system="feudal", players=2)
    opening = text(composed(silent, silent_id, "opening"))

    assert "Negotiate as you like" in text(composed(world, game_id, "opening"))
    assert "egotiate as you like" not in opening
    assert "Negotiation is not allowed until all centres are chosen" in opening


def test_opening_shows_the_board_in_words_too(world: World, game_id: GameId) -> None:
    (message,) = composed(world, game_id, "opening")

    assert "BUD" in message.pictures[0].alt
    assert "BUD" in message.files[0].text


def test_phase_opened_tells_until_when_and_who(world: World, game_id: GameId) -> None:
    close(world, game_id)

    told = text(composed(world, game_id, "phase_opened"))

    deadline = world.game(game_id).deadline_at
    assert deadline is not None
    assert f"<t:{int(deadline.timestamp())}:R>" in told
    assert "Fall 1901" in told
    assert "Austria" in told


def test_phase_closed_tells_every_order_with_sign_and_word(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - TYR\nA BUD - SER")
    world.submit(game_id, ITALY, "A VEN - TYR")
    close(world, game_id)

    messages = composed(world, game_id, "phase_closed")

    assert "✗ A VIE - TYR bounced: A VEN wanted to go to TYR too, 1 against 1" in text(messages)
    assert "✓ A BUD - SER" in text(messages)
    assert "✗ A VIE - TYR" in messages[0].pictures[0].alt


def test_a_phase_opens_with_its_position_in_picture_and_words(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    close(world, game_id)

    last = composed(world, game_id, "phase_opened")[-1]

    assert "Fall 1901" in last.content
    assert "A SER" in last.pictures[0].alt
    assert "A SER" in last.files[0].text


def test_only_powers_that_somebody_plays_are_waited_for(world: World, game_id: GameId) -> None:
    lobby.leave_game(world.context, game_id, AUSTRIA)
    world.forget_mail()
    world.pass_deadline(game_id)

    (opened,) = composed(world, game_id, "phase_opened")

    assert "Orders are due from England," in opened.content
    assert "Nobody plays Austria" in opened.content


def test_phase_closed_says_that_it_was_late(world: World, game_id: GameId) -> None:
    world.forget_mail()
    world.pass_deadline(game_id, late=5 * HOUR)

    assert "5 hours late" in text(composed(world, game_id, "phase_closed"))


def test_phase_closed_within_a_minute_is_not_called_late(world: World, game_id: GameId) -> None:
    world.forget_mail()
    world.pass_deadline(game_id, late=HOUR / 100)

    assert "late" not in text(composed(world, game_id, "phase_closed"))


def test_briefing_tells_what_happened_to_the_own_units_and_what_is_asked(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - TYR\nA BUD - SER")
    world.submit(game_id, ITALY, "A VEN - TYR")
    close(world, game_id)

    told = text(composed(world, game_id, "briefing", to=AUSTRIA))

    assert "You play **Austria**" in told
    assert "✗ A VIE - TYR bounced: A VEN wanted to go to TYR too, 1 against 1" in told
    assert "A SER" in told
    assert "✗ A VEN - TYR" not in told


def test_a_briefing_says_nothing_twice() -> None:
    """That a capital is too full is part of what is asked and of what happens without orders."""
    kregen = SystemId("kregen")
    world = World({kregen: systems[kregen]})
    players = {UserId(number): "zair" if number == 1 else "" for number in range(1, 9)}
    game_id = world.start(wishes=players, system="kregen", players=8)
    world.forget_mail()
    world.ready(game_id, *players)

    told = text(composed(world, game_id, "briefing", to=1)).splitlines()

    full = [line for line in told if line.startswith("Zy holds more than one army")]
    assert len(full) == 1, told


def test_briefing_ends_with_the_sheet_and_its_buttons(world: World, game_id: GameId) -> None:
    last = composed(world, game_id, "briefing", to=AUSTRIA)[-1]

    assert "```\nA BUD …" in last.content
    actions = [parsed.action for button in last.buttons if (parsed := parse_custom_id(button.custom_id))]
    assert {"ready", "edit", "guide", "whole"} <= set(actions)


def test_briefing_of_a_phase_that_is_over_has_no_buttons(world: World, game_id: GameId) -> None:
    late = next(message for message in world.outbox(game_id) if message.kind == "briefing")
    close(world, game_id)

    messages = compose(world.context, late)

    assert "already over" in text(list(messages))
    assert not any(message.buttons for message in messages)


def test_reminder_goes_to_the_one_who_is_missing_and_names_the_units(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.clock.advance(20 * HOUR)
    world.forget_mail()
    _remind(world, game_id)

    told = text(composed(world, game_id, "reminder", to=GERMANY))

    assert "A BER" in told
    assert composed(world, game_id, "reminder", to=AUSTRIA) == []


def test_reminder_for_a_phase_that_is_over_is_not_sent(world: World, game_id: GameId) -> None:
    world.clock.advance(20 * HOUR)
    _remind(world, game_id)
    late = next(message for message in world.outbox(game_id) if message.kind == "reminder")
    close(world, game_id)

    assert compose(world.context, late) == ()


def _remind(world: World, game_id: GameId) -> None:
    from bot.services import turns

    for _ in range(3):
        turns.sweep(world.context)


@pytest.mark.parametrize("kind", ["briefing", "reminder"])
def test_what_waited_for_a_player_who_was_replaced_is_not_sent(world: World, game_id: GameId, kind: str) -> None:
    world.clock.moment += 13 * HOUR
    turns.sweep(world.context)
    assert composed(world, game_id, kind, to=AUSTRIA)

    gm.replace_player(world.context, game_id, CREATOR, is_manager=False, power="austria", new_user_id=UserId(50))
    world.submit(game_id, UserId(50), "A BUD - SER")

    assert composed(world, game_id, kind, to=AUSTRIA) == []


def test_what_waited_to_tell_of_a_phase_that_was_rolled_back_is_not_sent(world: World, game_id: GameId) -> None:
    close(world, game_id)
    waiting = world.outbox(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)

    told = {message.kind for message in waiting if compose(world.context, message)}

    assert told == {"phase_closed"}


def test_end_that_was_rolled_back_before_it_was_told_is_not_told(world: World, game_id: GameId) -> None:
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)

    assert composed(world, game_id, "game_over") == []


def test_the_post_of_a_phase_says_that_the_game_is_paused_as_long_as_it_is(world: World, game_id: GameId) -> None:
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    assert "The game is paused: nothing locks until it goes on." in text(composed(world, game_id, "opening"))
    gm.resume(world.context, game_id, CREATOR, is_manager=False)
    assert "paused" not in text(composed(world, game_id, "opening"))


def test_still_missing_names_powers_and_no_orders(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    (message,) = compose(world.context, outgoing(world, game_id, "still_missing", powers=["germany", "italy"]))

    assert "Germany (<@4>) and Italy (<@5>)" in message.content
    assert "SER" not in message.content
    assert message.mentions == ()


def test_still_missing_notifies_only_those_whom_no_direct_message_reaches(world: World, game_id: GameId) -> None:
    seat = next(seat for seat in world.seats(game_id) if seat.user_id == GERMANY)
    world.storage.tables.seats[game_id, seat.number] = replace(seat, dms_closed=True)

    (message,) = compose(world.context, outgoing(world, game_id, "still_missing", powers=["germany", "italy"]))

    assert message.mentions == (GERMANY,)


def test_closed_direct_messages_are_told_without_any_secret(world: World, game_id: GameId) -> None:
    world.submit(game_id, GERMANY, "A BER - KIE")

    (message,) = compose(world.context, outgoing(world, game_id, "dms_closed", user_id=GERMANY))

    assert "<@4>" in message.content
    assert "/orders enter" in message.content
    assert "KIE" not in message.content
    assert message.mentions == (GERMANY,)


def test_game_masters_are_called_when_a_player_has_left_the_server(world: World, game_id: GameId) -> None:
    (message,) = compose(world.context, outgoing(world, game_id, "dms_closed", user_id=GERMANY, is_gone=True))

    assert message.content.startswith(f"<@{CREATOR}> ")
    assert "<@4>, who plays **Germany**, no longer shares a server" in message.content
    assert "/gm replace" in message.content
    assert message.mentions == (CREATOR,)


def test_that_all_players_are_gone_is_not_told_when_the_bot_is_back(world: World, game_id: GameId) -> None:
    for seat in world.seats(game_id):
        world.storage.tables.seats[game_id, seat.number] = replace(seat, dms_closed=True)

    assert compose(world.context, outgoing(world, game_id, "dms_closed", user_id=GERMANY, is_gone=True)) == ()


def test_game_over_names_the_winners(world: World, game_id: GameId) -> None:
    world.forget_mail()
    for user_id in PLAYERS:
        votes.vote(world.context, game_id, user_id, BallotKind.CONCESSION, True, "italy")

    told = text(composed(world, game_id, "game_over"))

    assert "The victory goes to Italy (<@5>)" in told
    assert "Congratulations!" in told
    assert "conceded" in told

    with world.context.unit_of_work() as unit:
        (seat,) = (seat for seat in unit.games.seats(game_id) if seat.power == "italy")
        unit.games.save_seat(replace(seat, user_id=None, computer=Level.FAIR))
        unit.commit()
    told = text(composed(world, game_id, "game_over"))
    assert "The victory goes to Italy (the computer, fair)." in told
    assert "Congratulations" not in told


def test_a_winner_that_nobody_plays_is_not_congratulated() -> None:
    world = World({SystemId("kregen"): systems[SystemId("kregen")]})
    game_id = world.create(system="kregen", name="Sea", players=8)
    for number in range(1, 9):
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    for number in range(1, 9):
        lobby.leave_game(world.context, game_id, UserId(number))
    world.forget_mail()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    told = text(composed(world, game_id, "game_over"))

    assert "played by nobody at the end." in told
    assert "Congratulations" not in told


def test_a_winner_who_has_gone_silent_is_not_congratulated() -> None:
    world = World({SystemId("kregen"): systems[SystemId("kregen")]})
    game_id = world.create(system="kregen", name="Sea", players=8)
    for number in range(1, 9):
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    world.pass_in_silence(game_id, 2)
    world.forget_mail()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    told = text(composed(world, game_id, "game_over"))

    assert "**The victory" in told
    assert "Congratulations" not in told


def test_draw_is_shared(world: World, game_id: GameId) -> None:
    world.forget_mail()
    for user_id in PLAYERS:
        votes.vote(world.context, game_id, user_id, BallotKind.DRAW, True, None)

    told = text(composed(world, game_id, "game_over"))
    assert "The victory is shared by Austria (<@1>)," in told
    assert "The players agreed to a draw.\n" in told
    assert text(composed(world, game_id, "notice")).endswith(": All have agreed to a draw.")


def test_game_ended_by_its_master_has_no_winner(world: World, game_id: GameId) -> None:
    world.forget_mail()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    assert "Nobody wins" in text(composed(world, game_id, "game_over"))


def test_game_masters_are_notified_of_who_often_sends_nothing_and_nobody_else_is(world: World, game_id: GameId) -> None:
    for _ in range(3):
        world.submit(game_id, ITALY, "A VEN H")
        world.pass_deadline(game_id)
    called = [message for message in composed(world, game_id, "notice") if message.mentions][-1]
    assert called.mentions == (CREATOR,)
    assert (
        f"<@{CREATOR}> **The \\*Great\\* War**: No orders from Austria, England, France, Germany, Russia and Turkey"
        in called.content
    )


def test_notices_are_told_in_words(world: World, game_id: GameId) -> None:
    world.forget_mail()
    gm.extend(world.context, game_id, CREATOR, is_manager=False, by="12h")
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    gm.resume(world.context, game_id, CREATOR, is_manager=False)
    lobby.leave_game(world.context, game_id, GERMANY)
    lobby.join_game(world.context, game_id, UserId(50), power=None)
    votes.vote(world.context, game_id, ITALY, BallotKind.CONCESSION, True, "turkey")
    close_and_roll_back(world, game_id)

    told = text(composed(world, game_id, "notice"))

    for words in (
        "12h more time",
        "paused",
        "goes on",
        f"<@{GERMANY}> no longer plays Germany",
        "<@50> takes over",
        "Turkey",
        "before",
    ):
        assert words in told


def close_and_roll_back(world: World, game_id: GameId) -> None:
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)


def test_cancelled_game(world: World) -> None:
    game_id = world.create(system="diplomacy", players=7)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)

    assert "cancelled" in text(composed(world, game_id, "game_cancelled"))


def test_request_asks_and_tells_how_to_agree() -> None:
    world = World(systems)
    names = ("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone")
    players = {UserId(number): power for number, power in enumerate(names, start=1)}
    game_id = world.start(system="young_kingdoms", players=6, wishes=players)
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    world.submit(game_id, UserId(6), "SHARE MEL WITH LORMYR")

    told = text(composed(world, game_id, "request", to=UserId(2)))
    assert "Melnibone wants to share" in told
    assert "SHARE MEL WITH MELNIBONE" in told
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    assert composed(world, game_id, "request", to=UserId(2)) == []


@pytest.mark.parametrize("trouble", [trouble for trouble in Trouble if trouble])
def test_masters_are_told_what_keeps_posts_from_the_channel_unless_it_has_passed(
    world: World, game_id: GameId, trouble: Trouble
) -> None:
    with world.context.unit_of_work() as unit:
        game = unit.games.find(game_id)
        assert game is not None
        unit.games.update(replace(game, trouble=trouble))
        post.to_masters(unit, game, world.clock.now(), MessageKind.CHANNEL_TROUBLE, {"trouble": str(trouble)})
        unit.commit()

    assert "/game move" in text(composed(world, game_id, "channel_trouble", to=CREATOR))
    with world.context.unit_of_work() as unit:
        unit.games.update(game)
        unit.commit()
    assert composed(world, game_id, "channel_trouble", to=CREATOR) == []


def lose_all(world: World, game_id: GameId, power: str) -> None:
    """Take all units and centres of a power away, as no service does."""
    document = world.game(game_id).document
    assert document is not None
    state = document["state"]
    units = [unit for unit in state["units"] if unit["power"] != power]
    centres = {place: None if owner == power else owner for place, owner in state["centres"].items()}
    world.set_state(game_id, units=units, centres=centres)


def test_whoever_is_out_gets_a_farewell_and_the_result(world: World, game_id: GameId) -> None:
    lose_all(world, game_id, "austria")
    world.forget_mail()
    world.pass_deadline(game_id)
    assert composed(world, game_id, "briefing", to=AUSTRIA) == []
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    (result,) = composed(world, game_id, "result", to=AUSTRIA)
    assert "is over" in result.content
    assert "Nobody wins." in result.content


def test_what_happened_besides_no_orders_stands_under_one_heading() -> None:
    """It said "What happened" and below it "What else happened", where nothing else had."""
    world = World({SystemId("feudal"): systems[SystemId("feudal")]})
    game_id = world.start(system="feudal", players=2, wishes={CREATOR: "", AUSTRIA: ""})
    world.forget_mail()
    world.pass_deadline(game_id)
    told = text(composed(world, game_id, "briefing", to=AUSTRIA))
    assert "completed at random" in told
    assert told.count("What happened") == 1
    assert "What else happened" not in told


def test_where_several_phases_are_told_of_each_heading_names_its_phase(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - GAL")
    world.pass_deadline(game_id)
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    world.pass_deadline(game_id)
    letter = outgoing(world, game_id, "briefing", power="austria", closed_phase_nos=[1, 2])

    told = text(list(compose(world.context, letter)))

    _, spring, fall = re.split("What happened in (?:Spring|Fall) 1901, movement", told)
    assert "A VIE - GAL" in spring
    assert "A BUD - SER" in fall
    assert "A BUD - SER" not in spring


def test_farewell_asks_nothing_and_names_no_deadline(world: World, game_id: GameId) -> None:
    world.forget_mail()
    world.pass_deadline(game_id)
    lose_all(world, game_id, "austria")
    told = composed(world, game_id, "briefing", to=AUSTRIA)
    assert "for **Austria** the game is over" in told[0].content
    assert "What happened" in text(told)
    assert "What is asked" not in text(told)
    assert "lock" not in text(told)
    assert [message.buttons for message in told] == [()]


def test_whoever_takes_a_seat_over_is_shown_the_orders_that_stand(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    lobby.leave_game(world.context, game_id, AUSTRIA)
    lobby.join_game(world.context, game_id, UserId(50), power="austria")
    told = composed(world, game_id, "briefing", to=50)
    assert "1. `A BUD - SER`" in text(told)
    assert "A BUD - SER" in told[-1].content
    assert "A VIE …" in told[-1].content
    assert any("clear" in button.custom_id for button in told[-1].buttons)
    assert "/history" not in text(told), "there is none yet"


def test_whoever_takes_a_seat_over_later_hears_where_to_see_what_was_played(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    assert "/history" not in text(composed(world, game_id, "briefing", to=AUSTRIA))
    lobby.leave_game(world.context, game_id, AUSTRIA)
    lobby.join_game(world.context, game_id, UserId(50), power="austria")
    assert "`/history` shows what was played before this phase." in text(composed(world, game_id, "briefing", to=50))


def test_nobody_hears_that_there_is_nothing_to_decide_in_a_phase_of_others(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - GAL\nF TRI - VEN")
    world.forget_mail()
    world.pass_deadline(game_id)
    # A phase in which only Turkey has something to decide.
    world.set_state(game_id, phase={"kind": "adjustments", "season": "winter"}, centres={"BUL": "turkey"})
    for outgoing in list(world.storage.tables.outbox.values()):
        payload = {**outgoing.payload, "closed_phase_nos": [99]}
        world.storage.tables.outbox[outgoing.id] = replace(outgoing, payload=payload)
    assert composed(world, game_id, "briefing", to=ITALY) == []
    world.storage.tables.outbox.clear()


def test_standings_that_are_as_they_were_are_told_once(world: World, game_id: GameId) -> None:
    """A letter about two phases, in one of which only the computer had to decide, repeated them."""
    world.pass_deadline(game_id)
    world.forget_mail()
    world.pass_deadline(game_id)
    (outgoing,) = (each for each in world.outbox(game_id) if each.kind == "briefing" and each.target_id == ITALY)
    payload = {**outgoing.payload, "closed_phase_nos": [record.phase_no for record in world.records(game_id)]}
    told = text(list(compose(world.context, replace(outgoing, payload=payload))))
    assert told.count("F NAP H") == 2
    assert told.count("Standings") == 1


def test_with_the_news_it_says_that_there_is_nothing_to_order(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - GAL\nF TRI - VEN")
    world.forget_mail()
    world.pass_deadline(game_id)
    nothing = "There is nothing for you to order in this phase."
    assert nothing not in text(composed(world, game_id, "briefing", to=AUSTRIA))
    # A phase in which only Turkey has something to decide.
    world.set_state(game_id, phase={"kind": "adjustments", "season": "winter"}, centres={"BUL": "turkey"})
    told = text(composed(world, game_id, "briefing", to=AUSTRIA))
    assert "A VIE - GAL" in told
    assert nothing in told
    world.storage.tables.outbox.clear()


def test_whom_the_first_phase_does_not_concern_hears_when_their_turn_comes() -> None:
    world = World(systems)
    powers = ("melnibone", "pan_tang", "argimiliar", "lormyr", "jharkor", "ilmiora")
    people = {UserId(number): power for number, power in enumerate(powers, start=1)}
    game_id = world.start(wishes=people, system="young_kingdoms", players=6)
    for user_id, power in people.items():
        told = text(composed(world, game_id, "briefing", to=user_id))
        assert "The goal:" in told
        assert "nothing for you to decide" not in told
        assert ("As soon as you have, I'll send you a message" in told) == (power != "melnibone")


def test_whoever_lost_a_seat_is_told_by_whom(world: World, game_id: GameId) -> None:
    gm.replace_player(world.context, game_id, CREATOR, is_manager=False, power="austria", new_user_id=UserId(50))
    (lost,) = composed(world, game_id, "seat_lost", to=AUSTRIA)
    assert "a game master has taken **Austria** from you" in lost.content
    told = text(composed(world, game_id, "notice"))
    assert f"A game master has taken Austria from <@{AUSTRIA}> and given it to <@50>" in told
    assert f"(By <@{CREATOR}>.)" in told


def test_a_game_master_who_plays_is_named_with_what_they_play(world: World, game_id: GameId) -> None:
    world.forget_mail()
    as_manager = {"is_manager": True}
    gm.extend(world.context, game_id, AUSTRIA, **as_manager, by="12h")
    gm.adjudicate_now(world.context, game_id, AUSTRIA, **as_manager)
    lobby.end_game(world.context, game_id, AUSTRIA, **as_manager)
    extended, closed, ended = composed(world, game_id, "notice")
    for message in (extended, closed, ended):
        assert message.content.endswith(f"(By <@{AUSTRIA}>, who plays Austria.)")
    assert "closes the phase before its time" in closed.content
    assert "ends the game" in ended.content


def test_whose_seat_opened_is_told_how_to_keep_it(world: World, game_id: GameId) -> None:
    for _ in range(2):
        world.pass_deadline(game_id)
    (opened,) = composed(world, game_id, "seat_opened", to=AUSTRIA)
    assert "twice in a row" in opened.content
    world.submit(game_id, AUSTRIA, "A BUD H")
    assert composed(world, game_id, "seat_opened", to=AUSTRIA) == []


def test_a_lobby_that_was_moved_calls_for_players_with_a_button_that_works(world: World) -> None:
    lobby_id = world.create(system="diplomacy", players=7)
    document = transfer.export_game(world.context, lobby_id)
    other = World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})
    other.create(system="diplomacy", name="Another", players=7)
    moved = transfer.import_game(other.context, document, guild_id=1, channel_id=CHANNEL, user_id=CREATOR)
    (call,) = composed(other, moved.id, "call")
    (join,) = call.buttons
    assert join.custom_id == f"so:join:{moved.token}:0"


def test_a_call_for_players_tells_after_the_beginning_how_to_get_a_seat_still(world: World, game_id: GameId) -> None:
    (call,) = call_for_players(world.game(game_id), systems[SystemId("diplomacy")].info, CREATOR, None, seats=())
    assert "`/game join` now takes over a vacant seat" in call.content
    assert call.buttons == ()


def test_every_kind_was_tested() -> None:
    tested = {
        "opening", "phase_opened", "phase_closed", "briefing", "still_missing", "reminder", "dms_closed", "game_over",
        "notice", "game_cancelled", "request", "result", "seat_opened", "seat_lost", "call", "channel_trouble",
        "last_one", "stuck", "notes", "ruling", "complaint", "asked",
    }  # fmt: skip

    assert kinds() == tested


def test_a_whole_year_is_composed_for_everybody(world: World, game_id: GameId) -> None:
    lines = {
        "austria": "A VIE - TRI\nF TRI - ALB\nA BUD - SER",
        "turkey": "A CON - BUL\nF ANK - CON\nA SMY - ARM",
        "germany": "A MUN - RUH\nF KIE - DEN\nA BER - KIE",
    }
    for user_id, power in PLAYERS.items():
        if power in lines:
            world.submit(game_id, user_id, lines[power])
    world.pass_in_silence(game_id, 4)

    messages = [message for entry in world.outbox(game_id) for message in compose(world.context, entry)]

    assert [breach for message in messages for breach in breaches(message)] == []
    assert world.game(game_id).phase_no > 4


def outgoing(world: World, game_id: GameId, kind: str, **payload: object) -> Outgoing:
    now = world.clock.now()
    return Outgoing(
        id=1,
        game_id=game_id,
        phase_no=world.game(game_id).phase_no,
        target=Target.CHANNEL,
        target_id=CHANNEL,
        kind=kind,
        payload=payload,
        created_at=now,
        not_before=now,
    )


@pytest.mark.parametrize("system_id", systems)
def test_the_opening_and_the_first_briefing_tell_the_goal_and_orders_to_begin_with(system_id: SystemId) -> None:
    rules = systems[system_id]
    world = World({system_id: rules})
    players = [UserId(number) for number in range(1, min(rules.info.seats[-1], 8) + 1)]
    game_id = world.start(wishes=dict.fromkeys(players, ""), system=system_id, players=len(players))
    opening = text(composed(world, game_id, "opening"))
    told = [text(composed(world, game_id, "briefing", to=player)) for player in players]
    deciding = [briefing for briefing in told if "First steps" in briefing]

    assert "**The goal:**" in opening
    assert "`/rules`" in opening
    assert all("**The goal:**" in briefing for briefing in told)
    assert deciding
    assert all("• `" in briefing for briefing in deciding)
    assert all("`/rules`" in briefing for briefing in told)


def test_units_have_their_names_beside_their_letters_and_it_is_told_what_they_do_without_orders(
    world: World, game_id: GameId
) -> None:
    told = text(composed(world, game_id, "briefing", to=AUSTRIA))

    assert "A BUD (Budapest), F TRI (Trieste) and A VIE (Vienna)" in told
    assert "A unit without an order holds." in told


def test_first_steps_come_once_for_each_kind_of_phase_and_again_for_whoever_takes_over(
    world: World, game_id: GameId
) -> None:
    close(world, game_id)
    fall = text(composed(world, game_id, "briefing", to=AUSTRIA))
    close(world, game_id)
    lobby.leave_game(world.context, game_id, AUSTRIA)
    world.forget_mail()
    lobby.join_game(world.context, game_id, UserId(8), power="austria")
    spring = text(composed(world, game_id, "briefing", to=GERMANY))

    assert "The goal" not in fall
    assert "First steps" in fall
    assert "First steps" not in spring
    assert "The goal" in text(composed(world, game_id, "briefing", to=UserId(8)))


def test_results_open_with_a_headline_that_map_and_its_description_have_too(world: World, game_id: GameId) -> None:
    world.submit(game_id, AUSTRIA, "A BUD - SER")
    close(world, game_id)
    world.forget_mail()
    world.ready(game_id, *PLAYERS)

    (story, *_) = composed(world, game_id, "phase_closed")

    assert "**Austria takes Serbia**" in story.content
    (picture,) = story.pictures
    assert picture.alt.startswith("Austria takes Serbia. ")
    assert picture.scene.caption is not None
    assert picture.scene.caption.args["news"] == "Austria takes Serbia"


@pytest.mark.parametrize(
    ("kind", "takes_all"), [(BallotKind.DRAW, True), (BallotKind.CONCESSION, True), (BallotKind.END, False)]
)
def test_a_voter_is_told_what_this_vote_takes_and_no_other(
    world: World, game_id: GameId, kind: BallotKind, takes_all: bool
) -> None:
    receipt = votes.VoteReceipt(world.game(game_id), kind, True, PowerId("italy"), carried=False)
    told = vote_message(receipt).content
    assert ("everybody who was playing when it was made agrees" in told) is takes_all
    assert ("as the rules require" in told) is not takes_all


def test_the_opening_names_options_that_make_another_game_of_it() -> None:
    world = World({SystemId("feudal"): systems[SystemId("feudal")]})
    game_id = world.create(system="feudal", players=2, options={"magic": "yes"})
    for number in (1, 2):
        lobby.join_game(world.context, game_id, UserId(number), power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)

    assert "Options: magic = yes." in text(composed(world, game_id, "opening"))
