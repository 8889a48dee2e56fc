"""When and what for a task is to be done: clauses and phrases of a task that ask for nothing themselves."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    FROM,
    MODALS,
    PARTICLES,
    PERSONAL,
    TO,
    Word,
    is_going_on,
    is_participle,
    is_verb,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, text_at

_WHEN = frozenset(["before", "once", "when", "because", "since", "after", "afore", "till", "until"])
_PURPOSE = frozenset(["by", "before", "after", "for", "during", "until", "till"])
_ENDS = frozenset([",", ";", ":", "."])
_ASKING = frozenset(["i", "we", "please", "could", "would", "can", "let", "you"])
_NO_NOUNS = TO | FROM | PARTICLES | AUXILIARIES | MODALS | PERSONAL | _ENDS | {"and", "but", "then"}
_FINITE = AUXILIARIES | MODALS | {"'s"}


def without_circumstances(parts: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Return parts of a task without what only tells when and what for, and what that names."""
    kept: list[Part] = []
    gone: list[Part] = []
    at = 0
    while at < len(parts):
        end = _clause_end(parts, at) or _phrase_end(parts, at)
        if end is None or (not kept and end >= len(parts)):
            kept.append(parts[at])
            at += 1
            continue
        gone += parts[at:end]
        at = end
        if not kept and text_at(parts, at) == ",":
            at += 1
    return kept, gone


def _clause_end(parts: Sequence[Part], at: int) -> int | None:
    """Return where a clause ends that tells when or why, if one begins: ``once Ann has eaten``."""
    start = _opened(parts, at)
    past = any(isinstance(p, Word) and p.text in ("was", "were", "had") for p in parts[:at])
    told = [n for n in range(start, len(parts)) if _tells(text_at(parts, n), first=n == start)]
    if past or start == at or not told:
        return None
    asks = (
        n for n in range(max(told[0], start + 1) + 1, len(parts)) if _asks(parts, n, first=at == 0)
    )
    marks = (n for n in range(start, len(parts)) if text_at(parts, n) in _ENDS)
    end = min(next(asks, len(parts)), next(marks, len(parts)))
    return end if end > told[0] else None


def _asks(parts: Sequence[Part], at: int, *, first: bool) -> bool:
    """Return whether what is asked for begins at a part after a clause; ``first``: after the first one."""
    return _orders(parts, at) or (first and text_at(parts, at) in _ASKING)


def _tells(text: str, *, first: bool) -> bool:
    """Return whether a word is a verb by which a clause tells something."""
    return text in _FINITE or (not first and is_verb(text) and not is_going_on(text))


def _opened(parts: Sequence[Part], at: int) -> int:
    """Return where a clause goes on that tells when or why after the words that open it; ``at`` for none."""
    texts = [text_at(parts, n) for n in range(at, at + 3)]
    if texts == ["as", "soon", "as"]:
        return at + 3
    return at + (texts[0] in _WHEN and texts[1] not in ("that", "this"))  # "after that"


def _orders(parts: Sequence[Part], at: int) -> bool:
    """Return whether ``and`` before an order stands at a place: ``and fill her up``."""
    after = text_at(parts, at + 1)
    return text_at(parts, at) == "and" and bool(after) and after in load_lexicon().lemmas(after)


def _phrase_end(parts: Sequence[Part], at: int) -> int | None:
    """Return where a phrase ends that tells when or what for and names nothing here: ``for the photo``."""
    if text_at(parts, at) not in _PURPOSE:
        return None
    n = at + 1
    while n < len(parts) and _is_noun(text_at(parts, n)):
        n += 1
    ends = n >= len(parts) or text_at(parts, n) in _ENDS | {"and", "please", "so", "then"}
    return n if ends and n > at + 1 else None


def _is_noun(text: str) -> bool:
    verbal = is_going_on(text) or (is_participle(text) and not text.endswith("ed"))
    small = not text or text in _NO_NOUNS or (says_nothing(text) and text not in DETERMINERS)
    return not (verbal or small)
