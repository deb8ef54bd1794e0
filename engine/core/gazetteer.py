"""Finds the places of a map in what people write: ids, names, aliases, beginnings of names, and near misses.

Works on words that `engine.core.words` has normalised (lower case, no accents). It says what a name could mean; which
of several is meant is for the caller to decide, who knows what is where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from engine.core.ids import ProvinceId
from engine.core.variant import Space, Variant
from engine.core.words import plain_words

LEAST_LETTERS = 3
"""Shorter beginnings of a name mean nothing."""


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
        allowed, letters = max(1, len(typed) // 3), _letters(typed)
        best: dict[ProvinceId, int] = {}
        for length in range(len(typed) - allowed, len(typed) + allowed + 1):
            for name, of_name, province in self._by_length.get(length, ()):
                # Each letter that only one of the two has, or has once more, takes a change; this rules out most names.
                if (letters & ~of_name).bit_count() > allowed or (of_name & ~letters).bit_count() > allowed:
                    continue
                distance = _spelling_distance(typed, name, allowed)
                if distance <= min(allowed, best.get(province, allowed)):
                    best[province] = distance
        return tuple(sorted(best, key=lambda province: (best[province], self._order[province])))

    @cached_property
    def _by_length(self) -> Mapping[int, Sequence[tuple[str, int, ProvinceId]]]:
        """All names as one word each, with the letters that they have, by number of letters."""
        found: dict[int, list[tuple[str, int, ProvinceId]]] = {}
        for province, names in self._names.items():
            for name in dict.fromkeys("".join(word for word in words if word != "-") for words in names):
                found.setdefault(len(name), []).append((name, _letters(name), province))
        return found


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


def _letters(word: str) -> int:
    """The letters of a word, a bit each, and another bit if a letter occurs again; rare letters may share bits."""
    found = 0
    for letter in word:
        bit = 1 << (ord(letter) & 63)
        while found & bit:
            bit <<= 64
        found |= bit
    return found


def _spelling_distance(typed: str, name: str, allowed: int) -> int:
    """Letters to add, drop, change or swap with a neighbour to get from one to the other; at most `allowed + 1`."""
    # What both begin with or end with needs no change.
    while typed and name and typed[-1] == name[-1]:
        typed, name = typed[:-1], name[:-1]
    begin = 0
    while begin < min(len(typed), len(name)) and typed[begin] == name[begin]:
        begin += 1
    typed, name = typed[begin:], name[begin:]
    if abs(len(typed) - len(name)) > allowed:
        return allowed + 1
    if not typed or not name:
        return len(typed) + len(name)
    before: list[int] = []
    previous = list(range(len(name) + 1))
    for i, letter in enumerate(typed, 1):
        row = [i] + [allowed + 1] * len(name)
        # Positions farther apart than `allowed` can't correspond.
        for j in range(max(1, i - allowed), min(len(name), i + allowed) + 1):
            other = name[j - 1]
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == name[j - 2] and typed[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row[j] = cost
        if min(row) > allowed:
            return allowed + 1
        before, previous = previous, row
    return min(previous[-1], allowed + 1)
