"""What is brought to somebody: to where that person is told to be, ``I'm on the sofa, bring me the book``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.functions import named_by_function

_BEING = r"(?:['’](?:m|s|re|ve)|\s+(?:am|is|are|has|have))"
_WHERE = re.compile(
    rf"\b(?P<who>[a-z]+){_BEING}(?:\s+(?!not\b|never\b|going\b)[a-z]+){{0,3}}?\s+(?P<place>(?P<how>in|on|at)\s+"
    r"(?:the|my|our|his|her|their)\s+(?P<noun>[a-z]+(?:\s+[a-z]+)?))",
    re.IGNORECASE,
)
_BROUGHT = re.compile(
    r"\b(?:bring|get|fetch|hand|pass|give)\s+(?P<whom>me|us|him|her|them)\s+(?P<what>(?:an?|the|some|my|our|his|her|their|that|this"
    r"|something)\b(?:(?!\s(?:and|then|so|from|out|off|in|on|for)\b)[^.,;:!?])+)",
    re.IGNORECASE,
)
_CALLED_FOR = re.compile(
    rf"(?:\s*,?\s*\b(?:and|so)\s+(?:now\s+)?)?\b(?P<whom>I|we|he|she|they)(?:{_BEING}(?:\s+[a-z]+)?\s+(?:shouting|asking|calling)\s+for|\s+(?:want|need)s?)"
    r"\s+(?P<what>(?:(?:an?|the|some|my|his|her|their)\s+)?[a-z]+(?:\s+[a-z]+)?)(?=\s*[.,;!?]|\s*$)",
    re.IGNORECASE,
)


def brought(text: str, home: Home) -> str:
    """Return a text in which what is brought to somebody is put where that one is, if that is told."""
    where = _WHERE.search(text)
    if where is None or home.nouns.named(where["who"]) is not None:
        return text
    place = _place(where["noun"], home)
    if not place:
        return text
    how = "in" if where["how"].lower() == "in" else "on"

    def said(found: re.Match[str]) -> str:
        if _speaks(found["whom"]) != _speaks(where["who"]):
            return found[0]  # they may be things: ``they're on the desk, bring me one``
        what = _thing(found["what"].strip(), home)
        return f"put {what} {how} the {place}" if what else found[0]

    told, rest = text[: where.end()], text[where.end() :]
    changed = _BROUGHT.sub(said, rest)
    before = text[: where.start()]
    if changed == rest and (fetched := _BROUGHT.sub(said, before)) != before:
        return fetched + text[where.start() :]
    if changed == rest:
        changed = _CALLED_FOR.sub(
            lambda found: found[0] if (put := said(found)) == found[0] else f". {put}", rest
        )
    return told + changed


def _speaks(pronoun: str) -> bool:
    """Return whether a pronoun is for those who speak."""
    return pronoun.lower() in ("i", "we", "me", "us")


def _place(words: str, home: Home) -> str:
    """Return as many of some words as name what things are put on; nothing where none do."""
    first = words.split(maxsplit=1)[0]
    for said in (words, first):
        noun = home.nouns.named(said)
        types = home.present(noun.types) if noun is not None else ()
        if types and home.usually(types, "receptacle"):
            return said
    return ""


def _thing(what: str, home: Home) -> str:
    """Return what is to be brought by its name; nothing where it is nothing that is carried here."""

    def here(kinds: Sequence[str]) -> str:
        return next((kind for kind in kinds if _is_carried(kind, home)), kinds[0])

    called = named_by_function(what, here).text
    return (
        called
        if _is_carried(re.sub(r"^\w+\s+(?=\w)", "", called), home)
        else (f"the {called}" if _is_carried(called, home) else "")
    )


def _is_carried(words: str, home: Home) -> bool:
    noun = home.nouns.named(words)
    types = home.present(noun.types) if noun is not None else ()
    return bool(types) and home.usually(types, "pickupable")
