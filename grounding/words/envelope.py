"""What a message by radio is wrapped in: who calls whom, and a sign-off; none of it is an order.

It is known by its shape. Before the first clause stand short parts without a verb: robots alone
(``/ HUSKY /``), who calls (``Control to Spot.``). Robots that it names are those who are spoken to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from commonground.grounding.language.vocabulary import FUNCTION_WORDS, vocabulary
from commonground.grounding.words.concepts import artifacts
from commonground.grounding.words.nouns import word_set

_DEEDS = word_set("INSPECT MOVE RETURN VISIT ENTER STAY PICK PUT AVOID EXCEPT EXPLORE")
_PART = re.compile(
    r"\s*+(?P<open>[\[(])?+\s*+(?P<said>(?:\b[Nn][or]\.|\.(?=\d)|-(?=\w)|[^.,:;!?\[\]()/–—\s-]|\s(?![/–—-]))+)\s*"
    r"(?P<end>[\])]\s*[.,:;–—-]?|[.,:;!]+|\s[/–—-]+|[–—]+)\s+(?=\S)"
)
"""A part before the first clause, and the mark that ends it."""
_SIGN_OFF = re.compile(r"(?P<mark>[.,;!?–—-]|\.\.\.|…)\s+over(?:\s+and\s+out)?\s*[.!]*\s*$", re.I)
_HERE = re.compile(r"(?:[A-Za-z]+ ){1,3}(?:here|calling|speaking)|this is(?: [A-Za-z]+){1,3}", re.I)
_CHOSEN = re.compile(r"\b(?:one|either|any|whichever) of you\b", re.I)
_ALL = re.compile(
    r"(?:all|both|any|either|each|one)(?: one)?(?: of)?(?: the)?(?: robots?| units?| you)", re.I
)


@dataclass(slots=True)
class _Opened:
    """What was found so far of an envelope."""

    to: list[str]
    wrapped: bool = False
    mark: str = ","
    """What stands behind those who are spoken to."""
    closed: bool = False
    """Whether a full stop ended their names."""


def opened(text: str, robots: Sequence[str], nouns: Collection[str] = ()) -> str:
    """Return a message without its envelope, spoken to those whom that names."""
    signed = _SIGN_OFF.search(text)
    inside = text
    if signed:
        mark = signed["mark"] if signed["mark"] in "?!" else "."
        inside = text[: signed.start()].rstrip() + mark
    found, rest = _Opened([]), inside
    while part := _PART.match(rest):
        if not _takes(found, part, robots, nouns, radio=bool(signed)):
            break
        rest = rest[part.end() :]
    if not found.wrapped or not any(map(str.isalpha, rest)):
        return inside if any(map(str.isalpha, inside)) else text
    if not found.to or (
        len(found.to) > 0 and _CHOSEN.search(rest) and not _names(found.to, robots)
    ):
        return rest
    return f"{' and '.join(dict.fromkeys(found.to))}{found.mark} {_going_on(rest, robots)}"


def _going_on(rest: str, robots: Sequence[str]) -> str:
    """Return a sentence as it goes on behind who is spoken to with a small letter, but for names."""
    word = rest.partition(" ")[0]
    named = {robot.casefold() for robot in robots} | {"i"}
    small = word.istitle() and word.casefold() in vocabulary()[1] - named
    return rest[:1].lower() + rest[1:] if small else rest


def _takes(
    found: _Opened,
    part: re.Match[str],
    robots: Sequence[str],
    nouns: Collection[str],
    *,
    radio: bool,
) -> bool:
    """Return whether a part belongs to the envelope, and note what it says."""
    said = " ".join(part["said"].split())
    called = _called(said, robots)
    if called and found.closed:
        found.to, found.wrapped = [], False  # two are called apart: who does what is not plain
        return False
    if called:
        found.closed = "." in part["end"]
        found.to.append(called)
        found.mark = ":" if part["end"].strip() == ":" else ","
        return True
    caller, _, heard = said.rpartition(" to ")
    heard = _called(heard, robots)
    if caller and heard and not _is_order(caller.split()[0]) and len(caller.split()) <= 3:
        found.to.append(heard)
        found.wrapped = True
        return True
    wraps = bool(found.to) and _is_sender(said, nouns, radio=radio)
    found.wrapped |= wraps
    return wraps


def _called(said: str, robots: Sequence[str]) -> str:
    """Return who is spoken to where words say nothing else; '' where they do."""
    names = {robot.casefold() for robot in robots}
    words = re.split(r"\s+(?:and|&)\s+", said)
    if names and all(word.casefold() in names for word in words):
        return " and ".join(words)
    return said if _ALL.fullmatch(said) else ""


def _names(to: Sequence[str], robots: Sequence[str]) -> bool:
    """Return whether those spoken to are called by their names."""
    names = {robot.casefold() for robot in robots}
    return any(word.casefold() in names for said in to for word in said.split())


def _is_sender(said: str, nouns: Collection[str], *, radio: bool) -> bool:
    """Return whether words behind who is called only say who calls: ``gatehouse here``, ``control``."""
    words = said.casefold().split()
    if _HERE.fullmatch(said):
        return True
    if any(map(_is_order, words[:1])):
        return False
    plain = radio and len(words) <= 2 and not any(w in nouns or w in vocabulary()[1] for w in words)
    return plain and bool(artifacts().senses(words[-1]))


def _is_order(word: str) -> bool:
    """Return whether a word may be an order or an exception, or binds words into a clause."""
    return word.casefold() in {*FUNCTION_WORDS, *deeds()} - {"to", "for"}


@cache
def deeds() -> tuple[str, ...]:
    """Return the words by which deeds and exceptions are said alone."""
    words = vocabulary()[0].children.items()
    return tuple(w for w, child in words if any(k in _DEEDS for k, _, _ in child.entries))
