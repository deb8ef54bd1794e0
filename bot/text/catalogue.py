"""The catalogue as the bot uses it: the phrases of a game's system, its powers' names, and markdown kept in check."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from bot.model import Game
from bot.text.markdown import Markup, escape, literal_code
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import Catalogue, Phrase
from engine.core.variant import load_phrases, load_variant, phrases_of


class Words:
    """Turns codes and phrases into text for Discord."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def say(self, code: str, /, **args: Any) -> Markup:
        """Words of our own; arguments are escaped unless they are `Markup`.

        Raises:
            KeyError: no such code, or an argument is missing.
        """
        return self.render(Phrase(code, args))

    def render(self, value: Phrase) -> Markup:
        """A phrase from the rules or the services, its arguments escaped except those in `code`."""
        return Markup(literal_code(self.catalogue.render(_escaped(value))))

    def plain(self, value: Phrase) -> str:
        """A phrase for files and alt texts, where markdown means nothing."""
        return self.catalogue.render(value)

    def plainly(self, code: str, /, **args: Any) -> str:
        """`say` for labels, files and alt texts, where markdown means nothing."""
        return self.catalogue.render(Phrase(code, args))

    def name(self, identifier: str) -> str:
        """The proper name of an id."""
        return self.catalogue.name(identifier)

    def in_sentence(self, identifier: str) -> str:
        """The proper name of an id as a sentence has it: with an article if it takes one."""
        return self.catalogue.in_sentence(identifier)

    def listed(self, items: Iterable[object]) -> Markup:
        """`a, b and c`, each escaped."""
        return Markup(self.catalogue.listed([_escaped_value(item) for item in items]))


@cache
def common_words() -> Words:
    """The words that belong to no game."""
    return Words(load_phrases())


@cache
def words_for(system: SystemId, variant: str) -> Words:
    """The words of a game of this system and variant."""
    return Words(phrases_of(load_variant(system, variant)))


def words_of(game: Game) -> Words:
    """The phrases of a game, whose scenario may name powers of its own."""
    if game.scenario is None:
        return words_for(game.system, game.variant)
    return words_naming(game.system, game.variant, tuple(game.scenario.powers.items()))


@lru_cache(maxsize=64)
def words_naming(system: SystemId, variant: str, names: tuple[tuple[PowerId, str], ...]) -> Words:
    """The words of a game with powers of its own: pairs of id and name."""
    own = Catalogue({}, {str(power): name for power, name in names})
    return Words(words_for(system, variant).catalogue.with_catalogue(own))


def _escaped(value: Phrase) -> Phrase:
    return Phrase(value.code, {name: _escaped_value(arg) for name, arg in value.args.items()})


def _escaped_value(value: Any) -> Any:
    match value:
        case Phrase():
            return _escaped(value)
        case str():
            return escape(value)
        case list() | tuple():
            return tuple(_escaped_value(item) for item in value)
        case _:
            return value
