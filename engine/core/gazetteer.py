"""Finds the places of a map in what people write: ids, names, aliases, beginnings of names, and near misses.

Works on words that `engine.core.words` has normalised (lower case, no accents). It says what a name could mean; which
of several is meant is for the caller to decide, who knows what is where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from typing import Any

from engine.core.ids import ProvinceId
from engine.core.variant import Space, Variant
from engine.core.words import plain_words

LEAST_LETTERS = 3
"""Shorter beginnings of a name mean nothing."""
_Search = Callable[[str], Iterable[tuple[Any, Any, int]]]
"""Finds the names spelled like a text: of each its distance and its number, nearest first."""


@dataclass(slots=True)
class _Node:
    """A node of the trie of names, one word an edge."""

    provinces: list[ProvinceId] = field(default_factory=list)
    next: dict[str, _Node] = field(default_factory=dict)


class Gazetteer:
    """All names of a map, whose spaces are in map order."""

    def __init__(self, spaces: Mapping[ProvinceId, Space]) -> None:
        self._order = {province: index for index, province in enumerate(spaces)}
        self._names: dict[ProvinceId, tuple[tuple[str, ...], ...]] = {
            space.id: _spellings((space.id, space.name, *space.aliases)) for space in spaces.values()
        }
        self._ids = {province.lower(): province for province in spaces}
        self._by_beginning: dict[str, list[tuple[tuple[str, ...], ProvinceId]]] = {}
        self._root = _Node()
        for province, names in self._names.items():
            for name in names:
                self._add(name, province)
                for letters in range(1, min(len(name[0]), LEAST_LETTERS) + 1):
                    self._by_beginning.setdefault(name[0][:letters], []).append((name, province))
        self._could_become = lru_cache(maxsize=16384)(self._find_could_become)
        self._near = lru_cache(maxsize=4096)(self._find_near)
        self._search = cache(self._find_search)
        self._beginnings = lru_cache(maxsize=4096)(self._find_beginnings)

    def match(self, words: Sequence[str], start: int) -> tuple[int, tuple[ProvinceId, ...]]:
        """The longest exact name that begins at `start`: the index after it, and whose name it is, in map order.

        A hyphen is a word `-`: "mid-atlantic ocean" is four words. No name: `(start, ())`.
        """
        node, found, end = self._root, (), start
        for index in range(start, len(words)):
            step = node.next.get(words[index])
            if step is None:
                break
            node = step
            if node.provinces:
                found, end = tuple(node.provinces), index + 1  # type: ignore[assignment]
        if end == start + 1 and words[start] in self._ids:
            return end, (self._ids[words[start]],)
        return end, found

    def beginning(self, words: Sequence[str]) -> tuple[ProvinceId, ...]:
        """The places in whose name these words begin words ("n atl", "eng chan"), in map order."""
        typed = tuple(word for word in words if word != "-")
        return self._beginnings(typed) if sum(map(len, typed)) >= LEAST_LETTERS else ()

    def has_beginning(self, word: str) -> bool:
        """Whether the first word of some name begins like a word, which has at least `LEAST_LETTERS`."""
        return any(name[0].startswith(word) for name, _ in self._by_beginning.get(word[:LEAST_LETTERS], ()))

    def could_become(self, words: tuple[str, ...], province: ProvinceId) -> bool:
        """Whether the words typed so far, the last perhaps unfinished, may become a name of the province."""
        return self._could_become(words, province)

    def near(self, words: Iterable[str], *, limit: int = 5) -> tuple[ProvinceId, ...]:
        """The places whose names are spelled most like the words, nearest first."""
        return self._near("".join(words)[:40])[:limit]

    def _add(self, name: tuple[str, ...], province: ProvinceId) -> None:
        node = self._root
        for word in name:
            node = node.next.setdefault(word, _Node())
        if province not in node.provinces:
            node.provinces.append(province)

    def _find_could_become(self, words: tuple[str, ...], province: ProvinceId) -> bool:
        typed = tuple(word for word in words if word != "-")
        return any(_is_beginning(typed, name) for name in self._names[province])

    def _find_beginnings(self, typed: tuple[str, ...]) -> tuple[ProvinceId, ...]:
        names = self._by_beginning.get(typed[0][:LEAST_LETTERS], ())
        found = {province for name, province in names if _is_beginning(typed, name)}
        return tuple(sorted(found, key=self._order.__getitem__))

    def _find_near(self, typed: str) -> tuple[ProvinceId, ...]:
        if len(typed) < 2:
            return ()
        search, provinces = self._search(len(typed))
        best: dict[ProvinceId, int] = {}
        for _, distance, index in search(typed):
            best.setdefault(provinces[index], distance)
        return tuple(sorted(best, key=lambda province: (best[province], self._order[province])))

    def _find_search(self, length: int) -> tuple[_Search, Sequence[ProvinceId]]:
        """A search in the names that so many letters may have been meant for, each as one word, and the place of each.

        Names much longer or shorter are left out: they can't be near enough.
        """
        # Loaded when somebody first misspells a name: it takes 4 MB of memory.
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        allowed = max(1, length // 3)
        rows = dict.fromkeys(
            ("".join(word for word in words if word != "-"), province)
            for province, names in self._names.items()
            for words in names
        )
        near = [(name, province) for name, province in rows if abs(len(name) - length) <= allowed]
        names = [name for name, _ in near]
        search = partial(extract, choices=names, scorer=OSA.distance, score_cutoff=allowed, limit=None)
        return search, [province for _, province in near]


@lru_cache(maxsize=64)
def gazetteer_of(variant: Variant) -> Gazetteer:
    """The gazetteer of a variant, made once while it is in use."""
    return Gazetteer(variant.spaces)


def _spellings(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The names as words, also without their hyphens, and names of several words also written as one."""
    found: dict[tuple[str, ...], None] = {}
    for name in names:
        words = plain_words(name)
        if not words:
            continue
        bare = tuple(word for word in words if word != "-")
        for spelling in (words, bare, ("".join(bare),)):
            found[spelling] = None
    return tuple(found)


def _is_beginning(typed: Sequence[str], name: Sequence[str]) -> bool:
    """Whether each typed word begins a word of the name, in their order, the first one its first word."""
    if not typed or not name[0].startswith(typed[0]):
        return False
    index = 1
    for word in typed[1:]:
        while index < len(name) and not name[index].startswith(word):
            index += 1
        if index == len(name):
            return False
        index += 1
    return True
