"""What newcomers write instead of an order's own words: `load 4 lancers onto …` for `BOARD 4L …`.

None of it is read as an order: it only finds the one to propose. Source: rules 32
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.kalevala.figures import kind_of, with_loads
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View

_HEADS: Mapping[str, str] = {
    "BOARD": "load embark",
    "LAND": "unload disembark debark",
    "FERRY": "ship transport",
    "SAIL": "voyage navigate cruise",
    "EXPLORE": "scout search reconnoitre recon discover",
    "AGENT 1 SCOUT": "spy",
    "AGENT 1 DO MURDER": "murder assassinate kill",
    "AGENT 1 DO THEFT": "steal rob",
    "AGENT 1 DO KIDNAP": "kidnap abduct",
    "AGENT 1 DO SABOTAGE": "sabotage",
    "AGENT 1 DO BRIBE": "bribe",
    "CONVERT": "buy recruit train raise make hire produce create equip",
    "BUILD": "construct erect",
    "TEAR": "demolish",
    "MOVE": "go march walk ride travel send bring take transfer",
    "ENTER": "attack invade occupy conquer colonise colonize capture raid",
    "WATCH": "guard patrol",
    "HANDOVER": "give trade sell swap exchange deliver gift",
    "LETTER": "write message mail tell say",
    "GIFT": "donate sacrifice offer",
    "ORACLE": "ask",
    "GOD LEARN": "learn",
    "PASS": "wait nothing skip rest",
}
_ORDERS: Mapping[str, str] = {word.upper(): head for head, words in _HEADS.items() for word in words.split()}
_TO_RULERS = {"MOVE": "HANDOVER"}
"""What it means instead if the line names another ruler: `send 2 onagers to bert`."""
_CLASSES = ("", "B", "C")
_SMALL_WORDS = re.compile(r"(?i)(?<!\S)(?:the|a|an|and|my|with|on|onto|in|into|at|from)(?!\S)")


def head_for(line: str, view: View) -> str:
    """How an order begins that somebody may mean who begins like this; empty: none."""
    first, *rest = line.upper().split()
    head = _ORDERS.get(first, "")
    names_ruler = any(word.strip(":,").lower() in view.state.rulers for word in rest)
    return _TO_RULERS.get(head, head) if names_ruler else head


def in_codes(text: str, view: View) -> str:
    """A line with codes for figures written in words: `4L` for `4 lancers`. Of several classes of the same figure the
    one that the viewer has is meant, if it is only one.
    """
    codes, names = _names()
    owned = {kind_of(item).code for stack in _stacks(view) for item in with_loads(stack)}

    def coded(found: re.Match[str]) -> str:
        code = codes[found["name"].lower()]
        own = [code + rank for rank in _CLASSES if code + rank in owned]
        return f"{found['count'] or ''}{own[0] if len(own) == 1 else code}"

    return names.sub(coded, text)


def without_small_words(text: str) -> str:
    """A line without articles and prepositions."""
    return " ".join(_SMALL_WORDS.sub(" ", text).split())


def _stacks(view: View) -> Iterable[Mapping[str, int]]:
    return () if view.viewer is None else view.state.stacks.get(view.viewer, {}).values()


@cache
def _names() -> tuple[Mapping[str, str], re.Pattern[str]]:
    """The codes by their names, one and several, and what finds a name in a line."""
    words = load_phrases(SYSTEM)
    found = {
        words.render(phrase(code, count=count)).lower(): code.removeprefix("figure.")
        for code in words.codes
        if code.startswith("figure.")
        for count in (1, 2)
    }
    either = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return found, re.compile(rf"(?<!\S)(?:(?P<count>\d+)\s+)?(?P<name>{either})(?![^\s,])", re.IGNORECASE)
