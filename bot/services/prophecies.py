"""Orders filed in secret for what follows a phase, in games that know such. Other games refuse kindly."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, UserId
from bot.services import orders
from bot.services.context import Context
from bot.services.errors import Refused, refused
from bot.services.orders import OrderForm, Receipt, SubmitMode
from bot.services.own import OwnSide, own_side
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.reading import canonical_lines
from engine.core.specialities import Prophecies
from engine.registry import Order, View


@dataclass(frozen=True, slots=True)
class PropheciesView:
    """The prophecies of one player, for this player alone.

    Args:
        lines: of the sheet of this phase.
        filed: in an earlier phase, and still in force.
        may_file: whether any can be filed now.
    """

    game: Game
    phase_no: int
    title: Phrase
    power: PowerId
    lines: tuple[str, ...]
    filed: tuple[str, ...]
    may_file: bool


def show(context: Context, game_id: GameId, user_id: UserId) -> PropheciesView:
    """What the player has foretold.

    Raises:
        Refused: the game knows no prophecies, or the person does not play in it.
    """
    side, prophecies = _sit_down(context, game_id, user_id)
    return PropheciesView(
        game=side.game,
        phase_no=side.game.phase_no,
        title=side.title,
        power=side.power,
        lines=_lines(side, prophecies),
        filed=prophecies.filed(side.view),
        may_file=side.may_order and bool(prophecies.suggest(side.view)),
    )


def form(context: Context, game_id: GameId, user_id: UserId) -> OrderForm:
    """The prophecies of the sheet, to be changed.

    Raises:
        Refused: as for `show`, or none can be filed now.
    """
    side, prophecies = _sit_down_to_write(context, game_id, user_id)
    text = "\n".join(_lines(side, prophecies))
    return OrderForm(side.game, side.game.phase_no, side.title, text, side.power)


def replace(context: Context, game_id: GameId, user_id: UserId, text: str, *, phase_no: int | None) -> Receipt:
    """Put these prophecies in the place of all that stand in the sheet; none: they are taken back. Other orders stay.

    Args:
        phase_no: the phase that the form was made for; `None`: the present one.

    Raises:
        Refused: as for `form`, or the phase is over.
    """
    side, prophecies = _sit_down_to_write(context, game_id, user_id)
    return orders.submit(
        context,
        game_id,
        user_id,
        text,
        mode=SubmitMode.MERGE,
        phase_no=side.game.phase_no if phase_no is None else phase_no,
        instead_of=prophecies.is_prophecy,
    )


def suggest(context: Context, game_id: GameId, user_id: UserId, typed: str) -> tuple[str, ...]:
    """Prophecies that hold every word typed; none for whoever can't file any."""
    try:
        side, prophecies = _sit_down_to_write(context, game_id, user_id)
    except Refused:
        return ()
    words = typed.casefold().split()
    return tuple(text for text in prophecies.suggest(side.view) if all(word in text.casefold() for word in words))


def require(context: Context, game_id: GameId, user_id: UserId) -> None:
    """Let pass who could file prophecies now.

    Raises:
        Refused: as for `form`.
    """
    _sit_down_to_write(context, game_id, user_id)


def _lines(side: OwnSide, prophecies: Prophecies[View, Order]) -> tuple[str, ...]:
    return canonical_lines(side.rules, [order for order in side.orders if prophecies.is_prophecy(order)])


def _sit_down_to_write(context: Context, game_id: GameId, user_id: UserId) -> tuple[OwnSide, Prophecies[View, Order]]:
    side, prophecies = _sit_down(context, game_id, user_id)
    if not side.may_order or not prophecies.suggest(side.view):
        raise refused("no_prophecies_now", title=side.title)
    return side, prophecies


def _sit_down(context: Context, game_id: GameId, user_id: UserId) -> tuple[OwnSide, Prophecies[View, Order]]:
    side = own_side(context, game_id, user_id)
    if side.rules.prophecies is None:
        raise refused("no_prophecies_here", game=side.game.name)
    return side, side.rules.prophecies
