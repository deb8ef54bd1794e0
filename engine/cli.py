"""The rules from a shell: `python -m engine systems|new|sheet|view|check|adjudicate|batch`.

The outermost layer: it reads files and prints, and turns whatever is wrong with them into one line. It is the game
master's tool, so it shows everything, whoever may know it in the game.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.errors import DocumentError, OrderError
from engine.core.ids import PowerId, SystemId
from engine.core.json_text import LONGEST, read_json
from engine.core.orders import Advice, Forecast, ReadOrder, Rehearsal, words_for
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.report import Report
from engine.core.variant import Variant, load_phrases
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer
from engine.core.words import decoded
from engine.registry import AnySystem, Order, State, in_the_making, systems

DONE, REFUSED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; an order was refused (`check`); the input can't be used."""

_ERROR = "error"
"""The level of a forecast that an order would fail."""
Errors = Mapping[PowerId, tuple[OrderError, ...]]
"""What is wrong with the lines of each power."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    options = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON may contain halves of characters, which can't be encoded; they are printed as they came in: as escapes.
        sys.stdout.reconfigure(errors="backslashreplace")
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except DocumentError as error:
        print(_words(None).render(phrase("cli.unusable", problem=str(error))), file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # The reader of the output has closed it; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _parser() -> argparse.ArgumentParser:
    words = _words(None).template
    parser = argparse.ArgumentParser(prog="python -m engine", description=words("cli.about"))
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, command: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words(f"cli.{name}"), description=words(f"cli.{name}"))
        added.set_defaults(command=command)
        return added

    def add_json(added: argparse.ArgumentParser) -> None:
        added.add_argument("--json", action="store_true", help=words("cli.json"))

    add_json(add("systems", _systems))
    new = add("new", _new)
    new.add_argument("system", help=words("cli.system"))
    new.add_argument("--players", type=int, help=words("cli.players"))
    new.add_argument("--seed", help=words("cli.seed"))
    new.add_argument("--variant", help=words("cli.variant"))
    new.add_argument("--scenario", metavar="FILE", help=words("cli.scenario"))
    new.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words("cli.option"))
    sheet = add("sheet", _sheet)
    sheet.add_argument("game", help=words("cli.game"))
    sheet.add_argument("--power", required=True, help=words("cli.power"))
    view = add("view", _view)
    view.add_argument("game", help=words("cli.game"))
    view.add_argument("--power", required=True, help=words("cli.viewer"))
    check = add("check", _check)
    adjudicate = add("adjudicate", _adjudicate)
    for added in (check, adjudicate):
        added.add_argument("game", help=words("cli.game"))
        added.add_argument("orders", help=words("cli.orders"))
        add_json(added)
    check.add_argument("--power", required=True, help=words("cli.power"))
    add("batch", _batch)
    return parser


# Commands


ABOUT = "about.line"
"""What a game is, in a line."""


def _systems(options: argparse.Namespace) -> int:
    infos = [rules.info for rules in systems.values()]
    if options.json:
        rows = [
            {
                "id": info.id,
                "name": info.name,
                "players": list(info.all_seats),
                "line": load_phrases(info.id).template(ABOUT),
                "variants": list(info.variants),
                "options": {option.name: option.default for option in info.options},
            }
            for info in infos
        ]
        print(_to_json(rows))
    else:
        for info in infos:
            seats = info.all_seats
            players = f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else str(seats[0])
            print(f"{info.id:<16}{info.name:<32}{players:<6}{load_phrases(info.id).template(ABOUT)}")
    return DONE


def _new(options: argparse.Namespace) -> int:
    rules = _rules(options.system)
    defaults = {option.name: option.default for option in rules.info.options}
    chosen: dict[str, bool | int | str] = {}
    for text in options.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise DocumentError("--option", f"{text!r} is not NAME=VALUE")
        chosen[name.strip()] = _option_value(defaults.get(name.strip()), value.strip())
    # A game's seed is the one thing of the rules that has to come from outside.
    seed = options.seed if options.seed is not None else os.urandom(16).hex()
    if options.scenario is not None:
        state = _start_from(rules, options, chosen, seed)
    else:
        variant = options.variant or rules.info.variants[0]
        players = options.players if options.players is not None else rules.info.usual_players(variant)
        state = rules.play.start(variant=variant, players=players, options=chosen, seed=seed)
    print(_to_json(rules.play.dump(state), is_indented=True))
    return DONE


def _start_from(rules: AnySystem, options: argparse.Namespace, chosen: Mapping[str, Any], seed: str) -> State:
    """A game from a scenario file."""
    if rules.scenarios is None:
        raise DocumentError("--scenario", f"{rules.info.name} takes no scenarios")
    data = _read_bytes(options.scenario)
    if len(data) > LONGEST:
        size = -(-len(data) // 1024)
        raise DocumentError(_where(options.scenario), f"has {size} kB; a scenario has {LONGEST // 1024} kB at most")
    scenario = read_json(_utf8(options.scenario, data))
    if not isinstance(scenario, Mapping):
        raise DocumentError("--scenario", "it has to be a JSON object")
    return rules.scenarios.start(scenario, players=options.players, options=chosen, seed=seed)


def _sheet(options: argparse.Namespace) -> int:
    game = _load(_read_json(options.game))
    power = game.power(options.power)
    rules, words = game.rules, game.words
    view = rules.sight.view(game.state, Playing(power))
    print("\n".join(_report_lines(words, rules.telling.text_board(view))))
    print("\n".join(_report_lines(words, rules.telling.briefing(view))))
    print(words.render(phrase("cli.legal_orders")))
    for orders in rules.orders.legal(view).values():
        print("\n".join(f"  {rules.orders.format(order)}" for order in orders))
    print(words.render(phrase("cli.template")))
    print(f"[{power}]")
    print(rules.orders.template(view, ()))
    return DONE


def _view(options: argparse.Namespace) -> int:
    print(_to_json(_seen(_load(_read_json(options.game)), options.power, "--power"), is_indented=True))
    return DONE


def _seen(game: _Game, name: object, where: str) -> Mapping[str, Any]:
    """What a power, `everybody` or the `master` may know of a game."""
    sight = game.rules.sight
    return sight.document(sight.view(game.state, game.viewer(str(name), where)))


def _check(options: argparse.Namespace) -> int:
    game = _load(_read_json(options.game))
    power = game.power(options.power)
    unread = _why_unread(game, power)
    if unread is not None and not options.json:
        print(unread)
        return REFUSED
    verdict = _verdict(game, power, _read_orders(options.orders))
    answer = verdict.answer
    if options.json:
        print(_to_json(answer))
        return REFUSED if unread is not None or answer["errors"] else DONE
    for line in verdict.lines:
        print(line)
    for each in answer["warnings"]:
        print(game.words.render(phrase("cli.warning", line=each["line"], what=_coded(each))), file=sys.stderr)
    for left in answer.get("left", ()):
        print(left, file=sys.stderr)
    return REFUSED if answer["errors"] else DONE


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A sheet checked: what `check --json` and `batch` answer, and what `check` prints."""

    answer: dict[str, Any]
    lines: tuple[str, ...] = ()


def _verdict(game: _Game, power: PowerId, orders: object) -> _Verdict:
    unread = _why_unread(game, power)
    if unread is not None:
        nothing: dict[str, Any] = {"orders": [], "lines": [], "errors": [], "warnings": [], "missing": []}
        return _Verdict({**nothing, "unread": unread})
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
    lines += [(row["line"], row["column"], _error_line(row)) for row in rows]
    return _Verdict(answer, tuple(text for _, _, text in sorted(lines)))


def _line_rows(
    game: _Game, standing: Sequence[ReadOrder[Order]], errors: Sequence[Mapping[str, Any]], warnings: Sequence[Any]
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


def _why_unread(game: _Game, power: PowerId) -> str | None:
    """Why no orders of a power are read at all; `None` where they are."""
    status = game.rules.play.status(game.state)
    if status.winners is not None:
        return game.words.render(phrase("cli.over"))
    return game.words.render(phrase("cli.out", power=power)) if power in status.out else None


def _failing(
    game: _Game, power: PowerId, orders: Sequence[ReadOrder[Order]], rehearsal: Rehearsal
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
    advised = ({"line": each.line, "code": each.its_code, "text": words.render(each.what)} for each in advice)
    return [*rows, *advised]


def _coded(row: Mapping[str, Any]) -> str:
    """A warning with its code, if it has one, and whether it is certain."""
    text = f"{row['code']}: {row['text']}" if "level" in row else str(row["text"])
    return text + _likely(row)


def _likely(row: Mapping[str, Any]) -> str:
    return f" ({_words(None).render(phrase('cli.likely'))})" if row.get("likely") else ""


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


def _adjudicate(options: argparse.Namespace) -> int:
    if options.game == options.orders == "-":
        raise DocumentError("ORDERS", "the game and the orders can't both come from standard input")
    game = _load(_read_json(options.game))
    answer = _resolve(game, _read_orders(options.orders))
    if options.json:
        print(_to_json(answer))
        return DONE
    print(_to_json(answer["game"], is_indented=True))
    for row in answer["errors"]:
        print(f"{row['power'] or '-'}: {_error_line(row)}", file=sys.stderr)
    for row in answer["results"]:
        print(_result_line(row), file=sys.stderr)
    for row in answer["events"]:
        print(row["text"], file=sys.stderr)
    return DONE


def _batch(options: argparse.Namespace) -> int:
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(_to_json(answer_line(line)) + "\n")
            sys.stdout.flush()
    return DONE


def answer_line(line: bytes) -> dict[str, Any]:
    """The answer to a line of `batch`; whatever goes wrong affects only this line."""
    try:
        request = _parse_json("request", line)
        if not isinstance(request, Mapping) or "game" not in request:
            raise DocumentError("request", 'it has to be {"game": …, "orders": …}')
        game, orders = _load(request["game"]), request.get("orders") or {}
        if request.get("view") is not None:
            return {"view": _seen(game, request["view"], "view")}
        if request.get("check") is not None:
            return _verdict(game, game.power(str(request["check"]), "check"), orders).answer
        return _resolve(game, orders)
    except DocumentError as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _resolve(game: _Game, orders: object) -> dict[str, Any]:
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


def _result_line(row: Mapping[str, Any]) -> str:
    if "outcome" in row:
        return f"{row['power']}: {row['order']}: {row['outcome']} ({row['why']})"
    return f"{row['nation']} {row['line']}: {row['order']}: {row['code']} ({row['text']})"


# Games


@dataclass(frozen=True, slots=True)
class _Game:
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


def _rules(name: object) -> AnySystem:
    identifier = SystemId(str(name).lower().replace("-", "_"))
    found = systems.get(identifier, in_the_making.get(identifier))
    if found is None:
        raise DocumentError("system", f"there is no {name!r}; there are {', '.join(systems)}")
    return found


def _load(document: object) -> _Game:
    if not isinstance(document, Mapping):
        raise DocumentError("game", "it has to be a JSON object, as `python -m engine new` writes it")
    played = _position_of(document)
    if "system" not in played:
        raise DocumentError("system", f"it is missing; there are {', '.join(systems)}")
    rules = _rules(played["system"])
    state = rules.play.load(played)
    variant = rules.play.variant(state)
    return _Game(rules, state, variant, _words(variant))


def _position_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game itself; for a phase as the bot posts it for programs (`turn.json`), the position after it."""
    position = document.get("position")
    return position if "system" not in document and isinstance(position, Mapping) else document


@cache
def _words(variant: Variant | None) -> Catalogue:
    if variant is None:
        return load_phrases()
    names = {str(power.id): power.name for power in variant.powers.values()}
    return load_phrases(variant.system).with_catalogue(Catalogue({}, names))


@cache
def _powers(variant: Variant) -> Mapping[str, PowerId]:
    return {
        "_".join(name.casefold().split()): power.id
        for power in variant.powers.values()
        for name in (power.id, power.name, *power.aliases)
    }


def _option_value(default: bool | int | str | None, text: str) -> bool | int | str:
    if isinstance(default, bool) and text.lower() in ("true", "yes", "1", "false", "no", "0"):
        return text.lower() in ("true", "yes", "1")
    return int(text) if isinstance(default, int) and _WHOLE.fullmatch(text) else text


# Orders


class _OrderTexts:
    """ORDERS sorted by power, each line with its number in what was written.

    Text has a heading `[power]` before each power's lines; JSON is an object of lists of lines, or of texts.
    """

    def __init__(self, game: _Game, orders: object, *, alone: PowerId | None = None) -> None:
        """`alone`: the power whose orders those without a heading are."""
        self.errors: list[dict[str, Any]] = []
        self._game = game
        self._alone = alone
        self._lines: dict[PowerId, list[str]] = {}
        if isinstance(orders, str) and orders.lstrip().startswith("{"):
            orders = _parse_json("ORDERS", orders)
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
        """A line with its number: the lines in between are others', or comments."""
        found = self._lines.setdefault(power, [])
        while len(found) < number - 1:
            found.append("")
        found.append(line if len(line.splitlines()) < 2 else " ".join(line.split()))

    def _refuse(self, power: str | None, number: int, line: str, code: str, **args: str) -> None:
        error = OrderError(number, 1, len(line) + 1, line, code, args)
        self.errors.append(self._game.error_row(power, error))


def _error_line(row: Mapping[str, Any]) -> str:
    hint = f" ({_words(None).render(phrase('cli.hint', hint=row['hint']))})" if row["hint"] else ""
    return f"{row['line']}:{row['column']}: {row['code']}: {row['message']}{hint}{_likely(row)}"


# Files

_STDIN = "standard input"
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def _read_orders(name: str) -> str:
    """The text of a file of orders, whichever encoding it was written in."""
    text = decoded(_read_bytes(name))
    if text is None:
        raise DocumentError(_where(name), "is not text")
    return text


def _read_text(name: str) -> str:
    return _utf8(name, _read_bytes(name))


def _utf8(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DocumentError(_where(name), "is not text in UTF-8") from None


def _read_bytes(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise DocumentError(_where(name), f"can't be read: {error.strerror}") from None


def _where(name: str) -> str:
    return _STDIN if name == "-" else name


def _read_json(name: str) -> object:
    return _parse_json(_where(name), _read_text(name))


def _parse_json(where: str, text: str | bytes) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DocumentError(where, f"is not JSON: {error.msg}, line {error.lineno} column {error.colno}") from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise DocumentError(where, f"is not JSON that can be read: {error}") from None


def _to_json(value: object, *, is_indented: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if is_indented else None)


def _report_lines(words: Catalogue, report: Report) -> Iterable[str]:
    for section in report.sections:
        yield words.render(section.title)
        yield from (f"  {words.render(line)}" for line in section.lines)
