"""Doubts that concern something else than what a report tells: ``made the bed before she could complain``."""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.memory.english.words import BE, HAVE, MODALS
from commonground.grounding.memory.rewriting.clause_splitting import has_verb
from commonground.grounding.words.nouns import word_set

_REASONS = r"because|before|since|seeing|so|while|until|cos"
_JOINT = re.compile(rf"\s*[.;!?–—]+\s*|(?P<comma>,\s+)|\s+(?=(?:{_REASONS})\b)", re.I)
_REASON = re.compile(rf"(?:{_REASONS})\s+", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_SUPPOSING = word_set("might may could must")
_SAYING = word_set(
    "i we you he she it they that this there or but though although unless if no not"
)
"""Beginnings of what casts doubt on what was told beside it: ``I think``, ``or Ann may have done it``."""


def without_doubtful(
    text: str, is_doubtful: Callable[[str], bool], names_any: Callable[[str], bool]
) -> str:
    """Return a text without clauses that doubt only themselves; as it is where any may doubt the rest.

    A reason does, and what is supposed of what nothing here is called (``names_any``). A word without a verb
    of its own belongs to the clause before it: ``she turned it off, apparently``.
    """
    clauses = _clauses(text)
    doubtful = [*filter(is_doubtful, clauses)]
    kept = [clause for clause in clauses if clause not in doubtful]
    alone = all(_is_reason(c) or (_supposes(c) and not names_any(c)) for c in doubtful)
    if not kept or not alone:
        return text
    rest = " ".join(clause.strip(" ,") for clause in kept)
    return _REASON.sub("", rest, count=1) if _REASON.match(rest) else rest


def _clauses(text: str) -> list[str]:
    """Return the clauses of a text, each with the mark behind it."""
    found, begin = [""], 0
    for joint in _JOINT.finditer(text):
        found[-1] += text[begin : joint.start()]
        begin = joint.end()
        after = text[begin:].split(",", 1)[0]
        whole = _is_reason(after) or (_says(found[-1]) and (not joint["comma"] or _says(after)))
        found[-1] += joint[0]
        found += [""] if whole else []
    found[-1] += text[begin:]
    return [clause for clause in found if clause.strip()]


def _says(clause: str) -> bool:
    words = {word.lower() for word in _WORD.findall(clause)}
    return has_verb(clause) or not words.isdisjoint(BE | HAVE | MODALS)


def _supposes(clause: str) -> bool:
    words = [word.lower() for word in _WORD.findall(clause)]
    return words[0] not in _SAYING | _SUPPOSING and not _SUPPOSING.isdisjoint(words)


def _is_reason(clause: str) -> bool:
    return _REASON.match(clause) is not None
