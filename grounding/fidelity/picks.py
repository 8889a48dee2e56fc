"""One of several that were spoken of before is picked out: ``inspect the first one``, ``the latter``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction, Reference, Several
from commonground.grounding.words.numbers import rank_of


def lost_picks(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the only word of a text that picks one out, where a meaning does it with several."""
    picks = [*_picks([token.text for token in tokens])]
    many = any(_is_many(act.what) for act in wanted_acts(meaning))
    if len(picks) == 1 and many:
        yield f"the text says '{picks[0]}', and the answer does it with several"


def _picks(words: Sequence[str]) -> Iterator[str]:
    for the, word, behind in zip(words, words[1:], [*words[2:], ""], strict=False):
        ranked = behind == "one" and (rank_of(word) is not None or word == "last")
        if the == "the" and (ranked or word in ("former", "latter")):
            yield f"the {word} one" if ranked else f"the {word}"


def _is_many(what: Reference) -> bool:
    if isinstance(what, Several):
        return what.join == "all" and len(what.things) > 1
    return what.amount == "all" and not any(relation.rank for relation in what.where)
