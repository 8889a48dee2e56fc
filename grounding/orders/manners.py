"""Manners: which ways of doing something change nothing about what must hold in the end."""

from __future__ import annotations

import re

from commonground.grounding.words.nouns import word_set

_HASTE_AND_CARE = word_set(
    "quick quickly fast swiftly speedily promptly immediately now soon asap straight right away "
    "directly urgently hurry haste careful carefully cautiously gently safely safe safety slow slowly "
    "calmly quietly softly nice "
    "closely thoroughly properly well briefly care caution great time own leisure rush "
    "real really very good best please arm gripper claw"
)
_BETWEEN = word_set(
    "a able and as at be can could convenient do go if in is it its might of once possible so still "
    "take taking that the this to was when whenever will with you your yourself"
)


def is_harmless(words: str) -> bool:
    """Return whether a manner only asks for haste or care; a time limit or a ban is more than that."""
    spoken = re.findall(r"[\w']+", words.lower())
    known = _HASTE_AND_CARE | _BETWEEN
    return bool(_HASTE_AND_CARE.intersection(spoken)) and known.issuperset(spoken)
