"""Which words tell of what was: past forms and participles that are no form of an order."""

from __future__ import annotations

from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import irregular_forms

_NAMING = word_set("red shed bed sled hundred ground rose wound bore")
"""Words that only look like such a form, or mostly name something."""
_PAST = irregular_forms() - _NAMING


def is_past(word: str) -> bool:
    """Return whether a word can be no order and tells of what was: ``went``, ``been``, ``inspected``."""
    ends = word.endswith("ed") and not word.endswith("eed") and word not in _NAMING
    return ends or word in _PAST
