"""P4: battles are fought, and what follows: land, booty, plunder, slaves. Source: rules 5.2, 16.2, B22 to B25"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.battle.course import TWELVE, course_to_json
from engine.kalevala.battle.ending import RUINED, BattleEnd
from engine.kalevala.battle.magic import zeh_for_triples
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.ruling import ruled
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import Edge, GfId, Province, coordinate_of, gf_of, order_of
from engine.kalevala.figures import Figures, format_figures, kind_of, price_of, warriors, without_numbers
from engine.kalevala.model import Wizard, Work
from engine.kalevala.priests.facts import is_temple
from engine.kalevala.steps import ambushes, archeron, entries, fleets, reigning
from engine.kalevala.steps.dividing import divide, reunite
from engine.kalevala.steps.entries import assaults, take_booty
from engine.kalevala.steps.magic import MORTAL_ROUNDS, change_wizard, find_wizard, is_mortal
from engine.kalevala.steps.mustering import Muster, is_from_beyond, muster, on_site
from engine.kalevala.steps.quarrels import muster_quarrel, quarrels
from engine.kalevala.steps.sailing import crosses_water
from engine.kalevala.steps.temples import desecrate, emptied, place_of, treasuries
from engine.kalevala.tables import BUILDINGS, KINDS, Group
from engine.kalevala.war.plans import LAST_ROUND, SLAVE, Plan
from engine.kalevala.wizards.spells import SPELLS, is_apprentice, known_of, wizard_item, zeh_of
from engine.kalevala.working import Entering, Round, purpose
from engine.lattice.great_fields import distance

_MOST_RAZING = 4


def fight(round_: Round) -> None:
    """Contestants at war, then all attacks on land in which somebody stands, as battles, in order."""
    if round_.dice is None:
        return
    for place in quarrels(round_):
        _fight_over(round_, place)
    waiting = {(entry.ruler, entry.order.ee) for entry in assaults(round_)}
    while waiting:
        # A battle may divide a great field anew, so the others are mustered by the present names of its parts.
        first = muster(round_, [entry for entry in round_.entering if (entry.ruler, entry.order.ee) in waiting])[0]
        _Battle(round_, first).carry_out()
        waiting -= {(entry.ruler, entry.order.ee) for entry in first.assaults}
    _follow_up(round_)


def _fight_over(round_: Round, place: Province) -> None:
    """Contestants at war fight over what they contest; who is beaten has entered it in vain. Source: R-041, KA275"""
    battle = _Battle(round_, muster_quarrel(round_, place))
    battle.carry_out()
    for entry in round_.entering:
        if entry.target == place and entry.ruler in battle.roles.keys() - battle.left:
            round_.fail(entry.ruler, entry.line, "beaten", place=place)


def march_on(round_: Round) -> None:
    """Entries that start where other entries brought their figures; they may lead to battles too. Ruling KA19"""
    entries.march_on(round_, fight)


def void_plans(round_: Round) -> None:
    """BATTLE blocks for a province where there was none. Source: rules 33.1"""
    if round_.dice is None:
        return
    for ruler, own in round_.planned.items():
        for place, lines in own.items():
            for line in lines:
                if place not in round_.fought | round_.sailed_from and not round_.is_refused(ruler, line):
                    round_.void(ruler, line, "V02", place=place)


def join_parts(round_: Round) -> None:
    """Parts of a divided field that one ruler holds again become one province."""
    if round_.dice is not None:
        reunite(round_)


class _Battle:
    """One battle, and what it changes."""

    def __init__(self, round_: Round, mustered: Muster) -> None:
        assert round_.dice is not None, "no battle on trial"
        self.round = round_
        self.site: BattleSite = mustered.site
        self.assaults = mustered.assaults
        self.owners = {place: round_.owners.get(place) for place in self.site.provinces}
        # Not those for other provinces of the site: some of the ruler's people may yet go on from there.
        self.plans: dict[PowerId, list[Plan]] = defaultdict(list)
        for army in self.site.armies:
            self.plans[army.ruler].append(army.plan)
        self.there = on_site(round_, self.site)
        self.end: BattleEnd = fight_out(self.site, round_.dice)
        ruling = round_.state.rulings.get(self.site.id)
        self.is_ruled = ruling is not None
        if ruling is not None:
            self.end = ruled(self.end, self.site, ruling)
        self.roles = {party.ruler: party.role for party in self.site.parties}
        self.left = {ruler for ruler in self.roles if self._people(ruler)}

    def carry_out(self) -> None:
        """Book the losses, the places of figures, the owners of land and the booty, and report it all."""
        self.round.fought.update(self.site.provinces)
        self.round.sailed_from.update(entry.source for entry in self.assaults if is_from_beyond(self.round, entry))
        fleets.unlade(self.round, self.site.armies)
        ambushes.come_out(self.round, self.end)
        already, self.booked = len(self.round.events), len(self.round.entries)
        self._book_kings()
        self._book_prayers()
        archeron.come_home(self.round, self.end.gods)
        self.round.heard.update(self.end.heard)
        archeron.lose_spots(self.round, self.end.spots_taken)
        self._book_artefacts()
        self._book_losses()
        self._book_magic()
        self._book_hits()
        self._set_down()
        ambushes.go_in(self.round, self.end)
        ambushes.part(self.round, self.site, self.end)
        losers = self._conquer() if self.end.course.end != TWELVE else self._divide()
        self._desecrate()
        fleets.settle(self.round, self.end.vessels, self.assaults, self.left, self.end.course.winner)
        self._enslave()
        for entry in self.assaults:
            entries.rename(self.round, entry)
        self._judge()
        follows = self.round.events[already:]
        del self.round.events[already:]
        self._tell(losers)
        self.round.events += follows

    def _people(self, ruler: PowerId) -> bool:
        """Whether a ruler has anybody left on the site who keeps the side from being beaten. Source: R-101"""
        return any(
            each.ruler == ruler and each.cell and kind_of(each.item).group is Group.HUMAN
            and kind_of(each.item).code not in ("Z", "Sl")
            for each in self.end.living
        )  # fmt: skip

    def are_foes(self, one: PowerId, other: PowerId) -> bool:
        """Whether two rulers fought each other."""
        return (one, other) in self.site.foes

    # Figures

    def _book_prayers(self) -> None:
        """Book what priests have spent and mystics have gained, including those who fell."""
        for each in self.end.priests:
            self.round.book(each.ruler, each.home, each.before, -1, "prayers")
            self.round.book(each.ruler, each.home, each.after, 1, "prayers")

    def _book_artefacts(self) -> None:
        """Who has each artefact now, and where. Ruling KA234"""
        for each in self.end.artefacts:
            if not self.round.stack(each.ruler, each.home).get(each.item):
                continue
            if each.holder == each.ruler:
                self.round.shift(each.ruler, {each.item: 1}, each.home, each.at, is_marked=False)
            else:
                self.round.book(each.ruler, each.home, each.item, -1, "booty")
                self.round.book(each.holder, each.at, each.item, 1, "booty")

    def _book_losses(self) -> None:
        for (ruler, home, item), count in sorted(self.end.won.items()):
            self.round.book(ruler, home, item, count, "slaves")
        for (ruler, home, item), count in sorted(self.end.dead.items()):
            self.round.book(ruler, home, item, -count, "battle")

    def _book_magic(self) -> None:
        """Book what wizards have spent and gained, and lost duels; triples also give ZEH to wizards elsewhere. 19.3"""
        round_ = self.round
        for each in self.end.wizards:
            change_wizard(round_, each.ruler, each.home, each.before, each.after, "magic")
            if each.is_mortal:
                own = round_.rulers[each.ruler]
                wizard = replace(own.wizard or Wizard(), mortal=round_.gr + MORTAL_ROUNDS + 1)
                round_.rulers[each.ruler] = replace(own, wizard=wizard)
        for ruler, count in self.end.triples.items():
            found = find_wizard(round_, ruler)
            if found is not None:
                place, item = found
                known = known_of(item) + (count if is_apprentice(item) else 0)
                after = wizard_item(zeh_for_triples(zeh_of(item), count), min(known, len(SPELLS)))
                change_wizard(round_, ruler, place, item, after, "magic")

    def _book_kings(self) -> None:
        """Book lives that kings have lost, and weaknesses that have shown. Source: rules 18.7, R-047"""
        for each in self.end.kings:
            if self.round.stack(each.ruler, each.home).get(each.before):
                self.round.book(each.ruler, each.home, each.before, -1, "battle")
                self.round.book(each.ruler, each.home, each.after, 1, "battle")
            if each.has_shown:
                reigning.show(self.round, each.ruler)

    def _book_hits(self) -> None:
        """Works keep the damage they have suffered; ruined ones are gone. Source: rules B12, R-026, R-081, KA77"""
        for (gf, cell, kind), hits in self.end.hits.items():
            for work in self.round.land.field(gf).works:
                if (work.cell, work.type) == (cell, kind):
                    self._damage(gf, work, hits)
        for gf, cell, kind in self.end.hardened:
            works = self.round.land.field(gf).works
            harder = (replace(work, is_hard=True) if (work.cell, work.type) == (cell, kind) else work for work in works)
            self.round.set_field(gf, works=tuple(harder))
        for (gf, edge), hits in self.end.walls.items():
            for work in self.round.land.field(gf).works:
                if work.type in ("Ma", "Br") and edge.is_same(work.edge):
                    self._damage(gf, work, hits)
        for gf, edge in self.end.broken:
            self._break_gate(gf, edge)

    def _break_gate(self, gf: GfId, edge: Edge) -> None:
        works = list(self.round.land.field(gf).works)
        for place, work in enumerate(works):
            is_building = work.type in BUILDINGS and work.cell == edge.cell
            if is_building or (work.type == "Ma" and edge.is_same(work.edge)):
                works[place] = replace(work, broken=(*work.broken, edge))
        self.round.set_field(gf, works=tuple(works))

    def _damage(self, gf: GfId, work: Work, hits: int) -> None:
        place = place_of(self.round, gf, work)
        owner = None if place is None else self.round.owners.get(place)
        if hits == RUINED and place is not None and owner is not None:
            work = emptied(self.round, owner, place, work)
        works = list(self.round.land.field(gf).works)
        if hits == RUINED:
            works.remove(work)
        else:
            works[works.index(work)] = replace(work, hits=hits, damaged=self.round.gr)
        self.round.set_field(gf, works=tuple(works))

    def _set_down(self) -> None:
        """Each surviving figure is in the province of its field; so are loose animals. Source: R-114"""
        for (ruler, home, at), figures in self._moves().items():
            self.round.shift(ruler, figures, home, at, is_marked=False)

    def _moves(self) -> dict[tuple[PowerId, Province, Province], Figures]:
        found: dict[tuple[PowerId, Province, Province], Counter[str]] = defaultdict(Counter)
        for each in self.end.living:
            for item in filter(None, (each.item, each.mount)):
                if each.home != each.at:
                    found[each.ruler, each.home, each.at][self._as_booked(each.ruler, each.home, item)] += 1
        for beast in self.end.loose:
            if beast.home != beast.at:
                found[beast.ruler, beast.home, beast.at][beast.item] += 1
        return {key: dict(figures) for key, figures in found.items()}

    def _as_booked(self, ruler: PowerId, home: Province, item: str) -> str:
        """A figure as the stack has it now: triples may have given ZEH to a wizard who had fled before."""
        if kind_of(item).code != "Z":
            return item
        there = self.round.stack(ruler, home)
        return item if item in there else next(each for each in there if kind_of(each).code == "Z")

    # Land

    def _conquer(self) -> list[Province]:
        """The side that is left takes all land of the beaten. Returns what changed hands. Source: rules B25, R-101"""
        taken = []
        for place in self.site.provinces:
            owner = self.owners[place]
            candidates = self._candidates(place, owner)
            if candidates:
                self._take(place, self._best(place, candidates))
                taken.append(place)
            elif place in self.round.contested:
                self._send_wizards_home(place)
        self._list_sites()
        for entry in self.assaults:
            self._bring_goods(entry)
        for ruler in self.there:
            if ruler not in self.left:
                self._lose_rest(ruler)
        return taken

    def _candidates(self, place: Province, owner: PowerId | None) -> list[PowerId]:
        """Who could take a province: remaining rulers who fought its owner, if the owner is beaten."""
        holders = [owner] if owner is not None else list(self.round.contested.get(place, ()))
        if not holders or any(holder in self.left for holder in holders):
            return []
        return [
            party.ruler
            for party in self.site.parties
            if party.ruler in self.left and any(self._fought(party.ruler, holder) for holder in holders)
        ]

    def _fought(self, ruler: PowerId, holder: PowerId) -> bool:
        """Whether a ruler fought the holder, or attacked the holder's land, which guests held."""
        is_attacked = any(entry.ruler == ruler and self.owners.get(entry.target) == holder for entry in self.assaults)
        return self.are_foes(ruler, holder) or is_attacked

    def _best(self, place: Province, rulers: list[PowerId]) -> PowerId:
        """The ruler on the field of the trade centre, else the one whose figures in the great field cost most. R-101"""
        holder = self.end.holders.get(place)
        if holder in rulers:
            return holder

        def price(ruler: PowerId, where: Province | None) -> int:
            return sum(
                price_of(each.item)
                for each in self.end.living
                if each.ruler == ruler and each.cell and where in (None, each.at)
            )

        return max(rulers, key=lambda ruler: (price(ruler, place), price(ruler, None), -rulers.index(ruler)))

    def _take(self, place: Province, ruler: PowerId) -> None:
        """A province changes hands, with everything that the beaten have there."""
        round_ = self.round
        owner = round_.owners.get(place)
        round_.contested.pop(place, None)
        round_.owners[place] = ruler
        if owner is not None:
            round_.newly.get(owner, {}).pop(place, None)
            round_.watch.get(owner, {}).pop(place, None)
            round_.known.setdefault(owner, set()).add(place)
        self._send_wizards_home(place)
        for name in list(round_.stacks):
            if name != ruler and name not in self.left and (name in self.roles or name == owner):
                take_booty(round_, name, ruler, place)
        self._sack(place, ruler, owner)
        if any(plan.sacks_palace for plan in self.plans[ruler]):
            reigning.sack(round_, place, ruler, owner)

    def _send_wizards_home(self, place: Province) -> None:
        """The wizards of the beaten go to their nearest own province; a mortal one falls. Source: R-101, rules 19.7"""
        round_ = self.round
        for ruler in list(round_.stacks):
            wizards = {item: count for item, count in round_.stack(ruler, place).items() if kind_of(item).code == "Z"}
            if not wizards or ruler not in self.roles.keys() - self.left or ruler == round_.owners.get(place):
                continue
            homes = [home for home in round_.owned(ruler) if home not in self.site.provinces] or round_.owned(ruler)
            if not homes or is_mortal(round_, ruler):
                for item, count in wizards.items():
                    round_.book(ruler, place, item, -count, "battle")
            else:
                home = min(homes, key=lambda home: (_steps(place, home), order_of(home)))
                round_.shift(ruler, wizards, place, home, is_marked=False)

    def _lose_rest(self, ruler: PowerId) -> None:
        """What a beaten ruler has on others' land falls to the holder of that land."""
        for place in self.site.provinces:
            owner = self.round.owners.get(place)
            if owner is not None and owner != ruler and owner in self.left and self.are_foes(ruler, owner):
                self._send_wizards_home(place)
                take_booty(self.round, ruler, owner, place)

    def _bring_goods(self, entry: Entering) -> None:
        """What an attack carried is brought along if it took the land and some of its people stand there.

        Source: ruling KA42
        """
        ruler, round_ = entry.ruler, self.round
        if crosses_water(entry.order):
            return
        if round_.owners.get(entry.target) != ruler or not warriors(round_.stack(ruler, entry.target)):
            return
        board = {item for army in self.site.armies for item in army.figures if kind_of(item).group is not Group.GEAR}
        board |= {each.item for each in self.end.course.start}
        goods = {
            item: min(count, round_.stack(ruler, entry.source).get(item, 0))
            for item, count in entry.order.figures
            if item not in board
        }
        goods = {item: count for item, count in goods.items() if count}
        if goods:
            round_.shift(ruler, goods, entry.source, entry.target, is_marked=False)

    def _list_sites(self) -> None:
        """Note the land over which SPREAD may spread figures. Source: R-088"""
        rows = list(self.round.modules.get("sites", ()))
        for ruler in sorted(self.left):
            own = [place for place in self.site.provinces if self.round.owners.get(place) == ruler]
            if any(self.owners[place] != ruler for place in own):
                rows.append({"winner": ruler, "gf": [str(place) for place in own], "gr": self.round.gr})
        self.round.modules = {**self.round.modules, "sites": rows}

    def _divide(self) -> list[Province]:
        """After the last round land goes to the side that is alone on it, or is divided among enemies.

        Source: rules B25
        """
        taken = []
        for place in self.site.provinces:
            owner = self.owners[place]
            if self.round.land.is_sea(place):
                continue
            here = [party.ruler for party in self.site.parties if self._stands(party.ruler, place)]
            strangers = [ruler for ruler in here if self._is_hostile(ruler, place, owner)]
            if not strangers:
                continue
            if len(strangers) == len(here) and not any(self.are_foes(one, other) for one in here for other in here):
                self._take(place, self._best(place, strangers))
                taken.append(place)
            elif self._split(place, owner, here):
                taken.append(place)
        for entry in self.assaults:
            self._bring_goods(entry)
        return taken

    def _stands(self, ruler: PowerId, place: Province) -> bool:
        return any(
            each.ruler == ruler and each.at == place and each.cell and kind_of(each.item).group is Group.HUMAN
            for each in self.end.living
        )

    def _is_hostile(self, ruler: PowerId, place: Province, owner: PowerId | None) -> bool:
        if owner is None:
            return ruler not in self.round.contested.get(place, ())
        return ruler != owner and self._fought(ruler, owner)

    def _split(self, place: Province, owner: PowerId | None, here: list[PowerId]) -> bool:
        """Each small field goes to the nearest figure's side; that of the trade centre to whoever was last on it.

        A side that was last on it but has nobody left in the province doesn't get it. Source: rules B25, ruling KA67
        """
        round_ = self.round
        cells = round_.land.cells(place)
        claims: dict[int, PowerId] = {}
        for each in self.end.living:
            if each.at == place and each.cell and kind_of(each.item).group is Group.HUMAN:
                claims[each.cell] = each.ruler if owner is None or self._fought(each.ruler, owner) else owner
        order = [*([owner] if owner is not None else []), *here]
        of_cell = {
            cell: claims[min(claims, key=lambda at: (distance(cell, at), order.index(claims[at]), at))]
            for cell in sorted(cells)
        }
        centre = round_.land.centre(place)
        holder = self.end.holders.get(place)
        if centre is not None and centre.cell in of_cell and holder is not None:
            keeper = holder if owner is None or self._fought(holder, owner) else owner
            if keeper in order:
                of_cell[centre.cell] = keeper
        sides = sorted(set(of_cell.values()), key=order.index)
        if len(sides) < 2:
            if sides[0] != owner:
                self._take(place, sides[0])
            return sides[0] != owner
        self._make_parts(place, of_cell, sides)
        return True

    def _make_parts(self, place: Province, of_cell: Mapping[int, PowerId], sides: list[PowerId]) -> None:
        """The parts become provinces; figures and what lies there go with the fields."""
        round_ = self.round
        gf = gf_of(place)
        others = [cells for each in round_.land.provinces(gf) if each != place
                  for cells in (round_.land.cells(each),)]  # fmt: skip
        parts = {ruler: frozenset(cell for cell, whose in of_cell.items() if whose == ruler) for ruler in sides}
        stacks = {ruler: dict(round_.stack(ruler, place)) for ruler in round_.stacks if round_.stack(ruler, place)}
        for ruler, figures in stacks.items():
            for item, count in figures.items():
                round_.put(ruler, place, item, -count)
        owner = round_.owners.pop(place, None)
        contestants = round_.contested.pop(place, ())
        defences = {ruler: own.defend[place] for ruler, own in round_.rulers.items() if place in own.defend}
        divide(round_, gf, [*others, *parts.values()])
        new = {ruler: round_.land.at(gf, min(cells)) for ruler, cells in parts.items()}
        for ruler, part in new.items():
            assert part is not None, "a part of the field"
            round_.owners[part] = ruler
            if owner is not None and ruler != owner:
                round_.known.setdefault(owner, set()).add(part)
        for ruler, figures in stacks.items():
            self._lay_down(ruler, place, figures, of_cell, new, owner)
        self._move_defences(defences, new)
        self._take_what_lies(place, of_cell, new)
        if contestants and owner is None:
            round_.watch.get(contestants[0], {}).pop(place, None)

    def _move_defences(self, defences: Mapping[PowerId, str], new: Mapping[PowerId, Province | None]) -> None:
        """A standing defence goes with its ruler's part; a ruler with no part here any more has none to defend."""
        for ruler, text in defences.items():
            own = self.round.rulers[ruler]
            kept = {at: each for at, each in own.defend.items() if at not in new.values()}
            part = new.get(ruler)
            self.round.rulers[ruler] = replace(own, defend=kept if part is None else {**kept, part: text})

    def _lay_down(
        self,
        ruler: PowerId,
        place: Province,
        figures: Mapping[str, int],
        of_cell: Mapping[int, PowerId],
        new: Mapping[PowerId, Province | None],
        owner: PowerId | None,
    ) -> None:
        """All figures move into their ruler's part, else that of their side; so do goods. Source: rules B25"""
        claims = [
            of_cell.get(each.cell) for each in self.end.living if each.ruler == ruler and each.at == place and each.cell
        ]
        side = ruler if ruler in new else next((each for each in claims if each in new), owner)
        part = new.get(side) if side is not None else None
        if part is None:
            part = next(each for each in new.values() if each is not None)
        for item, count in figures.items():
            self.round.put(ruler, part, item, count)

    def _take_what_lies(
        self, place: Province, of_cell: Mapping[int, PowerId], new: Mapping[PowerId, Province | None]
    ) -> None:
        """RE, gear and riderless animals lie on the field of the trade centre, else where the first figures stood.

        They fall to the side that has that field now. Source: rules B22, ruling KA61
        """
        centre = next((self.site.ground.places[kf][1] for at, kf in self.site.ground.centres.items() if at == place), 0)
        board = {item for army in self.site.armies for item in army.figures}
        for ruler, part in new.items():
            if part is None:
                continue
            gf = gf_of(place)
            first = (each.at.cell for each in self.end.course.start if each.ruler == ruler and each.at.gf == gf)
            cell = centre or next(first, 0)
            keeper = of_cell.get(cell, ruler)
            if not self.are_foes(ruler, keeper):
                continue
            for item, count in list(self.round.stack(ruler, part).items()):
                if item not in board:
                    self.round.book(ruler, part, item, -count, "booty")
                    self.round.book(keeper, new[keeper] or part, item, count, "booty")

    # Plunder

    def _sack(self, place: Province, ruler: PowerId, owner: PowerId | None) -> None:
        """PLUNDER and RAZE, if enough rounds are left. Source: rules B23"""
        round_ = self.round
        self._plunder_temples(place, ruler, owner)
        centre = round_.centre(place)
        men = warriors(round_.stack(ruler, place))
        if centre is None or not men:
            return
        plans = self.plans[ruler]
        held = self.end.held.get(place, 0) if self.end.holders.get(place) == ruler else 0
        is_won = self.end.course.end != TWELVE
        rounds = held + (LAST_ROUND - self.end.course.length if is_won else 0)
        loot = next((plan.plunders for plan in plans if plan.plunders), "")
        loot = SLAVE if loot and any(plan.enslaves for plan in plans) else loot
        if loot and rounds >= 1 and centre.plundered != round_.gr:
            self._plunder(place, ruler, owner, loot, centre.centre.arming)
        if any(plan.razes for plan in plans) and rounds >= max(1, _MOST_RAZING - men // 4):
            round_.set_centre(place, is_founded=False)
            round_.tell("razed", self._concerned(owner, ruler), {"gf": place}, place=place, ruler=ruler)

    def _plunder(self, place: Province, ruler: PowerId, owner: PowerId | None, loot: str, value: int) -> None:
        round_ = self.round
        goods = round_.rulers[owner].goods if owner is not None else ()
        item = next((each for each in goods if KINDS[each].price), "RE") if loot == "GOODS" else "RE"
        item = SLAVE if loot == SLAVE else item  # Source: rules B23
        count = value // (KINDS[item].price or 1)
        round_.set_centre(place, plundered=round_.gr)
        if count:
            round_.book(ruler, place, item, count, "plunder")
        args = {"gf": place, "loot": format_figures({item: count})}
        round_.tell("plundered", self._concerned(owner, ruler), args, place=place, ruler=ruler)

    def _plunder_temples(self, place: Province, ruler: PowerId, owner: PowerId | None) -> None:
        """PLUNDER takes the treasures of a won province too, while rounds are left for it. Source: rules 20.1, KA183"""
        is_wanted = any(plan.plunders for plan in self.plans[ruler])
        has_time = self.end.course.end != TWELVE and self.end.course.length < LAST_ROUND
        if is_wanted and has_time and warriors(self.round.stack(ruler, place)):
            for temple in treasuries(self.round, place):
                self._rob(place, temple, ruler, owner)

    def _desecrate(self) -> None:
        """A ruler alone in a temple at the end plunders it if the plan says so. KA183"""
        for gf in dict.fromkeys(map(gf_of, self.site.provinces)):
            for work in self.round.land.field(gf).works:
                place = self.round.land.at(gf, work.cell) if is_temple(work) and work.cell is not None else None
                owner = self.round.owners.get(place) if place is not None else None
                within = [each for each in self.end.living if gf_of(each.at) == gf and each.cell == work.cell]
                men = [each.ruler for each in within if kind_of(each.item).is_warrior]
                if place is None or not men or any(owner == each.ruler for each in within):
                    continue
                is_wanted = any(plan.plunders for plan in self.plans[men[0]])
                if is_wanted and owner is not None and self.are_foes(men[0], owner):
                    self._rob(place, work, men[0], owner)

    def _rob(self, place: Province, temple: Work, ruler: PowerId, owner: PowerId | None) -> None:
        desecrate(self.round, ruler, place, temple, "plunder")
        args = {"gf": place, "kf": temple.cell, "re": temple.treasure, "by": ruler}
        self.round.tell("temple", self._concerned(owner, ruler), args, words="temple_plundered")

    def _concerned(self, owner: PowerId | None, ruler: PowerId) -> list[PowerId]:
        return [name for name in self.round.rulers if name in (owner, ruler)]

    def _enslave(self) -> None:
        """SLAVES: some of the beaten survive as slaves of the side that is left. Source: R-073"""
        dice = self.round.dice
        assert dice is not None, "no battle on trial"
        for party in self.site.parties:
            if not party.enslaves or party.ruler not in self.left:
                continue
            stream = f"battle/{self.site.id}/{self.end.course.length}/slave"
            lost = dice.roll(stream, sides=6, purpose=purpose("battle_slave", ruler=party.ruler, place=self.site.id))
            beaten = sum(
                count
                for (ruler, _, item), count in self.end.dead.items()
                if self.are_foes(party.ruler, ruler) and kind_of(item).is_warrior
            )
            slaves = beaten * (10 - lost) // 10
            where = self._camp(party.ruler)
            if slaves and where is not None:
                self.round.book(party.ruler, where, SLAVE, slaves, "slaves")
                self.round.tell("slaves", [party.ruler], {"gf": where, "count": slaves}, place=where)

    def _camp(self, ruler: PowerId) -> Province | None:
        """Where on the site most of a ruler's warriors are."""
        places = sorted((place for place in self.round.stacks[ruler] if gf_of(place) in self._fields()), key=order_of)
        return max(places, key=lambda place: warriors(self.round.stack(ruler, place)), default=None)

    def _fields(self) -> set[str]:
        return {gf_of(place) for place in self.site.provinces}

    # Reports

    def _judge(self) -> None:
        """The results of the ENTER lines."""
        for entry in self.assaults:
            if entry.ruler not in self.left:
                self.round.fail(entry.ruler, entry.line, "beaten", place=entry.target)
            elif self.round.land.is_sea(entry.target) and self.end.course.end != TWELVE:
                continue
            elif self.round.owners.get(entry.target) != entry.ruler and not self._shares_victory(entry):
                self.round.fail(entry.ruler, entry.line, "undecided", place=entry.target)

    def _shares_victory(self, entry: Entering) -> bool:
        owner = self.round.owners.get(entry.target)
        return self.end.course.end != TWELVE and owner in self.left and owner != self.owners.get(entry.target)

    def _tell(self, taken: Iterable[Province]) -> None:
        """Report the battle to those who were on the site or own land there, then what changed hands."""
        course, losses = self.end.course, self._losses()
        camps: list[list[PowerId]] = []
        for party in self.site.parties:
            camp = next((camp for camp in camps if not any(self.are_foes(party.ruler, name) for name in camp)), None)
            if camp is None:
                camps.append([party.ruler])
            else:
                camp.append(party.ruler)
        args = {
            "id": self.site.id,
            "gf": list(self.site.provinces),
            "sides": camps,
            "kr": course.length,
            "end": course.end,
            "winner": course.winner,
            "losses": {ruler: format_figures(items) for ruler, items in losses.items()},
            "course": course_to_json(course),
        }
        winner = course.winner
        words = "battle_undecided" if winner is None else f"battle_{course.end}"
        lost = tuple(
            phrase("event.losses", ruler=ruler, figures=format_figures(items)) for ruler, items in losses.items()
        ) or (phrase("event.no_losses"),)
        # Goods alone, without people of their ruler's, see nothing.
        audience = [ruler for ruler in self.there if ruler in self.roles or ruler in self.owners.values()]
        self.round.tell("battle", audience, args, words=words, place=self.site.id, lost=lost)
        if self.is_ruled:
            self.round.tell("battle_ruled", audience, {"id": self.site.id}, place=self.site.id)
        self._tell_conquests(list(taken))

    def _losses(self) -> dict[PowerId, Figures]:
        """Who died, and what fell to others: animals, gear, RE. Source: R-114"""
        found: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        for ruler, items in self.end.course.lost.items():
            found[ruler].update(items)
        for entry in self.round.entries[self.booked :]:
            if entry.why == "booty" and entry.amount < 0:
                found[entry.ruler][without_numbers(entry.item)] -= entry.amount
        order = [party.ruler for party in self.site.parties]
        return {
            ruler: dict(found[ruler])
            for ruler in (*order, *(each for each in found if each not in order))
            if found[ruler]
        }

    def _tell_conquests(self, taken: list[Province]) -> None:
        changes: dict[tuple[PowerId | None, PowerId], list[Province]] = {}
        for place in taken:
            for part in self.round.land.provinces(gf_of(place)) if not self.round.land.has(place) else (place,):
                owner, now = self.owners[place], self.round.owners.get(part)
                if now is not None and now != owner:
                    changes.setdefault((owner, now), []).append(part)
        for (owner, now), places in changes.items():
            args = {"gf": places, "from": owner, "to": now, "battle": self.site.id}
            to = [name for name in self.round.rulers if name in (owner, now)]
            self.round.tell("conquered", to, args, words="conquered_in_battle", places=places, winner=now)


def _steps(one: Province, other: Province) -> int:
    """How far apart two provinces are; on different planes, very far."""
    first, second = coordinate_of(one), coordinate_of(other)
    return first.field.distance(second.field) if first.plane == second.plane else 1_000


def _follow_up(round_: Round) -> None:
    """Entries that start in conquered land go on with what is left: its winner's figures spread out as they need.

    R-119, KA44
    """
    for number, entry in enumerate(round_.entering):
        is_waiting = (entry.ruler, entry.order.ee) not in round_.entered
        if not is_waiting or entry.source not in round_.fought or round_.owners.get(entry.source) != entry.ruler:
            continue
        _gather(round_, entry)
        there = round_.stack(entry.ruler, entry.source)
        figures = {item: min(count, there.get(item, 0)) for item, count in entry.order.figures}
        spare = warriors(there) - 1
        for item in sorted(figures, key=price_of):
            if kind_of(item).is_warrior and warriors(figures) > spare:
                figures[item] = max(0, figures[item] - (warriors(figures) - spare))
        named = tuple((item, count) for item, count in figures.items() if count)
        if named and named != entry.order.figures:
            round_.entering[number] = replace(entry, order=replace(entry.order, figures=named))


def _gather(round_: Round, entry: Entering) -> None:
    """Figures for an entry from conquered land come from where it was attacked."""
    ruler, place = entry.ruler, entry.source
    origins = [
        other.source
        for other in round_.entering
        if (other.ruler, other.target) == (ruler, place) and other.source in round_.fought
    ]
    for item, count in entry.order.figures:
        for origin in origins:
            missing = count + kind_of(item).is_warrior - round_.stack(ruler, place).get(item, 0)
            moved = min(max(0, missing), round_.stack(ruler, origin).get(item, 0))
            if moved:
                round_.shift(ruler, {item: moved}, origin, place, is_marked=False)
