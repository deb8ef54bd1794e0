"""Orders to caravans, and against them, as values. Source: rules 21, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Named, format_figures


@dataclass(frozen=True, slots=True)
class CaravanForm:
    """`CARAVAN 1 FORM 2D+4 1K 4On`: who and what goes with it; `EX` for an expedition."""

    number: int
    at: Province
    figures: Named
    is_expedition: bool = False

    def __str__(self) -> str:
        text = f"CARAVAN {self.number} FORM {self.at} {format_figures(dict(self.figures))}"
        return f"{text} EX" if self.is_expedition else text


@dataclass(frozen=True, slots=True)
class CaravanMove:
    """`CARAVAN 1 MOVE 2D+4 > 2E+4`: in own land in P1, through others' in P3."""

    number: int
    path: tuple[Province, ...]

    def __str__(self) -> str:
        return f"CARAVAN {self.number} MOVE {' > '.join(self.path)}"


@dataclass(frozen=True, slots=True)
class CaravanDissolve:
    """`CARAVAN 1 DISSOLVE`: all that it holds stays where it is."""

    number: int

    def __str__(self) -> str:
        return f"CARAVAN {self.number} DISSOLVE"


@dataclass(frozen=True, slots=True)
class CloseLand:
    """`CLOSE 2D+4`: no foreign caravan enters or leaves this province of the ruler's in this P4."""

    at: Province

    def __str__(self) -> str:
        return f"CLOSE {self.at}"


OF_CARAVANS_DEEDS = (CloseLand,)
OF_CARAVANS = (CaravanForm, CaravanMove, CaravanDissolve, CloseLand)
