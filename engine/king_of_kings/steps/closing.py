"""Phase 10: alliances, loyalty, fame, the fallen, missed turns, the end of the game. Source: rules 9, 10, 13."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.play import Over
from engine.king_of_kings.model import Symbol, Tactic
from engine.king_of_kings.narrative import place, show
from engine.king_of_kings.ranking import rank, standings
from engine.king_of_kings.steps.isolation import has_ships
from engine.king_of_kings.steps.muster import is_adrift
from engine.king_of_kings.working import Area, Realm, Turn

TURN_LOYAL = 20
"""The chance in percent that a disloyal province turns. Source: rules 9.1."""
MISSED_ASK, MISSED_MOST = 3, 5
"""After how many missed turns in a row the game master is asked, and after how many the nation loses its player."""


def close(turn: Turn) -> None:
    """Phase 10: alliances, loyalty, fame, the fallen, missed turns, and the end, in the order of ruling K-06."""
    _level_alliances(turn)
    if turn.options.loyalty:
        _fall_back(turn)
        _turn_loyal(turn)
    _award_fame(turn)
    _bury(turn)
    _count_missed(turn)
    _end(turn)


def _level_alliances(turn: Turn) -> None:
    """Two statuses become the lower of the two. Source: rules 9.2."""
    realms = list(turn.realms.values())
    for index, one in enumerate(realms):
        for other in realms[:index]:
            level = turn.mutual(one.id, other.id)
            one.status[other.id] = other.status[one.id] = level


# Loyalty. Source: rules 9.1; ruling K-46


def _disloyal(turn: Turn) -> Iterator[Area]:
    return (area for area in turn.areas if area.owner is not None and area.loyal_to != area.owner)


def _fall_back(turn: Turn) -> None:
    """Provinces without troops return to the nation to which they are loyal; hunger alone costs nobody a province."""
    for area in list(_disloyal(turn)):
        owner = area.owner
        if owner is None or area.loyal_to is None or area.is_starved or _is_held(turn, area, owner):
            continue
        loyal_to = turn.realms[area.loyal_to]
        heir = loyal_to if loyal_to.is_alive else None
        _strip(turn, area, owner, heir)
        if heir is None:
            area.owner = area.loyal_to = None
            area.tactic = Tactic.STANDARD
        else:
            turn.seize(area, heir.id)
        x, y = turn.grid.xy(area.cell)
        code, to = ("fell_back", heir.name) if heir else ("fell_to_nobody", "")
        turn.tell(code, nation=turn.realms[owner].name, to=to, x=x, y=y, place=place(turn, area.cell))


def _is_held(turn: Turn, area: Area, owner: PowerId) -> bool:
    """Whether the owner's troops hold it: combat units on land, ships at sea. Source: ruling K-70."""
    return turn.strength(area.of(owner)) > 0 or (area.is_sea and has_ships(turn, area, owner))


def _strip(turn: Turn, area: Area, owner: PowerId, heir: Realm | None) -> None:
    """Ships in port are lost with the province, or captured if the option allows it; nobody gets points for them."""
    for symbol, amount in area.clear(owner).items():
        turn.note_units(owner, symbol, -amount, "loyalty")
        if heir is not None and turn.options.capture:
            area.put(heir.id, symbol, amount)
            turn.note_units(heir.id, symbol, amount, "loyalty")


def _turn_loyal(turn: Turn) -> None:
    """Every other disloyal province may become loyal to its owner."""
    for area in _disloyal(turn):
        if turn.dice is None or area.owner is None:
            continue
        purpose = phrase("roll.loyalty", place=place(turn, area.cell))
        roll = turn.dice.d100(f"loyalty/{turn.grid.name(area.cell)}", purpose)
        if roll <= TURN_LOYAL:
            area.loyal_to = area.owner
            x, y = turn.grid.xy(area.cell)
            nation = turn.realms[area.owner].name
            turn.tell("turned_loyal", nation=nation, x=x, y=y, place=place(turn, area.cell), roll=roll)


# Nations


def _award_fame(turn: Turn) -> None:
    """Victory points of the turn become fame if they are above 0. Source: rules 6.3."""
    for realm in turn.living():
        if realm.points > 0:
            turn.book(realm.id, "fame", realm.points, "battle")
            turn.tell("fame", nation=realm.name, points=realm.points)


def _bury(turn: Turn) -> None:
    """A nation without provinces and units has fallen; so has a player's nation that can do nothing with the rest.

    Source: rules 13; ruling K-96
    """
    owners = {area.owner for area in turn.areas}
    for realm in turn.living():
        if realm.id in owners:
            continue
        places = [area for area in turn.areas if area.of(realm.id)]
        left = {symbol for area in places for symbol in area.of(realm.id)}
        if left and (realm.is_monsters or not is_adrift(turn.rules, turn.options, left)):
            continue
        if left:
            lost = sum((Counter(_disband(turn, area, realm)) for area in places), Counter[Symbol]())
            turn.tell("adrift", nation=realm.name, units=show(turn, lost))
        realm.eliminated = turn.state.turn
        turn.tell("eliminated", nation=realm.name)


def _disband(turn: Turn, area: Area, realm: Realm) -> dict[Symbol, int]:
    units = area.clear(realm.id)
    for symbol, amount in units.items():
        turn.note_units(realm.id, symbol, -amount, "adrift")
    return units


def _count_missed(turn: Turn) -> None:
    """Count turns in a row without a sheet; after too many the nation loses its player. Some turns count for nobody.

    Source: rules 10; ruling K-99
    """
    for realm in turn.living():
        if realm.is_monsters:
            continue
        if turn.state.is_excused and realm.id not in turn.sent:
            turn.tell("excused", nation=realm.name)
            continue
        realm.missed = 0 if realm.id in turn.sent else realm.missed + 1
        if realm.missed >= MISSED_MOST:
            realm.is_monsters = True
            turn.tell("became_monsters", nation=realm.name, missed=realm.missed)
        elif realm.missed >= MISSED_ASK:
            turn.tell("often_missed", nation=realm.name, missed=realm.missed)


# The end


def _end(turn: Turn) -> None:
    reason = _why_over(turn)
    if reason is None:
        return
    turn.ending = rank(reason, standings(turn.close()))
    turn.over = Over(turn.ending.winners, phrase(f"over.{reason}"))


def _why_over(turn: Turn) -> str | None:
    """`end_turn`, or one of the early ends that are options. Source: rules 13; ruling K-67."""
    options = turn.options
    players = [realm for realm in turn.living() if not realm.is_monsters]
    if turn.state.turn >= options.end_turn:
        return "end_turn"
    if options.fame_limit is not None and any(realm.fame >= options.fame_limit for realm in players):
        return "fame_limit"
    if options.last_man_standing and len(players) <= 1:
        return "last_man_standing"
    return None
