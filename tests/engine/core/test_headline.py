"""The news of a phase in a line, in every game that has some."""

from __future__ import annotations

from typing import Any

from engine.core.headline import headline
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import Phrase, phrase
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY
from engine.registry import systems
from tests.contract.games import random_game

FRANCE, ITALY, TURKEY = map(PowerId, ("france", "italy", "turkey"))
WHEN = phrase("headline.when", season=phrase("phase.season.fall"), year=1901)


def told(news: tuple[Phrase, ...]) -> list[str]:
    return [load_phrases("diplomacy").render(part) for part in news]


def test_the_greatest_news_stand_first() -> None:
    news = headline(winners=(TURKEY,), fallen=(ITALY,), took={FRANCE: ["BEL", "SPA"], TURKEY: ["ROM", "NAP", "TUN"]})
    assert told(news) == [
        "Turkey wins the game",
        "Italy is out",
        "Turkey takes Rome, Naples and Tunis",
        "France takes Belgium and Spain",
    ]


def test_of_many_places_the_first_are_named() -> None:
    assert told(headline(took={FRANCE: ["BEL", "SPA", "POR", "MUN", "KIE"]})) == [
        "France takes Belgium, Spain, Portugal and 2 more"
    ]


def test_without_news_it_is_said_when_there_were_none() -> None:
    assert told(headline(took={FRANCE: []}, otherwise=WHEN)) == ["Nothing changed hands in Fall 1901"]
    assert headline(took={FRANCE: []}) == ()


def test_where_centres_are_counted_in_fall_spring_has_no_news_of_them() -> None:
    """That nothing changed hands in Spring could never be otherwise. Source: Diplomacy's rules, "Supply centers"."""
    rules: Any = systems[SystemId("diplomacy")]
    state = rules.play.start(variant="standard", players=7, options={}, seed="")
    news = []
    for _ in range(2):
        after = rules.play.adjudicate(state, {}, rules.play.dice(state)).state
        news.append(told(rules.telling.headline(*(rules.sight.view(each, EVERYBODY) for each in (state, after)))))
        state = after
    assert news == [[], ["Nothing changed hands in Fall 1901"]]


def test_news_are_those_of_the_positions() -> None:
    """What a game of random orders changed in the ownership of centres, and nothing else, is in its headlines."""
    from engine.core.ids import SystemId
    from engine.core.viewer import EVERYBODY
    from engine.registry import systems

    rules = systems[SystemId("diplomacy")]
    seen = set()
    for step in random_game(SystemId("diplomacy")):
        before, after = (rules.sight.view(state, EVERYBODY) for state in (step.state, step.resolution.state))
        changed = {owner for at, owner in after.state.centres.items() if owner and before.state.centres[at] != owner}  # type: ignore[attr-defined]
        news = rules.telling.headline(before, after)
        assert {part.args["power"] for part in news if part.code.startswith("headline.took")} == changed
        seen |= {part.code for part in news}
    assert {"headline.took", "headline.nothing"} <= seen
