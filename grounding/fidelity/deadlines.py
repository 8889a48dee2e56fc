"""When something is to be done, and how long somebody stays: no goal holds that, so it is said back.

Who stays or holds something ``until the driver comes`` does so in the end, whoever ends it, and who is to be
somewhere ``at six`` is there in the end. What puts off, and what a robot brings about, is an order and stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from commonground.grounding.english.reader import MAX_CHARACTERS

_OF_DAY = r"(?:o['’]clock|thirty|fifteen|sharp|am|pm|tonight|today)"
_HOUR = (
    r"(?:noon|midnight|midday|dawn|dusk|sunrise|sunset|nightfall|lunch(?:time)?|dinner|breakfast"
    r"|\d{1,2}[:.h]\d{2}(?:\s*(?:am|pm|hrs?|h))?|\d{3,4}\s*(?:hours|hrs)|\d{1,2}\s*(?:am|pm|o['’]clock)"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    rf"(?:\s+{_OF_DAY}|(?<!\bone)(?=\s*(?:[.,;!?)]|$|(?:and|but)\b))))"
)
_DEADLINE = re.compile(
    rf",?\s*\b(?:by|before|no later than)\s+(?:about\s+|around\s+)?{_HOUR}(?:\s+(?:sharp|today|tonight))?",
    re.IGNORECASE,
)
_AT = re.compile(
    rf",?\s*\bat\s+(?:about\s+|around\s+)?{_HOUR}(?:\s+(?:sharp|today|tonight))?", re.IGNORECASE
)
_LATER = re.compile(
    r",?\s*\b(?:(?:tomorrow|this)\s+(?:morning|afternoon|evening|night)|tomorrow|tonight"
    r"|in\s+(?:about\s+|around\s+)?(?:an?|half an|\d{1,3}|two|three|four|five|ten|fifteen|twenty|thirty|a few"
    r"|a couple of)\s+(?:hour|minute|min|second|day)s?(?:\s+from\s+now)?)\b(?!['’]s)",
    re.IGNORECASE,
)
"""Times at which something is to be done; where something was done then, they tell which."""
_WAS = re.compile(r"\b(?:was|were|had|has|have|did|saw|(?!need)\w+ed)\b|['’]ve\b", re.IGNORECASE)
_BEING = re.compile(r"\b(?:be|standing|sitting|waiting|parked|stay)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\s*(?:(?:and|because|as|since|for|so)\s+)?(?:we|they|he|she|(?:the|a|an|my|our|his|her|their)\s+\w+\s+\w+(?:s|ed))\b",
    re.IGNORECASE,
)
"""Who does something that is no order: ``they're leaving``, ``the inspector starts``."""
_LASTING = re.compile(
    r"(?P<stays>\b(?:wait|stay|remain|stand|park|hold|keep|hang|budge|move)\w*\b[^.;!?\n]*?)"
    r"(?P<until>\s+(?:until|till|'til)\s+(?P<who>(?:i|we|they|he|she|some\w+|(?:the|a|an|our|my|his|her|their)\s+\w+)\b"
    r"(?:(?!\b(?:then|and|but|so)\b)[^.;!?,\n])*))",
    re.IGNORECASE,
)
"""Staying or holding, and what somebody else ends it with."""
_PUT_OFF = re.compile(r"\b(?:not|never|no|out|off|away|clear)\b|n't\b", re.IGNORECASE)
_BUDGING = re.compile(r"\b(?:not|never|n't|dont)\s+(?:ever\s+)?(?:budge|move)", re.IGNORECASE)


def undated(text: str, robots: Collection[str] = ()) -> tuple[str, list[str]]:
    """Return a text of the same length with blanks for its times, and those."""
    if len(text) > MAX_CHARACTERS:
        return text, []  # that is not read at all
    spans = [match.span() for match in _DEADLINE.finditer(text)]
    spans += [m.span() for m in _AT.finditer(text) if _is_time(text, m.start())]
    spans += [*_put_off(text, spans)]
    spans += [m.span("until") for m in _LASTING.finditer(text) if _is_others(m, robots)]
    found = [text[start:end].strip(" ,") for start, end in sorted(spans)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text, found


def _is_time(text: str, at: int) -> bool:
    """Return whether somebody is to be somewhere at a number, or others do something then."""
    clause = re.split(r"[.;!?,\n]", text[:at])[-1]
    return bool(_BEING.search(_sentence(text, at)) or _OTHERS.match(clause))


def _put_off(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield other times at which something is to be done; not those at which something was."""
    for later in _LATER.finditer(text):
        said = any(start < later.end() and later.start() < end for start, end in spans)
        if not said and not _WAS.search(_sentence(text, later.start())):
            yield later.span()


def _sentence(text: str, at: int) -> str:
    """Return the sentence of a place in a text."""
    return re.split(r"[.;!?\n]", text[:at])[-1] + re.split(r"[.;!?\n]", text[at:])[0]


def _is_others(lasting: re.Match[str], robots: Collection[str]) -> bool:
    """Return whether staying ends by what no robot does, and is not forbidden until then."""
    before = lasting.string[: lasting.start("until")]
    clause = re.split(r"[.;!?\n,]", before)[-1]
    forbids = _PUT_OFF.search(_BUDGING.sub("", clause)) is not None
    words = {word.casefold() for word in re.findall(r"\w+", lasting["until"])}
    return not forbids and words.isdisjoint({*map(str.casefold, robots), "robot", "robots", "you"})
