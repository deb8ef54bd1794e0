"""Questions about the world that agents put to the people, and rulers to oracles. Source: R-059, R-071"""

from __future__ import annotations

from typing import Any

from engine.core.phrases import Phrase, phrase
from engine.kalevala import books
from engine.kalevala.agents.facts import GARRISON, NEAR, OWNER, RULER
from engine.kalevala.coordinates import GfId, Province, coordinate_of, gf_of
from engine.kalevala.figures import Figures, format_figures, plus
from engine.kalevala.steps import apparitions, artefacts
from engine.kalevala.view import as_seen
from engine.kalevala.window import Window
from engine.lattice.great_fields import tile_of
from engine.lattice.hexes import distance


def answer(window: Window, question: str, about: str) -> tuple[dict[str, Any], Phrase] | None:
    """The true answer, as data and in words; `None`: there is nothing of that name to ask about."""
    if question not in (OWNER, GARRISON, NEAR):
        return _ruler(window, about)
    gf = gf_of(GfId(about))
    if not window.land.exists(gf):
        return None
    if question == OWNER:
        return _owner(window, gf)
    return _garrison(window, gf) if question == GARRISON else _near(window, gf)


def hint(window: Window, question: str, about: str) -> tuple[dict[str, Any], Phrase] | None:
    """What an oracle says if too little was paid: less than the answer. Source: R-059, ruling KA87"""
    found = answer(window, question, about)
    if found is None:
        return None
    args, _ = found
    if question == RULER:
        is_so = args["hz"] >= _MANY
        words = phrase("answer.vague_many" if is_so else "answer.vague_few", ruler=args["ruler"])
        return {"ruler": args["ruler"], "many": is_so}, words
    gf = args["gf"]
    if question == NEAR:
        return {"gf": gf}, phrase("answer.vague_sign", gf=gf)
    key, codes = ("owned", ("wild", "owned")) if question == OWNER else ("held", ("empty", "held"))
    is_so = bool(args["owners"] if question == OWNER else args["figures"])
    return {"gf": gf, key: is_so}, phrase(f"answer.vague_{codes[is_so]}", gf=gf)


_MANY = 5
"""From this number of trade centres on, an oracle says that they are many. Ruling KA87"""


def is_within(one: str, other: str, most: int) -> bool:
    """Whether a great field is within this distance of another."""
    here, there = coordinate_of(GfId(gf_of(GfId(one)))), coordinate_of(GfId(gf_of(GfId(other))))
    return here.plane == there.plane and distance(tile_of(here.field), tile_of(there.field)) <= most


def _owner(window: Window, gf: GfId) -> tuple[dict[str, Any], Phrase]:
    owners = dict.fromkeys(window.owners[place] for place in window.land.provinces(gf) if place in window.owners)
    centre = window.land.field(gf).centre
    hz = None if centre is None or not centre.is_founded else centre.type
    found = {"gf": gf, "owners": list(owners), "hz": hz}
    town = phrase("answer.no_centre") if hz is None else phrase(f"centre.{hz}")
    if not owners:
        return found, phrase("answer.natives", gf=gf, hz=town)
    return found, phrase(
        "answer.owner", gf=gf, rulers=tuple(phrase("answer.one", ruler=ruler) for ruler in owners), hz=town
    )


def _garrison(window: Window, gf: GfId) -> tuple[dict[str, Any], Phrase]:
    figures: Figures = {}
    for place in window.land.provinces(gf):
        for ruler in window.rulers:
            figures = plus(figures, as_seen(window.stack(ruler, place)))
    text = format_figures(figures)
    code = "answer.garrison" if text else "answer.nobody"
    return {"gf": gf, "figures": text}, phrase(code, gf=gf, figures=text)


def _near(window: Window, gf: GfId) -> tuple[dict[str, Any], Phrase]:
    """Whether an artefact or the weak spot of a god is there."""
    places: list[str] = [*artefacts.places(window)]
    spots = [(own.god or {}).get("weak") or {} for own in window.rulers.values()]
    places += [str(spot["gf"]) for spot in spots if spot.get("gf") and not spot.get("lost_gr")]
    is_there = any(gf_of(GfId(place)) == gf for place in places)
    return {"gf": gf, "found": is_there}, phrase("answer.something" if is_there else "answer.nothing", gf=gf)


def hiding_places(window: Window, place: Province) -> list[int]:
    """On which small fields of a province magic things lie, for those who are there and can find them. Ruling KA270"""
    lying = {each.cell for each in window.artefacts.values() if each.holder is None and each.at == place}
    spots = {cell for cell in window.land.cells(place) if apparitions.spot_at(window, place, cell) is not None}
    return sorted(lying | spots)


def _ruler(window: Window, name: str) -> tuple[dict[str, Any], Phrase] | None:
    ruler = next((each for each in window.rulers if each == name), None)
    if ruler is None:
        return None
    centres = len(books.best_centres(window, ruler))
    costs = books.account(window, ruler)
    rank = window.rulers[ruler].rank
    found = {"ruler": ruler, "hz": centres, "class": rank, "group": costs.group}
    return found, phrase("answer.ruler", ruler=ruler, hz=centres, rank=rank, group=costs.group)
