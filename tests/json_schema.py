"""Whether a value is what a JSON Schema (2020-12) asks for: a function for each schema, made once.

It says only yes or no, many times as fast as jsonschema, which also says what is wrong. It knows those keywords that
Discord's document uses and refuses others, so that none is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Fits = Callable[[Any], bool]
"""Whether a value is as it should be."""

_SAY_NOTHING = frozenset({"title", "description", "format", "contentEncoding", "x-discord-union", "components"})
_POINTER = "#/components/schemas/"


class Schemas:
    """Schemas that refer to each other by name.

    Args:
        named: what stands under `components/schemas` in an OpenAPI document.
        is_integer: what counts as one.
    """

    def __init__(self, named: Mapping[str, Any], *, is_integer: Fits) -> None:
        self._named = named
        self._made: dict[str, Fits] = {}
        self._kinds: Mapping[str, Fits] = {
            "array": _is(list),
            "boolean": _is(bool),
            "integer": is_integer,
            "null": lambda value: value is None,
            "number": _is_number,
            "object": _is(dict),
            "string": _is(str),
        }

    def fits(self, schema: Mapping[str, Any]) -> Fits:
        """The function for a schema.

        Raises:
            NotImplementedError: it has a keyword that this module does not know.
        """
        tests = tuple(self._tests(schema))
        if len(tests) == 1:
            return tests[0]
        return lambda value: all(test(value) for test in tests)

    def _tests(self, schema: Mapping[str, Any]) -> Iterator[Fits]:
        """What is asked for, the cheapest first."""
        rest = dict(schema)
        for keyword in _SAY_NOTHING:
            rest.pop(keyword, None)
        if "type" in rest:
            yield self._of_kind(rest.pop("type"))
        for keyword in tuple(rest):
            if keyword in _LIMITS:
                yield _LIMITS[keyword](rest.pop(keyword))
        if "$ref" in rest:
            yield self._named_one(rest.pop("$ref").removeprefix(_POINTER))
        if {"properties", "required", "additionalProperties"} & rest.keys():
            properties, others = rest.pop("properties", {}), rest.pop("additionalProperties", True)
            yield self._object(properties, rest.pop("required", ()), others)
        if "items" in rest:
            yield _each(self.fits(rest.pop("items")))
        if "allOf" in rest:
            yield self.fits_all(rest.pop("allOf"))
        if "anyOf" in rest:
            yield self._any(rest.pop("anyOf"))
        if "oneOf" in rest:
            yield self._one(rest.pop("oneOf"))
        if rest:
            raise NotImplementedError(f"keywords of JSON Schema: {sorted(rest)}")

    def _of_kind(self, kinds: str | Sequence[str]) -> Fits:
        if isinstance(kinds, str):
            return self._kinds[kinds]
        tests = tuple(self._kinds[kind] for kind in kinds)
        return lambda value: any(test(value) for test in tests)

    def _named_one(self, name: str) -> Fits:
        # Made when first met: schemas may hold themselves.
        def fits(value: Any) -> bool:
            made = self._made.get(name)
            if made is None:
                made = self._made[name] = self.fits(self._named[name])
            return made(value)

        return fits

    def _object(self, properties: Mapping[str, Any], required: Sequence[str], others: bool | Mapping[str, Any]) -> Fits:
        tests = {name: self.fits(schema) for name, schema in properties.items()}
        other = self.fits(others) if isinstance(others, Mapping) else (lambda _: others)

        def fits(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            if any(name not in value for name in required):
                return False
            return all(tests.get(name, other)(item) for name, item in value.items())

        return fits

    def fits_all(self, schemas: Sequence[Mapping[str, Any]]) -> Fits:
        """The function for several schemas that have to be fulfilled together."""
        tests = tuple(map(self.fits, schemas))
        return lambda value: all(test(value) for test in tests)

    def _any(self, schemas: Sequence[Mapping[str, Any]]) -> Fits:
        tests = tuple(map(self.fits, schemas))
        return lambda value: any(test(value) for test in tests)

    def _one(self, schemas: Sequence[Mapping[str, Any]]) -> Fits:
        tests = tuple(map(self.fits, schemas))
        return lambda value: sum(test(value) for test in tests) == 1


def _is(kind: type) -> Fits:
    return lambda value: isinstance(value, kind)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _each(test: Fits) -> Fits:
    return lambda value: not isinstance(value, list) or all(test(item) for item in value)


def _same(value: Any, other: Any) -> bool:
    """As JSON: `true` is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


def _are_unlike(items: Sequence[Any]) -> bool:
    return len({json.dumps(item, sort_keys=True) for item in items}) == len(items)


# What each keyword that limits a value of some kind asks for; values of other kinds pass.
_LIMITS: Mapping[str, Callable[[Any], Fits]] = {
    "const": lambda wanted: lambda value: _same(value, wanted),
    "enum": lambda wanted: lambda value: any(_same(value, each) for each in wanted),
    "maxLength": lambda most: lambda value: not isinstance(value, str) or len(value) <= most,
    "minLength": lambda least: lambda value: not isinstance(value, str) or len(value) >= least,
    "pattern": lambda pattern: lambda value: not isinstance(value, str) or re.search(pattern, value) is not None,
    "maximum": lambda most: lambda value: not _is_number(value) or value <= most,
    "minimum": lambda least: lambda value: not _is_number(value) or value >= least,
    "maxItems": lambda most: lambda value: not isinstance(value, list) or len(value) <= most,
    "minItems": lambda least: lambda value: not isinstance(value, list) or len(value) >= least,
    "uniqueItems": lambda asked: lambda value: not asked or not isinstance(value, list) or _are_unlike(value),
    "maxProperties": lambda most: lambda value: not isinstance(value, dict) or len(value) <= most,
    "minProperties": lambda least: lambda value: not isinstance(value, dict) or len(value) >= least,
}
