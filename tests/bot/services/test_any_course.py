"""Whatever people do, in whatever order: nothing fails but by a refusal, and what is stored stays consistent."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from bot.model import BallotKind, GameId, GameStatus, Pace, UserId
from bot.services import gm, inspect, lobby, orders, overview, replay, rollback, transfer, turns, votes
from bot.services.arrivals import Arrival
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode
from engine.core.variant import load_phrases
from tests.bot.services.world import CREATOR, World
from tests.toy_system import CATALOGUE

SEEDS = range(25)
PEOPLE = tuple(UserId(number) for number in range(1, 6))
TEXTS = ("BID 0", "BID 1", "BID 2\nDIG", "PEEK red", "PAY blue", "sing", "# later", "BID 3\nBID 4\nPAY red")
WORDS = load_phrases().with_catalogue(CATALOGUE)

BALLOTS = (BallotKind.DRAW, BallotKind.CONCESSION)


class Course:
    """A game to which anything may happen."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.world = World()
        pace = Pace(self.chance.choice(["1d", "daily 20:00 UTC", "10m"]), close_early=self.chance.random() < 0.8)
        self.game_id: GameId = self.world.create(pace=pace, options={"gold": "12"})
        self.refusals: list[Refused] = []
        self.phase_no = 0

    def step(self) -> None:
        """Something happens, or is refused."""
        try:
            self.chance.choice(self.deeds())()
        except Refused as refusal:
            self.refusals.append(refusal)
        self.check()

    def deeds(self) -> tuple[Callable[[], Any], ...]:
        """What may happen; what is likelier stands there more often."""
        context, game_id, chance = self.world.context, self.game_id, self.chance
        who = chance.choice(PEOPLE)
        power = chance.choice(["red", "green", "blue", None])
        master: dict[str, Any] = {"is_manager": False}
        phase_no = chance.choice([None, None, self.phase_no, self.phase_no - 1])
        mode = chance.choice(list(SubmitMode))

        def submit() -> object:
            text = chance.choice(TEXTS)
            return orders.submit(context, game_id, who, text, mode=mode, arrival=Arrival(phase_no=phase_no))

        def ready() -> object:
            return orders.set_ready(context, game_id, who, chance.random() < 0.9, arrival=Arrival(phase_no=phase_no))

        def wait() -> object:
            self.world.clock.advance(timedelta(minutes=chance.choice([1, 60, 60 * 12, 60 * 30])))
            return turns.sweep(context) if chance.random() < 0.8 else None

        def go_back() -> object:
            phase = chance.choice(["last", "1B", "2B", "2C"])
            keep, anew = chance.random() < 0.5, chance.random() < 0.3
            return rollback.roll_back(context, game_id, CREATOR, **master, phase=phase, keep_orders=keep, new_dice=anew)

        def agree() -> None:
            for seat in self.world.seats(game_id):
                if seat.user_id is not None:
                    votes.vote(context, game_id, seat.user_id, BallotKind.DRAW, True, None)

        return (
            submit, submit, submit, ready, ready, ready, wait, wait,
            lambda: orders.clear(context, game_id, who),
            lambda: lobby.join_game(context, game_id, who, power=power),
            lambda: lobby.join_game(context, game_id, who, power=power),
            lambda: lobby.leave_game(context, game_id, who) if chance.random() < 0.4 else None,
            lambda: lobby.start_game(context, game_id, CREATOR, **master),
            lambda: votes.vote(context, game_id, who, chance.choice(BALLOTS), chance.random() < 0.6, power),
            lambda: agree() if chance.random() < 0.2 else None,
            lambda: gm.pause(context, game_id, CREATOR, **master) if chance.random() < 0.3 else None,
            lambda: gm.resume(context, game_id, CREATOR, **master),
            lambda: gm.extend(context, game_id, CREATOR, **master, by="3h"),
            lambda: gm.set_deadline(context, game_id, CREATOR, **master, at="in 2h"),
            lambda: gm.adjudicate_now(context, game_id, CREATOR, **master),
            lambda: gm.replace_player(
                context, game_id, CREATOR, **master, power=power or "pink", new_user_id=chance.choice([who, None])
            ),
            go_back,
            lambda: lobby.end_game(context, game_id, CREATOR, **master)
            if chance.random() < 0.1 and self.phase_no
            else None,
            lambda: inspect.history(context, game_id, who, chance.choice([None, "1B"])),
            lambda: overview.game_info(context, game_id, who),
        )  # fmt: skip

    def check(self) -> None:
        """What must hold at all times."""
        game, seats = self.world.game(self.game_id), self.world.seats(self.game_id)
        assert game.phase_no >= self.phase_no
        self.phase_no = game.phase_no
        assert (game.deadline_at is not None) == (game.status is GameStatus.RUNNING)
        assert (game.time_left_s is not None) == (game.status is GameStatus.PAUSED)
        assert game.remind_at is None or game.status is GameStatus.RUNNING
        people = [seat.user_id for seat in seats if seat.user_id is not None]
        assert len(people) == len(set(people)), "one seat a person"
        if game.status in (GameStatus.RUNNING, GameStatus.PAUSED):
            assert len({seat.power for seat in seats}) == len(seats)
            assert all(seat.is_open for seat in seats if seat.user_id is None)
        if game.status is GameStatus.RUNNING:
            status = overview.game_info(self.world.context, self.game_id, None).status
            assert status is not None
            assert any(seat.user_id is not None and seat.power in status.to_act for seat in seats), "somebody decides"
        numbers = [record.phase_no for record in self.world.records(self.game_id)]
        assert all(number < game.phase_no for number in numbers)

    def check_at_the_end(self) -> None:
        """What must hold of the whole course, if the game ever began."""
        if self.world.game(self.game_id).document is None:
            return
        assert replay.replay(self.world.context, self.game_id) == ()
        found = replay.verify(self.world.context, self.game_id)
        assert (found.drifted, found.altered, found.is_exposed) == ((), (), False)
        assert len({part.seal for part in found.seals}) == len(found.seals)
        assert (found.seed is not None) == (self.world.game(self.game_id).status is GameStatus.OVER)
        for refusal in self.refusals:
            assert WORDS.render(refusal.what)
            assert refusal.hint is None or WORDS.render(refusal.hint)
        for message in self.world.outbox(self.game_id):
            assert "seed" not in repr(message.payload)
            if message.kind == "notice":
                assert message.payload["code"] in WORDS.codes
        document = transfer.export_game(self.world.context, self.game_id)
        other = World()
        other.clock.moment = self.world.clock.moment
        other.create(name="before it")
        place = self.world.game(self.game_id)
        game = transfer.import_game(
            other.context, document, guild_id=place.guild_id, channel_id=place.channel_id, user_id=CREATOR
        )
        again = transfer.export_game(other.context, game.id)
        assert again["phases"] == document["phases"]
        assert again["seats"] == document["seats"]


@cache
def course_of(seed: int) -> Course:
    """A course of some length."""
    course = Course(seed)
    for _ in range(150):
        course.step()
    return course


@pytest.mark.parametrize("seed", SEEDS)
def test_any_course_of_a_game_stays_consistent(seed: int) -> None:
    course_of(seed).check_at_the_end()


def test_the_courses_lead_through_everything() -> None:
    courses = [course_of(seed) for seed in SEEDS]
    kinds = {kind for course in courses for kind in course.world.kinds(course.game_id)}
    codes = {refusal.what.code for course in courses for refusal in course.refusals}
    assert {"game_over", "reminder", "notice.rolled_back", "notice.draw_carried", "notice.nobody_plays"} <= kinds
    assert {"notice.rolled_back_new_dice", "notice.rolled_back_after_end"} <= kinds
    assert {"refused.deadline_passed", "refused.phase_over", "refused.which_power", "refused.paused"} <= codes
