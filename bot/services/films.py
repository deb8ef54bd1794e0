"""Closed phases and whole games as animations, and everybody's standing from year to year as a chart.

All of it is made from what everybody may know, whoever asks: these pictures are meant to be passed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.model import Game, GameId, GameStatus, PhaseRecord
from bot.services.context import Context
from bot.services.errors import refused_with
from bot.services.inspect import PhaseView, find_phase_no, phase_view, require_board
from bot.services.table import get_game, get_rules, without_secrets
from engine.core.depiction import Depiction
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import may_know
from engine.core.phrases import Phrase, phrase
from engine.core.reading import restored
from engine.core.standings import Standings
from engine.core.viewer import EVERYBODY
from engine.pictures.chart import Chart
from engine.pictures.film import Film, Frame
from engine.registry import AnySystem, View

T = TypeVar("T")
Winners = tuple[PowerId, ...] | None
"""Who has won; `None`: the game isn't over."""

MOST_STEPS = 36
"""The most phases of a film: a dozen seconds of drawing on a small machine, and less than a minute to watch."""
_WHOLE_S = 45.0
"""A whole game takes about this long, but each of its steps no less and no more than these."""
_LEAST_S, _MOST_S = 0.8, 2.0
BEFORE_S, _ORDERS_S, END_S = 1.5, 4.0, 5.0
"""The first position, what was ordered, and the last position."""


@dataclass(frozen=True, slots=True)
class PhaseFilm:
    """A closed phase: the position before, the orders and their results, and the position after.

    Args:
        view: the phase, as everybody may see it.
    """

    view: PhaseView
    film: Film


@dataclass(frozen=True, slots=True)
class GameFilm:
    """A game that is over, from its first position to its last.

    Args:
        shown: how many of its `phases` the film shows.
        first, last: titles of the first and the last position.
        chart: the standings; `None` in games that count nothing.
    """

    game: Game
    film: Film
    phases: int
    shown: int
    first: Phrase
    last: Phrase
    chart: Chart | None


def replay_film(context: Context, game_id: GameId, phase: str | None) -> PhaseFilm | GameFilm:
    """A closed phase; if none is named the last one, or the whole game if it is over.

    Raises:
        Refused: there is no such game, no such phase that has closed, or no board that everybody may see.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        codes = unit.phases.codes(game_id)
        is_whole = phase is None and game.status is GameStatus.OVER and bool(codes)
        records = _going(unit.phases.of_game(game_id)) if is_whole else ()
        winners = _winners(context, game)
    require_board(get_rules(context, game), game, EVERYBODY)
    if phase is not None and game.status in _GOING and phase.strip().casefold() == game.phase_code.casefold():
        raise refused_with(phrase("refused.hint.not_closed"), "phase_not_closed", code=game.phase_code)
    if is_whole:
        return context.workers.run(whole_game, get_rules(context, game), without_secrets(game), records, winners)
    return phase_film(phase_view(context, game_id, find_phase_no(codes, phase), EVERYBODY))


_GOING = (GameStatus.RUNNING, GameStatus.PAUSED)


def phase_film(view: PhaseView) -> PhaseFilm:
    """The film of a closed phase."""
    scene = view.scene_of_results
    steps = (
        Frame(view.scene_before, BEFORE_S),
        Frame(scene, _ORDERS_S),
        Frame(view.scene_after, END_S),
    )
    return PhaseFilm(view, Film(scene.system, scene.variant, scene.title, steps))


def standings_chart(context: Context, game_id: GameId, *, until: int | None = None) -> Chart | None:
    """Everybody's standing from year to year.

    Args:
        until: the number of the phase to look back from; `None`: the last one that has closed.

    Returns: `None` before the first year is over, and in games that count nothing.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        rules = get_rules(context, game)
        if rules.telling.standings is None:
            return None
        records = _going(unit.phases.of_game(game_id))
        winners = _winners(context, game)
    past = tuple(record for record in records if until is None or record.phase_no <= until)
    if len(past) < len(records):
        winners = None
    return context.workers.run(chart_of, rules, without_secrets(game), past, winners) if past else None


def _winners(context: Context, game: Game) -> Winners:
    """Who has won a game that is over, also by agreement; `None`: it isn't over."""
    if game.status is not GameStatus.OVER or game.document is None:
        return None
    rules = get_rules(context, game)
    return rules.play.status(rules.play.load(game.document)).winners


def _going(records: Sequence[PhaseRecord]) -> tuple[PhaseRecord, ...]:
    return tuple(record for record in records if not record.is_undone)


# Jobs for the workers


def whole_game(rules: AnySystem, game: Game, records: Sequence[PhaseRecord], winners: Winners = None) -> GameFilm:
    """The film of a game from its closed phases."""
    seen = [_Seen.of(rules, record) for record in records]
    chart = _chart(rules, game, seen, winners)
    shown = _chosen(seen)
    seconds = seconds_each(len(shown))
    steps = [Frame(_orders_scene(rules, one), seconds, _until(chart, one)) for one in shown]
    end = rules.telling.scene(seen[-1].after)
    steps.append(Frame(end, END_S, chart))
    return GameFilm(
        game=game,
        film=Film(end.system, end.variant, end.title, tuple(steps)),
        phases=len(seen),
        shown=len(shown),
        first=seen[0].title,
        last=end.title,
        chart=chart,
    )


def chart_of(rules: AnySystem, game: Game, records: Sequence[PhaseRecord], winners: Winners = None) -> Chart | None:
    """The chart of the standings from closed phases; `None` before a year is over."""
    return _chart(rules, game, [_Seen.of(rules, record) for record in records], winners)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A closed phase as everybody may see it."""

    record: PhaseRecord
    title: Phrase
    kind: str
    before: View
    after: View
    start: Standings | None
    end: Standings | None
    is_last: bool
    """The game ended with it."""

    @classmethod
    def of(cls, rules: AnySystem, record: PhaseRecord) -> _Seen:
        state = rules.play.load(record.start)
        before = rules.sight.view(state, EVERYBODY)
        end_state = rules.play.load(record.end)
        after = rules.sight.view(end_state, EVERYBODY)
        count, status = rules.telling.standings, rules.play.status(state)
        start, end = (count(before), count(after)) if count is not None else (None, None)
        is_last = rules.play.status(end_state).winners is not None
        return cls(record, status.title, status.kind, before, after, start, end, is_last)


def _chosen(seen: Sequence[_Seen]) -> Sequence[_Seen]:
    """The phases that a film shows: those in which something happened, as many as there is room for.

    If there are too many, only those of the most common kind; if there are still too many, an even selection of these.
    """
    moved = [one for one in seen if one.record.results or one.record.events] or list(seen)
    if len(moved) > MOST_STEPS:
        usual = Counter(one.kind for one in moved).most_common(1)[0][0]
        moved = [one for one in moved if one.kind == usual]
    return chosen(moved)


def chosen(steps: Sequence[T]) -> Sequence[T]:
    """As many steps as a film has room for, evenly spaced, including the first and the last."""
    if len(steps) <= MOST_STEPS:
        return steps
    last = len(steps) - 1
    return [steps[round(number * last / (MOST_STEPS - 1))] for number in range(MOST_STEPS)]


def seconds_each(steps: int) -> float:
    """How long each step is shown in a film with this many."""
    return min(max(_WHOLE_S / steps, _LEAST_S), _MOST_S)


def _orders_scene(rules: AnySystem, one: _Seen) -> Depiction:
    known = (result for result in one.record.results if may_know(EVERYBODY, result.audience))
    results = restored(rules, one.before, known)
    return rules.telling.scene(one.before, results=results, events=visible_events(one.record.events, EVERYBODY))


def _until(chart: Chart | None, one: _Seen) -> Chart | None:
    """The chart as it is when a phase begins: its own year isn't over yet."""
    return None if chart is None or one.start is None else chart.until(one.start.time - 1)


def _chart(rules: AnySystem, game: Game, seen: Sequence[_Seen], winners: Winners) -> Chart | None:
    ends: dict[int, Standings] = {}
    for one in seen:
        if one.start is None or one.end is None or not one.end.figures:
            continue
        if one.end.time > one.start.time or one.is_last:
            ends[one.start.time] = one.end
    first = seen[0].start if seen else None
    if first is None or not ends:
        return None
    powers = tuple(dict.fromkeys((*first.figures, *(power for end in ends.values() for power in end.figures))))
    atlas = rules.sight.atlas(seen[-1].after)
    return Chart(
        system=rules.info.id,
        variant=atlas.id,
        title=first.what,
        caption=phrase("message.caption", game=game.name),
        times=tuple(ends),
        powers=tuple(atlas.powers.values()),
        courses={
            power: (first.figures.get(power, 0), *(end.figures.get(power, 0) for end in ends.values()))
            for power in powers
        },
        decides=first.decides,
        outcome=None if winners is None else _outcome([atlas.powers[power].in_sentence for power in winners]),
    )


def _outcome(winners: Sequence[str]) -> Phrase:
    code = {0: "film.nobody", 1: "film.won"}.get(len(winners), "film.shared")
    return phrase(code, powers=tuple(winners))
