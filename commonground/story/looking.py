"""What a story looks for by words that no class has to have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commonground.story.finding import open_map
from commonground.story.spec import Story

TOP = 3


def look_for(story: Story, fused: Path) -> Mapping[str, Any]:
    """Find the things that the story names in the fused map, with the looks that it keeps."""
    if not story.find:
        return {"found": []}
    asked = open_map(fused, story.settings.mapping.perception.fastsam, None)
    found = (asked.find(words, top=TOP) for words in story.find)
    return {"found": [{**answer.as_json(), "none": answer.none} for answer in found]}


def said_of(found: Mapping[str, Any]) -> str:
    hits = found["results"]
    if not hits:
        return str(found["none"])
    best, p = hits[0], hits[0]["probability"]
    sure = "" if p is None else f" with {p:.0%}"
    return f"{best['symbol']}, class {best['label'] or 'unknown'}, {best['why']}{sure}"
