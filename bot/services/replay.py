"""Plays stored games again: where today's rules, or the dice, give other results than were stored and posted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bot.model import Act, ActKind, Game, GameId, GameStatus, PhaseRecord
from bot.services.acts import History, history_of, made_again, rulings_of
from bot.services.context import Context
from bot.services.course import RULES_VERSION, adjudicate_lines, lines_of
from bot.services.interventions import interventions_of_game
from bot.services.opening import Opening, as_json, compare_opening
from bot.services.seeds import Origin, SeedParts, SeedSpan, origins, parts_of, seed_of, seed_spans, with_seed
from bot.services.table import UNFINISHED, get_game, get_rules, get_table, without_secrets
from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.registry import AnySystem, Order

_TOLD = ("results", "events")
"""What a phase stores besides its positions."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Something that came out differently from what was stored.

    Args:
        what: `end`, `results` or `events`; `start` where a phase does not begin as the one before it ended.
    """

    phase_no: int
    code: str
    what: str
    stored: Any
    computed: Any


def replay(context: Context, game_id: GameId) -> tuple[Drift, ...]:
    """Carry out every closed phase of a game again from its start, its game masters' changes and its sheets.

    Returns: where the rules of today give something else; nothing if the game is bit by bit the same.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        records = tuple(unit.phases.of_game(game_id))
        history = history_of(unit, game, interventions_of_game(unit, game_id))
    return context.workers.run(find_drifts, get_rules(context, game), game, records, history)


def find_drifts(rules: AnySystem, game: Game, records: Sequence[PhaseRecord], history: History) -> tuple[Drift, ...]:
    """Where today's rules give other results than those of a game's closed phases. A job for the workers."""
    drifts = [drift for record in records for drift in _drifts(rules, record)]
    seeds = {record.phase_no: span.seed for span in seed_spans(rules, game, records) for record in span.records}
    going = [record for record in records if not record.is_undone]
    for before, after in pairwise(going):
        seed = seeds[after.phase_no]
        expected = before.end if seed == seeds[before.phase_no] else with_seed(before.end, seed)
        drifts += _compare_starts(rules, after, expected, history.between(game, records, before, after), before)
    return (*drifts, *_first_again(rules, game, records, going, history, seeds))


def _first_again(
    rules: AnySystem,
    game: Game,
    records: Sequence[PhaseRecord],
    going: Sequence[PhaseRecord],
    history: History,
    seeds: Mapping[int, str],
) -> list[Drift]:
    """How a first phase that is played again began differently, apart from what was done since."""
    if not going or going[0] is records[0] or going[0].code != records[0].code or not game.has_acts:
        return []
    first, again = records[0], going[0]
    since = history.of_phase(game, again.phase_no)[len(history.of_phase(game, first.phase_no)) :]
    return _compare_starts(rules, again, with_seed(first.start, seeds[again.phase_no]), since)


@dataclass(frozen=True, slots=True)
class Seal:
    """A seed that a game's dice came from, as far as everybody may know it.

    Args:
        seal: its fingerprint, as it was announced when the game began, or when it first went on with this seed.
        seed: once it is public; `None` before.
        first_code: of the first phase that was played with it, or is to be.
        parts: what it was made of, without the secret until the seed is public; `None` where the bot drew it alone.
        secret_seal: the fingerprint of that secret, as it was posted before the rest was there; empty where it is the
            secret before, of a seed that is not public yet.
        origin: where the secret came from.
    """

    seal: str
    seed: str | None
    first_code: str
    parts: SeedParts | None = None
    secret_seal: str = ""
    origin: Origin = Origin.FIRST


@dataclass(frozen=True, slots=True)
class ToldAct:
    """An act of which everybody may know.

    Args:
        code: of the phase that began with it; `is_opening`: it is the first one.
    """

    code: str
    act: Act
    is_opening: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a game was run by its rules and its dice; nothing of it is secret.

    Args:
        seals: one after the other; the last is the present one.
        phases: how many closed phases were carried out again.
        drifted: codes of those that today's rules closed and that came out differently from what was posted; and of all
            whose seed is not that of their time.
        older: codes of those that other versions of the rules closed.
        versions: those versions, in the order in which they closed phases.
        outgrown: those of `older` that today's rules carry out differently, which is no evidence against the record.
        retold: those of `drifted` and `outgrown` that end in the same position; only the words about them differ
            today.
        acts: what was done to the position between closings, and may be told; all that was done was made again.
        altered: codes of the phases that did not begin as the one before had ended with these acts.
        opening: how the first position compares with the one that is made again from the seed.
        is_exposed: dice are still to fall from a seed that was told, since the game was over for a time.
        has_dice: whether dice fall in this game; the fingerprint of their seed is in its first post.
    """

    game: Game
    seals: tuple[Seal, ...]
    phases: int
    drifted: tuple[str, ...]
    older: tuple[str, ...]
    versions: tuple[str, ...]
    outgrown: tuple[str, ...]
    retold: tuple[str, ...]
    acts: tuple[ToldAct, ...]
    altered: tuple[str, ...]
    is_exposed: bool
    has_dice: bool
    opening: Opening

    @property
    def changes(self) -> int:
        """How many acts after the first phase may be told."""
        return sum(not each.is_opening for each in self.acts)

    @property
    def changed(self) -> tuple[str, ...]:
        """Codes of the later phases that began with them."""
        return tuple(dict.fromkeys(each.code for each in self.acts if not each.is_opening))

    @property
    def seal(self) -> str:
        """About the seed with which the game goes on, or ended."""
        return self.seals[-1].seal

    @property
    def seed(self) -> str | None:
        """The same seed, once it was told."""
        return self.seals[-1].seed


def verify(context: Context, game_id: GameId) -> Verification:
    """Carry out a game again from its seed and its orders, for anybody who asks.

    Raises:
        Refused: there is no such game, or it has not begun.
    """
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
        records = unit.phases.of_game(game_id)
        history = history_of(unit, table.game, interventions_of_game(unit, game_id))
    spans = seed_spans(table.rules, table.game, records)
    drifts = replay(context, game_id)
    reworded = {drift.phase_no: drift.code for drift in drifts if drift.what in _TOLD}
    moved = {drift.phase_no: drift.code for drift in drifts if drift.what == "end"}
    reseeded = {
        record.phase_no: record.code for span in spans for record in span.records if seed_of(record.start) != span.seed
    }
    older = {record.phase_no: record for record in records if record.rules_version != RULES_VERSION}
    otherwise = sorted((reworded | moved | reseeded).items())
    return Verification(
        game=without_secrets(table.game),
        seals=tuple(map(_seal_of, spans, origins(table.game, [span.seed for span in spans]))),
        phases=len(records),
        drifted=tuple(code for number, code in otherwise if number not in older or number in reseeded),
        older=tuple(record.code for record in older.values()),
        versions=tuple(dict.fromkeys(record.rules_version for record in older.values())),
        outgrown=tuple(code for number, code in otherwise if number in older and number not in reseeded),
        retold=tuple(code for number, code in sorted(reworded.items()) if number not in moved | reseeded),
        acts=tuple(_told_acts(table.game, records, history)),
        altered=tuple(drift.code for drift in drifts if drift.what == "start"),
        is_exposed=table.rules.info.has_dice and table.game.status in UNFINISHED and spans[-1].is_public,
        has_dice=table.rules.info.has_dice,
        opening=context.workers.run(compare_opening, table.rules, table.game, table.seats, records, history),
    )


def _told_acts(game: Game, records: Sequence[PhaseRecord], history: History) -> Iterator[ToldAct]:
    """The acts that led to the phases that count; the secret ones once the game is over, when everything is told."""
    going = [record for record in records if not record.is_undone]
    made = [(going[0].code, history.of_phase(game, going[0].phase_no))] if going else []
    made += [(after.code, history.between(game, records, before, after)) for before, after in pairwise(going)]
    for number, (code, acts) in enumerate(made):
        for act in acts:
            if act.kind is ActKind.SEAT:
                continue  # that somebody went or came was announced, and no doing of a game master
            if act.kind.is_announced or game.status is GameStatus.OVER:
                yield ToldAct(code, act, is_opening=number == 0)


def _seal_of(span: SeedSpan, origin: Origin) -> Seal:
    seed = span.seed if span.is_public else None
    parts = parts_of(span.seed)
    if parts is None:
        return Seal(span.seal, seed, span.first_code, origin=origin)
    known = parts if span.is_public else replace(parts, secret="")
    # The fingerprint of a later secret is the one before it, of which earlier dice and cards came.
    is_public = span.is_public or origin in (Origin.FIRST, Origin.NEW)
    return Seal(span.seal, seed, span.first_code, known, parts.seal if is_public else "", origin)


# Replaying


def _drifts(rules: AnySystem, record: PhaseRecord) -> list[Drift]:
    state = rules.play.load(record.start)
    if record.closed_because.is_end:
        over = rules.play.status(rules.play.load(record.end))
        ended = rules.play.end(state, over.winners or (), over.why_over or phrase("agreed.game_master"))
        return _compare(record, "end", record.end, rules.play.dump(ended))
    resolution = adjudicate_lines(rules, state, lines_of(record.sheets), is_excused=record.is_excused)
    return [
        *_compare(record, "results", _rows(record.results), _rows(resolution.results)),
        *_compare(record, "events", _rows(record.events), _rows(resolution.events)),
        *_compare(record, "end", _end_of(rules, record), rules.play.dump(resolution.state)),
    ]


def _compare_starts(
    rules: AnySystem, record: PhaseRecord, expected: Any, acts: Sequence[Act], before: PhaseRecord | None = None
) -> list[Drift]:
    """A phase's start against where the one before ended, with what was done between them."""
    if not acts:
        return _compare(record, "start", record.start, expected)
    if before is not None and before.rules_version != RULES_VERSION and rulings_of(acts):
        return []  # what other rules closed comes out otherwise today, with rulings as without
    try:
        again = rules.play.dump(made_again(rules, rules.play.load(expected), acts, before=before))
    except DocumentError:
        # Today's rules don't take what those of then took.
        return _compare(record, "start", record.start, expected)
    return _compare(record, "start", rules.play.dump(rules.play.load(record.start)), again)


def _end_of(rules: AnySystem, record: PhaseRecord) -> Any:
    """Where a phase ended; what other rules closed is told in today's form, which may have more to it."""
    return record.end if record.rules_version == RULES_VERSION else rules.play.dump(rules.play.load(record.end))


def _compare(record: PhaseRecord, what: str, stored: Any, computed: Any) -> list[Drift]:
    stored, computed = as_json(stored), as_json(computed)
    return [] if stored == computed else [Drift(record.phase_no, record.code, what, stored, computed)]


def _rows(found: Sequence[OrderResult[Order]] | Sequence[Event]) -> list[dict[str, Any]]:
    return [each.to_json() for each in found]
