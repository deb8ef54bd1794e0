"""A game's first seed: the bot's secret, fixed before any word is in, the number of a public message, and words."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.model import GameId
from bot.services import lobby, overview, replay, transfer, which_game
from bot.services.errors import Refused
from bot.services.opening import Opening
from bot.services.seeds import LONGEST_WORD, SeedParts, parts_of, read_word
from bot.text.catalogue import common_words
from bot.text.compose import compose
from bot.text.games import seed_parts, verification_message
from engine.registry import systems
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, GUILD, World
from tests.odd import odd_texts

MASTER: dict[str, Any] = {"is_manager": False}


def sha256(text: str) -> str:
    """As `printf %s 'text' | sha256sum` gives it."""
    return hashlib.sha256(text.encode()).hexdigest()


def called(world: World, *, game: str = "Vault one", **words: str) -> GameId:
    """A call for three players, all of whom have joined; some of them gave a word."""
    game_id = world.create(name=game)
    for user_id, name in ((ANN, "ann"), (BOB, "bob"), (CY, "cy")):
        lobby.join_game(world.context, game_id, user_id, power=None, word=words.get(name))
    return game_id


def begun(world: World, game_id: GameId, *, message_id: int | None = 777) -> GameId:
    draw = lobby.prepare_start(world.context, game_id, CREATOR, **MASTER)
    lobby.start_game(world.context, game_id, CREATOR, **MASTER, message_id=message_id, words=draw.words)
    return game_id


def test_the_seed_is_the_secret_of_the_call_the_number_of_a_message_and_the_words() -> None:
    world = World()
    game_id = called(world, ann="apple", cy="seven  swans!")
    told_with_the_call = world.secret_seal(game_id)
    draw = lobby.prepare_start(world.context, game_id, CREATOR, **MASTER)
    assert (draw.seal, draw.words) == (told_with_the_call, ("apple", "seven swans"))

    begun(world, game_id)
    secret, *rest = world.seed(game_id).split("|")
    assert sha256(secret) == told_with_the_call
    assert rest == ["777", "apple", "seven swans"]


def test_nothing_that_is_handed_out_holds_the_secret() -> None:
    world = World()
    game = lobby.create_game(
        world.context,
        lobby.NewGame(system="toy", name="Vault", players=3, pace=world.game(world.create()).pace),
        guild_id=100,
        channel_id=200,
        user_id=CREATOR,
    )
    secret = world.game(game.id).own_seed
    assert secret
    lobby.join_game(world.context, game.id, ANN, power=None, word="apple")
    shown = (
        game,
        overview.game_info(world.context, game.id, ANN),
        overview.games_in_guild(world.context, 100),
        overview.games_of_user(world.context, ANN),
        which_game.resolve_game(world.context, user_id=ANN, guild_id=100, channel_id=200, name="Vault", purpose="any"),
    )
    assert game.own_seed is None
    for each in shown:
        assert secret not in repr(each)
    assert overview.game_info(world.context, game.id, ANN).game.own_seed is None
    assert secret not in repr(world.game(game.id))


def test_a_word_can_be_given_later_and_changed_until_the_start() -> None:
    world = World()
    game_id = called(world, ann="apple")
    lobby.join_game(world.context, game_id, BOB, power=None, word="pear")
    lobby.join_game(world.context, game_id, ANN, power=None, word="plum")
    assert refused_code(lobby.join_game, world.context, game_id, ANN, power=None) == "have_a_seat"
    begun(world, game_id)
    assert world.seed(game_id).endswith("|777|plum|pear")
    assert refused_code(lobby.join_game, world.context, game_id, ANN, power=None, word="fig") == "word_too_late"
    assert refused_code(lobby.join_game, world.context, game_id, DAN, power=None, word="fig") == "word_too_late"


def test_a_word_that_was_not_told_in_the_message_does_not_count() -> None:
    """It could have been chosen when the number of the message was known."""
    world = World()
    game_id = called(world, ann="apple")
    draw = lobby.prepare_start(world.context, game_id, CREATOR, **MASTER)
    lobby.join_game(world.context, game_id, BOB, power=None, word="pear")
    start = {"message_id": 777, "words": draw.words, **MASTER}
    assert refused_code(lobby.start_game, world.context, game_id, CREATOR, **start) == "words_changed"
    assert world.game(game_id).document is None


def test_start_is_prepared_only_where_it_can_be_made() -> None:
    world = World()
    game_id = world.create()
    assert refused_code(lobby.prepare_start, world.context, game_id, CREATOR, **MASTER) == "too_few_players"
    assert refused_code(lobby.prepare_start, world.context, game_id, DAN, **MASTER) == "not_a_game_master"


def test_a_seed_without_message_or_words_says_so() -> None:
    world = World()
    without_number = begun(world, called(world, ann="apple"), message_id=None)
    assert world.seed(without_number).split("|")[1:] == ["-", "apple"]
    [parts] = [sealed.parts for sealed in replay.verify(world.context, without_number).seals]
    assert parts == SeedParts("", None, ("apple",))
    without_words = begun(world, called(world, game="Two"))
    assert world.seed(without_words).split("|")[1:] == ["777"]
    words = common_words()
    assert "the channel could not be written to" in seed_parts(words, parts, seal="x")
    assert "nobody gave one" in seed_parts(words, SeedParts("", 777, ()), seal="x")


def test_a_call_of_an_earlier_version_gets_its_secret_before_the_message() -> None:
    world = World()
    game_id = called(world, ann="apple")
    world.storage.tables.games[game_id] = replace(world.game(game_id), own_seed=None)
    assert world.secret_seal(game_id) is None
    draw = lobby.prepare_start(world.context, game_id, CREATOR, **MASTER)
    begun(world, game_id)
    assert sha256(world.seed(game_id).partition("|")[0]) == draw.seal


def test_verify_shows_the_parts_and_the_secret_only_at_the_end() -> None:
    world = World(systems)
    game_id = world.create(system="kregen", players=None)
    for number in range(1, world.game(game_id).players + 1):
        lobby.join_game(world.context, game_id, number, power=None, word=f"word {number}")  # type: ignore[arg-type]
    begun(world, game_id)
    secret = world.seed(game_id).partition("|")[0]

    def told() -> str:
        found = replay.verify(world.context, game_id)
        assert found.opening is Opening.SAME
        return "\n".join(message.content for message in verification_message(found))

    opening = "\n".join(
        embed.description
        for message in world.outbox(game_id) if message.kind == "opening"
        for post in compose(world.context, message)
        for embed in post.embeds
    )  # fmt: skip
    text = told()
    assert sha256(secret) in text
    assert sha256(world.seed(game_id)) in text
    assert "777" in text
    assert "word 1|word 2" in text
    assert secret not in text
    # The call for players and the post before the opening have told all there is to be told.
    assert "seed" not in opening
    assert sha256(secret) not in opening
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    assert f"`{world.seed(game_id)}`" in told()


def test_exports_carry_secret_words_and_seed() -> None:
    world = World()
    calling, running = called(world, ann="apple"), begun(world, called(world, game="Two", bob="pear"))
    for game_id in (calling, running):
        exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
        other = World()
        copy = transfer.import_game(other.context, exported, guild_id=1, channel_id=2, user_id=DAN)
        assert copy.own_seed is None
        assert other.game(copy.id).own_seed == world.game(game_id).own_seed
        assert [seat.word for seat in other.seats(copy.id)] == [seat.word for seat in world.seats(game_id)]
    exported["game"].pop("own_seed")
    for row in exported["seats"]:
        row.pop("word")
    assert transfer.import_game(World().context, exported, guild_id=1, channel_id=2, user_id=DAN).id


def test_the_copy_of_a_call_has_a_secret_of_its_own() -> None:
    world = World()
    game_id = called(world, ann="apple")
    exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    exported["game"]["name"] = "Copy"
    begun(world, game_id)
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    copy = transfer.import_game(world.context, exported, guild_id=GUILD, channel_id=2, user_id=DAN)
    assert world.game(copy.id).own_seed not in (None, world.game(game_id).own_seed)


def test_the_call_for_players_of_a_game_that_was_moved_tells_the_secrets_fingerprint() -> None:
    world = World(systems)
    game_id = world.create(system="diplomacy", players=7)
    exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    other = World(systems)
    transfer.import_game(other.context, exported, guild_id=1, channel_id=2, user_id=DAN)
    (outgoing,) = other.storage.tables.outbox.values()
    text = "\n".join(message.content for message in compose(other.context, outgoing))
    assert f"`{world.secret_seal(game_id)}`" in text


@given(text=odd_texts(("apple", "war's", "a|b", "`x`")))
def test_any_word_can_be_typed_again_by_everybody_or_is_refused(text: str) -> None:
    try:
        word = read_word(text)
    except Refused:
        return
    assert 0 < len(word) <= LONGEST_WORD
    assert not set(word) & set("|'\"`\\$\n*<>@")
    assert word == read_word(word)
    word.encode()


@given(
    secret=st.text("0123456789abcdef", min_size=1),
    number=st.none() | st.integers(1, 2**63),
    words=st.lists(st.sampled_from(("apple", "seven swans", "²", "-", "10")), max_size=4),
)
def test_a_seed_can_be_taken_apart_again(secret: str, number: int | None, words: list[str]) -> None:
    parts = SeedParts(secret, number, tuple(words))
    assert parts_of(str(parts)) == (parts if number is not None or words else None)
