"""What pictures of every kind of map have: a legend of powers, and the outcomes that arrows show."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.ids import PowerId


class ArrowStatus(StrEnum):
    """The outcome of the order that an arrow shows. `PENDING`: not adjudicated yet."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LegendRow:
    """One power in the legend; `figures` are named counts such as `("centres", 5)`, in the order to show them.

    Those whose names begin with `half_` are counted in halves: `("half_points", 9)` is 4½. A figure without a sign
    is written as the phrase `legend.<name>` with its `count`.
    """

    power: PowerId
    figures: tuple[tuple[str, int], ...]
    is_out: bool = False
