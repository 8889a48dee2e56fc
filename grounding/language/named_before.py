"""Words that stand for what was just said: ``the ladders in there``, ``wait by the gate with it``.

An area is called by its name again, and so is what ``one`` is any of (``I need a bag. Get me one``); what is
held stays held wherever its robot goes, so that is said once. Whom one waits for is no place to wait at.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.language.put_right import Find, LetterOf, led_to
from commonground.grounding.language.tokens import tokenize

_IN_THERE = re.compile(
    r"\b(?P<how>in|inside|into|from|out\s+of)\s+there\b(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|then|but|first|please|too|altogether|entirely|completely)\b)",
    re.I,
)
_ME_ONE = re.compile(
    r"\b(?:get|bring|fetch|grab|find|take)(?P<one>\s+(?:(?:me|us)\s+)?one)\b(?=\s*(?:[.,;:!?)]|$)|\s+(?:please|then|now)\b)",
    re.IGNORECASE,
)
_ANY = re.compile(r"an?(?:\s+(?!(?:in|on|at|by|near|with|from|of)\b)\w+){1,3}", re.IGNORECASE)
"""Any of a kind, wherever it is."""
_STAY = r"(?:stand|wait|stay|remain|park|linger|hang around)\w*"
_IN_HAND = r"\s+in\s+(?:(?:your|its|his|her)\s+)?(?:hands?|gripper|grip|tow|claws?)\b"
_HELD = rf"with\s+(?:(?:it|them)\b(?:{_IN_HAND})?|(?:that|those|the)\s+\w+{_IN_HAND})"
_WITH_IT_FIRST = re.compile(rf"(?P<stay>\b(?:and|then)\b),?\s+{_HELD}\s*,?(?=\s+[a-z])", re.I)
_WITH_IT = re.compile(
    rf"(?P<stay>\b(?:{_STAY}|be|come|go|drive|return|finish|end(?:\s+up)?)\b[^.;!?,\n]*?)\s+{_HELD}"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:at|by|in|on|near|next|beside|inside|until|till|and)\b)",
    re.IGNORECASE,
)
_TAKING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE"])
_BRINGING = re.compile(r"\b(?:bring|carry|move|deliver|put|place|set)(?:s|ing)?\b", re.IGNORECASE)
_WAIT_FOR = re.compile(
    rf"(?P<stay>\b{_STAY}\b(?!\s+(?:away|out|off|clear))[^.;!?,\n]*?)(?P<who>\s+for\s+(?:the|an?|my|our|his|her|their)\s+(?P<noun>\w+(?:\s\w+)?))"
    r"(?P<come>\s+to\s+\w+)?(?=\s*(?:[.,;:!?)]|$)|\s+and\b)",
    re.IGNORECASE,
)
"""Whom or what somebody waits for: ``wait there for the driver to come``."""


def named_before(text: str, find: Find, letter_of: LetterOf) -> str:
    """Return a text with the area named again that ``in there`` means, and without what is still held."""
    while (there := _IN_THERE.search(text)) and not _is_told(text, there):
        area = _last_area(text[: there.start()], find, letter_of)
        if not area:
            break
        text = f"{text[: there.start('how')]}{there['how']} {area}{text[there.end() :]}"
    one = _ME_ONE.search(text)
    named = [text[m.start : m.end] for m in find(text[: one.start()])][-1:] if one else []
    if one and named and _ANY.fullmatch(named[0]):
        text = f"{text[: one.start('one')]} {named[0]}{text[one.end('one') :]}"
    for still in (_WITH_IT_FIRST, _WITH_IT):
        held = still.search(text)
        if held and _is_taken(text[: held.start()]):
            text = text[: held.end("stay")] + text[held.end() :]
    return text


def _is_told(text: str, there: re.Match[str]) -> bool:
    """Return whether a text only ends with what people have there: ``I've got boards lying in there.``"""
    clause = re.split(r"[.;!?,\n]", text[: there.start()])[-1]
    told = re.match(r"\s*(?:I|we|they|he|she)(?:['’]ve|\s+have|\s+has)\b", clause, re.IGNORECASE)
    return told is not None and not any(map(str.isalnum, text[there.end() :]))


def _is_taken(text: str) -> bool:
    """Return whether something is to be taken up and not yet put anywhere, and nothing is forbidden."""
    said = tokenize(text)
    plain = NEGATIONS.isdisjoint(token.text for token in said)
    return plain and bool(phrases_in(said, _TAKING)) and not _BRINGING.search(text)


def _last_area(text: str, find: Find, letter_of: LetterOf) -> str:
    """Return the area that a text names last, in its words."""
    for named in reversed(find(text)):
        inner = led_to(text, named, find, "")
        for one in (inner, named):
            if one is not None and letter_of(one) == "region":
                return text[one.start : one.end]
    return ""


def unwaited(text: str, is_known: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Return a text without whom somebody waits for, and that, if the map has nothing that is called so."""
    found = _WAIT_FOR.search(text)
    if found is None or is_known(found["noun"]):
        return text, []
    end = found.end("stay")
    return text[:end] + text[found.end() :], [text[end : found.end()].strip()]
