"""What a player is shown of the sheet: its orders, what is wrong with them or missing, and what could be ordered.

It is computed from the view of the player's own power, so it can't reveal another's orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from bot.model import Game
from bot.ports import Json
from bot.services.context import Context
from bot.services.seated import SeatedPlayer
from bot.services.sheets import Hint, Offer, failing_lines, look_at_sheet
from bot.services.table import without_secrets
from engine.core.depiction import Depiction
from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import Advice, Missing, Rehearsal
from engine.core.phrases import Phrase
from engine.registry import AnySystem

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The orders in the sheet after a submission, for the power's player alone.

    Args:
        orders: canonical lines of the orders in the sheet.
        errors: the refused lines of the text just sent.
        advice: warnings; their lines count in `orders`, from 1.
        missing: what could still be ordered.
        otherwise: what happens to that if it isn't.
        version: of the sheet; 0 while nothing was accepted.
        scene: the position with these orders drawn in, those that will fail as failed, about the player's own realm.
        changed: whether the orders are different from before.
        is_taken: whether any line of the text just sent was accepted, even if it was in the sheet before.
        closed: whether this closed the phase, as everybody is ready.
        is_stuck: everybody is ready, but the phase could not be closed yet; the player is still ready.
        is_unready: was ready before, and is no longer since the orders changed.
        has_default: whether the system offers orders that can be taken as they are.
        is_sent: whether there is a sheet in a game of sheets, even an empty one: then nobody plays for its sender.
        rehearsal: how each order would turn out if the phase closed now, in games that can tell; its lines count in
            `orders`, from 1, and it replaces the advice.
        offer: what can be chosen instead or in addition.
        hints: orders that may have been meant.
        dropped: orders that stood before a sheet sent by itself took their place, and don't stand any more.
        can_undo: whether the sheet was emptied, and its former orders can be put back.
        may_order: whether there is anything to decide in this phase.
        is_out: the game is over for the power.
    """

    game: Game
    phase_no: int
    title: Phrase
    power: PowerId
    orders: tuple[str, ...]
    errors: tuple[OrderError, ...]
    advice: tuple[Advice, ...]
    missing: tuple[Missing, ...]
    version: int
    is_ready: bool
    deadline_at: datetime | None
    scene: Depiction
    changed: bool
    is_taken: bool = False
    closed: bool = False
    is_stuck: bool = False
    is_unready: bool = False
    has_default: bool = False
    is_sent: bool = False
    rehearsal: Rehearsal | None = None
    otherwise: tuple[Phrase, ...] = ()
    offer: Offer = field(default_factory=Offer)
    hints: tuple[Hint, ...] = ()
    dropped: tuple[str, ...] = ()
    can_undo: bool = False
    may_order: bool = True
    is_out: bool = False

    @property
    def is_incomplete(self) -> bool:
        """Whether something is left to order, or has to be mended."""
        return bool(self.missing or self.failing)

    @property
    def failing(self) -> tuple[int, ...]:
        """The lines of the sheet that will fail; of games that only advise, none: there it may be meant.

        Lines that others could still save are among them where none would come off: then more likely a place was
        mistaken for another.
        """
        lines = range(1, len(self.orders) + 1)
        expected = failing_lines((), self.rehearsal, counts_likely=True)
        return tuple(lines) if expected.issuperset(lines) else tuple(sorted(failing_lines((), self.rehearsal)))


def receipt_of(context: Context, player: SeatedPlayer, *, asked: Sequence[int] = ()) -> Receipt:
    """The receipt for the sheet as it is.

    Args:
        asked: the places of first choices whose whole orders are asked for.
    """
    table = player.table
    may_order = player.may_order
    is_sent = may_order and player.is_sent
    version = player.sheet.version if player.sheet else 0
    look = compute(context, player, "", look_at_sheet, is_asked=may_order, is_sent=is_sent, asked=asked)
    return Receipt(
        game=without_secrets(table.game),
        phase_no=table.game.phase_no,
        title=table.status.title,
        power=player.power,
        orders=look.orders,
        errors=(),
        advice=look.advice,
        missing=look.missing,
        otherwise=look.otherwise,
        version=version,
        is_ready=player.seat.is_ready,
        deadline_at=table.game.deadline_at,
        scene=look.scene,
        changed=False,
        has_default=look.has_default,
        is_sent=is_sent,
        rehearsal=look.rehearsal,
        offer=look.offer,
        hints=tuple(replace(hint, token=f"v{version}-{hint.token}") for hint in look.hints if player.sheet),
        can_undo=may_order and can_undo(player),
        may_order=may_order,
        is_out=player.power in table.status.out,
    )


def can_undo(player: SeatedPlayer) -> bool:
    """Whether the sheet was emptied, and its former orders can be put back."""
    return player.sheet is not None and not player.sheet.orders and any(player.sheet.earlier[-1:])


LONG_TEXT = 1000
"""Characters that are read here: within 50 ms, whatever they are. More are read by a worker."""


def compute(
    context: Context,
    player: SeatedPlayer,
    text: str,
    work: Callable[Concatenate[AnySystem, Json, PowerId, Sequence[str], P], T],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The result of a job about a player's sheet, computed by a worker if there is much to read."""
    document, lines = player.table.game.document, player.lines
    assert document is not None, "a table has a document"
    is_long = len(text) + sum(map(len, lines)) > LONG_TEXT
    run = context.workers.run if is_long else context.workers.run_here
    return run(work, player.rules, document, player.power, lines, *args, **kwargs)
