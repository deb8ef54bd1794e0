"""Words for phrases, those that earlier versions stored among them."""

from __future__ import annotations

import pytest

from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.variant import load_phrases


def test_a_phrase_with_the_arguments_of_an_earlier_version_has_the_words_of_then() -> None:
    words = Catalogue({"lost": "lost: {what:list}", "former.lost": "{gold} gold is lost"}, {})
    assert words.render(phrase("lost", what=("gold", "wood"))) == "lost: gold and wood"
    assert words.render(phrase("lost", gold=3)) == "3 gold is lost"


def test_what_is_added_up_has_an_and_and_what_is_chosen_from_an_or() -> None:
    words = Catalogue({"got": "Got {what:list}", "choose": "{what:either}?"}, {"NC": "North Coast"})
    assert words.render(phrase("got", what=("gold", "wood", "NC"))) == "Got gold, wood and North Coast"
    assert words.render(phrase("choose", what=("gold", "wood", "NC"))) == "gold, wood or North Coast?"
    assert words.render(phrase("choose", what=("gold",))) == "gold?"


def test_names_to_choose_from_stand_beside_their_letters() -> None:
    words = Catalogue({"may": "It may go to {places:either_named}."}, {"BUD": "Budapest", "VIE": "Vienna"})
    assert words.render(phrase("may", places=("BUD", "VIE"))) == "It may go to Budapest (BUD) or Vienna (VIE)."


def test_names_in_s_have_an_apostrophe_alone() -> None:
    words = Catalogue({"army": "{power:name}'s army: {units:list}'s"}, {"ravens": "Ravens", "rome": "Rome"})
    assert words.render(phrase("army", power="ravens", units=("A",))) == "Ravens' army: A's"
    assert words.render(phrase("army", power="rome", units=("B", "rome"))) == "Rome's army: B and Rome's"


def test_names_that_take_an_article_have_it_in_sentences_alone() -> None:
    templates = {"took": "{by:The} took it from {of:the}: {by:name}", "both": "{who:The_list}; {who:list}"}
    words = Catalogue(templates, {"gauls": "the Gauls", "rome": "Rome"})
    assert words.render(phrase("took", by="gauls", of="rome")) == "The Gauls took it from Rome: Gauls"
    assert words.render(phrase("took", by="rome", of="gauls")) == "Rome took it from the Gauls: Rome"
    assert words.render(phrase("both", who=("gauls", "rome"))) == "The Gauls and Rome; Gauls and Rome"
    assert words.listed(("the computer", "gauls")) == "the computer and Gauls", "only of names is an article left out"


def test_a_phrase_that_is_no_longer_emitted_keeps_its_words() -> None:
    words = Catalogue({"former.built": "{power:name} built"}, {"rome": "Rome"})
    assert words.render(phrase("built", power="rome")) == "Rome built"


def test_a_phrase_without_words_or_arguments_is_an_error() -> None:
    words = Catalogue({"lost": "{what}"}, {})
    for unknown in (phrase("found"), phrase("lost", gold=3)):
        with pytest.raises(KeyError):
            words.render(unknown)


@pytest.mark.parametrize(
    ("system", "stored", "told"),
    [
        ("king_of_kings", phrase("warning.W08", gold=3, wood=0), "3 gold and 0 wood are lost"),
        (
            "king_of_kings",
            phrase("event.starved_by_hunger", nation="gauls", troop="bowmen", place="7/1"),
            "one of the bowmen in 7/1",
        ),
        (
            "king_of_kings",
            phrase("event.starved_by_siege", nation="gauls", troop="bowmen", place="7/1"),
            "lost one of the bowmen",
        ),
        ("kregen", phrase("event.retreated", unit="A ZYK", power="walfarg", place="ZYK"), "A ZYK of "),
        ("kregen", phrase("event.gave_up", unit="A ZYK", power="walfarg"), "was disbanded"),
        ("kregen", phrase("event.built", unit="A ZYK", power="walfarg"), "built A ZYK"),
    ],
)
def test_what_games_of_the_first_version_stored_can_be_told(system: str, stored: Phrase, told: str) -> None:
    assert told in load_phrases(system).render(stored)


def test_names_stand_beside_the_letters_that_orders_have() -> None:
    words = Catalogue({"asked": "Orders for {units:named}", "one": "{unit:named}"}, {"BUD": "Budapest", "STP": "St P"})
    units = ("A BUD", "F STP/SC", "BUD", "1 build")
    told = "Orders for A BUD (Budapest), F STP/SC (St P), Budapest (BUD) and 1 build"
    assert words.render(phrase("asked", units=units)) == told
    assert words.render(phrase("one", unit="A BUD")) == "A BUD (Budapest)"


def test_what_is_offered_for_choice_is_joined_by_or() -> None:
    words = Catalogue({"which": "Did you mean {words:either}?", "list.or": "or"}, {"BUD": "Budapest"})
    assert words.render(phrase("which", words=("NC", "SC", "BUD"))) == "Did you mean NC, SC or Budapest?"
    assert words.render(phrase("which", words=("NC",))) == "Did you mean NC?"
