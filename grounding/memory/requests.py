"""The offline reading of a task: wishes, orders, needs and complaints → a goal."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.sentence import Sentence
from commonground.grounding.memory.events import (
    Become,
    Deed,
    Drain,
    Event,
    Fill,
    Give,
    Go,
    Gone,
    Have,
    Place,
    agent_of,
    opposite,
)
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.goals import GoalWriter, Wanted
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.report import ReportReader
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.memory.wishes import Wishes
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import And, Formula
from commonground.planning.pddl.logic import conjunction

_MENDING = word_set("deal handle fix sort see do change help act remedy attend take resolve")


class RequestReader:
    """Reads tasks about one world."""

    def __init__(self, reader: ReportReader) -> None:
        self.reader = reader
        self.names = reader.names
        self.writer = GoalWriter(self.names)
        self.wishes = Wishes()
        self.drinks = DrinkReader(self.names, self.wishes)

    # ---- the main path ------------------------------------------------------------------------

    def read(self, text: str, view: View, speaker: str | None = None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        discourse = Discourse()
        frames = self.reader.frames(view, discourse, speaker)
        wished: list[Event] = []
        stated: list[Event] = []
        drinks: list[Formula] = []
        mend = False
        try:
            for sentence in [
                self.reader.cleaner.clean(tokens) for tokens in self.reader.tokens(text)
            ]:
                frames.swapped = False
                for clause in self._clauses(sentence):
                    frames.begin(clause)
                    drink = self.drinks.drink(clause, frames)
                    if drink is not None:
                        drinks.append(drink)
                        continue
                    mend = mend or self._mends(clause)
                    wish = self.wishes.wish(clause, frames)
                    found = _wished(wish, frames) if wish is not None else []
                    if wish is not None:
                        wished += found
                    else:
                        told = self._stated(clause, frames)
                        as_said = self._is_caused(told) or _is_none_going_on(clause)
                        (wished if as_said else stated).extend(told)
                    discourse.now.events = wished
                    self.reader.topics.note(clause, found, frames)
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        return self._wanted(wished, stated, drinks, mend=mend)

    def _wanted(
        self, wished: list[Event], stated: list[Event], drinks: list[Formula], *, mend: bool
    ) -> Wanted:
        """Put the goal together: what is wished, or else that what is complained of ends."""
        if any(isinstance(event, Place) for event in wished):
            wished = [event for event in wished if not isinstance(event, Gone)]
        if (not wished and not drinks) or (mend and not wished):
            wished = [opposite(event) for event in stated]
        try:
            goal = conjunction([*_parts(self.writer.goal(wished)), *drinks])
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        if goal == And():
            return Wanted("ask", question="what should be done?")
        return Wanted("ok", goal)

    def _clauses(self, sentence: Sentence) -> list[Clause]:
        clauses = [c for c in self.reader.clauses(sentence) if c.kind != "where"]
        return [
            c
            for c in clauses
            if not (
                c.kind == "adverbial"
                and c.link in ("if", "when", "before", "until", "because", "since", "so")
            )
        ]

    # ---- complaints -----------------------------------------------------------------------------

    def _is_caused(self, told: Iterable[Event]) -> bool:
        """``get the water flowing``: what the robot is to bring about is no complaint."""
        return any(agent_of(event) in self.names.robots for event in told)

    def _mends(self, clause: Clause) -> bool:
        """``please deal with that``: what has just been complained of is to end."""
        verb = clause.verb
        return (
            verb is not None
            and verb.lemma in _MENDING
            and any(m.kind == "pronoun" and m.pronoun in ("it", "this") for m in clause.mentions)
        )

    def _stated(self, clause: Clause, frames: Frames) -> list[Event]:
        """Return the states a clause says things are in."""
        if clause.verb is None or clause.kind == "relative":
            return []
        try:
            found = frames.events(clause)
        except Unclear:
            return []
        return [e for e in found if isinstance(e, Become | Drain | Fill)]


def _wished(clause: Clause, frames: Frames) -> list[Event]:
    """Return what a wished clause asks for: of things in the plural all, whoever brings it about."""
    frames.begin(clause)
    for mention in clause.mentions:
        if mention.kind == "thing" and mention.plural and mention.owner is None:
            mention.every = True
    return list(map(_for_robot, frames.events(clause)))


def _for_robot(event: Event) -> Event:
    """Return the event without who brings it about: that is the planner's business."""
    if isinstance(event, Give):
        return Have(event.things, event.taker)
    if isinstance(event, Go | Have):
        return event
    return event.by(None) if isinstance(event, Deed) else event


def _is_none_going_on(clause: Clause) -> bool:
    """``no water flowing into the sink``, without a verb that would state it: what is to be so."""
    verb, subject = clause.verb, clause.subject
    none = subject is not None and subject.words.lower().startswith("no ")
    return none and verb is not None and verb.form == "gerund" and not verb.progressive


def _parts(formula: Formula) -> list[Formula]:
    return list(formula.parts) if isinstance(formula, And) else [formula]


class DrinkReader:
    """Reads requests for something to drink."""

    def __init__(self, names: Names, wishes: Wishes) -> None:
        self.names = names
        self.wishes = wishes

    def drink(self, clause: Clause, frames: Frames) -> Formula | None:
        """``Bring Ana some coffee``: a vessel with it, whichever, in her hands."""
        drinks = self.names.meanings.file.drinks
        if drinks is None or drinks.holder not in self.names.meanings.relations:
            return None
        liquid, named = self._liquid(clause, frames)
        if liquid is None or named:
            return None
        people = self._people(clause, frames)
        if not people or any(frames.linker.may_be(m, self._has_tap) for m in clause.mentions):
            return None
        ordered = clause.verb is not None and self.wishes.is_order(clause)
        who = frames.linker.one(people[-1 if ordered else 0], self.names.is_person)
        return GoalWriter(self.names).drink(who, liquid)

    def _people(self, clause: Clause, frames: Frames) -> list[Mention]:
        """Return who a clause names that can drink, else who was spoken of last."""
        people = [
            m for m in clause.mentions if frames.can_act(m) and m.pronoun not in ("you", "someone")
        ]
        latest = frames.discourse.latest(self.names.is_person, "subjects", "people")
        if people or latest is None:
            return people
        return [Mention("person", latest, 0, 0, thing=latest)]

    def _liquid(self, clause: Clause, frames: Frames) -> tuple[str | None, bool]:
        """Return the liquid asked for, and whether a certain vessel is named with it."""
        found, certain = None, False
        for mention in clause.mentions:
            if (
                mention.kind == "value"
                and mention.thing is not None
                and self.names.is_liquid(mention.thing)
            ):
                found = mention.thing
            elif mention.content is not None and mention.content.thing is not None:
                found = mention.content.thing
                certain = certain or not mention.indefinite
            elif mention.kind == "thing" and frames.linker.may_be(
                mention, frames.linker.house.is_vessel
            ):
                certain = certain or not mention.indefinite
        return found, certain

    def _has_tap(self, thing: str) -> bool:
        return self.names.meanings.state_relation("flow", self.names.kind(thing)) is not None
