"""Wishes: what is to be so in the end, clause by clause, as a goal of the planner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, islice, product
from typing import TYPE_CHECKING, TypeAlias, Union

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import (
    UNMEANT,
    Clause,
    Part,
    Phrase,
    Reference,
    Step,
    Utterance,
)
from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.state_words import STATES, State
from commonground.grounding.memory.interpretation.events import (
    Deed,
    Event,
    Fill,
    Have,
    Place,
    opposite,
)
from commonground.grounding.memory.interpretation.goals import GoalWriter, Wanted
from commonground.grounding.memory.interpretation.house import WHOLE, Things
from commonground.grounding.memory.interpretation.unclear import WHAT_TO_DO, Unclear
from commonground.grounding.memory.readers.senses import movements, state_changes
from commonground.grounding.memory.readers.senses.event_table import Said, events_of
from commonground.grounding.memory.readers.senses.reports import Reports, narrated
from commonground.grounding.memory.readers.senses.resolver import anything
from commonground.grounding.memory.readers.senses.roles import Roles
from commonground.planning.pddl import (
    And,
    Atom,
    Compare,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Typed,
)
from commonground.planning.pddl.logic import conjunction, conjuncts, nnf

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Wish: TypeAlias = Union[Event, "Formula"]
Choice: TypeAlias = tuple[Wish, ...]
"""What has to come about together; where a wish leaves a choice, there are several."""
Row: TypeAlias = Callable[[Roles, Clause], list[Choice]]
_MOST_CHOICES = 100
_NUISANCES = frozenset(["ring", "be dirty", "be unmade"])
"""What nobody wishes for: whoever tells of it wants it ended."""
UNWISHED = _NUISANCES | {"break", "be broken"}
_FOR_SOMEBODY = frozenset(["serve", "have"])
"""Senses whose agent is to get something."""
_ENDED = frozenset(["silence", "darken the room", "stop water"])
"""What is meant of the whole house where no place is named."""


class Wishes:
    """Takes utterances as wishes about one world."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self.writer = GoalWriter(reports.calling.names)

    def wanted(self, said: Said, view: View) -> Wanted:
        """Return the goal that an utterance asks for, or what to ask back."""
        roles = self.reports.roles(said, self.reports.effects(view))
        choices: list[Choice] = [()]
        notes: list[str] = []
        try:
            for part in said.utterance.parts:
                _is_told_robot(roles, part)
                if part.stands in UNMEANT:
                    notes.append(f"'{in_words(part.step)}' is {part.stands}")
                else:
                    choices = _together(choices, self._step(roles, part.step, notes))
            if choices == [()] and not notes:
                choices = [_remedy(roles, said.utterance)]
            goals = list(dict.fromkeys(map(self._goal, choices)))
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        if not goals or And() in goals:
            return Wanted("ask", question="; ".join(notes) or WHAT_TO_DO)
        goal = goals[0] if len(goals) == 1 else Or(tuple(goals))
        return Wanted("ok", goal, question="; ".join([*notes, *_left_out(said.utterance)]))

    def _goal(self, choice: Choice) -> Formula:
        events = [wish for wish in choice if not _is_formula(wish)]
        parts = conjuncts(self.writer.goal(events))
        alone = (part for event in events for part in conjuncts(self.writer.goal([event])))
        if any(nnf(part, positive=False) in parts for part in alone):
            raise Unclear(
                "that asks for something and for the contrary: what is to be so in the end?"
            )
        return conjunction([*parts, *(wish for wish in choice if _is_formula(wish))])

    def _step(self, roles: Roles, step: Step, notes: list[str]) -> list[Choice]:
        """Return the ways in which some steps may be done; note what is not done, and why."""
        if isinstance(step, Clause):
            return self._clause(roles, step, notes) if step.mood != "tell" else [()]
        parts = [self._step(roles, part, notes) for part in step.steps]
        if step.join == "one of":
            return [*chain(*parts)]
        choices: list[Choice] = [()]
        for part in parts:
            choices = _together(choices, part)
        return choices

    def _clause(self, roles: Roles, clause: Clause, notes: list[str]) -> list[Choice]:
        words = in_words(clause.verb) or clause.sense
        if clause.mood == "ask":
            raise Unclear("that is a question, and no wish")
        if clause.mood == "never":
            raise Unclear(
                f"no plan made here can promise never to {words} '{in_words(clause.theme)}'"
            )
        clause = state_changes.as_tuning(roles, clause)
        row = _TABLE.get(clause.sense)
        if row is None or (clause.negated and clause.sense not in STATES):
            raise Unclear(f"no robot here can '{words}'")
        if clause.condition is not None and not self._holds(roles, clause.condition):
            notes.append(f"not done: '{in_words(clause.condition)}' is not believed to be so")
            return [()]
        choices = row(roles, clause)
        roles.all_used(clause)
        if clause.agent is not None and clause.sense not in _FOR_SOMEBODY:
            _is_robot(roles, clause.agent)
        roles.resolver.told += [wish for wish in choices[0] if not _is_formula(wish)]
        return choices

    def _holds(self, roles: Roles, condition: Clause) -> bool:
        """Return whether a condition is believed to hold now."""
        if condition.sense not in STATES and condition.sense != "be like":
            raise Unclear(f"is it so that '{in_words(condition)}'?")
        view = roles.house.view
        effects = self.reports.effects(view)
        events = events_of(roles, condition)
        effects.apply_all(event.by(None) if isinstance(event, Deed) else event for event in events)
        return all(fact in view for fact in effects.asserted)


def _is_formula(wish: Wish) -> TypeIs[Formula]:
    return isinstance(wish, And | Or | Not | Atom | Imply | Exists | Forall | Compare)


def _together(some: list[Choice], others: list[Choice]) -> list[Choice]:
    return [(*one, *other) for one, other in islice(product(some, others), _MOST_CHOICES)]


def _remedy(roles: Roles, utterance: Utterance) -> Choice:
    """Where nothing is wished for, what is complained of is to end; what else is told is no wish."""
    events: list[Event] = []
    for clause in narrated(utterance):
        if clause.sense in STATES and (
            clause.sense not in _NUISANCES or clause.negated or clause.hedge
        ):
            raise Unclear(f"should it be so, or is it so that '{in_words(clause)}'?")
        events += events_of(roles, clause) if clause.sense in _NUISANCES else []
    return tuple(map(opposite, events))


def _is_told_robot(roles: Roles, part: Part) -> None:
    """Ask where somebody else than the robot is told to do something."""
    robots = {roles.names.things[robot].name.casefold() for robot in roles.names.robots}
    for name in part.crew.names if part.crew is not None else ():
        if name.text.casefold() not in robots:
            raise Unclear(f"no robot here is called '{name.text}'", "unknown")


def _is_robot(roles: Roles, who: Phrase) -> None:
    """Ask where somebody else than the robot is to do something; who asks means the robot."""
    if who.speaker or who.everybody:
        return
    if not roles.names.is_robot(roles.resolver.one(who)):
        raise Unclear(f"only a robot can be told what to do, not '{in_words(who)}'")


def _left_out(utterance: Utterance) -> list[str]:
    """Return what is said besides that no plan made here sees to."""
    clauses = [clause for part in utterance.parts for clause in clauses_of(part.step)]
    found = [clause.manner.text for clause in clauses if clause.manner is not None]
    found += [part.when.text for part in utterance.parts if part.when is not None]
    notes = [f"not planned for: {', '.join(found)}"] if found else []
    if any(clause.mood == "do" for clause in clauses):
        told = [in_words(c) for c in clauses if c.mood == "tell" and c.sense != "nothing"]
        notes += [f"taken for a remark: '{words}'" for words in told]
    return notes


# ---- things to a place --------------------------------------------------------------------------


def put(roles: Roles, clause: Clause) -> list[Choice]:
    """Things are to be at a place, with a person, or anywhere in a room."""
    goal = clause.goal or clause.location
    if clause.back:
        return [tuple(movements.put(roles, clause))]
    if goal is None:
        raise Unclear("where should it go?")
    things = roles.choices(clause, roles.names.is_item)
    return [_at(roles, t, spot) for t in things for spot in _spots(roles, clause, goal)]


def _spots(roles: Roles, clause: Clause, where: Reference) -> list[str]:
    """Return where things may go: any level of a shelf where none is named."""
    found = chain(*roles.resolver.choices(where, roles.house.is_spot, roles.setting(clause)))
    return [spot for place in found for spot in roles.names.levels.get(place, [place])]


def _at(roles: Roles, things: Things, spot: str) -> Choice:
    if roles.house.is_someone(spot):
        return (Have(things, spot),)
    if not roles.names.is_room(spot):
        return (Place(things, spot),)
    return tuple(_somewhere(roles, thing, spot) for thing in things)


def _somewhere(roles: Roles, thing: str, room: str) -> Formula:
    """Return that a thing is at any place of a room."""
    meanings, kind = roles.names.meanings, roles.names.kind
    found: list[Formula] = []
    for relation in meanings.having("place"):
        for spot in meanings.vocabulary.signatures[relation].arguments[1]:
            inside = meanings.relation_between("inside", spot, kind(room))
            if inside is not None and meanings.takes(relation, 0, [kind(thing)]):
                both = And((Atom(inside, ("?p", room)), Atom(relation, (thing, "?p"))))
                found.append(Exists((Typed("?p", (spot,)),), both))
    return Or(tuple(found))


def give(roles: Roles, clause: Clause) -> list[Choice]:
    """Somebody is to have things; whoever asks, where nobody is named."""
    to = clause.goal or clause.partner or _had_by(clause) or Phrase(speaker=True)
    takers = chain(*roles.resolver.choices(to, roles.house.is_someone))
    things = roles.choices(clause, roles.names.is_item)
    return [(Have(t, taker),) for taker in takers for t in things]


def _had_by(clause: Clause) -> Phrase | None:
    """``Ivo is to have it``."""
    return clause.agent if clause.sense == "have" else None


def hold(roles: Roles, clause: Clause) -> list[Choice]:
    """The robot is to have things in its hand."""
    return [(Have(t, roles.robot()),) for t in roles.choices(clause, roles.names.is_item)]


def throw_away(roles: Roles, clause: Clause) -> list[Choice]:
    """Things are to be in a bin: the named one, one in their room, else the first."""
    if clause.goal is not None or clause.location is not None:
        return put(roles, clause)
    things = roles.choices(clause, roles.names.is_item)
    return [(Place(t, _bin(roles, t)),) for t in things]


def _bin(roles: Roles, things: Things) -> str:
    here = {roles.house.room(thing) for thing in things}
    purposes = roles.names.meanings.file.purposes.values()
    nouns = [noun for purpose in purposes for noun in purpose.nouns]
    bins = sorted(t for noun in nouns for t in roles.resolver.calling.things(noun))
    if not bins:
        raise Unclear("into what should it go?")
    return min(bins, key=lambda t: (roles.house.room(t) not in here, t))


def clear(roles: Roles, clause: Clause) -> list[Choice]:
    """A place is to have nothing on it; what is there goes to another place where one is named."""
    spot = roles.resolver.one(clause.theme or Phrase(), roles.house.is_spot, roles.setting(clause))
    things = tuple(roles.house.items_at([spot]))
    if clause.goal is not None:
        return [_at(roles, things, to) for to in _spots(roles, clause, clause.goal)]
    facts = (roles.names.location(thing, roles.house.view) for thing in things)
    return [tuple(Not(_literal(fact)) for fact in facts if fact is not None)]


def keep(roles: Roles, clause: Clause) -> list[Choice]:
    """Things are to be as they are now."""
    changing = roles.names.meanings.vocabulary.changing
    about = (roles.house.view.about(thing) for thing in chain(*roles.choices(clause, anything)))
    return [tuple(_literal(fact) for fact in sorted(chain(*about)) if fact.relation in changing)]


def _literal(fact: Fact) -> Formula:
    if not fact.is_property:
        return Atom(fact.relation, (fact.subject, fact.object))
    atom = Atom(fact.relation, (fact.subject,))
    return atom if fact.object == TRUE else Not(atom)


def go(roles: Roles, clause: Clause) -> list[Choice]:
    """The robot is to be in a room."""
    return [tuple(movements.robot_moved(roles, clause))]


# ---- states -------------------------------------------------------------------------------------


def state(roles: Roles, clause: Clause) -> list[Choice]:
    """Things are to be in a state: the named ones, those of a room, or all of the house."""
    meant = STATES[clause.sense]
    state = State(meant.concepts, meant.positive != clause.negated)
    if clause.theme is not None:
        found = roles.changing(clause, state)
    elif clause.location is not None and in_words(clause.location).lower() not in WHOLE:
        found = [state_changes.in_place(roles, clause, clause.location, state)]
    elif clause.location is not None or clause.sense in _ENDED:
        found = [_everywhere(roles, clause, state)]
    else:
        raise Unclear(f"what should '{clause.sense}' be about?")
    return [tuple(state_changes.become(roles, t, state) for t in things) for things in found]


def _everywhere(roles: Roles, clause: Clause, state: State) -> Things:
    """``let no lamp shine``, ``put an end to all this ringing``: all of the house."""
    lights = clause.sense in ("light the room", "darken the room")
    things = (t for t in sorted(roles.names.things) if not lights or roles.house.is_light(t))
    return tuple(thing for thing in things if roles.house.relation(thing, state) is not None)


def tune(roles: Roles, clause: Clause) -> list[Choice]:
    """A screen is to be on and show a channel."""
    return [tuple(state_changes.tune(roles, clause))]


def fill(roles: Roles, clause: Clause) -> list[Choice]:
    """A vessel is to have a liquid in it."""
    liquid = roles.value(clause, roles.names.is_liquid)
    found = roles.choices(clause, roles.house.is_vessel)
    return [tuple(Fill(vessel, liquid) for vessel in things) for things in found]


def serve(roles: Roles, clause: Clause) -> list[Choice]:
    """Somebody is to have a vessel with a drink: any, where none is named."""
    if clause.theme is not None:
        both = zip(fill(roles, clause), give(roles, clause), strict=False)
        return [(*full, *held) for full, held in both]
    liquid = roles.value(clause, roles.names.is_liquid)
    to = clause.goal or clause.partner or clause.agent or Phrase(speaker=True)
    who = roles.resolver.one(to, roles.names.is_person)
    return [(GoalWriter(roles.names).drink(who, liquid),)]


_TABLE: Mapping[str, Row] = {
    **{sense: state for sense in STATES if sense not in UNWISHED},
    "put": put,
    "bring along": put,
    "be at": put,
    "be in room": put,
    "give": give,
    "have": give,
    "hold": hold,
    "take": hold,
    "robot is given": hold,
    "throw away": throw_away,
    "clear": clear,
    "keep": keep,
    "go to": go,
    "enter": go,
    "end up at": go,
    "robot is moved": go,
    "tune": tune,
    "fill": fill,
    "contain": fill,
    "serve": serve,
}
"""What each sense asks for."""
