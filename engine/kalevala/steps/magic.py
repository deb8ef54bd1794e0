"""Wizards outside of battles: their rolls, whether they are mortal, apprentices. Source: rules 19.3, 19.4"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.coordinates import Province, coordinate_of, order_of
from engine.kalevala.figures import Figures, has_people, warriors, with_loads, wizards_in
from engine.kalevala.model import Wizard
from engine.kalevala.window import Window, purpose
from engine.kalevala.wizards.spells import SPELLS, STORE, is_apprentice, is_wizard, known_of, wizard_item, zeh_of

TRIPLE_GAIN, LESSER_GAIN = 30, 20
"""ZEH that a triple gives to a wizard, and to a mortal one or an apprentice. Source: rules 19.3, 19.7"""
MORTAL_ROUNDS = 3
"""How long a wizard who has lost a duel is mortal, from the next great round on. Source: R-057, R-122"""


def find_wizard(window: Window, ruler: PowerId) -> tuple[Province, str] | None:
    """Where a ruler's wizard is, ashore or aboard, and his figure; `None`: he is dead. Source: R-051."""
    stacks = window.stacks[ruler]
    return next(
        (
            (province, item)
            for province in sorted(stacks, key=order_of)
            for item in with_loads(stacks[province])
            if is_wizard(item)
        ),
        None,
    )


def change_wizard(window: Window, ruler: PowerId, place: Province, before: str, after: str, why: str) -> None:
    """A wizard has spent or gained ZEH, or learnt a spell."""
    window.change_number(ruler, place, before, after, why)
    own = window.rulers[ruler]
    if own.wizard is not None:
        window.rulers[ruler] = replace(own, wizard=replace(own.wizard, spells=known_of(after)))


def is_mortal(window: Window, ruler: PowerId) -> bool:
    """Whether he lost a duel recently enough to be mortal still. Source: rules 19.6"""
    wizard = window.rulers[ruler].wizard
    return wizard is not None and wizard.mortal > window.gr


def send_home(
    window: Window, ruler: PowerId, place: Province, wizards: Figures, fought_for: Collection[Province]
) -> None:
    """A beaten wizard goes to the ruler's nearest province, outside of the battle if there is one; a mortal one falls.

    Without land he goes to the ruler's nearest people. Source: R-101, rules 19.7, ruling KA299
    """
    owned = window.owned(ruler)
    homes = [home for home in owned if home not in fought_for] or owned or _camps(window, ruler, fought_for)
    if not homes or is_mortal(window, ruler):
        for item, count in wizards.items():
            window.book(ruler, place, item, -count, "beaten")
        window.tell("wizard_fell", [ruler], {"gf": place}, words="wizard_fell" if homes else "wizard_fell_homeless")
        return
    home = min(homes, key=lambda home: (_steps(place, home), order_of(home)))
    window.shift(ruler, wizards, place, home, is_marked=False)
    if home != place:
        window.tell("wizard_fled", [ruler], {"gf": place, "to": home})


def _camps(window: Window, ruler: PowerId, fought_for: Collection[Province]) -> list[Province]:
    """Where a ruler has people besides the wizard, outside of a battle."""
    stacks = {place: with_loads(stack) for place, stack in window.stacks[ruler].items() if place not in fought_for}
    return [place for place, stack in stacks.items() if has_people({item: 1 for item in stack if not is_wizard(item)})]


def _steps(one: Province, other: Province) -> int:
    """How far apart two provinces are; on different planes, very far."""
    first, second = coordinate_of(one), coordinate_of(other)
    return first.field.distance(second.field) if first.plane == second.plane else 1_000


def restore_wizards(window: Window) -> None:
    """The opening of P1: those who have been mortal for long enough are wizards again. Source: R-057"""
    for ruler, own in window.rulers.items():
        if own.wizard is not None and 0 < own.wizard.mortal <= window.gr:
            window.rulers[ruler] = replace(own, wizard=replace(own.wizard, mortal=0))


def call_apprentices(window: Window) -> None:
    """A realm whose wizard is dead gets an apprentice in the capital, else at the best centre. Source: rules 19.7"""
    for ruler, own in window.rulers.items():
        if own.wizard is None or wizards_in(window.stacks[ruler].values()):
            continue
        where = window.capital_of(ruler) or next(iter(books.best_centres(window, ruler)), None) or _army(window, ruler)
        if where is not None:
            window.rulers[ruler] = replace(own, wizard=Wizard(spells=1))
            window.book(ruler, where, wizard_item(0, 1), 1, "apprentice")


def _army(window: Window, ruler: PowerId) -> Province | None:
    stacks = window.stacks[ruler]
    return max(sorted(stacks, key=order_of), key=lambda place: warriors(stacks[place]), default=None)


def roll_sorcery(window: Window) -> None:
    """Each wizard's roll at the opening of P3: a triple adds ZEH. Source: rules 19.3, 19.7, R-054, R-102"""
    if window.dice is None:
        return
    for ruler in window.rulers:
        found = find_wizard(window, ruler)
        if found is None:
            continue
        province, item = found
        thrown = window.dice.throw(f"sorcery/{ruler}", purpose=purpose("sorcery", ruler=ruler))
        learns = is_apprentice(item)
        have = zeh_of(item)
        gain = (LESSER_GAIN if learns or is_mortal(window, ruler) else TRIPLE_GAIN) if thrown.is_triple else 0
        gain = min(gain, max(0, STORE - have))
        if thrown.is_triple and (gain or learns):
            known = min(known_of(item) + learns, len(SPELLS))
            change_wizard(window, ruler, province, item, wizard_item(have + gain, known), "sorcery")
        facts = {"rolled": True, "gain": gain, "zeh": have + gain}
        if thrown.is_triple and learns:
            window.tell("sorcery", [ruler], facts, words="sorcery_learnt", spell=SPELLS[known_of(item)].name)
        else:
            window.tell("sorcery", [ruler], facts, words="" if gain else "sorcery_nothing")


def tell_of_lessons(window: Window, ruler: PowerId, known: int) -> None:
    """Report what an apprentice has learnt from triples in a battle.

    Args:
        known: how many spells he knew before.
    """
    found = find_wizard(window, ruler)
    learnt = () if found is None else SPELLS[known : known_of(found[1])]
    if found is not None and learnt:
        facts = {"rolled": False, "gain": 0, "zeh": zeh_of(found[1])}
        window.tell("sorcery", [ruler], facts, words="sorcery_taught", spells=tuple(spell.name for spell in learnt))
