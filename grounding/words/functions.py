"""Things said by what they are for: ``something to sit on`` is a seat."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonground.grounding.words.purposes import kinds_for, leading, words_above

_WHO = (
    r"(?:i|we|you|one|he|she|they|people|somebody|someone|everybody|everyone|"
    r"(?:an?|the) (?:person|man|woman|child))"
)
_HEADS = "thing|object|item|tool|device|machine|place|spot"
_PHRASE = re.compile(
    r"\b(?P<head>something|anything|somewhere|anywhere|"
    rf"(?:an?|some|any|one) (?:{_HEADS}|piece of furniture))\s+"
    rf"(?P<link>(?:(?:that|which|where) )?(?:{_WHO} )?(?:to|can|could)"
    r"|for|(?:(?:that|which) is )?(?:used|made|meant|good|useful) (?:for|to)"
    rf"|(?:that|which)(?: {_WHO})?)\s+(?=[a-z])",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?:used |made |meant |good |useful )?(?:to|for)\s+(?=[a-z]+)", re.IGNORECASE)
_WHERE = re.compile(
    rf"^where (?:(?:can|could|do|may|should) {_WHO} (?P<own>[a-z].*)"
    r"|(?:(?:the|an?|my|our|your) )?(?P<who>[a-z]+) can (?P<does>[a-z]+)(?P<rest>.*))$",
    re.IGNORECASE,
)
"""Places by what is done there; who does it may matter."""
_WHAT = re.compile(
    rf"^what (?:(?:(?:can|could|do|does|may|should) )?{_WHO} |can |could )?(?P<own>[a-z].*)$",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"^(?P<noun>[a-z]+(?: [a-z]+)??) "
    rf"(?:to|that|which|(?:(?:that|which) )?{_WHO}(?: can| could)?) (?P<own>[a-z].*)$",
    re.IGNORECASE,
)
"""A noun that is narrowed by a purpose: an instrument to make music with."""
_NO_PURPOSE = frozenset(["be", "have", "do", "look", "looks", "seem", "seems"])
_ASKED = re.compile(r"(?:to|can|could)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A text in which things that were said by their purpose have their names."""

    text: str
    notes: tuple[str, ...] = ()
    """What was taken for what."""
    unknown: str = ""
    """A purpose for which nothing is known."""


def first_of(kinds: Sequence[str]) -> str:
    """Return the kind that comes to mind first."""
    return kinds[0]


def named_by_function(text: str, choose: Callable[[Sequence[str]], str] = first_of) -> Named:
    """Return a text with ``a seat`` for ``something to sit on``; the first unknown purpose is told.

    ``choose`` says which of the kinds that serve a purpose is meant.
    """
    out, notes, at, unknown = [], [], 0, ""
    for found in _PHRASE.finditer(text):
        if found.start() < at:
            continue
        length, kinds = leading(text[found.end() :])
        if kinds:
            noun, said = choose(kinds), text[found.start() : found.end() + length]
            article = "any" if found[0].lower().startswith("any") else _article(noun)
            out += [text[at : found.start()], f"{article} {noun}"]
            notes.append(f"took '{said}' for {_article(noun)} {noun}")
            at = found.end() + length
        elif not unknown and _is_purpose(found["link"], text[found.end() :]):
            unknown = " ".join(text[found.start() :].split()[:5]).rstrip(".,;!?")
    return Named("".join([*out, text[at:]]), tuple(notes), unknown)


def serving(words: str) -> tuple[str, ...] | None:
    """Return the kinds that serve the purpose that words are, likeliest first; None where they are none.

    Nothing is returned where they are a purpose that the list does not have.
    """
    asked = _WHERE.match(words)
    if asked is not None:
        if asked["own"]:
            return kinds_for(asked["own"])
        does, who = asked["does"], asked["who"]
        return kinds_for(f"{does} {who}") or kinds_for(does + asked["rest"])
    what = _WHAT.match(words)
    if what is not None:
        return kinds_for(what["own"]) or None
    found = _PHRASE.match(words) or _PHRASE.match(f"a {words}") or _BARE.match(words)
    if found is None:
        return _narrowed(words)
    purpose = found.string[found.end() :]
    link = found.groupdict().get("link") or "to"
    return kinds_for(purpose) or (() if _is_purpose(link, purpose) else None)


def _narrowed(words: str) -> tuple[str, ...] | None:
    """Return those of the kinds of a noun that serve the purpose behind it; None where none does."""
    found = _NOUN.match(words)
    if found is None:
        return None
    kinds, noun = kinds_for(found["own"]), found["noun"].lower()
    if noun.rpartition(" ")[2] in _HEADS.split("|"):  # a safe place to
        return kinds or None
    return tuple(k for k in kinds if k.endswith(noun) or noun in words_above(k)) or None


def _is_purpose(link: str, behind: str) -> bool:
    """Return whether a verb with what it acts on follows, that nothing else could be meant by."""
    return bool(_ASKED.search(link)) and behind.split(maxsplit=1)[0].lower() not in _NO_PURPOSE


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
