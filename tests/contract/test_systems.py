"""What every system promises, whichever it is. A new one is tested here by being in the registry."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import systems
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.orders import MOST_AT_ONCE
from engine.core.outcome import OrderResult
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.reading import example_of, read_orders, restored
from engine.core.report import Report
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer, viewer_of
from engine.registry import AnySystem, Order, View
from tests.contract.games import (
    ALL,
    Step,
    Turn,
    catalogue_of,
    digests,
    random_game,
    some_steps,
    some_turns,
    turns_of,
)
from tests.contract.hidden import WITH_MASTER
from tests.examples import few, is_search

ROOT = Path(__file__).resolve().parents[2]
PLAYED = [*((system, seed) for system in ALL for seed in (1, 2))]

each_system = pytest.mark.parametrize("system", ALL)
each_game = pytest.mark.parametrize(("system", "seed"), PLAYED)


def _seats_to_act(system: SystemId, seed: int) -> Iterator[tuple[AnySystem, Step, PowerId, View]]:
    for turn in turns_of(system, seed):
        yield turn.rules, turn.step, turn.power, turn.view


# Facts and beginnings


@each_system
def test_facts_are_complete(system: SystemId) -> None:
    info = ALL[system].info
    assert info.takes_scenarios == (ALL[system].scenarios is not None)
    assert info.id == system
    assert info.name
    assert catalogue_of(system).template("about.line")
    assert info.variants
    assert list(info.seats) == sorted(set(info.seats))
    for option in info.options:
        assert not option.choices or option.default in option.choices
        if isinstance(option.default, int) and not isinstance(option.default, bool):
            assert option.least is None or option.least <= option.default
            assert option.most is None or option.default <= option.most


MOST_NUMBERS = 20


@each_system
def test_every_variant_begins_with_few_players_and_with_many(system: SystemId) -> None:
    rules = ALL[system]
    for variant in rules.info.variants:
        # Few, many, and some between; of a crowd the few, since a world for a hundred takes long to make.
        seats = rules.info.seats_in(variant)
        for players in {*seats[::4], *seats[-2:]} if len(seats) <= MOST_NUMBERS else seats[:2]:
            state = rules.play.start(variant=variant, players=players, options={}, seed="s")
            status = rules.play.status(state)
            powers = rules.play.variant(state).powers
            assert len(powers) - len(status.out) >= players
            assert status.winners is None
            assert set(status.to_act) | set(status.out) <= set(powers)


@each_system
def test_options_that_are_offered_are_understood(system: SystemId) -> None:
    rules = ALL[system]
    for option in rules.info.options:
        for value in (option.default, *option.choices):
            arguments = {"variant": rules.info.variants[0], "players": rules.info.seats[0], "seed": "s"}
            state = rules.play.start(**arguments, options={option.name: value})  # type: ignore[arg-type]
            # A document may leave out the default, or have its own form for it (`null` for `none`), understood as well.
            dumped = rules.play.dump(state)["options"].get(option.name, option.default)
            assert dumped == value or rules.play.start(**arguments, options={option.name: dumped}) == state  # type: ignore[arg-type]


# Games


@each_system
def test_every_seat_has_something_to_decide_or_stands_in_out(system: SystemId) -> None:
    """Seats are drawn from the powers that are not out: whoever got one that nobody plays would never act."""
    rules = ALL[system]
    least = min(rules.info.seats)
    state = rules.play.start(variant=rules.info.variants[0], players=least, options={}, seed="contract")
    idle = set(rules.play.variant(state).powers) - set(rules.play.status(state).out)
    for _ in range(4):
        idle -= {*rules.play.status(state).to_act, *rules.play.status(state).out}
        if not idle:
            break
        state = rules.play.adjudicate(state, {}, rules.play.dice(state)).state
    assert not idle


@each_game
def test_documents_load_to_equal_states(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    for step in random_game(system, seed):
        document = rules.play.dump(step.resolution.state)
        assert rules.play.load(json.loads(json.dumps(document))) == step.resolution.state


@each_game
def test_status_is_sane_all_game_long(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    codes = []
    for step in random_game(system, seed):
        status = rules.play.status(step.state)
        codes.append(status.code)
        powers = list(rules.play.variant(step.state).powers)
        assert list(status.to_act) == [power for power in powers if power in status.to_act], "in seat order"
        assert not set(status.to_act) & set(status.out)
        assert status.kind in rules.info.kinds
        assert "\n" not in status.code
        assert len(status.code) <= 16
    assert len(codes) == len(set(codes)), "codes are unique in a game"


MANY = 60
"""So many legal orders of a power in a phase are tried, in two hundred phases; in a search all."""


@each_game
def test_legal_orders_are_read_back_and_pass_the_check(system: SystemId, seed: int) -> None:
    chance = random.Random(seed)
    for turn in some_turns(system, seed):
        rules, view = turn.rules, turn.view
        foreign = rules.sight.view(turn.step.state, EVERYBODY)
        for subject, order in _many(turn, chance):
            text = rules.orders.format(order)
            reading = read_orders(rules, view, text)
            assert reading.errors == (), text
            assert reading.values == (order,)
            assert rules.orders.read(text, foreign) == order, "anybody can read a canonical text"
            assert rules.orders.subject(order) == subject
            assert read_orders(rules, view, f"  {text.casefold()}  # so be it").values == (order,)


@pytest.mark.parametrize("system", [*(key for key, info in systems.infos.items() if not info.has_sheets), "toy"])
def test_orders_are_read_with_the_numbers_that_receipts_give_them(system: SystemId) -> None:
    """Whoever copies a receipt sends them along."""
    chance = random.Random(1)
    for turn in some_turns(system, 1):
        for _, order in chance.sample(turn.legal, min(len(turn.legal), 10)):
            text = turn.rules.orders.format(order)
            for numbered in (f"12. {text}", f"1. `{text}`", f"(3) {text}"):
                assert read_orders(turn.rules, turn.view, numbered).values == (order,), numbered


def _many(turn: Turn, chance: random.Random) -> Sequence[tuple[str, Order]]:
    """Legal orders. A fleet that takes two steps has thousands: some of them, others with each seed, will do."""
    return turn.legal if len(turn.legal) <= MANY or is_search() else chance.sample(turn.legal, MANY)


@each_game
def test_results_bear_their_orders_also_after_they_were_stored(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    for step in random_game(system, seed):
        results = step.resolution.results
        texts = ["" if result.order is None else rules.orders.format(result.order) for result in results]
        assert texts == [result.text for result in results]
        stored = [OrderResult.from_json(json.loads(json.dumps(result.to_json()))) for result in results]
        again = restored(rules, rules.sight.view(step.state, EVERYBODY), stored)
        # Waived builds are all the first of their sheet.
        assert [r for r in again if r.text != "WAIVE"] == [r for r in results if r.text != "WAIVE"]


@each_game
def test_suggestions_are_legal_orders(system: SystemId, seed: int) -> None:
    # What is offered is the same for all powers in a phase but for the places: a third of them speak for all.
    for turn in some_turns(system, seed)[::3]:
        rules, view, legal = turn.rules, turn.view, set(turn.texts)
        for typed in ("", *sorted({text[:length] for text in turn.texts[:2] for length in (1, 3, 6)})):
            suggestions = rules.orders.suggest(view, typed, limit=25)
            assert set(suggestions) <= legal
            assert len(suggestions) == len(set(suggestions)) <= 25
        assert rules.orders.suggest(view, "", limit=25), "for nothing typed there is something to begin with"
        text = min(legal)
        assert text in rules.orders.suggest(view, text, limit=25)


@each_game
def test_hints_are_legal_orders(system: SystemId, seed: int) -> None:
    """Of orders with a slip of the pen; sheets hint at words."""
    chance = random.Random(seed)
    for turn in turns_of(system, seed):
        rules, view, legal = turn.rules, turn.view, turn.texts
        for text in chance.sample(legal, min(3, len(legal))):
            place = chance.randrange(len(text))
            slip = text[:place] + chance.choice(["", "x", "l"]) + text[place + 1 :]
            for error in read_orders(rules, view, slip).errors if not rules.info.has_sheets else ():
                for hint in error.hints:
                    reading = read_orders(rules, view, hint)
                    assert reading.orders, (slip, hint)
                    assert not reading.errors, (slip, hint)


@each_game
def test_the_example_of_an_order_can_be_given(system: SystemId, seed: int) -> None:
    for rules, _, _, view in _seats_to_act(system, seed):
        example = example_of(rules, view)
        assert example
        assert read_orders(rules, view, example).errors == ()
        assert example_of(rules, rules.sight.view(random_game(system, seed)[0].state, EVERYBODY)) == ""


@each_game
def test_menu_leads_to_a_legal_order_by_every_path(system: SystemId, seed: int) -> None:
    chance = random.Random(seed)
    for rules, view in ((turn.rules, turn.view) for turn in some_turns(system, seed)):
        path: list[str] = []
        menu = rules.orders.menu(view, path)
        while menu.order is None:
            assert menu.choices, path
            assert len({choice.value for choice in menu.choices}) == len(menu.choices)
            assert all(0 < len(choice.label) <= 100 and 0 < len(choice.value) <= 100 for choice in menu.choices)
            path.append(chance.choice(menu.choices).value)
            assert len(path) < 8
            menu = rules.orders.menu(view, path)
        assert read_orders(rules, view, menu.order).errors == ()
        assert rules.orders.menu(view, ["no such choice"]) == rules.orders.menu(view, [])


@each_game
def test_shortlists_hold_legal_orders_and_say_whether_there_are_others(system: SystemId, seed: int) -> None:
    for rules, step, power, view in islice(_seats_to_act(system, seed), 0, None, 7):
        standing = step.sheets[power][:4]
        menu = rules.orders.menu(view, (), orders=standing)
        firsts = {choice.value: choice for choice in menu.choices}
        shortlists = rules.orders.shortlists(view, set(firsts), standing)
        assert [short.first for short in shortlists] == list(menu.choices)
        assert rules.orders.shortlists(view, set(), standing) == ()
        for short in shortlists:
            texts = [order.value for order in short.orders]
            assert len(texts) == len(set(texts)) <= MOST_AT_ONCE
            assert all(0 < len(order.label) <= 100 and 0 < len(order.value) <= 100 for order in short.orders)
            assert set(short.stands) <= {rules.orders.format(order) for order in standing}
            for text in texts[:2] + texts[-2:]:
                assert read_orders(rules, view, text).errors == (), text
        for short in shortlists[:1]:
            if short.is_all:
                led = set(_led(rules, view, (short.first.value,), standing))
                assert led == {order.value for order in short.orders}


def _led(rules: Any, view: Any, path: tuple[str, ...], orders: Any) -> Iterator[str]:
    menu = rules.orders.menu(view, path, orders=orders)
    if menu.order is not None:
        yield menu.order
    for choice in menu.choices:
        yield from _led(rules, view, (*path, choice.value), orders)


@each_game
def test_sheets_are_amended_to_what_passes_the_check(system: SystemId, seed: int) -> None:
    chance = random.Random(seed)
    for turn in turns_of(system, seed):
        rules, view = turn.rules, turn.view
        # So many that they fit in a sheet together, where a sheet has a limit.
        standing = turn.step.sheets[turn.power][:40]
        new = turn.random_sheet(chance)[:10]
        amended = rules.orders.amend(view, standing, new)
        text = "\n".join(rules.orders.format(order) for order in amended)
        assert read_orders(rules, view, text).errors == ()
        assert set(new) <= set(amended) <= set(standing) | set(new)
        assert rules.orders.amend(view, amended, ()) == amended


@each_game
def test_template_holds_the_standing_orders_and_says_what_is_missing(system: SystemId, seed: int) -> None:
    for rules, step, power, view in _seats_to_act(system, seed):
        standing = step.sheets[power]
        template = rules.orders.template(view, standing)
        assert set(read_orders(rules, view, template).values) >= set(standing)
        assert rules.orders.missing(view, ()), "whoever has to act has something to order"
        assert len(rules.orders.missing(view, standing)) <= len(rules.orders.missing(view, ()))


@each_game
def test_whatever_is_missing_is_found_in_the_guide_where_it_says(system: SystemId, seed: int) -> None:
    kinds: Counter[str] = Counter()
    for turn in turns_of(system, seed):
        kinds[kind := turn.rules.play.status(turn.step.state).kind] += 1
        if kinds[kind] > 2:
            continue
        menu, missing = turn.rules.orders.menu, turn.rules.orders.missing(turn.view, ())
        for each in missing[:3]:
            path: list[str] = []
            for choice in each.path:
                assert choice in [c.value for c in menu(turn.view, path).choices], (each, path)
                path.append(choice)
            while each.path and (found := menu(turn.view, path)).order is None:
                path.append(found.choices[0].value)
            if each.path:
                order = read_orders(turn.rules, turn.view, found.order).values
                # Two fleets of a sector are alike.
                assert turn.rules.orders.missing(turn.view, order).count(each) < missing.count(each), each


@each_game
def test_what_becomes_of_things_without_an_order_is_told_wherever_one_is_missing(system: SystemId, seed: int) -> None:
    for rules, step, power, view in _seats_to_act(system, seed):
        words, kind = catalogue_of(system), rules.play.status(step.state).kind
        for standing in ((), step.sheets[power]):
            told = [words.render(what) for what in rules.orders.otherwise(view, standing)]
            assert bool(told) == bool(rules.orders.missing(view, standing)), (power, kind)
            # Units hold while units move, and at no other time.
            assert kind == "movement" or not any("hold" in sentence for sentence in told)


# Adjudication


@each_game
def test_adjudication_gives_the_same_twice_and_leaves_its_input_alone(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    for step in random_game(system, seed):
        before = json.dumps(rules.play.dump(step.state))
        assert rules.play.adjudicate(step.state, step.sheets, rules.play.dice(step.state)) == step.resolution
        assert json.dumps(rules.play.dump(step.state)) == before


@each_game
def test_neither_the_order_of_powers_nor_of_orders_matters(system: SystemId, seed: int) -> None:
    rules, chance = ALL[system], random.Random(seed)
    for step in random_game(system, seed):
        powers = list(step.sheets)
        chance.shuffle(powers)
        shuffled = {power: tuple(chance.sample(step.sheets[power], len(step.sheets[power]))) for power in powers}
        assert rules.play.adjudicate(step.state, shuffled, rules.play.dice(step.state)) == step.resolution


@each_game
def test_adjudication_answers_for_everything_that_can_be_sent(system: SystemId, seed: int) -> None:
    """Missing sheets, everything at once, others' orders, orders of other phases, powers that are none."""
    rules = ALL[system]
    steps = random_game(system, seed)
    sent = [order for step in steps for sheet in step.sheets.values() for order in sheet]
    foreign = tuple(sent[:: max(7, len(sent) // 300)])
    for step in some_steps(system, seed):
        powers = rules.play.variant(step.state).powers
        everything = dict.fromkeys(powers, ()) | {
            turn.power: tuple(order for _, order in turn.legal) for turn in turns_of(system, seed) if turn.step is step
        }
        swapped = dict(zip(powers, reversed(list(everything.values())), strict=True))
        for sheets in ({}, everything, swapped, dict.fromkeys(powers, foreign), {PowerId("nobody"): foreign}):
            resolution = rules.play.adjudicate(step.state, sheets, rules.play.dice(step.state))
            assert rules.play.load(rules.play.dump(resolution.state)) == resolution.state
            assert {result.power for result in resolution.results} <= set(powers)


@each_game
def test_subjects_are_unique_among_the_results_of_a_power(system: SystemId, seed: int) -> None:
    for step in random_game(system, seed):
        counts = Counter((result.power, result.subject) for result in step.resolution.results)
        assert max(counts.values(), default=1) == 1


@each_game
def test_events_survive_storage(system: SystemId, seed: int) -> None:
    for step in random_game(system, seed):
        for event in step.resolution.events:
            assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event


@each_game
def test_rows_for_programs_are_json_with_an_audience_and_rolls_say_what_they_are_for(
    system: SystemId, seed: int
) -> None:
    rules, words = ALL[system], _words(system)
    for step in random_game(system, seed):
        powers = set(rules.play.variant(step.state).powers)
        for event in step.resolution.events:
            row = json.loads(json.dumps(event.to_row("in words")))
            assert row.keys() == {"code", "to", "args", "text"}
            assert row["to"] == "all" if event.audience is None else set(row["to"]) == event.audience <= powers
        dice = rules.play.dice(step.state).logged()
        assert rules.play.adjudicate(step.state, step.sheets, dice) == step.resolution, "noting rolls changes nothing"
        for roll in dice.rolls:
            assert roll.purpose is not None, roll
            assert json.loads(json.dumps(roll.to_row(words.render(roll.purpose))))["sum"] == roll.total
        assert len({(roll.stream, roll.number) for roll in dice.rolls}) == len(dice.rolls)
        assert rules.info.has_dice or not dice.rolls


@each_game
def test_a_view_as_a_document_is_json_without_chance(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    for step in random_game(system, seed)[:6]:
        viewers: list[Viewer] = [EVERYBODY, MASTER, *map(Playing, rules.play.variant(step.state).powers)]
        for viewer in viewers:
            document = rules.sight.document(rules.sight.view(step.state, viewer))
            assert json.loads(json.dumps(document))["system"] == rules.info.id
            assert {"phase", "state"} <= document.keys()
            assert not {"seed", "dice"} & document.keys()


@each_game
def test_a_master_sees_no_more_than_everybody_where_the_rules_have_none(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    if system not in WITH_MASTER:
        for step in random_game(system, seed):
            assert rules.sight.view(step.state, MASTER) == rules.sight.view(step.state, EVERYBODY)


@each_system
def test_only_systems_with_secrets_keep_any(system: SystemId) -> None:
    rules = ALL[system]
    resolutions = [step.resolution for step in random_game(system)]
    audiences = {result.audience for resolution in resolutions for result in resolution.results}
    audiences |= {event.audience for resolution in resolutions for event in resolution.events}
    assert rules.info.has_secrets or audiences == {None}


def test_nothing_depends_on_the_hash_seed() -> None:
    # This process has a seed that nobody chose, or the one that is set for all.
    seed = "0" if os.environ.get("PYTHONHASHSEED") != "0" else "4242"
    command = [sys.executable, "-c", "from tests.contract.games import main; import sys; sys.stdout.write(main())"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    found = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, text=True).stdout
    assert found == digests()
    assert len(found.splitlines()) == len(ALL)


@each_system
def test_game_ends_by_agreement_where_it_stands(system: SystemId) -> None:
    rules = ALL[system]
    state = random_game(system)[3].state
    winner = rules.play.status(state).to_act[:1]
    ended = rules.play.end(state, winner, phrase("agreed.draw", powers=winner))
    status = rules.play.status(ended)
    assert (status.winners, status.to_act) == (winner, ())
    assert status.why_over == phrase("agreed.draw", powers=winner)
    assert rules.play.load(json.loads(json.dumps(rules.play.dump(ended)))) == ended
    assert rules.play.status(rules.play.end(state, (), phrase("agreed.game_master"))).winners == ()


# Texts


@each_system
@settings(max_examples=few(20), deadline=None)
@given(text=st.text(max_size=60) | st.lists(st.sampled_from("AF-.#/ \tBUDVIE\r\nshc()'→é"), max_size=40).map("".join))
def test_any_text_is_read_or_refused_line_by_line(system: SystemId, text: str) -> None:
    rules = ALL[system]
    step = random_game(system)[0]
    view = rules.sight.view(step.state, Playing(rules.play.status(step.state).to_act[0]))
    reading = read_orders(rules, view, text)
    for error in reading.errors:
        assert 1 <= error.line <= text.count("\n") + len(text.splitlines()) + 1
        assert 1 <= error.column <= error.end <= len(error.text) + 2
        assert len(error.hints) <= 3
    assert [error.line for error in reading.errors] == sorted(error.line for error in reading.errors)


@each_game
def test_everything_that_is_told_has_words(system: SystemId, seed: int) -> None:
    rules, catalogue = ALL[system], _words(system)
    for number, step in enumerate(random_game(system, seed)):
        # Everybody in each phase, and each power in every third.
        powers = list(rules.play.variant(step.state).powers)[number % 3 :: 3]
        viewers: list[Viewer] = [EVERYBODY, *map(Playing, powers)]
        for viewer in viewers:
            for told in _everything_told(rules, step, viewer):
                words = catalogue.render(told)
                assert words.strip(), told
                assert "Phrase(" not in words, told


@each_system
def test_every_option_has_words(system: SystemId) -> None:
    for option in ALL[system].info.options:
        assert _words(system).render(option.description)


@each_system
def test_every_refusal_of_nonsense_has_words(system: SystemId) -> None:
    rules, catalogue = ALL[system], _words(system)
    legal = [
        rules.orders.format(order) for step in random_game(system) for sheet in step.sheets.values() for order in sheet
    ]
    texts = ["sing", "-", "A", "A BUD", "A XYZ - SER", "BUILD", "?", "A BUD - - SER", *legal[::5]]
    # Forty lines at a time, so that what does not go together is refused as well.
    sheet = [*texts, *(text[:-1] for text in legal[::5]), *(f"{text} {text}" for text in legal[::9])]
    for turn in turns_of(system)[::11]:
        for begin in range(0, len(sheet), 40):
            for error in read_orders(rules, turn.view, "\n".join(sheet[begin : begin + 40])).errors:
                assert catalogue.render(error.reason)


def _words(system: SystemId) -> Catalogue:
    rules = ALL[system]
    names = {
        str(power.id): power.name
        for power in rules.play.variant(random_game(system, phases=1)[0].state).powers.values()
    }
    return catalogue_of(system).with_catalogue(Catalogue({}, names))


def _everything_told(rules: AnySystem, step: Step, viewer: Viewer) -> Iterator[Phrase]:
    before, after = rules.sight.view(step.state, viewer), rules.sight.view(step.resolution.state, viewer)
    for state in (step.state, step.resolution.state):
        status = rules.play.status(state)
        yield status.title
        if status.why_over is not None:
            yield status.why_over
    yield rules.telling.scene(before, results=step.resolution.results, events=step.resolution.events).title
    yield from _lines(rules.telling.report(after, step.resolution.results, step.resolution.events))
    yield from _lines(rules.telling.briefing(before))
    yield from _lines(rules.telling.text_board(after))
    yield from rules.telling.headline(before, after)
    yield from (result.reason for result in step.resolution.results)
    yield from (event.what for event in step.resolution.events)
    if viewer.power in step.sheets:
        text = "\n".join(rules.orders.format(order) for order in step.sheets[viewer.power])
        yield from (advice.what for advice in rules.orders.advise(before, read_orders(rules, before, text).orders))
        yield rules.orders.menu(before, []).prompt


def _lines(report: Report) -> Iterator[Phrase]:
    for section in report.sections:
        assert section.lines, "empty sections are left out"
        yield section.title
        yield from section.lines


# Recorded games


@pytest.mark.parametrize("system", systems)
def test_system_has_a_recorded_game(system: SystemId) -> None:
    assert list((ROOT / "tests" / "games").glob(f"{system}-*.json")), "python -m tests.games.record"


# What newcomers are told


@each_game
def test_the_goal_is_told_in_one_sentence_to_everybody(system: SystemId, seed: int) -> None:
    rules, catalogue = ALL[system], _words(system)
    state = random_game(system, seed)[0].state
    for viewer in (None, *rules.play.variant(state).powers):
        told = catalogue.render(rules.telling.goal(rules.sight.view(state, viewer_of(viewer))))
        assert "win" in told, viewer
        assert ". " not in told, "one sentence"
        assert "\n" not in told


@each_game
def test_whoever_has_to_act_gets_examples_that_could_be_sent_as_they_are(system: SystemId, seed: int) -> None:
    catalogue = _words(system)
    for rules, step, power, view in list(_seats_to_act(system, seed))[::3]:
        told = rules.telling.examples(view)
        orders = [str(example.args["order"]) for example in told if "order" in example.args]
        assert orders, (power, rules.play.status(step.state).code)
        for order in orders:
            assert read_orders(rules, view, order).errors == (), order
        for example in told:
            words = catalogue.render(example)
            assert "Phrase(" not in words
            assert len(words) < 200
        assert len(told) <= 9, "no more than can be read"


@each_game
def test_whoever_has_nothing_to_decide_gets_no_examples(system: SystemId, seed: int) -> None:
    rules = ALL[system]
    for step in random_game(system, seed):
        for viewer in (None, *rules.play.variant(step.state).powers):
            if viewer not in rules.play.status(step.state).to_act:
                assert rules.telling.examples(rules.sight.view(step.state, viewer_of(viewer))) == (), viewer
