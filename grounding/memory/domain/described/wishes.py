"""What a task wants to be so: which of its segments ask for something, without the words that only ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise

from commonground.grounding.memory.domain.described.phrases import Part, Phrase
from commonground.grounding.memory.domain.words import COPULAS, MODALS, Word
from commonground.grounding.memory.english.lexicon import load_lexicon

_ASKING = frozenset(["please", "kindly", "let", "lets", "let's", "'d", "'ll", "go"])
_ANYBODY = frozenset(["somebody", "someone", "anybody", "anyone", "you", "we", "i", "us", "me"])
_LIKING = frozenset(
    ["like", "love", "want", "wants", "wish", "ought", "belongs", "belong", "supposed", "due"]
)
_WANTING = frozenset(["want", "need", "requ"])
_SEEING = frozenset(["see", "find", "know", "be", "glad", "happy", "pleased"])
"""What may follow a wish and says no more than that it is one: ``I would be glad to see``."""
_LETTING = frozenset(["get", "have", "make", "keep", "leave", "want"])
_LACKING = frozenset(
    ["need", "needs", "needed", "wanted", "require", "requires", "required", "requested"]
)
_FREE = _ASKING | MODALS | _ANYBODY | _LIKING | _LACKING


def free_of_wishes(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence without words that only ask."""
    return [w for w in sentence if w.text not in _FREE]


def wished(parts: Sequence[Part]) -> list[Part] | None:
    """Return what a segment of a task asks for; None where it only tells how things are."""
    texts = [_text(p) for p in parts]
    kept = [*dropwhile(_only_wishes, (p for p in _had(parts) if _text(p) not in _FREE))]
    if _asks(texts) or not kept or _is_order(kept[0]):
        return kept
    return None if _tells(texts) else kept


def _asks(texts: Sequence[str]) -> bool:
    """Return whether words ask for something: ``please``, ``should``, or ``to`` before a verb."""
    plain = load_lexicon().lemmas
    return any(t in _FREE - _ANYBODY for t in texts) or any(
        one == "to" and (two in _LETTING | COPULAS or two in plain(two))
        for one, two in pairwise(texts)
    )


def _only_wishes(part: Part) -> bool:
    return _text(part) in _SEEING | {"to", "one", "of"}


def _text(part: Part) -> str:
    return part.text if isinstance(part, Word) else ""


def _had(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield parts with ``have`` where somebody wants a thing: ``Ann wants her key``."""
    for at, part in enumerate(parts):
        between = 0 < at < len(parts) - 1 and all(
            isinstance(parts[n], Phrase) for n in (at - 1, at + 1)
        )
        wants = between and _text(part) in _LIKING | _LACKING and _text(part)[:4] in _WANTING
        yield Word("have") if wants else part


def _is_order(part: Part) -> bool:
    """Return whether a segment begins with a plain verb."""
    if not isinstance(part, Word):
        return False
    return part.text in _LETTING or part.text in load_lexicon().lemmas(part.text)


def is_order(parts: Sequence[Part]) -> bool:
    """Return whether a segment tells somebody to do something."""
    texts = [_text(p) for p in parts]
    begins = next((p for p in parts if _text(p) not in _FREE), None)
    return bool({*texts} & (_ASKING | MODALS | {"you"})) or (
        begins is not None and _is_order(begins)
    )


def _tells(texts: Sequence[str]) -> bool:
    """Return whether a segment has a verb that tells how things are."""
    return any(t in COPULAS | {"has", "have", "'s"} - {"be"} or _is_finite(t) for t in texts if t)


def _is_finite(text: str) -> bool:
    lemmas = load_lexicon().lemmas(text)
    return bool(lemmas) and text not in lemmas and text.endswith("s")


def about(asked: Sequence[Part], topic: Sequence[Part]) -> list[Part]:
    """Return a plain order with the topic named before it as its object, where it has none."""
    named = any(isinstance(p, Phrase) for p in asked[1:2]) or any(
        isinstance(p, Phrase) and p.pronoun for p in asked
    )
    begins = bool(asked) and isinstance(asked[0], Word)
    return [asked[0], *topic, *asked[1:]] if begins and not named else [*asked]


def is_topic(parts: Sequence[Part]) -> bool:
    """Return whether a segment only names things, which another one speaks of."""
    return bool(parts) and all(isinstance(p, Phrase) for p in parts)
