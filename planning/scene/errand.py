"""From one alternative of a goal to what a robot has to do where: stops, their order, what is carried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Bools, Ints
from commonground.planning.scene.branch import FINALS, VISITS, Branch
from commonground.planning.scene.goal import NEEDS, Literal
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.robots import Robot

FEW = 8
"""More places than this to choose from are thinned out once distances are known."""
VIEW_M = 5.0
"""From this far a robot sees a place; a region is explored when all its places were seen."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Something done at one of several spots."""

    action: str
    """goto, inspect, pick or place."""
    targets: tuple[str, ...]
    """What the action is about at each spot: an object, a place, a region."""
    spots: tuple[Spot, ...]
    item: str = ""
    """The object carried, for place."""
    last: bool = False
    """Whether everything else comes before."""


@dataclass(frozen=True, slots=True)
class Area:
    """A stop at any of many places, of which the useful ones are chosen when distances are known."""

    target: str
    rows: tuple[int, ...]
    last: bool = False
    spots: tuple[Spot, ...] = ()
    """Spots that serve as well, besides the places."""


@dataclass(slots=True)
class Errand:
    """What one robot has to do; ``reason`` tells why it cannot be, if it cannot."""

    forbidden: Bools
    stops: list[Stop] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    before: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of stops, earlier and later."""
    carries: list[tuple[int | None, int | None]] = field(default_factory=list)
    """Pairs of pick and place stops; None: kept in the gripper to the end."""
    reason: str = ""


class Impossible(Exception):
    """This alternative cannot be done, whatever the order."""


def build_errand(branch: Branch, robot: Robot, road: Roadmap, start: Spot) -> Errand:
    """Return the errand of a branch; with a ``reason`` if it is impossible before any route is sought."""
    errand = Errand(np.zeros(len(road.positions), bool))
    try:
        _Builder(branch, robot, road, start, errand).build()
    except Impossible as impossible:
        errand.reason = str(impossible)
    return errand


@dataclass(slots=True)
class _Builder:
    branch: Branch
    robot: Robot
    road: Roadmap
    start: Spot
    errand: Errand
    inspected: dict[str, int] = field(default_factory=dict)
    picked: dict[str, int] = field(default_factory=dict)
    placed: dict[str, str] = field(default_factory=dict)

    def build(self) -> None:
        """Forbid first, then inspect, carry, visit, and at last be somewhere."""
        self._refuse_contradictions()
        self._forbid()
        for literal in self._all("safe"):
            self._inspect(literal.args[0])
        self._carry()
        self._visit()
        self._explore()
        self._finish()
        self._order()

    def _all(self, *predicates: str, positive: bool = True) -> list[Literal]:
        """Return the demanded literals of some predicates, in a fixed order."""
        found = (x for x in self.branch.literals if x.predicate in predicates)
        return sorted((x for x in found if x.positive is positive), key=str)

    # ---- what must not be ----

    def _refuse_contradictions(self) -> None:
        both = self.branch.contradictory
        if both is not None:
            raise Impossible(f"the goal asks for {both} and for its opposite")
        for literal in [*self._all(*NEEDS), *(x for c in self.branch.choices for x in c)]:
            for need in NEEDS.get(literal.predicate, ()):
                if not self.robot.can(need):
                    raise Impossible(f"{self.robot.name} cannot {need}, which {literal} needs")
        held = {x.args[0] for x in self._all("holding")}
        moved = [x.args for x in self._all("object-in-place")]
        if len(held) > 1:
            raise Impossible(f"one gripper cannot hold {' and '.join(sorted(held))} at once")
        for thing, place in moved:
            if thing in held:
                raise Impossible(f"{thing} cannot be held and lie in {place} at once")
        for thing in {t for t, _ in moved}:
            places = sorted(p for t, p in moved if t == thing)
            if len(places) > 1:
                raise Impossible(f"{thing} cannot be in {' and '.join(places)} at once")

    def _forbid(self) -> None:
        """Mark the places of avoided regions, and avoided places; nothing may lie or start there."""
        for literal in self._all("visited-region", positive=False):
            row = self.road.graph.regions.row(literal.args[0])
            if self.start.region == row:
                raise Impossible(
                    f"{self.robot.name} stands in {literal.args[0]}, which is to be avoided"
                )
            self.errand.forbidden |= self.road.region == row
        for literal in self._all("visited-place", positive=False):
            if literal.args[0] == self._first_place():
                raise Impossible(
                    f"{self.robot.name} stands in {literal.args[0]}, which is to be avoided"
                )
            self.errand.forbidden[self.road.row(literal.args[0])] = True

    def _spot(self, symbol: str) -> Spot:
        """Return an object's or a place's spot; Impossible where the goal forbids to be there."""
        is_place = self.road.graph.find(symbol)[0] == self.road.layer
        if not is_place and self.road.graph.find(symbol)[0] != "objects":
            raise Impossible(f"{symbol} is in a layer robots do not move on")
        spot = self.road.place(self.road.row(symbol)) if is_place else self.road.object(symbol)
        if Literal("visited-object", (symbol,), positive=False) in self.branch.literals:
            raise Impossible(f"{symbol} is needed and must not be visited")
        avoided = [x.args[0] for x in self._all("visited-region", positive=False)]
        for region in avoided:
            if spot.region == self.road.graph.regions.row(region):
                raise Impossible(f"{symbol} lies in {region}, which is to be avoided")
        return spot

    # ---- what must be done ----

    def _add(self, stop: Stop) -> int:
        self.errand.stops.append(stop)
        return len(self.errand.stops) - 1

    def _inspect(self, thing: str) -> int:
        if thing not in self.inspected:
            self.inspected[thing] = self._add(Stop("inspect", (thing,), (self._spot(thing),)))
        return self.inspected[thing]

    def _carry(self) -> None:
        """Pick what must be held or lie elsewhere; inspect it first where the scene calls it suspicious."""
        for thing, place in sorted(x.args for x in self._all("object-in-place")):
            self._deliver(thing, (place,))
        for choice in self._choices("object-in-place"):
            if choice[0].args[0] not in self.placed:
                self._deliver(choice[0].args[0], tuple(x.args[1] for x in self._not_denied(choice)))
        held = {x.args[0] for x in self._all("holding")}
        for literal in self._all("object-in-place", positive=False):
            thing, place = literal.args
            if thing not in self.placed and thing not in held and self._lies_at(thing, place):
                self._deliver(thing, self._elsewhere(place))
        for literal in self._all("holding"):
            pick = self._pick((literal.args[0],))
            self.errand.carries.append((pick, None))
        for choice in self._choices("holding"):
            if not any((x.args[0] in self.picked and x.args[0] not in self.placed) for x in choice):
                pick = self._pick(tuple(x.args[0] for x in self._not_denied(choice)))
                self.errand.carries.append((pick, None))

    def _not_denied(self, choice: tuple[Literal, ...]) -> list[Literal]:
        """Return the literals of a choice whose opposite is not demanded."""
        denied = [x for x in choice if Literal(x.predicate, x.args, False) in self.branch.literals]
        if len(denied) == len(choice):
            raise Impossible(f"the goal asks for {choice[0]} and for its opposite")
        return [x for x in choice if x not in denied]

    def _lies_at(self, thing: str, place: str) -> bool:
        return self.road.symbol(self.road.host(thing)) == place

    def _elsewhere(self, place: str) -> tuple[str, ...]:
        row = self.road.row(place)
        near = self.road.graph.neighbors(self.road.layer, row)
        return tuple(self.road.symbol(r) for r in near if not self.errand.forbidden[r])

    def _deliver(self, thing: str, places: tuple[str, ...]) -> None:
        for need in ("pick", "place"):
            if not self.robot.can(need):
                raise Impossible(f"{self.robot.name} cannot {need}, which moving {thing} needs")
        wanted = [p for p in places if self._allowed(p)]
        if any(self._lies_at(thing, p) for p in places):
            return
        if not wanted:
            raise Impossible(
                f"{thing} cannot be brought to {places[0]}: that place must not be visited"
            )
        pick = self._pick((thing,))
        spots = tuple(self._spot(p) for p in wanted)
        place = self._add(Stop("place", tuple(wanted), spots, item=thing))
        self.placed[thing] = wanted[0] if len(wanted) == 1 else ""
        self.errand.carries.append((pick, place))

    def _allowed(self, place: str) -> bool:
        return not self.errand.forbidden[self.road.row(place)]

    def _pick(self, things: tuple[str, ...]) -> int:
        spots = []
        for thing in things:
            if Literal(
                "safe", (thing,), positive=False
            ) in self.branch.literals and self._suspicious(thing):
                raise Impossible(
                    f"{thing} is suspicious and must not be inspected, so it cannot be picked"
                )
            spots.append(self._spot(thing))
        pick = self._add(Stop("pick", things, tuple(spots)))
        for thing in things:
            self.picked[thing] = pick
            if self._suspicious(thing) or thing in self.inspected:
                if not self.robot.can("inspect"):
                    raise Impossible(
                        f"{self.robot.name} cannot inspect, and {thing} is suspicious; that comes first"
                    )
                self.errand.before.append((self._inspect(thing), pick))
        return pick

    def _suspicious(self, thing: str) -> bool:
        layer = self.road.graph.objects
        return bool(layer.metadata(layer.row(thing)).get("suspicious", False))

    def _visit(self) -> None:
        """Go where nothing else leads already."""
        seen = {t for s in self.errand.stops if len(s.targets) == 1 for t in s.targets}
        for literal in self._all("visited-object", "visited-place"):
            if literal.args[0] not in seen and not self._starts_at(literal):
                seen.add(literal.args[0])
                self._add(Stop("goto", literal.args, (self._spot(literal.args[0]),)))
        for choice in [*self._choices("safe"), *self._choices(*VISITS)]:
            self._visit_one(choice)
        for literal in self._all("visited-region"):
            row = self.road.graph.regions.row(literal.args[0])
            inside = any(all(self._within(p, row) for p in s.spots) for s in self.errand.stops)
            if self.start.region != row and not inside:
                self.errand.areas.append(Area(literal.args[0], self._open(self.road.region == row)))

    def _within(self, spot: Spot, region: int) -> bool:
        """Return whether a spot, and every place it is reached from, lies in a region."""
        return bool(
            spot.region == region and (self.road.region[list(spot.anchors)] == region).all()
        )

    def _visit_one(self, choice: tuple[Literal, ...]) -> None:
        """Add one stop for a choice, unless a demanded stop or the start fulfils one of its literals."""
        for literal in choice:
            done = literal in self.branch.literals or self._starts_at(literal)
            if done or (literal.predicate == "safe" and literal.args[0] in self.inspected):
                return
        targets, spots = [], []
        for literal in self._not_denied(choice):
            for spot in self._spots_of(literal):
                targets.append(literal.args[0])
                spots.append(spot)
        if not spots:
            raise Impossible(f"nothing of {' or '.join(map(str, choice))} may be visited")
        action = "inspect" if choice[0].predicate == "safe" else "goto"
        self._add(Stop(action, tuple(targets), tuple(spots)))

    def _spots_of(self, literal: Literal) -> list[Spot]:
        if literal.predicate == "visited-region":
            row = self.road.graph.regions.row(literal.args[0])
            return [self.road.place(r) for r in self._open(self.road.region == row)]
        try:
            return [self._spot(literal.args[0])]
        except Impossible:
            return []

    def _choices(self, *predicates: str) -> list[tuple[Literal, ...]]:
        return sorted(
            (c for c in self.branch.choices if {x.predicate for x in c} <= set(predicates)), key=str
        )

    def _starts_at(self, literal: Literal) -> bool:
        """Return whether the robot's first place, or its region, fulfils a literal already."""
        if literal.predicate in ("visited-place", "at-place"):
            return bool(literal.args[0] == self._first_place())
        if literal.predicate in ("visited-region", "in-region"):
            return bool(self.start.region == self.road.graph.regions.row(literal.args[0]))
        return False

    def _first_place(self) -> str:
        return self.road.symbol(self.start.anchors[0])

    def _open(self, mask: Bools) -> tuple[int, ...]:
        rows: Ints = np.flatnonzero(mask & ~self.errand.forbidden & self.road.usable)
        return tuple(rows.tolist())

    def _explore(self) -> None:
        """Choose places of a region, greedily, from which all its places are seen."""
        for literal in self._all("explored-region"):
            inside = self.road.region == self.road.graph.regions.row(literal.args[0])
            places = cover(self.road, self._open(inside), np.flatnonzero(inside))
            if not places:
                raise Impossible(
                    f"not all of {literal.args[0]} can be seen from where a robot may go"
                )
            for place in places:
                self._add(Stop("goto", literal.args, (self.road.place(place),)))

    def _finish(self) -> None:
        """Add the stop that has to be the last one."""
        wanted = self._all(*FINALS)
        things = [x.args[0] for x in self._all("at-object")]
        if len(things) > 1:
            raise Impossible(f"{self.robot.name} cannot be at {' and '.join(things)} at once")
        spots = [self._final_spots(literal) for literal in wanted]
        for choice in self._choices(*FINALS):
            if not any(literal in wanted for literal in choice):
                allowed = self._not_denied(choice)
                spots.append([s for literal in allowed for s in self._final_spots(literal)])
        if spots:
            self._end_at(wanted, spots)
        elif self._all(*FINALS, positive=False):
            self._end_outside()

    def _end_at(self, wanted: list[Literal], spots: list[list[Spot]]) -> None:
        if len(spots) > 1 or self._all(*FINALS, positive=False):
            # where the robot stands beside an object matters now, so every way to it is a choice of its own
            spots = [[one for s in found for one in s.one_by_one()] for found in spots]
            common = set.intersection(*({s.anchors[0] for s in found} for found in spots))
            spots = [
                [s for s in found if s.anchors[0] in common and self._may_end(s)] for found in spots
            ]
        chosen = [s for found in spots for s in found]
        # an object's own spot says more than the place beneath it
        final = list(dict.fromkeys([s for s in chosen if s.meters != (0.0,)] or chosen))
        if not final:
            raise Impossible(
                f"{self.robot.name} cannot be at {' and '.join(map(str, wanted))} at once"
            )
        idle = not self.errand.stops and not self.errand.areas
        if idle and wanted and all(self._starts_at(x) for x in wanted):
            return
        if len(final) > FEW and all(s.meters == (0.0,) for s in final):
            target = wanted[0].args[0] if wanted else final[0].symbol
            self.errand.areas.append(Area(target, tuple(s.anchors[0] for s in final), last=True))
        else:
            self._add(Stop("goto", tuple(s.symbol for s in final), tuple(final), last=True))

    def _end_outside(self) -> None:
        """End anywhere but where the goal denies to be: at a stop, or at the nearest other place."""
        rows = [r for r in self._open(self.road.usable) if self._may_end(self.road.place(r))]
        ends = (one for s in needed(self.errand.stops) for one in s.one_by_one())
        stops = tuple(s for s in ends if self._may_end(s))
        if not rows and not stops:
            raise Impossible(f"there is no place left where {self.robot.name} may end")
        self.errand.areas.append(Area("", tuple(rows), last=True, spots=stops))

    def _may_end(self, spot: Spot) -> bool:
        """Return whether no denied literal would be true with the robot at this spot at last."""
        for literal in self._all(*FINALS, positive=False):
            target = literal.args[0]
            if literal.predicate == "in-region":
                if self.road.region[spot.anchors[0]] == self.road.graph.regions.row(target):
                    return False
            elif spot.symbol == target or spot.symbol in self._put_at(target):
                return False
            if literal.predicate == "at-place" and spot.anchors[0] == self.road.row(target):
                return False
        return True

    def _put_at(self, thing: str) -> set[str]:
        """Return the places an object may be put at."""
        places = (s for s in self.errand.stops if s.action == "place" and s.item == thing)
        return {target for stop in places for target in stop.targets}

    def _final_spots(self, literal: Literal) -> list[Spot]:
        target = literal.args[0]
        if literal.predicate == "in-region":
            row = self.road.graph.regions.row(target)
            return [self.road.place(r) for r in self._open(self.road.region == row)]
        if self.placed.get(target):
            return [self._spot(self.placed[target])]
        return [self._spot(target)]

    def _order(self) -> None:
        """Put the last stop behind all others."""
        stops = self.errand.stops
        for last in (i for i, s in enumerate(stops) if s.last):
            self.errand.before += [(i, last) for i in range(len(stops)) if i != last]


def cover(road: Roadmap, stand: Sequence[int], look: Ints, view_m: float = VIEW_M) -> list[int]:
    """Return few rows of ``stand`` such that each row of ``look`` is in view of one (greedy set cover).

    Empty where that is impossible, or where there is nothing to look at.
    """
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

    if len(stand) == 0 or len(look) == 0:
        return []
    at = np.asarray(stand)
    pairs = cKDTree(road.positions[at]).sparse_distance_matrix(
        cKDTree(road.positions[look]), view_m, output_type="coo_matrix"
    )
    shape = (len(at), len(look))
    sees = csr_matrix((np.ones(pairs.nnz), (pairs.row, pairs.col)), shape=shape)
    unseen, chosen = np.ones(len(look)), []
    while unseen.any():
        gain = sees @ unseen
        best = int(gain.argmax())
        if gain[best] == 0:
            return []
        unseen[sees.indices[sees.indptr[best] : sees.indptr[best + 1]]] = 0.0
        chosen.append(int(at[best]))
    return chosen


def needed(stops: Iterable[Stop]) -> list[Spot]:
    """Return every spot of some stops, once each."""
    return list(dict.fromkeys(spot for stop in stops for spot in stop.spots))
