"""What a thing is said to have that is no noun known here, so that more may be meant than was understood."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import dropwhile

from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.words import (
    DETERMINERS,
    FILLING,
    OF_IT,
    Word,
    alike,
    is_verb,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.unclear import Unclear


def check_owned(parts: Sequence[Part], known: Collection[str]) -> None:
    """Raise Unclear where what a thing has is no noun that is known: ``its fuel``.

    ``known``: words for parts of things, as the domain's states have them.
    """
    for at, part in enumerate(parts[:-1]):
        its = isinstance(part, Phrase) and part.pronoun == "its"
        after = [text_of(p) for p in parts[at + 1 :]]
        noun = after[0] and not _is_known(after[0], known)
        bare = all(after) and not all(says_nothing(t) or t in FILLING for t in after)
        if its and noun and (bare or _names_nothing(parts, at)):
            raise Unclear(f"what does 'its {after[0]}' mean in that?")


def _is_known(word: str, known: Collection[str]) -> bool:
    return any(alike(word, k) for k in known) or word in known


def _names_nothing(parts: Sequence[Part], at: int) -> bool:
    """Return whether an article, or who owns something, is followed by no noun that is known."""
    part, rest = parts[at], [*dropwhile(_is_adjective, parts[at + 1 :])]
    if isinstance(part, Phrase):
        return part.pronoun in OF_IT and bool(rest) and isinstance(rest[0], Word)
    article = part.text in DETERMINERS and part.text != "that"
    return article and not (rest and isinstance(rest[0], Phrase))


def _is_adjective(part: Part) -> bool:
    """Return whether a word before a noun may only say how a thing is."""
    text = text_of(part)
    return text.isalpha() and not (is_verb(text) or text in DETERMINERS or states_of(text))
