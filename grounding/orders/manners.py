"""Manners: which ways of doing something change nothing about what must hold in the end.

At the end of a clause nobody need read them: ``at your best speed``, ``with all due care``.
"""

from __future__ import annotations

import re

from commonground.grounding.words.nouns import word_set

_HASTE_AND_CARE = word_set(
    "quick quickly fast swiftly speedily promptly immediately now soon asap straight right away "
    "directly urgently hurry haste careful carefully cautiously gently safely safe safety slow slowly "
    "calmly quietly softly nice speed pace double delay ado "
    "closely thoroughly properly well briefly care caution great time own leisure rush "
    "real really very good best please arm gripper claw"
)
_BETWEEN = word_set(
    "a able all an any and as at be can carry could convenient do due extreme full further go greatest if in "
    "is it its legs might more much of on once possible so still take taking that the this to top utmost was "
    "wheels when whenever will with without you your yourself"
)
_ADVERBIAL = re.compile(
    r"[\s,]*\b(?:(?:with|without|at|in|on)\s+(?:[a-z]+\s+){0,4}?(?:speed|pace|haste|care|caution|delay|ado|double|own(?:\s+good)?\s+time)"
    r"|as\s+(?:fast|quick(?:ly)?|swiftly|carefully|gently|slowly)\s+as\s+[^.,;:!?]+?)"
    r"(?=\s*(?:[.,;:!?]|$)|\s+(?:and|then|but|please)\b)",
    re.IGNORECASE,
)
_BEING = re.compile(r"(?:\b(?:am|is|are|be|was|were)|['’](?:m|s|re))$", re.IGNORECASE)


def is_harmless(words: str) -> bool:
    """Return whether a manner only asks for haste or care; a time limit or a ban is more than that."""
    spoken = re.findall(r"[\w']+", words.lower())
    known = _HASTE_AND_CARE | _BETWEEN
    return bool(_HASTE_AND_CARE.intersection(spoken)) and known.issuperset(spoken)


def unhurried(text: str) -> tuple[str, list[str]]:
    """Return a text without the adverbials that only ask for haste or care, and those."""
    said: list[str] = []

    def aside(found: re.Match[str]) -> str:
        words = found[0].strip(" ,")
        rest = text[: found.start()] + text[found.end() :]
        if _BEING.search(text[: found.start()]) or not (is_harmless(words) and _is_said(rest)):
            return found[0]
        said.append(words)
        return ""

    return _ADVERBIAL.sub(aside, text), said


def _is_said(text: str) -> bool:
    return any(map(str.isalpha, text))
