"""Which armies go by sea in an impulse, and which fleets carry them. Source: rules 7.4, 7.5"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.core.ids import ProvinceId
from engine.core.phrases import Phrase, phrase
from engine.kregen.bodies import Body, Force, Holdings
from engine.kregen.model import ActStep, Convoy, Sail
from engine.kregen.reasons import who
from engine.provinces.contest.contest import Route


class Convoys:
    """What is to be carried, and what is offered for it."""

    def __init__(self, ground: Holdings, steps: Mapping[Body, ActStep]) -> None:
        self._ground, self._steps = ground, steps
        self.sailing = {body: step for body, step in steps.items() if isinstance(step, Sail)}
        """The armies that are to go by sea, carried or not."""
        self._carriable = {
            army
            for army, sail in self.sailing.items()
            if all(self.carriers(army, at) for at in sail.route) and self.clash(army) is None
        }

    @property
    def carried(self) -> set[Body]:
        """Armies all of whose route has fleets that carry them. Source: rules 7.4"""
        return {army for army in self._carriable if not army.has_failed}

    def carriers(self, army: Body, sector: ProvinceId) -> list[Body]:
        """The fleets in a sector of an army's route that offer to carry it."""
        sail = self.sailing[army]
        return [fleet for fleet in self._ground.units_in(sector) if self._offers(fleet, army, sail)]

    def clash(self, army: Body) -> tuple[Body, bool] | None:
        """Another army that a fleet of its route is to carry as well, and must not; whether both end in one sector.

        Source: rules 7.5
        """
        own = self.sailing[army]
        for sector in own.route:
            if not self.carriers(army, sector):
                continue
            for other, sail in self.sailing.items():
                ends_alike = sail.to == own.to
                is_like = sector in sail.route and (ends_alike or other.sector == army.sector)
                if other is not army and is_like and self.carriers(other, sector):
                    return other, ends_alike
        return None

    def why_not_carried(self, army: Body) -> Phrase:
        """Another army that goes the same way, or the sectors without a fleet for it."""
        sail, clash = self.sailing[army], self.clash(army)
        if clash:
            other, ends_alike = clash
            code = "reason.same_goal" if ends_alike else "reason.same_start"
            return phrase(code, who=who([other]), place=sail.to if ends_alike else army.sector)
        return phrase("reason.no_convoy", places=tuple(at for at in sail.route if not self.carriers(army, at)))

    def route(self, force: Force, force_of: Mapping[Body, int]) -> Route:
        """How a force that is carried goes, as the kernel wants it; the carriers by the numbers of their forces."""
        carriers = tuple(force_of[self.carriers(force.bodies[0], at)[0]] for at in force.route)
        links = dict.fromkeys(carriers, 0)
        for one, other in pairwise(carriers):
            links[one] |= 1 << other
        return Route(carriers, 1 << carriers[0], 1 << carriers[-1], links)

    def _offers(self, fleet: Body, army: Body, sail: Sail) -> bool:
        step = self._steps[fleet]
        if not isinstance(step, Convoy) or not self._ground.may_help(fleet.power, army.power):
            return False
        return (army.sector, sail.to) in step.loads if step.loads else fleet.power == army.power
