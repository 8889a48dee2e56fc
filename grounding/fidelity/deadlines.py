"""By when something is to be done: no goal holds it, so it is passed over and said back."""

from __future__ import annotations

import re

from commonground.grounding.english.reader import MAX_CHARACTERS

_OF_DAY = r"(?:o['’]clock|thirty|fifteen|sharp|am|pm|tonight|today)"
_HOUR = (
    r"(?:noon|midnight|midday|dawn|dusk|sunrise|sunset|nightfall|lunch(?:time)?|dinner|breakfast"
    r"|\d{1,2}[:.h]\d{2}(?:\s*(?:am|pm|hrs?|h))?|\d{3,4}\s*(?:hours|hrs)|\d{1,2}\s*(?:am|pm|o['’]clock)"
    rf"|one\s+{_OF_DAY}|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    rf"(?:\s+{_OF_DAY})?(?=\s*(?:[.,;!?)]|$)))"
)
_DEADLINE = re.compile(
    rf",?\s*\b(?:by|before|no later than)\s+(?:about\s+|around\s+)?{_HOUR}(?:\s+(?:sharp|today|tonight))?",
    re.IGNORECASE,
)


def undated(text: str) -> tuple[str, list[str]]:
    """Return a text of the same length with blanks for its deadlines, and those."""
    if len(text) > MAX_CHARACTERS:
        return text, []  # that is not read at all
    found = [match[0].strip(" ,") for match in _DEADLINE.finditer(text)]
    return _DEADLINE.sub(lambda match: " " * len(match[0]), text), found
