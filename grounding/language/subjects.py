"""Several robots in one sentence, each with its own verb: ``Spot, check the van and Husky, go to the gate``.

Each is told in a sentence of its own, so that no robot's name is taken for a part of what another does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_ENDS = re.compile(r"[.;!?:\n]")
_TIED = word_set(
    "before after until till once when whenever if unless while as then first where who which that not never "
    "nobody except ask tell let have make get or both whichever"
)
"""With these a sentence says more of its robots than what each of them does."""
_MODALS = word_set("should must shall will needs")
_NONE = r"(?:none|nothing|not\s+any|no\s+(?:task|job|action))"


def apart(text: str, robots: Sequence[str]) -> str:
    """Return a text in which each robot that has a verb of its own is told in a sentence of its own."""
    if len(robots) < 2:
        return text
    name = rf"\b(?P<name>{any_of(robots)})\b"
    text = re.sub(
        rf"\s*(?:[,;]|\band\b|\bbut\b|\s)+{name}\s*,?\s*{_NONE}\s*(?=[.;!?]|$)",
        lambda one: f". {one['name']}, no task" if one.start() else one[0],
        text,
        flags=re.IGNORECASE,
    )
    done, begin = "", 0
    for one in re.finditer(
        rf"(?P<joint>\s*(?:[,;]\s*(?:and|but)?|\b(?:and|but))\s+){name}\s*,?\s+(?P<said>(?:you\s+)?(?:please\s+)?(?P<verb>\w+))",
        text,
        re.IGNORECASE,
    ):
        ended = [end.end() for end in _ENDS.finditer(text, begin, one.start())]
        before = text[max([begin, *ended]) : one.start()]
        if _is_told(before, robots) and _begins_deed(text[one.start("verb") :]):
            done, begin = f"{done}{text[begin : one.start()]}. ", one.start("name")
    return done + text[begin:]


def _is_told(words: str, robots: Sequence[str]) -> bool:
    """Return whether one robot is told something in some words, and nothing else."""
    named = re.match(rf"\W*(?:please\s+)?{any_of(robots)}\b", words, re.IGNORECASE)
    if named is None:
        return False
    said = tokenize(words[named.end() :])
    plain = _TIED.isdisjoint(token.text for token in said)
    shares = any(token.text.startswith(("shar", "split", "divid")) for token in said)
    return plain and (shares or bool(phrases_in(said, DEEDS)))


def _begins_deed(words: str) -> bool:
    said = tokenize(words)
    deeds = phrases_in(said, DEEDS)
    return said[0].text in _MODALS or bool(deeds and deeds[0].start == said[0].start)
