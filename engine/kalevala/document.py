"""Reading a game.json: whatever is left out has its default, whatever can't be right is reported with its place.

Source: rules 30
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from engine.core.dice import D100
from engine.core.documents import (
    checked_document,
    list_of,
    mapping_of,
    named_variant,
    options_of,
    rows_of,
    streams_of,
    why_of,
)
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.play import Over
from engine.kalevala.arrivals.places import with_places
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import NONE, Figures, one_too_many, read_figures, total
from engine.kalevala.info import INFO, SMALL, SYSTEM, WORLD
from engine.kalevala.invaders import with_invaders
from engine.kalevala.land import Land
from engine.kalevala.model import (
    DEEDS_PART,
    EXPLORATION_UNITS,
    FULL,
    GEOGRAPHY,
    MARAUDER,
    NOTHING,
    ORDERS_PART,
    PLAIN,
    Explored,
    Letter,
    Permit,
    Piece,
    Ruler,
    State,
)
from engine.kalevala.rows.land import field_of, founded
from engine.kalevala.rows.modules import read_artefacts, read_modules
from engine.kalevala.rows.names import Names, Places
from engine.kalevala.rows.rulers import read_rulers, with_kings
from engine.kalevala.rows.values import coordinate_of, count_of, given_or, name_of, word_of
from engine.kalevala.world.shards import with_shards
from engine.kalevala.world.small import map_of_small, start_of_small
from engine.kalevala.world.start import start_of_world
from engine.kalevala.world.treasures import with_artefacts

T = TypeVar("T")
USUAL_RULERS = 6
"""Of a world that is made without a word about how many play."""


def load(document: Mapping[str, Any], *, players: int = USUAL_RULERS) -> State:
    """The game of a document.

    Args:
        players: how many play, where the document leaves the whole position to the variant `world`.

    Raises:
        DocumentError: what is wrong with it, and where.
    """
    game = checked_document(INFO, document)
    variant = named_variant(INFO, given_or(game.get("variant"), SMALL))
    options = options_of(INFO, variant, mapping_of(given_or(game.get("options"), {}), "options"))
    seed = str(given_or(game.get("seed"), ""))
    gr, part = _time(mapping_of(given_or(game.get("phase"), {}), "phase"))
    position = mapping_of(given_or(game.get("state"), {}), "state")
    dice = streams_of(given_or(game.get("dice"), {}), sides=D100)
    is_new = all(position.get(key) is None for key in ("gf", "owners", "stacks"))
    if is_new:
        alike, rulers = bool(options["same_troops"]), players + int(options["places"])
        is_small = variant.id == SMALL
        start = start_of_small(same_troops=alike) if is_small else start_of_world(rulers, seed, same_troops=alike)
        position = {**start, **{key: value for key, value in position.items() if value is not None}}
    state = _state(position, seed=seed, variant=variant.id, options=options, gr=gr, part=part)
    if is_new:
        state = _with_options(state, has_artefacts="things" in position)
    over = game.get("over")
    return state.replace(dice=dice, over=None if over is None else _over(mapping_of(over, "over")))


def _time(phase: Mapping[str, Any]) -> tuple[int, int]:
    """The great round, and which of its two windows."""
    gr = count_of(given_or(phase.get("gr"), 1), "phase.gr", least=1)
    part = count_of(given_or(phase.get("part"), ORDERS_PART), "phase.part", least=1)
    if part not in (ORDERS_PART, DEEDS_PART):
        raise DocumentError("phase.part", f"{part} is neither {ORDERS_PART} nor {DEEDS_PART}")
    return gr, part


def _over(row: Mapping[str, Any]) -> Over:
    names = list_of(given_or(row.get("winners"), ()), "over.winners")
    return Over(tuple(name_of(name, "over.winners") for name in names), why_of(row, SYSTEM))


def _with_options(state: State, *, has_artefacts: bool) -> State:
    """A new position with what the options add to it; artefacts only where it has none of its own."""
    options = state.options
    if options["artefacts"] and not has_artefacts:
        state = with_artefacts(state, int(options["artefacts"]))
    if options["places"]:
        state = with_places(state, int(options["places"]))
    if options["landless"]:
        state = with_invaders(state, int(options["landless"]), str(options["hosts"]))
    return with_shards(state) if state.variant == WORLD and options["planes"] else state


def _state(
    position: Mapping[str, Any],
    *,
    seed: str,
    variant: str,
    options: Mapping[str, bool | int | str],
    gr: int,
    part: int,
) -> State:
    """A position: first the land, then who is there, then what names both. Source: ruling KA1."""
    plane = _plane_of(position)
    fields = {coordinate_of(key, f"state.gf.{key}", plane): (key, row) for key, row in _rows(position, "gf").items()}
    bare = {gf: field_of(row, f"state.gf.{key}", plane) for gf, (key, row) in fields.items()}
    has_rim = bool(bare) and (variant == WORLD or map_of_small().keys() <= bare.keys())
    places = Places(Land(bare, None if has_rim else PLAIN), plane)
    owners = _owners(position, places)
    stacks = _stacks(position, places)
    rulers = read_rulers(_rows(position, "rulers"), places, (*owners.values(), *stacks))
    rulers = with_kings(rulers, places, position, stacks, owners)
    if (gr, part) == (1, ORDERS_PART):
        # Only then: what play has come to is never refused.
        _check_single(rulers, stacks)
    names = Names(places.land, plane, rulers)
    artefacts = read_artefacts(position, names, stacks)
    explored = _by_ruler(position, "explored", names, partial(_explored, names))
    letters, courier = _queue(position, names)
    return State(
        seed=seed,
        variant=variant,
        options=options,
        gr=gr,
        part=part,
        rulers=rulers,
        land={gf: founded(field, fields[gf][1], gf, places.land, owners) for gf, field in bare.items()},
        has_rim=has_rim,
        owners=owners,
        stacks={ruler: stacks[ruler] for ruler in rulers if stacks.get(ruler)},
        explored=explored,
        used=_used(position, names, explored),
        known=_by_ruler(position, "known", names, names.place_set),
        seen=_by_ruler(position, "seen", names, names.numbers),
        centres=_by_ruler(position, "centres", names, names.centres),
        newly=_by_ruler(position, "newly", names, names.numbers),
        permits=tuple(_permits(position, names)),
        contested=_contested(position, names),
        watch=_by_ruler(position, "watch", names, names.numbers),
        letters=letters,
        courier=courier,
        modules={**read_modules(position, names), **({"things": artefacts} if artefacts else {})},
    )


def _rows(position: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return mapping_of(given_or(position.get(key), {}), f"state.{key}")


def _by_ruler(position: Mapping[str, Any], key: str, names: Names, read: Callable[[Any, str], T]) -> dict[PowerId, T]:
    """What a part of the position has for each ruler, in seat order, without what is empty."""
    return {ruler: found for ruler, found in names.by_ruler(_rows(position, key), key, read).items() if found}


def _plane_of(position: Mapping[str, Any]) -> int | None:
    """The plane that is meant where none is named: the second, if no other one occurs."""
    stacks = _rows(position, "stacks")
    named = [str(key) for key in (*_rows(position, "gf"), *_rows(position, "owners"))]
    named += [str(key) for own in stacks.values() if isinstance(own, Mapping) for key in own]
    return 2 if all(text.strip()[:1] in ("2", "") or not text.strip()[:1].isdigit() for text in named) else None


def _owners(position: Mapping[str, Any], places: Places) -> dict[Province, PowerId]:
    found = {
        places.place(place, f"state.owners.{place}"): name_of(name, f"state.owners.{place}")
        for place, name in _rows(position, "owners").items()
        if name is not None
    }
    return {province: found[province] for province in sorted(found, key=order_of)}


def _stacks(position: Mapping[str, Any], places: Places) -> dict[PowerId, dict[Province, Figures]]:
    found: dict[PowerId, dict[Province, Figures]] = {}
    for name, rows in _rows(position, "stacks").items():
        where = f"state.stacks.{name}"
        own = found.setdefault(name_of(name, where), {})
        for place, text in mapping_of(given_or(rows, {}), where).items():
            province = places.place(place, f"{where}.{place}")
            figures = read_figures(text)
            if figures is None:
                raise DocumentError(f"{where}.{place}", f"{text!r} is no list of figures")
            own[province] = total((own.get(province, NONE), figures))
    return {
        ruler: {province: own[province] for province in sorted(own, key=order_of) if own[province]}
        for ruler, own in found.items()
    }


def _check_single(rulers: Mapping[PowerId, Ruler], stacks: Mapping[PowerId, Mapping[Province, Figures]]) -> None:
    """Only marauders may have wizards, kings and mystics of several realms. Source: rules 14.3, 18.1, R-051"""
    for name, ruler in rulers.items():
        what = None if ruler.kind == MARAUDER else one_too_many(stacks.get(name, {}).values())
        if what is not None:
            raise DocumentError(f"state.stacks.{name}", f"a realm has one {what}")


def _explored(names: Names, value: Any, where: str) -> tuple[Explored, ...]:
    rows = rows_of(value, where)
    return tuple(_one_explored(names, row, place, f"{where}[{place - 1}]") for place, row in enumerate(rows, 1))


def _one_explored(names: Names, row: Mapping[str, Any], place: int, where: str) -> Explored:
    ee = count_of(
        given_or(row.get("ee"), min(place, EXPLORATION_UNITS)), f"{where}.ee", least=1, most=EXPLORATION_UNITS
    )
    for key in ("from", "to"):
        if row.get(key) is None:
            raise DocumentError(f"{where}.{key}", "is missing")
    result = word_of(given_or(row.get("result"), FULL), (FULL, GEOGRAPHY, NOTHING), f"{where}.result")
    return Explored(ee, names.place(row["from"], f"{where}.from"), names.place(row["to"], f"{where}.to"), result)


def _used(
    position: Mapping[str, Any], names: Names, explored: Mapping[PowerId, tuple[Explored, ...]]
) -> dict[PowerId, tuple[int, ...]]:
    named = names.by_ruler(_rows(position, "used"), "used", _units)
    found = {}
    for ruler in names.rulers:
        default = {row.ee for row in explored.get(ruler, ())}
        used = tuple(sorted(named.get(ruler, default)))
        if used:
            found[ruler] = used
    return found


def _units(value: Any, where: str) -> set[int]:
    rows = enumerate(list_of(value, where))
    return {count_of(each, f"{where}[{index}]", least=1, most=EXPLORATION_UNITS) for index, each in rows}


def _permits(position: Mapping[str, Any], names: Names) -> Iterator[Permit]:
    for index, row in enumerate(rows_of(given_or(position.get("permits"), ()), "state.permits")):
        where = f"state.permits[{index}]"
        place = str(given_or(row.get("gf"), "ALL"))
        yield Permit(
            giver=names.ruler(row.get("of"), f"{where}.of"),
            guest=names.ruler(row.get("to"), f"{where}.to"),
            where=None if place.upper() == "ALL" else names.permitted(place, f"{where}.gf"),
            until=count_of(given_or(row.get("until"), 0), f"{where}.until"),
        )


def _contested(position: Mapping[str, Any], names: Names) -> dict[Province, tuple[PowerId, ...]]:
    found = {}
    for place, row in _rows(position, "contested").items():
        where = f"state.contested.{place}"
        rulers = {names.ruler(name, f"{where}[{index}]") for index, name in enumerate(list_of(row, where))}
        found[names.place(place, where)] = tuple(sorted(rulers))
    return {province: found[province] for province in sorted(found, key=order_of) if found[province]}


def _queue(position: Mapping[str, Any], names: Names) -> tuple[tuple[Letter, ...], tuple[Piece, ...]]:
    queue = mapping_of(given_or(position.get("queue"), {}), "state.queue")
    letters = []
    for index, row in enumerate(rows_of(given_or(queue.get("letters"), ()), "state.queue.letters")):
        where = f"state.queue.letters[{index}]"
        to = names.ruler(row.get("to"), f"{where}.to")
        sender = str(given_or(row.get("from"), ""))
        writer = names.ruler(given_or(row.get("of"), sender), f"{where}.of")
        letters.append(
            Letter(writer, sender, to, str(given_or(row.get("time"), "")), str(given_or(row.get("text"), "")))
        )
    pieces = []
    for index, row in enumerate(rows_of(given_or(queue.get("courier"), ()), "state.queue.courier")):
        writer = names.ruler(row.get("from"), f"state.queue.courier[{index}].from")
        pieces.append(Piece(writer, str(given_or(row.get("time"), "")), str(given_or(row.get("text"), ""))))
    return tuple(letters), tuple(pieces)
