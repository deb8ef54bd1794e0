"""A second tiny game, which has what secret games need: fog, no public board, windows and phases at once, blocks,
orders that outlast a phase, letters and a ledger.

A round is `plan` (a window), `scouting` (at once), `war` (a window) and `harvest` (at once). In `plan` a power looks
for peat (`DIG`: a die), scouts a fen (`SCOUT 4`), guards one until it is left (`GUARD 2`, `LEAVE 2`) and writes
letters (`LETTER green "…"`). In `war` it waits (`WAIT`), or raids fens that it has scouted, in blocks:

    RAID 4
      TAKE 2
      BURN
    END

Nobody knows more than their own peat, guards and what they have scouted in this round; everybody is told how many
letters went out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.blocks import SheetLine, in_block, in_blocks, read_lines
from engine.core.dice import Dice
from engine.core.documents import seen_document, streams_of, streams_to_json
from engine.core.errors import DocumentError, OrderError
from engine.core.events import Event, Facts
from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import PowerId, SystemId
from engine.core.orders import (
    Advice,
    Choice,
    Menu,
    Missing,
    Orders,
    Parsed,
    ReadOrder,
    Shortlist,
)
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Catalogue, Phrase, phrase, phrase_from_json, phrase_to_json
from engine.core.play import Over, Play, Resolution, Status
from engine.core.report import Report, Section
from engine.core.shortlists import walked
from engine.core.sight import Sight
from engine.core.system import GameSystem
from engine.core.telling import Telling
from engine.core.variant import Power, Variant
from engine.core.viewer import Master, Viewer
from engine.pictures.legend import LegendRow
from engine.pictures.scene import Scene

RED, GREEN, BLUE = PowerId("red"), PowerId("green"), PowerId("blue")
FENS = 9
PARTS = ("plan", "scouting", "war", "harvest")
WINDOWS = frozenset({"plan", "war"})
VARIANT = Variant(
    system="fens",
    id="standard",
    name="The fens",
    powers={RED: Power(RED, "Red", "R"), GREEN: Power(GREEN, "Green", "G"), BLUE: Power(BLUE, "Blue", "B")},
    spaces={},
    settings={},
)
CATALOGUE = Catalogue(
    {
        "about.line": "Dig, scout and raid in the fog.",
        "fens.title": "round {round}, {part}",
        "fens.done": "{order}",
        "fens.dig": "what {power:name} digs up",
        "fens.dug": "you dug up {peat}",
        "fens.scouted": "fen {fen} is held by {owner:name} with {peat} of peat",
        "fens.nothing": "fen {fen} is empty",
        "fens.raided": "{by:name} raided fen {fen} and took {peat}",
        "fens.letter": "{by:name} writes: {text}",
        "fens.courier": "the courier rode out with {count} letter{count:s}",
        "fens.harvest": "you have {peat} of peat",
        "fens.won": "{power:name} has most peat",
        "fens.told": "What you hear",
        "fens.books": "Your books",
        "fens.peat": "peat: {peat}",
        "fens.guarded": "you guard fen {fen}",
        "fens.asked": "What now?",
        "legend.peat": "{count} peat",
        "fens.goal": "Whoever has most peat after {rounds} round{rounds:s} wins",
        "fens.example": "`{order}` is a beginning",
        "fens.otherwise": "without an order you do nothing",
        "fens.guard_again": "you guard it already",
        "fens.option": "rounds",
        "error.unknown_verb": "{verb} is no order here",
        "error.bad_argument": "{argument} is not understood",
        "error.wrong_phase": "{verb} is for another phase",
        "error.not_scouted": "you have not scouted fen {fen}",
        "error.not_guarded": "you don't guard fen {fen}",
        "error.twice": "that was ordered already",
        "error.block_in_block": "a block in a block",
        "error.block_not_ended": "the block is not ended",
        "error.no_block_to_end": "there is no block to end",
        "error.in_refused_block": "this is left out with its block",
        "error.fault": "a fault",
    },
    {},
)
INFO = SystemInfo(
    id=SystemId("fens"),
    name="The Fens",
    seats=(2, 3),
    kinds=PARTS,
    variants=("standard",),
    options=(OptionInfo("rounds", 3, phrase("fens.option"), least=1, most=9),),
    has_secrets=True,
    has_dice=True,
    counts_by="round",
    has_sheets=True,
    has_public_board=False,
)


@dataclass(frozen=True, slots=True)
class FenState:
    """`homes`: the fen of each power; `seen`: what each has scouted in this round; `mail`: letters to go out."""

    seed: str
    rounds: int
    round: int
    part: str
    peat: Mapping[PowerId, int]
    homes: Mapping[PowerId, int]
    guards: Mapping[PowerId, tuple[int, ...]]
    seen: Mapping[PowerId, tuple[int, ...]]
    scouts: Mapping[PowerId, tuple[int, ...]]
    over: Over | None = None
    dice: Mapping[str, Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class FenView:
    """What a viewer knows: a document, and whose it is."""

    viewer: PowerId | None
    document: Mapping[str, Any]

    @property
    def part(self) -> str:
        """Of the round."""
        return str(self.document["phase"]["part"])

    @property
    def powers(self) -> tuple[PowerId, ...]:
        """Who plays: everybody knows."""
        return tuple(PowerId(power) for power in self.document["state"]["powers"])

    def own(self, key: str) -> tuple[int, ...]:
        """The viewer's fens of a kind."""
        return tuple(self.document["state"][key].get(self.viewer, ()))

    @property
    def may_act(self) -> bool:
        """Whether the viewer may order now."""
        return self.viewer in self.powers and self.part in WINDOWS and self.document.get("over") is None


@dataclass(frozen=True, slots=True)
class FenOrder:
    """`DIG`, `SCOUT 4`, `LETTER green "…"`, or `TAKE 2` in the block `RAID 4`."""

    verb: str
    argument: str = ""
    raid: int | None = None


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> FenState:
    if variant != "standard" or players not in INFO.seats:
        raise DocumentError("variant", f"no variant {variant} for {players}")
    powers = tuple(VARIANT.powers)[:players]
    homes = dict(zip(powers, Dice(seed).for_phase("start").shuffled("homes", range(1, FENS + 1)), strict=False))
    nothing: dict[PowerId, tuple[int, ...]] = dict.fromkeys(powers, ())
    return FenState(
        seed, int(options.get("rounds", 3)), 1, "plan", dict.fromkeys(powers, 10), homes, nothing, nothing, nothing
    )


def load(document: Mapping[str, Any]) -> FenState:
    try:
        state, over = document["state"], document.get("over")
        return FenState(
            seed=str(document.get("seed", "")),
            rounds=int(document.get("options", {}).get("rounds", 3)),
            round=int(document["phase"]["round"]),
            part=str(document["phase"]["part"]),
            peat={PowerId(power): int(peat) for power, peat in state["peat"].items()},
            homes={PowerId(power): int(fen) for power, fen in state["homes"].items()},
            guards=_fens(state["guards"]),
            seen=_fens(state["seen"]),
            scouts=_fens(state["scouts"]),
            over=Over(tuple(map(PowerId, over["winners"])), phrase_from_json(over["why"])) if over else None,
            dice=streams_of(document.get("dice", {}), sides=6) or None,
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise DocumentError("state", str(error)) from error


def _fens(given: Mapping[str, Iterable[int]]) -> dict[PowerId, tuple[int, ...]]:
    return {PowerId(power): tuple(map(int, fens)) for power, fens in given.items()}


def dump(state: FenState) -> dict[str, Any]:
    document: dict[str, Any] = {
        "format": 1,
        "system": "fens",
        "variant": "standard",
        "options": {"rounds": state.rounds},
        "seed": state.seed,
        "phase": {"round": state.round, "part": state.part},
        "state": {
            "powers": list(state.peat),
            "peat": dict(state.peat),
            "homes": dict(state.homes),
            "guards": {power: list(fens) for power, fens in state.guards.items()},
            "seen": {power: list(fens) for power, fens in state.seen.items()},
            "scouts": {power: list(fens) for power, fens in state.scouts.items()},
        },
    }
    if state.over is not None:
        document["over"] = {"winners": list(state.over.winners), "why": phrase_to_json(state.over.why)}
    if state.dice:
        document["dice"] = streams_to_json(state.dice)
    return document


def reduce(state: FenState, viewer: Viewer) -> dict[str, Any]:
    """The one place that keeps a secret: own rows alone, and the homes in fens that were scouted."""
    document = dump(state)
    if isinstance(viewer, Master):
        return document
    position, own = document["state"], viewer.power
    seen = state.seen.get(own, ()) if own is not None else ()
    known = {power for power, fen in state.homes.items() if power == own or fen in seen}
    for key in ("guards", "seen", "scouts"):
        position[key] = {power: row for power, row in position[key].items() if power == own}
    for key in ("peat", "homes"):
        position[key] = {power: value for power, value in position[key].items() if power in known}
    return document


def variants(state: FenState, viewer: Viewer) -> Iterator[FenState]:
    """The same with more peat and other guards of others (`tests/contract/hidden.py`)."""
    own = viewer.power
    seen = state.seen.get(own, ()) if own is not None else ()
    hidden = {power for power, fen in state.homes.items() if power != own and fen not in seen}
    yield replace(state, peat={power: peat + 7 * (power in hidden) for power, peat in state.peat.items()})
    yield replace(state, guards={power: fens if power == own else (9,) for power, fens in state.guards.items()})
    yield replace(state, scouts={power: fens if power == own else (1, 9) for power, fens in state.scouts.items()})


def status(state: FenState) -> Status:
    is_open = state.over is None and state.part in WINDOWS
    return Status(
        code=f"{state.round}{state.part[0].upper()}",
        title=phrase("fens.title", round=state.round, part=state.part),
        kind=state.part,
        to_act=tuple(state.peat) if is_open else (),
        out=tuple(power for power in VARIANT.powers if power not in state.peat),
        over=state.over,
    )


def adjudicate(
    state: FenState, sheets: Mapping[PowerId, Sequence[FenOrder]], dice: Dice
) -> Resolution[FenState, FenOrder]:
    if state.over is not None:
        return Resolution(state, (), ())
    state = replace(state, dice=None)
    orders = {power: _counting(state, power, sheets.get(power, ())) for power in state.peat}
    match state.part:
        case "plan":
            return _plan(state, orders, dice)
        case "scouting":
            return _scouting(state)
        case "war":
            return _war(state, orders)
        case _:
            return _harvest(state)


def _counting(state: FenState, power: PowerId, orders: Sequence[FenOrder]) -> tuple[FenOrder, ...]:
    """The orders that count, each once, in an order that does not depend on how they came."""
    own = state.guards[power], state.seen[power]
    able = dict.fromkeys(order for order in orders if _why_not(order, state.part, *own) is None)
    return tuple(sorted(able, key=format_order))


def _done(power: PowerId, order: FenOrder) -> OrderResult[FenOrder]:
    text = format_order(order)
    return OrderResult(
        power, order, text, text, Outcome.SUCCEEDS, phrase("fens.done", order=text), frozenset({power}), ("ok",)
    )


def _plan(state: FenState, orders: Mapping[PowerId, Sequence[FenOrder]], dice: Dice) -> Resolution[FenState, FenOrder]:
    streams = dice.streams()
    peat, guards, scouts = dict(state.peat), dict(state.guards), dict(state.scouts)
    results, events, letters = [], [], 0
    for power, sheet in orders.items():
        own = frozenset({power})
        for order in sheet:
            results.append(_done(power, order))
            if order.verb == "DIG":
                found = streams.throw(f"dig/{power}", purpose=phrase("fens.dig", power=power)).total
                peat[power] += found
                events.append(Event(phrase("fens.dug", peat=found), own))
            elif order.verb == "SCOUT":
                scouts[power] = (*scouts[power], int(order.argument))
            elif order.verb == "GUARD":
                guards[power] = tuple(sorted({*guards[power], int(order.argument)}))
            elif order.verb == "LEAVE":
                guards[power] = tuple(fen for fen in guards[power] if fen != int(order.argument))
            else:
                to, _, text = order.argument.partition(" ")
                letters += 1
                facts = Facts("letter", {"from": power, "text": text.strip('"')})
                events.append(Event(phrase("fens.letter", by=power, text=text), frozenset({PowerId(to)}), facts))
    if letters:
        events.append(Event(phrase("fens.courier", count=letters)))
    after = replace(state, part="scouting", peat=peat, guards=guards, scouts=scouts)
    return Resolution(after, tuple(results), tuple(events))


def _scouting(state: FenState) -> Resolution[FenState, FenOrder]:
    events = []
    homes = {fen: power for power, fen in state.homes.items()}
    for power, fens in state.scouts.items():
        for fen in fens:
            owner = homes.get(fen)
            what = phrase("fens.nothing", fen=fen)
            if owner is not None:
                what = phrase("fens.scouted", fen=fen, owner=owner, peat=state.peat[owner])
            events.append(Event(what, frozenset({power})))
    nothing: dict[PowerId, tuple[int, ...]] = dict.fromkeys(state.scouts, ())
    return Resolution(replace(state, part="war", seen=state.scouts, scouts=nothing), (), tuple(events))


def _war(state: FenState, orders: Mapping[PowerId, Sequence[FenOrder]]) -> Resolution[FenState, FenOrder]:
    peat, results, events = dict(state.peat), [], []
    homes = {fen: power for power, fen in state.homes.items()}
    for power, sheet in orders.items():
        for order in sheet:
            results.append(_done(power, order))
            owner = homes.get(order.raid or 0)
            if owner in (None, power) or order.verb != "TAKE" or order.raid in state.guards[owner]:
                continue
            taken = min(int(order.argument), peat[owner])
            peat[owner] -= taken
            peat[power] += taken
            what = phrase("fens.raided", by=power, fen=order.raid, peat=taken)
            facts = Facts("raided", {"by": power, "fen": order.raid, "taken": {power: taken}})
            events.append(Event(what, frozenset({power, owner}), facts))
    return Resolution(replace(state, part="harvest", peat=peat), tuple(results), tuple(events))


def _harvest(state: FenState) -> Resolution[FenState, FenOrder]:
    peat = {power: amount + 1 for power, amount in state.peat.items()}
    events = [Event(phrase("fens.harvest", peat=amount), frozenset({power})) for power, amount in peat.items()]
    nothing: dict[PowerId, tuple[int, ...]] = dict.fromkeys(peat, ())
    after = replace(state, part="plan", round=state.round + 1, peat=peat, seen=nothing)
    if state.round >= state.rounds:
        winner = max(peat, key=lambda power: peat[power])
        after = end(after, (winner,), phrase("fens.won", power=winner))
    return Resolution(after, (), tuple(events))


def end(state: FenState, winners: Sequence[PowerId], why: Phrase) -> FenState:
    return replace(state, over=Over(tuple(winners), why))


_PLAN = ("DIG", "SCOUT", "GUARD", "LEAVE", "LETTER")
_RAID = ("TAKE", "BURN", "RAID", "WAIT")


def opens_block(line: str) -> bool:
    words = line.upper().split()
    return len(words) == 2 and words[0] == "RAID" and words[1].isascii() and words[1].isdigit()


def parse(text: str, view: FenView) -> Parsed[FenOrder]:
    lines, errors = read_lines(text, opens_block)
    orders, refused = [], list(errors)
    for line in lines:
        found = _order_of(line, view)
        if isinstance(found, OrderError):
            refused.append(found)
        else:
            orders.append(ReadOrder(found, line.number, line.column, line.end, line.text))
    return Parsed(tuple(orders), tuple(sorted(refused, key=lambda error: error.line)))


def _order_of(line: SheetLine, view: FenView) -> FenOrder | OrderError:
    verb, _, rest = line.content.partition(" ")
    verb, argument = verb.upper(), rest.strip()
    if line.head is not None:
        fen = int(line.head.split()[1])
        if not 1 <= fen <= FENS:
            return line.error("bad_argument", argument=line.head)
        if not line.content:
            return FenOrder("RAID", raid=fen)
        if verb not in ("TAKE", "BURN"):
            return line.error("unknown_verb", verb=verb)
        valid = argument in map(str, range(1, 6)) if verb == "TAKE" else not argument
        return FenOrder(verb, argument, fen) if valid else line.error("bad_argument", argument=argument)
    if verb not in (*_PLAN, "WAIT"):
        return line.error("unknown_verb", verb=verb)
    if verb in ("DIG", "WAIT"):
        valid = not argument
    elif verb == "LETTER":
        to, _, written = argument.partition(" ")
        argument = f"{to.casefold()} {written.strip()}"
        valid = (
            to.casefold() in view.powers and to.casefold() != view.viewer and bool(_QUOTED.fullmatch(written.strip()))
        )
    else:
        valid = argument in map(str, range(1, FENS + 1))
    return FenOrder(verb, argument) if valid else line.error("bad_argument", argument=argument)


_QUOTED = re.compile(r'"[^"]{1,400}"')


def format_order(order: FenOrder) -> str:
    text = f"{order.verb} {order.argument}".strip()
    if order.raid is None:
        return text
    return in_block(f"RAID {order.raid}", "" if order.verb == "RAID" else text)


def read(text: str, view: FenView) -> FenOrder | None:
    return next((found.order for found in parse(text, view).orders), None)


def check(view: FenView, orders: Sequence[ReadOrder[FenOrder]]) -> tuple[OrderError | None, ...]:
    verdicts: list[OrderError | None] = []
    given = set()
    for read in orders:
        order = read.order
        wrong = _why_not(order, view.part if view.may_act else "", view.own("guards"), view.own("seen"))
        if wrong is None and order in given:
            wrong = "twice", {}
        if wrong is None:
            given.add(order)
            verdicts.append(None)
            continue
        code, args = wrong
        verdicts.append(
            OrderError(
                read.line, read.column, read.end, read.text, code, args,
                subject=format_order(order), order=format_order(order),
            )
        )  # fmt: skip
    return tuple(verdicts)


def _why_not(
    order: FenOrder, part: str, guards: Sequence[int], seen: Sequence[int]
) -> tuple[str, dict[str, Any]] | None:
    if order.verb not in (_PLAN if part == "plan" else _RAID if part == "war" else ()):
        return "wrong_phase", {"verb": order.verb}
    if order.verb == "LEAVE" and int(order.argument) not in guards:
        return "not_guarded", {"fen": order.argument}
    if order.raid is not None and order.raid not in seen:
        return "not_scouted", {"fen": order.raid}
    return None


def advise(view: FenView, orders: Sequence[ReadOrder[FenOrder]]) -> tuple[Advice, ...]:
    own = view.own("guards")
    again = (read for read in orders if read.order.verb == "GUARD" and int(read.order.argument) in own)
    return tuple(Advice(read.line, phrase("fens.guard_again"), code="W1") for read in again)


def amend(view: FenView, before: Sequence[FenOrder], new: Sequence[FenOrder]) -> tuple[FenOrder, ...]:
    return tuple(dict.fromkeys((*before, *new)))


def missing(view: FenView, orders: Sequence[FenOrder]) -> tuple[Missing, ...]:
    if not view.may_act:
        return ()
    verb = "DIG" if view.part == "plan" else "WAIT"
    return () if FenOrder(verb) in orders or (verb == "WAIT" and orders) else (Missing(verb, (verb,)),)


def otherwise(view: FenView, orders: Sequence[FenOrder]) -> tuple[Phrase, ...]:
    return (phrase("fens.otherwise"),) if missing(view, orders) else ()


def template(view: FenView, orders: Sequence[FenOrder]) -> str:
    return "\n".join(in_blocks(map(format_order, orders), opens_block))


def legal(view: FenView) -> Mapping[str, tuple[FenOrder, ...]]:
    return {format_order(order): (order,) for orders in _by_verb(view).values() for order in orders}


def _by_verb(view: FenView) -> Mapping[str, tuple[FenOrder, ...]]:
    if not view.may_act:
        return {}
    fens = tuple(map(str, range(1, FENS + 1)))
    if view.part == "war":
        raids = {fen: tuple(FenOrder("TAKE", str(n), fen) for n in range(1, 6)) for fen in view.own("seen")}
        listed = {f"RAID {fen}": (*takes, FenOrder("BURN", raid=fen)) for fen, takes in raids.items()}
        return {"WAIT": (FenOrder("WAIT"),), **listed}
    letters = tuple(FenOrder("LETTER", f'{power} "hello"') for power in view.powers if power != view.viewer)
    return {
        "DIG": (FenOrder("DIG"),),
        "SCOUT": tuple(FenOrder("SCOUT", fen) for fen in fens),
        "GUARD": tuple(FenOrder("GUARD", fen) for fen in fens),
        "LEAVE": tuple(FenOrder("LEAVE", str(fen)) for fen in view.own("guards")),
        "LETTER": letters,
    }


def suggest(view: FenView, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    texts = [format_order(order) for orders in legal(view).values() for order in orders]
    return tuple(text for text in texts if text.casefold().startswith(typed.strip().casefold()))[:limit]


def menu(view: FenView, path: Sequence[str], *, orders: Sequence[FenOrder] = ()) -> Menu:
    listed = {verb: orders for verb, orders in _by_verb(view).items() if orders}
    if path and path[0] in listed:
        texts = [format_order(order) for order in listed[path[0]]]
        if len(path) > 1 and path[1] in texts:
            return Menu(phrase("fens.asked"), (), path[1])
        return Menu(phrase("fens.asked"), tuple(Choice(text, text) for text in texts))
    return Menu(phrase("fens.asked"), tuple(Choice(verb, verb) for verb in listed))


def shortlists(view: FenView, firsts: Collection[str], orders: Sequence[FenOrder]) -> tuple[Shortlist, ...]:
    return walked(lambda path: menu(view, path, orders=orders), firsts, tuple(map(format_order, orders)))


def report(view: FenView, results: Sequence[OrderResult[FenOrder]], events: Sequence[Event]) -> Report:
    lines = (*(result.reason for result in results), *(event.what for event in events))
    return Report((Section(phrase("fens.told"), lines),) if lines else ())


def briefing(view: FenView) -> Report:
    return Report((Section(phrase("fens.asked"), (phrase("fens.asked"), *_books(view))),))


def _books(view: FenView) -> tuple[Phrase, ...]:
    peat = view.document["state"]["peat"].get(view.viewer)
    own = () if peat is None else (phrase("fens.peat", peat=peat),)
    return (*own, *(phrase("fens.guarded", fen=fen) for fen in view.own("guards")))


def ledger(view: FenView) -> Report:
    lines = _books(view)
    return Report((Section(phrase("fens.books"), lines),) if lines else ())


def goal(view: FenView) -> Phrase:
    return phrase("fens.goal", rounds=view.document["options"]["rounds"])


def examples(view: FenView) -> tuple[Phrase, ...]:
    listed = [orders[0] for orders in _by_verb(view).values() if orders]
    return tuple(phrase("fens.example", order=format_order(order)) for order in listed[:5])


def scene(
    view: FenView,
    *,
    orders: Iterable[FenOrder] = (),
    results: Sequence[OrderResult[FenOrder]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    said = [format_order(order) for order in orders] + [result.text for result in results]
    phase, known = view.document["phase"], view.document["state"]["peat"]
    return Scene(
        system=INFO.id,
        variant="standard",
        title=phrase("fens.title", round=phase["round"], part=phase["part"]),
        caption=phrase("fens.done", order="; ".join(said)),
        legend=tuple(LegendRow(PowerId(power), (("peat", amount),)) for power, amount in known.items()),
        viewer=view.viewer,
    )


FEN: GameSystem[FenState, FenView, FenOrder] = GameSystem(
    info=INFO,
    play=Play(
        start=start,
        load=load,
        dump=dump,
        variant=lambda state: VARIANT,
        status=status,
        dice=lambda state: Dice(state.seed, rows=state.dice or {}).for_phase(status(state).code),
        adjudicate=adjudicate,
        end=end,
    ),
    # A View holds nothing but the document that its viewer may have: so nothing can reveal what that leaves out.
    sight=Sight(
        view=lambda state, viewer: FenView(viewer.power, seen_document(reduce(state, viewer))),
        document=lambda view: view.document,
        atlas=lambda view: VARIANT,
    ),
    orders=Orders(
        parse=parse,
        format=format_order,
        subject=format_order,
        read=read,
        check=check,
        advise=advise,
        amend=amend,
        missing=missing,
        otherwise=otherwise,
        template=template,
        suggest=suggest,
        menu=menu,
        shortlists=shortlists,
        legal=legal,
        opens_block=opens_block,
    ),
    telling=Telling(
        report=report,
        briefing=briefing,
        goal=goal,
        examples=examples,
        text_board=ledger,
        scene=scene,
        ledger=ledger,
    ),
)
"""The game."""
