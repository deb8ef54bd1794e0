"""Reading a game.json: whatever is left out has its default, whatever can't be right is reported with its place.

Source: rules 30
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from engine.core.dice import D100
from engine.core.documents import (
    list_of,
    mapping_of,
    named_variant,
    number_of,
    opened,
    options_of,
    rows_of,
    streams_of,
    truth_of,
    why_of,
)
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.play import Over
from engine.kalevala.agents.facts import Agent, agent_row
from engine.kalevala.arrivals.places import with_places
from engine.kalevala.artefacts.facts import (
    LONGEST_NAME,
    MOST_POINTS,
    USUAL_CELL,
    USUAL_POINTS,
    Artefact,
    artefact_row,
    artefacts_of,
)
from engine.kalevala.caravans.facts import BRIBED, EXPLORING, TRADING, Caravan, caravan_row, is_within_limits
from engine.kalevala.coordinates import Edge, GfId, Province, gf_of, order_of, parse_edge, parse_gf, parse_province
from engine.kalevala.figures import NONE, Figures, composed, kind_of, read_figures, total
from engine.kalevala.info import INFO, SMALL, SYSTEM, WORLD
from engine.kalevala.invaders import with_invaders
from engine.kalevala.kings.facts import (
    KINDS_OF_KINGS,
    MOST_LIVES,
    STORE,
    WARRIOR,
    WEAKNESSES,
    King,
    find_in,
    is_king,
    is_plain_by,
    kind_of_king,
    king_item,
    power_of,
)
from engine.kalevala.land import Land
from engine.kalevala.model import (
    DEEDS_PART,
    EXPLORATION_UNITS,
    FULL,
    GEOGRAPHY,
    GOODS,
    INVADER,
    KINDS_OF_RULERS,
    NOTHING,
    ORDERS_PART,
    PLAIN,
    PLAIN_CELLS,
    REALM,
    Explored,
    Given,
    GreatField,
    Letter,
    Permit,
    Piece,
    Ruler,
    State,
    TradeCentre,
    Wizard,
    Work,
)
from engine.kalevala.planes.facts import Portal, portal_row
from engine.kalevala.tables import CENTRES, TERRAIN, WAYS, WORKS, Group
from engine.kalevala.trade.fiefs import Fief, fief_row
from engine.kalevala.world.shards import with_shards
from engine.kalevala.world.small import map_of_small, start_of_small
from engine.kalevala.world.start import start_of_world
from engine.kalevala.world.treasures import with_artefacts
from engine.lattice.great_fields import CELLS, Side

T = TypeVar("T")
_MOST = 1_000_000
_number = partial(number_of, most=_MOST)
_LONGEST_NAME = 40
USUAL_RULERS = 6
"""Of a world that is made without a word about how many play."""
MODULE_KEYS = (
    "wars",
    "allies",
    "sites",
    "fiefs",
    "seas",
    "caravans",
    "portals",
    "agents",
    "hostages",
    "archeron",
    "things",
    "mail",
    "ways",
)
"""What belongs to modules that don't exist yet: it is kept unchanged."""


def load(document: Mapping[str, Any], *, players: int = USUAL_RULERS) -> State:
    """The game of a document.

    Args:
        players: how many play, where the document leaves the whole position to the variant `world`.

    Raises:
        DocumentError: what is wrong with it, and where.
    """
    game = opened(INFO, document)
    variant = named_variant(INFO, _or(game.get("variant"), SMALL))
    options = options_of(INFO, variant, mapping_of(_or(game.get("options"), {}), "options"))
    seed = str(_or(game.get("seed"), ""))
    phase = mapping_of(_or(game.get("phase"), {}), "phase")
    gr = _number(_or(phase.get("gr"), 1), "phase.gr", least=1)
    part = _number(_or(phase.get("part"), ORDERS_PART), "phase.part", least=1)
    if part not in (ORDERS_PART, DEEDS_PART):
        raise DocumentError("phase.part", f"{part} is neither {ORDERS_PART} nor {DEEDS_PART}")
    position = mapping_of(_or(game.get("state"), {}), "state")
    dice = streams_of(_or(game.get("dice"), {}), sides=D100)
    is_new = all(position.get(key) is None for key in ("gf", "owners", "stacks"))
    if is_new:
        alike = bool(options["same_troops"])
        rulers = players + int(options["places"])
        is_small = variant.id == SMALL
        start = start_of_small(same_troops=alike) if is_small else start_of_world(rulers, seed, same_troops=alike)
        position = {**start, **{key: value for key, value in position.items() if value is not None}}
    state = _Reader(position, gr, part, is_whole=variant.id == WORLD).state(seed, variant.id, options)
    if is_new and options["artefacts"] and "things" not in position:
        state = with_artefacts(state, int(options["artefacts"]))
    if is_new and options["places"]:
        state = with_places(state, int(options["places"]))
    if is_new and options["landless"]:
        state = with_invaders(state, int(options["landless"]), str(options["hosts"]))
    if is_new and variant.id == WORLD and options["planes"]:
        state = with_shards(state)
    over = game.get("over")
    if over is not None:
        row = mapping_of(over, "over")
        winners = tuple(_name(name, "over.winners") for name in list_of(_or(row.get("winners"), ()), "over.winners"))
        state = state.replace(over=Over(winners, why_of(row, SYSTEM)))
    return state.replace(dice=dice)


class _Reader:
    """Reads the `state` of a document."""

    def __init__(self, position: Mapping[str, Any], gr: int, part: int, *, is_whole: bool) -> None:
        self._given = position
        self._is_whole = is_whole
        self._gr = gr
        self._part = part
        self._rulers: dict[PowerId, Ruler] = {}
        self._land = Land({}, PLAIN)
        self._plane: int | None = 2

    def state(self, seed: str, variant: str, options: Mapping[str, bool | int | str]) -> State:
        """The whole position."""
        rows = self._object("gf")
        self._plane = self._find_plane(rows)
        fields = {self._gf(key, f"state.gf.{key}"): (key, row) for key, row in rows.items()}
        land = {gf: _field(row, f"state.gf.{key}", self._plane) for gf, (key, row) in fields.items()}
        has_rim = bool(land) and (self._is_whole or map_of_small().keys() <= land.keys())
        self._land = Land(land, None if has_rim else PLAIN)
        owners = self._owners()
        stacks = self._stacks()
        self._read_rulers((*owners.values(), *stacks))
        self._set_kings(stacks, owners)
        artefacts = self._artefacts(stacks)
        land = {gf: _founded(field, fields[gf][1], gf, self._land, owners) for gf, field in land.items()}
        self._land = Land(land, None if has_rim else PLAIN)
        explored = self._by_ruler("explored", self._explored)
        letters, courier = self._queue()
        return State(
            seed=seed,
            variant=variant,
            options=options,
            gr=self._gr,
            part=self._part,
            rulers=self._rulers,
            land=land,
            has_rim=has_rim,
            owners=owners,
            stacks={ruler: stacks[ruler] for ruler in self._rulers if stacks.get(ruler)},
            explored={ruler: rows for ruler, rows in explored.items() if rows},
            used=self._used(explored),
            known={ruler: rows for ruler, rows in self._by_ruler("known", self._place_set).items() if rows},
            seen={ruler: rows for ruler, rows in self._by_ruler("seen", self._numbers).items() if rows},
            centres={ruler: rows for ruler, rows in self._by_ruler("centres", self._centres).items() if rows},
            newly={ruler: rows for ruler, rows in self._by_ruler("newly", self._numbers).items() if rows},
            permits=tuple(self._permits()),
            contested=self._contested(),
            watch={ruler: rows for ruler, rows in self._by_ruler("watch", self._numbers).items() if rows},
            letters=letters,
            courier=courier,
            modules={**self._modules(), **({"things": artefacts} if artefacts else {})},
        )

    def _modules(self) -> dict[str, Any]:
        """What belongs to modules; agents, fiefs and copies of letters are read, the rest is kept as it is written."""
        found = {key: self._given[key] for key in MODULE_KEYS if self._given.get(key)}
        if "agents" in found:
            found["agents"] = self._agents()
        if "caravans" in found:
            found["caravans"] = list(self._caravans())
        if "portals" in found:
            found["portals"] = [portal_row(portal) for portal in self._portals()]
        if "fiefs" in found:
            found["fiefs"] = [fief_row(fief) for fief in self._fiefs()]
        for key in ("wars", "allies"):
            for index, row in enumerate(list_of(found.get(key, ()), f"state.{key}")):
                if len(list_of(row, f"state.{key}[{index}]")) != len(("who", "whom")):
                    raise DocumentError(f"state.{key}[{index}]", f"{row!r} is no pair of rulers")
        for ruler, seas in mapping_of(found.get("seas", {}), "state.seas").items():
            list_of(seas, f"state.seas.{ruler}")
        for index, row in enumerate(rows_of(found.get("sites", ()), "state.sites")):
            list_of(_or(row.get("gf"), ()), f"state.sites[{index}].gf")
        if "archeron" in found:
            found["archeron"] = _archeron(mapping_of(found["archeron"], "state.archeron"))
        for index, row in enumerate(rows_of(found.get("hostages", ()), "state.hostages")):
            self._hostage(row, f"state.hostages[{index}]")
        for index, row in enumerate(rows_of(found.get("mail", ()), "state.mail")):
            for key in ("to", "from", "time", "text"):
                if not isinstance(row.get(key), str):
                    raise DocumentError(f"state.mail[{index}].{key}", "is missing")
        return found

    def _hostage(self, row: Mapping[str, Any], where: str) -> None:
        """A king or a court in somebody's hands, each of them rulers who are there. Rulings KA178, KA179"""
        for key in ("ruler", "captor"):
            self._ruler(row.get(key), f"{where}.{key}")
        self._place(_or(row.get("at"), ""), f"{where}.at")
        figures = read_figures(_or(row.get("king"), "")) or {}
        if row.get("king") is not None and not (len(figures) == 1 and is_king(next(iter(figures)))):
            raise DocumentError(f"{where}.king", f"{row['king']!r} is no king")

    def _artefacts(self, stacks: dict[PowerId, dict[Province, Figures]]) -> list[dict[str, Any]]:
        """Artefacts with their numbers; one that somebody has is in a stack of his, or put there. Ruling KA230"""
        rows = rows_of(_or(self._given.get("things"), ()), "state.things")
        taken = [_number(row["n"], f"state.things[{at}].n", least=1) for at, row in enumerate(rows) if row.get("n")]
        if len(set(taken)) < len(taken):
            raise DocumentError("state.things", "two have the same number")
        free = (number for number in range(1, len(rows) + len(taken) + 1) if number not in taken)
        return [
            artefact_row(self._artefact(row, row.get("n") or next(free), stacks, f"state.things[{at}]"))
            for at, row in enumerate(rows)
        ]

    def _artefact(
        self, row: Mapping[str, Any], number: int, stacks: dict[PowerId, dict[Province, Figures]], where: str
    ) -> Artefact:
        holder, name = row.get("holder"), str(_or(row.get("name"), ""))
        if not name:
            raise DocumentError(f"{where}.name", "is missing")
        found = Artefact(
            number,
            name[:LONGEST_NAME],
            self._place(_or(row.get("at"), ""), f"{where}.at"),
            None if holder is None else self._ruler(holder, f"{where}.holder"),
            USUAL_CELL if row.get("kf") is None else _cell(row["kf"], f"{where}.kf"),
            _number(_or(row.get("gp"), USUAL_POINTS), f"{where}.gp", most=MOST_POINTS),
            str(_or(row.get("text"), "")),
            str(_or(row.get("bearer"), "")),
            frozenset(self._ruler(each, where) for each in list_of(_or(row.get("seen"), ()), f"{where}.seen")),
        )
        if found.holder is not None and not self._is_borne(number, stacks):
            own = stacks.setdefault(found.holder, {})
            own[found.at] = total((own.get(found.at, NONE), {found.item: 1}))
        return found

    def _is_borne(self, number: int, stacks: Mapping[PowerId, Mapping[Province, Figures]]) -> bool:
        """Whether an artefact is among somebody's figures, an agent's or a caravan's too."""
        figures = [stack for own in stacks.values() for stack in own.values()]
        for key, row in (("group", "agents"), ("load", "caravans")):
            loads = (each.get(key) for each in rows_of(_or(self._given.get(row), ()), f"state.{row}"))
            figures += [read_figures(load) or NONE for load in loads if load]
        return any(number in artefacts_of(each) for each in figures)

    def _agents(self) -> list[dict[str, Any]]:
        """Agents, each of a ruler who is there, in a province that is there, with a number of his own. Rules 30.1"""
        found: list[dict[str, Any]] = []
        for index, row in enumerate(rows_of(self._given["agents"], "state.agents")):
            where = f"state.agents[{index}]"
            if row.get("ruler") is None and row.get("of") is not None:
                found.append(dict(row))  # what a captor's own view says
                continue
            ruler = self._ruler(row.get("ruler"), f"{where}.ruler")
            number = _number(_or(row.get("n"), 1), f"{where}.n", least=1)
            if any((other.get("ruler"), other.get("n")) == (ruler, number) for other in found):
                raise DocumentError(f"{where}.n", f"{ruler} has two agents {number}")
            if row.get("at") is None:
                raise DocumentError(f"{where}.at", "is missing")
            figures = read_figures(_or(row.get("group"), ""))
            if figures is None:
                raise DocumentError(f"{where}.group", f"{row['group']!r} is no list of figures")
            captor, inside, caravan = row.get("captive"), row.get("in"), row.get("with")
            if caravan is not None and len(list_of(caravan, f"{where}.with")) != 2:
                raise DocumentError(f"{where}.with", f"{caravan!r} is no ruler and number of a caravan")
            found.append(
                agent_row(
                    Agent(
                        ruler=ruler,
                        number=number,
                        at=self._place(row["at"], f"{where}.at"),
                        group=figures,
                        money=_number(_or(row.get("re"), 0), f"{where}.re"),
                        surcharge=_number(_or(row.get("er"), 0), f"{where}.er"),
                        experience=_half(_or(row.get("egp"), 0), f"{where}.egp"),
                        has_scouted=truth_of(_or(row.get("scouted"), False), f"{where}.scouted"),
                        is_exposed=truth_of(_or(row.get("exposed"), False), f"{where}.exposed"),
                        captor=None if captor is None else self._ruler(captor, f"{where}.captive"),
                        inside=None if inside is None else _cell(inside, f"{where}.in"),
                        is_cut_off=truth_of(_or(row.get("cut_off"), False), f"{where}.cut_off"),
                        hidden_in=None
                        if caravan is None
                        else (self._ruler(caravan[0], f"{where}.with"), _number(caravan[1], f"{where}.with")),
                    )
                )
            )
        return found

    # Places and names

    def _find_plane(self, rows: Mapping[str, Any]) -> int | None:
        """The plane that is meant where none is named: the second, if no other one occurs."""
        owners = mapping_of(_or(self._given.get("owners"), {}), "state.owners")
        stacks = mapping_of(_or(self._given.get("stacks"), {}), "state.stacks")
        named = [str(key) for key in (*rows, *owners)]
        named += [str(key) for own in stacks.values() if isinstance(own, Mapping) for key in own]
        return 2 if all(text.strip()[:1] in ("2", "") or not text.strip()[:1].isdigit() for text in named) else None

    def _gf(self, value: Any, where: str) -> GfId:
        gf = parse_gf(str(value), self._plane)
        if gf is None:
            raise DocumentError(where, f"{value!r} is no coordinate")
        return gf

    def _place(self, value: Any, where: str) -> Province:
        province = parse_province(str(value), self._plane)
        if province is None:
            raise DocumentError(where, f"{value!r} is no coordinate")
        gf = gf_of(province)
        if self._land.has(province):
            return province
        parts = self._land.provinces(gf) if self._land.exists(gf) else ()
        raise DocumentError(where, f"{value!r} is no province" + (f"; there is {', '.join(parts)}" if parts else ""))

    def _places(self, value: Any, where: str) -> Iterator[Province]:
        for index, each in enumerate(list_of(value, where)):
            yield self._place(each, f"{where}[{index}]")

    def _place_set(self, value: Any, where: str) -> frozenset[Province]:
        return frozenset(self._places(value, where))

    def _numbers(self, value: Any, where: str) -> dict[Province, int]:
        rows = mapping_of(value, where).items()
        found = {self._place(key, f"{where}.{key}"): _number(each, f"{where}.{key}") for key, each in rows}
        return {province: found[province] for province in sorted(found, key=order_of)}

    def _centres(self, value: Any, where: str) -> dict[GfId, TradeCentre]:
        rows = mapping_of(value, where).items()
        at = f"{where}.{{}}"
        found = {
            self._gf(key, at.format(key)): _centre(mapping_of(row, at.format(key)), at.format(key)) for key, row in rows
        }
        return {gf: found[gf] for gf in sorted(found, key=order_of)}

    def _ruler(self, value: Any, where: str) -> PowerId:
        name = _name(value, where)
        if name not in self._rulers:
            raise DocumentError(where, f"{value!r} is no ruler")
        return name

    def _object(self, key: str) -> Mapping[str, Any]:
        return mapping_of(_or(self._given.get(key), {}), f"state.{key}")

    def _by_ruler(self, key: str, read: Callable[[Any, str], T]) -> dict[PowerId, T]:
        rows = self._object(key).items()
        found = {
            self._ruler(name, f"state.{key}.{name}"): read(value, f"state.{key}.{name}")
            for name, value in rows
            if value is not None
        }
        return {ruler: found[ruler] for ruler in self._rulers if ruler in found}

    # Parts of the position

    def _owners(self) -> dict[Province, PowerId]:
        found = {
            self._place(place, f"state.owners.{place}"): _name(name, f"state.owners.{place}")
            for place, name in self._object("owners").items()
            if name is not None
        }
        return {province: found[province] for province in sorted(found, key=order_of)}

    def _stacks(self) -> dict[PowerId, dict[Province, Figures]]:
        found: dict[PowerId, dict[Province, Figures]] = {}
        for name, places in self._object("stacks").items():
            where = f"state.stacks.{name}"
            own = found.setdefault(_name(name, where), {})
            for place, text in mapping_of(_or(places, {}), where).items():
                province = self._place(place, f"{where}.{place}")
                figures = read_figures(text)
                if figures is None:
                    raise DocumentError(f"{where}.{place}", f"{text!r} is no list of figures")
                own[province] = total((own.get(province, NONE), figures))
        return {
            ruler: {province: own[province] for province in sorted(own, key=order_of) if own[province]}
            for ruler, own in found.items()
        }

    def _read_rulers(self, others: tuple[PowerId, ...]) -> None:
        rows = self._object("rulers")
        for name, row in rows.items():
            where = f"state.rulers.{name}"
            found = _name(name, where)
            if found in self._rulers:
                raise DocumentError(where, "stands there twice")
            self._rulers[found] = self._one_ruler(mapping_of(_or(row, {}), where), where)
        for name in sorted(set(others) - self._rulers.keys()):
            self._rulers[name] = Ruler()

    def _one_ruler(self, row: Mapping[str, Any], where: str) -> Ruler:
        core = read_figures(str(_or(row.get("core"), "L"))) or {}
        if len(core) != 1 or not kind_of(next(iter(core))).is_warrior or next(iter(core))[0] == "B":
            raise DocumentError(f"{where}.core", f"{row['core']!r} are no melee warriors")
        capital, leave = row.get("capital"), list_of(_or(row.get("leave"), ()), f"{where}.leave")
        wizard, given = row.get("wizard"), _or(row.get("oeh_gr"), {})
        return Ruler(
            kind=_word(_or(row.get("kind"), REALM), KINDS_OF_RULERS, f"{where}.kind"),
            core=next(iter(core)),
            goods=_goods(_or(row.get("goods"), GOODS), f"{where}.goods"),
            capital=None if capital is None else self._place(capital, f"{where}.capital"),
            people=_number(_or(row.get("people"), 2), f"{where}.people", least=1, most=9),
            protected=_number(_or(row.get("protected"), 0), f"{where}.protected"),
            nmr=_number(_or(row.get("nmr"), 0), f"{where}.nmr"),
            silenced=_number(_or(row.get("silenced"), 0), f"{where}.silenced"),
            leave=tuple(_number(each, f"{where}.leave[{index}]") for index, each in enumerate(leave)),
            sham=None if row.get("sham") is None else str(row["sham"]),
            defend={
                self._place(place, f"{where}.defend.{place}"): str(text)
                for place, text in mapping_of(_or(row.get("defend"), {}), f"{where}.defend").items()
            },
            loyal_until=_number(_or(row.get("loyal_until"), 0), f"{where}.loyal_until"),
            has_left=truth_of(_or(row.get("left"), False), f"{where}.left"),
            was=_word(_or(row.get("was"), ""), ("", INVADER), f"{where}.was"),
            scores=_scores(row.get("score"), f"{where}.score"),
            barred=dict(self._bars(row, where)),
            told=None if row.get("told") is None else _half(row["told"], f"{where}.told"),
            wizard=None if wizard is None else _wizard(mapping_of(wizard, f"{where}.wizard"), f"{where}.wizard"),
            king=None if row.get("king") is None else _king(mapping_of(row["king"], f"{where}.king"), f"{where}.king"),
            god=None if row.get("god") is None else _god(mapping_of(row["god"], f"{where}.god"), f"{where}.god"),
            given=_given(given, f"{where}.oeh_gr"),
            culture=str(_or(row.get("culture"), "")),
            is_described=truth_of(_or(row.get("described"), False), f"{where}.described"),
        )

    def _bars(self, row: Mapping[str, Any], where: str) -> Iterator[tuple[tuple[Province, Province], int]]:
        """Where scouts found no way: from where, to where, and when; there may be no land at all."""
        for index, entry in enumerate(list_of(_or(row.get("barred"), ()), f"{where}.barred")):
            at = f"{where}.barred[{index}]"
            given = list_of(entry, at)
            if len(given) != len(("from", "to", "gr")):
                raise DocumentError(at, f"{entry!r} is no way with a great round")
            source, target = (parse_province(str(name), self._plane) for name in given[:2])
            if source is None or target is None:
                raise DocumentError(at, f"{entry!r} are no coordinates with a great round")
            yield (source, target), _number(given[2], at)

    def _set_kings(self, stacks: dict[PowerId, dict[Province, Figures]], owners: Mapping[Province, PowerId]) -> None:
        """A king's figure and his row go together: what one of them leaves out is taken from the other. Source: rules
        30.3"""
        hostages = rows_of(_or(self._given.get("hostages"), ()), "state.hostages")
        held = {row.get("ruler") for row in hostages if row.get("king")}
        rows = {_name(name, f"state.rulers.{name}"): row for name, row in self._object("rulers").items()}
        for name, ruler in list(self._rulers.items()):
            where = f"state.rulers.{name}.king"
            row = mapping_of(_or(_or(rows.get(name), {}).get("king"), {}), where)
            own = stacks.setdefault(name, {})
            found = find_in(own)
            if found is None and ruler.king is not None and name not in held:
                homes = [place for place, owner in owners.items() if owner == name]
                at = row.get("at")
                at = self._place(at, f"{where}.at") if at is not None else ruler.capital or next(iter(homes), None)
                if at is None:
                    raise DocumentError(f"{where}.at", "is missing")
                kind = _or(row.get("type"), WARRIOR)
                if kind not in KINDS_OF_KINGS:
                    raise DocumentError(f"{where}.type", f"{kind!r} is none of {', '.join(KINDS_OF_KINGS)}")
                lives = _number(_or(row.get("lives"), MOST_LIVES), f"{where}.lives", least=1, most=MOST_LIVES)
                power = _number(_or(row.get("power"), 0), f"{where}.power", most=STORE)
                own[at] = total((own.get(at, NONE), {king_item(kind, lives, power): 1}))
            elif found is not None and not found.craft:
                if "/" not in found.item:
                    lives, power = _or(row.get("lives"), MOST_LIVES), _or(row.get("power"), 0)
                    item = king_item(kind_of_king(found.item), lives, power)
                    rest = {each: count - (each == found.item) for each, count in own[found.at].items()}
                    own[found.at] = total(({each: count for each, count in rest.items() if count}, {item: 1}))
                if ruler.king is None:
                    self._rulers[name] = replace(ruler, king=King())
            king, found = self._rulers[name].king, find_in(own)
            if king is not None and found is not None and row.get("plain") is None:
                is_plain = is_plain_by(has_palace=king.has_palace, power=power_of(found.item))
                self._rulers[name] = replace(self._rulers[name], king=replace(king, is_plain=is_plain))

    def _explored(self, value: Any, where: str) -> tuple[Explored, ...]:
        rows = rows_of(value, where)
        return tuple(self._one_explored(row, place, f"{where}[{place - 1}]") for place, row in enumerate(rows, 1))

    def _one_explored(self, row: Mapping[str, Any], place: int, where: str) -> Explored:
        ee = _number(_or(row.get("ee"), min(place, EXPLORATION_UNITS)), f"{where}.ee", least=1, most=EXPLORATION_UNITS)
        for key in ("from", "to"):
            if row.get(key) is None:
                raise DocumentError(f"{where}.{key}", "is missing")
        result = _word(_or(row.get("result"), FULL), (FULL, GEOGRAPHY, NOTHING), f"{where}.result")
        return Explored(ee, self._place(row["from"], f"{where}.from"), self._place(row["to"], f"{where}.to"), result)

    def _used(self, explored: Mapping[PowerId, tuple[Explored, ...]]) -> dict[PowerId, tuple[int, ...]]:
        named = self._by_ruler("used", self._units)
        found = {}
        for ruler in self._rulers:
            default = {row.ee for row in explored.get(ruler, ())}
            used = tuple(sorted(named.get(ruler, default)))
            if used:
                found[ruler] = used
        return found

    def _units(self, value: Any, where: str) -> set[int]:
        rows = enumerate(list_of(value, where))
        return {_number(each, f"{where}[{index}]", least=1, most=EXPLORATION_UNITS) for index, each in rows}

    def _permits(self) -> Iterator[Permit]:
        for index, row in enumerate(rows_of(_or(self._given.get("permits"), ()), "state.permits")):
            where = f"state.permits[{index}]"
            place = str(_or(row.get("gf"), "ALL"))
            yield Permit(
                giver=self._ruler(row.get("of"), f"{where}.of"),
                guest=self._ruler(row.get("to"), f"{where}.to"),
                where=None if place.upper() == "ALL" else self._permitted(place, f"{where}.gf"),
                until=_number(_or(row.get("until"), 0), f"{where}.until"),
            )

    def _caravans(self) -> Iterator[dict[str, Any]]:
        """Caravans, each of a ruler who is there, within the limits, with a number of its own. Rules 21, 30.1"""
        taken: set[tuple[PowerId, int]] = set()
        for index, row in enumerate(rows_of(self._given["caravans"], "state.caravans")):
            where = f"state.caravans[{index}]"
            at = self._place(_or(row.get("at"), ""), f"{where}.at")
            if row.get("ruler") is None:
                yield {"at": at, "load": str(row.get("load", ""))}  # of another's, as a view has it
                continue
            ruler = self._ruler(row["ruler"], f"{where}.ruler")
            number = _number(_or(row.get("n"), 1), f"{where}.n", least=1)
            if (ruler, number) in taken:
                raise DocumentError(f"{where}.n", f"{ruler} has two caravans {number}")
            taken.add((ruler, number))
            load = read_figures(_or(row.get("load"), ""))
            if load is None or not is_within_limits(load):
                raise DocumentError(f"{where}.load", f"{row.get('load')!r} is no caravan, of a merchant and 24 REH")
            kind = _or(row.get("kind"), TRADING)
            if kind not in (TRADING, EXPLORING):
                raise DocumentError(f"{where}.kind", f"{kind!r} is neither {TRADING} nor {EXPLORING}")
            bribed_to = None if row.get(BRIBED) is None else self._place(row[BRIBED], f"{where}.{BRIBED}")
            yield caravan_row(Caravan(ruler, number, at, load, kind, bool(row.get("moved")), bribed_to))

    def _portals(self) -> Iterator[Portal]:
        """Portals, one for a ruler who is there, on the sites of the map. Source: rules 14.2, ruling KA200"""
        taken: set[PowerId] = set()
        for index, row in enumerate(rows_of(self._given["portals"], "state.portals")):
            where = f"state.portals[{index}]"
            ruler = self._ruler(row.get("ruler"), f"{where}.ruler")
            if ruler in taken:
                raise DocumentError(f"{where}.ruler", f"{ruler} has two portals")
            taken.add(ruler)
            at, to = (
                self._place(_or(row.get("at"), ""), f"{where}.at"),
                self._once_called(str(_or(row.get("to"), "")), f"{where}.to"),
            )
            yield Portal(ruler, at, gf_of(to), bool(row.get("whole")))

    def _fiefs(self) -> Iterator[Fief]:
        for index, row in enumerate(rows_of(self._given["fiefs"], "state.fiefs")):
            where = f"state.fiefs[{index}]"
            yield Fief(
                gf=self._once_called(str(_or(row.get("gf"), "")), f"{where}.gf"),
                giver=self._ruler(row.get("giver"), f"{where}.giver"),
                holder=self._ruler(row.get("holder"), f"{where}.holder"),
                until=_number(_or(row.get("until"), 0), f"{where}.until"),
                is_entered=truth_of(_or(row.get("entered"), False), f"{where}.entered"),
                is_open=truth_of(_or(row.get("open"), False), f"{where}.open"),
            )

    def _permitted(self, value: str, where: str) -> Province:
        """A province, or a whole field that is divided."""
        gf = parse_gf(value, self._plane)
        return Province(gf) if gf is not None and self._land.exists(gf) else self._place(value, where)

    def _once_called(self, value: str, where: str) -> Province:
        """A province, or what one was called before its great field was divided again."""
        place = parse_province(value, self._plane)
        return place if place is not None and self._land.exists(gf_of(place)) else self._place(value, where)

    def _contested(self) -> dict[Province, tuple[PowerId, ...]]:
        found = {}
        for place, names in self._object("contested").items():
            where = f"state.contested.{place}"
            rulers = {self._ruler(name, f"{where}[{i}]") for i, name in enumerate(list_of(names, where))}
            found[self._place(place, where)] = tuple(sorted(rulers))
        return {province: found[province] for province in sorted(found, key=order_of) if found[province]}

    def _queue(self) -> tuple[tuple[Letter, ...], tuple[Piece, ...]]:
        queue = mapping_of(_or(self._given.get("queue"), {}), "state.queue")
        letters = []
        for index, row in enumerate(rows_of(_or(queue.get("letters"), ()), "state.queue.letters")):
            where = f"state.queue.letters[{index}]"
            to = self._ruler(row.get("to"), f"{where}.to")
            sender = str(_or(row.get("from"), ""))
            writer = self._ruler(_or(row.get("of"), sender), f"{where}.of")
            letters.append(Letter(writer, sender, to, str(_or(row.get("time"), "")), str(_or(row.get("text"), ""))))
        pieces = []
        for index, row in enumerate(rows_of(_or(queue.get("courier"), ()), "state.queue.courier")):
            writer = self._ruler(row.get("from"), f"state.queue.courier[{index}].from")
            pieces.append(Piece(writer, str(_or(row.get("time"), "")), str(_or(row.get("text"), ""))))
        return tuple(letters), tuple(pieces)


# The land


def _field(given: Any, where: str, plane: int | None) -> GreatField:
    row = mapping_of(_or(given, {}), where)
    centre, parts, portal = row.get("hz"), row.get("parts"), row.get("portal")
    works = rows_of(_or(row.get("works"), ()), f"{where}.works")
    flow = mapping_of(_or(row.get("flow"), {}), f"{where}.flow")
    names = mapping_of(_or(row.get("names"), {}), f"{where}.names")
    return GreatField(
        cells=_cells(_or(row.get("kf"), PLAIN_CELLS), f"{where}.kf"),
        rivers=frozenset(_edges(row.get("river"), f"{where}.river")),
        ascents=frozenset(_edges(row.get("ascent"), f"{where}.ascent")),
        flow={_cell(key, f"{where}.flow"): _side(side, f"{where}.flow.{key}") for key, side in flow.items()},
        has_road=truth_of(_or(row.get("road"), False), f"{where}.road"),
        portal=None if portal is None else _coordinate(portal, f"{where}.portal", plane),
        names={str(key): str(value) for key, value in names.items()},
        parts=None if parts is None else tuple(_parts(parts, f"{where}.parts")),
        centre=None if centre is None else _centre(mapping_of(centre, f"{where}.hz"), f"{where}.hz"),
        works=tuple(_work(work, f"{where}.works[{index}]") for index, work in enumerate(works)),
    )


def _founded(field: GreatField, given: Any, gf: GfId, land: Land, owners: Mapping[Province, PowerId]) -> GreatField:
    """The field with its centre founded or not, which without a word of the document depends on who owns it."""
    centre = field.centre
    if centre is None or _or(given, {})["hz"].get("founded") is not None:
        return field
    province = next(each for each in land.provinces(gf) if land.centre(each) is not None)
    return replace(field, centre=replace(centre, is_founded=province in owners))


def _cells(value: Any, where: str) -> str:
    cells = "".join(str(value).split())
    wrong = next((letter for letter in cells if letter not in TERRAIN), None)
    if wrong is not None:
        raise DocumentError(where, f"{wrong!r} is no letter of terrain")
    if len(cells) != CELLS:
        raise DocumentError(where, f"has {len(cells)} letters, not {CELLS}")
    return cells


def _cell(value: Any, where: str) -> int:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= CELLS:
        raise DocumentError(where, f"{value!r} is no small field from 1 to {CELLS}")
    return value


def _edges(value: Any, where: str) -> Iterator[Edge]:
    for index, each in enumerate(list_of(_or(value, ()), where)):
        yield _edge(each, f"{where}[{index}]")


def _edge(value: Any, where: str) -> Edge:
    edge = parse_edge(str(value))
    if edge is None:
        raise DocumentError(where, f"{value!r} is no edge such as 12/NE")
    return edge


def _side(value: Any, where: str) -> str:
    side = str(value).upper()
    if side not in Side.__members__:
        raise DocumentError(where, f"{value!r} is none of {', '.join(Side.__members__)}")
    return side


def _coordinate(value: Any, where: str, plane: int | None) -> GfId:
    gf = parse_gf(str(value), plane)
    if gf is None:
        raise DocumentError(where, f"{value!r} is no coordinate")
    return gf


def _parts(value: Any, where: str) -> Iterator[tuple[int, ...]]:
    seen: set[int] = set()
    for index, part in enumerate(list_of(value, where)):
        cells = tuple(sorted({_cell(cell, f"{where}[{index}]") for cell in list_of(part, f"{where}[{index}]")}))
        if not cells:
            raise DocumentError(f"{where}[{index}]", "is empty")
        if seen & set(cells):
            raise DocumentError(f"{where}[{index}]", f"{min(seen & set(cells))} stands in another part too")
        seen |= set(cells)
        yield cells


def _centre(row: Mapping[str, Any], where: str) -> TradeCentre:
    given = str(row.get("type", ""))
    kind = next((code for code in CENTRES if code.casefold() == given.casefold()), None)
    if kind is None:
        raise DocumentError(f"{where}.type", f"{given!r} is none of {', '.join(CENTRES)}")
    return TradeCentre(
        type=kind,
        cell=_cell(row["kf"], f"{where}.kf") if row.get("kf") is not None else None,
        name=str(_or(row.get("name"), "")),
        is_founded=truth_of(_or(row.get("founded"), True), f"{where}.founded"),
        plundered=_number(_or(row.get("plundered"), 0), f"{where}.plundered"),
    )


def _work(row: Mapping[str, Any], where: str) -> Work:
    given = str(row.get("type", ""))
    kinds = (*WORKS, *WAYS)
    # Bf and BF, Br and BR differ only in case.
    kind = given if given in kinds else next((code for code in kinds if code.casefold() == given.casefold()), None)
    if kind is None:
        raise DocumentError(f"{where}.type", f"{given!r} is none of {', '.join(kinds)}")
    has_edge = kind in ("Ma", "Br")
    place = "edge" if has_edge else "kf"
    if row.get(place) is None:
        raise DocumentError(f"{where}.{place}", "is missing")
    banks = list_of(_or(row.get("banks"), ()), f"{where}.banks")
    return Work(
        type=kind,
        cell=None if has_edge else _cell(row["kf"], f"{where}.kf"),
        edge=_edge(row["edge"], f"{where}.edge") if has_edge else None,
        gates=tuple(_edges(row.get("gates"), f"{where}.gates")),
        has_gate=truth_of(_or(row.get("gate"), False), f"{where}.gate"),
        opens=None if row.get("opens") is None else _cell(row["opens"], f"{where}.opens"),
        hits=_number(_or(row.get("hits"), 0), f"{where}.hits"),
        is_headquarters=truth_of(_or(row.get("ghz"), False), f"{where}.ghz"),
        is_palace=truth_of(_or(row.get("palace"), False), f"{where}.palace"),
        treasure=_number(_or(row.get("ts"), 0), f"{where}.ts"),
        paid=None if row.get("paid") is None else _number(row["paid"], f"{where}.paid"),
        banks=tuple(_cell(bank, f"{where}.banks[{index}]") for index, bank in enumerate(banks)),
        damaged=_number(_or(row.get("damaged"), 0), f"{where}.damaged"),
        broken=tuple(_edges(row.get("broken"), f"{where}.broken")),
        is_hard=truth_of(_or(row.get("hard"), False), f"{where}.hard"),
        until=_number(_or(row.get("until"), 0), f"{where}.until"),
    )


# Values


def _or(value: Any, default: Any) -> Any:
    """What is given; `null` counts as left out."""
    return default if value is None else value


def _half(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise DocumentError(where, f"{value!r} is not a number")
    return value


def _scores(value: Any, where: str) -> tuple[float, ...]:
    """A score for each great round that is kept; a number stands for one, 0 for none."""
    if value is None or isinstance(value, int | float):
        return (_half(value, where),) if value else ()
    return tuple(_half(each, f"{where}[{index}]") for index, each in enumerate(list_of(value, where)))


def _word(value: Any, words: tuple[str, ...], where: str) -> str:
    word = str(value).lower()
    if word not in words:
        raise DocumentError(where, f"{value!r} is none of {', '.join(words)}")
    return word


def _name(value: Any, where: str) -> PowerId:
    name = "_".join(composed(value).lower().split()) if isinstance(value, str) else ""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable() or set(name) & set('[]"#;,'):
        raise DocumentError(where, f"{value!r} is no name of a ruler")
    return PowerId(name)


def _goods(value: Any, where: str) -> tuple[str, ...]:
    found = []
    for index, each in enumerate(list_of(value, where)):
        figures = read_figures(str(each)) or {}
        code = next(iter(figures), "")
        if len(figures) != 1 or kind_of(code).group not in (Group.ANIMAL, Group.GEAR, Group.SHIP):
            raise DocumentError(f"{where}[{index}]", f"{each!r} is neither an animal nor gear")
        found.append(kind_of(code).code)
    return tuple(found)


def _wizard(row: Mapping[str, Any], where: str) -> Wizard:
    return Wizard(
        _number(_or(row.get("mortal"), 0), f"{where}.mortal"),
        _number(_or(row.get("spells"), 14), f"{where}.spells", most=14),
    )


def _king(row: Mapping[str, Any], where: str) -> King:
    """What is known about a king apart from his figure. Source: rules 18, R-131"""
    has_palace = truth_of(_or(row.get("palace"), True), f"{where}.palace")
    power = _number(_or(row.get("power"), 0), f"{where}.power", most=STORE)
    weakness = row.get("weakness")
    return King(
        text=str(_or(row.get("text"), "")),
        weakness="" if weakness is None else _word(weakness, WEAKNESSES, f"{where}.weakness"),
        is_shown=truth_of(_or(row.get("shown"), False), f"{where}.shown"),
        unpaid=_number(_or(row.get("unpaid"), 0), f"{where}.unpaid"),
        has_palace=has_palace,
        ill=_number(_or(row.get("ill"), 0), f"{where}.ill"),
        is_plain=truth_of(_or(row.get("plain"), is_plain_by(has_palace=has_palace, power=power)), f"{where}.plain"),
    )


def _god(row: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """A god's row as it is written, without what is null; each number in it is one. Source: rules 30.3"""
    found = {key: value for key, value in row.items() if value is not None}
    for key in ("oeh", "seat", "at", "tries", "stay", "units", "barred", "tired"):
        _number(found.get(key, 0), f"{where}.{key}")
    for key in ("explored", "earlier"):
        for index, field in enumerate(list_of(found.get(key, ()), f"{where}.{key}")):
            _number(field, f"{where}.{key}[{index}]")
    list_of(found.get("abilities", ()), f"{where}.abilities")
    weak = mapping_of(found.get("weak", {}), f"{where}.weak")
    if weak.get("kf") is not None:
        _cell(weak["kf"], f"{where}.weak.kf")
    _number(_or(weak.get("lost_gr"), 0), f"{where}.weak.lost_gr")
    return found


def _archeron(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The auras and seats of a document: which field, and whose. Source: rules 30.1"""
    found = {key: mapping_of(value, f"state.archeron.{key}") for key, value in row.items() if value is not None}
    for number in found.get("gf", ()):
        if not (number.isdecimal() and len(number) < 5):
            raise DocumentError(f"state.archeron.gf.{number}", "is no number of a field")
    for ruler, seat in found.get("seats", {}).items():
        _number(seat, f"state.archeron.seats.{ruler}")
    return found


def _given(value: Any, where: str) -> Given:
    if isinstance(value, int) and not isinstance(value, bool):
        return Given(courier=value)
    row = mapping_of(value, where)
    letters = list_of(_or(row.get("letters"), ()), f"{where}.letters")
    return Given(
        tuple(_name(name, f"{where}.letters[{index}]") for index, name in enumerate(letters)),
        _number(_or(row.get("courier"), 0), f"{where}.courier"),
    )
