"""A player's cards, in games that have any: the hand, and the orders for it. Other games refuse kindly."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, UserId
from bot.services.context import Context
from bot.services.errors import Refused, refused
from bot.services.table import get_game, get_seat, read_table, require_unfinished, without_secrets
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.scene import Hand
from engine.core.system import CardDeed, HoldsCards
from engine.registry import View


@dataclass(frozen=True, slots=True)
class CardsView:
    """The cards of one player, for this player alone.

    Args:
        deeds: what can be done with cards now.
    """

    game: Game
    phase_no: int
    title: Phrase
    power: PowerId
    hand: Hand
    deeds: tuple[CardDeed, ...]


def show(context: Context, game_id: GameId, user_id: UserId) -> CardsView:
    """The player's hand.

    Raises:
        Refused: the game has no cards, or this player none to look at.
    """
    desk = _sit_down(context, game_id, user_id)
    hand = desk.rules.hand(desk.view)
    if hand is None:
        raise refused("no_hand", power=desk.power)
    deeds = tuple(deed for deed in CardDeed if desk.may_order and desk.rules.card_path(desk.view, deed))
    return CardsView(desk.game, desk.game.phase_no, desk.title, desk.power, hand, deeds)


def suggest(context: Context, game_id: GameId, user_id: UserId, deed: CardDeed, typed: str) -> tuple[str, ...]:
    """The legal orders for cards that hold every word typed; none for whoever can't give any."""
    try:
        desk = _sit_down(context, game_id, user_id)
    except Refused:
        return ()
    if not desk.may_order:
        return ()
    words = typed.casefold().split()
    orders = desk.rules.card_orders(desk.view, deed)
    return tuple(order for order in orders if all(word in order.casefold() for word in words))


def path(context: Context, game_id: GameId, user_id: UserId, deed: CardDeed) -> tuple[str, ...]:
    """Where the guided flow has to begin for a deed.

    Raises:
        Refused: the game has no cards, or there is nothing of the sort to do now.
    """
    desk = _sit_down(context, game_id, user_id)
    found = desk.rules.card_path(desk.view, deed) if desk.may_order else ()
    if not found:
        raise refused("nothing_to_cast" if deed is CardDeed.CAST else "nothing_to_give", title=desk.title)
    return found


@dataclass(frozen=True, slots=True)
class _Desk:
    game: Game
    title: Phrase
    power: PowerId
    view: View
    rules: HoldsCards
    may_order: bool


def _sit_down(context: Context, game_id: GameId, user_id: UserId) -> _Desk:
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        seat = get_seat(game, seats, user_id)
        require_unfinished(game)
        table = read_table(context, game, seats)
    rules = table.rules
    if not isinstance(rules, HoldsCards):
        raise refused("no_cards_here", game=game.name)
    assert seat.power is not None, "powers are drawn at the start"
    view = table.rules.view(table.state, seat.power)
    may_order = seat.power in table.status.to_act
    return _Desk(without_secrets(game), table.status.title, seat.power, view, rules, may_order)
