"""What became of an order.

Outcome
├── it worked:      SUCCEEDS RETREATS DISBANDS BUILDS
├── it worked in part: ALTERED   not carried out quite as written
├── it failed:      BOUNCES CUT DISLODGED DESTROYED DISRUPTED NO_CONVOY FAILED
├── it did nothing: VOID      legal, but nothing that happened matches it
└── refused:        INVALID   never became an order of the unit, which did the system's default instead
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Generic, NamedTuple, Never, TypeVar

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase_from_json, phrase_to_json
from engine.core.viewer import Master, Viewer


class Outcome(StrEnum):
    """What became of an order, in a word. `DISLODGED` takes precedence over all others."""

    SUCCEEDS = "succeeds"
    ALTERED = "altered"
    BOUNCES = "bounces"
    CUT = "cut"
    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    DISRUPTED = "disrupted"
    VOID = "void"
    NO_CONVOY = "no_convoy"
    FAILED = "failed"
    INVALID = "invalid"
    RETREATS = "retreats"
    DISBANDS = "disbands"
    BUILDS = "builds"

    @property
    def is_failure(self) -> bool:
        """Whether a map should mark the order as failed."""
        return self in _FAILURES


_FAILURES = frozenset({
    Outcome.BOUNCES, Outcome.CUT, Outcome.DISLODGED, Outcome.DESTROYED, Outcome.DISRUPTED,
    Outcome.VOID, Outcome.NO_CONVOY, Outcome.FAILED, Outcome.INVALID,
})  # fmt: skip

O_co = TypeVar("O_co", covariant=True)

Audience = frozenset[PowerId] | None
"""Who may know of something: these powers, or everybody (`None`)."""


class OrderResult(NamedTuple, Generic[O_co]):
    """One order and what became of it. A tuple, since every phase makes as many of them as there are units.

    Args:
        power: whose order.
        order: the order itself; `None` for a line that could not be read, and for a stored result until
            `engine.core.reading.restored` reads its text.
        text: its canonical text; the line as written for an `INVALID` one that could not be read.
        subject: what the order was for, unique in a phase: the province of the unit (`BUD`).
        reason: why, for the player: which order stopped it, and what strengths met.
        audience: who may know of it.
        codes: for programs, the most important first; empty: the code of the reason (`all_codes`).
    """

    power: PowerId
    order: O_co | None
    text: str
    subject: str
    outcome: Outcome
    reason: Phrase
    audience: Audience = None
    codes: tuple[str, ...] = ()

    @property
    def all_codes(self) -> tuple[str, ...]:
        """The codes for programs. A reason's code loses its section (`error.`), so that an error keeps its own code."""
        return self.codes or (self.reason.code.partition(".")[2] or self.reason.code,)

    def to_json(self) -> dict[str, Any]:
        """The form that is stored; `from_json` reads it back."""
        return {
            "power": self.power,
            "order": self.text,
            "subject": self.subject,
            "outcome": str(self.outcome),
            "reason": phrase_to_json(self.reason),
            "audience": audience_to_json(self.audience),
            **({"codes": list(self.codes)} if self.codes else {}),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> OrderResult[Never]:
        """The result that `to_json` wrote, without its order, which only the game itself can read."""
        return OrderResult(
            power=PowerId(data["power"]),
            order=None,
            text=data["order"],
            subject=data["subject"],
            outcome=Outcome(data["outcome"]),
            reason=phrase_from_json(data["reason"]),
            audience=audience_from_json(data["audience"]),
            codes=tuple(data.get("codes", ())),
        )


def audience_to_json(audience: Audience) -> list[str] | None:
    """`None` for everybody, otherwise the powers, sorted."""
    return None if audience is None else sorted(audience)


def audience_from_json(data: list[str] | None) -> Audience:
    """The audience that `audience_to_json` wrote."""
    return None if data is None else frozenset(PowerId(power) for power in data)


def may_know(viewer: Viewer, audience: Audience) -> bool:
    """Whether a viewer belongs to the audience. A master belongs to every one."""
    return audience is None or isinstance(viewer, Master) or viewer.power in audience
