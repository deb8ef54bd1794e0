"""One name, one meaning: no public name is defined twice where both could be meant.

What all share has its names for itself. Games name what is theirs as they please (each has a `State`), but not as what
they share is called, nor one thing as another of the same game.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_GAMES = frozenset(
    f"engine/{name}" for name in ("diplomacy", "feudal", "kalevala", "king_of_kings", "kregen", "young_kingdoms")
) | {"engine/provinces/classic"}
_WITHOUT_PROVINCES = frozenset({"engine/kalevala", "engine/king_of_kings"})
_TWICE = frozenset({"State", "View", "Order"})
"""Each game's own, and in the registry any game's."""


def _part(path: str) -> str:
    """The game that a file belongs to; empty for what is shared."""
    return next((game for game in _GAMES if path.startswith(f"{game}/")), "")


def _names(tree: ast.Module) -> Iterator[str]:
    """The public classes and aliases of types; no variables of types."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not _makes_variable(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name) and _is_of_a_type(target.id))


def _makes_variable(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in {"TypeVar", "ParamSpec"}


def _is_of_a_type(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()


def _can_meet(one: str, other: str) -> bool:
    """Whether a reader could take a name of one file for that of another."""
    first, second = _part(one), _part(other)
    if first and second:
        return first == second
    shared, game = (one, second) if second else (other, first)
    return not (shared.startswith("engine/provinces/") and game in _WITHOUT_PROVINCES)


def test_a_name_means_one_thing() -> None:
    """Classes and aliases, over the engine, the bot and its commands."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in ("engine", "bot", "cogs"):
        for path in sorted((_ROOT / folder).rglob("*.py")):
            for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
                if not name.startswith("_") and name not in _TWICE:
                    found[name].append(str(path.relative_to(_ROOT)))
    twice = {name: pair for name, files in found.items() for pair in combinations(files, 2) if _can_meet(*pair)}
    assert not twice


@pytest.mark.parametrize(
    ("one", "other", "can"),
    [
        ("bot/model.py", "bot/ports.py", True),
        ("bot/model.py", "engine/kregen/model.py", True),
        ("engine/kregen/model.py", "engine/kregen/menu.py", True),
        ("engine/kregen/model.py", "engine/feudal/model.py", False),
        ("engine/provinces/orders.py", "engine/kregen/model.py", True),
        ("engine/provinces/orders.py", "engine/kalevala/orders.py", False),
    ],
)
def test_what_can_be_taken_for_another(one: str, other: str, can: bool) -> None:
    """Games don't meet; what they share is met by those that use it."""
    assert _can_meet(one, other) is can
