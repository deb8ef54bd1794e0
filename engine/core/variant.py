"""Reads the rules' files: variants (powers, names of places, set-up, rule choices) and phrases from `assets/`."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any

from engine.core.ids import PowerId, ProvinceId
from engine.core.phrases import ARTICLE, Catalogue

EXTENDS = "extends"
"""Key in a system's phrases that names another system whose phrases it adopts."""
ASSETS = Path(__file__).resolve().parents[2] / "assets"
_PHRASES = "phrases/en.toml"


@dataclass(frozen=True, slots=True)
class Power:
    """A side of a variant: its id, proper name, its letter on the map, and other names for it.

    Args:
        takes_article: a sentence says "the" before the name.
    """

    id: PowerId
    name: str
    letter: str
    aliases: tuple[str, ...] = ()
    takes_article: bool = False

    @property
    def in_sentence(self) -> str:
        """The name as a catalogue has it, which knows when to leave the article out."""
        return f"{ARTICLE}{self.name}" if self.takes_article else self.name


@dataclass(frozen=True, slots=True)
class Space:
    """A space of a map, as people call it.

    Args:
        home: the power whose home it is.
        aliases: other names that players use, as they are written.
    """

    id: ProvinceId
    name: str
    home: PowerId | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A map with its powers and set-up. Only the game knows what can be done on the map.

    Args:
        powers: in seat order.
        spaces: in map order, by id.
        settings: the rest of variant.toml, for the system to read: set-up, first phase, rulebook.
        tables: the rows of further CSV files of the variant, as `tables` in variant.toml lists them, by name.
    """

    system: str
    id: str
    name: str
    powers: Mapping[PowerId, Power]
    spaces: Mapping[ProvinceId, Space]
    settings: Mapping[str, Any]
    tables: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)


@cache
def load_variant(system: str, variant: str) -> Variant:
    """The variant in `assets/<system>/<variant>/`, read once.

    Raises:
        FileNotFoundError: there is no such variant.
    """
    folder = folder_of(system, variant)
    settings = tomllib.loads((folder / "variant.toml").read_text(encoding="utf-8"))
    powers = [
        Power(
            PowerId(intern(row["id"])),
            row["name"],
            row["letter"],
            tuple(row.get("aliases", ())),
            takes_article=row.get("article", False),
        )
        for row in settings.pop("powers")
    ]
    return Variant(
        system=system,
        id=variant,
        name=settings.pop("name"),
        powers={power.id: power for power in powers},
        spaces=_load_spaces(folder / "provinces.csv"),
        tables={table: tuple(rows_of_table(folder / f"{table}.csv")) for table in settings.pop("tables", ())},
        settings=settings,
    )


def folder_of(system: str, variant: str) -> Path:
    """Where a variant's files are."""
    return ASSETS / system / variant


@cache
def variant_ids(system: str) -> tuple[str, ...]:
    """The variants of a system, sorted."""
    return tuple(sorted(path.parent.name for path in (ASSETS / system).glob("*/variant.toml")))


@cache
def load_phrases(system: str | None = None) -> Catalogue:
    """The phrases of a system together with those that all share (`assets/phrases/`); `None`: only the shared ones.

    The proper names of its variants' powers and provinces are among them.
    """
    shared = _read_catalogue(ASSETS / _PHRASES)
    if system is None:
        return shared
    own = _words_of(system)
    return shared.with_catalogue(Catalogue({}, _proper_names(system))).with_catalogue(own)


def phrases_of(variant: Variant) -> Catalogue:
    """The phrases of a variant's system, with the names of the variant's own powers."""
    names = {str(power.id): power.in_sentence for power in variant.powers.values()}
    return load_phrases(variant.system).with_catalogue(Catalogue({}, names))


def _words_of(system: str) -> Catalogue:
    """A system's own phrases, and as a fallback those of the system that its file `extends`."""
    own = _read_catalogue(ASSETS / system / _PHRASES)
    if EXTENDS not in own.codes:
        return own
    return _words_of(own.template(EXTENDS)).with_catalogue(own)


def _proper_names(system: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for variant in (load_variant(system, name) for name in variant_ids(system)):
        names |= {power.id: power.in_sentence for power in variant.powers.values()}
        names |= {space.id: space.name for space in variant.spaces.values()}
    return names


@cache
def _read_catalogue(path: Path) -> Catalogue:
    """The words of a file. Games share the texts of those that they have in common."""
    source = path.relative_to(ASSETS.parent).as_posix()
    if not path.exists():
        return Catalogue({}, {}, source=source)
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    names = {str(key): str(value) for key, value in data.pop("names", {}).items()}
    return Catalogue(dict(_flatten("", data)), names, source=source)


def _flatten(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        pairs += _flatten(f"{prefix}{key}.", value) if isinstance(value, dict) else [(prefix + key, value)]
    return pairs


def _load_spaces(path: Path) -> dict[ProvinceId, Space]:
    if not path.exists():
        return {}
    spaces = [
        Space(
            id=ProvinceId(row["id"]),
            name=row["name"],
            home=PowerId(row["home"]) if row["home"] else None,
            aliases=tuple(alias.strip() for alias in row["aliases"].split(";") if alias.strip()),
        )
        for row in rows_of_table(path)
    ]
    return {space.id: space for space in spaces}


@cache
def neighbours_of(system: str, variant: str) -> Mapping[ProvinceId, frozenset[ProvinceId]]:
    """For each province, those between which and it something can move, on a variant's map of provinces."""
    found: dict[ProvinceId, set[ProvinceId]] = {}
    for row in rows_of_table(folder_of(system, variant) / "borders.csv"):
        one, other = (ProvinceId(intern(row[side].partition("/")[0])) for side in ("a", "b"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {province: frozenset(others) for province, others in found.items()}


def rows_of_table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, by column."""
    # Ids are interned when they are read, so that looking one up hardly ever compares letters.
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: intern(value) for key, value in row.items()} for row in csv.DictReader(file)]
