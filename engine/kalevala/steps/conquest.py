"""Land after a battle: whose it is now, how a province is divided among enemies, what changes hands with it.

Source: rules B25, R-101
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import Figures, has_people, holds_land, kind_of, price_of, warriors, with_loads
from engine.kalevala.steps import dividing, plunder
from engine.kalevala.steps.aftermath import FoughtBattle
from engine.kalevala.steps.entries import take_booty
from engine.kalevala.steps.magic import send_home
from engine.kalevala.steps.sailing import crosses_water, leave_craft
from engine.kalevala.tables import Group
from engine.kalevala.window import Entering, Window
from engine.lattice.great_fields import distance


def conquer(battle: FoughtBattle) -> list[Province]:
    """The side that is left takes all land of the beaten. Returns what changed hands. Source: rules B25, R-101"""
    taken = []
    for place in battle.site.provinces:
        owner = battle.owners[place]
        candidates = _candidates(battle, place, owner)
        if candidates:
            _take(battle, place, _best(battle, place, candidates))
            taken.append(place)
        elif owner is None:
            _send_wizards_home(battle, place)
    _list_sites(battle)
    for entry in battle.assaults:
        _bring_goods(battle, entry)
    for ruler in battle.there:
        if ruler not in battle.left:
            _lose_rest(battle, ruler)
    return taken


def _candidates(battle: FoughtBattle, place: Province, owner: PowerId | None) -> list[PowerId]:
    """Who could take a province: remaining rulers who fought its owner, if the owner is beaten."""
    holders = [owner] if owner is not None else list(battle.window.contested.get(place, ()))
    if not holders or any(holder in battle.left for holder in holders):
        return []
    return [
        party.ruler
        for party in battle.site.parties
        if party.ruler in battle.left and any(battle.has_fought(party.ruler, holder) for holder in holders)
    ]


def _best(battle: FoughtBattle, place: Province, rulers: list[PowerId]) -> PowerId:
    """The ruler on the field of the trade centre, else the one whose figures in the great field cost most.

    Source: R-101, ruling KA47
    """
    holder = battle.end.holders.get(place)
    if holder in rulers:
        return holder

    def price(ruler: PowerId, where: Province | None) -> int:
        return sum(
            price_of(each.item)
            for each in battle.end.living
            if each.ruler == ruler and each.cell and where in (None, each.at)
        )

    return max(rulers, key=lambda ruler: (price(ruler, place), price(ruler, None), -rulers.index(ruler)))


def _take(battle: FoughtBattle, place: Province, ruler: PowerId) -> None:
    """A province changes hands, with everything that the beaten have there."""
    window = battle.window
    owner = window.owners.get(place)
    window.contested.pop(place, None)
    window.owners[place] = ruler
    if owner is not None:
        window.newly.get(owner, {}).pop(place, None)
        window.watch.get(owner, {}).pop(place, None)
        window.known.setdefault(owner, set()).add(place)
    _send_wizards_home(battle, place)
    for name in list(window.stacks):
        is_beaten = name not in battle.left and (name in battle.roles or name == owner)
        has_gone = battle.are_foes(name, ruler) and not holds_land(window.stack(name, place))
        if name != ruler and (is_beaten or has_gone):
            take_booty(window, name, ruler, place)
    plunder.sack(battle, place, ruler, owner)
    if any(plan.sacks_palace for plan in battle.plans.get(ruler, ())):
        plunder.sack_palace(window, place, ruler, owner, battle.plans[ruler])


def _send_wizards_home(battle: FoughtBattle, place: Province) -> None:
    """The wizards of the beaten leave, those aboard too. Source: R-101"""
    window = battle.window
    for ruler in list(window.stacks):
        there = window.stack(ruler, place)
        wizards = {item: count for item, count in with_loads(there).items() if kind_of(item).code == "Z"}
        if not wizards or ruler not in battle.roles.keys() - battle.left or ruler == window.owners.get(place):
            continue
        leave_craft(window, ruler, place, wizards)
        send_home(window, ruler, place, wizards, battle.site.provinces)


def _lose_rest(battle: FoughtBattle, ruler: PowerId) -> None:
    """What a beaten ruler has on others' land falls to the holder of that land."""
    window = battle.window
    for place in battle.site.provinces:
        owner = window.owners.get(place)
        if owner is not None and owner != ruler and owner in battle.left and battle.are_foes(ruler, owner):
            _send_wizards_home(battle, place)
            take_booty(window, ruler, owner, place)


def _bring_goods(battle: FoughtBattle, entry: Entering) -> None:
    """What an attack carried is brought along if it took the land and some of its people stand there.

    Source: ruling KA42
    """
    ruler, window = entry.ruler, battle.window
    if crosses_water(entry.order):
        return
    if window.owners.get(entry.target) != ruler or not warriors(window.stack(ruler, entry.target)):
        return
    board = {item for army in battle.site.armies for item in army.figures if kind_of(item).group is not Group.GEAR}
    board |= {each.item for each in battle.end.course.start}
    goods = {
        item: min(count, window.stack(ruler, entry.source).get(item, 0))
        for item, count in entry.order.figures
        if item not in board
    }
    goods = {item: count for item, count in goods.items() if count}
    if goods:
        window.shift(ruler, goods, entry.source, entry.target, is_marked=False)


def _list_sites(battle: FoughtBattle) -> None:
    """Note the land over which SPREAD may spread figures. Source: R-088"""
    window = battle.window
    rows = list(window.modules.get("sites", ()))
    for ruler in sorted(battle.left):
        own = [place for place in battle.site.provinces if window.owners.get(place) == ruler]
        if any(battle.owners[place] != ruler for place in own):
            rows.append({"winner": ruler, "gf": [str(place) for place in own], "gr": window.gr})
    window.modules = {**window.modules, "sites": rows}


def divide(battle: FoughtBattle) -> list[Province]:
    """After the last round land goes to the side that is alone on it, or is divided among enemies.

    Source: rules B25
    """
    taken = []
    for place in battle.site.provinces:
        owner = battle.owners[place]
        if battle.window.land.is_sea(place):
            continue
        here = [party.ruler for party in battle.site.parties if _stands(battle, party.ruler, place)]
        strangers = [ruler for ruler in here if _is_hostile(battle, ruler, place, owner)]
        if not strangers:
            continue
        if len(strangers) == len(here) and not any(battle.are_foes(one, other) for one in here for other in here):
            _take(battle, place, _best(battle, place, strangers))
            taken.append(place)
        elif _split(battle, place, owner, here):
            taken.append(place)
    for entry in battle.assaults:
        _bring_goods(battle, entry)
    return taken


def _stands(battle: FoughtBattle, ruler: PowerId, place: Province) -> bool:
    """Whether a ruler has anybody there who can hold land: wizards and slaves can't. Ruling KA317"""
    return any(
        each.ruler == ruler and each.at == place and each.cell and holds_land({each.item: 1})
        for each in battle.end.living
    )


def _is_hostile(battle: FoughtBattle, ruler: PowerId, place: Province, owner: PowerId | None) -> bool:
    if owner is None:
        return ruler not in battle.window.contested.get(place, ())
    return ruler != owner and battle.has_fought(ruler, owner)


def _split(battle: FoughtBattle, place: Province, owner: PowerId | None, here: list[PowerId]) -> bool:
    """Each small field goes to the nearest figure's side; that of the trade centre to whoever was last on it.

    A side that was last on it but has nobody left in the province doesn't get it. Source: rules B25, ruling KA67
    """
    window = battle.window
    cells = window.land.cells(place)
    claims: dict[int, PowerId] = {}
    for each in battle.end.living:
        if each.at == place and each.cell and holds_land({each.item: 1}):
            claims[each.cell] = each.ruler if owner is None or battle.has_fought(each.ruler, owner) else owner
    order = [*([owner] if owner is not None else []), *here]
    of_cell = {
        cell: claims[min(claims, key=lambda at: (distance(cell, at), order.index(claims[at]), at))]
        for cell in sorted(cells)
    }
    centre = window.land.centre(place)
    holder = battle.end.holders.get(place)
    if centre is not None and centre.cell in of_cell and holder is not None:
        keeper = holder if owner is None or battle.has_fought(holder, owner) else owner
        if keeper in order:
            of_cell[centre.cell] = keeper
    sides = sorted(set(of_cell.values()), key=order.index)
    if len(sides) < 2:
        if sides[0] != owner:
            _take(battle, place, sides[0])
        return sides[0] != owner
    _make_parts(battle, place, of_cell, sides)
    return True


@dataclass(frozen=True, slots=True)
class _Parts:
    """How a province was divided among enemies.

    Args:
        whole: the province that is no more.
        owner: whose it was.
        of_cell: whose each of its small fields is now.
        of_side: the part that each side has.
    """

    whole: Province
    owner: PowerId | None
    of_cell: Mapping[int, PowerId]
    of_side: Mapping[PowerId, Province]


def _make_parts(
    battle: FoughtBattle, place: Province, of_cell: Mapping[int, PowerId], sides: Sequence[PowerId]
) -> None:
    """The parts become provinces; figures and what lies there go with the fields. A trade centre that is won so may be
    plundered. Ruling KA322
    """
    window = battle.window
    gf = gf_of(place)
    others = [window.land.cells(each) for each in window.land.provinces(gf) if each != place]
    areas = {ruler: frozenset(cell for cell, whose in of_cell.items() if whose == ruler) for ruler in sides}
    stacks = {ruler: dict(window.stack(ruler, place)) for ruler in window.stacks if window.stack(ruler, place)}
    for ruler, figures in stacks.items():
        for item, count in figures.items():
            window.put(ruler, place, item, -count)
    owner = window.owners.pop(place, None)
    contestants = window.contested.pop(place, ())
    defences = {ruler: own.defend[place] for ruler, own in window.rulers.items() if place in own.defend}
    dividing.divide(window, gf, [*others, *areas.values()])
    of_side: dict[PowerId, Province] = {}
    for ruler, cells in areas.items():
        part = window.land.at(gf, min(cells))
        assert part is not None, "a part of the field"
        of_side[ruler] = part
        window.owners[part] = ruler
        if owner is not None and ruler != owner:
            window.known.setdefault(owner, set()).add(part)
    parts = _Parts(place, owner, of_cell, of_side)
    for ruler, figures in stacks.items():
        _lay_down(battle, parts, ruler, figures)
    _move_defences(window, parts, defences)
    _take_what_lies(battle, parts)
    centre = window.land.field(gf).centre
    keeper = of_cell.get(centre.cell or 0) if centre is not None else None
    if keeper is not None and keeper != owner:
        plunder.sack(battle, of_side[keeper], keeper, owner, was=place)
    if contestants and owner is None:
        window.watch.get(contestants[0], {}).pop(place, None)


def _lay_down(battle: FoughtBattle, parts: _Parts, ruler: PowerId, figures: Figures) -> None:
    """All figures move into their ruler's part, else that of their side; so do goods. Source: rules B25"""
    claims = [
        parts.of_cell.get(each.cell)
        for each in battle.end.living
        if each.ruler == ruler and each.at == parts.whole and each.cell
    ]
    side = ruler if ruler in parts.of_side else next((each for each in claims if each in parts.of_side), parts.owner)
    part = parts.of_side.get(side) if side is not None else None
    for item, count in figures.items():
        battle.window.put(ruler, part or next(iter(parts.of_side.values())), item, count)


def _move_defences(window: Window, parts: _Parts, defences: Mapping[PowerId, str]) -> None:
    """A standing defence goes with its ruler's part; a ruler with no part here any more has none to defend."""
    for ruler, text in defences.items():
        own = window.rulers[ruler]
        kept = {at: each for at, each in own.defend.items() if at not in parts.of_side.values()}
        part = parts.of_side.get(ruler)
        window.rulers[ruler] = replace(own, defend=kept if part is None else {**kept, part: text})


def _take_what_lies(battle: FoughtBattle, parts: _Parts) -> None:
    """RE, gear and riderless animals lie on the field of the trade centre, else where the first figures stood;
    artefacts of the fallen where these fell.

    They fall to the side that has that field now. Source: rules B22, rulings KA61, KA234
    """
    window, ground = battle.window, battle.site.ground
    centre = next((ground.places[kf][1] for at, kf in ground.centres.items() if at == parts.whole), 0)
    board = {each.item for each in battle.end.artefacts if each.is_borne}
    fallen = {each.item: each.cell for each in battle.end.artefacts if each.at == parts.whole and not each.is_borne}
    gf = gf_of(parts.whole)
    for ruler, part in parts.of_side.items():
        first = (each.at.cell for each in battle.end.course.start if each.ruler == ruler and each.at.gf == gf)
        store = centre or next(first, 0)
        standing = Counter(
            item
            for each in battle.end.living
            if each.ruler == ruler and each.at == parts.whole
            for item in (each.item, each.mount)
        )
        for item, there in list(window.stack(ruler, part).items()):
            count = there - standing[item]
            keeper = parts.of_cell.get(fallen.get(item, store), ruler)
            # People stay their ruler's, whatever they have spent or lost in the battle.
            if count > 0 and item not in board and battle.are_foes(ruler, keeper) and not has_people({item: count}):
                window.book(ruler, part, item, -count, "booty")
                window.book(keeper, parts.of_side[keeper], item, count, "booty")
