"""What one person sees in the simulated Discord: channels, messages, buttons, files, as JSON for the page and as the
source of the transcripts. A person gets nothing from here that they may not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from html import unescape
from typing import Any

from simcord.backend.access import channel_accessible

from bot.play.live import LiveEnv
from bot.play.markdown import inline_html, plain, to_html

LOADING = 1 << 7
BUTTON_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link"}
SELECT_KINDS = {3: "string", 5: "user", 6: "role", 7: "mentionable", 8: "channel"}
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")

Payload = dict[str, Any]


class Eyes:
    """What one person can see.

    Args:
        viewer_id: whose eyes; everything is checked against what this user may see.
    """

    def __init__(self, env: LiveEnv, viewer_id: int) -> None:
        self._env = env
        self._backend = env.backend
        self._viewer_id = viewer_id

    # Channels

    def channel_ids(self) -> list[int]:
        """Text channels and threads that this person can open, oldest first, and the direct messages with the bot."""
        ids = [
            channel.id
            for channel in self._backend.channels.values()
            if channel.guild_id is not None and self._may_open(channel.id)
        ]
        direct = self._backend.dm_channels.get(self._viewer_id)
        return sorted(ids) + ([direct] if direct is not None else [])

    def channels(self) -> list[Payload]:
        """The channels, each with its number of messages by others, from which a reader can count new ones."""
        return [self._channel(channel_id) for channel_id in self.channel_ids()]

    def _channel(self, channel_id: int) -> Payload:
        channel = self._backend.channels[channel_id]
        messages = self._visible(channel_id)
        kind = "dm" if channel.guild_id is None else "thread" if channel.is_thread else "channel"
        return {
            "id": str(channel_id),
            "name": self._backend.bot_user.name if kind == "dm" else channel.name,
            "kind": kind,
            "topic": channel.topic or "",
            "count": sum(message.author_id != self._viewer_id for message in messages),
        }

    def may_open(self, channel_id: int) -> bool:
        """Whether this is one of the channels above."""
        return channel_id in self.channel_ids()

    def _may_open(self, channel_id: int) -> bool:
        return channel_accessible(self._backend, channel_id, self._viewer_id, history=True)

    # Messages

    def messages(self, channel_id: int, *, last: int | None = None, known: Set[str] = frozenset()) -> list[Payload]:
        """The messages of a channel, oldest first; the `last` ones if given. None of a closed channel.

        Args:
            known: ids of messages that are left out.
        """
        messages = self._visible(channel_id) if self.may_open(channel_id) else []
        shown = messages if last is None else messages[-last:]
        return [self._message(message) for message in shown if str(message.id) not in known]

    def message_ids(self) -> set[str]:
        """The ids of all messages that this person sees."""
        return {str(message.id) for channel_id in self.channel_ids() for message in self._visible(channel_id)}

    def message(self, message_id: int) -> Payload | None:
        """One message, wherever it is."""
        found = self.find(message_id)
        return None if found is None else self._message(found)

    def find(self, message_id: int) -> Any | None:
        """simcord's own record of a message that this person sees."""
        for channel_id in self.channel_ids():
            message = self._backend.messages.get(channel_id, {}).get(message_id)
            if message is not None and message.visible_to(self._viewer_id):
                return message
        return None

    def file(self, attachment_id: int) -> tuple[str, str, bytes] | None:
        """Name, type and bytes of a file in a message that this person sees."""
        for channel_id in self.channel_ids():
            for message in self._visible(channel_id):
                for attachment in message.attachments:
                    if attachment["id"] == str(attachment_id):
                        data = self._backend.cdn.get(attachment["url"]) or b""
                        return attachment["filename"], attachment["content_type"], data
        return None

    def _visible(self, channel_id: int) -> list[Any]:
        messages = self._backend.messages.get(channel_id, {}).values()
        return sorted((m for m in messages if m.visible_to(self._viewer_id)), key=lambda message: message.id)

    def _message(self, message: Any) -> Payload:
        author = self._backend.users[message.author_id]
        used = {name for embed in message.embeds for name in _embedded_names(embed)}
        return {
            "id": str(message.id),
            "channel": str(message.channel_id),
            "author": {"id": str(author.id), "name": self.name_of("user", author.id), "bot": author.bot},
            "at": message.timestamp,
            # A deferred answer is filled in by an edit, but does not count as edited.
            "edited": message.edited_timestamp is not None and message.interaction_metadata is None,
            "ephemeral": message.is_ephemeral,
            "loading": bool(message.flags & LOADING),
            "silent": bool(message.flags & 1 << 12),
            "used": self._command_used(message),
            "text": message.content,
            "plain": plain(message.content, self.name_of),
            "html": to_html(message.content, self.name_of),
            "embeds": [self._embed(embed, message.attachments) for embed in message.embeds],
            "files": [_file(file) for file in message.attachments if file["filename"] not in used],
            "rows": [self._component(component) for component in message.components],
            "pinned": message.pinned,
        }

    def _command_used(self, message: Any) -> Payload | None:
        metadata = message.interaction_metadata
        if not metadata or not metadata.get("name"):
            return None
        return {"name": self.name_of("user", int(metadata["user"]["id"])), "command": metadata["name"]}

    def _embed(self, embed: Mapping[str, Any], attachments: Sequence[Mapping[str, Any]]) -> Payload:
        def picture(key: str) -> Payload | None:
            url = (embed.get(key) or {}).get("url") or ""
            name = url.removeprefix("attachment://").rsplit("/", 1)[-1]
            return next((_file(file) for file in attachments if file["filename"] == name), None)

        return {
            "title": inline_html(embed.get("title") or "", self.name_of),
            "description": to_html(embed.get("description") or "", self.name_of),
            "fields": [
                {
                    "name": inline_html(field["name"], self.name_of),
                    "value": to_html(field["value"], self.name_of),
                    "inline": bool(field.get("inline")),
                }
                for field in embed.get("fields") or ()
            ],
            "colour": None if embed.get("color") is None else f"#{embed['color']:06x}",
            "author": (embed.get("author") or {}).get("name") or "",
            "footer": (embed.get("footer") or {}).get("text") or "",
            "at": embed.get("timestamp"),
            "image": picture("image"),
            "thumbnail": picture("thumbnail"),
        }

    def _component(self, component: Mapping[str, Any]) -> Payload:
        kind = component["type"]
        if kind == 1:
            return {"kind": "row", "parts": [self._component(part) for part in component["components"]]}
        if kind == 2:
            emoji = (component.get("emoji") or {}).get("name") or ""
            return {
                "kind": "button",
                "label": f"{emoji} {component.get('label') or ''}".strip(),
                "style": BUTTON_STYLES.get(component["style"], "secondary"),
                "disabled": bool(component.get("disabled")),
                "custom_id": component.get("custom_id"),
                "url": component.get("url"),
            }
        if kind in SELECT_KINDS:
            return {"kind": "select", **select_parts(component)}
        if kind == 10:
            return {"kind": "text", "html": to_html(component.get("content", ""), self.name_of)}
        parts = [*component.get("components", ()), *filter(None, [component.get("accessory")])]
        return {"kind": "box", "parts": [self._component(part) for part in parts]}

    def name_of(self, kind: str, identifier: int) -> str | None:
        """A person's, channel's or role's name."""
        if kind == "user":
            user = self._backend.users.get(identifier)
            return None if user is None else user.global_name or user.name
        if kind == "channel":
            channel = self._backend.channels.get(identifier)
            return None if channel is None else channel.name
        roles = {role.id: role.name for guild in self._backend.guilds.values() for role in guild.roles.values()}
        return roles.get(identifier)

    # Commands

    def commands(self, channel_id: int) -> list[Payload]:
        """The slash commands that this person may use here, by full name, with their options."""
        if not self.may_open(channel_id):
            return []
        roots = self._backend.visible_commands(user_id=self._viewer_id, channel_id=channel_id)
        return sorted((leaf for root in roots for leaf in _leaves(root, "")), key=lambda leaf: str(leaf["name"]))


def select_parts(component: Mapping[str, Any]) -> Payload:
    """What a select menu needs to be shown, in a message or in a modal."""
    least, most = component.get("min_values"), component.get("max_values")
    return {
        "of": SELECT_KINDS[component["type"]],
        "custom_id": component["custom_id"],
        "placeholder": component.get("placeholder") or "",
        "least": 1 if least is None else least,
        "most": 1 if most is None else most,
        "disabled": bool(component.get("disabled")),
        "options": [
            {
                "label": option["label"],
                "value": option["value"],
                "description": option.get("description") or "",
                "chosen": bool(option.get("default")),
            }
            for option in component.get("options") or ()
        ],
    }


def parts(message: Payload) -> Iterator[Payload]:
    """The buttons and menus of a message, from top left."""
    for part in message["rows"]:
        yield from _inner(part)


def _inner(part: Payload) -> Iterator[Payload]:
    if "parts" not in part:
        yield part
    for child in part.get("parts", ()):
        yield from _inner(child)


def plain_text(message: Payload) -> str:
    """A message without its pictures: text, embeds, labels of buttons, alternative texts."""
    lines = [message["plain"]]
    for embed in message["embeds"]:
        lines += [bare_text(embed["title"]), bare_text(embed["description"])]
        lines += [f"{bare_text(entry['name'])}: {bare_text(entry['value'])}" for entry in embed["fields"]]
        lines += [
            embed["footer"],
            *(f"({embed[key]['name']}: {embed[key]['alt']})" for key in ("image",) if embed[key]),
        ]
    lines += [f"({file['name']}: {file['alt']})" for file in message["files"]]
    labels = [part["label"] for part in parts(message) if part["kind"] == "button"]
    if labels:
        lines.append(" ".join(f"[{label}]" for label in labels))
    return "\n".join(line for line in lines if line)


def bare_text(html: str) -> str:
    """HTML of our own making without its tags."""
    listed = re.sub(r"<li[^>]* value=(\d+)>", r"\1. ", html).replace("<li", "- <li")
    broken = re.sub(r"</(?:p|li|pre|h\d|blockquote)>|<br>", "\n", listed)
    return unescape(re.sub(r"<[^>]+>", "", broken)).strip()


def _file(attachment: Mapping[str, Any]) -> Payload:
    return {
        "id": attachment["id"],
        "name": attachment["filename"],
        "size": attachment["size"],
        "alt": attachment.get("description") or "",
        "picture": attachment["content_type"] in PICTURES,
    }


def _embedded_names(embed: Mapping[str, Any]) -> Iterator[str]:
    for key in ("image", "thumbnail"):
        url = (embed.get(key) or {}).get("url") or ""
        match = re.search(r"([^/]+)$", url)
        if match:
            yield match[1]


_OPTION_KINDS = {3: "string", 4: "integer", 5: "boolean", 6: "user", 7: "channel", 8: "role", 9: "mentionable"}
_OPTION_KINDS |= {10: "number", 11: "attachment"}


def _leaves(node: Mapping[str, Any], prefix: str) -> Iterator[Payload]:
    name = f"{prefix} {node['name']}".strip()
    options = node.get("options") or []
    nested = [option for option in options if option["type"] in (1, 2)]
    for child in nested:
        yield from _leaves(child, name)
    if not nested:
        yield {
            "name": name,
            "description": node.get("description") or "",
            "options": [_option(option) for option in options],
        }


def _option(option: Mapping[str, Any]) -> Payload:
    return {
        "name": option["name"],
        "description": option["description"],
        "kind": _OPTION_KINDS[option["type"]],
        "required": bool(option.get("required")),
        "complete": bool(option.get("autocomplete")),
        "choices": [{"name": choice["name"], "value": choice["value"]} for choice in option.get("choices") or ()],
        "least": option.get("min_value", option.get("min_length")),
        "most": option.get("max_value", option.get("max_length")),
    }
