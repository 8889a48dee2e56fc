"""Questions at a memory, by what its domain says: what is believed of the things that they name.

``Is the iron in?`` is read as the report that it would be if it were told, and held against what is believed;
``which irons are in?`` is that of each iron.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.clock import shown
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    DETERMINERS,
    MODALS,
    Word,
    sentences_of,
)
from commonground.grounding.memory.questions.answers import Answered, in_words
from commonground.grounding.memory.questions.claims import INSIDE, Claim
from commonground.grounding.memory.questions.listing import Seeking, Sought
from commonground.grounding.memory.questions.question import DO, VERBS, Asked, named, third
from commonground.grounding.memory.readers.domain.described.phrase import (
    Part,
    Phrase,
    text_at,
    text_of,
)


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
        """Return where things are."""
        facts = [f for t in things for f in self.where.way(t)]
        if not facts:
            names = ", ".join(map(self._name, things))
            return Answered("unknown", f"nothing is known of where {names} is")
        return self._told_facts(facts)


_WHICH = frozenset(["what", "which"])
_WHO = frozenset(["who", "whom"])
_SINCE = {("how", "long"): 2, ("since", "when"): 2, ("when",): 1}
_ALONE = frozenset(["is", "are", "like", "about", "how", "what", "the", "status", "state", "of"])
_BEGINNING = (["please"], ["so"], ["and"])
_POLITE = (["can", "you"], ["could", "you"], ["do", "you"])
_TELL = (["tell", "me"], ["know"], ["say"], ["any", "idea"])
"""What a question may begin with that only asks to be told."""
_OPENING = _WHICH | _WHO | VERBS | {"where", "whose", "how", "when", "since"}


class Questions(Seeking, Locating):
    """Answers questions by what a domain's own words say."""

    def answer(self, question: str) -> Answered | None:
        """Return what is believed of that; None where it is not understood."""
        try:
            return self._answer(question)
        except Unclear as unclear:
            return Answered(unclear.kind if unclear.kind == "unknown" else "ask", str(unclear))

    def _answer(self, question: str) -> Answered | None:
        sentences = [*map(_asked, sentences_of(question.replace("?", ".")))]
        parts = [
            p for s in sentences for p in self.phrases.parts(s) if text_of(p) not in (".", ",")
        ]
        if len(sentences) != 1 or not parts:
            return None
        first, texts = text_of(parts[0]), [*map(text_of, parts[:2])]
        if first in VERBS:
            return self._decided(parts)
        since = next((n for words, n in _SINCE.items() if texts[:n] == [*words]), 0)
        if since:
            return self._since(parts[since:])
        if texts == ["how", "many"]:
            return self._listed(self._sought(parts[2:]), count=True)
        row = {"where": self._where, "whose": self._whose}.get(first)
        if row is not None:
            return row(parts[1:])
        if first in _WHO | _WHICH:
            return self._which(parts)
        return self._how(parts) if first == "how" else None

    # ---- yes or no ----------------------------------------------------------------------------------

    def _decided(self, parts: Sequence[Part]) -> Answered | None:
        """Return whether what is asked is so."""
        at = 1 + (text_at(parts, 1) == "there")
        some = self._some(parts[at:])
        if some is not None:
            things, rest = some
            return self._any(Sought(things, (), (Word("is"), *rest)), there=at == 2)
        subject = parts[1] if len(parts) > 1 else None
        if not isinstance(subject, Phrase):
            return self._of_world(parts)
        either = self.referents.candidates(subject)
        several = self._all(subject) if subject.is_plural or subject.every else ()
        if len(several) > 1 and len(either) > 1:
            return self._every([self.claims.of(self._told(parts, named(t))) for t in several])
        if len(either) > 1:
            fitting = [t for t in either if self.claims.of(self._told(parts, named(t)))]
            subject = named(fitting[0]) if len(fitting) == 1 else subject
        claim = self.claims.of(self._told(parts, self._one(subject)))
        return None if claim is None else self._judged(claim)

    def _told(self, parts: Sequence[Part], subject: Phrase) -> list[Part]:
        """Return a question for yes or no as the report of it: ``is the iron in`` → ``the iron is in``."""
        verb, rest = text_of(parts[0]), [*parts[2:]]
        if verb in DO and rest:
            rest, verb = [third(rest[0]), *rest[1:]], ""
        said: list[Part] = [subject, *([Word(verb)] if verb else [])]
        return [*said, *self._resolved(rest)]

    def _of_world(self, parts: Sequence[Part]) -> Answered | None:
        """Return whether a state of the world is so that no phrase names: ``is the curtain down``."""
        if text_at(parts, 1) not in ("the", "it") or len(parts) < 4:
            return None
        claim = self.claims.of([*parts[1:3], parts[0], *self._resolved(parts[3:])])
        return None if claim is None else self._judged(claim)

    def _every(self, claims: Sequence[Claim | None]) -> Answered | None:
        if any(c is None for c in claims):
            return None
        known = [c for c in claims if c is not None]
        against = [f for c in known if c.so is False for f in c.facts]
        if against:
            return self._told_facts(against, "no")
        if any(c.so is None for c in known):
            return Answered("unknown", "that is not known of all of them")
        return self._told_facts([f for c in known for f in c.facts], "yes")

    def _judged(self, claim: Claim) -> Answered:
        if claim.so is None:
            about = "; ".join(in_words(self.memory, f) for f in claim.facts)
            return Answered("unknown", f"nothing is known of that{about and ': ' + about}")
        return self._told_facts(claim.facts, "yes" if claim.so else "no")

    # ---- which, whose, how, since when --------------------------------------------------------------

    def _which(self, parts: Sequence[Part]) -> Answered | None:
        """Return what or who makes a clause true."""
        rest = parts[1:]
        if text_of(parts[0]) in _WHO:
            return self._listed(self._gap(self._somebody(), rest, "nobody"))
        if isinstance(rest[0] if rest else None, Phrase):
            return self._listed(self._sought(rest))
        copula, alone = text_at(rest, 0) in COPULAS, rest[1] if len(rest) == 2 else None
        if copula and isinstance(alone, Phrase) and not alone.bare:
            return self._how(rest)
        inside = copula and len(rest) == 3 and text_at(rest, 1) in INSIDE
        things = tuple(sorted(self.kinds, key=self._name)) if inside else self._something()
        return self._listed(self._gap(things, rest, "nothing"))

    def _whose(self, parts: Sequence[Part]) -> Answered | None:
        """Return whose something is."""
        thing = next((p for p in parts if isinstance(p, Phrase)), None)
        if thing is None or len(parts) > 2:
            return None
        one = self._one(thing)
        found = Sought(self._somebody(), (), (Word("owns"), one), "nobody")
        return self._listed(found) or Answered("unknown", "nothing is known of that")

    def _how(self, parts: Sequence[Part]) -> Answered | None:
        """Return how a thing is: all that is believed of it and may change."""
        phrases = [p for p in parts if isinstance(p, Phrase)]
        words = {p.text for p in parts if isinstance(p, Word)}
        if len(phrases) != 1 or not words <= _ALONE:
            return None
        (thing,) = self._one(phrases[0]).things
        facts = sorted(f for f in self.view.about(thing) if f.relation in self.roles.signatures)
        changing = [
            f for f in facts if f.relation in self.roles.vocabulary.changing or f.is_property
        ]
        if not facts:
            return Answered("unknown", f"nothing is known about {self._name(thing)}")
        return self._told_facts(changing or facts)

    def _since(self, parts: Sequence[Part]) -> Answered | None:
        """Return since when something is so."""
        subject = parts[1] if len(parts) > 1 else None
        if text_at(parts, 0) not in VERBS or not isinstance(subject, Phrase):
            return None
        claim = self.claims.of(self._told(parts, self._one(subject)))
        if claim is None or claim.so is None:
            return None if claim is None else self._judged(claim)
        told = self._told_facts(claim.facts, "" if claim.so else "no")
        if not claim.so:
            return told
        since = shown(min(k.record.valid_ns for k in told.known))
        return told.and_then(f", since {since}")


def _asked(words: Sequence[Word]) -> list[Word]:
    """Return a question without what only asks to be told, and with ``own`` as a verb before a noun."""
    said = [*words]
    for openers in (_BEGINNING, _POLITE, _TELL):
        begun = next((o for o in openers if [w.text for w in said[: len(o)]] == o), [])
        said = said[len(begun) :]
    if not said or said[0].text not in _OPENING:
        said = [*words]  # "do you have it" asks of whom it is asked
    texts = [w.text for w in said[:4]]
    if texts[:1] == ["where"] and texts[3:] == ["find"] and texts[1] in DO | MODALS:
        said = [said[0], Word("is"), *said[4:]]  # "where can I find it"
    return [
        Word("owns") if word.text == "own" and after.text in DETERMINERS else word
        for word, after in zip(said, [*said[1:], Word(".")], strict=True)
    ]
