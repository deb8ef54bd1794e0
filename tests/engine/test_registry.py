"""The list of systems."""

from __future__ import annotations

from engine.core.ids import SystemId
from engine.registry import Systems


def test_whether_there_is_a_system_is_known_without_its_rules() -> None:
    """Nothing can be imported for this one."""
    unloaded = Systems({SystemId("nine"): None})
    assert "nine" in unloaded
    assert "ten" not in unloaded
