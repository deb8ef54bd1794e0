"""The guided flow for the common orders: what, for what, and how."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.phrases import phrase
from engine.core.system import Choice, Menu
from engine.king_of_kings.listing import legal
from engine.king_of_kings.model import View

_DONE = "PASS"


def menu(view: View, path: Sequence[str]) -> Menu:
    """The step after some choices: the keyword, the subject, the order. An outdated choice starts again."""
    texts = {subject: [line.canonical for line in lines] for subject, lines in legal(view).items()}
    kinds: dict[str, list[str]] = {}
    for subject in texts:
        kinds.setdefault(subject.split()[0], []).append(subject)
    if len(path) > 2 and path[2] in texts.get(path[1], ()):
        return Menu(phrase("menu.done"), (), order=path[2])
    if len(path) == 2 and path[1] in kinds.get(path[0], ()):
        return Menu(phrase("menu.how"), _choices(texts[path[1]]))
    if len(path) == 1 and path[0] in kinds:
        return Menu(phrase("menu.what"), _choices(kinds[path[0]]))
    return Menu(phrase("menu.kind"), _choices([*kinds, _DONE] if kinds else [_DONE])) if path != [_DONE] else _pass()


def _choices(texts: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(text, text) for text in texts)


def _pass() -> Menu:
    return Menu(phrase("menu.done"), (), order=_DONE)
