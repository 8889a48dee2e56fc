"""What is forbidden in a sentence of its own, to nobody: ``Spot, inspect the flag. Stay off the road.``

The network gives such a ban to whoever was called last. It binds all that are told anything, so it is made a
part of its own that names nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.parts import clauses_of, parts_of
from commonground.grounding.english.tokens import Token, stretch, tokens_of
from commonground.grounding.english.utterance import Clause, Part, Span, Step, Steps, Utterance
from commonground.grounding.fidelity.bans import refers_to_one
from commonground.grounding.words.closed import ENDS

_ROBOT = GROUPS.index("robot")


def bans_for_all(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance in which what a sentence forbids to nobody has no crew."""
    if not any(map(_is_ban, parts_of(utterance, Clause))):
        return utterance
    apart = {*_said_to_nobody(utterance, text, names)}
    parts = [one for part in utterance.parts for one in _parted(part, apart)]
    return utterance if parts == [*utterance.parts] else replace(utterance, parts=tuple(parts))


def _is_ban(clause: Clause) -> bool:
    return clause.mood == "never" or (clause.mood == "do" and clause.negated)


def _said_to_nobody(utterance: Utterance, text: str, names: Names) -> Iterator[Clause]:
    """Yield the bans whose sentence names no robot, speaks of none, and orders nothing else."""
    tokens = tokens_of(text)
    hints = names.hints([token.text for token in tokens])
    robots = {tokens[start].start for start, _, group in hints if group == _ROBOT}
    starts = {
        clause: _starts(clause) for part in utterance.parts for clause in clauses_of(part.step)
    }
    orders = {at for clause, every in starts.items() if not _is_ban(clause) for at in every}
    for clause in filter(_is_ban, starts):
        at = min(starts[clause], default=0)
        first, last = _sentence(tokens, at)
        if (
            first
            and (robots | orders).isdisjoint(range(first, last))
            and not refers_to_one(text, at)
        ):
            yield clause


def _sentence(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return from where to where the sentence of a word reaches."""
    here = next(k for k, token in enumerate(tokens) if token.end > at)
    begin, end = stretch([token.text for token in tokens], here, ENDS)
    return tokens[begin].start, tokens[end - 1].end


def _starts(clause: Clause) -> list[int]:
    return [span.start for span in parts_of(clause, Span)]


def _parted(part: Part, apart: set[Clause]) -> Iterator[Part]:
    """Yield a part without its bans for all, and each of them behind it."""
    every = clauses_of(part.step)
    bans = [clause for clause in every if clause in apart]
    if not bans or part.stands or part.when is not None:
        yield part
        return
    if len(bans) == len(every) == 1:
        yield replace(part, crew=None)
        return
    rest = _without(part.step, bans)
    if rest is not None:
        yield replace(part, step=rest)
    yield from (Part(ban) for ban in bans)


def _without(step: Step, bans: Sequence[Clause]) -> Step | None:
    """Return steps without some of their clauses; None where nothing is left."""
    if isinstance(step, Clause):
        return None if step in bans else step
    left = tuple(one for inner in step.steps if (one := _without(inner, bans)) is not None)
    if len(left) < 2:
        return left[0] if left else None
    return Steps(step.join, left)
