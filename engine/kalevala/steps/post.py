"""Letters, express letters, the courier. Source: rules 2.1 to 2.3, R-003, R-004, R-076, R-118"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY
from engine.kalevala.model import DEEDS_PART, Letter, Piece
from engine.kalevala.orders import Contribute, Line, Note, Write
from engine.kalevala.window import Window

EXPRESS_PRICE = 1
LONG_LETTER = 300
MOST_LETTERS_COUNTED = 5
PAGE = 1_800
PAGES_OF_ISSUE = 64
LONG_PIECE = 4
PAGE_VALUE = 5
MOST_FOR_COURIER = 20


def write(window: Window, ruler: PowerId, line: Line, order: Write) -> None:
    """Send a letter: it goes out when the window closes; an express letter at once, for 1 RE."""
    to = PowerId(order.who)
    if _is_silenced(window, ruler, line):
        return
    if to not in window.rulers or not _may_sign(window, ruler, order.sham):
        window.refuse(ruler, line, "V02", place=order.who)
        return
    if order.is_express:
        store = _store(window, ruler)
        if store is None:
            window.refuse(ruler, line, "V09", cost=EXPRESS_PRICE, have=0)
            return
        window.book(ruler, store, MONEY, -EXPRESS_PRICE, "express")
        window.spent[ruler] += EXPRESS_PRICE
    if order.sham:
        window.rulers[ruler] = replace(window.rulers[ruler], sham=order.sham)
    letter = Letter(ruler, order.sham or ruler, to, window.state.time, order.text)
    if order.is_express:
        _hand_over(window, letter)
    else:
        window.letters.append(letter)
    _reward(window, letter)


def _is_silenced(window: Window, ruler: PowerId, line: Line) -> bool:
    """Whether a game master has stopped what a ruler writes from being delivered; the line is refused then.

    Ruling KA195
    """
    until = window.rulers[ruler].silenced
    if until < window.gr:
        return False
    window.refuse(ruler, line, "V07", until=until)
    return True


def _may_sign(window: Window, ruler: PowerId, sham: str) -> bool:
    """A sham ruler is named by the first letter, and keeps that name; the name of a real ruler can't be used.

    Source: rules 2.3, ruling KA4
    """
    known = window.rulers[ruler].sham
    return not sham or sham == known or (known is None and sham not in window.rulers)


def _store(window: Window, ruler: PowerId) -> Province | None:
    """Which province pays for an express letter: the capital, else the ruler's first one with RE.

    Source: rules R-118
    """
    capital = window.capital_of(ruler)
    places = [*([capital] if capital is not None else []), *window.owned(ruler)]
    return next((province for province in places if window.free_money(ruler, province) >= EXPRESS_PRICE), None)


def _hand_over(window: Window, letter: Letter) -> None:
    args = {"from": letter.sender, "time": letter.time, "text": letter.text}
    window.tell("letter", [letter.to], args, is_written=True, sender=signature(window, letter.sender))


def signature(window: Window, sender: str) -> str:
    """The name below a letter: a ruler's id, which is told by its proper name, or a sham ruler's with capitals."""
    return sender if sender in window.rulers else sender.replace("_", " ").title()


def _reward(window: Window, letter: Letter) -> None:
    """OEH for a long letter to another ruler, up to a number of letters a great round. Source: rules R-076"""
    own = window.rulers[letter.writer]
    given = own.given
    if len(letter.text) < LONG_LETTER or letter.to in given.letters or len(given.letters) >= MOST_LETTERS_COUNTED:
        return
    window.rulers[letter.writer] = replace(own, given=replace(given, letters=(*given.letters, letter.to)))
    give_oeh(window, letter.writer, 1)


def give_oeh(window: Window, ruler: PowerId, oeh: int) -> None:
    """Give OEH to a ruler's god, if there is one."""
    own = window.rulers[ruler]
    if own.god is not None and oeh:
        god = {**own.god, "oeh": int(own.god.get("oeh", 150)) + oeh}
        window.rulers[ruler] = replace(own, god=god)


def contribute(window: Window, ruler: PowerId, line: Line, order: Contribute) -> None:
    """Write for the courier; full pages are paid in OEH at once. Source: rules 2.2, R-004"""
    if _is_silenced(window, ruler, line):
        return
    window.courier.append(Piece(ruler, window.state.time, order.text))
    own = window.rulers[ruler]
    worth = min(len(order.text) // PAGE * PAGE_VALUE, MOST_FOR_COURIER - own.given.courier)
    if worth > 0:
        window.rulers[ruler] = replace(own, given=replace(own.given, courier=own.given.courier + worth))
        give_oeh(window, ruler, worth)


def note(window: Window, ruler: PowerId, line: Line, order: Note) -> None:
    """Write something to the game masters; nobody else learns of it."""
    window.tell("note", [], {"from": ruler, "text": order.text}, is_for_masters=True, sender=ruler)


def deliver(window: Window) -> None:
    """Deliver all letters that wait, in the order of writing. Source: rules R-118"""
    _keep_copies(window)
    for letter in window.letters:
        _hand_over(window, letter)
    window.letters = []


def _keep_copies(window: Window) -> None:
    """Keep what agents may read in capitals: the letters of the last P4 and P2, as long as there are agents. R-071"""
    before = [] if window.state.part == DEEDS_PART else list(window.modules.get("mail", ()))
    rows = [
        {"to": letter.to, "from": letter.sender, "time": letter.time, "text": letter.text} for letter in window.letters
    ]
    kept = [*before, *rows] if window.agents else []
    if kept or window.modules.get("mail"):
        window.modules = {**window.modules, "mail": kept}


def print_courier(window: Window) -> None:
    """The courier of this round: as many pages as an issue has, long pieces last; the rest waits.

    Source: rules 2.2, ruling KA8
    """
    waiting = sorted(window.courier, key=lambda piece: _pages(piece) > LONG_PIECE)
    left = PAGES_OF_ISSUE
    printed: list[Piece] = []
    for piece in waiting:
        if _pages(piece) <= left or not printed:
            printed.append(piece)
            left -= _pages(piece)
    window.courier = [piece for piece in window.courier if piece not in printed]
    for piece in printed:
        args = {"from": piece.writer, "time": f"{window.gr}.3", "text": piece.text}
        window.tell("courier", None, args, is_written=True, sender=piece.writer)


def _pages(piece: Piece) -> int:
    return books.ceil(len(piece.text), PAGE)
