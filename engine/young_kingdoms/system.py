"""The Age of the Young Kingdoms as a `GameSystem`: each verb of the protocol, and the module where its rules are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.dice import Dice
from engine.core.documents import check_players
from engine.core.errors import OrderError
from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId, SystemId, province_of
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report
from engine.core.scene import Hand, Scene
from engine.core.system import (
    Advice,
    CardDeed,
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
from engine.young_kingdoms import (
    adjudicate,
    cards,
    check,
    document,
    hand,
    menu,
    notation,
    parse,
    report,
    scene,
    sheet,
    status,
    suggest,
)
from engine.young_kingdoms.model import Carried, Order, State, View

OPTIONS = (
    OptionInfo("victory_centres", 14, phrase("option.victory_centres"), least=3, most=27),
    OptionInfo("last_year", 0, phrase("option.last_year"), least=0, most=2100),
    OptionInfo("umpire_places_spells", False, phrase("option.umpire_places_spells")),
)


class YoungKingdoms:
    """The rules of the Age of the Young Kingdoms. Source: Kedge and Neuman's variant, and Rulings Y1 onwards."""

    info = SystemInfo(
        id=SystemId("young_kingdoms"),
        name="The Age of the Young Kingdoms",
        line="Six powers of a dying world in 1400: armies and fleets, two sorcerers, ten secret spell cards.",
        seats=(6,),
        variants=variant_ids("young_kingdoms"),
        options=OPTIONS,
        has_secrets=True,
        has_dice=True,
    )

    def variant(self, state: State) -> Variant:
        return state.variant

    def start(self, *, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
        check_players(self.info, players)
        return document.load(self.info, {"variant": variant, "options": options, "seed": seed})

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
        """Without other powers' cards, the hidden ones, and the seed that they were dealt from."""
        own = {(province_of(unit.at), False) for unit in state.units if viewer is not None and unit.power == viewer} | {
            (province_of(row.unit.at), True) for row in state.dislodged if row.unit.power == viewer
        }
        seen = replace(
            state,
            seed="",
            forced_dice={},
            hands={} if viewer is None or not state.hand(viewer) else {viewer: state.hand(viewer)},
            hidden={},
            aside=(),
            carried=tuple(
                Carried(one.at, 0, one.is_dislodged) for one in state.carried if (one.at, one.is_dislodged) in own
            ),
        )
        return View(seen, viewer)

    def parse(self, text: str, view: View) -> Parsed[Order]:
        return parse.parse(text, view)

    def format(self, order: Order) -> str:
        return notation.format_order(order)

    def subject(self, order: Order) -> str:
        return notation.subject(order)

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

    def aside(self, state: State) -> tuple[int, ...]:
        return state.aside

    def hiding_places(self, state: State) -> tuple[ProvinceId, ...]:
        return cards.open_hiding_places(state)

    def hide(self, state: State, place: ProvinceId, card: int) -> State:
        return cards.hide(state, {place: card})

    def hide_as(self, state: State, other: State) -> State:
        return cards.hide_as(state, other)

    def requests(self, view: View, orders: Sequence[Order]) -> tuple[Request, ...]:
        return sheet.requests(view, orders)

    def hand(self, view: View) -> Hand | None:
        return hand.hand(view)

    def card_orders(self, view: View, deed: CardDeed) -> tuple[str, ...]:
        return hand.card_orders(view, deed)

    def card_path(self, view: View, deed: CardDeed) -> tuple[str, ...]:
        return hand.card_path(view, deed)
