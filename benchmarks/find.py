"""Find things by words in worlds whose kinds no label list has: how often right, how sure, how fast.

Run: python benchmarks/find.py [worlds] [first seed]

Each thing of a showroom is seen a few times with degraded masks; its node keeps the mean embedding of the
small encoder that ships, and no class. The seeds are none of those the encoder was trained on.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np

from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.simulator.portraits import portraits
from commonground.datasets.world.catalog import attributes, catalog
from commonground.datasets.world.showroom import showroom
from commonground.grounding.lookup import find
from commonground.mapping.perception import Clip
from commonground.mapping.perception.small import simulated
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids

THINGS, VIEWS, BINS = 60, 6, 10
STRANGE = ("hippopotamus", "volcano", "zebra", "violin", "escalator", "rainbow")


def seen(names: list[str], seed: int, encoder: Clip) -> tuple[SceneGraph, list[str], list[str]]:
    """Return a graph of nameless things with their looks, and the kind and color of each."""
    rng = np.random.default_rng([seed, 0xF1])
    world = showroom(names, seed)
    renderer, looks = Renderer(world), []
    for thing in world.things:
        shots = list(portraits(renderer, thing, VIEWS, rng))
        vectors = [encoder.images(s.rgb, s.mask[None], s.box[None])[0] for s in shots]
        mean = np.mean(vectors, axis=0) if vectors else np.full(encoder.dimension, np.nan)
        looks.append(mean / np.linalg.norm(mean))
    features = np.array(looks, np.float32)
    layer = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(len(names))),
        np.array([t.box_center for t in world.things]),
        features=features,
    )
    graph = SceneGraph(metadata={"embedding_model": encoder.name})
    colors = [attributes(t.shape)[0] for t in world.things]
    return graph.with_layer("objects", layer, {}), [t.kind for t in world.things], colors


def main() -> None:
    """Print the figures."""
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    encoder = Clip(simulated())
    right: dict[str, list[bool]] = {"kind": [], "color and kind": []}
    said: list[tuple[float, bool]] = []
    absent: list[bool] = []
    seconds: list[float] = []
    for seed in range(first, first + worlds):
        rng = np.random.default_rng(seed)
        kinds = rng.choice(sorted(catalog()), THINGS).tolist()
        left_out = sorted(set(catalog()) - set(kinds))
        graph, here, colors = seen(kinds, seed, encoder)
        known = [(k, {i for i, h in enumerate(here) if h == k}) for k in sorted(set(here))]
        pairs = Counter(zip(colors, here, strict=True))
        colored = [
            (f"{c} {k}", {i for i, x in enumerate(zip(colors, here, strict=True)) if x == (c, k)})
            for c, k in sorted(pairs)
        ]
        for name, phrases in (("kind", known), ("color and kind", colored)):
            for phrase, rows in phrases:
                begun = time.perf_counter()
                hits = find(graph, phrase, encoder=encoder, top=THINGS).hits
                seconds.append(time.perf_counter() - begun)
                right[name].append(int(hits[0].symbol[1:]) in rows)
                said += [(h.probability or 0.0, int(h.symbol[1:]) in rows) for h in hits[:5]]
        for phrase in (*rng.choice(left_out, 20).tolist(), *STRANGE):
            best = find(graph, phrase, encoder=encoder, top=1).hits[0]
            absent.append((best.probability or 0.0) >= 0.5)
    for name, answers in right.items():
        print(f"{name}: the right object first {np.mean(answers):.1%} of {len(answers)}")
    print(f"calibration error {calibration_error(said):.3f} of {len(said)}")
    print(f"things that are not there: confident {np.mean(absent):.1%} of {len(absent)}")
    print(f"median {1000 * np.median(seconds):.1f} ms a query among {THINGS} things")


def calibration_error(said: list[tuple[float, bool]]) -> float:
    """Return the mean gap between what was said and what was so, over ten bins, weighed by their answers."""
    p, truth = (np.array(column, float) for column in zip(*said, strict=True))
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    gaps = [abs((p[bins == b] - truth[bins == b]).sum()) for b in range(BINS)]
    return float(sum(gaps) / len(p))


if __name__ == "__main__":
    main()
