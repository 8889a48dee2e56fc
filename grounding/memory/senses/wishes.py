"""Wishes: what is to be so in the end, clause by clause, as a goal of the planner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, islice, product
from typing import TypeAlias, TypeGuard, Union

from commonground.grounding.english.utterance import (
    Clause,
    Phrase,
    Reference,
    Step,
    Utterance,
)
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.events import Deed, Event, Fill, Have, MoveRobot, Place
from commonground.grounding.memory.goals import GoalWriter, Wanted
from commonground.grounding.memory.requests import opposite
from commonground.grounding.memory.senses.clauses import clauses_of, narrated
from commonground.grounding.memory.senses.reports import Reports
from commonground.grounding.memory.senses.resolver import in_words
from commonground.grounding.memory.senses.states import STATES, State
from commonground.grounding.memory.unclear import Unclear
from commonground.planning.pddl import And, Atom, Exists, Formula, Not, Or, Typed
from commonground.planning.pddl.logic import conjunction

Wish: TypeAlias = Union[Event, "Formula"]
Choice: TypeAlias = tuple[Wish, ...]
"""What has to come about together; where a wish leaves a choice, there are several."""
Row: TypeAlias = Callable[["Wishes", Clause], list[Choice]]
_MOST_CHOICES = 100
_HOUSE = frozenset(["house", "home", "flat", "apartment", "place", "building", "everywhere"])


class Wishes:
    """Turns clauses that ask for something into one goal."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self.resolver = reports.resolver
        self.names = reports.names
        self.meanings = reports.meanings
        self.writer = GoalWriter(self.names)

    # ---- the main path -------------------------------------------------------------------------

    def wanted(self, utterance: Utterance) -> Wanted:
        """Return the goal that an utterance asks for, or what to ask back."""
        try:
            choices: list[Choice] = [()]
            for part in utterance.parts:
                if part.stands not in ("taken back", "imagined", "of another day"):
                    choices = _together(choices, self._step(part.step))
            if choices == [()]:
                choices = [self._remedy(utterance)]
            goals = list(dict.fromkeys(map(self._goal, choices)))
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        if not goals or And() in goals:
            return Wanted("ask", question="what should be done?")
        return Wanted(
            "ok", goals[0] if len(goals) == 1 else Or(tuple(goals)), _unplanned(utterance)
        )

    def _goal(self, choice: Choice) -> Formula:
        events = [wish for wish in choice if not _is_formula(wish)]
        formulas = [wish for wish in choice if _is_formula(wish)]
        written = self.writer.goal(events)
        return conjunction([*(written.parts if isinstance(written, And) else [written]), *formulas])

    def _step(self, step: Step) -> list[Choice]:
        """Return the ways in which some steps may be done."""
        if isinstance(step, Clause):
            return self._clause(step) if step.mood != "tell" else [()]
        parts = [self._step(part) for part in step.steps]
        if step.join == "one of":
            return [*chain(*parts)]
        choices: list[Choice] = [()]
        for part in parts:
            choices = _together(choices, part)
        return choices

    def _clause(self, clause: Clause) -> list[Choice]:
        words = clause.verb.text if clause.verb is not None else clause.sense
        if clause.mood == "ask":
            raise Unclear("that is a question, and no wish")
        if clause.mood == "never":
            raise Unclear(
                f"no plan made here can promise never to {words} '{in_words(clause.theme)}'"
            )
        row = _TABLE.get(clause.sense)
        if row is None or (clause.negated and clause.sense not in STATES):
            raise Unclear(f"no robot here can '{in_words(clause.verb) or words}'")
        if clause.condition is not None and not self._holds(clause.condition):
            return [()]
        choices = row(self, clause)
        self.resolver.told += [wish for wish in choices[0] if not _is_formula(wish)]
        return choices

    def _holds(self, condition: Clause) -> bool:
        """Return whether a condition is believed to hold now."""
        events = self.reports.events(condition)
        if condition.sense not in STATES and condition.sense != "be like":
            raise Unclear(f"is it so that '{in_words(condition)}'?")
        draft = Effects(self.names, self.reports.effects.groups, self.resolver.view)
        draft.apply_all(event.by(None) if isinstance(event, Deed) else event for event in events)
        return all(fact in self.resolver.view for fact in draft.asserted)

    def _remedy(self, utterance: Utterance) -> Choice:
        """Where nothing is wished for, what is complained of is to end."""
        stated = chain.from_iterable(
            self.reports.events(clause) for clause in narrated(utterance) if clause.sense in STATES
        )
        return tuple(opposite(event) for event in stated)

    # ---- things to a place ---------------------------------------------------------------------

    def put(self, clause: Clause) -> list[Choice]:
        """Things are to be at a place, with a person, or anywhere in a room."""
        goal = clause.goal or clause.location
        if clause.back:
            return [tuple(self.reports.events(clause))]
        if goal is None:
            raise Unclear("where should it go?")
        things = self._themes(clause, self.names.is_item)
        spots = self._spots(clause, goal)
        return [self._at(t, spot) for t in things for spot in spots][:_MOST_CHOICES]

    def _themes(self, clause: Clause, accepts: Callable[[str], bool]) -> list[tuple[str, ...]]:
        what = clause.theme if clause.theme is not None else Phrase()
        return self.resolver.choices(what, accepts, self.reports.setting(clause))

    def _spots(self, clause: Clause, where: Reference) -> list[str]:
        """Return where things may go: any level of a shelf where none is named."""
        names = self.names

        def takes(thing: str) -> bool:
            spot = names.is_place(thing) or names.is_room(thing) or names.is_whole(thing)
            return not names.is_item(thing) and (spot or self.resolver.is_someone(thing))

        found = chain(*self.resolver.choices(where, takes, self.reports.setting(clause)))
        return [spot for place in found for spot in names.levels.get(place, [place])]

    def _at(self, things: tuple[str, ...], spot: str) -> Choice:
        if self.resolver.is_someone(spot):
            return (Have(things, spot),)
        if not self.names.is_room(spot):
            return (Place(things, spot),)
        return tuple(self._somewhere(thing, spot) for thing in things)

    def _somewhere(self, thing: str, room: str) -> Formula:
        """Return that a thing is at any place of a room."""
        found: list[Formula] = []
        for relation in self.meanings.having("place"):
            for kind in self.meanings.vocabulary.signatures[relation].arguments[1]:
                inside = self.meanings.relation_between("inside", kind, self.names.kind(room))
                if inside is not None and self.meanings.takes(
                    relation, 0, [self.names.kind(thing)]
                ):
                    both = And((Atom(inside, ("?p", room)), Atom(relation, (thing, "?p"))))
                    found.append(Exists((Typed("?p", (kind,)),), both))
        if not found:
            raise Unclear(f"where in {self.names.things[room].name}?")
        return Or(tuple(found))

    def give(self, clause: Clause) -> list[Choice]:
        """Somebody is to have things; whoever asks, where nobody is named."""
        to = clause.goal or clause.partner or Phrase(speaker=True)
        takers = chain(*self.resolver.choices(to, self.resolver.is_someone))
        things = self._themes(clause, self.names.is_item)
        return [(Have(t, taker),) for taker in takers for t in things]

    def hold(self, clause: Clause) -> list[Choice]:
        """The robot is to have things in its hand."""
        robot = self.reports.robot()
        return [(Have(t, robot),) for t in self._themes(clause, self.names.is_item)]

    def throw_away(self, clause: Clause) -> list[Choice]:
        """Things are to be in a bin: the named one, one in their room, the first."""
        if clause.goal is not None or clause.location is not None:
            return self.put(clause)
        return [
            (Place(things, self._bin(things)),)
            for things in self._themes(clause, self.names.is_item)
        ]

    def _bin(self, things: tuple[str, ...]) -> str:
        view = self.resolver.view
        here = {self.names.room_of(thing, view) for thing in things}
        nouns = [n for p in self.meanings.file.purposes.values() for n in p.nouns]
        bins = sorted(t for noun in nouns for t in self.resolver.calling.things(noun))
        bins.sort(key=lambda t: self.names.names[t].room not in here)
        if not bins:
            raise Unclear("into what should it go?")
        return bins[0]

    def clear(self, clause: Clause) -> list[Choice]:
        """A place is to have nothing on it; what is there goes to another place where one is named."""
        spot = self.reports.spot_or_shelf(clause, clause.theme or Phrase())
        things = tuple(self.resolver.items_at({spot}))
        if clause.goal is not None:
            return [self._at(things, to) for to in self._spots(clause, clause.goal)]
        facts = (self.names.location(thing, self.resolver.view) for thing in things)
        return [tuple(Not(Atom(f.relation, f[::2])) for f in facts if f is not None)]

    def keep(self, clause: Clause) -> list[Choice]:
        """Things are to be as they are now."""
        facts = (
            fact
            for thing in chain(*self._themes(clause, lambda t: True))
            for fact in sorted(self.resolver.view.about(thing))
            if fact.relation in self.meanings.vocabulary.changing
        )
        return [
            tuple(
                Atom(f.relation, (f.subject, f.object)) if not f.is_property
                else Atom(f.relation, (f.subject,)) if f.object == "true"
                else Not(Atom(f.relation, (f.subject,)))
                for f in facts
            )
        ]  # fmt: skip

    def go(self, clause: Clause) -> list[Choice]:
        """The robot is to be in a room."""
        event = self.reports.robot_moved(clause)[0]
        return [(event.by(None),)] if isinstance(event, MoveRobot) else []

    # ---- states --------------------------------------------------------------------------------

    def state(self, clause: Clause) -> list[Choice]:
        """Things are to be in a state: the named ones, those of a room, or all of the house."""
        told = STATES[clause.sense]
        state = State(told.concepts, told.positive != clause.negated)
        found: list[tuple[str, ...]]
        if clause.theme is not None:
            found = self._themes(clause, lambda t: self.reports.relation(t, state) is not None)
        elif clause.location is not None and not _is_house(clause.location):
            return [tuple(self.reports.events(clause))]
        else:
            found = [self._all(clause, state)]
        return [tuple(self.reports.become(t, state) for t in things) for things in found]

    def _all(self, clause: Clause, state: State) -> tuple[str, ...]:
        """``let no lamp shine``, ``put an end to all this ringing``: all of the house."""
        lamps = clause.sense in ("light the room", "darken the room")
        found = tuple(
            t
            for t in sorted(self.names.things)
            if self.reports.relation(t, state) is not None
            and (not lamps or self.reports.is_lamp_or_tap(t))
        )
        if not found or (clause.sense not in _ENDED and clause.location is None):
            raise Unclear(f"what should be '{clause.sense}'?")
        return found

    def tune(self, clause: Clause) -> list[Choice]:
        """A screen is to be on and show a channel."""
        return [tuple(self.reports.tune(clause))]

    def fill(self, clause: Clause) -> list[Choice]:
        """A vessel is to have a liquid in it."""
        liquid = self.reports.value(clause, self.names.is_liquid)
        empty = STATES["empty"]
        found = self._themes(clause, lambda t: self.reports.relation(t, empty) is not None)
        return [tuple(Fill(vessel, liquid) for vessel in things) for things in found]

    def serve(self, clause: Clause) -> list[Choice]:
        """Somebody is to have a vessel with a drink: any, where none is named."""
        drinks = self.meanings.file.drinks
        if drinks is None or drinks.holder not in self.meanings.relations:
            raise Unclear("no drinks are served here")
        liquid = self.reports.value(clause, self.names.is_liquid)
        if clause.theme is not None:
            return [
                (*full, *held)
                for full, held in zip(self.fill(clause), self.give(clause), strict=False)
            ]
        to = clause.goal or clause.partner or clause.agent or Phrase(speaker=True)
        who = self.resolver.one(to, self.names.is_person)
        kinds = self.meanings.vocabulary.signatures[drinks.contents].arguments[0]
        body = And((Atom(drinks.holder, ("?v", who)), Atom(drinks.contents, ("?v", liquid))))
        return [(Exists((Typed("?v", kinds),), body),)]


def _is_formula(wish: Wish) -> TypeGuard[Formula]:
    return isinstance(wish, And | Or | Not | Atom | Exists)


def _together(some: list[Choice], others: list[Choice]) -> list[Choice]:
    return [(*one, *other) for one, other in islice(product(some, others), _MOST_CHOICES)]


def _is_house(where: Reference) -> bool:
    return isinstance(where, Phrase) and in_words(where).lower() in _HOUSE


def _unplanned(utterance: Utterance) -> str:
    """Return what is asked for besides that no plan made here sees to."""
    clauses = [clause for part in utterance.parts for clause in clauses_of(part.step)]
    found = [c.manner.text for c in clauses if c.manner is not None]
    return f"not planned for: {', '.join(found)}" if found else ""


_ENDED = frozenset(["silence", "darken the room", "stop water"])
_TABLE: Mapping[str, Row] = {
    **{s: Wishes.state for s in STATES if s not in ("break", "be broken", "ring")},
    "put": Wishes.put,
    "bring along": Wishes.put,
    "be at": Wishes.put,
    "be in room": Wishes.put,
    "give": Wishes.give,
    "have": Wishes.give,
    "hold": Wishes.hold,
    "take": Wishes.hold,
    "robot is given": Wishes.hold,
    "throw away": Wishes.throw_away,
    "clear": Wishes.clear,
    "keep": Wishes.keep,
    "go to": Wishes.go,
    "enter": Wishes.go,
    "end up at": Wishes.go,
    "robot is moved": Wishes.go,
    "tune": Wishes.tune,
    "fill": Wishes.fill,
    "contain": Wishes.fill,
    "serve": Wishes.serve,
}
"""What each sense asks for."""
