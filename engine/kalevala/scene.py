"""The land that a ruler knows, as a picture: great fields as hexes, each with its small ones. Source: rules 6, 31

All of it comes from the view, so that what a ruler does not know is nowhere in the scene. Ways have a manner:
`explore`, `enter`, `move`, `sail`. Signs of tiles: `capital`, `contested`, `ship`, `king`, `temple`,
`portal`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.agents.orders import AgentMove
from engine.kalevala.artefacts.facts import artefacts_in
from engine.kalevala.board import variant_of
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import (
    USUAL_PLANE,
    GfId,
    Province,
    coordinate_of,
    gf_of,
    neighbours_of,
    order_of,
    part_of,
)
from engine.kalevala.describe import about, centre_of, known_fields, seen_last, seen_now
from engine.kalevala.figures import format_figures
from engine.kalevala.info import SYSTEM
from engine.kalevala.kings.facts import is_king
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import EXPECTED, INVADER, GreatField, State, TradeCentre, View, Work
from engine.kalevala.orders import Enter, Explore, Ferry, Line, Move, Sail
from engine.kalevala.planes.facts import portals_in
from engine.kalevala.priests.facts import is_temple
from engine.kalevala.realms import realm_of
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.tables import CENTRES, TERRAIN
from engine.kalevala.window import Window
from engine.lattice.great_fields import Side, tile_of
from engine.lattice.hexes import Hexes, Top, distance
from engine.lattice.tiling import TileId
from engine.pictures.cells import UNSEEN, Cells, CellSign, EdgeSign, Ground, Part
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.tiles import UNKNOWN, KeyRow, Shown, Tile, TileScene, Trail, Troops

_COVERS = ("forest", "desert", "swamp", "mangrove", "ice", "mountains", "gorge")
GROUNDS: Mapping[str, Ground] = {
    terrain.letter: Ground(
        terrain.name,
        terrain.level,
        next((cover for cover in _COVERS if terrain.name.endswith(cover)), ""),
        terrain.is_water,
    )
    for terrain in TERRAIN.values()
}
WORKS: Mapping[str, str] = {
    "Fu": "foundation", "Tu": "tower", "Bf": "keep", "BF": "great_keep", "Tt": "temple", "BR": "stream_bridge",
    "canal": "canal", "pass": "pass",
}  # fmt: skip
"""The signs for works on a cell."""
_EDGES = ("river", "ascent", "wall", "gate", "bridge", "flow")
_SIGNS = ("capital", "contested", "ship", "king", "temple", "portal", "treasure", "failed")
_MANNERS = ("explore", "enter", "move", "sail")


def scene(
    view: View, *, orders: Iterable[Line] = (), results: Sequence[OrderResult[Line]] = (), events: Sequence[Event] = ()
) -> TileScene:
    """What the viewer knows, with pending orders, or with the results of the window that began with it."""
    state = view.state
    variant = variant_of(state)
    at = _layout(state, view.viewer)
    tiles = dict(_tiles(view, at))
    ways = [way for line in orders for way in _marches(view, at, line, ArrowStatus.PENDING)]
    ways += [way for result in results for way in _marches_of(view, at, result)]
    board = frozenset((*tiles, *(tile for march in ways for tile in march.way)))
    return TileScene(
        system=SYSTEM,
        variant=variant.id,
        title=_title(view),
        board=Hexes(board, Top.FLAT),
        tiles=tiles,
        powers=tuple(variant.powers.values()),
        marches=tuple(ways),
        legend=tuple(_legend(state)),
        key=_KEY,
        viewer=view.viewer,
        is_in_fog=True,
        grounds=GROUNDS,
        about=() if view.viewer is None else tuple(known_fields(state, view.viewer)),
    )


def _title(view: View) -> Phrase:
    if view.viewer is None:
        return phrase("board.title", time=view.state.time)
    return phrase("board.realm", ruler=view.viewer, time=view.state.time)


_Layout: TypeAlias = Callable[[GfId | Province], TileId]
"""Where a great field is drawn."""
_GAP = 2
"""How many tiles are left between the known parts of two planes."""


def _layout(state: State, viewer: PowerId | None) -> _Layout:
    """The plane of the capital, and to the right of it, one after the other, what is known of other planes."""
    first = _first_plane(state, viewer)
    planes: dict[int, set[TileId]] = {first: set()}
    for gf in sorted(state.land, key=lambda gf: (coordinate_of(gf).plane != first, order_of(gf))):
        for near in (gf, *neighbours_of(gf)):
            planes.setdefault(coordinate_of(gf).plane, set()).add(tile_of(coordinate_of(near).field))
    shifts, free = {first: (0, 0)}, max((q for q, _ in planes[first]), default=0) + _GAP
    for plane in list(planes)[1:]:
        left = min(q for q, _ in planes[plane])
        over = free - left + (free - left) % 2  # an even number of columns leaves the rows where they are
        shifts[plane] = over, -over // 2
        free = max(q for q, _ in planes[plane]) + over + _GAP

    def at(gf: GfId | Province) -> TileId:
        coordinate = coordinate_of(gf)
        (q, r), (dq, dr) = tile_of(coordinate.field), shifts.get(coordinate.plane, (0, 0))
        return q + dq, r + dr

    return at


def _first_plane(state: State, viewer: PowerId | None) -> int:
    """The plane of the capital, else of the first province."""
    if viewer is None:
        return USUAL_PLANE
    capital = state.rulers[viewer].capital
    own = (*state.owned(viewer), *sorted(state.stacks.get(viewer, {}), key=order_of))
    return coordinate_of(capital if capital in own and capital else next(iter(own), Province("2A+0"))).plane


# --- The land -----------------------------------------------------------------------------------------------


def _tiles(view: View, at: _Layout) -> Iterator[tuple[TileId, Tile]]:
    """The fields that the viewer knows, then those around them, known only by name."""
    state, viewer = view.state, view.viewer
    if viewer is None:
        return
    land, known = land_of(state), sorted(state.land, key=order_of)
    seen, roamers = seen_now(state, viewer), _roamed(state, viewer)
    places: dict[GfId, list[Province]] = {}
    for province in {*state.owners, *(province for own in state.stacks.values() for province in own)}:
        places.setdefault(gf_of(province), []).append(province)
    for gf in known:
        there = sorted(places.get(gf, ()), key=order_of)
        found = _tile(view, land, gf, there, roamers, is_remembered=gf not in seen)
        yield at(gf), found
    for beside in dict.fromkeys(other for gf in known for other in neighbours_of(gf)):
        if beside not in state.land:
            yield at(beside), Tile(UNKNOWN, "?", tag=beside)


def _roamed(state: State, viewer: PowerId) -> Mapping[Province, PowerId]:
    """The seas and natives' land in an invader's realm: on the invader's map they look like own land. 4.4, KA209"""
    if state.rulers[viewer].kind != INVADER:
        return {}
    return {place: viewer for place in realm_of(Window(state, {}, None), viewer) if place not in state.owners}


def _tile(
    view: View,
    land: Land,
    gf: GfId,
    places: Sequence[Province],
    roamers: Mapping[Province, PowerId],
    *,
    is_remembered: bool,
) -> Tile:
    state, field = view.state, land.field(gf)
    parts = [
        Part(cells, state.owners.get(province, roamers.get(province)), f"{part_of(province) or ''}")
        for province, cells in ((province, land.cells(province)) for province in land.provinces(gf))
    ]
    owners = [part.owner for part in parts if part.owner is not None]
    ground = GROUNDS[_commonest(field.cells)] if set(field.cells) != {UNSEEN} else None
    centre = centre_of(state, gf, field, is_remembered=is_remembered)
    name = field.names.get("hz", "") if centre is None else centre.name
    capital = state.rulers[view.viewer].capital if view.viewer is not None else None
    signs = ("capital",) if capital is not None and gf_of(capital) == gf and view.viewer in owners else ()
    return Tile(
        terrain=ground.word if ground is not None else UNKNOWN,
        letter=_commonest(field.cells) if ground is not None else UNSEEN,
        is_water=ground is not None and ground.is_water,
        name=name,
        tag=gf,
        owner=view.viewer if view.viewer in owners else next(iter(owners), None),
        troops=(*_troops(state, places), *_agents(state, view.viewer, gf), *_caravans(state, gf)),
        signs=(*signs, *_more_signs(state, gf, field, places)),
        note=_since(state, gf) if is_remembered else "",
        is_remembered=is_remembered,
        cells=Cells(
            grounds=field.cells,
            edges=tuple(_edges(field)),
            flow=_flow(field),
            signs=tuple(_signs(field, centre)),
            parts=tuple(parts),
            about=tuple(about(state, land, gf, places, is_remembered=is_remembered)),
        ),
    )


def _more_signs(state: State, gf: GfId, field: GreatField, places: Sequence[Province]) -> Iterator[str]:
    """Signs for a contested field, craft, a king, a temple, a portal, an artefact."""
    if any(place in state.contested for place in places):
        yield "contested"
    if any(craft_among(state.stack(ruler, place)) for place in places for ruler in state.present(place)):
        yield "ship"
    if any(is_king(item) for place in places for ruler in state.present(place) for item in state.stack(ruler, place)):
        yield "king"
    if any(map(is_temple, field.works)):
        yield "temple"
    if any(gf in (gf_of(portal.at), portal.to) for portal in portals_in(state.modules)):
        yield "portal"
    if any(gf_of(artefact.at) == gf for artefact in artefacts_in(state.modules)):
        yield "treasure"


def _since(state: State, gf: GfId) -> str:
    gr = seen_last(state, gf)
    return "" if gr is None else f"GR {gr}"


def bare_field(land: Land, gf: GfId) -> Tile:
    """Only the cells of a field, without its text and figures."""
    field = land.field(gf)
    parts = tuple(Part(land.cells(province), None, f"{part_of(province) or ''}") for province in land.provinces(gf))
    cells = Cells(field.cells, tuple(_edges(field)), _flow(field), tuple(_signs(field, field.centre)), parts)
    return Tile(UNKNOWN, UNSEEN, tag=gf, cells=cells)


def _flow(field: GreatField) -> tuple[tuple[int, Side], ...]:
    return tuple((cell, Side[side]) for cell, side in sorted(field.flow.items()))


def _commonest(cells: str) -> str:
    """The most common terrain of a field; if several are equally common, the first."""
    return max(dict.fromkeys(cells.replace(UNSEEN, "")), key=cells.count, default=UNSEEN)


def _troops(state: State, places: Sequence[Province]) -> Iterator[Troops]:
    for province in places:
        part = f"/{part_of(province)} " if part_of(province) else ""
        for ruler in state.present(province):
            yield Troops(ruler, part + format_figures(state.stack(ruler, province)))


def _agents(state: State, viewer: PowerId | None, gf: GfId) -> Iterator[Troops]:
    """The viewer's agents with their groups; captives with their captors."""
    for agent in agents_in(state.modules):
        if agent.ruler == viewer and gf_of(agent.at) == gf:
            group = format_figures({**agent.group, "RE": agent.money})
            yield Troops(agent.ruler, f"{agent.name} {group}".strip() if agent.captor is None else f"({agent.name})")


def _caravans(state: State, gf: GfId) -> Iterator[Troops]:
    """The viewer's caravans with what they carry.

    Others' are mentioned only in text, since their owners are not known for sure.
    """
    for caravan in caravans_in(state.modules):
        if gf_of(caravan.at) == gf:
            yield Troops(caravan.ruler, f"{caravan.name} {format_figures(caravan.load)}")


def _signs(field: GreatField, centre: TradeCentre | None) -> Iterator[CellSign]:
    if centre is not None and centre.cell is not None:
        yield CellSign(centre.type, centre.cell, is_site=not centre.is_founded)
    for work in field.works:
        if work.type in WORKS and work.cell is not None:
            yield CellSign(WORKS[work.type], work.cell)


def _edges(field: GreatField) -> Iterator[EdgeSign]:
    for edge in sorted(field.rivers):
        yield EdgeSign("river", edge.cell, edge.side)
    for edge in sorted(field.ascents):
        yield EdgeSign("ascent", edge.cell, edge.side)
    for work in field.works:
        yield from _edges_of(work)


def _edges_of(work: Work) -> Iterator[EdgeSign]:
    if work.edge is not None:
        yield EdgeSign("bridge" if work.type == "Br" else "wall", work.edge.cell, work.edge.side)
        if work.has_gate:
            yield EdgeSign("gate", work.edge.cell, work.edge.side)
    for gate in work.gates:
        yield EdgeSign("gate", gate.cell, gate.side)


# --- The orders ---------------------------------------------------------------------------------------------


def _marches(view: View, at: _Layout, line: Line, status: ArrowStatus) -> Iterator[Trail]:
    """The ways of an order, as far as they are on one plane."""
    ruler = view.viewer
    if ruler is None:
        return
    places: tuple[Province, ...]
    match line.order:
        case Explore(ee, source, target):
            places = (source, target)
            found = Trail(ruler, (at(source), at(target)), status, f"{ee}", "explore")
        case Enter(ee, source, kind, target):
            places = (source, target)
            found = Trail(ruler, (at(source), at(target)), status, f"{ee}{kind}", "enter")
        case Move(path=path):
            found = Trail(ruler, tuple(map(at, path)), status, "", "move")
            places = path
        case AgentMove(number, path):
            found = Trail(ruler, tuple(map(at, path)), status, f"Ag{number}", "move")
            places = path
        case Sail(path=path):
            found = Trail(ruler, tuple(map(at, path)), status, "", "sail")
            places = path
        case Ferry(source=source, target=target):
            places = (source, target)
            found = Trail(ruler, (at(source), at(target)), status, "", "sail")
        case _:
            return
    if len({coordinate_of(place).plane for place in places}) == 1 and _is_way(found.way):
        yield found


def _is_way(way: Sequence[TileId]) -> bool:
    """Whether each step leads to a nearby place; a refused line may name any place."""
    return all(at != other and distance(at, other) <= _FARTHEST for at, other in pairwise(way))


_FARTHEST = 3
"""The longest step that is drawn, in fields: longer ones are shown as failed, but don't stretch the picture."""


def _marches_of(view: View, at: _Layout, result: OrderResult[Line]) -> Iterator[Trail]:
    """The ways of one of the viewer's orders in the last window, with its result."""
    if result.power == view.viewer and result.order is not None:
        yield from _marches(
            view, at, result.order, ArrowStatus.FAILED if result.outcome.is_failure else ArrowStatus.SUCCEEDED
        )


# --- Who is who, and what signs mean ------------------------------------------------------------------------


def _legend(state: State) -> Iterator[LegendRow]:
    """The rulers, with the number of their known provinces."""
    for ruler, own in state.rulers.items():
        is_out = not own.is_played and own.kind != EXPECTED
        yield LegendRow(ruler, (("provinces", len(state.owned(ruler))),), is_out=is_out)


def _key() -> Iterator[KeyRow]:
    for letter, ground in GROUNDS.items():
        yield KeyRow(Shown.TERRAIN, letter, phrase(f"key.{ground.word}"), letter)
    for kind in (*CENTRES, *WORKS.values()):
        yield KeyRow(Shown.CELL, kind, phrase(f"key.{kind}"))
    yield KeyRow(Shown.CELL, "site", phrase("key.site"))
    for kind in _EDGES:
        yield KeyRow(Shown.EDGE, kind, phrase(f"key.{kind}"))
    for sign in _SIGNS:
        yield KeyRow(Shown.SIGN, sign, phrase(f"key.{sign}"))
    for manner in _MANNERS:
        yield KeyRow(Shown.WAY, manner, phrase(f"key.{manner}"))
    for sign in ("remembered", "fog"):
        yield KeyRow(Shown.SIGN, sign, phrase(f"key.{sign}"))


_KEY = tuple(_key())
