"""The lines of BATTLE and DEFEND blocks as values, and the plan that they form together. Source: rules 16.1, R-121"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.core.blocks import in_block
from engine.core.ids import PowerId
from engine.kalevala.coordinates import Edge, Province, gf_of
from engine.kalevala.figures import Figures, Named, format_figures
from engine.lattice.great_fields import Side

BATTLE, DEFEND = "BATTLE", "DEFEND"
BLOCKS = (BATTLE, DEFEND)
ALL = "ALL"
"""The name that an aim for everybody in no group has."""
LAST_ROUND = 12
"""How many rounds (KR) a battle has at most. Source: rules 16.2"""
PLATFORM, INSIDE = "+1", "+0"
"""Where in a building a spot is: `19+1`, `19+0`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A small field in a line: `19`, `19+1` (platform), `2D+5:38`.

    Args:
        gf: `None`: the field that the line is usually about. Source: rules R-121
        level: `PLATFORM`, `INSIDE`; empty: the open ground.
    """

    cell: int
    gf: Province | None = None
    level: str = ""

    def __str__(self) -> str:
        return f"{'' if self.gf is None else f'{self.gf}:'}{self.cell}{self.level}"


@dataclass(frozen=True, slots=True)
class Block:
    """The opening of a block: `BATTLE 2D+4 VS 2D+5`, `DEFEND 2D+4`, `DEFEND 2D+4 NONE`.

    Args:
        kind: `BATTLE`, for this P3, or `DEFEND`, until it is replaced.
        at: the province whose figures it is for.
        against: the provinces that they attack, if it names them.
        is_void: `NONE`: the standing defence is withdrawn.
    """

    kind: str
    at: Province
    against: tuple[Province, ...] = ()
    is_void: bool = False

    def __str__(self) -> str:
        text = f"{self.kind} {self.at}"
        if self.against:
            text += f" VS {','.join(self.against)}"
        return text + (" NONE" if self.is_void else "")

    @property
    def key(self) -> tuple[str, Province]:
        """Blocks with the same key are one plan."""
        return self.kind, self.at


# Lines in a block


@dataclass(frozen=True, slots=True)
class Placing:
    """`PLACE 19 4LB G left`: figures start there. Riders and mounts are both named."""

    at: Spot
    figures: Named
    group: str = ""

    def __str__(self) -> str:
        return f"PLACE {self.at} {format_figures(dict(self.figures))}" + (f" G {self.group}" if self.group else "")


@dataclass(frozen=True, slots=True)
class Band:
    """`GROUP left 4LB 2B`: figures that get the same aims, taken in order of number."""

    name: str
    figures: Named

    def __str__(self) -> str:
        return f"GROUP {self.name} {format_figures(dict(self.figures))}"


KILL, TAKE, HOLD, GUARD, SHOOT = "KILL", "TAKE", "HOLD", "GUARD", "SHOOT"
SIEGE, STORM, RESERVE, AVOID, RAM = "SIEGE", "STORM", "RESERVE", "AVOID", "RAM"
AIMS: Final = (KILL, TAKE, HOLD, GUARD, SHOOT, SIEGE, STORM, RESERVE, AVOID, RAM)


@dataclass(frozen=True, slots=True)
class Aim:
    """`AIM left TAKE HZ FROM 2 UNTIL 6`. Source: rules B27

    Args:
        name: the group's, or `ALL` for everybody in none.
        what: one of `AIMS`.
        at: of TAKE (`None`: the trade centre) and GUARD (`None`: where each started).
        wait: for RESERVE, the round until which it holds.
        first, last: the rounds in which it applies.
    """

    name: str
    what: str
    at: Spot | None = None
    wait: int = 0
    first: int = 1
    last: int = LAST_ROUND

    def __str__(self) -> str:
        text = f"AIM {self.name} {self.what}"
        if self.what == TAKE:
            text += " HZ" if self.at is None else f" KF {self.at}"
        elif self.what == GUARD and self.at is not None:
            text += f" {self.at}"
        elif self.what == RESERVE:
            text += f" {self.wait}"
        if self.first > 1:
            text += f" FROM {self.first}"
        return text + (f" UNTIL {self.last}" if self.last < LAST_ROUND else "")


@dataclass(frozen=True, slots=True)
class Phalanx:
    """`PHALANX 19 SE`: the four warriors of one kind there form one. Source: rules B8"""

    at: Spot
    side: Side | None = None

    def __str__(self) -> str:
        return f"PHALANX {self.at}" + (f" {self.side.name}" if self.side is not None else "")


@dataclass(frozen=True, slots=True)
class Strike:
    """`STRIKE 19`: the phalanx that forms there always uses the power strike. Source: rules B8"""

    at: Spot

    def __str__(self) -> str:
        return f"STRIKE {self.at}"


@dataclass(frozen=True, slots=True)
class Flee:
    """`FLEE`: when half the army is lost, or after ten rounds. Source: rules B24"""

    def __str__(self) -> str:
        return "FLEE"


SLAVE, SLAVES_GUARDED = "Sl", 6
"""The item of a slave, and how many slaves a warrior guards. Source: R-073"""
FREED_MAN = "A"
"""What a slave who takes up arms becomes. Source: rules 23.1"""


@dataclass(frozen=True, slots=True)
class Enslave:
    """`SLAVES`: beaten enemies are enslaved. Source: R-073"""

    def __str__(self) -> str:
        return "SLAVES"


@dataclass(frozen=True, slots=True)
class Plunder:
    """`PLUNDER RE` or `PLUNDER GOODS`: what is taken from a captured trade centre. Source: rules B23"""

    what: str

    def __str__(self) -> str:
        return f"PLUNDER {self.what}"


@dataclass(frozen=True, slots=True)
class Raze:
    """`RAZE`: a captured trade centre becomes a site again. Source: rules B23"""

    def __str__(self) -> str:
        return "RAZE"


@dataclass(frozen=True, slots=True)
class Sided:
    """`SIDE bert`: guests fight for a ruler other than their host. Source: rules 15.2"""

    who: PowerId

    def __str__(self) -> str:
        return f"SIDE {self.who}"


EACH, BEST, OWN, FOE, MAX, ROUND = "EACH", "BEST", "OWN", "FOE", "MAX", "KR"
COUNTERED_FROM = 10
"""Enemy spells of this many ZEH or more are countered unless a plan says otherwise. Source: R-056"""


@dataclass(frozen=True, slots=True)
class Cast:
    """`CAST PARALYSE FOE BEST EACH`: what the wizard casts. Source: rules 19.3, R-122

    Args:
        is_own: on own figures, not on enemies.
        fields: those on which it is cast; empty: the best field. Source: rules B27
        goal: where a spell moves figures.
        side: of the field, if a gate is meant.
        most: the most ZEH that it may cost, for as many of the fields as they pay for; 0: all or nothing.
        round: the one in which it is due; 0: any.
        is_each: in every round, not once.
    """

    spell: str
    is_own: bool = False
    fields: tuple[Spot, ...] = ()
    goal: Spot | None = None
    most: int = 0
    round: int = 0
    is_each: bool = False
    side: Side | None = None

    @property
    def is_best(self) -> bool:
        """Whether the field is chosen in the battle."""
        return not self.fields

    def __str__(self) -> str:
        where = BEST if self.is_best else "KF " + ",".join(map(str, self.fields))
        text = f"CAST {self.spell} {OWN if self.is_own else FOE} {where}"
        if self.goal is not None:
            text += f" > KF {self.goal}"
        if self.side is not None:
            text = f"CAST {self.spell} {OWN if self.is_own else FOE} {self.fields[0]}/{self.side.name}"
        text += f" {MAX} {self.most}" if self.most else ""
        return text + (f" {EACH}" if self.is_each else f" {ROUND} {self.round}" if self.round else "")


TO_MYSTIC = "MYSTIC"


@dataclass(frozen=True, slots=True)
class Forced:
    """`TRIPLE PROTECT`: what a triple's ten ZEH are spent on; `TRIPLE MYSTIC`: the mystic gets the rest.

    R-037, R-054
    """

    spell: str

    def __str__(self) -> str:
        return f"TRIPLE {self.spell}"


@dataclass(frozen=True, slots=True)
class Counter:
    """`COUNTER 10`: enemy spells of ten ZEH or more are countered. Source: R-056"""

    least: int

    def __str__(self) -> str:
        return f"COUNTER {self.least}"


@dataclass(frozen=True, slots=True)
class Challenge:
    """`CHALLENGE bert KR 3`: the wizard challenges another wizard instead of casting. Source: rules 19.6"""

    who: PowerId
    round: int = 0
    is_each: bool = False

    def __str__(self) -> str:
        return f"CHALLENGE {self.who}" + (f" {ROUND} {self.round}" if self.round else "")


@dataclass(frozen=True, slots=True)
class Prayer:
    """`PRAYER BLESS KF 19 Pr/23 MAX 8 KR 3`: what a priest prays for. Source: rules 20.3, ruling KA181

    Args:
        fields: those for which he prays; empty: the best one that he reaches.
        priest: the figure that prays; empty: the first that can.
        most, round, is_each: as in a `Cast`.
    """

    prayer: str
    fields: tuple[Spot, ...] = ()
    priest: str = ""
    most: int = 0
    round: int = 0
    is_each: bool = False

    def __str__(self) -> str:
        text = f"PRAYER {self.prayer} " + ("KF " + ",".join(map(str, self.fields)) if self.fields else BEST)
        text += f" {self.priest}" if self.priest else ""
        text += f" {MAX} {self.most}" if self.most else ""
        return text + (f" {EACH}" if self.is_each else f" {ROUND} {self.round}" if self.round else "")


@dataclass(frozen=True, slots=True)
class GateOrder:
    """`GATE 19/SE OPEN KR 4`: those inside open or shut a gate. Source: rules B13"""

    at: Spot
    side: Side
    is_open: bool
    round: int

    def __str__(self) -> str:
        return f"GATE {self.at}/{self.side.name} {'OPEN' if self.is_open else 'SHUT'} KR {self.round}"

    def names(self, province: Province) -> tuple[str, ...]:
        """The edge as battles name it, from either of its sides."""
        gf = gf_of(self.at.gf or province)
        edge = Edge(self.at.cell, self.side)
        return tuple(f"{gf}:{each}" for each in (edge, edge.other) if each is not None)


@dataclass(frozen=True, slots=True)
class Fire:
    """`FIRE 2On KF 19`, `FIRE 2On 19/SE`: what onagers throw at. Source: rules B11

    Args:
        side: of a wall; `None`: at a building, or a field.
    """

    figures: Named
    at: Spot
    side: Side | None = None

    def __str__(self) -> str:
        figures = format_figures(dict(self.figures))
        return f"FIRE {figures} KF {self.at}" if self.side is None else f"FIRE {figures} {self.at}/{self.side.name}"


CAPTURE, SACK = "CAPTURE", "SACK"


@dataclass(frozen=True, slots=True)
class PalaceTaking:
    """`PALACE SACK`: what is done with a captured palace. Source: rules 18.4"""

    what: str

    def __str__(self) -> str:
        return f"PALACE {self.what}"


@dataclass(frozen=True, slots=True)
class Wreck:
    """`DESTROY 2On KR 6`: own gear is destroyed, from a certain round on. Source: rules B21, ruling KA157"""

    figures: Named
    round: int = 1

    def __str__(self) -> str:
        return f"DESTROY {format_figures(dict(self.figures))}" + (f" KR {self.round}" if self.round > 1 else "")


@dataclass(frozen=True, slots=True)
class UnknownSpell:
    """A CAST or TRIPLE line with a name that no spell has."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class UnknownPrayer(UnknownSpell):
    """A PRAYER line with a name that no prayer has."""


Magic: TypeAlias = Cast | Challenge | Forced | Counter
"""What a wizard does. Source: rules 19.3"""
Detail: TypeAlias = (
    Placing | Band | Aim | Phalanx | Strike | GateOrder | Fire | Wreck | Flee | Enslave | Plunder | Raze | Sided | Cast
    | Challenge | Forced | Counter | Prayer | PalaceTaking | UnknownSpell
)  # fmt: skip


# The orders that a sheet holds


@dataclass(frozen=True, slots=True)
class BlockOpening:
    """The line that opens a block, or withdraws a standing defence."""

    block: Block

    def __str__(self) -> str:
        return str(self.block) if self.block.is_void else in_block(str(self.block))


@dataclass(frozen=True, slots=True)
class Planned:
    """A line in a block that can stand alone: `BATTLE 2D+4: PLACE 19 4LB`."""

    block: Block
    what: Detail

    def __str__(self) -> str:
        return in_block(str(self.block), str(self.what))


# The plan


@dataclass(frozen=True, slots=True)
class Plan:
    """What a ruler wants the figures of one province to do in a battle.

    Args:
        at: the province.
        is_own: the ruler has given it; otherwise everything is done by default. Source: rules B27
    """

    at: Province
    is_own: bool = False
    places: tuple[Placing, ...] = ()
    groups: tuple[Band, ...] = ()
    aims: tuple[Aim, ...] = ()
    phalanxes: tuple[Phalanx, ...] = ()
    strikes: tuple[Strike, ...] = ()
    gates: tuple[GateOrder, ...] = ()
    fires: tuple[Fire, ...] = ()
    wrecks: tuple[Wreck, ...] = ()
    flees: bool = False
    enslaves: bool = False
    plunders: str = ""
    sacks_palace: bool = False
    razes: bool = False
    side: PowerId | None = None
    spells: tuple[Cast | Challenge, ...] = ()
    prayers: tuple[Prayer, ...] = ()
    forced: str = ""
    counter: int = COUNTERED_FROM
    names: frozenset[str] = field(default=frozenset())

    @property
    def takes_more_than_land(self) -> bool:
        """Whether the winners plunder or raze what they have won, or sack its palace."""
        return bool(self.plunders) or self.razes or self.sacks_palace

    def aim_of(self, group: str, round_: int) -> Aim | None:
        """The aim of a group in a round: the closest of the lines for it that apply then, else of those for all.

        That is the one that began last; if several did, the one that ends first; of these, the last one written.
        Ruling KA271
        """
        due = [aim for aim in self.aims if aim.first <= round_ <= aim.last]
        for name in (group, ALL):
            found = [aim for aim in due if name and aim.name == name]
            if found:
                return max(reversed(found), key=lambda aim: (aim.first, -aim.last))
        return None


def plan_of(at: Province, details: Iterable[Detail]) -> Plan:
    """The plan of the lines of a block, in written order."""
    lines = tuple(details)
    places = tuple(line for line in lines if isinstance(line, Placing))
    groups = tuple(line for line in lines if isinstance(line, Band))
    sides = [line.who for line in lines if isinstance(line, Sided)]
    loot = [line.what for line in lines if isinstance(line, Plunder)]
    forced = [line.spell for line in lines if isinstance(line, Forced)]
    counters = [line.least for line in lines if isinstance(line, Counter)]
    return Plan(
        at=at,
        is_own=True,
        places=places,
        groups=groups,
        aims=tuple(line for line in lines if isinstance(line, Aim)),
        phalanxes=tuple(line for line in lines if isinstance(line, Phalanx)),
        strikes=tuple(line for line in lines if isinstance(line, Strike)),
        gates=tuple(line for line in lines if isinstance(line, GateOrder)),
        fires=tuple(line for line in lines if isinstance(line, Fire)),
        wrecks=tuple(line for line in lines if isinstance(line, Wreck)),
        flees=any(isinstance(line, Flee) for line in lines),
        enslaves=any(isinstance(line, Enslave) for line in lines),
        plunders=loot[-1] if loot else "",
        sacks_palace=[line.what for line in lines if isinstance(line, PalaceTaking)][-1:] == [SACK],
        razes=any(isinstance(line, Raze) for line in lines),
        side=sides[-1] if sides else None,
        spells=tuple(line for line in lines if isinstance(line, Cast | Challenge)),
        prayers=tuple(line for line in lines if isinstance(line, Prayer)),
        forced=forced[-1] if forced else "",
        counter=counters[-1] if counters else COUNTERED_FROM,
        names=frozenset((*(line.group for line in places if line.group), *(line.name for line in groups))),
    )


def is_at(spot: Spot, province: Province) -> bool:
    """Whether a spot in a line is in the field of a province, whether or not the field is named."""
    return spot.gf is None or gf_of(spot.gf) == gf_of(province)


def figures_of(line: Placing | Band) -> Figures:
    """The figures that a line names."""
    return dict(line.figures)
