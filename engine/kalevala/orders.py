"""Orders as values, and their canonical text. Source: rules 32

A province in an order is written as in the line: without a part, even if the land may be divided (rules R-082).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.kalevala.agents.orders import (
    OF_AGENTS_DEEDS,
    AgentBack,
    AgentGroup,
    AgentMisdeed,
    AgentMove,
    AgentRide,
    AgentScout,
    AgentStance,
    Ransom,
    Release,
    Seize,
)
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts.orders import BearArtefact, LayArtefact, TakeArtefact
from engine.kalevala.caravans.orders import (
    OF_CARAVANS_DEEDS,
    CaravanDissolve,
    CaravanForm,
    CaravanMove,
    CloseLand,
)
from engine.kalevala.coordinates import Edge, Province
from engine.kalevala.culture.orders import Describe, Name
from engine.kalevala.figures import Figures, Named, format_figures, rank_of
from engine.kalevala.gods.orders import (
    OF_GODS_DEEDS,
    GodAppear,
    GodAura,
    GodCall,
    GodCarry,
    GodCreate,
    GodEnter,
    GodLearn,
    GodMove,
    GodPass,
    GodScout,
    GodSee,
    GodSpeed,
)
from engine.kalevala.kings.orders import (
    OF_KINGS_DEEDS,
    KingAbdicate,
    KingCreate,
    KingHeal,
    KingPalace,
    KingPay,
    KingPower,
    KingRansom,
    KingRelease,
)
from engine.kalevala.model import DEEDS_PART, ORDERS_PART
from engine.kalevala.planes.orders import OF_PLANES_DEEDS, MakePortal, Rift, Transfer, Vortex
from engine.kalevala.priests.orders import Gift, Oracle, Pray
from engine.kalevala.war.plans import BlockOpening, Planned

PEOPLE = "PEOPLE"
"""The people's arming as a source of RE."""


def named(figures: Figures) -> Named:
    """Figures in the form that orders hold."""
    return tuple((item, figures[item]) for item in sorted(figures, key=rank_of))


def written(figures: Named) -> str:
    """Figures as a line names them."""
    return format_figures(dict(figures))


@dataclass(frozen=True, slots=True)
class Arm:
    """`ARM 2D+4 40 FROM 2D+4,2E+4,PEOPLE`."""

    target: Province
    amount: int
    sources: tuple[str, ...]

    def __str__(self) -> str:
        return f"ARM {self.target} {self.amount} FROM {','.join(self.sources)}"


@dataclass(frozen=True, slots=True)
class Convert:
    """`CONVERT 2D+4 6LB 2On`.

    Args:
        barred: figures that no realm can make.
    """

    at: Province
    figures: Named
    barred: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(filter(None, (f"CONVERT {self.at}", written(self.figures), *self.barred)))


@dataclass(frozen=True, slots=True)
class EnslavePeople:
    """`SLAVES 2D+4 3`: slaves made of the ruler's own people. Source: rules 23.2"""

    at: Province
    count: int

    def __str__(self) -> str:
        return f"SLAVES {self.at} {self.count}"


@dataclass(frozen=True, slots=True)
class Build:
    """`BUILD 2D+4 Tu KF 19 GATE 19/SE`, `BUILD 2D+4 Ma EDGE 19/E GATE OPENS 19`, `BUILD 2D+4 BR KF 20 BANKS 19,21`."""

    at: Province
    work: str
    cell: int | None = None
    edge: Edge | None = None
    gates: tuple[Edge, ...] = ()
    has_gate: bool = False
    opens: int | None = None
    banks: tuple[int, ...] = ()
    has_headquarters: bool = False

    def __str__(self) -> str:
        text = f"BUILD {self.at} {self.work}"
        text += f" KF {self.cell}" if self.cell is not None else f" EDGE {self.edge}"
        if self.gates:
            text += f" GATE {','.join(map(str, self.gates))}"
        if self.has_gate:
            text += " GATE"
        if self.opens is not None:
            text += f" OPENS {self.opens}"
        if self.banks:
            text += f" BANKS {','.join(map(str, self.banks))}"
        return text + (" GHZ" if self.has_headquarters else "")


@dataclass(frozen=True, slots=True)
class _OnWork:
    at: Province
    work: str
    cell: int | None = None
    edge: Edge | None = None

    @property
    def _place(self) -> str:
        where = f"KF {self.cell}" if self.cell is not None else f"EDGE {self.edge}"
        return f"{self.at} {self.work} {where}"


@dataclass(frozen=True, slots=True)
class Tear(_OnWork):
    """`TEAR 2D+4 Tu KF 19`."""

    def __str__(self) -> str:
        return f"TEAR {self._place}"


@dataclass(frozen=True, slots=True)
class Repair(_OnWork):
    """`REPAIR 2D+4 Tu KF 19`."""

    def __str__(self) -> str:
        return f"REPAIR {self._place}"


@dataclass(frozen=True, slots=True)
class Headquarters:
    """`GHZ 2D+4 KF 19`."""

    at: Province
    cell: int

    def __str__(self) -> str:
        return f"GHZ {self.at} KF {self.cell}"


@dataclass(frozen=True, slots=True)
class WorkOn:
    """`WORK 2D+4 PASS 12,17 12`: RE for the small fields of a canal or a pass, in this order."""

    at: Province
    what: str
    cells: tuple[int, ...]
    amount: int

    def __str__(self) -> str:
        return f"WORK {self.at} {self.what.upper()} {','.join(map(str, self.cells))} {self.amount}"


@dataclass(frozen=True, slots=True)
class Move:
    """`MOVE 5LB 5IP 10RE 2D+4 > 2E+4 > 2F+4 LEAD`."""

    figures: Named
    path: tuple[Province, ...]
    leads: bool = False

    def __str__(self) -> str:
        return f"MOVE {written(self.figures)} {' > '.join(self.path)}{' LEAD' if self.leads else ''}"


@dataclass(frozen=True, slots=True)
class Sail:
    """`SAIL LS[2LB] 2D+4 > 2E+4`: craft with what is aboard."""

    figures: Named
    path: tuple[Province, ...]

    def __str__(self) -> str:
        return f"SAIL {written(self.figures)} {' > '.join(self.path)}"


@dataclass(frozen=True, slots=True)
class Embark:
    """`BOARD 2LB 1On 2D+4 LS[1LB]`: aboard one craft that is there."""

    figures: Named
    at: Province
    craft: str

    def __str__(self) -> str:
        return f"BOARD {written(self.figures)} {self.at} {self.craft}"


@dataclass(frozen=True, slots=True)
class Disembark:
    """`LAND 2LB 2D+4`: ashore, from the craft that are there."""

    figures: Named
    at: Province

    def __str__(self) -> str:
        return f"LAND {written(self.figures)} {self.at}"


@dataclass(frozen=True, slots=True)
class Ferry:
    """`FERRY 12LB 2D+4 > 2E+4`: from shore to shore, any number of figures."""

    figures: Named
    source: Province
    target: Province

    def __str__(self) -> str:
        return f"FERRY {written(self.figures)} {self.source} > {self.target}"


@dataclass(frozen=True, slots=True)
class Explore:
    """`EXPLORE 1 2D+4 > 2D+5`."""

    ee: int
    source: Province
    target: Province

    def __str__(self) -> str:
        return f"EXPLORE {self.ee} {self.source} > {self.target}"


@dataclass(frozen=True, slots=True)
class Watch:
    """`WATCH 2D+4 2`."""

    at: Province
    count: int

    def __str__(self) -> str:
        return f"WATCH {self.at} {self.count}"


@dataclass(frozen=True, slots=True)
class Allow:
    """`PERMIT bert 2D+4 3`; `at` is `None` for ALL."""

    who: str
    at: Province | None
    rounds: int

    def __str__(self) -> str:
        return f"PERMIT {self.who} {self.at or 'ALL'} {self.rounds}"


@dataclass(frozen=True, slots=True)
class Revoke:
    """`REVOKE bert 2D+4`, or all that was permitted."""

    who: str
    at: Province | None

    def __str__(self) -> str:
        return f"REVOKE {self.who}" + (f" {self.at}" if self.at else "")


@dataclass(frozen=True, slots=True)
class Abandon:
    """`ABANDON 2D+4`."""

    at: Province

    def __str__(self) -> str:
        return f"ABANDON {self.at}"


@dataclass(frozen=True, slots=True)
class Capital:
    """`CAPITAL 2D+4`."""

    at: Province

    def __str__(self) -> str:
        return f"CAPITAL {self.at}"


@dataclass(frozen=True, slots=True)
class People:
    """`PEOPLE 1`: the plane of the people's arming."""

    plane: int

    def __str__(self) -> str:
        return f"PEOPLE {self.plane}"


@dataclass(frozen=True, slots=True)
class Leave:
    """`LEAVE 2`: away for two great rounds, including this one."""

    rounds: int

    def __str__(self) -> str:
        return f"LEAVE {self.rounds}"


@dataclass(frozen=True, slots=True)
class Enter:
    """`ENTER 6 2D+4 B 2C+4 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"`.

    Args:
        kind: E with a permission or into own land, B into natives', K into hostile or unknown land.
        losses: what pays for the occupation; `None`: what is cheapest.
        rest: JOIN, SIDE and FREE, which battles and invaders need.
    """

    ee: int
    source: Province
    kind: str
    target: Province
    figures: Named
    losses: Named | None = None
    cell: int | None = None
    name: str = ""
    rest: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"ENTER {self.ee} {self.source} {self.kind} {self.target} {written(self.figures)}"
        if self.losses is not None:
            text += f" LOSS {written(self.losses)}"
        if self.cell is not None:
            text += f" HZ KF {self.cell}"
        if self.name:
            text += f' NAME "{self.name}"'
        return " ".join((text, *self.rest))


@dataclass(frozen=True, slots=True)
class Settle:
    """`SETTLE 2C+4 TO bert`."""

    at: Province
    who: str

    def __str__(self) -> str:
        return f"SETTLE {self.at} TO {self.who}"


@dataclass(frozen=True, slots=True)
class Spread:
    """`SPREAD 8LB 2D+4 > 2E+4`: within land won in the last P4, before anybody moves."""

    figures: Named
    source: Province
    target: Province

    def __str__(self) -> str:
        return f"SPREAD {written(self.figures)} {self.source} > {self.target}"


@dataclass(frozen=True, slots=True)
class Stance:
    """`WAR bert`, `PEACE bert`, `ALLY bert`, `UNALLY bert`."""

    verb: str
    who: str

    def __str__(self) -> str:
        return f"{self.verb} {self.who}"


@dataclass(frozen=True, slots=True)
class Write:
    """`LETTER bert "text" AS sham`, `EXPRESS bert "text"`."""

    who: str
    text: str
    sham: str = ""
    is_express: bool = False

    def __str__(self) -> str:
        verb = "EXPRESS" if self.is_express else "LETTER"
        return f'{verb} {self.who} "{self.text}"' + (f" AS {self.sham}" if self.sham else "")


@dataclass(frozen=True, slots=True)
class Contribute:
    """`COURIER "text"`."""

    text: str

    def __str__(self) -> str:
        return f'COURIER "{self.text}"'


@dataclass(frozen=True, slots=True)
class Note:
    """`NOTE "text"`, to the game master."""

    text: str

    def __str__(self) -> str:
        return f'NOTE "{self.text}"'


@dataclass(frozen=True, slots=True)
class Pass:
    """`PASS`: a sheet without orders is a sheet too."""

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Handover:
    """`HANDOVER 4On AT 2D+4 TO bert FOR 2Sk`; a gift has no FOR, and its receiver hands over NOTHING.

    Args:
        agent: the number of the ruler's own agent who gets the RE; 0: none does.
    """

    figures: Named
    at: Province
    who: str
    wanted: Named = ()
    agent: int = 0

    def __str__(self) -> str:
        text = f"HANDOVER {written(self.figures) or 'NOTHING'} AT {self.at} TO {self.who}"
        text += f" FOR {written(self.wanted)}" if self.wanted else ""
        return f"{text} AGENT {self.agent}" if self.agent else text


@dataclass(frozen=True, slots=True)
class Enfeoff:
    """`FIEF 2D+4 TO bert 10`: given to bert for ten great rounds."""

    at: Province
    who: str
    rounds: int

    def __str__(self) -> str:
        return f"FIEF {self.at} TO {self.who} {self.rounds}"


@dataclass(frozen=True, slots=True)
class AcceptFief:
    """`ACCEPT 2D+4 OF bert`: take a fief, or claim one back."""

    at: Province
    who: str

    def __str__(self) -> str:
        return f"ACCEPT {self.at} OF {self.who}"


@dataclass(frozen=True, slots=True)
class Absent:
    """An order of a module that doesn't exist yet, or is switched off."""

    text: str

    def __str__(self) -> str:
        return self.text


Order: TypeAlias = (
    Arm | Convert | Build | Tear | Repair | Headquarters | WorkOn | Move | Sail | Embark | Disembark | Ferry
    | EnslavePeople | Explore | Watch | Allow | Revoke | Abandon | Capital
    | People | Leave | Spread | Enter | Settle | Stance | BlockOpening | Planned | Write | Contribute
    | Handover | Enfeoff | AcceptFief | Note | Pass | Absent
    | Gift | Pray | Oracle
    | AgentGroup | AgentMove | AgentScout | AgentRide | AgentMisdeed | AgentBack | AgentStance
    | Seize | Ransom | Release
    | CaravanForm | CaravanMove | CaravanDissolve | CloseLand
    | Transfer | MakePortal | Rift | Vortex
    | Describe | Name
    | TakeArtefact | LayArtefact | BearArtefact
    | KingCreate | KingPalace | KingPay | KingHeal | KingPower | KingAbdicate | KingRansom | KingRelease
    | GodCreate | GodLearn | GodMove | GodScout | GodAura | GodEnter | GodAppear | GodCall
    | GodSee | GodSpeed | GodCarry | GodPass
    | Begin
)  # fmt: skip
Whole: TypeAlias = Iterator[tuple[Order, str]]
"""Complete orders with what they do, likeliest first."""
OF_DEEDS = (
    Enter,
    Settle,
    Handover,
    Enfeoff,
    AcceptFief,
    Stance,
    BlockOpening,
    Planned,
    *OF_AGENTS_DEEDS,
    *OF_KINGS_DEEDS,
    *OF_GODS_DEEDS,
    *OF_CARAVANS_DEEDS,
    *OF_PLANES_DEEDS,
)
OF_ANY = (Write, Contribute, Describe, Note, Pass, Absent, CaravanMove, CaravanDissolve, Begin)


def part_of_order(order: Order) -> int | None:
    """The part whose window an order belongs to; `None`: any."""
    if isinstance(order, OF_ANY):
        return None
    return DEEDS_PART if isinstance(order, OF_DEEDS) else ORDERS_PART


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a sheet that could be read. Lines are equal if they order the same.

    Args:
        number: the line's number in the sheet, from 1; 0: not known, then its place in the sheet is used.
        text: as it was written.
    """

    order: Order
    number: int = field(default=0, compare=False)
    text: str = field(default="", compare=False)

    @property
    def canonical(self) -> str:
        """The order's canonical text."""
        return str(self.order)
