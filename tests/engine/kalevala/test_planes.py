"""Other planes: the guide's example, who knows of portals, what the menus offer, documents. Source: rules 14"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.guide import desk_of
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.planes import portals_in
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.writing import dump
from tests.rulers import audit_sheets

ANNA, BERT = PowerId("anna"), PowerId("bert")
GUIDE = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")


def planes(**changes: object) -> State:
    """Anna's site of a portal; Bert is far off."""
    state = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {}},
        "gf": {
            "2D+4": {"hz": {"type": "Hstd", "kf": 19}, "portal": "1D+4"},
            "1D+4": {"hz": {"type": "Mkt", "kf": 19}, "portal": "2D+4"},
        },
        "owners": {"2D+4": "anna", "2K+4": "bert"},
        "stacks": {"anna": {"2D+4": "9L Z/90 40RE"}, "bert": {"2K+4": "3L"}},
    }
    options = {"planes": True}
    phase = {"gr": 3, "part": 1}
    return load({"system": "kalevala", "phase": phase, "options": options, "state": {**state, **changes}})


def sheet(state: State, ruler: PowerId, text: str) -> tuple[Line, ...]:
    return tuple(read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values)


def closed(state: State, text: str) -> State:
    """The position after a window in which Bert does nothing."""
    sheets = {
        ruler: sheet(state, ruler, text if ruler == ANNA else "PASS") for ruler in RULES.play.status(state).to_act
    }
    assert audit_sheets(state, sheets) == []
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert not any(result.outcome.is_failure for result in done.results), done.results
    return done.state


def test_the_guides_example_is_true() -> None:
    section = GUIDE.partition("## Other planes")[2].partition("\n## ")[0]
    blocks = [
        "\n".join(line.strip() for line in block.splitlines() if line.startswith("    "))
        for block in section.split("\n\n")
    ]
    orders, deeds = (block for block in blocks if block)
    after = closed(closed(planes(), orders), deeds)
    assert after.owners["1D+4"] == ANNA
    home = closed(after, "RIFT 2D+4 > 1D+4 My\nPORTAL 1D+4")
    (portal,) = portals_in(home.modules)
    assert portal.is_whole
    assert home.stack(ANNA, "1D+4")["My/20"] == 1


def test_strangers_know_of_no_portal() -> None:
    state = planes(portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}])
    assert list(portals_in(RULES.sight.view(state, Playing(ANNA)).state.modules))
    assert not list(portals_in(RULES.sight.view(state, Playing(BERT)).state.modules))


@pytest.mark.parametrize("whole", [False, True])
def test_the_owner_of_the_other_side_knows_it_once_it_is_made(*, whole: bool) -> None:
    state = planes(
        owners={"2D+4": "anna", "1D+4": "bert"},
        portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4", "whole": whole}],
    )
    assert bool(list(portals_in(RULES.sight.view(state, Playing(BERT)).state.modules))) is whole


def test_portals_are_kept_in_documents_and_one_is_enough() -> None:
    row = {"ruler": "anna", "at": "2D+4", "to": "1D+4", "whole": True}
    state = planes(portals=[row])
    assert dump(state)["state"]["portals"] == [row]
    with pytest.raises(DocumentError, match="two portals"):
        planes(portals=[row, row])


def test_the_menu_offers_what_the_mystic_can_do() -> None:
    state = planes(stacks={"anna": {"2D+4": "9L Z/90 My/30 40RE"}})
    found = [str(order) for order, _ in desk_of(RULES.sight.view(state, Playing(ANNA)), ()).whole("PLANE")]
    assert "PORTAL 2D+4" in found
    assert "TRANSFER 30 ZEH Z > My" in found
    standing = sheet(state, ANNA, "PORTAL 2D+4")
    then = [str(order) for order, _ in desk_of(RULES.sight.view(state, Playing(ANNA)), standing).whole("PLANE")]
    assert "RIFT 2D+4 > 1D+4 My/10" in then


def test_a_portal_stands_on_the_map_of_whoever_knows_of_it() -> None:
    state = planes(portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}])

    def signs(ruler: PowerId) -> dict[str, tuple[str, ...]]:
        scene = RULES.telling.scene(RULES.sight.view(state, Playing(ruler)))
        return {tile.tag: tile.signs for tile in scene.tiles.values() if "portal" in tile.signs}

    assert list(signs(ANNA)) == ["2D+4"]
    assert not signs(BERT)


def test_what_is_known_of_another_plane_is_drawn_to_the_right() -> None:
    state = planes(owners={"2D+4": "anna", "1D+4": "anna", "2K+4": "bert"})

    def columns(ruler: PowerId) -> dict[str, int]:
        tiles = RULES.telling.scene(RULES.sight.view(state, Playing(ruler))).tiles
        return {tile.tag: column for (column, _), tile in tiles.items()}

    found = columns(ANNA)
    assert min(found[tag] for tag in found if tag[0] == "1") > max(found[tag] for tag in found if tag[0] == "2")
    assert all(tag[0] == "2" for tag in columns(BERT))
