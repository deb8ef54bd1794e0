"""Games as text: the call for players, lists, everything public about one, and the outcome for a seat or a vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.model import Act, ActKind, BallotKind, Game, GameStatus, Pace, Seat, UserId
from bot.services.acts import NOBODY
from bot.services.asking import Asked
from bot.services.course import RULES_VERSION
from bot.services.inspect import BoardView
from bot.services.lobby import EarlyEnd, Leaving, SeedDraw, Starting
from bot.services.overview import GameInfo, GameLine, SeatInfo
from bot.services.replay import Verification
from bot.services.seeds import PART, Origin, SeedParts
from bot.services.table import UNFINISHED
from bot.services.votes import VoteReceipt
from bot.text.board import board_picture
from bot.text.buttons import button
from bot.text.catalogue import Words, common_words, words_of
from bot.text.custom_ids import NO_GAME, SURE, Action, CustomId
from bot.text.discord_limits import CHOICES, fit, shorten
from bot.text.markdown import Markup, channel_mention, code_block, full_time, mention, relative_time
from bot.text.message import Embed, Field, Message, Select, SelectChoice, TextFile
from engine.core.facts import DoorInfo, SystemInfo
from engine.core.play import Status
from engine.registry import systems

_QUOTED = 600
"""How many characters of orders are quoted to show which are meant."""


def call_for_players(
    game: Game,
    info: SystemInfo,
    creator: UserId,
    board: BoardView | None = None,
    *,
    seal: str | None = None,
    seats: Sequence[Seat] = (),
) -> tuple[Message, ...]:
    """The public post with the button to join, as long as there is something to join.

    Args:
        seats: those that are taken, and what their players gave to the seed.
        board: how the game will begin, where that is known.
        seal: the fingerprint of the secret from which its seed will be made.
    """
    words = words_of(game)
    lines = [
        words.say(
            "lobby.created",
            game=game.name,
            creator=mention(creator),
            system=info.name,
            variant=_set_up(game),
            players=game.players,
        ),
        words.say("lobby.about", line=words.plainly("about.line")),
        *scenario_lines(words, game),
        *pace_lines(words, game.pace, info),
        *option_lines(words, game),
    ]
    if game.computer is not None:
        lines.append(words.say("lobby.computers", level=game.computer))
    if seal is not None:
        lines.append(words.say("lobby.sealed", seal=seal))
    lines += _taken_lines(words, game, seats, is_anonymous=info.is_anonymous)
    pictures = () if board is None else (board_picture(words, game, board.scene, board.text, deadline_at=None),)
    is_open = game.status is GameStatus.LOBBY
    return fit(
        Message(
            content="\n".join(lines),
            pictures=pictures,
            files=scenario_files(game),
            buttons=(button(words, game, 0, Action.JOIN),) if is_open else (),
        )
    )


def option_lines(words: Words, game: Game) -> list[Markup]:
    """The rule options that were chosen for the game."""
    if not game.options:
        return []
    options = ", ".join(f"{name} = {_as_typed(value)}" for name, value in game.options.items())
    return [words.say("lobby.options", options=options)]


def _as_typed(value: object) -> str:
    """The value of an option as completion writes it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _taken_lines(words: Words, game: Game, seats: Sequence[Seat], *, is_anonymous: bool) -> list[Markup]:
    """Who has joined a game that waits for its players, or that it waits no longer."""
    if game.status is GameStatus.CANCELLED:
        return [words.say("lobby.call_cancelled")]
    if game.status is not GameStatus.LOBBY:
        return [words.say("lobby.call_over")]
    if not seats:
        return []
    # Of somebody whom nobody is to know there is at most their word to say.
    known = [seat for seat in seats if not is_anonymous or seat.computer is not None or seat.word]
    named = Counter(_joined(words, seat, None if is_anonymous else seat.user_id) for seat in known)
    joined = words.listed(
        [who if count == 1 else words.say("lobby.joined_seats", who=who, count=count) for who, count in named.items()]
    )
    code = "lobby.joined" if known else "lobby.joined_unnamed"
    full = [words.say("lobby.call_full")] if len(seats) >= game.players else []
    return [words.say(code, taken=len(seats), players=game.players, joined=joined), *full]


def _joined(words: Words, seat: Seat, player: UserId | None) -> Markup:
    """Somebody who has joined; `None`: nobody is to know who. Of the computer everybody may."""
    if seat.computer is not None:
        code = "lobby.computer_joined" if seat.wish is None else "lobby.computer_as"
        return words.say(code, level=seat.computer, power=seat.wish or "")
    who = _player(words, player)
    return words.say("lobby.joined_with_word", player=who, word=seat.word) if seat.word else who


def _set_up(game: Game) -> str:
    """Which map and beginning it is played with."""
    return game.variant if game.scenario is None else game.scenario.name


def scenario_lines(words: Words, game: Game) -> list[Markup]:
    """The scenario with which the game starts, if it has one."""
    if game.scenario is None:
        return []
    about = [words.say("lobby.scenario_about", about=game.scenario.about)] if game.scenario.about else []
    return [words.say("lobby.scenario", name=game.scenario.name, file=game.scenario.filename), *about]


def scenario_files(game: Game) -> tuple[TextFile, ...]:
    """The scenario as it was sent: everybody may read it."""
    if game.scenario is None or game.scenario.text is None:
        return ()
    return (TextFile(game.scenario.filename, game.scenario.text),)


def pace_lines(words: Words, pace: Pace, system: SystemInfo) -> list[Markup]:
    """How long phases are, and whether they may close early."""
    usual = () if pace.by_kind.keys() >= set(system.kinds) else (pace.default,)
    paces = [words.say("lobby.pace_of_kind", kind=kind, pace=text) for kind, text in pace.by_kind.items()]
    return [
        words.say("lobby.pace", pace=words.say("lobby.paces", paces=(*usual, *paces))),
        words.say("lobby.close_early" if pace.close_early else "lobby.no_close_early"),
    ]


def draw_message(draw: SeedDraw) -> Message:
    """Public, just before a game begins: what its seed is made of, unless that was announced before.

    The number of this message is a part of it.
    """
    words = words_of(draw.game)
    code = "lobby.draw" if draw.words else "lobby.draw_wordless"
    said = words.say(code, game=draw.game.name, words=PART.join(draw.words))
    return Message(said if draw.is_published else f"{said} {words.say('lobby.draw_sealed', seal=draw.seal)}")


def _player(words: Words, player: UserId | None) -> Markup:
    return words.say("lobby.somebody") if player is None else mention(player)


def seat_message(game: Game, seat: Seat, *, gives_up: DoorInfo | None = None) -> Message:
    """For the one who joined: what they have now.

    Args:
        gives_up: the command by which they could have chosen something as game master; `None`: there is none.
    """
    words = words_of(game)
    if seat.power is not None:
        took_over = words.say("lobby.took_over", game=game.name, power=seat.power)
        past = [words.say("lobby.took_over_past", power=seat.power)] if game.phase_no > 1 else []
        return Message("\n".join([took_over, *past]))
    code = "lobby.joined_private" if seat.wish is None else "lobby.joined_wish"
    joined = words.say(code, game=game.name, power=seat.wish or "")
    word = [words.say("lobby.joined_word", word=seat.word)] if seat.word else []
    choice = [words.say(f"door.{gives_up.id}.joined")] if gives_up else []
    return Message("\n".join([joined, *word, *choice]))


def asked_message(asked: Asked) -> Message:
    """For whoever wants a place that a game master gives: that it was passed on."""
    return Message(words_of(asked.game).say("lobby.asked", game=asked.game.name, power=asked.power))


def leave_message(leaving: Leaving) -> Message:
    """The question to whoever is about to give up a seat in a running game, and what that means."""
    words, game = words_of(leaving.game), leaving.game
    lines = [words.say(f"lobby.leave_{_going(leaving)}", game=game.name, power=leaving.power)]
    if game.phase_no > 1:
        lines.append(words.say("lobby.leave_chronicle"))
    leave = button(words, game, game.phase_no, Action.LEAVE, token=SURE)
    return Message(Markup("\n".join(lines)), buttons=(leave,))


def left_message(leaving: Leaving) -> Message:
    """For whoever has just given up a seat in a running game. `leaving`: of before."""
    return Message(words_of(leaving.game).say(f"lobby.left_{_going(leaving)}", game=leaving.game.name))


def start_message(starting: Starting) -> Message:
    """The question to whoever is about to start a game with fewer players than planned."""
    words, game = words_of(starting.game), starting.game
    asked = words.say("lobby.start_asked", game=game.name, taken=starting.taken, players=game.players)
    return Message(asked, buttons=(button(words, game, 0, Action.START, token=str(starting.taken)),))


def end_message(ending: EarlyEnd) -> Message:
    """The question to whoever is about to end a game that others are still playing, or that its rules decide."""
    words, game = words_of(ending.game), ending.game
    code = "lobby.end_asked_by_rules" if ending.has_others else "lobby.end_asked_alone"
    code = code if ending.has_winners else "lobby.end_asked"
    end = button(words, game, game.phase_no, Action.END, token=SURE)
    return Message(words.say(code, game=game.name, title=ending.title), buttons=(end,))


def _going(leaving: Leaving) -> str:
    """What becomes of the seat, as the end of a phrase's name."""
    if leaving.is_out:
        return "out"
    return "running" if leaving.is_open else "to_masters"


def lobby_message(code: str, game: Game) -> Message:
    """One of the catalogue's `[lobby]` texts that need nothing but the game."""
    return Message(words_of(game).say(f"lobby.{code}", game=game.name))


def games_message(lines: Sequence[GameLine], *, in_server: bool, names: dict[str, str]) -> tuple[Message, ...]:
    """A list of games.

    Args:
        names: of the systems, by id.
    """
    words = common_words()
    if not lines:
        return (Message(words.say("lobby.list_empty_server" if in_server else "lobby.list_empty_user")),)
    text = "\n".join(_game_line(line, names, in_server=in_server) for line in lines)
    return fit(Message(embeds=(Embed(title=words.plainly("lobby.list_title"), description=text),)))


def _game_line(line: GameLine, names: dict[str, str], *, in_server: bool) -> Markup:
    game = line.game
    words = words_of(game)
    you = words.say("lobby.you_are_out" if line.is_out else "lobby.you_play", power=line.power) if line.power else ""
    where = "" if in_server else words.say("lobby.channel", channel=channel_mention(game.channel_id))
    code = f"lobby.line_{game.status}"
    left = ""
    if game.status is GameStatus.RUNNING:
        if game.deadline_at is None:
            code = "lobby.line_running_no_deadline"
        else:
            left = relative_time(game.deadline_at)
    return words.say(
        code,
        game=game.name,
        system=names.get(game.system, game.system),
        title=line.title or "",
        taken=line.seats_taken,
        players=game.players,
        left=left,
        you=Markup(f"{you}{where}"),
    )


def info_message(info: GameInfo, system: SystemInfo) -> tuple[Message, ...]:
    """Everything public about a game, and who is missing in it, never with what."""
    words, game = words_of(info.game), info.game
    lines = [
        words.say("info.about", system=system.name, variant=_set_up(game), players=game.players, id=game.id),
        words.say(
            f"info.{game.status}",
            title=info.status.title if info.status else "",
            taken=len(info.seats),
            players=game.players,
        ),
    ]
    if info.status is not None and info.status.winners is not None:
        lines += _outcome(words, info.status)
    if info.deadline_at is not None:
        lines.append(
            words.say("info.locks", left=relative_time(info.deadline_at), deadline=full_time(info.deadline_at))
        )
    if info.deciding:
        lines.append(words.say("info.ready", count=info.ready, total=info.deciding))
    lines += scenario_lines(words, game)
    lines += pace_lines(words, game.pace, system)
    lines += option_lines(words, game)
    if game.computer is not None and game.status in UNFINISHED:
        lines.append(words.say("lobby.computers", level=game.computer))
    masters = [mention(user) for user in sorted(game.game_masters)]
    lines.append(words.say("info.masters", count=len(masters), masters=words.listed(masters)))
    fields = [Field(words.plainly("info.seats"), "\n".join(_seat_lines(words, info)) or words.say("info.nobody"))]
    if info.missing:
        fields.append(Field(words.plainly("info.missing_title"), words.listed(map(words.name, info.missing))))
    if info.schedule:
        dates = "\n".join(f"{full_time(at)} ({relative_time(at)})" for at in info.schedule)
        fields.append(Field(words.plainly("info.schedule_title"), dates))
    title = words.say("info.title", game=game.name)
    box = Embed(title=title, description="\n".join(lines), fields=tuple(fields))
    return fit(Message(embeds=(box,), files=scenario_files(game)))


def _outcome(words: Words, status: Status) -> Iterator[Markup]:
    """Who has won a game that is over, and why it ended."""
    winners = status.winners or ()
    yield words.say({0: "film.nobody", 1: "film.won"}.get(len(winners), "film.shared"), powers=winners)
    if status.why_over is not None:
        yield words.render(status.why_over)


def _seat_lines(words: Words, info: GameInfo) -> list[str]:
    return [_seat_line(words, info, seat, place) for place, seat in enumerate(info.seats, start=1)]


def _seat_line(words: Words, info: GameInfo, seat: SeatInfo, place: int) -> str:
    player = "" if not seat.is_taken else _player(words, seat.player)
    if seat.computer is not None:
        player = _computer(words, seat)
    if seat.power is None:
        code = "info.seat_wish" if seat.wish else "info.seat_lobby"
        return words.say(code, number=place, player=player, power=seat.wish)
    is_named = seat.player is not None or seat.computer is not None
    code = "info.seat_vacant" if not seat.is_taken else "info.seat" if is_named else "info.seat_unnamed"
    line = words.say(code, power=seat.power, player=player)
    is_out = info.status is not None and seat.power in info.status.out
    is_asked = info.status is not None and info.status.is_by_invitation and not (seat.is_taken or seat.is_open)
    may_be_joined = seat.is_open and not is_out and info.game.status in UNFINISHED
    notes = [
        words.say("info.open") if may_be_joined else "",
        words.say("info.asked") if is_asked and not is_out else "",
        words.say("info.place") if info.status is not None and seat.power in info.status.places else "",
        words.say("info.missed", count=seat.missed) if seat.missed else "",
        words.say("info.out") if is_out else "",
    ]
    return "".join([line, *notes])


def _computer(words: Words, seat: SeatInfo) -> Markup:
    if seat.player is None:
        return words.say("lobby.computer", level=seat.computer)
    return words.say("lobby.stand_in", level=seat.computer, player=mention(seat.player))


def verification_message(found: Verification) -> tuple[Message, ...]:
    """Whether a repeated game gave the same results as were posted, and what proves its dice."""
    words = words_of(found.game)
    versions = {"version": RULES_VERSION, "versions": found.versions}
    lines = [
        words.say(
            f"verify.{_verdict(found)}", game=found.game.name, count=found.phases, phases=found.drifted, **versions
        ),
        *([words.say("verify.older", count=len(found.older), **versions)] if found.older else []),
        *([words.say("verify.outgrown", phases=found.outgrown)] if found.outgrown else []),
        *([words.say("verify.older_same")] if found.older and not found.outgrown else []),
        *([words.say("verify.retold", phases=found.retold)] if found.retold else []),
        *_act_lines(words, found),
        *([words.say("verify.altered", phases=found.altered)] if found.altered else []),
        words.say(f"verify.opening_{found.opening}"),
        *_seal_lines(words, found),
    ]
    return fit(Message("\n".join(lines)))


_ACTS_TOLD = 20
"""More of them are only counted."""


def _act_lines(words: Words, found: Verification) -> Iterator[Markup]:
    """What was done to the position between closings, and made again."""
    if not found.acts:
        return
    yield words.say("verify.acts", count=len(found.acts))
    for told in found.acts[:_ACTS_TOLD]:
        yield words.say("verify.act", code=told.code, what=_act(words, found.game, told.act), who=_by(words, told.act))
    if len(found.acts) > _ACTS_TOLD:
        yield words.say("verify.more_acts", count=len(found.acts) - _ACTS_TOLD)


def _act(words: Words, game: Game, act: Act) -> Markup:
    choice = systems[game.system].secret_choice
    if act.kind is ActKind.CHOICE and choice is not None:
        return words.render(choice.told(act.text))
    return words.say("verify.act_edit", text=act.text)


def _by(words: Words, act: Act) -> Markup:
    """Who did it, if that is known: earlier versions did not keep it."""
    return Markup("") if act.actor == NOBODY else words.say("verify.act_by", who=mention(act.actor))


def _verdict(found: Verification) -> str:
    """The code of what is said of the phases that today's rules closed."""
    if found.drifted:
        return "drifted"
    if found.older:
        return "older_alone" if len(found.older) == found.phases else "honest_since"
    return {0: "nothing_yet", 1: "honest_one"}.get(found.phases, "honest")


def _seal_lines(words: Words, found: Verification) -> list[Markup]:
    """What each seed is known by: that of dice was announced before they fell, any other one only by its secret."""
    lines = []
    for number, sealed in enumerate(found.seals):
        if not found.has_dice and sealed.parts is None:
            continue
        if number:
            lines.append(words.say("verify.later_seal", seal=sealed.seal, code=sealed.first_code))
        elif found.has_dice:
            is_posted = sealed.parts is None or sealed.parts.message_id is None
            lines.append(words.say("verify.seal" if is_posted else "verify.seal_of_parts", seal=sealed.seal))
        lines.append(words.say("verify.secret") if sealed.seed is None else words.say("verify.seed", seed=sealed.seed))
        if sealed.parts is not None:
            lines.append(seed_parts(words, sealed.parts, seal=sealed.secret_seal, origin=sealed.origin))
        elif sealed.origin is Origin.ALONE:
            lines.append(words.say("seed.parts_alone"))
    if found.is_exposed:
        lines.append(words.say("verify.told_before", code=found.game.phase_code))
    return lines


def seed_parts(words: Words, parts: SeedParts, *, seal: str, origin: Origin = Origin.FIRST) -> Markup:
    """The parts of a seed, with the fingerprint in place of the secret.

    Args:
        seal: empty where it is itself a secret.
    """
    said = "number" if origin is Origin.FIRST else "number_back"
    code = "no_number" if parts.message_id is None else said
    number = words.say(f"seed.{code}", number=parts.message_id or 0)
    given = words.say("seed.words" if parts.words else "seed.no_words", words=PART.join(parts.words))
    if origin is Origin.FIRST:
        return words.say("seed.parts", seal=seal, number=number, words=given)
    if origin is Origin.NEXT:
        return words.say("seed.parts_next_told" if seal else "seed.parts_next", seal=seal, number=number)
    return words.say(f"seed.parts_{origin}", seal=seal, number=number)


def vote_message(receipt: VoteReceipt) -> Message:
    """For the voter alone: their own vote, and whether it carried."""
    words = words_of(receipt.game)
    if receipt.had_none:
        return Message(words.say("vote.none", game=receipt.game.name))
    code = f"vote.{receipt.kind}_{'for' if receipt.in_favour else 'against'}"
    lines = [words.say(code, game=receipt.game.name, winner=receipt.winner or "")]
    pending = "vote.secret_end" if receipt.kind is BallotKind.END else "vote.secret"
    lines.append(words.say("vote.carried" if receipt.carried else pending))
    if receipt.blocked and not receipt.carried:
        lines.append(words.say("vote.blocked", powers=receipt.blocked))
    if receipt.computers and receipt.in_favour and not receipt.carried:
        lines.append(words.say("vote.computers", powers=receipt.computers))
    return Message("\n".join(lines))


def which_game_message(games: Sequence[Game], message_id: int, text: str, *, at: datetime) -> Message:
    """Asks which game the orders of a direct message are for, and quotes them.

    Args:
        message_id: of the direct message; its text is not kept.
        at: now: for games that are past their deadlines the choice may come too late.
    """
    words = common_words()
    quoted = code_block(shorten("\n".join(filter(str.strip, text.splitlines())), _QUOTED))
    # With the phase: orders are not taken for a later one than they were written for.
    choices = tuple(SelectChoice(f"{game.token}:{game.phase_no}", game.name, _phase(game)) for game in games[:CHOICES])
    select = Select(
        str(CustomId(Action.WHICH, NO_GAME, 0, str(message_id))), words.plainly("choose.placeholder"), choices
    )
    lines = [words.say("choose.which_orders")]
    if len(games) > CHOICES:
        lines.append(words.say("choose.others", shown=CHOICES, count=len(games) - CHOICES))
    if any(game.deadline_at is not None and game.deadline_at <= at for game in games):
        lines.append(words.say("choose.due"))
    names = [game.name.casefold() for game in games]
    unlike = [game.name for game in games if names.count(game.name.casefold()) == 1]
    tips = [words.say("choose.name_first", game=name) for name in unlike[:1]]
    content = "\n".join([*lines, quoted, *tips])
    return fit(Message(content=content, selects=(select,)))[0]


def _phase(game: Game) -> str:
    """The present phase of a game in a list that is short of room."""
    return game.phase_code if game.phase_title is None else words_of(game).plain(game.phase_title)
