"""What became of every order of a movement phase, and who may know it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import Audience, OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.model import Unit
from engine.provinces.classic.plans import Ending
from engine.provinces.orders import Hold, Move
from engine.young_kingdoms.battle import SorcerersBattle
from engine.young_kingdoms.magic import Turn
from engine.young_kingdoms.model import (
    SORCERER,
    CardOrder,
    CastAttack,
    CastSelf,
    CastSupport,
    Give,
    Order,
    ShareOrder,
    Unshare,
)
from engine.young_kingdoms.notation import format_order, subject
from engine.young_kingdoms.ways import Ways

_CONVOY_TRIED = (Outcome.BOUNCES, Outcome.DISRUPTED, Outcome.NO_CONVOY)

CUT_BUT_MOVED = "outcome.cut_but_moved"
"""The reason of a support for oneself that was cut, though the move succeeded."""


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a movement phase that is over.

    Args:
        given: for each order to hand on cards, by who gave it and where, whether it was carried out.
        left: the units and sorcerers that are still where they went or stayed.
    """

    turn: Turn
    battle: SorcerersBattle
    ways: Ways
    given: Mapping[tuple[PowerId, ProvinceId], bool]
    left: Collection[Unit]

    def all(self) -> tuple[OrderResult[Order], ...]:
        """In map order, then those of each power's sorcerer, spells, shares and cards, in seat order."""
        order = {province: index for index, province in enumerate(self.turn.state.variant.board.provinces)}
        found = [*self._results_of_the_destroyed(), *self.battle.ordinary_results()]
        found = [self._with_convoy(result) for result in found]
        found.sort(key=lambda result: order[ProvinceId(result.subject)])
        for power in self.turn.state.variant.powers:
            found += self._sorcerer_results(power)
            found += self._side_results(power)
        return tuple(found)

    def _results_of_the_destroyed(self) -> Iterable[OrderResult[Order]]:
        for unit in self.turn.lost:
            if unit.kind != SORCERER:
                orders = (order for order in self.turn.ordinary[unit.power] if order.at == unit.at)
                order = next(orders, None) or Hold(unit.kind, unit.at)
                reason = phrase("outcome.destroyed_by_spell")
                yield _result(unit.power, order, Outcome.DESTROYED, reason)

    def _with_convoy(self, result: OrderResult[Order]) -> OrderResult[Order]:
        """The result of a fleet that was to convoy a sorcerer."""
        convoy = self.battle.sorcerers_convoys.get(ProvinceId(result.subject))
        if convoy is None:
            return result
        result = result._replace(order=convoy, text=format_order(convoy))
        if result.outcome is Outcome.DISLODGED:
            return result
        for power, walk in self.ways.walks.items():
            way = self.turn.ways.get(power)
            fits = isinstance(way, Move) and (way.at, way.to) == (convoy.of, convoy.to)
            if fits and (walk.is_carried or walk.ending[0] in _CONVOY_TRIED):
                is_on_route = convoy.at in self.ways.routes.get(power, (convoy.at,))
                reason = phrase("outcome.convoyed" if is_on_route else "outcome.convoy_unused")
                return result._replace(outcome=Outcome.SUCCEEDS, reason=reason)
        reason = phrase("outcome.void_stayed", unit=f"{SORCERER} {convoy.of}")
        return result._replace(outcome=Outcome.VOID, reason=reason)

    def _sorcerer_results(self, power: PowerId) -> Iterable[OrderResult[Order]]:
        sorcerer = self.turn.ground.sorcerer_of.get(power)
        if sorcerer is None:
            return
        cast, way = self.turn.casts.get(power), self.turn.ways.get(power)
        if not isinstance(cast, CastAttack | CastSelf):
            outcome, reason = self._way_ending(power)
            yield _result(power, way or Hold(SORCERER, sorcerer.at), outcome, reason)
        if cast is not None:
            outcome, reason = self._spell_ending(power)
            yield _result(power, cast, outcome, reason)

    def _way_ending(self, power: PowerId) -> Ending:
        if power not in self.turn.sorcerers:
            return Outcome.DESTROYED, phrase("outcome.destroyed_by_spell")
        if power in self.ways.displaced:
            return Outcome.DISLODGED, self.ways.displaced[power].reason
        return self.ways.walks[power].ending

    def _spell_ending(self, power: PowerId) -> Ending:
        cast = self.turn.casts[power]
        if isinstance(cast, CastSupport):
            return self.battle.spell_endings[power]
        if not isinstance(cast, CastAttack | CastSelf):
            return Outcome.SUCCEEDS, phrase("outcome.spell_worked")
        if power not in self.turn.sorcerers:
            return Outcome.DESTROYED, phrase("outcome.destroyed_by_spell")
        if power in self.ways.displaced:
            return Outcome.DISLODGED, self.ways.displaced[power].reason
        if power not in self.battle.number_of:
            return Outcome.CUT, self._without_support(power, cast)
        places = {province_of(self.turn.sorcerers[power].at)} | ({province_of(cast.to)} if cast.to else set())
        barred = self.turn.barred & places if cast.to else frozenset()
        if barred:
            return Outcome.VOID, phrase("outcome.barred", place=self._in_map_order(barred)[0])
        return self.battle.sorcerer_ending(power)

    def _in_map_order(self, places: Collection[ProvinceId]) -> tuple[ProvinceId, ...]:
        return tuple(province for province in self.turn.state.variant.board.provinces if province in places)

    def _without_support(self, power: PowerId, cast: CastAttack | CastSelf) -> Phrase:
        """What a sorcerer did whose support for itself was cut: it stays, or goes without strength. Ruling Y17."""
        if cast.to is None:
            return phrase("outcome.cut_by_magic")
        outcome, reason = self.ways.walks[power].ending
        if outcome is Outcome.SUCCEEDS:
            return phrase(CUT_BUT_MOVED)
        return phrase("outcome.cut_and_stopped", reason=reason)

    def _side_results(self, power: PowerId) -> Iterable[OrderResult[Order]]:
        """Shares, and what became of cards: that is for those alone whom it concerns. Source: ruling Y30."""
        for order in self.turn.sheets[power]:
            match order:
                case ShareOrder():
                    outcome, reason = self._share_ending(power, order)
                    # Nobody else learns of an offer that came to nothing.
                    audience = None if outcome is Outcome.SUCCEEDS else frozenset({power})
                    yield _result(power, order, outcome, reason, audience)
                case Unshare():
                    reason = phrase("outcome.unshared")
                    yield _result(power, order, Outcome.SUCCEEDS, reason)
                case CardOrder(verb):
                    reason = phrase(f"outcome.card.{verb}")
                    yield _result(power, order, Outcome.SUCCEEDS, reason, frozenset({power}))
                case Give():
                    done = self.given[power, province_of(order.at)]
                    outcome = Outcome.SUCCEEDS if done else Outcome.VOID
                    reason = phrase("outcome.card.given" if done else "outcome.card.not_given")
                    audience = frozenset({power, order.power or power})
                    yield _result(power, order, outcome, reason, audience)

    def _share_ending(self, power: PowerId, order: ShareOrder) -> Ending:
        if (order.at, frozenset((power, order.power))) not in self.turn.bonds:
            return Outcome.VOID, phrase("outcome.share_alone", power=order.power)
        here = {unit.power for unit in self.left if province_of(unit.at) == order.at}
        if {power, order.power} <= here:
            return Outcome.SUCCEEDS, phrase("outcome.shared")
        return Outcome.VOID, phrase("outcome.share_unused", place=order.at)


def _result(
    power: PowerId, order: Order, outcome: Outcome, reason: Phrase, audience: Audience = None
) -> OrderResult[Order]:
    return OrderResult(power, order, format_order(order), subject(order), outcome, reason, audience)
