"""The embedded front end: English is parsed here, without network or model.

A text is read word by word; ``cover`` reads the orders that the grammar knows of one, and passes over words
between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.answers import Grounding, answer, clarification, goal_texts
from commonground.grounding.english.asides import pared
from commonground.grounding.english.indifference import bound
from commonground.grounding.fidelity.check import Fidelity, doubtful
from commonground.grounding.fidelity.numbers import counts_of
from commonground.grounding.frontends.candidates import Way
from commonground.grounding.guard import same_goals
from commonground.grounding.language.parser import parser_of
from commonground.grounding.meaning import Instruction
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker, Goals
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.planning.pddl import parse_formula

CLOSE_COST = 0.05
"""Readings whose costs differ by less are equally likely."""
RESCUE_COST = 1.2
"""A reading that refers to nothing gives way to others that cost at most this much more."""
CLOSE_COVER, RESCUE_COVER = 0.3, 0.05
"""The same of ways to cover a text."""


class OfflineBackend:
    """Parses English without network or model."""

    def __init__(self, world: World, settings: GroundingSettings) -> None:
        self.parser, self.world = parser_of(world.names), world
        self.maker, self.fidelity = GoalMaker(world, settings), Fidelity(world)

    def ground(self, text: str) -> Grounding:
        """Parse, resolve the readings on the map, and answer with the likeliest that makes sense."""
        parse = self.parser.parse(text)
        if not parse.meanings:
            unclear = Unclear(parse.message, parse.unclear)
            return clarification(unclear, understood=False)
        faithful = [(m, cost) for m, cost in parse.meanings if not self.fidelity.doubts(m, text)]
        if not faithful:
            doubts = self.fidelity.doubts(parse.meanings[0][0], text)
            return clarification(Unclear(doubtful(doubts)), understood=False)
        try:
            goals = self._goals(faithful)
        except Unclear as unclear:
            return clarification(unclear)
        return answer(goals)

    def _goals(self, meanings: Sequence[tuple[Instruction, float]]) -> Goals:
        """Ground the cheapest reading; others stand in where it refers to nothing that is there."""
        best: Goals | None = None
        best_cost = 0.0
        problem: Unclear | None = None
        first_cost = meanings[0][1]
        for meaning, cost in meanings:
            if cost > first_cost + RESCUE_COST or (
                best is not None and cost > best_cost + CLOSE_COST
            ):
                break
            try:
                found = self.maker.goals(meaning)
            except Unclear as unclear:
                problem = problem or unclear
                continue
            if best is None:
                best, best_cost = found, cost
            elif not same_goals(best.by_robot, found.by_robot):
                raise Unclear(
                    f"That can be read in two ways: {_in_words(best)}, or {_in_words(found)}. Which is meant?"
                )
        if best is None:
            raise problem or Unclear("I do not understand that.")
        return best

    def way(self, text: str) -> Way | None:
        """Return what is read, of the whole text or in it, as one way to read it."""
        parsed = self.ground(text)
        if parsed.goals:
            return Way("grammar", parsed)
        covered = self.cover(text)
        return None if covered is None else Way("covered", covered)

    def cover(self, text: str) -> Grounding | None:
        """Return goals that fit a text of which parts are read, where there is one way to them."""
        said = pared(text, self.world.spoken_names)
        best: Grounding | None = None
        limit = float("inf")
        for meaning, cost in self.parser.cover(said).meanings:
            if cost > limit:
                break
            limit = min(limit, cost + RESCUE_COVER)
            found = self._fitting(meaning, said, text)
            if found is None:
                continue
            if best is not None and found.goals != best.goals:
                return None
            best = best or found
            limit = min(limit, cost + CLOSE_COVER)
        return best

    def _fitting(self, meaning: Instruction, text: str, whole: str) -> Grounding | None:
        """Return the answer to a meaning, if it has goals and fits the text."""
        try:
            found = answer(self.maker.goals(meaning))
        except Unclear:
            return None
        goals = [*map(parse_formula, (found.goals or {}).values())]
        doubts = self.fidelity.doubts(meaning, text, counts_of(goals)) or self.fidelity.strange(
            text
        )
        kept = bound(whole, goals, self.fidelity.robots)
        return None if doubts or kept or not found.goals else found


def _in_words(goals: Goals) -> str:
    return ", ".join(f"{name} {text}" for name, text in goal_texts(goals).items())
