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
    # How often it looks for more depends on which message is done first, so it is not quite the same each time.
    assert many.announce.statements < few.announce.statements * 2
