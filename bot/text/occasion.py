"""What the composers read about a game for one outgoing message, in one unit of work: the phase that it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from bot.model import Game, GameStatus, Outgoing, PhaseRecord, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context
from bot.services.positions import position_of
from bot.services.table import in_telling_order
from bot.text.catalogue import Words, words_of
from bot.text.markdown import Markup, full_time, relative_time
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Status
from engine.core.reading import read_orders
from engine.core.report import Report
from engine.core.viewer import EVERYBODY, Playing, viewer_of
from engine.registry import AnySystem, Order, State


@dataclass(frozen=True)
class Occasion:
    """A game as it stood in the phase that a message is about.

    Args:
        closed_before: the closed phases that a briefing looks back on, in order.
        deadline_at: of the phase; `None` when nobody waits for it.
        is_past: the phase is over by now: nothing can be done about it any more.
        is_first_of_its_kind: no earlier phase had the same code apart from the year, turn or round in it.
        has_past: phases were played before it.
        is_undone: a rollback went back before the phase while it was open: there is nothing left to report about it.
    """

    context: Context
    game: Game
    seats: tuple[Seat, ...]
    words: Words
    system: AnySystem
    document: Mapping[str, Any] | None
    phase_no: int
    deadline_at: datetime | None
    is_past: bool
    is_undone: bool
    closed_before: tuple[PhaseRecord, ...]
    sheets: Mapping[PowerId, StoredSheet]
    is_first_of_its_kind: bool
    has_past: bool

    @cached_property
    def state(self) -> State:
        """The position of the phase.

        Raises:
            LookupError: the game has not begun.
        """
        if self.document is None:
            raise LookupError(f"game {self.game.id} has no position in phase {self.phase_no}")
        return position_of(self.system, self.document)

    @cached_property
    def status(self) -> Status:
        """The status of the game in that phase."""
        return self.system.play.status(self.state)

    def player(self, seat: Seat) -> UserId | None:
        """The player's name for a seat; `None`: nobody plays it, or nobody may know who."""
        return None if self.system.info.is_anonymous else seat.user_id

    @property
    def players(self) -> tuple[UserId, ...]:
        """Whom a post to all players notifies: nobody, where that would reveal who they are."""
        return tuple(user_id for seat in self.seats if (user_id := self.player(seat)) is not None)

    def board(self) -> Report:
        """The position in words, as everybody may know it."""
        return self.system.telling.text_board(self.system.sight.view(self.state, EVERYBODY))

    def briefing(self, power: PowerId | None) -> Report:
        """What is asked of a power in the phase; `None`: of all."""
        return self.system.telling.briefing(self.system.sight.view(self.state, viewer_of(power)))

    def goal(self, power: PowerId | None) -> Phrase:
        """What a power has to reach; `None`: whoever wins."""
        return self.system.telling.goal(self.system.sight.view(self.state, viewer_of(power)))

    def standing_orders(self, power: PowerId) -> tuple[Order, ...]:
        """What the power has ordered so far."""
        sheet = self.sheets.get(power)
        if sheet is None:
            return ()
        return read_orders(
            self.system, self.system.sight.view(self.state, Playing(power)), "\n".join(sheet.orders)
        ).values


def read_occasion(context: Context, outgoing: Outgoing) -> Occasion:
    """The occasion of a message.

    Raises:
        LookupError: the game is not stored any more.
    """
    with context.reading() as unit:
        game = unit.games.find(outgoing.game_id)
        if game is None:
            raise LookupError(f"game {outgoing.game_id} is gone")
        system = context.systems[game.system]
        phase_no = int(outgoing.payload.get("phase_no", outgoing.phase_no))
        is_past = phase_no != game.phase_no
        record = unit.phases.find(game.id, phase_no) if is_past else None
        codes = dict(unit.phases.codes(game.id))
        earlier = [code for number, code in codes.items() if number < phase_no]
        return Occasion(
            context=context,
            game=game,
            seats=in_telling_order(system, unit.games.seats(game.id)),
            words=words_of(game),
            system=system,
            document=record.start if record else game.document,
            phase_no=phase_no,
            deadline_at=None if is_past else game.deadline_at,
            is_undone=is_past and record is None,
            is_past=is_past or game.status in (GameStatus.OVER, GameStatus.CANCELLED),
            closed_before=_closed_before(unit, outgoing),
            sheets=unit.sheets.of_phase(game.id, phase_no),
            is_first_of_its_kind=_is_first_of_its_kind(codes.get(phase_no, game.phase_code), earlier),
            has_past=bool(earlier),
        )


def _is_first_of_its_kind(own: str | None, earlier: Sequence[str]) -> bool:
    return own is not None and _kind(own) not in map(_kind, earlier)


def _kind(code: str) -> str:
    """A phase's code without its year, turn or round: `FM` of `F1901M`, `.3` of `12.3`."""
    return _NUMBERS.sub("", code, count=1)


_NUMBERS = re.compile("[0-9]+")


def _closed_before(unit: UnitOfWork, outgoing: Outgoing) -> tuple[PhaseRecord, ...]:
    records = (
        unit.phases.find(outgoing.game_id, int(number)) for number in outgoing.payload.get("closed_phase_nos", ())
    )
    return tuple(record for record in records if record is not None)


def until_when(occasion: Occasion) -> list[Markup]:
    """The line that says until when orders may come, or that the game is paused; none if nobody waits for any."""
    if occasion.deadline_at is None:
        is_paused = not occasion.is_past and occasion.game.status is GameStatus.PAUSED
        return [occasion.words.say("receipt.paused")] if is_paused else []
    return [
        occasion.words.say(
            "message.locks", deadline=full_time(occasion.deadline_at), left=relative_time(occasion.deadline_at)
        )
    ]
