"""Seats that the computer plays."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("games", "seats"):
        op.add_column(table, sa.Column("computer", sa.String(length=16), nullable=True))


def downgrade() -> None:
    for table in ("seats", "games"):
        op.drop_column(table, "computer")
