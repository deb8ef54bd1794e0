"""A closed phase: the outcome of every order under its map, then the new position with its board in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.model import ClosedBecause
from bot.services.inspect import PhaseView
from bot.services.interventions import what_was_done
from bot.text.board import (
    board_file,
    board_picture,
    brief_text,
    headline_line,
    plain_time,
    report_file,
    report_text,
    results_picture,
)
from bot.text.buttons import button, buttons
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import Action
from bot.text.discord_limits import BRIEF, LONGEST_POST, fit
from bot.text.markdown import Markup, full_time
from bot.text.message import Button, Embed, Message, ScenePicture, TextFile
from bot.text.newspaper import newspaper_file
from engine.core.phrases import phrase
from engine.pictures.close_ups import close_ups

RECORD_FILE = "turn.json"
_MASTERS_CLOSE = frozenset({ClosedBecause.GAME_MASTER, ClosedBecause.ENDED})
_LATE_S = 60
"""A phase that closes this much after its deadline is said to be late."""


def results_messages(view: PhaseView, *, as_text: bool = False) -> tuple[Message, ...]:
    """A closed phase and the position after it, for whoever the view was made for; `as_text`: without pictures."""
    position = _new_position(words_of(view.game), view, as_text=as_text)
    return (*story_messages(view, as_text=as_text), *position)


def story_messages(view: PhaseView, *, as_text: bool = False, is_all_read: bool | None = None) -> tuple[Message, ...]:
    """What happened in a closed phase, without the position after it: the next announcement shows that.

    Args:
        is_all_read: of one that was closed late, whether all direct messages that came in time had been read.
    """
    words = words_of(view.game)
    heading = "\n".join(
        [
            words.say("message.phase_closed", game=view.game.name, title=view.title),
            *([headline_line(words, view.headline)] if view.headline else []),
            *_why_closed(words, view, is_all_read),
        ]
    )
    pictures = () if as_text or not view.has_board else (_picture(words, view),)
    key = (*(_buttons(words, view) if pictures else ()), *_report_button(words, view))
    files = (*_record_file(view), *_newspaper(words, view))
    whole = report_file(words, view.game, view.title, view.report, head=_head(words, view))
    story = fit(
        Message(
            content=heading,
            embeds=(Embed(description=report_text(words, view.report)),),
            pictures=pictures,
            files=(*((whole,) if view.report.has_details else ()), *files),
            buttons=key,
        )
    )
    if len(story) > LONGEST_POST:
        brief = Embed(description=brief_text(words, view.report, BRIEF))
        story = fit(Message(heading, embeds=(brief,), pictures=pictures, files=(whole, *files), buttons=key))
    return tuple(story)


def _newspaper(words: Words, view: PhaseView) -> tuple[TextFile, ...]:
    """What players have written for everybody, as a page."""
    return () if view.newspaper is None else (newspaper_file(words, view.game, view.newspaper),)


def _report_button(words: Words, view: PhaseView) -> tuple[Button, ...]:
    return () if view.newspaper is None else buttons(words, view.game, view.phase_no, Action.REPORT)


def _picture(words: Words, view: PhaseView) -> ScenePicture:
    """The map of the phase; of a board too large to be read where most happened."""
    parts = close_ups(view.scene_of_results)
    scene = parts[0].scene if parts else view.scene_of_results
    return results_picture(words, view.game, scene, view.report, view.headline)


def _buttons(words: Words, view: PhaseView) -> tuple[Button, ...]:
    """What the symbols mean; of a board too large to be read, all of it, and other parts where something happened."""
    game, number = view.game, view.phase_no
    parts = close_ups(view.scene_of_results)
    others = [
        button(words, game, number, Action.CLOSE_UP, token=f"{place}", args={"place": words.name(part.place)})
        for place, part in enumerate(parts)
        if place > 0
    ]
    whole = buttons(words, game, number, Action.WHOLE) if parts else ()
    return (*whole, *buttons(words, game, number, Action.KEY), *others)


def close_up_messages(view: PhaseView, number: int) -> tuple[Message, ...]:
    """A part of the map of a closed phase; all of it where there is no such part (any more)."""
    words = words_of(view.game)
    parts = close_ups(view.scene_of_results)
    scene = parts[number].scene if number < len(parts) else view.scene_of_results
    picture = results_picture(words, view.game, scene, view.report, view.headline)
    content = words.say("inspect.map", game=view.game.name, title=view.title)
    return fit(Message(content, pictures=(picture,), buttons=_buttons(words, view)))


def _head(words: Words, view: PhaseView) -> Iterator[str]:
    """When the phase closed and the next one will, what its dice were sealed with, and what game masters did."""
    yield words.plainly("message.report_closed", at=plain_time(view.closed_at))
    if view.next_deadline_at is not None:
        yield words.plainly("message.report_due", at=plain_time(view.next_deadline_at))
    if view.seal is not None:
        yield words.plainly("message.report_sealed", seal=view.seal)
    for intervention in view.interventions:
        what = what_was_done(replace(intervention, args=_timed(intervention.args)))
        yield words.plainly("message.report_intervention", at=plain_time(intervention.at), what=what)
    if view.closed_because in _MASTERS_CLOSE:
        what = phrase(f"intervention.{view.closed_because}")
        yield words.plainly("message.report_intervention", at=plain_time(view.closed_at), what=what)


def _timed(args: Mapping[str, Any]) -> dict[str, Any]:
    """An intervention's arguments, the deadline in words: a file can't show it in the reader's own time zone."""
    if "deadline" not in args:
        return dict(args)
    return {**args, "deadline": plain_time(datetime.fromtimestamp(args["deadline"], UTC))}


def _record_file(view: PhaseView) -> tuple[TextFile, ...]:
    """What programs read of the phase, where the game keeps no secrets in it."""
    if view.record is None:
        return ()
    return (TextFile(RECORD_FILE, json.dumps(view.record, ensure_ascii=False)),)


def _new_position(words: Words, view: PhaseView, *, as_text: bool) -> tuple[Message, ...]:
    if not view.has_board:
        return ()
    title = view.scene_after.title
    if as_text:
        board = Embed(description=report_text(words, view.text))
        return fit(Message(content=words.say("message.new_position", title=title), embeds=(board,)))
    return fit(
        Message(
            content=words.say("message.new_position", title=title),
            pictures=(board_picture(words, view.game, view.scene_after, view.text, deadline_at=None),),
            files=(board_file(words, view.game, title, view.text),),
        )
    )


def _why_closed(words: Words, view: PhaseView, is_all_read: bool | None) -> list[Markup]:
    lines = [words.say("message.undone")] if view.is_undone else []
    if view.late_s >= _LATE_S:
        deadline = view.closed_at - timedelta(seconds=view.late_s)
        late = length_text(words, view.late_s)
        lines.append(words.say("message.closed_late", deadline=full_time(deadline), late=late))
        if is_all_read is not None:
            lines.append(words.say("message.all_read" if is_all_read else "message.not_all_read"))
        return lines
    return [*lines, words.say(f"message.closed_because.{view.closed_because}")]


def length_text(words: Words, seconds: int) -> Markup:
    """A length of time in round words: `90 minutes`, `5 hours`, `3 days`."""
    minutes = max(1, round(seconds / 60))
    for unit, size in (("days", 24 * 60), ("hours", 60)):
        if minutes >= 2 * size:
            return words.say(f"length.{unit}", count=round(minutes / size))
    return words.say("length.minutes", count=minutes)
