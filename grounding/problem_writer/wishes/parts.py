"""The clauses of a command: parted by marks, and where a word joins on what begins as a clause does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.wishes.heads import (
    BREAKS,
    DETERMINERS,
    JOINTS,
    PREPOSITIONS,
    PRONOUNS,
    Head,
    Heads,
    sentences,
)
from commonground.grounding.words.nouns import word_set

_ENABLED = word_set("can could ca cannot wo 'll will")
_LIKEWISE = word_set("same ditto likewise")
_BACK = word_set("it that this these those they them there both")
_REASONS = word_set("because since cos cause for")
_LISTING = word_set("and or but plus &") | {","}


class Part(NamedTuple):
    """One clause: its first word, the one behind its last, and its head."""

    start: int
    end: int
    head: Head


class Parts(Heads):
    """The clauses of one text."""

    def parts(self) -> Iterator[Part]:
        """Yield all clauses."""
        for begin, end in sentences(self.words):
            yield from self._divided(begin, end)

    def _divided(self, begin: int, end: int) -> Iterator[Part]:
        cuts = [begin]
        for at in range(begin + 1, end):
            cut = self._cut(at, cuts[-1], end)
            if cut is not None and cut > cuts[-1]:
                cuts.append(cut)
        for start, stop in zip(cuts, [*cuts[1:], end], strict=True):
            while stop > start and self.words[stop - 1] in MARKS | BREAKS | {"where"}:
                stop -= 1
            if stop > start:
                yield Part(start, stop, self.head(start, stop))

    def _cut(self, at: int, begin: int, end: int) -> int | None:
        """Return where a clause begins at a word that may join one on."""
        word = self.words[at]
        if word in BREAKS:
            return at + 1
        if self._serves(at, end):
            return at + 1
        if (word not in JOINTS and word != ",") or self._compares(at):
            return None
        start = at + (word == ",")
        cuts = (
            self._begins(start, begin, at, end)
            if self.head(start, end).mood
            else self._breaks(start, begin, at, end)
        )
        return start if cuts else None

    def _gives_reason(self, part: Part) -> bool:
        """``because I shall need it``, ``so that nobody need wait``: with nothing that is to be so."""
        first, verb = part.head.subject, part.head.verb
        if part.head.mood != "told":
            return self.words[part.start] == "because"
        for_it = self.words[part.start : part.start + 2] == ["so", "that"]
        for_it = (
            for_it and self.things.isdisjoint(range(first, verb)) and self.words[first] not in _BACK
        )
        return for_it or self.words[part.start] in _REASONS

    def _serves(self, at: int, end: int) -> bool:
        """Return whether a word begins what a place is good for: ``on the worktop where I can reach it``."""
        behind = self.words[at - 1] == "," or at - 1 in self.things
        stop = next((n for n in range(at, end) if self.words[n] in MARKS), end)
        return (
            self.words[at] == "where"
            and behind
            and not _ENABLED.isdisjoint(self.words[at + 2 : min(at + 9, stop)])
        )

    def _begins(self, start: int, begin: int, at: int, end: int) -> bool:
        """Return whether a clause begins, and not only more of what its subject lists or does."""
        told = self.head(start, end).mood == "told" and not self.head(begin, at).mood
        listing = self.words[at] in _LISTING
        return not (told and listing and self._is_list(begin, at, self.words[at]))

    def _breaks(self, start: int, begin: int, at: int, end: int) -> bool:
        """Return whether what only tells something ends before what has no verb."""
        if self.head(begin, at).mood != "told" or not self._only_tells(begin, at):
            return False
        if self.words[at] == "and" and {at - 1, start + 1, start + 2} <= self.things | {start + 1}:
            return False  # ``I left the lettuce and the tomato out``
        beside = self.words[at] == "," and self._is_beside(begin, at, end)
        return beside or self._is_fragment(start, end)

    def _compares(self, at: int) -> bool:
        """``as dark as you can``."""
        near = "as" in self.words[max(at - 3, 0) : at]
        near = near or self.words[at + 1 : at + 3] == ["you", "can"]  # ``quick as you can``
        return self.words[at] == "as" and (near or self.words[at + 1] not in PRONOUNS | DETERMINERS)

    def _is_beside(self, begin: int, end: int, last: int) -> bool:
        """Return whether a clause is in the middle of one: ``put the mug, it's wet, in the sink``."""
        back = self.words[self._skipped(begin, end)] in ("it", "they")
        goes_on = not self.things.isdisjoint(range(end, last))
        return back and goes_on and self.words[begin - 1 : begin] == [","]

    def _only_tells(self, begin: int, end: int) -> bool:
        """Return whether a clause asks for nothing."""
        raise NotImplementedError

    def _is_list(self, begin: int, end: int, joint: str) -> bool:
        """Return whether words only name what the subject of a clause goes on with."""
        begin = self._skipped(begin, end)
        named = any(at in self.things for at in range(begin, end))
        return (named and self._names_only(begin, end)) or (joint == "and" and end - begin < 4)

    def _is_fragment(self, at: int, end: int) -> bool:
        """Return whether what has no verb says how or where a thing is to be: ``into the bin with it``."""
        at = self._skipped(at, end)
        if self._word(at, end) in _LIKEWISE and not self.head(at, end).mood:
            return True
        stop = next((n for n in range(at, end) if self.words[n] == ","), end)
        words = self.words[at:stop]
        named = [n for n in range(at, stop) if n in self.things]
        if not words or not named:
            return False
        directed = words[0] in ("into", "onto") or (words[0] in ("in", "on") and "with" in words)
        return "please" in words or (words[0] in PREPOSITIONS and directed)
