"""What a message is wrapped in: a reference, who sends it to whom, and a sign-off; none of it is an order.

It is known by its shape. Before the first clause stand short parts without a verb: a label with a number that
nothing on the map bears (``Work order 12:``), robots alone (``Assignee: Spot.``, ``/ HUSKY /``), who calls
(``Control to Spot.``). Robots that it names are those who are spoken to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from commonground.grounding.words.concepts import artifacts, everyday
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.vocabulary import FUNCTION_WORDS, vocabulary

_DEEDS = word_set("INSPECT MOVE RETURN VISIT ENTER STAY PICK PUT AVOID EXCEPT EXPLORE")
_BEINGS = word_set("GENERIC ROBOT_NOUN SITE ID_WORD FINAL_NOUN")
_PART = re.compile(
    r"\s*+(?P<open>[\[(])?+\s*+(?P<said>(?:\b[Nn][or]\.|\.(?=\d)|-(?=\w)|[^.,:;!?\[\]()/–—\s-]|\s(?![/–—-]))+)\s*"
    r"(?P<end>[\])]\s*[.,:;–—-]?|[.,:;!]+|\s[/–—-]+|[–—]+)\s+(?=\S)"
)
"""A part before the first clause, and the mark that ends it."""
_REFERENCE = re.compile(
    r"(?:(?P<label>[A-Za-z]{2,}(?: [A-Za-z]{2,})?)[ ./:-]{0,2})?"
    r"(?P<sign>#\s?|[Nn][or]\.\s?)?(?P<number>\d[\d./-]*)"
)
_SIGN_OFF = re.compile(
    r"(?P<mark>[.,;!?–—-]|\.\.\.|…)\s+(?:over(?:\s+and\s+out)?|out|how\s+copy|do\s+you\s+copy|acknowledge|confirm)\s*[.!?]*\s*$",
    re.I,
)
_UNREAL = re.compile(
    r"\A(?:(?:the|this|my|our|his|her|what|everything|all|imagine|suppose|here|only)\b|yesterday['’]s)"
    r"[^.,:;!?\n]*?(?:\A|\b)(?:(?<!that )(?<!which )(?<!who )(?:was|were)"
    r"|opposite|example|cancell?ed|emergency|dream\w*|imagine|suppose)\b[^.:;!?\n]*:|\Aas an example\b",
    re.IGNORECASE,
)
_HERE = re.compile(r"(?:[A-Za-z]+ ){1,3}(?:here|calling|speaking)|this is(?: [A-Za-z]+){1,3}", re.I)
_CHOSEN = re.compile(r"\b(?:one|either|any|whichever) of you\b", re.I)
_PERSON = re.compile(
    r"(?P<plain>assigned(?: to)?|to|for|attn|attention|robots?)|\w+(?:ee|er|or|ent|ant)s?", re.I
)
"""What stands before those to whom a message goes: a person by what he does, or what is done to him."""
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


def unreal_heading(text: str) -> str:
    """Return what heads an order that is none, or of another day: ``The plan was once:``."""
    found = _UNREAL.match(text.strip())
    return found[0] if found else ""


def opened(text: str, robots: Sequence[str], nouns: Collection[str] = ()) -> str:
    """Return a message without its envelope, spoken to those whom that names."""
    signed = _SIGN_OFF.search(text)
    inside = text
    if signed:
        mark = signed["mark"] if signed["mark"] in "?!" else "."
        inside = text[: signed.start()].rstrip() + mark
    found, rest = _Opened([]), inside
    while part := _PART.match(rest):
        if not _takes(found, part, rest[part.end() :], robots, nouns, radio=bool(signed)):
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
    rest: str,
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
    wraps = (
        (not found.to and _is_reference(said, part, rest, nouns))
        or (bool(found.to) and _is_sender(said, nouns, radio=radio))
        or _is_label(said, part["end"], rest, robots, nouns)
    )
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


def _is_reference(said: str, part: re.Match[str], rest: str, nouns: Collection[str]) -> bool:
    """Return whether words are what a message is filed under, and name nothing that can be gone to."""
    found = _REFERENCE.fullmatch(said)
    if found is None or not (found["label"] or found["sign"] or part["open"]):
        return False
    label = (found["label"] or "").casefold()
    if not label:
        return True
    if re.search(rf"\b{label}[ ./:-]{{0,2}}\d", rest, re.I):
        return False  # one of several headings of one message
    if any(map(_is_order, label.split())):
        return False
    head = label.split()[-1]
    return not any(_is_thing(w, nouns, wide=not found["sign"]) for w in (label, head))


def _is_thing(word: str, nouns: Collection[str], *, wide: bool) -> bool:
    """Return whether a word may name a thing, a place or a robot."""
    entry = vocabulary()[0].children.get(word)
    kinds = {kind for kind, _, _ in entry.entries} if entry else set()
    known = any(form in nouns for form in singulars(word)) or not _BEINGS.isdisjoint(kinds)
    return known or bool(everyday().senses(word)) or (wide and bool(artifacts().senses(word)))


def _is_sender(said: str, nouns: Collection[str], *, radio: bool) -> bool:
    """Return whether words behind who is called only say who calls: ``gatehouse here``, ``control``."""
    words = said.casefold().split()
    if _HERE.fullmatch(said):
        return True
    if any(map(_is_order, words[:1])):
        return False
    plain = radio and len(words) <= 2 and not any(w in nouns or w in vocabulary()[1] for w in words)
    return plain and bool(artifacts().senses(words[-1]))


def _is_label(
    said: str, end: str, rest: str, robots: Sequence[str], nouns: Collection[str]
) -> bool:
    """Return whether words only say that who is spoken to follows, or how many they are."""
    words = said.casefold().split()
    person = _PERSON.fullmatch(" ".join(words[-2:] if words[-1] == "to" else words[-1:]))
    if person is None:
        return False
    head = words[-1]
    if not person["plain"] and (head in vocabulary()[1] or _is_thing(head, nouns, wide=True)):
        return False
    if len(words) == 2 and count_of(words[0]) is not None:
        named = {r for r in robots if re.search(rf"\b{re.escape(r)}\b", rest, re.I)}
        return count_of(words[0]) == len(named)
    follows = _PART.match(rest)
    alone = follows is not None and bool(_called(" ".join(follows["said"].split()), robots))
    return alone and end.strip() == ":" and not any(map(_is_order, words))


def _is_order(word: str) -> bool:
    """Return whether a word may be an order or an exception, or binds words into a clause."""
    return word.casefold() in {*FUNCTION_WORDS, *deeds()} - {"to", "for"}


@cache
def deeds() -> tuple[str, ...]:
    """Return the words by which deeds and exceptions are said alone."""
    words = vocabulary()[0].children.items()
    return tuple(w for w, child in words if any(k in _DEEDS for k, _, _ in child.entries))
