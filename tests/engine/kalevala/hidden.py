"""Worlds that a ruler can't tell apart: they differ in nothing but what the fog hides. Source: rules 31, R-105"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.viewer import Viewer
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import Edge, GfId, Province, gf_of
from engine.kalevala.figures import has_people, kind_of, total
from engine.kalevala.kings.facts import King, as_others_see
from engine.kalevala.land import land_of
from engine.kalevala.model import (
    FULL,
    Given,
    GreatField,
    Letter,
    Permit,
    Piece,
    State,
    TradeCentre,
    Work,
)
from engine.kalevala.tables import TERRAIN, UNSEEN
from engine.kalevala.view import view
from engine.lattice.great_fields import Side

_HIGHER = str.maketrans("TtDSM", "HhEUV")


def variants(state: State, viewer: Viewer) -> Iterator[State]:
    """A few worlds that look the same to the viewer."""
    seen = view(state, viewer).state
    known = set(seen.land)
    yield _with_other_rulers(state, viewer.power)
    yield _with_other_stacks(state, viewer.power, seen)
    yield _with_other_land(state, known)
    yield _under_water(state, known)
    yield _with_other_owners(state, viewer.power, known)
    yield _with_other_papers(state, viewer.power)
    yield _with_other_centres(state, viewer.power, seen)
    yield _with_other_parts(state, seen)
    if state.modules.get("things"):
        yield _with_other_artefacts(state, viewer.power, seen)
    if viewer.power is not None and any(work.treasure for field in state.land.values() for work in field.works):
        yield with_other_treasures(state, viewer.power)


def _others(state: State, viewer: PowerId | None) -> list[PowerId]:
    return [ruler for ruler in state.rulers if ruler != viewer]


def _with_other_rulers(state: State, viewer: PowerId | None) -> State:
    """What others are, but for whether anybody plays them, which is public."""
    changed = {
        ruler: replace(own, king=_with_other_weakness(own.king), loyal_until=77)
        if ruler == viewer
        else replace(
            own,
            core="SC",
            goods=("LS", "Mm"),
            capital=None,
            protected=99,
            nmr=own.nmr + 1,
            leave=(state.gr,),
            sham="louhi",
            wizard=None,
            king=None if own.king is None else King("hidden", "sleep", unpaid=1, has_palace=False, ill=state.gr),
            god={"oeh": 777},
            given=Given(("somebody",), 5),  # type: ignore[arg-type]
            culture="hidden",
        )
        for ruler, own in state.rulers.items()
    }
    return state.replace(rulers=changed, modules=_with_other_auras(state, viewer))


def _with_other_auras(state: State, viewer: PowerId | None) -> dict[str, object]:
    """Seats of others' gods elsewhere, and auras of theirs on fields of Archeron."""
    archeron = state.modules.get("archeron", {})
    own = {number: name for number, name in archeron.get("gf", {}).items() if name == viewer}
    others = _others(state, viewer)
    auras = own | ({"11": others[0]} if others else {})
    seats = {name: seat if name == viewer else seat + 20 for name, seat in archeron.get("seats", {}).items()}
    return {**state.modules, "archeron": {"gf": auras, "seats": seats}}


def _with_other_weakness(king: King | None) -> King | None:
    """The viewer's king has another weakness, unless it has acted."""
    if king is None or king.is_shown:
        return king
    return replace(king, weakness="pride" if king.weakness == "greed" else "greed")


def _with_other_stacks(state: State, viewer: PowerId | None, seen: State) -> State:
    """What stands where the viewer sees nobody, but one wizard each (R-051); and the numbers of wizards everywhere."""
    stacks = {}
    for ruler, own in state.stacks.items():
        if ruler == viewer:
            stacks[ruler] = own
            continue
        shown = seen.stacks.get(ruler, {})
        stacks[ruler] = {
            province: total(
                {_with_other_number(item): count if province in shown or kind_of(item).code == "Z" else count + 3}
                for item, count in figures.items()
            )
            for province, figures in own.items()
        }
    return state.replace(stacks=stacks)


def _with_other_artefacts(state: State, viewer: PowerId | None, seen: State) -> State:
    """Artefacts that the viewer neither has nor sees are other ones, and others know of them."""
    known = {row["n"] for row in seen.modules.get("things", ())}
    rows = [
        {**row, "seen": ["somebody", *(name for name in row.get("seen", ()) if name == viewer)]}
        if row["n"] in known
        else {**row, "name": "Hidden", "gp": 5, "text": "hidden"}
        for row in state.modules.get("things", ())
    ]
    return state.replace(modules={**state.modules, "things": rows}) if rows else state


def _with_other_number(item: str) -> str:
    if kind_of(item).code == "AgKö":
        return f"{as_others_see(item)}/77"
    return item.split("/")[0] + "/77" if kind_of(item).code in ("Z", "Pr", "My") else item


def with_other_treasures(state: State, viewer: PowerId) -> State:
    """More RE in temples that the viewer neither owns nor stands beside, and more ZEH for others' priests."""
    eyes = {*state.owned(viewer), *(at for at, stack in state.stacks.get(viewer, {}).items() if has_people(stack))}
    eyes |= {caravan.at for caravan in caravans_in(state.modules) if caravan.ruler == viewer}
    land = {}
    for gf, field in state.land.items():
        works = tuple(
            replace(work, treasure=work.treasure + 17)
            if work.type == "Tt"
            and not any(land_of(state).belongs(place, work) for place in eyes if gf_of(place) == gf)
            else work
            for work in field.works
        )
        land[gf] = replace(field, works=works)
    stacks = {
        ruler: own
        if ruler == viewer
        else {
            place: total({"Pr/99" if item.startswith("Pr/") else item: count} for item, count in figures.items())
            for place, figures in own.items()
        }
        for ruler, own in state.stacks.items()
    }
    return state.replace(land=land, stacks=stacks)


def _with_other_land(state: State, known: Collection[GfId]) -> State:
    land = {
        gf: field if gf in known else replace(field, cells=field.cells.translate(_HIGHER), rivers=frozenset())
        for gf, field in state.land.items()
    }
    return state.replace(land=land)


def _under_water(state: State, known: Collection[GfId]) -> State:
    """Unknown land where nobody is lies under the sea."""
    used = {gf_of(province) for province in state.owners}
    used |= {gf_of(province) for own in state.stacks.values() for province in own}
    used |= {gf_of(row.target) for rows in state.explored.values() for row in rows}
    used |= {gf_of(province) for rows in state.known.values() for province in rows}
    used |= {gf_of(province) for province in state.contested}
    land = {gf: field if gf in known or gf in used else GreatField(cells="W" * 48) for gf, field in state.land.items()}
    return state.replace(land=land)


def _with_other_owners(state: State, viewer: PowerId | None, known: Collection[GfId]) -> State:
    """Land that the viewer does not know belongs to somebody else."""
    others = _others(state, viewer)
    owners = dict(state.owners)
    for number, gf in enumerate(state.land):
        if gf not in known:
            for province in land_of(state).provinces(gf):
                if province not in state.contested and owners.get(province) != viewer:
                    owners[province] = others[number % len(others)]
    return state.replace(owners=owners)


def _with_other_papers(state: State, viewer: PowerId | None) -> State:
    """Letters, permits, watchers, knowledge of others."""
    one, two = [ruler for ruler in state.rulers if ruler != viewer][:2]
    place = next(iter(state.owners), None)
    permits = (Permit(one, two, place, state.gr + 3),) if place else ()
    return state.replace(
        permits=(*state.permits, *permits),
        letters=(*state.letters, Letter(one, one, two, "1.1", "secret")),
        courier=(*state.courier, Piece(two, "1.1", "not yet")),
        watch={**state.watch, one: {place: 3}} if place and one != viewer else state.watch,
        known={**state.known, two: frozenset(state.owners)},
        used={**state.used, one: (1, 2, 3)},
        modules={
            **state.modules,
            "wars": [*(pair for pair in state.modules.get("wars", ()) if viewer in pair), [one, two]],
            "agents": _agents(state, viewer, one, place),
            "fiefs": _fiefs(state, viewer, one, two, place),
            "seas": _seas(state, viewer, two),
            "portals": _portals(state, viewer, one),
            "hostages": [
                *(row for row in state.modules.get("hostages", ()) if viewer in (row["ruler"], row["captor"])),
                *([{"ruler": one, "captor": two, "at": place}] if place is not None else []),
            ],
        },
    )


def _portals(state: State, viewer: PowerId | None, one: PowerId) -> list[dict[str, object]]:
    """Another one's portal, if he has none, on a site neither side of which the viewer knows."""
    rows = list(state.modules.get("portals", ()))
    mine = {gf_of(place) for place in (*state.owned(viewer), *state.stacks.get(viewer, {}))} if viewer else set()
    sites = ((gf, field.portal) for gf, field in state.land.items() if field.portal is not None)
    free = [(gf, other) for gf, other in sites if not {gf, gf_of(other)} & mine]
    has_one = any(row["ruler"] == one for row in rows)
    made = [{"ruler": one, "at": gf, "to": other, "whole": True} for gf, other in free[:1] if not has_one]
    return [*rows, *made]


def _fiefs(
    state: State, viewer: PowerId | None, one: PowerId, two: PowerId, place: Province | None
) -> list[Mapping[str, object]]:
    """The viewer's own, but that what he holds may be claimed back; others have one between them."""
    rows = [row for row in state.modules.get("fiefs", ()) if viewer in (row["giver"], row["holder"])]
    rows = [{**row, "open": True} if row["holder"] == viewer else row for row in rows]
    return [*rows, *([{"gf": place, "giver": one, "holder": two, "until": 99}] if place is not None else [])]


def _agents(state: State, viewer: PowerId | None, one: PowerId, place: Province | None) -> list[Mapping[str, object]]:
    """The viewer's own agents, the captives, and those who were found stay as they are; others have other things."""
    rows = state.modules.get("agents", ())
    kept = [row for row in rows if viewer in (row.get("ruler"), row.get("captive")) or row.get("exposed")]
    hidden = [{**row, "group": "3L", "re": 77, "egp": 5} for row in rows if row not in kept]
    new = {"ruler": one, "n": 99, "at": place, "group": "1LC", "re": 50}
    return [*kept, *hidden, *([new] if place is not None else [])]


def _seas(state: State, viewer: PowerId | None, other: PowerId) -> dict[PowerId, list[str]]:
    """Another ruler has sailed somewhere; what the viewer has sailed stays."""
    own = {ruler: seas for ruler, seas in state.modules.get("seas", {}).items() if ruler == viewer}
    return {**own, other: ["2A+1"]}


def _with_other_centres(state: State, viewer: PowerId | None, seen: State) -> State:
    """Trade centres and works where the viewer knows the land alone."""
    rows = state.explored.get(viewer, ()) if viewer is not None else ()
    shown = {gf_of(row.target) for row in rows if row.result == FULL}
    shown |= {gf_of(province) for province, owner in state.owners.items() if owner == viewer}
    shown |= {gf_of(agent.at) for agent in agents_in(state.modules) if agent.ruler == viewer and agent.has_scouted}
    shown |= {gf_of(caravan.at) for caravan in caravans_in(state.modules) if caravan.ruler == viewer}
    own = state.stacks.get(viewer, {}) if viewer is not None else {}
    shown |= {gf_of(province) for province, stack in own.items() if has_people(stack)}
    land = {
        gf: field
        if gf in shown
        else replace(
            field,
            centre=TradeCentre("Hstd", 19, "Pohjola"),
            names={"land": "Pohjola"},
            works=(Work("BF", 20), Work("Ma", edge=Edge(3, Side.E))),
        )
        for gf, field in state.land.items()
    }
    return state.replace(land=land)


def _with_other_parts(state: State, seen: State) -> State:
    """Of divided fields, other ground, edges and works in the parts that the viewer does not see."""
    land = dict(state.land)
    for gf, field in seen.land.items():
        hidden = [number for number, letter in enumerate(field.cells, 1) if letter == UNSEEN]
        shown = {cell for cells in (field.seen_parts or {}).values() for cell in cells}
        if not hidden:
            continue
        cells = "".join(
            letter.translate(_HIGHER) if number in hidden else letter
            for number, letter in enumerate(state.land[gf].cells, 1)
        )
        ground = [cell for cell in hidden if TERRAIN[state.land[gf].cells[cell - 1]].is_land]
        edges = {edge for cell in ground for edge in (Edge(cell, side) for side in Side) if not edge.touches(shown)}
        land[gf] = replace(
            state.land[gf],
            cells=cells,
            rivers=state.land[gf].rivers ^ edges,
            ascents=state.land[gf].ascents ^ edges,
            works=(*state.land[gf].works, *(Work("Ma", edge=edge) for edge in sorted(edges))),
        )
    return state.replace(land=land)
