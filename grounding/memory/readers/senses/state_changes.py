"""Which states things are in, as clauses tell it."""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Clause, Phrase, Reference
from commonground.grounding.memory.english.state_words import STATES, State
from commonground.grounding.memory.interpretation.events import Become, Drain, Event, Fill, Tune
from commonground.grounding.memory.interpretation.house import Things
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.senses.movements import give
from commonground.grounding.memory.readers.senses.resolver import anything
from commonground.grounding.memory.readers.senses.roles import Roles

_SHOWING = frozenset(["switch on", "be on", "put", "be at"])


def become(roles: Roles, thing: str, state: State, actor: str | None = None) -> Event:
    """Return the event that a thing gets into a state."""
    relation = roles.house.relation(thing, state)
    if relation is None or (state.concepts[0] == "contents" and state.positive):
        raise Unclear(f"what is in {roles.names.things[thing].name}?")
    if state.concepts[0] == "contents":
        return Drain(thing, actor=actor)
    inverted = roles.names.meanings.relations[relation].inverted
    return Become(thing, relation, state.positive != inverted, actor=actor)


def state(roles: Roles, clause: Clause) -> list[Event]:
    """Things are in a state now."""
    return _in_state(roles, clause, STATES[clause.sense])


def state_ended(roles: Roles, clause: Clause) -> list[Event]:
    """Things are in a state no longer, or are not."""
    ended = STATES[clause.sense]
    return _in_state(roles, clause, State(ended.concepts, not ended.positive))


def be_like(roles: Roles, clause: Clause) -> list[Event]:
    """Things are as a word says."""
    text = roles.text(clause.state)
    states = roles.resolver.calling.states(text)
    if not states:
        raise Unclear(f"what does '{text}' mean here?", "unknown")
    concepts = tuple(concept for state in states for concept in state.concepts)
    return _in_state(roles, clause, State(concepts, states[0].positive != clause.negated))


def _in_state(roles: Roles, clause: Clause, state: State) -> list[Event]:
    if clause.theme is None and clause.location is not None:
        things = in_place(roles, clause, clause.location, state)
    else:
        found = roles.changing(clause, state)
        if len(found) > 1:
            raise Unclear(f"which one is meant by '{in_words(clause.theme)}'?", "ambiguous")
        things = found[0]
    return [become(roles, thing, state, roles.agent(clause)) for thing in things]


def in_place(roles: Roles, clause: Clause, where: Reference, state: State) -> Things:
    """Return the lights or taps of a room, or the thing itself that has the water."""
    found = roles.resolver.things(where, anything, roles.setting(clause))
    if any(map(roles.names.is_room, found)):
        named = roles.names.names
        found = tuple(t for t in named if named[t].room in found and not roles.house.is_screen(t))
    fitting = tuple(t for t in found if roles.house.relation(t, state) is not None)
    if not fitting:
        raise Unclear(f"what in '{in_words(where)}'?")
    return fitting


def fill(roles: Roles, clause: Clause) -> list[Event]:
    """A vessel has a liquid in it now."""
    liquid, actor = roles.value(clause, roles.names.is_liquid), roles.agent(clause)
    return [Fill(v, liquid, actor=actor) for v in roles.things(clause, roles.house.is_vessel)]


def drain(roles: Roles, clause: Clause) -> list[Event]:
    """A vessel has nothing in it."""
    return [Drain(vessel) for vessel in roles.things(clause, roles.house.is_vessel)]


def tune(roles: Roles, clause: Clause) -> list[Event]:
    """A screen shows a channel now."""
    channel, actor = roles.value(clause, roles.names.is_channel), roles.agent(clause)
    return [Tune(s, channel, actor=actor) for s in roles.things(clause, roles.house.is_screen)]


def as_tuning(roles: Roles, clause: Clause) -> Clause:
    """Return a clause about a channel as one about the screen: ``put the news on the telly``."""
    named = clause.theme
    noun = named.noun if isinstance(named, Phrase) else None
    if (
        clause.sense not in _SHOWING
        or noun is None
        or roles.resolver.may_be(named, lambda t: not roles.names.is_channel(t))
    ):
        return clause
    channels = [*filter(roles.names.is_channel, roles.resolver.calling.values(noun.text))]
    screen = clause.goal or clause.location
    if len(channels) != 1 or not (screen is None or roles.resolver.may_be(screen, anything)):
        return clause
    return replace(clause, sense="tune", content=noun, theme=screen, goal=None, location=None)


def serve(roles: Roles, clause: Clause) -> list[Event]:
    """Somebody gets a vessel with a drink."""
    return [*fill(roles, clause), *give(roles, clause)]
