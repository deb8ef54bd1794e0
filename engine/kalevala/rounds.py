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
    archeron,
    arming,
    artefacts,
    caravanning,
    closing,
    decreeing,
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
from engine.kalevala.working import Round, Step

P1: tuple[Step, ...] = (
    opening.open_books,  # what there is
    opening.end_invasions,
    opening.name_capitals,  # lost capitals are replaced
    magic.restore_wizards,  # those who were mortal
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
    reigning.pay,  # kings, once all others are paid; who has to go goes
    caravanning.pay,
    spying.pay,  # agents abroad and captives, by what they carry
    exploring.set_out,  # scouts who have nobody to come from stay at home
    spying.lose_cut_off,  # agents whose headquarters fell
    holdings.confirm,  # land without a man falls to the natives
    enfeoffing.confirm,  # so do fiefs that nobody has entered
    holdings.decay,  # damaged works fall apart
    reigning.watch_palaces,
)
"""The window of orders."""

P2: tuple[Step, ...] = (
    reigning.catch_fever,
    temples.inherit,  # from priests who died
    slaves.count_guards,  # who nobody guards is gone
    holdings.tell_ledgers,
    enfeoffing.remind,  # fiefs that will end
    spying.walk,  # agents
    spying.look,  # who detects them, what they see
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
    decreeing.come_about,  # what a game master does that the rules don't have
    newcomers.begin,
    artefacts.settle,  # whoever comes to see one hears of it
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
    marauding.rise,  # groups whom chance lets loose
    entries.walk_in,  # permitted entries
    entries.occupy,
    entries.settle,
    spying.exchange,  # captives for ransom
    reigning.exchange,  # kings and courts likewise
    misdeeds.act,  # deeds of agents
    caravanning.seize_all,
    murders.seize_found,
    misdeeds.go_back,
    vortices.swallow,  # those who come to attack a portal
    entries.conquer,  # walks into empty land
    warfare.fight,  # attacks on land in which somebody stands
    warfare.march_on,  # entries out of land that was taken just now
    archeron.miss,  # who came for a battle that was none
    warfare.void_plans,  # those for battles that did not come
    ambushes.tell_vain,
    fleets.secure,  # who stands on the high sea without a craft
    stowaways.ride,  # agents in craft that came or fled
    stowaways.leave_wrecks,
    temples.inherit,  # from priests who died
    enfeoffing.hand_over,  # fiefs: given, renewed, over
    warfare.join_parts,  # of divided fields, where one ruler has them all
    reigning.mourn,  # whoever's king is dead
    slaves.count_guards,
    closing.drop_out,
    spying.conclude,
    caravanning.conclude,
    archeron.end_round,
    miracles.end_round,
    closing.remember,
    post.deliver,
    closing.count_missing,
    closing.leave_vacant,
    closing.give_up,
    reigning.watch_palaces,  # and prisons: what fell to whom
    closing.expire,
    closing.begin_anew,
    decreeing.come_about,
    newcomers.begin,
    artefacts.settle,
    scoring.count,
    scoring.tell,
)
"""What the game master does after it."""


def run(state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Streams) -> Round:
    """A whole window and what follows it. A ruler who is missing in `sheets` sent none; an empty sheet is a sheet."""
    steps = (*P1, *P2) if state.part == ORDERS_PART else (*P3, *P4)
    return _go(Round(state, sheets, dice), steps)


def rehearse(seen: State, ruler: PowerId, sheet: Sequence[Line]) -> Round:
    """One ruler's window on trial, by what that ruler knows, with nothing left to chance."""
    return _go(Round(seen, {ruler: sheet}, None), P1 if seen.part == ORDERS_PART else P3)


def attempt(seen: State, ruler: PowerId, sheet: Sequence[Line]) -> Round:
    """The same as far as the lines go, for whoever asks no more than whether one is refused."""
    steps = P1 if seen.part == ORDERS_PART else P3
    last = temples.serve if seen.part == ORDERS_PART else lines.carry_out
    return _go(Round(seen, {ruler: sheet}, None), steps[: steps.index(last) + 1])


def is_allowed_below(begun: Round, ruler: PowerId, line: Line) -> bool:
    """Whether one more line below those of an attempt at P1 is not refused; the attempt stays as it is."""
    trial = begun.forked()
    new = replace(line, number=len(trial.lines(ruler)) + 1)
    trial.sheets[ruler] = (*trial.lines(ruler), new)
    lines.try_one(trial, ruler, new)
    temples.serve(trial)
    return not trial.is_refused(ruler, new)


def _go(round_: Round, steps: Sequence[Step]) -> Round:
    for step in steps:
        step(round_)
    return round_
