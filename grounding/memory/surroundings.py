"""How it is all around, told with an ``it`` that stands for nothing: ``it was getting gloomy in here``.

Readers take such an ``it`` for what was spoken of last. Nothing of a clause like this is remembered.
"""

from __future__ import annotations

import re

_WEATHER = r"(?:raining|snowing|pouring|hailing|drizzling)"
_LIGHT = r"(?:dark|gloomy|dim|murky|bright|stuffy|muggy|smoky|dusty|noisy|crowded|cramped)"
_WARMTH = (
    r"(?:cold|chilly|freezing|cool|hot|boiling|warm|mild|sticky|humid|damp|dr(?:a|au)ughty|breezy|windy|stormy"
    r"|wet|rainy|foggy|misty|cloudy|sunny|snowy|icy|loud|late)"
)
"""``Hot in there`` may be said of the oven that was just spoken of; ``hot in here`` is not."""
_HERE = r"(?:\s+(?:(?:up|down|over|out|back)\s+)?(?:in\s+)?here|\s+(?:out\s+there|outside|outdoors|indoors))"
_THERE = rf"(?:{_HERE}|\s+(?:(?:up|down|over|back)\s+)?(?:in\s+)?there)"
_WHEN = r"(?:\s+(?:now|already|today|tonight|again|this\s+(?:morning|afternoon|evening)))"
_TURNING = r"(?:getting|growing|turning|becoming)"
_CLAUSE = re.compile(
    r"(?P<joint>^\s*|[,;:.!?–—-]\s*|\s)(?:(?:because|cos|'cause|since|as|and|but|so|though|although|for)\s+)?"
    r"\bit(?:['’]s|\s+(?:is|was|has\s+been|had\s+been|gets|got|feels|felt|looks|looked|seems|seemed))\s+"
    r"(?:(?:so|very|too|really|quite|rather|pretty|awfully|a\s+bit|a\s+little|far|still|all|already|just|pitch)\s+)*"
    rf"(?:{_WEATHER}{_HERE}?|(?:{_TURNING}\s+)?(?:{_LIGHT}{_THERE}|{_WARMTH}{_HERE})"
    rf"|{_TURNING}\s+(?:late|dark|light|\w+{_HERE}))"
    rf"{_WHEN}*(?=\s*(?:[,;:.!?–—]|$))",
    re.IGNORECASE,
)  # fmt: skip
_LEADING = re.compile(r"^[\s,;:.!?–—-]+(?:(?:so|and|but)\s+)?", re.IGNORECASE)
_ENDED = re.compile(r"([.!?])\s*[.!?]+")


def without_surroundings(text: str) -> str:
    """Return a text without the clauses that tell only how it is all around; it may be empty."""
    rest = _CLAUSE.sub(lambda found: found["joint"].strip(" ,;:–—-"), text)
    return text if rest == text else _LEADING.sub("", _ENDED.sub(r"\1", rest)).rstrip(" ,;:–—-")
