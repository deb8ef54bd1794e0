"""Which version this is: for the log, and for whoever reports a fault."""

from __future__ import annotations

import platform
from importlib import metadata

from bot.services.course import RULES_VERSION

VERSION = "0.3.0.dev0"
"""The same as in pyproject.toml, which not everybody installs."""


def describe_version() -> str:
    """The versions of the bot, of its rules, and of what it runs on, in one line."""
    running_on = f"Python {platform.python_version()}, discord.py {metadata.version('discord.py')}, {platform.system()}"
    return f"Sealed Orders {VERSION} (rules {RULES_VERSION}), {running_on}"
