"""The guided flow's steps: a menu of what may be chosen, page by page. Only the player sees it."""

from __future__ import annotations

from bot.guides import Flow
from bot.services.orders import Receipt
from bot.text.buttons import button
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import Action, CustomId
from bot.text.discord_limits import CHOICES, fit
from bot.text.markdown import Markup
from bot.text.message import Message, Select, SelectChoice
from bot.text.order_receipt import fate_of
from engine.core.orders import Menu


def guide_message(receipt: Receipt, flow: Flow, menu: Menu, *, token: str) -> Message:
    """One step. A page past the last begins again at the first.

    Args:
        receipt: of what stands.
        token: names the flow; what was chosen so far stays in memory.
    """
    game = receipt.game
    words = words_of(game)
    pages = max(1, -(-len(menu.choices) // CHOICES))
    first = flow.page % pages * CHOICES
    shown = menu.choices[first : first + CHOICES]
    lines = [words.say("guide.heading", game=game.name, title=receipt.title)]
    lines += [_noted(words, receipt, order) for order in flow.noted[-5:]]
    if flow.noted and receipt.rehearsal is not None:
        lines += [words.render(left) for left in receipt.rehearsal.left]
    lines.append(words.say("guide.prompt", prompt=menu.prompt))
    if pages > 1:
        lines.append(words.say("guide.page", first=first + 1, last=first + len(shown), count=len(menu.choices)))
    select = Select(
        str(CustomId(Action.PICK, game.token, flow.phase_no, token)),
        words.plainly("guide.placeholder"),
        tuple(SelectChoice(choice.value, choice.label) for choice in shown),
    )
    actions = [Action.PAGE] if pages > 1 else []
    actions += [Action.BACK] if flow.path else []
    buttons = tuple(button(words, game, flow.phase_no, action, token=token) for action in (*actions, Action.DONE))
    return fit(Message(content="\n".join(lines), selects=(select,) if shown else (), buttons=buttons))[0]


def _noted(words: Words, receipt: Receipt, order: str) -> Markup:
    """An order that was put together here, with what would become of it where the game can tell."""
    fate = fate_of(words, receipt, order)
    return (
        words.say("guide.noted", order=order) if fate is None else words.say("guide.noted_with", order=order, fate=fate)
    )
