"""What changes a position between two closings, with who did it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "acts",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_no", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_acts_game_id_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "phase_no", "number", name="pk_acts"),
    )
    # Of the games that are here by now some have had acts that nobody has written down.
    op.add_column("games", sa.Column("has_acts", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("games", "has_acts")
    op.drop_table("acts")
