"""The variant `world`: a random map for 2 to 100 rulers, as the `state` of a game.json. Source: rules R-094, R-095

Homes and seas are laid out great field by great field, then all small fields get their terrain, waters and ascents,
then trade centres are dealt. A draft that breaks a world's guarantees is thrown away. All dice are keyed by the seed
and the version of this generator: no later version changes what an earlier one made for a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.variant import load_variant
from engine.kalevala.coordinates import USUAL_PLANE, Coordinate, Edge, GfId, Province, format_gf, order_of
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.land import Land
from engine.kalevala.model import EXPECTED, MARAUDER, GreatField, TradeCentre, Work
from engine.kalevala.tables import TERRAIN
from engine.kalevala.world.centres import RULERS_A_MARAUDER, deal, site_of
from engine.kalevala.world.mesh import Mesh
from engine.kalevala.world.promise import MOST_UNEVEN, measured, neighbours, steps_over
from engine.kalevala.world.regions import FARTHEST, regions
from engine.kalevala.world.relief import shape
from engine.kalevala.world.shores import even_out
from engine.kalevala.world.waters import dig_stroms, find_ascents, let_rivers_run
from engine.kalevala.writing import field_row
from engine.lattice.great_fields import CELLS, Side

VERSION = 1
"""The version of this generator. New versions are added, so that a running game can be made again from its seed."""
FEWEST, MOST = 2, 100
_MOST_TRIES = 100
_COMPARED = 90
"""The number of drafts, divided by the rulers; if none is even enough, the most even one is taken."""
HOME_CENTRES = ("Std", "Mkt", "Mkt", "F")
"""The trade centres of a realm apart from its capital. Source: rules R-095"""


def start_of_world(players: int, seed: str, *, same_troops: bool = False) -> dict[str, Any]:
    """The starting position of a world as the `state` of a document; the same for the same arguments.

    Args:
        same_troops: all realms have the kind of troops that was drawn for the first. Ruling KA273

    Raises:
        DocumentError: this number of players is not possible.
    """
    if not FEWEST <= players <= MOST:
        raise DocumentError("players", f"{players} can't play; {FEWEST} to {MOST} can")
    best: _Draft | None = None
    compared = 0
    for number in range(_MOST_TRIES):
        found = _draft(players, Dice(seed).for_phase(f"world/{VERSION}/{players}/{number}"))
        if found is None:
            continue
        compared += 1
        if best is None or found.unevenness < best.unevenness:
            best = found
        if best.unevenness <= MOST_UNEVEN or compared >= max(1, _COMPARED // players):
            return _state(best, same_troops=same_troops)
    raise DocumentError("seed", f"no world for {players} rulers comes of it")


def rulers_of_world(players: int, places: int = 0) -> dict[str, Any]:
    """The rulers of a world of this size, as the `state` of a document without land.

    Args:
        places: how many of them, the last ones, are kept for rulers who come later.
    """
    settings = load_variant(SYSTEM, WORLD).settings
    realms: dict[str, Any] = {name: {} for name in settings["names"][:players]}
    realms |= {name: {"kind": EXPECTED} for name in settings["names"][players - places : players]}
    wild = {name: {"kind": MARAUDER, "core": "A"} for name in settings["marauders"][: players // RULERS_A_MARAUDER]}
    return {"rulers": {**realms, **wild}, "gf": {}}


@dataclass(frozen=True, slots=True)
class _Draft:
    """A world before realms are put into it.

    Args:
        homes: the provinces of each, the capital first.
        held: the great fields of marauders.
    """

    dice: Dice
    fields: dict[GfId, GreatField]
    homes: Sequence[Sequence[Province]]
    held: Sequence[GfId]
    unevenness: float


def _draft(players: int, dice: Dice) -> _Draft | None:
    """A world, or `None` if it does not have what it must."""
    laid_out = regions(players, dice)
    if laid_out is None:
        return None
    names = [format_gf(Coordinate(USUAL_PLANE, field.u, field.v)) for field in laid_out.fields]
    homes = [[Province(names[number]) for number in home] for home in laid_out.homes]
    mesh = Mesh(laid_out)
    heights = shape(mesh, dice)
    dig_stroms(mesh, heights)
    even_out(mesh, Land(_fields(mesh, names, {}, {}), None), names, homes)
    fields = _fields(mesh, names, let_rivers_run(mesh, heights), find_ascents(mesh, dice))
    land = Land(fields, None)
    if not _is_sound(land, homes):
        return None
    free = [names[number] for number in range(len(names)) if number not in laid_out.settled | laid_out.sea]
    types, held = deal(land, dice, free, homes, players // RULERS_A_MARAUDER)
    for gf, code in types.items():
        if code:
            fields[gf] = replace(fields[gf], centre=TradeCentre(code, site_of(land, gf)[1], is_founded=gf in held))
    promise = measured(Land(fields, None), fields, homes, {site_of(land, gf)[0] for gf in held})
    return _Draft(dice, fields, homes, held, max(promise.unevenness))


def _is_sound(land: Land, homes: Sequence[Sequence[Province]]) -> bool:
    """Whether homes are connected, and each can reach others over land."""
    if any(not land.has(province) for home in homes for province in home):
        return False
    if any(not set(home[1:]) <= set(land.links(home[0])) for home in homes):
        return False
    steps = neighbours(land, [home[0] for home in homes])
    reached = steps_over(land, homes[0][:1])
    return all(home[0] in reached for home in homes) and all(each is not None and each <= FARTHEST for each in steps)


def _fields(
    mesh: Mesh, names: Sequence[GfId], rivers: Mapping[int, set[Edge]], ascents: Mapping[int, set[Edge]]
) -> dict[GfId, GreatField]:
    """The land without trade centres, in order of coordinates."""
    found = {}
    for number, gf in enumerate(names):
        cells = mesh.cells(number)
        found[gf] = GreatField(
            cells="".join(mesh.letters[at] for at in cells),
            rivers=frozenset(rivers.get(number, ())),
            ascents=frozenset(ascents.get(number, ())),
            flow={at % CELLS + 1: mesh.flow[at].name for at in cells if at in mesh.flow},
        )
    return {gf: found[gf] for gf in sorted(found, key=order_of)}


# The realms


def _state(draft: _Draft, *, same_troops: bool) -> dict[str, Any]:
    dice, fields, land = draft.dice, dict(draft.fields), Land(draft.fields, None)
    settings = load_variant(SYSTEM, WORLD).settings
    rulers: dict[str, Any] = {}
    owners: dict[Province, PowerId] = {}
    stacks: dict[PowerId, dict[Province, str]] = {}
    army: Mapping[str, Any] | None = None
    for place, (name, home) in enumerate(zip(settings["names"], draft.homes, strict=False)):
        ruler = PowerId(name)
        if army is None or not same_troops:
            army = dice.pick(f"army/{place}", settings["armies"])
        goods = dice.pick(f"goods/{place}", settings["goods"])
        rulers[ruler] = {
            "core": army["core"],
            "goods": goods["kinds"],
            "capital": home[0],
            "wizard": {},
            "god": {"oeh": 150, "seat": place + 1, "at": place + 1},
        }
        owners |= dict.fromkeys(home, ruler)
        ring = dice.shuffled(f"home/{place}", home[1:])
        for province, code in zip((home[0], *ring), ("Hstd", *HOME_CENTRES), strict=False):
            _found(fields, land, province, code, has_tower=code == "Hstd")
        stacks[ruler] = stationed(army, goods["stock"], home[0], ring)
    for name, gf in zip(settings["marauders"], draft.held, strict=False):
        province = site_of(land, gf)[0]
        rulers[name] = {"kind": MARAUDER, "core": "A"}
        owners[province] = PowerId(name)
        stacks[PowerId(name)] = {province: "10A"}
    return {
        "rulers": rulers,
        "gf": {gf: field_row(field) for gf, field in fields.items()},
        "owners": {province: owners[province] for province in sorted(owners, key=order_of)},
        "stacks": stacks,
        "archeron": {"seats": {ruler: row["god"]["seat"] for ruler, row in rulers.items() if "god" in row}},
    }


def _found(fields: dict[GfId, GreatField], land: Land, province: Province, code: str, *, has_tower: bool) -> None:
    gf = GfId(province)
    cell = site_of(land, gf)[1]
    field = replace(fields[gf], centre=TradeCentre(code, cell))
    fields[gf] = with_tower(field, cell) if has_tower else field


def with_tower(field: GreatField, cell: int) -> GreatField:
    """A great field with a tower on a small field, and no other works."""
    works = tuple(work for work in field.works if work.cell != cell)
    return replace(field, works=(*works, Work("Tu", cell, gates=(_gate(field, cell),))))


def _gate(field: GreatField, cell: int) -> Edge:
    """A tower's gate: to the south-east if possible, else towards any land where figures can step."""
    level = TERRAIN[field.cells[cell - 1]].level
    sides = (Side.SE, Side.SW, Side.E, Side.W, Side.NE, Side.NW)

    def _fault(edge: Edge) -> tuple[bool, bool, int]:
        beyond = TERRAIN[field.cells[edge.beyond.cell - 1]]
        return not beyond.is_land, abs(beyond.level - level) > 1, sides.index(edge.side)

    return min((edge for side in sides if (edge := Edge(cell, side)).other is not None), key=_fault)


def stationed(army: Mapping[str, Any], stock: str, capital: Province, ring: Sequence[Province]) -> dict[Province, str]:
    """Half of each kind in the capital, with RE and wizard; the rest in turn around it.

    Source: rules R-095, ruling KA52
    """
    places: dict[Province, list[str]] = {capital: [], **{province: [] for province in ring}}
    for code, count in army["figures"].items():
        rest = count // 2
        places[capital].append(f"{count - rest}{code}")
        each, more = divmod(rest, len(ring))
        for place, province in enumerate(ring):
            number = each + (place < more)
            if number:
                places[province].append(f"{number}{code}")
    places[capital] += [stock, "Z/30", f"{20 + army.get('rest', 0)}RE"]
    return {province: " ".join(figures) for province, figures in places.items() if figures}
