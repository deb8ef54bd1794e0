"""For newcomers: how their figures are written, and orders to begin with. Source: rules 9, 32"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.phrases import Phrase, phrase
from engine.kalevala import orders
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import Province, gf_of, part_of
from engine.kalevala.figures import Figures, format_figures, kind_of, load_of, number_of, price_of, rank_of
from engine.kalevala.guide import RulerGuide, guide_of, unasked
from engine.kalevala.model import DEEDS_PART, View
from engine.kalevala.orders import Line, Order
from engine.kalevala.rounds import attempt
from engine.kalevala.sheet import is_asked
from engine.kalevala.tables import WORKS


def examples(view: View) -> tuple[Phrase, ...]:
    """What could be ordered in this window: the likeliest of each kind, below how the sheet says what stands where.

    Nobody is asked to let somebody else in, or to give something away.
    """
    if not is_asked(view):
        return ()
    guide = guide_of(view, ())
    firsts = [next(guide.whole(kind)) for kind in _kinds(guide)]
    found = tuple(_example(guide, order, label) for order, label in firsts)
    likeliest = [order for order, _ in firsts]
    return (*_reading(guide), *(found or (_nothing(guide),)), *_not_together(guide, likeliest))


def _kinds(guide: RulerGuide) -> tuple[str, ...]:
    """What is proposed unasked, and ways for caravans that stand ready, which nobody leads unasked."""
    ready = (each for each in caravans_in(guide.state.modules) if each.ruler == guide.ruler and not each.has_moved)
    leads = guide.state.part == DEEDS_PART and any(ready) and "CARAVAN" in guide.open_kinds
    return (*unasked(guide), *(("CARAVAN",) if leads else ()))


def _nothing(guide: RulerGuide) -> Phrase:
    """An empty sheet, and whether that is because all scouts have been sent out."""
    is_spent = bool(guide.state.explored.get(guide.ruler)) and not guide.free_units
    return phrase("example.no_units" if is_spent else "example.nothing", order="PASS")


def _not_together(guide: RulerGuide, firsts: Sequence[Order]) -> Iterator[Phrase]:
    """That a newcomer can't send all of them, if one would fail after the others."""
    done = attempt(guide.state, guide.ruler, [Line(order) for order in firsts])
    failing = next((line.order for line in done.lines(guide.ruler) if done.is_refused(guide.ruler, line)), None)
    if failing is not None:
        yield phrase("example.each", order=str(failing))


def _reading(guide: RulerGuide) -> Iterator[Phrase]:
    """How the fullest stack is written, and a province that is a part of a field."""
    own = guide.state.stacks.get(guide.ruler, {}).items()
    at, stack = max(own, key=lambda each: len(each[1]), default=(Province(""), {}))
    if stack:
        yield phrase("example.reading", written=format_figures(stack), place=at, figures=in_words(stack))
        yield phrase("example.field", place=at)
    known = (*guide.own, *(row.target for row in guide.state.explored.get(guide.ruler, ())))
    part = next((place for place in known if part_of(place) is not None), None)
    if part is not None:
        yield phrase("example.part", place=part, field=gf_of(part))


def in_words(figures: Figures) -> tuple[Phrase, ...]:
    """Figures as they are read: `3 class B lancers`, `a wizard with 30 spell points (ZEH)`, `1 raft (aboard: 5 RE)`."""
    return tuple(_item(item, figures[item]) for item in sorted(figures, key=rank_of))


def _item(item: str, count: int) -> Phrase:
    kind = kind_of(item)
    if kind.code == "Z":
        return phrase("example.wizard", zeh=number_of(item))
    figures = phrase("battle.figures", count=count, what=phrase(f"figure.{kind.code}", count=count))
    if "/" in item and kind.code in ("Pr", "My"):
        return phrase("example.with_points", figures=figures, zeh=number_of(item))
    load = load_of(item)
    return phrase("example.laden", craft=figures, load=in_words(load)) if load else figures


def _example(guide: RulerGuide, order: Order, label: str) -> Phrase:
    """An order, and what it would do; of the specialities' orders, what the menus call it."""

    def say(code: str, **args: Any) -> Phrase:
        return phrase(f"example.{code}", order=str(order), **args)

    match order:
        case Begin():
            return say("begin")
        case orders.Explore(source=source, target=target):
            return say("explore", place=target, source=source)
        case orders.Arm(target=target, amount=amount):
            return say("arm", amount=amount, place=target)
        case orders.Convert(at=at, figures=figures):
            made = dict(figures)
            cost = sum(price_of(item) * count for item, count in made.items())
            is_usual = guide.land.centre(at) is not None
            return say("convert" if is_usual else "convert_abroad", cost=cost, place=at, figures=in_words(made))
        case orders.Move(figures=figures, path=path):
            return say("move", figures=in_words(dict(figures)), source=path[0], place=path[-1])
        case orders.Embark(figures=figures, at=at):
            return say("board", figures=in_words(dict(figures)), place=at)
        case orders.Sail(figures=figures, path=path):
            return say("sail", figures=in_words(dict(figures)), source=path[0], place=path[-1])
        case orders.Disembark(figures=figures, at=at):
            return say("land", figures=in_words(dict(figures)), place=at)
        case orders.Ferry(figures=figures, source=source, target=target):
            return say("ferry", figures=in_words(dict(figures)), source=source, place=target)
        case orders.Build(at=at, work=work, cell=cell) if cell is not None:
            return say("build", place=at, work=phrase(f"work.{work}"), cell=cell, cost=WORKS[work].step)
        case orders.Repair(at=at, work=work):
            return say("repair", place=at, work=phrase(f"work.{work}"))
        case orders.Watch(at=at, count=count):
            return say("watch", place=at, count=count)
        case orders.Enter(kind=kind, source=source, target=target, figures=figures):
            going = in_words(dict(figures))
            code = "enter_sea" if kind == "B" and guide.land.is_sea(target) else f"enter_{kind}"
            return say(code, place=target, source=source, figures=going)
        case orders.Settle(at=at, who=who):
            return say("settle", place=at, ruler=who)
    return say("other", label=label)
