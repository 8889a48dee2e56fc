"""Updates from sensors: what was seen, how surely, and what was looked at without being seen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import Source, faded
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.ontology.names import Names

_CERTAIN = 0.97
"""Nothing is surer than this when a look says otherwise: a belief of one could never fall."""
_LOOKED_BACK = 1000
"""So many changes back a look that is told again is known."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One triple that a sensor reports."""

    fact: Fact
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What one sensor saw at one time."""

    sightings: tuple[Sighting, ...]
    at_ns: int
    sensor: str = ""
    seen: tuple[str, ...] = ()
    """Places that were in full view: what memory has there and was not seen is probably gone."""
    recall: float = 0.9
    """How often the sensor sees what is in view."""
    gone: tuple[str, ...] = ()
    """Things that are not where they were, whatever else is there."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of an observation."""

    added: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()
    accepted: tuple[Fact, ...] = ()
    """Sightings that are believed now."""
    held: tuple[Fact, ...] = ()
    late: tuple[Fact, ...] = ()
    refused: tuple[str, ...] = ()
    """Why sightings were not taken in: unknown things, wrong types."""
    missed: tuple[Fact, ...] = ()
    """Believed, in view, and not seen: believed less or no longer."""
    tx: int | None = None
    again: bool = False
    """The same sensor told the very same of that time before: one look counts once."""


def observe(store: KnowledgeStore, names: Names, observation: Observation) -> Observed:
    """Take in an observation as one change; what cannot be true of this world is refused."""
    kinds = store.kinds
    refused: list[str] = []
    usable: list[Sighting] = []
    for sighting in observation.sightings:
        problem = store.vocabulary.problem(sighting.fact, kinds)
        if problem is not None:
            refused.append(f"{sighting.fact}: {problem}")
        elif sighting.confidence >= store.settings.ignore_below:
            usable.append(sighting)
    missed = _missed(store, names, observation, {s.fact.subject for s in usable})
    if not usable and not missed:
        return Observed(refused=tuple(refused))
    source = Source("sensor", observation.sensor, _words(observation))
    if _is_told_before(store, source, observation.at_ns):
        known = tuple(s.fact for s in usable if s.fact in store.facts)
        return Observed(accepted=known, refused=tuple(refused), again=True)
    with store.change(source, at_ns=observation.at_ns) as change:
        for sighting in usable:
            change.add(sighting.fact, sighting.confidence)
        for fact in missed:
            change.weaken(fact, _belief_after_miss(store, fact, observation))
    outcome = change.outcome
    return Observed(
        outcome.added,
        outcome.removed,
        tuple(s.fact for s in usable if s.fact in store.facts),
        outcome.held,
        outcome.late,
        tuple(refused),
        tuple(missed),
        outcome.tx,
    )


def _words(observation: Observation) -> str:
    """Return what a look is called in the history, the same for the same look."""
    look = repr((observation.sightings, observation.seen, observation.recall, observation.gone))
    number = hashlib.sha256(look.encode()).hexdigest()[:12]
    return f"{len(observation.sightings)} triples, look {number}"


def _is_told_before(store: KnowledgeStore, source: Source, at_ns: int) -> bool:
    """Return whether a look was taken in already, and not taken back."""
    changes = store.changes(_LOOKED_BACK)
    undone = {change.undoes for change in changes}
    return any(
        change.source == source and change.observed_ns == at_ns and change.tx not in undone
        for change in changes
    )


def _missed(
    store: KnowledgeStore, names: Names, observation: Observation, seen: set[str]
) -> list[Fact]:
    """Return the facts of things that should have been in view and were not seen."""
    found: list[Fact] = []
    relations = names.meanings.having("place", "whereabouts")
    for spot in observation.seen:
        for place in (spot, *names.levels.get(spot, ())):
            for relation in relations:
                found += [
                    Fact(thing, relation, place)
                    for thing in sorted(store.facts.subjects(relation, place))
                    if thing not in seen
                ]
    for thing in observation.gone:
        found += [
            fact
            for fact in store.facts.about(thing)
            if fact.relation in relations and thing not in seen
        ]
    return found


def _belief_after_miss(store: KnowledgeStore, fact: Fact, observation: Observation) -> float:
    """Bayes: P(there | not seen) = p(1 - r) / (1 - pr) for belief p and recall r."""
    record = store.record(fact)
    if record is None or record.confirmed_ns > observation.at_ns:
        return 1.0
    belief = min(_CERTAIN, faded(record, observation.at_ns, store.settings.half_life_s))
    return belief * (1 - observation.recall) / max(1e-9, 1 - belief * observation.recall)
