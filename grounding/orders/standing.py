"""What of a text stands as an order: without what was taken back, put right at once, or only asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.english import utterance as u
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.fidelity.deeds import may_spare
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.orders.phrases import spans_of
from commonground.grounding.words.blanks import blanked


def standing(text: str, utterance: u.Utterance) -> str:
    """Return a text of the same length that has blanks for what does not stand; who is addressed stays."""
    letters = list(blanked(text, (*_fallen(text, utterance), *_told(text, utterance))))
    for crew in parts_of(utterance, u.Crew):
        for span in spans_of(crew):
            letters[span.start : span.end] = text[span.start : span.end]
    return "".join(letters)


def _fallen(text: str, utterance: u.Utterance) -> Iterator[tuple[int, int]]:
    for phrase in parts_of(utterance, u.Phrase):
        if phrase.corrected is not None:
            yield phrase.corrected.start, phrase.corrected.end
    spans = {at: spans_of(part) for at, part in enumerate(utterance.parts)}
    for at, part in enumerate(utterance.parts):
        asks = isinstance(part.step, u.Clause) and part.step.mood == "ask"
        if (part.stands or asks) and spans[at]:
            others = [s for i, found in spans.items() if i != at for s in found]
            yield _around(spans[at], others, len(text))


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


def _is_told(part: u.Part) -> bool:
    return isinstance(part.step, u.Clause) and part.step.mood == "tell" and not part.introduced


def _around(spans: Sequence[u.Span], others: Sequence[u.Span], length: int) -> tuple[int, int]:
    """Return how far a part of a text reaches: to what is said before it and after it."""
    start, end = min(s.start for s in spans), max(s.end for s in spans)
    before = max((s.end for s in others if s.end <= start), default=0)
    after = min((s.start for s in others if s.start >= end), default=length)
    return before, after
