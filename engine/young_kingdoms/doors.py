"""The hand of cards as its holder sees it, and casting and handing on as doors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core.doors import Door, Page
from engine.core.ids import SystemId
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.pictures.hand import CardFace, Hand
from engine.provinces.phases import Phase, PhaseKind, Season
from engine.young_kingdoms import commands
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.cards import Card, Effect
from engine.young_kingdoms.cards import hand as cards_of
from engine.young_kingdoms.legality import placed_units
from engine.young_kingdoms.menu import CAST, menu
from engine.young_kingdoms.model import CASTS, CardOrder, Give, Order, View
from engine.young_kingdoms.notation import format_order
from engine.young_kingdoms.suggest import legal

_CARRY = "carry"
"""What every unit with a card can do, whoever is beside it."""


def hand(view: View) -> Hand | None:
    """The cards of the viewer's sorcerer; `None`: it has none."""
    state, viewer = view.state, view.viewer
    if viewer is None or not state.has_sorcerer(viewer):
        return None
    return Hand(
        system=SystemId(state.variant.system),
        variant=state.variant.id,
        title=phrase("card.hand", power=state.variant.powers[viewer].name),
        cards=tuple(CardFace(card.number, card.name, card.words, _emblem(card)) for card in cards_of(view)),
        viewer=viewer,
    )


def _emblem(card: Card) -> str:
    if card.effect in (Effect.SUPPORT, Effect.ATTACK):
        return f"{card.effect}_{card.over}"
    return str(card.effect)


def _page(view: View, orders: Sequence[Order]) -> Page | None:
    """The hand, as a picture and in words."""
    held = hand(view)
    if held is None:
        return None
    lines, alt = (
        tuple(phrase(code, number=card.number, name=card.name, text=card.text) for card in held.cards)
        for code in ("door.cards.line", "door.cards.line_plain")
    )
    return Page(lines=lines, picture=held if held.cards else None, alt=alt)


def _brought(view: View) -> Phrase | None:
    held = hand(view)
    if not held or not held.cards:
        return None
    return phrase("door.cards.briefing" if _is_new(view) else "door.cards.briefing_again")


def _found(view: View) -> Phrase | None:
    """Who has cards in hand finds the button below them."""
    has_carriers = bool(_way(view, _CARRY))
    return phrase("door.give.briefing") if has_carriers and _brought(view) is None else None


def _is_new(view: View) -> bool:
    """Whether it is the first phase that asks for the viewer's orders: later a button brings the picture."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.phase.kind is PhaseKind.SETUP:
        return True
    is_first_turn = state.phase == Phase(
        state.variant.settings["first_phase"]["year"], Season.SPRING, PhaseKind.MOVEMENT
    )
    return is_first_turn and not placed_units(field_of(state), viewer)


def _way(view: View, wanted: str) -> tuple[str, ...]:
    """The choices of the guided flow down to such a step; empty where nothing of the sort can be done."""
    for first in menu(view, ()).choices:
        for second in menu(view, (first.value,)).choices:
            if second.value == wanted:
                return first.value, second.value
    return ()


def _offered(kinds: tuple[type[Order], ...]) -> Callable[[View, Sequence[Order]], tuple[Choice, ...]]:
    """The legal orders of some kinds."""

    def offered(view: View, standing: Sequence[Order]) -> tuple[Choice, ...]:
        texts = [format_order(order) for orders in legal(view).values() for order in orders if isinstance(order, kinds)]
        return tuple(Choice(text, text) for text in texts)

    return offered


def _cast(view: View, orders: Sequence[Order], given: Mapping[str, str]) -> str:
    """`4 from Mel - DRA` is enough for a cast."""
    text = given["spell"]
    return text if text.casefold().startswith(CAST) else f"{CAST} {text}"


DOORS: tuple[Door[View, Order], ...] = (
    Door(info=commands.SPELLS_SHOW, page=_page, briefing=_brought, brings_page=_is_new),
    Door(
        info=commands.SPELLS_CAST,
        completions={"spell": _offered(CASTS)},
        order=_cast,
        is_open=lambda view, orders: bool(_way(view, CAST)),
        path=lambda view: _way(view, CAST),
    ),
    Door(
        info=commands.SPELLS_GIVE,
        completions={"spell": _offered((Give, CardOrder))},
        is_open=lambda view, orders: bool(_way(view, _CARRY)),
        path=lambda view: _way(view, _CARRY)[:1],
        briefing=_found,
    ),
)
"""`/spells`."""
