"""Kregen as a `GameSystem`: each verb of the protocol, and the module where its rules are."""

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
from engine.core.system import (
    Advice,
    Duellist,
    Menu,
    OptionInfo,
    Parsed,
    ReadOrder,
    Request,
    Resolution,
    Status,
    SystemInfo,
)
from engine.core.variant import Variant, variant_ids
from engine.kregen import (
    adjudicate,
    advice,
    check,
    document,
    duelling,
    listing,
    menu,
    parse,
    report,
    scene,
    sheet,
    status,
    suggest,
    view,
)
from engine.kregen.model import Order, State, View, format_order, subject

OPTIONS = (
    OptionInfo("holy_war", True, phrase("option.holy_war")),
    OptionInfo("prophetic", True, phrase("option.prophetic")),
)


class Kregen:
    """The rules of Kregen. Source: Ken St. Andre, Kregen (NAVB edition)."""

    info = SystemInfo(
        id=SystemId("kregen"),
        name="Kregen",
        line="Eight powers around the Eye of the World: heroes and duels, pirates, rivers, fleets that move twice.",
        seats=(2, 3, 4, 5, 6, 7, 8),
        variants=variant_ids("kregen"),
        options=OPTIONS,
        has_secrets=True,
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
        return Dice(state.seed, state.forced_dice).for_phase(status.code(state))

    def adjudicate(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
        return adjudicate.adjudicate(state, sheets, dice)

    def end(self, state: State, winners: Sequence[PowerId], why: Phrase) -> State:
        return status.end(state, winners, why)

    def view(self, state: State, viewer: PowerId | None) -> View:
        return view.view(state, viewer)

    def parse(self, text: str, view: View) -> Parsed[Order]:
        return parse.parse(text, view)

    def format(self, order: Order) -> str:
        return format_order(order)

    def subject(self, order: Order) -> str:
        return subject(order)

    def check(self, view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError, ...]:
        return check.check(view, orders)

    def advise(self, view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
        return advice.advise(view, orders)

    def amend(self, view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
        return sheet.amend(view, standing, new)

    def missing(self, view: View, orders: Sequence[Order]) -> tuple[str, ...]:
        return sheet.missing(view, orders)

    def otherwise(self, view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
        return sheet.otherwise(view, orders)

    def template(self, view: View, orders: Sequence[Order]) -> str:
        return sheet.template(view, orders)

    def default(self, view: View) -> str:
        """The set-up of a power that sends nothing, as canonical lines; "" in other phases."""
        return sheet.default(view)

    def requests(self, view: View, orders: Sequence[Order]) -> tuple[Request, ...]:
        """Whom the orders ask to share or to spare a hero."""
        return sheet.requests(view, orders)

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

    # Ending by consent, duels and prophecies

    def consent_needed(self, state: State) -> int:
        return adjudicate.CONSENTING

    def leaders(self, state: State) -> tuple[PowerId, ...]:
        return adjudicate.leaders(state)

    def duellists(self, view: View, orders: Sequence[Order]) -> tuple[Duellist, ...]:
        return duelling.duellists(view, orders)

    def is_prophecy(self, order: Order) -> bool:
        return sheet.is_prophecy(order)

    def filed(self, view: View) -> tuple[str, ...]:
        return sheet.filed(view)

    def prophecies(self, view: View) -> tuple[str, ...]:
        return listing.prophecies(view)
