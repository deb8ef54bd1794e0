"""Attacks on foreign caravans, in a ruler's own land and on the high sea. Source: rules 21.8, rulings KA166, KA282"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.agents.facts import victims
from engine.kalevala.agents.orders import Seize
from engine.kalevala.battle.melee import ATTACK, unaided_defence
from engine.kalevala.battle.odds import KNIFE, NATURAL
from engine.kalevala.caravans.facts import Caravan
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import Figures, format_figures, has_people, kind_of, minus, warriors, with_loads
from engine.kalevala.sea.craft import carries_its_money, craft_among, holds, is_craft, laden
from engine.kalevala.steps.caravanning import end, in_turn
from engine.kalevala.steps.realm import is_shielded
from engine.kalevala.steps.sailing import empty, leave_craft, take_aboard
from engine.kalevala.tables import Group
from engine.kalevala.war.plans import SLAVE
from engine.kalevala.window import Window, purpose

MOST_FIGHTS = 12


def place_of(window: Window, ruler: PowerId, named: Province) -> Province | None:
    """Where a ruler's warriors can be sent against somebody: own land, or a sea where their fleet is, which sees nobody
    if its craft are empty. Ruling KA135
    """
    seen = (place for place, stack in window.stacks[ruler].items() if window.land.is_sea(place) and has_people(stack))
    afloat = (place for place in seen if named in (place, gf_of(place)))
    return window.find_own(ruler, named) or next(afloat, None)


def seize_all(window: Window) -> None:
    """SEIZE lines where no agent was found, but a caravan is. Ruling KA166"""
    exposed = {agent.at for agent in window.agents.values() if agent.is_exposed and agent.captor is None}
    for ruler, line in list(window.caravans_at_work.seizures) if window.dice is not None else ():
        assert isinstance(line.order, Seize), "nothing else is among them"
        at = place_of(window, ruler, line.order.at)
        there = [each for each in in_turn(window) if each.at == at and each.ruler != ruler]
        if at is None or not there or at in exposed or not window.has_warrior(ruler, at):
            continue
        window.caravans_at_work.seizures.remove((ruler, line))
        caravan = next((each for each in there if not is_shielded(window, each.ruler)), None)
        if caravan is None:
            window.void(ruler, line, "V17")  # Ruling KA285
        elif not _seize(window, ruler, caravan):
            window.fail(ruler, line, "dice")


def raid(window: Window, ruler: PowerId, sea: Province, foes: Collection[PowerId]) -> None:
    """A fleet that sails onto the high sea attacks the caravans of these rulers there. Rulings KA109, KA282"""
    for caravan in [each for each in in_turn(window) if each.at == sea and each.ruler in foes]:
        if window.has_warrior(ruler, sea):
            _seize(window, ruler, caravan)


def _seize(window: Window, ruler: PowerId, caravan: Caravan) -> bool:
    """Attack a foreign caravan with all warriors of the ruler's who are there. Returns whether it is taken. KA166

    The strongest of each side fight, twelve times at most; merchants without an escort give up, and the winner gets
    what they led.
    """
    assert window.dice is not None, "P4 throws dice"
    at = caravan.at
    men = [item for item in victims(with_loads(window.stack(ruler, at)).items()) if kind_of(item).is_warrior]
    escort = [item for item in victims(caravan.load.items()) if kind_of(item).is_warrior]
    fallen, lost = Counter[str](), Counter[str]()
    stream = f"caravan/{caravan.ruler}/{caravan.number}"
    for _ in range(MOST_FIGHTS):
        if not men or not escort:
            break
        one, other = (max(side, key=lambda item: (unaided_defence(item), item)) for side in (men, escort))
        attack, defence = (
            window.dice.throw(stream, purpose=purpose(code, ruler=who, place=at)).total
            for code, who in (("caravan_attack", ruler), ("caravan_defence", caravan.ruler))
        )
        margin = attack + unaided_defence(one) + _attack(one) - defence - unaided_defence(other)
        if margin > 0 and attack >= _needed(one):
            escort.remove(other)
            lost[other] += 1
        elif margin < 0 and defence >= _needed(other):
            men.remove(one)
            fallen[one] += 1
    bury(window, ruler, at, fallen)
    rest = replace(caravan, load=minus(caravan.load, lost))
    is_taken = not escort and bool(men)
    _tell_of_fight(window, ruler, rest, fallen, lost, is_taken=is_taken)
    if not is_taken:
        window.caravans[caravan.ruler, caravan.number] = rest
        return False
    end(window, caravan, ruler)
    home = window.capital_of(caravan.ruler)
    for item, count in rest.load.items():
        if _is_booty(item):
            window.book(ruler, at, item, count, "booty")
        elif home is not None:
            window.book(caravan.ruler, home, item, count, "caravan")
    if window.land.is_sea(at):
        _stow(window, ruler, at, rest.load)
    return True


def _is_booty(item: str) -> bool:
    """Whether an item falls to the winner: goods and slaves, not free people. Rulings KA166, KA315"""
    return kind_of(item).group is not Group.HUMAN or item == SLAVE


def _attack(warrior: str) -> int:
    """The GP for attacking, which bowmen don't have. Source: rules B7"""
    return 0 if kind_of(warrior).weapon == "B" else ATTACK


def _needed(warrior: str) -> int:
    """The natural roll with which a warrior kills; a bowman has only a knife. Source: rules B7"""
    return KNIFE if kind_of(warrior).weapon == "B" else NATURAL


def bury(window: Window, ruler: PowerId, at: Province, fallen: Figures) -> None:
    """Those who fell leave the books, those ashore before those aboard."""
    leave_craft(window, ruler, at, fallen)
    for item, count in fallen.items():
        window.book(ruler, at, item, -count, "seizing")


def _stow(window: Window, ruler: PowerId, at: Province, prize: Figures) -> None:
    """On the high sea each ship that was taken gets a man of the largest crew, if somebody stays behind, and the goods
    go aboard wherever there is room; the rest sinks. Ruling KA282
    """
    for hull, count in craft_among(prize).items():
        for _ in range(count):
            craft = max(craft_among(window.stack(ruler, at)), key=lambda item: (warriors({item: 1}), item))
            if warriors({craft: 1}) > 1:
                man = next(item for item in with_loads({craft: 1}) if kind_of(item).is_warrior)
                empty(window, ruler, at, craft, {man: 1})
                window.put(ruler, at, man, 1)
                take_aboard(window, ruler, at, man, hull)
    goods = (item for item in prize if _is_booty(item) and not is_craft(item))
    for item in [each for each in goods for _ in range(prize[each])]:
        fleet = sorted(craft_among(window.stack(ruler, at)))
        ship = next((each for each in fleet if _takes(laden(each, {item: 1}))), None)
        if ship is not None:
            take_aboard(window, ruler, at, item, ship)


def _takes(craft: str) -> bool:
    return holds(craft) and carries_its_money(craft)


def _tell_of_fight(
    window: Window, ruler: PowerId, caravan: Caravan, fallen: Figures, lost: Figures, *, is_taken: bool
) -> None:
    """Report the result to those two rulers only; the attacker learns what it carries."""
    goods = {item: count for item, count in caravan.load.items() if _is_booty(item)}
    args: dict[str, str | bool] = {"gf": caravan.at, "by": ruler, "of": caravan.ruler, "fallen": format_figures(fallen)}
    args |= {"lost": format_figures(lost), "load": format_figures(goods), "taken": is_taken}
    words = "caravan_taken" if is_taken else "caravan_held"
    empty = {key: phrase("figures.nothing" if key == "load" else "caravan.nobody") for key in args if not args[key]}
    more: dict[str, Any] = {"taken": is_taken, **empty}
    window.tell("caravan_fight", [ruler, caravan.ruler], args, words=words, **more)
