"""Injection guard: orders about the memory itself, dressed up as reports, change nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.tokens import sentences

_MARKUP = re.compile(r"[{}<>\[\]]|\(\s*[a-z]+_[a-z]+|\b[a-z]+_[a-z]+\s*\(|:=|==|->|=>|\\n|```")


def markup_in(text: str) -> str | None:
    """Return what looks like code in a text."""
    found = _MARKUP.search(text)
    return None if found is None else found[0]


_ALL = frozenset(["the", "all", "every", "each", "any"])


class Guard:
    """Tells whether a text tries to command the memory instead of reporting on the house."""

    def __init__(self, lexicon: Lexicon, is_name: Callable[[Sequence[str], int], int]) -> None:
        self.lexicon = lexicon
        self.is_name = is_name

    def commands(self, text: str, own: Callable[[str], bool] | None = None) -> str | None:
        """Return the words that give an order about the memory away, or None.

        ``own`` tells verbs of what is done in the world itself, where there are things to ``print``.
        """
        markup = markup_in(text)
        if markup is not None:
            return markup
        for tokens in sentences(text):
            words = [token.text for token in tokens]
            for at in range(len(words)):
                size = self.lexicon.commanding.match(words, at)
                known = own is not None and own(words[at]) and {*words[at + 1 : at + size]} <= _ALL
                if size and not known and self.is_name(words, at) < size:
                    return " ".join(words[at : at + size])
        return None
