"""What a text plainly tells somebody not to go to is kept from: ``Husky, do not go to O39.``

The network wavers there between a ban, an order and one taken back. The words are plain where nothing else
follows.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import Clause, Part, Phrase, Utterance
from commonground.grounding.orders.phrases import spans_of

_NOT_GOING = re.compile(
    r"\b(?:(?:do|must|may|shall|should|can) ?(?:not|n['’]?t)|never|cannot|shan['’]?t)(?: ever)?"
    r" (?:go|drive|head|move|roll|walk|run|travel|come)(?: over| down| up| back)?"
    r" (?:to|into|in|near|onto|towards?)(?: the| any)?(?: [^\W\d_]+)? $",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\s*(?:,? please)?\s*(?:[.!;\n]|$)", re.IGNORECASE)
_HEARD = ("", "taken back")
_GOING = frozenset(["go to", "end up at", "come near", "enter"])


def denied(utterance: Utterance, text: str, names: Names) -> Utterance:
    """Return an utterance in which those stay away that its text plainly tells not to go somewhere."""
    return replace(utterance, parts=tuple(_kept_away(part, text) for part in utterance.parts))


def _kept_away(part: Part, text: str) -> Part:
    step = part.step
    if not isinstance(step, Clause) or part.stands not in _HEARD or step.sense not in _GOING:
        return part
    where = step.goal if step.mood == "do" and not step.negated else step.theme
    if step.mood not in ("do", "never") or not isinstance(where, Phrase):
        return part
    spans = spans_of(where)
    if not spans:
        return part
    start, end = min(s.start for s in spans), max(s.end for s in spans)
    if not (_NOT_GOING.search(text[:start]) and _ENDED.match(text, end)):
        return part
    return replace(part, step=Clause(sense="enter", mood="never", theme=where), stands="")
