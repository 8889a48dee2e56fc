"""What is believed about things, in words, with source and age: the answers to questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import spoken
from commonground.grounding.knowledge.records import ChangeRecord, Record, faded

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


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
    brief: str = ""
    """The text with no more than the first of a long list; '' where it lists few."""

    @classmethod
    def listing(
        cls, lead: str, parts: Sequence[str], known: tuple[Known, ...] = (), joint: str = "; "
    ) -> Answered:
        text, brief = (
            f"{lead}: {told}" if lead else told for told in (joint.join(parts), cut(parts, joint))
        )
        return cls("ok", text, known, brief if brief != text else "")

    def and_then(self, text: str, brief: str = "") -> Answered:
        """Return the answer with more said after it."""
        brief = f"{self.brief or self.text}{brief or text}" if self.brief or brief else ""
        return replace(self, text=f"{self.text}{text}", brief=brief)


LISTED = 10
"""So much of a long list is shown."""


def cut(parts: Sequence[str], joint: str) -> str:
    """Return a list in words, of a long one its beginning and how much is left."""
    left = len(parts) - LISTED
    if left <= 1:
        return joint.join(parts)
    return joint.join((*parts[:LISTED], f"and {left:,} more"))


def why(
    memory: Memory, facts: Sequence[Fact], now_ns: int, at_ns: int | None = None
) -> Iterator[Known]:
    """Yield facts that are believed, or to have held at a time, with source, age and how sure they are."""
    records = memory.store.records(facts) if at_ns is None else {}
    for fact in facts:
        record = records.get(fact) if at_ns is None else _record_at(memory, fact, at_ns)
        yield _known(memory, fact, record, now_ns, at_ns)


def _known(
    memory: Memory, fact: Fact, record: Record | None, now_ns: int, at_ns: int | None
) -> Known:
    store = memory.store
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
