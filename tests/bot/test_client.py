"""The client: what it asks of Discord, and the command tree against every limit."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.client import SealedOrdersClient, fingerprint, needed_intents
from engine.registry import systems
from tests.bot.services.world import World
from tests.discord_contract import check_intents, check_requests
from tests.fakes import FakeRenderer

ROOT = Path(__file__).parents[2]
OTHER = ("opt/", "etc/", "lantern ", "cargo ")
"""What the documents write with a slash that is no command of ours: paths, and commands of games that are examples."""


class FakeHttp:
    """Discord's list of commands, and how often it was written."""

    def __init__(self) -> None:
        self.present: list[dict[str, Any]] = []
        self.written = 0

    async def get_global_commands(self, application_id: int) -> list[dict[str, Any]]:
        return self.present

    async def bulk_upsert_global_commands(
        self, application_id: int, payload: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        self.written += 1
        base = {"application_id": str(application_id), "version": "1", "default_member_permissions": None}
        self.present = [
            {**base, **command, "id": str(number)} for number, command in enumerate(reversed(payload), start=50)
        ]
        return self.present


@dataclass
class Made:
    """A client with a Discord that has no commands yet."""

    client: SealedOrdersClient
    http: FakeHttp
    started: list[str] = field(default_factory=list)


@pytest.fixture
async def made() -> AsyncIterator[Made]:
    started: list[str] = []

    async def on_setup() -> None:
        started.append("started")

    client = SealedOrdersClient(World(systems).context, FakeRenderer(), on_setup)
    http = FakeHttp()
    client.http.get_global_commands = http.get_global_commands  # type: ignore[method-assign,assignment]
    client.http.bulk_upsert_global_commands = http.bulk_upsert_global_commands  # type: ignore[method-assign,assignment]
    client._connection.application_id = 1  # set at login
    await client.setup_hook()
    yield Made(client, http, started)
    await client.close()


@dataclass(frozen=True)
class Registration:
    """What the client would send to register its commands."""

    json: Any
    method: str = "PUT"
    path: str = "/applications/1/commands"
    params: dict[str, Any] = field(default_factory=dict)


def test_no_privileged_intent_is_asked_for() -> None:
    assert check_intents(needed_intents()) == []


async def test_the_log_has_no_warnings_about_voice(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(discord.VoiceClient, "warn_nacl", True)
    monkeypatch.setattr(discord.VoiceClient, "warn_dave", True)

    async def on_setup() -> None: ...

    await SealedOrdersClient(World(systems).context, FakeRenderer(), on_setup).close()
    assert "voice" not in caplog.text


async def test_the_application_starts_when_the_commands_are_there(made: Made) -> None:
    assert made.started == ["started"]
    of_all_games = {"game", "orders", "map", "history", "replay", "chronicle", "notices", "rules", "help", "gm"}
    of_some = {"spells", "duel", "prophecy", "ally", "donate", "cede"}
    of_kalevala = {
        "letter",
        "courier",
        "permit",
        "handover",
        "fief",
        "war",
        "agents",
        "god",
        "king",
        "temple",
        "caravan",
        "artefact",
        "culture",
        "begin",
    }
    assert made.client.command_ids.keys() == of_all_games | of_some | of_kalevala


async def test_the_command_tree_keeps_all_limits(made: Made) -> None:
    payload = [command.to_dict(made.client.tree) for command in made.client.tree.get_commands()]

    assert check_requests([Registration(payload)]) == []


async def test_the_stable_names_are_there(made: Made) -> None:
    names = {command.qualified_name for command in made.client.tree.walk_commands()}

    assert names >= {
        *(f"game {name}" for name in ("create", "join", "leave", "start", "list", "info", "end", "vote")),
        *(f"orders {name}" for name in ("enter", "show", "clear", "ready", "unready", "guide")),
        *("map", "history", "replay", "rules", "help"),
        *(f"gm {name}" for name in ("start", "extend", "pause", "resume", "adjudicate", "replace", "rollback")),
        "gm set-deadline",
    }


async def test_documents_and_commands_agree(made: Made) -> None:
    """Every command is in docs/commands.md, and no page names a command or an option that there isn't."""
    options: dict[str, set[str] | None] = {
        command.qualified_name: None
        if isinstance(command, discord.app_commands.Group)
        else {parameter.display_name for parameter in command.parameters}
        for command in made.client.tree.walk_commands()
    }
    listed = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert [name for name, own in options.items() if own is not None and not re.search(rf"`/{name}\b", listed)] == []

    def is_wrong(text: str, page: str) -> bool:
        name = max((known for known in options if f"{text} ".startswith(f"{known} ")), key=len, default=None)
        if name is None:
            return not text.startswith(OTHER)
        rest, own = text.removeprefix(name), options[name]
        named = set(re.findall(r" ([a-z_]+):", rest))
        if page == "commands.md":
            named |= set(re.findall(r"\[([a-z_]+)\]", rest))
        return rest.strip() != "" if own is None else not named <= own

    rules = (ROOT / "assets" / name / "rules.md" for name in systems)
    wrong = [
        (page.name, text)
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *rules]
        for text in re.findall(r"`/([a-z][^`\n]*)`", page.read_text(encoding="utf-8"))
        if is_wrong(text, page.name)
    ]
    assert wrong == []


async def test_commands_are_for_servers_and_direct_messages_of_a_server_install(made: Made) -> None:
    for command in made.client.tree.get_commands():
        payload = command.to_dict(made.client.tree)
        assert (payload["contexts"], payload["integration_types"]) == ([0, 1], [0])


async def test_commands_are_registered_once_and_again_only_when_they_changed(made: Made) -> None:
    assert made.http.written == 1

    await made.client.register_commands()
    assert made.http.written == 1

    made.http.present[0]["description"] = "something else"
    await made.client.register_commands()
    assert made.http.written == 2


async def test_command_mentions_are_links_once_the_ids_are_known(made: Made) -> None:
    number = made.client.command_ids["orders"]

    assert made.client.command_mention("orders enter") == f"</orders enter:{number}>"
    assert made.client.command_mention("unheard of") == "`/unheard of`"


def test_what_discord_adds_to_a_command_changes_nothing() -> None:
    ours = {"name": "map", "description": "d", "type": 1, "options": [{"name": "x", "description": "y", "type": 3}]}
    theirs = {
        **ours, "id": "1", "version": "2", "nsfw": False, "default_member_permissions": None,
        "options": [{"name": "x", "description": "y", "type": 3, "required": False, "name_localizations": None}],
    }  # fmt: skip

    assert fingerprint([ours]) == fingerprint([theirs])
    assert fingerprint([ours]) != fingerprint([{**theirs, "options": []}])


async def test_no_mention_notifies_unless_a_message_says_so(made: Made) -> None:
    allowed = made.client.allowed_mentions

    assert allowed is not None
    assert allowed.to_dict() == discord.AllowedMentions.none().to_dict()
