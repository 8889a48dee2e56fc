"""What a command only says by contrast: ``the cup, not the mug`` has nothing done with the mug."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.account import Accounts

_OWN = r"(?:the|an?|my|your|our|his|her|their|that|this)"
_PLACE = r"(?:in|on|at|into|onto|to|with|by|from|for|under)"
_NOT = re.compile(
    rf"(?:,\s*(?:and\s+|but\s+)?not|,?\s*\b(?:rather\s+than|instead\s+of|as\s+opposed\s+to))\s+(?:{_PLACE}\s+)?"
    rf"(?P<what>{_OWN}\s(?:(?!\s(?:and|then|but)\b)[^,.;:!?]){{1,80}})",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!['’]s)(?<!,)\s+not\s+(?:{_PLACE}\s+)?"
    rf"(?P<what>{_OWN}\s[a-z]+(?:\s[a-z]+)?)(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
"""``in the mug not the cup``: without a mark before it, it has to end there."""
_NAMED = rf"{_OWN}\s+[a-z]+(?:\s+(?!(?:{_PLACE[3:-1]}|but|and|or|nor)\b)[a-z]+){{0,2}}"
_BUT = re.compile(
    r"\b(?:neither|not|(?:do\s?n['’o]?t|do\s+not|never)\s+(?P<verb>[a-z]+(?:\s(?:up|down|on|off|out))?))\s+"
    rf"(?P<denied>{_NAMED}(?:,?\s+nor\s+{_NAMED})*)(?P<place>(?:\s+{_PLACE}\s+{_NAMED})?)"
    rf"\s*,?\s+but\s+(?:rather\s+)?(?P<asked>(?P<into>{_PLACE}\s+)?{_NAMED})"
    rf"(?=\s*(?:[.,;:!?]|$|\s{_PLACE}\b))",
    re.IGNORECASE,
)
"""``neither the milk nor the bread in the fridge but the knife``, ``don't put it there but on the shelf``."""
_AMENDED = re.compile(
    rf"(?:(?<=^)|(?<=[.;:!?]\s))not\s+(?P<what>{_NAMED})\s*,\s*(?=(?:{_PLACE}\s+)?{_OWN}\s)",
    re.IGNORECASE,
)
"""``not the egg, the apple goes in the bowl``."""
_FIRST = re.compile(
    rf"(?:(?<=^)|(?<=[.;:!?]\s))(?:instead\s+of|rather\s+than)\s+(?P<what>{_NAMED})\s*,?\s+(?=[a-z]+\s+{_OWN}\s)",
    re.IGNORECASE,
)
"""``instead of the egg put the apple in the bowl``."""
_ELSEWHERE = re.compile(
    rf"\bnot\s+{_PLACE}\s+(?P<what>{_NAMED})\s*,?\s+but\s+(?:rather\s+)?(?={_PLACE}\s)",
    re.IGNORECASE,
)
"""``not in the fridge but on the counter``."""


_WAYS = (_BUT, _AMENDED, _FIRST, _ELSEWHERE, _NOT, _BARE)


def excluded(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what is only named by contrast, where a wish has to do with it all the same."""
    home, text = accounts.home, accounts.text
    touched = {home.type_of(word) for goal in (wish.goal, *wish.before) for word in words_of(goal)}
    for found in (found for way in _WAYS for found in way.finditer(text)):
        start, end = found.span("denied" if "denied" in found.groupdict() else "what")
        inside, outside = set[str](), set[str]()
        for one in accounts.named:
            within = start <= accounts.tokens[one.start].start < end
            (inside if within else outside).update(one.types)
        if touched & inside - outside:
            yield text[start:end]
