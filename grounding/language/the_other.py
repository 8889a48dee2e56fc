"""One here, the other there: ``take one of the bags to the flag and the other to the rock``.

The verb and the noun are said once. With both in either half each is an order of its own, and what is called
the other there is not what went here.
"""

from __future__ import annotations

import re

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import AFTER, Find
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import Reference, Thing
from commonground.grounding.words.nouns import singular

_TO = r"(?P<led>(?:over\s+)?(?:to|at|by|near|in|into|on|onto|beside|next\s+to))"
_OTHER = re.compile(
    rf"\s*,?\s+(?P<and>and\s+(?:then\s+)?|then\s+)(?:the\s+other|another)(?:\s+one)?\s+{_TO}\s+",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:(?:any\s+)?one|an?|either)\s", re.IGNORECASE)
_THERE = re.compile(rf"\s+{_TO}\s+", re.IGNORECASE)
_PUTTING = frozenset(["PUT", "PUT_SPLIT", "PICK_OR_PLACE"])


def the_other(text: str, find: Find) -> str:
    """Return a text that says of the other, too, what is to be done with it."""
    for said in _OTHER.finditer(text):
        begin = max(text.rfind(mark, 0, said.start()) for mark in ".;:!?\n") + 1
        order = _order(text[begin : said.start()], find)
        if order is not None and _goes_there(text, said.end(), find):
            verb, noun = order
            rest = text[said.end() :]
            there = f"{verb} the other {noun} {said['led']} {rest}"
            return f"{text[: said.start()]} {said['and']}{there}"
    return text


def _order(words: str, find: Find) -> tuple[str, str] | None:
    """Return the verb of the last order, and the noun of the one of some that it has put somewhere."""
    for deed in reversed(phrases_in(tokenize(words), _PUTTING)):
        start = deed.start + len(deed.words)
        gap = len(words[start:]) - len(words[start:].lstrip())
        for there in _THERE.finditer(words, start):
            what = words[start + gap : there.start()]
            one = _whole(what, find)
            if one is not None and _ONE.match(what) and _whole(words[there.end() :], find):
                noun = _noun(one.what)
                return (words[deed.start : start], noun) if noun else None
    return None


def _whole(words: str, find: Find) -> Mention | None:
    """Return what words name, if that is all they say."""
    return next((one for one in find(words) if one.start == 0 and one.end == len(words)), None)


def _goes_there(text: str, at: int, find: Find) -> bool:
    """Return whether nothing but a place is told of the other."""
    named = next((one for one in find(text[at:]) if one.start == 0), None)
    return named is not None and AFTER.match(text, at + named.end) is not None


def _noun(what: Reference) -> str:
    """Return what one of several is called."""
    if not isinstance(what, Thing):
        return ""
    within = what.among if what.among is not None and not what.noun else what
    return singular(within.noun) if isinstance(within, Thing) else ""
