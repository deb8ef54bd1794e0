"""Feudal Europe as a `GameSystem`: each verb of the protocol, and the module where its rules are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import OrderError
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report
from engine.core.scene import Scene
from engine.core.system import Advice, Menu, OptionInfo, Parsed, ReadOrder, Resolution, Status, SystemInfo
from engine.core.variant import Variant, variant_ids
from engine.feudal import adjudicate, check, document, listing, menu, parse, report, scene, sheet, status, suggest
from engine.feudal.model import SEATS, Order, State, View, format_order, subject

OPTIONS = (
    OptionInfo("magic", False, phrase("option.magic")),
    OptionInfo("start_row", 1, phrase("option.start_row"), least=1, most=2),
    OptionInfo("close_starts", False, phrase("option.close_starts")),
    OptionInfo("victory_centres", 17, phrase("option.victory_centres"), least=1, most=34),
)


class Feudal:
    """The rules of Feudal Europe and its fantasy version. Source: Lewis Pulsipher, Feudal Europe (fn06)."""

    info = SystemInfo(
        id=SystemId("feudal"),
        name="Feudal Europe",
        line="Two to nine lords of 815: castles, knights, a King to lose, nomads and barbarians; wizards, if you like.",
        seats=SEATS,
        variants=variant_ids("feudal"),
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

    def status(self, state: State) -> Status:
        return status.status(state)

    def dice(self, state: State) -> Dice:
        # A barbarian's forced die is a space, which only the drawing of its move understands.
        forced = {label: value for label, value in state.forced_dice.items() if isinstance(value, int)}
        return Dice(state.seed, forced).for_phase(status.code(state))

    def adjudicate(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
        return adjudicate.adjudicate(state, sheets, dice)

    def end(self, state: State, winners: Sequence[PowerId], why: Phrase) -> State:
        return status.end(state, winners, why)

    def view(self, state: State, viewer: PowerId | None) -> View:
        return View(state, viewer)

    def parse(self, text: str, view: View) -> Parsed[Order]:
        return parse.parse(text, view)

    def format(self, order: Order) -> str:
        return format_order(order)

    def subject(self, order: Order) -> str:
        return subject(order)

    def check(self, view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError, ...]:
        return check.check(view, orders)

    def advise(self, view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
        return check.advise(view, orders)

    def amend(self, view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
        return sheet.amend(view, standing, new)

    def missing(self, view: View, orders: Sequence[Order]) -> tuple[str, ...]:
        return sheet.missing(view, orders)

    def otherwise(self, view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
        return sheet.otherwise(view, orders)

    def template(self, view: View, orders: Sequence[Order]) -> str:
        return sheet.template(view, orders)

    def default(self, view: View) -> str:
        """What happens if the viewer sends nothing, as canonical lines; "" where nothing can be told beforehand."""
        return sheet.default(view)

    def suggest(self, view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
        return suggest.suggest(view, typed, limit=limit)

    def menu(self, view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
        return menu.menu(view, path)

    def legal(self, view: View) -> Mapping[str, tuple[Order, ...]]:
        return listing.legal(view)

    def report(self, view: View, results: Sequence[OrderResult], events: Sequence[Event]) -> Report:
        return report.report(view, results, events)

    def briefing(self, view: View) -> Report:
        return report.briefing(view)

    def text_board(self, view: View) -> Report:
        return report.text_board(view)

    def scene(
        self,
        view: View,
        *,
        orders: Iterable[Order] = (),
        results: Sequence[OrderResult] = (),
        events: Sequence[Event] = (),
    ) -> Scene:
        return scene.scene(view, orders=orders, results=results, events=events)
