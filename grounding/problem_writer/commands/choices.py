"""How many of which: mentions become formulas over types and things."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from commonground.grounding.problem_writer.commands.mentions import Mention
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.inventory import Inventory
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, conjunction, disjunction

MOST_CHOICES = 60
Make = Callable[[str], Formula]


class Choices:
    """Writes what is said of a mention, for the things that are there."""

    def __init__(self, graph: HouseGraph, kinds: Kinds) -> None:
        self.graph, self.kinds = graph, kinds
        self.home = Inventory(graph, kinds)
        self.there = self.home.there

    def words(self, mention: Mention) -> list[str]:
        """Return the names or types a mention may mean; those that are there, if any are."""
        if mention.names:
            return list(mention.names)
        if mention.name:
            return [mention.name]
        types = dict.fromkeys((*mention.types, *self.kinds.members(mention.group)))
        return list(self.home.present(types) or types)

    def things(self, mention: Mention) -> list[str]:
        """Return the things of a mention that are there."""
        return self.home.things(self.words(mention))

    def contents(self, mention: Mention) -> list[str]:
        """Return the portable things in the things of a mention."""
        kept = {name for other in mention.but for name in self.things(other)}
        return [
            item
            for holder in self.things(mention)
            for item in self.graph.contents(holder)
            if self.graph.can(item, "pickupable") and item not in kept
        ]

    def write(self, mention: Mention, make: Make) -> Formula:
        """Return what is said of one, some or all of a mention's things."""
        if mention.contents:
            return conjunction([make(item) for item in self.contents(mention)])
        words = self.words(mention)
        if mention.amount is None:
            return disjunction([make(word) for word in words])
        single = self.things(mention)
        if mention.amount == 0:
            return conjunction([make(name) for name in single or words])
        return self._some(mention.amount, words, single, make)

    def _some(self, n: int, words: Sequence[str], single: Sequence[str], make: Make) -> Formula:
        """Return the choice of n different ones: of different types where there are enough."""
        pool = words if len(words) >= n else single
        if len(pool) < n:
            raise Unclear(f"There are only {len(single)} of these, not {n}: {', '.join(single)}.")
        sets = itertools.islice(itertools.combinations(pool, n), MOST_CHOICES)
        return disjunction([conjunction([make(word) for word in chosen]) for chosen in sets])


def any_of(parts: Sequence[Formula], *, either: bool) -> Formula:
    """Return one or all of some goals."""
    return disjunction(list(parts)) if either else conjunction(list(parts))
