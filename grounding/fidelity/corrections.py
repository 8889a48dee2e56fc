"""What a text takes back: things and robots named before ``no, make that`` or behind ``forget the trip to``.

What stands instead of them is read like the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.held import wanted_acts
from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.meaning import Instruction, Thing
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.closed import DO, WITHDRAWING
from commonground.grounding.words.tokens import tokenize

INSTEAD = re.compile(
    r"\b(?:no|oh),?\s+(?:no|wait|sorry|hang on|hold on|not)\b|\bsorry,?\s+(?:no|I)\b"
    rf"|\b(?:{WITHDRAWING}) that\b|\bcorrection\b|\bI mean(?:t)?\b(?! the one\b)|\bor rather\b"
    r"|(?<=[,.;–—])\s*\bno\b(?=\s*[,–—])|\bsorry,?\s+wrong\b"
    r"|\b(?:actually|wait|hang on|hold on)[\s,–—-]+"
    r"(?=\w+\s(?:[\w']+\s){0,2}(?:do|take|handle|get)\s+(?:that|it|this)\b)"
    r"|(?:\.\.|…|[–—])\s*no\b|(?<=[.;!?…–—,] )(?:oh,?\s+)?never mind(?=\s*,)"
    r"|\bmake (?:that|it) (?:the(?! (?:first|second|next|last)\b)|a|an|one|R?\d)",
    re.IGNORECASE,
)
"""After these comes what is meant instead of what was named last."""
_OFF = re.compile(
    r"\b(?:forget|cancel|scrap|drop|skip|scratch|call off)\s+(?:about\s+)?(?:the\s+)?"
    r"(?:(?:trip|visit|stop|run|drive|bit|part|order|one)\s+(?:to|at|about|with|for)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
"""Of what follows these, nothing is to be done after all, where it was told before."""
OTHER_WAY = (
    r"(?:(?:the\s+)?(?:other|opposite) way (?:(?:a)?round|about)\b|vice versa\b|the reverse\b"
    r"|(?:(?:i|we)(?:['’]ve)?\s+)?(?:got|had|said|put|have)\s+(?:that|this|it|them|those)\s+"
    r"(?:backwards|mixed up|(?:the\s+)?wrong way (?:a)?round)\b"
    r"|(?:swap|switch)\s+(?:that|those|them|these|it|the two|you two|roles|places)(?:\s+(?:over|a?round))?\b)"
)
"""With these, each of two is to do what was told the other."""
_WITHDRAWN = re.compile(
    r"(?:\bno,?\s+(?:wait|hang on|hold on|sorry)|(?:scratch|strike|cancel)\s+(?:that|it))\b"
    r"|\bbut\s+(?:no|not\s+(?:now|today|yet|any\s?more|any\s+longer)|never\s+mind|forget\s+it)(?=\W*$)"
    r"|(?<=[.;!?…] )not\s+(?:now|today|yet|any\s?more)(?=\W*(?:though|either|please)?\W*$)"
    r"|(?<=[.;!?…–—] )(?:never\s+mind|forget\s+it)(?=\W*$)"
    rf"|on second thoughts?\b|(?<=[.;!?…] )actually\b|(?<!not ){OTHER_WAY}",
    re.IGNORECASE,
)
_JOKE = re.compile(r"\b(?:just|only) (?:kidding|joking|teasing)(?=\s*(?:[.;!?)]|$))", re.I)
"""Nobody knows how much of what was said before this was meant."""
_MORE = re.compile(
    r"(?<=[,.;!?–—])\s*\b(?:no|sorry|actually|scratch that),?\s+(?:both|all|every\s+one)\b"
    r"(?:\s+of\s+(?:you|them|those))?(?=\s*(?:[,.;:!?]|$))",
    re.IGNORECASE,
)
"""More of what was named, or of those who were called: ``check one pump. No, both``."""
_MEANT = (
    r"\b(?:(?:I|we)(?:(?:['’]d|\s+had)(?:\s+(?!better)\w+){{0,3}}?\s+(?:meant|intended|planned|hoped|wanted|thought\s+of|been\s+\w+ing)"
    r"|\s+(?:was|were)(?:\s+\w+)?\s+(?:going|about|planning|meaning|intending)\s+to)"
    r"|(?:you|{robots})(?:\s+both)?\s+(?:was|were)(?:\s+\w+)?\s+(?:going|supposed|meant|due)\s+to)\b"
    r"(?!\s+(?:to\s+)?(?:ask|say|suggest|request|see)\b)(?:(?!\bbut\b)[^.,;:!?\n–—])*"
)
"""What was meant to be done is told; ``I was going to ask you to check it`` asks."""
_TAKEN_UP = re.compile(
    r"\b(?P<verb>\w+(?:\s+(?:at|to|of|on|up|after|care\s+of))?)\s+(?:it|that|this|so|them|those|there)\b"
    r"(?=\s*(?:[.,;:!?]|$)|\s+(?:now|please|instead|for|first|then|and|today|to)\b)",
    re.IGNORECASE,
)
"""What was meant is to be done after all: ``Anna, do it``, ``check it now``."""
_CLAUSE = re.compile(r"(?:(?!\b(?:and|then)\b)[^.;!?,\n])*,?\s*\Z")
"""The clause that ends somewhere."""
_ONE = re.compile(r"\bones?\b", re.IGNORECASE)
"""This stands for a thing that was named before."""
_SAID_OF = re.compile(
    r"\b(?:the|an?|my|our|that|this)\s+(?P<said>(?:\w+\s+){1,2})\Z", re.IGNORECASE
)
"""What is said of a thing before it is named."""


class Taken(NamedTuple):
    """A word that is taken back, and where it stands."""

    word: str
    start: int
    end: int


def taken_back(text: str, nouns: Iterable[str], robots: Sequence[str]) -> list[Taken]:
    """Return what a text takes back; of what is taken back by name, every mention."""
    words = {*nouns, *robots}
    named = sorted((t for word in words for t in _mentions(text, word)), key=lambda t: t.start)
    meant = [
        one._replace(start=start, end=end)
        for start, end in intended_in(text, robots)
        for one in named
        if start <= one.start < end and (one.word in robots or not is_taken_up(text[end:]))
    ]
    return [*_put_right(text, named, robots), *_called_off(text, named), *meant]


def intended_in(text: str, robots: Sequence[str]) -> list[tuple[int, int]]:
    """Return where a text tells what was only meant to be done; what was not to be done still is not."""
    meant = re.compile(_MEANT.format(robots=any_of(robots)), re.IGNORECASE)
    return [found.span() for found in meant.finditer(text) if not negators(found[0])]


def is_taken_up(rest: str, *, as_told: bool = False) -> bool:
    """Return whether the rest of a text has something done with what was named, or just what was told."""
    said = (found for found in _TAKEN_UP.finditer(rest) if not negators(rest[: found.end()]))
    verbs = [found["verb"].casefold() for found in said]
    deeds = () if as_told else (phrases_in(tokenize(verb), DEEDS - {"OMIT"}) for verb in verbs)
    return not DO.isdisjoint(verbs) or any(deeds)


def _put_right(text: str, named: Sequence[Taken], robots: Sequence[str]) -> Iterator[Taken]:
    """Yield what something else of its kind is said instead of, with all that it was described by."""
    for cue in INSTEAD.finditer(text):
        one = False if _ONE.search(text, cue.end()) else None
        instead = next((t.word in robots for t in named if t.start >= cue.end()), one)
        before = [t for t in named if t.end <= cue.start() and (t.word in robots) == instead]
        clause = _CLAUSE.search(text, 0, cue.start())
        inside = [t for t in before if clause is not None and t.start >= clause.start()]
        if inside:
            said = _SAID_OF.search(text, 0, inside[0].start)
            start = said.start("said") if said else inside[0].start
            yield inside[0]._replace(start=start, end=cue.start())
        else:
            yield from before[-1:]


def _called_off(text: str, named: Sequence[Taken]) -> Iterator[Taken]:
    """Yield what was told before and is not to be done after all."""
    for cue in _OFF.finditer(text):
        gone = {t.word for t in named if t.start == cue.end()}
        mentions = [t for t in named if t.word in gone]
        if any(t.start < cue.start() for t in mentions):
            yield from (*mentions, Taken(cue[0], cue.start(), cue.end()))


def withdrawn(text: str, nouns: Iterable[str], robots: Sequence[str]) -> Iterator[str]:
    """Yield what takes back something that nothing is said instead of."""
    for cue in _WITHDRAWN.finditer(text):
        if not any(
            t.start >= cue.end() for word in (*nouns, *robots) for t in _mentions(text, word)
        ):
            yield f"the text says '{cue[0]}', and not what instead"
    if joke := _JOKE.search(text):
        yield f"the text says '{joke[0]}', and no goal can say that"
    if more := _MORE.search(text):
        yield f"the text says '{more[0].strip()}' of what it said before"


def _mentions(text: str, word: str) -> Iterator[Taken]:
    for found in re.finditer(rf"\b{re.escape(word)}(?:e?s)?\b", text, re.IGNORECASE):
        yield Taken(word, found.start(), found.end())


def kept_all_the_same(meaning: Instruction, rest: str, taken: Iterable[Taken]) -> Iterator[str]:
    """Yield what is taken back and yet done."""
    done = {
        thing.noun.casefold().split()[-1]
        for act in wanted_acts(meaning)
        for thing in parts_of((act.what, act.to), Thing)
        if thing.noun
    }
    for who in sorted({one.word.casefold() for one in taken}):
        if _is_still_told(meaning, rest, who) or _is_done_by_more(meaning, rest, who):
            yield f"the text tells another robot than {who} after all"
    for word in sorted({one.word for one in taken}):
        head = word.casefold().split()[-1]
        if head in done and not re.search(rf"\b{re.escape(head)}", rest, re.IGNORECASE):
            yield f"the text takes the {word} back"


def _is_still_told(meaning: Instruction, rest: str, who: str) -> bool:
    """Return whether a robot is told anything that a text does not name after all, or only with ``not``."""
    told = {name.casefold() for one in meaning.assignments for name in one.who.names}
    named = re.search(rf"(?<!\bnot )\b{re.escape(who)}\b", rest, re.IGNORECASE)
    return who in told and named is None


def _is_done_by_more(meaning: Instruction, rest: str, who: str) -> bool:
    """Return whether a robot does what it is not told in the end, or what only another is told."""
    own: set[str] = set()
    others: set[str] = set()
    for one in meaning.assignments:
        names = {name.casefold() for name in one.who.names}
        nouns = {t.noun.casefold().split()[-1] for t in parts_of(one.task, Thing) if t.noun}
        own |= nouns if who in names else set()
        others |= nouns if names - {who} else set()
    said = {n: len(re.findall(rf"\b{re.escape(n[:-1])}", rest, re.IGNORECASE)) for n in own}
    return any(said[n] < (2 if n in others else 1) for n in own)
