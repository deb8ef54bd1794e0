"""What the documents tell a reader to type is there: modules, targets of make, settings, fields of a game.

Commands of Discord are compared in tests/bot/test_client.py, and examples of orders in
tests/engine/test_orders_in_guides.py; links, files and rules in tests/test_citations.py.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest

import bot.__main__
import bot.play.command
import engine.cli
from bot.settings import Settings
from engine.core.facts import SystemInfo
from engine.core.orders import Orders
from engine.core.play import Play
from engine.core.sight import Sight
from engine.core.telling import Telling
from engine.registry import systems

ROOT = Path(__file__).parents[1]
PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
}
RECORDS = {"info": SystemInfo, "play": Play, "sight": Sight, "orders": Orders, "telling": Telling}


def found(pattern: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The page and the groups of each match in all pages."""
    for page, text in PAGES.items():
        for match in re.finditer(pattern, text, re.M):
            yield page, match.groups()


def test_every_module_that_is_to_be_run_is_there() -> None:
    named = {module for _, (module,) in found(r"python -m ((?:assets|bot|engine|tests)\b[\w.]*\w)")}
    assert len(named) > 15
    assert [module for module in sorted(named) if find_spec(module) is None] == []


def test_every_target_of_make_is_there() -> None:
    targets = set(re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[0].split())
    named = {target for _, (target,) in found(r"(?:`|^ {4,})make ([a-z]+)\b")}
    assert {"play", "test", "check", "bench"} <= named <= targets


def test_every_setting_is_listed_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", PAGES["docs/hosting.md"], re.M))
    assert rows.keys() == {name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        if field.default_factory is None and field.default is not None:
            default = getattr(field.default, "get_secret_value", lambda default=field.default: default)()
            assert rows[name.upper()].strip("`") == str(default)


def _subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (action,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return dict(action.choices)


PROGRAMS = {
    **{f"python -m bot {name}": parser for name, parser in _subcommands(bot.__main__.make_parser()).items()},
    **{f"python -m engine {name}": parser for name, parser in _subcommands(engine.cli.make_parser()).items()},
    "python -m bot play": bot.play.command.make_parser(),
}


@pytest.mark.parametrize("command", sorted(PROGRAMS))
def test_every_option_of_a_command_line_is_one(command: str) -> None:
    """On the line where the documents name the command, and in the tables of `make play`."""
    options = PROGRAMS[command]._option_string_actions.keys()
    named = {
        option
        for _, (rest,) in found(rf"{re.escape(command)}\b((?:[^`\n]|`(?=\[))*)")
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest.partition("#")[0])
    }
    if command == "python -m bot play":
        rows = re.findall(r"^\| (`--.*?) \|", PAGES["docs/playing.md"], re.M)
        listed = set(re.findall(r"--[a-z-]+", " ".join(rows)))
        assert listed == {option for option in options if option not in ("-h", "--help")}
    assert named <= options


def test_every_command_of_a_program_that_the_documents_name_is_one() -> None:
    named = {f"python -m {program} {name}" for _, (program, name) in found(r"python -m (bot|engine) ([a-z]+)\b")}
    assert len(named) > 10
    assert named <= PROGRAMS.keys()


def test_every_field_of_a_game_that_the_documents_name_is_one() -> None:
    named = {(record, name) for _, (record, name) in found(r"`(info|play|sight|orders|telling)\.(?!py\b)(\w+)")}
    assert len(named) > 15
    assert [each for each in named if each[1] not in {field.name for field in fields(RECORDS[each[0]])}] == []


def test_the_readme_names_every_document() -> None:
    assert [page for page in PAGES if page.startswith("docs/") and f"({page}" not in PAGES["README.md"]] == []


def test_every_option_of_the_rules_is_explained() -> None:
    pages = {"diplomacy": "docs/running-a-game.md"}
    for system, rules in systems.items():
        page = pages.get(system, f"docs/{system}.md")
        assert [each.name for each in rules.info.options if f"`{each.name}`" not in PAGES[page]] == [], page
