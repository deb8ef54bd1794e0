"""A transcript shows what Discord shows, in its order."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from bot.play import transcript
from bot.play.eyes import Eyes


class OnePicture:
    """A sight in which every file is the same."""

    def file(self, number: int) -> tuple[str, str, bytes]:
        return "map.png", "image/png", b"a picture"


def test_files_stand_above_embeds(tmp_path: Path) -> None:
    (tmp_path / transcript.PICTURES).mkdir()
    file = {"id": "7", "name": "map.png", "alt": "The map", "picture": True}
    embed = {"title": "Orders", "description": "", "fields": [], "thumbnail": None, "image": None, "footer": ""}
    message: dict[str, Any] = {
        "id": "1", "author": {"name": "Bot", "bot": True}, "ephemeral": False, "used": None,
        "at": "2026-11-22T13:00:00", "html": "<p>Here</p>", "embeds": [embed], "files": [file], "rows": [],
    }  # fmt: skip
    page = "".join(transcript._message(message, cast(Eyes, OnePicture()), tmp_path))
    assert page.index("Here") < page.index("The map") < page.index("Orders")
