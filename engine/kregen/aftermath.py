"""What becomes of everybody in an impulse whose contest is decided: who moves, is driven out, sinks, and why not.

impulse → aftermath → reasons. Source: rules 5.3, 6.2, 8.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.model import Convoy, Go, Sail, Support
from engine.kregen.reasons import Reasons, who
from engine.provinces.contest.contest import NOBODY

if TYPE_CHECKING:
    from engine.kregen.bodies import Body
    from engine.kregen.impulse import Impulse

_TELLING = frozenset({"reason.void_moved", "reason.void_stopped", "reason.void_faith"})
"""Reasons of a support's first impulse that take precedence over those of the second."""


class Aftermath:
    """The end of an impulse.

    Args:
        shut: cities whose rallied heroes stop every attack.
    """

    def __init__(self, impulse: Impulse, shut: Set[ProvinceId]) -> None:
        self._impulse, self._shut = impulse, shut
        self._ground, self._steps, self._forces = impulse.ground, impulse.steps, impulse.forces
        self._contest, self._equations = impulse.contest, impulse.equations

    def carry_out(self) -> None:
        """Move who gets through, drive out who is beaten, and tell what became of every step."""
        equations, shut = self._equations, self._shut
        going = [number for number, force in enumerate(self._forces) if force.to]
        sunk = {number for number in going if self._is_sunk(number)}
        fallen = {n for n in range(len(self._forces)) if equations.dislodged(n)}
        # All reasons are found before anything moves.
        reasons = Reasons(self._impulse)
        kept_out = {number: reasons.of_bounce(number, shut) for number in going if not equations.moved[number]}
        self._strand_heroes()
        self._tell_convoys(reasons)
        self._tell_supports(reasons, fallen)
        for number in fallen:
            self._drive_out(number, reasons)
        for number in going:
            force = self._forces[number]
            assert force.to is not None
            if equations.moved[number]:
                self._ground.entered.setdefault(force.to, []).append(None if force.route else force.at)
                for body in force.bodies:
                    body.go(self._impulse.goals[body])
                for hero in force.heroes:
                    hero.go(PlaceId(force.to))
                continue
            for body in (*force.bodies, *force.heroes):
                if body.outcome is not Outcome.DISLODGED:
                    body.fail(Outcome.BOUNCES, kept_out[number])
                body.has_failed = True
        for sector in {force.to for force in self._forces if force.to} - shut:
            rivals = [n for n in going if self._forces[n].to == sector and equations.path(n)]
            # Ruling K18: it is the empty sector that is closed.
            if len(rivals) > 1 and not self._ground.units_in(sector) and sector not in self._ground.garrisons:
                self._ground.stand_offs.add(sector)
        for number in sunk:
            for body in (*self._forces[number].bodies, *self._forces[number].heroes):
                body.fail(Outcome.DISRUPTED, reasons.of_sinking(number))
                body.is_out = body.is_gone = True
        self._walk()

    def _strand_heroes(self) -> None:
        """Heroes share the failure of a unit that was to leave and could not even try to. Source: rules 8."""
        for hero, companion in self._impulse.companions.items():
            is_kept = not self._forces[self._impulse.force_of[companion]].to
            if is_kept and isinstance(self._steps[companion], Go | Sail):
                hero.has_failed = True
                hero.outcome, hero.reason = companion.outcome, companion.reason

    def _is_sunk(self, number: int) -> bool:
        route = self._contest.routes.get(number)
        return route is not None and any(map(self._equations.dislodged, route.carriers))

    def _drive_out(self, number: int, reasons: Reasons) -> None:
        """All that stood in a sector is dislodged; a garrison is gone. Source: rules 2.2, 5.3, 6.2."""
        force = self._forces[number]
        if not force.bodies:
            del self._ground.garrisons[force.at]
            return
        takers = [
            index
            for index, other in enumerate(self._forces)
            if other.to == force.at and self._equations.moved[index] and (number, index) not in self._contest.admits
        ]
        reason = reasons.of_dislodgement(takers)
        for body in force.bodies:
            body.drive_out([None if self._forces[one].route else self._forces[one].at for one in takers])
            body.fail(Outcome.DISLODGED, reason)

    def _tell_supports(self, reasons: Reasons, fallen: set[int]) -> None:
        for number, force in enumerate(self._forces):
            if not force.bodies or not isinstance(self._steps[force.bodies[0]], Support) or number in fallen:
                continue
            body = force.bodies[0]
            if body in self._impulse.cut_early:
                # Ruling K16.
                body.has_helped = True
                body.tell(Outcome.CUT, self._impulse.cut_early[body])
            elif self._impulse.helps[number] == NOBODY:
                self._tell_idle_support(body, reasons.of_idle_support(force))
            elif not self._equations.support(number)[0]:
                body.has_helped = True
                body.tell(Outcome.CUT, reasons.of_cut(number))
            else:
                body.has_helped = True
                body.outcome, body.reason = Outcome.SUCCEEDS, phrase("reason.done")

    def _tell_idle_support(self, body: Body, reason: Phrase) -> None:
        """A support that fits nothing; one that is given in both impulses may fit something in one of them."""
        was_given = (
            self._impulse.number == 1 and body.order is not None and body.order.in_impulse(0) == self._steps[body]
        )
        if not was_given:
            body.tell(Outcome.VOID, reason)
        elif not body.has_helped:
            # Ruling K12: it fitted nothing in either; what its unit did instead says more than that it was gone.
            why = body.reason if body.reason.code in _TELLING else reason
            args = {name: value for name, value in why.args.items() if name != "impulse"}
            body.outcome, body.reason = Outcome.VOID, phrase(why.code, **args)

    def _tell_convoys(self, reasons: Reasons) -> None:
        """A fleet that carried nobody has done nothing."""
        for fleet, step in self._steps.items():
            reason = reasons.of_idle_convoy(fleet) if isinstance(step, Convoy) else None
            if reason:
                fleet.tell(Outcome.VOID, reason)

    def _walk(self) -> None:
        """Lone heroes walk after the units: wherever no other player's unit then is. Source: rules 8, 8.5."""
        for hero, step in self._steps.items():
            if not hero.is_hero or not isinstance(step, Go) or hero.is_out:
                continue
            goal = province_of(step.to)
            foreign = [body for body in self._ground.units_in(goal) if not self._ground.shares(hero.power, body.power)]
            if goal not in self._impulse.land.walks[hero.sector]:
                hero.fail(Outcome.VOID, phrase("reason.out_of_reach", place=goal, origin=hero.sector))
            elif foreign:
                hero.fail(Outcome.BOUNCES, phrase("reason.kept_out", place=goal, who=who(foreign)))
            else:
                hero.go(PlaceId(goal))
