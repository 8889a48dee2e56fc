"""What is looked for, as the words say it: a name, kinds that serve a purpose, or the extreme one of some."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.errors import GroundingError
from commonground.grounding.lookup.meaning import plain
from commonground.grounding.lookup.sizes import Extreme, extreme_in
from commonground.grounding.words.functions import named_by_function, serving

MOST_WORDS = 40
"""Of what is looked for; each end of the phrase is tried as a noun."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for."""

    said: str
    names: tuple[str, ...]
    """Any of these is meant: kinds of things where what they are for was said."""
    notes: tuple[str, ...] = ()
    extreme: Extreme | None = None
    """The largest, say, of those is meant."""
    by_purpose: bool = False
    """Whether it was said by what it is for."""


def asked_for(words: str, top: int) -> Asked:
    """Return what is looked for, without articles; GroundingError where nothing is asked for."""
    said = plain(words)
    if not any(c.isalnum() for c in said):
        raise GroundingError(f"'{words}' holds no word to look for")
    if said.count(" ") >= MOST_WORDS:
        raise GroundingError(f"more than {MOST_WORDS} words are too many for one thing")
    if top < 1:
        raise GroundingError(f"{top} answers were asked for; at least one is needed")
    kinds = serving(said)
    if kinds:
        taken = f"'{said}' was taken for any of: {', '.join(kinds)}"
        return Asked(said, kinds, (taken,), by_purpose=True)
    if kinds is not None:
        return Asked(said, (said,), (f"nothing is known of what '{said}' could be",))
    extreme, rest = extreme_in(said)
    named = plain(named_by_function(rest).text)
    return Asked(said if extreme else named, (named,), extreme=extreme)
