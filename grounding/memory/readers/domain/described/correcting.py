"""What a text names, and what a correction names in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.words import Word, sentences_of
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.named import EXACT
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.disambiguation import Meant

_CLAUSES = re.compile(r"(?:[^,;:.!]|\.(?=\w)|(?<=\bM[rs])\.|(?<=\bMrs)\.|(?<=\bDr)\.)+[,;:.!]*\s*")
_MISTAKE = re.compile(
    r"\b(?:wrong|mistakes?|mistaken|mix(?:ed|ing)? (?:\w+ ){0,3}up|mix-?up)\b", re.IGNORECASE
)
_MEANING = re.compile(r",?\s*\b\w+ (?:meant|mean|did mean)\b(?: to say)?(?: that)?", re.IGNORECASE)


class Correcting:
    """Puts into a text what a correction of it names."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting, self.roles = denoting, denoting.roles

    def replaced(
        self, text: str, correction: str, told: Collection[Fact], meant: Meant
    ) -> str | None:
        """Return a text with what a correction names in place of what it is about; None if that is open.

        ``told`` is what the text was understood to tell. All that the correction names is in the text or
        comes into it; what the correction denies is what it takes out.
        """
        referents = Referents(meant, self.denoting)
        parts = [*self.parts(text, meant)]
        named, denied = _named(self.parts(correction, meant))
        wrong = {t for phrase in denied for t in referents.candidates(phrase)}
        new = self._new(named, parts, referents)
        found = [self._ways(phrase, parts, wrong, told, referents) for phrase in new]
        if not found or any(len(ways) != 1 for ways in found):
            return None
        sure = [ways[0] for ways in found]
        if len({at for at, _ in sure}) < len(sure):
            return None
        for (at, thing), phrase in zip(sure, new, strict=True):
            parts[at] = self._called(thing, phrase, referents)
        return _written(parts)

    def without_mistake(self, text: str, meant: Meant) -> str:
        """Return a correction without clauses that say only that there was a mistake: ``I mixed them up``."""
        said, referents, kept = (
            _MEANING.sub(",", text),
            Referents(meant, self.denoting),
            list[str](),
        )
        for clause in _CLAUSES.findall(said):
            phrases = [p for p in self.parts(clause, meant) if isinstance(p, Phrase)]
            named, mistaken = bool(phrases), _MISTAKE.search(clause) is not None
            if mistaken:  # "wrong book" names none, "I mixed them up" only who speaks
                meanings = [referents.candidates(p) for p in phrases]
                named = any(len(t) == 1 and not meant.is_somebody(t[0]) for t in meanings)
            if named or (kept and not mistaken):
                kept.append(clause)
        return "".join(kept).strip(" ,;:-") or said

    def _new(
        self, named: list[Phrase], parts: Sequence[Part], referents: Referents
    ) -> list[Phrase]:
        """Return what the text did not speak of; nothing where that says how each of several is by itself."""
        named = [p for p in named if referents.candidates(p) != [referents.meant.speaker]]
        new = [p for p in named if not self._is_said(p, parts, referents)]
        return new or (named if len(named) < 2 else [])

    @staticmethod
    def _is_said(phrase: Phrase, parts: Sequence[Part], referents: Referents) -> bool:
        """Return whether a phrase speaks of what the text spoke of too."""
        things, known = referents.candidates(phrase), [p for p in parts if isinstance(p, Phrase)]
        return bool(things) and any(referents.candidates(p) == things for p in known)

    def _ways(
        self,
        new: Phrase,
        parts: Sequence[Part],
        wrong: set[str],
        told: Collection[Fact],
        referents: Referents,
    ) -> list[tuple[int, str]]:
        """Return in place of which part a phrase may be meant, and what it means: of the nearest type."""
        about = {t for f in told for t in (f.subject, f.object)}
        ways: dict[tuple[int, str], int] = {}
        for at, old in enumerate(parts):
            replaced = _named_by(old, referents)
            replaced = [t for t in replaced if t in about] or replaced
            if wrong:
                replaced = [t for t in replaced if self._is_wrong(t, wrong, referents)]
            ways |= {(at, t): n for n, t in self._instead(new, replaced, told, referents)}
        least = min(ways.values(), default=0)
        return [way for way, rank in ways.items() if rank == least]

    @staticmethod
    def _is_wrong(thing: str, wrong: set[str], referents: Referents) -> bool:
        """Return whether a correction denies a thing, or names whose it is not: ``not Ann's``."""
        return thing in wrong or any(referents.owned_by([thing], owner) for owner in wrong)

    def _instead(
        self, new: Phrase, replaced: Sequence[str], told: Collection[Fact], referents: Referents
    ) -> list[tuple[int, str]]:
        """Return the one thing that a phrase may mean instead of others, and how far off its type is."""
        for rank, alike in enumerate((self._are_kin, self._are_near, self._are_told)):
            same = [t for t in referents.kinds if any(alike(t, o, told) for o in replaced)]
            meant = self._meant(new, same, referents)
            if len(meant) == 1 and meant[0] not in replaced:
                return [(rank, meant[0])]
        return []

    def _are_kin(self, one: str, other: str, _told: Collection[Fact]) -> bool:
        """Return whether two things are of one type."""
        return self.denoting.calling.kinds[one] == self.denoting.calling.kinds[other]

    def _are_near(self, one: str, other: str, _told: Collection[Fact]) -> bool:
        """Return whether a type is above those of two things."""
        above, kinds = self.roles.vocabulary.types.ancestors, self.denoting.calling.kinds
        lines = [{kinds[t], *above(kinds[t])} - {"object"} for t in (one, other)]
        return (
            bool(lines[0] & lines[1])
            and len({*map(self.denoting.calling.is_person, (one, other))}) < 2
        )

    def _are_told(self, one: str, other: str, told: Collection[Fact]) -> bool:
        """Return whether what was told of one thing may be so of another."""
        seats = [(f.relation, n) for f in told for n in (0, 1) if (f.subject, f.object)[n] == other]
        kind = self.denoting.calling.kinds[one]
        return bool(seats) and all(self.roles.fits(kind, *seat) for seat in seats)

    @staticmethod
    def _meant(new: Phrase, same: list[str], referents: Referents) -> list[str]:
        """Return which of some things a phrase means, or which are his where it names one: ``Ann's``."""
        named = referents.candidates(new, same.__contains__)
        if not new.owner:
            return named
        owners = [t for t in referents.candidates(new) if t not in same]
        return referents.owned_by(same, owners[0]) if len(owners) == 1 else []

    def _called(self, thing: str, phrase: Phrase, referents: Referents) -> Phrase:
        """Return a phrase that names a thing: as it was named, or by what tells it from the others."""
        if not (phrase.owner or phrase.other) and referents.candidates(phrase) == [thing]:
            return phrase
        own = self.denoting.calling.own_words
        if sum(words == own[thing] for words in (own[t] for t in referents.kinds)) > 1:
            head = own[thing][-1] if phrase.owner else ""
            return replace(phrase, source=(*phrase.source, head))
        return replace(phrase, source=("the", *own[thing]), things={thing: EXACT})

    def named_in(self, text: str, meant: Meant) -> set[str]:
        """Return all that the noun phrases of a text may mean."""
        parts = self.parts(text, meant)
        return {t for p in parts if isinstance(p, Phrase) and not p.pronoun for t in p.things}

    def surely_named(self, text: str, meant: Meant) -> set[str]:
        """Return all that the noun phrases of a text mean of which only one thing can be meant."""
        phrases = (p for p in self.parts(text, meant) if isinstance(p, Phrase) and not p.pronoun)
        return {t for p in phrases if len(p.things) == 1 for t in p.things}

    def note_named(self, text: str, meant: Meant) -> None:
        """Keep what a text names, what it names first as what was spoken of last."""
        things = self.speak_of(sentences_of(text), meant)
        people = [*filter(meant.calling.is_person, things)]
        meant.group = people if len(people) > 1 else meant.group
        meant.remember()
        meant.discourse.now.unread = [t for t in things if not meant.is_somebody(t)]

    def speak_of(self, sentences: Iterable[Sequence[Word]], meant: Meant) -> list[str]:
        """Keep and return what sentences name, what they name first as what was spoken of last."""
        referents, found = Referents(meant, self.denoting), dict[str, None]()
        phrases = Phrases(self.denoting, meant.changes)
        for part in [p for s in sentences for p in phrases.parts(s)]:
            if isinstance(part, Phrase) and not part.pronoun:
                things = referents.candidates(part)
                if len(things) == 1:
                    meant.spoke_of(things[0])
                    found[things[0]] = None
        for thing in reversed(found):
            meant.spoke_of(thing)
        return [*found]

    def parts(self, text: str, meant: Meant) -> Iterator[Part]:
        """Yield the noun phrases of a text, and the words between them."""
        phrases = Phrases(self.denoting, meant.changes)
        for sentence in sentences_of(text):
            yield from phrases.parts(sentence)


def _named_by(part: Part, referents: Referents) -> list[str]:
    """Return what a part names by itself."""
    named = isinstance(part, Phrase) and not (part.pronoun or part.owner)
    return referents.candidates(part) if named and isinstance(part, Phrase) else []


def _written(parts: Iterable[Part]) -> str:
    """Return parts as they were said."""
    said = (" ".join(p.source) if isinstance(p, Phrase) else p.text for p in parts)
    return " ".join(said).replace(" 's", "'s")


def _named(parts: Iterable[Part]) -> tuple[list[Phrase], list[Phrase]]:
    """Return what a correction names, and what it names after ``not``."""
    told, wrong, denied = list[Phrase](), list[Phrase](), False
    for part in parts:
        if isinstance(part, Word):
            denied = part.text == "not" or (denied and part.text not in (",", "but", ";"))
        elif not part.pronoun:
            (wrong if denied else told).append(part)
    return told, wrong
