"""What `/help` and a friendly word by direct message say: the next thing to do, for somebody in just this situation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bot.model import GameStatus
from bot.services.lobby import GameLine
from bot.text.catalogue import Words, common_words, words_of
from bot.text.discord_limits import fit
from bot.text.markdown import Markup, relative_time
from bot.text.message import Embed, Message
from engine.core.variant import load_phrases
from engine.registry import systems

_PLAYED = (GameStatus.RUNNING, GameStatus.PAUSED)
_COMMAND = re.compile(r"`/([a-z]+(?: [a-z-]+)?)`")


def help_message(lines: Sequence[GameLine], link: Callable[[str], str]) -> tuple[Message, ...]:
    """Help for a person who is in these games.

    Args:
        link: makes the mention of a command from its name.
    """
    words = common_words()
    parts = [_situation(words, lines), words.say("help.commands", doors=_doors()), words.say("help.more")]
    text = "\n\n".join(with_links(part, link) for part in parts)
    return fit(Message(embeds=(Embed(title=words.plainly("help.title"), description=text),)))


def hello_message(lines: Sequence[GameLine], link: Callable[[str], str]) -> tuple[Message, ...]:
    """A friendly word for whoever writes something that is no orders."""
    playing = [line for line in lines if line.game.status in _PLAYED]
    words = _words(playing)
    hello = words.say("help.hello", such_as=_such_as(words, playing)) if playing else words.say("help.no_game")
    return (Message(hello), *help_message(lines, link))


def _situation(words: Words, lines: Sequence[GameLine]) -> str:
    playing = [line for line in lines if line.game.status in _PLAYED]
    if playing:
        games = "\n".join(_playing(line) for line in playing)
        own = _words(playing)
        return f"{words.say('help.playing')}\n{games}\n\n{own.say('help.orders', such_as=_such_as(own, playing))}"
    if lines:
        return words.say("help.lobby", games=[line.game.name for line in lines])
    return words.say("help.newcomer")


def _such_as(words: Words, playing: Sequence[GameLine]) -> Markup:
    """An order of the first game in which there is one to give."""
    return such_as(words, next((line.example for line in playing if line.example), ""))


def such_as(words: Words, example: str) -> Markup:
    """`, such as` and an order of the game that shows how orders are written; nothing without one."""
    return words.say("help.such_as", order=example) if example else Markup("")


def _doors() -> Markup:
    """The special ways to order that some games have."""
    told = []
    for system in systems.values():
        words = Words(load_phrases(system.info.id))
        told += [words.say(f"door.{family}.help") for family in dict.fromkeys(door.family for door in system.doors)]
    return Markup(", ".join(told))


def _words(playing: Sequence[GameLine]) -> Words:
    """The words of the one game that somebody plays; of several games those that fit all."""
    systems = {line.game.system for line in playing}
    return words_of(playing[0].game) if len(systems) == 1 else common_words()


def _playing(line: GameLine) -> Markup:
    game = line.game
    left = relative_time(game.deadline_at) if game.deadline_at else ""
    code = "help.game_out" if line.is_out else "help.game" if game.deadline_at else "help.game_no_deadline"
    return words_of(game).say(code, game=game.name, power=line.power or "", left=left)


def with_links(text: str, link: Callable[[str], str]) -> str:
    """The text with each command in backticks as a link to it."""
    return _COMMAND.sub(lambda match: link(match[1]), text)
