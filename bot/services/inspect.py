"""What can be looked at: the present position, and closed phases. Each viewer sees what their power may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.model import ClosedBecause, Game, GameId, GameStatus, PhaseRecord, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context
from bot.services.errors import did_you_mean, refused, refused_with
from bot.services.interventions import EDITED, Intervention, interventions_of_phase
from bot.services.positions import position_of
from bot.services.scenarios import has_own_map
from bot.services.seeds import seed_of
from bot.services.setup import start_state
from bot.services.table import Table, get_game, get_rules, get_table, power_of, read_table, without_secrets
from engine.core.depiction import Depiction
from engine.core.dice import seal
from engine.core.documents import seen_document
from engine.core.events import Event, visible_events
from engine.core.outcome import OrderResult, may_know
from engine.core.phrases import Phrase
from engine.core.reading import restored
from engine.core.report import Report
from engine.core.telling import Newspaper
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing, Viewer, viewer_of
from engine.pictures.realm import is_large, own_part
from engine.registry import AnySystem, Order


@dataclass(frozen=True, slots=True)
class BoardView:
    """The present position as a viewer may see it.

    Args:
        text: the same in words.
        viewer: whose view it is.
    """

    game: Game
    title: Phrase
    scene: Depiction
    text: Report
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class PhaseView:
    """A closed phase as a viewer may see it.

    Args:
        scene_before: the position before; `scene_of_results` the same with the orders and how they went.
        scene_after: the resulting position; `text` the same in words.
        headline: what everybody will talk about, the most important news first.
        report: what happened and why.
        late_s: whole seconds after the deadline.
        is_undone: a rollback went back before it.
        record: the phase as JSON for programs, in games without secrets that have results in a form of their own.
        seal: the fingerprint of the seed of its dice; `None` in games without dice.
        next_deadline_at: when the orders for the phase after it are due, as long as that one is open.
        interventions: what game masters did in it, oldest first.
        has_board: whether the viewer is shown maps; the public is shown none if there is no public board.
        newspaper: what players have written for everybody; `None`: no issue came out.
    """

    game: Game
    phase_no: int
    code: str
    title: Phrase
    scene_before: Depiction
    scene_of_results: Depiction
    scene_after: Depiction
    headline: tuple[Phrase, ...]
    report: Report
    text: Report
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]
    viewer: Viewer
    closed_at: datetime
    closed_because: ClosedBecause
    late_s: int
    is_undone: bool
    record: Mapping[str, Any] | None = None
    seal: str | None = None
    next_deadline_at: datetime | None = None
    interventions: tuple[Intervention, ...] = ()
    has_board: bool = True
    newspaper: Newspaper | None = None


def board(context: Context, game_id: GameId, user_id: UserId | None) -> BoardView:
    """The present position, for a person or (`None`) for the public; before the start that of a scenario with a map.

    Raises:
        Refused: there is no such game, it has not begun, or there is no board for people without a power.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
    table = _preview(context, game) or read_table(context, game, seats)
    viewer = viewer_of(power_of(table.seats, user_id))
    require_board(table.rules, game, viewer)
    return _board(table, viewer)


def at_hand(view: BoardView) -> BoardView:
    """The position as its player looks at it first: on a large board their own realm."""
    if not isinstance(view.viewer, Playing) or not is_large(view.scene):
        return view
    return replace(view, scene=own_part(view.scene, view.viewer.power))


def preview_board(context: Context, game: Game) -> BoardView | None:
    """How a game that is waiting for players will begin; `None` if that depends on its secret seed, or is past."""
    table = _preview(context, game)
    return None if table is None or not has_board(table.rules, EVERYBODY) else _board(table, EVERYBODY)


def has_board(rules: AnySystem, viewer: Viewer) -> bool:
    """Whether there is a board for this viewer."""
    return rules.info.has_public_board or viewer != EVERYBODY


def require_board(rules: AnySystem, game: Game, viewer: Viewer) -> None:
    """Accept only viewers for whom there is a board.

    Raises:
        Refused: there is no public board, and the viewer is the public.
    """
    if not has_board(rules, viewer):
        raise refused("no_public_board", game=game.name)


def _board(table: Table, viewer: Viewer) -> BoardView:
    view = table.rules.sight.view(table.state, viewer)
    return BoardView(
        game=without_secrets(table.game),
        title=table.status.title,
        scene=table.rules.telling.scene(view),
        text=table.rules.telling.text_board(view),
        viewer=viewer,
    )


def _preview(context: Context, game: Game) -> Table | None:
    rules = get_rules(context, game)
    if game.status is not GameStatus.LOBBY or not has_own_map(rules, game.scenario):
        return None
    state = start_state(rules, game, seed="")
    return Table(game, (), rules, state, rules.play.status(state))


def briefing(context: Context, game_id: GameId, viewer: Viewer) -> Report:
    """What is asked of a viewer in the present phase; for the public: what the phase is about.

    Raises:
        Refused: there is no such game, or it has not begun.
    """
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
    return table.rules.telling.briefing(table.rules.sight.view(table.state, viewer))


def history(context: Context, game_id: GameId, user_id: UserId | None, phase: str | None) -> PhaseView:
    """One closed phase, for a person or (`None`) for the public.

    Args:
        phase: its code, in upper or lower case; `None`: the last one.

    Raises:
        Refused: there is no such game or phase; near misses are named.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        record = unit.phases.find(game_id, find_phase_no(unit.phases.codes(game_id), phase))
        assert record is not None, "listed phases are stored"
        rules = get_rules(context, game)
        printed = _newspaper(unit, rules, record)
        interventions = interventions_of_phase(unit, record)
    return replace(_view(rules, game, record, interventions, viewer_of(power_of(seats, user_id))), newspaper=printed)


def phase_view(context: Context, game_id: GameId, phase_no: int, viewer: Viewer) -> PhaseView:
    """One closed phase by its number, undone or not, as a viewer may see it.

    Raises:
        Refused: there is no such game or phase.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        record = unit.phases.find(game_id, phase_no)
        if record is None:
            raise refused("unknown_phase", phase=str(phase_no))
        rules = get_rules(context, game)
        printed = _newspaper(unit, rules, record)
        interventions = interventions_of_phase(unit, record)
    return replace(_view(rules, game, record, interventions, viewer), newspaper=printed)


def _newspaper(unit: UnitOfWork, rules: AnySystem, record: PhaseRecord) -> Newspaper | None:
    """The issue that came out with a phase; its news covers the previous phase too, unless that was undone."""
    if rules.telling.newspaper is None:
        return None
    numbers = [number for number, _ in unit.phases.codes(record.game_id) if number < record.phase_no]
    before = unit.phases.find(record.game_id, numbers[-1]) if numbers else None
    return rules.telling.newspaper(
        rules.sight.view(position_of(rules, record.end), EVERYBODY),
        visible_events(record.events, EVERYBODY),
        visible_events(before.events, EVERYBODY) if before else (),
    )


def phase_codes(context: Context, game_id: GameId) -> Sequence[tuple[int, str]]:
    """Numbers and codes of the closed phases, in order, without those that were undone."""
    with context.reading() as unit:
        return unit.phases.codes(game_id)


def phase_titles(context: Context, game_id: GameId) -> Sequence[tuple[str, Phrase]]:
    """Codes and titles of the last 25 closed phases, without those that were undone, the last first.

    Each position is read for its title, so this takes longer than `phase_codes`. Completion offers no more than 25.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        rules = get_rules(context, get_game(unit, game_id))
        found: list[tuple[str, Phrase]] = []
        for number, code in reversed(unit.phases.codes(game_id)[-_TITLED:]):
            record = unit.phases.find(game_id, number)
            assert record is not None, "listed phases are stored"
            # Not by `position_of`: so many old positions would drive out those that are being announced.
            found.append((code, rules.play.status(rules.play.load(record.start)).title))
    return tuple(found)


def find_phase_no(codes: Sequence[tuple[int, str]], phase: str | None) -> int:
    """The number of the phase with a code, or of the last one; of a code such as `T7` its number is enough.

    Raises:
        Refused: there is none; near misses are named.
    """
    if not codes:
        raise refused("no_closed_phase")
    if phase is None or not phase.strip() or phase.strip().casefold() == "last":
        return codes[-1][0]
    wanted = phase.strip().casefold()
    for number, code in codes:
        if code.casefold() == wanted or (wanted.isdecimal() and code[1:] == wanted):
            return number
    raise refused_with(did_you_mean(phase, [code for _, code in codes]), "unknown_phase", phase=phase.strip()[:40])


def _view(
    rules: AnySystem, game: Game, record: PhaseRecord, interventions: tuple[Intervention, ...], viewer: Viewer
) -> PhaseView:
    start, end = position_of(rules, record.start), position_of(rules, record.end)
    before, after = rules.sight.view(start, viewer), rules.sight.view(end, viewer)
    known = (result for result in record.results if may_know(viewer, result.audience))
    results, events = restored(rules, before, known), visible_events(record.events, viewer)
    return PhaseView(
        game=without_secrets(game),
        phase_no=record.phase_no,
        code=record.code,
        title=rules.play.status(start).title,
        scene_before=rules.telling.scene(before),
        scene_of_results=rules.telling.scene(before, results=results, events=events),
        scene_after=rules.telling.scene(after),
        headline=rules.telling.headline(before, after),
        report=rules.telling.report(after, results, events),
        text=rules.telling.text_board(after),
        results=results,
        events=events,
        viewer=viewer,
        closed_at=record.closed_at,
        closed_because=record.closed_because,
        late_s=record.late_s,
        is_undone=record.is_undone,
        record=_open_record(rules, record, results, events),
        seal=seal(seed_of(record.start)) if rules.info.has_dice else None,
        next_deadline_at=game.deadline_at if game.phase_no == record.phase_no + 1 else None,
        interventions=_untold(rules, interventions, record.events),
        has_board=has_board(rules, viewer),
    )


def _untold(
    rules: AnySystem, interventions: Sequence[Intervention], events: Sequence[Event]
) -> tuple[Intervention, ...]:
    """What game masters did, without the changes that the phase's report already mentions."""
    reported = rules.edits.reported(events) if rules.edits else ()
    return tuple(each for each in interventions if each.code != EDITED or each.args["text"] not in reported)


_TITLED = 25
"""How many phases can be named by their titles."""


def _open_record(
    rules: AnySystem, record: PhaseRecord, results: Sequence[OrderResult[Order]], events: Sequence[Event]
) -> Mapping[str, Any] | None:
    """The phase for programs, in games whose positions are open to all and whose results have rows of their own."""
    rows = rules.telling.rows
    if rules.info.has_secrets or rows is None:
        return None
    words = load_phrases(rules.info.id)
    view = rules.sight.view(position_of(rules, record.end), EVERYBODY)
    return {
        "phase": record.code,
        "results": rows.of_results(view, results, {}, words.render),
        "events": [words.render(event.what) for event in events],
        "position": seen_document(record.end),
    }
