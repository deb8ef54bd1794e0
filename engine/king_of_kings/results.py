"""Results of lines: from a turn's remarks to results, and from results to JSON. Source: rules 4.2."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase
from engine.king_of_kings.model import Line, State, View
from engine.king_of_kings.working import Remark, Turn

OK = "ok"
_LEVELS = {"E": "error", "W": "warning"}
_OUTCOMES = {"error": Outcome.INVALID, "warning": Outcome.ALTERED, OK: Outcome.SUCCEEDS}


def level_of(code: str) -> str:
    """`error`, `warning` or `ok`."""
    return _LEVELS.get(code[0], OK)


def results_of(turn: Turn) -> tuple[OrderResult[Line], ...]:
    """An entry for each remark, and one `ok` for each line without any, PASS too (K-80); by nation, line and part."""
    by_line: defaultdict[tuple[PowerId, int], list[Remark]] = defaultdict(list)
    for remark in turn.remarks:
        by_line[remark.nation, remark.line.number if remark.line else 0].append(remark)
    found: list[OrderResult[Line]] = []
    for nation in turn.realms:
        found += _numbered([_result(turn, remark) for remark in by_line[nation, 0]])
        for line in turn.sheets.get(nation, ()):
            remarks = by_line[nation, line.number] or [Remark(nation, line, None, OK, {})]
            found += _numbered([_result(turn, remark) for remark in sorted(remarks, key=lambda r: r.part or 0)])
    return tuple(found)


def _result(turn: Turn, remark: Remark) -> OrderResult[Line]:
    """The result; its reason also says where the units of a move ended, if it was made."""
    line = remark.line
    number = line.number if line else 0
    args = {**remark.args, "line": number, "part": remark.part, "written": line.text if line else ""}
    end = turn.ends.get((remark.nation, number))
    if end is not None:
        args["end"] = turn.grid.name(end)
    return OrderResult(
        power=remark.nation,
        order=line,
        text=line.canonical if line else "",
        subject=f"{number}" if remark.part is None else f"{number}/{remark.part}",
        outcome=_OUTCOMES[level_of(remark.code)],
        reason=said(remark.code, args),
    )


def said(code: str, args: Mapping[str, Any]) -> Phrase:
    """The words of a code: `error.E06`, `warning.W01`, `result.ok`; what is switched off is a building up, or placing
    at sea.
    """
    level = level_of(code)
    where = ".at_sea" if code == "E22" and "troop" in args else ""
    return Phrase(f"{'result' if level == OK else level}{where}.{code}", args)


def _numbered(results: Sequence[OrderResult[Line]]) -> Iterator[OrderResult[Line]]:
    """Unique subjects: that of the second remark on the third line is `3 2`."""
    seen: Counter[str] = Counter()
    for result in results:
        seen[result.subject] += 1
        times = seen[result.subject]
        yield result if times == 1 else result._replace(subject=f"{result.subject} {times}")


def code_of(result: OrderResult[Line]) -> str:
    """The code of a result: `E06`, `ok`."""
    return result.reason.code.rpartition(".")[2]


def line_of_result(result: OrderResult[Line]) -> int:
    """The number of the line that a result is about; 0: none."""
    return int(result.reason.args["line"])


def result_rows(
    view: View,
    results: Iterable[OrderResult[Line]],
    refused: Mapping[PowerId, Sequence[OrderError]],
    say: Callable[[Phrase], str],
) -> list[dict[str, Any]]:
    """The entries of a turn as JSON, one for each remark on a line, including lines that could not be read.

    Source: rules 4.2
    """
    state = view.state
    rows = [_row(state, result, say) for result in results]
    for power, errors in refused.items():
        for error in errors:
            rows.append(
                {
                    "nation": state.nations[power].name,
                    "line": error.line,
                    "part": None,
                    "order": error.text.strip(),
                    "code": error.code,
                    "codes": [error.code],
                    "level": level_of(error.code),
                    "text": say(error.reason),
                }
            )
    number = {nation.name: nation.number for nation in state.nations.values()}
    # Sorting keeps the order of remarks on one line.
    return sorted(rows, key=lambda row: (number[row["nation"]], row["line"], row["part"] or 0))


def in_a_line(row: Mapping[str, Any]) -> str:
    """A row as it is printed."""
    return f"{row['nation']} {row['line']}: {row['order']}: {row['code']} ({row['text']})"


def told(row: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """A row for whoever reads a turn in words: a remark on a line, marked by its level."""
    part = "" if row["part"] is None else f"/{row['part']}"
    who = f"{name(row['nation'].casefold())} {row['line']}{part}"
    order = f" {row['order']}:" if row["order"] else ""
    match row["level"]:
        case "error":
            return f"*{who}:{order} {row['code']} {row['text']}"
        case "warning":
            return f"({who}):{order} {row['code']} {row['text']}"
    return f"{who}:{order} {row['text']}"


def _row(state: State, result: OrderResult[Line], say: Callable[[Phrase], str]) -> dict[str, Any]:
    code = code_of(result)
    return {
        "nation": state.nations[result.power].name,
        "line": result.reason.args["line"],
        "part": result.reason.args["part"],
        "order": result.text,
        "code": code,
        "codes": [code],
        "level": level_of(code),
        "text": say(result.reason),
    }


def failures(results: Iterable[OrderResult[Line]]) -> dict[PowerId, tuple[OrderError, ...]]:
    """The accepted orders that failed, as errors of the lines as they were written."""
    found: defaultdict[PowerId, list[OrderError]] = defaultdict(list)
    for result in results:
        code = code_of(result)
        if level_of(code) == "error":
            found[result.power].append(_failure(result, code))
    return {power: tuple(errors) for power, errors in found.items()}


def _failure(result: OrderResult[Line], code: str) -> OrderError:
    args = result.reason.args
    text = str(args["written"])
    return OrderError(args["line"], 1, len(text) + 1, text, code, args, order=result.text)


def remarks_on(turn: Turn, nation: PowerId, line: Line | None) -> Iterator[Remark]:
    """The remarks on a line of a nation, in order; `None`: those that concern no line."""
    number = line.number if line else 0
    return (
        remark
        for remark in turn.remarks
        if remark.nation == nation and (remark.line.number if remark.line else 0) == number
    )
