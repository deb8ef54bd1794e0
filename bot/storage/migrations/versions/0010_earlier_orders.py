"""The orders that stood before, and how many texts were sent: what was cleared can be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sheets", sa.Column("earlier", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("sheets", sa.Column("sent", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("sheets", "sent")
    op.drop_column("sheets", "earlier")
