"""Tests of `engine.core.gazetteer`, on the standard board."""

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


def test_what_is_like_nothing_has_no_near_misses(gazetteer: Gazetteer) -> None:
    assert gazetteer.near(("qqqqqqqq",)) == ()
    assert gazetteer.near(("x" * 10_000,)) == ()


def test_what_is_typed_could_become_a_name(gazetteer: Gazetteer) -> None:
    assert gazetteer.could_become(("north", "s"), ProvinceId("NTH"))
    assert gazetteer.could_become(("b",), ProvinceId("BUD"))
    assert not gazetteer.could_become(("budx",), ProvinceId("BUD"))
