"""Order lines to mystics. Source: rules 14, 32"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.planes.orders import MakePortal, Rift, Transfer, Vortex

PlaneOrder: TypeAlias = Transfer | MakePortal | Rift | Vortex


def _transfer(words: LineWords) -> PlaneOrder:
    amount = words.number()
    if not words.take("ZEH", "Z", ">", "MY"):
        raise UnreadableLine
    return Transfer(amount)


def _rift(words: LineWords) -> PlaneOrder:
    path = words.path()
    if len(path) != 2:
        raise UnreadableLine
    return Rift(path, words.own_figures())


def _vortex(words: LineWords) -> PlaneOrder:
    who, path = words.name(), words.path()
    if len(path) != 2:
        raise UnreadableLine
    return Vortex(who, path, words.figures())


FORMS: Mapping[str, str] = {
    "TRANSFER": "TRANSFER 30 ZEH Z > My",
    "PORTAL": "PORTAL 2D+4",
    "RIFT": "RIFT 2D+4 > 1D+4 5LB",
    "VORTEX": "VORTEX bert 2D+4 > 1D+4 5LB",
}
"""How each line is written."""
READERS: Mapping[str, Callable[[LineWords], PlaneOrder]] = {
    "TRANSFER": _transfer,
    "PORTAL": lambda words: MakePortal(words.place()),
    "RIFT": _rift,
    "VORTEX": _vortex,
}
"""The reader of each kind of line, by its first word."""
