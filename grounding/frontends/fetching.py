"""Where a text tells to fetch something: ``fetch the ladder``, ``go and get me one``.

The network takes the going for all of it. What is fetched, or got or taken for the speaker, is held in the
end.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import mapped, parts_of
from commonground.grounding.english.utterance import Clause, Crew, Span, Utterance
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.frontends.otherwise import changed
from commonground.grounding.language.tokens import tokenize

_GOT = re.compile(
    r"\b(?:(?:get|gets|take|takes|grab|grabs)\s+(?:for\s+)?(?:me|us)"
    r"(?=\s+(?:the|an?|that|this|any|some|one|my|our)\b(?!\s+(?:look|picture|photo|reading)))"
    r"|(?:fetch|retrieve|collect)(?:e?s)?\b(?:\s+(?:me|us)\b)?)\s*",
    re.IGNORECASE,
)
_NEAR = re.compile(r"(?:[^\s,.;:!?]+\s+)?(?:of\s+)?")
"""Between such a verb and the first word that a reader takes of what is fetched: ``the``, ``one of``."""
_OTHERS = frozenset(["go to", "inspect", "end up at", "enter"])


def fetched(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance that holds what its text tells to get for somebody."""
    got = [match.span() for match in _GOT.finditer(text)]
    looks = phrases_in(tokenize(text), LOOKING)
    ordered = [c for c in parts_of(utterance, Clause) if c.mood == "do" and not c.negated]

    def is_got(clause: Clause) -> bool:
        """Return whether the verb stands right before what a clause names, or is the only one there is."""
        spans = [span.start for span in parts_of(clause, Span)]
        near = any(_NEAR.fullmatch(text, at, k) for _, at in got for k in spans if at <= k)
        alone = not looks and len(got) == len(ordered) == 1 and max(spans, default=-1) < got[0][0]
        return near or alone

    def held(clause: Clause) -> Clause:
        other = clause.sense == "other" and clause.verb and _GOT.match(clause.verb.text)
        if clause not in ordered or not (other or (clause.sense in _OTHERS and is_got(clause))):
            return clause
        what = clause.theme or clause.goal
        return replace(clause, sense="hold", theme=what, goal=None, verb=None)

    return mapped(changed(utterance, held), _called) if got else utterance


def _called(value: Any) -> Any:
    """Return a crew without the verb that the network takes for a robot: ``Fetch one, Anna``."""
    if not isinstance(value, Crew):
        return value
    names = tuple(name for name in value.names if not _GOT.match(name.text))
    return replace(value, names=names) if names else value
