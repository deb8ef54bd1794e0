"""What a battle leaves: who has fallen, what is spent, damaged and carried off, where everybody stands now.

`FoughtBattle` is what its other consequences depend on too: `conquest` (land) and `plunder` (booty, slaves).
Source: rules 16.2, B22
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.kalevala.battle.ending import RUINED, BattleEnd
from engine.kalevala.battle.magic import zeh_for_triples
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.ruling import ruled
from engine.kalevala.battle.sites import BattleSite, Role
from engine.kalevala.coordinates import Edge, GfId, Province, gf_of
from engine.kalevala.figures import Figures, kind_of
from engine.kalevala.model import Wizard, Work
from engine.kalevala.steps import reigning
from engine.kalevala.steps.magic import MORTAL_ROUNDS, change_wizard, find_wizard, tell_of_lessons
from engine.kalevala.steps.mustering import Muster, on_site
from engine.kalevala.steps.temples import emptied, place_of
from engine.kalevala.tables import BUILDINGS, Group
from engine.kalevala.war.plans import Plan
from engine.kalevala.window import Entering, Window
from engine.kalevala.wizards.spells import SPELLS, is_apprentice, known_of, wizard_item, zeh_of


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """A battle that is over, while what follows from it is carried out.

    Args:
        owners: of the provinces of the site, before the battle.
        plans: of each ruler's armies there, and of no others: some of their people may yet go on from the site.
        there: rulers who had anything on the site, in seat order.
        roles: of those who took part.
        left: those of them who aren't beaten: some of their people still stand. Source: R-101
        is_ruled: a game master has decided how it ends.
    """

    window: Window
    site: BattleSite
    assaults: Sequence[Entering]
    owners: Mapping[Province, PowerId | None]
    plans: Mapping[PowerId, Sequence[Plan]]
    there: Sequence[PowerId]
    end: BattleEnd
    roles: Mapping[PowerId, Role]
    left: frozenset[PowerId]
    is_ruled: bool

    def are_foes(self, one: PowerId, other: PowerId) -> bool:
        """Whether two rulers fought each other."""
        return (one, other) in self.site.foes

    def has_fought(self, ruler: PowerId, holder: PowerId) -> bool:
        """Whether a ruler fought the holder, or attacked the holder's land, which guests held."""
        is_attacked = any(entry.ruler == ruler and self.owners.get(entry.target) == holder for entry in self.assaults)
        return self.are_foes(ruler, holder) or is_attacked


def fight_battle(window: Window, mustered: Muster) -> FoughtBattle:
    """Fight a battle out, or let it end as a game master has ruled. Nothing is booked yet."""
    assert window.dice is not None, "no battle on trial"
    site = mustered.site
    plans: dict[PowerId, list[Plan]] = {army.ruler: [] for army in site.armies}
    for army in site.armies:
        plans[army.ruler].append(army.plan)
    end = fight_out(site, window.dice)
    ruling = window.state.rulings.get(site.id)
    if ruling is not None:
        end = ruled(end, site, ruling)
    roles = {party.ruler: party.role for party in site.parties}
    return FoughtBattle(
        window,
        site,
        mustered.assaults,
        owners={place: window.owners.get(place) for place in site.provinces},
        plans=plans,
        there=on_site(window, site),
        end=end,
        roles=roles,
        left=frozenset(ruler for ruler in roles if _has_people(end, ruler)),
        is_ruled=ruling is not None,
    )


def _has_people(end: BattleEnd, ruler: PowerId) -> bool:
    """Whether a ruler has anybody left on the site who keeps the side from being beaten. Source: R-101"""
    return any(
        each.ruler == ruler and each.cell and kind_of(each.item).group is Group.HUMAN
        and kind_of(each.item).code not in ("Z", "Sl")
        for each in end.living
    )  # fmt: skip


# What is booked


def book_kings(window: Window, end: BattleEnd) -> None:
    """Book lives that kings have lost, and weaknesses that have shown. Source: rules 18.7, R-047"""
    for each in end.kings:
        if window.stack(each.ruler, each.home).get(each.before):
            window.book(each.ruler, each.home, each.before, -1, "battle")
            window.book(each.ruler, each.home, each.after, 1, "battle")
            window.renumber(each.ruler, each.before, each.after)
        if each.has_shown:
            reigning.show(window, each.ruler)


def book_prayers(window: Window, end: BattleEnd) -> None:
    """Book what priests have spent and mystics have gained, including those who fell."""
    for each in end.priests:
        window.book(each.ruler, each.home, each.before, -1, "prayers")
        window.book(each.ruler, each.home, each.after, 1, "prayers")
        window.renumber(each.ruler, each.before, each.after)


def book_artefacts(window: Window, end: BattleEnd) -> None:
    """Who has each artefact now, and where. Ruling KA234"""
    for each in end.artefacts:
        if not window.stack(each.ruler, each.home).get(each.item):
            continue
        if each.holder == each.ruler:
            window.shift(each.ruler, {each.item: 1}, each.home, each.at, is_marked=False)
        else:
            window.book(each.ruler, each.home, each.item, -1, "booty")
            window.book(each.holder, each.at, each.item, 1, "booty")


def book_losses(window: Window, end: BattleEnd) -> None:
    """Who has fallen, and who is a slave now."""
    for (ruler, home, item), count in sorted(end.won.items()):
        window.book(ruler, home, item, count, "slaves")
    for (ruler, home, item), count in sorted(end.dead.items()):
        window.book(ruler, home, item, -count, "battle")


def book_magic(window: Window, end: BattleEnd) -> None:
    """Book what wizards have spent and gained, and lost duels; triples also give ZEH to wizards elsewhere. 19.3"""
    before = {
        ruler: known_of(item) for ruler in window.rulers for _, item in filter(None, (find_wizard(window, ruler),))
    }
    for each in end.wizards:
        change_wizard(window, each.ruler, each.home, each.before, each.after, "magic")
        if each.is_mortal:
            own = window.rulers[each.ruler]
            wizard = replace(own.wizard or Wizard(), mortal=window.gr + MORTAL_ROUNDS + 1)
            window.rulers[each.ruler] = replace(own, wizard=wizard)
    for ruler, count in end.triples.items():
        found = find_wizard(window, ruler)
        if found is not None:
            place, item = found
            known = known_of(item) + (count if is_apprentice(item) else 0)
            after = wizard_item(zeh_for_triples(zeh_of(item), count), min(known, len(SPELLS)))
            change_wizard(window, ruler, place, item, after, "magic")
            if zeh_of(after) > zeh_of(item) and not is_apprentice(item):
                facts = {"rolled": False, "gain": zeh_of(after) - zeh_of(item), "zeh": zeh_of(after)}
                window.tell("sorcery", [ruler], facts, words="sorcery_afar", gf=gf_of(end.course.place), count=count)
    for ruler, known in before.items():
        tell_of_lessons(window, ruler, known)


def book_hits(window: Window, end: BattleEnd) -> None:
    """Works keep the damage they have suffered; ruined ones are gone. Source: rules B12, R-026, R-081, KA77"""
    for (gf, cell, kind), hits in end.hits.items():
        for work in window.land.field(gf).works:
            if (work.cell, work.type) == (cell, kind):
                _damage(window, gf, work, hits)
    for gf, cell, kind in end.hardened:
        works = window.land.field(gf).works
        harder = (replace(work, is_hard=True) if (work.cell, work.type) == (cell, kind) else work for work in works)
        window.set_field(gf, works=tuple(harder))
    for (gf, edge), hits in end.walls.items():
        for work in window.land.field(gf).works:
            if work.type in ("Ma", "Br") and edge.is_same(work.edge):
                _damage(window, gf, work, hits)
    for gf, edge in end.broken:
        _break_gate(window, gf, edge)


def _break_gate(window: Window, gf: GfId, edge: Edge) -> None:
    works = list(window.land.field(gf).works)
    for place, work in enumerate(works):
        is_building = work.type in BUILDINGS and work.cell == edge.cell
        if is_building or (work.type == "Ma" and edge.is_same(work.edge)):
            works[place] = replace(work, broken=(*work.broken, edge))
    window.set_field(gf, works=tuple(works))


def _damage(window: Window, gf: GfId, work: Work, hits: int) -> None:
    place = place_of(window, gf, work)
    owner = None if place is None else window.owners.get(place)
    if hits == RUINED and place is not None and owner is not None:
        work = emptied(window, owner, place, work)
    works = list(window.land.field(gf).works)
    if hits == RUINED:
        works.remove(work)
    else:
        works[works.index(work)] = replace(work, hits=hits, damaged=window.gr)
    window.set_field(gf, works=tuple(works))


def set_down(window: Window, end: BattleEnd) -> None:
    """Each surviving figure is in the province of its field; so are loose animals. Source: R-114"""
    for (ruler, home, at), figures in _moves(window, end).items():
        window.shift(ruler, figures, home, at, is_marked=False)


def _moves(window: Window, end: BattleEnd) -> dict[tuple[PowerId, Province, Province], Figures]:
    found: dict[tuple[PowerId, Province, Province], Counter[str]] = defaultdict(Counter)
    for each in end.living:
        for item in filter(None, (each.item, each.mount)):
            if each.home != each.at:
                found[each.ruler, each.home, each.at][_as_booked(window, each.ruler, each.home, item)] += 1
    for beast in end.loose:
        if beast.home != beast.at:
            found[beast.ruler, beast.home, beast.at][beast.item] += 1
    return {key: dict(figures) for key, figures in found.items()}


def _as_booked(window: Window, ruler: PowerId, home: Province, item: str) -> str:
    """A figure as the stack has it now: triples may have given ZEH to a wizard who had fled before."""
    if kind_of(item).code != "Z":
        return item
    there = window.stack(ruler, home)
    return item if item in there else next(each for each in there if kind_of(each).code == "Z")
