"""What a battle starts from: its ground, its sides, their armies and plans. Source: rules 16.2, B1"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.ids import PowerId
from engine.kalevala.battle.course import battle_id
from engine.kalevala.battle.ground import Battlefield, Kf
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, plus
from engine.kalevala.kings.facts import King
from engine.kalevala.war.plans import Plan

NO_KING = King()


class Role(StrEnum):
    """The part of a ruler in a battle, in the order of turns. Source: rules B1"""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Borne:
    """An artefact in an army.

    Args:
        item: as stacks write it.
        points: GP for whoever bears it; `bearer`: the code of that figure; empty: the best fighter.
    """

    item: str
    points: int
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class Army:
    """Figures of one ruler that start in one province.

    Args:
        figures: people, mounts, onagers.
        target: the province that they attack; `None`: they hold theirs.
        craft: those of them with somebody aboard, as the stack writes them.
        weary: animals that are led where they stand, and idle. Source: rules 25.4, ruling KA171
        berths: the waters where craft lie at the start, in their order; of those who swam over, the bank.
        artefacts: those that they bear.
    """

    ruler: PowerId
    province: Province
    figures: Figures
    plan: Plan
    target: Province | None = None
    craft: tuple[str, ...] = ()
    berths: tuple[Kf, ...] = ()
    weary: frozenset[str] = frozenset()
    artefacts: tuple[Borne, ...] = ()

    @property
    def whole(self) -> Figures:
        """The figures, and the craft with everybody and everything aboard."""
        return plus(self.figures, Counter(self.craft))


@dataclass(frozen=True, slots=True)
class Party:
    """A ruler who has figures on the site.

    Args:
        has_plan: has attacked, or planned for a battle: else his figures flee and sally by themselves. B24, B27
        flees, enslaves: as the plans say.
        sallies: whoever of them has no aim makes a sally from the start. Ruling KA295
        has_mortal_wizard: the wizard has lost a duel not long ago. Source: rules 19.6
        king: what is known of the king, who is ill only if it is now.
        exits: the small fields from which figures may step off the site, and the province that they come to.
    """

    ruler: PowerId
    role: Role
    has_plan: bool = False
    flees: bool = False
    enslaves: bool = False
    sallies: bool = False
    has_mortal_wizard: bool = False
    king: King = NO_KING
    exits: Mapping[Kf, Province] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Apparition:
    """A god who comes into a battle. Source: rules 24.5

    Args:
        ruler: whose god he is; `helped`: whom he helps, `against`: the enemy without whom he goes.
        abilities: in the order of rounds; after that he uses the base one.
        rounds: how long he may stay.
    """

    ruler: PowerId
    helped: PowerId
    against: PowerId
    abilities: tuple[str, ...]
    rounds: int
    oeh: int
    level: int


@dataclass(frozen=True, slots=True)
class Calling:
    """A god whom priests of his ruler call, or keep in the battle. Source: rules 20.5

    Args:
        abilities: one for each round for which they call him; after them the base one.
    """

    ruler: PowerId
    abilities: tuple[str, ...]
    oeh: int
    level: int


@dataclass(frozen=True, slots=True)
class HiddenGroup:
    """An agent and those with him, who come out of hiding in a battle of their ruler's. Source: rules 22.3, KA137

    Args:
        army: they themselves, in the province where they hide.
        number: the agent's.
        shows: the round in which they come out; `hides`: that from which they hide again, `leaves`: from which they go
            off the site; 0: never.
        inside: the small field of the building in which they are.
    """

    army: Army
    number: int
    shows: int
    hides: int = 0
    leaves: int = 0
    inside: int | None = None


@dataclass(frozen=True, slots=True)
class BattleSite:
    """A battle that is still to be fought.

    Args:
        place: the lowest province attacked.
        number: which of the battles about that place in this P4 it is.
        parties: in the order of turns.
        armies: in the order of numbering: those of attackers first.
        foes: pairs of rulers who fight each other, both ways.
        opened: the gates that an agent has opened, as courses name them. Ruling KA130
        is_strict: figures that can't be placed where a plan has them are lost. Source: R-042
        gods: who come into it, in seat order of their rulers; `callings`: whom priests call.
        weak_spots: those of gods that lie on the site, by the god's ruler.
        hidden: agents who will come out of hiding.
    """

    place: Province
    provinces: tuple[Province, ...]
    ground: Battlefield
    parties: tuple[Party, ...]
    armies: tuple[Army, ...]
    foes: frozenset[tuple[PowerId, PowerId]]
    opened: frozenset[str] = frozenset()
    is_strict: bool = False
    gods: tuple[Apparition, ...] = ()
    callings: tuple[Calling, ...] = ()
    weak_spots: Mapping[PowerId, Kf] = field(default_factory=dict)
    hidden: tuple[HiddenGroup, ...] = ()
    number: int = 1

    @property
    def id(self) -> str:
        """Names its dice, and the battle in what game masters rule: `2D+5`, the second one there `2D+5(2)`. KA312"""
        return battle_id(self.place, self.number)
