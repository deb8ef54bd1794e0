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
from engine.kalevala.window import Window


def confirm(window: Window) -> None:
    """Land without a trade centre is owned once a man has stood there for one round.

    Source: rules R-083, ruling KA11
    """
    for ruler, rows in window.newly.items():
        for province, gr in list(rows.items()):
            if window.owners.get(province) != ruler:
                rows.pop(province, None)
            elif gr < window.gr:
                is_held = window.centre(province) is not None or window.has_warrior(ruler, province)
                if not is_held:
                    release(window, province)
                    window.tell("lapsed", [ruler], {"gf": province})
                rows.pop(province, None)


def decay(window: Window) -> None:
    """Works that were hit and are not repaired by the next arming date fall apart; their owner is told.

    The treasure of such a temple goes to the stores. Source: rules R-026, ruling KA89
    """
    if window.gr % 2:
        return
    for gf, field in list(window.fields.items()):
        fallen: dict[Province, list[Work]] = {}
        for work in field.works:
            if 0 < work.damaged < window.gr:
                place = place_of(window, gf, work)
                owner = window.owners.get(place) if place is not None else None
                bare = work if place is None or owner is None else emptied(window, owner, place, work)
                window.set_field(gf, works=tuple(each for each in window.land.field(gf).works if each != bare))
                if place is not None and owner is not None:
                    fallen.setdefault(place, []).append(work)
        for place, works in fallen.items():
            _tell_decay(window, place, works)


def _tell_decay(window: Window, place: Province, works: Sequence[Work]) -> None:
    treasure = sum(work.treasure for work in works)
    rows = [{"type": work.type, "at": work.cell or str(work.edge)} for work in works]
    args = {"gf": place, "works": rows, "re": treasure}
    named = [phrase("found.work", work=phrase(f"work.{row['type']}"), place=row["at"]) for row in rows]
    words = "decayed_temple" if treasure else "decayed"
    window.tell("decayed", [window.owners[place]], args, words=words, named=named)


def tell_ledgers(window: Window) -> None:
    """Send each ruler the ledger. Source: rules 10.1, ruling KA324"""
    for ruler, own in window.rulers.items():
        if own.kind not in (MARAUDER, EXPECTED):
            ledger = books.ledger(window, ruler)
            sources = (f"_{source}" for source in ("additional", "slaves") if ledger[source])
            words = "".join(("ledger", *sources))
            if moved := ledger["moved"]:
                books_of = phrase(f"event.{words}", **{name: row for name, row in ledger.items() if name != "upkeep"})
                way = "in" if moved > 0 else "out"
                window.tell("ledger", [ruler], ledger, words=f"ledger_{way}", books=books_of, count=abs(moved))
            else:
                window.tell("ledger", [ruler], ledger, words=words)
