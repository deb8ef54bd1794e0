"""Reads what the creator of a game wrote (system, name, variant, players, options) into what can be played."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bot.model import Game
from bot.services.context import Context
from bot.services.errors import Refused, did_you_mean, refused, refused_with
from bot.services.scenarios import first_state
from engine.core.errors import DocumentError
from engine.core.facts import OptionInfo, SystemInfo
from engine.core.identity import ByIdentity
from engine.core.phrases import Phrase, phrase
from engine.core.play import Start, Status
from engine.core.variant import Variant
from engine.core.viewer import EVERYBODY
from engine.registry import AnySystem, State

LONGEST_NAME = 60
_JOINER = "\u200d"
"""Makes one emoji of several."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs, as Unicode counts them, that leave nothing on the screen."""
_YES = frozenset({"true", "yes", "on", "1", "y"})
_NO = frozenset({"false", "no", "off", "0", "n"})


def find_system(context: Context, text: str) -> AnySystem:
    """The rules that are meant, by id or name, in any case.

    Raises:
        Refused: there are none; near misses are named.
    """
    wanted = text.strip().casefold().replace(" ", "_")
    for system_id, info in context.systems.infos.items():
        if wanted in (system_id, info.name.casefold().replace(" ", "_")):
            return context.systems[system_id]
    raise refused_with(did_you_mean(text, context.systems), "unknown_system", system=text.strip()[:40])


def read_name(text: str) -> str:
    """The name of a game, without superfluous spaces, invisible characters, and those that reverse a line.

    Raises:
        Refused: there is none, or it is too long.
    """
    name = " ".join("".join(filter(_is_shown, text)).split())
    if not any(unicodedata.category(sign)[0] not in "ZM" and sign != _JOINER for sign in name):
        raise refused("name_missing")
    if len(name) > LONGEST_NAME:
        raise refused("name_too_long", most=LONGEST_NAME)
    return name


def _is_shown(sign: str) -> bool:
    """Whether a character is seen, or stands between words or the parts of an emoji."""
    if sign.isspace() or sign == _JOINER:
        return True
    return unicodedata.category(sign) not in _UNSEEN and sign not in _BLANK_LETTERS


def read_variant(info: SystemInfo, text: str | None) -> str:
    """The variant that is meant; `None`: the usual one.

    Raises:
        Refused: the system has none of that name.
    """
    if text is None or not text.strip():
        return "standard" if "standard" in info.variants else info.variants[0]
    wanted = text.strip().casefold()
    for variant in info.variants:
        if variant.casefold() == wanted:
            return variant
    hint = did_you_mean(text, info.variants)
    raise refused_with(hint, "unknown_variant", variant=text.strip()[:40], system=info.name)


def read_players(info: SystemInfo, players: int | None, variant: str) -> int:
    """The number of players; `None`: as many as usually play.

    Raises:
        Refused: the variant can't be played by so many.
    """
    if players is None:
        return info.usual_players(variant)
    seats = info.seats_in(variant)
    if players not in seats:
        hint = _seats_hint(seats)
        if len(info.variants) == 1:
            raise refused_with(hint, "player_count", players=players, system=info.name)
        raise refused_with(hint, "player_count_in_variant", players=players, system=info.name, variant=variant)
    return players


def _seats_hint(seats: Sequence[int]) -> Phrase:
    first, last = seats[0], seats[-1]
    if len(seats) > 1 and len(seats) == last - first + 1:
        return phrase("refused.hint.between", least=first, most=last)
    return phrase("refused.hint.one_of", words=tuple(map(str, seats)))


def read_options(info: SystemInfo, texts: Mapping[str, str]) -> dict[str, bool | int | str]:
    """Options by name, read as their type. Those that aren't named take their default.

    Raises:
        Refused: the system has no such option, or it can't have that value; near misses are named.
    """
    known = {option.name.casefold(): option for option in info.options}
    values: dict[str, bool | int | str] = {}
    for name, text in texts.items():
        option = known.get(name.strip().casefold().replace("-", "_"))
        if option is None:
            hint = did_you_mean(name, [option.name for option in info.options])
            raise refused_with(hint, "unknown_option", option=name.strip()[:40], system=info.name)
        values[option.name] = _read_option(option, text)
    return values


def _read_option(option: OptionInfo, text: str) -> bool | int | str:
    word = text.strip().casefold()
    if isinstance(option.default, bool):
        if word in _YES | _NO:
            return word in _YES
        raise _bad_option(option, text, phrase("refused.hint.one_of", words=("yes", "no")))
    if isinstance(option.default, int):
        return _read_number(option, text)
    if not option.choices:
        return text.strip()
    for choice in option.choices:
        if choice.casefold() == word:
            return choice
    raise _bad_option(option, text, did_you_mean(text, option.choices))


def _read_number(option: OptionInfo, text: str) -> int:
    hint = None
    if option.least is not None and option.most is not None:
        hint = phrase("refused.hint.between", least=option.least, most=option.most)
    try:
        number = int(text.strip()[:20])
    except ValueError as error:
        raise _bad_option(option, text, hint) from error
    if (option.least is not None and number < option.least) or (option.most is not None and number > option.most):
        raise _bad_option(option, text, hint)
    return number


def _bad_option(option: OptionInfo, text: str, hint: Phrase | None) -> Refused:
    return refused_with(hint, "bad_option", option=option.name, value=text.strip()[:40])


def opening_of(rules: AnySystem, game: Game) -> tuple[Variant, Status]:
    """What everybody will know of the powers and the map of a game that has not begun, and how it would begin."""
    state = _sketched(rules, game)
    return rules.sight.atlas(rules.sight.view(state, EVERYBODY)), rules.play.status(state)


def check_opening(rules: AnySystem, game: Game) -> None:
    """Check that a game can begin.

    Raises:
        Refused: the rules can't set it up like that.
    """
    _sketched(rules, game)


def _sketched(rules: AnySystem, game: Game) -> State:
    """A first position that is right in its powers and status, and quickly made."""
    if game.scenario is not None:
        return start_state(rules, game, seed="")
    return _sketch(ByIdentity(rules), game.variant, game.players, tuple(sorted(game.options.items())))


@lru_cache(maxsize=4)  # asked for whenever somebody joins
def _sketch(
    rules: ByIdentity[AnySystem], variant: str, players: int, options: tuple[tuple[str, bool | int | str], ...]
) -> State:
    start = rules.value.play.sketch or rules.value.play.start
    return _started(start, variant, players, dict(options), seed="")


def start_state(rules: AnySystem, game: Game, *, seed: str) -> State:
    """The first position of a game.

    Raises:
        Refused: the rules can't set it up like that.
    """
    if game.scenario is not None:
        return first_state(rules, game.scenario, players=game.players, options=game.options, seed=seed)
    return _started(rules.play.start, game.variant, game.players, game.options, seed=seed)


def _started(
    start: Start[State], variant: str, players: int, options: Mapping[str, bool | int | str], *, seed: str
) -> State:
    try:
        return start(variant=variant, players=players, options=options, seed=seed)
    except DocumentError as error:
        option = error.where.removeprefix("options.")
        if option in options and option != error.where:
            raise refused("bad_value", option=option, value=str(options[option]), problem=error.problem) from error
        raise refused("bad_setup", where=error.where, problem=error.problem) from error
