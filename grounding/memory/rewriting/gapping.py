"""Writes out what an owner has where it is not said again: ``Bo's mug is here, Ann's on the desk``.

What was named last is meant; read as it stands, Ann would be on the desk.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.words.nouns import word_set

_NAME = r"[^\W\d_]+"
_OWNERS = "mine|hers|ours|theirs"
_ITS = {"mine": "my", "hers": "her", "ours": "our", "theirs": "their"}
_OWNED = re.compile(
    rf"\b(?:(?P<owner>(?:{_NAME} )?{_NAME})(?P<own>['’]s)|(?P<whose>{_OWNERS}))"
    r"(?=(?P<after>\s+[^\W\d_]+(?:['’]t)?|\s*[,.;:!?]|\s*$))",
    re.I,
)
_FINITE = word_set(
    "is are was were has will would can could does did keeps keep stays stay rings needs too as"
)
"""What follows an owner of what is not named again; ``Ann's been``, ``Ann's in`` tell of Ann."""
_AT_HIS = word_set("in into to at from")
"""``at Ann's`` is where Ann lives, ``into Ann's`` into her hands."""


def repeated(
    text: str,
    noun_in: Callable[[str, str], str],
    is_owner: Callable[[str], bool],
    lies_there: Callable[[str], bool],
) -> str:
    """Return a text with the nouns and verbs that it does not say again.

    ``noun_in`` returns the noun of what a text named last that an owner, or a room, may have; ``lies_there``
    tells words for where only things are: ``Ann's on the desk`` is then no longer about Ann.
    """
    made, end = "", 0
    for found in _OWNED.finditer(text):
        before = made + text[end : found.start()]
        there = re.match(r"\s+(?:in|on|at) [^,.;:!?]+", text[found.end() :])
        lies = there is not None and bool(before) and lies_there(there[0])
        written = _written(found, before, noun_in, is_owner, lies=lies)
        made = before + (written or found[0])
        end = found.end()
    return made + text[end:]


def _written(
    found: re.Match[str],
    before: str,
    noun_in: Callable[[str, str], str],
    is_owner: Callable[[str], bool],
    *,
    lies: bool,
) -> str:
    """Return an owner with what he owns; empty where nothing is left out."""
    after = found["after"].strip().lower()
    owner = found["owner"] or ""
    goes_on = lies or not after[:1].isalpha() or after in _FINITE or after.endswith(("n't", "n’t"))
    if not _AT_HIS.isdisjoint(w.lower() for w in (*before.split()[-1:], *owner.split()[:-1])):
        return ""
    named = next(filter(is_owner, [owner, *owner.split()[-1:]]), "")
    noun = noun_in(before, named) if goes_on and (found["whose"] or named) else ""
    lead = f"{owner}{found['own']}" if owner else _ITS[found["whose"].lower()]
    return f"{lead} {noun}" if noun else ""
