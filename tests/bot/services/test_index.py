"""The package's docstring says where to look for a use case."""

import re
from pathlib import Path

from bot import services


def test_every_module_is_named_once_in_the_index() -> None:
    _, _, index = (services.__doc__ or "").partition("\n\n")
    named = [name for row in index.splitlines() for name in re.findall(r"\w+", row[20:])]
    modules = {path.stem for path in Path(services.__file__).parent.glob("*.py")} - {"__init__"}
    assert sorted(named) == sorted(modules)
