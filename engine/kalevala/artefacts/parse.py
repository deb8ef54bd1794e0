"""Lines about artefacts. Source: rules 19.2, rulings KA231, KA232"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.artefacts.facts import is_artefact
from engine.kalevala.artefacts.orders import BearArtefact, LayArtefact, TakeArtefact
from engine.kalevala.figures import kind_of, parse_figures
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.tables import Group

ArtefactOrder: TypeAlias = TakeArtefact | LayArtefact | BearArtefact


def _artefact(words: LineWords) -> ArtefactOrder:
    """`ARTEFACT …`."""
    read = _VERBS.get(words.word().upper())
    if read is None:
        raise UnreadableLine
    return read(words)


def _lay(words: LineWords) -> LayArtefact:
    item, at = _item(words), words.place()
    words.need("KF")
    return LayArtefact(item, at, words.cell())


def _bear(words: LineWords) -> BearArtefact:
    item, figures = _item(words), parse_figures(words.word()) or {}
    code = next(iter(figures), "RE")
    if len(figures) != 1 or kind_of(code).group is not Group.HUMAN:
        raise UnreadableLine
    return BearArtefact(item, kind_of(code).code)


def _item(words: LineWords) -> str:
    """An artefact: `Ar/1`."""
    figures = parse_figures(words.word()) or {}
    item = next(iter(figures), "RE")
    if figures != {item: 1} or not is_artefact(item):
        raise UnreadableLine
    return item


_VERBS: Mapping[str, Callable[[LineWords], ArtefactOrder]] = {
    "TAKE": lambda words: TakeArtefact(words.place()),
    "LAY": _lay,
    "BEAR": _bear,
}
FORMS: Mapping[str, str] = {"ARTEFACT": "ARTEFACT TAKE 2D+4"}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {"ARTEFACT": ("ARTEFACT LAY Ar/1 2D+4 KF 20", "ARTEFACT BEAR Ar/1 LB")}
READERS: Mapping[str, Callable[[LineWords], ArtefactOrder]] = {"ARTEFACT": _artefact}
