"""Permission is no order: ``only Spot may enter the barn`` keeps the others out of it.

Who alone is allowed something need not do it; all others are told not to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from commonground.grounding.words.blanks import any_of, blanked

_MAY = (
    r"(?:may|can|(?:is|are)\s+(?:allowed|permitted|authori[sz]ed|cleared|free)(?:\s+to)?"
    r"|(?:has|have)\s+(?:access|permission)(?:\s+to)?)"
)
_BUT = r"(?:but|except(?:\s+for)?|other\s+than|apart\s+from|besides|save)"
_ALL = r"(?:(?:every|any)(?:one|body)|all(?:\s+of\s+you|\s+(?:the\s+)?robots)?|every\s+robot|the\s+others)"
_ENTERING = re.compile(
    r"(?:(?:ever\s+)?(?:go(?:es)?|comes?|drives?|moves?|gets?|be|stays?|travels?|pass(?:es)?|sets?\s+foot)\s+)?"
    r"(?:in|into|inside|to|onto|on|through)\s+(?P<into>.+)"
    r"|(?:enters?|uses?|access(?:es)?|cross(?:es)?|visits?)\s+(?P<area>.+)",
    re.IGNORECASE,
)
_TOUCHING = re.compile(r"(?:touch|move|take|pick|grab|lift)\b", re.IGNORECASE)
_NOW = re.compile(r"\s+(?:today|now|please|tonight|for\s+now|at\s+the\s+moment)$", re.IGNORECASE)
_JOINT = r"\s*(?:[,.;!?\n]\s*)*(?:\b(?:so|and|but)\b\s*)?"
_ORDERED = (
    r"i\b|we\b|not|never|only|have|trouble|be\s+sure|wish|want|like|ignore|skip|leave|need|know|remember"
    r"|recall|notice|find|stop|stay|start|begin|proceed|go\s+ahead"
)
"""Behind ``you may`` these are no permission, or nothing to permit."""


class Permitted(NamedTuple):
    """A text with bans for what only some are permitted, and without what is only permitted."""

    text: str
    allowed: tuple[str, ...] = ()
    """What was left out."""


def permitted(text: str, robots: Sequence[str]) -> Permitted:
    """Return a text in which permissions are told as what they forbid, with those that forbid nothing."""
    if not robots:
        return Permitted(text)
    names = rf"\b{any_of(robots)}\b"
    some = rf"{names}(?:\s*(?:,\s*and|,|and|or)\s*{names})*"
    text = _exclusive(some, names).sub(lambda found: _bans(found, robots), text)
    spoken = _allowing(some).finditer(text)
    spans = [one.span("said") for one in spoken]
    return Permitted(blanked(text, spans), tuple(text[start:end].strip() for start, end in spans))


def _exclusive(some: str, names: str) -> re.Pattern[str]:
    """Return what is only for some robots: what they alone may do, or where nobody else may be."""
    what = rf"[^.;!?,\n]+?(?=\s*(?:[.;!?,\n]|$|\b(?:and|but|so)\s+{names}))"
    nobody = r"(?:nobody|no[\s-]?one|none\s+of\s+you|no\s+(?:other\s+)?robots?)(?:\s+else)?"
    only = r"the\s+only\s+(?:ones?|robots?)\s+(?:(?:that|who)\s+)?"
    everybody = r"(?:every(?:one|body)|all\s+(?:of\s+you|(?:the\s+)?robots))"
    return re.compile(
        rf"(?:\b(?:(?:only|just|solely)\s+(?P<only>{some})|{nobody}\s+{_BUT}\s+(?P<but>{some}))\s+{_MAY}\s+(?P<what>{what})"
        rf"|(?:(?!{nobody}\s+else)(?<!sure )(?<!that )"
        rf"{nobody}(?:(?:['’]s|\s+is|\s+are)?\s+(?:{_MAY}|to|should|must|shall))"
        rf"|\bdo(?:n['’]t|\s+not)\s+any(?:body|one|\s+of\s+you))\s+(?P<none>(?![^.;!?\n]*\b{_BUT}\b){what})"
        rf"|\b{everybody}\s+(?:keep|stay)s?\s+(?P<off>(?:off|out\s+of|away\s+from|clear\s+of)\s+(?![^.;!?\n]*\b{_BUT}\b){what})"
        rf"|(?P<sole>{some})\s+(?:is|are)\s+{only}(?:{_MAY}|allowed|permitted)(?:\s+to)?\s+(?P<which>{what})"
        rf"|(?P<area>\b(?:the|that|this)\s+[^.;!?,\n]+?)\s+(?:is|are)\s+(?:off[\s-]limits|out\s+of\s+bounds|closed|forbidden)"
        rf"\s+(?:to|for)\s+{_ALL}\s+{_BUT}\s+(?P<spared>{some})){_JOINT}",
        re.IGNORECASE,
    )


def _bans(found: re.Match[str], robots: Sequence[str]) -> str:
    """Return the same as orders to all others."""
    said = found.groupdict(default="")
    allowed = f"{said['only']}{said['but']}{said['sole']}{said['spared']}".casefold()
    area = said["area"] and f"enter {said['area']}".replace("The ", "the ")
    what = _NOW.sub("", said["what"] or said["none"] or said["which"] or area)
    into = _ENTERING.fullmatch(what)
    if said["none"] and not (into or _TOUCHING.match(what)):
        return found[0]
    ban = f"stay out of {into['into'] or into['area']}" if into else f"do not {what}"
    ban = f"stay {_NOW.sub('', said['off'])}" if said["off"] else ban
    others = [name for name in robots if not re.search(rf"\b{re.escape(name)}\b", allowed, re.I)]
    return "".join(f"{name.capitalize() if name.islower() else name}, {ban}. " for name in others)


def _allowing(some: str) -> re.Pattern[str]:
    """Return what somebody is allowed, and need not do."""
    likes = r"\b(?:if\s+(?:he|she|it|they|you)\s+(?:like|want|wish|need|prefer|care)(?:s|es)?)\b"
    return re.compile(
        rf"(?:^|(?<=[.;!?\n])|(?<=,)(?=[^.;!?,\n]*{likes}))(?P<said>\s*(?:(?:also|and|so|but)\s+)?(?:{some}|{_ALL}|you)\s*,?\s*(?:you\s+)?"
        rf"(?:may|(?:is|are)\s+(?:allowed|permitted|free|welcome)\s+to|can(?=[^.;!?\n]*{likes}))"
        rf"\s+(?!{_ORDERED})[^.;!?\n]*)",
        re.IGNORECASE,
    )


def is_all_permitted(said: Permitted, robots: Sequence[str]) -> bool:
    """Return whether a text says nothing else than what is allowed."""
    rest = re.sub(rf"\b{any_of(robots)}\b", "", said.text, flags=re.IGNORECASE)
    return bool(said.allowed) and not any(c.isalnum() for c in rest)
