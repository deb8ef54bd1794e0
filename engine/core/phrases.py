"""Messages as typed data. Rules emit a `Phrase` (code and arguments); the words live in `assets/*/phrases/en.toml`.

A `Catalogue` turns phrases into text. It is the only place where codes are turned into words.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

ARTICLE = "the "
"""What a proper name begins with if a sentence needs an article before it."""
_FORMER = "former"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One message before it is put into words.

    Args:
        code: dotted name of the message in the catalogue: `order.unknown_province`.
        args: what the text needs: strings and ids, numbers, tuples of strings, or phrases within the phrase. No
            lists: a phrase is stored and read back, and must then be equal.
    """

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)


def phrase(code: str, /, **args: Any) -> Phrase:
    """A phrase, its arguments by name."""
    return Phrase(code, args)


def phrase_to_json(value: Phrase) -> dict[str, Any]:
    """A JSON form that `phrase_from_json` reads back to an equal phrase."""
    return {"code": value.code, "args": {name: _to_json(arg) for name, arg in value.args.items()}}


def phrase_from_json(data: Mapping[str, Any]) -> Phrase:
    """The phrase that `phrase_to_json` wrote."""
    return Phrase(data["code"], {name: _from_json(arg) for name, arg in data.get("args", {}).items()})


def _to_json(value: Any) -> Any:
    if isinstance(value, Phrase):
        return phrase_to_json(value)
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    return value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return phrase_from_json(value)
    if isinstance(value, list):
        return tuple(_from_json(item) for item in value)
    return value


class MissingPhrase(KeyError):
    """A code has no text, or its text needs an argument that is not given. Says which, and in which file."""

    def __str__(self) -> str:
        return str(self.args[0])


class Catalogue:
    """The words of one language: templates by code, and proper names by id.

    A template is a format string. Besides Python's own format specs it knows `{power:name}` (the proper name of an
    id), `{power:the}` (the same within a sentence, with the article that some names take: "the Gauls") and
    `{power:The}` (at its beginning), `{places:list}` ("a, b and c"), `{powers:the_list}` and `{powers:The_list}` (the
    same with articles), `{places:either}` ("a, b or c"), `{units:named}` (a list with names next to the letters of
    orders: "A BUD (Budapest) and A VIE (Vienna)"), `{places:either_named}` (the same with "or"), `{count:s}`
    ("s" unless 1), `{count:y}` ("ies", or "y" for 1), `{count:times}` ("once", "twice", "3 times"), and phrases as
    arguments, which are rendered in turn.
    After a name that ends in "s", the `'s` of `{power:name}'s` is only an apostrophe. A code without a template raises
    `MissingPhrase`: a test finds these before a player does.

    Phrases are stored with the games. The text of a code that is no longer emitted, or once had other arguments, stays
    in the table `former`, so that records of earlier versions can still be put into words: `former.event.built`.
    """

    def __init__(self, templates: Mapping[str, str], names: Mapping[str, str], *, source: str = "") -> None:
        """What the words are.

        Args:
            names: by id; one that takes an article in a sentence begins with it: `the Gauls`.
            source: the file that lacks what is not found here.
        """
        self.source = source
        self._templates = dict(templates)
        self._names = dict(names)
        self._formatter = _Formatter(self)

    @property
    def codes(self) -> frozenset[str]:
        """Every code that has words."""
        return frozenset(self._templates)

    def with_catalogue(self, other: Catalogue) -> Catalogue:
        """Both together; if both have a code or a name, `other` takes precedence."""
        source = other.source or self.source
        return Catalogue(self._templates | other._templates, self._names | other._names, source=source)

    def template(self, code: str) -> str:
        """The template of a code.

        Raises:
            MissingPhrase: there are none.
        """
        if code not in self._templates:
            raise MissingPhrase(f"{self.source or 'the catalogue'} has no phrase `{code}`")
        return self._templates[code]

    def name(self, identifier: str) -> str:
        """The proper name of an id, or the id itself if it has none."""
        found = self._names.get(identifier)
        return identifier if found is None else found.removeprefix(ARTICLE)

    def in_sentence(self, identifier: str) -> str:
        """The proper name as a sentence has it: with an article if it takes one."""
        return self._names.get(identifier, identifier)

    def render(self, value: Phrase) -> str:
        """The phrase in words.

        Raises:
            MissingPhrase: the code has no template, or the template needs an argument that the phrase lacks.
        """
        template = self._template_of(value)
        try:
            return self._formatter.vformat(template, (), value.args)
        except MissingPhrase:
            raise
        except KeyError as lacking:
            where = self.source or "the catalogue"
            raise MissingPhrase(f"`{value.code}` in {where} needs {lacking}, which is not given") from lacking

    def _template_of(self, value: Phrase) -> str:
        former = self._templates.get(f"{_FORMER}.{value.code}")
        if former is None:
            return self.template(value.code)
        template = self._templates.get(value.code, former)
        return template if arguments_of(template) <= value.args.keys() else former

    def listed(self, items: Iterable[object]) -> str:
        """`a, b and c`, each item by its proper name."""
        return self._joined(self.render(item) if isinstance(item, Phrase) else self.name(str(item)) for item in items)

    def listed_in_sentence(self, items: Iterable[object]) -> str:
        """`the Gauls and the Romans`: each item as a sentence has it."""
        return self._joined(
            self.render(item) if isinstance(item, Phrase) else self.in_sentence(str(item)) for item in items
        )

    def either(self, items: Iterable[object]) -> str:
        """`a, b or c`, each item by its proper name."""
        words = (self.render(item) if isinstance(item, Phrase) else self.name(str(item)) for item in items)
        return self._joined(words, "or")

    def listed_with_names(self, items: Iterable[object], last: str = "and") -> str:
        """`A BUD (Budapest) and Vienna (VIE)`: each item with its letters and its name."""
        words = (self.render(item) if isinstance(item, Phrase) else self._named(str(item)) for item in items)
        return self._joined(words, last)

    def _named(self, item: str) -> str:
        unit, _, place = item.rpartition(" ")
        name = self._names.get(place, self._names.get(place.partition("/")[0]))
        if name is None or name == place:
            return self.name(item)
        return f"{item} ({name})" if unit else f"{name} ({item})"

    def _joined(self, items: Iterable[str], last: str = "and") -> str:
        words = list(items)
        if len(words) < 2:
            return "".join(words)
        word = self._templates.get(f"list.{last}", last)
        return f"{', '.join(words[:-1])} {word} {words[-1]}"


def arguments_of(template: str) -> frozenset[str]:
    """The names of a template's arguments."""
    return frozenset(name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(template) if name)


_ENDINGS = {"s": ("", "s"), "y": ("y", "ies")}
"""What a word ends in after a count of 1, and after any other."""
_TIMES = {"1": "once", "2": "twice"}
_OWN_SPECS = frozenset(
    {"name", "the", "The", "list", "the_list", "The_list", "named", "either", "either_named", "times", *_ENDINGS}
)


@lru_cache(maxsize=4096)
def _pieces(template: str) -> Sequence[tuple[str, str | None, str]] | None:
    """Words, and the field that follows them as it is written; `None`: a field is more than a name."""
    pieces = []
    for words, name, spec, conversion in string.Formatter().parse(template):
        if name is not None and (not name.isidentifier() or conversion or "{" in (spec or "")):
            return None
        pieces.append((words, name, spec or ""))
    return pieces


class _Formatter(string.Formatter):
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def vformat(self, format_string: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """Templates whose fields are names alone, as nearly all are, are taken apart once."""
        pieces = _pieces(format_string)
        if pieces is None:
            return super().vformat(format_string, args, kwargs)
        found = [""]
        for words, name, spec in pieces:
            found.append("'" + words[2:] if words.startswith("'s") and found[-1].endswith("s") else words)
            if name is not None:
                found.append(self.format_field(kwargs[name], spec))
        return "".join(found)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Phrase):
            words = self._catalogue.render(value)
            return words if format_spec in _OWN_SPECS else format(words, format_spec)
        if format_spec == "name":
            return self._catalogue.name(str(value))
        if format_spec in ("the", "The"):
            return _begun(self._catalogue.in_sentence(str(value)), format_spec)
        if format_spec in ("the_list", "The_list"):
            items = value if isinstance(value, list | tuple) else [value]
            return _begun(self._catalogue.listed_in_sentence(items), format_spec)
        if format_spec in ("named", "either_named"):
            last = "and" if format_spec == "named" else "or"
            return self._catalogue.listed_with_names(value if isinstance(value, list | tuple) else [value], last)
        if format_spec == "either":
            return self._catalogue.either(value if isinstance(value, list | tuple) else [value])
        if format_spec == "list" or isinstance(value, list | tuple):
            return self._catalogue.listed(value)
        if format_spec in _ENDINGS:
            one, several = _ENDINGS[format_spec]
            return one if str(value) == "1" else several
        if format_spec == "times":
            return _TIMES.get(str(value), f"{value} times")
        return str(format(value, format_spec))


def _begun(words: str, spec: str) -> str:
    """Words at the beginning of a sentence if the spec is capitalized: only an article changes."""
    return words[:1].upper() + words[1:] if spec[0] == "T" and words.startswith(ARTICLE) else words
