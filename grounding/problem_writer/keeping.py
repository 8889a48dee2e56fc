"""What a team believes of a house, kept in a knowledge graph with history; hypotheses stand beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import BOOLEANS, FALSE, Fact
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.records import Claim, Source
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.problem_writer.graph import (
    BARRED,
    GROUPS,
    ROBOT,
    STATES,
    VIEWS,
    HouseGraph,
    ViewName,
)

_VALUES = {
    "is-a": "kind", "can": "affordance", "skill": "skill", "spared": "skill", "lifts-kg": "number",
    "mass-kg": "number", "slots": "number", "temperature": "warmth",
}  # fmt: skip
"""Relation → the type of what stands behind it, where that is no thing of the house."""
_OF_ROBOTS = ("skill", "lifts-kg", "at", "holds", *BARRED)
_PLACED = ("at", "reached-at")
_SUPPOSED = 0.5
"""Confidence under which a hypothesis is kept aside; what is observed is certain."""
HYPOTHESIS = "hypothesis"
"""Why a claim is kept aside: nobody has observed it."""


_OPENING = "(define (domain house-facts)"


def house_facts_domain() -> str:
    """Return the domain that types the facts of houses."""
    lines = [
        _OPENING,
        "  (:requirements :strips :typing :negative-preconditions)",
        "  (:types robot thing place - entity kind affordance skill number warmth - value)",
        "  (:predicates",
    ]
    lines += [f"    ({state} ?x - entity)" for state in sorted(STATES)]
    binary = sorted(frozenset().union(*VIEWS.values()) - STATES)
    lines += [f"    ({name} ?x - {_subject(name)} ?y - {_object(name)})" for name in binary]
    lines.append("  )")
    return "\n".join([*lines, ")"])


def _subject(relation: str) -> str:
    return "robot" if relation in _OF_ROBOTS else "entity" if relation == "is-a" else "thing"


def _object(relation: str) -> str:
    return _VALUES.get(relation) or ("entity" if relation in _PLACED else "thing")


class HouseStore:
    """The three graphs of a house (relations, properties, reachability) in one durable knowledge graph.

    What is known are its facts. What is only supposed are claims that it keeps aside, so that nothing that
    reads the facts takes them for known; they are accepted, rejected or withdrawn when something is observed.
    """

    def __init__(self, store: KnowledgeStore) -> None:
        self.store = store

    @classmethod
    def create(
        cls,
        path: str | Path,
        graph: HouseGraph,
        *,
        source: Source | None = None,
        at_ns: int | None = None,
    ) -> HouseStore:
        """Make a new file with what is believed of a house."""
        known = [fact for fact in graph.facts if fact not in graph.supposed]
        store = KnowledgeStore.create(
            path,
            house_facts_domain(),
            _things(known, graph),
            known,
            source=source,
            at_ns=at_ns,
            settings=KnowledgeSettings(ignore_below=0.0),
            groups=GROUPS,
        )
        kept = cls(store)
        kept._claim(graph, "", at_ns)
        return kept

    @classmethod
    def open(cls, path: str | Path) -> HouseStore:
        """Open a file."""
        return cls(KnowledgeStore.open(path, settings=KnowledgeSettings(ignore_below=0.0)))

    @classmethod
    @contextlib.contextmanager
    def replacing(cls, path: Path, graph: HouseGraph) -> Iterator[HouseStore]:
        """Yield a new store, which replaces a file in the end; a killed one leaves the file as it was.

        Only what a house's store wrote is replaced.
        """
        if path.exists():
            with KnowledgeStore.open(path, read_only=True) as old:
                if not (old.note("domain") or "").startswith(_OPENING):
                    raise GroundingError(
                        f"{path}: exists already and is no household's; choose another folder"
                    )
        running = path.with_name(f".{path.stem}.running{path.suffix}")
        running.unlink(missing_ok=True)
        _drop_logs(running)
        with cls.create(running, graph) as kept:
            yield kept
        _drop_logs(path)  # they would be read as part of the new file
        running.replace(path)

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def __enter__(self) -> HouseStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- reading ----------------------------------------------------------------------------------

    def graph(self) -> HouseGraph:
        """Return what is believed, hypotheses marked as such."""
        self.store.refresh()
        graph = HouseGraph(self.store.facts)
        for claim in self.hypotheses():
            if claim.holds:
                graph.suppose(claim.fact)
            else:
                graph.doubt(claim.fact)
        return graph

    def view(self, name: ViewName) -> list[Fact]:
        """Return the known facts of one of the three graphs, in order."""
        self.store.refresh()
        return sorted(fact for fact in self.store.facts if fact.relation in VIEWS[name])

    def hypotheses(self, status: str = "open") -> list[Claim]:
        """Return what is supposed: open, or what has been accepted, rejected or withdrawn."""
        return self.store.claims(status=status)

    # ---- writing ----------------------------------------------------------------------------------

    def update(self, graph: HouseGraph, source: Source, *, at_ns: int | None = None) -> int | None:
        """Write what is believed now; return the change that can be undone, or None where nothing is new.

        Observed facts settle the hypotheses they agree with or contradict; hypotheses that nobody holds any
        more are withdrawn; new ones are kept aside, each as a change of its own.
        """
        self.store.refresh()
        # a doubted fact stays known until it is seen to be otherwise; so does what a hypothesis stands in for
        standing = {fact for fact in graph.supposed.values() if fact is not None} | graph.doubted
        known = {fact for fact in graph.facts if fact not in graph.supposed} | standing
        before = set(self.store.facts)
        settled = [c.fact for c in self.hypotheses() if c.fact in known]
        change_id: int | None = None
        if known != before or settled:
            with self.store.change(source, at_ns=at_ns) as change:
                for thing in _things(known, graph):
                    if thing.id not in self.store.things:
                        change.thing(thing)
                for fact in sorted(before - known):
                    change.retract(fact)
                for fact in sorted(known - before | set(settled)):
                    change.add(fact)
            change_id = change.outcome.tx
        self._withdraw(graph)
        self._claim(graph, source.words, at_ns)
        return change_id

    def _claim(self, graph: HouseGraph, why: str, at_ns: int | None) -> None:
        """Keep aside what is newly supposed or doubted."""
        open_ = {(claim.fact, claim.holds) for claim in self.hypotheses()}
        wanted = [
            *((fact, True) for fact in graph.supposed),
            *((fact, False) for fact in graph.doubted),
        ]
        for fact, holds in sorted(wanted):
            if (fact, holds) in open_:
                continue
            source = Source("default", HYPOTHESIS, why)
            with self.store.change(source, at_ns=at_ns) as change:
                for thing in _things([fact], graph):
                    if thing.id not in self.store.things:
                        change.thing(thing)
                if holds:
                    change.hold(fact, _SUPPOSED, HYPOTHESIS)
                else:
                    change.retract(fact, _SUPPOSED)

    def _withdraw(self, graph: HouseGraph) -> None:
        """Take back the hypotheses that nobody holds any more."""
        for claim in self.hypotheses():
            held = graph.supposed if claim.holds else graph.doubted
            if claim.fact not in held:
                self.store.undo(claim.tx)


def _drop_logs(file: Path) -> None:
    """Remove what a killed process left beside a database."""
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)


def _things(facts: Iterable[Fact], graph: HouseGraph) -> list[Thing]:
    """Return everything facts speak of, with its type."""
    robots = set(graph.robots())
    found: dict[str, str] = {}
    for fact in facts:
        for name, kind in _typed(fact, robots, graph):
            if found.get(name) in (None, "place"):
                found[name] = kind
    return [Thing(name, kind, name) for name, kind in sorted(found.items())]


def _typed(fact: Fact, robots: set[str], graph: HouseGraph) -> Iterator[tuple[str, str]]:
    yield fact.subject, "robot" if fact.subject in robots or fact.object == ROBOT else "thing"
    if fact.object in BOOLEANS or fact.object == FALSE:
        return
    value = _VALUES.get(fact.relation)
    known = graph.type_of(fact.object) or fact.relation not in _PLACED
    yield fact.object, value or ("thing" if known else "place")
