"""A State never passes for a View, nor a View for a State: mypy holds it, in every function that a game offers.

Each function of a `GameSystem` is called once for each of its arguments with a State there, with a View and with an
Order, on lines of their own; mypy has to refuse all but those that are meant. An argument typed too widely (`Any`,
`object`) lets a line pass, and fails the test.
"""

from __future__ import annotations

import ast
import collections.abc
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from mypy import api

from engine.core.facts import SystemInfo
from engine.core.orders import O
from engine.core.sight import S, V
from engine.core.system import GameSystem

_FACTS = (SystemInfo, str, bool, int)
ROOT = Path(__file__).resolve().parents[2]
OPAQUE = {"state": S, "view": V, "order": O}
HEAD = """
from typing import Any
from engine.registry import AnySystem, Order, State, View


def misuse(rules: AnySystem, state: State, view: View, order: Order, anything: Any) -> None:
"""


def test_mypy_refuses_a_state_where_a_view_belongs(tmp_path: Path) -> None:
    lines = list(_lines(GameSystem, {S: S, V: V, O: O}, "rules"))
    file = tmp_path / "misuse.py"
    file.write_text(HEAD + "\n".join(f"    {line}" for line, _ in lines), encoding="utf-8")
    told, wrong, _ = api.run([str(file), "--config-file=", f"--cache-dir={tmp_path / 'cache'}"])
    assert not wrong
    errors = {int(line.split(":")[1]) for line in told.splitlines() if f"{file.name}:" in line and ": error:" in line}
    refused = {line for number, (line, _) in enumerate(lines, HEAD.count("\n") + 1) if number in errors}
    assert refused == {line for line, is_right in lines if not is_right}
    assert len(refused) > 200


def _lines(record: type, known: Mapping[Any, Any], path: str) -> Iterator[tuple[str, bool]]:
    """Lines of code with a function's call or what goes before, and whether each is right."""
    hints = get_type_hints(record)
    for field in fields(record):
        hint, reached = hints[field.name], f"{path}.{field.name}"
        if get_origin(hint) in (Union, UnionType):
            yield f"assert {reached} is not None", True
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
        origin = get_origin(hint) or hint
        if origin is tuple:
            # A few of a kind: one speaks for all.
            hint, reached = get_args(hint)[0], f"{reached}[0]"
            origin = get_origin(hint) or hint
        elif origin is collections.abc.Mapping:
            hint, reached = get_args(hint)[1], f"{reached}['name']"
            origin = get_origin(hint) or hint
        within = dict(zip(getattr(origin, "__parameters__", ()), map(known.get, get_args(hint)), strict=False))
        if origin is collections.abc.Callable:
            taken = [("", known.get(each)) for each in get_args(hint)[0]]
            yield from _calls(reached, taken)
        elif getattr(origin, "_is_protocol", False):
            yield from _calls(reached, _taken(origin, within))
        elif origin not in _FACTS:
            assert is_dataclass(origin), f"{reached} is neither a fact nor a function nor a record of functions"
            assert isinstance(origin, type)
            yield from _lines(origin, within, reached)


def _taken(protocol: type, known: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """The arguments of a function with names: `limit=`, nothing where the place says it, and what belongs there."""
    call = protocol.__call__
    hints = get_type_hints(call)
    named = [each for each in signature(call).parameters.values() if each.name != "self"]
    return [
        (f"{each.name}=" if each.kind is Parameter.KEYWORD_ONLY else "", known.get(hints[each.name])) for each in named
    ]


def _calls(reached: str, taken: list[tuple[str, Any]]) -> Iterator[tuple[str, bool]]:
    for at, (_, wanted) in enumerate(taken):
        for given, kind in OPAQUE.items():
            values = [given if place == at else "anything" for place in range(len(taken))]
            written = ", ".join(f"{name}{value}" for (name, _), value in zip(taken, values, strict=True))
            yield f"{reached}({written})", wanted is kind


SEE_ALL = {
    "play": "the game itself",
    "sight": "what makes a View of it",
    "edits": "what a game master changes",
    "rulings": "what comes out otherwise because a game master who does not play has ruled so",
    "secret_choice": "what a game master chooses in secret",
    "seating": "what becomes of a power whose player has gone",
    "judgement": "what the computer tries out, in positions that it imagines from a View",
}
"""What may see the whole truth, and why."""


def test_nothing_that_tells_a_player_anything_takes_a_state() -> None:
    lines = _lines(GameSystem, {S: S, V: V, O: O}, "rules")
    calls = (re.fullmatch(r"rules\.(\w+).*\((.*)\)", line) for line, is_right in lines if is_right)
    taking = {call[1] for call in calls if call is not None and re.search(r"\bstate\b", call[2])}
    assert taking == SEE_ALL.keys()


@pytest.mark.parametrize("package", ["bot/text", "bot/render", "cogs"])
def test_words_pictures_and_commands_do_nothing_with_a_state_but_make_views_of_it(package: str) -> None:
    for file in (ROOT / package).rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call)]
        fine = {id(each) for call in calls if _makes_views(call) for each in call.args}
        states: list[ast.expr] = [
            each for each in ast.walk(tree) if isinstance(each, ast.Attribute) and each.attr == "state"
        ]
        loads = [call for call in calls if ast.unparse(call.func).endswith(".play.load")]
        states += [call for call in loads if not _is_returned(call, tree)]
        assert [f"{file}:{each.lineno}" for each in states if id(each) not in fine] == []


def _makes_views(call: ast.Call) -> bool:
    """Whether it makes a View of its argument, or asks the game itself what everybody knows of it."""
    return re.search(r"\.sight\.view$|\.play\.(status|variant|dump)$", ast.unparse(call.func)) is not None


def _is_returned(call: ast.Call, tree: ast.AST) -> bool:
    """Whether it is all that a function called `state` gives back."""
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "state")
    return any(isinstance(last := each.body[-1], ast.Return) and last.value is call for each in functions)
