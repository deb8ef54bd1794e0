"""Games from somebody's own scenario."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("scenario", sa.JSON(), nullable=True))
    op.add_column("games", sa.Column("scenario_text", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "scenario_text")
    op.drop_column("games", "scenario")
