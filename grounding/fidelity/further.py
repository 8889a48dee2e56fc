"""What a text joins on to a thing, and an answer has nothing of: ``the crate and the one behind it``.

Readers drop a phrase of words that they all know as easily as one that they do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import BACK, DETERMINERS
from commonground.grounding.fidelity.clauses import shares_out
from commonground.grounding.fidelity.harm import PEOPLE
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.meaning import ELIDED, Relation, Thing
from commonground.grounding.words.closed import BE, DO, ENDS, HAVE, MODALS
from commonground.grounding.words.likeness import is_first_of_all, may_be_verb
from commonground.grounding.words.nouns import singulars, word_set

_JOINING = frozenset(["and", "or", "plus", "mean"])
"""``I mean the opposite one`` as well."""
_OPENING = DETERMINERS - {"no", "'s", "that", "this", "all", "each", "every"} | word_set(
    "another its their whatever whichever something somewhere anything"
)
_ONES = frozenset(["one", "ones"])
_ANY = frozenset(["any", "either", "whichever"])
"""Of what was named, these only leave the choice: ``a car, any old one``."""
_WHATEVER = frozenset(["whatever", "whichever", "anything", "something"])
_CLAUSES = BE | HAVE | MODALS | DO | word_set("i you we they he she it's who then will not n't")
"""With these it is a clause, which others look after."""
_TAKEN_UP = word_set("other others rest remaining former latter")
_OTHERS = _TAKEN_UP | {"same", "better"}
_LOOKING = LOOKING | {"GIVE_CHECK"}
_LONG = 6
_GOING_ON = frozenset(["and", "also", "then", "plus"])
_LEADING = _GOING_ON | word_set("please but now just , so finally afterwards lastly")
_NO_ORDERS = BE | HAVE | MODALS | PEOPLE | word_set("thank thanks let watch mind hurry need")
_REPORTING = frozenset(["tell", "report", "call"])
_A_THING = word_set("the a an another its their")


def unread_further(held: Held) -> Iterator[str]:
    """Yield what is joined on to a thing with words that the meaning has none of."""
    if any(thing.of in ("other", "former", "latter") for thing in held.parts(Thing)):
        return
    known = {*_described(held), *(relation.how for relation in held.parts(Relation)), *_OTHERS}
    picked = held.phrases(frozenset(["COMPASS_MOST", "SIZE", "NEAREST", "FARTHEST"]))
    known |= {s.words for s in picked if not known.isdisjoint(value for _, value in s.senses)}
    known |= _ONES if any(thing.noun == ELIDED for thing in held.parts(Thing)) else set()
    for places in _joined_on(held):
        if not any(_is_read(held, k, known) for k in places):
            said = " ".join(held.words[places.start - 1 : places.stop])
            yield f"the text says '{said}', and the answer has nothing of that"


def _joined_on(held: Held) -> Iterator[range]:
    """Yield where the noun phrases stand that are joined on to others."""
    deeds = {held.at(one) for one in held.phrases(DEEDS)}
    for at, (word, opening) in enumerate(pairwise(held.words), 1):
        phrase = _phrase(held.words, at)
        apposed = word == "," and opening not in _ANY and not _ONES.isdisjoint(phrase[-1:])
        joined = opening in _OPENING and (word in _JOINING or apposed)
        clause = not _CLAUSES.isdisjoint(phrase) or not deeds.isdisjoint(
            range(at, at + len(phrase))
        )
        if joined and 1 < len(phrase) <= _LONG and (opening in _WHATEVER or not clause):
            yield range(at, at + len(phrase))


def unread_sentences(held: Held) -> Iterator[str]:
    """Yield sentences that go on, or tell to do something, with words that the meaning has none of.

    What only takes up a thing that was named (``Drive up to it``) says no more of it.
    """
    known = {*_described(held), *_TAKEN_UP}
    deeds = {held.at(one) for one in held.phrases(DEEDS)}
    for begin, end in dict.fromkeys(held.sentence(at) for at in range(len(held.words))):
        places = range(begin, end)
        if places == range(len(held.words)) or any(_is_read(held, k, known) for k in places):
            continue
        if _says_again(held, places):
            continue
        first = next((k for k in places if held.words[k] not in _LEADING), end)
        going_on = not _GOING_ON.isdisjoint(held.words[begin:first]) and deeds.isdisjoint(places)
        if going_on or (first < end and _orders(held, first, end)):
            said = " ".join(held.words[begin:end])
            yield f"the text says '{said}', and the answer has nothing of that"


def _says_again(held: Held, places: range) -> bool:
    """Return whether a sentence says of what was named what the answer does: ``give them the once-over``."""
    done = {act.do for act in held.acts}
    looks = any(held.at(said) in places for said in held.phrases(_LOOKING))
    back = not BACK.isdisjoint(held.words[places.start : places.stop])
    return looks and back and done == {"inspect"}


def _orders(held: Held, at: int, end: int) -> bool:
    """Return whether somebody is told to do something to a thing, and no more than to report."""
    word = held.words[at]
    if word in _NO_ORDERS or not may_be_verb(word) or is_first_of_all(word, _REPORTING):
        return False
    return not (_A_THING.isdisjoint(held.words[at + 1 : end]) or shares_out(held, at))


def _is_read(held: Held, at: int, known: Collection[str]) -> bool:
    """Return whether a meaning has a word of a text."""
    word = held.words[at]
    return held.is_symbol(at) or held.is_robot(word) or any(w in known for w in singulars(word))


def _phrase(words: Sequence[str], at: int) -> Sequence[str]:
    """Return the words up to the next mark or join."""
    ends = (k for k in range(at, len(words)) if words[k] in ENDS | {",", "and", "or", "but"})
    return words[at : next(ends, len(words))]


def _described(held: Held) -> Iterator[str]:
    """Yield the words by which a meaning describes things, in all their forms."""
    for thing in held.parts(Thing):
        for part in (thing.noun, thing.trait, thing.color):
            for word in part.casefold().split():
                yield from singulars(word)
