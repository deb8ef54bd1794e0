"""What holds for any moves and battles of King of Kings, whatever stands on the board and whatever is ordered."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.king_of_kings.model import Line, March, Sail, State, Symbol, Tactic
from engine.king_of_kings.steps import battles
from engine.king_of_kings.system import KING_OF_KINGS
from engine.king_of_kings.turn import STEPS, rehearse
from engine.king_of_kings.working import Turn
from engine.lattice.squares import Direction
from tests.examples import few

RULES = KING_OF_KINGS
UNTIL_BATTLES = STEPS[: STEPS.index(battles.fight) + 1]
Played = tuple[State, dict[PowerId, list[Line]]]
NATIONS = ("red", "blue", "green")
WIDTH, HEIGHT = 5, 4
STANDARD = "FBHCGS"
ODD_TROOPS: list[dict[str, Any]] = [
    {"name": "foot", "symbol": "F", "hit_first": 30, "hit_later": 20, "land_move": 2, "food": 1, "gold": 6,
     "casualty_land": 1, "flags": ["crew"]},
    {"name": "marines", "symbol": "M", "hit_first": 40, "land_move": 2, "sea_move": 8, "gold": 9, "casualty_land": 2,
     "casualty_sea": 2, "flags": ["crew", "pincer"]},
    {"name": "wagon", "symbol": "W", "land_move": 1, "wood": 3, "hit_bonus": 5, "morale_bonus": 7},
    {"name": "tower", "symbol": "T", "hit_first": 20, "hit_later": 20, "armour": 30, "gold": 9, "casualty_land": 3},
    {"name": "general", "symbol": "G", "hit_first": 50, "hit_later": 50, "land_move": 4, "hit_bonus": 10,
     "casualty_land": 4, "flags": ["crew", "general"]},
    {"name": "raft", "symbol": "R", "sea_move": 3, "wood": 4, "flags": ["transport"]},
    {"name": "ship", "symbol": "S", "hit_first": 50, "hit_later": 50, "sea_move": 10, "wood": 9, "casualty_sea": 1,
     "flags": ["transport"]},
]  # fmt: skip
ODD = "FMWTGRS"


def _units(rng: random.Random, symbols: str, most: int) -> dict[str, int]:
    return {rng.choice(symbols): rng.randint(1, most) for _ in range(rng.randint(0, 3))}


def _position(rng: random.Random) -> State:
    """A small board with three nations, with the standard troops or with stranger ones."""
    terrain = rng.choices("~~~PPPPGFHMC", k=WIDTH * HEIGHT)
    is_odd = rng.random() < 0.4
    provinces: list[dict[str, Any]] = []
    for cell, letter in enumerate(terrain):
        y, x = divmod(cell, WIDTH)
        if letter == "~":
            fleets = {nation: _units(rng, "FMGRSS" if is_odd else "FBHGSS", 4) for nation in rng.sample(NATIONS, 2)}
            provinces.append({"x": x, "y": y, "units": {nation: units for nation, units in fleets.items() if units}})
        elif (owner := rng.choice((None, *NATIONS))) is not None:
            units = _units(rng, ODD if is_odd else STANDARD, 3)
            there = {owner: units} if units else {}
            provinces.append({"x": x, "y": y, "owner": owner, "tactic": rng.choice("FPTUC"), "units": there})
    status = {each: {other: rng.choice((0, 0, 0, 1, 5)) for other in NATIONS if other != each} for each in NATIONS}
    state = {
        "map": ["".join(terrain[row : row + WIDTH]) for row in range(0, WIDTH * HEIGHT, WIDTH)],
        "nations": [{"name": nation, "status": status[nation]} for nation in NATIONS],
        "provinces": provinces,
        **({"troops": ODD_TROOPS} if is_odd else {}),
    }
    options = {name: rng.random() < 0.5 for name in ("crew", "capture", "sea_ownership")}
    return RULES.play.load({"seed": str(rng.random()), "options": options, "state": state})


def _order(rng: random.Random, state: State, places: list[int]) -> Sail | March:
    y, x = divmod(rng.choice(places), WIDTH)
    named = {rng.choice(list(state.rules.troops)): rng.randint(1, 4) for _ in range(rng.randint(0, 3))}
    takes_all = rng.random() < 0.6 or not named
    path = tuple(rng.choices(list(Direction), k=rng.randint(1, 5)))
    if rng.random() < 0.4:
        return Sail(x, y, takes_all, tuple(named.items()), path)
    return March(x, y, rng.choice((None, *Tactic)), takes_all, tuple(named.items()), path)


def _draw(number: int) -> Played:
    """A position with sheets of SEA and LAND orders, for places where the nation has units."""
    rng = random.Random(number)
    state = _position(rng)
    sheets = {}
    for nation in state.nations:
        places = [cell for cell, province in enumerate(state.provinces) if nation in province.units]
        orders = [_order(rng, state, places or [0]) for _ in range(8)]
        sheets[nation] = [Line(order, number) for number, order in enumerate(orders, 1)]
    return state, sheets


any_turn = given(st.integers(0, 10**9).map(_draw))


def _play(state: State, sheets: dict[PowerId, list[Line]]) -> Turn:
    turn = Turn.open(state, sheets, Dice(state.seed).streams())
    for step in UNTIL_BATTLES:
        step(turn)
    return turn


def _count(turn: Turn) -> Counter[tuple[PowerId, Symbol]]:
    return Counter(
        {
            (nation, symbol): sum(area.count(nation, symbol) for area in turn.areas)
            for nation in turn.realms
            for symbol in turn.rules.troops
        }
    )


@settings(max_examples=few(40))
@any_turn
def test_units_are_conserved_but_for_logged_losses(played: Played) -> None:
    state, sheets = played
    expected = _count(Turn.open(state, sheets, None))
    turn = _play(state, sheets)
    for entry in turn.ledger:
        expected[entry.nation, Symbol(entry.what)] += entry.amount
    assert _count(turn) == expected
    assert sum(realm.points for realm in turn.realms.values()) == 0


@settings(max_examples=few(40))
@any_turn
def test_land_holds_units_of_its_owner_alone_after_the_battles(played: Played) -> None:
    turn = _play(*played)
    assert not turn.assaults
    for area in turn.areas:
        assert area.is_sea or set(area.units) <= {area.owner}
        assert all(number > 0 for units in area.units.values() for number in units.values())
    assert RULES.play.load(RULES.play.dump(turn.close())) == turn.close()


@settings(max_examples=few(40))
@any_turn
def test_dice_are_rolled_for_what_is_told_and_nothing_else(played: Played) -> None:
    turn = _play(*played)
    assert turn.dice is not None
    rolled: Counter[str] = Counter()
    stream, rounds = "", 0
    for event in turn.events:
        args = event.what.args
        if event.what.code in {"battle.land", "battle.sea"}:
            kind = "battle" if event.what.code == "battle.land" else "sea"
            stream, rounds = f"{kind}/{args['x']},{args['y']}", 0
        elif event.what.code == "battle.volley":
            rolled[stream] += len(args["rolls"])
            assert rounds <= args["round"] <= (100 if stream.startswith("sea") else 200)
            rounds = args["round"]
    taken = {name: rolls for name, rolls in turn.dice.taken.items() if not name.startswith("detect/")}
    assert taken == +rolled


@settings(max_examples=few(30))
@any_turn
def test_a_march_that_is_rehearsed_ends_where_it_will_end(played: Played) -> None:
    """As long as the others do nothing and no fleet can be seen."""
    state, sheets = played
    nation = PowerId("red")
    marches = [line for line in sheets[nation] if isinstance(line.order, March)]
    alone = _play(state, {each: marches if each == nation else [] for each in state.nations})
    rehearsed = rehearse(state, nation, marches)
    assert rehearsed.ends == alone.ends
    assert [said for said in alone.remarks if said.code != "W05"] == rehearsed.remarks
    assert not rehearsed.ledger or all(entry.why == "given" for entry in rehearsed.ledger)


@settings(max_examples=few(15))
@any_turn
def test_the_same_sheets_and_seed_give_the_same_turn(played: Played) -> None:
    state, sheets = played
    one, other = _play(state, sheets), _play(replace(state), dict(reversed(sheets.items())))
    assert (one.close(), one.events, one.remarks) == (other.close(), other.events, other.remarks)
