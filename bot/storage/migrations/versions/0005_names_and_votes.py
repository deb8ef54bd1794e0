"""Names of games for buttons and of phases for lists, who played a seat before, and whose word a proposal needs."""

from __future__ import annotations

import secrets
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("token", sa.String(length=32), nullable=False, server_default=""))
    # The buttons of all that is here by now have numbers; rows to come say for themselves.
    op.add_column("games", sa.Column("has_numbered_buttons", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("games", sa.Column("phase_title", sa.JSON(), nullable=True))
    op.add_column("seats", sa.Column("former", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("seats", sa.Column("is_removed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "proposals",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_no", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("winner", sa.String(length=64), nullable=False),
        sa.Column("voters", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_proposals_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "phase_no", "kind", "winner", name="pk_proposals"),
    )
    _draw_tokens()
    _find_former_players()
    op.create_index("ix_games_token", "games", ["token"], unique=True)


def _draw_tokens() -> None:
    games = sa.table("games", sa.column("id"), sa.column("token"))
    connection = op.get_bind()
    for (game_id,) in connection.execute(sa.select(games.c.id)).all():
        connection.execute(games.update().where(games.c.id == game_id).values(token=f"g{secrets.token_hex(8)}"))


def _find_former_players() -> None:
    """Whom a power's direct messages were for; nothing else remembers who has played it."""
    seats = sa.table(
        "seats",
        sa.column("game_id"),
        sa.column("number"),
        sa.column("power"),
        sa.column("user_id"),
        sa.column("former", sa.JSON()),
    )
    outbox = sa.table(
        "outbox",
        sa.column("id"),
        sa.column("game_id"),
        sa.column("target"),
        sa.column("target_id"),
        sa.column("payload", sa.JSON()),
    )
    connection = op.get_bind()
    private = sa.select(outbox.c.game_id, outbox.c.target_id, outbox.c.payload).where(outbox.c.target == "user")
    players: defaultdict[tuple[int, str | None], dict[int, None]] = defaultdict(dict)
    for game_id, user_id, payload in connection.execute(private.order_by(outbox.c.id)):
        players[game_id, payload.get("power")][user_id] = None
    everyone = sa.select(seats.c.game_id, seats.c.number, seats.c.power, seats.c.user_id)
    for game_id, number, power, user_id in connection.execute(everyone).all():
        former = [player for player in players[game_id, power] if player != user_id]
        if former:
            this = (seats.c.game_id == game_id) & (seats.c.number == number)
            connection.execute(seats.update().where(this).values(former=former))


def downgrade() -> None:
    op.drop_index("ix_games_token", "games")
    op.drop_table("proposals")
    for table, column in (
        ("seats", "is_removed"),
        ("seats", "former"),
        ("games", "phase_title"),
        ("games", "has_numbered_buttons"),
        ("games", "token"),
    ):
        op.drop_column(table, column)
