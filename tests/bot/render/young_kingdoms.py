"""A scene of the Young Kingdoms with everything that only this map shows, and hands of its cards."""

from __future__ import annotations

from engine.core.ids import PlaceId, PowerId, SystemId, province_of
from engine.core.variant import load_variant
from engine.pictures.hand import CardFace, Hand
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from engine.provinces.board import Terrain
from engine.provinces.variants import with_board
from engine.young_kingdoms.cards import CARDS, Effect
from tests.bot.render.scenes import words

SYSTEM = SystemId("young_kingdoms")
VARIANT = with_board(load_variant("young_kingdoms", "standard"))
POWERS = {power.letter: power.id for power in VARIANT.powers.values()}
FORTRESSES = {"LCI": "1", "TAN": "1", "MEL": "3", "PTA": "1", "KAR": "1"}
UNITS = (
    "A A SEA", "A F COA", "A A FIL", "L F TRE", "L A IOS", "L A STA", "L F SHA", "L A ORG", "J A CSH", "J F ESH",
    "J A DHR", "J A AFL", "I A VIL", "I A ILM", "I F JAD", "I A KAR", "P F SOC", "P A TAR", "P S SOC", "P A EED",
    "P A EWE", "P A WWE", "M F DRA", "M F MEL", "M S MEL", "M A IOP",
)  # fmt: skip
ORDERS = (
    "A A move SEA CAR", "L A move STA LAR", "J A move CSH NJH", "J F support_hold ESH AFL AFL",
    "I A move VIL TRE DRA", "M F convoy DRA TRE VIL", "M F support_move MEL SOC MEL", "P F move SOC PAL",
    "P A move TAR GRO", "P A hold EED EED",
)  # fmt: skip
MAGIC = ("M S move MEL SOC", "P S support_move SOC GRO TAR", "P S strike SOC BAK")


def unit(text: str) -> UnitMark:
    """`M S MEL`: the power's letter, the kind and the place."""
    letter, kind, place = text.split()
    return UnitMark(POWERS[letter], kind, PlaceId(place))


def arrow(text: str, status: ArrowStatus = ArrowStatus.SUCCEEDED, manner: str = "") -> Arrow:
    """`P S strike SOC BAK`: letter, unit, kind, start, end, and the places on the way."""
    letter, unit_kind, kind, start, end, *via = text.split()
    places = tuple(PlaceId(place) for place in via)
    return Arrow(
        ArrowKind(kind), POWERS[letter], PlaceId(start), PlaceId(end), places, status, unit_kind, manner=manner
    )


def board(units: tuple[str, ...] = UNITS, arrows: tuple[Arrow, ...] = (), marks: tuple[Mark, ...] = ()) -> Scene:
    """Units, orders and marks on the board; the centres are at home."""
    provinces = VARIANT.board.provinces
    standing = tuple(unit(text) for text in units)
    owners: dict[str, PowerId] = {province.id: province.home for province in provinces.values() if province.home}
    held = {province_of(each.place): each.power for each in standing}
    on_land = {at: power for at, power in held.items() if provinces[at].terrain is not Terrain.SEA}
    fortresses = tuple(Mark("fortress", PlaceId(at), owners.get(at), strength) for at, strength in FORTRESSES.items())
    return Scene(
        system=SYSTEM,
        variant="standard",
        title=words("Fall 1403, movement"),
        caption=words("Stormbringer"),
        fills={**on_land, **owners},  # type: ignore[dict-item]
        units=standing,
        marks=(
            *(Mark("centre", PlaceId(centre), owners.get(centre)) for centre in VARIANT.board.centres),
            *fortresses,
            *marks,
        ),
        arrows=arrows,
        legend=tuple(LegendRow(power, (("centres", 4), ("units", 3))) for power in VARIANT.powers),
    )


def magic() -> Scene:
    """A movement phase with spells of every kind, hordes and a barred space."""
    hordes = tuple(Mark("horde", PlaceId(at), POWERS["P"]) for at in ("EED", "EWE", "WWE"))
    plain = tuple(arrow(text) for text in ORDERS)
    failed = (arrow("A F move COA STR", ArrowStatus.FAILED), arrow("L F move SHA DRA", ArrowStatus.FAILED))
    spells = tuple(arrow(text, manner="magic") for text in MAGIC)
    own = arrow("J A strike AFL AFL")
    return board(arrows=(*plain, *failed, *spells, own), marks=(*hordes, Mark("barred", PlaceId("BAK"))))


def hand_of(*numbers: int) -> Hand:
    """A hand of these cards."""
    faces = tuple(CardFace(number, CARDS[number].name, CARDS[number].words, _emblem(number)) for number in numbers)
    return Hand(SYSTEM, "standard", words("Cards"), faces, viewer=POWERS["M"])


def _emblem(number: int) -> str:
    card = CARDS[number]
    return f"{card.effect}_{card.over}" if card.effect in (Effect.SUPPORT, Effect.ATTACK) else str(card.effect)
