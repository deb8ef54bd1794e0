"""The quick check of a body says yes where jsonschema does, and no where jsonschema does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

pytest.importorskip("simcord", reason="simcord, of the extra `play`, is not installed")

from tests.discord_contract import discord_contract, is_integer
from tests.examples import few
from tests.json_schema import Schemas
from tests.test_discord_contract import RIGHT, named

OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    -1,
    2**40,
    0.5,
    "",
    "1",
    "x",
    "x" * 5000,
    [],
    [1, 1],
    {},
    {"x": 1},
)
"""What is put where something else belongs."""
BODIES = [(method, path, body) for method, path, body in RIGHT if body is not None]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list or object within a value, with the number or name of each of its parts."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield value, key
        yield from _places(part)


def _altered(body: Any, chance: random.Random) -> Any:
    """The same with one thing in it put elsewhere, left out, repeated, or replaced."""
    changed = deepcopy(body)
    places = list(_places(changed))
    held, key = chance.choice(places)
    match chance.randrange(8):
        case 0:
            del held[key]
        case 1 if isinstance(held, list):
            held.extend([held[key]] * chance.choice((1, 5, 30)))
        case 2 if isinstance(held, dict):
            held["unknown"] = held[key]
        case 3:
            other, name = chance.choice(places)
            held[key] = deepcopy(other[name])
        case _:
            held[key] = chance.choice(OTHERS)
    return changed


@pytest.mark.parametrize(("method", "path", "body"), BODIES, ids=named)
def test_it_agrees_with_jsonschema_on_bodies_that_are_right_or_nearly(method: str, path: str, body: Any) -> None:
    contract = discord_contract()
    schema = contract.schema_of(method, path)
    fits, validator = contract.schemas.fits(schema), contract.validator(schema)
    chance = random.Random(path)
    bodies = [body, *(_altered(body, chance) for _ in range(few(40)))]
    found = [fits(each) for each in bodies]
    assert found == [validator.is_valid(each) for each in bodies]
    assert set(found) == {True, False}


def test_true_is_not_one_and_the_order_of_names_does_not_matter() -> None:
    schemas = Schemas({}, is_integer=is_integer)
    assert not schemas.fits({"enum": [1]})(True)
    assert not schemas.fits({"const": False})(0)
    assert schemas.fits({"uniqueItems": True})([1, True])
    assert not schemas.fits({"uniqueItems": True})([{"a": 1, "b": 2}, {"b": 2, "a": 1}])


def test_of_several_schemas_one_only_may_be_fulfilled() -> None:
    schemas = Schemas({}, is_integer=is_integer)
    one = schemas.fits({"oneOf": [{"type": "string"}, {"maxLength": 2}]})
    assert [one(value) for value in ("long", "x", 5)] == [True, False, True]


def test_a_keyword_that_it_does_not_know_is_no_keyword_to_pass_over() -> None:
    with pytest.raises(NotImplementedError, match="dependentRequired"):
        Schemas({}, is_integer=is_integer).fits({"dependentRequired": {}})
