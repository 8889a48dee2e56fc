"""How often something is to be done, for how long, and at which times alone: no goal holds any of it.

By when something is to be done is another matter (``deadlines.py``): that is done all the same, and told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.negation import negatives, negators

END = r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|but|then|or|please|first|too|from|until|till|at|in|on)\b)"
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
PART_OF_DAY = r"(?:morning|noon|afternoon|evening|night)"
PERIOD = rf"(?:minute|hour|day|week|weekday|weekend|month|year|shift|{PART_OF_DAY}|{WEEKDAY})"
HOUR = (
    r"(?:(?:half|quarter)[ -](?:past|to) \w+|noon|midnight|midday|dawn|dusk|sunrise|sunset|nightfall"
    r"|lunch(?:time)?|dinner|breakfast)"
)
_DARK = r"(?:dark|daylight|hours|work)"
_COUNT = r"(?:\d+|two|three|four|five|six|ten|several|many|few|couple of)"
REPEATED = re.compile(
    rf"\b(?:every|each)(?: (?:single|other|half|{_COUNT}))? (?:{PERIOD}s?|time)\b(?!['’])"
    r"|\bevery (?:so often|now and (?:then|again)|once in a while)\b"
    rf"|\b(?:once|twice|thrice|{_COUNT} times) (?:an?|per|every|each) {PERIOD}\b"
    rf"|\b(?:on|at|during|of) (?:the )?(?:{PERIOD}s|working days)\b{END}"
    r"|\b(?:from time to time|now and (?:then|again)|(?:a)?round the clock|day and night|night and day"
    r"|at (?:all times|regular intervals)|as often as|on the hour|24/7|regularly|periodically)\b"
    rf"|\b(?:continu(?:ous|al)ly|constantly|hourly|daily|nightly|weekly|monthly|yearly)\b{END}",
    re.IGNORECASE,
)
_LASTING = re.compile(
    rf"\b(?:all|the (?:whole|entire)|(?:for )?the rest of (?:the|your)) {PERIOD}(?: long)?\b{END}",
    re.IGNORECASE,
)
FOR_SO_LONG = re.compile(
    r"\bfor (?:(?:about|around|at least|at most|up to|another|a good) )?"
    rf"(?:(?:an?|half an|a quarter of an|a (?:good|full|whole|few)|{_COUNT}|\w+teen|\w+ty) "
    rf"(?:{PERIOD}|second|min|sec)s?)(?<!\ba minute)(?<!\ba second)(?<!\ba sec)\b",
    re.IGNORECASE,
)
"""``For a minute`` is said of anything that is soon done."""
ONLY_THEN = re.compile(
    r"\b(?:only|just|solely|exclusively|never|not|except|but|unless) "
    rf"(?:at|on|in|by|during|over|before|after|between) (?:the )?(?:{HOUR}|{PERIOD}s?|{_DARK})\b{END}",
    re.IGNORECASE,
)
_AT_HOUR = re.compile(rf"\b(?:at|around|about) {HOUR}\b{END}", re.IGNORECASE)
_UNTIL = re.compile(r"(?:\buntil|\btill|['’]til)\b(?: [^\s.,;:!?]+){1,3}", re.IGNORECASE)
_STAYING = re.compile(
    r"\b(?:wait|stay|remain|stand|park|hold|keep|hang|leave|off|out|away|closed|ban\w*)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:I|we|they|he|she|people|somebody|everybody|who|that|which|was|were|been)\b"
)
"""What is done that often by others is no order."""


_ALWAYS = re.compile(r"(?:at )?(?:all|every|any) times?", re.IGNORECASE)
"""What is never to be done is to be left so all along."""


def when_alone(held: Held) -> Iterator[str]:
    """Yield how often, how long or when alone a text wants something done."""
    for pattern in (REPEATED, _LASTING, FOR_SO_LONG, ONLY_THEN, _AT_HOUR):
        for said in pattern.finditer(held.text):
            clause = re.split(r"[.;!?\n,]", held.text[: said.start()])[-1]
            stays = pattern is _LASTING and _STAYING.search(clause)
            always = _ALWAYS.fullmatch(said[0].strip()) and any(negatives(held.meaning))
            told = _TELLING.search(clause) or held.only_tells(said.start())
            if not (stays or always or told):
                yield said[0].strip()
    if negators(held.text) or any(negatives(held.meaning)) or _STAYING.search(held.text):
        return
    for said in _UNTIL.finditer(held.text):
        yield said[0]
