"""How it is all around, told with an ``it`` that stands for nothing: ``it was getting gloomy in here``.

Readers take such an ``it`` for what was spoken of last. Nothing of a clause like this is remembered.
"""

from __future__ import annotations

import re

_OF_ALL = r"(?:raining|snowing|pouring|hailing|drizzling|late|early|dark|gloomy)"
_HOW = (
    r"dim|murky|bright|cold|chilly|freezing|cool|hot|boiling|warm|mild|stuffy|muggy|sticky|humid|damp"
    r"|dr(?:a|au)ughty|breezy|windy|stormy|wet|rainy|foggy|misty|cloudy|sunny|snowy|icy|smoky|dusty"
    r"|noisy|loud|crowded|cramped"
)
_HERE = r"(?:\s+(?:up|down|over|out|back)?\s*(?:in\s+)?(?:here|there)|\s+(?:outside|inside|outdoors|indoors))"
_WHEN = r"(?:\s+(?:now|already|today|tonight|again|this\s+(?:morning|afternoon|evening)))"
_TURNING = r"(?:getting|growing|turning|becoming)"
_CLAUSE = re.compile(
    r"(?P<joint>^\s*|[,;:.!?–—-]\s*|\s)(?:(?:because|cos|'cause|since|as|and|but|so|though|although|for)\s+)?"
    r"\bit(?:['’]s|\s+(?:is|was|has\s+been|had\s+been|gets|got|feels|felt|looks|looked|seems|seemed))\s+"
    r"(?:(?:so|very|too|really|quite|rather|pretty|awfully|a\s+bit|a\s+little|far|still|all|already|just|pitch)\s+)*"
    rf"(?:(?:{_TURNING}\s+)?(?:{_OF_ALL}{_HERE}?|(?:{_HOW}){_HERE})|{_TURNING}\s+\w+{_HERE})"
    rf"{_WHEN}*(?=\s*(?:[,;:.!?–—]|$))",
    re.IGNORECASE,
)  # fmt: skip
_LEADING = re.compile(r"^[\s,;:.!?–—-]+(?:(?:so|and|but)\s+)?", re.IGNORECASE)


def without_surroundings(text: str) -> str:
    """Return a text without the clauses that tell only how it is all around; it may be empty."""
    rest = _CLAUSE.sub("", text)
    return text if rest == text else _LEADING.sub("", rest).rstrip(" ,;:–—-")
