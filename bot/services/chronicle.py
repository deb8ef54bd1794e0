"""What a player's own power has lived through, from the first phase to the last closed one: for that player alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
        measures: its own side in figures after the phase, in games that count anything.
    """

    title: Phrase
    report: Report
    measures: tuple[tuple[Phrase, float], ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """What a power has lived through.

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
    views = [(_seen(rules, record.start, power), _seen(rules, record.end, power)) for record in records]
    chapters = tuple(
        _chapter(rules, record, before, after, power) for record, (before, after) in zip(records, views, strict=True)
    )
    shown = chosen(range(len(records)))
    first = _map(rules, views[0][0], power)
    seconds = seconds_each(len(shown))
    steps = [Frame(first, BEFORE_S), *(Frame(_map(rules, views[number][1], power), seconds) for number in shown)]
    steps[-1] = Frame(steps[-1].scene, END_S)
    film = Film(first.system, first.variant, steps[-1].scene.title, tuple(steps), viewer=power)
    return Chronicle(game, power, chapters, film, len(shown))


def _seen(rules: AnySystem, document: Mapping[str, Any], power: PowerId) -> View:
    return rules.sight.view(rules.play.load(document), Playing(power))


def _chapter(rules: AnySystem, record: PhaseRecord, before: View, after: View, power: PowerId) -> Chapter:
    viewer = Playing(power)
    known = (result for result in record.results if may_know(viewer, result.audience))
    events = visible_events(record.events, viewer)
    told = rules.telling.report(after, restored(rules, before, known), events)
    sections = [section for section in told.sections if section.kind is not SectionKind.DETAIL]
    sections += [Section(album.title, album.lines) for album in rules.telling.albums(before, events)]
    measures = rules.telling.measures(after) if rules.telling.measures else ()
    return Chapter(rules.play.status(rules.play.load(record.start)).title, Report(tuple(sections)), measures)


def _map(rules: AnySystem, view: View, power: PowerId) -> Depiction:
    """The board as the power knew it; of a large one its own realm."""
    scene = rules.telling.scene(view)
    return own_realm(scene, power) if is_large(scene) else scene
