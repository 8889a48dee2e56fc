"""Pieces of sentences that were read, put together: who is told what, and whether that holds together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from commonground.grounding.english.parts import parts_of
from commonground.grounding.language.cover import Piece
from commonground.grounding.language.mentions import refers_back
from commonground.grounding.language.steps import ALL, YOU, Step, Steps, called
from commonground.grounding.meaning import (
    TOLD,
    Act,
    Assignment,
    Instruction,
    Reference,
    Several,
    Thing,
    Who,
)


def in_turn(sentences: Iterable[Sequence[Piece]]) -> Iterator[Piece]:
    """Yield the pieces of sentences; a name that is a sentence of its own is marked so."""
    for pieces in sentences:
        if len(pieces) == 1 and pieces[0].kind == "call":
            yield pieces[0]._replace(kind="alone")
        else:
            yield from pieces


def steps_of(pieces: Iterable[Piece]) -> Steps:
    """Return the steps of a text; a name called is for what follows it, the last for all that is nobody's.

    So is one in a sentence of its own, where nobody was spoken to before.
    """
    talk = _Talk()
    for piece in pieces:
        talk.hear(piece)
    return tuple(talk.steps if talk.call is None else _for(talk.steps, talk.call))


class _Talk:
    """What was told so far, and who is called."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.call: Who | None = None
        self.then = self.named = False

    def hear(self, piece: Piece) -> None:
        """Take in one piece."""
        if piece.kind == "then":
            self.then = True
        elif piece.kind in ("call", "alone"):
            if piece.kind == "alone" and not self.named:
                self.steps = _for(self.steps, piece.value)
            self.call, self.named = piece.value, True
        elif piece.kind == "introduced":
            self.steps.append(Step(piece.value, self.call or ALL, call=self.call))
        else:
            self._tell(called(piece.value, self.call))

    def _tell(self, said: Steps) -> None:
        self.named |= any(s.who is not None and s.who.names for s in said)
        first = replace(said[0], call=said[0].call or self.call, then=self.then or said[0].then)
        # a rule holds for everybody only where nobody is spoken to
        self.steps += (replace(s, rule=s.rule and not self.named) for s in (first, *said[1:]))
        self.call, self.then = None, False


def _for(steps: Sequence[Step], who: Who) -> list[Step]:
    return [replace(s, who=who) if s.who is None or s.who == YOU else s for s in steps]


def holds_together(meaning: Instruction) -> bool:
    """Return whether somebody is named for each order, and what is introduced is taken up.

    Of one thing nothing is left out. Whether several choose the same or not is not told, and who waits for
    another one is named, and so is the other one.
    """
    pairs = pairwise(meaning.assignments)
    if any(later.then and not _is_told_who(first, later) for first, later in pairs):
        return False
    if any(_chooses_apart(one) for one in meaning.assignments):
        return False
    if any(thing.but and thing.amount == "the" for thing in parts_of(meaning, Thing)):
        return False
    told = [one.task for one in meaning.assignments]
    for at, one in enumerate(meaning.assignments):
        if isinstance(one.task, Act) and one.task.do in TOLD:
            if not any(map(_takes_up, told[at + 1 :])):
                return False
        elif one.who == Who(choose="one"):
            return False
    return True


def _is_told_who(first: Assignment, later: Assignment) -> bool:
    """Return whether what comes later is for the same robots, or both are for robots that are named."""
    named = bool(first.who.names and later.who.names)
    return later.who in (first.who, YOU) or named


def _chooses_apart(one: Assignment) -> bool:
    several = one.who.choose == "each" and len(one.who.names) != 1
    told = isinstance(one.task, Act) and one.task.do in TOLD
    return several and not told and any(t.amount == "any" for t in parts_of(one.task, Thing))


def _takes_up(task: Any) -> bool:
    things: list[Reference] = [*parts_of(task, Thing), *parts_of(task, Several)]
    return any(map(refers_back, things))
