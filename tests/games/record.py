"""Records a game of this folder again: `python -m tests.games.record kregen-duels`. The diff is to be read like code.

A recorded game is a random but legal one: the first document, and for each phase all orders, what came of each, what
else happened, and the document after it. One phase a line, so that a diff shows which phases changed.

Recording again gives the orders of the record anew, so that the diff is what the rules changed and nothing else. Only
where a phase was not in the record, or takes an order of it no more, is a sheet drawn. `--anew` draws all of them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem, State
from tests.contract.games import players_of, random_sheets

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a recorded game is made of; `most` phases at most."""

    system: str
    players: int
    seed: str
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    variant: str = "standard"
    most: int = 60


RECIPES = {
    "diplomacy-victory": Recipe("diplomacy", 7, "recorded one", {"victory_centres": 8}),
    "feudal-magic": Recipe("feudal", 6, "recorded feudal", {"magic": True, "victory_centres": 12}, most=40),
    "feudal-two": Recipe("feudal", 2, "recorded barons", {"close_starts": True, "victory_centres": 11}, most=40),
    "kregen-duels": Recipe("kregen", 8, "heroes", most=24),
    "young_kingdoms-cards": Recipe("young_kingdoms", 6, "recorded cards", {"victory_centres": 8}),
    "king_of_kings-loyal": Recipe(
        "king_of_kings", 3, "recorded kings", {"end_turn": 8, "loyalty": True}, variant="classic"
    ),
    "kalevala-first-rounds": Recipe("kalevala", 6, "one", variant="small", most=4),
    "kalevala-war": Recipe("kalevala", 6, "one", variant="small", most=8),
    "kalevala-trade": Recipe("kalevala", 6, "one", variant="small", most=6),
    "kalevala-fief": Recipe("kalevala", 6, "one", variant="small", most=4),
    "kalevala-wizards": Recipe("kalevala", 6, "one", variant="small", most=8),
    "kalevala-sea": Recipe("kalevala", 3, "one", variant="small", most=6),
    "kalevala-siege": Recipe("kalevala", 6, "one", variant="small", most=13),
    "kalevala-temple": Recipe("kalevala", 3, "one", variant="small", most=3),
    "kalevala-landing": Recipe("kalevala", 3, "one", variant="small", most=5),
    "kalevala-god": Recipe("kalevala", 3, "one", variant="small", most=2),
    "kalevala-agent": Recipe("kalevala", 3, "one", variant="small", most=4),
    "kalevala-king": Recipe("kalevala", 3, "one", variant="small", most=3),
    "kalevala-slaves": Recipe("kalevala", 3, "one", variant="small", most=3),
    "kalevala-caravan": Recipe("kalevala", 3, "one", variant="small", most=8),
    "diplomacy-last-year": Recipe("diplomacy", 5, "recorded two", {"rulebook": "webdiplomacy", "last_year": 1906}),
}


def recipe_of(name: str) -> Recipe:
    """The recipe of a game; one that has none, `<system>-<whatever>`, is a plain game of that system.

    Raises:
        SystemExit: no system is called so.
    """
    if name in RECIPES:
        return RECIPES[name]
    rules = systems.get(SystemId(name.partition("-")[0]))
    if rules is None:
        raise SystemExit(f"{name}: neither one of {', '.join(sorted(RECIPES))}, nor SYSTEM-NAME")
    return Recipe(rules.info.id, players_of(rules), f"recorded {name}", variant=rules.info.variants[0])


def record(recipe: Recipe, recorded: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The game of a recipe; the same every time while the rules are.

    Args:
        recorded: an earlier record, which begins alike, and whose orders are given again as far as they can be.
    """
    rules = systems[SystemId(recipe.system)]
    if recorded is None:
        options = dict(recipe.options)
        state = rules.play.start(variant=recipe.variant, players=recipe.players, options=options, seed=recipe.seed)
        recorded = {"phases": []}
    else:
        state = rules.play.load(recorded["start"])
    game: dict[str, Any] = {"system": recipe.system, "start": rules.play.dump(state), "phases": []}
    given: dict[str, Mapping[PowerId, list[str]]] = {phase["code"]: phase["orders"] for phase in recorded["phases"]}
    while rules.play.status(state).winners is None and len(game["phases"]) < recipe.most:
        code = rules.play.status(state).code
        # Each phase draws by itself, so that one that comes out otherwise changes no order of those after it.
        drawn = random_sheets(rules, state, random.Random(f"{recipe.seed}/{code}"))
        orders = {power: [rules.orders.format(order) for order in sheet] for power, sheet in drawn.items()}
        if code in given:
            orders |= {power: texts for power, texts in given[code].items() if _can_give(rules, state, power, texts)}
        state, phase = play_phase(rules, state, orders)
        game["phases"].append(phase)
    return game


def _can_give(rules: AnySystem, state: State, power: PowerId, texts: Sequence[str]) -> bool:
    return not read_orders(rules, rules.sight.view(state, Playing(power)), "\n".join(texts)).errors


def play_phase(rules: AnySystem, state: State, orders: Mapping[PowerId, list[str]]) -> tuple[State, dict[str, Any]]:
    """A phase played from its orders' texts, and its line in a record."""
    readings = {
        power: read_orders(rules, rules.sight.view(state, Playing(power)), "\n".join(texts))
        for power, texts in orders.items()
    }
    refused = [error for reading in readings.values() for error in reading.errors]
    assert not refused, refused
    sheets = {power: reading.values for power, reading in readings.items()}
    resolution = rules.play.adjudicate(state, sheets, rules.play.dice(state))
    phase = {
        "code": rules.play.status(state).code,
        "orders": orders,
        "results": [result.to_json() for result in resolution.results],
        "events": [event.to_json() for event in resolution.events],
        "dislodged": list(resolution.dislodged),
        "end": rules.play.dump(resolution.state),
    }
    plain: dict[str, Any] = json.loads(json.dumps(phase))
    return resolution.state, plain


def write(game: Mapping[str, Any], path: Path) -> None:
    """Store a recorded game."""
    phases = ",\n".join(json.dumps(phase, ensure_ascii=False) for phase in game["phases"])
    head = json.dumps({"system": game["system"], "start": game["start"]}, ensure_ascii=False)[:-1]
    path.write_text(f'{head}, "phases": [\n{phases}\n]}}\n', encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write one game."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.record", description=__doc__.partition("\n")[0])
    parser.add_argument("name", help=f"the game to record: {', '.join(sorted(RECIPES))}, or SYSTEM-NAME")
    parser.add_argument("--anew", action="store_true", help="draw all orders, whatever was recorded")
    asked = parser.parse_args(arguments)
    path = FOLDER / f"{asked.name}.json"
    recorded = None if asked.anew or not path.exists() else json.loads(path.read_text(encoding="utf-8"))
    game = record(recipe_of(asked.name), recorded)
    write(game, path)
    print(f"{asked.name}: {len(game['phases'])} phases, over: {game['phases'][-1]['end'].get('over')}")


if __name__ == "__main__":
    main()
