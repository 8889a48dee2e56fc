"""An errand being drafted: the demanded literals of a branch, and the spots where they come true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Ints
from commonground.planning.scene.branch import Branch
from commonground.planning.scene.errand import Errand, Impossible
from commonground.planning.scene.goal import Literal
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.robots import Robot


@dataclass(frozen=True, slots=True)
class Draft:
    """One alternative of a goal, the robot that is to satisfy it, and its errand so far."""

    branch: Branch
    robot: Robot
    road: Roadmap
    start: Spot
    errand: Errand

    # ---- what the branch demands ----

    def demanded(self, *predicates: str) -> list[Literal]:
        """Return the positive literals of some predicates, in a fixed order."""
        return self._literals(predicates, positive=True)

    def denied(self, *predicates: str) -> list[Literal]:
        """Return the negated literals of some predicates, in a fixed order."""
        return self._literals(predicates, positive=False)

    def _literals(self, predicates: tuple[str, ...], *, positive: bool) -> list[Literal]:
        found = (x for x in self.branch.literals if x.predicate in predicates)
        return sorted((x for x in found if x.positive is positive), key=str)

    def choices(self, *predicates: str) -> list[tuple[Literal, ...]]:
        """Return the choices made of some predicates only, in a fixed order."""
        wanted = set(predicates)
        found = (c for c in self.branch.choices if {x.predicate for x in c} <= wanted)
        return sorted(found, key=str)

    def denies(self, predicate: str, *args: str) -> bool:
        """Return whether the negation of a fact is demanded."""
        return Literal(predicate, args, positive=False) in self.branch.literals

    def not_denied(self, choice: tuple[Literal, ...]) -> list[Literal]:
        """Return the literals of a choice whose opposite is not demanded."""
        left = [x for x in choice if not self.denies(x.predicate, *x.args)]
        if not left:
            raise Impossible(f"the goal asks for {choice[0]} and for its opposite")
        return left

    # ---- where that is ----

    def region_row(self, region: str) -> int:
        """Return the row of a region."""
        return int(self.road.graph.regions.row(region))

    def in_region(self, region: str) -> Bools:
        """Return which places (n,) lie in a region."""
        return np.asarray(self.road.region == self.region_row(region))

    def open_rows(self, mask: Bools) -> tuple[int, ...]:
        """Return those of the places (n,) where the robot may be."""
        rows: Ints = np.flatnonzero(mask & ~self.errand.forbidden & self.road.usable)
        return tuple(rows.tolist())

    def open_places(self, region: str) -> list[Spot]:
        """Return the places of a region where the robot may be."""
        return [self.road.place(row) for row in self.open_rows(self.in_region(region))]

    def spot(self, symbol: str) -> Spot:
        """Return an object's or a place's spot; Impossible where the goal forbids to be there."""
        layer = self.road.graph.find(symbol)[0]
        if layer not in (self.road.layer, "objects"):
            raise Impossible(f"{symbol} is in a layer robots do not move on")
        is_place = layer == self.road.layer
        spot = self.road.place(self.road.row(symbol)) if is_place else self.road.object(symbol)
        if self.denies("visited-object", symbol):
            raise Impossible(f"{symbol} is needed and must not be visited")
        for avoided in self.denied("visited-region"):
            region = avoided.args[0]
            if spot.region == self.region_row(region):
                raise Impossible(f"{symbol} lies in {region}, which is to be avoided")
        return spot

    @property
    def first_place(self) -> str:
        """The place nearest to where the robot stands."""
        return self.road.symbol(self.road.row_at(np.array(self.start.position)))

    def starts_at(self, literal: Literal) -> bool:
        """Return whether the robot's first place, or its region, fulfils a literal already."""
        if literal.predicate in ("visited-place", "at-place"):
            return literal.args[0] == self.first_place
        if literal.predicate in ("visited-region", "in-region"):
            return self.start.region == self.region_row(literal.args[0])
        return False
