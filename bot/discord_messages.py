"""Turns our messages into discord.py's: the last step before sending. Pictures are drawn here, off the event loop."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from typing import Any

import discord

from bot.model import UserId
from bot.ports import Renderer
from bot.text.discord_limits import BUTTONS_IN_ROW, rows_of
from bot.text.message import Button, ButtonStyle, Embed, Form, Message, Select

_STYLES = {
    ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    ButtonStyle.SUCCESS: discord.ButtonStyle.success,
    ButtonStyle.DANGER: discord.ButtonStyle.danger,
}


async def message_kwargs(message: Message, renderer: Renderer) -> dict[str, Any]:
    """The arguments for any `send` of discord.py; what the message lacks is left out.

    The message has to be within Discord's limits: composers make sure of that.
    """
    files = await _files(message, renderer)
    kwargs: dict[str, Any] = {"allowed_mentions": _allowed_mentions(message.mentions)}
    if message.content:
        kwargs["content"] = message.content
    if message.embeds:
        kwargs["embeds"] = [_embed(embed) for embed in message.embeds]
    if files:
        kwargs["files"] = files
    if message.buttons or message.selects or message.shortcuts:
        kwargs["view"] = _view(message)
    return kwargs


async def edit_kwargs(message: Message, renderer: Renderer) -> dict[str, Any]:
    """The arguments for an `edit` that replaces the whole message."""
    kwargs = await message_kwargs(message, renderer)
    kwargs["attachments"] = kwargs.pop("files", [])
    return {"content": None, "embeds": [], "view": None} | kwargs


def modal(form: Form) -> discord.ui.Modal:
    """The form as a modal. It is stopped: its submission is an interaction that `cogs` handles by its custom id, so
    a form that was opened before a restart can be submitted after it."""
    made = discord.ui.Modal(title=form.title, custom_id=form.custom_id, timeout=None)
    made.add_item(
        discord.ui.Label(
            text=form.label,
            component=discord.ui.TextInput(
                custom_id="text",
                style=discord.TextStyle.paragraph,
                default=form.text or None,
                placeholder=form.placeholder or None,
                required=False,
                max_length=4000,
            ),
        )
    )
    made.stop()
    return made


def _allowed_mentions(users: Sequence[UserId]) -> discord.AllowedMentions:
    return discord.AllowedMentions(
        everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in users]
    )


async def _files(message: Message, renderer: Renderer) -> list[discord.File]:
    pictures = [
        await asyncio.to_thread(renderer.draw, picture.scene, with_key=picture.with_key) for picture in message.pictures
    ]
    drawn = [
        discord.File(io.BytesIO(picture.file), filename=asked.filename, description=asked.alt)
        for asked, picture in zip(message.pictures, pictures, strict=True)
    ]
    texts = [
        discord.File(io.BytesIO(file.text.encode(errors="replace")), filename=file.filename) for file in message.files
    ]
    return drawn + texts


def _embed(embed: Embed) -> discord.Embed:
    made = discord.Embed(title=embed.title or None, description=embed.description or None, colour=embed.colour)
    for field in embed.fields:
        made.add_field(name=field.name, value=field.value, inline=field.is_inline)
    if embed.footer:
        made.set_footer(text=embed.footer)
    return made


def _view(message: Message) -> discord.ui.View:
    # Stopped, so that discord.py doesn't keep it in memory: `cogs` handles presses by custom id alone.
    view = discord.ui.View(timeout=None)
    for select in message.selects:
        view.add_item(_select(select))
    row = len(message.selects)
    for buttons in (message.shortcuts, message.buttons):
        for number, button in enumerate(buttons):
            view.add_item(_button(button, row=row + number // BUTTONS_IN_ROW))
        row += rows_of(buttons)
    view.stop()
    return view


def _button(button: Button, *, row: int) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(
        custom_id=button.custom_id,
        label=button.label,
        style=_STYLES[button.style],
        disabled=button.is_disabled,
        row=row,
    )


def _select(select: Select) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(label=choice.label, value=choice.value, description=choice.description or None)
        for choice in select.choices
    ]
    return discord.ui.Select(custom_id=select.custom_id, placeholder=select.placeholder or None, options=options)
