"""A game as a use case finds it: read from the store, with its rules. The other services begin here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.model import Game, GameId, GameStatus, Seat, UserId
from bot.ports import DamagedGame, UnitOfWork
from bot.services.context import Context
from bot.services.errors import did_you_mean, refused, refused_with
from bot.services.positions import position_of
from bot.services.setup import opening_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Status
from engine.core.variant import Power, Variant
from engine.core.viewer import Viewer, viewer_of
from engine.core.words import make_plain
from engine.registry import AnySystem, State

UNFINISHED = frozenset({GameStatus.LOBBY, GameStatus.RUNNING, GameStatus.PAUSED})


@dataclass(frozen=True, slots=True)
class Table:
    """A game that has begun, with its seats and its position. It knows all secrets: nothing of it is shown as it is."""

    game: Game
    seats: tuple[Seat, ...]
    rules: AnySystem
    state: State
    status: Status

    def atlas(self, viewer: Viewer) -> Variant:
        """The powers and places that a viewer knows."""
        return self.rules.sight.atlas(self.rules.sight.view(self.state, viewer))

    @property
    def deciders(self) -> tuple[Seat, ...]:
        """The seats with a player who has something to decide in this phase."""
        return deciding_seats(self.status, self.seats)


def get_game(unit: UnitOfWork, game_id: GameId) -> Game:
    """The stored game, held until the unit of work ends.

    Raises:
        Refused: there is none.
    """
    game = unit.games.find(game_id)
    if game is None:
        raise refused("no_such_game")
    return game


def present_phase_no(context: Context, game_id: GameId) -> int:
    """The number of the phase that somebody means who acts now.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        return get_game(unit, game_id).phase_no


def get_table(context: Context, unit: UnitOfWork, game_id: GameId) -> Table:
    """A game that has begun; it may be over.

    Raises:
        Refused: there is no such game, or it has not begun.
    """
    return read_table(context, get_game(unit, game_id), unit.games.seats(game_id))


def read_table(context: Context, game: Game, seats: Sequence[Seat]) -> Table:
    """The same from a game and its seats.

    Raises:
        Refused: the game has not begun.
        DamagedGame: its position is none.
    """
    if game.document is None:
        if game.status is GameStatus.CANCELLED:
            raise refused("cancelled", game=game.name)
        raise refused_with(phrase("refused.hint.not_started"), "not_started", game=game.name)
    rules = get_rules(context, game)
    try:
        state = position_of(rules, game.document)
    except DocumentError as error:
        raise DamagedGame(game.id) from error
    return Table(game, in_telling_order(rules, seats), rules, state, rules.play.status(state))


def in_telling_order(rules: AnySystem, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Seats in the order of joining; by their powers where the other would reveal who plays what."""
    if rules.info.is_anonymous:
        seats = sorted(seats, key=lambda seat: (seat.power or "", seat.number))
    return tuple(seats)


def get_rules(context: Context, game: Game) -> AnySystem:
    """The rules that a game is played by.

    Raises:
        Refused: this bot no longer has them.
    """
    rules = context.systems.get(game.system)
    if rules is None:
        raise refused("unknown_system", system=game.system)
    return rules


def find_seat(seats: Sequence[Seat], user_id: UserId | None) -> Seat | None:
    """The seat of a person, or `None`."""
    return next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)


def get_seat(game: Game, seats: Sequence[Seat], user_id: UserId) -> Seat:
    """The seat of a person.

    Raises:
        Refused: they have none in this game.
    """
    seat = find_seat(seats, user_id)
    if seat is None:
        raise refused("not_in_game", game=game.name)
    return seat


def power_of(seats: Sequence[Seat], user_id: UserId | None) -> PowerId | None:
    """The power that a person plays, or `None`: what they may see is what everybody may."""
    seat = find_seat(seats, user_id)
    return None if seat is None else seat.power


def seat_of_power(seats: Sequence[Seat], power: PowerId) -> Seat | None:
    """The seat of a power; a power that nobody was ever drawn for has none."""
    return next((seat for seat in seats if seat.power == power), None)


def is_manned(seat: Seat) -> bool:
    """Whether somebody plays a seat who is waited for: no computer, and nobody in whose place one plays."""
    return seat.user_id is not None and seat.computer is None


def deciding_seats(status: Status, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats with a player who has something to decide in a phase. The computer's keep nobody waiting."""
    return tuple(seat for seat in seats if is_manned(seat) and seat.power in status.to_act)


def playing_seats(status: Status, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats with a player whose power is still in the game."""
    return tuple(seat for seat in seats if is_manned(seat) and seat.power is not None and seat.power not in status.out)


def computer_seats(status: Status, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats of powers still in the game that the computer plays, in anybody's place or in nobody's."""
    return tuple(
        seat for seat in seats if seat.computer is not None and seat.power is not None and seat.power not in status.out
    )


def require_master(game: Game, user_id: UserId, *, is_manager: bool) -> None:
    """Check that somebody is one of the game's masters or of the server's managers.

    Raises:
        Refused: the person is neither.
    """
    if not is_manager and user_id not in game.game_masters:
        raise refused("not_a_game_master", game=game.name)


def require_unfinished(game: Game) -> None:
    """Check that a game is going on or has yet to begin.

    Raises:
        Refused: the game is over or was cancelled.
    """
    if game.status is GameStatus.CANCELLED:
        raise refused("cancelled", game=game.name)
    if game.status not in UNFINISHED:
        raise refused_with(phrase("refused.hint.look_back"), "game_over", game=game.name)


def require_phase(table: Table, phase_no: int) -> None:
    """Check that the phase that somebody means is still open: it may have closed meanwhile.

    Raises:
        Refused: another one is open by now.
    """
    if table.game.phase_no != phase_no:
        raise refused("phase_over", game=table.game.name, title=table.status.title)


def require_free_name(unit: UnitOfWork, guild_id: int, name: str, *, hint: Phrase) -> None:
    """Check that no unfinished game of a server has this name.

    Args:
        hint: what to do if one has it.

    Raises:
        Refused: one has it, in whatever case.
    """
    taken = {game.name.casefold() for game in unit.games.in_guild(guild_id) if game.status in UNFINISHED}
    if name.casefold() in taken:
        raise refused_with(hint, "name_taken", name=name)


def powers_of(context: Context, game_id: GameId, user_id: UserId | None) -> Sequence[Power]:
    """The powers of a game that a person knows, in seat order; before it begins those that can be wished for.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
    rules = get_rules(context, game)
    if game.document is None:
        variant, status = opening_of(rules, game)
        return tuple(power for power in variant.powers.values() if power.id not in (*status.out, *status.places))
    table = read_table(context, game, seats)
    return tuple(table.atlas(viewer_of(power_of(seats, user_id))).powers.values())


def read_power(variant: Variant, text: str, offered: Collection[PowerId | None] = ()) -> PowerId:
    """The power that a person means, by id or name, in any case; accents only count where two names differ by them.

    Args:
        offered: the powers that may be named in place of one that there isn't; empty: all.

    Raises:
        Refused: the game has none that is called so; near misses are named.
    """
    for simplified in (str.casefold, make_plain):
        wanted = simplified(text.strip()).replace(" ", "_")
        for power in variant.powers.values():
            if wanted in (simplified(name).replace(" ", "_") for name in (power.id, power.name, *power.aliases)):
                return power.id
    names = [power.name for power in variant.powers.values() if not offered or power.id in offered]
    raise refused_with(did_you_mean(text, names), "unknown_power", power=text.strip()[:40])


def without_secrets(game: Game) -> Game:
    """The game as it may be handed to whoever shows it: without the document, which holds the seed, and its secret."""
    return replace(game, document=None, own_seed=None, last_link=None)
