"""Where a text tells robots to stay where something was named before: ``go there and remain at it``.

The network takes waiting for going more often than not. The words are plain: who is told to stay there ends
at what was spoken of before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import clauses_of, parts_of
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import Clause, Crew, Span, Steps, Utterance
from commonground.grounding.fidelity.ends import STAYING
from commonground.grounding.frontends.otherwise import changed
from commonground.grounding.words.nouns import word_set

_HELD = word_set("position station post")
"""What one holds who stays: ``hold position there``."""
_HALTING = word_set("stop halt")
"""With ``there`` these tell to stay; without it, or by a thing, they may be short or over: ``stop by it``."""
_PLACING = word_set("at by in on inside within with next beside near alongside outside to right")
_NEAR = word_set("it them there that him her")
_DENIED = word_set(
    "not n't dont never no without until till who where which that clear away out off"
)
_NEXT = word_set("and or but then until till for while when so please")
_MARKS = frozenset(".,;:!?()")
_BEFORE = _MARKS | word_set("and then please just you")
"""Before an order to halt; who else halts there is only told."""
_AFTER = _BEFORE | word_set("to afterwards afterward finally must should shall will")
"""Before a ``stand by it`` that is an order."""
_RIGHT = frozenset(["right", "just", "over"])
_REACH = 4
_GOING = frozenset(["go to", "enter", "come near", "end up at", "be at"])


def stayed(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance in which those end at what was named before that its text tells to stay there."""
    for at in _told(tokens_of(text), names):
        utterance = _there(utterance, at)
    return utterance


def _told(tokens: Sequence[Token], names: Names) -> Iterator[int]:
    """Yield where the verbs of a text begin that tell to stay there."""
    words = [token.text.casefold() for token in tokens] + [""] * (_REACH + 1)
    hints = names.hints([token.text for token in tokens])
    named = {at for start, end, _ in hints for at in range(start, end)}  # a car park
    for at in sorted({*range(len(tokens))} - named):
        if _is_ordered(words, at):
            at += words[at + 1] in _HELD
            behind = next((k for k in range(at + 1, at + _REACH) if words[k] not in _PLACING), at)
            if words[behind] in _NEAR and not _goes_on(words[behind], words[behind + 1]):
                yield tokens[at].start


def _goes_on(word: str, behind: str) -> bool:
    """Return whether more words say where: ``there in the barn``, ``in that barn``."""
    noun = behind.isalpha() and behind not in _NEXT
    return (word == "there" and behind in _PLACING - {"to"}) or (word == "that" and noun)


def _is_ordered(words: Sequence[str], at: int) -> bool:
    """Return whether a verb of staying is an order."""
    begin = next((k + 1 for k in range(at - 1, -1, -1) if words[k] in _MARKS), 0)
    verb = words[at].removesuffix("s")
    there = words[at + 1 + (words[at + 1] in _RIGHT)] == "there"
    halts = verb in _HALTING and there and words[at - 1] in _BEFORE
    stands = words[at] == "stand" and words[at - 1] in _AFTER
    stays = verb in STAYING or halts or stands or (verb == "hold" and words[at + 1] in _HELD)
    return stays and _DENIED.isdisjoint(words[begin:at])


def _there(utterance: Utterance, at: int) -> Utterance:
    """Return an utterance in which somebody stays where what was named before is."""
    clauses = _done(utterance)
    named = [k for k, clause in enumerate(clauses) if any(s < at for s in _spans(clause))]
    if not named:
        return utterance
    last = clauses[named[-1]]
    end = max(start for start in _spans(last) if start < at)
    others = tuple(part for part in utterance.parts if last not in clauses_of(part.step))
    if any(end < name.start < at for crew in parts_of(others, Crew) for name in crew.names):
        return utterance
    if last.sense in _GOING:
        ends = replace(last, sense="end up at")
        return changed(utterance, lambda one: ends if one is last else one)
    return _staying_on(utterance, last, clauses[named[-1] + 1 : named[-1] + 2])


def _staying_on(utterance: Utterance, last: Clause, following: Sequence[Clause]) -> Utterance:
    """Return an utterance in which somebody stays after a clause, if not yet so by the next."""
    stay = Clause("stay", follows=True)
    bare = [c for c in following if c.sense in ("stay", "end up at") and not _spans(c)]
    if bare:
        return changed(utterance, lambda one: stay if one is bare[0] else one)
    return changed(utterance, lambda one: Steps("in order", (one, stay)) if one is last else one)


def _done(utterance: Utterance) -> list[Clause]:
    clauses = [c for part in utterance.parts if not part.stands for c in clauses_of(part.step)]
    return [c for c in clauses if c.mood == "do" and not c.negated]


def _spans(clause: Clause) -> list[int]:
    """Return where the words of a clause begin."""
    return [span.start for span in parts_of(clause, Span)]
