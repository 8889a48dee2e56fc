"""Verbs that nobody has heard of: ``Una flumped the stone`` tells nothing until it is asked what that is.

Where something went tells what was done with it, whatever the verb: ``Una flumped the stone onto the bed``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.words.concepts import artifacts, everyday, word_list
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import guessed_lemma

_CLAUSE = re.compile(r"[^,;.!?:]+?(?= and [^\W\d_]+ [^\W\d_]+ed |[,;.!?:]|$)")
_WORD = re.compile(r"[^\W\d_]+")
_WHERE = word_set("in into inside on onto at to from off out of under behind by with")
_SUBJECTS = word_set("i he she we they who has have had just then also and")
_OBJECTS = word_set(
    "the a an my his her its our your their it them him me this that these those all both"
)


def strange_verbs(text: str, is_person: Callable[[str], bool]) -> list[str]:
    """Return the past forms in a text that no list has, with who does that before and what behind them."""
    parts = [_WORD.findall(part) for part in _CLAUSE.findall(text)]
    return [word for words in parts for word in _strange_in(words, is_person)]


def _strange_in(words: Sequence[str], is_person: Callable[[str], bool]) -> list[str]:
    """Return the strange verbs of a clause that does not tell where to or from something went."""
    found = list[str]()
    for at, word in enumerate(words[:-1]):
        does = at == 0 or words[at - 1].lower() in _SUBJECTS or is_person(words[at - 1])
        done = words[at + 1].lower() in _OBJECTS or is_person(words[at + 1])
        past = word.endswith("ed") and (word.islower() or at == 0)
        told = not _WHERE.isdisjoint(w.lower() for w in words[at:])
        if (
            does
            and done
            and past
            and not told
            and not is_person(word)
            and _is_strange(word.lower())
        ):
            found.append(word)
    return found


def _is_strange(word: str) -> bool:
    """Return whether nobody here knows a word or what it is a form of; word lists have rarer ones, too."""
    lemma, _ = guessed_lemma(word) or (word, "")
    forms = {word, lemma, f"{lemma}e"}
    known = load_lexicon().words() | word_list("common.txt")
    heard = any(senses().senses(form) for form in forms for senses in (everyday, artifacts))
    return known.isdisjoint(forms) and not heard
