"""The one of two, or of a list, that was just named: ``there's a fountain and a statue; go to the latter``.

It is called by its name; what only introduced the two is no order and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.mentions import Mention, parts_said
from commonground.grounding.language.put_right import Find, whole
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Several, Thing, things_in
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import plural

HAVING = BEING | {"got", "have", "has"}
"""Verbs by which a text tells what there is."""
_PICK = re.compile(
    r"\bthe\s+(?:(?:(?P<latter>latter)|(?P<former>former))(?:\s+one)?\b(?!\s+of\b)"
    r"|(?:(?P<first>first)|(?P<second>second)|(?P<third>third)|(?P<fourth>fourth)|(?P<last>last)|(?P<other>other))(?:\s+one)?"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|then|please|too|for|before|after)\b))",
    re.IGNORECASE,
)
_ONE_OTHER = re.compile(
    r"\bthe\s+one(?P<between>(?:\s*[,;]|\s+(?:and|while|but)\b)[^.!?\n]*?)\bthe\s+other(?=\s*(?:[.,;!?]|$))",
    re.IGNORECASE,
)
"""``Pick up the one and check the other`` of two that were named."""
_PLACES = {"former": 0, "first": 0, "latter": 1, "second": 1, "third": 2, "fourth": 3, "last": -1}
_OF_TWO = frozenset(["former", "latter", "other"])
_ENDS = re.compile(r"[.;!?\n:]\s*")
_PAUSE = re.compile(r",\s*(?:so\s+)?(?=[^,]*$)", re.IGNORECASE)
_TAIL = re.compile(r"\s+(?:in|on|at|by|near)\s+(?:the|our|my)\s.*", re.IGNORECASE | re.DOTALL)
_EXCEPT = re.compile(
    r"\s+(?:except(?:ing|\s+for)?|but(?:\s+not)?|bar(?:ring)?|save|excluding|(?:apart|aside)\s+from)\s+",
    re.I,
)
_OF = re.compile(r"^\s*(?:(?:out\s+)?of|between|as\s+(?:for|to))\s+$", re.IGNORECASE)
_A = re.compile(
    r"^(?:(?:you\s+know|you\s+see|well|so)\b,?\s*)*(?:(?:an?|one|some|the|another)\b)?\s*",
    re.IGNORECASE,
)
"""What stands before a noun, and fillers before that."""


def latter(text: str, find: Find, robots: Sequence[str]) -> str:
    """Return a text that names what it calls the former or the latter, where that is plain."""
    text = _ONE_OTHER.sub(r"the former\g<between>the latter", text)
    picks = [*_PICK.finditer(text)]
    if not picks:
        return text
    before = [whole(one, text) for one in find(text) if one.end <= picks[0].start()]
    pair = [*_left_out(text, before)] or _with_tail([*_pair(text, before)], text, before)
    places = _places(picks)
    of_two = any(pick.lastgroup in _OF_TWO for pick in picks)
    if places is None or len(pair) <= max(1, *places) or (of_two and len(pair) != 2):
        return text
    start, end = _introducing(text, before, picks[0].start(), robots)
    if start == end and not all(pick["latter"] or pick["former"] for pick in picks):
        return text  # the first of what there is may be another
    said, at = text[:start], end
    for pick, place in zip(picks, places, strict=True):
        said += text[at : pick.start()] + _A.sub("the ", pair[place])
        at = pick.end()
    return said + text[at:]


def _places(picks: Sequence[re.Match[str]]) -> list[int] | None:
    """Return which of two each pick is; the other one is that which was not picked before."""
    found: list[int] = []
    for pick in picks:
        if pick["other"] and not found:
            return None
        found.append(1 - found[-1] if pick["other"] else _PLACES[pick.lastgroup or ""])
    return found


def _pair(text: str, named: Sequence[Mention]) -> Iterator[str]:
    """Yield the two things that a text names, or the list of more, if it names no others."""
    first, last = named[:1], named[-1:]
    noun = next((one.what.noun for one in first if isinstance(one.what, Thing)), "")
    if len(named) > 1 and not _is_two(named[0]):
        last = []
    if len(named) <= 2 and last and isinstance(last[0].what, Several):
        parts = parts_said(text, last[0])
        noun = noun or next((t.noun for t in things_in(last[0].what) if t.noun != ELIDED), "")
    elif len(named) == 2 and all(isinstance(one.what, Thing) for one in named):
        parts = [text[one.start : one.end] for one in named]
    else:
        return
    yield from (re.sub(r"\bone\b(?=\s|$)", noun, _A.sub("", part)) for part in parts)


def _with_tail(pair: list[str], text: str, named: Sequence[Mention]) -> list[str]:
    """Return two things that are only spoken of, both where the second is: ``of the bin and van at home``."""
    begin = (
        max((mark.end() for mark in _ENDS.finditer(text, 0, named[0].start)), default=0)
        if named
        else 0
    )
    tail = (
        _TAIL.search(pair[-1])
        if len(pair) == len("ab") and _OF.match(text[begin : named[0].start])
        else None
    )
    return [pair[0] + tail[0], pair[1]] if tail and not _TAIL.search(pair[0]) else pair


def _left_out(text: str, named: Sequence[Mention]) -> Iterator[str]:
    """Yield what is left where some are left out of the only things named, and those."""
    one = named[0].what if len(named) == 1 else None
    words = text[named[0].start : named[0].end] if one else ""
    said = _EXCEPT.search(words) if isinstance(one, Thing) and one.but else None
    if said is not None and isinstance(one, Thing):
        many, but = plural(one.noun), words[said.end() :]
        but = re.sub(r"\bones\b", many, re.sub(r"^those\b", many, but, flags=re.IGNORECASE))
        for part in (words, but):
            yield _A.sub("", re.sub(r"(?:\s+(?:is|are)(?:\s+to)?(?:\s+be)?)$", "", part))


def _is_two(named: Mention) -> bool:
    """Return whether something is named of which there are two."""
    return isinstance(named.what, Thing) and 2 in (named.what.count, named.what.total)


def _introducing(
    text: str, named: Sequence[Mention], pick: int, robots: Sequence[str]
) -> tuple[int, int]:
    """Return what only introduces two things: their sentence, or ``of the two``; it may be empty."""
    start, end = named[0].start, named[-1].end
    called = re.compile(rf"\b{any_of(robots)}\b", re.IGNORECASE)
    begin = max((m.end() for m in _ENDS.finditer(text, 0, start)), default=0)
    call = re.compile(rf"\s*{called.pattern}\s*,?\s*", re.IGNORECASE).match(text, begin)
    begin = call.end() if call else begin
    if _OF.match(text[begin:start]):
        comma = re.compile(r"\s*,\s*").match(text, end)
        return (begin, comma.end()) if comma else (pick, pick)
    over = _ENDS.search(text, end, pick)
    who = called.search(text, end, over.start() if over else pick)
    if over is None and who is None:  # Anna, there's a red van and a blue one, check the former
        over = _PAUSE.search(text, end, pick) if call else None
    if over is None and who is None:
        return pick, pick
    stop = who.start() if who else over.end() if over else pick
    return (begin, stop) if _only_tells(text[begin:stop], begin, named, robots) else (pick, pick)


def _only_tells(words: str, begin: int, named: Sequence[Mention], robots: Sequence[str]) -> bool:
    """Return whether words, from somewhere in a text, tell nobody to do anything."""
    said = tokenize(words)
    deeds = [begin + one.start for one in phrases_in(said, DEEDS) if one.words not in HAVING]
    told = any(all(not one.start <= deed < one.end for one in named) for deed in deeds)  # a bag
    other = not {token.text for token in said}.isdisjoint({*map(str.casefold, robots), *NEGATIONS})
    return not told and not other
