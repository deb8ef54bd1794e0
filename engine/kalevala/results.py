"""Results of lines: from verdicts to results, and from results to JSON. Source: rules 33"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase
from engine.kalevala.agents.orders import (
    OF_AGENTS,
    AgentBack,
    AgentMisdeed,
    AgentMove,
    AgentScout,
    Ransom,
    Release,
    Seize,
)
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts.orders import BearArtefact, LayArtefact, TakeArtefact
from engine.kalevala.caravans.orders import CaravanDissolve, CaravanForm, CaravanMove, CloseLand
from engine.kalevala.culture.orders import Name
from engine.kalevala.gods.orders import (
    OF_GODS,
    OF_MIRACLES,
    GodAppear,
    GodCall,
    GodCarry,
    GodCreate,
    GodEnter,
    GodLearn,
    GodMove,
    GodPass,
    GodSee,
    GodSpeed,
)
from engine.kalevala.kings.orders import (
    KingAbdicate,
    KingCreate,
    KingHeal,
    KingPalace,
    KingPay,
    KingPower,
    KingRansom,
    KingRelease,
)
from engine.kalevala.model import DEEDS_PART, View
from engine.kalevala.orders import (
    Abandon,
    AcceptFief,
    Allow,
    Arm,
    Build,
    Capital,
    Contribute,
    Convert,
    Disembark,
    Embark,
    Enfeoff,
    EnslavePeople,
    Enter,
    Explore,
    Ferry,
    Handover,
    Headquarters,
    Leave,
    Line,
    Move,
    People,
    Repair,
    Sail,
    Settle,
    Spread,
    Tear,
    Watch,
    WorkOn,
    Write,
    part_of_order,
)
from engine.kalevala.planes.orders import MakePortal, Rift, Transfer, Vortex
from engine.kalevala.priests.orders import OF_TEMPLES, Gift, Oracle, Pray
from engine.kalevala.war.plans import (
    Aim,
    BlockOpening,
    Cast,
    Challenge,
    Counter,
    Fire,
    Forced,
    GateOrder,
    Phalanx,
    Placing,
    Planned,
    Prayer,
    Sided,
    Strike,
    UnknownPrayer,
    UnknownSpell,
    Wreck,
)
from engine.kalevala.window import Verdict, Window

OK = "ok"
_WORDS = {
    Outcome.SUCCEEDS: "succeeds",
    Outcome.ALTERED: "changed",
    Outcome.INVALID: "refused",
    Outcome.VOID: "void",
    Outcome.FAILED: "failed",
}


def results_of(window: Window) -> tuple[OrderResult[Line], ...]:
    """One result for each line, by seat and line, for its ruler only."""
    return tuple(
        result_of(ruler, line, window.verdict(ruler, line)) for ruler in window.rulers for line in window.lines(ruler)
    )


def result_of(ruler: PowerId, line: Line, verdict: Verdict) -> OrderResult[Line]:
    """The result of one line, for its ruler."""
    return OrderResult(
        power=ruler,
        order=line,
        text=line.canonical,
        subject=f"{line.number}",
        outcome=verdict.outcome,
        reason=said(verdict, line),
        audience=frozenset((ruler,)),
        codes=tuple(verdict.codes) or (verdict.word or OK,),
    )


def said(verdict: Verdict, line: Line) -> Phrase:
    """A verdict in words: `error.V09`, `warning.W1`, `result.detected`. A step may say `which` of several reasons."""
    args = {**verdict.args, "line": line.number, "written": line.text, "codes": tuple(verdict.codes)}
    which = args.pop("which", "")
    why = verdict.why
    if why is None:
        return Phrase(f"result.{OK}", args)
    kind = type(line.order.what) if isinstance(line.order, Planned) else type(line.order)
    if isinstance(line.order, Planned) and (verdict.outcome is Outcome.VOID or verdict.args.get("is_of_block")):
        kind = BlockOpening  # nothing is wrong with the line: there was no battle, or the block's place is wrong
    closer = _CLOSER.get((why, kind), "")
    if why == "V22" and part_of_order(line.order) == DEEDS_PART:
        closer = _OF_DEEDS
    elif (why, kind, verdict.outcome) == ("V02", BlockOpening, Outcome.VOID):
        closer = _NO_BATTLE
    elif which:
        closer = f"_{which}"
    elif why == "V02" and "free" in verdict.args:
        closer = _TOO_FEW.get(kind, closer)
    return Phrase(f"{_section(why)}.{why}{closer}", args)


_OF_DEEDS = "_deeds"
"""The ending for orders that belong to the window of deeds, in the window of orders."""
_NO_BATTLE = "_peace"
"""The ending for plans of battles that were not fought."""
_TOO_FEW: Mapping[type, str] = {Move: "_few", Enter: "_enter_few"}
"""The ending for figures that aren't there; for a move only if its way is open."""
_OF_OWN_LAND = (Arm, Convert, EnslavePeople, Build, Tear, Repair, Headquarters, WorkOn, Abandon, Capital)
_CLOSER: Mapping[tuple[str, type], str] = {
    **dict.fromkeys(
        (("V02", kind) for kind in _OF_OWN_LAND),
        "_place",
    ),
    **dict.fromkeys((("V07", kind) for kind in (Convert, EnslavePeople, Build, Tear, Repair, WorkOn)), "_limit"),
    ("V09", EnslavePeople): "_slaves",
    ("V02", Explore): "_explore",
    ("V02", Move): "_move",
    ("V02", Disembark): "_land",
    ("V02", Ferry): "_ferry",
    **dict.fromkeys((("V03", kind) for kind in (Sail, Ferry)), "_sea"),
    ("V04", Sail): "_sail",
    ("V04", Ferry): "_ferry",
    **dict.fromkeys((("V05", kind) for kind in (Sail, Embark, Disembark)), "_aboard"),
    ("V05", Move): "_move",
    ("V06", Sail): "_sail",
    ("V06", Embark): "_board",
    ("V06", Ferry): "_ferry",
    ("V06", Enter): "_enter",
    ("W4", Enter): "_swim",
    **dict.fromkeys((("V20", kind) for kind in (Sail, Embark, Ferry)), "_sea"),
    ("V20", Disembark): "_land",
    ("V20", WorkOn): "_way",
    ("V21", WorkOn): "_way",
    ("V15", Explore): "_explore",
    ("V15", Spread): "_spread",
    ("V05", Capital): "_capital",
    ("V08", Capital): "_capital",
    ("V05", Leave): "_leave",
    ("V02", People): "_people",
    ("V20", Abandon): "_abandon",
    ("V20", Convert): "_craft",
    ("V21", Convert): "_headquarters",
    ("V02", Settle): "_settle",
    ("V02", Watch): "_watch",
    ("V02", Enter): "_enter",
    ("V31", Enter): "_enter",
    ("V02", Write): "_letter",
    ("V07", Write): "_letter",
    ("V07", Contribute): "_letter",
    ("V02", Handover): "_handover",
    ("V06", Handover): "_handover",
    ("V07", Handover): "_handover",
    ("V26", Handover): "_handover",
    ("V02", Enfeoff): "_fief",
    ("V07", Enfeoff): "_fief",
    ("V26", Enfeoff): "_fief",
    ("V02", AcceptFief): "_accept",
    **dict.fromkeys((("V31", kind) for kind in (Enfeoff, AcceptFief)), "_fief"),
    ("V02", CaravanMove): "_caravan",
    ("V02", CaravanForm): "_form",
    ("V02", CaravanDissolve): "_dissolve",
    ("V02", CloseLand): "_close",
    ("V02", Name): "_place",
    **dict.fromkeys(((code, Name) for code in ("V07", "V21")), "_name"),
    ("V02", TakeArtefact): "_artefact",
    ("V02", LayArtefact): "_no_artefact",
    ("V02", BearArtefact): "_no_artefact",
    ("V02", Transfer): "_transfer",
    ("V03", Transfer): "_transfer",
    ("V29", Transfer): "_transfer",
    ("V02", MakePortal): "_portal",
    ("V21", MakePortal): "_portal",
    ("V29", MakePortal): "_portal",
    ("V02", Vortex): "_vortex",
    ("V03", Vortex): "_rift",
    ("V07", Vortex): "_rift",
    ("V09", Vortex): "_vortex",
    ("V29", Vortex): "_vortex",
    ("V02", Rift): "_rift",
    ("V03", Rift): "_rift",
    ("V07", Rift): "_rift",
    ("V09", Rift): "_rift",
    ("V29", Rift): "_rift",
    **dict.fromkeys(((code, Enter) for code in ("V07", "V09", "V29")), "_rift"),
    ("V05", CaravanForm): "_caravan",
    ("V05", CaravanDissolve): "_dissolve",
    ("V31", CaravanDissolve): "_dissolve",
    ("V05", CaravanMove): "_caravan_moved",
    ("V22", CaravanMove): "_caravan",
    ("V26", CaravanForm): "_caravan",
    ("V02", AgentMisdeed): "_deed",
    **dict.fromkeys((("detected", kind) for kind in (AgentMisdeed, AgentScout)), "_agent"),
    ("blocked", AgentBack): "_back",
    ("blocked", CaravanMove): "_caravan",
    **dict.fromkeys((("blocked", kind) for kind in (GodMove, GodSee)), "_god"),
    **dict.fromkeys((("V17", kind) for kind in (AgentMisdeed, Vortex, Seize)), "_deed"),
    **dict.fromkeys((("V09", kind) for kind in (AgentMisdeed, AgentMove, AgentScout)), "_agent"),
    ("V02", Seize): "_seize",
    ("V02", Ransom): "_ransom",
    ("V02", Release): "_release",
    **dict.fromkeys(
        (
            (code, kind)
            for code in ("V03", "V04", "V06", "V08", "V13", "V20", "V21", "V27", "V30")
            for kind in OF_AGENTS
        ),
        "_agent",
    ),
    ("V13", Seize): "_seize",
    **dict.fromkeys(
        (
            (code, kind)
            for code in ("V02", "V07", "V08", "V21", "V28", "V29")
            for kind in (KingCreate, KingPalace, KingPay, KingHeal, KingPower, KingAbdicate)
        ),
        "_king",
    ),
    ("V07", KingHeal): "_whole",
    ("V02", KingPower): "_power",
    ("V07", KingPower): "_zeh",
    ("V02", KingRansom): "_kings_ransom",
    ("V02", KingRelease): "_kings_release",
    **dict.fromkeys(((code, kind) for code in ("V02", "V05", "V13", "V14", "V29") for kind in OF_GODS), "_god"),
    **dict.fromkeys((("V28", kind) for kind in OF_MIRACLES), "_miracle"),
    **dict.fromkeys((("V07", kind) for kind in OF_MIRACLES), "_appear"),
    **dict.fromkeys(((code, kind) for code in ("V20", "V21") for kind in (GodPass,)), "_way"),
    **dict.fromkeys((("V02", kind) for kind in (GodSpeed, GodCarry, GodPass)), "_there"),
    ("V26", GodCarry): "_carry",
    ("V02", GodCreate): "_place",
    ("V20", GodCreate): "_weak",
    ("V05", GodCreate): "_weak",
    ("V28", GodLearn): "_ability",
    **dict.fromkeys((("V07", kind) for kind in (GodMove, GodEnter, GodCall)), "_bound"),
    ("V02", GodAppear): "_appear",
    ("V28", GodAppear): "_appear",
    ("V07", GodAppear): "_appear",
    ("V02", GodCall): "_call",
    ("V28", GodCall): "_appear",
    ("V29", GodCall): "_call",
    ("V02", BlockOpening): "_block",
    ("V02", Aim): "_aim",
    ("V20", Aim): "_aim",
    ("V02", Phalanx): "_phalanx",
    ("V20", Phalanx): "_phalanx",
    ("V02", Strike): "_strike",
    ("V02", Sided): "_side",
    ("V02", GateOrder): "_gate",
    ("V02", Fire): "_fire",
    ("V28", Fire): "_fire",
    ("V20", Fire): "_fire",
    **dict.fromkeys((("V02", kind) for kind in (Cast, Counter, Forced)), "_wizard"),
    ("V02", Challenge): "_challenge",
    **dict.fromkeys((("V28", kind) for kind in (Cast, Challenge)), "_wizard"),
    ("V28", Forced): "_triple",
    ("V20", Cast): "_cast",
    ("W5", Cast): "_cast",
    ("V29", Cast): "_cast",
    ("V29", Prayer): "_cast",
    ("V02", Wreck): "_wreck",
    ("V28", Wreck): "_wreck",
    ("V28", UnknownSpell): "_spell",
    ("V28", UnknownPrayer): "_prayer",
    ("V02", Prayer): "_prayer",
    ("V02", Gift): "_temple",
    ("V02", Pray): "_temple",
    ("V02", Oracle): "_oracle",
    ("V04", Oracle): "_oracle",
    ("V07", Pray): "_priest",
    **dict.fromkeys(((code, kind) for code in ("V09", "V21") for kind in OF_TEMPLES), "_temple"),
    ("V06", Placing): "_crew",
    ("V20", Placing): "_placing",
    ("V21", Placing): "_storey",
    ("V07", Arm): "_arm",
    ("V07", Allow): "_permit",
    ("V07", Leave): "_leave",
    ("V20", Begin): "_begin",
    ("V28", Begin): "_begin",
    ("V31", Begin): "_begin",
}
"""The narrower meaning that a code has for an order, if it has one: the ending of its phrase's name."""


def _code_of(reason: Phrase) -> str:
    """The code, or the word, that a verdict's phrase is about."""
    return reason.code.rpartition(".")[2].partition("_")[0]


def _section(why: str) -> str:
    if why[0] == "V":
        return "error"
    return "warning" if why[0] == "W" else "result"


def result_rows(
    view: View,
    results: Iterable[OrderResult[object]],
    refused: Mapping[PowerId, Sequence[OrderError]],
    say: Callable[[Phrase], str],
) -> list[dict[str, Any]]:
    """The results as JSON, one for each line, including those that could not be read. Source: rules 33"""
    rows = [_row(result, say) for result in results]
    for power, errors in refused.items():
        rows += [
            {
                "power": power,
                "line": error.line,
                "order": error.text.strip(),
                "outcome": "refused",
                "why": error.code,
                "codes": [error.code],
                "text": say(error.reason),
            }
            for error in errors
        ]
    seats = {ruler: seat for seat, ruler in enumerate(view.state.rulers)}
    return sorted(rows, key=lambda row: (seats.get(row["power"], len(seats)), row["line"]))


def _row(result: OrderResult[object], say: Callable[[Phrase], str]) -> dict[str, Any]:
    args = result.reason.args
    why = _code_of(result.reason)
    return {
        "power": result.power,
        "line": args["line"],
        "order": args["written"] or result.text,
        "outcome": _WORDS[result.outcome],
        "why": None if why == OK else why,
        "codes": list(args["codes"]),
        "text": say(result.reason),
    }


def failures(results: Iterable[OrderResult[object]]) -> dict[PowerId, tuple[OrderError, ...]]:
    """The lines that were refused, as errors."""
    found: defaultdict[PowerId, list[OrderError]] = defaultdict(list)
    for result in results:
        if result.outcome is Outcome.INVALID:
            found[result.power].append(failure(result))
    return {power: tuple(errors) for power, errors in found.items()}


def failure(result: OrderResult[object]) -> OrderError:
    """A refused line, as an error at its place in the text."""
    args = result.reason.args
    text = str(args["written"]) or result.text
    code = _code_of(result.reason)
    return OrderError(args["line"], 1, len(text) + 1, text, code, args, order=result.text, why=result.reason)
