"""Words that narrow down what is meant: superlatives, sides and clauses behind a noun are in the meaning.

A reader that passes over one of them acts on more things than were spoken of, or on another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import clause_at
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.robots import nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import FUNCTION_WORDS
from commonground.grounding.meaning import (
    Act,
    Instruction,
    Reference,
    Relation,
    Several,
    Thing,
    Who,
)
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import singulars, word_set

_SIDED = frozenset(["left", "right", "leftmost", "rightmost", "front", "behind"])
_SIDE = re.compile(
    r"\b(?:on|to|at|of) (?:the|its|his|her|their|your|my|our) (left|right)(?: hand)?(?: side)?"
    r"(?= (?:of|from|as|when|if|and|side|hand|that|which|i|you|we|they|he|she|is|are|please|then|first|too)\b"
    r"| ?$| ?[.,;:!?\n])"
    r"|\b(left|right) hand\b|\b(left|right) ?most\b"
)
_FACING = frozenset(["front", "behind"])
_SUPERLATIVE = re.compile(r"[a-z]{2,}[^aeiou]?est")
_DETERMINED = frozenset(["the", "its", "your", "our", "my", "their", "s"])
_KNOWN = frozenset(
    ["NEAREST", "FARTHEST", "COMPASS_MOST", "COMPASS_MORE", "SIZE", "MOST", "FEWEST", "COMPASS", "FIRST",
     "LAST", "FILLER", "IDIOM"]
)  # fmt: skip
"""Phrases with superlatives that others hold against the meaning, or that pick out nothing."""
_PLAIN = word_set(
    "best latest soonest earliest rest quickest fastest shortest easiest request interest forest harvest "
    "guest chest test quest contest protest honest modest priest crest vest pest nest conquest manifest "
    "earnest"
)
"""``the latest``, ``the shortest way``: of the deed, not of a thing; or no superlatives at all."""
_BEHIND = frozenset(["that", "which", "who"])
_DESCRIBING = frozenset(
    ["FILLER", "IDIOM", "LOCATED", "IN_IT", "THERE", "THAT_BE", "THAT_NOT", "SEE", "VAGUE", "COLOR",
     "COLORED",
     "COMPASS", "COMPASS_MOST", "COMPASS_MORE", "SIZE", "NEAREST", "FARTHEST", "SIDE", "FRONT", "PLACED_AT",
     "HAVING", "NOT_HAVING", "SAFE", "OFF_LIMITS", "MODAL", "INSPECT", "INSPECT_SPLIT", "BE", "BE_IN",
     "MOST", "FEWEST", "SITE", "ID_WORD", "PREDICATE", "CONTAINS"]
)  # fmt: skip
"""What clauses behind a noun may say; the rest of it is the meaning's, or it is lost."""


_OTHERS = frozenset(["others", "remaining", "rest"])
_ONE_ANOTHER = word_set("each an one any no or after every by with to this that these some")
"""Before ``other`` these leave nothing out: ``each other``, ``one or other``, ``any other day``."""
_LEFT = frozenset(["leave", "ignore", "skip", "forget", "for", "than"])
"""Before ``the rest``, of which nothing is said to be done: ``for the rest of the night``."""
_FROM_ONE = frozenset(["or", "on", "to", "from"])
"""Before ``the other``: ``one or the other``, ``from one end to the other``."""
_ALL = frozenset(["everything", "all", "whatever"])
_ROUND = word_set("way than order day words side end")
"""Behind ``other`` these do: ``the other way round``; ``other than`` is an exception."""


def lost_sides(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield sides that only the text tells things apart by."""
    words = " ".join(token.text for token in tokens)
    sides = {r.how for r in parts_of(meaning, Relation)} & _SIDED
    east = any(thing.trait for thing in parts_of(meaning, Thing))
    found = [*_SIDE.finditer(words)][-1:]
    last = next(filter(None, found[0].groups()), "") if found else ""
    if found and not east and not any(side.startswith(last) or side in _FACING for side in sides):
        yield f"the text says '{found[0][0]}', and the answer does not"


def places_for_things(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where a text only says which things are meant, and the answer does something with that place."""
    words = " ".join(token.text for token in tokens)
    for act in parts_of(meaning, Act):
        for noun in {thing.noun.casefold() for thing in things_of(act.what) if thing.noun}:
            said = re.findall(
                rf"\b(?:(those|ones?) (?:in|on|at) )?(?:the )?{re.escape(noun)}\b", words
            )
            if said and all(said):
                yield f"the text says '{said[0]}' in front of the {noun}, and the answer does not"


def lost_others(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield an ``elsewhere``, ``the others`` or ``the other robot`` where a meaning has no others."""
    if _leaves_out(meaning):
        return
    crews = {one.who.names for one in meaning.assignments if one.who.choose == "each"}
    nouns = {noun.split()[-1] for noun in nouns_of(meaning) if noun}
    for at, token in enumerate(tokens):
        thing = not nouns.isdisjoint(singulars(_word(tokens, at + 1)))
        one = token.text == "other" and (thing or len(crews) < 2) and _is_other_one(tokens, at)
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
    else_ = word == "else" and (before.endswith("where") or before in _ALL)
    return rest or word == "elsewhere" or else_


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


def lost_superlatives(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield superlatives that no word of the vocabulary is, and that the meaning does not have."""
    held = _held(meaning)
    known = {
        at
        for said in phrases_in(tokens, _KNOWN)
        for at in range(said.start, said.start + len(said.words))
    }
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is None or before.text not in _DETERMINED or token.start in known:
            continue
        superlative = bool(_SUPERLATIVE.fullmatch(token.text)) and token.text not in _PLAIN
        if superlative and token.text not in held and not everyday().senses(token.text):
            yield f"the text says '{token.text}', and the answer does not"


def lost_clauses(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield clauses right behind the noun of a thing of which nothing is in the meaning."""
    nouns, held = {*nouns_of(meaning)}, _held(meaning)
    described = [range(s.start, s.start + len(s.words)) for s in phrases_in(tokens, _DESCRIBING)]
    for at, token in enumerate(tokens[1:], 1):
        if token.text not in _BEHIND or tokens[at - 1].text not in nouns:
            continue
        _, end = clause_at(tokens, at)
        said = tokens[at + 1 : end]
        if any(t.text in held or t.kind in ("symbol", "number") for t in said):
            continue
        left = [
            t.text
            for t in said
            if t.text not in FUNCTION_WORDS and not any(t.start in d for d in described)
        ]
        if left:
            yield f"the text says '{' '.join(t.text for t in (token, *said))}', and the answer does not"


def _held(meaning: Instruction) -> set[str]:
    things = [*parts_of(meaning, Thing)]
    return {
        w for t in things for part in (t.noun, t.trait, t.color) for w in part.casefold().split()
    }


def things_of(what: Reference) -> Iterator[Thing]:
    """Yield the things that are joined in a reference, and those excepted of them."""
    parts = what.things if isinstance(what, Several) else what.but
    if isinstance(what, Thing):
        yield what
    for part in parts:
        yield from things_of(part)
