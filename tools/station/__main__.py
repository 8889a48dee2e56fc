"""Kill the base station of random missions again and again, let it resume, and count what went wrong.

    python -m tools.station --kills 50 --seed 7300

Prints a line for each mission and the sums. The moments depend on the machine: rows differ from run to run.
"""

from __future__ import annotations

import argparse
import json

from tools.station.killed import killed_missions

SUMS = ("kills", "reached", "repeated", "lost", "violations")


def main() -> None:
    """Read the command line and print what came of it, as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m tools.station", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="kills in all")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first mission")
    parser.add_argument("--places", type=int, default=250, help="size of the sites")
    parser.add_argument("--faults", type=int, default=3, help="at most so many faults each")
    given = parser.parse_args()
    rows = []
    for row in killed_missions(given.kills, given.seed, given.places, given.faults):
        rows.append(row)
        print(json.dumps(row.as_json()), flush=True)
    sums = {name: sum(getattr(row, name) for row in rows) for name in SUMS}
    print(json.dumps({"missions": len(rows), **sums}))


if __name__ == "__main__":
    main()
