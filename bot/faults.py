"""Faults of ours as lines for the log: what kind and where, never the contents, which may be an order."""

from __future__ import annotations

import traceback
from pathlib import Path

from bot.ports import WorkFailed

_ROOT = Path(__file__).parents[1]


def describe_fault(error: BaseException) -> str:
    """The exception's type, and the places in this project that it passed through, innermost first.

    The message is left out: that of a `KeyError` may be somebody's secret. For one from a worker process
    (`bot.workers`) the places are those in the worker.
    """
    if isinstance(fault := getattr(error, "fault", None), str):
        return fault
    if isinstance(error, WorkFailed):
        return f"WorkFailed: {error}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    places = [f"{Path(frame.filename).relative_to(_ROOT)}:{frame.lineno}" for frame in reversed(frames)]
    return f"{type(error).__name__} at {', '.join(places[:4]) or 'an unknown place'}"


def _is_ours(filename: str) -> bool:
    path = Path(filename)
    return path.is_relative_to(_ROOT) and ".venv" not in path.parts
