"""The end of P1: land without a man is lost, damaged works fall apart, the books are closed.

Source: rules 8.1, 10.1, R-026, R-083
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.phrases import phrase
from engine.kalevala import books
from engine.kalevala.coordinates import Province
from engine.kalevala.model import EXPECTED, MARAUDER, Work
from engine.kalevala.steps.realm import release
from engine.kalevala.steps.temples import emptied, place_of
from engine.kalevala.working import Round


def confirm(round_: Round) -> None:
    """Land without a trade centre is owned once a man has stood there for one round.

    Source: rules R-083, ruling KA11
    """
    for ruler, rows in round_.newly.items():
        for province, gr in list(rows.items()):
            if round_.owners.get(province) != ruler:
                rows.pop(province, None)
            elif gr < round_.gr:
                is_held = round_.centre(province) is not None or round_.has_warrior(ruler, province)
                if not is_held:
                    release(round_, province)
                    round_.tell("lapsed", [ruler], {"gf": province})
                rows.pop(province, None)


def decay(round_: Round) -> None:
    """Works that were hit and are not repaired by the next arming date fall apart; their owner is told.

    The treasure of such a temple goes to the stores. Source: rules R-026, ruling KA89
    """
    if round_.gr % 2:
        return
    for gf, field in list(round_.fields.items()):
        fallen: dict[Province, list[Work]] = {}
        for work in field.works:
            if 0 < work.damaged < round_.gr:
                place = place_of(round_, gf, work)
                owner = round_.owners.get(place) if place is not None else None
                bare = work if place is None or owner is None else emptied(round_, owner, place, work)
                round_.set_field(gf, works=tuple(each for each in round_.land.field(gf).works if each != bare))
                if place is not None and owner is not None:
                    fallen.setdefault(place, []).append(work)
        for place, works in fallen.items():
            _tell_decay(round_, place, works)


def _tell_decay(round_: Round, place: Province, works: Sequence[Work]) -> None:
    treasure = sum(work.treasure for work in works)
    rows = [{"type": work.type, "at": work.cell or str(work.edge)} for work in works]
    args = {"gf": place, "works": rows, "re": treasure}
    named = [phrase("found.work", work=phrase(f"work.{row['type']}"), place=row["at"]) for row in rows]
    words = "decayed_temple" if treasure else "decayed"
    round_.tell("decayed", [round_.owners[place]], args, words=words, named=named)


def tell_ledgers(round_: Round) -> None:
    """Send each ruler the ledger. Source: rules 10.1, ruling KA324"""
    for ruler, own in round_.rulers.items():
        if own.kind not in (MARAUDER, EXPECTED):
            ledger = books.ledger(round_, ruler)
            sources = (f"_{source}" for source in ("additional", "slaves") if ledger[source])
            words = "".join(("ledger", *sources))
            if moved := ledger["moved"]:
                books_of = phrase(f"event.{words}", **{name: row for name, row in ledger.items() if name != "upkeep"})
                way = "in" if moved > 0 else "out"
                round_.tell("ledger", [ruler], ledger, words=f"ledger_{way}", books=books_of, count=abs(moved))
            else:
                round_.tell("ledger", [ruler], ledger, words=words)
