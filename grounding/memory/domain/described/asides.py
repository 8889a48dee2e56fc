"""What a text only says beside what it tells of a world."""

from __future__ import annotations

from commonground.grounding.memory.domain.described.phrase import text_of
from commonground.grounding.memory.domain.described.segment import Segment
from commonground.grounding.memory.domain.described.text import Text
from commonground.grounding.memory.domain.words import classes_of

_WERE = frozenset(["was", "were"])


class Asides(Text):
    """Tells what has to do with nothing that may happen in one world."""

    def _is_aside(self, made: Segment) -> bool:
        """Return whether a segment tells of those spoken of what is none of what may happen here."""
        if not self.found or self.reader.sayings.lacks_in([*map(text_of, made.parts)]):
            return False
        return not self.task and _tells_nothing(made)

    def _is_far(self, made: Segment) -> bool:
        """Return whether the verbs of a segment tell of nothing that may happen here."""
        if made.subjects() and not {*made.words}.isdisjoint(("is", "are")) and not made.passive:
            return False  # "and it is ticking" tells how it is
        lay = made.verbs and not _WERE.isdisjoint(made.words)  # "it was lying there"
        lay = lay and all("located" in classes_of(v, frozenset()) for v in made.verbs)
        return bool(lay) or not made.verbs


def _tells_nothing(made: Segment) -> bool:
    return _is_not_yet(made) or _is_advice(made)


def _is_advice(made: Segment) -> bool:
    """Return whether a segment of a report only tells others what not to do: ``do not use it``."""
    return made.words[:2] in (["do", "not"], ["never"]) and not made.subjects()


def _is_not_yet(made: Segment) -> bool:
    """Return whether a segment only tells that nothing has changed: ``but it isn't on yet``."""
    return made.negated and made.words[-1:] == ["yet"]
