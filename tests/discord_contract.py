"""What Discord accepts: its OpenAPI document, and the rules which that document leaves out.

`check_requests` reads the requests which the simulated Discord recorded and returns every breach; the
end-to-end tests assert that there is none. Nothing here knows the bot.

    DiscordContract   the document: paths, query parameters, bodies (JSON Schema 2020-12)
    _check_command…   what may be registered: characters, order of options, counts, 8,000 characters
    _check_message…   content, embeds, components, attachments, mentions, nonces
    _check_modal      titles, labels, text inputs
    _check_choices    autocompletion
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import discord
import jsonschema_rs

DOCUMENT = Path(__file__).parent / "discord_api" / "openapi.json.gz"

EPHEMERAL = 1 << 6
COMPONENTS_V2 = 1 << 15
# What a bot may set on a channel message: suppress embeds, silent, voice message, components v2.
CHANNEL_MESSAGE_FLAGS = 1 << 2 | 1 << 12 | 1 << 13 | COMPONENTS_V2

MAX_UPLOAD_BYTES = 10 * 1024 * 1024
MAX_CONTENT = 2000
MAX_EMBED_TOTAL = 6000
MAX_COMMAND_TOTAL = 8000
COMMANDS_PER_TYPE = {1: 100, 2: 15, 3: 15, 4: 1}
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT, LABEL = 1, 2, 3, 4, 18
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK_STYLE, PREMIUM_STYLE = 5, 6

Json: TypeAlias = Any


class Request(Protocol):
    """One recorded request; `json` is the body, or the `payload_json` part of a multipart one."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def json(self) -> Any | None: ...


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a request is not what Discord accepts; `where` is a path into its body."""

    request: str
    where: str
    problem: str

    def __str__(self) -> str:
        return f"{self.request} at {self.where or 'the body'}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach before it is known whose it is."""

    where: str
    text: str


Problems: TypeAlias = Iterator[Problem]


def check_requests(requests: Iterable[Request]) -> list[Breach]:
    """Every breach in these requests, in their order."""
    contract = discord_contract()
    return [breach for request in requests for breach in contract.check(request)]


def check_intents(intents: discord.Intents) -> list[str]:
    """The privileged intents that are asked for; a bot without any needs no review by Discord."""
    return [name for name in ("members", "presences", "message_content") if getattr(intents, name)]


def check_uploads(attachments: Iterable[Mapping[str, Any]]) -> list[str]:
    """Files above what every server and direct message takes, given stored attachments."""
    return [
        f"{attachment['filename']} has {attachment['size']} bytes, more than {MAX_UPLOAD_BYTES}"
        for attachment in attachments
        if attachment["size"] > MAX_UPLOAD_BYTES
    ]


@lru_cache(maxsize=1)
def discord_contract() -> DiscordContract:
    """The contract from the document in the repository, read once."""
    return DiscordContract(json.loads(gzip.decompress(DOCUMENT.read_bytes())))


class DiscordContract:
    """Discord's OpenAPI document, made strict for requests: properties that it does not name are refused."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = _strict(document)
        self._routes = [
            (_path_pattern(template), template.count("{"), template, operations)
            for template, operations in self._document["paths"].items()
        ]
        self._validators: dict[tuple[str, str], jsonschema_rs.Draft202012Validator] = {}

    def check(self, request: Request) -> list[Breach]:
        """What is wrong with one request."""
        name = f"{request.method} {request.path}"
        return [Breach(name, problem.where, problem.text) for problem in self._problems(request)]

    def _problems(self, request: Request) -> Problems:
        found = self._find_operation(request.method, request.path)
        if found is None:
            yield Problem("path", "no such method and path")
            return
        template, operation = found
        known = {parameter["name"] for parameter in operation.get("parameters", ())}
        for parameter in sorted(set(request.params) - known):
            yield Problem(f"?{parameter}", "unknown query parameter")
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            if request.json is not None:
                yield Problem("", "this operation takes no body")
            return
        if request.json is None:
            if operation["requestBody"].get("required"):
                yield Problem("", "a body is required")
            return
        body = _without_documented_extras(request.json)
        if request.method == "PATCH" and isinstance(body, dict) and body.get("tts") is False:
            del body["tts"]  # discord.py's edits say that they are not read aloud; Discord passes over it
        yield from map(_explain, self._validator(request.method, template, schema).iter_errors(body))
        yield from _check_rules(request.method, template, request.json)

    def _find_operation(self, method: str, path: str) -> tuple[str, Mapping[str, Any]] | None:
        matches = [
            (variables, template, operations[method.lower()])
            for pattern, variables, template, operations in self._routes
            if method.lower() in operations and pattern.fullmatch(path)
        ]
        if not matches:
            return None
        _, template, operation = min(matches, key=lambda match: match[0])
        parameters = [
            *self._document["paths"][template].get("parameters", ()),
            *operation.get("parameters", ()),
        ]
        return template, {**operation, "parameters": parameters}

    def _validator(self, method: str, template: str, schema: Mapping[str, Any]) -> jsonschema_rs.Draft202012Validator:
        key = (method, template)
        if key not in self._validators:
            whole = {**schema, "components": self._document["components"]}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole)
        return self._validators[key]


# -- The document --


def _path_pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", template)
    return re.compile("[^/]+".join(re.escape(part) for part in parts))


def _strict(document: Mapping[str, Any]) -> dict[str, Any]:
    """A copy whose objects refuse unknown properties, whose snowflakes may be numbers, and whose whole numbers may be
    digits in a string, which Discord reads.
    """
    strict: dict[str, Any] = deepcopy(dict(document))
    strict["components"]["schemas"]["SnowflakeType"] = {
        "type": ["string", "integer"],
        "pattern": r"^(0|[1-9][0-9]*)$",
    }
    _close_objects(strict)
    return strict


def _close_objects(node: Json) -> None:
    if isinstance(node, list):
        for item in node:
            _close_objects(item)
    elif isinstance(node, dict):
        if node.get("type") == "object" and node.get("properties") and "additionalProperties" not in node:
            node["additionalProperties"] = False
        # A nonce is a number or a string; digits in a string are both.
        branches = node.get("oneOf")
        if isinstance(branches, list) and any(branch.get("format") == "nonce" for branch in branches):
            node["anyOf"] = node.pop("oneOf")
        if node.get("type") == "integer" or ("integer" in (node.get("type") or ()) and "pattern" not in node):
            node["type"] = [*([node["type"]] if node["type"] == "integer" else node["type"]), "string"]
            node["pattern"] = r"^-?\d+$"
        for value in node.values():
            _close_objects(value)


def _without_documented_extras(body: Json) -> Json:
    """Without what discord.py sends and Discord takes, but its document does not name."""
    if isinstance(body, list):
        return [_without_documented_extras(item) for item in body]
    if not isinstance(body, dict):
        return body
    plain = {key: _without_documented_extras(value) for key, value in body.items() if key != "nsfw"}
    if isinstance(plain.get("embeds"), list):
        plain["embeds"] = [{k: v for k, v in embed.items() if k != "flags"} for embed in plain["embeds"]]
    return plain


def _explain(error: jsonschema_rs.ValidationError) -> Problem:
    """The most telling part of a schema error: of a union, what is wrong in the branch that was meant."""
    while branches := [branch for branch in getattr(error.kind, "context", ()) if branch]:
        depth = len(error.instance_path)
        meant = min(branches, key=lambda causes: _distance(causes, depth))
        error = max(meant, key=lambda cause: len(cause.instance_path))
    where = ".".join(map(str, error.instance_path))
    return Problem(where, error.message[:300])


def _distance(causes: Sequence[jsonschema_rs.ValidationError], depth: int) -> tuple[bool, bool, int]:
    """How far a union's branch is from what was sent; another `type` is another thing altogether."""
    wrong_kind = any(cause.instance_path[depth : depth + 1] == ["type"] for cause in causes)
    is_null = any(cause.schema_path[-1:] == ["type"] and cause.kind.value == "null" for cause in causes)
    return wrong_kind, is_null, len(causes)


# -- The rules beside the document --

_COMMANDS = re.compile(r"/applications/\{application_id\}(/guilds/\{guild_id\})?/commands")
_INTERACTION = "/interactions/{interaction_id}/{interaction_token}/callback"
_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"


def _check_rules(method: str, template: str, body: Json) -> Problems:
    if _COMMANDS.match(template):
        if method == "PUT" and isinstance(body, list):
            yield from _check_commands(body)
        elif isinstance(body, dict):
            yield from _check_command(body, "")
    elif template == _INTERACTION:
        yield from _check_callback(body)
    elif template == "/channels/{channel_id}/messages" and method == "POST":
        yield from _check_channel_flags(body)
        yield from _check_new_message(body, "")
    elif template == "/channels/{channel_id}/messages/{message_id}" and method == "PATCH":
        yield from _check_message(body, "")
    elif template == _WEBHOOK and method == "POST":
        yield from _check_new_message(body, "")
    elif template.startswith(_WEBHOOK + "/messages/") and method == "PATCH":
        yield from _check_message(body, "")


def _at_most(value: Json, limit: int, where: str, *, least: int = 0) -> Problems:
    """Length of a string or list; other things are the document's business."""
    if isinstance(value, str | list) and not least <= len(value) <= limit:
        unit = "characters" if isinstance(value, str) else "items"
        yield Problem(where, f"{len(value)} {unit}, allowed are {least} to {limit}")


def _unique(values: Iterable[Json], where: str, what: str) -> Problems:
    seen: set[Json] = set()
    for value in values:
        if value in seen:
            yield Problem(where, f"{what} {value!r} is there twice")
        seen.add(value)


# Commands


def _check_commands(commands: Sequence[Mapping[str, Any]]) -> Problems:
    for kind, limit in COMMANDS_PER_TYPE.items():
        names = [command.get("name") for command in commands if (command.get("type") or 1) == kind]
        if len(names) > limit:
            yield Problem("", f"{len(names)} commands of type {kind}, allowed are {limit}")
        yield from _unique(names, "", "command")
    for index, command in enumerate(commands):
        yield from _check_command(command, f"{index}")


def _check_command(command: Mapping[str, Any], where: str) -> Problems:
    prefix = f"{where}." if where else ""
    if (command.get("type") or 1) != 1:
        yield from _at_most(command.get("name"), 32, f"{prefix}name", least=1)
        if command.get("description"):
            yield Problem(f"{prefix}description", "only slash commands have one")
        return
    yield from _check_name_and_description(command, prefix)
    options = command.get("options") or []
    yield from _check_options(options, f"{prefix}options", depth=0)
    total = _command_size(command)
    if total > MAX_COMMAND_TOTAL:
        yield Problem(where, f"{total} characters in names, descriptions and values, allowed are 8000")


def _check_name_and_description(entry: Mapping[str, Any], prefix: str) -> Problems:
    names = {
        "name": entry.get("name"),
        **{f"name_localizations.{k}": v for k, v in _localized(entry, "name")},
    }
    for key, name in names.items():
        if not isinstance(name, str) or not is_command_name(name):
            yield Problem(f"{prefix}{key}", f"{name!r} is not 1 to 32 lower-case letters, digits, - _ or '")
    texts = {"description": entry.get("description") or ""}
    texts.update({f"description_localizations.{k}": v for k, v in _localized(entry, "description")})
    for key, text in texts.items():
        yield from _at_most(text, 100, f"{prefix}{key}", least=1)


def _localized(entry: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
    return (entry.get(f"{key}_localizations") or {}).items()


def is_command_name(name: str) -> bool:
    """Whether a slash command or one of its options may be called this."""
    if not 1 <= len(name) <= 32 or name != name.lower():
        return False
    return all(letter in "-_'" or unicodedata.category(letter)[0] in "LN" for letter in name)


def _check_options(options: Sequence[Mapping[str, Any]], where: str, *, depth: int) -> Problems:
    yield from _at_most(list(options), 25, where)
    yield from _unique((option.get("name") for option in options), where, "option")
    kinds = [option.get("type") for option in options]
    nested = [kind in (SUBCOMMAND, SUBCOMMAND_GROUP) for kind in kinds]
    if any(nested) and not all(nested):
        yield Problem(where, "subcommands and plain options are mixed")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield Problem(where, "a required option comes after an optional one")
    for index, option in enumerate(options):
        yield from _check_option(option, f"{where}.{index}", depth=depth)


def _check_option(option: Mapping[str, Any], where: str, *, depth: int) -> Problems:
    yield from _check_name_and_description(option, f"{where}.")
    kind = option.get("type")
    if kind == SUBCOMMAND_GROUP:
        if depth > 0:
            yield Problem(where, "a group of subcommands inside another")
        if not option.get("options"):
            yield Problem(where, "a group without subcommands")
        if any(child.get("type") != SUBCOMMAND for child in option.get("options") or ()):
            yield Problem(where, "a group holds subcommands only")
        yield from _check_options(option.get("options") or (), f"{where}.options", depth=2)
    elif kind == SUBCOMMAND:
        if any(child.get("type") in (SUBCOMMAND, SUBCOMMAND_GROUP) for child in option.get("options") or ()):
            yield Problem(where, "a subcommand inside a subcommand")
        yield from _check_options(option.get("options") or (), f"{where}.options", depth=2)
    else:
        yield from _check_plain_option(option, where)


def _check_plain_option(option: Mapping[str, Any], where: str) -> Problems:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield Problem(where, "fixed choices and autocompletion exclude each other")
    if option.get("autocomplete") and option.get("type") not in (3, 4, 10):
        yield Problem(where, "only text and numbers can be completed")
    yield from _check_choices(choices, f"{where}.choices")
    yield from _unique((choice.get("name") for choice in choices), f"{where}.choices", "choice")
    for low, high in (("min_length", "max_length"), ("min_value", "max_value")):
        if option.get(low) is not None and option.get(high) is not None and option[low] > option[high]:
            yield Problem(where, f"{low} is above {high}")


def _command_size(entry: Mapping[str, Any]) -> int:
    """Characters in names, descriptions and choices' values, of localizations the longest."""
    size = 0
    for key in ("name", "description"):
        texts = [entry.get(key) or "", *(text for _, text in _localized(entry, key))]
        size += max(len(text) for text in texts)
    for choice in entry.get("choices") or ():
        size += len(str(choice.get("name", ""))) + len(str(choice.get("value", "")))
    return size + sum(_command_size(option) for option in entry.get("options") or ())


def _check_choices(choices: Sequence[Mapping[str, Any]], where: str) -> Problems:
    yield from _at_most(list(choices), 25, where)
    for index, choice in enumerate(choices):
        yield from _at_most(choice.get("name"), 100, f"{where}.{index}.name", least=1)
        yield from _at_most(choice.get("value"), 100, f"{where}.{index}.value")


# Interactions


def _check_callback(body: Mapping[str, Any]) -> Problems:
    data = body.get("data") or {}
    match body.get("type"):
        case 4:
            yield from _check_new_message(data, "data.")
        case 5 if set(data) - {"flags"}:
            yield Problem("data", "a deferred answer can only say that it is ephemeral")
        case 7:
            yield from _check_message(data, "data.")
        case 8:
            yield from _check_choices(data.get("choices") or [], "data.choices")
        case 9:
            yield from _check_modal(data, "data.")


def _check_modal(data: Mapping[str, Any], prefix: str) -> Problems:
    yield from _at_most(data.get("title"), 45, f"{prefix}title", least=1)
    yield from _at_most(data.get("custom_id"), 100, f"{prefix}custom_id", least=1)
    components = data.get("components") or []
    yield from _at_most(components, 5, f"{prefix}components", least=1)
    inputs = []
    for index, component in enumerate(components):
        where = f"{prefix}components.{index}"
        if component.get("type") == LABEL:
            yield from _at_most(component.get("label"), 45, f"{where}.label", least=1)
            yield from _at_most(component.get("description"), 100, f"{where}.description", least=1)
            inputs.append((component.get("component") or {}, f"{where}.component"))
        else:
            children = component.get("components") or []
            if component.get("type") == ACTION_ROW and len(children) != 1:
                yield Problem(where, "a row of a modal holds exactly one input")
            inputs.extend((child, f"{where}.components.{n}") for n, child in enumerate(children))
    yield from _unique((entry.get("custom_id") for entry, _ in inputs if entry.get("custom_id")), prefix, "custom_id")
    for entry, where in inputs:
        yield from _check_input(entry, where)


def _check_input(entry: Mapping[str, Any], where: str) -> Problems:
    yield from _at_most(entry.get("custom_id"), 100, f"{where}.custom_id", least=1)
    if entry.get("disabled"):
        yield Problem(where, "nothing in a modal can be disabled")
    if entry.get("type") == TEXT_INPUT:
        yield from _at_most(entry.get("label"), 45, f"{where}.label", least=1)
        yield from _at_most(entry.get("placeholder"), 100, f"{where}.placeholder")
        longest = entry.get("max_length") or 4000
        if longest > 4000:
            yield Problem(where, "a text input takes 4000 characters")
        yield from _at_most(entry.get("value"), min(longest, 4000), f"{where}.value")
    elif entry.get("type") in SELECTS:
        yield from _check_select(entry, where)


# Messages


def _check_channel_flags(body: Mapping[str, Any]) -> Problems:
    flags = body.get("flags") or 0
    if flags & ~CHANNEL_MESSAGE_FLAGS:
        yield Problem("flags", f"{flags} is not for a channel message; only an interaction's answer is ephemeral")


def _check_new_message(body: Mapping[str, Any], prefix: str) -> Problems:
    shown = ("content", "embeds", "attachments", "components", "poll", "sticker_ids")
    if not any(body.get(key) for key in shown):
        yield Problem(prefix.rstrip("."), "an empty message")
    if "nonce" in body:
        yield from _at_most(str(body["nonce"]), 25, f"{prefix}nonce", least=1)
        if not body.get("enforce_nonce"):
            yield Problem(f"{prefix}nonce", "a nonce that is not enforced stops no repetition")
    yield from _check_message(body, prefix)


def _check_message(body: Mapping[str, Any], prefix: str) -> Problems:
    yield from _at_most(body.get("content"), MAX_CONTENT, f"{prefix}content")
    yield from _check_mentions(body, prefix)
    yield from _check_embeds(body.get("embeds") or [], f"{prefix}embeds")
    yield from _check_attachments(body, prefix)
    components = body.get("components") or []
    if (body.get("flags") or 0) & COMPONENTS_V2:
        if body.get("content") or body.get("embeds") or body.get("poll"):
            yield Problem(prefix.rstrip("."), "new-style components leave no room for content, embeds or polls")
    else:
        yield from _check_rows(components, f"{prefix}components")


def _check_mentions(body: Mapping[str, Any], prefix: str) -> Problems:
    """Whoever a text may wake up is said explicitly, and nobody may wake up everyone."""
    if not body.get("content"):
        return
    mentions = body.get("allowed_mentions")
    if mentions is None:
        yield Problem(f"{prefix}allowed_mentions", "missing: names in the text could ping anybody")
        return
    parse = mentions.get("parse") or []
    if {"everyone", "roles"} & set(parse):
        yield Problem(f"{prefix}allowed_mentions.parse", "everyone and roles may not be pinged")
    if "users" in parse and mentions.get("users"):
        yield Problem(f"{prefix}allowed_mentions", "users both listed and parsed")


_EMBED_TEXTS = {"title": 256, "description": 4096}


def _check_embeds(embeds: Sequence[Mapping[str, Any]], where: str) -> Problems:
    yield from _at_most(list(embeds), 10, where)
    for index, embed in enumerate(embeds):
        yield from _check_embed(embed, f"{where}.{index}")
    total = sum(_embed_size(embed) for embed in embeds)
    if total > MAX_EMBED_TOTAL:
        yield Problem(where, f"{total} characters in all embeds, allowed are {MAX_EMBED_TOTAL}")


def _check_embed(embed: Mapping[str, Any], where: str) -> Problems:
    for key, limit in _EMBED_TEXTS.items():
        yield from _at_most(embed.get(key), limit, f"{where}.{key}")
    yield from _at_most((embed.get("footer") or {}).get("text"), 2048, f"{where}.footer.text", least=1)
    yield from _at_most((embed.get("author") or {}).get("name"), 256, f"{where}.author.name", least=1)
    fields = embed.get("fields") or []
    yield from _at_most(fields, 25, f"{where}.fields")
    for index, field in enumerate(fields):
        yield from _at_most(field.get("name"), 256, f"{where}.fields.{index}.name", least=1)
        yield from _at_most(field.get("value"), 1024, f"{where}.fields.{index}.value", least=1)


def _embed_size(embed: Mapping[str, Any]) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    texts += [field.get(key) for field in embed.get("fields") or () for key in ("name", "value")]
    return sum(len(text) for text in texts if text)


def _check_attachments(body: Mapping[str, Any], prefix: str) -> Problems:
    attachments = body.get("attachments") or []
    where = f"{prefix}attachments"
    yield from _at_most(attachments, 10, where)
    yield from _unique((str(attachment.get("id")) for attachment in attachments), where, "id")
    for index, attachment in enumerate(attachments):
        yield from _at_most(attachment.get("description"), 1024, f"{where}.{index}.description")
    names = {attachment.get("filename") for attachment in attachments}
    for index, embed in enumerate(body.get("embeds") or ()):
        for key in ("image", "thumbnail"):
            url = (embed.get(key) or {}).get("url") or ""
            name = url.removeprefix("attachment://")
            if name != url and "attachments" in body and name not in names:
                yield Problem(f"{prefix}embeds.{index}.{key}", f"{name} is not among the attachments")


def _check_rows(rows: Sequence[Mapping[str, Any]], where: str) -> Problems:
    yield from _at_most(list(rows), 5, where)
    custom_ids = []
    for index, row in enumerate(rows):
        path = f"{where}.{index}"
        if row.get("type") != ACTION_ROW:
            yield Problem(path, "only rows are allowed without the flag for new-style components")
            continue
        children = row.get("components") or []
        yield from _at_most(children, 5, f"{path}.components", least=1)
        if any(child.get("type") in SELECTS for child in children) and len(children) > 1:
            yield Problem(path, "a select fills its row")
        for position, child in enumerate(children):
            yield from _check_component(child, f"{path}.components.{position}")
            custom_ids.append(child.get("custom_id"))
    yield from _unique((custom_id for custom_id in custom_ids if custom_id), where, "custom_id")


def _check_component(component: Mapping[str, Any], where: str) -> Problems:
    if component.get("type") == BUTTON:
        yield from _check_button(component, where)
    elif component.get("type") in SELECTS:
        yield from _check_select(component, where)
    else:
        yield Problem(where, f"a row holds buttons or a select, not type {component.get('type')}")


def _check_button(button: Mapping[str, Any], where: str) -> Problems:
    yield from _at_most(button.get("label"), 80, f"{where}.label")
    if not button.get("label") and not button.get("emoji") and button.get("style") != PREMIUM_STYLE:
        yield Problem(where, "a button without label and emoji")
    if button.get("style") == LINK_STYLE:
        yield from _at_most(button.get("url"), 512, f"{where}.url", least=1)
        if not button.get("url") or button.get("custom_id"):
            yield Problem(where, "a link has a url and no custom_id")
    elif button.get("style") != PREMIUM_STYLE:
        if button.get("url"):
            yield Problem(where, "only links have a url")
        yield from _at_most(button.get("custom_id") or "", 100, f"{where}.custom_id", least=1)


def _check_select(select: Mapping[str, Any], where: str) -> Problems:
    yield from _at_most(select.get("custom_id") or "", 100, f"{where}.custom_id", least=1)
    yield from _at_most(select.get("placeholder"), 150, f"{where}.placeholder")
    least, most = select.get("min_values"), select.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    if least > most or most > 25:
        yield Problem(where, f"takes {least} to {most} values")
    if select.get("type") != STRING_SELECT:
        return
    options = select.get("options") or []
    yield from _at_most(options, 25, f"{where}.options", least=1)
    yield from _unique((option.get("value") for option in options), f"{where}.options", "value")
    if most > len(options):
        yield Problem(where, f"asks for up to {most} of {len(options)} options")
    if sum(bool(option.get("default")) for option in options) > most:
        yield Problem(where, "more options are chosen at first than may be")
    for index, option in enumerate(options):
        yield from _at_most(option.get("label"), 100, f"{where}.options.{index}.label", least=1)
        yield from _at_most(option.get("value"), 100, f"{where}.options.{index}.value", least=1)
        yield from _at_most(option.get("description"), 100, f"{where}.options.{index}.description")
