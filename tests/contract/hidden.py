"""What a viewer may not know: States that differ from a given one in nothing else.

Every game has a seed. A game with more secrets says in `tests/engine/<system>/hidden.py` what they are:

    def variants(state: State, viewer: Viewer) -> Iterator[State]

gives a few States that differ from this one only in what the viewer may not know: others' cards and numbers, what is
hidden, what was foretold. Orders that others have sent are in no State: the contract tests vary them without its help.
It is never called for a master who sees everything, from whom only the seed is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from bot.services.seeds import with_seed
from engine.core.viewer import MASTER, Viewer
from engine.registry import AnySystem, State
from tests import toy_fens, toy_system

Variants = Callable[[State, Viewer], Iterable[State]]

_TOYS = {"toy": toy_system, "fens": toy_fens}
WITH_MASTER = {"fens"}
"""Games whose rules have a game master who sees everything."""


def variants(rules: AnySystem, state: State, viewer: Viewer) -> Iterator[State]:
    """States that the viewer may not tell from this one."""
    yield rules.play.load(with_seed(rules.play.dump(state), "another seed"))
    if rules.info.has_secrets and not (viewer == MASTER and rules.info.id in WITH_MASTER):
        yield from own_variants(rules)(state, viewer)


def own_variants(rules: AnySystem) -> Variants:
    """What a game with secrets says of them.

    Raises:
        LookupError: it says nothing.
    """
    if rules.info.id in _TOYS:
        return cast(Variants, _TOYS[rules.info.id].variants)
    module = f"tests.engine.{rules.info.id}.hidden"
    if find_spec(f"tests.engine.{rules.info.id}") is None or find_spec(module) is None:
        path = module.replace(".", "/")
        raise LookupError(f"{rules.info.name} has secrets, but {path}.py is missing; tests/contract/hidden.py says why")
    return cast(Variants, import_module(module).variants)
