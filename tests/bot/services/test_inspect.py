"""What can be looked at, and by whom."""

from __future__ import annotations

from bot.services import inspect, lobby, rollback
from engine.core.phrases import phrase
from engine.core.viewer import EVERYBODY, Playing
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, DAY, NOON, RED, World


def test_board_is_the_viewers_own() -> None:
    world = World()
    game_id = world.start()
    number = world.game(game_id).document["state"]["numbers"]["red"]
    mine = inspect.board(world.context, game_id, ANN)
    assert mine.viewer == Playing(RED)
    assert phrase("toy.own", number=number) in mine.text.sections[0].lines
    for user_id in (DAN, None):
        others = inspect.board(world.context, game_id, user_id)
        assert others.viewer == EVERYBODY
        assert "toy.own" not in repr(others)
        assert others.game.document is None


def test_board_needs_a_game_that_has_begun() -> None:
    world = World()
    assert refused_code(inspect.board, world.context, world.create(), None) == "not_started"
    cancelled = world.create(name="other")
    lobby.end_game(world.context, cancelled, CREATOR, is_manager=False)
    assert refused_code(inspect.board, world.context, cancelled, None) == "cancelled"


def test_closed_phase_shows_each_viewer_what_they_may_know() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "PEEK blue\nBID 2")
    world.pass_deadline(game_id)
    mine = inspect.history(world.context, game_id, ANN, None)
    assert [result.text for result in mine.results] == ["BID 2", "BID 0", "BID 0", "PEEK blue"]
    assert [event.what.code for event in mine.events] == ["toy.number"]
    for user_id in (BOB, CY, DAN, None):
        other = inspect.history(world.context, game_id, user_id, None)
        assert [result.text for result in other.results] == ["BID 2", "BID 0", "BID 0"]
        assert "PEEK" not in repr(other)
        assert "toy.number" not in repr(other)


def test_closed_phase_tells_how_it_was_closed_and_never_what_was_typed() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "bid 2 # my little secret")
    world.pass_deadline(game_id)
    view = inspect.history(world.context, game_id, ANN, "1b")
    assert (view.phase_no, view.code, view.closed_because, view.closed_at) == (1, "1B", "deadline", NOON + DAY)
    assert view.title == phrase("toy.title", round=1, kind="bid")
    assert view.scene_after.title == phrase("toy.title", round=2, kind="bid")
    assert "secret" not in repr(view)
    assert view.game.document is None


def test_phases_are_found_by_code_in_any_case_and_near_misses_are_named() -> None:
    world = World()
    game_id = world.start()
    assert refused_code(inspect.history, world.context, game_id, None, None) == "no_closed_phase"
    world.pass_in_silence(game_id, 3)
    assert inspect.phase_codes(world.context, game_id) == ((1, "1B"), (2, "2B"), (3, "2C"), (4, "3B"))
    assert inspect.history(world.context, game_id, None, " 2c ").phase_no == 3
    assert inspect.history(world.context, game_id, None, "last").phase_no == 4
    error = refusal(inspect.history, world.context, game_id, None, "2X")
    assert error.what.code == "refused.unknown_phase"
    assert error.hint is not None
    assert "2B" in error.hint.args["words"]


def test_a_turn_is_found_by_its_number_but_not_a_year() -> None:
    turns, years = [(1, "T1"), (2, "T2"), (12, "T12")], [(1, "S1901M"), (2, "F1901M")]
    assert [inspect.find_phase_no(turns, text) for text in ("2", "t2", "12")] == [2, 2, 12]
    for text in ("1901M", "1901"):
        assert refusal(inspect.find_phase_no, years, text).what.code == "refused.unknown_phase"


def test_undone_phase_is_still_found_by_its_number() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="1B", keep_orders=False)
    assert inspect.phase_view(world.context, game_id, 1, EVERYBODY).is_undone
    assert refused_code(inspect.phase_view, world.context, game_id, 2, EVERYBODY) == "unknown_phase"
