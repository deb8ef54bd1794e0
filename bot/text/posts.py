"""The posts in a game's channel, for everybody."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import GameStatus, Outgoing, Seat, UserId
from bot.services import inspect, post
from bot.services.films import standings_chart
from bot.services.reminders import has_answered
from bot.services.seeds import parts_of, seed_of
from bot.services.table import deciding_seats, is_manned
from bot.text.board import board_file, board_picture
from bot.text.buttons import public_buttons
from bot.text.discord_limits import fit
from bot.text.films import chart_messages
from bot.text.games import call_for_players, option_lines
from bot.text.markdown import Markup, mention
from bot.text.message import Embed, Message, ScenePicture, TextFile
from bot.text.occasion import Occasion, until_when
from bot.text.results import story_messages
from engine.core.dice import seal
from engine.core.ids import PowerId
from engine.core.phrases import phrase, phrase_from_json
from engine.core.viewer import EVERYBODY

_DUE = "report.to_act"
"""How the codes of lines begin that say, in a public briefing, which `powers` orders are due from."""


def opening(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """Who plays, what everybody has to reach, and what is asked in the first phase."""
    words, game = occasion.words, occasion.game
    heading = words.say("message.opening", game=game.name, system=occasion.system.info.name)
    players = "\n".join(_seat_line(occasion, seat) for seat in occasion.seats if seat.power)
    goal = words.say("message.goal", goal=occasion.goal(None))
    rules = option_lines(words, game)
    asked = "\n".join(_public_briefing(occasion))
    how = words.say("message.how_to_order")
    if occasion.status.may_negotiate:
        how = Markup(f"{how} {words.say('message.negotiate')}")
    parts = parts_of(_seed(occasion))
    if occasion.system.info.has_dice and (parts is None or parts.message_id is None):
        # Else the two posts before this one have said everything about the seed.
        how = Markup(f"{how}\n\n{words.say('message.sealed', seal=seal(_seed(occasion)))}")
    return fit(
        Message(
            content="\n".join([heading, players, "", goal, *rules]),
            embeds=(
                Embed(
                    title=words.plain(occasion.status.title),
                    description="\n".join([*until_when(occasion), *_still_waiting_for(occasion), asked, "", how]),
                ),
            ),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            buttons=public_buttons(words, game, occasion.phase_no),
            mentions=occasion.players,
        )
    )


def phase_opened(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """A phase after the first: until when it lasts, and what is asked in it."""
    words = occasion.words
    heading = words.say("message.phase_opened", game=occasion.game.name, title=occasion.status.title)
    lines = [heading, *until_when(occasion), *_still_waiting_for(occasion), *_public_briefing(occasion)]
    buttons = () if occasion.is_past else public_buttons(words, occasion.game, occasion.phase_no)
    return fit(
        Message(
            content="\n".join(lines),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            buttons=buttons,
        )
    )


def phase_closed(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What happened in a phase."""
    number = int(outgoing.payload["phase_no"])
    view = inspect.phase_view(occasion.context, occasion.game.id, number, EVERYBODY)
    has_board = occasion.system.info.has_public_board
    if not has_board and not view.report.sections and view.closed_because.is_by_itself:
        # A phase that passed by itself, of which there is nothing for everybody.
        return ()
    return story_messages(view, as_text=not has_board, is_all_read=outgoing.payload.get("is_all_read"))


def still_missing(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """From whom orders are missing shortly before the deadline."""
    if occasion.is_past:
        return ()
    words = occasion.words
    powers = [PowerId(power) for power in outgoing.payload["powers"]]
    seats = {seat.power: seat for seat in occasion.seats}
    # Everybody gets the reminder as a direct message; only those whom it can't reach are notified here.
    unreachable = tuple(
        player
        for power in powers
        if (seat := seats.get(power)) and seat.dms_closed and (player := occasion.player(seat)) is not None
    )
    named = words.listed([_power_and_player(occasion, power, seats) for power in powers])
    lines = [
        words.say("message.still_missing", game=occasion.game.name, title=occasion.status.title, powers=named),
        *until_when(occasion),
    ]
    return fit(
        Message(
            content="\n".join(lines),
            buttons=public_buttons(words, occasion.game, occasion.phase_no),
            mentions=unreachable,
        )
    )


def dms_closed(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For a player whom no direct message reaches."""
    words, game = occasion.words, occasion.game
    user_id = UserId(int(outgoing.payload["user_id"]))
    mentions: tuple[UserId, ...] = (user_id,)
    content = words.say("message.dms_closed", player=mention(user_id), game=game.name)
    powers = [seat.power for seat in occasion.seats if seat.user_id == user_id and seat.power is not None]
    if occasion.system.info.is_anonymous:
        # Nothing of a player who is gone: who has left the server can be seen there, and when.
        if not powers or outgoing.payload.get(post.IS_GONE):
            return ()
        mentions, content = (), words.say("message.dms_closed_unnamed", power=powers[0], game=game.name)
    elif outgoing.payload.get(post.IS_GONE):
        reachable = [seat for seat in occasion.seats if seat.user_id is not None and not seat.dms_closed]
        if not powers or not reachable:
            # If nobody shares a server with the bot, it was the bot that was gone.
            return ()
        mentions = tuple(sorted(game.game_masters))
        gone = words.say("message.player_gone", player=mention(user_id), game=game.name, power=powers[0])
        return fit(Message(content=" ".join([*map(mention, mentions), gone]), mentions=mentions))
    buttons = () if occasion.is_past else public_buttons(words, game, occasion.phase_no)
    return fit(Message(content=content, buttons=buttons, mentions=mentions))


def game_over(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """How the game ended, who played whom, and its chart."""
    words, game = occasion.words, occasion.game
    lines = ending(occasion)
    if occasion.system.info.has_dice:
        lines.append(words.say("message.unsealed", seed=_seed(occasion)))
    story = [_seat_line(occasion, seat) for seat in occasion.seats if seat.power]
    lines.append(words.say("message.watch_again"))
    end = fit(
        Message(
            content="\n".join(lines),
            embeds=(Embed(title=words.plainly("message.players"), description="\n".join(story)),),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            mentions=occasion.players,
        )
    )
    return (*end, *chart_messages(game, standings_chart(occasion.context, game.id)))


def ending(occasion: Occasion) -> list[Markup]:
    """How the game ended, and why."""
    words, status = occasion.words, occasion.status
    seats = {seat.power: seat for seat in occasion.seats}
    winners = [_power_and_player(occasion, power, seats) for power in status.winners or ()]
    several = "message.agreed" if status.why_over and status.why_over.code == "agreed.draw" else "message.shared"
    code = {0: "message.no_winner", 1: "message.winner"}.get(len(winners), several)
    if winners and not any(_is_played(seats.get(power)) for power in status.winners or ()):
        code = "message.winner_unplayed" if len(winners) == 1 else "message.shared_unplayed"
    why = [words.render(status.why_over)] if status.why_over else []
    heading = words.say("message.game_over", game=occasion.game.name)
    told = [words.say(code, winners=words.listed(winners))]
    if any(_is_played_by_person(seats.get(power)) for power in status.winners or ()):
        told.append(words.say("message.congratulations"))
    return [heading, Markup(" ".join(told)), *why]


def call(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """The call for players, with those who have come; of a game that looks for none any more only a change of it."""
    game, board = occasion.game, inspect.preview_board(occasion.context, occasion.game)
    sealed = None if game.own_seed is None else seal(game.own_seed)
    if occasion.is_past and not outgoing.is_edit:
        return ()
    return call_for_players(game, occasion.system.info, game.creator_id, board, seal=sealed, seats=occasion.seats)


def notice(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What players or game masters did, in a line."""
    notice = phrase_from_json({"code": _notice_code(outgoing), "args": outgoing.payload.get("args", {})})
    heading = occasion.words.say("message.notice", game=occasion.game.name)
    # Whom a notice names and calls is decided where it is queued.
    mentioned = tuple(UserId(int(user)) for user in outgoing.payload.get("mentions", ()))
    parts = [*map(mention, mentioned), heading, occasion.words.render(notice), *_by_whom(occasion, outgoing)]
    content = " ".join(parts)
    return fit(Message(content=content, mentions=mentioned))


def game_cancelled(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """A game that was called off before it began."""
    return fit(Message(content=occasion.words.say("message.game_cancelled", game=occasion.game.name)))


def _power_and_player(occasion: Occasion, power: PowerId, seats: Mapping[PowerId | None, Seat]) -> Markup:
    seat = seats.get(power)
    name, player = occasion.words.in_sentence(power), occasion.player(seat) if seat else None
    if seat is not None and seat.computer is not None:
        return Markup(f"{name} ({occasion.words.say('lobby.computer', level=seat.computer)})")
    return Markup(f"{name} ({mention(player)})" if player else name)


def _is_played(seat: Seat | None) -> bool:
    return seat is not None and (seat.user_id is not None or seat.computer is not None)


def _is_played_by_person(seat: Seat | None) -> bool:
    """Whether somebody sits there who has not gone silent."""
    return seat is not None and seat.user_id is not None and seat.computer is None and not seat.is_open


def _seed(occasion: Occasion) -> str:
    """Where all dice of the game come from: secret until it is over."""
    return seed_of(occasion.system.play.dump(occasion.state))


def _notice_code(outgoing: Outgoing) -> str:
    code = str(outgoing.payload["code"])
    return code if code.startswith("notice.") else f"notice.{code}"


def _by_whom(occasion: Occasion, outgoing: Outgoing) -> list[Markup]:
    """Which game master did it; that they play too everybody should know."""
    if "master" not in outgoing.payload:
        return []
    user_id = UserId(int(outgoing.payload["master"]))
    seat = next((seat for seat in occasion.seats if occasion.player(seat) == user_id), None)
    if seat is None or seat.power is None:
        return [occasion.words.say("message.by_master", master=mention(user_id))]
    return [occasion.words.say("message.by_player", master=mention(user_id), power=seat.power)]


def _still_waiting_for(occasion: Occasion) -> list[Markup]:
    """Who has not answered yet, once somebody has: at first the phase waits for everybody."""
    if occasion.is_past or occasion.deadline_at is None:
        return []
    deciding = deciding_seats(occasion.status, occasion.seats)
    missing = [seat for seat in deciding if seat.power and not has_answered(seat, occasion.sheets.get(seat.power))]
    if len(missing) == len(deciding):
        return []
    if not missing:
        return [occasion.words.say("message.nobody_missing")]
    return [occasion.words.say("message.waiting_for", powers=tuple(seat.power for seat in missing))]


def _seat_line(occasion: Occasion, seat: Seat) -> Markup:
    words, player = occasion.words, occasion.player(seat)
    is_over = occasion.game.status in (GameStatus.OVER, GameStatus.CANCELLED)
    is_gone = is_over or seat.power in occasion.status.out
    if seat.computer is not None:
        who = words.say("lobby.computer", level=seat.computer)
        if player is not None:
            who = words.say("lobby.stand_in", level=seat.computer, player=mention(player))
        return words.say("message.seat" if is_gone else "message.seat_computer", power=seat.power, player=who)
    if seat.user_id is None and seat.power in occasion.status.places and not is_gone:
        return words.say("message.seat_place" if seat.is_open else "message.seat_place_asked", power=seat.power)
    if seat.user_id is None:
        free = "message.seat_open" if seat.is_open else "message.seat_asked"
        return words.say("message.seat_empty" if is_gone else free, power=seat.power)
    if player is None:
        return words.say("message.seat_unnamed", power=seat.power)
    return words.say("message.seat", power=seat.power, player=mention(player))


def _public_map(occasion: Occasion) -> tuple[ScenePicture, ...]:
    """The map that everybody may see, in games that have one."""
    return (_position(occasion),) if occasion.system.info.has_public_board else ()


def _public_board(occasion: Occasion) -> tuple[TextFile, ...]:
    """The same in words, as a file."""
    if not occasion.system.info.has_public_board:
        return ()
    return (board_file(occasion.words, occasion.game, occasion.status.title, occasion.board()),)


def _position(occasion: Occasion) -> ScenePicture:
    scene = occasion.system.telling.scene(occasion.system.sight.view(occasion.state, EVERYBODY))
    return board_picture(occasion.words, occasion.game, scene, occasion.board(), deadline_at=occasion.deadline_at)


def _public_briefing(occasion: Occasion) -> list[Markup]:
    """What the phase is about; only powers that somebody plays are waited for."""
    played = {seat.power for seat in occasion.seats if is_manned(seat)}
    computers = {seat.power for seat in occasion.seats if seat.computer is not None}
    lines = []
    for line in (line for section in occasion.briefing(None).sections for line in section.lines):
        powers = line.args.get("powers")
        if not line.code.startswith(_DUE) or powers is None or played.issuperset(powers):
            lines.append(occasion.words.render(line))
            continue
        waited_for = tuple(power for power in powers if power in played)
        if waited_for:
            lines.append(occasion.words.render(phrase(line.code, **{**line.args, "powers": waited_for})))
        others = tuple(power for power in powers if power not in played | computers)
        if others:
            lines.append(occasion.words.say("message.not_played", powers=others))
        thinking = tuple(power for power in powers if power in computers)
        if thinking:
            lines.append(occasion.words.say("message.computer_plays", powers=thinking))
    return lines
