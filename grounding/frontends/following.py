"""Where a sentence begins with ``then``: what it tells comes after what was told before.

The network loses that where each sentence calls its robots by name. The word is plain.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import Clause, Part, Steps, Utterance
from commonground.grounding.orders.phrases import spans_of

_NEXT = re.compile(
    r"\s*(?:and\s+)?(?:then|after that|afterwards?|after this|thereafter)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[.!?;\n]\s")
_LEAD = 40
"""So many letters before a part its ``then`` may begin: names and verbs stand in between."""


def followed(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance in which what a ``then`` at the beginning of a sentence leads comes afterwards."""
    parts = list(utterance.parts)
    for at in range(1, len(parts)):
        before = max((s.end for s in spans_of(parts[at - 1])), default=-1)
        if before >= 0 and _is_told(parts[at]) and _is_led(parts[at], before, text):
            parts[at] = replace(parts[at], then=True)
    return replace(utterance, parts=tuple(parts))


def _is_told(part: Part) -> bool:
    """Return whether somebody is told to do something that may come after something else."""
    steps = part.step.steps if isinstance(part.step, Steps) else (part.step,)
    done = all(isinstance(step, Clause) and step.mood == "do" for step in steps)
    return done and not (part.then or part.stands)


def _is_led(part: Part, before: int, text: str) -> bool:
    """Return whether the sentence of a part begins with ``then``, and the part before ends before that."""
    start = min((s.start for s in spans_of(part)), default=0)
    breaks = [found.start() for found in _SENTENCE.finditer(text, before - 1, start)]
    if not breaks or start - breaks[-1] > _LEAD:
        return False
    return _NEXT.match(text, breaks[-1] + 1, start) is not None
