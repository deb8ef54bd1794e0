"""Messages that are kept as JSON come back as they were."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.model import UserId
from bot.text.message import (
    Button,
    ButtonStyle,
    Embed,
    Field,
    Message,
    ScenePicture,
    Select,
    SelectChoice,
    TextFile,
)
from bot.text.message_json import messages_from_json, words_to_json
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.pictures.scene import Scene

PICTURE = ScenePicture(Scene(SystemId("diplomacy"), "standard", phrase("x")), "map.png", "A map.")
WHOLE = Message(
    content="Spring 1901 „Süd“",
    embeds=(Embed("Title", "Text", (Field("a", "b", is_inline=True),), "foot", 0x123456), Embed()),
    pictures=(PICTURE,),
    files=(TextFile("board.txt", "A PAR"),),
    buttons=(Button("so:ready:1:1", "Ready", ButtonStyle.SUCCESS, is_disabled=True),),
    selects=(Select("so:which:1", "Which?", (SelectChoice("1", "War", "a game"), SelectChoice("2", "Peace"))),),
    mentions=(UserId(2**62),),
)


def test_words_come_back_and_take_the_pictures_that_are_composed_now() -> None:
    stored = json.loads(json.dumps([words_to_json(WHOLE), words_to_json(Message("more"))]))
    assert messages_from_json(stored, [WHOLE, Message("otherwise")]) == (WHOLE, Message("more"))


def test_words_stand_without_pictures_where_none_are_composed_any_more() -> None:
    stored = json.loads(json.dumps([words_to_json(WHOLE)]))
    assert messages_from_json(stored, []) == (replace(WHOLE, pictures=()),)
