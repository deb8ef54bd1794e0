"""Draws the pictures of the guides anew, but for King of Kings': look at them, then commit.

python -m tests.bot.render.guide
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from bot.model import ClosedBecause, PhaseRecord
from bot.render import render_scene
from bot.services.films import chart_of
from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.feudal.system import FEUDAL
from engine.pictures.chart import Chart
from engine.pictures.legend import LegendRow
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.render.feudal_scenes import realm
from tests.bot.render.kregen import about, document, pending, position, results
from tests.bot.render.scenes import crowded, start, words
from tests.bot.render.young_kingdoms import magic
from tests.bot.services.world import NOON, World
from tests.games.record import FOLDER

IMAGES = Path(__file__).resolve().parents[3] / "docs" / "images"
WIDTH_PX, WHOLE_PX = 800, 1600


def _map() -> Scene:
    return results()


def _start() -> Scene:
    return position()


def _two_steps() -> Scene:
    state = document(("magdag F MAG", "magdag F MEG", "magdag A CHU", "renders F HIK"), garrisons=())
    orders = ("F MAG - OVL, - RNS", "F MEG - OVL, S A CHU - HIK", "A CHU - HIK (2)")
    return about(pending("magdag", orders, state), "MAG", "HIK", "RNS", "MEG")


def _convoy() -> Scene:
    state = document(("zair F ZY", "zair A ZIM", "zair H ZIM"), owners={"ZIM": "zair", "ZY": "zair", "ZUL": "zair"})
    orders = ("F ZY - SWD, C A ZIM - JKA", "A ZIM - SWD - JKA", "H ZIM with A ZIM")
    return about(pending("zair", orders, state), "SWD", "JKA", "ZY")


def _duel() -> Scene:
    state = document(
        ("zandikar H ZZR", "zandikar A TIK", "renders H ONK", "renders F BBL"),
        owners={"ZAN": "zandikar", "ZAM": "zandikar", "ZZR": "zandikar", "ONK": "renders", "RAS": "renders"},
    )
    orders = {"zandikar": ("H ZZR - SOZ, - ONK", "duel H ZZR 40 kill"), "renders": ("H ONK H", "duel H ONK 90 capture")}
    return about(results(state, orders), "ONK", "ZZR", "SOZ")


def _garrison() -> Scene:
    state = document(
        ("magdag H GAN", "magdag A YOG", "gashil A RXT", "gashil H GAS"),
        owners={"MAG": "magdag", "YOG": "magdag", "GAS": "gashil", "BUR": "gashil", "RXT": "gashil"},
    )
    orders = {"magdag": ("H GAN betray to magdag", "A YOG - GAN"), "gashil": ("A RXT H", "H GAS - RXT")}
    return about(results(state, orders), "GAN", "YOG", "RXT")


def _bank() -> Scene:
    owners = {"MAG": "magdag", "CHU": "magdag", "ZNX": "akhram"}
    state = document(("magdag F MAG", "magdag A CHU", "akhram A ZNX"), owners=owners)
    return about(results(state, {"magdag": ("F MAG - RCK", "A CHU S F MAG - RCK")}), "MAG", "CHU", "ZNX")


def _barred() -> Scene:
    owners = {"MAG": "magdag", "CHU": "magdag", "ZNX": "akhram"}
    state = document(("magdag F MAG", "akhram A ZNX"), owners=owners)
    return about(results(state, {"magdag": ("F MAG - RCK",)}), "MAG", "CHU", "ZNX")


def _strait() -> Scene:
    state = document(("zair A ZIM", "renders F SWD"), owners={"ZIM": "zair", "ZUL": "zair"})
    orders = {"zair": ("A ZIM - ZY (2)",), "renders": ("F SWD - KRO",)}
    return about(results(state, orders), "SWD", "ZIM", "ZY")


def _rally() -> Scene:
    state = document(
        ("zair H ZUL", "renders F SWD", "gashil A MAI"), owners={"ZUL": "zair", "ZY": "zair", "MAI": "gashil"}
    )
    return about(results(state, {"gashil": ("A MAI - ZUL",), "zair": ("H ZUL H",)}), "ZUL", "MAI", "SWD")


PICTURES: dict[str, Callable[[], Scene]] = {
    "two-steps": _two_steps,
    "convoy": _convoy,
    "duel": _duel,
    "garrison": _garrison,
    "bank-barred": _barred,
    "bank": _bank,
    "strait": _strait,
    "rally": _rally,
}


def _wizards(units: tuple[str, ...], orders: dict[str, str], *places: str, fate: int = 6) -> Scene:
    """What came of a Summer of Feudal Europe, about some places; all nomads come where the die shows `fate`."""
    rows = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in units]
    centres = {row["at"]: row["power"] for row in rows if row["at"] != "RUH"}
    position = {"units": rows, "centres": centres}
    state = FEUDAL.play.load(
        {
            "phase": {"year": 816, "season": "summer", "kind": "movement"},
            "options": {"magic": True},
            "dice": {f"nomad/{number}": fate for number in (1, 2, 3)},
            "state": position,
            "seed": "wizards",
        }
    )
    views = {power: FEUDAL.sight.view(state, Playing(PowerId(power))) for power in orders}
    sheets = {PowerId(power): read_orders(FEUDAL, views[power], text).values for power, text in orders.items()}
    done = FEUDAL.play.adjudicate(state, sheets, FEUDAL.play.dice(state))
    view = FEUDAL.sight.view(state, EVERYBODY)
    scene = FEUDAL.telling.scene(view, results=done.results, events=done.events)
    assert isinstance(scene, Scene)
    return replace(scene, focus=tuple(map(ProvinceId, places)))


def _distant() -> Scene:
    units = ("lion W PAR", "lion A RUH", "eagle A MUN", "boar K LON", "lion K SPA", "eagle K ROM")
    return _wizards(units, {"lion": "W PAR S2 A RUH - MUN; A RUH - MUN"}, "PAR", "RUH", "MUN")


_CIRCLE = ("lion W BUL", "eagle W SER", "boar A RUM", "lion K LON", "eagle K SPA", "boar K ROM")


def _circle() -> Scene:
    orders = {"lion": "W BUL I W SER", "eagle": "W SER I A RUM", "boar": "A RUM - BUL"}
    return _wizards(_CIRCLE, orders, "BUL", "SER", "RUM")


def _stopped() -> Scene:
    orders = {"lion": "W BUL I W SER", "eagle": "W SER I A RUM", "boar": "A RUM - SER"}
    return _wizards(_CIRCLE, orders, "BUL", "SER", "RUM")


def _victim() -> Scene:
    units = ("lion W BUL", "eagle A SER", "lion K LON", "eagle K SPA")
    return _wizards(units, {"lion": "W BUL I A SER", "eagle": "A SER - BUL"}, "BUL", "SER", "RUM")


WIZARDS: dict[str, Callable[[], Scene]] = {
    "distant": _distant,
    "circle": _circle,
    "stopped": _stopped,
    "victim": _victim,
}
WHOLE: dict[str, Callable[[], Scene]] = {"map": _map, "position": _start}


def _orders() -> Scene:
    """The crowded phase of the tests, where every centre is its occupant's."""
    shown = crowded()
    held = {province_of(unit.place): unit.power for unit in shown.units}
    marks = tuple(replace(mark, power=held.get(province_of(mark.place), mark.power)) for mark in shown.marks)
    owners, standing = Counter(mark.power for mark in marks), Counter(unit.power for unit in shown.units)
    legend = tuple(
        LegendRow(row.power, (("centres", owners[row.power]), ("units", standing[row.power]))) for row in shown.legend
    )
    fills = dict(shown.fills)
    fills |= {province_of(mark.place): mark.power for mark in marks if mark.power is not None}
    return replace(shown, marks=marks, fills=fills, legend=legend, viewer=None, caption=words("The Congress of Oberon"))


def _standings() -> Chart:
    """The course of a recorded game."""
    world = World(systems)
    game = world.game(world.create(system="diplomacy", name="Vienna", players=7))
    played = json.loads((FOLDER / "diplomacy-victory.json").read_text())
    positions = [played["start"], *(phase["end"] for phase in played["phases"])]
    records = [
        PhaseRecord(game.id, number, "", start, end, {}, (), (), "", NOON, None, NOON, ClosedBecause.DEADLINE)
        for number, (start, end) in enumerate(pairwise(positions), 1)
    ]
    rules = systems[game.system]
    chart = chart_of(rules, game, records, rules.play.status(rules.play.load(positions[-1])).winners)
    assert chart is not None
    return chart


def main() -> None:
    """Write every picture."""
    (IMAGES / "standings.png").write_bytes(render_scene(_standings()))
    (IMAGES / "map-orders.png").write_bytes(render_scene(_orders(), width_px=WHOLE_PX))
    (IMAGES / "map-key.png").write_bytes(render_scene(_orders(), width_px=WHOLE_PX, with_key=True))
    (IMAGES / "map-position.png").write_bytes(render_scene(start(), width_px=WHOLE_PX))
    (IMAGES / "feudal-map.png").write_bytes(render_scene(realm(), width_px=WHOLE_PX))
    (IMAGES / "young-kingdoms.png").write_bytes(render_scene(magic(), width_px=WHOLE_PX))
    for name, make in WHOLE.items():
        (IMAGES / f"kregen-{name}.png").write_bytes(render_scene(make(), width_px=WHOLE_PX))
    for name, make in WIZARDS.items():
        shown = replace(make(), caption=None)
        (IMAGES / f"feudal-wizards-{name}.png").write_bytes(render_scene(shown, width_px=WIDTH_PX))
    for name, make in PICTURES.items():
        shown = replace(make(), caption=None)
        (IMAGES / f"kregen-{name}.png").write_bytes(render_scene(shown, width_px=WIDTH_PX))


if __name__ == "__main__":
    main()
