"""The guided flow's steps: a menu of what may be chosen, page by page. Only the player sees it."""

from __future__ import annotations

from bot.model import Game
from bot.text.buttons import button
from bot.text.catalogue import words_of
from bot.text.custom_ids import Action, CustomId
from bot.text.discord_limits import CHOICES, fit
from bot.text.message import Message, Select, SelectChoice
from engine.core.phrases import Phrase
from engine.core.system import Menu


def guide_message(
    game: Game,
    phase_no: int,
    title: Phrase,
    menu: Menu,
    *,
    token: str,
    page: int,
    path: tuple[str, ...],
    noted: tuple[str, ...],
) -> Message:
    """One step.

    Args:
        token: names the flow; what was chosen so far stays in memory.
        page: of the choices, from 0; one past the last begins again.
        noted: the orders given in this flow so far.
    """
    words = words_of(game)
    pages = max(1, -(-len(menu.choices) // CHOICES))
    first = page % pages * CHOICES
    shown = menu.choices[first : first + CHOICES]
    lines = [words.say("guide.heading", game=game.name, title=title)]
    lines += [words.say("guide.noted", order=order) for order in noted[-5:]]
    lines.append(words.say("guide.prompt", prompt=menu.prompt))
    if pages > 1:
        lines.append(words.say("guide.page", first=first + 1, last=first + len(shown), count=len(menu.choices)))
    select = Select(
        str(CustomId(Action.PICK, game.id, phase_no, token)),
        words.plainly("guide.placeholder"),
        tuple(SelectChoice(choice.value, choice.label) for choice in shown),
    )
    actions = [Action.PAGE] if pages > 1 else []
    actions += [Action.BACK] if path else []
    buttons = tuple(button(words, game.id, phase_no, action, token=token) for action in (*actions, Action.DONE))
    return fit(Message(content="\n".join(lines), selects=(select,) if shown else (), buttons=buttons))[0]
