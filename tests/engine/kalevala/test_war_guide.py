"""Plans of battle by menus: every way through them leads to blocks that stand, and says what they are."""

from __future__ import annotations

import random

import pytest

from engine.core.doors import Doubt
from engine.core.variant import load_phrases
from engine.kalevala.coordinates import Province
from engine.kalevala.guide import menu, shortlists
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA
from engine.kalevala.war import doors as war_doors
from engine.kalevala.war.plans import Planned, plan_of
from engine.pictures.site import SiteScene
from tests.engine.kalevala.battles import ANNA, DOCUMENT, orders, seen, view_for

HEAD = "BATTLE 2D+4 VS 2D+5: "
ATTACK = "ENTER 2 2D+4 K 2D+5 12LB 6BB"
WORDS = load_phrases(SYSTEM)


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


def test_a_spell_may_be_cast_on_several_fields_for_so_many_spell_points() -> None:
    view = seen(stacks={"anna": {"2D+4": "16LB 6BB Z/30/4"}, "bert": {"2D+5": "14L"}})
    standing = orders(f"{ATTACK} Z/30/4", view)
    wizard = "PLAN", "BATTLE 2D+4", "WIZARD", "AT"
    limited = chosen(view, standing, *wizard, "STRENGTHEN OWN", "2D+5:1", "AROUND", "20", "3")
    assert "CAST STRENGTHEN OWN KF 2D+5:1,2D+5:2,2D+5:5,2D+5:6 MAX 20 KR 3" in limited
    whole = chosen(view, standing, *wizard, "PARALYSE FOE", "2D+5:19", "AROUND", "WHOLE", "ANY")
    assert "CAST PARALYSE FOE KF 2D+5:19,2D+5:12,2D+5:13,2D+5:18,2D+5:20,2D+5:26,2D+5:27\n" in whole
    for plan in (limited, whole):
        again = orders(f"{ATTACK} Z/30/4\n{plan}", view)
        assert not any(rehearse(view.state, ANNA, again).is_refused(ANNA, line) for line in again)


def test_fields_are_added_to_a_spell_one_by_one() -> None:
    """Each next one beside those that are chosen: 2D+5:1 and 5, then 10, which touches 5 alone."""
    view = seen(stacks={"anna": {"2D+4": "16LB 6BB Z/30/4"}, "bert": {"2D+5": "14L"}})
    standing = orders(f"{ATTACK} Z/30/4", view)
    path: tuple[str, ...] = ("PLAN", "BATTLE 2D+4", "WIZARD", "AT", "WEAKEN FOE", "2D+5:1")
    for cell in ("2D+5:5", "2D+5:10"):
        path = (*path, "ALSO")
        assert "2D+5:48" not in [choice.value for choice in menu(view, path, orders=standing).choices]
        path = (*path, cell)
    plan = chosen(view, standing, *path, "20", "EACH")
    assert "CAST WEAKEN FOE KF 2D+5:1,2D+5:5,2D+5:10 MAX 20 EACH" in plan
    again = orders(f"{ATTACK} Z/30/4\n{plan}", view)
    assert not any(rehearse(view.state, ANNA, again).is_refused(ANNA, line) for line in again)


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


def siege(figures: str, **changes: object) -> View:
    """Castles on both sides of the border, as far as Anna's scouts saw them."""
    gf = {gf: {**field} for gf, field in DOCUMENT["state"]["gf"].items()}
    gf["2D+4"]["works"] = [
        {"type": "Bf", "kf": 19, "gates": ["19/SW"]},
        {"type": "Tt", "kf": 12},
        {"type": "Ma", "edge": "30/E", "gate": True},
    ]
    gf["2D+5"]["works"] = [
        {"type": "Tu", "kf": 19, "gates": ["19/SW"], "hits": 3},
        {"type": "Ma", "edge": "19/SE", "gate": True},
    ]
    stacks = {"anna": {"2D+4": figures}, "bert": {"2D+5": "14L 4B"}}
    return seen(**{"gf": gf, "stacks": stacks, **changes})


def offered(view: View, standing: tuple[Line, ...], *path: str) -> list[str]:
    return [each.value for each in menu(view, ("PLAN", *path), orders=standing).choices]


def test_gear_is_planned_with_its_crew_and_never_within_walls() -> None:
    view = siege("16L 6B 2On 2Wi 3Le 1Sk")
    standing = orders("ENTER 2 2D+4 K 2D+5 16L 6B 2On 2Wi 3Le 1Sk", view)
    labels = {each.value: each.label for each in menu(view, ("PLAN", "BATTLE 2D+4"), orders=standing).choices}
    assert labels["onagers"] == "onagers: 4L 2On"
    assert labels["rams"] == "rams: 4L 2Wi"
    assert labels["ladders"] == "ladders: 3L 3Le"
    assert labels["line"] == "line: 2L"
    assert {"19+0", "19+1", "12+0", "19"}.isdisjoint(offered(view, standing, "BATTLE 2D+4", "rams"))
    assert {"19+0", "19+1", "12+0"} <= set(offered(view, standing, "BATTLE 2D+4", "bows"))
    assert offered(view, standing, "BATTLE 2D+4", "rams", "USUAL")[:2] == ["AIM rams STORM", "AIM rams SIEGE"]
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "rams", "1", "AIM rams STORM"))
    assert text.count(": PLACE ") >= 1
    assert "2L 1Wi G rams" in text or "4L 2Wi G rams" in text
    standing = orders(text, view)
    assert "19" not in offered(view, standing, "BATTLE 2D+4", "FIRE")
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "FIRE", "2D+5:19", "1"))
    assert text.endswith("FIRE 1On KF 2D+5:19")
    text = sheet(
        view, orders(text, view), chosen(view, orders(text, view), "PLAN", "BATTLE 2D+4", "FIRE", "2D+5:19/SE")
    )
    assert text.endswith("FIRE 1On 2D+5:19/SE")
    assert offered(view, orders(text, view), "BATTLE 2D+4", "FIRE") == ["BEST"]
    text = sheet(view, orders(text, view), chosen(view, orders(text, view), "PLAN", "BATTLE 2D+4", "FIRE", "BEST"))
    assert "FIRE" not in text


def test_a_castle_is_manned_level_by_level_and_its_gates_obey() -> None:
    view = siege("16L 6B")
    text = sheet(view, (), chosen(view, (), "PLAN", "DEFEND 2D+4", "bows", "19+1", "AIM bows SHOOT"))
    assert "PLACE 19+1 4B G bows" in text
    assert "GROUP bows 2B" in text
    standing = orders(text, view)
    assert "19+1" not in offered(view, standing, "DEFEND 2D+4", "line")
    text = sheet(view, standing, chosen(view, standing, "PLAN", "DEFEND 2D+4", "line", "19+0", "AIM line HOLD"))
    assert "PLACE 19+0 8L G line" in text
    assert offered(view, standing, "DEFEND 2D+4", "GATE")[:2] == ["19/SW OPEN", "19/SW SHUT"]
    standing = orders(text, view)
    gates = menu(view, ("PLAN", "DEFEND 2D+4", "GATE"), orders=standing).choices
    assert gates[0].label == "Open the gate 19/SW (keep of two storeys)"
    text = sheet(view, standing, chosen(view, standing, "PLAN", "DEFEND 2D+4", "GATE", "19/SW OPEN", "4"))
    assert text.endswith("GATE 19/SW OPEN KR 4")
    picture = menu(view, ("PLAN", "DEFEND 2D+4"), orders=orders(text, view)).picture
    assert isinstance(picture, SiteScene)
    assert {token.storey for token in picture.tokens if token.power == ANNA} >= {"P", "I"}


def test_four_of_a_kind_close_ranks_and_part_again() -> None:
    view, standing = view_for(), orders(ATTACK)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "PHALANX", "19", "STRIKE"))
    assert text.endswith(f"PLACE 19 4LB G phalanx\n{HEAD}PHALANX 19\n{HEAD}STRIKE 19")
    standing = orders(text)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "phalanx", "1", "AIM phalanx KILL"))
    assert "PLACE 1 4LB G phalanx" in text
    standing = orders(text)
    text = sheet(view, standing, chosen(view, standing, "PLAN", "BATTLE 2D+4", "PHALANX", "1", "SE"))
    assert "PHALANX 1 SE" in text
    number = str(
        1 + [line.rpartition(": ")[2] for line in text.splitlines() if ": " in line].index("PLACE 1 4LB G phalanx")
    )
    dropped = sheet(view, orders(text), chosen(view, orders(text), "PLAN", "BATTLE 2D+4", "DROP", number))
    assert "PLACE" not in dropped
    assert "AIM phalanx" not in dropped, "an aim goes with its group"


def test_what_a_group_does_changes_from_a_round_on() -> None:
    view, standing = view_for(), orders(ATTACK)
    at = ("PLAN", "BATTLE 2D+4", "ALL")
    standing = orders(sheet(view, standing, chosen(view, standing, *at, "FROM", "4", "AIM ALL TAKE HZ FROM 4")))
    text = sheet(view, standing, chosen(view, standing, *at, "AIM ALL HOLD"))
    assert text.endswith(f"AIM ALL HOLD\n{HEAD}AIM ALL TAKE HZ FROM 4")
    text = sheet(view, orders(text), chosen(view, orders(text), *at, "KF", "2D+5:27"))
    assert "AIM ALL TAKE KF 2D+5:27\n" in text
    assert "HOLD" not in text


def test_what_a_group_does_first_ends_with_a_round() -> None:
    view, standing = view_for(), orders(ATTACK)
    at = ("PLAN", "BATTLE 2D+4", "ALL")
    standing = orders(sheet(view, standing, chosen(view, standing, *at, "AIM ALL TAKE HZ")))
    text = sheet(view, standing, chosen(view, standing, *at, "UNTIL", "3", "AIM ALL HOLD UNTIL 3"))
    assert text.endswith(f"AIM ALL HOLD UNTIL 3\n{HEAD}AIM ALL TAKE HZ")
    plan = plan_of(Province("2D+4"), [each.order.what for each in orders(text) if isinstance(each.order, Planned)])
    counts = [aim.what for number in range(1, 13) if (aim := plan.aim_of("", number)) is not None]
    assert counts == ["HOLD"] * 3 + ["TAKE"] * 9


def test_a_wizards_spell_has_its_field_and_round() -> None:
    view = siege("16L 6B Z/60")
    standing = orders("ENTER 2 2D+4 K 2D+5 12L 6B Z/60", view)
    magic = ("PLAN", "BATTLE 2D+4", "WIZARD")
    for path, line in (
        (("AT", "DISPLACE FOE", "2D+5:19", "2D+5:27", "3"), "CAST DISPLACE FOE KF 2D+5:19 > KF 2D+5:27 KR 3"),
        (("AT", "STRENGTHEN OWN", "BEST", "1"), "CAST STRENGTHEN OWN BEST KR 1"),
        (("AT", "GATES FOE", "2D+5:19/SW", "ANY"), "CAST GATES FOE 2D+5:19/SW"),
        (("AT", "DRY FOE", "2D+4:20", "2"), "CAST DRY FOE KF 2D+4:20 KR 2"),
        (("TRIPLE", "PROTECT"), "TRIPLE PROTECT"),
        (("COUNTER", "20"), "COUNTER 20"),
    ):
        standing = orders(sheet(view, standing, chosen(view, standing, *magic, *path)), view)
        assert line in "\n".join(each.canonical for each in standing)
    text = "\n".join(each.canonical for each in standing)
    assert text.index("KR 1") < text.index("KR 2") < text.index("KR 3"), "who is due in a round comes first"


def test_guests_say_for_whom_they_fight() -> None:
    view = siege("4L", stacks={"anna": {"2D+4": "4L", "2D+5": "6L"}, "bert": {"2D+5": "14L 4B"}})
    assert "SIDE" not in offered(view, (), "DEFEND 2D+4")
    text = sheet(view, (), chosen(view, (), "PLAN", "DEFEND 2D+5", "SIDE", "carl"))
    assert text == "DEFEND 2D+5:\nDEFEND 2D+5: SIDE carl"


SIEGE = "16L 6B 3IP 2On 2Wi 3Le 1Sk 1Bt 1Se Z/60 30RE"


@pytest.mark.parametrize("figures", ["12LB 6BB 3IP", "7L 2El", "1B", "5A 3Pr/0 40RE 2sP", SIEGE])
def test_every_way_through_the_menus_stands(figures: str) -> None:
    chance = random.Random(figures)
    view = seen(stacks={"anna": {"2D+4": figures}, "bert": {"2D+5": "14L 2IP"}})
    if figures == SIEGE:
        view = siege(figures)
    words = figures.split()
    for attack in ("", f"ENTER 2 2D+4 K 2D+5 {' '.join(words if figures == SIEGE else words[:2])}"):
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


def test_what_a_priest_prays_for_is_chosen_by_menus() -> None:
    view = seen(stacks={"anna": {"2D+4": "16LB 6BB Pr/30"}, "bert": {"2D+5": "14L"}})
    standing = orders("ENTER 2 2D+4 K 2D+5 12LB 6BB Pr/30", view)
    start = ("PLAN", "BATTLE 2D+4")
    assert "Pr" in [choice.value for choice in menu(view, start, orders=standing).choices]
    block = chosen(view, standing, *start, "Pr", "PRAYER BLESS BEST EACH")
    assert f"{HEAD}PRAYER BLESS BEST EACH" in sheet(view, standing, block)
    lines = KALEVALA.orders.amend(view, standing, orders(block, view))
    more = chosen(view, lines, *start, "Pr", "AT", "FEAR", "2D+5:19", "3")
    written = sheet(view, lines, more)
    assert written.index("PRAYER FEAR KF 2D+5:19 KR 3") < written.index("PRAYER BLESS BEST EACH")
    assert "COUNTER 5" in sheet(view, lines, chosen(view, lines, *start, "Pr", "COUNTER", "5"))
    assert "PRAYER BREAD" in chosen(view, standing, *start, "Pr", "AT", "BREAD", "BEST", "ANY")
