"""The words of order in a command, each with what it puts first and what comes after that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS
from commonground.grounding.problem_writer.wishes.heads import ENDS
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import rank_of

_BACK = word_set("that this which it")
_THEN = word_set("then afterwards afterward finally lastly subsequently thereafter next")
_PUT_OFF = word_set("after once when")
_OPENING = MARKS | word_set("and but also so please you to only just")
_JOINING = word_set("and but then")
_ONCE_MORE = word_set("more again and or")
_LAST = 1000
"""The rank of what is last."""
_TALK = re.compile(
    r"(?:,|\band\b|\bbut\b)?\s*\b(?:(?:exactly |just )?in (?:exactly )?(?:this|that)(?: very| exact)? order"
    r"|(?P<back>in (?:the )?(?:reverse|opposite) order)"
    r"|(?P<with>(?P<starts>start(?:ing)?|begin(?:ning)?|end(?:ing)?|finish(?:ing)?) with [^,.;:!?]+))",
    re.IGNORECASE,
)
"""What only says an order: of all that is listed, or which one is the first or the last."""
Words = frozenset[int]
"""Places of words of a command."""


class Cue(NamedTuple):
    """A word of order, and sides of which the first is done before the other."""

    said: str
    sides: tuple[tuple[Words, Words], ...]
    must: bool = False
    """Whether what is asked for surely lies on both sides."""
    by_name: bool = False
    """Whether sides only name what is done: it is told elsewhere what that is."""


class _Mark(NamedTuple):
    """Where a word of order stands, and what kind of order that is."""

    at: int
    end: int
    kind: str
    rank: int = 0


class Cues(Accounts):
    """The words of order of one command."""

    def __init__(self, text: str, home: Home) -> None:
        super().__init__(text, home)
        self._idle: set[int] = set()
        self._marks = [mark for at in range(len(self.words)) for mark in self._marked(at)]
        found = [*self._listed(), *(cue for mark in self._marks for cue in self._cues(mark))]
        found += self._ranked()
        self.cues = [cue for cue in found if any(first and later for first, later in cue.sides)]
        left = [n for n in range(len(self.tokens)) if n not in self._idle]
        self.plainly = self._without() if self._idle and left else text
        """The command without what only says an order."""

    def _without(self) -> str:
        spans = [token for n, token in enumerate(self.tokens) if n in self._idle]
        text = self.text
        for token in reversed(spans):
            text = text[: token.start].rstrip() + text[token.end :]
        return text

    # ---- which words ------------------------------------------------------------------------------

    def _marked(self, at: int) -> Iterator[_Mark]:
        """Yield what word of order stands at a place, if any."""
        word, after = self.words[at], self._word(at + 1)
        if self.acts.told[at]:
            return
        if word in ("before", "after"):
            back = after in _BACK and not any(one.start == at + 2 for one in self.named)
            then = "then" if word == "after" else "beforehand"
            yield _Mark(at, at + 1 + back, then if back else word)
        elif word == "beforehand":
            yield _Mark(at, at + 1, word)
        elif word in _THEN and self._is_then(at):
            yield _Mark(at, at + 1, "then")
        elif word not in _PUT_OFF:
            yield from self._rank_at(at)
        elif self._word(at - 1) != "at" and after not in _ONCE_MORE:
            yield _Mark(at, at + 1, word)

    def _is_then(self, at: int) -> bool:
        """Return whether a word says ``then``: a thing ``next to`` another does not."""
        return self.words[at] != "next" or (self._opens(at) and self._word(at + 1) != "to")

    def _rank_at(self, at: int) -> Iterator[_Mark]:
        """Yield ``first`` where it opens or ends what is to be first, and ``last`` at such an end."""
        word, before, opens = self.words[at], self._word(at - 1), self._opens(at)
        rank = _LAST if word == "last" else (word.isalpha() and rank_of(word)) or 0
        trails = self._word(at + 1) in MARKS | _JOINING | {""} and before not in DETERMINERS
        if rank and trails and not (opens and at + 1 < len(self.words)):
            yield _Mark(at, at + 1, "rank", rank)
        elif word == "first" and opens and at + 1 not in self._of_noun:
            leads = at == 0 or before in ENDS
            yield _Mark(at, at + 1, "leading" if leads else "beforehand")

    def _opens(self, at: int) -> bool:
        return at == 0 or self.words[at - 1] in _OPENING

    def _word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    # ---- what they join ---------------------------------------------------------------------------

    def _cues(self, mark: _Mark) -> Iterator[Cue]:
        """Yield what a word of order puts before what; ranks are settled together."""
        said = " ".join(self.words[mark.at : mark.end])
        begin, _ = self._sentence(mark.at)
        right = self._asking_in(mark.end, self._until(mark.end))
        left = self._asking_in(begin, mark.at) or self._asking_in(0, begin)
        if mark.kind == "then":
            yield Cue(said, ((self._asking_in(0, mark.at), right),))
        elif mark.kind == "beforehand":
            if not right:  # ``put the book there beforehand``
                own = self._clause(mark.at)
                right = self._asking_in(own.start, mark.at)
                left = self._asking_in(begin, own.start) or self._asking_in(0, begin)
            yield Cue(said, ((right, left),))
        elif mark.kind == "leading":
            yield Cue(
                said, ((right, left or self._asking_in(self._until(mark.end), len(self.words))),)
            )
        elif mark.kind != "rank":
            own = self._clause(mark.at)
            fronted = all(word in _OPENING for word in self.words[own.start : mark.at])
            inner = self._asking_in(mark.end, min(own.end, self._until(mark.end)))
            outer = self._asking_in(own.end, self._until(own.end)) if fronted else Words()
            outer = outer or self._asking_in(begin if fronted else own.start, mark.at)
            yield Cue(said, ((outer, inner) if mark.kind == "before" else (inner, outer),))

    def _ranked(self) -> Iterator[Cue]:
        """Yield that what is said to be first, second and last is done so."""
        sides = {mark: self._of_rank(mark) for mark in self._marks if mark.kind == "rank"}
        ranked = sorted(sides, key=lambda mark: mark.rank)
        for one, other in pairwise(ranked):
            yield Cue(self.words[one.at], ((sides[one], sides[other]),))
        for mark in ranked:
            if mark.rank in (1, _LAST):
                others = self._others(mark.at, sides[mark])
                both = (sides[mark], others) if mark.rank == 1 else (others, sides[mark])
                said = " ".join((*self._said_at(sides[mark]), self.words[mark.at]))
                yield Cue(said, (both,), must=mark.at in self._idle)

    def _of_rank(self, mark: _Mark) -> Words:
        """Return what is said to be first; a thing that is only named once more says nothing else."""
        own = self._clause(mark.at)
        cuts = [n + 1 for n in range(own.start, mark.at) if self.words[n] in MARKS | _JOINING]
        for begin in (*reversed(cuts), own.start):
            inside = [one for one in self.named if begin <= one.start < mark.at]
            if inside:
                break
        else:
            return Words()
        words = Words(range(begin, mark.at))
        types = inside[-1].types
        again = any(one.types & types for one in self.named if one.end <= begin)
        if len(inside) == 1 and inside[0].end == mark.at and inside[0].start <= begin + 2 and again:
            self._idle |= {*range(begin - (begin > 0), mark.end)}
        return words

    def _listed(self) -> Iterator[Cue]:
        """Yield the order of all that a sentence lists, and of what it starts or ends with."""
        for found in _TALK.finditer(self.text):
            inside = {
                n for n, t in enumerate(self.tokens) if found.start() <= t.start < found.end()
            }
            begin, _ = self._sentence(min(inside))
            things = [one for one in self.named if begin <= one.start < min(inside)]
            if found["with"]:
                self._idle |= inside
                ends = found["starts"][0] in "eEfF"
                what = self._asking_in(min(inside), max(inside) + 1)
                others = self._others(min(inside), Words(inside))
                sides = ((others, what) if ends else (what, others),)
            else:
                listed = things[::-1] if found["back"] else things
                ranges = (Words(range(one.start, one.end)) for one in listed)
                sides = tuple(combinations(ranges, 2))  # type: ignore[assignment]  # pairs
            if sides and (things or found["with"]):
                self._idle |= inside
                yield Cue(found[0].strip(" ,"), sides, must=True, by_name=not found["with"])

    def _others(self, at: int, side: Words) -> Words:
        """Return what else a sentence asks for, or the whole command; what is named once more is the same."""
        begin, end = self._sentence(at)
        if side <= self._idle:
            types = {kind for one in self.named if one.start in side for kind in one.types}
            again = (one for one in self.named if not types.isdisjoint(one.types))
            side |= {n for one in again for n in range(one.start, one.end)}
        inside = self._asking_in(begin, end) - side
        here = any(one.start in inside for one in self.named)
        return inside if here else self._asking_in(0, len(self.words)) - side

    def _said_at(self, side: Words) -> list[str]:
        return [self.words[at] for at in sorted(side)]

    def _asking_in(self, begin: int, end: int) -> Words:
        """Return words from one to another, if they speak of anything that may be asked for."""
        words = Words(range(begin, end))
        speaks = any(one.start in words for one in self.named) or any(
            n in words for n, _ in self.asked
        )
        return words if speaks else Words()

    def _sentence(self, at: int) -> tuple[int, int]:
        ends = [n for n, word in enumerate(self.words) if word in ENDS]
        begin = max((n + 1 for n in ends if n < at), default=0)
        return begin, min((n for n in ends if n >= at), default=len(self.words))

    def _until(self, at: int) -> int:
        """Return where the next word of order stands, or the sentence ends."""
        marks = (mark.at for mark in self._marks if mark.at >= at and mark.kind != "rank")
        return min(min(marks, default=len(self.words)), self._sentence(at)[1])

    def _clause(self, at: int) -> Said:
        """Return the clause that a word stands in."""
        return next(said for said in self.acts.said if said.start <= at < said.end)
