"""Where things are, by what is believed; where somebody was last known to be, by what was told since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.words import Word, sentences_of
from commonground.grounding.memory.questions.answers import Answered
from commonground.grounding.memory.questions.question import VERBS, Asked
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase

UNSURE = 0.5
"""No surer is where somebody is who was said to do something elsewhere since."""
_LATELY = 50
"""So many changes back it is looked at who did what where."""


class Locating(Asked):
    """Tells where things are."""

    def _where(self, parts: Sequence[Part]) -> Answered | None:
        """Return where things are, or by which relation a verb puts them somewhere."""
        phrases = [p for p in parts if isinstance(p, Phrase)]
        if len(phrases) != 1:
            return None
        subject, texts = phrases[0], [p.text for p in parts if isinstance(p, Word)]
        verbs = [t for t in texts if t not in VERBS | {"now", "at"}]
        several = self._all(subject) if subject.is_plural and not subject.pronoun else ()
        things = several if len(several) > 1 else tuple(self._one(subject).things)
        return self._by_verb(things, verbs) if verbs else self._ways(things)

    def _by_verb(self, things: Sequence[str], verbs: Sequence[str]) -> Answered | None:
        """Return where things belong, work or live, as a verb says."""
        relations = self.claims.relations(verbs)
        about = [f for t in things for f in sorted(self.view.about(t))]
        facts = [f for f in about if f.relation in relations]
        if facts:
            return self._told_facts(facts)
        names = ", ".join(map(self._name, things))
        asked = f"nothing is known of where {names}: {' '.join(verbs)}"
        return Answered("unknown", asked) if relations else None

    def _ways(self, things: Sequence[str]) -> Answered:
        """Return where things are, and since when that may be otherwise."""
        facts = [f for t in things for f in self.where.way(t)]
        since = self._seen_since(things[0], facts) if len(things) == 1 else ""
        if not facts:
            names = ", ".join(map(self._name, things))
            return Answered("unknown", f"nothing is known of where {names} is{since}")
        told = self._told_facts(facts)
        if not since:
            return told
        unsure = tuple(replace(k, confidence=min(k.confidence, UNSURE)) for k in told.known)
        return Answered("ok", f"last known: {told.text}{since}", unsure)

    def _seen_since(self, person: str, facts: Sequence[Fact]) -> str:
        """Return what somebody was said to do elsewhere after he was where he is believed to be."""
        if person not in self._somebody() or self.at_ns is not None:
            return ""
        known = self.memory.store.record(facts[0]) if facts else None
        places = {*self.where.around(person)}
        for change in self.memory.store.changes(_LATELY):
            if known is not None and change.observed_ns <= known.confirmed_ns:
                continue
            added, _ = self.memory.store.effect(change.tx)
            if change.undoes is None and self._names(person, change.source.words):
                around = {p for f in added for p in self.where.around(f.subject)}
                if around - places:
                    return f"; later: '{change.source.words}'"
        return ""

    def _names(self, person: str, text: str) -> bool:
        """Return whether a report names somebody."""
        own = self.own_words[person]
        said = {w.text for s in sentences_of(text) for w in s}
        return bool(own) and {*own} <= said
