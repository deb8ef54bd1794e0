"""What a game master does beside the rules: an act, told to those whom it concerns alone. Source: ruling KA195"""

from __future__ import annotations

import pytest

from bot.model import GameId
from bot.services import gm, replay
from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY, Playing, Viewer
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_battles import ANNA, BERT, PLAYERS, world
from tests.bot.services.test_rulings import REFEREE, position_seen, record_of, rule, state, told
from tests.bot.services.world import World

__all__ = ["world"]
HOME, FREE, KNOWN = "2E+8", "2D+5", "2D+6"


@pytest.fixture
def closed(world: World) -> GameId:
    """A window of orders is over, in which Anna wrote to Bert."""
    found = world.start(wishes=PLAYERS, system="kalevala", players=6)
    given = state(world, found)
    rulers = {**given["rulers"], "anna": {**given["rulers"]["anna"], "god": {"oeh": 190, "seat": 1}}}
    world.set_state(found, rulers=rulers)
    world.set_state(found, known={"anna": [KNOWN]})
    world.submit(found, ANNA, 'LETTER bert "Shall we share the north?"')
    world.ready(found, *PLAYERS)
    world.forget_mail()
    return found


@pytest.mark.parametrize(
    ("text", "words", "concerned"),
    [
        ("god anna +15", "gives your god 15 OEH: he has 205 now, which is level 1", {ANNA}),
        ("god Anna -15", "takes 15 OEH from your god", {ANNA}),
        (f"give anna {HOME} 5RE 3L", f"gives you 5RE 3L in {HOME}", {ANNA}),
        (f"take anna {HOME} 1L", f"takes 1L from you in {HOME}", {ANNA}),
        (f"land anna {FREE}", f"gives you {FREE}", {ANNA}),
        (f"item anna {HOME} +2 Sampo: A mill that grinds", f"Sampo (Ar/1) is yours now, in {HOME}", {ANNA}),
        (f"item nobody {HOME} +1 Sampo", f"An artefact lies in {HOME}: Sampo", {ANNA}),
        ("protect bert 3", "until the end of great round 4", {BERT}),
        (f"reveal anna {FREE}", f"You hear of {FREE}", {ANNA}),
        (f"hide anna {KNOWN}", f"remember {KNOWN} any more", {ANNA}),
        ("tell anna  Seek the sampo.", "From the game master: Seek the sampo.", {ANNA}),
        ("silence anna 2", "stopped what you write from being delivered until the end of great round 3", {ANNA}),
        ("forbid anna 1", "Shall we share the north?", {BERT}),
        (f"set stacks.anna.{HOME} 1L", "has corrected something that you can see", {ANNA}),
        (f"marauders {FREE} 20L", "", set()),
    ],
)
def test_a_decree_comes_about_and_only_those_concerned_are_told(
    world: World, closed: GameId, text: str, words: str, concerned: set[int]
) -> None:
    others: list[Viewer] = [
        EVERYBODY,
        *(Playing(PowerId(name)) for user, name in PLAYERS.items() if user not in {ANNA, BERT}),
    ]
    before = state(world, closed), [position_seen(world, closed, viewer) for viewer in others]
    rule(world, closed, text)
    assert state(world, closed) != before[0] or text == "forbid anna 1" or words.startswith("From")
    assert [position_seen(world, closed, viewer) for viewer in others] == before[1]
    mail = told(world, closed)
    assert set(mail) >= concerned
    assert set(mail) <= {ANNA, BERT}
    assert all(words in mail[user] for user in concerned)
    found = replay.verify(world.context, closed)
    assert (found.drifted, found.altered) == ((), ())


def test_whoever_has_no_realm_comes_again_as_an_invader(world: World) -> None:
    options = {"invaders": "true", "landless": "1"}
    found = world.start(wishes=PLAYERS, system="kalevala", players=6, options=options)
    given = state(world, found)
    assert [name for name, row in given["rulers"].items() if row.get("kind") == "invader"] == ["emil"]
    world.set_state(found, stacks={**given["stacks"], "anna": {}}, owners={
        place: owner for place, owner in given["owners"].items() if owner != "anna"
    })  # fmt: skip
    world.ready(found, *PLAYERS)
    world.forget_mail()
    others: list[Viewer] = [EVERYBODY, *(Playing(PowerId(name)) for user, name in PLAYERS.items() if user != ANNA)]
    before = [position_seen(world, found, viewer) for viewer in others]
    rule(world, found, "invader anna 2A+9")
    assert state(world, found)["rulers"]["anna"]["kind"] == "invader"
    assert [position_seen(world, found, viewer) for viewer in others] == before
    mail = told(world, found)
    assert set(mail) == {ANNA}
    assert "your horde stands in 2A+9" in mail[ANNA]
    assert replay.verify(world.context, found).drifted == ()


def test_who_is_silenced_is_told_so_when_they_write(world: World, closed: GameId) -> None:
    rule(world, closed, "silence anna 2")
    receipt = world.submit(closed, ANNA, 'LETTER bert "Again"')
    assert "V07" in repr(receipt)
    rule(world, closed, "silence anna 0")
    assert "V07" not in repr(world.submit(closed, ANNA, 'LETTER bert "Again"'))


def test_what_makes_no_sense_is_refused_and_changes_nothing(world: World, closed: GameId) -> None:
    before = state(world, closed)
    for text in (
        "god anna",
        "god anna 0",
        f"hide anna {HOME}",
        f"item anna {HOME} +6 Sampo",
        f"item anna {HOME} +2",
        f"item bert {HOME} +2 Sampo",
        f"give anna {HOME} Ar/1",
        f"give anna {HOME} Z/30",
        f"give anna {HOME} 2My/0",
        f"give anna {HOME} KrKö/4/0 PrKö/4/0",
        "item nobody 2A+6 +2 Sampo",
        "god anna -500",
        "god wolves +5",
        "god bert 99999999",
        f"give anna {HOME}",
        f"give anna {HOME} many",
        f"give bert {HOME} 1L",
        f"take anna {HOME} 99El",
        f"land anna {HOME}",
        f"land bert {HOME}",
        "land anna 2A+6",
        "land nobody 2D+5",
        f"marauders {HOME} 5L",
        "marauders",
        "protect anna 99",
        "protect anna",
        f"reveal anna {HOME}",
        "weakness anna fever",
        "weakness anna sloth",
        "tell anna",
        "tell anna …",
        "silence anna forever",
        "forbid anna 7",
        "forbid bert 9",
        "set",
        "set owners",
        "set owners.2D+4.x anna",
        "set rulers.anna.protected never",
        "decree anna",
    ):
        assert refused_code(lambda text=text: rule(world, closed, text)) == "edit_impossible", text
    assert refused_code(lambda: rule(world, closed, "god anna +5", ANNA)) == "ruler_plays"
    assert (state(world, closed), told(world, closed)) == (before, {})
    forms = gm.edit_forms(world.context, closed, REFEREE)
    assert {form.split()[0] for form in forms} >= {"god", "give", "land", "set", "silence", "forbid"}
    assert gm.edit_forms(world.context, closed, ANNA) == ()


def test_decrees_are_suggested_after_a_window_in_which_nobody_was_told_anything(world: World) -> None:
    quiet = world.start(wishes=PLAYERS, system="kalevala", players=6)
    for _ in range(2):
        world.ready(quiet, *PLAYERS)
    assert not any(event.audience for event in record_of(world, quiet, -1).events)
    rule(world, quiet, "protect anna 3")
    assert {"god fina +5", "protect fina 3"} <= set(gm.edit_forms(world.context, quiet, REFEREE))
