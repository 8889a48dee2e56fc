"""Write the list of slow tests, which `make quick` leaves out, from the durations of a whole run.

    python -m pytest -n 2 --junitxml=durations.xml && python tools/slow_tests.py durations.xml

A test is slow if it, its fixtures included, takes over 0.3 s, or all its cases together take over 0.75 s. The
list tells what one takes, so that the longest are begun first. What the run skipped stays as it was.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "slow.txt"
SLOW_S = 0.3
SLOW_TOGETHER_S = 0.75


def main() -> int:
    """Read the durations and write the list."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    cases = ElementTree.parse(sys.argv[1]).iter("testcase")  # noqa: S314  # pytest wrote it
    before = dict(line.rsplit(" ", 1) for line in LIST.read_text(encoding="utf-8").splitlines())
    skipped: dict[str, float] = {}
    seconds: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    longest: Counter[str] = Counter()
    for case in cases:
        name = case.attrib["name"].partition("[")[0]
        test = f"{case.attrib['classname'].replace('.', '/')}.py::{name}"
        if case.find("skipped") is not None and test in before:
            skipped[test] = float(before[test])
        took_s = float(case.attrib["time"])
        seconds[test] += took_s
        counts[test] += 1
        longest[test] = max(longest[test], took_s)
    slow = skipped | {
        test: seconds[test] / counts[test]
        for test, s in longest.items()
        if s > SLOW_S or seconds[test] > SLOW_TOGETHER_S
    }
    lines = (f"{name} {slow[name]:.2f}\n" for name in sorted(slow))
    LIST.write_text("".join(lines), encoding="utf-8")
    print(f"{len(slow)} slow tests in {LIST.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
