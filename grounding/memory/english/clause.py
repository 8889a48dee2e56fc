"""Clauses: one verb each, with what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.state_words import State

ClauseKind = Literal["main", "relative", "gerund", "infinitive", "content", "where", "adverbial"]


@dataclass(slots=True)
class VerbGroup:
    """A verb with its helpers."""

    lemma: str
    form: str
    rest: tuple[str, ...] = ()
    """Particles that follow it at once."""
    passive: bool = False
    progressive: bool = False
    perfect: bool = False
    past: bool = False
    modal: str = ""
    negated: bool = False
    known: bool = True
    infinitive: bool = False
    word: str = ""
    """The form that stands in the sentence."""

    @property
    def is_copula(self) -> bool:
        """Return whether it is a bare form of ``be``."""
        return self.lemma == "be" and len(self.rest) < 2

    @property
    def is_finite(self) -> bool:
        """Return whether it makes a sentence: it is no infinitive, and no bare gerund or participle."""
        gerund = self.form == "gerund" and not self.progressive
        participle = self.form == "participle" and not (self.passive or self.perfect)
        return not (gerund or participle or self.infinitive)

    @property
    def pluperfect(self) -> bool:
        """Return whether it speaks of what was before something past."""
        return self.perfect and self.past


@dataclass(slots=True, eq=False)
class Clause:
    """One verb with what belongs to it."""

    kind: ClauseKind = "main"
    link: str = ""
    """The word that joins it to what stands before."""
    subject: Mention | None = None
    verb: VerbGroup | None = None
    particles: list[str] = field(default_factory=list)
    objects: list[Mention] = field(default_factory=list)
    object_preposition: str = ""
    """``into`` of ``came into the room``: the object of a verb listed with its preposition."""
    places: list[tuple[str, Mention]] = field(default_factory=list)
    """Preposition and its noun phrase."""
    agent: Mention | None = None
    words: list[tuple[str, list[State]]] = field(default_factory=list)
    """Adjectives and the like that describe the subject or the object."""
    existential: bool = False
    complemented: bool = False
    """Another clause says what became of its object: ``left the tap running``."""
    negated: bool = False
    excluding: list[Mention] = field(default_factory=list)
    """``but not the towel``: what it is not said of."""
    antecedent: Mention | None = None
    """Of a relative clause."""
    restrictive: bool = True
    governor: Clause | None = None
    where: list[Clause] = field(default_factory=list)
    """``where the mug was``: clauses that stand for a place."""
    text: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def lemma(self) -> str:
        """The basic form of its verb; empty where it has none."""
        return self.verb.lemma if self.verb is not None else ""

    def does(self, lemmas: str) -> bool:
        """Return whether its verb is one of those listed: ``does("leave exit quit")``."""
        return self.lemma in lemmas.split()

    def is_done_by(self, lemmas: str) -> bool:
        """Return whether the verb that governs it is one of those listed: ``let the mug rest there``."""
        return self.governor is not None and self.governor.does(lemmas)

    @property
    def mentions(self) -> list[Mention]:
        """All noun phrases, in the order of roles."""
        found = [self.subject] if self.subject is not None else []
        found += self.objects
        found += [mention for _, mention in self.places]
        if self.agent is not None:
            found.append(self.agent)
        return found

    def is_empty(self) -> bool:
        """Return whether nothing has been read into it."""
        return not (self.subject or self.verb or self.objects or self.places or self.words)


def together(first: Mention, second: Mention) -> Mention:
    """Return two phrases joined by ``and``."""
    parts = [*(first.parts or [first]), *(second.parts or [second])]
    text = f"{first.words} and {second.words}"
    return Mention("several", text, first.start, second.end, parts=parts, plural=True)
