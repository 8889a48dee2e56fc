"""What the offline reader made of a text stands in where the model fails, and says that it does."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TypeVar

from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.reading import Reading

logger = logging.getLogger(__name__)
Understood = TypeVar("Understood", Reading, Wanted)


def unless_failed(found: Understood, instead: Understood) -> Understood:
    """Return what the model made of a text; where it failed, what was understood offline, and the failure."""
    if found.status != "failed":
        return found
    logger.warning("read offline, because the model failed: %s", found.question)
    question = f"{instead.question} ({found.question})".strip()
    why = f"offline: {found.question}"
    return replace(instead, question=question, tokens=found.tokens, why=why)
