"""Letters, the courier, permits and deeds of trade as doors: the line that each gives.

Source: rules 2.1, 2.2, R-067, R-110
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.doors import Door, DoorForm, Doubt
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kalevala import board, commands
from engine.kalevala.agents.doors import AGENT_DOORS
from engine.kalevala.arrivals.doors import BEGIN_DOOR
from engine.kalevala.artefacts.doors import ARTEFACT_DOOR
from engine.kalevala.board import variant_of
from engine.kalevala.caravans.doors import CARAVAN_DOOR
from engine.kalevala.coordinates import order_of
from engine.kalevala.culture.doors import CULTURE_DOOR
from engine.kalevala.example_places import at_home
from engine.kalevala.figures import composed, of_group
from engine.kalevala.gods.doors import GOD_DOOR
from engine.kalevala.kings.doors import KING_DOORS
from engine.kalevala.model import DEEDS_PART, ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Contribute, Line, Write
from engine.kalevala.priests.doors import PRIEST_DOORS
from engine.kalevala.sheet import is_asked
from engine.kalevala.tables import Group
from engine.kalevala.telling.courier import PARAGRAPH
from engine.kalevala.trade.fiefs import fiefs_in
from engine.kalevala.war.doors import WAR_DOORS
from engine.kalevala.wizards.doors import WIZARD_DOOR

_EVERYWHERE = "ALL"


def others(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """The other rulers, whose names everybody knows."""
    powers = variant_of(view.state).powers
    return tuple(Choice(ruler, powers[ruler].name) for ruler in board.others(view.state, view.viewer))


def own_places(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """All of the ruler's land, then its provinces."""
    if view.viewer is None:
        return ()
    places = sorted(view.state.owned(view.viewer), key=order_of)
    return tuple(Choice(place, place) for place in (_EVERYWHERE, *places))


def _letter(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    """A letter: the usual one, an express one, or one that a sham ruler signs. Source: rules 2.1, 2.3, R-118"""
    text, signed = _in_quotes(given.get("text", "")), "_".join(given.get("signed", "").split())
    if not text:
        return Doubt(phrase("door.letter.empty"), "", ())
    is_express = given.get("sending") == commands.EXPRESS
    if is_express and signed:
        return Doubt(phrase("door.letter.unsigned"), "", ())
    letter = f'{"EXPRESS" if is_express else "LETTER"} {given["ruler"]} "{text}"'
    return _stranger(view, given, "door.letter.stranger") or (f"{letter} AS {signed}" if signed else letter)


def _stranger(view: View, given: Mapping[str, str], code: str = "door.envoys.stranger") -> Doubt | None:
    """The answer to a name that no other ruler has."""
    known = tuple(choice.value for choice in others(view))
    if composed(given["ruler"]).lower() in known:
        return None
    return Doubt(phrase(code, ruler=given["ruler"]), given["ruler"], known)


def _in_quotes(text: str) -> str:
    """A text as it is written in a line: characters that would end it early are replaced."""
    return " ".join(text.replace('"', "'").split())


def _letters(view: View, orders: Sequence[Line]) -> str:
    """The letters that stand, each as `bert: text`."""
    written = [line.order for line in orders if is_letter(line)]
    return "\n".join(f"{each.who}: {each.text}" for each in written if isinstance(each, Write))


def _as_orders(text: str) -> str:
    """Lines `bert: text` as orders; any other is left as it is."""
    found = []
    for line in text.splitlines():
        who, colon, said = line.partition(":")
        is_written = bool(colon and said.strip() and len(who.split()) == 1)
        found.append(f'LETTER {who.strip()} "{_in_quotes(said)}"' if is_written else line)
    return "\n".join(found)


def is_letter(line: Line) -> bool:
    """Whether a line is a usual letter, under the ruler's own name."""
    return isinstance(line.order, Write) and not line.order.is_express and not line.order.sham


def _contribution(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    """What the courier is to print."""
    text = _in_quotes(given.get("text", ""))
    return f'COURIER "{text}"' if text else Doubt(phrase("door.courier.empty"), "", ())


def _contributions(view: View, orders: Sequence[Line]) -> str:
    """What the sheet has for the courier, a paragraph to a line."""
    return "\n".join(line.order.text.replace(PARAGRAPH, "\n") for line in orders if isinstance(line.order, Contribute))


def _as_contribution(text: str) -> str:
    """All that was written as one contribution."""
    paragraphs = filter(None, map(_in_quotes, text.splitlines()))
    written = PARAGRAPH.join(paragraphs)
    return f'COURIER "{written}"' if written else ""


def _is_contribution(line: Line) -> bool:
    return isinstance(line.order, Contribute)


def _correspondents(view: View) -> Phrase | None:
    """To whom the viewer may write."""
    if not is_asked(view):
        return None
    return phrase("door.letter.briefing", rulers=tuple(choice.value for choice in others(view)))


def _permit(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    return _stranger(view, given) or f"PERMIT {given['ruler']} {given['place']} {given['rounds']}"


def trading_places(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """Where the ruler has somebody."""
    stacks = view.state.stacks.get(view.viewer, {}) if view.viewer is not None else {}
    places = [place for place, figures in stacks.items() if of_group(figures, Group.HUMAN)]
    return tuple(Choice(place, place) for place in sorted(places, key=order_of))


def _handover(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    """One side of a deed of trade; the other ruler sends the other. Source: rules 21.3"""
    gives, wants = given.get("give", "").strip(), given.get("want", "").strip()
    if not gives and not wants:
        return Doubt(phrase("door.handover.empty"), "", ())
    text = f"HANDOVER {gives or 'NOTHING'} AT {given['place']} TO {given['ruler']}"
    return _stranger(view, given) or (f"{text} FOR {wants}" if wants else text)


def fief_places(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """Own provinces, and what was given as a fief."""
    if view.viewer is None:
        return ()
    given = [fief.gf for fief in fiefs_in(view.state.modules) if fief.giver == view.viewer]
    return tuple(Choice(place, place) for place in dict.fromkeys((*view.state.owned(view.viewer), *given)))


def fiefs_on_offer(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """Land of others that is known, and own fiefs that could be renewed or claimed; any other may be typed."""
    if view.viewer is None:
        return ()
    own = [fief.gf for fief in fiefs_in(view.state.modules)]
    known = sorted((place for place, who in view.state.owners.items() if who != view.viewer), key=order_of)
    return tuple(Choice(place, place) for place in dict.fromkeys((*own, *known)))


def _fief(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    return _stranger(view, given) or f"FIEF {given['place']} TO {given['ruler']} {given['rounds']}"


def _accept(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    return _stranger(view, given) or f"ACCEPT {given['place']} OF {given['ruler']}"


def _may_trade(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.state.part == DEEDS_PART and has_module(view.state, "merchants")


DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.LETTER,
        completions={"ruler": others},
        order=_letter,
        is_open=lambda view, orders: is_asked(view),
        form=DoorForm(text=_letters, read=_as_orders, replaces=is_letter, example=lambda view: at_home("bert", view)),
        briefing=_correspondents,
    ),
    Door(
        info=commands.COURIER,
        order=_contribution,
        is_open=lambda view, orders: is_asked(view),
        form=DoorForm(
            text=_contributions,
            read=_as_contribution,
            replaces=_is_contribution,
            example=lambda view: at_home("2D+4", view),
        ),
    ),
    Door(
        info=commands.PERMIT,
        completions={"ruler": others, "place": own_places},
        order=_permit,
        is_open=lambda view, orders: is_asked(view) and view.state.part == ORDERS_PART,
    ),
    Door(
        info=commands.HANDOVER,
        completions={"ruler": others, "place": trading_places},
        order=_handover,
        is_open=_may_trade,
    ),
    Door(
        info=commands.FIEF_OFFER,
        completions={"ruler": others, "place": fief_places},
        order=_fief,
        is_open=_may_trade,
    ),
    Door(
        info=commands.FIEF_ACCEPT,
        completions={"ruler": others, "place": fiefs_on_offer},
        order=_accept,
        is_open=_may_trade,
    ),
    *WAR_DOORS,
    WIZARD_DOOR,
    *AGENT_DOORS,
    GOD_DOOR,
    CARAVAN_DOOR,
    ARTEFACT_DOOR,
    *KING_DOORS,
    *PRIEST_DOORS,
    CULTURE_DOOR,
    BEGIN_DOOR,
)
