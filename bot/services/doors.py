"""Special ways to give orders, as games describe them (`engine.core.doors`): what is shown, completed, read and sent.

Nothing here knows what a door is for. A game without such a door refuses kindly, in the words of one that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from bot.model import Game, GameId, UserId
from bot.services import orders
from bot.services.arrivals import NOW, Arrival
from bot.services.context import Context
from bot.services.errors import Refused, did_you_mean, refused
from bot.services.orders import OrderForm
from bot.services.receipts import Receipt
from bot.services.seated import OwnSide, own_side
from bot.services.sheets import SubmitMode
from bot.services.table import get_game, get_rules
from engine.core.doors import Door, DoorForm, Doubt, Page
from engine.core.facts import DoorInfo
from engine.core.ids import PowerId
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.registry import AnySystem, Order, View

AnyDoor = Door[View, Order]


@dataclass(frozen=True, slots=True)
class PageView:
    """What a door shows one player, for this player alone.

    Args:
        doors: those of the same family that can be used now.
    """

    game: Game
    phase_no: int
    title: Phrase
    power: PowerId
    door: AnyDoor
    page: Page
    doors: tuple[AnyDoor, ...]


def named(context: Context, word: str) -> DoorInfo | None:
    """The door of any game that has this name, as a command or in a custom id."""
    known = (door for info in context.systems.infos.values() for door in info.doors)
    return next((door for door in known if word in door.words), None)


def door_of(context: Context, game_id: GameId, word: str) -> AnyDoor:
    """The door of a game that has this name.

    Raises:
        Refused: the game has no such door, or there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
    return _door(context, get_rules(context, game), game, word)


def show(context: Context, game_id: GameId, user_id: UserId, word: str) -> PageView:
    """What a door shows.

    Raises:
        Refused: the game has no such door, or this player has nothing to look at.
    """
    side, door = _enter(context, game_id, user_id, word)
    page = door.page(side.view, side.orders) if door.page else None
    if page is None:
        raise Refused(phrase(f"door.{door.id}.nobody", power=side.power))
    doors = open_doors(side.rules, side.view, side.orders, door.family) if side.may_order else ()
    doors = tuple(other for other in doors if other is not door)
    return PageView(side.game, side.game.phase_no, side.title, side.power, door, page, doors)


def ask(context: Context, game_id: GameId, user_id: UserId, word: str, given: Mapping[str, str]) -> PageView:
    """What a door answers to its options; it is worked out in a worker.

    Raises:
        Refused: the game has no such door, it is of no use now, or the options are not clear.
        WorkFailed: it took too long.
    """
    side, door = _enter_open(context, game_id, user_id, word)
    given = {name: _one_line(text) for name, text in given.items()}
    page = context.workers.run(answered, side.rules, door.id, side.view, side.orders, given)
    if isinstance(page, Doubt):
        raise Refused(page.what, did_you_mean(page.written, page.known))
    doors = open_doors(side.rules, side.view, side.orders, door.family)
    doors = tuple(other for other in doors if other is not door)
    return PageView(side.game, side.game.phase_no, side.title, side.power, door, page, doors)


def answered(
    rules: AnySystem, door_id: str, view: View, standing: tuple[Order, ...], given: Mapping[str, str]
) -> Page | Doubt:
    """A job for the workers: what a door answers."""
    door = _find(rules.doors, door_id)
    assert door is not None, "asked by whoever has found it"
    assert door.answer is not None, "asked where there is an answer"
    return door.answer(view, standing, given)


def open_doors(rules: AnySystem, view: View, standing: tuple[Order, ...], family: str) -> tuple[AnyDoor, ...]:
    """The doors of a family that a player with something to decide can use by a button."""
    return tuple(
        door
        for door in rules.doors
        if door.family == family and door.has_button and (door.is_open is None or door.is_open(view, standing))
    )


def form(context: Context, game_id: GameId, user_id: UserId, word: str) -> OrderForm:
    """The lines of a door's form, to be changed or filled in.

    Raises:
        Refused: the game has no such door, or it is of no use now.
    """
    side, door = _enter_open(context, game_id, user_id, word)
    shown = _form_of(door)
    text, example = shown.text(side.view, side.orders), shown.example(side.view)
    return OrderForm(side.game, side.game.phase_no, side.title, text, side.power, example)


def path(context: Context, game_id: GameId, user_id: UserId, word: str) -> tuple[str, ...]:
    """Where the guided flow has to begin for a door's orders.

    Raises:
        Refused: the game has no such door, or it is of no use now.
    """
    side, door = _enter_open(context, game_id, user_id, word)
    assert door.path is not None, "a door without a form that opens by itself leads somewhere"
    return door.path(side.view)


def order(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    word: str,
    given: Mapping[str, str],
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Give the order that a door's options make.

    Args:
        given: the options as written, without those that were left out.
        arrival: see `bot.services.orders.submit`.

    Raises:
        Refused: the game has no such door, it is of no use now, the options are not clear, or no order may be given.
    """
    side, door = _enter_open(context, game_id, user_id, word)
    given = {name: _one_line(text) for name, text in given.items()}
    made = door.order(side.view, side.orders, given) if door.order else given.get(door.options[0].name, "")
    if isinstance(made, Doubt):
        raise Refused(made.what, did_you_mean(made.written, made.known))
    return _submit(context, side, user_id, made, door.replaces, arrival=arrival)


def submit_form(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    word: str,
    text: str,
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Take what was written in a door's form.

    Args:
        arrival: see `bot.services.orders.submit`.

    Raises:
        Refused: the game has no such door, it is of no use now, or the phase is over.
    """
    side, door = _enter(context, game_id, user_id, word)
    if arrival.phase_no in (None, side.game.phase_no):
        _require_open(side, door)
    lines = _form_of(door)
    return _submit(context, side, user_id, lines.read(text), lines.replaces, arrival=arrival)


def complete(
    context: Context, game_id: GameId, user_id: UserId, word: str, name: str, typed: str
) -> tuple[Choice, ...]:
    """The values of a door's option that contain the typed text, otherwise those that contain each of its words.

    Raises:
        Refused: the game has no such door, it is of no use now, or the person does not play.
    """
    side, door = _enter_open(context, game_id, user_id, word)
    offered = door.completions.get(name)
    if offered is None:
        return ()
    choices = offered(side.view, side.orders)
    wanted = typed.strip().casefold()
    whole = tuple(choice for choice in choices if wanted in _searched(choice))
    return whole or tuple(choice for choice in choices if all(word in _searched(choice) for word in wanted.split()))


@dataclass(frozen=True, slots=True)
class DoorBriefing:
    """A door's part of a player's briefing: its text, its page, and the doors that can be used."""

    door: AnyDoor
    what: Phrase
    page: Page | None
    doors: tuple[AnyDoor, ...]


def briefings(rules: AnySystem, view: View) -> tuple[DoorBriefing, ...]:
    """What the briefing says about the game's doors to a player who has something to decide."""
    return tuple(
        _briefing(rules, view, door, what)
        for door in rules.doors
        if door.briefing is not None and (what := door.briefing(view)) is not None
    )


def _briefing(rules: AnySystem, view: View, door: AnyDoor, what: Phrase) -> DoorBriefing:
    if door.page is None:
        return DoorBriefing(door, what, page=None, doors=(door,))
    doors = open_doors(rules, view, (), door.family)
    if door.brings_page is not None and not door.brings_page(view):
        return DoorBriefing(door, what, page=None, doors=doors)
    page = door.page(view, ())
    return DoorBriefing(door, what, page=page, doors=tuple(other for other in doors if other is not door))


def _submit(
    context: Context,
    side: OwnSide,
    user_id: UserId,
    text: str,
    replaces: Callable[[Order], bool] | None,
    *,
    arrival: Arrival,
) -> Receipt:
    return orders.submit(
        context,
        side.game.id,
        user_id,
        text,
        mode=SubmitMode.MERGE,
        arrival=arrival if arrival.phase_no is not None else replace(arrival, phase_no=side.game.phase_no),
        instead_of=replaces,
    )


def _one_line(text: str) -> str:
    """Keeps the text of an option from becoming a line of its own."""
    return " ".join(text.split())


def _searched(choice: Choice) -> str:
    return f"{choice.label}\n{choice.value}".casefold()


def _form_of(door: AnyDoor) -> DoorForm[View, Order]:
    if door.form is None:
        raise refused("unknown_door")
    return door.form


def _enter_open(context: Context, game_id: GameId, user_id: UserId, word: str) -> tuple[OwnSide, AnyDoor]:
    side, door = _enter(context, game_id, user_id, word)
    _require_open(side, door)
    return side, door


def _require_open(side: OwnSide, door: AnyDoor) -> None:
    if door.is_open is not None and not (side.may_order and door.is_open(side.view, side.orders)):
        raise Refused(phrase(f"door.{door.id}.closed", title=side.title))


def _enter(context: Context, game_id: GameId, user_id: UserId, word: str) -> tuple[OwnSide, AnyDoor]:
    side = own_side(context, game_id, user_id)
    return side, _door(context, side.rules, side.game, word)


def _door(context: Context, rules: AnySystem, game: Game, word: str) -> AnyDoor:
    own = _find(rules.doors, word)
    if own is not None:
        return own
    other = named(context, word)
    if other is None:
        raise refused("unknown_door")
    raise Refused(phrase(f"door.{other.family}.elsewhere", game=game.name))


def _find(doors: Iterable[AnyDoor], word: str) -> AnyDoor | None:
    return next((door for door in doors if word in door.info.words), None)
