"""In a game with fog nobody is told of a place that they have not seen: by no completion, hint, refusal or map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import pytest

from bot.model import UserId
from bot.services import inspect, region
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.variant import Space, Variant
from engine.core.viewer import MASTER, Viewer
from engine.pictures.scene import Scene, UnitMark
from engine.registry import AnySystem
from tests import toy_system
from tests.bot.services.shown import everything_shown, seen
from tests.bot.services.world import ANN, BOB, CY, DAN, World
from tests.toy_system import BLUE, GREEN, RED, TOY, VARIANT, ToyOrder, ToyState, ToyView

OWN = {
    RED: Space(ProvinceId("AMB"), "Amber Hall"),
    GREEN: Space(ProvinceId("COB"), "Cobalt Grotto"),
    BLUE: Space(ProvinceId("SIL"), "Silver Stair"),
}
"""Where each begins; nobody has seen another's."""
NEARLY = ("Amber Hal", "cobalt grote", "Silver Stare", "AM", "COB", "BID COB")


@dataclass(frozen=True, slots=True)
class FoggyView(ToyView):
    """The toy's view, and whose places the viewer has seen."""

    known: tuple[PowerId, ...]


def _view(state: ToyState, viewer: Viewer) -> FoggyView:
    plain = toy_system.view_of(state, viewer)
    known = tuple(OWN) if viewer == MASTER else tuple(power for power in OWN if power == viewer.power)
    return FoggyView(**{name: getattr(plain, name) for name in ToyView.__slots__}, known=known)


@cache
def _atlas(known: tuple[PowerId, ...]) -> Variant:
    return replace(VARIANT, spaces={OWN[power].id: OWN[power] for power in known})


def _suggest(view: FoggyView, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    return tuple(space.name for space in _atlas(view.known).spaces.values())[:limit]


def _scene(view: FoggyView, **happened: Any) -> Scene:
    units = tuple(UnitMark(power, "army", PlaceId(OWN[power].id)) for power in view.known)
    return replace(toy_system.scene(view, **happened), units=units)


FOG: GameSystem[ToyState, FoggyView, ToyOrder] = replace(
    cast(Any, TOY),
    play=replace(TOY.play, variant=lambda state: _atlas(tuple(OWN))),
    sight=Sight(
        view=_view,
        atlas=lambda view: _atlas(view.known),
        document=lambda view: {**toy_system.document_of(view), "known": list(view.known)},
        has_master=True,
    ),
    orders=replace(cast(Any, TOY.orders), suggest=_suggest),
    telling=replace(cast(Any, TOY.telling), scene=_scene),
)


def _told(rules: GameSystem[Any, Any, Any], user_id: UserId) -> str:
    """All that somebody is told who tries everything, the close-ups of their maps included."""
    world = World({SystemId("toy"): cast(AnySystem, rules)})
    game_id = world.start()
    told = everything_shown(world, game_id, user_id, NEARLY)
    board = inspect.board(world.context, game_id, user_id)
    told += [
        seen(lambda text=text: region.focus(world.context, game_id, user_id, board.scene, text))  # type: ignore[misc]
        for text in NEARLY
    ]
    return repr(told)


@pytest.mark.parametrize(("user_id", "own"), [(ANN, RED), (BOB, GREEN), (CY, BLUE), (DAN, None)])
def test_nothing_tells_of_a_place_that_one_has_not_seen(user_id: UserId, own: PowerId | None) -> None:
    told = _told(FOG, user_id)
    for power, space in OWN.items():
        assert (space.name in told) == (power == own)


def test_an_atlas_that_shows_too_much_would_be_found_out() -> None:
    leaking = replace(FOG, sight=replace(FOG.sight, atlas=lambda view: _atlas(tuple(OWN))))
    assert all(space.name in _told(leaking, DAN) for space in OWN.values())


def test_what_is_shared_shows_no_more_than_everybody_knows() -> None:
    world = World({SystemId("toy"): cast(AnySystem, FOG)})
    game_id = world.start()
    assert region.suggest_regions_of(world.context, game_id, ANN, "am") == ["Amber Hall"]
    assert region.suggest_regions_of(world.context, game_id, None, "am") == []


def test_nothing_is_completed_before_there_is_anything_to_see() -> None:
    world = World({SystemId("toy"): cast(AnySystem, FOG)})
    assert region.suggest_regions_of(world.context, world.create(), ANN, "") == ()
