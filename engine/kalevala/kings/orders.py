"""Orders to the king, and about him, as values. Source: rules 18, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.figures import Named, format_figures


@dataclass(frozen=True, slots=True)
class KingCreate:
    """`KING CREATE Kr "A tall man" KF 19`: his kind, what he looks like, where in the capital his palace is."""

    kind: str
    text: str
    cell: int

    def __str__(self) -> str:
        return f'KING CREATE {self.kind} "{self.text}" KF {self.cell}'


@dataclass(frozen=True, slots=True)
class KingPalace:
    """`KING PALACE KF 19`: a new palace in the capital, for a king who has lost his."""

    cell: int

    def __str__(self) -> str:
        return f"KING PALACE KF {self.cell}"


@dataclass(frozen=True, slots=True)
class KingPay:
    """`KING PAY OEH`: what he is paid with on this arming date."""

    what: str

    def __str__(self) -> str:
        return f"KING PAY {self.what}"


@dataclass(frozen=True, slots=True)
class KingHeal:
    """`KING HEAL`: a warrior king's power gives him back one life."""

    def __str__(self) -> str:
        return "KING HEAL"


@dataclass(frozen=True, slots=True)
class KingPower:
    """`KING POWER 5 ZEH 10RE`: a priest king turns goods into ZEH."""

    count: int
    figures: Named

    def __str__(self) -> str:
        return f"KING POWER {self.count} ZEH {format_figures(dict(self.figures))}"


@dataclass(frozen=True, slots=True)
class KingAbdicate:
    """`KING ABDICATE`: he goes; also needed before a king with another name."""

    def __str__(self) -> str:
        return "KING ABDICATE"


@dataclass(frozen=True, slots=True)
class KingRansom:
    """`KING RANSOM 40`: what the ruler offers for a king or court that somebody holds."""

    amount: int

    def __str__(self) -> str:
        return f"KING RANSOM {self.amount}"


@dataclass(frozen=True, slots=True)
class KingRelease:
    """`KING RELEASE anna FOR 40`: let a ruler's king and court go."""

    who: str
    amount: int = 0

    def __str__(self) -> str:
        return f"KING RELEASE {self.who}" + (f" FOR {self.amount}" if self.amount else "")


OF_KINGS = (KingCreate, KingPalace, KingPay, KingHeal, KingPower, KingAbdicate, KingRansom, KingRelease)
OF_KINGS_DEEDS = (KingRansom, KingRelease)
