"""Who takes part in a battle: figures with what they can do, and artefacts that they bear.

They change while the battle is fought; `fight` says where they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.ids import PowerId
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.kinds import AT_EDGES, CREWS, WAGON, WIZARD
from engine.kalevala.battle.sites import Army, Borne, Party
from engine.kalevala.battle.works import Barrier
from engine.kalevala.figures import Figures, kind_of, number_of, price_of
from engine.kalevala.kings.facts import MOST_LIVES, PRICES, RANKS, is_king, kind_of_king, king_item, lives_of, power_of
from engine.kalevala.planes.facts import MYSTIC, mystic_item
from engine.kalevala.priests.facts import BLESS, FEAR, PRAYER_POINTS, PRIEST, priest_item
from engine.kalevala.sea.craft import HOLDS
from engine.kalevala.tables import FULL_ROOM, SPACE, Group
from engine.kalevala.war.plans import Fire
from engine.kalevala.wizards.spells import (
    ANIMALS,
    INVISIBLE,
    PARALYSE,
    PETRIFY,
    PROTECT,
    STRENGTHEN,
    WEAKEN,
    known_of,
    wizard_item,
    zeh_of,
)
from engine.lattice.great_fields import Side

_HORSE_POINTS = {"IP": 1, "sP": 2}
BARRIER, STEERED, WEAPON = "BARRIER", "STEERED", "WEAPON"
"""What gods do to figures: make them untouchable, lead them astray, or give them a magic weapon. Source: rules 24.1"""
SPELL_POINTS, AMBUSH, BLADE = 3, 2, 2
"""GP that strengthening gives and weakening takes, of an attack out of nowhere, and of a god's weapon. R-053"""


@dataclass(slots=True, eq=False)
class Formation:
    """A phalanx: four warriors of one kind in one field. Source: rules B8"""

    members: list[Fighter]
    side: Side
    strikes: bool = False
    has_moved: bool = False


@dataclass(frozen=True, slots=True)
class Enchantment:
    """A spell in effect: whose it is, and until which round it lasts."""

    caster: PowerId
    until: int


@dataclass(slots=True, eq=False)
class Wizardry:
    """A wizard in a battle: what he has left, and what he has done.

    Args:
        zeh: left to spend.
        known: how many spells of the list he knows.
        is_mortal: he has lost a duel of wizards: no magic, and he can die. Source: rules 19.6
        cast_in: the round of his last spell or challenge.
        done: the lines of his plan that are no longer due.
    """

    zeh: int
    known: int
    is_mortal: bool = False
    cast_in: int = 0
    done: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Crown:
    """A king in a battle. Source: rules 18.7

    Args:
        is_ill: fever holds him; `is_plain`: he has neither palace nor power for it.
        has_shown: his weakness has taken effect.
    """

    lives: int
    power: int
    weakness: str = ""
    is_ill: bool = False
    is_plain: bool = False
    has_shown: bool = False


@dataclass(slots=True, eq=False)
class Devotion:
    """A priest in a battle: the ZEH left to spend, and the round of his last prayer."""

    zeh: int
    prayed_in: int = 0


@dataclass(slots=True, eq=False)
class Fighter:
    """A figure in a battle, such as a man on foot, a rider with his horse, an elephant or an onager.

    Args:
        item: as the stack has it, `Pr/23`.
        mount: the horse under a rider.
        carrier: the elephant or wagon that bears this one.
        facing: of a wagon, the side to which it goes.
        crew: of an onager.
        start: where it stood first.
        group: of the plan; empty: none.
        free: whether its action of the round is still to come.
        last_duel: of an elephant or wagon, whom it trampled last.
        wizardry: of a wizard; `crown`: of a king; `devotion`: of a priest; `store`: of a mystic, his ZEH.
        under: the spells that work on it.
        steps_left: of its move in this round.
        leans: of a ladder that is set, a rope that holds, a siege tower: the edge.
        is_knotted: of a rope, two of them together.
        is_idle: of gear, it is put aside, and of no more use.
        is_done: of a turtle, it has broken what it stood before in this round.
        fire: of an onager, the target that it was ordered.
        climber: who climbed it last in this round, and is not up.
        cargo: of a craft, what else is aboard; `hits`: how often a stone has hit her; `has_sailed`: in this round.
        has_moved: in this round, or its side's last turn; of gear, it was carried.
        takes_room: of gear, it is set down, not in men's hands.
        leaves_in: of a being that a god has called, the round in which it goes; 0: it is a figure like others.
        has_knife: a slave who was freed in this battle, and has no other weapon.
        relic_points: GP of the best artefact that it bears.
    """

    number: int
    party: Party
    army: Army
    item: str
    kf: Kf
    mount: str = ""
    group: str = ""
    carrier: Fighter | None = None
    facing: Side = Side.E
    crew: list[Fighter] = field(default_factory=list)
    serves: Fighter | None = None
    formation: Formation | None = None
    start: Kf = NOWHERE
    free: bool = True
    last_duel: int = 0
    is_alive: bool = True
    flees: bool = False
    wizardry: Wizardry | None = None
    crown: Crown | None = None
    devotion: Devotion | None = None
    store: int | None = None
    under: dict[str, Enchantment] = field(default_factory=dict)
    steps_left: int = 0
    leans: Barrier | None = None
    is_knotted: bool = False
    is_idle: bool = False
    is_done: bool = False
    fire: Fire | None = None
    climber: Fighter | None = None
    cargo: Figures = field(default_factory=dict)
    hits: int = 0
    has_sailed: bool = False
    has_moved: bool = False
    takes_room: bool = True
    has_knife: bool = False
    leaves_in: int = 0
    relic_points: int = 0

    def __post_init__(self) -> None:
        if self.code == WIZARD:
            self.wizardry = Wizardry(zeh_of(self.item), known_of(self.item), self.party.has_mortal_wizard)
        elif is_king(self.item):
            king, lives = self.party.king, min(lives_of(self.item), MOST_LIVES)
            self.crown = Crown(lives, power_of(self.item), king.weakness, is_ill=king.ill > 0, is_plain=king.is_plain)
        elif self.code == PRIEST:
            self.devotion = Devotion(zeh_of(self.item))
        elif self.code == MYSTIC:
            self.store = number_of(self.item)

    @property
    def is_gear(self) -> bool:
        """Whether it is an onager or storming gear."""
        return self.code in CREWS

    @property
    def is_hauled(self) -> bool:
        """Whether it is gear or a wagon, which need ascents and bridges. Source: rules B6"""
        return self.is_gear or self.code == WAGON

    @property
    def is_craft(self) -> bool:
        """Whether it is a raft or a ship, whose crew are figures of their own."""
        return self.code in HOLDS

    @property
    def is_manned(self) -> bool:
        """Whether its crew is complete."""
        return len(self.crew) >= CREWS.get(self.code, 0)

    @property
    def code(self) -> str:
        """The kind of figure."""
        return kind_of(self.item).code

    @property
    def item_now(self) -> str:
        """The item as it would be written now, with the ZEH of a wizard, priest or mystic, or the lives of a king."""
        if self.crown is not None:
            return king_item(kind_of_king(self.item), self.crown.lives, self.crown.power)
        if self.devotion is not None:
            return priest_item(self.devotion.zeh)
        if self.store is not None and self.store != number_of(self.item):
            return mystic_item(self.store)
        return self.item if self.wizardry is None else wizard_item(self.wizardry.zeh, self.wizardry.known)

    @property
    def is_warrior(self) -> bool:
        """Whether it is a warrior, on foot or mounted."""
        return kind_of(self.item).is_warrior

    @property
    def is_bow(self) -> bool:
        """Whether it is a warrior with a bow."""
        return self.is_warrior and self.item[0] == "B"

    @property
    def strikes_with_knife(self) -> bool:
        """Whether it is a warrior who has no axe, lance or sword for fighting hand to hand. Source: rules 16.4, 23.1"""
        return self.has_knife or self.is_bow

    @property
    def is_human(self) -> bool:
        """Whether the figure counts: a side that has none of these left is beaten. Source: R-101"""
        kind = kind_of(self.item)
        return kind.group is Group.HUMAN and kind.code != "Sl"

    @property
    def floats(self) -> bool:
        """Whether it is an immortal wizard, whom nobody can touch and who is in nobody's way. Source: rules B5"""
        return self.wizardry is not None and not self.wizardry.is_mortal

    @property
    def is_held(self) -> bool:
        """Whether it is paralysed or petrified and can neither move nor act. Source: R-053"""
        return PARALYSE in self.under or PETRIFY in self.under

    @property
    def is_unseen(self) -> bool:
        """Whether nothing can be aimed at it. Source: R-053"""
        return INVISIBLE in self.under or PETRIFY in self.under or BARRIER in self.under

    @property
    def is_safe(self) -> bool:
        """Whether it survives whatever happens to it. Source: R-053"""
        return PROTECT in self.under or PETRIFY in self.under or BARRIER in self.under

    @property
    def is_led(self) -> bool:
        """Whether it is an animal that is idle or that a wizard has moved in this round: it doesn't move by itself."""
        return ANIMALS in self.under or self.is_weary

    @property
    def is_weary(self) -> bool:
        """Whether it is an elephant on land where it has to be led: it stands idle, even with riders. Source: rules
        25.4, ruling KA171
        """
        return bool(self.army.weary) and self.code in self.army.weary

    @property
    def spell_points(self) -> int:
        """The GP that spells and prayers add or take away. Source: R-053, R-062"""
        if not self.under:
            return 0
        found = SPELL_POINTS * ((STRENGTHEN in self.under) - (WEAKEN in self.under)) + BLADE * (WEAPON in self.under)
        return found + PRAYER_POINTS * ((BLESS in self.under) - (FEAR in self.under))

    @property
    def rank(self) -> str:
        """The class, or the class as which a figure without one fights."""
        if self.is_warrior:
            return kind_of(self.item).rank
        if self.crown is not None:
            return "C" if self.crown.is_plain else RANKS[self.crown.lives]
        return {"Ag": "B", "My": "C", "DD": "C"}.get(self.code, "A")

    @property
    def space(self) -> int:
        """The room that it takes in REH; an elephant's riders take 1 each besides. Source: rules B2"""
        is_at_edge = self.code in AT_EDGES and not self.takes_room
        is_driven = self.carrier is not None and self.carrier.code == WAGON
        if self.is_idle or self.is_craft or is_at_edge or is_driven:
            return 0
        if self.wizardry is not None:
            return int(self.wizardry.is_mortal)
        if self.code == WAGON:
            return FULL_ROOM
        return SPACE.get(self.code, 1) + (SPACE.get(self.mount, 1) if self.mount else 0)

    @property
    def horse_points(self) -> int:
        """The GP of the horse. Source: rules B7"""
        return _HORSE_POINTS.get(self.mount, 0)

    @property
    def price(self) -> int:
        """Its price in RE, with its mount."""
        if self.crown is not None:
            return PRICES[self.crown.lives]
        return price_of(self.item) + (price_of(self.mount) if self.mount else 0)


@dataclass(slots=True, eq=False)
class Relic:
    """An artefact in a battle.

    Args:
        ruler: whose it is, and `army`: that with which it has come, or of whoever took it here.
        bearer: the figure that bears it; `None`: it lies on the field `kf`.
    """

    borne: Borne
    ruler: PowerId
    army: Army
    bearer: Fighter | None
    kf: Kf = NOWHERE
