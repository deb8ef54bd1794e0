"""Scenes to draw in tests: the start of a game, a crowded movement phase, and what stays on the board after it."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageChops

from bot.render.raster import draw_scene
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId, province_of
from engine.core.phrases import Phrase
from engine.core.variant import load_variant
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from engine.provinces.board import Terrain
from engine.provinces.variants import with_board

VARIANT = with_board(load_variant("diplomacy", "standard"))
POWERS = {power.letter: power.id for power in VARIANT.powers.values()}


def drawn(scene: Scene) -> Image.Image:
    """The picture of a scene, with frame and panels."""
    return draw_scene(scene).picture


def changed_px(one: Scene, other: Scene) -> int:
    """How many pixels clearly differ between the pictures of two scenes."""
    difference = ImageChops.difference(drawn(one), drawn(other)).convert("L")
    return sum(difference.histogram()[30:])


def words(text: str) -> Phrase:
    """Any text as a phrase that every catalogue knows."""
    return Phrase("message.caption", {"game": text})


def unit(text: str, *, is_dislodged: bool = False) -> UnitMark:
    """`R F STP/SC`: the power's letter, the kind and the place."""
    letter, kind, place = text.split()
    return UnitMark(POWERS[letter], kind, PlaceId(place), is_dislodged)


def arrow(text: str, status: ArrowStatus = ArrowStatus.SUCCEEDED) -> Arrow:
    """`R move MOS UKR`, `E convoy NTH BEL YOR`: letter, kind, start, end, and the places on the way."""
    letter, kind, start, end, *via = text.split()
    places = tuple(PlaceId(place) for place in via)
    return Arrow(ArrowKind(kind), POWERS[letter], PlaceId(start), PlaceId(end), places, status, unit_kind="A")


def board(
    units: tuple[UnitMark, ...] = (),
    owners: Mapping[ProvinceId, PowerId] | None = None,
    arrows: tuple[Arrow, ...] = (),
    focus: tuple[ProvinceId, ...] = (),
    viewer: PowerId | None = None,
) -> Scene:
    """A scene on the standard board; the centres are at home unless owners are given."""
    provinces = VARIANT.board.provinces
    if owners is None:
        owners = {province.id: province.home for province in provinces.values() if province.home}
    held = {province_of(each.place): each.power for each in units if not each.is_dislodged}
    on_land = {at: power for at, power in held.items() if provinces[at].terrain is not Terrain.SEA}
    return Scene(
        system=SystemId("diplomacy"),
        variant="standard",
        title=words("Fall 1904, movement"),
        caption=words("A game of seven"),
        fills=on_land | dict(owners),
        units=units,
        marks=tuple(Mark("centre", PlaceId(centre), owners.get(centre)) for centre in VARIANT.board.centres),
        arrows=arrows,
        legend=tuple(
            LegendRow(power, (("centres", list(owners.values()).count(power)), ("units", 3)))
            for power in VARIANT.powers
        ),
        focus=focus,
        viewer=viewer,
    )


def start() -> Scene:
    """The position that a game begins with."""
    rows = VARIANT.settings["units"]
    return board(tuple(UnitMark(PowerId(row["power"]), row["kind"], PlaceId(row["at"])) for row in rows))


CROWD = (
    "A A SER", "A A VIE", "A F GRE", "A A VEN", "A A TYR", "A A BUD", "E F NTH", "E A YOR", "E F ENG", "E F NWG",
    "E A BEL", "F F MAO", "F A BUR", "F A PIC", "F A SPA", "F F WES", "G A RUH", "G A MUN", "G F HOL", "G A WAR",
    "G F DEN", "G A SIL", "I A ROM", "I F TYS", "I F ION", "I A APU", "R F SWE", "R A UKR", "R F BLA", "R A RUM",
    "R A ARM", "R A MOS", "T F CON", "T A BUL", "T F AEG", "T A ANK",
)  # fmt: skip
WORKED = (
    "E convoy NTH HOL YOR", "E support_move BEL HOL YOR", "E move YOR HOL NTH", "E move NWG NWY",
    "F move SPA TUN WES", "F convoy WES TUN SPA", "G move WAR GAL", "G support_move SIL GAL WAR",
    "A move BUD RUM", "A support_move SER RUM BUD", "I hold ROM ROM", "I support_hold APU ROM ROM",
    "I move TYS LYO", "R move RUM BUL", "R support_move BLA BUL RUM", "R move MOS WAR", "R move SWE SKA",
)  # fmt: skip
FAILED = (
    "A move VIE GAL", "A move TYR MUN", "A move GRE BUL/SC", "A move VEN ROM", "E move ENG BRE", "F move PIC BRE",
    "F move BUR MUN", "F move MAO ENG", "G hold HOL HOL", "G support_hold RUH MUN MUN", "G move MUN TYR",
    "I move ION AEG", "R move ARM ANK", "T move BUL RUM", "T support_hold AEG CON CON", "T support_hold ANK CON CON",
)  # fmt: skip


def crowded() -> Scene:
    """A movement phase of thirty-six units with every kind of order, many of them failing."""
    arrows = [arrow(text) for text in WORKED] + [arrow(text, ArrowStatus.FAILED) for text in FAILED]
    return board(tuple(unit(text) for text in CROWD), arrows=tuple(arrows), viewer=POWERS["G"])


def dislodged() -> Scene:
    """A retreats phase with its orders, and changes as in an adjustments phase."""
    standing = (unit("G A BUR"), unit("I A VEN"), unit("R A BUL"), unit("T F AEG"))
    beaten = (
        unit("F A BUR", is_dislodged=True),
        unit("A A VEN", is_dislodged=True),
        unit("T A BUL", is_dislodged=True),
    )
    arrows = (
        arrow("F retreat BUR GAS", ArrowStatus.PENDING),
        arrow("A disband VEN VEN"),
        arrow("T retreat BUL GRE", ArrowStatus.FAILED),
        arrow("R build STP/NC STP/NC"),
        arrow("T remove AEG AEG"),
    )
    return board(standing + beaten, arrows=arrows)
