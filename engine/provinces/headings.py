"""Names of powers before orders: `Austria:`, `[austria]`, `Austrian`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.core.gazetteer import Gazetteer
from engine.core.ids import PowerId
from engine.core.variant import Variant
from engine.core.words import plain_words, tokens_of


def names_of_powers(variant: Variant) -> Mapping[str, PowerId]:
    """What powers are called, as plain words: their ids, names and demonyms."""
    demonyms: Mapping[str, str] = variant.settings.get("demonyms", {})
    return {
        " ".join(plain_words(name)): power.id
        for power in variant.powers.values()
        for name in (power.id, power.name, demonyms.get(power.id, power.name))
    }


class Headings:
    """Finds the power that a line begins with.

    Args:
        powers: by name, as plain words.
        kinds: the words for kinds of units, with which an order can begin.
    """

    def __init__(self, gazetteer: Gazetteer, powers: Mapping[str, PowerId], kinds: Collection[str]) -> None:
        self.gazetteer = gazetteer
        self.powers = powers
        self._kinds = kinds

    def heading(self, text: str) -> tuple[PowerId | None, int]:
        """The power with whose name a line begins, and where the rest begins."""
        tokens = tokens_of(text[:80])
        index = 1 if tokens and tokens[0].word == "/" else 0
        for length in (3, 2, 1):
            words = [token.word for token in tokens[index : index + length]]
            power = self.powers.get(" ".join(words))
            if power is None or len(words) < length:
                continue
            after = index + length
            following = tokens[after].word if after < len(tokens) else ":"
            if self.is_place(words) and following != ":" and following not in self._kinds:
                continue
            if after < len(tokens) and tokens[after].word == ":":
                after += 1
            return power, tokens[after].start if after < len(tokens) else len(text)
        return None, 0

    def is_place(self, words: Sequence[str]) -> bool:
        """Whether words that name a power are the whole name of a place too."""
        return self.gazetteer.match(words, 0)[0] == len(words)
