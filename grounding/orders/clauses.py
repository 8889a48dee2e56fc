"""Clauses → tasks, by what their verb says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeGuard, cast

from commonground.grounding import meaning as m
from commonground.grounding.english import utterance as u
from commonground.grounding.english.saying import clause as in_words
from commonground.grounding.fidelity.order import may_order
from commonground.grounding.fidelity.undoable import PARTICLES, means
from commonground.grounding.fidelity.verbs import goes_by
from commonground.grounding.orders.manners import is_harmless
from commonground.grounding.orders.phrases import Phrases
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.wording import describe
from commonground.grounding.words.tokens import tokenize

ORDERS: Mapping[str, Any] = {
    "any order": "all", "in order": "sequence", "in reverse": "sequence", "one of": "any", "at once": "all",
}  # fmt: skip
DEEDS: Mapping[str, m.Do] = {
    "go to": "go", "enter": "go", "come near": "go", "end up at": "be", "be at": "be", "be in room": "be",
    "stay": "be", "come back": "be", "inspect": "inspect", "explore": "explore", "hold": "pick",
    "take": "pick", "have": "pick", "put": "place", "move": "place", "leave": "place",
    "bring along": "place", "give": "place",
}  # fmt: skip
"""What robots on a map can be told to do."""
BRINGING = frozenset(["hold", "take", "have", "bring along", "give", "leave"])
"""What leaves a thing elsewhere only if it is said where."""
BANS: Mapping[str, m.Do] = {
    "enter": "avoid", "go to": "avoid", "end up at": "avoid", "be at": "avoid", "explore": "avoid",
    "come near": "keep_away", "touch": "leave_alone", "move": "leave_alone", "use": "leave_alone",
    "hold": "leave_alone", "take": "leave_alone", "have": "leave_alone", "put": "leave_alone",
}  # fmt: skip
"""What robots on a map can be forbidden."""
USED = frozenset(
    ["sense", "mood", "verb", "theme", "goal", "source", "location", "negated", "follows", "back",
     "manner", "hedge", "condition"]
)  # fmt: skip
"""What is read of a clause; anything else is asked about."""

ABLE = "Robots go, inspect, explore, pick up and put down, and keep away from things and areas."
"""What to say instead of what none of them can."""


class Clauses:
    """The clauses of one utterance; ``notes`` is what is no part of any goal and harmless."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.notes: list[str] = []

    def task(self, step: u.Step) -> m.Task | None:
        """Return what a step asks for; None if it asks for nothing."""
        if isinstance(step, u.Clause):
            return self._clause(step)
        steps = reversed(step.steps) if step.join == "in reverse" else step.steps
        tasks = [task for s in steps if (task := self.task(s)) is not None]
        if len(tasks) < 2:
            return tasks[0] if tasks else None
        join = ORDERS[step.join]
        if join == "sequence" and self.phrases.text and not may_order(self.phrases.text):
            join = "all"  # no word says so
        return m.Plan(
            join, _left_behind(tasks, self.phrases.text) if join == "sequence" else tuple(tasks)
        )

    def _clause(self, clause: u.Clause) -> m.Task | None:
        if clause.sense == "nothing":
            return None
        if clause.mood == "tell":
            return self._told(clause)
        self._check(clause)
        if clause.manner is not None:
            self._manner(clause.manner.text)
        if clause.mood == "never" or clause.negated:
            return self._ban(clause)
        return self._deed(clause)

    def _check(self, clause: u.Clause) -> None:
        """Ask about what no robot does, and what cannot be part of a goal."""
        if clause.mood == "ask":
            raise Unclear("Please ask that apart from what is to be done.")
        wanted = clause.mood == "do" and not clause.negated
        if wanted and not (clause.sense in DEEDS and self._can(clause)):
            told = f"No robot here can {self._wanted(clause)}. {ABLE}"
            raise Unclear(told, ruled_out=_is_plain(clause))
        for field in fields(u.Clause):
            value = getattr(clause, field.name)
            if field.name not in USED and value != field.default:
                words = (
                    value.text if isinstance(value, u.Span) else describe(self._reference(value))
                )
                raise Unclear(f"What has '{words}' to do with it?")
        if clause.condition is not None:
            raise Unclear(f"{self._condition(clause.condition)} I cannot make an order wait for that. "
                          "Should it be done anyway?")  # fmt: skip
        if clause.hedge:
            raise Unclear("Is that an order, or not?")

    def _reference(self, reference: u.Reference | None) -> m.Reference:
        return m.Thing(of="it") if reference is None else self.phrases.reference(reference)

    def _condition(self, condition: u.Clause) -> str:
        begins = "Unless" if condition.negated else "Only if"
        return f"{begins} {in_words(replace(condition, negated=False))}?"

    def _manner(self, words: str) -> None:
        if not is_harmless(words):
            raise Unclear(f"I cannot promise '{words}'. Should it be done anyway?")
        self.notes.append(f"'{words}' is no part of the goal")

    # ---- kinds of clauses -----------------------------------------------------------------------

    def _told(self, clause: u.Clause) -> m.Task | None:
        """Return what a statement speaks of: nothing follows from what it says."""
        if clause.theme is None:
            return None
        return m.Act("remark" if clause.state is not None else "mention", self._what(clause))

    def _ban(self, clause: u.Clause) -> m.Task:
        if clause.sense == "inspect":
            return m.Plan("not", (m.Act("inspect", self._what(clause)),))
        if clause.sense not in BANS:
            raise Unclear(f"I do not know how not to {verb_of(clause)}.")
        return m.Act(BANS[clause.sense], self._what(clause))

    def _deed(self, clause: u.Clause) -> m.Task:
        do = DEEDS[clause.sense]
        if clause.sense in BRINGING and clause.goal is not None:
            return self._place(clause)
        if clause.sense == "leave" and clause.location is None:
            raise Unclear(f"Where to should a robot leave{self._object(clause)}?")
        if do == "place":
            return self._place(clause)
        return m.Act(do, self._what(clause))

    def _can(self, clause: u.Clause) -> bool:
        """Return whether a deed can be done without people: giving is putting down somewhere."""
        to = clause.goal
        if clause.sense not in ("give", "bring along"):
            return True
        return to is not None and not (
            isinstance(to, u.Phrase) and (to.person or to.speaker or to.everybody)
        )

    def _wanted(self, clause: u.Clause) -> str:
        """Return what is wanted, in the words of the speaker where the verb alone tells too little."""
        verb = verb_of(clause)
        if clause.theme is not None or verb.startswith("do "):
            return f"{verb}{self._object(clause)}"
        said = in_words(replace(clause, agent=None, condition=None, hedge=""))
        return said if said != verb else f"do '{verb}'"

    def _object(self, clause: u.Clause) -> str:
        return "" if clause.theme is None else f" {describe(self._reference(clause.theme))}"

    def _place(self, clause: u.Clause) -> m.Task:
        to = clause.goal or clause.location
        what = self._what(replace(clause, goal=None, location=None), carried=True)
        return m.Act("place", what, None if to is None else self.phrases.carried(to, "to"))

    def _what(self, clause: u.Clause, *, carried: bool = False) -> m.Reference:
        """Return what a clause is about: its theme, else where it leads."""
        places = [r for r in (clause.goal, clause.location) if r is not None]
        here = clause.sense in ("stay", "come back") or (clause.back and not places)
        about = clause.theme if clause.theme is not None else (places.pop(0) if places else None)
        if about is None:
            if clause.follows:
                return m.Thing(of="it")
            if here:
                return m.Thing(kind="place", of="here")
            raise Unclear(_missing(clause))
        what = self.phrases.carried(about, "what") if carried else self.phrases.reference(about)
        for place in (*places, *([clause.source] if clause.source is not None else ())):
            what = _within(what, self.phrases.reference(place))
        return what


def _left_behind(tasks: Sequence[m.Task], text: str) -> tuple[m.Task, ...]:
    """Return tasks in order, where being anywhere but at the end is a visit, as is going past a thing."""
    passed = (replace(t, do="go") if _is_stop(t) else t for t in tasks[:-1])
    last = tasks[-1]
    by = isinstance(last, m.Act) and last.do == "go" and goes_by(last, tokenize(text))
    return (*passed, m.Plan("all", (last,)) if by else last)


def _is_stop(task: m.Task) -> TypeGuard[m.Act]:
    """Return whether a task is to be somewhere else than now."""
    if not isinstance(task, m.Act) or task.do != "be":
        return False
    return not (isinstance(task.what, m.Thing) and task.what.of == "here")


def _within(what: m.Reference, place: m.Reference) -> m.Reference:
    """Add where something is: ``inspect the box in the shelter``, ``move the box from the lot``."""
    if isinstance(what, m.Several):
        return m.Several(what.join, tuple(_within(t, place) for t in what.things))
    return replace(what, where=(*what.where, m.Relation("in", (place,))))


def _missing(clause: u.Clause) -> str:
    if clause.sense in ("go to", "end up at"):
        return "Where should the robot go?"
    return f"What should the robot {verb_of(clause)}?"


def _is_plain(clause: u.Clause) -> bool:
    """Return whether a verb means nothing that robots do; idioms and rare words may: ``have a butcher's``."""
    words = clause.verb.text.casefold().split() if clause.verb is not None else []
    verb = len(words) == 1 or (len(words) == 2 and words[1] in PARTICLES)
    return verb and not any(means(words[0], do) for do in set(DEEDS.values()))


def verb_of(clause: u.Clause) -> str:
    if clause.sense == "other" and clause.verb is None:
        return "do that"  # words of which nothing was made out
    verb = clause.verb.text if clause.verb is not None else cast(str, clause.sense)
    return f"do '{verb}'" if clause.sense == "routine" else verb
