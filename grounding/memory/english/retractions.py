"""Words about the report before: what takes it back, and what says that something in it was wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.tokens import sentences

_GOT_WRONG = re.compile(
    r"\b(?:(?:got|had) (?:the|his|her|its|their)|i \w+) (?:\w+ ){1,2}wrong\b", re.I
)
_ASKING = frozenset(["what", "where", "who", "whom", "which", "why", "how", "when", "whose"])


def retracts(text: str) -> bool:
    """Return whether a text takes the last report back."""
    return any(_taken_back([t.text for t in s]) for s in sentences(text))


def _taken_back(words: Sequence[str]) -> bool:
    """Return whether words take all back, and not only a detail: ``never mind where``."""
    sizes = ((at, load_lexicon().retract.match(words, at)) for at in range(len(words)))
    rest = (words[at + size :] for at, size in sizes if size)
    return any(_ASKING.isdisjoint(after[:2]) for after in rest)


def beyond(text: str) -> str:
    """Return what a text says after it takes the last report back."""
    for found in sentences(text):
        words = [t.text for t in found]
        for at in range(len(words)):
            size = load_lexicon().retract.match(words, at)
            if size:
                last = re.search(r"\W+".join(map(re.escape, words[at : at + size])), text, re.I)
                return "" if last is None else text[last.end() :].lstrip(" ,.;:!-")
    return ""


def may_correct(text: str, *, weak: bool) -> bool:
    """Return whether a text speaks of a mistake in the last report."""
    lexicon = load_lexicon()
    phrases = [lexicon.correct, lexicon.correct_weak] if weak else [lexicon.correct]
    return _GOT_WRONG.search(text) is not None or any(
        p.find([t.text for t in s]) is not None for s in sentences(text) for p in phrases
    )
