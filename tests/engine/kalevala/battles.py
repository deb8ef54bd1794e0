"""Battles made up for tests of how they are told: two lines that meet about a trade centre."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.battle.course import CONQUEST, MELEE, SHOT, BattleCourse, Incident, Spotted
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA
from engine.kalevala.telling.account import AccountRound, BattleAccount, Escape, Loss, Stand, Stroke

ANNA, BERT = PowerId("anna"), PowerId("bert")
HOME, GOAL = GfId("2D+4"), GfId("2D+5")
LAND = "TTtt TTtHH TTTTHH TTTTTHH TTTtTTTT TTSSTTT WTTTTT WWTTT".replace(" ", "")
DOCUMENT: dict[str, Any] = {
    "system": "kalevala",
    "phase": {"gr": 2, "part": 3},
    "state": {
        "rulers": {"anna": {"core": "LB"}, "bert": {}, "carl": {}},
        "gf": {
            "2D+4": {"kf": "TTTT TtTTT TTTttT TTTTTTT TTTTTTTT TTTTHHH TTTHHH TTTHH", "river": ["20/E", "28/NE"]},
            "2D+5": {
                "kf": LAND,
                "hz": {"type": "Std", "kf": 19},
                "river": ["24/E", "25/E", "32/NE"],
                "ascent": ["14/W"],
                "works": [{"type": "Tu", "kf": 27, "gates": ["27/SW"]}, {"type": "Ma", "edge": "19/SE"}],
            },
        },
        "owners": {"2D+4": "anna", "2D+5": "bert"},
        "stacks": {"anna": {"2D+4": "16LB 6BB"}, "bert": {"2D+5": "14L 8B 2IP"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
    },
}


def view_for(ruler: PowerId = ANNA) -> View:
    return KALEVALA.sight.view(KALEVALA.play.load(DOCUMENT), Playing(ruler))


def at(gf: GfId, cell: int) -> Spotted:
    return Spotted(gf, cell)


def stand(ruler: PowerId, gf: GfId, cell: int, figures: str, *, is_phalanx: bool = False) -> Stand:
    return Stand(ruler, at(gf, cell), figures, is_phalanx)


def won() -> BattleAccount:
    """Anna comes from the south over three rounds, and takes the city."""
    start = (
        *(stand(ANNA, HOME, cell, "4LB") for cell in (1, 2, 3, 4)),
        *(stand(ANNA, HOME, cell, "3BB") for cell in (7, 8)),
        stand(BERT, GOAL, 19, "4L"),
        *(stand(BERT, GOAL, cell, "3L") for cell in (26, 25)),
        stand(BERT, GOAL, 27, "2L 2IP"),
        stand(BERT, GOAL, 20, "2L 1B"),
        *(stand(BERT, GOAL, cell, f"{count}B") for cell, count in ((12, 4), (13, 3))),
    )
    first = AccountRound(
        1,
        (
            *(stand(ANNA, GOAL, cell, "4LB", is_phalanx=cell == 40) for cell in (39, 40, 41, 42)),
            *(stand(ANNA, GOAL, cell, "3BB") for cell in (45, 46)),
            *start[6:],
        ),
    )
    second = AccountRound(
        2,
        (
            stand(ANNA, GOAL, 33, "4LB"),
            stand(ANNA, GOAL, 34, "4LB", is_phalanx=True),
            stand(ANNA, GOAL, 35, "4LB"),
            stand(ANNA, GOAL, 28, "4LB"),
            *(stand(ANNA, GOAL, cell, "3BB") for cell in (40, 41)),
            *start[6:],
        ),
        (
            Stroke(SHOT, BERT, "B", at(GOAL, 20), ANNA, "LB", at(GOAL, 34), (15,), (), ((ANNA, "1LB"),)),
            Stroke(MELEE, ANNA, "LB", at(GOAL, 33), BERT, "L", at(GOAL, 26), (13, 7), (), ((BERT, "1L"),)),
            Stroke(MELEE, ANNA, "LB", at(GOAL, 33), BERT, "L", at(GOAL, 26), (12, 9), (), ((BERT, "1L"),)),
            Stroke(MELEE, ANNA, "LB", at(GOAL, 34), BERT, "L", at(GOAL, 27), (9, 16), (), (), "1LB"),
            Stroke(MELEE, ANNA, "LB", at(GOAL, 28), BERT, "L", at(GOAL, 27), (14, 11), (), ((BERT, "1L"),)),
            Stroke(MELEE, BERT, "L", at(GOAL, 27), ANNA, "LB", at(GOAL, 28), (8, 8)),
            Stroke(SHOT, ANNA, "BB", at(GOAL, 40), BERT, "L", at(GOAL, 26), (11,)),
        ),
        (
            Loss(BERT, at(GOAL, 26), "2L"),
            Loss(ANNA, at(GOAL, 34), "2LB"),
            Loss(BERT, at(GOAL, 27), "1L"),
        ),
    )
    third = AccountRound(
        3,
        (
            stand(ANNA, GOAL, 26, "4LB"),
            stand(ANNA, GOAL, 27, "2LB"),
            stand(ANNA, GOAL, 20, "4LB"),
            stand(ANNA, GOAL, 34, "4LB"),
            *(stand(ANNA, GOAL, cell, "3BB") for cell in (33, 35)),
            stand(BERT, GOAL, 19, "4L"),
            stand(BERT, GOAL, 25, "3L"),
            *(stand(BERT, GOAL, cell, "3B") for cell in (12, 13)),
        ),
        (
            *(
                Stroke(MELEE, ANNA, "LB", at(GOAL, 26), BERT, "L", at(GOAL, 19), (13, 7), (), ((BERT, "1L"),))
                for _ in range(4)
            ),
            Stroke(SHOT, ANNA, "BB", at(GOAL, 33), BERT, "L", at(GOAL, 25), (16,), (), ((BERT, "1L"),)),
            Stroke(SHOT, BERT, "B", at(GOAL, 12), ANNA, "LB", at(GOAL, 20), (16,), (), ((ANNA, "1LB"),)),
        ),
        (Loss(BERT, at(GOAL, 19), "4L"), Loss(BERT, at(GOAL, 25), "1L"), Loss(ANNA, at(GOAL, 20), "1LB")),
        (Escape(BERT, at(GOAL, 13), "3B", Province("2D+6")),),
        ((GOAL, ANNA),),
    )
    end = (
        stand(ANNA, GOAL, 19, "4LB"),
        stand(ANNA, GOAL, 26, "4LB"),
        stand(ANNA, GOAL, 20, "3LB"),
        stand(ANNA, GOAL, 27, "2LB"),
        *(stand(ANNA, GOAL, cell, "3BB") for cell in (33, 35)),
    )
    return BattleAccount(GOAL, (HOME, GOAL), ((ANNA,), (BERT,)), start, (first, second, third), end, CONQUEST, ANNA)


def crowd(cells: int, seed: int = 1) -> BattleAccount:
    """Twelve rounds in which so many cells of each side are full, and everybody strikes."""
    chance = Random(seed)
    places = [at(gf, cell) for gf in (HOME, GOAL) for cell in range(1, 49)]
    rounds = []
    for number in range(1, 13):
        spots = chance.sample(places, 2 * cells)
        stands = tuple(Stand((ANNA, BERT)[place % 2], spot, "4LB") for place, spot in enumerate(spots))
        strokes = tuple(
            Stroke(MELEE, ANNA, "LB", one, BERT, "LB", other, (12, 8), (), ((BERT, "1LB"),))
            for one, other in zip(spots[::2], spots[1::2], strict=True)
        )
        losses = tuple(Loss(BERT, spot, "1LB") for spot in spots[1::2])
        rounds.append(AccountRound(number, stands, strokes, losses))
    first = rounds[0].stands
    return BattleAccount(GOAL, (HOME, GOAL), ((ANNA,), (BERT,)), first, tuple(rounds), first, "twelve", None)


def seen(**changes: object) -> View:
    """Anna's view of the document with other things in its state."""
    document = {**DOCUMENT, "state": {**DOCUMENT["state"], **changes}}
    return KALEVALA.sight.view(KALEVALA.play.load(document), Playing(ANNA))


def orders(text: str, view: View | None = None) -> tuple[Line, ...]:
    """Lines as they are read, none of them refused."""
    read = read_orders(KALEVALA, view or view_for(), text)
    assert read.errors == ()
    return read.values


def incidents(course: BattleCourse, *kinds: str) -> list[Incident]:
    """Everything of these kinds that happened in a battle."""
    turns = (turn for round_ in course.rounds for turn in round_)
    return [incident for turn in turns for incident in turn.incidents if incident.kind in kinds]
