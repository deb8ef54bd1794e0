"""Dice by streams: one sequence each, forced rolls first."""

from __future__ import annotations

from engine.core.dice import Dice


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


def test_forced_roll_beyond_the_die_goes_round() -> None:
    streams = Dice("seed", rows={"nmr/red": [7, 5, 100]}).streams()
    assert [streams.roll("nmr/red", sides=5) for _ in range(3)] == [2, 5, 5]


def test_rolls_are_spread_over_all_sides() -> None:
    streams = Dice("seed").streams()
    assert {streams.roll("x", sides=6) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    hundred = [streams.d100("y") for _ in range(2000)]
    assert (min(hundred), max(hundred)) == (1, 100)
    assert abs(sum(hundred) / len(hundred) - 50.5) < 3
