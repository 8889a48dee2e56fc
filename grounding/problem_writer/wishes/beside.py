"""A command without what is said beside a wish: by when it is to be so, and what for.

Whatever is done at once is done before all that, as long as nothing of it is done here: ``shut it before they
ring``, ``chill the apple for the buffet``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import Said
from commonground.grounding.problem_writer.wishes.heads import (
    BREAKS,
    HELPING,
    JOINTS,
    PREPOSITIONS,
    orders,
    participles,
)
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import count_of

_BY_WHEN = (
    ["by", "the", "time"], ["in", "time", "for"], ["in", "time"], ["ahead", "of"], ["prior", "to"],
    ["in", "advance", "of"], ["before"], ["by"], ["when"], ["for", "when"],
)  # fmt: skip
_PEOPLE = word_set("i we he she they")
_COMING = word_set(
    "come comes get gets back return returns arrive arrives home wake wakes up am is are 'm 're 's"
)
"""What somebody does by when something is to be so: ``when I get home``."""
_BACK = word_set(
    "to it them there that these those both one ones rest other others you anything everything"
)
_LASTING = word_set(
    "second seconds minute minutes hour hours moment while bit day days week ever now good sure"
)
_BRISK = word_set("going moving quick lively careful cracking")
_WAYS = word_set("hand itself themselves far name hook the a my our robot")
"""Behind ``by`` these tell how, or which."""


def without_aims(text: str, home: Home) -> str:
    """Return a text without by when, or what for, something is to be so."""
    beside = _Beside(Accounts(text, home))
    for start, end in reversed(beside.found()):
        first, last = beside.accounts.tokens[start].start, beside.accounts.tokens[end - 1].end
        text = f"{text[:first].rstrip()}{text[last:]}" if start else text[last:].lstrip(" ,")
    return text


class _Beside:
    """The words of one command, as those beside its wishes."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts, self.words = accounts, accounts.words
        self.things = accounts.acts.things

    def found(self) -> list[tuple[int, int]]:
        """Return from where to where something is said beside."""
        found = [(one.start, self._marked(one.end)) for one in self._urging()]
        at = found[-1][1] if found else 0
        while at < len(self.words):
            end = self._aim(at) if not (found and at < found[-1][1]) else at
            if end > at and self._leaves(at, end):
                found.append((at - (at > 0 and self.words[at - 1] == ","), end))
                at = end
            at += 1
        return found

    def _urging(self) -> Iterator[Said]:
        """Yield what only urges, before anything is asked for: ``come on``, ``break, break``."""
        every = self.accounts.acts.said
        for one, after in pairwise(every):
            words = self.words[one.start : one.end]
            urges = words[0] in HELPING | {"hurry"} and len(words) == 2
            urges = urges and words[1] in PREPOSITIONS | _BRISK
            again = len(words) == 1 and {*words} in (
                {*self.words[after.start : after.end]},
                {*self.words[max(one.start - 2, 0) : one.start - 1]},
            )
            if one.act != "order" or not (urges or again):
                return
            yield one

    def _marked(self, end: int) -> int:
        """Return where a clause ends with its mark."""
        return end + (self.words[end : end + 1] != [] and self.words[end] in MARKS)

    def _leaves(self, start: int, end: int) -> bool:
        """Return whether the sentence that it is said in asks for something without that."""
        said = self.accounts.acts.said
        return any(
            not self.accounts.acts.told[at]
            for one in said
            for at in range(one.start, one.end)
            if at in self.things and not start <= at < end
        )

    def _aim(self, at: int) -> int:
        """Return where what begins at a word ends, if that is by when or what for; else the word."""
        by = next((w for w in _BY_WHEN if self.words[at : at + len(w)] == w), None)
        if by is not None and self.words[at - 1 : at] != ["not"]:
            begin = at + len(by)
            end = self._until(
                begin + (self.words[begin : begin + 1] == ["then"]), MARKS | BREAKS | JOINTS
            )
            return end if end > at + len(by) and self._is_idle(by, at + len(by), end) else at
        ends = MARKS | BREAKS | JOINTS
        if self.words[at] == "for":
            ends |= PREPOSITIONS | participles()
            aims = self._is_behind(at) and self._is_placed(at)
        else:
            aims = self.words[at] == "to" and self._is_aim(at)
        end = self._until(at + 1, ends) if aims else at
        return end if end > at + 1 and self._is_idle(["for"], at + 1, end) else at

    def _is_behind(self, at: int) -> bool:
        return at > 0 and (at - 1 in self.things or self.words[at - 1] in _BACK)

    def _is_aim(self, at: int) -> bool:
        """``I need the lamp on to read``: what somebody will do, behind how or where a thing is to be."""
        said = next((one for one in self.accounts.acts.said if one.start < at < one.end), None)
        before, verb = self.words[at - 1], self.words[at + 1 : at + 2]
        behind = before in ("on", "off", "open", "up") or likeness(before) or at - 1 in self.things
        own = bool(verb) and verb[0] not in orders() | {"be", "have", "get", "go", "come", "stay"}
        wished = said is not None and said.act == "wish"
        return wished and bool(behind) and own and self._is_placed(at)

    def _is_placed(self, at: int) -> bool:
        """Return whether the clause of a word says how or where something is to be."""
        said = next(one for one in self.accounts.acts.said if one.start <= at <= one.end)
        asked = any(said.start <= n < said.end for n, _ in self.accounts.asked)
        return asked or not PREPOSITIONS.isdisjoint(self.words[said.start : at])

    def _until(self, start: int, ends: frozenset[str]) -> int:
        """Return where words end: before some, or where people go on to say what they want."""
        goes_on = (
            n
            for n in range(start, len(self.words))
            if self.words[n] in ends or (n > start and self.words[n] in ("i", "we"))
        )
        return next(goes_on, len(self.words))

    def _is_idle(self, by: list[str], start: int, end: int) -> bool:
        """Return whether words name nothing of the house, stand for none of it, and say nothing of it."""
        words, places = self.words[start:end], {*range(start, end)}
        of_house = self.things & places or places & {n for n, _ in self.accounts.asked}
        if of_house or not _BACK.isdisjoint(words):
            return False
        if by[-1] == "when":
            return words[0] in _PEOPLE and not _COMING.isdisjoint(words[1:])
        if by == ["by"]:
            return _WAYS.isdisjoint(words[:1]) and words[0][-3:] != "ing"
        if by == ["for"]:
            return _LASTING.isdisjoint(words) and not any(w.isdigit() or count_of(w) for w in words)
        first = self.words[start]
        return first not in orders() and not first.endswith("ing")
