"""Where a text tells to get something for somebody: ``go and get me the ladder``, ``take for me a bucket``.

The network takes the going for all of it. What is got or taken for the speaker is held in the end.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import Clause, Span, Utterance
from commonground.grounding.frontends.otherwise import changed

_FOR_US = re.compile(
    r"\b(?:get|gets|take|takes|grab|grabs)\s+(?:for\s+)?(?:me|us)\s+"
    r"(?=(?:the|an?|that|this|any|some|one|my|our)\b(?!\s+(?:look|picture|photo|reading)))",
    re.IGNORECASE,
)
_OTHERS = frozenset(["go to", "inspect", "end up at", "enter"])


def fetched(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance that holds what its text tells to get for somebody."""
    got = [match.end() for match in _FOR_US.finditer(text)]

    def held(clause: Clause) -> Clause:
        begins = min((span.start for span in parts_of(clause, Span)), default=-1)
        near = any(text[at:begins].count(" ") <= 1 for at in got if at <= begins)
        ordered = clause.sense in _OTHERS and clause.mood == "do" and not clause.negated
        if not (near and ordered):
            return clause
        return replace(clause, sense="hold", theme=clause.theme or clause.goal, goal=None)

    return changed(utterance, held) if got else utterance
