"""The command line: every command, and one clear line for whatever can't be used."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from PIL import Image

from bot import survey
from bot.__main__ import main
from bot.app import Application
from bot.commands import read_sheets
from bot.model import ClosedBecause, UserId
from bot.ports import StorageUnavailable
from bot.services import orders, turns
from bot.services.arrivals import Arrival
from bot.services.context import Context
from bot.services.sheets import SubmitMode
from bot.settings import Settings, is_like_token
from bot.storage import Database
from engine.answers import answer_line
from engine.registry import systems
from tests.bot.test_app import begin_game
from tests.bot.test_ports import NOW
from tests.fakes import FakeAlarm, FakeClock

ROOT = Path(__file__).parents[2]
START = {"system": "diplomacy"}
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In an empty folder, without settings; what logging was set to is set back."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("WORKERS", "0")
    names = ("", "discord", "aiohttp", "asyncio", "alembic", "apscheduler")
    levels = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def game(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    """Game 1 in the database that the settings name, its first phase closed."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    database = Database(sqlite_url)
    clock = FakeClock(NOW)
    context = Context(database.unit_of_work, clock, FakeAlarm(), systems, lambda: "seed")

    game_id = begin_game(context)
    for number in range(1, 8):
        text = "\n".join(orders.suggest(context, game_id, UserId(number), ""))
        orders.submit(context, game_id, UserId(number), text, mode=SubmitMode.MERGE, arrival=Arrival(phase_no=1))
    clock.advance(timedelta(days=1))
    turns.close_phase(context, game_id, 1, ClosedBecause.DEADLINE)
    yield context
    database.close()


def write(path: Path, document: object) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


# Running


def test_as_a_program_without_a_token_it_says_in_one_line_what_to_set(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "bot"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert "DISCORD_TOKEN" in line
    assert ".env" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("token", ["x", "a.b", "Bot a.b.c", "a.b.c d", "…"])
def test_what_can_not_be_a_token_is_told_and_not_repeated(
    token: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert main([]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "DISCORD_TOKEN" in line
    assert not is_like_token(token)


def test_a_token_that_discord_refuses_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, sqlite_url: str
) -> None:
    async def refuse(*_: object) -> None:
        raise discord.LoginFailure

    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setattr(discord.Client, "login", refuse)
    assert main([]) == 2
    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_a_discord_that_can_not_be_reached_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, sqlite_url: str
) -> None:
    async def fail(*_: object) -> None:
        raise aiohttp.ClientConnectionError

    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setattr(discord.Client, "login", fail)
    assert main([]) == 1
    assert "can't be reached" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_closes_everything(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: Capture, sqlite_url: str
) -> None:
    closed, overslept = [], []

    async def run(*_: object) -> None:
        os.kill(os.getpid(), number)
        await asyncio.sleep(60)
        overslept.append(number)

    async def close(application: Application) -> None:
        closed.append(application)
        await application.client.close()

    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setattr(discord.Client, "start", run)
    monkeypatch.setattr(Application, "close", close)
    # Whatever a shell starts in the background ignores Ctrl+C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main([]) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert overslept == []
    assert len(closed) == 1
    assert capsys.readouterr().err == ""


def test_a_database_that_goes_away_at_the_start_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, sqlite_url: str
) -> None:
    async def fail(*_: object) -> None:
        raise StorageUnavailable("the database is locked")

    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setattr(discord.Client, "start", fail)
    assert main([]) == 1
    assert capsys.readouterr().err == "DATABASE_URL: the database is locked\n"


@pytest.mark.parametrize("address", ["postgresql://u:hunter2@127.0.0.1:1/games", "sqlite:////dev/null/games.sqlite"])
def test_a_database_that_is_away_at_the_start_is_waited_for_and_may_be_tried_again_later(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture, caplog: pytest.LogCaptureFixture
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("bot.storage.database.time.sleep", waits.append)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", address)
    assert main([]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("DATABASE_URL: ")
    assert 120 <= sum(waits) <= 300
    assert max(waits) <= 15
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == len(waits)
    assert all(each.startswith("database unavailable, trying again in ") for each in told)
    assert "hunter2" not in line + "".join(told)


def test_a_database_that_comes_up_late_is_used(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    async def leave(*_: object) -> None:
        return

    folder = tmp_path / "disk"
    folder.write_text("nothing is mounted here yet")

    def mount(_: float) -> None:
        if folder.is_file():
            folder.unlink()

    monkeypatch.setattr("bot.storage.database.time.sleep", mount)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder / 'games.sqlite'}")
    monkeypatch.setattr(discord.Client, "start", leave)
    assert main([]) == 0
    assert (folder / "games.sqlite").exists()


@pytest.mark.parametrize("address", ["nonsense", "mysql://root:hunter2@host/games", "sqlite://"])
def test_a_bad_database_address_is_told_without_its_password(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("bot.storage.database.time.sleep", lambda _: None)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", address)
    assert main([]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("DATABASE_URL: ")
    assert "hunter2" not in line


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("LOG_LEVEL: ")


def test_the_version_is_printed_and_logged_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, caplog: pytest.LogCaptureFixture, sqlite_url: str
) -> None:
    async def refuse(*_: object) -> None:
        raise discord.LoginFailure

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    monkeypatch.setenv("LOG_LEVEL", "wrong")
    assert main(["--version"]) == 0
    version = capsys.readouterr().out.strip()
    assert version.startswith(f"Sealed Orders {project['version']} (rules ")
    monkeypatch.delenv("LOG_LEVEL")
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.setattr(discord.Client, "login", refuse)
    with caplog.at_level(logging.INFO):
        main([])
    assert caplog.messages[0] == version


def test_help_lists_settings_and_commands(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for word in (
        "DISCORD_TOKEN",
        "DATABASE_URL",
        "LOG_LEVEL",
        "play",
        "check",
        "games",
        "export",
        "import",
        "render",
        "report",
    ):
        assert word in text


def test_what_playing_needs_besides_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for loaded in [name for name in sys.modules if name.startswith("bot.play.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, "simcord", None)
    assert main(["play"]) == 2
    assert "the package simcord is missing: make play installs it" in capsys.readouterr().err


# Checking


def test_check_finds_a_missing_token_and_makes_nothing(tmp_path: Path, capsys: Capture) -> None:
    assert main(["check"]) == 1
    text = capsys.readouterr().out
    assert "WRONG  DISCORD_TOKEN: not set" in text
    assert "made when the bot starts" in text
    assert list(tmp_path.iterdir()) == []


def test_check_is_content_with_a_bot_that_can_run(
    game: Context, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    async def well(*_: object) -> list[survey.Finding]:
        return [survey.Finding("DISCORD_TOKEN", "known")]

    monkeypatch.setattr(survey, "_discord", well)
    monkeypatch.setattr(survey, "SystemClock", lambda: FakeClock(NOW))
    assert main(["check"]) == 0
    text = capsys.readouterr().out
    assert "SQLite: 1 game, 1 of them running" in text
    assert "WRONG" not in text


def test_check_finds_a_file_that_the_bot_may_not_write(
    game: Context, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert main(["check"]) == 1
    assert "can't be written to" in capsys.readouterr().out


def test_check_finds_overdue_games(game: Context, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "SystemClock", lambda: FakeClock(NOW + timedelta(days=9)))
    assert main(["check"]) == 1
    assert "WRONG  deadlines: 1 game is overdue" in capsys.readouterr().out


def test_check_finds_tables_that_were_changed_by_hand(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    database = Database(sqlite_url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX ix_games_due")
    database.close()
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert main(["check"]) == 1
    assert "tables differ" in capsys.readouterr().out


def test_check_finds_tables_of_a_later_version(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    database = Database(sqlite_url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert main(["check"]) == 1
    assert "WRONG  database: SQLite: the database was written by a later version" in capsys.readouterr().out


def test_check_needs_no_network_to_see_what_can_not_be_a_token(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "YOUR_TOKEN")
    assert main(["check"]) == 1
    text = capsys.readouterr().out
    assert "WRONG  DISCORD_TOKEN: it is not a token that Discord accepts" in text
    assert "YOUR_TOKEN" not in text


def test_check_lets_no_library_talk(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc.def.ghi")

    async def unreachable(*_: object, **__: object) -> None:
        raise aiohttp.ClientConnectionError

    monkeypatch.setattr(discord.Client, "login", unreachable)
    heard: list[str] = []
    monkeypatch.setattr(logging.Handler, "handle", lambda _, record: heard.append(record.name))
    assert main(["check"]) == 1
    assert "Discord: can't be reached" in capsys.readouterr().out
    assert heard == []


@pytest.mark.parametrize("address", ["mysql://u:hunter2@h/d", "postgresql://u:hunter2@127.0.0.1:1/games"])
def test_check_finds_a_bad_database(address: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    assert main(["check"]) == 1
    text = capsys.readouterr().out
    assert "WRONG  DATABASE_URL" in text or "WRONG  database" in text
    assert "hunter2" not in text


# Games in a list, out and in


def test_games_are_listed_with_what_a_host_needs_to_know(game: Context, capsys: Capture) -> None:
    assert main(["games"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert re.match(r" +1  running +until \d{4}-\d\d-\d\d \d\d:\d\d UTC +Game \(diplomacy F1901M; server \d", line)


def test_that_there_are_no_games_is_told(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "There are no games.\n"


@pytest.mark.parametrize("command", [["games"], ["export", "1"]])
def test_a_command_that_only_reads_leaves_tables_of_an_earlier_version_as_they_are(
    command: list[str], sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    database = Database(sqlite_url)
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    assert main(command) == 2
    assert "no tables of this version yet" in capsys.readouterr().err
    assert database.pending_migrations()
    database.close()


@pytest.mark.parametrize("name", ["1", "game", "GAME "])
def test_a_game_is_exported_by_number_or_name(name: str, game: Context, capsys: Capture) -> None:
    assert main(["export", name]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["game"]["name"] == "Game"
    assert len(document["phases"]) == 1


def test_what_was_exported_can_be_imported_elsewhere(
    game: Context, tmp_path: Path, make_sqlite: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert main(["export", "1", "-o", "game-1.json"]) == 0
    monkeypatch.setenv("DATABASE_URL", make_sqlite())
    assert main(["import", "game-1.json", "--channel", "777"]) == 0
    assert "game 1" in capsys.readouterr().out
    assert main(["export", "1", "-o", "again.json"]) == 0
    first, again = (json.loads((tmp_path / name).read_text()) for name in ("game-1.json", "again.json"))
    assert again["phases"] == first["phases"]
    assert (again["game"]["channel_id"], again["game"]["guild_id"]) == (777, first["game"]["guild_id"])


def test_nobody_else_may_read_what_was_exported(game: Context, tmp_path: Path) -> None:
    (tmp_path / "known.json").touch(mode=0o644)
    for name in ("new.json", "known.json"):
        assert main(["export", "1", "-o", name]) == 0
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_an_export_that_does_not_fit_on_the_disk_leaves_the_one_before(
    game: Context, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "game-1.json").write_text("as it was")
    files = set(tmp_path.iterdir())
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    too_large = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most[1]))
    try:
        code = main(["export", "1", "-o", "game-1.json"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, too_large)
    assert code == 2
    assert capsys.readouterr().err == "game-1.json: File too large\n"
    assert (tmp_path / "game-1.json").read_text() == "as it was"
    assert set(tmp_path.iterdir()) == files


def test_what_an_import_passes_over_is_told(
    game: Context, tmp_path: Path, make_sqlite: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert main(["export", "1", "-o", "game.json"]) == 0
    document = json.loads((tmp_path / "game.json").read_text())
    document["game"]["phase_code"] = "X1"
    monkeypatch.setenv("DATABASE_URL", make_sqlite())
    assert main(["import", write(tmp_path / "changed.json", document)]) == 0
    assert capsys.readouterr().err == (
        "Passed over: The file says that the present phase is “X1”; according to the position it is F1901M.\n"
    )


def test_an_export_from_the_wrong_folder_is_told_and_makes_nothing(tmp_path: Path, capsys: Capture) -> None:
    assert main(["export", "1"]) == 2
    assert "there is no file data/sealed_orders.sqlite" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_game_is_told_with_those_there_are(game: Context, capsys: Capture) -> None:
    assert main(["export", "chess"]) == 2
    assert "1 Game" in capsys.readouterr().err


def test_what_is_no_export_is_refused(game: Context, tmp_path: Path, capsys: Capture) -> None:
    assert main(["import", write(tmp_path / "game.json", START)]) == 2
    assert capsys.readouterr().err.startswith(str(tmp_path / "game.json"))


# Documents


def test_a_position_is_told_in_words(tmp_path: Path, capsys: Capture) -> None:
    assert main(["report", write(tmp_path / "game.json", START)]) == 0
    text = capsys.readouterr().out
    assert "Spring 1901" in text
    assert "A BUD" in text


def test_the_last_phase_of_an_export_is_told_in_words(game: Context, capsys: Capture) -> None:
    assert main(["export", "1", "-o", "game.json"]) == 0
    assert main(["report", "game.json"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Game: Spring 1901, movement\nClosed at the deadline.\n\n")
    assert "A VIE" in text
    assert "Units (3)" not in text


def test_results_of_adjudicate_are_told_in_words(tmp_path: Path, capsys: Capture) -> None:
    request = {"game": START, "orders": {"austria": ["A BUD - SER"]}}
    document = answer_line(json.dumps(request).encode())
    assert main(["report", write(tmp_path / "done.json", document)]) == 0
    text = capsys.readouterr().out
    assert "Austria: A BUD - SER: succeeds" in text
    assert "Fall 1901" in text


def test_results_of_lines_are_told_with_the_marks_of_the_rules(tmp_path: Path, capsys: Capture) -> None:
    """King of Kings, rules 4.2: `*player line` is an error, `(player line)` a warning."""
    provinces = [{"x": x, "y": 0, "owner": "red"} for x in range(2)]
    state = {"map": ["PP"], "nations": [{"name": "red", "gold": 9}, {"name": "blue"}], "provinces": provinces}
    orders = {"Red": ["DEF 0 0 C 9 9 F", "nonsense", "DEF 1 0 C"]}
    request = {"game": {"system": "king_of_kings", "state": state}, "orders": orders}
    path = write(tmp_path / "done.json", answer_line(json.dumps(request).encode()))
    assert main(["report", path, "--viewer", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("(Red 0): W08 ")
    assert lines[1].startswith("*Red 1/2: DEF 0 0 C 9 9 F: E03 ")
    assert lines[2].startswith("*Red 2: nonsense: E01 ")
    assert lines[3].startswith("Red 3: DEF 1 0 C: ")


def test_a_map_goes_to_standard_output(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["render", write(tmp_path / "game.json", START), "-o", "-"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_map_is_drawn_with_orders_and_refused_ones_are_told(tmp_path: Path, capsys: Capture) -> None:
    game = write(tmp_path / "game.json", START)
    (tmp_path / "orders.txt").write_text("[Austria]\nA BUD - SER\nA BUD - PAR # too far\n[france]\nA PAR - BUR\n")
    arguments = ["render", game, "--viewer", "austria", "--orders", str(tmp_path / "orders.txt")]
    assert main([*arguments, "-o", str(tmp_path / "map.png")]) == 0
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG\r\n")
    [line] = capsys.readouterr().err.splitlines()
    assert "A BUD - PAR" in line


def test_a_map_for_everybody_shows_everybodys_orders_and_a_viewers_map_only_theirs(tmp_path: Path) -> None:
    game = write(tmp_path / "game.json", START)
    (tmp_path / "orders.txt").write_text("[austria]\nA BUD - SER\n[france]\nA PAR - BUR\n")

    def drawn(name: str, *more: str) -> bytes:
        assert main(["render", game, *more, "-o", str(tmp_path / name)]) == 0
        return (tmp_path / name).read_bytes()

    orders = ["--orders", str(tmp_path / "orders.txt")]
    assert drawn("all.png", *orders) != drawn("none.png")
    (tmp_path / "own.txt").write_text("[austria]\nA BUD - SER\n")
    own = ["--orders", str(tmp_path / "own.txt")]
    assert drawn("a.png", *orders, "--viewer", "austria") == drawn("b.png", *own, "--viewer", "austria")


def test_a_map_is_drawn_with_its_key_or_about_a_realm(tmp_path: Path, capsys: Capture) -> None:
    game = write(tmp_path / "game.json", START)

    def size(name: str, *more: str) -> tuple[int, int]:
        assert main(["render", game, *more, "-o", str(tmp_path / name)]) == 0
        with Image.open(tmp_path / name) as picture:
            return picture.size

    assert size("key.png", "--key")[1] > size("map.png")[1]
    wide, high = size("realm.png", "--viewer", "austria", "--realm")
    assert wide / high > 1.2
    assert main(["render", game, "--realm", "-o", str(tmp_path / "x.png")]) == 2
    assert "--viewer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "object"),
        ('{"system": "chess"}', "'chess' is none of diplomacy"),
        ('{"system": ["diplomacy"]}', "none of"),
        ('{"system": "diplomacy", "state": {"units": [{"power": "austria", "kind": "A"}]}}', "state.units[0]"),
        ('{"system": "diplomacy", "variant": "nowhere"}', "nowhere"),
    ],
)
@pytest.mark.parametrize("command", ["report", "render"])
def test_a_broken_document_is_told_in_one_line(
    command: str, content: str, problem: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "game.json"
    path.write_text(content)
    more = ["-o", str(tmp_path / "map.png")] if command == "render" else []
    assert main([command, str(path), *more]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{path}: ")
    assert problem in line


def test_broken_results_are_told_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    path = write(tmp_path / "done.json", {"game": START, "results": [{"power": 1}], "events": []})
    assert main(["report", path]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{path}: its results")


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "nothing.json"],
        ["render", "game.json", "-o", "no/such/folder/map.png"],
        ["render", "game.json", "--orders", "nothing.txt", "-o", "map.png"],
        ["report", "game.json", "--viewer", "atlantis"],
        ["export", "1", "-o", "no/such/folder/game.json"],
    ],
)
def test_files_and_powers_that_are_not_there_are_told_in_one_line(
    arguments: list[str], game: Context, tmp_path: Path, capsys: Capture
) -> None:
    write(tmp_path / "game.json", START)
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# Sheets


@pytest.mark.parametrize(
    ("text", "sheets"),
    [
        ("", {}),
        ("# nothing\n\n", {}),
        ("[austria]\nA BUD H\n[ Pan Tang ] # pirates\nA X H", {"austria": "A BUD H\n", "Pan Tang": "A X H\n"}),
        ("[austria]\nA BUD H\n[france]\n[austria]\nA VIE H\n", {"austria": "A BUD H\nA VIE H\n"}),
        (
            '{"austria": ["A BUD H", "A VIE H"], "italy": "A ROM H"}',
            {"austria": "A BUD H\nA VIE H", "italy": "A ROM H"},
        ),
    ],
)
def test_orders_of_all_powers_are_read_as_text_or_json(text: str, sheets: dict[str, str]) -> None:
    assert read_sheets(text) == sheets


@pytest.mark.parametrize("text", ["A BUD H", '{"austria": 5}', "{"])
def test_orders_of_nobody_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_sheets(text)


@pytest.mark.parametrize("option", ["--guild", "--channel", "--user"])
@pytest.mark.parametrize("number", ["-5", "0", str(2**63), "9" * 23, "here"])
def test_an_import_to_what_discord_can_not_have_is_refused(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["import", "game.json", option, number])
    assert ended.value.code == 2
    assert f"argument {option}: {number} is not a Discord ID" in capsys.readouterr().err
