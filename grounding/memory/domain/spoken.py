"""A text being read clause by clause: what it makes so, or what it asks for."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.domain.calling import Mention
from commonground.grounding.memory.domain.clauses import Clause, Clauses, Role
from commonground.grounding.memory.domain.events import find
from commonground.grounding.memory.domain.finding import Found, Scene
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.domain.words import SOMEBODY, Word, is_going_on
from commonground.grounding.memory.unclear import Unclear
from commonground.planning.pddl import Atom, Formula, Not


class Spoken:
    """Takes in the sentences of one text."""

    def __init__(
        self,
        meant: Meant,
        sayings: Sayings,
        clauses: Clauses,
        *,
        task: bool = False,
    ) -> None:
        self.meant, self.changes, self.calling = meant, meant.changes, meant.calling
        self.clauses, self.task = clauses, task
        self.roles, kinds = meant.roles, meant.kinds
        self.scene = Scene(
            self.roles, sayings, self.calling, self.changes, meant.resolve, meant.latest, task
        )
        self.literals: list[Formula] = []
        """What is asked for."""
        robots = [t for t, kind in kinds.items() if self.roles.is_a(kind, self.roles.robots)]
        self._doing = robots if task and len(robots) == 1 else []

    def take_in(self, sentence: Sequence[Word]) -> None:
        """Take in one sentence."""
        self.meant.agents = [*self._doing]
        subjects: list[Mention] = []
        for clause in self.clauses.split(self._owned(sentence)):
            subjects = self._subjects(clause, subjects)
            agents = self._agents(clause, subjects)
            found = find(self.scene, clause, agents)
            if self.task:
                self.want(found)
            for fact in found.ended:
                self.changes.retract(fact)
            self.changes.assert_all(found.made, agents)
            self.meant.note(clause, found.things(), agents)

    def _owned(self, sentence: Sequence[Word]) -> list[Word | Mention]:
        """Return a sentence with its names, those with owners narrowed down to the owner's."""
        found: list[Word | Mention] = []
        for element in self.calling.elements(sentence):
            before = found[-1] if found else None
            if isinstance(element, Mention) and isinstance(before, Mention) and before.owner:
                element = self.calling.owned(self._owners(before), element)
                found.pop()
            found.append(element)
        return found

    def _owners(self, mention: Mention) -> Sequence[str]:
        if not mention.pronoun:
            return mention.things
        latest = self.meant.latest(mention.pronoun, lambda _: True)
        return [latest] if latest else []

    def _subjects(self, clause: Clause, before: list[Mention]) -> list[Mention]:
        """Return the subjects of a clause: those of the one before where it has none."""
        subjects = [r.mention for r in clause.subjects() if r.preposition != "of"]
        anybody = bool({*clause.words} & SOMEBODY)
        goes_on = is_going_on(clause.verb) and not clause.copula
        if subjects or anybody or (self.task and not goes_on):
            return subjects
        if before:
            clause.roles[:0] = [Role(m, "", before_verb=True) for m in before]
        elif clause.verb and not clause.passive and not clause.subjects():
            raise Unclear("is that so, or to be done?")
        return before

    def _agents(self, clause: Clause, subjects: list[Mention]) -> list[str]:
        """Return who acts in a clause."""
        if clause.passive or {*clause.words} & SOMEBODY:
            subjects = [r.mention for r in clause.agents() if not r.before_verb]
        agents = [t for m in subjects for t in self._people_in(m, clause)]
        return agents or [*self._doing]

    def _people_in(self, mention: Mention, clause: Clause) -> list[str]:
        is_somebody = self.meant.is_somebody
        if mention.pronoun or any(map(is_somebody, mention.things)):
            try:
                return self.meant.resolve(mention, is_somebody, clause)
            except Unclear:
                return []
        return []

    # ---- what is asked for ----------------------------------------------------------------------

    def want(self, found: Found) -> None:
        """Add what a clause asks for; what is asked of a thing later overrides where it was to be."""
        made = [_literal(fact) for fact in found.made]
        for fact in found.made:
            at = self.roles.seat_of(fact.relation, self.roles.positions)
            if at is not None:
                thing = fact.subject if at == 0 else fact.object
                self.literals = [
                    f for f in self.literals if f in made or not self._places(f, thing)
                ]
        placed = {term for fact in found.made for term in (fact.subject, fact.object)}
        left = (f for f in found.ended if placed.isdisjoint((f.subject, f.object)))
        self.literals += [*made, *(Not(_atom(fact)) for fact in left)]

    def _places(self, literal: Formula, thing: str) -> bool:
        atom = literal.body if isinstance(literal, Not) else literal
        if not isinstance(atom, Atom):
            return False
        at = self.roles.seat_of(atom.predicate, self.roles.positions)
        return at is not None and atom.args[at] == thing


def _atom(fact: Fact) -> Atom:
    arguments = (fact.subject,) if fact.object in (TRUE, FALSE) else (fact.subject, fact.object)
    return Atom(fact.relation, arguments)


def _literal(fact: Fact) -> Formula:
    return Not(_atom(fact)) if fact.object == FALSE else _atom(fact)
