"""How the players choose their first centres, list by list, and their castles.

Source: rule 3 and its Start Table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.play import Resolution
from engine.feudal.board import land_of
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    KING,
    MOST_LISTS,
    START_TABLE,
    Castle,
    Choose,
    Order,
    Setup,
    StartRow,
    State,
    Unit,
    format_order,
    subject,
)
from engine.provinces.phases import Phase, PhaseKind, Season


def start_row(state: State) -> StartRow:
    """The row of the table that this game begins by; a lone power in a document is treated as two."""
    rows = [row for row in START_TABLE if row.players == max(2, len(state.powers))]
    return rows[min(int(state.options["start_row"]), len(rows)) - 1]


def is_quick(state: State) -> bool:
    """Whether one list is for all of a player's centres. Source: ruling F25"""
    return bool(state.options["quick_choosing"])


def wanted(state: State, power: PowerId) -> int:
    """How many centres a list of the power is for now."""
    lacking = max(0, start_row(state).centres - len(standing_centres(state, power)))
    return lacking if is_quick(state) else min(1, lacking)


def round_number(state: State) -> int:
    """Which centre is being chosen, from 1; one more than there are: the castles are."""
    return min((len(state.owned(power)) for power in state.powers), default=0) + 1


def is_castle_round(state: State) -> bool:
    """Whether everybody has all his centres and names his castle."""
    return round_number(state) > start_row(state).centres


def standing_centres(state: State, power: PowerId) -> tuple[PlaceId, ...]:
    """The centres that a power has for good: a new list gives back what it got in this round."""
    got = state.setup.got.get(power)
    return tuple(centre for centre in state.owned(power) if centre != got)


def least_distance(state: State, power: PowerId) -> int:
    """How far a new centre has to be from those that the power has; less where else there were none at all.

    Source: ruling F4.
    """
    free, own = _free(state), standing_centres(state, power)
    row = start_row(state)
    least = 0 if state.options["close_starts"] else row.distance
    while least > 0 and not _far_enough(state, free, own, least):
        least -= 1
    return least


def legal_centres(state: State, power: PowerId) -> tuple[PlaceId, ...]:
    """What a power may put on its list now, by id; nothing where one list was for all, and gave all."""
    if is_quick(state) and not wanted(state, power):
        return ()
    return _far_enough(state, _free(state), standing_centres(state, power), least_distance(state, power))


def _free(state: State) -> tuple[PlaceId, ...]:
    homes = land_of(state.variant.board).barbarian_homes
    return tuple(sorted(centre for centre, owner in state.centres.items() if owner is None and centre not in homes))


def _far_enough(state: State, centres: Sequence[PlaceId], own: Sequence[PlaceId], least: int) -> tuple[PlaceId, ...]:
    distance = land_of(state.variant.board).distance
    return tuple(centre for centre in centres if all(distance[one].get(centre, 99) >= least for one in own))


def rotated(state: State, power: PowerId, centres: Sequence[PlaceId]) -> tuple[PlaceId, ...]:
    """Centres, for each power from another one on: who sends an example of a list should not clash with all others."""
    first = len(centres) * state.powers.index(power) // len(state.powers)
    return (*centres[first:], *centres[:first])


def spread(state: State, power: PowerId) -> tuple[PlaceId, ...]:
    """Legal centres that are far enough from each other, as many as a list is for: an example of a list."""
    found: list[PlaceId] = []
    least = least_distance(state, power)
    for centre in rotated(state, power, legal_centres(state, power)):
        if len(found) < wanted(state, power) and _far_enough(state, [centre], found, least):
            found.append(centre)
    return tuple(found)


def nearest_own(state: State, power: PowerId, centre: PlaceId) -> tuple[PlaceId, int]:
    """The power's centre that is nearest to another, and how many moves away."""
    distance = land_of(state.variant.board).distance[centre]
    nearest = min(standing_centres(state, power), key=lambda own: (distance.get(own, 99), own))
    return nearest, distance.get(nearest, 99)


def list_length(state: State, power: PowerId) -> int:
    """How many entries the power's list has: shorter than the table says only if fewer are legal.

    A list for several centres is as long as the lists for each of them together.
    """
    lists = wanted(state, power) if is_quick(state) else 1
    return min(start_row(state).length * lists, len(legal_centres(state, power)))


def enough_entries(state: State, power: PowerId) -> int:
    """How many entries give a list for several centres as much choice at the last as a list for it alone."""
    return min(wanted(state, power) + start_row(state).length - 1, list_length(state, power))


def must_choose(state: State, power: PowerId) -> bool:
    """Whether a power still has no centre of this round; others may send a new list and give theirs back."""
    return bool(wanted(state, power)) if is_quick(state) else power not in state.setup.got


def accepted_choices(state: State, power: PowerId, sheet: Sequence[Order]) -> tuple[Choose, ...]:
    """The entries of a sheet that stand, best first: legal ones, none twice, no more than the list holds."""
    legal, length = legal_centres(state, power), list_length(state, power)
    entries: dict[PlaceId, Choose] = {}
    ranks: set[int] = set()
    for entry in sorted((order for order in sheet if isinstance(order, Choose)), key=_by_rank):
        if entry.centre in legal and entry.centre not in entries and entry.rank not in ranks and len(entries) < length:
            entries[entry.centre] = entry
            ranks.add(entry.rank)
    return tuple(entries.values())


def _by_rank(entry: Choose) -> tuple[int, str]:
    return entry.rank, entry.centre


# A round


@dataclass(slots=True)
class _Round:
    """Lists being worked through, step by step."""

    lists: dict[PowerId, list[PlaceId]]
    got: dict[PowerId, PlaceId]
    outcomes: dict[tuple[PowerId, PlaceId], tuple[Outcome, Phrase]]

    def work(self) -> None:
        """One choice a step; whoever names a centre alone has it. Source: rule 3."""
        waiting = list(self.lists)
        for step in range(max(map(len, self.lists.values()), default=0)):
            named = {power: self.lists[power][step] for power in waiting if step < len(self.lists[power])}
            taken = {centre: power for power, centre in self.got.items()}
            for power, centre in named.items():
                rivals = tuple(other for other, wish in named.items() if wish == centre and other != power)
                if centre in taken:
                    ending = Outcome.BOUNCES, phrase("outcome.already_given", place=centre, power=taken[centre])
                elif rivals:
                    ending = Outcome.BOUNCES, phrase("outcome.clash", place=centre, powers=rivals)
                else:
                    self.got[power] = centre
                    ending = Outcome.SUCCEEDS, phrase("outcome.chosen", place=centre)
                self.outcomes[power, centre] = ending
            waiting = [power for power in waiting if power not in self.got]


def adjudicate_choice(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    """Open all lists together, and give each the centre that is his, or all of his where one list is for all.

    Source: rules 3; ruling F2.
    """
    if is_quick(state):
        return _adjudicate_all_rounds(state, sheets, dice)
    orders = {power: accepted_choices(state, power, sheets.get(power, ())) for power in state.powers}
    senders = [power for power in state.powers if orders[power] or must_choose(state, power)]
    lots: list[Event] = []
    current: dict[PowerId, list[PlaceId]] = {}
    for power in senders:
        current[power] = [order.centre for order in orders[power]]
        missing = list_length(state, power) - len(current[power])
        if missing:
            left = [centre for centre in legal_centres(state, power) if centre not in current[power]]
            drawn = dice.shuffled(f"list/{power}", left, purpose=phrase("roll.list", power=power))[:missing]
            current[power] += drawn
            lots.append(Event(phrase("event.list_filled", power=power, places=drawn)))
    kept = {power: centre for power, centre in state.setup.got.items() if power not in current}
    game = _Round(current, kept, {})
    game.work()
    events = [*lots, *_clashes(game)]
    waiting = [power for power in senders if power not in game.got]
    lists = state.setup.lists + 1
    if waiting and lists == MOST_LISTS:
        events += _draw_lots(state, game, waiting, dice)
        waiting = []
    centres = dict(state.centres)
    for centre in state.setup.got.values():
        centres[centre] = None
    for power, centre in game.got.items():
        centres[centre] = power
    events += [Event(phrase("event.got_centre", power=power, place=game.got[power])) for power in state.powers
               if power in game.got]  # fmt: skip
    if waiting:
        events.append(Event(phrase("event.list_used_up", powers=tuple(waiting))))
    got = {power: game.got[power] for power in state.powers if power in game.got}
    after = replace(state, centres=centres, setup=Setup(lists, got) if waiting else Setup())
    return Resolution(after, tuple(_results(orders, game)), tuple(events))


def _clashes(game: _Round) -> list[Event]:
    clashed: dict[PlaceId, list[PowerId]] = {}
    for (power, centre), (_, why) in game.outcomes.items():
        if why.code == "outcome.clash":
            clashed.setdefault(centre, []).append(power)
    return [
        Event(phrase("event.clash", place=centre, powers=tuple(powers))) for centre, powers in sorted(clashed.items())
    ]


def _draw_lots(state: State, game: _Round, waiting: Sequence[PowerId], dice: Dice) -> list[Event]:
    """The third lists are used up: in a random order each gets a centre.

    Only where a position leaves none at all does somebody go without.
    """
    events = []
    for power in dice.shuffled("order", waiting, purpose=phrase("roll.order")):
        own, taken = standing_centres(state, power), tuple(game.got.values())
        centre = _by_lot(state, power, own, game.lists[power], taken, dice, f"lot/{power}")
        if centre is not None:
            game.got[power] = centre
            events.append(Event(phrase("event.lot", power=power, place=centre)))
    return events


def _by_lot(
    state: State,
    power: PowerId,
    own: Sequence[PlaceId],
    wishes: Sequence[PlaceId],
    taken: Sequence[PlaceId],
    dice: Dice,
    label: str,
) -> PlaceId | None:
    """The first centre of a list that is still to be had, else a random one. Source: ruling F3"""
    least = least_distance(state, power)
    wished = _far_enough(state, [centre for centre in wishes if centre not in taken], own, least)
    if wished:
        return wished[0]
    pool = [centre for centre in _free(state) if centre not in taken and centre not in own]
    while not (far := _far_enough(state, pool, own, least)) and least:
        least -= 1
    return dice.pick(label, far, purpose=phrase("roll.lot", power=power)) if far else None


def _results(orders: Mapping[PowerId, Sequence[Choose]], game: _Round) -> list[OrderResult[Order]]:
    found: list[OrderResult[Order]] = []
    for power, entries in orders.items():
        for entry in entries:
            default = Outcome.VOID, phrase("outcome.not_needed")
            outcome, why = game.outcomes.get((power, PlaceId(entry.centre)), default)
            found.append(OrderResult(power, entry, format_order(entry), subject(entry), outcome, why))
    return found


# All rounds at once


@dataclass(slots=True)
class _Choice:
    """Lists for several centres, worked through round by round."""

    state: State
    lists: Mapping[PowerId, Sequence[PlaceId]]
    owned: dict[PowerId, list[PlaceId]]
    taken: dict[PlaceId, PowerId]
    outcomes: dict[tuple[PowerId, PlaceId], tuple[Outcome, Phrase]]

    def lacking(self) -> list[PowerId]:
        """Who has fewer centres than the table says."""
        centres = start_row(self.state).centres
        return [power for power in self.lists if len(self.owned[power]) < centres]

    def work(self) -> None:
        """Rounds as they are with a list for each: nothing that is gone, nothing too near; until one gives nothing."""
        while True:
            lists = {power: self._left(power) for power in self.lacking()}
            game = _Round(lists, {}, self.outcomes)
            game.work()
            if not game.got:
                return
            for power, centre in game.got.items():
                self.give(power, centre)

    def _left(self, power: PowerId) -> list[PlaceId]:
        free = [centre for centre in self.lists[power] if centre not in self.taken]
        return list(_far_enough(self.state, free, self.owned[power], least_distance(self.state, power)))

    def give(self, power: PowerId, centre: PlaceId) -> None:
        """The centre is the power's."""
        self.owned[power].append(centre)
        self.taken[centre] = power

    def passed_over(self, power: PowerId, centre: PlaceId) -> tuple[Outcome, Phrase]:
        """Why an entry was never looked at: it came behind the last that was needed, it was gone, or too near."""
        wishes = list(self.lists[power])
        last = max((wishes.index(wish) for wish in wishes if self.taken.get(wish) == power), default=0)
        if power not in self.lacking() and wishes.index(centre) > last:
            return Outcome.VOID, phrase("outcome.not_needed")
        if centre in self.taken:
            given = phrase("outcome.already_given", place=centre, power=self.taken[centre])
            return Outcome.BOUNCES, given
        if not _far_enough(self.state, [centre], self.owned[power], least_distance(self.state, power)):
            return Outcome.VOID, phrase("outcome.too_near", place=centre)
        return Outcome.VOID, phrase("outcome.not_needed")


def _adjudicate_all_rounds(
    state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice
) -> Resolution[State, Order]:
    """Open all lists together and work through all rounds; who then has too few is asked again. Source: ruling F25"""
    asked = [power for power in state.powers if wanted(state, power)]
    orders = {power: accepted_choices(state, power, sheets.get(power, ())) for power in asked}
    events: list[Event] = []
    lists: dict[PowerId, Sequence[PlaceId]] = {}
    for power in asked:
        lists[power] = [entry.centre for entry in orders[power]]
        if not lists[power]:
            legal = legal_centres(state, power)
            drawn = dice.shuffled(f"list/{power}", legal, purpose=phrase("roll.list", power=power))
            lists[power] = drawn[: list_length(state, power)]
            events.append(Event(phrase("event.list_drawn", power=power, places=tuple(lists[power]))))
    choice = _Choice(state, lists, {power: list(state.owned(power)) for power in asked}, {}, {})
    choice.work()
    results = []
    for power, entries in orders.items():
        for entry in entries:
            outcome, why = choice.outcomes.get((power, entry.centre)) or choice.passed_over(power, entry.centre)
            results.append(OrderResult(power, entry, format_order(entry), subject(entry), outcome, why))
    events += [
        event for event in _clashes(_Round({}, {}, choice.outcomes)) if event.what.args["place"] not in choice.taken
    ]
    used = state.setup.lists + 1
    if used == MOST_LISTS:
        events += _draw_all_lots(choice, dice)
    events += _who_got_what(choice)
    waiting = [power for power in choice.lacking() if used < MOST_LISTS]
    if waiting:
        events.append(Event(phrase("event.too_few", powers=tuple(waiting))))
    after = replace(state, centres={**state.centres, **choice.taken}, setup=Setup(used) if waiting else Setup())
    return Resolution(after, tuple(results), tuple(events))


def _draw_all_lots(choice: _Choice, dice: Dice) -> list[Event]:
    """The third lists are used up: lots, one centre a round, until everybody has all of his."""
    events: list[Event] = []
    for number in range(1, start_row(choice.state).centres + 1):
        for power in dice.shuffled(f"order/{number}", choice.lacking(), purpose=phrase("roll.order")):
            own, wishes = choice.owned[power], choice.lists[power]
            centre = _by_lot(choice.state, power, own, wishes, tuple(choice.taken), dice, f"lot/{power}/{number}")
            if centre is not None:
                choice.give(power, centre)
                events.append(Event(phrase("event.lot", power=power, place=centre)))
    return events


def _who_got_what(choice: _Choice) -> Iterator[Event]:
    for power in choice.lists:
        got = tuple(centre for centre, owner in choice.taken.items() if owner == power)
        if got:
            yield Event(phrase("event.got_centres", power=power, places=got))


# Castles


def adjudicate_castles(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Resolution[State, Order]:
    """Each names a castle, where the King begins; armies begin in the other centres. Source: rules 3; ruling F5."""
    results, events = [], []
    castles: dict[PlaceId, PowerId | None] = {}
    units = [unit for unit in state.units if unit.power == BARBARIANS]
    for power in state.powers:
        own = state.owned(power)
        named = [order for order in sheets.get(power, ()) if isinstance(order, Castle) and order.centre in own]
        order = min(named, key=lambda order: order.centre) if named else Castle(own[0])
        castle = order.centre
        code = "outcome.castle" if named else "outcome.castle_by_default"
        why = phrase(code, place=castle)
        results.append(OrderResult(power, order, format_order(order), subject(order), Outcome.SUCCEEDS, why))
        events.append(Event(phrase("event.castle", power=power, place=castle)))
        castles[castle] = power
        units += [Unit(power, KING if centre == castle else ARMY, centre) for centre in own]
    land = land_of(state.variant.board)
    after = replace(
        state,
        phase=Phase(state.phase.year, Season.SPRING, PhaseKind.MOVEMENT),
        units=tuple(sorted(units, key=lambda unit: land.space_of[unit.at])),
        castles={centre: castles[centre] for centre in land.centres if centre in castles},
        setup=Setup(),
    )
    return Resolution(after, tuple(results), tuple(events))
