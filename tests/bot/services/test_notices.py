"""What players turn off, who is told that everybody waits for them, and how the status post keeps up."""

from __future__ import annotations

from bot.model import GameId, Outgoing, UserId
from bot.services import gm, lobby, notices, orders, post, turns
from bot.text.compose import compose
from engine.core.ids import PowerId
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, HOUR, World
from tests.cogs.conftest import PLAYERS


def told(world: World, game_id: GameId, user_id: UserId) -> list[str]:
    return [message.kind for message in world.outbox(game_id) if message.target_id == user_id]


def status_edits(world: World, game_id: GameId) -> list[Outgoing]:
    return [edit for edit in world.edits(game_id) if edit.kind in post.STATUS]


def status(world: World, game_id: GameId) -> str:
    """The status post as it reads now."""
    edit = status_edits(world, game_id)[-1]
    (message, *_) = compose(world.context, edit)
    return "\n".join([message.content, *[embed.description for embed in message.embeds]])


def test_everything_is_on_until_it_is_turned_off_and_can_be_turned_on_again() -> None:
    world = World()
    assert notices.choose(world.context, ANN, {}) == {"last": True, "phases": True, "reminders": True}
    assert notices.choose(world.context, ANN, {"last": False})["last"] is False
    assert notices.choose(world.context, ANN, {"phases": False}) == {"last": False, "phases": False, "reminders": True}
    assert notices.choose(world.context, ANN, {"last": True}) == {"last": True, "phases": False, "reminders": True}
    assert notices.choose(world.context, BOB, {}) == {"last": True, "phases": True, "reminders": True}


def test_who_wants_no_reminders_gets_none() -> None:
    world = World()
    game_id = world.start()
    notices.choose(world.context, ANN, {"reminders": False})
    world.forget_mail()
    world.clock.advance(23 * HOUR)
    turns.sweep(world.context)
    assert told(world, game_id, ANN) == []
    assert told(world, game_id, BOB) == ["reminder"]


def test_who_wants_no_phases_gets_the_first_message_of_a_game_all_the_same() -> None:
    world = World()
    notices.choose(world.context, ANN, {"phases": False})
    game_id = world.start()
    assert told(world, game_id, ANN) == ["briefing"]
    world.pass_deadline(game_id)
    assert told(world, game_id, ANN) == ["briefing"]
    assert told(world, game_id, BOB) == ["briefing", "briefing"]


def test_the_last_one_is_told_once_a_phase() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1")
    assert "last_one" not in world.kinds(game_id)
    world.submit(game_id, BOB, "BID 1")
    assert told(world, game_id, CY) == ["briefing", "last_one"]
    world.submit(game_id, BOB, "BID 2")
    orders.clear(world.context, game_id, BOB)
    world.submit(game_id, BOB, "BID 2")
    assert world.kinds(game_id).count("last_one") == 1


def test_the_last_one_who_does_not_want_to_hear_it_does_not() -> None:
    world = World()
    notices.choose(world.context, CY, {"last": False})
    game_id = world.start()
    world.ready(game_id, ANN, BOB)
    assert told(world, game_id, CY) == ["briefing"]


def test_of_two_players_none_is_called_the_last() -> None:
    world = World()
    game_id = world.start(wishes={ANN: "red", BOB: "green"}, players=2)
    world.submit(game_id, ANN, "BID 1")
    assert "last_one" not in world.kinds(game_id)


def test_the_status_post_changes_when_somebody_answers_and_not_when_orders_change() -> None:
    world = World(systems)
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    assert status_edits(world, game_id) == []
    world.submit(game_id, UserId(1), "A BUD - SER")
    assert len(status_edits(world, game_id)) == 1
    assert "Still to come: England, France, Germany, Italy, Russia and Turkey." in status(world, game_id)
    world.submit(game_id, UserId(1), "A BUD - RUM")
    assert len(status_edits(world, game_id)) == 1
    assert "RUM" not in status(world, game_id)


def test_the_status_post_tells_the_new_deadline_and_a_pause() -> None:
    world = World(systems)
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    gm.extend(world.context, game_id, CREATOR, is_manager=False, by="1d")
    deadline = world.game(game_id).deadline_at
    assert deadline is not None
    assert str(int(deadline.timestamp())) in status(world, game_id)
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    assert "lock" not in status(world, game_id).split("\n")[0]
    assert str(int(deadline.timestamp())) not in status(world, game_id)


def test_a_seat_that_is_left_or_taken_changes_the_status_post() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1")
    before = len(status_edits(world, game_id))
    lobby.leave_game(world.context, game_id, CY)
    lobby.join_game(world.context, game_id, DAN, power=None)
    assert len(status_edits(world, game_id)) == before + 2


def test_once_a_phase_has_closed_its_post_has_no_buttons_and_no_deadline() -> None:
    world = World(systems)
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.pass_deadline(game_id)
    (edit,) = [edit for edit in status_edits(world, game_id) if edit.phase_no == 1]
    assert edit.payload == {post.ONLY_IF_THERE: True}
    assert edit.id == max(world.storage.tables.outbox), "news comes first"
    (message, *_) = compose(world.context, edit)
    assert "Still to come" not in message.content
    assert all("<t:" not in embed.description for embed in message.embeds)


def test_what_somebody_ordered_is_in_no_status_post() -> None:
    texts = []
    for order in ("A BUD - SER", "A BUD - RUM"):
        world = World(systems)
        game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
        world.submit(game_id, UserId(1), order)
        texts.append(status(world, game_id))
    assert texts[0] == texts[1]


def test_taking_orders_back_and_putting_them_back_changes_the_status_post_at_once() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1")

    def take_back() -> None:
        orders.clear(world.context, game_id, ANN)

    def put_back() -> None:
        orders.undo_clear(world.context, game_id, ANN, str(sheet_version(world, game_id)))

    for act in (take_back, put_back):
        edits, mails = len(status_edits(world, game_id)), world.alarm.mails
        act()
        assert len(status_edits(world, game_id)) == edits + 1
        assert world.alarm.mails > mails


def sheet_version(world: World, game_id: GameId) -> int:
    sheet = world.sheet(game_id, PowerId("red"))
    assert sheet is not None
    return sheet.version
