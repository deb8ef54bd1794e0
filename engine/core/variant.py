"""The only reader of the rules' files: variants (map, powers, set-up, rule choices) and phrases from `assets/`."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.phrases import Catalogue
from engine.provinces.board import Board, Province, Terrain

EXTENDS = "extends"
"""Key of a system's phrases that names another system, whose words it takes over."""
ASSETS = Path(__file__).resolve().parents[2] / "assets"


@dataclass(frozen=True, slots=True)
class Power:
    """A side of a variant: its id, proper name, the letter that stands for it on the map, other names that it has."""

    id: PowerId
    name: str
    letter: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A map with its powers and set-up.

    Args:
        powers: in seat order.
        settings: the rest of variant.toml, for the system to read: set-up, first phase, rulebook.
        tables: the rows of further CSV files of the variant, as `tables` in variant.toml lists them, by name.
    """

    system: str
    id: str
    name: str
    powers: Mapping[PowerId, Power]
    board: Board
    settings: Mapping[str, Any]
    tables: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)


@cache
def load_variant(system: str, variant: str) -> Variant:
    """The variant in `assets/<system>/<variant>/`, read once.

    Raises:
        FileNotFoundError: there is no such variant.
    """
    folder = ASSETS / system / variant
    settings = tomllib.loads((folder / "variant.toml").read_text(encoding="utf-8"))
    powers = [
        Power(PowerId(intern(row["id"])), row["name"], row["letter"], tuple(row.get("aliases", ())))
        for row in settings.pop("powers")
    ]
    return Variant(
        system=system,
        id=variant,
        name=settings.pop("name"),
        powers={power.id: power for power in powers},
        board=_load_board(folder),
        tables={table: tuple(_rows(folder / f"{table}.csv")) for table in settings.pop("tables", ())},
        settings=settings,
    )


def variant_ids(system: str) -> tuple[str, ...]:
    """The variants of a system, sorted."""
    return tuple(sorted(path.parent.name for path in (ASSETS / system).glob("*/variant.toml")))


@cache
def load_phrases(system: str | None = None, language: str = "en") -> Catalogue:
    """The words of a system together with those that all share (`assets/phrases/`); `None`: the shared ones alone.

    The proper names of its variants' powers and provinces are among them.
    """
    shared = _read_catalogue(ASSETS / "phrases" / f"{language}.toml")
    if system is None:
        return shared
    own = _words_of(system, language)
    return shared.with_catalogue(Catalogue({}, _proper_names(system))).with_catalogue(own)


def _words_of(system: str, language: str) -> Catalogue:
    """A system's own words, and below them those of the system that its file `extends`."""
    path = ASSETS / system / "phrases" / f"{language}.toml"
    own = _read_catalogue(path)
    if EXTENDS not in own.codes:
        return own
    return _words_of(own.template(EXTENDS), language).with_catalogue(own)


def _proper_names(system: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for variant in (load_variant(system, name) for name in variant_ids(system)):
        names |= {power.id: power.name for power in variant.powers.values()}
        names |= {province.id: province.name for province in variant.board.provinces.values()}
    return names


def _read_catalogue(path: Path) -> Catalogue:
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


def _load_board(folder: Path) -> Board:
    borders = _rows(folder / "borders.csv")
    coasts: defaultdict[str, set[str]] = defaultdict(set)
    for row in borders:
        for place in (row["a"], row["b"]):
            if "/" in place:
                coasts[province_of(PlaceId(place))].add(place)
    provinces = [_province(row, coasts[row["id"]]) for row in _rows(folder / "provinces.csv")]
    army: dict[ProvinceId, set[ProvinceId]] = {province.id: set() for province in provinces}
    fleet: dict[PlaceId, set[PlaceId]] = {
        place: set() for province in provinces for place in (PlaceId(province.id), *province.coasts)
    }
    for row in borders:
        for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
            if row["army"] == "yes":
                army[ProvinceId(here)].add(ProvinceId(there))
            if row["fleet"] == "yes":
                fleet[PlaceId(here)].add(PlaceId(there))
    return Board(
        provinces={province.id: province for province in provinces},
        army_moves={key: tuple(sorted(value)) for key, value in army.items()},
        fleet_moves={key: tuple(sorted(value)) for key, value in fleet.items()},
    )


def _province(row: Mapping[str, str], coasts: set[str]) -> Province:
    return Province(
        id=ProvinceId(row["id"]),
        name=row["name"],
        terrain=Terrain(row["kind"]),
        is_centre=row["centre"] == "yes",
        home=PowerId(row["home"]) if row["home"] else None,
        coasts=tuple(PlaceId(place) for place in sorted(coasts)),
        aliases=tuple(alias.strip() for alias in row["aliases"].split(";") if alias.strip()),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    # Ids are interned wherever they are read, so that looking one up hardly ever compares letters.
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: intern(value) for key, value in row.items()} for row in csv.DictReader(file)]
