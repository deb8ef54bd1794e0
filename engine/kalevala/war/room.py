"""Battles before they are fought: where everybody would stand, how it would go, and a plan to begin with.

All of it is based on the view: the enemy is what the viewer's scouts saw in this great round, or what the viewer
enters; land that was never seen is taken to be plain. The dice are independent of the game's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.dice import Dice, Streams
from engine.core.ids import PowerId
from engine.kalevala.battle.course import TWELVE
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.ending import BattleEnd, course_of
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.board import others
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import (
    Figures,
    count_of,
    format_figures,
    has_people,
    is_part,
    kind_of,
    load_of,
    minus,
    plus,
    warriors,
    with_loads,
    worth,
)
from engine.kalevala.land import UNKNOWN, land_of
from engine.kalevala.model import DEEDS_PART, PLAIN, GreatField, State, View
from engine.kalevala.orders import Enter, Line
from engine.kalevala.rounds import attempt
from engine.kalevala.sea.craft import hull_of, with_load
from engine.kalevala.steps.entering import OCCUPATION, PERMITTED, WAR
from engine.kalevala.steps.mustering import muster
from engine.kalevala.steps.quarrels import muster_quarrel, quarrels
from engine.kalevala.tables import UNSEEN
from engine.kalevala.telling.account import BattleAccount, Stand
from engine.kalevala.telling.reading import account_of
from engine.kalevala.war.plans import BATTLE, DEFEND, Block
from engine.kalevala.window import Entering, Window
from engine.kalevala.wizards.spells import SPELLS, START, wizard_item

MOST_BATTLES, LEAST_BATTLES = 120, 20
START_WIZARD = wizard_item(START, len(SPELLS))
FIGHTING = 15_000
"""Figures times battles that a trial may take: usually less than twenty seconds."""
_LAST_STEPS = 10
"""The round from which archers go for the trade centre: undecided land is whose figures are there. Source: rules B25"""
_PLAIN, _BARRED = "T", "G"
"""Stands for land that was never seen; next to the known parts of a divided field nobody can go."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of a battle that was fought many times.

    Args:
        battles: how often.
        wins, defeats: how often the ruler's side, and the other, held the site in the end.
        rounds: how long a battle took on average.
        lost, killed: the average share, by RE, of the ruler's figures, and of the others', that fell.
        usual: the most typical of the battles.
    """

    ruler: PowerId
    battles: int
    wins: int
    defeats: int
    rounds: float
    lost: float
    killed: float
    usual: BattleAccount


def site_at(view: View, orders: Sequence[Line], place: Province, enemy: Figures | None) -> BattleSite | None:
    """The battle for a province, with the plans in the sheet; `None`: there would be none.

    Args:
        place: what the viewer enters, a province of the viewer's to which others could come, or any where the viewer's
            people stand with those of a ruler with whom there is war. Rulings KA275, KA295
        enemy: who is there, or comes; `None`: those who were seen.
    """
    ruler = view.viewer
    if ruler is None or view.state.part != DEEDS_PART:
        return None
    state = _with_enemy(view, place, enemy)
    trial = attempt(state, ruler, orders)
    own = [entry for entry in trial.entering if entry.order.kind == WAR and entry.target == place]
    for entry in own:
        _let_go_on(trial, entry)
    if not own and enemy is None and place in quarrels(trial) and has_people(trial.stack(ruler, place)):
        return _with_zeh(muster_quarrel(trial, place).site)
    assaults = own or [*_assault_on(trial, ruler, place)]
    found = [_with_zeh(each.site) for each in muster(trial, assaults)] if assaults else []
    # So little of a divided field may be known that nobody could stand there.
    return next((site for site in found if len(site.parties) > 1 and all(map(site.ground.cells, site.provinces))), None)


def earlier_battles(orders: Sequence[Line], place: Province) -> tuple[Province, ...]:
    """Land that other entries of the viewer have to take first, before the province is attacked from there. KA19"""
    entries = [line.order for line in orders if isinstance(line.order, Enter)]
    taken = {order.target for order in entries if order.kind != PERMITTED}
    sources = (order.source for order in entries if order.kind == WAR and order.target == place)
    return tuple(dict.fromkeys(source for source in sources if source in taken))


def _let_go_on(trial: Window, entry: Entering) -> None:
    """Put figures that another entry brings to the source of this one there, as if it had cost nothing. Ruling KA19"""
    ruler, start = entry.ruler, entry.source
    arriving = [each for each in trial.entering if (each.ruler, each.target) == (ruler, start)]
    for other in arriving:
        # A guest takes nothing from the host.
        if other.order.kind != PERMITTED and is_part(dict(other.order.figures), trial.stack(ruler, other.source)):
            trial.shift(ruler, dict(other.order.figures), other.source, start, is_marked=False)
            trial.owners[start] = ruler
            if other.order.kind == OCCUPATION:
                trial.newly.setdefault(ruler, {})[start] = trial.gr
            for foe in trial.rulers:
                if foe != ruler:
                    trial.stacks[foe].pop(start, None)


def _with_zeh(site: BattleSite) -> BattleSite:
    """Nobody knows how many ZEH others' wizards have: the number with which they began is assumed.

    Source: ruling KA85.
    """

    def known(figures: Figures) -> Figures:
        return {START_WIZARD if item == "Z" else item: count for item, count in figures.items()}

    armies = [
        replace(
            army,
            figures=known(army.figures),
            craft=tuple(with_load(hull_of(item), known(load_of(item))) for item in army.craft),
        )
        for army in site.armies
    ]
    return replace(site, armies=tuple(armies))


def stands_of(site: BattleSite) -> tuple[Stand, ...]:
    """Where everybody stands before the first round, by plan or by default."""
    fight = Fight(site, Streams(Dice("")))
    deploy(fight)
    return account_of(course_of(fight, TWELVE, None)).start


def battles_for(site: BattleSite) -> int:
    """How often a battle can be tried; 0: it is too large to be tried often enough."""
    figures = sum(count for army in site.armies for count in with_loads(army.whole).values())
    battles = min(MOST_BATTLES, FIGHTING // max(figures, 1))
    return battles if battles >= LEAST_BATTLES else 0


def try_out(site: BattleSite, ruler: PowerId) -> Trial:
    """Fight a battle again and again."""
    battles = battles_for(site)
    ends = [fight_out(site, Streams(Dice(f"trial {number}"))) for number in range(battles)]
    foes = {other for one, other in site.foes if one == ruler}
    wins = [end for end in ends if end.course.winner is not None and end.course.winner not in foes]
    defeats = [end for end in ends if end.course.winner in foes]
    return Trial(
        ruler=ruler,
        battles=battles,
        wins=len(wins),
        defeats=len(defeats),
        rounds=sum(end.course.length for end in ends) / battles,
        lost=_share(site, ends, {party.ruler for party in site.parties} - foes),
        killed=_share(site, ends, foes),
        usual=account_of(_usual(max((wins, defeats, _undecided(ends)), key=len)).course),
    )


def _undecided(ends: Sequence[BattleEnd]) -> list[BattleEnd]:
    return [end for end in ends if end.course.winner is None]


def _usual(ends: Sequence[BattleEnd]) -> BattleEnd:
    """The battle in the middle, by length, then by cost."""
    ranked = sorted(ends, key=lambda end: (end.course.length, sum(worth(lost) for lost in end.course.lost.values())))
    return ranked[len(ranked) // 2]


def _share(site: BattleSite, ends: Sequence[BattleEnd], rulers: set[PowerId]) -> float:
    """The average share of what some rulers had that was lost."""
    had = sum(worth(army.whole) for army in site.armies if army.ruler in rulers)
    lost = sum(worth(end.course.lost.get(ruler, {})) for end in ends for ruler in rulers)
    return lost / (had * len(ends)) if had else 0.0


# --- The position, as far as the viewer knows ------------------------------------------------------------------


def _with_enemy(view: View, place: Province, enemy: Figures | None) -> State:
    """The position as the viewer knows it, with all relevant land made visible, and the enemy in place."""
    state, ruler = view.state, view.viewer
    assert ruler is not None, "a player's view"
    land = land_of(state)
    near = {gf_of(place), *(gf_of(other) for other in land.links(place)), *state.land}
    fields = {gf: _seen(state.land.get(gf, UNKNOWN)) for gf in near}
    state = state.replace(land=fields)
    if enemy is None:
        return state
    foe = foe_at(view, place)
    at = place if state.owners.get(place) != ruler else _neighbour(view, place)
    if at is None:
        return state
    stacks = {name: dict(own) for name, own in state.stacks.items()}
    for name in stacks:
        if name != ruler:
            stacks[name].pop(at, None)
    stacks.setdefault(foe, {})[at] = enemy
    owners = {**state.owners} if at in state.owners or at != place else {**state.owners, at: foe}
    return state.replace(stacks=stacks, owners=owners)


def _seen(field: GreatField) -> GreatField:
    """A field with plain land where nothing is known."""
    if UNSEEN not in field.cells:
        return field
    if set(field.cells) == {UNSEEN}:
        return PLAIN
    return replace(field, cells=field.cells.replace(UNSEEN, _BARRED if field.seen_parts is not None else _PLAIN))


def foe_at(view: View, place: Province) -> PowerId:
    """The enemy: the owner of the land, somebody who was seen there, or else any other ruler in their place."""
    return next(iter((*_foes_known(view, place), *others(view.state, view.viewer))))


def stand_in(view: View, place: Province) -> PowerId | None:
    """Whose name stands for an enemy of whom nothing is known at a place; `None`: it is known who it would be."""
    return None if _foes_known(view, place) else foe_at(view, place)


def _foes_known(view: View, place: Province) -> tuple[PowerId, ...]:
    """Whose land a place is, then who was seen there."""
    owner = view.state.owners.get(place)
    known = (*((owner,) if owner is not None else ()), *view.state.present(place))
    return tuple(ruler for ruler in known if ruler != view.viewer)


def _neighbour(view: View, place: Province) -> Province | None:
    """From where an enemy would come: a linked foreign province where the enemy was seen, else any linked one.

    `None`: nobody can come there.
    """
    links = land_of(view.state).links(place)
    foreign = [other for other in links if view.state.owners.get(other) != view.viewer]
    seen = [other for other in foreign if any(ruler != view.viewer for ruler in view.state.present(other))]
    return next(iter((*seen, *foreign, *links)), None)


def _assault_on(trial: Window, ruler: PowerId, place: Province) -> Iterator[Entering]:
    """An attack on a province of the ruler's by those who were seen next to it."""
    if trial.owners.get(place) != ruler:
        return
    for source in sorted(trial.land.links(place), key=order_of):
        for foe in trial.rulers:
            figures = trial.stack(foe, source)
            if foe != ruler and has_people(figures):
                men = {item: count for item, count in figures.items() if kind_of(item).is_warrior}
                order = Enter(1, source, WAR, place, tuple(men.items()))
                yield Entering(foe, Line(order, 1, str(order)), order, source, place)
                return


def own_battles(view: View, orders: Sequence[Line]) -> tuple[Province, ...]:
    """What the viewer's sheet attacks, where the viewer's people stand with others', and all own provinces."""
    ruler = view.viewer
    if ruler is None or view.state.part != DEEDS_PART:
        return ()
    targets = [line.order.target for line in orders if isinstance(line.order, Enter) and line.order.kind == WAR]
    stacks = view.state.stacks.get(ruler, {})
    shared = [place for place in stacks if has_people(stacks[place]) and any(_others_at(view, place))]
    return tuple(dict.fromkeys((*targets, *sorted(shared, key=order_of), *view.state.owned(ruler))))


def _others_at(view: View, place: Province) -> Iterator[PowerId]:
    """Whom the viewer sees in a province."""
    return (ruler for ruler in view.state.present(place) if ruler != view.viewer)


def fields_of(site: BattleSite) -> tuple[GfId, ...]:
    """The great fields of a site, the one that is attacked first."""
    return tuple(dict.fromkeys(map(gf_of, (site.place, *site.provinces))))


# --- A plan to begin with ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Camp:
    """What a block is for: figures that attack from a province, or those that are in one.

    Args:
        against: the provinces that they attack; empty for a standing defence.
    """

    at: Province
    against: tuple[Province, ...]
    figures: Figures

    @property
    def people(self) -> Figures:
        """Those figures, with all who are aboard craft: magic works from there, too."""
        return with_loads(self.figures)

    @property
    def block(self) -> Block:
        """The opening of the block."""
        return Block(BATTLE if self.against else DEFEND, self.at, self.against)

    @property
    def name(self) -> str:
        """The same as one word; a province has two camps at most."""
        return " ".join(self.block.key)


def camps(view: View, orders: Sequence[Line]) -> tuple[Camp, ...]:
    """Attacks in the sheet, those from one province together, then other places with warriors, guests included."""
    ruler, found = view.viewer, dict[Province, Camp]()
    if ruler is None or view.state.part != DEEDS_PART:
        return ()
    attacks = [line.order for line in orders if isinstance(line.order, Enter) and line.order.kind == WAR]
    for order in attacks:
        camp = found.get(order.source) or Camp(order.source, (), {})
        against = tuple(dict.fromkeys((*camp.against, order.target)))
        found[order.source] = Camp(order.source, against, plus(camp.figures, dict(order.figures)))
    let_in = [line.order for line in orders if isinstance(line.order, Enter) and line.order.kind == PERMITTED]
    stacks = {place: view.state.stack(ruler, place) for place in view.state.owned(ruler)}
    stacks |= dict(view.state.stacks.get(ruler, {}))
    for order in let_in:
        going = dict(order.figures)
        if is_part(going, stacks.get(order.source, {})):
            stacks[order.source] = minus(stacks[order.source], going)
            stacks[order.target] = plus(stacks.get(order.target, {}), going)
    land = land_of(view.state)
    own = (Camp(place, (), stack) for place, stack in stacks.items() if not land.is_sea(place))
    return (*found.values(), *(camp for camp in own if warriors(camp.figures)))


def sensible(view: View, orders: Sequence[Line]) -> Iterator[str]:
    """Blocks for each attack in the sheet, as lines: archers shoot, in the last rounds they go in, as all others do.

    A sheet without attacks gets a standing defence of the ruler's trade centres.
    """
    found = camps(view, orders)
    attacks = [camp for camp in found if camp.against]
    land = land_of(view.state)
    for camp in attacks or found:
        if camp.against or land.centre(camp.at) is not None:
            yield from sensible_block(view, camp)


def sensible_block(view: View, camp: Camp) -> Iterator[str]:
    """A block to begin with, as lines."""
    bows, men = parted(camp.figures)
    centre = land_of(view.state).centre(camp.at)
    yield str(camp.block)
    if camp.against:
        yield from (*_grouped("bows", bows), *_grouped("line", men))
        yield from ("AIM line TAKE HZ",) if men else ()
        yield from ("AIM bows SHOOT", f"AIM bows TAKE HZ FROM {_LAST_STEPS}") if bows else ()
    else:
        if men and centre is not None and centre.cell is not None:
            first = max(men, key=lambda item: men[item])
            yield f"PLACE {centre.cell} {format_figures({first: min(4, men[first])})} G guard"
            yield "AIM guard HOLD"
        yield from _grouped("bows", bows)
        yield from ("AIM bows SHOOT",) if bows else ()
        yield "AIM ALL GUARD"
    yield from _conjured(camp.people)
    yield "END"


def _conjured(figures: Figures) -> Iterator[str]:
    """A wizard holds as many enemies as he can pay for, round by round."""
    if count_of(figures, "Z"):
        yield "CAST PARALYSE FOE BEST EACH"


def parted(figures: Figures) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Archers, and the other warriors."""
    fighting = {item: count for item, count in figures.items() if kind_of(item).is_warrior}
    bows = {item: count for item, count in fighting.items() if kind_of(item).weapon == "B"}
    return bows, {item: count for item, count in fighting.items() if item not in bows}


def _grouped(name: str, figures: Mapping[str, int]) -> Iterator[str]:
    if figures:
        yield f"GROUP {name} {format_figures(figures)}"
