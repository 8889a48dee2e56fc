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


class _Builder(VerbRules):
    """Applies the first rule that a chunk fits."""

    def build(self) -> list[Clause]:
        while self.at < len(self.chunks):
            chunk = self.chunks[self.at]
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
        self._finish()
        if self.denying:
            raise Unclear(
                f"I cannot take account of '{self.denying}'. What should be true at the end?"
            )
        return self.done
