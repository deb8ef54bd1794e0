"""The king as a page, and the commands to create him, pay him and ransom him. Source: rules 18"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.doors import Door, Doubt, Page
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.kings.facts import (
    LONGEST_TEXT,
    STEP,
    Hostage,
    King,
    Whereabouts,
    find_in,
    hostages_in,
    kind_of_king,
    lives_of,
    power_of,
)
from engine.kalevala.model import DEEDS_PART, ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked


def _king(view: View) -> King | None:
    return None if view.viewer is None else view.state.rulers[view.viewer].king


def _held(view: View, *, is_own: bool) -> list[Hostage]:
    """The viewer's people who are hostages, or the hostages that the viewer holds."""
    found = hostages_in(view.state.modules)
    return [each for each in found if (each.ruler == view.viewer) == is_own and view.viewer is not None]


def has_court(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there is a king to look at, or a hostage."""
    return _king(view) is not None or bool(hostages_in(view.state.modules))


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    """Everything that a ruler knows about their king and about hostages."""
    if view.viewer is None or not has_court(view):
        return None
    lines: list[Phrase] = []
    king, found = _king(view), find_in(view.state.stacks.get(view.viewer, {}))
    if king is not None:
        lines += _about(view, king, found)
    for each in _held(view, is_own=False):
        lines.append(phrase(f"door.court.hold_{'king' if each.figure else 'court'}", ruler=each.ruler, place=each.at))
    return Page(lines=tuple(lines))


def _about(view: View, king: King, found: Whereabouts | None) -> Iterator[Phrase]:
    if found is not None:
        args = {"item": kind_of_king(found.item), "place": found.at, "lives": lives_of(found.item)}
        yield phrase(f"door.court.king_{kind_of_king(found.item)}", **args, power=power_of(found.item))
    for each in _held(view, is_own=True):
        code = "lost_king" if each.figure else "lost_court"
        yield phrase(f"door.court.{code}", ruler=each.captor, place=each.at)
    if king.text:
        yield phrase("door.court.text", text=king.text)
    yield phrase(f"door.court.weak_{king.weakness}" if king.weakness else "door.court.weakness")
    if king.ill == view.state.gr:
        yield phrase("door.court.ill")
    if found is not None:
        points = power_of(found.item) // STEP
        yield phrase(f"door.court.power_{kind_of_king(found.item)}", points=points, percent=5 * points)
    if not king.has_palace:
        yield phrase("door.court.plain" if king.is_plain else "door.court.homeless")
    if king.unpaid:
        yield phrase("door.court.unpaid")
    yield phrase("door.court.how")


def _create(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    text = " ".join(given["text"].replace('"', "'").split())
    if not text or len(text) > LONGEST_TEXT:
        return Doubt(phrase("door.crown.length", count=len(text), most=LONGEST_TEXT), "", ())
    return f'KING CREATE {given["kind"]} "{text}" KF {given["field"]}'


def _release(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    price = given.get("price", "0")
    return f"KING RELEASE {given['captive']}" + (f" FOR {price}" if price != "0" else "")


def _prisoners(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    return tuple(Choice(name, name) for name in dict.fromkeys(each.ruler for each in _held(view, is_own=False)))


def _may_create(view: View, orders: Sequence[Line]) -> bool:
    has_none = is_asked(view) and view.state.part == ORDERS_PART and _king(view) is None
    return has_none and has_module(view.state, "king")


def _may_pay(view: View, orders: Sequence[Line]) -> bool:
    is_date = view.state.part == ORDERS_PART and view.state.gr % 2 == 0
    return is_asked(view) and is_date and _king(view) is not None


def _may_ransom(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.state.part == DEEDS_PART and bool(_held(view, is_own=True))


def _may_release(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.state.part == DEEDS_PART and bool(_held(view, is_own=False))


KING_DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.KING_COURT,
        page=_show,
        is_open=has_court,
        brings_page=lambda view: False,
    ),
    Door(
        info=commands.KING_CREATE,
        order=_create,
        is_open=_may_create,
    ),
    Door(
        info=commands.KING_PAY,
        order=lambda view, orders, given: f"KING PAY {given['means']}",
        is_open=_may_pay,
    ),
    Door(
        info=commands.KING_RANSOM,
        order=lambda view, orders, given: f"KING RANSOM {given['amount']}",
        is_open=_may_ransom,
    ),
    Door(
        info=commands.KING_RELEASE,
        completions={"captive": _prisoners},
        order=_release,
        is_open=_may_release,
    ),
)
