"""Orders without the frames that people put around them: longing, politeness, ``while you're at it``.

None of it needs to know the world, so every reader of orders can have it said plainly first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.language.another_robot import another_robot, other_way
from commonground.grounding.words.blanks import any_of

_DEGREE = r"(?:really|just|so|absolutely|simply|seriously|totally|well|only)"
_IS = r"(?:\s*['’](?:m|re)|\s+(?:am|are))?"
_COULD = r"(?:\s*['’]d|\s+would|\s+could)"
_WOULD_HAVE = (
    r"(?:murder|kill for|die for|give anything for|do with|go for|use|love|be glad of|fancy)"
)
_IS_AFTER = (
    r"(?:gasping for|dying for|desperate for|craving|longing for|in (?:dire |desperate )?need of"
    r"|in the mood for)"
)
_LONGING = re.compile(
    rf"\b(?P<who>I|we)(?:{_COULD}(?:\s+{_DEGREE})*\s+{_WOULD_HAVE}"
    rf"|(?:\s+would\s+not|\s+wouldn['’]t) (?:mind|say no to)|{_IS}(?:\s+{_DEGREE})*\s+{_IS_AFTER}"
    rf"|(?:\s+{_DEGREE})*\s+(?:fancy|crave|long for))"
    r"\s+(?=(?:a|an|some|the|my|our|that|those|another)\b)",
    re.IGNORECASE,
)
"""``I could murder a coffee``: a thing that people want, and no more than that."""
_FOR_SOMEBODY = re.compile(
    r"(?P<before>^|[.;!?]\s+|\band\s+)(?!(?:Nobody|None|Noone|Neither|Who)\b)(?P<who>[A-Z][a-z]+|(?:my|our|his|her|their|the)\s+[a-z]+)(?:\s*['’]d|\s+would)"
    r"(?:\s+really)?\s+(?:like|love|fancy)\s+(?=(?:an?|some|the|my|our|his|her|their|that|those|another)\b)"
)
"""``George would like some toast``: what somebody wants is wanted."""
_ASKING = re.compile(
    r"(?P<before>^|[.;:!?,]\s*)(?:and\s+)?(?:I\s+do(?:\s+not|n['’]t)\s+suppose|I\s+(?:was\s+wondering|wonder)\s+if"
    r"|(?:is\s+there\s+)?any\s+chance(?:\s+that)?|do\s+you\s+(?:think|reckon)|I\s+hope)\s+you\s*"
    r"(?:\s(?:could|can|might|would)|['’]d)(?:\s+(?:please|possibly|maybe|perhaps))?\s+(?=[a-z])",
    re.IGNORECASE,
)
"""``I don't suppose you could slice it``: an order, of which only the order is left."""
_WHY_NOT = re.compile(
    r"(?P<before>^|[.;:!?,]\s*)(?:and\s+)?why\s+(?:not|do(?:n['’]t|\s+not)\s+you(?=\s+(?:just|go|come|have\s+an?)\b))"
    r"\s+(?:just\s+)?(?=[a-z])",
    re.IGNORECASE,
)
"""``why don't you go and look`` is no question why not; ``why don't you look`` may be."""
_WELL_THEN = re.compile(
    r"(?P<before>^|[.!?]\s+)(?:now|right|well|ok(?:ay)?|so|good)\s+then\s*,\s*(?=\w)", re.IGNORECASE
)
"""``Now then, Anna, …`` puts nothing in order."""
_ASIDE = (
    r"(?P<before>(?:^|[.;:!?,])\s*)(?P<what>(?:the|that|those|my|our)\s+[\w\s-]{{1,40}}?)\s+aside\s*,\s*"
    r"(?P<rest>(?:{robots}\s*,\s*)?[^.,;:!?]*)"
)
"""``the old shed aside, visit all sheds`` is to visit all but that."""
_NOT_OTHERS = re.compile(
    r"\s*[,;–—(-]\s*(?:and\s+|but\s+)?not\s+(?:any\s+of\s+)?the\s+(?:others?(?:\s+(?:ones?|two|three|four))?|rest)\)?(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)
"""Behind what is to be done this adds nothing: ``check the red van, not the others``."""
_SO_KIND = re.compile(
    r"\b(?:would|could|can|will)\s+(?:(?:one|any|some)\s*(?:one\s+)?of\s+)?you\s+(?:please\s+|kindly\s+)?(?:be\s+(?:so\s+(?:kind|good)|an?\s+[a-z]+)"
    r"|do\s+(?:me|us)\s+a\s+favou?r)(?:\s+as)?(?:\s*,?\s+(?:and|to))\s+(?=[a-z])",
    re.IGNORECASE,
)
"""``would you be so kind as to``."""
_ANY_OF_YOU = (
    r"(?:you|(?:one|any|some|either)(?:one|body)?\s+of\s+you(?:\s+(?:lot|two|three|guys|lads|dears|robots))?"
    r"|(?:some|any)(?:one|body))"
)
_WOULD_DO = (
    r"(?:(?P<mind>\s+(?:would\s+not|wouldn['’]t|do\s+not|don['’]t|did\s+not|didn['’]t)\s+mind)\s+(?=[a-z]+ing\b)"
    r"|(?:\s+(?:could|would|might)|['’]d)(?:\s+(?:please|just|possibly|kindly))*"
    r"(?:\s+be\s+(?:so|as)\s+(?:kind|good)\s+as\s+to)?\s+(?=[a-z]))"
)
_THANKING = (
    r"(?:(?:(?:that|it|this)(?:['’](?:d|ll)|\s+would|\s+will)\s+(?:really\s+)?(?:be|help|make)"
    r"|(?:I|we)(?:['’](?:d|ll)|\s+would|\s+should|\s+shall)\s+(?:really\s+)?(?:appreciate|be|love|owe|thank)"
    r"|(?:many\s+)?thanks|thank\s+you|much\s+(?:obliged|appreciated))\b)"
)
_AND_SO_ON = r"(?:(?!\b(?:to|if|and|but)\b)[^.;,!?])*"
_IF_YOU_COULD = re.compile(
    rf"(?P<before>^|[.;:!?]\s+|\b(?:so|and|but|now)\s+)if\s+{_ANY_OF_YOU}{_WOULD_DO}"
    rf"(?:(?P<what>[^.;!?]+?)\s*,?\s+{_THANKING}{_AND_SO_ON}(?=[.;,!?]|$)"
    r"|(?P<alone>(?:(?!\b(?:I|we|he|she|they|could|would|can|will)\b)(?:[^.,;!?]|,\s+(?:and|then|or|the|an?|my|please)\b))+)"
    r"(?=\s*(?:[.!?]|$)))",
    re.IGNORECASE,
)
"""``If you could shut it, that'd be great``; ``it would be good to oil it`` orders something else."""
_GLAD_IF = re.compile(
    rf"\b(?:I|we)(?:['’]d|\s+would|\s+should)(?:\s+only|\s+really)?\s+be\s+(?:\w+\s+){{0,2}}?(?:grateful|glad|thankful|obliged|pleased)"
    rf"\s+if\s+{_ANY_OF_YOU}{_WOULD_DO}",
    re.IGNORECASE,
)
"""``I'd be grateful if one of you would``."""
_AT_LEISURE = re.compile(
    r"[\s,]*\b(?:(?:just|now)\s+)?(?:when(?:ever)?|if|once|as\s+soon\s+as)\s+(?:you|one\s+of\s+you)(?:['’]ve|\s+has|\s+have)?"
    r"\s+(?:got|get|gets|have|has|find)\s+(?:an?|one|some|the|five)\s+(?:(?:spare|free|quick)\s+)?(?:min|minute|moment|mo|sec|second|tick|chance|time)s?\b"
    r"(?:\s+free|\s+to\s+spare)?(?=\s*(?:[.,;:!?]|$))(?!\W*(?:or\s+|and\s+)?(?:otherwise|else|if\s+not)\b)",
    re.IGNORECASE,
)
"""``when you've got a minute`` waits for nothing, but where something else is to be done otherwise."""
_WHILE_THERE = re.compile(
    r"[\s,]*\b(?:while|whilst|as|since|when)\s+(?:you|he|she|it)(?:\s*['’](?:re|s)|\s+(?:are|is))\s+"
    r"(?:(?:over|out|down|up|in|round)\s+)?(?:there|about\s+it|at\s+it|that\s+way|passing)\b(?!\s+(?:in|on|at|by|near)\b)",
    re.IGNORECASE,
)
"""``while you're there`` has nobody stay."""
_POLITE_IF = re.compile(
    r"[\s,.]*\b(?:(?:but|only)\s+)*(?:if|(?:as|so)\s+long\s+as)\s+(?:you|that|it)(?:\s+(?:could|can|would|please|want|like|may|might)|['’]d\s+be\s+so\s+kind"
    r"|\s+(?:do\s+not|don['’]t|would\s+not|wouldn['’]t)\s+mind|(?:['’]s|\s+is)\s+(?:(?:al(?:l\s+)?right|ok|okay|fine)(?:\s+(?:with|by)\s+you|(?=\s*(?:[.!?]|$)))"
    r"|possible|no\s+(?:bother|trouble)|not\s+too\s+much\s+(?:trouble|bother))"
    r"|\s+isn['’]t\s+too\s+much\s+(?:trouble|bother))(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
)
_BACK = r"(?:it|that|them|they|those|these|everything|all\s+that|this)"
_DONE = r"(?:done|ready|finished|over|sorted|through)"
_IN_TIME = re.compile(
    rf"[\s,]*\b(?:(?:when|once|after|as\s+soon\s+as)\s+(?:{_BACK}(?:\s*['’](?:s|re)|\s+(?:is|are|has\s+been|have\s+been))"
    rf"(?:\s+all)?\s+{_DONE}"
    rf"|you(?:\s*['’](?:ve|re)|\s+(?:have|are))\s+(?:{_DONE}|\w+\s+{_BACK}(?:\s+(?:out|in|off|up|down|away|back|there|on|over))?)"
    rf"(?:\s+with\s+{_BACK})?)|(?:while|whilst|when|since|as)\s+you(?:\s*['’]re|\s+are)\s+(?:about|at)\s+(?:it|that)"
    rf"|after\s+you(?=\s*[.!?]))(?=\s*(?P<mark>[.,;:!?]|$)|\s+(?:and|then|please)\b)",
    re.IGNORECASE,
)
"""A time that only says that what was asked for comes first: ``when it's done``, ``while you're at it``."""
_AT_THE_HEAD = re.compile(
    rf"(?P<before>(?:^|[.;!?]\s+|,\s*)(?:(?:and|then|so)\s+)*)(?:when|once|after|as\s+soon\s+as)\s+{_BACK}"
    rf"(?:\s*['’](?:s|re)|\s+(?:is|are))(?:\s+all)?\s+{_DONE}\s*,?\s+",
    re.IGNORECASE,
)
_AS_LONG_AS = re.compile(
    r",?\s*(?:\b(?:but|only|just)\s+)*\b(?:as|so)\s+long\s+as\s+(?:(?P<you>you)\s+(?=(?:keep|stay|steer|avoid|do\s+not|don['’]t|never)\b)"
    r"|(?:it|they|that|this)(?:['’]?s|\s+is|['’]re|\s+are)(?:\s+not|n['’]t)\b)",
    re.IGNORECASE,
)
"""``any one, as long as it isn't red``; ``so long as you keep out of there``: no condition that changes."""
_OBLIGING = re.compile(
    r"(?:\s+(?:is|are)\s+not|\s+(?:is|are)n['’]t)\s+(?:optional|negotiable)\b", re.IGNORECASE
)
"""What denies a choice forbids nothing."""


def unframed(text: str, robots: Sequence[str]) -> str:
    """Return a text as it would be said plainly; who is meant after all is told what another was."""
    text = other_way(another_robot(text, robots), robots)
    is_to = rf"((?:^|[.,;:!?\n–—]|\b(?:and|but|so|while|then)\s)\s*{any_of(robots)})['’]s(?=\s+to\s+[a-z])"
    text = _spoken_to(re.sub(is_to, r"\1 is", text, flags=re.IGNORECASE), any_of(robots))
    text = _OBLIGING.sub(" is essential", text)
    text = _LONGING.sub(lambda found: f"{found['who']} want ", text)
    named = {robot.casefold() for robot in robots}
    text = _FOR_SOMEBODY.sub(
        lambda found: found[0] if found["who"].casefold() in named else f"{found['before']}I want ",
        text,
    )
    for asking in (_WELL_THEN, _ASKING, _WHY_NOT):
        text = asking.sub(lambda found: found["before"], text)
    aside = re.compile(_ASIDE.format(robots=any_of(robots)), re.IGNORECASE)
    text = aside.sub(lambda found: f"{found['before']}{found['rest']} except {found['what']}", text)
    text = _without(_NOT_OTHERS, text)
    text = _GLAD_IF.sub(_asked, _without(_AT_LEISURE, _SO_KIND.sub("", text)))
    text = _IF_YOU_COULD.sub(
        lambda found: f"{found['before']}{_asked(found)}{found['what'] or found['alone']}", text
    )
    count = {2: "two", 3: "three", 4: "four"}.get(len(robots), "lot")
    text = re.sub(rf"\b(of\s+you)\s+(?:{count}|lot|guys|lads|robots)\b", r"\1", text, flags=re.I)
    return _without(_POLITE_IF, _without(_WHILE_THERE, text))


def _spoken_to(text: str, names: str) -> str:
    """Return a text that calls a robot, or says what is wanted of it, without pointing at it first."""
    to = rf"\b(?:I['’]m|I\s+am)\s+(?:talking|speaking)\s+to\s+(?P<who>{names})\s*[:,;.–—-]\s*"
    it_is = rf"\bit(?:['’]s|\s+is)\s+(?P<who>{names})\s+"
    for said, plain in (
        (to, r"\g<who>, "),
        (rf"{it_is}(?:(?:that|who)\s+)?I\s+(?P<want>want|need)\s+", r"I \g<want> \g<who> "),
        (rf"{it_is}(?:that|who)\s+(?!was\b)", r"\g<who> "),
    ):
        text = re.sub(said, plain, text, flags=re.IGNORECASE)
    return text


def _asked(found: re.Match[str]) -> str:
    """Return how the order begins that a polite condition is."""
    return "would you mind " if found["mind"] else ""


def unheld(text: str) -> str:
    """Return a text that orders or describes what it makes a condition, if nothing has to come true first."""
    return _AS_LONG_AS.sub(lambda found: ". Always " if found["you"] else " that is not", text)


def untimed(text: str) -> str:
    """Return a text without times that only say that what was asked for first comes first."""
    text = _AT_THE_HEAD.sub(lambda found: f"{found['before']}then ", text)
    return _without(_IN_TIME, text)


def _without(aside: re.Pattern[str], text: str) -> str:
    rest = aside.sub("", text)
    return rest.lstrip(" ,") if any(map(str.isalpha, rest)) else text
