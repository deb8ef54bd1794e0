"""The canonical text of orders, and lines made of them. Source: rules 4.1."""

from __future__ import annotations

from collections.abc import Sequence

from engine.king_of_kings.model import (
    Ally,
    Build,
    Cede,
    Defend,
    Donate,
    Line,
    March,
    Name,
    Order,
    Pass,
    Place,
    Rulebook,
    Sail,
    Symbol,
)

MOST_PARTS = 3
"""The most parts of a PLA or a DEF; further ones fail."""


def line_of(rules: Rulebook, order: Order, number: int = 0, text: str = "") -> Line:
    """A line of a sheet with this order."""
    canonical = write(rules, order)
    return Line(order, number, canonical, text or canonical)


def write(rules: Rulebook, order: Order) -> str:
    """The order's canonical text, which is read back to an equal order with the same tables."""
    match order:
        case Place(parts):
            return " ".join(("PLA", *(f"{p.x} {p.y} {rules.troops[p.troop].keyword}" for p in parts)))
        case Build(x, y):
            return f"BUILD {x} {y}"
        case Donate(to, gold):
            return f"DONATE {to} {gold}"
        case Cede(x, y, to):
            return f"CEDE {x} {y} {to}"
        case Ally(to, status):
            return f"ALL {to} {status}"
        case Name(x, y, name):
            return f"NAME {x} {y} {name}"
        case Defend(parts):
            return " ".join(("DEF", *(f"{part.x} {part.y} {part.tactic}" for part in parts)))
        case Sail(x, y, takes_all, troops, path):
            return " ".join(("SEA", str(x), str(y), *_who(rules, takes_all, troops), *path))
        case March(x, y, tactic, takes_all, troops, path):
            words = () if tactic is None else (str(tactic),)
            return " ".join(("LAND", str(x), str(y), *words, *_who(rules, takes_all, troops), *path))
        case Pass():
            return "PASS"


def parts_of(order: Order) -> int:
    """How many parts an order has: a PLA and a DEF up to three, others one."""
    return len(order.parts) if isinstance(order, Place | Defend) else 1


def _who(rules: Rulebook, takes_all: bool, troops: Sequence[tuple[Symbol, int]]) -> list[str]:
    words = ["AT"] if takes_all else []
    for symbol, amount in troops:
        words += [rules.troops[symbol].keyword, str(amount)]
    return words


def subject(order: Order) -> str:
    """What an order is for: of two orders with the same subject only one can be carried out, or is meant."""
    match order:
        case Place(parts):
            return "PLA " + " ".join(f"{part.x} {part.y}" for part in parts)
        case Defend(parts):
            return "DEF " + " ".join(f"{part.x} {part.y}" for part in parts)
        case Build(x, y):
            return f"BUILD {x} {y}"
        case Donate(to, _):
            return f"DONATE {to}"
        case Cede():
            return "CEDE"
        case Ally(to, _):
            return f"ALL {to}"
        case Name(x, y, _):
            return f"NAME {x} {y}"
        case Sail(x, y):
            return f"SEA {x} {y}"
        case March(x, y):
            return f"LAND {x} {y}"
        case Pass():
            return "PASS"
