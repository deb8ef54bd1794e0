"""Orders to temples as values. Source: rules 20.1, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province
from engine.kalevala.priests.facts import FREE, PRIEST


@dataclass(frozen=True, slots=True)
class Gift:
    """`GIFT 2D+4 10`: RE of the province into the treasure of its temple."""

    at: Province
    amount: int

    def __str__(self) -> str:
        return f"GIFT {self.at} {self.amount}"


@dataclass(frozen=True, slots=True)
class Pray:
    """`PRAY 2D+4 Pr/23 10`: RE of the treasure into half as many ZEH of a priest there.

    Args:
        priest: the figure; empty: the one with the fewest ZEH.
    """

    at: Province
    priest: str
    amount: int

    def __str__(self) -> str:
        return f"PRAY {self.at} {self.priest or PRIEST} {self.amount}"


@dataclass(frozen=True, slots=True)
class Oracle:
    """`ORACLE 2D+4 10 GARRISON 2E+5`, `ORACLE 2D+4 10 "Who comes?"`: a question, for RE of the treasure.

    Args:
        question: OWNER, GARRISON, RULER, NEAR or `FREE`.
        about: the place, the ruler, or the question in words.
    """

    at: Province
    amount: int
    question: str
    about: str

    def __str__(self) -> str:
        what = f'"{self.about}"' if self.question == FREE else f"{self.question} {self.about}"
        return f"ORACLE {self.at} {self.amount} {what}"


OF_TEMPLES = (Gift, Pray, Oracle)
