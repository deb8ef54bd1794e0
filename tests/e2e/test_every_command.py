"""Every command that is registered, used once by the game's master in the channel and once by a player, in direct
messages where it can be: all are answered, and every request is one that Discord takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.play.eyes import Payload
from bot.play.world import Person
from tests.e2e.table import LiveGame, open_table

STABLE = {
    *(f"game {name}" for name in ("create", "join", "leave", "start", "list", "info", "end")),
    *(f"orders {name}" for name in ("enter", "show", "clear", "ready", "unready")),
    *(f"gm {name}" for name in ("start", "extend", "pause", "resume", "adjudicate", "replace", "rollback")),
    "gm set-deadline", "map", "history", "rules", "help",
}  # fmt: skip

VALUES = {
    "system": "diplomacy",
    "name": "Another Table",
    "vote": "draw",
    "by": "12h",
    "at": "2d",
    "phase": "1",
    "text": "A PAR H",
    "power": "Italy",
    "player": "Hanna",
    "seat": "Italy",
    "user": "Hanna",
    "nation": "1",
    "status": "1",
    "gold": "1",
    "place": "1 1",
    "change": "gold Red 1",
    "ruler": "bert",
    "rounds": "1",
    "agent": "1",
    "amount": "2",
    "prisoner": "bert",
    "kind": "Kr",
    "field": "20",
    "means": "RE",
    "captive": "bert",
    "subject": "2D+5",
}

LAST = ("game end", "game leave", "gm rollback", "gm adjudicate", "gm replace")
"""What changes the game under the others' feet comes last."""


async def test_every_command_is_answered_in_the_channel_and_in_direct_messages(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=8, players="7") as table:
        await table.message("france", "A PAR - BUR")
        host, player = table.world.people[0], table.player("france")
        names = {command["name"] for command in table.world.sight(host).commands(table.world.channel.id)}
        assert names >= STABLE
        used = set()
        for person in (player, host):
            commands = {
                command["name"]: (where, command)
                for where in _places(table, person)
                for command in table.world.sight(person).commands(where)
            }
            for name in sorted(commands, key=lambda name: _when(name)):
                used.add(name)
                await _complete(table, person, *commands[name])
                await _use(table, person, *commands[name])
        assert used == names
        assert table.complaints() == []


def _places(table: LiveGame, person: Person) -> Sequence[int]:
    """Where somebody gives commands; what can be given in both places, in the last one."""
    places = [person.dm_channel_id, table.world.channel.id]
    return places if person is table.world.people[0] else places[::-1]


def _when(name: str) -> int:
    return LAST.index(name) + 1 if name in LAST else 0


async def _complete(table: LiveGame, person: Person, where: int, command: Payload) -> None:
    for option in command["options"]:
        for typed in ("", "a", "zzz" * 30) if option["complete"] else ():
            await table.world.complete(person, where, command["name"], option["name"], typed, {})


async def _use(table: LiveGame, person: Person, where: int, command: Payload) -> None:
    required = {option["name"]: VALUES[option["name"]] for option in command["options"] if option["required"]}
    answer = await table.world.slash(person, where, command["name"], required)
    if answer.modal is None:
        assert await table.said(person, answer) or answer.message_ids, f"/{command['name']} says nothing"
