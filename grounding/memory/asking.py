"""Questions about what is believed, answered with source and age."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import ChangeRecord, Record, faded
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.linking import Context, Linker
from commonground.grounding.memory.memory import Memory

_HOLDING = frozenset(["holding", "owner"])
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


def ask(
    memory: Memory, question: str, speaker: str | None = None, now_ns: int | None = None
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    now = time.time_ns() if now_ns is None else now_ns
    memory.store.refresh()
    linker = Linker(memory.names, memory.store.facts, _remembered(memory), speaker)
    words = [t.text for tokens in memory.reader.tokens(question) for t in tokens]
    mentions = _mentions(memory, question)
    chosen: list[str] = []
    for mention in mentions:
        found = linker.some(mention, lambda thing: True, Context())
        if len(found) > 1:
            names = ", ".join(memory.names.things[key].name for key in sorted(found)[:4])
            return Answered("ask", f"which one is meant by '{mention.words}': {names}?")
        if not found and mention.kind in ("unknown", "thing"):
            said_so = mention.words.replace(" 's", "'s")
            return Answered("unknown", f"nothing known here is called '{said_so}'")
        chosen += found
    if not chosen:
        return Answered("ask", "about which thing? name one, as in 'where is the mug'")
    return _answer(memory, words, chosen, now)


def _answer(memory: Memory, words: list[str], chosen: list[str], now: int) -> Answered:
    """Choose the facts a question is about: places, holders, contents, or states."""
    subject = chosen[0]
    if {"where", "room"} & {*words}:
        facts = _way(memory, subject)
    elif {"who", "whose", "whom"} & {*words}:
        relations = _who(memory, words)
        facts = [f for f in memory.store.about(subject) if f.relation in relations]
    elif {"what", "which", "anything", "contents"} & {*words} and not memory.names.is_item(subject):
        facts = _contents(memory, subject)
    else:
        facts = _states(memory, subject)
    known = tuple(why(memory, fact, now) for fact in facts)
    name = memory.names.things[subject].name
    if not known:
        return Answered("unknown", f"nothing is known about that of {name}")
    return Answered("ok", "; ".join(in_words(memory, k.fact) for k in known), known)


def why(memory: Memory, fact: Fact, now_ns: int) -> Known:
    """Return a believed fact with its source, its age, and how sure it still is."""
    store = memory.store
    record = store.record(fact)
    if record is None:
        record = Record(fact, now_ns, None, now_ns, 0.0, store.tx, None, store.tx)
    change = store.change_record(record.origin)
    age = max(0, now_ns - record.confirmed_ns) / 1e9
    return Known(fact, record, change, faded(record, now_ns, store.settings.half_life_s), age)


def in_words(memory: Memory, fact: Fact) -> str:
    """Return a fact in words: ``Maya's blue mug: resting on kitchen table``."""
    names = memory.names.things
    relation = fact.relation.replace("_", " ")
    subject = names[fact.subject].name if fact.subject in names else fact.subject
    if fact.is_property:
        return f"{subject}: {'' if fact.object == 'true' else 'not '}{relation}"
    value = names[fact.object].name if fact.object in names else fact.object
    return f"{subject}: {relation} {value}"


def _remembered(memory: Memory) -> Discourse:
    """Return a copy of the conversation: questions do not change what ``it`` means."""
    return Discourse(memory.discourse.now, memory.discourse.before, memory.discourse.previous)


def _mentions(memory: Memory, question: str) -> list[Mention]:
    """Return the phrases of a question that mean things, what it is about first."""
    reader = memory.reader
    found: list[Mention] = []
    for tokens in reader.tokens(question):
        for at in range(len(tokens)):
            mention = reader.grammar.parse(tokens, at)
            if mention is None or any(m.start <= at < m.end for m in found):
                continue
            if mention.kind in ("thing", "person", "value", "pronoun", "unknown"):
                found.append(mention)
    return [m for m in found if m.pronoun not in ("i", "you", "someone", "we")]


def _way(memory: Memory, thing: str) -> list[Fact]:
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
        found.append(step)
        thing = step.object
    return found


def _who(memory: Memory, words: Iterable[str]) -> list[str]:
    owning = {"whose", "owns", "own", "belong", "belongs", "owner"} & {*words}
    wanted = "owner" if owning else "holding"
    return memory.meanings.having(*({wanted} & _HOLDING))


def _contents(memory: Memory, place: str) -> list[Fact]:
    """Return what is at a place or on its levels, what somebody holds, who is in a room."""
    view = memory.store.facts
    relations = memory.meanings.having("place", "holding", "whereabouts", "contents")
    spots = [place, *memory.names.levels.get(place, ())]
    facts = [Fact(s, r, spot) for spot in spots for r in relations for s in view.subjects(r, spot)]
    return sorted(facts) or _states(memory, place)


def _states(memory: Memory, thing: str) -> list[Fact]:
    """Return what is so of a thing and may change."""
    relations = memory.meanings.relations
    about = sorted(memory.store.facts.about(thing))
    return [f for f in about if relations[f.relation].means not in _FIXED]
