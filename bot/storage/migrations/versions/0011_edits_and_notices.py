"""Messages that change an earlier one, and what people do not want to be told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("is_edit", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "notices",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("off", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_notices"),
    )


def downgrade() -> None:
    op.drop_table("notices")
    op.drop_column("outbox", "is_edit")
