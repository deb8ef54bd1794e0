"""Texts of players show just the characters that they typed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.model import UserId
from bot.text.catalogue import Words
from bot.text.markdown import Markup, code_block, escape, full_time, mention, relative_time
from engine.core.phrases import Catalogue, phrase


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("**loud**", r"\*\*loud\*\*"),
        ("_quiet_", r"\_quiet\_"),
        ("<@123> <#4>", r"\<@123> \<#4>"),
        ("[free](http://x)", r"\[free\](http\://x)"),
        ("see https://example.com/a_b", r"see https\://example.com/a\_b"),
        ("join discord.gg/abc now", r"join discord.gg\/abc now"),
        ("https://Discord.com/invite/abc", r"https\://Discord.com\/invite/abc"),
        ("discord.gg and a/b", "discord.gg and a/b"),
        ("odds 3://4", "odds 3://4"),
        ("pay \u202e001\u202c \u2066now\u2069", "pay 001 now"),
        ("ש\u200fלום", "ש\u200fלום"),
        ("`code` ||secret||", r"\`code\` \|\|secret\|\|"),
        ("# big", r"\# big"),
        ("- item", r"\- item"),
        ("> quote", r"\> quote"),
        ("two\nlines", "two lines"),
        ("A BUD - SER", "A BUD - SER"),
        ("pan_tang", "pan_tang"),
        ("STP/SC", "STP/SC"),
    ],
)
def test_escape_takes_the_meaning_from_signs(typed: str, shown: str) -> None:
    assert escape(typed) == shown


def test_markup_is_not_escaped_twice() -> None:
    assert escape(escape("*")) == r"\*"


def test_code_block_can_not_be_left() -> None:
    assert code_block("a```b").count("```") == 2
    assert "\u202e" not in code_block("a\u202eb")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("NAME 7 18 New_Rome *1*", "`NAME 7 18 New_Rome *1*` by \\*Ada\\*"),
        ("- a \\ b", "`- a \\ b` by \\*Ada\\*"),
        ("discord.gg/x", "`discord.gg/x` by \\*Ada\\*"),
        ("see https://x", "`see https://x` by \\*Ada\\*"),
        ("a`b` <@1>", "`aˋbˋ <@1>` by \\*Ada\\*"),
    ],
)
def test_code_shows_what_was_typed_letter_for_letter_and_can_not_be_left(typed: str, shown: str) -> None:
    words = Words(Catalogue({"noted": "`{order}` by {who}"}, {}))

    assert words.say("noted", order=typed, who="*Ada*") == shown


def test_signs_around_code_stay_escaped() -> None:
    assert Words(Catalogue({"said": "{what}"}, {})).say("said", what="`_x_` `") == r"\`\_x\_\` \`"


def test_times_and_mentions_are_written_as_discord_reads_them() -> None:
    at = datetime(2026, 11, 21, 12, tzinfo=UTC)

    assert (full_time(at), relative_time(at), mention(UserId(7))) == ("<t:1795262400:F>", "<t:1795262400:R>", "<@7>")


def test_words_escape_arguments_at_any_depth_and_still_find_names() -> None:
    words = Words(
        Catalogue(
            {"outer": "{who:name}: {inner}", "inner": "{things:list} {sure}", "list.and": "and"},
            {"pan_tang": "Pan Tang"},
        )
    )
    inner = phrase("inner", things=("*a*", "b"), sure=Markup("**yes**"))

    assert words.say("outer", who="pan_tang", inner=inner) == r"Pan Tang: \*a\* and b **yes**"


def test_plain_words_are_not_escaped() -> None:
    words = Words(Catalogue({"x": "{name}"}, {}))

    assert words.plainly("x", name="*a*") == "*a*"
