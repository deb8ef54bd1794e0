"""The order sheet of a power: what new orders replace, what is still missing, and a template to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import province_of
from engine.core.orders import Missing, Request
from engine.core.phrases import Phrase, phrase
from engine.core.variant import load_phrases
from engine.provinces.classic import sheet as classic
from engine.provinces.orders import BLANK, Build, Remove, Waive
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.cards import hand
from engine.young_kingdoms.legality import placed_units, places_for
from engine.young_kingdoms.listing import list_orders
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CardOrder,
    CastAttack,
    CastSelf,
    Give,
    Order,
    ShareOrder,
    View,
)
from engine.young_kingdoms.notation import excludes, format_order, subject


def amend(view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
    """A sheet with new orders put in, in map order: each replaces what it excludes, the rest is kept."""
    if view.state.phase.kind is PhaseKind.ADJUSTMENTS:
        plain = [[one for one in orders if isinstance(one, Build | Remove | Waive)] for orders in (standing, new)]
        return classic.amend(view, *plain)
    kept = [order for order in standing if order not in new and not any(excludes(order, one) for one in new)]
    provinces = {str(province): index for index, province in enumerate(view.state.variant.board.provinces)}
    last = len(provinces)
    # Units in map order, then the rest by subject.
    return tuple(sorted((*kept, *new), key=lambda one: (provinces.get(subject(one), last), subject(one))))


def missing(view: View, orders: Sequence[Order]) -> tuple[Missing, ...]:
    """What the viewer could still give an order for: `A BUD`, `S MEL`, `1 build`; in map order, the sorcerer last."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None:
        return ()
    field, ordered = field_of(state), {subject(order) for order in orders}
    if state.phase.kind is PhaseKind.SETUP:
        left = (unit for unit in placed_units(field, viewer) if f"PLACE {unit.kind}" not in ordered)
        return tuple(Missing(f"{unit.kind} {unit.at}", (unit.kind,)) for unit in left)
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        return classic.missing(view, [order for order in orders if isinstance(order, Build | Remove | Waive)])
    idle = (unit for unit in field.units_of(viewer) if province_of(unit.at) not in ordered)
    found = [Missing(f"{unit.kind} {unit.at}", (province_of(unit.at),)) for unit in idle]
    if (sorcerer := _idle_sorcerer(view, orders)) is not None:
        found.append(Missing(sorcerer, (sorcerer,)))
    return tuple(found)


def otherwise(view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
    """Who is not placed begins at home; units hold or are disbanded; sorcerers stay, and retreat all the same."""
    state, left = view.state, missing(view, orders)
    if view.viewer is None or not left:
        return ()
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        return classic.otherwise(view, [order for order in orders if isinstance(order, Build | Remove | Waive)])
    if state.phase.kind is PhaseKind.SETUP:
        return (phrase("otherwise.setup", place=places_for(field_of(state), view.viewer)[0]),)
    is_sorcerers = _idle_sorcerer(view, orders) is not None
    lines = [phrase(f"otherwise.{state.phase.kind}")] if len(left) > is_sorcerers else []
    if is_sorcerers and state.phase.kind is PhaseKind.MOVEMENT:
        lines.append(phrase("otherwise.sorcerer"))
    elif is_sorcerers:
        retreats = field_of(state).driven_of[view.viewer].retreats
        lines.append(phrase("otherwise.sorcerer_retreats", places=retreats))
    return tuple(lines)


def requests(view: View, orders: Sequence[Order]) -> tuple[Request, ...]:
    """Whom the orders ask to share a space: a share that the other side does not write too is void."""
    if view.viewer is None:
        return ()
    return tuple(
        Request(
            power=order.power,
            what=phrase("request.share", power=view.viewer, place=order.at),
            answer=format_order(ShareOrder(order.at, view.viewer)),
        )
        for order in orders
        if isinstance(order, ShareOrder)
    )


def _idle_sorcerer(view: View, orders: Sequence[Order]) -> str | None:
    """The viewer's sorcerer that has no order yet, as orders name it."""
    place = _sorcerers_place(view)
    name = f"{SORCERER} {place}"
    # A sorcerer that casts stays where it is, or goes by the spell: nothing is left to order for it.
    casts = any(isinstance(order, CASTS) for order in orders)
    is_idle = place is not None and name not in map(subject, orders) and not casts
    return name if is_idle else None


def _sorcerers_place(view: View) -> str | None:
    """Where the viewer's sorcerer waits for an order in this phase."""
    if view.state.phase.kind is PhaseKind.RETREATS:
        return next((row.unit.at for row in view.state.driven if row.unit.power == view.viewer), None)
    sorcerer = view.state.sorcerer(view.viewer)
    return None if sorcerer is None else sorcerer.at


def template(view: View, orders: Sequence[Order]) -> str:
    """A sheet to fill in, which may be sent back as it is: a line is an order, or ends in `…` and is ignored."""
    state, viewer = view.state, view.viewer
    if viewer is None:
        return ""
    field = field_of(state)
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        return classic.template(view, [order for order in orders if isinstance(order, Build | Remove | Waive)])
    if state.phase.kind is PhaseKind.SETUP:
        given = {subject(order): format_order(order) for order in orders}
        places = " ".join(places_for(field, viewer))
        return "\n".join(
            given.get(f"PLACE {unit.kind}", f"PLACE {unit.kind} {BLANK}  # {places}")
            for unit in placed_units(field, viewer)
        )
    units = {str(province_of(unit.at)) for unit in field.units_of(viewer)}
    plain = [order for order in orders if subject(order) in units]
    lines = [_line(view, str(province_of(unit.at)), plain) for unit in field.units_of(viewer)]
    lines += _sorcerer_lines(view, orders)
    lines += _card_lines(view, orders)
    shown = set(lines)
    lines += [text for text in map(format_order, orders) if text not in shown]
    return "\n".join(lines)


def _line(view: View, province: str, orders: Sequence[Order]) -> str:
    given = next((order for order in orders if subject(order) == province), None)
    if given is not None:
        return format_order(given)
    return next(
        line for line in classic.template(view, []).splitlines() if line.split()[1].partition("/")[0] == province
    )


def _sorcerer_lines(view: View, orders: Sequence[Order]) -> list[str]:
    """The sorcerer's order, the cards in hand as a comment, and a line for a spell."""
    place = _sorcerers_place(view)
    if place is None:
        return []
    given = next((order for order in orders if subject(order) == f"{SORCERER} {place}"), None)
    if view.state.phase.kind is PhaseKind.RETREATS:
        row = next(row for row in view.state.driven if row.unit.power == view.viewer)
        choices = ", ".join(f"R {to}" for to in row.retreats)
        return [format_order(given) if given else f"{SORCERER} {place} {BLANK}  # {choices}"]
    spell = next((order for order in orders if isinstance(order, CASTS)), None)
    lines = []
    if given is not None or not isinstance(spell, CastAttack | CastSelf):
        name = f"{SORCERER} {place}"
        possible = map(format_order, list_orders(field_of(view.state), view.viewer).get(name, ()))
        choices = ", ".join(order.removeprefix(f"{name} ") for order in possible)
        lines.append(format_order(given) if given else f"{name} {BLANK}  # {choices}")
    words = load_phrases(view.state.variant.system)
    cards = hand(view)
    lines += [f"# {card.number}: {words.render(card.name)}" for card in cards]
    if spell is not None:
        lines.append(format_order(spell))
    elif cards:
        lines.append(f"CAST {BLANK}  # {', '.join(str(card.number) for card in cards)}")
    return lines


def _card_lines(view: View, orders: Sequence[Order]) -> list[str]:
    """For each unit that carries a spell: what is done with it."""
    if view.state.phase.kind is not PhaseKind.MOVEMENT:
        return []
    lines = []
    for unit in field_of(view.state).units_of(view.viewer):
        here = province_of(unit.at)
        if any(one.at == here for one in view.state.carried):
            given = next(
                (order for order in orders if isinstance(order, CardOrder | Give) and province_of(order.at) == here),
                None,
            )
            lines.append(
                format_order(given) if given else f"CARRY SPELL {unit.kind} {unit.at}  # or DUMP, DESTROY, GIVE"
            )
    return lines
