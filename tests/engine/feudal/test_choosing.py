"""What lots decide when centres are chosen, and what helps a player without a legal centre. Source: rule 3, rulings."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PlaceId, PowerId
from engine.core.reading import adjudicate_texts
from engine.feudal import choosing
from engine.feudal.model import State
from engine.feudal.system import Feudal

RULES = Feudal()
LION, EAGLE, BOAR = PowerId("lion"), PowerId("eagle"), PowerId("boar")


def _choosing(centres: dict[str, str], *, lists: int = 0, seed: str = "lots", **options: Any) -> State:
    return RULES.load(
        {
            "system": "feudal",
            "seed": seed,
            "options": options,
            "phase": {"year": 815, "season": "spring", "kind": "setup"},
            "state": {"powers": [LION, EAGLE, BOAR], "centres": centres, "setup": {"lists": lists}},
        }
    )


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_after_the_third_lists_lots_give_each_the_first_free_centre_of_his_list(seed: str) -> None:
    state = _choosing({}, lists=2, seed=seed)
    texts = dict.fromkeys((LION, EAGLE, BOAR), "choose: Par, Mun, Rom")
    resolution, errors = adjudicate_texts(RULES, state, texts)
    assert not any(errors.values())
    given = [event.what.args for event in resolution.events if event.what.code == "event.lot"]
    assert [args["place"] for args in given] == ["PAR", "MUN", "ROM"]
    assert {args["power"] for args in given} == {LION, EAGLE, BOAR}
    assert resolution.state.setup.lists == 0
    assert choosing.round_number(resolution.state) == 2


def test_the_lots_order_depends_on_the_seed() -> None:
    orders = set()
    for seed in "abcdefgh":
        texts = dict.fromkeys((LION, EAGLE, BOAR), "choose: Par, Mun, Rom")
        resolution, _ = adjudicate_texts(RULES, _choosing({}, lists=2, seed=seed), texts)
        orders.add(tuple(event.what.args["power"] for event in resolution.events if event.what.code == "event.lot"))
    assert len(orders) > 1


def test_second_lists_that_clash_ask_for_third_ones_and_draw_no_lots() -> None:
    texts = dict.fromkeys((LION, EAGLE, BOAR), "choose: Par, Mun, Rom")
    resolution, _ = adjudicate_texts(RULES, _choosing({}, lists=1), texts)
    assert "event.lot" not in {event.what.code for event in resolution.events}
    assert resolution.state.setup.lists == 2


def test_whoever_has_no_legal_centre_may_come_nearer() -> None:
    start = _choosing({})
    centres = {centre: str(BOAR) for centre in choosing.legal_centres(start, LION)}
    # All that is free lies next to Paris, which is the lion's.
    centres |= {"PAR": str(LION), "MUN": str(EAGLE)}
    del centres["BRE"]
    state = _choosing(centres)
    assert choosing.least_distance(start, LION) == 3
    assert choosing.least_distance(state, LION) == 1
    assert choosing.legal_centres(state, LION) == (PlaceId("BRE"),)
    assert choosing.list_length(state, LION) == 1


def test_a_new_game_begins_in_the_year_815() -> None:
    assert RULES.start(variant="standard", players=3, options={}, seed="x").phase.year == 815
