"""Things of one sentence that are done alike are joined: by ``and``, a mark, a verb, or a robot's name.

Where nothing joins two of them, one only describes the other (``the shelter has two doors``, ``the one most
in the east from all the signs``), or says nothing new; it is not to be gone to as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.fidelity.clauses import clause_at, named_once, sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.robots import is_named
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction, Reference, Several, Thing
from commonground.grounding.words.nouns import word_set

_JOINING = word_set(
    "and or then plus also too well but before after with along via by until once while nor both either"
)

_BY_WAY = frozenset(["along", "via", "through", "across", "past", "over", "by", "around"])
_ONWARD = frozenset(["to", "into", "onto", "towards", "toward"])
"""``go along the path to the shelter`` passes one and reaches the other."""
_BACK = frozenset(["it", "them", "there"])
_WHY = frozenset(["since", "because", "as"])
_ASKING = word_set("please could can would will you let have may might just kindly do")


def unjoined(meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield things that a meaning does something with and that its text only describes others by."""
    heads = {noun for act in wanted_acts(meaning) for noun in _heads(act.what)}
    places = sorted(named_once(heads, tokens))
    verbs = {said.start for said in phrases_in(tokens, DEEDS) if said.words not in BEING}
    for first, second in pairwise(places):
        between = tokens[first + 1 : second]
        joined = _goes_on(tokens[max(0, first - 3) : first], between)
        joined = joined or any(joins(t, verbs, robots) for t in between)
        same = sentence_at(tokens, first) == sentence_at(tokens, second)
        if between and same and not joined:
            words = " ".join(t.text for t in tokens[first : second + 1])
            yield f"nothing in '{words}' says that both are meant"


def reasons(meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield things that a meaning does something with and that only say why: ``..., so check the door``.

    An ``it`` or ``there`` behind may mean what was spoken of before.
    """
    nouns = {noun for act in wanted_acts(meaning) for noun in _nouns(act.what)}
    for before, after in _reasoned(tokens, robots):
        told = {noun for noun in nouns if _has(after, noun)}
        why = {noun for noun in nouns if _has(before, noun)} - told
        if told and _BACK.isdisjoint(after.split()):
            yield from (
                f"the text speaks of the {noun} only before its 'so'" for noun in sorted(why)
            )


def _reasoned(tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind a ``so`` that an order follows, or says why a robot is left out."""
    for at, (token, behind) in enumerate(pairwise(tokens)):
        if token.text in _WHY and any(is_named(name, behind.text) for name in robots):
            end = clause_at(tokens, at)[1]
            rest = (*tokens[:at], *tokens[end:])
            yield " ".join(t.text for t in tokens[at:end]), " ".join(t.text for t in rest)
        if token.text == "so" and _asks(behind, robots):
            begin, end = sentence_at(tokens, at)
            before = " ".join(t.text for t in tokens[:at] if begin <= t.start)
            yield before, " ".join(t.text for t in tokens[at:] if t.start < end)


def _asks(token: Token, robots: Sequence[str]) -> bool:
    return token.text in _ASKING or any(is_named(name, token.text) for name in robots)


def _has(words: str, noun: str) -> bool:
    return f" {noun} " in f" {words} "


def _goes_on(before: Sequence[Token], between: Sequence[Token]) -> bool:
    """Return whether one thing is only by the way to the next."""
    by_way = not _BY_WAY.isdisjoint(t.text for t in before)
    return by_way and not _ONWARD.isdisjoint(t.text for t in between)


def joins(token: Token, verbs: Collection[int], robots: Sequence[str]) -> bool:
    """Return whether a word joins what stands before and behind it."""
    joins = token.kind == "mark" or token.text in _JOINING or token.start in verbs
    return joins or any(is_named(name, token.text) for name in robots)


def _heads(what: Reference) -> Iterator[str]:
    """Yield the last words of what things are called that are done something with."""
    yield from (noun.split()[-1] for noun in _nouns(what))


def _nouns(what: Reference) -> Iterator[str]:
    """Yield what things are called that are done something with."""
    if isinstance(what, Several):
        for one in what.things:
            yield from _nouns(one)
    elif isinstance(what, Thing) and what.noun:
        yield what.noun.casefold()
