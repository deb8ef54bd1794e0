"""What is posted where the bot may not do everything: the words always, and nothing that Discord would refuse."""

from __future__ import annotations

import pytest

from bot.text.discord_limits import breaches
from bot.text.message import Button, Embed, Field, Message, TextFile
from bot.text.plain import Lost, can_be_lost, ways_to_post, without_embeds, without_files

FILE, BUTTON = TextFile("report.txt", "x"), Button("so:1", "Ready")


def test_words_without_their_files_say_so_and_stay_within_discords_limits() -> None:
    files = (TextFile("board.txt", "A PAR"),)
    bare = without_files(Message("Results", files=files))
    assert bare.content.startswith("Results\n(The map")
    assert bare.files == ()
    longest = Message("x" * 2000, files=files)
    assert without_files(longest) == Message("x" * 2000)


@pytest.mark.parametrize("length", [10, 1500, 5500])
def test_words_of_boxes_are_posted_whole_as_plain_text(length: int) -> None:
    lines = "\n".join(f"line {number}" for number in range(length // 10))
    box = Embed("What happened", lines, (Field("Missing", "A VIE"), Field("\u200b", "more of it")), "the end")
    pieces = without_embeds(Message("Results", (box,), files=(FILE,), buttons=(BUTTON,)))
    assert [breach for piece in pieces for breach in breaches(piece)] == []
    assert not any(piece.embeds for piece in pieces)
    told = "\n".join(piece.content for piece in pieces)
    assert told == f"Results\n**What happened**\n{lines}\n**Missing**\nA VIE\nmore of it\nthe end"
    assert [piece.buttons for piece in pieces][-1] == (BUTTON,)
    assert [file for piece in pieces for file in piece.files] == [FILE]


def test_less_and_less_is_tried_and_never_what_changes_nothing() -> None:
    box = (Embed("Title", "Text"),)
    both = frozenset(Lost)
    assert list(ways_to_post(Message("Words"))) == [frozenset()]
    assert list(ways_to_post(Message("Words", box))) == [frozenset(), {Lost.EMBEDS}]
    whole = Message("Words", box, files=(FILE,))
    assert list(ways_to_post(whole)) == [frozenset(), {Lost.FILES}, {Lost.EMBEDS}, both]
    assert can_be_lost(whole) == both
    (bare,) = ways_to_post(whole)[both]
    assert "Text" in bare.content
    assert "files are missing" in bare.content
