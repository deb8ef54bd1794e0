"""The contract checker catches what it is there for: each rule sees a request that breaks it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.discord_contract import check_intents, check_requests, check_uploads, is_command_name

pytest.importorskip("simcord", reason="simcord, of the extra `play`, is not installed")
from simcord import HttpLogEntry

MESSAGES = "/channels/5/messages"
CALLBACK = "/interactions/7/token/callback"
FOLLOWUP = "/webhooks/9/token"
COMMANDS = "/applications/9/commands"
QUIET: dict[str, Any] = {"parse": []}


def problems(method: str, path: str, body: Any, **params: Any) -> str:
    return "\n".join(str(breach) for breach in check_requests([HttpLogEntry(method, path, params, body, None)]))


def named(value: Any) -> str:
    return value if isinstance(value, str) else ""


def message(**fields: Any) -> dict[str, Any]:
    return {"content": "The orders are in.", "allowed_mentions": QUIET, **fields}


def button(**fields: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Ready", "custom_id": "ready:1", **fields}


def select(**fields: Any) -> dict[str, Any]:
    options = [{"label": name, "value": name} for name in ("PAR", "MAR")]
    return {"type": 3, "custom_id": "unit", "options": options, **fields}


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def text_input(**fields: Any) -> dict[str, Any]:
    return {"type": 4, "custom_id": "orders", "style": 2, **fields}


def label(component: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": 18, "label": "Orders", "component": component, **fields}


def modal(*components: dict[str, Any], **fields: Any) -> dict[str, Any]:
    data = {"custom_id": "sheet", "title": "Orders", "components": list(components), **fields}
    return {"type": 9, "data": data}


def command(name: str = "orders", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Orders", "type": 1, **fields}


def option(name: str = "text", **fields: Any) -> dict[str, Any]:
    return {"type": 3, "name": name, "description": "One order a line", **fields}


RIGHT: list[tuple[str, str, Any]] = [
    ("POST", MESSAGES, message()),
    ("POST", MESSAGES, message(nonce="12", enforce_nonce=True, components=[row(button()), row(select())])),
    (
        "POST",
        MESSAGES,
        {
            "embeds": [{"image": {"url": "attachment://map.png"}, "type": "rich", "flags": 0}],
            "attachments": [{"id": 0, "filename": "map.png", "description": "The map"}],
        },
    ),
    ("PATCH", f"{MESSAGES}/6", message()),
    ("POST", CALLBACK, {"type": 5, "data": {"flags": 64}}),
    ("POST", CALLBACK, {"type": 4, "data": message(flags=64)}),
    ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "A PAR - BUR", "value": "A PAR - BUR"}]}}),
    ("POST", CALLBACK, modal(label(text_input(value="A PAR H")), label(select(custom_id="when")))),
    ("POST", FOLLOWUP, message(flags=64)),
    ("PATCH", f"{FOLLOWUP}/messages/@original", message()),
    (
        "PUT",
        COMMANDS,
        [command(options=[option(required=True), option("when")]), command("game", nsfw=False)],
    ),
    ("POST", "/users/@me/channels", {"recipient_id": "4"}),
    ("GET", "/users/@me", None),
]


@pytest.mark.parametrize(("method", "path", "body"), RIGHT, ids=named)
def test_a_right_request_has_no_breach(method: str, path: str, body: Any) -> None:
    assert problems(method, path, body) == ""


WRONG_MESSAGES: list[tuple[str, dict[str, Any]]] = [
    ("2001 characters", message(content="x" * 2001)),
    ("an empty message", {"allowed_mentions": QUIET}),
    ("allowed_mentions: missing", {"content": "Hello @everyone"}),
    ("everyone and roles", message(allowed_mentions={"parse": ["everyone"]})),
    ("both listed and parsed", message(allowed_mentions={"parse": ["users"], "users": ["4"]})),
    ("nonce: 26 characters", message(nonce="n" * 26, enforce_nonce=True)),
    ("not enforced", message(nonce="12")),
    ("not for a channel message", message(flags=64)),
    ("Additional properties", message(colour=3)),
    ("11 items", message(embeds=[{"title": "x"}] * 11)),
    ("257 characters", message(embeds=[{"title": "x" * 257}])),
    ("4097 characters", message(embeds=[{"description": "x" * 4097}])),
    ("26 items", message(embeds=[{"fields": [{"name": "n", "value": "v"}] * 26}])),
    ("1025 characters", message(embeds=[{"fields": [{"name": "n", "value": "v" * 1025}]}])),
    ("257 characters", message(embeds=[{"fields": [{"name": "n" * 257, "value": "v"}]}])),
    ("0 characters", message(embeds=[{"fields": [{"name": "n", "value": ""}]}])),
    ("2049 characters", message(embeds=[{"footer": {"text": "x" * 2049}}])),
    ("257 characters", message(embeds=[{"author": {"name": "x" * 257}}])),
    ("6001 characters in all", message(embeds=[{"description": "x" * 3001}, {"description": "x" * 3000}])),
    (
        "map.png is not among",
        message(
            embeds=[{"image": {"url": "attachment://map.png"}}],
            attachments=[{"id": 0, "filename": "board.png"}],
        ),
    ),
    ("11 items", message(attachments=[{"id": n, "filename": f"{n}"} for n in range(11)])),
    ("1025 characters", message(attachments=[{"id": 0, "filename": "a", "description": "x" * 1025}])),
    ("id '0' is there twice", message(attachments=[{"id": 0, "filename": "a"}, {"id": 0, "filename": "b"}])),
    ("6 items", message(components=[row(button(custom_id=f"{n}")) for n in range(6)])),
    ("6 items", message(components=[row(*(button(custom_id=f"{n}") for n in range(6)))])),
    ("0 items", message(components=[row()])),
    ("a select fills its row", message(components=[row(select(), button())])),
    ("only rows", message(components=[{"type": 10, "content": "text"}])),
    ("leave no room", message(flags=1 << 15, components=[{"type": 10, "content": "text"}])),
    ("'ready:1' is there twice", message(components=[row(button()), row(button())])),
    ("81 characters", message(components=[row(button(label="x" * 81))])),
    ("101 characters", message(components=[row(button(custom_id="x" * 101))])),
    ("custom_id: 0 characters", message(components=[row({"type": 2, "style": 1, "label": "x"})])),
    ("without label", message(components=[row(button(label=None))])),
    ("only links have a url", message(components=[row(button(url="https://example.org"))])),
    ("a link has a url", message(components=[row(button(style=5))])),
    (
        "26 items",
        message(components=[row(select(options=[{"label": f"{n}", "value": f"{n}"} for n in range(26)]))]),
    ),
    ("0 items", message(components=[row(select(options=[]))])),
    (
        "value 'x' is there twice",
        message(components=[row(select(options=[{"label": "a", "value": "x"}] * 2))]),
    ),
    ("101 characters", message(components=[row(select(options=[{"label": "x" * 101, "value": "x"}]))])),
    ("101 characters", message(components=[row(select(options=[{"label": "x", "value": "x" * 101}]))])),
    (
        "101 characters",
        message(components=[row(select(options=[{"label": "x", "value": "x", "description": "x" * 101}]))]),
    ),
    ("151 characters", message(components=[row(select(placeholder="x" * 151))])),
    ("asks for up to 3 of 2", message(components=[row(select(max_values=3))])),
    ("takes 2 to 1 values", message(components=[row(select(min_values=2, max_values=1))])),
    (
        "chosen at first",
        message(components=[row(select(options=[{"label": name, "value": name, "default": True} for name in "ab"]))]),
    ),
]


@pytest.mark.parametrize(("problem", "body"), WRONG_MESSAGES, ids=named)
def test_a_wrong_message_is_caught(problem: str, body: dict[str, Any]) -> None:
    assert problem in problems("POST", MESSAGES, body)


def test_answers_of_interactions_are_messages_too() -> None:
    too_long = message(content="x" * 2001)
    for method, path, body in (
        ("POST", CALLBACK, {"type": 4, "data": too_long}),
        ("POST", CALLBACK, {"type": 7, "data": too_long}),
        ("POST", FOLLOWUP, too_long),
        ("PATCH", f"{FOLLOWUP}/messages/@original", too_long),
        ("PATCH", f"{FOLLOWUP}/messages/12", too_long),
        ("PATCH", f"{MESSAGES}/6", too_long),
    ):
        assert "2001 characters" in problems(method, path, body), path


def test_a_deferred_answer_says_nothing_yet() -> None:
    assert "can only say" in problems("POST", CALLBACK, {"type": 5, "data": message()})


WRONG_MODALS: list[tuple[str, dict[str, Any]]] = [
    ("title: 46 characters", modal(label(text_input()), title="x" * 46)),
    ("custom_id: 101 characters", modal(label(text_input()), custom_id="x" * 101)),
    ("0 items", modal()),
    ("6 items", modal(*(label(text_input(custom_id=f"{n}")) for n in range(6)))),
    ("label: 46 characters", modal(label(text_input(), label="x" * 46))),
    ("label: 46 characters", modal(row(text_input(label="x" * 46)))),
    ("description: 101 characters", modal(label(text_input(), description="x" * 101))),
    ("4001 characters", modal(label(text_input(value="x" * 4001)))),
    ("11 characters", modal(label(text_input(value="x" * 11, max_length=10)))),
    ("takes 4000 characters", modal(label(text_input(max_length=4001)))),
    ("placeholder: 101 characters", modal(label(text_input(placeholder="x" * 101)))),
    ("exactly one input", modal(row(text_input(), text_input(custom_id="b")))),
    ("'orders' is there twice", modal(label(text_input()), label(text_input()))),
    ("0 items", modal(label(select(options=[])))),
    ("can be disabled", modal(label(select(disabled=True)))),
]


@pytest.mark.parametrize(("problem", "body"), WRONG_MODALS, ids=named)
def test_a_wrong_modal_is_caught(problem: str, body: dict[str, Any]) -> None:
    assert problem in problems("POST", CALLBACK, body)


@pytest.mark.parametrize(
    ("problem", "choices"),
    [
        ("26 items", [{"name": f"{n}", "value": f"{n}"} for n in range(26)]),
        ("name: 101 characters", [{"name": "x" * 101, "value": "x"}]),
        ("value: 101 characters", [{"name": "x", "value": "x" * 101}]),
        ("name: 0 characters", [{"name": "", "value": "x"}]),
    ],
)
def test_a_wrong_completion_is_caught(problem: str, choices: list[dict[str, str]]) -> None:
    assert problem in problems("POST", CALLBACK, {"type": 8, "data": {"choices": choices}})


def many(count: int) -> list[dict[str, Any]]:
    return [option(f"o{n}") for n in range(count)]


def subcommand(name: str = "enter", **fields: Any) -> dict[str, Any]:
    return {"type": 1, "name": name, "description": "Enter orders", **fields}


def group(*options: dict[str, Any], name: str = "more") -> dict[str, Any]:
    return {"type": 2, "name": name, "description": "More", "options": list(options)}


WRONG_COMMANDS: list[tuple[str, list[dict[str, Any]]]] = [
    ("'Orders' is not", [command("Orders")]),
    ("'set deadline' is not", [command("set deadline")]),
    ("is not 1 to 32", [command("x" * 33)]),
    ("description: 0 characters", [command(description="")]),
    ("description: 101 characters", [command(description="x" * 101)]),
    ("101 commands", [command(f"c{n}") for n in range(101)]),
    ("command 'orders' is there twice", [command(), command()]),
    ("26 items", [command(options=many(26))]),
    ("26 items", [command(options=[subcommand(options=many(26))])]),
    ("26 items", [command(options=[subcommand(f"s{n}") for n in range(26)])]),
    ("required option comes after", [command(options=[option("a"), option("b", required=True)])]),
    (
        "required option comes after",
        [command(options=[subcommand(options=[option("a"), option("b", required=True)])])],
    ),
    ("option 'text' is there twice", [command(options=[option(), option()])]),
    ("are mixed", [command(options=[subcommand(), option()])]),
    ("inside a subcommand", [command(options=[subcommand(options=[subcommand()])])]),
    ("inside another", [command(options=[group(group(subcommand()))])]),
    ("without subcommands", [command(options=[group()])]),
    ("subcommands only", [command(options=[group(option())])]),
    ("26 items", [command(options=[option(choices=[{"name": f"{n}", "value": f"{n}"} for n in range(26)])])]),
    (
        "choice 'x' is there twice",
        [command(options=[option(choices=[{"name": "x", "value": v} for v in "ab"])])],
    ),
    ("101 characters", [command(options=[option(choices=[{"name": "x" * 101, "value": "x"}])])]),
    (
        "exclude each other",
        [command(options=[option(choices=[{"name": "x", "value": "x"}], autocomplete=True)])],
    ),
    ("can be completed", [command(options=[option(type=5, autocomplete=True)])]),
    ("min_length is above", [command(options=[option(min_length=9, max_length=8)])]),
    (
        "in names, descriptions and values",
        [
            command(
                options=[
                    subcommand(f"s{s}", options=[{**o, "description": "x" * 100} for o in many(8)]) for s in range(10)
                ]
            )
        ],
    ),
    ("description: only slash commands", [command("Show orders", type=3)]),
    ("16 commands of type 3", [{"name": f"m{n}", "type": 3} for n in range(16)]),
]


@pytest.mark.parametrize(("problem", "body"), WRONG_COMMANDS, ids=named)
def test_a_wrong_command_is_caught(problem: str, body: list[dict[str, Any]]) -> None:
    assert problem in problems("PUT", COMMANDS, body)


def test_a_single_command_is_checked_like_many() -> None:
    assert "'Orders' is not" in problems("POST", COMMANDS, command("Orders"))
    assert "'Orders' is not" in problems("PATCH", f"{COMMANDS}/3", command("Orders"))


def test_the_document_knows_methods_paths_and_parameters() -> None:
    assert "no such method and path" in problems("POST", "/channels/5/posts", message())
    assert "no such method and path" in problems("PUT", MESSAGES, message())
    assert "unknown query parameter" in problems("POST", FOLLOWUP, message(), later=True)
    assert problems("POST", FOLLOWUP, message(), wait=1) == ""
    assert "a body is required" in problems("POST", MESSAGES, None)
    assert "takes no body" in problems("GET", "/users/@me", {})


def test_a_schema_error_names_the_place() -> None:
    wrong = message(components=[row(button(style=9))])
    assert "components.0.components.0.style" in problems("POST", MESSAGES, wrong)


def test_command_names_may_be_in_any_script_but_not_in_capitals() -> None:
    assert is_command_name("set-deadline")
    assert is_command_name("käsky")
    assert not is_command_name("Käsky")
    assert not is_command_name("")


def test_privileged_intents_are_named() -> None:
    assert check_intents(discord.Intents.all()) == ["members", "presences", "message_content"]
    intents = discord.Intents.default()
    assert check_intents(intents) == []


def test_a_file_above_ten_mebibytes_is_named() -> None:
    size = 10 * 1024 * 1024
    assert check_uploads([{"filename": "map.png", "size": size}]) == []
    assert "map.png" in check_uploads([{"filename": "map.png", "size": size + 1}])[0]
