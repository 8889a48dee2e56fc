"""The front end that reads the orders in a text and passes over words between them."""

from __future__ import annotations

from commonground.grounding.answers import Grounding, answer
from commonground.grounding.english.asides import pared
from commonground.grounding.english.indifference import bound
from commonground.grounding.fidelity.counts import counts_of
from commonground.grounding.frontends.offline import OfflineBackend
from commonground.grounding.meaning import Instruction
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.world import World
from commonground.planning.pddl import parse_formula

CLOSE_COST = 0.3
"""Ways to cover a text whose costs differ by less are equally likely."""
RESCUE_COST = 0.05
"""A way that refers to nothing gives way to others that cost at most this much more."""


class CoveringBackend:
    """Reads what the grammar knows of a text; where that is not clear, it has no answer."""

    def __init__(self, world: World, grammar: OfflineBackend) -> None:
        self.names, self.team, self.grammar = world.spoken_names, world.team, grammar

    def ground(self, text: str) -> Grounding | None:
        """Return goals that fit the words of a text, where there is one way to them."""
        said = pared(text, self.names)
        best: Grounding | None = None
        limit = float("inf")
        for meaning, cost in self.grammar.parser.cover(said).meanings:
            if cost > limit:
                break
            limit = min(limit, cost + RESCUE_COST)
            found = self._fitting(meaning, said, text)
            if found is None:
                continue
            if best is not None and found.goals != best.goals:
                return None
            best = best or found
            limit = min(limit, cost + CLOSE_COST)
        return best

    def _fitting(self, meaning: Instruction, text: str, whole: str) -> Grounding | None:
        """Return the answer to a meaning, if it has goals and fits the text."""
        try:
            found = answer(self.grammar.maker.goals(meaning))
        except Unclear:
            return None
        goals = [*map(parse_formula, (found.goals or {}).values())]
        counted = counts_of(goals)
        fidelity = self.grammar.fidelity
        doubts = fidelity.doubts(meaning, text, counted) or fidelity.strange(text)
        kept = bound(whole, goals, list(self.team.robots))
        return None if doubts or kept or not found.goals else found
