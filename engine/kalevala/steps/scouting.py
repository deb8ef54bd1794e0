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
from engine.kalevala.working import Round, Scout, purpose
from engine.kalevala.writing import field_row, work_row

RISK_BY_DEPTH = {1: 0, 2: 10, 3: 20}
RISK_OF_WATCHER = 10


def explore(round_: Round) -> None:
    """Carry out all explorations, by seat and EE number. Source: rules R-109"""
    if round_.dice is None:
        return
    arrived: dict[Province, list[PowerId]] = {}
    for ruler in round_.rulers:
        reached: dict[int, tuple[Province, int]] = {}
        for scout in _in_turn([each for each in round_.scouts if each.ruler == ruler]):
            start = (scout.source, 0) if scout.after is None else reached.get(scout.after)
            target = None if start is None else _arrive(round_, scout, start[0])
            if start is not None:
                _remember(round_, scout, is_barred=target is None)
            if start is None or target is None:
                round_.fail(ruler, scout.line, "blocked")
                continue
            source, depth = start
            # Depth counts from the last own province of the chain. Source: rules R-109
            depth = 1 if round_.owners.get(source) == ruler else depth + 1
            reached[scout.order.ee] = target, depth
            if ruler not in arrived.setdefault(target, []):
                arrived[target].append(ruler)
            _look(round_, scout, source, target, depth)
    for province in sorted(arrived, key=order_of):
        if len(arrived[province]) > 1:
            round_.tell("scouts_met", arrived[province], {"gf": province})
    _tell_findings(round_)


def _in_turn(scouts: Collection[Scout]) -> list[Scout]:
    """By EE number, but scouts who go on from where others arrive come after these. Source: rules R-029, R-109"""
    by_number = {scout.order.ee: scout for scout in scouts}

    def chain(number: int) -> list[int]:
        before = by_number[number].after
        return [*(chain(before) if before is not None else ()), number]

    def turn(number: int) -> tuple[int, int, int]:
        return max(chain(number)), len(chain(number)), number

    return [by_number[number] for number in sorted(by_number, key=turn)]


def _remember(round_: Round, scout: Scout, *, is_barred: bool) -> None:
    """Note where scouts found no way, so that nobody tries it again in vain, and where there is a way now."""
    own = round_.rulers[scout.ruler]
    key = scout.order.source, scout.order.target
    barred = {border: gr for border, gr in own.barred.items() if border != key}
    if is_barred:
        barred[key] = round_.gr
    if barred != own.barred:
        round_.rulers[scout.ruler] = replace(own, barred=barred)


def _arrive(round_: Round, scout: Scout, source: Province) -> Province | None:
    """The province that scouts come to; `None` if an obstacle bars the way. Source: rules R-084"""
    land = round_.land
    if looks_around(round_, scout):
        return source
    if not land.exists(gf_of(scout.order.target)):
        return None
    own = [*round_.stacks[scout.ruler], *round_.owned(scout.ruler)]
    target = land.meant(scout.order.target, near=(source,), own=own)
    if target is not None and land.is_linked(source, target) and _bears(round_, scout.ruler, source, target):
        return target
    beyond = find_beyond(round_, scout.ruler, source, scout.order.target)
    if beyond is not None:
        return beyond if land.has(beyond) else None
    return waters.sailed_to(land, source, scout.order.target, own) if scout.by_craft else None


def _bears(round_: Round, ruler: PowerId, source: Province, target: Province) -> bool:
    """Whether there is a way other than a bridge of another ruler's. Source: rules R-084, ruling KA297"""
    is_own = ruler in (round_.owners.get(source), round_.owners.get(target))
    return is_own or round_.land.bridge_between(source, target) is None


def _look(round_: Round, scout: Scout, source: Province, target: Province, depth: int) -> None:
    """What scouts come back with: everything, or nothing if the owner of the land detects them.

    Source: rules 12.3, R-028
    """
    ruler, ee = scout.ruler, scout.order.ee
    owner = round_.owners.get(target)
    result = FULL
    if owner is not None and owner != ruler:
        risk = RISK_BY_DEPTH[min(depth, FARTHEST)] + RISK_OF_WATCHER * round_.watch.get(owner, {}).get(target, 0)
        risk += alertness(round_, owner, target)
        assert round_.dice is not None, "scouts need dice"
        if risk and round_.dice.d100(f"explore/{ruler}/{ee}", purpose("explore", place=target, risk=risk)) <= risk:
            result = NOTHING
            round_.fail(ruler, scout.line, "detected")
            round_.tell("scout_detected", [owner], {"gf": target, "by": ruler})
    round_.explored.setdefault(ruler, []).append(Explored(ee, source, target, result))


def _tell_findings(round_: Round) -> None:
    """Report to each explorer what was seen, as things are at the end of P1. Source: rules 12.4, 31"""
    state = round_.close()
    for ruler in round_.rulers:
        rows = [row for row in round_.explored.get(ruler, ()) if row.ee in _now(round_, ruler)]
        seen = view_of(state, ruler, round_.land) if rows else state
        for row in rows:
            args: dict[str, Any] = {"ee": row.ee, "from": row.source, "to": row.target, "result": row.result}
            if row.result != NOTHING:
                args["gf"] = _geography(field_row(seen.land[gf_of(row.target)]))
            if row.result == FULL:
                args |= _contents(round_, ruler, row.target)
            found = _in_words(round_, row.target, args)
            code = "explored" if row.source != row.target else "explored_around"
            round_.tell("explored", [ruler], args, words=code, source=row.source, target=row.target, found=found)
        for place in dict.fromkeys(row.target for row in rows if row.result == FULL):
            tell_of_caravans(round_, seen, ruler, place)


def _in_words(round_: Round, province: Province, args: Mapping[str, Any]) -> Phrase:
    """What scouts report: whose land it is, its trade centre, who stands there, what was built; of the high sea only
    who is there.
    """
    if args["result"] != FULL:
        return phrase(f"found.{args['result']}")
    stacks = tuple(phrase("board.stack", ruler=name, figures=text) for name, text in args["stacks"].items())
    if round_.land.is_sea(province):
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


def findings(round_: Round, seen: State, ruler: PowerId, province: Province) -> tuple[dict[str, Any], Phrase]:
    """What somebody who looks around a province sees there, as data and in words."""
    args: dict[str, Any] = {"result": FULL, "gf": _geography(field_row(seen.land[gf_of(province)]))}
    args |= _contents(round_, ruler, province)
    return args, _in_words(round_, province, args)


def tell_of_caravans(round_: Round, seen: State, ruler: PowerId, province: Province) -> None:
    """Report what the foreign caravans carry that somebody sees who looks around a province. Source: rules 21.6"""
    for row in strange_ones(seen.modules):
        if row.get("at") == province:
            round_.tell("caravan_spied", [ruler], {"gf": province, "load": str(row.get("load", ""))})


def _now(round_: Round, ruler: PowerId) -> set[int]:
    return {scout.order.ee for scout in round_.scouts if scout.ruler == ruler}


def _geography(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("hz", "works")}


def _contents(round_: Round, ruler: PowerId, province: Province) -> dict[str, Any]:
    owner, centre = round_.owners.get(province), round_.land.centre(province)
    hz = None if centre is None else {"type": centre.type, "kf": centre.cell, "name": centre.name or None}
    args: dict[str, Any] = {
        "owner": owner,
        "hz": hz,
        "stacks": {
            name: format_figures(own[province] if name == ruler else as_seen(own[province]))
            for name, own in round_.stacks.items()
            if own.get(province)
        },
        "works": [
            {key: value for key, value in work_row(work).items() if owner == ruler or key not in ("ts", "ghz")}
            for work in round_.land.works(province)
        ],
    }
    if owner is None:
        args["losses"] = 0 if centre is None else centre.centre.losses
    return args
