"""The course of a battle, for reports and pictures: who stood where, and what happened round by round.

It goes into the `battle` event as JSON, and reads back. Each figure has its own number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province

MOVE, MELEE, SHOT, TRAMPLE, ONAGER = "move", "melee", "shot", "trample", "onager"
HAZARD, TURN, FORM, FLED, HORSE = "hazard", "turn", "form", "fled", "horse"
TAKEN = "taken"
WOUND = "wound"
SPELL, COUNTER, CHALLENGE, TRIPLE = "spell", "counter", "challenge", "triple"
PRAYER, DEFIED, WARDED = "prayer", "defied", "warded"
GOD, GODS_FIGHT, GOD_LEAVES, GOD_CALLED = "god", "gods", "god_leaves", "god_called"
WEAK_SPOT, ARTEFACT = "weak_spot", "artefact"
FREED, FORSAKEN = "freed", "forsaken"
EMERGED, HID = "emerged", "hid"
"""What can happen; `horse`: a rider lost his mount and lives; `triple`: a warrior's dice, which feed his wizard;
`taken`: the field of a trade centre has changed hands; `wound`: a king has lost a life (`points`: those left);
`defied`: a priest's counterspell; `warded`: a mystic's throw against a spell, `void` where he is spared;
`god`: one works (`to`: the ability, and whose god he is); `gods`: two fight;
`god_called`: priests call one (`to`: what comes of it);
`weak_spot`: a warrior takes that of somebody's god (`to`: whose); `artefact`: somebody takes one (`to`: whose it was
last); `freed`: slaves of whom nobody guards (`to`: what
becomes of them, and who freed them; `helpers`: whoever has another ruler now); `emerged`: an agent and those with him
come out of hiding, `hid`: they hide again (`helpers`: all of them); `forsaken`: a mortal wizard falls with the rest of
his side."""
JOINED, ENSLAVED, RAN = "joined", "enslaved", "ran"
"""What becomes of freed slaves: they fight for the ruler who freed them, become that ruler's slaves, or run away."""
CAME, IN_VAIN, STAYS, GOES = "came", "vain", "stays", "goes"
KINGS_CAME, KINGS_IN_VAIN = "king_came", "king_vain"
"""The outcome of a call: the god comes or doesn't; if he is already there, he stays or leaves."""
CALL_WORKS = (CAME, STAYS, KINGS_CAME)
GATE, RAM, LADDER, ROPE, TIP, PITCH = "gate", "ram", "ladder", "rope", "tip", "pitch"
HUNGER, BREACH, RUIN, OVER = "hunger", "breach", "ruin", "over"
ASCENT, KNOT, SIEGE_HOLDS, DESTROY = "ascent", "knot", "siege", "destroy"
OVERROLL, ABANDONED = "overroll", "abandoned"
"""What can happen about works. `gate`: somebody opens or shuts it; `ladder`: one is set; `tip`: one is thrown down;
`over`: somebody tries to get over a wall; `ascent`: somebody looks for one, for gear; `knot`: two ropes become one;
`siege`: from now on all gates of a castle are watched; `destroy`: somebody destroys own gear, `to` its item;
`overroll`: a wagon rolls over a field of enemies; `abandoned`: those who flee leave one behind."""
WIND, RAMMING, SUNK, SWUM, ADRIFT = "wind", "ramming", "sunk", "swum", "adrift"
"""What can happen on the water. `wind`: it changes; `swum`: somebody swam for his life; `adrift`: a crew is dead."""
CONQUEST, FLIGHT, TWELVE = "conquest", "flight", "twelve"
"""How a battle ends: only one side is left, the last enemies have fled, or all rounds are over."""


@dataclass(frozen=True, slots=True, order=True)
class Spotted:
    """A small field: the great field, and the number there.

    Args:
        floor: the storey of the building on it, from 0; -1: there is none.
    """

    gf: GfId
    cell: int
    floor: int = -1

    def __str__(self) -> str:
        return f"{self.gf}:{self.cell}" + (f"+{self.floor}" if self.floor >= 0 else "")

    @property
    def ground(self) -> Spotted:
        """The same field, without its storey."""
        return Spotted(self.gf, self.cell)


@dataclass(frozen=True, slots=True)
class WorkSeen:
    """A building or wall as it stood at the start.

    Args:
        edge: of a wall, where it stands.
        gates: the sides of a building's gates.
        hits: what it had suffered before.
        has_platform: a temple has none.
    """

    type: str
    at: Spotted
    edge: str = ""
    gates: tuple[str, ...] = ()
    hits: int = 0
    has_platform: bool = True


@dataclass(frozen=True, slots=True)
class Entrant:
    """A figure as it was at the start.

    Args:
        item: without its own numbers: `Z` for `Z/55`.
        mount: the animal that it rides; riders of an elephant name it too.
        carrier: the number of the elephant that bears it; 0: none.
    """

    number: int
    ruler: PowerId
    item: str
    mount: str
    at: Spotted
    carrier: int = 0


@dataclass(frozen=True, slots=True)
class Survival:
    """Dice for a figure's life, or its horse's. Source: rules B10

    Args:
        item: what is rolled for: `LB`, `IP`.
        needed: what it took to live.
    """

    who: int
    item: str
    total: int
    needed: int


@dataclass(frozen=True, slots=True)
class Incident:
    """One event of a battle.

    Args:
        kind: one of the words above.
        who: the figure that did it; for a hazard, the first that it met.
        at: where it stood, or came to; of `fled` the field that it left.
        path: of a move, the fields entered in turn; of a spell, those on which it was cast.
        whom: whom it was against; 0: nobody.
        helpers: who supported it; of a spell, on whom it works.
        rolls: the sums of the dice, attacker's first.
        points: the GP added to them; of a shot the number needed second; of magic the ZEH spent.
        fallen: who died of it.
        tests: who rolled for his life in it, and how.
        to: of `fled`, the province reached; of `turn` and `form`, the side faced; of `spell` and `prayer`, its name;
            of `counter` and `defied`, `void` where it broke the spell; of `gate`,
            whether it is `opened` or `shut`.
        work: what of works it was about: the field of a building, `2D+5:19`, or an edge, `2D+5:19/SE`.
    """

    kind: str
    who: int
    at: Spotted
    path: tuple[Spotted, ...] = ()
    whom: int = 0
    helpers: tuple[int, ...] = ()
    rolls: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    fallen: tuple[int, ...] = ()
    to: str = ""
    work: str = ""
    tests: tuple[Survival, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnOfBattle:
    """What a ruler's side did in a round or, without a ruler, what happened to everybody at its start."""

    ruler: PowerId | None
    incidents: tuple[Incident, ...]


@dataclass(frozen=True, slots=True)
class BattleCourse:
    """A battle from its first round to its end.

    Args:
        rounds: the turns of each round.
        end: `CONQUEST`, `FLIGHT` or `TWELVE`.
        winner: who is left; `None`: undecided.
        standing: the fields of the living at the end, by number.
        lost: how many of each item, by ruler.
        misplaced: those of them who were lost before it began. Source: R-042
        works: as they stood at the start.
        emerged: those who came out of hiding in it, and where they first stood.
    """

    place: Province
    provinces: tuple[Province, ...]
    sides: tuple[tuple[PowerId, ...], ...]
    start: tuple[Entrant, ...]
    rounds: tuple[tuple[TurnOfBattle, ...], ...]
    end: str
    winner: PowerId | None
    standing: Mapping[int, Spotted]
    lost: Mapping[PowerId, Mapping[str, int]]
    works: tuple[WorkSeen, ...] = ()
    misplaced: Mapping[PowerId, Mapping[str, int]] = field(default_factory=dict)
    emerged: tuple[Entrant, ...] = ()

    @property
    def length(self) -> int:
        """The last round fought."""
        return len(self.rounds)


def positions(course: BattleCourse, round_: int) -> dict[int, Spotted]:
    """Where the living stand after a number of rounds; 0 is the start."""
    found = {each.number: each.at for each in course.start}
    late = {each.number: each.at for each in course.emerged}
    riders: dict[int, list[int]] = {}
    for each in (*course.start, *course.emerged):
        if each.carrier:
            riders.setdefault(each.carrier, []).append(each.number)
    for turns in course.rounds[:round_]:
        for incident in (incident for turn in turns for incident in turn.incidents):
            if incident.kind in (MOVE, TRAMPLE) and incident.who in found:
                for number in (incident.who, *riders.get(incident.who, ())):
                    if number in found:
                        found[number] = incident.at
            if incident.kind in (EMERGED, GOD):  # a being that he calls
                found = {number: late[number] for number in incident.helpers if number in late} | found
            for number in incident.helpers if incident.kind == HID else ():
                found.pop(number, None)
            if incident.kind == RUIN:  # those inside stand on open ground now
                here = {number: at for number, at in found.items() if str(at.ground) == incident.work}
                found |= {number: at.ground for number, at in here.items()}
            if incident.kind in (FLED, ABANDONED):
                found.pop(incident.who, None)
            for number in incident.fallen:
                found.pop(number, None)
            for animal, seated in riders.items() if incident.fallen else ():
                if found.keys().isdisjoint(seated):  # without riders it belongs to nobody: rules B7
                    found.pop(animal, None)
    return found


# JSON


def course_to_json(course: BattleCourse) -> dict[str, Any]:
    """The course as it is stored in an event; `course_from_json` reads it back."""
    row: dict[str, Any] = {
        "id": course.place,
        "gf": list(course.provinces),
        "sides": [list(side) for side in course.sides],
        "start": list(map(_entrant, course.start)),
        "rounds": [
            [[turn.ruler, [_row_of(incident) for incident in turn.incidents]] for turn in turns]
            for turns in course.rounds
        ],
        "end": course.end,
        "winner": course.winner,
        "standing": {str(number): str(at) for number, at in course.standing.items()},
        "lost": {ruler: dict(items) for ruler, items in course.lost.items()},
        **({"misplaced": {who: dict(items) for who, items in course.misplaced.items()}} if course.misplaced else {}),
    }
    if course.emerged:
        row["emerged"] = list(map(_entrant, course.emerged))
    if course.works:
        row["works"] = [
            [each.type, str(each.at), each.edge, list(each.gates), each.hits, each.has_platform]
            for each in course.works
        ]
    return row


def _entrant(each: Entrant) -> list[Any]:
    return [each.number, each.ruler, each.item, each.mount, str(each.at), each.carrier]


def _entrants(rows: Iterable[Sequence[Any]]) -> Iterable[Entrant]:
    for number, ruler, item, mount, at, carrier in rows:
        yield Entrant(number, PowerId(ruler), item, mount, _spotted(at), carrier)


def _row_of(incident: Incident) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": incident.kind, "who": incident.who, "at": str(incident.at)}
    if incident.path:
        row["path"] = [str(each) for each in incident.path]
    for key in ("whom", "to", "work"):
        if getattr(incident, key):
            row[key] = getattr(incident, key)
    for key in ("helpers", "rolls", "points", "fallen"):
        if getattr(incident, key):
            row[key] = list(getattr(incident, key))
    if incident.tests:
        row["tests"] = [[test.who, test.item, test.total, test.needed] for test in incident.tests]
    return row


def course_from_json(row: Mapping[str, Any]) -> BattleCourse:
    """The course that `course_to_json` wrote."""
    return BattleCourse(
        place=Province(row["id"]),
        provinces=tuple(map(Province, row["gf"])),
        sides=tuple(tuple(map(PowerId, side)) for side in row["sides"]),
        start=tuple(_entrants(row["start"])),
        rounds=tuple(tuple(_turns(turns)) for turns in row["rounds"]),
        end=row["end"],
        winner=None if row["winner"] is None else PowerId(row["winner"]),
        standing={int(number): _spotted(at) for number, at in row["standing"].items()},
        lost={PowerId(ruler): dict(items) for ruler, items in row["lost"].items()},
        works=tuple(
            WorkSeen(kind, _spotted(at), edge, tuple(gates), hits, has_platform)
            for kind, at, edge, gates, hits, has_platform in row.get("works", ())
        ),
        misplaced={PowerId(ruler): dict(items) for ruler, items in row.get("misplaced", {}).items()},
        emerged=tuple(_entrants(row.get("emerged", ()))),
    )


def _turns(turns: Sequence[Any]) -> Iterable[TurnOfBattle]:
    for ruler, rows in turns:
        found = tuple(
            Incident(
                kind=row["kind"],
                who=row["who"],
                at=_spotted(row["at"]),
                path=tuple(map(_spotted, row.get("path", ()))),
                whom=row.get("whom", 0),
                helpers=tuple(row.get("helpers", ())),
                rolls=tuple(row.get("rolls", ())),
                points=tuple(row.get("points", ())),
                fallen=tuple(row.get("fallen", ())),
                to=row.get("to", ""),
                work=row.get("work", ""),
                tests=tuple(Survival(*test) for test in row.get("tests", ())),
            )
            for row in rows
        )
        yield TurnOfBattle(None if ruler is None else PowerId(ruler), found)


def _spotted(text: str) -> Spotted:
    gf, _, place = text.rpartition(":")
    cell, _, floor = place.partition("+")
    return Spotted(GfId(gf), int(cell), int(floor) if floor else -1)


# Names


def battle_id(place: Province | GfId, number: int) -> str:
    """The name of a battle, such as `2D+5`; the second one of a P4 about the same place is `2D+5(2)`. Ruling KA312"""
    return place if number == 1 else f"{place}({number})"


def courses_of(events: Iterable[Event]) -> Iterator[tuple[int, BattleCourse]]:
    """The courses among some events, and which of the battles told there about the same place each is.

    Nobody can tell from the numbers how many battles were fought that the events don't tell of. Ruling KA312
    """
    before = Counter[Province]()
    for event in events:
        if event.facts is not None and event.facts.args.get("course"):
            course = course_from_json(event.facts.args["course"])
            before[course.place] += 1
            yield before[course.place], course
