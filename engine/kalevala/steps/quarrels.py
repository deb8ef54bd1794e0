"""Contestants at war fight for what they contest, on that land alone. Source: rules 15.3, R-041, ruling KA275"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.battle.ground import Battlefield, Kf
from engine.kalevala.battle.sites import Role
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import has_people
from engine.kalevala.orders import Enter, Line, named
from engine.kalevala.sea.craft import on_land
from engine.kalevala.steps.entering import WAR
from engine.kalevala.steps.mustering import Muster, around_centre, assemble, nearest_to_border
from engine.kalevala.steps.realm import are_at_war, has_declared, is_shielded
from engine.kalevala.working import Entering, Round


def quarrels(round_: Round) -> list[Province]:
    """The contested land on which contestants at war stand, unless a battle was fought there in this P4."""
    return sorted((place for place in round_.contested.keys() - round_.fought if _foes(round_, place)), key=order_of)


def _foes(round_: Round, place: Province) -> frozenset[tuple[PowerId, PowerId]]:
    """Pairs of contestants who are at war, and have people there; protection keeps the peace."""
    names = [
        name
        for name in round_.contested[place]
        if has_people(round_.stack(name, place)) and not is_shielded(round_, name)
    ]
    return frozenset(
        (one, other) for one in names for other in names if one != other and are_at_war(round_, one, other)
    )


def muster_quarrel(round_: Round, place: Province) -> Muster:
    """The battle of contestants: those who declared war attack, and each starts where they came in; others keep out."""
    foes = _foes(round_, place)
    fighters = sorted({one for one, _ in foes})
    site = assemble(round_, (place,), tuple(_attack(round_, ruler, place) for ruler in fighters), foes).site
    declared = [one for one in fighters if any(has_declared(round_, one, other) for _, other in foes)]
    first = fighters[:1] if declared == fighters else declared
    turns = (*first, *(ruler for ruler in fighters if ruler not in first))
    parties = {each.ruler: each for each in site.parties}
    roles = {ruler: Role.ATTACKER if ruler in first else Role.DEFENDER for ruler in turns}
    armies = sorted((army for army in site.armies if army.ruler in roles), key=lambda army: turns.index(army.ruler))
    site = replace(
        site,
        parties=tuple(replace(parties[ruler], role=role) for ruler, role in roles.items()),
        armies=tuple(
            army if army.target is None else replace(army, berths=_berths(round_, army.ruler, site.ground, place))
            for army in armies
        ),
        hidden=tuple(group for group in site.hidden if group.army.ruler in roles),
    )
    return Muster(site, ())


def _attack(round_: Round, ruler: PowerId, place: Province) -> Entering:
    """All of a ruler's figures ashore, as an attack on the land on which they stand."""
    order = Enter(0, place, WAR, place, named(on_land(round_.stack(ruler, place))))
    return Entering(ruler, Line(order), order, place, place)


def _berths(round_: Round, ruler: PowerId, ground: Battlefield, place: Province) -> tuple[Kf, ...]:
    """Where a contestant's figures start: next to where they came from, or to own land; else where defenders would."""
    came = [each.source for each in round_.entering if (each.ruler, each.target) == (ruler, place)]
    own = [each for each in round_.land.links(place) if round_.owners.get(each) == ruler]
    starts = (nearest_to_border(round_.land, ground, place, home) for home in (*came, *own))
    return next(filter(None, starts), around_centre(ground, place, ground.cells(place)))
