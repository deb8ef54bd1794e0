"""The receipt of a player's orders: the same for every way in which orders come, and for `/orders show`.

It is for this seat alone. The code that sends it makes sure of that; here it only says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.model import GameStatus
from bot.services.receipts import Receipt
from bot.services.sheets import MENUS, failing_lines
from bot.text.board import about_part, orders_picture
from bot.text.buttons import button, buttons, private_buttons
from bot.text.catalogue import Words, words_of
from bot.text.choices import Offered, offered
from bot.text.custom_ids import BELOW, ON_RECEIPT, SURE, Action, CustomId
from bot.text.discord_limits import ROWS, fit, rows_of, shorten
from bot.text.markdown import Markup, code_block, code_span, full_time, relative_time
from bot.text.message import Button, ButtonStyle, Embed, Field, Message, TextFile
from engine.core.errors import OrderError
from engine.core.orders import names_of
from engine.registry import systems

REFUSED_FILE = "refused.txt"
_FORECAST = {"ok": "receipt.ok", "warning": "receipt.warning", "error": "receipt.error"}
SHEET_FILE = "sheet.txt"
_ERRORS_IN_CHAT = 8
_SHEET_IN_CHAT, _BEGINNING = 16_000, 3_000
"""Characters of a sheet that are shown as they are; of a longer one the beginning, and all of it in a file."""
_REASON = 300
"""Characters of a reason that are shown; it may quote what was written, which may be anything."""
_DROPPED, _MOST_DROPPED = 60, 3
"""Characters of an order that a new sheet took the place of, and how many of them are shown."""
_MOST_FAILING = 5
"""Orders that will fail which are shown to somebody who is ready with them."""
_WINDOW = 56
"""Characters of a refused line that are shown around the place that is wrong; more would wrap on a phone."""
_WHOLE_LINE = 400
"""Characters of a refused line that stands in the file as it is; of a longer one only such a stretch does."""


def receipt_message(receipt: Receipt, *, note: Markup | None = None) -> tuple[Message, ...]:
    """The receipt: the accepted orders, what was refused and why, what is missing, until when, and a map of it all.

    Args:
        note: a line on top, about what was pressed.
    """
    words = words_of(receipt.game)
    heading = words.say("receipt.heading", game=receipt.game.name, title=receipt.title, power=receipt.power)
    lines = [note] if note else []
    lines += [heading, *_state_lines(words, receipt)]
    if receipt.closed:
        return fit(Message("\n".join(lines)))
    whole = Message(
        content="\n".join(lines),
        embeds=_embeds(words, receipt),
        pictures=(orders_picture(words, receipt.game, receipt.scene, receipt.orders, deadline_at=receipt.deadline_at),),
        files=(*_sheet_file(words, receipt), *_refused_file(words, receipt)),
        buttons=_buttons(words, receipt, token=ON_RECEIPT),
    )
    rows = min(MENUS, ROWS - rows_of(whole.buttons))
    fitted = fit(_with(whole, _offered(receipt, rows, ON_RECEIPT)))
    if len(fitted) == 1:
        return fitted
    return fit(_with(replace(whole, buttons=_buttons(words, receipt)), _offered(receipt, rows, BELOW)))


def _offered(receipt: Receipt, rows: int, token: str) -> Offered:
    return offered(receipt.game, receipt.phase_no, receipt.offer, rows, token=token)


def _with(message: Message, found: Offered) -> Message:
    return replace(message, selects=(*found.selects, *message.selects), shortcuts=found.shortcuts)


_MOST_HINTS = 4


def _buttons(words: Words, receipt: Receipt, *, token: str = "") -> tuple[Button, ...]:
    """Buttons for near misses and for undoing, and the usual ones."""
    game, phase_no = receipt.game, receipt.phase_no
    hints = {hint.order: hint for hint in reversed(receipt.hints) if hint.order not in receipt.orders}
    taking = [
        Button(
            str(CustomId(Action.HINT, game.token, phase_no, hint.token)),
            words.plainly("button.hint", order=hint.order),
            ButtonStyle.PRIMARY,
        )
        for hint in [*hints.values()][::-1][:_MOST_HINTS]
    ]
    undo = [button(words, game, phase_no, Action.UNDO, token=str(receipt.version))] if receipt.can_undo else []
    return (*taking, *undo, *_usual_buttons(words, receipt, token=token))


def _usual_buttons(words: Words, receipt: Receipt, *, token: str) -> tuple[Button, ...]:
    if not receipt.may_order:
        return buttons(words, receipt.game, receipt.phase_no, Action.WHOLE, token=token)
    return private_buttons(
        words,
        receipt.game,
        receipt.phase_no,
        is_ready=receipt.is_ready,
        has_orders=bool(receipt.orders),
        has_default=receipt.has_default,
        token=token,
    )


def sure_message(receipt: Receipt) -> tuple[Message, ...]:
    """The question to whoever is ready with something left without an order, and what becomes of that, or with orders
    that will fail.
    """
    words, game = words_of(receipt.game), receipt.game
    lines = [words.say("receipt.sure", units=names_of(receipt.missing))] if receipt.missing else []
    if failing := receipt.failing:
        lines.append(words.say("receipt.sure_fails", count=len(failing)))
        for number in failing[:_MOST_FAILING]:
            order = shorten(receipt.orders[number - 1], _REASON)
            lines += [_order(words, receipt, number, order), *_forecasts(words, receipt, number)]
        if len(failing) > _MOST_FAILING:
            lines.append(words.say("receipt.sure_fails_more", count=len(failing) - _MOST_FAILING))
    if receipt.missing and not systems.infos[game.system].has_sheets:
        # Whoever says ready without a sheet sends an empty one: nobody plays for them then.
        lines += map(words.render, receipt.otherwise)
    lines.append(words.say("receipt.sure_question"))
    sure = button(words, game, receipt.phase_no, Action.READY, token=SURE, label="button.sure")
    others = buttons(words, game, receipt.phase_no, Action.EDIT, Action.GUIDE)
    return fit(Message("\n".join(lines), buttons=(sure, *others)))


def _state_lines(words: Words, receipt: Receipt) -> list[Markup]:
    if receipt.closed:
        has_board = systems.infos[receipt.game.system].has_public_board if receipt.game.system in systems else True
        return [words.say("receipt.closed" if has_board else "receipt.closed_by_letter")]
    if receipt.is_out:
        return []
    lines = []
    if receipt.game.status is GameStatus.PAUSED:
        lines.append(words.say("receipt.paused"))
    elif receipt.deadline_at is not None:
        deadline = receipt.deadline_at
        lines.append(words.say("receipt.locks", left=relative_time(deadline), deadline=full_time(deadline)))
    if receipt.is_unready:
        lines.append(words.say("receipt.no_longer_ready"))
    if receipt.is_ready:
        lines.append(words.say("receipt.ready"))
        lines += [words.say("receipt.stuck")] if receipt.is_stuck else []
    elif receipt.game.pace.close_early and receipt.orders and not receipt.missing:
        lines.append(words.say("receipt.not_ready_early"))
    if receipt.dropped:
        lines.append(_dropped(words, receipt.dropped))
    if receipt.errors and not receipt.changed:
        lines.append(words.say("receipt.unchanged"))
    elif receipt.is_taken and receipt.orders and not receipt.changed:
        lines.append(words.say("receipt.same_as_before"))
    return [*lines, *about_part(words, receipt.scene)]


def _dropped(words: Words, dropped: Sequence[str]) -> Markup:
    """The orders that a new sheet took the place of, the first ones by name."""
    named = [code_span(shorten(line, _DROPPED)) for line in dropped[:_MOST_DROPPED]]
    others = len(dropped) - len(named)
    more = [words.say("receipt.more", count=others)] if others else []
    return words.say("receipt.dropped", orders=(*named, *more))


def _embeds(words: Words, receipt: Receipt) -> tuple[Embed, ...]:
    orders = list(_shown_orders(words, receipt))
    standing = Embed(
        title=words.plainly("receipt.orders"),
        description="\n".join(
            [*(orders or [words.say("receipt.no_orders")]), *_nothing_missing(words, receipt), *_left(words, receipt)]
        ),
        fields=_missing_fields(words, receipt),
        footer=words.plainly("receipt.version", version=receipt.version)
        if receipt.version
        else words.plainly("receipt.no_version"),
    )
    return (*_refused_embeds(words, receipt), *_advice_embeds(words, receipt), standing)


def _is_long(receipt: Receipt) -> bool:
    return sum(map(len, receipt.orders)) > _SHEET_IN_CHAT


def _shown_orders(words: Words, receipt: Receipt) -> Iterator[Markup]:
    """Each order with what would become of it; of a sheet that is too long for a chat its beginning."""
    length = 0
    for number, order in enumerate(receipt.orders, start=1):
        if _is_long(receipt):
            if length > _BEGINNING:
                yield words.say("receipt.more_orders", count=len(receipt.orders) - number + 1)
                return
            order = shorten(order, _REASON)
        shown = Markup("\n".join([_order(words, receipt, number, order), *_forecasts(words, receipt, number)]))
        length += len(shown)
        yield shown


def _sheet_file(words: Words, receipt: Receipt) -> tuple[TextFile, ...]:
    """Every order with what would become of it, where they are more than a chat shows well."""
    if not _is_long(receipt):
        return ()
    fates: defaultdict[int, list[str]] = defaultdict(list)
    for forecast in receipt.rehearsal.lines if receipt.rehearsal else ():
        fates[forecast.line].append(f"    {words.plain(forecast.what)}")
    lines = [
        line for number, order in enumerate(receipt.orders, start=1) for line in (f"{number}. {order}", *fates[number])
    ]
    return (TextFile(SHEET_FILE, "\n".join(lines) + "\n"),)


def _order(words: Words, receipt: Receipt, number: int, order: str) -> Markup:
    return words.say("receipt.order", number=number, order=order)


def fate_of(words: Words, receipt: Receipt, order: str) -> Markup | None:
    """What would become of an order that stands, in one line; `None` where the game can't predict it."""
    if order not in receipt.orders:
        return None
    line = len(receipt.orders) - receipt.orders[::-1].index(order)
    return Markup(" ".join(_fates(words, receipt, line))) or None


def _forecasts(words: Words, receipt: Receipt, line: int) -> Iterator[Markup]:
    """What would become of a line of the sheet, what it costs and where it ends, where the game can predict that."""
    if receipt.rehearsal is None and line in failing_lines(receipt.advice, None):
        yield words.say("receipt.forecast", what=words.say("receipt.fails"))
    for fate in _fates(words, receipt, line):
        yield words.say("receipt.forecast", what=fate)


def _fates(words: Words, receipt: Receipt, line: int) -> Iterator[Markup]:
    for forecast in receipt.rehearsal.lines if receipt.rehearsal else ():
        if forecast.line != line:
            continue
        what = Markup(words.render(forecast.what).removesuffix("."))
        if forecast.named_part is not None:
            what = words.say("receipt.part", part=forecast.named_part, what=what)
        said = words.say(_FORECAST[forecast.level], what=what)
        if forecast.is_likely and forecast.level != "ok":
            said = words.say("receipt.likely", what=said)
        notes = [words.render(note) for note in forecast.notes]
        fate = "; ".join([said, *notes])
        hints = _new(receipt, forecast.hints)
        yield Markup(f"{fate}. {_did_you_mean(words, hints)}" if hints else fate)


def _left(words: Words, receipt: Receipt) -> tuple[Markup, ...]:
    """What is left when all is carried out, and what concerns no single line."""
    if receipt.rehearsal is None:
        return ()
    general = tuple(_forecasts(words, receipt, 0))
    return (*general, *(words.render(phrase) for phrase in receipt.rehearsal.left))


def _nothing_missing(words: Words, receipt: Receipt) -> tuple[Markup, ...]:
    if receipt.missing:
        return ()
    if receipt.orders:
        return (words.say("receipt.nothing_missing"),)
    if receipt.is_out:
        return (words.say("receipt.is_out", power=receipt.power),)
    if not receipt.is_sent:
        return (words.say("receipt.nothing_to_order"),)
    return (words.say("receipt.empty_sheet"),)


def _missing_fields(words: Words, receipt: Receipt) -> tuple[Field, ...]:
    if not receipt.missing:
        return ()
    lines = [words.say("receipt.missing", units=names_of(receipt.missing)), *map(words.render, receipt.otherwise)]
    return (Field(words.plainly("receipt.missing_title"), Markup("\n".join(lines))),)


def _refused_embeds(words: Words, receipt: Receipt) -> tuple[Embed, ...]:
    if not receipt.errors:
        return ()
    shown = receipt.errors[:_ERRORS_IN_CHAT]
    blocks: list[str] = [_error_text(words, receipt, error) for error in shown]
    if len(shown) < len(receipt.errors):
        blocks.append(words.say("receipt.more_refused", count=len(receipt.errors) - len(shown)))
    title = words.plainly("receipt.refused_title", count=len(receipt.errors))
    return (Embed(title=title, description="\n".join(blocks)),)


def _error_text(words: Words, receipt: Receipt, error: OrderError) -> str:
    line, column, length = _window(error)
    pointer = f"{line}\n{' ' * column}{'^' * length}"
    reason = [words.say("receipt.line", line=error.line, reason=Markup(shorten(words.render(error.reason), _REASON)))]
    if hints := _new(receipt, error.hints):
        reason.append(_did_you_mean(words, hints))
    return f"{code_block(pointer)}{' '.join(reason)}"


def _new(receipt: Receipt, hints: Sequence[str]) -> tuple[str, ...]:
    """The hints that do not stand already: nobody means those."""
    return tuple(hint for hint in hints if hint not in receipt.orders)


def _did_you_mean(words: Words, hints: Sequence[str]) -> Markup:
    return words.say("receipt.did_you_mean", hints=tuple(map(code_span, hints)))


def _window(error: OrderError) -> tuple[str, int, int]:
    """A stretch of the line with the wrong part in it; where the part begins in it (from 0), and how long it is."""
    text = error.text
    first = max(0, min(error.column - 1, len(text)))
    last = max(first + 1, error.end - 1)
    start = max(0, min(first - _WINDOW // 3, len(text) - _WINDOW))
    shown = text[start : start + _WINDOW].expandtabs(1)
    before = "…" if start else ""
    after = "…" if start + _WINDOW < len(text) else ""
    length = max(1, min(last, start + len(shown)) - first)
    return f"{before}{shown}{after}", len(before) + first - start, length


def _refused_file(words: Words, receipt: Receipt) -> tuple[TextFile, ...]:
    """Every refused line, where they are more than a chat shows well.

    Of a line that is very long only the wrong part: it may be refused once for each of thousands of orders in it.
    """
    if len(receipt.errors) <= _ERRORS_IN_CHAT:
        return ()
    lines = [words.plainly("receipt.file_heading")]
    for error in receipt.errors:
        text = error.text if len(error.text) <= _WHOLE_LINE else _window(error)[0]
        lines.append(f"\n{error.line}: {text}\n    {shorten(words.plain(error.reason), _REASON)}")
        if hints := _new(receipt, error.hints):
            lines.append(f"    {words.plainly('receipt.did_you_mean', hints=hints)}")
    return (TextFile(REFUSED_FILE, "\n".join(lines) + "\n"),)


def _advice_embeds(words: Words, receipt: Receipt) -> tuple[Embed, ...]:
    if not receipt.advice:
        return ()
    lines = [words.render(advice.what) for advice in receipt.advice]
    return (Embed(title=words.plainly("receipt.advice_title"), description="\n".join(dict.fromkeys(lines))),)
