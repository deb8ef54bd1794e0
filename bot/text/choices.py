"""Menus of whole orders, one a unit: on receipts, and at the beginning of the guided flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.services.orders import Receipt
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import FURTHER, Action, CustomId
from bot.text.discord_limits import CHOICES
from bot.text.message import Select, SelectChoice
from engine.core.orders import Choice, Shortlist


def choice_menus(receipt: Receipt, rows: int, *, token: str, firsts: Sequence[Choice] = ()) -> tuple[Select, ...]:
    """Menus that each give an order with one choice, or lead to what can be ordered besides.

    They need nothing that is kept in memory, so that they outlive a restart.

    Args:
        rows: how many there may be.
        token: names the message that they belong to.
        firsts: what the last one leads to, if the others don't hold all there is; `()`: as much as it holds.
    """
    words, game, offer = words_of(receipt.game), receipt.game, receipt.offer
    firsts = firsts or page_of(offer.firsts, 0)
    shown = offer.shortlists if offer.is_whole and len(offer.shortlists) <= rows else offer.shortlists[: rows - 1]

    def custom_id(row: int) -> CustomId:
        return CustomId(Action.CHOOSE, game.token, receipt.phase_no, f"{token}-{row}")

    menus = [_whole_orders(words, str(custom_id(row)), short) for row, short in enumerate(shown)]
    if len(shown) < len(offer.firsts):
        leading = [replace(first, value=f"{FURTHER}{first.value}") for first in firsts]
        menus += further(words, custom_id(len(menus)), "guide.further" if shown else "guide.change", leading)
    return tuple(menus)


def _whole_orders(words: Words, custom_id: str, short: Shortlist) -> Select:
    first = short.first.label.removesuffix("…")
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
