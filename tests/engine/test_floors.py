"""Games stand on what they share and not on each other: import-linter holds it for every part of the engine."""

import tomllib
from pathlib import Path

import pytest

from engine import systems

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]


INDEPENDENT, LAYERS = (
    next(each for each in CONTRACTS if each["name"].startswith(name)) for name in ("No game imports", "Games stand on")
)
ON_A_FLOOR = {name for layer in LAYERS["layers"] for name in layer.split(" | ")}


@pytest.mark.parametrize("system", sorted(systems))
def test_a_game_is_named_in_the_contract_of_games(system: str) -> None:
    """A new game has a line there; without it, it could import another game unseen."""
    assert f"engine.{system}" in INDEPENDENT["modules"]


def test_every_part_of_the_engine_has_its_floor() -> None:
    parts = {
        path.stem for path in (ROOT / "engine").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {f"engine.{part}" for part in parts - {"__init__", "__main__"}} == ON_A_FLOOR
