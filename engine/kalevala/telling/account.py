"""A battle as players read it: round by round who stood where, who struck whom, who fell or fled, and how it ended.

It is made from the course of the battle, and used only for texts and pictures. Source: rules 34
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.ids import PowerId
from engine.kalevala.battle.course import CONQUEST, MELEE, Spotted, WorkSeen
from engine.kalevala.coordinates import GfId, Province


@dataclass(frozen=True, slots=True)
class Stand:
    """What a ruler has on a cell at one moment.

    Args:
        figures: a figures text: `3L 1B`.
        is_phalanx: whether four of them stand in close order.
        storey: `P` on the platform of a building, `I` inside; empty: on open ground.
    """

    ruler: PowerId
    at: Spotted
    figures: str
    is_phalanx: bool = False
    storey: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A duel or a shot.

    Args:
        how: `MELEE`, `SHOT`, `TRAMPLE` or `ONAGER`.
        item, target: the figures, as in a figures text: `L`, `LB`.
        start, end: where they stand.
        dice: sums of the attacker, then of the defender; a shot has one. `points`: what was added to them, or how much
            a shot needed.
        killed: who fell of it, by ruler, as figures texts: not always the target, since the strongest man with a king
            falls instead of him, and one stone may kill several.
        lost: who fell of the attacker's own.
    """

    how: str
    ruler: PowerId
    item: str
    start: Spotted
    foe: PowerId
    target: str
    end: Spotted
    dice: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    killed: tuple[tuple[PowerId, str], ...] = ()
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Feat:
    """What was done at works in a round: a wall that fell, a gate, a ladder, pitch, hunger.

    Args:
        what: as a course has it; `ONAGER` for a stone at a building or wall.
        ruler: who did it; for hunger, who starves.
        at: the great field; `place`: the field of a building, or the edge, in it: `19`, `19/SE`.
        dice: the rolls, if there were any; `needed`: what was needed.
        to: for a gate, `opened` or `shut`.
        fallen: who died of it.
        watch: for a siege and for hunger, who guards the gates, by ruler.
    """

    what: str
    ruler: PowerId
    item: str
    at: GfId
    place: str
    dice: tuple[int, ...] = ()
    needed: int = 0
    to: str = ""
    fallen: str = ""
    watch: tuple[tuple[PowerId, str], ...] = ()

    @property
    def has_worked(self) -> bool:
        """Whether the roll was enough; a feat that needs no roll works."""
        return all(total >= self.needed for total in self.dice)


@dataclass(frozen=True, slots=True)
class Check:
    """Dice for dangerous land, or for somebody's survival.

    Args:
        item: whose survival; empty: the land of that cell.
        needed: what was needed; `is_passed`: whether it was reached.
    """

    ruler: PowerId
    item: str
    at: Spotted
    total: int
    needed: int

    @property
    def is_passed(self) -> bool:
        """Whether it was enough."""
        return self.total >= self.needed


@dataclass(frozen=True, slots=True)
class Loss:
    """Figures that a ruler lost on a cell in a round; `why`: in a duel, by an arrow, by the land itself and so on."""

    ruler: PowerId
    at: Spotted
    figures: str
    why: str = MELEE


@dataclass(frozen=True, slots=True)
class Climb:
    """Figures that came from open ground into a building in a round.

    Args:
        at: its field; `storey`: as of a `Stand`.
    """

    ruler: PowerId
    at: Spotted
    figures: str
    storey: str


@dataclass(frozen=True, slots=True)
class Escape:
    """Figures that fled in a round: from the cell where they were last seen, into a province."""

    ruler: PowerId
    at: Spotted
    figures: str
    to: Province


@dataclass(frozen=True, slots=True)
class Emergence:
    """An agent and his companions who came out of hiding, or hid again.

    Args:
        is_being: it is a being that a god had called, and that is gone now.
    """

    ruler: PowerId
    at: Spotted
    figures: str
    is_out: bool
    is_being: bool = False


@dataclass(frozen=True, slots=True)
class Freeing:
    """Slaves of a ruler whom nobody guarded any more.

    Args:
        how: `JOINED`, `ENSLAVED` or `RAN`, as of a course.
        by: who freed them; `None`: nobody was there who could.
    """

    ruler: PowerId
    at: GfId
    count: int
    how: str
    by: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Conjuring:
    """What a wizard or priest did, or what warriors' triples brought.

    Args:
        how: `SPELL`, `COUNTER`, `CHALLENGE` or `TRIPLE`; `PRAYER` and `DEFIED` of priests; `WARDED` of mystics; of gods
            `GOD`, `GODS_FIGHT` (`foe`: the other god's), `GOD_LEAVES` and `GOD_CALLED` (`spell`: the result);
            `ruler` took the `WEAK_SPOT` of `foe`'s god, or an `ARTEFACT` that was `foe`'s.
        foe: whose figures a spell was cast on, whose spell was countered, or who was challenged.
        spell: its name; `figures`: on whom it was cast; `at`: the first field.
        zeh: what it cost; for triples, what they brought.
        dice: for a counterspell the caster's, then the other's; for a challenge in turn, the challenged wizard's first.
        has_worked: the spell was not broken, the prayer was heard, the counterspell broke it, the challenge was won.
    """

    how: str
    ruler: PowerId
    foe: PowerId
    at: Spotted
    spell: str = ""
    figures: str = ""
    zeh: int = 0
    dice: tuple[int, ...] = ()
    has_worked: bool = True


@dataclass(frozen=True, slots=True)
class AccountRound:
    """One round.

    Args:
        number: from 1.
        stands: where everybody is, whether alive or fallen in this round.
        feats: what was done at works, in order; `climbs`: who got into buildings.
        rolled: strokes and other dice, in the order rolled.
        wounds: kings who lost a life, and how many they have left.
        freed: slaves whom nobody guards.
        hidden: those who came out of hiding or hid again.
        taken: fields whose trade centre has changed hands, with whoever has a warrior on it at the end of the round.
    """

    number: int
    stands: tuple[Stand, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    losses: tuple[Loss, ...] = ()
    escapes: tuple[Escape, ...] = ()
    taken: tuple[tuple[GfId, PowerId], ...] = ()
    rolled: tuple[Stroke | Check, ...] = ()
    magic: tuple[Conjuring, ...] = ()
    feats: tuple[Feat, ...] = ()
    climbs: tuple[Climb, ...] = ()
    wounds: tuple[tuple[PowerId, int], ...] = ()
    freed: tuple[Freeing, ...] = ()
    hidden: tuple[Emergence, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleAccount:
    """A battle from its beginning to its end.

    Args:
        id: the lowest attacked field; `2D+5(2)` is the second battle about it in a P4.
        gf: the fields of the site.
        sides: rulers who fight together: the attackers', the defender's with his guests, then others.
        start, end: where everybody is before the first round and after the last.
        why: how it ended: `CONQUEST`, `TWELVE` or `FLIGHT`.
        works: buildings and walls as they stood before.
        winner: who holds the site; `None`: no single side does.
        misplaced: figures that were lost before it began.
    """

    id: str
    gf: tuple[GfId, ...]
    sides: tuple[tuple[PowerId, ...], ...]
    start: tuple[Stand, ...] = ()
    rounds: tuple[AccountRound, ...] = ()
    end: tuple[Stand, ...] = ()
    why: str = CONQUEST
    winner: PowerId | None = None
    works: tuple[WorkSeen, ...] = ()
    misplaced: Mapping[PowerId, str] = field(default_factory=dict)

    @property
    def camps(self) -> tuple[tuple[PowerId, ...], ...]:
        """Rulers who fought for the same end: the sides, but each attacker alone where attackers fought each other."""
        blows = {(each.ruler, each.foe) for one in self.rounds for each in one.strokes if each.ruler != each.foe}
        sides = [side for side in self.sides if side]
        camps: list[tuple[PowerId, ...]] = []
        for side in sides:
            are_rivals = len(sides) == 1 or any({*pair} <= {*side} for pair in blows)
            camps += [(ruler,) for ruler in side] if are_rivals else [side]
        return tuple(camps)

    @property
    def rulers(self) -> tuple[PowerId, ...]:
        """All rulers who took part."""
        return tuple(ruler for side in self.sides for ruler in side)
