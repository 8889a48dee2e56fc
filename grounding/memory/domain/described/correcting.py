"""What a text names, and what a correction names in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.grounding.memory.domain.described.denoting import Denoting
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
        right = _named(self.parts(correction, meant))
        parts = [*self.parts(text, meant)]
        if len(right) != 1:
            return None
        places = [n for n, p in enumerate(parts) if self._may_replace(meant, p, right[0])]
        if len(places) != 1:
            return None
        parts[places[0]] = right[0]
        return " ".join(" ".join(p.source) if isinstance(p, Phrase) else p.text for p in parts)

    def names_things(self, text: str, meant: Meant) -> bool:
        """Return whether a text names or describes anything of the world."""
        parts = self.parts(text, meant)
        return any(isinstance(p, Phrase) and not p.pronoun for p in parts)

    def note_named(self, text: str, meant: Meant) -> None:
        """Keep what a text names, what it names first as what was spoken of last."""
        referents, people = Referents(meant, self.denoting), dict[str, None]()
        for part in reversed([*self.parts(text, meant)]):
            if isinstance(part, Phrase) and not part.pronoun:
                things = referents.candidates(part)
                if len(things) == 1:
                    meant.spoke_of(things[0])
                    people |= dict.fromkeys(filter(meant.calling.is_person, things))
        meant.group = [*people] if len(people) > 1 else meant.group
        meant.remember()

    def parts(self, text: str, meant: Meant) -> Iterator[Part]:
        """Yield the noun phrases of a text, and the words between them."""
        phrases = Phrases(self.denoting, meant.changes)
        for sentence in sentences_of(text):
            yield from phrases.parts(sentence)

    @staticmethod
    def _may_replace(meant: Meant, old: Part, new: Phrase) -> bool:
        """Return whether a phrase means something else of the same type as another one."""
        if not isinstance(old, Phrase):
            return False
        kinds = [{meant.kinds[t] for t in p.things} for p in (old, new)]
        return bool(kinds[0] & kinds[1]) and not {*old.things} & {*new.things}


def _named(parts: Iterable[Part]) -> list[Phrase]:
    """Return what a correction names, but for what it names after ``not``."""
    told, denied = list[Phrase](), False
    for part in parts:
        if isinstance(part, Word):
            denied = part.text == "not" or (denied and part.text not in (",", "but", ";"))
        elif not (part.pronoun or denied):
            told.append(part)
    return told
