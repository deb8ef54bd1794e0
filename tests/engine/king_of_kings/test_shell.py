"""King of Kings from a shell: the JSON of results and errors, empty sheets, and what a check says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.answers import answer_line
from engine.cli import DONE, REFUSED, main
from engine.king_of_kings.system import KING_OF_KINGS

GAME: dict[str, Any] = {
    "system": "king_of_kings",
    "seed": "shell",
    "phase": {"turn": 4},
    "state": {
        "map": ["PP~P", "PP~P"],
        "nations": [{"name": "red", "gold": 13}, {"name": "blue", "missed": 1}],
        "provinces": [
            {"x": 0, "y": 0, "units": {"red": {"F": 2}}},
            {"x": 1, "y": 0, "owner": "red"},
            {"x": 3, "y": 0, "units": {"blue": {"F": 1}}},
            {"x": 3, "y": 1, "owner": "blue"},
        ],
    },
}
SHEET = ["PLA 0 0 FO 9 9 FO", "attack!", "LAND 0 0 AT S", "BUILD 1 0", "DEF 1 0 C"]


def answer(orders: object) -> dict[str, Any]:
    """What `batch` answers for orders of the game."""
    return answer_line(json.dumps({"game": GAME, "orders": orders}).encode())


def test_results_have_an_entry_for_each_remark_and_errors_repeat_the_errors() -> None:
    told = answer({"red": SHEET, "blue": []})
    assert [(row["nation"], row["line"], row["part"], row["code"], row["level"]) for row in told["results"]] == [
        ("red", 0, None, "W08", "warning"),
        ("red", 1, 2, "E03", "error"),
        ("red", 2, None, "E01", "error"),
        ("red", 3, None, "W07", "warning"),
        ("red", 4, None, "E06", "error"),
        ("red", 5, None, "ok", "ok"),
    ]
    keys = {"nation", "line", "part", "order", "code", "codes", "level", "text"}
    assert all(set(row) == keys and row["codes"] == [row["code"]] for row in told["results"])
    assert told["results"][1]["order"] == "PLA 0 0 FO 9 9 FO"
    assert told["results"][4]["text"] == "not enough gold: it takes 12, there is 7."
    assert [(row["power"], row["line"], row["text"], row["code"], row["message"]) for row in told["errors"]] == [
        ("red", 1, "PLA 0 0 FO 9 9 FO", "E03", "9/9 is off the map."),
        ("red", 2, "attack!", "E01", "“ATTACK!” is not the keyword of an order."),
        ("red", 4, "BUILD 1 0", "E06", "not enough gold: it takes 12, there is 7."),
    ]
    assert told["game"]["phase"] == {"turn": 5}
    assert told["dislodged"] == []


@pytest.mark.parametrize("sheet", [[], "", "BEGIN\nEND", ["pass"]])
def test_empty_sheet_is_a_sheet(sheet: object) -> None:
    assert _missed(answer({"red": [], "blue": sheet})) == {"red": 0, "blue": 0}


def test_lines_are_numbered_as_they_were_sent() -> None:
    """In a list its entries, in a text all its lines, headings and those of others too. Source: ruling K-81"""
    by_list = {"red": ["", "DEF 0 0 F", "; no order", "oops"], "blue": ["BEGIN", "DEF 3 1 C", "END"]}
    assert _numbers(answer(by_list)) == ([("red", 2), ("red", 4), ("blue", 2)], [("red", 4)])
    by_text = {name: "\n".join(lines) for name, lines in by_list.items()}
    assert _numbers(answer(by_text)) == _numbers(answer(by_list))
    together = f"[red]\n{by_text['red']}\n[blue]\n{by_text['blue']}\n[red]\nDEF 1 0 U\n"
    numbers = [("red", 3), ("red", 5), ("red", 11), ("blue", 8)]
    assert _numbers(answer(together)) == (numbers, [("red", 5)])


def _numbers(told: dict[str, Any]) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Nation and line of each entry about a line, and of each error."""
    entries = [(row["nation"], row["line"]) for row in told["results"] if row["line"]]
    return entries, [(row["power"], row["line"]) for row in told["errors"]]


@pytest.mark.parametrize(("sheet", "entries"), [("PASS", [1]), ("BEGIN\nPASS\nEND", [2]), ("BEGIN\nEND", []), ("", [])])
def test_pass_has_an_entry_and_an_empty_sheet_has_none(sheet: str, entries: list[int]) -> None:
    """Source: ruling K-80."""
    rows = [row for row in answer({"blue": sheet})["results"] if row["nation"] == "blue"]
    assert [(row["line"], row["part"], row["order"], row["code"], row["level"]) for row in rows] == [
        (line, None, "PASS", "ok", "ok") for line in entries
    ]


def test_nation_that_is_not_named_sent_none() -> None:
    assert _missed(answer({"blue": []})) == {"red": 1, "blue": 0}
    assert _missed(answer({})) == {"red": 1, "blue": 2}


def test_heading_alone_is_an_empty_sheet() -> None:
    assert _missed(answer("[red]\n[BLUE]\nDEF 3 1 F\n")) == {"red": 0, "blue": 0}


def _missed(told: dict[str, Any]) -> dict[str, int]:
    return {row["name"]: row["missed"] for row in told["game"]["state"]["nations"]}


def test_nation_may_be_called_by_its_number() -> None:
    """Section 4.1: a player is given by number or name; a nation named like a number comes first (K-75)."""
    told = answer({"2": ["DEF 3 1 C"], "RED": []})
    assert [(row["nation"], row["line"], row["code"]) for row in told["results"] if row["line"]] == [("blue", 1, "ok")]
    told = answer("[2]\nDEF 3 1 C\n[1]\nDEF 1 0 F\n")
    assert [(row["nation"], row["line"]) for row in told["results"] if row["line"]] == [("red", 4), ("blue", 2)]


def test_orders_of_nobody_are_named() -> None:
    told = answer({"green": ["DEF 0 0 F"], "red": ["DEF 0 0 F", 7]})
    assert [(row["power"], row["line"], row["code"]) for row in told["errors"]] == [
        ("green", 0, "unknown_power"),
        ("red", 2, "not_text"),
    ]


def test_check_gives_a_line_for_each_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, sheet = tmp_path / "game.json", tmp_path / "sheet.txt"
    game.write_text(json.dumps(GAME), encoding="utf-8")
    sheet.write_bytes("\r\n".join(SHEET).encode("utf-16"))
    assert main(["check", str(game), str(sheet), "--power", "red"]) == REFUSED
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "1:1: E03: 9/9 is off the map.",
        "2:1: E01: “ATTACK!” is not the keyword of an order.",
        "ok: LAND 0 0 AT S; ends in 0/1",
        "4:1: E06: not enough gold: it takes 12, there is 7. (likely; others may change it)",
        "ok: DEF 1 0 C",
    ]
    assert [line.partition(": W0")[0] for line in told.err.splitlines()[:2]] == ["warning: line 0", "warning: line 3"]
    sheet.write_text("DEF 1 0 C", encoding="utf-8")
    assert main(["check", str(game), str(sheet), "--power", "red", "--json"]) == DONE
    row = json.loads(capsys.readouterr().out)
    assert row["orders"] == [{"line": 1, "order": "DEF 1 0 C"}]
    assert [(each["line"], each["code"]) for each in row["forecast"]] == [(0, "W08"), (1, "ok")]


def test_adjudication_tells_each_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, sheet = tmp_path / "game.json", tmp_path / "sheet.json"
    game.write_text(json.dumps(GAME), encoding="utf-8")
    sheet.write_text(json.dumps({"red": ["DEF 1 0 C"], "blue": []}), encoding="utf-8")
    assert main(["adjudicate", str(game), str(sheet)]) == DONE
    told = capsys.readouterr()
    assert json.loads(told.out)["phase"] == {"turn": 5}
    assert "red 1: DEF 1 0 C: ok (carried out)" in told.err.splitlines()


def test_new_game_can_be_sheeted_and_adjudicated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "king_of_kings", "--players", "3", "--seed", "s", "--option", "end_turn=1"]) == DONE
    document = capsys.readouterr().out
    game = tmp_path / "game.json"
    game.write_text(document, encoding="utf-8")
    name = json.loads(document)["state"]["nations"][0]["name"]
    assert main(["sheet", str(game), "--power", name]) == DONE
    assert "BEGIN" in capsys.readouterr().out.splitlines()
    told = answer_line(json.dumps({"game": json.loads(document), "orders": {}}).encode())
    assert told["game"]["phase"] == {"turn": 1, "ended": True}
    assert told["game"]["state"]["result"]["reason"] == "end_turn"
    assert told["game"]["over"]["winners"] == told["game"]["state"]["result"]["winners"]


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("SEA 0 0 IN TR BA E", "an order can sail only one kind of transport, but names transport and barge in 0/0."),
        ("SEA 0 0 IN EN TR 2 E", "the engineer in 0/0 can't be carried: only troops that can serve as crew go aboard."),
        ("SEA 0 0 IN 2 E", "no ships are named in 0/0 to carry the troops."),
        ("SEA 0 0 IN 4 TR 2 E", "the ships in 0/0 have no room for 2 of the units named."),
    ],
)
def test_a_load_that_cannot_be_carried_says_why(order: str, why: str) -> None:
    """Source: rules 2.1"""
    troops = [
        {"name": "infantry", "symbol": "I", "land_move": 2, "casualty_land": 1, "flags": ["crew"]},
        {"name": "transport", "symbol": "T", "sea_move": 5, "casualty_sea": 2, "flags": ["transport"]},
        {"name": "barge", "symbol": "B", "sea_move": 2, "casualty_sea": 4, "flags": ["transport"]},
        {"name": "engineer", "symbol": "E", "land_move": 1, "casualty_land": 3},
    ]
    units = {"red": {"I": 4, "T": 2, "B": 1, "E": 1}}
    state = {**GAME["state"], "troops": troops, "map": ["P~P"], "provinces": [{"x": 0, "y": 0, "units": units}]}
    game = {"game": {**GAME, "state": state}, "orders": {"red": [order]}}
    results = answer_line(json.dumps(game).encode())["results"]
    assert [(row["code"], row["text"]) for row in results if row["line"] == 1] == [("E17", why)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"controller": "monsters"}, "No orders are accepted from Blue: out of the game, or played by nobody."),
        ({"eliminated": 2}, "No orders are accepted from Blue: out of the game, or played by nobody."),
    ],
)
def test_a_check_says_that_nobody_reads_the_sheet(
    changes: dict[str, object], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, sheet = tmp_path / "game.json", tmp_path / "sheet.txt"
    state = {**GAME["state"], "nations": [{"name": "red"}, {"name": "blue", **changes}]}
    game.write_text(json.dumps({**GAME, "state": state}), encoding="utf-8")
    sheet.write_text("DEF 3 0 C", encoding="utf-8")
    assert main(["check", str(game), str(sheet), "--power", "blue"]) == REFUSED
    assert capsys.readouterr().out.splitlines() == [told]
    assert main(["check", str(game), str(sheet), "--power", "blue", "--json"]) == REFUSED
    assert json.loads(capsys.readouterr().out)["unread"] == told


def test_names_are_matched_as_a_reader_would_without_case() -> None:
    """Nobody writes a capital `ß`; so `SS` is the same name, and it is shown as it was given."""
    state = {"map": ["PP"], "nations": [{"name": "ß", "status": {"ΣΑΣ": 1}}, {"name": "σας"}]}
    provinces = [{"x": 0, "y": 0, "units": {"SS": {"F": 2}}}, {"x": 1, "y": 0, "owner": "Σας"}]
    game = {**GAME, "state": {**state, "provinces": provinces}}
    told = answer_line(json.dumps({"game": game, "orders": {"ẞ": ["DON ΣΑΣ 1", "DEF 0 0 C"], "σας": []}}).encode())
    assert [(row["nation"], row["code"]) for row in told["results"] if row["nation"] == "ß"] == [
        ("ß", "E08"), ("ß", "ok")
    ]  # fmt: skip
    assert {nation["name"] for nation in told["game"]["state"]["nations"]} == {"ß", "σας"}


def test_two_names_that_differ_in_case_alone_are_one() -> None:
    game = {**GAME, "state": {"map": ["PP"], "nations": [{"name": "straße"}, {"name": "STRASSE"}]}}
    told = answer_line(json.dumps({"game": game, "orders": {}}).encode())
    assert "two nations 'STRASSE': 'straße' is the same without case" in told["error"]


def test_no_name_is_shown_as_another() -> None:
    names = [{"name": "ß"}, {"name": "ŉoro"}, {"name": "red"}]
    state = KING_OF_KINGS.play.load({**GAME, "state": {"map": ["PP"], "nations": names}})
    powers = KING_OF_KINGS.play.variant(state).powers.values()
    assert [power.name for power in powers] == ["ß", "ŉoro", "Red"]


def test_a_turn_as_the_bot_posts_it_is_taken_for_its_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`turn.json`: what a player has of the game at home."""
    position = {key: value for key, value in GAME.items() if key not in ("seed", "dice")}
    turn, sheet = tmp_path / "turn.json", tmp_path / "sheet.txt"
    turn.write_text(json.dumps({"phase": "T3", "results": [], "events": [], "position": position}), encoding="utf-8")
    sheet.write_text("PLA 0 0 FO", encoding="utf-8")
    assert main(["check", str(turn), str(sheet), "--power", "red"]) == DONE
    assert capsys.readouterr().out.startswith("ok: PLA 0 0 FO")
