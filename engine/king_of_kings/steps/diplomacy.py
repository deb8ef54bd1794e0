"""Phase 3: all ALL, all CEDE, all DONATE, then NAME. Source: rules 4, 9.1, 9.2; rulings K-06, K-18 to K-20."""

from __future__ import annotations

from collections import defaultdict

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.model import MOST_STATUS, Ally, Cede, Donate, Line, Name
from engine.king_of_kings.working import Area, Turn

DONATION_STATUS = 2
CESSION_STATUS = 5


def negotiate(turn: Turn) -> None:
    """Phase 3: ALL, CEDE, DONATE and NAME are carried out, in this order."""
    _ally(turn)
    _cede(turn)
    _donate(turn)
    _name(turn)


def _ally(turn: Turn) -> None:
    """Each nation changes its status by at most one step; at the end of the turn both become the lower of the two.

    K-19, K-78
    """
    changed: set[tuple[PowerId, PowerId]] = set()
    for nation, line, order in turn.lines(Ally):
        other = turn.find_other(nation, order.to)
        if other is None:
            turn.remark(nation, line, "E11", player=order.to)
            continue
        status = turn.own_status(nation, other.id)
        if not 0 <= order.status <= MOST_STATUS or abs(order.status - status) > 1:
            turn.remark(nation, line, "E09", status=order.status, present=status, player=other.name)
        elif order.status != status:
            if (nation, other.id) in changed:
                turn.remark(nation, line, "E10")
                continue
            changed.add((nation, other.id))
            turn.realms[nation].status[other.id] = order.status
            turn.tell("status", nation=turn.realms[nation].name, other=other.name, status=order.status, was=status)


def _cede(turn: Turn) -> None:
    ceded: set[PowerId] = set()
    for nation, line, order in turn.lines(Cede):
        area = turn.area(order.x, order.y)
        other = turn.find_other(nation, order.to)
        if area is None:
            turn.remark(nation, line, "E03", x=order.x, y=order.y)
        elif other is None:
            turn.remark(nation, line, "E11", player=order.to)
        elif nation in ceded:
            turn.remark(nation, line, "E10")
        elif _is_barred(turn, nation, line, area):
            continue
        elif turn.mutual(nation, other.id) < CESSION_STATUS:
            turn.remark(nation, line, "E08", problem=too_low(turn.mutual(nation, other.id), CESSION_STATUS))
        else:
            ceded.add(nation)
            _hand_over(turn, area, nation, other.id)


def _is_barred(turn: Turn, nation: PowerId, line: Line, area: Area) -> bool:
    """Whether the province is another nation's, or isolated; if so, the line gets an error."""
    x, y = turn.grid.xy(area.cell)
    if area.owner != nation:
        turn.remark(nation, line, "E04", problem=phrase("problem.not_yours", x=x, y=y))
    elif area.is_isolated:
        turn.remark(nation, line, "E12", x=x, y=y)
    else:
        return False
    return True


def too_low(status: int, least: int) -> Phrase:
    """The error if the lower of the two statuses has to be higher."""
    return phrase("problem.too_low", status=status, least=least)


def _hand_over(turn: Turn, area: Area, giver: PowerId, receiver: PowerId) -> None:
    """The units there go with the province, and its people follow. Source: rules 9.1; ruling K-18."""
    area.owner = area.loyal_to = receiver
    for symbol, amount in area.clear(giver).items():
        area.put(receiver, symbol, amount)
        turn.note_units(giver, symbol, -amount, "cede")
        turn.note_units(receiver, symbol, amount, "cede")
    x, y = turn.grid.xy(area.cell)
    turn.tell("ceded", nation=turn.realms[giver].name, other=turn.realms[receiver].name, x=x, y=y)


def _donate(turn: Turn) -> None:
    """A tenth, rounded up, is lost. What is received can be spent, but not given on. Source: rules 7, K-06, W1."""
    received: defaultdict[PowerId, int] = defaultdict(int)
    for nation, line, order in turn.lines(Donate):
        other = turn.find_other(nation, order.to)
        if other is None:
            turn.remark(nation, line, "E11", player=order.to)
        elif turn.mutual(nation, other.id) < DONATION_STATUS:
            turn.remark(nation, line, "E08", problem=too_low(turn.mutual(nation, other.id), DONATION_STATUS))
        elif turn.realms[nation].gold < order.gold:
            turn.remark(nation, line, "E06", cost=order.gold, have=turn.realms[nation].gold)
        else:
            arrives = order.gold - fee(order.gold)
            turn.book(nation, "gold", -order.gold, "donate", line=line)
            received[other.id] += arrives
            turn.tell("donated", nation=turn.realms[nation].name, other=other.name, gold=order.gold, arrives=arrives)
    for nation, gold in received.items():
        turn.book(nation, "gold", gold, "donation")


def fee(gold: int) -> int:
    """How much of a donation is lost.

    >>> fee(35)
    4
    """
    return -(-gold // 10)


def _name(turn: Turn) -> None:
    """Names are unique on the map, whatever their case. Source: ruling K-20."""
    lines = list(turn.lines(Name))
    names = {area.name.casefold() for area in turn.areas if area.name is not None} if lines else set()
    for nation, line, order in lines:
        area = turn.area(order.x, order.y)
        if area is None:
            turn.remark(nation, line, "E03", x=order.x, y=order.y)
        elif _is_barred(turn, nation, line, area):
            continue
        elif order.name.casefold() in names - {(area.name or "").casefold()}:
            turn.remark(nation, line, "E02", problem=phrase("problem.name_taken", name=order.name))
        else:
            names -= {(area.name or "").casefold()}
            names.add(order.name.casefold())
            area.name = order.name
            turn.tell("named", nation=turn.realms[nation].name, x=order.x, y=order.y, name=order.name)
