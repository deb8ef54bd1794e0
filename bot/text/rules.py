"""The rules of a system in short, from `assets/<system>/rules.md`: a topic for each `## ` heading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.model import Game
from bot.services.errors import Refused, did_you_mean
from bot.text.catalogue import common_words
from bot.text.discord_limits import fit
from bot.text.markdown import Markup
from bot.text.message import Embed, Message
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import ASSETS
from engine.registry import systems


@cache
def rules_topics(system: SystemId) -> Mapping[str, str]:
    """The topics in reading order, with their texts; nothing for a system that has no such file."""
    path = ASSETS / system / "rules.md"
    if not path.exists():
        return {}
    topics: dict[str, str] = {}
    for chunk in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, text = chunk.partition("\n")
        topics[title.strip()] = text.strip()
    return topics


def rules_message(system: SystemId, topic: str | None, game: Game | None = None) -> tuple[Message, ...]:
    """One topic; without a name the first, with a list of all.

    Args:
        game: played by these rules, perhaps with tables of its own.

    Raises:
        Refused: there is no such topic.
    """
    topics = rules_topics(system)
    if not topics:
        raise Refused(phrase("failure.no_rules"))
    title = next(iter(topics)) if topic is None else _find_topic(system, topic)
    text = topics[title]
    if topic is None:
        others = Markup("\n".join(f"- {name}" for name in topics if name != title))
        text = f"{text}\n\n{common_words().say('rules.more', topics=others)}"
    if game is not None and game.scenario is not None:
        text = f"{text}\n\n{common_words().say('rules.scenario', game=game.name, name=game.scenario.name)}"
    return fit(Message(embeds=(Embed(title=title, description=text),)))


def _find_topic(system: SystemId, topic: str) -> str:
    topics = rules_topics(system)
    for title in topics:
        if title.casefold() == topic.strip().casefold():
            return title
    hint = did_you_mean(topic, topics) or phrase("refused.hint.one_of", words=tuple(topics))
    raise Refused(phrase("failure.unknown_topic", game=systems[system].info.name), hint)
