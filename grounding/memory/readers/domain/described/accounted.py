"""Whether all that the segments of a text name was accounted for by what they were understood to tell."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.memory.readers.domain.described.phrase import Phrase, text_at
from commonground.grounding.memory.readers.domain.described.text import Text


class Accounted(Text):
    """Finds segments that got lost."""

    def lost(self) -> str:
        """Return what is named and takes no part in what was told, nor belongs to that; '' for nothing.

        Somebody may be spoken to, or be who wants what is told.
        """
        draft, related = self.changes.draft, self.referents.related
        found = (f for one in self.found for f in (*one.made, *one.ended))
        told = {t for f in (*found, *draft.added, *draft.removed) for t in (f.subject, f.object)}
        for thing, text in self._named_things():
            if not any(thing == o or related(thing, o) or related(o, thing) for o in told):
                return text
        return ""

    def _named_things(self) -> Iterator[tuple[str, str]]:
        """Yield what the segments call by its noun; not a whole of which a part is named."""
        for parts in self.read:
            for at, phrase in enumerate(parts):
                if isinstance(phrase, Phrase) and text_at(parts, at - 1) != "of":
                    thing = self._by_noun(phrase)
                    if thing:
                        yield thing, phrase.text

    def _by_noun(self, phrase: Phrase) -> str:
        """Return the one thing that a phrase calls by its noun; '' for what is only said to be of it."""
        if phrase.pronoun or phrase.owner or len(phrase.things) != 1:
            return ""
        (thing,) = phrase.things
        own = self.reader.denoting.calling.own_words[thing]
        called = bool(own) and own[-1] in phrase.words  # Ann is not the lamp that is hers
        return thing if called and not self.telling.is_somebody(thing) else ""
