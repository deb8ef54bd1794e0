"""Draws and concessions: secret, carried by all who are still there, gone with the phase."""

from __future__ import annotations

from typing import cast

import pytest

from bot.model import BallotKind, GameId, GameStatus
from bot.services import gm, lobby, overview, votes
from bot.services.votes import VoteReceipt
from engine.core.ids import SystemId
from engine.registry import AnySystem
from tests.bot.services.consenting import CONSENTING_TOY
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BLUE, BOB, CREATOR, CY, DAN, GREEN, RED, World


def draw(world: World, game_id: GameId, *user_ids: int, in_favour: bool = True) -> list[VoteReceipt]:
    return [
        votes.vote(world.context, game_id, user_id, BallotKind.DRAW, in_favour, None)  # type: ignore[arg-type]
        for user_id in user_ids
    ]


def test_draw_is_carried_by_all_and_shared_by_all() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    assert [receipt.carried for receipt in draw(world, game_id, ANN, BOB, CY)] == [False, False, True]
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (RED, GREEN, BLUE)
    assert world.game(game_id).status is GameStatus.OVER
    assert world.kinds(game_id) == ["notice.draw_proposed", "notice.draw_carried", "game_over"]
    assert world.records(game_id)[0].closed_because == "vote"
    assert game_id not in world.alarm.settings


def test_proposal_is_announced_once_and_names_nobody() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    draw(world, game_id, BOB, CY)
    draw(world, game_id, BOB, in_favour=False)
    draw(world, game_id, BOB)
    (message,) = world.outbox(game_id)
    assert message.payload == {"code": "notice.draw_proposed", "args": {}}


def test_vote_against_what_nobody_proposed_is_noticed_by_nobody() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    draw(world, game_id, ANN, in_favour=False)
    assert world.outbox(game_id) == []
    assert not world.storage.tables.ballots


def test_withdrawn_vote_holds_the_draw_up() -> None:
    world = World()
    game_id = world.start()
    draw(world, game_id, ANN, BOB)
    draw(world, game_id, ANN, in_favour=False)
    assert [receipt.carried for receipt in draw(world, game_id, CY)] == [False]
    assert [receipt.carried for receipt in draw(world, game_id, ANN)] == [True]


def test_votes_are_gone_with_the_phase() -> None:
    world = World()
    game_id = world.start()
    draw(world, game_id, ANN, BOB)
    world.pass_deadline(game_id)
    assert [receipt.carried for receipt in draw(world, game_id, CY)] == [False]


def test_seats_without_a_player_hold_nothing_up_and_share_no_draw() -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, CY)
    assert [receipt.carried for receipt in draw(world, game_id, ANN, BOB)] == [False, True]
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (RED, GREEN)


def test_player_who_has_gone_silent_holds_nothing_up() -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        world.submit(game_id, ANN, "BID 0")
        world.submit(game_id, BOB, "BID 0")
        world.pass_deadline(game_id)
    assert world.seat(game_id, BLUE).is_open
    assert [receipt.carried for receipt in draw(world, game_id, ANN, BOB)] == [False, True]


def test_who_votes_is_no_longer_silent() -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        world.submit(game_id, ANN, "BID 0")
        world.submit(game_id, BOB, "BID 0")
        world.pass_deadline(game_id)
    draw(world, game_id, CY)
    assert not world.seat(game_id, BLUE).is_open
    assert [receipt.carried for receipt in draw(world, game_id, ANN, BOB)] == [False, True]


def test_whoever_leaves_after_a_proposal_has_not_agreed_to_it() -> None:
    world = World()
    game_id = world.start()
    draw(world, game_id, ANN, BOB)
    lobby.leave_game(world.context, game_id, CY)
    (receipt,) = draw(world, game_id, ANN)
    assert (receipt.carried, receipt.blocked) == (False, (BLUE,))
    world.pass_deadline(game_id)
    assert [receipt.carried for receipt in draw(world, game_id, ANN, BOB)] == [False, True]


def empty_seats(world: World, game_id: GameId, *powers: str) -> None:
    for power in powers:
        gm.replace_player(world.context, game_id, ANN, is_manager=True, power=power, new_user_id=None)


@pytest.mark.parametrize("is_proposed_first", [True, False])
@pytest.mark.parametrize("kind", list(BallotKind))
def test_a_game_master_who_plays_can_not_win_by_emptying_the_other_seats(
    kind: BallotKind, is_proposed_first: bool
) -> None:
    world = consenting()
    game_id = world.start()
    winner = "red" if kind is BallotKind.CONCESSION else None
    concede = (votes.vote, world.context, game_id, ANN, kind, True, winner)
    if is_proposed_first:
        assert not concede[0](*concede[1:]).carried
    empty_seats(world, game_id, "green", "blue")
    assert not concede[0](*concede[1:]).carried
    world.pass_deadline(game_id)
    receipt = concede[0](*concede[1:])
    assert (receipt.carried, receipt.blocked) == (False, (GREEN, BLUE))


def test_an_emptied_seat_can_agree_again_when_somebody_plays_it() -> None:
    world = World()
    game_id = world.start()
    empty_seats(world, game_id, "green")
    lobby.join_game(world.context, game_id, DAN, power="green")
    assert [receipt.carried for receipt in draw(world, game_id, ANN, DAN, CY)] == [False, False, True]


def test_nobody_agrees_with_themselves_alone() -> None:
    world = World()
    game_id = world.start()
    for user_id in (BOB, CY):
        lobby.leave_game(world.context, game_id, user_id)
    for kind, winner in ((BallotKind.DRAW, None), (BallotKind.CONCESSION, "red")):
        assert refused_code(votes.vote, world.context, game_id, ANN, kind, True, winner) == "nobody_to_agree"


@pytest.mark.parametrize("way", ["replaced", "left"])
def test_vote_does_not_pass_to_the_next_player_of_a_power(way: str) -> None:
    world = World()
    game_id = world.start()
    draw(world, game_id, ANN, BOB)
    if way == "replaced":
        gm.replace_player(world.context, game_id, CREATOR, is_manager=False, power="red", new_user_id=DAN)
    else:
        lobby.leave_game(world.context, game_id, ANN)
        lobby.join_game(world.context, game_id, DAN, power="red")
    assert [receipt.carried for receipt in draw(world, game_id, CY)] == [False]
    # It was proposed to somebody else.
    assert [receipt.carried for receipt in draw(world, game_id, DAN)] == [False]
    world.pass_deadline(game_id)
    assert [receipt.carried for receipt in draw(world, game_id, DAN, BOB, CY)] == [False, False, True]


def test_a_game_can_be_conceded_to_those_who_play_it() -> None:
    world = World()
    game_id = world.start()
    concede = (votes.vote, world.context, game_id, ANN, BallotKind.CONCESSION, True)
    lobby.leave_game(world.context, game_id, CY)
    assert refused_code(*concede, "blue") == "power_not_played"
    assert [power.id for power in votes.possible_winners(world.context, game_id)] == [RED, GREEN]
    lobby.join_game(world.context, game_id, DAN, power="blue")
    world.set_state(game_id, gold={"red": 5, "green": 5, "blue": 0})
    assert refused_code(*concede, "blue") == "winner_is_out"
    assert [power.id for power in votes.possible_winners(world.context, game_id)] == [RED, GREEN]


def test_powers_that_are_out_neither_vote_nor_share() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 5, "green": 5, "blue": 0})
    assert refused_code(votes.vote, world.context, game_id, CY, BallotKind.DRAW, True, None) == "power_is_out"
    draw(world, game_id, ANN, BOB)
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (RED, GREEN)


def test_concession_needs_all_for_the_same_winner() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    concede = BallotKind.CONCESSION
    for user_id, winner in ((ANN, "Blue"), (BOB, "red"), (CY, "blue")):
        assert not votes.vote(world.context, game_id, user_id, concede, True, winner).carried
    assert votes.vote(world.context, game_id, BOB, concede, True, "blue").carried
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (BLUE,)
    assert world.kinds(game_id) == [
        "notice.concession_proposed",
        "notice.concession_proposed",
        "notice.concession_carried",
        "game_over",
    ]


def test_one_player_proposes_one_concession_in_a_phase() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    concede = (votes.vote, world.context, game_id, ANN, BallotKind.CONCESSION)
    votes.vote(world.context, game_id, ANN, BallotKind.CONCESSION, True, "blue")
    votes.vote(world.context, game_id, ANN, BallotKind.CONCESSION, False, None)
    assert refused_code(*concede, True, "green") == "one_concession"
    assert world.kinds(game_id) == ["notice.concession_proposed"]
    # What somebody else proposes is open to all, and so is a draw.
    votes.vote(world.context, game_id, BOB, BallotKind.CONCESSION, True, "green")
    votes.vote(world.context, game_id, ANN, BallotKind.CONCESSION, True, "green")
    votes.vote(world.context, game_id, ANN, BallotKind.CONCESSION, True, "blue")
    draw(world, game_id, ANN)
    world.forget_mail()
    world.pass_deadline(game_id)
    votes.vote(world.context, game_id, ANN, BallotKind.CONCESSION, True, "red")
    assert "notice.concession_proposed" in world.kinds(game_id)


@pytest.mark.parametrize(
    ("winner", "code"), [(None, "winner_missing"), ("  ", "winner_missing"), ("yellow", "unknown_power")]
)
def test_concession_needs_a_winner(winner: str | None, code: str) -> None:
    world = World()
    game_id = world.start()
    assert refused_code(votes.vote, world.context, game_id, ANN, BallotKind.CONCESSION, True, winner) == code


def test_only_players_of_a_running_game_vote() -> None:
    world = World()
    game_id = world.start()
    arguments = (BallotKind.DRAW, True, None)
    assert refused_code(votes.vote, world.context, game_id, DAN, *arguments) == "not_in_game"
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    assert refused_code(votes.vote, world.context, game_id, ANN, *arguments) == "paused"
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    assert refused_code(votes.vote, world.context, game_id, ANN, *arguments) == "game_over"


def consenting() -> World:
    return World({SystemId("toy"): cast(AnySystem, CONSENTING_TOY)})


def test_as_many_as_the_rules_want_end_the_game_and_the_rules_name_the_winner() -> None:
    world = consenting()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 3, "green": 9, "blue": 1})
    world.forget_mail()
    end = (BallotKind.END, True, None)
    assert not votes.vote(world.context, game_id, ANN, *end).carried
    assert votes.vote(world.context, game_id, CY, *end).carried
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (GREEN,)
    assert world.kinds(game_id) == ["notice.end_proposed", "notice.end_carried", "game_over"]


def test_whoever_is_left_alone_does_not_end_it_by_consent() -> None:
    world = consenting()
    game_id = world.start()
    for user_id in (BOB, CY):
        lobby.leave_game(world.context, game_id, user_id)
    assert refused_code(votes.vote, world.context, game_id, ANN, BallotKind.END, True, None) == "nobody_to_agree"


def test_end_that_a_game_master_makes_has_the_winner_of_the_rules() -> None:
    world = consenting()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 3, "green": 9, "blue": 9})
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    info = overview.game_info(world.context, game_id, None)
    assert info.status is not None
    assert info.status.winners == (GREEN, BLUE)


def test_other_rules_know_no_end_by_consent() -> None:
    world = World()
    game_id = world.start()
    code = refused_code(votes.vote, world.context, game_id, ANN, BallotKind.END, True, None)
    assert code == "no_end_by_consent"
