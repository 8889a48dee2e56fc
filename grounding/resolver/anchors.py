"""Anchors of spatial relations: nodes, robots, and what regions contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from commonground.grounding.linking import Pool
from commonground.grounding.meaning import Reference, Relation, Thing
from commonground.grounding.nodes import NodeKind
from commonground.grounding.resolver.candidates import Resolve
from commonground.grounding.resolver.choice import Choice, Unclear, is_settled, only, symbols_of
from commonground.grounding.resolver.geometry import Anchor, node_anchor, robot_anchor
from commonground.grounding.resolver.memory import remember
from commonground.grounding.resolver.relations import Anchors
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.world import World

ANY: tuple[NodeKind, ...] = ("object", "region", "place")
AREA_FIRST: tuple[NodeKind, ...] = ("region", "place", "object")


class AnchorFinder:
    """Resolves the anchors of relations."""

    def __init__(self, world: World, resolve: Resolve) -> None:
        self.world, self.resolve = world, resolve

    def anchors(self, relation: Relation, pool: Pool, scope: Scope) -> Anchors:
        """Return the anchors of a relation; where nothing is said, the robot that is addressed."""
        if not relation.to:
            return Anchors((robot_anchor(scope.robot),), "all")
        holds = relation.how in ("contains", "most", "fewest")
        if holds or (relation.how == "in" and pool.nodes.kind == "region"):
            return self._contents(relation, scope)
        found: list[Anchor] = []
        symbols: list[str] = []
        mode: Literal["all", "any"] = "all"
        loose = False
        for reference in self._clear_first(relation):
            robot = self._robot(reference, scope)
            if robot is not None:
                found.append(robot)
                continue
            known = self._regions(pool, symbols)
            choice, is_loose = self._choice(reference, relation, scope, known)
            loose |= is_loose
            symbols += symbols_of(choice)
            found += [node_anchor(self.world, s) for s in symbols_of(choice)]
            mode = mode if is_settled(choice) else "any"
        return Anchors(tuple(found), mode, tuple(symbols), loose)

    def _choice(
        self, reference: Reference, relation: Relation, scope: Scope, regions: set[int]
    ) -> tuple[Choice, bool]:
        """Return an anchor, and whether it is loose: one of two fields in ``the bicycle in the field``."""
        try:
            choice = self.resolve(reference, _kinds(relation), scope)
        except Unclear as unclear:
            areas = [s for s in unclear.candidates if s in self.world.regions.symbols]
            definite = isinstance(reference, Thing) and reference.amount == "the"
            here = self._in(regions, unclear) if definite and relation.how != "in" else []
            if len(here) == 1:
                return only("object", here), False
            if not (relation.how == "in" and definite and areas and not relation.negated):
                raise
            return only("region", areas), True
        remember(scope, reference, choice, aside=True)
        return choice, False

    def _clear_first(self, relation: Relation) -> Sequence[Reference]:
        """Return anchors, those first that say where they are: they tell where the others are."""
        if relation.how != "between":
            return relation.to
        return sorted(relation.to, key=lambda one: not (isinstance(one, Thing) and one.where))

    def _regions(self, pool: Pool, symbols: Sequence[str]) -> set[int]:
        """Return the one region where all things that are left are, or else all anchors so far."""
        objects = self.world.objects
        here = {int(objects.region[k]) for k, s in enumerate(objects.symbols) if s in symbols}
        left = {int(row) for row in pool.nodes.region[pool.rows]}
        if pool.nodes.kind == "object" and len(left) == 1:
            return left - {-1}
        return here - {-1} if len(here) == 1 else set()

    def _in(self, regions: set[int], unclear: Unclear) -> list[str]:
        """Return which of the things that may be meant are in some regions."""
        objects = self.world.objects
        rows = [k for k, s in enumerate(objects.symbols) if s in unclear.candidates]
        return [objects.symbols[k] for k in rows if int(objects.region[k]) in regions]

    def _contents(self, relation: Relation, scope: Scope) -> Anchors:
        """What an area is said to contain need not be unique on the map, only be there."""
        loose = [
            replace(t, amount="all", total=None) if isinstance(t, Thing) else t for t in relation.to
        ]
        symbols = [s for t in loose for s in symbols_of(self.resolve(t, ("object",), scope))]
        first = relation.to[0]
        if isinstance(first, Thing) and first.amount == "the" and first.of is None:
            remember(scope, first, only("object", symbols), aside=True)
        return Anchors((), "any", tuple(symbols), wanted=_wanted(first))

    def _is_robot(self, thing: Thing) -> bool:
        """Return whether a robot is meant: it is called one, or by the name of one and nothing else is."""
        if thing.kind == "robot":
            return True
        plain = thing.noun and thing.of is None and not thing.where
        return bool(
            plain and self.world.robot(thing.noun) and not self.world.pools(thing.noun, ANY)
        )

    def _robot(self, reference: Reference, scope: Scope) -> Anchor | None:
        if not (isinstance(reference, Thing) and self._is_robot(reference)):
            return None
        if reference.of == "other":
            others = [r for r in self.world.team if r.name != scope.robot.name]
            if len(others) != 1:
                raise Unclear("Which other robot is meant?", [r.name for r in others])
            return robot_anchor(others[0])
        robot = self.world.robot(reference.noun) if reference.noun else scope.robot
        if robot is None:
            known = list(self.world.team.robots)
            raise Unclear(f"There is no robot called {reference.noun}.", known)
        return robot_anchor(robot)


def _kinds(relation: Relation) -> Sequence[NodeKind]:
    return AREA_FIRST if relation.how in ("in", "on", "same_region") else ANY


def _wanted(what: Reference) -> int:
    """Return how many of the things an area must contain: ``with three signs``, ``with both boats``."""
    if not isinstance(what, Thing):
        return len(what.things) if what.join == "all" else 1
    return (what.count if what.amount == "any" else what.total) or 1
