"""Utterances → goals on one map for one team."""

from __future__ import annotations

from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.fidelity.check import Fidelity, doubtful
from commonground.grounding.orders.instruction import instruction_of
from commonground.grounding.orders.questions import Questions
from commonground.grounding.orders.standing import standing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World

NOTHING = "There is nothing to do in that. What should the robots do?"


class Orders:
    """Grounds what was said on one map, for one team."""

    def __init__(self, world: World, settings: GroundingSettings) -> None:
        self.maker = GoalMaker(world, settings)
        self.questions = Questions(self.maker.resolver)
        self.fidelity = Fidelity(world)

    def ground(self, utterance: Utterance, text: str = "") -> Grounding:
        """Return goals, or a question; an answer to a question is in the message."""
        try:
            found = instruction_of(utterance, text)
        except Unclear as unclear:
            understood = said_back(utterance)
            return clarification(
                Unclear(f"{unclear} I understood: {understood}.", unclear.candidates)
            )
        stands = standing(text, utterance)
        doubts = self.fidelity.doubts(found.instruction, stands) if found.instruction else []
        doubts += self.fidelity.strange(stands)
        if doubts:
            return clarification(Unclear(doubtful(doubts, said_back(utterance))), understood=False)
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
