"""Tests of `engine.core.words`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.words import decoded, make_plain, plain_words, tokens_of


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("A Bud - Ser", ("a", "bud", "-", "ser")),
        ("a bud→ser", ("a", "bud", "-", "ser")),
        ("A\u00a0BUD\u2013SER", ("a", "bud", "-", "ser")),
        ("München", ("munchen",)),
        ("Mu\u0308nchen", ("munchen",)),
        ("St. Petersburg", ("st", "petersburg")),
        ("spa_nc", ("spa", "nc")),
        ("**A BUD** - `SER`", ("a", "bud", "-", "ser")),
        ("“Bud” - ‘Ser’", ("bud", "-", "ser")),
        ("A BUD ==>> SER!!! 🎉", ("a", "bud", "-", "ser")),
        ("Ａ ＢＵＤ", ("a", "bud")),
        ("Austria's", ("austrias",)),
    ],
)
def test_case_accents_dashes_and_marks_do_not_matter(typed: str, words: tuple[str, ...]) -> None:
    assert plain_words(typed) == words


@pytest.mark.parametrize("arrow", ["<-", "<--", "<==", "<->", "←"])
def test_arrow_that_points_back_is_no_dash(arrow: str) -> None:
    assert plain_words(f"A BUD {arrow} SER") == ("a", "bud", "<-", "ser")


@given(st.text())
def test_making_plain_keeps_every_character_in_its_place(text: str) -> None:
    assert len(make_plain(text)) == len(text)
    for token in tokens_of(text):
        assert 0 <= token.start < token.end <= len(text)


def test_tokens_know_their_columns() -> None:
    assert [(token.word, token.start, token.end) for token in tokens_of("  A  Bud/nc")] == [
        ("a", 2, 3),
        ("bud", 5, 8),
        ("/", 8, 9),
        ("nc", 9, 11),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_that_editors_write(encoding: str) -> None:
    assert decoded("DEF 0 0 F\r\nNAME 0 0 Orléans".encode(encoding)) == "DEF 0 0 F\r\nNAME 0 0 Orléans"


def test_letter_in_another_encoding_costs_only_itself_and_no_text_is_none() -> None:
    assert decoded(b"NAME 0 0 \xff\x81 DEF") == "NAME 0 0 ÿ\ufffd DEF"
    assert decoded(b"\x89PNG\r\n\0\0") is None
