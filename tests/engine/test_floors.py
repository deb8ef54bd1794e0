"""Games stand on what they share and not on each other: import-linter holds it for every game that there is."""

import tomllib
from pathlib import Path

import pytest

from engine import systems

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]


@pytest.mark.parametrize("system", sorted(systems))
def test_a_game_is_named_in_the_contracts_of_its_floor(system: str) -> None:
    """A new game has a line in both; without it, it could import another game unseen."""
    package = f"engine.{system}"
    (independent,) = [contract["modules"] for contract in CONTRACTS if contract["name"] == "No game imports another"]
    (layers,) = [contract["layers"] for contract in CONTRACTS if contract["name"].startswith("Games stand on")]
    assert package in independent
    assert package in [name for layer in layers for name in layer.split(" | ")]
