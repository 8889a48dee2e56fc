"""Utterances → goals on one map for one team."""

from __future__ import annotations

from functools import lru_cache

from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.fidelity.beside import unspoken
from commonground.grounding.fidelity.check import Fidelity, doubtful
from commonground.grounding.fidelity.numbers import counts_of
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.orders.clauses import ABLE
from commonground.grounding.orders.instruction import Notes, instruction_of
from commonground.grounding.orders.questions import Questions
from commonground.grounding.orders.standing import standing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.planning.pddl import parse_formula

KEPT = 32
NOTHING = "There is nothing to do in that. What should the robots do?"


class Orders:
    """Grounds what was said on one map, for one team."""

    def __init__(self, world: World, settings: GroundingSettings) -> None:
        self.maker = GoalMaker(world, settings)
        self.questions = Questions(self.maker.resolver)
        self.fidelity = Fidelity(world)
        # of a text that is read in several ways, each is looked at more than once
        self._kept = lru_cache(maxsize=KEPT)(self._ground)

    def ground(self, utterance: Utterance, text: str = "") -> Grounding:
        """Return goals, or a question; an answer to a question is in the message."""
        return self._kept(utterance, text)

    def _ground(self, utterance: Utterance, text: str) -> Grounding:
        try:
            found = instruction_of(utterance, text)
        except Unclear as unclear:
            told = str(unclear)
            if not told.endswith(ABLE):  # which says what was understood
                told += f" I understood: {said_back(utterance)}."
            return clarification(Unclear(told, unclear.candidates, ruled_out=unclear.ruled_out))
        answered = self._answer(found)
        doubts = self._doubts(found, answered, standing(text, utterance))
        doubts += unspoken(utterance, tokenize(text), self.fidelity.robots)
        if doubts:
            return clarification(Unclear(doubtful(doubts, said_back(utterance))), understood=False)
        return answered

    def _answer(self, found: Notes) -> Grounding:
        """Return what orders and questions come to on the map."""
        notes = found.notes
        try:
            notes = (*notes, *(self.questions.answer(*asked) for asked in found.asked))
            if found.instruction is not None:
                return answer(self.maker.goals(found.instruction), notes)
        except Unclear as unclear:
            return clarification(unclear, notes)
        if found.asked:
            return clarification(Unclear(" ".join(notes)))
        return clarification(Unclear(NOTHING), notes)

    def _doubts(self, found: Notes, answered: Grounding, stands: str) -> list[str]:
        """Return what of the text that stands an answer does not hold, or holds and should not."""
        doubts = self.fidelity.strange(stands)
        if found.instruction is None:
            return doubts
        counted = counts_of(map(parse_formula, (answered.goals or {}).values()))
        return [*self.fidelity.doubts(found.instruction, stands, counted), *doubts]
