"""Reports to the game masters in words: the form, and what its sender is told."""

from __future__ import annotations

from bot.services.complaints import Reported
from bot.text.catalogue import common_words, words_of
from bot.text.custom_ids import CustomId
from bot.text.discord_limits import fit, fit_form
from bot.text.message import Form, Message


def report_form(pressed: CustomId) -> Form:
    """The form of the button that was pressed; it says nothing of the game, which is not read for it."""
    words = common_words()
    return fit_form(
        Form(
            custom_id=str(pressed),
            title=words.plainly("report.title"),
            label=words.plainly("report.label"),
            text="",
            placeholder=words.plainly("report.placeholder"),
        )
    )


def sent_message(sent: Reported) -> tuple[Message, ...]:
    """What whoever has reported something is told."""
    return fit(Message(words_of(sent.game).say("report.sent", game=sent.game.name, title=sent.title)))
