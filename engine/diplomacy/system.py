"""Standard Diplomacy as a `GameSystem`: each verb of the protocol, and the module where its rules are."""

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
from engine.diplomacy import adjudicate, check, document, menu, parse, report, scene, sheet, status, suggest
from engine.diplomacy.model import Order, State, View
from engine.diplomacy.rulebook import BY_RULEBOOK, CHOICES

OPTIONS = (
    OptionInfo("rulebook", "datc", phrase("option.rulebook"), choices=("datc", "webdiplomacy", "droidippy")),
    OptionInfo("victory_centres", 18, phrase("option.victory_centres"), least=3, most=34),
    OptionInfo("last_year", 0, phrase("option.last_year"), least=0, most=2100),
    *(OptionInfo(name, BY_RULEBOOK, phrase(f"option.{name}"), choices=values) for name, values in CHOICES.items()),
)


class Diplomacy:
    """The rules of standard Diplomacy. Source: rule book of 2023, and the DATC where that is silent."""

    info = SystemInfo(
        id=SystemId("diplomacy"),
        name="Diplomacy",
        line="Seven powers of Europe in 1901: negotiate, write your orders in secret, hold eighteen centres.",
        seats=(2, 3, 4, 5, 6, 7),
        variants=variant_ids("diplomacy"),
        options=OPTIONS,
        has_secrets=False,
        has_dice=False,
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
        return Dice(state.seed, state.forced_dice).for_phase(state.phase.code)

    def adjudicate(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
        return adjudicate.adjudicate(state, sheets)

    def end(self, state: State, winners: Sequence[PowerId], why: Phrase) -> State:
        return status.end(state, winners, why)

    def view(self, state: State, viewer: PowerId | None) -> View:
        return View(state, viewer)

    def parse(self, text: str, view: View) -> Parsed[Order]:
        return parse.parse(text, view)

    def format(self, order: Order) -> str:
        return parse.format_order(order)

    def subject(self, order: Order) -> str:
        return sheet.subject(order)

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

    def suggest(self, view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
        return suggest.suggest(view, typed, limit=limit)

    def menu(self, view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
        return menu.menu(view, path)

    def legal(self, view: View) -> Mapping[str, tuple[Order, ...]]:
        return suggest.legal(view)

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
        return scene.scene(view, orders=orders, results=results)
