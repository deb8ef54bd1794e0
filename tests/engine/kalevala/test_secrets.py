"""What a ruler can't see changes nothing of what he is shown: views, receipts, suggestions, reports.

Source: rules 31, 33, R-105
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.phrases import phrase
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing, Viewer
from engine.kalevala.board import marauders_of, others
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.kings.facts import KINDS_OF_KINGS, WEAKNESSES
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA, seen_document
from engine.kalevala.writing import dump
from tests.engine.kalevala.hidden import variants
from tests.engine.kalevala.worlds import a_sheet, a_world
from tests.examples import few
from tests.random_kalevala import wild_sheet

RULES = KALEVALA
BERT = PowerId("bert")
UNKNOWN_WAY = phrase("rehearsal.unknown_way")
"""What a receipt adds where it can't promise that scouts arrive."""
FORESEEN_WARNINGS = ("W1", "W4")
"""What is warned of when it is carried out, and was to be known before."""


def worlds(seed: str, windows: int) -> list[State]:
    """The positions of a random game."""
    chance = random.Random(seed)
    state = with_kings(load({"system": "kalevala", "seed": seed}))
    found = [state]
    for _ in range(windows):
        sheets = {}
        for ruler in RULES.play.status(state).to_act:
            text = wild_sheet(state, ruler, chance)
            if text is not None:
                sheets[ruler] = read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values
        state = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state
        found.append(state)
    return found


def with_kings(state: State) -> State:
    """Every second ruler has a king, of each kind and with a weakness of his own, and much to pay him with."""
    document = dump(state)
    for seat, (ruler, row) in enumerate(document["state"]["rulers"].items()):
        if seat % 2 == 0:
            kind = KINDS_OF_KINGS[seat // 2 % len(KINDS_OF_KINGS)]
            row["king"] = {"type": kind, "lives": 3, "power": 60, "weakness": WEAKNESSES[seat % len(WEAKNESSES)]}
            row["king"]["at"] = next(place for place, owner in document["state"]["owners"].items() if owner == ruler)
    return load(document)


@pytest.mark.parametrize("seed", ["vainamoinen", "ilmarinen", "lemminkainen"])
def test_what_is_hidden_changes_nothing_that_is_shown(seed: str) -> None:
    chance = random.Random(seed)
    for state in worlds(seed, 9):
        to_act = RULES.play.status(state).to_act
        for ruler in chance.sample(to_act, min(few(2), len(to_act))):
            text = wild_sheet(state, ruler, chance) or "PASS"
            assert_nothing_leaks(state, ruler, text)


def assert_nothing_leaks(state: State, ruler: PowerId, text: str) -> None:
    """What a ruler is shown who writes this is the same, whatever they can't know."""
    shown, others = all_that_is_shown(state, ruler, text), list(variants(state, Playing(ruler)))
    assert others, "there is something that can be otherwise"
    for other in others:
        assert all_that_is_shown(other, ruler, text) == shown


def all_that_is_shown(state: State, ruler: PowerId, text: str) -> tuple[object, ...]:
    """Everything that the rules say to a ruler before a window closes."""
    view = RULES.sight.view(state, Playing(ruler))
    parsed = RULES.orders.parse(text, view)
    assert RULES.orders.rehearse is not None
    return (
        view,
        seen_document(view),
        RULES.sight.atlas(view).spaces.keys(),
        parsed,
        RULES.orders.rehearse(view, parsed.orders),
        RULES.orders.advise(view, parsed.orders),
        RULES.orders.template(view, ()),
        RULES.orders.missing(view, ()),
        RULES.telling.briefing(view),
        RULES.telling.text_board(view),
    )


@pytest.mark.parametrize("seed", ["kullervo", "aino"])
def test_the_deadline_refuses_what_the_receipt_refused_and_nothing_else(seed: str) -> None:
    """So that no result tells by a refusal what the ruler could not know, and no receipt promises too much."""
    chance = random.Random(seed)
    state = with_kings(load({"system": "kalevala", "seed": seed}))
    for _ in range(16):
        texts = {ruler: wild_sheet(state, ruler, chance) or "PASS" for ruler in RULES.play.status(state).to_act}
        state = assert_foreseen(state, texts)


@pytest.mark.parametrize("part", [1, 3])
def test_so_it_is_in_worlds_of_stroms_and_parts(part: int) -> None:
    """Rulers of the variant seldom own both banks of a strom or enter one land from two sides, and never bridge it."""
    # In the last of them scouts sail between own shores over water that nobody has seen the whole of.
    for number in (*range(20), 32, 68):
        chance = random.Random(f"{number}/{part}")
        state = a_world(chance, part)
        assert_foreseen(state, {ruler: a_sheet(state, ruler, chance) for ruler in RULES.play.status(state).to_act})


@pytest.mark.parametrize("part", [1, 3])
def test_what_is_hidden_changes_nothing_in_such_worlds(part: int) -> None:
    for number in range(4):
        chance = random.Random(f"{number}/{part}")
        state = a_world(chance, part)
        for ruler in RULES.play.status(state).to_act:
            text = a_sheet(state, ruler, chance)
            assert_nothing_leaks(state, ruler, text)


def assert_foreseen(state: State, texts: Mapping[PowerId, str]) -> State:
    """A window in which receipts and results refuse the same lines by the same codes; the position after it.

    Below a march that came to a halt abroad, which nobody could foresee, other lines may fail.
    """
    assert RULES.orders.rehearse is not None
    sheets, foreseen, promised = {}, {}, set()
    for ruler, text in texts.items():
        view = RULES.sight.view(state, Playing(ruler))
        orders = RULES.orders.parse(text, view).orders
        sheets[ruler] = [read.order for read in orders]
        lines = RULES.orders.rehearse(view, orders).lines
        written = text.split("\n")
        promised |= {(ruler, each.line) for each in lines if each.level != "error" and UNKNOWN_WAY not in each.notes}
        foreseen[ruler] = {
            each.line: (each.code, written[each.line - 1])
            for each in lines
            if each.level == "error" or each.code in FORESEEN_WARNINGS
        }
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    refused: dict[PowerId, dict[int, tuple[str, str]]] = {ruler: {} for ruler in sheets}
    halted = dict.fromkeys(sheets, 10_000)
    for result in done.results:
        number = int(result.subject)
        order = texts[result.power].split("\n")[number - 1]
        if result.outcome is Outcome.INVALID or result.codes[0] in FORESEEN_WARNINGS:
            refused[result.power][number] = result.codes[0], order
        elif result.outcome is Outcome.VOID and order.startswith("MOVE"):
            halted[result.power] = min(halted[result.power], number)
    for ruler in sheets:
        for found in (refused, foreseen):
            found[ruler] = {line: why for line, why in found[ruler].items() if line < halted[ruler]}
        assert refused[ruler] == foreseen[ruler]
    for result in done.results:
        order = texts[result.power].split("\n")[int(result.subject) - 1]
        is_march_void = result.outcome is Outcome.VOID and order.startswith("MOVE")
        if result.codes == ("blocked",):
            assert (result.power, int(result.subject)) not in promised, order
            assert not stays_home(state, result.power, order) or _is_afloat(state, result.power, order), order
        if is_march_void:
            assert not stays_home(state, result.power, order), order
    return done.state


def _is_afloat(state: State, ruler: PowerId, line: str) -> bool:
    """Whether craft lie where an exploration starts: water farther along may be unknown between own shores."""
    return any(item in ("FS", "LS", "SS") for item in state.stack(ruler, Province(line.split()[2])))


def stays_home(state: State, ruler: PowerId, line: str) -> bool:
    """Whether a way leads through own land alone, which its ruler knows."""
    places = [Province(word) for word in line.split()[2:] if word[0] == "2" and "+" in word]
    return {state.owners.get(place) for place in places} == {ruler}


def test_everybody_knows_the_rulers_by_name_and_nothing_else() -> None:
    for state in worlds("louhi", 3):
        public = seen_document(RULES.sight.view(state, EVERYBODY))["state"]
        assert list(public["rulers"]) == list(state.rulers)
        assert not any(public[key] for key in ("gf", "owners", "stacks"))
        assert not any(public["rulers"].values())


def test_who_leaves_a_falling_realm_is_shown_to_nobody_who_sees_none_of_it() -> None:
    """Ruling KA76: bert's realm falls vacant, its provinces stay or go; anna knows the land of one from long ago."""
    start = dump(load({"system": "kalevala", "seed": "loyalty"}))
    start["phase"] = {"gr": 4, "part": 3}
    start["state"]["rulers"]["bert"] |= {"nmr": 8, "protected": 4}
    start["state"]["known"] = {"anna": ["2G+5"]}
    ends = []
    for roll in (18, 3):
        state = load({**start, "dice": {"loyal/bert": [roll, roll]}})
        sheets: dict[PowerId, list[Line]] = {ruler: [] for ruler in RULES.play.status(state).to_act if ruler != "bert"}
        ends.append(RULES.play.adjudicate(state, sheets, RULES.play.dice(state)))
    loyal, broken = ends
    wild = marauders_of(loyal.state.variant)[0]
    assert set(loyal.state.owned(BERT)) > set(broken.state.owned(BERT)), "two of his provinces have gone"
    assert len(broken.state.owned(wild)) == len(loyal.state.owned(wild)) + 2
    assert list(loyal.state.rulers) == list(broken.state.rulers)
    chance = random.Random("strangers")
    strangers = [ruler for ruler in RULES.play.status(loyal.state).to_act if ruler != BERT]
    viewers: list[Viewer] = [*map(Playing, strangers), EVERYBODY]
    for viewer in viewers:
        views = [RULES.sight.view(end.state, viewer) for end in ends]
        assert seen_document(views[0]) == seen_document(views[1])
        assert visible_events(loyal.events, viewer) == visible_events(broken.events, viewer)
        for door in RULES.doors:
            for option, complete in door.completions.items():
                offered = [list(complete(view, ())) for view in views]
                assert offered[0] == offered[1], (viewer, door.id, option)
    for ruler in strangers:
        assert others(loyal.state, ruler) == others(broken.state, ruler)
        text = wild_sheet(loyal.state, ruler, chance) or "PASS"
        texts = "\n".join((text, f'LETTER {BERT} "Where are you?"', f'LETTER {wild} "Who goes there?"'))
        assert all_that_is_shown(loyal.state, ruler, texts) == all_that_is_shown(broken.state, ruler, texts)


def test_the_worlds_differ() -> None:
    """The test's own eyes: each world that looks the same is another one."""
    state = a_world(random.Random(8), 3)
    for other in variants(state, Playing(PowerId("anna"))):
        assert other != state
