"""Things that are narrowed down in the same breath: ``check the barrels, but only the red ones``.

Only those are meant; a reader that takes the addition for an exception or for more to do does the opposite.
So it is with what is left out in the next breath (``check the barrels. Not the red one, mind``), and how many
are meant of what is any one anyway (``check a barrel, just the one``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import Find, of_the_same_kind, whole
from commonground.grounding.meaning import ELIDED, Thing
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import word_set

_ONLY = re.compile(
    r"\s*(?:[,;:(–—-]|\.{2,}|…)?\s*(?:(?:but|and|though|well)\s*,?\s+)?(?:only|just|merely|solely)\s+"
    r"(?:(?:at|to|in|into|on|by|with)\s+)?",
    re.I,
)
_NOT = re.compile(r"\s*[,;.(–—-]\s*(?:(?:but|and|though|well|only)\s*,?\s+)?not\s+", re.I)
_ONE = re.compile(r"(?:the\s+|a\s+single\s+)?one", re.I)
_ANY = re.compile(r"^any\s+(?!one\b)", re.I)
_WHICH = re.compile(r"\s*[,.–—-]\s*(?:(?:i mean|that is|namely)\s*,?\s*)?", re.IGNORECASE)
"""Between one thing and what tells which it is: ``the bench, the red one``."""
_TAG = re.compile(
    r"\s*,?\s*\b(?:mind(?:\s+you)?|though|that\s+is|i\s+mean)\b(?=\s*[,.;:!?)]|\s*$)", re.I
)
_COLORS = re.compile(
    r"(?P<before>\b(?:(?:looks?|goe?s?|drives?|heads?)\s+)?\w+\s+)?\b"
    r"(?P<all>all\s+(?:of\s+)?(?:the|our|those)|all|the|our|those|every|each)\s+(?P<noun>\w+(?:\s+\w+)?)\s+(?:that|which)(?:['’]s|\s+is|\s+are)\s+"
    r"(?:either\s+)?(?P<one>\w+)\s+or\s+(?P<other>\w+)(?=\s*(?:[.,;:!?]|$)|\s+(?:and|then|please)\b)",
    re.I,
)
"""Whatever has either color is meant: no choice is left."""
_AMONG = word_set(
    "of but bar save except excepting excluding for nearest closest farthest furthest near beside by behind "
    "between at in on with from than not like as to"
)
"""Behind one of these, colors tell among or near which something is."""
_OR = re.compile(r"\s+or\s+(?P<color>\w+)", re.I)
_SUCH_AS = re.compile(
    r"\bsuch(?:\s+(?P<of>of\s+(?:the|those|our|my)\s+[^.,;:!?]+?)|\s+(?P<noun>\w+))?\s+as\s+(?=(?:are|have|stand|lie|is|has)\b)",
    re.IGNORECASE,
)
"""``such as are green``, ``such of the bins as are green``."""
_PAINTED = re.compile(
    r"(?:\b(?P<those>those|ones)|\b(?P<be>is|are))\s+(?:painted|colou?red)\s+(?=(?P<color>\w+))",
    re.IGNORECASE,
)
_OVER = re.compile(r"\s*(?:[,.;:!?)–—-]|$)|\s+(?:and|then|please)\b", re.I)
"""Behind what is added; ``only the red ones are empty`` tells more of them."""


def narrowed(text: str, find: Find) -> str:
    """Return a text that names only what is meant of several things, where it says so behind them."""
    text = _SUCH_AS.sub(_those, text)
    text = _PAINTED.sub(_of_color, text)
    named = [whole(one, text) for one in find(text)]
    plain = (_only(text, first, meant) for first, meant in pairwise(named))
    return _COLORS.sub(_of_both, next(filter(None, plain), text))


def _only(text: str, first: Mention, meant: Mention) -> str | None:
    """Return a text that names only what is meant of what it names first; None where it says no more."""
    what, again = first.what, meant.what
    if not (isinstance(what, Thing) and isinstance(again, Thing) and again.noun == ELIDED):
        return None
    between, end = text[first.end : meant.start], _end(text, meant)
    said, tag = text[meant.start : end], _TAG.match(text, end)
    end = tag.end() if tag else end
    if what.but or not _OVER.match(text, end):
        return None
    only, many = _narrows(what, again, between), what.amount == "all"
    if only and _ONE.fullmatch(said):
        one = _ANY.sub("any one ", text[first.start : first.end])
        return None if many else text[: first.start] + one + text[end:]
    if many and _NOT.fullmatch(between):
        return f"{text[: first.end]} except {said}{text[end:]}"
    taken, right = of_the_same_kind(first, what.noun, said)
    return f"{text[: first.start]}{right}{text[end:]}" if only and taken else None


def _narrows(what: Thing, again: Thing, between: str) -> bool:
    """Return whether what is named again only tells what of something is meant, or which one it is."""
    single = what.amount == again.amount == "the" and what.of is None and again.of is None
    said = _ONLY.fullmatch(between) or (single and _WHICH.fullmatch(between))
    return bool(said)


def _end(text: str, meant: Mention) -> int:
    """Return where a phrase ends, another color counted: ``those that are red or blue``."""
    other = _OR.match(text, meant.end)
    return other.end() if other and names_color(other["color"]) else meant.end


def _those(said: re.Match[str]) -> str:
    """Return what is meant by ``such boats as``, ``such of the boats as``, ``such as``."""
    if said["noun"]:
        return f"the {said['noun']} that "
    return f"those {said['of']} that " if said["of"] else "those that "


def _of_color(found: re.Match[str]) -> str:
    """Return what is painted some color as what has it."""
    if not names_color(found["color"]):
        return found[0]
    return f"{found['those']} that are " if found["those"] else f"{found['be']} "


def _of_both(said: re.Match[str]) -> str:
    """``the vans that are red or blue`` → ``the red vans and the blue vans``."""
    colors, before = (said["one"], said["other"]), said["before"] or ""
    if before.strip().casefold() in _AMONG or not all(map(names_color, colors)):
        return said[0]
    return before + " and ".join(f"{said['all']} {color} {said['noun']}" for color in colors)
