"""Kings outside of battles: how they come, are paid, heal and use their power.

Their captivity, and what becomes of their palaces, is in `captivity`; how their reigns end, in `dethroning`.
Source: rules 18, R-047 to R-050, rulings KA175 to KA177
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.coordinates import Province, coordinate_of, gf_of
from engine.kalevala.figures import MONEY, is_part, kind_of, price_of, warriors, worth
from engine.kalevala.kings.facts import (
    AGENT,
    CONVERTS_FROM,
    FEVER,
    FEVERISH,
    GREED,
    LONGEST_TEXT,
    MOST_LIVES,
    OEH,
    PER_STEP,
    PRIEST,
    STEP,
    STORE,
    UNPAID_DATES,
    UPKEEP,
    VALUE_OF_ZEH,
    WARRIOR,
    WEAKNESSES,
    WITHOUT_PALACE,
    King,
    Whereabouts,
    find_in,
    kind_of_king,
    king_item,
    lives_of,
    palace_price,
    power_of,
    steps_of,
)
from engine.kalevala.kings.orders import (
    KingAbdicate,
    KingCreate,
    KingHeal,
    KingPay,
    KingPower,
)
from engine.kalevala.orders import Line
from engine.kalevala.priests.facts import priest_item
from engine.kalevala.sea.craft import laden, lightened
from engine.kalevala.steps.building import palace_flaw, raise_palace
from engine.kalevala.steps.converting import pay as pay_for
from engine.kalevala.steps.magic import change_wizard
from engine.kalevala.tables import Group
from engine.kalevala.window import Booking, Window, purpose
from engine.kalevala.wizards.spells import STORE as MOST_ZEH
from engine.kalevala.wizards.spells import known_of, wizard_item, zeh_of


def find(window: Window, ruler: PowerId) -> Whereabouts | None:
    """Where a ruler's king is; `None`: there is none, or he is held captive."""
    return find_in(window.stacks[ruler])


def change(window: Window, ruler: PowerId, *, lives: int | None = None, power: int | None = None, why: str) -> None:
    """Change a king's numbers; without a life he is gone."""
    found = find(window, ruler)
    if found is None:
        return
    lives = lives_of(found.item) if lives is None else lives
    power = power_of(found.item) if power is None else power
    after = king_item(kind_of_king(found.item), lives, power)
    if after == found.item:
        return
    before, new = {found.item: 1}, {after: 1} if lives else {}
    is_marked = window.unmarked(ruler, found.at).get(found.craft or found.item, 0) <= 0
    window.put(ruler, found.at, found.craft or found.item, -1)
    left = [laden(lightened(found.craft, before), new)] if found.craft else new
    for item in left:
        window.put(ruler, found.at, item, 1, is_marked=is_marked)
    window.bookings += [Booking(ruler, item, count, why) for item, count in ((found.item, -1), *new.items())]


def keep(window: Window, ruler: PowerId, king: King | None) -> None:
    """Note what else is known of a ruler's king; `None`: there is none any more."""
    window.rulers[ruler] = replace(window.rulers[ruler], king=king)


def tell(window: Window, ruler: PowerId, what: str, **args: object) -> None:
    """Report something about a king to his ruler alone."""
    window.tell("king", [ruler], {"what": what, **args}, words=f"king_{what}")


# P1: lines


def create(window: Window, ruler: PowerId, line: Line, order: KingCreate) -> None:
    """A king comes, with a palace in the capital and a weakness that nobody knows. Source: rules 18.1, 18.3, R-047"""
    if len(order.text) > LONGEST_TEXT:
        window.refuse(ruler, line, "V07", which="kings_text", count=len(order.text), most=LONGEST_TEXT)
        return
    has_one = window.rulers[ruler].king is not None
    if not build_palace(window, ruler, line, order.cell, "V07" if has_one else None):
        return
    weakness = ""
    if window.dice is not None:
        thrown = window.dice.roll(f"weakness/{ruler}", sides=6, purpose=purpose("weakness", ruler=ruler))
        weakness = WEAKNESSES[thrown - 1]
    capital = window.capital_of(ruler)
    assert capital is not None, "the palace stands there"
    keep(window, ruler, King(order.text, weakness))
    window.kings_at_work.crowned.add(ruler)
    window.book(ruler, capital, king_item(order.kind), 1, "king")
    tell(window, ruler, "created", king=king_item(order.kind), gf=capital)


def build_palace(window: Window, ruler: PowerId, line: Line, cell: int, barred: str | None) -> bool:
    """Pay for a palace in the capital, outside the limit of 12 RE. Returns whether it was built.

    Source: R-048, ruling KA175
    """
    at = window.capital_of(ruler)
    if at is None:
        window.refuse(ruler, line, "V08", place="")
        return False
    arming = books.centres_value(window, ruler) + books.peoples_arming(window, ruler)
    price = palace_price(arming + books.additional_arming(window, ruler))
    code = palace_flaw(window, ruler, at, cell) or barred
    code = code or ("V09" if window.money(ruler, at) < price else None)
    if code is not None:
        window.refuse(ruler, line, code, place=at, cost=price, have=window.money(ruler, at))
        return False
    pay_for(window, ruler, at, price, "palace")
    raise_palace(window, at, cell)
    return True


def choose_pay(window: Window, ruler: PowerId, line: Line, order: KingPay) -> None:
    """Choose what the king is paid with on this arming date. Source: rules 18.3"""
    own = window.rulers[ruler]
    if window.gr % 2:
        window.refuse(ruler, line, "V23")
    elif own.king is None:
        window.refuse(ruler, line, "V02")
    elif order.what == OEH and _oeh(window, ruler) < UPKEEP:
        window.refuse(ruler, line, "V29", cost=UPKEEP, have=_oeh(window, ruler))
    else:
        window.kings_at_work.pay[ruler] = order.what


def _oeh(window: Window, ruler: PowerId) -> int:
    god = window.rulers[ruler].god
    return 0 if god is None else int(god.get("oeh", 150))


def heal(window: Window, ruler: PowerId, line: Line, order: KingHeal) -> None:
    """A warrior king heals faster: ten points of power restore one life. Source: R-049"""
    found, king = find(window, ruler), window.rulers[ruler].king
    if found is None or king is None:
        window.refuse(ruler, line, "V02")
    elif kind_of_king(found.item) != WARRIOR or not _works(window, king):
        window.refuse(ruler, line, "V28")
    elif lives_of(found.item) >= MOST_LIVES:
        window.refuse(ruler, line, "V07")
    elif power_of(found.item) < STEP:
        window.refuse(ruler, line, "V29", cost=STEP, have=power_of(found.item))
    else:
        change(window, ruler, lives=lives_of(found.item) + 1, power=power_of(found.item) - STEP, why="healing")


def _works(window: Window, king: King) -> bool:
    """Whether his power works now: he has no fever, and a palace or the power to do without one."""
    return not king.is_plain and king.ill != window.gr


def use_power(window: Window, ruler: PowerId, line: Line, order: KingPower) -> None:
    """A priest king turns RE, animals and people into ZEH of a wizard or priest next to him. R-049, ruling KA177"""
    found, king = find(window, ruler), window.rulers[ruler].king
    figures = dict(order.figures)
    if found is None or king is None or not is_part(figures, window.stack(ruler, found.at)):
        window.refuse(ruler, line, "V02")
        return
    taker = _taker(window, ruler, found.at, figures)
    code = None
    on_watch = window.breaks_watch(ruler, found.at, figures)
    if kind_of_king(found.item) != PRIEST or not _works(window, king):
        code = "V28"
    elif on_watch:
        code = "V05"
    elif taker is None or not all(map(_is_turned, figures)):
        code = "V02"
    elif zeh_of(taker) + order.count > MOST_ZEH:
        code = "V07"
    elif worth(figures) < VALUE_OF_ZEH * order.count:
        code = "V09"
    elif power_of(found.item) < CONVERTS_FROM:
        code = "V29"
    if code is not None or taker is None:
        args = {"cost": VALUE_OF_ZEH * order.count, "have": worth(figures)}
        args = {"cost": CONVERTS_FROM, "have": power_of(found.item)} if code == "V29" else args
        which = "watch" if code == "V05" else ""
        window.refuse(ruler, line, code or "V02", place=found.at, which=which, **args)
        return
    for item, count in figures.items():
        window.book(ruler, found.at, item, -count, "king")
    window.spent[ruler] += figures.get(MONEY, 0)
    zeh = zeh_of(taker) + order.count
    if kind_of(taker).code == "Z":
        change_wizard(window, ruler, found.at, taker, wizard_item(zeh, known_of(taker)), "king")
    else:
        window.change_number(ruler, found.at, taker, priest_item(zeh), "king")
    if warriors(figures) and not window.has_warrior(ruler, found.at):
        window.warn(ruler, line, "W3", place=found.at)


def _is_turned(item: str) -> bool:
    kind = kind_of(item)
    return kind.group in (Group.HUMAN, Group.ANIMAL, Group.MONEY) and price_of(item) > 0


def _taker(window: Window, ruler: PowerId, at: Province, given: dict[str, int]) -> str | None:
    """Who gets the ZEH: the wizard who is there, else the priest with the fewest."""
    stack = {item: n - given.get(item, 0) for item, n in window.stack(ruler, at).items()}
    wizards = [item for item, n in stack.items() if n > 0 and kind_of(item).code == "Z"]
    priests = [item for item, n in stack.items() if n > 0 and kind_of(item).code == "Pr"]
    return next(iter(wizards), None) or min(priests, key=zeh_of, default=None)


def step_down(window: Window, ruler: PowerId, line: Line, order: KingAbdicate) -> None:
    """He goes, at the end of this window. Source: rules 18.2"""
    if window.rulers[ruler].king is None:
        window.refuse(ruler, line, "V02")
    else:
        window.kings_at_work.abdicating.add(ruler)


# P1: what follows


def live(window: Window) -> None:
    """Each king heals one life; one without a palace pays with power, or becomes an ordinary man. Rules 18.4, 18.7,

    R-006
    """
    for ruler, own in list(window.rulers.items()):
        found = find(window, ruler)
        if own.king is None or found is None:
            continue
        power = power_of(found.item)
        is_plain = not own.king.has_palace and power < WITHOUT_PALACE
        power -= 0 if own.king.has_palace or is_plain else WITHOUT_PALACE
        lives = min(MOST_LIVES, lives_of(found.item) + 1)
        if lives != lives_of(found.item):
            tell(window, ruler, "healed", lives=lives)
        if is_plain and not own.king.is_plain:
            tell(window, ruler, "plain", points=WITHOUT_PALACE)
        change(window, ruler, lives=lives, power=power, why="reign")
        keep(window, ruler, replace(own.king, is_plain=is_plain))


def pay(window: Window) -> None:
    """On arming dates a king gets 10 RE, or 10 OEH. Source: R-048, ruling KA176"""
    for ruler, own in list(window.rulers.items()):
        if own.king is not None and books.is_paid_now(window, ruler):
            _pay_one(window, ruler, own.king)


def _pay_one(window: Window, ruler: PowerId, king: King) -> None:
    found = find(window, ruler)
    if window.kings_at_work.pay.get(ruler) == OEH and _oeh(window, ruler) >= UPKEEP:
        own = window.rulers[ruler]
        window.rulers[ruler] = replace(own, god={**(own.god or {}), "oeh": _oeh(window, ruler) - UPKEEP})
        if found is not None:
            change(window, ruler, power=min(STORE, power_of(found.item) + UPKEEP // 2), why="offering")
    elif books.store(window, ruler) >= UPKEEP:
        left = UPKEEP
        for place in books.home_stores(window, ruler):
            part = min(left, window.money(ruler, place))
            window.book(ruler, place, MONEY, -part, "upkeep")
            left -= part
        booked = window.accounts[ruler]
        booked["paid"] = booked.get("paid", 0) + UPKEEP
    else:
        keep(window, ruler, replace(king, unpaid=king.unpaid + 1))
        if king.unpaid + 1 < UNPAID_DATES:
            tell(window, ruler, "unpaid", dates=king.unpaid + 1)
        return
    keep(window, ruler, replace(window.rulers[ruler].king or king, unpaid=0))


# P2


def catch_fever(window: Window) -> None:
    """Kings who are prone to fever may have it in this great round. Source: R-047"""
    if window.dice is None:
        return
    for ruler, own in list(window.rulers.items()):
        if own.king is None or own.king.weakness != FEVER or find(window, ruler) is None:
            continue
        thrown = window.dice.throw(f"fever/{ruler}", purpose=purpose("fever", ruler=ruler))
        if thrown.total < FEVERISH:
            show(window, ruler)
            keep(window, ruler, replace(window.rulers[ruler].king or own.king, ill=window.gr))
            tell(window, ruler, "fever")


def show(window: Window, ruler: PowerId) -> None:
    """A weakness takes effect for the first time: the king's ruler learns of it. Source: R-047"""
    king = window.rulers[ruler].king
    if king is not None and king.weakness and not king.is_shown:
        keep(window, ruler, replace(king, is_shown=True))
        window.tell("king", [ruler], {"what": "weakness", "weakness": king.weakness}, words=f"weak_{king.weakness}")


# Power of agent kings


def experience(window: Window, ruler: PowerId) -> int:
    """EGP that an agent king adds to those of each of the ruler's agents. Source: rules 18.5, ruling KA177"""
    return steps_of(window.stacks[ruler], window.rulers[ruler].king, window.gr, AGENT)


def alertness(window: Window, owner: PowerId | None, at: Province) -> int:
    """By how many percent the risk of foreign agents is higher in and around an agent king's capital. Rules 18.5"""
    if owner is None or window.rulers[owner].king is None:
        return 0
    capital = window.capital_of(owner)
    if capital is None:
        return 0
    here, there = coordinate_of(gf_of(at)), coordinate_of(gf_of(capital))
    is_near = here.plane == there.plane and here.field.distance(there.field) <= 1
    return PER_STEP * experience(window, owner) if is_near else 0


# What agents do to kings


def lure(window: Window, ruler: PowerId, at: Province) -> bool:
    """Whether a greedy king makes it easier to steal RE where he is; if so, the weakness becomes known.

    R-047, ruling KA175
    """
    found, king = find(window, ruler), window.rulers[ruler].king
    if found is None or king is None or king.weakness != GREED or found.at != at:
        return False
    show(window, ruler)
    return True


def wound(window: Window, ruler: PowerId) -> None:
    """A murderer has won the duel: that costs the king a life. Source: R-050, ruling KA179"""
    found = find(window, ruler)
    if found is not None:
        change(window, ruler, lives=lives_of(found.item) - 1, why="murdered")
        if lives_of(found.item) > 1:
            tell(window, ruler, "wounded", lives=lives_of(found.item) - 1)
