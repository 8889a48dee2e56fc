"""Kinds of spans, the tags that mark them in a text, and which field of an utterance takes which kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

KINDS = (
    "noun", "robot", "region name", "symbol", "person", "number", "ordinal", "color", "attribute",
    "distance", "superlative", "wrong noun", "verb", "routine", "liquid", "channel", "state",
    "manner", "time", "chatter",
)  # fmt: skip
CHATTER = KINDS.index("chatter")
TAGS = 1 + 2 * len(KINDS)
"""0: none; 1 + 2k: kind k begins; 2 + 2k: kind k goes on."""
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
    """Return the segments that tags mark."""
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


@cache
def _follows() -> npt.NDArray[np.bool_]:
    """Return which tag may follow which: what goes on must have begun."""
    allowed = np.ones((TAGS, TAGS), bool)
    for kind in range(len(KINDS)):
        allowed[:, 2 + 2 * kind] = False
        allowed[[1 + 2 * kind, 2 + 2 * kind], 2 + 2 * kind] = True
    return allowed


def best_tags(scores: npt.NDArray[np.float32]) -> list[int]:
    """Return the likeliest tags, token by tag log probabilities given, in which segments are whole."""
    if not len(scores):
        return []
    follows = np.where(_follows(), 0.0, -1e9)
    total = scores[0] + np.where(_follows()[0], 0.0, -1e9)
    back = np.zeros((len(scores), TAGS), np.int64)
    for at in range(1, len(scores)):
        ways = total[:, None] + follows
        back[at] = ways.argmax(0)
        total = ways.max(0) + scores[at]
    tags = [int(total.argmax())]
    for at in range(len(scores) - 1, 0, -1):
        tags.append(int(back[at, tags[-1]]))
    return tags[::-1]
