"""Random players cast, share and carry; their games run without an error and replay to the same states."""

from __future__ import annotations

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.reading import adjudicate_texts
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import ArrowKind
from engine.young_kingdoms.system import YOUNG_KINGDOMS
from tests.pictured import as_map
from tests.play_random import play


def test_random_games_run_and_replay() -> None:
    rules = systems[SystemId("young_kingdoms")]
    sorts: set[str] = set()
    for number in (1, 2, 3):
        sorts |= {name.rpartition(" ")[0] for name in play(rules, f"test {number}", years=8).outcomes}
    assert {"CAST 1", "CAST 4", "CAST 9", "SHARE", "PLACE", "S -", "S RIDES"} <= sorts


def test_a_sorcerer_who_casts_a_spell_is_not_told_of_as_without_an_order() -> None:
    state = YOUNG_KINGDOMS.play.load({
        "system": "young_kingdoms", "seed": "s", "phase": {"kind": "movement"},
        "state": {
            "units": [
                {"power": "melnibone", "kind": "F", "at": "DRA"},
                {"power": "melnibone", "kind": "S", "at": "MEL"},
                {"power": "pan_tang", "kind": "S", "at": "PTA"},
            ],
            "hands": {"melnibone": [1], "pan_tang": [2]},
        },
    })  # fmt: skip
    closed, errors = adjudicate_texts(YOUNG_KINGDOMS, state, {PowerId("melnibone"): "CAST 1 S F DRA"})
    assert not any(errors.values())

    told = YOUNG_KINGDOMS.telling.report(
        YOUNG_KINGDOMS.sight.view(state, EVERYBODY), closed.results, tuple(closed.events)
    )

    lines = [load_phrases("young_kingdoms").render(line) for section in told.sections for line in section.lines]
    assert "✓ CAST 1 S F DRA" in lines
    assert "– F DRA H (no order)" in lines
    assert "– S MEL H (no order)" not in lines
    assert "– S PTA H (no order)" in lines


def test_a_sorcerer_whom_a_fleet_leaves_behind_has_not_bounced() -> None:
    state = YOUNG_KINGDOMS.play.load({
        "system": "young_kingdoms", "seed": "s", "phase": {"kind": "movement"},
        "state": {"units": [
            {"power": "melnibone", "kind": "F", "at": "DRA"}, {"power": "melnibone", "kind": "S", "at": "MEL"},
        ]},
    })  # fmt: skip
    closed, _ = adjudicate_texts(YOUNG_KINGDOMS, state, {PowerId("melnibone"): "F DRA - SHA\nS MEL - DRA"})

    told = YOUNG_KINGDOMS.telling.report(YOUNG_KINGDOMS.sight.view(state, EVERYBODY), closed.results, ())

    lines = [load_phrases("young_kingdoms").render(line) for section in told.sections for line in section.lines]
    assert "✗ S MEL - DRA came to nothing: the fleet at Dragon Sea was ordered to move" in lines


def test_who_is_given_several_spells_is_told_how_many() -> None:
    state = YOUNG_KINGDOMS.play.load({
        "system": "young_kingdoms", "seed": "s", "phase": {"kind": "movement"},
        "state": {
            "units": [{"power": "ilmiora", "kind": "A", "at": "ILM"}, {"power": "jharkor", "kind": "A", "at": "KAR"}],
            "carried": [{"at": "ILM", "card": 3}, {"at": "ILM", "card": 5}], "hands": {}, "hidden": {},
        },
    })  # fmt: skip
    sheets = {PowerId("ilmiora"): "give spell A Ilm to Jharkor A Kar"}
    closed, _ = adjudicate_texts(YOUNG_KINGDOMS, state, sheets)

    told = [event for event in closed.events if event.what.code.startswith("event.given")]

    assert [event.audience for event in told] == [frozenset({"jharkor"})]
    assert load_phrases("young_kingdoms").render(told[0].what) == "Your A KAR was given 2 spells."


def test_a_sorcerer_who_moves_though_its_support_is_cut_is_drawn_as_one_who_moved() -> None:
    units = [{"power": "pan_tang", "kind": "S", "at": "ILM"}, {"power": "melnibone", "kind": "S", "at": "BAK"}]
    state = YOUNG_KINGDOMS.play.load(
        {
            "seed": "s",
            "phase": {"kind": "movement"},
            "state": {"units": units, "hands": {"pan_tang": [1], "melnibone": [6]}},
        }
    )
    sheets = {PowerId("pan_tang"): "CAST 1 S SELF - KAR", PowerId("melnibone"): "CAST 6 FROM BAK - ILM"}
    closed, _ = adjudicate_texts(YOUNG_KINGDOMS, state, sheets)

    scene = as_map(YOUNG_KINGDOMS.telling.scene(YOUNG_KINGDOMS.sight.view(state, EVERYBODY), results=closed.results))

    (move,) = (arrow for arrow in scene.arrows if arrow.power == "pan_tang")
    assert (move.kind, move.start, move.end, move.manner) == (ArrowKind.MOVE, "ILM", "KAR", "")
    assert move.status is ArrowStatus.SUCCEEDED


def test_no_first_step_leads_alone_against_a_standing_army() -> None:
    """A Karlaak was told to march to Org, phase after phase, and bounced each time."""
    state = YOUNG_KINGDOMS.play.load({
        "system": "young_kingdoms", "seed": "s", "phase": {"kind": "movement"},
        "state": {"units": [{"power": "ilmiora", "kind": "A", "at": "KAR"}]},
    })  # fmt: skip
    view = YOUNG_KINGDOMS.sight.view(state, Playing(PowerId("ilmiora")))
    (step, *_) = [str(example.args["order"]) for example in YOUNG_KINGDOMS.telling.examples(view)]
    assert step.startswith("A KAR - ")
    assert step != "A KAR - ORG"


def test_the_first_steps_of_the_set_up_say_what_is_placed() -> None:
    state = YOUNG_KINGDOMS.play.start(variant="standard", players=6, options={}, seed="s")
    words = load_phrases("young_kingdoms")
    told = [
        words.render(example)
        for example in YOUNG_KINGDOMS.telling.examples(YOUNG_KINGDOMS.sight.view(state, Playing(PowerId("melnibone"))))
    ]
    assert told == [
        "`PLACE F MEL` puts your fleet in Melnibone at the start.",
        "`PLACE S MEL` puts your sorcerer in Melnibone at the start.",
    ]
