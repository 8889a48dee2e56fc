"""What is believed about things, in words, with source and age: the answers to questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import spoken
from commonground.grounding.knowledge.records import ChangeRecord, Record, faded
from commonground.grounding.knowledge.spots import PART
from commonground.grounding.memory.memory import Memory

_FIXED = frozenset(["inside", "part", "joins", "attribute", "source", "derived"])


@dataclass(frozen=True, slots=True)
class Known:
    """One fact of an answer, and why it is believed."""

    fact: Fact
    record: Record
    change: ChangeRecord | None
    confidence: float
    """Faded to the time of asking."""
    age_s: float
    """Since it was last observed."""

    def as_json(self) -> dict[str, object]:
        """Return the fact with its source and age as JSON values."""
        source = self.change.source if self.change is not None else None
        return {
            "fact": list(self.fact),
            "source": source.kind if source is not None else "file",
            "name": source.name if source is not None else "",
            "words": source.words if source is not None else "",
            "age_s": round(self.age_s, 1),
            "confidence": round(self.confidence, 3),
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a question."""

    status: Literal["ok", "unknown", "ask"]
    text: str
    known: tuple[Known, ...] = ()


def why(memory: Memory, fact: Fact, now_ns: int, at_ns: int | None = None) -> Known:
    """Return a fact that is believed, or to have held at a time, with source, age and how sure it is."""
    store = memory.store
    record = store.record(fact) if at_ns is None else _record_at(memory, fact, at_ns)
    if record is None:
        record = Record(fact, now_ns, None, now_ns, 0.0, store.tx, None, store.tx)
    change = store.change_record(record.origin)
    age = max(0, now_ns - record.confirmed_ns) / 1e9
    seen_ns = now_ns if at_ns is None else max(at_ns, record.confirmed_ns)
    return Known(fact, record, change, faded(record, seen_ns, store.settings.half_life_s), age)


def _record_at(memory: Memory, fact: Fact, at_ns: int) -> Record | None:
    """Return the record of a fact that held at a time, as is believed now."""
    return next(
        (
            record
            for record in memory.store.history(fact.subject)
            if record.fact == fact
            and record.tx_end is None
            and record.valid_ns <= at_ns < (record.ended_ns or at_ns + 1)
        ),
        None,
    )


def in_words(memory: Memory, fact: Fact) -> str:
    """Return a fact in words: ``Maya's blue mug: resting on kitchen table``."""
    names = memory.names.things
    relation = spoken(fact.relation)
    subject = names[fact.subject].name if fact.subject in names else fact.subject
    if fact.is_property:
        return f"{subject}: {'' if fact.object == 'true' else 'not '}{relation}"
    value = names[fact.object].name if fact.object in names else fact.object
    return f"{subject}: {relation} {value}"


def way_to(memory: Memory, thing: str) -> list[Fact]:
    """Return where a thing is, and where that is, up to the room."""
    names, view, found = memory.names, memory.store.facts, list[Fact]()
    seen: set[str] = set()
    while thing not in seen:
        seen.add(thing)
        step = names.location(thing, view)
        if step is None:
            inner = memory.meanings.having("part", "inside", "joins")
            step = next(
                (f for r in inner for f in sorted(view.about(thing)) if f.relation == r), None
            )
        if step is None:
            return found
        if not step.relation.startswith(PART):  # its name says what a spot is part of
            found.append(step)
        thing = step.object
    return found


def contents_of(memory: Memory, place: str) -> list[Fact]:
    """Return what is at a place or on its levels, what somebody holds, who is in a room."""
    view = memory.store.facts
    relations = memory.meanings.having("place", "holding", "whereabouts", "contents")
    spots = [place, *memory.names.levels.get(place, ())]
    facts = [Fact(s, r, spot) for spot in spots for r in relations for s in view.subjects(r, spot)]
    return sorted(facts) or states_of(memory, place)


def states_of(memory: Memory, thing: str) -> list[Fact]:
    """Return what is so of a thing and may change."""
    relations = memory.meanings.relations
    about = sorted(memory.store.facts.about(thing))
    return [f for f in about if relations[f.relation].means not in _FIXED]


def answered(memory: Memory, subject: str, facts: Iterable[Fact], now_ns: int) -> Answered:
    """Return what is believed of a thing as an answer."""
    known = tuple(why(memory, fact, now_ns) for fact in facts)
    if not known:
        name = memory.names.things[subject].name
        return Answered("unknown", f"nothing is known about that of {name}")
    return Answered("ok", "; ".join(in_words(memory, k.fact) for k in known), known)
