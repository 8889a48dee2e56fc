"""What is put first, last or on a way is said in its order: ``O7, then the flag`` for ``…, but first O7``.

A sentence is turned round only where nothing is left of it but things, verbs and words of rank.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.mentions import Mention, parts_said
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Several, Thing
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import singular

IsOne = Callable[[str, str], bool]
"""Whether a noun may mean what has a symbol."""

_ANY, _LAST = 50, 99
_RANKS = {
    r"first(?:\s+of\s+all)?|firstly|beforehand|(?:before|prior\s+to)\s+(?:(?:all\s+)?that|it|them)"
    r"|to\s+(?:begin|start)\s+with|at\s+the\s+(?:beginning|start)|(?:start|begin)(?:n?ing)?\s+(?:with|at)": 1,
    r"second": 2, r"third": 3, r"fourth": 4, r"in\s+between": _ANY,
    r"last(?:\s+of\s+all)?|lastly|finally|at\s+the\s+end|to\s+finish\s+with"
    r"|(?:end|finish)(?:ing)?\s+with": _LAST,
}  # fmt: skip
_VIA = (
    r"(?:only\s+)?after|via|by\s+way\s+of|(?:(?:passing|driving|going)\s+)?through|passing(?:\s+by)?|stopping\s+at"
    r"|with\s+a\s+(?:stop|detour)\s+(?:at|in|to)"
)
_CUE = "|".join(_RANKS)
_GAP = re.compile(
    rf"(?P<post>\s+(?:{_CUE}))?(?P<joint>(?:\s*(?:,|;|\b(?:and|but|though|although|also)\b))*)\s*"
    rf"(?:(?P<via>{_VIA})\b|(?P<pre>{_CUE})\b)?[\s,]*(?P<verb>[\w\s]*?)\s*",
    re.IGNORECASE,
)
_END = re.compile(
    rf"(?P<post>\s+(?:{_CUE}))?(?P<way>\s+on\s+the\s+way)?(?:,?\s+please)?(?P<mark>\s*[.!]?\s*)",
    re.IGNORECASE,
)
_DEEDS = DEEDS - {"AVOID", "OMIT"}
_SAME = ("", "do")
_AFTER_VERB = frozenset(["to", "at", "into", "in", "also", "please"])
_ALL = re.compile(
    r"(?:all(?:\s+of)?(?:\s+the)?|both(?:\s+the)?|the(?:\s+(?:two|three|four|five))?)\s+", re.I
)
_ONE = re.compile(r"\bone\b", re.IGNORECASE)
_THE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class _Part:
    words: str
    what: Thing
    verb: str
    rank: int
    apart: bool
    """A mark or a verb parts it from what stands before."""


def in_order(text: str, find: Find, robots: Sequence[str], is_one: IsOne) -> str:
    """Return a text that says first what is to be done first, with ``then`` behind it."""
    called = re.compile(rf"\s*(?:{any_of(robots)}\s*,\s*)?", re.IGNORECASE).match(text)
    start = called.end() if called else 0
    named = [one for one in find(text) if one.start >= start]
    end = _END.fullmatch(text, named[-1].end) if named else None
    parts = _ended([*_parts(text, start, named)], end) if end else []
    if not all(part.verb for part in parts) or not _is_ranked(parts):
        return text
    parts = _once(parts, is_one)
    apart = len({part.rank for part in parts}) > 1
    return text[:start] + _said(parts) + end["mark"] if apart and end else text


def _ended(parts: list[_Part], end: re.Match[str]) -> list[_Part]:
    """Return parts with what is said behind the last of them; none where that may be said of more."""
    if not parts:
        return []
    *before, last = parts
    led = last.rank == 1
    if end["post"]:
        plain = last.apart or (before and before[-1].rank != _ANY)
        return (
            [*before, replace(last, rank=_rank(end["post"]))] if plain and last.rank == _ANY else []
        )
    if end["way"] and not led:
        return (
            [*before, replace(last, rank=1)] if len(before) == 1 and before[0].rank == _ANY else []
        )
    return parts


def _is_ranked(parts: Sequence[_Part]) -> bool:
    """Return whether parts have turns; where they are numbered, all of them."""
    ranks = [part.rank for part in parts]
    numbered = any(1 < rank < _ANY for rank in ranks)
    return any(rank != _ANY for rank in ranks) and not (numbered and _ANY in ranks)


def _parts(text: str, start: int, named: Sequence[Mention]) -> Iterator[_Part]:
    """Yield what is to be done, each thing with its verb; one without a verb where anything else is said."""
    verb, at, found = "", start, list[_Part]()
    for one in named:
        gap, words = _GAP.fullmatch(text, at, one.start), parts_said(text, one)
        if gap is None or not all(words) or not _is_read(gap, len(found)):
            yield _Part("", Thing(), "", _ANY, apart=False)
            return
        own = gap["verb"].strip()
        verb = own if own not in _SAME else verb
        if gap["post"] and found:
            found[-1] = replace(found[-1], rank=_rank(gap["post"]))
        rank = 1 if gap["via"] else _rank(gap["pre"] or "")
        apart = bool(own) or not {*gap["joint"].casefold().split()} <= {"and", "also"}
        things = one.what.things if isinstance(one.what, Several) else (one.what,) * len(words)
        for said, what in zip(words, things, strict=True):
            thing = what if isinstance(what, Thing) else Thing()
            found.append(_Part(said, thing, verb, rank, apart))
        at = one.end
    yield from found


def _is_read(gap: re.Match[str], number: int) -> bool:
    """Return whether nothing but a verb and words of rank stands before a thing; a way leads to the first."""
    own = gap["verb"].strip()
    if gap["via"]:
        return not own and number == 1
    return own in _SAME or _is_verb(own)


def _rank(cue: str) -> int:
    ranks = (n for said, n in _RANKS.items() if re.fullmatch(said, cue.strip(), re.IGNORECASE))
    return next(ranks, _ANY)


def _is_verb(words: str) -> bool:
    tokens = tokenize(words)
    said = phrases_in(tokens, _DEEDS)
    rest = [t.text for t in tokens if not said or t.start >= said[0].start + len(said[0].words)]
    return len(said) == 1 and said[0].start == 0 and _AFTER_VERB.issuperset(rest)


def _once(parts: Sequence[_Part], is_one: IsOne) -> list[_Part]:
    """Return parts of which each thing is one: what is ranked is taken out of those named before."""
    found: list[_Part] = []
    for part in parts:
        before = next((k for k, one in enumerate(found) if _has(one, part, is_one)), None)
        if before is None or part.rank == _ANY or found[before].rank != _ANY:
            found.append(part)
            continue
        many, words = found[before], part.words
        if _bare(many.words) == _bare(words):
            del found[before]
        else:
            words = _ONE.sub(singular(many.what.noun), words) if part.what.noun == ELIDED else words
            rest = f"all {_ALL.sub('', many.words, count=1)} except {words}"
            found[before] = replace(many, words=rest)
        found.append(replace(part, words=words))
    return found


def _has(many: _Part, one: _Part, is_one: IsOne) -> bool:
    """Return whether a thing is, or is one of, those that were named before."""
    if _bare(many.words) == _bare(one.words):
        return True
    several = (
        many.what.amount == "all"
        and many.what.noun
        and not many.what.but
        and _ALL.match(many.words)
    )
    same = one.what.noun == ELIDED or one.what.noun == many.what.noun
    symbol = one.what.ids[0] if len(one.what.ids) == 1 else ""
    return bool(several) and (same or (bool(symbol) and is_one(many.what.noun, symbol)))


def _bare(words: str) -> str:
    return _THE.sub("", words.casefold(), count=1)


def _said(parts: Sequence[_Part]) -> str:
    ordered = sorted(parts, key=lambda part: part.rank)
    turns = [[*group] for _, group in groupby(ordered, key=lambda part: part.rank)]
    return ", then ".join(" and ".join(f"{p.verb} {p.words}" for p in turn) for turn in turns)
