"""What a command names beside things of a house, and nobody knows: ``the egg and the hamster``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.unknown import LINKS, strangers_behind
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.tokens import tokenize


def strangers(text: str, home: Home, robots: Sequence[str]) -> Iterator[str]:
    """Yield nouns that no house has, in a list with things of this one or where they are found by them."""
    said = Wording(tokenize(text), robots)

    def is_known(phrase: Sequence[str]) -> bool:
        return any(home.nouns.find(word) is not None for word in (*phrase, " ".join(phrase)))

    ends = (at + 1 for at, word in enumerate(said.words) if is_known([word]))
    return strangers_behind(said, (end for end in ends if said.word(end) in LINKS), is_known)
