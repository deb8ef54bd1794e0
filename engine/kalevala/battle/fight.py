"""A battle while it is fought: the one value that every step works on. It ends as a `BattleCourse`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.core.dice import Streams, Throw
from engine.core.ids import PowerId
from engine.kalevala.battle.boards import Fields, Paths, WaysOver
from engine.kalevala.battle.centres import Tenure
from engine.kalevala.battle.course import Survival
from engine.kalevala.battle.fighters import Fighter, Formation, Relic
from engine.kalevala.battle.gods import Gods
from engine.kalevala.battle.ground import Battlefield, Kf
from engine.kalevala.battle.kinds import TRAMPLERS, WIZARD
from engine.kalevala.battle.land import BattleLand
from engine.kalevala.battle.losses import Losses
from engine.kalevala.battle.record import Record
from engine.kalevala.battle.sites import Army, BattleSite, Party
from engine.kalevala.battle.weak_spots import WeakSpots
from engine.kalevala.battle.works import Works
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import without_numbers
from engine.kalevala.war.plans import Detail
from engine.kalevala.window import purpose
from engine.lattice.great_fields import Side

_NO_TRIPLE = 18
"""Three sixes count for nothing in a battle. Source: rules 19.3"""


@dataclass(slots=True)
class ThisRound:
    """What has been done in a round so far.

    Args:
        waiting: the sides whose turn is still to come.
        shot_at: the rulers who have lost somebody to shots; `shot_before`: those who did in the previous round.
        loopholes: those from which somebody has shot. Source: rules B15
        searched: the fields at which an ascent was looked for.
    """

    waiting: set[PowerId] = field(default_factory=set)
    shot_at: set[PowerId] = field(default_factory=set)
    shot_before: set[PowerId] = field(default_factory=set)
    loopholes: set[tuple[Kf, Side]] = field(default_factory=set)
    searched: set[Kf] = field(default_factory=set)


@dataclass(slots=True)
class Gone:
    """Who takes no further part in the battle.

    Args:
        fled: those who have left the site, and over which field.
        loose: animals whose riders are dead: where, whose they were, and from which province.
        adrift: craft whose crews are dead; `told_adrift`: those of them that have been reported.
    """

    dead: list[Fighter] = field(default_factory=list)
    fled: list[tuple[Fighter, Kf]] = field(default_factory=list)
    hid: list[Fighter] = field(default_factory=list)
    loose: list[tuple[Kf, PowerId, str, Province]] = field(default_factory=list)
    adrift: list[Fighter] = field(default_factory=list)
    told_adrift: list[Fighter] = field(default_factory=list)


class Fight:
    """Everything that a battle works on."""

    def __init__(self, site: BattleSite, dice: Streams) -> None:
        self.site = site
        self.ground: Battlefield = site.ground
        self.dice = dice
        self.works = Works(site.ground)
        self.round = 0
        self.this_round = ThisRound()
        self.foes: dict[PowerId, frozenset[PowerId]] = {
            party.ruler: frozenset(other for one, other in site.foes if one == party.ruler) for party in site.parties
        }
        self.changes = 0
        """Grows whenever somebody dies or leaves, or a spell works: what was cached about enemies is then out of
        date."""

        # Who is where
        self.fighters: list[Fighter] = []
        self.kings: list[Fighter] = []
        self.at: list[list[Fighter]] = [[] for _ in self.ground.places]
        """The living in each field."""
        self.taken: list[int] = [0] * len(self.ground.places)
        """The REH that they take up there."""
        self.groups: dict[tuple[PowerId, int], list[Fighter]] = {}
        """Who has come out of hiding, by the agent's ruler and number."""
        self.stored: defaultdict[tuple[Province, PowerId], Counter[str]] = defaultdict(Counter)
        """Gear without a crew, by owner and place: it lies at the trade centre."""
        self.relics: list[Relic] = []
        self._sorts: list[Sequence[Fighter] | None] = [None] * len(self.ground.places)
        self._roomy: dict[int, Fields] = {}

        # The land as the battle changes it
        self.land = BattleLand(self.ground, self.works)
        self.wind: tuple[Side, int] | None = None
        """Where it blows to, and how strong; `None`: nobody has asked yet."""
        self._ways_over: dict[object, WaysOver] = {}

        self.tenure = Tenure()

        # Gods and priests
        self.gods = Gods(site.gods, site.callings)
        self.weak_spots = WeakSpots(site.weak_spots)
        self.prayed: set[tuple[PowerId, Province, int]] = set()
        """Lines of prayers that are not due any more, by the province of their plan."""

        # What has been done
        self.sallies = {party.ruler for party in site.parties if party.sallies}
        self.wrecked: Counter[tuple[int, str]] = Counter()
        """How much gear DESTROY lines have cost by now. Source: rules B21"""
        self.carried_out: set[tuple[PowerId, Province, Detail]] = set()
        """The lines of plans that came about, by ruler and the province of the plan. Ruling KA314"""

        # Who is gone, and what it has cost
        self.gone = Gone()
        self.price_at_start: dict[PowerId, int] = {}
        self.losses = Losses()

        # What is rolled and told
        self.record = Record(self.ground, self.works)
        self.absent_triples: Counter[PowerId] = Counter()
        """Triples of warriors whose wizard is elsewhere. Source: rules 19.3"""
        self.on_triple: Callable[[Fighter], None] = self._note_triple
        self._triples: list[Fighter] = []

    # Who is where

    def living(self, ruler: PowerId | None = None) -> Iterator[Fighter]:
        """The living, by number."""
        return (each for each in self.fighters if each.is_alive and (ruler is None or each.party.ruler == ruler))

    def price(self, ruler: PowerId) -> int:
        """The price of a ruler's living figures."""
        return sum(each.price for each in self.living(ruler) if not each.leaves_in)

    def people(self, ruler: PowerId) -> int:
        """The number of a ruler's living figures that count. Source: R-101"""
        own = (each for each in self.living(ruler) if not each.leaves_in)
        return sum(1 for each in own if each.is_human and each.code != WIZARD)

    def are_foes(self, one: Fighter, other: Fighter) -> bool:
        """Whether two rulers fight each other."""
        return other.party.ruler in self.foes[one.party.ruler]

    def everybody_at(self, kf: Kf) -> Iterator[Fighter]:
        """The living in a field, on all storeys if there is a building."""
        hold = self.works.at.get(kf)
        for floor in (kf,) if hold is None else hold.building.floors:
            yield from self.at[floor]

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
        land, state = self.land, self.works.state(self, ruler) if self.works else None
        key = frozenset(land.rivers), frozenset(land.floods), len(land.ascents), state
        found = self._ways_over.get(key)
        if found is None:
            walk = Paths(self.ground, lambda kf: (each for each in land.beside(kf) if self._leads(ruler, kf, each)))
            back = walk
            if self.works:
                back = Paths(self.ground, lambda kf: (each for each in land.beside(kf) if self._leads(ruler, each, kf)))
            found = self._ways_over[key] = WaysOver(
                walk,
                back,
                Paths(self.ground, lambda kf: (each for each in land.fightable(kf) if each != kf)),
                lambda: Paths(
                    self.ground, lambda kf: (each for each in land.beside(kf) if self.can_haul(ruler, kf, each))
                ),
            )
        return found

    def _leads(self, ruler: PowerId, one: Kf, other: Kf) -> bool:
        return self.land.can_step(one, other) and not self.works.is_barred(self, ruler, one, other)

    def can_haul(self, ruler: PowerId, one: Kf, other: Kf) -> bool:
        """Whether a ruler's gear can be moved to a neighbouring field."""
        return self.land.can_haul(one, other) and not self.works.is_barred(self, ruler, one, other)

    def in_contact(self, kf: Kf, ruler: PowerId) -> bool:
        """Whether enemies of a ruler stand where they could fight whoever is in a field."""
        return any(not each.floats for other in self.land.fightable(kf) for each in self.foes_at(ruler, other))

    def note_done(self, army: Army, line: Detail) -> None:
        """Note that a line of the plan of an army was carried out. Ruling KA314"""
        self.carried_out.add((army.ruler, army.plan.at, line))

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
        self.gone.dead.append(fighter)
        is_booked_first = fighter.devotion is not None or fighter.store is not None
        if not fighter.leaves_in:
            self.losses.add_of(fighter, fighter.item_now if is_booked_first else fighter.item)
        if fighter.mount and not fighter.leaves_in:
            self.gone.loose.append((fighter.kf, fighter.party.ruler, fighter.mount, fighter.army.province))
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
        self.gone.adrift.append(craft)

    def riders(self, animal: Fighter) -> list[Fighter]:
        """The riders of an elephant or wagon."""
        return [each for each in self.at[animal.kf] if each.carrier is animal]

    def lose_horse(self, fighter: Fighter) -> None:
        """Let the mount die in its rider's stead."""
        self.lift(fighter)
        if not fighter.leaves_in:
            self.losses.add_of(fighter, fighter.mount)
        fighter.mount = ""
        self.put(fighter, fighter.kf)
        self.changes += 1

    def change_sides(self, slave: Fighter, party: Party, army: Army, item: str) -> None:
        """Give a slave whom nobody guards to another ruler, as a slave or as a warrior."""
        self.lift(slave)
        self.losses.add_of(slave, slave.item)
        slave.party, slave.army, slave.item = party, army, item
        slave.group, slave.has_knife = "", slave.is_warrior
        self.losses.won[party.ruler, army.province, item] += 1
        self.put(slave, slave.kf)
        self.changes += 1

    def run_away(self, slave: Fighter) -> None:
        """Let a slave whom nobody guards run away."""
        self.lift(slave)
        slave.is_alive = False
        self.losses.add_of(slave, slave.item)
        self.changes += 1

    def leave(self, fighter: Fighter) -> None:
        """Let a figure step off the site."""
        self.gone.fled.append((fighter, fighter.kf))
        self.vanish(fighter)

    def hide(self, fighter: Fighter) -> None:
        """Hide a figure where it is: it takes no further part in the battle."""
        self.gone.hid.append(fighter)
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

    def run_loose(self, animal: Fighter) -> None:
        """Let an elephant or wagon without riders go: it belongs to nobody. Source: rules B7"""
        self.lift(animal)
        animal.is_alive = False
        self.changes += 1
        self.gone.loose.append((animal.kf, animal.party.ruler, animal.item, animal.army.province))

    # Dice

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
        """Carry out what warriors' triples bring, once the incident in which they were rolled is over."""
        while self._triples:
            self.on_triple(self._triples.pop(0))

    def _note_triple(self, fighter: Fighter) -> None:
        self.absent_triples[fighter.party.ruler] += 1

    def survives(self, fighter: Fighter, item: str, needed: int) -> bool:
        """Roll whether a figure or its horse survives; the next incident that is reported tells the dice. Source: rules
        B10
        """
        total = self.throw("survive", fighter, is_own=item == fighter.item).total
        self.record.note_test(Survival(fighter.number, without_numbers(item), total, needed))
        return total >= needed
