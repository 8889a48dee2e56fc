"""Pieces of sentences that were read, put together: who is told what, and whether that holds together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commonground.grounding.english.parts import parts_of
from commonground.grounding.language.cover import Piece
from commonground.grounding.language.mentions import refers_back
from commonground.grounding.language.steps import ALL, YOU, Step, Steps, called
from commonground.grounding.meaning import TOLD, Act, Instruction, Reference, Several, Thing, Who


def steps_of(pieces: Sequence[Piece]) -> Steps:
    """Return the steps of a text; a name called is for what follows it, the last for all that is nobody's."""
    steps: list[Step] = []
    call: Who | None = None
    then = told = False
    for piece in pieces:
        if piece.kind == "then":
            then = True
        elif piece.kind == "call":
            call, told = piece.value, True
        elif piece.kind == "introduced":
            steps.append(Step(piece.value, call or ALL, call=call))
        else:
            said = called(piece.value, call)
            told |= any(s.who is not None and s.who.names for s in said)
            first = replace(said[0], call=said[0].call or call, then=then or said[0].then)
            # a rule holds for everybody only where nobody is spoken to
            steps += (replace(s, rule=s.rule and not told) for s in (first, *said[1:]))
            call, then = None, False
    return tuple(steps if call is None else [_for(step, call) for step in steps])


def _for(step: Step, who: Who) -> Step:
    return replace(step, who=who) if step.who is None or step.who == YOU else step


def holds_together(meaning: Instruction) -> bool:
    """Return whether somebody is named for each order, and what is introduced is taken up.

    Of one thing nothing is left out.
    """
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


def _takes_up(task: Any) -> bool:
    things: list[Reference] = [*parts_of(task, Thing), *parts_of(task, Several)]
    return any(map(refers_back, things))
