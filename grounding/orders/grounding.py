"""Utterances → goals on one map for one team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.english import utterance as u
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.fidelity.check import Fidelity, Objection, doubtful
from commonground.grounding.fidelity.corrections import INSTEAD
from commonground.grounding.fidelity.deeds import may_spare
from commonground.grounding.fidelity.numbers import counts_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.orders.clauses import ABLE
from commonground.grounding.orders.instruction import Notes, instruction_of
from commonground.grounding.orders.phrases import spans_of
from commonground.grounding.orders.questions import Questions
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.tokens import tokenize
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
        self._kept = lru_cache(maxsize=KEPT)(self._objected)

    def ground(self, utterance: Utterance, text: str = "") -> Grounding:
        """Return goals, or a question; an answer to a question is in the message."""
        answered, objections = self.objected(utterance, text)
        if not objections:
            return answered
        offers = bool(answered.goals) and not self.fidelity.refuses(standing(text, utterance))
        said = (one.says for one in objections)
        question = doubtful([*said], said_back(utterance), offers=offers)
        meant = answered if offers else None
        return clarification(Unclear(question), understood=False, meant=meant)

    def objected(
        self, utterance: Utterance, text: str, asks: str = ""
    ) -> tuple[Grounding, tuple[Objection, ...]]:
        """Return what an utterance comes to, and what the words of its text have against it.

        ``asks`` is the text of the same length with blanks for what only is talk, where there is any.
        """
        return self._kept(utterance, text, asks or text)

    def _objected(
        self, utterance: Utterance, text: str, asks: str
    ) -> tuple[Grounding, tuple[Objection, ...]]:
        try:
            found = instruction_of(utterance, text)
        except Unclear as unclear:
            told = str(unclear)
            if not told.endswith(ABLE):  # which says what was understood
                told += f" I understood: {said_back(utterance)}."
            again = Unclear(told, unclear.candidates, ruled_out=unclear.ruled_out)
            return clarification(again), ()
        answered = self._answer(found)
        asks = blanked(asks, _idling(text, utterance))
        objections = [*self._objections(found, answered, utterance, asks)]
        if asks != text:
            whole = self._objections(found, answered, utterance, text)
            known = {one.says for one in objections}
            objections += [one._replace(aside=True) for one in whole if one.says not in known]
        return answered, tuple(objections)

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

    def _objections(
        self, found: Notes, answered: Grounding, utterance: Utterance, text: str
    ) -> Iterator[Objection]:
        """Yield what of a text an answer does not hold, or holds and should not."""
        stands = standing(text, utterance)
        if found.instruction is not None:
            counted = counts_of(map(parse_formula, (answered.goals or {}).values()))
            yield from self.fidelity.objections(found.instruction, stands, counted)
        yield from (Objection("strange", one) for one in self.fidelity.strange(stands))


def standing(text: str, utterance: u.Utterance) -> str:
    """Return a text of the same length that has blanks for what does not stand; who is addressed stays."""
    letters = list(blanked(text, (*_fallen(text, utterance), *_told(text, utterance))))
    idle = [*_idling(text, utterance)]
    for part in utterance.parts:
        for span in () if part.crew is None else spans_of(part.crew):
            words = text[span.start : span.end]
            rests = _is_idle(part) and any(a <= span.start < b for a, b in idle)
            letters[span.start : span.end] = " " * len(words) if rests else words
    return "".join(letters)


def _fallen(text: str, utterance: u.Utterance) -> Iterator[tuple[int, int]]:
    for phrase in parts_of(utterance, u.Phrase):
        if phrase.corrected is not None:
            yield phrase.corrected.start, phrase.corrected.end
    spans = {at: spans_of(part) for at, part in enumerate(utterance.parts)}
    for at, part in enumerate(utterance.parts):
        asks = isinstance(part.step, u.Clause) and part.step.mood == "ask"
        if (part.stands or asks) and spans[at]:
            yield _around(at, spans, len(text))


def _idling(text: str, utterance: u.Utterance) -> Iterator[tuple[int, int]]:
    """Yield where somebody is told that there is nothing to do; who is meant after all is told something."""
    spans = {at: spans_of(part) for at, part in enumerate(utterance.parts)}
    for at, part in enumerate(utterance.parts):
        if _is_idle(part) and spans[at]:
            start, end = _around(at, spans, len(text))
            if not INSTEAD.search(text, start, end):
                yield start, end


def _told(text: str, utterance: u.Utterance) -> Iterator[tuple[int, int]]:
    """Yield the clauses that an utterance takes for told, and that neither order nor forbid."""
    for part in filter(_is_told, utterance.parts):
        yield from (found for span in spans_of(part) if (found := _told_at(span.start, text)))


def _told_at(at: int, text: str) -> tuple[int, int] | None:
    """Return the clause of a word where nothing in it orders or forbids anything."""
    start = max(text.rfind(mark, 0, at) for mark in MARKS) + 1
    end = min((k for mark in MARKS if (k := text.find(mark, at)) >= 0), default=len(text))
    clause = text[start:end]
    orders = any(said.words not in BEING for said in phrases_in(tokenize(clause), DEEDS))
    return None if orders or may_spare(clause) else (start, end)


def _is_idle(part: u.Part) -> bool:
    """Return whether somebody is told that there is nothing to do."""
    return isinstance(part.step, u.Clause) and part.step.sense == "nothing"


def _is_told(part: u.Part) -> bool:
    return isinstance(part.step, u.Clause) and part.step.mood == "tell" and not part.introduced


def _around(at: int, spans: Mapping[int, Sequence[u.Span]], length: int) -> tuple[int, int]:
    """Return how far a part of a text reaches: to what is said before it and after it."""
    others = [s for i, found in spans.items() if i != at for s in found]
    start, end = min(s.start for s in spans[at]), max(s.end for s in spans[at])
    before = max((s.end for s in others if s.end <= start), default=0)
    after = min((s.start for s in others if s.start >= end), default=length)
    return before, after
