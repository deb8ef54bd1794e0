"""A State goes no farther than the services: what they answer holds none, and texts and commands see Views of it."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import bot.services
from bot.services.table import Table
from engine.registry import AnySystem, State

_ROOT = Path(__file__).parents[2]
_BEYOND = ("bot/text", "bot/render", "cogs")


def _services() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Everything public that is done for somebody."""
    for found in pkgutil.iter_modules(bot.services.__path__):
        module = import_module(f"bot.services.{found.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                takes = inspect.signature(function).parameters
                if "user_id" in takes and "context" in takes:
                    yield f"{found.name}.{name}", function


def _held(hint: Any, seen: set[Any]) -> Iterator[Any]:
    """A type, and all that values of it are made of; a game itself holds no State, though it takes them."""
    if hint in seen or hint == AnySystem:
        return
    seen.add(hint)
    yield hint
    for part in get_args(hint):
        if not isinstance(part, list):
            yield from _held(part, seen)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint)
        for field in fields(hint):
            yield from _held(hints[field.name], seen)


def test_what_services_answer_holds_no_state() -> None:
    answers = {name: get_type_hints(function).get("return") for name, function in _services()}
    assert len(answers) > 40
    holding = {name for name, answer in answers.items() if {State, Table} & set(_held(answer, set()))}
    assert holding == set()


def _loose_states(tree: ast.AST) -> Iterator[int]:
    """Lines on which the state of something is given to anything but `play` and `sight.view`, or kept."""
    given = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for argument in call.args
        if ast.unparse(call.func).endswith(".sight.view") or ".play." in ast.unparse(call.func)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "state" and id(node) not in given:
            yield node.lineno


def test_texts_and_commands_ask_a_state_for_nothing_but_views() -> None:
    loose = {
        f"{path.relative_to(_ROOT)}:{line}"
        for folder in _BEYOND
        for path in (_ROOT / folder).rglob("*.py")
        for line in _loose_states(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert loose == set()


def test_a_state_that_goes_astray_is_found() -> None:
    assert list(_loose_states(ast.parse("rules.sight.view(table.state, viewer)"))) == []
    assert list(_loose_states(ast.parse("rules.telling.report(table.state)"))) == [1]
    assert {State, Table} <= set(_held(dict[str, tuple[Table | None, ...]], set()))
