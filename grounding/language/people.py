"""People that a text names by what they are to the speaker: ``Grandpa can't find it`` says that he can't.

Readers know by pronouns that somebody only tells something, or for whom something is done.
"""

from __future__ import annotations

import re

_ONE = (
    r"grand(?:pa|ad|dad|father|ma|mother)|gran(?:ny)?|dad(?:dy)?|father|papa|mum(?:my)?|mom(?:my)?|mother"
    r"|mama|(?:older |younger |little |big )?(?:brother|sister)|wife|husband|aunt(?:ie)?|uncle|daughter"
    r"|cousin|nephew|niece|neighbou?r|boyfriend|girlfriend|flatmate"
)
_MANY = (
    r"(?:grand)?(?:children|kids|parents)|little ones|guests|visitors|neighbou?rs|in-laws|boys|girls|twins"
    r"|brothers|sisters|cousins"
)
_OWN = r"(?:my|our|your|his|her|their)"
_WHO = re.compile(
    rf"\b(?:(?:{_OWN}\s+|(?<!\ba\s)(?<!\bthe\s))(?P<one>{_ONE})|(?:{_OWN}|the)\s+(?P<many>{_MANY}))(?P<s>['’]s?)?(?![\w'’])",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:^|[.,;:!?–—-]|\b(?:and|but|because|since|as|so|when|where|if|that|while))\s*$", re.I
)
_GOES_ON = re.compile(
    r"\s+(?:\w+ing\b|\w+ed\b|(?:in|on|at|up|down|out|off|back|here|there|home|away|not|been|got|gone|had|a|an|the|so"
    r"|too|very|all|just|only|already|always|never|now|still|about|after|to)\b)",
    re.IGNORECASE,
)
"""What follows the ``'s`` of ``is`` and ``has``, and hardly what somebody owns."""


def by_pronouns(text: str) -> str:
    """Return a text in which people have pronouns: he, him, his, they, them, their."""

    def said(found: re.Match[str]) -> str:
        he, him, his = ("he", "him", "his") if found["one"] else ("they", "them", "their")
        behind = text[found.end() :]
        begins = _BEGINS.search(text[: found.start()]) is not None
        if found["s"]:
            return f"{he}'s" if begins and _GOES_ON.match(behind) else his
        return he if begins and re.match(r"\s+[a-z]", behind) else him

    return _WHO.sub(said, text)
