"""What players write for sorcerers, spells, shares and cards, and what they are told when it can't be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.errors import DocumentError
from engine.core.ids import PowerId, ProvinceId
from engine.core.reading import read_orders
from engine.core.shortlists import joined
from engine.core.variant import load_phrases, load_variant
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.scene import Mark
from engine.young_kingdoms.cards import CARDS, hide
from engine.young_kingdoms.model import State, View
from engine.young_kingdoms.system import YOUNG_KINGDOMS
from tests.pictured import as_map

RULES = YOUNG_KINGDOMS
MELNIBONE = PowerId("melnibone")


def _state(**state: Any) -> State:
    units = [
        {"power": "melnibone", "kind": "S", "at": "MEL"},
        {"power": "melnibone", "kind": "F", "at": "Mel"},
        {"power": "melnibone", "kind": "F", "at": "DRA"},
        {"power": "Pan Tang", "kind": "S", "at": "PTa"},
        {"power": "jha", "kind": "A", "at": "BAK"},
        {"power": "ilmiora", "kind": "F", "at": "SOC"},
    ]
    phase = state.pop("phase", {"year": 1401, "season": "spring", "kind": "movement"})
    return RULES.play.load(
        {"phase": phase, "state": {"units": units, "hands": {"melnibone": [1, 4, 7, 9, 10]}, **state}}
    )


def _view(power: str = "melnibone", **state: Any) -> View:
    return RULES.sight.view(_state(**state), Playing(PowerId(power)))


def _read(view: View, text: str) -> list[str]:
    reading = read_orders(RULES, view, text)
    assert [error.code for error in reading.errors] == []
    return [RULES.orders.format(order) for order in reading.values]


def _codes(view: View, text: str) -> list[str]:
    return [error.code for error in read_orders(RULES, view, text).errors]


def test_the_island_is_spelled_as_its_power() -> None:
    """Players read both in one sentence; orders may have the accent of the books."""
    variant = load_variant("young_kingdoms", "standard")
    assert variant.spaces[ProvinceId("MEL")].name == variant.powers[PowerId("melnibone")].name == "Melnibone"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("s mel embarks f dra", "S MEL - DRA"),
        ("Sorcerer Melniboné to Dragon Sea", "S MEL - DRA"),
        ("Melnibone - SHA", "F MEL - SHA"),
        ("Melnibone F Mel - SHA", "F MEL - SHA"),
        ("cast 1 S Melnibone F Mel - SHA", "CAST 1 S F MEL - SHA"),
        ("cast 1 S Melnibone - SHA", "CAST 1 S F MEL - SHA"),
        ("S Mel rides F Mel", "S MEL RIDES F MEL"),
        ("Elric to DRA", "S MEL - DRA"),
        ("sorcerer - Dragon Sea", "S MEL - DRA"),
        ("Elric rides F Mel", "S MEL RIDES F MEL"),
        ("Elric holds", "S MEL H"),
        ("s MEL → dra # a comment", "S MEL - DRA"),
        ("Melnibone: S Mel H", "S MEL H"),
        ("S Mel - Bak via convoy", "S MEL - BAK VIA CONVOY"),
        ("cast 4 from Mel - DRA", "CAST 4 FROM MEL - DRA"),
        ("cast 4 on DRA", "CAST 4 FROM MEL - DRA"),
        ("cast 4 from Mel on DRA", "CAST 4 FROM MEL - DRA"),
        ("cast 4 upon DRA", "CAST 4 FROM MEL - DRA"),
        ("cast 4 - dragon sea", "CAST 4 FROM MEL - DRA"),
        ("cast 4 dra", "CAST 4 FROM MEL - DRA"),
        ("cast spell 1 supports fleet Mel - SHA", "CAST 1 S F MEL - SHA"),
        ("cast 1 s self - sha", "CAST 1 S SELF - SHA"),
        ("cast 1 S S Mel", "CAST 1 S SELF"),
        ("cast 7", "CAST 7"),
        ("cast 9 on F SOC", "CAST 9 ON F SOC"),
        ("cast 9 on Ilmiora F SOC", "CAST 9 ON F SOC"),
        ("cast 10 on SOC", "CAST 10 ON SOC"),
        ("share Mel with Pan Tang", "SHARE MEL WITH PAN TANG"),
        ("F DRA C S Mel - Vil", "F DRA C S MEL - VIL"),
        ("F DRA supports the sorcerer Mel - SOC", "F DRA S S MEL - SOC"),
    ],
)
def test_orders_are_read_as_people_write_them(text: str, canonical: str) -> None:
    view = _view()
    assert _read(view, text) == [canonical]
    assert _read(view, canonical) == [canonical]


@pytest.mark.parametrize(
    ("text", "is_warned"),
    [
        ("S MEL - IOP; F DRA H; F MEL H", True),
        ("S MEL - IOP; F DRA - SHA; F MEL H", True),
        ("S MEL - IOP; F DRA C S MEL - IOP", False),
        ("S MEL - IOP", False),  # there is still time to order it
        ("S MEL - DRA; F DRA H", False),
    ],
)
def test_warns_of_a_sorcerers_way_that_no_fleet_is_left_to_convoy(text: str, is_warned: bool) -> None:
    view = _view()
    read = read_orders(RULES, view, text)
    assert not read.errors
    found = [advice.what for advice in RULES.orders.advise(view, read.orders)]
    assert [what.code == "advice.not_carried" for what in found] == [True] * is_warned
    assert all("no fleets are left" in load_phrases("young_kingdoms").render(what) for what in found)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("S MEL - DRA, F MEL - SHA", ["S MEL - DRA", "F MEL - SHA"]),
        ("F MEL - SHA, S MEL H", ["F MEL - SHA", "S MEL H"]),
        ("F MEL H, DRA H, cast 7", ["F MEL H", "F DRA H", "CAST 7"]),
        ("F DRA, S F MEL - SHA", ["F DRA S F MEL - SHA"]),
        ("S MEL …, F DRA H", ["F DRA H"]),
    ],
)
def test_commas_separate_orders_as_in_diplomacy(text: str, orders: list[str]) -> None:
    assert _read(_view(), text) == orders


def test_the_placings_of_the_rules_can_be_sent_as_they_stand() -> None:
    view = _view(phase={"year": 1400, "season": "spring", "kind": "setup"})
    assert _read(view, "`PLACE F DRA`, `PLACE S SOC`") == ["PLACE F DRA", "PLACE S SOC"]


@pytest.mark.parametrize("card", [1, 4, 7, 9, 10])
def test_a_card_that_is_written_like_another_is_answered_with_spells_of_that_card(card: int) -> None:
    """Whatever the card, nothing is told of cards that may be in another hand."""
    view = _view()
    wrong = {7: "cast 7 from Mel - DRA"}.get(card, f"cast {card}")
    (error,) = read_orders(RULES, view, wrong).errors
    told = load_phrases("young_kingdoms").render(error.reason)
    assert error.code == "card_form"
    assert re.findall(r"CAST (\d+)", told) == [str(card)]
    assert all(hint.startswith(f"CAST {card}") for hint in error.hints)
    assert error.hints or card == 9, "nobody is there to be destroyed"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("cast", "card_number"),
        ("cast 2 S F Mel - SHA", "card_not_held"),
        ("cast 12", "no_such_card"),
        ("cast 7 from Mel - DRA", "card_form"),
        ("cast 4 from Mel - Kar", "out_of_reach"),
        ("cast 4 from Mel - Mel", "spell_at_home"),
        ("cast 9 on F Mel", "spell_at_home"),
        ("cast 10 on Mel", "spell_at_home"),
        ("cast 4 from DRA - Mel", "sorcerer_elsewhere"),
        ("cast 1 S A Bak", "out_of_reach"),
        ("cast 9 on A SHA", "no_such_unit"),
        ("S Mel - Kar", "not_adjacent"),
        ("S PTa - SOC", "sorcerer_elsewhere"),
        ("S Mel", "no_verb_sorcerer"),
        ("S Mel casts 4 - DRA", "unknown_verb_sorcerer"),
        ("share Mel with Atlantis", "unknown_power"),
        ("unshare Mel", "no_share"),
        ("place F DRA", "wrong_phase"),
        ("cast 4 from Mel - DRAX", "unknown_province"),
    ],
)
def test_refusals_say_why_and_cost_nothing_else(text: str, code: str) -> None:
    view = _view()
    reading = read_orders(RULES, view, f"F Mel H\n{text}\nF DRA H")
    assert [(error.line, error.code) for error in reading.errors] == [(2, code)]
    assert load_phrases("young_kingdoms").render(reading.errors[0].reason)
    assert [RULES.orders.format(order) for order in reading.values] == ["F MEL H", "F DRA H"]


@pytest.mark.parametrize("text", ["BUILD S MEL", "build a sorcerer in Mel", "b s mel", "S Mel build"])
def test_a_sorcerer_that_is_to_be_built_is_answered_with_builds(text: str) -> None:
    units = [{"power": "melnibone", "kind": "S", "at": "MEL"}]
    centres, adjustments = {"MEL": "melnibone"}, {"year": 1401, "season": "winter", "kind": "adjustments"}
    (error,) = read_orders(RULES, _view(units=units, centres=centres, phase=adjustments), text).errors
    assert (error.code, error.hints) == ("sorcerer_not_built", ("BUILD A MEL", "BUILD F MEL"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A Mel - Kar", "no_neighbours"),
        ("A Mel S A Bak", "supports_nobody"),
        ("A Mel S S Bak - Kar", "supports_nobody"),
    ],
)
def test_an_army_on_an_island_is_told_that_it_borders_nothing(text: str, code: str) -> None:
    units = [
        {"power": "melnibone", "kind": "A", "at": "MEL"},
        {"power": "melnibone", "kind": "S", "at": "BAK"},
        {"power": "jharkor", "kind": "A", "at": "BAK"},
    ]
    assert _codes(_view(units=units), text) == [code]


def test_a_sorcerer_that_is_to_be_removed_is_answered_with_removals() -> None:
    units = [{"power": "melnibone", "kind": kind, "at": at} for kind, at in (("S", "MEL"), ("F", "DRA"), ("F", "SHA"))]
    adjustments = {"year": 1401, "season": "winter", "kind": "adjustments"}
    (error,) = read_orders(RULES, _view(units=units, phase=adjustments), "remove S Mel").errors
    assert (error.code, error.hints) == ("sorcerer_not_built", ("REMOVE F DRA", "REMOVE F SHA"))


def test_a_sorcerer_without_an_order_is_told_what_the_phase_is_for() -> None:
    adjustments = {"year": 1401, "season": "winter", "kind": "adjustments"}
    (error,) = read_orders(RULES, _view(phase=adjustments), "S Mel").errors
    assert "BUILD" in load_phrases("young_kingdoms").render(error.reason)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hold S Mel", "S MEL H"),
        ("move S Mel to DRA", "S MEL - DRA"),
        ("move the sorcerer in Mel - DRA", "S MEL - DRA"),
    ],
)
def test_what_a_sorcerer_does_may_be_said_before_it_as_of_an_army(text: str, canonical: str) -> None:
    assert _read(_view(), text) == [canonical]


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("SOC", "S SOC - BAK VIA CONVOY"),
        ("MEL", "S MEL - DRA VIA CONVOY"),
        ("ASH", "S ASH - KAR VIA CONVOY"),
    ],
)
def test_a_convoy_to_an_adjacent_space_that_none_leads_to_is_not_called_far(at: str, text: str) -> None:
    units = [{"power": "melnibone", "kind": "S", "at": at}, {"power": "melnibone", "kind": "F", "at": "DRA"}]
    (error,) = read_orders(RULES, _view(units=units), text).errors
    assert (error.code, error.hints[:1]) == ("not_by_convoy", (text.removesuffix(" VIA CONVOY"),))


def test_of_two_lines_that_exclude_each_other_the_later_is_refused() -> None:
    view = _view()
    assert _codes(view, "cast 7\nS Mel - DRA") == ["excluded"]
    assert _codes(view, "S Mel - DRA\ncast 7") == ["excluded"]
    assert _codes(view, "cast 7\nS Mel H") == []
    assert _codes(view, "cast 4 from Mel - SHA\nS Mel H") == ["excluded"]
    assert _codes(view, "cast 7\ncast 10 on DRA") == ["duplicate"]


@pytest.mark.parametrize("later", ["S MEL RIDES F MEL", "S MEL H", "CAST 1 S F MEL", "CAST 4 FROM MEL - SOC"])
def test_what_only_comes_too_late_is_not_suggested_again(later: str) -> None:
    (error,) = read_orders(RULES, _view(), f"CAST 4 FROM MEL - DRA\n{later}").errors
    assert error.code in {"excluded", "duplicate"}
    assert error.hints == ()


def test_a_power_without_a_sorcerer_casts_nothing() -> None:
    assert _codes(_view("jharkor"), "cast 4 from Bak - Ilm") == ["no_sorcerer"]


@pytest.mark.parametrize("typed", ["cast 10 on DRA", "cast 10 at Dra", "cast 10 Dra", "cast 10 against the Dragon Sea"])
def test_a_space_is_closed_in_any_words(typed: str) -> None:
    assert [RULES.orders.format(order) for order in read_orders(RULES, _view(), typed).values] == ["CAST 10 ON DRA"]


def test_advice_sees_a_card_against_an_own_order() -> None:
    view = _view()
    for other, told in (("F MEL - DRA", ["advice.barred"]), ("F MEL H", []), ("F MEL - SHA", [])):
        read = read_orders(RULES, view, f"cast 10 on DRA\n{other}").orders
        advice = RULES.orders.advise(view, read)
        assert [each.what.code for each in advice] == told
        assert [line for each in advice for line in each.failing] == [2] * len(told)
    own = read_orders(RULES, view, "cast 9 on F MEL").orders
    assert [each.what.code for each in RULES.orders.advise(view, own)] == ["advice.destroys_own"] * len(own)


def test_new_orders_push_out_what_they_exclude() -> None:
    view = _view()
    standing = read_orders(RULES, view, "S Mel - DRA\nF Mel H").values
    new = read_orders(RULES, view, "cast 7").values
    assert [RULES.orders.format(order) for order in RULES.orders.amend(view, standing, new)] == ["F MEL H", "CAST 7"]


def test_spells_are_cast_by_the_menu_of_the_sorcerer() -> None:
    view = _view()
    assert "S MEL" in [choice.value for choice in RULES.orders.menu(view, []).choices]
    assert "cast" in [choice.value for choice in RULES.orders.menu(view, ["S MEL"]).choices]
    cards = [choice.value for choice in RULES.orders.menu(view, ["S MEL", "cast"]).choices]
    assert cards == ["1", "4", "7", "9", "10"]
    targets = {choice.value for choice in RULES.orders.menu(view, ["S MEL", "cast", "4"]).choices}
    assert targets == {"DRA", "SOC", "SHA"}
    assert RULES.orders.menu(view, ["S MEL", "cast", "4", "SHA"]).order == "CAST 4 FROM MEL - SHA"


def test_menus_of_whole_orders_say_what_a_card_is_cast_for() -> None:
    view = _view()
    labels = {}
    for path in (["1", "self", "SHA"], ["1", "F MEL", "stay"], ["4", "SHA"], ["7"]):
        steps = ["S MEL", "cast", *path]
        menus = [RULES.orders.menu(view, steps[:number]) for number in range(1, len(steps))]
        chosen = [
            next(choice.label for choice in menu.choices if choice.value == step)
            for menu, step in zip(menus, steps[1:], strict=True)
        ]
        labels[RULES.orders.menu(view, steps).order] = joined(chosen)
    assert labels == {
        "CAST 1 S SELF - SHA": "casts card 1 (support over land or sea) for itself to Shazarian Sea",
        "CAST 1 S F MEL": "casts card 1 (support over land or sea) for Fleet Melnibone (Melnibone) to hold where it is",
        "CAST 4 FROM MEL - SHA": "casts card 4 (attack over land or sea) on Shazarian Sea",
        "CAST 7": "casts card 7 (creation of a standing army)",
    }


def test_template_lists_the_hand_and_can_be_sent_back() -> None:
    view = _view()
    template = RULES.orders.template(view, ())
    assert "CAST …" in template
    assert "# 4: attack over land or sea" in template
    assert read_orders(RULES, view, template).errors == ()


def test_template_lists_what_the_sorcerer_can_do_and_no_way_that_is_closed() -> None:
    units = [{"power": "melnibone", "kind": kind, "at": "MEL"} for kind in ("S", "F")]
    assert "S MEL …  # H, RIDES F MEL\n" in RULES.orders.template(_view(units=units), ())
    assert "- DRA" in RULES.orders.template(_view(), ()).partition("S MEL …")[2].splitlines()[0]


def test_scene_shows_fortresses_hordes_and_sorcerers() -> None:
    units = [
        {"power": "melnibone", "kind": "S", "at": "MEL"},
        {"power": "melnibone", "kind": "A", "at": "EED", "horde": True},
    ]
    scene = as_map(RULES.telling.scene(_view(units=units, fortresses={"ORG": {"strength": 1}})))
    assert Mark("fortress", "ORG", None, "1") in scene.marks  # type: ignore[arg-type]
    assert "horde" in [mark.kind for mark in scene.marks]
    assert ("S", "MEL") in [(unit.kind, unit.place) for unit in scene.units]


def test_every_order_is_drawn_once_before_and_after_it_is_carried_out() -> None:
    units = [
        {"power": "lormyr", "kind": kind, "at": at}
        for kind, at in (("A", "RAM"), ("F", "TRE"), ("A", "IOS"), ("S", "RAM"))
    ]
    text = "A RAM S F TRE\nF TRE S A RAM\nA IOS S A RAM - OIN\nS RAM H"
    view = _view("lormyr", units=units)
    orders = read_orders(RULES, view, text).values
    state = _state(units=units)
    results = RULES.play.adjudicate(state, {PowerId("lormyr"): orders}, RULES.play.dice(state)).results
    for shown in (RULES.telling.scene(view, orders=orders), RULES.telling.scene(view, results=results)):
        scene = as_map(shown)
        assert sorted((arrow.kind, arrow.start, arrow.end) for arrow in scene.arrows) == [
            ("hold", "RAM", "RAM"),
            ("support_hold", "RAM", "TRE"),
            ("support_hold", "TRE", "RAM"),
            ("support_move", "IOS", "OIN"),
        ]


def test_ten_cards_are_dealt_four_to_each_and_two_into_neutral_centres() -> None:
    for seed in ("a", "b", "c"):
        state = RULES.play.start(variant="standard", players=6, options={}, seed=seed)
        dealt = [card for cards in (*state.hands.values(), *state.hidden.values()) for card in cards]
        assert sorted(dealt) == sorted(CARDS)
        assert {power: len(cards) for power, cards in state.hands.items()} == {"pan_tang": 4, "melnibone": 4}
        provinces = state.variant.board.provinces
        assert [provinces[at].is_centre and provinces[at].home is None for at in state.hidden] == [True, True]


def test_game_master_may_choose_where_the_last_cards_lie() -> None:
    state = RULES.play.start(variant="standard", players=6, options={"umpire_places_spells": True}, seed="a")
    assert (state.hidden, len(state.aside)) == ({}, 2)
    one, other = state.aside
    placed = hide(state, {ProvinceId("JAD"): one, ProvinceId("TAR"): other})
    assert placed.hidden == {"TAR": (other,), "JAD": (one,)}
    assert placed.aside == ()
    assert RULES.play.load(RULES.play.dump(state)) == state


@pytest.mark.parametrize("chosen", [0, 1])
def test_cards_that_nobody_hid_are_hidden_by_lot_when_the_first_phase_closes(chosen: int) -> None:
    state = RULES.play.start(variant="standard", players=6, options={"umpire_places_spells": True}, seed="a")
    by_hand = {ProvinceId("JAD"): state.aside[0]} if chosen else {}
    after = RULES.play.adjudicate(hide(state, by_hand), {}, RULES.play.dice(state)).state
    provinces = state.variant.board.provinces
    assert after.aside == ()
    assert sorted(after.hidden.values()) == sorted((card,) for card in state.aside)
    assert [provinces[at].is_centre and provinces[at].home is None for at in after.hidden] == [True, True]
    assert all(after.hidden[at] == (card,) for at, card in by_hand.items())
    assert RULES.play.load(RULES.play.dump(after)) == after


@pytest.mark.parametrize(
    ("state", "where"),
    [
        ({"hands": {"melnibone": [11]}}, "state.hands"),
        ({"hands": {"melnibone": [4], "pan_tang": [4]}}, "state.hands"),
        ({"hidden": {"XYZ": 4}}, "state.hidden"),
        ({"fortresses": {"ORG": {"strength": -1}}}, "state.fortresses.ORG"),
        ({"carried": [{"at": "JAD", "card": 4}]}, "state.carried"),
        ({"shares": [{"at": "MEL", "powers": ["melnibone"]}]}, "state.shares"),
        ({"units": [{"power": "melnibone", "kind": "S"}]}, "state.units"),
    ],
)
def test_documents_that_cannot_be_are_refused_with_the_place(state: Sequence[str], where: str) -> None:
    with pytest.raises(DocumentError) as caught:
        RULES.play.load({"phase": {"kind": "movement"}, "state": state})
    assert caught.value.where == where


def test_cards_that_a_document_names_are_nowhere_else() -> None:
    state = RULES.play.load({"seed": "a", "state": {"hands": {"melnibone": [1, 2, 3]}}})
    hidden = [card for cards in state.hidden.values() for card in cards]
    assert not set(hidden) & {1, 2, 3}


@pytest.mark.parametrize("spell", ["CAST 10 ON SHA", "CAST 1 S F DRA - SHA", "CAST 4 FROM MEL - SOC", "CAST 7"])
def test_a_sorcerer_that_casts_lacks_no_order(spell: str) -> None:
    view = _view()
    assert "S MEL" in [each.name for each in RULES.orders.missing(view, ())]
    standing = read_orders(RULES, view, spell)
    assert not standing.errors
    assert "S MEL" not in [each.name for each in RULES.orders.missing(view, standing.values)]


def test_no_example_helps_a_sorcerer_on_a_way_that_is_not_open_to_it() -> None:
    """A fleet may go from Melnibone to the sea, a sorcerer only aboard a fleet that is there."""
    units = [{"power": "melnibone", "kind": kind, "at": "MEL"} for kind in ("S", "F")]
    told = RULES.telling.examples(_view(units=units))
    orders = [str(example.args["order"]) for example in told]
    assert "F MEL - DRA" in orders
    assert not [order for order in orders if " S S MEL" in order]


def test_no_example_of_a_spell_is_aimed_at_the_own_units() -> None:
    """A newcomer may send an example as it is."""
    places = {"DRA": "melnibone", "SOC": "ilmiora", "SHA": "lormyr"}
    units = [{"power": "melnibone", "kind": "S", "at": "MEL"}]
    units += [{"power": power, "kind": "F", "at": at} for at, power in places.items()]
    told = RULES.telling.examples(_view(units=units))
    spells = {str(example.args["order"]) for example in told if example.code == "example.cast"}
    assert {"CAST 4 FROM MEL - SOC", "CAST 9 ON F SOC", "CAST 10 ON SOC"} <= spells
    alone = RULES.telling.examples(_view(units=units[:2]))
    assert not [each for each in alone if "CAST 9" in str(each.args.get("order"))]


def test_example_of_a_spell_supports_the_move_that_is_shown_or_keeps_out_of_its_way() -> None:
    told: set[str] = set()
    for seed in "abcdef":
        state = RULES.play.start(variant="standard", players=6, options={}, seed=seed)
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
        for power in ("melnibone", "pan_tang"):
            found = RULES.telling.examples(RULES.sight.view(state, Playing(PowerId(power))))
            (move,) = [str(each.args["order"]) for each in found if each.code in ("example.take", "example.move")]
            spells = [str(each.args["order"]) for each in found if each.code.startswith("example.cast")]
            target = move.rpartition(" ")[2]
            assert not [spell for spell in spells if " S " not in spell and spell.endswith(f" {target}")]
            told |= {each.code for each in found}
    assert "example.cast" in told


def test_example_of_a_spell_says_that_it_helps_the_move_that_is_shown() -> None:
    units = [{"power": "melnibone", "kind": kind, "at": at} for kind, at in (("S", "MEL"), ("F", "DRA"))]
    found = RULES.telling.examples(_view(units=units))
    (move,) = [str(each.args["order"]) for each in found if each.code in ("example.take", "example.move")]
    helping = {str(each.args["order"]) for each in found if each.code == "example.cast_support"}
    assert helping
    assert all(order.endswith(f" S {move}") for order in helping)


def test_example_of_a_way_aboard_says_that_the_fleet_must_stay() -> None:
    told = {
        example.args["order"]: example.code for example in RULES.telling.examples(_view()) if "order" in example.args
    }
    assert told["S MEL - DRA"] == "example.board"


def test_result_says_only_once_that_a_unit_bounced_off_a_standing_army() -> None:
    units = [{"power": "ilmiora", "kind": "A", "at": "KAR"}]
    state = _state(units=units)
    orders = read_orders(RULES, _view("ilmiora", units=units), "A KAR - ORG").values
    result = RULES.play.adjudicate(state, {PowerId("ilmiora"): orders}, RULES.play.dice(state)).results[0]
    told = load_phrases("young_kingdoms").render(result.reason)
    assert (result.outcome, told) == ("bounces", "the standing army of Org held out, 1 against 1")


def test_no_example_sends_a_unit_to_where_another_of_the_same_power_stands() -> None:
    """The centre is still nobody's until the fall is over, but a second unit would only bounce."""
    units = [{"power": "argimiliar", "kind": kind, "at": at} for kind, at in (("F", "FIL"), ("A", "CAR"))]
    told = RULES.telling.examples(_view("argimiliar", units=units))
    moves = {str(example.args["order"]) for example in told if example.code in ("example.take", "example.move")}
    assert len(moves) == 1
    assert not moves & {"A CAR - FIL", "F FIL - CAR"}


def test_no_reason_repeats_the_outcome_that_it_explains() -> None:
    """A line of the results is `F DRA - SHA was destroyed: a spell hit it`."""
    units = [
        {"power": "melnibone", "kind": "S", "at": "MEL"},
        {"power": "ilmiora", "kind": "F", "at": "DRA"},
        {"power": "jharkor", "kind": "F", "at": "SHA"},
    ]
    sheets = {"melnibone": "cast 9 on F DRA", "jharkor": "F SHA - MEL"}
    state = _state(units=units, fortresses={})
    orders = {
        PowerId(power): read_orders(RULES, _view(power, units=units), text).values for power, text in sheets.items()
    }
    done = RULES.play.adjudicate(state, orders, RULES.play.dice(state))
    told = RULES.telling.report(RULES.sight.view(done.state, EVERYBODY), done.results, done.events)
    words = load_phrases("young_kingdoms")
    lines = [words.render(line) for section in told.sections for line in section.lines]
    assert "✗ F DRA H was destroyed: a spell hit it" in lines


def test_a_gift_to_a_foreign_unit_asks_for_its_power() -> None:
    view = _view(carried=[{"at": "MEL", "card": 5}], hands={"melnibone": [1, 4]})
    (error,) = read_orders(RULES, view, "give spell F Mel to F SOC").errors
    assert error.code == "give_to_power"
    assert load_phrases("young_kingdoms").render(error.reason).endswith("name the power too: TO Ilmiora F SOC.")
    assert _read(view, "give spell F Mel to Ilmiora F SOC") == ["GIVE SPELL F MEL TO ILMIORA F SOC"]
