"""For newcomers to King of Kings: the goal, and orders to begin with."""

from __future__ import annotations

from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.listing import legal
from engine.king_of_kings.model import Ally, Build, March, Place, View
from engine.king_of_kings.own_tables import own_tables
from engine.lattice.squares import Cell


def goal(view: View) -> Phrase:
    """The goal: the best average rank after the last turn, or when an option ends the game sooner."""
    options = view.state.options
    sooner = (
        *([phrase("about.goal_fame", fame=options.fame_limit)] if options.fame_limit is not None else []),
        *([phrase("about.goal_alone")] if options.last_man_standing else []),
    )
    code = "about.goal_sooner" if sooner else "about.goal"
    return phrase(code, turn=options.end_turn, sooner=sooner)


def examples(view: View) -> tuple[Phrase, ...]:
    """A march into an empty province, new troops, a building, an alliance; where to find a scenario's tables."""
    found: dict[str, str] = {}
    for lines in legal(view).values():
        for line in lines:
            match line.order:
                case March(x, y, _, _, _, (way, *_)):
                    step = view.state.grid.step(Cell(y * view.state.width + x), way)
                    is_free = step is not None and view.state.provinces[step].owner is None
                    found.setdefault("march" if is_free else "any", line.canonical)
                case Place():
                    may_go = view.state.options.place_and_move
                    found.setdefault("place_and_move" if may_go else "place", line.canonical)
                case Build():
                    found.setdefault("build", line.canonical)
                case Ally():
                    found.setdefault("ally", line.canonical)
    shown = ("march", "place_and_move", "place", "build", "ally")
    phrases = [phrase(f"example.{code}", order=found[code]) for code in shown if code in found]
    tables = own_tables(view.state.rules) if phrases else ()
    return (*phrases, *([phrase("example.tables")] if tables else []))
