"""What is silently dropped of an instruction: orders that come out right, with something more said in each.

    python benchmarks/dropped.py [SUITE.yaml ...] [--each 20]

Each addition changes what is meant, or asks for what no robot can do. Where the goals stay as they were and
the answer says nothing of it, it was dropped; a question, other goals and a remark are not counted.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from commonground.grounding import Grounder
from commonground.grounding.suites import is_correct, load_suite
from commonground.scene import load_scene

COURTYARD = Path(__file__).resolve().parents[1] / "tests" / "grounding" / "data" / "courtyard"
TAILS = """
twice|backwards|at half speed|for an hour|until I call you|whenever it rains|from the north side
without touching the fence|unless there is fog|if the gate is open|with your left camera|every hour
but not today|in alphabetical order|from smallest to largest|or something similar|and its neighbors
and the one behind it|and the next one|and two others|and whatever is beside it|but keep ten meters away
and then do it again|and repeat that|and undo it afterwards|and measure its height|and come back to me
and clean it|and switch it off|and lock it|, just kidding|, maybe|, or better not|, I mean the opposite one
, only when you have time|, alternating with the others|, starting at the far end|, half of it
"""
SENTENCES = """
Then do the same for the one next to it.|But only half of it.|Do it without being seen.|Bring the key.
Also the ones behind.|Take a sample there.|Forget that.|No, the other one.|Actually, don't.
On second thoughts, leave it.|Not yet, though.|Swap roles.|Then back to base.|Then open the door there.
If it is locked, turn around.|Do them in reverse.|And one more of those.|Look at the neighbors as well.
"""


def main() -> int:
    """Print how often each addition was dropped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", type=Path)
    parser.add_argument("--each", type=int, default=20, help="instructions of each suite")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    dropped: dict[str, int] = {}
    count = 0
    for file in asked.suites or sorted(COURTYARD.glob("*.yaml")):
        suite = load_suite(file)
        grounder = Grounder(load_scene(suite.scene), suite.team)
        right = [
            item.text.strip()
            for item in suite.lists["instructions"]
            if is_correct(item, grounder.ground(item.text))
        ]
        plain = [text for text in right if text.endswith(".") and text.count(".") == 1]
        for text in random.Random(asked.seed).sample(plain, min(asked.each, len(plain))):  # noqa: S311
            count += 1
            before = grounder.ground(text).goals
            for more in additions():
                tail = more if more[0] == "," else f" {more}"
                said = f"{text} {more}" if more.endswith(".") else f"{text[:-1]}{tail}."
                found = grounder.ground(said)
                dropped[more] = dropped.get(more, 0) + (found.goals == before and not found.message)
    for more, n in sorted(dropped.items(), key=lambda row: -row[1]):
        print(f"{n:4d} of {count}  {more}")
    total = sum(dropped.values())
    print(f"{total} of {count * len(dropped)} ({total / max(1, count * len(dropped)):.1%}) dropped")
    return 0


def additions() -> list[str]:
    """Return what is said in addition: tails, and sentences of their own."""
    lines = (TAILS + SENTENCES).split("\n")
    return [more for line in lines for more in line.split("|") if more]


if __name__ == "__main__":
    sys.exit(main())
