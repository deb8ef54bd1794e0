"""What is told of a battle: its incidents by turns and rounds, and fields and figures as `BattleCourse` names them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.ids import PowerId
from engine.kalevala.battle.course import Entrant, Incident, Spotted, Survival, TurnOfBattle
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Battlefield, Kf
from engine.kalevala.battle.works import Barrier, Works
from engine.kalevala.figures import without_numbers


class Record:
    """The story of a battle, written down while it is fought; `ending.course_of` makes a `BattleCourse` of it."""

    def __init__(self, ground: Battlefield, works: Works) -> None:
        self._ground = ground
        self._works = works
        self.start: tuple[Entrant, ...] = ()
        """Those who were there at first."""
        self.emerged: list[Entrant] = []
        """Those who have joined since: out of hiding, or called by a god."""
        self.rounds: list[tuple[TurnOfBattle, ...]] = []
        self.turns: list[TurnOfBattle] = []
        """Those of the present round that are over."""
        self.incidents: list[Incident] = []
        """Those of the present turn."""
        self._tests: list[Survival] = []
        """Rolls for survival, told with the incident that is reported next."""
        self._notes: list[Incident] = []
        """What has resulted from it."""

    # Incidents

    def tell(self, kind: str, who: Fighter, *, fallen: Iterable[Fighter] = (), **more: object) -> None:
        """Record an incident of the turn."""
        at = self.spotted(who.kf)
        dead, tests = tuple(each.number for each in fallen), tuple(self._tests)
        self._tests.clear()
        self.incidents.append(Incident(kind, who.number, at, fallen=dead, tests=tests, **more))  # type: ignore[arg-type]
        if self._notes:
            self.incidents += self._notes
            self._notes.clear()

    def note(self, kind: str, who: Fighter, *, points: tuple[int, ...]) -> None:
        """Record the result of an incident that is about to be reported."""
        self._notes.append(Incident(kind, who.number, self.spotted(who.kf), points=points))

    def note_test(self, test: Survival) -> None:
        """Record a roll for survival; the next incident that is reported tells it."""
        self._tests.append(test)

    def close_turn(self, ruler: PowerId | None) -> None:
        """End the turn of a side; `None`: what happened before, between or after those."""
        if self.incidents or ruler is not None:
            self.turns.append(TurnOfBattle(ruler, tuple(self.incidents)))
        self.incidents = []

    def close_round(self) -> None:
        """End the round."""
        self.close_turn(None)
        self.rounds.append(tuple(self.turns))
        self.turns = []

    # Figures and fields

    def entrant(self, fighter: Fighter) -> Entrant:
        """A figure where it stands now."""
        item, carrier = without_numbers(fighter.item), fighter.carrier
        at, bearer = self.spotted(fighter.kf), 0 if carrier is None else carrier.number
        return Entrant(fighter.number, fighter.party.ruler, item, fighter.mount, at, bearer)

    def spotted(self, kf: Kf) -> Spotted:
        """A field, or a storey of a building on it."""
        hold = self._works.at.get(kf)
        floor = -1 if hold is None else hold.building.floors.index(kf)
        return Spotted(*self._ground.places[kf], floor)

    def edge(self, barrier: Barrier) -> str:
        """An edge: `2D+5:19/SE`."""
        side = self._ground.side(barrier.inner, barrier.outer)
        return f"{self.building(barrier.inner)}/{side.name if side is not None else ''}"

    def building(self, kf: Kf) -> str:
        """The building on a field: `2D+5:19`."""
        gf, cell = self._ground.places[kf]
        return f"{gf}:{cell}"
