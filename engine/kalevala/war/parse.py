"""Reading the lines of BATTLE and DEFEND blocks. Source: rules 32.2, R-121"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from engine.core.ids import PowerId
from engine.kalevala.coordinates import parse_province
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.model import View
from engine.kalevala.priests.facts import prayer_named
from engine.kalevala.war.plans import (
    AIMS,
    ALL,
    BEST,
    BLOCKS,
    CAPTURE,
    DEFEND,
    EACH,
    FOE,
    GUARD,
    LAST_ROUND,
    MAX,
    OWN,
    RESERVE,
    ROUND,
    SACK,
    TAKE,
    TO_MYSTIC,
    Aim,
    Band,
    Block,
    Cast,
    Challenge,
    Counter,
    Detail,
    Enslave,
    Fire,
    Flee,
    Forced,
    GateOrder,
    PalaceTaking,
    Phalanx,
    Placing,
    Plan,
    Plunder,
    Prayer,
    Raze,
    Sided,
    Spot,
    Strike,
    UnknownPrayer,
    UnknownSpell,
    Wreck,
    plan_of,
)
from engine.kalevala.wizards.spells import Meant, Spell, spell_named
from engine.lattice.great_fields import Side

PLAN_FORMS: Mapping[str, str] = {
    "BATTLE": "BATTLE 2D+4 VS 2D+5",
    "DEFEND": "DEFEND 2D+4",
    "PLACE": "PLACE 19 4LB G left",
    "GROUP": "GROUP left 4LB",
    "AIM": "AIM left TAKE HZ FROM 2 UNTIL 6",
    "PHALANX": "PHALANX 19 SE",
    "STRIKE": "STRIKE 19",
    "GATE": "GATE 19/SE OPEN KR 4",
    "FIRE": "FIRE 2On KF 19",
    "DESTROY": "DESTROY 2On KR 6",
    "FLEE": "FLEE",
    "SLAVES": "SLAVES",
    "PLUNDER": "PLUNDER RE",
    "RAZE": "RAZE",
    "PALACE": "PALACE SACK",
    "SIDE": "SIDE bert",
    "CAST": "CAST PARALYSE FOE BEST EACH",
    "TRIPLE": "TRIPLE STRENGTHEN",
    "COUNTER": "COUNTER 10",
    "CHALLENGE": "CHALLENGE bert KR 3",
    "PRAYER": "PRAYER BLESS KF 19",
}
"""How the first line of a block and each line in it are written."""
_SECOND_WORDS = frozenset({"BEWEGEN", "VERDOPPELN", "MACHEN"})
"""Second words of German names of spells: `Tiere bewegen`."""
_FIRST_WORDS = frozenset({"FLUSS", "LOKALER", "MOVE", "LOCAL", "DOUBLE"})
"""First words of longer names of spells: `Fluss austrocknen`, `move animals`."""
_SPOT = re.compile(r"(?:(?P<gf>[^:]+):)?(?P<cell>\d{1,2})(?P<level>\+[01])?")
_EDGE_SPOT = re.compile(r"(?:(?P<gf>[^:]+):)?(?P<cell>\d{1,2})/(?P<side>[A-Za-z]{1,2})")
_NAME = re.compile(r"[^\W\d]\w{0,19}")
_HEAD = re.compile(r'(?P<head>(?:BATTLE|DEFEND)\s[^":]*):(?:\s+(?P<rest>.*))?', re.IGNORECASE | re.DOTALL)
_MOST_CELLS = 48


class _NoSuchSpellError(UnreadableLine):
    """The line names a spell that doesn't exist."""


def opens_block(line: str) -> bool:
    """Whether a line opens a block that continues until `END`."""
    words = line.upper().split()
    return len(words) > 1 and words[0] in BLOCKS and words[-1] != "NONE" and split_head(line) is None


def split_head(text: str) -> tuple[str, str] | None:
    """The opening of a block and the line in it, for a text that has both: `BATTLE 2D+4: PLACE 19 4L`."""
    match = _HEAD.fullmatch(text.strip())
    return None if match is None else (match["head"].strip(), (match["rest"] or "").strip())


def read_head(text: str, view: View) -> Block | None:
    """The block that a line opens; `None` if it opens none."""
    words = LineWords(text, view)
    try:
        kind, at = words.word().upper(), words.place()
        against = []
        if kind == DEFEND and words.take("NONE"):
            return Block(kind, at, is_void=True) if words.is_done else None
        if kind in BLOCKS and kind != DEFEND and words.take("VS"):
            against.append(words.place())
            while not words.is_done:
                against.append(words.place())
        return Block(kind, at, tuple(against)) if kind in BLOCKS and words.is_done else None
    except UnreadableLine:
        return None


def read_detail(text: str, view: View) -> Detail | None:
    """The line in a block that a text gives; `None` if it doesn't give one."""
    words = LineWords(text, view)
    verb = words.peek()
    try:
        words.word()
        read = _READERS.get(verb)
        found = None if read is None else read(words)
        return found if words.is_done else None
    except _NoSuchSpellError:
        kind = UnknownPrayer if verb == "PRAYER" else UnknownSpell
        return kind(" ".join(text.split()))
    except UnreadableLine:
        return None


def plan_of_text(at: str, text: str, view: View) -> Plan | None:
    """The plan of a standing defence as a document holds it; lines that can't be read are skipped.

    `None`: there is no such place.
    """
    block = read_head(f"{DEFEND} {at}", view)
    return None if block is None else plan_of(block.at, _details(text, view))


def _details(text: str, view: View) -> Iterator[Detail]:
    for line in text.splitlines():
        found = read_detail(line, view) if line.strip() else None
        if found is not None and not isinstance(found, UnknownSpell):
            yield found


# LineWords of their own


def _spot(words: LineWords) -> Spot:
    match = _SPOT.fullmatch(words.word())
    if match is None or not 1 <= int(match["cell"]) <= _MOST_CELLS:
        raise UnreadableLine
    gf = None
    if match["gf"] is not None:
        gf = parse_province(match["gf"], words.plane)
        if gf is None:
            raise UnreadableLine
    return Spot(int(match["cell"]), gf, match["level"] or "")


def _find_spot(words: LineWords) -> Spot | None:
    return _spot(words) if _SPOT.fullmatch(words.peek()) else None


def _group(words: LineWords) -> str:
    name = words.word().lower()
    if not _NAME.fullmatch(name):
        raise UnreadableLine
    return name


def _round(words: LineWords) -> int:
    number = words.number()
    if number > LAST_ROUND:
        raise UnreadableLine
    return number


# Lines


def _place(words: LineWords) -> Detail:
    spot, figures = _spot(words), words.figures()
    return Placing(spot, figures, _new_group(words) if words.take("G") else "")


def _group_line(words: LineWords) -> Detail:
    return Band(_new_group(words), words.figures())


def _new_group(words: LineWords) -> str:
    """The name of a group: any but that of those who are in none."""
    name = _group(words)
    if name.upper() == ALL:
        raise UnreadableLine
    return name


def _aim(words: LineWords) -> Detail:
    name = _group(words)
    name = ALL if name.upper() == ALL else name
    what = words.word().upper()
    if what not in AIMS:
        raise UnreadableLine
    at, wait, first, last = None, 0, 1, LAST_ROUND
    if what == TAKE and not words.take("HZ"):
        at = _spot(words) if words.take("KF") else _find_spot(words)
    elif what == GUARD:
        words.take("KF")
        at = _find_spot(words)
    elif what == RESERVE:
        wait = _round(words)
    if words.take("FROM"):
        first = _round(words)
    if words.take("UNTIL"):
        last = _round(words)
    if first > last:
        raise UnreadableLine
    return Aim(name, what, at, wait, first, last)


def _phalanx(words: LineWords) -> Detail:
    spot = _spot(words)
    if words.is_done:
        return Phalanx(spot)
    side = words.word().upper()
    if side not in Side.__members__:
        raise UnreadableLine
    return Phalanx(spot, Side[side])


def _spell(words: LineWords) -> Spell:
    if words.peek() in _FIRST_WORDS:
        words.word()
    word = words.word()
    found = spell_named(word)
    if found is None:
        raise UnreadableLine if word.upper() in (OWN, FOE, "KF") else _NoSuchSpellError
    if words.peek() in _SECOND_WORDS:
        words.word()
    return found


def _cast(words: LineWords) -> Detail:
    is_best = words.take(BEST)
    spell = _spell(words)
    is_own = spell.meant in (Meant.OWN, Meant.MOVED, Meant.SHIP)
    if words.take(OWN):
        is_own = True
    elif words.take(FOE):
        is_own = False
    is_best = is_best or words.take(BEST)
    fields: list[Spot] = []
    goal = side = None
    if spell.meant is Meant.GATE:
        words.take("KF")
        at, side = _edge(words)
        fields.append(at)
    elif not is_best:
        words.take("KF")
        while found := _find_spot(words):
            fields.append(found)
        if words.take(">"):
            words.take("KF")
            goal = _spot(words)
    is_whole = bool(fields) or (is_best and spell.meant in (Meant.OWN, Meant.FOE, Meant.SHIP))
    is_whole = is_whole and (is_own or spell.meant is not Meant.SHIP)
    if not is_whole or (goal is not None) != (spell.meant is Meant.MOVED) or (goal is not None and len(fields) != 1):
        raise UnreadableLine
    most = words.number() if words.take(MAX) else 0
    is_each = words.take(EACH)
    round_ = _round(words) if not is_each and words.take(ROUND) else 0
    return Cast(spell.name, is_own, tuple(fields), goal, most, round_, is_each, side)


def _prayer(words: LineWords) -> Detail:
    """The prayer, its fields or BEST, the priest if one is named, and how often. Source: ruling KA181"""
    found = prayer_named(words.word())
    if found is None:
        raise _NoSuchSpellError
    if found.meant is Meant.CASTLE:
        words.take("UND", "WASSER")
    fields: list[Spot] = []
    if not words.take(BEST):
        words.need("KF")
        while spot := _find_spot(words):
            fields.append(spot)
        if not fields:
            raise UnreadableLine
    priest = words.find_priest() or ""
    most = words.number() if words.take(MAX) else 0
    is_each = words.take(EACH)
    round_ = _round(words) if not is_each and words.take(ROUND) else 0
    return Prayer(found.name, tuple(fields), priest, most, round_, is_each)


def _challenge(words: LineWords) -> Detail:
    who = PowerId(words.name())
    return Challenge(who, _round(words) if words.take(ROUND) else 0)


def _gate(words: LineWords) -> Detail:
    at, side = _edge(words)
    is_open = words.take("OPEN")
    if not is_open and not words.take("SHUT"):
        raise UnreadableLine
    return GateOrder(at, side, is_open, _round(words) if words.take("KR") else 1)


def _fire(words: LineWords) -> Detail:
    figures = words.figures()
    if words.take("KF"):
        return Fire(figures, _spot(words))
    return Fire(figures, *_edge(words))


def _edge(words: LineWords) -> tuple[Spot, Side]:
    """`19/SE`, `2D+5:19/SE`."""
    match = _EDGE_SPOT.fullmatch(words.word())
    side = "" if match is None else match["side"].upper()
    if match is None or side not in Side.__members__ or not 1 <= int(match["cell"]) <= _MOST_CELLS:
        raise UnreadableLine
    gf = None
    if match["gf"] is not None:
        gf = parse_province(match["gf"], words.plane)
        if gf is None:
            raise UnreadableLine
    return Spot(int(match["cell"]), gf), Side[side]


def _plunder(words: LineWords) -> Detail:
    what = "RE" if words.is_done else words.word().upper()
    if what not in ("RE", "GOODS"):
        raise UnreadableLine
    return Plunder(what)


def _palace(words: LineWords) -> Detail:
    what = words.word().upper()
    if what not in (CAPTURE, SACK):
        raise UnreadableLine
    return PalaceTaking(what)


_READERS: Mapping[str, Callable[[LineWords], Detail]] = {
    "PLACE": _place,
    "GROUP": _group_line,
    "AIM": _aim,
    "PHALANX": _phalanx,
    "STRIKE": lambda words: Strike(_spot(words)),
    "GATE": _gate,
    "FIRE": _fire,
    "DESTROY": lambda words: Wreck(words.figures(), _round(words) if words.take(ROUND) else 1),
    "FLEE": lambda words: Flee(),
    "SLAVES": lambda words: Enslave(),
    "PLUNDER": _plunder,
    "PALACE": _palace,
    "RAZE": lambda words: Raze(),
    "SIDE": lambda words: Sided(PowerId(words.name())),
    "CAST": _cast,
    "TRIPLE": lambda words: Forced(TO_MYSTIC if words.take(TO_MYSTIC) else _spell(words).name),
    "COUNTER": lambda words: Counter(words.number()),
    "CHALLENGE": _challenge,
    "PRAYER": _prayer,
}
