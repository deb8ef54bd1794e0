"""Seats that the computer plays: they keep nobody waiting, know no more than a person, and never play on alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar, cast

import pytest

from bot.model import BallotKind, GameId, GameStatus, Seat
from bot.ports import WorkFailed
from bot.services import course, gm, lobby, overview, replay, rollback, transfer, votes
from bot.services.computer import computer_orders, computer_sheets
from bot.services.inline_workers import InlineWorkers
from engine.computer.levels import Level
from engine.core.ids import PowerId, SystemId
from engine.core.judgement import Intent, Judgement
from engine.core.reading import read_accepted
from engine.core.viewer import Playing
from engine.registry import AnySystem, Systems
from tests.bot.services.consenting import CONSENTING_TOY
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BLUE, BOB, CHANNEL, CREATOR, CY, DAN, GREEN, GUILD, RED, World
from tests.toy_system import TOY, ToyOrder

P = ParamSpec("P")
T = TypeVar("T")
MASTER: dict[str, Any] = {"is_manager": False}


def begun(world: World, *user_ids: Any, **changes: Any) -> GameId:
    """A running game of Ann, who plays red, and others; what is left is the computer's."""
    game_id = world.create(**{"computer": Level.EASY, **changes})
    lobby.join_game(world.context, game_id, ANN, power="red")
    for user_id in user_ids:
        lobby.join_game(world.context, game_id, user_id, power=None)
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    world.forget_mail()
    return game_id


def players(world: World, game_id: GameId) -> dict[PowerId | None, object]:
    return {seat.power: seat.user_id or seat.computer for seat in world.seats(game_id)}


# Whose seats they are


def test_the_computer_plays_what_is_free_at_the_start() -> None:
    world = World()
    game_id = begun(world)
    assert players(world, game_id) == {RED: ANN, GREEN: Level.EASY, BLUE: Level.EASY}
    assert world.game(game_id).players == 3
    assert overview.game_info(world.context, game_id, ANN).deciding == 1


def test_a_game_may_be_begun_with_computers_that_it_was_not_created_with() -> None:
    world = World()
    game_id = world.create(computer=None)
    lobby.join_game(world.context, game_id, ANN, power="red")
    start = (lobby.start_game, world.context, game_id)
    assert refused_code(*start, CREATOR, is_manager=False) == "too_few_players"
    assert refused_code(*start, ANN, is_manager=False, computer=Level.EASY) == "not_a_game_master"
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False, computer=Level.EASY)
    assert world.game(game_id).computer is Level.EASY
    assert set(players(world, game_id).values()) == {ANN, Level.EASY}


def test_seats_can_be_kept_for_the_computer_by_number_or_by_power() -> None:
    world = World()
    by_number = world.create(name="By number", computer=Level.EASY, computers="2")
    lobby.join_game(world.context, by_number, ANN, power=None)
    assert refused_code(lobby.join_game, world.context, by_number, BOB, power=None) == "game_full"
    by_power = world.create(name="By power", computer=Level.EASY, computers="Blue, green")
    lobby.join_game(world.context, by_power, ANN, power=None)
    lobby.start_game(world.context, by_power, ANN, is_manager=False)
    assert players(world, by_power) == {RED: ANN, GREEN: Level.EASY, BLUE: Level.EASY}


def test_a_game_with_no_seats_for_the_computer_is_one_without_it() -> None:
    world = World()
    assert world.game(world.create(computers="0")).computer is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"computers": "3"}, "no_seat_for_people"),
        ({"computers": "9" * 5000}, "no_seat_for_people"),
        ({"computers": "blue, Blue"}, "computer_twice"),
        ({"computers": "gren"}, "unknown_power"),
        ({"computer": Level.FAIR}, "computer_can_not"),
    ],
)
def test_what_the_computer_can_not_have_is_refused(changes: Mapping[str, Any], code: str) -> None:
    world = World()
    assert refused_code(world.create, **{"computer": Level.EASY, **changes}) == code
    assert not world.storage.tables.games


def test_a_game_of_computers_alone_does_not_begin() -> None:
    world = World()
    game_id = world.create(computer=Level.EASY)
    assert refused_code(lobby.start_game, world.context, game_id, CREATOR, is_manager=False) == "only_computers"


def test_whoever_joins_takes_over_from_the_computer() -> None:
    world = World()
    game_id = begun(world)
    taken = lobby.join_game(world.context, game_id, BOB, power="blue")
    assert (taken.power, taken.user_id, taken.computer, taken.is_open) == (BLUE, BOB, None, False)
    assert "notice.seat_taken" in world.kinds(game_id)
    assert overview.game_info(world.context, game_id, ANN).deciding == 2


def test_the_computer_holds_the_seat_of_whoever_leaves() -> None:
    world = World()
    game_id = begun(world, BOB, CY)
    left = lobby.leave_game(world.context, game_id, BOB)
    assert (left.user_id, left.computer, left.is_open) == (None, Level.EASY, True)
    assert world.kinds(game_id)[:2] == ["notice.seat_left", "notice.computer_plays"]
    back = lobby.join_game(world.context, game_id, BOB, power=str(left.power))
    assert (back.user_id, back.computer) == (BOB, None)


def test_a_game_master_puts_the_computer_in_and_takes_it_out() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()

    def put(power: str, computer: Level | None = None, player: Any = None) -> Seat:
        arguments: dict[str, Any] = {"power": power, "new_user_id": player, "computer": computer}
        return gm.replace_player(world.context, game_id, CREATOR, **MASTER, **arguments)

    assert put("blue", Level.EASY).computer is Level.EASY
    assert world.kinds(game_id)[:3] == ["notice.seat_removed", "seat_lost", "notice.computer_plays"]
    assert refused_code(put, "blue", Level.EASY) == "already_computer"
    assert refused_code(put, "blue", Level.STRONG) == "computer_can_not"
    assert refused_code(put, "green", Level.EASY, DAN) == "player_and_computer"
    vacant = put("blue")
    assert (vacant.computer, vacant.user_id, vacant.is_open, vacant.is_removed) == (None, None, True, True)
    assert world.kinds(game_id)[-1] == "notice.computer_removed"
    assert refused_code(put, "blue") == "already_vacant"
    assert put("blue", Level.EASY).computer is Level.EASY


def test_the_computer_stands_in_for_whoever_is_silent_until_they_come_back() -> None:
    world = World()
    game_id = begun(world, BOB, CY)
    silent = next(power for power, player in players(world, game_id).items() if player == CY)
    assert silent is not None
    for _ in range(2):
        world.submit(game_id, ANN, "BID 0")
        world.submit(game_id, BOB, "BID 0")
        world.pass_deadline(game_id)
    seat = world.seat(game_id, silent)
    assert (seat.user_id, seat.computer, seat.is_open) == (CY, Level.EASY, True)
    assert "notice.seat_stood_in" in world.kinds(game_id)
    number = world.game(game_id).phase_no
    assert world.ready(game_id, ANN, BOB) == [False, True], "nobody waits for a stand-in"
    assert world.records(game_id)[number - 1].sheets[silent].orders
    world.submit(game_id, CY, "BID 0")
    assert (world.seat(game_id, silent).computer, world.seat(game_id, silent).is_open) == (None, False)
    assert world.ready(game_id, ANN, BOB) == [False, False]


def test_nobody_stands_in_where_that_was_not_asked_for() -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        world.submit(game_id, ANN, "BID 0")
        world.pass_deadline(game_id)
    assert {seat.computer for seat in world.seats(game_id)} == {None}
    assert "notice.seat_missed" in world.kinds(game_id)


# What they order


def test_orders_of_the_computer_stand_in_the_record_which_can_be_carried_out_again() -> None:
    world = World()
    game_id = begun(world)
    assert world.ready(game_id, ANN) == [True]
    (record, *_) = world.records(game_id)
    assert record.closed_because == "ready"
    assert record.sheets.keys() == {GREEN, BLUE}
    assert any(sheet.orders for sheet in record.sheets.values())
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.altered, str(found.opening)) == ((), (), "same")


def test_the_same_seed_gives_the_same_orders_and_another_one_others() -> None:
    rules = cast(AnySystem, TOY)
    levels = dict.fromkeys((RED, GREEN, BLUE), Level.EASY)

    def sheets(seed: str) -> list[Mapping[PowerId, tuple[str, ...]]]:
        state = rules.play.start(variant="standard", players=3, options={}, seed=seed)
        return [computer_sheets(rules, rules.play.dump(state), levels) for _ in range(2)]

    first, again = sheets("a")
    assert first == again
    assert len({str(sheets(seed)[0]) for seed in "abcdef"}) > 1


def test_the_computer_is_not_told_what_others_have_ordered() -> None:
    orders = []
    for number in range(8):
        world = World()
        game_id = begun(world)
        world.submit(game_id, ANN, f"BID {number}")
        world.ready(game_id, ANN)
        sheets = world.records(game_id)[0].sheets
        orders.append({power: sheets[power].orders for power in (GREEN, BLUE)})
    assert all(each == orders[0] for each in orders)


def test_what_others_hide_changes_no_order_of_the_computer() -> None:
    """The numbers of the toy are secret: each power sees its own alone."""
    rules = cast(AnySystem, TOY)
    state = rules.play.start(variant="standard", players=3, options={}, seed="a")
    document = rules.play.dump(state)
    numbers = document["state"]["numbers"]
    for changed in range(1, 7):
        other = {**document, "state": {**document["state"], "numbers": {**numbers, "red": changed, "blue": changed}}}
        assert computer_sheets(rules, other, {GREEN: Level.EASY}) == computer_sheets(
            rules, document, {GREEN: Level.EASY}
        )
    richer = {**document, "state": {**document["state"], "gold": {**document["state"]["gold"], "green": 1}}}
    assert computer_sheets(rules, richer, {GREEN: Level.EASY}) != computer_sheets(
        rules, document, {GREEN: Level.EASY}
    ), "what it sees matters to it"


def test_orders_that_a_player_left_behind_stand() -> None:
    world = World()
    game_id = begun(world, BOB, CY)
    own = next(seat.power for seat in world.seats(game_id) if seat.user_id == CY)
    assert own is not None
    world.submit(game_id, CY, "BID 5")
    lobby.leave_game(world.context, game_id, CY)
    world.ready(game_id, ANN, BOB)
    assert world.records(game_id)[0].sheets[own].orders == ("BID 5",)


class Failing(InlineWorkers):
    """Work without workers, in which thinking takes too long."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if work is computer_sheets and Level.EASY not in cast(Mapping[PowerId, Level], args[2]).values():
            raise WorkFailed("a job took more than 60 s of processor time")
        return work(*args, **kwargs)

    run_here = run


def test_a_thought_that_comes_to_no_end_is_replaced_by_an_easier_one() -> None:
    judgement = cast(Judgement[Any, Any, Any], object())
    world = World({SystemId("toy"): replace(cast(AnySystem, TOY), judgement=judgement)})
    world.context = replace(world.context, workers=Failing())
    game_id = begun(world, computer=Level.STRONG)
    # The rules with a judgement that is none were needed to be given the level.
    world.context = replace(world.context, systems=Systems({SystemId("toy"): cast(AnySystem, TOY)}))
    assert world.ready(game_id, ANN) == [True]
    assert world.records(game_id)[0].sheets.keys() == {GREEN, BLUE}


# Phases that only they decide


def test_phases_that_only_the_computer_decides_pass_at_once() -> None:
    world = World()
    game_id = begun(world)
    world.set_state(game_id, debtors=["green"], phase={"kind": "tribute"})
    lobby.join_game(world.context, game_id, BOB, power="blue")
    lobby.leave_game(world.context, game_id, BOB)
    (record, *_) = world.records(game_id)
    assert record.closed_because == "computers"
    assert record.sheets[GREEN].orders
    assert world.game(game_id).phase_code == "1B" or world.game(game_id).phase_no > 1
    assert replay.verify(world.context, game_id).drifted == ()


def test_a_game_that_only_the_computer_plays_any_more_is_paused() -> None:
    world = World()
    game_id = begun(world)
    lobby.leave_game(world.context, game_id, ANN)
    assert world.game(game_id).status is GameStatus.PAUSED
    assert "notice.nobody_plays" in world.kinds(game_id)
    assert world.records(game_id) == []
    assert refused_code(gm.resume, world.context, game_id, CREATOR, **MASTER) == "nobody_plays"
    lobby.join_game(world.context, game_id, BOB, power="red")
    assert gm.resume(world.context, game_id, CREATOR, **MASTER).status is GameStatus.RUNNING


def test_a_game_whose_only_player_falls_silent_is_paused() -> None:
    world = World()
    game_id = begun(world)
    for _ in range(4):
        if world.game(game_id).status is GameStatus.RUNNING:
            world.pass_deadline(game_id)
    assert world.game(game_id).status is GameStatus.PAUSED
    assert len([record for record in world.records(game_id) if record.closed_because == "deadline"]) == 2
    (call,) = [message for message in world.outbox(game_id) if message.payload.get("code") == "notice.nobody_plays"]
    assert call.payload["mentions"] == [CREATOR]
    assert lobby.join_game(world.context, game_id, ANN, power=None).computer is None
    assert gm.resume(world.context, game_id, CREATOR, **MASTER).status is GameStatus.RUNNING


def test_the_game_does_not_run_away_from_a_player_who_has_nothing_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when theirs is a power that waits, phase for phase, for what others decide."""
    rules = cast(AnySystem, TOY)

    def status(state: Any) -> Any:
        return replace(TOY.play.status(state), to_act=(GREEN,))

    waiting = replace(rules, play=replace(rules.play, status=status))
    world = World()
    game_id = begun(world)
    world.context = replace(world.context, systems=Systems({SystemId("toy"): waiting}))
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    assert len(world.records(game_id)) == 1 + course.LONGEST_THOUGHT
    assert (world.game(game_id).status, world.game(game_id).deadline_at is None) == (GameStatus.RUNNING, False)


# Votes


def draw(world: World, game_id: GameId, user_id: Any, kind: BallotKind = BallotKind.DRAW, winner: Any = None) -> bool:
    return votes.vote(world.context, game_id, user_id, kind, True, winner).carried


def test_the_computer_agrees_to_a_draw_unless_it_is_ahead() -> None:
    world = World()
    game_id = begun(world)
    world.set_state(game_id, gold={"red": 5, "green": 9, "blue": 5})
    assert not draw(world, game_id, ANN)
    world.set_state(game_id, gold={"red": 9, "green": 9, "blue": 5})
    assert draw(world, game_id, ANN)
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (RED, GREEN, BLUE)


def test_the_computer_makes_nobody_win_by_agreeing() -> None:
    world = World({SystemId("toy"): cast(AnySystem, CONSENTING_TOY)})
    game_id = begun(world)
    world.set_state(game_id, gold={"red": 9, "green": 5, "blue": 5})
    for kind, winner in ((BallotKind.CONCESSION, "red"), (BallotKind.END, None)):
        assert refused_code(draw, world, game_id, ANN, kind, winner) == "nobody_to_agree"


def test_two_people_can_concede_among_computers() -> None:
    world = World()
    game_id = begun(world, BOB)
    assert not draw(world, game_id, BOB, BallotKind.CONCESSION, "red")
    assert draw(world, game_id, ANN, BallotKind.CONCESSION, "red")


def test_nobody_agrees_for_a_player_whom_a_game_master_replaced_by_the_computer() -> None:
    world = World()
    game_id = world.start()
    arguments: dict[str, Any] = {"power": "blue", "new_user_id": None, "computer": Level.EASY}
    gm.replace_player(world.context, game_id, CREATOR, **MASTER, **arguments)
    assert not draw(world, game_id, ANN)
    assert not draw(world, game_id, BOB)


# Being kept


def test_a_game_with_computers_is_carried_elsewhere_whole() -> None:
    world = World()
    game_id = begun(world)
    world.ready(game_id, ANN)
    document = transfer.export_game(world.context, game_id)
    there = World()
    copy = transfer.import_game(there.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert players(there, copy.id) == players(world, game_id)
    assert there.game(copy.id).computer is Level.EASY
    for seat in document["seats"]:
        del seat["computer"]
    del document["game"]["computer"]
    older = transfer.import_game(World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert older.computer is None
    document["game"]["computer"] = "perfect"
    assert (
        refused_code(
            transfer.import_game, World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
        )
        == "export_unreadable"
    )


def test_a_phase_that_is_played_again_has_the_same_orders_of_the_computer() -> None:
    world = World()
    game_id = begun(world)
    world.ready(game_id, ANN)
    first = {power: sheet.orders for power, sheet in world.records(game_id)[0].sheets.items()}
    for keep_orders in (True, False):
        rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1B", keep_orders=keep_orders)
        number = world.game(game_id).phase_no
        world.ready(game_id, ANN)
        again = next(record for record in world.records(game_id) if record.phase_no == number)
        assert {power: sheet.orders for power, sheet in again.sheets.items()} == first


def test_stored_orders_of_the_computer_are_canonical() -> None:
    rules = cast(AnySystem, TOY)
    state = rules.play.start(variant="standard", players=3, options={}, seed="a")
    for power, lines in computer_sheets(rules, rules.play.dump(state), {RED: Level.EASY, BLUE: Level.EASY}).items():
        read = read_accepted(rules, rules.sight.view(state, Playing(power)), lines)
        assert tuple(map(rules.orders.format, read.values)) == lines


def test_random_orders_go_somewhere_rather_than_stay_however_they_are_written() -> None:
    def intent(order: ToyOrder) -> Intent | None:
        return Intent("here", "there") if order.verb == "BID" and int(order.argument) > 4 else None

    nothing: Any = None
    judgement: Judgement[Any, Any, ToyOrder] = Judgement(
        imagine=nothing, measure=nothing, intent=intent, appeal=nothing
    )
    rules = cast(AnySystem, replace(TOY, judgement=judgement))
    document = TOY.play.dump(TOY.play.start(variant="standard", players=3, options={"gold": 8}, seed="s"))
    drawn = [computer_orders(rules, document, RED, None, random.Random(number))[0] for number in range(60)]
    assert sum(line in ("BID 5", "BID 6", "BID 7", "BID 8") for lines in drawn for line in lines) > 0.7 * len(drawn)
