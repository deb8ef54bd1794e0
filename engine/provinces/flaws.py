"""Why an order can't be given, before that becomes an `OrderError` with a place in the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class OrderPart(StrEnum):
    """Which part of an order is wrong, so that an error can point at it."""

    UNIT = "unit"
    VERB = "verb"
    OF = "of"
    TO = "to"


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why an order can't be given."""

    code: str
    part: OrderPart
    args: Mapping[str, Any]
