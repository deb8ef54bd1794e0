"""The rehearsal of one sheet by what its ruler knows: how each line would turn out, what is left. Source: rules 33"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import Advice, Forecast, ReadOrder, Rehearsal
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.kalevala import books, rounds
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, format_figures, price_of, worth
from engine.kalevala.kings.orders import KingAbdicate
from engine.kalevala.model import EXPLORATION_UNITS, ORDERS_PART, View
from engine.kalevala.orders import AcceptFief, Build, Enfeoff, Enter, Explore, Handover, Line, Note, Sail, Settle
from engine.kalevala.planes.facts import RIFT_MONEY, RIFT_ZEH
from engine.kalevala.priests.facts import FREE, ORACLE_PRICES
from engine.kalevala.priests.orders import Oracle
from engine.kalevala.results import OK, said
from engine.kalevala.steps.captivity import palace_of
from engine.kalevala.steps.changing import is_through
from engine.kalevala.steps.entering import OCCUPATION, known_losses, left_in, payments
from engine.kalevala.steps.fleets import drowning
from engine.kalevala.war.plans import BlockOpening, Planned
from engine.kalevala.window import Window

_HANGS_ON_OTHERS = (Enter, Explore, Handover, Enfeoff, AcceptFief, Settle)


def check(view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[OrderError | None, ...]:
    """Nothing is refused yet: whatever can be read stands, and is refused, if it is, when it is carried out."""
    return (None,) * len(orders)


def rehearse(view: View, orders: Sequence[ReadOrder[Line]]) -> Rehearsal:
    """How the viewer's lines would turn out, and the RE left in the end."""
    ruler = view.viewer
    if ruler is None or view.state.over is not None or not view.state.rulers[ruler].may_be_played:
        return Rehearsal(())
    lines = [read.order for read in orders]
    done = rounds.rehearse(view.state, ruler, lines)
    planned = {line.order.block.key for line in lines if isinstance(line.order, Planned)}
    found = [_forecast(done, ruler, line, planned) for line in done.lines(ruler)]
    blocks = {line.number for line in done.lines(ruler) if isinstance(line.order, Planned)}
    # That a block is right is said once, at its head.
    found = [each for each in found if each.level != OK or each.notes or each.line not in blocks]
    left = [phrase("rehearsal.left", money=books.owned_money(done, ruler))]
    if view.state.part == ORDERS_PART:
        scouting = {line.order.ee for line in lines if isinstance(line.order, Explore)}
        if len(scouting | set(view.state.used.get(ruler, ()))) == EXPLORATION_UNITS:
            left.append(phrase("rehearsal.no_units"))
        booked = done.accounts[ruler]
        due, paid = booked.get("due", 0), booked.get("paid", 0)
        left.append(phrase("rehearsal.upkeep", due=due, paid=paid) if due else phrase("rehearsal.no_upkeep"))
        if left_unpaid := booked.get("left"):
            left.append(phrase("rehearsal.unpaid", figures=left_unpaid))
        if unwatched := booked.get("unwatched"):
            left.append(phrase("rehearsal.unwatched", count=unwatched))
        if unpaid := booked.get("priests", 0):
            left.append(phrase("rehearsal.priests", count=unpaid))
        for caravan, figures in booked.get("caravans", ()):
            left.append(phrase("rehearsal.caravan", caravan=caravan, figures=figures))
        for agent, figures in booked.get("agents", ()):
            code = "rehearsal.companions" if figures else "rehearsal.agent"
            left.append(phrase(code, agent=agent, figures=figures))
    return Rehearsal(tuple(found), tuple(left))


def _forecast(done: Window, ruler: PowerId, line: Line, planned: Set[tuple[str, Province]]) -> Forecast:
    """How a line turns out.

    Args:
        planned: the keys of the blocks that have lines.
    """
    verdict = done.verdict(ruler, line)
    is_refused = verdict.outcome is Outcome.INVALID
    level = "error" if is_refused else "warning" if verdict.codes else OK
    return Forecast(
        line=line.number,
        part=None,
        code=verdict.why or OK,
        level=level,
        what=said(verdict, line),
        notes=() if is_refused else (*_notes(done, ruler, line), *_of_block(line, planned)),
        is_likely=not is_refused and isinstance(line.order, _HANGS_ON_OTHERS) and not verdict.codes,
    )


def _notes(done: Window, ruler: PowerId, line: Line) -> Iterator[Phrase]:
    """What a line costs or makes, and on what it depends that no receipt can know."""
    order, cost = line.order, done.costs.get((ruler, line.number), 0)
    if isinstance(order, Build):
        yield phrase("rehearsal.builds", work=phrase(f"work.{order.work}"), cost=cost)
    elif cost:
        yield phrase("rehearsal.costs", cost=cost) if cost > 0 else phrase("rehearsal.brings", money=-cost)
    if isinstance(order, Explore) and any(
        scout.ruler == ruler and scout.line.number == line.number and not scout.is_sure for scout in done.scouts
    ):
        yield phrase("rehearsal.unknown_way")
    if isinstance(order, Oracle) and order.amount < ORACLE_PRICES.get(order.question, 0):
        yield phrase("rehearsal.vague", price=ORACLE_PRICES[order.question])
    if isinstance(order, Enter) and is_through(order.source, order.target):
        yield phrase("rehearsal.through", money=RIFT_MONEY, zeh=RIFT_ZEH)
    if isinstance(order, Enter) and order.kind == OCCUPATION:
        yield from _occupying(done, ruler, line)
    if isinstance(order, Enter) and order.kind == "K":
        yield phrase("rehearsal.may_be_fought")
    if isinstance(order, Enter | Sail):
        yield from _sinking(done, ruler, order.source if isinstance(order, Enter) else order.path[0])
    if isinstance(order, KingAbdicate):
        palace = palace_of(done, ruler)
        yield phrase("rehearsal.abdicates_palace", gf=palace) if palace else phrase("rehearsal.abdicates")
    if isinstance(order, Note) or (isinstance(order, Oracle) and order.question == FREE):
        yield phrase("rehearsal.to_master")


def _of_block(line: Line, planned: Set[tuple[str, Province]]) -> Iterator[Phrase]:
    """That a plan is empty."""
    if isinstance(line.order, BlockOpening) and not line.order.block.is_void and line.order.block.key not in planned:
        yield phrase("rehearsal.no_lines")


def _occupying(done: Window, ruler: PowerId, line: Line) -> Iterator[Phrase]:
    """What an entry pays if it names nothing, and whether others may come to have a claim, too."""
    for target in {each.target for each in done.entering if each.line == line}:
        if done.land.is_sea(target):
            yield phrase("rehearsal.onto_sea")
            return
        paid = next((paid for each, paid in payments(done, ruler, target) if each.line == line), {})
        if not isinstance(line.order, Enter):
            continue
        if paid and line.order.losses is None:
            yield phrase("rehearsal.occupation", figures=format_figures(paid))
        elif paid and _is_too_much(done, ruler, target, paid):
            yield phrase("rehearsal.too_much", due=_due(done, ruler, target), named=worth(paid))
    yield phrase("rehearsal.unless_others")


def _is_too_much(done: Window, ruler: PowerId, target: Province, paid: Figures) -> bool:
    """Whether one of the figures that the only entry into land names as its losses need not fall."""
    entries = [each for each, _ in payments(done, ruler, target)]
    return len(entries) == 1 and worth(paid) - min(map(price_of, paid)) >= _due(done, ruler, target)


def _due(done: Window, ruler: PowerId, target: Province) -> int:
    """What the ruler knows an occupation to cost, in RE."""
    return max((known_losses(done, each) for each, _ in payments(done, ruler, target)), default=0)


def _sinking(done: Window, ruler: PowerId, source: Province) -> Iterator[Phrase]:
    """That something would be lost at sea, if all craft leave it."""
    lost = drowning(done, ruler, left_in(done, ruler, source)) if done.land.is_sea(source) else {}
    if lost:
        yield phrase("rehearsal.sinking", figures=format_figures(lost), place=source)


def advise(view: View, orders: Sequence[ReadOrder[Line]]) -> tuple[Advice, ...]:
    """The errors and warnings of the dry run; the lines stand all the same."""
    found = rehearse(view, orders).lines
    return tuple(Advice(each.line, forecast_words(each), code=each.code) for each in found if each.level != OK)


def forecast_words(forecast: Forecast) -> Phrase:
    """The forecast, marked as the rules mark errors and warnings."""
    return phrase(f"rehearsal.{forecast.level}", code=forecast.code, why=forecast.what)
