"""Sentences of noun phrases and words → segments that each tell one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    Word,
    classes_of,
    is_going_on,
    is_verb,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    IsVerb,
    is_main_verb,
    part_after,
)

_HARD = frozenset([";", ":", ".", "-", "–"])
_SOFT = frozenset([",", "and", "but", "then", "so", "while"])
_OF_SEVERAL, _OF_ONE = frozenset(["are", "have", "were"]), frozenset(["is", "was", "has"])
_SUBJECTS = frozenset(["he", "she", "it", "they"])
Kin = Callable[[Phrase, Phrase], bool]


def segments_of(parts: Sequence[Part], is_deed: IsVerb, kin: Kin) -> list[list[Part]]:
    """Return the parts of a sentence in segments; ``kin`` tells phrases that may stand in one list."""
    found: list[list[Part]] = [[]]
    for at, part in enumerate(parts):
        text = text_of(part)
        if _contrasts(parts, at, found[-1]):
            found.append([part])
        elif text in _SOFT and _is_list(parts, at, found[-1], is_deed, kin):
            found[-1].append(Word("and"))
        elif text in _HARD | _SOFT:
            found.append([])
        else:
            found += [[]] if _goes_along(found[-1], text, is_deed) else []
            found[-1].append(part)
    return [segment for segment in found if segment]


def _contrasts(parts: Sequence[Part], at: int, segment: Sequence[Part]) -> bool:
    """Return whether a word leads to what alone is so instead of what is denied: ``not A but B``."""
    other, beyond = part_after(parts, at), part_after(parts, at + 1)
    alone = beyond is None or text_of(beyond) in _HARD | _SOFT
    named = isinstance(other, Phrase) and not other.pronoun and bool(other.things)
    return text_of(parts[at]) == "but" and Word("not") in segment and alone and named


def _is_list(
    parts: Sequence[Part], at: int, segment: Sequence[Part], is_deed: IsVerb, kin: Kin
) -> bool:
    """Return whether a joining word stands between two noun phrases of one list."""
    before, after = segment[-1:], parts[at + 1 : at + 2]
    named = [p for p in (*before, *after) if isinstance(p, Phrase)]
    if len(named) != 2 or named[1].pronoun in _SUBJECTS:
        return False
    beyond = part_after(parts, at + 1)
    joins = text_of(parts[at]) == "and"
    told = any(_tells(segment, n, is_deed) for n in range(len(segment)))
    if not _may_join(text_of(beyond), told=told, kin=kin(*named), joins=joins):
        return False
    return joins or not (told and beyond) or _is_listed(parts, at + 1, kin)


def _may_join(beyond: str, *, told: bool, kin: bool, joins: bool) -> bool:
    """Return whether two phrases may be in one list by their kinds, and by the verb after them."""
    if told:  # "watching it, and the hall is empty"
        return kin and beyond not in _OF_ONE
    return kin or (joins and beyond in _OF_SEVERAL)


def _is_listed(parts: Sequence[Part], at: int, kin: Kin) -> bool:
    """Return whether a list that a phrase is in ends with ``and``: ``pen 1, pen 2 and pen 3``."""
    while at + 2 < len(parts) and text_of(parts[at + 1]) in (",", "and"):
        one, other = parts[at], parts[at + 2]
        if not (isinstance(one, Phrase) and isinstance(other, Phrase)) or other.pronoun:
            return False
        if not kin(one, other):
            return False
        if text_of(parts[at + 1]) == "and":
            return text_of(part_after(parts, at + 2)) not in AUXILIARIES  # "..., Ann and Bo are in"
        at += 2
    return False


def _goes_along(segment: Sequence[Part], text: str, is_deed: IsVerb) -> bool:
    """Return whether a participle begins what is done at the same time: ``in the hall holding the key``."""
    if len(segment) < 2 or not is_going_on(text) or not isinstance(segment[-1], Phrase):
        return False
    done = sum(isinstance(p, Phrase) for p in segment) > 1
    placing = "located" in classes_of(text, frozenset())
    return done and not placing and (is_deed(text) or is_verb(text))


def _tells(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    """Return whether a word is one by which a segment tells something."""
    return text_of(parts[at]) in AUXILIARIES | PREPOSITIONS or is_main_verb(parts, at, is_deed)
