"""Turns the course of a battle, as its event has it, into its account. Source: rules 34

A course names every figure by a number and lists actions in order; an account has stacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.kalevala.battle.course import (
    ABANDONED,
    ARTEFACT,
    CALL_WORKS,
    CHALLENGE,
    COUNTER,
    DEFIED,
    EMERGED,
    ENSLAVED,
    FLED,
    FORM,
    FREED,
    GOD,
    GOD_CALLED,
    GOD_LEAVES,
    GODS_FIGHT,
    HAZARD,
    HID,
    HORSE,
    HUNGER,
    MELEE,
    MOVE,
    ONAGER,
    PRAYER,
    RUIN,
    SHOT,
    SIEGE_HOLDS,
    SPELL,
    SWUM,
    TAKEN,
    TIP,
    TRAMPLE,
    TRIPLE,
    WARDED,
    WEAK_SPOT,
    WOUND,
    BattleCourse,
    Entrant,
    Incident,
    Spotted,
    TurnOfBattle,
    battle_id,
    courses_of,
)
from engine.kalevala.battle.hazards import SAFE
from engine.kalevala.battle.wonders import DUPLICATE
from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.figures import format_figures
from engine.kalevala.gods.facts import STRIKES
from engine.kalevala.priests.facts import NEEDED
from engine.kalevala.tables import WORKS
from engine.kalevala.telling.account import (
    AccountRound,
    BattleAccount,
    Check,
    Climb,
    Conjuring,
    Emergence,
    Escape,
    Feat,
    Freeing,
    Loss,
    Stand,
    Stroke,
)
from engine.kalevala.war.plans import FREED_MAN, SLAVE
from engine.kalevala.wizards.spells import DISPLACE, PARALYSE, PETRIFY

PLATFORM, INSIDE = "P", "I"
_STROKES = (MELEE, SHOT, TRAMPLE, ONAGER)
_MAGIC = (SPELL, COUNTER, CHALLENGE, TRIPLE, PRAYER, DEFIED, WARDED)
_OF_GODS = (GOD, GODS_FIGHT, GOD_LEAVES, GOD_CALLED, WEAK_SPOT, ARTEFACT)
_BREAKS_RANKS = (PARALYSE, PETRIFY, DISPLACE)


def accounts_of(events: Iterable[Event]) -> Iterator[BattleAccount]:
    """The accounts of the battles among some events."""
    for number, course in courses_of(events):
        yield account_of(course, number)


def account_of(course: BattleCourse, number: int = 1) -> BattleAccount:
    """The account of a course; `number`: which of the battles about its place it is."""
    field = _Field(course)
    start = field.stands()
    rounds = tuple(field.play(number, turns) for number, turns in enumerate(course.rounds, start=1))
    return BattleAccount(
        id=battle_id(gf_of(course.place), number),
        gf=tuple(dict.fromkeys(gf_of(place) for place in course.provinces)),
        sides=course.sides,
        start=start,
        rounds=rounds,
        end=field.stands(),
        why=course.end,
        winner=course.winner,
        works=course.works,
        misplaced={ruler: format_figures(dict(items)) for ruler, items in course.misplaced.items()},
    )


class _Figure:
    """A figure on the field."""

    def __init__(self, entrant: Entrant) -> None:
        self.ruler = entrant.ruler
        self.item = entrant.item
        self.mount = "" if entrant.carrier else entrant.mount
        self.at = entrant.at
        self.carrier = entrant.carrier
        self.is_in_phalanx = False


class _Field:
    """Who is where while a course is read."""

    def __init__(self, course: BattleCourse) -> None:
        works = (each for each in course.works if not each.edge and each.has_platform)
        self.tops = {each.at: WORKS[each.type].storeys for each in works}
        self.figures = {entrant.number: _Figure(entrant) for entrant in course.start}
        self.late = {entrant.number: entrant for entrant in course.emerged}

    def stands(self, fallen: Iterable[_Figure] = ()) -> tuple[Stand, ...]:
        """The living, and those who died in this round, as stacks."""
        stacks: dict[tuple[PowerId, Spotted], Counter[str]] = {}
        ordered: set[tuple[PowerId, Spotted]] = set()
        for figure in (*self.figures.values(), *fallen):
            stack = stacks.setdefault((figure.ruler, figure.at), Counter())
            stack.update(item for item in (figure.item, figure.mount) if item)
            if figure.is_in_phalanx:
                ordered.add((figure.ruler, figure.at))
        return tuple(
            Stand(ruler, at, format_figures(stack), (ruler, at) in ordered, self.storey(at))
            for (ruler, at), stack in stacks.items()
        )

    def storey(self, at: Spotted) -> str:
        """The storey on which a figure is: a building's platform or inside, else empty."""
        return "" if at.floor < 0 else PLATFORM if at.floor == self.tops.get(at.ground, -1) else INSIDE

    def play(self, number: int, turns: Iterable[TurnOfBattle]) -> AccountRound:
        """One round: what happens in it, and where everybody is afterwards."""
        fallen: list[tuple[_Figure, str]] = []
        strokes: list[Stroke] = []
        rolled: list[Stroke | Check] = []
        taken: list[tuple[GfId, PowerId]] = []
        wounds: list[tuple[PowerId, int]] = []
        magic: list[Conjuring] = []
        freed: list[Freeing] = []
        hidden: list[Emergence] = []
        feats: list[Feat] = []
        escapes: Counter[tuple[PowerId, Spotted, str, str]] = Counter()
        climbs: Counter[tuple[PowerId, Spotted, str, str]] = Counter()
        for turn in turns:
            for place, incident in enumerate(turn.incidents):
                hidden += self._hide(incident)
                checks = tuple(self._checks(incident))
                found = tuple(self._stroke(incident))
                strokes += found
                rolled += (*checks, *found) if incident.kind == HAZARD else (*found, *checks)
                if incident.kind == TAKEN and incident.who in self.figures:
                    taken.append((incident.at.gf, self.figures[incident.who].ruler))
                if incident.kind == WOUND and incident.who in self.figures:
                    wounds.append((self.figures[incident.who].ruler, sum(incident.points)))
                magic += self._conjure(incident, turn.incidents[place + 1 :])
                feats += self._feat(incident)
                climbs += self._climb(incident)
                self._go(incident)
                freed += self._free(incident)
                dead = [self.figures.pop(each) for each in incident.fallen if each in self.figures]
                fallen += [(figure, incident.kind) for figure in dead]
                self._break_phalanxes(dead)
                self._run_loose(dead)
                if incident.kind == RUIN:  # those inside stand on open ground now
                    for figure in self.figures.values():
                        figure.at = figure.at.ground if str(figure.at.ground) == incident.work else figure.at
                if incident.kind == ABANDONED:
                    self.figures.pop(incident.who, None)
                if incident.kind == FLED and incident.who in self.figures:
                    gone = self.figures.pop(incident.who)
                    escapes[gone.ruler, incident.at, gone.item, incident.to] += 1
        losses: Counter[tuple[PowerId, Spotted, str, str]] = Counter()
        for figure, why in fallen:
            losses[figure.ruler, figure.at, figure.item, why] += 1
        return AccountRound(
            number,
            self.stands([figure for figure, _ in fallen]),
            tuple(strokes),
            tuple(Loss(ruler, at, f"{count}{item}", why) for (ruler, at, item, why), count in losses.items()),
            tuple(
                Escape(ruler, at, f"{count}{item}", Province(to)) for (ruler, at, item, to), count in escapes.items()
            ),
            magic=tuple(magic),
            feats=tuple(feats),
            climbs=tuple(
                Climb(ruler, at, f"{count}{item}", storey) for (ruler, at, storey, item), count in climbs.items()
            ),
            wounds=tuple(wounds),
            freed=tuple(freed),
            hidden=tuple(hidden),
            taken=tuple(taken),
            rolled=tuple(rolled),
        )

    def _conjure(self, incident: Incident, then: Iterable[Incident]) -> Iterator[Conjuring]:
        """What a wizard or a priest does. A spell works unless one of the counterspells that follow it breaks it."""
        who, whom = self.figures.get(incident.who), self.figures.get(incident.whom)
        if incident.kind in _OF_GODS:
            yield self._divine(incident)
        if incident.kind not in _MAGIC or who is None:
            return
        hit = [self.figures[number] for number in incident.helpers if number in self.figures]
        figures: Counter[str] = Counter()
        match incident.kind:
            case kind if kind == SPELL:
                figures.update(item for figure in hit for item in (figure.item, figure.mount) if item)
                has_worked = not any(each.to for each in takewhile(lambda each: each.kind == COUNTER, then))
                if has_worked and incident.to in _BREAKS_RANKS:
                    self._break_phalanxes(hit)
            case kind if kind == PRAYER:
                figures.update(item for figure in hit for item in (figure.item, figure.mount) if item)
                is_heard = not incident.rolls or incident.rolls[0] >= NEEDED
                has_worked = is_heard and not any(each.to for each in takewhile(lambda each: each.kind == DEFIED, then))
            case kind if kind in (COUNTER, DEFIED, WARDED):
                has_worked = bool(incident.to)
            case _:
                has_worked = incident.who not in incident.helpers
        fed = whom.item if incident.kind == TRIPLE and whom is not None else ""
        spell = incident.to if incident.kind in (SPELL, PRAYER) else fed
        yield Conjuring(
            incident.kind,
            who.ruler,
            who.ruler if whom is None else whom.ruler,
            incident.path[0] if incident.path else incident.at,
            spell,
            format_figures(figures),
            sum(incident.points),
            incident.rolls,
            has_worked,
        )

    def _hide(self, incident: Incident) -> Iterator[Emergence]:
        """Those who come out of hiding are on the field from now on; those who hide are nowhere."""
        if incident.kind == GOD:
            for each in incident.helpers:
                if each in self.late:
                    self.figures.setdefault(each, _Figure(self.late[each]))
        if incident.kind == EMERGED:
            own = [self.figures.setdefault(each, _Figure(self.late[each])) for each in incident.helpers]
        elif incident.kind == HID:
            own = [self.figures.pop(each) for each in incident.helpers if each in self.figures]
        else:
            return
        figures = Counter(item for figure in own for item in (figure.item, figure.mount) if item)
        if incident.to == DUPLICATE:
            return
        is_out, is_being = incident.kind == EMERGED, bool(incident.to)
        yield Emergence(own[0].ruler, incident.at, format_figures(figures), is_out, is_being)

    def _free(self, incident: Incident) -> Iterator[Freeing]:
        """Slaves whom nobody guards: some belong to another ruler from now on, the others are gone."""
        who = self.figures.get(incident.who)
        if incident.kind != FREED or who is None:
            return
        how, _, by = incident.to.partition(" ")
        slaves = [number for number in (*incident.helpers, *incident.fallen) if number in self.figures]
        yield Freeing(who.ruler, incident.at.gf, len(slaves), how, PowerId(by) if by else None)
        for number in incident.helpers:
            if number in self.figures:
                figure = self.figures[number]
                figure.ruler, figure.item = PowerId(by), SLAVE if how == ENSLAVED else FREED_MAN

    def _divine(self, incident: Incident) -> Conjuring:
        """What a god does: to whom, or who died of it; whom he fights; or the result of a call."""
        if incident.kind == GOD_CALLED:
            caller = self.figures[incident.who].ruler
            has_worked = incident.to in CALL_WORKS
            zeh = sum(incident.points)
            return Conjuring(GOD_CALLED, caller, caller, incident.at, incident.to, "", zeh, incident.rolls, has_worked)
        if incident.kind in (WEAK_SPOT, ARTEFACT):
            return Conjuring(incident.kind, self.figures[incident.who].ruler, PowerId(incident.to), incident.at)
        if incident.kind == GODS_FIGHT:
            one, other = map(PowerId, incident.to.split())
            return Conjuring(GODS_FIGHT, one, other, incident.at, dice=incident.rolls)
        ability, _, ruler = incident.to.rpartition(" ")
        whom = [self.figures[number] for number in incident.fallen or incident.helpers if number in self.figures]
        figures = Counter(item for figure in whom for item in (figure.item, figure.mount) if item)
        at = incident.path[0] if incident.path else incident.at
        foe = whom[0].ruler if whom else PowerId(ruler)
        if ability in STRIKES:
            figures = figures if incident.fallen else Counter()
        return Conjuring(incident.kind, PowerId(ruler), foe, at, ability, format_figures(figures), dice=incident.rolls)

    def _feat(self, incident: Incident) -> Iterator[Feat]:
        who = self.figures.get(incident.who)
        if who is None or not (incident.work or incident.kind == TIP):
            return
        gf, _, place = (incident.work or str(incident.at.ground)).rpartition(":")
        dead = Counter(self.figures[each].item for each in incident.fallen if each in self.figures)
        needed = incident.points[-1] if incident.points else 0
        yield Feat(
            incident.kind,
            who.ruler,
            who.item,
            GfId(gf),
            place,
            incident.rolls,
            needed,
            incident.to,
            format_figures(dead),
            tuple(self._watch(incident)),
        )

    def _watch(self, incident: Incident) -> Iterator[tuple[PowerId, str]]:
        """Who guards the gates of a besieged castle."""
        if incident.kind not in (SIEGE_HOLDS, HUNGER):
            return
        found: dict[PowerId, Counter[str]] = {}
        for each in (self.figures[number] for number in incident.helpers if number in self.figures):
            found.setdefault(each.ruler, Counter())[each.item] += 1
        yield from ((ruler, format_figures(figures)) for ruler, figures in found.items())

    def _checks(self, incident: Incident) -> Iterator[Check]:
        """The dice for dangerous land, and those for survival."""
        if incident.kind == HAZARD and incident.rolls and incident.who in self.figures:
            yield Check(self.figures[incident.who].ruler, "", incident.at, incident.rolls[0], SAFE)
        if incident.kind == SWUM and incident.who in self.figures:
            figure = self.figures[incident.who]
            for total in incident.rolls:
                yield Check(figure.ruler, figure.item, figure.at, total, incident.points[0])
        if incident.kind == FREED and incident.who in self.figures:
            for total in incident.rolls:
                yield Check(self.figures[incident.who].ruler, SLAVE, incident.at, total, incident.points[0])
        for test in incident.tests:
            if test.who in self.figures:
                figure = self.figures[test.who]
                yield Check(figure.ruler, test.item, figure.at, test.total, test.needed)

    def _stroke(self, incident: Incident) -> Iterator[Stroke]:
        who, whom = self.figures.get(incident.who), self.figures.get(incident.whom)
        if incident.kind not in _STROKES or who is None or whom is None:
            return
        fallen: dict[PowerId, Counter[str]] = {}
        for each in (self.figures[number] for number in incident.fallen if number in self.figures):
            fallen.setdefault(each.ruler, Counter())[each.item] += 1
        lost = fallen.pop(who.ruler, Counter())
        yield Stroke(
            incident.kind,
            who.ruler,
            who.item,
            who.at,
            whom.ruler,
            whom.item,
            whom.at,
            incident.rolls,
            incident.points,
            tuple((ruler, format_figures(figures)) for ruler, figures in fallen.items()),
            format_figures(lost),
        )

    def _climb(self, incident: Incident) -> Counter[tuple[PowerId, Spotted, str, str]]:
        """Figures that move from open ground into a building, or onto its platform."""
        who = self.figures.get(incident.who)
        if incident.kind != MOVE or who is None or who.at.floor >= 0 or incident.at.floor < 0:
            return Counter()
        return Counter({(who.ruler, incident.at.ground, self.storey(incident.at), who.item): 1})

    def _go(self, incident: Incident) -> None:
        """A move takes a figure along with its riders; forming puts figures in close order."""
        figure = self.figures.get(incident.who)
        if incident.kind in (MOVE, TRAMPLE) and figure is not None:
            figure.at = incident.at
            for other in self.figures.values():
                if other.carrier == incident.who:
                    other.at = figure.at
        elif incident.kind == FORM:
            for number in (incident.who, *incident.helpers):
                if number in self.figures:
                    self.figures[number].is_in_phalanx = True
        elif incident.kind == HORSE and figure is not None:
            figure.mount = ""

    def _run_loose(self, dead: Iterable[_Figure]) -> None:
        """An elephant without riders belongs to nobody."""
        ridden = {figure.carrier for figure in self.figures.values()}
        for rider in dead:
            if rider.carrier not in ridden:
                self.figures.pop(rider.carrier, None)

    def _break_phalanxes(self, dead: Iterable[_Figure]) -> None:
        """When one of four has died the others are ordinary warriors."""
        places = {(figure.ruler, figure.at) for figure in dead if figure.is_in_phalanx}
        for figure in self.figures.values():
            if (figure.ruler, figure.at) in places:
                figure.is_in_phalanx = False
