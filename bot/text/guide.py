"""The guided flow's steps: a menu of what may be chosen, page by page. Only the player sees it."""

from __future__ import annotations

from bot.guides import Flow
from bot.model import Game
from bot.text.buttons import button
from bot.text.catalogue import words_of
from bot.text.custom_ids import Action, CustomId
from bot.text.discord_limits import CHOICES, fit
from bot.text.message import Message, Select, SelectChoice
from engine.core.phrases import Phrase
from engine.core.system import Menu


def guide_message(game: Game, flow: Flow, title: Phrase, menu: Menu, *, token: str) -> Message:
    """One step. A page past the last begins again at the first.

    Args:
        token: names the flow; what was chosen so far stays in memory.
    """
    words = words_of(game)
    pages = max(1, -(-len(menu.choices) // CHOICES))
    first = flow.page % pages * CHOICES
    shown = menu.choices[first : first + CHOICES]
    lines = [words.say("guide.heading", game=game.name, title=title)]
    lines += [words.say("guide.noted", order=order) for order in flow.noted[-5:]]
    lines.append(words.say("guide.prompt", prompt=menu.prompt))
    if pages > 1:
        lines.append(words.say("guide.page", first=first + 1, last=first + len(shown), count=len(menu.choices)))
    select = Select(
        str(CustomId(Action.PICK, game.id, flow.phase_no, token)),
        words.plainly("guide.placeholder"),
        tuple(SelectChoice(choice.value, choice.label) for choice in shown),
    )
    actions = [Action.PAGE] if pages > 1 else []
    actions += [Action.BACK] if flow.path else []
    buttons = tuple(button(words, game.id, flow.phase_no, action, token=token) for action in (*actions, Action.DONE))
    return fit(Message(content="\n".join(lines), selects=(select,) if shown else (), buttons=buttons))[0]
