"""Our messages as discord.py sends them."""

from __future__ import annotations

import discord

from bot.discord_messages import edit_kwargs, message_kwargs, modal
from bot.model import UserId
from bot.text.message import (
    Button,
    ButtonStyle,
    Embed,
    Field,
    Form,
    Message,
    ScenePicture,
    Select,
    SelectChoice,
    TextFile,
)
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.pictures.scene import Scene
from tests.fakes import FakeRenderer

SCENE = Scene(system=SystemId("diplomacy"), variant="standard", title=phrase("report.standings"))


async def test_pictures_are_drawn_and_carry_their_alt_text() -> None:
    renderer = FakeRenderer()
    message = Message("x", pictures=(ScenePicture(SCENE, "map.png", "All of Europe"),), files=(TextFile("a.txt", "ä"),))

    kwargs = await message_kwargs(message, renderer)

    picture, text = kwargs["files"]
    assert renderer.drawn == [SCENE]
    assert (picture.filename, picture.description) == ("map.png", "All of Europe")
    assert text.fp.read() == "ä".encode()


async def test_only_the_named_users_can_be_notified() -> None:
    kwargs = await message_kwargs(Message("<@1> <@2> @everyone", mentions=(UserId(2),)), FakeRenderer())

    assert kwargs["allowed_mentions"].to_dict() == {"parse": [], "users": [2]}


async def test_what_a_message_lacks_is_left_out() -> None:
    kwargs = await message_kwargs(Message("x"), FakeRenderer())

    assert kwargs.keys() == {"content", "allowed_mentions"}


async def test_an_edit_takes_away_what_was_there_before() -> None:
    kwargs = await edit_kwargs(Message("x"), FakeRenderer())

    assert (kwargs["embeds"], kwargs["attachments"], kwargs["view"]) == ([], [], None)


async def test_embeds_are_carried_over() -> None:
    embed = Embed("Title", "Text", (Field("Name", "Value", is_inline=True),), "Foot", 0x123456)

    (made,) = (await message_kwargs(Message(embeds=(embed,)), FakeRenderer()))["embeds"]

    assert (
        made.to_dict()
        == discord.Embed(title="Title", description="Text", colour=0x123456)
        .add_field(name="Name", value="Value", inline=True)
        .set_footer(text="Foot")
        .to_dict()
    )


async def test_buttons_stand_in_rows_of_five_below_the_menus_and_nothing_is_kept_in_memory() -> None:
    buttons = tuple(Button(f"so:map:{number}:1", "Map", ButtonStyle.DANGER) for number in range(7))
    select = Select("so:pick:1:1:t", "Choose", (SelectChoice("v", "Label"),))

    view = (await message_kwargs(Message("x", buttons=buttons, selects=(select,)), FakeRenderer()))["view"]

    rows = view.to_components()
    assert [len(row["components"]) for row in rows] == [1, 5, 2]
    assert view.is_finished()


async def test_a_form_holds_its_text_and_is_not_kept_in_memory() -> None:
    made = modal(Form("so:sheet:1:1", "Spring", "Orders", "A BUD …", "A BUD - SER"))

    payload = made.to_dict()
    assert payload["custom_id"] == "so:sheet:1:1"
    assert payload["components"][0]["component"]["value"] == "A BUD …"
    assert made.is_finished()
