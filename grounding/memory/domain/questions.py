"""Questions at a memory whose domain nobody described: what is believed of the things that they name.

``Is the iron in?`` is read as the report that it would be if it were told, and held against what is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import Draft, View
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.domain.deeds import Seat
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.reader import DomainReader
from commonground.grounding.memory.known import Answered, answered, in_words, way_to, why
from commonground.grounding.memory.memory import Memory

_VERBS = frozenset(["is", "are", "was", "were", "has", "have", "does", "do"])
"""What a question begins with that is answered by yes or no."""
_WHICH = frozenset(["what", "which"])
_WHO = frozenset(["who", "whose", "whom"])


class Questions:
    """Answers questions by what a domain's own words say."""

    def __init__(self, memory: Memory, reader: DomainReader) -> None:
        self.memory, self.reader = memory, reader
        self.roles = reader.roles

    def answer(self, question: str, now_ns: int) -> Answered | None:
        """Return what is believed of that; None where a question names nothing that is known here."""
        view, talk = self.memory.store.facts, _copied(self.memory.discourse)
        meant = self.reader.meant(view, talk)
        parts = [*self.reader.described.correcting.parts(question.replace("?", "."), meant)]
        parts = [p for p in parts if text_of(p) != "."]
        sought, about = _sought(parts), list[str]()
        referents = Referents(meant, self.reader.described.denoting)
        for phrase in (p for p in parts if isinstance(p, Phrase) and p is not sought):
            things = referents.candidates(phrase)
            if len(things) > 1:
                names = ", ".join(self.memory.names.things[t].name for t in sorted(things)[:4])
                return Answered("ask", f"which one is meant by '{phrase.text}': {names}?")
            about += things
        if not about:
            return None
        decided = self._decided(parts, view, now_ns)
        return decided or self._told(about[0], sought, {text_of(p) for p in parts}, view, now_ns)

    # ---- yes or no ------------------------------------------------------------------------------

    def _decided(self, parts: Sequence[Part], view: View, now_ns: int) -> Answered | None:
        """Return whether what is asked is so; None where it is not asked, or cannot be read as a report."""
        if text_of(parts[0]) not in _VERBS:
            return None
        claim = self.reader.read(_as_told(parts), view, _copied(self.memory.discourse))
        if claim.status != "ok" or not claim.facts:
            return None
        lacking = [fact for fact in claim.facts if fact not in view]
        if not lacking:
            return self._answered("yes", claim.facts, now_ns)
        against = [old for fact in lacking for old in self._against(fact, view)]
        if against:
            return self._answered("no", against, now_ns)
        return Answered("unknown", f"nothing is known of that: {in_words(self.memory, lacking[0])}")

    def _against(self, fact: Fact, view: View) -> Iterator[Fact]:
        """Yield what is believed and excludes a fact."""
        if fact.is_property:
            yield from [fact.opposite] if fact.opposite in view else []
        else:
            yield from self.reader.groups.add(Draft(view), fact)

    def _answered(self, word: str, facts: Iterable[Fact], now_ns: int) -> Answered:
        known = tuple(why(self.memory, fact, now_ns) for fact in dict.fromkeys(facts))
        told = "; ".join(in_words(self.memory, one.fact) for one in known)
        return Answered("ok", f"{word}: {told}", known)

    # ---- where, who, what and how ---------------------------------------------------------------

    def _told(
        self, thing: str, sought: Phrase | None, asked: set[str], view: View, now_ns: int
    ) -> Answered:
        """Return what is believed of the thing that a question is about."""
        facts = self._of(thing, asked, view)
        if sought is not None:
            facts = [f for f in facts if {f.subject, f.object} & {*sought.things}]
        return answered(self.memory, thing, facts, now_ns)

    def _of(self, thing: str, asked: set[str], view: View) -> list[Fact]:
        """Return the facts of a thing that a question asks for by its first word."""
        facts = sorted(self._about(thing, view))
        if "where" in asked:
            return way_to(self.memory, thing) or self._way_to(thing, view)
        if asked & _WHO:
            return [f for f in facts if self._with_somebody(f, thing)]
        return [f for f in facts if not f.is_property] if asked & _WHICH else facts

    def _about(self, thing: str, view: View) -> Iterator[Fact]:
        yield from (f for f in view.about(thing) if f.relation in self.roles.signatures)
        for relation in self.roles.binary:
            yield from (Fact(other, relation, thing) for other in view.subjects(relation, thing))

    def _with_somebody(self, fact: Fact, thing: str) -> bool:
        other = fact.object if fact.subject == thing else fact.subject
        if fact.is_property:
            return False
        kind = self.reader.calling.kinds.get(other)
        return kind is not None and self.roles.is_a(kind, self.roles.people | self.roles.robots)

    def _way_to(self, thing: str, view: View) -> list[Fact]:
        """Return where a thing is, and where that is."""
        seats = {*self.roles.positions, *self.roles.holding, *self.roles.boarded}
        seats |= {*self.roles.whereabouts}
        found = dict[Fact, None]()
        while True:
            step = next(iter(sorted(self._seated(thing, seats, view))), None)
            if step is None or step in found:
                return [*found]
            found[step] = None
            thing = step.object if step.subject == thing else step.subject

    def _seated(self, thing: str, seats: set[Seat], view: View) -> Iterator[Fact]:
        """Yield what says where a thing is."""
        for fact in self._about(thing, view):
            at = 0 if fact.subject == thing else 1
            if not fact.is_property and Seat(fact.relation, at) in seats:
                yield fact


def _copied(talk: Discourse) -> Discourse:
    """Return a conversation that questions may change: they do not change what ``it`` means."""
    return Discourse(talk.now, talk.before, talk.previous)


def _as_told(parts: Sequence[Part]) -> str:
    """Return a question for yes or no as the report of it: ``is the iron in`` → ``the iron is in``."""
    verb, at = text_of(parts[0]), next(n for n, p in enumerate(parts) if isinstance(p, Phrase))
    rest = [_words(p) for p in parts[at + 1 :]]
    if verb in ("does", "do"):
        verb = "has" if rest[:1] == ["have"] else ""
        rest = rest[1:] if verb else rest
    return " ".join(filter(None, [*map(_words, parts[1 : at + 1]), verb, *rest]))


def _sought(parts: Sequence[Part]) -> Phrase | None:
    """Return the kind of things that are asked for: ``which lanterns are on bar 1``."""
    for word, phrase in pairwise(parts):
        if text_of(word) in _WHICH and isinstance(phrase, Phrase):
            return phrase
    return None


def _words(part: Part) -> str:
    return part.text if not isinstance(part, Phrase) else " ".join(part.source or part.words)
