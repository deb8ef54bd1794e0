"""A State never passes for a View, nor a View for a State: mypy holds it, in every function that a game offers.

Each function of a `GameSystem` is called once for each of its arguments with a State there, with a View and with an
Order, on lines of their own; mypy has to refuse all but those that are meant. An argument typed too widely (`Any`,
`object`) lets a line pass, and fails the test.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from mypy import api

from engine.core.facts import SystemInfo
from engine.core.orders import O
from engine.core.sight import S, V
from engine.core.system import GameSystem

_FACTS = (SystemInfo, str, bool, int)
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
        within = dict(zip(getattr(origin, "__parameters__", ()), map(known.get, get_args(hint)), strict=False))
        if origin is collections.abc.Callable:
            taken = [("", known.get(each)) for each in get_args(hint)[0]]
            yield from _calls(reached, taken)
        elif getattr(origin, "_is_protocol", False):
            yield from _calls(reached, _taken(origin, within))
        elif origin not in _FACTS:
            assert is_dataclass(origin), f"{reached} is neither a fact nor a function nor a record of functions"
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
