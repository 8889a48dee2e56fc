"""What rooms and areas may be called: by what was seen in a region and by what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.grounding.lookup.encoder import PROMPTS, TextEncoder
from commonground.grounding.lookup.looks import directions
from commonground.grounding.words.concepts import word_file
from commonground.scene import SceneGraph
from commonground.scene.layer import NO_LABEL

SECTION = "[areas]"
NAMED = "so called by people"


@dataclass(frozen=True, slots=True)
class AreaName:
    """A word for a region, and how likely it is the right one."""

    symbol: str
    word: str
    probability: float
    why: str


def names_of_regions(
    graph: SceneGraph, encoder: TextEncoder, words: Sequence[str] = ()
) -> list[AreaName]:
    """Return the likeliest word for each region, of the given words or of all words for areas.

    A name that people gave is kept. Where a region has looks and things in it, both count the same.
    """
    if not graph.has("regions"):
        return []
    words = tuple(words) or area_words()
    known = encoder.words(words, PROMPTS)
    seen, inside = _by_looks(graph, encoder, known), _by_contents(graph, encoder, known)
    both = np.where(np.isnan(seen), inside, np.where(np.isnan(inside), seen, (seen + inside) / 2))
    own = zip(graph.proper_names("regions"), graph.regions.names, graph.regions.labels, strict=True)
    names = [proper or (name if label == NO_LABEL else "") for proper, name, label in own]
    out = []
    for row, symbol in enumerate(graph.regions.symbols):
        if names[row]:
            out.append(AreaName(symbol, names[row], 1.0, NAMED))
        elif np.isfinite(both[row]).all():
            share = np.exp(both[row] - both[row].max())
            best = int(share.argmax())
            why = [
                said
                for said, told in (("by its looks", seen), ("by what is in it", inside))
                if np.isfinite(told[row]).all()
            ]
            p = float(share[best] / share.sum())
            out.append(AreaName(symbol, words[best], round(p, 3), " and ".join(why)))
    return out


@cache
def area_words() -> tuple[str, ...]:
    """Return a word for each kind of area that language knows."""
    text = word_file("things.txt").partition(f"{SECTION}\n")[2]
    lines = text.partition("\n[")[0].splitlines()
    first = (line.partition("#")[0].partition(",")[0].strip() for line in lines)
    return tuple(dict.fromkeys(filter(None, first)))


def _by_looks(graph: SceneGraph, encoder: TextEncoder, known: Floats32) -> Floats:
    """Return the logits (r, w) of words by the looks of regions, NaN where they have none."""
    features = graph.regions.features
    if features is None or graph.metadata.get("embedding_model") != encoder.name:
        return np.full((len(graph.regions), len(known)), np.nan)
    return np.asarray(encoder.scale * (directions(features) @ known.T), float)


def _by_contents(graph: SceneGraph, encoder: TextEncoder, known: Floats32) -> Floats:
    """Return the logits (r, w) of words by the classes of the things in regions, NaN where there are none."""
    out = np.full((len(graph.regions), len(known)), np.nan)
    if not graph.has("objects"):
        return out
    labels = np.array([w if w != "unknown" else "" for w in graph.label_words("objects")])
    rows = graph.ancestors("objects", "regions")
    told = sorted(set(labels[(rows >= 0) & (labels != "")].tolist()))
    if not told:
        return out
    classes = np.asarray(encoder.scale * (encoder.words(told, PROMPTS) @ known.T), float)
    at = {word: k for k, word in enumerate(told)}
    for region in range(len(out)):
        here = [at[w] for w in labels[rows == region].tolist() if w]
        if here:
            out[region] = classes[here].mean(axis=0)
    return out
