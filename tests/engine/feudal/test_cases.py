"""Every case of `tests/cases/feudal/`, and every row of the rules' tables, played through the public protocol.

Beyond what `tests/cases` tells: a unit may name a home (`barbarians A DEN SWE`), an outcome the code of the refusal
(`invalid centre_too_near`); a case may have `castles`, `dice`, `dislodged`, `magic`, `out`, `powers`, `seed` and
`setup`; without a `phase` it is a new game. A turn may tell before its orders what each player is `asked` for, and all
spaces that a barbarian `draws` from; after them all `players_units` or `barbarians` (place and home) alone, all
`castles`, who is `out`, `why` an order ended so, with how much of its strength a knight's support `counted`, and what
is `events` in events, in their order, or `silent`.

`tables.toml` has the rows of the Start Table, and how many units of a kind so many centres allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.core.ids import PlaceId, PowerId
from engine.core.orders import words_for
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.feudal.barbarians import draw_barbarians
from engine.feudal.board import land_of
from engine.feudal.model import Order, State, View
from engine.feudal.system import FEUDAL
from tests.cases import Case, load_cases, load_rows

RULES = FEUDAL
CASES = [*load_cases("feudal/examples.toml"), *load_cases("feudal/rulings.toml")]
START_TABLE = load_rows("feudal/tables.toml", "start")
QUOTAS = load_rows("feudal/tables.toml", "quota")
CENTRES = ("ANK", "BEL", "BER", "BRE", "BUD", "BUL", "CON", "DEN", "EDI", "GRE", "HOL", "KIE", "LON", "LVP", "MAR",
           "MOS", "MUN", "NAP", "NWY", "PAR", "POR", "ROM")  # fmt: skip


def _missing(view: View, orders: Sequence[Order]) -> tuple[str, ...]:
    return words_for(RULES.orders.missing(view, orders), load_phrases("feudal"))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.play.load(document_of(case))
    for turn in case["turn"]:
        if "dice" in turn:
            state = RULES.play.load({**RULES.play.dump(state), "dice": turn["dice"]})
        for power, asked in turn.get("asked", {}).items():
            assert list(_missing(RULES.sight.view(state, Playing(PowerId(power))), ())) == asked
        for place, spaces in turn.get("draws", {}).items():
            assert draws(state, place) == sorted(spaces)
        sheets: dict[PowerId, list[Order]] = {}
        refused: dict[tuple[str, str], str] = {}
        for power, written in turn.get("orders", {}).items():
            reading = read_orders(
                RULES, RULES.sight.view(state, Playing(PowerId(power))), "\n".join(text for text, _ in written)
            )
            sheets[PowerId(power)] = list(reading.values)
            refused |= {(power, error.text): error.code for error in reading.errors}
        resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        found = _outcomes(turn, state, resolution, refused)
        assert found == {power: [list(line) for line in lines] for power, lines in turn.get("orders", {}).items()}
        _check(turn, resolution)
        state = resolution.state


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    position: dict[str, Any] = {
        key: case[key] for key in ("castles", "dislodged", "magic", "out", "powers", "setup") if key in case
    }
    if "units" in case:
        position["units"] = [
            dict(zip(("power", "kind", "at", "home"), unit.split(), strict=False)) for unit in case["units"]
        ]
    if "centres" in case:
        position["centres"] = {centre: owner or None for centre, owner in case["centres"].items()}
    document = {
        "system": "feudal",
        "options": case.get("options", {}),
        "seed": case.get("seed", "case"),
        "state": position,
        "dice": case.get("dice", {}),
    }
    if "phase" in case:
        season, year, kind = case["phase"].split()
        document["phase"] = {"year": int(year), "season": season, "kind": kind}
    return document


def draws(state: State, place: str) -> list[str]:
    """Where the barbarian in a place goes, over many seeds."""
    document, found = RULES.play.dump(state), set()
    for seed in range(60):
        rolled = RULES.play.load({**document, "seed": f"{seed}", "dice": {}})
        found.add(draw_barbarians(rolled, RULES.play.dice(rolled))[PlaceId(place)])
    return sorted(found)


def _outcomes(
    turn: Mapping[str, Any], state: State, resolution: Resolution[State, Order], refused: Mapping[tuple[str, str], str]
) -> dict[str, list[list[str]]]:
    """What became of every line that was written."""
    told = {(result.power, result.text): str(result.outcome) for result in resolution.results}
    found: dict[str, list[list[str]]] = {}
    for power, written in turn.get("orders", {}).items():
        view = RULES.sight.view(state, Playing(PowerId(power)))
        lines = found.setdefault(power, [])
        for text, _ in written:
            if (power, text) in refused:
                lines.append([text, f"invalid {refused[power, text]}"])
                continue
            orders = [RULES.orders.format(read.order) for read in RULES.orders.parse(text, view).orders]
            lines.append([text, " ".join(told.get((PowerId(power), order), "?") for order in orders)])
    return found


def _check(turn: Mapping[str, Any], resolution: Resolution[State, Order]) -> None:
    document = RULES.play.dump(resolution.state)
    position, phase = document["state"], document["phase"]
    if "units" in turn:
        assert sorted(map(_unit, position["units"])) == sorted(turn["units"])
    if "players_units" in turn:
        own = [row for row in position["units"] if row["power"] not in ("nomads", "barbarians")]
        assert sorted(map(_unit, own)) == sorted(turn["players_units"])
    if "barbarians" in turn:
        own = [row for row in position["units"] if row["power"] == "barbarians"]
        assert sorted(f"{row['at']} {row['home']}" for row in own) == sorted(turn["barbarians"])
    rows = [
        f"{_unit(row)} from {row['from'] or '-'} retreats {' '.join(row['retreats']) or '-'}"
        for row in resolution.dislodged
    ]
    assert sorted(rows) == sorted(turn.get("dislodged", []))
    for centre, owner in turn.get("centres", {}).items():
        assert position["centres"].get(centre) == (owner or None), centre
    for key in ("castles", "out", "magic"):
        if key in turn:
            assert position[key] == turn[key]
    if "setup" in turn:
        assert position.get("setup") == turn["setup"]
    if "next" in turn:
        assert f"{phase['season']} {phase['year']} {phase['kind']}" == turn["next"]
    assert document.get("over", {}).get("winners") == turn.get("winners")
    reasons = {(str(result.power), result.text): result.reason for result in resolution.results}
    for power, order, code in turn.get("why", []):
        assert reasons[power, order].code == f"outcome.{code}"
    for power, order, count in turn.get("counted", []):
        assert reasons[power, order].args.get("count", 2) == count
    events = [{"code": what.code.removeprefix("event."), **what.args} for what in (e.what for e in resolution.events)]
    for row in turn.get("events", []):
        fitting = [index for index, event in enumerate(events) if row.items() <= _plain(event).items()]
        assert fitting, row
        events = events[fitting[0] + 1 :]
    assert not {event.what.code.removeprefix("event.") for event in resolution.events} & set(turn.get("silent", []))


def _plain(event: Mapping[str, Any]) -> dict[str, Any]:
    """An event as a row of a case: no tuples, no phrases."""
    words = {key: list(value) if isinstance(value, tuple) else value for key, value in event.items()}
    return {key: value for key, value in words.items() if isinstance(value, str | int | list)}


def _unit(row: Mapping[str, Any]) -> str:
    return f"{row['power']} {row['kind']} {row['at']}"


@pytest.mark.parametrize("row", START_TABLE, ids=lambda row: f"{row['players']} players, row {row['start_row']}")
def test_centres_are_chosen_by_the_start_table(row: Case) -> None:
    options = {"start_row": row["start_row"]}
    state = RULES.play.start(variant="standard", players=row["players"], options=options, seed="table")
    player = state.powers[0]
    assert len(_missing(RULES.sight.view(state, Playing(player)), ())) == row["list"]
    while min(len(state.owned(power)) for power in state.powers) < 1:
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    near = land_of(state.variant.board).distance[state.owned(player)[0]]
    for centre in [centre for centre, owner in state.centres.items() if owner is None]:
        refused = [
            error.code
            for error in read_orders(RULES, RULES.sight.view(state, Playing(player)), f"CHOOSE 1 {centre}").errors
        ]
        assert refused == (["centre_too_near"] if near[centre] < row["distance"] else []), centre
    while _missing(RULES.sight.view(state, Playing(player)), ()) != ("castle",):
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    for power in state.powers:
        assert len(state.owned(power)) == row["centres"]


@pytest.mark.parametrize("row", QUOTAS, ids=lambda row: f"{row['centres']} centres")
def test_builds_are_refused_beyond_the_quotas(row: Case) -> None:
    own = CENTRES[: row["centres"]]
    position = {"powers": ["boar", "eagle"], "units": [], "centres": dict.fromkeys(own, "boar") | {"SPA": "eagle"}}
    state = RULES.play.load(
        {"system": "feudal", "options": {"magic": True}, "phase": {"kind": "adjustments"}, "state": position}
    )
    for kind, most in (("N", row["knights"] - 1), ("W", row["wizards"])):
        texts = [f"BUILD K {own[0]}", *(f"BUILD {kind} {centre}" for centre in own[1:])]
        sheet = read_orders(RULES, RULES.sight.view(state, Playing(PowerId("boar"))), "\n".join(texts)).values
        after = RULES.play.adjudicate(state, {PowerId("boar"): sheet}, RULES.play.dice(state)).state
        built = [unit.kind for unit in after.units if unit.power == "boar"]
        assert sorted(built) == sorted(["K", *[kind] * most])


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
