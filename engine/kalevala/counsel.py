"""What each part of the guided flow works with: what a ruler knows, and whether an order would stand. Rules 32"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.kalevala.land import Land
from engine.kalevala.model import State
from engine.kalevala.orders import Order, Whole
from engine.kalevala.working import Round


@dataclass(frozen=True, slots=True)
class Counsel:
    """What advice to a ruler is based on: only what the ruler knows.

    Args:
        trial: the window with the lines that stand.
        may: whether an order would not be refused together with them.
        say: a label of the catalogue.
    """

    state: State
    land: Land
    ruler: PowerId
    trial: Round
    may: Callable[[Order], bool]
    say: Callable[..., str]

    def tried(self, order: Order, code: str, **args: object) -> Whole:
        """The order with its label, if it would not be refused."""
        if self.may(order):
            yield order, self.say(code, **args).rstrip()  # an order without a target ends in a blank
