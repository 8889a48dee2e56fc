"""Where a text tells robots to stay: ``wait by the boat``, ``go there and remain``, ``I want you in R2``.

The network takes waiting for going more often than not. The words are plain: who is told to stay at a thing
ends there, and who is told to stay there ends at what was spoken of before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.parts import clauses_of, parts_of
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import (
    Clause,
    Crew,
    Span,
    Steps,
    Utterance,
)
from commonground.grounding.fidelity.ends import STAYING
from commonground.grounding.frontends.otherwise import changed
from commonground.grounding.words.nouns import words_of

_BEING = frozenset(words_of("standing sitting waiting parked staying stationed stood"))
_HELD = frozenset(words_of("position station post"))
"""What one holds who stays: ``hold position there``."""
_BETWEEN = frozenset(words_of("itself is are to be should shall must please then 's"))
"""Between a robot and where it is to be: ``Husky itself is sitting in the lot``."""
_WANTING = frozenset(words_of("want wants need needs like"))
_PLACING = frozenset(
    words_of("at by in on inside within with next beside near alongside outside to right")
)
_NEAR = frozenset(words_of("it them there that him her"))
_DENIED = frozenset(
    words_of("not n't dont never no without until till who where which that clear away out off")
)
_MARKS = frozenset(".,;:!?()")
_REACH = 4
_NEARBY = 40
"""So many letters behind ``wait by`` what is named there may stand."""
_ROBOT = GROUPS.index("robot")
_GOING = frozenset(["go to", "enter", "come near", "end up at", "be at"])
_MISTAKEN = _GOING | {"inspect", "explore", "hold", "have"}


class _Told(NamedTuple):
    """Where a text tells to stay: from where on its place is named, if it is no pronoun."""

    at: int
    place: int | None


def stayed(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance in which those end at a place that its text tells to stay there."""
    for told in _told(tokens_of(text), names):
        utterance = _at_place(utterance, told) if told.place else _there(utterance, told.at)
    return utterance


def _told(tokens: Sequence[Token], names: Names) -> Iterator[_Told]:
    words = [token.text.casefold() for token in tokens] + [""] * _REACH
    robots = {k for k, word in enumerate(words) if word in ("you", "u")}
    things: set[int] = set()  # a car park
    for start, end, group in names.hints([token.text for token in tokens]):
        (robots if group == _ROBOT else things).update(range(start, end))
    for at in sorted({*range(len(tokens))} - things):
        if _is_ordered(words, at) or _is_state(words, at, robots):
            yield from _place_behind(tokens, words, at)


def _place_behind(tokens: Sequence[Token], words: Sequence[str], at: int) -> Iterator[_Told]:
    """Yield where a verb of staying tells to stay, if it does."""
    at += words[at + 1] in _HELD
    behind = next((k for k in range(at + 1, at + _REACH) if words[k] not in _PLACING), 0)
    if words[behind] in _NEAR:
        yield _Told(tokens[at].start, None)
    elif 0 < behind < len(tokens) and (behind > at + 1 or words[at] in _PLACING):
        yield _Told(tokens[at].start, tokens[behind].start)


def _is_ordered(words: Sequence[str], at: int) -> bool:
    """Return whether a verb of staying is an order."""
    begin = next((k + 1 for k in range(at - 1, -1, -1) if words[k] in _MARKS), 0)
    verb = words[at].removesuffix("s")
    stays = verb in STAYING or (verb == "hold" and words[at + 1] in _HELD)
    return stays and _DENIED.isdisjoint(words[begin:at])


def _is_state(words: Sequence[str], at: int, robots: set[int]) -> bool:
    """Return whether a robot is to be somewhere: ``I want you on stage two``, ``Spot to be standing at``."""
    first = at
    while first > 0 and words[first - 1] in _BETWEEN and first - 1 not in robots:
        first -= 1
    if first - 1 not in robots or at + 1 >= len(words):
        return False
    wanted = first > 1 and words[first - 2] in _WANTING
    return words[at] in _BEING or (wanted and words[at] in _PLACING - {"to"})


def _at_place(utterance: Utterance, told: _Told) -> Utterance:
    """Return an utterance in which what is named where it is told to stay is where somebody ends."""
    place = told.place or told.at
    found = [(spans[0], clause) for clause in _done(utterance) if (spans := _after(clause, place))]
    if not found:
        return utterance
    start, clause = min(found, key=lambda one: one[0])
    if clause.sense not in _MISTAKEN or start > place + _NEARBY:
        return utterance
    if _after(clause, 0) != _after(clause, place):
        return utterance  # more is done there than to stay
    return changed(utterance, lambda one: _ending(one) if one is clause else one)


def _ending(clause: Clause) -> Clause:
    return replace(clause, sense="end up at")


def _there(utterance: Utterance, at: int) -> Utterance:
    """Return an utterance in which somebody stays where what was named before is."""
    clauses = _done(utterance)
    named = [k for k, clause in enumerate(clauses) if any(s < at for s in _after(clause, 0))]
    if not named:
        return utterance
    last, stay = clauses[named[-1]], Clause("stay", follows=True)
    end = max(start for start in _after(last, 0) if start < at)
    if any(end < name.start < at for crew in parts_of(utterance, Crew) for name in crew.names):
        return utterance
    if last.sense in _GOING:
        return changed(utterance, lambda one: _ending(one) if one is last else one)
    return _staying_on(utterance, last, clauses[named[-1] + 1 : named[-1] + 2], stay)


def _staying_on(
    utterance: Utterance, last: Clause, following: Sequence[Clause], stay: Clause
) -> Utterance:
    """Return an utterance in which somebody stays after a clause, if not yet so by the next."""
    bare = [c for c in following if c.sense in ("stay", "end up at") and not _after(c, 0)]
    if bare:
        return changed(utterance, lambda one: stay if one is bare[0] else one)
    return changed(utterance, lambda one: Steps("in order", (one, stay)) if one is last else one)


def _done(utterance: Utterance) -> list[Clause]:
    clauses = [c for part in utterance.parts if not part.stands for c in clauses_of(part.step)]
    return [c for c in clauses if c.mood == "do" and not c.negated]


def _after(clause: Clause, start: int) -> list[int]:
    return sorted(span.start for span in parts_of(clause, Span) if span.start >= start)
