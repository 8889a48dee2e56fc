"""What might explain a failure, and which explanation to act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A change of the graph that would make a plan possible."""

    why: str
    likelihood: float
    """π: how likely it is, in any unit."""
    adds: tuple[Fact, ...] = ()
    drops: tuple[Fact, ...] = ()

    def apply(self, graph: HouseGraph) -> HouseGraph:
        """Return a copy of a graph in which it is supposed to be true."""
        twin = graph.copy()
        for fact in self.drops:
            twin.doubt(fact)
        for fact in self.adds:
            twin.suppose(fact)
        return twin


@dataclass(frozen=True, slots=True)
class Trial:
    """A hypothesis with the plan it makes possible."""

    hypothesis: Hypothesis
    graph: HouseGraph
    plan: tuple[Call, ...]
    length_before: int = 0
    """Steps of the plan that failed, or 0 where there was none."""

    @property
    def extra(self) -> int:
        """Δc: by how many steps the plan gets longer; a plan that gets no longer costs one step.

        A repair that shortens the plan or keeps its length would divide by zero or reward wild guesses;
        acting on a hypothesis always takes at least one step to find out, so Δc is at least 1.
        """
        return max(1, len(self.plan) - self.length_before)


def choose(trials: Sequence[Trial], length_weight: float) -> Trial | None:
    """Return the trial with the largest p / Δc^λ, where p = π / Σπ; the earliest of equals."""
    total = sum(trial.hypothesis.likelihood for trial in trials)
    if total <= 0:
        return trials[0] if trials else None
    return max(
        trials, key=lambda t: t.hypothesis.likelihood / total / t.extra**length_weight, default=None
    )


def no_better(trials: Sequence[Trial], following: Hypothesis, length_weight: float) -> bool:
    """Return whether a hypothesis and all less likely ones cannot beat the trials: Δc is at least 1."""
    best = max((t.hypothesis.likelihood / t.extra**length_weight for t in trials), default=0.0)
    return best >= following.likelihood
