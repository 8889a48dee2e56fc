"""Robots that a text names, and what each of them is told: the same in its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from rapidfuzz.distance import OSA

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.symbols import meant_symbols, symbols_said
from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.meaning import Instruction, Thing
from commonground.grounding.words.blanks import any_of

GROUP = re.compile(
    r"\b\w+ of (?:you|them|us)\b"
    r"|\byou (?:two|both|all)\b|\b(?:no one|nobody|(?:every|any|some)(?:one|body)|whoever)\b"
    r"|\b(?:team|robots|the others?)\b",
    re.IGNORECASE,
)
"""Words for several robots, whoever they are."""


def wrong_robots(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    """Yield the robots that only a text names, or only its meaning."""
    words = {name.lower() for name in _meant_robots(meaning)}
    meant = {name for name in robots if name.lower() in words}
    named = _named(robots, text)
    if not GROUP.search(text):
        yield from (
            f"the text does not name the robot {name}"
            for name in sorted(meant - named)
            if not _misspelled(name, text)
        )
    everybody = named == set(robots) and any(not a.who.names for a in meaning.assignments)
    wanted = set() if everybody else _named(robots, without_others(text, robots))
    yield from (
        f"the text names the robot {name}, which is left out" for name in sorted(wanted - meant)
    )


_TELLING = r"(?:ask|tell|let|have|get|make|remind)"
_ASKING = frozenset(["tell", "ask", "get"])
"""Before who is to do something: ``tell Anna to go``."""


def strangers(
    meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]
) -> Iterator[str]:
    """Yield who is addressed and is no robot here, where nobody else is."""
    if len(tokens) < 3 or any(one.who.names for one in meaning.assignments):
        return
    for asking, who, to in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if asking.text in _ASKING and to.text == "to" and who.text not in vocabulary()[1]:
            yield f"there is no robot '{who.text}' here, only {', '.join(robots)}"
    first, comma = tokens[:2]
    rest = " ".join(token.text for token in tokens[2:])
    group = " robot" in rest or GROUP.search(rest)  # lads, both of you
    if first.capital and comma.text == "," and not (group or _is_known(first.text, robots)):
        yield f"there is no robot '{first.text}' here, only {', '.join(robots)}"


def _is_known(word: str, robots: Sequence[str]) -> bool:
    return word in vocabulary()[1] or _misspelled(word, " ".join(robots))


def messengers(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    """Yield who is only to pass an order on, and is given it: ``Anna, ask Bert to go``.

    An order that somebody was given once is none now.
    """
    names = any_of(robots)
    told = {name.casefold() for one in meaning.assignments for name in one.who.names}
    for passed in re.finditer(
        rf"\b({names})\b\W+(?:\w+\s+){{0,3}}?{_TELLING}\s+({names})\b", text, re.I
    ):
        first, second = passed[1].casefold(), passed[2].casefold()
        if first != second and first in told and len(_pattern(first).findall(text)) == 1:
            yield f"the text has {passed[1]} only tell {passed[2]}"
    if re.search(
        rf"(?<!\bare )\b(?:told|ordered|asked)\s+(?:{names}|you|him|her)\s+to\b", text, re.I
    ):
        yield "the text only tells of an order"


def handed_over(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    """Yield what is left to another robot than the answer has do it: ``leave the flag to Bert``."""
    names = any_of(robots)
    for left in re.finditer(rf"\bleaves?\s+([^.;,!?\n]*?)\s+(?:to|for)\s+({names})\b", text, re.I):
        said = {*re.findall(r"\w+", left[1].casefold())}
        for one in meaning.assignments:
            who = {name.casefold() for name in one.who.names}
            if left[2].casefold() not in who and not said.isdisjoint(nouns_of(one.task)):
                yield f"the text leaves {left[1]} to {left[2]}"


def _named(robots: Sequence[str], text: str) -> set[str]:
    return {name for name in robots if is_named(name, text)}


def _meant_robots(meaning: Instruction) -> Iterator[str]:
    for one in meaning.assignments:
        yield from one.who.names
        yield from one.who.but
    for thing in parts_of(meaning, Thing):
        yield thing.noun


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name, whatever stands between the parts of it."""
    return bool(_pattern(name).search(text))


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    parts = re.findall(r"[^\W\d_]+|\d+", name)
    pattern = r"[\s_-]*".join(map(re.escape, parts))
    return re.compile(rf"(?<!\w){pattern}(?![^\W_])", re.IGNORECASE)


def without_others(text: str, robots: Sequence[str]) -> str:
    """Return a text with blanks for robots that are only told apart: ``Anna, not Bert``."""
    for name in robots:
        pattern = rf"\b(?:not|rather than|instead of)\s+{re.escape(name)}\b"
        text = re.sub(pattern, lambda found: " " * len(found[0]), text, flags=re.IGNORECASE)
    return text


def _misspelled(name: str, text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len(name) > 3 and any(OSA.distance(name.lower(), word) <= 1 for word in words)


def wrong_hands(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    """In a sentence that names one robot, what is named by a symbol is for that robot."""
    owners = _owners(text, robots)
    alike = {name for name in robots if _does_the_same(name, text)}
    for one in meaning.assignments:
        words = {name.lower() for name in one.who.names}
        names = {name for name in robots if name.lower() in words}
        told = [(str(s), owners.get(s.number, names)) for s in meant_symbols(one.task)]
        told += [(f"the {noun}", _told_of(noun, text, robots)) for noun in nouns_of(one.task)]
        for what, owner in told if names and not names & alike else ():
            if owner and not names & owner:
                yield f"{what} is for {' or '.join(sorted(owner))}, not for {' and '.join(sorted(names))}"


def _does_the_same(name: str, text: str) -> bool:
    """Return whether a robot is told what another was: ``Spot, likewise``."""
    same = r"(?:likewise|ditto|(?:(?:do|does)\s+)?the\s+same|too|as\s+well)"
    return bool(re.search(rf"\b{re.escape(name)}\W+{same}\s*(?:[.;,!?]|$)", text, re.IGNORECASE))


def _told_of(noun: str, text: str, robots: Sequence[str]) -> set[str]:
    """Return the one robot of the only sentence that has a noun; nobody where that is not plain."""
    having = [
        s
        for s in re.findall(r"[^.;!?\n]+", text)
        if re.search(rf"\b{re.escape(noun)}(?:e?s)?\b", s, re.I)
    ]
    here = {name for name in robots if len(having) == 1 and is_named(name, having[0])}
    return here if len(here) == 1 else set()


def nouns_of(value: Any) -> Iterator[str]:
    """Yield the last words of what things are called."""
    for thing in parts_of(value, Thing):
        yield from thing.noun.lower().split()[-1:]


def _owners(text: str, robots: Sequence[str]) -> dict[int, set[str]]:
    """Return which robots each number of a symbol may be for."""
    owners: dict[int, set[str]] = {}
    for sentence in re.findall(r"[^.;!?\n]+", text):
        here = [name for name in robots if is_named(name, sentence)]
        for symbol in symbols_said(tokenize(sentence)):
            owners.setdefault(symbol.number, set()).update(here if len(here) == 1 else robots)
    return owners
