"""Where to look for what is not where it is believed to be: where it was before, then at like places."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.store import KnowledgeStore

MOST = 60
"""So many places are looked at for one thing."""


def elsewhere(store: KnowledgeStore, gone: Fact) -> Iterator[Fact]:
    """Yield what may hold of a thing instead of a fact that was found not to, the likeliest first.

    That are the facts that exclude it by the domain's groups: where the thing was believed or said to be
    before, newest first, then what fits, places of the same type as the one where it is not before others.
    """
    possible = dict.fromkeys(_instead_of(store, gone))
    claimed = [claim.fact for claim in store.claims(gone.subject) if claim.holds]
    before = [record.fact for record in reversed(store.history(gone.subject))]
    known = [fact for fact in (*claimed, *before) if fact in possible]
    kind = store.kinds.get(gone.object)
    alike = [fact for fact in possible if store.kinds.get(fact.object) == kind]
    yield from [*dict.fromkeys([*known, *alike, *possible])][:MOST]


def _instead_of(store: KnowledgeStore, gone: Fact) -> Iterator[Fact]:
    vocabulary = store.vocabulary
    for group, own in store.groups.of(gone.relation):
        if own.order != (0,):
            continue
        for part in group.parts:
            if part.order != (0,) or part.arity != 2:
                continue
            for place in store.kinds:
                fact = Fact(gone.subject, part.predicate, place)
                if fact != gone and vocabulary.problem(fact, store.kinds) is None:
                    yield fact
