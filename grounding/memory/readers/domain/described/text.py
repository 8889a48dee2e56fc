"""A text being read: what it told so far, and who and what the next segment may go on about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.interpretation.unclear import NOTHING, Unclear
from commonground.grounding.memory.ontology.words import Word, is_participle
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.relative import Relatives
from commonground.grounding.memory.readers.domain.described.segment import segment
from commonground.grounding.memory.readers.domain.described.telling import Telling
from commonground.grounding.memory.readers.domain.disambiguation import Meant
from commonground.grounding.memory.readers.domain.finding import Found
from commonground.grounding.memory.readers.domain.likely.ranking import Likely

if TYPE_CHECKING:
    from commonground.grounding.memory.readers.domain.described.reader import DescribedReader


class Text:
    """One text being read."""

    def __init__(
        self, reader: DescribedReader, meant: Meant, *, task: bool, denying: bool, likely: bool
    ) -> None:
        self.reader, self.meant, self.changes, self.task = reader, meant, meant.changes, task
        self.denying = denying
        self.referents = Referents(meant, reader.denoting, task=task)
        self.telling = Telling(self.referents, reader.wording, task=task)
        self.likely = Likely(self.telling, reader.evidence) if likely else None
        """Reads what is not read surely."""
        self.relatives = Relatives(self.referents, reader.wording, self.as_told)
        self.found: list[Found] = []
        self.several_left = False
        """A clause goes on with one that was not understood."""
        self.agents: list[str] = []
        self.subject: Phrase | None = None
        """What the segment before was about, where nobody did it."""
        self.theme: Phrase | None = None
        """What the segment before was about."""
        self.stuff = ""
        """The noun by which a state was told last: a pronoun may mean that."""
        self.doer: Phrase | None = None
        """Who did something in the segment before."""
        self.gone: set[str] = set()
        """Who left a place, and where to is still to be said."""
        self.away: set[str] = set()
        """Who left all places of the world."""
        self.labelled: list[str] = []
        """Whose doings a line lists: ``Ann: keys down, tray up``."""
        self.lead: Phrase | None = None
        """What a segment of a task began with."""
        self.framed = False
        """All that is told is wanted."""
        self.told: Sequence[Part] = ()
        """The parts of the segment before."""
        self.sentences: Sequence[Sequence[Word]] = ()
        """All of the text."""
        self.sentence: Sequence[Word] = ()
        """That which is being read."""
        self.segmented: Sequence[Sequence[Part]] = ()
        """Its segments."""
        self.read: list[Sequence[Part]] = []
        """Those of all sentences so far."""
        self.opening: Sequence[Part] = ()
        """The first of these."""

    def _reworded(self, _parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment in other words: none here."""
        yield from ()

    def as_told(self, parts: Sequence[Part], agents: list[str]) -> Found:
        """Return what a clause would tell as a report; Unclear where it is not understood."""
        telling, is_deed = Telling(self.referents, self.reader.wording), self.reader.sayings.is_deed
        for said in (parts, *self._reworded(parts)):
            try:
                return telling.tell(segment(said, is_deed), agents).found
            except Unclear:
                continue
        if self.likely is None:
            raise Unclear(NOTHING)
        return Likely(telling, self.reader.evidence).tell(segment(parts, is_deed), agents).found

    def _ends(self, after: Sequence[Part]) -> bool:
        """Return whether nothing more is told in what follows."""
        says_little = self.reader.wording.says_little
        return all(isinstance(p, Word) and (says_little(p.text) or p.text in ",.") for p in after)

    def _calls(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment only calls somebody."""
        things = [t for p in parts if isinstance(p, Phrase) for t in p.things]
        return bool(things) and all(map(self.telling.is_somebody, things))


def is_plain(verb: str) -> bool:
    """Return whether a verb has the form of an order."""
    return verb in load_lexicon().lemmas(verb) and not is_participle(verb)


def may_order(verb: str) -> bool:
    """Return whether a verb may have the form of an order, whatever else it may be: ``put``, ``open``."""
    return verb in load_lexicon().lemmas(verb)
