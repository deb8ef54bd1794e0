"""BATTLE and DEFEND: plans are tested against what the ruler has and knows, once all lines of the sheet are read.

Source: rules 16.1, R-104, R-121
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.battle.kinds import CREWS, TRAMPLERS
from engine.kalevala.coordinates import Edge, Province, gf_of, neighbours_of
from engine.kalevala.figures import (
    Figures,
    has_people,
    is_part,
    kind_of,
    minus,
    plus,
    team_of,
    warriors,
    with_loads,
)
from engine.kalevala.land import usual_gate
from engine.kalevala.model import FULL, State, Work
from engine.kalevala.orders import Line
from engine.kalevala.planes.facts import mystic_in
from engine.kalevala.priests.facts import PRAYER, is_priest
from engine.kalevala.steps import quarrels
from engine.kalevala.steps.changing import is_through
from engine.kalevala.steps.entering import JOIN, OCCUPATION, PERMITTED, WAR
from engine.kalevala.steps.sailing import crosses_water
from engine.kalevala.tables import BANNED, BUILDINGS, FULL_ROOM, KINDS, SPACE, TERRAIN, UNSEEN, WORKS, Group
from engine.kalevala.war.plans import (
    ALL,
    AVOID,
    BATTLE,
    DEFEND,
    GUARD,
    INSIDE,
    PLATFORM,
    SHOOT,
    TAKE,
    TO_MYSTIC,
    Aim,
    Band,
    Block,
    BlockOpening,
    Cast,
    Challenge,
    Detail,
    Fire,
    Forced,
    GateOrder,
    Phalanx,
    Placing,
    Plan,
    Planned,
    Prayer,
    Sided,
    Spot,
    Strike,
    UnknownSpell,
    Wreck,
    figures_of,
    is_at,
    plan_of,
)
from engine.kalevala.war.plans import Counter as Countering
from engine.kalevala.window import Entering, Window
from engine.kalevala.wizards.spells import FORCED, SPELL, SPELLS, Meant, known_of, zeh_of
from engine.lattice.great_fields import inner_neighbours

PHALANX_SIZE = 4
WIZARD = "Z"
_SHOOTING = (SHOOT, AVOID)
"""Aims with which archers don't lose their shots by mistake."""


def open_block(window: Window, ruler: PowerId, line: Line, order: BlockOpening) -> None:
    """The first line of a block: it is kept until the whole sheet is read."""


def plan(window: Window, ruler: PowerId, line: Line, order: Planned) -> None:
    """A line in a block: it is kept until the whole sheet is read."""


def close_sheet(window: Window, ruler: PowerId) -> None:
    """All blocks of a ruler, those of one province together: the lines that are not refused are the plan there."""
    blocks: dict[tuple[str, Province], list[Line]] = {}
    for line in window.lines(ruler):
        if isinstance(line.order, BlockOpening | Planned) and not window.is_refused(ruler, line):
            blocks.setdefault(line.order.block.key, []).append(line)
    for (kind, _), lines in blocks.items():
        _close_block(window, ruler, kind, lines)
    _warn_who_stays_out(window, ruler)


def _warn_who_stays_out(window: Window, ruler: PowerId) -> None:
    """W9 where JOIN sends figures into own land without a plan that places any. Source: rules 15.2"""
    for entry in window.entering:
        if entry.ruler == ruler and JOIN in entry.order.rest and window.owners.get(entry.target) == ruler:
            plan = window.battles_at_work.plans.get(ruler, {}).get(entry.target)
            if plan is None or not plan.places:
                window.warn(ruler, entry.line, "W9", place=entry.target)


def _close_block(window: Window, ruler: PowerId, kind: str, lines: list[Line]) -> None:
    """The lines of a block that stand; a standing defence without any stays what it was until NONE. Ruling KA318"""
    place = _place_of(window, ruler, _block(lines[0]))
    if place is None:
        for line in lines:
            window.refuse(ruler, line, "V02", place=_block(line).at, is_of_block=True)
        return
    openings = [line for line in lines if isinstance(line.order, BlockOpening)]
    for line in openings:
        if not _fits_entries(window, ruler, place, _block(line)):
            window.refuse(ruler, line, "V02", place=_block(line).at)
    withdrawn = max((number for number, line in enumerate(lines) if _block(line).is_void), default=-1)
    details = [(line, line.order.what) for line in lines[withdrawn + 1 :] if isinstance(line.order, Planned)]
    standing = _Check(window, ruler, place, details).standing()
    for line in openings:
        is_open = kind == BATTLE and not window.is_refused(ruler, line)
        if is_open and not _leads_to_battle(window, ruler, place, plan_of(place, standing)):
            window.warn(ruler, line, "W5")
    own = window.rulers[ruler]
    if kind == BATTLE:
        window.battles_at_work.plans.setdefault(ruler, {})[place] = plan_of(place, standing)
        window.battles_at_work.planned.setdefault(ruler, {}).setdefault(place, []).extend(lines)
    elif standing:
        window.rulers[ruler] = replace(own, defend={**own.defend, place: "\n".join(map(str, standing))})
    elif withdrawn >= 0:
        window.rulers[ruler] = replace(own, defend={at: text for at, text in own.defend.items() if at != place})
    elif own.defend.get(place):
        window.warn(ruler, openings[0] if openings else lines[0], "W11", place=place)


def _leads_to_battle(window: Window, ruler: PowerId, place: Province, plan_there: Plan) -> bool:
    """Whether a block is of use even if nobody else does anything: not an occupation, nor an attack on land in which
    nobody was seen, unless there is something to plunder. Rulings KA275, KA294, KA295
    """
    seen, _ = window.sight(ruler)
    return quarrels.is_expected(window, ruler, place) or any(
        place in (entry.source, entry.target)
        if entry.order.kind == PERMITTED
        else (entry.source, entry.order.kind) == (place, WAR)
        and (plan_there.takes_more_than_land or _may_be_held(window, seen, entry))
        for entry in window.entering
        if entry.ruler == ruler
    )


def _may_be_held(window: Window, seen: State, entry: Entering) -> bool:
    """Whether others may stand in the land that a ruler enters, as far as the ruler's scouts saw."""
    rows = [row for row in window.state.explored.get(entry.ruler, ()) if row.target == entry.target]
    if all(row.result != FULL for row in rows):
        return True
    return any(has_people(seen.stack(name, entry.target)) for name in seen.present(entry.target) if name != entry.ruler)


def _block(line: Line) -> Block:
    assert isinstance(line.order, BlockOpening | Planned), "a line of a block"
    return line.order.block


def _place_of(window: Window, ruler: PowerId, block: Block) -> Province | None:
    """The province that a block is for: owned, with the ruler's figures, or entered to stay or go on. Ruling KA19"""
    found = window.find_own(ruler, block.at) or window.own_place(ruler, block.at)
    entered = [
        entry.target
        for entry in window.entering
        if entry.ruler == ruler
        and block.at in (entry.target, gf_of(entry.target))
        and (entry.order.kind == PERMITTED or _is_on_the_way(window, ruler, entry.target))
    ]
    if found is not None and (window.owners.get(found) == ruler or window.stack(ruler, found)):
        return found
    if entered:
        return entered[0]
    if block.kind == DEFEND and block.is_void:
        standing = map(Province, window.rulers[ruler].defend)
        return next((at for at in standing if block.at in (at, gf_of(at))), None)
    return None


def _is_on_the_way(window: Window, ruler: PowerId, place: Province) -> bool:
    """Whether an attack starts there."""
    return any(entry.ruler == ruler and entry.source == place and entry.order.kind == WAR for entry in window.entering)


def _fits_entries(window: Window, ruler: PowerId, place: Province, block: Block) -> bool:
    """Whether what a block names after VS is attacked from there."""
    attacked = {
        name
        for entry in window.entering
        if entry.ruler == ruler and entry.source == place and entry.order.kind == WAR
        for name in (entry.target, gf_of(entry.target))
    }
    return all(each in attacked for each in block.against)


def figures_at(window: Window, ruler: PowerId, place: Province) -> Figures:
    """What is in a province when a battle begins, including those who attack from there and all who come there, even
    by way of a battle, which may cost some.
    """
    found = window.stack(ruler, place)
    goes_on = _is_on_the_way(window, ruler, place)
    for entry in window.entering:
        if entry.ruler == ruler and (entry.order.kind == PERMITTED or goes_on):
            if entry.target == place:
                found = plus(found, dict(entry.order.figures))
            elif entry.order.kind == PERMITTED and entry.source == place and is_part(dict(entry.order.figures), found):
                found = minus(found, dict(entry.order.figures))
    return found


def space_of(figures: Figures) -> int:
    """The REH that figures take. Source: rules B2"""
    return sum(SPACE.get(kind_of(item).code, 1) * count for item, count in figures.items())


def space_to_place(figures: Figures) -> int:
    """The same on a battlefield, where a wagon with those on it fills a small field. Ruling KA158"""
    wagons = sum(count for item, count in figures.items() if team_of(item))
    seated = min(warriors(figures), wagons * KINDS["QuW"].seats)
    return space_of(figures) + wagons * (FULL_ROOM - 1) - seated


class _Check:
    """Tests the lines of one block, one after the other."""

    def __init__(self, window: Window, ruler: PowerId, place: Province, lines: list[tuple[Line, Detail]]) -> None:
        self.window = window
        self.ruler = ruler
        self.place = place
        self.lines = lines
        self.field = window.land.field(place)
        self.cells = window.land.cells(place)
        self.figures = figures_at(window, ruler, place)
        self.everybody = with_loads(self.figures)  # those aboard craft too
        self.plan: Plan = plan_of(place, (detail for _, detail in lines))
        self.placed: Counter[str] = Counter()
        self.grouped: Counter[str] = Counter()
        self.firing: Counter[str] = Counter()
        self.wrecked: Counter[str] = Counter()
        self.taken: Counter[tuple[int, str]] = Counter()
        self.stood: list[Placing | Phalanx] = []

    def standing(self) -> list[Detail]:
        """The lines of the block that are valid; the rest are refused."""
        found = []
        flaws = self._flaws()
        for number, (line, detail) in enumerate(self.lines):
            code = flaws[number]
            if code is not None:
                self.window.refuse(self.ruler, line, code, place=self.place)
                continue
            found.append(detail)
            if isinstance(detail, Aim):
                self._warn_of(line, detail)
            if isinstance(detail, Placing) and _block(line).kind == BATTLE and self._come_from_beyond():
                self.window.warn(self.ruler, line, "W10", place=self.place)
            if isinstance(detail, Cast) and SPELL[detail.spell].meant is (Meant.FOE if detail.is_own else Meant.OWN):
                self.window.warn(self.ruler, line, "W12")
            if isinstance(detail, Cast) and self.zeh < SPELL[detail.spell].base and _block(line).kind == BATTLE:
                self.window.warn(self.ruler, line, "W5", have=self.zeh, cost=SPELL[detail.spell].base)
        return found

    def _come_from_beyond(self) -> bool:
        """Whether all who attack from there do so through a portal or suddenly, so that nobody places them.

        Rulings KA206, KA276
        """
        own = [entry for entry in self.window.entering if entry.ruler == self.ruler]
        attacks = [entry for entry in own if entry.source == self.place and entry.order.kind == WAR]
        is_sudden = any(entry.target == self.place and entry.order.kind == OCCUPATION for entry in own)
        return bool(attacks) and all(
            (is_sudden or is_through(entry.source, entry.target)) and not crosses_water(entry.order)
            for entry in attacks
        )

    def _warn_of(self, line: Line, aim: Aim) -> None:
        """An aim that does not suit who has it. Archers whose aim begins later shoot before. Source: rules R-121"""
        meant = list(self.meant(aim.name))
        if aim.what not in _SHOOTING and aim.first == 1 and any(map(_is_bow, meant)):
            self.window.warn(self.ruler, line, "W6")
        if aim.what == SHOOT and any(map(_strikes, meant)):
            self.window.warn(self.ruler, line, "W7")

    def _flaws(self) -> dict[int, str | None]:
        """The first test that each line fails: placings are tested before phalanxes, and these before their strikes."""
        found: dict[int, str | None] = {}
        for kind in (Placing, Phalanx, object):
            for number, (_, detail) in enumerate(self.lines):
                if number not in found and isinstance(detail, kind):
                    code = found[number] = self.flaw(detail)
                    if code is None and isinstance(detail, Placing | Phalanx):
                        self.stood.append(detail)
        return found

    @property
    def zeh(self) -> int:
        """How many ZEH the wizard who is there has."""
        return max((zeh_of(item) for item in self.everybody if kind_of(item).code == WIZARD), default=0)

    def flaw(self, detail: Detail) -> str | None:
        """The first test that a line fails. Source: rules R-103"""
        match detail:
            case Placing():
                return self._place_flaw(detail)
            case Band():
                return self._named_flaw(dict(detail.figures), self.grouped)
            case Aim():
                if detail.name != ALL and detail.name not in self.plan.names:
                    return "V02"
                return self._spot_flaw(detail)
            case Phalanx(at=at):
                return self._phalanx_flaw(at)
            case Strike(at=at):
                return None if any(isinstance(each, Phalanx) and each.at == at for each in self.stood) else "V02"
            case GateOrder():
                return self._gate_flaw(detail)
            case Fire():
                return self._fire_flaw(detail)
            case Wreck(figures=figures):
                is_gear = all(kind_of(item).code in CREWS for item, _ in figures)
                return self._named_flaw(dict(figures), self.wrecked) if is_gear else "V28"
            case UnknownSpell():
                return "V28"
            case Sided(who=who) | Challenge(who=who):
                is_somebody = who in self.window.rulers and who != self.ruler
                return (self._magic_flaw() if isinstance(detail, Challenge) else None) if is_somebody else "V02"
            case Countering() if any(map(is_priest, self.everybody)):
                return None
            case Cast() | Forced() | Countering():
                return self._magic_flaw(detail)
            case Prayer():
                return self._prayer_flaw(detail)
            case _:
                return None

    def _magic_flaw(self, detail: Cast | Forced | Countering | None = None) -> str | None:
        """V02 without a wizard or mystic there, V28 for a spell that he can't cast, V29 for one that he can't pay for.

        R-122
        """
        if isinstance(detail, Forced) and detail.spell == TO_MYSTIC:
            return None if mystic_in(self.everybody) else "V02"
        wizard = next((item for item in self.everybody if kind_of(item).code == WIZARD), None)
        if wizard is None:
            return "V02"
        own = self.window.rulers[self.ruler].wizard
        if own is not None and own.mortal > self.window.gr:
            return "V28"
        if isinstance(detail, Cast | Forced):
            spell = SPELL[detail.spell]
            if SPELLS.index(spell) >= known_of(wizard):
                return "V28"
            if isinstance(detail, Forced):
                return None if spell.meant in (Meant.OWN, Meant.FOE) and spell.base <= FORCED else "V28"
            if detail.most and detail.most < spell.base:
                return "V29"
            return None if spell.meant is Meant.SHIP or _are_connected(detail.fields) else "V20"
        return None

    def _prayer_flaw(self, line: Prayer) -> str | None:
        """V02 without such a priest there, V29 for a prayer that no priest could pay for."""
        if not any(is_priest(item) and line.priest in ("", item) for item in self.everybody):
            return "V02"
        return "V29" if line.most and line.most < PRAYER[line.prayer].base else None

    def _place_flaw(self, line: Placing) -> str | None:
        figures = dict(line.figures)
        if not is_at(line.at, self.place) or not is_part(figures, self.figures):
            return "V02"
        if not is_part(plus(self.placed, figures), self.figures):
            return "V31"
        cell, level = line.at.cell, line.at.level
        letter = self.field.cells[cell - 1] if cell in self.cells else ""
        if not letter or not TERRAIN[letter].is_land or not self._suits(figures, cell):
            return "V20"
        building = self._building(cell)
        if level and building is None:
            return "V21"
        if building is not None:
            is_up = level == PLATFORM
            kinds = [kind_of(item) for item in figures]
            if any(kind.group is Group.GEAR or (is_up and kind.group is Group.ANIMAL) for kind in kinds):
                return "V20"
            if any(kind.code in TRAMPLERS for kind in kinds):
                return "V20"  # rules B19
            if is_up and building.type == "Tt" and building.paid is None:
                return "V20"
            level = level or INSIDE
        if self.taken[cell, level] + space_to_place(figures) > self.room(cell, level):
            return "V20"
        self.taken[cell, level] += space_to_place(figures)
        if not self._is_served(cell, figures):
            self.taken[cell, level] -= space_to_place(figures)
            return "V06"
        self.placed.update(figures)
        return None

    def _suits(self, figures: Figures, cell: int) -> bool:
        """Whether elephants, turtles and siege towers may stand there. Source: rules R-018, ruling KA64"""
        is_centre = self.field.centre is not None and self.field.centre.cell == cell
        return is_centre or all(
            self.field.cells[cell - 1] not in BANNED.get(kind_of(item).code, ()) for item in figures
        )

    def _building(self, cell: int) -> Work | None:
        works = self.window.land.works(self.place)
        return next((each for each in works if each.type in BUILDINGS and each.cell == cell), None)

    def _is_served(self, cell: int, figures: Figures) -> bool:
        """Whether gear has its crew on the same field, in this line or another one. Source: rules B13, ruling KA71"""
        need = sum(CREWS.get(item, 0) * count for item, count in figures.items())
        if not need:
            return True
        there = Counter[str]()
        for each in self.plan.places:
            if each.at.cell == cell and is_at(each.at, self.place):
                there.update(dict(each.figures))
        pieces = sum(CREWS.get(item, 0) * count for item, count in there.items())
        return warriors(there) >= pieces

    def _gate_flaw(self, line: GateOrder) -> str | None:
        """V02 for another ruler's gate, or for none; V20 for an impossible one. Source: rules 32.2, B13"""
        if not is_at(line.at, self.place):
            return "V02"
        edge = Edge(line.at.cell, line.side)
        for work in self.window.land.works(self.place):
            if work.type == "Ma" and work.has_gate and edge.is_same(work.edge):
                return None
            if work.type in BUILDINGS and work.cell is not None:
                gates = work.gates or (usual_gate(work.cell, self.field.centre),)
                if any(edge.is_same(gate) for gate in gates):
                    return None
        return "V02"

    def _fire_flaw(self, line: Fire) -> str | None:
        """V28 for anything but onagers; V02 for more than there are, or a wall where none is known.

        Source: rules B11
        """
        figures = dict(line.figures)
        if set(figures) != {"On"}:
            return "V28"
        here = gf_of(self.place)
        if line.at.gf is not None and gf_of(line.at.gf) not in (here, *neighbours_of(here)):
            return "V02"  # no site reaches so far from there
        flaw = self._named_flaw(figures, self.firing)
        if flaw is not None or line.side is None:
            return flaw or (None if line.at.level in ("", INSIDE) else "V20")
        edge = Edge(line.at.cell, line.side)
        for gf in self._attacked(line.at):
            works = self.window.sight(self.ruler)[1].field(gf).works
            if not any(work.type in ("Ma", "Br") and edge.is_same(work.edge) for work in works):
                return "V02"
        return None

    def _attacked(self, spot: Spot) -> Iterator[Province]:
        """The field that a line about enemies is for: the named one, else the lowest attacked one.

        Source: rules R-121
        """
        if spot.gf is not None:
            yield spot.gf
            return
        attacked = sorted(
            entry.target
            for entry in self.window.entering
            if (entry.ruler, entry.source, entry.order.kind) == (self.ruler, self.place, WAR)
        )
        yield from attacked[:1]

    def _named_flaw(self, figures: Figures, named: Counter[str]) -> str | None:
        if not is_part(figures, self.figures):
            return "V02"
        if not is_part(plus(named, figures), self.figures):
            return "V31"
        named.update(figures)
        return None

    def _spot_flaw(self, aim: Aim) -> str | None:
        """V20 if a figure is placed where the ruler knows that it can't stand."""
        if aim.at is None:
            return None
        for gf in self._fields_of(aim, aim.at):
            letter = self.window.sight(self.ruler)[1].field(gf).cells[aim.at.cell - 1]
            if letter != UNSEEN and not TERRAIN[letter].is_land:
                return "V20"
        return None

    def _fields_of(self, aim: Aim, spot: Spot) -> Iterator[Province]:
        if spot.gf is not None:
            yield spot.gf
        elif aim.what == GUARD:
            yield self.place
        elif aim.what == TAKE:
            yield from self._attacked(spot)

    def _phalanx_flaw(self, spot: Spot) -> str | None:
        """If anybody is placed there, it has to be four warriors of one kind and nobody else. Source: rules B8"""
        if not is_at(spot, self.place):
            return self._form_flaw(spot)
        placed = [each for each in self.stood if isinstance(each, Placing) and each.at.cell == spot.cell]
        there = Counter[str]()
        for each in placed:
            there.update(dict(each.figures))
        if placed and not (
            len(there) == 1 and set(there.values()) == {PHALANX_SIZE} and _is_warrior(next(iter(there)))
        ):
            return "V02"
        return None if spot.cell in self.cells and self.room(spot.cell) >= PHALANX_SIZE else "V20"

    def _form_flaw(self, spot: Spot) -> str | None:
        """V20 if a phalanx is to form in battle where the ruler knows that it has no room. Rules B8, R-121"""
        assert spot.gf is not None, "another field"
        field = self.window.sight(self.ruler)[1].field(spot.gf)
        letter = field.cells[spot.cell - 1]
        is_centre = field.centre is not None and field.centre.cell == spot.cell
        return None if letter == UNSEEN or is_centre or TERRAIN[letter].room >= PHALANX_SIZE else "V20"

    def room(self, cell: int, level: str = "") -> int:
        """How many REH a small field, or the storeys of a building, have room for. Source: rules 12.1, B15"""
        building = self._building(cell)
        if building is not None:
            return FULL_ROOM * (WORKS[building.type].storeys if level == INSIDE else 1)
        centre = self.field.centre
        return FULL_ROOM if centre is not None and centre.cell == cell else TERRAIN[self.field.cells[cell - 1]].room

    def meant(self, name: str) -> Iterable[str]:
        """The items that an aim is for; `ALL`: those of figures in no group, of those who attack if some do.

        Ruling KA283
        """
        lines: list[Placing | Band] = [each for each in self.plan.places if each.group and name in (ALL, each.group)]
        lines += [each for each in self.plan.groups if name in (ALL, each.name)]
        grouped = Counter[str]()
        for line in lines:
            grouped.update(dict(figures_of(line)))
        if name != ALL:
            return grouped
        going = Counter[str]()
        for entry in self.window.entering if _block(self.lines[0][0]).kind == BATTLE else ():
            if (entry.ruler, entry.source, entry.order.kind) == (self.ruler, self.place, WAR):
                going.update(dict(entry.order.figures))
        return Counter(going or self.figures) - grouped


def _are_connected(fields: Sequence[Spot]) -> bool:
    """Whether the fields of a spell touch; those of several great fields may do so over a border. Rules 19.3"""
    if not fields or len({spot.gf for spot in fields}) > 1:
        return True
    cells = {spot.cell for spot in fields}
    found, frontier = set[int](), [fields[0].cell]
    while frontier:
        cell = frontier.pop()
        if cell not in found:
            found.add(cell)
            frontier += [other for other in inner_neighbours(cell) if other in cells]
    return found == cells


def _is_bow(item: str) -> bool:
    return _is_warrior(item) and kind_of(item).weapon == "B"


def _strikes(item: str) -> bool:
    return _is_warrior(item) and not _is_bow(item)


def _is_warrior(item: str) -> bool:
    return kind_of(item).is_warrior
