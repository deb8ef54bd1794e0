"""King of Kings as a `GameSystem`: each verb of the protocol, and the module where its rules are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import OrderError
from engine.core.events import Event
from engine.core.grid_scene import GridScene
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.core.report import Report
from engine.core.system import (
    Advice,
    Choice,
    Menu,
    Parsed,
    ReadOrder,
    Rehearsal,
    Resolution,
    Status,
    SystemInfo,
    Treaty,
)
from engine.core.variant import Variant, variant_ids
from engine.king_of_kings import (
    adjudicate,
    board,
    check,
    document,
    edits,
    listing,
    menu,
    orders,
    parse,
    ranking,
    report,
    scenario,
    scene,
    sheet,
    status,
    treaties,
)
from engine.king_of_kings import results as entries
from engine.king_of_kings.model import Line, State, View
from engine.king_of_kings.options import OPTIONS
from engine.king_of_kings.tables import SYSTEM

SEATS = tuple(range(2, 15))


class KingOfKings:
    """The rules of King of Kings. Source: fourth edition 2002, version 4.10.2 (Jens Niemann)."""

    info = SystemInfo(
        id=SystemId(SYSTEM),
        name="King of Kings",
        line="Two to fourteen ancient nations on a square map: terrain, tactics, dice battles and an economy.",
        seats=SEATS,
        variants=variant_ids(SYSTEM),
        options=OPTIONS,
        has_secrets=False,
        has_dice=True,
        has_sheets=True,
    )

    def variant(self, state: State) -> Variant:
        return board.variant_of(state)

    def start(self, *, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
        return document.start(self.info, variant=variant, players=players, options=options, seed=seed)

    def start_from(
        self, scenario_: Mapping[str, Any], *, players: int | None, options: Mapping[str, Any], seed: str
    ) -> State:
        return scenario.start_from(self.info, scenario_, players=players, options=options, seed=seed)

    def has_own_map(self, scenario_: Mapping[str, Any]) -> bool:
        return scenario.has_own_map(scenario_)

    def load(self, document_: Mapping[str, Any]) -> State:
        return document.load(self.info, document_)

    def dump(self, state: State) -> dict[str, Any]:
        return document.dump(self.info, state)

    def status(self, state: State) -> Status:
        return status.status(state)

    def dice(self, state: State) -> Dice:
        return Dice(state.seed, rows=state.dice).for_phase(status.code(state))

    def adjudicate(self, state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Dice) -> Resolution[State]:
        return adjudicate.adjudicate(state, sheets, dice)

    def end(self, state: State, winners: Sequence[PowerId], why: Phrase) -> State:
        return ranking.end(state, winners, why)

    def consent_needed(self, state: State) -> int:
        """Everybody's who plays. Source: rules 13 (unanimous vote)."""
        return len(ranking.players(state))

    def leaders(self, state: State) -> tuple[PowerId, ...]:
        return ranking.leaders(state)

    def view(self, state: State, viewer: PowerId | None) -> View:
        return View(state, viewer)

    def parse(self, text: str, view: View) -> Parsed[Line]:
        return parse.parse(text, view)

    def format(self, order: Line) -> str:
        return order.canonical

    def subject(self, order: Line) -> str:
        return orders.subject(order.order)

    def check(self, view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[OrderError, ...]:
        """None: whatever can be read stands in the sheet, and fails, if it does, when it is carried out."""
        return ()

    def advise(self, view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[Advice, ...]:
        return check.advise(view, orders)

    def rehearse(self, view: View, orders: Sequence[ReadOrder[Line]]) -> Rehearsal:
        """What would become of each line if the turn were carried out now."""
        return check.rehearse(view, orders)

    def amend(self, view: View, standing: Sequence[Line], new: Sequence[Line]) -> tuple[Line, ...]:
        return sheet.amend(view, standing, new)

    def missing(self, view: View, orders: Sequence[Line]) -> tuple[str, ...]:
        return sheet.missing(view, orders)

    def otherwise(self, view: View, orders: Sequence[Line]) -> tuple[Phrase, ...]:
        return sheet.otherwise(view, orders)

    def template(self, view: View, orders: Sequence[Line]) -> str:
        return sheet.template(view, orders)

    def suggest(self, view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
        return listing.suggest(view, typed, limit=limit)

    def menu(self, view: View, path: Sequence[str], *, orders: Sequence[Line] = ()) -> Menu:
        return menu.menu(view, path, orders)

    def legal(self, view: View) -> Mapping[str, tuple[Line, ...]]:
        return listing.legal(view)

    def edit_forms(self, state: State) -> tuple[str, ...]:
        return edits.forms(state)

    def edit(self, state: State, text: str) -> State:
        """The same game with a change of its game master: `gold red 12`. Source: rules 15."""
        return edits.edit(self.info, state, text)

    def edit_text(self, text: str) -> str:
        return edits.told(text)

    def edits_told(self, events: Sequence[Event]) -> tuple[str, ...]:
        return tuple(str(event.what.args["what"]) for event in events if event.what.code == edits.TOLD)

    def edit_advice(self, before: State, after: State) -> Phrase | None:
        return edits.advice(before, after)

    def treaty(self, view: View, treaty: Treaty, other: str, what: str) -> str:
        return treaties.order_text(view, treaty, other, what)

    def partners(self, view: View) -> tuple[Choice, ...]:
        return treaties.partners(view)

    def places_to_cede(self, view: View) -> tuple[Choice, ...]:
        return treaties.places_to_cede(view)

    def result_rows(
        self,
        view: View,
        results: Sequence[OrderResult],
        refused: Mapping[PowerId, Sequence[OrderError]],
        say: Callable[[Phrase], str],
    ) -> list[dict[str, Any]]:
        """An entry for each remark on a line. Source: rules 4.2."""
        return entries.result_rows(view.state, results, refused, say)

    def failures(self, results: Sequence[OrderResult]) -> Mapping[PowerId, tuple[OrderError, ...]]:
        """The lines that stood and failed."""
        return entries.failures(results)

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
        orders: Iterable[Line] = (),
        results: Sequence[OrderResult] = (),
        events: Sequence[Event] = (),
    ) -> GridScene:
        return scene.scene(view, orders=orders, results=results, events=events)
