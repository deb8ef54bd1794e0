"""Films of phases and games, and charts: what they show, how long they are, and that they tell nobody's secrets."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from bot.model import BallotKind, GameId, PhaseRecord
from bot.ports import Json
from bot.services import films, lobby, rollback, votes
from bot.services.films import MOST_STEPS, GameFilm, PhaseFilm
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BLUE, BOB, CREATOR, CY, GREEN, RED, World
from tests.cogs.conftest import PLAYERS


def played(rounds: int) -> tuple[World, GameId]:
    world = World()
    game_id = world.start(options={"gold": "12"})
    for _ in range(rounds):
        world.submit(game_id, ANN, "BID 5\nPEEK blue")
        world.pass_deadline(game_id)
    return world, game_id


def over(rounds: int) -> tuple[World, GameId]:
    world, game_id = played(rounds)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    return world, game_id


def test_a_phase_is_shown_before_with_its_orders_and_after() -> None:
    world = World(systems)
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.submit(game_id, ANN, "A BUD - SER")
    world.pass_deadline(game_id)
    found = films.replay_film(world.context, game_id, "s1901m")
    assert isinstance(found, PhaseFilm)
    before, orders, after = (step.scene for step in found.film.steps)
    assert isinstance(before, Scene)
    assert isinstance(orders, Scene)
    assert isinstance(after, Scene)
    assert (len(before.arrows), len(orders.arrows), len(after.arrows)) == (0, 22, 0)
    places = [{unit.place for unit in scene.units if unit.power == "austria"} for scene in (before, orders, after)]
    assert places == [{"BUD", "VIE", "TRI"}, {"BUD", "VIE", "TRI"}, {"SER", "VIE", "TRI"}]
    assert all(step.chart is None for step in found.film.steps)


def test_the_last_phase_is_meant_as_long_as_the_game_goes_on() -> None:
    world, game_id = played(2)
    found = films.replay_film(world.context, game_id, None)
    assert isinstance(found, PhaseFilm)
    assert found.view.code == world.records(game_id)[-1].code


def test_a_phase_that_has_not_closed_is_refused() -> None:
    world, game_id = played(2)
    code = world.game(game_id).phase_code
    error = refusal(films.replay_film, world.context, game_id, code.lower())
    assert error.what.code == "refused.phase_not_closed"
    assert error.hint is not None


def test_nothing_played_and_unknown_phases_are_refused() -> None:
    world = World()
    game_id = world.start()
    assert refused_code(films.replay_film, world.context, game_id, None) == "no_closed_phase"
    world.pass_deadline(game_id)
    assert refused_code(films.replay_film, world.context, game_id, "9Z") == "unknown_phase"


def test_a_game_that_is_over_is_shown_as_a_whole_and_each_of_its_phases_by_name() -> None:
    world, game_id = over(5)
    found = films.replay_film(world.context, game_id, None)
    assert isinstance(found, GameFilm)
    assert found.shown == len(found.film.steps) - 1 <= found.phases == len(world.records(game_id))
    assert found.film.steps[-1].chart == found.chart
    assert isinstance(films.replay_film(world.context, game_id, "1b"), PhaseFilm)


def test_the_chart_of_a_step_tells_nothing_of_its_future() -> None:
    world, game_id = over(6)
    found = films.replay_film(world.context, game_id, None)
    assert isinstance(found, GameFilm)
    lengths = [len(step.chart.courses[RED]) for step in found.film.steps if step.chart]
    assert lengths[0] == 1
    assert lengths == sorted(lengths)
    assert len({step.chart.most for step in found.film.steps if step.chart}) == 1, "the scale stays"


def test_a_game_of_a_hundred_turns_stays_in_bounds_and_keeps_its_beginning_and_end() -> None:
    world, game_id = played(1)
    record = world.records(game_id)[0]
    rules = world.context.systems[SystemId("toy")]
    many = []
    for number in range(1, 101):
        phase = {**record.start["phase"], "round": number}
        after = {**record.end["phase"], "round": number + 1}
        many.append(_at(record, number, {**record.start, "phase": phase}, {**record.end, "phase": after}))
    found = films.whole_game(rules, world.game(game_id), many)
    assert found.phases == 100
    assert found.shown == MOST_STEPS
    assert sum(step.seconds for step in found.film.steps) < 60
    shown = [step.scene.title.args["round"] for step in found.film.steps]
    assert shown[0] == 1
    assert shown[-2:] == [100, 101]
    assert max(b - a for a, b in pairwise(shown)) <= 4, "evenly"
    assert found.chart is not None
    assert len(found.chart.times) == 100


def _at(record: PhaseRecord, number: int, start: Json, end: Json) -> PhaseRecord:
    return replace(record, phase_no=number, code=f"{number}B", start=start, end=end)


def test_of_too_many_phases_the_usual_kind_is_shown() -> None:
    world = World(systems)
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.pass_deadline(game_id)
    spring = world.records(game_id)[0]
    winter = {**spring.start, "phase": {"year": 1901, "season": "winter", "kind": "adjustments"}}
    many = []
    for number in range(1, 61):
        start = spring.start if number % 2 else winter
        many.append(_at(spring, number, start, start))
    found = films.whole_game(systems[SystemId("diplomacy")], world.game(game_id), many)
    kinds = {repr(step.scene.title) for step in found.film.steps[:-1]}
    assert len(kinds) == 1
    assert found.shown == 30


def test_phases_that_were_undone_are_not_shown() -> None:
    world, game_id = played(3)
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="1B", keep_orders=False)
    assert films.standings_chart(world.context, game_id) is None
    assert refused_code(films.replay_film, world.context, game_id, "2B") == "no_closed_phase"


def test_the_chart_has_the_start_and_the_end_of_every_time_that_is_over() -> None:
    world = World()
    game_id = world.start(options={"gold": "12"})
    assert films.standings_chart(world.context, game_id) is None
    world.submit(game_id, ANN, "BID 3")
    world.pass_deadline(game_id)
    chart = films.standings_chart(world.context, game_id)
    assert chart is not None
    gold = world.game(game_id).document["state"]["gold"]
    assert chart.times == (1,)
    assert dict(chart.courses) == {power: (12, gold[power]) for power in (RED, GREEN, BLUE)}
    for _ in range(2):
        world.pass_deadline(game_id)
    assert films.standings_chart(world.context, game_id, until=1) == chart


def test_a_chart_names_who_has_won_when_the_game_is_over_and_not_looking_back() -> None:
    world = World()
    game_id = world.start(options={"gold": "12"})
    for _ in range(4):
        for user in (ANN, BOB, CY):
            world.submit(game_id, user, "BID 1")
        world.pass_deadline(game_id)
    for user in (ANN, BOB, CY):
        assert films.standings_chart(world.context, game_id).outcome is None
        votes.vote(world.context, game_id, user, BallotKind.CONCESSION, True, "red")
    chart = films.standings_chart(world.context, game_id)
    assert chart is not None
    assert chart.outcome == phrase("film.won", powers=("Red",))
    earlier = films.standings_chart(world.context, game_id, until=world.records(game_id)[-2].phase_no)
    assert earlier is not None
    assert earlier.outcome is None
    whole = films.replay_film(world.context, game_id, None)
    assert isinstance(whole, GameFilm)
    outcomes = [step.chart.outcome for step in whole.film.steps if step.chart]
    assert set(outcomes[:-1]) == {None}
    assert outcomes[-1] == chart.outcome


def test_what_is_hidden_is_in_no_film_whoever_asks() -> None:
    """Also once the game is over: films are for passing on."""
    world, game_id = played(3)
    assert any(event.audience for record in world.records(game_id) for event in record.events)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    shown = repr([films.replay_film(world.context, game_id, phase) for phase in (None, "1B", "2B")])
    assert "PEEK" not in shown
    assert "toy.number" not in shown
    assert "seed 1" not in shown


def test_hidden_numbers_change_no_film() -> None:
    found = []
    for numbers in ({"red": 1, "green": 2, "blue": 3}, {"red": 6, "green": 5, "blue": 4}):
        world, game_id = played(1)
        world.set_state(game_id, numbers=numbers)
        world.submit(game_id, ANN, "PEEK green\nBID 5")
        world.pass_deadline(game_id)
        lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
        found.append(films.replay_film(world.context, game_id, None))
    assert found[0] == found[1]
