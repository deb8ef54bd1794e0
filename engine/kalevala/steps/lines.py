"""All other lines of a sheet, in written order: each type of order and the function that carries it out.

Source: rules R-006, R-103
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala import books, orders
from engine.kalevala.agents import orders as agent_orders
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts import orders as artefact_orders
from engine.kalevala.caravans import orders as caravan_orders
from engine.kalevala.culture import orders as culture_orders
from engine.kalevala.gods import orders as god_orders
from engine.kalevala.kings import orders as king_orders
from engine.kalevala.modules import is_absent
from engine.kalevala.orders import Arm, Line, part_of_order
from engine.kalevala.planes import orders as plane_orders
from engine.kalevala.priests import orders as priest_orders
from engine.kalevala.steps import (
    ambushes,
    apparitions,
    archeron,
    artefacts,
    building,
    captivity,
    caravanning,
    changing,
    converting,
    enfeoffing,
    entering,
    exploring,
    marching,
    miracles,
    misdeeds,
    naming,
    newcomers,
    planning,
    post,
    realm,
    reigning,
    sailing,
    slaves,
    spreading,
    spying,
    stowaways,
    temples,
    trading,
    vortices,
    wagons,
    ways,
)
from engine.kalevala.war.plans import BlockOpening, Planned
from engine.kalevala.window import Window

HANDLERS: Mapping[type, Callable[[Window, PowerId, Line, Any], None]] = {
    orders.Convert: converting.convert,
    orders.EnslavePeople: slaves.enslave,
    orders.Build: building.build,
    orders.Tear: building.tear,
    orders.Repair: building.repair,
    orders.Headquarters: building.make_headquarters,
    orders.WorkOn: ways.work,
    orders.Move: marching.move,
    orders.Sail: sailing.sail,
    orders.Embark: sailing.board,
    orders.Disembark: sailing.disembark,
    orders.Ferry: sailing.ferry,
    orders.Explore: exploring.explore,
    orders.Watch: realm.watch,
    orders.Allow: realm.permit,
    orders.Revoke: realm.revoke,
    orders.Abandon: realm.abandon,
    orders.Capital: realm.name_capital,
    orders.People: realm.move_people,
    orders.Leave: realm.take_leave,
    orders.Enter: entering.enter,
    orders.Settle: entering.settle,
    caravan_orders.CaravanForm: caravanning.form,
    caravan_orders.CaravanMove: caravanning.move,
    caravan_orders.CaravanDissolve: caravanning.dissolve,
    caravan_orders.CloseLand: caravanning.close,
    plane_orders.Transfer: changing.transfer,
    plane_orders.MakePortal: changing.make,
    plane_orders.Rift: changing.rift,
    plane_orders.Vortex: vortices.order,
    artefact_orders.TakeArtefact: artefacts.take,
    artefact_orders.LayArtefact: artefacts.lay,
    artefact_orders.BearArtefact: artefacts.choose_bearer,
    orders.Handover: trading.offer,
    orders.Enfeoff: enfeoffing.offer,
    orders.AcceptFief: enfeoffing.accept,
    orders.Spread: spreading.mark,
    orders.Stance: realm.take_stance,
    agent_orders.AgentGroup: spying.group,
    agent_orders.AgentMove: spying.move,
    agent_orders.AgentScout: spying.scout,
    agent_orders.AgentRide: stowaways.join,
    agent_orders.AgentMisdeed: misdeeds.do,
    agent_orders.AgentBack: misdeeds.back,
    agent_orders.AgentStance: ambushes.order,
    agent_orders.Seize: misdeeds.seize,
    agent_orders.Ransom: spying.ransom,
    agent_orders.Release: spying.release,
    king_orders.KingCreate: reigning.create,
    king_orders.KingPalace: captivity.rebuild,
    king_orders.KingPay: reigning.choose_pay,
    king_orders.KingHeal: reigning.heal,
    king_orders.KingPower: reigning.use_power,
    king_orders.KingAbdicate: reigning.step_down,
    king_orders.KingRansom: captivity.ransom,
    king_orders.KingRelease: captivity.release,
    god_orders.GodCreate: archeron.create,
    god_orders.GodLearn: archeron.learn,
    god_orders.GodMove: archeron.move,
    god_orders.GodScout: archeron.scout,
    god_orders.GodAura: archeron.try_aura,
    god_orders.GodEnter: archeron.enter,
    god_orders.GodAppear: apparitions.appear,
    god_orders.GodCall: apparitions.call,
    god_orders.GodSee: miracles.see,
    god_orders.GodSpeed: miracles.hasten,
    god_orders.GodCarry: miracles.carry,
    god_orders.GodPass: miracles.make_pass,
    priest_orders.Gift: temples.receive,
    priest_orders.Pray: temples.receive,
    priest_orders.Oracle: temples.receive,
    BlockOpening: planning.open_block,
    Planned: planning.plan,
    orders.Write: post.write,
    orders.Contribute: post.contribute,
    orders.Note: post.note,
    culture_orders.Describe: naming.describe,
    culture_orders.Name: naming.name,
    Begin: newcomers.ask,
}
_SPENDS = (
    orders.Convert,
    orders.Build,
    orders.Tear,
    orders.Repair,
    orders.Headquarters,
    orders.WorkOn,
    orders.Watch,
    king_orders.KingCreate,
    king_orders.KingPalace,
)


def carry_out(window: Window) -> None:
    """Carry out every ruler's lines. Those of a module that is off, or of the other window, are refused first."""
    for ruler in window.rulers:
        for line in window.lines(ruler):
            carry_out_one(window, ruler, line)
        entering.close_sheet(window, ruler)
        misdeeds.close_sheet(window, ruler)
        planning.close_sheet(window, ruler)


def carry_out_one(window: Window, ruler: PowerId, line: Line) -> None:
    """Carry out one line, unless it is refused at once."""
    if is_refused_at_once(window, ruler, line):
        return
    _carry_out(window, ruler, line)
    if isinstance(line.order, _SPENDS) and not window.is_refused(ruler, line):
        _warn_of_upkeep(window, ruler, line)


def try_one(window: Window, ruler: PowerId, line: Line) -> None:
    """The same, when only whether the line is refused matters."""
    if not is_refused_at_once(window, ruler, line):
        _carry_out(window, ruler, line)


def is_refused_at_once(window: Window, ruler: PowerId, line: Line) -> bool:
    """V30 and V22, the first tests of every line. Source: rules R-103"""
    if is_absent(window.state, line.order):
        window.refuse(ruler, line, "V30")
        return True
    part = part_of_order(line.order)
    if part is not None and part != window.state.part:
        window.refuse(ruler, line, "V22")
        return True
    return False


def _carry_out(window: Window, ruler: PowerId, line: Line) -> None:
    window.verdict(ruler, line)
    if isinstance(line.order, Arm | orders.Pass):
        return
    before = window.spent[ruler]
    hitched = wagons.prepare(window, ruler, line.order)
    HANDLERS[type(line.order)](window, ruler, line, line.order)
    wagons.put_back(window, ruler, line, hitched)
    window.costs[ruler, line.number] = window.spent[ruler] - before


def _warn_of_upkeep(window: Window, ruler: PowerId, line: Line) -> None:
    """W2 if what the sheet so far leaves can't pay the upkeep. Source: rules R-104"""
    account = books.account(window, ruler)
    due = account.home_due + account.king
    have = books.store(window, ruler)
    if due > have:
        window.warn(ruler, line, "W2", due=due, have=have)
