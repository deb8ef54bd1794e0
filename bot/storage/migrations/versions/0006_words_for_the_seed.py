"""Seeds that are made of the bot's secret and of words from the players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("own_seed", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("word", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("seats", "word")
    op.drop_column("games", "own_seed")
