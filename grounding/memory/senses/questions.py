"""Questions: what is believed about the things an utterance asks about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import Clause, Phrase, Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.known import (
    Answered,
    answered,
    contents_of,
    states_of,
    way_to,
)
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.senses.rows import Said
from commonground.grounding.memory.unclear import Unclear

Facts: TypeAlias = list[Fact]
Row: TypeAlias = Callable[[Memory, str, Clause], Facts]


def answer(memory: Memory, utterance: Utterance, speaker: str | None, now_ns: int) -> Answered:
    """Return the answer to the first question of an utterance, or what to ask back."""
    clauses = (c for part in utterance.parts for c in clauses_of(part.step))
    asked = next((c for c in clauses if c.mood == "ask"), None)
    if asked is None:
        return Answered("ask", "about which thing? name one, as in 'where is the mug'")
    said = Said(utterance, speaker, tuple(memory.discourse.now.events))
    resolver = memory.reports.roles(said, memory.reports.effects(memory.store.facts)).resolver
    try:
        found = resolver.things(asked.theme or Phrase())
        if asked.sense in ("how many", "is there"):
            names = ", ".join(memory.names.things[thing].name for thing in found)
            return Answered("ok", f"{len(found)}: {names}")
        facts = [f for thing in found for f in _TABLE[asked.sense](memory, thing, asked)]
    except Unclear as unclear:
        return Answered("unknown" if unclear.kind == "unknown" else "ask", str(unclear))
    return answered(memory, found[0], facts, now_ns)


def _holders(memory: Memory, thing: str, _: Clause) -> Facts:
    relations = memory.meanings.having("holding")
    return [fact for fact in memory.store.about(thing) if fact.relation in relations]


def _state(memory: Memory, thing: str, clause: Clause) -> Facts:
    """Return the fact about the state that is asked for, as it is."""
    if clause.state is None:
        return states_of(memory, thing)
    states = memory.reports.calling.states(clause.state.text)
    if not states:
        raise Unclear(f"what is '{in_words(clause.state)}' here?", "unknown")
    concepts = {concept for state in states for concept in state.concepts}
    relations = memory.meanings.having(*concepts)
    return [fact for fact in states_of(memory, thing) if fact.relation in relations]


_TABLE: Mapping[str, Row] = {
    "where is": lambda memory, thing, _: way_to(memory, thing),
    "nearest robot": lambda memory, _, __: [
        fact for robot in memory.names.robots for fact in way_to(memory, robot)
    ],
    "who has": _holders,
    "what is in": lambda memory, thing, _: contents_of(memory, thing),
    "is it": _state,
    "since when": lambda memory, thing, _: states_of(memory, thing),
}
"""Which facts each question is about."""
