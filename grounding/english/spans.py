"""Kinds of spans, the tags that mark them in a text, and which field of an utterance takes which kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

KINDS = (
    "noun", "robot", "region name", "symbol", "person", "number", "ordinal", "color", "attribute",
    "distance", "superlative", "wrong noun", "verb", "routine", "liquid", "channel", "state",
    "manner", "time", "chatter",
)  # fmt: skip
CHATTER, SYMBOL = KINDS.index("chatter"), KINDS.index("symbol")

SURE_TALK = 0.9
"""Of words that the network takes for chatter with this or more, 94 of 100 are."""
TITLES = (KINDS.index("noun"), KINDS.index("region name"))
"""What may stand before a symbol to say what it is: ``the tree O41``."""
TAGS = 1 + 2 * len(KINDS)
"""0: none; 1 + 2k: kind k begins; 2 + 2k: kind k goes on."""
_GOES_ON = np.array([tag > 0 and tag % 2 == 0 for tag in range(TAGS)])
"""Of each tag whether it goes on with a kind."""
FIELD_KINDS: dict[str, tuple[str, ...]] = {
    "noun": ("noun",),
    "name": ("robot", "region name"),
    "names": ("robot",),
    "symbol": ("symbol",),
    "person": ("person",),
    "again": ("noun", "symbol", "region name"),
    "count": ("number",),
    "total": ("number",),
    "color": ("color",),
    "attribute": ("attribute",),
    "words": ("superlative",),
    "rank": ("ordinal",),
    "level": ("ordinal",),
    "distance": ("distance",),
    "only": ("attribute",),
    "corrected": ("wrong noun",),
    "verb": ("verb", "routine"),
    "content": ("liquid", "channel"),
    "state": ("state", "number"),
    "manner": ("manner",),
    "when": ("time",),
}
"""What the spans of a field may be; ``again`` alone takes what was used before."""
Segment = tuple[int, int, int]
"""First token, token after the last, kind."""


def tags_of(segments: Sequence[Segment], count: int) -> list[int]:
    """Return the tags of a number of tokens."""
    tags = [0] * count
    for start, end, kind in segments:
        tags[start:end] = [1 + 2 * kind] + [2 + 2 * kind] * (end - start - 1)
    return tags


def segments_of(tags: Sequence[int]) -> list[Segment]:
    found: list[Segment] = []
    for at, tag in enumerate(tags):
        kind = (tag - 1) // 2
        if tag == 0:
            continue
        if tag % 2 == 0 and found and found[-1][1] == at and found[-1][2] == kind:
            found[-1] = (found[-1][0], at + 1, kind)
        else:
            found.append((at, at + 1, kind))
    return found


def titled(segments: Sequence[Segment]) -> list[Segment]:
    """Return segments where a symbol is one with the noun right before it: no word parts the two."""
    found: list[Segment] = []
    for segment in segments:
        start, end, kind = segment
        if kind == SYMBOL and found and found[-1][1] == start and found[-1][2] in TITLES:
            found[-1] = (found[-1][0], end, SYMBOL)
        else:
            found.append(segment)
    return found


def likely_tags(scores: npt.NDArray[np.float32], most: int = 1) -> list[tuple[float, list[int]]]:
    """Return the likeliest ways to tag a text in which segments are whole, the best first.

    The scores are log probabilities, token by tag; each way comes with its sum.
    """
    if not len(scores):
        return []
    total = np.full((most, TAGS), -np.inf)
    total[0, ~_GOES_ON] = scores[0, ~_GOES_ON]
    # what goes on was begun, or went on, right before; anything else may follow all alike
    ranks = np.arange(most)[:, None, None] * TAGS
    begun = (ranks + np.flatnonzero(_GOES_ON) - [[1], [0]]).reshape(2 * most, -1)
    came: list[npt.NDArray[np.int64]] = []
    for row in scores[1:]:
        ways = total.ravel()  # by rank and tag before
        best = np.empty((most, TAGS), np.int64)
        best[:, ~_GOES_ON] = np.argsort(-ways, kind="stable")[:most, None]
        likely = np.argsort(-ways[begun], axis=0, kind="stable")[:most]
        best[:, _GOES_ON] = np.take_along_axis(begun, likely, 0)
        total = ways[best] + row
        came.append(best)
    ends = np.argsort(-total.ravel(), kind="stable")[:most]
    return [
        (float(total.ravel()[end]), _back(came, int(end)))
        for end in ends
        if np.isfinite(total.ravel()[end])
    ]


def sure_talk(
    scores: npt.NDArray[np.float32], tags: Sequence[int], words: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield where chatter that is marked begins and ends, if each word of it is chatter for sure."""
    sure = np.exp(scores[:, 1 + 2 * CHATTER]) + np.exp(scores[:, 2 + 2 * CHATTER]) >= SURE_TALK
    sure |= [not any(map(str.isalnum, word)) for word in words]
    yield from (
        (start, end)
        for start, end, kind in segments_of(tags)
        if kind == CHATTER and sure[start:end].all()
    )


def _back(came: Sequence[npt.NDArray[np.int64]], end: int) -> list[int]:
    """Return the tags of the way that ends at a rank and tag."""
    rank, tag = divmod(end, TAGS)
    tags = [tag]
    for best in reversed(came):
        rank, tag = divmod(int(best[rank, tag]), TAGS)
        tags.append(tag)
    return tags[::-1]
