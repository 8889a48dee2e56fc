"""The robot that is meant instead of another: ``Husky, check the gate. No, I mean Spot.``"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of

_LEADING = (
    r"(?<![\s,.;:!?…–—-])(?P<lead>[\s,.;:!?…–—-]*"
    r"(?:(?:oh|ah|er|erm|um|well|wait|hang on|hold on|sorry|actually|no|nope|oops|whoops"
    r"|correction)[\s,.;:!…–—-]+)*)"
)
_MEANT = (
    r"(?:(?:no|nope)\s*[,:!–—-]\s*|not (?:you|him|her|it)(?:\s+|\s*[:.;–—-]\s*)"
    r"|(?:not (?:you|him|her|it)[\s,.;:!–—-]+)?"
    r"(?P<sure>i mean(?:t)?|make (?:that|it)|or rather|correction)[\s,:]+)"
)
"""``no Spot`` may be without Spot; ``not you, Spot`` is said to Spot as well as of another."""
_DOING = (
    r"\s+(?:can|could|should|will|must|shall|is to|had better)\s+(?:do|take|handle|get)"
    r"\s+(?:that|it|this)(?:\s+one)?"
)


def another_robot(text: str, robots: Sequence[str]) -> str:
    """Return a text in which another robot is told what one was told before, where that is put right."""
    names = any_of(robots)
    instead = re.compile(
        rf"{_LEADING}(?:{_MEANT}(?P<meant>{names})(?:{_DOING}|(?=(?:\s+(?:instead|please))*\s*(?:[.!?]|$)))|(?<=[\s,.])(?P<doer>{names}){_DOING})"
        r"(?:\s+(?:instead|please))*\s*(?=[.,;!?]|$)",
        re.IGNORECASE,
    )
    for found in instead.finditer(text):
        who = found["meant"] or found["doer"]
        told = [*re.finditer(rf"\b{names}\b", text[: found.start()], re.IGNORECASE)]
        before = [one for one in told if one[0].casefold() != who.casefold()]
        if found["doer"] and not found["lead"].strip():
            continue  # I doubt Spot can do it
        if not found["sure"] and _forbids(text[: found.start()]):
            continue  # who is forbidden something, and another is to do it
        if len(told) == 1 and before and text[: found.start()].strip() != told[0][0]:
            first = before[0]
            said = text[: first.start()] + who + text[first.end() : found.start()]
            return said + text[found.end() :]
    return text


def _forbids(said: str) -> bool:
    return not NEGATIONS.isdisjoint(token.text for token in tokenize(said))
