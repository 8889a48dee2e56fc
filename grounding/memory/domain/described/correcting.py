"""What a text names, and what a correction names in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.grounding.memory.domain.described.denoting import Denoting
from commonground.grounding.memory.domain.described.named import EXACT
from commonground.grounding.memory.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.domain.described.phrases import Phrases
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.words import Word, sentences_of


class Correcting:
    """Puts into a text what a correction of it names."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting = denoting

    def replaced(self, text: str, correction: str, meant: Meant) -> str | None:
        """Return a text with what a correction names in place of what it is about; None if that is open."""
        referents = Referents(meant, self.denoting)
        parts = [*self.parts(text, meant)]
        ways = {
            (at, thing): phrase
            for phrase in _named(self.parts(correction, meant))
            for at, old in enumerate(parts)
            for thing in self._instead(phrase, old, referents)
        }
        if len({at for at, _ in ways}) != 1 or len({thing for _, thing in ways}) != 1:
            return None
        (((at, thing), phrase),) = [*ways.items()][:1]
        parts[at] = self._called(thing, phrase, referents)
        said = (" ".join(p.source) if isinstance(p, Phrase) else p.text for p in parts)
        return " ".join(said).replace(" 's", "'s")

    def _instead(self, new: Phrase, old: Part, referents: Referents) -> list[str]:
        """Return what a phrase means instead of another one: one other thing of its type."""
        if not isinstance(old, Phrase) or old.pronoun or old.owner:
            return []
        replaced = {*referents.candidates(old)}
        kinds = {referents.kinds[t] for t in replaced}
        same = [t for t, kind in referents.kinds.items() if kind in kinds]
        meant = self._meant(new, same, referents)
        return meant if len(meant) == 1 and replaced.isdisjoint(meant) else []

    @staticmethod
    def _meant(new: Phrase, same: list[str], referents: Referents) -> list[str]:
        """Return which of some things a phrase means, or which are his where it names one: ``Ann's``."""
        named = referents.candidates(new)
        if not new.owner:
            return [t for t in named if t in same]
        owners = [t for t in named if t not in same]
        return referents.owned_by(same, owners[0]) if len(owners) == 1 else []

    def _called(self, thing: str, phrase: Phrase, referents: Referents) -> Phrase:
        """Return a phrase that names a thing: as it was named, or by what tells it from the others."""
        if not (phrase.owner or phrase.other):
            return phrase
        own = self.denoting.calling.own_words
        if sum(words == own[thing] for words in (own[t] for t in referents.kinds)) > 1:
            head = own[thing][-1] if phrase.owner else ""
            return replace(phrase, source=(*phrase.source, head))
        return replace(phrase, source=("the", *own[thing]), things={thing: EXACT})

    def names_things(self, text: str, meant: Meant) -> bool:
        """Return whether a text names or describes anything of the world."""
        parts = self.parts(text, meant)
        return any(isinstance(p, Phrase) and not p.pronoun for p in parts)

    def note_named(self, text: str, meant: Meant) -> None:
        """Keep what a text names, what it names first as what was spoken of last."""
        people = [*filter(meant.calling.is_person, self.speak_of(sentences_of(text), meant))]
        meant.group = people if len(people) > 1 else meant.group
        meant.remember()

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


def _named(parts: Iterable[Part]) -> list[Phrase]:
    """Return what a correction names, but for what it names after ``not``."""
    told, denied = list[Phrase](), False
    for part in parts:
        if isinstance(part, Word):
            denied = part.text == "not" or (denied and part.text not in (",", "but", ";"))
        elif not (part.pronoun or denied):
            told.append(part)
    return told
