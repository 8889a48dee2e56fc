"""Where something ends, and clauses that say that things and people are there now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Phrase, Reference
from commonground.grounding.memory.english.mention import Mention


@dataclass(frozen=True, slots=True)
class Goal:
    """Where something ends."""

    where: Reference | None = None
    """None for the place that was spoken of."""
    back: bool = False
    """Where it was before."""


def put(things: Reference, goal: Goal, agent: Phrase | None) -> Said:
    """Return that things are put somewhere."""
    there = goal.where is None and not goal.back
    return Said(
        "put", "tell", agent=agent, theme=things, goal=goal.where, back=goal.back, follows=there
    )


def gone(room: Goal, people: Sequence[Phrase | None], things: Reference | None) -> list[Said]:
    """Return that people go somewhere, the first with things in hand if there are any."""
    there = room.where is None
    return [
        Said(
            "go to", "tell", agent=who, theme=None if at else things, goal=room.where, follows=there
        )
        for at, who in enumerate(people)
        if who is not None
    ]


def everybody(mention: Mention | None) -> list[Mention]:
    """Return each of several."""
    return [] if mention is None else mention.parts or [mention]
