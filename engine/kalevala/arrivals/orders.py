"""How somebody who has no realm begins, as a value. Source: rules 4.3, ruling KA225"""

from __future__ import annotations

from dataclasses import dataclass

LAND, FLEET, HORDE = "LAND", "FLEET", "HORDE"
WAYS = (LAND, FLEET, HORDE)
"""Free land that is allotted, or as an invader with a fleet or a horde. Source: rules 4.3"""


@dataclass(frozen=True, slots=True)
class Begin:
    """`BEGIN LAND`, `BEGIN FLEET`, `BEGIN HORDE`."""

    way: str

    def __str__(self) -> str:
        return f"BEGIN {self.way}"
