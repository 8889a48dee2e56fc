"""Conditions on candidates: each relation as a mask or an order over a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.grounding.linking import Pool
from commonground.grounding.meaning import Relation, Thing
from commonground.grounding.nodes import Nodes
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.geometry import (
    COMPASS,
    Anchor,
    bearings,
    between,
    coordinate,
    distances,
    in_direction,
    on_side_of_robot,
    on_side_of_thing,
    robot_anchor,
    stacked,
)
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import describe, listing
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World

UPRIGHT = ("on", "under", "above")
SIDES = ("left", "right", "front", "behind")


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """What a relation is measured from."""

    found: tuple[Anchor, ...]
    mode: Literal["all", "any"]
    symbols: tuple[str, ...] = ()
    """Of those that are nodes."""
    loose: bool = False
    """``the lot`` where there are two: what is found there must decide which is meant."""
    wanted: int = 1
    """How many of them an area must contain."""


@dataclass(slots=True, eq=False)
class Narrowing:
    """A pool on its way through the conditions, with what each one ruled out."""

    pool: Pool
    excluded: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    candidates: tuple[tuple[str, float | None], ...] = ()
    loose: bool = False

    def keep(self, mask: Bools, why: str) -> None:
        """Keep the masked rows."""
        gone = self.pool.symbols(self.pool.rows[~mask])
        if gone:
            self.excluded.append((why, tuple(gone)))
        self.pool = self.pool.take(mask)


def is_superlative(relation: Relation, pool_kind: str) -> bool:
    """Return whether a relation orders the candidates instead of filtering them."""
    if relation.how in (
        "nearest",
        "farthest",
        "leftmost",
        "rightmost",
        "largest",
        "smallest",
        "tallest",
    ):
        return True
    if relation.how in ("most", "fewest"):
        return pool_kind == "region"
    return not relation.to and (relation.how in COMPASS or relation.how in SIDES)


class Relations:
    """Applies relations; ``anchors_of`` resolves what they are measured from."""

    def __init__(
        self,
        world: World,
        settings: GroundingSettings,
        anchors_of: Callable[[Relation, Pool, Scope], Anchors],
    ) -> None:
        self.world, self.settings, self.anchors_of = world, settings, anchors_of

    # ---- filters --------------------------------------------------------------------------------

    def narrow(
        self, narrowing: Narrowing, relation: Relation, scope: Scope, *, single: bool
    ) -> None:
        """Keep the candidates for which a relation holds."""
        pool = narrowing.pool
        anchors = self.anchors_of(relation, pool, scope)
        mask = self._mask(pool, relation, anchors, scope, single=single)
        narrowing.loose |= anchors.loose
        kept = mask ^ relation.negated
        if anchors.found and not kept.any():  # what there is instead is offered, the nearest first
            each = [distances(self.world, pool.nodes, pool.rows, a) for a in anchors.found]
            narrowing.pool = pool.of(pool.rows[np.argsort(np.min(each, axis=0), kind="stable")])
        narrowing.keep(kept, _why(relation))

    def _mask(
        self, pool: Pool, relation: Relation, anchors: Anchors, scope: Scope, *, single: bool
    ) -> Bools:
        how = relation.how
        if how in ("in", "contains", "same_region"):
            return self._regional(pool, how, anchors)
        if how in UPRIGHT:
            return self._upright(pool, how, anchors)
        if how == "between":
            return self._between(pool, anchors)
        if how == "near":
            return self._near(pool, anchors, single=single)
        each = [self._from(pool, relation, anchor, scope) for anchor in anchors.found]
        if not each:
            raise Unclear(f"What is '{how}' measured from?")
        stacked = np.stack(each)
        return np.asarray(stacked.all(axis=0) if anchors.mode == "all" else stacked.any(axis=0))

    def _from(self, pool: Pool, relation: Relation, anchor: Anchor, scope: Scope) -> Bools:
        how, nodes, rows = relation.how, pool.nodes, pool.rows
        if how in ("within", "beyond"):
            if relation.meters is None:
                raise Unclear("How many meters are meant?")
            meters = distances(self.world, nodes, rows, anchor)
            near = np.asarray(meters <= relation.meters)
            return self._without_self(near if how == "within" else ~near, pool, anchor)
        if how in COMPASS:
            return in_direction(nodes, rows, how, anchor)
        if how in SIDES:
            robot = self.world.robot(anchor.name) if anchor.yaw is not None else None
            if robot is not None:
                return on_side_of_robot(nodes, rows, how, robot)
            return on_side_of_thing(nodes, rows, how, anchor, scope.robot)
        raise Unclear(f"I cannot tell what is '{how}'.")

    @staticmethod
    def _without_self(mask: Bools, pool: Pool, anchor: Anchor) -> Bools:
        same = np.array([pool.nodes.symbols[int(r)] == anchor.name for r in pool.rows], bool)
        return np.asarray(mask & ~same)

    def _between(self, pool: Pool, anchors: Anchors) -> Bools:
        if len(anchors.found) != 2:
            raise Unclear(
                f"Between which two? There are {len(anchors.found)}: {listing(anchors.symbols)}."
            )
        first, last = anchors.found
        mask = between(pool.nodes, pool.rows, first, last)
        return self._without_self(self._without_self(mask, pool, first), pool, last)

    def _near(self, pool: Pool, anchors: Anchors, *, single: bool) -> Bools:
        """For one thing near means nearest, if none is nearly as near; for several it is a radius.

        An area is next to those that the map joins it to.
        """
        joined = self._joined(pool, anchors)
        if joined.any():
            return joined
        each = np.stack([distances(self.world, pool.nodes, pool.rows, a) for a in anchors.found])
        meters = each.max(axis=0) if anchors.mode == "all" else each.min(axis=0)
        for anchor in anchors.found:
            meters = np.where(
                self._without_self(np.ones(len(meters), bool), pool, anchor), meters, np.inf
            )
        if not single:
            return np.asarray(meters <= self.settings.near_m)
        order = np.argsort(meters, kind="stable")
        mask = np.zeros(len(meters), bool)
        if len(order) and meters[order[0]] <= self.settings.far_m:
            rival = meters[order[1]] if len(order) > 1 else np.inf
            best = meters[order[0]]
            clear = rival > max(1.15 * best, best + 0.5)
            mask[order[:1] if clear else meters <= max(1.15 * best, best + 0.5)] = True
        return mask

    def _joined(self, pool: Pool, anchors: Anchors) -> Bools:
        """Return which areas an edge of the map joins to all, or to any, of the areas that are anchors."""
        areas = [row for nodes, row in self._found(anchors.symbols) if nodes.kind == "region"]
        if pool.nodes.kind != "region" or not areas or len(areas) < len(anchors.found):
            return np.zeros(len(pool.rows), bool)
        each = [np.isin(pool.rows, self.world.graph.neighbors("regions", row)) for row in areas]
        return np.asarray(np.all(each, axis=0) if anchors.mode == "all" else np.any(each, axis=0))

    def _regional(self, pool: Pool, how: str, anchors: Anchors) -> Bools:
        if how == "in" and pool.nodes.kind == "region":
            how = "contains"
        if how == "contains":
            return self._counts(pool, anchors.symbols) >= anchors.wanted
        if how == "same_region":
            return self._beside(pool, anchors)
        found = self._found(anchors.symbols)
        kinds = {nodes.kind for nodes, _ in found}
        if kinds <= {"region"}:
            return self._in_regions(pool, anchors.symbols)
        if kinds <= {"object"}:
            return self._upright(pool, how, anchors)
        if kinds <= {"place"} and pool.nodes.kind == "object":
            places = self.world.graph.parents("objects", self.world.places.layer)[pool.rows]
            return np.isin(places, [row for _, row in found])
        raise Unclear(f"{listing(anchors.symbols)} is no area that something can be in.")

    def _upright(self, pool: Pool, how: str, anchors: Anchors) -> Bools:
        """Return what is on, under, above or within other things, by the bounds of both."""
        if how == "on" and {nodes.kind for nodes, _ in self._found(anchors.symbols)} != {"object"}:
            return self._regional(pool, "in", anchors)
        mask = np.zeros(len(pool.rows), bool)
        for nodes, row in self._found(anchors.symbols):
            mask |= stacked(pool.nodes, pool.rows, how, nodes, row)
        return mask

    def _beside(self, pool: Pool, anchors: Anchors) -> Bools:
        """Return what is in the regions of the anchors, without the anchors themselves."""
        regions = {self.world.region_of(s) for s in anchors.symbols}
        same = self._in_regions(pool, [r for r in regions if r is not None])
        for anchor in anchors.found:
            same = self._without_self(same, pool, anchor)
        return same

    def _in_regions(self, pool: Pool, symbols: Iterable[str]) -> Bools:
        return np.isin(pool.nodes.region[pool.rows], [row for _, row in self._found(symbols)])

    def _found(self, symbols: Iterable[str]) -> list[tuple[Nodes, int]]:
        """Return where symbols are, those that the map has."""
        return [found for symbol in symbols if (found := self.world.find(symbol)) is not None]

    def _counts(self, pool: Pool, symbols: Sequence[str]) -> Ints:
        """Return for each area or place of a pool how many of the given nodes are in it."""
        if pool.nodes.kind not in ("region", "place"):
            raise Unclear(
                "Only areas hold things on this map. Please name the thing that is meant, or its symbol."
            )
        holds = self.world.region_of if pool.nodes.kind == "region" else self._place_of
        within = [holds(s) for s in symbols]
        counts = [sum(w == pool.nodes.symbols[int(r)] for w in within) for r in pool.rows]
        return np.array(counts, np.int64)

    def _place_of(self, symbol: str) -> str | None:
        """Return the place where a thing stands."""
        nodes, row = self.world.find(symbol) or (self.world.places, -1)
        if nodes.kind != "object":
            return None
        places = self.world.places
        place = int(self.world.graph.parents("objects", places.layer)[row])
        return places.symbols[place] if place >= 0 else None

    # ---- superlatives -----------------------------------------------------------------------------

    def best(self, narrowing: Narrowing, relation: Relation, scope: Scope, *, k: int) -> None:
        """Keep the k candidates that a superlative picks (or the one of a rank)."""
        pool = narrowing.pool
        if len(pool.rows) == 0:
            return
        values, metric = self._values(pool, relation, scope)
        order = np.argsort(values, kind="stable")
        rank = relation.rank or 1
        if len(order) < rank - 1 + k:
            raise Unclear(
                f"There are only {len(order)} to choose from: {listing(pool.symbols())}.",
                pool.symbols(),
            )
        chosen = order[rank - 1 : rank - 1 + k]
        self._refuse_ties(pool, values, order, rank - 1, k, relation)
        narrowing.candidates = tuple(
            (
                pool.nodes.symbols[int(pool.rows[i])],
                float(metric[i]) if metric is not None else None,
            )
            for i in order[:20]
        )
        mask = np.zeros(len(order), bool)
        mask[chosen] = True
        narrowing.keep(mask, _why(relation))

    def _refuse_ties(
        self, pool: Pool, values: Floats, order: Ints, start: int, k: int, relation: Relation
    ) -> None:
        for edge in (start, start + k):
            if 0 < edge < len(order):
                a, b = values[order[edge - 1]], values[order[edge]]
                if not np.isfinite(b - a) or b - a < self.settings.tie_m:
                    near = (values[order] > a - self.settings.tie_m) & (
                        values[order] < b + self.settings.tie_m
                    )
                    near[edge - 1 : edge + 1] = True
                    tied = pool.symbols(pool.rows[order[near]])
                    raise Unclear(
                        f"{listing(tied)} are equally {_plain(relation)}. Which is meant?", tied
                    )

    def _values(self, pool: Pool, relation: Relation, scope: Scope) -> tuple[Floats, Floats | None]:
        """Return what orders the candidates, best lowest, and meters to show."""
        how, nodes, rows = relation.how, pool.nodes, pool.rows
        if how in ("nearest", "farthest"):
            meters = self._meters(pool, relation, scope)
            return (meters if how == "nearest" else -meters), meters
        if how in COMPASS:
            return -coordinate(nodes, rows, how), None
        if how in ("leftmost", "rightmost", "left", "right"):
            angle = bearings(nodes, rows, scope.robot)
            return (-angle if how in ("leftmost", "left") else angle) * 10.0, None
        if how in ("front", "behind"):
            meters = distances(self.world, nodes, rows, robot_anchor(scope.robot))
            hidden = ~on_side_of_robot(nodes, rows, how, scope.robot)
            return np.where(hidden, np.inf, meters), meters
        if how in ("most", "fewest"):
            counts = self._counts(pool, self.anchors_of(relation, pool, scope).symbols).astype(
                float
            )
            return (-counts if how == "most" else counts), None
        size = np.maximum(nodes.high[rows] - nodes.low[rows], 0.0)
        if not (size > 0).any():
            raise Unclear(f"The map does not hold sizes, so I cannot tell the {how}.")
        measure = size[:, 2] if how == "tallest" else size.prod(axis=1)
        return (measure if how == "smallest" else -measure), None

    def _meters(self, pool: Pool, relation: Relation, scope: Scope) -> Floats:
        anchors = self.anchors_of(relation, pool, scope)
        each = [distances(self.world, pool.nodes, pool.rows, a) for a in anchors.found]
        for row, anchor in zip(each, anchors.found, strict=True):
            row[~self._without_self(np.ones(len(row), bool), pool, anchor)] = (
                np.inf if relation.how == "nearest" else -np.inf
            )
        stacked = np.stack(each)
        if anchors.mode == "all" and len(each) > 1:
            best = {
                int(np.argmin(row) if relation.how == "nearest" else np.argmax(row)) for row in each
            }
            if len(best) > 1:
                raise Unclear(
                    f"{describe(Thing(where=(relation,)))}: measured from {listing(anchors.symbols)}, "
                    "which of them? The answers differ."
                )
        return np.asarray(stacked.min(axis=0))


def _why(relation: Relation) -> str:
    """Return why a candidate is out: it is ``not in the shelter``, or ``in the shelter``."""
    return ("" if relation.negated else "not ") + describe(
        Thing(where=(replace(relation, negated=False),))
    ).removeprefix("the thing ")


def _plain(relation: Relation) -> str:
    return describe(Thing(where=(relation,))).removeprefix("the thing ")
