"""The reader of reports and tasks in domains that nobody prepared: types and the domain's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.knowledge.facts import fact_of
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.clauses import Clauses
from commonground.grounding.memory.domain.described.reader import DescribedReader
from commonground.grounding.memory.domain.described.wishes import free_of_wishes
from commonground.grounding.memory.domain.frames import (
    intended,
    stamped,
    told_that,
    unframed,
    unheaded,
    wish_itself,
    wished,
    written_out,
)
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.roles import Roles
from commonground.grounding.memory.domain.spoken import Spoken
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.domain.words import (
    COPULAS,
    EVERY,
    MODALS,
    Word,
    alike,
    classes_of,
    is_participle,
    sentences_of,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.senses.times import times_in
from commonground.grounding.memory.unclear import Unclear
from commonground.planning.pddl import Atom, Formula, Not
from commonground.planning.pddl.logic import conjunction

_UNREAL = frozenset(
    [
        "if",
        "unless",
        "whether",
        "almost",
        "nearly",
        "until",
        "till",
        "except",
        "or",
        "used",
        "wish",
        "either",
    ]
)
_UNTOLD = frozenset(["speech", "belief", "fiction", "desire"])
_POLITE = re.compile(
    r"^(?:(?:please|kindly|robot|hey|can you|could you|would you|will you|i want you to|i'd like you to|"
    r"i would like you to|you should|go and|make sure(?: that)?|ensure(?: that)?|see to it that|"
    r"let's|now|then)[,\s]+)+",
    re.IGNORECASE,
)


class DomainReader:
    """Reads what is said about one world by what its domain says."""

    def __init__(self, names: Names, groups: Groups) -> None:
        self.names, self.groups = names, groups
        self.roles = Roles(names.meanings.vocabulary, names.meanings.silent)
        self.sayings = Sayings(self.roles)
        self.calling = Calling(names, self.roles)
        self.clauses = Clauses(self._is_deed)
        self.described = DescribedReader(self.calling, self.sayings, groups)

    def _is_deed(self, word: str) -> bool:
        return self.sayings.is_deed(word)

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
                self._check_real(sentence)
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

    def _tells_more(
        self, sentences: Sequence[Sequence[Word]], view: View, discourse: Discourse
    ) -> bool:
        """Return whether a sentence has a relative clause, which is not read by names."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        return any(self.described.tells_more(s, meant) for s in sentences)

    def _check_told(
        self, sentences: Sequence[Sequence[Word]], meant: Meant, *, task: bool = False
    ) -> None:
        """Raise Unclear for something that is named and of which nothing was told."""
        left = self.described.passed_over(sentences, meant, task=task)
        if left is not None:
            raise Unclear(f"what about '{left.text}'?")

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
            try:
                self.described.take_in(sentences, meant, denying=denying, likely=likely)
            except Unclear as unclear:
                question = question or unclear
                continue
            return changes, meant
        raise question or Unclear("nothing in that was understood to be a change")

    def _check_real(self, sentence: Sequence[Word]) -> None:
        """Raise Unclear for what is asked, wished, doubted, imagined or said by others."""
        elements = self.calling.elements(sentence)
        words = [e.text for e in elements if isinstance(e, Word)]
        if (
            _instead_of(words)
            or {*words} & (_UNREAL | MODALS | {"?"})
            or load_lexicon().hedges.find(words) is not None
        ):
            raise Unclear("is that certain?")
        _check_end(sentence)
        for at, word in enumerate(words):
            if is_participle(word) and words[at + 1 : at + 2] == ["for"]:
                continue  # what is meant for somebody
            if (
                word not in COPULAS
                and classes_of(word, frozenset()) & _UNTOLD
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
        try:
            wanted = self._changing(self._described_wish(text, view, discourse), view)
        except Unclear as unclear:
            sentences = sentences_of(text)
            counted = any(w.text in EVERY for sentence in sentences for w in sentence)
            if counted or self._tells_more(sentences, view, discourse):
                return Wanted("ask", question=str(unclear))
            return self._wanted_by_names(text, view, discourse)
        return Wanted("ok", conjunction([*dict.fromkeys(wanted)]))

    def _wanted_by_names(self, text: str, view: View, discourse: Discourse) -> Wanted:
        """Return the goal that a task asks for by the names of things."""
        plain = _POLITE.sub("", text.strip()).strip()
        plain = plain[:-1] if plain.endswith("?") else plain
        try:
            wanted = self._changing(self._asked_for(plain, view, discourse), view)
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        return Wanted("ok", conjunction([*dict.fromkeys(wanted)]))

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
        return wished_for

    def _asked_for(self, plain: str, view: View, discourse: Discourse) -> list[Formula]:
        """Return what a task asks for by names."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        spoken = Spoken(meant, self.sayings, self.clauses, task=True)
        said = [unheaded(s) for s in sentences_of(written_out(plain))]
        said = self._without_talk(said, view, task=True)
        _check_named(said)
        for sentence in map(wished, said):
            self._check_real(sentence)
            spoken.take_in(sentence)
        self._check_told(said, meant, task=True)
        return spoken.literals

    def _described_wish(self, text: str, view: View, discourse: Discourse) -> list[Formula]:
        """Return what a task asks for by descriptions of things."""
        meant = Meant(
            self.calling, Changes(self.roles, self.groups, view, self.calling.kinds), discourse
        )
        spoken = Spoken(meant, self.sayings, self.clauses, task=True)
        plain = written_out(text.replace("?", "."))
        sentences = [s for s in map(unframed, map(unheaded, sentences_of(plain))) if s]
        sentences = self._without_talk(sentences, view, task=True)
        sentences = [wish_itself(told_that(s)) for s in sentences]
        for sentence in sentences:
            self._check_real(free_of_wishes(sentence))
        for found in self.described.take_in(sentences, meant, task=True):
            spoken.want(found)
        return spoken.literals


def _holds(literal: Atom, view: View) -> bool:
    """Return whether an atom of one or two arguments is believed."""
    return fact_of(literal) in view


def _check_end(sentence: Sequence[Word]) -> None:
    """Raise Unclear for what is denied in the end: ``crate to the market, not!``."""
    if [w.text for w in sentence if w.text not in ("!", ".")][-1:] in (["not"], ["never"]):
        raise Unclear("is that so, or not?")


def _check_named(sentences: Sequence[Sequence[Word]]) -> None:
    """Raise Unclear for what is not named: ``the other one``."""
    for texts in ([w.text for w in s] for s in sentences):
        if "other" in texts:
            raise Unclear("which other one is meant?")
        if texts[:1] in (["nothing"], ["none"], ["nobody"]):
            raise Unclear(f"what does '{texts[0]}' mean in that?")
        takes = any("take" in classes_of(w, frozenset()) for w in texts)
        if takes and texts[-1] == "over":  # "took it over" tells of no place
            raise Unclear("what does 'over' mean in that?")


def _instead_of(words: Sequence[str]) -> bool:
    """Return whether words tell what is not so: ``instead of the tray``."""
    return any(w == "instead" and words[n + 1 : n + 2] == ["of"] for n, w in enumerate(words))
