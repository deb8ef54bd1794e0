"""The guard: every builder of messages with a game of forty powers, against all limits of Discord."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from bot.guides import Flow
from bot.model import BallotKind, ClosedBecause, Game, GameId, GameStatus, Pace, Seat, UserId
from bot.services.errors import Refused
from bot.services.guidance import Guidance, OwnGuidance
from bot.services.inspect import BoardView, PhaseView
from bot.services.overview import GameInfo, GameLine, SeatInfo
from bot.services.receipts import Receipt
from bot.services.votes import VoteReceipt
from bot.text.discord_limits import breaches
from bot.text.failure import refused_message
from bot.text.games import call_for_players, games_message, info_message, seat_message, vote_message, which_game_message
from bot.text.guide import guide_message
from bot.text.help import hello_message, help_message
from bot.text.looking import board_messages
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from bot.text.results import results_messages
from engine.core.errors import OrderError
from engine.core.ids import PowerId, SystemId
from engine.core.orders import Advice, Choice, Menu, Missing
from engine.core.phrases import Phrase, phrase
from engine.core.play import Status
from engine.core.report import Report, Section
from engine.pictures.scene import Scene
from engine.registry import systems

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
POWERS = [PowerId(f"confederation_of_the_islands_{number}") for number in range(40)]
NAME = "*" * 60
GAME = Game(
    id=GameId(10**17),
    token="g12345678901234567",
    name=NAME,
    guild_id=10**18,
    channel_id=10**18,
    creator_id=UserId(10**18),
    game_masters=frozenset(UserId(10**18 + number) for number in range(20)),
    system=SystemId("diplomacy"),
    variant="standard",
    players=40,
    options={f"option_{number}": "x" * 60 for number in range(25)},
    pace=Pace("mon,tue,wed,thu,fri 19:00 America/Argentina/ComodRivadavia", {"retreats": "1d12h", "adjustments": "2d"}),
    status=GameStatus.RUNNING,
    created_at=NOW,
    phase_no=999_999,
    phase_code="S1901M",
    deadline_at=NOW + timedelta(days=3),
)
TITLE = phrase("report.standings")
SCENE = Scene(system=SystemId("diplomacy"), variant="standard", title=TITLE)
BOARD = Report(
    tuple(
        Section(
            phrase("report.power", power=power),
            (phrase("report.units", count=17, units=tuple(f"F STP/SC{number}" for number in range(17))),),
        )
        for power in POWERS
    )
)
LONG_REASON = phrase("report.places", places=tuple(f"Province of a long name {number}" for number in range(12)))


SHORT_REASON = phrase("report.dislodged", power="russia", unit="F STP/SC", places=("BOT", "FIN", "LVN"))


def report(powers: int, orders: int, reason: Phrase = LONG_REASON) -> Report:
    line = phrase(
        "report.failed",
        order="F STP/SC S A MOS - LVN",
        outcome=phrase("report.outcome.dislodged"),
        reason=reason,
    )
    return Report(tuple(Section(phrase("report.power", power=power), (line,) * orders) for power in POWERS[:powers]))


def phase_view(told: Report) -> PhaseView:
    return PhaseView(
        game=GAME,
        phase_no=GAME.phase_no,
        code="S1901M",
        title=TITLE,
        scene_before=SCENE,
        scene_of_results=SCENE,
        scene_after=SCENE,
        headline=(),
        report=told,
        text=BOARD,
        results=(),
        events=(),
        viewer=None,
        closed_at=NOW,
        closed_because=ClosedBecause.DEADLINE,
        late_s=90_000,
        is_undone=True,
    )


SEATS = tuple(
    Seat(GAME.id, number, power, UserId(10**18 + number), is_open=True, missed=2)
    for number, power in enumerate(POWERS, start=1)
)
STATUS = Status("S1901M", TITLE, "movement", to_act=tuple(POWERS), out=tuple(POWERS))
SHOWN = tuple(
    SeatInfo(seat.number, seat.power, None, seat.user_id, is_taken=True, is_open=True, missed=2) for seat in SEATS
)
INFO = GameInfo(GAME, SHOWN, None, STATUS, tuple(POWERS), 0, 40, GAME.deadline_at, (NOW,) * 6)
LINES = tuple(GameLine(GAME, power, TITLE, 40) for power in POWERS)
ERRORS = tuple(
    OrderError(number, 5, 3000, "x" * 3900, "unknown_province", {"words": "`" * 3900}, hints=("h" * 200,) * 3)
    for number in range(1, 100)
)
RECEIPT = Receipt(
    game=GAME,
    phase_no=GAME.phase_no,
    title=TITLE,
    power=POWERS[0],
    orders=("F STP/SC S A MOS - LVN",) * 90,
    errors=ERRORS,
    advice=tuple(Advice(number, LONG_REASON) for number in range(60)),
    missing=tuple(Missing(f"F STP/SC{number}") for number in range(90)),
    otherwise=(LONG_REASON,) * 3,
    version=99,
    is_ready=False,
    deadline_at=GAME.deadline_at,
    scene=SCENE,
    changed=False,
)
MENU = Menu(LONG_REASON, tuple(Choice(f"value {number}", "l" * 100) for number in range(90)))
FLOW = Flow(UserId(1), GAME.id, GAME.phase_no, path=("a",), page=2, noted=("F STP/SC S A MOS - LVN",) * 40)
LONG_EXAMPLE = phrase("example.move", order="F STP/SC S A MOS - LVN" * 4, kind=phrase("key.kind_F"), place="MOS")
OWN = OwnGuidance(
    LINES[0],
    systems[SystemId("diplomacy")],
    phrase("about.goal", count=18, all=34),
    tuple(Missing(f"F STP/SC{number}") for number in range(90)),
    (LONG_REASON,) * 3,
    (LONG_EXAMPLE,) * 9,
    may_order=True,
)
PERSON = Guidance(LINES, OWN, mastered=(GAME,) * 40, watched=LINES[0], has_open_seats=True)


@cache
def built() -> Mapping[str, tuple[Message, ...]]:
    return {
        "results of seven powers with seventeen units": results_messages(phase_view(report(7, 17, SHORT_REASON))),
        "results of forty powers": results_messages(phase_view(report(40, 17))),
        "results of forty powers in words": results_messages(phase_view(report(40, 17)), as_text=True),
        "board": board_messages(BoardView(GAME, TITLE, SCENE, BOARD, None), as_text=False),
        "board in words": board_messages(BoardView(GAME, TITLE, SCENE, BOARD, None), as_text=True),
        "receipt": receipt_message(RECEIPT),
        "info": info_message(INFO, systems[SystemId("diplomacy")].info),
        "info of a lobby": info_message(
            replace(INFO, status=None, seats=tuple(replace(seat, power=None, wish=POWERS[0]) for seat in SHOWN)),
            systems[SystemId("diplomacy")].info,
        ),
        "list in a server": games_message(LINES, in_server=True, names={}),
        "list in direct messages": games_message(LINES, in_server=False, names={}),
        "no list": games_message((), in_server=True, names={}),
        "call for players": call_for_players(GAME, systems[SystemId("diplomacy")].info, UserId(1)),
        "call with everybody": call_for_players(
            replace(GAME, status=GameStatus.LOBBY),
            systems[SystemId("diplomacy")].info,
            UserId(1),
            seats=[replace(seat, word="W" * 40) for seat in SEATS],
        ),
        "joined": (seat_message(GAME, SEATS[0]),),
        "vote": (vote_message(VoteReceipt(GAME, BallotKind.CONCESSION, True, POWERS[0], False)),),
        "which game": (
            which_game_message(
                (GAME, *(replace(GAME, id=GameId(n), token=f"g{n}") for n in range(1, 40))),
                10**18,
                "`A BUD` - SER\n" * 9000,
                at=NOW,
            ),
        ),
        "guide": (guide_message(RECEIPT, FLOW, MENU, token="t" * 12),),
        "help": help_message(PERSON, lambda name: f"</{name}:{10**18}>"),
        "hello": hello_message(PERSON, lambda name: f"</{name}:{10**18}>"),
        "refused": (refused_message(Refused(phrase("refused.unknown_game", name="`*" * 3000), LONG_REASON)),),
    }


def test_discord_takes_it() -> None:
    assert all(built().values())
    found = {
        name: [breach for message in messages for breach in breaches(message)] for name, messages in built().items()
    }
    assert {name: breaches for name, breaches in found.items() if breaches} == {}


def test_results_of_seven_full_powers_are_told_in_the_channel_order_by_order() -> None:
    told = "".join(
        embed.description
        for message in built()["results of seven powers with seventeen units"][:-1]
        for embed in message.embeds
    )

    assert told.count("✗ F STP/SC S A MOS - LVN") == 7 * 17


def test_results_too_long_for_a_channel_are_a_file_and_told_in_brief() -> None:
    messages = built()["results of forty powers"]
    (file,) = [file for message in messages for file in message.files if file.filename == "report.txt"]
    told = "".join(embed.description for message in messages for embed in message.embeds)

    assert file.text.count("F STP/SC S A MOS - LVN") == 40 * 17
    assert len(messages) <= 4
    assert told.count("all of them are in the file") == 40


def test_no_file_name_tells_of_a_game_or_a_power() -> None:
    names = {
        filename
        for messages in built().values()
        for message in messages
        for filename in (*(each.filename for each in message.pictures), *(each.filename for each in message.files))
    }

    assert names <= {"map.png", "orders.png", "board.txt", "report.txt", "refused.txt", "sheet.txt"}


def test_no_custom_id_holds_more_than_action_game_phase_and_token() -> None:
    ids = [
        custom_id
        for messages in built().values()
        for message in messages
        for custom_id in (*(each.custom_id for each in message.buttons), *(each.custom_id for each in message.selects))
    ]

    assert len(ids) > 10
    for custom_id in ids:
        prefix, _, game, phase, *token = custom_id.split(":")
        assert prefix == "so"
        assert game == "0" or re.fullmatch(r"g[0-9]+", game)
        assert phase.isdigit()
        assert "".join(token) in ("", "t" * 12, str(10**18), "diplomacy-0")


def test_no_message_may_notify_by_accident() -> None:
    hostile = replace(GAME, name="@everyone <@&5> <@7>")

    called = call_for_players(hostile, systems[SystemId("diplomacy")].info, UserId(7), seats=SEATS)
    assert all(message.mentions == () for message in called)


def test_a_seat_of_a_power_that_is_out_is_not_offered() -> None:
    told = "".join(
        embed.description + "".join(f.value for f in embed.fields)
        for embed in info_message(INFO, systems[SystemId("diplomacy")].info)[0].embeds
    )

    assert "(out)" in told
    assert "/game join" not in told


def test_who_plays_more_games_than_a_menu_holds_is_told_how_to_reach_the_others() -> None:
    games = [replace(GAME, id=GameId(n), token=f"g{n}") for n in range(27)]
    told = which_game_message(games, 10**18, "A BUD - SER", at=NOW).content
    assert "The menu has the 25 that are due first. For 2 others, use `/orders enter` and name the game" in told
    assert "The menu has" not in which_game_message(games[:25], 10**18, "A BUD - SER", at=NOW).content
