"""Reads household commands offline: words → clauses → goals; vague ones by what things are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from commonground.errors import did_you_mean
from commonground.grounding.problem_writer.commands.choices import Choices
from commonground.grounding.problem_writer.commands.clauses import clauses_of
from commonground.grounding.problem_writer.commands.frames import Frames
from commonground.grounding.problem_writer.commands.mentions import Clause
from commonground.grounding.problem_writer.commands.ordering import in_order, steps_of
from commonground.grounding.problem_writer.commands.voice import Voice, voice_of
from commonground.grounding.problem_writer.duties import Duty, barred
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.serving import Serving
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Formula, Or
from commonground.planning.pddl.strata import literals

MAX_CHARACTERS = 2000


class UnknownWord(Unclear):
    """A command has a word that the patterns do not know."""


class CommandReader:
    """Turns commands into goals; it asks rather than pass over words it does not know."""

    def __init__(self, kinds: Kinds, purposes: Purposes | None = None) -> None:
        self.kinds = kinds
        self.purposes = purposes if purposes is not None else Purposes.load()
        self._voices: dict[frozenset[str], Voice] = {}

    def read(self, text: str, graph: HouseGraph) -> Formula:
        """Return what shall hold at the end of a command, or raise `Unclear` with a question."""
        return self.wish(text, graph).goal

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for, or raise `Unclear` with a question."""
        if not text.strip() or len(text) > MAX_CHARACTERS:
            raise Unclear("What should be done?" if not text.strip() else "Please say it in parts.")
        frames = Frames(Choices(graph, self.voice(graph).kinds))
        clauses = self._without_headline(text, graph)
        goals: list[Formula] = []
        unread: list[Clause] = []
        for clause in clauses:
            try:
                goals.append(self._read(clause, frames, text))
            except Unclear:
                unread.append(clause)
                vague = self._serving(graph).find(clause.text, self._named([clause]))
                if vague is None or clause.denied:
                    break
                goals.append(vague)
        else:
            wish = self._in_order(clauses, goals, frames, graph)
            if wish is not None:
                duties = [
                    Duty(clause.robots, goal, clause.told)
                    for clause, goal in zip(clauses, goals, strict=True)
                    if not clause.denied
                ]
                return replace(wish, barred=barred(duties, graph))
        pending = [told for told, _ in frames.pending]
        return Wish(self._whole(text, graph, frames, unread, pending))

    def _in_order(
        self, clauses: Sequence[Clause], goals: Sequence[Formula], frames: Frames, graph: HouseGraph
    ) -> Wish | None:
        """Return the wish of clauses with their goals, or None where nothing sensible comes of it."""
        if frames.pending or all(_only_spares(clause) for clause in clauses):
            return None
        ordered = [(goals[i], waits) for i, waits in in_order(clauses)]
        ordered = [(goal, waits) for goal, waits in ordered if goal != And()]
        lasting = [one for one in ordered if one[0] not in frames.taken]
        if len(lasting) < len(ordered) and any(
            _about(goal) & _about(other)
            for goal, _ in ordered
            if goal in frames.taken
            for other, _ in lasting
        ):
            ordered = lasting  # ``take the apple from the shelf and wash it``
        if not ordered or any(Or() in _parts(goal) for goal, _ in ordered):
            return None
        *before, goal = steps_of(ordered, graph)
        return Wish(goal, tuple(before), tuple(frames.spared))

    def _without_headline(self, text: str, graph: HouseGraph) -> list[Clause]:
        """Return the clauses of a text; ``do the laundry: …`` only says what the rest is for."""
        headline, colon, rest = text.partition(":")
        clauses = self._clauses(text, graph)
        if not (colon and rest.strip()):
            return clauses
        before = self._clauses(headline, graph)
        says = any(c.objects or c.places or c.states or c.denied for c in before)
        return clauses if says or not before else self._clauses(rest, graph)

    def voice(self, graph: HouseGraph) -> Voice:
        """Return the words for the things of a house."""
        types = frozenset(graph.types().values())
        if types not in self._voices:
            self._voices[types] = voice_of(self.kinds, graph)
        return self._voices[types]

    def _whole(
        self,
        text: str,
        graph: HouseGraph,
        frames: Frames,
        unread: Sequence[Clause],
        pending: Sequence[str],
    ) -> Formula:
        """Read a command by the purposes it speaks of, or say what is not understood."""
        vague = self._serving(graph).find(text, self._named(self._clauses(text, graph)))
        if vague is not None:
            return vague
        for clause in unread:
            self._read(clause, frames, text)
        if pending:
            raise Unclear(f"Where should it go: '{pending[0]}'?")
        raise Unclear(f"What should be true once this is done: '{text.strip()}'?")

    def _serving(self, graph: HouseGraph) -> Serving:
        return Serving(self.purposes, self.kinds, graph)

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
            for m in (*mentions, *(held for m in mentions for held in (*m.holding, *m.but)))
            if not m.back
        ]

    def _clauses(self, text: str, graph: HouseGraph) -> list[Clause]:
        text = _plainly(text)
        chunks = self.voice(graph).chunker.chunks(text, graph.types(), graph.robots())
        clauses = clauses_of(chunks)
        if clauses and clauses[0].frame == "ensure" and not clauses[0].objects:
            clauses = clauses[1:] or clauses
        return [self._resolved(clause) for clause in _topics(clauses)]

    def _resolved(self, clause: Clause) -> Clause:
        """Forget what only leads up to the rest: ``I want you to``."""
        if clause.frame in ("ensure", "take_up") and not (clause.objects or clause.unknown):
            return replace(clause, frame="", places=clause.places)
        return clause

    def _read(self, clause: Clause, frames: Frames, text: str) -> Formula:
        if clause.unknown:
            word = clause.unknown[0]
            raise UnknownWord(
                f"I do not know '{word}' in '{text.strip()}'."
                f"{did_you_mean(word, self.voice(frames.choices.graph).chunker.phrases)}"
            )
        return frames.read(clause)


_ONE = r"((?:the|a|an|my) [\w ]{2,30}?)"
_REWRITTEN = tuple(
    (re.compile(pattern, re.I), plain)
    for pattern, plain in (
        (
            r"\b(?:make sure|ensure|see to it|see)(?: that)? (?:nothing|no thing)"
            r" (?:is|remains|stays|lies|stands)(?: left)? (?:on|in) ",
            "clear ",
        ),
        (
            r"\bnothing (?:should|shall|must|may|is to) (?:be left|remain|stay|lie|be)(?: left)? (?:on|in) ",
            "clear ",
        ),
        (
            r"(?<!from )\b(?:wherever|whatever place) ([\w ]{2,40}?) (?:is|are|may be|might be)\b,?",
            r"find \1,",
        ),
        (
            rf"\b(?:on which|in which|where) {_ONE} (?:is|are)(?: (?:kept|now))?\b",
            r"with \1",
        ),
        (rf"\bthat {_ONE} (?:is|are) (?:on|in)(?=\s*(?:[.,;!?]|and\b|$))", r"with \1"),
    )
)
"""Relative clauses said more plainly."""


def _only_spares(clause: Clause) -> bool:
    """``do not touch the vase``: alone, that is nothing to do."""
    return clause.frame in ("spare", "intact") or (clause.denied and clause.frame != "ensure")


def _topics(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses without topics: ``the tomato: slice it``."""
    out: list[Clause] = []
    for clause in clauses:
        before = out[-1] if out else None
        back = clause.objects and clause.objects[0].back in ("it", "them", "both")
        if (
            before is not None
            and back
            and before.objects
            and not (
                before.frame or before.places or before.states or before.unknown or before.denied
            )
        ):
            out.pop()
            clause.objects = [*before.objects, *clause.objects[1:]]
            clause.links = before.links
        out.append(clause)
    return out


def _plainly(text: str) -> str:
    for pattern, plain in _REWRITTEN:
        text = pattern.sub(plain, text)
    return text


def _parts(goal: Formula) -> list[Formula]:
    """Return a goal and everything in it."""
    inner = goal.parts if isinstance(goal, And | Or) else ()
    return [goal, *(part for each in inner for part in _parts(each))]


def _about(goal: Formula) -> set[str]:
    """Return the last thing each condition is about."""
    return {
        atom.args[1] if atom.predicate == "contains" else atom.args[0] for atom, _ in literals(goal)
    }
