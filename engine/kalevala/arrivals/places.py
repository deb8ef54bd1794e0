"""Places that a new game keeps for rulers who come later. Source: rules 4.3, ruling KA224"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.variant import load_variant
from engine.kalevala.coordinates import gf_of
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.invaders import of_natives
from engine.kalevala.model import EXPECTED, Ruler, State


def with_places(start: State, count: int) -> State:
    """A first position in which this many rulers are expected.

    In a world they are the last of its rulers, whose homes are natives' land until somebody comes; on a fixed map they
    are rulers besides, whose core troops and culture goods are drawn at random; with `same_troops` the troops are of
    the first ruler's kind. Ruling KA273
    """
    if start.variant == WORLD:
        return _kept(start, [ruler for ruler, own in start.rulers.items() if own.is_played][-count:])
    settings = load_variant(SYSTEM, WORLD).settings
    dice = Dice(start.seed).for_phase("places")
    names = [PowerId(name) for name in load_variant(SYSTEM, start.variant).settings["newcomers"][:count]]
    alike = next(iter(start.rulers.values())).core if start.options["same_troops"] else None
    new = {
        name: Ruler(
            kind=EXPECTED,
            core=alike or dice.pick(f"army/{name}", settings["armies"])["core"],
            goods=tuple(dice.pick(f"goods/{name}", settings["goods"])["kinds"]),
        )
        for name in names
    }
    return start.replace(rulers={**start.rulers, **new})


def _kept(start: State, chosen: list[PowerId]) -> State:
    left = {gf_of(place) for place, owner in start.owners.items() if owner in chosen}
    archeron = start.modules.get("archeron", {})
    seats = {ruler: seat for ruler, seat in archeron.get("seats", {}).items() if ruler not in chosen}
    return start.replace(
        rulers={
            name: replace(own, kind=EXPECTED, capital=None, wizard=None, god=None) if name in chosen else own
            for name, own in start.rulers.items()
        },
        land={gf: of_natives(field) if gf in left else field for gf, field in start.land.items()},
        owners={place: owner for place, owner in start.owners.items() if owner not in chosen},
        stacks={ruler: own for ruler, own in start.stacks.items() if ruler not in chosen},
        modules={**start.modules, "archeron": {**archeron, "seats": seats}},
    )
