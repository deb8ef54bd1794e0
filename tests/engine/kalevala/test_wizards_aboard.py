"""A realm has one wizard (R-051), who may be aboard: no apprentice comes for him, and no enemy gets him."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.dice import Dice, Streams
from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.viewer import Playing
from engine.kalevala.battle import magic
from engine.kalevala.battle.afloat import sail_all, speed_of
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.ending import BattleEnd
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Wizardry
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.figures import wizards_in
from engine.kalevala.model import State
from engine.kalevala.steps import aftermath
from engine.kalevala.steps.loyalty import go_over
from engine.kalevala.steps.magic import change_wizard, find_wizard
from engine.kalevala.system import KALEVALA
from engine.kalevala.telling.pictures import albums
from engine.kalevala.view import view
from engine.kalevala.war.plans import KILL, Cast, Spot
from engine.kalevala.war.room import sensible
from engine.kalevala.window import Window
from engine.kalevala.wizards.doors import wizard_of
from engine.kalevala.wizards.spells import PARALYSE, PETRIFY, SPEED
from engine.lattice.great_fields import Side
from engine.pictures.site import SiteScene
from tests.engine.kalevala.test_sea import NORTH, SEA, SOUTH

ANNA, BERT = PowerId("anna"), PowerId("bert")


def harbours(anna: dict[str, str], bert: dict[str, str], part: int = 3, **more: Any) -> State:
    """Anna's shore, two seas, and bert's shore; and bert's land next to anna's, by water as well."""
    return load(
        {
            "system": "kalevala",
            "seed": "aboard",
            "phase": {"gr": 5, "part": part},
            "state": {
                "rulers": {"anna": {"wizard": {}}, "bert": {"wizard": {}}, "carl": {}},
                "gf": {
                    "2D+4": {"kf": NORTH},
                    "2D+5": {"kf": SEA},
                    "2D+6": {"kf": SEA},
                    "2D+7": {"kf": SOUTH},
                    "2C+5": {"kf": SOUTH},
                },
                "owners": {"2D+4": "anna", "2D+7": "bert", "2C+5": "bert", "2H+9": "carl"},
                "stacks": {"anna": anna, "bert": bert, "carl": {"2H+9": "2L"}},
                "seas": {"anna": ["2D+5"], "bert": ["2D+6"]},
                **more,
            },
        }
    )


def played(state: State, **sheets: str) -> State:
    """The position after a window, as it is stored and read again."""
    done = adjudicate_texts(KALEVALA, state, {PowerId(ruler): sheet for ruler, sheet in sheets.items()})[0].state
    return load(KALEVALA.play.dump(done))


def a_meeting(monkeypatch: pytest.MonkeyPatch, anna: str, bert: str) -> Fight:
    """The fight of two fleets on the high sea, before the first turn."""
    sites: list[BattleSite] = []

    def fought(site: BattleSite, dice: Streams) -> BattleEnd:
        sites.append(site)
        return fight_out(site, dice)

    monkeypatch.setattr(aftermath, "fight_out", fought)
    stacks = {"2D+4": "2L", "2D+5": anna}, {"2D+7": "2L", "2D+6": bert}
    played(harbours(*stacks, explored={"anna": [{"from": "2D+5", "to": "2D+6"}]}), anna=f"ENTER 2 2D+5 K 2D+6 {anna}")
    fight = Fight(sites[0], Dice("fleets").streams())
    deploy(fight)
    fight.round = 1
    return fight


def test_spells_on_a_field_of_water_work_on_craft_and_those_aboard(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = a_meeting(monkeypatch, "LS[2L Z/90]", "LS[3L]")
    fight.wind = Side.E, 1
    wizard = next(each for each in fight.fighters if each.code == "Z")
    own, theirs = (next(each for each in fight.living(ruler) if each.is_craft) for ruler in (ANNA, BERT))
    usual = speed_of(fight, own, theirs.kf)
    for spell, craft, left in ((PARALYSE, theirs, 90 - 4 * 7), (SPEED, own, 62 - 6), (PETRIFY, theirs, 56 - 4 * 7)):
        gf, cell = fight.ground.places[craft.kf]
        line = Cast(spell, is_own=craft is own, fields=(Spot(cell, Province(gf)),))
        wizard.army = replace(wizard.army, plan=replace(wizard.army.plan, spells=(line,)))
        magic.work(fight, ANNA)
        assert wizard.item_now == f"Z/{left}"
        assert all(spell in each.under for each in (craft, *craft.crew) if each is not wizard)
        wizard.wizardry = Wizardry(left, 14)
    assert speed_of(fight, own, theirs.kf) == 2 * usual
    at = theirs.kf
    sail_all(fight, theirs.party, {theirs.number: KILL})
    assert theirs.kf == at, "stone does not sail"


def homes_of_wizards(state: State, ruler: PowerId) -> list[str]:
    return [place for place, stack in state.stacks[ruler].items() if wizards_in((stack,))]


def test_no_apprentice_comes_for_a_wizard_aboard() -> None:
    state = harbours({"2D+4": "9L LS Z/30"}, {"2D+7": "3L Z/9"}, part=1)
    state = played(state, anna="BOARD 2L Z/30 2D+4 LS")
    assert state.stacks[ANNA][Province("2D+4")]["LS[2L Z/30]"] == 1
    for _ in range(3):
        state = played(state)
    assert wizards_in(state.stacks[ANNA].values()) == 1


@pytest.mark.parametrize("own", ["Z/20", ""])
def test_whoever_takes_a_ship_on_the_high_sea_gets_no_wizard(own: str) -> None:
    state = harbours(
        {"2D+4": f"9L {own}", "2D+5": "LS[5LB] LS[4L]"},
        {"2D+6": "LS[1L Z/30]", "2D+7": "3L"},
        explored={"anna": [{"ee": 1, "from": "2D+5", "to": "2D+6"}]},
    )
    after = played(state, anna="WAR bert\nENTER 2 2D+5 K 2D+6 LS[5LB] LS[4L]", bert="LETTER anna hello")
    assert homes_of_wizards(after, BERT) == ["2D+7"]
    assert wizards_in(after.stacks[ANNA].values()) == bool(own)


@pytest.mark.parametrize("fleet", ["LS[1L] Z/30", "LS[1K] LS[2L] Z/30", "Z/30", "LS Z/30"])
def test_a_wizard_who_lies_on_the_high_sea_with_his_fleet_or_alone_is_there_when_it_is_attacked(fleet: str) -> None:
    state = harbours(
        {"2D+4": "9L", "2D+5": "LS[5LB] LS[4LB] Z/20"},
        {"2D+6": fleet, "2D+7": "3L"},
        explored={"anna": [{"ee": 1, "from": "2D+5", "to": "2D+6"}]},
    )
    after = played(state, anna="WAR bert\nENTER 2 2D+5 K 2D+6 LS[5LB] LS[4LB] Z/20", bert="LETTER anna hello")
    assert homes_of_wizards(after, BERT) == ["2D+7"], "beaten, he goes home (R-101)"
    assert homes_of_wizards(after, ANNA) == ["2D+6"]


def test_whoever_takes_a_harbour_gets_no_wizard_who_lies_in_it_alone() -> None:
    state = harbours(
        {"2D+4": "20L Z/20"},
        {"2C+5": "LS[Z/30] 3RE", "2D+7": "3L"},
        explored={"anna": [{"ee": 1, "from": "2D+4", "to": "2C+5"}]},
        gf={"2C+5": {"kf": SOUTH}},
    )
    after = played(state, anna="WAR bert\nENTER 2 2D+4 K 2C+5 15L", bert="LETTER anna hello")
    assert after.owners[Province("2C+5")] == ANNA
    assert after.stacks[ANNA][Province("2C+5")]["LS"] == 1
    assert homes_of_wizards(after, BERT) == ["2D+7"]


def test_a_wizard_aboard_does_not_go_over_to_marauders() -> None:
    state = harbours({"2D+4": "9L"}, {"2C+5": "2L LS[1L Z/30]", "2D+7": "3L"})
    window = Window(state, {}, None)
    group = go_over(window, BERT, [Province("2C+5")])
    assert window.stack(group, Province("2C+5")) == {"L": 2, "LS[1L]": 1}
    assert window.stack(BERT, Province("2D+7")) == {"L": 3, "Z/30": 1}


def test_the_page_of_a_wizard_is_there_for_one_aboard() -> None:
    state = harbours({"2D+4": "9L LS[2L Z/30]"}, {"2D+7": "3L"}, part=1)
    assert wizard_of(view(state, Playing(ANNA))) == (Province("2D+4"), "Z/30")


def test_what_a_wizard_aboard_gains_is_booked_aboard() -> None:
    state = harbours({"2D+4": "9L LS[2L Z/30]"}, {"2D+7": "3L"})
    window = Window(state, {}, None)
    place, item = find_wizard(window, ANNA) or (None, "")
    assert place is not None
    change_wizard(window, ANNA, place, item, "Z/50", "magic")
    assert window.stack(ANNA, place) == {"L": 9, "LS[2L Z/50]": 1}
    assert [(booking.item, booking.amount) for booking in window.bookings] == [("Z/30", -1), ("Z/50", 1)]


def test_a_plan_for_a_fleet_has_lines_for_the_wizard_aboard() -> None:
    seen = view(
        harbours(
            {"2D+4": "2L", "2D+5": "LS[5L Z/30]"},
            {"2D+6": "LS[3L]", "2D+7": "3L"},
            explored={"anna": [{"ee": 1, "from": "2D+5", "to": "2D+6"}]},
        ),
        Playing(ANNA),
    )
    sheet = read_orders(KALEVALA, seen, "ENTER 2 2D+5 K 2D+6 LS[5L Z/30]").values
    assert [*sensible(seen, sheet)] == ["BATTLE 2D+5 VS 2D+6", "CAST PARALYSE FOE BEST EACH", "END"]


def test_a_picture_says_how_many_more_are_aboard() -> None:
    state = harbours(
        {"2D+4": "2L", "2D+5": "LS[5L Z/30]"},
        {"2D+6": "SS[3B]", "2D+7": "3L"},
        explored={"anna": [{"ee": 1, "from": "2D+5", "to": "2D+6"}]},
    )
    done = adjudicate_texts(KALEVALA, state, {ANNA: "ENTER 2 2D+5 K 2D+6 LS[5L Z/30]"})[0]
    (album,) = albums(
        view(state, Playing(ANNA)), [each for each in done.events if each.audience and ANNA in each.audience]
    )
    before = next(each for each in album.pictures if isinstance(each, SiteScene))
    assert {(token.power, token.text, token.more) for token in before.tokens} == {
        (ANNA, "5L", "LS +1"),
        (BERT, "3B", "SS"),
    }
