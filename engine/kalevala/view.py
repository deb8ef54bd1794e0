"""The fog: from the full position to what one ruler may know of it. The only place where secrets are removed.

Source: rules 31, R-030, R-031, R-105
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId
from engine.core.viewer import Viewer
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.arrivals.facts import WAYS_KEY, ways_of
from engine.kalevala.caravans.facts import BRIBED, caravans_in
from engine.kalevala.coordinates import GfId, Province, gf_of, part_of
from engine.kalevala.figures import Figures, has_people, parse_figures, without_numbers
from engine.kalevala.kings.facts import as_others_see, hostage_row, hostages_in, is_king
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import FULL, NOTHING, GreatField, ModuleData, Ruler, State, TradeCentre, View, Work
from engine.kalevala.tables import UNSEEN
from engine.lattice.great_fields import CELLS


def view(state: State, viewer: Viewer) -> View:
    """The game as a viewer may know it; a viewer who plays nobody knows only the names of the rulers."""
    power = viewer.power
    if power is None or power not in state.rulers:
        return View(_public(state), None)
    return View(view_of(state, power, land_of(state)), power)


def _public(state: State) -> State:
    return State(
        seed="",
        variant=state.variant,
        options=state.options,
        gr=state.gr,
        part=state.part,
        rulers={name: _stranger(each) for name, each in state.rulers.items()},
        is_fogged=True,
        over=state.over,
    )


def view_of(state: State, ruler: PowerId, land: Land) -> State:
    """What a ruler may know. Animals, goods and empty craft see nothing of foreign land, nor of the sea.

    Source: rules 31.1, ruling KA135
    """
    stacks = state.stacks.get(ruler, {})
    own = set(state.owned(ruler))
    led = {caravan.at for caravan in caravans_in(state.modules) if caravan.ruler == ruler}
    here = own | set(stacks) | led
    eyes = own | led | {place for place, stack in stacks.items() if has_people(stack)}
    afloat = {place for place in eyes if land.is_sea(place)}  # where fleets and caravans see each other
    rows = state.explored.get(ruler, ())
    full = {row.target for row in rows if row.result == FULL}
    spied = [agent for agent in agents_in(state.modules) if agent.ruler == ruler and agent.captor is None]
    full |= {agent.at for agent in spied if agent.has_scouted}
    now = here | full | {agent.at for agent in spied} | {row.target for row in rows if row.result != NOTHING}
    memory = _Memory(state, land, state.known.get(ruler, frozenset()), now)
    seen = now | memory.places
    met = full | eyes
    return _public(state).replace(
        rulers={name: _self(each) if name == ruler else _stranger(each) for name, each in state.rulers.items()},
        land=_fields(memory.land, seen, full, eyes),
        owners={province: owner for province, owner in state.owners.items() if province in met},
        stacks={
            name: found
            for name, theirs in state.stacks.items()
            if (found := dict(theirs) if name == ruler else _others(theirs, met))
        },
        explored=_only(state.explored, ruler),
        used=_only(state.used, ruler),
        known={ruler: memory.places} if ruler in state.known else {},
        seen={ruler: memory.renamed(state.seen[ruler])} if ruler in state.seen else {},
        centres=_remembered_centres(state, ruler, memory.land, seen, met),
        newly=_only(state.newly, ruler),
        watch=_only(state.watch, ruler),
        permits=tuple(
            each if each.where is None else replace(each, where=memory.name_of(each.where))
            for each in state.permits
            if ruler in (each.giver, each.guest)
        ),
        contested={province: names for province, names in state.contested.items() if ruler in names},
        letters=tuple(letter for letter in state.letters if letter.writer == ruler),
        courier=tuple(piece for piece in state.courier if piece.writer == ruler),
        modules={**_modules(state.modules, ruler, own | afloat, full, eyes), **_ways(state, ruler)},
    )


class _Memory:
    """Land that is known from earlier. A field divided by battle or treaty is remembered with its natural parts, so
    that only those who are there know of the division. Source: rules 31, ruling KA68

    Args:
        known: the provinces, by their present names.
        now: the provinces that the viewer sees at present.
    """

    def __init__(self, state: State, land: Land, known: Collection[Province], now: Collection[Province]) -> None:
        fields = {gf_of(place) for place in known} - {gf_of(place) for place in now}
        whole = {gf: replace(field, parts=None) for gf in fields if (field := land.field(gf)).parts is not None}
        self._divided = land
        self._whole = whole
        self.land = land_of(state.replace(land={**state.land, **whole})) if whole else land
        self.places = frozenset(map(self.name_of, known))

    def name_of(self, place: Province) -> Province:
        """The name of a province for a viewer who remembers it."""
        gf = gf_of(place)
        if gf not in self._whole:
            return place
        found = self.land.at(gf, min(self._divided.cells(place), default=1))
        return found if found is not None else place

    def renamed(self, rounds: Mapping[Province, int]) -> Mapping[Province, int]:
        """When each province was last seen; for parts that were reunited, the latest time."""
        found: dict[Province, int] = {}
        for place, gr in rounds.items():
            name = self.name_of(place)
            found[name] = max(gr, found.get(name, gr))
        return found


def _stranger(ruler: Ruler) -> Ruler:
    """What a ruler knows about another: that they exist, and the score that was announced to everybody."""
    return Ruler(told=ruler.told)


def _self(ruler: Ruler) -> Ruler:
    """A ruler's own entry, without how long the realm stays loyal, and without a weakness that has not shown."""
    king = ruler.king
    if king is not None and not king.is_shown:
        king = replace(king, weakness="")
    return replace(ruler, loyal_until=0, king=king, was="")


def _fields(
    land: Land, seen: Collection[Province], full: Collection[Province], whole: Collection[Province]
) -> Mapping[GfId, GreatField]:
    by_field: dict[GfId, list[Province]] = {}
    for province in seen:
        by_field.setdefault(gf_of(province), []).append(province)
    return {gf: _field(land, gf, provinces, full, whole) for gf, provinces in sorted(by_field.items())}


def _field(
    land: Land,
    gf: GfId,
    seen: Collection[Province],
    full: Collection[Province],
    whole: Collection[Province],
) -> GreatField:
    """A field as far as it is seen, with its provinces listed separately if it is divided. Source: rules R-031"""
    field = land.field(gf)
    centre = next((land.centre(each) for each in seen if (each in full or each in whole) and land.centre(each)), None)
    works: list[Work] = []
    for work in field.works:
        at = [province for province in seen if land.is_at(province, work)]
        if any(province in whole and land.belongs(province, work) for province in at):
            works.append(work)
        elif any(province in whole or province in full for province in at):
            works.append(replace(work, treasure=0, is_headquarters=False))
    names = field.names if any(each in full or each in whole for each in seen) else {}
    if not land.is_divided(gf):
        return replace(
            field,
            names=names,
            centre=centre,
            works=tuple(works),
            portal=field.portal if any(province in whole for province in seen) else None,
        )
    parts = {part_of(province) or 1: land.cells(province) for province in seen}
    cells = frozenset().union(*parts.values())
    shown = cells.union(*(land.beside(province) for province in seen if province in whole))
    return GreatField(
        cells="".join(field.cells[cell - 1] if cell in shown else UNSEEN for cell in range(1, CELLS + 1)),
        rivers=frozenset(edge for edge in field.rivers if edge.touches(cells)),
        ascents=frozenset(edge for edge in field.ascents if edge.touches(cells)),
        flow={cell: side for cell, side in field.flow.items() if cell in shown},
        has_road=field.has_road,
        names=names,
        centre=centre,
        works=tuple(works),
        seen_parts={number: parts[number] for number in sorted(parts)},
    )


def _remembered_centres(
    state: State, ruler: PowerId, land: Land, seen: Collection[Province], now: Collection[Province]
) -> Mapping[PowerId, Mapping[GfId, TradeCentre]]:
    """The trade centres that a ruler saw earlier, without those whose place is seen now. Ruling KA272"""
    found = {}
    for gf, centre in state.centres.get(ruler, {}).items():
        holding = [each for each in land.provinces(gf) if centre.cell is None or centre.cell in land.cells(each)]
        if any(each in seen for each in holding) and not any(each in now for each in holding):
            found[gf] = centre
    return {ruler: found} if found else {}


def _others(theirs: Mapping[Province, Figures], places: Collection[Province]) -> dict[Province, Figures]:
    return {province: as_seen(figures) for province, figures in theirs.items() if province in places}


def as_seen(figures: Figures) -> Figures:
    """A stack as other rulers see it: without the numbers of wizards, priests and the like. Source: rules R-030"""
    found: Counter[str] = Counter()
    for item, count in figures.items():
        found[as_others_see(item) if is_king(item) else without_numbers(item)] += count
    return dict(found)


def _only(rows: Mapping[PowerId, Any], ruler: PowerId) -> Mapping[PowerId, Any]:
    return {ruler: rows[ruler]} if ruler in rows else {}


def _is_found(row: Mapping[str, Any], own: Collection[Province]) -> bool:
    """Whether an agent was found in the viewer's land, and is at large."""
    return bool(row.get("exposed")) and row.get("captive") is None and row.get("at") in own


def _strange_agent(row: Mapping[str, Any], ruler: PowerId) -> dict[str, Any]:
    """Another ruler's agent: a captive, or one who was found."""
    found: dict[str, Any] = {"at": row.get("at"), "of": row.get("ruler")}
    return found if row.get("captive") == ruler else {**found, "exposed": True}


def _archeron(archeron: Mapping[str, Any], ruler: PowerId) -> dict[str, Any]:
    """The seat and the auras of a ruler's god; where other gods are is known only by scouting."""
    kept = {
        "gf": {number: name for number, name in archeron.get("gf", {}).items() if name == ruler},
        "seats": _only(archeron.get("seats", {}), ruler),
    }
    return {key: rows for key, rows in kept.items() if rows}


def _caravan(
    row: Mapping[str, Any], ruler: PowerId, full: Collection[Province], spied: Collection[Province]
) -> Mapping[str, Any]:
    """A caravan: others know that it is there, scouts what kinds of things it has, agents who have scouted how many.

    Not even its ruler sees whether its leader is bribed. Source: rules 21, 31, ruling KA136
    """
    if row.get("ruler") == ruler:
        return {key: value for key, value in row.items() if key != BRIBED}
    if row.get("at") in spied:
        return {"at": row.get("at"), "load": row.get("load")}
    kinds = " ".join(sorted({without_numbers(item) for item in parse_figures(str(row.get("load", ""))) or {}}))
    return {"at": row.get("at"), "load": kinds if row.get("at") in full else "28 REH"}


def _ways(state: State, ruler: PowerId) -> ModuleData:
    """How a ruler who has nothing yet can begin: this is all that they learn about unseen land. Ruling KA225"""
    ways = ways_of(state, ruler)
    return {WAYS_KEY: list(ways)} if ways else {}


def _shows(row: Mapping[str, Any], ruler: PowerId, fields: Collection[GfId]) -> bool:
    """Whether a ruler knows of a portal: their own, or one with a side where they are. Ruling KA205"""
    return row["ruler"] == ruler or gf_of(row["at"]) in fields or (bool(row.get("whole")) and row["to"] in fields)


def _modules(
    modules: ModuleData,
    ruler: PowerId,
    own: Collection[Province],
    full: Collection[Province],
    here: Collection[Province],
) -> ModuleData:
    """Data of modules, as far as they are the ruler's own, or about what is in the ruler's land or sea."""
    found: dict[str, Any] = {}
    spied = {
        agent.at for agent in agents_in(modules) if agent.ruler == ruler and agent.captor is None and agent.has_scouted
    }
    for key in ("wars", "allies"):
        found[key] = [pair for pair in modules.get(key, ()) if ruler in pair]
    found["sites"] = [row for row in modules.get("sites", ()) if row.get("winner") == ruler]
    found["fiefs"] = [
        row if row.get("giver") == ruler else {key: value for key, value in row.items() if key != "open"}
        for row in modules.get("fiefs", ())
        if ruler in (row.get("giver"), row.get("holder"))
    ]
    found["seas"] = {name: seas for name, seas in modules.get("seas", {}).items() if name == ruler}
    found["caravans"] = [
        _caravan(row, ruler, full, spied)
        for row in modules.get("caravans", ())
        if row.get("ruler") == ruler or row.get("at") in own or row.get("at") in full
    ]
    fields = set(map(gf_of, here))
    found["portals"] = [row for row in modules.get("portals", ()) if _shows(row, ruler, fields)]
    found["agents"] = [
        row if row.get("ruler") == ruler else _strange_agent(row, ruler)
        for row in modules.get("agents", ())
        if ruler in (row.get("ruler"), row.get("captive")) or _is_found(row, own)
    ]
    found["hostages"] = [hostage_row(each) for each in hostages_in(modules) if ruler in (each.ruler, each.captor)]
    found["archeron"] = _archeron(modules.get("archeron", {}), ruler)
    found["things"] = [
        {key: value for key, value in row.items() if key != "seen"}
        for row in modules.get("things", ())
        if row.get("holder") == ruler or (row.get("holder") is None and row.get("at") in here)
    ]
    return {key: value for key, value in found.items() if value}
