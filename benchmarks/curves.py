"""What more robots, longer drives, more places and more facts cost: one figure and one table.

    python benchmarks/curves.py [--quick] [--out docs/results/curves]

Four curves: fusing 1, 2, 4 and 8 robots of 300 m each; fusing two robots of 100 m to 2 km each; planning an
errand among 100 to 100,000 places, and reading that map; opening a memory of 1,000 to 1,000,000 facts,
writing one more and asking. Teams and sites are made up, nothing is rendered. Every point is measured in a
process of its own, in seconds of one processor, after a first small run that compiles and imports.
``--quick`` leaves out the largest sizes: half a minute instead of many.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

ROBOT_M, SUBMAP_M = 300.0, 10.0
EXTENT = 0.4
"""Edge length of a campus as a share of what each robot drives there, so that they meet."""
DOMAIN = """
(define (domain stock) (:requirements :strips :typing) (:types shelf item - object)
  (:predicates (on ?i - item ?s - shelf) (clean ?i - item))
  (:action move :parameters (?i - item ?a ?b - shelf)
    :precondition (on ?i ?a) :effect (and (not (on ?i ?a)) (on ?i ?b))))
"""
Measured = dict[str, float]
"""What was done → seconds of one processor."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A size that grows, and what is measured at each."""

    title: str
    axis: str
    sizes: tuple[int, ...]
    quick: int
    """How many of the sizes are quick."""
    measure: Callable[[int], Measured]


def fused(robots: int, length_m: float) -> Measured:
    """Return the seconds of aligning and of merging a made-up team."""
    from commonground.localization.settings import LocalizationSettings
    from commonground.mapping.fusion.align import align
    from commonground.mapping.fusion.evaluation.teams import made_up
    from commonground.mapping.fusion.fuse import fuse

    settings = LocalizationSettings()
    small = made_up(8, 2, 10, 100.0).runs
    fuse(small, settings, np.random.default_rng(0))
    runs = made_up(0, robots, round(length_m / SUBMAP_M), max(60.0, EXTENT * length_m)).runs
    rng, clock = np.random.default_rng(0), time.process_time()
    aligned = align(runs, settings, rng)
    middle = time.process_time()
    fuse(runs, settings, rng, aligned)
    return {"match and align": middle - clock, "merge": time.process_time() - middle}


def planned(places: int) -> Measured:
    """Return the seconds of reading a scene graph and of planning an errand on it."""
    from commonground.planning import plan_scene
    from commonground.planning.evaluate import errand_goal
    from commonground.planning.scene.sites import make_site
    from commonground.scene import load_scene, save_scene

    rng = np.random.default_rng(0)
    graph, team = make_site(places, max(10, min(100, places // 20)), rng)
    goal = errand_goal(graph, 5, 1, rng)
    tiny, spot = make_site(100, 10, rng)
    plan_scene(tiny, spot, {"spot": "(visited-object O0)"})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.json"
        save_scene(graph, file)
        clock = time.process_time()
        graph = load_scene(file)
        loaded = time.process_time() - clock
    clock = time.process_time()
    plan_scene(graph, team, {"spot": goal})
    first = time.process_time() - clock
    return {"read the map": loaded, "plan 5 inspections and a delivery": first}


def remembered(facts: int) -> Measured:
    """Return the seconds of making a memory, opening it, one more fact in it, and asking about a thing."""
    from commonground.grounding.knowledge import Fact, KnowledgeStore, Source, Thing

    shelves = [Thing(f"s{k}", "shelf", f"shelf {k}") for k in range(max(2, facts // 50))]
    items = [Thing(f"i{k}", "item", f"item {k}") for k in range(facts)]
    rng = np.random.default_rng(0)
    on = rng.integers(len(shelves), size=facts).tolist()
    believed = [Fact(f"i{k}", "on", f"s{s}") for k, s in enumerate(on)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        clock = [time.process_time()]
        KnowledgeStore.create(path, DOMAIN, [*shelves, *items], believed, at_ns=0).close()
        clock.append(time.process_time())
        with KnowledgeStore.open(path) as store:
            clock.append(time.process_time())
            store.assert_facts(
                [Fact("i0", "on", "s1")], Source("person", "eva", "moved it"), at_ns=1
            )
            clock.append(time.process_time())
            for k in range(100):
                store.about(f"i{k}")
            clock.append(time.process_time())
    made, opened, written, asked = np.diff(clock).tolist()
    return {"make": made, "open": opened, "write one fact": written, "ask once": asked / 100}


CURVES: Mapping[str, Curve] = {
    "robots": Curve(
        f"fusing robots of {ROBOT_M:g} m each",
        "robots",
        (1, 2, 4, 8),
        3,
        partial(fused, length_m=ROBOT_M),
    ),
    "length": Curve(
        "fusing two robots",
        "meters each",
        (100, 200, 500, 1000, 2000),
        3,
        lambda m: fused(2, float(m)),
    ),
    "places": Curve("planning", "places", (100, 1_000, 10_000, 100_000), 3, planned),
    "facts": Curve("memory", "facts", (1_000, 10_000, 100_000, 1_000_000), 2, remembered),
}


def main() -> None:
    """Measure every point in a process of its own; write the table and the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="Leave out the largest sizes.")
    parser.add_argument("--out", type=Path, help="Write OUT.md and OUT.png; without it only print.")
    parser.add_argument("--point", nargs=2, metavar=("CURVE", "SIZE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.point:
        found = CURVES[args.point[0]].measure(int(args.point[1]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": found, "peak MB": peak}))
        return
    points = {
        name: {
            size: point(name, size) for size in curve.sizes[: curve.quick if args.quick else None]
        }
        for name, curve in CURVES.items()
    }
    text = table(points)
    print(text)
    if args.out:
        how = f"python benchmarks/curves.py{' --quick' if args.quick else ''} --out {args.out}"
        args.out.with_suffix(".md").write_text(page(text, slowest(points), how, args.out.name))
        draw(points, args.out.with_suffix(".png"))


Point = dict[str, float]


def point(name: str, size: int) -> Point:
    """Return what was measured at one size, and the most memory held."""
    command = [sys.executable, __file__, "--point", name, str(size)]
    one = {**os.environ, "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=one)
    answer = json.loads(ran.stdout.splitlines()[-1])
    print(f"{name} {size}: {answer}", file=sys.stderr, flush=True)
    return {**answer["seconds"], "peak MB": answer["peak MB"]}


def table(points: Mapping[str, Mapping[int, Point]]) -> str:
    """Return a Markdown table a curve."""
    out: list[str] = []
    for name, found in points.items():
        curve = CURVES[name]
        heads = list(next(iter(found.values())))
        out += [f"**{curve.title.capitalize()}**, seconds of one processor", ""]
        out += [f"| {' | '.join([curve.axis, *heads])} |", "|" + "---|" * (1 + len(heads))]
        for size, values in found.items():
            cells = [
                f"{size:,}",
                *(f"{values[h]:.3g}" if "MB" not in h else f"{values[h]:.0f}" for h in heads),
            ]
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    return "\n".join(out)


def slowest(points: Mapping[str, Mapping[int, Point]]) -> str:
    """Say what takes over a second at the largest size of each curve, and how much more than before."""
    out = []
    for name, found in points.items():
        (before, less), (size, most) = list(found.items())[-2:]
        for head in (h for h in most if "MB" not in h and most[h] > 1.0):
            growth = most[head] / max(less[head], 1e-9)
            out.append(
                f"- {CURVES[name].title}, {size:,} {CURVES[name].axis}: **{head}**, {most[head]:.3g} s, "
                f"{growth:.1f} times that of {before:,}."
            )
    return "\n".join(out)


def page(text: str, slow: str, command: str, image: str) -> str:
    """Return the page of results."""
    today = datetime.datetime.now(datetime.UTC).date()
    return f"""# Results: what size costs

What works for two robots and a campus has to work for eight robots, for kilometers, and for years of
facts. So this page tells how seconds and memory grow with size, and what is slow where sizes are largest.

<!-- not run: many minutes -->
```bash
{command}
```

{today}, {machine()}. Teams and sites are made up, nothing is rendered. Every point is a process of its own.
It is measured in seconds of one processor after a first small run: compiling and imports do not count.

![What size costs]({image}.png)

What takes over a second where sizes are largest, each time a program does it:

{slow}

{text}"""


def machine() -> str:
    """Return the processor and how many of it there are."""
    names = (
        [
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
        if Path("/proc/cpuinfo").is_file()
        else []
    )
    kind = names[0] if names else platform.machine()
    return f"{os.cpu_count()} × {kind}, Python {platform.python_version()}"


def draw(points: Mapping[str, Mapping[int, Point]], file: Path) -> None:
    """Write the curves, size and time on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 2.9), layout="constrained")
    for axes, (name, found) in zip(
        np.atleast_1d(figure.subplots(1, len(points))), points.items(), strict=True
    ):
        sizes = list(found)
        for head in next(iter(found.values())):
            if "MB" not in head:
                axes.loglog(
                    sizes,
                    [max(v[head], 1e-6) for v in found.values()],
                    marker="o",
                    ms=3,
                    label=head,
                )
        axes.set_title(CURVES[name].title, fontsize=9)
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.minorticks_off()
        axes.set_xlabel(CURVES[name].axis, fontsize=8)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=7)
        axes.legend(fontsize=6.5)
    figure.axes[0].set_ylabel("seconds of one processor", fontsize=8)
    figure.savefig(file, dpi=90)


if __name__ == "__main__":
    main()
