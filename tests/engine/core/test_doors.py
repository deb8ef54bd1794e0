"""What a door may not promise."""

from __future__ import annotations

import pytest

from engine.core.doors import Door
from engine.core.facts import DoorInfo, DoorOption
from engine.core.phrases import phrase
from tests.toy_system import ToyOrder, ToyView


def test_a_briefing_has_no_button_that_leads_nowhere() -> None:
    info = DoorInfo(id="stake", family="vault", command="stake", options=(DoorOption(name="gold", is_required=True),))
    with pytest.raises(AssertionError, match="/stake: the button in its briefing leads nowhere"):
        Door[ToyView, ToyOrder](info=info, briefing=lambda view: phrase("toy.prompt"))
