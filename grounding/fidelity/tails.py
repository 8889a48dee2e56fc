"""Tails: what is said beside what is to be done or is told, and changes it: ``unless she is asleep``.

Readers pass over them: a condition, another time, how often, how much, a doubt, what is spared, and what is
to be done besides that nobody here can do. Households and memory hold none of it, so each is asked about,
unless an answer has to do with it: ``once the mug is washed`` is an order of what is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from commonground.grounding.english.faithful import BACK
from commonground.grounding.fidelity.deadlines import LATER
from commonground.grounding.fidelity.times import END, FOR_SO_LONG, HOUR, ONLY_THEN, REPEATED
from commonground.grounding.words.likeness import may_be_verb
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import rank_of
from commonground.grounding.words.tense import is_past

Kind: TypeAlias = Literal[
    "condition", "event", "later", "often", "share", "spare", "doubt", "deed", "manner", "joined"
]

_REST = r"[^.,;:!?\n()–—]{0,200}"
_OWN = r"(?:the|an?|my|our|your|his|her|their|this|that|these|those|all|both|any)"
_WHO = (
    rf"(?:(?:i|we|you|he|she|it|they|there|everything|some\w+|every\w+|no\s?body|no\s+one|any\w+)\b"
    rf"|{_OWN}\s+\w+|(?-i:[A-Z])\w+)"
)
_POLITE = (
    r"(?:you(?:['’](?:d|ll|ve)|\s+(?:please|would|could|can|will|may|like|want|wish|mind|do\s?n['’]?t\s+mind"
    r"|do\s+not\s+mind|would\s?n['’]?t\s+mind|have|get|know|ask|must|need"
    r"|(?:see|find|spot)\s+(?:it|them|him|her|any)))\b"
    r"|(?:it|that|this)(?:['’]s|\s+is)?(?:\s*n['’]t|\s+not)?\s+(?:too|ok|okay|all\s?right|alright|fine|possible|no|any"
    r"|at\s+all|convenient|asking|a\s+bother)\b|(?:it|that)\s+(?:helps|suits|pleases|would\s+be|would\s?n['’]t\s+be"
    r"|is\s?n['’]t\s+(?:too|any|a)|wo\s?n['’]t\s+be)\b"
    r"|possible|necessary|needed|need\s+be|so\b|not\b|any\b|anything|any(?:one|body)\s+(?:is\s+|['’]s\s+)?"
    r"(?:ask|look|wonder|need|want|care)\w*|you(?:['’]re|\s+are)\s+(?:asking|looking|wondering)"
    r"|i\s+(?:may|might|could|can|must)\b)"
)
"""What follows ``if`` where nothing hangs on it."""
_ASKED = (
    r"(?<!\bas )(?<!\beven )(?<!\bwhat )(?<!\bsee )(?<!\bknow )(?<!\bsure )(?<!\bwonder )(?<!\bask )"
    r"(?<!\bcheck )(?<!\bremember )(?<!\bcare )(?<!\bmind )"
)
_CONDITION = (
    rf"{_ASKED}\b(?:unless|(?:provided|providing|assuming|supposing|given(?=\s+that))(?:\s+that)?(?=\s+{_WHO})|(?:as|so)\s+long\s+as"
    rf"|on\s+condition\s+that|(?:(?:only|and\s+only)\s+)?if(?!\s+(?:only\s+)?{_POLITE})|only\s+when|whenever)"
    rf"\s+(?!you\s+(?:get|have|can|like|want|feel|find|are)\b|(?:it\s+)?(?:suits|convenient|possible)\b){_REST}"
    rf"|(?:^|(?<=[.;!?\n]\s))should\s+(?!(?:i|we|you|robots?)\b)(?:\w+\s+){{1,6}}\w+(?=,)"
)
"""An order turned round begins with its condition: ``should it get cold, ...``."""
_HOURS = rf"(?:{HOUR}|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s+o['’]?clock)?)"
_EVENT = (
    r"(?:\b(?:as\s+)?soon\s+as|\bonce|(?<!\bonly )\bwhen|(?<!\blook )(?<!\blooks )(?<!\blooked )"
    r"(?<!\blooking )\bafter|\bwhile|\bwhilst|\buntil|\btill|['’]til"
    r"|(?<!\bat )\bthe\s+(?:moment|minute|instant|second|day|hour))\s+"
    r"(?!you(?:['’]\w+)?\s+(?:get|have\s+(?:a|the|any|some|time)|can|like|want|feel|find|are|re)\b|you\s?['’](?:ve|re)\b"
    r"|(?:that|this|it)(?:['’]s|\s+(?:is|suits))?\s+(?:done|finished|convenient|possible|you)\b"
    rf"|that\b(?!\s+\w)){_WHO}{_REST}"
    rf"|\b(?:until|till|after)\s+(?:about\s+)?(?:{_HOURS}|supper|tea(?:time)?|school|work|bedtime)\b"
)
_AT = (
    rf"\b(?:around|about|towards?|near)\s+(?:{HOUR}|\d{{1,2}}[:.]\d\d|\w+\s+o['’]?clock){END}|"
    r"\bat\s+(?:about\s+|around\s+)?(?:\d{1,2}(?:[:.]\d\d)?(?:\s*[ap]\.?m\b)?"
    rf"|(?:half\s+past|(?:a\s+)?quarter\s+(?:past|to)|\w+\s+(?:past|to))\s+\w+|{_HOURS})"
    r"(?:\s+(?:this\s+(?:morning|evening|afternoon)|tonight|sharp))?" + END
)
_FROM = r"\bfrom\s+(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next\s+\w+)(?:\s+on(?:wards?)?)?\b"
_TIMES = (
    r"\b(?:twice|thrice|(?:two|three|four|five|several|many|a few|\d+)\s+times|again\s+and\s+again)\b"
    + END
)
_USUAL = (
    r"\b(?:sometimes|usually|normally|generally|often|mostly|as\s+a\s+rule|most\s+of\s+the\s+time"
    r"|now\s+and\s+again|times\s+out\s+of\s+\w+)\b"
)
_SHARE = (
    r"\b(?:only|just)\s+(?:about\s+)?(?:half|a\s+third|a\s+quarter|part(?:ly)?|halfway)\b(?:\s+of\s+\w+(?:\s+\w+)?)?"
    r"|(?:,\s*|\bbut\s+)(?:but\s+)?(?:only|just)\s+(?:a\s+(?:little\s+)?(?:bit|little|part)|some|a\s+few)\b"
    r"(?:\s+of\s+\w+)?"
    r"|\b(?:halfway|half\s+(?:full|way|of\s+(?:it|them)))\b|\bat\s+least\s+(?:the\s+)?\w+\s+of\s+(?:it|them)\b"
    r"|\bnot\s+(?:all\s+the\s+way|completely|entirely|quite)\b"
    r"|(?<!\bis )(?<!n't )\bnot\s+too\s+(?:hot|cold|full|hard|loud|bright|far|long)\b"
    r"|,\s*(?:more\s+or\s+less|give\s+or\s+take|partly|partially)\b" + END
)
_NEVER_MIND = (
    r"(?:to\s+worry|that\s+it\b|rush|hurry|problem|worr|need|doubt|matter|thanks|question|pressure|trouble|fuss|offen[cs]e"
    r"|reason)"
)
_SPARE = (
    rf"(?:,\s*(?:and\s+|but\s+)?|\bbut\s+)(?:just\s+|only\s+|please\s+)?(?:not|never|no)\s+"
    rf"(?!{_NEVER_MIND})(?:{_OWN}|more|less|on|in|at|by|with|when|before|after|\w+ly)\b{_REST}|"
    rf"(?:,\s*(?:and\s+|but\s+)?|\b(?:but|and)\s+)(?:(?:not|leave|keep|spare|except(?:\s+for)?|apart\s+from)\s+)"
    rf"(?:{_OWN}|mine|yours|hers|theirs)\b{_REST}"
    rf"|,?\s*\bbut\s+(?:the|those|that)\s+{_REST}\bstays?\b{_REST}"
    rf"|\bor\s+(?:the|an)\s?other(?:\s+one)?\b"
)
_DOUBT_OF_ORDERS = (
    r"(?<!\bit )\bor\s+(?:maybe|perhaps|rather|possibly)?\s*(?:do\s+)?(?:not|n['’]t|don['’]t)\b"
    + END
    + r"|\b(?:maybe|perhaps)\s+(?:later|not|tomorrow)\b|\b(?:on|upon|having)\s+second\s+thoughts?\b"
    + _REST
)
_TELLING = (
    r"(?:say|claim|reckon|think|believe|insist|swear|tell|suppose|guess|hear|told|said|heard"
    r"|claimed|thought|hope|expect|assume)"
)
_DOUBT_OF_REPORTS = (
    rf"\b(?:or|at\s+least)\s+so\s+(?:\w+\s+){{0,3}}(?:{_TELLING}s?|am\s+told|it\s+seems)\b"
    rf"|\b(?:or|at\s+least)\s+that(?:['’]s|\s+(?:is|was))\s+(?:what|how|the)\b{_REST}"
    rf"|,?\s+(?:he|she|they|some(?:one|body)|people|(?-i:[A-Z])\w+)\s+{_TELLING}s?"
    r"(?:\s+(?:me|us))?(?=\s*(?:[.;!?]|$))"
    rf"|(?<!\bit )\bor\s+(?:maybe|perhaps|possibly)?\s*not\b{END}"
    rf"|\bor\s+(?:is|was|are|were)\s+(?:it|that|they|he|she)\b{_REST}"
    rf"|\bor\s+(?:the|an)\s?other(?:\s+one)?\b(?:\s+(?:is|was))?|\bor\s+(?:something|thereabouts|whatever)\b{_REST}"
    rf"|,\s*(?:right|correct|no|eh|innit)\s*\?"
    r"|,\s*(?:or\s+)?(?:is|am|are|was|were|has|have|had|did|does|do|wo|ca|could|should)(?:\s?n['’]?t)?\s+\w+"
    r"(?:\s+\w+){0,2}\s*\?|\bto\s+(?:the\s+best\s+of\s+)?my\s+(?:knowledge|mind|recollection|memory)\b"
    rf"|,\s*(?P<other>or\s+{_REST})(?=\s*(?:[.;!?]|$))"
    rf"|\b(?:i|we)\s+(?:hope|assume|imagine|bet)\b{_REST}|\bsaid\s+no(?:body|\s+one)\s+ever\b"
    rf"|\bif\s+\w+\s+(?:is|are)\s+to\s+be\s+believed\b|\baccording\s+to\b{_REST}"
    rf"|\bin\s+(?:the|my|an?|his|her|that|this)\s+(?:dreams?|photos?|pictures?|film|movie|story|novel|drawing|play|show|game|plan)\b{_REST}"
    rf"|\b(?:rumou?r|legend|word)(?:\s+(?:on|in)\s+\w+\s+\w+)?\s+(?:is|has\s+it)\b"
)
_DEED = (
    r"\b(?:and|then|but)\s+(?:then\s+)?(?:please\s+)?(?:let|tell|inform|notify|text|warn|remind)\s+(?:me|us|him|her|them"
    rf"|(?-i:[A-Z])\w+)\b{_REST}|\bbut\s+(?:first\s+)?(?:ask|check\s+with|wait|talk\s+to|speak\s+to)\b{_REST}"
    rf"|\btogether\s+with\s+{_REST}"
    rf"|\bas\s+(?:quietly|slowly|gently|softly)\s+as\b{_REST}|\b(?:slowly|quietly|silently)\b{END}"
    rf"|\bduring\s+(?:the|my|our|your|his|her|their)\s+\w+"
)
_MANNER = rf"\bwithout\s+(?!fail\b|hurry|rush|delay|hesitat)\w+ing\b{_REST}"
_JOINED = (
    r"(?:,\s*(?:and\s+|but\s+)?(?:then|also)\s+|\b(?:and|but)\s+(?:(?:then|also|please)\s+)*)"
    rf"(?P<verb>[a-z]+)\b{_REST}"
)
"""An order that is joined on: ``and report back``."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)


_ORDERS: Mapping[Kind, re.Pattern[str]] = {
    "condition": _any(_CONDITION),
    "event": _any(_EVENT),
    "later": _any(_AT, _FROM, LATER.pattern),
    "often": _any(_TIMES, REPEATED.pattern, FOR_SO_LONG.pattern, ONLY_THEN.pattern),
    "share": _any(_SHARE),
    "spare": _any(_SPARE),
    "doubt": _any(_DOUBT_OF_ORDERS),
    "deed": _any(_DEED),
    "manner": _any(_MANNER),
    "joined": _any(_JOINED),
}
_REPORTS: Mapping[Kind, re.Pattern[str]] = {
    "condition": _any(_CONDITION),
    "event": _any(_EVENT),
    "later": _any(
        _FROM, r"\b(?:at|from|by)\s+[\w:. ]{1,20}\s(?:tonight|this\s+evening|tomorrow)\b"
    ),
    "often": _any(REPEATED.pattern, ONLY_THEN.pattern, _USUAL),
    "share": _any(_SHARE),
    "doubt": _any(_DOUBT_OF_REPORTS),
}
_NO_ORDERS = word_set(
    "thank thanks bless cheer cheers mind watch hurry be let take have do see so well no yes good god love"
)
"""What is joined on with these orders nothing: ``and take care``."""
_NAMED: frozenset[Kind] = frozenset(["event", "spare", "deed", "joined"])
"""Kinds that an answer may hold: what they name may be done in its turn, or left out."""


class Tail(NamedTuple):
    """What a text says besides, and from where to where."""

    kind: Kind
    words: str
    start: int
    end: int


_BY_THEN = re.compile(r"\b(?:for|by|before|since|ready)\s+$", re.IGNORECASE)
_BEFORE_THAT = re.compile(
    r"\b(?:before|in\s+time\s+for|ahead\s+of)\s+(?:[\w'’]+\s+){1,4}$", re.IGNORECASE
)
"""``before the surveyor's visit at four`` is at once."""
_WHY = re.compile(r"[^.;!?,]*,?\s*\bso\b", re.IGNORECASE)
"""Behind why something is wanted comes what is: ``a call at 3, so leave the phone on``."""
_TO_AN_END = re.compile(
    r"(?:until|till|['’]til)\s+(?:it|they|that|everything|all)\b|\w+\s+(?:it|they)\b.*\bbeen\s+\w+|before\b",
    re.IGNORECASE,
)
"""``until it is warm`` tells what is wanted, ``once it has been sliced`` the order, and before is at once."""
_CANNOT = re.compile(
    r"\bcannot\b[^.;!?]*$|\b(?:ca|could|wo|would)\s?n['’]t\b[^.;!?]*$", re.IGNORECASE
)
"""What does not go unless something is done tells how it is."""
_NOW = re.compile(
    r"\b(?:is|are|am|has|have|does|do|will|can|isn|aren|hasn|haven|doesn|don|won)\b|['’](?:s|re|m|ve|ll)\b"
    rf"|^\S+\s+(?:{_OWN}\s+)?\w+\s+\w+s\b",
    re.IGNORECASE,
)
"""What happens now, or again and again."""
_AT_ANY_TIME = re.compile(r"(?:as\s+soon|once|the\s+\w+)\b", re.IGNORECASE)


def asked_of_order(tail: Tail) -> str:
    """Return what to ask about a tail of what is to be done."""
    if tail.kind == "spare":
        return f"What is meant by '{tail.words}'?"
    if tail.kind in ("condition", "event"):
        return f"I cannot decide or wait for '{tail.words}'. Should it be done now all the same?"
    return f"I cannot promise '{tail.words}'. Should it be done all the same?"


def tails_of_orders(text: str, is_known: Callable[[str], bool]) -> Iterator[Tail]:
    """Yield what changes what is to be done; ``is_known`` tells whether words name anything here."""
    for one in _tails(text, _ORDERS):
        held = one.kind in _NAMED and (is_known(one.words) or _is_ranked(one))
        if not (held or _is_by_then(text, one)):
            yield one


def _is_by_then(text: str, tail: Tail) -> bool:
    """Return whether a tail says by when something is to be so, or why."""
    before = text[: tail.start]
    by = _BY_THEN.search(before) or (tail.kind == "later" and _BEFORE_THAT.search(before))
    return bool(by or _TO_AN_END.match(tail.words) or _WHY.match(text, tail.end))


def _is_ranked(tail: Tail) -> bool:
    """Return whether what is spared is told by its place in a row: ``not the second``."""
    words = tail.words.casefold().split()
    return tail.kind == "spare" and "than" not in words and any(map(rank_of, words))


def tails_of_reports(text: str, is_known: Callable[[str], bool]) -> Iterator[Tail]:
    """Yield what changes what is told to be so; what was so when something else happened is told."""
    for one in _tails(text, _REPORTS):
        past = any(map(is_past, re.findall(r"\w+", one.words.casefold())))
        now = bool(_NOW.search(one.words) or _AT_ANY_TIME.match(one.words))
        idle = one.kind == "event" and (past or not now)
        idle = idle or (one.kind == "condition" and bool(_CANNOT.search(text[: one.start])))
        if not (idle or (one.words.startswith("or ") and is_known(one.words))):
            yield one


_COURTESY = re.compile(
    r",?\s*\bif\s+(?:you(?:['’]d|\s+(?:please|would|could|can|like|wish|do\s?n['’]?t\s+mind|do\s+not\s+mind"
    r"|would\s?n['’]?t\s+mind|(?:have|get)\s+(?:a|the)\s+(?:moment|minute|second|time|chance)|have\s+time))"
    rf"|possible|(?:it|that)(?:['’]s|\s+is)(?:\s*n['’]t|\s+not)?\s+(?:too|ok|okay|all\s?right|fine|possible))\b{_REST}"
    r"(?=\s*(?:[.;!?]|$))",
    re.IGNORECASE,
)


def without_courtesies(text: str, is_known: Callable[[str], bool]) -> str:
    """Return a text whose sentences do not end in what only asks kindly: ``if you would be so kind``."""
    return _COURTESY.sub(lambda found: found[0] if is_known(found[0]) else "", text)


def around(text: str, tail: Tail) -> str:
    """Return what else the sentence of a tail says."""
    before = re.split(r"[.;!?\n]", text[: tail.start])[-1]
    behind = re.split(r"[.;!?\n]", text[tail.end :])[0]
    return f"{before.strip()} {behind.strip()}".strip()


def _tails(text: str, kinds: Mapping[Kind, re.Pattern[str]]) -> Iterator[Tail]:
    for kind, pattern in kinds.items():
        for found in pattern.finditer(text):
            verb = found.groupdict().get("verb")
            if verb and not _orders(verb.casefold(), found[0]):
                continue
            words = found[0].strip(" ,")
            start = found.start() + found[0].index(words)
            yield Tail(kind, words, start, start + len(words))


def _orders(verb: str, words: str) -> bool:
    """Return whether what is joined on is an order of its own, and not one to what was spoken of."""
    said = words.casefold().split()
    return may_be_verb(verb) and verb not in _NO_ORDERS and BACK.isdisjoint(said)
