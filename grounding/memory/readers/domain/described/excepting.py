"""What is left out of all: ``every tray except the dirty one``, ``all the crates but Ann's``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.referents import Referents

_EXCEPTING = (
    *(("except", "for"), ("except",), ("apart", "from"), ("aside", "from"), ("other", "than")),
    *(("but", "not"), ("save", "for"), ("minus",), ("excluding",)),
)
_JOINING = frozenset(["and", ","])


def without_excepted(parts: Sequence[Part], referents: Referents) -> list[Part]:
    """Return parts with all but what is excepted where all are named; Unclear where that is open."""
    for at in range(len(parts)):
        size = _excepting(parts, at)
        if not size:
            continue
        whole = next((n for n in range(at - 1, -1, -1) if _is_every(parts[n])), None)
        end = _listed(parts, at + size)
        if whole is not None and end > at + size:
            named = [p for p in parts[at + size : end] if isinstance(p, Phrase)]
            begin = at - (text_at(parts, at - 1) == ",")
            left = _but(parts[whole], named, referents)
            rest = without_excepted(parts[end:], referents)
            return [*parts[:whole], left, *parts[whole + 1 : begin], *rest]
        if text_at(parts, at) in ("except", "bar", "save"):
            raise Unclear(f"'{text_at(parts, at)}': which are meant, and which not?")
    return [*parts]


def _excepting(parts: Sequence[Part], at: int) -> int:
    """Return how many words at a place leave out what is named next."""
    texts = (text_at(parts, at), text_at(parts, at + 1))
    if texts[0] == "but" and at and _is_every(parts[at - 1]):
        return 1 + (texts[1] == "not")  # "every tray but the dirty one"
    after = parts[at + 1] if at + 1 < len(parts) else None
    if texts[0] == "bar" and isinstance(after, Phrase) and after.source[:1] == ("the",):
        return 1  # no "bar 3"
    return next((len(e) for e in _EXCEPTING if e == texts[: len(e)]), 0)


def _is_every(part: Part) -> bool:
    return isinstance(part, Phrase) and part.every


def _listed(parts: Sequence[Part], at: int) -> int:
    """Return where a list of phrases ends."""
    end = at
    while at < len(parts) and isinstance(parts[at], Phrase):
        end = at + 1
        at = end + (text_at(parts, end) in _JOINING)
    return end


def _but(whole: Part, named: Sequence[Phrase], referents: Referents) -> Phrase:
    """Return a phrase for all that one means but what others name."""
    if not isinstance(whole, Phrase):
        raise Unclear("which are meant?")
    all_ = {*referents.candidates(whole)} if whole.owners else {*whole.things}
    gone: set[str] = set()
    for phrase in named:
        meant = {*referents.candidates(phrase, all_.__contains__)}
        if not meant and phrase.owner:  # "all the crates except Ann's"
            owners = referents.candidates(phrase)
            meant = {*referents.owned_by(sorted(all_), owners[0])} if len(owners) == 1 else set()
        if len(meant) != 1 and not phrase.is_plural and not phrase.every:
            raise Unclear(f"which one is meant by '{phrase.text}'?")
        gone |= meant
    if not gone:
        raise Unclear("which are meant, and which not?")
    left = {t: rank for t, rank in whole.things.items() if t in all_ - gone}
    return replace(whole, things=left, like=False)
