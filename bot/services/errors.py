"""A request that can't be granted. Services raise it; the person who asked is told in the catalogue's words.

Refused            the person can do something about it: what is wrong, and what to do instead
StorageUnavailable (`bot.ports`) the database is away: nothing was done, try again
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from engine.core.phrases import Phrase

LONGEST_PROBLEM = 400
"""The most characters of the rules' own explanation that a refusal quotes."""


class Refused(Exception):
    """A request not granted; nothing was changed.

    Args:
        what: why, for the one who asked and for nobody else.
        hint: what to do instead.
    """

    def __init__(self, what: Phrase, hint: Phrase | None = None) -> None:
        super().__init__(what.code)
        self.what = what
        self.hint = hint

    def __reduce__(self) -> tuple[type[Refused], tuple[Phrase, Phrase | None]]:
        # As it is passed back from a worker.
        return Refused, (self.what, self.hint)


def refused(code: str, /, **args: Any) -> Refused:
    """The refusal `refused.<code>`, its arguments by name, without a hint."""
    return Refused(Phrase(f"refused.{code}", args))


def refused_with(hint: Phrase | None, code: str, /, **args: Any) -> Refused:
    """The refusal `refused.<code>` and what to do instead."""
    return Refused(Phrase(f"refused.{code}", args), hint)


def shortened(text: str, most: int) -> str:
    """A text as a refusal quotes it: shortened, with an ellipsis if it goes on."""
    return text if len(text) <= most else f"{text[:most]}…"


def did_you_mean(written: str, known: Iterable[str]) -> Phrase | None:
    """The hint that names up to three known words like the written one; if there are none, all of a short list."""
    words = sorted(set(known))
    near = {word.casefold(): word for word in words}
    matches = get_close_matches(written.strip().casefold(), near, n=3, cutoff=0.6)
    if matches:
        return Phrase("refused.hint.did_you_mean", {"words": tuple(near[match] for match in matches)})
    if 0 < len(words) <= 12:
        return Phrase("refused.hint.one_of", {"words": tuple(words)})
    return None
