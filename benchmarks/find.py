"""Find things by words in worlds whose kinds no label list has: how often right, how sure, how fast.

Run: python benchmarks/find.py [worlds] [first seed]

Each thing of a showroom is seen a few times with degraded masks; its node keeps the mean embedding of the
small encoder that ships, and no class. The seeds are none of those the encoder was trained or calibrated on.
A thing is right if it is of the kind asked for (a bar stool is a stool as well), of the color, and near what
was said.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from commonground.datasets.simulator.camera import Renderer
from commonground.errors import GroundingError
from commonground.grounding.grounder import Grounder
from commonground.grounding.lookup import Finder
from commonground.grounding.lookup.hits import LIKELY
from commonground.grounding.lookup.where import NEAR_M
from commonground.mapping.perception import Clip
from commonground.mapping.perception.small import simulated
from commonground.robots import Robot, Team
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids
from tools.showroom.catalog import attributes, catalog
from tools.showroom.portraits import portraits
from tools.showroom.showroom import showroom

THINGS, VIEWS, BINS, MANY, ABSENT = 60, 6, 10, 5000, 60
CLOSER = 0.75
"""How far apart things stand, of a showroom: neighbors are near one another then."""
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
        CLOSER * np.array([t.box_center for t in world.things]),
        features=features,
    )
    graph = SceneGraph(metadata={"embedding_model": encoder.name})
    colors = [attributes(t.shape)[0] for t in world.things]
    return graph.with_layer("objects", layer, {}), [t.kind for t in world.things], colors


def fitting(here: list[str], noun: str) -> set[int]:
    """Return the rows of the things that a noun means: a bar stool is a stool."""
    return {row for row, kind in enumerate(here) if kind == noun or kind.endswith(f" {noun}")}


def asked(
    graph: SceneGraph, here: list[str], colors: list[str], rng: np.random.Generator
) -> Iterator[tuple[str, str, str, set[int]]]:
    """Yield phrases by what they say, where that is said to be, and the rows that are right."""
    at = graph.objects.positions
    for kind in sorted(set(here)):
        yield "kind", kind, "", fitting(here, kind)
    for color, kind in sorted(set(zip(colors, here, strict=True))):
        rows = {row for row in fitting(here, kind) if colors[row] == color}
        yield "color and kind", f"{color} {kind}", "", rows
    for row in rng.choice(len(here), 20, replace=False).tolist():
        distance = np.linalg.norm(at - at[row], axis=1)
        near = [k for k in np.flatnonzero(distance <= NEAR_M) if k != row]
        anchors = [k for k in near if len(fitting(here, here[k])) == 1]
        if anchors:
            anchor = int(rng.choice(anchors))
            close = np.flatnonzero(np.linalg.norm(at - at[anchor], axis=1) <= NEAR_M)
            rows = {k for k in fitting(here, here[row]) if colors[k] == colors[row]}
            where = f"near the {here[anchor]}"
            yield (
                "color, kind and place",
                f"{colors[row]} {here[row]}",
                where,
                rows & set(close.tolist()),
            )


def found(finder: Finder, phrase: str, where: str) -> list[tuple[int, float]]:
    """Return the rows and probabilities of what is found; nothing where the place is not clear."""
    try:
        hits = finder.find(phrase, where=where).hits
    except GroundingError:
        return []
    return [(int(h.symbol[1:]), h.probability or 0.0) for h in hits]


def main() -> None:
    """Print the figures."""
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    encoder = Clip(simulated())
    right: dict[str, list[bool]] = {"kind": [], "color and kind": [], "color, kind and place": []}
    said: list[tuple[float, bool]] = []
    absent: list[bool] = []
    seconds: list[float] = []
    obeyed: Counter[str] = Counter()
    for seed in range(first, first + worlds):
        rng = np.random.default_rng(seed)
        kinds = rng.choice(sorted(catalog()), THINGS).tolist()
        graph, here, colors = seen(kinds, seed, encoder)
        finder = Finder(graph, encoder)
        phrases = list(asked(graph, here, colors, rng))
        for name, phrase, where, rows in phrases:
            begun = time.process_time()
            hits = found(finder, phrase, where)
            seconds.append(time.process_time() - begun)
            right[name].append(bool(hits) and hits[0][0] in rows)
            if not where:
                said += [(p, row in rows) for row, p in hits]
        single = [(phrase, rows) for _, phrase, where, rows in phrases if not where]
        obeyed.update(instructions(graph, encoder, single[:: max(1, len(single) // 20)]))
        left_out = [k for k in sorted(catalog()) if not fitting(here, k)]
        missing = [*rng.choice(left_out, ABSENT, replace=False).tolist(), *STRANGE]
        best = [found(finder, phrase, "")[0][1] for phrase in missing]
        absent += [p >= LIKELY for p in best]
        said += [(p, False) for p in best]
    for name, answers in right.items():
        print(f"{name}: the right object first {np.mean(answers):.1%} of {len(answers)}")
    print(f"calibration error {calibration_error(said):.3f} of {len(said)}")
    print(f"things that are not there: confident {np.mean(absent):.1%} of {len(absent)}")
    total = max(1, obeyed.total())
    shares = ", ".join(f"{obeyed[what] / total:.1%} {what}" for what in sorted(obeyed))
    print(f"instructions about one thing: {shares} of {total}")
    print(f"median {1000 * np.median(seconds):.1f} ms of a processor a query among {THINGS} things")
    print(f"median {1000 * large(encoder):.1f} ms of a processor a query among {MANY} things")


def instructions(
    graph: SceneGraph, encoder: Clip, phrases: list[tuple[str, set[int]]]
) -> Counter[str]:
    """Return how many instructions about phrases that one thing fits were right, asked back and wrong."""
    spot = Robot("spot", np.eye(4), frozenset({"goto", "inspect"}))
    grounder = Grounder(graph, Team({"spot": spot}), encoder=encoder)
    out: Counter[str] = Counter()
    for phrase, rows in phrases:
        if len(rows) > 1:
            continue
        answer = grounder.ground(f"Spot, inspect the {phrase}.")
        goals = answer.goals
        symbols = set(re.findall(r"O\d+", " ".join((goals or {}).values())))
        meant = {f"O{row}" for row in rows}
        known = "asked, offering it" if meant <= set(answer.candidates) else "asked"
        out[known if goals is None else "right" if symbols == meant else "wrong"] += 1
    return out


def large(encoder: Clip) -> float:
    """Return the seconds that a query takes among many things, once they are loaded."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(MANY, encoder.dimension)).astype(np.float32)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    layer = Layer.of(
        OBJECTS, node_ids("O", np.arange(MANY)), rng.uniform(0, 500, (MANY, 3)), features=features
    )
    graph = SceneGraph(metadata={"embedding_model": encoder.name})
    finder = Finder(graph.with_layer("objects", layer, {}), encoder)
    finder.find("thing")
    seconds = []
    for phrase in sorted(catalog())[:40]:
        begun = time.process_time()
        finder.find(phrase)
        seconds.append(time.process_time() - begun)
    return float(np.median(seconds))


def calibration_error(said: list[tuple[float, bool]]) -> float:
    """Return the mean gap between what was said and what was so, over ten bins, weighed by their answers."""
    p, truth = (np.array(column, float) for column in zip(*said, strict=True))
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    gaps = [abs((p[bins == b] - truth[bins == b]).sum()) for b in range(BINS)]
    return float(sum(gaps) / len(p))


if __name__ == "__main__":
    main()
