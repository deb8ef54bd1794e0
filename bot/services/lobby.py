"""Games from the first call for players to the start: who takes which seat, and which power each gets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.model import ClosedBecause, Game, GameId, GameStatus, MessageKind, Pace, Seat, UserId
from bot.ports import Json, UnitOfWork
from bot.services import post
from bot.services.calendar import parse_pace
from bot.services.computer import levels_of
from bot.services.context import Context
from bot.services.errors import refused, refused_with
from bot.services.scenarios import ScenarioFile, try_scenario
from bot.services.seats import come_back, find_open_seat, seat_player, vacate
from bot.services.seeds import SeedParts, read_word, with_chain, words_of_seats
from bot.services.setup import (
    check_opening,
    find_system,
    opening_of,
    read_name,
    read_options,
    read_players,
    read_variant,
    start_state,
)
from bot.services.table import (
    UNFINISHED,
    find_seat,
    get_game,
    get_rules,
    get_seat,
    is_manned,
    playing_seats,
    power_of,
    read_power,
    read_table,
    require_free_name,
    require_master,
    require_phase,
    require_unfinished,
    without_secrets,
)
from bot.services.turns import end_within, open_phase, ring
from bot.services.work import transact
from engine.computer.levels import Level
from engine.core.dice import Dice, seal
from engine.core.facts import SystemInfo
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Status
from engine.registry import AnySystem, State

_NUMBER = re.compile(r"#\d+")
"""What stands for a game's number in commands: who names a game so would have others end another one."""
_NEW_FOR = timedelta(hours=1)
"""Within this time games count that have been called off, too: who sets up and ends them in turn fills a channel."""
_CALLED_AGAIN_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game as somebody wants it, in the words of the command.

    Args:
        variant, players: `None` means the system's usual variant, and as many players as possible.
        options: as written; read by the system's own list.
        scenario: what to start from; `None`: the system's own set-up. It replaces the variant, and decides
            how many play unless `players` does.
        computer: how well the computer plays seats that nobody plays; `None`: not at all, unless it is given seats.
        computers: the seats that it has from the beginning: how many, or the powers, with commas between them.
    """

    system: str
    name: str
    pace: Pace
    variant: str | None = None
    players: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    scenario: ScenarioFile | None = None
    computer: Level | None = None
    computers: str | None = None

    @property
    def given_to_computer(self) -> str:
        """`computers` as it is read: empty if it says none."""
        return (self.computers or "").strip().lstrip("0")


def create_game(
    context: Context,
    wanted: NewGame,
    *,
    guild_id: int,
    channel_id: int,
    user_id: UserId,
    is_manager: bool = False,
) -> Game:
    """Call for players. The creator becomes game master, but does not get a seat.

    Args:
        is_manager: whether the person may manage the server, and so set up any number of games there.

    Raises:
        Refused: the system, variant, option, number, pace or scenario can't be played, the name is taken, or the person
            has as many games there as one may.
    """
    if not is_manager:
        with context.reading() as unit:
            _require_few_games(context, unit, guild_id, user_id)
    rules = find_system(context, wanted.system)
    game = _read_game(context, rules, wanted, guild_id=guild_id, channel_id=channel_id, user_id=user_id)
    game = with_chain(game, context.seeds())
    if game.scenario is None:
        context.workers.run(check_opening, rules, game)
    seats = _computer_seats(context, game, wanted.given_to_computer)
    with context.unit_of_work() as unit:
        require_free_name(unit, guild_id, game.name, hint=phrase("refused.hint.other_name"))
        stored = unit.games.add(game)
        for seat in seats:
            unit.games.save_seat(replace(seat, game_id=stored.id))
        post.to_channel(unit, stored, context.clock.now(), MessageKind.CALL)
        unit.commit()
    context.alarm.mail()
    return without_secrets(stored)


def _require_few_games(context: Context, unit: UnitOfWork, guild_id: int, user_id: UserId) -> None:
    """Check that a person has not set up too many of a server's games: unfinished ones, and recent ones."""
    most = context.games_per_person
    games = unit.games.in_guild(guild_id) if most else ()
    own = [game for game in games if game.creator_id == user_id]
    going = sum(game.status in UNFINISHED for game in own)
    if going >= most > 0:
        raise refused_with(phrase("refused.hint.end_one"), "many_games", games=going, most=most)
    since = context.clock.now() - _NEW_FOR
    new = sum(game.created_at > since for game in own)
    if new >= most > 0:
        raise refused_with(phrase("refused.hint.wait_to_create"), "many_new_games", games=new, most=most)


def _read_game(
    context: Context, rules: AnySystem, wanted: NewGame, *, guild_id: int, channel_id: int, user_id: UserId
) -> Game:
    """The game that is wanted, in its lobby, before it is stored. Raises `Refused` if there can be none."""
    info = rules.info
    name = read_name(wanted.name)
    if _NUMBER.fullmatch(name):
        raise refused("name_is_number", name=name)
    _check_pace(info, wanted.pace)
    options = read_options(info, wanted.options)
    if wanted.scenario is not None and wanted.variant is not None and wanted.variant.strip():
        raise refused("variant_of_scenario")
    tried = (
        None
        if wanted.scenario is None
        else try_scenario(context, rules, wanted.scenario, players=wanted.players, options=options)
    )
    variant = read_variant(info, wanted.variant)
    level = Level.FAIR if wanted.computer is None and wanted.given_to_computer else wanted.computer
    return Game(
        id=GameId(0),
        name=name,
        guild_id=guild_id,
        channel_id=channel_id,
        creator_id=user_id,
        game_masters=frozenset({user_id}),
        system=info.id,
        variant=variant,
        players=read_players(info, wanted.players, variant) if tried is None else tried.players,
        options=options,
        pace=wanted.pace,
        status=GameStatus.LOBBY,
        created_at=context.clock.now(),
        scenario=None if tried is None else tried.scenario,
        has_acts=True,
        computer=read_level(rules, level),
    )


def _check_pace(info: SystemInfo, pace: Pace) -> None:
    """Refuse lengths that can't be read, and those of phases that the system doesn't have."""
    for text in (pace.default, *pace.by_kind.values()):
        parse_pace(text)
    for kind in pace.by_kind:
        if kind not in info.kinds:
            hint = phrase("refused.hint.one_of", words=info.kinds)
            raise refused_with(hint, "no_such_phases", system=info.name, kind=kind[:40])


def read_level(rules: AnySystem, level: Level | None) -> Level | None:
    """How well the computer is to play, if it can.

    Raises:
        Refused: it has no judgement for this game, and can only play at random.
    """
    if level is not None and level not in levels_of(rules):
        hint = phrase("refused.hint.one_of", words=tuple(map(str, levels_of(rules))))
        raise refused_with(hint, "computer_can_not", system=rules.info.name, level=str(level))
    return level


def _computer_seats(context: Context, game: Game, text: str) -> tuple[Seat, ...]:
    """The seats that the computer has from the beginning.

    Args:
        text: how many, or which powers, with commas between them; empty for none.

    Raises:
        Refused: it is neither, names a power twice, or leaves no seat for a person.
    """
    if not text:
        return ()
    wishes: list[PowerId | None] = []
    if text.isdecimal():
        wishes = [None] * min(int(text[:4]), game.players)
    else:
        wishes += [_read_wish(context, game, name) for name in filter(str.strip, text.split(","))]
        if len(set(wishes)) < len(wishes):
            raise refused("computer_twice")
    if len(wishes) >= game.players:
        raise refused("no_seat_for_people", players=game.players)
    return tuple(
        Seat(game_id=game.id, number=number, power=None, user_id=None, wish=wish, is_open=True, computer=game.computer)
        for number, wish in enumerate(wishes, start=1)
    )


def join_game(
    context: Context, game_id: GameId, user_id: UserId, *, power: str | None, word: str | None = None
) -> Seat:
    """Take a seat: in the lobby a new one, in a running game one that is open.

    A player who takes over a seat gets the orders given for its power in this phase. A player who already has a seat in
    the lobby may give a word, or another one; one in whose place the computer plays gets the seat back.

    Args:
        power: in the lobby the power wanted; later the one to take over, needed if several are open.
        word: to be made part of the seed, in the lobby only.

    Raises:
        Refused: all seats are taken, the person has one, the power can't be had, or the word is none.
    """
    given = None if word is None else read_word(word)

    def join(context: Context, unit: UnitOfWork) -> Seat:
        game = get_game(unit, game_id)
        require_unfinished(game)
        seats = tuple(unit.games.seats(game_id))
        own = find_seat(seats, user_id)
        is_lobby = game.status is GameStatus.LOBBY
        if given is not None and not is_lobby:
            raise refused("word_too_late", game=game.name)
        if own is not None and own.computer is not None and not is_lobby:
            back = come_back(context, unit, game, own)
            unit.games.save_seat(back)
            post.change_status(unit, game, context.clock.now())
            return back
        if own is not None and (given is None or power is not None):
            raise refused("have_a_seat", game=game.name)
        if is_lobby:
            seat = replace(own or _new_seat(context, game, seats, user_id, power), word=given or "")
            unit.games.save_seat(seat)
            now = context.clock.now()
            post.change(unit, game, now, MessageKind.CALL)
            if own is None and len(seats) + 1 == game.players and not _was_called(unit, game, now):
                post.call_masters(unit, game, now, "everybody_here")
            return seat
        table = read_table(context, game, seats)
        return seat_player(context, unit, table, find_open_seat(table, power, user_id), user_id)

    seat = transact(context, join)
    context.alarm.mail()
    return seat


def _was_called(unit: UnitOfWork, game: Game, now: datetime) -> bool:
    """Whether the game masters were told not long ago that all seats are taken: who leaves and joins again and again
    does not call them each time."""
    notices = unit.outbox.of_game(game.id, kind=MessageKind.NOTICE)
    told = (each.created_at for each in notices if each.payload["code"] == "notice.everybody_here")
    return any(now - at < _CALLED_AGAIN_AFTER for at in told)


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a player of a running game would give up.

    Args:
        is_out: the game is over for the power, and nobody can take the seat.
        is_open: else anybody can take it; otherwise game masters give it.
    """

    game: Game
    power: PowerId | None
    is_out: bool
    is_open: bool


def leaving(context: Context, game_id: GameId, user_id: UserId) -> Leaving:
    """What it would mean to leave a game that is running.

    Raises:
        Refused: as by `leave_game`, or the game has not begun.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = tuple(unit.games.seats(game_id))
    require_unfinished(game)
    seat = get_seat(game, seats, user_id)
    status = read_table(context, game, seats).status
    return Leaving(without_secrets(game), seat.power, seat.power in status.out, status.may_be_joined)


def leave_game(context: Context, game_id: GameId, user_id: UserId) -> Seat:
    """Give up a seat. In a running game it stays, vacant, for somebody to take over; its orders stay too.

    Returns: the seat as it was left; in the lobby the one that is gone.

    Raises:
        Refused: the person has no seat, or the game is over.
    """

    def leave(context: Context, unit: UnitOfWork) -> tuple[Seat, Game | None]:
        game = get_game(unit, game_id)
        require_unfinished(game)
        seats = tuple(unit.games.seats(game_id))
        seat = get_seat(game, seats, user_id)
        if game.status is GameStatus.LOBBY:
            unit.games.remove_seat(game_id, seat.number)
            post.change(unit, game, context.clock.now(), MessageKind.CALL)
            return seat, None
        return vacate(context, unit, read_table(context, game, seats), seat)

    seat, moved = transact(context, leave)
    ring(context, moved)
    return seat


@dataclass(frozen=True, slots=True)
class SeedDraw:
    """What is known of a seed before the game begins, to be posted then: the number of that message is the last part.

    Args:
        seal: the fingerprint of the bot's secret.
        words: the players', in the order of joining.
        is_published: whether the call for players published the fingerprint.
    """

    game: Game
    seal: str
    words: tuple[str, ...]
    is_published: bool = True


@dataclass(frozen=True, slots=True)
class Starting:
    """A game that somebody is about to start with fewer players than planned; `taken`: the seats that are."""

    game: Game
    taken: int


def starting(
    context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, computer: Level | None = None
) -> Starting | None:
    """What it would mean to start a game now; `None` if every seat is somebody's or the computer's.

    Raises:
        Refused: as by `start_game`.
    """
    with context.reading() as unit:
        game, seats = _startable(context, unit, game_id, user_id, is_manager=is_manager, computer=computer)
    return Starting(without_secrets(game), len(seats)) if len(seats) < game.players else None


def prepare_start(
    context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, computer: Level | None = None
) -> SeedDraw:
    """The parts of the seed if the game is started now.

    Raises:
        Refused: as by `start_game`.
    """
    with context.unit_of_work() as unit:
        game, seats = _startable(context, unit, game_id, user_id, is_manager=is_manager, computer=computer)
        is_published = game.own_seed is not None and not game.has_numbered_buttons
        if game.own_seed is None:
            # A call for players of 0.1.0: at least the secret is fixed before the message has its number.
            game = with_chain(game, context.seeds())
            unit.games.update(game)
            unit.commit()
    assert game.own_seed is not None, "just drawn"
    return SeedDraw(without_secrets(game), seal(game.own_seed), words_of_seats(seats), is_published=is_published)


def start_game(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    message_id: int | None = None,
    words: tuple[str, ...] | None = None,
    computer: Level | None = None,
) -> Game:
    """Begin: assign the powers at random, wishes first, and open the first phase.

    A game master may start with fewer players than planned if the rules can be played by so many, or if the computer
    plays the rest; once every seat is taken any player may start.

    Args:
        message_id: of the public message that announced what the seed is made of; `None`: it could not be posted.
        words: the ones that it contained.
        computer: how well the computer plays seats that nobody plays; `None`: as the game was created.

    Raises:
        Refused: it has begun, seats are missing, the person may not, or other words were given since.
    """

    def start(context: Context, unit: UnitOfWork) -> Game:
        game, seats = _startable(context, unit, game_id, user_id, is_manager=is_manager, computer=computer)
        if words is not None and words != words_of_seats(seats):
            raise refused("words_changed", game=game.name)
        rules = get_rules(context, game)
        parts = SeedParts(game.own_seed or context.seeds(), message_id, words_of_seats(seats))
        started = _begin(context, unit, replace(game, players=len(seats)), rules, seats, seed=str(parts))
        if started is None:
            raise refused("already_started", game=game.name)
        return started

    started = transact(context, start)
    ring(context, started)
    return without_secrets(started)


def _startable(
    context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, *, is_manager: bool, computer: Level | None
) -> tuple[Game, tuple[Seat, ...]]:
    """The game with all its seats, those that are left for the computer too."""
    game = get_game(unit, game_id)
    require_unfinished(game)
    if game.status is not GameStatus.LOBBY:
        raise refused("already_started", game=game.name)
    seats = tuple(unit.games.seats(game_id))
    if len(seats) < game.players or find_seat(seats, user_id) is None or computer is not None:
        require_master(game, user_id, is_manager=is_manager)
    rules = get_rules(context, game)
    if computer is not None:
        game = replace(game, computer=read_level(rules, computer))
    if game.computer is not None:
        if not any(map(is_manned, seats)):
            raise refused("only_computers", game=game.name)
        first = max(seat.number for seat in seats) + 1
        free = range(first, first + game.players - len(seats))
        seats += tuple(Seat(game.id, number, None, None, is_open=True, computer=game.computer) for number in free)
    if len(seats) < game.players and not _can_begin_with(rules, game, len(seats)):
        least = rules.info.seats_in(game.variant)[0]
        fewer = phrase("refused.hint.enough_players", least=least)
        hint = fewer if least < game.players else phrase("refused.hint.computer_fills")
        raise refused_with(hint, "too_few_players", needed=game.players, have=len(seats))
    return game, seats


def _can_begin_with(rules: AnySystem, game: Game, players: int) -> bool:
    """Whether fewer may play than planned; a scenario may be for more than the system's own set-ups ever are."""
    seats = rules.info.seats_in(game.variant)
    return players in seats if game.scenario is None else players >= seats[0]


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """A game that somebody is about to end while others play it, or whose rules name its winners.

    Args:
        title: of the present phase.
        has_winners: whether its rules name winners; who they are is not told before.
        has_others: whether others play it.
    """

    game: Game
    title: Phrase
    has_winners: bool
    has_others: bool


def ending(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> EarlyEnd | None:
    """What it would mean to end a game that others are still playing, or whose rules name its winners; `None` if
    neither holds, or it has not begun.

    Raises:
        Refused: as by `end_game`.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = tuple(unit.games.seats(game_id))
    require_master(game, user_id, is_manager=is_manager)
    require_unfinished(game)
    if game.status is GameStatus.LOBBY:
        return None
    table = read_table(context, game, seats)
    has_others = any(seat.user_id != user_id for seat in playing_seats(table.status, table.seats))
    has_winners = bool(table.rules.play.leaders(table.state))
    return (
        EarlyEnd(without_secrets(game), table.status.title, has_winners, has_others)
        if has_others or has_winners
        else None
    )


def end_game(
    context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, phase_no: int | None = None
) -> Game:
    """End a game, or call off one that has not begun. It has no winner, unless the rules name one for this case.

    Nobody can end a game to win it: if the rules would name the person who ends it, nobody wins.

    Args:
        phase_no: the phase in which it was asked whether to end the game; `None`: it was not asked.

    Raises:
        Refused: the person is no game master, the game is over, or another phase is open by now.
    """
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        require_master(game, user_id, is_manager=is_manager)
        require_unfinished(game)
        if game.status is GameStatus.LOBBY:
            ended: Game | None = _cancel(context, unit, game)
        else:
            table = read_table(context, game, unit.games.seats(game_id))
            if phase_no is not None:
                require_phase(table, phase_no)
            leaders, power = table.rules.play.leaders(table.state), power_of(table.seats, user_id)
            winners = () if power in leaders else leaders
            if power is not None or table.rules.info.is_anonymous:
                # In an anonymous game every master is named: to name only those who play would reveal that they do.
                post.cut_short(unit, game, context.clock.now(), "ended_by_player", master=user_id)
            state = table.rules.play.end(table.state, winners, phrase("agreed.game_master"))
            ended = end_within(context, unit, table, state, ClosedBecause.ENDED)
        if ended is None:
            raise refused("phase_over", game=game.name, title=table.status.title)
        unit.commit()
    ring(context, ended)
    return without_secrets(ended)


def _cancel(context: Context, unit: UnitOfWork, game: Game) -> Game:
    cancelled = replace(game, status=GameStatus.CANCELLED)
    unit.games.update(cancelled)
    post.to_channel(unit, cancelled, context.clock.now(), MessageKind.GAME_CANCELLED)
    post.change(unit, cancelled, context.clock.now(), MessageKind.CALL, {post.ONLY_IF_THERE: True})
    return cancelled


# Seats


def _new_seat(context: Context, game: Game, seats: Sequence[Seat], user_id: UserId, power: str | None) -> Seat:
    if len(seats) >= game.players:
        raise refused("game_full", game=game.name)
    wish = _read_wish(context, game, power) if power is not None and power.strip() else None
    number = max((seat.number for seat in seats), default=0) + 1
    return Seat(game_id=game.id, number=number, power=None, user_id=user_id, wish=wish)


def _read_wish(context: Context, game: Game, power: str) -> PowerId:
    # A random map takes its time.
    variant, status = context.workers.run(opening_of, get_rules(context, game), game)
    wish = read_power(variant, power)
    if wish in status.out or wish in status.places:
        # By its name: refusals know those of scenarios by no other way.
        raise refused("power_not_played", power=variant.powers[wish].name)
    return wish


def _begin(
    context: Context, unit: UnitOfWork, game: Game, rules: AnySystem, seats: Sequence[Seat], *, seed: str
) -> Game | None:
    document, drawn = context.workers.run(_set_up, rules, game, seats, seed)
    before = (*seats, *(replace(seat, power=None) for seat in drawn[len(seats) :]))
    running = replace(game, status=GameStatus.RUNNING, document=document, phase_no=1)
    post.change(unit, game, context.clock.now(), MessageKind.CALL, {post.ONLY_IF_THERE: True})
    post.to_channel(unit, running, context.clock.now(), MessageKind.OPENING)
    return open_phase(context, unit, rules, running, before, seats_after=drawn, expected_phase_no=game.phase_no)


def _set_up(rules: AnySystem, game: Game, seats: Sequence[Seat], seed: str) -> tuple[Json, tuple[Seat, ...]]:
    """The first position, and the seats with their powers: a job for the workers."""
    state = start_state(rules, game, seed=seed)
    drawn = draw_powers(rules, state, seats, seed=seed)
    return rules.play.dump(state), (*drawn, *_kept_seats(rules.play.status(state), game, drawn))


def _kept_seats(status: Status, game: Game, seats: Sequence[Seat]) -> Iterator[Seat]:
    """The seats of the places that are kept for players who come later."""
    first = max((seat.number for seat in seats), default=0) + 1
    for number, power in enumerate(status.places, first):
        yield Seat(game.id, number, power, None, is_open=status.may_be_joined)


def draw_powers(rules: AnySystem, state: State, seats: Sequence[Seat], *, seed: str) -> tuple[Seat, ...]:
    """The seats with their powers. In a random order each gets its wish if it is free; the rest is random.

    Args:
        state: the first position; of its powers more may be in the game than there are seats, which are nobody's then.
            Nobody is drawn for those who come later.

    Raises:
        Refused: there are fewer.
    """
    status = rules.play.status(state)
    left_out = (*status.out, *status.places)
    powers = [power for power in rules.play.variant(state).powers if power not in left_out]
    if len(powers) < len(seats):
        raise refused("player_count", players=len(seats), system=rules.info.name)
    dice = Dice(seed).for_phase("seats")
    given: dict[int, PowerId] = {}
    for seat in dice.shuffled("order", seats):
        if seat.wish is not None and seat.wish in powers and seat.wish not in given.values():
            given[seat.number] = seat.wish
    left = list(dice.shuffled("powers", [power for power in powers if power not in given.values()]))
    for seat in seats:
        if seat.number not in given:
            given[seat.number] = left.pop()
    return tuple(replace(seat, power=given[seat.number]) for seat in seats)
