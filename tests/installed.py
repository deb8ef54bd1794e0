"""A game of the tests among those of the bot: in the registry, with assets of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from bot.text import catalogue, failure, rules
from engine.core import variant
from engine.core.ids import SystemId
from engine.registry import AnySystem, systems
from tests.toy_system import CATALOGUE, TOY

TOY_ID = SystemId("toy")


@contextmanager
def installed(
    game: Any,
    words: Mapping[str, str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    board: Path | None = None,
    topics: str = "",
) -> Iterator[None]:
    """The toy, or what is made of it, as a game of the bot.

    Args:
        words: beside those of the toy.
        folder: an empty one, for all assets.
        board: the folder of the variant on whose map it is played; `None`: there is no map.
        topics: its rules in short.
    """
    for each in variant.ASSETS.iterdir():
        (folder / each.name).symlink_to(each)
    own = {code: CATALOGUE.template(code) for code in CATALOGUE.codes} | dict(words)
    _write(folder / "toy/phrases/en.toml", "\n".join(f"{code} = {json.dumps(text)}" for code, text in own.items()))
    powers = "\n".join(
        f'[[powers]]\nid = "{each.id}"\nname = "{each.name}"\nletter = "{each.letter}"'
        for each in TOY.play.variant(TOY.play.start(variant="standard", players=3, options={}, seed="")).powers.values()
    )
    _write(folder / "toy/standard/variant.toml", f'name = "The vault"\n{powers}')
    if board is None:
        _write(folder / "toy/standard/provinces.csv", "id,name,kind,centre,home,aliases\n")
        _write(folder / "toy/standard/borders.csv", "a,b,army,fleet\n")
    else:
        for path in board.iterdir():
            if not (folder / "toy/standard" / path.name).exists():
                (folder / "toy/standard" / path.name).symlink_to(path)
    if topics:
        _write(folder / "toy/rules.md", topics)
    monkeypatch.setattr(variant, "ASSETS", folder)
    monkeypatch.setattr(rules, "ASSETS", folder)
    monkeypatch.setitem(systems._known, TOY_ID, cast(AnySystem, game))
    _forget_words()
    yield
    _forget_words()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _forget_words() -> None:
    for kept in (
        variant.load_phrases, catalogue.common_words, catalogue.words_for, catalogue.words_naming,
        failure.all_words, rules.rules_topics,
    ):  # fmt: skip
        kept.cache_clear()
