"""A battle in Kalevala as its rulers get it: a page, pictures and every roll for those who fought."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.errors import Refused
from bot.text.compose import compose
from bot.text.doors import page_message
from bot.text.message import Message
from engine.core.ids import PowerId, SystemId
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.war import room as war_room
from engine.pictures.film import Film
from engine.pictures.site import SiteScene
from engine.registry import systems
from tests.bot.services.world import World

KALEVALA = systems[SystemId("kalevala")]
RULERS = ("anna", "bert", "carl", "dora", "emil", "fina")
PLAYERS = {UserId(number): ruler for number, ruler in enumerate(RULERS, start=1)}
ANNA, BERT, CARL = UserId(1), UserId(2), UserId(3)
ATTACK = "ENTER 2 2F+7 K 2G+6 20LB 5BB"
PLAN = "BATTLE 2F+7\nGROUP bows 5BB\nAIM bows SHOOT\nAIM ALL TAKE HZ\nEND"


@pytest.fixture
def world() -> World:
    return World({KALEVALA.info.id: KALEVALA})


@pytest.fixture
def game_id(world: World) -> GameId:
    """The window of deeds; Anna's scouts have seen Bert's men in the market between them."""
    found = world.start(wishes=PLAYERS, system="kalevala", players=6)
    state = world.game(found).document["state"]
    world.set_state(
        found,
        phase={"part": 3},
        owners={**state["owners"], "2G+6": "bert"},
        stacks={
            **state["stacks"],
            "anna": {**state["stacks"]["anna"], "2F+7": "20LB 5BB"},
            "bert": {**state["stacks"]["bert"], "2G+6": "6LB 2BB"},
        },
        explored={"anna": [{"ee": 1, "from": "2F+7", "to": "2G+6", "result": "full"}]},
    )
    return found


def mail(world: World, game_id: GameId) -> dict[int, list[Message]]:
    found: dict[int, list[Message]] = {}
    for outgoing in world.outbox(game_id):
        found.setdefault(outgoing.target_id, []).extend(compose(world.context, outgoing))
    return found


def test_who_fought_gets_a_page_pictures_and_every_roll_and_nobody_else_learns_of_it(
    world: World, game_id: GameId
) -> None:
    world.submit(game_id, ANNA, f"{ATTACK}\n{PLAN}")
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    found = mail(world, game_id)
    for user_id in (ANNA, BERT):
        (album,) = (message for message in found[user_id] if "The battle of 2G+6" in message.content)
        page = album.embeds[0].description
        assert "Anna attacked with 5 archers and 20 lancers" in page
        assert "Round 1." in page
        shown = [picture.scene for picture in album.pictures]
        assert isinstance(shown[0], SiteScene)
        assert isinstance(shown[-1], Film)
        assert {token.power for token in shown[0].tokens} == {"anna", "bert"}
        assert all(picture.alt for picture in album.pictures)
        whole = "".join(file.text for message in found[user_id] for file in message.files)
        assert "Every roll of the battle of 2G+6" in whole
        assert "KR 1: " in whole or "KR 2: " in whole
    for reader, messages in found.items():
        if reader not in (ANNA, BERT):
            assert "2G+6" not in "".join(map(repr, messages))


def test_the_plan_is_shown_written_and_tried_out_by_its_doors(
    world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(war_room, "MOST_BATTLES", 4)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 3)
    world.submit(game_id, ANNA, ATTACK)
    form = doors.form(world.context, game_id, ANNA, "warlines")
    assert "AIM line TAKE HZ" in form.text
    receipt = doors.submit_form(world.context, game_id, ANNA, "warform", form.text)
    assert receipt.errors == ()
    assert "BATTLE 2F+7 VS 2G+6: AIM bows SHOOT" in receipt.orders

    (plan,) = page_message(doors.ask(world.context, game_id, ANNA, "warplan", {}))
    assert isinstance(plan.pictures[0].scene, SiteScene)
    assert "AIM bows SHOOT" in repr(plan.embeds)
    ways = ["A sensible plan", "Plan with menus", "Write a plan", "Try it out"]
    assert [button.label for button in plan.buttons[:4]] == ways
    told = repr(page_message(doors.ask(world.context, game_id, ANNA, "wartrial", {"enemy": "4L"})))
    assert "Fought 4 times" in told
    assert "How it usually goes" in told
    assert doors.form(world.context, game_id, ANNA, "warlines").text.startswith("BATTLE 2F+7 VS 2G+6\n")
    with pytest.raises(Refused):
        doors.ask(world.context, game_id, CARL, "wartrial", {"place": "2G+6"})
    assert "2G+6" in [choice.value for choice in doors.complete(world.context, game_id, ANNA, "wartrial", "place", "")]


def test_a_briefing_offers_the_plan_where_scouts_have_seen_somebody(world: World, game_id: GameId) -> None:
    view = KALEVALA.sight.view(KALEVALA.play.load(world.game(game_id).document or {}), _playing("anna"))
    other = KALEVALA.sight.view(KALEVALA.play.load(world.game(game_id).document or {}), _playing("carl"))
    assert [told.door.id for told in doors.briefings(KALEVALA, view) if told.door.family == "war"] == ["warplan"]
    assert [told for told in doors.briefings(KALEVALA, other) if told.door.family == "war"] == []


def _playing(ruler: str) -> Playing:
    return Playing(PowerId(ruler))


@pytest.mark.parametrize("word", ["king court", "agents dossier", "temple priests", "caravan"])
def test_who_has_none_of_what_a_page_shows_is_told_so_and_how_to_get_it(
    world: World, game_id: GameId, word: str
) -> None:
    with pytest.raises(Refused) as refused:
        doors.show(world.context, game_id, ANNA, word)
    said = load_phrases("kalevala").render(refused.value.what)
    assert said.startswith("You have no ")
    assert "`" in said, "an order to begin with"


def test_whoever_names_an_enemy_for_a_refused_attack_is_not_asked_to_name_one(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANNA, "ENTER 2 2F+7 K 2G+6 99LB")
    with pytest.raises(Refused) as refused:
        doors.ask(world.context, game_id, ANNA, "war trial", {"place": "2G+6", "enemy": "5L"})
    assert refused.value.what.code == "door.wartrial.nobody_fights"
