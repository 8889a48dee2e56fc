"""What a thing needs, as what it is to be: ``a good ironing``, ``its fuel``, ``a clean cabin``."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.domain.described.denoting import RELATED
from commonground.grounding.memory.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.domain.words import (
    DETERMINERS,
    FILLING,
    OF_IT,
    PARTICLES,
    Word,
    says_nothing,
)

_GETTING = frozenset(["have", "has", "get", "gets", "having", "getting", "give", "given", "new"])
_HOW = frozenset(["good", "proper", "quick", "thorough", "decent", "nice", "bit", "going"])


def needed(parts: Sequence[Part]) -> list[Part]:
    """Return parts that tell what the one thing they name is to be; nothing where they name more."""
    if not parts or not isinstance(parts[0], Phrase) or parts[0].pronoun:
        return []
    said: list[str] = []
    for part in parts[1:]:
        if isinstance(part, Word):
            said.append(part.text)
        elif part.pronoun not in OF_IT:
            if part.pronoun or min(part.things.values(), default=0) < RELATED:
                return []
            said += part.source
    told = [w for w in said if not _is_idle(w)]
    return [parts[0], Word("be"), *map(Word, told)] if told and len(told) < len(said) + 1 else []


def _is_idle(text: str) -> bool:
    idle = text in DETERMINERS | _GETTING | _HOW | (FILLING - PARTICLES)
    return idle or (says_nothing(text) and text not in PARTICLES)
