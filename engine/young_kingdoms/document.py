"""game.json of the Young Kingdoms: Diplomacy's document with sorcerers, hordes, fortresses, cards and shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from engine.core.dice import Dice
from engine.core.documents import check_players, list_of, named_variant
from engine.core.errors import DocumentError
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.classic import document as classic
from engine.provinces.classic.model import Dislodged, Unit
from engine.provinces.classic.model import State as Position
from engine.provinces.dislodged import dislodged_row
from engine.provinces.phases import Phase, PhaseKind, Season
from engine.provinces.variants import BoardVariant, with_board
from engine.young_kingdoms.cards import CARDS, deal
from engine.young_kingdoms.info import INFO
from engine.young_kingdoms.model import SORCERER, Bond, Carried, Fortress, State
from engine.young_kingdoms.victory import BALANCED, EVENED

JsonRow = Mapping[str, Any]
_STANDARD = "standard"


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game; a balanced one has a last year of its own unless another is chosen. Ruling Y34.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that can't be seated.
    """
    check_players(INFO, players)
    if _is_balanced(options):
        options = {"last_year": named_variant(INFO, variant).settings[EVENED]["last_year"], **options}
    state = load({"variant": variant, "options": options, "seed": seed})
    classic.check_last_year(int(state.options["last_year"]), state.phase)
    return state


def load(document: JsonRow) -> State:
    """The game of a document. Units without a phase: the first moves.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    if not isinstance(document, Mapping):
        raise DocumentError("game", "is not an object")
    variant = _variant(document)
    raw = document.get("state")
    given: JsonRow = raw if isinstance(raw, Mapping) else {}
    state = given if "units" in given else {**_first_position(variant, document), **given}
    rows = _unit_rows(variant, state["units"], "state.units")
    dislodged = _unit_rows(variant, state.get("dislodged", ()), "state.dislodged")
    phase, is_setup = _phase(variant, document, has_units=bool(given.get("units")))
    plain = {
        **document,
        "phase": phase,
        "over": _over(variant, document.get("over")),
        "state": raw
        if raw is not None and not isinstance(raw, Mapping)
        else {
            **state,
            "units": [row for row in rows if not _is_sorcerer(row)],
            "dislodged": [row for row in dislodged if not _is_sorcerer(row)],
            "centres": _centres(variant, state.get("centres")),
        },
    }
    position = classic.load(plain, INFO)
    reader = _Reader(variant, position, state)
    sorcerers = reader.sorcerers([row for row in rows if _is_sorcerer(row)])
    driven = reader.driven([row for row in dislodged if _is_sorcerer(row)])
    alive = {unit.power for unit in sorcerers} | {row.unit.power for row in driven}
    values = {field.name: getattr(position, field.name) for field in fields(Position)}
    if is_setup:
        values["phase"] = Phase(position.phase.year, Season.SPRING, PhaseKind.SETUP)
    return State(
        **values,
        sorcerers=sorcerers,
        driven=driven,
        hordes=_horde_places(rows),
        driven_hordes=_horde_places(dislodged),
        fortresses=reader.fortresses(),
        bonds=reader.bonds(sorcerers),
        strong=frozenset(reader.powers("strong")) & alive,
        new_homes=reader.new_homes(),
        **reader.cards(alive),
    )


def dump(state: State) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    document = classic.dump(state, INFO)
    position = document["state"]
    for row in position["units"]:
        if row["at"] in state.hordes:
            row["horde"] = True
    for row in position["dislodged"]:
        if row["at"] in state.driven_hordes:
            row["horde"] = True
    position["units"] += [{"power": unit.power, "kind": unit.kind, "at": unit.at} for unit in state.sorcerers]
    position["dislodged"] += [dislodged_row(row) for row in state.driven]
    position["fortresses"] = {
        at: {"strength": fortress.strength, "owner": fortress.owner} for at, fortress in state.fortresses.items()
    }
    position["hands"] = {power: list(cards) for power, cards in state.hands.items()}
    position["hidden"] = {at: cards[0] if len(cards) == 1 else list(cards) for at, cards in state.hidden.items()}
    position["carried"] = [
        {"at": one.at, "card": one.card, **({"dislodged": True} if one.is_dislodged else {})} for one in state.carried
    ]
    position["shares"] = [{"at": bond.at, "powers": list(bond.powers)} for bond in state.bonds]
    position["strong"] = [power for power in state.variant.powers if power in state.strong]
    position["homes"] = {power: list(homes) for power, homes in state.new_homes.items()}
    position["aside"] = list(state.aside)
    return document


def _variant(document: JsonRow) -> BoardVariant:
    return with_board(named_variant(INFO, document.get("variant", _STANDARD)))


def _first_position(variant: BoardVariant, document: JsonRow) -> JsonRow:
    """Who stands where at the start; with `balanced` also what else is whose. Ruling Y33."""
    units = list(variant.settings["units"])
    if not _is_balanced(document.get("options")):
        return {"units": units}
    added, provinces = variant.settings[EVENED], variant.board.provinces
    homes: Mapping[str, list[str]] = added["homes"]
    owners = {centre: provinces[centre].home for centre in variant.board.centres if provinces[centre].home}
    owners |= {ProvinceId(at): PowerId(power) for power, places in homes.items() for at in places}
    return {"units": [*units, *added["units"]], "centres": owners, "homes": homes}


def _is_balanced(options: Any) -> bool:
    return isinstance(options, Mapping) and str(options.get(BALANCED)).strip().lower() == "true"


def _phase(variant: BoardVariant, document: JsonRow, *, has_units: bool) -> tuple[Any, bool]:
    """The phase for Diplomacy's reader, which knows no set-up, and whether it is the set-up."""
    given = document.get("phase")
    if given is not None and not isinstance(given, Mapping):
        return given, False
    row = dict(given or {})
    if "kind" not in row:
        row["kind"] = "movement" if has_units or row else variant.settings["first_phase"]["kind"]
    if str(row["kind"]).lower() != PhaseKind.SETUP:
        return row, False
    return {**row, "kind": "movement", "season": "spring"}, True


def _over(variant: BoardVariant, given: Any) -> Any:
    if not isinstance(given, Mapping) or not isinstance(given.get("winners"), list | tuple):
        return given
    return {**given, "winners": [_power_id(variant, name) for name in given["winners"]]}


def _centres(variant: BoardVariant, given: Any) -> Any:
    return {at: _power_id(variant, name) for at, name in given.items()} if isinstance(given, Mapping) else given


def _power_id(variant: BoardVariant, name: Any) -> Any:
    """A power's id from any of its ids (`pan`, `Pan Tang`); what is none stays as it is."""
    if not isinstance(name, str):
        return name
    word = name.strip().lower().replace(" ", "_")
    names: Mapping[str, str] = variant.settings["short_ids"]
    return names.get(word, word if word in variant.powers else name)


def _rows(value: Any, where: str) -> list[dict[str, Any]]:
    for index, row in enumerate(list_of(value, where)):
        if not isinstance(row, Mapping):
            raise DocumentError(f"{where}[{index}]", "is not an object")
    return [dict(row) for row in value]


def _unit_rows(variant: BoardVariant, value: Any, where: str) -> list[dict[str, Any]]:
    return [
        {**row, "power": _power_id(variant, row["power"])} if "power" in row else row for row in _rows(value, where)
    ]


def _is_sorcerer(row: JsonRow) -> bool:
    return str(row.get("kind", "")).upper() == SORCERER


def _horde_places(rows: Iterable[JsonRow]) -> frozenset[ProvinceId]:
    return frozenset(ProvinceId(str(row["at"]).strip().upper()) for row in rows if row.get("horde"))


class _Reader:
    """Reads what Diplomacy's documents do not have."""

    def __init__(self, variant: BoardVariant, position: Position, state: JsonRow) -> None:
        self._variant = variant
        self._board = variant.board
        self._position = position
        self._state = state

    def sorcerers(self, rows: Sequence[JsonRow]) -> tuple[Unit, ...]:
        found: dict[PowerId, Unit] = {}
        for row in rows:
            unit = self._unit(row, "state.units")
            if found.setdefault(unit.power, unit) is not unit:
                raise DocumentError("state.units", f"{unit.power} has two sorcerers")
        return tuple(found[power] for power in self._variant.powers if power in found)

    def driven(self, rows: Sequence[JsonRow]) -> tuple[Dislodged, ...]:
        if rows and self._position.phase.kind is not PhaseKind.RETREATS:
            raise DocumentError("state.dislodged", f"there are none in {self._position.phase.kind}")
        found = {}
        for row in rows:
            unit = self._unit(row, "state.dislodged")
            origin = row.get("from")
            retreats = tuple(PlaceId(self._province(place, "state.dislodged")) for place in row.get("retreats") or ())
            came_from = None if origin is None else self._province(origin, "state.dislodged")
            found[unit.power] = Dislodged(unit, came_from, self._in_map_order(retreats))
        return tuple(found[power] for power in self._variant.powers if power in found)

    def fortresses(self) -> dict[ProvinceId, Fortress]:
        """As given; else those of the start."""
        given = self._mapping("fortresses")
        if given is None:
            strengths: Mapping[str, int] = self._variant.settings["fortresses"]
            provinces = self._board.provinces
            found = {ProvinceId(at): Fortress(n, provinces[ProvinceId(at)].home) for at, n in strengths.items()}
        else:
            found = {}
            for name, row in given.items():
                where = f"state.fortresses.{name}"
                if not isinstance(row, Mapping):
                    row = {"strength": row}
                strength = row.get("strength", 1)
                if not isinstance(strength, int) or isinstance(strength, bool) or not 0 <= strength <= 99:
                    raise DocumentError(where, f"{strength!r} is no strength")
                owner = row.get("owner")
                at = self._province(name, where)
                found[at] = Fortress(strength, None if owner is None else self._power(owner, where))
        return {at: found[at] for at in self._board.provinces if at in found}

    def bonds(self, sorcerers: Sequence[Unit]) -> tuple[Bond, ...]:
        """As given; where nothing is, those who stand together share."""
        given = self._state.get("shares")
        if given is None:
            return bonds_of(self._variant, self._position.units, sorcerers)
        found = set()
        for row in _rows(given, "state.shares"):
            powers = [self._power(power, "state.shares") for power in list_of(row.get("powers", ()), "state.shares")]
            if len(set(powers)) < 2:
                raise DocumentError("state.shares", "a space is shared by two powers or more")
            at = self._province(row.get("at"), "state.shares")
            found |= {Bond(at, pair) for pair in _pairs(self._variant, powers)}
        return tuple(sorted(found))

    def cards(self, alive: Iterable[PowerId]) -> dict[str, Any]:
        """Where the cards are. What is left out is as dealt, without the cards that are named elsewhere."""
        living = [power for power in self._variant.powers if power in set(alive)]
        first = {PowerId(row["power"]) for row in self._variant.settings["units"] if row["kind"] == SORCERER}
        seats = [power for power in self._variant.powers if power in first]
        homes = [home for places in self.new_homes().values() for home in places]
        dealt = deal(self._variant, seats, homes, Dice(self._position.seed).for_phase("deal"))
        hands, hidden = self._hands(), self._hidden()
        carried = self._carried()
        named = [card for cards in (*(hands or {}).values(), *(hidden or {}).values()) for card in cards]
        named += [one.card for one in carried]
        aside = tuple(self._card(card, "state.aside") for card in list_of(self._state.get("aside", ()), "state.aside"))
        if len(set(named)) < len(named):
            raise DocumentError("state.hands", "a card is in two places")
        if hands is None:
            hands = {power: tuple(card for card in cards if card not in named) for power, cards in dealt.hands.items()}
            hands = {power: cards for power, cards in hands.items() if power in living}
            named += [card for cards in hands.values() for card in cards]
        if hidden is None:
            left = {at: tuple(card for card in cards if card not in named) for at, cards in dealt.hidden.items()}
            if self._position.options.get("umpire_places_spells"):
                aside = tuple(sorted(card for cards in left.values() for card in cards))
                left = {}
            hidden = left
        return {
            "hands": {power: hands[power] for power in living if hands.get(power)},
            "hidden": {at: hidden[at] for at in self._board.provinces if hidden.get(at)},
            "carried": carried,
            "aside": aside,
        }

    def _hands(self) -> dict[PowerId, tuple[int, ...]] | None:
        given = self._mapping("hands")
        if given is None:
            return None
        return {self._power(name, "state.hands"): self._cards(cards, "state.hands") for name, cards in given.items()}

    def _hidden(self) -> dict[ProvinceId, tuple[int, ...]] | None:
        given = self._mapping("hidden")
        if given is None:
            return None
        return {self._province(at, "state.hidden"): self._cards(cards, "state.hidden") for at, cards in given.items()}

    def _carried(self) -> tuple[Carried, ...]:
        found = []
        standing = {province_of(unit.at) for unit in self._position.units}
        fallen = {province_of(row.unit.at) for row in self._position.dislodged}
        for row in _rows(self._state.get("carried", ()), "state.carried"):
            at, is_dislodged = self._province(row.get("at"), "state.carried"), bool(row.get("dislodged"))
            if at not in (fallen if is_dislodged else standing):
                raise DocumentError("state.carried", f"there is no unit in {at}")
            found += [Carried(at, card, is_dislodged) for card in self._cards(row.get("card"), "state.carried")]
        return tuple(sorted(found))

    def powers(self, key: str) -> tuple[PowerId, ...]:
        where = f"state.{key}"
        return tuple(self._power(name, where) for name in list_of(self._state.get(key, ()), where))

    def new_homes(self) -> dict[PowerId, tuple[ProvinceId, ...]]:
        given = self._mapping("homes") or {}
        found = {
            self._power(name, "state.homes"): tuple(
                self._province(at, "state.homes") for at in list_of(homes, "state.homes")
            )
            for name, homes in given.items()
        }
        return {power: found[power] for power in self._variant.powers if found.get(power)}

    # Parts

    def _mapping(self, key: str) -> JsonRow | None:
        given = self._state.get(key)
        if given is not None and not isinstance(given, Mapping):
            raise DocumentError(f"state.{key}", "is not an object")
        return given

    def _unit(self, row: JsonRow, where: str) -> Unit:
        for key in ("power", "at"):
            if key not in row:
                raise DocumentError(where, f"{key} is missing")
        return Unit(self._power(row["power"], where), SORCERER, PlaceId(self._province(row["at"], where)))

    def _power(self, name: Any, where: str) -> PowerId:
        word = str(_power_id(self._variant, str(name)))
        if word not in self._variant.powers:
            raise DocumentError(where, f"there is no power {name!r}")
        return PowerId(word)

    def _province(self, name: Any, where: str) -> ProvinceId:
        province = ProvinceId(str(name).strip().upper())
        if province not in self._board.provinces:
            raise DocumentError(where, f"there is no {name!r} on the board")
        return province

    def _cards(self, given: Any, where: str) -> tuple[int, ...]:
        cards = given if isinstance(given, list | tuple) else (given,)
        return tuple(sorted(self._card(card, where) for card in cards))

    def _card(self, card: Any, where: str) -> int:
        if not isinstance(card, int) or isinstance(card, bool) or card not in CARDS:
            raise DocumentError(where, f"there is no card {card!r}")
        return card

    def _in_map_order(self, places: Iterable[PlaceId]) -> tuple[PlaceId, ...]:
        order = {province: index for index, province in enumerate(self._board.provinces)}
        return tuple(sorted(places, key=lambda place: order[province_of(place)]))


def bonds_of(variant: BoardVariant, units: Iterable[Unit], sorcerers: Sequence[Unit]) -> tuple[Bond, ...]:
    """The bonds of sorcerers with foreign units in their spaces."""
    found = set()
    for sorcerer in sorcerers:
        here = province_of(sorcerer.at)
        for other in (*units, *sorcerers):
            if province_of(other.at) == here and other.power != sorcerer.power:
                found |= {Bond(here, pair) for pair in _pairs(variant, (sorcerer.power, other.power))}
    return tuple(sorted(found))


def _pairs(variant: BoardVariant, powers: Sequence[PowerId]) -> list[tuple[PowerId, PowerId]]:
    ordered = [power for power in variant.powers if power in powers]
    return [(one, other) for index, one in enumerate(ordered) for other in ordered[index + 1 :]]
