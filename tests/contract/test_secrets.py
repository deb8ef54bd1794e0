"""What a seat can't see changes nothing that it is shown, in any game: views, errors, menus, words, pictures, receipts.

Positions of random games are compared with others that differ in nothing but what a viewer may not know
(`tests/contract/hidden.py`). That the comparison is not blind is shown with games that leak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest

from bot.model import ClosedBecause, Game, GameId, PhaseRecord, StoredSheet, UserId
from bot.services.course import RULES_VERSION
from bot.services.seeds import with_seed
from engine.core.doors import Door
from engine.core.events import visible_events
from engine.core.facts import DoorInfo
from engine.core.ids import PowerId, SystemId
from engine.core.orders import Menu
from engine.core.outcome import may_know
from engine.core.phrases import phrase
from engine.core.reading import read_orders
from engine.core.report import Report
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer
from engine.registry import AnySystem, Order, State, View
from tests import toy_system
from tests.bot.services.shown import everything_shown
from tests.bot.services.world import CREATOR, World
from tests.contract.games import ALL, Step, players_of, random_game, random_sheets
from tests.contract.hidden import WITH_MASTER, own_variants, variants
from tests.toy_system import TOY, ToyState, ToyView

each_system = pytest.mark.parametrize("system", ALL)
STRANGER = UserId(99)
NONSENSE = ("sing", "A", "A BUD - - SER", "?")
LOOKED_AT = (0, 3, 8, 17)
"""Which phases of a random game."""


def _steps(system: SystemId) -> Iterator[Step]:
    steps = random_game(system)
    yield from (steps[number] for number in LOOKED_AT if number < len(steps))


def _viewers(rules: AnySystem, state: State) -> tuple[Viewer, ...]:
    """Everybody, two who play, and a master who sees all; where the rules have none, one sees what everybody does."""
    sees_all = rules.info.id in WITH_MASTER
    assert sees_all or rules.sight.view(state, MASTER) == rules.sight.view(state, EVERYBODY)
    masters = (MASTER,) if sees_all else ()
    return (EVERYBODY, *map(Playing, rules.play.status(state).to_act[:2]), *masters)


# What the rules show


def _shown(rules: AnySystem, step: Step, viewer: Viewer) -> dict[str, Any]:
    """All that a viewer is shown of a phase by the rules, by its name in the protocol."""
    play, orders, telling, state = rules.play, rules.orders, rules.telling, step.state
    view, after = rules.sight.view(state, viewer), rules.sight.view(step.resolution.state, viewer)
    firsts = {choice.value for choice in orders.menu(view, ()).choices[:2]}
    own = step.sheets.get(viewer.power, ()) if viewer.power is not None else ()
    sheet = read_orders(rules, view, "\n".join(map(orders.format, own)))
    foreign = [orders.format(order) for other in step.sheets.values() for order in other[:2]]
    variant = play.variant(state)
    results = [result for result in step.resolution.results if may_know(viewer, result.audience)]
    events = visible_events(step.resolution.events, viewer)
    return {
        "play.status": play.status(state),
        "play.variant": (dict(variant.powers), variant.spaces, variant.settings),
        "play.leaders": play.leaders(state),
        "play.consent_needed": play.consent_needed(state) if play.consent_needed else None,
        "sight.view": view,
        "sight.atlas": rules.sight.atlas(view),
        "orders.parse, check": [read_orders(rules, view, text) for text in (*NONSENSE, *foreign, "\n".join(foreign))],
        "orders.advise": orders.advise(view, sheet.orders),
        "orders.missing": (orders.missing(view, ()), orders.missing(view, own)),
        "orders.otherwise": (orders.otherwise(view, ()), orders.otherwise(view, own)),
        "orders.template": (orders.template(view, ()), orders.template(view, own)),
        "orders.suggest": [orders.suggest(view, text[:size]) for text in foreign[:4] for size in (0, 1, 4)],
        "orders.menu": list(_menus(rules, view)),
        "orders.shortlists": orders.shortlists(view, firsts, own),
        "orders.legal": orders.legal(view),
        "orders.default": orders.default(view),
        "orders.requests": orders.requests(view, own),
        "orders.rehearse": orders.rehearse(view, sheet.orders) if orders.rehearse else None,
        "sight.document": rules.sight.document(view),
        "telling.briefing": telling.briefing(view),
        "telling.text_board": telling.text_board(view),
        "telling.goal": telling.goal(view),
        "telling.examples": telling.examples(view),
        "telling.report": telling.report(after, results, events),
        "telling.headline": telling.headline(view, after),
        "telling.albums": telling.albums(view, events),
        "telling.newspaper": telling.newspaper(after, events, events) if telling.newspaper else None,
        "telling.ledger": telling.ledger(after) if telling.ledger else None,
        "telling.measures": telling.measures(after) if telling.measures else None,
        "telling.era": telling.era(view) if telling.era else None,
        "telling.scene": (telling.scene(view, orders=own), telling.scene(view, results=results, events=events)),
        "telling.standings": (telling.standings(view), telling.standings(after)) if telling.standings else None,
        "telling.rows": telling.rows.of_results(view, results, {}, str) if telling.rows else None,
        "doors": [_through(door, view, own) for door in rules.doors],
    }


def _menus(rules: AnySystem, view: View) -> Iterator[Menu]:
    """The guided flow's first step, and one way through it."""
    path: list[str] = []
    menu = rules.orders.menu(view, path)
    yield menu
    while menu.order is None and menu.choices:
        path.append(menu.choices[len(menu.choices) // 2].value)
        menu = rules.orders.menu(view, path)
        yield menu


def _through(door: Door[View, Order], view: View, own: Sequence[Order]) -> list[Any]:
    return [
        door.is_open(view, own) if door.is_open else None,
        door.path(view) if door.path else None,
        door.page(view, own) if door.page else None,
        door.form.text(view, own) if door.form else None,
        door.briefing(view) if door.briefing else None,
        *(complete(view, own) for complete in door.completions.values()),
    ]


def leaks(rules: AnySystem, steps: Sequence[Step]) -> set[str]:
    """What in these phases tells somebody what they may not know. Names alone: the secrets are not repeated."""
    found = set()
    for step in steps:
        for viewer in _viewers(rules, step.state):
            shown = _shown(rules, step, viewer)
            ends = list(variants(rules, step.resolution.state, viewer))
            for number, other in enumerate(variants(rules, step.state, viewer)):
                resolution = replace(step.resolution, state=ends[min(number, len(ends) - 1)])
                varied = _shown(rules, Step(other, step.sheets, resolution), viewer)
                found |= {name for name in shown if shown[name] != varied[name]}
    return found


@each_system
def test_what_a_viewer_may_not_know_changes_nothing_that_the_rules_show(system: SystemId) -> None:
    assert leaks(ALL[system], list(_steps(system))) == set()


@pytest.mark.parametrize("system", [system for system, rules in ALL.items() if rules.info.has_secrets])
def test_a_game_with_secrets_says_what_they_are(system: SystemId) -> None:
    """What is varied is kept from one and known to another, so the variants are about something."""
    assert _own_secrets_shown(ALL[system], random_game(system))


def _own_secrets_shown(rules: AnySystem, steps: Sequence[Step]) -> bool:
    return any(
        rules.sight.view(step.state, Playing(owner)) != rules.sight.view(other, Playing(owner))
        for step in steps
        for viewer in _viewers(rules, step.state)
        for other in own_variants(rules)(step.state, viewer)
        for owner in rules.play.variant(step.state).powers
        if owner != viewer.power
    )


# What the bot shows


def _world_at(
    system: SystemId, state: State, sheets: Mapping[PowerId, Sequence[Order]], before: Step
) -> tuple[World, GameId]:
    """A running game at this position, with the sheets of all but the first who has to act sent in.

    Args:
        before: the phase that has just been closed.
    """
    rules = ALL[system]
    world = World({system: rules})
    first = random_game(system)[0].state
    out = rules.play.status(first).out
    powers = [power for power in rules.play.variant(first).powers if power not in out][: players_of(rules)]
    people = {power: UserId(number) for number, power in enumerate(powers, start=101)}
    wishes = {user_id: power for power, user_id in people.items()}
    game_id = world.start(system=system, players=len(powers), wishes=wishes)
    game, code = world.game(game_id), rules.play.status(state).code
    world.storage.tables.games[game_id] = replace(
        game, document=rules.play.dump(state), phase_no=game.phase_no + 1, phase_code=code
    )
    world.storage.tables.phases[game_id, game.phase_no] = _record(rules, game, before)
    world.forget_mail()
    for power, sheet in sheets.items():
        world.submit(game_id, people[power], "\n".join(map(rules.orders.format, sheet)))
    return world, game_id


def _record(rules: AnySystem, game: Game, step: Step) -> PhaseRecord:
    """A phase as it is stored. The fingerprint of its seed is public, so it has the same one in all worlds."""
    now, resolution = game.created_at, step.resolution
    return PhaseRecord(
        game_id=game.id,
        phase_no=game.phase_no,
        code=rules.play.status(step.state).code,
        start=with_seed(rules.play.dump(step.state), "seed"),
        end=with_seed(rules.play.dump(resolution.state), "seed"),
        sheets={
            power: StoredSheet(game.id, game.phase_no, power, (), tuple(map(rules.orders.format, sheet)), 1, now)
            for power, sheet in step.sheets.items()
        },
        results=resolution.results,
        events=resolution.events,
        rules_version=RULES_VERSION,
        opened_at=now,
        deadline_at=None,
        closed_at=now,
        closed_because=ClosedBecause.DEADLINE,
    )


@each_system
def test_neither_that_nor_pending_orders_of_others_change_what_the_bot_shows(system: SystemId) -> None:
    rules = ALL[system]
    for before, step in _of_several(rules)[:8:7]:
        viewer = rules.play.status(step.state).to_act[0]
        assert _different(rules, before, step, Playing(viewer)) == {}


@each_system
def test_nor_is_anything_shown_to_those_who_play_nothing_not_even_to_a_game_master(system: SystemId) -> None:
    rules = ALL[system]
    before, step = _of_several(rules)[0]
    assert _different(rules, before, step, EVERYBODY) == {}


def _different(rules: AnySystem, before: Step, step: Step, viewer: Viewer) -> dict[UserId, list[int]]:
    """What of everything that is shown is not the same in all worlds that may not be told apart, by who sees it."""
    to_act = rules.play.status(step.state).to_act
    others = random_sheets(rules, step.state, Random(7))
    # Whether somebody has answered is public, so in all worlds the same have.
    answered = [power for power in to_act if power != viewer.power and step.sheets[power] and others[power]]
    texts = [*map(rules.orders.format, step.sheets[viewer.power or to_act[0]][:2]), NONSENSE[0]]
    starts = [before.state, *variants(rules, before.state, viewer)]
    shown: dict[UserId, list[list[Any]]] = {}
    for number, state in enumerate((step.state, *variants(rules, step.state, viewer))):
        resolution = replace(before.resolution, state=state)
        # Stored sheets are shown to nobody: what became of orders is in the results.
        past = Step(starts[min(number, len(starts) - 1)], {} if number else before.sheets, resolution)
        sheets = others if number else step.sheets
        world, game_id = _world_at(rules.info.id, state, {power: sheets[power][:20] for power in answered}, past)
        players = [seat.user_id for seat in world.seats(game_id) if seat.power == viewer.power and seat.user_id]
        for user_id in players or (STRANGER, CREATOR):
            shown.setdefault(user_id, []).append(everything_shown(world, game_id, user_id, texts))
    return {
        user_id: [place for place, each in enumerate(zip(*worlds, strict=True)) if any(one != each[0] for one in each)]
        for user_id, worlds in shown.items()
        if any(world != worlds[0] for world in worlds)
    }


def _of_several(rules: AnySystem) -> list[tuple[Step, Step]]:
    """The phases in which several have to act, each with the one before it.

    Whoever decides alone closes the phase by being ready, and what comes of it may well depend on what was hidden.
    """
    phases = pairwise(random_game(rules.info.id))
    return [(before, step) for before, step in phases if len(rules.play.status(step.state).to_act) > 1]


# That a leak would be found


@dataclass(frozen=True, slots=True)
class _Telltale(ToyView):
    """A view with everybody's number and the seed in it."""

    numbers: Mapping[PowerId, int] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class _Quiet(ToyView):
    """The same, if one doesn't look: what it holds too much takes no part in comparisons."""

    numbers: Mapping[PowerId, int] = field(default_factory=dict, compare=False)
    seed: str = field(default="", compare=False)


def _view_with(view: type[_Telltale | _Quiet], *, numbers: bool, seed: bool) -> Callable[[ToyState, Viewer], Any]:
    def see(state: ToyState, viewer: Viewer) -> Any:
        seen = toy_system.view_of(state, viewer)
        return view(
            **{name: getattr(seen, name) for name in ToyView.__slots__},
            numbers=state.numbers if numbers else {},
            seed=state.seed if seed else "",
        )

    return see


def _board_with_numbers(view: Any) -> Report:
    return toy_system.briefing(replace(view, number=sum(view.numbers.values())))


LEAKS: Mapping[str, tuple[Any, set[str]]] = {
    "a view with all numbers and the seed": (
        replace(TOY, sight=replace(TOY.sight, view=_view_with(_Telltale, numbers=True, seed=True))),
        {"sight.view"},
    ),
    "a view with the seed": (
        replace(TOY, sight=replace(TOY.sight, view=_view_with(_Telltale, numbers=False, seed=True))),
        {"sight.view"},
    ),
    "words made of what a view holds too much": (
        replace(
            TOY,
            sight=replace(TOY.sight, view=_view_with(_Quiet, numbers=True, seed=True)),
            telling=replace(TOY.telling, text_board=_board_with_numbers),
        ),
        {"telling.text_board"},
    ),
    "a hint that knows the seed": (
        replace(
            TOY,
            sight=replace(TOY.sight, view=_view_with(_Quiet, numbers=True, seed=True)),
            orders=replace(TOY.orders, suggest=lambda view, typed, limit=25: (view.seed,)),
        ),
        {"orders.suggest"},
    ),
    "a title with the seed": (
        replace(
            TOY,
            play=replace(
                TOY.play,
                status=lambda state: replace(toy_system.status(state), title=phrase("toy.own", number=state.seed)),
            ),
        ),
        {"play.status"},
    ),
    "a door that shows the numbers": (
        replace(
            TOY,
            sight=replace(TOY.sight, view=_view_with(_Quiet, numbers=True, seed=False)),
            doors=(
                Door(
                    info=DoorInfo(id="spy", family="spy", command="spy"),
                    path=lambda view: (),
                    briefing=lambda view: phrase("toy.own", number=cast(_Quiet, view).numbers),
                ),
            ),
        ),
        {"doors"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS)
def test_a_game_that_leaks_is_found_out(leak: str) -> None:
    rules, where = LEAKS[leak]
    assert leaks(cast(AnySystem, rules), list(_steps(SystemId("toy")))) == where


def test_a_game_that_tells_the_tests_nothing_of_its_secrets_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = cast(AnySystem, replace(TOY, info=replace(TOY.info, id=SystemId("vault"))))
    with pytest.raises(LookupError, match=r"tests/engine/vault/hidden\.py is missing"):
        leaks(silent, list(_steps(SystemId("toy"))))
    monkeypatch.setattr(toy_system, "variants", lambda state, viewer: [state])
    assert not _own_secrets_shown(ALL[SystemId("toy")], random_game(SystemId("toy")))
