"""From an utterance to a wish: clauses in order, who does them, and purposes for what is vague."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import in_words, parts_of
from commonground.grounding.english.utterance import (
    UNMEANT,
    Clause,
    Part,
    Phrase,
    Step,
    Steps,
    Utterance,
)
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.serving import Serving
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.clauses import Clauses, Deed, check_certain
from commonground.grounding.problem_writer.wishes.crews import robots_of
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.nouns import Nouns, nouns_of
from commonground.grounding.problem_writer.wishes.outcome import Done, wish_of
from commonground.grounding.problem_writer.wishes.referents import Senseless
from commonground.grounding.problem_writer.wishes.things import together, whole
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, disjunction

_BACK = frozenset(["that", "them", "those"])


class WishTable:
    """Turns utterances into wishes; it asks rather than pass over anything that was said."""

    def __init__(self, kinds: Kinds, purposes: Purposes | None = None) -> None:
        self.kinds = kinds
        self.purposes = purposes if purposes is not None else Purposes.load()
        self._nouns: dict[frozenset[str], tuple[Kinds, Nouns]] = {}

    def wish(self, utterance: Utterance, accounts: Accounts) -> Wish:
        """Return what an utterance asks for, or raise `Unclear` with a question."""
        reading = _Reading(accounts.home, self.purposes)
        try:
            done = reading.read(utterance)
        except Senseless:
            asking = accounts.asking()
            vague = reading.vague and not _goes_back(accounts)
            goal = reading.purpose(accounts.text, utterance, asking) if vague else None
            if goal is None:
                raise
            return Wish(goal, vague=True)
        return wish_of(done, reading.home, accounts.text)

    def purpose(self, accounts: Accounts) -> Formula | None:
        """Return what a vague text asks for, or None; it has to do with all that it names."""
        home, told = accounts.home, accounts.acts.told
        if _goes_back(accounts):
            return None
        serving = Serving(self.purposes, home.kinds, home.graph)
        named = [accounts.said(one) for one in accounts.named if not told[one.start]]
        asking = accounts.asking()
        return serving.find(accounts.text, [words_for(noun, home) for noun in named], asking)

    def names(self, graph: HouseGraph) -> Names:
        """Return what a house and its robots are called, as hints for a reader."""
        home = self.home(graph)
        return Names({"robot": graph.robots(), "noun": home.nouns.here()})

    def home(self, graph: HouseGraph) -> Home:
        """Return a house with the nouns for its things."""
        types = frozenset(graph.types().values())
        if types not in self._nouns:
            self._nouns[types] = nouns_of(self.kinds, graph)
        return Home(graph, *self._nouns[types])


class _Reading:
    """Reads the parts of one utterance in their order."""

    def __init__(self, home: Home, purposes: Purposes) -> None:
        self.home = home
        self.serving = Serving(purposes, home.kinds, home.graph)
        self.clauses = Clauses(home)
        self.vague = False
        """Whether no clause of what is asked for makes sense by itself."""
        self._robots: tuple[str, ...] = ()

    def read(self, utterance: Utterance) -> list[Done]:
        """Return all deeds of an utterance; the first that makes no sense is asked about in the end."""
        done: list[Done] = []
        questions: list[Senseless] = []
        for part in utterance.parts:
            if part.stands not in UNMEANT:
                done += self._part(part, questions)
        self.vague = not done and all(map(_is_asked_for, utterance.parts))
        if questions:
            raise questions[0]
        if not done:
            raise Unclear("What should be done?")
        return done

    def _part(self, part: Part, questions: list[Senseless]) -> Iterator[Done]:
        if part.stands or part.when is not None:
            what = in_words(part.when) or part.stands
            raise Unclear(f"I cannot take account of '{what}'. What should be true in the end?")
        self.clauses.introduce(part.introduced)
        robots = robots_of(part.crew, self.home.graph.robots(), self._robots)
        self._robots = robots or self._robots
        first = True
        for step, waits in _in_order(part.step):
            try:
                deed = self._alternatives(step) if isinstance(step, Steps) else self._deed(step)
            except Senseless as question:
                questions.append(question)
                continue
            yield Done(deed, robots, waits or (first and part.then))
            first = False

    def _deed(self, clause: Clause) -> Deed:
        if clause.sense not in ("routine", "other"):
            return self._sensible(clause)
        deed = self._purpose(clause)
        return deed if deed is not None else self._sensible(clause)

    def _sensible(self, clause: Clause) -> Deed:
        """Return what a clause asks for, taken word by word or by its purpose."""
        try:
            return self.clauses.read(clause)
        except Senseless:
            deed = self._purpose(clause)
            if deed is None:
                raise
            return deed

    def _purpose(self, clause: Clause) -> Deed | None:
        """Return what a clause asks for by the purposes it speaks of."""
        check_certain(clause)
        if clause.mood != "do" or clause.negated:
            return None
        verb = "" if clause.sense in ("routine", "other") else clause.sense
        goal = self.purpose(f"{verb} {in_words(clause)}", clause)
        return None if goal is None else Deed(clause, [whole(goal)], vague=True)

    def purpose(
        self, text: str, part: Clause | Utterance, asking: str | None = None
    ) -> Formula | None:
        """Return what a text asks for by the purposes it speaks of; it has to do with all that is named."""
        words = (phrase.noun or phrase.person or phrase.name for phrase in parts_of(part, Phrase))
        named = [words_for(span.text, self.home) for span in words if span is not None]
        return self.serving.find(text, named, asking)

    def _alternatives(self, steps: Steps) -> Deed:
        """Return the deed of doing one of several things, whichever."""
        found: list[Deed] = []
        goals = []
        for step in steps.steps:
            inner = list(_in_order(step))
            deeds = [self._deed(one) for one, _ in inner if isinstance(one, Clause)]
            if (
                len(deeds) < len(inner)
                or any(waits for _, waits in inner)
                or any(d.spared for d in deeds)
            ):
                raise Unclear(f"Which of these should be done: '{in_words(steps)}'?")
            goals.append(together([c for deed in deeds for c in deed.conditions]))
            found += deeds
        handled = frozenset(word for deed in found for word in deed.handled)
        vague = any(deed.vague for deed in found)
        return Deed(found[0].clause, [whole(disjunction(goals))], handled=handled, vague=vague)


def _goes_back(accounts: Accounts) -> bool:
    """Return whether a text asks for something only of what was spoken of before: that is no purpose."""
    words = zip(accounts.words, accounts.acts.told, strict=True)
    named = all(accounts.acts.told[one.start] for one in accounts.named)
    return named and any(word in _BACK and not told for word, told in words)


def words_for(noun: str, home: Home) -> frozenset[str]:
    """Return the words for what a noun means: its own, and those of its types."""
    found = home.nouns.find(noun)
    types = found.types if found is not None else ()
    listed = [
        word for kind in types if kind in home.kinds.types for word in home.kinds.types[kind].words
    ]
    return frozenset(word.lower() for word in (*noun.split(), *types, *listed))


def _is_asked_for(part: Part) -> bool:
    """Return whether all of a part is to be done, by whichever robot."""
    clauses = parts_of(part, Clause)
    named = part.crew is not None and part.crew.names
    return not (part.stands or named) and all(
        c.mood == "do" and not (c.negated or c.condition) for c in clauses
    )


def _in_order(step: Step, waits: bool = False) -> Iterator[tuple[Clause | Steps, bool]]:
    """Yield clauses and choices among steps, and whether each waits for those before it."""
    if isinstance(step, Clause) or step.join == "one of":
        yield step, waits
        return
    steps = reversed(step.steps) if step.join == "in reverse" else step.steps
    ordered = step.join in ("in order", "in reverse")
    for i, inner in enumerate(steps):
        yield from _in_order(inner, (waits and i == 0) or (ordered and i > 0))
