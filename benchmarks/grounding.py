"""Time an instruction takes offline, in parsing and in resolving, on sites of growing size.

Run ``python benchmarks/grounding.py``; medians in milliseconds of CPU time, and their growth.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.grounding.grounder import Grounder
from commonground.grounding.language.parser import OfflineParser
from tests.grounding.sites import STYLES, make_site

INSTRUCTIONS = (
    "Anna, inspect the box closest to the flag in the bus shelter.",
    "Bert, visit the two signs nearest to you, then go to the shore.",
    "Bert, inspect every vehicle within 25 meters of the sculpture.",
    "Anna, pick up the red bag nearest to the north pier and bring it to the south pier.",
    "Bert, go to the northernmost light that is not in the parking lot, avoiding the harbour road.",
    "Bert, inspect all boxes except those on the north pier.",
    "Anna, go to the dock with the most boats.",
    "One of you inspect the barrel nearest to the shore; the other should wait at the closest trash can.",
)
SIZES = ((1, 5.0), (5, 2.5), (60, 1.2))
"""Objects as multiples of about 80, and the size of places in meters."""
REPEATS = 5
SEED = 4


def main() -> None:
    """Print one row a site: objects, places, loading, then medians and maxima for the instructions."""
    print(f"seed {SEED}; medians of {REPEATS} repeats of {len(INSTRUCTIONS)} instructions, CPU ms")
    print("objects  places  load  parse (max)   resolve (max)   resolve against the smallest")
    first = None
    for scale, place_m in SIZES:
        site = make_site(STYLES["harbour"], SEED, scale=scale, place_m=place_m)
        began = time.process_time()
        grounder = Grounder(site.graph, site.team)
        load = 1e3 * (time.process_time() - began)
        parser = OfflineParser(grounder.world.names)
        parsing, resolving = [], []
        for text in INSTRUCTIONS:
            parsing.append(_median(parser.parse, text))
            resolving.append(_median(grounder.ground, text) - parsing[-1])
        middle = statistics.median(resolving)
        first = first or middle
        print(
            f"{len(site.symbols):7d} {len(site.graph.surface_places):7d} {load:5.0f} "
            f"{statistics.median(parsing):6.1f} ({max(parsing):4.1f}) {middle:8.1f} ({max(resolving):5.1f})"
            f" {middle / first:12.1f}x"
        )


def _median(work: Callable[[str], object], text: str) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        work(text)
        times.append(1e3 * (time.process_time() - began))
    return statistics.median(times)


if __name__ == "__main__":
    main()
