"""What is too long is cut or split, never refused, and nothing of a text is lost by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.discord_limits import (
    CONTENT,
    EMBED_DESCRIPTION,
    FILE_BYTES,
    FORM_TEXT,
    breaches,
    embed_length,
    fit,
    fit_form,
    shorten,
    split_text,
)
from bot.text.message import Button, Embed, Field, Form, Message, Select, SelectChoice, TextFile

TEXTS = st.text(alphabet="ab \nÄ✗*", max_size=9000)
FIELDS = st.builds(Field, name=st.text("n", max_size=400), value=st.text("v \n", max_size=3000))
EMBEDS = st.builds(
    Embed,
    title=st.text("t", max_size=400),
    description=TEXTS,
    fields=st.lists(FIELDS, max_size=30).map(tuple),
    footer=st.text("f", max_size=2500),
)


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(TEXTS, st.integers(min_value=1, max_value=400))
def test_split_text_keeps_every_word_within_the_limit(text: str, limit: int) -> None:
    pieces = split_text(text, limit)

    assert all(0 < len(piece) <= limit for piece in pieces)
    assert squeezed("".join(pieces)) == squeezed(text)


def test_text_is_split_between_lines_before_words_and_between_words_before_letters() -> None:
    assert split_text("one\ntwo three", 9) == ("one", "two three")
    assert split_text("two three", 5) == ("two", "three")
    assert split_text("Bohemia", 3) == ("Boh", "emi", "a")


@given(st.builds(Message, content=TEXTS, embeds=st.lists(EMBEDS, max_size=12).map(tuple)))
def test_whatever_is_fitted_is_taken_by_discord(message: Message) -> None:
    parts = fit(message)

    if message.content.strip() or any(map(embed_length, message.embeds)):
        assert [breach for part in parts for breach in breaches(part)] == []


@given(TEXTS)
def test_no_text_of_an_embed_is_lost(text: str) -> None:
    parts = fit(Message(content="x", embeds=(Embed(description=text),)))

    told = "".join(embed.description for part in parts for embed in part.embeds)
    assert squeezed(told) == squeezed(text)


def test_pictures_stay_with_the_first_part_and_buttons_and_files_with_the_last() -> None:
    long = Message(
        content="x" * (CONTENT + 1),
        embeds=(Embed(description="y" * (EMBED_DESCRIPTION + 3000)),),
        files=(TextFile("board.txt", "…"),),
        buttons=(Button("so:map:1:1", "Map"),),
    )

    parts = fit(long)

    assert len(parts) > 1
    assert [bool(part.buttons and part.files) for part in parts] == [False] * (len(parts) - 1) + [True]


def test_long_labels_are_shortened() -> None:
    select = Select("so:pick:1:1:t", "p" * 300, (SelectChoice("v", "l" * 300, "d" * 300),))

    (part,) = fit(Message("x", buttons=(Button("so:map:1:1", "m" * 200),), selects=(select,)))

    assert breaches(part) == []


@pytest.mark.parametrize(
    ("message", "breach"),
    [
        (Message(), "empty"),
        (Message("x", buttons=(Button("i" * 101, "Map"),)), "custom id"),
        (Message("x", buttons=(Button("i", "a"), Button("i", "b"))), "same custom id"),
        (Message("x", selects=(Select("i", "p", ()),)), "choices"),
        (Message("x", buttons=tuple(Button(str(number), "b") for number in range(26))), "rows"),
        (Message("x", files=tuple(TextFile(f"{number}.txt", "") for number in range(11))), "files"),
    ],
)
def test_breaches_names_what_is_wrong(message: Message, breach: str) -> None:
    assert any(breach in found for found in breaches(message))


@pytest.mark.parametrize("sign", ["x", "…"])
def test_a_file_too_large_for_an_attachment_is_cut_between_lines(sign: str) -> None:
    line = f"{sign * 99}\n"
    (message,) = fit(Message("", files=(TextFile("a.txt", line * (FILE_BYTES // 99)), TextFile("b.txt", line))))
    cut, small = message.files

    assert breaches(message) == []
    assert cut.text.removesuffix("[...]\n").endswith(line)
    assert len(cut.text.encode()) > FILE_BYTES - 1000
    assert small.text == line


def test_a_form_is_never_cut() -> None:
    with pytest.raises(ValueError, match="4000"):
        fit_form(Form("so:sheet:1:1", "Orders", "Orders", "x" * (FORM_TEXT + 1)))


def test_a_forms_labels_are_shortened() -> None:
    form = fit_form(Form("so:sheet:1:1", "t" * 90, "l" * 90, "x" * FORM_TEXT, "p" * 200))

    assert (len(form.title), len(form.label), len(form.placeholder), len(form.text)) == (45, 45, 100, FORM_TEXT)


def test_shorten_leaves_no_half_escape() -> None:
    assert shorten(r"ab\*cd", 4) == "ab…"
