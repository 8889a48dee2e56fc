"""Stops at which things are worked on, as by inspecting them, picked and placed."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Impossible, Stop
from commonground.planning.scene.lifting import too_long
from commonground.planning.scene.roadmap import Spot


@dataclass(slots=True)
class Carrying:
    """What is done to things, and which stops that takes."""

    draft: Draft
    worked: dict[tuple[str, str], int] = field(default_factory=dict)
    """What is done to which thing, apart from moving it → the stop that does it."""
    picked: set[str] = field(default_factory=set)
    """Things that a stop may pick."""
    placed: dict[str, str] = field(default_factory=dict)
    """Thing → where it is brought; '' where that is a choice."""

    def work(self, deed: str, thing: str) -> int:
        """Return the stop that does something to a thing, one for each."""
        if (deed, thing) not in self.worked:
            stop = Stop(deed, (thing,), (self.draft.spot(thing),))
            self.worked[deed, thing] = self.draft.errand.add(stop)
        return self.worked[deed, thing]

    def bring(self) -> None:
        """Bring things to where they have to lie, and away from where they must not."""
        draft = self.draft
        for thing, place in sorted(x.args for x in draft.demanded("object-in-place")):
            self._deliver(thing, (place,))
        for choice in draft.choices("object-in-place"):
            thing = choice[0].args[0]
            if thing not in self.placed:
                self._deliver(thing, tuple(x.args[1] for x in draft.not_denied(choice)))
        gone = {*self.placed, *(x.args[0] for x in draft.demanded("holding"))}
        for literal in draft.denied("object-in-place"):
            thing, place = literal.args
            if thing not in gone and self._lies_at(thing, place):
                self._deliver(thing, self._neighbors(place))
                gone.add(thing)

    def take(self) -> None:
        """Pick what is to be held at the end."""
        draft = self.draft
        for literal in draft.demanded("holding"):
            self._keep(literal.args)
        for choice in draft.choices("holding"):
            things = [x.args[0] for x in choice]
            if not any(thing in self.picked and thing not in self.placed for thing in things):
                self._keep(tuple(x.args[0] for x in draft.not_denied(choice)))

    def _keep(self, things: tuple[str, ...]) -> None:
        """Pick one of some things and hold it to the end."""
        pick = self._pick(things)
        self.draft.errand.carries.append((pick, None))

    def _deliver(self, thing: str, places: tuple[str, ...]) -> None:
        """Bring a thing to one of some places, unless it lies in one."""
        draft = self.draft
        if any(self._lies_at(thing, place) for place in places):
            return
        for need in ("pick", "place"):
            if not draft.robot.can(need):
                raise Impossible(f"{draft.robot.name} cannot {need}, which moving {thing} needs")
        wanted = [p for p in places if not draft.errand.forbidden[draft.road.row(p)]]
        if not wanted:
            why = "that place must not be visited"
            raise Impossible(f"{thing} cannot be brought to {places[0]}: {why}")
        pick = self._pick((thing,))
        spots = tuple(draft.spot(place) for place in wanted)
        place = draft.errand.add(Stop("place", tuple(wanted), spots, item=thing))
        self.placed[thing] = wanted[0] if len(wanted) == 1 else ""
        draft.errand.carries.append((pick, place))

    def _pick(self, things: tuple[str, ...]) -> int:
        """Return a stop that picks one of some things, each inspected before where that must be."""
        draft = self.draft
        pick = draft.errand.add(Stop("pick", things, tuple(map(self._pick_spot, things))))
        self.picked.update(things)
        for thing in things:
            if not self._suspicious(thing) and ("inspect", thing) not in self.worked:
                continue
            if not draft.robot.can("inspect"):
                why = f"cannot inspect, and {thing} is suspicious; that comes first"
                raise Impossible(f"{draft.robot.name} {why}")
            draft.errand.before.append((self.work("inspect", thing), pick))
        return pick

    def _pick_spot(self, thing: str) -> Spot:
        """Return where a thing is picked; Impossible if it is too long, or must not be inspected first."""
        if why := too_long(self.draft.road.graph, thing, self.draft.robot):
            raise Impossible(why)
        if self.draft.denies("safe", thing) and self._suspicious(thing):
            why = "is suspicious and must not be inspected, so it cannot be picked"
            raise Impossible(f"{thing} {why}")
        return self.draft.spot(thing)

    def _lies_at(self, thing: str, place: str) -> bool:
        road = self.draft.road
        return road.symbol(road.host(thing)) == place

    def _neighbors(self, place: str) -> tuple[str, ...]:
        """Return the places next to one where the robot may go."""
        road = self.draft.road
        near = road.graph.neighbors(road.layer, road.row(place))
        return tuple(road.symbol(row) for row in near if not self.draft.errand.forbidden[row])

    def _suspicious(self, thing: str) -> bool:
        """Return whether the scene says that a thing has to be inspected before it is picked."""
        layer = self.draft.road.graph.objects
        return bool(layer.metadata(layer.row(thing)).get("suspicious", False))
