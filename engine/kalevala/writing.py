"""Writing a game.json, which `document.load` reads back to an equal state. Default values are left out.

Source: rules 30
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.documents import FORMAT, over_row, streams_to_json
from engine.kalevala.board import variant_of
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import Figures, format_figures
from engine.kalevala.info import SYSTEM
from engine.kalevala.kings.facts import find_in, king_row
from engine.kalevala.model import Given, GreatField, Letter, Ruler, State, TradeCentre, Work
from engine.lattice.great_fields import CELLS

_ROWS = (4, 5, 6, 7, 8, 7, 6, 5)
_DEFAULT = Ruler()
NO_STACKS: Mapping[Province, Figures] = {}


def dump(state: State) -> dict[str, Any]:
    """The document of a game."""
    document = {
        "format": FORMAT,
        "system": SYSTEM,
        "variant": state.variant,
        "options": dict(state.options),
        "seed": state.seed,
        "phase": {"gr": state.gr, "part": state.part},
        "state": position_of(state),
    }
    if state.dice:
        document["dice"] = streams_to_json(state.dice)
    if state.over is not None:
        document["over"] = over_row(variant_of(state), state.over.winners, state.over.why)
    return document


def position_of(state: State) -> dict[str, Any]:
    """The `state` of a document."""
    found: dict[str, Any] = {
        "rulers": {name: ruler_row(ruler, state.stacks.get(name, {})) for name, ruler in state.rulers.items()},
        "gf": {gf: field_row(state.land[gf]) for gf in sorted(state.land, key=order_of)},
        "owners": dict(state.owners),
        "stacks": {
            ruler: {province: format_figures(figures) for province, figures in own.items()}
            for ruler, own in state.stacks.items()
        },
        "explored": {
            ruler: [{"ee": row.ee, "from": row.source, "to": row.target, "result": row.result} for row in rows]
            for ruler, rows in state.explored.items()
        },
        "used": {ruler: list(units) for ruler, units in state.used.items()},
        "known": {ruler: sorted(provinces, key=order_of) for ruler, provinces in state.known.items()},
        "seen": {ruler: dict(rows) for ruler, rows in state.seen.items()},
        "centres": {
            ruler: {gf: _centre_row(centre) for gf, centre in rows.items()} for ruler, rows in state.centres.items()
        },
        "newly": {ruler: dict(rows) for ruler, rows in state.newly.items()},
        "permits": [
            {"of": permit.giver, "to": permit.guest, "gf": permit.where or "ALL", "until": permit.until}
            for permit in state.permits
        ],
        "contested": {province: list(rulers) for province, rulers in state.contested.items()},
        "watch": {ruler: dict(rows) for ruler, rows in state.watch.items()},
        "queue": {
            "letters": [_letter_row(letter) for letter in state.letters],
            "courier": [{"from": piece.writer, "time": piece.time, "text": piece.text} for piece in state.courier],
        },
        **state.modules,
    }
    found["queue"] = {key: rows for key, rows in found["queue"].items() if rows}
    return {key: value for key, value in found.items() if value or key in ("rulers", "gf", "owners", "stacks")}


def ruler_row(ruler: Ruler, stacks: Mapping[Province, Figures] = NO_STACKS) -> dict[str, Any]:
    """A ruler's row, without default values; what the king's figure says is also in the king's row."""
    row: dict[str, Any] = {}
    for key in ("kind", "core", "capital", "people", "protected", "nmr", "silenced", "sham", "loyal_until"):
        value = getattr(ruler, key)
        if value != getattr(_DEFAULT, key):
            row[key] = value
    if ruler.goods != _DEFAULT.goods:
        row["goods"] = list(ruler.goods)
    if ruler.has_left:
        row["left"] = True
    if ruler.was:
        row["was"] = ruler.was
    if ruler.scores:
        row["score"] = list(ruler.scores)
    if ruler.told is not None:
        row["told"] = ruler.told
    if ruler.barred:
        row["barred"] = [[source, target, gr] for (source, target), gr in ruler.barred.items()]
    if ruler.leave:
        row["leave"] = list(ruler.leave)
    if ruler.defend:
        row["defend"] = dict(ruler.defend)
    if ruler.wizard is not None:
        row["wizard"] = {"mortal": ruler.wizard.mortal, "spells": ruler.wizard.spells}
    if ruler.king is not None:
        row["king"] = king_row(ruler.king, find_in(stacks))
    if ruler.god is not None:
        row["god"] = dict(ruler.god)
    if ruler.culture:
        row["culture"] = ruler.culture
    if ruler.is_described:
        row["described"] = True
    if ruler.given != Given():
        row["oeh_gr"] = {"letters": list(ruler.given.letters), "courier": ruler.given.courier}
    return row


def field_row(field: GreatField) -> dict[str, Any]:
    """A great field's row, without empty values."""
    row: dict[str, Any] = {"kf": in_rows(field.cells)}
    if field.rivers:
        row["river"] = [str(edge) for edge in sorted(field.rivers)]
    if field.ascents:
        row["ascent"] = [str(edge) for edge in sorted(field.ascents)]
    if field.flow:
        row["flow"] = {str(cell): field.flow[cell] for cell in sorted(field.flow)}
    if field.has_road:
        row["road"] = True
    if field.portal is not None:
        row["portal"] = field.portal
    if field.names:
        row["names"] = dict(field.names)
    if field.parts is not None:
        row["parts"] = [list(part) for part in field.parts]
    if field.centre is not None:
        row["hz"] = _centre_row(field.centre)
    if field.works:
        row["works"] = [work_row(work) for work in field.works]
    return row


def in_rows(cells: str) -> str:
    """48 letters in the rows of a great field."""
    assert len(cells) == CELLS, "all cells of a field"
    rows, start = [], 0
    for length in _ROWS:
        rows.append(cells[start : start + length])
        start += length
    return " ".join(rows)


def _centre_row(centre: TradeCentre) -> dict[str, Any]:
    row: dict[str, Any] = {"type": centre.type}
    if centre.cell is not None:
        row["kf"] = centre.cell
    if centre.name:
        row["name"] = centre.name
    row["founded"] = centre.is_founded
    if centre.plundered:
        row["plundered"] = centre.plundered
    return row


def work_row(work: Work) -> dict[str, Any]:
    """A work's row, without empty values."""
    row: dict[str, Any] = {"type": work.type}
    if work.cell is not None:
        row["kf"] = work.cell
    if work.edge is not None:
        row["edge"] = str(work.edge)
    if work.gates:
        row["gates"] = [str(edge) for edge in work.gates]
    if work.has_gate:
        row["gate"] = True
    if work.opens is not None:
        row["opens"] = work.opens
    if work.hits:
        row["hits"] = work.hits
    if work.is_headquarters:
        row["ghz"] = True
    if work.is_palace:
        row["palace"] = True
    if work.treasure:
        row["ts"] = work.treasure
    if work.paid is not None:
        row["paid"] = work.paid
    if work.banks:
        row["banks"] = list(work.banks)
    if work.damaged:
        row["damaged"] = work.damaged
    if work.broken:
        row["broken"] = [str(edge) for edge in work.broken]
    if work.is_hard:
        row["hard"] = True
    if work.until:
        row["until"] = work.until
    return row


def _letter_row(letter: Letter) -> dict[str, Any]:
    row = {"from": letter.sender, "to": letter.to, "time": letter.time, "text": letter.text}
    return row if letter.sender == letter.writer else {"of": letter.writer, **row}
