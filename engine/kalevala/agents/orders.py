"""Orders to agents, and about them, as values. Source: rules 22, 32"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Edge, Province
from engine.kalevala.figures import Named, format_figures


@dataclass(frozen=True, slots=True)
class AgentGroup:
    """`AGENT 1 GROUP 1LB 30RE`: who and what goes with him from now on; `NONE`: nobody and nothing."""

    number: int
    figures: Named

    def __str__(self) -> str:
        return f"AGENT {self.number} GROUP {format_figures(dict(self.figures)) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class AgentMove:
    """`AGENT 1 MOVE 2D+4 > 2E+4 > 2F+4`."""

    number: int
    path: tuple[Province, ...]

    def __str__(self) -> str:
        return f"AGENT {self.number} MOVE {' > '.join(self.path)}"


@dataclass(frozen=True, slots=True)
class AgentScout:
    """`AGENT 1 SCOUT`."""

    number: int

    def __str__(self) -> str:
        return f"AGENT {self.number} SCOUT"


@dataclass(frozen=True, slots=True)
class AgentRide:
    """`AGENT 1 RIDE 2`: from now on he travels unseen with his ruler's caravan 2."""

    number: int
    caravan: int

    def __str__(self) -> str:
        return f"AGENT {self.number} RIDE {self.caravan}"


@dataclass(frozen=True, slots=True)
class AgentMisdeed:
    """`AGENT 1 DO MURDER 2BB TIMES 2`.

    Args:
        figures: whom or what it is done to.
        question: for ASK: OWNER, GARRISON, RULER or NEAR.
        about: the place or the ruler that is asked about; for SNEAK, that it is into a caravan.
        place: where GUIDE leads, or whoever is bribed; `cell` of SNEAK, `edge` of GATE.
    """

    number: int
    misdeed: str
    figures: Named = ()
    question: str = ""
    about: str = ""
    place: Province | None = None
    cell: int | None = None
    edge: Edge | None = None
    times: int = 1

    def __str__(self) -> str:
        words = [f"AGENT {self.number} DO {self.misdeed}", format_figures(dict(self.figures))]
        words += [self.question, self.about, self.place or ""]
        words.append("" if self.cell is None else f"KF {self.cell}")
        words.append("" if self.edge is None else str(self.edge))
        if self.times > 1:
            words.append(f"{self.times}" if self.misdeed == "LETTERS" else f"TIMES {self.times}")
        return " ".join(filter(None, words))


@dataclass(frozen=True, slots=True)
class AgentBack:
    """`AGENT 1 BACK`: home before the battles, after his misdeeds."""

    number: int

    def __str__(self) -> str:
        return f"AGENT {self.number} BACK"


HIDE, SHOW, LEAVE = "HIDE", "SHOW", "LEAVE"
IN_BATTLE = (HIDE, SHOW, LEAVE)


@dataclass(frozen=True, slots=True)
class AgentStance:
    """`AGENT 1 SHOW KR 3`: what he and those with him do in a battle where he is: come out, hide again, or leave.

    Args:
        round: of the battle; 0: HIDE without one, all the time.
    """

    number: int
    what: str
    round: int = 0

    def __str__(self) -> str:
        return f"AGENT {self.number} {self.what}" + (f" KR {self.round}" if self.round else "")


@dataclass(frozen=True, slots=True)
class Seize:
    """`SEIZE 2E+4`: the strongest warrior there takes on a foreign agent who was found."""

    at: Province

    def __str__(self) -> str:
        return f"SEIZE {self.at}"


@dataclass(frozen=True, slots=True)
class Ransom:
    """`RANSOM 1 30`: what the ruler offers for an agent of his whom somebody holds."""

    number: int
    amount: int

    def __str__(self) -> str:
        return f"RANSOM {self.number} {self.amount}"


@dataclass(frozen=True, slots=True)
class Release:
    """`RELEASE anna AT 2E+4 FOR 30`: let an agent of a ruler go who is held there."""

    who: str
    at: Province
    amount: int = 0

    def __str__(self) -> str:
        return f"RELEASE {self.who} AT {self.at}" + (f" FOR {self.amount}" if self.amount else "")


OF_AGENTS = (AgentGroup, AgentMove, AgentScout, AgentRide, AgentMisdeed, AgentBack, AgentStance, Seize, Ransom, Release)
OF_AGENTS_DEEDS = (AgentMisdeed, AgentBack, AgentStance, Seize, Ransom, Release)
