"""The lines of a plan apart from groups and their places, step by step: aims, phalanxes, gates, onagers, spells, sides.

Each way through the steps ends in the whole plan, with the chosen line in it.

Source: rules 16.1, 32, R-121
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from engine.core.orders import Choice, Menu
from engine.core.phrases import phrase
from engine.core.shortlists import LONGEST
from engine.kalevala.battle.kinds import ONAGER, STORMING
from engine.kalevala.board import others
from engine.kalevala.coordinates import Edge, Province, gf_of
from engine.kalevala.figures import Figures, count_of, format_figures, kind_of, minus
from engine.kalevala.land import land_of, usual_gate
from engine.kalevala.model import View
from engine.kalevala.modules import has_module
from engine.kalevala.planes.facts import mystic_in
from engine.kalevala.priests.facts import PRAYERS, priests_among
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.steps.planning import PHALANX_SIZE, WIZARD
from engine.kalevala.tables import BUILDINGS, DRAGON, TERRAIN, UNSEEN
from engine.kalevala.war import room as war_room
from engine.kalevala.war.plans import (
    ALL,
    AVOID,
    GUARD,
    HOLD,
    KILL,
    LAST_ROUND,
    RAM,
    RESERVE,
    SACK,
    SHOOT,
    SIEGE,
    STORM,
    TAKE,
    TO_MYSTIC,
    Aim,
    Band,
    Cast,
    Challenge,
    Detail,
    Enslave,
    Fire,
    Flee,
    Forced,
    GateOrder,
    PalaceTaking,
    Phalanx,
    Placing,
    Plunder,
    Prayer,
    Raze,
    Sided,
    Spot,
    Strike,
)
from engine.kalevala.war.plans import Counter as Countering
from engine.kalevala.war.room import Camp
from engine.kalevala.wizards.doors import does
from engine.kalevala.wizards.spells import BEINGS, DISPLACE, FORCED, SPELL, SPELLS, STORE, Meant, Spell, known_of
from engine.lattice.great_fields import CELLS, Side, distance, inner_neighbours

Say = Callable[..., str]
WAITS = (2, 3, 4, 6)
"""The rounds until which a reserve can hold, as the menus offer them."""
_COUNTERS = (1, 5, 15, 20, 30)
"""From how many ZEH on enemies' spells are broken, as the menus offer it; 10 is usual."""
_WIDE = (Meant.OWN, Meant.FOE)
"""Spells that can be cast on several fields."""
_LIMITS = (10, 20, 30, 50)
"""How many ZEH the menus let a spell cost."""
_FARTHEST = {DISPLACE: 6, BEINGS: STORE // SPELL[BEINGS].base}
"""How far spells can move figures. Source: R-053"""
_RANKS = "phalanx"
"""The name of the group for figures placed as a phalanx."""


@dataclass(frozen=True, slots=True)
class Twig:
    """A choice; `then`: the next step, or the plan that results."""

    value: str
    label: str
    then: Fork | Callable[[], Fork] | Sequence[Detail]


@dataclass(frozen=True, slots=True)
class Fork:
    """A question with its choices."""

    prompt: str
    twigs: tuple[Twig, ...]

    @property
    def menu(self) -> Menu:
        """The menu that asks the question."""
        return Menu(phrase(f"menu.{self.prompt}"), tuple(Choice(twig.value, twig.label) for twig in self.twigs))


Found: TypeAlias = Fork | Sequence[Detail] | None


def walk(twigs: Iterable[Twig], path: Sequence[str]) -> Found:
    """Where some choices lead; `None`: one of them was not offered."""
    first, *rest = path
    twig = next((each for each in twigs if each.value == first), None)
    if twig is None:
        return None
    then = twig.then() if callable(twig.then) else twig.then
    if not rest:
        return then
    return walk(then.twigs, rest) if isinstance(then, Fork) else None


@dataclass(frozen=True, slots=True)
class PlanLines:
    """What can be added to the plan of a camp, or removed from it."""

    view: View
    camp: Camp
    details: tuple[Detail, ...]
    say: Say

    def twigs(self) -> Iterator[Twig]:
        """The kinds of lines that make sense here."""
        yield from self._wishes()
        kinds = (
            ("PHALANX", "plan_close", self._ranks),
            ("GATE", "plan_which_gate", self._gates),
            ("FIRE", "plan_at_what", self._targets),
            ("SIDE", "plan_for_whom", self._sides),
            ("DROP", "plan_which_line", self._dropped),
        )
        for value, prompt, make in kinds:
            found = tuple(make())
            if found:
                yield Twig(value, self.say(f"plan_{value}"), Fork(prompt, found))

    def _line(self, value: str, label: str, *added: Detail) -> Twig:
        return Twig(value, label, (*self.details, *added))

    def _wishes(self) -> Iterator[Twig]:
        kinds = {type(detail) for detail in self.details}
        if Flee not in kinds:
            yield self._line("FLEE", self.say("plan_FLEE"), Flee())
        if has_module(self.view.state, "slaves") and Enslave not in kinds:
            yield self._line("SLAVES", self.say("plan_SLAVES"), Enslave())
        if not self.camp.against:
            return
        for what, value in (("RE", "PLUNDER"), ("GOODS", "GOODS")):
            if Plunder(what) not in self.details:
                kept = [each for each in self.details if not isinstance(each, Plunder)]
                yield Twig(value, self.say(f"plan_{value}"), (*kept, Plunder(what)))
        if has_module(self.view.state, "king") and PalaceTaking not in kinds:
            yield self._line("PALACE", self.say("plan_PALACE"), PalaceTaking(SACK))
        if Raze not in kinds:
            yield self._line("RAZE", self.say("plan_RAZE"), Raze())

    def _dropped(self) -> Iterator[Twig]:
        """Lines that can be removed; those that make no sense without one go with it."""
        for number, line in enumerate(self.details, 1):
            left = tuple(each for each in self.details if each is not line)
            yield Twig(f"{number}", f"{line}"[:LONGEST], left)

    # Aims

    def aims(self, name: str, figures: Figures, first: int = 1, last: int = LAST_ROUND) -> Fork:
        """What a group can be ordered to do, from a round on or until one."""
        found = (replace(aim, first=first, last=last) for aim in self._aims(name, figures))
        twigs = [Twig(str(aim), self.say(f"plan_aim_{aim.what}", round=aim.wait), self._with(aim)) for aim in found]
        spots = tuple(self._goals(name, first, last))
        if spots and not _shoots(figures):
            label = self.say("plan_aim_field")
            twigs.append(Twig("KF", label, Fork("plan_to_where", spots)))
        if (first, last) == (1, LAST_ROUND):
            later = self._rounds(range(2, LAST_ROUND + 1), lambda number: self.aims(name, figures, first=number))
            twigs.append(Twig("FROM", self.say("plan_later"), Fork("plan_from_round", later)))
            sooner = self._rounds(range(1, LAST_ROUND), lambda number: self.aims(name, figures, last=number))
            twigs.append(Twig("UNTIL", self.say("plan_sooner"), Fork("plan_until_round", sooner)))
        return Fork("plan_aim", tuple(twigs))

    def _rounds(self, numbers: Iterable[int], then: Callable[[int], Fork]) -> tuple[Twig, ...]:
        return tuple(Twig(str(each), self.say("plan_round", round=each), partial(then, each)) for each in numbers)

    def _aims(self, name: str, figures: Figures) -> Iterator[Aim]:
        """The aims that make sense for figures: archers who hold or storm don't shoot."""
        if _shoots(figures):
            yield from (Aim(name, SHOOT), Aim(name, AVOID))
            return
        reserves = (Aim(name, RESERVE, wait=wait) for wait in WAITS)
        if not self.camp.against:
            yield from (Aim(name, GUARD), Aim(name, HOLD), Aim(name, KILL), *reserves)
            return
        if craft_among(self.camp.figures):
            yield from (Aim(name, TAKE), Aim(name, KILL), Aim(name, SHOOT), Aim(name, RAM), Aim(name, HOLD))
            return
        gear = any(kind_of(item).code in STORMING for item in figures)
        storms = (Aim(name, STORM), Aim(name, SIEGE)) if gear or self._holds() else ()
        if gear:
            yield from storms
        yield from (Aim(name, TAKE), Aim(name, KILL), Aim(name, HOLD))
        if not gear:
            yield from storms
        yield from reserves

    def _holds(self) -> bool:
        """Whether the viewer knows of buildings in the attacked land."""
        land = land_of(self.view.state)
        return any(work.type in BUILDINGS for place in self.camp.against for work in land.works(place))

    def _goals(self, name: str, first: int, last: int) -> Iterator[Twig]:
        """Fields to go for, or to guard."""
        what = TAKE if self.camp.against else GUARD
        for spot in self._fields(self.camp.against or (self.camp.at,)):
            aim = Aim(name, what, spot, first=first, last=last)
            yield Twig(
                str(spot), self.say("plan_spot", gf=gf_of(spot.gf or self.camp.at), cell=spot.cell), self._with(aim)
            )

    def _with(self, aim: Aim) -> Sequence[Detail]:
        """The plan with an aim in place of the group's previous one for the same rounds; later rounds come last."""
        before = [each for each in self.details if isinstance(each, Aim) and each.name == aim.name]
        kept = [each for each in self.details if each not in before]
        theirs = [each for each in before if (each.first, each.last) != (aim.first, aim.last)]
        return (*kept, *sorted((*theirs, aim), key=lambda each: (each.first, each.last)))

    def _fields(self, places: Iterable[Province]) -> Iterator[Spot]:
        """The small fields of some provinces where somebody can stand, as far as the viewer knows."""
        land = land_of(self.view.state)
        for place in places:
            field = land.field(place)
            for cell in sorted(land.cells(place)):
                letter = field.cells[cell - 1]
                if letter == UNSEEN or TERRAIN[letter].is_land:
                    yield Spot(cell, Province(gf_of(place)))

    # Phalanxes

    def _ranks(self) -> Iterator[Twig]:
        """Where four of a kind are, or can be placed; and changes of planned phalanxes."""
        formed = {each.at for each in self.details if isinstance(each, Phalanx)}
        for at in sorted(formed, key=str):
            if Strike(at) not in self.details:
                yield self._line(f"STRIKE {at}", self.say("plan_strike", cell=at.cell), Strike(at))
        there: dict[Spot, Counter[str]] = {}
        for each in self.details:
            if isinstance(each, Placing):
                there.setdefault(Spot(each.at.cell), Counter()).update(dict(each.figures))
        for at, figures in there.items():
            if is_phalanx(figures) and at not in formed and self._has_room(at.cell):
                yield self._faced(at, dict(figures), self.details)
        recruits = self._recruits()
        if recruits is None:
            return
        item, made = recruits
        for cell in self._free(there):
            placed = Placing(Spot(cell), ((item, PHALANX_SIZE),), _RANKS)
            if Spot(cell) not in formed:
                yield self._faced(Spot(cell), {item: PHALANX_SIZE}, (placed, *made))

    def _recruits(self) -> tuple[str, tuple[Detail, ...]] | None:
        """Four men of a kind who are not placed yet, and the plan without them in another group."""
        placed = Counter[str]()
        for each in self.details:
            if isinstance(each, Placing):
                placed.update(dict(each.figures))
        left = minus(self.camp.figures, {item: min(n, self.camp.figures.get(item, 0)) for item, n in placed.items()})
        men = {item: count for item, count in war_room.parted(left)[1].items() if count >= PHALANX_SIZE}
        if not men:
            return None
        item = max(men, key=lambda each: men[each])
        grouped = sum(dict(each.figures).get(item, 0) for each in self.details if isinstance(each, Band))
        lacking = PHALANX_SIZE - (men[item] - grouped)
        made: list[Detail] = []
        for each in self.details:
            count = dict(each.figures).get(item, 0) if isinstance(each, Band) else 0
            taken = min(count, max(lacking, 0))
            if isinstance(each, Band) and taken:
                lacking -= taken
                rest = {code: n - taken * (code == item) for code, n in each.figures}
                each = replace(each, figures=tuple((code, n) for code, n in rest.items() if n))
                if not each.figures:
                    continue
            made.append(each)
        return item, tuple(made)

    def _free(self, there: Iterable[Spot]) -> Iterator[int]:
        """Empty fields with room for four, nearest to the expected fighting first."""
        land = land_of(self.view.state)
        taken = {spot.cell for spot in there}
        built = {work.cell for work in land.works(self.camp.at) if work.type in BUILDINGS}
        cells = [cell for cell in land.cells(self.camp.at) if cell not in taken | built and self._has_room(cell)]
        goals = [cell for cell in (land.centre(self.camp.at),) if cell is not None and cell.cell is not None]
        middle = goals[0].cell if goals and goals[0].cell is not None else 19
        yield from sorted(cells, key=lambda cell: (distance(cell, middle), cell))

    def _has_room(self, cell: int) -> bool:
        land = land_of(self.view.state)
        field, centre = land.field(self.camp.at), land.centre(self.camp.at)
        if any(work.cell == cell and work.type in BUILDINGS for work in land.works(self.camp.at)):
            return False
        letter = TERRAIN[field.cells[cell - 1]]
        return letter.is_land and (letter.room >= PHALANX_SIZE or (centre is not None and centre.cell == cell))

    def _faced(self, at: Spot, figures: Figures, details: Sequence[Detail]) -> Twig:
        """A phalanx, and which way it faces."""
        ahead = (
            Twig("AHEAD", self.say("plan_ahead"), (*details, Phalanx(at))),
            Twig("STRIKE", self.say("plan_ahead_strike"), (*details, Phalanx(at), Strike(at))),
        )
        sides = (
            Twig(side.name, self.say("plan_facing", side=side.name), (*details, Phalanx(at, side))) for side in Side
        )
        step = Fork("plan_facing_where", (*ahead, *sides))
        label = self.say("plan_ranks", cell=at.cell, figures=format_figures(figures))
        return Twig(str(at.cell), label, step)

    # Works

    def _gates_of(self, place: Province) -> Iterator[tuple[str, Edge]]:
        """The known gates of a province, each with its work."""
        land = land_of(self.view.state)
        for work in land.works(place):
            if work.type == "Ma" and work.has_gate and work.edge is not None:
                yield work.type, work.edge
            elif work.type in BUILDINGS and work.cell is not None:
                for gate in work.gates or (usual_gate(work.cell, land.field(place).centre),):
                    yield work.type, gate

    def _gates(self) -> Iterator[Twig]:
        """The ruler's gates, to be opened or shut in a round."""
        for kind, gate in self._gates_of(self.camp.at):
            for is_open in (True, False):
                what = "OPEN" if is_open else "SHUT"
                orders = [GateOrder(Spot(gate.cell), gate.side, is_open, number) for number in range(1, LAST_ROUND + 1)]
                rounds = tuple(
                    self._line(str(each.round), self.say("plan_round", round=each.round), each)
                    for each in orders
                    if each not in self.details
                )
                label = self.say(f"plan_gate_{what}", gate=f"{gate}", work=phrase(f"work.{kind}"))
                yield Twig(f"{gate} {what}", label, Fork("plan_when", rounds))

    def _targets(self) -> Iterator[Twig]:
        """What onagers can throw at: known buildings, walls and bridges, else the attacked trade centre."""
        fires = [each for each in self.details if isinstance(each, Fire)]
        left = self.camp.figures.get(ONAGER, 0) - sum(count for each in fires for _, count in each.figures)
        if not self.camp.figures.get(ONAGER, 0):
            return
        for spot, side, label in self._known_works() if left > 0 else ():
            counts = tuple(
                self._line(str(count), self.say("plan_onagers", count=count), Fire(((ONAGER, count),), spot, side))
                for count in range(left, 0, -1)
            )
            value = f"{spot}" if side is None else f"{spot}/{side.name}"
            whole = counts[0].then
            yield Twig(value, label, whole if left == 1 else Fork("plan_how_many", counts))
        if fires:
            yield Twig("BEST", self.say("plan_fire_best"), tuple(each for each in self.details if each not in fires))

    def _known_works(self) -> Iterator[tuple[Spot, Side | None, str]]:
        land = land_of(self.view.state)
        for place in self.camp.against or (self.camp.at,):
            gf, built = Province(gf_of(place)), False
            for work in land.field(place).works:
                if work.type in BUILDINGS and work.cell is not None and self.camp.against:
                    built = True
                    label = self.say("plan_fire_at", work=phrase(f"work.{work.type}"), gf=gf, place=work.cell)
                    yield Spot(work.cell, gf), None, label
                elif work.type in ("Ma", "Br") and work.edge is not None:
                    label = self.say("plan_fire_at", work=phrase(f"work.{work.type}"), gf=gf, place=f"{work.edge}")
                    yield Spot(work.edge.cell, gf), work.edge.side, label
            centre = land.centre(place)
            if self.camp.against and not built and centre is not None and centre.cell is not None:
                label = self.say("plan_fire_field", gf=gf, cell=centre.cell)
                yield Spot(centre.cell, gf), None, label

    # Sides and wizards

    def _sides(self) -> Iterator[Twig]:
        """The rulers for whom guests can fight; at home there is no choice."""
        host = self.view.state.owners.get(self.camp.at)
        if self.camp.against or host is None or host == self.view.viewer:
            return
        kept = [each for each in self.details if not isinstance(each, Sided)]
        for ruler in others(self.view.state, self.view.viewer):
            if Sided(ruler) not in self.details:
                yield Twig(ruler, self.say("plan_side", ruler=ruler), (*kept, Sided(ruler)))

    @property
    def wizard(self) -> str:
        """The wizard who goes along; empty if none does."""
        return next((item for item in self.camp.figures if kind_of(item).code == WIZARD), "")

    @property
    def priests(self) -> list[str]:
        """The priests who go along, the one with most ZEH first."""
        return priests_among(self.camp.figures)[::-1]

    def prayers(self) -> Fork:
        """Other prayers: wherever they do most, or for a field or round of the player's choice."""
        twigs = []
        for prayer in PRAYERS:
            label = self.say("plan_prayer", prayer=prayer.name, what=phrase(f"door.priests.does_{prayer.name}"))
            best = Prayer(prayer.name, is_each=True)
            twigs.append(Twig(str(best), label, self._prayed(best)))
        chosen = tuple(
            Twig(prayer.name, self.say("plan_prayer_at", prayer=prayer.name), partial(self._prayed_on, prayer))
            for prayer in PRAYERS
        )
        twigs.append(Twig("AT", self.say("plan_pray_at"), Fork("plan_which_prayer", chosen)))
        twigs.append(Twig("COUNTER", self.say("plan_DEFY"), Fork("plan_from_zeh", self._counters())))
        return Fork("plan_prayers", tuple(twigs))

    def _prayed_on(self, prayer: Spell) -> Fork:
        places = (self.camp.at,) if prayer.meant is Meant.CASTLE else (*self.camp.against, self.camp.at)
        spots = [Twig("BEST", self.say("plan_best_near"), partial(self._prayed_in, Prayer(prayer.name)))]
        for spot in self._fields(places):
            line = Prayer(prayer.name, (spot,))
            label = self.say("plan_spot", gf=spot.gf, cell=spot.cell)
            spots.append(Twig(str(spot), label, partial(self._prayed_in, line)))
        return Fork("plan_on_which", tuple(spots))

    def _prayed_in(self, line: Prayer) -> Fork:
        each = replace(line, is_each=True)
        twigs = [
            Twig("ANY", self.say("plan_first_chance"), self._prayed(line)),
            Twig("EACH", self.say("plan_each_round"), self._prayed(each)),
        ]
        for number in range(1, LAST_ROUND + 1):
            due = replace(line, round=number)
            twigs.append(Twig(str(number), self.say("plan_round", round=number), self._prayed(due)))
        return Fork("plan_when", tuple(twigs))

    def _prayed(self, line: Prayer) -> Sequence[Detail]:
        """The plan with a prayer; those for one round come before those for any."""
        kept = [each for each in self.details if not isinstance(each, Prayer)]
        prayers = [each for each in self.details if isinstance(each, Prayer) and each != line]
        return (*kept, *sorted((*prayers, line), key=lambda each: each.round or LAST_ROUND + 1))

    def _counters(self) -> tuple[Twig, ...]:
        """From how many ZEH on enemies' spells are broken."""
        rest = [each for each in self.details if not isinstance(each, Countering)]
        return tuple(
            Twig(str(least), self.say("plan_least", zeh=least), (*rest, Countering(least))) for least in _COUNTERS
        )

    def magic(self) -> Fork:
        """What the wizard does, in place of what the plan had him do in the same rounds."""
        known = SPELLS[: known_of(self.wizard)]
        twigs = []
        for spell in known:
            if spell.meant in (Meant.FOE, Meant.OWN):
                cast = Cast(spell.name, spell.meant is Meant.OWN, is_each=True)
                label = self.say("plan_spell", spell=spell.name, what=does(spell))
                twigs.append(Twig(str(cast), label, self._conjured(cast)))
        for rival in others(self.view.state, self.view.viewer):
            dare = Challenge(rival)
            twigs.append(Twig(str(dare), self.say("plan_challenge", ruler=rival), self._conjured(dare)))
        chosen = tuple(self._chosen_spells(known))
        if chosen:
            twigs.append(Twig("AT", self.say("plan_cast_at"), Fork("plan_which_spell", chosen)))
        forced = [each for each in known if each.meant in (Meant.OWN, Meant.FOE) and each.base <= FORCED]
        kept = [each for each in self.details if not isinstance(each, Forced)]
        triples = tuple(
            Twig(each.name, self.say("plan_spell", spell=each.name, what=does(each)), (*kept, Forced(each.name)))
            for each in forced
        )
        if mystic_in(self.camp.figures):
            triples += (Twig(TO_MYSTIC, self.say("plan_to_mystic"), (*kept, Forced(TO_MYSTIC))),)
        if triples:
            twigs.append(Twig("TRIPLE", self.say("plan_TRIPLE"), Fork("plan_which_triple", triples)))
        twigs.append(Twig("COUNTER", self.say("plan_COUNTER"), Fork("plan_from_zeh", self._counters())))
        return Fork("plan_magic", tuple(twigs))

    def _conjured(self, line: Cast | Challenge) -> Sequence[Detail]:
        """The plan with a line for the wizard; those for one round come before those for any."""
        kept = [each for each in self.details if not isinstance(each, Cast | Challenge)]
        magic = [each for each in self.details if isinstance(each, Cast | Challenge)]
        if line.round:
            theirs = [each for each in magic if each.round != line.round]
        else:
            theirs = [] if line.is_each or isinstance(line, Challenge) else [each for each in magic if not each.is_each]
        return (*kept, *sorted((*theirs, line), key=lambda each: each.round or LAST_ROUND + 1))

    def _chosen_spells(self, known: Iterable[Spell]) -> Iterator[Twig]:
        """A spell with its field, its goal if it moves somebody, and its round."""
        for spell in known:
            if spell.name == BEINGS and not self._sees_dragons():
                continue
            meant = {Meant.OWN: (True,), Meant.SHIP: (True,), Meant.MOVED: (False, True)}.get(spell.meant, (False,))
            for is_own in meant:
                whose = "own" if is_own else "foe"
                code = f"plan_spell_{whose}" if spell.meant is Meant.MOVED else "plan_spell"
                if next(self._aimed_spells(spell, is_own=is_own), None) is not None:
                    label = self.say(code, spell=spell.name, what=does(spell))
                    yield Twig(f"{spell.name} {whose.upper()}", label, partial(self._on_which, spell, is_own=is_own))

    def _sees_dragons(self) -> bool:
        """Whether there is any fabulous being, as far as the viewer knows."""
        stacks = (stack for stacks in self.view.state.stacks.values() for stack in stacks.values())
        return any(count_of(stack, DRAGON) for stack in stacks)

    def _on_which(self, spell: Spell, *, is_own: bool) -> Fork:
        return Fork("plan_on_which", tuple(self._aimed_spells(spell, is_own=is_own)))

    def _aimed_spells(self, spell: Spell, *, is_own: bool) -> Iterator[Twig]:
        places = (*self.camp.against, self.camp.at)
        if spell.meant is Meant.GATE:
            for place in places:
                gf = Province(gf_of(place))
                for kind, gate in self._gates_of(place):
                    cast = Cast(spell.name, is_own, (Spot(gate.cell, gf),), side=gate.side)
                    label = self.say("plan_fire_at", work=phrase(f"work.{kind}"), gf=gf, place=f"{gate}")
                    yield self._timed(f"{gf}:{gate}", label, cast)
            return
        if spell.meant is Meant.SHIP:
            if any(item.startswith("SS") for item in craft_among(self.camp.figures)):
                yield self._timed("BEST", self.say("plan_best_ship"), Cast(spell.name, is_own))
            return
        if spell.meant in (Meant.OWN, Meant.FOE):
            yield self._timed("BEST", self.say("plan_best"), Cast(spell.name, is_own))
        spots = list(self._fields(places))
        if spell.meant is Meant.RIVER:
            land = land_of(self.view.state)
            wet = {(gf_of(place), edge.cell) for place in places for edge in land.field(place).rivers}
            spots = [spot for spot in spots if (gf_of(spot.gf or self.camp.at), spot.cell) in wet]
        for spot in spots:
            label = self.say("plan_spot", gf=spot.gf, cell=spot.cell)
            cast = Cast(spell.name, is_own, (spot,))
            if spell.meant is Meant.MOVED:
                yield Twig(str(spot), label, partial(self._moved, spell, cast, spots))
                continue
            yield self._timed(str(spot), label, cast, *self._more(cast, spots))

    def _more(self, cast: Cast, spots: Sequence[Spot]) -> Iterator[Twig]:
        """More fields for a spell that can affect several: all next to the first one, or one by one."""
        if SPELL[cast.spell].meant not in _WIDE:
            return
        around = [each for each in spots if _are_beside(cast.fields[0], each)] if len(cast.fields) == 1 else []
        if around:
            wide = replace(cast, fields=(*cast.fields, *around))
            yield Twig("AROUND", self.say("plan_around"), partial(self._limited, wide))
        if any(_touches(cast.fields, each) for each in spots):
            yield Twig("ALSO", self.say("plan_also"), partial(self._next_field, cast, spots))

    def _next_field(self, cast: Cast, spots: Sequence[Spot]) -> Fork:
        """One more field of a spell, next to those that it has. Source: rules 19.3"""

        def grown(spot: Spot) -> Fork:
            wider = replace(cast, fields=(*cast.fields, spot))
            return self._limited(wider, *self._more(wider, spots))

        found = tuple(
            Twig(str(each), self.say("plan_spot", gf=each.gf, cell=each.cell), partial(grown, each))
            for each in spots
            if _touches(cast.fields, each)
        )
        return Fork("plan_on_which", found)

    def _moved(self, spell: Spell, cast: Cast, spots: Iterable[Spot]) -> Fork:
        """Where a spell moves the figures on its field."""
        (start,) = cast.fields
        goals = tuple(
            self._timed(str(goal), self.say("plan_spot", gf=goal.gf, cell=goal.cell), replace(cast, goal=goal))
            for goal in spots
            if goal.gf == start.gf
            and goal != start
            and distance(goal.cell, start.cell) <= _FARTHEST.get(spell.name, CELLS)
        )
        return Fork("plan_to_where", goals)

    def _limited(self, cast: Cast, *more: Twig) -> Fork:
        """What a spell on several fields may cost, and whether it gets more of them. Source: rules 19.3"""
        limits = (
            self._timed(str(most), self.say("plan_limit_zeh", zeh=most), replace(cast, most=most)) for most in _LIMITS
        )
        return Fork("plan_limit", (self._timed("WHOLE", self.say("plan_no_limit"), cast), *limits, *more))

    def _timed(self, value: str, label: str, cast: Cast, *more: Twig) -> Twig:
        """The round in which a spell is due.

        Args:
            more: what can be said about the spell before the round.
        """

        def rounds() -> Fork:
            each, first = replace(cast, is_each=True), self.say("plan_first_chance")
            twigs = [
                *more,
                Twig("ANY", first, self._conjured(cast)),
                Twig("EACH", self.say("plan_each_round"), self._conjured(each)),
            ]
            for number in range(1, LAST_ROUND + 1):
                due = replace(cast, round=number)
                twigs.append(Twig(str(number), self.say("plan_round", round=number), self._conjured(due)))
            return Fork("plan_when", tuple(twigs))

        return Twig(value, label, rounds)


def _are_beside(one: Spot, other: Spot) -> bool:
    return one.gf == other.gf and other.cell in inner_neighbours(one.cell)


def _touches(fields: Sequence[Spot], spot: Spot) -> bool:
    return spot not in fields and any(_are_beside(each, spot) for each in fields)


def is_phalanx(figures: Figures) -> bool:
    """Whether figures can close ranks: four of one kind, and nobody else. Source: rules B8"""
    return len(figures) == 1 and set(figures.values()) == {PHALANX_SIZE} and kind_of(next(iter(figures))).is_warrior


def consistent(details: Iterable[Detail]) -> tuple[Detail, ...]:
    """A plan without lines that no longer refer to anything: broken phalanxes, aims of groups that are gone."""
    lines = tuple(details)
    there: dict[int, Counter[str]] = {}
    for each in lines:
        if isinstance(each, Placing):
            there.setdefault(each.at.cell, Counter()).update(dict(each.figures))
    names = {each.group for each in lines if isinstance(each, Placing)}
    names |= {each.name for each in lines if isinstance(each, Band)} | {ALL}
    formed = {
        each.at
        for each in lines
        if isinstance(each, Phalanx)
        and (each.at.gf is not None or each.at.cell not in there or is_phalanx(dict(there[each.at.cell])))
    }

    def stands(line: Detail) -> bool:
        match line:
            case Phalanx(at=at) | Strike(at=at):
                return at in formed
            case Aim(name=name):
                return name in names
        return True

    return tuple(filter(stands, lines))


def _shoots(figures: Figures) -> bool:
    """Whether there are only archers, or onagers with their crews."""
    bows, men = war_room.parted(figures)
    return bool(bows and not men) or any(kind_of(item).code == ONAGER for item in figures)
