"""Every case of `tests/cases/king_of_kings/moves`: a turn of King of Kings up to the end of its land battles.

Of what `tests/cases/README.md` describes, a case gives the `map` as a document does, and may give `nations` (names or
rows), `options`, `troops`, `terrain`, `status` (`red blue 5`: red's own to blue) and `dice`. `provinces` are lines like
`1,0 red: 2H 1G | tactic=P`: who owns the cell, who stands there (at sea `3,1 red: 2S | blue: 1S`), and other keys of a
province. Then its turn says

- `orders`: each line with what becomes of it, and the codes that are said of it, in order;
- `after`: each cell that is not as before; all others must be as they were;
- `dice`: if it names streams, no roll of any stream may be missing or left over, but those that draw the playing order;
- `points`: the victory points of each nation that has any; `events`: codes of some of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from engine.core.dice import Dice, Streams
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.variant import load_phrases
from engine.king_of_kings.model import Line, State, View
from engine.king_of_kings.parse import parse
from engine.king_of_kings.results import results_of
from engine.king_of_kings.steps import battles
from engine.king_of_kings.system import KING_OF_KINGS
from engine.king_of_kings.turn import STEPS
from engine.king_of_kings.working import Area, Turn
from tests.cases import Case, load_cases
from tests.engine.king_of_kings.test_cases import outcome_of

RULES = KING_OF_KINGS
CASES = load_cases("king_of_kings/moves/*.toml")
UNTIL_BATTLES = STEPS[: STEPS.index(battles.fight) + 1]


class StrictStreams(Streams):
    """Dice that give the rolls of a case and no others."""

    def roll(self, stream: str, *, sides: int, purpose: Phrase | None = None) -> int:
        assert self.taken.get(stream, 0) < len(self.forced(stream)), f"a roll of {stream} is missing"
        return super().roll(stream, sides=sides, purpose=purpose)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    (given,) = case["turn"]
    state = RULES.play.load(document_of(case))
    sheets = {nation: _sheet(state, nation, given.get("orders", {}).get(nation, [])) for nation in state.nations}
    dice = Dice(state.seed, rows=state.dice)
    streams = (StrictStreams if "dice" in case else Streams)(dice)
    turn = Turn.open(state, sheets, streams)
    before = dict(_cells(turn))
    for step in UNTIL_BATTLES:
        step(turn)
    for nation, rows in given.get("orders", {}).items():
        assert [[text, _said(turn, nation, number)] for number, (text, _) in enumerate(rows, 1)] == rows
    changed = {cell: shown for cell, shown in _cells(turn) if shown != before[cell]}
    assert changed == dict(_read(row) for row in given.get("after", []))
    assert {realm.id: realm.points for realm in turn.realms.values() if realm.points} == given.get("points", {})
    for what in (*(event.what for event in turn.events), *(result.reason for result in results_of(turn))):
        assert load_phrases("king_of_kings").render(what)
    events = [event.what.code.removeprefix("battle.") for event in turn.events]
    assert [code for code in given.get("events", []) if code not in events] == []
    for name, rolls in case.get("dice", {}).items():
        assert name == "order" or streams.taken.get(name, 0) == len(rolls), f"rolls of {name} are left over"
    assert not turn.assaults


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    nations = [{"name": row} if isinstance(row, str) else row for row in case.get("nations", ["red", "blue"])]
    statuses: dict[str, dict[str, int]] = defaultdict(dict)
    for row in case.get("status", []):
        nation, other, status = row.split()
        statuses[nation][other] = int(status)
    state: dict[str, Any] = {
        "map": case["map"],
        "nations": [row | {"status": statuses[row["name"]]} for row in nations],
        "provinces": [_province(row) for row in case["provinces"]],
        **{key: case[key] for key in ("troops", "terrain", "tactics") if key in case},
    }
    return {"seed": "case", "options": case.get("options", {}), "dice": case.get("dice", {}), "state": state}


def _province(row: str) -> dict[str, Any]:
    at, rest = row.split(" ", 1)
    x, y = map(int, at.split(","))
    found: dict[str, Any] = {"x": x, "y": y, "units": {}}
    for part in rest.split("|"):
        if "=" in part:
            key, value = part.strip().split("=")
            found[key] = value
            continue
        nation, units = (word.strip() for word in part.split(":"))
        if units:
            found["units"][nation] = {unit[-1]: int(unit[:-1]) for unit in units.split()}
        else:
            found["owner"] = nation
    return found


def _sheet(state: State, nation: PowerId, rows: list[list[str]]) -> list[Line]:
    read = parse("\n".join(text for text, _ in rows), View(state, nation))
    assert not read.errors
    return [line.order for line in read.orders]


def _said(turn: Turn, nation: str, number: int) -> str:
    codes = [said.code for said in turn.remarks if said.nation == nation and said.line and said.line.number == number]
    return outcome_of(codes or ["ok"])


def _cells(turn: Turn) -> Iterator[tuple[str, str]]:
    for area in turn.areas:
        yield turn.grid.name(area.cell), _shown(turn, area)


def _shown(turn: Turn, area: Area) -> str:
    """A cell as in `after`: its owner and units, then what is not as usual."""
    nations = sorted({*area.units, *filter(None, [None if area.is_sea else area.owner])}, key=list(turn.realms).index)
    parts = [f"{nation}: {_units(turn, area, nation)}".strip() for nation in nations]
    if area.is_sea and area.owner is not None:
        parts.append(f"owner={area.owner}")
    if area.tactic != "T":
        parts.append(f"tactic={area.tactic}")
    if area.loyal_to != area.owner:
        parts.append(f"loyal_to={area.loyal_to}")
    return " | ".join(parts)


def _units(turn: Turn, area: Area, nation: PowerId) -> str:
    return " ".join(f"{area.count(nation, each)}{each}" for each in turn.rules.troops if area.count(nation, each))


def _read(row: str) -> tuple[str, str]:
    at, _, rest = row.partition(" ")
    return at, rest
