"""Step (c) of a turn: armies, fleets and the sorcerers that have strength fight and move.

Diplomacy's battle with strong sorcerers among the units, standing armies in their fortresses, and spells that support.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.provinces.classic import model as classic
from engine.provinces.classic.model import Convoy, Dislodged, Manoeuvre, SupportMove, Unit
from engine.provinces.classic.movement import Battle
from engine.provinces.classic.numbering import Post
from engine.provinces.classic.plans import HELD, Ending, Plan, plan_of
from engine.provinces.contest.contest import NOBODY, Contest, Garrison
from engine.provinces.orders import Hold, Move
from engine.young_kingdoms.magic import Turn, is_cut, magical_attacks, strong_sorcerers
from engine.young_kingdoms.model import SORCERER, CastAttack, CastSupport, Order
from engine.young_kingdoms.notation import format_order


@dataclass(frozen=True, slots=True)
class Blessing:
    """A support by a spell: whose, for which unit, and whether a magical attack that gets in would still cut it."""

    power: PowerId
    helped: int
    challenger: int = NOBODY


class SorcerersBattle(Battle):
    """The fight of a turn. Strong sorcerers come last among the units, and are numbered in `number_of`."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.overruled: dict[ProvinceId, tuple[Order, Ending]] = {}
        """What was ordered and came to nothing before the fight, by the unit's province."""
        self.sorcerers_convoys: dict[ProvinceId, Convoy] = {}
        self.strong = strong_sorcerers(turn)
        sheets, helpers = self._ordinary_sheets()
        order = {province: index for index, province in enumerate(turn.state.variant.board.provinces)}
        units = tuple(sorted(turn.units.values(), key=lambda unit: order[province_of(unit.at)]))
        super().__init__(replace(turn.state, units=units), sheets)
        self.number_of: dict[PowerId, int] = {}
        for power, there in self.strong.items():
            self._add_sorcerer(power, there)
        for at, support in helpers.items():
            self._add_helper(at, support)
        self.blessings: list[Blessing] = []
        self.spell_endings: dict[PowerId, Ending] = {}
        self._read_blessings()

    # From orders to numbers

    def _ordinary_sheets(self) -> tuple[dict[PowerId, list[classic.Order]], dict[ProvinceId, SupportMove]]:
        """The orders that Diplomacy's battle understands, and supports for magical attacks by the supporter's place."""
        sheets: dict[PowerId, list[classic.Order]] = {}
        helpers: dict[ProvinceId, SupportMove] = {}
        attacks = {(attack.start, attack.end) for attack in magical_attacks(self.turn)}
        for power, orders in self.turn.ordinary.items():
            sheets[power] = []
            for order in orders:
                here = province_of(order.at)
                if here not in self.turn.units:
                    continue
                ending = self._overrule(order, attacks, power)
                if isinstance(order, SupportMove) and order.of_kind == SORCERER and ending is None:
                    helpers[here] = order
                if isinstance(order, Convoy) and order.of_kind == SORCERER and ending is None:
                    self.sorcerers_convoys[here] = order
                if ending is not None:
                    self.overruled[here] = (order, ending)
                    order = Hold(order.kind, order.at)
                elif here in helpers or here in self.sorcerers_convoys:
                    order = Hold(order.kind, order.at)
                sheets[power].append(order)
        return sheets, helpers

    def _is_legal(self, power: PowerId, order: classic.Order) -> bool:
        """The turn has let it pass."""
        return True

    def _overrule(self, order: Manoeuvre, attacks: set[tuple[ProvinceId, ProvinceId]], power: PowerId) -> Ending | None:
        """Why an order comes to nothing before anybody fights. Source: rules 4.7; ruling Y21."""
        barred, here = self.turn.barred, province_of(order.at)
        if here in self.turn.hordes and not self.turn.has_sorcerer(power) and not isinstance(order, Hold):
            # Ruling Y32: spells come first, then civil disorder.
            return Outcome.VOID, phrase("outcome.master_died")
        match order:
            case Move(_, at, to):
                stopped = [place for place in (province_of(at), province_of(to)) if place in barred]
                return (Outcome.VOID, phrase("outcome.barred", place=stopped[0])) if stopped else None
            case Convoy(_, at) if province_of(at) in barred:
                return Outcome.VOID, phrase("outcome.barred", place=province_of(at))
            case SupportMove(_, _, of_kind, of, to) if of_kind == SORCERER:
                if (province_of(of), province_of(to)) not in attacks:
                    return Outcome.VOID, phrase("outcome.no_magical_attack", unit=f"{SORCERER} {of}", place=to)
        return None

    def _add_sorcerer(self, power: PowerId, there: ProvinceId | None) -> None:
        sorcerer = self.turn.sorcerers[power]
        number = self.number_of[power] = len(self.units)
        space = self.board.space_of[sorcerer.at]
        self.units = (*self.units, sorcerer)
        self.at.append(space)
        self.to.append(NOBODY if there is None else self.board.space_of[PlaceId(there)])
        self.helps.append(NOBODY)
        self.about.append(NOBODY)
        name = f"{SORCERER} {sorcerer.at}"
        post = Post(name, SORCERER, sorcerer.at, space, self.board.provinces[space], {}, frozenset())
        self.posts.append(post)
        self.powers.append(power)
        self.plans.append(Plan(post, None, Hold(SORCERER, sorcerer.at), "", HELD, goal=PlaceId(there or "")))
        self.endings.append(HELD)
        assert len(self.at) == number + 1

    def _add_helper(self, at: ProvinceId, order: SupportMove) -> None:
        number = self.unit_in[self.board.space_of[PlaceId(at)]]
        sorcerer = next(
            one
            for power, one in self.number_of.items()
            if self.turn.sorcerers[power].at == order.of and self._is_magic(one)
        )
        self.plans[number] = plan = plan_of(self.board, order)
        self.endings[number] = plan.ending
        self.helps[number] = sorcerer
        self.about[number] = self.to[sorcerer]

    def _is_magic(self, number: int) -> bool:
        """Whether what gets in is a magical attack."""
        unit = self.units[number]
        return unit.kind == SORCERER and isinstance(self.turn.casts.get(unit.power), CastAttack)

    def _read_blessings(self) -> None:
        """The supports that spells give to others."""
        for power, cast in self.turn.casts.items():
            if not isinstance(cast, CastSupport):
                continue
            of, space_of = province_of(cast.of), self.board.space_of
            about = of if cast.to is None else province_of(cast.to)
            helped = self._helped_by_spell(power, cast)
            wanted = NOBODY if cast.to is None else space_of[PlaceId(about)]
            if helped == NOBODY or self.to[helped] != wanted:
                done = self._mismatch(helped, cast.of) if helped != NOBODY else None
                self.spell_endings[power] = done or (
                    Outcome.VOID,
                    phrase("outcome.spell_void", unit=f"{cast.of_kind} {of}"),
                )
            elif is_cut(self.turn, power, about):
                self.spell_endings[power] = Outcome.CUT, phrase("outcome.cut_by_magic")
            else:
                self.spell_endings[power] = Outcome.SUCCEEDS, phrase("outcome.supported")
                self.blessings.append(Blessing(power, helped, self._challenger(power, about)))

    def _helped_by_spell(self, power: PowerId, cast: CastSupport) -> int:
        if cast.of_kind != SORCERER:
            number = self.unit_in[self.board.space_of[cast.of]]
            return number if number != NOBODY and self.units[number].kind == cast.of_kind else NOBODY
        others = (one for other, one in self.number_of.items() if other != power)
        return next((one for one in others if self.units[one].at == cast.of), NOBODY)

    def _challenger(self, power: PowerId, about: ProvinceId) -> int:
        """The sorcerer whose magical attack comes from where the supported order goes: it cuts only if it gets in.

        Source: ruling Y29.
        """
        here = province_of(self.turn.ground.sorcerer_of[power].at)
        for attack in magical_attacks(self.turn):
            if attack.power != power and attack.end == here and attack.start == about:
                return self.number_of[attack.power]
        return NOBODY

    # The fight

    def resolve(self) -> None:
        """Let the kernel decide; again without a spell's support if what that depends on came to pass.

        Source: ruling Y29.
        """
        super().resolve()
        cut = [one for one in self.blessings if one.challenger != NOBODY and self.moved[one.challenger]]
        if cut:
            for blessing in cut:
                self.blessings.remove(blessing)
                self.spell_endings[blessing.power] = Outcome.CUT, phrase("outcome.cut_by_magic")
            super().resolve()
        self.fallen |= {one for one in self.number_of.values() if self.equations.dislodged(one)}

    def _contest(self) -> Contest:
        contest = super()._contest()
        # A spell's support comes from outside the board, where nothing but magic reaches it.
        beside = range(len(self.board.provinces), len(self.board.provinces) + len(self.blessings))
        nobody = [NOBODY] * len(self.blessings)
        return replace(
            contest,
            at=[*contest.at, *beside],
            side=[*contest.side, *(one.power for one in self.blessings)],
            to=[*contest.to, *nobody],
            helps=[*contest.helps, *(one.helped for one in self.blessings)],
            about=[*contest.about, *nobody],
            garrisons=self._garrisons(),
            allies=frozenset(self._allies()),
            admits=frozenset(self._admissions()),
            unit_at=None,
        )

    def _garrisons(self) -> dict[int, Garrison]:
        """What standing armies add to units that stay, and hold alone; owners and their friends are spared.

        Source: rules 2.1, 2.2, 2.3; rulings Y4, Y5, Y6.
        """
        found = {}
        powers = self.turn.state.variant.powers
        for at, fortress in self.turn.fortresses.items():
            if fortress.strength:
                owner = fortress.owner
                spared = {power for power in powers if owner and self.turn.is_friendly(at, owner, power)}
                space = self.board.space_of[PlaceId(at)]
                found[space] = Garrison(fortress.strength, fortress.strength, frozenset(spared))
        return found

    def _meetings(self) -> Iterable[tuple[int, int]]:
        """Attackers with the friendly units of the spaces that they attack, a sorcerer among the two."""
        for attacker, space in enumerate(self.to):
            for unit, here in enumerate(self.at):
                if space == here != NOBODY and SORCERER in (self.units[attacker].kind, self.units[unit].kind):
                    place = self.board.provinces[space]
                    if self.turn.is_friendly(place, self.units[attacker].power, self.units[unit].power):
                        yield attacker, unit

    def _allies(self) -> Iterable[tuple[int, int]]:
        """A strong sorcerer joins no friendly unit: that stops it, as a unit stops another of its power.

        Source: ruling Y8.
        """
        return ((attacker, unit) for attacker, unit in self._meetings() if self.units[attacker].kind == SORCERER)

    def _admissions(self) -> Iterable[tuple[int, int]]:
        """A sorcerer that stays is joined by friendly ordinary units. Source: rulings Y8, Y27."""
        return ((unit, attacker) for attacker, unit in self._meetings() if self.units[attacker].kind != SORCERER)

    # What came of it

    def place_of(self, number: int) -> ProvinceId:
        """Where a unit is after the fight."""
        return self.board.provinces[self.to[number] if self.moved[number] else self.at[number]]

    def number_in(self, at: ProvinceId) -> int:
        """The ordinary unit that began in a space; `NOBODY` if there was none."""
        return self.unit_in[self.board.space_of[PlaceId(at)]]

    def is_contested(self, at: ProvinceId) -> bool:
        """Whether two units or more stood each other off in a space and left it empty."""
        space = self.board.space_of[PlaceId(at)]
        if space in self.taker or any(
            here == space and not self.moved[number] and number not in self.fallen
            for number, here in enumerate(self.at)
        ):
            return False
        return sum(bool(self.equations.prevent(rival)[0]) for rival in self.equations.into.get(space, ())) > 1

    def is_destroyed(self, number: int) -> bool:
        """Whether a dislodged ordinary unit is lost: by magic, as a horde in a centre, or without its master.

        Source: rules 4.3, 4.5; rulings Y19, Y32.
        """
        at = self.board.provinces[self.at[number]]
        if number not in self.fallen or self.units[number].kind == SORCERER:
            return False
        if self._is_magic(self.taker[self.at[number]]):
            return True
        is_centre = self.turn.state.variant.board.provinces[at].is_centre
        return at in self.turn.hordes and (is_centre or not self.turn.has_sorcerer(self.units[number].power))

    def standing(self) -> dict[ProvinceId, tuple[int, Unit]]:
        """The ordinary units that were not driven out, where they are now, with their numbers."""
        found = {}
        for number, unit in enumerate(self.units):
            if unit.kind != SORCERER and number not in self.fallen:
                at = self.place_of(number)
                found[at] = number, Unit(unit.power, unit.kind, PlaceId(at))
        return found

    def driven_out(self, number: int) -> Dislodged:
        """A dislodged unit with where it may go by the rules of Diplomacy."""
        return self._dislodged(number)

    def _is_open(self, space: int) -> bool:
        """Whether no ordinary unit is in a space and nothing kept others out of it."""
        at = self.board.provinces[space]
        return at not in self.standing() and not self.is_contested(at) and at not in self.turn.barred

    def _bounce(self, number: int) -> Ending:
        obstacle = self.equations.obstacle(number)
        if obstacle is not None and obstacle[2] == NOBODY:
            own, other, _ = obstacle
            place = self.board.provinces[self.to[number]]
            return Outcome.BOUNCES, phrase("outcome.standing_army", place=place, own=own, other=other)
        return super()._bounce(number)

    def ordinary_results(self) -> list[OrderResult[Order]]:
        """The results of armies and fleets, in map order, without hordes that have just appeared."""
        found: list[OrderResult[Order]] = []
        ordinary: Sequence[OrderResult[Order]] = super().results()
        for number, result in enumerate(ordinary):
            at = self.board.provinces[self.at[number]]
            if self.units[number].kind == SORCERER or at in self.turn.fresh:
                continue
            if at in self.overruled:
                order, (outcome, reason) = self.overruled[at]
                result = result._replace(order=order, text=format_order(order))
                if result.outcome is not Outcome.DISLODGED:
                    result = result._replace(outcome=outcome, reason=reason)
            if self.is_destroyed(number):
                result = result._replace(reason=phrase("outcome.destroyed_where_it_stood"))
            found.append(result)
        return found

    def sorcerer_ending(self, power: PowerId) -> Ending:
        """What became of a strong sorcerer's attack or move."""
        number = self.number_of[power]
        if self.to[number] == NOBODY:
            return Outcome.SUCCEEDS, phrase("outcome.held")
        return self._move_ending(number)


def fight(turn: Turn) -> SorcerersBattle:
    """Step (c): armies, fleets, and sorcerers with strength move and fight. Source: rules 1.3."""
    battle = SorcerersBattle(turn)
    battle.resolve()
    return battle
