"""Sheets with blocks: every line with its block and its place, and blocks that can't be cost themselves alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.blocks import in_block, in_blocks, read_lines, without_comment
from engine.core.orders import Parsed
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from tests.toy_fens import FEN, RED, FenOrder, FenView

Read = tuple[int, str | None, str]


def opens(line: str) -> bool:
    words = line.upper().split()
    return len(words) == 2 and words[0] == "BATTLE"


def read(text: str) -> tuple[list[Read], list[tuple[int, str]]]:
    """Number, block and content of each line; number and code of what is wrong."""
    lines, errors = read_lines(text, opens)
    return [(line.number, line.head, line.content) for line in lines], [(error.line, error.code) for error in errors]


def test_lines_know_their_block_and_their_number() -> None:
    text = "MOVE A\n\nbattle X # the hill\n  TAKE 1\n# nothing\n\tFIRE 2\nEND\nMOVE B"
    assert read(text) == (
        [(1, None, "MOVE A"), (3, "battle X", ""), (4, "battle X", "TAKE 1"),
         (6, "battle X", "FIRE 2"), (8, None, "MOVE B")],
        [],
    )  # fmt: skip
    lines, _ = read_lines(text, opens)
    assert [(line.column, line.end) for line in lines] == [(1, 7), (1, 9), (3, 9), (2, 8), (1, 7)]
    assert lines[1].text == "battle X # the hill"


def test_line_may_name_its_block_in_front_of_it() -> None:
    text = "BATTLE X: TAKE 2D+5:38 3L\nBATTLE Y:\nMOVE 2D+5:38"
    assert read(text) == ([(1, "BATTLE X", "TAKE 2D+5:38 3L"), (2, "BATTLE Y", ""), (3, None, "MOVE 2D+5:38")], [])
    (line, *_), _ = read_lines(text, opens)
    assert line.text[line.column - 1 : line.end - 1] == "TAKE 2D+5:38 3L"


def test_end_without_a_block_costs_itself() -> None:
    assert read("MOVE A\nEND\nMOVE B") == ([(1, None, "MOVE A"), (3, None, "MOVE B")], [(2, "no_block_to_end")])


def test_block_in_a_block_costs_itself_and_the_outer_one_goes_on() -> None:
    text = "BATTLE X\nTAKE 1\nBATTLE Y\nTAKE 2\nEND\nTAKE 3\nEND\nMOVE A"
    assert read(text) == (
        [(1, "BATTLE X", ""), (2, "BATTLE X", "TAKE 1"), (6, "BATTLE X", "TAKE 3"), (8, None, "MOVE A")],
        [(3, "block_in_block"), (4, "in_refused_block")],
    )


def test_block_that_is_not_ended_costs_itself() -> None:
    text = "MOVE A\nBATTLE X\nTAKE 1"
    assert read(text) == ([(1, None, "MOVE A")], [(2, "block_not_ended"), (3, "in_refused_block")])


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("MOVE A # B", "MOVE A "),
        ('LETTER B "no # 7" # urgent', 'LETTER B "no # 7" '),
        ('LETTER B "never closed # gone', 'LETTER B "never closed '),
        ("", ""),
        ("#", ""),
    ],
)
def test_comment_begins_outside_of_quotation_marks(line: str, content: str) -> None:
    assert without_comment(line) == content


def test_canonical_lines_come_back_as_blocks() -> None:
    lines = ["MOVE A", in_block("BATTLE X"), in_block("BATTLE X", "TAKE 1"), in_block("BATTLE Y", "FIRE 2")]
    sheet = list(in_blocks(lines, opens))
    assert sheet == ["MOVE A", "BATTLE X", "  TAKE 1", "END", "BATTLE Y", "  FIRE 2", "END"]
    assert [content for content in read("\n".join(sheet))[0] if content[2]] == [
        (1, None, "MOVE A"), (3, "BATTLE X", "TAKE 1"), (6, "BATTLE Y", "FIRE 2"),
    ]  # fmt: skip


def test_fault_in_a_block_costs_the_block_and_no_other_line() -> None:
    """Where the rules raise over a line, what is tried without it still has its blocks whole."""

    def parse(text: str, view: FenView) -> Parsed[FenOrder]:
        if "TAKE 3" in text:
            raise ZeroDivisionError
        return FEN.orders.parse(text, view)

    rules = replace(FEN, orders=replace(FEN.orders, parse=parse))
    state = replace(FEN.play.start(variant="standard", players=2, options={}, seed="s"), part="war")
    state = replace(state, seen={**state.seen, RED: (4, 5)})
    text = "RAID 4\nTAKE 1\nEND\nRAID 5\nTAKE 2\nTAKE 3\nEND\nWAIT"
    reading = read_orders(rules, FEN.sight.view(state, Playing(RED)), text)
    assert [FEN.orders.format(order) for order in reading.values] == ["RAID 4:", "RAID 4: TAKE 1", "WAIT"]
    assert [(error.line, error.code) for error in reading.errors] == [(n, "fault") for n in (4, 5, 6, 7)]


@given(st.lists(st.sampled_from(["BATTLE X", "END", "TAKE 1", "", "# no", "BATTLE Y: GO", 'A "#'])))
def test_every_line_that_holds_something_is_answered_once(lines: list[str]) -> None:
    read_, errors = read_lines("\n".join(lines), opens)
    numbers = [line.number for line in read_] + [error.line for error in errors]
    held = {number for number, line in enumerate(lines, 1) if line not in ("", "# no")}
    ends = {number for number, line in enumerate(lines, 1) if line == "END"}
    assert len(numbers) == len(set(numbers))
    assert held - ends <= set(numbers) <= held
