"""Scenarios that people bring along as files: read, tried out before anybody is called, and made into first positions.

Whoever sends one is told what is wrong with it. The file is kept as it came, since players may look at it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.model import Scenario
from bot.services.context import Context
from bot.services.errors import LONGEST_PROBLEM, Refused, refused, refused_with, shortened
from engine.core.errors import DocumentError
from engine.core.json_text import LONGEST, read_json
from engine.core.phrases import phrase
from engine.core.viewer import EVERYBODY
from engine.registry import AnySystem, State

LONGEST_SCENARIO = LONGEST
"""Bytes of a file, and characters of its text."""
_LONGEST_NAME, _LONGEST_ABOUT, _LONGEST_PLACE = 60, 600, 120
_SUFFIX = ".json"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A file as it was sent."""

    filename: str
    text: str


@dataclass(frozen=True, slots=True)
class TriedScenario:
    """A scenario from which a game could start, and how many people it would seat."""

    scenario: Scenario
    players: int


def try_scenario(
    context: Context, rules: AnySystem, file: ScenarioFile, *, players: int | None, options: Mapping[str, Any]
) -> TriedScenario:
    """Try to set up a game from a file.

    Args:
        players: how many are wished for; `None` leaves it to the scenario.

    Raises:
        Refused: the system takes no scenarios, the file is not one, or not for this many players or with these options.
    """
    if rules.scenarios is None:
        takers = tuple(info.name for info in context.systems.infos.values() if info.takes_scenarios)
        hint = phrase("refused.hint.one_of", words=takers) if takers else None
        raise refused_with(hint, "no_scenarios", system=rules.info.name)
    if len(file.text) > LONGEST_SCENARIO:
        raise too_long(len(file.text))
    scenario = Scenario(name="", about="", filename=_safe_filename(file.filename), powers={}, text=file.text)
    return context.workers.run(_tried, rules, scenario, players, options)


def _tried(rules: AnySystem, scenario: Scenario, players: int | None, options: Mapping[str, Any]) -> TriedScenario:
    """Try to set up the game: a job for the workers."""
    assert scenario.text is not None, "a new scenario has its text"
    state = first_state(rules, scenario, players=players, options=options, seed="")
    status, powers = rules.play.status(state), rules.sight.atlas(rules.sight.view(state, EVERYBODY)).powers.values()
    document = _document(scenario.text)
    named = replace(
        scenario,
        name=_told(document, "name")[:_LONGEST_NAME] or scenario.filename.removesuffix(_SUFFIX),
        about=_told(document, "about")[:_LONGEST_ABOUT],
        powers={power.id: power.in_sentence for power in powers},
    )
    return TriedScenario(named, sum(power.id not in status.out for power in powers))


def too_long(size: int) -> Refused:
    """The refusal of a file that is too long for a scenario."""
    return refused("scenario_too_long", kilobytes=LONGEST_SCENARIO // 1024, given=-(-size // 1024))


def first_state(
    rules: AnySystem, scenario: Scenario, *, players: int | None, options: Mapping[str, Any], seed: str
) -> State:
    """The first position of a game from a scenario.

    Raises:
        Refused: the rules can't set it up.
    """
    if rules.scenarios is None:
        raise refused("no_scenarios", system=rules.info.name)
    document = _document(scenario.text or "")
    try:
        return rules.scenarios.start(document, players=players, options=options, seed=seed)
    except DocumentError as error:
        raise _refusal(error) from error


def has_own_map(rules: AnySystem, scenario: Scenario | None) -> bool:
    """Whether a game's map can be looked at before it begins: one that is drawn from the secret seed can't."""
    if scenario is None or rules.scenarios is None:
        return False
    return rules.scenarios.has_own_map(_document(scenario.text or ""))


def _document(text: str) -> Mapping[str, Any]:
    try:
        document = read_json(text)
    except DocumentError as error:
        raise _refusal(error) from error
    if not isinstance(document, Mapping):
        raise refused_with(phrase("refused.hint.scenario"), "scenario_no_object")
    return document


def _refusal(error: DocumentError) -> Refused:
    """The fault, shortened: the file may have said more than anybody wants to read."""
    hint = phrase("refused.hint.scenario")
    where, problem = shortened(error.where, _LONGEST_PLACE), shortened(error.problem, LONGEST_PROBLEM)
    return refused_with(hint, "bad_scenario", where=where, problem=problem)


def _told(document: Mapping[str, Any], key: str) -> str:
    """What the scenario says of itself, on one line."""
    text = document.get(key)
    return " ".join(text.split()) if isinstance(text, str) else ""


def _safe_filename(filename: str) -> str:
    """A name that any system can store, and nobody can mistake for something else."""
    stem = _UNSAFE.sub("_", filename.rpartition(".")[0] or filename).strip("._-")[:_LONGEST_NAME]
    return f"{stem or 'scenario'}{_SUFFIX}"
