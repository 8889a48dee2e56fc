"""More of what was just named, put right in the same breath: ``check one pump. No, both``.

How many are meant takes the place of how many were said.
"""

from __future__ import annotations

import re

from commonground.grounding.language.put_right import HESITATING, TAKING_BACK, Find, whole
from commonground.grounding.meaning import Thing
from commonground.grounding.words.nouns import plural

_BACK = re.compile(rf"\b(?:{TAKING_BACK})\b", re.IGNORECASE)
_MORE = re.compile(
    rf"(?P<cues>[\s,.;:!?…–—-]+(?:(?:{TAKING_BACK}|{HESITATING})\b[\s,.;:!?…–—-]*)+)"
    r"(?P<all>both|all|every(?:\s+single)?\s+one)(?:\s+of\s+(?:them|those))?(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
_FEW = re.compile(
    r"(?:(?:just|only)\s+)?(?:one|an?|any|either)\s+(?P<of>of\s+(?:the|those|these|our)\s+)?(?!of\b)",
    re.IGNORECASE,
)


def more(text: str, find: Find) -> str:
    """Return a text that names both or all where it says so of what it first named one of."""
    for named in (whole(one, text) for one in find(text)):
        said, few = _MORE.match(text, named.end), _FEW.match(text, named.start)
        if said is None or few is None or not isinstance(named.what, Thing):
            continue
        if not _BACK.search(said["cues"]):
            continue
        every = "both" if said["all"].casefold() == "both" else "all the"
        what = text[few.end() : named.end]
        if not few["of"]:
            noun = re.escape(named.what.noun)
            what = re.sub(rf"\b{noun}\b", plural(named.what.noun), what, count=1, flags=re.I)
        return f"{text[: named.start]}{every} {what}{text[said.end() :]}"
    return text
