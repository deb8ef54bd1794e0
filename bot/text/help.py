"""What `/help` and a friendly direct message say: the next thing to do, for somebody in exactly this situation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bot.model import Game, GameStatus
from bot.services.guidance import Guidance, OwnGuidance
from bot.services.overview import GameLine
from bot.text.buttons import public_buttons
from bot.text.catalogue import Words, common_words, words_of
from bot.text.discord_limits import fit
from bot.text.markdown import Markup, full_time, relative_time
from bot.text.message import Button, Embed, Message
from bot.text.rules import rules_button
from engine.core.orders import names_of
from engine.core.variant import load_phrases
from engine.registry import AnySystem, systems

_PLAYED = (GameStatus.RUNNING, GameStatus.PAUSED)
_COMMAND = re.compile(r"`/([a-z]+(?: [a-z-]+)?)`")


def help_message(person: Guidance, link: Callable[[str], str]) -> tuple[Message, ...]:
    """Help for a person in this situation.

    Args:
        link: makes the mention of a command from its name.
    """
    words = common_words()
    parts = [*_of_player(person), *_of_others(words, person), *_of_masters(words, person.mastered)]
    text = "\n\n".join(with_links(part, link) for part in parts)
    title = words.plainly("help.title")
    return fit(Message(embeds=(Embed(title=title, description=text),), buttons=_buttons(person)))


def hello_message(person: Guidance, link: Callable[[str], str]) -> tuple[Message, ...]:
    """A friendly answer to somebody who writes something that isn't orders."""
    own = person.own
    if own is None or not own.may_order:
        hello = common_words().say("help.hello" if own is not None else "help.no_game")
    else:
        words = words_of(own.line.game)
        hello = words.say("help.hello_orders", such_as=_such_as(words, own))
    return (Message(hello), *help_message(person, link))


# Players


def _of_player(person: Guidance) -> Iterator[str]:
    own = person.own
    if own is not None:
        yield "\n".join(_asked(own))
        words = words_of(own.line.game)
        if own.may_order:
            yield words.say("help.orders", such_as=_such_as(words, own))
        yield "\n".join([words.say("help.looking"), words.say(_ending(own.rules))])
        if own.families:
            # A line each: games have up to a dozen of them.
            doors = [words.say("help.door", what=words.say(f"door.{family}.help")) for family in own.families]
            yield "\n".join([words.say("help.doors"), *doors])
        yield words.say("help.more")
    others = [line for line in person.lines if own is None or line.game.id != own.line.game.id]
    if others:
        heading = common_words().say("help.playing" if own is None else "help.playing_too")
        yield "\n".join([heading, *map(_line, others)])


def _asked(own: OwnGuidance) -> Iterator[Markup]:
    """Who and where one is, what is missing, until when, and what could be written now."""
    game, words = own.line.game, words_of(own.line.game)
    yield words.say("help.game_now", game=game.name, power=own.line.power, title=own.line.title or "")
    yield words.say("message.goal", goal=own.goal)
    if not own.may_order:
        yield words.say("receipt.nothing_to_order")
        return
    if game.status is GameStatus.PAUSED:
        yield words.say("receipt.paused")
    elif game.deadline_at is not None:
        left, deadline = relative_time(game.deadline_at), full_time(game.deadline_at)
        yield words.say("receipt.locks", left=left, deadline=deadline)
    if own.missing:
        yield words.say("message.missing", units=names_of(own.missing))
        yield from map(words.render, own.otherwise)
    else:
        yield words.say("receipt.empty_sheet" if own.is_empty else "help.nothing_missing")
    for code, has_order in (("help.examples", True), ("help.meanings", False)):
        told = [what for what in own.examples if ("order" in what.args) is has_order]
        if told:
            yield words.say(code)
            yield from (words.say("message.example", what=what) for what in told)


def _such_as(words: Words, own: OwnGuidance) -> Markup:
    """An order that could be sent now."""
    return such_as(words, next((str(what.args["order"]) for what in own.examples if "order" in what.args), ""))


def such_as(words: Words, example: str) -> Markup:
    """`, such as` and an order of the game that shows how orders are written; nothing without one."""
    return words.say("help.such_as", order=example) if example else Markup("")


def _ending(rules: AnySystem) -> str:
    return "help.ending" if rules.play.consent_needed is None else "help.ending_by_consent"


def _line(line: GameLine) -> Markup:
    game, words = line.game, words_of(line.game)
    if game.status not in _PLAYED:
        return words.say("help.lobby", game=game.name)
    left = relative_time(game.deadline_at) if game.deadline_at else ""
    code = "help.game_out" if line.is_out else "help.game" if game.deadline_at else "help.game_no_deadline"
    return words.say(code, game=game.name, power=line.power or "", left=left)


# Those who don't play


def _of_others(words: Words, person: Guidance) -> Iterator[str]:
    watched = person.watched
    if watched is not None and watched.game.status not in _PLAYED:
        is_full = watched.seats_taken >= watched.game.players
        yield words.say("help.call_full" if is_full else "help.call", game=watched.game.name)
    elif watched is not None:
        title = words_of(watched.game).render(watched.title) if watched.title is not None else ""
        yield words.say("help.spectator", game=watched.game.name, title=title)
        if person.has_open_seats:
            yield words.say("help.open_seat")
    if not person.lines and watched is None:
        newcomer = "help.newcomer" if person.is_in_server else "help.newcomer_by_message"
        games = [
            words.say("help.system", name=info.name, line=load_phrases(info.id).template("about.line"))
            for info in systems.infos.values()
        ]
        yield "\n".join([words.say(newcomer), words.say("help.games"), *games])


def _of_masters(words: Words, games: Sequence[Game]) -> Iterator[str]:
    if not games:
        return
    names = [game.name for game in games]
    lines = [words.say("help.master", games=names)]
    if any(game.status is GameStatus.LOBBY for game in games):
        lines.append(words.say("help.master_lobby"))
    running = [systems[game.system] for game in games if game.status in _PLAYED]
    if running:
        lines.append(words.say("help.master_running"))
    if any(rules.edits is not None for rules in running):
        lines.append(words.say("help.master_edits"))
    choices = {rules.info.id: rules.info.secret_choice for rules in running if rules.info.secret_choice}.items()
    lines += [Words(load_phrases(id_)).say(f"door.{command.id}.help") for id_, command in choices]
    yield "\n".join(lines)


def _buttons(person: Guidance) -> tuple[Button, ...]:
    if person.own is not None:
        game = person.own.line.game
        own = public_buttons(words_of(game), game, game.phase_no) if person.own.may_order else ()
        return (*own, rules_button(game))
    meant = person.watched.game if person.watched is not None else person.lines[0].game if person.lines else None
    return (rules_button(meant),) if meant is not None else tuple(rules_button(system=id_) for id_ in systems)


def with_links(text: str, link: Callable[[str], str]) -> str:
    """The text with each command in backticks as a link to it."""
    return _COMMAND.sub(lambda match: link(match[1]), text)
