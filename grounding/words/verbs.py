"""Forms of English verbs, made from their lemmas."""

from __future__ import annotations

from typing import Literal

from commonground.grounding.words.concepts import word_file
from commonground.grounding.words.nouns import with_s

Form = Literal["base", "third", "past", "participle", "gerund"]

_TABLE = {
    lemma: (past.split("/"), participle.split("/"))
    for line in word_file("irregular.txt").splitlines()[1:]
    for lemma, past, participle in [line.split()]
}
_VOWELS = "aeiou"
_UNDOUBLED = "bdgmnprt"
_DOUBLE_LONG = {
    "refer", "transfer", "permit", "begin", "forget", "regret", "prefer", "unplug", "admit",
    "commit", "occur", "deter",
    "submit", "entrap", "unwrap", "unzip", "unpin", "reset", "travel", "signal", "cancel", "level",
    "label", "shovel",
    "unclip", "kidnap", "misput", "equip", "snivel", "swivel", "fuel", "marvel", "dishevel", "unbar",
    "forbid", "omit", "rerun", "unshut",
}  # fmt: skip


def verb_forms(lemma: str) -> dict[str, set[Form]]:
    """Return every form of a one-word verb with what it may be."""
    forms: dict[str, set[Form]] = {}

    def note(word: str, form: Form) -> None:
        forms.setdefault(word, set()).add(form)

    note(lemma, "base")
    note({"be": "is", "have": "has"}.get(lemma) or with_s(lemma), "third")
    past, participle = _TABLE.get(lemma, ([_with_ed(lemma)], [_with_ed(lemma)]))
    for word in past:
        note(word, "past")
    for word in participle:
        note(word, "participle")
    note(_gerund(lemma), "gerund")
    return forms


def irregular_verbs() -> tuple[str, ...]:
    """Return the lemmas whose forms are listed."""
    return tuple(_TABLE)


def irregular_forms() -> frozenset[str]:
    """Return the listed past forms and participles that are no lemma: not ``put``."""
    listed = {word for forms in _TABLE.values() for either in forms for word in either}
    return frozenset(listed - {*_TABLE} | {"were"})


def _stem(lemma: str) -> str:
    """Return the lemma with its last consonant doubled where -ed and -ing double it."""
    if len(lemma) < 3 or lemma[-1] in "aeiouwxyh" or lemma[-2] not in _VOWELS:
        return lemma
    short = lemma[-3] not in _VOWELS and sum(c in _VOWELS for c in lemma) == 1
    qu = lemma[-3] == "u" and lemma[-4:-3] == "q"
    return lemma + lemma[-1] if short or qu or lemma in _DOUBLE_LONG else lemma


def _with_ed(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and len(lemma) > 1 and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied"
    return _stem(lemma) + "ed"


def _gerund(lemma: str) -> str:
    if lemma == "be":
        return "being"
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + "ing"
    return _stem(lemma) + "ing"


def guessed_lemma(word: str) -> tuple[str, Form] | None:
    """Return the lemma and form of a word that looks like an inflected verb, or None."""
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y", "past"
    if word.endswith("ed") and len(word) > 4:
        return (word[:-3] if word[-3] == word[-4] and word[-3] in _UNDOUBLED else word[:-2]), "past"
    if word.endswith("ing") and len(word) > 5:
        return (
            word[:-4] if word[-4] == word[-5] and word[-4] in _UNDOUBLED else word[:-3]
        ), "gerund"
    return None
