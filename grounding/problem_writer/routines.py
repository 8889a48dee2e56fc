"""What vague commands are taken to mean: a table that people can edit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.grounding.problem_writer.goals import contains, in_state
from commonground.grounding.problem_writer.goals import words_of as named_in
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.words.concepts import artifacts
from commonground.grounding.words.nouns import singulars, words_of
from commonground.planning.pddl import Formula, conjunction, disjunction
from commonground.settings import Settings

STATES = {
    "slice": "SLICED", "wash": "CLEAN", "toast": "TOASTED", "heat": "HOT", "cook": "COOKED", "fill": "FILLED",
    "on": "ON", "off": "OFF", "open": "OPENED", "close": "CLOSED", "empty": "EMPTY", "chill": "COLD",
}  # fmt: skip
_USABLE = {
    "SLICED": "sliceable", "ON": "toggleable", "OFF": "toggleable", "OPENED": "openable",
    "CLOSED": "openable", "FILLED": "fillable",
}  # fmt: skip
_NUMBERS = frozenset(words_of("two three four five six seven eight nine ten eleven twelve twice"))
Types = tuple[str, ...]


class Step(Settings):
    """One step: a state for types, or types put somewhere."""

    slice: Types = ()
    wash: Types = ()
    toast: Types = ()
    heat: Types = ()
    cook: Types = ()
    fill: Types = ()
    on: Types = ()
    off: Types = ()
    open: Types = ()
    close: Types = ()
    empty: Types = ()
    chill: Types = ()
    into: str | Types | None = None
    """The first of these places that is there takes what ``of`` names."""
    of: Types = ()
    some: int = Field(default=1, ge=1, le=100)
    """So many of the types, the first that are there."""
    each: bool = False
    """All things of the types."""


class Routine(Settings):
    """What a vague command means."""

    name: str
    when: tuple[tuple[str, ...], ...]
    """Ways to speak of it: what has to be mentioned, each by any of the words between bars."""
    do: tuple[Step, ...]
    counts: bool = False
    """How many or how often may be said; elsewhere a number says something that the routine does not do."""


class Routines(Settings):
    """A file of routines."""

    routines: tuple[Routine, ...] = ()

    @classmethod
    def load(cls, file: str | Path | None = None) -> Routines:
        """Return the routines of a file, or those that come with the program."""
        own = files("commonground.grounding.problem_writer").joinpath("data/routines.yaml")
        path = str(file or own)
        values, lines = read_yaml(path)
        return validated(cls, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)

    def find(
        self, text: str, graph: HouseGraph, named: Collection[frozenset[str]] = ()
    ) -> Formula | None:
        """Return the goal of the routine that fits a text best, or None.

        ``named`` are the words for each thing the text names; a routine that passes over one of them, neither
        asking for it nor doing anything with it, does not fit.
        """
        words = re.findall(r"[a-z]+|\d+", text.lower())
        chosen = _apart(sorted(self._fitting(words, graph), key=lambda fit: -len(fit.used)))
        counted = any(fit.routine.counts for fit in chosen)
        if not chosen or (
            not counted and any(word in _NUMBERS or word.isdecimal() for word in words)
        ):
            return None
        goal = conjunction([fit.goal for fit in chosen])
        covered = {
            base for fit in chosen for word in fit.used for base in _bases(word)
        } & self._listed()
        for word in named_in(goal):
            covered |= {word.lower(), graph.type_of(word).lower()}
        return goal if all(not names.isdisjoint(covered) for names in named) else None

    def _fitting(self, words: Sequence[str], graph: HouseGraph) -> Iterator[_Fit]:
        """Yield the routines that words speak of and something can be done about here."""
        listed = self._listed()
        for routine in self.routines:
            used = max(
                (_used(way, words, listed) for way in routine.when), key=len, default=frozenset()
            )
            goal = _goal(routine, graph) if used else None
            if goal is not None:
                yield _Fit(routine, used, goal)

    def _listed(self) -> frozenset[str]:
        """Return all words that routines are spoken of by."""
        ways = (way for routine in self.routines for way in routine.when)
        return frozenset(option for way in ways for wanted in way for option in wanted.split("|"))


class _Fit(NamedTuple):
    """A routine that a text speaks of, by which words, and what comes of it here."""

    routine: Routine
    used: frozenset[str]
    goal: Formula


def _apart(fits: Iterable[_Fit]) -> list[_Fit]:
    """Return the best routines that rest on different words."""
    used: set[str] = set()
    chosen = []
    for fit in fits:
        if used.isdisjoint(fit.used):
            chosen.append(fit)
            used |= fit.used
    return chosen


def _used(way: Sequence[str], words: Sequence[str], listed: Collection[str]) -> frozenset[str]:
    """Return the words of a text that mention all that a way of speaking needs; none if any is missing."""
    used: list[str] = []
    for wanted in way:
        options = wanted.split("|")
        hit = next((w for w in words if w not in used and _mentions(w, options, listed)), None)
        if hit is None:
            return frozenset()
        used.append(hit)
    return frozenset(used)


def _mentions(word: str, options: Sequence[str], listed: Collection[str]) -> bool:
    """Return whether a word is one of some, in any form, or one that no routine lists for a kind of one."""
    bases = set(_bases(word))
    if not bases.isdisjoint(listed):
        return not bases.isdisjoint(options)
    return not _above(word).isdisjoint(options)


@cache
def _above(word: str) -> frozenset[str]:
    """Return the words for what a made thing or food is a kind of."""
    known = artifacts()
    lines = (known.line(sense)[:_STEPS] for sense in known.senses(word))
    return frozenset(w for line in lines for row in line for w in known.concepts[row].words)


_STEPS = 2
"""So many steps up from a word, itself included, something is still close to what was said."""


def _bases(word: str) -> Iterator[str]:
    """Yield a word and what it may be a form of."""
    yield from singulars(word)
    for ending in ("ing", "ed", "d", "ation"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            yield from (stem, stem + "e", stem[:-1])


def _goal(routine: Routine, graph: HouseGraph) -> Formula | None:
    """Return the goals of the steps that can be taken here, or None where none can."""
    goals = [goal for step in routine.do if (goal := _step_goal(step, graph)) is not None]
    return conjunction(goals) if goals else None


def _step_goal(step: Step, graph: HouseGraph) -> Formula | None:
    types = graph.types()
    present = set(types.values())
    if step.into is not None:
        places = (step.into,) if isinstance(step.into, str) else step.into
        place = next((p for p in places if p in present), None)
        things = [kind for kind in step.of if kind in present and kind != place]
        if place is None or not things:
            return None
        return conjunction([contains(place, thing) for thing in things[: step.some]])
    for verb, state in STATES.items():
        wanted: Types = getattr(step, verb)
        if wanted:
            return _state_goal(wanted, state, step, graph)
    return None


def _state_goal(wanted: Types, state: str, step: Step, graph: HouseGraph) -> Formula | None:
    needed = _USABLE.get(state)
    names = {
        kind: [
            name
            for name, its in graph.types().items()
            if its == kind and (needed is None or graph.can(name, needed))
        ]
        for kind in wanted
    }
    usable = [kind for kind in wanted if names[kind]]
    if not usable:
        return None
    if step.each:
        return conjunction([in_state(name, state) for kind in usable for name in names[kind]])
    return conjunction([disjunction([in_state(kind, state)]) for kind in usable[: step.some]])
