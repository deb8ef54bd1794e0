"""The three lock files: each holds what its name says and nothing more, with the versions of the widest."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUN, PLAY, DEV = "requirements.lock", "requirements-play.lock", "requirements-dev.lock"
_PIN = re.compile(r"^([a-z0-9._-]+)==([^ ]+)(?: ; [^\\]+)? \\$", re.MULTILINE)


def pins(name: str) -> Mapping[str, str]:
    """The versions in a lock file, by package."""
    return dict(_PIN.findall((ROOT / name).read_text(encoding="utf-8")))


def plain(requirement: str) -> str:
    """The name of a requirement, as lock files write it."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return re.sub(r"[._-]+", "-", match.group()).lower()


def test_each_lock_holds_what_is_needed_for_it_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run = set(map(plain, project["project"]["dependencies"]))
    play = set(map(plain, project["project"]["optional-dependencies"]["play"]))
    dev = set(map(plain, project["dependency-groups"]["dev"]))
    assert run <= pins(RUN).keys()
    assert run | play <= pins(PLAY).keys()
    assert run | play | dev <= pins(DEV).keys()
    assert not {"simcord", *dev} & pins(RUN).keys()
    assert not dev & pins(PLAY).keys()


def test_the_locks_agree() -> None:
    assert pins(RUN).items() <= pins(PLAY).items() <= pins(DEV).items()


@pytest.mark.parametrize("name", [RUN, PLAY, DEV])
def test_every_package_has_its_hashes_and_names_no_place_to_get_it(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) == len(pins(name))
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert "--index" not in text
    assert "--find" not in text
