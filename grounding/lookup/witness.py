"""A vision model that is shown the crops of what may be meant, where looks leave that in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from commonground.crops import Crops
from commonground.errors import GroundingError
from commonground.grounding.lookup.hits import NAME, Findings, Hit
from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.images import with_images
from commonground.grounding.model.questions import Questioner
from commonground.settings import Settings

SHOWN = 2
"""Things that are shown at once."""
MOST_QUESTIONS = 20
"""What one witness is asked at most; the same is asked once."""
DOUBT = 0.2
"""What is less likely than this, or likelier than all but this, is no matter of doubt."""
_RULES = (
    "You are shown pictures that robots took, one of each thing, and asked which of them shows what "
    "somebody looks for. Answer with the numbers of those that do, from 1; none if none does."
)


class Shown(Settings):
    """What a model answers."""

    which: Annotated[tuple[int, ...], Field(max_length=SHOWN)]


class Witness:
    """Says which of a map's things are what was asked for, by their best crops."""

    def __init__(self, model: ChatModel, crops: Crops, most: int = MOST_QUESTIONS) -> None:
        self.crops, self.left = crops, most
        self._said: dict[tuple[str, ...], list[str] | None] = {}
        self.questions = Questioner(model, _RULES)

    @property
    def notes(self) -> list[str]:
        """Questions that no valid answer came for, and why."""
        return self.questions.notes

    def which(self, asked: str, symbols: Sequence[str]) -> list[str] | None:
        """Return those of the first symbols that are what was asked for.

        None where that cannot be said: without crops, without an answer, or when all questions are used up.
        """
        shown = {s: own[0].jpeg for s in symbols[:SHOWN] if (own := self.crops.of(s))}
        key = (asked, *shown)
        if key in self._said:
            return self._said[key]
        if len(shown) < min(SHOWN, len(symbols)) or not shown or self.left < 1:
            return None
        self.left -= 1
        self._said[key] = self._asked(asked, shown)
        return self._said[key]

    def _asked(self, asked: str, shown: Mapping[str, bytes]) -> list[str] | None:
        names = list(shown)

        def check(answer: Shown) -> list[str]:
            if not all(1 <= number <= len(names) for number in answer.which):
                raise GroundingError(f"there are {len(names)} pictures, numbered from 1")
            return [names[number - 1] for number in sorted(set(answer.which))]

        question = f'Which of these {len(names)} pictures shows "{asked}"?'
        return self.questions.ask(
            asked, with_images(question, shown.values()), Shown, check,
            f"nobody looked at what may be '{asked}'",
        )  # fmt: skip


def witnessed(found: Findings, witness: Witness) -> Findings:
    """Return findings with those first that a witness takes for what was meant, where that is in doubt."""
    first, second = (list(found.hits) + [None, None])[:2]
    if first is None or not _doubtful(first, second):
        return found
    best = [hit.symbol for hit in (first, second) if hit is not None and hit.layer == "objects"]
    seen = witness.which(found.asked, best)
    if seen is None:
        return replace(found, notes=(*found.notes, *witness.notes))
    if not seen:
        note = f"a vision model sees no '{found.asked}' in the pictures of {' and '.join(best)}"
        return replace(found, notes=(*found.notes, note))
    chosen = [replace(h, why=f"{h.why}; by its picture") for h in found.hits if h.symbol in seen]
    others = [h for h in found.hits if h.symbol not in seen]
    return replace(found, hits=(*chosen, *others))


def _doubtful(first: Hit, second: Hit | None) -> bool:
    """Return whether looks neither take nor leave the first hit, or take a second one as well."""
    if first.probability is None or first.rank == NAME:
        return False
    rival = 0.0 if second is None else second.probability or 0.0
    return DOUBT <= first.probability <= 1 - DOUBT or rival > first.probability / 2 >= DOUBT / 2
