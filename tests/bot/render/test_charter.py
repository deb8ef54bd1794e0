"""The picture of a deed: for the two who made it, readable where it is first shown, nothing beside what it says."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image, ImageChops

from bot.render.charter import MOST_ITEMS, WHOLE, draw_charter
from bot.render.encode import encoded
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.viewer import Playing
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA
from engine.pictures.charter import Charter
from tests.engine.kalevala.test_trade import ANNA, ANSWER, BERT, CARL, GIVE, OFFER, TAKE, lands, market, sheets


def charters(state: State, ruler: PowerId, **texts: str) -> list[Charter]:
    """The deeds of a window that a ruler gets as pictures."""
    done = KALEVALA.play.adjudicate(state, sheets(state, **texts), KALEVALA.play.dice(state))
    view = KALEVALA.sight.view(state, Playing(ruler))
    albums = KALEVALA.telling.albums(view, visible_events(done.events, Playing(ruler)))
    return [shown for album in albums for shown in album.pictures if isinstance(shown, Charter)]


def test_a_deed_that_was_made_is_shown_to_its_two_sides_alone() -> None:
    for state, anna, bert in ((market(), OFFER, ANSWER), (lands(), TAKE, GIVE)):
        found = [charters(state, ruler, anna=anna, bert=bert) for ruler in (ANNA, BERT, CARL)]
        assert [len(each) for each in found] == [1, 1, 0]
        assert {found[0][0].left.power, found[0][0].right.power} == {ANNA, BERT}
        assert charters(state, ANNA, anna=anna, bert="PASS") == charters(state, BERT, anna=anna, bert="PASS") == []


def test_the_end_of_a_fief_is_no_deed() -> None:
    document = KALEVALA.play.dump(lands())
    document["state"]["fiefs"] = [{"gf": "2D+4", "giver": "bert", "holder": "anna", "until": 2, "entered": True}]
    assert charters(KALEVALA.play.load(document), ANNA, anna="PASS", bert="PASS") == []


def test_it_is_as_broad_as_discord_shows_it_first_and_says_in_words_what_it_shows() -> None:
    (card,) = charters(market(), ANNA, anna=OFFER, bert=ANSWER)
    picture, _ = draw_charter(card)
    assert picture.size == WHOLE
    assert 1.4 < picture.width / picture.height < 1.65, "about 550 x 350"
    shown = Image.open(io.BytesIO(encoded(card, width_px=350).file))
    assert shown.width == 350
    assert [line.code for line in card.in_words] == ["event.handover"]


def test_many_goods_and_long_names_stay_within_their_column() -> None:
    (card,) = charters(market(), ANNA, anna=OFFER, bert=ANSWER)
    goods = tuple(phrase("charter.land", gf=f"{number} sailing ships of Pohjola") for number in range(MOST_ITEMS + 4))
    long = replace(card, left=replace(card.left, items=goods))
    one, other = draw_charter(card)[0], draw_charter(long)[0]
    box = ImageChops.difference(one, other).getbbox()
    assert box is not None
    assert box[0] > 40
    assert box[2] < WHOLE[0] / 2
    assert box[3] < WHOLE[1] - 90
