"""Pictures of hands: every card has its own look, and what is spent shows."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.render import MapRenderer
from bot.render.cards import CARD, EMBLEMS, GAP_PX, MOST_LINES, draw_hand, effect_lines
from bot.render.style import load_style
from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.hand import CardFace, Hand
from engine.young_kingdoms.cards import CARDS
from engine.young_kingdoms.doors import hand
from engine.young_kingdoms.system import YOUNG_KINGDOMS
from tests.bot.render.young_kingdoms import hand_of


def test_each_of_the_ten_cards_has_an_emblem_of_its_own() -> None:
    emblems = [card.emblem for card in hand_of(*CARDS).cards]
    assert len(set(emblems)) == len(CARDS)
    assert set(emblems) == EMBLEMS


def test_what_a_card_does_fits_on_it() -> None:
    style, words = load_style("young_kingdoms", "standard"), load_phrases("young_kingdoms")
    lines = {card.number: len(effect_lines(card, style, words)) for card in hand_of(*CARDS).cards}
    assert {number: count for number, count in lines.items() if count > MOST_LINES} == {}


def test_emblems_look_different() -> None:
    faces = [replace(hand_of(1).cards[0], emblem=emblem) for emblem in sorted(EMBLEMS)]
    pictures = [draw_hand(replace(hand_of(1), cards=(face,)))[0] for face in faces]
    alike = [
        (one.emblem, other.emblem)
        for place, (one, picture) in enumerate(zip(faces, pictures, strict=True))
        for other, another in zip(faces[:place], pictures[:place], strict=True)
        if changed_px(picture, another) < 1500
    ]
    assert alike == []


def changed_px(one: Image.Image, other: Image.Image) -> int:
    difference = ImageChops.difference(one, other).convert("L")
    return sum(difference.histogram()[40:])


@pytest.mark.parametrize(("count", "columns", "rows"), [(1, 2, 1), (4, 2, 2), (5, 3, 2), (10, 3, 4)])
def test_hands_of_every_size_have_room(count: int, columns: int, rows: int) -> None:
    picture, _ = draw_hand(hand_of(*range(1, count + 1)))
    assert picture.width == columns * (CARD[0] + GAP_PX) + GAP_PX
    assert rows * CARD[1] < picture.height < (rows + 1) * (CARD[1] + GAP_PX)


def test_a_spent_card_shows_as_spent() -> None:
    held = hand_of(4)
    spent = replace(held, cards=(replace(held.cards[0], is_used=True),))
    assert changed_px(draw_hand(held)[0], draw_hand(spent)[0]) > 20_000


def test_an_unknown_emblem_is_a_star_rather_than_an_error() -> None:
    face = CardFace(1, hand_of(1).cards[0].name, hand_of(1).cards[0].text, "no such emblem")
    assert draw_hand(replace(hand_of(1), cards=(face,)))[0].size[0] > 0


def test_the_renderer_packs_hands_as_it_does_maps() -> None:
    picture = MapRenderer().draw(hand_of(1, 2, 4, 8), width_px=600)
    with Image.open(io.BytesIO(picture.file)) as image:
        assert image.size == (600, picture.height_px)
    assert len(picture.file) < 400_000


def test_only_whose_sorcerer_lives_has_a_hand() -> None:
    rules = YOUNG_KINGDOMS
    state = rules.play.start(variant="standard", players=6, options={}, seed="spells")
    hands: dict[str, Hand | None] = {
        power: hand(rules.sight.view(state, Playing(PowerId(power)))) for power in state.variant.powers
    }
    assert {power for power, found in hands.items() if found} == {"melnibone", "pan_tang"}
    assert hand(rules.sight.view(state, EVERYBODY)) is None
