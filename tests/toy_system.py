"""A tiny game that has what Diplomacy lacks: hidden numbers, dice, private events.

Each round the powers bid for a pot (`BID 3`), dig for gold (`DIG`: a die that shows their hidden number finds six) and
may peek (`PEEK green`: tells in private whether the other's number is even). The highest bid of one alone wins the
pot; those who tie at the top owe a tribute to whom they choose (`PAY green`), or lose two to nobody. After every
second round a count passes by itself. Who has twenty wins; who has nothing is out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core.dice import Dice
from engine.core.documents import check_players, checked_document, game_document, options_of
from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import PowerId, SystemId
from engine.core.listed import WhyNot, listed_orders
from engine.core.orders import Advice, ReadOrder
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Catalogue, Phrase, phrase, phrase_from_json, phrase_to_json
from engine.core.play import Over, Play, Resolution, Status
from engine.core.report import Report, Section
from engine.core.sight import Sight
from engine.core.standings import Standings
from engine.core.system import GameSystem
from engine.core.telling import Telling
from engine.core.variant import Power, Variant
from engine.core.viewer import Viewer
from engine.pictures.legend import LegendRow
from engine.pictures.scene import Scene

RED, GREEN, BLUE = PowerId("red"), PowerId("green"), PowerId("blue")
POT = 5
GOAL = 20
VARIANT = Variant(
    system="toy",
    id="standard",
    name="The vault",
    powers={
        RED: Power(RED, "Red", "R"),
        GREEN: Power(GREEN, "Green", "G"),
        BLUE: Power(BLUE, "Blue", "B"),
    },
    spaces={},
    settings={},
)
SUBJECTS = ("BID", "DIG", "PEEK", "PAY")
VERBS = {"bid": ("BID", "DIG", "PEEK"), "tribute": ("PAY",), "count": ()}
CATALOGUE = Catalogue(
    {
        "about.line": "Bid, dig and peek.",
        "toy.title": "round {round}, {kind}",
        "toy.outcome": "{order}",
        "toy.paid": "to {power:name}",
        "toy.dig": "where {power:name} digs",
        "toy.found": "{power:name} digs up gold",
        "toy.number": "the number of {power:name} is {parity}",
        "toy.counted": "{power:name} has {gold}",
        "toy.won": "{power:name} has enough",
        "toy.report": "What happened",
        "toy.board": "The vault",
        "toy.gold_by_round": "Gold by round",
        "toy.gold": "{power:name}: {gold}",
        "toy.own": "your number is {number}",
        "toy.prompt": "What now?",
        "toy.asked": "Choose",
        "toy.all_in": "that is all you have",
        "toy.goal": "You win as soon as you have {gold} gold",
        "toy.example": "`{order}` is a beginning",
        "toy.otherwise": "without an order you bid and give nothing",
        "toy.option": "gold at the start",
        "legend.gold": "{count} gold",
        "error.unknown_verb": "{verb} is no order here",
        "error.bad_argument": "{argument} is not understood",
        "error.wrong_phase": "{verb} is for another phase",
        "error.too_much": "you have only {gold}",
        "error.duplicate": "{order} was ordered already",
    },
    {},
)


@dataclass(frozen=True, slots=True)
class ToyState:
    """Gold is public, `numbers` are each power's own."""

    options: Mapping[str, bool | int | str]
    seed: str
    round: int
    kind: str
    gold: Mapping[PowerId, int]
    numbers: Mapping[PowerId, int]
    debtors: tuple[PowerId, ...] = ()
    over: Over | None = None
    dice: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToyView:
    """What a viewer knows: the gold of all, and their own number alone."""

    viewer: PowerId | None
    round: int
    kind: str
    gold: Mapping[PowerId, int]
    number: int | None
    debtors: tuple[PowerId, ...]
    is_over: bool


@dataclass(frozen=True, slots=True)
class ToyOrder:
    """`BID 3`, `DIG`, `PEEK green`, `PAY green`."""

    verb: str
    argument: str = ""


INFO = SystemInfo(
    id=SystemId("toy"),
    name="The Vault",
    seats=(2, 3),
    kinds=("bid", "tribute", "count"),
    variants=("standard",),
    options=(
        OptionInfo("gold", 8, phrase("toy.option"), least=1, most=15),
        OptionInfo("peeking", True, phrase("toy.option")),
        OptionInfo("mood", "calm", phrase("toy.option"), choices=("calm", "stormy")),
    ),
    has_secrets=True,
    has_dice=True,
    counts_by="round",
)


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> ToyState:
    if variant != VARIANT.id:
        raise DocumentError("variant", f"no variant {variant}")
    check_players(INFO, players)
    chosen = options_of(INFO, VARIANT, options)
    powers = tuple(VARIANT.powers)[:players]
    dice = Dice(seed).for_phase("start")
    return ToyState(
        options=chosen,
        seed=seed,
        round=1,
        kind="bid",
        gold=dict.fromkeys(powers, int(chosen["gold"])),
        numbers={power: dice.roll(power, sides=6) for power in powers},
    )


def load(document: Mapping[str, Any]) -> ToyState:
    game = checked_document(INFO, document)
    try:
        return _load(game)
    except (KeyError, TypeError, ValueError) as error:
        raise DocumentError("state", str(error)) from error


def dump(state: ToyState) -> dict[str, Any]:
    document = game_document(
        INFO,
        VARIANT,
        options=state.options,
        seed=state.seed,
        phase={"round": state.round, "kind": state.kind},
        state={"gold": dict(state.gold), "numbers": dict(state.numbers), "debtors": list(state.debtors)},
        dice=state.dice,
        over=None,  # of a game that has its words in `assets` simply `state.over`
    )
    if state.over is not None:
        document["over"] = {"winners": list(state.over.winners), "why": phrase_to_json(state.over.why)}
    return document


def status(state: ToyState) -> Status:
    return Status(
        code=f"{state.round}{state.kind[0].upper()}",
        title=phrase("toy.title", round=state.round, kind=state.kind),
        kind=state.kind,
        to_act=_to_act(state),
        out=_out(state),
        over=state.over,
    )


def dice_of(state: ToyState) -> Dice:
    return Dice(state.seed, state.dice).for_phase(status(state).code)


def adjudicate(
    state: ToyState, sheets: Mapping[PowerId, Sequence[ToyOrder]], dice: Dice
) -> Resolution[ToyState, ToyOrder]:
    if state.over is not None:
        return Resolution(state, (), ())
    orders = {power: _sheet(state, power, sheets.get(power, ())) for power in _to_act(state)}
    match state.kind:
        case "bid":
            return _bid(state, orders, dice)
        case "tribute":
            return _tribute(state, orders)
        case _:
            return _count(state)


def end(state: ToyState, winners: Sequence[PowerId], why: Phrase) -> ToyState:
    return replace(state, over=Over(tuple(winners), why))


def view_of(state: ToyState, viewer: Viewer) -> ToyView:
    return ToyView(
        viewer=viewer.power,
        round=state.round,
        kind=state.kind,
        gold=state.gold,
        number=state.numbers.get(viewer.power) if viewer.power is not None else None,
        debtors=state.debtors,
        is_over=state.over is not None,
    )


def document_of(view: ToyView) -> Mapping[str, Any]:
    """The document without the numbers of others."""
    own = {} if view.viewer is None or view.number is None else {view.viewer: view.number}
    state = {"gold": dict(view.gold), "numbers": own, "debtors": list(view.debtors)}
    phase_row = {"round": view.round, "kind": view.kind}
    return {"format": 1, "system": "toy", "variant": "standard", "phase": phase_row, "state": state}


def variants(state: ToyState, viewer: Viewer) -> Iterator[ToyState]:
    """The same with other numbers of others: what the tests of secrets vary (`tests/contract/hidden.py`)."""
    for more in (1, 3):
        numbers = {power: (number + more - 1) % 6 + 1 for power, number in state.numbers.items()}
        own = {viewer.power: state.numbers[viewer.power]} if viewer.power in state.numbers else {}
        yield replace(state, numbers=numbers | own)


def read_line(line: str, view: ToyView) -> ToyOrder | WhyNot:
    verb, _, argument = line.partition(" ")
    verb, argument = verb.upper(), " ".join(argument.split()).casefold()
    if verb not in SUBJECTS:
        return WhyNot("unknown_verb", {"verb": line.split()[0]}, VERBS[view.kind][:3])
    if verb == "BID":
        is_right = argument.isascii() and argument.isdigit() and len(argument) < 4
        argument = str(int(argument)) if is_right else argument
    else:
        is_right = argument == "" if verb == "DIG" else argument in view.gold
    return ToyOrder(verb, argument) if is_right else WhyNot("bad_argument", {"argument": argument})


def format_order(order: ToyOrder) -> str:
    return f"{order.verb} {order.argument}".strip()


def objection(view: ToyView, order: ToyOrder) -> WhyNot:
    if order.verb not in legal(view):
        return WhyNot("wrong_phase", {"verb": order.verb})
    if order.verb == "BID":
        return WhyNot("too_much", {"gold": _own_gold(view)})
    return WhyNot("bad_argument", {"argument": order.argument})


def advise(view: ToyView, orders: Sequence[ReadOrder[ToyOrder]]) -> tuple[Advice, ...]:
    everything = str(_own_gold(view))
    return tuple(
        Advice(read.line, phrase("toy.all_in")) for read in orders if read.order == ToyOrder("BID", everything)
    )


def legal(view: ToyView) -> Mapping[str, tuple[ToyOrder, ...]]:
    if view.viewer is None or view.viewer not in view.gold or view.is_over or not _may_act(view):
        return {}
    others = tuple(power for power in view.gold if power != view.viewer)
    arguments: dict[str, Iterable[str]] = {
        "BID": (str(amount) for amount in range(_own_gold(view) + 1)),
        "DIG": ("",),
        "PEEK": others,
        "PAY": others,
    }
    return {verb: tuple(ToyOrder(verb, text) for text in arguments[verb]) for verb in VERBS[view.kind]}


def report(view: ToyView, results: Sequence[OrderResult[ToyOrder]], events: Sequence[Event]) -> Report:
    lines = (*(result.reason for result in results), *(event.what for event in events))
    return Report((Section(phrase("toy.report"), lines),) if lines else ())


def briefing(view: ToyView) -> Report:
    own = () if view.number is None else (phrase("toy.own", number=view.number),)
    return Report((Section(phrase("toy.asked"), (phrase("toy.prompt"), *own)),))


def goal(view: ToyView) -> Phrase:
    return phrase("toy.goal", gold=GOAL)


def examples(view: ToyView) -> tuple[Phrase, ...]:
    return tuple(phrase("toy.example", order=format_order(orders[0])) for orders in legal(view).values())


def text_board(view: ToyView) -> Report:
    own = () if view.number is None else (phrase("toy.own", number=view.number),)
    gold = tuple(phrase("toy.gold", power=power, gold=amount) for power, amount in view.gold.items())
    return Report((Section(phrase("toy.board"), (*gold, *own)),))


def scene(
    view: ToyView,
    *,
    orders: Iterable[ToyOrder] = (),
    results: Sequence[OrderResult[ToyOrder]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    figures = [format_order(order) for order in orders] + [result.text for result in results]
    return Scene(
        system=INFO.id,
        variant="standard",
        title=phrase("toy.title", round=view.round, kind=view.kind),
        caption=phrase("toy.outcome", order="; ".join(figures)),
        legend=tuple(LegendRow(power, (("gold", amount),)) for power, amount in view.gold.items()),
        viewer=view.viewer,
    )


def _load(document: Mapping[str, Any]) -> ToyState:
    state, over = document["state"], document.get("over")
    return ToyState(
        options=options_of(INFO, VARIANT, document.get("options", {})),
        seed=str(document.get("seed", "")),
        round=int(document["phase"]["round"]),
        kind=str(document["phase"]["kind"]),
        gold={PowerId(power): int(gold) for power, gold in state["gold"].items()},
        numbers={PowerId(power): int(number) for power, number in state["numbers"].items()},
        debtors=tuple(PowerId(power) for power in state["debtors"]),
        # In a game that has its words in `assets`, `why_of(over, INFO.id)` instead of `phrase_from_json(over["why"])`.
        over=Over(tuple(map(PowerId, over["winners"])), phrase_from_json(over["why"])) if over else None,
        dice=dict(document.get("dice", {})),
    )


def _out(state: ToyState) -> tuple[PowerId, ...]:
    return tuple(power for power in VARIANT.powers if state.gold.get(power, 0) == 0)


def _to_act(state: ToyState) -> tuple[PowerId, ...]:
    if state.over is not None or state.kind == "count":
        return ()
    if state.kind == "tribute":
        return state.debtors
    return tuple(power for power, gold in state.gold.items() if gold > 0)


def _may_act(view: ToyView) -> bool:
    return view.viewer in view.debtors if view.kind == "tribute" else _own_gold(view) > 0


def _own_gold(view: ToyView) -> int:
    return view.gold.get(view.viewer, 0) if view.viewer is not None else 0


def _sheet(state: ToyState, power: PowerId, orders: Sequence[ToyOrder]) -> dict[str, ToyOrder]:
    """The orders that count, by verb; of several the first in text order, so that their order does not matter."""
    sheet: dict[str, ToyOrder] = {}
    for order in sorted(orders, key=lambda order: (order.verb, order.argument)):
        too_much = order.verb == "BID" and int(order.argument) > state.gold[power]
        if order.verb in VERBS[state.kind] and not too_much:
            sheet.setdefault(order.verb, order)
    return sheet


def _result(power: PowerId, order: ToyOrder, outcome: Outcome, *, is_private: bool = False) -> OrderResult[ToyOrder]:
    text, subject = format_order(order), f"{power}/{order.verb}"
    audience = frozenset({power}) if is_private else None
    return OrderResult(power, order, text, subject, outcome, phrase("toy.outcome", order=text), audience)


def _bid(
    state: ToyState, orders: Mapping[PowerId, Mapping[str, ToyOrder]], dice: Dice
) -> Resolution[ToyState, ToyOrder]:
    gold, results, events = dict(state.gold), [], []
    bids = {power: int(sheet["BID"].argument) if "BID" in sheet else 0 for power, sheet in orders.items()}
    top = max(bids.values(), default=0)
    best = tuple(power for power, bid in bids.items() if bid == top)
    for power, bid in bids.items():
        wins = best == (power,) and top > 0
        gold[power] += (POT if wins else 0) - bid
        results.append(_result(power, ToyOrder("BID", f"{bid}"), Outcome.SUCCEEDS if wins else Outcome.BOUNCES))
    for power, sheet in orders.items():
        if "DIG" in sheet:
            found = dice.roll(f"dig/{power}", sides=6, purpose=phrase("toy.dig", power=power)) == state.numbers[power]
            gold[power] += 6 if found else 0
            results.append(_result(power, sheet["DIG"], Outcome.SUCCEEDS if found else Outcome.VOID, is_private=True))
            if found:
                events.append(Event(phrase("toy.found", power=power)))
        if "PEEK" in sheet:
            other = PowerId(sheet["PEEK"].argument)
            parity = "even" if state.numbers.get(other, 1) % 2 == 0 else "odd"
            results.append(_result(power, sheet["PEEK"], Outcome.SUCCEEDS, is_private=True))
            events.append(Event(phrase("toy.number", power=other, parity=parity), frozenset({power})))
    debtors = tuple(power for power in best if len(best) > 1 and top > 0 and gold[power] > 0)
    after = replace(state, gold=gold, debtors=debtors, kind="tribute" if debtors else _after_tribute(state))
    return _finished(after if debtors else _next_round(after), results, events)


def _tribute(state: ToyState, orders: Mapping[PowerId, Mapping[str, ToyOrder]]) -> Resolution[ToyState, ToyOrder]:
    gold, results = dict(state.gold), []
    for power in state.debtors:
        order = orders.get(power, {}).get("PAY")
        amount = min(1 if order else 2, gold[power])
        gold[power] -= amount
        if order is not None:
            receiver = PowerId(order.argument)
            gold[receiver] = gold.get(receiver, 0) + amount
        results.append(_result(power, order or ToyOrder("PAY", "nobody"), Outcome.SUCCEEDS))
    after = replace(state, gold=gold, debtors=(), kind=_after_tribute(state))
    return _finished(_next_round(after), results, [])


def _count(state: ToyState) -> Resolution[ToyState, ToyOrder]:
    events = [Event(phrase("toy.counted", power=power, gold=amount)) for power, amount in state.gold.items()]
    return _finished(replace(state, kind="bid", round=state.round + 1), [], events)


def _after_tribute(state: ToyState) -> str:
    return "count" if state.round % 2 == 0 else "bid"


def _next_round(state: ToyState) -> ToyState:
    """A count belongs to the round before it."""
    return state if state.kind == "count" else replace(state, round=state.round + 1)


def _finished(
    state: ToyState, results: list[OrderResult[ToyOrder]], events: list[Event]
) -> Resolution[ToyState, ToyOrder]:
    alive = [power for power, gold in state.gold.items() if gold > 0]
    rich = [power for power, gold in state.gold.items() if gold >= GOAL]
    winners = rich or (alive if len(alive) < 2 else [])
    if winners or not alive:
        why = phrase("toy.won", power=winners[0]) if winners else phrase("toy.report")
        state = replace(state, over=Over(tuple(winners), why))
    return Resolution(state, tuple(results), tuple(events))


def standings(view: ToyView) -> Standings:
    return Standings(phrase("toy.gold_by_round"), view.round, dict(view.gold))


TOY: GameSystem[ToyState, ToyView, ToyOrder] = GameSystem(
    info=INFO,
    play=Play(
        start=start,
        load=load,
        dump=dump,
        variant=lambda state: VARIANT,
        status=status,
        dice=dice_of,
        adjudicate=adjudicate,
        end=end,
    ),
    sight=Sight(view=view_of, atlas=lambda view: VARIANT, document=document_of),
    orders=replace(
        listed_orders(
            legal=legal,
            read_line=read_line,
            objection=objection,
            format=format_order,
            subject=lambda order: order.verb,
            prompt=phrase("toy.prompt"),
            otherwise=phrase("toy.otherwise"),
        ),
        advise=advise,
    ),
    telling=Telling(
        report=report,
        briefing=briefing,
        goal=goal,
        examples=examples,
        text_board=text_board,
        scene=scene,
        standings=standings,
    ),
)
"""The game."""
