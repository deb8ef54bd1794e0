"""The position as a picture of squares, with pending orders or the results of a turn drawn in. Source: rules 11.

Signs of squares: `battle` (fought there in the turn), `isolated`, `disloyal`, `ordered` (something is placed or built);
of ways: `failed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Event
from engine.core.identity import cached_by_identity
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.king_of_kings import model
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.model import Line, Order, Province, Rulebook, State, Tactic, View
from engine.king_of_kings.report import figures_of
from engine.king_of_kings.results import level_of, remarks_on
from engine.king_of_kings.steps.isolation import isolated_in
from engine.king_of_kings.tables import SYSTEM
from engine.king_of_kings.text_map import unit_letters
from engine.king_of_kings.turn import rehearse
from engine.lattice.squares import Cell, Squares
from engine.lattice.tiling import TileId
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.tiles import KeyRow, Shown, Tile, TileScene, Trail, Troops

_SIGNS = ("battle", "isolated", "disloyal", "ordered", "failed")
BATTLES = frozenset({"battle.land", "battle.sea"})
"""Events that begin the story of a battle; they say where it was."""


def scene(
    view: View, *, orders: Iterable[Line] = (), results: Sequence[OrderResult[Line]] = (), events: Sequence[Event] = ()
) -> TileScene:
    """The position with the viewer's pending orders, or the results of the turn that began with it, drawn in."""
    state = view.state
    variant = variant_of(state)
    orders = tuple(orders)
    tiles = dict(_board(state))
    for at in _raised(view, orders):
        _sign(tiles, at, "ordered")
    for event in events:
        if event.what.code in BATTLES:
            _sign(tiles, (event.what.args["x"], event.what.args["y"]), "battle")
    marches = [
        _march(state, view.viewer, line.order, ArrowStatus.PENDING) for line in orders if view.viewer is not None
    ]
    ways = tuple(march for march in (*marches, *_marches_of(state, results)) if march is not None)
    return TileScene(
        system=SystemId(SYSTEM),
        variant=variant.id,
        title=phrase("phase.turn", turn=state.turn),
        board=Squares(state.width, len(state.provinces) // state.width),
        tiles=tiles,
        powers=tuple(variant.powers.values()),
        marches=ways,
        legend=tuple(_legend(state)),
        key=tuple(_key(state.rules)),
        viewer=view.viewer,
    )


@cached_by_identity
def _board(state: State) -> Mapping[TileId, Tile]:
    """All tiles except open water; the same in the pictures of all players."""
    return dict(_tiles(state))


def _tiles(state: State) -> Iterator[tuple[TileId, Tile]]:
    isolated = isolated_in(state)
    for cell, province in enumerate(state.provinces):
        terrain = state.rules.terrain[province.terrain]
        if terrain.is_sea and province.terrain == "sea" and not province.units and province.owner is None:
            continue  # open water
        signs = ["isolated"] if Cell(cell) in isolated else []
        if province.owner is not None and province.loyal_to != province.owner:
            signs.append("disloyal")
        yield (
            state.grid.xy(Cell(cell)),
            Tile(
                terrain=province.terrain,
                letter=terrain.letter,
                is_water=terrain.is_sea,
                name=province.name or "",
                owner=province.owner,
                home_of=province.home_of,
                troops=tuple(Troops(nation, unit_letters(state, units)) for nation, units in province.units.items()),
                note=_stance(province) if not terrain.is_sea else "",
                signs=tuple(signs),
            ),
        )


def _stance(province: Province) -> str:
    """The tactic, if there are units that would use it. Source: rules 11: in lower case."""
    return str(province.tactic).lower() if province.units else ""


def _sign(tiles: dict[TileId, Tile], at: TileId, sign: str) -> None:
    """Add a sign to a tile; open water gets its tile for it."""
    tile = tiles.get(at) or Tile(terrain="sea", letter="~", is_water=True)
    if sign not in tile.signs:
        tiles[at] = replace(tile, signs=(sign, *tile.signs))


def _raised(view: View, orders: Sequence[Line]) -> Iterator[TileId]:
    """Where something will be placed or built, as far as the viewer knows."""
    if view.viewer is None or not orders:
        return
    turn = rehearse(view.state, view.viewer, orders)
    for line in turn.sheets.get(view.viewer, ()):
        failed = {each.part for each in remarks_on(turn, view.viewer, line) if level_of(each.code) == "error"}
        match line.order:
            case model.Place(parts):
                yield from ((part.x, part.y) for number, part in enumerate(parts, 1) if number not in failed)
            case model.Build(x, y) if not failed:
                yield x, y


def _marches_of(state: State, results: Sequence[OrderResult[Line]]) -> Iterator[Trail | None]:
    """The ways of all stacks, once each; a line with an error has failed."""
    for result in {(result.power, result.subject.split()[0]): result for result in reversed(results)}.values():
        status = ArrowStatus.FAILED if result.outcome.is_failure else ArrowStatus.SUCCEEDED
        if result.order is not None:
            march = _march(state, result.power, result.order.order, status)
            yield None if march is None else _as_far_as(march, result.reason.args.get("end"))


def _as_far_as(march: Trail, end: str | None) -> Trail:
    """The way up to where it ended, because of others or not; for a move that failed, only the first step."""
    if march.status is ArrowStatus.FAILED:
        return replace(march, way=march.way[:2])
    reached = [number for number, (x, y) in enumerate(march.way) if f"{x},{y}" == end]
    return replace(march, way=march.way[: reached[-1] + 1]) if reached and reached[-1] else march


def _march(state: State, nation: PowerId | None, order: Order, status: ArrowStatus) -> Trail | None:
    """The way that an order names, as far as it is on the map."""
    if nation is None or not isinstance(order, model.Sail | model.March):
        return None
    width, height = state.width, len(state.provinces) // state.width
    if not (0 <= order.x < width and 0 <= order.y < height):
        return None
    way = [Cell(order.y * width + order.x)]
    for direction in order.path:
        step = state.grid.step(way[-1], direction)
        if step is None:
            break
        way.append(step)
    return Trail(nation, tuple(map(state.grid.xy, way)), status)


def _legend(state: State) -> Iterator[LegendRow]:
    figures = figures_of(state)
    for nation in state.nations.values():
        own = figures[nation.id]
        counts = (("provinces", own.provinces), ("might", own.might), ("fame", nation.fame))
        yield LegendRow(nation.id, counts, is_out=nation.eliminated is not None)


def _key(rules: Rulebook) -> Iterator[KeyRow]:
    """What the symbols mean, including those of a game's own tables."""
    for kind in rules.terrain.values():
        if kind.name != "sea":
            yield KeyRow(Shown.TERRAIN, kind.name, phrase("key.name", name=kind.name), kind.letter)
    for troop in rules.troops.values():
        yield KeyRow(Shown.TROOPS, troop.symbol, phrase("key.name", name=troop.name))
    for tactic in Tactic:
        yield KeyRow(Shown.NOTE, tactic.lower(), phrase("key.name", name=phrase(f"tactic.{tactic}")))
    for sign in ("home", *_SIGNS):
        yield KeyRow(Shown.SIGN, sign, phrase(f"key.{sign}"))
