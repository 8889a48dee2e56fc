"""Orders without the frames that people put around them: longing, politeness, ``while you're at it``.

None of it needs to know the world, so every reader of orders can have it said plainly first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.language.another_robot import another_robot, other_way

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
_SO_KIND = re.compile(
    r"\b(?:would|could|can|will)\s+(?:(?:one|any|some)\s*(?:one\s+)?of\s+)?you\s+(?:please\s+|kindly\s+)?(?:be\s+(?:so\s+(?:kind|good)|an?\s+[a-z]+)"
    r"|do\s+(?:me|us)\s+a\s+favou?r)(?:\s+as)?(?:\s*,?\s+(?:and|to))\s+(?=[a-z])",
    re.IGNORECASE,
)
"""``would you be so kind as to``."""
_IF_YOU_COULD = re.compile(
    r"(?P<before>^|[.;:!?]\s+)if\s+you\s+(?:could|can|would)(?:\s+(?:please|just))?\s+(?P<what>[^.;!?]+?),\s*"
    r"(?:(?:that|it|I)(?:['’]d|\s+would)\s+(?:really\s+)?(?:be|help|make)\b|I(?:['’]d|\s+would)\s+(?:really\s+)?appreciate\s+(?:that|it)\b)"
    r"(?:(?!\b(?:to|if|and|but)\b)[^.;,!?])*(?=[.;,!?]|$)",
    re.IGNORECASE,
)
"""``If you could shut it, that'd be great``; ``it would be good to oil it`` orders something else."""
_POLITE_IF = re.compile(
    r"[\s,]*\bif\s+(?:you|that|it)(?:\s+(?:could|can|would|please|want|like|may|might)|['’]d\s+be\s+so\s+kind"
    r"|\s+(?:do\s+not|don['’]t|would\s+not|wouldn['’]t)\s+mind|(?:['’]s|\s+is)\s+(?:(?:all\s+right|ok|okay)\s+(?:with|by)\s+you"
    r"|possible|no\s+(?:bother|trouble)|not\s+too\s+much\s+trouble))(?=\s*(?:[.,;:!?]|$))",
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


def unframed(text: str, robots: Sequence[str]) -> str:
    """Return a text as it would be said plainly; who is meant after all is told what another was."""
    text = other_way(another_robot(text, robots), robots)
    text = _LONGING.sub(lambda found: f"{found['who']} want ", text)
    named = {robot.casefold() for robot in robots}
    text = _FOR_SOMEBODY.sub(
        lambda found: found[0] if found["who"].casefold() in named else f"{found['before']}I want ",
        text,
    )
    text = _ASKING.sub(lambda found: found["before"], text)
    text = _SO_KIND.sub("", text)
    text = _IF_YOU_COULD.sub(lambda found: f"{found['before']}{found['what']}", text)
    return _without(_POLITE_IF, text)


def untimed(text: str) -> str:
    """Return a text without times that only say that what was asked for first comes first."""
    text = _AT_THE_HEAD.sub(lambda found: f"{found['before']}then ", text)
    return _without(_IN_TIME, text)


def _without(aside: re.Pattern[str], text: str) -> str:
    rest = aside.sub("", text)
    return rest.lstrip(" ,") if any(map(str.isalpha, rest)) else text
