"""Counts are told in the singular where there is one: `1 province`, `2 provinces`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.core.ids import SystemId
from engine.core.phrases import Catalogue, phrase
from engine.core.variant import load_phrases
from engine.registry import systems
from tests.contract.games import ALL, catalogue_of

COUNTED = re.compile(r"\{(\w+)(?::[+\d]*)?\} (?:[a-z]+ )?([a-z]+s)\b(?!\{)")
"""A number, and behind it a word in the plural that stays so."""
NO_COUNTS = frozenset({
    "capital", "creator", "deadline", "game", "order", "place", "player", "power", "problem", "system", "text", "title",
    "unit", "version", "what", "winner", "word", "x", "y", "year",
})  # fmt: skip
"""Arguments that are no numbers."""
NO_PLURALS = frozenset({"is", "as", "was", "has", "does", "its", "lies", "works", "stays", "less", "this", "units"})
"""Words in -s that don't depend on the number before them; `of the units`."""
NEVER_ONE = {
    "about.goal": "a map has many centres, a game many turns",
    "about.goal_nation": "the goal is more than one",
    "about.goal_nation_handicap": "a par is more than one",
    "about.goal_par": "a map has many centres",
    "about.goal_pars": "a map has many centres",
    "about.goal_pirates": "the goal is more than one",
    "about.goal_pirates_handicap": "a par is more than one",
    "about.goal_until": "a map has many centres",
    "error.too_long": "a limit of hundreds",
    "error.too_many_waived": "more than the builds that are due, of which there is one at least",
    "info.about": "games are for two at least",
    "info.lobby": "games are for two at least",
    "lobby.created": "games are for two at least",
    "lobby.joined": "games are for two at least",
    "lobby.joined_unnamed": "games are for two at least",
    "lobby.joined_seats": "told from two on",
    "lobby.line_lobby": "games are for two at least",
    "lobby.start_asked": "games are for two at least",
    "problem.parts": "always three",
    "refused.edit_too_long": "a limit of hundreds",
    "refused.name_too_long": "a limit of sixty",
    "refused.text_too_long": "a limit of thousands",
    "refused.too_few_players": "games are for two at least",
    "report.standing_pirates": "the goal is more than one",
    "verify.honest": "honest_one is for one",
}


def plurals(words: Catalogue) -> Iterator[tuple[str, str]]:
    """Codes of phrases with a number and a plural behind it that stays, and the place."""
    for code in words.codes:
        for found in COUNTED.finditer(words.template(code)):
            if found[1] not in NO_COUNTS and found[2] not in NO_PLURALS:
                yield code, found[0]


@pytest.mark.parametrize("system_id", ALL)  # the toys too: new games begin as copies
def test_plurals_follow_their_number(system_id: SystemId) -> None:
    found = [(code, place) for code, place in plurals(catalogue_of(system_id)) if not code.startswith("former.")]
    assert [row for row in found if row[0] not in NEVER_ONE] == []


def test_no_exception_is_left_over() -> None:
    found = {code for system_id in systems for code, _ in plurals(load_phrases(system_id))}
    assert found >= set(NEVER_ONE)


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 cities, 0 points"), (1, "1 city, 1 point"), ("1", "1 city, 1 point"), ("0.5", "0.5 cities, 0.5 points")],
)
def test_words_end_as_their_count_wants(count: object, told: str) -> None:
    words = Catalogue({"told": "{count} cit{count:y}, {count} point{count:s}"}, {})
    assert words.render(phrase("told", count=count)) == told


@pytest.mark.parametrize(("count", "told"), [(0, "0 times"), (1, "once"), ("1", "once"), (2, "twice"), (3, "3 times")])
def test_how_often_is_told_as_people_say_it(count: object, told: str) -> None:
    assert Catalogue({"told": "{count:times}"}, {}).render(phrase("told", count=count)) == told
