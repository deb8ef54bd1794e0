"""game.json of King of Kings: reading a document typed by hand, and writing one. Source: rules 1.

What a document leaves out has its default; impossible values raise `DocumentError` with the path of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.core.dice import D100, ForcedRoll
from engine.core.documents import (
    FORMAT,
    boolean_of,
    check_players,
    checked_document,
    integer_of,
    list_of,
    mapping_of,
    named_variant,
    over_row,
    rows_of,
    streams_of,
    streams_to_json,
    why_of,
    word_of,
)
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.king_of_kings import even_ground, generator, ring, tables
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.generator import Land
from engine.king_of_kings.info import INFO
from engine.king_of_kings.model import (
    MOST_STATUS,
    ORDER,
    Ending,
    Flag,
    Improvement,
    Nation,
    Options,
    Province,
    Rank,
    Rulebook,
    State,
    Symbol,
    Tactic,
    Terrain,
    Troop,
)
from engine.king_of_kings.options import changed_options, options_row, read_options

_PLAYERS = 7
"""The number of nations in a document without a position."""
_MOST_CELLS = 62_500
"""250 by 250, the limit for scenarios in version 0.1.0. New ones are smaller (`form.MOST_SQUARES`)."""
_MOST_NATIONS = 1000
_LONGEST_NAME = 40
_SEA = "sea"
_PLAYER, _MONSTERS = "player", "monsters"


LANDS: Mapping[str, Callable[..., Land]] = {
    "classic": generator.make_land,
    "balanced": even_ground.make_land,
    "ring": ring.make_land,
}
"""The generators of random maps, by the option that chooses one. What each makes of a seed must never change."""


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game on a random map.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that can't be seated.
    """
    named_variant(INFO, variant)
    check_players(INFO, players)
    chosen = read_options(options)
    drawn = generator.classic(players, seed, side=chosen.map_side or None, make=LANDS[chosen.map])
    return load({"options": options, "seed": seed, "state": drawn})


def load(document: Mapping[str, Any]) -> State:
    """The game of a document. Unknown keys are ignored; one without `state` gets a random map.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    document = checked_document(INFO, document)
    if document.get("state") is None:
        document = {**document, "state": generator.classic(_PLAYERS, str(document.get("seed", "")))}
    position = mapping_of(document["state"], "state")
    phase = mapping_of(_or(document.get("phase"), {}), "phase")
    rules = _rulebook(position)
    nations = _nations(position.get("nations"))
    width, provinces = _Board(rules, nations).read(position)
    reader = _Names(nations)
    ending = reader.ending(position.get("result"))
    options = read_options(_or(document.get("options"), {}))
    return State(
        seed=str(document.get("seed", "")),
        options=options,
        rules=rules,
        turn=integer_of(phase.get("turn", 1), "phase.turn", least=1),
        nations=nations,
        width=width,
        provinces=provinces,
        dice=_dice(document.get("dice"), nations),
        ending=ending,
        over=reader.over(document.get("over"), ending, has_ended=bool(phase.get("ended"))),
        notes=_notes(_or(position.get("notes"), ())),
        next_options=_next_options(options, _or(position.get("next_options"), {})),
    )


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _filled(row: Mapping[str, Any], *but: str) -> dict[str, Any]:
    """A row without its keys that are `null`, except those for which `null` is a value."""
    return {key: value for key, value in row.items() if value is not None or key in but}


def _next_options(options: Options, given: Any) -> Options | None:
    """The options from the next turn on; a document lists those that will change. Source: rules 15."""
    coming = read_options({**options_row(options), **mapping_of(given, "state.next_options")})
    return None if coming == options else coming


def _notes(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(note, str) for note in given):
        raise DocumentError("state.notes", "is not a list of texts")
    return tuple(given)


def _dice(given: Any, nations: Mapping[PowerId, Nation]) -> dict[str, tuple[ForcedRoll, ...]]:
    """Forced rolls; for the playing order they are numbers of nations. Source: rules 14; ruling K-77."""
    streams = streams_of(_or(given, {}), sides=D100)
    numbers = {nation.number for nation in nations.values()}
    for index, number in enumerate(streams.get(ORDER, ())):
        if number not in numbers:
            raise DocumentError(f"dice.{ORDER}[{index}]", f"no nation has the number {number}")
    return streams


# Tables


def _rulebook(position: Mapping[str, Any]) -> Rulebook:
    """The standard tables with what the document replaces or adds."""
    base = tables.standard()
    terrain = _terrain(base, _or(position.get("terrain"), {}))
    troops = base.troops if position.get("troops") is None else _troops(position["troops"])
    tactics = _tactics(base, _or(position.get("tactics"), {}))
    build = _build(base, terrain, _or(position.get("build"), {}))
    if (troops, terrain, tactics, build) == (base.troops, base.terrain, base.tactics, base.build):
        return base
    return Rulebook(troops, terrain, tactics, build)


def _troops(given: Any) -> dict[Symbol, Troop]:
    found: dict[Symbol, Troop] = {}
    for index, row in enumerate(rows_of(given, "state.troops")):
        where = f"state.troops[{index}]"
        troop = _troop(_filled(row), where)
        if troop.symbol in found:
            raise DocumentError(f"{where}.symbol", f"{troop.symbol} is another type's letter already")
        if any(other.keyword == troop.keyword for other in found.values()):
            raise DocumentError(f"{where}.name", f"{troop.keyword} is another type's keyword already")
        found[troop.symbol] = troop
    if not found:
        raise DocumentError("state.troops", "is empty")
    return found


def _troop(row: Mapping[str, Any], where: str) -> Troop:
    name, symbol = row.get("name"), row.get("symbol")
    if not isinstance(name, str) or not name[:2].isalpha() or len(name) < 2 or len(name) > _LONGEST_NAME:
        raise DocumentError(f"{where}.name", f"{name!r} does not begin with two letters")
    if not isinstance(symbol, str) or len(symbol) != 1 or not symbol.isalpha():
        raise DocumentError(f"{where}.symbol", f"{symbol!r} is not a letter")
    given = {"hit_later": row.get("hit_first", 0), **row}
    numbers = {
        key: integer_of(given.get(key, 0), f"{where}.{key}", least=-1000, most=1_000_000) for key in tables.NUMBERS
    }
    for key in ("land_move", "sea_move", "food", "gold", "wood", "casualty_sea", "casualty_land"):
        integer_of(numbers[key], f"{where}.{key}")
    flags = frozenset(
        word_of(Flag, flag, f"{where}.flags") for flag in list_of(_or(row.get("flags"), ()), f"{where}.flags")
    )
    return Troop(name=name, symbol=Symbol(symbol.upper()), flags=flags, **numbers)


def _terrain(base: Rulebook, given: Any) -> Mapping[str, Terrain]:
    found = dict(base.terrain)
    for key, row in mapping_of(given, "state.terrain").items():
        where, name = f"state.terrain.{key}", str(key).lower()
        row = _filled(mapping_of(row, where))
        letter = row.get("letter", found[name].letter if name in found else None)
        if not isinstance(letter, str) or len(letter) != 1 or letter.isspace():
            raise DocumentError(f"{where}.letter", f"{letter!r} is not a letter")
        cap = row.get("cap")
        found[name] = Terrain(
            name=name,
            letter=letter,
            food=integer_of(row.get("food", 0), f"{where}.food"),
            gold=integer_of(row.get("gold", 0), f"{where}.gold"),
            wood=integer_of(row.get("wood", 0), f"{where}.wood"),
            move=integer_of(row.get("move", 1), f"{where}.move"),
            cap=None if cap is None else integer_of(cap, f"{where}.cap"),
            is_sea=boolean_of(row.get("sea", False), f"{where}.sea"),
        )
    letters = [kind.letter for kind in found.values()]
    twice = sorted({letter for letter in letters if letters.count(letter) > 1})
    if twice:
        raise DocumentError("state.terrain", f"several terrains have the letter {twice[0]}")
    return found


def _tactics(base: Rulebook, given: Any) -> Mapping[tuple[Tactic, Tactic], tuple[int, int]]:
    found = dict(base.tactics)
    for key, pair in mapping_of(given, "state.tactics").items():
        where, word = f"state.tactics.{key}", str(key).upper()
        if len(word) != 2 or not all(letter in list(Tactic) for letter in word):
            raise DocumentError(where, f"{key!r} is not two of {', '.join(Tactic)}")
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise DocumentError(where, "is not a pair of numbers")
        attack, defence = (integer_of(each, where, least=-1000, most=1000) for each in pair)
        found[Tactic(word[0]), Tactic(word[1])] = (attack, defence)
    return found


def _build(base: Rulebook, terrain: Mapping[str, Terrain], given: Any) -> Mapping[str, Improvement | None]:
    found = dict(base.build)
    for key, pair in mapping_of(given, "state.build").items():
        where, name = f"state.build.{key}", str(key).lower()
        if name not in terrain:
            raise DocumentError(where, f"there is no terrain {key!r}")
        if pair is None:
            found[name] = None
            continue
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise DocumentError(where, "is neither a chance and a terrain nor null")
        to = str(pair[1]).lower()
        if to not in terrain:
            raise DocumentError(where, f"there is no terrain {pair[1]!r}")
        found[name] = Improvement(integer_of(pair[0], where, most=100), to)
    return found


# Nations


def _nations(given: Any) -> dict[PowerId, Nation]:
    """The nations in the order of their numbers."""
    rows = rows_of(_or(given, ()), "state.nations")
    if len(rows) > _MOST_NATIONS:
        raise DocumentError("state.nations", f"has {len(rows)} nations; {_MOST_NATIONS} are the most")
    names = [_nation_name(row.get("name"), f"state.nations[{index}].name") for index, row in enumerate(rows)]
    ids = [PowerId(name.casefold()) for name in names]
    found: list[Nation] = []
    for index, (row, name) in enumerate(zip(rows, names, strict=True)):
        where = f"state.nations[{index}]"
        if ids[index] in ids[:index]:
            twin = names[ids.index(ids[index])]
            same = "" if twin == name else f": {twin!r} is the same without case"
            raise DocumentError(f"{where}.name", f"there are two nations {name!r}{same}")
        nation = _nation(_filled(row), name, index, where, ids)
        if any(nation.number == other.number for other in found):
            raise DocumentError(f"{where}.number", f"{nation.number} is another nation's number already")
        found.append(nation)
    return {nation.id: nation for nation in sorted(found, key=lambda nation: nation.number)}


def _nation_name(name: Any, where: str) -> str:
    if not isinstance(name, str) or not name or not name.isprintable() or name.split() != [name]:
        raise DocumentError(where, f"{name!r} is not a name without blanks")
    if len(name) > _LONGEST_NAME:
        raise DocumentError(where, f"is longer than {_LONGEST_NAME} characters")
    return name


def _nation(row: Mapping[str, Any], name: str, index: int, where: str, ids: Sequence[PowerId]) -> Nation:
    controller = str(row.get("controller", _PLAYER)).lower()
    if controller not in (_PLAYER, _MONSTERS):
        raise DocumentError(f"{where}.controller", f"{controller!r} is neither {_PLAYER} nor {_MONSTERS}")
    store = {
        key: integer_of(row.get(key, 0), f"{where}.{key}")
        for key in ("gold", "wood", "food", "fame", "credits", "missed")
    }
    status: dict[PowerId, int] = {}
    for other, value in mapping_of(_or(row.get("status"), {}), f"{where}.status").items():
        key = PowerId(str(other).casefold())
        if key not in ids:
            raise DocumentError(f"{where}.status.{other}", f"there is no nation {other!r}")
        status[key] = integer_of(value, f"{where}.status.{other}", most=MOST_STATUS)
    eliminated, article = row.get("eliminated"), row.get("article")
    if article not in (None, True, False):
        raise DocumentError(f"{where}.article", f"{article!r} is neither true nor false")
    return Nation(
        id=PowerId(name.casefold()),
        name=name,
        number=integer_of(row.get("number", index + 1), f"{where}.number", least=1),
        is_monsters=controller == _MONSTERS,
        status={other: status[other] for other in sorted(status) if status[other] and other != name.casefold()},
        eliminated=None if eliminated is None else integer_of(eliminated, f"{where}.eliminated"),
        article=article,
        **store,
    )


class _Names:
    """Reads names of nations, whatever their case."""

    def __init__(self, nations: Mapping[PowerId, Nation]) -> None:
        self._nations = nations

    def nation(self, name: Any, where: str) -> PowerId:
        """The nation of a name."""
        found = PowerId(str(name).casefold())
        if found not in self._nations:
            known = ", ".join(nation.name for nation in self._nations.values()) or "none"
            raise DocumentError(where, f"there is no nation {name!r}; there are {known}")
        return found

    def maybe(self, name: Any, where: str) -> PowerId | None:
        """The nation of a name; `None` stays `None`."""
        return None if name is None else self.nation(name, where)

    def several(self, names: Any, where: str) -> tuple[PowerId, ...]:
        """Nations in the order of a list."""
        return tuple(self.nation(name, f"{where}[{index}]") for index, name in enumerate(list_of(names, where)))

    def ending(self, given: Any) -> Ending | None:
        """How the game ended."""
        if given is None:
            return None
        row = mapping_of(given, "state.result")
        ranks = [
            self._rank(line, f"state.result.ranking[{index}]")
            for index, line in enumerate(rows_of(row.get("ranking", ()), "state.result.ranking"))
        ]
        winners = self.several(row.get("winners", ()), "state.result.winners")
        return Ending(str(row.get("reason", "end_turn")), winners, tuple(ranks))

    def _rank(self, row: Mapping[str, Any], where: str) -> Rank:
        average = row.get("average")
        if average is not None and not isinstance(average, int | float):
            raise DocumentError(f"{where}.average", f"{average!r} is not a number")
        numbers = {key: integer_of(row.get(key, 0), f"{where}.{key}") for key in ("place", "fame", "gold", "might")}
        return Rank(nation=self.nation(row.get("nation"), f"{where}.nation"), average=average, **numbers)

    def over(self, given: Any, ending: Ending | None, *, has_ended: bool) -> Over | None:
        """The end of a game that is over, as far as the document describes it."""
        if given is not None:
            row = mapping_of(given, "over")
            return Over(self.several(row.get("winners", ()), "over.winners"), why_of(row, tables.SYSTEM))
        if ending is not None:
            return Over(ending.winners, why_over(ending))
        return Over((), phrase("event.over", why="")) if has_ended else None


def why_over(ending: Ending) -> Phrase:
    """The reason for the end of the game, in words."""
    return phrase(f"over.{ending.reason}") if ending.reason in REASONS else phrase("event.over", why=ending.reason)


REASONS = ("end_turn", "fame_limit", "last_man_standing", "vote")
"""The reasons with phrases of their own. Source: rules 13."""


# The board


class _Board:
    """Reads the map and the provinces of a document."""

    def __init__(self, rules: Rulebook, nations: Mapping[PowerId, Nation]) -> None:
        self._rules = rules
        self._nations = _Names(nations)
        self._by_letter = {kind.letter: kind.name for kind in rules.terrain.values()}

    def read(self, position: Mapping[str, Any]) -> tuple[int, tuple[Province, ...]]:
        """The width of the board, and every cell in map order."""
        given = rows_of(_or(position.get("provinces"), ()), "state.provinces")
        rows = [_filled(row, "loyal_to") for row in given]
        places = [self._place(row, f"state.provinces[{index}]") for index, row in enumerate(rows)]
        cells = None if position.get("map") is None else self._map(position["map"])
        width, height = (len(cells[0]), len(cells)) if cells else _extent(places)
        if not width or not height:
            raise DocumentError("state.map", "the board has no cells")
        if width * height > _MOST_CELLS:
            raise DocumentError("state.map", f"the board has {width * height} squares; {_MOST_CELLS} are the most")
        board = {
            kind: Province(kind) for kind in self._rules.terrain
        }  # empty cells of a kind are all alike, so they are the same value
        found = [board[cells[y][x] if cells else _SEA] for y in range(height) for x in range(width)]
        seen: set[tuple[int, int]] = set()
        names: set[str] = set()
        for index, (row, (x, y)) in enumerate(zip(rows, places, strict=True)):
            where = f"state.provinces[{index}]"
            if x >= width or y >= height:
                raise DocumentError(where, f"{x}/{y} is off the map, which has {width} by {height} cells")
            if (x, y) in seen:
                raise DocumentError(where, f"{x}/{y} is listed twice")
            seen.add((x, y))
            kind = self._kind(row, cells[y][x] if cells else None, where)
            province = self._province(row, kind, where)
            if province.name is not None:
                if province.name.casefold() in names:
                    raise DocumentError(f"{where}.name", f"another province is named {province.name!r}")
                names.add(province.name.casefold())
            found[y * width + x] = province
        return width, tuple(found)

    def _place(self, row: Mapping[str, Any], where: str) -> tuple[int, int]:
        x, y = (integer_of(row.get(axis), f"{where}.{axis}", most=_MOST_CELLS) for axis in ("x", "y"))
        return x, y

    def _map(self, given: Any) -> list[list[str]]:
        if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(row, str) for row in given):
            raise DocumentError("state.map", "is not a list of rows, each a text")
        for y, row in enumerate(given):
            if len(row) != len(given[0]):
                raise DocumentError(f"state.map[{y}]", f"has {len(row)} cells, the first row {len(given[0])}")
            for x, letter in enumerate(row):
                if letter not in self._by_letter:
                    raise DocumentError(f"state.map[{y}]", f"{letter!r} at {x}/{y} is no terrain")
        return [[self._by_letter[letter] for letter in row] for row in given]

    def _kind(self, row: Mapping[str, Any], mapped: str | None, where: str) -> str:
        kind = row.get("terrain", mapped)
        if kind is None:
            raise DocumentError(f"{where}.terrain", "is needed where there is no map")
        name = str(kind).lower()
        if name not in self._rules.terrain:
            raise DocumentError(f"{where}.terrain", f"{kind!r} is none of {', '.join(self._rules.terrain)}")
        return name

    def _province(self, row: Mapping[str, Any], kind: str, where: str) -> Province:
        units = self._units(row.get("units"), f"{where}.units")
        is_sea = self._rules.terrain[kind].is_sea
        if not is_sea and len(units) > 1:
            raise DocumentError(f"{where}.units", "land holds units of one nation only")
        resident = next(iter(units), None) if not is_sea else None
        owner = self._nations.maybe(row.get("owner", resident), f"{where}.owner")
        if not is_sea and units and owner != resident:
            raise DocumentError(f"{where}.owner", "is not the nation whose units stand there")
        return Province(
            terrain=kind,
            name=_place_name(row.get("name"), f"{where}.name"),
            owner=owner,
            loyal_to=self._nations.maybe(row.get("loyal_to", owner), f"{where}.loyal_to"),
            home_of=self._nations.maybe(row.get("home_of"), f"{where}.home_of"),
            tactic=_tactic(_or(row.get("tactic"), Tactic.STANDARD), f"{where}.tactic"),
            units=units,
        )

    def _units(self, given: Any, where: str) -> dict[PowerId, dict[Symbol, int]]:
        found: dict[PowerId, dict[Symbol, int]] = {}
        for name, row in mapping_of(_or(given, {}), where).items():
            nation = self._nations.nation(name, f"{where}.{name}")
            counts: dict[Symbol, int] = {}
            for key, amount in mapping_of(row, f"{where}.{name}").items():
                symbol = Symbol(str(key).upper())
                if symbol not in self._rules.troops:
                    raise DocumentError(f"{where}.{name}", f"{key!r} is none of {', '.join(self._rules.troops)}")
                counts[symbol] = integer_of(amount, f"{where}.{name}.{key}", most=1_000_000)
            listed = {symbol: counts[symbol] for symbol in self._rules.troops if counts.get(symbol)}
            if listed:
                found[nation] = listed
        return {nation: found[nation] for nation in sorted(found)}


def _extent(places: Iterable[tuple[int, int]]) -> tuple[int, int]:
    found = list(places)
    return max((x + 1 for x, _ in found), default=0), max((y + 1 for _, y in found), default=0)


def _tactic(word: Any, where: str) -> Tactic:
    try:
        return Tactic(str(word).upper())
    except ValueError:
        raise DocumentError(where, f"{word!r} is none of {', '.join(Tactic)}") from None


def _place_name(name: Any, where: str) -> str | None:
    if name is None:
        return None
    if not isinstance(name, str) or not is_place_name(name):
        raise DocumentError(where, f"{name!r} is not a name of 1 to {LONGEST_PLACE_NAME} printable characters")
    return name


LONGEST_PLACE_NAME = 24


def is_place_name(name: str) -> bool:
    """Whether a province can have this name. Source: ruling K-20."""
    return 1 <= len(name) <= LONGEST_PLACE_NAME and name.isprintable() and name == name.strip()


# Writing


def dump(state: State) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    phase: dict[str, Any] = {"turn": state.turn}
    if state.over is not None:
        phase["ended"] = True
    document: dict[str, Any] = {
        "format": FORMAT,
        "system": str(INFO.id),
        "seed": state.seed,
        "phase": phase,
        "options": options_row(state.options),
        "state": _position(state),
    }
    if state.dice:
        document["dice"] = streams_to_json(state.dice)
    if state.over is not None:
        document["over"] = over_row(variant_of(state), state.over.winners, state.over.why)
    return document


def _position(state: State) -> dict[str, Any]:
    letters = {kind.name: kind.letter for kind in state.rules.terrain.values()}
    names = {nation.id: nation.name for nation in state.nations.values()}
    rows = [letters[province.terrain] for province in state.provinces]
    width = state.width
    blank = {kind: Province(kind) for kind in state.rules.terrain}
    position: dict[str, Any] = {
        "map": ["".join(rows[start : start + width]) for start in range(0, len(rows), width)],
        "nations": [_nation_row(nation, names) for nation in state.nations.values()],
        "provinces": [
            _province_row(cell % width, cell // width, province, names)
            for cell, province in enumerate(state.provinces)
            if province != blank[province.terrain]
        ],
        **_table_rows(state.rules),
    }
    if state.notes:
        position["notes"] = list(state.notes)
    if state.next_options is not None:
        position["next_options"] = changed_options(state.options, state.next_options)
    position["result"] = None if state.ending is None else _ending_row(state.ending, names)
    return position


def _nation_row(nation: Nation, names: Mapping[PowerId, str]) -> dict[str, Any]:
    row = {
        "name": nation.name,
        "number": nation.number,
        "controller": _MONSTERS if nation.is_monsters else _PLAYER,
        "gold": nation.gold,
        "wood": nation.wood,
        "food": nation.food,
        "fame": nation.fame,
        "credits": nation.credits,
        "missed": nation.missed,
        "status": {names[other]: nation.status.get(other, 0) for other in names if other != nation.id},
        "eliminated": nation.eliminated,
    }
    return row if nation.article is None else {**row, "article": nation.article}


def _province_row(x: int, y: int, province: Province, names: Mapping[PowerId, str]) -> dict[str, Any]:
    def name(nation: PowerId | None) -> str | None:
        return None if nation is None else names[nation]

    return {
        "x": x,
        "y": y,
        "terrain": province.terrain,
        "name": province.name,
        "owner": name(province.owner),
        "loyal_to": name(province.loyal_to),
        "home_of": name(province.home_of),
        "tactic": str(province.tactic),
        "units": {names[nation]: dict(units) for nation, units in province.units.items()},
    }


def _table_rows(rules: Rulebook) -> dict[str, Any]:
    """The tables that differ from the standard ones."""
    base, found = tables.standard(), dict[str, Any]()
    if rules.troops != base.troops or list(rules.troops) != list(base.troops):
        found["troops"] = [_troop_row(troop) for troop in rules.troops.values()]
    terrain = {name: kind for name, kind in rules.terrain.items() if kind != base.terrain.get(name)}
    if terrain:
        found["terrain"] = {name: _terrain_row(kind) for name, kind in terrain.items()}
    tactics = {pair: values for pair, values in rules.tactics.items() if values != base.tactics[pair]}
    if tactics:
        found["tactics"] = {f"{attack}{defence}": list(values) for (attack, defence), values in tactics.items()}
    build = {name: entry for name, entry in rules.build.items() if name not in base.build or entry != base.build[name]}
    if build:
        found["build"] = {name: [entry.percent, entry.to] if entry else None for name, entry in build.items()}
    return found


def _troop_row(troop: Troop) -> dict[str, Any]:
    numbers = {key: getattr(troop, key) for key in tables.NUMBERS}
    return {"name": troop.name, "symbol": troop.symbol, **numbers, "flags": sorted(troop.flags)}


def _terrain_row(kind: Terrain) -> dict[str, Any]:
    return {
        "letter": kind.letter,
        "food": kind.food,
        "gold": kind.gold,
        "wood": kind.wood,
        "move": kind.move,
        "cap": kind.cap,
        "sea": kind.is_sea,
    }


def _ending_row(ending: Ending, names: Mapping[PowerId, str]) -> dict[str, Any]:
    return {
        "reason": ending.reason,
        "winners": [names[nation] for nation in ending.winners],
        "ranking": [
            {
                "nation": names[rank.nation],
                "place": rank.place,
                "average": rank.average,
                "fame": rank.fame,
                "gold": rank.gold,
                "might": rank.might,
            }
            for rank in ending.ranking
        ],
    }
