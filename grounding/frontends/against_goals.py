"""What a text has against goals, whatever reading they come of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.indifference import bound
from commonground.grounding.fidelity.check import Objection
from commonground.grounding.fidelity.turns import is_named_apart
from commonground.grounding.frontends.plain_text import one_line
from commonground.planning.pddl import And, Atom, Formula, Not

LEFT = re.compile(r"\bleav(?:e|es|ing)\b", re.IGNORECASE)
DOUBLED = "the text names robots apart, and they all do the same"


def of_goals(goals: Sequence[Formula], text: str, robots: Sequence[str]) -> Iterator[Objection]:
    """Yield what a text has against goals, whatever they come of."""
    if _is_doubled(goals) and is_named_apart(text, robots):
        yield Objection("doubled", DOUBLED)
    if (left := LEFT.search(text)) and any(map(_is_left_and_done, goals)):
        yield Objection("left", f"the text says '{left[0]}' of what is inspected all the same")
    if goals and (kept := bound(text, goals, robots)):
        yield Objection("bound", f"'{one_line(kept, 80)}'")


def _is_doubled(goals: Sequence[Formula]) -> bool:
    """Return whether robots do the same with several things."""
    done = [one.parts for one in goals if isinstance(one, And)]
    return any(one == other for one, other in pairwise(done))


def _is_left_and_done(goal: Formula) -> bool:
    """Return whether a robot inspects what it is to leave alone."""
    facts = goal.parts if isinstance(goal, And) else ()
    alone = {f.body.args for f in facts if isinstance(f, Not) and isinstance(f.body, Atom)}
    return any(isinstance(f, Atom) and f.predicate == "safe" and f.args in alone for f in facts)
