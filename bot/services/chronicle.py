"""The history of a player's own power, from the first phase to the last closed one: for that player alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import Game, GameId, PhaseRecord, UserId
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.films import BEFORE_S, END_S, chosen, seconds_each
from bot.services.table import get_game, get_rules, get_seat, without_secrets
from engine.core.depiction import Depiction
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import may_know
from engine.core.phrases import Phrase
from engine.core.reading import restored
from engine.core.report import Report, Section, SectionKind
from engine.core.viewer import Playing
from engine.pictures.film import Film, Frame
from engine.pictures.realm import is_large, own_realm
from engine.registry import AnySystem, View


@dataclass(frozen=True, slots=True)
class Chapter:
    """A closed phase as the power saw it.

    Args:
        report: what happened, and what became of its orders.
        measures: figures about its own side after the phase, in games that have any.
        era: the part of the game that it belongs to, in games that have such parts.
    """

    title: Phrase
    report: Report
    measures: tuple[tuple[Phrase, float], ...]
    era: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The history of a power.

    Args:
        film: the map through time; `shown`: of how many of the chapters.
    """

    game: Game
    power: PowerId
    chapters: tuple[Chapter, ...]
    film: Film
    shown: int


def chronicle(context: Context, game_id: GameId, user_id: UserId) -> Chronicle:
    """The chronicle of a player's power.

    Raises:
        Refused: there is no such game, the person does not play in it, or no phase has closed.
        WorkFailed: it took too long.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seat = get_seat(game, unit.games.seats(game_id), user_id)
        records = tuple(record for record in unit.phases.of_game(game_id) if not record.is_undone)
    if seat.power is None or not records:
        raise refused("no_closed_phase")
    return context.workers.run(written, get_rules(context, game), without_secrets(game), seat.power, records)


def written(rules: AnySystem, game: Game, power: PowerId, records: Sequence[PhaseRecord]) -> Chronicle:
    """The chronicle from closed phases, one at least. A job for the workers."""
    pages = [_page(rules, record, power) for record in records]
    # Before its player came, the power has no history.
    first_page = next((number for number, page in enumerate(pages) if page.is_there), len(pages) - 1)
    records, pages = records[first_page:], pages[first_page:]
    views = [(page.before, page.after) for page in pages]
    chapters = tuple(
        _chapter(rules, record, page.title, page.before, page.after, power)
        for record, page in zip(records, pages, strict=True)
    )
    shown = chosen(range(len(records)))
    first = _map(rules, views[0][0], power)
    seconds = seconds_each(len(shown))
    steps = [Frame(first, BEFORE_S), *(Frame(_map(rules, views[number][1], power), seconds) for number in shown)]
    steps[-1] = Frame(steps[-1].scene, END_S)
    film = Film(first.system, first.variant, steps[-1].scene.title, tuple(steps), viewer=power)
    return Chronicle(game, power, chapters, film, len(shown))


@dataclass(frozen=True, slots=True)
class _Page:
    """A closed phase in the eyes of a power.

    Args:
        is_there: whether it is in the game by the end of the phase, and not a place kept for somebody.
    """

    title: Phrase
    before: View
    after: View
    is_there: bool


def _page(rules: AnySystem, record: PhaseRecord, power: PowerId) -> _Page:
    start, end = rules.play.load(record.start), rules.play.load(record.end)
    before, after = (rules.sight.view(state, Playing(power)) for state in (start, end))
    return _Page(rules.play.status(start).title, before, after, power not in rules.play.status(end).places)


def _chapter(
    rules: AnySystem, record: PhaseRecord, title: Phrase, before: View, after: View, power: PowerId
) -> Chapter:
    viewer = Playing(power)
    known = (result for result in record.results if may_know(viewer, result.audience))
    events = visible_events(record.events, viewer)
    told = rules.telling.report(after, restored(rules, before, known), events)
    sections = [section for section in told.sections if section.kind is not SectionKind.DETAIL]
    sections += [Section(album.title, album.lines) for album in rules.telling.albums(before, events)]
    measures = rules.telling.measures(after) if rules.telling.measures else ()
    era = rules.telling.era(before) if rules.telling.era else None
    return Chapter(title, Report(tuple(sections)), measures, era)


def _map(rules: AnySystem, view: View, power: PowerId) -> Depiction:
    """The board as the power knew it; if it is large, the power's own realm."""
    scene = rules.telling.scene(view)
    return own_realm(scene, power) if is_large(scene) else scene
