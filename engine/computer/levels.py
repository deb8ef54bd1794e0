"""How well the computer plays: `easy` drafts a sheet mostly by chance, `fair` tries a few changes to a draft of what it
would like, `strong` tries many. In games that draft whole sheets `fair` sends its first draft, and `easy` half of it.
Besides, a player may be cautious or bold: dangers count more for it, or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.computer.choosing import Drafting, choose_draft
from engine.computer.drafting import draft
from engine.computer.search import Budget, climb
from engine.computer.thinking import Guess, OrderMap, Outlook
from engine.core.ids import PowerId
from engine.core.judgement import Chance, Judgement
from engine.core.orders import O
from engine.core.reading import read_orders
from engine.core.sight import S, V
from engine.core.system import GameSystem


class Level(StrEnum):
    """How well a computer's player plays, and in what character. The values are stored, and players read them."""

    EASY = "easy"
    FAIR = "fair"
    FAIR_CAUTIOUS = "fair, cautious"
    FAIR_BOLD = "fair, bold"
    STRONG = "strong"
    STRONG_CAUTIOUS = "strong, cautious"
    STRONG_BOLD = "strong, bold"

    @property
    def easier(self) -> Level | None:
        """The next level below, in the same character if it has one; `None` if this is the lowest."""
        if self is Level.EASY:
            return None
        return Level(self.replace("strong", "fair")) if self.startswith("strong") else Level.EASY


@dataclass(frozen=True, slots=True)
class Care:
    """How much thought goes into a phase.

    Args:
        wildness: of drafts, its own and those that others are thought to make.
        drafting: what there is instead in games that draft whole sheets by themselves.
        samples: how many guesses at the others' orders a sheet is tried against.
        starts: how many drafts of its own are bettered.
        trials: positions tried for its own sheet.
        foresight: positions tried to better each guess at each other power's orders.
        is_skilled: whether sheets are drafted with all that a game's judgement knows.
        caution: how much dangers count, as a multiple of what they usually do.
    """

    wildness: float
    drafting: Drafting
    samples: int = 1
    starts: int = 1
    trials: int = 0
    foresight: int = 0
    is_skilled: bool = False
    caution: float = 1.0


_CAUTIOUS, _BOLD = 2.5, 0.4
_FAIR = Care(wildness=0.5, trials=120, drafting=Drafting(wildness=0.3))
_STRONG = Care(
    wildness=0.5,
    samples=8,
    starts=2,
    trials=4000,
    foresight=60,
    is_skilled=True,
    drafting=Drafting(wildness=0.3, drafts=12, turns=2, most=620),
)
CARE = {
    Level.EASY: Care(wildness=4.0, drafting=Drafting(wildness=4.0, forgets=0.5)),
    Level.FAIR: _FAIR,
    Level.FAIR_CAUTIOUS: replace(_FAIR, caution=_CAUTIOUS),
    Level.FAIR_BOLD: replace(_FAIR, caution=_BOLD),
    Level.STRONG: _STRONG,
    Level.STRONG_CAUTIOUS: replace(_STRONG, caution=_CAUTIOUS),
    Level.STRONG_BOLD: replace(_STRONG, caution=_BOLD),
}


def think(
    rules: GameSystem[S, V, O], judgement: Judgement[S, V, O], view: V, power: PowerId, care: Care, chance: Chance
) -> tuple[str, ...]:
    """A power's orders for the phase as canonical texts, all of them legal together.

    The same view, care and chance give the same orders.
    """
    if judgement.in_character is not None and care.caution != 1.0:
        judgement = judgement.in_character(care.caution)
    if judgement.draft is not None:
        skilled = judgement.draft_skilled if care.is_skilled else None
        drafter = skilled or judgement.draft
        return _canonical(rules, view, choose_draft(rules, judgement, drafter, view, power, care.drafting, chance))
    outlook = Outlook(rules, judgement, view)
    options = outlook.options(power)
    sheet = draft(options, chance, wildness=care.wildness)
    if care.trials and options.by_subject:
        sheet = _search(outlook, power, sheet, care, chance)
    orders = tuple(sheet.values())
    if judgement.besides is not None:
        orders += tuple(judgement.besides(outlook.state, power, orders, chance, care.wildness))
    return _canonical(rules, view, orders)


def _canonical(rules: GameSystem[S, V, O], view: V, orders: Sequence[O]) -> tuple[str, ...]:
    """What can be ordered of these, as texts."""
    lines = "\n".join(map(rules.orders.format, orders))
    return tuple(rules.orders.format(read.order) for read in read_orders(rules, view, lines).orders)


def _search(outlook: Outlook[S, V, O], power: PowerId, first: OrderMap[O], care: Care, chance: Chance) -> OrderMap[O]:
    samples = [_guess(outlook, power, first, care, chance) for _ in range(care.samples)]
    budget_each = max(1, care.trials // care.starts // outlook.judgement.cost)
    found = [climb(outlook, power, first, samples, chance=chance, budget=Budget(budget_each))]
    for _ in range(care.starts - 1):
        start = draft(outlook.options(power), chance, wildness=care.wildness)
        found.append(climb(outlook, power, start, samples, chance=chance, budget=Budget(budget_each)))
    return max(found, key=lambda row: row[0])[1]


def _guess(outlook: Outlook[S, V, O], power: PowerId, own: OrderMap[O], care: Care, chance: Chance) -> Guess[O]:
    """Likely orders of the others, who each improve a draft a little against the others' drafts; and some luck."""
    others = [other for other in outlook.to_act if other != power]
    sheets = {other: draft(outlook.options(other), chance, wildness=care.wildness) for other in others}
    foresight = care.foresight // outlook.judgement.cost
    if foresight:
        for other in others:
            around = Guess(
                {**{name: sheet for name, sheet in sheets.items() if name != other}, power: own}, _luck(chance)
            )
            budget = Budget(foresight)
            sheets[other] = climb(outlook, other, sheets[other], [around], chance=chance, budget=budget)[1]
    return Guess(sheets, _luck(chance))


def _luck(chance: Chance) -> str:
    return f"{chance.random()}"
