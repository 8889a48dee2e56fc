"""Facts that are to be believed together: of the right types, and none that excludes another."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.store import KnowledgeStore


def check_together(facts: Iterable[Fact], store: KnowledgeStore) -> None:
    """Raise GroundingError for facts that are ill-typed or cannot hold at the same time."""
    draft = Draft(FactIndex())
    for fact in facts:
        problem = store.vocabulary.problem(fact, store.kinds)
        if problem is not None:
            raise GroundingError(f"fact {fact}: {problem}")
        rivals = [f for f in store.groups.rivals(draft, fact) if f.subject == fact.subject]
        if rivals:
            raise GroundingError(f"{fact} and {rivals[0]} cannot both hold")
        draft.add(fact)
