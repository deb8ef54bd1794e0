"""Tests of `engine.core.gazetteer`, on the standard board."""

import random
from functools import cache

import pytest

from engine.core.gazetteer import Gazetteer, gazetteer_of
from engine.core.ids import ProvinceId
from engine.core.variant import load_variant
from engine.core.words import plain_words

VARIANT = load_variant("diplomacy", "standard")


@pytest.fixture
def gazetteer() -> Gazetteer:
    return gazetteer_of(VARIANT)


def test_every_id_name_and_alias_is_found_and_belongs_to_its_province(gazetteer: Gazetteer) -> None:
    for province in VARIANT.spaces.values():
        for name in (province.id, province.name, *province.aliases):
            words = plain_words(name)
            end, found = gazetteer.match(words, 0)
            assert end == len(words), name
            assert province.id in found, name


def test_an_id_means_its_province_alone(gazetteer: Gazetteer) -> None:
    for province in VARIANT.spaces:
        assert gazetteer.match((province.lower(),), 0) == (1, (province,))


@pytest.mark.parametrize(
    ("typed", "province"),
    [
        ("north sea", "NTH"),
        ("mid-atlantic ocean", "MAO"),
        ("mid atlantic", "MAO"),
        ("saint petersburg", "STP"),
        ("gulf of bothnia", "BOT"),
    ],
)
def test_the_longest_name_is_found_whatever_follows(gazetteer: Gazetteer, typed: str, province: str) -> None:
    words = plain_words(typed)
    assert gazetteer.match((*words, "-", "par"), 0) == (len(words), (province,))


def test_what_is_no_name_is_not_found(gazetteer: Gazetteer) -> None:
    assert gazetteer.match(("budapset", "-"), 0) == (0, ())


@pytest.mark.parametrize(
    ("typed", "provinces"),
    [
        ("eng chan", ("ENG",)),
        ("n atl", ("NAO",)),
        ("const", ("CON",)),
        ("liv", ("LVN", "LVP")),
        ("w med", ("WES",)),
        ("zz", ()),
        ("xyz", ()),
    ],
)
def test_the_beginnings_of_words_name_all_places_that_they_fit(
    gazetteer: Gazetteer, typed: str, provinces: tuple[str, ...]
) -> None:
    assert gazetteer.beginning(plain_words(typed)) == provinces


@pytest.mark.parametrize(
    ("typed", "province"),
    [
        ("Budapset", "BUD"),
        ("Gallicia", "GAL"),
        ("Warshaw", "WAR"),
        ("Constantinopel", "CON"),
        ("Helgoland Bigt", "HEL"),
        ("Roumania", "RUM"),
        ("Tyrrhennian", "TYS"),
        ("bdu", "BUD"),
    ],
)
def test_near_misses_are_told_nearest_first(gazetteer: Gazetteer, typed: str, province: str) -> None:
    assert gazetteer.near(plain_words(typed))[0] == province


def distance_by_the_book(typed: str, name: str) -> int:
    """Letters to add, drop, change or swap with their neighbour."""

    @cache
    def distance(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        least = min(distance(i - 1, j), distance(i, j - 1)) + 1
        least = min(least, distance(i - 1, j - 1) + (typed[i - 1] != name[j - 1]))
        if i > 1 and j > 1 and typed[i - 2 : i] == name[j - 1] + name[j - 2]:
            least = min(least, distance(i - 2, j - 2) + 1)
        return least

    return distance(len(typed), len(name))


def test_no_near_miss_is_passed_over(gazetteer: Gazetteer) -> None:
    names = {
        space.id: {"".join(plain_words(name)).replace("-", "") for name in (space.id, space.name, *space.aliases)}
        for space in VARIANT.spaces.values()
    }
    chance = random.Random("slips")
    for spellings in chance.sample(list(names.values()), 16):
        typed = chance.choice(sorted(spellings))
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(typed) + 1)
            typed = typed[:at] + chance.choice(["", "a", "e", "x", "ö", typed[at : at + 2][::-1]]) + typed[at + 2 :]
        best = {place: min(distance_by_the_book(typed, name) for name in found) for place, found in names.items()}
        allowed = max(1, len(typed) // 3)
        order = list(names)
        near = sorted((best[place], order.index(place), place) for place in names if best[place] <= allowed)
        expected = tuple(place for _, _, place in near) if len(typed) > 1 else ()
        assert gazetteer.near((typed,), limit=100) == expected, typed


def test_what_is_like_nothing_has_no_near_misses(gazetteer: Gazetteer) -> None:
    assert gazetteer.near(("qqqqqqqq",)) == ()
    assert gazetteer.near(("x" * 10_000,)) == ()


def test_what_is_typed_could_become_a_name(gazetteer: Gazetteer) -> None:
    assert gazetteer.could_become(("north", "s"), ProvinceId("NTH"))
    assert gazetteer.could_become(("b",), ProvinceId("BUD"))
    assert not gazetteer.could_become(("budx",), ProvinceId("BUD"))
