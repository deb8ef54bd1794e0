"""The end of P1: land without a man is lost, damaged works fall apart, the books are closed.

Source: rules 8.1, 10.1, R-026, R-083
"""

from __future__ import annotations

from engine.kalevala import books
from engine.kalevala.model import EXPECTED, MARAUDER
from engine.kalevala.steps.realm import release
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
    """Works that were hit and are not repaired by the next arming date fall apart. Source: rules R-026"""
    if round_.gr % 2:
        return
    for gf, field in list(round_.fields.items()):
        works = tuple(work for work in field.works if not 0 < work.damaged < round_.gr)
        if works != field.works:
            round_.set_field(gf, works=works)


def tell_ledgers(round_: Round) -> None:
    """Send each ruler the ledger. Source: rules 10.1"""
    for ruler, own in round_.rulers.items():
        if own.kind not in (MARAUDER, EXPECTED):
            ledger = books.ledger(round_, ruler)
            round_.tell("ledger", [ruler], ledger, words="ledger_slaves" if ledger["slaves"] else "ledger")
