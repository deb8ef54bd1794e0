"""A scene on the map of Feudal Europe with everything that can be seen there, and parts of it."""

from __future__ import annotations

from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.variant import load_variant
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from engine.provinces.variants import with_board
from tests.bot.render.scenes import words

VARIANT = with_board(load_variant("feudal", "standard"))
NOBODYS = {"n": PowerId("nomads"), "b": PowerId("barbarians")}
POWERS = {power.letter: power.id for power in VARIANT.powers.values()} | NOBODYS
LANDS = {
    "L": "LON YOR WAL LVP BEL", "E": "PAR BRE BUR GAS PIC", "B": "MUN KIE BER RUH", "S": "MAR SPA PIE",
    "G": "ROM NAP VEN TUS APU", "R": "VIE BUD BOH TYR", "D": "CON BUL SMY", "F": "STP MOS LVN FIN",
    "U": "SEV WAR UKR GAL RUM", "b": "ANK EDI NWY POR SWE TUN",
}  # fmt: skip
UNITS = (
    "L K LON", "L A YOR", "E N BRE", "E K PAR", "E A BUR", "B W KIE", "B K MUN", "B A RUH", "S A MAR", "S K SPA",
    "G K ROM", "G A VEN", "G W NAP", "R K VIE", "R N BUD", "D W CON", "D A BUL", "F K MOS", "F A LVN", "U K SEV",
    "U N WAR", "U A RUM", "b A NWY", "b A SWE", "b A EDI", "b A POR", "b A TUN", "b A ANK", "n A UKR", "n A STP",
)  # fmt: skip
CASTLES = "LON PAR MUN SPA ROM VIE CON STP SEV"
DICE = "LVN MOS STP SEV UKR WAR"
ARROWS = (
    "B move RUH BEL", "E support_move BUR BEL RUH", "n move UKR UKR", "B strike KIE VIE", "R hold BUD BUD",
)  # fmt: skip
FAILED = ("L move LON BEL", "n move WAR WAR", "D strike CON RUM")


def owners() -> dict[ProvinceId, PowerId]:
    """Whose each province is."""
    return {ProvinceId(place): POWERS[letter] for letter, places in LANDS.items() for place in places.split()}


def unit(text: str) -> UnitMark:
    """`L K LON`: the power's letter, the kind and the place."""
    letter, kind, place = text.split()
    return UnitMark(POWERS[letter], kind, PlaceId(place))


def arrow(text: str, status: ArrowStatus) -> Arrow:
    """`B move RUH BEL`: letter, kind, start, end, and whom it helps."""
    letter, kind, start, end, *via = text.split()
    return Arrow(ArrowKind(kind), POWERS[letter], PlaceId(start), PlaceId(end), tuple(map(PlaceId, via)), status)


def signs() -> tuple[Mark, ...]:
    """Centres, castles, homes of barbarians, and the nomads' dice."""
    held = owners()
    barbarians = (Mark("home", PlaceId(place), POWERS["b"]) for place in LANDS["b"].split())
    return (
        *(Mark("centre", PlaceId(centre), held.get(centre)) for centre in VARIANT.board.centres),
        *(Mark("castle", PlaceId(place), held[ProvinceId(place)]) for place in CASTLES.split()),
        *barbarians,
        *(Mark("die", PlaceId(place), label=str(pips)) for pips, place in enumerate(DICE.split(), start=1)),
    )


def realm() -> Scene:
    """A move season of nine lords, with its results."""
    held = owners()
    return Scene(
        system=SystemId("feudal"),
        variant="standard",
        title=words("Summer 817, movement"),
        caption=words("A long winter"),
        fills=held,
        units=(*map(unit, UNITS), UnitMark(POWERS["L"], "N", PlaceId("RUM"), is_dislodged=True)),
        marks=signs(),
        arrows=(
            *(arrow(text, ArrowStatus.SUCCEEDED) for text in ARROWS),
            *(arrow(text, ArrowStatus.FAILED) for text in FAILED),
        ),
        legend=tuple(LegendRow(power, (("centres", 3), ("units", 3), ("castles", 1))) for power in VARIANT.powers),
    )


def lists() -> Scene:
    """A round of the choice of centres: who got what, and what several wanted."""
    return Scene(
        system=SystemId("feudal"),
        variant="standard",
        title=words("Choice of centre 1"),
        marks=(
            *(Mark("centre", PlaceId(centre)) for centre in VARIANT.board.centres),
            Mark("choice", PlaceId("MAR"), POWERS["L"], "2"),
            Mark("choice", PlaceId("BER"), POWERS["R"], "1"),
            Mark("choice", PlaceId("PAR"), label="×"),
        ),
    )
