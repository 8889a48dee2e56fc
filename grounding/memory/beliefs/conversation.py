"""The last report and what it spoke of, kept with the graph so that the next one may refer to it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.interpretation import events as events_module
from commonground.grounding.memory.interpretation.discourse import Discourse, Topic
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.names import location
from commonground.reasons import reason

if TYPE_CHECKING:
    from commonground.grounding.memory.interpretation.outcome import Told
    from commonground.grounding.memory.memory import Memory

_KEY = "conversation"
_LISTS = ("themes", "people", "subjects", "places", "group", "unread")


@dataclass(slots=True)
class LastReport:
    """A report that changed something."""

    tx: int
    text: str
    speaker: str | None
    at_ns: int
    events: tuple[Event, ...] = ()
    topic: Topic = field(default_factory=Topic)
    """What had been spoken of before it."""


class PreviousPlaces(dict[str, Fact]):
    """Where things were before their last move, looked up in the history when asked."""

    def __init__(self, store: KnowledgeStore, meanings: Meanings) -> None:
        super().__init__()
        self._store = store
        self._meanings = meanings

    def get(self, thing: str, default: Any = None) -> Any:
        """Return the fact that said where a thing was, or the default."""
        now = location(thing, self._store.facts, self._meanings)
        found = [
            record
            for record in self._store.history(thing)
            if record.fact.subject == thing
            and record.ended_ns is not None
            and record.tx_end is None
            and record.fact != now
            and self._meanings.relations[record.fact.relation].means
            in ("place", "holding", "whereabouts")
        ]
        return (
            max(found, key=lambda r: (r.ended_ns or 0, r.tx, r.valid_ns)).fact if found else default
        )


def kept(memory: Memory, taken: Told, told: LastReport) -> Told:
    """Keep a report that changed something as the last one; there is none behind one that is asked about."""
    if taken.tx is not None:
        memory.last = told
    elif taken.status == "ask":
        memory.last = None  # a correction is about what was just said
    save(memory.store, memory.discourse, memory.last)
    return taken


def save(store: KnowledgeStore, discourse: Discourse, last: LastReport | None) -> None:
    """Keep the conversation with the graph."""
    rows = {
        "topic": _topic_json(discourse.now),
        "last": None
        if last is None
        else {
            "tx": last.tx, "text": last.text, "speaker": last.speaker, "at_ns": last.at_ns,
            "events": list(map(_event_json, last.events)), "topic": _topic_json(last.topic),
        },
    }  # fmt: skip
    store.keep_note(_KEY, json.dumps(rows))


def load(store: KnowledgeStore, meanings: Meanings) -> tuple[Discourse, LastReport | None]:
    """Return the conversation kept with the graph, or a new one."""
    discourse = Discourse(previous=PreviousPlaces(store, meanings))
    text = store.note(_KEY)
    if text is None:
        return discourse, None
    try:
        return discourse, _kept(json.loads(text), discourse)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise GroundingError(
            f"the memory is damaged: its conversation cannot be read: {reason(error)}; use a backup"
        ) from error


def _kept(rows: dict[str, Any], discourse: Discourse) -> LastReport | None:
    """Bring a conversation to where it was; return the last report."""
    discourse.now = _topic(rows["topic"])
    last = rows["last"]
    if last is None:
        return None
    events = tuple(map(_event, last["events"]))
    topic = _topic(last["topic"])
    return LastReport(last["tx"], last["text"], last["speaker"], last["at_ns"], events, topic)


def _topic_json(topic: Topic) -> dict[str, Any]:
    lists = {name: getattr(topic, name) for name in _LISTS}
    return {**lists, "events": list(map(_event_json, topic.events))}


def _topic(rows: dict[str, Any]) -> Topic:
    return Topic(
        **{name: rows.get(name, []) for name in _LISTS}, events=list(map(_event, rows["events"]))
    )


def _event_json(event: Event) -> dict[str, Any]:
    return {"kind": type(event).__name__, **asdict(event)}


def _event(rows: dict[str, Any]) -> Event:
    kind = getattr(events_module, rows["kind"])
    values = {
        f.name: tuple(rows[f.name]) if isinstance(rows[f.name], list) else rows[f.name]
        for f in fields(kind)
        if f.name in rows
    }
    event: Event = kind(**values)
    return event
