"""What a battle comes to: who lives and where, what is lost, won and broken. `steps/aftermath.py` books it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.core.ids import PowerId
from engine.kalevala.battle import afloat, bearers
from engine.kalevala.battle.bearers import RelicAfter
from engine.kalevala.battle.course import TWELVE, BattleCourse, Spotted, WorkSeen
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Battlefield
from engine.kalevala.battle.works import BRIDGE_STANDS, CROSSING_STANDS
from engine.kalevala.coordinates import Edge, GfId, Province
from engine.kalevala.figures import Figures
from engine.kalevala.war.plans import Detail

RUINED = -1


@dataclass(frozen=True, slots=True)
class Survivor:
    """A figure that is alive when the battle is over.

    Args:
        home: the province whose stack it came from.
        cell: where it stands, in the field of `at`; 0: it has fled there, or hides.
        agent: the number of the agent with whom it came out of hiding; 0: it did not.
    """

    ruler: PowerId
    item: str
    mount: str
    home: Province
    at: Province
    cell: int = 0
    agent: int = 0


@dataclass(frozen=True, slots=True)
class Booty:
    """An animal whose rider is dead: whose it was, from which province, and where it stands."""

    ruler: PowerId
    item: str
    home: Province
    at: Province


@dataclass(frozen=True, slots=True)
class WizardAfter:
    """A wizard who is alive when the battle is over.

    Args:
        before, after: his figure, with his ZEH; `home`: the province whose stack he came from.
        is_mortal: he has lost a duel in this battle.
    """

    ruler: PowerId
    home: Province
    before: str
    after: str
    is_mortal: bool


@dataclass(frozen=True, slots=True)
class KingAfter:
    """A king who was there: his figure before and after, and whether his weakness has acted."""

    ruler: PowerId
    home: Province
    before: str
    after: str
    has_shown: bool


@dataclass(frozen=True, slots=True)
class PriestAfter:
    """A priest who has spent ZEH in the battle, or a mystic who has gained some, dead or alive.

    Args:
        before, after: his figure, with his ZEH; `home`: the province whose stack he came from.
    """

    ruler: PowerId
    home: Province
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class GodAfter:
    """A god who was there: the rounds of his own stay that he spent there, and what he has won or lost of OEH."""

    ruler: PowerId
    used: int
    oeh: int


@dataclass(frozen=True, slots=True)
class Vessel:
    """A craft that floats when the battle is over.

    Args:
        home: the province whose stack she came from; `target`: what she came to attack.
        aboard: who is on her; `cargo`: what else.
        is_adrift: her crew is dead.
    """

    ruler: PowerId
    item: str
    home: Province
    target: Province | None
    aboard: Figures
    cargo: Figures
    is_adrift: bool


@dataclass(frozen=True, slots=True)
class BattleEnd:
    """The result of a battle.

    Args:
        living: those still on the site, and those who fled; wizards with the ZEH that they have left.
        dead: how many of each item, by ruler and by the province whose stack they came from.
        won: figures that have come over to a ruler, likewise, by the province whose stack they belong to now.
        holders: who was last on the field of each trade centre. Source: rules B22
        held: for how many rounds, up to the last one.
        wizards: those who were there and live.
        kings: those who were there, and live.
        gods: those who came; `heard`: whose priests called one, and whether he came.
        spots_taken: whose god has lost his weak spot, and to whom.
        priests: those who have spent ZEH, and mystics who gained some; the living and the dead have what they had last.
        triples: of warriors whose wizard is elsewhere, by ruler.
        hits, walls: what buildings and walls have suffered in all, as far as it is more than before; `RUINED`: they are
            no more.
        vessels: the craft that still float.
        broken: the gates that were broken in it.
        emerged: who came out of hiding, by ruler and the agent's number.
        hardened: buildings whose walls a god has made harder.
        artefacts: those that were in it.
        carried_out: lines of plans, by ruler and the province of the plan. Ruling KA314
    """

    course: BattleCourse
    living: tuple[Survivor, ...]
    loose: tuple[Booty, ...]
    dead: Mapping[tuple[PowerId, Province, str], int]
    holders: Mapping[Province, PowerId]
    held: Mapping[Province, int]
    wizards: tuple[WizardAfter, ...]
    triples: Mapping[PowerId, int]
    hits: Mapping[tuple[GfId, int, str], int] = field(default_factory=dict)
    walls: Mapping[tuple[GfId, Edge], int] = field(default_factory=dict)
    vessels: tuple[Vessel, ...] = ()
    broken: tuple[tuple[GfId, Edge], ...] = ()
    kings: tuple[KingAfter, ...] = ()
    priests: tuple[PriestAfter, ...] = ()
    gods: tuple[GodAfter, ...] = ()
    heard: Mapping[PowerId, bool] = field(default_factory=dict)
    spots_taken: Mapping[PowerId, PowerId] = field(default_factory=dict)
    won: Mapping[tuple[PowerId, Province, str], int] = field(default_factory=dict)
    emerged: Mapping[tuple[PowerId, int], Figures] = field(default_factory=dict)
    hardened: tuple[tuple[GfId, int, str], ...] = ()
    artefacts: tuple[RelicAfter, ...] = ()
    carried_out: frozenset[tuple[PowerId, Province, Detail]] = frozenset()


def result_of(fight: Fight, end: str) -> BattleEnd:
    """What has come of a battle that is over.

    Args:
        end: how it ended, such as `CONQUEST`.
    """
    left = [party.ruler for party in fight.site.parties if fight.people(party.ruler)]
    winner = left[0] if end != TWELVE and left else None
    centres = {province: kf for province, kf in fight.ground.centres.items() if kf in fight.tenure.last_at}
    agents = {each: number for (_, number), group in fight.groups.items() for each in group}
    living = [
        Survivor(
            each.party.ruler, each.item_now, each.mount, each.army.province, place, cell, agent=agents.get(each, 0)
        )
        for each, place, cell in _whereabouts(fight)
    ]
    return BattleEnd(
        course=course_of(fight, end, winner),
        living=tuple(living),
        loose=tuple(Booty(ruler, item, home, _province(fight, kf)) for kf, ruler, item, home in fight.gone.loose),
        dead=dict(fight.losses.by_stack),
        holders={province: fight.tenure.last_at[kf] for province, kf in centres.items()},
        held={province: fight.tenure.held[kf, fight.tenure.last_at[kf]] for province, kf in centres.items()},
        wizards=tuple(_wizards(fight)),
        triples=dict(fight.absent_triples),
        hits=_hits(fight),
        walls=_hits_on_walls(fight),
        vessels=tuple(_vessels(fight)),
        broken=tuple((gf, Edge(cell, side)) for gf, cell, side in fight.works.broken_now()),
        kings=tuple(
            KingAfter(each.party.ruler, each.army.province, each.item, each.item_now, each.crown.has_shown)
            for each in fight.kings
            if each.crown is not None and each.crown.lives
        ),
        priests=tuple(
            PriestAfter(each.party.ruler, each.army.province, each.item, each.item_now)
            for each in fight.fighters
            if (each.devotion is not None or each.store is not None) and each.item_now != each.item
        ),
        gods=tuple(
            GodAfter(each.coming.ruler, each.used - each.called, each.won - each.lost) for each in fight.gods.present
        ),
        heard=dict(fight.gods.heard),
        hardened=tuple(
            (*hold.building.place, hold.building.type)
            for hold in fight.works.holds
            if hold.is_hard and not hold.building.is_hard and not hold.is_ruined
        ),
        spots_taken=dict(fight.weak_spots.taken),
        artefacts=tuple(bearers.after(fight)),
        won=dict(fight.losses.won),
        carried_out=frozenset(fight.carried_out),
        emerged={
            key: each.army.figures
            for each in fight.site.hidden
            for key in ((each.army.ruler, each.number),)
            if key in fight.groups
        },
    )


def course_of(fight: Fight, end: str, winner: PowerId | None) -> BattleCourse:
    """The course of a battle so far."""
    roles: dict[str, list[PowerId]] = {}
    for party in fight.site.parties:
        roles.setdefault(str(party.role), []).append(party.ruler)
    lost = fight.losses.by_ruler
    return BattleCourse(
        place=fight.site.place,
        provinces=fight.site.provinces,
        sides=tuple(map(tuple, roles.values())),
        start=fight.record.start,
        rounds=tuple(fight.record.rounds),
        end=end,
        winner=winner,
        standing={each.number: fight.record.spotted(each.kf) for each in fight.living()},
        lost={ruler: dict(lost[ruler]) for ruler in fight.foes if lost[ruler]},
        works=tuple(_works_seen(fight.ground)),
        misplaced={ruler: dict(items) for ruler, items in fight.losses.misplaced.items()},
        emerged=tuple(fight.record.emerged),
    )


def _works_seen(ground: Battlefield) -> Iterator[WorkSeen]:
    for each in ground.buildings:
        gates = tuple(sorted(side.name for side in each.gates))
        yield WorkSeen(each.type, Spotted(*each.place), "", gates, each.hits, each.has_platform)
    for kf, hits in ground.crossings.items():
        yield WorkSeen("BR", Spotted(*ground.places[kf]), hits=hits, has_platform=False)
    for wall in ground.walls:
        gf, edge = wall.name
        yield WorkSeen("Ma", Spotted(gf, edge.cell), str(edge), hits=wall.hits)


def _hits(fight: Fight) -> dict[tuple[GfId, int, str], int]:
    """What buildings and bridges over one field have suffered, as far as it is more than before."""
    places, before = fight.ground.places, fight.ground.crossings
    holds = {
        (*hold.building.place, hold.building.type): RUINED if hold.is_ruined else hold.hits
        for hold in fight.works.holds
        if hold.hits != hold.building.hits
    }
    crossings = {
        (*places[kf], "BR"): RUINED if hits >= CROSSING_STANDS else hits
        for kf, hits in fight.works.crossings.items()
        if hits != before[kf]
    }
    return holds | crossings


def _hits_on_walls(fight: Fight) -> dict[tuple[GfId, Edge], int]:
    """The same of walls, and of bridges over the edge of a field."""
    walls = {
        barrier.wall.name: RUINED if barrier.is_breached else barrier.hits
        for barrier in fight.works.barriers.values()
        if barrier.wall is not None and barrier.hits != barrier.wall.hits
    }
    bridges = {
        bridge.name: RUINED if hits >= BRIDGE_STANDS else hits
        for bridge, hits in fight.works.bridges.items()
        if hits != bridge.hits
    }
    return walls | bridges


def _whereabouts(fight: Fight) -> Iterator[tuple[Fighter, Province, int]]:
    """Where all the living are when it is over: on the field, beyond it, or hidden."""
    for each in (each for each in fight.living() if not each.leaves_in):
        yield each, _place_of(fight, each), fight.ground.places[each.kf][1]
    for each, kf in ((each, kf) for each, kf in fight.gone.fled if not each.leaves_in):
        yield each, each.party.exits[kf], 0
    for each in fight.gone.hid:
        yield each, each.army.province, 0


def _vessels(fight: Fight) -> Iterator[Vessel]:
    for each in fight.fighters:
        is_adrift = each in fight.gone.adrift
        if each.is_craft and (each.is_alive or is_adrift):
            aboard = {} if is_adrift else afloat.aboard_of(fight, each)
            yield Vessel(
                each.party.ruler, each.item, each.army.province, each.army.target, aboard, each.cargo, is_adrift
            )


def _wizards(fight: Fight) -> Iterator[WizardAfter]:
    """The living wizards, on the site or off it, who are not as they came."""
    mortal = {party.ruler for party in fight.site.parties if party.has_mortal_wizard}
    for each in (*fight.living(), *(each for each, _ in fight.gone.fled)):
        if each.wizardry is not None:
            has_lost = each.wizardry.is_mortal and each.party.ruler not in mortal
            yield WizardAfter(each.party.ruler, each.army.province, each.item, each.item_now, has_lost)


def _place_of(fight: Fight, fighter: Fighter) -> Province:
    """The province of a figure; on the water it is the one from which its fleet came."""
    return fighter.army.province if fighter.kf in fight.ground.waters else _province(fight, fighter.kf)


def _province(fight: Fight, kf: int) -> Province:
    found = fight.ground.provinces[kf]
    assert found is not None, "somebody stands there"
    return found
