"""What else was said if a deed was taken for another, or for a ban, as is easily done.

The network knows a verb by its company (``drop by both, no need to check``, ``pass through on your round``).
Where what it read does not fit the verbs of the text, the other deed may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from commonground.grounding.english.parts import mapped, parts_of
from commonground.grounding.english.utterance import Clause, Sense, Step, Utterance

OTHER: Mapping[Sense, tuple[Sense, ...]] = {
    "inspect": ("go to", "end up at"), "explore": ("go to", "end up at"), "go to": ("inspect", "end up at"),
    "enter": ("inspect", "end up at"), "end up at": ("inspect", "go to"),
}  # fmt: skip


def otherwise(utterance: Utterance) -> Iterator[Utterance]:
    """Yield an utterance with each of its deeds, and all alike, taken for the other one."""
    clauses = [c for c in parts_of(utterance, Clause) if c.mood == "do" and c.sense in OTHER]
    for clause in clauses:
        if clause.theme is None and clause.goal is not None:
            yield changed(utterance, partial(_brought, clause))
    for group in (*([c] for c in clauses), *_alike(clauses)):
        for sense in OTHER[group[0].sense]:
            yield changed(utterance, partial(_taken, group, sense))


def _alike(clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Yield the clauses of each sense that several have."""
    for sense in {c.sense: None for c in clauses}:
        same = [c for c in clauses if c.sense == sense]
        if len(same) > 1:
            yield same


def _brought(this: Clause, clause: Clause) -> Clause:
    """Return a clause in which what was spoken of before is put somewhere: ``then run it to the barn``."""
    return replace(clause, sense="put", follows=True) if clause is this else clause


def _taken(these: Sequence[Clause], sense: Sense, clause: Clause) -> Clause:
    return replace(clause, sense=sense) if clause in these else clause


def changed(utterance: Utterance, change: Callable[[Clause], Step]) -> Utterance:
    """Return an utterance with each of its clauses changed."""
    return cast(
        Utterance, mapped(utterance, lambda one: change(one) if isinstance(one, Clause) else one)
    )
