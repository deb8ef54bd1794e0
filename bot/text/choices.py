"""Menus of whole orders, one a unit, and buttons for further units: below a phase's first message, on receipts, and as
the guided flow begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from bot.model import Game
from bot.services.sheets import MENUS, Offer
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import FURTHER, UNIT, Action, CustomId
from bot.text.discord_limits import CHOICES, rows_of
from bot.text.message import Button, Select, SelectChoice
from engine.core.orders import Choice, Shortlist


@dataclass(frozen=True, slots=True)
class Offered:
    """The controls below a message for choosing orders: menus, and below them buttons that each bring another menu."""

    selects: tuple[Select, ...] = ()
    shortcuts: tuple[Button, ...] = ()

    @property
    def rows(self) -> int:
        """How many of a message's rows it takes."""
        return len(self.selects) + rows_of(self.shortcuts)


def offered(
    game: Game, phase_no: int, offer: Offer, rows: int, *, token: str, firsts: Sequence[Choice] = ()
) -> Offered:
    """Menus that each give an order with one choice, and a button for each unit besides, which brings its menu.

    Where there is no room for so many, a button is for a few units, and brings all their menus. They need nothing that
    is kept in memory, so that they outlive a restart.

    Args:
        rows: how many there may be.
        token: names the message that they belong to.
        firsts: what a last menu leads to, if there is no room for so many buttons; `()`: as much as it holds.
    """
    words = words_of(game)

    def custom_id(action: Action, place: int | str) -> str:
        return str(CustomId(action, game.token, phase_no, f"{token}-{place}"))

    def menus(count: int) -> tuple[Select, ...]:
        shown = enumerate(offer.shortlists[:count])
        return tuple(_whole_orders(words, custom_id(Action.CHOOSE, row), short) for row, short in shown)

    if offer.is_whole and len(offer.shortlists) <= rows:
        return Offered(menus(rows))
    least = sum(short.first in offer.asked for short in offer.shortlists)
    most = min(len(offer.shortlists), rows)
    for size in (1, _GROUP):
        for count in range(most, min(least, most) - 1, -1):
            listed = {short.first.value for short in offer.shortlists[:count]}
            found = Offered(menus(count), tuple(_leading(offer, listed, size, partial(custom_id, Action.UNIT))))
            if found.rows <= rows:
                return found
    few = menus(min(most, rows - 1))
    leading = [
        replace(first, value=f"{UNIT}{offer.firsts.index(first)}") for first in firsts or page_of(offer.firsts, 0)
    ]
    last = CustomId(Action.CHOOSE, game.token, phase_no, f"{token}-{len(few)}")
    return Offered((*few, *further(words, last, "guide.further" if few else "guide.change", leading)))


_GROUP = MENUS - 1
"""Units whose menus one button brings, where there is no room for a button each."""


def _leading(offer: Offer, listed: Set[str], size: int, custom_id: Callable[[str], str]) -> Iterator[Button]:
    """Buttons that lead to the menus of those that are not listed, `size` to a button; if a few were asked for, each of
    these has one of its own.
    """
    for start in range(0, len(offer.firsts), size):
        group = offer.firsts[start : start + size]
        left = [first for first in group if first.value not in listed]
        if len(left) == 1 or any(first in offer.asked for first in group):
            yield from (Button(custom_id(f"{offer.firsts.index(first)}"), _name(first)) for first in left)
        elif left:
            yield Button(custom_id(f"{start}_{len(group)}"), _names(list(map(_name, left))))


def _name(first: Choice) -> str:
    return first.label.removesuffix("…")


def _names(labels: list[str]) -> str:
    """Labels in a row, what all begin with once: `Build in Khibil, Rext, Joya`."""
    words = [label.split() for label in labels]
    same = sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False)))
    return ", ".join((labels[0], *(" ".join(label[same:]) for label in words[1:])))


def _whole_orders(words: Words, custom_id: str, short: Shortlist) -> Select:
    first = _name(short.first)
    choices = [SelectChoice(order.value, order.label, order.value) for order in short.orders]
    if not short.is_all:
        choices.append(SelectChoice(f"{FURTHER}{short.first.value}", words.plainly("guide.other")))
    code = "guide.unit_stands" if short.stands else "guide.unit"
    return Select(custom_id, words.plainly(code, unit=first, orders=short.stands), tuple(choices))


def further(words: Words, custom_id: CustomId, code: str, choices: Sequence[Choice]) -> tuple[Select, ...]:
    """The menu of choices that lead on; none where there are none."""
    if not choices:
        return ()
    shown = tuple(SelectChoice(choice.value, choice.label) for choice in choices)
    return (Select(str(custom_id), words.plainly(code), shown),)


def page_of(choices: Sequence[Choice], page: int) -> tuple[Choice, ...]:
    """As many choices as a menu holds; a page past the last is the first again."""
    pages = max(1, -(-len(choices) // CHOICES))
    first = page % pages * CHOICES
    return tuple(choices[first : first + CHOICES])
