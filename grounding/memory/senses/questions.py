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
from commonground.grounding.memory.senses.resolver import Things
from commonground.grounding.memory.senses.roles import Roles
from commonground.grounding.memory.senses.rows import Said
from commonground.grounding.memory.senses.states import STATES, State
from commonground.grounding.memory.unclear import Unclear

Facts: TypeAlias = list[Fact]
Row: TypeAlias = Callable[[Memory, str, Clause], Facts]


def answer(memory: Memory, utterance: Utterance, speaker: str | None, now_ns: int) -> Answered:
    """Return the answers to the questions of an utterance, or what to ask back."""
    clauses = (c for part in utterance.parts for c in clauses_of(part.step))
    said = Said(utterance, speaker, tuple(memory.discourse.now.events))
    roles = memory.reports.roles(said, memory.reports.effects(memory.store.facts))
    answers = [_answer(memory, roles, c, now_ns) for c in clauses if c.mood == "ask"]
    if not answers:
        return Answered("ask", "about which thing? name one, as in 'where is the mug'")
    first = next((a for a in answers if a.status != "ok"), answers[0])
    known = tuple(one for a in answers for one in a.known)
    return Answered(first.status, "; ".join(a.text for a in answers), known)


def _answer(memory: Memory, roles: Roles, clause: Clause, now_ns: int) -> Answered:
    """Return the answer to one question."""
    row = _TABLE.get(clause.sense)
    try:
        if row is None and clause.sense not in _COUNTED:
            raise Unclear(f"'{in_words(clause.verb) or clause.sense}' is no question about a house")
        found = _asked_about(roles, clause)
        if row is None:
            names = ", ".join(memory.names.things[thing].name for thing in found)
            return Answered("ok", f"{len(found)}: {names}")
        facts = [fact for thing in found for fact in row(memory, thing, clause)]
    except Unclear as unclear:
        return Answered("unknown" if unclear.kind == "unknown" else "ask", str(unclear))
    return answered(memory, found[0], facts, now_ns)


def _asked_about(roles: Roles, clause: Clause) -> Things:
    """Return the things that a question is about."""
    found = roles.resolver.things(clause.theme or clause.location or clause.agent or Phrase())
    roles.text(clause.state)
    if clause.sense in _STATED and clause.location is not None:
        roles.spot(clause, clause.location)
    roles.all_used(clause)
    return found


def _holders(memory: Memory, thing: str, _: Clause) -> Facts:
    relations = memory.meanings.having("holding")
    return [fact for fact in memory.store.about(thing) if fact.relation in relations]


def _state(memory: Memory, thing: str, clause: Clause) -> Facts:
    """Return the fact about the state that is asked for, as it is."""
    if clause.sense in STATES:
        return _of(memory, thing, STATES[clause.sense])
    if clause.state is None:
        return states_of(memory, thing)
    states = memory.reports.calling.states(clause.state.text)
    if not states:
        raise Unclear(f"what is '{in_words(clause.state)}' here?", "unknown")
    return _of(memory, thing, *states)


def _of(memory: Memory, thing: str, *states: State) -> Facts:
    relations = memory.meanings.having(*(concept for state in states for concept in state.concepts))
    return [fact for fact in states_of(memory, thing) if fact.relation in relations]


def _way(memory: Memory, thing: str, _: Clause) -> Facts:
    return way_to(memory, thing)


_COUNTED = frozenset(["how many", "is there"])
_STATED = frozenset(["be at", "be in room", "have"])
"""Whereabouts, asked as ``is it there``."""
_TABLE: Mapping[str, Row] = {
    **dict.fromkeys(STATES, _state),
    **dict.fromkeys(("where is", *_STATED), _way),
    "be like": _state,
    "nearest robot": lambda memory, _, __: [
        fact for robot in memory.names.robots for fact in way_to(memory, robot)
    ],
    "who has": _holders,
    "what is in": lambda memory, thing, _: contents_of(memory, thing),
    "is it": _state,
    "since when": lambda memory, thing, _: states_of(memory, thing),
}
"""Which facts each question is about."""
