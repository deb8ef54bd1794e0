"""Why a step of an impulse failed: phrases that name who was in the way, and what stood against what.

impulse → reasons. Everybody may know all of it: the orders of a season are public once it is carried out, and
duel numbers, prophecies and what was granted are not spoken of here. Units are named by where they stood when the
impulse began; strengths are given in quarters of an army, supports and heroes included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.phrases import Phrase, phrase
from engine.kregen.model import ARMY, Convoy, Go, Sail, Support
from engine.provinces.contest.contest import NOBODY

if TYPE_CHECKING:
    from engine.kregen.bodies import Body, Force
    from engine.kregen.impulse import Impulse

_QUARTERS = ("", "¼", "½", "¾")


def format_strength(quarters: int) -> str:
    """A strength in words: `1¼`, `½`, `0`."""
    whole, part = divmod(quarters, 4)
    return f"{whole or ''}{_QUARTERS[part]}" or "0"


def who(bodies: Iterable[Body]) -> tuple[Phrase, ...]:
    """Units and heroes by their owners, as they stood when the impulse began."""
    return named((body.power, f"{body.unit.kind} {body.began}") for body in bodies)


def named(units: Iterable[tuple[PowerId, str]]) -> tuple[Phrase, ...]:
    """Names of units by their owners, in the order in which these come up; two fleets as `FF ZY`, heroes as `HH ZY`."""
    owned: dict[PowerId, list[str]] = {}
    for power, name in units:
        owned.setdefault(power, []).append(name)
    return tuple(phrase("who.units", power=power, units=tuple(_paired(names))) for power, names in owned.items())


def _paired(names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        kind, at = name.split(maxsplit=1)
        yield f"{kind * names.count(name)} {at}"


class Reasons:
    """The reasons of an impulse whose contest is decided, found before anybody moves."""

    def __init__(self, impulse: Impulse) -> None:
        self._impulse, self._ground = impulse, impulse.ground
        self._forces, self._equations = impulse.forces, impulse.equations

    # Moves

    def of_bounce(self, number: int, shut: Iterable[ProvinceId]) -> Phrase:
        """What kept a force out."""
        force = self._forces[number]
        assert force.to is not None, "only who goes somewhere is kept out"
        if force.to in shut:
            return phrase("reason.rallied", place=force.to, who=who(self._impulse.rallies[force.to]))
        if force.route and not self._equations.path(number):
            return phrase("reason.convoy_paradox")
        obstacle = self._equations.obstacle(number)
        if obstacle is None:
            return phrase("reason.in_a_circle")
        own, other, by = obstacle
        if by != NOBODY and self._forces[by].to == force.to:
            rival, strength = self._strongest_rival(number)
            against = {"own": format_strength(own), "other": format_strength(strength)}
            return phrase("reason.bounced", place=force.to, who=self._named(rival), **against)
        against = {"own": format_strength(own), "other": format_strength(other)}
        staying = self._staying(force.to)
        if staying == [self._equations.facing.get(number)]:
            return phrase("reason.lost_head_on", who=self._named(*staying), **against)
        if own:
            return phrase("reason.stayed", who=self._standing(force.to, staying), **against)
        names = [f"{body.unit.kind} {body.began}" for one in staying for body in self._forces[one].bodies]
        return phrase("reason.own_unit", units=tuple(_paired(names)))

    def _strongest_rival(self, number: int) -> tuple[int, int]:
        """Of all forces that keep one out of a sector the one that got in, or else the strongest; with its strength."""
        equations, mates = self._equations, self._impulse.contest.mates
        rivals = [one for one in equations.into[equations.to[number]] if one != number and (number, one) not in mates]
        strengths = {one: equations.prevent(one)[0] for one in rivals}
        strongest = max(rivals, key=lambda one: (bool(equations.moved[one]), strengths[one]))
        return strongest, strengths[strongest]

    def of_dislodgement(self, takers: Sequence[int]) -> Phrase:
        """Who drove a force out."""
        taker = max(takers, key=lambda one: self._equations.attack(one)[0])
        return phrase(
            "reason.dislodged",
            who=self._named(*takers),
            own=format_strength(self._equations.resistance(taker)[0]),
            other=format_strength(self._equations.attack(taker)[0]),
        )

    def of_sinking(self, number: int) -> Phrase:
        """Which fleets an army was lost with."""
        carriers = self._impulse.contest.routes[number].carriers
        sunk = [self._forces[carrier] for carrier in carriers if self._equations.dislodged(carrier)]
        return phrase("reason.convoy_sunk", who=who(body for force in sunk for body in force.bodies))

    def _named(self, *numbers: int) -> tuple[Phrase, ...]:
        forces = [self._forces[number] for number in numbers]
        return who(body for force in forces for body in (*force.bodies, *force.heroes))

    def _staying(self, sector: ProvinceId) -> list[int]:
        return [
            number for number, force in enumerate(self._forces)
            if force.at == sector and not (force.to and self._equations.moved[number])
        ]  # fmt: skip

    def _standing(self, sector: ProvinceId, staying: Sequence[int]) -> tuple[Phrase, ...]:
        """Who defends a sector: what stays, and the heroes next to it."""
        bodies = [body for number in staying for body in self._forces[number].bodies]
        if not bodies:
            return (phrase("who.garrison", place=sector),)
        heroes = [hero for hero in self._ground.heroes_in(sector) if self._impulse.defends(hero, bodies[0].power)]
        return who([*bodies, *heroes])

    # Supports

    def of_cut(self, number: int) -> Phrase:
        """Whose attacks cut a support."""
        equations, side, about = self._equations, self._equations.side, self._equations.about
        attackers = [
            one for one in equations.into.get(equations.at[number], ())
            if side[one] != side[number] and equations.at[one] != about[number] and equations.path(one)
        ]  # fmt: skip
        return phrase("reason.cut", who=self._named(*attackers))

    def of_idle_support(self, force: Force) -> Phrase:
        """Why a support fits nothing that happens in this impulse."""
        body = force.bodies[0]
        step = self._impulse.steps[body]
        assert isinstance(step, Support), "no other step has these reasons"
        name, target = f"{step.of_kind} {step.of}", step.to or step.of
        if not self._impulse.can_support(body, target):
            return self._out_of_reach(body, target)
        others = [
            other for other in self._forces
            if other.at == step.of and other is not force
            and step.of_kind in ({one.unit.kind for one in other.bodies} or {ARMY})
        ]  # fmt: skip
        if not others:
            is_itself = force.at == step.of and (step.of_kind, step.of) == (body.unit.kind, body.unit.sector)
            if is_itself:
                return phrase("reason.void_itself")
            gone = next((one for each in self._forces for one in each.bodies if _has_left(one, step)), None)
            return (
                phrase("reason.void_gone", unit=name, to=gone.sector)
                if gone
                else phrase("reason.void_nobody", unit=name)
            )
        fits = next((other for other in others if other.to == step.to), None)
        if fits and fits.bodies and not self._ground.may_help(body.power, fits.bodies[0].power):
            return phrase("reason.void_faith", unit=name, power=fits.bodies[0].power)
        bodies = others[0].bodies
        if not bodies:
            return phrase("reason.void_garrison", place=step.of)
        goals = [goal for one in bodies if (goal := self._ordered(one))]
        if step.to and step.to in goals:
            return phrase("reason.void_stopped", unit=name, place=step.to)
        if goals:
            return phrase("reason.void_moved", unit=name, to=goals[0])
        return phrase("reason.void_stayed", unit=name)

    def _ordered(self, body: Body) -> ProvinceId | None:
        """Where a unit was ordered to go in this impulse."""
        step = self._impulse.steps[body]
        return province_of(step.to) if isinstance(step, Go) else step.to if isinstance(step, Sail) else None

    def _out_of_reach(self, body: Body, target: ProvinceId) -> Phrase:
        closing = self._ground.closing_strait(body.power, body.sector, target) if body.unit.kind == ARMY else ()
        if closing:
            return phrase("reason.strait_closed", place=target, who=who(closing))
        return phrase("reason.out_of_reach", place=target, origin=body.sector)

    # Convoys

    def of_idle_convoy(self, fleet: Body) -> Phrase | None:
        """Why a fleet that convoys carries nobody; `None` if it carries somebody."""
        step = self._impulse.steps[fleet]
        assert isinstance(step, Convoy), "no other step has these reasons"
        sailing = self._impulse.convoys.sailing
        taken = [
            army for army, sail in sailing.items()
            if fleet.began in sail.route and fleet in self._impulse.convoys.carriers(army, fleet.began)
        ]  # fmt: skip
        if not taken:
            if step.loads:
                units = tuple(f"{ARMY} {origin}" for origin, _ in step.loads)
                return phrase("reason.convoyed_nobody", units=units)
            return phrase("reason.convoyed_none_of_its_own")
        if any(army in self._impulse.convoys.carried for army in taken):
            return None
        return phrase("reason.convoyed_in_vain", who=who(taken[:1]), why=taken[0].reason)


def _has_left(body: Body, step: Support) -> bool:
    """Whether a unit stood where a support expects it when the season began, and is elsewhere by now."""
    return (body.unit.kind, body.unit.sector) == (step.of_kind, step.of) and body.sector != step.of


def companion_missing(kind: str, place: ProvinceId, foreign: Sequence[Body]) -> Phrase:
    """Why a hero goes with nobody."""
    if foreign:
        return phrase("reason.not_shared", who=who(foreign))
    code = "reason.no_army_to_join" if kind == ARMY else "reason.no_fleet_to_join"
    return phrase(code, place=place)
