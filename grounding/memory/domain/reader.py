"""The reader of reports and tasks in domains that nobody prepared: types and the domain's own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.knowledge.facts import fact_of
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.described.reader import DescribedReader
from commonground.grounding.memory.domain.described.talk import UNREAL
from commonground.grounding.memory.domain.described.wishes import free_of_wishes
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.frames import (
    intended,
    stamped,
    told_that,
    unframed,
    unheaded,
    wish_itself,
    written_out,
)
from commonground.grounding.memory.domain.literals import Literals
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.roles import Roles
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.domain.words import (
    COPULAS,
    MODALS,
    Word,
    alike,
    classes_of,
    is_participle,
    sentences_of,
)
from commonground.grounding.memory.english.lexicon import UNTOLD, load_lexicon
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.senses.times import times_in
from commonground.grounding.memory.unclear import Unclear
from commonground.planning.pddl import Atom, Formula, Not
from commonground.planning.pddl.logic import conjunction

TakeIn = Callable[[Sequence[Sequence[Word]], Meant], list[Found]]


class DomainReader:
    """Reads what is said about one world by what its domain says."""

    def __init__(self, names: Names, groups: Groups) -> None:
        self.names, self.groups = names, groups
        self.roles = Roles(names.meanings.vocabulary, names.meanings.silent)
        self.sayings = Sayings(self.roles)
        self.calling = Calling(names, self.roles)
        self.described = DescribedReader(self.calling, self.sayings, groups)
        self.speaker: str | None = None
        """Who speaks, where that is known."""

    # ---- reports --------------------------------------------------------------------------------

    def read(
        self,
        text: str,
        view: View,
        discourse: Discourse,
        *,
        denying: bool = False,
    ) -> Reading:
        """Return what a report makes so; a question where not all of it was understood.

        ``denying``: it may deny what was said before.
        """
        plain, times = stamped(text)
        sentences = [
            unframed(sentence) for sentence in sentences_of(written_out(plain.replace(";", " and")))
        ]
        try:
            if not sentences or times_in(plain):
                raise Unclear("when was that?")
            if not all(sentences):
                raise Unclear("what was seen?")
            sentences = self._without_talk(sentences, view)
            for sentence in sentences:
                self._check_real(sentence, view)
            changes, meant = self._described(sentences, view, discourse, denying=denying)
        except Unclear as unclear:
            return Reading("ask", question=str(unclear))
        meant.remember()
        return Reading("ok", (*changes.asserted,), (*changes.retracted,), times=times)

    def _without_talk(
        self, sentences: Sequence[Sequence[Word]], view: View, *, task: bool = False
    ) -> list[list[Word]]:
        """Return sentences without what names nothing of the world and tells nothing that may be so in it."""
        changes = Changes(self.roles, self.groups, view, self.calling.kinds)
        return self.described.talk.without(sentences, changes, task=task)

    def _described(
        self,
        sentences: Sequence[Sequence[Word]],
        view: View,
        discourse: Discourse,
        *,
        denying: bool = False,
    ) -> tuple[Changes, Meant]:
        """Return what sentences make so by descriptions of things."""
        if any(map(intended, sentences)):
            raise Unclear("was that done, or only meant to be?")
        question: Unclear | None = None
        for likely in (False, True) if not denying else (False,):
            changes = Changes(self.roles, self.groups, view, self.calling.kinds)
            meant = Meant(self.calling, changes, discourse)
            meant.speaker = self.speaker
            try:
                self.described.take_in(sentences, meant, denying=denying, likely=likely)
            except Unclear as unclear:
                question = question or unclear
                continue
            return changes, meant
        raise question or Unclear("nothing in that was understood to be a change")

    def _check_real(self, sentence: Sequence[Word], view: View) -> None:
        """Raise Unclear for what is asked, wished, doubted, imagined or said by others."""
        changes = Changes(self.roles, self.groups, view, self.calling.kinds)
        words = self.described.unnamed(sentence, changes)
        if (
            _instead_of(words)
            or {*words} & (UNREAL | MODALS | {"?"})
            or load_lexicon().hedges.find(words) is not None
        ):
            raise Unclear("is that certain?")
        _check_end(sentence)
        for at, word in enumerate(words):
            if is_participle(word) and words[at + 1 : at + 2] == ["for"]:
                continue  # what is meant for somebody
            if words[max(at - 1, 0) : at] in (["at"], ["a"], ["an"]):
                continue  # "at long last", "a call"
            if (
                word not in COPULAS
                and classes_of(word, frozenset()) & UNTOLD
                and not self._is_own(word)
            ):
                raise Unclear("is that so, or only said, thought or wished?")

    def _is_own(self, word: str) -> bool:
        """Return whether a word is one of the domain's."""
        said = {w for s in self.sayings.all.values() for w in (s.word, *s.nouns)}
        return any(alike(word, w) for w in (*said, *self.sayings.deed_words) if w)

    def replaced(self, text: str, correction: str, view: View, discourse: Discourse) -> str | None:
        """Return a text with what a correction describes in place of what it is about."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        return self.described.replaced(text, correction, meant)

    def note_named(self, text: str, view: View, discourse: Discourse) -> None:
        """Keep what a text names that was not understood: the next one may speak of it."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        self.described.note_named(text, meant)

    def names_things(self, text: str, view: View, discourse: Discourse) -> bool:
        """Return whether a text names or describes anything of the world."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        return self.described.names_things(text, meant)

    # ---- tasks ----------------------------------------------------------------------------------

    def wanted(self, text: str, view: View, discourse: Discourse) -> Wanted:
        """Return the goal that a task asks for; a question where not all of it was understood."""
        question = ""
        for take_in in (self.described.take_in_task, self.described.aim):
            try:
                wanted = self._changing(self._wished(text, view, discourse, take_in), view)
            except Unclear as unclear:
                question = question or str(unclear)
                continue
            return Wanted("ok", conjunction([*dict.fromkeys(wanted)]))
        return Wanted("ask", question=question)

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
            raise Unclear("what should be done?")
        if any(isinstance(one, Atom) and one.predicate not in changing for one in wished_for):
            raise Unclear("how should that be brought about?")
        if any(Not(literal) in literals for literal in literals):
            raise Unclear("which of the two is wanted?")
        self._check_together([one for one in wished_for if isinstance(one, Atom)], view)
        return wished_for

    def _check_together(self, atoms: Sequence[Atom], view: View) -> None:
        """Raise Unclear where facts that are wanted exclude each other."""
        draft, wanted = Draft(view), [fact_of(atom) for atom in atoms]
        for fact in wanted:
            if any(rival in wanted for rival in self.groups.add(draft, fact)):
                raise Unclear("which of the two is wanted? They cannot both be so.")

    def _wished(
        self, text: str, view: View, discourse: Discourse, take_in: TakeIn
    ) -> list[Formula]:
        """Return what a task asks for by descriptions of things."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        plain = written_out(text.replace("?", "."))
        sentences = [s for s in map(unframed, map(unheaded, sentences_of(plain))) if s]
        sentences = self._without_talk(sentences, view, task=True)
        sentences = [wish_itself(told_that(s)) for s in sentences]
        for sentence in sentences:
            self._check_real(free_of_wishes(sentence), view)
        asked = Literals(self.roles)
        for found in take_in(sentences, meant):
            asked.add(found)
        return asked.all


def _holds(literal: Atom, view: View) -> bool:
    """Return whether an atom of one or two arguments is believed."""
    return fact_of(literal) in view


def _check_end(sentence: Sequence[Word]) -> None:
    """Raise Unclear for what is denied in the end: ``crate to the market, not!``."""
    if [w.text for w in sentence if w.text not in ("!", ".")][-1:] in (["not"], ["never"]):
        raise Unclear("is that so, or not?")


def _instead_of(words: Sequence[str]) -> bool:
    """Return whether words tell what is not so: ``instead of the tray``."""
    return any(w == "instead" and words[n + 1 : n + 2] == ["of"] for n, w in enumerate(words))
