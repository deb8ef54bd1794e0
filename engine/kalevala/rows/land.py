"""Great fields of a document, with their trade centres and works. Source: rules 30"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.core.documents import boolean_of, list_of, mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN_CELLS, GreatField, TradeCentre, Work
from engine.kalevala.rows.values import cell_of, coordinate_of, count_of, edge_of, edges_of, given_or, side_of
from engine.kalevala.tables import CENTRES, TERRAIN, WAYS, WORKS
from engine.lattice.great_fields import CELLS


def field_of(given: Any, where: str, plane: int | None) -> GreatField:
    """A great field; what is left out is as on a plain."""
    row = mapping_of(given_or(given, {}), where)
    centre, parts, portal = row.get("hz"), row.get("parts"), row.get("portal")
    works = rows_of(given_or(row.get("works"), ()), f"{where}.works")
    flow = mapping_of(given_or(row.get("flow"), {}), f"{where}.flow")
    names = mapping_of(given_or(row.get("names"), {}), f"{where}.names")
    return GreatField(
        cells=_cells(given_or(row.get("kf"), PLAIN_CELLS), f"{where}.kf"),
        rivers=frozenset(edges_of(row.get("river"), f"{where}.river")),
        ascents=frozenset(edges_of(row.get("ascent"), f"{where}.ascent")),
        flow={cell_of(key, f"{where}.flow"): side_of(side, f"{where}.flow.{key}") for key, side in flow.items()},
        has_road=boolean_of(given_or(row.get("road"), False), f"{where}.road"),
        portal=None if portal is None else coordinate_of(portal, f"{where}.portal", plane),
        names={str(key): str(value) for key, value in names.items()},
        parts=None if parts is None else tuple(_parts(parts, f"{where}.parts")),
        centre=None if centre is None else centre_of(mapping_of(centre, f"{where}.hz"), f"{where}.hz"),
        works=tuple(_work(work, f"{where}.works[{index}]") for index, work in enumerate(works)),
    )


def founded(field: GreatField, given: Any, gf: GfId, land: Land, owners: Mapping[Province, PowerId]) -> GreatField:
    """The field with its centre founded or not, which without a word of the document depends on who owns it."""
    centre = field.centre
    if centre is None or given_or(given, {})["hz"].get("founded") is not None:
        return field
    province = next(each for each in land.provinces(gf) if land.centre(each) is not None)
    return replace(field, centre=replace(centre, is_founded=province in owners))


def _cells(value: Any, where: str) -> str:
    cells = "".join(str(value).split())
    wrong = next((letter for letter in cells if letter not in TERRAIN), None)
    if wrong is not None:
        raise DocumentError(where, f"{wrong!r} is no letter of terrain")
    if len(cells) != CELLS:
        raise DocumentError(where, f"has {len(cells)} letters, not {CELLS}")
    return cells


def _parts(value: Any, where: str) -> Iterator[tuple[int, ...]]:
    seen: set[int] = set()
    for index, part in enumerate(list_of(value, where)):
        cells = tuple(sorted({cell_of(cell, f"{where}[{index}]") for cell in list_of(part, f"{where}[{index}]")}))
        if not cells:
            raise DocumentError(f"{where}[{index}]", "is empty")
        if seen & set(cells):
            raise DocumentError(f"{where}[{index}]", f"{min(seen & set(cells))} stands in another part too")
        seen |= set(cells)
        yield cells


def centre_of(row: Mapping[str, Any], where: str) -> TradeCentre:
    """A trade centre; it is founded unless its row says otherwise."""
    given = str(row.get("type", ""))
    kind = next((code for code in CENTRES if code.casefold() == given.casefold()), None)
    if kind is None:
        raise DocumentError(f"{where}.type", f"{given!r} is none of {', '.join(CENTRES)}")
    return TradeCentre(
        type=kind,
        cell=cell_of(row["kf"], f"{where}.kf") if row.get("kf") is not None else None,
        name=str(given_or(row.get("name"), "")),
        is_founded=boolean_of(given_or(row.get("founded"), True), f"{where}.founded"),
        plundered=count_of(given_or(row.get("plundered"), 0), f"{where}.plundered"),
    )


def _work(row: Mapping[str, Any], where: str) -> Work:
    given = str(row.get("type", ""))
    kinds = (*WORKS, *WAYS)
    # Bf and BF, Br and BR differ only in case.
    kind = given if given in kinds else next((code for code in kinds if code.casefold() == given.casefold()), None)
    if kind is None:
        raise DocumentError(f"{where}.type", f"{given!r} is none of {', '.join(kinds)}")
    has_edge = kind in ("Ma", "Br")
    place = "edge" if has_edge else "kf"
    if row.get(place) is None:
        raise DocumentError(f"{where}.{place}", "is missing")
    banks = list_of(given_or(row.get("banks"), ()), f"{where}.banks")
    return Work(
        type=kind,
        cell=None if has_edge else cell_of(row["kf"], f"{where}.kf"),
        edge=edge_of(row["edge"], f"{where}.edge") if has_edge else None,
        gates=tuple(edges_of(row.get("gates"), f"{where}.gates")),
        has_gate=boolean_of(given_or(row.get("gate"), False), f"{where}.gate"),
        opens=None if row.get("opens") is None else cell_of(row["opens"], f"{where}.opens"),
        hits=count_of(given_or(row.get("hits"), 0), f"{where}.hits"),
        is_headquarters=boolean_of(given_or(row.get("ghz"), False), f"{where}.ghz"),
        is_palace=boolean_of(given_or(row.get("palace"), False), f"{where}.palace"),
        treasure=count_of(given_or(row.get("ts"), 0), f"{where}.ts"),
        paid=None if row.get("paid") is None else count_of(row["paid"], f"{where}.paid"),
        banks=tuple(cell_of(bank, f"{where}.banks[{index}]") for index, bank in enumerate(banks)),
        damaged=count_of(given_or(row.get("damaged"), 0), f"{where}.damaged"),
        broken=tuple(edges_of(row.get("broken"), f"{where}.broken")),
        is_hard=boolean_of(given_or(row.get("hard"), False), f"{where}.hard"),
        until=count_of(given_or(row.get("until"), 0), f"{where}.until"),
    )
