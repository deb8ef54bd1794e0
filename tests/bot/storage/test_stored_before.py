"""What earlier versions stored is read as they meant it, and written back as it was.

`stored_by_<version>.sql` are whole SQLite databases that these versions wrote: a game of the toy system with closed,
undone and open phases, votes, an open seat and mail in every state; a lobby; and one that starts from a scenario.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.model import BallotKind, Delivery, Game, GameId, Mailbox, Pace, Scenario, UserId
from bot.storage import Database
from engine.core.ids import PowerId
from tests.conftest import MakeDatabase

VERSIONS = ("0.1.0", "0.2.0")
GAMES = (GameId(1), GameId(2), GameId(3))
RED = PowerId("red")


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.executescript((Path(__file__).parent / f"stored_by_{request.param}.sql").read_text("utf-8"))
    connection.close()
    path.chmod(0o600)
    database = Database(f"sqlite:///{path}")
    database.migrate()
    yield database
    database.close()


def _copy(old: Database, new: Database) -> None:
    """Read everything and store it again, in the same order."""
    with old.unit_of_work() as source, new.unit_of_work() as target:
        for game_id in GAMES:
            game = source.games.find(game_id)
            assert game is not None
            assert target.games.add(game).id == game_id
            for seat in source.games.seats(game_id):
                target.games.save_seat(seat)
            for record in source.phases.of_game(game_id):
                target.phases.add(record)
            for phase_no in range(game.phase_no + 1):
                for sheet in source.sheets.of_phase(game_id, phase_no).values():
                    target.sheets.save(sheet)
                for ballot in source.ballots.of_phase(game_id, phase_no):
                    target.ballots.cast(ballot)
                for proposal in source.ballots.proposals(game_id, phase_no):
                    target.ballots.propose(proposal)
            for message in source.outbox.of_game(game_id):
                target.outbox.add(message)
        for user_id in (UserId(1), UserId(2)):
            if mailbox := source.mailboxes.find(user_id):
                target.mailboxes.save(mailbox)
        target.commit()


def _rows(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Everything as it lies in the file, JSON read, so that spaces and the two ways to write UTC don't count."""
    connection = sqlite3.connect(str(database.engine.url.database))
    connection.row_factory = sqlite3.Row
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables = {
        name: [
            {column: _plain(row[column]) for column in sorted(row.keys())}
            for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2')
        ]
        for name in sorted(names)
        if name not in ("meta", "sqlite_sequence", "alembic_version")
    }
    connection.close()
    return tables


def _plain(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("{", "["):
        return json.loads(value.replace("+00:00", "Z"))
    return value


def test_everything_is_written_back_as_it_was_stored(old: Database, make_sqlite: MakeDatabase) -> None:
    new = Database(make_sqlite())
    _copy(old, new)
    new.close()
    before, after = _rows(old), _rows(new)
    assert before.keys() == after.keys()
    assert sum(map(len, before.values())) > 30
    for name in before:
        assert before[name] == after[name], name


def _found(old: Database, game_id: GameId) -> Game:
    with old.unit_of_work() as work:
        game = work.games.find(game_id)
    assert game is not None
    return game


def test_what_was_meant_is_read(old: Database) -> None:
    game, scenario = _found(old, GameId(1)), _found(old, GameId(3)).scenario
    assert game.pace == Pace("2d", {"tribute": "12h", "count": "mon,thu 19:00 Europe/Berlin"}, close_early=False)
    assert game.options == {"gold": 9, "mood": "stormy", "peeking": True}
    assert game.game_masters == frozenset({9})
    assert game.document is not None
    assert scenario == Scenario(
        "Über", "about\nit", "s.json", {PowerId("1"): "Öst", PowerId("2"): "West"}, scenario.text
    )
    assert scenario is not None
    assert scenario.text == '{"name": "Über"}'
    with old.unit_of_work() as work:
        first, second = work.phases.of_game(game.id)
        votes = {ballot.power: ballot for ballot in work.ballots.of_phase(game.id, game.phase_no)}
        mail = work.outbox.of_game(game.id)
        open_seat = work.games.seats(game.id)[2]
    assert (first.is_undone, second.is_undone) == (False, True)
    assert first.sheets[RED].orders == ("BID 3", "PEEK green")
    assert first.sheets[RED].accepted_at == first.closed_at
    assert [event.audience for event in first.events] == [frozenset({RED})]
    assert {result.text for result in first.results} >= {"BID 3", "DIG"}
    assert (votes[RED].kind, votes[PowerId("green")].winner) == (BallotKind.DRAW, RED)
    assert (open_seat.user_id, open_seat.is_open) == (None, True)
    assert [message.delivery for message in mail[:3]] == [Delivery.SENT, Delivery.FAILED, Delivery.PENDING]
    assert mail[0].message_id == 2**60


def test_mailboxes_are_read(old: Database) -> None:
    with old.unit_of_work() as work:
        found = work.mailboxes.find(UserId(1))
    assert found in (None, Mailbox(UserId(1), 77, 5, 4))
