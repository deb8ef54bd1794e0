"""Pictures of battles: how large they get, that tokens can be read and told apart, and that a film stays small."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise, product

import pytest
from PIL import Image

from bot.render import battle_site
from bot.render.field_sight import canvas_of, relief_of, sight_of
from bot.render.film import MOST_BYTES, draw_film
from bot.render.style import font, load_style
from engine.core.phrases import phrase
from engine.kalevala.coordinates import GfId, neighbours_of
from engine.kalevala.telling import pictures
from engine.kalevala.telling.account import BattleAccount
from engine.pictures.site import SiteScene, middle_of
from tests.engine.kalevala.battles import ANNA, BERT, GOAL, HOME, crowd, stand, view_for, won

CHAT = (550, 350)
STYLE = load_style("kalevala", "small")


def test_cells_are_wide_enough_for_a_token_to_be_read_in_a_chat() -> None:
    """A token is some 0.74 cells wide, its letters half as high: 8 pixels at least."""
    for shown in (pictures.pictures(view_for(), won())[1], pictures.pictures(view_for(), crowd(20))[0]):
        picture, _ = battle_site.draw_battle(shown)
        cell = relief_of(canvas_of(shown, STYLE)).cell_px
        share = min(CHAT[0] / picture.width, CHAT[1] / picture.height)
        assert cell * share * 0.74 / 2 > 8


def far_apart() -> BattleAccount:
    """Four lancers against four about a city, and a single one at home, two great fields' heights to the south."""
    start = (
        *(stand(ANNA, GOAL, cell, "4LB") for cell in (32, 33, 34)),
        *(stand(BERT, GOAL, cell, "4L") for cell in (19, 20)),
        stand(ANNA, HOME, 46, "1LB"),
    )
    return BattleAccount(GOAL, (HOME, GOAL), ((ANNA,), (BERT,)), start=start, end=start)


def test_a_few_figures_far_off_are_listed_so_that_the_others_are_larger() -> None:
    whole, shown = far_apart(), pictures.pictures(view_for(), far_apart())[0]
    assert [(token.text, token.at[1]) for token in shown.beyond] == [("1LB", 46)]
    assert len(shown.tokens) == len(whole.start) - 1
    assert shown.box is not None
    left, top, right, bottom = shown.box
    assert all(left < x < right and top < y < bottom for x, y in (middle_of(shown.board, t.at) for t in shown.tokens))
    # Where they are many, they stay.
    many = replace(whole, start=(*whole.start[:-1], stand(ANNA, HOME, 46, "4LB")))
    assert pictures.pictures(view_for(), many)[0].beyond == ()


def test_a_high_site_has_its_signs_beside_it_and_keeps_to_the_shape_of_a_chat() -> None:
    """With lines below it, it would be shown narrower yet."""
    stands = (stand(ANNA, HOME, 2, "4LB"), stand(BERT, GfId("2C+5"), 19, "4L"))
    shown = pictures.plan(view_for(), [HOME, GfId("2C+5")], ANNA, stands, phrase("battle.before"), ())
    picture, _ = battle_site.draw_battle(shown)
    site_width, site_height = sight_of(shown).size
    assert site_width < 0.75 * site_height
    assert 0.85 < picture.width / picture.height < 1.25
    assert picture.height < 1.1 * site_height


def test_fields_one_below_the_other_are_not_cut_off_at_their_sides() -> None:
    """A chat has room beside a high picture, which the signs alone do not need."""
    fields = [HOME, GfId("2C+5")]
    start = (stand(ANNA, HOME, 45, "4LB"), stand(BERT, GfId("2C+5"), 12, "4L"))
    account = BattleAccount(HOME, tuple(fields), ((ANNA,), (BERT,)), start=start, end=start)
    whole = pictures.plan(view_for(), fields, ANNA, start, phrase("battle.before"), ())
    shown = pictures.pictures(view_for(), account)[0]
    assert shown.box is not None
    assert whole.box is not None
    assert (shown.box[0], shown.box[2]) == (whole.box[0], whole.box[2])
    picture, _ = battle_site.draw_battle(shown)
    assert picture.width / picture.height < CHAT[0] / CHAT[1], "its height alone decides how large it appears"


def test_many_samples_stand_above_their_words_where_a_list_is_narrow() -> None:
    """Beside them each word of a side with three powers would need a line of its own."""
    sample, words = Image.new("RGBA", (30, 30)), "Attack: Anna, Bert and Carl"
    rows = {
        count: battle_site._legend([([sample] * count, words)], STYLE, 30, 240, is_list=True)[0].height
        for count in (1, 3)
    }
    assert rows[3] == rows[1] + round(30 * 1.35), "one line for the samples, and no more for the words"


def test_sides_differ_in_shape_and_not_in_colour_alone() -> None:
    """The same colour, letters left out: the outlines alone."""
    shapes = []
    for role in ("attackers", "defenders", "others"):
        glyph = battle_site.token_glyph(role, (90, 90, 90), "1", "", "", 20, STYLE.fonts["strong"])
        shapes.append(glyph.getchannel("A").point([255 * (value > 127) for value in range(256)]).tobytes())
    assert len(set(shapes)) == 3


@pytest.mark.parametrize("cells", [4, 24])
def test_tokens_of_other_cells_do_not_overlap(cells: int) -> None:
    shown = pictures.pictures(view_for(), crowd(cells))[1]
    canvas = canvas_of(shown, STYLE)
    placed = battle_site.places_of(canvas, relief_of(canvas), shown)
    for (one, one_radius), (other, other_radius) in pairwise(sorted(placed.values())):
        far = ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5
        assert far > (one_radius + other_radius) * 0.95


def test_the_name_of_a_field_is_not_under_a_token() -> None:
    """Neither those with room beside them, nor the one in the middle of seven."""
    fields = [HOME, *neighbours_of(HOME)]
    start = tuple(stand(ANNA, HOME, cell, "4LB") for cell in range(1, 49) if cell * 7 % 10 < 6)
    whole = pictures.plan(view_for(), fields, ANNA, start, phrase("battle.before"), ())
    account = BattleAccount(HOME, tuple(fields), ((ANNA,), (BERT,)), start=start, end=start)
    for shown in (whole, pictures.pictures(view_for(), account)[0], pictures.pictures(view_for(), won())[1]):
        canvas = canvas_of(shown, STYLE)
        picture, relief = Image.new("RGB", sight_of(shown).size), relief_of(canvas)
        tokens = [*battle_site.places_of(canvas, relief, shown).values()]
        found = battle_site.places_of_names(picture, canvas, relief, tokens)
        assert len(found) == len(list(canvas.tiles()))
        for glyph, (x, y) in found:
            boxes = ((abs(x - left) - half, abs(y - top) - half) for (left, top), half in tokens)
            assert all(aside >= glyph.width / 2 or above >= glyph.height / 2 for aside, above in boxes)


def test_the_numbers_of_cells_are_neither_cut_off_nor_below_those_of_the_fallen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers: list[tuple[float, float, float]] = []
    losses: list[tuple[float, float]] = []
    loss = Image.new("RGBA", (1, 1))

    def noted(picture: Image.Image, glyph: Image.Image, at: tuple[float, float]) -> None:
        if glyph is loss:
            losses.append(at)

    def written(picture: Image.Image, style: object, at: tuple[float, float], text: str, size: float, **_: str) -> None:
        across = font(STYLE.fonts["label"], size).getlength(text) / 2
        assert across <= at[0] <= picture.width - across, text
        assert size * 0.37 <= at[1] <= picture.height - size * 0.37, text
        numbers.append((*at, across))

    monkeypatch.setattr(battle_site, "put", noted)
    monkeypatch.setattr(battle_site, "write", written)
    monkeypatch.setattr(battle_site, "_loss", lambda *_: loss)
    for shown in pictures.pictures(view_for(), won())[1:2] + pictures.pictures(view_for(), crowd(20))[1:2]:
        numbers.clear()
        losses.clear()
        cell_px = relief_of(canvas_of(shown, STYLE)).cell_px
        battle_site.draw_battle(shown)
        assert numbers
        assert losses
        for (x, y), (left, top, across) in product(losses, numbers):
            aside, above = abs(x - left) - across, abs(y - top) - cell_px * 0.11
            assert max(aside, above) > cell_px * 0.18


def test_what_is_not_known_shows_as_blank_parchment() -> None:
    """Bert has never seen where Anna came from."""
    fog = STYLE.colours["fog"]
    for ruler, is_known in ((ANNA, True), (BERT, False)):
        shown = pictures.pictures(view_for(ruler), won())[0]
        picture, _ = battle_site.draw_battle(shown)
        colours = picture.crop((60, 560, 120, 640)).getcolors(10_000) or []
        assert (max(colours)[1] == fog) is not is_known


def test_all_steps_of_a_film_show_the_same_and_the_file_is_small() -> None:
    film = pictures.film(view_for(), won())
    assert len({sight_of(step.scene).size for step in film.steps if isinstance(step.scene, SiteScene)}) == 1
    drawn = draw_film(film, width_px=500)
    assert len(drawn.file) < MOST_BYTES / 10
    with Image.open(BytesIO(drawn.file)) as gif:
        assert getattr(gif, "n_frames", 1) == len(film.steps)
