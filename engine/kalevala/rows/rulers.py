"""What a document says of each ruler: people, capital, wizard, king, god. Source: rules 30, 30.3"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.core.documents import boolean_of, list_of, mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, parse_province
from engine.kalevala.figures import NONE, Figures, kind_of, read_figures, total
from engine.kalevala.kings.facts import (
    KINDS_OF_KINGS,
    MOST_LIVES,
    STORE,
    WARRIOR,
    WEAKNESSES,
    King,
    Whereabouts,
    find_in,
    is_plain_by,
    kind_of_king,
    king_item,
    power_of,
)
from engine.kalevala.model import GOODS, INVADER, KINDS_OF_RULERS, REALM, Given, Ruler, Wizard
from engine.kalevala.rows.names import Places
from engine.kalevala.rows.values import cell_of, count_of, decimal_of, given_or, name_of, word_of
from engine.kalevala.tables import Group


def read_rulers(rows: Mapping[str, Any], places: Places, others: Iterable[PowerId]) -> dict[PowerId, Ruler]:
    """The rulers of `state.rulers` in its order, which is that of their seats, then `others` whom only owners or
    stacks name.
    """
    found: dict[PowerId, Ruler] = {}
    for name, row in rows.items():
        where = f"state.rulers.{name}"
        ruler = name_of(name, where)
        if ruler in found:
            raise DocumentError(where, "stands there twice")
        found[ruler] = _ruler(places, mapping_of(given_or(row, {}), where), where)
    return found | {name: Ruler() for name in sorted(set(others) - found.keys())}


def with_kings(
    rulers: Mapping[PowerId, Ruler],
    places: Places,
    position: Mapping[str, Any],
    stacks: dict[PowerId, dict[Province, Figures]],
    owners: Mapping[Province, PowerId],
) -> dict[PowerId, Ruler]:
    """The rulers with their kings. A king's figure and his row go together: what one of them leaves out is taken from
    the other, so `stacks` may be given a figure here. Source: rules 30.3
    """
    hostages = rows_of(given_or(position.get("hostages"), ()), "state.hostages")
    held = {row.get("ruler") for row in hostages if row.get("king")}
    given = mapping_of(given_or(position.get("rulers"), {}), "state.rulers")
    rows = {name_of(name, f"state.rulers.{name}"): row for name, row in given.items()}
    found: dict[PowerId, Ruler] = {}
    for name, ruler in rulers.items():
        where = f"state.rulers.{name}.king"
        row = mapping_of(given_or(given_or(rows.get(name), {}).get("king"), {}), where)
        own = stacks.setdefault(name, {})
        king, figure = ruler.king, find_in(own)
        if figure is None and king is not None and name not in held:
            homes = [place for place, owner in owners.items() if owner == name]
            _put_king(row, where, places, own, ruler.capital or next(iter(homes), None))
        elif figure is not None and not figure.craft:
            if "/" not in figure.item:
                _complete(figure, row, own)
            king = king or King()
        figure = find_in(own)
        if king is not None and figure is not None and row.get("plain") is None:
            king = replace(king, is_plain=is_plain_by(has_palace=king.has_palace, power=power_of(figure.item)))
        found[name] = replace(ruler, king=king)
    return found


def _put_king(
    row: Mapping[str, Any], where: str, places: Places, own: dict[Province, Figures], home: Province | None
) -> None:
    """Put a king whom only his row knows where it says, or else at home."""
    at = places.place(row["at"], f"{where}.at") if row.get("at") is not None else home
    if at is None:
        raise DocumentError(f"{where}.at", "is missing")
    kind = given_or(row.get("type"), WARRIOR)
    if kind not in KINDS_OF_KINGS:
        raise DocumentError(f"{where}.type", f"{kind!r} is none of {', '.join(KINDS_OF_KINGS)}")
    lives = count_of(given_or(row.get("lives"), MOST_LIVES), f"{where}.lives", least=1, most=MOST_LIVES)
    power = count_of(given_or(row.get("power"), 0), f"{where}.power", most=STORE)
    own[at] = total((own.get(at, NONE), {king_item(kind, lives, power): 1}))


def _complete(figure: Whereabouts, row: Mapping[str, Any], own: dict[Province, Figures]) -> None:
    """Give a king's figure the lives and power of his row."""
    lives, power = given_or(row.get("lives"), MOST_LIVES), given_or(row.get("power"), 0)
    item = king_item(kind_of_king(figure.item), lives, power)
    rest = {each: count - (each == figure.item) for each, count in own[figure.at].items()}
    own[figure.at] = total(({each: count for each, count in rest.items() if count}, {item: 1}))


def _ruler(places: Places, row: Mapping[str, Any], where: str) -> Ruler:
    core = read_figures(str(given_or(row.get("core"), "L"))) or {}
    if len(core) != 1 or not kind_of(next(iter(core))).is_warrior or next(iter(core))[0] == "B":
        raise DocumentError(f"{where}.core", f"{row['core']!r} are no melee warriors")
    capital, leave = row.get("capital"), list_of(given_or(row.get("leave"), ()), f"{where}.leave")
    wizard, given = row.get("wizard"), given_or(row.get("oeh_gr"), {})
    return Ruler(
        kind=word_of(given_or(row.get("kind"), REALM), KINDS_OF_RULERS, f"{where}.kind"),
        core=next(iter(core)),
        goods=_goods(given_or(row.get("goods"), GOODS), f"{where}.goods"),
        capital=None if capital is None else places.place(capital, f"{where}.capital"),
        people=count_of(given_or(row.get("people"), 2), f"{where}.people", least=1, most=9),
        protected=count_of(given_or(row.get("protected"), 0), f"{where}.protected"),
        nmr=count_of(given_or(row.get("nmr"), 0), f"{where}.nmr"),
        silenced=count_of(given_or(row.get("silenced"), 0), f"{where}.silenced"),
        leave=tuple(count_of(each, f"{where}.leave[{index}]") for index, each in enumerate(leave)),
        sham=None if row.get("sham") is None else str(row["sham"]),
        defend={
            places.place(place, f"{where}.defend.{place}"): str(text)
            for place, text in mapping_of(given_or(row.get("defend"), {}), f"{where}.defend").items()
        },
        loyal_until=count_of(given_or(row.get("loyal_until"), 0), f"{where}.loyal_until"),
        has_left=boolean_of(given_or(row.get("left"), False), f"{where}.left"),
        was=word_of(given_or(row.get("was"), ""), ("", INVADER), f"{where}.was"),
        scores=_scores(row.get("score"), f"{where}.score"),
        barred=dict(_bars(places, row, where)),
        told=None if row.get("told") is None else decimal_of(row["told"], f"{where}.told"),
        wizard=None if wizard is None else _wizard(mapping_of(wizard, f"{where}.wizard"), f"{where}.wizard"),
        king=None if row.get("king") is None else _king(mapping_of(row["king"], f"{where}.king"), f"{where}.king"),
        god=None if row.get("god") is None else _god(mapping_of(row["god"], f"{where}.god"), f"{where}.god"),
        given=_given(given, f"{where}.oeh_gr"),
        culture=str(given_or(row.get("culture"), "")),
        is_described=boolean_of(given_or(row.get("described"), False), f"{where}.described"),
    )


def _bars(places: Places, row: Mapping[str, Any], where: str) -> Iterator[tuple[tuple[Province, Province], int]]:
    """Where scouts found no way: from where, to where, and when; there may be no land at all."""
    for index, entry in enumerate(list_of(given_or(row.get("barred"), ()), f"{where}.barred")):
        at = f"{where}.barred[{index}]"
        given = list_of(entry, at)
        if len(given) != len(("from", "to", "gr")):
            raise DocumentError(at, f"{entry!r} is no way with a great round")
        source, target = (parse_province(str(name), places.plane) for name in given[:2])
        if source is None or target is None:
            raise DocumentError(at, f"{entry!r} are no coordinates with a great round")
        yield (source, target), count_of(given[2], at)


def _goods(value: Any, where: str) -> tuple[str, ...]:
    found = []
    for index, each in enumerate(list_of(value, where)):
        figures = read_figures(str(each)) or {}
        code = next(iter(figures), "")
        if len(figures) != 1 or kind_of(code).group not in (Group.ANIMAL, Group.GEAR, Group.SHIP):
            raise DocumentError(f"{where}[{index}]", f"{each!r} is neither an animal nor gear")
        found.append(kind_of(code).code)
    return tuple(found)


def _scores(value: Any, where: str) -> tuple[float, ...]:
    """A score for each great round that is kept; a number stands for one, 0 for none."""
    if value is None or isinstance(value, int | float):
        return (decimal_of(value, where),) if value else ()
    return tuple(decimal_of(each, f"{where}[{index}]") for index, each in enumerate(list_of(value, where)))


def _wizard(row: Mapping[str, Any], where: str) -> Wizard:
    return Wizard(
        count_of(given_or(row.get("mortal"), 0), f"{where}.mortal"),
        count_of(given_or(row.get("spells"), 14), f"{where}.spells", most=14),
    )


def _king(row: Mapping[str, Any], where: str) -> King:
    """What is known about a king apart from his figure. Source: rules 18, R-131"""
    has_palace = boolean_of(given_or(row.get("palace"), True), f"{where}.palace")
    power = count_of(given_or(row.get("power"), 0), f"{where}.power", most=STORE)
    weakness = row.get("weakness")
    return King(
        text=str(given_or(row.get("text"), "")),
        weakness="" if weakness is None else word_of(weakness, WEAKNESSES, f"{where}.weakness"),
        is_shown=boolean_of(given_or(row.get("shown"), False), f"{where}.shown"),
        unpaid=count_of(given_or(row.get("unpaid"), 0), f"{where}.unpaid"),
        has_palace=has_palace,
        ill=count_of(given_or(row.get("ill"), 0), f"{where}.ill"),
        is_plain=boolean_of(
            given_or(row.get("plain"), is_plain_by(has_palace=has_palace, power=power)), f"{where}.plain"
        ),
    )


def _god(row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """A god's row as it is written, without what is null; each number in it is one. Source: rules 30.3"""
    found = {key: value for key, value in row.items() if value is not None}
    for key in ("oeh", "seat", "at", "tries", "stay", "units", "barred", "tired"):
        count_of(found.get(key, 0), f"{where}.{key}")
    for key in ("explored", "earlier"):
        for index, field in enumerate(list_of(found.get(key, ()), f"{where}.{key}")):
            count_of(field, f"{where}.{key}[{index}]")
    list_of(found.get("abilities", ()), f"{where}.abilities")
    weak = mapping_of(found.get("weak", {}), f"{where}.weak")
    if weak.get("kf") is not None:
        cell_of(weak["kf"], f"{where}.weak.kf")
    count_of(given_or(weak.get("lost_gr"), 0), f"{where}.weak.lost_gr")
    return found


def _given(value: Any, where: str) -> Given:
    if isinstance(value, int) and not isinstance(value, bool):
        return Given(courier=value)
    row = mapping_of(value, where)
    letters = list_of(given_or(row.get("letters"), ()), f"{where}.letters")
    return Given(
        tuple(name_of(name, f"{where}.letters[{index}]") for index, name in enumerate(letters)),
        count_of(given_or(row.get("courier"), 0), f"{where}.courier"),
    )
