"""Write the list of slow tests, which `make quick` leaves out, from the durations of a whole run.

    python -m pytest -n 2 --junitxml=durations.xml && python tools/slow_tests.py durations.xml

A test is slow if it, its fixtures included, takes over 0.3 s; the others together take under a minute.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "slow.txt"
SLOW_S = 0.3


def main() -> int:
    """Read the durations and write the list."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    cases = ElementTree.parse(sys.argv[1]).iter("testcase")  # noqa: S314  # pytest wrote it
    slow = {
        f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name'].partition('[')[0]}"
        for case in cases
        if float(case.attrib["time"]) > SLOW_S
    }
    LIST.write_text("".join(f"{name}\n" for name in sorted(slow)), encoding="utf-8")
    print(f"{len(slow)} slow tests in {LIST.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
