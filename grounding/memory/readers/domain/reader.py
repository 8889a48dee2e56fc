"""The reader of reports and tasks in domains that nobody prepared: types and the domain's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.memory.beliefs.believing import tells_order
from commonground.grounding.memory.checks.exceptions import excepted_in
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import (
    NOTHING,
    WHAT_TO_DO,
    Excluding,
    Unclear,
)
from commonground.grounding.memory.ontology.linking import Calling as Named
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.ontology.predicate_words import Sayings
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.ontology.words import Word, sentences_of
from commonground.grounding.memory.readers.domain.attribution import (
    stamped,
    told_that,
    unframed,
    unheaded,
    wish_itself,
    without_when,
    written_out,
)
from commonground.grounding.memory.readers.domain.calling import Calling
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.alternatives import Alternatives
from commonground.grounding.memory.readers.domain.described.reader import DescribedReader
from commonground.grounding.memory.readers.domain.described.reality import Reality
from commonground.grounding.memory.readers.domain.described.talk import asks_nothing
from commonground.grounding.memory.readers.domain.described.wishes import free_of_wishes
from commonground.grounding.memory.readers.domain.disambiguation import Meant
from commonground.grounding.memory.readers.domain.finding import Found, Literals
from commonground.planning.pddl import Atom, Formula, Not, Or
from commonground.planning.pddl.logic import conjunction

T = TypeVar("T")
_LONGEST = 150
"""So many words a sentence has at most."""


class DomainReader:
    """Reads what is said about one world by what its domain says."""

    def __init__(self, names: Names, groups: Groups) -> None:
        self.names, self.groups = names, groups
        self.roles = Roles(names.meanings.vocabulary, names.meanings.silent)
        self.sayings = Sayings(self.roles)
        self.calling = Calling(names, self.roles)
        self.described = DescribedReader(self.calling, self.sayings, groups)
        self.reality = Reality(self.described.denoting)
        self.alternatives = Alternatives(self.described.denoting)
        self.named = Named(names)
        self.speaker: str | None = None
        """Who speaks, where that is known."""

    # ---- reports --------------------------------------------------------------------------------

    def read(
        self, text: str, view: View, discourse: Discourse, *, denying: bool = False
    ) -> Reading:
        """Return what a report makes so; a question where not all of it was understood.

        ``denying``: it may deny what was said before.
        """
        plain, times = stamped(text)
        written = written_out(plain.replace(";", " and"))
        sentences = [*map(unframed, sentences_of(written))]
        try:
            if times_in(self.calling.without_names(plain)):
                raise Unclear("when was that?")
            _check_length(sentences)
            self.sayings.hear(w.text for s in sentences for w in s)
            meant = self._told(
                plain, sentences, view, discourse, denying=denying, dated=bool(times)
            )
            meant.changes.check_others()
        except Unclear as unclear:
            return Reading("ask", question=str(unclear), candidates=unclear.candidates)
        meant.remember()
        changes = meant.changes
        return Reading(
            "ok", (*changes.asserted,), (*changes.retracted,), times=times, question=meant.lost
        )

    def _told(
        self, plain: str, sentences: list[list[Word]], view: View, discourse: Discourse, *,
        denying: bool, dated: bool,
    ) -> Meant:  # fmt: skip
        """Return a world in which what sentences tell is so. Unclear where that is open."""

        def understood(
            said: list[list[Word]],
            beside: list[list[Word]],
            *,
            likely: bool,
            by_clauses: bool = False,
        ) -> Meant:
            meant = self.meant(view, discourse)
            meant.dated = dated
            self.described.correcting.speak_of(beside, meant)
            found = self.described.take_in(
                said, meant, denying=denying, likely=likely, by_clauses=by_clauses
            )
            if not (denying or tells_order(plain)):
                meant.changes.check_at_once()
            self._check_spared(plain, meant.changes, view)
            self._check_placed(found, meant)
            self._check_company(plain, meant)
            self._check_only(said, found, meant.changes)
            return meant

        def surest(said: list[list[Word]], beside: list[list[Word]]) -> Meant:
            for sentence in said:
                self.reality.check_report(sentence, self._changes(view))
            read = partial(understood, said, beside)
            return _surest(
                partial(read, likely=False),
                partial(read, likely=True),
                partial(read, likely=True, by_clauses=True),
            )

        if denying:
            for sentence in sentences:
                self.reality.check_report(sentence, self._changes(view))
            return understood(sentences, [], likely=False)
        try:
            return surest(sentences, [])
        except Excluding:
            raise
        except Unclear:
            meant = self._without_beside(sentences, surest)
            if meant is None:
                raise
            return meant

    def _without_beside(
        self,
        told: Sequence[Sequence[Word]],
        read: Callable[[list[list[Word]], list[list[Word]]], Meant],
    ) -> Meant | None:
        """Return what sentences tell without clauses that tell nothing of their own; None if that is open."""
        for kept, clauses, first in self.described.besides.ways(told):
            with suppress(Unclear):
                meant = read(kept, first)
                if all(self.described.besides.is_beside(c, meant) for c in clauses):
                    return meant
        return None

    def _check_placed(self, found: Sequence[Found], meant: Meant) -> None:
        """Keep what is nowhere any more by what a report tells; Unclear where that is what it speaks of."""
        told = {t for one in found for t in one.things()}
        ended = {t for one in found for f in one.ended for t in (f.subject, f.object)}
        so = {
            t for f in meant.changes.asserted for t in (f.subject, f.object)
        }  # cast off is at sea
        lost = [t for t in meant.changes.displaced() if t not in ended | so]
        named = " and ".join(f"'{self.names.things[t].name}'" for t in lost)
        if told.intersection(lost):
            raise Unclear(f"where is {named} then?")
        meant.lost = f"it is not known any more where {named} is" if lost else ""

    def _check_company(self, plain: str, meant: Meant) -> None:
        """Raise Unclear where something named may have gone along: ``Ann drove the van to the yard``."""
        named = self.described.correcting.surely_named(plain, meant)
        actors = filter(meant.is_somebody, named)
        for thing in (*meant.changes.left_behind(named), *meant.changes.unattended(actors)):
            raise Unclear(f"where is '{self.names.things[thing].name}' now?")

    def _check_only(
        self, said: Sequence[Sequence[Word]], found: Sequence[Found], changes: Changes
    ) -> None:
        """Raise Unclear where only one is said to be such, and others of its kind are believed to be, too."""
        if not any(words[0].text == "only" for words in said if words):
            return
        told = {f for one in found for f in one.made if f.is_property}
        for fact in (other for one in told for other in self._of_its_kind(one)):
            if fact in changes.draft and fact not in told:
                raise Unclear(f"what of '{self.names.things[fact.subject].name}' then?")

    def _of_its_kind(self, fact: Fact) -> Iterator[Fact]:
        """Yield the same of others of the subject's type."""
        kinds = self.calling.kinds
        alike = (t for t in kinds if kinds[t] == kinds[fact.subject] and t != fact.subject)
        return (Fact(t, fact.relation, fact.object) for t in alike)

    def _check_spared(self, plain: str, changes: Changes, view: View) -> None:
        """Raise Unclear where what a text excepts has changed all the same."""
        changed = [f for f in changes.asserted if f not in view]
        changed += [f for f in changes.retracted if f in view]
        for thing in excepted_in(plain, changed, self.named):
            raise Unclear(f"what of '{self.names.things[thing].name}'?")

    def is_place(self, thing: str) -> bool:
        """Return whether things are put somewhere with a thing, which is not moved itself."""
        return thing in self.calling.kinds and self.described.denoting.is_where(thing)

    def _changes(self, view: View) -> Changes:
        return Changes(self.roles, self.groups, view, self.calling.kinds)

    def meant(self, view: View, discourse: Discourse) -> Meant:
        """Return a world as it is believed to be, to be changed by what is said."""
        meant = Meant(self.calling, self._changes(view), discourse)
        meant.speaker = self.speaker
        return meant

    def replaced(
        self, text: str, correction: str, told: Sequence[Fact], view: View, discourse: Discourse
    ) -> str | None:
        """Return a text that told some facts with what a correction describes instead."""
        correcting = self.described.correcting
        return correcting.replaced(text, correction, told, self.meant(view, discourse))

    def without_mistake(self, text: str, view: View, discourse: Discourse) -> str:
        """Return a correction without what it says only of the mistake."""
        return self.described.correcting.without_mistake(text, self.meant(view, discourse))

    def note_named(self, text: str, view: View, discourse: Discourse) -> None:
        """Keep what a text names that was not understood: the next one may speak of it."""
        self.described.correcting.note_named(text, self.meant(view, discourse))

    def named_in(self, text: str, view: View, discourse: Discourse) -> set[str]:
        """Return all that the noun phrases of a text may mean."""
        return self.described.correcting.named_in(text, self.meant(view, discourse))

    # ---- tasks ----------------------------------------------------------------------------------

    def wanted(self, text: str, view: View, discourse: Discourse) -> Wanted:
        """Return the goal that a task asks for; a question where not all of it was understood."""
        plain = written_out(text.replace("?", "."))
        sentences = [s for s in map(unframed, map(unheaded, sentences_of(plain))) if s]

        try:
            _check_length(sentences)
            self.sayings.hear(w.text for s in sentences for w in s)
            ways, named = self._alternatives(sentences, view)
            goals = [*self._goals(ways, view, discourse, named=named)]
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        return Wanted("ok", goals[0] if len(goals) == 1 else Or(tuple(goals)))

    def _alternatives(
        self, sentences: list[list[Word]], view: View
    ) -> tuple[list[list[list[Word]]], bool]:
        """Return a task in each of the ways that it leaves open, and whether it names them."""
        for at, sentence in enumerate(sentences):
            ways, named = self.alternatives.of(sentence, self._changes(view))
            if ways:
                return [[*sentences[:at], way, *sentences[at + 1 :]] for way in ways], named
        return [sentences], True

    def _goals(
        self, ways: Sequence[list[list[Word]]], view: View, discourse: Discourse, *, named: bool
    ) -> Iterator[Formula]:
        """Yield the goals of ways to do a task; of those that it does not name, only what may be wished."""
        first: Unclear | None = None
        found = False
        for way in ways:
            try:
                yield self._goal(way, view, discourse)
                found = True
            except Unclear as unclear:
                if named:
                    raise
                first = first or unclear
        if first is not None and not found:
            raise first

    def _goal(self, sentences: list[list[Word]], view: View, discourse: Discourse) -> Formula:
        """Return what sentences ask for. Unclear where that is open."""
        apart = [without_when(told_that(s)) for s in sentences]
        told = [wish_itself(kept) for kept, _ in apart]
        wished = self._wished_of(told, [gone for _, gone in apart], view, discourse)
        return conjunction([*dict.fromkeys(wished)])

    def _wished_of(
        self,
        sentences: Sequence[list[Word]],
        whens: Sequence[list[Word]],
        view: View,
        discourse: Discourse,
    ) -> list[Formula]:
        """Return what sentences ask for, if need be without clauses that ask for nothing themselves."""

        def read(said: Sequence[list[Word]], beside: Sequence[list[Word]] = ()) -> list[Formula]:
            for sentence in said:
                self.reality.check(free_of_wishes(sentence), self._changes(view))

            def understood(likely: bool) -> list[Formula]:
                asked, meant = Literals(self.roles), self.meant(view, discourse)
                self.described.correcting.speak_of([*whens, *beside], meant)
                for found in self.described.take_in(said, meant, task=True, likely=likely):
                    asked.add(found)
                return self._changing(asked.all, view)

            return _surest(partial(understood, False), partial(understood, True))

        try:
            return read(sentences)
        except Unclear:
            meant, besides = self.meant(view, discourse), self.described.besides
            for kept, clauses, first in besides.ways(sentences):
                if all(asks_nothing(besides.wording, c, kept, meant) for c in clauses):
                    with suppress(Unclear):
                        return read(kept, first)
            raise

    def _changing(self, literals: Sequence[Formula], view: View) -> list[Formula]:
        """Return what is asked for without what only tells which thing is meant: ``her own card``."""
        changing = self.roles.vocabulary.changing
        wished_for = [
            literal
            for literal in literals
            if not (
                isinstance(literal, Atom)
                and literal.predicate not in changing
                and _holds(literal, view)
            )
        ]
        if not wished_for:
            raise Unclear(WHAT_TO_DO)
        if any(isinstance(one, Atom) and one.predicate not in changing for one in wished_for):
            raise Unclear("how should that be brought about?")
        known = frozenset(literals)
        if any(Not(literal) in known for literal in literals):
            raise Unclear("which of the two is wanted?")
        self._check_together([one for one in wished_for if isinstance(one, Atom)], view)
        return wished_for

    def _check_together(self, atoms: Sequence[Atom], view: View) -> None:
        """Raise Unclear where facts that are wanted exclude each other."""
        draft, wanted = Draft(view), [fact_of(atom) for atom in atoms]
        for fact in wanted:
            if any(rival in wanted for rival in self.groups.add(draft, fact)):
                raise Unclear("which of the two is wanted? They cannot both be so.")


def _check_length(sentences: Sequence[Sequence[Word]]) -> None:
    """Raise Unclear for what nobody says in one breath: reading it would take long."""
    if any(len(sentence) > _LONGEST for sentence in sentences):
        raise Unclear("that is too long to be understood in one sentence: what is it in short?")


def _surest(*ways: Callable[[], T]) -> T:
    """Return what is understood in the first way there is; Unclear as at first where it is in none."""
    first: Unclear | None = None
    for way in ways:
        try:
            return way()
        except Excluding:
            raise
        except Unclear as unclear:
            first = first or unclear
    raise first or Unclear(NOTHING)


def _holds(literal: Atom, view: View) -> bool:
    """Return whether an atom of one or two arguments is believed."""
    return fact_of(literal) in view
