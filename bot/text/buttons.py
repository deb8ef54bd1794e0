"""The buttons of messages about a game, made for one phase: if pressed later, they answer that it is over."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import Game
from bot.text.catalogue import Words
from bot.text.custom_ids import Action, CustomId
from bot.text.message import Button, ButtonStyle

_STYLES = {
    Action.READY: ButtonStyle.SUCCESS,
    Action.EDIT: ButtonStyle.PRIMARY,
    Action.CLEAR: ButtonStyle.DANGER,
    Action.JOIN: ButtonStyle.SUCCESS,
    Action.START: ButtonStyle.SUCCESS,
    Action.LEAVE: ButtonStyle.DANGER,
    Action.END: ButtonStyle.DANGER,
}


def buttons(words: Words, game: Game, phase_no: int, *actions: Action, token: str = "") -> tuple[Button, ...]:
    """A button for each action, in this order."""
    return tuple(button(words, game, phase_no, action, token=token) for action in actions)


def button(
    words: Words,
    game: Game,
    phase_no: int,
    action: Action,
    *,
    token: str = "",
    label: str = "",
    args: Mapping[str, str] | None = None,
) -> Button:
    """The button of one action; `label`: the phrase on it, if not the usual one, with its arguments."""
    custom_id = str(CustomId(action, game.token, phase_no, token))
    text = words.plainly(label or f"button.{action}", **(args or {}))
    return Button(custom_id, text, _STYLES.get(action, ButtonStyle.SECONDARY))


def public_buttons(words: Words, game: Game, phase_no: int) -> tuple[Button, ...]:
    """Those under a post in the game's channel; each press is answered to the presser alone."""
    return buttons(words, game, phase_no, Action.EDIT, Action.GUIDE, Action.ORDERS, Action.MAP, Action.KEY)


def private_buttons(
    words: Words,
    game: Game,
    phase_no: int,
    *,
    is_ready: bool,
    has_orders: bool,
    has_default: bool = False,
    token: str = "",
) -> tuple[Button, ...]:
    """Those under what only one seat sees: its orders, or what is asked of it.

    Args:
        token: which message they belong to, if that matters.
    """
    default = (Action.DEFAULT,) if has_default and not has_orders else ()
    clear = (Action.CLEAR,) if has_orders else ()
    if is_ready or has_orders:
        ready = Action.UNREADY if is_ready else Action.READY
        actions = (ready, *default, Action.EDIT, Action.GUIDE, *clear, Action.WHOLE)
    else:
        # Before there is a sheet, a player who presses the first button does not mean to be ready.
        actions = (Action.EDIT, Action.GUIDE, *default, Action.WHOLE, Action.READY)
    return buttons(words, game, phase_no, *actions, token=token)
