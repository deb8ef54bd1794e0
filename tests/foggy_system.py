"""The toy game with everything that hides: fog on its map, players unknown to each other, and no public board.

It is played on the map of Diplomacy. Each power has seen three provinces, and nobody has seen the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.orders import Choice, Menu, Parsed
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.core.report import Report, Section
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.variant import Space, Variant, load_variant
from engine.core.viewer import MASTER, Viewer
from engine.pictures.scene import Scene, UnitMark
from tests import toy_system
from tests.toy_system import BLUE, GREEN, RED, TOY, VARIANT, ToyOrder, ToyState, ToyView

EVERYWHERE: Mapping[ProvinceId, Space] = {
    space.id: replace(space, home=None) for space in load_variant("diplomacy", "standard").spaces.values()
}
SEEN: Mapping[PowerId, tuple[ProvinceId, ...]] = {
    RED: (ProvinceId("VIE"), ProvinceId("BUD"), ProvinceId("TRI")),
    GREEN: (ProvinceId("PAR"), ProvinceId("BRE"), ProvinceId("MAR")),
    BLUE: (ProvinceId("MOS"), ProvinceId("SEV"), ProvinceId("WAR")),
}
"""What each has seen."""
WORDS: Mapping[str, str] = {
    "toy.place": "you have seen {place:name}",
    "toy.goal": "You win as soon as you have {gold} gold",
}


@dataclass(frozen=True, slots=True)
class FoggyView(ToyView):
    """The toy's view, and the places that the viewer has seen."""

    seen: tuple[ProvinceId, ...]


def view_of(state: ToyState, viewer: Viewer) -> FoggyView:
    plain = toy_system.view_of(state, viewer)
    seen = tuple(EVERYWHERE) if viewer == MASTER else SEEN.get(viewer.power, ()) if viewer.power else ()
    return FoggyView(**{name: getattr(plain, name) for name in ToyView.__slots__}, seen=seen)


@cache
def atlas_of(seen: tuple[ProvinceId, ...]) -> Variant:
    return replace(VARIANT, spaces={place: EVERYWHERE[place] for place in seen})


def names(view: FoggyView) -> tuple[str, ...]:
    return tuple(space.name for space in atlas_of(view.seen).spaces.values())


def parse(text: str, view: FoggyView) -> Parsed[ToyOrder]:
    """As ever; what can't be read may have been meant for one of the places that one knows."""
    parsed = TOY.orders.parse(text, view)
    return replace(parsed, errors=tuple(replace(error, hints=names(view)) for error in parsed.errors))


def suggest(view: FoggyView, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    return (*TOY.orders.suggest(view, typed), *names(view))[:limit]


def menu(view: FoggyView, path: Sequence[str], *, orders: Sequence[ToyOrder] = ()) -> Menu:
    found = TOY.orders.menu(view, path, orders=orders)
    if path or not found.choices:
        return found
    return replace(found, choices=(*found.choices, *(Choice(f"look {name}", name) for name in names(view))))


def text_board(view: FoggyView) -> Report:
    places = tuple(phrase("toy.place", place=place) for place in view.seen)
    return Report((*toy_system.text_board(view).sections, Section(phrase("toy.board"), places)))


def report(view: FoggyView, results: Sequence[OrderResult[toy_system.ToyOrder]], events: Sequence[Event]) -> Report:
    """What one did oneself, and what one may know by name: everybody is told nothing."""
    private = [event for event in events if event.audience is not None]
    own = [result for result in results if result.power == view.viewer]
    return toy_system.report(view, own, private)


def scene(view: FoggyView, **happened: Any) -> Scene:
    known = frozenset(view.seen)
    units = tuple(
        UnitMark(power, "A", PlaceId(places[0]))
        for power, places in SEEN.items()
        if power in view.gold and places[0] in known
    )
    return replace(toy_system.scene(view, **happened), units=units, known=known)


def variants(state: ToyState, viewer: Viewer) -> Iterator[ToyState]:
    """What the toy hides; who has seen what never changes."""
    return toy_system.variants(state, viewer)


FOG: GameSystem[ToyState, FoggyView, ToyOrder] = replace(
    cast(Any, TOY),
    info=replace(TOY.info, name="The Vault in Fog", is_anonymous=True, has_public_board=False),
    play=replace(TOY.play, variant=lambda state: atlas_of(tuple(EVERYWHERE))),
    sight=Sight(
        view=view_of,
        atlas=lambda view: atlas_of(view.seen),
        document=lambda view: {**toy_system.document_of(view), "seen": list(view.seen)},
    ),
    orders=replace(cast(Any, TOY.orders), parse=parse, suggest=suggest, menu=menu),
    telling=replace(cast(Any, TOY.telling), scene=scene, text_board=text_board, report=report),
)
