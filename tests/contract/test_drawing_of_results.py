"""Results whose text nobody could read are passed over in pictures, in every game; old records have such texts."""

from __future__ import annotations

import pytest

from engine.core.ids import SystemId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.core.reading import restored
from engine.core.viewer import EVERYBODY
from engine.registry import systems

TEXTS = (
    "A ATLANTIS H",
    "A XXX - YYY",
    "BUILD F XXX",
    "CAST 9 ON A XXX",
    "CHOOSE 1 XXX",
    "CASTLE XXX",
    "capital XXX",
    "duel H XXX 4 kill",
    "…",
    "",
    "WAIVE",
)


@pytest.mark.parametrize("system", systems)
@pytest.mark.parametrize("text", TEXTS)
def test_a_result_that_was_never_an_order_does_not_spoil_the_picture(system: SystemId, text: str) -> None:
    rules = systems[system]
    state = rules.play.start(
        variant=next(iter(rules.info.variants)), players=max(rules.info.seats[:5]), options={}, seed="s"
    )
    power = next(iter(rules.play.variant(state).powers))
    view = rules.sight.view(state, EVERYBODY)
    stored = OrderResult(power, None, text, "XXX", Outcome.INVALID, phrase("error.unreadable"))
    (result,) = restored(rules, view, [stored])
    shown, plain = rules.telling.scene(view, results=[result]), rules.telling.scene(view)
    assert getattr(shown, "arrows", ()) == getattr(plain, "arrows", ())
