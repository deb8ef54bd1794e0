"""Orders to mystics, as values. Source: rules 14, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Named, format_figures


@dataclass(frozen=True, slots=True)
class Transfer:
    """`TRANSFER 30 ZEH Z > My`: the wizard gives the mystic of his plane."""

    amount: int

    def __str__(self) -> str:
        return f"TRANSFER {self.amount} ZEH Z > My"


@dataclass(frozen=True, slots=True)
class MakePortal:
    """`PORTAL 2D+4`: one side of a portal, where the mystic is."""

    at: Province

    def __str__(self) -> str:
        return f"PORTAL {self.at}"


@dataclass(frozen=True, slots=True)
class Rift:
    """`RIFT 2D+4 > 1D+4 5LB`: figures go through a portal."""

    path: tuple[Province, ...]
    figures: Named

    def __str__(self) -> str:
        return f"RIFT {' > '.join(self.path)} {format_figures(dict(self.figures))}"


@dataclass(frozen=True, slots=True)
class Vortex:
    """`VORTEX bert 2D+4 > 1D+4 5L`: another ruler's figures are pulled through a portal against their will."""

    who: str
    path: tuple[Province, ...]
    figures: Named

    def __str__(self) -> str:
        return f"VORTEX {self.who} {' > '.join(self.path)} {format_figures(dict(self.figures))}"


OF_PLANES_DEEDS = (Vortex,)
OF_PLANES = (Transfer, MakePortal, Rift, *OF_PLANES_DEEDS)
