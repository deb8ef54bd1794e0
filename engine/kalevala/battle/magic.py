"""Wizards in battle: spells, counterspells, challenges, and what they gain from warriors' triples. Source: rules 19.3

Spells on a figure are in `Fighter.under` until they end; movement, melee, shots and survival look there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.core.ids import PowerId
from engine.kalevala.battle import bearers, course
from engine.kalevala.battle.aims import field_of, goal_of, place_of
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import BARRIER, WEAPON, Enchantment, Fighter, Wizardry
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import ELEPHANTS, SAILING_SHIP, WIZARD
from engine.kalevala.battle.movement import Lookout, reach, space_needed
from engine.kalevala.battle.works import Barrier
from engine.kalevala.coordinates import gf_of
from engine.kalevala.tables import DRAGON
from engine.kalevala.war.plans import LAST_ROUND, TO_MYSTIC, Cast, Challenge, GateOrder, Spot
from engine.kalevala.wizards.spells import (
    ANIMALS,
    BEINGS,
    DISPLACE,
    DRY,
    FLOOD,
    FORCED,
    GATES,
    INVISIBLE,
    PARALYSE,
    PETRIFY,
    SPEED,
    SPELL,
    SPELLS,
    STORE,
    STRENGTHEN,
    WIND,
    Meant,
    Spell,
    factor_of,
)
from engine.lattice.great_fields import Side

_TURNS = {PETRIFY: 3, BARRIER: 3, WEAPON: LAST_ROUND}
"""For how many rounds, up to the turn of the caster's side, a spell lasts; one not named here lasts until the next."""
_ROUNDS = {SPEED: 0, WIND: 0, ANIMALS: 0, INVISIBLE: 1}
"""For how many rounds, up to the end of the last, these spells last."""
_LARGE = 3
"""From how many fields on a castle has outer gates that cost more. Source: R-053"""
_FARTHEST = 6
"""How far figures can be displaced, in KF. Source: R-053"""
_EACH_STARTED = 10
"""A counterspell costs one ZEH for each of so many ZEH of the spell, rounded up. Source: rules 19.6"""
_TRIPLE, _LESS = 30, 20
"""ZEH that a triple gives a wizard, a mortal one, an apprentice, and one who is elsewhere. Source: rules 19.3, 19.7"""
_WARDS = 10
"""What three dice have to show for a mystic to ward off a spell."""
_NEAR = 1
"""How far apart the two totals may be for a counterspell to work."""


def zeh_for_triples(zeh: int, triples: int) -> int:
    """The ZEH of a wizard after triples of warriors on a site where he is not. Source: rules 19.3"""
    return max(zeh, min(STORE, zeh + _LESS * triples))


def wizards(fight: Fight, rulers: Iterable[PowerId]) -> Iterator[tuple[Fighter, Wizardry]]:
    """The wizards of some rulers who can work magic now."""
    wanted = set(rulers)
    for each in fight.fighters:
        is_able = each.is_alive and each.floats and not each.is_held
        if is_able and each.wizardry is not None and each.party.ruler in wanted:
            yield each, each.wizardry


# The turn of a side


def fade(fight: Fight, ruler: PowerId | None) -> None:
    """End the spells of a side that last until this turn of it or, without a side, those that last by rounds. B3"""
    for each in fight.fighters:
        if not each.under:
            continue
        for name, enchantment in list(each.under.items()):
            is_over = enchantment.until < fight.round if name in _ROUNDS else enchantment.until <= fight.round
            if is_over and ruler == (None if name in _ROUNDS else enchantment.caster):
                del each.under[name]
                fight.changes += 1


def work(fight: Fight, ruler: PowerId) -> None:
    """Let each wizard of a side carry out one line: the first that is due and that he can pay for. Source: R-122

    An apprentice who has already cast the spell of a triple in this round waits. Ruling KA84
    """
    for wizard, wizardry in wizards(fight, (ruler,)):
        for number, line in enumerate(wizard.army.plan.spells):
            if wizardry.cast_in == fight.round:
                break
            is_due = line.round in (0, fight.round) and number not in wizardry.done
            if is_due and _do(fight, wizard, wizardry, line):
                wizardry.cast_in = fight.round
                fight.note_done(wizard.army, line)
                if not line.is_each:
                    wizardry.done.add(number)
                break


def _do(fight: Fight, wizard: Fighter, wizardry: Wizardry, line: Cast | Challenge) -> bool:
    """Carry out a line; returns whether there was anything to do and enough to pay for it."""
    if isinstance(line, Challenge):
        return _challenge(fight, wizard, line.who)
    spell = SPELL[line.spell]
    if wizardry.known <= SPELLS.index(spell):
        return False
    casting = _casting(fight, wizard, line, min(wizardry.zeh, line.most or STORE))
    if casting is None or casting.cost > wizardry.zeh:
        return False
    wizardry.zeh -= casting.cost
    _cast(fight, wizard, casting)
    return True


# Casting


@dataclass(frozen=True, slots=True)
class _Casting:
    """A spell that is being cast.

    Args:
        fields: on which it is cast.
        targets: on whom.
        goal: where to, of spells that move.
        edges: of a river.
        gate: that opens or shuts.
    """

    spell: Spell
    cost: int
    fields: tuple[Kf, ...]
    targets: tuple[Fighter, ...] = ()
    goal: Kf | None = None
    edges: frozenset[tuple[Kf, Kf]] = frozenset()
    gate: Barrier | None = None


def _casting(fight: Fight, wizard: Fighter, line: Cast, budget: int) -> _Casting | None:
    """The spell that a line casts now; `None` if there is none that could be paid for. Source: ruling KA81."""
    spell = SPELL[line.spell]
    fields = [kf for spot in line.fields if (kf := _field(fight, wizard, line, spot)) is not None]
    if spell.meant is Meant.RIVER:
        return _of_river(fight, spell, fields, budget)
    if spell.meant is Meant.GATE:
        return _of_gate(fight, wizard, line, budget)
    if spell.meant is Meant.MOVED:
        return _of_move(fight, wizard, line, fields, budget)
    if spell.meant is Meant.SHIP:
        return _of_ships(fight, wizard, line, budget)
    if line.is_best:
        return _best(fight, wizard, spell, is_own=line.is_own, budget=budget)
    chosen: list[Kf] = []
    targets: list[Fighter] = []
    for kf in fields:
        there = targets_in(fight, wizard.party.ruler, spell, kf, is_own=line.is_own)
        if there and (not line.most or cost_of(spell, (*targets, *there)) <= budget):
            chosen.append(kf)
            targets += there
    if not targets or cost_of(spell, targets) > budget:
        return None
    return _Casting(spell, cost_of(spell, targets), tuple(chosen), tuple(targets))


def _field(fight: Fight, wizard: Fighter, line: Cast, spot: Spot) -> Kf | None:
    """The field that a line means: in the block's great field for own figures, otherwise in the one attacked.

    Figures are moved only from land to land; other spells reach those aboard craft, too.
    """
    usual = wizard.army.province if line.is_own else goal_of(fight, wizard)
    find = field_of if SPELL[line.spell].meant is Meant.MOVED else place_of
    return find(fight, spot, usual)


def cost_of(spell: Spell, targets: Iterable[Fighter]) -> int:
    """The cost in ZEH: the base times the factors of all whom it hits, including mounts. Source: rules 19.3, example
    E-15
    """
    return spell.base * sum(
        factor_of(each.item, in_phalanx=each.formation is not None) + (factor_of(each.mount) if each.mount else 0)
        for each in targets
    )


def targets_in(fight: Fight, ruler: PowerId, spell: Spell, kf: Kf, *, is_own: bool) -> list[Fighter]:
    """The figures in a field that would be hit, by number, without those already under the spell."""
    there = [each for each in fight.at[kf] if each.party.ruler == ruler] if is_own else fight.foes_at(ruler, kf)
    found = [each for each in there if _can_be_hit(each, spell, is_own=is_own)]
    return sorted(found, key=lambda each: each.number)


def _can_be_hit(fighter: Fighter, spell: Spell, *, is_own: bool) -> bool:
    """Whether a spell hits somebody: none does twice, nor anybody turned to stone, nor a hidden or protected enemy.

    Source: ruling KA80.
    """
    if fighter.floats or spell.name in fighter.under or PETRIFY in fighter.under:
        return False
    return is_own or not (fighter.is_safe or INVISIBLE in fighter.under)


def _best(fight: Fight, wizard: Fighter, spell: Spell, *, is_own: bool, budget: int) -> _Casting | None:
    """The field in contact with the highest price of figures that he can pay for; of equals the lowest. Those who are
    to go faster are looked for where there is nobody to fight. Source: rules B27, ruling KA307
    """
    near = contacts(fight, wizard.party.ruler, is_own=is_own)
    found = []
    for kf in near if spell.name != SPEED else sorted(set(range(len(fight.at))).difference(near)):
        targets = targets_in(fight, wizard.party.ruler, spell, kf, is_own=is_own)
        cost = cost_of(spell, targets)
        if targets and cost <= budget:
            found.append((-sum(each.price for each in targets), kf, cost, targets))
    if not found:
        return None
    _, kf, cost, targets = min(found, key=lambda row: row[:2])
    return _Casting(spell, cost, (kf,), tuple(targets))


def contacts(fight: Fight, ruler: PowerId, *, is_own: bool) -> Iterator[Kf]:
    """The fields with own figures, or with enemies, that are in contact, in order."""
    for kf, there in enumerate(fight.at):
        if not there:
            continue
        if is_own:
            is_there = any(each.party.ruler == ruler and not each.floats for each in there)
            if is_there and fight.in_contact(kf, ruler):
                yield kf
        elif any(not each.floats for each in fight.foes_at(ruler, kf)) and any(
            each.party.ruler == ruler and not each.floats
            for other in fight.land.fightable(kf)
            for each in fight.at[other]
        ):
            yield kf


def _of_ships(fight: Fight, wizard: Fighter, line: Cast, budget: int) -> _Casting | None:
    """The ruler's manned sailing ships on the fields of a line; BEST is the one with the most valuable crew. R-053"""
    spell = SPELL[line.spell]
    able = [
        each
        for each in fight.living(wizard.party.ruler)
        if each.code == SAILING_SHIP and each.crew and WIND not in each.under
    ]
    if line.is_best:
        able.sort(key=lambda each: (-sum(one.price for one in each.crew), each.number))
        able = able[:1]
    else:
        named = {(None if spot.gf is None else gf_of(spot.gf), spot.cell) for spot in line.fields}
        places = ((each, *fight.ground.places[each.kf]) for each in able)
        able = [each for each, gf, cell in places if (gf, cell) in named or (None, cell) in named]
    paid = able[: budget // spell.base] if line.most else able
    if not paid or spell.base * len(paid) > budget:
        return None
    return _Casting(spell, spell.base * len(paid), tuple(each.kf for each in paid), tuple(paid))


# Spells that move


def _of_move(fight: Fight, wizard: Fighter, line: Cast, fields: Sequence[Kf], budget: int) -> _Casting | None:
    """Move one side's figures in a field, its animals with riders, or beings, to another field with room.

    Source: R-053, ruling KA82
    """
    goal = _field(fight, wizard, line, line.goal) if line.goal is not None else None
    if goal is None or len(fields) != 1 or goal == fields[0]:
        return None
    spell, kf = SPELL[line.spell], fields[0]
    targets = targets_in(fight, wizard.party.ruler, spell, kf, is_own=line.is_own)
    away = fight.ground.distance(kf, goal)
    if spell.name == BEINGS:
        targets = [each for each in targets if each.code == DRAGON]
        cost = spell.base * away * len(targets)
    elif spell.name == ANIMALS:
        targets = [each for each in targets if (each.mount or each.code in ELEPHANTS) and _can_go(fight, each, goal)]
        cost = spell.base * sum(factor_of(each.mount or each.item) for each in targets)
    else:
        targets = [each for each in targets if each.serves is None or each.serves in targets]
        cost = cost_of(spell, targets)
        if away > _FARTHEST:
            return None
    movers = [each for each in targets if each.carrier is None and each.serves is None]
    if not movers or cost > budget or any(fight.is_barred(each.party.ruler, goal) for each in movers):
        return None
    if not all(fight.works.bears(each, goal) for each in movers):
        return None
    space = sum(_own_space(fight, each) for each in movers)
    if _is_warded(fight, wizard.party.ruler, goal) or fight.room(goal) < space:
        return None
    return _Casting(spell, cost, (kf,), tuple(targets), goal)


def _own_space(fight: Fight, fighter: Fighter) -> int:
    return fighter.space if fighter.formation is not None else space_needed(fight, fighter)


def _can_go(fight: Fight, animal: Fighter, goal: Kf) -> bool:
    """Whether an animal could get there by itself in a round."""
    return goal in reach(Lookout(fight, animal.party.ruler), animal)


def _is_warded(fight: Fight, ruler: PowerId, goal: Kf) -> bool:
    """Whether a building is closed to a wizard, because a warrior is in it whose ruler has a wizard here. Rules 19.2"""
    hold = fight.works.at.get(goal)
    if hold is None or hold.is_ruined:
        return False
    inside = {each.party.ruler for kf in hold.building.floors for each in fight.foes_at(ruler, kf) if each.is_warrior}
    return any(each.code == WIZARD and each.is_alive and each.party.ruler in inside for each in fight.fighters)


# Gates


def _of_gate(fight: Fight, wizard: Fighter, line: Cast, budget: int) -> _Casting | None:
    """The gate that a line names, unless it is broken. Source: R-053"""
    assert line.side is not None, "a gate has a side"
    usual = wizard.army.province if line.is_own else goal_of(fight, wizard)
    names = GateOrder(line.fields[0], line.side, is_open=True, round=0).names(usual)
    gates = (each for each in dict.fromkeys(fight.works.barriers.values()) if each.has_gate)
    gate = next((each for each in gates if fight.record.edge(each) in names), None)
    if gate is None or gate.is_broken or gate.is_breached:
        return None
    cost = cost_of_gate(gate)
    return _Casting(SPELL[line.spell], cost, (gate.inner,), gate=gate) if cost <= budget else None


def cost_of_gate(gate: Barrier) -> int:
    """ZEH for a gate: wall 5, tower 10, keep 15, and 5 more for an outer gate of a castle of 3 fields. R-053"""
    if gate.hold is None:
        return SPELL[GATES].base
    castle = gate.hold.castle
    is_outer = len(castle.holds) >= _LARGE and any(gate is each for each in castle.outer_gates)
    return SPELL[GATES].base * (3 if gate.hold.is_keep else 2) + (SPELL[GATES].base if is_outer else 0)


def _move_gate(fight: Fight, wizard: Fighter, gate: Barrier) -> None:
    gate.is_open = not gate.is_open
    gate.keeps_open = False
    if gate.is_open and gate.hold is not None:
        gate.hold.castle.was_opened = True
    fight.record.tell(course.GATE, wizard, to="opened" if gate.is_open else "shut", work=fight.record.edge(gate))


# Rivers


def _of_river(fight: Fight, spell: Spell, fields: Sequence[Kf], budget: int) -> _Casting | None:
    """The rivers along the fields of a line, as far as they flow through the site."""
    edges: set[tuple[Kf, Kf]] = set()
    rivers = 0
    for kf in fields:
        for start in sorted(edge for edge in fight.land.rivers if kf in edge):
            if start not in edges and spell.base * (rivers + 1) <= budget:
                rivers += 1
                edges |= _river(fight, start)
    is_new = spell.name != FLOOD or not edges <= fight.land.floods
    if not edges or not is_new:
        return None
    return _Casting(spell, spell.base * rivers, tuple(fields), edges=frozenset(edges))


def _river(fight: Fight, start: tuple[Kf, Kf]) -> set[tuple[Kf, Kf]]:
    """All edges of the river that an edge belongs to: those that meet at corners of small fields.

    Source: ruling KA83.
    """
    found = {start}
    frontier = [start]
    while frontier:
        one, other = frontier.pop()
        side = fight.ground.side(one, other)
        assert side is not None, "neighbours"
        beside = (fight.ground.around[one][Side((side + turn) % 6)] for turn in (1, 5))
        for third in beside:
            for edge in ((one, third), (other, third)):
                if edge in fight.land.rivers and edge not in found:
                    found.add(edge)
                    frontier.append(edge)
        if (other, one) not in found:
            found.add((other, one))
            frontier.append((other, one))
    return found


# What is cast


def _cast(fight: Fight, wizard: Fighter, casting: _Casting) -> None:
    """Cast a spell that has been paid for; enemies may break it."""
    fight.record.tell(
        course.SPELL,
        wizard,
        whom=casting.targets[0].number if casting.targets else 0,
        helpers=tuple(each.number for each in casting.targets),
        path=tuple(map(fight.record.spotted, casting.fields)),
        points=(casting.cost,),
        to=casting.spell.name,
    )
    if not _is_countered(fight, wizard, casting):
        _take_effect(fight, wizard, _spared(fight, wizard, casting))


def price_of_counter(cost: int) -> int:
    """The price of a counterspell: one ZEH for each ten of the spell, rounded up. Source: rules 19.6"""
    return -(-cost // _EACH_STARTED)


def is_broken(fight: Fight, kind: str, caster: Fighter, rival: Fighter, price: int) -> bool:
    """Roll for a counterspell that was paid for: it breaks the spell if the totals are at most one apart. Rules 19.6"""
    first, second = fight.throw("counter", caster), fight.throw("counter", rival)
    is_void = abs(first.total - second.total) <= _NEAR
    rolls, to = (first.total, second.total), "void" if is_void else ""
    fight.record.tell(kind, rival, whom=caster.number, rolls=rolls, points=(price,), to=to)
    return is_void


def _is_countered(fight: Fight, caster: Fighter, casting: _Casting) -> bool:
    """Let each enemy wizard who wants to and can pay try one counterspell. Source: rules 19.6, R-056"""
    price = price_of_counter(casting.cost)
    for wizard, wizardry in wizards(fight, sorted(fight.foes[caster.party.ruler])):
        if casting.cost < wizard.army.plan.counter or wizardry.zeh < price:
            continue
        wizardry.zeh -= price
        if is_broken(fight, course.COUNTER, caster, wizard, price):
            return True
    return False


def _spared(fight: Fight, caster: Fighter, casting: _Casting) -> _Casting:
    """The spell without priests who counter it and mystics who ward it off, each for himself alone. 14.3, 20.4"""
    price = price_of_counter(casting.cost)
    left = []
    for each in casting.targets:
        if each.store is not None and fight.are_foes(caster, each) and _wards(fight, caster, each):
            continue
        devotion = each.devotion
        is_able = devotion is not None and fight.are_foes(caster, each) and not each.is_held
        if devotion is not None and is_able and casting.cost >= each.army.plan.counter and devotion.zeh >= price:
            devotion.zeh -= price
            if is_broken(fight, course.DEFIED, caster, each, price):
                continue
        left.append(each)
    return replace(casting, targets=tuple(left))


def _wards(fight: Fight, caster: Fighter, mystic: Fighter) -> bool:
    """Roll whether a mystic wards a spell off himself, at no cost. Source: rules 14.3"""
    if mystic.is_held:
        return False
    total = fight.throw("ward", mystic).total
    is_void = total >= _WARDS
    fight.record.tell(course.WARDED, mystic, whom=caster.number, rolls=(total,), to="void" if is_void else "")
    return is_void


def _take_effect(fight: Fight, wizard: Fighter, casting: _Casting) -> None:
    fight.changes += 1
    match casting.spell.name:
        case spell if spell == DRY:
            fight.land.rivers -= casting.edges
            fight.land.floods -= casting.edges
        case spell if spell == FLOOD:
            fight.land.floods |= casting.edges
        case spell if spell == GATES:
            assert casting.gate is not None, "some gate"
            _move_gate(fight, wizard, casting.gate)
        case spell if spell in (DISPLACE, BEINGS):
            _displace(fight, casting)
        case spell:
            enchant(fight, wizard.party.ruler, spell, casting.targets)
            if casting.goal is not None:
                _displace(fight, casting)


def enchant(fight: Fight, ruler: PowerId, spell: str, targets: Iterable[Fighter]) -> None:
    """Put a spell of a ruler's side on figures, for as long as it lasts.

    After a triple in another side's turn, the side's next turn may still be to come in this round.
    """
    lasts = _ROUNDS[spell] if spell in _ROUNDS else _TURNS.get(spell, 1) - (ruler in fight.this_round.waiting)
    for each in targets:
        each.under[spell] = Enchantment(ruler, fight.round + lasts)
        if spell in (PARALYSE, PETRIFY):
            fight.break_ranks(each)
    fight.changes += 1
    fight.has_enchanted()


def _displace(fight: Fight, casting: _Casting) -> None:
    assert casting.goal is not None, "somewhere"
    for each in casting.targets:
        fight.break_ranks(each)
    for each in casting.targets:
        if each.carrier is None and each.serves is None:
            fight.move(each, casting.goal)
            fight.record.tell(course.MOVE, each, path=(fight.record.spotted(casting.goal),))


# Challenges


def _challenge(fight: Fight, wizard: Fighter, who: PowerId) -> bool:
    """Let both wizards roll in turn, the challenged one first; whoever first rolls less than the other loses. Source:
    rules 19.6,
    R-055"""
    found = next(wizards(fight, (who,)), None) if who in fight.foes[wizard.party.ruler] else None
    if found is None:
        return False
    rivals = (found[0], wizard)
    rolls = [fight.throw("duel", rivals[0]).total]
    while True:
        rolls.append(fight.throw("duel", rivals[len(rolls) % 2]).total)
        if rolls[-1] < rolls[-2]:
            break
    loser = rivals[(len(rolls) - 1) % 2]
    fight.record.tell(course.CHALLENGE, wizard, whom=found[0].number, rolls=tuple(rolls), helpers=(loser.number,))
    fight.make_mortal(loser)
    bearers.win_from(fight, loser, next(each for each in rivals if each is not loser))
    return True


def forsake(fight: Fight) -> None:
    """At the end of a round, a mortal wizard falls with the rest of his side. Source: rules 19.7"""
    for each in [each for each in fight.living() if each.wizardry is not None and each.wizardry.is_mortal]:
        left = {ruler for ruler in fight.foes if fight.people(ruler)}
        if left and left <= fight.foes[each.party.ruler]:
            fight.record.tell(course.FORSAKEN, each, fallen=[each])
            fight.fall(each)


# Triples


def await_triples(fight: Fight) -> None:
    """Let triples of warriors feed their wizards from now on."""

    def feed(fighter: Fighter) -> None:
        _feed(fight, fighter)

    fight.on_triple = feed


def _feed(fight: Fight, fighter: Fighter) -> None:
    """Give a wizard what a triple brings; he has to spend a part of it at once.

    Source: rules 19.3, 19.7, ruling KA84
    """
    ruler = fighter.party.ruler
    mystic = next((each for each in fight.living(ruler) if each.store is not None), None)
    if mystic is not None and mystic.army.plan.forced == TO_MYSTIC:
        _feed_mystic(fight, fighter, mystic)
        return
    wizard = next((each for each in fight.living(ruler) if each.code == WIZARD), None)
    if wizard is None or wizard.wizardry is None:
        fight.absent_triples[ruler] += 1
        return
    wizardry = wizard.wizardry
    is_apprentice = wizardry.known < len(SPELLS)
    wizardry.zeh = max(wizardry.zeh, min(STORE, wizardry.zeh + _TRIPLE - FORCED))
    fight.record.tell(course.TRIPLE, fighter, whom=wizard.number, points=(_TRIPLE - FORCED,))
    if wizardry.is_mortal or wizard.is_held:
        return
    if is_apprentice:
        wizardry.known += 1
        if wizardry.cast_in == fight.round:
            return
    casting = _forced(fight, wizard, FORCED if not is_apprentice else min(FORCED, wizardry.zeh))
    if casting is None:
        return
    if is_apprentice:
        wizardry.zeh -= casting.cost
        wizardry.cast_in = fight.round
    _cast(fight, wizard, casting)


def _feed_mystic(fight: Fight, fighter: Fighter, mystic: Fighter) -> None:
    """Give a mystic what a wizard would keep; the ten for an immediate spell lapse. Source: R-037, ruling KA199"""
    assert mystic.store is not None, "a mystic"
    mystic.store = max(mystic.store, min(STORE, mystic.store + _TRIPLE - FORCED))
    fight.record.tell(course.TRIPLE, fighter, whom=mystic.number, points=(_TRIPLE - FORCED,))


def _forced(fight: Fight, wizard: Fighter, budget: int) -> _Casting | None:
    """The immediate spell: that of the TRIPLE line, or strengthening, on figures in contact, by number, until it is
    spent. R-054
    """
    wanted = wizard.army.plan.forced
    spell = SPELL[STRENGTHEN if wanted in ("", TO_MYSTIC) else wanted]
    assert wizard.wizardry is not None, "a wizard"
    if wizard.wizardry.known <= SPELLS.index(spell):
        return None
    is_own = spell.meant is Meant.OWN
    targets: list[Fighter] = []
    fields = contacts(fight, wizard.party.ruler, is_own=is_own)
    there = [each for kf in fields for each in targets_in(fight, wizard.party.ruler, spell, kf, is_own=is_own)]
    for each in sorted(there, key=lambda each: each.number):
        if cost_of(spell, (*targets, each)) <= budget:
            targets.append(each)
    if not targets:
        return None
    return _Casting(spell, cost_of(spell, targets), tuple(sorted({each.kf for each in targets})), tuple(targets))
