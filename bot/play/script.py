"""Reads the scripts that play a list of commands instead of a person; `docs/playing.md` describes their lines.

A whole script is read before anything of it is played, so that a slip in its last line is reported at once.

    ScriptError
    ├── Unreadable     a line that is no command
    └── Disappointed   a line that could not be done, or an expectation that was not met
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


class ScriptError(Exception):
    """Something is wrong with line `line`, or went wrong in it."""

    def __init__(self, line: int, text: str, why: str) -> None:
        super().__init__(f"line {line}: {why}\n    {text}")
        self.line = line


class Unreadable(ScriptError):
    """The line is not a command."""


class Disappointed(ScriptError):
    """The line could not be carried out, or did not have the expected effect."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line.

    Args:
        verb: `dm`, `say`, `slash`, `click`, `select`, `fill`, `expect`, `wait`, `skip`, `restart`, `robots`.
        who: the person's or power's name, as written.
        text: the message, the command's name, the label, or what is expected.
        values: a command's options or a form's fields, by name.
    """

    line: int
    written: str
    verb: str
    who: str = ""
    text: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    lacks: bool = False


def parse_script(text: str) -> tuple[ScriptLine, ...]:
    """The steps of a script.

    Raises:
        Unreadable: at the first line that is no command.
    """
    numbered = enumerate(text.splitlines(), start=1)
    return tuple(
        _parse(number, line.strip()) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")
    )


_DIRECT = re.compile(r"([^:>\"]+?)\s*(>>?)\s*(.+)")
_SLASH = re.compile(r"([^:>\"/]+?)\s*:\s*/(.+)")
_WORD = re.compile(r'"((?:\\.|[^"\\])*)"|(\S+)')
_OPTION = re.compile(r'([\w-]+)[:=](?:"((?:\\.|[^"\\])*)"|(\S*))')
_EXPECT = re.compile(
    r"expect\s+(?:(?P<who>.+?)\s+)?(?P<where>channel|dm|answer|form)\s+(?P<how>contains|lacks)\s+(?P<what>.+)"
)


def _parse(line: int, written: str) -> ScriptLine:
    slash = _SLASH.fullmatch(written)
    if slash is not None:
        return _parse_slash(line, written, slash[1], slash[2])
    verb, _, rest = written.partition(" ")
    if verb in _VERBS:
        return _VERBS[verb](line, written, rest.strip())
    direct = _DIRECT.fullmatch(written)
    if direct is not None:
        return ScriptLine(line, written, "say" if direct[2] == ">>" else "dm", direct[1], _unescape(direct[3]))
    raise Unreadable(
        line, written, f"no command; a line begins with `WHO: /command`, `WHO> orders` or {', '.join(_VERBS)}"
    )


def _parse_slash(line: int, written: str, who: str, rest: str) -> ScriptLine:
    options = list(_OPTION.finditer(rest))
    name = rest[: options[0].start()] if options else rest
    values = {match[1]: _value(match[2], match[3]) for match in options}
    after = _OPTION.sub("", rest[len(name) :]).strip()
    if after:
        raise Unreadable(
            line, written, f'{after!r} belongs to no option; put values with spaces in quotes: text:"A PAR - BUR"'
        )
    return ScriptLine(line, written, "slash", who, " ".join(name.split()), values)


def _parse_pointing(line: int, written: str, rest: str) -> ScriptLine:
    """`click WHO LABEL` and `select WHO OPTION`."""
    words = _words(rest)
    if len(words) < 2:
        raise Unreadable(line, written, "say who does it and what: click france Ready")
    return ScriptLine(line, written, written.split()[0], words[0], " ".join(words[1:]))


def _parse_fill(line: int, written: str, rest: str) -> ScriptLine:
    who, _, fields = rest.partition(" ")
    values = {match[1]: _value(match[2], match[3]) for match in _OPTION.finditer(fields)}
    if not values and fields.strip():
        values = {"": " ".join(_words(fields))}
    if not who or not values:
        raise Unreadable(line, written, 'say who fills in what: fill france "A PAR - BUR\\nA MAR H"')
    return ScriptLine(line, written, "fill", who, values=values)


def _parse_expect(line: int, written: str, rest: str) -> ScriptLine:
    match = _EXPECT.fullmatch(written)
    if match is None or (match["where"] != "channel" and not match["who"]):
        raise Unreadable(line, written, "expect channel contains …, or expect WHO dm|answer|form contains|lacks …")
    what = " ".join(_words(match["what"]))
    return ScriptLine(
        line, written, "expect", match["who"] or "", what, {"where": match["where"]}, match["how"] == "lacks"
    )


def _parse_wait(line: int, written: str, rest: str) -> ScriptLine:
    if rest not in ("phase", "idle", "over") and not re.fullmatch(r"\d+(\.\d+)?s", rest):
        raise Unreadable(line, written, "wait phase, wait over, wait idle, or a time: wait 5s")
    return ScriptLine(line, written, "wait", text=rest)


def _parse_skip(line: int, written: str, rest: str) -> ScriptLine:
    if not re.fullmatch(r"\d+[smhd]", rest):
        raise Unreadable(line, written, "skip a time: skip 3d, skip 12h, skip 30m")
    return ScriptLine(line, written, "skip", text=rest)


def _parse_alone(line: int, written: str, rest: str) -> ScriptLine:
    if rest:
        raise Unreadable(line, written, f"{written.split()[0]} stands alone")
    return ScriptLine(line, written, written)


_VERBS: Mapping[str, Callable[[int, str, str], ScriptLine]] = {
    "click": _parse_pointing,
    "select": _parse_pointing,
    "fill": _parse_fill,
    "expect": _parse_expect,
    "wait": _parse_wait,
    "skip": _parse_skip,
    "restart": _parse_alone,
    "robots": _parse_alone,
}


def _words(text: str) -> list[str]:
    return [_value(match[1], match[2]) for match in _WORD.finditer(text)]


def _value(quoted: str | None, bare: str | None) -> str:
    return (bare or "") if quoted is None else _unescape(quoted)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)
