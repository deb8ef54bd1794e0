"""What is for some stays with them: of whole games, all that would be sent to anybody."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

from bot.model import Delivery, Game, GameId, GameStatus, Outgoing, Target, UserId
from bot.services import turns
from bot.text import posts
from bot.text.catalogue import words_of
from bot.text.compose import compose
from bot.text.message import Message
from engine.core.depiction import Depiction
from engine.core.events import visible_events
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import may_know
from engine.core.reading import restored
from engine.core.viewer import EVERYBODY, Playing, Viewer
from engine.registry import AnySystem, systems
from tests.bot.services.world import CHANNEL, World
from tests.play_random import WRITERS
from tests.toy_fens import FEN

Sent = list[tuple[Outgoing, tuple[Message, ...]]]
GAMES = {
    "fens": cast(AnySystem, FEN),
    "young_kingdoms": systems[SystemId("young_kingdoms")],
    "kalevala": systems[SystemId("kalevala")],
}
PHASES: Mapping[str, int] = {"kalevala": 7}
"""The others have twice as many."""


def play(world: World, rules: AnySystem, chance: random.Random) -> tuple[GameId, Sent]:
    """A game with random orders, whose mail is composed whenever there is any."""
    number = rules.info.seats[0]
    players = {UserId(seat): "" for seat in range(1, number + 1)}
    game_id = world.start(wishes=players, system=rules.info.id, players=number, options={})
    sent: Sent = []
    while True:
        sent += [(outgoing, compose(world.context, outgoing)) for outgoing in world.outbox(game_id)]
        world.forget_mail()
        game = world.game(game_id)
        if game.status is GameStatus.OVER or len(world.records(game_id)) >= PHASES.get(rules.info.id, 16):
            return game_id, sent
        assert game.document is not None
        state = rules.play.load(game.document)
        for seat in world.seats(game_id):
            if seat.power not in rules.play.status(state).to_act or seat.user_id is None:
                continue
            if rules.info.id in WRITERS:
                # Letters and the like, which stand in no list of orders.
                world.submit(game_id, seat.user_id, WRITERS[rules.info.id](state, seat.power, chance) or "PASS")
                continue
            legal = rules.orders.legal(rules.sight.view(state, Playing(seat.power)))
            picked = [chance.choice(orders) for orders in legal.values() if orders and chance.random() < 0.7]
            if picked:
                world.submit(game_id, seat.user_id, "\n".join(map(rules.orders.format, picked)))
        world.pass_deadline(game_id)


def told(message: Message) -> str:
    """All that is to be read of a message, its files and its pictures among it."""
    return repr(message)


def private(world: World, rules: AnySystem, game_id: GameId) -> Iterator[tuple[frozenset[PowerId], str]]:
    """Everything that happened of which only some may know, in words, with those who may."""
    words = words_of(world.game(game_id))
    public = {
        words.render(each) for record in world.records(game_id)
        for each in [event.what for event in record.events if event.audience is None]
    }  # fmt: skip
    told: dict[str, frozenset[PowerId]] = {}
    for record in world.records(game_id):
        for event in record.events:
            if event.audience is not None and (text := words.render(event.what)) not in public:
                # What several were told in the same words, each for themselves, tells nothing of the others.
                told[text] = told.get(text, frozenset()) | event.audience
    yield from ((audience, text) for text, audience in told.items())


def own_lines(world: World, rules: AnySystem, game_id: GameId) -> set[str]:
    """What reports tell of single lines and of what happened to those alone who may know it, and what they ordered."""
    words = words_of(world.game(game_id))
    found: set[str] = set()
    public: set[str] = set()
    for record in world.records(game_id):
        state = rules.play.load(record.end)
        viewers: list[Viewer] = [EVERYBODY, *(Playing(seat.power) for seat in world.seats(game_id) if seat.power)]
        for viewer in viewers:
            view = rules.sight.view(state, viewer)
            results = restored(rules, view, (each for each in record.results if may_know(viewer, each.audience)))
            told = rules.telling.report(view, results, visible_events(record.events, viewer))
            lines = {words.render(line) for section in told.sections for line in section.lines}
            (public if viewer == EVERYBODY else found).update(lines)
        found |= {each.text for each in record.results if each.audience is not None and len(each.text) > len("PASS")}
        public |= {each.text for each in record.results if each.audience is None}
    return found - public


def leaks(world: World, rules: AnySystem, game_id: GameId, sent: Sent) -> list[str]:
    """What reached somebody who may not know it."""
    found = []
    powers = {seat.user_id: seat.power for seat in world.seats(game_id)}
    hidden = list(private(world, rules, game_id))
    assert hidden, "the game has secrets"
    lines = own_lines(world, rules, game_id)
    assert lines or rules.info.has_public_board
    for outgoing, messages in sent:
        power = powers.get(UserId(outgoing.target_id)) if outgoing.target is Target.USER else None
        text = "\n".join(map(told, messages))
        found += [what for audience, what in hidden if power not in audience and what in text]
        found += [line for line in lines if outgoing.target is Target.CHANNEL and line in text]
        if outgoing.target is Target.CHANNEL:
            found += [
                f"a picture in {outgoing.kind}" for scene in pictures(messages) if not is_public(world, game_id, scene)
            ]
    return found


def pictures(messages: tuple[Message, ...]) -> Iterator[Depiction]:
    return (picture.scene for message in messages for picture in message.pictures)


def is_public(world: World, game_id: GameId, scene: Depiction) -> bool:
    """Whether a picture is one that everybody's view gives."""
    return scene.viewer is None and world.context.systems[scene.system].info.has_public_board


@pytest.mark.parametrize("system", GAMES)
def test_nothing_reaches_anybody_that_is_not_for_them(system: str, fens_words_if: None) -> None:
    rules = GAMES[system]
    world = World({rules.info.id: rules})
    game_id, sent = play(world, rules, random.Random(7))
    assert len(world.records(game_id)) > 6
    assert leaks(world, rules, game_id, sent) == []


def test_a_composer_that_tells_too_much_is_caught(monkeypatch: pytest.MonkeyPatch, fens_words: None) -> None:
    world = World({FEN.info.id: cast(AnySystem, FEN)})
    monkeypatch.setattr(posts, "EVERYBODY", Playing(PowerId("red")))
    game_id, sent = play(world, cast(AnySystem, FEN), random.Random(7))
    assert leaks(world, cast(AnySystem, FEN), game_id, sent) != []


@pytest.fixture
def fens_words_if(request: pytest.FixtureRequest) -> None:
    """The toy's words, for the toy."""
    if request.node.callspec.params["system"] == "fens":
        request.getfixturevalue("fens_words")


@pytest.fixture
def round_of(fens_words: None) -> tuple[World, GameId, Sent]:
    """A round of the fens: red dug and wrote to green, who raided nobody."""
    world = World({FEN.info.id: cast(AnySystem, FEN)})
    game_id = world.start(system="fens")
    world.submit(game_id, UserId(1), 'DIG\nSCOUT 4\nLETTER green "peace?"')
    world.forget_mail()
    world.ready(game_id, UserId(1), UserId(2), UserId(3))
    return world, game_id, [(outgoing, compose(world.context, outgoing)) for outgoing in world.outbox(game_id)]


def test_channel_gets_the_calendar_and_the_courier_and_no_board(round_of: tuple[World, GameId, Sent]) -> None:
    _, _, sent = round_of
    posts = [message for outgoing, messages in sent if outgoing.target is Target.CHANNEL for message in messages]
    text = "\n".join(map(told, posts))
    assert "the courier rode out with 1 letter" in text
    assert "round 1, war" in text
    assert "peace?" not in text
    assert [message.pictures for message in posts] == [()] * len(posts)
    assert [message.files for message in posts] == [()] * len(posts)
    assert sum("scouting" in told(message) for message in posts) == 0, (
        "a phase that passed with nothing for all is not told"
    )


def test_each_seat_gets_letter_ledger_and_picture(round_of: tuple[World, GameId, Sent]) -> None:
    _, _, sent = round_of
    letters = {outgoing.target_id: messages for outgoing, messages in sent if outgoing.kind == "briefing"}
    assert set(letters) == {1, 2, 3}
    files = {
        user: {file.filename: file.text for m in messages for file in m.files} for user, messages in letters.items()
    }
    assert "red writes" in files[2]["report.txt"] or "Red writes" in files[2]["report.txt"]
    assert "you dug up" in files[1]["report.txt"]
    assert "peat:" in files[1]["ledger.txt"]
    assert "peace?" not in "".join(map(told, letters[3]))
    for user, messages in letters.items():
        (scene,) = pictures(messages)
        assert scene.viewer == ("red", "green", "blue")[user - 1]


def test_a_letter_that_comes_after_one_that_did_not_arrive_has_what_was_in_it(fens_words: None) -> None:
    world = World({FEN.info.id: cast(AnySystem, FEN)})
    game_id = world.start(system="fens")
    world.submit(game_id, UserId(1), 'DIG\nLETTER green "peace?"')
    world.ready(game_id, UserId(1), UserId(2), UserId(3))
    outbox = world.storage.tables.outbox
    for message in world.outbox(game_id):
        if message.kind == "briefing" and message.target_id == 2:
            outbox[message.id] = replace(message, delivery=Delivery.FAILED, error="403 50007")
    world.ready(game_id, UserId(1), UserId(2), UserId(3))

    phase_no = world.game(game_id).phase_no
    letters = {
        message.target_id: "".join(map(told, compose(world.context, message)))
        for message in world.outbox(game_id)
        if message.kind == "briefing" and message.phase_no == phase_no
    }
    assert ["peace?" in letters[user] for user in (1, 2, 3)] == [False, True, False]


def test_who_is_missing_is_told_by_name(fens_words: None) -> None:
    world = World({FEN.info.id: cast(AnySystem, FEN)})
    game_id = world.start(system="fens")
    world.ready(game_id, UserId(1), UserId(2))
    world.storage.tables.seats[game_id, 3] = replace(world.seat(game_id, PowerId("blue")), dms_closed=True)
    world.forget_mail()
    game: Game = world.game(game_id)
    assert game.remind_at is not None
    while world.game(game_id).remind_at is not None:
        world.clock.moment = cast(Any, world.game(game_id).remind_at)
        turns.sweep(world.context)
    (missing,) = (each for each in world.outbox(game_id) if each.kind == "still_missing")
    assert json.loads(json.dumps(dict(missing.payload))) == {"powers": ["blue"]}
    (post,) = compose(world.context, missing)
    assert "Blue" in post.content
    assert missing.target_id == CHANNEL


def test_a_note_reaches_the_game_masters_and_nobody_else() -> None:
    world = World({SystemId("kalevala"): systems[SystemId("kalevala")]})
    players = {UserId(seat): "" for seat in range(1, 7)}
    game_id = world.start(wishes=players, system="kalevala", players=6, options={})
    world.forget_mail()
    world.submit(game_id, UserId(1), 'NOTE "my scouts saw a ghost"')
    world.ready(game_id, *players)
    sent = [(outgoing, compose(world.context, outgoing)) for outgoing in world.outbox(game_id)]
    telling = [outgoing for outgoing, messages in sent if "a ghost" in "".join(map(told, messages))]
    masters = world.game(game_id).game_masters
    assert {(each.kind, each.target_id) for each in telling} == {
        *(("notes", user) for user in masters), ("briefing", 1),
    }  # fmt: skip
