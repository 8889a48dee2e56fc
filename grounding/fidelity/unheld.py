"""What no goal can hold: how often, by which way, which part of an area, which of several at intervals.

A goal says what is true in the end or never on the way. Readers drop what says more, as there is nothing in
a meaning that it could become; so it is looked for in the text, and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.fidelity.times import when_alone
from commonground.grounding.meaning import Act, Plan, Relation, Several, Thing, Who

_END = r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|but|then|or|please|first|too|for)\b)"
_NUMBER = r"(?:one|two|three|four|five|six|\d+)"
_SAME_OR_OTHER = r"(?:same|different|other|another|long|longest|scenic)"
_LENGTH = r"\d+(?:\.\d+)? ?(?:m|met(?:er|re)s?|feet|ft|yards?)"
_EACH_OTHER = r"(?:each other|one another)"
_NOTHING_HOLDS = re.compile(
    r"\b(?:"
    rf"(?:only|just|exactly|at most|at least|no(?:t)? more than) (?:once|twice|{_NUMBER} times?){_END}"
    r"|(?:at (?:the )?most|no more than|up to(?! one\b)|a maximum of)"
    rf" {_NUMBER}\b(?! ?(?:m\b|met|feet|ft|yard))"
    rf"|{_NUMBER}(?: (?!m\b|met|feet|ft|yard)\w+)?,?"
    r" (?:at (?:the )?most|tops|max(?:imum)?|or (?:fewer|less))\b"
    r"|again and again|over and over|repeatedly|(?:most|least) (?:recent|often|frequent)(?:ly)?"
    rf"|once only|(?:once )?and only once|(?:twice|thrice|{_NUMBER} times)(?!,? once (?:by|for)\b)"
    rf"|{_SAME_OR_OTHER} (?:way|route)\b(?! (?:a?round|about))"
    r"|(?:never|not|without|\w+n['’]t)(?: ever)?"
    r" (?:return(?:ing)?|(?:come|coming|go|going) back)\b(?! (?:to|in|into|on)\b)"
    r"|without (?!hurry|rush|delay|hesitat|fail)\w+ing" + _END + r""
    r"|(?:in (?:a )?(?:straight line|circles?|zigzags?)|backwards?|sideways|facing)"
    r"|(?:far|fur)th(?:est|er) (?:apart|from " + _EACH_OTHER + ")"
    rf"|(?:closest|nearest|closer) (?:together|to {_EACH_OTHER})"
    rf"|{_LENGTH} (?:to the |due )?(?:(?:north|south)(?:east|west)?|east|west|left|right|behind|ahead)"
    r"|from (?:the )?(?:front|back|behind|rear|above|below|afar|(?:all|both) sides)" + _END + ")",
    re.IGNORECASE,
)  # fmt: skip
_BESIDES = re.compile(
    r"\b(?:(?:do|try|visit|check|inspect) (?:it|that|this|them) (?:all )?again"
    rf"|repeat (?:it|that|this|them){_END}|redo (?:it|that|this|them)"
    r"|in (?:\w+ical|\w+ending|random|size) order|(?:alternating|alternately|(?:in|taking|by) turns)\b"
    rf"|(?:(?:come|go|drive|get|return) (?:straight |right )?back|return|come) to (?:me|us){_END}"
    rf"|in reverse{_END}|without being \w+"
    r"|only (?:when|if) you (?:have|get|find|feel|are|can|want)"
    r"|starting (?:at|from|with|in|on) (?:the|your) (?:far|near|other|opposite|back|front|left|right)\b)"
    r"|(?<=,)\s*(?:maybe|perhaps|possibly)(?=\s*(?:[.;!)]|$))",
    re.IGNORECASE,
)
"""Once more, in which order, in turns, to the speaker, and what leaves an order in doubt."""
_FOLLOWING = re.compile(
    r"\b(?:follow|shadow|trail|tail|escort|accompany)(?:ing|s)? (?P<who>\w+)", re.I
)
_INTERVALS = re.compile(
    r"\b(?:(?:every|each) (?:other|second|third|fourth|fifth|\d+(?:nd|rd|th))(?! (?:than|robot|of you)\b)"
    r"|alternate)\b",
    re.IGNORECASE,
)
"""Some at intervals; where others are left out, ``every other car`` may be all but those."""
_FROM_SIDE = re.compile(
    rf"\bfrom (?:the )?(?P<side>(?:north|south)(?:east|west)?|east|west|left|right)(?: (?:side|end))?{_END}",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:the|its|a|that|very) (?P<part>cent(?:er|re)|middle|heart|edges?|rim|border|perimeter"
    r"|outskirts|corners?|(?:far|near|other|back|front) (?:end|side)|entrance|exit|back|rear)"
    r" of (?:the|this|that|our|my|your) (?P<whole>(?:\w+ ?){1,3})",
    re.IGNORECASE,
)  # fmt: skip
_WHOSE_PART = re.compile(
    r"\b(?P<whole>\w+)['’]s (?P<part>cent(?:er|re)|middle|edge|rim|border|corner|entrance|exit|rear)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\bbetween (?!you|them|us|yourselves|themselves|both|the (?:two|pair) of (?:you|them|us)\b|\d)(?=\w)",
    re.IGNORECASE,
)
_GERUND = re.compile(r"(?:the )?\w+ing\b", re.IGNORECASE)
"""What somebody does has nothing between it."""
_MOST = re.compile(
    r"\b(?P<how>(?:the|its) (?:most|least|fewest)) (?!of\b|important|urgent|likely|part\b)(?P<what>\w+)",
    re.IGNORECASE,
)


def unheld(held: Held) -> Iterator[str]:
    """Yield what a text says and no goal can."""
    checks = (_plainly, when_alone, _intervals, _sides, _parts, _gaps)
    for said in dict.fromkeys(said for check in checks for said in check(held)):
        yield f"the text says '{said}', and no goal can say that"
    yield from _unknown_most(held)


def _plainly(held: Held) -> Iterator[str]:
    described = _described(held)
    for said in (*_NOTHING_HOLDS.finditer(held.text), *_BESIDES.finditer(held.text)):
        if not described.issuperset(said[0].casefold().split()):
            yield said[0].strip()
    yield from (f[0] for f in _FOLLOWING.finditer(held.text) if held.is_robot(f["who"].casefold()))


def _intervals(held: Held) -> Iterator[str]:
    said = _INTERVALS.search(held.text)
    leaves = any(thing.but or thing.of == "other" for thing in held.parts(Thing))
    if said and not leaves:
        yield said[0]


def _sides(held: Held) -> Iterator[str]:
    """Yield from where something is to be looked at; ``the second from the left`` counts things."""
    counted = any(relation.rank for relation in held.parts(Relation))
    for said in _FROM_SIDE.finditer(held.text):
        if not counted:
            yield said[0]


def _parts(held: Held) -> Iterator[str]:
    """Yield the part of something that an answer does anything with as a whole."""
    nouns, described = {*nouns_of(tuple(held.parts(Act)))}, _described(held)
    between = any(relation.how == "between" for relation in held.parts(Relation))
    for pattern in (_PART, _WHOSE_PART):
        for said in pattern.finditer(held.text):
            whole, part = said["whole"].casefold().split(), said["part"].casefold().split()
            if not nouns.isdisjoint(whole) and not described.issuperset(part) and not between:
                yield said[0].strip()


def _gaps(held: Held) -> Iterator[str]:
    """Yield a ``between`` that an answer has neither of things nor of robots that share."""
    between = any(relation.how == "between" for relation in held.parts(Relation))
    shared = any(who.choose in ("share", "one", "other") for who in held.parts(Who)) or any(
        choice == "any"
        for choice in (*(s.join for s in held.parts(Several)), *(p.order for p in held.parts(Plan)))
    )
    for said in _BETWEEN.finditer(held.text):
        behind = held.text[said.end() :].split()[0].strip(".,;:!?").casefold()
        deeds = _GERUND.match(held.text, said.end())
        if not (between or shared or deeds or held.is_robot(behind)):
            yield f"{said[0]}{behind}"


def _unknown_most(held: Held) -> Iterator[str]:
    """Yield of what something has the most, or is it, where an answer goes by anything else."""
    counted = any(relation.how in ("most", "fewest") for relation in held.parts(Relation))
    described = _described(held)
    sided = held.phrases(frozenset(["COMPASS_MOST", "SIZE", "NEAREST", "FARTHEST"]))
    known = {word for said in sided for word in said.words.split()}
    for said in _MOST.finditer(held.text):
        what = said["what"].casefold()
        if not counted and what not in described and what not in known:
            yield f"the map does not tell what has or is {said[0]}"


def _described(held: Held) -> set[str]:
    described = (part for t in held.parts(Thing) for part in (t.noun, t.trait, t.color))
    return {word for part in described for word in part.casefold().split()}
