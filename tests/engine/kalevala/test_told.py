"""How a battle is told: sentences, rolls, turning points, and the pictures as plain data."""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.events import Event, Facts
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.kalevala.battle.course import (
    BREACH,
    DESTROY,
    HAZARD,
    LADDER,
    RAM,
    TRAMPLE,
    Spotted,
    WorkSeen,
    course_from_json,
    course_to_json,
)
from engine.kalevala.battle.ground import ground_of
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.coordinates import Edge, GfId
from engine.kalevala.info import SYSTEM
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField, TradeCentre, Work
from engine.kalevala.telling import pictures, tale
from engine.kalevala.telling.account import AccountRound, Climb, Feat, Loss
from engine.kalevala.telling.reading import account_of
from engine.kalevala.war.plans import Aim, Placing, Plan, Spot
from engine.lattice.great_fields import Side
from engine.pictures.film import Film
from engine.pictures.site import SiteScene, middle_of
from tests.engine.kalevala.battles import ANNA, BERT, GOAL, HOME, at, view_for, won
from tests.measure_kalevala_battles import SOURCE, TARGET
from tests.measure_kalevala_battles import site as measured_site

COURSE = {
    "id": "2D+5",
    "gf": ["2D+4", "2D+5"],
    "sides": [["anna"], ["bert"]],
    "start": [
        [1, "anna", "L", "IP", "2D+4:4", 0],
        [2, "anna", "El", "", "2D+4:3", 0],
        [3, "anna", "L", "El", "2D+4:3", 2],
        *([number, "anna", "A", "", "2D+4:2", 0] for number in (4, 5, 6, 7)),
        [8, "bert", "L", "", "2D+5:19", 0],
        [9, "bert", "B", "", "2D+5:20", 0],
        [10, "bert", "B", "", "2D+5:20", 0],
    ],
    "rounds": [
        [
            [None, [{"kind": "hazard", "who": 4, "at": "2D+4:2", "rolls": [4, 3], "fallen": [7]}]],
            ["anna", [
                {"kind": "move", "who": 1, "at": "2D+5:26", "path": ["2D+5:40", "2D+5:26"]},
                {"kind": "move", "who": 2, "at": "2D+5:33"},
                {"kind": "melee", "who": 1, "at": "2D+5:26", "whom": 8, "rolls": [13, 9], "points": [3], "fallen": [8]},
            ]],
            ["bert", [
                {"kind": "shot", "who": 9, "at": "2D+5:20", "whom": 3, "rolls": [12], "points": [0, 14]},
                {"kind": "fled", "who": 10, "at": "2D+5:20", "to": "2D+6"},
            ]],
        ],
        [["anna", [
            {"kind": "trample", "who": 2, "at": "2D+5:20", "whom": 9, "rolls": [14, 5], "points": [6], "fallen": [9]},
            {"kind": "horse", "who": 1, "at": "2D+5:26"},
        ]]],
    ],
    "end": "conquest",
    "winner": "anna",
    "standing": {"1": "2D+5:26"},
    "lost": {},
}  # fmt: skip

KINGS_COURSE = {
    **COURSE,
    "start": [
        [1, "anna", "B", "", "2D+5:33", 0],
        [2, "anna", "El", "", "2D+5:26", 0],
        [3, "anna", "L", "El", "2D+5:26", 2],
        [4, "anna", "On", "", "2D+4:3", 0],
        [5, "anna", "A", "", "2D+5:20", 0],
        [6, "bert", "PrKö/3/60", "", "2D+5:19", 0],
        [7, "bert", "L", "", "2D+5:19", 0],
        [8, "bert", "B", "", "2D+5:20", 0],
        [9, "bert", "B", "", "2D+5:20", 0],
    ],
    "rounds": [
        [
            ["anna", [
                {"kind": "shot", "who": 1, "at": "2D+5:33", "whom": 6, "rolls": [15], "points": [0, 13], "fallen": [7]},
                {"kind": "onager", "who": 4, "at": "2D+4:3", "whom": 8, "rolls": [15], "points": [0, 14],
                 "fallen": [8, 9, 5]},
                {"kind": "trample", "who": 2, "at": "2D+5:26", "whom": 6, "rolls": [9, 14], "points": [6],
                 "fallen": [2, 3]},
            ]],
            ["bert", [{"kind": "fled", "who": 6, "at": "2D+5:19", "to": "2D+6"}]],
        ],
    ],
    "end": "flight",
    "standing": {"1": "2D+5:33"},
}  # fmt: skip


def told(lines: object) -> str:
    words = load_phrases(SYSTEM)
    return "\n".join(words.render(line) for line in lines)  # type: ignore[attr-defined]


def test_a_course_is_told_by_stacks_where_its_figures_stand_and_fall() -> None:
    account = account_of(course_from_json(COURSE))
    assert [(str(stand.at), stand.figures) for stand in account.start[:3]] == [
        ("2D+4:4", "1L 1IP"), ("2D+4:3", "1L 1El"), ("2D+4:2", "4A"),
    ]  # fmt: skip
    first, second = account.rounds
    stands = {(stand.ruler, str(stand.at)): stand.figures for stand in first.stands}
    assert stands == {
        (ANNA, "2D+5:26"): "1L 1IP",
        (ANNA, "2D+5:33"): "1L 1El",
        (ANNA, "2D+4:2"): "4A",
        (BERT, "2D+5:20"): "1B",
        (BERT, "2D+5:19"): "1L",
    }
    assert first.losses == (Loss(ANNA, Spotted(HOME, 2), "1A", HAZARD), Loss(BERT, Spotted(GOAL, 19), "1L", "melee"))
    assert [(each.figures, each.to) for each in first.escapes] == [("1B", "2D+6")]
    blow, shot = first.strokes
    assert (str(blow.start), str(blow.end), blow.dice, blow.killed) == (
        "2D+5:26", "2D+5:19", (13, 9), ((BERT, "1L"),),
    )  # fmt: skip
    assert (shot.target, shot.killed, shot.lost) == ("L", (), "")
    assert second.strokes[0].how == TRAMPLE
    assert {(str(stand.at), stand.figures) for stand in account.end} == {
        ("2D+5:26", "1L"), ("2D+5:20", "1L 1El"), ("2D+4:2", "3A"),
    }  # fmt: skip


def test_the_page_names_who_struck_whom_where_and_what_it_cost() -> None:
    page = told(tale.story(won()))
    assert "It was fought on 2D+4 and 2D+5. Anna attacked with 6 archers and 16 lancers" in page
    assert "Round 1. Nobody came to blows." in page
    assert "Anna struck at Bert 4 times and killed 4 lancers of Bert's, most around 2D+5 KF 19." in page
    assert "3 archers of Bert's fled to 2D+6." in page
    assert "Anna took the trade centre of 2D+5." in page
    assert "After 3 rounds Bert had nobody left to fight: the field is Anna's." in page
    assert "Round 3 was the turning point: it cost Bert figures worth 10 RE, and Anna 4." in page
    assert "Anna lost 3 lancers; left: 6 archers and 13 lancers." in page


def test_land_elephants_and_whoever_falls_in_his_own_attack_are_told_too() -> None:
    page = told(tale.story(account_of(course_from_json(COURSE))))
    assert "The land itself killed 1 axe warrior of Anna's on 2D+4 KF 2." in page
    assert "Anna's elephants trampled Bert once and killed 1 archer of Bert's" in page
    assert "The enemy struck back at these attackers: Anna lost 1 lancer." in told(tale.story(won()))


def test_those_are_told_as_killed_who_fell_not_those_who_were_aimed_at() -> None:
    """A friend falls for his king, riders fall with their elephant, and a stone kills more than one man."""
    page = told(tale.story(account_of(course_from_json(KINGS_COURSE))))
    assert "Anna shot at Bert once and killed 1 lancer of Bert's, most around 2D+5 KF 19." in page
    assert "killed 1 priest king" not in page
    assert "threw 1 stone at Bert and killed 2 archers of Bert's, most around 2D+5 KF 20." in page
    assert "These stones killed 1 axe warrior of Anna's own, too." in page
    assert "The enemy struck back at these attackers: Anna lost 1 lancer and 1 elephant." in page


def test_who_fled_is_not_counted_as_lost_with_everything() -> None:
    page = told(tale.story(account_of(course_from_json(KINGS_COURSE))))
    assert "Bert lost 2 archers and 1 lancer; got away: 1 priest king; left: nobody." in page
    assert "everything" not in page


def test_a_turning_point_that_cost_nobody_anything_is_told_by_what_happened_in_it() -> None:
    fled = [["bert", [{"kind": "fled", "who": 9, "at": "2D+5:20", "to": "2D+6"}]]]
    taken = [["anna", [{"kind": "taken", "who": 1, "at": "2D+5:19"}]], *fled]
    for what, words in ((taken, "Anna took the trade centre of 2D+5"), (fled, "Bert fled")):
        account = account_of(course_from_json({**COURSE, "rounds": [[], what]}))
        assert f"Round 2 was the turning point: {words}." in told(tale.story(account))


def test_the_death_of_a_lone_guard_is_no_turning_point_of_a_war_between_others() -> None:
    crowd = [[number, "anna", "L", "", "2D+4:4", 0] for number in range(1, 21)]
    crowd += [[number, "bert", "L", "", "2D+5:19", 0] for number in range(21, 41)]
    course = {
        **COURSE,
        "sides": [["anna"], ["bert"], ["carl"]],
        "start": [*crowd, [41, "carl", "L", "", "2D+5:20", 0]],
        "rounds": [
            [["anna", [{"kind": "melee", "who": 1, "at": "2D+4:4", "whom": 41, "rolls": [15, 9], "fallen": [41]}]]],
            [["anna", [
                {"kind": "melee", "who": number, "at": "2D+4:4", "whom": 20 + number, "rolls": [15, 9],
                 "fallen": [20 + number]}
                for number in range(1, 13)
            ]]],
        ],
        "standing": {"1": "2D+4:4"},
    }  # fmt: skip
    page = told(tale.story(account_of(course_from_json(course))))
    assert "Round 2 was the turning point: it cost Bert figures worth 24 RE, and Anna 0." in page


def test_dice_of_the_land_and_for_lives_stand_in_the_list_of_rolls() -> None:
    """Anna's men wait in a swamp; bert holds the trade centre until a rider of hers stands on it."""
    swamp = GreatField(cells="S" * 48)
    land = Land({GfId(SOURCE): swamp, GfId(TARGET): GreatField(centre=TradeCentre("Std"))}, PLAIN)
    before = measured_site("9L", "1L")
    dice = {f"battle/{TARGET}/{kr}/hazard": [5, 6] for kr in range(1, 13)} | {f"battle/{TARGET}/1/survive": [9, 10]}
    rolled = Dice("swamp", rows={name.casefold(): row for name, row in dice.items()})
    found = fight_out(replace(before, ground=ground_of(land, (SOURCE, TARGET))), rolled.streams()).course
    assert course_from_json(course_to_json(found)) == found
    account = account_of(found)
    rows = told(tale.rolls(account)).splitlines()
    assert rows[0] == f"KR 1: the land on {account.start[0].at}: 5 (less than 6: everybody there rolls for life)"
    assert rows[1].startswith("KR 1: Anna L (")
    assert rows[1].endswith("rolls for life: 9, needed 10 (dies)")
    assert rows[2].endswith("rolls for life: 10, needed 10 (lives)")
    assert any(row.endswith(": 6 (no danger on 6 or more)") for row in rows)


def test_who_first_stands_on_an_enemys_trade_centre_has_taken_it() -> None:
    """Bert's men stand far from his; one of anna's walks onto it."""
    site = measured_site("4L", "4L")
    plans = [
        Plan(SOURCE, is_own=True, aims=(Aim("ALL", "TAKE"),)),
        Plan(TARGET, is_own=True, places=(Placing(Spot(30), (("L", 4),)),), aims=(Aim("ALL", "HOLD"),)),
    ]
    armies = tuple(replace(army, plan=plan) for army, plan in zip(site.armies, plans, strict=True))
    course = fight_out(replace(site, armies=armies), Dice("taken").streams()).course
    account = account_of(course)
    assert [each for one in account.rounds for each in one.taken] == [(GfId(TARGET), ANNA)]
    assert f"Anna took the trade centre of {TARGET}." in told(tale.story(account))


def test_an_undecided_battle_says_so_and_names_no_winner() -> None:
    undecided = replace(won(), winner=None, why="twelve")
    assert "After 3 rounds nobody had won" in told(tale.ending(undecided))


def test_attackers_who_fought_each_other_for_land_are_told_apart() -> None:
    """Both came to the same land, which nobody defended, or whose owner had men there, too."""
    carl = PowerId("carl")
    for sides in (((ANNA, BERT),), ((ANNA, BERT), (carl,))):
        account = replace(won(), sides=sides)
        lines = told(tale.ending(account)).splitlines()
        loser = "Bert" if len(sides) == 1 else "Bert and Carl"
        assert lines[0] == f"After 3 rounds {loser} had nobody left to fight: the field is Anna's."
        assert not any("Anna and Bert" in line for line in lines)
        first = pictures.pictures(view_for(), account)[0]
        assert [told([side.what]) for side in first.sides][:2] == ["Attack: Anna", "Attack: Bert"]
    friends = replace(won(), sides=((ANNA, carl), (BERT,)))
    assert friends.camps == friends.sides


def test_every_blow_stands_in_the_list_of_rolls_with_its_dice() -> None:
    account = won()
    rows = told(tale.rolls(account)).splitlines()
    assert len(rows) == sum(len(each.strokes) for each in account.rounds)
    assert "KR 2: Anna LB (2D+5:34) strikes Bert L (2D+5:27): 9 : 16 (the attacker falls)" in rows
    assert "13+3 : 9" in told(tale.rolls(account_of(course_from_json(COURSE))))


def test_turning_points_are_the_rounds_that_cost_one_side_most_or_take_the_centre() -> None:
    account = won()
    assert [each.number for each in tale.turning_points(account)] == [3]
    level = replace(account, rounds=account.rounds[:1])
    assert tale.turning_points(level) == []


def test_there_is_a_picture_before_at_the_turning_point_and_after_and_a_film_of_the_rounds() -> None:
    event = Event(phrase("event.battle", place="2D+5"), frozenset({ANNA, BERT}), Facts("battle", {"course": COURSE}))
    (album,) = pictures.albums(view_for(), [event])
    *shown, film = album.pictures
    assert isinstance(film, Film)
    assert [scene.title.code for scene in shown] == [
        "battle.before", "battle.at_round", "battle.at_round", "battle.after",
    ]  # fmt: skip
    assert len(film.steps) == 2 + len(COURSE["rounds"])
    assert all(scene.in_words for scene in (*shown, film))
    assert album.lines == tuple(tale.story(account_of(course_from_json(COURSE))))


def test_pictures_show_tokens_blows_losses_and_flights_where_they_were() -> None:
    (_, turn, _) = pictures.pictures(view_for(), won())
    tile = turn.tokens[0].at[0]
    assert (turn.tokens[0].text, turn.tokens[0].at[1]) == ("4LB", 26)
    assert {(each.start[1], each.end[1], each.is_shot, each.has_killed) for each in turn.blows} == {
        (26, 19, False, True), (33, 25, True, True), (12, 20, True, True),
    }  # fmt: skip
    assert {(each.at, each.count) for each in turn.fallen} == {((tile, 19), 4), ((tile, 25), 1), ((tile, 20), 1)}
    assert [(each.at[1], each.text) for each in turn.flights] == [(13, "3B")]
    assert [side.role for side in turn.sides] == ["attackers", "defenders"]


def test_a_mixed_stack_shows_its_warriors_large_and_the_rest_below() -> None:
    before, *_ = pictures.pictures(view_for(), won())
    shown = {token.at[1]: (token.text, token.more) for token in before.tokens}
    assert shown[20] == ("2L", "1B")
    assert shown[27] == ("2L", "2IP")


def test_land_that_a_ruler_has_never_seen_stays_blank_on_the_pictures_of_his_battle() -> None:
    """Bert knows his own field, and of Anna's only who stood where."""
    before, *_ = pictures.pictures(view_for(BERT), won())
    grounds = {tile.tag: tile.cells.grounds for tile in before.tiles.values() if tile.cells is not None}
    assert set(grounds["2D+4"]) == {"?"}
    assert "?" not in grounds["2D+5"]
    hidden = {tile.tag: tile.cells for tile in before.tiles.values()}["2D+4"]
    assert hidden is not None
    assert (hidden.edges, hidden.signs) == ((), ())


def test_all_moments_of_a_battle_show_the_same_part_of_the_site() -> None:
    film = pictures.film(view_for(), won())
    assert len({step.scene.box for step in film.steps if isinstance(step.scene, SiteScene)}) == 1


def test_each_picture_shows_who_is_there_in_its_moment_and_no_more_land_than_the_film() -> None:
    account = account_of(fight_out(measured_site("24L 1Le 2On", "8L 4B Tu"), Dice("told").streams()).course)
    first = pictures.film(view_for(), account).steps[0].scene
    assert isinstance(first, SiteScene)
    _, north, _, south = first.box
    shown = pictures.pictures(view_for(), account)
    for scene in shown:
        left, top, right, bottom = scene.box
        assert north <= top < bottom <= south
        for x, y in (middle_of(scene.board, token.at) for token in scene.tokens):
            assert left < x < right
            assert top < y < bottom
    assert min(scene.box[3] - scene.box[1] for scene in shown) < south - north


def test_a_planned_deployment_is_drawn_with_every_cell_of_the_site() -> None:
    placed = won().start[:6]
    scene = pictures.plan(view_for(), [GfId("2D+4"), GfId("2D+5")], ANNA, placed, phrase("battle.before"), ())
    assert len(scene.tokens) == len(placed)
    assert scene.sides[0].powers == (ANNA,)
    left, top, right, bottom = scene.box or (0, 0, 0, 0)
    for tile in scene.tiles:
        x, y = scene.board.middle(tile)
        assert left < x - 0.5 < x + 0.5 < right
        assert top < y - 0.5 < y + 0.5 < bottom


def test_a_siege_is_told_with_its_stones_pitch_ladders_and_hunger_and_drawn_by_storeys() -> None:
    account = account_of(fight_out(measured_site("24L 1Le 2On", "8L 4B Tu"), Dice("told").streams()).course)
    page = told(tale.story(account))
    assert "onagers threw 2 stones at the tower on 2C+5 KF 19" in page
    assert "poured pitch onto 2C+5 KF" in page
    assert "set 1 ladder against the tower on 2C+5 KF 19, on the side to the " in page
    assert "From ladders, ropes or siege towers Anna struck" in page
    assert {stand.storey for stand in account.start if stand.ruler == BERT} == {"", "I", "P"}
    shown = pictures.pictures(view_for(), account)
    assert {token.storey for token in shown[0].tokens} == {"", "I", "P"}
    assert "On the platform of 2C+5 KF 19 (P): 4 archers of Bert's." in told(shown[0].about)
    assert any(damage.text for damage in shown[-1].damages)
    assert [sign.kind for sign in shown[0].signs] == ["platform", "inside", "hits", "fallen"]
    assert all(each.signs == shown[0].signs for each in shown)
    assert "a stone of Anna at the works on 2C+5 19" in told(tale.rolls(account))


def test_own_gear_is_counted_as_it_was_destroyed() -> None:
    """Two tried and one succeeded; elsewhere nobody did."""
    feats = (
        Feat(DESTROY, ANNA, "A", GOAL, "19", (12,), 10, "On"),
        Feat(DESTROY, ANNA, "A", GOAL, "19", (7,), 10, "On"),
        Feat(DESTROY, ANNA, "A", GOAL, "20", (8,), 10, "On"),
    )
    one = AccountRound(1, feats=feats)
    assert told(tale.round_lines(replace(won(), rounds=(one,)), one)).splitlines() == [
        "Anna destroyed 1 onager of their own on 2D+5 KF 19.",
        "Anna tried in vain to destroy their own onager on 2D+5 KF 20 (1 attempt).",
    ]


def test_gates_that_break_and_men_who_get_in_are_told_in_words() -> None:
    """A gate, a wall that stands alone, a side of a building, and whoever came up."""
    gate = Feat(RAM, ANNA, "Wi", GOAL, "27/SW", (15,), 12)
    wall = Feat(BREACH, ANNA, "On", GOAL, "19/SE")
    side = Feat(LADDER, ANNA, "Le", GOAL, "27/W")
    climbs = (Climb(ANNA, at(GOAL, 27), "2LB", "P"), Climb(ANNA, at(GOAL, 27), "1LB", "I"))
    works = (WorkSeen("Tu", at(GOAL, 27), gates=("SW",)), WorkSeen("Ma", at(GOAL, 19), "19/SE"))
    one = AccountRound(1, feats=(gate, wall, side), climbs=climbs)
    account = replace(won(), rounds=(one,), works=works)
    page = told(tale.round_lines(account, one))
    assert "ram struck the gate of the tower on 2D+5 KF 27, and it gave way" in page
    assert "A stretch of wall came down: the wall on 2D+5 KF 19 to the south-east." in page
    assert "set 1 ladder against the tower on 2D+5 KF 27, on the side to the west" in page
    assert "2 lancers of Anna's got onto the platform of the tower on 2D+5 KF 27." in page
    assert "1 lancer of Anna's got into the tower on 2D+5 KF 27." in page


def test_hunger_is_told_with_the_number_that_lets_live() -> None:
    account = account_of(fight_out(measured_site("24L", "8L 4B Tu"), Dice("hunger").streams()).course)
    page = told(tale.story(account))
    assert "Bert's garrison on 2C+5 KF 19 went hungry (a roll below 6 on three dice was death)" in page
    assert "hunger of Bert on 2C+5 19" in told(tale.rolls(account))


def test_one_man_beside_the_gate_is_said_to_besiege_a_tower_before_it_starves() -> None:
    """B20: a lone besieger within a move of the gate is enough; the report says so at once, with the round."""
    battle = measured_site("1L", "1B")
    tower = GreatField(centre=TradeCentre("Std", 46), works=(Work("Tu", 46, gates=(Edge(46, Side.SW),)),))
    ground = ground_of(Land({GfId(str(TARGET)): tower}, PLAIN), (SOURCE, TARGET))
    wait = (Aim("ALL", "HOLD"),)
    plans = Plan(SOURCE, True, (Placing(Spot(2), (("L", 1),)),), aims=wait), Plan(TARGET, True, aims=wait)
    armies = tuple(replace(army, plan=plan) for army, plan in zip(battle.armies, plans, strict=True))
    near = replace(battle, ground=ground, armies=armies)
    account = account_of(fight_out(near, Dice("lonely").streams()).course)
    first, fifth = (told(tale.round_lines(account, account.rounds[number - 1])) for number in (1, 5))
    assert "1 lancer of Anna's stood within one move of every gate of the tower on 2C+5 KF 46" in first
    assert "it goes hungry from round 5 on" in first
    assert "since 1 lancer of Anna's guarded its gates" in fifth
