"""How lines of a script are read."""

from __future__ import annotations

import pytest

from bot.play.script import ScriptLine, Unreadable, parse_script


def only(text: str) -> ScriptLine:
    (step,) = parse_script(text)
    return step


def test_a_slash_command_has_a_name_and_options() -> None:
    step = only('france: /orders enter text:"A PAR - BUR; A MAR H" game:one')
    assert (step.verb, step.who, step.text) == ("slash", "france", "orders enter")
    assert step.values == {"text": "A PAR - BUR; A MAR H", "game": "one"}


def test_an_arrow_is_a_direct_message_and_two_are_the_channel() -> None:
    assert only(r"france> A PAR - BUR\nA MAR H") == ScriptLine(
        1, r"france> A PAR - BUR\nA MAR H", "dm", "france", "A PAR - BUR\nA MAR H"
    )
    assert only("france>> Peace: for now").verb == "say"


@pytest.mark.parametrize("label", ['"I\'m ready"', "I'm ready"])
def test_a_label_may_stand_in_quotes(label: str) -> None:
    step = only(f"click france {label}")
    assert (step.verb, step.who, step.text) == ("click", "france", "I'm ready")


def test_a_form_is_filled_in_by_field_or_at_once() -> None:
    assert only(r'fill france orders="A PAR H\nA MAR H" when=now').values == {
        "orders": "A PAR H\nA MAR H",
        "when": "now",
    }
    assert only('fill france "A PAR H"').values == {"": "A PAR H"}


def test_expectations_say_where_and_whether() -> None:
    seen = only("expect channel contains Spring 1901")
    assert (seen.values["where"], seen.text, seen.lacks) == ("channel", "Spring 1901", False)
    hidden = only('expect germany dm lacks "A PAR - BUR"')
    assert (hidden.who, hidden.values["where"], hidden.text, hidden.lacks) == ("germany", "dm", "A PAR - BUR", True)


def test_comments_and_blank_lines_are_nothing_but_are_counted() -> None:
    assert [step.line for step in parse_script("# a\n\nrestart\n  # b\nwait phase")] == [3, 5]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("frobnicate", "no command"),
        ("france: /orders enter text:A PAR - BUR", "belongs to no option"),
        ("click france", "say who"),
        ("fill france", "say who"),
        ("expect france contains x", "expect channel contains"),
        ("wait soon", "wait phase"),
        ("skip ahead", "skip a time"),
        ("restart now", "stands alone"),
    ],
)
def test_a_slip_is_told_with_its_line(line: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        parse_script(f"restart\n{line}")
    assert caught.value.line == 2
