"""A game as all other code sees it: one value. Code that knows this module can run any game without knowing which.

    play.start → State → sight.view(state, viewer) → View → orders.parse, orders.check, … → play.adjudicate → State

Only `play`, `scenarios`, `sight.view`, what a game master does (`edits`, `rulings`, `secret_choice`) and what follows
when a player leaves (`seating`) see the State; the computer (`judgement`) sees one that it imagines from its View.
Everything that a player reads is made from a View, which has only what this viewer may know; so no map, report or error
message can reveal a secret. The types ensure it: each function takes this system's State or its View, and neither is
accepted for the other.

A feature that only some games have is `None`, or a function that returns nothing, in games without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from engine.core.acts import Edits, Rulings, Seating, SecretChoice
from engine.core.doors import Door
from engine.core.facts import SystemInfo
from engine.core.judgement import Judgement
from engine.core.orders import O, Orders
from engine.core.play import Play, Scenarios
from engine.core.sight import S, Sight, V
from engine.core.telling import Telling


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSystem(Generic[S, V, O]):
    """A game's rules. It has its own State, View and Order."""

    info: SystemInfo
    """Facts about the game."""
    play: Play[S, O]
    """From the first position to the end."""
    sight: Sight[S, V]
    """What a viewer may know."""
    orders: Orders[V, O]
    """Reading, checking and finding orders."""
    telling: Telling[V, O]
    """Words and pictures."""

    scenarios: Scenarios[S] | None = None
    """A game can start from somebody's own scenario."""
    edits: Edits[S] | None = None
    """A game master may change a position."""
    rulings: Rulings[S] | None = None
    """A game master may rule on the results of the previous phase."""
    seating: Seating[S] | None = None
    """The rules say what happens when a power's player leaves."""
    secret_choice: SecretChoice[S] | None = None
    """A game master chooses in secret what the rules leave to one."""

    judgement: Judgement[S, V, O] | None = None
    """The computer can play it sensibly; without this it gives random orders."""

    doors: tuple[Door[V, O], ...] = ()
    """Special ways to give orders, with commands, buttons and forms of their own."""
