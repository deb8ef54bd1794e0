"""What `python -m engine` answers, as JSON: what may be known of a game, which orders are accepted, what comes of them.

It takes documents and texts; files and printing are left to `engine.cli`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.core.errors import DocumentError, OrderError
from engine.core.ids import PowerId, SystemId
from engine.core.orders import Advice, Forecast, ReadOrder, Rehearsal, words_for
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import Variant, load_phrases, phrases_of
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer
from engine.registry import AnySystem, Order, State, in_the_making, systems

_ERROR = "error"
"""The level of a forecast that an order would fail."""
Errors = Mapping[PowerId, tuple[OrderError, ...]]
"""What is wrong with the lines of each power."""


def answer_line(line: bytes) -> dict[str, Any]:
    """The answer to a line of `batch`; whatever goes wrong affects only this line."""
    try:
        request = parse_json("request", line)
        if not isinstance(request, Mapping) or "game" not in request:
            raise DocumentError("request", 'it has to be {"game": …, "orders": …}')
        game, orders = load_game(request["game"]), request.get("orders") or {}
        if request.get("view") is not None:
            return {"view": seen(game, request["view"], "view")}
        if request.get("check") is not None:
            return checked_sheet(game, game.power(str(request["check"]), "check"), orders).answer
        return resolve(game, orders)
    except DocumentError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def seen(game: LoadedGame, name: object, where: str) -> Mapping[str, Any]:
    """What a power, `everybody` or the `master` may know of a game."""
    sight = game.rules.sight
    return sight.document(sight.view(game.state, game.viewer(str(name), where)))


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """A sheet checked: what `check --json` and `batch` answer, and what `check` prints."""

    answer: dict[str, Any]
    lines: tuple[str, ...] = ()


def checked_sheet(game: LoadedGame, power: PowerId, orders: object) -> CheckedSheet:
    """A power's orders checked, each line by itself."""
    unread = why_unread(game, power)
    if unread is not None:
        nothing: dict[str, Any] = {"orders": [], "lines": [], "errors": [], "warnings": [], "missing": []}
        return CheckedSheet({**nothing, "unread": unread})
    texts = _OrderTexts(game, orders, alone=power)
    rules, words = game.rules, game.words
    view = rules.sight.view(game.state, Playing(power))
    reading = read_orders(rules, view, texts.of(power))
    rehearse = rules.orders.rehearse
    rehearsal = rehearse(view, reading.orders) if rehearse else Rehearsal(())
    refusals = [game.error_row(power, error) for error in reading.errors]
    failing = _failing(game, power, reading.orders, rehearsal)
    rows = [*texts.errors, *sorted((*refusals, *failing), key=lambda row: int(row["line"]))]
    advice = () if rehearsal.lines else rules.orders.advise(view, reading.orders)
    warnings = _warnings(words, rehearsal, advice)
    refused = {forecast.line for forecast in rehearsal.lines if forecast.level == _ERROR}
    standing = [read for read in reading.orders if read.line not in refused]
    answer = {
        "orders": [{"line": read.line, "order": rules.orders.format(read.order)} for read in standing],
        "lines": _line_rows(game, standing, rows, warnings),
        "errors": rows,
        "warnings": warnings,
        "missing": list(words_for(rules.orders.missing(view, reading.values), words)),
    }
    if rehearse:
        answer["forecast"] = [_forecast_row(words, forecast) for forecast in rehearsal.lines]
        answer["left"] = [words.render(each) for each in rehearsal.left]
    notes = {forecast.line: forecast.notes for forecast in reversed(rehearsal.lines) if forecast.notes}
    lines = [
        (read.line, read.column, "; ".join((f"ok: {rules.orders.format(read.order)}", *map(words.render, remarks))))
        for read in standing
        for remarks in [notes.get(read.line, ())]
    ]
    lines += [(row["line"], row["column"], error_line(row)) for row in rows]
    return CheckedSheet(answer, tuple(text for _, _, text in sorted(lines)))


def _line_rows(
    game: LoadedGame, standing: Sequence[ReadOrder[Order]], errors: Sequence[Mapping[str, Any]], warnings: Sequence[Any]
) -> list[dict[str, Any]]:
    """The verdict on each line that holds anything, in their order: `ok`, `warning` or `refused`, with its codes."""
    order = game.rules.orders.format
    texts = {read.line: read.text.strip() for read in standing}
    texts |= {row["line"]: row["text"].strip() for row in errors if row["line"]}
    refused: defaultdict[int, list[str]] = defaultdict(list)
    warned: defaultdict[int, list[str]] = defaultdict(list)
    given: defaultdict[int, list[str]] = defaultdict(list)
    for codes, found in ((refused, errors), (warned, warnings)):
        for row in found:
            codes[row["line"]].append(row["code"])
    for read in standing:
        given[read.line].append(order(read.order))
    return [
        {
            "line": line,
            "text": text,
            "orders": given[line],
            "outcome": "refused" if refused[line] else "warning" if warned[line] else "ok",
            "codes": list(dict.fromkeys((*refused[line], *warned[line]))),
        }
        for line, text in sorted(texts.items())
    ]


def why_unread(game: LoadedGame, power: PowerId) -> str | None:
    """Why no orders of a power are read at all; `None` where they are."""
    status = game.rules.play.status(game.state)
    if status.winners is not None:
        return game.words.render(phrase("cli.over"))
    return game.words.render(phrase("cli.out", power=power)) if power in status.out else None


def _failing(
    game: LoadedGame, power: PowerId, orders: Sequence[ReadOrder[Order]], rehearsal: Rehearsal
) -> Iterable[dict[str, Any]]:
    """The orders that would fail, as errors where they stand."""
    placed = {read.line: read for read in orders}
    for forecast in rehearsal.lines:
        if forecast.level == _ERROR:
            error = forecast.as_error(placed[forecast.line])
            yield {**game.error_row(power, error), "part": forecast.part, "likely": forecast.is_likely}


def _warnings(words: Catalogue, rehearsal: Rehearsal, advice: Sequence[Advice]) -> list[dict[str, Any]]:
    """What there is to say about accepted orders."""
    rows = [_forecast_row(words, forecast) for forecast in rehearsal.lines if forecast.level == "warning"]
    advised = ({"line": each.line, "code": each.program_code, "text": words.render(each.what)} for each in advice)
    return [*rows, *advised]


def _forecast_row(words: Catalogue, forecast: Forecast) -> dict[str, Any]:
    return {
        "line": forecast.line,
        "part": forecast.part,
        "code": forecast.code,
        "level": forecast.level,
        "text": words.render(forecast.what),
        "likely": forecast.is_likely,
        "notes": [words.render(note) for note in forecast.notes],
    }


def resolve(game: LoadedGame, orders: object) -> dict[str, Any]:
    """Adjudicate: what `adjudicate --json` and `batch` answer."""
    texts = _OrderTexts(game, orders)
    rules = game.rules
    resolution, errors = adjudicate_texts(rules, game.state, texts.all())
    if rules.telling.rows:
        after = rules.sight.view(resolution.state, EVERYBODY)
        results = rules.telling.rows.of_results(after, resolution.results, errors, game.say)
        errors = _with_failures(errors, rules.telling.rows.failures(resolution.results))
    else:
        results = [
            {
                "power": r.power,
                "order": r.text,
                "outcome": r.outcome.value,
                "why": game.say(r.reason),
                "codes": list(r.all_codes),
            }
            for r in resolution.results
        ]
    return {
        "game": rules.play.dump(resolution.state),
        "results": results,
        "events": [event.to_row(game.say(event.what)) for event in resolution.events],
        "rolls": [roll.to_row(None if roll.purpose is None else game.say(roll.purpose)) for roll in resolution.rolls],
        "dislodged": list(resolution.dislodged),
        "errors": [
            *texts.errors,
            *(game.error_row(power, error) for power, refused in errors.items() for error in refused),
        ],
    }


def _with_failures(refused: Errors, failed: Errors) -> Errors:
    """The refused lines and those that failed, by power and line."""
    powers = dict.fromkeys((*refused, *failed))
    return {
        power: tuple(sorted((*refused.get(power, ()), *failed.get(power, ())), key=lambda error: error.line))
        for power in powers
    }


# Games


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A loaded game and its words."""

    rules: AnySystem
    state: State
    variant: Variant
    words: Catalogue

    def power(self, name: str, where: str = "--power") -> PowerId:
        """The power of a name.

        Raises:
            DocumentError: there is none.
        """
        found = self.find_power(name)
        if found is None:
            raise DocumentError(where, f"there is no {name!r}; there are {', '.join(self.variant.powers)}")
        return found

    def viewer(self, name: str, where: str) -> Viewer:
        """Whoever plays the power of a name; `everybody`; the `master`.

        Raises:
            DocumentError: it is none of these.
        """
        others = _VIEWERS.get(name.strip().casefold())
        if others is not None and self.find_power(name) is None:
            return others
        return Playing(self.power(name, where))

    def find_power(self, name: str) -> PowerId | None:
        """The power of an id or a proper name, in upper or lower case."""
        return _powers(self.variant).get("_".join(name.casefold().split()))

    def say(self, what: Phrase) -> str:
        """The phrase in words. The same few reasons occur again and again, so they are cached if they can be."""
        try:
            key = (self.words, what.code, *what.args.items())
            known = _said.get(key)
        except TypeError:
            return self.words.render(what)
        if known is None:
            if len(_said) >= _MOST_SAID:
                _said.clear()
            known = _said[key] = self.words.render(what)
        return known

    def error_row(self, power: str | None, error: OrderError) -> dict[str, Any]:
        """The error as JSON."""
        return {
            "power": power,
            "line": error.line,
            "column": error.column,
            "text": error.text,
            "code": error.code,
            "message": self.words.render(error.reason),
            "hint": " / ".join(error.hints) or None,
            "hints": list(error.hints),
        }


_VIEWERS: Mapping[str, Viewer] = {"everybody": EVERYBODY, "master": MASTER}
_MOST_SAID = 20_000
_said: dict[tuple[object, ...], str] = {}


def find_rules(name: object) -> AnySystem:
    """The rules of a name, in any case, also of a game in the making.

    Raises:
        DocumentError: there are none.
    """
    identifier = SystemId(str(name).lower().replace("-", "_"))
    found = systems.get(identifier, in_the_making.get(identifier))
    if found is None:
        raise DocumentError("system", f"there is no {name!r}; there are {', '.join(systems)}")
    return found


def load_game(document: object) -> LoadedGame:
    """The game of a document.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    if not isinstance(document, Mapping):
        raise DocumentError("game", "it has to be a JSON object, as `python -m engine new` writes it")
    played = _position_of(document)
    if "system" not in played:
        raise DocumentError("system", f"it is missing; there are {', '.join(systems)}")
    rules = find_rules(played["system"])
    state = rules.play.load(played)
    variant = rules.play.variant(state)
    return LoadedGame(rules, state, variant, words_of(variant))


def _position_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game itself; for a phase as the bot posts it for programs (`turn.json`), the position after it."""
    position = document.get("position")
    return position if "system" not in document and isinstance(position, Mapping) else document


@cache
def words_of(variant: Variant | None) -> Catalogue:
    """The words of a game, with the names of its powers; `None`: those of all games."""
    return load_phrases() if variant is None else phrases_of(variant)


@cache
def _powers(variant: Variant) -> Mapping[str, PowerId]:
    return {
        "_".join(name.casefold().split()): power.id
        for power in variant.powers.values()
        for name in (power.id, power.name, *power.aliases)
    }


# Orders


class _OrderTexts:
    """ORDERS sorted by power, each line with its number in what was written.

    Text has a heading `[power]` before each power's lines; JSON is an object of lists of lines, or of texts.
    """

    def __init__(self, game: LoadedGame, orders: object, *, alone: PowerId | None = None) -> None:
        """`alone`: the power whose orders those without a heading are."""
        self.errors: list[dict[str, Any]] = []
        self._game = game
        self._alone = alone
        self._lines: dict[PowerId, list[str]] = {}
        if isinstance(orders, str) and orders.lstrip().startswith("{"):
            orders = parse_json("ORDERS", orders)
        if isinstance(orders, str):
            self._add_text(orders)
        elif isinstance(orders, Mapping):
            self._add_object(orders)
        elif isinstance(orders, list) and alone is not None:
            self._add_object({alone: orders})
        else:
            raise DocumentError("ORDERS", 'they have to be text, or a JSON object {"power": ["order", …]}')

    def of(self, power: PowerId) -> str:
        """The text of a power."""
        return "\n".join(self._lines.get(power, ()))

    def all(self) -> dict[PowerId, str]:
        """The texts, in seat order."""
        return {power: self.of(power) for power in self._game.variant.powers if power in self._lines}

    def _add_text(self, text: str) -> None:
        power, is_known = self._alone, True
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.strip()
            if bare.startswith("[") and bare.partition("#")[0].rstrip().endswith("]"):
                power = self._game.find_power(bare.partition("#")[0].strip(" []"))
                is_known = power is not None
                if power is None:
                    self._refuse(None, number, line, "unknown_power", words=bare.strip("[]"))
                else:
                    # A power with nothing but a heading has sent a sheet.
                    self._lines.setdefault(power, [])
            elif bare and not bare.startswith("#") and is_known:
                if power is not None:
                    self._put(power, number, line)
                elif not bare.startswith(";"):
                    self._refuse(None, number, line, "no_heading", known=next(iter(self._game.variant.powers), "power"))

    def _add_object(self, orders: Mapping[Any, object]) -> None:
        for name, lines in orders.items():
            power = self._game.find_power(str(name))
            if power is None:
                self._refuse(str(name), 0, str(name), "unknown_power", words=str(name))
                continue
            if isinstance(lines, str):
                lines = lines.splitlines()
            if not isinstance(lines, list):
                self._refuse(power, 0, str(lines), "not_text")
                continue
            self._lines.setdefault(power, [])
            for number, line in enumerate(lines, 1):
                if isinstance(line, str):
                    self._put(power, number, line)
                else:
                    self._refuse(power, number, str(line), "not_text")

    def _put(self, power: PowerId, number: int, line: str) -> None:
        """A line with its number: the lines in between are others', or comments. Source: ruling K-81."""
        found = self._lines.setdefault(power, [])
        while len(found) < number - 1:
            found.append("")
        found.append(line if len(line.splitlines()) < 2 else " ".join(line.split()))

    def _refuse(self, power: str | None, number: int, line: str, code: str, **args: str) -> None:
        error = OrderError(number, 1, len(line) + 1, line, code, args)
        self.errors.append(self._game.error_row(power, error))


def error_line(row: Mapping[str, Any]) -> str:
    """A refusal as it is printed."""
    hint = f" ({words_of(None).render(phrase('cli.hint', hint=row['hint']))})" if row["hint"] else ""
    return f"{row['line']}:{row['column']}: {row['code']}: {row['message']}{hint}{likely_mark(row)}"


def likely_mark(row: Mapping[str, Any]) -> str:
    """That a failure is not certain, if it isn't."""
    return f" ({words_of(None).render(phrase('cli.likely'))})" if row.get("likely") else ""


def parse_json(where: str, text: str | bytes) -> object:
    """A text's JSON.

    Raises:
        DocumentError: it is none.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DocumentError(where, f"is not JSON: {error.msg}, line {error.lineno} column {error.colno}") from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise DocumentError(where, f"is not JSON that can be read: {error}") from None
