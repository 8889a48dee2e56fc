"""Words that narrow down what is meant: superlatives, sides and clauses behind a noun are in the meaning.

A reader that passes over one of them acts on more things than were spoken of, or on another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.meaning import Assignment, Reference, Relation, Several, Thing, Who
from commonground.grounding.words.nouns import singulars, word_set

_SIDED = frozenset(["left", "right", "leftmost", "rightmost", "front", "behind"])
_SIDE = re.compile(
    r"\b(?:on|to|at|of) (?:the|its|his|her|their|your|my|our) (left|right)(?: hand)?(?: side)?"
    r"(?= (?:of|from|as|when|if|and|side|hand|that|which|i|you|we|they|he|she|is|are|please|then|first|too)\b"
    r"| ?$| ?[.,;:!?\n])"
    r"|\b(left|right) hand\b|\b(left|right) ?most\b"
)
_ONLY = r"(?<!\bnot )\b(?:only|just) (?:(?:the|those|my|our|two|three) )?{}"
_FACING = frozenset(["front", "behind"])


_OTHERS = frozenset(["others", "remaining", "rest"])
_ONE_ANOTHER = word_set("each an one any no or after every by with to this that these some")
"""Before ``other`` these leave nothing out: ``each other``, ``one or other``, ``any other day``."""
_LEFT = frozenset(["leave", "ignore", "skip", "forget", "for", "than"])
"""Before ``the rest``, of which nothing is said to be done: ``for the rest of the night``."""
_FROM_ONE = frozenset(["or", "on", "to", "from"])
"""Before ``the other``: ``one or the other``, ``from one end to the other``."""
_PAST = frozenset(["past", "above", "before", "than", "of", "not", "nor"])
"""Before ``everything else`` and ``anywhere else`` these leave nothing out that the meaning has."""
_ALL = frozenset(["everything", "all", "whatever"])
_OTHER_ONE = re.compile(r"\bthe other(?: one)?(?: [.,;!?]| and\b|$)")
_OVER = re.compile(
    r"\b(?:what|whatever|all that|everything that)(?: \w+)?(?: is| are| 's)?"
    r" (?:left|remains?|remaining)\b(?! of\b)"
)
"""All that nobody was told of yet."""
_ROUND = word_set("way than order day words side end")
"""Behind ``other`` these do: ``the other way round``; ``other than`` is an exception."""


def only_left_out(held: Held) -> Iterator[str]:
    """Yield what an answer leaves out of what the text narrows down to it: ``only the blue ones``."""
    for left in (part for thing in held.parts(Thing) for part in thing.but):
        for thing in _things_of(left):
            word = thing.color or thing.noun
            said = word and re.search(_ONLY.format(re.escape(word.casefold())), held.line)
            if said:
                yield f"the text says '{said[0]}', and the answer leaves that out"


def lost_sides(held: Held) -> Iterator[str]:
    """Yield sides that only the text tells things apart by."""
    sides = {r.how for r in held.parts(Relation)} & _SIDED
    east = any(thing.trait for thing in held.parts(Thing))
    found = [*_SIDE.finditer(held.line)][-1:]
    last = next(filter(None, found[0].groups()), "") if found else ""
    if found and not east and not any(side.startswith(last) or side in _FACING for side in sides):
        yield f"the text says '{found[0][0]}', and the answer does not"


def _things_of(what: Reference) -> Iterator[Thing]:
    """Yield the things that are joined in a reference, and those excepted of them."""
    if isinstance(what, Thing):
        yield what
    for part in what.things if isinstance(what, Several) else what.but:
        yield from _things_of(part)


def lost_others(held: Held) -> Iterator[str]:
    """Yield an ``elsewhere``, ``the others`` or ``the other robot`` where a meaning has no others."""
    yield from _lost_rest(held)
    if _leaves_out(held):
        return
    crews = {one.who.names for one in held.meaning.assignments if one.who.choose == "each"}
    nouns = {*nouns_of(held.meaning)}
    for at, word in enumerate(held.words):
        thing = not nouns.isdisjoint(singulars(held.word(at + 1)))
        one = word == "other" and (thing or len(crews) < 2) and _is_other_one(held, at)
        if one or _is_others(held, at):
            yield f"the text says '{held.word(at - 1)} {word}', and the answer leaves nothing out"


def _lost_rest(held: Held) -> Iterator[str]:
    """Yield what nobody was told of yet, where a meaning has none of it, and one that is done by all."""
    other = any(thing.of == "other" for thing in held.parts(Thing))
    over = None if other else _OVER.search(held.line)
    if over:
        yield f"the text says '{over[0]}', and the answer has nothing of the others"
    shared = not other and any(map(_all_have_the_one, held.meaning.assignments))
    if shared and _OTHER_ONE.search(held.line):
        yield "the text says 'the other', and the answer has all do the same"


def _all_have_the_one(one: Assignment) -> bool:
    """Return whether several robots by name are told to do something with one and the same thing."""
    whats = [act.what for act in wanted_acts(one.task)]
    single = any(isinstance(what, Thing) and what.amount == "the" for what in whats)
    return one.who.choose == "each" and len(one.who.names) > 1 and single


def _is_other_one(held: Held, at: int) -> bool:
    """Return whether ``other`` tells one of two from the one before, of which none was named as such."""
    first, before, behind = (held.word(k) for k in (at - 2, at - 1, at + 1))
    ranged = before in _ONE_ANOTHER or first in _FROM_ONE or behind in _ROUND
    here = held.words[held.sentence(at)[0] : at]
    return not ranged and ("the", "one") not in pairwise(held.words[:at]) and "one" not in here


def _is_others(held: Held, at: int) -> bool:
    """Return whether a word stands for all others: ``the others``, ``the rest``, ``anywhere else``."""
    than, first, before, word = (held.word(k) for k in range(at - 3, at + 1))
    rest = word in _OTHERS and before == "the" and first not in _LEFT
    else_ = word == "else" and (before.endswith("where") or before in _ALL)
    else_ = else_ and first not in _PAST
    return (rest and than != "than") or word == "elsewhere" or else_  # farther than all the rest


def _leaves_out(held: Held) -> bool:
    """Return whether a meaning has others: things left out, or the robot that has no task yet."""
    return (
        any(who.choose in ("other", "share") or who.but for who in held.parts(Who))
        or any(thing.of == "other" for thing in held.parts(Thing))
        or any(negatives(held.meaning))
    )
