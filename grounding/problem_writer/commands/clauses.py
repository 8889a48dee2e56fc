"""Chunks put together to clauses: a verb, what it is done to, where to, and which states are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.clause_verbs import VerbRules
from commonground.grounding.problem_writer.commands.mentions import Clause
from commonground.grounding.resolver.choice import Unclear


def clauses_of(chunks: Sequence[Chunk]) -> list[Clause]:
    """Return the clauses of a command, in order."""
    return _Builder(chunks).build()


_TO = ("to", "onto", "at", "near", "next to", "beside", "from")
"""Words before a robot that does nothing."""


class _Builder(VerbRules):
    """Applies the first rule that a chunk fits."""

    def build(self) -> list[Clause]:
        while self.at < len(self.chunks):
            chunk = self.chunks[self.at]
            self._team(chunk)
            for rule in (
                self._denial, self._mark, self._verb, self._participle, self._state, self._place, self._noun,
                self._small,
            ):  # fmt: skip
                if rule(chunk):
                    break
            else:
                self.now.unknown.append(chunk.text)
                self.linked = False
            if self.at < len(self.chunks):
                self.now.chunks.append(chunk)
            self.at += 1
        self._team_behind()
        self._finish()
        if self.denying:
            raise Unclear(
                f"I cannot take account of '{self.denying}'. What should be true at the end?"
            )
        return self.done

    def _team(self, chunk: Chunk) -> None:
        """Note who shall do what comes next, or has just been asked for: ``robot 2``, ``by robot 2``."""
        if chunk.is_("stop"):
            self._team_behind()
        named = chunk.sense("robot")
        before = self.chunks[self.at - 1] if self.at else None
        if named is None or (before is not None and before.text in _TO):
            return
        if before is not None and before.is_("preposition"):
            self.role = ""
            self.now.robots = (*self.now.robots, named.value)
            return
        self.robots = (*self.robots, named.value) if self.naming else (named.value,)
        self.naming = True
        following = self._following()
        self.linked = self.linked or (following is not None and following.is_("verb"))

    def _team_behind(self) -> None:
        """``close the fridge, robot 2.``; a robot named before all else waits: ``robot 2: …``."""
        if self.naming and self.now.empty:
            return
        if self.naming:
            self.now.robots = self.robots
        self.robots, self.naming = (), False

    def _begin(self, frame: str, word: str) -> None:
        super()._begin(frame, word)
        self.now.robots, self.naming = self.robots, False
