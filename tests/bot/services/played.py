"""A game that much has happened to, for services that look at whole games."""

from __future__ import annotations

from datetime import timedelta

from bot.model import BallotKind, GameId
from bot.services import lobby, rollback, votes
from tests.bot.services.world import ANN, BOB, CREATOR, CY, World


def long_played() -> tuple[World, GameId]:
    """Phases of all kinds behind it, a rollback among them; orders, a vote and an open seat in the present one."""
    world = World()
    game_id = world.start(options={"gold": "12"})
    world.submit(game_id, ANN, "BID 2\nDIG")
    world.submit(game_id, BOB, "bid 2")
    world.pass_deadline(game_id)
    world.pass_deadline(game_id, late=timedelta(hours=3))
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)
    world.submit(game_id, BOB, "PAY red")
    world.pass_deadline(game_id)
    world.submit(game_id, BOB, "peek red")
    votes.vote(world.context, game_id, BOB, BallotKind.DRAW, True, None)
    lobby.leave_game(world.context, game_id, CY)
    return world, game_id
