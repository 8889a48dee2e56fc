"""Long texts as the short ones that people mostly say: one part of what was said each, or no chatter."""

from __future__ import annotations

from examples import SYMBOL, Example

from commonground.grounding.english.spans import CHATTER
from commonground.grounding.english.symbols import CLOSE, all_symbols

ENDS = {".", "!", "?", ";"}
LEANING = {SYMBOL["then"], SYMBOL["choose=other"]}
"""Parts with these make no sense without the part before."""
NAMES = all_symbols()
OPENERS = {
    "parts", "step", "crew", "introduced", "steps", "agent", "theme", "goal", "source", "location",
    "partner", "heard_from", "condition", "phrases", "owner", "room", "located", "but", "beside",
    "best", "where", "to", "near",
}  # fmt: skip
"""Symbols that a closing one belongs to."""


def opens(name: str) -> bool:
    """Return whether a symbol begins something that is closed again."""
    return name.partition(":")[0] in OPENERS and "=" not in name


def alone(e: Example) -> list[Example]:
    """Return each part of an example that stands in sentences of its own."""
    parts = _parts(e)
    if len(parts) < 2:
        return []
    spans = [[e.segments[-1 - i] for i in part if i < 0] for part in parts]
    starts = [0, *(at + 1 for at, token in enumerate(e.tokens) if token in ENDS)]
    found = []
    for part, mine in zip(parts, spans, strict=True):
        others = [s for other in spans if other is not mine for s in other]
        if not mine or LEANING & set(part):
            continue
        begin = max(s for s in starts if s <= min(m[0] for m in mine))
        last = max(m[1] for m in mine)
        end = min([s for s in starts if s >= last] or [len(e.tokens)])
        if any(s < end and t > begin for s, t, _ in others):
            continue
        found.append(_cut(e, part, begin, end))
    return found


def quiet(e: Example) -> Example:
    """Return an example without its chatter."""
    talk = [s for s in e.segments if s[2] == CHATTER]
    if not talk:
        return e
    inside = {at for start, end, _ in talk for at in range(start, end)}
    place = [0]
    for at in range(len(e.tokens)):
        place.append(place[-1] + (at not in inside))
    kept = [k for k, s in enumerate(e.segments) if s[2] != CHATTER]
    number = {k: at for at, k in enumerate(kept)}
    return Example(
        e.domain,
        [token for at, token in enumerate(e.tokens) if at not in inside],
        [(place[s], place[t], kind) for s, t, kind in (e.segments[k] for k in kept)],
        [i if i >= 0 else -1 - number[-1 - i] for i in e.items],
        [e.classes[k] for k in kept],
        e.author,
        e.id,
    )


def _parts(e: Example) -> list[list[int]]:
    """Return the items of each part."""
    found: list[list[int]] = []
    depth = 0
    for item in e.items[:-1]:
        name = NAMES[item] if item >= 0 else ""
        if depth == 0:
            found.append([])
        found[-1].append(item)
        depth += (1 if opens(name) else 0) - (1 if name == CLOSE else 0)
    return found


def _cut(e: Example, part: list[int], begin: int, end: int) -> Example:
    """Return the part of an example between two tokens."""
    kept = [k for k, (s, t, _) in enumerate(e.segments) if begin <= s and t <= end]
    number = {k: at for at, k in enumerate(kept)}
    return Example(
        e.domain,
        e.tokens[begin:end],
        [(s - begin, t - begin, kind) for s, t, kind in (e.segments[k] for k in kept)],
        [i if i >= 0 else -1 - number[-1 - i] for i in part] + e.items[-1:],
        [e.classes[k] for k in kept],
        e.author,
        e.id,
    )
