"""What tests ask of a refused request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.services.errors import Refused


def refusal(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Refused:
    """The refusal that a call meets."""
    with pytest.raises(Refused) as caught:
        call(*args, **kwargs)
    return caught.value


def refused_code(call: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """Its code without the prefix that all have."""
    return refusal(call, *args, **kwargs).what.code.removeprefix("refused.")
