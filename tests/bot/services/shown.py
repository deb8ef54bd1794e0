"""Everything that one person is shown of a game who does and looks at everything there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.model import BallotKind, GameId, MessageKind, Outgoing, Target, UserId
from bot.services import doors, films, gm, inspect, orders, overview, post, region, seats, table, votes
from bot.services.chronicle import chronicle
from bot.services.errors import Refused
from bot.services.guidance import guidance
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.discord_limits import breaches
from bot.text.order_receipt import receipt_message
from engine.core.doors import Door
from engine.registry import Order, View, systems
from tests.bot.services.world import World

ASKED = "request"
"""The message by which somebody's orders ask others for something: it is told on purpose."""


def seen(call: Callable[[], Any]) -> Any:
    """What a call shows: its answer, or the words of its refusal."""
    try:
        return call()
    except Refused as refusal:
        return (refusal.what, refusal.hint, str(refusal))


def everything_shown(world: World, game_id: GameId, user_id: UserId, texts: Sequence[str]) -> list[Any]:
    """All that a person is shown who tries everything in turn, and the messages that they or everybody get."""
    context = world.context
    shown = _looks(world, game_id, user_id)
    for text in texts:
        for mode in SubmitMode:
            shown.append(seen(lambda text=text, mode=mode: _submit(world, game_id, user_id, text, mode)))  # type: ignore[misc]
        shown.append(orders.suggest(context, game_id, user_id, text))
        shown.append(seen(lambda text=text: region.suggest_regions_of(context, game_id, user_id, text)))  # type: ignore[misc]
        shown.append(seen(lambda text=text: orders.menu(context, game_id, user_id, (text,))))  # type: ignore[misc]
    rules = context.systems[world.game(game_id).system]
    for door in rules.doors:
        shown += _through(world, game_id, user_id, door, texts)
    shown.append(seen(lambda: votes.vote(context, game_id, user_id, BallotKind.DRAW, True, None)))
    shown.append(seen(lambda: orders.set_ready(context, game_id, user_id, True)))
    shown.append(seen(lambda: orders.clear(context, game_id, user_id)))
    shown += _looks(world, game_id, user_id)
    shown += _looks_back(world, game_id, user_id)
    return [*shown, *_mail(world, game_id, user_id)]


def _looks(world: World, game_id: GameId, user_id: UserId) -> list[Any]:
    context = world.context
    return [
        seen(lambda: orders.show(context, game_id, user_id)),
        seen(lambda: orders.template(context, game_id, user_id)),
        seen(lambda: orders.suggest(context, game_id, user_id, "")),
        seen(lambda: overview.game_info(context, game_id, user_id)),
        seen(lambda: overview.games_of_user(context, user_id)),
        seen(lambda: inspect.board(context, game_id, user_id)),
        seen(lambda: inspect.phase_codes(context, game_id)),
        seen(lambda: inspect.phase_titles(context, game_id)),
        seen(lambda: guidance(context, user_id, guild_id=None, channel_id=None)),
        seen(lambda: orders.menu(context, game_id, user_id, ())),
        seen(lambda: region.suggest_regions_of(context, game_id, user_id, "")),
        seen(lambda: table.powers_of(context, game_id, user_id)),
        seen(lambda: seats.joinable(context, game_id, user_id)),
        seen(lambda: votes.possible_winners(context, game_id)),
        seen(lambda: gm.edit_forms(context, game_id, user_id)),
    ]


def _looks_back(world: World, game_id: GameId, user_id: UserId) -> list[Any]:
    """The closed phases, as a person may look at them and as everybody may."""
    context = world.context
    shown = [seen(lambda: films.standings_chart(context, game_id))]
    for code in (None, *(code for _, code in inspect.phase_codes(context, game_id))):
        for viewer in (user_id, None):
            shown.append(seen(lambda code=code, viewer=viewer: inspect.history(context, game_id, viewer, code)))  # type: ignore[misc]
        shown.append(seen(lambda code=code: films.replay_film(context, game_id, code)))  # type: ignore[misc]
    if _has_words(world, game_id):
        shown.append(seen(lambda: chronicle(context, game_id, user_id)))
    return shown


def _has_words(world: World, game_id: GameId) -> bool:
    """Not so a toy: its messages can't be composed."""
    return world.game(game_id).system in systems


def _submit(world: World, game_id: GameId, user_id: UserId, text: str, mode: SubmitMode) -> Any:
    return orders.submit(world.context, game_id, user_id, text, mode=mode)


def _through(
    world: World, game_id: GameId, user_id: UserId, door: Door[View, Order], texts: Sequence[str]
) -> list[Any]:
    """What a special way to order shows, tells and takes."""
    context = world.context
    shown = [
        seen(lambda: doors.show(context, game_id, user_id, door.id)) if door.page else None,
        seen(lambda: doors.form(context, game_id, user_id, door.id)) if door.form else None,
        seen(lambda: doors.path(context, game_id, user_id, door.id)) if door.path else None,
    ]
    for option in door.options:
        shown.append(seen(lambda name=option.name: doors.complete(context, game_id, user_id, door.id, name, "")))  # type: ignore[misc]
    for text in texts if door.page is None else ():
        given = {option.name: text for option in door.options if option.most is None and not option.choices}
        given |= {option.name: str(option.most) for option in door.options if option.most is not None}
        given |= {option.name: option.choices[0] for option in door.options if option.choices}
        shown.append(seen(lambda given=given: doors.order(context, game_id, user_id, door.id, given)))  # type: ignore[misc]
    return shown


def _mail(world: World, game_id: GameId, user_id: UserId) -> list[Any]:
    """The messages that wait, and all that tell of the present phase and those before it, as they are posted."""
    shown: list[Any] = [(each.kind, each.payload, each.phase_no) for each in _addressed(world, game_id, user_id)]
    if _has_words(world, game_id):
        _queue_accounts(world, game_id, user_id)
        shown += [compose(world.context, each) for each in _addressed(world, game_id, user_id)]
    return shown


def _addressed(world: World, game_id: GameId, user_id: UserId) -> list[Outgoing]:
    return [
        message
        for message in world.outbox(game_id)
        if message.kind != ASKED and (message.target is Target.CHANNEL or message.target_id == user_id)
    ]


def _queue_accounts(world: World, game_id: GameId, user_id: UserId) -> None:
    context, game = world.context, world.game(game_id)
    now, numbers = context.clock.now(), [number for number, _ in inspect.phase_codes(context, game_id)]
    with context.unit_of_work() as unit:
        for number in numbers:
            post.to_channel(unit, game, now, MessageKind.PHASE_CLOSED, {"phase_no": number})
        post.to_channel(unit, game, now, MessageKind.PHASE_OPENED)
        for seat in unit.games.seats(game_id):
            if seat.user_id == user_id:
                post.to_player(unit, game, seat, now, MessageKind.BRIEFING, {"closed_phase_nos": []})
                post.to_player(unit, game, seat, now, MessageKind.BRIEFING, {"closed_phase_nos": numbers})
                post.to_player(unit, game, seat, now, MessageKind.REMINDER)
        unit.commit()


def described(receipt: Receipt) -> str:
    """What a receipt tells, in messages that Discord takes."""
    messages = receipt_message(receipt)
    assert [breach for message in messages for breach in breaches(message)] == []
    return "\n".join(embed.description for message in messages for embed in message.embeds)
