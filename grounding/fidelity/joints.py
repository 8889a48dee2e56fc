"""Things of one sentence that are done alike are joined: by ``and``, a mark, a verb, or a robot's name.

Where nothing joins two of them, one only describes the other (``the shelter has two doors``, ``the one most
in the east from all the signs``), or says nothing new; it is not to be gone to as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.fidelity.clauses import named_once, sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.robots import is_named
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction, Reference, Several, Thing
from commonground.grounding.words.nouns import words_of

_JOINING = frozenset(
    words_of(
        "and or then plus also too well but before after with along via by until once while nor both either"
    )
)

_BY_WAY = frozenset(["along", "via", "through", "across", "past", "over", "by", "around"])
"""``go along the path to the shelter`` passes one and reaches the other."""


def unjoined(meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield things that a meaning does something with and that its text only describes others by."""
    heads = {noun for act in wanted_acts(meaning) for noun in _heads(act.what)}
    places = sorted(named_once(heads, tokens))
    verbs = {said.start for said in phrases_in(tokens, DEEDS) if said.words not in BEING}
    for first, second in pairwise(places):
        between = tokens[first + 1 : second]
        by_way = not _BY_WAY.isdisjoint(t.text for t in tokens[max(0, first - 3) : first])
        joined = by_way or any(_joins(t, verbs, robots) for t in between)
        same = sentence_at(tokens, first) == sentence_at(tokens, second)
        if between and same and not joined:
            words = " ".join(t.text for t in tokens[first : second + 1])
            yield f"nothing in '{words}' says that both are meant"


def _joins(token: Token, verbs: Collection[int], robots: Sequence[str]) -> bool:
    joins = token.kind == "mark" or token.text in _JOINING or token.start in verbs
    return joins or any(is_named(name, token.text) for name in robots)


def _heads(what: Reference) -> Iterator[str]:
    """Yield the last words of what things are called that are done something with."""
    if isinstance(what, Several):
        for one in what.things:
            yield from _heads(one)
    elif isinstance(what, Thing):
        yield from what.noun.casefold().split()[-1:]
