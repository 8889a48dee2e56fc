"""Exceptions that are said late: ``check the cars, Anna, all but the red one``, ``… Not the red one``.

They stand behind what they are an exception from, where readers look for them.
"""

from __future__ import annotations

import re

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.put_right import Find, whole
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Thing, things_in

_LATE = re.compile(
    r"\s*[,.;:–—-]+\s*(?:(?:and|but|though)\s+)?(?:all\s+(?:of\s+them\s+)?)?"
    r"(?:but\s+not|not|but|bar(?:ring)?|save(?:\s+for)?|except(?:ing|\s+for)?|excluding|(?:apart|aside)\s+from"
    r"|leaving\s+(?:out|aside))\s+(?=(?:the|that|those)\b)",
    re.IGNORECASE,
)
_SKIPPING = re.compile(
    r"\s*,\s*(?:though|but)\s+(?:you\s+(?:can|may|should)\s+)?(?:skip|ignore|omit|leave\s+out)\s+(?:any(?:thing)?|those|the\s+ones)"
    r"\s+(?:(?:that|which)(?:['’](?:s|re)|\s+is|\s+are)\s+)?(?=(?:in|on|at|by|near|inside|behind)\b)",
    re.IGNORECASE,
)
"""``but you can skip any that's in the yard``."""
_ALL_OF_THEM = re.compile(
    r"\s*,\s*(?:all|each|every\s+(?:single\s+)?one|the\s+lot)\s+of\s+them\b(?:\s*,)?", re.I
)
_OVER = re.compile(
    r"(?:\s*,\s*(?:mind(?:\s+you)?|though|please|that\s+is)\b)?(?=\s*(?:[.,;:!?–—]|$))", re.I
)


def excepted(text: str, find: Find) -> str:
    """Return a text with late exceptions right behind the things that they are taken from."""
    text = _SKIPPING.sub(" except those ", text)
    for late in _LATE.finditer(text):
        named = [whole(one, text) for one in find(text)]
        but = next((one for one in named if one.start == late.end()), None)
        before = [one for one in named if one.end <= late.start() and not _is_pronoun(one)]
        if but is None or not before or not _is_left_out(but, before[-1]):
            continue
        over, between = _OVER.match(text, but.end), text[before[-1].end : late.start()]
        if over is None or not (between or "." in late[0]) or _tells_more(between):
            continue
        every = f"{text[: before[-1].end]} except {text[but.start : but.end]}"
        return f"{every}{_ALL_OF_THEM.sub('', between)}{text[over.end() :]}"
    return text


def _is_pronoun(named: Mention) -> bool:
    """Return whether a phrase only takes up what was named: ``all of them``."""
    return refers_back(named.what) and not any(t.noun for t in things_in(named.what))


def _is_left_out(but: Mention, every: Mention) -> bool:
    """Return whether a thing may be one of several."""
    what, all_of = but.what, every.what
    if not isinstance(what, Thing) or not isinstance(all_of, Thing):
        return False
    several = all_of.amount == "all" and not all_of.but
    return several and what.noun in (ELIDED, all_of.noun) and bool(what.where or what.color)


def _tells_more(words: str) -> bool:
    """Return whether more is told to be done, or a sentence ends, between things and their exception."""
    told = phrases_in(tokenize(words), DEEDS)
    ends = re.search(r"[.;!?\n]", words) is not None
    first = (one.words.split()[0] for one in told)
    return ends or any(not (word in BEING or word.endswith("ed")) for word in first)
