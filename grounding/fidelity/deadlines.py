"""When something is to be done, and how long somebody stays: no goal holds that, so it is said back.

Who stays or holds something ``until the driver comes`` does so in the end, whoever ends it, and who is to be
somewhere ``at six`` is there in the end. What puts off, and what a robot brings about, is an order and stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.times import END, HOUR, PART_OF_DAY, PERIOD, WEEKDAY
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.tokens import tokenize

_OF_DAY = r"(?:o['’]clock|thirty|fifteen|sharp|am|pm|tonight|today)"
_HOUR = (
    rf"(?:{HOUR}"
    r"|\d{1,2}[:.h]\d{2}(?:\s*(?:am|pm|hrs?|h))?|\d{3,4}\s*(?:hours|hrs)|\d{1,2}\s*(?:am|pm|o['’]clock)"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    rf"(?:\s+{_OF_DAY}|(?<!\bone)(?=\s*(?:[.,;!?)]|$|(?:and|but)\b))))"
)
_DEADLINE = re.compile(
    rf",?\s*\b(?:by|before|no later than)\s+(?:about\s+|around\s+)?{_HOUR}(?:\s+(?:sharp|today|tonight))?",
    re.IGNORECASE,
)
_AT = re.compile(
    rf",?\s*\bat\s+(?:about\s+|around\s+)?(?:{_HOUR}|(?P<plain>\d{{1,2}})(?=\s*(?:[.,;!?)]|$|(?:and|but)\b)))"
    r"(?:\s+(?:sharp|today|tonight))?",
    re.IGNORECASE,
)
LATER = re.compile(
    r",?\s*(?<!only )(?<!just )(?<!except )(?<!until )(?<!till )\b(?:(?:"
    r"(?:tomorrow|this)\s+(?:morning|afternoon|evening|night)|tomorrow|tonight"
    r"|in\s+(?:about\s+|around\s+)?(?:an?|half an|\d{1,3}|two|three|four|five|ten|fifteen|twenty|thirty|a few"
    r"|a couple of)\s+(?:hour|minute|min|second|day)s?(?:\s+from\s+now)?)\b(?!['’]s)"
    r"|(?<!not )(?:at\s+night|overnight|later(?:\s+(?:on|today))?"
    rf"|in\s+the\s+{PART_OF_DAY}|during\s+the\s+{PERIOD}|(?:over|at)\s+the\s+weekend"
    rf"|during\s+(?:opening|closing|office|business|working|visiting)\s+hours|(?:next|this|on|this\s+coming)\s+{WEEKDAY}"
    rf"(?:\s+{PART_OF_DAY})?|next\s+(?:week|month|weekend)|(?:before|after)\s+(?:dark|hours|{HOUR})){END})",
    re.IGNORECASE,
)
"""Times at which something is to be done; where something was done then, they tell which."""
_EVENT = (
    r"(?:opening|closing|start|kick-?off|lunch(?:time|break)?|dinner|breakfast|supper|tea|trip|tour|visit|show|concert"
    r"|gig|play|performance|rehearsal|fair|festival|market|party|wedding|ceremony|parade|match|game|race|meeting"
    r"|inspection|audit|exam|lesson|class|lecture|conference|shift|break|rush|storm|rain|frost|weekend|week|holidays?"
    r"|season|term|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_OVER = (
    r"(?:closing|opening|lunch(?:time)?|dinner|breakfast|supper|tea|school|work|concert|gig|show|rain|storm|rush"
    r"|wedding|ceremony|parade|match|meeting)"
)
"""What nobody here does, and what somebody may wait out."""
_BEFORE = re.compile(
    r",?\s*\b(?:(?:before|in time for|ahead of)\s+"
    r"(?:(?:the|our|my|his|her|their|this|next|(?:today|tomorrow|\w+day)['’]s)\s+)?"
    rf"(?:\w+\s+){{0,2}}?(?P<event>{_EVENT})|after\s+(?:the\s+|our\s+|my\s+)?(?P<over>{_OVER}))(?:\s+(?:on\s+\w+day|tomorrow|tonight|today))?"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|but|I|we|you|please)\b)",
    re.IGNORECASE,
)
"""What something is to be done before that only comes, and that nobody does."""
_WHO = (
    r"(?:I|we|they|he|she|everyone|everybody|people|somebody|someone"
    r"|(?:the|a|an|my|our|his|her|their|all)\s+(?:\w+\s+){0,2}?\w+)"
)
_HAPPENS = (
    r"(?:(?:arrive|strike|ring|toll|come|get|turn|show|pull|open|close|shut|start|begin|leave|return|finish|end|land|wake|move|kick"
    r"|knock|go|drop|pour|flood|drive|sit|land)(?:e?s)?|(?:is|are|am|gets?|has|have|will|'s|'re|'m|'ve|’s|’re|’ve)\s+\w+)"
)
_BEFALLS = (
    r"(?:it|they|that)\s+(?:gets?|(?:is|are)(?:\s+all)?)\s+"
    r"(?P<befallen>\w+(?:ed|en|ne|wn)|lost|wet|hurt|cold|dark|hot|dirty)"
)
"""What befalls a thing: ``before it gets broken``; where it is then tells nothing of that."""
_OTHERS_DO = re.compile(
    rf",?\s*\b(?P<when>before|by the time|when)\s+"
    rf"(?P<what>(?:(?P<who>{_WHO})(?:\s+|(?=['’])){_HAPPENS}|{_BEFALLS})\b"
    r"(?:(?!\b(?:then|and|but|so)\b)[^.;!?,\n])*)",
    re.IGNORECASE,
)
"""What others do by then: ``before the doors open``."""
_TIME_ENDED = re.compile(
    r"\b(?:end|finish)(?:es|s)?(?P<time>\s+(?:the|your|its|his|her|their|this)\s+"
    r"(?:day|evening|afternoon|morning|night|shift|week))(?=\s+(?:in|at|by|on|near|with)\b)",
    re.IGNORECASE,
)
"""``end the day in the barn`` is to end there."""
_WAS = re.compile(r"\b(?:was|were|had|has|have|did|saw|(?!need)\w+ed)\b|['’]ve\b", re.IGNORECASE)
_BEING = re.compile(
    r"\b(?:be|been|standing|sitting|waiting|parked|stationed|holding|stay)\b", re.IGNORECASE
)
_GETTING = frozenset(["get", "gets", "got"])
"""Of others these say that they come, or that something happens."""
_ORDERED = LOOKING | {"EXPLORE", "PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT"}
_VISITED = re.compile(r"\b(?:visited|passed|reached)\b", re.IGNORECASE)
"""What robots may be told to do before: ``before the rock gets inspected``."""
_IS_AT = re.compile(r"\b(?:be|is|standing|sitting|waiting|parked|stay)$", re.IGNORECASE)
"""Before ``at 5`` these make it a place."""
_OTHERS = re.compile(
    r"\s*(?:(?:and|because|as|since|for|so)\s+)?(?:we|they|he|she|(?:the|a|an|my|our|his|her|their)\s+\w+\s+\w+(?:s|ed))\b",
    re.IGNORECASE,
)
"""Who does something that is no order: ``they're leaving``, ``the inspector starts``."""
_LASTING = re.compile(
    r"(?P<stays>\b(?:wait|stay|remain|stand|sit|park|hold|keep|hang|budge|move)\w*\b[^.;!?\n]*?)"
    rf"(?P<until>\s+(?:(?:all|the\s+whole)\s+{PERIOD}|(?:until|till|'til)\s+(?P<who>(?:{HOUR}|{WEEKDAY}|tomorrow"
    r"|i|we|they|he|she|further|told|otherwise|(?:some|every)\w+|people|(?:the|a|an|our|my|his|her|their)\s+\w+)\b"
    r"(?:(?!\b(?:then|and|but|so)\b)[^.;!?,\n])*)))",
    re.IGNORECASE,
)
"""Staying or holding, and what somebody else ends it with."""
_PUT_OFF = re.compile(
    r"\b(?:not|never|no|nobody|none|neither|nor|nothing|nowhere|cannot|dont|without|out|off|away|clear)\b|n['’]t\b",
    re.IGNORECASE,
)
_BUDGING = re.compile(r"\b(?:not|never|n't|dont)\s+(?:ever\s+)?(?:budge|move)", re.IGNORECASE)


def undated(
    text: str, robots: Collection[str] = (), is_known: Callable[[str], bool] = lambda _: False
) -> tuple[str, list[str]]:
    """Return a text of the same length with blanks for its times, and those; no time is known to a map."""
    if len(text) > MAX_CHARACTERS:
        return text, []  # that is not read at all
    spans = [match.span() for match in _DEADLINE.finditer(text)]
    spans += [m.span() for m in _AT.finditer(text) if _is_time(m)]
    spans += [m.span() for m in _BEFORE.finditer(text) if _is_event(m, is_known)]
    spans += [m.span() for m in _OTHERS_DO.finditer(text) if _is_by_then(m, robots)]
    spans += [m.span("time") for m in _TIME_ENDED.finditer(text)]
    spans += [*_put_off(text, spans)]
    spans += [m.span("until") for m in _LASTING.finditer(text) if _is_others(m, robots)]
    found = [text[start:end].strip(" ,") for start, end in sorted({*spans})]
    return blanked(text, spans), found


def _is_event(before: re.Match[str], is_known: Callable[[str], bool]) -> bool:
    """Return whether something is to be done before what only comes."""
    return not (before["event"] and is_known(before["event"])) and not _forbids(
        before.string, before.start()
    )


def _is_time(hour: re.Match[str]) -> bool:
    """Return whether somebody is to be somewhere at a number, or others do something then."""
    text, at = hour.string, hour.start()
    if hour["plain"] and _IS_AT.search(text[:at]):
        return False
    clause, rest = re.split(r"[.;!?,\n]", text[:at])[-1], re.split(r"[.;!?,\n]", text[at:])[0]
    return bool(_BEING.search(clause + rest) or _OTHERS.match(clause))


def _is_by_then(done: re.Match[str], robots: Collection[str]) -> bool:
    """Return whether others do something by when robots are to have done their part, or to be there.

    What is to be done ``when`` others do something is put off; what is to be so then is so in the end.
    """
    text, at = done.string, done.start()
    rest = _sentence(text, at).replace(done[0], " ")
    if done["when"].casefold() == "when" and not _BEING.search(rest):
        return False
    happens = done["befallen"] or done["what"]
    said = (one.words.split()[0] for one in phrases_in(tokenize(happens), _ORDERED))
    ordered = not _GETTING.issuperset(said) or _VISITED.search(happens)
    return not ordered and not _forbids(text, at) and _names_none(done["what"], robots)


def _put_off(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield other times at which something is to be done; not those at which something was."""
    for later in LATER.finditer(text):
        said = any(start < later.end() and later.start() < end for start, end in spans)
        if not said and not _WAS.search(_sentence(text, later.start())):
            yield later.span()


def _sentence(text: str, at: int) -> str:
    """Return the sentence of a place in a text."""
    return re.split(r"[.;!?\n]", text[:at])[-1] + re.split(r"[.;!?\n]", text[at:])[0]


def _is_others(lasting: re.Match[str], robots: Collection[str]) -> bool:
    """Return whether staying ends by what no robot does, and is not forbidden until then."""
    return not _forbids(lasting.string, lasting.start("until")) and _names_none(
        lasting["until"], robots
    )


def _forbids(text: str, at: int) -> bool:
    """Return whether a clause forbids something up to there: then it is only put off."""
    clause = re.split(r"[.;!?\n,]", text[:at])[-1]
    return _PUT_OFF.search(_BUDGING.sub("", clause)) is not None


def _names_none(said: str, robots: Collection[str]) -> bool:
    """Return whether words speak of no robot."""
    words = {word.casefold() for word in re.findall(r"\w+", said)}
    return words.isdisjoint({*map(str.casefold, robots), "robot", "robots", "you"})
