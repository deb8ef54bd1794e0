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
    course_from_json,
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
    Emergence,
    Escape,
    Feat,
    Freeing,
    Loss,
    MagicDeed,
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
    for event in events:
        if event.facts is not None and event.facts.args.get("course"):
            yield account_of(course_from_json(event.facts.args["course"]))


def account_of(course: BattleCourse) -> BattleAccount:
    """The account of a course."""
    field = _Field(course)
    start = field.stands()
    rounds = tuple(field.play(number, turns) for number, turns in enumerate(course.rounds, start=1))
    return BattleAccount(
        id=gf_of(Province(course.id)),
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
        magic: list[MagicDeed] = []
        freed: list[Freeing] = []
        hidden: list[Emergence] = []
        feats: list[Feat] = []
        escapes: Counter[tuple[PowerId, Spotted, str, str]] = Counter()
        climbs: Counter[tuple[PowerId, Spotted, str, str]] = Counter()
        for turn in turns:
            for place, deed in enumerate(turn.deeds):
                hidden += self._hide(deed)
                checks = tuple(self._checks(deed))
                found = tuple(self._stroke(deed))
                strokes += found
                rolled += (*checks, *found) if deed.kind == HAZARD else (*found, *checks)
                if deed.kind == TAKEN and deed.who in self.figures:
                    taken.append((deed.at.gf, self.figures[deed.who].ruler))
                if deed.kind == WOUND and deed.who in self.figures:
                    wounds.append((self.figures[deed.who].ruler, sum(deed.points)))
                magic += self._conjure(deed, turn.deeds[place + 1 :])
                feats += self._feat(deed)
                climbs += self._climb(deed)
                self._go(deed)
                freed += self._free(deed)
                dead = [self.figures.pop(each) for each in deed.fallen if each in self.figures]
                fallen += [(figure, deed.kind) for figure in dead]
                self._break_phalanxes(dead)
                self._run_loose(dead)
                if deed.kind == FLED and deed.who in self.figures:
                    gone = self.figures.pop(deed.who)
                    escapes[gone.ruler, deed.at, gone.item, deed.to] += 1
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

    def _conjure(self, deed: Incident, then: Iterable[Incident]) -> Iterator[MagicDeed]:
        """What a wizard or a priest does. A spell works unless one of the counterspells that follow it breaks it."""
        who, whom = self.figures.get(deed.who), self.figures.get(deed.whom)
        if deed.kind in _OF_GODS:
            yield self._divine(deed)
        if deed.kind not in _MAGIC or who is None:
            return
        hit = [self.figures[number] for number in deed.helpers if number in self.figures]
        figures: Counter[str] = Counter()
        match deed.kind:
            case kind if kind == SPELL:
                figures.update(item for figure in hit for item in (figure.item, figure.mount) if item)
                has_worked = not any(each.to for each in takewhile(lambda each: each.kind == COUNTER, then))
                if has_worked and deed.to in _BREAKS_RANKS:
                    self._break_phalanxes(hit)
            case kind if kind == PRAYER:
                figures.update(item for figure in hit for item in (figure.item, figure.mount) if item)
                is_heard = not deed.rolls or deed.rolls[0] >= NEEDED
                has_worked = is_heard and not any(each.to for each in takewhile(lambda each: each.kind == DEFIED, then))
            case kind if kind in (COUNTER, DEFIED, WARDED):
                has_worked = bool(deed.to)
            case _:
                has_worked = deed.who not in deed.helpers
        yield MagicDeed(
            deed.kind,
            who.ruler,
            who.ruler if whom is None else whom.ruler,
            deed.path[0] if deed.path else deed.at,
            deed.to if deed.kind in (SPELL, PRAYER) else whom.item if deed.kind == TRIPLE and whom is not None else "",
            format_figures(figures),
            sum(deed.points),
            deed.rolls,
            has_worked,
        )

    def _hide(self, deed: Incident) -> Iterator[Emergence]:
        """Those who come out of hiding are on the field from now on; those who hide are nowhere."""
        if deed.kind == GOD:
            for each in deed.helpers:
                if each in self.late:
                    self.figures.setdefault(each, _Figure(self.late[each]))
        if deed.kind == EMERGED:
            own = [self.figures.setdefault(each, _Figure(self.late[each])) for each in deed.helpers]
        elif deed.kind == HID:
            own = [self.figures.pop(each) for each in deed.helpers if each in self.figures]
        else:
            return
        figures = Counter(item for figure in own for item in (figure.item, figure.mount) if item)
        if deed.to == DUPLICATE:
            return
        is_out, is_being = deed.kind == EMERGED, bool(deed.to)
        yield Emergence(own[0].ruler, deed.at, format_figures(figures), is_out, is_being)

    def _free(self, deed: Incident) -> Iterator[Freeing]:
        """Slaves whom nobody guards: some belong to another ruler from now on, the others are gone."""
        who = self.figures.get(deed.who)
        if deed.kind != FREED or who is None:
            return
        how, _, by = deed.to.partition(" ")
        slaves = [number for number in (*deed.helpers, *deed.fallen) if number in self.figures]
        yield Freeing(who.ruler, deed.at.gf, len(slaves), how, PowerId(by) if by else None)
        for number in deed.helpers:
            if number in self.figures:
                figure = self.figures[number]
                figure.ruler, figure.item = PowerId(by), SLAVE if how == ENSLAVED else FREED_MAN

    def _divine(self, deed: Incident) -> MagicDeed:
        """What a god does: to whom, or who died of it; whom he fights; or the result of a call."""
        if deed.kind == GOD_CALLED:
            caller = self.figures[deed.who].ruler
            has_worked = deed.to in CALL_WORKS
            zeh = sum(deed.points)
            return MagicDeed(GOD_CALLED, caller, caller, deed.at, deed.to, "", zeh, deed.rolls, has_worked)
        if deed.kind in (WEAK_SPOT, ARTEFACT):
            return MagicDeed(deed.kind, self.figures[deed.who].ruler, PowerId(deed.to), deed.at)
        if deed.kind == GODS_FIGHT:
            one, other = map(PowerId, deed.to.split())
            return MagicDeed(GODS_FIGHT, one, other, deed.at, dice=deed.rolls)
        ability, _, ruler = deed.to.rpartition(" ")
        whom = [self.figures[number] for number in deed.fallen or deed.helpers if number in self.figures]
        figures = Counter(item for figure in whom for item in (figure.item, figure.mount) if item)
        at = deed.path[0] if deed.path else deed.at
        foe = whom[0].ruler if whom else PowerId(ruler)
        if ability in STRIKES:
            figures = figures if deed.fallen else Counter()
        return MagicDeed(deed.kind, PowerId(ruler), foe, at, ability, format_figures(figures), dice=deed.rolls)

    def _feat(self, deed: Incident) -> Iterator[Feat]:
        who = self.figures.get(deed.who)
        if who is None or not (deed.work or deed.kind == TIP):
            return
        gf, _, place = (deed.work or str(deed.at.ground)).rpartition(":")
        dead = Counter(self.figures[each].item for each in deed.fallen if each in self.figures)
        needed = deed.points[-1] if deed.points else 0
        yield Feat(
            deed.kind,
            who.ruler,
            who.item,
            GfId(gf),
            place,
            deed.rolls,
            needed,
            deed.to,
            format_figures(dead),
            tuple(self._watch(deed)),
        )

    def _watch(self, deed: Incident) -> Iterator[tuple[PowerId, str]]:
        """Who guards the gates of a besieged castle."""
        if deed.kind not in (SIEGE_HOLDS, HUNGER):
            return
        found: dict[PowerId, Counter[str]] = {}
        for each in (self.figures[number] for number in deed.helpers if number in self.figures):
            found.setdefault(each.ruler, Counter())[each.item] += 1
        yield from ((ruler, format_figures(figures)) for ruler, figures in found.items())

    def _checks(self, deed: Incident) -> Iterator[Check]:
        """The dice for dangerous land, and those for survival."""
        if deed.kind == HAZARD and deed.rolls and deed.who in self.figures:
            yield Check(self.figures[deed.who].ruler, "", deed.at, deed.rolls[0], SAFE)
        if deed.kind == SWUM and deed.who in self.figures:
            figure = self.figures[deed.who]
            for total in deed.rolls:
                yield Check(figure.ruler, figure.item, figure.at, total, deed.points[0])
        if deed.kind == FREED and deed.who in self.figures:
            for total in deed.rolls:
                yield Check(self.figures[deed.who].ruler, SLAVE, deed.at, total, deed.points[0])
        for test in deed.tests:
            if test.who in self.figures:
                figure = self.figures[test.who]
                yield Check(figure.ruler, test.item, figure.at, test.total, test.needed)

    def _stroke(self, deed: Incident) -> Iterator[Stroke]:
        who, whom = self.figures.get(deed.who), self.figures.get(deed.whom)
        if deed.kind not in _STROKES or who is None or whom is None:
            return
        fallen = deed.fallen
        yield Stroke(
            deed.kind,
            who.ruler,
            who.item,
            who.at,
            whom.ruler,
            whom.item,
            whom.at,
            deed.rolls,
            deed.points,
            any(each in fallen for each in self.figures if self.figures[each].ruler == whom.ruler),
            deed.who in fallen,
        )

    def _climb(self, deed: Incident) -> Counter[tuple[PowerId, Spotted, str, str]]:
        """Figures that move from open ground into a building, or onto its platform."""
        who = self.figures.get(deed.who)
        if deed.kind != MOVE or who is None or who.at.floor >= 0 or deed.at.floor < 0:
            return Counter()
        return Counter({(who.ruler, deed.at.ground, self.storey(deed.at), who.item): 1})

    def _go(self, deed: Incident) -> None:
        """A move takes a figure along with its riders; forming puts figures in close order."""
        figure = self.figures.get(deed.who)
        if deed.kind in (MOVE, TRAMPLE) and figure is not None:
            figure.at = deed.at
            for other in self.figures.values():
                if other.carrier == deed.who:
                    other.at = figure.at
        elif deed.kind == FORM:
            for number in (deed.who, *deed.helpers):
                if number in self.figures:
                    self.figures[number].is_in_phalanx = True
        elif deed.kind == HORSE and figure is not None:
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
