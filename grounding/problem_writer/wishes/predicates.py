"""Each thing that is said of a subject as a sentence of its own: ``the egg is old and may go in the bin``.

What a command wants of a thing stands behind other things that are told of it, or in a clause that hangs on
its name (``the plate, which needs washing``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.heads import (
    ADVERBS,
    AUXILIARIES,
    ENDS,
    HOLDING,
    PREPOSITIONS,
    Head,
    gerunds,
    orders,
    sentences,
)
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import word_set

_DUE = word_set(
    "should must shall may might can could ought needs need wants deserves requires belongs belong goes"
)
_DUE_TO = (["has", "to"], ["have", "to"], ["is", "to"], ["are", "to"], ["had", "better"])
"""With one of these a predicate says what is to become of its subject."""
_MODALS = word_set("should must shall may might can could")
_NEEDING = word_set("needs need wants want requires deserves")
_BACK = word_set("it they that those this these both")
_WAY = PREPOSITIONS | word_set("away back out down up off over")
_WAITING = HOLDING - word_set("that which who whose where")
_MOST = 9
"""No subject has more words."""


class _Edit(NamedTuple):
    """Words that go, what stands for them, and what is said behind their sentence."""

    start: int
    end: int
    instead: str = ""
    behind: str = ""


def spelled_out(text: str, home: Home) -> str:
    """Return a text in which what is wanted of a thing is a sentence with that as its subject."""
    own = _Predicates
    for way in (own.elided, own.hanging, own.alike, own.joined):
        accounts = Accounts(text, home)
        text = _edited(accounts, sorted(way(_Predicates(accounts))))
    return text


def _edited(accounts: Accounts, edits: Sequence[_Edit]) -> str:
    """Return a text with some edits."""
    text, tokens, found, done = accounts.text, accounts.tokens, "", 0
    for begin, end in sentences(accounts.words):
        inside = [each for each in edits if begin <= each.start < end]
        for each in inside:
            found += text[done : tokens[each.start].start].rstrip() + each.instead
            done = tokens[each.end - 1].end
            done += text[done : done + 1] == " " and each.instead.endswith(" ")
        stop = tokens[end].end if end < len(tokens) else len(text)
        found += text[done:stop]
        done = stop
        found += "".join(f" {each.behind}." for each in inside if each.behind)
    return found + text[done:]


class _Predicates:
    """What is said of the subjects of one command."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts, self.words, self.acts = accounts, accounts.words, accounts.acts

    def elided(self) -> Iterator[_Edit]:
        """Yield the subject of a sentence that leaves it out: ``towel is dirty again. Needs washing``."""
        before: list[Named] = []
        for begin, end in sentences(self.words):
            verb = self._verb(begin - 1)
            if before and self._is_due(verb) and self.words[verb : verb + 2] != ["need", "to"]:
                yield _Edit(begin, begin + 1, f" The {self._said(before[0])} {self.words[begin]}")
            else:
                inside = [one for one in self.accounts.named if begin <= one.start < end]
                movable = self.accounts.home.usually
                before = [n for n in inside if movable(sorted(n.types), "pickupable")]

    def alike(self) -> Iterator[_Edit]:
        """Yield what is said of one more thing by ``so does the lamp`` as said of that."""
        for at in range(1, len(self.words) - 2):
            so = self.words[at] == "so" and self.words[at + 1] in AUXILIARIES
            other = self.accounts.object_at(at + 2) if so else None
            told = (s for s in reversed(self.acts.said) if s.start < at and s.end <= at)
            heads = (self.acts.head(s.start, s.end) for s in told)
            last = next((h for h in heads if h.mood == "told" and self._is_thing(h)), None)
            if other is None or last is None:
                continue
            begin = at - (self.words[at - 1] == "and")
            begin -= self.words[begin - 1] == ","
            end = min(self._ends(last.verb), begin)
            said = " ".join(self.accounts.written(last.verb, end))
            yield _Edit(begin, other.end, f". the {self._said(other)} {said}")

    def hanging(self) -> Iterator[_Edit]:
        """Yield what hangs on the name of a thing: ``the bowl, which belongs on the table``."""
        for at, (mark, which) in enumerate(pairwise(self.words)):
            if (mark, which) != (",", "which"):
                continue
            end = self._ends(at + 2)
            last = end == len(self.words) or self.words[end] in ENDS
            if self.words[at + 2 : at + 3] == ["means"]:
                skip = at + 3 + (self.words[at + 3 : at + 4] == ["that"])
                yield _Edit(at, skip, ". ")
            elif (one := self._named_before(at)) and self._is_due(at + 2) and last:
                yield _Edit(at, at + 2, f". The {self._said(one)} ")
            elif one and self._is_due(at + 2):
                rest = " ".join(self.accounts.written(at + 2, end))
                stop = end + (self.words[end : end + 2] == [",", "and"])
                yield _Edit(at, stop, "", f"The {self._said(one)} {rest}")

    def joined(self) -> Iterator[_Edit]:
        """Yield the further predicates of subjects: ``and may go in the bin``."""
        for one in self.acts.said:
            head = self.acts.head(one.start, one.end)
            if not self._has_subject(one, head):
                continue
            subject = " ".join(self.accounts.written(head.subject, head.verb))
            for at in self._goes_on(one, head):
                start = at - (self.words[at - 1] == ",")
                modal = "" if self._is_due(self._verb(at)) else f"{self._modal(head)} "
                doing = self._is_gerund(at, head)
                modal = f"{self.words[head.verb]} " if doing else modal
                yield _Edit(start, self._verb(at) if doing else at + 1, f". {subject} {modal}")

    def _ends(self, start: int) -> int:
        """Return where what hangs on a name ends: at the next mark."""
        return next(
            (n for n in range(start, len(self.words)) if self.words[n] in MARKS | ENDS),
            len(self.words),
        )

    def _named_before(self, at: int) -> Named | None:
        return next((one for one in self.accounts.named if one.end == at), None)

    def _said(self, one: Named) -> str:
        return " ".join(self.accounts.written(one.start, one.end))

    def _is_due(self, verb: int) -> bool:
        """Return whether a verb says what is to become of its subject."""
        known = self.words[verb : verb + 1]
        return (known and known[0] in _DUE) or self.words[verb : verb + 2] in _DUE_TO

    def _has_subject(self, one: Said, head: Head) -> bool:
        """Return whether a clause that stands by itself says something of things of the house."""
        whole = head.mood == "told" and head.verb - head.subject <= _MOST
        ends = ENDS | {":"}
        begin = max((n + 1 for n in range(one.start) if self.words[n] in ends), default=0)
        free = _WAITING.isdisjoint(self.words[begin : head.verb])
        return whole and free and self._is_thing(head)

    def _is_thing(self, head: Head) -> bool:
        named = not self.acts.things.isdisjoint(range(head.subject, head.verb))
        first = self.words[head.subject]
        bare = head.subject in self.acts.things
        return (named and (bare or first in DETERMINERS | {"both", "all"})) or first in _BACK

    def _goes_on(self, one: Said, head: Head) -> Iterator[int]:
        """Yield where a further predicate of a clause is joined on."""
        others = {each.start: each.end for each in self.acts.said if each != one}
        for at in range(head.verb + 1, self._sentence_end(head.verb)):
            own = at in others and self.acts.head(at, others[at]).mood == "told"
            if own or self.words[at] in _WAITING:
                return
            if self.words[at] not in ("and", "but", "then", ","):
                continue
            verb = self._verb(at)
            moved = self.words[at] != "," and bool(self._modal(head)) and self._moves(verb)
            if moved or self._is_due_behind(at, verb) or self._is_gerund(at, head):
                yield at

    def _is_due_behind(self, at: int, verb: int) -> bool:
        return self._is_due(verb) and (self.words[at] != "," or verb == at + 1)

    def _is_gerund(self, at: int, head: Head) -> bool:
        """``needs washing and then hanging up``."""
        verbs = [self._verb(head.verb), self._verb(at)]
        doing = all(self.words[n : n + 1] and self.words[n] in gerunds() for n in verbs)
        first = self.words[at - 1 : at + 1] != ["and", "then"]
        return first and self.words[head.verb] in _NEEDING and doing

    def _sentence_end(self, at: int) -> int:
        return next(
            (n for n in range(at, len(self.words)) if self.words[n] in ENDS), len(self.words)
        )

    def _verb(self, at: int) -> int:
        """Return where the verb behind a joint is."""
        verb = at + 1
        while verb < len(self.words) and self.words[verb] in ADVERBS:
            verb += 1
        return verb

    def _modal(self, head: Head) -> str:
        """Return what makes a predicate one that is to come true, if that is said before its verb."""
        if self.words[head.verb : head.verb + 2] in [*_DUE_TO, ["needs", "to"], ["need", "to"]]:
            return " ".join(self.words[head.verb : head.verb + 2])
        return self.words[head.verb] if self.words[head.verb] in _MODALS else ""

    def _moves(self, verb: int) -> bool:
        """Return whether a verb has no object and says which way its subject goes: ``come down to``."""
        return self.words[verb] in orders() | {"go", "come"} and (
            self.words[verb + 1 : verb + 2] != [] and self.words[verb + 1] in _WAY
        )
