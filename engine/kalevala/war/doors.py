"""Battle plans as commands: a picture of who would stand where, a plan to begin with, and a trial.

Source: rules 15.4, 32
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.blocks import in_block, in_blocks
from engine.core.doors import Door, DoorForm, Doubt, Page
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.example_places import at_home
from engine.kalevala.figures import Figures, kind_of, parse_figures
from engine.kalevala.model import DEEDS_PART, PLAIN, View
from engine.kalevala.orders import Enter, Line
from engine.kalevala.sheet import is_asked
from engine.kalevala.steps.entering import WAR
from engine.kalevala.tables import BUILDINGS
from engine.kalevala.telling import pictures, tale
from engine.kalevala.war import room as war_room
from engine.kalevala.war.guide import PLAN
from engine.kalevala.war.parse import opens_block
from engine.kalevala.war.plans import ALL, DEFEND, HOLD, KILL, Block, BlockOpening, Planned


def is_open(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether battles can be planned now."""
    return is_asked(view) and view.state.part == DEEDS_PART


def is_of_plan(line: Line) -> bool:
    """Whether a line belongs to a plan of battle."""
    return isinstance(line.order, BlockOpening | Planned)


def places(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    """The provinces that are attacked, then the ruler's own."""
    return tuple(Choice(place, place) for place in war_room.own_battles(view, orders))


def _site(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> BattleSite | Doubt:
    """The battle that the options ask for: the one at the place named, else the first that there could be."""
    written, text = given.get("place", ""), given.get("enemy", "")
    known = war_room.own_battles(view, orders)
    named = [place for place in known if place.casefold() == written.casefold()]
    if written and not named:
        return Doubt(phrase("door.wartrial.nowhere", place=written), written, known)
    enemy: Figures | None = None
    if text:
        enemy = parse_figures(text)
        if not enemy or not any(kind_of(item).is_warrior for item in enemy):
            return Doubt(phrase("door.wartrial.unread", words=text), "", ())
    for place in named or known:
        site = war_room.site_at(view, orders, place, enemy)
        if site is not None:
            return site
    if enemy and named:
        return Doubt(phrase("door.wartrial.nobody_fights", place=named[0]), "", ())
    return Doubt(phrase("door.wartrial.nobody_there"), "", ())


def _show(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> Page | Doubt:
    """Who would stand where, and the lines of the plan."""
    site = _site(view, orders, given)
    if isinstance(site, Doubt):
        return site
    stands = tuple(war_room.stands_of(site))
    title = phrase("battle.plan", time=view.state.time)
    lines = tuple(
        phrase(
            "battle.planned",
            ruler=party.ruler,
            stands=tuple(f"{each.figures} ({each.at})" for each in stands if each.ruler == party.ruler),
        )
        for party in site.parties
    )
    first = site.armies[0].ruler
    picture = pictures.plan(view, war_room.fields_of(site), first, stands, title, lines)
    plan = _standing(orders)
    listed = ((phrase("battle.plan_lines"), plan),) if plan else ()
    return Page(
        lines=(
            *lines,
            *_by_proxy(view, site, given),
            *_goes_on(orders, site),
            *(() if plan else (phrase("battle.by_default"),)),
        ),
        listed=listed,
        picture=picture,
        alt=lines,
    )


def _try(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> Page | Doubt:
    """How often the plan succeeds, and what it costs."""
    site = _site(view, orders, given)
    if isinstance(site, Doubt):
        return site
    if not war_room.battles_for(site) or view.viewer is None:
        return Doubt(phrase("door.wartrial.too_many"), "", ())
    trial = war_room.try_out(site, view.viewer)
    lines: list[Phrase] = [
        phrase(
            "battle.chances",
            battles=trial.battles,
            wins=_percent(trial.wins, trial.battles),
            defeats=_percent(trial.defeats, trial.battles),
            rest=_percent(trial.battles - trial.wins - trial.defeats, trial.battles),
        ),
        phrase(
            "battle.prices",
            rounds=f"{trial.rounds:.1f}",
            lost=round(100 * trial.lost),
            killed=round(100 * trial.killed),
        ),
        *_by_proxy(view, site, given),
        *_goes_on(orders, site),
        phrase("battle.guess"),
        phrase("battle.usual"),
        *tale.story(trial.usual),
    ]
    return Page(lines=tuple(lines))


def _by_proxy(view: View, site: BattleSite, given: Mapping[str, str]) -> Iterator[Phrase]:
    """That an enemy who was only described has another ruler's name for want of his own."""
    proxy = war_room.stand_in(view, site.place) if given.get("enemy") else None
    if proxy is not None:
        yield phrase("battle.stand_in", ruler=proxy)


def _goes_on(orders: Sequence[Line], site: BattleSite) -> Iterator[Phrase]:
    """Says that another battle comes before this one, and is assumed to be won without losses."""
    earlier = war_room.earlier_battles(orders, site.place)
    if earlier:
        yield phrase("battle.goes_on", places=earlier)


def _percent(count: int, total: int) -> int:
    return round(100 * count / total)


def _lines(view: View, orders: Sequence[Line]) -> str:
    """The plans in the sheet, else the standing defences, and plans to begin with for attacks, or if there are none."""
    if not is_open(view):
        return ""
    kept = tuple(_kept(view))
    attacks = any(isinstance(line.order, Enter) and line.order.kind == WAR for line in orders)
    begun = war_room.sensible(view, orders) if attacks or not kept else ()
    return "\n".join(_standing(orders) or (*kept, *begun))


def _kept(view: View) -> Iterator[str]:
    """The standing defences of land where the viewer still has figures, as blocks."""
    if view.viewer is None:
        return
    for at, text in view.state.rulers[view.viewer].defend.items():
        if view.state.stack(view.viewer, Province(at)):
            yield from (str(Block(DEFEND, Province(at))), *text.splitlines(), "END")


def _standing(orders: Sequence[Line]) -> tuple[str, ...]:
    """The plans in the sheet, as written there."""
    return tuple(in_blocks([line.canonical for line in orders if is_of_plan(line)], opens_block))


def single_lines(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    """Lines that could be added to a plan, each by itself."""
    return tuple(Choice(line, line) for line in _single(view, orders)) if is_open(view) else ()


def _single(view: View, orders: Sequence[Line]) -> Iterator[str]:
    attacks = [line.order for line in orders if isinstance(line.order, Enter) and line.order.kind == WAR]
    for order in attacks:
        head = f"BATTLE {order.source}"
        for what in (
            "AIM ALL TAKE HZ",
            f"AIM {ALL} {KILL}",
            f"AIM {ALL} {HOLD}",
            "AIM ALL RESERVE 3",
            "AIM ALL STORM",
            "AIM ALL SIEGE",
            "PLUNDER RE",
            "RAZE",
            "FLEE",
        ):
            yield in_block(head, what)
    if view.viewer is not None:
        for place in view.state.owned(view.viewer):
            for what in (f"AIM {ALL} {HOLD}", f"AIM {ALL} GUARD", f"AIM {ALL} {KILL}", "FLEE"):
                yield in_block(f"DEFEND {place}", what)
            for work in view.state.land.get(gf_of(place), PLAIN).works:
                if work.type in BUILDINGS and work.cell is not None:
                    yield in_block(f"DEFEND {place}", f"PLACE {work.cell}+1 4B")
                    yield in_block(f"DEFEND {place}", f"PLACE {work.cell}+0 4L")
                    for gate in work.gates:
                        yield in_block(f"DEFEND {place}", f"GATE {gate} OPEN KR 4")


def _briefing(view: View) -> Phrase | None:
    """Shown if scouts have seen somebody whom the ruler could fight."""
    if not is_open(view) or view.viewer is None:
        return None
    rows = view.state.explored.get(view.viewer, ())
    seen = [row.target for row in rows if any(ruler != view.viewer for ruler in view.state.present(row.target))]
    return phrase("door.warplan.briefing", places=tuple(dict.fromkeys(map(Province, seen)))) if seen else None


def _sensible(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    """A sensible plan for the battles in the sheet, or for the one named."""
    written = given.get("place", "").casefold()
    camps = war_room.camps(view, orders)
    known = tuple(choice.value for choice in _planned_places(view, orders))
    named = [camp for camp in camps if written in map(str.casefold, (camp.at, *camp.against))]
    if written and not named:
        return Doubt(phrase("door.warsense.nobody_goes", place=given["place"]), given["place"], known)
    if not camps:
        return Doubt(phrase("door.warsense.nobody"), "", ())
    lines = () if named else tuple(war_room.sensible(view, orders))
    return "\n".join(lines or (line for camp in named or camps for line in war_room.sensible_block(view, camp)))


def _planned_places(view: View, orders: Sequence[Line]) -> tuple[Choice, ...]:
    """The provinces that plans can be for: those under attack, and the ruler's own with warriors."""
    camps = war_room.camps(view, orders)
    known = dict.fromkeys(place for camp in camps for place in (*camp.against, camp.at))
    return tuple(Choice(place, place) for place in known)


def _is_guided(view: View, orders: Sequence[Line] = ()) -> bool:
    return is_open(view) and bool(war_room.camps(view, orders))


WAR_DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.WAR_PLAN,
        completions={"place": places},
        answer=_show,
        is_open=is_open,
        briefing=_briefing,
    ),
    Door(
        info=commands.WAR_SENSIBLE,
        completions={"place": _planned_places},
        order=_sensible,
        is_open=is_open,
        is_at_once=True,
    ),
    Door(
        info=commands.WAR_GUIDE,
        completions={"line": single_lines},
        is_open=_is_guided,
        path=lambda view: (PLAN,) if _is_guided(view) else (),
    ),
    Door(
        info=commands.WAR_WRITE,
        completions={"line": single_lines},
        is_open=is_open,
        form=DoorForm(text=_lines, replaces=is_of_plan, example=lambda view: at_home("2D+4", view)),
    ),
    Door(
        info=commands.WAR_TRIAL,
        completions={"place": places},
        answer=_try,
        is_open=is_open,
    ),
)
