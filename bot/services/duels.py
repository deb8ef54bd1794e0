"""Numbers for duels, in games that have any: secret until the duel is fought. Other games refuse kindly."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import GameId, UserId
from bot.services.context import Context
from bot.services.errors import Refused, did_you_mean, refused, refused_with
from bot.services.orders import OrderForm
from bot.services.own import OwnSide, own_side
from engine.core.specialities import Duellist

_VERB = "duel"


def form(context: Context, game_id: GameId, user_id: UserId) -> OrderForm:
    """The numbers sent so far, a line for each of the player's heroes, to be changed or filled in.

    Raises:
        Refused: the game has no duels, or the player nobody who could fight one now.
    """
    side, duellists = _sit_down(context, game_id, user_id)
    return OrderForm(
        game=side.game,
        phase_no=side.game.phase_no,
        title=side.title,
        text="\n".join(duellist.order or f"{duellist.blank}…" for duellist in duellists),
        power=side.power,
    )


def order(context: Context, game_id: GameId, user_id: UserId, number: int, deed: str, name: str | None) -> str:
    """The order that sends a number.

    Args:
        deed: what becomes of the loser, in the words of the game's orders.
        name: for whom, as orders name them; may be left out where there is only one.

    Raises:
        Refused: as for `form`; or nobody is called that, or it is not clear who is meant.
    """
    _, duellists = _sit_down(context, game_id, user_id)
    names = [duellist.name for duellist in duellists]
    wanted = (name or "").split()[-1:]
    chosen = [one for one in duellists if not wanted or one.name.split()[-1].casefold() == wanted[0].casefold()]
    if len(chosen) != 1:
        raise refused_with(did_you_mean(name or "", names), "which_duellist")
    return f"{chosen[0].blank}{number} {deed}"


def names(context: Context, game_id: GameId, user_id: UserId) -> tuple[str, ...]:
    """Those for whom the player may send a number; nobody for whoever can't send any."""
    try:
        return tuple(duellist.name for duellist in _sit_down(context, game_id, user_id)[1])
    except Refused:
        return ()


def as_orders(text: str) -> str:
    """What was written in a form, as orders: `H ZY 40 kill` is enough for one."""
    return "\n".join(_as_order(line) for line in text.splitlines())


def _as_order(line: str) -> str:
    is_whole = not line.strip() or line.lstrip().startswith("#") or line.split()[0].casefold() == _VERB
    return line if is_whole else f"{_VERB} {line.strip()}"


def _sit_down(context: Context, game_id: GameId, user_id: UserId) -> tuple[OwnSide, Sequence[Duellist]]:
    side = own_side(context, game_id, user_id)
    if side.rules.duellists is None:
        raise refused("no_duels_here", game=side.game.name)
    duellists = side.rules.duellists(side.view, side.orders) if side.may_order else ()
    if not duellists:
        raise refused("no_duellist", title=side.title)
    return side, duellists
