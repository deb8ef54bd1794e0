"""What a report tells everybody: the ranking after each turn, as a table that a phone shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.ids import PowerId
from engine.core.phrases import Catalogue, phrase
from engine.core.reading import read_orders
from engine.core.report import Report, SectionKind
from engine.core.variant import load_phrases, load_variant
from engine.core.viewer import EVERYBODY, Playing, Viewer, viewer_of
from engine.king_of_kings.model import State
from engine.king_of_kings.system import KING_OF_KINGS

RULES = KING_OF_KINGS
WIDEST = 40
"""Characters of even width that a phone shows in a row."""
FIGURES = ((3, 1, 3), (2, 3, 1), (1, 2, 2))
"""Fame, gold and might of three nations. Source: W14"""


def position(*, names: tuple[str, ...] = ("red", "blue", "gold"), figures: object = FIGURES, **more: object) -> State:
    """Nations that each have a province with so many foot soldiers, and Monsters that beat them all."""
    assert isinstance(figures, tuple)
    nations = [{"name": name, "fame": fame, "gold": gold} for name, (fame, gold, _) in zip(names, figures, strict=True)]
    provinces = [
        {"x": x, "y": 0, "units": {name: {"F": might}}}
        for x, (name, (*_, might)) in enumerate(zip(names, figures, strict=True))
    ]
    return RULES.play.load({
        "format": 1, "system": "king_of_kings", "seed": "s", "phase": {"turn": 2}, **more,
        "state": {
            "map": ["P" * (len(names) + 1)],
            "nations": [*nations, {"name": "Monsters", "controller": "monsters", "fame": 99, "gold": 99}],
            "provinces": [*provinces, {"x": len(names), "y": 0, "units": {"Monsters": {"F": 99}}}],
        },
    })  # fmt: skip


def tables(report: Report) -> list[list[str]]:
    """The tables that are told in a chat."""
    words = load_phrases("king_of_kings")
    return [[words.render(line) for line in s.lines] for s in report.sections if s.kind is SectionKind.TABLE]


def test_ranking_stands_in_every_public_report() -> None:
    """By the mean of the three ranks; Monsters are not ranked. Source: rules 11, 13; W14"""
    view = RULES.sight.view(position(), EVERYBODY)
    ranking = [
        "# Nation   Fame Gold Men Own Mean",
        "1 Red         3    1   3   1 1.67",
        "2 Blue        2    3   1   1 2.00",
        "3 Gold        1    2   2   1 2.33",
    ]
    assert tables(RULES.telling.report(view, (), ())) == [ranking]
    assert tables(RULES.telling.text_board(view)) == [ranking]


def test_own_report_has_no_table() -> None:
    state = position()
    assert tables(RULES.telling.report(RULES.sight.view(state, Playing(next(iter(state.nations)))), (), ())) == []


def test_the_briefing_says_what_capitals_mean() -> None:
    state = KING_OF_KINGS.play.start(variant="classic", players=2, options={}, seed="s")
    nation = next(iter(state.nations))
    (own,) = [
        section
        for section in RULES.telling.briefing(RULES.sight.view(state, Playing(nation))).sections
        if section.title.code == "report.own_provinces"
    ]
    words = load_phrases("king_of_kings")
    assert "home provinces in capitals" in words.render(own.title)
    assert any(word.isupper() and len(word) > 3 for line in own.lines for word in words.render(line).split())


@pytest.mark.parametrize(
    ("options", "turns", "sent", "told"),
    [
        ({}, 1, False, "the computer played your nation this turn"),
        ({"nmr": "hold"}, 1, False, "your nation did nothing this turn"),
        ({"nmr": "hold"}, 2, False, "the computer played your nation this turn"),
        ({}, 1, True, ""),
    ],
)
def test_whoever_sent_no_sheet_reads_what_became_of_the_turn(
    options: dict[str, str], turns: int, sent: bool, told: str
) -> None:
    state, red = position(options=options), PowerId("red")
    for _ in range(turns):
        closed = RULES.play.adjudicate(state, {red: ()} if sent else {}, RULES.play.dice(state))
        state = closed.state
    words = load_phrases("king_of_kings")

    def read(viewer: Viewer) -> str:
        report = RULES.telling.report(RULES.sight.view(state, viewer), closed.results, closed.events)
        return "\n".join(words.render(line) for section in report.sections for line in section.lines)

    assert ("No sheet came from you" in read(Playing(red))) is not sent
    assert told in read(Playing(red))
    assert "No sheet came" not in read(EVERYBODY)


@pytest.mark.parametrize(
    ("missed", "options", "told"),
    [
        (0, {}, "the computer played your nation this turn"),
        (0, {"nmr": "hold"}, "your nation did nothing this turn"),
        (1, {"nmr": "hold"}, "the computer played your nation this turn"),
        (4, {}, "this turn does not count as missed"),
    ],
)
def test_a_turn_that_counts_for_nobody_is_told_and_leaves_the_count(
    missed: int, options: dict[str, str], told: str
) -> None:
    """Ruling K-99."""
    state, red = position(options=options), PowerId("red")
    nations = {**state.nations, red: replace(state.nations[red], missed=missed)}
    begun = RULES.play.excused(replace(state, nations=nations))
    closed = RULES.play.adjudicate(begun, dict.fromkeys(list(nations)[1:], ()), RULES.play.dice(begun))
    assert closed.state.nations[red].missed == missed
    assert closed.state.is_played(red)
    assert not closed.state.is_excused
    report = RULES.telling.report(RULES.sight.view(closed.state, Playing(red)), closed.results, closed.events)
    words = load_phrases("king_of_kings")
    assert told in "\n".join(words.render(line) for section in report.sections for line in section.lines)


def test_ranking_of_a_game_that_is_over_comes_first() -> None:
    state = position(options={"end_turn": 2})
    after = RULES.play.adjudicate(state, dict.fromkeys(state.nations, ()), RULES.play.dice(state)).state
    viewers: list[Viewer] = [EVERYBODY, *map(Playing, state.nations)]
    for viewer in viewers:
        assert RULES.telling.report(RULES.sight.view(after, viewer), (), ()).sections[0].title.code == "report.ranking"


def test_fallen_stand_below_and_have_no_figures() -> None:
    document = RULES.play.dump(position())
    document["state"]["provinces"] = [row for row in document["state"]["provinces"] if row["owner"] != "red"]
    document["state"]["nations"][0]["eliminated"] = 1
    (table,) = tables(RULES.telling.report(RULES.sight.view(RULES.play.load(document), EVERYBODY), (), ()))
    assert table[1:] == [
        "1 Blue        2    3   1   1 1.33",
        "2 Gold        1    2   2   1 1.67",
        "3 Red      fallen",
    ]


@pytest.mark.parametrize("is_out", [False, True])
def test_no_orders_are_asked_of_the_fallen(is_out: bool) -> None:
    document = RULES.play.dump(position())
    if is_out:
        document["state"]["provinces"] = [row for row in document["state"]["provinces"] if row["owner"] != "red"]
        document["state"]["nations"][0]["eliminated"] = 1
    view = RULES.sight.view(RULES.play.load(document), Playing(PowerId("red")))
    report = RULES.telling.report(view, (), ())
    codes = [line.code for section in report.sections for line in section.lines]
    assert ("report.next_turn" not in codes) is is_out


@pytest.mark.parametrize("count", [2, 14])
def test_table_is_no_wider_than_a_phone_and_its_columns_stand_below_each_other(count: int) -> None:
    names = tuple(f"{number}_*Confederation*_of_the_`{number}`" for number in range(count))
    figures = tuple((number * 99, number * 700, number * 77) for number in range(count))
    state = position(names=names, figures=figures, options={"storage_gold": None})
    (table,) = tables(RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()))
    assert len(table) == count + 1
    assert {len(row) for row in table} == {WIDEST}
    ends = (1, 17, 22, 27, 31, 35) if count == 2 else (2, 15, 20, 25, 30, 34)
    assert all(row[column] == " " for row in table for column in ends)


def test_names_take_the_room_that_figures_leave() -> None:
    names = ("Carthaginians", "Byzantine_Empire_of_Asia", "Gauls")
    (table,) = tables(RULES.telling.report(RULES.sight.view(position(names=names), EVERYBODY), (), ()))
    assert table == [
        "# Nation          Fame Gold Men Own Mean",
        "1 Carthaginians      3    1   3   1 1.67",
        "2 Byzantine_Empi…    2    3   1   1 2.00",
        "3 Gauls              1    2   2   1 2.33",
    ]


def test_no_name_of_a_map_by_lot_is_cut() -> None:
    names = tuple(row["id"] for row in load_variant("king_of_kings", "classic").tables["nations"][:14])
    state = position(names=names, figures=tuple((n, 10 * n, 20 * n) for n in range(len(names))))
    (table,) = tables(RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()))
    assert len(table) == 15
    assert not any("…" in row for row in table)
    assert max(map(len, table)) <= WIDEST


def test_orders_are_published_with_the_marks_of_errors_and_warnings() -> None:
    """The worst that was said of a line marks it. Source: rules 4.2; ruling K-51"""
    state = position(names=("red", "blue"), figures=FIGURES[:2])
    red, blue, _ = state.nations
    document = RULES.play.dump(state)
    for row, friend in zip(document["state"]["nations"], (blue, red), strict=False):
        row["status"] = {friend: 5}
    state = RULES.play.load(document)
    lines = read_orders(
        RULES, RULES.sight.view(state, Playing(red)), "PASS\nDEF 0 0 C 9 9 C\nLAND 0 0 FO 9 W\nLAND 0 0 FO 9 E"
    ).values
    done = RULES.play.adjudicate(state, {**dict.fromkeys(state.nations, ()), red: lines}, RULES.play.dice(state))
    report = RULES.telling.report(RULES.sight.view(done.state, EVERYBODY), done.results, done.events)
    words = load_phrases("king_of_kings")
    (told,) = [section for section in report.sections if section.title.code == "report.orders"]
    assert [words.render(line) for line in told.lines if line.args["nation"] == red] == [
        "red 1: PASS",
        "*red 2: DEF 0 0 C 9 9 C",
        "*red 3: LAND 0 0 FO 9 W",
        "(red 4): LAND 0 0 FO 9 E",
    ]


def test_a_player_reads_the_errors_of_the_own_sheet_and_finds_those_of_others_in_the_file() -> None:
    """Also where the results of all are at hand, as in the history of a game. Source: ruling K-51"""
    state = position()
    red, blue, *_ = state.nations
    wrong = read_orders(RULES, RULES.sight.view(state, EVERYBODY), "BUILD 9 9").values
    done = RULES.play.adjudicate(state, dict.fromkeys(state.nations, wrong), RULES.play.dice(state))
    report = RULES.telling.report(RULES.sight.view(done.state, Playing(blue)), done.results, done.events)
    remarks = {
        (section.title.code, section.kind): {line.args["nation"] for line in section.lines}
        for section in report.sections
        if section.title.code.startswith("report.remarks")
    }
    assert remarks[("report.remarks", SectionKind.STORY)] == {blue}
    assert blue not in remarks[("report.remarks_of_others", SectionKind.DETAIL)]
    assert red in remarks[("report.remarks_of_others", SectionKind.DETAIL)]


def test_a_nation_reads_how_its_battles_ended_also_those_that_it_lost() -> None:
    document = RULES.play.dump(position(names=("red", "blue"), figures=FIGURES[:2]))
    document["state"]["map"] = ["PPPP"]
    document["state"]["provinces"] = [
        {"x": 0, "y": 0, "owner": "red"},
        {"x": 1, "y": 0, "units": {"red": {"F": 1}}},
        {"x": 2, "y": 0, "units": {"blue": {"F": 9}}},
    ]
    state = RULES.play.load(document)
    red, blue, _ = state.nations
    march = read_orders(RULES, RULES.sight.view(state, Playing(red)), "LAND 1 0 FO 1 E").values
    done = RULES.play.adjudicate(state, {**dict.fromkeys(state.nations, ()), red: march}, RULES.play.dice(state))
    words = load_phrases("king_of_kings")
    for nation in (red, blue):
        report = RULES.telling.report(RULES.sight.view(done.state, Playing(nation)), done.results, done.events)
        (own,) = [section for section in report.sections if section.title.code == "report.befell"]
        told = [words.render(line) for line in own.lines]
        assert "blue kept 2/0." in told
        assert "red: -6 towards this turn's fame." in told
        assert not any(line.startswith("Round") for line in told), "rolls are for the whole report"


def test_hunger_is_told_once_a_place() -> None:
    """Source: ruling K-42"""
    document = RULES.play.dump(position(names=("red",), figures=((0, 0, 60),)))
    document["state"]["provinces"] = [
        {"x": 0, "y": 0, "units": {"red": {"F": 60, "B": 3}}},
        {"x": 1, "y": 0, "owner": "red"},
    ]
    state = RULES.play.load(document)
    done = RULES.play.adjudicate(state, dict.fromkeys(state.nations, ()), RULES.play.dice(state))
    words = load_phrases("king_of_kings")
    told = [words.render(event.what) for event in done.events if event.what.code == "event.starved_by_hunger"]
    assert told == ["There was too little food: red disbanded 56F 3B in 0/0."]


def test_isolated_provinces_are_told_to_their_nation_and_the_first_of_them_to_all() -> None:
    names = tuple(f"n{number}" for number in range(20))
    state = position(names=names, figures=((0, 0, 1),) * 20)
    words = load_phrases("king_of_kings")

    def told(viewer: PowerId | None) -> list[str]:
        head, *_ = RULES.telling.report(RULES.sight.view(state, viewer_of(viewer)), (), ()).sections
        return [words.render(line) for line in head.lines if "isolated" in line.code]

    (public,) = told(None)
    assert public.endswith("14/0 and 5 more, which the map marks `!`.")
    assert told(PowerId("n3")) == ["Isolated: 3/0."]


def test_what_a_scenario_gives_single_nations_is_told_to_all_before_the_first_turn() -> None:
    scenario = {
        "map": ["PPP"],
        "nations": [
            {"name": "red", "fame": 5, "credits": 1},
            {"name": "blue"},
            {"name": "gold", "credits": 2},
        ],
        "provinces": [{"x": x, "y": 0, "units": {name: {"F": 1}}} for x, name in enumerate(("red", "blue", "gold"))],
    }
    state = RULES.scenarios.start({"state": scenario}, players=3, options={}, seed="s")
    names = {str(power.id): power.name for power in RULES.play.variant(state).powers.values()}
    words = load_phrases("king_of_kings").with_catalogue(Catalogue({}, names))

    def told(report: Report) -> list[str]:
        return [words.render(line) for section in report.sections for line in section.lines]

    wanted = {"Red at the start: 5 fame and 1 general to be placed.", "Gold at the start: 2 generals to be placed."}
    for report in (
        RULES.telling.briefing(RULES.sight.view(state, EVERYBODY)),
        RULES.telling.text_board(RULES.sight.view(state, EVERYBODY)),
    ):
        assert {line for line in told(report) if "at the start:" in line} == wanted
    after = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    assert not any(
        "at the start:" in line for line in told(RULES.telling.text_board(RULES.sight.view(after, EVERYBODY)))
    )


def test_large_figures_do_not_close_up() -> None:
    state = position(figures=((123456, 1234567, 9), (1, 2, 3), (4, 5, 6)), options={"storage_gold": None})
    words = load_phrases("king_of_kings")
    for section in RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()).sections:
        told = " ".join(words.render(line) for line in section.lines)
        if section.title.code in ("report.ranking", "report.all_figures"):
            assert "1234567" in told.split()


@pytest.mark.parametrize(
    ("figures", "wanted"),
    [
        (((2, 1, 1), (1, 2, 1)), ["red and blue have the same average: fame decided."]),
        (((1, 1, 2), (1, 2, 1)), ["blue and red have the same average: gold decided."]),
        (((3, 3, 3), (2, 2, 2), (1, 1, 1)), []),
        (((1, 1, 1), (1, 1, 1)), []),
    ],
)
def test_equal_averages_say_what_decided(figures: tuple[tuple[int, int, int], ...], wanted: list[str]) -> None:
    """Whoever shares a place is told by the place. Source: ruling K-54"""
    state = position(names=("red", "blue", "green")[: len(figures)], figures=figures)
    words = load_phrases("king_of_kings")

    def told(report: Report) -> list[str]:
        return [words.render(line) for s in report.sections if s.title.code == "report.ties" for line in s.lines]

    assert told(RULES.telling.text_board(RULES.sight.view(state, EVERYBODY))) == wanted
    assert told(RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ())) == wanted
    ended = RULES.play.end(state, RULES.play.leaders(state), phrase("agreed.draw", powers=()))
    assert told(RULES.telling.report(RULES.sight.view(ended, Playing(PowerId("red"))), (), ())) == wanted


@pytest.mark.parametrize(
    ("viewer", "own"), [(None, []), (PowerId("nation37"), ["You were number 37 of 101 in the playing order."])]
)
def test_the_playing_order_of_many_nations_is_told_in_short(viewer: PowerId | None, own: list[str]) -> None:
    """The first, how many more, and to each nation its own place; the details have the whole."""
    names = tuple(f"nation{number}" for number in range(1, 101))
    head, details = order_of_play(names, viewer)
    assert head[: 1 + len(own)] == [f"The playing order was: {', '.join(names[:10])} and 91 more.", *own]
    assert f"The playing order was: {', '.join(names)} and Monsters." in details
    assert max(map(len, head)) < 300


def test_the_playing_order_of_few_nations_is_told_whole() -> None:
    head, details = order_of_play(("red", "blue"), PowerId("blue"))
    assert head[0] == "The playing order was: red, blue and Monsters."
    assert head[0] not in details


def order_of_play(names: tuple[str, ...], viewer: PowerId | None) -> tuple[list[str], list[str]]:
    """The head and the details of a report on a turn in which the nations play in the order of their numbers."""
    numbers = list(range(1, len(names) + 1))
    state = position(names=names, figures=((0, 0, 1),) * len(names), dice={"order": numbers})
    events = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).events
    sections = RULES.telling.report(RULES.sight.view(state, viewer_of(viewer)), (), events).sections
    words = load_phrases("king_of_kings")
    head = [words.render(line) for s in sections if s.title.code == "report.head" for line in s.lines]
    return head, [words.render(line) for s in sections if s.kind is SectionKind.DETAIL for line in s.lines]


@pytest.mark.parametrize(
    ("count", "wanted"),
    [(2, "Orders are due from red1 and red2."), (100, "Orders are due from 100 nations.")],
)
def test_orders_are_due_from_many_nations_in_short(count: int, wanted: str) -> None:
    state = position(names=tuple(f"red{number}" for number in range(1, count + 1)), figures=((0, 0, 1),) * count)
    sections = RULES.telling.briefing(RULES.sight.view(state, EVERYBODY)).sections
    assert wanted in [load_phrases("king_of_kings").render(line) for s in sections for line in s.lines]


def test_everybody_is_told_in_the_first_turn_what_a_turn_is() -> None:
    first = RULES.play.start(variant="classic", players=2, options={}, seed="x")
    for state, is_told in ((first, True), (RULES.play.adjudicate(first, {}, RULES.play.dice(first)).state, False)):
        briefing = RULES.telling.briefing(RULES.sight.view(state, EVERYBODY))
        assert ("report.what_turns_are" in str(briefing)) is is_told
