"""Whether a text is English: words that no list of English has, and small words of other languages."""

from __future__ import annotations

import operator
from collections.abc import Set
from functools import cache

from commonground.grounding.english.lexicon import is_english
from commonground.grounding.words.concepts import artifacts, everyday, household
from commonground.grounding.words.likeness import has_meaning
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.words.verbs import guessed_lemma, irregular_forms
from commonground.grounding.words.vocabulary import vocabulary

_FOREIGN = word_set(
    "der die das den dem des ein eine einen einem einer und oder nicht kein keine keinen nie niemals zum zur "
    "auf mit bei bitte geh gehe fahr fahre nimm du dich dir sich ist sind "
    "le la les un une du au aux ne pas jamais et est sur dans près vers va vas ce cette s'il vous plaît "
    "el los las del al una uno y o con sin por para en nunca ve vaya te se su tu "
    "il lo gli della dello nel nella sul alla che non mai di da per con vai è "
    "os às ao não nunca em na nas um uma você vá "
    "de het een niet naar van nooit ga naast bij op "
    "och inte till på en ett att ikke til det "
    "nie na w z ne je se v"
)
"""Articles, negations, prepositions and orders of neighbors of English, some of them English as well."""
_SHARED = _FOREIGN & word_set("per en die don son est al van ga op de la le te los non z w")
"""Those that English has too, or names: they tell only before a word that it has not."""
MOST = 0.5
"""So large a share of such words makes a text one of another language; misspelt English has no small ones."""


def is_foreign(text: str, names: Set[str]) -> bool:
    """Return whether a text is in no English; names of things and robots, and tags, do not count."""
    untagged = " ".join(word for word in text.split() if not any(map(str.isdigit, word)))
    spoken = (token.text for token in tokenize(untagged) if token.kind == "word")
    words = [*spoken]
    named = [not names.isdisjoint(singulars(word)) for word in words]
    unknown = [not (name or _is_known(word)) for word, name in zip(words, named, strict=True)]
    strange = [*map(operator.or_, unknown, named), False]
    small = [
        word in _FOREIGN - (set() if strange[k + 1] else _SHARED) for k, word in enumerate(words)
    ]
    odd = sum(map(operator.or_, unknown, small))
    foreign = any(small) or not all(map(str.isascii, words))
    return foreign and _is_most(odd, len(words) - sum(named)) and any(unknown)


def _is_most(some: int, count: int) -> bool:
    return some >= MOST * count


@cache
def _is_known(word: str) -> bool:
    """Return whether any list of English has a word, in whatever form."""
    if not word.isascii():
        return False
    if word in vocabulary()[1] or word in irregular_forms():
        return True
    guessed = guessed_lemma(word)
    forms = {word, *singulars(word), *([guessed[0], guessed[0] + "e"] if guessed else [])}
    lists = (everyday(), household(), artifacts())
    return any(is_english(w) or has_meaning(w) or any(k.senses(w) for k in lists) for w in forms)
