"""What a text says is as it should be, beside what is to be done: ``the pump's fine, but check the valve``.

A network may pass over it, as it should, or inspect it too. Nothing is left out where it is passed over, and
nothing is inspected that needs it not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.english.remarks import remarks
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.words.nouns import word_set

_FINE = re.compile(
    r"(?P<what>\b(?:the|that|this|those|these|my|our)\s+(?!ones?\b)(?:[\w-]+\s+){0,3}?[\w-]+?)"
    r"(?:['’]s|['’]re|\s+is|\s+are)\s+"
    r"(?:(?:all|just|quite|perfectly|absolutely|still|already)\s+)*"
    r"(?:fine|ok|okay|alright|all\s+right|good|in\s+order|in\s+good\s+order)(?=\s*(?:[.,;:!?–—-]|$)|\s+but\b)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"(?:^|[.,;:!?\n–—-])\s*(?:(?:so|well|now|as|because|since)\s+)?$", re.IGNORECASE
)
_REST = re.compile(r"(?:[.,;:!?\n–—-]|\s)\s*(?:but|just|only)\b", re.IGNORECASE)
"""What turns to what is to be done instead."""
_BACK = word_set(
    "it them there one ones both these those that this all each either same again anyway"
)


def said_fine(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text names what it only says is fine, and turns to something else."""
    told = remarks(text)
    for found in _FINE.finditer(text):
        rest = _REST.search(text, found.end())
        if rest is None or not _OPENS.search(text[: found.start()]):
            continue
        behind = (token for token in tokens_of(text) if token.start >= found.end())
        if not any(token.text.casefold() in _BACK and not told(token) for token in behind):
            yield found.span("what")


def inspected_though_fine(held: Held) -> Iterator[str]:
    """Yield what is to be inspected of which a text only says that it is fine."""
    text = held.text
    nouns = {*nouns_of(tuple(a for a in held.acts if a.do == "inspect"))}
    for start, end in said_fine(text):
        last = text[start:end].casefold().split()[-1]
        elsewhere = re.search(rf"\b{re.escape(last)}\b", text[:start] + text[end:], re.IGNORECASE)
        if last in nouns and not elsewhere:
            yield f"the text only says that {text[start:end]} is fine"
