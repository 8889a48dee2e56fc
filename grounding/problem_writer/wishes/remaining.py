"""Some of a kind that are to stay as they are: ``all but one of the cups``, ``the cups, but leave one``.

Readers know how many are meant, and not how many are not: the number of the others is said instead.
"""

from __future__ import annotations

import re

from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.numbers import count_of

_FEW = r"(?P<few>one|two|three|four|\d)"
_NOUN = r"(?P<noun>[a-z]+(?:\s(?!but\b|except\b|in\b|on\b|at\b|to\b)[a-z]+)??)"
_ALL = r"\b(?:all\s+(?:of\s+)?(?:the|my|our|your|these|those)|the|all)\s+"
_BUT = r"(?:but|except(?:\s+for)?|save)"
_ALL_BUT = re.compile(
    rf"\ball\s+{_BUT}\s+{_FEW}\s+(?:of\s+)?(?:the\s+|my\s+|our\s+|your\s+)?{_NOUN}\b", re.IGNORECASE
)
_LESS = re.compile(
    rf"{_ALL}{_NOUN}\s*,?\s+{_BUT}\s+{_FEW}\b(?!\s+(?:of|on|in|at|by|per|each|more)\b)",
    re.IGNORECASE,
)
_LEAVING = re.compile(
    rf"{_ALL}{_NOUN}\b(?P<rest>[^.;:!?]*?)\s*[,;–—-]*\s+(?:but|and|though|yet)\s+(?:please\s+|just\s+)*"
    rf"(?:leave|keep|save|spare)\s+(?:just\s+|only\s+)?{_FEW}(?:\s+of\s+(?:them|those|these))?"
    r"(?P<place>\s+(?:in|on|at)\s+(?:the|my|our|your)\s[^.,;:!?]+)?"
    r"(?:\s+(?:where\s+(?:it|they)\s+(?:is|are)|as\s+(?:it|they)\s+(?:is|are)|behind|alone|there|out))?(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)


def remaining(text: str, home: Home) -> str:
    """Return a command that says of how many something is asked where it says of how many it is not."""
    text = _LEAVING.sub(lambda found: _others(found, home), text)
    for way in (_ALL_BUT, _LESS):
        text = way.sub(lambda found: _of_them(found, home) or found[0], text)
    return text


def _others(found: re.Match[str], home: Home) -> str:
    """Return what becomes of the others, and where the few are to be if that is said."""
    others = _of_them(found, home)
    if not others:
        return found[0]
    there = (
        f" and put {found['few']} of the {found['noun']}{found['place']}" if found["place"] else ""
    )
    return f"{others}{found['rest']}{there}"


def _of_them(found: re.Match[str], home: Home) -> str:
    """Return ``3 of the cups`` for all but a few; nothing where there are no others."""
    noun = home.nouns.named(found["noun"])
    many = len(home.things(sorted(noun.types))) if noun is not None else 0
    if found.re is _LESS and found[0].lower().startswith("the") and found["noun"][-1] not in "sS":
        return ""  # "the foils in the cupboard but one": of one thing nothing is left
    others = many - (count_of(found["few"].lower()) or 0)
    return f"{others} of the {found['noun']}" if 0 < others < many else ""
