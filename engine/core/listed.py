"""Orders of a game whose legal orders can all be listed, each of which is one line.

Such a game says what may be ordered, how a line is read, and why other orders may not be given. The rest follows:
reading and checking sheets, completion, the guided flow, templates. A game that needs one of these changed replaces
it (`dataclasses.replace`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic

from engine.core.blocks import SheetLine, lines_of
from engine.core.errors import OrderError
from engine.core.orders import Advice, Choice, Menu, Missing, O, Orders, Parsed, ReadOrder, Shortlist
from engine.core.phrases import Phrase
from engine.core.shortlists import walked
from engine.core.sight import V
from engine.core.words import without_list_marks


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a line is not an order, or an order may not be given.

    Args:
        code: its words are the phrase `error.<code>` with `args`.
        hints: up to three texts that may have been meant instead, best first.
    """

    code: str
    args: Mapping[str, object] = field(default_factory=dict)
    hints: tuple[str, ...] = ()


def listed_orders(
    *,
    legal: Callable[[V], Mapping[str, tuple[O, ...]]],
    read_line: Callable[[str, V], O | WhyNot],
    objection: Callable[[V, O], WhyNot],
    format: Callable[[O], str],
    subject: Callable[[O], str],
    prompt: Phrase,
    otherwise: Phrase,
) -> Orders[V, O]:
    """The orders of a game in which everything that may be ordered can be listed.

    Args:
        legal: as in `Orders`: what the viewer may order now, by subject.
        read_line: the order in a line, legal or not; the line has no comment and no blanks around it, nor what a list
            or a receipt has there (`1.`, `-`, backticks).
        objection: why the viewer may not give an order that is not listed.
        prompt: asks for an order, step by step.
        otherwise: what becomes of a subject without an order.
    """
    rules = _Listed(legal, read_line, objection, format, subject, prompt, otherwise)
    return Orders(
        parse=rules.parse,
        format=format,
        subject=subject,
        read=rules.read,
        check=rules.check,
        advise=_no_advice,
        amend=rules.amend,
        missing=rules.missing,
        otherwise=rules.without,
        template=rules.template,
        suggest=rules.suggest,
        menu=rules.menu,
        shortlists=rules.shortlists,
        legal=legal,
    )


def _unmarked(line: SheetLine) -> SheetLine | None:
    """The line without what a list or a receipt has around an order; `None` if nothing else is there."""
    content = without_list_marks(line.content).strip(" `")
    if not content:
        return None
    column = line.column + line.content.index(content)
    return replace(line, content=content, column=column, end=column + len(content))


def _no_advice(view: object, orders: Sequence[object]) -> tuple[Advice, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class _Listed(Generic[V, O]):
    legal: Callable[[V], Mapping[str, tuple[O, ...]]]
    read_line: Callable[[str, V], O | WhyNot]
    objection: Callable[[V, O], WhyNot]
    format: Callable[[O], str]
    subject: Callable[[O], str]
    prompt: Phrase
    otherwise: Phrase

    def parse(self, text: str, view: V) -> Parsed[O]:
        orders: list[ReadOrder[O]] = []
        errors: list[OrderError] = []
        for line in filter(None, map(_unmarked, lines_of(text))):
            found = self.read_line(line.content, view)
            if isinstance(found, WhyNot):
                errors.append(replace(line.error(found.code, **found.args), hints=found.hints))
            else:
                orders.append(ReadOrder(found, line.number, line.column, line.end, line.text))
        return Parsed(tuple(orders), tuple(errors))

    def read(self, text: str, view: V) -> O | None:
        if [line.content for line in lines_of(text)] != [text]:
            return None  # empty, or more than the bare line that `read_line` is promised
        found = self.read_line(text, view)
        return None if isinstance(found, WhyNot) or self.format(found) != text else found

    def check(self, view: V, orders: Sequence[ReadOrder[O]]) -> tuple[OrderError | None, ...]:
        legal = self.legal(view)
        first: dict[str, str] = {}
        verdicts: list[OrderError | None] = []
        for read in orders:
            subject, order = self.subject(read.order), self.format(read.order)
            if read.order not in legal.get(subject, ()):
                wrong = self.objection(view, read.order)
            elif subject in first:
                wrong = WhyNot("duplicate", {"order": first[subject]})
            else:
                first[subject] = order
                verdicts.append(None)
                continue
            at = (read.line, read.column, read.end, read.text)
            verdicts.append(OrderError(*at, wrong.code, wrong.args, wrong.hints, subject=subject, order=order))
        return tuple(verdicts)

    def amend(self, view: V, standing: Sequence[O], new: Sequence[O]) -> tuple[O, ...]:
        sheet = self._by_subject((*standing, *new))
        return tuple(sheet[subject] for subject in self.legal(view) if subject in sheet)

    def missing(self, view: V, orders: Sequence[O]) -> tuple[Missing, ...]:
        given = self._by_subject(orders)
        return tuple(Missing(subject, (subject,)) for subject in self.legal(view) if subject not in given)

    def without(self, view: V, orders: Sequence[O]) -> tuple[Phrase, ...]:
        return (self.otherwise,) if self.missing(view, orders) else ()

    def template(self, view: V, orders: Sequence[O]) -> str:
        given = self._by_subject(orders)
        return "\n".join(
            self.format(given[subject]) if subject in given else f"# {subject}" for subject in self.legal(view)
        )

    def suggest(self, view: V, typed: str, *, limit: int = 25) -> tuple[str, ...]:
        wanted = typed.strip().casefold()
        lists = self.legal(view).values()
        found = chain.from_iterable(lists) if wanted else (orders[0] for orders in lists if orders)
        return tuple(text for text in map(self.format, found) if text.casefold().startswith(wanted))[:limit]

    def menu(self, view: V, path: Sequence[str], *, orders: Sequence[O] = ()) -> Menu:
        legal = self.legal(view)
        if not path or path[0] not in legal:
            return Menu(self.prompt, tuple(Choice(subject, subject) for subject in legal))
        texts = tuple(map(self.format, legal[path[0]]))
        if len(path) > 1 and path[1] in texts:
            return Menu(self.prompt, (), path[1])
        return Menu(self.prompt, tuple(Choice(text, text) for text in texts))

    def shortlists(self, view: V, firsts: Collection[str], orders: Sequence[O]) -> tuple[Shortlist, ...]:
        return walked(lambda path: self.menu(view, path, orders=orders), firsts, tuple(map(self.format, orders)))

    def _by_subject(self, orders: Sequence[O]) -> dict[str, O]:
        return {self.subject(order): order for order in orders}
