"""`python -m bot play` as it is called: scripts, games to the end, and command lines that are wrong."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import bot.app
from bot.play import main
from bot.play.command import _draw_after, _who_won, read_plan
from engine.core.ids import PowerId, SystemId
from engine.registry import systems
from tests.e2e.plain_renderer import PlainRenderer


@pytest.fixture(autouse=True)
def _plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.app, "MapRenderer", PlainRenderer)


WELLS = str(Path(__file__).parents[3] / "assets" / "king_of_kings" / "scenarios" / "wells_of_saba.json")


def script(folder: Path, text: str) -> str:
    path = folder / "script.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


OPENING = r"""
# France asks, the computer answers for the others.
france> A PAR - BUR\nA MAR H
expect france dm contains "A PAR - BUR"
expect channel lacks "A PAR - BUR"
expect germany dm lacks "A PAR - BUR"
france: /orders enter
expect france form contains "A PAR - BUR"
fill france "A PAR - PIC"
expect france answer contains "A PAR - PIC"
restart
france: /orders show
expect france answer contains "A PAR - PIC"
click france ready
expect france answer contains "Are you ready all the same?"
click france "Ready all the same"
wait phase
expect channel contains "A PAR - PIC"
skip 2d
expect channel contains "Fall 1901"
france: /game info
"""


def test_a_script_is_played_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = ["--bots", "--power", "france", "--seed", "1", "--script", script(tmp_path, OPENING), "--out", str(out)]
    status = main(arguments)
    told = capsys.readouterr()
    assert status == 0, told.out + told.err
    assert told.err == ""
    assert "» click france ready" in told.out
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "A PAR - PIC" in page
    assert all((out / name).exists() for name in re.findall(r"(?:src|href)='(files/[^']+|[a-z]+\.css)'", page))
    assert len(re.findall(r"<h2 ", page)) == 8


def test_an_expectation_that_is_not_met_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "expect channel lacks Diplomacy"
    out = tmp_path / "out"
    assert main(["--script", script(tmp_path, text), "--out", str(out)]) == 1
    assert "line 1: 'Diplomacy' is there all the same" in capsys.readouterr().err
    assert "Diplomacy" in (out / "index.html").read_text(encoding="utf-8"), "what was seen until then"


def test_the_computer_plays_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--until-end", "--max-years", "1", "--seed", "7", "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "Spring 1901" in told.out
    assert "Over." in told.out
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    # The channel's part ends before the players' begin: nobody's sheet is in it.
    public = page.split("id='p1'", 1)[0]
    assert "is over" in public
    assert "Your order sheet" not in public
    assert "Your order sheet" in page


@pytest.mark.parametrize(
    ("system", "dates"),
    [
        ("feudal", ({"year": 816}, {"year": 817})),
        ("kregen", ({"year": 2}, {"year": 3})),
        ("king_of_kings", ({"turn": 2}, {"turn": 3})),
        ("kalevala", ({"gr": 2}, {"gr": 3})),
    ],
)
def test_years_are_those_of_the_game_however_many_phases_they_have(
    system: str, dates: tuple[dict[str, int], ...]
) -> None:
    has_ended = _draw_after(read_plan([system, "--until-end", "--max-years", "2"]))
    tables = [
        SimpleNamespace(
            state=None,
            rules=SimpleNamespace(
                info=systems[SystemId(system)].info, play=SimpleNamespace(dump=lambda _, date=date: {"phase": date})
            ),
        )
        for date in dates
    ]
    assert [has_ended(SimpleNamespace(table=table)) for table in tables] == [False, True]  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_orders(tmp_path: Path) -> None:
    def results(name: str) -> list[str]:
        out = tmp_path / name
        assert main(["--until-end", "--max-years", "1", "--seed", "9", "--power", "italy", "--out", str(out)]) == 0
        page = (out / "index.html").read_text(encoding="utf-8")
        return sorted(set(re.findall(r"[AF] (?:ROM|VEN|NAP) (?:H|- \w+|S [^<&·]+)", page)))

    assert results("one") == results("two")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "there is no game called 'chess'"),
        (["--players", "9"], "is played by 2 to 7, not by 9"),
        (["--option", "dragons=yes"], "--option dragons=yes: write one of"),
        (["--scenario", "/nowhere/at/all"], "Diplomacy takes no scenarios"),
        (["king_of_kings", "--scenario", "/nowhere/at/all"], "No such file"),
        (["king_of_kings", "--scenario", __file__], "line 1, column 3: is not JSON: Extra data"),
        (["king_of_kings", "--scenario", WELLS, "--players", "3"], "the scenario is for 2, not for 3"),
        (["--max-years", "0"], "--max-years needs a number from 1"),
        (["--port", "99999999"], "--port needs a number up to 65535"),
        (["--database", "games.sqlite"], "--database: it can't be read; it looks like sqlite:///"),
        (["--level", "wild"], "choose from 'random', 'easy', 'fair', 'fair, cautious'"),
        (["--script", "/nowhere/at/all"], "No such file"),
        (["--frobnicate"], "unrecognized arguments"),
    ],
)
def test_a_wrong_command_line_is_told(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("name", "value"), [("LOG_LEVEL", "loud"), ("WORKERS", "many")])
def test_a_wrong_setting_is_told_in_one_line(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, value)
    assert main(["--until-end"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"play: {name}: Input should be")
    assert told.count("\n") == 1


def test_a_scenario_is_played_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["king_of_kings", "--scenario", WELLS, "--until-end", "--max-years", "2", "--seed", "1"]
    status = main([*arguments, "--out", str(tmp_path)])
    told = capsys.readouterr()
    assert status == 0, told.out + told.err
    assert told.err == ""
    assert "2 players begin" in told.out
    assert "The Wells of Saba" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_script_is_read_before_anything_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--script", script(tmp_path, "restart\nfrobnicate")]) == 2
    told = capsys.readouterr()
    assert "line 2: no command" in told.err
    assert told.out == ""


def test_a_power_that_nobody_has_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--power", "narnia", "--until-end", "--out", str(tmp_path)]) == 1
    assert "narnia" in capsys.readouterr().err.casefold()


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        ((), "Nobody has won."),
        (("anna",), "Winners: anna."),
        (("anna", "bert"), "Winners: anna, bert."),
        (("anna", "bert", "carl"), "Nobody has won: all who were left end it together."),
    ],
)
def test_the_last_line_names_winners_where_there_are_any(winners: tuple[str, ...], said: str) -> None:
    named = frozenset(map(PowerId, winners))
    assert _who_won(", ".join(winners), named, frozenset(map(PowerId, ("anna", "bert", "carl")))) == said
