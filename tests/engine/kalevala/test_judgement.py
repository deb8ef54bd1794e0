"""The computer's rulers: what they order works, they settle, attack only whom they know to be weaker, and guard."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala import judgement
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.computer import rehearsal
from engine.kalevala.computer.rehearsal import weigh
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.document import load
from engine.kalevala.gods.orders import GodAura
from engine.kalevala.info import MODULES
from engine.kalevala.judgement import draft, draft_skilled
from engine.kalevala.model import State, TradeCentre
from engine.kalevala.orders import Convert, Enter, Explore, Line, Move
from engine.kalevala.system import KALEVALA, start
from engine.kalevala.war.plans import BlockOpening
from tests.measure_kalevala_epoch import play_round

ANNA, BERT = PowerId("anna"), PowerId("bert")


def sheet(state: State, ruler: PowerId = ANNA) -> tuple[Line, ...]:
    """What a ruler of the computer's would send."""
    return tuple(draft(KALEVALA.sight.view(state, Playing(ruler)).state, ruler, random.Random(1), 0.3))


def test_a_ruler_settles_and_nothing_that_it_orders_fails_but_scouts_and_auras() -> None:
    state = start(variant="small", players=6, options={}, seed="settlers")
    kinds: set[type[Any]] = set()
    while state.gr < 4:
        done = KALEVALA.play.adjudicate(state, {ANNA: sheet(state)}, KALEVALA.play.dice(state))
        failed = [
            result.order.canonical
            for result in done.results
            if result.order is not None
            and result.power == ANNA
            and result.outcome is not Outcome.SUCCEEDS
            and not isinstance(result.order.order, Explore | GodAura)
        ]
        assert failed == []
        kinds |= {type(result.order.order) for result in done.results if result.order is not None}
        state = done.state
    assert {Explore, Enter} <= kinds
    assert len(state.owned(ANNA)) >= 6


def test_men_march_from_where_others_were_raised_just_now() -> None:
    """Figures that were paid for with what was armed stay, and the others go. Source: rules R-099, R-107"""
    around = ("2C+4", "2C+5", "2D+3", "2D+5", "2E+4", "2E+3")
    position = {
        "rulers": {"anna": {"capital": "2D+4"}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": dict.fromkeys(("2D+4", *around), "anna"),
        "stacks": {"anna": {"2D+4": "5L", **dict.fromkeys(around, "1L")}},
    }
    state = load({"system": "kalevala", "phase": {"gr": 2, "part": 1}, "state": position})
    orders = [line.order for line in sheet(state)]
    assert any(isinstance(order, Convert) and order.at == "2D+4" for order in orders)
    assert any(isinstance(order, Move) and order.path[0] == "2D+4" for order in orders)


def neighbours(enemy: str, **more: Any) -> State:
    """Anna has explored what bert holds beside her."""
    position = {
        "rulers": {"anna": {"core": "LB", "capital": "2D+4"}, "bert": {}},
        "gf": {
            "2D+4": {"hz": {"type": "Hstd", "kf": 19}},
            "2D+5": {"hz": {"type": "Mkt", "kf": 19}},
            "2H+4": {"hz": {"type": "Mkt"}},
        },
        "owners": {"2D+4": "anna", "2D+5": "bert", "2H+4": "bert"},
        "stacks": {"anna": {"2D+4": "24LB 6BB"}, "bert": {"2D+5": enemy, "2H+4": "4L"}},
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5", "result": "FULL"}]},
    }
    return load({"system": "kalevala", "phase": {"gr": 1, "part": 3}, "state": position, **more})


def test_contested_land_is_settled_between_rulers_of_the_computer() -> None:
    position = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {"capital": "2D+6"}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}, "2D+6": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+6": "bert"},
        "stacks": {"anna": {"2D+4": "4L", "2D+5": "2L"}, "bert": {"2D+6": "4L", "2D+5": "3L"}},
        "contested": {"2D+5": ["anna", "bert"]},
    }
    state = load({"system": "kalevala", "phase": {"gr": 1, "part": 3}, "state": position})
    done = KALEVALA.play.adjudicate(
        state, {ruler: sheet(state, ruler) for ruler in (ANNA, BERT)}, KALEVALA.play.dice(state)
    )
    assert not done.state.contested
    assert done.state.owners[Province("2D+5")] == BERT


@pytest.mark.parametrize(("enemy", "is_attacked"), [("4L", True), ("60LC", False)])
def test_only_what_was_seen_to_be_weaker_is_attacked_with_a_plan_and_a_guard_at_home(
    enemy: str, is_attacked: bool
) -> None:
    orders = [line.order for line in sheet(neighbours(enemy))]
    attacks = [order for order in orders if isinstance(order, Enter) and order.kind == "K"]
    plans = {(order.block.kind, order.block.at) for order in orders if isinstance(order, BlockOpening)}
    assert len(attacks) == is_attacked
    assert (("BATTLE", "2D+4") in plans) is is_attacked
    assert ("DEFEND", "2D+4") in plans


def skilled(state: State, ruler: PowerId = ANNA) -> list[Any]:
    """What the strongest level would order first."""
    view = KALEVALA.sight.view(state, Playing(ruler)).state
    return [line.order for line in draft_skilled(view, ruler, random.Random(1), 0.3)]


@pytest.mark.parametrize(
    ("enemy", "wizard", "is_taken"), [("8L", "Z/30", True), ("2L", "Z/30", False), ("8L", "Z/0", False)]
)
def test_a_skilled_ruler_takes_a_wizard_who_can_cast_to_where_somebody_defends_the_land(
    enemy: str, wizard: str, is_taken: bool
) -> None:
    given = neighbours(enemy)
    own = {place: {**stack, wizard: 1} for place, stack in given.stacks[ANNA].items()}
    state = given.replace(stacks={**given.stacks, ANNA: own})

    def hosts(ordered: Iterable[Any]) -> list[dict[str, int]]:
        return [dict(order.figures) for order in ordered if isinstance(order, Enter) and order.kind == "K"]

    assert [wizard in host for host in hosts(skilled(state))] == [is_taken]
    assert [wizard in host for host in hosts(line.order for line in sheet(state))] == [False]


@pytest.mark.parametrize(("level", "is_skilled"), [(Level.EASY, False), (Level.FAIR, False), (Level.STRONG, True)])
def test_only_the_strongest_level_is_skilled(level: Level, is_skilled: bool) -> None:
    given = neighbours("8L")
    own = {place: {**stack, "Z/30": 1} for place, stack in given.stacks[ANNA].items()}
    view = KALEVALA.sight.view(given.replace(stacks={**given.stacks, ANNA: own}), Playing(ANNA))
    care = replace(CARE[level], drafting=replace(CARE[level].drafting, forgets=0.0))
    lines = think(KALEVALA, judgement.JUDGEMENT, view, ANNA, care, random.Random(1))
    assert any("2D+5" in line and "Z/30" in line for line in lines) is is_skilled


def test_a_skilled_ruler_remembers_where_scouts_saw_a_capital() -> None:
    given = neighbours("8L", phase={"gr": 3, "part": 1})
    places = [Province("2D+5"), Province("2E+3"), Province("2C+4")]
    base = given.replace(explored={}, known={ANNA: frozenset(places)})

    def first_scouted(ordered: Iterable[Any]) -> Province:
        return next(order.target for order in ordered if isinstance(order, Explore))

    seen = [base.replace(centres={ANNA: {gf_of(place): TradeCentre("Hstd")}}) for place in places]
    assert [first_scouted(skilled(state)) for state in seen] == places
    assert len({first_scouted(line.order for line in sheet(state)) for state in seen}) == 1, "fair forgets it"


def test_two_thirds_of_a_skilled_rulers_new_troops_are_archers() -> None:
    given = neighbours("60LC", phase={"gr": 2, "part": 1})
    own = {place: {**stack, "RE": 60} for place, stack in given.stacks[ANNA].items()}
    state = given.replace(stacks={**given.stacks, ANNA: own})

    def raised(ordered: Iterable[Any]) -> Counter[str]:
        return sum((Counter(dict(order.figures)) for order in ordered if isinstance(order, Convert)), Counter())

    found = raised(skilled(state))
    assert abs(2 * found["LB"] - found["BB"]) <= 2 < found.total()
    assert raised(line.order for line in sheet(state)) == {"LB": found.total()}


def test_strangers_beside_the_capital_are_answered_with_troops() -> None:
    def raised(enemy: str) -> int:
        given = neighbours(enemy, phase={"gr": 2, "part": 1})
        stack = {**given.stacks[ANNA][next(iter(given.stacks[ANNA]))], "RE": 60}
        state = given.replace(stacks={**given.stacks, ANNA: dict.fromkeys(given.stacks[ANNA], stack)})
        return sum(count for line in sheet(state) if isinstance(line.order, Convert) for _, count in line.order.figures)

    assert raised("4L") < raised("60LC")


def test_men_of_the_inland_go_to_the_border() -> None:
    state = start(variant="world", players=2, options={}, seed="marches")
    ruler = next(iter(state.rulers))
    capital = state.rulers[ruler].capital
    marches = [line.order for line in sheet(state, ruler) if isinstance(line.order, Move)]
    assert marches
    assert all(march.path[0] == capital for march in marches)


@pytest.mark.parametrize("shield", [0, 6])
def test_men_gather_where_a_known_trade_centre_of_others_may_be_had(shield: int) -> None:
    """While new rulers are protected, too: it may be the marauders', and they may be attacked. Ruling KA288"""
    position = {
        "rulers": {"anna": {"core": "LB", "capital": "2D+3"}, "bert": {}},
        "gf": {"2D+3": {"hz": {"type": "Hstd", "kf": 19}}, "2D+5": {"hz": {"type": "Phstd", "kf": 19}}},
        "owners": {"2D+3": "anna", "2D+4": "anna", "2E+3": "anna", "2D+5": "bert"},
        "known": {"anna": ["2D+5"]},
        "stacks": {"anna": {"2D+3": "9LB Z/30", "2D+4": "3LB", "2E+3": "8LB"}, "bert": {"2D+5": "4L"}},
    }
    options = {"shield": shield}
    state = load({"system": "kalevala", "options": options, "phase": {"gr": 3, "part": 1}, "state": position})
    ordered = [line.order for line in sheet(state)]

    def gathered(ordered: Iterable[Any]) -> dict[str, int]:
        moves = {order.path: dict(order.figures) for order in ordered if isinstance(order, Move)}
        return moves[Province("2D+3"), Province("2D+4")]

    assert gathered(ordered) == {"LB": 6}, "a third stays in the capital"
    assert gathered(skilled(state)) == {"LB": 6, "Z/30": 1}
    assert any(isinstance(order, Explore) and order.target == "2D+5" for order in ordered)


def test_marauders_are_attacked_while_new_rulers_are_protected_and_realms_are_not() -> None:
    def attacks(owner: str) -> list[Any]:
        given = neighbours("4L")
        land = {**given.owners, Province("2D+5"): PowerId(owner)}
        stacks = {ANNA: given.stacks[ANNA], PowerId(owner): {Province("2D+5"): {"L": 4}}}
        kind = "marauder" if owner == "wolves" else "realm"
        rulers = {**given.rulers, PowerId(owner): replace(given.rulers[BERT], kind=kind)}
        state = given.replace(rulers=rulers, owners=land, stacks=stacks, options={**given.options, "shield": 6})
        return [line.order for line in sheet(state) if isinstance(line.order, Enter) and line.order.kind == "K"]

    assert attacks("wolves")
    assert not attacks("bert")


def test_a_rehearsal_tells_a_good_attack_from_none_and_from_a_bad_one() -> None:
    def worth(enemy: str, *lines: str) -> float:
        view = KALEVALA.sight.view(neighbours(enemy), Playing(ANNA))
        return weigh(view, "some luck")(read_orders(KALEVALA, view, "\n".join(lines)).values)

    attack = "ENTER 2 2D+4 K 2D+5 16LB 4BB"
    assert worth("60LC", attack) < worth("4L") == 0 < worth("4L", attack)


def test_a_costly_victory_is_worth_more_in_the_last_round_than_with_rounds_to_come() -> None:
    def worth(rounds: int) -> float:
        given = neighbours("12L")
        view = KALEVALA.sight.view(given.replace(options={**given.options, "rounds": rounds}), Playing(ANNA))
        return weigh(view, "some luck")(read_orders(KALEVALA, view, "ENTER 2 2D+4 K 2D+5 16LB 4BB").values)

    assert worth(1) > worth(3) > worth(9)
    assert worth(9) == worth(0), "a game without an end has always as many to come"


def test_the_same_attack_of_two_sheets_is_rehearsed_once_and_another_one_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    fought: list[str] = []

    def noted(site: BattleSite, streams: Streams) -> Any:
        fought.append(site.id)
        return fight_out(site, streams)

    monkeypatch.setattr(rehearsal, "fight_out", noted)
    view = KALEVALA.sight.view(neighbours("9L"), Playing(ANNA))
    tell = weigh(view, "some luck")

    def worth(*lines: str) -> float:
        return tell(read_orders(KALEVALA, view, "\n".join(lines)).values)

    first = worth("ENTER 2 2D+4 K 2D+5 16LB 4BB")
    once = len(fought)
    assert once > 1
    assert worth("ENTER 2 2D+4 K 2D+5 16LB 4BB", "LETTER bert greetings") == first
    assert len(fought) == once
    worth("ENTER 2 2D+4 K 2D+5 4LB")
    assert len(fought) == 2 * once


def test_skilled_rulers_attack_where_the_odds_are_too_bad_for_others() -> None:
    state = neighbours("22L 6B")

    def attacks(drafted: Any, wildness: float) -> int:
        view = KALEVALA.sight.view(state, Playing(ANNA)).state
        sheets = (drafted(view, ANNA, random.Random(seed), wildness) for seed in range(12))
        return sum(any(isinstance(line.order, Enter) and line.order.kind == "K" for line in one) for one in sheets)

    assert attacks(draft, 0.3) == 0
    assert 0 < attacks(draft_skilled, 0.3) < 12
    assert 0 < attacks(draft_skilled, 0.9) < 12


def test_bold_rulers_attack_where_cautious_ones_want_better_odds() -> None:
    view = KALEVALA.sight.view(neighbours("9L"), Playing(ANNA)).state

    def attacks(caution: float) -> int:
        sheets = (draft(view, ANNA, random.Random(seed), 0.3, caution=caution) for seed in range(12))
        return sum(any(isinstance(line.order, Enter) and line.order.kind == "K" for line in one) for one in sheets)

    assert attacks(2.5) < attacks(1.0) < attacks(0.4)


def between_two(north: str, south: str) -> State:
    """Anna has explored two provinces of bert's from her capital."""
    position = {
        "rulers": {"anna": {"core": "LB", "capital": "2D+4"}, "bert": {}},
        "gf": {at: {"hz": {"type": "Mkt", "kf": 19}} for at in ("2D+4", "2D+5", "2D+3")},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2D+3": "bert"},
        "stacks": {"anna": {"2D+4": "30LB"}, "bert": {"2D+5": north, "2D+3": south}},
        "explored": {
            "anna": [
                {"ee": number, "from": "2D+4", "to": target, "result": "FULL"}
                for number, target in ((1, "2D+5"), (2, "2D+3"))
            ]
        },
    }
    return load({"system": "kalevala", "phase": {"gr": 1, "part": 3}, "state": position})


def hosts(ordered: Iterable[Any]) -> dict[str, int]:
    """How many men attack each province."""
    return {
        order.target: sum(count for _, count in order.figures)
        for order in ordered
        if isinstance(order, Enter) and order.kind == "K"
    }


def test_skilled_rulers_attack_two_provinces_at_once_the_first_with_no_more_than_enough() -> None:
    state = between_two("4L", "2L")
    assert len(hosts(line.order for line in sheet(state))) == 1
    found = hosts(skilled(state))
    assert set(found) == {"2D+5", "2D+3"}
    assert sum(found.values()) == 10, "two thirds stay in the capital, next to which there are strangers"
    # A man of anna's costs as much as two of bert's.
    enough = {"2D+5": 7, "2D+3": 4}
    assert any(found[place] == count for place, count in enough.items())


@pytest.mark.parametrize(("known", "scouts"), [(True, 3), (False, 4)])
def test_skilled_rulers_keep_an_exploration_unit_for_each_entry_that_is_likely(known: bool, scouts: int) -> None:
    around = ("2D+5", "2D+3", "2E+4", "2C+4", "2E+3", "2C+5", "2E+5", "2C+3")
    position = {
        "rulers": {"anna": {"core": "LB", "capital": "2D+4"}, "bert": {}},
        "gf": {at: {"hz": {"type": "Mkt", "kf": 19}} for at in ("2D+4", *around)},
        "owners": {"2D+4": "anna"},
        "known": {"anna": list(around) if known else []},
        "stacks": {"anna": {"2D+4": "30LB"}},
    }
    state = load({"system": "kalevala", "phase": {"gr": 1, "part": 1}, "state": position})
    assert sum(isinstance(order, Explore) for order in skilled(state)) == scouts


def test_land_where_nobody_stands_is_worth_taking_without_a_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    def unexpected(*given: Any) -> Any:
        raise AssertionError("nobody fights")

    monkeypatch.setattr(rehearsal, "fight_out", unexpected)
    given = neighbours("4L")
    state = given.replace(stacks={ANNA: given.stacks[ANNA], BERT: {}})
    view = KALEVALA.sight.view(state, Playing(ANNA))
    tell = weigh(view, "some luck")
    assert tell(read_orders(KALEVALA, view, "ENTER 2 2D+4 K 2D+5 4LB").values) > 0 == tell(())


def test_strong_rulers_play_whole_rounds_on_what_they_see() -> None:
    """What they have not seen is never fought over, nor does it break anything."""
    begun = start(variant="small", players=6, options={"rounds": 2}, seed="strong")
    _, _, faults = play_round(begun, Level.STRONG, Counter())
    assert faults == []


def test_an_epoch_of_the_computer_balances_and_replays() -> None:
    options = {**dict.fromkeys(MODULES, True), "rounds": 1}
    worked: Counter[str] = Counter()
    begun = start(variant="world", players=3, options=options, seed="epoch")
    _, _, faults = play_round(begun, Level.FAIR, worked)
    assert faults == []
    assert {"Explore", "GodCreate", "GodScout"} <= worked.keys()
