"""Sentences that tell several robots one after the other what to do: each thing is for who was named last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.fidelity.clauses import named_once, sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.robots import is_named, nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction


def wrong_turns(
    meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]
) -> Iterator[str]:
    """Yield things that a meaning gives to another robot than its text."""
    given = [
        (at, {name for name in robots if name.lower() in {n.lower() for n in one.who.names}})
        for one in meaning.assignments
        for act in wanted_acts(one.task)
        for at in named_once(nouns_of(act.what), tokens)
    ]
    owners = dict(_owners(tokens, robots, {at for at, _ in given}))
    for at, told in given:
        meant = owners.get(at, told)
        if told and not told <= meant:
            yield f"the {tokens[at].text} is for {' or '.join(sorted(meant))}"


def _owners(
    tokens: Sequence[Token], robots: Sequence[str], places: set[int]
) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield for places of things the robots named last; only where a sentence gives things to several."""
    names = [frozenset(n for n in robots if is_named(n, token.text)) for token in tokens]
    for begin, end in {sentence_at(tokens, at) for at in range(len(tokens))}:
        inside = [at for at, token in enumerate(tokens) if begin <= token.start < end]
        given = {at: _named_last(names, at) for at in inside if at in places}
        if len(set(given.values())) > 1 and all(given.values()):
            yield from given.items()


def _named_last(names: Sequence[frozenset[str]], at: int) -> frozenset[str]:
    """Return the robots named last before a token, all of those side by side (``Spot and Husky``)."""
    last = next((k for k in range(at - 1, -1, -1) if names[k]), None)
    if last is None:
        return frozenset()
    before = next((k for k in (last - 1, last - 2) if k >= 0 and names[k]), None)
    return names[last] | (_named_last(names, last) if before is not None else frozenset())
