"""Dice by streams: one sequence each, forced rolls first."""

from __future__ import annotations

import pytest

from engine.core.dice import Dice, ForcedRoll
from engine.core.errors import DocumentError
from engine.core.phrases import phrase


def rolls(dice: Dice, stream: str, count: int) -> list[int]:
    """The first rolls of a stream."""
    streams = dice.streams()
    return [streams.d100(stream) for _ in range(count)]


def test_stream_is_one_sequence_that_other_streams_do_not_shift() -> None:
    dice = Dice("seed").for_phase("T1")
    alone = rolls(dice, "battle/1,0", 5)
    streams = dice.streams()
    mixed = []
    for number in range(5):
        streams.d100("sea/1,0")
        mixed.append(streams.d100("battle/1,0"))
        assert streams.taken == {"sea/1,0": number + 1, "battle/1,0": number + 1}
    assert mixed == alone
    assert len(set(alone)) > 1


def test_roll_after_forced_ones_is_that_of_its_place_in_the_seeded_stream() -> None:
    seeded = rolls(Dice("seed").for_phase("T1"), "build/0,0", 4)
    forced = Dice("seed", rows={"build/0,0": [12, 80], "order": [2, 1]}).for_phase("T1")
    assert rolls(forced, "build/0,0", 4) == [12, 80, *seeded[2:]]
    assert forced.streams().forced("order") == [2, 1]
    assert forced.streams().forced("build/9,9") == ()


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (6, "dice.nmr/red[1]: 6 is not from 1 to 5"),
        (0, "dice.nmr/red[1]: 0 is not from 1 to 5"),
        ((1, 2, 3), "dice.nmr/red[1]: are several dice where one is rolled"),
    ],
)
def test_forced_roll_beyond_the_die_is_refused_with_its_place(entry: ForcedRoll, problem: str) -> None:
    streams = Dice("seed", rows={"nmr/red": [5, entry]}).streams()
    assert streams.roll("nmr/red", sides=5) == 5
    with pytest.raises(DocumentError) as raised:
        streams.roll("nmr/red", sides=5)
    assert str(raised.value) == problem


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (2, "dice.duel[0]: 2 is not from 3 to 18"),
        (19, "dice.duel[0]: 19 is not from 3 to 18"),
        ((1, 2), "dice.duel[0]: has 2 dice, not 3"),
        ((1, 7, 3), "dice.duel[0][1]: 7 is not from 1 to 6"),
    ],
)
def test_forced_throw_that_cannot_fall_is_refused_with_its_place(entry: ForcedRoll, problem: str) -> None:
    with pytest.raises(DocumentError) as raised:
        Dice("seed", rows={"duel": [entry]}).streams().throw("duel")
    assert str(raised.value) == problem


def test_forced_label_beyond_its_die_is_refused_with_its_place() -> None:
    dice = Dice("seed", {"duel/ZY": 0})
    assert dice.roll("duel/ZY", sides=101, least=0) == 0
    with pytest.raises(DocumentError, match=r"^dice\.duel/ZY: 0 is not from 1 to 6$"):
        dice.roll("duel/ZY", sides=6)


def test_throw_is_drawn_or_forced_as_a_sum_or_die_by_die() -> None:
    streams = Dice("seed", rows={"battle/2d+5": [14, (4, 4, 4), 3, 18, (1, 2, 3)]}).streams()
    thrown = [streams.throw("battle/2D+5") for _ in range(6)]
    assert [(each.total, each.dice, each.is_triple) for each in thrown[:5]] == [
        (14, None, False), (12, (4, 4, 4), True), (3, None, True), (18, None, True), (6, (1, 2, 3), False),
    ]  # fmt: skip
    drawn = thrown[5]
    assert drawn.dice is not None
    assert len(drawn.dice) == 3
    assert sum(drawn.dice) == drawn.total
    alone = Dice("seed").streams()
    assert [alone.throw("battle/2D+5") for _ in range(6)][5] == drawn, "what is forced shifts nothing"


def test_rolls_are_noted_in_the_order_rolled_only_where_somebody_looks() -> None:
    why = phrase("roll.duel")
    for dice in (Dice("seed", {"duel": 40}, {"melee": [14]}), Dice("seed", {"duel": 40}, {"melee": [14]}).logged()):
        streams = dice.for_phase("T1").streams()
        streams.throw("melee", purpose=why)
        streams.roll("melee", sides=6)
        dice.roll("duel", sides=101, least=0)
        dice.roll("duel", sides=101, least=0)
    noted = dice.rolls
    assert Dice("seed").rolls == ()
    assert [(roll.stream, roll.number, roll.dice, roll.total, roll.purpose) for roll in (noted[0], noted[2])] == [
        ("melee", 1, None, 14, why), ("duel", 1, (40,), 40, None),
    ]  # fmt: skip
    assert [(roll.stream, roll.number) for roll in noted] == [("melee", 1), ("melee", 2), ("duel", 1)]


def test_lots_are_noted_die_by_die() -> None:
    dice = Dice("seed").logged()
    items = ("a", "b", "c")
    left = list(items)
    assert dice.shuffled("order", items) == tuple(left.pop(roll.total - 1) for roll in dice.rolls)
    assert dice.pick("lot", items) == items[dice.rolls[-1].total - 1]


def test_rolls_are_spread_over_all_sides() -> None:
    streams = Dice("seed").streams()
    assert {streams.roll("x", sides=6) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    hundred = [streams.d100("y") for _ in range(2000)]
    assert (min(hundred), max(hundred)) == (1, 100)
    assert abs(sum(hundred) / len(hundred) - 50.5) < 3
