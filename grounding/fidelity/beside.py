"""What is done with a thing is said beside it: a sentence without verb or robot only tells what there is.

``Three pumps on the books. I want two of them inspected.`` has two pumps inspected, not three.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.purposes import DEEDS as DONE
from commonground.grounding.english.purposes import purposes_of
from commonground.grounding.english.utterance import Described, Phrase, Span, Utterance
from commonground.grounding.fidelity.clauses import clause_at, sentence_at
from commonground.grounding.fidelity.joints import joins
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.robots import is_named
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import Token
from commonground.grounding.words.nouns import words_of

_TAKING_UP = frozenset(
    words_of(
        "it them there those that these this one ones both each all former latter other others em two "
        "three any pair first second third last"
    )
)

_ROBOTS = frozenset(["robot", "robots"])
_OF_THOSE = frozenset(["one", "ones", "them", "those", "these"])


def unspoken(utterance: Utterance, tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield things that an utterance does something with and that its text only tells of."""
    again = {span for phrase in parts_of(utterance, Phrase) for span in phrase.again}
    done = {span for span, purpose in purposes_of(utterance) if purpose in DONE} - again
    verbs = {said.start for said in phrases_in(tokens, DEEDS) if said.words not in BEING}
    ordered = sorted(done, key=lambda s: s.start)
    for span in ordered:
        taken = next(filter(_takes_up, (o for o in ordered if o.start > span.end)), None)
        if taken is not None and not _takes_up(span) and not _has_verb(span, tokens, verbs):
            yield f"the text only tells of {span.text}, and then says what to do with {taken.text}"
        if _is_only_told(span, tokens, verbs, robots):
            yield f"the text says nothing of what to do with {span.text}"
    yield from _unjoined(ordered, tokens, verbs, robots)


def _has_verb(span: Span, tokens: Sequence[Token], verbs: Collection[int]) -> bool:
    begin, end = clause_at(tokens, _at(tokens, span))
    return any(t.start in verbs for t in tokens[begin:end])


def _is_only_told(
    span: Span, tokens: Sequence[Token], verbs: Collection[int], robots: Sequence[str]
) -> bool:
    """Return whether a sentence has neither verb nor robot, and no other sentence takes it up."""
    begin, end = sentence_at(tokens, _at(tokens, span))
    here = [t for t in tokens if begin <= t.start < end]
    rest = [t for t in tokens if not begin <= t.start < end]
    if any(t.start in verbs or _is_robot(t, robots) for t in here) or _is_bare(tokens, verbs):
        return False
    words = {t.text for t in rest}
    return _TAKING_UP.isdisjoint(words) and any(t.start in verbs for t in rest)


def _is_robot(token: Token, robots: Sequence[str]) -> bool:
    return token.text in _ROBOTS or any(is_named(name, token.text) for name in robots)


def _unjoined(
    done: Sequence[Span], tokens: Sequence[Token], verbs: Collection[int], robots: Sequence[str]
) -> Iterator[str]:
    """Yield things beside each other of which one only describes the other."""
    for first, second in pairwise(done):
        between = [t for t in tokens if first.end <= t.start and t.end <= second.start]
        whole = isinstance(first, Described) or isinstance(second, Described)
        if whole and between and not any(joins(t, verbs, robots) for t in between):
            yield f"nothing between '{first.text}' and '{second.text}' says that both are meant"


def _takes_up(span: Span) -> bool:
    """Return whether words only take up what was named before: ``one of them``, ``the one by the door``."""
    words = span.text.casefold().split()
    return isinstance(span, Described) and not _OF_THOSE.isdisjoint(words)


def _is_bare(tokens: Sequence[Token], verbs: Collection[int]) -> bool:
    """Return whether a verb ends a sentence, so that what was named before goes with it."""
    ends = (behind.kind == "mark" for behind in tokens[1:])
    return any(t.start in verbs and end for t, end in zip(tokens, [*ends, True], strict=True))


def _at(tokens: Sequence[Token], span: Span) -> int:
    return next((k for k, token in enumerate(tokens) if token.end > span.start), len(tokens) - 1)
