"""Rulers at war fight for land on which both stand, on that land alone: contestants for what they contest, owners for
theirs with whoever is there without a permission.

Source: rules 15.2, 15.3, R-041, rulings KA275, KA295
"""

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
from engine.kalevala.steps.mustering import Muster, around_centre, assemble, farthest_from_centre, nearest_to_border
from engine.kalevala.steps.realm import are_at_war, has_allied, has_declared, is_permitted, is_shielded
from engine.kalevala.window import Entering, Window


def quarrels(window: Window) -> list[Province]:
    """The land on which rulers at war stand who fight for it, unless a battle was fought there in this P4."""
    places = {
        *window.contested,
        *(place for rows in window.stacks.values() for place in rows),
    } - window.battles_at_work.fought
    return sorted((place for place in places if _foes(window, place)), key=order_of)


def _foes(window: Window, place: Province) -> frozenset[tuple[PowerId, PowerId]]:
    """Pairs of rulers at war who have people there, among those who fight for it; protection keeps the peace."""
    names = [name for name in window.rulers if has_people(window.stack(name, place)) and not is_shielded(window, name)]
    pairs = {(one, other) for one in names for other in names if one != other and are_at_war(window, one, other)}
    found = {pair for pair in pairs if _claim_it(window, place, *pair)}
    fighters = {one for one, _ in found}
    return frozenset(pair for pair in pairs if fighters.issuperset(pair))


def _claim_it(window: Window, place: Province, one: PowerId, other: PowerId) -> bool:
    """Whether both contest a province, or one owns it and the other is there without a permission. Ruling KA295"""
    owner = window.owners.get(place)
    if owner is None:
        return {one, other} <= {*window.contested.get(place, ())}
    return owner in (one, other) and not is_permitted(window, owner, other if one == owner else one, place)


def is_expected(window: Window, ruler: PowerId, place: Province) -> bool:
    """Whether a ruler, by their own declaration, will fight others for a province, as far as they can know."""
    seen, _ = window.sight(ruler)
    return has_people(window.stack(ruler, place)) and any(
        has_people(seen.stack(other, place))
        and has_declared(window, ruler, other)
        and not has_allied(window, ruler, other)
        and _claim_it(window, place, ruler, other)
        for other in seen.present(place)
        if other != ruler
    )


def muster_quarrel(window: Window, place: Province) -> Muster:
    """The battle of rulers at war: those who declared war attack, or all who don't own the land; others keep out.

    All but the owner start where they came in. An owner who declared war makes a sally.
    """
    foes, owner = _foes(window, place), window.owners.get(place)
    fighters = sorted({one for one, _ in foes})
    attacks = tuple(_attack(window, ruler, place) for ruler in fighters if ruler != owner)
    site = assemble(window, (place,), attacks, foes).site
    declared = [one for one in fighters if any(has_declared(window, one, other) for _, other in foes)]
    if owner is not None:
        first = [ruler for ruler in fighters if ruler != owner]
    else:
        first = fighters[:1] if declared == fighters else declared
    turns = (*first, *(ruler for ruler in fighters if ruler not in first))
    parties = {each.ruler: each for each in site.parties}
    if owner in declared:
        parties[owner] = replace(parties[owner], has_plan=True, sallies=True)
    roles = {ruler: Role.ATTACKER if ruler in first else Role.DEFENDER for ruler in turns}
    armies = sorted((army for army in site.armies if army.ruler in roles), key=lambda army: turns.index(army.ruler))
    site = replace(
        site,
        parties=tuple(replace(parties[ruler], role=role) for ruler, role in roles.items()),
        armies=tuple(
            army if army.target is None else replace(army, berths=_berths(window, army.ruler, site.ground, place))
            for army in armies
        ),
        hidden=tuple(group for group in site.hidden if group.army.ruler in roles),
    )
    return Muster(site, ())


def _attack(window: Window, ruler: PowerId, place: Province) -> Entering:
    """All of a ruler's figures ashore, as an attack on the land on which they stand."""
    order = Enter(0, place, WAR, place, named(on_land(window.stack(ruler, place))))
    return Entering(ruler, Line(order), order, place, place)


def _berths(window: Window, ruler: PowerId, ground: Battlefield, place: Province) -> tuple[Kf, ...]:
    """Where those start who don't own the land: next to where they came from, or to own land; else where defenders of
    natives' land would, and far from those of others.
    """
    came = [each.source for each in window.entering if (each.ruler, each.target) == (ruler, place)]
    own = [each for each in window.land.links(place) if window.owners.get(each) == ruler]
    starts = (nearest_to_border(window.land, ground, place, home) for home in (*came, *own))
    found = next(filter(None, starts), ())
    if found or place in window.owners:
        return found or tuple(farthest_from_centre(ground, place))
    return around_centre(ground, place, ground.cells(place))
