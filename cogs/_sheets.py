"""A player's order sheet on Discord: the form, the receipt, the guided flow. Commands and buttons both end up here.

Everything here is answered to the player alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.discord_messages import modal
from bot.guides import Flow
from bot.inbox import READ_WITHIN_S
from bot.model import Game, GameId, UserId
from bot.one_by_one import LONGEST_WAIT_S
from bot.services import orders
from bot.services.buttons import game_of_button
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.orders import OrderForm
from bot.services.receipts import Receipt
from bot.services.sheets import MENUS, SubmitMode
from bot.text.catalogue import common_words, words_of
from bot.text.custom_ids import BELOW, FURTHER, ON_RECEIPT, UNIT, Action, CustomId
from bot.text.discord_limits import FORM_TEXT, fit_form
from bot.text.failure import failure_message
from bot.text.guide import guide_message
from bot.text.markdown import Markup
from bot.text.message import Form, Message, TextFile
from bot.text.order_receipt import receipt_message, sure_message
from cogs._files import read_text_file
from cogs._reply import Interaction, answer, arrival_of, defer, defer_change, place_of, replace_message, user_of
from cogs._transformers import find_game, pressed_game
from engine.core.orders import Menu

_FORM_PATIENCE_S = 1.8
"""A form must be the first answer, within three seconds. If the sheet takes longer the form opens empty."""

_log = logging.getLogger(__name__)


async def show_receipt(
    interaction: Interaction, receipt: Receipt, *, note: Markup | None = None, in_place: bool = False
) -> None:
    """Answer with the receipt.

    Args:
        in_place: it takes the place of the message that was pressed, if it is one message too.
    """
    messages = await interaction.client.call(receipt_message, receipt, note=note)
    if in_place and len(messages) == 1:
        await replace_message(interaction, messages)
    else:
        await answer(interaction, messages)


async def ask_whether_ready(interaction: Interaction, game_id: GameId, *, phase_no: int = 0) -> bool:
    """Ask a player who is ready although something has no order or will fail whether that is meant.

    Args:
        phase_no: the phase that the pressed button was made for; 0: the present one.

    Returns: whether it asked.
    """
    client = interaction.client
    async with turn_of(interaction):
        receipt = await client.call(orders.show, client.context, game_id, user_of(interaction))
    if not receipt.is_incomplete or phase_no not in (0, receipt.phase_no):
        return False
    await answer(interaction, sure_message(receipt))
    return True


def lines_of_command(text: str) -> str:
    """The orders of a command, whose option is one line long, a line each; in a sheet a semicolon begins a comment."""
    return text.replace(";", "\n")


async def submit(
    interaction: Interaction, game_id: GameId, text: str, mode: SubmitMode, *, phase_no: int | None = None
) -> None:
    """Take orders and answer with the receipt. The interaction has been deferred."""
    receipt = await change(interaction, orders.submit, game_id, text, mode=mode, phase_no=phase_no)
    await show_receipt(interaction, receipt)


async def submit_file(
    interaction: Interaction, game_id: GameId, text: str | None, file: discord.Attachment, *, phase_no: int
) -> None:
    """Take orders from a file, below those that are written, and answer with the receipt. Deferred already.

    Nothing that the same person asks for while it is fetched overtakes it.
    """
    async with turn_of(interaction):
        sheet = await read_text_file(file, interaction.client.context.systems.infos.values())
        lines = "\n".join([*([text] if text else []), sheet])
        receipt = await _call(interaction, orders.submit, game_id, lines, mode=SubmitMode.AS_SENT, phase_no=phase_no)
    await show_receipt(interaction, receipt)


async def change(
    interaction: Interaction,
    service: Callable[..., Receipt],
    game_id: GameId,
    *args: Any,
    phase_no: int | None,
    **kwargs: Any,
) -> Receipt:
    """Change the asker's sheet when all is done that this person asked for before; it counts from when it was asked.

    Args:
        service: takes the context, the game's id and the person's, these arguments, and `arrival`.
        phase_no: the phase for which that was asked; `None` or 0: the present one.
    """
    async with turn_of(interaction):
        return await _call(interaction, service, game_id, *args, phase_no=phase_no, **kwargs)


async def set_ready(interaction: Interaction, game_id: GameId, is_ready: bool, *, phase_no: int | None) -> Receipt:
    """Say whether the asker's orders are final."""
    if is_ready and user_of(interaction) in await _players(interaction, game_id):
        await hear_players(interaction, game_id)
    return await change(interaction, orders.set_ready, game_id, is_ready, phase_no=phase_no)


async def find_sheet(interaction: Interaction, text: str | None) -> Game:
    """The game that a command means which changes the asker's sheet: as it was when the command was given.

    Raises:
        Refused: as by `find_game`, or its phase has closed since then.
    """
    found = await find_game(interaction, text, "seat")
    require_present(interaction, found)
    return found


def require_present(interaction: Interaction, game: Game) -> None:
    """Check that no phase has opened since a command was given that names none.

    Raises:
        Refused: one has; what was meant for the one before would count in it.
    """
    arrival, now = arrival_of(interaction, None), interaction.client.context.clock.now()
    # A phase that seems to open only later was opened by a clock that ran ahead.
    if game.opened_at is not None and arrival.moment(now) < game.opened_at <= now:
        raise refused("phase_over", game=game.name, title=game.phase_title or game.phase_code)


async def hear_players(interaction: Interaction, game_id: GameId) -> None:
    """Before anything that may close the phase: it has what the game's players had sent before that was asked for, also
    while the bot was away. Only on behalf of those who may do that.
    """
    client, place = interaction.client, place_of(interaction)
    players = await _players(interaction, game_id)
    await client.inbox.hear(players, READ_WITHIN_S)
    await place.wait(LONGEST_WAIT_S, of=players)


async def _players(interaction: Interaction, game_id: GameId) -> Collection[UserId]:
    return await interaction.client.call(orders.players, interaction.client.context, game_id)


@contextlib.asynccontextmanager
async def turn_of(interaction: Interaction) -> AsyncIterator[None]:
    """Held while what somebody asks for is done, after all that they asked for or wrote before."""
    client, user_id = interaction.client, user_of(interaction)
    # What they asked for before may have heard all players of a game first.
    await place_of(interaction).wait(READ_WITHIN_S + LONGEST_WAIT_S)
    await client.inbox.hear((user_id,), LONGEST_WAIT_S)
    async with client.one_by_one.turn_of(user_id):
        yield


async def _call(
    interaction: Interaction,
    service: Callable[..., Receipt],
    game_id: GameId,
    *args: Any,
    phase_no: int | None,
    **kwargs: Any,
) -> Receipt:
    client, user_id, arrival = interaction.client, user_of(interaction), arrival_of(interaction, phase_no)
    return await client.call(service, client.context, game_id, user_id, *args, arrival=arrival, **kwargs)


@dataclass(frozen=True, slots=True)
class FormKind:
    """A form of order lines.

    Args:
        load: what stands in it when it opens.
        action: what submitting it does: the first word of its custom id.
        label, placeholder: phrases above and in the field; without the latter an order of the game stands there.
    """

    load: Callable[[Context, GameId, UserId], OrderForm]
    action: str
    label: str
    placeholder: str | None = None


SHEET = FormKind(orders.template, Action.SHEET, "form.label")


async def open_form(
    interaction: Interaction,
    key: str,
    *,
    name: str | None = None,
    phase_no: int | None = None,
    kind: FormKind = SHEET,
) -> None:
    """Open the form with the present sheet; it must be the first answer.

    If the sheet is slow to load the form opens empty, and what is written in it is added to the sheet.

    Args:
        key: the game as custom ids name it; `name`: its own, if that is known already.
        phase_no: the phase that the pressed button was made for; `None`: the present one.
    """
    client = interaction.client
    reading = asyncio.ensure_future(
        client.call(_load, client.context, kind, key, interaction.guild_id, user_of(interaction))
    )
    try:
        sheet = await asyncio.wait_for(asyncio.shield(reading), _FORM_PATIENCE_S)
    except TimeoutError:
        _log.warning("the sheet of game %s took too long for a form", key)
        reading.add_done_callback(_forget)
        await interaction.response.send_modal(modal(_empty_form(key, name, phase_no or 0)))
        return
    if phase_no is not None and phase_no != sheet.phase_no:
        await _answer_old_button(interaction, sheet.game.id)
    elif len(sheet.text) > FORM_TEXT:
        file = TextFile("orders.txt", sheet.text)
        await answer(interaction, (replace(failure_message("form_too_long"), files=(file,)),))
    else:
        await interaction.response.send_modal(modal(_form(sheet, kind)))


def _load(context: Context, kind: FormKind, key: str, guild_id: int | None, user_id: UserId) -> OrderForm:
    return kind.load(context, game_of_button(context, key, guild_id), user_id)


def _forget(reading: asyncio.Future[OrderForm]) -> None:
    """Nobody waits for it any more: an error of it is nobody's."""
    if not reading.cancelled():
        reading.exception()


def _form(sheet: OrderForm, kind: FormKind) -> Form:
    words = words_of(sheet.game)
    return fit_form(
        Form(
            custom_id=str(CustomId(kind.action, sheet.game.token, sheet.phase_no)),
            title=words.plainly("form.title", title=sheet.title, game=sheet.game.name),
            label=words.plainly(kind.label, power=words.name(sheet.power)),
            text=sheet.text,
            placeholder=(
                sheet.example if kind.placeholder is None else words.plainly(kind.placeholder, example=sheet.example)
            ),
        )
    )


def _empty_form(key: str, name: str | None, phase_no: int) -> Form:
    words = common_words()
    title = words.plainly("form.lines_title") if name is None else words.plainly("form.lines_title_of", game=name)
    return fit_form(
        Form(
            custom_id=str(CustomId(Action.LINES, key, phase_no)),
            title=title,
            label=words.plainly("form.lines_label"),
            text="",
        )
    )


async def _answer_old_button(interaction: Interaction, game_id: GameId) -> None:
    """A button of a phase that is over: nothing is done, and the player sees the present state."""
    client = interaction.client
    if not interaction.response.is_done():
        await defer(interaction)
    receipt = await client.call(orders.show, client.context, game_id, user_of(interaction))
    note = words_of(receipt.game).say("failure.old_button")
    await show_receipt(interaction, receipt, note=note)


# The guided flow


async def begin_guide(
    interaction: Interaction, game_id: GameId, *, phase_no: int | None = None, path: tuple[str, ...] = ()
) -> None:
    """Open a guided flow after the choices in `path`, else at its beginning. Deferred already."""
    client = interaction.client
    receipt = await client.call(orders.show, client.context, game_id, user_of(interaction))
    if phase_no is not None and phase_no != receipt.phase_no:
        await show_receipt(interaction, receipt, note=words_of(receipt.game).say("failure.old_button"))
        return
    flow = Flow(user_of(interaction), game_id, receipt.phase_no, path)
    token = client.guides.begin(flow)
    await answer(interaction, (await _step(interaction, receipt, flow, token),))


async def give(interaction: Interaction, pressed: CustomId, chosen: str) -> None:
    """A whole order, or what to order, was chosen: on a receipt, which changes, or in a guided flow, which goes on."""
    where = pressed.token.rpartition("-")[0]
    if chosen.startswith(UNIT):
        named = f"{where}-{chosen.removeprefix(UNIT)}"
        await show_unit(interaction, replace(pressed, action=Action.UNIT, token=named))
        return
    if where not in (ON_RECEIPT, BELOW):
        await go_on(interaction, replace(pressed, token=where), chosen)
        return
    client = interaction.client
    game_id = await _pressed_below(interaction, pressed, where)
    if chosen.startswith(FURTHER):
        flow = Flow(user_of(interaction), game_id, pressed.phase_no, _path_of(chosen), is_for_one=True)
        receipt = await client.call(orders.show, client.context, game_id, user_of(interaction))
        messages = await _first_step(interaction, receipt, flow)
    else:
        receipt = await _save(interaction, game_id, chosen, pressed.phase_no)
        messages = await client.call(receipt_message, receipt)
    await _answer_below(interaction, where, messages)


async def show_unit(interaction: Interaction, pressed: CustomId) -> None:
    """A unit's whole orders are asked for: the receipt or guide shows them first, or goes on choice by choice."""
    where, _, place = pressed.token.rpartition("-")
    if where not in (ON_RECEIPT, BELOW):
        await go_on(interaction, replace(pressed, token=where), place)
        return
    client = interaction.client
    game_id = await _pressed_below(interaction, pressed, where)
    receipt = await client.call(orders.show, client.context, game_id, user_of(interaction), asked=_places(place))
    if receipt.phase_no == pressed.phase_no and receipt.offer.leads_on:
        flow = Flow(user_of(interaction), game_id, pressed.phase_no, _path_on(receipt), is_for_one=True)
        messages = await _first_step(interaction, receipt, flow)
    else:
        note = None if receipt.phase_no == pressed.phase_no else words_of(receipt.game).say("failure.old_button")
        messages = await client.call(receipt_message, receipt, note=note)
    await _answer_below(interaction, where, messages)


def _path_on(receipt: Receipt) -> tuple[str, ...]:
    """Where the guided flow goes on for a unit that has no whole orders to show."""
    return (receipt.offer.leads_on.value,) if receipt.offer.leads_on else ()


def _places(written: str | None) -> tuple[int, ...]:
    """Which of the first choices a button is for, by the first and how many: `12`, `12_3`; none if its id is forged."""
    first, _, count = (written or "").partition("_")
    if not first.isdecimal() or not (count or "1").isdecimal():
        return ()
    return tuple(range(int(first), int(first) + min(int(count or 1), MENUS)))


async def _pressed_below(interaction: Interaction, pressed: CustomId, where: str) -> GameId:
    """The game of a menu or button below a receipt. Defers as `_answer_below` will answer."""
    await defer_change(interaction, in_place=where == ON_RECEIPT)
    return await pressed_game(interaction, pressed)


async def _answer_below(interaction: Interaction, where: str, messages: Sequence[Message]) -> None:
    """Put what a menu or button below a receipt brings in the receipt's place, if both are one message."""
    if where == ON_RECEIPT and len(messages) == 1:
        await replace_message(interaction, messages)
    else:
        await answer(interaction, messages)


async def _first_step(interaction: Interaction, receipt: Receipt, flow: Flow) -> Sequence[Message]:
    """The beginning of a guided flow. The receipt, if an order is complete at once, or the phase it was for is over."""
    client = interaction.client
    if flow.phase_no != receipt.phase_no:
        return await client.call(receipt_message, receipt, note=words_of(receipt.game).say("failure.old_button"))
    menu = await _menu(interaction, flow)
    if menu.order is not None:
        receipt = await _save(interaction, flow.game_id, menu.order, flow.phase_no)
        return await client.call(receipt_message, receipt)
    return (guide_message(receipt, flow, menu, token=client.guides.begin(flow)),)


async def _save(interaction: Interaction, game_id: GameId, order: str, phase_no: int) -> Receipt:
    return await change(interaction, orders.submit, game_id, order, mode=SubmitMode.MERGE, phase_no=phase_no)


def _path_of(chosen: str) -> tuple[str, ...]:
    """Where the guided flow goes on after a choice that is no order yet; the beginning after none."""
    return (chosen[len(FURTHER) :],) if chosen != FURTHER else ()


async def go_on(interaction: Interaction, pressed: CustomId, chosen: str | None) -> None:
    """A choice, another page, a step back or the end of a guided flow: the same message shows what comes next."""
    guides = interaction.client.guides
    with guides.one_step(pressed.token) as is_first:
        if not is_first:
            # The step that is under way changes the message; this press has nothing to add to it.
            await interaction.response.defer()
            return
        flow = guides.find(pressed.token)
        if flow is not None and flow.user_id == interaction.user.id:
            await _take_step(interaction, pressed, flow, chosen)
            return
        if pressed.action in (Action.CHOOSE, Action.UNIT) and not guides.has_ended(pressed.token) and flow is None:
            # Such a menu holds all that is needed: a flow from before a restart begins anew with it.
            await defer_change(interaction, in_place=True)
            game_id = await pressed_game(interaction, pressed)
            await _go_on_from(interaction, pressed, Flow(user_of(interaction), game_id, pressed.phase_no), chosen)
            return
    await defer(interaction)
    if flow is not None:
        message = failure_message("not_your_guide")
    else:
        message = failure_message("ended_guide" if guides.has_ended(pressed.token) else "old_guide")
    await answer(interaction, (message,))


async def _take_step(interaction: Interaction, pressed: CustomId, flow: Flow, chosen: str | None) -> None:
    await defer_change(interaction, in_place=True)
    await _go_on_from(interaction, pressed, flow, chosen)


async def _go_on_from(interaction: Interaction, pressed: CustomId, flow: Flow, chosen: str | None) -> None:
    client = interaction.client
    asked = _places(chosen) if pressed.action is Action.UNIT else ()
    receipt = await client.call(orders.show, client.context, flow.game_id, flow.user_id, asked=asked)
    if receipt.phase_no != flow.phase_no:
        client.guides.end(pressed.token)
        note = words_of(receipt.game).say("failure.old_button")
        await replace_message(interaction, await client.call(receipt_message, receipt, note=note))
        return
    if pressed.action is Action.DONE:
        client.guides.end(pressed.token)
        await replace_message(interaction, await client.call(receipt_message, receipt))
        return
    await _move_on(interaction, pressed, flow, receipt, chosen)


async def _move_on(
    interaction: Interaction, pressed: CustomId, flow: Flow, receipt: Receipt, chosen: str | None
) -> None:
    client = interaction.client
    order: str | None = None
    match pressed.action:
        case Action.PAGE:
            flow = replace(flow, page=flow.page + 1)
        case Action.BACK:
            flow = replace(flow, path=flow.path[:-1], page=0)
        case Action.UNIT:
            flow = replace(flow, path=_path_on(receipt), page=0)
        case Action.CHOOSE if chosen and not chosen.startswith(FURTHER):
            order = chosen
        case Action.CHOOSE:
            flow = replace(flow, path=_path_of(chosen or FURTHER), page=0)
        case _:
            flow = await _with_choice(interaction, flow, chosen or "")
    if order is None:
        order = (await _menu(interaction, flow)).order
    if order is not None:
        receipt = await _save(interaction, flow.game_id, order, flow.phase_no)
        is_done = flow.is_for_one or not (receipt.missing or _has_sheets(interaction, receipt))
        if receipt.errors or is_done:
            client.guides.end(pressed.token)
            await replace_message(interaction, await client.call(receipt_message, receipt))
            return
        flow = replace(flow, path=(), page=0, noted=(*flow.noted, order))
    client.guides.put(pressed.token, flow)
    await replace_message(interaction, (await _step(interaction, receipt, flow, pressed.token),))


def _has_sheets(interaction: Interaction, receipt: Receipt) -> bool:
    """Whether there can always be more to order: then the player says when it is enough."""
    return interaction.client.context.systems.infos[receipt.game.system].has_sheets


async def _with_choice(interaction: Interaction, flow: Flow, chosen: str) -> Flow:
    """The flow after a choice; it begins again if the menu has no such choice."""
    menu = await _menu(interaction, flow)
    if all(choice.value != chosen for choice in menu.choices):
        return replace(flow, path=(), page=0)
    return replace(flow, path=(*flow.path, chosen), page=0)


async def _step(interaction: Interaction, receipt: Receipt, flow: Flow, token: str) -> Message:
    menu = await _menu(interaction, flow)
    return guide_message(receipt, flow, menu, token=token)


async def _menu(interaction: Interaction, flow: Flow) -> Menu:
    client = interaction.client
    return await client.call(orders.menu, client.context, flow.game_id, flow.user_id, flow.path)
