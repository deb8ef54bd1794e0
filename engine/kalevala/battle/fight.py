"""A battle while it is fought: the one value that every step works on. It ends as a `BattleCourse`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine.core.dice import Streams, Throw
from engine.core.ids import PowerId
from engine.kalevala.battle.boards import Fields, Paths
from engine.kalevala.battle.course import (
    BattleCourse,
    Entrant,
    Incident,
    Spotted,
    Survival,
    TurnOfBattle,
    WorkSeen,
)
from engine.kalevala.battle.ground import NOWHERE, Battlefield, Kf
from engine.kalevala.battle.sites import Apparition, Army, BattleSite, Borne, Party
from engine.kalevala.battle.works import CROSSING_STANDS, Barrier, Works
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import Figures, kind_of, number_of, price_of, without_numbers
from engine.kalevala.gods.facts import BASE
from engine.kalevala.kings.facts import (
    MOST_LIVES,
    PRICES,
    RANKS,
    is_king,
    kind_of_king,
    king_item,
    lives_of,
    power_of,
)
from engine.kalevala.planes.facts import MYSTIC, mystic_item
from engine.kalevala.priests.facts import BLESS, FEAR, PRAYER_POINTS, PRIEST, priest_item
from engine.kalevala.sea.craft import HOLDS
from engine.kalevala.tables import FULL_ROOM, SPACE, Group
from engine.kalevala.war.plans import Fire, Spot
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
from engine.kalevala.working import purpose
from engine.lattice.great_fields import Side

ELEPHANTS = ("El", "Mm")
WAGON = "QuW"
TRAMPLERS = (*ELEPHANTS, WAGON)
"""Animals and wagons that carry warriors and trample enemies. Source: rules B19"""
ONAGER = "On"
LADDER, ROPE, RAM, TURTLE, SIEGE_TOWER = "Le", "Se", "Wi", "Sk", "Bt"
CREWS = {ONAGER: 2, RAM: 2, TURTLE: 3, SIEGE_TOWER: 3, LADDER: 1, ROPE: 1}
"""The crew of each piece of gear, in warriors. Source: rules B11, B13, ruling KA71"""
STORMING = (LADDER, ROPE, RAM, TURTLE, SIEGE_TOWER)
"""Gear that is brought to the walls."""
ON_SIEGE_TOWER = 2
"""How many of a siege tower's crew of three stand on top. Source: rules 26"""
AT_EDGES = (LADDER, ROPE, RAM)
"""Gear that men carry and that leans on an edge when set; it takes no room once it is on its way. Ruling KA75"""
WIZARD = "Z"
SAILING_SHIP = "SS"
CIVILIANS = ("K", WIZARD, "Sl")
"""Those who keep out of the enemies' way by default. Source: rules B27"""
_NO_TRIPLE = 18
"""Three sixes count for nothing in a battle. Source: rules 19.3"""
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


class WaysOver:
    """Where a step leads from each field, for figures and for gear, and which fields can be struck from it.

    Args:
        back: from where a step of figures leads to each field; gates open from one side.
        fight: the same of blows.
        find_haul: makes the ways of gear, once somebody has any.
    """

    def __init__(self, walk: Paths, back: Paths, fight: Paths, find_haul: Callable[[], Paths]) -> None:
        self.walk = walk
        self.back = back
        self.fight = fight
        self._find_haul = find_haul

    @cached_property
    def haul(self) -> Paths:
        """The ways of gear."""
        return self._find_haul()


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


@dataclass(slots=True)
class Present:
    """A god in a battle.

    Args:
        done: the abilities that he has used, one in each round that he has spent there.
        called: for how many rounds priests have called him; `called_for`: the ability they called him for in this one.
        lost: OEH that he has lost there, and `won`.
        is_gone: he has gone home.
    """

    coming: Apparition
    done: list[str] = field(default_factory=list)
    called: int = 0
    called_for: str = ""
    lost: int = 0
    won: int = 0
    is_gone: bool = False

    @property
    def used(self) -> int:
        """The number of rounds that he has spent there."""
        return len(self.done)

    @property
    def due(self) -> str:
        """His ability for this round: the one he was called for, else the next one ordered, else the base one."""
        ordered = self.coming.abilities
        return self.called_for or (ordered[self.used] if self.used < len(ordered) else BASE)

    @property
    def is_over(self) -> bool:
        """Whether he has stayed all the rounds for which he came or was called."""
        return self.used >= self.coming.rounds + self.called


class Fight:
    """Everything that a battle works on."""

    def __init__(self, site: BattleSite, dice: Streams) -> None:
        self.site = site
        self.ground: Battlefield = site.ground
        self.dice = dice
        self.works = Works(site.ground)
        self.round = 0
        self.gods = [Present(each) for each in site.gods]
        self.callings = {each.ruler: each for each in site.callings}
        self.heard: dict[PowerId, bool] = {}
        """Whose priests have called a god, and whether he has come."""
        self.weak_spots = dict(site.weak_spots)
        self.spots_taken: dict[PowerId, PowerId] = {}
        """Whose god has lost his weak spot here, and to whom."""
        self.relics: list[Relic] = []
        self.fighters: list[Fighter] = []
        self.kings: list[Fighter] = []
        self.at: list[list[Fighter]] = [[] for _ in self.ground.places]
        self.taken: list[int] = [0] * len(self.ground.places)
        self.foes: dict[PowerId, frozenset[PowerId]] = {
            party.ruler: frozenset(other for one, other in site.foes if one == party.ruler) for party in site.parties
        }
        self.start: tuple[Entrant, ...] = ()
        self.emerged: list[Entrant] = []
        self.groups: dict[tuple[PowerId, int], list[Fighter]] = {}
        """Who has come out of hiding, by the agent's ruler and number."""
        self.hid: list[Fighter] = []
        self.price_at_start: dict[PowerId, int] = {}
        self.dead: list[Fighter] = []
        self.fled: list[tuple[Fighter, Kf]] = []
        self.loose: list[tuple[Kf, PowerId, str, Province]] = []
        """Animals whose riders are dead: where, whose they were, and from which province."""
        self.lost: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        self.misplaced: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        self.gone: Counter[tuple[PowerId, Province, str]] = Counter()
        """The dead by ruler, the province whose stack they came from, and item."""
        self.won: Counter[tuple[PowerId, Province, str]] = Counter()
        """Figures that have come over to a ruler, by the province whose stack they belong to now, and item."""
        self.shot_at: set[PowerId] = set()
        self.was_shot_at: set[PowerId] = set()
        self.sallies: set[PowerId] = set()
        self.last_at: dict[Kf, PowerId] = {}
        """Who was last alone on the field of a trade centre. Source: rules B22"""
        self.held: Counter[tuple[Kf, PowerId]] = Counter()
        """How many rounds in a row, with a warrior."""
        self.rounds: list[tuple[TurnOfBattle, ...]] = []
        self.turns: list[TurnOfBattle] = []
        self.deeds: list[Incident] = []
        self._sorts: list[Sequence[Fighter] | None] = [None] * len(self.ground.places)
        self._roomy: dict[int, Fields] = {}
        self._ways_over: dict[object, WaysOver] = {}
        self.loopholes: set[tuple[Kf, Side]] = set()
        """Those from which somebody has shot in this round. Source: rules B15"""
        self.changes = 0
        """Grows whenever somebody dies or leaves, or a spell works: what was cached about enemies is then out of
        date."""
        self.rivers = set(self.ground.rivers)
        """Pairs of fields that a river parts."""
        self.ascents = set(self.ground.ascents)
        """Those between whose levels gear can be moved: known ones, and what was found in this battle."""
        self.searched: set[Kf] = set()
        """The fields at which an ascent was looked for in this round."""
        self.floods: set[tuple[Kf, Kf]] = set()
        self.mires: dict[Kf, int] = {}
        """Fields that a god has made a swamp, and up to which round they are one."""
        """Those between which nobody can cross."""
        self.wind: tuple[Side, int] | None = None
        """Where it blows to, and how strong; `None`: nobody has asked yet."""
        self.adrift: list[Fighter] = []
        """Craft whose crews are dead."""
        self.told_adrift: list[Fighter] = []
        self.prayed: set[tuple[PowerId, Province, int]] = set()
        """Lines of prayers that are not due any more, by the province of their plan."""
        self.absent_triples: Counter[PowerId] = Counter()
        """Triples of warriors whose wizard is elsewhere. Source: rules 19.3"""
        self.on_triple: Callable[[Fighter], None] = self._note_triple
        self._triples: list[Fighter] = []
        self._tests: list[Survival] = []
        self.stored: defaultdict[tuple[Province, PowerId], Counter[str]] = defaultdict(Counter)
        """Gear without a crew, by owner and place: it lies at the trade centre."""
        self.wrecked: Counter[tuple[int, str]] = Counter()
        """How much gear DESTROY lines have cost by now. Source: rules B21"""
        self._notes: list[Incident] = []
        """What has resulted from the deed that is reported next."""
        self.masters: dict[Kf, PowerId] = {}
        """Whose the field of each trade centre is, or was before anybody took it."""

    # Who is where

    def living(self, ruler: PowerId | None = None) -> Iterator[Fighter]:
        """The living, by number."""
        return (each for each in self.fighters if each.is_alive and (ruler is None or each.party.ruler == ruler))

    def are_foes(self, one: Fighter, other: Fighter) -> bool:
        """Whether two rulers fight each other."""
        return other.party.ruler in self.foes[one.party.ruler]

    def foes_at(self, ruler: PowerId, kf: Kf) -> list[Fighter]:
        """The enemies of a ruler in a field."""
        hostile = self.foes[ruler]
        return [each for each in self.at[kf] if each.party.ruler in hostile]

    def is_barred(self, ruler: PowerId, kf: Kf) -> bool:
        """Whether a ruler's figures can't enter a field because an enemy other than a wizard stands there."""
        hostile = self.foes[ruler]
        return any(each.party.ruler in hostile and not each.floats for each in self.at[kf])

    def room(self, kf: Kf) -> int:
        """The REH left in a field."""
        return self.ground.rooms[kf] - self.taken[kf]

    def with_room(self, needed: int) -> Fields:
        """The fields with at least this many REH left."""
        found = self._roomy.get(needed)
        if found is None:
            roomy = (kf for kf in range(len(self.taken)) if self.room(kf) >= needed)
            found = self._roomy[needed] = self.ground.board.of(roomy)
        return found

    def sorts(self, kf: Kf) -> Sequence[Fighter]:
        """One figure of each sort in a field: of those that are alike for an attacker, the lowest number."""
        found = self._sorts[kf]
        if found is None:
            first: dict[object, Fighter] = {}
            for each in sorted(self.at[kf], key=lambda each: each.number):
                is_single = each.code in TRAMPLERS or bool(each.under) or each.relic_points > 0
                arms = each.item, each.mount, each.has_knife
                key = each.party.ruler, arms, each.carrier is None, each.formation, is_single and each
                first.setdefault(key, each)
            found = self._sorts[kf] = tuple(first.values())
        return found

    def ways_over(self, ruler: PowerId) -> WaysOver:
        """The ways of a ruler's figures from field to field, given the rivers and the works as they stand now."""
        state = self.works.state(self, ruler) if self.works else None
        key = frozenset(self.rivers), frozenset(self.floods), len(self.ascents), state
        found = self._ways_over.get(key)
        if found is None:
            walk = Paths(self.ground, lambda kf: (each for each in self.beside(kf) if self._leads(ruler, kf, each)))
            back = walk
            if self.works:
                back = Paths(self.ground, lambda kf: (each for each in self.beside(kf) if self._leads(ruler, each, kf)))
            found = self._ways_over[key] = WaysOver(
                walk,
                back,
                Paths(self.ground, lambda kf: (each for each in self.fightable(kf) if each != kf)),
                lambda: Paths(
                    self.ground, lambda kf: (each for each in self.beside(kf) if self.can_haul(ruler, kf, each))
                ),
            )
        return found

    def _leads(self, ruler: PowerId, one: Kf, other: Kf) -> bool:
        return self.can_step(one, other) and not self.works.is_barred(self, ruler, one, other)

    def can_step(self, one: Kf, other: Kf) -> bool:
        """Whether figures can step from a field to its neighbour. Source: rules B6"""
        is_wet = other in self.ground.waters or (one, other) in self.floods
        return not is_wet and self.ground.is_climbable(one, other)

    def can_haul(self, ruler: PowerId, one: Kf, other: Kf) -> bool:
        """Whether gear can be moved to a neighbouring field: up a level only by an ascent, never over a river or into a
        building. Rules B5, B6, B15
        """
        if one in self.works.at or other in self.works.at or self.works.is_barred(self, ruler, one, other):
            return False
        is_level = self.ground.levels[one] == self.ground.levels[other] or (one, other) in self.ascents
        return is_level and self.can_step(one, other) and (one, other) not in self.rivers

    def is_open(self, kf: Kf) -> bool:
        """Whether figures can stand in a field at all."""
        if kf == NOWHERE or self.works.crossings.get(kf, 0) >= CROSSING_STANDS:
            return False
        return self.ground.provinces[kf] is not None and kf not in self.ground.waters

    def beside(self, kf: Kf) -> Iterator[Kf]:
        """The open neighbours of a field, including storeys above and below it."""
        for each in self.ground.around[kf]:
            if each != NOWHERE and self.ground.provinces[each] is not None:
                yield each
        yield from self.ground.stairs.get(kf, ()) if kf in self.works.at else ()

    def fightable(self, kf: Kf) -> Iterator[Kf]:
        """The fields that somebody in this one can fight hand to hand; its own too, if enemies share it."""
        yield kf
        for each in self.beside(kf):
            is_closed = (kf, each) in self.rivers or self.works.is_closed(kf, each)
            if self.ground.is_climbable(kf, each) and not is_closed:
                yield each

    def in_contact(self, kf: Kf, ruler: PowerId) -> bool:
        """Whether enemies of a ruler stand where they could fight whoever is in a field."""
        return any(not each.floats for other in self.fightable(kf) for each in self.foes_at(ruler, other))

    def height(self, kf: Kf) -> int:
        """The height that a shot has to clear there: of the ground, or of a building that still stands."""
        return self.ground.heights[kf] if kf in self.works.at else self.ground.levels[kf]

    def field_meant(self, fighter: Fighter, spot: Spot) -> GfId:
        """The great field that a line of a plan is about: the one it names, or else the one attacked. Source: R-121"""
        if spot.gf is not None:
            return gf_of(spot.gf)
        army = fighter.army
        if army.target is not None:
            return gf_of(army.target)
        threats = [other.province for other in self.site.armies if other.target == army.province]
        return gf_of(min(threats, key=order_of, default=army.province))

    # What changes

    def put(self, fighter: Fighter, kf: Kf) -> None:
        """Put a figure on its field."""
        fighter.kf = kf
        self.at[kf].append(fighter)
        self.taken[kf] += fighter.space
        self._has_changed(kf)
        self.changes += fighter.crown is not None  # those near him fight better

    def lift(self, fighter: Fighter) -> None:
        """Take a figure off its field."""
        self.at[fighter.kf].remove(fighter)
        self.taken[fighter.kf] -= fighter.space
        self._has_changed(fighter.kf)

    def join(self, formation: Formation) -> None:
        """Make the members of a phalanx stand in close order."""
        for each in formation.members:
            each.formation = formation
            self._sorts[each.kf] = None

    def dissolve(self, formation: Formation) -> None:
        """Turn the members of a phalanx back into ordinary warriors."""
        for each in formation.members:
            each.formation = None
            self._sorts[each.kf] = None

    def has_enchanted(self) -> None:
        """Note that a spell has taken effect on some fields."""
        self.changes += 1
        self._sorts = [None] * len(self.ground.places)

    def _has_changed(self, kf: Kf) -> None:
        """Forget what was worked out about a field."""
        self._sorts[kf] = None
        bit, room = self.ground.board.bits[kf], self.room(kf)
        for needed, fields in self._roomy.items():
            self._roomy[needed] = fields | bit if room >= needed else fields & ~bit

    def move(self, fighter: Fighter, kf: Kf) -> None:
        """Move a figure, with whoever it bears or whoever serves it."""
        followers = [each for each in self.at[fighter.kf] if each.carrier is fighter or each.serves is fighter]
        for each in (fighter, *followers):
            self.lift(each)
            self.put(each, kf)

    def fall(self, fighter: Fighter) -> None:
        """Let a figure die; a rider's horse stays, and riders of an elephant or wagon stay on foot. Ruling KA63"""
        self.lift(fighter)
        fighter.is_alive = False
        self.changes += 1
        self.dead.append(fighter)
        is_booked_first = fighter.devotion is not None or fighter.store is not None
        if not fighter.leaves_in:
            self._lose(fighter, fighter.item_now if is_booked_first else fighter.item)
        if fighter.mount and not fighter.leaves_in:
            self.loose.append((fighter.kf, fighter.party.ruler, fighter.mount, fighter.army.province))
        if fighter.code in TRAMPLERS:
            for rider in self.riders(fighter):
                self.lift(rider)
                rider.carrier = None
                self.put(rider, fighter.kf)
        elif fighter.carrier is not None and not any(
            each.carrier is fighter.carrier for each in self.at[fighter.kf] if each is not fighter
        ):
            self.run_loose(fighter.carrier)
        self.break_ranks(fighter)
        served = fighter.serves
        if served is not None:
            served.crew.remove(fighter)
            fighter.serves = None
        for each in fighter.crew:
            each.serves = None
        fighter.crew, fighter.leans = [], None
        if served is not None and served.is_craft and served.is_alive and not served.crew:
            self._set_adrift(served)

    def _set_adrift(self, craft: Fighter) -> None:
        """Set a craft adrift whose crew is dead: she takes no further part in the battle. Source: rules B22"""
        if any(each.party is craft.party and each is not craft for each in self.at[craft.kf]):
            return
        self.lift(craft)
        craft.is_alive = False
        self.changes += 1
        self.adrift.append(craft)

    def lose_cargo(self, craft: Fighter) -> None:
        """Lose what a sinking craft carried."""
        for item, count in craft.cargo.items():
            self.lost[craft.party.ruler][without_numbers(item)] += count
            self.gone[craft.party.ruler, craft.army.province, item] += count

    def riders(self, animal: Fighter) -> list[Fighter]:
        """The riders of an elephant or wagon."""
        return [each for each in self.at[animal.kf] if each.carrier is animal]

    def lose_horse(self, fighter: Fighter) -> None:
        """Let the mount die in its rider's stead."""
        self.lift(fighter)
        if not fighter.leaves_in:
            self._lose(fighter, fighter.mount)
        fighter.mount = ""
        self.put(fighter, fighter.kf)
        self.changes += 1

    def change_sides(self, slave: Fighter, party: Party, army: Army, item: str) -> None:
        """Give a slave whom nobody guards to another ruler, as a slave or as a warrior."""
        self.lift(slave)
        self._lose(slave, slave.item)
        slave.party, slave.army, slave.item = party, army, item
        slave.group, slave.has_knife = "", slave.is_warrior
        self.won[party.ruler, army.province, item] += 1
        self.put(slave, slave.kf)
        self.changes += 1

    def run_away(self, slave: Fighter) -> None:
        """Let a slave whom nobody guards run away."""
        self.lift(slave)
        slave.is_alive = False
        self._lose(slave, slave.item)
        self.changes += 1

    def leave(self, fighter: Fighter) -> None:
        """Let a figure step off the site."""
        self.fled.append((fighter, fighter.kf))
        self.vanish(fighter)

    def hide(self, fighter: Fighter) -> None:
        """Hide a figure where it is: it takes no further part in the battle."""
        self.hid.append(fighter)
        self.vanish(fighter)

    def vanish(self, fighter: Fighter) -> None:
        """Remove a figure from the battle."""
        self.lift(fighter)
        fighter.is_alive = False
        self.changes += 1
        self.break_ranks(fighter)

    def break_ranks(self, fighter: Fighter) -> None:
        """Dissolve the phalanx of a figure. Source: rules B8"""
        if fighter.formation is not None:
            self.dissolve(fighter.formation)

    def make_mortal(self, wizard: Fighter) -> None:
        """Make a wizard mortal who has lost a duel of wizards. Source: rules 19.6"""
        assert wizard.wizardry is not None, "a wizard"
        self.lift(wizard)
        wizard.wizardry.is_mortal = True
        self.put(wizard, wizard.kf)
        self.changes += 1

    def misplace(self, army: Army, item: str, count: int) -> None:
        """Lose figures before the battle because they can't stand where their plan puts them. Source: R-042"""
        self.misplaced[army.ruler][without_numbers(item)] += count
        self.lost[army.ruler][without_numbers(item)] += count
        self.gone[army.ruler, army.province, item] += count

    def lose_stored(self, army: Army, item: str) -> None:
        """Destroy a piece of gear that nobody serves."""
        self.lost[army.ruler][item] += 1
        self.gone[army.ruler, army.province, item] += 1

    def _lose(self, fighter: Fighter, item: str) -> None:
        self.lost[fighter.party.ruler][without_numbers(item)] += 1
        self.gone[fighter.party.ruler, fighter.army.province, item] += 1

    def run_loose(self, animal: Fighter) -> None:
        """Let an elephant or wagon without riders go: it belongs to nobody. Source: rules B7"""
        self.lift(animal)
        animal.is_alive = False
        self.changes += 1
        self.loose.append((animal.kf, animal.party.ruler, animal.item, animal.army.province))

    # Reports

    def throw(self, kind: str, who: Fighter | None = None, kf: Kf | None = None, *, is_own: bool = True) -> Throw:
        """Roll three dice of one kind in this round. Source: rules R-130

        Args:
            is_own: the figure's, and not its mount's.
        """
        where = kf if kf is not None else who.kf if who is not None else 0
        code = f"battle_{kind}" if who is not None else f"battle_{kind}_field"
        said = purpose(
            code,
            kr=self.round,
            ruler="" if who is None else who.party.ruler,
            item="" if who is None else without_numbers(who.item),
            number=0 if who is None else who.number,
            place=self.ground.named(where),
        )
        thrown = self.dice.throw(f"battle/{self.site.id}/{self.round}/{kind}", purpose=said)
        if thrown.is_triple and thrown.total < _NO_TRIPLE and is_own and who is not None and who.is_warrior:
            self._triples.append(who)
        return thrown

    def settle_triples(self) -> None:
        """Carry out what warriors' triples bring, once the deed in which they were rolled is over."""
        while self._triples:
            self.on_triple(self._triples.pop(0))

    def _note_triple(self, fighter: Fighter) -> None:
        self.absent_triples[fighter.party.ruler] += 1

    def survives(self, fighter: Fighter, item: str, needed: int) -> bool:
        """Roll whether a figure or its horse survives; the next deed that is reported tells the dice. Source: rules
        B10
        """
        total = self.throw("survive", fighter, is_own=item == fighter.item).total
        self._tests.append(Survival(fighter.number, without_numbers(item), total, needed))
        return total >= needed

    def spotted(self, kf: Kf) -> Spotted:
        """A field as battle courses name it."""
        return Spotted(*self.ground.places[kf], self.floor(kf))

    def floor(self, kf: Kf) -> int:
        """The storey of a place, or -1 on open ground."""
        hold = self.works.at.get(kf)
        return -1 if hold is None else hold.building.floors.index(kf)

    def tell(self, kind: str, who: Fighter, *, fallen: Iterable[Fighter] = (), **more: object) -> None:
        """Record a deed of the turn."""
        at = self.spotted(who.kf)
        dead, tests = tuple(each.number for each in fallen), tuple(self._tests)
        self._tests.clear()
        self.deeds.append(Incident(kind, who.number, at, fallen=dead, tests=tests, **more))  # type: ignore[arg-type]
        if self._notes:
            self.deeds += self._notes
            self._notes.clear()

    def note(self, kind: str, who: Fighter, *, points: tuple[int, ...]) -> None:
        """Record the result of a deed that is about to be reported."""
        self._notes.append(Incident(kind, who.number, self.spotted(who.kf), points=points))

    def close_turn(self, ruler: PowerId | None) -> None:
        """End the turn of a side."""
        if self.deeds or ruler is not None:
            self.turns.append(TurnOfBattle(ruler, tuple(self.deeds)))
        self.deeds = []

    def close_round(self) -> None:
        """End the round."""
        self.close_turn(None)
        self.rounds.append(tuple(self.turns))
        self.turns = []

    def price(self, ruler: PowerId) -> int:
        """The price of a ruler's living figures."""
        return sum(each.price for each in self.living(ruler) if not each.leaves_in)

    def people(self, ruler: PowerId) -> int:
        """The number of a ruler's living figures that count. Source: R-101"""
        own = (each for each in self.living(ruler) if not each.leaves_in)
        return sum(1 for each in own if each.is_human and each.code != WIZARD)

    def entrant(self, fighter: Fighter) -> Entrant:
        """A figure as battle courses describe it, where it stands now."""
        item, carrier = without_numbers(fighter.item), fighter.carrier
        at, bearer = self.spotted(fighter.kf), 0 if carrier is None else carrier.number
        return Entrant(fighter.number, fighter.party.ruler, item, fighter.mount, at, bearer)

    def course(self, end: str, winner: PowerId | None) -> BattleCourse:
        """The course of the battle so far."""
        roles: dict[str, list[PowerId]] = {}
        for party in self.site.parties:
            roles.setdefault(str(party.role), []).append(party.ruler)
        return BattleCourse(
            id=self.site.id,
            provinces=self.site.provinces,
            sides=tuple(map(tuple, roles.values())),
            start=self.start,
            rounds=tuple(self.rounds),
            end=end,
            winner=winner,
            standing={each.number: self.spotted(each.kf) for each in self.living()},
            lost={ruler: dict(self.lost[ruler]) for ruler in self.foes if self.lost[ruler]},
            works=tuple(self._works_seen()),
            misplaced={ruler: dict(items) for ruler, items in self.misplaced.items()},
            emerged=tuple(self.emerged),
        )

    def _works_seen(self) -> Iterator[WorkSeen]:
        for each in self.ground.buildings:
            gates = tuple(sorted(side.name for side in each.gates))
            yield WorkSeen(each.type, Spotted(*each.place), "", gates, each.hits, each.has_platform)
        for kf, hits in self.ground.crossings.items():
            yield WorkSeen("BR", Spotted(*self.ground.places[kf]), hits=hits, has_platform=False)
        for wall in self.ground.walls:
            gf, edge = wall.name
            yield WorkSeen("Ma", Spotted(gf, edge.cell), str(edge), hits=wall.hits)

    def edge(self, barrier: Barrier) -> str:
        """An edge as battle courses name it: `2D+5:19/SE`."""
        side = self.ground.side(barrier.inner, barrier.outer)
        gf, cell = self.ground.places[barrier.inner]
        return f"{gf}:{cell}/{side.name if side is not None else ''}"

    def hold_name(self, kf: Kf) -> str:
        """A building as battle courses name it: `2D+5:19`."""
        gf, cell = self.ground.places[kf]
        return f"{gf}:{cell}"
