"""How every slash command of a cog is declared: texts from the catalogue, completions, reports of failures."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from discord import app_commands
from discord.ext import commands

from bot.text.catalogue import common_words
from cogs._reply import Interaction, answered
from cogs._transformers import described

C = TypeVar("C", bound=commands.Cog)
P = ParamSpec("P")
CommandCallback = Callable[Concatenate[C, Interaction, P], Coroutine[Any, Any, None]]
Completion = Callable[..., Any]


def command(
    code: str,
    *,
    name: str | None = None,
    texts: Mapping[str, str] | None = None,
    complete: Mapping[str, Completion] | None = None,
) -> Callable[[CommandCallback[C, P]], app_commands.Command[C, P, None]]:
    """A slash command of a cog: it gets its texts from the catalogue, and reports its own failures.

    Args:
        code: of its description, `command.<code>`.
        name: as players write it; `None`: that of the function.
        texts: of options whose words are not `option.<option>`, the codes.
        complete: the completions of options, by option.
    """

    def make(callback: CommandCallback[C, P]) -> app_commands.Command[C, P, None]:
        _, _, *options = signature(callback).parameters
        codes = {option: (texts or {}).get(option, option) for option in options}
        words = {option: common_words().plainly(f"option.{code}") for option, code in codes.items()}
        made = app_commands.command(name=name or callback.__name__, description=described(code))(answered(callback))
        return app_commands.autocomplete(**complete or {})(app_commands.describe(**words)(made))

    return make
