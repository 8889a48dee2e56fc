"""Reads household commands offline: words → clauses → goals; vague ones through a table of routines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.errors import did_you_mean
from commonground.grounding.problem_writer.commands.choices import Choices
from commonground.grounding.problem_writer.commands.chunks import Chunker
from commonground.grounding.problem_writer.commands.clauses import clauses_of
from commonground.grounding.problem_writer.commands.frames import Frames
from commonground.grounding.problem_writer.commands.mentions import Clause
from commonground.grounding.problem_writer.commands.routines import Routines
from commonground.grounding.problem_writer.commands.vocabulary import phrases_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Formula, Or, conjunction

MAX_CHARACTERS = 2000


class CommandReader:
    """Turns commands into goals; it asks rather than pass over words it does not know."""

    def __init__(self, kinds: Kinds, routines: Routines | None = None) -> None:
        self.kinds = kinds
        self.routines = routines if routines is not None else Routines.load()
        self.phrases = phrases_of(kinds)
        self.chunker = Chunker(self.phrases)

    def read(self, text: str, graph: HouseGraph) -> Formula:
        """Return the goal of a command, or raise `Unclear` with a question."""
        if not text.strip() or len(text) > MAX_CHARACTERS:
            raise Unclear("What should be done?" if not text.strip() else "Please say it in parts.")
        choices = Choices(graph, self.kinds)
        frames = Frames(choices)
        goals: list[Formula] = []
        unread: list[Clause] = []
        for clause in self._clauses(text, graph):
            try:
                goals.append(self._read(clause, frames, text))
            except Unclear:
                unread.append(clause)
                routine = self.routines.find(clause.text, graph, self._named([clause]))
                if routine is None:
                    break
                goals.append(routine)
        else:
            goals = [goal for goal in goals if goal != And()]
            lasting = [goal for goal in goals if goal not in frames.taken]
            goals = lasting or goals  # ``take the apple from the shelf and wash it``
            if goals and all(Or() not in _parts(goal) for goal in goals):
                return conjunction(goals)
        return self._whole(text, graph, frames, unread)

    def _whole(
        self, text: str, graph: HouseGraph, frames: Frames, unread: Sequence[Clause]
    ) -> Formula:
        """Read a command as a routine, or say what is not understood."""
        named = self._named(self._clauses(text, graph))
        routine = self.routines.find(text, graph, named)
        if routine is not None:
            return routine
        for clause in unread:
            self._read(clause, frames, text)
        raise Unclear(f"What should be true once this is done: '{text.strip()}'?")

    def _named(self, clauses: Sequence[Clause]) -> list[frozenset[str]]:
        """Return the words for each thing that clauses name."""
        mentions = [m for c in clauses for m in (*c.objects, *(place for _, place in c.places))]
        return [
            frozenset(
                word.lower()
                for kind in (*m.types, *self.kinds.members(m.group), *m.group.split(), m.name)
                for word in (
                    kind,
                    *(self.kinds.types[kind].words if kind in self.kinds.types else ()),
                )
                if word
            )
            for m in mentions
            if not m.back
        ]

    def _clauses(self, text: str, graph: HouseGraph) -> list[Clause]:
        chunks = self.chunker.chunks(text, graph.types(), graph.robots())
        clauses = clauses_of(chunks)
        if clauses and clauses[0].frame == "ensure" and not clauses[0].objects:
            clauses = clauses[1:] or clauses
        return [self._resolved(clause) for clause in clauses]

    def _resolved(self, clause: Clause) -> Clause:
        """Forget what only leads up to the rest: ``I want you to``."""
        if clause.frame in ("ensure", "take_up") and not (clause.objects or clause.unknown):
            return replace(clause, frame="", places=clause.places)
        return clause

    def _read(self, clause: Clause, frames: Frames, text: str) -> Formula:
        if clause.unknown:
            word = clause.unknown[0]
            raise Unclear(
                f"I do not know '{word}' in '{text.strip()}'.{did_you_mean(word, self.phrases)}"
            )
        return frames.read(clause)


def _parts(goal: Formula) -> list[Formula]:
    """Return a goal and everything in it."""
    inner = goal.parts if isinstance(goal, And | Or) else ()
    return [goal, *(part for each in inner for part in _parts(each))]
