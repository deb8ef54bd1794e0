"""A player's prophecies as a message, for this player alone: what stands, what is in force, and how to change it."""

from __future__ import annotations

from bot.services.prophecies import PropheciesView
from bot.text.buttons import buttons
from bot.text.catalogue import words_of
from bot.text.custom_ids import Action
from bot.text.discord_limits import fit
from bot.text.markdown import code_block
from bot.text.message import Embed, Message


def prophecies_message(view: PropheciesView) -> tuple[Message, ...]:
    """The answer to who looks at their prophecies."""
    words = words_of(view.game)
    heading = words.say("prophecies.heading", game=view.game.name, title=view.title, power=view.power)
    parts = [("prophecies.lines", view.lines), ("prophecies.filed", view.filed)]
    embeds = tuple(
        Embed(title=words.plainly(title), description=code_block("\n".join(lines))) for title, lines in parts if lines
    )
    none = () if embeds else (Embed(description=words.say("prophecies.none")),)
    actions = (Action.FORETELL,) if view.may_file else ()
    return fit(
        Message(
            content=heading,
            embeds=(*embeds, *none),
            buttons=buttons(words, view.game.id, view.phase_no, *actions, Action.ORDERS, Action.MAP),
        )
    )
