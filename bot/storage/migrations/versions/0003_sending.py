"""How far a message's sending got, and what keeps a game's posts from its channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("faults", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("outbox", sa.Column("composed", sa.JSON(), nullable=True))
    op.add_column("games", sa.Column("trouble", sa.String(length=16), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("games", "trouble")
    for column in ("composed", "tried_at", "faults"):
        op.drop_column("outbox", column)
