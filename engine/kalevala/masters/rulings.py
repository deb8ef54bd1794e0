"""A game master's words about the window that has closed, as rulings. Source: docs/rulings.md KA78, KA88, KA90

battle 2D+5 lost anna 3LB 1L     anna lost three lancers of class B and one of class A, no more and no less
battle 2D+5 lost anna nothing
battle 2D+5 holds anna           anna holds the field, and takes what the beaten lose
battle 2D+5 again                fought again with the stored dice: rulings before this one are taken back
battle 2D+5(2) holds anna        the second battle about that place in the same window (ruling KA312)
absence anna protect 6           anna, who has missed three windows, is protected for six great rounds
absence anna wait                she is not protected, and the windows that she misses are counted again from none
oracle anna 1 Beware of wolves   the answer to the first question in words that anna asked oracles in that window
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.kalevala.battle.course import BattleCourse, battle_id, courses_of
from engine.kalevala.figures import Figures, format_figures, parse_figures, total, without_numbers
from engine.kalevala.masters import decrees
from engine.kalevala.model import Decree, Ruling, State

BATTLE, LOST, HOLDS, AGAIN, NOTHING = "battle", "lost", "holds", "again", "nothing"
ORACLE, WORDS = "oracle", "…"
_PLACE = "2D+4"
ABSENCE, PROTECT, WAIT, MOST_PROTECTED = "absence", "protect", "wait", 12
_USUAL = 6


def forms(state: State, events: Sequence[Event]) -> tuple[str, ...]:
    """How to write rulings on the battles, questions and absences among some events, and decrees, for completion and
    hints.
    """
    asked = tuple(f"{ORACLE} {ruler} {number} {WORDS}" for ruler, number in _questions(events))
    away = tuple(f"{ABSENCE} {who} {what}" for who in _away(events) for what in (f"{PROTECT} {_USUAL}", WAIT))
    battles = (form for name, course in _courses(events) for form in _forms(name, course))
    return (*away, *asked, *battles, *_decrees(state, events))


def _decrees(state: State, events: Sequence[Event]) -> Iterator[str]:
    """Suggested decrees for the ruler to whom an event was first reported, otherwise for the first ruler."""
    told = (ruler for event in events for ruler in sorted(event.audience or ()))
    played = (ruler for ruler, own in state.rulers.items() if own.may_be_played)
    ruler = next(chain(told, played), None)
    return iter(()) if ruler is None else decrees.forms(ruler, _PLACE)


def _away(events: Sequence[Event]) -> Iterator[PowerId]:
    """The absent rulers about whom game masters were asked."""
    for event in events:
        if event.is_for_masters and event.facts is not None and event.facts.code == ABSENCE:
            yield PowerId(event.facts.args["ruler"])


def _questions(events: Sequence[Event]) -> Iterator[tuple[PowerId, int]]:
    """The questions in words that oracles were asked: the asker, and the question's number. Ruling KA88"""
    for event in events:
        args: Mapping[str, Any] = event.facts.args if event.facts is not None else {}
        if args.get("asked") and event.is_for_masters:
            yield from ((ruler, int(args["number"])) for ruler in event.audience or ())


def _forms(name: str, course: BattleCourse) -> Iterator[str]:
    for ruler in _rulers(course):
        lost = format_figures(dict(course.lost.get(ruler, {}))) or NOTHING
        yield f"{BATTLE} {name} {LOST} {ruler} {lost}"
    for ruler in _rulers(course):
        yield f"{BATTLE} {name} {HOLDS} {ruler}"
    yield f"{BATTLE} {name} {AGAIN}"


def text(written: str) -> str:
    """A ruling in the form in which it is stored."""
    return " ".join(written.split())


def begin(state: State, rulings: Sequence[str], events: Sequence[Event]) -> State:
    """The position before the window, changed so that the window then comes out as the rulings say.

    Args:
        rulings: in the order in which they were given.
        events: of the window as it was carried out.

    Raises:
        DocumentError: there was no such battle, or it can't have come out so.
    """
    courses = {name.casefold(): (name, course) for name, course in _courses(events)}
    found: dict[str, Ruling] = {}
    answers: dict[tuple[PowerId, int], str] = {}
    absences: dict[PowerId, int] = {}
    decreed: list[Decree] = []
    for written in rulings:
        kind = (written.casefold().split() or [""])[0]
        if kind in decrees.KINDS:
            decreed.append(decrees.read(written, state))
            continue
        if kind == ABSENCE:
            absences |= _absence(written, events)
            continue
        if kind == ORACLE:
            answers |= _answer(written, events)
            continue
        name, course, words = _meant(written, courses)
        found[name] = _with_ruling(found.get(name, Ruling()), course, words)
    kept = {place: ruling for place, ruling in found.items() if ruling != Ruling()}
    return replace(state, rulings=kept, absences=absences, answers=answers, decrees=tuple(decreed))


def _absence(written: str, events: Sequence[Event]) -> Mapping[PowerId, int]:
    """For how many great rounds an absent ruler is protected; 0: not at all. Ruling KA78"""
    _, who, what, rounds = [*written.casefold().split(), "", "", ""][:4]
    ruler = next((each for each in _away(events) if each.casefold() == who), None)
    if ruler is None:
        raise DocumentError("ruling", f"{who or 'nobody'} has not missed the third window in a row just now")
    if what == WAIT and not rounds:
        return {ruler: 0}
    if what != PROTECT or not rounds.isdecimal() or not 1 <= int(rounds) <= MOST_PROTECTED:
        raise DocumentError(
            "ruling", f"“{PROTECT}” and 1 to {MOST_PROTECTED} great rounds, or “{WAIT}”, come after the ruler"
        )
    return {ruler: int(rounds)}


def _answer(written: str, events: Sequence[Event]) -> Mapping[tuple[PowerId, int], str]:
    """What the oracle says to a question in words."""
    _, ruler, number, said = [*written.split(maxsplit=3), "", "", ""][:4]
    asked = _questions(events)
    key = next(((who, each) for who, each in asked if (who, str(each)) == (ruler.casefold(), number)), None)
    if key is None:
        raise DocumentError("ruling", f"{ruler or 'nobody'} asked no oracle a question with that number in words")
    if not said or said == WORDS:
        raise DocumentError("ruling", "the oracle's words come after the number")
    return {key: said}


def _meant(written: str, courses: Mapping[str, tuple[str, BattleCourse]]) -> tuple[str, BattleCourse, list[str]]:
    kind, place, *words = [*written.split(), "", ""]
    if kind.casefold() != BATTLE or not place:
        raise DocumentError(
            "ruling", f"a ruling begins with “{BATTLE}” and its place, “{ORACLE}” or “{ABSENCE}” and a ruler"
        )
    found = courses.get(place.casefold())
    if found is None:
        raise DocumentError("ruling", f"no battle about {place} was fought in the window that closed last")
    return *found, [word for word in words if word]


def _with_ruling(ruling: Ruling, course: BattleCourse, words: Sequence[str]) -> Ruling:
    match [words[0].casefold() if words else "", *words[1:]]:
        case [verb] if verb == AGAIN:
            return Ruling()
        case [verb, who] if verb == HOLDS:
            return replace(ruling, holds=_ruler(course, who))
        case [verb, who, *figures] if verb == LOST and figures:
            ruler = _ruler(course, who)
            return replace(ruling, lost={**ruling.lost, ruler: _figures(course, ruler, " ".join(figures))})
    raise DocumentError("ruling", f"“{LOST}”, “{HOLDS}” or “{AGAIN}” comes after the place")


def _ruler(course: BattleCourse, written: str) -> PowerId:
    found = next((ruler for ruler in _rulers(course) if ruler.casefold() == written.casefold()), None)
    if found is None:
        raise DocumentError("ruling", f"{written} had nobody in the battle about {course.place}")
    return found


def _figures(course: BattleCourse, ruler: PowerId, written: str) -> Figures:
    if written.casefold() == NOTHING:
        return {}
    figures = parse_figures(written)
    if figures is None:
        raise DocumentError("ruling", f"“{written}” are no figures, such as 3LB 1L, or {NOTHING}")
    figures = total([{without_numbers(item): count} for item, count in figures.items()])
    had = _had(course, ruler)
    for item, count in figures.items():
        there = had.get(item, 0)
        if count > there:
            raise DocumentError("ruling", f"{ruler} had {there}{item} in that battle, and can't lose {count}")
    return figures


def _had(course: BattleCourse, ruler: PowerId) -> Figures:
    """What a ruler had on the field before the first round, plus those who came out of hiding later."""
    found: dict[str, int] = {}
    for each in (*course.start, *course.emerged):
        if each.ruler == ruler:
            for item in filter(None, (without_numbers(each.item), "" if each.carrier else each.mount)):
                found[item] = found.get(item, 0) + 1
    return found


def _rulers(course: BattleCourse) -> tuple[PowerId, ...]:
    return tuple(ruler for side in course.sides for ruler in side)


def _courses(events: Sequence[Event]) -> Iterator[tuple[str, BattleCourse]]:
    """All battles of a window with their names, which are those of their sites."""
    return ((battle_id(course.place, number), course) for number, course in courses_of(events))
