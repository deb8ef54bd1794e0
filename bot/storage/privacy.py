"""Who may read an SQLite file: the bot's own user and nobody else, since it has everybody's orders and the seeds."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from bot.ports import StorageUnavailable

logger = logging.getLogger(__name__)

_OTHERS = 0o077
"""What others than its owner may do with a file."""


def make_private_folder(folder: Path) -> None:
    """Make a folder for the bot's user alone; an existing one stays as it is.

    Raises:
        StorageUnavailable: it can't be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable(f"the folder {folder} can't be made: {error.strerror}") from error


def make_private_file(path: Path) -> None:
    """Make an empty database file for the bot's user alone, or remove others' access to an existing one.

    The log says which access was removed, and which could not be. SQLite gives the files that it makes next to it
    (`-wal`, `-shm`) the same owner and mode.

    Raises:
        StorageUnavailable: it can't be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StorageUnavailable(f"the file {path} can't be opened: {error.strerror}") from error
    for file in open_to_others(path):
        try:
            file.chmod(file.stat().st_mode & 0o700)
        except OSError as error:
            logger.warning("others on this machine can read %s, and that can't be changed: %s", file, error.strerror)
        else:
            logger.warning("others on this machine could read %s; from now on only the bot's own user can", file)


def open_to_others(path: Path) -> Sequence[Path]:
    """Which of the files of an SQLite database others than their owner can do anything with."""
    if os.name != "posix":
        return ()
    files = (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm")))
    return [file for file in files if file.exists() and file.stat().st_mode & _OTHERS]
