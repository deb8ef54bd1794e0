"""Every refusal and notice that the services make has words, with all that the words want; and no words are idle."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import bot.services
from bot.services.post import UNNAMED
from engine.core.variant import load_phrases

FOLDER = Path(bot.services.__file__).parent
TABLES = ("refused.", "notice.", "agreed.", "intervention.")
# Composed of the game's status.
LINES = {f"notice.line.{status}" for status in ("lobby", "cancelled", "running", "paused", "over", "won")}
# Composed of why a phase closed.
CLOSES = {"intervention.game_master", "intervention.ended"}
# Still told of by games that version 0.1.0 began.
OLD = {"notice.seat_open", "intervention.seat_open", "intervention.seat_taken"}


def _codes_made() -> Iterator[tuple[str, frozenset[str]]]:
    """Code and names of arguments of every phrase that is made in the services."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from _codes_of_call(node)


def _codes_of_call(call: ast.Call) -> Iterator[tuple[str, frozenset[str]]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    position, prefixes = {
        "refused": (0, ["refused."]),
        "refused_with": (1, ["refused."]),
        "notice": (3, ["notice."]),
        "notice_to": (4, ["notice."]),
        "cut_short": (3, ["notice."]),
        "call_masters": (3, ["notice."]),
        "intervention": (3, ["notice.", "intervention."]),
        "phrase": (0, [""]),
        "Phrase": (0, [""]),
    }.get(name, (None, []))
    if name == "_tell_of_seat":
        yield from _codes_of_seat(call)
    if position is None or len(call.args) <= position:
        return
    arguments = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    if name == "Phrase" and len(call.args) > 1 and isinstance(call.args[1], ast.Dict):
        arguments |= {key.value for key in call.args[1].keys if isinstance(key, ast.Constant)}  # type: ignore[misc]
    code = call.args[position]
    for choice in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
        if isinstance(choice, ast.Constant):
            for prefix in prefixes:
                yield prefix + str(choice.value), frozenset(arguments)


def _codes_of_seat(call: ast.Call) -> Iterator[tuple[str, frozenset[str]]]:
    """What is told of a seat, with its players and without, and of a game master's doing in the report too."""
    code = call.args[3]
    assert isinstance(code, ast.Constant)
    assert isinstance(code.value, str)
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    users = frozenset(given) - {"by"}
    yield f"notice.{code.value}", users | {"power"}
    yield f"notice.{code.value}{UNNAMED}", frozenset({"power"})
    if not isinstance(given["by"], ast.Constant):
        yield f"intervention.{code.value}", frozenset({"power"})


def test_every_phrase_has_words_and_all_that_they_want() -> None:
    catalogue = load_phrases()
    made = {(code, names) for code, names in _codes_made() if code not in LINES}
    assert len(made) > 60
    for code, names in made:
        wanted = {name for _, name, _, _ in string.Formatter().parse(catalogue.template(code)) if name}
        assert wanted <= names, code


def test_no_words_are_idle() -> None:
    used = {code for code, _ in _codes_made()} | LINES | CLOSES | OLD
    idle = {code for code in load_phrases().codes if code.startswith(TABLES) and code not in used}
    assert not idle
