"""The order sheet: the subject of a line, and how lines are added. Source: rules 32"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.orders import Missing
from engine.core.phrases import Phrase, phrase
from engine.kalevala import orders as kinds
from engine.kalevala.agents import orders as agents
from engine.kalevala.arrivals.facts import has_no_realm, is_fallen, ways_of
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts import orders as artefacts
from engine.kalevala.caravans import orders as caravans
from engine.kalevala.culture import orders as culture
from engine.kalevala.gods import orders as gods
from engine.kalevala.kings import orders as kings
from engine.kalevala.model import EXPECTED, ORDERS_PART, View
from engine.kalevala.orders import Line, Order, Pass
from engine.kalevala.planes import orders as planes
from engine.kalevala.priests.orders import Gift, Oracle, Pray
from engine.kalevala.war.plans import Aim, BlockOpening, Planned


def subject(order: Order) -> str:
    """What an order is for: a later one for the same subject replaces it."""
    match order:
        case (
            agents.AgentGroup(number=number)
            | agents.AgentMove(number=number)
            | agents.AgentScout(number=number)
            | agents.AgentRide(number=number)
        ):
            return f"{type(order).__name__} {number}"
        case agents.AgentBack(number=number) | agents.Ransom(number=number):
            return f"{type(order).__name__} {number}"
        case agents.AgentStance(number=number, what=what):
            return f"AgentStance {number} {what}"
        case agents.Seize(at=at) | agents.Release(at=at):
            return f"{type(order).__name__} {at}"
        case caravans.CaravanForm(number=number) | caravans.CaravanMove(number=number):
            return f"{type(order).__name__} {number}"
        case caravans.CaravanDissolve(number=number):
            return f"{type(order).__name__} {number}"
        case caravans.CloseLand(at=at):
            return f"CLOSE {at}"
        case planes.Transfer():
            return "TRANSFER"
        case culture.Describe():
            return type(order).__name__
        case culture.Name(at=at, kind=kind):
            return f"NAME {at} {kind}"
        case artefacts.TakeArtefact(at=at):
            return f"ARTEFACT {at}"
        case artefacts.BearArtefact(item=item):
            return f"ARTEFACT BEAR {item}"
        case planes.Vortex(who=who, path=path):
            return f"VORTEX {who} {path[0]}"
        case planes.MakePortal(at=at):
            return f"PORTAL {at}"
        case gods.GodLearn(ability=ability):
            return f"GodLearn {ability}"
        case gods.GodCreate() | gods.GodMove() | gods.GodScout() | gods.GodAura():
            return type(order).__name__
        case gods.GodEnter() | gods.GodAppear() | gods.GodCall():
            return type(order).__name__
        case gods.GodSee() | gods.GodSpeed() | gods.GodCarry() | gods.GodPass():
            return type(order).__name__
        case kings.KingCreate() | kings.KingPalace() | kings.KingPay() | kings.KingRansom():
            return type(order).__name__
        case kings.KingRelease(who=who):
            return f"KingRelease {who}"
        case Gift(at=at):
            return f"GIFT {at}"
        case Pray(at=at, priest=priest):
            return f"PRAY {at} {priest}"
        case Oracle(at=at, question=question, about=about):
            return f"ORACLE {at} {question} {about}"
        case kinds.Explore(ee=ee) | kinds.Enter(ee=ee):
            return f"EE {ee}"
        case kinds.EnslavePeople(at=at) | kinds.Watch(at=at) | kinds.Settle(at=at) | kinds.Abandon(at=at):
            return f"{type(order).__name__} {at}"
        case kinds.Enfeoff(at=at):
            return f"FIEF {at}"
        case kinds.Allow(who=who, at=at):
            return f"PERMIT {who} {at or 'ALL'}"
        case kinds.Capital() | kinds.People() | kinds.Leave() | Begin():
            return type(order).__name__
        case kinds.Stance(who=who):
            return f"Stance {who}"
        case BlockOpening(block=block):
            return f"{block.kind} {block.at}"
        case Planned(block=block, what=Aim(name=name, first=first)):
            return f"{block.kind} {block.at}: AIM {name} {first}"
        case _:
            return str(order)


def amend(view: View, standing: Sequence[Line], new: Sequence[Line]) -> tuple[Line, ...]:
    """New lines go to the end of the sheet; a block that is opened again replaces the old one.

    PASS alone withdraws all lines; any other line replaces it.
    """
    if new and all(isinstance(line.order, Pass) for line in new):
        return tuple(new[:1])
    added = tuple(line for line in new if not isinstance(line.order, Pass))
    if not added:
        return tuple(standing)
    replaced = {subject(line.order) for line in added}
    opened = {line.order.block.key for line in added if isinstance(line.order, BlockOpening)}
    kept = [
        line
        for line in standing
        if not isinstance(line.order, Pass)
        and subject(line.order) not in replaced
        and not (isinstance(line.order, Planned) and line.order.block.key in opened)
    ]
    return (*kept, *added)


def is_asked(view: View) -> bool:
    """Whether the viewer has a sheet to send."""
    ruler = view.viewer
    return ruler is not None and view.state.over is None and view.state.rulers[ruler].may_be_played


def missing(view: View, orders: Sequence[Line]) -> tuple[Missing, ...]:
    """Nothing once there is a sheet; otherwise that it is missing."""
    if orders or not is_asked(view):
        return ()
    begins = view.viewer is not None and has_no_realm(view.state, view.viewer)
    ways = ways_of(view.state, view.viewer) if begins and view.viewer is not None else ()
    return (Missing(phrase("form.missing_begin", order=str(Begin(ways[0]))) if ways else phrase("form.missing")),)


def otherwise(view: View, orders: Sequence[Line]) -> tuple[Phrase, ...]:
    """What happens to a realm whose ruler sends nothing. Source: rules R-097"""
    if not missing(view, orders):
        return ()
    if view.viewer is not None and view.state.rulers[view.viewer].kind == EXPECTED:
        return (phrase("otherwise.expected"),)
    if view.viewer is not None and is_fallen(view.state, view.viewer):
        return (phrase("otherwise.fallen"),)
    arms = view.state.part == ORDERS_PART and view.state.gr % 2 == 0
    return (phrase("otherwise.arming" if arms else f"otherwise.part_{view.state.part}"),)
