"""Playing without Discord: the real bot in a simulated server, for a person at a page, a script, or the computer."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """`python -m bot play`; returns its exit status."""
    # The bot itself runs without the packages that only playing needs.
    try:
        from bot.play.command import main as play
    except ModuleNotFoundError as error:
        if error.name not in ("simcord", "aiohttp"):
            raise
        advice = "make play installs it (or .venv/bin/pip install -r requirements-play.lock)"
        print(f"play: the package {error.name} is missing: {advice}", file=sys.stderr)
        return 2
    return play(argv)
