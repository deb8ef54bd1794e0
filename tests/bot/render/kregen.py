"""Scenes of Kregen, made by its own rules: a position with everything, what comes of its orders, and pending ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId, ProvinceId
from engine.core.viewer import EVERYBODY, Playing
from engine.kregen.model import Order, State
from engine.kregen.scene import scene
from engine.kregen.system import KREGEN
from engine.pictures.scene import Scene
from tests.bot.render.scenes import words

RULES = KREGEN
UNITS = (
    "akhram A AKH", "akhram A WAN", "akhram F TID", "akhram H BKI", "magdag A MAG", "magdag A MYZ", "magdag F OVL",
    "magdag F OVL", "magdag F MEG", "magdag H GAN", "gashil A RXT", "gashil A LAG", "gashil F GRO", "gashil F GRO",
    "gashil F SRZ", "gashil H GRO", "zair A ZIM", "zair H ZIM", "zair F SWD", "zair F ZY", "zair A LIZ",
    "zandikar A ZAN", "zandikar A TIK", "zandikar F ZBA", "zandikar F ZBA", "zandikar H ZZR", "sanurkazz A SAN",
    "sanurkazz A PYZ", "sanurkazz F FSO", "sanurkazz H SAN", "proconia A PTL", "proconia A PRC", "proconia F GUL",
    "proconia H ZIN", "renders F WAB", "renders F BMA", "renders F REE", "renders F SO1", "renders F SO1",
    "renders F ISS", "renders F RNS", "renders F JKA", "renders F SOZ", "renders H ONK",
)  # fmt: skip
OWNERS = {
    "AKH": "akhram", "BKI": "akhram", "WAN": "akhram", "COR": "akhram", "HOK": "akhram", "MAG": "magdag",
    "ZNX": "magdag", "CHU": "magdag", "MYZ": "magdag", "GAS": "gashil", "BUR": "gashil", "LAG": "gashil",
    "TAK": "gashil", "ZY": "zair", "ZUL": "zair", "ZIM": "zair", "LIZ": "zair", "ZAN": "zandikar", "ZAM": "zandikar",
    "ZZR": "zandikar", "TIK": "zandikar", "SAN": "sanurkazz", "FAL": "sanurkazz", "ZND": "sanurkazz",
    "PYZ": "sanurkazz", "PRC": "proconia", "PTL": "proconia", "NIK": "proconia", "PAR": "proconia", "WAB": "renders",
    "BMA": "renders", "REE": "renders", "SO1": "renders", "SO2": "renders", "JKA": "renders", "ONK": "renders",
    "RAS": "renders", "IST": "renders", "YOB": "renders", "TKN": "renders",
}  # fmt: skip
GARRISONS = ("VSK", "HIK", "CRA", "GAN", "PTH", "CHL", "TKK", "ZIN", "PHG", "SZM", "SHP", "KRZ", "QFA")
ORDERS = {
    "akhram": ("F TID - KRO, - SZR", "A WAN - DEL", "A AKH - DAM", "H BKI - GEN - BLD"),
    "magdag": (
        "FF OVL - RNS", "F MEG S F OVL - RNS, - BLD", "A MYZ - COR", "A MAG - CHU (2)", "H GAN betray to gashil",
    ),
    "gashil": (
        "A RXT - GAN (2)", "F GRO - SWF, - ARG", "F GRO S F SRZ - RAP", "F SRZ - RAP", "H GRO with F GRO - SWF",
    ),
    "zair": (
        "A ZIM - SWD - JKA", "H ZIM with A ZIM", "F SWD C A ZIM - JKA", "F ZY S F SWD, - SZR", "A LIZ - SCT (2)",
    ),
    "zandikar": (
        "F ZBA - SZR, - MEG", "F ZBA - RNS", "A ZAN - KRZ", "A TIK S A ZAN - KRZ", "H ZZR - SOZ, - ONK",
        "duel H ZZR 40 kill",
    ),
    "sanurkazz": ("A SAN - FAL", "A PYZ S A SAN - FAL", "F FSO - ISS", "H SAN - ZND"),
    "proconia": ("A PTL - KHI", "A PRC H", "F GUL H", "H ZIN aid"),
    "renders": (
        "F WAB - GEN, - MEG", "FF SO1 - SRZ, - LOL", "F ISS S F SOZ - BBL", "F SOZ - BBL", "F RNS H",
        "F REE - MRS, - PAR", "H ONK H",
    ),
}  # fmt: skip


def document(
    units: tuple[str, ...] = UNITS,
    *,
    owners: dict[str, str] | None = None,
    garrisons: tuple[str, ...] = GARRISONS,
    plundered: tuple[str, ...] = ("IST", "COR"),
    phase: tuple[int, str, str] = (5, "fall", "movement"),
) -> State:
    """A position as its document tells it."""
    year, season, kind = phase
    position: dict[str, Any] = {
        "units": [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in units],
        "owners": OWNERS if owners is None else owners,
        "garrisons": dict.fromkeys(garrisons, 1),
        "plundered": list(plundered),
    }
    at = {"year": year, "season": season, "kind": kind}
    return RULES.play.load({"system": "kregen", "seed": "picture", "phase": at, "state": position})


def read(state: State, power: str, lines: tuple[str, ...]) -> list[Order]:
    """The orders that a power writes; every line of a test can be read and carried out."""
    view = RULES.sight.view(state, Playing(PowerId(power)))
    parsed = RULES.orders.parse("\n".join(lines), view)
    errors = [*parsed.errors, *filter(None, RULES.orders.check(view, parsed.orders))]
    assert not errors, [(error.text, error.code) for error in errors]
    return [one.order for one in parsed.orders]


def captioned(shown: Scene) -> Scene:
    """With a game's name under the title."""
    return replace(shown, caption=words("The Eye of the World"))


def position() -> Scene:
    """A position with everything that stands on the map."""
    state = document()
    return captioned(scene(RULES.sight.view(state, EVERYBODY)))


def results(state: State | None = None, orders: Mapping[str, tuple[str, ...]] | None = None) -> Scene:
    """What came of a season's orders."""
    state = state or document()
    sheets = {PowerId(power): read(state, power, lines) for power, lines in (orders or ORDERS).items()}
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    return captioned(scene(RULES.sight.view(state, EVERYBODY), results=done.results, events=done.events))


def pending(power: str, lines: tuple[str, ...], state: State | None = None) -> Scene:
    """A power's orders before they are carried out, close up as its player sees them."""
    state = state or document()
    return captioned(scene(RULES.sight.view(state, Playing(PowerId(power))), orders=read(state, power, lines)))


def about(shown: Scene, *places: str) -> Scene:
    """The scene close up."""
    return replace(shown, focus=tuple(map(ProvinceId, places)))
