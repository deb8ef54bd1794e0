"""Kings outside of battles: how they come, are paid, heal and use their power, and what follows when they are gone.

Source: rules 18, R-047 to R-050, rulings KA175 to KA179
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.coordinates import GfId, Province, coordinate_of, gf_of, order_of
from engine.kalevala.figures import MONEY, is_part, kind_of, price_of, warriors, worth
from engine.kalevala.kings.facts import (
    AGENT,
    CONVERTS_FROM,
    FEVER,
    FEVERISH,
    GREED,
    MOST_LIVES,
    OEH,
    PER_STEP,
    PRIEST,
    SACK,
    STEP,
    STORE,
    TITHE,
    UNPAID_DATES,
    UPKEEP,
    VALUE_OF_ZEH,
    WARRIOR,
    WEAKNESSES,
    WITHOUT_PALACE,
    Hostage,
    King,
    Whereabouts,
    find_in,
    hostage_row,
    hostages_in,
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
    KingPalace,
    KingPay,
    KingPower,
    KingRansom,
    KingRelease,
)
from engine.kalevala.land import land_of
from engine.kalevala.orders import Line
from engine.kalevala.sea.craft import laden, lightened
from engine.kalevala.steps import loyalty
from engine.kalevala.steps.building import palace_flaw, raise_palace
from engine.kalevala.steps.converting import pay as pay_for
from engine.kalevala.steps.magic import change_wizard
from engine.kalevala.tables import Group
from engine.kalevala.wizards.spells import STORE as MOST_ZEH
from engine.kalevala.wizards.spells import known_of, wizard_item, zeh_of
from engine.kalevala.working import Entry, Round, purpose


def find(round_: Round, ruler: PowerId) -> Whereabouts | None:
    """Where a ruler's king is; `None`: there is none, or he is held captive."""
    return find_in(round_.stacks[ruler])


def change(round_: Round, ruler: PowerId, *, lives: int | None = None, power: int | None = None, why: str) -> None:
    """Change a king's numbers; without a life he is gone."""
    found = find(round_, ruler)
    if found is None:
        return
    lives = lives_of(found.item) if lives is None else lives
    power = power_of(found.item) if power is None else power
    after = king_item(kind_of_king(found.item), lives, power)
    if after == found.item:
        return
    before, new = {found.item: 1}, {after: 1} if lives else {}
    is_marked = round_.unmarked(ruler, found.at).get(found.craft or found.item, 0) <= 0
    round_.put(ruler, found.at, found.craft or found.item, -1)
    left = [laden(lightened(found.craft, before), new)] if found.craft else new
    for item in left:
        round_.put(ruler, found.at, item, 1, is_marked=is_marked)
    round_.entries += [Entry(ruler, item, count, why) for item, count in ((found.item, -1), *new.items())]


def _set(round_: Round, ruler: PowerId, king: King | None) -> None:
    round_.rulers[ruler] = replace(round_.rulers[ruler], king=king)


def _tell(round_: Round, ruler: PowerId, what: str, **args: object) -> None:
    """Report something about a king to his ruler alone."""
    round_.tell("king", [ruler], {"what": what, **args}, words=f"king_{what}")


# P1: lines


def create(round_: Round, ruler: PowerId, line: Line, order: KingCreate) -> None:
    """A king comes, with a palace in the capital and a weakness that nobody knows. Source: rules 18.1, 18.3, R-047"""
    has_one = round_.rulers[ruler].king is not None
    if not _build_palace(round_, ruler, line, order.cell, "V07" if has_one else None):
        return
    weakness = ""
    if round_.dice is not None:
        thrown = round_.dice.roll(f"weakness/{ruler}", sides=6, purpose=purpose("weakness", ruler=ruler))
        weakness = WEAKNESSES[thrown - 1]
    capital = round_.capital_of(ruler)
    assert capital is not None, "the palace stands there"
    _set(round_, ruler, King(order.text, weakness))
    round_.crowned.add(ruler)
    round_.book(ruler, capital, king_item(order.kind), 1, "king")
    _tell(round_, ruler, "created", king=king_item(order.kind), gf=capital)


def rebuild(round_: Round, ruler: PowerId, line: Line, order: KingPalace) -> None:
    """A new palace for a king who has none. Source: rules 18.4"""
    king = round_.rulers[ruler].king
    if king is None:
        round_.refuse(ruler, line, "V02")
    elif _build_palace(round_, ruler, line, order.cell, "V07" if king.has_palace else None):
        _set(round_, ruler, replace(king, has_palace=True))
        _end_captivity(round_, [each for each in _hostages(round_) if each.ruler == ruler and not each.figure])


def _build_palace(round_: Round, ruler: PowerId, line: Line, cell: int, barred: str | None) -> bool:
    """Pay for a palace in the capital, outside the limit of 12 RE. Returns whether it was built.

    Source: R-048, ruling KA175
    """
    at = round_.capital_of(ruler)
    if at is None:
        round_.refuse(ruler, line, "V08", place="")
        return False
    arming = books.centres_value(round_, ruler) + books.peoples_arming(round_, ruler)
    price = palace_price(arming + books.additional_arming(round_, ruler))
    code = palace_flaw(round_, ruler, at, cell) or barred
    code = code or ("V09" if round_.money(ruler, at) < price else None)
    if code is not None:
        round_.refuse(ruler, line, code, place=at, cost=price, have=round_.money(ruler, at))
        return False
    pay_for(round_, ruler, at, price, "palace")
    raise_palace(round_, at, cell)
    return True


def choose_pay(round_: Round, ruler: PowerId, line: Line, order: KingPay) -> None:
    """Choose what the king is paid with on this arming date. Source: rules 18.3"""
    own = round_.rulers[ruler]
    if round_.gr % 2:
        round_.refuse(ruler, line, "V23")
    elif own.king is None:
        round_.refuse(ruler, line, "V02")
    elif order.what == OEH and _oeh(round_, ruler) < UPKEEP:
        round_.refuse(ruler, line, "V29", cost=UPKEEP, have=_oeh(round_, ruler))
    else:
        round_.king_pay[ruler] = order.what


def _oeh(round_: Round, ruler: PowerId) -> int:
    god = round_.rulers[ruler].god
    return 0 if god is None else int(god.get("oeh", 150))


def heal(round_: Round, ruler: PowerId, line: Line, order: KingHeal) -> None:
    """A warrior king heals faster: ten points of power restore one life. Source: R-049"""
    found, king = find(round_, ruler), round_.rulers[ruler].king
    if found is None or king is None:
        round_.refuse(ruler, line, "V02")
    elif kind_of_king(found.item) != WARRIOR or not _works(round_, king):
        round_.refuse(ruler, line, "V28")
    elif lives_of(found.item) >= MOST_LIVES:
        round_.refuse(ruler, line, "V07")
    elif power_of(found.item) < STEP:
        round_.refuse(ruler, line, "V29", cost=STEP, have=power_of(found.item))
    else:
        change(round_, ruler, lives=lives_of(found.item) + 1, power=power_of(found.item) - STEP, why="healing")


def _works(round_: Round, king: King) -> bool:
    """Whether his power works now: he has no fever, and a palace or the power to do without one."""
    return not king.is_plain and king.ill != round_.gr


def use_power(round_: Round, ruler: PowerId, line: Line, order: KingPower) -> None:
    """A priest king turns RE, animals and people into ZEH of a wizard or priest next to him. R-049, ruling KA177"""
    found, king = find(round_, ruler), round_.rulers[ruler].king
    figures = dict(order.figures)
    if found is None or king is None or not is_part(figures, round_.stack(ruler, found.at)):
        round_.refuse(ruler, line, "V02")
        return
    taker = _taker(round_, ruler, found.at, figures)
    code = None
    on_watch = round_.breaks_watch(ruler, found.at, figures)
    if kind_of_king(found.item) != PRIEST or not _works(round_, king):
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
        round_.refuse(ruler, line, code or "V02", place=found.at, which=which, **args)
        return
    for item, count in figures.items():
        round_.book(ruler, found.at, item, -count, "king")
    round_.spent[ruler] += figures.get(MONEY, 0)
    zeh = zeh_of(taker) + order.count
    if kind_of(taker).code == "Z":
        change_wizard(round_, ruler, found.at, taker, wizard_item(zeh, known_of(taker)), "king")
    else:
        round_.book(ruler, found.at, taker, -1, "king")
        round_.book(ruler, found.at, f"Pr/{zeh}", 1, "king")
    if warriors(figures) and not round_.has_warrior(ruler, found.at):
        round_.warn(ruler, line, "W3", place=found.at)


def _is_turned(item: str) -> bool:
    kind = kind_of(item)
    return kind.group in (Group.HUMAN, Group.ANIMAL, Group.MONEY) and price_of(item) > 0


def _taker(round_: Round, ruler: PowerId, at: Province, given: dict[str, int]) -> str | None:
    """Who gets the ZEH: the wizard who is there, else the priest with the fewest."""
    stack = {item: n - given.get(item, 0) for item, n in round_.stack(ruler, at).items()}
    wizards = [item for item, n in stack.items() if n > 0 and kind_of(item).code == "Z"]
    priests = [item for item, n in stack.items() if n > 0 and kind_of(item).code == "Pr"]
    return next(iter(wizards), None) or min(priests, key=zeh_of, default=None)


def step_down(round_: Round, ruler: PowerId, line: Line, order: KingAbdicate) -> None:
    """He goes, at the end of this window. Source: rules 18.2"""
    if round_.rulers[ruler].king is None:
        round_.refuse(ruler, line, "V02")
    else:
        round_.abdicating.add(ruler)


# P1: what follows


def live(round_: Round) -> None:
    """Each king heals one life; one without a palace pays with power, or becomes an ordinary man. Rules 18.4, 18.7,

    R-006
    """
    for ruler, own in list(round_.rulers.items()):
        found = find(round_, ruler)
        if own.king is None or found is None:
            continue
        power = power_of(found.item)
        is_plain = not own.king.has_palace and power < WITHOUT_PALACE
        power -= 0 if own.king.has_palace or is_plain else WITHOUT_PALACE
        lives = min(MOST_LIVES, lives_of(found.item) + 1)
        if lives != lives_of(found.item):
            _tell(round_, ruler, "healed", lives=lives)
        if is_plain and not own.king.is_plain:
            _tell(round_, ruler, "plain", points=WITHOUT_PALACE)
        change(round_, ruler, lives=lives, power=power, why="reign")
        _set(round_, ruler, replace(own.king, is_plain=is_plain))


def pay(round_: Round) -> None:
    """On arming dates a king gets 10 RE, or 10 OEH; after two dates without pay he has to go. Source: R-048, KA176"""
    for ruler, own in list(round_.rulers.items()):
        if own.king is not None and books.is_paid_now(round_, ruler):
            _pay_one(round_, ruler, own.king)
    if round_.dice is not None:
        for ruler, own in list(round_.rulers.items()):
            if own.king is not None and (own.king.unpaid >= UNPAID_DATES or ruler in round_.abdicating):
                abdicate(round_, ruler)


def _pay_one(round_: Round, ruler: PowerId, king: King) -> None:
    found = find(round_, ruler)
    if round_.king_pay.get(ruler) == OEH and _oeh(round_, ruler) >= UPKEEP:
        own = round_.rulers[ruler]
        round_.rulers[ruler] = replace(own, god={**(own.god or {}), "oeh": _oeh(round_, ruler) - UPKEEP})
        if found is not None:
            change(round_, ruler, power=min(STORE, power_of(found.item) + UPKEEP // 2), why="offering")
    elif books.store(round_, ruler) >= UPKEEP:
        left = UPKEEP
        for place in books.home_stores(round_, ruler):
            part = min(left, round_.money(ruler, place))
            round_.book(ruler, place, MONEY, -part, "upkeep")
            left -= part
        booked = round_.accounts[ruler]
        booked["paid"] = booked.get("paid", 0) + UPKEEP
    else:
        _set(round_, ruler, replace(king, unpaid=king.unpaid + 1))
        if king.unpaid + 1 < UNPAID_DATES:
            _tell(round_, ruler, "unpaid", dates=king.unpaid + 1)
        return
    _set(round_, ruler, replace(round_.rulers[ruler].king or king, unpaid=0))


def abdicate(round_: Round, ruler: PowerId) -> None:
    """He has to go: the province of his palace rebels, and a tenth of all warriors. Source: rules 18.2, ruling KA176"""
    palace = palace_of(round_, ruler)
    army = sum(warriors(stack) for stack in round_.stacks[ruler].values())
    rebels = -(-army // TITHE)
    _remove(round_, ruler, "abdication")
    _tell(round_, ruler, "abdicated")
    if palace is None:
        _desert(round_, ruler, rebels)
        return
    rebels -= warriors(round_.stack(ruler, palace))
    group = loyalty.go_over(round_, ruler, [palace], "rebelled")
    for item, count in _desert(round_, ruler, rebels).items():
        round_.book(group, palace, item, count, "rebellion")


def _desert(round_: Round, ruler: PowerId, count: int) -> dict[str, int]:
    """This many warriors leave, the cheapest of the lowest province first."""
    gone: dict[str, int] = {}
    for place in sorted(round_.stacks[ruler], key=order_of):
        stack = round_.stack(ruler, place)
        for item in sorted(stack, key=lambda item: (price_of(item), item)):
            leaving = min(stack.get(item, 0), count) if kind_of(item).is_warrior else 0
            if leaving > 0:
                round_.book(ruler, place, item, -leaving, "rebellion")
                gone[item] = gone.get(item, 0) + leaving
                count -= leaving
    return gone


# P2


def catch_fever(round_: Round) -> None:
    """Kings who are prone to fever may have it in this great round. Source: R-047"""
    if round_.dice is None:
        return
    for ruler, own in list(round_.rulers.items()):
        if own.king is None or own.king.weakness != FEVER or find(round_, ruler) is None:
            continue
        thrown = round_.dice.throw(f"fever/{ruler}", purpose=purpose("fever", ruler=ruler))
        if thrown.total < FEVERISH:
            show(round_, ruler)
            _set(round_, ruler, replace(round_.rulers[ruler].king or own.king, ill=round_.gr))
            _tell(round_, ruler, "fever")


def show(round_: Round, ruler: PowerId) -> None:
    """A weakness takes effect for the first time: the king's ruler learns of it. Source: R-047"""
    king = round_.rulers[ruler].king
    if king is not None and king.weakness and not king.is_shown:
        _set(round_, ruler, replace(king, is_shown=True))
        round_.tell("king", [ruler], {"what": "weakness", "weakness": king.weakness}, words=f"weak_{king.weakness}")


# Power of agent kings


def experience(round_: Round, ruler: PowerId) -> int:
    """EGP that an agent king adds to those of each of the ruler's agents. Source: rules 18.5, ruling KA177"""
    return steps_of(round_.stacks[ruler], round_.rulers[ruler].king, round_.gr, AGENT)


def alertness(round_: Round, owner: PowerId | None, at: Province) -> int:
    """By how many percent the risk of foreign agents is higher in and around an agent king's capital. Rules 18.5"""
    if owner is None or round_.rulers[owner].king is None:
        return 0
    capital = round_.capital_of(owner)
    if capital is None:
        return 0
    here, there = coordinate_of(gf_of(at)), coordinate_of(gf_of(capital))
    is_near = here.plane == there.plane and here.field.distance(there.field) <= 1
    return PER_STEP * experience(round_, owner) if is_near else 0


# Deeds of agents


def lure(round_: Round, ruler: PowerId, at: Province) -> bool:
    """Whether a greedy king makes it easier to steal RE where he is; if so, the weakness becomes known.

    R-047, ruling KA175
    """
    found, king = find(round_, ruler), round_.rulers[ruler].king
    if found is None or king is None or king.weakness != GREED or found.at != at:
        return False
    show(round_, ruler)
    return True


def wound(round_: Round, ruler: PowerId) -> None:
    """A murderer has won the duel: that costs the king a life. Source: R-050, ruling KA179"""
    found = find(round_, ruler)
    if found is not None:
        change(round_, ruler, lives=lives_of(found.item) - 1, why="murdered")
        if lives_of(found.item) > 1:
            _tell(round_, ruler, "wounded", lives=lives_of(found.item) - 1)


def carry_off(round_: Round, ruler: PowerId, captor: PowerId, at: Province) -> None:
    """The king is captive, in his captor's capital or where he was taken. Ruling KA179"""
    found = find(round_, ruler)
    if found is None:
        return
    figure = found.item
    change(round_, ruler, lives=0, why="captured")
    prison = round_.capital_of(captor) or next(iter(round_.owned(captor)), at)
    _hold(round_, Hostage(ruler, captor, prison, figure))
    for name in (ruler, captor):
        words = "king_taken" if name == ruler else "king_held"
        args = {"what": "taken", "of": ruler, "captor": captor, "gf": prison}
        round_.tell("king", [name], args, words=words)


# Hostages


def _hostages(round_: Round) -> tuple[Hostage, ...]:
    return hostages_in(round_.modules)


def _hold(round_: Round, *more: Hostage) -> None:
    rows = [hostage_row(each) for each in (*_hostages(round_), *more)]
    round_.modules = {**round_.modules, "hostages": rows}


def _end_captivity(round_: Round, gone: list[Hostage]) -> None:
    rows = [hostage_row(each) for each in _hostages(round_) if each not in gone]
    round_.modules = {**round_.modules, "hostages": rows}


def ransom(round_: Round, ruler: PowerId, line: Line, order: KingRansom) -> None:
    """Offer RE for the ruler's king, or his court. Ruling KA178"""
    have = books.owned_money(round_, ruler)
    if not any(each.ruler == ruler for each in _hostages(round_)):
        round_.refuse(ruler, line, "V02")
    elif have < order.amount:
        round_.refuse(ruler, line, "V09", cost=order.amount, have=have)
    else:
        round_.warn(ruler, line, "W5")
        round_.king_ransoms[ruler] = line


def release(round_: Round, ruler: PowerId, line: Line, order: KingRelease) -> None:
    """Let a ruler's king and court go, for RE or for nothing. Ruling KA178"""
    if not any((each.ruler, each.captor) == (order.who, ruler) for each in _hostages(round_)):
        round_.refuse(ruler, line, "V02")
        return
    if order.amount:
        round_.warn(ruler, line, "W5")
    round_.king_releases.append((ruler, line))


def exchange(round_: Round) -> None:
    """Kings and courts are freed if both sides order it, for the captor's price. Ruling KA178"""
    if round_.dice is None:
        return
    paid: set[PowerId] = set()
    for captor, line in round_.king_releases:
        order = line.order
        assert isinstance(order, KingRelease)
        who = PowerId(order.who)
        held = [each for each in _hostages(round_) if (each.ruler, each.captor) == (who, captor)]
        home = round_.capital_of(who) or next(iter(round_.owned(who)), None)
        if not held or home is None or (order.amount and not _pays(round_, who, order.amount)):
            round_.fail(captor, line, "unmatched")
            continue
        left = order.amount
        for place in sorted(round_.owned(who), key=lambda each: (each != home, order_of(each))):
            part = min(left, round_.money(who, place))
            round_.book(who, place, MONEY, -part, "ransom")
            round_.book(captor, held[0].at, MONEY, part, "ransom")
            left -= part
        paid.add(who)
        _let_go(round_, held, order.amount)
    for ruler, line in round_.king_ransoms.items():
        if ruler not in paid:
            round_.fail(ruler, line, "unmatched")


def _pays(round_: Round, ruler: PowerId, price: int) -> bool:
    line = round_.king_ransoms.get(ruler)
    is_offered = line is not None and isinstance(line.order, KingRansom) and line.order.amount >= price
    return is_offered and sum(round_.money(ruler, place) for place in round_.owned(ruler)) >= price


def _let_go(round_: Round, held: list[Hostage], price: int) -> None:
    """The king goes home; with his court he counts as having a palace, wherever they are."""
    _end_captivity(round_, held)
    for each in held:
        ruler, captor = PowerId(each.ruler), PowerId(each.captor)
        king = round_.rulers[ruler].king
        home = round_.capital_of(ruler) or next(iter(round_.owned(ruler)), None)
        if king is None:
            continue
        if not each.figure:
            _set(round_, ruler, replace(king, has_palace=True))
        elif home is not None:
            round_.book(ruler, home, each.figure, 1, "freed")
        args = {"what": "freed", "of": ruler, "captor": captor, "gf": each.at, "re": price}
        round_.tell("king", [ruler, captor], args, words="king_freed" if each.figure else "king_court_freed")


# The end of P4


def mourn(round_: Round) -> None:
    """A ruler whose king is dead loses all colonies, and the loyalty of the core realm is tested.

    Source: rules 18.2, KA179
    """
    if round_.dice is None:
        return
    held = {each.ruler for each in _hostages(round_) if each.figure}
    for ruler, own in list(round_.rulers.items()):
        if own.king is None or ruler in held or find(round_, ruler) is not None:
            continue
        with loyalty.with_capital(round_, ruler):
            _lose_land(round_, ruler)


def _lose_land(round_: Round, ruler: PowerId) -> None:
    colonies = sorted(set(round_.owned(ruler)) - round_.core_realm(ruler), key=order_of)
    _remove(round_, ruler, "death")
    loyalty.withdraw_permits(round_, ruler)
    _tell(round_, ruler, "dead")
    if colonies:
        loyalty.go_over(round_, ruler, colonies, "colonies_lost")
    loyalty.try_loyalty(round_, ruler)


def _remove(round_: Round, ruler: PowerId, why: str) -> None:
    """Remove the king: his palace becomes a tower, his court goes home."""
    change(round_, ruler, lives=0, why=why)
    _set(round_, ruler, None)
    _end_captivity(round_, [each for each in _hostages(round_) if each.ruler == ruler])
    palace = palace_of(round_, ruler)
    if palace is not None:
        _make_tower(round_, palace)


def end_reign(round_: Round, ruler: PowerId) -> None:
    """Remove a ruler's king, wherever he is."""
    if round_.rulers[ruler].king is not None:
        _remove(round_, ruler, "decree")


def _make_tower(round_: Round, at: Province) -> None:
    works = tuple(replace(work, is_palace=False) if work.is_palace else work for work in round_.land.field(at).works)
    round_.set_field(at, works=works)


def palace_of(round_: Round, ruler: PowerId) -> Province | None:
    """The ruler's province with the palace."""
    return next(
        (at for at in round_.owned(ruler) if any(work.is_palace for work in round_.land.works(at))),
        None,
    )


def sack(round_: Round, at: Province, winner: PowerId, loser: PowerId | None) -> None:
    """A captured palace is plundered and its court killed; it is a tower from now on. Source: rules 18.4"""
    if not any(work.is_palace for work in round_.land.works(at)):
        return
    _make_tower(round_, at)
    round_.book(winner, at, MONEY, SACK, "sack")
    killed = [each for each in _hostages(round_) if each.at == at and not each.figure]
    _end_captivity(round_, killed)
    king = None if loser is None else round_.rulers[loser].king
    if loser is not None and king is not None:
        _set(round_, loser, replace(king, has_palace=False))
    concerned = dict.fromkeys((loser, winner, *(PowerId(each.ruler) for each in killed)))
    audience = [name for name in concerned if name is not None]
    round_.tell("king", audience, {"what": "sacked", "gf": at, "re": SACK}, words="king_sacked", winner=winner)


def watch_palaces(round_: Round) -> None:
    """The court of a conquered palace is captive; a ruined palace is lost. Taking a prison takes the captives."""
    for ruler, own in list(round_.rulers.items()):
        if own.king is None or not own.king.has_palace or palace_of(round_, ruler) is not None:
            continue
        for gf, cell in _palaces_before(round_, ruler):
            at = round_.land.at(gf, cell)
            stands = any(work.is_palace and work.cell == cell for work in round_.land.field(gf).works)
            owner = None if at is None else round_.owners.get(at)
            _set(round_, ruler, replace(own.king, has_palace=False))
            if not stands or owner is None or at is None:
                _tell(round_, ruler, "palace_lost")
                continue
            _hold(round_, Hostage(ruler, owner, at))
            args = {"what": "court", "of": ruler, "captor": owner, "gf": at}
            round_.tell("king", [ruler, owner], args, words="king_court_taken")
    _open_prisons(round_)


def _palaces_before(round_: Round, ruler: PowerId) -> Iterator[tuple[GfId, int]]:
    """Where rulers' palaces stood when the window opened."""
    land = land_of(round_.state)
    for at in round_.state.owned(ruler):
        for work in land.works(at):
            if work.is_palace and work.cell is not None:
                yield gf_of(at), work.cell


def _open_prisons(round_: Round) -> None:
    for each in _hostages(round_):
        owner = round_.owners.get(each.at)
        if owner == each.captor or not round_.land.has(each.at):
            continue
        if owner is None or owner == each.ruler:
            _let_go(round_, [each], 0)
        else:
            _end_captivity(round_, [each])
            _hold(round_, replace(each, captor=owner))
            args = {"what": "taken", "of": each.ruler, "captor": owner, "gf": each.at}
            words = "king_held" if each.figure else "king_court_taken"
            round_.tell("king", [PowerId(each.ruler), owner], args, words=words)
