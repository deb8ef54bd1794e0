"""A great field in words, as far as its viewer knows it: for people who can't see its picture. Source: rules 6, 31"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.artefacts.facts import artefacts_in
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of, part_of
from engine.kalevala.culture.facts import TOWN
from engine.kalevala.figures import MONEY, format_figures
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import FULL, GreatField, State, TradeCentre
from engine.kalevala.planes.facts import portals_in
from engine.kalevala.tables import TERRAIN, UNSEEN


def about(state: State, land: Land, gf: GfId, places: Sequence[Province], *, is_remembered: bool) -> Iterator[Phrase]:
    """What is known of a field: the land, what stands on it, whose it is, and who is there.

    Args:
        places: those of its provinces about which more than the land is known.
    """
    field = land.field(gf)
    counts = Counter(field.cells)
    grounds = [
        phrase("about.ground", ground=phrase(f"key.{TERRAIN[letter].name}"), count=count)
        for letter, count in counts.most_common()
        if letter != UNSEEN
    ]
    if counts[UNSEEN]:
        grounds.append(phrase("about.unseen", count=counts[UNSEEN]))
    yield phrase("about.land", place=gf, grounds=grounds)
    if is_remembered:
        gr = seen_last(state, gf)
        yield phrase("about.remembered" if gr is None else "about.remembered_since", gr=gr)
    centre = centre_of(state, gf, field, is_remembered=is_remembered)
    if centre is not None:
        yield _centre(centre)
    for kind, name in sorted(field.names.items()):
        if kind != TOWN.casefold():
            yield phrase("about.named", what=phrase(f"named.{kind.upper()}"), name=name)
    yield from _lines(field)
    if field.portal is not None:
        is_made = any(portal.leads(gf, field.portal) for portal in portals_in(state.modules))
        yield phrase("about.portal" if is_made else "about.portal_site", to=field.portal)
    for artefact in artefacts_in(state.modules):
        if gf_of(artefact.at) == gf:
            code = "about.artefact" if artefact.holder is None else "about.artefact_held"
            yield phrase(code, name=artefact.name, item=artefact.item, cell=artefact.cell)
    if land.is_divided(gf):
        parts, is_whole = land.provinces(gf), UNSEEN not in land.field(gf).cells
        yield phrase("about.divided", count=len(parts)) if is_whole else phrase("about.divided_seen", parts=parts)
    for province in places:
        owner = state.owners.get(province)
        if owner is not None:
            yield phrase("about.owner", place=province, ruler=owner)
        for ruler in state.present(province):
            figures = format_figures(state.stack(ruler, province))
            yield phrase("about.figures", place=province, ruler=ruler, figures=figures)


def seen_last(state: State, gf: GfId) -> int | None:
    """The great round in which the viewer saw any of a field's remembered land last, where that is known."""
    rounds = [gr for rows in state.seen.values() for province, gr in rows.items() if gf_of(province) == gf]
    return max(rounds, default=None)


def centre_of(state: State, gf: GfId, field: GreatField, *, is_remembered: bool) -> TradeCentre | None:
    """A field's trade centre; that of remembered land as the viewer saw it last. Ruling KA272"""
    if field.centre is None and is_remembered:
        return next((rows[gf] for rows in state.centres.values() if gf in rows), None)
    return field.centre


def seen_now(state: State, viewer: PowerId) -> set[GfId]:
    """The fields that the viewer sees as they are: own land, where own figures and caravans stand, what scouts saw in
    this round.
    """
    places = {*state.owned(viewer), *state.stacks.get(viewer, {})}
    places |= {caravan.at for caravan in caravans_in(state.modules) if caravan.ruler == viewer}
    places |= {row.target for row in state.explored.get(viewer, ()) if row.result == FULL}
    places |= {agent.at for agent in agents_in(state.modules) if agent.ruler == viewer and agent.has_scouted}
    return {gf_of(province) for province in places}


def known_fields(state: State, viewer: PowerId) -> Iterator[Phrase]:
    """All that a viewer knows, field by field: the land, its trade centre, whose it is, who is there, seen when; and
    where the viewer's caravans and agents are.
    """
    land, now, sent = land_of(state), seen_now(state, viewer), dict[GfId, list[Phrase]]()
    for at, words in abroad(state, viewer):
        sent.setdefault(gf_of(at), []).append(words)
    places: dict[GfId, list[Province]] = {}
    for province in sorted({*state.owners, *(each for own in state.stacks.values() for each in own)}, key=order_of):
        places.setdefault(gf_of(province), []).append(province)
    for gf in sorted({*state.land, *places, *sent}, key=order_of):
        yield _in_short(state, land, gf, places.get(gf, []), sent.get(gf, ()), is_seen=gf in now)


def abroad(state: State, viewer: PowerId) -> Iterator[tuple[Province, Phrase]]:
    """Where the viewer's caravans and agents are, and what each has."""
    for caravan in caravans_in(state.modules):
        if caravan.ruler == viewer:
            yield caravan.at, phrase("board.sent", name=caravan.name, figures=format_figures(caravan.load))
    for agent in agents_in(state.modules):
        if agent.ruler != viewer:
            continue
        figures = format_figures({**agent.group, MONEY: agent.money} if agent.money else agent.group)
        code = "board.captive" if agent.captor is not None else "board.sent" if figures else "board.alone"
        yield agent.at, phrase(code, name=agent.name, figures=figures)


def _in_short(
    state: State, land: Land, gf: GfId, places: Sequence[Province], sent: Sequence[Phrase], *, is_seen: bool
) -> Phrase:
    field = land.field(gf)
    counts = Counter(letter for letter in field.cells if letter != UNSEEN)
    ground = [phrase(f"ground.{TERRAIN[letter].name}") for letter, _ in counts.most_common(_MOST_GROUNDS)]
    centre = centre_of(state, gf, field, is_remembered=not is_seen)
    if centre is not None:
        ground.append(_centre(centre))
    is_held = any(state.owners.get(province) for province in places)
    contested = [province for province in places if province in state.contested]
    is_natives = is_seen and not is_held and not contested and not all(map(land.is_sea, land.provinces(gf)))
    words = [phrase("board.natives")] if is_natives else []
    for province in places:
        part = f"/{part_of(province)} " if part_of(province) is not None else ""
        owner, present = state.owners.get(province), list(state.present(province))
        if province in contested:
            words.append(phrase("board.contested", part=part, names=state.contested[province]))
        if owner is not None and owner not in present:
            words.append(phrase("board.empty", part=part, ruler=owner))
        for ruler in present:
            code = "board.held" if ruler == owner else "board.guest"
            words.append(phrase(code, part=part, ruler=ruler, figures=format_figures(state.stack(ruler, province))))
    if field.portal is not None:
        is_made = any(portal.leads(gf, field.portal) for portal in portals_in(state.modules))
        words.append(phrase("board.portal" if is_made else "board.portal_site", to=field.portal))
    words += sent
    if not is_seen and gf in state.land:
        gr = seen_last(state, gf)
        words.append(phrase("board.remembered" if gr is None else "board.remembered_since", gr=gr))
    return phrase("board.place" if ground else "board.bare", place=gf, ground=tuple(ground), words=tuple(words))


_MOST_GROUNDS = 2
"""Kinds of land that are named of a field, the commonest first."""


def _centre(centre: TradeCentre) -> Phrase:
    if centre.cell is None:
        return phrase("about.centre_anywhere", type=phrase(f"key.{centre.type}"))
    code = ("about.centre" if centre.name else "about.centre_unnamed") if centre.is_founded else "about.site"
    return phrase(code, type=phrase(f"key.{centre.type}"), name=centre.name, cell=centre.cell)


def _lines(field: GreatField) -> Iterator[Phrase]:
    """Rivers, ascents, running water and works."""
    for kind, edges in (("river", field.rivers), ("ascent", field.ascents)):
        if edges:
            yield phrase(f"about.{kind}", edges=[str(edge) for edge in sorted(edges)])
    if field.flow:
        yield phrase("about.flow", cells=[f"{cell}/{side}" for cell, side in sorted(field.flow.items())])
    works = [
        f"{work.type} {work.edge if work.edge is not None else work.cell}"
        if not work.is_palace
        else phrase("about.palace", work=work.type, cell=work.cell or 0)
        for work in field.works
    ]
    if works:
        yield phrase("about.works", works=works)
