"""Every text has words, every placeholder its argument, and no words lie about unused."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.model import BallotKind, ClosedBecause, GameStatus, MessageKind, Trouble
from bot.services.notices import KINDS
from bot.text import failure
from bot.text.compose import kinds
from bot.text.custom_ids import Action
from bot.text.gm import REASONS
from engine.computer.levels import Level
from engine.core.variant import load_phrases

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").glob("*.py")])
# Functions that take a code, where it stands among their arguments, and what they put before it.
CODE_TAKERS = {
    "say": (0, ""),
    "plainly": (0, ""),
    "phrase": (0, ""),
    "Phrase": (0, ""),
    "refused": (0, "refused."),
    "refused_with": (1, "refused."),
    "failure_message": (0, "failure."),
    "lobby_message": (0, "lobby."),
    "master_message": (0, "gm."),
    "described": (0, "command."),
    "command": (0, "command."),
}
# Filled in by what the function with that name adds itself.
ADDED = {"lobby_message": {"game"}, "master_message": {"game", "title", "deadline", "left"}}


@cache
def built() -> frozenset[str]:
    """Codes that are put together of parts."""
    return frozenset(
        {
            *(f"notices.{kind}" for kind in KINDS),
            *(f"button.{action}" for action in Action if f"button.{action}" in load_phrases().codes),
            *(f"message.closed_because.{why}" for why in ClosedBecause),
            *(f"lobby.line_{status}" for status in GameStatus),
            *(f"lobby.{code}_{way}" for code in ("leave", "left") for way in ("running", "to_masters", "out")),
            *(f"info.{status}" for status in GameStatus),
            *(f"vote.{kind}_{side}" for kind in BallotKind for side in ("for", "against")),
            *(f"choice.{kind}" for kind in BallotKind),
            *(f"choice.{level.name.lower()}" for level in Level),
            *(f"choice.{view}" for view in ("position", "orders", "results")),
            *(f"length.{unit}" for unit in ("days", "hours", "minutes")),
            *(f"gm.{code}_no_deadline" for code in ("extended", "resumed", "rolled_back")),
            *(
                f"gm.{code}"
                for code in ("extended", "deadline_set", "paused", "resumed", "adjudicated", "rolled_back", "edited")
            ),
            *(f"gm.check_mail.{code}" for code in ("given_up", "waiting", "both")),
            *(f"gm.check_why.{reason}" for reason in ("fault", "discord", *REASONS.values())),
            *(f"message.channel_trouble.{trouble}" for trouble in Trouble if trouble),
            "list.and",
            "list.or",
        }
    )


OWN_TABLES = (
    "message.", "button.", "form.", "receipt.", "guide.", "lobby.", "info.", "vote.", "inspect.", "gm.",
    "rules.", "help.", "inbox.", "command.", "option.", "choice.", "failure.", "choose.", "length.",
    "notices.", "film.",
)  # fmt: skip


@dataclass(frozen=True)
class Use:
    """A code as it stands in the source, with the arguments that are known to be given; `None`: can't be told."""

    where: str
    code: str
    args: frozenset[str] | None


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def uses(path: Path) -> Iterator[Use]:
    for node in nodes(path):
        if isinstance(node, ast.Call):
            yield from _uses_of_call(f"{path.relative_to(ROOT)}:{node.lineno}", node)
        elif isinstance(node, ast.AsyncFunctionDef):
            yield from _uses_of_command(f"{path.relative_to(ROOT)}:{node.lineno}", node)


def _uses_of_call(where: str, call: ast.Call) -> Iterator[Use]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "option_texts":
        for arg in call.args:
            assert isinstance(arg, ast.Constant)
            assert isinstance(arg.value, str)
            parameter, _, code = arg.value.partition("=")
            yield Use(where, f"option.{code or parameter}", frozenset())
        return
    if name not in CODE_TAKERS:
        return
    position, prefix = CODE_TAKERS[name]
    if len(call.args) <= position:
        return
    for code in _codes(call.args[position]):
        yield Use(where, prefix + code, _args(name, call))


def _uses_of_command(where: str, function: ast.AsyncFunctionDef) -> Iterator[Use]:
    """The options of a slash command, each described by `option.<its name>`, or by the code that `texts` gives it."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "command":
            texts = next((keyword.value for keyword in decorator.keywords if keyword.arg == "texts"), None)
            codes = ast.literal_eval(texts) if texts is not None else {}
            for option in function.args.args[2:]:
                yield Use(where, f"option.{codes.get(option.arg, option.arg)}", frozenset())


def _codes(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _codes(node.body)
        yield from _codes(node.orelse)


def _args(name: str, call: ast.Call) -> frozenset[str] | None:
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    given = {keyword.arg for keyword in call.keywords if keyword.arg} | ADDED.get(name, set())
    if name == "Phrase" and len(call.args) > 1:
        if not isinstance(call.args[1], ast.Dict):
            return None
        given |= {str(key.value) for key in call.args[1].keys if isinstance(key, ast.Constant)}
    return frozenset(given)


def placeholders(template: str) -> set[str]:
    return {name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(template) if name}


@cache
def all_uses() -> tuple[Use, ...]:
    return tuple(use for path in SOURCES for use in uses(path))


def test_the_sources_are_read() -> None:
    assert len(all_uses()) > 200


def test_every_code_has_words_and_every_placeholder_its_argument() -> None:
    words = failure.all_words().catalogue
    assert [use for use in all_uses() if use.code not in words.codes] == []
    told = [(use, placeholders(words.template(use.code))) for use in all_uses()]
    assert [use for use, wanted in told if use.args is not None and not wanted <= use.args] == []


def test_codes_that_are_put_together_have_words() -> None:
    assert sorted(built() - set(failure.all_words().catalogue.codes)) == []


def test_no_words_are_left_over() -> None:
    used = {use.code for use in all_uses()} | built() | _literals()

    assert sorted(code for code in load_phrases().codes if code.startswith(OWN_TABLES) and code not in used) == []


def _literals() -> set[str]:
    """Codes that stand in the source as plain strings, chosen first and used later."""
    return {
        node.value
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_kind_of_message_can_be_composed() -> None:
    assert kinds() == frozenset(MessageKind)
