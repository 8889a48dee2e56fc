"""Robots that a text names, and what each of them is told: the same in its meaning."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rapidfuzz.distance import OSA

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import is_named, name_pattern
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts, without_others
from commonground.grounding.fidelity.symbols import meant_symbols, symbols_said
from commonground.grounding.meaning import (
    AVOIDING,
    ELIDED,
    TOLD,
    Act,
    Assignment,
    Instruction,
    Thing,
    Who,
)
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.words.vocabulary import vocabulary

_LACKING = re.compile(
    r"\b(?:whoever|whichever(?: (?:robot|one|of you))?|(?:any|every|the) (?:robot|one)s? (?:that|who))\s+"
    r"(?:(?:has|have|is|are|can|does|do)(?: not|n['’]t| no| without)|cannot|lacks?)\b",
    re.IGNORECASE,
)
"""Robots told by what they have not, or cannot do."""
GROUP = re.compile(
    r"\b\w+ of (?:you|them|us)\b"
    r"|\byou (?:two|both|all)\b|\b(?:no one|nobody|(?:every|any|some)(?:one|body)|whoever)\b"
    r"|\b(?:team|robots|the others?)\b",
    re.IGNORECASE,
)
"""Words for several robots, whoever they are."""
_DESCRIBED = re.compile(
    r"\b(?P<who>robots|machines|units|those|of you|everyone|everybody)"
    r"\s+(?:with|without|that|who|which|able|capable)\b",
    re.IGNORECASE,
)
"""What only some robots are meant by."""
_TELLING = r"(?:ask|tell|let|have|get|make|remind)"
_ASKING = frozenset(["tell", "ask", "get"])
"""Before who is to do something: ``tell Anna to go``."""
_SENTENCE = re.compile(r"[^.;!?\n]+")


def wrong_robots(held: Held) -> Iterator[str]:
    """Yield the robots that only a text names, or only its meaning."""
    text, named, words = held.text, _named(held.robots, held.text), {*_told(held.meaning)}
    words |= {thing.noun.lower() for thing in held.parts(Thing)}
    meant = {name for name in held.robots if name.lower() in words}
    if not GROUP.search(text):
        made_up = (name for name in sorted(meant - named) if not _misspelled(name, text))
        yield from (f"the text does not name the robot {name}" for name in made_up)
    everybody = named == {*held.robots} and _tells_everybody(held)
    wanted = set() if everybody else _named(held.robots, without_others(text, held.robots))
    for name in sorted(wanted - meant):
        yield f"the text names the robot {name}, which is left out"
    yield from _lacking(held)


def _lacking(held: Held) -> Iterator[str]:
    """Yield robots told by what they have not, where none is left out."""
    lacking = _LACKING.search(held.text)
    if lacking and not any(who.cannot or who.but for who in held.parts(Who)):
        yield f"the text says '{lacking[0]}', and the answer leaves none out"


def _told(meaning: Instruction) -> Iterator[str]:
    """Yield who is told to do anything, and who is left out; who is spoken to, if nobody is."""
    every = meaning.assignments
    doing = [a for a in every if not (isinstance(a.task, Act) and a.task.do in TOLD)]
    for one in doing or every:
        yield from (name.lower() for name in (*one.who.names, *one.who.but))


def _tells_everybody(held: Held) -> bool:
    """Return whether anything is for all robots, or for any of those that are spoken to."""
    nameless = [one.who for one in held.meaning.assignments if not one.who.names]
    called = bool(nameless) and GROUP.search(held.text) is not None
    return called or any(who.choose != "one" for who in nameless)


def undescribed(held: Held) -> Iterator[str]:
    """Yield what tells some robots apart, where a meaning tells all: ``the robots with wheels``."""
    said = _DESCRIBED.search(held.text)
    if said is None:
        return
    whom = [one.who for one in held.meaning.assignments]
    one_able = any((w.can or w.cannot) and w.choose == "one" for w in whom)
    if one_able or (said["who"].casefold() != "those" and not any(map(_is_told, whom))):
        yield f"the text says '{said[0]}', and the answer is for any robot"


def _is_told(who: Who) -> bool:
    """Return whether robots are named, or told apart."""
    return bool(who.names or who.can or who.cannot or who.near or who.farthest)


def strangers(held: Held) -> Iterator[str]:
    """Yield who is addressed and is no robot here, where nobody else is."""
    tokens, words = held.tokens, held.words
    if len(tokens) < 3 or any(one.who.names for one in held.meaning.assignments):
        return
    for asking, who, to in zip(words, words[1:], words[2:], strict=False):
        if asking in _ASKING and to == "to" and who not in vocabulary()[1]:
            yield f"there is no robot '{who}' here, only {', '.join(held.robots)}"
    first, rest = words[0], " ".join(words[2:])
    group = " robot" in rest or GROUP.search(rest)  # lads, both of you
    known = first in vocabulary()[1] or _misspelled(first, " ".join(held.robots))
    if tokens[0].capital and words[1] == "," and not (group or known):
        yield f"there is no robot '{first}' here, only {', '.join(held.robots)}"


def denied_robots(held: Held) -> Iterator[str]:
    """Yield who is told something though only named to say who is not meant: ``Anna, not Bert, goes``."""
    told = {name.casefold() for one in held.meaning.assignments for name in one.who.names}
    denied = rf"\b(?:not|instead\s+of|rather\s+than)\s+({any_of(held.robots)})\b(?!['’]s)"
    for found in re.finditer(denied, held.text, re.I):
        name = found[1].casefold()
        if name in told and len(name_pattern(name).findall(held.text)) == 1:
            yield f"the text says '{found[0]}'"


def messengers(held: Held) -> Iterator[str]:
    """Yield who is only to pass an order on, and is given it: ``Anna, ask Bert to go``.

    An order that somebody was given once is none now.
    """
    names, text = any_of(held.robots), held.text
    told = {name.casefold() for one in held.meaning.assignments for name in one.who.names}
    passing = rf"\b({names})\b\W+(?:\w+\s+){{0,3}}?{_TELLING}\s+({names})\b"
    for passed in re.finditer(passing, text, re.I):
        first, second = passed[1].casefold(), passed[2].casefold()
        if first != second and first in told and len(name_pattern(first).findall(text)) == 1:
            yield f"the text has {passed[1]} only tell {passed[2]}"
    once = rf"(?<!\bare )\b(?:told|ordered|asked)\s+(?:{names}|you|him|her)\s+to\b"
    if re.search(once, text, re.I):
        yield "the text only tells of an order"


def handed_over(held: Held) -> Iterator[str]:
    """Yield what is left to another robot than the answer has do it: ``leave the flag to Bert``."""
    leaving = rf"\bleaves?\s+([^.;,!?\n]*?)\s+(?:to|for)\s+({any_of(held.robots)})\b"
    for left in re.finditer(leaving, held.text, re.I):
        said = {*re.findall(r"\w+", left[1].casefold())}
        for one in held.meaning.assignments:
            who = {name.casefold() for name in one.who.names}
            kept_off = {act.do for act in parts_of(one.task, Act)} <= {*AVOIDING}
            another = left[2].casefold() not in who
            if kept_off if not another else not said.isdisjoint(nouns_of(one.task)):
                yield f"the text leaves {left[1]} to {left[2]}"


def wrong_hands(held: Held) -> Iterator[str]:
    """In a sentence that names one robot, what is named by a symbol is for that robot."""
    text, robots = held.text, held.robots
    owners = _owners(text, robots)
    alike = {name for name in robots if _does_the_same(name, text)}
    for one in held.meaning.assignments:
        names = told_to(robots, one.who.names)
        told = [(str(s), owners.get(s.number, names)) for s in meant_symbols(one.task)]
        nouns = {*nouns_of(one.task)} - _nouns_of_others(held, one) - {ELIDED}
        told += [(f"the {noun}", _told_of(noun, text, robots)) for noun in sorted(nouns)]
        for what, owner in told if names and not names & alike else ():
            if owner and not names & owner:
                yield f"{what} is for {' or '.join(sorted(owner))}, not for {' and '.join(sorted(names))}"


def left_open(held: Held) -> Iterator[str]:
    """Yield what is left to anybody though its sentence speaks to one: ``go in, Spot, and never go in``."""
    for one in held.meaning.assignments:
        for noun in (
            () if one.who.names else sorted({*nouns_of((*wanted_acts(one.task),))} - {ELIDED})
        ):
            told = _told_of(noun, held.text, held.robots) - told_to(held.robots, one.who.but)
            if told and not GROUP.search(held.text):
                yield f"the {noun} is for {' or '.join(sorted(told))}, not for anybody"


def _nouns_of_others(held: Held, one: Assignment) -> set[str]:
    """Return what is told others of, too, though not of the same things: ``Anna the red, Bert the blue``."""
    others = (a for a in held.meaning.assignments if a.who != one.who and a.task != one.task)
    return {noun for other in others for noun in nouns_of(other.task)}


def told_to(robots: Sequence[str], names: Collection[str]) -> set[str]:
    """Return which robots are called by some names, in whatever letters."""
    words = {name.lower() for name in names}
    return {name for name in robots if name.lower() in words}


def _named(robots: Sequence[str], text: str) -> set[str]:
    return {name for name in robots if is_named(name, text)}


def _misspelled(name: str, text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len(name) > 3 and any(OSA.distance(name.lower(), word) <= 1 for word in words)


def _does_the_same(name: str, text: str) -> bool:
    """Return whether a robot is told what another was: ``Spot, likewise``."""
    same = r"(?:likewise|ditto|(?:(?:do|does)\s+)?the\s+same|too|as\s+well)"
    return bool(re.search(rf"\b{re.escape(name)}\W+{same}\s*(?:[.;,!?]|$)", text, re.IGNORECASE))


def _told_of(noun: str, text: str, robots: Sequence[str]) -> set[str]:
    """Return the one robot of the only sentence that has a noun; nobody where that is not plain."""
    said = re.compile(rf"\b{re.escape(noun)}(?:e?s)?\b", re.I)
    having = [sentence for sentence in _SENTENCE.findall(text) if said.search(sentence)]
    here = _named(robots, having[0]) if len(having) == 1 else set()
    return here if len(here) == 1 else set()


def _owners(text: str, robots: Sequence[str]) -> dict[int, set[str]]:
    """Return which robots each number of a symbol may be for."""
    owners: dict[int, set[str]] = {}
    for sentence in _SENTENCE.findall(text):
        here = _named(robots, sentence)
        for symbol in symbols_said(tokenize(sentence)):
            owners.setdefault(symbol.number, set()).update(here if len(here) == 1 else robots)
    return owners
