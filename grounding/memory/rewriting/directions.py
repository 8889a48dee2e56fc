"""Who is told where to look for something is told where it is: ``if you need the mug, check the sink``."""

from __future__ import annotations

import re
from collections.abc import Callable

_SOMEBODY = r"(?:you|anyone|anybody|someone|somebody)"
_SEEKING = r"(?:needs?|wants?|misses|miss|(?:is|are) (?:looking|searching) for|looks? for|(?:is|are) after)"
_LOOKING = (
    r"(?:please )?(?:check|try|see|ask|search|look|have a look|go and look)"
    r"(?: (in|inside|on|at|under|behind|with))?"
)
_WHERE = r"(?:the|an?|his|her|my|your|our|their|[^\W\d_]+['’]s) .+?"
_END = r"(?=\s*(?:[.!?;]|$))"
_IF_SOUGHT = re.compile(
    rf"(?:\b(?:if|when|whenever) {_SOMEBODY}|\bshould {_SOMEBODY}) {_SEEKING} ([^,;.!?]+), "
    rf"{_LOOKING} ({_WHERE}|[^\W\d_]+(?:,? (?:and )?not [^\W\d_]+)?){_END}",
    re.I,
)
_LOOK_FOR = re.compile(
    rf"(?:^|(?<=[.!?;] ))look for ([^,;.!?]+?) ((?:in|inside|on|at|under|behind) {_WHERE}){_END}",
    re.I,
)
_NOT_THERE = re.compile(
    rf"(\b(?:not|no longer|won['’]t|can['’]t|isn['’]t|aren['’]t|gone|left)\b[^;.!?]*)([;.!]) "
    rf"{_LOOKING} ({_WHERE}){_END}",
    re.I,
)
_MET = re.compile(r"\b(?:meet|find|see|catch|reach) ([^\W\d_]+)\b", re.I)
_EXCEPT = re.compile(r",? (?:and )?not [^\W\d_]+$", re.I)


def told_where(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a text with where a thing is in place of where to look for it."""

    def sought(found: re.Match[str]) -> str:
        thing, how, where = found.groups()
        who = _EXCEPT.sub("", where)
        return f"{who} has {thing}" if is_person(who) else f"{thing} is {how or 'at'} {where}"

    def elsewhere(found: re.Match[str]) -> str:
        before, mark, how, where = found.groups()
        who = next((name for name in _MET.findall(before) if is_person(name)), None)
        now = f"{who} is {how or 'in'}" if who is not None else f"it is {how or 'at'}"
        return f"{before}{mark} {now} {where}"

    text = _IF_SOUGHT.sub(sought, text)
    text = _LOOK_FOR.sub(r"\1 is \2", text)
    return _NOT_THERE.sub(elsewhere, text)
