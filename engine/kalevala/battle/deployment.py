"""Which figures start where: PLACE lines first, all others by default. Source: rules B2, B8, R-042"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from engine.core.ids import PowerId
from engine.kalevala.battle import phalanxes
from engine.kalevala.battle.boards import Nearness
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import (
    AT_EDGES,
    CREWS,
    ELEPHANTS,
    LADDER,
    ONAGER,
    RAM,
    ROPE,
    SIEGE_TOWER,
    TRAMPLERS,
    TURTLE,
    WAGON,
    WIZARD,
)
from engine.kalevala.battle.sites import Army
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import kind_of, load_of, price_of, team_of
from engine.kalevala.sea.craft import hull_of
from engine.kalevala.tables import DRAGON, KINDS, SPACE, Group
from engine.kalevala.war.plans import PLATFORM, Band, Fire, Placing, is_at

Line = TypeVar("Line", Placing, Band, Fire)
_Due: TypeAlias = "dict[tuple[PowerId, Province, tuple[Placing | Band | Fire, ...]], list[Counter[str]]]"

_RANKS = "ABC"
_SEATS = {item: KINDS[item].seats for item in ("IP", "sP", *ELEPHANTS)}


def deploy(fight: Fight) -> None:
    """Place and number all figures, attackers first, and form the phalanxes that are ordered."""
    armies = sorted(fight.site.armies, key=lambda army: army.target is None)
    due: _Due = {}
    for army in armies:
        _Deployment(fight, army, due).carry_out()
    for army in armies:
        _form_phalanxes(fight, army)
    fight.record.start = tuple(map(fight.record.entrant, fight.fighters))
    for province, kf in fight.ground.centres.items():
        theirs = [army.ruler for army in armies if army.province == province]
        if theirs:
            fight.tenure.masters[kf] = theirs[-1]
    for each in fight.fighters:
        if each.code in AT_EDGES:
            fight.lift(each)
            each.takes_room = False
            fight.put(each, each.kf)
    for party in fight.site.parties:
        fight.price_at_start[party.ruler] = fight.price(party.ruler)


class _Deployment:
    """The placing of one army.

    Args:
        due: what is left of lines that several armies share, since some attack and some stay. Ruling KA298
    """

    def __init__(self, fight: Fight, army: Army, due: _Due) -> None:
        self.fight = fight
        self.army = army
        self.due = due
        self.party = next(party for party in fight.site.parties if party.ruler == army.ruler)
        self.left: Counter[str] = Counter(army.figures)
        self.cells = self._in_order()
        self.own: set[Kf] = set()

    def carry_out(self) -> None:
        """Carry out PLACE lines, then place dragons, melee, bows, onagers and civilians; at last name the groups."""
        first = len(self.fight.fighters)
        for line, due in self._lines(self.army.plan.places):
            self._place(line, due)
        placed = len(self.fight.fighters)
        riders = list(mounted(self.left))
        melee = [pair for pair in riders if not _is_bow(pair[0]) and kind_of(pair[0]).is_warrior]
        bows = [pair for pair in riders if _is_bow(pair[0])]
        others = [pair for pair in riders if not kind_of(pair[0]).is_warrior and pair[0] != DRAGON]
        for _ in range(self.left[DRAGON]):
            self._set(DRAGON, "", self.cells)
        bearers = self._bearers(melee)
        self._garrison(melee, bows)
        for item, mount in melee:
            self._set(item, mount, self.cells)
        taken = {each.kf for each in self.fight.fighters[first:] if not each.is_bow}
        for item, mount in bows:
            self._set(item, mount, [kf for kf in self.cells if kf not in taken] or self.cells)
        self._set_onagers(self.fight.fighters[placed:])
        self._set_gear(bearers)
        others = self._set_afloat(others)
        for item, mount in others:
            self._set(item, mount, self.cells)
        stored = {item: count for item, count in self.left.items() if count > 0 and kind_of(item).code in CREWS}
        self.fight.stored[self.army.province, self.army.ruler].update(stored)
        self._name_groups(self.fight.fighters[first:])
        self._aim_onagers(self.fight.fighters[first:])

    def _lines(self, lines: tuple[Line, ...]) -> Iterator[tuple[Line, Counter[str]]]:
        """Lines of the plan, each with those of its figures that no army has taken yet."""
        key = self.army.ruler, self.army.province, lines
        return zip(lines, self.due.setdefault(key, [Counter(dict(line.figures)) for line in lines]), strict=True)

    # Buildings and gear

    def _garrison(self, melee: list[tuple[str, str]], bows: list[tuple[str, str]]) -> None:
        """Man a building on the field of the trade centre: archers on its platform first, then the inside. B2"""
        centre = self.fight.ground.centres.get(self.army.province)
        building = None if centre is None else self.fight.ground.building(centre)
        if building is None or self.army.target is not None or self.fight.is_barred(self.party.ruler, building.kf):
            return
        top = [] if building.platform is None else [building.platform]
        for floors, order in ((top, (bows, melee)), (building.inside, (melee, bows))):
            for kf in floors:
                for line in order:
                    for pair in [pair for pair in line if not pair[1]]:
                        if self._space(*pair) <= self.fight.room(kf):
                            line.remove(pair)
                            self._make(pair[0], "", kf)
                            self.left[pair[0]] -= 1

    def _bearers(self, melee: list[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
        """The gear that attackers bring to the walls, each piece with its crew: at most half of their warriors. Ruling
        KA71
        """
        if self.army.target is None or not self._has_walls(self.army.target):
            return []
        found = []
        spare = len(melee) // 2
        for code in (LADDER, SIEGE_TOWER, TURTLE, RAM, ROPE):
            for _ in range(self.left[code]):
                if CREWS[code] <= spare and not any(mount for _, mount in melee[-CREWS[code] :]):
                    spare -= CREWS[code]
                    found.append((code, tuple(melee.pop()[0] for _ in range(CREWS[code]))))
        return found

    def _has_walls(self, target: Province) -> bool:
        ground = self.fight.ground
        return any(ground.provinces[each.kf] == target for each in ground.buildings)

    def _set_gear(self, bearers: list[tuple[str, tuple[str, ...]]]) -> None:
        """Place each piece in the first field with room for it and its crew."""
        for code, crew in bearers:
            space = len(crew) + SPACE.get(code, 1)
            fit = [kf for kf in self.cells if self.fight.ground.suits(code, kf)] or self.cells
            free = [kf for kf in fit if not self.fight.is_barred(self.party.ruler, kf)] or fit
            kf = next((kf for kf in free if self.fight.room(kf) >= space), max(free, key=self.fight.room))
            men = [self._make(item, "", kf) for item in crew]
            for item in crew:
                self.left[item] -= 1
            self.left[code] -= 1
            self._man(self._make(code, "", kf), men)

    def _set_afloat(self, others: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Place craft with their crews on the waters; a wizard who came with them, or is with them on the high sea, is
        aboard the first. Ruling KA106

        Returns: who is not aboard.
        """
        is_ashore = self.army.target is None and bool(self.fight.ground.cells(self.army.province))
        beside = [] if is_ashore else [item for item, _ in others if kind_of(item).code == WIZARD]
        for place, written in enumerate(self.army.craft):
            free = [kf for kf in self.army.berths if not self.fight.at[kf]] or list(self.army.berths)
            craft = self._make(hull_of(written), "", free[0])
            people: list[str] = list(beside) if not place else []
            for item, count in load_of(written).items():
                if kind_of(item).group is Group.HUMAN and kind_of(item).code != "Sl":
                    people += [item] * count
                else:
                    craft.cargo = {**craft.cargo, item: count}
            for item in people:
                man = self._make(item, "", craft.kf)
                man.serves = craft
                craft.crew.append(man)
        if not self.army.craft:
            return others
        self.left -= Counter(beside)
        return [pair for pair in others if pair[0] not in beside]

    def _aim_onagers(self, own: Sequence[Fighter]) -> None:
        """Give the targets of FIRE lines to onagers, in order of number."""
        onagers = [each for each in own if each.code == ONAGER]
        for line, due in self._lines(self.army.plan.fires):
            for _ in range(min(due[ONAGER], len(onagers))):
                due[ONAGER] -= 1
                onagers.pop(0).fire = line

    def _in_order(self) -> list[Kf]:
        """The fields in which figures are placed by default, in order."""
        ground, army = self.fight.ground, self.army
        if army.berths and not army.craft:
            return list(army.berths)  # swimmers on the bank
        cells = ground.cells(army.province)
        if not cells:  # a wizard who is alone on the high sea
            return [kf for kf in sorted(ground.waters) if ground.provinces[kf] == army.province]
        cells = [kf for kf in cells if ground.building(kf) is None and kf not in ground.crossings] or cells
        if army.target is not None:
            return self._by_distance(cells, ground.cells(army.target))
        centre = ground.centres.get(army.province)
        if centre is not None:
            return self._by_distance(cells, (centre,))
        threats = [other.province for other in self.fight.site.armies if other.target == army.province]
        threats += [
            other.target
            for other in self.fight.site.armies
            if other.target is not None and (other.ruler, other.province) == (army.ruler, army.province)
        ]
        border = [kf for province in threats for kf in ground.cells(province)]
        return self._by_distance(cells, border or cells[:1])

    def _by_distance(self, cells: Sequence[Kf], goals: Iterable[Kf]) -> list[Kf]:
        to_goals = Nearness(self.fight.ground, goals)
        return sorted(cells, key=lambda kf: (to_goals.away(kf), kf))

    # Setting down

    def _place(self, line: Placing, due: Counter[str]) -> None:
        """Place what a PLACE line names, if it is there and has room; all else is placed by default, or lost. R-042"""
        before = +self.left
        wanted = Counter({item: min(count, self.left[item]) for item, count in due.items()})
        places = self._meant(line)
        if places:
            self._place_at(places, wanted, line.group)
        for item, count in wanted.items() if self.fight.site.is_strict else ():
            lost = min(count, self.left[item])
            if lost > 0:
                self.left[item] -= lost
                self.fight.losses.misplace(self.army, item, lost)
        placed = before - self.left
        if placed:
            self.fight.note_done(self.army, line)
        due -= placed

    def _place_at(self, places: Sequence[Kf], wanted: Counter[str], group: str) -> None:
        """Place what fits into a field or the storeys of a building, and subtract it from what is wanted."""
        gear = [(code, wanted[code]) for code in CREWS if wanted[code]]
        for item, mount in list(mounted(wanted, fills_wagons=True)):
            if _bears(mount):
                self._place_rider(places[0], wanted, item, mount, group)
                continue
            kf = next((kf for kf in places if self._space(item, mount) <= self.fight.room(kf)), None)
            if kf is not None:
                self.left[item] -= 1
                wanted[item] -= 1
                if mount:
                    self.left[mount] -= 1
                    wanted[mount] -= 1
                self._make(item, mount, kf, group)
        kf = places[0]
        for code, count in gear:
            for _ in range(count):
                is_fit = self.fight.ground.suits(code, kf) and kf not in self.fight.works.at
                if is_fit and self.fight.room(kf) >= SPACE.get(code, 1):
                    self.left[code] -= 1
                    wanted[code] -= 1
                    piece = self._make(code, "", kf, group)
                    self._man(piece, [each for each in self.fight.at[kf] if _can_serve(each, self.party.ruler)])

    def _meant(self, line: Placing) -> tuple[Kf, ...]:
        """The field or storeys that a PLACE line means: `19+1` is the platform, `19+0` and `19` the inside.

        Source: rules 27.3, B15
        """
        kf = self.fight.ground.index.get((gf_of(self.army.province), line.at.cell))
        if (
            kf is None
            or not is_at(line.at, self.army.province)
            or self.fight.ground.provinces[kf] != self.army.province
            or kf in self.fight.ground.waters
        ):
            return ()
        building = self.fight.ground.building(kf)
        if building is None:
            return () if line.at.level else (kf,)
        if line.at.level == PLATFORM:
            return () if building.platform is None else (building.platform,)
        return building.inside

    def _place_rider(self, kf: Kf, wanted: Counter[str], item: str, mount: str, group: str) -> None:
        """Place a rider on an elephant that the PLACE line names too: the next one, or one there with a free seat."""
        there = [each for each in self.fight.at[kf] if each.army is self.army and each.item == mount]
        seats = kind_of(mount).seats
        room, space = self.fight.room(kf), self._seat(item, mount)
        animal = next((each for each in there if self._riders(each) < seats and room >= space), None)
        is_fit = self.fight.ground.suits(kind_of(mount).code, kf) and kf not in self.fight.works.at
        if wanted[mount] and is_fit and room >= self._space(mount, "") + space:
            animal = self._make(mount, "", kf, group)
            for counts in (self.left, wanted):
                counts[mount] -= 1
        if animal is not None:
            for counts in (self.left, wanted):
                counts[item] -= 1
            self._mount(self._make(item, "", kf, group), animal)

    def _mount(self, rider: Fighter, animal: Fighter) -> None:
        self.fight.lift(rider)
        rider.carrier = animal
        self.fight.put(rider, animal.kf)

    def _space(self, item: str, mount: str) -> int:
        probe = Fighter(0, self.party, self.army, item, 0, mount="" if _bears(mount) else mount)
        return probe.space

    def _seat(self, item: str, mount: str) -> int:
        """The room in REH that a rider takes: none on a wagon. Source: rules B2, ruling KA158"""
        return 0 if kind_of(mount).code == WAGON else self._space(item, "")

    def _set(self, item: str, mount: str, cells: Sequence[Kf]) -> None:
        """Place a figure in the first field with room, or in the least overcrowded one."""
        if _bears(mount):
            self._set_rider(item, mount, cells)
            return
        space = self._space(item, mount)
        free = [kf for kf in cells if not self.fight.is_barred(self.party.ruler, kf)] or cells
        kf = next((kf for kf in free if self.fight.room(kf) >= space), None)
        if kf is None:
            kf = max(free, key=self.fight.room)  # beyond the room of the province they stand closer: ruling KA43
        self._make(item, mount, kf)
        self.left[item] -= 1
        if mount:
            self.left[mount] -= 1

    def _set_rider(self, item: str, mount: str, cells: Sequence[Kf]) -> None:
        """Place each elephant with its first rider in the first field with room, then second riders where there is
        room.
        """
        if self.left[mount]:
            self.left[mount] -= 1
            space = self._space(mount, "") + self._seat(item, mount)
            fit = [kf for kf in cells if self.fight.ground.suits(kind_of(mount).code, kf)] or cells
            kf = next((kf for kf in fit if self.fight.room(kf) >= space), None)
            animal = self._make(mount, "", max(fit, key=self.fight.room) if kf is None else kf)
        else:
            mine = [each for each in self.fight.fighters if each.army is self.army and each.item == mount]
            seated = [each for each in mine if self._riders(each) < kind_of(mount).seats]
            animal = next((each for each in seated if self.fight.room(each.kf) > 0), seated[0])
        self.left[item] -= 1
        self._mount(self._make(item, "", animal.kf), animal)

    def _riders(self, animal: Fighter) -> int:
        return sum(1 for each in self.fight.at[animal.kf] if each.carrier is animal)

    def _set_onagers(self, others: Sequence[Fighter]) -> None:
        """Place each onager in an empty field; the two nearest men become its crew, without whom it stays out. Ruling
        KA219
        """
        able = [each for each in others if _can_serve(each, self.party.ruler) and not each.is_bow]
        able = [each for each in able if each.kf not in self.fight.works.at]
        for _ in range(self.left[ONAGER]):
            if len(able) < CREWS[ONAGER]:
                break
            kf = next((kf for kf in self.cells if not self.fight.at[kf]), None)
            if kf is None:
                kf = max(self.cells, key=self.fight.room)
            able.sort(key=lambda each: (self.fight.ground.distance(each.kf, kf), each.number))
            men, able = able[: CREWS[ONAGER]], able[CREWS[ONAGER] :]
            for man in men:
                self.fight.lift(man)
                man.start = kf
                self.fight.put(man, kf)
            self.left[ONAGER] -= 1
            self._man(self._make(ONAGER, "", kf), men)

    def _man(self, piece: Fighter, men: Sequence[Fighter]) -> None:
        for man in sorted(men, key=lambda each: (_RANKS.index(each.rank), each.number))[: CREWS[piece.code]]:
            man.serves = piece
            piece.crew.append(man)

    def _make(self, item: str, mount: str, kf: Kf, group: str = "") -> Fighter:
        fighter = Fighter(
            number=len(self.fight.fighters) + 1,
            party=self.party,
            army=self.army,
            item=item,
            kf=kf,
            mount="" if _bears(mount) else mount,
            group=group,
            start=kf,
        )
        if fighter.code == WAGON:
            fighter.facing = phalanxes.side_ahead(self.fight, self.army, kf)
        self.fight.fighters.append(fighter)
        if fighter.crown is not None:
            self.fight.kings.append(fighter)
        self.fight.put(fighter, kf)
        return fighter

    def _name_groups(self, own: Sequence[Fighter]) -> None:
        """Name the groups of GROUP lines, which take figures by code in order of number."""
        for line, wanted in self._lines(self.army.plan.groups):
            for each in own:
                if not each.group and wanted[each.item] > 0:
                    wanted[each.item] -= 1
                    each.group = line.name


def _bears(mount: str) -> bool:
    """Whether a mount is a figure of its own, as elephants and wagons are."""
    return bool(mount) and kind_of(mount).code in TRAMPLERS


def mounted(figures: Counter[str], *, fills_wagons: bool = False) -> Iterator[tuple[str, str]]:
    """Seat people on mounts, the strongest first: each elephant gets one rider, then a second one. Source: rules B2

    Mounts without a rider, except dragons, stay out of the battle. A wagon with a team gets one rider, or all that it
    holds.
    Rulings KA158, KA207
    """
    yield from ((DRAGON, "") for _ in range(figures[DRAGON]))
    people = sorted(
        (item for item, count in figures.items() for _ in range(count) if kind_of(item).group is Group.HUMAN),
        key=lambda item: (_is_bow(item), not kind_of(item).is_warrior, -price_of(item), item),
    )
    beasts = [item for item in (*ELEPHANTS, "sP", "IP") for _ in range(figures[item])]
    wagons = [item for item in figures if team_of(item) for _ in range(figures[item])]
    seats = [*beasts, *wagons, *(item for item in beasts if _SEATS[item] > 1)]
    if fills_wagons:
        seats = [*wagons * KINDS[WAGON].seats, *beasts, *(item for item in beasts if _SEATS[item] > 1)]
    fighters = [item for item in people if kind_of(item).is_warrior]
    mounts = dict(zip(range(len(fighters)), seats, strict=False))
    place = 0
    for item in people:
        is_fighter = kind_of(item).is_warrior
        yield item, mounts.get(place, "") if is_fighter else ""
        place += is_fighter


def _is_bow(item: str) -> bool:
    kind = kind_of(item)
    return kind.is_warrior and kind.weapon == "B"


def _can_serve(fighter: Fighter, ruler: PowerId) -> bool:
    is_on_foot = not fighter.mount and fighter.carrier is None
    return fighter.party.ruler == ruler and fighter.is_warrior and is_on_foot and fighter.serves is None


def _form_phalanxes(fight: Fight, army: Army) -> None:
    """PHALANX lines: toward what they attack, or the nearest enemy, unless the line names a side."""
    for line in army.plan.phalanxes:
        kf = fight.ground.index.get((gf_of(line.at.gf or army.province), line.at.cell))
        if kf is None or not fight.at[kf] or fight.at[kf][0].army is not army:
            continue
        side = line.side if line.side is not None else phalanxes.side_ahead(fight, army, kf)
        if phalanxes.form(fight, kf, side, strikes=any(each.at == line.at for each in army.plan.strikes)):
            fight.note_done(army, line)
