"""A deed of trade, or a fief, as a picture for the two rulers who made it. Source: rules 21, 34"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.telling import Album
from engine.kalevala.board import variant_of
from engine.kalevala.figures import MONEY, kind_of, parse_figures, rank_of
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View
from engine.pictures.charter import Charter, CharterSide

HANDOVER, FIEF = "handover", "fief"


def albums(view: View, events: Sequence[Event]) -> tuple[Album, ...]:
    """The deeds of trade and fiefs among the events that the viewer may know."""
    found = []
    for event in events:
        charter = _charter(view, event)
        if charter is not None:
            found.append(Album(charter.title, (event.what,), (charter,)))
    return tuple(found)


def _charter(view: View, event: Event) -> Charter | None:
    args = event.facts.args if event.facts is not None else {}
    code = event.facts.code if event.facts is not None else ""
    if code == HANDOVER:
        return _of_goods(view, event, args)
    # For fiefs, only what two rulers have just agreed on: such events have a time.
    return (
        _of_land(view, event, args) if code == FIEF and args.get("until") and args.get("figures") is not None else None
    )


def _of_goods(view: View, event: Event, args: Mapping[str, Any]) -> Charter:
    given, paid = _things(str(args["given"])), _things(str(args["paid"]))
    left = CharterSide(PowerId(args["giver"]), phrase("charter.gives"), given)
    right = CharterSide(PowerId(args["taker"]), phrase("charter.gives" if paid else "charter.takes"), paid)
    return _make(view, event, "deed" if paid else "gift", args, left, right, phrase("charter.done"))


def _of_land(view: View, event: Event, args: Mapping[str, Any]) -> Charter:
    left = CharterSide(PowerId(args["giver"]), phrase("charter.lends"), (phrase("charter.land", gf=args["gf"]),))
    right = CharterSide(PowerId(args["holder"]), phrase("charter.takes"), ())
    return _make(view, event, "fief", args, left, right, phrase("charter.until", until=args["until"]))


def _make(
    view: View, event: Event, kind: str, args: Mapping[str, Any], left: CharterSide, right: CharterSide, foot: Phrase
) -> Charter:
    variant = variant_of(view.state)
    return Charter(
        system=SYSTEM,
        variant=variant.id,
        title=phrase(f"charter.{kind}"),
        caption=phrase("charter.where", gf=args["gf"], time=view.state.time),
        viewer=view.viewer,
        powers=tuple(variant.powers.values()),
        left=left,
        right=right,
        foot=foot,
        about=(event.what,),
    )


def _things(text: str) -> tuple[Phrase, ...]:
    """Figures in words, one kind a line."""
    figures = parse_figures(text) or {}
    return tuple(_thing(item, figures[item]) for item in sorted(figures, key=rank_of))


def _thing(item: str, count: int) -> Phrase:
    if item == MONEY:
        return phrase("charter.money", count=count)
    return phrase("battle.figures", count=count, what=phrase(f"figure.{kind_of(item).code}", count=count))
