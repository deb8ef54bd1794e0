"""Which direct messages a player gets, and how to change that."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.catalogue import common_words
from bot.text.message import Message


def notices_message(chosen: Mapping[str, bool]) -> Message:
    """For the one who asks: each notice, and whether it is on."""
    words = common_words()
    lines = [words.say("notices.heading")]
    for kind, is_on in chosen.items():
        what = words.say(f"notices.{kind}")
        lines.append(words.say("notices.on" if is_on else "notices.off", what=what))
    lines.append(words.say("notices.how"))
    return Message("\n".join(lines))
