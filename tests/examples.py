"""How many examples `hypothesis` tries: a few in every run, which are the same ones, and many more in a search.

make test ARGS="--hypothesis-profile=search"
"""

from __future__ import annotations

from hypothesis import settings

SEARCH = "search"
IN_A_SEARCH = 10
"""So many times as many."""


def is_search() -> bool:
    """Whether this run looks for what nobody has tried yet, and may take its time."""
    return settings.get_current_profile_name() == SEARCH


def few(number: int) -> int:
    """So many examples, for `settings(max_examples=few(5))`; more in a search."""
    return number * IN_A_SEARCH if is_search() else number
