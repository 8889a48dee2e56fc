"""Words that a domain's names shorten: ``brh`` for brewhouse, ``cln`` for clean."""

from __future__ import annotations

from functools import cache

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import lemmas
from commonground.grounding.words.spelling import common_words

_SURE, _LONGEST = 3, 4
"""Shorter words may be short for too many, longer ones are taken for words."""
_STARTING = frozenset(["doing", "ending"])
_VOWELS = frozenset("aeiou")
_AT_MOST = 2
"""So many sounds of a word may be left out besides its vowels and its end."""


def skipped(short: str, word: str) -> int | None:
    """Return how many consonants are left out before the last letter that is kept; None if it is not short.

    What is said in one (``ck``, ``ss``) counts once.
    """
    if len(word) <= len(short) or not short or short[0] != word[0]:
        return None
    at, left = 0, 0
    for n, letter in enumerate(word):
        if letter == short[at]:
            at += 1
            if at == len(short):
                return left
        elif letter not in _VOWELS and letter != word[n - 1] and word[n : n + 2] != "ck":
            left += 1
    return None


@cache
def left_out(short: str, word: str) -> int | None:
    """Return how many sounds of a word a shortened one leaves out in all; None if it is not short for it.

    Two letters leave out none but vowels before the last they keep; one with vowels is the beginning.
    """
    left = skipped(short, word)
    most = _AT_MOST if len(short) > 2 else 0
    sounded = short[1:] if len(short) > 2 else short
    if left is None or left > most or (_VOWELS & {*sounded} and not word.startswith(short)):
        return None
    return 0 if word.startswith(short) else len(_consonants(word)) - len(_consonants(short))


@cache
def is_short(word: str) -> bool:
    """Return whether a word of a name looks like one that is shortened: no word, and short itself."""
    lexicon = load_lexicon()
    known = word in common_words() or word in lexicon.forms or word in lexicon.synonyms
    return 1 < len(word) <= _LONGEST and word.isalpha() and not known


@cache
def shortens(short: str, word: str) -> bool:
    """Return whether a word of a name is short for one that is said: ``cntm`` for contaminated, not clean."""
    if not (is_short(short) and len(short) >= _SURE and len(word) > len(short) + 1):
        return False
    ends = word[-1] == short[-1] or word.endswith(("ed", "ing")) or word.startswith(short)
    return ends and left_out(short, word) is not None


@cache
def tells_deed(word: str) -> bool:
    """Return whether a word is a form that only verbs have, or a verb of starting and stopping: no name."""
    lexicon = load_lexicon()
    lemmas_of = lexicon.forms.get(word, {})
    plain = (lexicon.verb(lemma) for lemma in lemmas_of)
    return len(word) < _SURE or (
        bool(lemmas_of)
        and (word not in lemmas_of or any(v is not None and _STARTING & v.classes for v in plain))
    )


@cache
def spelt(word: str) -> str:
    """Return a shortened word for a state as it is said, where one has its consonants: clean for ``cln``."""
    if len(word) < _SURE or not is_short(word) or _VOWELS & {*word[1:]}:
        return word
    found = sorted((s for s in _states() if s[0] == word[0] and _consonants(s) == word), key=len)
    return found[0] if found and all(lemmas(s) & lemmas(found[0]) for s in found) else word


def _consonants(word: str) -> str:
    """Return a word without the vowels after its first letter, and with what is said in one once."""
    kept = word[:1] + "".join(c for c in word[1:].replace("ck", "k") if c not in _VOWELS)
    return "".join(c for n, c in enumerate(kept) if n == 0 or c != kept[n - 1])


@cache
def _states() -> frozenset[str]:
    """Return all words that describe a state or, as verbs, bring one about."""
    lexicon = load_lexicon()
    verbs = (
        lemma
        for lemma, rests in lexicon.rests.items()
        if any((v := lexicon.verb(lemma, rest)) is not None and v.states for rest in rests)
    )
    return frozenset([*verbs, *(word for word in lexicon.states if " " not in word)])
