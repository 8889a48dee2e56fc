"""Time an instruction takes offline, on sites of growing size.

Run ``python benchmarks/grounding.py``; medians in milliseconds of CPU time, and their growth.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.grounding.english.reader import load_reader
from commonground.grounding.grounder import Grounder
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
    """Print one row a site: objects, places, loading, then the median and the longest of the instructions."""
    print(f"seed {SEED}; medians of {REPEATS} repeats of {len(INSTRUCTIONS)} instructions, CPU ms")
    print("objects  places  load  instruction (max)   against the smallest")
    first = None
    for scale, place_m in SIZES:
        site = make_site(STYLES["harbour"], SEED, scale=scale, place_m=place_m)
        loading, times = [], [list[float]() for _ in INSTRUCTIONS]
        for _ in range(REPEATS):  # what is read and answered is kept: each repeat begins anew
            load_reader.cache_clear()
            load_reader()
            began = time.process_time()
            grounder = Grounder(site.graph, site.team)
            loading.append(_since(began))
            for text, of in zip(INSTRUCTIONS, times, strict=True):
                began = time.process_time()
                grounder.ground(text)
                of.append(_since(began))
        each = [statistics.median(of) for of in times]
        middle = statistics.median(each)
        first = first or middle
        print(
            f"{len(site.symbols):7d} {len(site.graph.surface_places):7d} {statistics.median(loading):5.0f} "
            f"{middle:11.1f} ({max(each):5.1f}) {middle / first:12.1f}x"
        )


def _since(began: float) -> float:
    return 1e3 * (time.process_time() - began)


if __name__ == "__main__":
    main()
