"""What a segment leaves out that the one before it says of something else: ``..., and so is the mill``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    FROM,
    TO,
    Word,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of

_TOO = frozenset(
    ["too", "either", "also", "any", "more", "anymore", "longer", "now", "already", "as", "well"]
)
"""What stands beside what is left out and tells no more."""
_BESIDE = frozenset(["along", "together", "with", "beside", "next", "to"])
"""What leads to what was spoken of before, where the same is so of what is beside it."""
_NO_MORE = (["not", "any", "more"], ["not", "anymore"], ["no", "longer"])
Kin = Callable[[Phrase, Phrase], bool]
_FINITE = AUXILIARIES - {"been", "being", "be", "having", "getting"}


def filled_in(parts: Sequence[Part], told: Sequence[Part], kin: Kin) -> list[Part]:
    """Return a segment with what it leaves out: all that the one before says of what that is about."""
    if not told:
        return [*parts]
    return _also(parts, told, kin) or _same(parts, told) or _over(parts, told) or [*parts]


def _over(parts: Sequence[Part], told: Sequence[Part]) -> list[Part] | None:
    """Return what is no longer so of somebody that is so of another one now: ``I don't any more``."""
    over = [text_of(p) for p in parts[1:]]
    ended = over[:1] != [] and over[0] in _FINITE and over[1:] in _NO_MORE
    if not (ended and isinstance(parts[0], Phrase) and _begins(told)) or Word("not") in told:
        return None
    return [parts[0], *told[1:], *parts[2:]]


def _also(parts: Sequence[Part], told: Sequence[Part], kin: Kin) -> list[Part] | None:
    """Return what is told of another thing too: ``and the red one as well``."""
    added = _added(parts)
    return None if added is None else _with_other(told, added, kin, alone=len(parts) == 1)


def _begins(told: Sequence[Part]) -> bool:
    return isinstance(told[0], Phrase) and not told[0].owner


def _same(parts: Sequence[Part], told: Sequence[Part]) -> list[Part] | None:
    """Return what is said to be so of another thing: ``and so is the mill``, ``the mill is too``."""
    subject = _elliptic([p for p in parts if text_of(p) not in _TOO and not _is_adverb(p)])
    at = next((n for n, p in enumerate(told) if isinstance(p, Phrase)), None)
    if subject is None or at is None or not _begins(told[at:]) or Word("not") in told:
        return None
    return [*told[:at], subject, *told[at + 1 :]]


def _added(parts: Sequence[Part]) -> Phrase | None:
    """Return what alone a segment names of which the same is so too: ``and the red one as well``."""
    first, beyond = parts[0], parts[1:]
    if len(beyond) > 1 and isinstance(beyond[-1], Phrase) and beyond[-1].pronoun in ("it", "them"):
        along = {*map(text_of, beyond[:-1])} <= _BESIDE  # "and the red one along with it"
        beyond = [] if along else beyond
    rest = [*map(text_of, beyond)]
    too = rest in ([], ["too"], ["also"], ["as", "well"])
    return first if too and isinstance(first, Phrase) and not first.pronoun else None


def _with_other(told: Sequence[Part], other: Phrase, kin: Kin, *, alone: bool) -> list[Part] | None:
    """Return what was told with another thing in place of the last one that nothing leads to."""
    places = [n for n, p in enumerate(told) if isinstance(p, Phrase) and not p.owner]
    free = [n for n in places if n == 0 or text_of(told[n - 1]) not in TO | FROM | {"of", "by"}]
    like = [n for n in free if isinstance(p := told[n], Phrase) and (p.pronoun or kin(p, other))]
    places = like if alone else like or free
    return [*told[: places[-1]], other, *told[places[-1] + 1 :]] if places else None


def _elliptic(parts: Sequence[Part]) -> Phrase | None:
    """Return what a segment is about that says only that the same is so of it."""
    texts = [text_of(p) for p in parts]
    if len(parts) == 2 and texts[0] in _FINITE and isinstance(parts[1], Phrase):
        return parts[1]  # "and so is Ann"
    subject = parts[0] if len(parts) == 2 else None
    # "she has" may go on with anything that was done; "it is" only says how it is
    short = isinstance(subject, Phrase) and subject.pronoun not in ("he", "she")
    return subject if isinstance(subject, Phrase) and short and texts[1] in COPULAS else None


def _is_adverb(part: Part) -> bool:
    return isinstance(part, Word) and says_nothing(part.text)
