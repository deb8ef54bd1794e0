"""Kregen from document to document: loading, reading orders, adjudicating. Each verb, and where its rules are.

Not yet one of the systems on offer: what shows a game to players (sheets, menus, reports, scenes) and prophetic orders
are still to come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import OrderError
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.system import OptionInfo, Parsed, ReadOrder, Resolution, SystemInfo
from engine.core.variant import Variant, variant_ids
from engine.diplomacy.model import Season
from engine.kregen import adjudicate, check, document, parse
from engine.kregen.model import Order, State, View, format_order

OPTIONS = (OptionInfo("holy_war", True, phrase("option.holy_war")),)


class Kregen:
    """The rules of Kregen. Source: Ken St. Andre, Kregen (NAVB edition)."""

    info = SystemInfo(
        id=SystemId("kregen"),
        name="Kregen",
        line="Eight powers around the Eye of the World: heroes and duels, pirates, rivers, fleets that move twice.",
        seats=(8,),
        variants=variant_ids("kregen"),
        options=OPTIONS,
        has_secrets=False,
        has_dice=True,
    )

    def variant(self, state: State) -> Variant:
        return state.variant

    def start(self, *, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
        return document.start(self.info, variant=variant, players=players, options=options, seed=seed)

    def load(self, document_: Mapping[str, Any]) -> State:
        return document.load(self.info, document_)

    def dump(self, state: State) -> dict[str, Any]:
        return document.dump(self.info, state)

    def dice(self, state: State) -> Dice:
        season = "U" if state.phase.season is Season.SUMMER else state.phase.season[0].upper()
        code = f"{season}{state.phase.year}{state.phase.kind[0].upper()}"
        return Dice(state.seed, state.forced_dice).for_phase(code)

    def adjudicate(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
        return adjudicate.adjudicate(state, sheets, dice)

    def view(self, state: State, viewer: PowerId | None) -> View:
        return View(state, viewer)

    def parse(self, text: str, view: View) -> Parsed[Order]:
        return parse.parse(text, view)

    def format(self, order: Order) -> str:
        return format_order(order)

    def check(self, view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError, ...]:
        return check.check(view, orders)
