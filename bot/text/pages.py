"""Pages to be opened in a browser, from the templates next to this file."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_CODE = re.compile("`([^`]*)`")
_TEMPLATES = Path(__file__).parent / "templates"


def page(template: str, **values: Any) -> str:
    """A page from a template. Whatever is put into it is text, and never markup."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    """Loaded when a page is first wanted: most games have none."""
    from jinja2 import Environment, FileSystemLoader

    made = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters["in_code"] = _in_code
    return made


def _in_code(text: str) -> Markup:
    """The text with what stands between backticks in a type of even width, as Discord shows it."""
    from markupsafe import Markup, escape

    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
