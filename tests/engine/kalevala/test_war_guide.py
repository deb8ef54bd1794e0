"""Plans of battle by menus: every way through them leads to blocks that stand, and says what they are."""

from __future__ import annotations

import random

import pytest

from engine.core.doors import Doubt
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala import war_doors
from engine.kalevala.guide import menu, shortlists
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA
from engine.pictures.site import SiteScene
from tests.engine.kalevala.battles import ANNA, DOCUMENT, view_for

ATTACK = "ENTER 2 2D+4 K 2D+5 12LB 6BB"
WORDS = load_phrases(SYSTEM)


def orders(text: str, view: View | None = None) -> tuple[Line, ...]:
    read = read_orders(KALEVALA, view or view_for(), text)
    assert read.errors == ()
    return read.values


def seen(**changes: object) -> View:
    document = {**DOCUMENT, "state": {**DOCUMENT["state"], **changes}}  # type: ignore[dict-item]
    return KALEVALA.sight.view(KALEVALA.play.load(document), Playing(ANNA))


def chosen(view: View, standing: tuple[Line, ...], *path: str) -> str:
    """The order at the end of a path, each choice of which was offered."""
    for number, choice in enumerate(path):
        offered = menu(view, path[:number], orders=standing)
        assert choice in [each.value for each in offered.choices], (choice, [each.value for each in offered.choices])
    found = menu(view, path, orders=standing).order
    assert found is not None
    return found


def sheet(view: View, standing: tuple[Line, ...], text: str) -> str:
    """The sheet with new lines, none of which is refused."""
    lines = KALEVALA.orders.amend(view, standing, orders(text, view))
    whole = orders("\n".join(map(KALEVALA.orders.format, lines)), view)
    done = rehearse(view.state, ANNA, whole)
    assert [line.canonical for line in whole if done.is_refused(ANNA, line)] == []
    return "\n".join(line.canonical for line in lines)


def test_an_attack_is_planned_group_by_group() -> None:
    view = view_for()
    standing = orders(ATTACK)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "line", "1", "AIM line KILL"))
    assert "BATTLE 2D+4 VS 2D+5: PLACE 1 4LB G line" in text
    assert "AIM line KILL" in text
    standing = orders(text)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "bows", "USUAL", "AIM bows AVOID"))
    assert "PLACE 1 4LB G line" in text, "the plan of before stands"
    assert "GROUP bows 6BB" in text
    standing = orders(text)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "line", "USUAL", "AIM line TAKE HZ"))
    assert "PLACE" not in text, "a group that is moved stands in one place"
    assert text.count("AIM line") == 1
    text = sheet(view, orders(text), chosen(view, orders(text), "PLAN", "BATTLE 2D+4", "PLUNDER"))
    assert text.endswith("PLUNDER RE")
    assert "PLUNDER" not in [each.value for each in menu(view, ("PLAN", "BATTLE 2D+4"), orders=orders(text)).choices]


def test_who_stands_where_is_shown_with_every_small_field_by_its_number() -> None:
    view, standing = view_for(), orders(ATTACK)
    for path in (("PLAN", "BATTLE 2D+4"), ("PLAN", "BATTLE 2D+4", "line")):
        picture = menu(view, path, orders=standing).picture
        assert isinstance(picture, SiteScene)
        assert {token.power for token in picture.tokens} == {"anna", "bert"}
    assert menu(view, ("PLAN",), orders=standing).picture is None


def test_the_wizard_who_goes_along_gets_a_spell_or_a_challenge() -> None:
    view = seen(stacks={"anna": {"2D+4": "16LB 6BB Z/30/4"}, "bert": {"2D+5": "14L"}})
    assert "WIZARD" not in [
        choice.value for choice in menu(view, ("PLAN", "BATTLE 2D+4"), orders=orders(ATTACK)).choices
    ]
    standing = orders(f"{ATTACK} Z/30/4", view)
    offered = [choice.value for choice in menu(view, ("PLAN", "BATTLE 2D+4", "WIZARD"), orders=standing).choices]
    assert "CAST PARALYSE FOE BEST EACH" in offered
    assert "CAST PETRIFY FOE BEST EACH" not in offered, "he has not learnt it"
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "WIZARD", "CAST WEAKEN FOE BEST EACH"))
    standing = orders(text, view)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "WIZARD", "CHALLENGE bert"))
    assert "CHALLENGE bert" in text
    assert "CAST" not in text, "one thing at a time"


def test_a_standing_defence_is_planned_changed_and_taken_back() -> None:
    view = view_for()
    text = sheet(view, (), chosen(view, (), "PLAN", "DEFEND 2D+4", "bows", "19", "AIM bows SHOOT"))
    assert text.splitlines() == [
        "DEFEND 2D+4:", "DEFEND 2D+4: PLACE 19 4BB G bows", *[text.splitlines()[2]], "DEFEND 2D+4: AIM bows SHOOT",
    ]  # fmt: skip
    anna = {"core": "LB", "defend": {"2D+4": "GROUP line 16LB\nAIM line HOLD"}}
    later = seen(rulers={"anna": anna, "bert": {}, "carl": {}})
    text = sheet(later, (), chosen(later, (), "PLAN", "DEFEND 2D+4", "ALL", "AIM ALL KILL"))
    assert "AIM line HOLD" in text, "what stood before is kept"
    assert chosen(later, (), "PLAN", "DEFEND 2D+4", "NONE") == "DEFEND 2D+4 NONE"
    assert "NONE" not in [each.value for each in menu(view, ("PLAN", "DEFEND 2D+4")).choices]


def test_a_sensible_plan_is_one_choice_or_one_button() -> None:
    view, standing = view_for(), orders(ATTACK)
    (door,) = (each for each in war_doors.WAR_DOORS if each.id == "warsense")
    assert door.order is not None
    made = door.order(view, standing, {})
    assert made == chosen(view, standing, "PLAN", "SENSIBLE")
    assert "AIM line TAKE HZ" in sheet(view, standing, str(made))
    assert str(door.order(view, standing, {"place": "2d+4"})).startswith("BATTLE 2D+4 VS 2D+5")
    assert "AIM ALL GUARD" in str(door.order(view, (), {}))
    wrong = door.order(view, standing, {"place": "2D+9"})
    assert isinstance(wrong, Doubt)
    assert "nobody to plan for" in WORDS.render(wrong.what)
    assert wrong.known == ("2D+5", "2D+4")


def test_two_attacks_from_one_province_have_one_plan() -> None:
    view = seen(explored={"anna": [{"from": "2D+4", "to": "2D+5"}, {"from": "2D+4", "to": "2E+4"}]})
    standing = orders("ENTER 2 2D+4 K 2D+5 6LB\nENTER 3 2D+4 K 2E+4 6LB", view)
    made = chosen(view, standing, "PLAN", "SENSIBLE")
    assert made.splitlines()[:2] == ["BATTLE 2D+4 VS 2D+5,2E+4", "GROUP line 12LB"]


def test_nobody_to_send_is_no_choice_and_is_said_kindly() -> None:
    view = seen(stacks={"bert": {"2D+5": "14L"}})
    assert "PLAN" not in [each.value for each in menu(view, ()).choices]
    assert menu(view, ("PLAN", "SENSIBLE")) == menu(view, ())
    doors = {door.id: door for door in war_doors.WAR_DOORS}
    refused = doors["warsense"].order(view, (), {}) if doors["warsense"].order else None
    assert isinstance(refused, Doubt)
    assert "no warriors" in WORDS.render(refused.what)
    guided = doors["warguide"].is_open
    assert guided is not None
    assert not guided(view, ())
    assert guided(view_for(), ())


@pytest.mark.parametrize("figures", ["12LB 6BB 3IP", "7L 2El", "1B", "5A 3Pr/0 40RE 2sP"])
def test_every_way_through_the_menus_stands(figures: str) -> None:
    chance = random.Random(figures)
    view = seen(stacks={"anna": {"2D+4": figures}, "bert": {"2D+5": "14L 2IP"}})
    words = figures.split()
    for attack in ("", f"ENTER 2 2D+4 K 2D+5 {' '.join(words[:2])}"):
        standing = orders(attack, view)
        assert [short.orders for short in shortlists(view, {"PLAN"}, standing)] == [()]
        for _ in range(8):
            path: tuple[str, ...] = ("PLAN",)
            step = menu(view, path, orders=standing)
            while step.order is None:
                assert WORDS.render(step.prompt)
                assert all(0 < len(each.label) <= 100 for each in step.choices)
                path += (chance.choice(step.choices).value,)
                step = menu(view, path, orders=standing)
            standing = orders(sheet(view, standing, step.order), view)
            assert menu(view, (*path, "more"), orders=standing) == menu(view, (), orders=standing)
