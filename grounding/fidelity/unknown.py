"""What a text does something with, or finds things by, and neither its meaning nor the map has.

Readers drop what they cannot place: ``the trees in the cave`` would be all trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.words.closed import BE, ENDS, MODALS, RELATIVES
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.likeness import may_be_noun
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.vocabulary import vocabulary

LINKS = word_set(
    "in on at to into onto inside by near nearest next closest farthest close beside behind past of from "
    "around along across over under outside through between among and or , as well plus but not except one "
    "ones that is are stands standing lies lying sits sitting located front right just"
)
"""What stands between a thing, or what is done, and what it is found by or done to."""
_OWN = frozenset(["its", "their"])
"""Before what belongs to the thing named last: ``the plaza and its neighbors``."""
_BESIDE = frozenset(["and", "or", "of", "plus", ","])
_POINTING = DETERMINERS - {"no"} | _OWN
_BACK = frozenset(["this", "that", "these", "those", "my"])
"""Behind a comma these begin what is no item: ``..., that sounds fair``, ``..., my dear fellow``."""
_ALL = frozenset(["ALL_OF_THEM", "EVERYTHING"])
_OF_IT = (["of", "it"], ["of", "them"], ["of", "the"], ["of", "that"])
_FEW = 6
"""So many words lead on from one thing to the next."""
_LONG = 4
"""So many words a noun phrase has behind its determiner."""
_PARTING = ENDS | RELATIVES | LINKS | BE | word_set("then before after with for when while")


def strangers_behind(
    said: Wording, begins: Iterable[int], is_known: Callable[[Sequence[str]], bool]
) -> Iterator[str]:
    """Yield what a text points at behind some places and what only leads on to it, where nobody knows it."""
    for begin in sorted({*begins}):
        at = _past_links(said, begin)
        phrase = _phrase(said, at + 1) if said.word(at) in _POINTING else []
        told = not phrase or any(map(said.is_robot, phrase)) or is_known(phrase)
        told = told or (said.word(at) in _BACK and said.word(at - 1) == ",")
        told = told or phrase[-1] in MODALS or _is_quantity(said, at, phrase)
        own = said.word(at) in _OWN
        if not told and (_is_beside(said, at, phrase) if own else _names_something(phrase[-1])):
            yield " ".join(phrase)


def _is_quantity(said: Wording, at: int, phrase: Sequence[str]) -> bool:
    """Return whether words only tell how much of something: ``the whole lot``, ``every inch of it``."""
    behind = at + 1 + len(phrase)
    parts = said.word(at) in ("every", "each") and said.words[behind : behind + 2] in _OF_IT
    return parts or bool(phrases_in(said.tokens[at:behind], _ALL))


def _is_beside(said: Wording, at: int, phrase: Sequence[str]) -> bool:
    """Return whether what belongs to a thing is named beside it, or some of it instead."""
    behind = said.word(at + len(phrase) + 1)
    beside = said.word(at - 1) in _BESIDE and (behind in ENDS | _BESIDE or not behind)
    return beside and may_be_noun(phrase[-1])


def heads_in(said: Wording) -> Iterator[str]:
    """Yield the last word of whatever is pointed at in a text."""
    for at, word in enumerate(said.words):
        phrase = _phrase(said, at + 1) if word in _POINTING else []
        yield from phrase[-1:]


def _past_links(said: Wording, at: int) -> int:
    """Return where words end that only lead on to something."""
    for k in range(at, at + _FEW):
        leads = said.word(k) == "that" and said.word(k + 1) in LINKS  # that lies by
        if not leads and (said.word(k) in _POINTING or said.word(k) not in LINKS):
            return k
    return at


def _phrase(said: Wording, at: int) -> list[str]:
    """Return a noun phrase behind its determiner; none if it is too long to tell, or ``the clean one``."""
    for end in range(at, at + _LONG + 1):
        if said.word(end) in _PARTING or end >= len(said.words):
            words = said.words[at:end]
            named = all(map(str.isalpha, words)) and said.word(end) not in ("one", "ones")
            return words if named else []
    return []


def _names_something(noun: str) -> bool:
    """Return whether a word is a noun for a thing, as far as is known."""
    new = vocabulary()[1].isdisjoint(singulars(noun)) and count_of(noun) is None
    return new or bool(everyday().senses(noun))
