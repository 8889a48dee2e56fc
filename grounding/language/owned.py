"""What is some robot's to do, said of the thing: ``the red one is Spot's``, ``the rest belongs to Husky``.

Each is told what it takes: ``Spot takes the red one``. Where the verb was just said, it is that:
``check the bins but the red ones, those are Spot's``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.dealt import PICK, deed_of
from commonground.grounding.language.latter import HAVING
from commonground.grounding.language.put_right import Find, whole
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of, blanked
from commonground.grounding.words.nouns import word_set

_PICKED = re.compile(
    rf"{PICK}|\b(?:those|these|they|that|it)(?=['’]|\s+(?:is|are)\b)", re.IGNORECASE
)
_BEGINS = re.compile(r"(?:^|[.,;:!?\n–—]|\b(?:and|but|so|while))\s*$", re.IGNORECASE)
_AND = re.compile(r"\band\s+(?=\w)", re.IGNORECASE)
_BE = r"(?P<is>is|are|was|were|will\s+be|shall\s+be)|(?P<falls>goes|go|belongs?|falls?)"
_IS = rf"(?:\s*,?\s+(?:{_BE})|['’](?:s|re))?"
_DUTY = r"(?:\s+(?:jobs?|task|business|affair|concern|responsibility|duty|department|turn|share|problem))?"
_TO_DO = r"(?:\s+to\s+(?P<verb>[a-z]+(?:\s+(?:at|on|over|after|to)\b)?))?"
_OVER = r"(?=\s*(?:[.,;:!?]|$)|\s+(?:and|but|while)\b)"
_TAKING = word_set("take takes get gets do does have has handle handles cover covers")
"""Verbs that say whose something is, and not what is done with it."""


def owned(text: str, find: Find, robots: Sequence[str], *, silent: bool = False) -> str:
    """Return a text that tells each robot to do what is said to be its own.

    What is to be done with it must have been told, or may be told elsewhere (``silent``).
    """
    who = any_of(robots)
    text = re.sub(
        rf"\b({who})['’]s\s+(?:is|are)\s+((?:the|those)\s[^.,;:!?]*?|all\s[^.,;:!?]*?)(?=\s*(?:[.,;:!?]|$))",
        r"\2 are \1's",
        text,
        flags=re.IGNORECASE,
    )  # Anna's are the red ones
    said = re.compile(
        rf"{_IS}(?:\s+(?:all|both))?\s+(?:(?:for|to)\s+(?P<to>{who})|(?P<who>{who})['’]s?{_DUTY}){_TO_DO}{_OVER}",
        re.IGNORECASE,
    )
    made, end, last = "", 0, ""
    for start, stop in _things(text, find):
        own = said.match(text, stop)
        if own is None or start < end or not (end or _is_dealt(own, silent=silent)):
            continue
        before = made + text[end:start]
        verb = own["verb"] or _told_last(before, find)
        if verb is None or deed_of(verb or "inspect") is None or not (verb or silent):
            continue
        does = f"is to {verb}" if verb else "takes"
        made, end = f"{before}{own['who'] or own['to']} {does} {text[start:stop]}", own.end()
        last = verb
    return made + (_going_on(text[end:], who, last) if last else text[end:])


def _going_on(rest: str, who: str, verb: str) -> str:
    """Return what follows with the same verb for who gets something else: ``and Husky gets the van``."""
    joined = rf"^(\s*,?\s*(?:(?:and|while|but)\s+)?(?:{who}))"
    gets = rf"{joined}\s+(?:gets|has|does)\s+(?=(?:the|that|those|all)\b)"
    return re.sub(gets, rf"\1 is to {verb} ", rest, flags=re.IGNORECASE)


def _is_dealt(own: re.Match[str], *, silent: bool) -> bool:
    """Return whether a thing is said to be a robot's to do: not ``the parcel is for Anna``."""
    told = own["is"] and (own["verb"] or silent)
    return bool(own["who"] or own["falls"] or told)


def _things(text: str, find: Find) -> list[tuple[int, int]]:
    """Return where a text names things, or takes some up that were named.

    Of several that something is told of before, the last: ``Spot takes the red and the blue are Husky's``.
    """
    found = {one.span() for one in _PICKED.finditer(text)}
    for one in find(text):
        start, end, _ = whole(one, text)
        joints = [joint.end() for joint in _AND.finditer(text, start, end)]
        told = joints and not _BEGINS.search(text, 0, start)
        found.add((joints[-1] if told else start, end))
    return sorted(found)


def _told_last(text: str, find: Find) -> str | None:
    """Return what was told last, empty where nothing was; None where that is nothing to be told again."""
    sentence = re.split(r"[.!?\n]", text.rstrip(" .!?\n"))[-1]
    said = tokenize(blanked(sentence, [one[:2] for one in find(sentence)]))
    deeds = [one.words for one in phrases_in(said, DEEDS) if one.words not in HAVING]
    deeds = [words for words in deeds if words not in _TAKING]
    if not deeds:
        return ""
    denied = not NEGATIONS.isdisjoint(token.text for token in said)
    return None if denied else deed_of(deeds[-1])
