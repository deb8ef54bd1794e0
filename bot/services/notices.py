"""Which direct messages each player wants."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import UserId
from bot.services.context import Context
from bot.services.post import NOTICES

KINDS = tuple(sorted(set(NOTICES.values())))
"""What can be turned off: `last`, that the others wait for them; `phases`, each new phase; `reminders`."""


def choose(context: Context, user_id: UserId, wanted: Mapping[str, bool]) -> Mapping[str, bool]:
    """Turn notices on or off, in all games of a person.

    Args:
        wanted: by kind; what isn't named stays as it is.

    Returns: all kinds, and whether each is on.
    """
    with context.unit_of_work() as unit:
        off = set(unit.notices.off(user_id))
        changed = (off - {kind for kind in wanted if wanted[kind]}) | {kind for kind in wanted if not wanted[kind]}
        if changed != off:
            unit.notices.save(user_id, changed)
            unit.commit()
    return {kind: kind not in changed for kind in KINDS}
