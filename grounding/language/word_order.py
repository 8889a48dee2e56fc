"""Orders whose words stand in another order than most: ``the lawn is where I want Anna to wait``.

What is put first to stress it is put back where it belongs, so that no reader takes the clause behind it for
what tells which thing is meant, or the place for something to be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.fidelity.negation import negators
from commonground.grounding.language.put_right import Find
from commonground.grounding.words.blanks import any_of

_OPENS = r"(?:^|(?<=[.;:!?\n])\s*|(?<=,)\s*)"
_CLEFT = re.compile(
    rf"{_OPENS}(?P<it>it(?:['’]s|\s+is|\s+was)\s+)(?P<only>(?:only|just)\s+)?(?P<at>(?:in|on|at|by|to|near)\s+)?(?=\S)",
    re.IGNORECASE,
)
_THAT = re.compile(r"\s+(?:that|which|who)\s+(?P<clause>[^.,;:!?\n]+)", re.IGNORECASE)
_WANTED = re.compile(
    r"(?P<want>(?:I|we)(?:['’]d\s+(?:like|love|want)|\s+(?:want|need|would\s+like|wish))(?:\s+to\s+(?:have|see|get))?)"
    r"\s+(?P<done>\w+(?:ed|en|ne)\b.*|put\b.*|kept\b.*)",
    re.IGNORECASE,
)
"""What people want done with what stands first."""
_PEOPLE = (
    r"I|we|you|he|she|they|somebody|someone|everybody|everyone|(?:the|my|our|his|her|their)\s+\w+"
)
_MAKE = re.compile(r"\b(?:mak|render)(?P<ending>e?s?|ing)\s+$", re.IGNORECASE)
_SAFE = re.compile(r"\s+safe\b(?!\s+(?:for|to|from|enough)\b)", re.IGNORECASE)
_TAKE = re.compile(
    r"\b(?:take|pick|choose|select)s?\s+(?P<what>(?:any|either|one|two|three|four|five|the\s+ones?)\b[^.,;:!?]*?)"
    r"(?:(?P<who>\s*,[^,.;:!?]+),)?\s+and\s+(?P<look>inspect|check|examine|look\s+at|have\s+a\s+look\s+at|take\s+a\s+look\s+at)s?"
    r"\s+(?:it|them|those|these|that(?:\s+one)?)\b",
    re.IGNORECASE,
)
"""What is taken out of several to be looked at is chosen, and not picked up."""
_RECEIVING = re.compile(
    r"\b(?:receives?|gets?|(?:be|is|are)\s+(?:given|paid))\s+(?:an?|the)\s+"
    r"(?:(?P<visit>visit|call)|inspection|check(?:-?up)?|examination|look(?:ing)?(?:-?\s?over)?)"
    r"\s+(?:from|by)\s+(?=\S)",
    re.IGNORECASE,
)
"""``the van must receive a visit from Anna``."""
_GOING = frozenset(["go", "head", "drive", "move", "travel", "come"])


def plain_order(text: str, find: Find, robots: Sequence[str]) -> str:
    """Return a text in which what is put first to stress it stands where it belongs."""
    text = _RECEIVING.sub(_done_by, _TAKE.sub(_chosen, text))
    return _made_safe(_places(_clefts(text, find, robots), find, robots), find)


def _chosen(said: re.Match[str]) -> str:
    """``take one of the vans and check it`` → ``check one of the vans``."""
    look = said["look"].capitalize() if said[0][0].isupper() else said["look"]
    return f"{look} {said['what']}{said['who'] or ''}"


def _done_by(found: re.Match[str]) -> str:
    """Return what is received as what is done."""
    be = "be" if found[0].casefold().startswith(("receive ", "get ", "be ")) else "is"
    return f"{be} {'visited' if found['visit'] else 'inspected'} by "


def _clefts(text: str, find: Find, robots: Sequence[str]) -> str:
    """``it is the van that I want checked`` → ``I want the van checked``; ``that worries me``: it does."""
    subject = re.compile(rf"(?:{_PEOPLE}|{any_of(robots)})\b", re.IGNORECASE)
    for said in reversed([*_CLEFT.finditer(text)]):
        named = next((one for one in find(text) if one.start == said.end()), None)
        that = _THAT.match(text, named.end) if named else None
        if named is None or that is None:
            continue
        what, clause = (said["at"] or "") + text[named.start : named.end], that["clause"].rstrip()
        wanted = _WANTED.fullmatch(clause)
        if wanted:
            plain = f"{wanted['want']} {said['only'] or ''}{what} {wanted['done']}"
        elif subject.match(clause):
            plain = f"{clause} {said['only'] or ''}{what}"
        else:
            plain = f"{said['only'] or ''}{what} {clause}"
        plain = plain[0].upper() + plain[1:] if said["it"][0].isupper() else plain
        text = text[: said.start("it")] + plain + text[that.end() :]
    return text


def _places(text: str, find: Find, robots: Sequence[str]) -> str:
    """``the lawn is where I want Anna to wait``, ``any bench will do for Anna to wait at``."""
    who = rf"(?P<who>{any_of(robots)}|you|he|she|it)"
    must = r"(?:should|must|shall|will|ought\s+to|(?:is|are|has|have|needs?)\s+to|['’](?:s|re)\s+to|['’]ll)"
    verb = r"(?P<verb>\w+(?:\s+(?:by|up|put|still|guard|down|off)\b)?)"
    over = r"(?=\s*(?:[.,;:!?]|$)|\s+(?:the|an?|my|our|it|them|and|then|please|until|while|when|with|for)\b)"
    where = re.compile(
        rf"\s+(?:is|are)\s+where\s+(?:(?:I|we)(?:['’]d\s+like|\s+(?:want|need|would\s+like))\s+{who}\s+(?:to\s+)?"
        rf"|{who.replace('who', 'whom')}\s*{must}\s+){verb}{over}",
        re.IGNORECASE,
    )
    free = re.compile(
        rf"\s+(?:(?:will|would|['’]ll)\s+(?:do|suit|serve)|(?:is|are|will\s+be|would\s+be)\s+(?:fine|ok|okay|good|all\s+right))"
        rf"(?:\s+\w+ly)?\s+for\s+{who}\s+to\s+{verb}(?:\s+(?P<at>at|in|on|by|near|beside))?(?=\s*(?:[.,;:!?]|$)|\s+(?:and|then)\b)",
        re.IGNORECASE,
    )
    for named in reversed(find(text)):
        said = where.match(text, named.end) or free.match(text, named.end)
        lead = re.search(rf"{_OPENS}(?P<at>(?:at|by|in|on|near)\s+)?$", text[: named.start], re.I)
        if said is None or lead is None or negators(said[0]):
            continue
        groups = said.groupdict()
        verb_said = said["verb"]
        going = verb_said.split()[0].casefold() in _GOING
        at = lead["at"] or groups.get("at") or ("to" if going else "at")
        called = said["who"] or groups["whom"]
        begin = named.start - len(lead["at"] or "")
        what = text[named.start : named.end]
        what = what if what[:2].isupper() or what[1:2].isdigit() else what[0].lower() + what[1:]
        plain = f"{called} must {verb_said} {at.strip().lower()} {what}"
        text = text[:begin] + plain + text[said.end() :]
    return text


def _made_safe(text: str, find: Find) -> str:
    """``make the van safe``: what robots inspect is safe then."""
    for named in reversed(find(text)):
        make, safe = _MAKE.search(text[: named.start]), _SAFE.match(text, named.end)
        if make and safe:
            inspect = f"inspect{make['ending'].removeprefix('e')}"
            verb = inspect.capitalize() if make[0][0].isupper() else inspect
            what = text[named.start : named.end]
            text = f"{text[: make.start()]}{verb} {what}{text[safe.end() :]}"
    return text
