"""What is announced for all, before robots are told which are their own, is for none of them as a whole.

``Check the vans. Spot goes for the white one, Husky for the other`` has nobody check both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.english.faithful import BACK
from commonground.grounding.fidelity.clauses import sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.robots import is_named, nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction
from commonground.grounding.words.nouns import singulars, word_set

_ONES = word_set("one ones other others rest former latter first second")
"""Words for some of those that were announced."""


def undivided(
    meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]
) -> Iterator[str]:
    """Yield what only a sentence without robots speaks of, and robots do all of, though they share it."""
    for one in meaning.assignments:
        heads = {n.split()[-1] for act in wanted_acts(one.task) for n in nouns_of(act.what) if n}
        named = [at for at, t in enumerate(tokens) if not heads.isdisjoint(singulars(t.text))]
        if one.who.choose == "each" and len(named) == 1 and _is_announced(named[0], tokens, robots):
            who = " and ".join(one.who.names) or "everybody"
            yield f"the text does not say that '{tokens[named[0]].text}' are all for {who}"


def _is_announced(at: int, tokens: Sequence[Token], robots: Sequence[str]) -> bool:
    """Return whether a sentence names no robot, and those behind it share out what it speaks of."""
    begin, end = sentence_at(tokens, at)
    here = [token for token in tokens if begin <= token.start < end]
    return not _robots(here, robots) and _is_shared([t for t in tokens if t.start >= end], robots)


def _is_shared(later: Sequence[Token], robots: Sequence[str]) -> bool:
    """Return whether robots are told which are their own, and nothing takes up all."""
    words = {token.text for token in later}
    shared = not _ONES.isdisjoint(words) and BACK.isdisjoint(words)
    return shared and len(_robots(later, robots)) > 1


def _robots(tokens: Sequence[Token], robots: Sequence[str]) -> set[str]:
    return {name for name in robots for token in tokens if is_named(name, token.text)}
