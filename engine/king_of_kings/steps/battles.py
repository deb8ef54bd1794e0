"""Phase 8: the land battles, one after the other in order of first assault.

Source: rules 2.3, 6.2, 6.3
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.combat import (
    DESPERATE,
    courage,
    fights_on,
    first_casualties,
    in_line,
    land_chances,
    losses,
    value,
    volley,
)
from engine.king_of_kings.model import Symbol, Tactic, Troop, Units
from engine.king_of_kings.narrative import place, score, tell, tell_volley
from engine.king_of_kings.steps.muster import passengers, room_left, without
from engine.king_of_kings.working import Area, Assault, Stack, Turn, together
from engine.lattice.squares import Cell

MOST_ROUNDS = 200


def fight(turn: Turn) -> None:
    """Fight until no province is under attack. A rehearsal, which has no dice, stops before."""
    while turn.assaults and turn.dice is not None:
        _Battle(turn, turn.dice, turn.assaults.pop(next(iter(turn.assaults)))).fight()


class _Battle:
    """The battle for one province. `lost` has the losses that count for victory points."""

    def __init__(self, turn: Turn, dice: Streams, assault: Assault) -> None:
        self.turn, self.rules, self.assault = turn, turn.rules, assault
        self.area = turn.areas[assault.cell]
        assert self.area.owner is not None, "nobody's provinces are taken without a battle"
        self.attacker, self.defender = assault.attacker, self.area.owner
        self.lost: dict[PowerId, Counter[Symbol]] = {self.attacker: Counter(), self.defender: Counter()}
        stream = f"battle/{turn.grid.name(assault.cell)}"
        purpose = phrase("roll.shot", place=place(turn, assault.cell))
        self.d100: Callable[[], int] = lambda: dice.d100(stream, purpose)

    def fight(self) -> None:
        """Fight it out, and settle the fate of both sides."""
        if self.turn.strength(self.defenders):
            self._open()
            self._fight_rounds()
        else:
            self._tell("walk_over", nation=self.attacker)
            self._conquer()
        for side, other in ((self.attacker, self.defender), (self.defender, self.attacker)):
            points = value(self.rules, self.lost[other]) - value(self.rules, self.lost[side])
            score(self.turn, self.area.cell, side, points)

    @property
    def attackers(self) -> dict[Symbol, int]:
        """What is left of all stacks."""
        return self.assault.units

    @property
    def defenders(self) -> Units:
        """What is left of the owner's units."""
        return self.area.of(self.defender)

    # The battle

    def _open(self) -> None:
        """Choose the tactics; their modifiers apply to the end. Source: rules 2.3; ruling K-35"""
        opening = self.assault.stacks[0]
        attack, defence = opening.tactic, _possible(self.turn, self.area.tactic, self.defenders)
        if any(stack.is_amphibious for stack in self.assault.stacks):
            attack = Tactic.FRONTAL
        attack = _possible(self.turn, attack, self.attackers)
        if opening.is_named and attack != opening.tactic:
            self.turn.remark(self.attacker, opening.line, "W05", ordered=_word(opening.tactic), tactic=_word(attack))
        self.attack_modifier, self.defence_modifier = self.rules.tactics[attack, defence]
        self._tell(
            "land",
            terrain=self.area.terrain.name,
            attacker=self.attacker,
            attackers=self.attackers,
            attack=_word(attack),
            attack_modifier=self.attack_modifier,
            defender=self.defender,
            defenders=dict(self.defenders),
            defence=_word(defence),
            defence_modifier=self.defence_modifier,
        )

    def _fight_rounds(self) -> None:
        """Round after round until one side is gone or leaves; if both want to leave, the attacker does.

        Source: rules 2.4, 6.2; rulings K-04, K-37
        """
        for round_no in range(1, MOST_ROUNDS + 1):
            self._fight_round(round_no)
            attackers, defenders = self.turn.strength(self.attackers), self.turn.strength(self.defenders)
            if not attackers:
                self._hold()
                return
            courage_of_attackers = courage(self.rules, self.attackers, self.attack_modifier)
            if not defenders and courage_of_attackers > DESPERATE:
                self._conquer()
                return
            if not fights_on(courage_of_attackers, attackers, defenders):
                break
            if not fights_on(courage(self.rules, self.defenders, self.defence_modifier), defenders, attackers):
                self._leave()
                self._conquer()
                return
        self._fall_back()

    def _fight_round(self, round_no: int) -> None:
        """The attackers' rolls, then the defenders'; the losses of both are taken away together. Source: rules 6.2"""
        order = self.rules.land_order()
        attackers, defenders = self.attackers, dict(self.defenders)
        attack = volley(
            in_line(order, attackers),
            in_line(order, defenders),
            land_chances(
                self.rules,
                attackers,
                defenders,
                round_no=round_no,
                modifier=self.attack_modifier,
                cap=self.area.terrain.cap,
            ),
            self.d100,
        )
        defence = volley(
            in_line(order, defenders),
            in_line(order, attackers),
            land_chances(self.rules, defenders, attackers, round_no=round_no, modifier=self.defence_modifier, cap=None),
            self.d100,
        )
        tell_volley(self.turn, self.area.cell, round_no, self.attacker, attack)
        tell_volley(self.turn, self.area.cell, round_no, self.defender, defence)
        self._lose_defenders(losses(attack), "killed")
        self._lose_attackers(self.assault.stacks, losses(defence), "killed")
        self._tell("left", round=round_no, attackers=self.attackers, defenders=dict(self.defenders))

    # How it ends

    def _hold(self) -> None:
        """No attacker is left: the owner keeps the province and captures what can't fight of theirs."""
        self._tell("held", nation=self.defender)
        for stack in self.assault.stacks:
            self._despoil(stack)

    def _conquer(self) -> None:
        """The attackers own the province and stay; castles fall, and units that can't fight are captured.

        Source: rules 6.2
        """
        prey = dict(self.defenders)
        self._lose_defenders(prey, "prey")
        self._share_out(prey, self.defender, self.attacker)
        self.turn.seize(self.area, self.attacker)
        for stack in self.assault.stacks:
            _put(self.area, self.attacker, stack.units)
        self._tell("taken", nation=self.attacker, loser=self.defender)

    def _leave(self) -> None:
        """The defenders retreat to the first adjacent province of theirs that is not under attack, or surrender.

        Units that can't walk stay behind. Source: rules 2.4; ruling K-40
        """
        refuge = next((near for near in self.turn.beside(self.area.cell) if self._is_refuge(near)), None)
        walking = self._those(self.defenders, lambda troop: troop.land_move > 0)
        if refuge is None:
            self._surrender_defenders(self._those(walking, lambda troop: troop.is_combat))
        elif walking:
            for symbol, number in walking.items():
                self.area.take(self.defender, symbol, number)
            _put(refuge, self.defender, walking)
            self._tell_retreat(self.defender, walking, refuge)

    def _is_refuge(self, area: Area) -> bool:
        return not area.is_sea and area.owner == self.defender and area.cell not in self.turn.assaults

    def _fall_back(self) -> None:
        """Each stack of the attackers goes back to where it came from, or surrenders. Source: rules 2.4; ruling K-38

        A stack that an ally gave goes with the one that opened the assault.
        """
        self._tell("held", nation=self.defender)
        opening = self.assault.stacks[0]
        landings: defaultdict[Cell, list[Stack]] = defaultdict(list)
        for stack in self.assault.stacks:
            if not self.turn.strength(stack.units):
                self._despoil(stack)
                continue
            refuge = self.turn.areas[(opening if stack.given_by else stack).previous]
            if refuge.is_sea:
                landings[refuge.cell].append(stack)
            elif refuge.owner == self.attacker:
                self._return(stack, refuge)
            else:
                self._surrender([stack], stack.units)
        for cell, stacks in landings.items():
            self._embark(stacks, self.turn.areas[cell])

    def _embark(self, stacks: Sequence[Stack], sea: Area) -> None:
        """Landed units go back to the ships, all at once; those without room are lost as by surrender.

        Source: rulings K-38, K-83
        """
        units = together(stacks)
        afloat = Counter(sea.of(self.attacker)) + Counter(units)
        carried = {troop.symbol for troop in passengers(self.turn, afloat)}
        walking = self._those(units, lambda troop: troop.symbol in carried)
        lost = first_casualties(self.rules, walking, max(0, -room_left(self.turn, afloat)))
        if lost:
            self._surrender(stacks, lost)
        for stack in stacks:
            self._return(stack, sea)

    def _return(self, stack: Stack, refuge: Area) -> None:
        if stack.units:
            _put(refuge, self.attacker, stack.units)
            self._tell_retreat(self.attacker, stack.units, refuge)

    def _surrender_defenders(self, units: Units) -> None:
        if units:
            self._tell("surrendered", nation=self.defender, units=units)
        self._lose_defenders(units, "surrender")

    def _surrender(self, stacks: Sequence[Stack], units: Units) -> None:
        self._tell("surrendered", nation=self.attacker, units=dict(units))
        self._lose_attackers(stacks, dict(units), "surrender")

    def _despoil(self, stack: Stack) -> None:
        """The defender gets what a stack without fighters has brought: ships, like those in a port that falls.

        Source: ruling K-63.
        """
        prey = dict(stack.units)
        self._lose_of(stack, prey, "prey")
        self._share_out(prey, self.attacker, self.defender)

    def _share_out(self, prey: Units, loser: PowerId, winner: PowerId) -> None:
        """With the option `capture` the winner gets units that can't fight; otherwise they are destroyed.

        Source: rules 2.1, 12; ruling K-84.
        """
        captured = self._those(prey, lambda troop: self.turn.options.capture and not troop.is_combat)
        for symbol, number in captured.items():
            self.area.put(winner, symbol, number)
            self.turn.note_units(winner, symbol, number, "capture")
        if captured:
            self._tell("captured", nation=winner, units=captured)
        if destroyed := without(prey, captured):
            self._tell("destroyed", nation=loser, units=destroyed)

    # Losses

    def _lose_defenders(self, units: Units, why: str) -> None:
        for symbol, number in units.items():
            self.area.take(self.defender, symbol, number)
        self._note_losses(self.defender, units, why)

    def _lose_attackers(self, stacks: Sequence[Stack], units: Units, why: str) -> None:
        """Losses hit the stacks in order of arrival. Source: ruling K-39"""
        for symbol, number in units.items():
            left = number
            for stack in stacks:
                here = min(left, stack.units.get(symbol, 0))
                if here:
                    self._lose_of(stack, {symbol: here}, why)
                    left -= here

    def _lose_of(self, stack: Stack, units: Units, why: str) -> None:
        stack.units = without(stack.units, units)
        self._note_losses(self.attacker, units, why)

    def _note_losses(self, nation: PowerId, units: Units, why: str) -> None:
        """All losses count for victory points except fighters that surrender. Source: rules 6.2; ruling K-41"""
        for symbol, number in units.items():
            self.turn.note_units(nation, symbol, -number, why)
            if why != "surrender" or not self.turn.troop(symbol).is_combat:
                self.lost[nation][symbol] += number

    # Reports

    def _those(self, units: Units, which: Callable[[Troop], bool]) -> dict[Symbol, int]:
        return {symbol: number for symbol, number in units.items() if which(self.turn.troop(symbol))}

    def _tell(self, code: str, **args: object) -> None:
        tell(self.turn, code, self.area.cell, **args)

    def _tell_retreat(self, nation: PowerId, units: Units, to: Area) -> None:
        self._tell("retreated", nation=nation, units=dict(units), to=place(self.turn, to.cell))


def _possible(turn: Turn, tactic: Tactic, units: Units) -> Tactic:
    """A pincer attack needs horsemen; without them it is a standard attack. Source: rules 2.3; ruling K-35"""
    if tactic is Tactic.PINCER and not any(turn.troop(symbol).is_pincer for symbol in units):
        return Tactic.STANDARD
    return tactic


def _word(tactic: Tactic) -> Phrase:
    return phrase(f"tactic.{tactic}")


def _put(area: Area, nation: PowerId, units: Units) -> None:
    for symbol, number in units.items():
        area.put(nation, symbol, number)
