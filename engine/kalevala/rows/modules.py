"""What only games with certain modules have in a document, such as agents, caravans and fiefs. Source: rules 30.1"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core.documents import boolean_of, list_of, mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.agents.facts import Agent, agent_row
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
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import NONE, Figures, read_figures, total
from engine.kalevala.kings.facts import is_king
from engine.kalevala.planes.facts import Portal, portal_row
from engine.kalevala.rows.names import Names
from engine.kalevala.rows.values import cell_of, count_of, decimal_of, given_or
from engine.kalevala.trade.fiefs import Fief, fief_row

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
"""The parts of a position that belong to modules. What isn't read here is kept as it is written."""


def read_modules(position: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """What belongs to modules, except artefacts: agents, caravans, portals and fiefs with their defaults, the rest as
    it is written.
    """
    found = {key: position[key] for key in MODULE_KEYS if position.get(key)}
    if "agents" in found:
        found["agents"] = list(_agents(found["agents"], names))
    if "caravans" in found:
        found["caravans"] = list(_caravans(found["caravans"], names))
    if "portals" in found:
        found["portals"] = [portal_row(portal) for portal in _portals(found["portals"], names)]
    if "fiefs" in found:
        found["fiefs"] = [fief_row(fief) for fief in _fiefs(found["fiefs"], names)]
    for key in ("wars", "allies"):
        _check_pairs(found.get(key, ()), f"state.{key}")
    for ruler, seas in mapping_of(found.get("seas", {}), "state.seas").items():
        list_of(seas, f"state.seas.{ruler}")
    for index, row in enumerate(rows_of(found.get("sites", ()), "state.sites")):
        list_of(given_or(row.get("gf"), ()), f"state.sites[{index}].gf")
    if "archeron" in found:
        found["archeron"] = _archeron(mapping_of(found["archeron"], "state.archeron"))
    for index, row in enumerate(rows_of(found.get("hostages", ()), "state.hostages")):
        _check_hostage(row, names, f"state.hostages[{index}]")
    for index, row in enumerate(rows_of(found.get("mail", ()), "state.mail")):
        _check_letter(row, f"state.mail[{index}]")
    return found


def _check_pairs(rows: Any, where: str) -> None:
    for index, row in enumerate(list_of(rows, where)):
        if len(list_of(row, f"{where}[{index}]")) != len(("who", "whom")):
            raise DocumentError(f"{where}[{index}]", f"{row!r} is no pair of rulers")


def _check_letter(row: Mapping[str, Any], where: str) -> None:
    for key in ("to", "from", "time", "text"):
        if not isinstance(row.get(key), str):
            raise DocumentError(f"{where}.{key}", "is missing")


def _check_hostage(row: Mapping[str, Any], names: Names, where: str) -> None:
    """A king or a court in somebody's hands, each of them rulers who are there. Rulings KA178, KA179"""
    for key in ("ruler", "captor"):
        names.ruler(row.get(key), f"{where}.{key}")
    names.place(given_or(row.get("at"), ""), f"{where}.at")
    figures = read_figures(given_or(row.get("king"), "")) or {}
    if row.get("king") is not None and not (len(figures) == 1 and is_king(next(iter(figures)))):
        raise DocumentError(f"{where}.king", f"{row['king']!r} is no king")


def read_artefacts(
    position: Mapping[str, Any], names: Names, stacks: dict[PowerId, dict[Province, Figures]]
) -> list[dict[str, Any]]:
    """Artefacts with their numbers; one that somebody has is in a stack of his, or put there. Ruling KA230"""
    rows = rows_of(given_or(position.get("things"), ()), "state.things")
    taken = [count_of(row["n"], f"state.things[{at}].n", least=1) for at, row in enumerate(rows) if row.get("n")]
    if len(set(taken)) < len(taken):
        raise DocumentError("state.things", "two have the same number")
    free = (number for number in range(1, len(rows) + len(taken) + 1) if number not in taken)
    found: list[dict[str, Any]] = []
    for at, row in enumerate(rows):
        artefact = _artefact(row, row.get("n") or next(free), names, f"state.things[{at}]")
        if artefact.holder is not None and not _is_borne(artefact.number, position, stacks):
            own = stacks.setdefault(artefact.holder, {})
            own[artefact.at] = total((own.get(artefact.at, NONE), {artefact.item: 1}))
        found.append(artefact_row(artefact))
    return found


def _artefact(row: Mapping[str, Any], number: int, names: Names, where: str) -> Artefact:
    holder, name = row.get("holder"), str(given_or(row.get("name"), ""))
    if not name:
        raise DocumentError(f"{where}.name", "is missing")
    return Artefact(
        number,
        name[:LONGEST_NAME],
        names.place(given_or(row.get("at"), ""), f"{where}.at"),
        None if holder is None else names.ruler(holder, f"{where}.holder"),
        USUAL_CELL if row.get("kf") is None else cell_of(row["kf"], f"{where}.kf"),
        count_of(given_or(row.get("gp"), USUAL_POINTS), f"{where}.gp", most=MOST_POINTS),
        str(given_or(row.get("text"), "")),
        str(given_or(row.get("bearer"), "")),
        frozenset(names.ruler(each, where) for each in list_of(given_or(row.get("seen"), ()), f"{where}.seen")),
    )


def _is_borne(number: int, position: Mapping[str, Any], stacks: Mapping[PowerId, Mapping[Province, Figures]]) -> bool:
    """Whether an artefact is among somebody's figures, an agent's or a caravan's too."""
    figures = [stack for own in stacks.values() for stack in own.values()]
    for key, row in (("group", "agents"), ("load", "caravans")):
        loads = (each.get(key) for each in rows_of(given_or(position.get(row), ()), f"state.{row}"))
        figures += [read_figures(load) or NONE for load in loads if load]
    return any(number in artefacts_of(each) for each in figures)


def _agents(rows: Any, names: Names) -> Iterator[dict[str, Any]]:
    """Agents, each of a ruler who is there, in a province that is there, with a number of his own. Rules 30.1"""
    taken: set[tuple[PowerId, int]] = set()
    for index, row in enumerate(rows_of(rows, "state.agents")):
        if row.get("ruler") is None and row.get("of") is not None:
            yield dict(row)  # what a captor's own view says
            continue
        where = f"state.agents[{index}]"
        agent = _agent(row, names, where)
        if (agent.ruler, agent.number) in taken:
            raise DocumentError(f"{where}.n", f"{agent.ruler} has two agents {agent.number}")
        taken.add((agent.ruler, agent.number))
        yield agent_row(agent)


def _agent(row: Mapping[str, Any], names: Names, where: str) -> Agent:
    ruler = names.ruler(row.get("ruler"), f"{where}.ruler")
    number = count_of(given_or(row.get("n"), 1), f"{where}.n", least=1)
    if row.get("at") is None:
        raise DocumentError(f"{where}.at", "is missing")
    figures = read_figures(given_or(row.get("group"), ""))
    if figures is None:
        raise DocumentError(f"{where}.group", f"{row['group']!r} is no list of figures")
    captor, inside, caravan = row.get("captive"), row.get("in"), row.get("with")
    if caravan is not None and len(list_of(caravan, f"{where}.with")) != len(("ruler", "number")):
        raise DocumentError(f"{where}.with", f"{caravan!r} is no ruler and number of a caravan")
    return Agent(
        ruler=ruler,
        number=number,
        at=names.place(row["at"], f"{where}.at"),
        group=figures,
        money=count_of(given_or(row.get("re"), 0), f"{where}.re"),
        surcharge=count_of(given_or(row.get("er"), 0), f"{where}.er"),
        experience=decimal_of(given_or(row.get("egp"), 0), f"{where}.egp"),
        has_scouted=boolean_of(given_or(row.get("scouted"), False), f"{where}.scouted"),
        is_exposed=boolean_of(given_or(row.get("exposed"), False), f"{where}.exposed"),
        captor=None if captor is None else names.ruler(captor, f"{where}.captive"),
        inside=None if inside is None else cell_of(inside, f"{where}.in"),
        is_cut_off=boolean_of(given_or(row.get("cut_off"), False), f"{where}.cut_off"),
        hidden_in=None
        if caravan is None
        else (names.ruler(caravan[0], f"{where}.with"), count_of(caravan[1], f"{where}.with")),
    )


def _caravans(rows: Any, names: Names) -> Iterator[dict[str, Any]]:
    """Caravans, each of a ruler who is there, within the limits, with a number of its own. Rules 21, 30.1"""
    taken: set[tuple[PowerId, int]] = set()
    for index, row in enumerate(rows_of(rows, "state.caravans")):
        where = f"state.caravans[{index}]"
        at = names.place(given_or(row.get("at"), ""), f"{where}.at")
        if row.get("ruler") is None:
            yield {"at": at, "load": str(row.get("load", ""))}  # of another's, as a view has it
            continue
        ruler = names.ruler(row["ruler"], f"{where}.ruler")
        number = count_of(given_or(row.get("n"), 1), f"{where}.n", least=1)
        if (ruler, number) in taken:
            raise DocumentError(f"{where}.n", f"{ruler} has two caravans {number}")
        taken.add((ruler, number))
        load = read_figures(given_or(row.get("load"), ""))
        if load is None or not is_within_limits(load):
            raise DocumentError(f"{where}.load", f"{row.get('load')!r} is no caravan, of a merchant and 24 REH")
        kind = given_or(row.get("kind"), TRADING)
        if kind not in (TRADING, EXPLORING):
            raise DocumentError(f"{where}.kind", f"{kind!r} is neither {TRADING} nor {EXPLORING}")
        bribed_to = None if row.get(BRIBED) is None else names.place(row[BRIBED], f"{where}.{BRIBED}")
        yield caravan_row(Caravan(ruler, number, at, load, kind, bool(row.get("moved")), bribed_to))


def _portals(rows: Any, names: Names) -> Iterator[Portal]:
    """Portals, one for a ruler who is there, on the sites of the map. Source: rules 14.2, ruling KA200"""
    taken: set[PowerId] = set()
    for index, row in enumerate(rows_of(rows, "state.portals")):
        where = f"state.portals[{index}]"
        ruler = names.ruler(row.get("ruler"), f"{where}.ruler")
        if ruler in taken:
            raise DocumentError(f"{where}.ruler", f"{ruler} has two portals")
        taken.add(ruler)
        at = names.place(given_or(row.get("at"), ""), f"{where}.at")
        to = names.once_called(str(given_or(row.get("to"), "")), f"{where}.to")
        yield Portal(ruler, at, gf_of(to), bool(row.get("whole")))


def _fiefs(rows: Any, names: Names) -> Iterator[Fief]:
    """Fiefs between rulers who are there. Source: rules 21"""
    for index, row in enumerate(rows_of(rows, "state.fiefs")):
        where = f"state.fiefs[{index}]"
        yield Fief(
            gf=names.once_called(str(given_or(row.get("gf"), "")), f"{where}.gf"),
            giver=names.ruler(row.get("giver"), f"{where}.giver"),
            holder=names.ruler(row.get("holder"), f"{where}.holder"),
            until=count_of(given_or(row.get("until"), 0), f"{where}.until"),
            is_entered=boolean_of(given_or(row.get("entered"), False), f"{where}.entered"),
            is_open=boolean_of(given_or(row.get("open"), False), f"{where}.open"),
        )


def _archeron(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The auras and seats of a document: which field, and whose. Source: rules 30.1"""
    found = {key: mapping_of(value, f"state.archeron.{key}") for key, value in row.items() if value is not None}
    for number in found.get("gf", ()):
        if not (number.isdecimal() and len(number) < 5):
            raise DocumentError(f"state.archeron.gf.{number}", "is no number of a field")
    for ruler, seat in found.get("seats", {}).items():
        count_of(seat, f"state.archeron.seats.{ruler}")
    return found
