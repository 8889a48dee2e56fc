"""The clauses of an utterance, in the order in which things happened."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.english.utterance import Clause, Step, Utterance


def clauses_of(step: Step) -> list[Clause]:
    """Return the clauses of some steps, the first to happen first."""
    if isinstance(step, Clause):
        return [step]
    inner = [clause for part in step.steps for clause in clauses_of(part)]
    return inner[::-1] if step.join == "in reverse" else inner


def narrated(utterance: Utterance) -> Iterator[Clause]:
    """Yield the clauses that report something."""
    for part in utterance.parts:
        if part.stands not in ("taken back", "imagined"):
            yield from (c for c in clauses_of(part.step) if c.mood == "tell")
