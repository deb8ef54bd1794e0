"""The guided flow's steps: a menu of what may be chosen, page by page. Only the player sees it."""

from __future__ import annotations

from bot.guides import Flow
from bot.services.receipts import Receipt
from bot.services.sheets import MENUS
from bot.text.buttons import button
from bot.text.catalogue import Words, words_of
from bot.text.choices import Offered, further, offered, page_of
from bot.text.custom_ids import Action, CustomId
from bot.text.discord_limits import ALT, fit, shorten
from bot.text.markdown import Markup
from bot.text.message import Message, ScenePicture
from bot.text.order_receipt import fate_of
from engine.core.depiction import Depiction
from engine.core.orders import Menu


def guide_message(receipt: Receipt, flow: Flow, menu: Menu, *, token: str) -> Message:
    """One step: at first a menu of whole orders for each unit, or for those without one; then choice by choice.

    A page past the last begins again at the first.

    Args:
        receipt: of what stands.
        token: names the flow; what was chosen so far stays in memory.
    """
    game = receipt.game
    words = words_of(game)
    shown = page_of(menu.choices, flow.page)
    is_paged = len(shown) < len(menu.choices)
    lines = [words.say("guide.heading", game=game.name, title=receipt.title)]
    lines += [_noted(words, receipt, order) for order in flow.noted[-5:]]
    if flow.noted and receipt.rehearsal is not None:
        lines += [words.render(left) for left in receipt.rehearsal.left]
    lines.append(words.say("guide.prompt", prompt=menu.prompt))
    if is_paged:
        first = menu.choices.index(shown[0]) + 1
        lines.append(words.say("guide.page", first=first, last=first + len(shown) - 1, count=len(menu.choices)))
    if flow.path:
        step = CustomId(Action.PICK, game.token, flow.phase_no, token)
        found = Offered(further(words, step, "guide.placeholder", shown))
    else:
        found = offered(game, flow.phase_no, receipt.offer, MENUS, token=token, firsts=shown)
    actions = [Action.PAGE] if is_paged else []
    actions += [Action.BACK] if flow.path else []
    buttons = tuple(button(words, game, flow.phase_no, action, token=token) for action in (*actions, Action.DONE))
    pictures = (_picture(words, menu.picture),) if menu.picture is not None else ()
    return fit(
        Message("\n".join(lines), pictures=pictures, selects=found.selects, shortcuts=found.shortcuts, buttons=buttons)
    )[0]


def _picture(words: Words, scene: Depiction) -> ScenePicture:
    alt = "; ".join(map(words.plain, (scene.title, *scene.in_words)))
    return ScenePicture(scene, "choices.png", shorten(alt, ALT))


def _noted(words: Words, receipt: Receipt, order: str) -> Markup:
    """An order that was put together here, with what would become of it where the game can predict that."""
    fate = fate_of(words, receipt, order)
    order = "; ".join(map(str.strip, order.splitlines()))
    return (
        words.say("guide.noted", order=order) if fate is None else words.say("guide.noted_with", order=order, fate=fate)
    )
