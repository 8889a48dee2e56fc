"""What the commands of the memory cost in a large building: seconds of one processor, beyond a small one.

Every command is a process of its own, as people call it. The same command in a building of a few rooms is
taken off, so that starting Python and loading the reader of English do not count. The first command that
reads words in a memory makes its index of names and keeps it; it stands in a row of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

DOMAIN = """
(define (domain building) (:requirements :strips :typing)
  (:types room cabinet item person robot - object)
  (:predicates (in_room ?c - cabinet ?r - room) (near ?a ?b - cabinet) (placed_in ?i - item ?c - cabinet)
    (held_by ?i - item ?p - person) (gripped_by ?i - item ?a - robot) (hand_free ?a - robot)
    (person_at ?p - person ?r - room) (robot_at ?a - robot ?r - room) (seen_with ?i - item ?j - item))
  (:action go :parameters (?a - robot ?from ?to - room)
    :precondition (robot_at ?a ?from) :effect (and (not (robot_at ?a ?from)) (robot_at ?a ?to)))
  (:action take :parameters (?a - robot ?i - item ?c - cabinet ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (placed_in ?i ?c) (hand_free ?a))
    :effect (and (not (placed_in ?i ?c)) (not (hand_free ?a)) (gripped_by ?i ?a)))
  (:action put :parameters (?a - robot ?i - item ?c - cabinet ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (gripped_by ?i ?a))
    :effect (and (placed_in ?i ?c) (hand_free ?a) (not (gripped_by ?i ?a)))))
"""
SORTS = ("drill", "laptop", "folder", "lamp", "monitor", "toolbox", "microscope", "printer")
RUN = "from commonground.cli.main import main; main()"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("ask", "where is the drill 7"),
    ("tell", "Ada picked up the laptop 5."),
    ("ask", "who has the laptop 5"),
    ("plan", "Put the folder 3 in cabinet 9."),
    ("history", "laptop_5"),
    ("as-of", "2026-01-01T00:00", "laptop_5"),
    ("undo",),
)
Rows = list[list[object]]


def building(rooms: int) -> dict[str, object]:
    """Return rooms with two cabinets each, and eight things to a cabinet that were seen beside others."""
    objects: dict[str, str] = {"hub": "robot", "ada": "person"}
    names: dict[str, str] = {}
    facts: Rows = [["hub", "robot_at", "room_0"], ["hub", "hand_free", True]]
    facts.append(["ada", "person_at", "room_0"])
    for r in range(rooms):
        objects[f"room_{r}"], names[f"room_{r}"] = "room", f"room {r}"
        for c in (2 * r, 2 * r + 1):
            objects[f"cabinet_{c}"], names[f"cabinet_{c}"] = "cabinet", f"cabinet {c}"
            facts.append([f"cabinet_{c}", "in_room", f"room_{r}"])
            for k, sort in enumerate(SORTS):
                key = f"{sort}_{c}"
                objects[key], names[key] = "item", f"{sort} {c}"
                facts.append([key, "placed_in", f"cabinet_{c}"])
                for j in range(10):
                    other = f"{SORTS[(k + j) % 8]}_{(c + 1 + j // 8) % (2 * rooms)}"
                    facts.append([key, "seen_with", other])
    people = {"ada": {"name": "Ada", "pronoun": "she"}}
    return {"objects": objects, "names": names, "people": people, "facts": facts}


def seconds(*words: str) -> float:
    """Return the seconds that one command of the memory takes, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, "memory", *words], capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode not in (0, 3):
        raise SystemExit(ran.stderr)
    print(f"  {' '.join(words[:2])}: {(ran.stdout + ran.stderr).splitlines()[:1]}", file=sys.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs(folder: Path, rooms: int) -> list[float]:
    """Return the seconds of making a memory, and of the commands in it, one after the other."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "world.jsonl").write_text(json.dumps(building(rooms)) + "\n")
    file = ("--memory", str(folder / "m.db"))
    files = ("--domain", str(folder / "domain.pddl"), "--facts", str(folder / "world.jsonl"))
    made = seconds("init", *files, *file)
    return [made, *(seconds(*words, *file) for words in COMMANDS)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the seconds of each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=560, help="19 things and 180 facts each.")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        small = costs(Path(folder) / "small", 10)
        large = costs(Path(folder) / "large", args.rooms)
    print(f"| command | seconds beyond a small building ({args.rooms} rooms) | in all |")
    print("|---|---|---|")
    for words, one, other in zip((("init",), *COMMANDS), small, large, strict=True):
        print(f"| {' '.join(words)} | {other - one:.2f} | {other:.2f} |")


if __name__ == "__main__":
    main()
