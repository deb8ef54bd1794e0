"""A turn, what to do next, and the whole position, in words. Source: rules 11; rulings K-51, K-52."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section, SectionKind
from engine.king_of_kings import edits
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.model import Ending, Line, Nation, Rank, State, Symbol, View
from engine.king_of_kings.options import changed_options, options_row
from engine.king_of_kings.orders import parts_of
from engine.king_of_kings.own_tables import own_tables
from engine.king_of_kings.ranking import AGREED, rank, standings, ties
from engine.king_of_kings.results import OK, code_of, level_of, line_of_result
from engine.king_of_kings.steps.isolation import isolated_in
from engine.king_of_kings.steps.opening import due_credits
from engine.king_of_kings.text_map import DISLOYAL, ISOLATED, shortened, text_map, unit_letters
from engine.lattice.squares import Cell

_ORDERS = {"error": "report.order_error", "warning": "report.order_warning", OK: "report.order"}
_HEAD_LETTERS, _WIDTH = 4, 6
_MOST_NAMED, _FIRST_NAMED = 20, 10
"""The most nations that a sentence lists; of more, it names this many."""
_MOST_ISOLATED = 15
"""The most isolated provinces named in public; the map marks every one."""
_PHONE = 40
"""How many letters of even width a phone shows in a row."""


def report(view: View, results: Sequence[OrderResult[Line]], events: Sequence[Event]) -> Report:
    """Head, the great battles and the ranking for all to read; tables, all rolls, errors and orders in detail.

    A player's own report says what happened to the nation, and lists the errors in its sheet.
    """
    news = tuple(event.what for event in events)
    nation = view.viewer
    is_over = view.state.over is not None
    if nation is None:
        story = Section(phrase("report.highlights"), highlights(news))
        remarks = [Section(phrase("report.remarks"), tuple(_remarks(results)), SectionKind.DETAIL)]
    else:
        own_news = tuple(_own_news(news, nation))
        unsent, lapsed = _unsent(view.state, own_news, nation), _lapsed(view.state, own_news, nation)
        story = Section(phrase("report.befell"), (*unsent, *own_news, *lapsed))
        own = [result for result in results if result.power == nation]
        others = [result for result in results if result.power != nation]
        remarks = [
            Section(phrase("report.remarks"), tuple(_remarks(own))),
            Section(phrase("report.remarks_of_others"), tuple(_remarks(others)), SectionKind.DETAIL),
        ]
    return _report(
        *(_standing(view.state) if is_over else ()),
        Section(phrase("report.head"), (*_announced(view, news), *_head(view))),
        story,
        *remarks,
        *(_standing(view.state) if nation is None and not is_over else ()),
        *(_tables(view) if nation is None else ()),
        _options(view),
        Section(
            phrase("report.happened"),
            tuple(what for what in news if what.code not in _IN_THE_HEAD or _is_long(what)),
            SectionKind.DETAIL,
        ),
        Section(phrase("report.orders"), tuple(_orders(results)), SectionKind.DETAIL),
    )


def briefing(view: View) -> Report:
    """The viewer's store, units and provinces; in public, whose orders are awaited."""
    state, nation = view.state, view.viewer
    if nation is None or nation not in state.nations:
        waiting = tuple(filter(state.is_played, state.nations)) if state.over is None else ()
        lines = (_orders_due(waiting),) if waiting else ()
        return _report(Section(phrase("report.head"), (*_head(view), *lines)))
    if not state.is_played(nation) or state.over is not None:
        return _report(Section(phrase("report.of_nation", nation=nation), (phrase("report.you_are_out"),)))
    return _report(
        Section(phrase("report.of_nation", nation=nation), tuple(_store(state, nation))),
        Section(phrase("report.own_alliances"), tuple(_alliances(state, nation))),
        Section(phrase("report.own_provinces"), tuple(_places(view, nation))),
    )


def _orders_due(nations: tuple[PowerId, ...]) -> Phrase:
    if len(nations) > _MOST_NAMED:
        return phrase("report.to_act_many", count=len(nations))
    return phrase("report.to_act", powers=nations)


def _store(state: State, nation: PowerId) -> Iterator[Phrase]:
    """What a nation has to spend, what happens to the rest, and a general that waits."""
    own, options = state.nations[nation], state.options
    yield phrase("report.own_store", gold=own.gold, wood=own.wood, fame=own.fame)
    if own.food:
        yield phrase("report.own_food", food=own.food)
    limits = {"gold": options.storage_gold, "wood": options.storage_wood}
    kept = tuple(phrase(f"rehearsal.{what}", amount=most) for what, most in limits.items() if most is not None)
    if kept:
        yield phrase("report.kept", kept=kept)
    generals = [troop for troop in state.rules.troops.values() if troop.is_general]
    ours = [units for province in state.provinces if (units := province.units.get(nation))]
    living = sum(units.get(troop.symbol, 0) for units in ours for troop in generals)
    credits_ = own.credits + due_credits(options, state.turn, living, own.credits)
    if generals and credits_:
        yield phrase("report.own_credits", credits=credits_, keyword=generals[0].keyword)


def _alliances(state: State, nation: PowerId) -> Iterator[Phrase]:
    """The statuses between the nation and others, if one of the two is not 0."""
    for other in state.nations.values():
        own, theirs = state.nations[nation].status.get(other.id, 0), other.status.get(nation, 0)
        if own or theirs:
            yield phrase("report.own_alliance", nation=other.id, own=own, theirs=theirs)


def text_board(view: View) -> Report:
    """The head, the tables, the map in letters, and what each nation has where."""
    state = view.state
    return _report(
        Section(phrase("report.head"), tuple(_head(view))),
        *_standing(state),
        *_tables(view),
        *own_tables(state.rules),
        _options(view),
        Section(
            phrase("report.map", letters=_letters(state)),
            tuple(phrase("report.plain", text=text) for text in text_map(state, isolated_in(state))),
            SectionKind.DETAIL,
        ),
        *(Section(phrase("report.of_nation", nation=nation), tuple(_places(view, nation))) for nation in state.nations),
    )


def _letters(state: State) -> str:
    """What the letters of the map mean, as far as they occur."""
    seen = {province.terrain for province in state.provinces}
    return ", ".join(f"{kind.letter} {kind.name}" for kind in state.rules.terrain.values() if kind.name in seen)


MOST_BATTLES = 10
"""How many battles a chat shows; all of them are in the whole report."""
_OF_NOTE = frozenset({
    "event.ceded", "event.eliminated", "event.became_monsters", "event.often_missed",
    "event.named",
})  # fmt: skip
_ORDER_OF_PLAY = "event.playing_order"
_IN_THE_HEAD = frozenset({edits.TOLD, _ORDER_OF_PLAY})
_BATTLE_BEGINS = frozenset({"battle.land", "battle.sea"})
_ROLLS = frozenset({"battle.volley", "battle.left"})
_OF_A_NATION = ("nation", "other", "to", "ally", "attacker", "defender", "loser")


def highlights(news: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The main news: the battles with the most rolls, without the rolls, and what changed hands."""
    battles = _battles(news)
    size = sorted((sum(what.code in _ROLLS for what in battle) for battle in battles), reverse=True)
    least = size[MOST_BATTLES - 1] if len(size) > MOST_BATTLES else 0
    great = [battle for battle in battles if sum(what.code in _ROLLS for what in battle) >= least][:MOST_BATTLES]
    fought = [what for battle in great for what in battle if what.code not in _ROLLS]
    if len(great) < len(battles):
        fought.append(phrase("report.more_battles", count=len(battles) - len(great)))
    return (*fought, *(what for what in news if what.code in _OF_NOTE))


def _battles(news: Sequence[Phrase]) -> list[list[Phrase]]:
    """The stories of battles, each from its beginning to the last event in its place."""
    found: list[list[Phrase]] = []
    for what in news:
        if what.code in _BATTLE_BEGINS:
            found.append([what])
        elif found and what.code.startswith("battle.") and _place_of(what) == _place_of(found[-1][0]):
            found[-1].append(what)
    return found


def _place_of(what: Phrase) -> tuple[object, object]:
    return what.args.get("x"), what.args.get("y")


def _own_news(news: Sequence[Phrase], nation: PowerId) -> Iterator[Phrase]:
    """The events that name a nation, and the outcomes of its battles; rolls are left to the whole report."""
    fought = {_place_of(battle[0]) for battle in _battles(news) if _is_about(battle[0], nation)}
    for what in news:
        is_of_a_battle = what.code.startswith("battle.") and _place_of(what) in fought
        if what.code not in _ROLLS and (is_of_a_battle or _is_about(what, nation)):
            yield what


def _is_about(what: Phrase, nation: PowerId) -> bool:
    """Whether a nation is named in an event."""
    return any(str(what.args.get(name, "")).casefold() == nation for name in _OF_A_NATION)


def _unsent(state: State, own_news: Sequence[Phrase], nation: PowerId) -> Iterator[Phrase]:
    """That no sheet came, and what became of the turn. Source: rules 10; ruling K-99."""
    missed = state.nations[nation].missed if nation in state.nations else 0
    is_excused = any(what.code == "event.excused" for what in own_news)
    if missed or is_excused:
        is_first = missed == (0 if is_excused else 1)
        yield phrase("report.spared" if state.options.nmr == "hold" and is_first else "report.played_for")


def _lapsed(state: State, news: Sequence[Phrase], nation: PowerId) -> Iterator[Phrase]:
    """The nations with which a status was raised in vain, since only one of the two sent the order.

    Source: rules 9.2.
    """
    others: list[PowerId] = []
    for what in news:
        if what.code == "event.status" and int(str(what.args["status"])) > int(str(what.args["was"])):
            pair = [PowerId(str(what.args[side]).casefold()) for side in ("nation", "other")]
            (other,) = [power for power in pair if power != nation]
            if state.nations[nation].status.get(other, 0) < int(str(what.args["status"])):
                others.append(other)
    if others:
        yield phrase("report.lapsed", nations=tuple(dict.fromkeys(others)))


def _report(*sections: Section | None) -> Report:
    return Report(tuple(section for section in sections if section is not None and section.lines))


# Head and tables


def _announced(view: View, news: Sequence[Phrase]) -> Iterator[Phrase]:
    """The game master's changes, and the playing order; if there are many nations, the first ones and the viewer's
    place.

    The whole of a long order is among the details.
    """
    for what in news:
        if what.code not in _IN_THE_HEAD:
            continue
        if not _is_long(what):
            yield what
            continue
        nations: tuple[str, ...] = tuple(what.args["nations"])
        yield phrase(_ORDER_OF_PLAY, nations=_first(nations))
        own = None if view.viewer is None else view.state.nations[view.viewer].name
        if own in nations:
            yield phrase("report.own_turn", place=nations.index(own) + 1, count=len(nations))


def _first(nations: Sequence[str]) -> tuple[str | Phrase, ...]:
    """The nations as a sentence lists them; if there are many, the first ones, and how many more there are."""
    if len(nations) <= _MOST_NAMED:
        return tuple(nations)
    return (*nations[:_FIRST_NAMED], phrase("report.more_nations", count=len(nations) - _FIRST_NAMED))


def _is_long(what: Phrase) -> bool:
    return what.code == _ORDER_OF_PLAY and len(what.args["nations"]) > _MOST_NAMED


def _head(view: View) -> Iterator[Phrase]:
    state = view.state
    if state.over is not None:
        yield state.over.why
    elif view.viewer is None or state.is_played(view.viewer):
        yield phrase("report.next_turn", turn=state.turn)
    if state.turn == 1:
        if view.viewer is None and state.over is None:
            yield phrase("report.what_turns_are")
        yield from _advantages(state)
    isolated = [_name(state, cell) for cell in sorted(isolated_in(state)) if _concerns(view, cell)]
    if len(isolated) > _MOST_ISOLATED:
        more = len(isolated) - _MOST_ISOLATED
        yield phrase("report.more_isolated", places=", ".join(isolated[:_MOST_ISOLATED]), count=more)
    elif isolated:
        yield phrase("report.isolated", places=isolated)


def _advantages(state: State) -> Iterator[Phrase]:
    """What a scenario gives to single nations that no table shows, or that matters at the end."""
    for nation in state.nations.values():
        fame = (phrase("report.fame", fame=nation.fame),) if nation.fame else ()
        generals = (phrase("report.credits", credits=nation.credits),) if nation.credits else ()
        if fame or generals:
            yield phrase("report.begins_with", nation=nation.id, what=(*fame, *generals))


def _concerns(view: View, cell: Cell) -> bool:
    """Whether a report mentions an isolated province: a nation's own, or in public those of all played nations.

    The Monsters' towns are isolated from the first turn to the last: that is no news.
    """
    owner = view.state.provinces[cell].owner
    return owner is not None and view.state.is_played(owner) and view.viewer in (None, owner)


def _options(view: View) -> Section:
    state = view.state
    lines = [phrase("report.options", options=_chosen(options_row(state.options)))]
    if state.next_options is not None:
        coming = _chosen(changed_options(state.options, state.next_options))
        lines.append(phrase("report.next_options", turn=state.turn + 1, options=coming))
    return Section(phrase("report.rules"), tuple(lines), SectionKind.DETAIL)


def _chosen(row: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {_word(value)}" for name, value in row.items())


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "/".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def _name(state: State, cell: Cell) -> str:
    x, y = state.grid.xy(cell)
    name = state.provinces[cell].name
    return f"{x}/{y}" if name is None else f"{name} ({x}/{y})"


def _tables(view: View) -> tuple[Section, ...]:
    state = view.state
    nations = state.nations.values()
    figures = figures_of(state)
    powers = variant_of(state).powers
    troops = "".join(f"{troop.name[:_HEAD_LETTERS].capitalize():>{_WIDTH}}" for troop in state.rules.troops.values())
    rows = [
        phrase(
            "report.player",
            number=nation.number,
            name=powers[nation.id].name,
            gold=nation.gold,
            wood=nation.wood,
            troops="".join(f" {count:>{_WIDTH - 1}}" for count in figures[nation.id].troops.values()),
            might=figures[nation.id].might,
            food=figures[nation.id].food,
            provinces=figures[nation.id].provinces,
        )
        for nation in nations
    ]
    alliances = [
        phrase("report.alliance", number=nation.number, name=powers[nation.id].name, row=_statuses(state, nation))
        for nation in nations
    ]
    return (
        Section(phrase("report.all_figures"), (phrase("report.player_head", troops=troops), *rows), SectionKind.DETAIL),
        Section(phrase("report.alliances"), tuple(alliances), SectionKind.DETAIL),
    )


def _statuses(state: State, nation: Nation) -> str:
    others = state.nations.values()
    return " ".join("-" if other.id == nation.id else str(nation.status.get(other.id, 0)) for other in others)


@dataclass(slots=True)
class Figures:
    """A nation's line of the player table: units by type, all land units, food that its provinces yield, provinces."""

    troops: dict[Symbol, int]
    might: int = 0
    food: int = 0
    provinces: int = 0


def figures_of(state: State) -> dict[PowerId, Figures]:
    """The player table of a position. Source: rules 11; ruling K-52."""
    found = {nation: Figures(dict.fromkeys(state.rules.troops, 0)) for nation in state.nations}
    for province in state.provinces:
        terrain = state.rules.terrain[province.terrain]
        for nation, units in province.units.items():
            for symbol, amount in units.items():
                found[nation].troops[symbol] += amount
                found[nation].might += 0 if state.rules.troops[symbol].is_ship else amount
        if province.owner is not None and (not terrain.is_sea or state.options.sea_ownership):
            found[province.owner].food += terrain.food
            found[province.owner].provinces += 1
    return found


# Places


def _places(view: View, nation: PowerId) -> Iterator[Phrase]:
    """What a nation owns or holds, in map order; home provinces in capital letters. Source: rules 9.1, 11."""
    state = view.state
    isolated = isolated_in(state)
    for cell, province in enumerate(state.provinces):
        if province.owner == nation or nation in province.units:
            words = [province.terrain if province.home_of is None else province.terrain.upper()]
            words += [troops] if (troops := unit_letters(state, province.units.get(nation, {}))) else []
            if not state.rules.terrain[province.terrain].is_sea:
                words.append(str(province.tactic).lower())
            if Cell(cell) in isolated:
                words.append(ISOLATED)
            is_disloyal = state.options.loyalty and province.owner is not None and province.loyal_to != province.owner
            place = _name(state, Cell(cell)) + (DISLOYAL if is_disloyal else "")
            yield phrase("report.province", place=place, text=" ".join(words))


# Results of the orders


def _remarks(results: Sequence[OrderResult[Line]]) -> Iterator[Phrase]:
    """Errors as `*nation line: why`, warnings as `(nation line): why`. Source: rules 4.2."""
    for result in results:
        level = level_of(code_of(result))
        if level == OK:
            continue
        number, part = line_of_result(result), result.reason.args["part"]
        is_one = part is None or result.order is None or parts_of(result.order.order) == 1
        place = phrase("report.line" if is_one else "report.line_part", line=number, part=part)
        yield phrase(f"report.{level}", nation=result.power, line=place, why=result.reason)


def _orders(results: Sequence[OrderResult[Line]]) -> Iterator[Phrase]:
    """Every line once, with the mark of the worst remark about it. Source: rules 4.2"""
    lines: dict[tuple[PowerId, int], tuple[str, str]] = {}
    for result in results:
        key, level = (result.power, line_of_result(result)), level_of(code_of(result))
        if result.text and (key not in lines or level == "error"):
            lines[key] = (level, result.text)
    for (nation, number), (level, text) in lines.items():
        yield phrase(_ORDERS[level], nation=nation, line=number, order=text)


_RANK_HEADS = {"place": 1, "name": 8, "fame": 4, "gold": 4, "might": 3, "provinces": 3, "average": 4}
"""The columns of the ranking, and the letters of their heads; at least this many letters of names are kept."""


def _standing(state: State) -> tuple[Section, ...]:
    """The ranking of the players' nations, as it would be, or was, at the end, and what decided between equals.

    Source: rules 11, 13; ruling K-54
    """
    ending = state.ending or rank(AGREED, standings(state))
    decided = tuple(
        phrase(
            "report.tie", nations=_first(tie.nations), by=tuple(phrase(f"report.tie_{what}") for what in tie.decided_by)
        )
        for tie in ties(ending)
    )
    return _ranking(state, ending), Section(phrase("report.ties"), decided)


def _ranking(state: State, ending: Ending) -> Section:
    """The ranking as a table."""
    powers, figures = variant_of(state).powers, figures_of(state)
    rows = [_rank_row(of, powers[of.nation].name, figures[of.nation].provinces) for of in ending.ranking]
    widths = _rank_widths(rows)
    for row in rows:
        row["name"] = shortened(row["name"], widths[_NAME_COLUMN])
    heads = {column: phrase(f"report.rank_{column}") for column in _RANK_HEADS}
    lines = (
        phrase("report.rank", width=widths, **heads),
        *(phrase("report.rank" if row["average"] else "report.rank_out", width=widths, **row) for row in rows),
    )
    return Section(phrase("report.ranking"), lines, SectionKind.TABLE)


_NAME_COLUMN = tuple(_RANK_HEADS).index("name")


def _rank_row(of: Rank, name: str, provinces: int) -> dict[str, str]:
    """The texts of the columns; the fallen have no average."""
    return {
        "place": str(of.place),
        "name": name,
        "fame": str(of.fame),
        "gold": str(of.gold),
        "might": str(of.might),
        "provinces": str(provinces),
        "average": "" if of.average is None else f"{of.average:.2f}",
    }


def _rank_widths(rows: Sequence[Mapping[str, str]]) -> tuple[int, ...]:
    """The widths of the columns: that of their texts; names get what a phone has left."""
    widths = [max([head, *(len(row[column]) for row in rows)]) for column, head in _RANK_HEADS.items()]
    others = sum(widths) - widths[_NAME_COLUMN] + len(widths) - 1
    widths[_NAME_COLUMN] = min(widths[_NAME_COLUMN], max(_RANK_HEADS["name"], _PHONE - others))
    return tuple(widths)
