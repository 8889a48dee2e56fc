"""What a text only says beside what it tells of a world."""

from __future__ import annotations

from commonground.grounding.memory.domain.described.segment import Segment
from commonground.grounding.memory.domain.described.text import Text
from commonground.grounding.memory.domain.words import classes_of

_WERE = frozenset(["was", "were"])


class Asides(Text):
    """Tells what has to do with nothing that may happen in one world."""

    def _is_aside(self, made: Segment) -> bool:
        """Return whether a segment tells of those spoken of what is none of what may happen here."""
        if self.found and made.words[:2] == ["same", "as"]:
            return True  # "for the school, same as the red one"
        if self.found and made.negated and made.words[-1:] == ["yet"] and not self.task:
            return True  # nothing has changed
        if any(r.phrase.pronoun == "there" for r in made.roles):
            return False  # it tells how things are there
        known = {*self.agents, *self.meant.people, *self.meant.themes}
        named = {t for r in made.roles if not r.phrase.pronoun for t in r.phrase.things}
        aside = self.likely is not None and not self.task and self.likely.is_aside(made)
        return bool(self.found) and aside and named <= known

    def _is_far(self, made: Segment) -> bool:
        """Return whether the verbs of a segment tell of nothing that may happen here."""
        lay = made.verbs and not _WERE.isdisjoint(made.words)  # "it was lying there"
        lay = lay and all("located" in classes_of(v, frozenset()) for v in made.verbs)
        return bool(lay) or all(map(self.reader.evidence.is_far, made.verbs))
