"""Phase 4: BUILD and PLA in written order, then the store. Source: rules 4.3, 7; K-05, K-13 to K-17."""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.model import BUILD_COST, Build, Line, Place, Placing, Troop
from engine.king_of_kings.narrative import place
from engine.king_of_kings.orders import MOST_PARTS
from engine.king_of_kings.working import Area, Realm, Spent, Turn


def spend(turn: Turn) -> None:
    """Phase 4: BUILD and PLA are carried out, and what is beyond the limits of the store is lost."""
    pay(turn)
    for realm in turn.realms.values():
        _cut_store(turn, realm)


def pay(turn: Turn) -> None:
    """Carry out BUILD and PLA; what is left is still in the store."""
    for nation in turn.playing_order:
        for line in turn.sheets.get(nation, ()):
            if isinstance(line.order, Build):
                _build(turn, nation, line, line.order)
            elif isinstance(line.order, Place):
                _place(turn, nation, line, line.order)


# BUILD


def _build(turn: Turn, nation: PowerId, line: Line, order: Build) -> None:
    """The price is paid in any case; then the table's chance decides. Source: rules 4.3; rulings K-05, K-17."""
    area = turn.area(order.x, order.y)
    error = why_not_build(turn, nation, area)
    if error or area is None:
        at = {"x": order.x, "y": order.y}
        problem = phrase("problem.not_yours", **at)
        have = turn.realms[nation].gold
        turn.remark(nation, line, error or "E03", **at, cost=BUILD_COST, have=have, problem=problem)
        return
    improvement = turn.rules.build[area.terrain.name]
    assert improvement is not None, "tested above"
    area.is_built = True
    turn.book(nation, "gold", -BUILD_COST, "build", line=line)
    before, after = area.terrain, turn.rules.terrain[improvement.to]
    if after.food <= before.food and after.gold <= before.gold:
        turn.remark(nation, line, "W09", terrain=before.name, to=after.name)
    if turn.dice is None:
        return
    roll = turn.dice.d100(f"build/{turn.grid.name(area.cell)}", phrase("roll.build", place=place(turn, area.cell)))
    has_worked = roll <= improvement.percent
    if has_worked:
        area.terrain = after
        area.loyal_to = nation
    turn.tell(
        "built" if has_worked else "not_built",
        nation=turn.realms[nation].name,
        x=order.x,
        y=order.y,
        terrain=before.name,
        to=after.name,
        roll=roll,
        percent=improvement.percent,
    )


def why_not_build(turn: Turn, nation: PowerId, area: Area | None) -> str | None:
    """The code of the first test that a BUILD fails; `None`: it can be done now. Source: rules 4.3."""
    if not turn.options.build:
        return "E22"
    if area is None:
        return "E03"
    if area.owner != nation:
        return "E04"
    if area.is_isolated:
        return "E12"
    if not can_build_up(turn, area):
        return "E21"
    if area.is_built:
        return "E10"
    return "E06" if turn.realms[nation].gold < BUILD_COST else None


def can_build_up(turn: Turn, area: Area) -> bool:
    """Whether the terrain has an entry in the table of improvements.

    Source: ruling K-05 (the end of a metropolis is an option).
    """
    improvement = turn.rules.build.get(area.terrain.name)
    if improvement is None or improvement.to not in turn.rules.terrain:
        return False
    return area.terrain.name != "metropolis" or turn.options.build_metropolis_collapse


# PLA


def _place(turn: Turn, nation: PowerId, line: Line, order: Place) -> None:
    for number, part in enumerate(order.parts, 1):
        if number > MOST_PARTS:
            turn.remark(nation, line, "E02", part=number, problem=phrase("problem.parts", most=MOST_PARTS))
            continue
        area, troop = turn.area(part.x, part.y), turn.troop(part.troop)
        error = why_not_place(turn, turn.realms[nation], area, troop)
        if error or area is None:
            _refuse(turn, nation, line, number, part, error or "E03")
        else:
            _put(turn, nation, line, area, troop)


def _refuse(turn: Turn, nation: PowerId, line: Line, number: int, part: Placing, code: str) -> None:
    troop, realm = turn.troop(part.troop), turn.realms[nation]
    cost, have = (troop.wood, realm.wood) if code == "E07" else (troop.gold, realm.gold)
    at = {"x": part.x, "y": part.y, "troop": troop.name}
    problem = phrase(f"problem.{_problem(turn, turn.area(part.x, part.y), troop, code)}", **at)
    turn.remark(nation, line, code, part=number, **at, cost=cost, have=have, problem=problem)


def _problem(turn: Turn, area: Area | None, troop: Troop, code: str) -> str:
    """What exactly is wrong, if a code has several meanings."""
    if area is not None and code == "E13":
        return "disloyal" if turn.options.loyalty and area.owner != area.loyal_to else "no_home"
    if area is None or code != "E15":
        return "not_yours"
    if not _suits(turn, area, troop):
        return "no_sailors" if area.is_sea else "no_coast"
    return "no_room"


def why_not_place(turn: Turn, realm: Realm, area: Area | None, troop: Troop) -> str | None:
    """The code of the first test that a placing fails; `None`: it can be done now. Source: rules 4.3.

    Args:
        realm: the nation that places, with what it has left.
    """
    if area is None:
        return "E03"
    if area.is_sea and not turn.options.sea_placement:
        return "E22"
    if not _is_own(turn, realm.id, area):
        return "E04"
    if area.is_isolated:
        return "E12"
    if not _is_willing(turn, realm.id, area):
        return "E13"
    if not _suits(turn, area, troop) or not _has_room(turn, realm.id, area, troop):
        return "E15"
    if not troop.is_ship and area.is_reinforced:
        return "E14"
    return _why_not_pay(realm, troop)


def _is_own(turn: Turn, nation: PowerId, area: Area) -> bool:
    """At sea: whether only this nation has ships there, or it owns the sea where seas can be owned.

    Source: ruling K-14.
    """
    if not area.is_sea or turn.options.sea_ownership:
        return area.owner == nation
    fleets = {owner for owner, units in area.units.items() if any(turn.troop(symbol).is_ship for symbol in units)}
    return fleets == {nation}


def _is_willing(turn: Turn, nation: PowerId, area: Area) -> bool:
    """Whether the province is loyal, if it can be owned, and a home province if the option demands one."""
    if turn.options.loyalty and area.owner == nation != area.loyal_to:
        return False
    return not turn.options.home_placement or area.home_of == nation


def _suits(turn: Turn, area: Area, troop: Troop) -> bool:
    """Whether the place suits a type.

    Ships need coastal land; types that sail, and those that can't move and aren't land-bound, can be placed at sea.
    Source: ruling K-14.
    """
    if area.is_sea:
        return troop.sea_move > 0 or (troop.is_static and not troop.is_land_bound)
    return not troop.is_ship or turn.is_coastal(area.cell)


def _has_room(turn: Turn, nation: PowerId, area: Area, troop: Troop) -> bool:
    """Whether there is room: one castle and one general a province. Source: rules 11; ruling K-15."""
    there = [turn.troop(symbol) for symbol in area.of(nation)]
    if troop.is_static and any(other.is_static for other in there):
        return False
    return not (troop.is_general and any(other.is_general for other in there))


def _why_not_pay(realm: Realm, troop: Troop) -> str | None:
    """Why a placing can't be paid for. A general takes a credit; the standard one has no other price.

    Source: rules 3; rulings K-16, K-76.
    """
    if troop.is_general and realm.credits < 1:
        return "E23"
    if realm.gold < troop.gold:
        return "E06"
    return "E07" if realm.wood < troop.wood else None


def _put(turn: Turn, nation: PowerId, line: Line, area: Area, troop: Troop) -> None:
    if troop.is_general:
        turn.realms[nation].credits -= 1
    turn.book(nation, "gold", -troop.gold, "place", line=line)
    turn.book(nation, "wood", -troop.wood, "place", line=line)
    area.put(nation, troop.symbol, 1, None if turn.options.place_and_move else Spent.PLACED)
    turn.note_units(nation, troop.symbol, 1, "place")
    if not troop.is_ship:
        area.is_reinforced = True


# The store


def _cut_store(turn: Turn, realm: Realm) -> None:
    """What is not spent and exceeds the store's limit is lost. Source: rules 7; ruling K-43."""
    gold = _surplus(realm.gold, turn.options.storage_gold)
    wood = _surplus(realm.wood, turn.options.storage_wood)
    if gold or wood:
        turn.book(realm.id, "gold", -gold, "storage")
        turn.book(realm.id, "wood", -wood, "storage")
        lost = {"gold": gold, "wood": wood}
        losses = tuple(phrase(f"rehearsal.{what}", amount=amount) for what, amount in lost.items() if amount)
        turn.remark(realm.id, None, "W08", lost=losses)


def _surplus(amount: int, limit: int | None) -> int:
    return 0 if limit is None else max(0, amount - limit)
