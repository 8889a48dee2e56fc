"""What the commands of the memory cost in a large world: seconds of one processor, beyond a small one.

Every command is a process of its own, as people call it. The same command in a small world of the same domain
is taken off, so that starting Python and loading the reader of English do not count. Two domains: a building
with two cabinets in a room, and a seed bank whose halls hold hundreds of shelves, with states, a derived
predicate, and questions and tasks about all things of a kind.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
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
SEED_BANK = """
(define (domain seed-bank) (:requirements :strips :typing :negative-preconditions :derived-predicates)
  (:types hall store thing agent - object freezer rack - store tray kit - thing keeper cart - agent)
  (:predicates (stands_in ?s - (either freezer rack) ?h - hall) (lies_on ?t - thing ?r - rack)
    (kept_in ?t - thing ?f - freezer) (carried_by ?t - thing ?a - cart) (keeper_in ?k - keeper ?h - hall)
    (cart_in ?a - cart ?h - hall) (freezer_open ?f - freezer) (sealed ?t - tray) (labelled ?t - tray)
    (tested ?t - tray) (free_fork ?a - cart) (crossed_with ?t ?o - tray) (in_reach ?t - thing))
  (:derived (in_reach ?t - thing) (exists (?r - rack) (lies_on ?t ?r)))
  (:action go :parameters (?a - cart ?from ?to - hall)
    :precondition (cart_in ?a ?from) :effect (and (not (cart_in ?a ?from)) (cart_in ?a ?to)))
  (:action open_freezer :parameters (?a - cart ?h - hall ?f - freezer)
    :precondition (and (cart_in ?a ?h) (stands_in ?f ?h) (not (freezer_open ?f))) :effect (freezer_open ?f))
  (:action close_freezer :parameters (?a - cart ?h - hall ?f - freezer)
    :precondition (and (cart_in ?a ?h) (stands_in ?f ?h) (freezer_open ?f)) :effect (not (freezer_open ?f)))
  (:action take_from_freezer :parameters (?a - cart ?h - hall ?t - thing ?f - freezer)
    :precondition (and (cart_in ?a ?h) (stands_in ?f ?h) (kept_in ?t ?f) (freezer_open ?f) (free_fork ?a))
    :effect (and (not (kept_in ?t ?f)) (not (free_fork ?a)) (carried_by ?t ?a)))
  (:action take_from_rack :parameters (?a - cart ?h - hall ?t - thing ?r - rack)
    :precondition (and (cart_in ?a ?h) (stands_in ?r ?h) (lies_on ?t ?r) (free_fork ?a))
    :effect (and (not (lies_on ?t ?r)) (not (free_fork ?a)) (carried_by ?t ?a)))
  (:action put_on_rack :parameters (?a - cart ?h - hall ?t - thing ?r - rack)
    :precondition (and (cart_in ?a ?h) (stands_in ?r ?h) (carried_by ?t ?a))
    :effect (and (lies_on ?t ?r) (free_fork ?a) (not (carried_by ?t ?a))))
  (:action put_in_freezer :parameters (?a - cart ?h - hall ?t - thing ?f - freezer)
    :precondition (and (cart_in ?a ?h) (stands_in ?f ?h) (freezer_open ?f) (carried_by ?t ?a))
    :effect (and (kept_in ?t ?f) (free_fork ?a) (not (carried_by ?t ?a))))
  (:action seal :parameters (?a - cart ?t - tray) :precondition (carried_by ?t ?a) :effect (sealed ?t)))
"""
SORTS = ("drill", "laptop", "folder", "lamp", "monitor", "toolbox", "microscope", "printer")
RUN = "from commonground.cli.main import main; main()"
Commands = tuple[tuple[str, ...], ...]
IN_BUILDING: Commands = (
    ("ask", "where is the drill 7"),
    ("tell", "Ada picked up the laptop 5."),
    ("ask", "who has the laptop 5"),
    ("plan", "Put the folder 3 in cabinet 9."),
    ("history", "laptop_5"),
    ("as-of", "2026-01-01T00:00", "laptop_5"),
    ("undo",),
)
IN_SEED_BANK: Commands = (
    ("ask", "Where is tray number 7?"),
    ("ask", "How many trays are sealed?"),
    ("tell", "Ada put tray number 5 on rack 9."),
    ("tell", "Tray number 8 is labelled."),
    ("plan", "Put tray number 3 on rack 7."),
    ("history", "tray_5"),
    ("as-of", "2026-01-01T00:00", "tray_5"),
    ("plan", "Close all freezers."),
    ("undo",),
)
HALLS = 4
"""The halls of the seed bank, however much stands in them."""
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


def seed_bank(size: int) -> dict[str, object]:
    """Return a freezer and a rack, of those half the freezers open, with eight trays for each number."""
    objects: dict[str, str] = {"cart_1": "cart", "ada": "keeper"}
    objects |= {f"hall_{h}": "hall" for h in range(HALLS)}
    facts: Rows = [["cart_1", "cart_in", "hall_0"], ["cart_1", "free_fork", True]]
    facts.append(["ada", "keeper_in", "hall_0"])
    names = {"ada": "Ada"}
    for n in range(size):
        objects |= {f"freezer_{n}": "freezer", f"rack_{n}": "rack"}
        facts += [
            [f"{store}_{n}", "stands_in", f"hall_{n % HALLS}"] for store in ("freezer", "rack")
        ]
        facts.append([f"freezer_{n}", "freezer_open", n % 2 == 0])
        for tray in range(8 * n, 8 * n + 8):
            key, others = f"tray_{tray}", (f"tray_{(tray + k) % (8 * size)}" for k in range(1, 9))
            objects[key], names[key] = "tray", f"tray number {tray}"
            in_ = ["lies_on", f"rack_{n}"] if tray % 3 else ["kept_in", f"freezer_{n}"]
            facts += [[key, *in_], [key, "sealed", tray % 2 == 0], [key, "labelled", tray % 5 == 0]]
            facts += [[key, "tested", tray % 7 == 0], *([key, "crossed_with", o] for o in others)]
    return {"objects": objects, "names": names, "facts": facts}


def seconds(*words: str) -> float:
    """Return the seconds that one command of the memory takes, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, "memory", *words], capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0:
        raise SystemExit(ran.stderr)
    print(f"  {' '.join(words[:2])}: {(ran.stdout + ran.stderr).splitlines()[:1]}", file=sys.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs(folder: Path, domain: str, world: dict[str, object], commands: Commands) -> list[float]:
    """Return the seconds of making a memory, and of the commands in it, one after the other."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(domain)
    (folder / "world.jsonl").write_text(json.dumps(world) + "\n")
    file = ("--memory", str(folder / "m.db"))
    files = ("--domain", str(folder / "domain.pddl"), "--facts", str(folder / "world.jsonl"))
    made = seconds("init", *files, *file)
    return [made, *(seconds(*words, *file) for words in commands)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the seconds of each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=560, help="19 things and 180 facts each.")
    parser.add_argument("--shelves", type=int, default=1000, help="10 things and 99 facts each.")
    parser.add_argument("--runs", type=int, default=3, help="The median of so many is told.")
    args = parser.parse_args(arguments)
    worlds = (
        ("building", DOMAIN, building, IN_BUILDING, args.rooms),
        ("seed bank", SEED_BANK, seed_bank, IN_SEED_BANK, args.shelves),
    )
    for title, domain, made, commands, size in worlds:
        runs: list[tuple[list[float], list[float]]] = []
        for _ in range(args.runs):
            with tempfile.TemporaryDirectory() as folder:
                small = costs(Path(folder) / "small", domain, made(10), commands)
                runs.append((small, costs(Path(folder) / "large", domain, made(size), commands)))
        print(f"| {title} | seconds beyond a small one | in all |\n|---|---|---|")
        for at, words in enumerate((("init",), *commands)):
            beyond, in_all = (
                statistics.median(of(small[at], large[at]) for small, large in runs)
                for of in (lambda one, other: other - one, lambda one, other: other)
            )
            print(f"| {' '.join(words)} | {beyond:.2f} | {in_all:.2f} |")


if __name__ == "__main__":
    main()
