"""Battle sites: which attacks are fought together, who takes part, on which side, with what plan.

Source: rules 16.2, B1
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.kalevala.artefacts.facts import is_artefact
from engine.kalevala.battle.ground import Battlefield, Kf, ground_of
from engine.kalevala.battle.kinds import CREWS, ELEPHANTS
from engine.kalevala.battle.sites import NO_KING, Army, BattleSite, Borne, Party, Role
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.figures import NONE, Figures, has_people, is_part, kind_of, minus, number_of, plus, team_of
from engine.kalevala.kings.facts import King
from engine.kalevala.land import Land
from engine.kalevala.model import View
from engine.kalevala.modules import has_module
from engine.kalevala.sea.craft import craft_among, is_steered
from engine.kalevala.sea.waters import banks, inlets
from engine.kalevala.steps import ambushes, apparitions, archeron
from engine.kalevala.steps.changing import is_through
from engine.kalevala.steps.entering import JOIN, SIDED, WAR
from engine.kalevala.steps.magic import is_mortal
from engine.kalevala.steps.realm import are_allied
from engine.kalevala.steps.sailing import crosses_water, goes_by_sea, swims
from engine.kalevala.tables import BANNED, TERRAIN, Group
from engine.kalevala.war.parse import plan_of_text
from engine.kalevala.war.plans import ALL, Plan
from engine.kalevala.window import Entering, Window, in_seat_order

_BEASTS = ("IP", "sP", "El", "Mm")


@dataclass(frozen=True, slots=True)
class Muster:
    """A site with the entries that are fought out there."""

    site: BattleSite
    assaults: tuple[Entering, ...]


def muster(window: Window, assaults: Collection[Entering]) -> list[Muster]:
    """The battles of a P4, in the order in which they are fought."""
    found = [assemble(window, provinces, entries) for provinces, entries in _sites(window, assaults)]
    return sorted(found, key=lambda each: min(map(order_of, each.site.provinces)))


# The land of a site


def _sites(
    window: Window, assaults: Collection[Entering]
) -> Iterator[tuple[tuple[Province, ...], tuple[Entering, ...]]]:
    """Attacks whose land is shared, or touches, are one battle; guests in it join. Source: rules 16.2"""
    groups: list[set[Province]] = []
    for entry in assaults:
        _unite(window, groups, _lands_of(window, entry))
    for entry in window.walked:
        lands = _lands_of(window, entry)
        beside = [group for group in groups if _touch(window, group, {entry.target})]
        if beside and _joins(window, entry):
            groups = [group for group in groups if group not in beside]
            _unite(window, groups, set().union(lands, *beside))
    for group in groups:
        entries = tuple(entry for entry in assaults if entry.target in group)
        yield tuple(sorted(group, key=order_of)), entries


def _lands_of(window: Window, entry: Entering) -> set[Province]:
    """What land an entry adds to a site; not its source, if it comes from beyond. Rulings KA106, KA206, KA276"""
    return {entry.target} if is_from_beyond(window, entry) else {entry.source, entry.target}


def is_from_beyond(window: Window, entry: Entering) -> bool:
    """Whether an entry comes over water, through a portal or by surprise, so that its source is no part of the site."""
    return crosses_water(entry.order) or is_through(entry.source, entry.target) or _is_surprise(window, entry)


def _is_surprise(window: Window, entry: Entering) -> bool:
    """Whether an attack starts in land that its ruler has occupied in this very P4. Source: rules 12.4, ruling KA276"""
    is_new = window.state.owners.get(entry.source) != entry.ruler
    return is_new and window.newly.get(entry.ruler, {}).get(entry.source) == window.gr


def _unite(window: Window, groups: list[set[Province]], lands: set[Province]) -> None:
    near = [group for group in groups if _touch(window, group, lands)]
    for group in near:
        groups.remove(group)
    groups.append(set().union(lands, *near))


def _touch(window: Window, one: Collection[Province], other: Collection[Province]) -> bool:
    return any(
        here == there or window.land.is_linked(here, there)
        for here in one
        for there in other
        if here == there or gf_of(here) != gf_of(there) or window.land.is_linked(here, there)
    )


def _joins(window: Window, entry: Entering) -> bool:
    """Guests join by themselves; figures that entered own land only with JOIN and if some are placed there.

    Rules 15.2
    """
    if window.owners.get(entry.target) != entry.ruler:
        return True
    plan = window.battles_at_work.plans.get(entry.ruler, {}).get(entry.target)
    return JOIN in entry.order.rest and plan is not None and bool(plan.places)


# Who is on it


def assemble(
    window: Window,
    provinces: tuple[Province, ...],
    assaults: tuple[Entering, ...],
    enemies: frozenset[tuple[PowerId, PowerId]] | None = None,
) -> Muster:
    """The battle of some attacks on the land of a site.

    Args:
        enemies: pairs of rulers who fight each other, both ways; `None`: by rule B1.
    """
    attackers = {entry.ruler for entry in assaults}
    present = [
        ruler
        for ruler in window.rulers
        if ruler in attackers or any(has_people(window.stack(ruler, place)) for place in provinces)
    ]
    ground = ground_of(window.land, provinces, has_craft=_has_craft(window, provinces, assaults))
    attacked = {entry.target for entry in assaults}
    roles = {ruler: _role(window, ruler, attackers, attacked) for ruler in present}
    order = list(Role)
    present.sort(key=lambda ruler: (order.index(roles[ruler]), ruler))
    leaders = {ruler: _leader(window, ruler, roles, provinces, attacked, assaults) for ruler in present}
    foes = enemies or frozenset(
        (one, other)
        for one in present
        for other in present
        if one != other and _are_foes(window, one, other, leaders, attackers, assaults)
    )
    armies = tuple(
        army
        for ruler in present
        for army in (
            *_armies(window, ruler, provinces, assaults, ground),
            *_fleets(window, ruler, assaults, ground),
        )
    )
    plans = {army.ruler: army.plan for army in reversed(armies)}
    parties = tuple(_party(window, ruler, roles[ruler], provinces, ground, armies) for ruler in present)
    site = BattleSite(
        place=min(attacked, key=order_of),
        provinces=provinces,
        ground=ground,
        parties=parties,
        armies=armies,
        foes=foes,
        opened=frozenset(window.agents_at_work.opened_gates),
        is_strict=bool(window.state.options.get("strict_placement", False)),
        gods=tuple(apparitions.comers(window, provinces, present)),
        callings=tuple(apparitions.called(window, provinces, present)),
        weak_spots=dict(_weak_spots(window, ground)),
        hidden=tuple(ambushes.groups(window, provinces, attacked, plans)),
    )
    return Muster(site, assaults)


def _role(window: Window, ruler: PowerId, attackers: Collection[PowerId], attacked: Iterable[Province]) -> Role:
    if ruler in attackers:
        return Role.ATTACKER
    is_attacked = any(
        window.owners.get(place) == ruler or ruler in window.contested.get(place, ()) for place in attacked
    )
    return Role.DEFENDER if is_attacked else Role.GUEST


def _leader(
    window: Window,
    ruler: PowerId,
    roles: Mapping[PowerId, Role],
    provinces: Iterable[Province],
    attacked: Collection[Province],
    assaults: Iterable[Entering],
) -> PowerId:
    """The ruler for whom a ruler fights: guests for their host, unless they name another.

    Source: rules 15.2, ruling KA41
    """
    chosen = _chosen_side(window, ruler, provinces, assaults)
    if chosen in roles and _may_side(window, ruler, chosen, roles, assaults):
        return chosen
    if roles[ruler] is not Role.GUEST:
        return ruler
    lands = [place for place in provinces if has_people(window.stack(ruler, place))]
    for place in sorted(lands, key=lambda place: (place not in attacked, order_of(place))):
        host = window.owners.get(place)
        if host is not None and host != ruler:
            return host
    return ruler


def _may_side(
    window: Window, ruler: PowerId, chosen: PowerId, roles: Mapping[PowerId, Role], assaults: Iterable[Entering]
) -> bool:
    """Whether SIDE counts: neither attacks the other's land, and attackers side with attackers only. Ruling KA41"""
    pair = (ruler, chosen)
    are_at_odds = any((entry.ruler, window.owners.get(entry.target)) in (pair, pair[::-1]) for entry in assaults)
    return not are_at_odds and (roles[ruler] is not Role.ATTACKER or roles[chosen] is Role.ATTACKER)


def _chosen_side(
    window: Window, ruler: PowerId, provinces: Iterable[Province], assaults: Iterable[Entering]
) -> PowerId:
    for entry in (*window.walked, *assaults):
        words = [word for word in entry.order.rest if word.startswith(SIDED)]
        if entry.ruler == ruler and words:
            return PowerId(words[-1].removeprefix(SIDED))
    found = [plan.side for place in provinces if (plan := plan_at(window, ruler, place)).side is not None]
    return found[0] or ruler if found else ruler


def _are_foes(
    window: Window,
    one: PowerId,
    other: PowerId,
    leaders: Mapping[PowerId, PowerId],
    attackers: Collection[PowerId],
    assaults: Iterable[Entering],
) -> bool:
    """Attackers fight those whom they attack, the owners of the land and everybody on their side; and each other.

    Rules B1
    """
    first, second = leaders[one], leaders[other]
    if first in (second, other) or second == one:
        return False
    if first in attackers and second in attackers and first != second and not are_allied(window, first, second):
        return True
    return any(
        (entry.ruler == attacker and _is_victim(window, defender, man, entry.target))
        for attacker, defender, man in ((first, second, other), (second, first, one))
        for entry in assaults
    )


def _is_victim(window: Window, defender: PowerId, man: PowerId, target: Province) -> bool:
    if window.owners.get(target) == defender or defender in window.contested.get(target, ()):
        return True
    return has_people(window.stack(man, target))


# Armies


def _has_craft(window: Window, provinces: Iterable[Province], assaults: Iterable[Entering]) -> bool:
    """Whether there are manned craft on a site, or coming to it."""
    if any(goes_by_sea(dict(entry.order.figures)) for entry in assaults):
        return True
    return any(_manned(window.stack(ruler, place)) for ruler in window.rulers for place in provinces)


def _manned(figures: Figures) -> tuple[str, ...]:
    """The craft of a stack with somebody aboard who can steer, one by one."""
    return tuple(item for item in sorted(craft_among(figures)) if is_steered(item) for _ in range(figures[item]))


def _fleets(window: Window, ruler: PowerId, assaults: Iterable[Entering], ground: Battlefield) -> Iterator[Army]:
    """Those who come from beyond the site, one army for each entry. Rulings KA106, KA206, KA276"""
    left: dict[Province, Figures] = {}
    for entry in assaults:
        figures = dict(entry.order.figures)
        there = left.setdefault(entry.source, window.stack(ruler, entry.source))
        if entry.ruler != ruler or not is_from_beyond(window, entry) or not is_part(figures, there):
            continue  # an earlier battle of this P4 may have taken them
        left[entry.source] = minus(there, figures)
        plan = plan_of_attack(window, entry)
        if swims(entry.order):
            shore = (ground.index[gf_of(entry.target), cell] for cell in banks(window.land, entry.source, entry.target))
            artefacts = _artefacts(window, figures)
            yield Army(ruler, entry.source, figures, plan, entry.target, berths=tuple(shore), artefacts=artefacts)
            continue
        if not goes_by_sea(figures):
            start = nearest_to_border(window.land, ground, entry.target, entry.source)
            start = start or tuple(farthest_from_centre(ground, entry.target))
            plan = replace(plan, places=())
            artefacts = _artefacts(window, figures)
            yield Army(ruler, entry.source, _fighting(figures), plan, entry.target, berths=start, artefacts=artefacts)
            continue
        wizards = {item: count for item, count in figures.items() if kind_of(item).code == "Z"}
        berths = _entrances(window, ground, entry.source, entry.target)
        yield Army(ruler, entry.source, wizards, plan, entry.target, _manned(figures), berths)


def farthest_from_centre(ground: Battlefield, target: Province) -> Iterator[Kf]:
    """Where attackers through a portal come out: farthest from the trade centre, or from the middle. Ruling KA206"""
    cells = [kf for kf in ground.cells(target) if ground.building(kf) is None and kf not in ground.crossings]
    middle = ground.centres.get(target, ground.index[gf_of(target), _MIDDLE])
    portal = max(cells, key=lambda kf: (ground.distance(kf, middle), -kf))
    yield from sorted(cells, key=lambda kf: (ground.distance(kf, portal), kf))


def nearest_to_border(land: Land, ground: Battlefield, place: Province, home: Province) -> tuple[Kf, ...]:
    """The fields of a province, those that touch another one first; nothing if none does."""
    gf = gf_of(place)
    doors = [
        ground.index[gf, cell]
        for cell in land.cells(place)
        if any(land.at(*beside) == home for beside in land.beside_cell(gf, cell))
    ]
    cells = [kf for kf in ground.cells(place) if ground.building(kf) is None and kf not in ground.crossings]
    return tuple(sorted(cells, key=lambda kf: (min(ground.distance(kf, door) for door in doors), kf))) if doors else ()


def _entrances(window: Window, ground: Battlefield, source: Province, target: Province) -> tuple[Kf, ...]:
    """The waters of the target in the order in which craft from the source use them, from where they come in."""
    doors = [ground.index[gf_of(target), cell] for cell in inlets(window.land, source, target)]
    found = sorted(kf for kf in ground.waters if ground.places[kf][0] == gf_of(target))
    doors = [kf for kf in doors if kf in ground.waters] or found[:1]
    return tuple(sorted(found, key=lambda kf: (min(ground.distance(kf, door) for door in doors), kf)))


def _moorings(ground: Battlefield, province: Province) -> tuple[Kf, ...]:
    """The waters of a province in the order in which its own craft use them: nearest to the centre or middle first."""
    return around_centre(ground, province, (kf for kf in ground.waters if ground.provinces[kf] == province))


def around_centre(ground: Battlefield, province: Province, fields: Iterable[Kf]) -> tuple[Kf, ...]:
    """Fields of a province, the nearest to its trade centre first, or to its middle if it has none."""
    centre = ground.centres.get(province)
    middle = centre if centre is not None else ground.index[gf_of(province), _MIDDLE]
    return tuple(sorted(fields, key=lambda kf: (ground.distance(kf, middle), kf)))


_MIDDLE = 20
"""A small field in the middle of a great one."""


def _armies(
    window: Window,
    ruler: PowerId,
    provinces: Iterable[Province],
    assaults: Iterable[Entering],
    ground: Battlefield,
) -> Iterator[Army]:
    """For each province, those who attack, by target, and all others, who hold. Source: R-089"""
    for place in provinces:
        left: Figures = window.stack(ruler, place)
        if not left:
            continue
        weary = frozenset(item for item in ELEPHANTS if window.land.commonest(place) in BANNED[item])
        by_target: dict[Province, Figures] = {}
        plans: dict[Province, Plan] = {}
        for entry in assaults:
            if is_from_beyond(window, entry) and (entry.ruler, entry.source) == (ruler, place):
                left = minus(left, dict(entry.order.figures)) if is_part(dict(entry.order.figures), left) else left
            elif (entry.ruler, entry.source) == (ruler, place) and is_part(dict(entry.order.figures), left):
                going = dict(entry.order.figures)
                left = minus(left, going)
                by_target[entry.target] = plus(by_target.get(entry.target, NONE), going)
                plans[entry.target] = plan_of_attack(window, entry)
        for target, figures in by_target.items():
            artefacts = _artefacts(window, figures)
            yield Army(ruler, place, _fighting(figures), plans[target], target, weary=weary, artefacts=artefacts)
        moorings = _moorings(ground, place) if _manned(left) else ()
        craft = _manned(left) if moorings else ()
        if _fighting(left) or craft:
            artefacts = _artefacts(window, left)
            plan = _plan_of_those_who_stay(window, ruler, place)
            yield Army(
                ruler, place, _fighting(left), plan, craft=craft, berths=moorings, weary=weary, artefacts=artefacts
            )


def _fighting(figures: Figures) -> Figures:
    """What comes onto the field: people, animals with riders, gear with a crew, wagons with a team. Ruling KA42"""
    return {
        item: count
        for item, count in figures.items()
        if kind_of(item).group is Group.HUMAN or kind_of(item).code in (*_BEASTS, *CREWS) or team_of(item)
    }


def _artefacts(window: Window, figures: Figures) -> tuple[Borne, ...]:
    """The artefacts of an army; those aboard craft stay there. Ruling KA231"""
    found = (window.artefacts.get(number_of(item)) for item in sorted(figures) if is_artefact(item))
    return tuple(Borne(each.item, each.points, each.bearer) for each in found if each is not None)


def plan_at(window: Window, ruler: PowerId, place: Province) -> Plan:
    """The BATTLE block of this P3, else the standing defence, else nothing. Source: rules 16.1"""
    planned = window.battles_at_work.plans.get(ruler, {}).get(place)
    if planned is not None:
        return planned
    text = window.rulers[ruler].defend.get(place)
    if not text:
        return Plan(place)  # marauders who rose in this P4 have no sight of their own yet
    return plan_of_text(place, text, View(window.sight(ruler)[0], ruler)) or Plan(place)


def plan_of_attack(window: Window, entry: Entering) -> Plan:
    """The BATTLE block of those who attack; a standing defence is for those at home. Rules 16.1, ruling KA283"""
    if entry.source == entry.target:
        return plan_at(window, entry.ruler, entry.source)  # they fight for land where they are. Ruling KA275
    return window.battles_at_work.plans.get(entry.ruler, {}).get(entry.source) or Plan(entry.source)


def _plan_of_those_who_stay(window: Window, ruler: PowerId, place: Province) -> Plan:
    """If others attack from there, AIM ALL of the BATTLE block is for these. Source: R-089, ruling KA283"""
    plan = plan_at(window, ruler, place)
    goes_out = any(
        entry.ruler == ruler and entry.source == place != entry.target and entry.order.kind == WAR
        for entry in window.entering
    )
    if not goes_out or place not in window.battles_at_work.plans.get(ruler, {}):
        return plan
    return replace(plan, aims=tuple(aim for aim in plan.aims if aim.name != ALL))


def _party(
    window: Window,
    ruler: PowerId,
    role: Role,
    provinces: Collection[Province],
    ground: Battlefield,
    armies: Iterable[Army],
) -> Party:
    plans = [army.plan for army in armies if army.ruler == ruler]
    return Party(
        ruler,
        role,
        has_plan=role is Role.ATTACKER or any(plan.is_own for plan in plans),
        flees=any(plan.flees for plan in plans),
        enslaves=any(plan.enslaves for plan in plans),
        has_mortal_wizard=is_mortal(window, ruler),
        king=_king(window, ruler),
        exits=dict(_exits(window, ruler, provinces, ground)),
    )


def _weak_spots(window: Window, ground: Battlefield) -> Iterator[tuple[PowerId, Kf]]:
    """Where on the site a weak spot lies, and of whose god. Source: rules 24.1"""
    for ruler in window.rulers if has_module(window.state, "gods") else ():
        god = archeron.god_of(window, ruler)
        if god is not None and god.weak is not None and not god.weak.lost:
            kf = ground.index.get((gf_of(god.weak.at), god.weak.cell))
            if kf is not None:
                yield ruler, kf


def _king(window: Window, ruler: PowerId) -> King:
    king = window.rulers[ruler].king or NO_KING
    return king if king.ill == window.gr else replace(king, ill=0)


def _exits(
    window: Window, ruler: PowerId, provinces: Collection[Province], ground: Battlefield
) -> Iterator[tuple[Kf, Province]]:
    """Where a ruler's land outside the site touches it. Source: rules B24"""
    refuges = {
        other
        for place in provinces
        for other in window.land.links(place)
        if other not in provinces and window.owners.get(other) == ruler
    }
    if not refuges:
        return
    around = ground_of(window.land, (*provinces, *refuges))
    for kf, (gf, cell) in enumerate(ground.places[: ground.open_count]):
        if ground.provinces[kf] is None:
            continue
        for other in around.around[around.index[gf, cell]]:
            beyond = around.provinces[other] if other >= 0 else None
            if beyond in refuges and TERRAIN[around.letters[other]].is_land:
                yield kf, beyond
                break


def on_site(window: Window, site: BattleSite) -> list[PowerId]:
    """Everybody with figures there, in seat order; on the high sea, with people, since empty craft see nothing.

    KA135
    """
    came = {army.ruler for army in site.armies}

    def stands(ruler: PowerId, place: Province) -> bool:
        stack = window.stack(ruler, place)
        return has_people(stack) if window.land.is_sea(place) else bool(stack)

    names = (ruler for ruler in window.rulers if ruler in came or any(stands(ruler, each) for each in site.provinces))
    return list(in_seat_order(window, names))
