"""The rules of a system in short, from `assets/<system>/rules.md`: a topic for each `## ` heading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.model import Game
from bot.services.errors import Refused, did_you_mean
from bot.text.catalogue import common_words
from bot.text.custom_ids import NO_GAME, Action, CustomId
from bot.text.discord_limits import fit
from bot.text.message import Button, Embed, Message
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
    """One topic; without a name the first. A button leads to each of the others.

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
    if game is not None and game.scenario is not None:
        text = f"{text}\n\n{common_words().say('rules.scenario', game=game.name, name=game.scenario.name)}"
    buttons = tuple(_button(system, number, name, game) for number, name in enumerate(topics) if name != title)
    heading = common_words().plainly("rules.title", system=systems.infos[system].name, topic=title)
    return fit(Message(embeds=(Embed(title=heading, description=text),), buttons=buttons))


def rules_button(game: Game | None = None, *, system: SystemId | None = None) -> Button:
    """A button that leads to the rules: of a game, or of a system by its name."""
    if game is not None:
        return _button(game.system, 0, common_words().plainly("button.rules"), game)
    assert system is not None, "the rules of something"
    return _button(system, 0, systems.infos[system].name, None)


def topic_of(token: str) -> tuple[SystemId, str] | None:
    """The system and topic of a button's token; `None` if there is none such any more."""
    system, _, number = token.rpartition("-")
    if system not in systems or not number.isascii() or not number.isdigit():
        return None
    topics = tuple(rules_topics(SystemId(system)))
    return (SystemId(system), topics[int(number)]) if int(number) < len(topics) else None


def _button(system: SystemId, number: int, label: str, game: Game | None) -> Button:
    key = NO_GAME if game is None else game.token
    return Button(str(CustomId(Action.RULES, key, token=f"{system}-{number}")), label)


def _find_topic(system: SystemId, topic: str) -> str:
    topics = rules_topics(system)
    for title in topics:
        if title.casefold() == topic.strip().casefold():
            return title
    hint = did_you_mean(topic, topics) or phrase("refused.hint.one_of", words=tuple(topics))
    raise Refused(phrase("failure.unknown_topic", game=systems.infos[system].name), hint)
