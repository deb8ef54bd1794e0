"""Turns what people type into plain tokens: case, accents, exotic dashes, arrows, quotes and spaces no longer matter.

The first step of every order language. Each token keeps its columns, so that an error can point into the text as it was
written: normalising never changes the number of characters.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or one of `-` (dash, arrow), `<-`, `/` (also an opening bracket), `:` and `…`; `start` counts from 0."""

    word: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text. Full stops, closing brackets, quotes, emphasis and other marks are ignored."""
    return list(_tokens_of(text))


@lru_cache(maxsize=64)
def _tokens_of(text: str) -> list[Token]:
    """The same line is read several times: as a heading, as an order for all units, and as a sentence."""
    found: list[Token] = []
    for match in _TOKEN.finditer(make_plain(text)):
        group = match.lastgroup
        if group == "word":
            word = _COMBINING.sub("", match.group()).replace("'", "")
            if word:
                found.append(Token(word, match.start(), match.end()))
        elif group is not None:
            found.append(Token(_MARKS[group], match.start(), match.end()))
    return found


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a name, its hyphens as words of their own."""
    return tuple(token.word for token in tokens_of(text) if token.word not in ("/", ":", "…"))


_ALL_HOLD = re.compile(
    r"(?:all|every(?:thing|one|body))(?: (?:my |our )?units)? (?:to )?(?:h|holds?|stands?|stays?)"
    r"|(?:h|hold) (?:all|every(?:thing|one|body))(?: (?:my |our )?units)?"
)


def says_all_hold(text: str) -> bool:
    """Whether a text orders every unit to hold: `all hold`, `hold all`, `everything stays`."""
    return _ALL_HOLD.fullmatch(" ".join(plain_words(text))) is not None


def well_formed(text: str) -> str:
    """The text as any encoding can take it: halves of characters, which JSON may hold, become replacement marks."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_turns(text: str) -> str:
    """The text without the marks that turn the direction in which a line is read, or lock a part of it: with them one
    text can look like another."""
    return text if text.isascii() else _TURNS.sub("", text)


_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def number_of(word: str | None, *, most: int) -> int | None:
    """The whole number that a word is, up to a limit; `None`: it is not one.

    `²` and `①` are digits to `str.isdigit`, but not numbers to `int`; here they are not numbers either.
    """
    if word is None or not word.isdecimal():
        return None
    digits = word.lstrip("0")
    # Python refuses to read thousands of digits.
    return most if len(digits) > len(str(most)) else min(int(digits or "0"), most)


def spans_between(line: str, start: int, end: int, mark: str) -> Iterator[tuple[int, int]]:
    """The non-empty spans into which marks divide a part of a line; columns count from 0."""
    first = start
    while first <= end:
        last = line.find(mark, first, end)
        last = end if last < 0 else last
        if line[first:last].strip():
            yield first, last
        first = last + 1


LIST_MARKS = re.compile(r"\s*(?:(?:[>*+•·–—-]+|\(?\d{1,3}[.)])\s+)*")
"""What a pasted list has before each order: bullets, quotation marks of mail, numbers as in receipts."""


def without_list_marks(line: str) -> str:
    """The line with blanks for its list marks, so that its columns stay."""
    end = lead_end(LIST_MARKS, line)
    return " " * end + line[end:]


def lead_end(pattern: re.Pattern[str], line: str) -> int:
    """Where a line continues after leading list marks or quotes; 0 if it has none."""
    match = pattern.match(line)
    return match.end() if match else 0


def make_plain(text: str) -> str:
    """The text in lower case with plain letters and marks, each character in its place."""
    return text.translate(_PLAIN).lower() if not text.isascii() else text.lower().replace("_", " ")


def in_capitals(text: str) -> str:
    """The text in capitals; a letter without a single capital, such as `ß`, stays, so that no name becomes another."""
    return "".join(large if len(large := letter.upper()) == 1 else letter for letter in text)


_TOKEN = re.compile(
    r"(?P<word>[^\W_](?:[^\W_]|['\u0300-\u036f])*)"
    r"|(?P<back><=*[-~]+>?|<==+|[←⟵⇐]+)"
    r"|(?P<dash>[-=~>]+)"
    r"|(?P<slash>[/(\[])"
    r"|(?P<colon>:)"
    r"|(?P<blank>\u2026|\.{2,}|\?+)"
)
_MARKS = {"back": "<-", "dash": "-", "slash": "/", "colon": ":", "blank": "…"}
_COMBINING = re.compile(r"[\u0300-\u036f]")


def _plain_table() -> dict[int, str]:
    table = {ord(mark): "-" for mark in "‐‑‒–—―−﹘﹣－→➔➙➜⇒⟶»›"}
    table |= {ord(mark): "'" for mark in "‘’‚‛′´`"} | {ord(mark): '"' for mark in "“”„‟«"}
    table |= {
        ord(mark): " "
        for mark in "_\u00a0\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202f\u205f\u2060\u3000\ufeff\ufe0f•·"
    }
    table |= dict.fromkeys(range(8192, 8203), " ")
    table |= dict(zip(map(ord, "øØłŁßæÆœŒıđĐþ"), "oOlLsaAoOidDt", strict=True))
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00), *range(0xFF01, 0xFF5F)):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base.isascii() and code not in table:
            table[code] = base
    return table


_PLAIN = _plain_table()


_MARKED = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decoded(data: bytes) -> str | None:
    """The text, as UTF-8 or UTF-16 if possible, otherwise as old Windows editors wrote it; `None`: it is not text.

    A sheet is read line by line: a wrongly decoded letter costs at most its own line.
    """
    marked = next((encoding for mark, encoding in _MARKED.items() if data.startswith(mark)), None)
    if b"\0" in data and marked != "utf-16":
        return None
    try:
        return data.decode(marked or "utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
