"""The common orders that a ruler may give now, and completions of what was typed.

There are many more orders than these, since any part of a stack may be named.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.kalevala.guide import common
from engine.kalevala.model import View
from engine.kalevala.orders import Line, Pass
from engine.kalevala.sheet import is_asked, subject


def legal(view: View) -> Mapping[str, tuple[Line, ...]]:
    """What the guided flow offers, by subject: each order is possible by itself."""
    if not is_asked(view):
        return {}
    listed: dict[str, list[Line]] = {}
    for order in common(view):
        listed.setdefault(subject(order), []).append(Line(order))
    # PASS goes with no other line: it is an order of its own where there is nothing else to order.
    return {key: tuple(lines) for key, lines in listed.items()} or {"PASS": (Line(Pass()),)}


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Canonical orders that begin as typed; if nothing was typed, the first of each kind, then of each subject."""
    found = [tuple(line.canonical for line in lines) for lines in legal(view).values()]
    words = " ".join(typed.upper().split())
    if words:
        return tuple(text for texts in found for text in texts if text.upper().startswith(words))[:limit]
    kinds: dict[str, str] = {}
    for texts in found:
        kinds.setdefault(texts[0].split()[0], texts[0])
    return tuple(dict.fromkeys((*kinds.values(), *(texts[0] for texts in found))))[:limit]
