"""Phases that could not be closed, and when that is tried again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_games_to_retry", "games", ["status", "retry_at"])


def downgrade() -> None:
    op.drop_index("ix_games_to_retry", "games")
    op.drop_column("games", "retry_at")
    op.drop_column("games", "failures")
