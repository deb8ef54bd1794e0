"""What the menus of a plan offer besides groups and aims: magic, onagers, gates, phalanxes, booty, the side of guests.

Each extra is a menu of lines that could stand in the block. Source: rules 32.2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.battle.fight import ONAGER
from engine.kalevala.battle.phalanxes import SIZE
from engine.kalevala.board import others
from engine.kalevala.coordinates import Edge, Province, gf_of, order_of
from engine.kalevala.figures import Figures, count_of, kind_of
from engine.kalevala.land import land_of, usual_gate
from engine.kalevala.model import View, Work
from engine.kalevala.plans import (
    INSIDE,
    LAST_ROUND,
    Cast,
    Challenge,
    Detail,
    Enslave,
    Fire,
    Flee,
    GateOrder,
    Phalanx,
    Placing,
    Plunder,
    Raze,
    Sided,
    Spot,
    Strike,
)
from engine.kalevala.spells import SPELLS, Meant, known_of, zeh_of
from engine.kalevala.tables import BUILDINGS
from engine.kalevala.war_room import Camp
from engine.kalevala.wizard_doors import does

WIZARD, FIRE, GATES, PHALANX, SIDE = "WIZARD", "FIRE", "GATES", "PHALANX", "SIDE"
_MOST = 24
"""More lines than a menu has room for are not offered."""
_ROUNDS = (1, 3, 5, 8)
"""The rounds in which menus open gates; by text any can be named."""
Say = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Extra:
    """One such menu.

    Args:
        label: how it is chosen.
        lines: what can be chosen in it, each with its label.
        replaces: the kinds of lines that it takes the place of.
    """

    label: str
    lines: Sequence[tuple[Detail, str]]
    replaces: tuple[type[Detail], ...] = field(default=())

    def changed(self, details: Sequence[Detail], text: str) -> tuple[Detail, ...] | None:
        """The plan with one of the lines; `None` if it is none of them."""
        chosen = next((line for line, _ in self.lines if str(line) == text), None)
        return None if chosen is None else (*(each for each in details if not isinstance(each, self.replaces)), chosen)


def extras_of(view: View, camp: Camp, details: Sequence[Detail], say: Say) -> dict[str, Extra]:
    """The menus that a camp has, by name; those without anything to choose are left out."""
    asked = _Asked(view, camp, tuple(details), say)
    found = {
        WIZARD: Extra(say("plan_wizard", zeh=zeh_of(asked.wizard)), tuple(asked.magic()), (Cast, Challenge)),
        FIRE: Extra(say("plan_fire"), tuple(islice(asked.targets(), _MOST)), (Fire,)),
        GATES: Extra(say("plan_gates"), tuple(islice(asked.gates(), _MOST))),
        PHALANX: Extra(say("plan_phalanx"), tuple(islice(asked.phalanxes(), _MOST))),
        SIDE: Extra(say("plan_side"), tuple(islice(asked.sides(), _MOST)), (Sided,)),
    }
    return {name: extra for name, extra in found.items() if extra.lines}


@dataclass(frozen=True, slots=True)
class _Asked:
    view: View
    camp: Camp
    details: tuple[Detail, ...]
    say: Say

    @property
    def wizard(self) -> str:
        """The wizard who goes along; empty: none does."""
        return next((item for item in self.camp.figures if kind_of(item).code == "Z"), "")

    def magic(self) -> Iterator[tuple[Detail, str]]:
        """Spells on the best field in every round, and duels."""
        if not self.wizard:
            return
        for spell in SPELLS[: known_of(self.wizard)]:
            if spell.meant in (Meant.FOE, Meant.OWN):
                cast = Cast(spell.name, spell.meant is Meant.OWN, is_each=True)
                yield cast, self.say("plan_spell", spell=spell.name, what=does(spell))
        for rival in others(self.view.state, self.view.viewer):
            yield Challenge(rival), self.say("plan_challenge", ruler=rival)

    def targets(self) -> Iterator[tuple[Detail, str]]:
        """All onagers at one building, wall or bridge that scouts have seen. Source: rules B11"""
        onagers = {ONAGER: count_of(self.camp.figures, ONAGER)}
        if not onagers[ONAGER]:
            return
        land = land_of(self.view.state)
        for place in sorted(self.camp.against, key=order_of):
            gf = Province(gf_of(place))
            for work in land.works(place):
                words = {"work": phrase(f"work.{work.type}"), "gf": gf}
                if work.type in BUILDINGS and work.cell is not None:
                    fire = Fire(tuple(onagers.items()), Spot(work.cell, gf))
                    yield fire, self.say("plan_fire_at", cell=work.cell, **words)
                    within = Fire(fire.figures, Spot(work.cell, gf, INSIDE))
                    yield within, self.say("plan_fire_within", cell=work.cell, **words)
                elif work.type in ("Ma", "Br") and work.edge is not None:
                    fire = Fire(tuple(onagers.items()), Spot(work.edge.cell, gf), work.edge.side)
                    yield fire, self.say("plan_fire_wall", edge=str(work.edge), **words)

    def gates(self) -> Iterator[tuple[Detail, str]]:
        """Own gates to be opened, or shut again, in a round; a defender's. Source: rules B13"""
        if self.camp.against:
            return
        standing = {str(each) for each in self.details if isinstance(each, GateOrder)}
        for edge in self._own_gates():
            opened = [
                each.round
                for each in self.details
                if isinstance(each, GateOrder) and each.is_open and edge.is_same(Edge(each.at.cell, each.side))
            ]
            for round_ in _ROUNDS:
                # What was opened in a plan can be shut later in it.
                is_open = not opened or round_ <= min(opened)
                line = GateOrder(Spot(edge.cell), edge.side, is_open, round_)
                if str(line) not in standing:
                    code = "plan_gate_open" if is_open else "plan_gate_shut"
                    yield line, self.say(code, edge=str(edge), round=round_, last=LAST_ROUND)

    def _own_gates(self) -> Iterator[Edge]:
        land = land_of(self.view.state)
        centre = land.centre(self.camp.at)
        for work in land.works(self.camp.at):
            if work.type in BUILDINGS and work.cell is not None and work.paid is None:
                yield from work.gates or (usual_gate(work.cell, centre),)
            elif _is_gated_wall(work) and work.edge is not None:
                yield work.edge

    def phalanxes(self) -> Iterator[tuple[Detail, str]]:
        """Fields on which the plan places four warriors of one kind on foot; the power strike of those who form one."""
        formed = {each.at for each in self.details if isinstance(each, Phalanx)}
        struck = {each.at for each in self.details if isinstance(each, Strike)}
        for spot, figures in self._placed().items():
            if spot in formed:
                if spot not in struck:
                    yield Strike(spot), self.say("plan_strike", cell=spot.cell)
            elif len(figures) == 1 and set(figures.values()) == {SIZE} and kind_of(next(iter(figures))).is_warrior:
                yield Phalanx(spot), self.say("plan_phalanx_at", cell=spot.cell, figures=_named(figures))

    def _placed(self) -> Mapping[Spot, Figures]:
        found: dict[Spot, Counter[str]] = {}
        for each in self.details:
            if isinstance(each, Placing) and not each.at.level:
                found.setdefault(each.at, Counter()).update(dict(each.figures))
        return found

    def sides(self) -> Iterator[tuple[Detail, str]]:
        """For whom guests fight, if not for their host. Source: rules 15.2"""
        state, viewer = self.view.state, self.view.viewer
        host = state.owners.get(self.camp.at)
        if self.camp.against or host in (None, viewer):
            return
        for ruler in others(state, viewer):
            if ruler != host:
                yield Sided(PowerId(ruler)), self.say("plan_side_of", ruler=ruler)


def _is_gated_wall(work: Work) -> bool:
    return work.type == "Ma" and work.has_gate


def _named(figures: Figures) -> str:
    return " ".join(f"{count}{item}" for item, count in figures.items())


WISHES: Mapping[str, Detail] = {
    "FLEE": Flee(),
    "PLUNDER": Plunder("RE"),
    "GOODS": Plunder("GOODS"),
    "SLAVES": Enslave(),
    "RAZE": Raze(),
}
"""What is said in one press; of one kind only one stands."""
OF_ATTACKS = ("PLUNDER", "GOODS", "RAZE")
NO_MORE = "NO "
"""Begins the choice that takes a wish back."""
