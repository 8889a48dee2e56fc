"""The simulated household: what is where, in which state, who stands where and holds what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.datasets.household import contexts
from commonground.datasets.household.kinds import FLOOR, SLICED
from commonground.datasets.household.moves import Move, Outcome
from commonground.datasets.household.tasks import Hidden, HouseholdTask, RobotSpec
from commonground.datasets.household.worlds import Floor, Thing


@dataclass(slots=True)
class Body:
    """An object now."""

    thing: Thing
    inside: str | None
    mass_kg: float
    state: dict[str, bool | str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        return self.thing.type

    def can(self, affordance: str) -> bool:
        return affordance in self.thing.affordances

    def is_(self, key: str) -> bool:
        """Return whether a state is true."""
        return bool(self.state.get(key))


@dataclass(slots=True)
class Worker:
    """A robot now."""

    spec: RobotSpec
    at: str | None = None
    """The place it stands at; robots start nowhere."""
    holds: str | None = None


class House:
    """A floor plan with robots in it; actions change it, exactly as the suite's semantics say.

    What is hidden takes part in everything but cannot be acted on until it is discovered. With a
    ``failure_rate``, actions that would work fail now and then and change nothing.
    """

    def __init__(
        self,
        floor: Floor,
        robots: Iterable[RobotSpec],
        init: Mapping[str, Mapping[str, bool | str]] | None = None,
        hidden: Sequence[Hidden] = (),
        *,
        failure_rate: float = 0.0,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.bodies = {
            name: Body(thing, thing.location, thing.mass_kg or 0.0, dict(thing.state))
            for name, thing in floor.items()
        }
        for name, changes in (init or {}).items():
            body, change = self.bodies[name], dict(changes)
            if "location" in change:
                body.inside = str(change.pop("location"))
            body.state.update(change)
        self.robots = {spec.name: Worker(spec) for spec in robots}
        self.hidden = {h.name: h for h in hidden}
        self.failure_rate, self.rng = failure_rate, rng
        contexts.settle(self)

    @classmethod
    def of(
        cls,
        floor: Floor,
        task: HouseholdTask,
        *,
        partial: bool = False,
        failure_rate: float = 0.0,
        rng: np.random.Generator | None = None,
    ) -> House:
        """Return the house of a task as it is at first."""
        hidden = task.hidden if partial else ()
        return cls(floor, task.robots, dict(task.init), hidden, failure_rate=failure_rate, rng=rng)

    # ---- acting -----------------------------------------------------------------------------------

    def do(self, move: Move) -> Outcome:
        """Make a move; one that is not possible changes nothing and says why."""
        from commonground.datasets.household.actions import perform

        slipped = (
            self.rng is not None
            and self.failure_rate > 0
            and bool(self.rng.random() < self.failure_rate)
        )
        outcome = perform(self, move, slipped=slipped)
        if outcome.done:
            contexts.settle(self)
            self._discover()
        return outcome

    def _discover(self) -> None:
        places = {robot.at for robot in self.robots.values()}
        for name, secret in list(self.hidden.items()):
            around = secret.receptacle
            opened = self.bodies[around].is_("open")
            if opened if secret.by_opening else self.site(around) in places:
                del self.hidden[name]

    # ---- looking ----------------------------------------------------------------------------------

    def visible(self) -> Iterator[str]:
        """Yield the objects that are known or can be seen now."""
        return (name for name in self.bodies if name not in self.hidden)

    def types(self) -> dict[str, str]:
        """Return the type of every object."""
        return {name: body.type for name, body in self.bodies.items()}

    def holder(self, name: str) -> str | None:
        """Return the robot that holds an object itself."""
        return next((r.spec.name for r in self.robots.values() if r.holds == name), None)

    def carrier(self, name: str) -> str | None:
        """Return the robot that holds an object or what it is in."""
        at: str | None = name
        while at is not None:
            holder = self.holder(at)
            if holder is not None:
                return holder
            at = self.bodies[at].inside
        return None

    def around(self, name: str) -> list[str]:
        """Return the receptacles around an object from the inside out, up to the first fixed one."""
        found: list[str] = []
        at = self.bodies[name].inside
        while at is not None and at not in found:
            found.append(at)
            at = self.bodies[at].inside if self.bodies[at].can("pickupable") else None
        return found

    def site(self, name: str) -> str:
        """Return the place where a robot stands to act on an object."""
        if not self.bodies[name].can("pickupable"):
            return name
        at, outer = name, self.bodies[name].inside
        while outer is not None and self.bodies[outer].can("pickupable"):
            at, outer = outer, self.bodies[outer].inside
        return at if outer is None or self.bodies[outer].type == FLOOR else outer

    def is_accessible(self, name: str) -> bool:
        """Return whether every door around an object is open."""
        around = (self.bodies[c] for c in self.around(name))
        return all(c.is_("open") for c in around if c.can("openable"))

    def contents(self, name: str) -> list[str]:
        """Return what is directly in or on an object."""
        return [i for i, body in self.bodies.items() if body.inside == name]

    def all_contents(self, name: str) -> list[str]:
        """Return what is in or on an object at any depth."""
        return [j for i in self.contents(name) for j in (i, *self.all_contents(i))]

    def load_kg(self, name: str) -> float:
        """Return the mass of an object with everything in it."""
        return self.bodies[name].mass_kg + sum(map(self.load_kg, self.contents(name)))

    # ---- goals ------------------------------------------------------------------------------------

    def is_inside(self, name: str, receptacle: str) -> bool:
        """Return whether an object is in a receptacle, directly or in a portable one."""
        return (self.bodies[receptacle].thing.basin or receptacle) in self.around(name)

    def is_in_state(self, name: str, state: str) -> bool:
        """Return whether an object is in a state of the goal vocabulary."""
        body = self.bodies[name]
        if state in ("HOT", "COLD"):
            return body.state.get("temperature") == state
        if state == "OFF":
            return body.can("toggleable") and not body.is_("on")
        if state == "CLOSED":
            return body.can("openable") and not body.is_("open")
        if state == "OPENED":
            return body.is_("open")
        if state == "EMPTY":
            loose = (self.bodies[i].can("pickupable") for i in self.contents(name))
            return body.can("receptacle") and not any(loose)
        return body.is_(state.lower())

    # ---- changing ---------------------------------------------------------------------------------

    def add_slice(self, name: str, of: str) -> None:
        """Add a slice of an object beside it."""
        whole = self.bodies[of]
        kept = ("clean", "cooked", "temperature")
        state = {k: v for k, v in whole.state.items() if k in kept} | {"sliced": True}
        cookable = {"cookable"} if whole.type in contexts.COOKABLE_SLICES else set()
        mass = round(whole.mass_kg / 10, 4)
        thing = Thing(name, whole.type + SLICED, mass, frozenset({"pickupable", *cookable}))
        self.bodies[name] = Body(thing, whole.inside, mass, state)
