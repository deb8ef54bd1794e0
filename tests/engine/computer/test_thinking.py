"""The computer's players: their orders are legal, can be repeated, come from what they may know, and make sense."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from engine import systems
from engine.computer.choosing import Drafting, choose_draft
from engine.computer.drafting import draft
from engine.computer.levels import CARE, Care, Level, think
from engine.computer.search import Budget, climb, gain
from engine.computer.thinking import Guess, Outlook
from engine.core.dice import Dice
from engine.core.ids import PowerId, ProvinceId, SystemId
from engine.core.judgement import Chance, Worth
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.variant import load_variant
from engine.core.viewer import Playing
from engine.king_of_kings.model import Place
from engine.king_of_kings.ranking import standings
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Kind
from engine.provinces.variants import with_board
from engine.registry import AnySystem, Order, State, View
from tests.contract.games import random_game
from tests.contract.hidden import variants
from tests.tournament import GameSetup, play

JUDGED = tuple(system for system, rules in systems.items() if rules.judgement is not None)
each_game = pytest.mark.parametrize("system", JUDGED)
each_level = pytest.mark.parametrize("level", [Level.EASY, Level.FAIR])


def _thought(rules: AnySystem, view: View, power: PowerId, level: Level) -> tuple[str, ...]:
    assert rules.judgement is not None
    return think(rules, rules.judgement, view, power, CARE[level], random.Random("thoughts"))


def _positions(system: SystemId) -> Iterator[tuple[AnySystem, State, PowerId]]:
    """One power's positions in the phases of a random game, of each kind of phase at most two."""
    rules = systems[system]
    seen: dict[str, int] = {}
    for step in random_game(system):
        status = rules.play.status(step.state)
        seen[status.kind] = seen.get(status.kind, 0) + 1
        # Kregen's orders are so many that listing them takes long.
        if status.to_act and seen[status.kind] <= (1 if system == "kregen" else 2):
            yield rules, step.state, status.to_act[-1]


@each_game
@each_level
def test_orders_are_legal_together_and_the_same_again(system: SystemId, level: Level) -> None:
    thought = 0
    for rules, state, power in _positions(system):
        view = rules.sight.view(state, Playing(power))
        lines = _thought(rules, view, power, level)
        assert not read_orders(rules, view, "\n".join(lines)).errors
        assert lines == _thought(rules, view, power, level)
        thought += len(lines)
    assert thought > 5


@each_game
def test_what_a_player_may_not_know_changes_none_of_its_orders(system: SystemId) -> None:
    for rules, state, power in _positions(system):
        expected = _thought(rules, rules.sight.view(state, Playing(power)), power, Level.FAIR)
        for other in islice(variants(rules, state, Playing(power)), 3):
            assert _thought(rules, rules.sight.view(other, Playing(power)), power, Level.FAIR) == expected


@each_game
def test_trials_better_a_sheet_on_the_whole_and_never_spoil_one(system: SystemId) -> None:
    rules = systems[system]
    assert rules.judgement is not None
    bettered = 0
    if rules.judgement.draft is not None:
        pytest.skip("its sheets are drafted as a whole")
    for _, state, power in _positions(system):
        scene = Outlook(rules, rules.judgement, rules.sight.view(state, Playing(power)))
        chance = random.Random(3)
        sheets = {name: draft(scene.options(name), chance, wildness=1.0) for name in scene.to_act}
        guess = Guess({name: sheet for name, sheet in sheets.items() if name != power}, luck="some")
        start = gain(scene.worth_after(power, sheets[power], guess), power)
        value, sheet = climb(scene, power, sheets[power], [guess], chance=chance, budget=Budget(80))
        assert value == gain(scene.worth_after(power, sheet, guess), power) >= start
        bettered += value > start
    assert bettered > 0


def test_a_search_finds_the_support_that_a_single_change_would_not() -> None:
    rules = systems[SystemId("diplomacy")]
    assert rules.judgement is not None
    document = rules.play.dump(rules.play.start(variant="standard", players=7, options={}, seed=""))
    document["phase"] = {"year": 1905, "season": "fall", "kind": "movement"}
    standing = (("france", "BUR"), ("france", "RUH"), ("germany", "MUN"))
    document["state"]["units"] = [{"power": owner, "kind": "A", "at": at} for owner, at in standing]
    owned = document["state"]["centres"]
    document["state"]["centres"] = {centre: "germany" if centre == "MUN" else "france" for centre in owned}
    document["options"]["victory_centres"] = 34
    france, view = PowerId("france"), rules.sight.view(rules.play.load(document), Playing(PowerId("france")))
    scene = Outlook(rules, rules.judgement, view)
    units_hold, germany_holds = (
        {subject: orders[0] for subject, orders in scene.options(power).by_subject.items()}
        for power in (france, PowerId("germany"))
    )
    guess = Guess({PowerId("germany"): germany_holds}, luck="")
    _, sheet = climb(scene, france, units_hold, [guess], chance=random.Random(2), budget=Budget(500))
    lines = {rules.orders.format(order) for order in sheet.values()}
    assert lines in ({"A BUR - MUN", "A RUH S A BUR - MUN"}, {"A RUH - MUN", "A BUR S A RUH - MUN"})


def test_a_unit_that_carries_a_card_which_its_power_has_not_seen_is_thought_about() -> None:
    """Its sorcerer goes to it, or it to him, and takes the card in hand; once that brought the thinking down."""
    rules = systems[SystemId("young_kingdoms")]
    document = rules.play.dump(rules.play.start(variant="standard", players=6, options={}, seed=""))
    document["phase"] = {"year": 1401, "season": "spring", "kind": "movement"}
    document["state"]["carried"] = [{"at": "PTA", "card": 5}]
    document["state"]["hidden"] = {}
    power = PowerId("pan_tang")
    view = rules.sight.view(rules.play.load(document), Playing(power))
    assert [one.card for one in view.state.carried] == [0]  # type: ignore[attr-defined]
    assert _thought(rules, view, power, Level.FAIR)


def test_of_several_drafts_the_one_is_sent_that_does_best_against_what_others_may_do() -> None:
    rules = systems[SystemId("king_of_kings")]
    judgement = rules.judgement
    assert judgement is not None
    draft = judgement.draft
    assert draft is not None
    state, power = next((state, power) for _, state, power in _positions(SystemId("king_of_kings")))
    view = rules.sight.view(state, Playing(power))
    careful = Drafting(wildness=0.3, drafts=4)
    drafted: list[Sequence[Order]] = []
    gains: list[float] = []

    def noted(imagined: State, who: PowerId, chance: Chance, wildness: float) -> Sequence[Order]:
        sheet = draft(imagined, who, chance, wildness)
        if who == power:
            drafted.append(sheet)
        return sheet

    def measured(before: State) -> Callable[[State], Worth]:
        def tell(after: State) -> Worth:
            worth = judgement.measure(before)(after)
            gains.append(gain(worth, power))
            return worth

        return tell

    chosen = choose_draft(rules, replace(judgement, measure=measured), noted, view, power, careful, random.Random(4))
    assert len(drafted) == 4
    first = [sum(gains[2 * number : 2 * number + 2]) for number in range(4)]
    assert len(set(first)) > 1
    best = sorted(range(4), key=lambda number: -first[number])[:2]
    assert any(set(chosen) <= set(drafted[number]) for number in best)


def test_orders_that_do_more_harm_than_good_are_left_out() -> None:
    rules = systems[SystemId("king_of_kings")]
    judgement = rules.judgement
    assert judgement is not None
    assert judgement.draft is not None
    state, power = next((state, power) for _, state, power in _positions(SystemId("king_of_kings")))

    def of_few(before: State) -> Callable[[State], Worth]:
        return lambda after: {one.nation: -float(one.might) for one in standings(after)}  # type: ignore[arg-type]

    def places(sheet: Sequence[Any]) -> bool:
        return any(isinstance(line.order, Place) for line in sheet)

    view = rules.sight.view(state, Playing(power))
    usual = judgement.draft(judgement.imagine(view), power, random.Random(4), 0.0)
    assert places(usual)
    only = Drafting(wildness=0.0, drafts=2)
    lonely = replace(judgement, measure=of_few)
    assert not places(choose_draft(rules, lonely, judgement.draft, view, power, only, random.Random(4)))


def test_sheets_are_compared_some_turns_later_and_fewer_where_many_play() -> None:
    rules: AnySystem = systems[SystemId("king_of_kings")]
    judgement = rules.judgement
    assert judgement is not None
    draft = judgement.draft
    assert draft is not None
    state, power = next((state, power) for _, state, power in _positions(SystemId("king_of_kings")))
    count = len(rules.play.status(state).to_act)
    asked: list[tuple[bool, PowerId, float]] = []

    def noted(imagined: State, who: PowerId, chance: Chance, wildness: float) -> Sequence[Order]:
        asked.append((rules.play.status(imagined).code == rules.play.status(state).code, who, wildness))
        return draft(imagined, who, chance, wildness)

    far = Drafting(wildness=0.3, drafts=8, turns=2, most=2 * (1 + count))
    view = rules.sight.view(state, Playing(power))
    choose_draft(rules, judgement, noted, view, power, far, random.Random(4))
    assert [who for is_now, who, _ in asked if is_now].count(power) == 1
    later = [(who, wildness) for is_now, who, wildness in asked if not is_now]
    assert len(later) == 2 * count
    assert {wildness for _, wildness in later} == {0.0}


def test_each_guess_has_dice_of_its_own_and_every_draft_the_same_ones() -> None:
    rules: AnySystem = systems[SystemId("king_of_kings")]
    judgement = rules.judgement
    assert judgement is not None
    assert judgement.draft is not None
    state, power = next((state, power) for _, state, power in _positions(SystemId("king_of_kings")))
    seeds: list[str] = []

    def noted(before: State, sheets: Mapping[PowerId, Sequence[Any]], dice: Dice) -> Resolution[Any, Any]:
        seeds.append(dice.seed)
        return rules.play.adjudicate(before, sheets, dice)

    noting = replace(rules, play=replace(rules.play, adjudicate=noted))
    view = rules.sight.view(state, Playing(power))
    careful = Drafting(wildness=0.3, drafts=2)
    choose_draft(noting, judgement, judgement.draft, view, power, careful, random.Random(4))
    assert seeds[:2] == seeds[2:4]
    assert len(set(seeds[:4])) == 2


def test_orders_are_tried_with_other_dice_in_each_guess_at_what_others_send() -> None:
    rules: AnySystem = systems[SystemId("feudal")]
    assert rules.judgement is not None
    seeds: list[str] = []

    def noted(before: State, sheets: Mapping[PowerId, Sequence[Any]], dice: Dice) -> Resolution[Any, Any]:
        seeds.append(dice.seed)
        return rules.play.adjudicate(before, sheets, dice)

    noting = replace(rules, play=replace(rules.play, adjudicate=noted))
    state, power = next(
        (state, power)
        for _, state, power in _positions(SystemId("feudal"))
        if rules.play.status(state).kind == "movement"
    )
    view = rules.sight.view(state, Playing(power))
    care = Care(wildness=0.5, drafting=Drafting(wildness=0.5), samples=3, starts=2, trials=90)
    think(noting, rules.judgement, view, power, care, random.Random(4))
    first = seeds[:3]
    assert len(set(first)) == 3
    assert set(seeds) == set(first)
    assert len(seeds) > 6


def test_a_fair_player_gets_more_than_an_easy_one() -> None:
    """Two of four nations each, for some turns; who plays better is measured in docs/balance.md, by many games."""
    table = GameSetup(systems[SystemId("king_of_kings")], players=4, years=5, options={})
    ended = play(table, {0: "fair", 2: "fair"}, "easy", seed="tournament/2")
    figures = list(ended.figures.values())
    assert figures[0] + figures[2] > figures[1] + figures[3]


# In character


def _sheets_of_a_game(system: SystemId) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What each power of a game of `fair` players would send if it were cautious, and if it were bold."""
    rules = systems[system]
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="tempers")
    while rules.play.status(state).winners is None:
        sheets = {}
        for power in rules.play.status(state).to_act:
            view = rules.sight.view(state, Playing(power))
            yield _thought(rules, view, power, Level.FAIR_CAUTIOUS), _thought(rules, view, power, Level.FAIR_BOLD)
            sheets[power] = read_orders(rules, view, "\n".join(_thought(rules, view, power, Level.FAIR))).values
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state


@each_game
def test_a_bold_player_sends_other_orders_than_a_cautious_one(system: SystemId) -> None:
    assert any(cautious != bold for cautious, bold in islice(_sheets_of_a_game(system), 200))


def test_to_leave_a_threatened_centre_costs_a_cautious_power_more() -> None:
    """England's army in Paris, next to a French one in Burgundy, stays there, or is in Spain instead."""
    board = with_board(load_variant("diplomacy", "standard")).board
    england, france = PowerId("england"), PowerId("france")
    at_home = [Piece(england, Kind("A"), ProvinceId("PAR")), Piece(france, Kind("A"), ProvinceId("BUR"))]
    gone = [replace(at_home[0], at=ProvinceId("SPA")), at_home[1]]

    def cost(caution: float) -> float:
        before, after = (Outline((england, france), pieces, {ProvinceId("PAR"): england}) for pieces in (at_home, gone))
        field = AppealMap(board, before, sails=frozenset(), caution=caution)
        return field.worth(before)[england] - field.worth(after)[england]

    assert cost(0.4) < cost(1.0) < cost(2.5)


def test_where_a_player_fails_the_next_lower_level_takes_over_in_its_character() -> None:
    def chain(level: Level | None) -> list[str]:
        return [] if level is None else [str(level), *chain(level.easier)]

    assert chain(Level.STRONG_BOLD) == ["strong, bold", "fair, bold", "easy"]
    assert chain(Level.STRONG) == ["strong", "fair", "easy"]
