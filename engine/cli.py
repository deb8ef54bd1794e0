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
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.answers import (
    answer_line,
    checked_sheet,
    error_line,
    find_rules,
    likely_mark,
    load_game,
    parse_json,
    resolve,
    seen,
    why_unread,
    words_of,
)
from engine.core.errors import DocumentError
from engine.core.json_text import LONGEST, read_json
from engine.core.phrases import Catalogue, phrase
from engine.core.report import Report
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.core.words import decoded
from engine.registry import AnySystem, State, systems

DONE, REFUSED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; an order was refused (`check`); the input can't be used."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    options = make_parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON may contain halves of characters, which can't be encoded; they are printed as they came in: as escapes.
        sys.stdout.reconfigure(errors="backslashreplace")
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except DocumentError as error:
        print(words_of(None).render(phrase("cli.unusable", problem=str(error))), file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # The reader of the output has closed it; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def make_parser() -> argparse.ArgumentParser:
    """The command line, with all commands."""
    words = words_of(None).template
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
    rules = find_rules(options.system)
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
    game = load_game(_read_json(options.game))
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
    print(_to_json(seen(load_game(_read_json(options.game)), options.power, "--power"), is_indented=True))
    return DONE


def _check(options: argparse.Namespace) -> int:
    game = load_game(_read_json(options.game))
    power = game.power(options.power)
    unread = why_unread(game, power)
    if unread is not None and not options.json:
        print(unread)
        return REFUSED
    checked = checked_sheet(game, power, _read_orders(options.orders))
    answer = checked.answer
    if options.json:
        print(_to_json(answer))
        return REFUSED if unread is not None or answer["errors"] else DONE
    for line in checked.lines:
        print(line)
    for each in answer["warnings"]:
        print(game.words.render(phrase("cli.warning", line=each["line"], what=_coded(each))), file=sys.stderr)
    for left in answer.get("left", ()):
        print(left, file=sys.stderr)
    return REFUSED if answer["errors"] else DONE


def _coded(row: Mapping[str, Any]) -> str:
    """A warning with its code, if it has one, and whether it is certain."""
    text = f"{row['code']}: {row['text']}" if "level" in row else str(row["text"])
    return text + likely_mark(row)


def _adjudicate(options: argparse.Namespace) -> int:
    if options.game == options.orders == "-":
        raise DocumentError("ORDERS", "the game and the orders can't both come from standard input")
    game = load_game(_read_json(options.game))
    answer = resolve(game, _read_orders(options.orders))
    if options.json:
        print(_to_json(answer))
        return DONE
    print(_to_json(answer["game"], is_indented=True))
    for row in answer["errors"]:
        print(f"{row['power'] or '-'}: {error_line(row)}", file=sys.stderr)
    rows = game.rules.telling.rows
    in_a_line = (rows and rows.in_a_line) or _in_a_line
    for row in answer["results"]:
        print(in_a_line(row), file=sys.stderr)
    for row in answer["events"]:
        print(row["text"], file=sys.stderr)
    return DONE


def _batch(options: argparse.Namespace) -> int:
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(_to_json(answer_line(line)) + "\n")
            sys.stdout.flush()
    return DONE


def _in_a_line(row: Mapping[str, Any]) -> str:
    return f"{row['power']}: {row['order']}: {row['outcome']} ({row['why']})"


def _option_value(default: bool | int | str | None, text: str) -> bool | int | str:
    if isinstance(default, bool) and text.lower() in ("true", "yes", "1", "false", "no", "0"):
        return text.lower() in ("true", "yes", "1")
    return int(text) if isinstance(default, int) and _WHOLE.fullmatch(text) else text


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
    return parse_json(_where(name), _read_text(name))


def _to_json(value: object, *, is_indented: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2 if is_indented else None)


def _report_lines(words: Catalogue, report: Report) -> Iterable[str]:
    for section in report.sections:
        yield words.render(section.title)
        yield from (f"  {words.render(line)}" for line in section.lines)
