"""Who proposes what might explain a failure."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.repair.diagnosis import proposals
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Hypothesis
from commonground.planning.pddl import Formula


@dataclass(frozen=True, slots=True)
class OfflineProposer:
    """Proposes by diagnosis, without network or model."""

    kinds: Kinds

    def propose(
        self, failure: Failure, goal: Formula, graph: HouseGraph, failed_before: int
    ) -> list[Hypothesis]:
        """Return hypotheses, the likeliest first."""
        return proposals(failure, goal, graph, self.kinds, failed_before)
