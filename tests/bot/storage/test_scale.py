"""A phase costs as much among many games as among few. (`tests/bench/bench_scale.py` prints the whole curve.)"""

from __future__ import annotations

from tests.bench.bench_scale import ManyGames


def test_a_phase_takes_as_many_statements_among_many_games_as_among_few(any_url: str) -> None:
    table = ManyGames(any_url)
    few, many = table.measure(5), table.measure(25)
    table.close()
    assert many.close.statements == few.close.statements
    assert many.close.statements < 60
    assert many.sweep.statements == few.sweep.statements


def test_announcing_a_phase_does_not_depend_on_the_number_of_games(sqlite_url: str) -> None:
    table = ManyGames(sqlite_url)
    few, many = table.measure(5), table.measure(25)
    table.close()
    # How often it looks for more depends on which game is done first, so it is not quite the same each time.
    assert many.announce.statements < few.announce.statements * 2


def test_announcing_a_phase_takes_four_transactions_of_its_own_and_reads_its_two_positions_once(any_url: str) -> None:
    """Seven briefings, two posts and a change of the old one: read, tried and written down together."""
    table = ManyGames(any_url)
    alone = table.announced(1)
    assert alone.statements <= 30, "BEGIN is one of them"
    assert alone.loads == 2, "before and after"
    # Besides: look what there is, take the right to send, look for more, give it back.
    assert alone.transactions == 4 + 4
    table.close()


def test_each_phase_that_is_announced_beside_others_takes_at_most_five_transactions(sqlite_url: str) -> None:
    table = ManyGames(sqlite_url)
    several = table.announced(6)
    table.close()
    # How often it looks for more depends on which game is done first.
    assert several.transactions <= 6 * 5 + 4
    assert several.statements <= 6 * 30
