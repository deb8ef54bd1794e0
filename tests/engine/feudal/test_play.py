"""What a player of Feudal Europe is offered, told and refused, besides what the cases hold."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.computer.levels import CARE, Level, think
from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.phrases import phrase
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing, viewer_of
from engine.feudal import parse
from engine.feudal.adjustments import default_builds, quota_of
from engine.feudal.judgement import JUDGEMENT
from engine.feudal.legality import wanted_orders
from engine.feudal.model import BARBARIANS, State
from engine.feudal.system import FEUDAL
from engine.pictures.realm import own_realm
from engine.pictures.scene import Scene
from tests.examples import few
from tests.pictured import as_map

RULES = FEUDAL
BOAR, EAGLE = PowerId("boar"), PowerId("eagle")
WORDS = load_phrases("feudal")


def load(**position: Any) -> State:
    phase = position.pop("phase", {"kind": "movement"})
    options, dice = position.pop("options", {}), position.pop("dice", {})
    return RULES.play.load({"phase": phase, "options": options, "dice": dice, "seed": "s", "state": position})


def winter(*centres: str, magic: bool = False, castle: str | None = None) -> State:
    return load(
        phase={"kind": "adjustments"},
        options={"magic": magic},
        units=[],
        centres={**dict.fromkeys(centres, "boar"), "ROM": "eagle"},
        castles={castle: "boar"} if castle else {},
    )


def codes(state: State, text: str, power: PowerId = BOAR) -> list[str]:
    return [error.code for error in read_orders(RULES, RULES.sight.view(state, Playing(power)), text).errors]


def test_list_choices_show_the_distance_and_only_what_is_legal() -> None:
    state = load(
        phase={"kind": "setup"},
        powers=["boar", "eagle", "lion", "stag"],
        centres={"MUN": "boar", "PAR": "eagle", "ROM": "lion", "MOS": "stag"},
    )
    menu = RULES.orders.menu(RULES.sight.view(state, Playing(BOAR)), ["1"])
    labels = {choice.value: choice.label for choice in menu.choices}
    assert labels["BRE"] == "Brest (3 moves from Munich)"
    assert not {"BER", "KIE", "PAR", "SWE", "MUN"} & set(labels)


@pytest.mark.parametrize(("is_close", "expected"), [(False, ["3"]), (True, [])])
def test_whoever_chooses_the_first_centre_is_told_how_far_the_others_must_be(
    is_close: bool, expected: list[str]
) -> None:
    state = load(phase={"kind": "setup"}, options={"close_starts": is_close}, powers=["boar", "eagle", "lion", "stag"])
    report = RULES.telling.briefing(RULES.sight.view(state, Playing(BOAR)))
    lines = [line for section in report.sections for line in section.lines if line.code == "report.later_apart"]
    assert [str(line.args["least"]) for line in lines] == expected
    told = [WORDS.render(line) for section in report.sections for line in section.lines]
    assert "If your whole list brings nothing, you are asked for another." in told


def test_a_list_moves_up_where_entries_before_were_refused() -> None:
    state = load(phase={"kind": "setup"}, powers=["boar", "eagle", "lion", "stag"])
    view = RULES.sight.view(state, Playing(BOAR))
    reading = read_orders(RULES, view, "choose: Par, Swe, Bur, Mar, Mun")
    standing = RULES.orders.amend(view, (), reading.values)
    assert [RULES.orders.format(order) for order in standing] == ["CHOOSE 1 PAR", "CHOOSE 2 MAR", "CHOOSE 3 MUN"]
    amended = RULES.orders.amend(view, standing, read_orders(RULES, view, "CHOOSE 2 ROM").values)
    assert [RULES.orders.format(order) for order in amended] == ["CHOOSE 1 PAR", "CHOOSE 2 ROM", "CHOOSE 3 MUN"]


@pytest.mark.parametrize("text", ["choose PAR MAR MUN", "Paris Mar\nmunich", "choose: Paris Mar, Munich"])
def test_a_list_may_do_without_commas(text: str) -> None:
    state = load(phase={"kind": "setup"}, powers=["boar", "eagle", "lion", "stag"])
    reading = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), text)
    assert reading.errors == ()
    assert [RULES.orders.format(order) for order in reading.values] == ["CHOOSE 1 PAR", "CHOOSE 2 MAR", "CHOOSE 3 MUN"]


@pytest.mark.parametrize("text", ["Paris, Mar, Mun", "PAR\n1. Mar\nmunich", "[boar]\nPar; Mar; Mun"])
def test_a_list_needs_no_word_before_it(text: str) -> None:
    state = load(phase={"kind": "setup"}, powers=["boar", "eagle", "lion", "stag"])
    reading = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), text)
    assert [RULES.orders.format(order) for order in reading.values] == ["CHOOSE 1 PAR", "CHOOSE 2 MAR", "CHOOSE 3 MUN"]


def test_one_choice_takes_the_usual_builds() -> None:
    state = winter("PAR", "MAR", "BRE", "BEL", "HOL", "SPA", castle="MAR")
    view = RULES.sight.view(state, Playing(BOAR))
    menu = RULES.orders.menu(view, [])
    assert menu.choices[0].value == "default"
    assert menu.choices[0].label == "The default for all centres", "a button has no room for its units"
    order = RULES.orders.menu(view, ["default"]).order
    assert order is not None
    reading = read_orders(RULES, view, order)
    assert reading.errors == ()
    assert reading.values == default_builds(state, BOAR)
    assert read_orders(RULES, view, RULES.orders.default(view)).values == reading.values


def test_winter_question_tells_the_quotas() -> None:
    state = winter("PAR", "MAR", "BRE", "BEL", "HOL", "SPA", magic=True)
    assert (quota_of(state, BOAR).knights, quota_of(state, BOAR).wizards) == (1, 1)
    prompt = WORDS.render(RULES.orders.menu(RULES.sight.view(state, Playing(BOAR)), []).prompt)
    assert "1 more knight, 1 wizard" in prompt


@pytest.mark.parametrize(
    ("centres", "magic", "told"),
    [
        (6, True, "Besides the King and armies you may have up to 1 knight (N: strength 2) and 1 wizard (W: an army "),
        (6, False, "Besides the King and armies you may have up to 1 knight (N: strength 2)."),
        (3, True, "Besides the King and armies you may have up to 1 wizard (W: an army that can cast spells)."),
        (3, False, "All but the King are armies"),
        (1, True, "You have one centre, Paris (PAR): build your King there."),
    ],
)
def test_the_briefing_of_winter_names_only_the_units_that_may_be_built(centres: int, magic: bool, told: str) -> None:
    state = winter(*("PAR", "MAR", "BRE", "BEL", "HOL", "SPA")[:centres], magic=magic)
    report = RULES.telling.briefing(RULES.sight.view(state, Playing(BOAR)))
    lines = [WORDS.render(line) for section in report.sections for line in section.lines]
    assert any(line.startswith(told) for line in lines)
    assert not any("0 " in line for line in lines)


def test_new_builds_push_out_what_they_leave_no_room_for() -> None:
    state = winter("PAR", "MAR", "BRE", "BEL", "HOL", "SPA")
    view = RULES.sight.view(state, Playing(BOAR))
    standing = read_orders(RULES, view, "build K Par, N Mar, A Bre, A Bel, A Hol, A Spa").values
    amended = RULES.orders.amend(view, standing, read_orders(RULES, view, "BUILD N BRE").values)
    texts = [RULES.orders.format(order) for order in amended]
    assert "BUILD N BRE" in texts
    assert "BUILD N MAR" not in texts
    assert codes(state, "\n".join(texts)) == []


@pytest.mark.parametrize(
    "text",
    ["build K Par, A Mar", "BUILD K PAR; BUILD A MAR", "K Par, A Mar", "build: king Paris\nbuild army Marseilles",
     "build K Par, build A Mar", "BUILD K PAR\nBUILD …"],
)  # fmt: skip
def test_reads_builds_as_people_write_them(text: str) -> None:
    reading = read_orders(RULES, RULES.sight.view(winter("PAR", "MAR"), Playing(BOAR)), text)
    assert reading.errors == ()
    expected = ["BUILD K PAR", "BUILD A MAR"]
    assert [RULES.orders.format(order) for order in reading.values] == expected[: 1 if "…" in text else 2]


@pytest.mark.parametrize(
    "text", ["A PAR - BUR", "army Paris attacks Burgundy", "K PAR H", "W PAR I A BUR", "A PAR S A MAR"]
)
def test_a_unit_that_is_to_act_in_winter_is_told_what_can_be_ordered_then(text: str) -> None:
    assert codes(winter("PAR", "MAR", "BRE", magic=True), text) == ["wrong_phase"]


def test_waived_builds_stand_in_the_sheet_and_nothing_is_missing() -> None:
    """Source: ruling F24"""
    state = winter("PAR", "MAR", "BRE")
    view = RULES.sight.view(state, Playing(BOAR))
    for text in ("WAIVE", "waive", "waive 2", "Waives"):
        reading = read_orders(RULES, view, text)
        assert ([RULES.orders.format(order) for order in reading.values], reading.errors) == (["WAIVE"], ())
    standing = read_orders(RULES, view, "BUILD K PAR").values
    sheet = RULES.orders.amend(view, standing, read_orders(RULES, view, "waive").values)
    assert [RULES.orders.format(order) for order in sheet] == ["BUILD K PAR", "WAIVE"]
    assert RULES.orders.missing(view, sheet) == ()
    assert RULES.orders.template(view, sheet).splitlines()[:2] == ["BUILD K PAR", "WAIVE"]
    assert RULES.orders.menu(view, ["waive"]).order == "WAIVE"


def test_documents_tell_why_a_game_is_over_with_the_powers_own_names() -> None:
    state = load(
        units=[{"power": "Burgundy", "kind": "K", "at": "PAR"}, {"power": "bavaria", "kind": "K", "at": "MUN"}]
    )
    over = RULES.play.end(state, [PowerId("burgundy")], phrase("event.victory", power="burgundy", count=17))
    assert RULES.play.dump(over)["over"]["why"] == "Burgundy wins with 17 centres."


def test_warns_of_a_sheet_without_the_king() -> None:
    view = RULES.sight.view(winter("PAR", "MAR", "BRE"), Playing(BOAR))
    advice = RULES.orders.advise(view, read_orders(RULES, view, "build A Par, N Mar").orders)
    assert [WORDS.render(one.what) for one in advice][:1] == [
        "The King is not among your units: he will be built in Brest."
    ]


def told_otherwise(state: State, text: str = "", power: PowerId = BOAR) -> str:
    view = RULES.sight.view(state, Playing(power))
    return " ".join(map(WORDS.render, RULES.orders.otherwise(view, read_orders(RULES, view, text).values)))


def advised(state: State, text: str) -> str:
    view = RULES.sight.view(state, Playing(BOAR))
    return " ".join(WORDS.render(one.what) for one in RULES.orders.advise(view, read_orders(RULES, view, text).orders))


def test_a_partly_refused_list_of_builds_says_what_will_stand_and_which_centres_stay_empty() -> None:
    state = winter("PAR", "MAR", "BRE", "BEL", "HOL", castle="PAR")
    text = "build K Par, N Mar, N Bre, A Lon, A Bel"
    assert codes(state, text) == ["knight_quota", "knight_quota", "no_build_there"]
    assert told_otherwise(state, text) == (
        "If you build nothing else, you will have K PAR and A BEL. "
        "Brest, Holland and Marseilles will stay empty for a whole year."
    )
    assert "No unit is built in Brest, Holland and Marseilles" in advised(state, text)


def test_centres_that_are_meant_to_stay_empty_are_no_reason_for_a_warning() -> None:
    state = winter("PAR", "MAR", "BRE")
    assert told_otherwise(state, "build K Par; waive") == ""
    assert advised(state, "build K Par; waive") == ""
    assert advised(state, "waive") == "The King is not among your units: he will be built in Brest."
    assert (
        told_otherwise(state, "build A Par, A Mar")
        == "If you build nothing else, you will have K BRE, A MAR and A PAR."
    )
    assert advised(state, "build A Par, A Mar").count(".") == 1


def test_whoever_builds_nothing_is_told_of_the_usual_units() -> None:
    state = winter("PAR", "MAR", "BRE", castle="PAR")
    assert told_otherwise(state) == "If you build nothing, you get the default: K PAR, A BRE and A MAR."


def test_each_phase_tells_what_becomes_of_whatever_has_no_order() -> None:
    units = [{"power": "boar", "kind": "K", "at": "PAR"}, {"power": "eagle", "kind": "K", "at": "ROM"}]
    assert told_otherwise(load(units=units)) == "A unit without an order holds."
    driven = [{"power": "boar", "kind": "N", "at": "PAR", "from": "BUR", "retreats": ["GAS", "PIC"]}]
    state = load(phase={"kind": "retreats"}, units=[units[1]], dislodged=driven)
    assert told_otherwise(state) == "A knight without an order takes the first possible retreat: N PAR R GAS."
    powers = ["boar", "eagle", "lion", "stag"]
    start = load(phase={"kind": "setup"}, powers=powers, centres={})
    assert "drawn at random" in told_otherwise(start)
    assert "drawn at random" in told_otherwise(start, "choose: Par")
    got = load(
        phase={"kind": "setup"}, powers=powers, centres={"MUN": "boar"}, setup={"lists": 1, "got": {"boar": "MUN"}}
    )
    assert told_otherwise(got) == "Without a new list you keep Munich; if you send one you give it back."
    view = RULES.sight.view(got, Playing(PowerId("boar")))
    assert RULES.orders.missing(view, ()) == ()
    # Whoever writes both leaves out the second.
    assert RULES.orders.otherwise(view, ())[0] in RULES.telling.briefing(view).sections[0].lines


def test_the_computer_keeps_the_centre_that_it_got_and_sends_a_new_list_only_if_it_got_none() -> None:
    powers = ["boar", "eagle", "lion", "stag"]
    start = load(
        phase={"kind": "setup"}, powers=powers, centres={"MUN": "boar"}, setup={"lists": 1, "got": {"boar": "MUN"}}
    )

    def sent(power: str) -> Sequence[str]:
        view = RULES.sight.view(start, Playing(PowerId(power)))
        return think(RULES, JUDGEMENT, view, PowerId(power), CARE[Level.FAIR], random.Random(1))

    assert sent("boar") == ()
    assert len(sent("eagle")) == 3


def test_nobody_negotiates_while_centres_are_chosen() -> None:
    start = load(phase={"kind": "setup"}, powers=["boar", "eagle"], centres={})
    assert not RULES.play.status(start).may_negotiate
    assert "Negotiation is not allowed" in briefed(start)
    castles = choice_of_castles()
    assert RULES.play.status(castles).may_negotiate
    assert "negotiate as you like" in briefed(castles)


def test_the_whole_map_is_shown_while_centres_are_chosen_and_the_own_part_from_the_castles_on() -> None:
    second = load(
        powers=["boar", "lion", "stag"], units=[], centres={"PAR": "boar", "BER": "lion", "NAP": "stag"},
        phase={"year": 815, "season": "spring", "kind": "setup"},
    )  # fmt: skip
    for state, is_whole in ((second, True), (choice_of_castles(), False)):
        view = FEUDAL.sight.view(state, Playing(BOAR))
        shown = own_realm(
            FEUDAL.telling.scene(view, orders=read_orders(FEUDAL, view, FEUDAL.orders.default(view)).values), BOAR
        )
        assert isinstance(shown, Scene)
        assert (shown.focus == ()) is is_whole


def choice_of_castles(**options: Any) -> State:
    centres = dict.fromkeys(("PAR", "MAR", "BRE", "BEL", "HOL", "MUN", "KIE"), "boar")
    centres |= dict.fromkeys(("ROM", "VEN", "NAP", "VIE", "BUD", "TRI", "SER"), "eagle")
    return load(phase={"kind": "setup"}, options=options, powers=["boar", "eagle"], centres=centres)


def briefed(state: State) -> str:
    report = RULES.telling.briefing(RULES.sight.view(state, EVERYBODY))
    return " ".join(WORDS.render(line) for section in report.sections for line in section.lines)


def test_whoever_has_a_wizard_is_told_of_the_spells() -> None:
    units = [{"power": "boar", "kind": "W", "at": "PAR"}, {"power": "eagle", "kind": "A", "at": "ROM"}]
    view = {
        power: RULES.sight.view(load(options={"magic": True}, units=units), Playing(power)) for power in (BOAR, EAGLE)
    }
    told = {power: str(RULES.telling.briefing(each)) for power, each in view.items()}
    assert ("report.wizards" in told[BOAR], "report.wizards" in told[EAGLE]) == (True, False)


@pytest.mark.parametrize("magic", [True, False])
def test_everybody_is_told_of_wizards_where_they_are_played(magic: bool) -> None:
    options, army = {"magic": magic}, {"power": "boar", "kind": "A", "at": "GAS"}
    setup = load(phase={"kind": "setup"}, options=options, powers=["boar", "eagle"])
    for state in (setup, load(units=[army], options=options), winter("PAR", magic=magic)):
        assert ("izards" in briefed(state)) is magic


def test_no_example_helps_the_nomads() -> None:
    places = {"MOS": "boar", "GAL": "boar", "PAR": "eagle"}
    state = load(units=[{"power": power, "kind": "A", "at": place} for place, power in places.items()])
    assert not [order for order in told_examples(state, "boar") if "NOMAD" in order]


def test_what_was_tried_last_season_is_not_told_as_if_it_had_worked() -> None:
    # The spell of the wizard in Bulgaria was stopped by an attack, and still can't be repeated.
    state = load(
        options={"magic": True},
        units=[
            {"power": "boar", "kind": "W", "at": "BUL"},
            {"power": "eagle", "kind": "A", "at": "RUM"},
            {"power": "eagle", "kind": "K", "at": "SER"},
        ],
        magic=[{"at": "BUL", "did": "immobilize", "target": "RUM"}],
    )
    view = RULES.sight.view(state, Playing(BOAR))
    (error,) = read_orders(RULES, view, "W Bul I A Rum").errors
    assert "was to immobilize" in WORDS.render(error.reason)
    (error,) = read_orders(RULES, view, "W Bul I K Ser").errors
    assert WORDS.render(error.reason) == "K SER can't be immobilized: no magic stops knights or Kings."


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("a par - bur", "N PAR - BUR"),
        ("Paris to Burgundy", "N PAR - BUR"),
        ("the knight in Paris supports the army in Munich to Burgundy", "N PAR S A MUN - BUR"),
        ("N Par S Mun - Bur", "N PAR S A MUN - BUR"),
        ("Par S W Gas H", "N PAR S W GAS"),
        ("par holds", "N PAR H"),
        ("W Gas S2 A Mun - Bur", "W GAS S A MUN - BUR"),
        ("W Gas I A Mar", "W GAS I BARBARIAN MAR"),
        ("W Gas I barbarian Mar", "W GAS I BARBARIAN MAR"),
        ("W Gas S barbarian Mar - Pie", ""),
        ("W Gas S barbarian Mar - Bur", "W GAS S BARBARIAN MAR - BUR"),
        ("[boar] N Par - Pic", "N PAR - PIC"),
        ("boar: N Par - Pic", "N PAR - PIC"),
    ],
)
def test_reads_what_people_write(text: str, order: str) -> None:
    state = load(
        powers=["boar", "eagle"],
        options={"magic": True},
        units=[
            {"power": "boar", "kind": "N", "at": "PAR"},
            {"power": "boar", "kind": "W", "at": "GAS"},
            {"power": "boar", "kind": "A", "at": "MUN"},
            {"power": "barbarians", "kind": "A", "at": "MAR", "home": "MAR"},
        ],
    )
    reading = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), text)
    found = [RULES.orders.format(read) for read in reading.values]
    if "S2" in text:
        assert [error.code for error in reading.errors] == ["distant_not_two"]
    else:
        assert found == ([order] if order else [])


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"state": {"powers": ["nomads"]}}, "state.powers[0]"),
        ({"state": {"powers": ["a", "A"]}}, "state.powers"),
        ({"state": {"units": [{"power": "boar", "kind": "F", "at": "LON"}]}}, "state.units[0].kind"),
        ({"state": {"units": [{"power": "boar", "at": "SWI"}]}}, "state.units[0].at"),
        ({"state": {"units": [{"power": "boar", "at": "NTH"}]}}, "state.units[0].at"),
        ({"state": {"units": [{"power": "barbarians", "kind": "K", "at": "SWE"}]}}, "state.units[0].kind"),
        ({"state": {"castles": {"BUR": "boar"}}}, "state.castles.BUR"),
        ({"state": {"units": [], "magic": [{"at": "PAR", "did": "immobilize"}]}}, "state.magic[0].at"),
        ({"dice": {"nomad/1": 7}}, "dice.nomad/1"),
        ({"dice": {"barbarian/SWE": "MOS"}}, "dice.barbarian/SWE"),
        ({"options": {"start_row": 3}}, "options.start_row"),
        ({"phase": {"season": "winter", "kind": "movement"}}, "phase.season"),
    ],
)
def test_impossible_documents_are_refused_where_they_are_wrong(document: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as refused:
        RULES.play.load(document)
    assert refused.value.where == where


def test_forced_dice_hold_for_one_phase() -> None:
    state = load(units=[{"power": "boar", "kind": "K", "at": "PAR"}], powers=["boar", "eagle"], dice={"nomad/1": 6})
    assert state.forced_dice
    assert not RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state.forced_dice


def test_powers_have_any_names_and_letters_of_their_own() -> None:
    state = load(
        units=[{"power": "Burgundy", "kind": "K", "at": "PAR"}, {"power": "bavaria", "kind": "K", "at": "MUN"}]
    )
    powers = RULES.play.variant(state).powers
    assert [(power.id, power.name, power.letter) for power in powers.values()] == [
        ("burgundy", "Burgundy", "B"),
        ("bavaria", "Bavaria", "A"),
    ]
    reading = read_orders(RULES, RULES.sight.view(state, Playing(PowerId("burgundy"))), "Paris - Burgundy")
    assert [RULES.orders.format(order) for order in reading.values] == ["K PAR - BUR"]


@pytest.mark.parametrize("name", ["A", "k", "castle", "Player-1", "d'Artois", "St. Louis"])
def test_a_power_called_like_the_start_of_an_order_takes_nobodys_orders(name: str) -> None:
    units = [{"power": name, "at": "PAR"}, {"power": "eagle", "kind": "K", "at": "MUN"}]
    state = load(units=units)
    own, eagle = RULES.play.variant(state).powers
    for power, text, order in (
        (own, "A Par - Bur", "A PAR - BUR"),
        (own, f"[{name}] A Par - Bur", "A PAR - BUR"),
        (eagle, "K Mun S A Par - Bur", "K MUN S A PAR - BUR"),
        (eagle, "A Mun H", "K MUN H"),
    ):
        reading = read_orders(RULES, RULES.sight.view(state, Playing(power)), text)
        assert [RULES.orders.format(read) for read in reading.values] == [order]


def test_a_forced_die_for_a_barbarian_that_is_not_there_forces_nothing() -> None:
    state = load(units=[{"power": "boar", "kind": "K", "at": "PAR"}], dice={"barbarian/SWE": "SWE"})
    assert RULES.play.adjudicate(state, {}, RULES.play.dice(state)).results


@settings(max_examples=few(8), deadline=None)
@given(seed=st.text(max_size=12), phases=st.integers(min_value=0, max_value=9))
def test_nothing_that_is_shown_tells_the_seed(seed: str, phases: int) -> None:
    """The seed decides nomads, barbarians and lots to come: the one thing in a position that players may not know."""
    state = RULES.play.start(variant="standard", players=3, options={"magic": True}, seed="known")
    for _ in range(phases):
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    other = dataclasses.replace(state, seed=seed)
    for viewer in (None, *state.powers):
        for one, two in zip(_shown(state, viewer), _shown(other, viewer), strict=True):
            assert one == two


def _shown(state: State, viewer: PowerId | None) -> tuple[object, ...]:
    view = RULES.sight.view(state, viewer_of(viewer))
    return (
        RULES.orders.template(view, ()),
        RULES.orders.missing(view, ()),
        RULES.orders.suggest(view, ""),
        RULES.orders.suggest(view, "p"),
        RULES.orders.menu(view, []),
        RULES.orders.legal(view),
        RULES.telling.briefing(view),
        RULES.telling.text_board(view),
        RULES.telling.scene(view),
        RULES.telling.report(view, (), ()),
        RULES.orders.check(view, RULES.orders.parse("A PAR - BUR; choose: Par, Swe, Xyz; build A Par", view).orders),
    )


def test_a_unit_without_an_order_is_told_apart_from_one_that_was_ordered_to_hold() -> None:
    state = load(
        powers=["boar", "eagle"],
        units=[{"power": "boar", "kind": "K", "at": "PAR"}, {"power": "boar", "kind": "A", "at": "ROM"}],
    )
    closed, _ = adjudicate_texts(RULES, state, {BOAR: "A ROM H"})
    told = RULES.telling.report(RULES.sight.view(state, EVERYBODY), closed.results, ())
    lines = [WORDS.render(line) for section in told.sections for line in section.lines]
    assert {"✓ A ROM H", "– K PAR H (no order)"} <= set(lines)


def test_a_centre_that_was_gained_is_told_once() -> None:
    state = load(phase={"kind": "setup"}, powers=["boar", "eagle"], units=[], centres={})
    closed, _ = adjudicate_texts(RULES, state, {BOAR: "choose: Par, Lon, Ven", EAGLE: "choose: Bud, Lon, Ven"})
    report = RULES.telling.report(RULES.sight.view(state, EVERYBODY), closed.results, closed.events)
    lines = [WORDS.render(line) for section in report.sections for line in section.lines]
    assert "✓ CHOOSE 1 PAR" in lines
    assert [line for line in lines if "Paris" in line] == ["Boar gets Paris."]


def test_what_happens_alike_in_several_places_is_told_in_one_line() -> None:
    events = [
        Event(phrase("event.barbarian_moved", place="ANK", to="SMY")),
        Event(phrase("event.barbarian_held", place="POR")),
        Event(phrase("event.barbarian_held", place="SWE")),
        Event(phrase("event.barbarian_moved", place="EDI", to="LVP")),
        Event(phrase("event.took", power=BOAR, place="BER")),
        Event(phrase("event.took", power=EAGLE, place="RUM")),
        Event(phrase("event.took", power=BOAR, place="BUD")),
        Event(phrase("event.barbarians_took", power=BARBARIANS, place="SMY")),
    ]
    state = load(powers=["boar", "eagle"], units=[])
    report = RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), events)
    assert [WORDS.render(line) for line in report.sections[0].lines] == [
        "Barbarians went from Ankara to Smyrna and from Edinburgh to Liverpool.",
        "The barbarians in Portugal and Sweden held.",
        "Boar takes Berlin and Budapest.",
        "Eagle takes Rumania.",
        "The barbarians take Smyrna.",
    ]


@pytest.mark.parametrize(
    ("phase", "text", "told"),
    [
        ({"kind": "setup"}, "Pari", "What is it to do? In this phase everybody lists centres."),
        ({"kind": "setup"}, "Munich first", 'I don\'t understand "first" here. In this phase everybody lists centres.'),
        ({"kind": "retreats"}, "N Mun", "What is it to do? Orders in this phase are retreats (R)"),
    ],
)
def test_a_unit_without_a_verb_is_told_what_the_phase_takes(phase: dict[str, str], text: str, told: str) -> None:
    state = load(phase=phase, powers=["boar", "eagle"], units=[], centres={"MUN": "boar"})
    (error,) = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), text).errors
    assert WORDS.render(phrase(f"error.{error.code}", **error.args)).startswith(told)


def test_nomads_and_barbarians_are_told_with_their_dice() -> None:
    state = load(
        powers=["boar", "eagle"],
        units=[
            {"power": "boar", "kind": "K", "at": "PAR"},
            {"power": "barbarians", "kind": "A", "at": "SWE", "home": "SWE"},
        ],
        centres={"DEN": "barbarians", "NWY": "barbarians", "SWE": "barbarians"},
        dice={"nomad/1": 6, "nomad/2": 6, "nomad/3": 2, "barbarian/SWE": "FIN"},
    )
    told = [WORDS.render(event.what) for event in RULES.play.adjudicate(state, {}, RULES.play.dice(state)).events]
    assert told[:4] == [
        "The nomads' dice show 6, 6 and 2.",
        "Nomads with strength 1 rode into Moscow.",
        "Nomads with strength 2 rode into Warsaw.",
        "The barbarian in Sweden went to Finland.",
    ]


def test_what_nomads_and_barbarians_did_is_drawn() -> None:
    state = load(
        powers=["boar", "eagle"],
        units=[
            {"power": "boar", "kind": "K", "at": "MOS"},
            {"power": "nomads", "kind": "A", "at": "STP"},
            {"power": "barbarians", "kind": "A", "at": "NWY", "home": "NWY"},
            {"power": "barbarians", "kind": "A", "at": "SWE", "home": "SWE"},
            {"power": "barbarians", "kind": "A", "at": "DEN", "home": "DEN"},
            {"power": "barbarians", "kind": "A", "at": "TUN", "home": "TUN"},
            {"power": "eagle", "kind": "N", "at": "SYR"},
        ],
        centres={"DEN": "barbarians", "NWY": "barbarians", "SWE": "barbarians", "NAP": "barbarians",
                 "EDI": "barbarians", "KIE": "barbarians", "TUN": "barbarians"},
        dice={"nomad/1": 6, "nomad/2": 6, "nomad/3": 2, "barbarian/NWY": "FIN", "barbarian/SWE": "DEN",
              "barbarian/DEN": "DEN", "barbarian/TUN": "TUN"},
    )  # fmt: skip
    view = RULES.sight.view(state, EVERYBODY)
    sheet = read_orders(RULES, RULES.sight.view(state, Playing(EAGLE)), "N SYR - TUN").values
    resolution = RULES.play.adjudicate(state, {EAGLE: sheet}, RULES.play.dice(state))
    scene = as_map(RULES.telling.scene(view, results=resolution.results, events=resolution.events))
    drawn = [
        f"{arrow.power} {arrow.kind} {arrow.start} {arrow.end} {arrow.status}"
        for arrow in scene.arrows
        if arrow.power not in (BOAR, EAGLE)
    ]
    assert sorted(drawn) == [
        "barbarians hold DEN DEN succeeded",
        "barbarians hold TUN TUN failed",
        "barbarians move NWY FIN succeeded",
        "barbarians move SWE DEN failed",
        "nomads move MOS MOS failed",
        "nomads move WAR WAR succeeded",
    ]
    assert "nomads" in {unit.power for unit in as_map(RULES.telling.scene(view)).units}
    assert "nomads" not in {unit.power for unit in scene.units}


def test_a_knight_disbanded_with_his_king_is_told_of_once() -> None:
    rows = ("boar K BRE", "boar N ROM", "eagle N GAS", "eagle A PAR", "eagle A VEN", "eagle N TUS", "lion A PIC")
    state = load(units=[dict(zip(("power", "kind", "at"), row.split(), strict=True)) for row in rows])
    eagle = PowerId("eagle")
    text = "N Gas - Bre; A Par S N Gas - Bre; N Tus - Rom; A Ven S N Tus - Rom"
    sheet = read_orders(RULES, RULES.sight.view(state, Playing(eagle)), text).values
    events = RULES.play.adjudicate(state, {eagle: sheet}, RULES.play.dice(state)).events
    told = [event.what.args["unit"] for event in events if event.what.code == "event.disbanded"]
    assert told == ["K BRE", "N ROM"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("all hold", ["N PAR H", "W GAS H"]),
        ("N PAR - PIC; everything holds", ["N PAR - PIC", "W GAS H"]),
        ("Hold all\nboar: W GAS - PAR", ["W GAS - PAR", "N PAR H"]),
    ],
)
def test_all_hold_orders_every_unit_that_has_no_order(text: str, orders: list[str]) -> None:
    state = load(
        powers=["boar", "eagle"],
        options={"magic": True},
        units=[
            {"power": "boar", "kind": "N", "at": "PAR"},
            {"power": "boar", "kind": "W", "at": "GAS"},
            {"power": "eagle", "kind": "N", "at": "ROM"},
        ],
    )
    reading = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), text)
    assert not reading.errors
    assert sorted(map(RULES.orders.format, reading.values)) == sorted(orders)


def test_an_entry_that_is_refused_leaves_no_gap_in_the_list() -> None:
    state = RULES.play.start(variant="standard", players=4, options={}, seed="s")
    view = RULES.sight.view(state, Playing(state.powers[0]))
    for text in ("PAR, BUR, MUN", "PAR, PAR, MUN", "PAR, PAS, MUN", "choose: BUR, PAR, PAR, MUN"):
        found = read_orders(RULES, view, text)
        assert len(found.errors) >= 1, text
        assert [RULES.orders.format(order) for order in found.values] == ["CHOOSE 1 PAR", "CHOOSE 2 MUN"], text


def test_a_briefing_names_centres_only_where_they_are_few() -> None:
    state = RULES.play.start(variant="standard", players=4, options={}, seed="s")
    lines = RULES.telling.briefing(RULES.sight.view(state, Playing(state.powers[0]))).sections[0].lines
    told = [WORDS.render(line) for line in lines]
    assert any(line.startswith("You may name any of 28 centres, such as ") for line in told)
    assert max(map(len, told)) < 200


def test_what_barbarians_take_is_news() -> None:
    before = load(units=[], centres={"PAR": "boar", "ROM": "eagle"})
    after = dataclasses.replace(before, centres={**before.centres, PlaceId("SMY"): BARBARIANS})
    news = RULES.telling.headline(*(RULES.sight.view(state, EVERYBODY) for state in (before, after)))
    assert [WORDS.render(part) for part in news] == ["The barbarians take Smyrna"]


def test_a_castle_is_chosen_from_one_menu() -> None:
    view = RULES.sight.view(choice_of_castles(), Playing(BOAR))
    (first,) = RULES.orders.menu(view, ()).choices
    (shortlist,) = RULES.orders.shortlists(view, [first.value], ())
    assert [choice.value for choice in shortlist.orders] == [
        f"CASTLE {centre}" for centre in ("BEL", "BRE", "HOL", "KIE", "MAR", "MUN", "PAR")
    ]


def test_nobody_disbands_the_king_without_a_word_of_what_it_means() -> None:
    driven = [{"power": "boar", "kind": "K", "at": "PAR", "from": "BUR", "retreats": ["GAS", "PIC"]}]
    state = load(phase={"kind": "retreats"}, units=[{"power": "eagle", "kind": "K", "at": "ROM"}], dislodged=driven)
    assert told_examples(state, "boar") == ["K PAR R GAS"]
    assert advised(state, "K Par D") == "K PAR D disbands your King: you will be out of the game."
    assert advised(state, "K Par R Gas") == ""
    report = RULES.telling.briefing(RULES.sight.view(state, Playing(BOAR)))
    assert [line.code for section in report.sections for line in section.lines] == ["report.king_may_retreat"]


@pytest.mark.parametrize("is_quick", [False, True])
def test_the_sheet_asks_for_a_castle_however_the_centres_were_chosen(is_quick: bool) -> None:
    view = RULES.sight.view(choice_of_castles(quick_choosing=is_quick), Playing(BOAR))
    assert RULES.orders.template(view, ()) == "CASTLE …  # BEL BRE HOL KIE MAR MUN PAR"


def told_examples(state: State, power: str) -> list[str]:
    view = RULES.sight.view(state, Playing(PowerId(power)))
    return [str(example.args["order"]) for example in RULES.telling.examples(view)]


def test_the_move_that_is_shown_is_not_the_kings_if_another_can_march() -> None:
    king, army = ({"power": "boar", "kind": kind, "at": at} for kind, at in (("K", "BUR"), ("A", "GAS")))
    eagle = {"power": "eagle", "kind": "K", "at": "ROM"}
    assert told_examples(load(units=[king, army, eagle]), "boar")[0].startswith("A GAS - ")
    assert told_examples(load(units=[king, eagle]), "boar")[0].startswith("K BUR - ")


def test_the_build_that_is_shown_is_the_kings_in_the_castle() -> None:
    assert told_examples(winter("PAR", "BEL", "HOL", castle="PAR"), "boar") == ["BUILD K PAR"]


@pytest.mark.parametrize("is_quick", [False, True])
def test_players_who_send_the_example_of_a_list_as_it_is_do_not_clash(is_quick: bool) -> None:
    powers = ["boar", "eagle", "lion", "stag"]
    state = load(phase={"kind": "setup"}, options={"quick_choosing": is_quick}, powers=powers)
    firsts = {told_examples(state, power)[0].removeprefix("CHOOSE: ").partition(",")[0] for power in powers}
    assert len(firsts) == len(powers)


def test_an_example_of_a_list_with_one_centre_names_no_order_of_wishes() -> None:
    """`CHOOSE: NAP` once asked "for Naples, best first"."""
    state = load(phase={"kind": "setup"}, options={"quick_choosing": True}, powers=["boar", "eagle"])
    view = RULES.sight.view(state, Playing(BOAR))
    for named, told in ((("NAP",), "asks for Naples; you get it"), (("NAP", "PAR"), "Naples and Paris, best first")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("engine.feudal.choosing.spread", lambda *_, named=named: named)
            assert told in WORDS.render(RULES.telling.examples(view)[0])


@pytest.mark.parametrize(
    ("centres", "expected"),
    [({}, "Boar is out"), ({"PAR": "boar"}, "Boar is out (1 centre not yet captured by others)")],
)
def test_standings_count_what_is_left_of_a_player_who_is_out_only_if_anything_is(
    centres: dict[str, str], expected: str
) -> None:
    state = load(
        units=[{"power": "eagle", "kind": "K", "at": "ROM"}], centres={"ROM": "eagle", **centres}, out=["boar"]
    )
    sections = RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()).sections
    assert expected in [WORDS.render(line) for section in sections for line in section.lines]


def test_what_the_phase_takes_is_found_out_once_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than to read an order: a file of them kept a worker busy for twenty seconds."""
    state = RULES.play.start(variant="standard", players=9, options={}, seed="1")
    asked = []

    def wanted(state: State) -> tuple[type, ...]:
        asked.append(state)
        return wanted_orders(state)

    monkeypatch.setattr(parse, "wanted_orders", wanted)

    reading = read_orders(RULES, RULES.sight.view(state, Playing(state.powers[0])), "1," * 300)

    assert len(reading.errors) == 300
    assert len(asked) == 1


def test_a_wizard_that_is_to_stop_an_own_unit_is_told_why_not() -> None:
    units = [{"power": "boar", "kind": kind, "at": at} for kind, at in (("W", "PAR"), ("A", "MAR"), ("K", "BRE"))]
    state = load(powers=["boar", "eagle"], options={"magic": True}, units=units)
    (error,) = read_orders(RULES, RULES.sight.view(state, Playing(BOAR)), "W PAR I A MAR").errors
    told = WORDS.render(phrase(f"error.{error.code}", **error.args))
    assert told == "A MAR is your own, and a wizard can stop only units of others."


def test_standings_count_no_units_while_all_have_gone_home() -> None:
    state = load(phase={"kind": "adjustments"}, powers=["boar", "eagle"], units=[], centres={"ROM": "eagle"})
    sections = RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()).sections
    assert [WORDS.render(line) for line in sections[-1].lines] == [
        "Eagle: 1 centre, 0 castles",
        "Boar: 0 centres, 0 castles",
    ]


def test_a_briefing_counts_many_units_and_names_a_few() -> None:
    places = ["PAR", "LON", "ROM", "VEN", "BUD", "VIE", "MUN", "KIE", "BER"]
    for count, expected in (
        (1, "Give an order to each of your units: K PAR"),
        (9, "Give an order to each of your 9 units. The order sheet lists them."),
    ):
        units = [{"power": "boar", "kind": "K" if place == "PAR" else "A", "at": place} for place in places[:count]]
        view = RULES.sight.view(load(powers=["boar", "eagle"], units=units), Playing(BOAR))
        (section,) = RULES.telling.briefing(view).sections
        assert WORDS.render(section.lines[0]).startswith(expected)
