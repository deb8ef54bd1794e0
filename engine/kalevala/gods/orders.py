"""Orders to a god, as values. Source: rules 24, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Named, format_figures


@dataclass(frozen=True, slots=True)
class GodCreate:
    """`GOD CREATE "text" WEAK gf KF k`: who he is, and where his weak spot lies."""

    text: str
    at: Province
    cell: int

    def __str__(self) -> str:
        return f'GOD CREATE "{self.text}" WEAK {self.at} KF {self.cell}'


@dataclass(frozen=True, slots=True)
class GodLearn:
    """`GOD LEARN ability`."""

    ability: str

    def __str__(self) -> str:
        return f"GOD LEARN {self.ability}"


@dataclass(frozen=True, slots=True)
class GodMove:
    """`GOD MOVE n`: to a field of Archeron that he scouted in the round before."""

    field: int

    def __str__(self) -> str:
        return f"GOD MOVE {self.field}"


@dataclass(frozen=True, slots=True)
class GodScout:
    """`GOD SCOUT` scouts once, `GOD SCOUT 2` twice."""

    times: int = 1

    def __str__(self) -> str:
        return "GOD SCOUT" if self.times == 1 else f"GOD SCOUT {self.times}"


@dataclass(frozen=True, slots=True)
class GodAura:
    """`GOD AURA`: an attempt to lay his aura on the field where he is."""

    def __str__(self) -> str:
        return "GOD AURA"


@dataclass(frozen=True, slots=True)
class GodEnter:
    """`GOD ENTER n`: into a field of Archeron, even if another god is there."""

    field: int

    def __str__(self) -> str:
        return f"GOD ENTER {self.field}"


@dataclass(frozen=True, slots=True)
class GodAppear:
    """`GOD APPEAR gf FOR who AGAINST who ability,..`: into a battle, with one ability a round."""

    at: Province
    helped: str
    against: str
    abilities: tuple[str, ...]

    def __str__(self) -> str:
        return f"GOD APPEAR {self.at} FOR {self.helped} AGAINST {self.against} {','.join(self.abilities)}"


@dataclass(frozen=True, slots=True)
class GodCall:
    """`GOD CALL ability,..`: priests call him into their battle, for one ability a round. Source: rules 20.5"""

    abilities: tuple[str, ...]

    def __str__(self) -> str:
        return f"GOD CALL {','.join(self.abilities)}"


@dataclass(frozen=True, slots=True)
class GodSee:
    """`GOD SEE gf`: what scouts would see there. Source: rules 24.1"""

    at: Province

    def __str__(self) -> str:
        return f"GOD SEE {self.at}"


@dataclass(frozen=True, slots=True)
class GodSpeed:
    """`GOD SPEED gf`: figures from there march twice as far. Source: rules 24.1"""

    at: Province

    def __str__(self) -> str:
        return f"GOD SPEED {self.at}"


@dataclass(frozen=True, slots=True)
class GodCarry:
    """`GOD CARRY figure AT gf TO gf`: one figure or thing, over any distance. Source: rules 24.1"""

    figures: Named
    at: Province
    to: Province

    def __str__(self) -> str:
        return f"GOD CARRY {format_figures(dict(self.figures))} AT {self.at} TO {self.to}"


@dataclass(frozen=True, slots=True)
class GodPass:
    """`GOD PASS gf KF k,k`: a pass for a great round. Source: rules 24.1"""

    at: Province
    cells: tuple[int, ...]

    def __str__(self) -> str:
        return f"GOD PASS {self.at} KF {','.join(map(str, self.cells))}"


OF_MIRACLES = (GodSee, GodSpeed, GodCarry, GodPass)
"""What gods do among humans apart from battles."""
OF_GODS_DEEDS = (GodEnter, GodAppear, GodCall)
OF_GODS = (GodCreate, GodLearn, GodMove, GodScout, GodAura, GodEnter, GodAppear, GodCall, *OF_MIRACLES)
