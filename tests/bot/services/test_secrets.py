"""The promise that the bot is named for: what others have ordered, or hold hidden, changes nothing that one is shown.

Each test makes two worlds that differ only in what one person may not see, lets this person do and look at everything
there is, and compares. Refusals and errors count as things shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model import GameId, UserId
from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.viewer import Playing
from tests.bot.services.shown import everything_shown, seen
from tests.bot.services.world import ANN, BOB, CY, DAN, World
from tests.examples import few

quick = settings(max_examples=few(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
thorough = settings(max_examples=few(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])

TOY_ORDERS = ("BID 0", "BID 1", "BID 3", "BID 8", "DIG", "PEEK red", "PEEK blue", "PEEK green")
NONSENSE = ("BID 99", "sing", "PAY red", "PEEK", "# nothing", "", "BID x")


def _toy_world(others: Sequence[Sequence[str]], numbers: tuple[int, int]) -> tuple[World, GameId]:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.set_state(game_id, numbers={"red": 3, "green": numbers[0], "blue": numbers[1]})
    for user_id, texts in zip((BOB, CY), others, strict=True):
        for text in texts:
            seen(lambda user_id=user_id, text=text: world.submit(game_id, user_id, text))  # type: ignore[misc]
        # Whether somebody has answered is public, so in all worlds everybody has.
        world.submit(game_id, user_id, "DIG")
    return world, game_id


sent = st.lists(st.sampled_from(TOY_ORDERS + NONSENSE), max_size=4)
hidden = st.tuples(st.integers(1, 6), st.integers(1, 6))
typed = st.lists(st.sampled_from(TOY_ORDERS + NONSENSE) | st.text(max_size=20), max_size=4)


@quick
@given(one=st.tuples(sent, sent), other=st.tuples(sent, sent), here=hidden, there=hidden, texts=typed)
def test_pending_orders_and_hidden_numbers_of_others_change_nothing_that_one_is_shown(
    one: Sequence[Sequence[str]],
    other: Sequence[Sequence[str]],
    here: tuple[int, int],
    there: tuple[int, int],
    texts: Sequence[str],
) -> None:
    for user_id in (ANN, DAN):
        first = everything_shown(*_toy_world(one, here), user_id, texts)
        second = everything_shown(*_toy_world(other, there), user_id, texts)
        assert first == second


@quick
@given(peeked=st.lists(st.sampled_from(["red", "blue"]), min_size=2, max_size=2), numbers=st.integers(1, 6))
def test_private_results_of_a_closed_phase_are_shown_to_nobody_else(peeked: Sequence[str], numbers: int) -> None:
    shown = []
    for whom in peeked:
        world = World()
        game_id = world.start()
        world.set_state(game_id, numbers={"red": 3, "green": numbers, "blue": 2})
        world.submit(game_id, BOB, f"PEEK {whom}")
        world.pass_deadline(game_id)
        shown.append([everything_shown(world, game_id, user_id, ()) for user_id in (ANN, CY, DAN)])
    assert shown[0] == shown[1]


def test_the_comparison_would_notice_a_leak() -> None:
    """Somebody's own orders and number do show, so what is compared is not blind to them."""
    shown = [
        everything_shown(*_toy_world(([text], []), (number, 1)), BOB, ())
        for text, number in (("BID 1", 2), ("BID 3", 5))
    ]
    assert shown[0] != shown[1]


# The same with the real games


@cache
def _legal(system: SystemId, players: int) -> dict[PowerId, tuple[str, ...]]:
    """What can be ordered in the first phase of the game that `_real_world` begins, whose map may be made by lot."""
    rules = systems[system]
    opening = rules.play.start(variant=rules.info.variants[0], players=players, options={}, seed="")
    world, game_id = _begun(system, list(rules.play.variant(opening).powers)[:players])
    document = world.game(game_id).document
    assert document is not None
    state = rules.play.load(document)
    return {
        power: tuple(
            rules.orders.format(order)
            for choices in rules.orders.legal(rules.sight.view(state, Playing(power))).values()
            for order in choices
        )
        for power in rules.play.status(state).to_act
    }


def _players(system: SystemId) -> int:
    """Enough for secrets from each other, few enough for many worlds."""
    seats = systems[system].info.seats
    return max((number for number in seats if number <= MANY), default=min(seats))


MANY = 6


def _begun(system: SystemId, powers: Sequence[PowerId]) -> tuple[World, GameId]:
    """A game whose powers are played, in this order, by the users 1, 2, 3 …"""
    world = World(systems)
    wishes = {UserId(number): power for number, power in enumerate(powers, start=1)}
    return world, world.start(system=system, players=len(powers), wishes=wishes)


def _real_world(system: SystemId, sheets: Sequence[Sequence[str]]) -> tuple[World, GameId]:
    powers = list(_legal(system, _players(system)))
    world, game_id = _begun(system, powers)
    for number, sheet in zip(range(2, len(powers) + 1), sheets, strict=False):
        world.submit(game_id, UserId(number), "\n".join(sheet))
    return world, game_id


@thorough
@given(data=st.data())
def test_pending_orders_of_other_powers_change_nothing_in_any_game(data: st.DataObject) -> None:
    for system in systems:
        legal = _legal(system, _players(system))
        own, *others = legal.values()
        if not others:
            # A game that begins with one power's choice has no pending orders of others then.
            continue
        pairs = [
            [data.draw(st.lists(st.sampled_from(choices), min_size=1, max_size=5, unique=True)) for choices in others]
            for _ in range(2)
        ]
        texts = data.draw(st.lists(st.sampled_from(own) | st.sampled_from(others[0]), max_size=3))
        first, second = (everything_shown(*_real_world(system, sheets), ANN, texts) for sheets in pairs)
        assert first == second
