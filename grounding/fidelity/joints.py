"""Things of one sentence that are done alike are joined: by ``and``, a mark, a verb, or a robot's name.

Where nothing joins two of them, one only describes the other (``the shelter has two doors``, ``the one most
in the east from all the signs``), or says nothing new; it is not to be gone to as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.verbs import verbs_in
from commonground.grounding.meaning import things_in
from commonground.grounding.words.closed import REASONS, TAKING_UP
from commonground.grounding.words.nouns import word_set

_JOINING = word_set(
    "and or then plus also too well but before after with along via by until once while nor both either"
)

_BY_WAY = frozenset(["along", "via", "through", "across", "past", "over", "by", "around"])
_ONWARD = frozenset(["to", "into", "onto", "towards", "toward"])
"""``go along the path to the shelter`` passes one and reaches the other."""
_ASKING = word_set("please could can would will you let have may might just kindly do")


def unjoined(held: Held) -> Iterator[str]:
    """Yield things that a meaning does something with and that its text only describes others by."""
    places, verbs = sorted(held.once({noun.split()[-1] for noun in _nouns(held)})), verbs_in(held)
    for first, second in pairwise(places):
        between, same = range(first + 1, second), held.sentence(first) == held.sentence(second)
        apart = not _goes_on(held, first, second) and not any(
            joins(held, k, verbs) for k in between
        )
        if between and same and apart:
            words = " ".join(held.words[first : second + 1])
            yield f"nothing in '{words}' says that both are meant"


def reasons(held: Held) -> Iterator[str]:
    """Yield things that a meaning does something with and that only say why: ``..., so check the door``.

    An ``it`` or ``there`` behind may mean what was spoken of before.
    """
    nouns = {*_nouns(held)}
    for before, after in _reasoned(held):
        told = {noun for noun in nouns if f" {noun} " in f" {after} "}
        why = {noun for noun in nouns if f" {noun} " in f" {before} "} - told
        if told and TAKING_UP.isdisjoint(after.split()):
            yield from (
                f"the text speaks of the {noun} only before its 'so'" for noun in sorted(why)
            )


def _reasoned(held: Held) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind a ``so`` that an order follows, or says why a robot is left out."""
    words = held.words
    for at, (word, behind) in enumerate(pairwise(words)):
        if word in REASONS and held.is_robot(behind):
            end = held.clause(at)[1]
            yield " ".join(words[at:end]), " ".join([*words[:at], *words[end:]])
        if word == "so" and (behind in _ASKING or held.is_robot(behind)):
            begin, end = held.sentence(at)
            yield " ".join(words[begin:at]), " ".join(words[at:end])


def _goes_on(held: Held, first: int, second: int) -> bool:
    """Return whether one thing is only by the way to the next."""
    by_way = not _BY_WAY.isdisjoint(held.words[max(0, first - 3) : first])
    return by_way and not _ONWARD.isdisjoint(held.words[first + 1 : second])


def joins(said: Wording, at: int, verbs: Collection[int]) -> bool:
    """Return whether a word joins what stands before and behind it."""
    token = said.tokens[at]
    joins = token.kind == "mark" or token.text in _JOINING or token.start in verbs
    return joins or said.is_robot(token.text)


def _nouns(held: Held) -> Iterator[str]:
    """Yield what things are called that are done something with."""
    things = (thing for act in held.acts for thing in things_in(act.what))
    yield from (thing.noun.casefold() for thing in things if thing.noun)
