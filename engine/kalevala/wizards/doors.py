"""The player's wizard as a page: where he is, what he can cast, and what it costs on figures that scouts saw.

Source: rules 19.3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.doors import Door, Page
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.example_places import beside
from engine.kalevala.figures import Figures, count_of, format_figures, kind_of, rank_of, with_loads
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.wizards.spells import BEINGS, SPELLS, STORE, Meant, Spell, factor_of, known_of, zeh_of

_CLASSES = ("L", "LB", "LC")
"""A warrior of each class, to show what a spell costs on one of each."""


def wizard_of(view: View) -> tuple[Province, str] | None:
    """Where the viewer's wizard is, ashore or aboard, and his figure; `None`: there is none."""
    if view.viewer is None:
        return None
    stacks = view.state.stacks.get(view.viewer, {})
    everything = ((place, item) for place in sorted(stacks, key=order_of) for item in with_loads(stacks[place]))
    return next((found for found in everything if kind_of(found[1]).code == "Z"), None)


def has_wizard(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there is a wizard to look at."""
    return wizard_of(view) is not None


def cost_on(spell: Spell, figures: Figures) -> int:
    """What a spell costs on figures, all in one field. Source: rules 19.3, example E-15"""
    return spell.base * sum(factor_of(item) * count for item, count in figures.items() if kind_of(item).code != "Z")


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    found = wizard_of(view)
    if found is None or view.viewer is None:
        return None
    place, item = found
    own = view.state.rulers[view.viewer].wizard
    zeh, known = zeh_of(item), known_of(item)
    lines = [phrase("door.warwizard.stands", place=place, zeh=zeh, most=STORE, known=known, all=len(SPELLS))]
    if own is not None and own.mortal > view.state.gr:
        lines.append(phrase("door.warwizard.mortal", gr=own.mortal))
    lines += [phrase("door.warwizard.gains"), phrase("door.warwizard.costs")]
    lines += _spells(SPELLS[:known], zeh)
    lines += _seen(view, SPELLS[:known])
    lines.append(_how(view, place, item))
    return Page(lines=tuple(lines))


def _how(view: View, place: Province, item: str) -> Phrase:
    """How he is taken along: from where he is, with warriors of whom one stays, into land beside it, if possible such
    as scouts saw in this round.
    """
    assert view.viewer is not None, "a player's page"
    stack = view.state.stack(view.viewer, place)
    men = sorted((kind for kind in stack if kind_of(kind).is_warrior), key=rank_of)
    going = {men[0]: max(stack[men[0]] - 1, 1)} if men else {"L": 4}
    return phrase(
        "door.warwizard.how", place=place, beside=beside(view, place), figures=format_figures({**going, item: 1})
    )


def does(spell: Spell) -> Phrase:
    """What a spell does."""
    return phrase(f"door.warwizard.does_{spell.name}")


def _spells(known: Sequence[Spell], zeh: int) -> Iterator[Phrase]:
    """What each spell does and costs; for how many warriors of class A the ZEH are enough now."""
    for spell in known:
        what = does(spell)
        if spell.meant in (Meant.RIVER, Meant.GATE, Meant.SHIP) or spell.name == BEINGS:
            code = {Meant.SHIP: "of_ship", Meant.MOVED: "of_being"}.get(spell.meant, "of_river")
            yield phrase(f"door.warwizard.{code}", spell=spell.name, german=spell.german, what=what, zeh=spell.base)
            continue
        costs = [spell.base * factor_of(item) for item in _CLASSES]
        yield phrase(
            "door.warwizard.spell",
            spell=spell.name,
            german=spell.german,
            what=what,
            low=costs[0],
            middle=costs[1],
            high=costs[2],
            count=zeh // costs[0],
        )


def _seen(view: View, known: Sequence[Spell]) -> Iterator[Phrase]:
    """What hostile spells would cost on everybody whom the viewer's scouts saw in this round."""
    hostile = [spell for spell in known if spell.meant is Meant.FOE]
    assert view.viewer is not None, "a player's page"
    for row in view.state.explored.get(view.viewer, ()):
        for ruler in view.state.present(row.target):
            figures = view.state.stack(ruler, row.target)
            people = {item: count for item, count in figures.items() if item != "RE" and not count_of({item: 1}, "Z")}
            if ruler != view.viewer and people:
                yield phrase(
                    "door.warwizard.on_seen",
                    place=row.target,
                    ruler=ruler,
                    figures=format_figures(people),
                    costs=tuple(f"{spell.name} {cost_on(spell, people)}" for spell in hostile),
                )


WIZARD_DOOR: Door[View, Line] = Door(
    info=commands.WAR_WIZARD,
    page=_show,
    is_open=has_wizard,
    brings_page=lambda view: False,
)
