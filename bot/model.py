"""What the application knows about games, seats, sheets and messages, as frozen values. The services use these; the
storage maps them to rows. Times are aware UTC. Discord's ids are ints. Documents are game.json documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, NewType

from annotated_types import Interval

from engine.computer.levels import Level
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.registry import Order

GameId = NewType("GameId", int)
UserId = NewType("UserId", int)


class GameStatus(StrEnum):
    """The stage that a game has reached."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    CANCELLED = "cancelled"


class Trouble(StrEnum):
    """What keeps a game's posts out of its channel, wholly or in part."""

    NONE = ""
    FILES = "files"
    """The bot may not attach files: texts are posted without maps."""
    EMBEDS = "embeds"
    """The bot may not embed links, which Discord requires for boxes too: they are posted as plain text."""
    WORDS = "words"
    """It may do neither: only plain text is posted."""
    PERMISSION = "permission"
    """The bot may not post there."""
    GONE = "gone"
    """The channel is not there any more."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long phases are, each as it was written: `3d`, `12h`, `mon,thu 19:00 Europe/Berlin`.

    Args:
        default: for phases whose kind has no text of its own.
        by_kind: by `Status.kind`: `{"retreats": "1d"}`.
        close_early: a phase closes at once when everyone who has to act is ready.
    """

    default: str
    by_kind: Mapping[str, str] = field(default_factory=dict)
    close_early: bool = True


@dataclass(frozen=True, slots=True)
class Scenario:
    """What somebody wrote for a game to start from; public, and unchanged since the start.

    Args:
        name: what it is called; `about`: what people should know of it, empty if it says nothing.
        filename: of the file that players may look at.
        powers: the names of all powers in it, in seat order, including those that nobody plays.
        text: the file; `None` in lists of games, which don't need it.
    """

    name: str
    about: str
    filename: str
    powers: Mapping[PowerId, str]
    text: str | None


MOST_TIME_LEFT_S = 365 * 24 * 60 * 60
"""The limit for the length of a phase, however often it was extended."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the bot runs it.

    Args:
        id: 0 before it is stored.
        channel_id: where everything public is posted.
        game_masters: who may use /gm here, besides the server's managers; the creator is among them.
        document: the present position as game.json; `None` in the lobby. Contains the secret seed: never show it.
        phase_no: counts from 1; 0 in the lobby. Increases at every closing and rollback, so it never means two phases.
        phase_code: the `Status.code` of the present phase; `phase_title` its `Status.title`.
        opened_at: when the present phase began.
        deadline_at: when it closes; `None` in the lobby, while paused, and after the end.
        time_left_s: what was left of the phase when it was paused.
        remind_at: when players without orders are to be reminded next; `None` if nobody will be. A field of the phase.
        scenario: what it starts from, if not from the system's standard set-up; never changes.
        trouble: what keeps its posts out of the channel, as its masters were told.
        token: identifies it in buttons, here and in any database it is moved to. Public, drawn when it is stored, and
            never changes.
        has_numbered_buttons: it was stored here by a version whose buttons had its number; they still work.
        own_seed: the bot's part of the seed, drawn with the call for players, which has its fingerprint; never show
            it. `None` in games of 0.1.0.
        last_link: the end of the chain of secrets for new dice, from which all others follow; never show it. `None`
            in games from before there were chains.
        failures: how often in a row the present phase could not be closed.
        retry_at: when the next try is due; `None`: nothing has failed.
        has_acts: whatever has changed its positions between closings is kept as acts; not so in older games.
        computer: how well the computer plays the seats without a player: at the start, and whenever one leaves or has
            been silent for too long; `None`: nobody plays those.
    """

    id: GameId
    name: str
    guild_id: int
    channel_id: int
    creator_id: UserId
    game_masters: frozenset[UserId]
    system: SystemId
    variant: str
    players: int
    options: Mapping[str, bool | int | str]
    pace: Pace
    status: GameStatus
    created_at: datetime
    document: Mapping[str, Any] | None = None
    phase_no: int = 0
    phase_code: str = ""
    opened_at: datetime | None = None
    deadline_at: datetime | None = None
    time_left_s: Annotated[int, Interval(ge=0, le=MOST_TIME_LEFT_S)] | None = None
    remind_at: datetime | None = None
    scenario: Scenario | None = None
    trouble: Trouble = Trouble.NONE
    token: str = ""
    has_numbered_buttons: bool = False
    phase_title: Phrase | None = None
    own_seed: str | None = field(default=None, repr=False)
    last_link: str | None = field(default=None, repr=False)
    failures: int = 0
    retry_at: datetime | None = None
    has_acts: bool = False
    computer: Level | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a game. In the lobby `power` is empty unless the player asked for one.

    Args:
        number: from 1, in joining order; fixed.
        user_id: the player; `None` once the seat is vacant.
        is_ready: has said that the orders of this phase are final.
        missed: phases in a row in which orders were due and none came.
        is_open: may be taken over by `/game join`.
        dms_closed: the last direct message to the player was refused.
        former: who played it before while the game was running, each once, the first one first.
        is_removed: it is vacant because a game master took it from its player.
        word: what the first player of the seat contributed to the seed; public, may be empty.
        computer: how well the computer plays it; `None`: it doesn't. If there is a player too, it stands in for them
            until they come back.
    """

    game_id: GameId
    number: int
    power: PowerId | None
    user_id: UserId | None
    wish: PowerId | None = None
    is_ready: bool = False
    missed: int = 0
    is_open: bool = False
    dms_closed: bool = False
    former: tuple[UserId, ...] = ()
    is_removed: bool = False
    word: str = ""
    computer: Level | None = None


KEPT_TEXTS = 10
KEPT_CHARACTERS = 20_000
"""How many characters of what was typed for a sheet are kept: five of the longest forms."""

KEPT_VERSIONS = 5
"""How many earlier versions of the orders are kept, so that clearing can be undone."""


@dataclass(frozen=True, slots=True)
class StoredSheet:
    """The orders of a seat for a phase.

    Args:
        typed: what was sent last, as typed, oldest first: `KEPT_TEXTS` texts, with `KEPT_CHARACTERS` in all. What is
            beyond that is left out, wherever it comes from; if a single text is too long, its end.
        orders: the accepted orders, as canonical lines.
        version: counts the submissions of this seat in this phase, from 1.
        earlier: the orders of the previous versions, oldest first: the last `KEPT_VERSIONS`.
        sent: how many texts were sent, including those that are no longer kept.
    """

    game_id: GameId
    phase_no: int
    power: PowerId
    typed: tuple[str, ...]
    orders: tuple[str, ...]
    version: int
    accepted_at: datetime
    earlier: tuple[tuple[str, ...], ...] = ()
    sent: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "typed", _last_texts(self.typed))
        object.__setattr__(self, "earlier", self.earlier[-KEPT_VERSIONS:])

    def text(self, number: int) -> str | None:
        """The text that was sent with this number, from 1; `None` if it is no longer kept."""
        place = len(self.typed) - 1 - (self.sent - number)
        return self.typed[place] if 0 <= place < len(self.typed) else None


def _last_texts(texts: Sequence[str]) -> tuple[str, ...]:
    """The part of what somebody has typed that is kept, from the last texts."""
    kept: list[str] = []
    room = KEPT_CHARACTERS
    for text in reversed(texts[-KEPT_TEXTS:]):
        if kept and len(text) > room:
            break
        kept.append(text[:room])
        room -= len(text)
    return tuple(reversed(kept))


class ClosedBecause(StrEnum):
    """Why a phase closed."""

    DEADLINE = "deadline"
    READY = "ready"
    """Everybody who had something to decide was ready."""
    NO_CHOICE = "no_choice"
    """Nobody had anything to decide."""
    COMPUTERS = "computers"
    """Only the computer had anything to decide."""
    GAME_MASTER = "game_master"
    VOTE = "vote"
    """The players agreed to end the game."""
    ENDED = "ended"
    """A game master ended the game."""

    @property
    def is_by_itself(self) -> bool:
        """Whether no player had anything to decide."""
        return self in (ClosedBecause.NO_CHOICE, ClosedBecause.COMPUTERS)

    @property
    def is_end(self) -> bool:
        """Whether the game was ended in the phase, whose orders were not carried out."""
        return self in (ClosedBecause.VOTE, ClosedBecause.ENDED)


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A closed phase, complete: the rest can be computed again from `start`, with its seed, `sheets` and `is_excused`.

    Args:
        start, end: the documents before and after.
        sheets: the orders that were adjudicated, by power, and what was typed.
        rules_version: of the engine that adjudicated.
        late_s: seconds after the deadline; 0 for those in time.
        is_undone: a rollback went back before it; kept as history.
        is_excused: by the rules it counted as missed for nobody.
    """

    game_id: GameId
    phase_no: int
    code: str
    start: Mapping[str, Any]
    end: Mapping[str, Any]
    sheets: Mapping[PowerId, StoredSheet]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]
    rules_version: str
    opened_at: datetime
    deadline_at: datetime | None
    closed_at: datetime
    closed_because: ClosedBecause
    late_s: int = 0
    is_undone: bool = False
    is_excused: bool = False


class ActKind(StrEnum):
    """How somebody can change a position between two closings."""

    EDIT = "edit"
    """A game master changes it, and everybody is told."""
    CHOICE = "hide"
    """A game master chooses something that the rules leave to one, and nobody is told."""
    RULING = "ruling"
    """A game master rules on the results of the previous phase, and those for whom something changed are told."""
    SEAT = "seat"
    """A player leaves, or comes. It is announced as that, not as a change that somebody made."""

    @property
    def is_announced(self) -> bool:
        """Whether everybody learns of it at once, or nobody before the game is over."""
        return self is ActKind.EDIT


@dataclass(frozen=True, slots=True)
class Act:
    """What changed a position between two closings. Applied to the end of the previous phase, acts give the start.

    Args:
        phase_no: the phase that was open.
        number: its place among the phase's acts, from 1.
        text: what was done, as acts of its kind are written.
    """

    game_id: GameId
    phase_no: int
    number: int
    actor: UserId
    kind: ActKind
    text: str
    at: datetime


class Target(StrEnum):
    """Where an outgoing message goes."""

    CHANNEL = "channel"
    USER = "user"


class MessageKind(StrEnum):
    """What an outgoing message is about: each kind has a composer (`bot/text/compose.py`). The values are stored."""

    OPENING = "opening"
    PHASE_OPENED = "phase_opened"
    PHASE_CLOSED = "phase_closed"
    BRIEFING = "briefing"
    STILL_MISSING = "still_missing"
    REMINDER = "reminder"
    LAST_ONE = "last_one"
    REQUEST = "request"
    RULING = "ruling"
    DMS_CLOSED = "dms_closed"
    GAME_OVER = "game_over"
    RESULT = "result"
    SEAT_OPENED = "seat_opened"
    SEAT_LOST = "seat_lost"
    CALL = "call"
    NOTICE = "notice"
    GAME_CANCELLED = "game_cancelled"
    CHANNEL_TROUBLE = "channel_trouble"
    STUCK = "stuck"
    NOTES = "notes"
    COMPLAINT = "complaint"
    ASKED = "asked"


class Delivery(StrEnum):
    """The state of an outgoing message."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    """Given up: it can't be delivered (closed direct messages, no such channel)."""


LONGEST_REST = timedelta(hours=1)
"""No next try, of a message or of closing a phase, is put off further."""


def has_come(at: datetime, now: datetime) -> bool:
    """Whether it is time for a next try. What waits longer than anything may was put off by a clock that ran ahead."""
    return not now < at <= now + LONGEST_REST


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that must be sent, stored in the transaction that made it true. Its id is the nonce.

    Args:
        id: 0 before it is stored.
        target_id: a channel's or a user's id.
        kind: a `MessageKind`, or what a later version has stored.
        payload: the composer's arguments, JSON; no pictures: these are drawn when it is sent.
        not_before: not to be tried earlier than this.
        attempts: how many tries were begun; each is counted before it is made.
        faults: how many of them made no message, through a fault or because the bot died; Discord's errors don't count.
        tried_at: when the first try began after which nobody knows whether the message arrived; `None`: there is none.
        composed: its text as first composed, while it may have arrived; `None` when it certainly has
            not, and again once it is delivered.
        message_id: Discord's id once sent.
        is_edit: changes the last message of its kind and phase if that is still there; otherwise it is posted anew.
    """

    id: int
    game_id: GameId
    phase_no: int
    target: Target
    target_id: int
    kind: str
    payload: Mapping[str, Any]
    created_at: datetime
    not_before: datetime
    delivery: Delivery = Delivery.PENDING
    attempts: int = 0
    faults: int = 0
    tried_at: datetime | None = None
    composed: Sequence[Mapping[str, Any]] | None = None
    message_id: int | None = None
    error: str = ""
    is_edit: bool = False


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Which direct messages of a person the bot has handled. Ids of messages are Discord's, which grow with time.

    Args:
        channel_id: where they come from, once that is known.
        taken_id: the last of them whose orders were stored.
        answered_id: the last of them that was answered.
    """

    user_id: UserId
    channel_id: int | None = None
    taken_id: int = 0
    answered_id: int = 0


class BallotKind(StrEnum):
    """What can be voted on."""

    DRAW = "draw"
    CONCESSION = "concession"
    END = "end"
    """The game ends as it stands, and its rules say who has won; not possible in every system."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One seat's secret vote; a new one of the same kind replaces it, and the end of the phase deletes all.

    Args:
        winner: for a concession: to whom.
    """

    game_id: GameId
    phase_no: int
    power: PowerId
    kind: BallotKind
    in_favour: bool
    winner: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is voted on in a phase, and who has to agree: both are fixed when it is proposed.

    Args:
        winner: for a concession: to whom.
        voters: the powers whose players have to agree, with these players; `None`: there is nobody who could.
    """

    game_id: GameId
    phase_no: int
    kind: BallotKind
    winner: PowerId | None
    voters: Mapping[PowerId, UserId | None]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture, ready to send. `file` is a PNG, for a film a GIF."""

    file: bytes
    width_px: int
    height_px: int
