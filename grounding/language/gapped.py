"""A verb that is said once for several robots: ``Anna checks the red bins and Bert the blue ones``.

What the second is told without a verb takes that of the first; ``Bert, same again on the pier`` takes its
noun as well. So each is told in words that need no others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_POINTING = r"(?:the|that|those|all|both|every|each|an?|any|one|two|three|four|whichever|my|our)\b"
_PLACING = r"(?:at|by|on|in|to|near|beside|inside|behind)\b"
_JOINT = r"(?:[,;.]\s*(?:(?:and|while|but|then)\s+)?|\s(?:and|while|but)\s+)"
_AGAIN = r"(?:(?:do(?:es)?\s+)?(?:the\s+)?same(?:\s+(?:again|thing))?|likewise|ditto)"
_ENDS = re.compile(r"[.;!?\n]")
_UP_TO = re.compile(r"[.,;:!?\n]|\b(?:and|while|but|then)\b", re.IGNORECASE)
_CASES = word_set("if when unless until till before after whoever then first either or")
"""Where a text says one of these, the verb may be said of one alone."""
_DEALING = word_set("take takes get gets do does handle handles cover covers")
"""What is dealt out so says elsewhere what to do with it."""
_FREE = DEEDS - {"AVOID", "OMIT"}


def gapped(text: str, find: Find, robots: Sequence[str]) -> str:
    """Return a text that says to each robot what it shall do, where a verb was said for the first alone."""
    names = any_of(robots)
    told = re.compile(
        rf"{_JOINT}(?P<who>\b{names}\b)(?P<mark>[,:]?)\s+"
        rf"(?:(?P<again>{_AGAIN}\s+)(?={_PLACING})|(?P<how>{_PLACING}\s+)?(?={_POINTING}))",
        re.IGNORECASE,
    )
    at = len(text) if "way round" in text or "other way" in text else 0
    while found := told.search(text, at):
        at = found.end()
        said = _said_before(text, found, find, names)
        if said:
            behind = text[found.start("how") if found["how"] else found.end() :]
            text = f"{text[: found.end('who')]}{found['mark']} {said} {behind}"
    return text


def _said_before(text: str, found: re.Match[str], find: Find, names: str) -> str:
    """Return the words of another robot's order that a robot's own lacks; empty where that is not plain."""
    own = _UP_TO.split(text[found.end() :], 1)[0]
    stops = [mark.end() for mark in _ENDS.finditer(text, 0, found.start())]
    before = text[(stops or [0])[-1] : found.start()]
    words = {token.text for token in tokenize(before)}
    deeds = _deeds(before)
    others = re.search(rf"\b{names}\b", before, re.IGNORECASE)
    plain = words.isdisjoint(NEGATIONS | _CASES) and others and others[0] != found["who"]
    verbs = [deed for deed in _deeds(own) if not any(deed.start < m.end for m in find(own)[:1])]
    more = own.rstrip().endswith(("est", "most"))  # of what, the first was told as well
    if (
        not plain
        or not deeds
        or deeds[-1].words in _DEALING
        or verbs
        or more
        or not BEING.isdisjoint(own.casefold().split())
    ):
        return ""
    return _elided(before[deeds[-1].start :], deeds[-1].words, found)


def _elided(order: str, verb: str, found: re.Match[str]) -> str:
    """Return the beginning of an order that another says with other things, or elsewhere, again."""
    if found["again"]:
        what = re.match(rf"{re.escape(verb)}\s+(?:{_POINTING}).*?(?=\s+{_PLACING})", order, re.I)
        return what[0] if what else ""
    how = (found["how"] or "").strip()
    led = re.match(rf"{re.escape(verb)}(?P<how>\s+{_PLACING})?\s+{_POINTING}", order, re.I)
    if led is None or (how and how.casefold() != (led["how"] or "").strip().casefold()):
        return ""
    return verb + (led["how"] or "" if not how else "")


def _deeds(text: str) -> list[Said]:
    return [deed for deed in phrases_in(tokenize(text), _FREE) if deed.words not in BEING]
