"""A battle while it is fought: the one value that every step works on. It ends as a `BattleCourse`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.core.dice import Streams, Throw
from engine.core.ids import PowerId
from engine.kalevala.battle.course import BattleCourse, Entrant, Incident, Spotted, TurnOfBattle
from engine.kalevala.battle.ground import NOWHERE, Battlefield, Kf
from engine.kalevala.battle.sites import Army, BattleSite, Party
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import kind_of, price_of, without_numbers
from engine.kalevala.tables import SPACE, Group
from engine.kalevala.working import purpose
from engine.lattice.great_fields import Side

ELEPHANTS = ("El", "Mm")
ONAGER = "On"
CIVILIANS = ("K", "Z", "Sl")
"""Who goes out of the enemies' way unless told otherwise. Source: rules B27"""
_HORSE_POINTS = {"IP": 1, "sP": 2}


@dataclass(slots=True, eq=False)
class Formation:
    """A phalanx: four warriors of one kind in one field. Source: rules B8"""

    members: list[Fighter]
    side: Side
    strikes: bool = False
    has_moved: bool = False


@dataclass(slots=True, eq=False)
class Fighter:
    """A figure in a battle: a man on foot, a rider with his horse, an elephant, an onager.

    Args:
        item: as the stack has it, `Pr/23`.
        mount: the horse under a rider.
        carrier: the elephant that bears this one.
        crew: of an onager.
        start: where it stood first.
        group: of the plan; empty: none.
        free: whether its action of the round is still to come.
        last_duel: of an elephant, whom it trampled last.
    """

    number: int
    party: Party
    army: Army
    item: str
    kf: Kf
    mount: str = ""
    group: str = ""
    carrier: Fighter | None = None
    crew: list[Fighter] = field(default_factory=list)
    serves: Fighter | None = None
    formation: Formation | None = None
    start: Kf = NOWHERE
    free: bool = True
    last_duel: int = 0
    is_alive: bool = True
    flees: bool = False

    @property
    def code(self) -> str:
        """The kind of figure."""
        return kind_of(self.item).code

    @property
    def is_warrior(self) -> bool:
        """A warrior, on foot or mounted."""
        return kind_of(self.item).is_warrior

    @property
    def is_bow(self) -> bool:
        """A warrior with a bow."""
        return self.is_warrior and self.item[0] == "B"

    @property
    def is_human(self) -> bool:
        """Anybody who can lose a battle by dying. Source: R-101"""
        kind = kind_of(self.item)
        return kind.group is Group.HUMAN and kind.code != "Sl"

    @property
    def rank(self) -> str:
        """The class; of those who have none, that by which they fight."""
        if self.is_warrior:
            return kind_of(self.item).rank
        return {"Ag": "B", "My": "C", "KrKö": "C"}.get(self.code, "A")

    @property
    def space(self) -> int:
        """The REH it takes. Source: rules B2"""
        if self.carrier is not None:
            return 0
        return SPACE.get(self.code, 1) + (SPACE.get(self.mount, 1) if self.mount else 0)

    @property
    def horse_points(self) -> int:
        """The GP of the horse. Source: rules B7"""
        return _HORSE_POINTS.get(self.mount, 0)

    @property
    def price(self) -> int:
        """RE, with the mount."""
        return price_of(self.item) + (price_of(self.mount) if self.mount else 0)


class Fight:
    """All that a battle works on."""

    def __init__(self, site: BattleSite, dice: Streams) -> None:
        self.site = site
        self.ground: Battlefield = site.ground
        self.dice = dice
        self.round = 0
        self.fighters: list[Fighter] = []
        self.at: list[list[Fighter]] = [[] for _ in self.ground.places]
        self.taken: list[int] = [0] * len(self.ground.places)
        self.foes: dict[PowerId, frozenset[PowerId]] = {
            party.ruler: frozenset(other for one, other in site.foes if one == party.ruler) for party in site.parties
        }
        self.start: tuple[Entrant, ...] = ()
        self.price_at_start: dict[PowerId, int] = {}
        self.dead: list[Fighter] = []
        self.fled: list[tuple[Fighter, Kf]] = []
        self.loose: list[tuple[Kf, PowerId, str, Province]] = []
        """Animals whose riders are dead: where, whose they were, and from which province."""
        self.lost: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        self.gone: Counter[tuple[PowerId, Province, str]] = Counter()
        """The dead by ruler, the province whose stack they came from, and item."""
        self.shot_at: set[PowerId] = set()
        self.was_shot_at: set[PowerId] = set()
        self.sallies: set[PowerId] = set()
        self.last_at: dict[Kf, PowerId] = {}
        """Who was last on the field of a trade centre alone. Source: rules B22"""
        self.held: Counter[tuple[Kf, PowerId]] = Counter()
        """How many rounds in a row, with a warrior."""
        self.rounds: list[tuple[TurnOfBattle, ...]] = []
        self.turns: list[TurnOfBattle] = []
        self.deeds: list[Incident] = []
        self.changes = 0
        """Grows whenever somebody dies or leaves: what was found out about enemies is stale then."""

    # Who is where

    def living(self, ruler: PowerId | None = None) -> Iterator[Fighter]:
        """The living, by number."""
        return (each for each in self.fighters if each.is_alive and (ruler is None or each.party.ruler == ruler))

    def are_foes(self, one: Fighter, other: Fighter) -> bool:
        """Whether they fight each other."""
        return other.party.ruler in self.foes[one.party.ruler]

    def foes_at(self, ruler: PowerId, kf: Kf) -> list[Fighter]:
        """The enemies of a ruler in a field."""
        hostile = self.foes[ruler]
        return [each for each in self.at[kf] if each.party.ruler in hostile]

    def is_barred(self, ruler: PowerId, kf: Kf) -> bool:
        """Whether somebody stands in a field with whom a ruler does not share it: an enemy, but for wizards."""
        hostile = self.foes[ruler]
        return any(each.party.ruler in hostile and each.code != "Z" for each in self.at[kf])

    def room(self, kf: Kf) -> int:
        """The REH left in a field."""
        return self.ground.rooms[kf] - self.taken[kf]

    def is_open(self, kf: Kf) -> bool:
        """Whether one can stand there at all."""
        return kf != NOWHERE and self.ground.provinces[kf] is not None

    def beside(self, kf: Kf) -> Iterator[Kf]:
        """The open neighbours of a field."""
        return (each for each in self.ground.around[kf] if each != NOWHERE and self.ground.provinces[each] is not None)

    def fightable(self, kf: Kf) -> Iterator[Kf]:
        """The fields with which somebody in this one can fight hand to hand: its own, where enemies share it, too."""
        yield kf
        for each in self.beside(kf):
            if self.ground.is_fightable(kf, each):
                yield each

    # What changes

    def put(self, fighter: Fighter, kf: Kf) -> None:
        """Set a figure down."""
        fighter.kf = kf
        self.at[kf].append(fighter)
        self.taken[kf] += fighter.space

    def lift(self, fighter: Fighter) -> None:
        """Take a figure up."""
        self.at[fighter.kf].remove(fighter)
        self.taken[fighter.kf] -= fighter.space

    def move(self, fighter: Fighter, kf: Kf) -> None:
        """Set a figure elsewhere, with whom it bears or who serves it."""
        followers = [each for each in self.at[fighter.kf] if each.carrier is fighter or each.serves is fighter]
        for each in (fighter, *followers):
            self.lift(each)
            self.put(each, kf)

    def fall(self, fighter: Fighter) -> None:
        """A figure dies; of a rider the horse stays, of an elephant its riders on foot. Ruling KA53"""
        self.lift(fighter)
        fighter.is_alive = False
        self.changes += 1
        self.dead.append(fighter)
        self._lose(fighter, fighter.item)
        if fighter.mount:
            self.loose.append((fighter.kf, fighter.party.ruler, fighter.mount, fighter.army.province))
        if fighter.code in ELEPHANTS:
            for rider in self.riders(fighter):
                self.lift(rider)
                rider.carrier = None
                self.put(rider, fighter.kf)
        elif fighter.carrier is not None and not any(
            each.carrier is fighter.carrier for each in self.at[fighter.kf] if each is not fighter
        ):
            self._run_loose(fighter.carrier)
        if fighter.formation is not None:
            for each in fighter.formation.members:
                each.formation = None
        if fighter.serves is not None:
            fighter.serves.crew.remove(fighter)
        for each in fighter.crew:
            each.serves = None

    def riders(self, animal: Fighter) -> list[Fighter]:
        """Who sits on an elephant."""
        return [each for each in self.at[animal.kf] if each.carrier is animal]

    def lose_horse(self, fighter: Fighter) -> None:
        """The mount dies in the rider's stead."""
        self.lift(fighter)
        self._lose(fighter, fighter.mount)
        fighter.mount = ""
        self.put(fighter, fighter.kf)
        self.changes += 1

    def leave(self, fighter: Fighter) -> None:
        """A figure steps off the site."""
        self.fled.append((fighter, fighter.kf))
        self.lift(fighter)
        fighter.is_alive = False
        self.changes += 1
        if fighter.formation is not None:
            for each in fighter.formation.members:
                each.formation = None

    def _lose(self, fighter: Fighter, item: str) -> None:
        self.lost[fighter.party.ruler][without_numbers(item)] += 1
        self.gone[fighter.party.ruler, fighter.army.province, item] += 1

    def _run_loose(self, animal: Fighter) -> None:
        """An elephant without riders belongs to nobody. Source: rules B7"""
        self.lift(animal)
        animal.is_alive = False
        self.changes += 1
        self.loose.append((animal.kf, animal.party.ruler, animal.item, animal.army.province))

    # What is told

    def throw(self, kind: str, who: Fighter | None = None, kf: Kf | None = None) -> Throw:
        """Three dice of the round, of a kind. Source: rules R-130"""
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
        return self.dice.throw(f"battle/{self.site.id}/{self.round}/{kind}", purpose=said)

    def spotted(self, kf: Kf) -> Spotted:
        """A field as courses name it."""
        return Spotted(*self.ground.places[kf])

    def tell(self, kind: str, who: Fighter, *, fallen: Iterable[Fighter] = (), **more: object) -> None:
        """Note a deed of the turn."""
        at = self.spotted(who.kf)
        self.deeds.append(Incident(kind, who.number, at, fallen=tuple(each.number for each in fallen), **more))  # type: ignore[arg-type]

    def close_turn(self, ruler: PowerId | None) -> None:
        """A side has done."""
        if self.deeds or ruler is not None:
            self.turns.append(TurnOfBattle(ruler, tuple(self.deeds)))
        self.deeds = []

    def close_round(self) -> None:
        """All sides have done."""
        self.close_turn(None)
        self.rounds.append(tuple(self.turns))
        self.turns = []

    def price(self, ruler: PowerId) -> int:
        """What the living of a ruler are worth."""
        return sum(each.price for each in self.living(ruler))

    def people(self, ruler: PowerId) -> int:
        """How many of a ruler could still be beaten. Source: R-101"""
        return sum(1 for each in self.living(ruler) if each.is_human and each.code != "Z")

    def course(self, end: str, winner: PowerId | None) -> BattleCourse:
        """What happened."""
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
        )
