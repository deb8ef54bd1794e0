"""Who goes where in battle: nobody stands still before what can't be reached. Source: rules B19, B24, B27"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.core.dice import Dice
from engine.core.variant import load_phrases
from engine.kalevala.battle import flight, wonders
from engine.kalevala.battle.aims import move_all
from engine.kalevala.battle.course import (
    GOD,
    KNOT,
    MELEE,
    MOVE,
    RUIN,
    SHOT,
    BattleCourse,
    Entrant,
    Incident,
    Spotted,
    TurnOfBattle,
    positions,
)
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import ground_of
from engine.kalevala.battle.movement import Lookout
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.battle.storming import make_room
from engine.kalevala.battle.wonders import DISPLACE
from engine.kalevala.coordinates import Edge, gf_of
from engine.kalevala.figures import parse_figures
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField, TradeCentre, Work
from engine.kalevala.telling import tale
from engine.kalevala.telling.reading import account_of
from engine.kalevala.war.plans import Aim, Placing, Plan, Spot
from engine.lattice.great_fields import Side
from tests.engine.kalevala.battles import incidents
from tests.measure_kalevala_battles import ANNA, BERT, SOURCE, TARGET, site

_TOWER = Work("Tu", 19, gates=(Edge(19, Side.SW),))


def _site(
    attack: Mapping[int, str],
    defence: Mapping[int, str],
    aims: tuple[Aim, ...] = (),
    *,
    land: Mapping[int, str] | None = None,
    works: tuple[Work, ...] = (),
    stand: str = "HOLD",
) -> BattleSite:
    """Figures placed one by one, by small field; bert's have an aim of their own.

    Args:
        land: the small fields of the land under attack that are no lowland; its trade centre is on KF 19.
        works: there.
    """
    cells = "".join((land or {}).get(cell, "T") for cell in range(1, 49))
    fields = {gf_of(TARGET): GreatField(cells=cells, centre=TradeCentre("Std"), works=works)}
    battle = site(" ".join(attack.values()), " ".join(defence.values()))
    armies = []
    for army, placed in zip(battle.armies, (attack, defence), strict=True):
        places = tuple(
            Placing(_spot(cell), tuple((parse_figures(text) or {}).items())) for cell, text in placed.items()
        )
        wanted = aims if army.ruler == ANNA else (Aim("ALL", stand),)
        armies.append(replace(army, plan=Plan(army.province, is_own=True, places=places, aims=wanted)))
    ground = ground_of(Land(fields, PLAIN), (SOURCE, TARGET))
    parties = tuple(replace(party, has_plan=True) for party in battle.parties)
    return replace(battle, ground=ground, armies=tuple(armies), parties=parties)


def _spot(cell: int) -> Spot:
    """A small field; those from 100 on are platforms."""
    return Spot(cell - 100, level="+1") if cell > 100 else Spot(cell)


def _fought(battle: BattleSite, seed: str = "ways") -> BattleCourse:
    return fight_out(battle, Dice(seed).streams()).course


def _annas(course: BattleCourse, *kinds: str) -> list[Incident]:
    own = {each.number for each in course.start if each.ruler == ANNA}
    return [each for each in incidents(course, *kinds) if each.who in own]


def test_who_cannot_come_to_what_is_to_be_taken_fights_elsewhere() -> None:
    """The trade centre lies two levels above the rest. Ruling KA325"""
    course = _fought(_site({1: "4L"}, {43: "2L"}, (Aim("ALL", "TAKE"),), land={19: "B"}))
    assert _annas(course, MELEE)


def test_a_wizard_on_a_trade_centre_keeps_his_own_side_from_nothing() -> None:
    """He holds nothing, but warriors took it for taken. Ruling KA325"""
    battle = _site({2: "1L"}, {1: "1L"}, (Aim("ALL", "TAKE"),), land={1: "B"})
    fight = Fight(battle, Dice("centre").streams())
    deploy(fight)
    centre = fight.ground.centres[TARGET]
    wizard = Fighter(9, fight.site.parties[0], fight.site.armies[0], "Z/30", centre)
    fight.fighters.append(wizard)
    fight.put(wizard, centre)
    (man,) = (each for each in fight.living(ANNA) if each.is_warrior)
    before = fight.ground.distance(man.kf, centre)
    fight.round = 1
    move_all(fight, fight.site.parties[0])
    assert fight.ground.distance(man.kf, centre) < before


def test_one_holds_the_trade_centre_while_the_others_storm_what_is_next_to_it() -> None:
    """Those who got into a tower used to stay in it, before enemies in the next one. Rulings KA321, KA325"""
    gates = Edge(19, Side.SW), Edge(20, Side.SE)
    towers = (Work("Tu", 19, gates=gates[:1], broken=gates[:1]), Work("Tu", 20, gates=gates[1:]))
    course = _fought(_site({2: "4L"}, {120: "1LC"}, (Aim("ALL", "TAKE"),), works=towers))
    assert any(each.at.floor == 1 for each in _annas(course, MOVE))


def test_enemies_whom_nobody_can_come_to_keep_no_one_from_the_trade_centre() -> None:
    """Bert's man stands on a height next to it. Ruling KA325"""
    course = _fought(_site({2: "4L"}, {20: "1L"}, (Aim("ALL", "TAKE"),), land={20: "B"}))
    assert any((at.gf, at.cell) == (gf_of(TARGET), 19) for at in course.standing.values())


def test_enemies_whom_nobody_can_come_to_stop_no_storm() -> None:
    """One stands on a height far from the tower, whose gate is broken. Ruling KA325"""
    gate = Edge(19, Side.SW)
    tower = replace(_TOWER, broken=(gate,))
    height = {1: "B", 5: "B"}
    course = _fought(_site({2: "4L"}, {1: "1L", 19: "1L"}, (Aim("ALL", "STORM"),), land=height, works=(tower,)))
    assert _annas(course, MELEE)


def test_who_storms_goes_on_to_the_upper_storeys() -> None:
    """Bert's man is on top of a keep of three storeys with a broken gate, farther in than one move. Rules B27"""
    gate = Edge(19, Side.SW)
    keep = Work("BF", 19, gates=(gate,), broken=(gate,))
    course = _fought(_site({2: "8L"}, {119: "1LC"}, (Aim("ALL", "STORM"),), works=(keep,)))
    assert {each.at.floor for each in _annas(course, MOVE)} >= {0, 1, 2}


def test_archers_go_round_what_is_in_their_way() -> None:
    """A mountain range has one gap, at the far end. Ruling KA326"""
    range_ = dict.fromkeys((*range(38, 43), *range(44, 48)), "B")
    course = _fought(_site({1: "2B"}, {25: "2L"}, (Aim("ALL", "SHOOT"),), land=range_))
    assert _annas(course, SHOT)


def test_archers_go_where_higher_ground_is_not_in_their_way() -> None:
    """In range of bert's, but behind a hill. Ruling KA326"""
    battle = _site({}, {33: "1L"}, land={40: "H", 39: "H", 41: "H"})
    fight = Fight(battle, Dice("sight").streams())
    kf = {cell: fight.ground.index[gf_of(TARGET), cell] for cell in (33, 35, 46)}
    foe = Fighter(1, fight.site.parties[1], fight.site.armies[1], "L", kf[33])
    fight.fighters.append(foe)
    fight.put(foe, foe.kf)
    look = Lookout(fight, ANNA)
    assert look.within_shot(3) & look.board.bits[kf[35]]
    assert not look.within_shot(3) & look.board.bits[kf[46]]
    assert look.within_shot(3, is_blind=True) & look.board.bits[kf[46]]


def test_archers_who_come_through_an_empty_tower_go_on() -> None:
    """It is the only gap in a mountain range. Ruling KA326"""
    tower = Work("Tu", 46, gates=(Edge(46, Side.SW), Edge(46, Side.NE)))
    range_ = dict.fromkeys((*range(38, 44), 44, 45, 47, 48), "B") | {40: "T", 41: "T"}
    course = _fought(_site({3: "1B"}, {11: "2L"}, (Aim("ALL", "SHOOT"),), land=range_, works=(tower,)))
    assert _annas(course, SHOT)


def test_men_who_serve_gear_that_is_of_no_use_fight() -> None:
    """There is a tower, but nobody in it. Ruling KA327"""
    battle = _site({2: "1L 1Le"}, {32: "1L"}, (Aim("ALL", "TAKE"),), works=(replace(_TOWER, cell=5),))
    assert _annas(_fought(battle), MELEE)


def test_ropes_come_together_before_a_keep_of_two_storeys() -> None:
    """Each by itself is of no use, and they used to spread. Source: rules B14"""
    keep = Work("Bf", 19, gates=(Edge(19, Side.SW),))
    course = _fought(_site({1: "2L 1Se", 3: "2L 1Se"}, {19: "1L"}, (Aim("ALL", "STORM"),), works=(keep,)))
    assert _annas(course, KNOT)


def test_riders_who_change_places_with_gear_have_room_there() -> None:
    """Two riders of 2 REH don't fit where 3 become free. Ruling KA71"""
    fight = Fight(_site({}, {}), Dice("room").streams())
    kf, other = (fight.ground.index[gf_of(TARGET), cell] for cell in (20, 21))
    party, army = fight.site.parties[0], fight.site.armies[0]
    riders = [Fighter(number, party, army, "L", kf, mount="IP") for number in (1, 2)]
    ram = Fighter(3, party, army, "Wi", other)
    ram.crew = [Fighter(number, party, army, "L", other, serves=ram) for number in (4, 5)]
    bystander = Fighter(6, party, army, "L", other)
    for each in (*riders, ram, *ram.crew, bystander):
        fight.put(each, each.kf)
    assert not make_room(fight, ram, kf)
    fight.lift(bystander)
    assert make_room(fight, ram, kf)


@pytest.mark.parametrize(("own", "foes", "is_ordered", "flees"), [
    (6, 2, False, False), (2, 6, False, True), (6, 2, True, True), (2, 6, True, True),
])  # fmt: skip
def test_after_ten_rounds_only_the_weaker_side_flees_without_an_order(
    own: int, foes: int, is_ordered: bool, flees: bool
) -> None:
    """Ruling KA328"""
    battle = _site({}, {})
    anna, bert = battle.parties
    bert = replace(bert, has_plan=is_ordered, flees=is_ordered, exits={0: SOURCE})
    fight = Fight(replace(battle, parties=(anna, bert)), Dice("flight").streams())
    for number in range(own + foes):
        army = fight.site.armies[number < own]
        party = bert if army.ruler == BERT else anna
        each = Fighter(number + 1, party, army, "L", number)
        fight.fighters.append(each)
        fight.put(each, number)
    fight.price_at_start = {ANNA: 6, BERT: own}
    fight.round = flight.ROUNDS_FOUGHT
    flight.decide(fight)
    assert {each.flees for each in fight.living(BERT)} == {flees}


def test_a_wagon_that_is_left_by_those_who_flee_is_gone_from_the_account() -> None:
    """Nobody drives it any more, but pictures and words had it stand there to the end. Ruling KA158"""
    battle = _site({2: "1L"}, {}, (Aim("ALL", "HOLD"),))
    team = parse_figures("1LC 1QuW/2")
    assert team is not None
    anna, bert = battle.parties
    bert = replace(bert, flees=True, exits={0: SOURCE})
    armies = (battle.armies[0], replace(battle.armies[1], figures=team))
    course = _fought(replace(battle, parties=(anna, bert), armies=armies))
    (wagon,) = (each.number for each in course.start if each.item.startswith("QuW"))
    assert wagon in positions(course, flight.ROUNDS_FOUGHT)
    assert wagon not in positions(course, flight.ROUNDS_FOUGHT + 1)
    account = account_of(course)
    assert not any("QuW" in stand.figures for stand in account.rounds[flight.ROUNDS_FOUGHT].stands)
    lines = [load_phrases("kalevala").render(line) for line in tale.story(account)]
    assert sum("got down from 1 wagon" in line for line in lines) == 1


def test_an_immortal_wizard_holds_no_tower() -> None:
    """Nobody can touch him: whoever storms the tower would stand before it for ever. Ruling KA329"""
    fight = Fight(_site({}, {}, works=(_TOWER,)), Dice("wizard").streams())
    kf = fight.ground.index[gf_of(TARGET), 19]
    wizard = Fighter(1, fight.site.parties[1], fight.site.armies[1], "Z/30", kf)
    fight.fighters.append(wizard)
    fight.put(wizard, kf)
    assert fight.works.held_against(fight, ANNA) == []
    fight.make_mortal(wizard)
    assert [hold.kf for hold in fight.works.held_against(fight, ANNA)] == [kf]


@pytest.mark.parametrize(("letter", "can_be_moved"), [("B", False), ("T", True)])
def test_a_god_moves_no_elephant_to_land_on_which_it_may_not_stay(letter: str, can_be_moved: bool) -> None:
    """Ruling KA64"""
    land = Land({gf_of(TARGET): GreatField(cells=letter * 19 + "T" + letter * 28)}, GreatField(cells=letter * 48))
    battle = replace(_site({}, {}), ground=ground_of(land, (SOURCE, TARGET)))
    fight = Fight(battle, Dice("displaced").streams())
    kf, other = (fight.ground.index[gf_of(TARGET), cell] for cell in (20, 40))
    elephant = Fighter(1, fight.site.parties[1], fight.site.armies[1], "El", kf)
    helped = Fighter(2, fight.site.parties[0], fight.site.armies[0], "L", other)
    for each in (elephant, helped):
        fight.fighters.append(each)
        fight.put(each, each.kf)
    assert wonders.has_work(fight, ANNA, DISPLACE) == can_be_moved


def test_a_bridge_that_nobody_can_cross_is_no_goal() -> None:
    """They used to wait before it. Source: rules 27.2"""
    bridge = Work("BR", 20, banks=(19, 21), hits=4)
    fight = Fight(_site({}, {}, land={20: "W"}, works=(bridge,)), Dice("bridge").streams())
    bank, over = (fight.ground.index[gf_of(TARGET), cell] for cell in (21, 20))
    one = Fighter(1, fight.site.parties[0], fight.site.armies[0], "L", bank)
    fight.put(one, bank)
    look = Lookout(fight, ANNA)
    assert not look.can_come(one, look.board.bits[over])


def test_a_being_that_a_god_does_something_to_stays_where_it_is() -> None:
    """The account had it jump back to where it was called."""
    gf = gf_of(TARGET)
    first, later = Spotted(gf, 10), Spotted(gf, 12)
    course = _fought(_site({2: "1L"}, {32: "1L"}, (Aim("ALL", "HOLD"),)))
    being = Entrant(9, ANNA, "L", "", first)
    called, moved = Incident(GOD, 1, first, helpers=(9,)), Incident(MOVE, 9, later, path=(later,))
    turns = (TurnOfBattle(ANNA, (called, moved)), TurnOfBattle(BERT, (called,)))
    assert positions(replace(course, rounds=(turns,), emerged=(being,)), 1)[9] == later


def test_who_stood_in_a_building_that_falls_stands_in_the_open_afterwards() -> None:
    gf = gf_of(TARGET)
    course = _fought(_site({2: "1L"}, {32: "1L"}, (Aim("ALL", "HOLD"),)))
    start = (Entrant(1, BERT, "L", "", Spotted(gf, 19, 0)), Entrant(2, ANNA, "L", "", Spotted(gf, 26)))
    ruin = Incident(RUIN, 2, Spotted(gf, 26), work=f"{gf}:19")
    fallen = replace(course, start=start, rounds=((TurnOfBattle(ANNA, (ruin,)),),))
    assert positions(fallen, 1) == {1: Spotted(gf, 19), 2: Spotted(gf, 26)}
    assert {stand.at for stand in account_of(fallen).rounds[0].stands} == {Spotted(gf, 19), Spotted(gf, 26)}
