"""What vague commands are taken to mean: a table that people can edit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.grounding.language.inflection import verb_forms
from commonground.grounding.problem_writer.goals import contains, in_state, words_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.words.nouns import singulars
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
    some: int = Field(default=1, ge=1)
    """So many of the types, the first that are there."""
    each: bool = False
    """All things of the types."""


class Routine(Settings):
    """What a vague command means."""

    name: str
    when: tuple[tuple[str, ...], ...]
    do: tuple[Step, ...]


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
        words = {base for word in re.findall(r"[a-z]+", text.lower()) for base in _bases(word)}
        found: list[tuple[int, frozenset[str], Formula]] = []
        for routine in self.routines:
            fits = [frozenset(wanted) for wanted in routine.when if _fits(wanted, words)]
            goal = _goal(routine, graph) if fits else None
            if goal is not None:
                best = max(fits, key=len)
                found.append((len(best), best, goal))
        found.sort(key=lambda entry: -entry[0])
        goal = _apart(found)
        covered = {base for _, used, _ in found for word in used for base in _bases(word)}
        if goal is not None:
            covered |= {word.lower() for word in words_of(goal)}
            covered |= {graph.type_of(word).lower() for word in words_of(goal)}
        return goal if all(not names.isdisjoint(covered) for names in named) else None


def _apart(found: list[tuple[int, frozenset[str], Formula]]) -> Formula | None:
    """Return the goals of the best routines that rest on different words."""
    used: set[str] = set()
    goals = []
    for _, words, goal in found:
        if used.isdisjoint(words):
            goals.append(goal)
            used |= words
    return conjunction(goals) if goals else None


def _fits(wanted: tuple[str, ...], words: set[str]) -> bool:
    return all(not words.isdisjoint(_bases(word)) for word in wanted)


def _bases(word: str) -> Iterator[str]:
    """Yield a word and what it may be a form of."""
    yield word
    yield from singulars(word)
    for ending in ("ing", "ed", "s", "d", "ation", "es"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            for base in (stem, stem + "e", stem[:-1]):
                if word in verb_forms(base) or ending == "ation":
                    yield base


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
