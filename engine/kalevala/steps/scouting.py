"""P2: scouts set out, are detected or come back; the wizards roll.

Source: rules 12.2 to 12.4, R-028, R-031, R-085, R-109
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.caravans.facts import strange_ones
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.figures import format_figures
from engine.kalevala.model import FULL, NOTHING, Explored, State
from engine.kalevala.sea import waters
from engine.kalevala.steps.changing import find_beyond
from engine.kalevala.steps.exploring import FARTHEST, looks_around
from engine.kalevala.steps.reigning import alertness
from engine.kalevala.view import as_seen, view_of
from engine.kalevala.window import Scout, Window, purpose
from engine.kalevala.writing import field_row, work_row

RISK_BY_DEPTH = {1: 0, 2: 10, 3: 20}
RISK_OF_WATCHER = 10


def explore(window: Window) -> None:
    """Carry out all explorations, by seat and EE number. Source: rules R-109"""
    if window.dice is None:
        return
    arrived: dict[Province, list[PowerId]] = {}
    for ruler in window.rulers:
        reached: dict[int, tuple[Province, int]] = {}
        for scout in _in_turn([each for each in window.scouts if each.ruler == ruler]):
            start = (scout.source, 0) if scout.after is None else reached.get(scout.after)
            target = None if start is None else _arrive(window, scout, start[0])
            if start is not None:
                _remember(window, scout, is_barred=target is None)
            if start is None or target is None:
                window.fail(ruler, scout.line, "blocked")
                continue
            source, depth = start
            # Depth counts from the last own province of the chain. Source: rules R-109
            depth = 1 if window.owners.get(source) == ruler else depth + 1
            reached[scout.order.ee] = target, depth
            if ruler not in arrived.setdefault(target, []):
                arrived[target].append(ruler)
            _look(window, scout, source, target, depth)
    for province in sorted(arrived, key=order_of):
        if len(arrived[province]) > 1:
            window.tell("scouts_met", arrived[province], {"gf": province})
    _tell_findings(window)


def _in_turn(scouts: Collection[Scout]) -> list[Scout]:
    """By EE number, but scouts who go on from where others arrive come after these. Source: rules R-029, R-109"""
    by_number = {scout.order.ee: scout for scout in scouts}

    def chain(number: int) -> list[int]:
        before = by_number[number].after
        return [*(chain(before) if before is not None else ()), number]

    def turn(number: int) -> tuple[int, int, int]:
        return max(chain(number)), len(chain(number)), number

    return [by_number[number] for number in sorted(by_number, key=turn)]


def _remember(window: Window, scout: Scout, *, is_barred: bool) -> None:
    """Note where scouts found no way, so that nobody tries it again in vain, and where there is a way now."""
    own = window.rulers[scout.ruler]
    key = scout.order.source, scout.order.target
    barred = {border: gr for border, gr in own.barred.items() if border != key}
    if is_barred:
        barred[key] = window.gr
    if barred != own.barred:
        window.rulers[scout.ruler] = replace(own, barred=barred)


def _arrive(window: Window, scout: Scout, source: Province) -> Province | None:
    """The province that scouts come to; `None` if an obstacle bars the way. Source: rules R-084"""
    land = window.land
    if looks_around(window, scout):
        return source
    if not land.exists(gf_of(scout.order.target)):
        return None
    own = [*window.stacks[scout.ruler], *window.owned(scout.ruler)]
    target = land.meant(scout.order.target, near=(source,), own=own)
    if target is not None and land.is_linked(source, target) and _bears(window, scout.ruler, source, target):
        return target
    beyond = find_beyond(window, scout.ruler, source, scout.order.target)
    if beyond is not None:
        return beyond if land.has(beyond) else None
    return waters.sailed_to(land, source, scout.order.target, own) if scout.by_craft else None


def _bears(window: Window, ruler: PowerId, source: Province, target: Province) -> bool:
    """Whether there is a way other than a bridge of another ruler's. Source: rules R-084, ruling KA297"""
    is_own = ruler in (window.owners.get(source), window.owners.get(target))
    return is_own or window.land.bridge_between(source, target) is None


def _look(window: Window, scout: Scout, source: Province, target: Province, depth: int) -> None:
    """What scouts come back with: everything, or nothing if the owner of the land detects them.

    Source: rules 12.3, R-028
    """
    ruler, ee = scout.ruler, scout.order.ee
    owner = window.owners.get(target)
    result = FULL
    if owner is not None and owner != ruler:
        risk = RISK_BY_DEPTH[min(depth, FARTHEST)] + RISK_OF_WATCHER * window.watch.get(owner, {}).get(target, 0)
        risk += alertness(window, owner, target)
        assert window.dice is not None, "scouts need dice"
        if risk and window.dice.d100(f"explore/{ruler}/{ee}", purpose("explore", place=target, risk=risk)) <= risk:
            result = NOTHING
            window.fail(ruler, scout.line, "detected")
            window.tell("scout_detected", [owner], {"gf": target, "by": ruler})
    window.explored.setdefault(ruler, []).append(Explored(ee, source, target, result))


def _tell_findings(window: Window) -> None:
    """Report to each explorer what was seen, as things are at the end of P1. Source: rules 12.4, 31"""
    state = window.close()
    for ruler in window.rulers:
        rows = [row for row in window.explored.get(ruler, ()) if row.ee in _now(window, ruler)]
        seen = view_of(state, ruler, window.land) if rows else state
        for row in rows:
            args: dict[str, Any] = {"ee": row.ee, "from": row.source, "to": row.target, "result": row.result}
            if row.result != NOTHING:
                args["gf"] = _geography(field_row(seen.land[gf_of(row.target)]))
            if row.result == FULL:
                args |= _contents(window, ruler, row.target)
            found = _in_words(window, row.target, args)
            code = "explored" if row.source != row.target else "explored_around"
            window.tell("explored", [ruler], args, words=code, source=row.source, target=row.target, found=found)
        for place in dict.fromkeys(row.target for row in rows if row.result == FULL):
            tell_of_caravans(window, seen, ruler, place)


def _in_words(window: Window, province: Province, args: Mapping[str, Any]) -> Phrase:
    """What scouts report: whose land it is, its trade centre, who stands there, what was built; of the high sea only
    who is there.
    """
    if args["result"] != FULL:
        return phrase(f"found.{args['result']}")
    stacks = tuple(phrase("board.stack", ruler=name, figures=text) for name, text in args["stacks"].items())
    if window.land.is_sea(province):
        return phrase("found.sea", stacks=stacks or (phrase("found.nobody"),))
    owner, hz = args["owner"], args["hz"]
    whose = phrase("found.owner", owner=owner) if owner else phrase("found.natives", losses=args["losses"])
    centre = (
        phrase("found.no_centre")
        if hz is None
        else phrase("found.centre", type=phrase(f"centre.{hz['type']}"), cell=hz["kf"] or 0)
    )
    works = tuple(
        phrase("found.work", work=phrase(f"work.{work['type']}"), place=work.get("kf", work.get("edge")))
        for work in args["works"]
    )
    return phrase(
        "found.full",
        owner=whose,
        centre=centre,
        stacks=stacks or (phrase("found.nobody"),),
        works=works or (phrase("found.no_works"),),
    )


def findings(window: Window, seen: State, ruler: PowerId, province: Province) -> tuple[dict[str, Any], Phrase]:
    """What somebody who looks around a province sees there, as data and in words."""
    args: dict[str, Any] = {"result": FULL, "gf": _geography(field_row(seen.land[gf_of(province)]))}
    args |= _contents(window, ruler, province)
    return args, _in_words(window, province, args)


def tell_of_caravans(window: Window, seen: State, ruler: PowerId, province: Province) -> None:
    """Report what the foreign caravans carry that somebody sees who looks around a province. Source: rules 21.6"""
    for row in strange_ones(seen.modules):
        if row.get("at") == province:
            window.tell("caravan_spied", [ruler], {"gf": province, "load": str(row.get("load", ""))})


def _now(window: Window, ruler: PowerId) -> set[int]:
    return {scout.order.ee for scout in window.scouts if scout.ruler == ruler}


def _geography(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("hz", "works")}


def _contents(window: Window, ruler: PowerId, province: Province) -> dict[str, Any]:
    owner, centre = window.owners.get(province), window.land.centre(province)
    hz = None if centre is None else {"type": centre.type, "kf": centre.cell, "name": centre.name or None}
    args: dict[str, Any] = {
        "owner": owner,
        "hz": hz,
        "stacks": {
            name: format_figures(own[province] if name == ruler else as_seen(own[province]))
            for name, own in window.stacks.items()
            if own.get(province)
        },
        "works": [
            {key: value for key, value in work_row(work).items() if owner == ruler or key not in ("ts", "ghz")}
            for work in window.land.works(province)
        ],
    }
    if owner is None:
        args["losses"] = 0 if centre is None else centre.centre.losses
    return args
