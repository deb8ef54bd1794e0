"""The windows, each as the visible list of its steps. Source: rules 5.1, 5.2, R-006"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.kalevala.model import ORDERS_PART, State
from engine.kalevala.orders import Line
from engine.kalevala.steps import (
    ambushes,
    apparitions,
    archeron,
    arming,
    artefacts,
    captivity,
    caravanning,
    closing,
    decreeing,
    dethroning,
    enfeoffing,
    entries,
    exploring,
    fleets,
    holdings,
    lines,
    magic,
    marauding,
    miracles,
    misdeeds,
    murders,
    newcomers,
    opening,
    post,
    reigning,
    scoring,
    scouting,
    seizing,
    slaves,
    spreading,
    spying,
    stowaways,
    temples,
    trading,
    upkeep,
    vortices,
    warfare,
)
from engine.kalevala.window import Step, Window

P1: tuple[Step, ...] = (
    opening.end_invasions,
    opening.open_books,  # note what everybody has
    opening.name_capitals,  # lost capitals are replaced
    magic.restore_wizards,  # who were mortal
    magic.call_apprentices,  # for dead wizards
    opening.arm_marauders,
    slaves.work,
    arming.arm,  # ARM lines, then all else in place
    spreading.spread,  # winners of battles over the land won
    lines.carry_out,  # CONVERT, BUILD, MOVE, EXPLORE … in written order
    stowaways.ride,  # agents in caravans and craft
    reigning.live,  # kings heal
    temples.serve,  # gifts, ZEH of priests, the oracle
    temples.forsake,  # that have no priest
    upkeep.pay,
    reigning.pay,  # kings, once all others are paid
    dethroning.abdicate,  # kings who were told to go, and unpaid ones
    caravanning.pay,
    spying.pay,  # agents abroad and captives, by what they carry
    exploring.set_out,  # scouts whose warriors have left stay at home
    spying.lose_cut_off,  # agents whose headquarters fell
    holdings.confirm,  # land where nobody stands falls to the natives
    enfeoffing.confirm,  # so do fiefs that their holders have not entered
    spying.open_prisons,  # captives where land changed hands
    holdings.decay,  # damaged works fall apart
    captivity.watch_palaces,
    spying.watch_headquarters,
)
"""The window of orders."""

P2: tuple[Step, ...] = (
    reigning.catch_fever,
    temples.inherit,  # from priests who died
    slaves.count_guards,  # those whom nobody guards are gone
    holdings.tell_ledgers,
    enfeoffing.remind,  # fiefs that will end
    spying.walk,  # agents
    spying.look,  # detection, and what they see
    scouting.explore,
    archeron.go,  # gods
    miracles.tell,  # what they see on earth
    spying.notice_scouts,
    post.deliver,
    post.print_courier,
    closing.count_missing,
    closing.give_up,
    magic.roll_sorcery,
    archeron.tell_offerings,
    archeron.forget,  # gods without followers
    decreeing.come_about,  # decrees of game masters, outside the rules
    newcomers.begin,
    artefacts.settle,  # whoever now sees one learns of it
)
"""What the game master does after it."""

P3: tuple[Step, ...] = (lines.carry_out,)
"""The window of deeds."""

P4: tuple[Step, ...] = (
    archeron.fight,  # gods, before anything on earth
    caravanning.travel,
    stowaways.ride,  # agents in caravans and craft
    vortices.pull_away,  # those who stand at a portal, against their will
    trading.exchange,  # what two rulers both ordered
    marauding.rise,  # groups whose dice allow it
    entries.walk_in,  # permitted entries
    entries.occupy,
    entries.settle,
    spying.exchange,  # captives for ransom
    captivity.exchange,  # kings and courts likewise
    misdeeds.act,  # deeds of agents
    seizing.seize_all,  # caravans
    murders.seize_found,
    misdeeds.go_back,
    vortices.swallow,  # those who come to attack a portal
    entries.conquer,  # entries into empty land
    warfare.fight,  # attacks on land in which somebody stands
    warfare.march_on,  # entries that start in land taken just now
    apparitions.miss,  # gods who were sent to battles that did not take place
    warfare.void_plans,  # for battles that did not take place
    ambushes.tell_vain,
    fleets.secure,  # figures on the high sea without a craft drown
    stowaways.ride,  # agents in craft that came or fled
    stowaways.leave_wrecks,
    temples.inherit,  # from priests who died
    enfeoffing.hand_over,  # fiefs: given, renewed, over
    warfare.join_parts,  # of divided fields, if one ruler has them all
    dethroning.mourn,  # rulers whose king is dead
    slaves.count_guards,
    closing.drop_out,
    artefacts.drop_unguarded,
    closing.forfeit,  # what is left unguarded abroad
    spying.conclude,
    caravanning.conclude,
    archeron.forget,
    archeron.end_round,
    miracles.end_round,
    closing.remember,
    post.deliver,
    closing.count_missing,
    closing.leave_vacant,
    closing.give_up,
    captivity.watch_palaces,  # and prisons, after land changed hands
    spying.watch_headquarters,
    closing.expire,
    closing.begin_anew,
    decreeing.come_about,
    newcomers.begin,
    artefacts.settle,
    scoring.count,
    scoring.tell,
)
"""What the game master does after it."""


def run(state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Streams) -> Window:
    """A whole window and what follows it. A ruler who is missing in `sheets` sent none; an empty sheet is a sheet."""
    steps = (*P1, *P2) if state.part == ORDERS_PART else (*P3, *P4)
    return _go(Window(state, sheets, dice), steps)


def rehearse(seen: State, ruler: PowerId, sheet: Sequence[Line]) -> Window:
    """Rehearse one ruler's window, with what that ruler knows and without dice."""
    return _go(Window(seen, {ruler: sheet}, None), P1 if seen.part == ORDERS_PART else P3)


def attempt(seen: State, ruler: PowerId, sheet: Sequence[Line]) -> Window:
    """The same, only as far as the lines, when all that matters is whether one is refused."""
    steps = P1 if seen.part == ORDERS_PART else P3
    last = temples.serve if seen.part == ORDERS_PART else lines.carry_out
    return _go(Window(seen, {ruler: sheet}, None), steps[: steps.index(last) + 1])


def is_allowed_below(begun: Window, ruler: PowerId, line: Line) -> bool:
    """Whether one more line below those of an attempt at P1 would be accepted; the attempt is not changed."""
    trial = begun.forked()
    new = replace(line, number=len(trial.lines(ruler)) + 1)
    trial.sheets[ruler] = (*trial.lines(ruler), new)
    lines.try_one(trial, ruler, new)
    temples.serve(trial)
    return not trial.is_refused(ruler, new)


def _go(window: Window, steps: Sequence[Step]) -> Window:
    for step in steps:
        step(window)
    return window
