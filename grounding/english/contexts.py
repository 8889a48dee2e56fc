"""The words of a text, and those around each of its things, as hashed features of linear models."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.tokens import stretch, tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.words.vocabulary import vocabulary

BUCKETS = 1 << 16
"""Rows of the table of features."""
_THING, _ROBOT, _NUMBER, _EDGE = "<thing>", "<robot>", "<number>", "<edge>"
_ENDS = frozenset(".;!?:")
_DEEDS = frozenset(
    ["INSPECT", "INSPECT_SPLIT", "INSPECTION", "GIVE_CHECK", "MOVE", "RETURN", "VISIT", "ENTER", "STAY",
     "END", "PICK", "PICK_OR_PLACE", "PICK_SPLIT", "HOLDING", "PUT", "PUT_SPLIT", "AVOID", "OMIT", "EXPLORE",
     "VIA", "WIDE_BERTH"]
)  # fmt: skip
_BEING = frozenset(["is", "are", "was", "were", "'s"])
_SUFFIXES = ("ing", "ed", "es", "s")


class _Deed(NamedTuple):
    """A verb that the vocabulary has, and what kinds of deeds it may be."""

    start: int
    end: int
    kinds: str


def contexts(
    text: str, things: Collection[Span], robots: Collection[Span]
) -> Iterator[tuple[Span, list[int]]]:
    """Yield the rows of the features of each thing, in the order of the text.

    What things and robots are called is left out: only what is said of them tells.
    """
    words, places = _words(text, things, robots)
    deeds = [*_deeds(words)]
    stems = [_stem(word) for word in words]
    for at, thing in places.items():
        features = (*_around(stems, words, at), *_done(words, deeds, at))
        yield thing, [_row(*feature) for feature in features]


def whole(text: str, things: Collection[Span], robots: Collection[Span]) -> list[int]:
    """Return the rows of the features of a whole text."""
    words, _ = _words(text, things, robots)
    stems = [_stem(word) for word in words]
    names = {robot.text.casefold() for robot in robots}
    counts = (
        ("things", str(min(5, words.count(_THING)))),
        ("named", str(min(4, words.count(_ROBOT)))),
        ("robots", str(len(names))),
        ("always",),
    )
    features = (*_grams("text", [_EDGE, *stems, _EDGE], 3), *_verbs(words), *counts)
    return sorted({_row("whole", *feature) for feature in features})


def _verbs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield features of the verbs of a text, with the words beside them."""
    for deed in _deeds(words):
        before = words[max(0, deed.start - 2) : deed.start]
        yield "verb", deed.kinds
        yield "verb and first word", deed.kinds, words[deed.start]
        yield "verb and words behind", deed.kinds, *words[deed.end : deed.end + 2]
        yield "word and verb", *(before[-1:] or [_EDGE]), deed.kinds
        yield "words and verb", *before, deed.kinds


def _words(
    text: str, things: Collection[Span], robots: Collection[Span]
) -> tuple[list[str], dict[int, Span]]:
    """Return the words of a text, one for each thing and robot, and which of them are things."""
    words: list[str] = []
    places: dict[int, Span] = {}
    seen: set[Span] = set()
    for token in tokens_of(text):
        thing, robot = (_around_token(token.start, spans) for spans in (things, robots))
        span = thing or robot
        if span is None:
            words.append(_NUMBER if token.text[0].isdigit() else token.text.casefold())
        elif span not in seen:
            if thing is not None:
                places[len(words)] = thing
            words.append(_THING if thing is not None else _ROBOT)
            seen.add(span)
    return words, places


def _around_token(start: int, spans: Iterable[Span]) -> Span | None:
    return next((span for span in spans if span.start <= start < span.end), None)


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if len(word) > 4 and word.endswith(suffix):
            return word.removesuffix(suffix)
    return word


def _around(stems: Sequence[str], words: Sequence[str], at: int) -> Iterator[tuple[str, ...]]:
    """Yield features of the words beside a thing, up to the next things, in its sentence and in the text."""
    begin, end = stretch(words, at, _ENDS)
    edged = [_EDGE] * 5 + [*stems] + [_EDGE] * 5
    here = at + 5
    for k in range(1, 6):
        yield f"before {k}", edged[here - k]
    for k in range(1, 5):
        yield f"after {k}", edged[here + k]
    for k in (1, 2, 3):
        yield f"pair {k}", *edged[here - k - 1 : here - k + 1]
    yield "three before", *edged[here - 3 : here]
    yield "three after", *edged[here + 1 : here + 4]
    yield "two after", *edged[here + 1 : here + 3]
    yield "beside", edged[here - 1], edged[here + 1]
    last = next((k + 1 for k in range(at - 1, begin - 1, -1) if words[k] == _THING), begin)
    following = next((k for k in range(at + 1, end) if words[k] == _THING), end)
    yield from _grams("near before", stems[last:at], 3)
    yield from _grams("sentence before", stems[begin:at], 2)
    yield from _grams("near after", stems[at + 1 : following], 2)
    yield from _grams("sentence after", stems[at + 1 : end], 2)
    yield from _grams("text before", stems[:begin], 2)
    yield from _grams("text after", stems[end:], 2)
    counts = [part.count(_THING) for part in (words[begin:at], words[at + 1 : end])]
    yield "things in sentence", *map(str, counts)
    yield "things in text", *(str(min(3, w.count(_THING))) for w in (words[:at], words[at + 1 :]))
    yield "robots", str(_ROBOT in words[begin:at]), str(_ROBOT in words[at:end])
    yield ("always",)


def _grams(name: str, words: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for size in range(1, most + 1):
        for k in range(len(words) - size + 1):
            yield f"{name} {size}", *words[k : k + size]


def _deeds(words: Sequence[str]) -> Iterator[_Deed]:
    """Yield the longest verbs of the vocabulary, from left to right."""
    at = 0
    while at < len(words):
        here = [
            (end, category)
            for end, category, _, _ in vocabulary()[0].matches(words, at)
            if category.removesuffix("_D") in _DEEDS
        ]
        last = max((end for end, _ in here), default=at + 1)
        if here and words[at] not in _BEING:
            yield _Deed(at, last, "+".join(sorted({c for end, c in here if end == last})))
        at = last


def _done(words: Sequence[str], deeds: Sequence[_Deed], at: int) -> Iterator[tuple[str, ...]]:
    """Yield features of the verbs before and behind a thing."""
    begin, end = stretch(words, at, _ENDS)
    before = [deed for deed in deeds if begin <= deed.start < at]
    after = [deed for deed in deeds if at < deed.start < end]
    yield from _told(words, before, at) if before else [("verb", "none")]
    if after:
        between = words[at + 1 : after[0].start]
        yield "next verb", after[0].kinds
        yield "next verb and things", after[0].kinds, str(between.count(_THING))
    if not before:
        yield from _alone(deeds, after, begin, end)
    kinds = sorted({kind for deed in deeds for kind in deed.kinds.split("+")})
    yield "verbs", *kinds
    yield from (("has verb", kind) for kind in kinds)


def _alone(
    deeds: Sequence[_Deed], after: Sequence[_Deed], begin: int, end: int
) -> Iterator[tuple[str, ...]]:
    """Yield features of the verbs elsewhere, for a thing before which its sentence has none."""
    if after:
        yield "only next verb", after[0].kinds
        return
    yield "verb later", next((d.kinds for d in deeds if d.start >= end), "none")
    yield "verb earlier", next((d.kinds for d in reversed(deeds) if d.start < begin), "none")


def _told(words: Sequence[str], before: Sequence[_Deed], at: int) -> Iterator[tuple[str, ...]]:
    """Yield features of the last verb before a thing."""
    last = before[-1]
    between = words[last.end : at]
    yield "verb", last.kinds
    yield "first verb", before[0].kinds
    yield "verb so far", last.kinds, str(min(3, len(between)))
    yield "verb and things", last.kinds, str(between.count(_THING))
    yield "verb itself", last.kinds, *words[last.start : last.end]
    yield "verb and words", last.kinds, *between[:3]


def _row(*feature: str) -> int:
    return 1 + zlib.crc32("|".join(feature).encode()) % (BUCKETS - 1)
