"""Kalevala's chart: the scores that everybody was told, when the game is over and not before."""

from __future__ import annotations

from bot.model import UserId
from bot.services.films import standings_chart
from bot.text.films import chart_messages
from engine.core.ids import SystemId
from engine.core.standings import figure_text
from engine.registry import systems
from tests.bot.services.world import World

KALEVALA = SystemId("kalevala")
PEOPLE = tuple(map(UserId, range(1, 7)))


def test_a_game_charts_the_scores_that_its_end_tells() -> None:
    world = World({KALEVALA: systems[KALEVALA]})
    game_id = world.start(wishes=dict.fromkeys(PEOPLE, ""), system="kalevala", players=6, options={"rounds": "1"})

    def close() -> None:
        for user in PEOPLE:
            world.submit(game_id, user, "PASS")
        world.ready(game_id, *PEOPLE)

    close()
    assert standings_chart(world.context, game_id) is None
    close()
    chart = standings_chart(world.context, game_id)
    assert chart is not None
    assert chart.times == (1,)
    assert set(chart.courses) == {"fina", "anna", "bert", "carl", "dora", "emil"}
    assert set(chart.courses.values()) == {(0, 77.0)}
    (message,) = chart_messages(world.game(game_id), chart)
    everybody = "Fina, Anna, Bert, Carl, Dora and Emil share the victory."
    assert message.content == "### Scores by epoch"
    assert message.pictures[0].alt.startswith(everybody)


def test_a_score_is_charted_as_it_was_told() -> None:
    """189.6 and 189.5 win and lose; so each is written in full."""
    assert list(map(figure_text, (0, 0.5, 7, 34.5, 189.6, 123.93, 200.0))) == [
        "0",
        "½",
        "7",
        "34½",
        "189.6",
        "123.93",
        "200",
    ]
