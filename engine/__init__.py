"""The rules of the games, alone: no database, no Discord, no clock, no chance but labelled dice.

`systems` is the only list of games. `python -m engine` is the same from a shell.
"""

from engine.registry import systems

__all__ = ["systems"]
