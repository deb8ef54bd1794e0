"""What every game's special ways to order promise: words for all they say, ids of their own, orders that can be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.text.custom_ids import Action
from engine.core.doors import Door
from engine.core.facts import DoorInfo
from engine.core.ids import SystemId
from engine.core.phrases import arguments_of
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import Order, View
from tests.contract.games import ALL, catalogue_of, random_game

AnyDoor = Door[View, Order]
DOORS = [(system, door) for system, rules in ALL.items() for door in rules.doors]
each_door = pytest.mark.parametrize(("system", "door"), DOORS, ids=[f"{system} {door.id}" for system, door in DOORS])
ROOT = Path(__file__).resolve().parents[2]
WORD = re.compile("[a-z]{1,12}")
"""What stands in a custom id."""


def _codes(door: AnyDoor) -> Iterator[tuple[str, set[str]]]:
    """The phrases that the bot says of a door, and the arguments that it has for them."""
    family, own = f"door.{door.family}", f"door.{door.id}"
    yield f"{family}.help", set()
    yield f"{family}.elsewhere", {"game"}
    if " " in door.command:
        yield f"{family}.about", set()
    yield f"{own}.about", set()
    for option in door.options:
        yield f"{own}.{option.name}", set()
        yield from ((f"{own}.choice.{choice}", set()) for choice in option.choices)
    if door.is_open is not None:
        yield f"{own}.closed", {"title"}
    if door.has_button:
        yield f"{own}.button", set()
    if door.form is not None:
        yield f"{own}.label", {"power"}
        yield f"{own}.placeholder", {"example"}
    if door.page is not None or door.answer is not None:
        yield f"{own}.heading", {"game", "title", "power"}
        yield f"{own}.none", set()


@each_door
def test_every_door_has_words_for_what_is_said_of_it(system: SystemId, door: AnyDoor) -> None:
    catalogue = catalogue_of(system)
    for code, given in _codes(door):
        assert code in catalogue.codes, code
        assert arguments_of(catalogue.template(code)) <= given, code


CHOICES = [(system, info) for system, rules in ALL.items() if (info := rules.info.secret_choice) is not None]


@pytest.mark.parametrize(("system", "command"), CHOICES, ids=[f"{system} {info.id}" for system, info in CHOICES])
def test_every_secret_choice_has_words_for_what_is_said_of_it(system: SystemId, command: DoorInfo) -> None:
    rules, catalogue = ALL[system], catalogue_of(system)
    assert rules.secret_choice is not None
    assert command.command.startswith("gm ")
    assert {option.name for option in command.options if option.is_completed} == set(rules.secret_choice.completions)
    with_game = {"none", "plays", "knows"}
    for text in {"about", "help", "joined", *with_game, *(option.name for option in command.options)}:
        code = f"door.{command.id}.{text}"
        assert arguments_of(catalogue.template(code)) <= ({"game"} if text in with_game else set()), code


@pytest.mark.parametrize("system", ALL)
def test_a_game_declares_the_command_of_its_secret_choice(system: SystemId) -> None:
    assert (ALL[system].secret_choice is None) == (ALL[system].info.secret_choice is None)


@each_door
def test_no_option_has_the_name_of_another_text_of_its_command(system: SystemId, door: AnyDoor) -> None:
    """An option called `about` would be described by what the whole command does."""
    others = {"about", "button", "closed", "label", "placeholder", "heading", "none", "nobody", "alt", "empty"}
    assert not others & {option.name for option in door.options}


def test_no_two_doors_share_a_word_or_a_command() -> None:
    words = Counter(word for _, door in DOORS for word in (door.id, *((door.info.form,) if door.info.form else ())))
    words.update(info.id for _, info in CHOICES)
    assert [word for word, times in words.items() if times > 1 or word in set(Action)] == []
    assert [word for word in words if not WORD.fullmatch(word)] == []
    commands = Counter(door.command for _, door in DOORS)
    assert [command for command, times in commands.items() if times > 1] == []


def test_buttons_and_forms_of_the_first_version_still_work() -> None:
    words = {word for _, door in DOORS for word in (door.id, *((door.info.form,) if door.info.form else ()))}
    assert words >= {"cast", "give", "duel", "numbers", "foretell", "foretold"}


ORDINARY = {
    "begin": r"(/|`)begin (land|fleet|horde)",
    "king": r"(your|the|own) kings?",
    "temple": r"(your|own) temples?",
    "letter": r"(write|writes|wrote|send|sends|sent|deliver|delivers|get|gets|your|own|express) (a |the |of )?letters?",
}
"""Words that mean something else too, a sign of the alphabet or a part of a game's name: the command, its phrases, and
what would be done with one are looked for."""


@pytest.mark.parametrize("command", sorted({door.command.split()[0] for _, door in DOORS}))
def test_nothing_that_all_games_share_knows_what_a_door_is_for(command: str) -> None:
    sources = [path for folder in ("bot", "cogs", "engine/core") for path in (ROOT / folder).rglob("*.py")]
    assert len(sources) > 80
    sources.append(ROOT / "assets/phrases/en.toml")
    dealings = ORDINARY.get(command)
    ordinary = rf"/{command}\b|\bdoor\.{command}\b|\b({dealings})\b"
    word = re.compile(ordinary if dealings else rf"\b{command}s?\b", re.IGNORECASE)
    assert [path for path in sources if word.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("system", ALL)
def test_the_commands_that_are_known_without_the_rules_are_those_of_the_doors(system: SystemId) -> None:
    assert tuple(door.info for door in ALL[system].doors) == ALL[system].info.doors


@each_door
def test_a_door_leads_somewhere(system: SystemId, door: AnyDoor) -> None:
    """By a page alone, or by orders; what opens without options has a first one to be left out."""
    assert (door.page is not None) != (bool(door.options) or door.order is not None)
    assert door.options or door.page is not None or not door.has_button
    assert door.form is None or door.path is None


@each_door
def test_what_a_door_offers_can_be_ordered(system: SystemId, door: AnyDoor) -> None:
    """Where the option is the order, each completion can be given, and the guided flow begins where it says."""
    rules = ALL[system]
    for step in random_game(system)[:8]:
        for power in rules.play.status(step.state).to_act[:3]:
            view = rules.sight.view(step.state, Playing(power))
            first = door.completions.get(door.options[0].name) if door.options else None
            offered = first(view, ()) if first else ()
            if door.order is None and door.answer is None:
                assert [
                    error for choice in offered[:40] for error in read_orders(rules, view, choice.value).errors
                ] == []
            if door.path is not None and (path := door.path(view)):
                assert rules.orders.menu(view, path).choices
                assert door.is_open is None or door.is_open(view, ())


@pytest.mark.parametrize("system", [system for system, rules in ALL.items() if rules.doors])
def test_doors_tell_nothing_to_the_public(system: SystemId) -> None:
    """Who plays no power has nothing to enter, nothing to look at, and is told nothing."""
    rules = ALL[system]
    for step in random_game(system)[:8]:
        view = rules.sight.view(step.state, EVERYBODY)
        for door in rules.doors:
            page = door.page(view, ()) if door.page else None
            assert not door.page or page or f"door.{door.id}.nobody" in catalogue_of(system).codes
            assert page is None or not (page.lines or any(texts for _, texts in page.listed) or page.picture)
            assert door.briefing is None or door.briefing(view) is None
            assert door.path is None or door.path(view) == ()
            assert door.form is None or door.form.text(view, ()) == ""
