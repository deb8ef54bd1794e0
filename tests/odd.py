"""What people, keyboards and programs send that nobody thought of, for tests: all of Unicode, broken numbers, halves of
characters, marks in a row, and the words of a game in the wrong places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

NUMBERS = (
    *"²①⑤½٣٠𝟙Ⅷ万", "3½", "²²", "-1", "+3", "--5", "0", "00", "007", "1.5", "1/2", "1e5", "1_0", "nan", "inf",
    "9" * 30, "9" * 5000,
)  # fmt: skip
MARKS = (
    *"-–—→/,;:….#[](){}*+>\"'`´^~|\\=?!&%$€@_<•", "...", "--", "- - - -", "//", "```", "::", "->", "=>",
    *"\0\t\x0b\x1c\x1f\x85\r\n\u2028\u200b\u200e\u202e\u0301\ufeffİßﬀǅ", "\ud800", "\udfff",
    "\U0001f600", "\U0001f469\u200d\U0001f680",
)  # fmt: skip
ANY_CHARACTER = st.characters(codec=None)
"""With halves of characters, which JSON can hold."""


def odd_texts(words: Iterable[str] = (), *, most: int = 8) -> st.SearchStrategy[str]:
    """Texts of such pieces, and of some words besides."""
    known = st.sampled_from(tuple(words) or ("A",))
    pieces = known | st.sampled_from(NUMBERS) | st.sampled_from(MARKS) | st.text(ANY_CHARACTER, max_size=4)
    return st.builds(str.join, st.sampled_from((" ", " ", "")), st.lists(pieces, max_size=most))


def odd_sheets(words: Sequence[str]) -> st.SearchStrategy[str]:
    """Some such lines, a sheet."""
    return st.lists(odd_texts(words), min_size=1, max_size=4).map("\n".join)
