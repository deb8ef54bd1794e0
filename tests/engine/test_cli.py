"""Tests of `python -m engine`: the commands that people script against."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from tests.positions import dense_phase

Shell = pytest.CaptureFixture[str]

ORDERS = """\
# what everybody wants
[austria]
A BUD - SER
A VIE - GALL    # a slip
F TRI - ALB

[Turkey]
A CON - BUL
A SMY - ROM
"""


@pytest.fixture
def game(tmp_path: Path, capsys: Shell) -> str:
    assert main(["new", "diplomacy", "--seed", "s"]) == 0
    return write(tmp_path, "game.json", capsys.readouterr().out)


@pytest.fixture
def orders(tmp_path: Path) -> str:
    return write(tmp_path, "orders.txt", ORDERS)


def write(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def feed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def batch(monkeypatch: pytest.MonkeyPatch, capsys: Shell, *lines: str | bytes) -> list[dict[str, Any]]:
    feed(monkeypatch, b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    assert main(["batch"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_systems_are_listed_for_people_and_for_scripts(capsys: Shell) -> None:
    assert main(["systems"]) == 0
    assert "diplomacy" in capsys.readouterr().out
    assert main(["systems", "--json"]) == 0
    [row] = [row for row in json.loads(capsys.readouterr().out) if row["id"] == "diplomacy"]
    assert row["name"] == "Diplomacy"
    assert 7 in row["players"]
    assert row["line"]


def test_a_new_game_is_a_document(capsys: Shell) -> None:
    assert main(["new", "diplomacy", "--players", "7", "--seed", "abc", "--option", "victory_centres=20"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["system"], document["seed"]) == (1, "diplomacy", "abc")
    assert document["options"]["victory_centres"] == 20
    assert document["phase"] == {"year": 1901, "season": "spring", "kind": "movement"}


def test_games_without_a_seed_get_different_ones(capsys: Shell) -> None:
    seeds = set()
    for _ in range(2):
        main(["new", "diplomacy"])
        seeds.add(json.loads(capsys.readouterr().out)["seed"])
    assert len(seeds) == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["new", "chess"], "chess"),
        (["new", "diplomacy", "--players", "12"], "players"),
        (["new", "diplomacy", "--option", "colour=red"], "colour"),
        (["new", "diplomacy", "--option", "victory_centres=many"], "victory_centres"),
        (["new", "diplomacy", "--option", "victory_centres"], "NAME=VALUE"),
        (["new", "diplomacy", "--variant", "moon"], "moon"),
    ],
)
def test_a_game_that_cannot_be_made_gets_one_clear_line(capsys: Shell, arguments: list[str], problem: str) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    [line] = output.err.splitlines()
    assert problem in line


def test_a_sheet_shows_the_board_the_legal_orders_and_a_template(capsys: Shell, game: str) -> None:
    assert main(["sheet", game, "--power", "Austria"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  A BUD - SER" in lines
    assert lines[-4:] == [
        "[austria]",
        "A BUD …  # GAL RUM SER TRI VIE",
        "F TRI …  # ADR ALB VEN",
        "A VIE …  # BOH BUD GAL TRI TYR",
    ]


def test_check_tells_each_order_and_ends_with_1_if_one_is_refused(capsys: Shell, game: str, orders: str) -> None:
    assert main(["check", game, orders, "--power", "austria"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok: A BUD - SER",
        '4:9: unknown_province: There is no place called "GALL". (did you mean A VIE - GAL?)',
        "ok: F TRI - ALB",
    ]


def test_check_ends_with_0_if_nothing_is_refused(capsys: Shell, tmp_path: Path, game: str) -> None:
    good = write(tmp_path, "good.txt", "a bud-ser\nF TRI H\nA VIE S A BUD - GAL\n")
    assert main(["check", game, good, "--power", "AUSTRIA"]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines() == ["ok: A BUD - SER", "ok: F TRI H", "ok: A VIE S A BUD - GAL"]
    assert output.err.startswith("warning: line 3: ")


def test_check_as_json(capsys: Shell, game: str, orders: str) -> None:
    assert main(["check", game, orders, "--power", "turkey", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["orders"] == [{"line": 8, "order": "A CON - BUL"}]
    [error] = answer["errors"]
    assert (error["line"], error["column"], error["code"]) == (9, 9, "no_convoy_route")
    assert answer["missing"] == ["F ANK", "A SMY"]


def test_orders_may_be_json(capsys: Shell, tmp_path: Path, game: str) -> None:
    text = json.dumps({"AUSTRIA": ["A BUD - SER", "A VIE - GALL"], "turkey": "A CON - BUL\nA SMY - CON", "mars": []})
    assert main(["adjudicate", game, write(tmp_path, "orders.json", text), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(error["power"], error["line"], error["code"]) for error in answer["errors"]] == [
        ("mars", 0, "unknown_power"),
        ("austria", 2, "unknown_province"),
    ]
    units = {(unit["power"], unit["at"]) for unit in answer["game"]["state"]["units"]}
    assert {("austria", "SER"), ("turkey", "BUL"), ("turkey", "CON")} <= units


def test_adjudicate_gives_the_next_game_and_tells_the_rest_on_standard_error(
    capsys: Shell, game: str, orders: str
) -> None:
    assert main(["adjudicate", game, orders]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["phase"] == {"year": 1901, "season": "fall", "kind": "movement"}
    told = output.err.splitlines()
    assert "austria: A BUD - SER: succeeds (it moved)" in told
    assert any(line.startswith("austria: 4:9: unknown_province: ") for line in told)


def test_a_refused_order_is_invalid_in_the_results_and_an_entry_among_the_errors(
    capsys: Shell, game: str, orders: str
) -> None:
    assert main(["adjudicate", game, orders, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) >= {"game", "results", "events", "dislodged", "errors"}
    [row] = [row for row in answer["results"] if row["order"].startswith("A SMY")]
    assert (row["power"], row["order"], row["outcome"]) == ("turkey", "A SMY - ROM", "invalid")
    [slip, far] = answer["errors"]
    assert (slip["power"], slip["line"], slip["text"], slip["hint"]) == (
        "austria", 4, "A VIE - GALL    # a slip", "A VIE - GAL",
    )  # fmt: skip
    assert (far["power"], far["line"], far["code"]) == ("turkey", 9, "no_convoy_route")


def test_unknown_headings_and_lines_without_one_are_errors_of_their_own(
    capsys: Shell, tmp_path: Path, game: str
) -> None:
    text = "; no order\nA BUD - SER\n[mars]\nA OLY - UTO\n[austria]\nA VIE - GAL\n"
    assert main(["adjudicate", game, write(tmp_path, "o.txt", text), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(error["power"], error["line"], error["code"]) for error in answer["errors"]] == [
        (None, 2, "no_heading"),
        (None, 3, "unknown_power"),
    ]
    assert ("austria", "GAL") in {(unit["power"], unit["at"]) for unit in answer["game"]["state"]["units"]}


def test_a_dash_is_standard_input(capsys: Shell, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    feed(monkeypatch, ORDERS)
    assert main(["check", game, "-", "--power", "turkey"]) == 1
    assert capsys.readouterr().out.startswith("ok: A CON - BUL\n")
    assert main(["adjudicate", "-", "-"]) == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"[]", "JSON object"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"{}", "system"),
        (b'{"system": "go"}', "go"),
        (b'{"system": "diplomacy", "state": 5}', "state"),
        (b'{"system": "diplomacy", "state": {"units": [{"power": "austria", "kind": "A", "at": "XXX"}]}}', "units[0]"),
    ],
)
def test_a_broken_game_gets_one_clear_line(capsys: Shell, tmp_path: Path, content: bytes, problem: str) -> None:
    assert main(["sheet", write(tmp_path, "g.json", content), "--power", "austria"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    [line] = output.err.splitlines()
    assert problem in line


def test_a_missing_file_an_unknown_power_and_broken_orders_get_one_clear_line(
    capsys: Shell, tmp_path: Path, game: str
) -> None:
    for arguments in (
        ["sheet", str(tmp_path / "none.json"), "--power", "austria"],
        ["sheet", str(tmp_path), "--power", "austria"],
        ["sheet", game, "--power", "mars"],
        ["adjudicate", game, write(tmp_path, "o.json", '{"austria": ')],
    ):
        assert main(arguments) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_batch_answers_each_line_and_a_bad_one_stops_nothing(
    capsys: Shell, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    document = json.loads(Path(game).read_text(encoding="utf-8"))
    answers = batch(
        monkeypatch,
        capsys,
        json.dumps({"game": document, "orders": {"austria": ["A BUD - SER", 5]}}),
        "nonsense",
        b"\xff\xfe",
        "[]",
        '{"game": 5}',
        '{"game": {"system": "diplomacy", "phase": "soon"}}',
        json.dumps({"game": document, "orders": "[austria]\nA BUD - SER"}),
        json.dumps({"game": document}),
        json.dumps({"game": document, "orders": 7}),
    )
    assert ["error" in answer for answer in answers] == [False, True, True, True, True, True, False, False, True]
    assert [error["code"] for error in answers[0]["errors"]] == ["not_text"]
    assert ("austria", "SER") in {(unit["power"], unit["at"]) for unit in answers[6]["game"]["state"]["units"]}


def test_batch_gives_what_adjudicate_gives(capsys: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    phase = dense_phase(5)
    game = write(tmp_path, "g.json", json.dumps(phase.document()))
    orders = json.dumps(phase.sheets)
    assert main(["adjudicate", game, write(tmp_path, "o.json", orders), "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert batch(monkeypatch, capsys, json.dumps({"game": phase.document(), "orders": phase.sheets})) == [alone]
    assert len(alone["results"]) == 34


def test_what_a_viewer_may_know_has_the_form_of_a_game(capsys: Shell, tmp_path: Path) -> None:
    assert main(["new", "young_kingdoms", "--seed", "s"]) == 0
    document = json.loads(capsys.readouterr().out)
    document["state"] = {"hands": {"melnibone": [1, 4, 9], "ilmiora": [2]}, "hidden": {"JAD": 7}}
    game = write(tmp_path, "game.json", json.dumps(document))
    seen = {}
    for viewer in ("Melnibone", "everybody", "MASTER"):
        assert main(["view", game, "--power", viewer]) == 0
        seen[viewer] = json.loads(capsys.readouterr().out)
    assert seen["Melnibone"]["state"]["hands"] == {"melnibone": [1, 4, 9]}
    assert seen["everybody"]["state"]["hands"] == {}
    assert seen["MASTER"] == seen["everybody"], "the game has no master who sees all"
    for view in seen.values():
        assert view["system"] == "young_kingdoms"
        assert not view.keys() & {"seed", "dice"}
    assert main(["view", game, "--power", "nobody"]) == 2
    assert "there is no 'nobody'" in capsys.readouterr().err


def test_batch_views_and_checks(capsys: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = {"system": "kregen"}
    orders = {"zair": ["A ZAM H", "", "jibberish", "A ZAM H"], "magdag": ["nothing"]}
    requests = (
        {"game": game, "view": "zair"},
        {"game": game, "view": "nobody"},
        {"game": game, "orders": orders, "check": "zair"},
        {"game": game, "orders": orders["zair"], "check": "zair"},
        {"game": game, "orders": orders, "check": "nobody"},
    )
    view, no_view, verdict, alone, no_check = batch(monkeypatch, capsys, *map(json.dumps, requests))
    path = write(tmp_path, "game.json", json.dumps(game))
    assert main(["view", path, "--power", "zair"]) == 0
    assert view == {"view": json.loads(capsys.readouterr().out)}
    sheet = write(tmp_path, "orders.json", json.dumps({"zair": orders["zair"]}))
    assert main(["check", path, sheet, "--power", "zair", "--json"]) == 1
    assert verdict == json.loads(capsys.readouterr().out) == alone
    assert no_view["error"].startswith("view: there is no 'nobody'")
    assert no_check["error"].startswith("check: there is no 'nobody'")


def test_check_tells_of_every_line_with_codes(capsys: Shell, tmp_path: Path) -> None:
    game = write(tmp_path, "game.json", json.dumps({"system": "diplomacy"}))
    orders = write(tmp_path, "orders.txt", "A BUD - SER\n# a comment\n\nA VIE S A BUD - RUM\nA ROM H\nrubbish\n")
    assert main(["check", game, orders, "--power", "austria", "--json"]) == 1
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert [(row["line"], row["outcome"]) for row in lines] == [
        (1, "ok"), (4, "refused"), (5, "refused"), (6, "refused"),
    ]  # fmt: skip
    assert all(row["codes"] for row in lines[1:])
    assert lines[0] == {
        "line": 1, "text": "A BUD - SER", "orders": ["A BUD - SER"], "outcome": "ok", "codes": [],
    }  # fmt: skip


def test_rows_of_events_results_and_rolls(capsys: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    game = {
        "system": "kregen", "seed": "s", "dice": {"duel/ZY": 41},
        "phase": {"year": 2, "season": "spring", "kind": "movement"},
        "state": {"units": [{"power": "zair", "kind": "H", "at": "ZY"}, {"power": "magdag", "kind": "H", "at": "ZY"}]},
    }  # fmt: skip
    orders = {"zair": ["duel H ZY 40 kill", "A MAG H"]}
    (answer,) = batch(monkeypatch, capsys, json.dumps({"game": game, "orders": orders}))
    (duel,) = (event for event in answer["events"] if event["code"].startswith("event.duel"))
    assert duel["to"] == "all"
    assert duel["args"] | {"place": "ZY", "drawn": 41} == duel["args"]
    assert duel["text"].startswith("Duel in")
    assert answer["rolls"] == [
        {"stream": "duel/ZY", "n": 1, "dice": [41], "sum": 41, "for": answer["rolls"][0]["for"]},
    ]
    assert "number" in answer["rolls"][0]["for"]
    assert all(isinstance(row["codes"], list) and row["codes"] for row in answer["results"])


def test_forced_dice_that_cannot_fall_are_refused_with_their_place(
    capsys: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    nations = [{"name": "red"}, {"name": "blue"}]
    state = {"map": ["CC"], "nations": nations,
             "provinces": [{"x": 0, "y": 0, "owner": "red"}, {"x": 1, "y": 0, "owner": "blue"}]}  # fmt: skip
    kings = {"system": "king_of_kings", "state": state}
    forced = ({"nmr/red": [9]}, {"order": [7]}, {"build/0,0": [101]}, {"nmr/red": [[1, 2, 3]]})
    requests = [json.dumps({"game": {**kings, "dice": dice}, "orders": {}}) for dice in forced]
    kregen = {"system": "kregen", "dice": {"duel/ZY": 101}}
    answers = batch(monkeypatch, capsys, *requests, json.dumps({"game": kregen}))
    assert [answer["error"] for answer in answers] == [
        "dice.nmr/red[0]: 9 is not from 1 to 5",
        "dice.order[0]: no nation has the number 7",
        "dice.build/0,0[0]: 101 is not from 1 to 100",
        "dice.nmr/red[0]: are several dice where one is rolled",
        "dice.duel/ZY: 101 is not from 0 to 100",
    ]


def test_a_game_of_many_phases_can_be_played_through_the_shell(capsys: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    document: dict[str, Any] = {"system": "diplomacy", "options": {"last_year": 1903}}
    for _ in range(30):
        [answer] = batch(monkeypatch, capsys, json.dumps({"game": document, "orders": {}}))
        document = answer["game"]
        if "over" in document:
            break
    assert set(document["over"]) >= {"winners", "why"}
    [after] = batch(monkeypatch, capsys, json.dumps({"game": document, "orders": {"austria": ["A BUD - SER"]}}))
    assert after.get("error") or after["errors"][0]["code"] == "game_over"


def test_the_module_runs_as_a_program() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "engine", "new", "chess"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


def test_halves_of_characters_cost_no_other_line_of_a_batch(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: Shell
) -> None:
    """JSON can hold them, as escapes; no encoding takes them."""
    position = json.loads(Path(game).read_text())
    answers = batch(
        monkeypatch,
        capsys,
        json.dumps({"game": position, "orders": {"austria": ["A BUD\ud800 - SER", "A VIE - \udfff"]}}),
        json.dumps({"game": {**position, "seed": "\ud800"}, "orders": {}}),
        json.dumps({"game": {**position, "system": "\ud800"}}),
        json.dumps({"game": position, "orders": {"\ud800": ["A BUD H"]}}),
    )
    assert answers[0]["errors"][-1]["text"] == "A VIE - \udfff"
    assert answers[1]["game"]["seed"] == "\ud800"
    assert "system" in answers[2]["error"]
    assert [error["code"] for error in answers[3]["errors"]] == ["unknown_power"]


@pytest.mark.parametrize("number", ["²", "--5", "5-", "9" * 5000, "1_0", "٣"])
def test_an_option_that_is_no_number_is_refused(number: str, capsys: Shell) -> None:
    assert main(["new", "diplomacy", f"--option=victory_centres={number}"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
