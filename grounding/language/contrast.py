"""What is asked for by contrast: ``not the flag but the rock``, ``the rock rather than the flag``.

What is denied only says once more what is meant. Readers take it for an exception, a ban, or for more to do,
so it is left out where words say plainly which of the two it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import AFTER, Find, of_the_same_kind, whole
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Reference, Several, Thing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.wording import describe

_BUT = re.compile(
    r"\b(?P<no>neither|not|never|(?:do|should|must)(?:n['’]?t|\s+not)|dont)\s+(?P<only>only\s+|just\s+|merely\s+)?"
    r"(?P<denied>[^.;!?\n]*?)\s*,?\s+but\s+(?:also\s+|rather\s+|instead\s+)*",
    re.IGNORECASE,
)
_NOR = re.compile(r"\s*,?\s+nor\s+", re.IGNORECASE)
_INSTEAD = r"(?:rather\s+than|instead\s+of|in\s+place\s+of|as\s+opposed\s+to)\s+"
_BEHIND = re.compile(rf"\s*,?\s+{_INSTEAD}", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:(?<=[,.;!?\n])\s*|^){_INSTEAD}", re.IGNORECASE)
_NOT = re.compile(r"\s*,\s*not\s+", re.IGNORECASE)
_LED = re.compile(
    r"(?:to|at|in|into|on|onto|by|near|from|through|for|with)\s+(?=\S)", re.IGNORECASE
)
_CERTAIN = re.compile(r"(?:the|that|this|those|these|my|our|your|[A-Z]\d+)\b", re.IGNORECASE)
"""Of any other, what follows is an exception: ``no bench but the green one``."""


Same: TypeAlias = Callable[[str, str], bool]
"""Whether two nouns mean the same."""


def contrast(text: str, find: Find, same: Same) -> str:
    """Return a text without what it only denies beside what it asks for; Unclear where both are the same."""
    return _tailed(_instead(_but(text, find), find, same), find, same)


def _but(text: str, find: Find) -> str:
    """``neither the flag nor the rock but the fence``; ``not only the flag but the rock`` has both."""
    for said in _BUT.finditer(text):
        denied = _NOR.split(said["denied"])
        if (said["no"].casefold() == "neither") != (len(denied) > 1):
            continue
        verb, first = _ordered(denied[0])
        asked = _named(text[said.end() :], find)
        named = [_all_of(one, find) for one in (first, *denied[1:])]
        if asked is None or None in named or not AFTER.match(text, said.end() + asked.end):
            continue
        last, rest = named[-1], text[said.end() :]
        if said["only"]:
            return f"{text[: said.start()]}{said['denied']} and {rest}"
        if isinstance(asked.what, Thing) and asked.what.noun == ELIDED:
            noun = last.what.noun if last and isinstance(last.what, Thing) else ""
            taken, right = of_the_same_kind(asked, noun, rest[: asked.end])
            if taken is None:
                continue
            rest = right + rest[asked.end :]
        led = text[: said.start()] + verb  # go to the flag but to the rock
        rest = re.sub(rf"{led.split()[-1]}\s+", "", rest, count=1) if _LED.match(rest) else rest
        return f"{led}{rest}"
    return text


def _instead(text: str, find: Find, same: Same) -> str:
    """``the rock rather than the flag``; ``rather than the flag, inspect the rock``."""
    for said in _BEFORE.finditer(text):
        denied = _named(text[said.end() :], find)
        rest = text[said.end() + denied.end :].lstrip(" ,") if denied else ""
        verbs = phrases_in(tokenize(rest), DEEDS)
        if verbs and verbs[0].start == 0:
            return f"{text[: said.start()]} {rest}".lstrip()
    return _without(_BEHIND, text, find, same)


def _tailed(text: str, find: Find, same: Same) -> str:
    """``the fence, not the rock``; of several things it would be an exception."""
    return _without(_NOT, text, find, same)


def _without(behind: re.Pattern[str], text: str, find: Find, same: Same) -> str:
    """Return a text without what it denies behind a thing."""
    for said in behind.finditer(text):
        before = [one for one in find(text[: said.start()]) if one.end == said.start()]
        asked = before[0].what if before else None
        single = isinstance(asked, Thing) and asked.amount == "the"
        denied = _named(text[said.end() :], find)
        if denied and before and _is_one(before[0].what, denied.what, same):
            both = f"{describe(before[0].what)} and {describe(denied.what)}"
            raise Unclear(f"{both} are the same here. Which is meant, by its place or its number?")
        if denied and before and (single or behind is _BEHIND):
            end = said.end() + denied.end
            if AFTER.match(text, end):
                return text[: said.start()] + text[end:]
    return text


def _is_one(asked: Reference, denied: Reference, same: Same) -> bool:
    """Return whether what is asked for and what is denied are told apart by nothing but two nouns for one."""
    if not (isinstance(asked, Thing) and isinstance(denied, Thing)) or not (
        asked.noun and denied.noun
    ):
        return False
    return replace(asked, noun="") == replace(denied, noun="") and same(asked.noun, denied.noun)


def _named(words: str, find: Find) -> Mention | None:
    """Return the certain things that words begin with, whatever leads to them."""
    led = _LED.match(words)
    at = led.end() if led else 0
    if not _CERTAIN.match(words, at):
        return None
    found = next((whole(m, words[at:]) for m in find(words[at:]) if m.start == 0), None)
    excepted = found is not None and isinstance(found.what, Thing) and bool(found.what.but)
    if found is None or excepted:
        return None
    return found._replace(start=0, end=found.end + at)


def _all_of(words: str, find: Find) -> Mention | None:
    """Return the things that words name, if that is all they say."""
    found = _named(words.strip(), find)
    several = found is not None and isinstance(found.what, Several) and found.what.join == "any"
    return None if found is None or several or found.end != len(words.strip()) else found


def _ordered(words: str) -> tuple[str, str]:
    """Return the verb that words begin with, and the rest of them."""
    said = phrases_in(tokenize(words), DEEDS)
    if not said or said[0].start != 0:
        return "", words
    verb = words[: len(said[0].words)]
    return f"{verb} ", words[len(verb) :].lstrip()
