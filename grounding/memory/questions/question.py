"""A question being answered: what its phrases mean, and how facts are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.interpretation.ambiguity import which_of
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.words import COPULAS, Word
from commonground.grounding.memory.questions.answers import Answered, in_words, why
from commonground.grounding.memory.questions.claims import Claims
from commonground.grounding.memory.readers.domain.described.named import EXACT, RELATED, TYPE
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.text import may_order
from commonground.grounding.memory.readers.domain.reader import DomainReader
from commonground.grounding.words.verbs import verb_forms

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


DO = frozenset(["does", "do", "did"])
HAVE = frozenset(["has", "have", "had"])
VERBS = COPULAS | DO | HAVE
"""What a question begins with that is answered by yes or no."""


class Asked:
    """One question about one state of a world."""

    def __init__(
        self,
        memory: Memory,
        reader: DomainReader,
        view: View,
        now_ns: int,
        at_ns: int | None = None,
    ) -> None:
        """Ask about a state of the world: what is believed now, or to have held at a time."""
        self.memory, self.view, self.now_ns, self.at_ns = memory, view, now_ns, at_ns
        self.roles, self.kinds = reader.roles, reader.calling.kinds
        self.own_words = reader.calling.own_words
        talk = memory.discourse
        self.talk = Discourse(talk.now, talk.before, talk.previous)  # questions change none of it
        groups = memory.store.groups
        self.claims = Claims(reader, memory.meanings, groups, view, self.talk)
        self.where = self.claims.where
        meant = reader.meant(view, self.talk)
        self.phrases = Phrases(reader.described.denoting, meant.changes)
        self.referents = Referents(meant, reader.described.denoting)

    # ---- what phrases mean --------------------------------------------------------------------------

    def _one(self, phrase: Phrase) -> Phrase:
        """Return a phrase for the one thing that is meant; Unclear where that is open."""
        things = self.referents.candidates(phrase)
        if len(things) > 1:
            raise which_of(phrase.text, sorted(things), self.memory.names)
        if not things:
            raise Unclear(f"nothing known here is called '{phrase.text}'", "unknown")
        self.referents.meant.spoke_of(things[0])
        return replace(phrase, things={things[0]: EXACT}, pronoun="", owners=(), every=False)

    def _all(self, phrase: Phrase) -> tuple[str, ...]:
        """Return all things of a kind that a phrase names."""
        sure = {t: r for t, r in phrase.things.items() if r <= TYPE} or phrase.things
        kind = replace(phrase, every=True, things=sure)
        return tuple(sorted(self.referents.candidates(kind), key=self._name))

    def _somebody(self) -> tuple[str, ...]:
        acts = self.roles.people | self.roles.robots
        return tuple(
            t for t in sorted(self.kinds, key=self._name) if self.roles.is_a(self.kinds[t], acts)
        )

    def _something(self) -> tuple[str, ...]:
        people = {*self._somebody()} - {
            t for t in self.kinds if self.roles.is_a(self.kinds[t], self.roles.robots)
        }
        return tuple(t for t in sorted(self.kinds, key=self._name) if t not in people)

    def _resolved(self, parts: Sequence[Part]) -> list[Part]:
        """Return a clause with the one thing that each phrase means; ``a fine`` may only tell a state."""
        return [
            self._one(p) if isinstance(p, Phrase) else p
            for part in parts
            for p in (_words_of(part) if _is_state(part) else (part,))
        ]

    def _name(self, thing: str) -> str:
        return self.memory.names.things[thing].name

    # ---- facts in words -----------------------------------------------------------------------------

    def _told_facts(self, facts: Iterable[Fact], word: str = "") -> Answered:
        known = (*why(self.memory, [*dict.fromkeys(facts)], self.now_ns, self.at_ns),)
        return Answered.listing(word, [in_words(self.memory, one.fact) for one in known], known)


def named(thing: str) -> Phrase:
    return Phrase(("it",), {thing: EXACT}, source=("it",))


def third(verb: Part) -> Part:
    """Return a verb as it is said of somebody: ``does she owe`` → ``she owes``."""
    if not may_order(text_of(verb)):
        return verb
    return next(
        (Word(w) for w, forms in verb_forms(text_of(verb)).items() if "third" in forms), verb
    )


def _is_state(part: Part) -> bool:
    """Return whether a phrase has no noun, and only what is so of things tells which it means."""
    return isinstance(part, Phrase) and part.bare and {*part.things.values()} == {RELATED}


def _words_of(part: Part) -> Iterator[Part]:
    if isinstance(part, Phrase):
        yield from map(Word, part.source or part.words)
    else:
        yield part
