"""A house as wishes see it: what is in it, and what that is called."""

from __future__ import annotations

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.inventory import Inventory
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.nouns import Nouns, plain


class Home(Inventory):
    """What is asked of a house while its wishes are read."""

    def __init__(self, graph: HouseGraph, kinds: Kinds, nouns: Nouns) -> None:
        super().__init__(graph, kinds)
        self.nouns = nouns
        self._called = {name.lower().replace("_", " "): name for name in self.there}

    def named(self, words: str) -> list[str]:
        """Return the thing that words call by its name: ``Apple_1``, ``apple 1``."""
        name = self._called.get(plain(words))
        return [] if name is None else [name]
