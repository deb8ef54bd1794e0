"""Phase 1: the playing order, isolated provinces, credits for generals. Source: rules 3; rulings K-06, K-07, K-44."""

from __future__ import annotations

from collections import Counter

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.model import ORDER, Options
from engine.king_of_kings.steps.isolation import isolated_in
from engine.king_of_kings.working import Realm, Turn

"""The stream of dice that decides the playing order."""


def open_turn(turn: Turn) -> None:
    """Phase 1: the playing order is drawn, isolation is found, players are credited generals."""
    for note in turn.state.notes:
        turn.tell("game_master", what=note)
    turn.playing_order = _playing_order(turn)
    for cell in isolated_in(turn.state):
        turn.areas[cell].is_isolated = True
    found = generals(turn)
    for realm in turn.living():
        if not realm.is_monsters:
            _grant_credits(turn, realm, found[realm.id])
    turn.tell("playing_order", nations=tuple(turn.realms[nation].name for nation in turn.playing_order))


def _playing_order(turn: Turn) -> tuple[PowerId, ...]:
    """All living nations: drawn at random, or forced by numbers; those not named follow in ascending order."""
    living = [realm.id for realm in turn.living()]
    if turn.dice is None:
        return tuple(living)
    forced = turn.dice.forced(ORDER)
    if not forced:
        return turn.dice.shuffled(ORDER, living, purpose=phrase("roll.order"))
    rank = {number: place for place, number in reversed(list(enumerate(forced)))}
    return tuple(sorted(living, key=lambda nation: rank.get(turn.realms[nation].number, len(forced))))


def _grant_credits(turn: Turn, realm: Realm, living: int) -> None:
    for _ in range(due_credits(turn.options, turn.state.turn, living, realm.credits)):
        realm.credits += 1
        turn.tell("general_credit", nation=realm.name)


def due_credits(options: Options, turn: int, living: int, credited: int) -> int:
    """How many generals a player's nation may place this turn in addition, if it has fewer than the most allowed.

    Args:
        living: its generals on the map.
        credited: those that it could already place.
    """
    return min(options.general_turns.count(turn), max(options.max_generals - living - credited, 0))


def generals(turn: Turn) -> Counter[PowerId]:
    """How many living generals each nation has."""
    symbols = [troop.symbol for troop in turn.rules.troops.values() if troop.is_general]
    found = Counter[PowerId]()
    for area in turn.areas:
        for nation, units in area.units.items():
            found[nation] += sum(units.get(symbol, 0) for symbol in symbols)
    return found
