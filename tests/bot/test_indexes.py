"""The docstrings of large packages say in which module to look for what."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from bot import render, services


@pytest.mark.parametrize("package", [render, services])
def test_every_module_is_named_once_in_the_index(package: ModuleType) -> None:
    _, _, index = (package.__doc__ or "").rpartition("\n\n")
    rows = (re.sub(r"^ {0,4}\S.*?  +", "", row) for row in index.splitlines())
    named = [name for row in rows for name in re.findall(r"\w+", row)]
    modules = {path.stem for path in Path(str(package.__file__)).parent.glob("*.py")} - {"__init__"}
    assert sorted(named) == sorted(modules)
