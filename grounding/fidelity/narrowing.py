"""Words that narrow down what is meant: sides and others are in the meaning.

A reader that passes over one of them acts on more things than were spoken of, or on another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Instruction, Relation, Thing, Who
from commonground.grounding.words.nouns import words_of

_SIDED = frozenset(["left", "right", "leftmost", "rightmost", "front", "behind"])
_SIDE = re.compile(
    r"\b(?:on|to|at|of) (?:the|its|his|her|their|your|my|our) (left|right)(?: hand)?(?: side)?"
    r"(?= (?:of|from|as|when|if|and|side|hand)\b| ?$| ?[.,;:!?\n])"
    r"|\b(left|right) hand\b|\b(left|right) ?most\b"
)
_OTHERS = frozenset(["others", "remaining", "rest"])
_ONE_ANOTHER = frozenset(
    words_of("each an one any no or after every by with to this that these some")
)
"""Before ``other`` these leave nothing out: ``each other``, ``one or other``, ``any other day``."""
_LEFT = frozenset(["leave", "ignore", "skip", "forget", "for", "than"])
"""Before ``the rest``, of which nothing is said to be done: ``for the rest of the night``."""
_FROM_ONE = frozenset(["or", "on", "to", "from"])
"""Before ``the other``: ``one or the other``, ``from one end to the other``."""
_ROUND = frozenset(words_of("way than order day words side end"))
"""Behind ``other`` these do: ``the other way round``; ``other than`` is an exception."""


def lost_sides(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield sides that only the text tells things apart by."""
    words = " ".join(token.text for token in tokens)
    sided = any(r.how in _SIDED for r in parts_of(meaning, Relation))
    east = any(thing.trait for thing in parts_of(meaning, Thing))
    found = _SIDE.search(words)
    if found and not sided and not east:
        yield f"the text says '{found[0]}', and the answer does not"


def lost_others(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield an ``elsewhere``, ``the others`` or ``the other robot`` where a meaning has no others."""
    if _leaves_out(meaning):
        return
    crews = {one.who.names for one in meaning.assignments if one.who.choose == "each"}
    for at, token in enumerate(tokens):
        one = token.text == "other" and len(crews) < 2 and _is_other_one(tokens, at)
        if one or _is_others(tokens, at):
            yield f"the text says '{_word(tokens, at - 1)} {token.text}', and the answer leaves nothing out"


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _is_other_one(tokens: Sequence[Token], at: int) -> bool:
    """Return whether ``other`` tells one of two from the one before."""
    first, before, behind = (_word(tokens, k) for k in (at - 2, at - 1, at + 1))
    ranged = before in _ONE_ANOTHER or first in _FROM_ONE or behind in _ROUND
    return not ranged and not _has_the_one(tokens[:at])


def _is_others(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a word stands for all others: ``the others``, ``the rest``, ``anywhere else``."""
    first, before, word = (_word(tokens, k) for k in (at - 2, at - 1, at))
    compared = _word(tokens, at - 3) == "than"  # farther than all the rest
    rest = word in _OTHERS and before == "the" and first not in _LEFT and not compared
    return rest or word == "elsewhere" or (word == "else" and before.endswith("where"))


def _has_the_one(tokens: Sequence[Token]) -> bool:
    """Return whether one of two things was named before: ``take the one and check the other``."""
    return any((a.text, b.text) == ("the", "one") for a, b in pairwise(tokens))


def _leaves_out(meaning: Instruction) -> bool:
    """Return whether a meaning has others: things left out, or the robot that has no task yet."""
    return (
        any(who.choose in ("other", "share") or who.but for who in parts_of(meaning, Who))
        or any(t.of == "other" for t in parts_of(meaning, Thing))
        or any(negatives(meaning))
    )
