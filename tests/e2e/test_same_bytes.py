"""Commands give the same bytes in every process, whatever its hash seed, its BLAS threads and its jobs.

Of what they write and answer only times differ: seconds that something took, and the day it was done. A live
run is left out: which frames two processes have taken in when maps are fused depends on how fast they are; so
is the console, where people act when they like (what a mission there comes to is compared after kills, by
``tools.attack.kills``), and ``eval``, whose tables tell times. Households are planned once, not improved for
a share of a second.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.attack.corpus import TINY, write_corpus
from tools.attack.written import parsed, untimed, written

pytestmark = pytest.mark.slow

TEAM = ("scene.json", "--robots", "robots.yaml")
TINY_WORLD = tuple(word for value in TINY for word in ("--set", value))
DRIVE = ("--robots", "husky,spot", "--length", "6", "--seed", "3", *TINY_WORLD)
HOME = ("--domain", "home.pddl", "--facts", "home.jsonl", "--at", "2026-01-01")
MEMORY = ("--memory", "new.db")
CALLS = (
    ("simulate", "--out", "bags", "--format", "ros1bag", "--jobs", "@jobs", *DRIVE),
    ("simulate", "--out", "drive", *DRIVE),
    ("map", "bags", "--out", "map", "--robot", "spot"),
    ("run", "story.yaml", "--out", "told"),
    ("fuse", "told", "--out", "team", "--jobs", "@jobs"),
    ("localize", "told", "drive", "--robot", "husky", "--out", "localized.jsonl"),
    ("ground", *TEAM, "--batch", "suite.yaml", "--out", "grounded.jsonl"),
    ("plan", *TEAM, "--goal", "team=(and (safe O7) (safe O15))", "--out", "plan.json"),
    ("mission", *TEAM, "--goal", "husky=(visited-object O1)", "--yes", "--id", "new"),
    ("mission", *TEAM, "--goal", "spot=(safe O7)", "--yes", "--id", "faulty", "--faults", "faults.yaml",
     "--seed", "7"),
    ("mission", "--replay", "faulty", "--json"),
    ("find", "scene.json", "sign", "--where", "near O19", "--json"),
    ("find", "team", "tree", "--crops", "crops", "--json"),
    ("find", "scene.json", "--call", "R3=charging bay"),
    ("data", "info", "drive", "--json"),
    ("data", "info", "bags", "--json"),
    ("export", "scene.json", "--to", "graphml", "--out", "scene.graphml"),
    ("solve", "domain.pddl", "problem.pddl", "--out", "solved.json"),
    ("solve", "domain.pddl", "problem.pddl", "--mode", "anytime", "--out", "better.json"),
    ("memory", "init", *HOME, *MEMORY),
    ("memory", "tell", "Ann put her mug on the desk.", "--at", "2026-01-02", *MEMORY),
    ("memory", "observe", "seen.json", *MEMORY),
    ("memory", "history", "mug", "--json", *MEMORY),
    ("memory", "as-of", "2026-01-03", "--json", *MEMORY),
    ("memory", "plan", "Put the mug into the chest.", "--json", *MEMORY),
    ("memory", "replay", "episode.jsonl", "--out", "replayed.jsonl"),
    ("household", "worlds.yaml", "tasks.yaml", "--out", "jobs.jsonl", "--keep", "kept",
     "--set", "household.improve_s=0"),
    ("assemble", "plan", "cell.pl", "--out", "assembly.json", "--seed", "3"),
    ("assemble", "tree", "assembly.json", "--out", "tree.xml"),
    ("assemble", "explain", "assembly.json", "3", "--json"),
    ("solve", "shelf/domain.pddl", "--streams", "shelf/stream.pddl", "--stream-map", "shelf/shelf.py",
     "--seed", "3", "--out", "shelf.json"),
)  # fmt: skip
MAY_FALL_SHORT = {"localize", "run", "fuse"}
"""Commands that may say of a drive this short that it does not tell the place."""
KINDS = ("scene", "assembly", "pddl", "memory", "house", "story")
CHILD = """
import sys
from commonground.cli.main import run

for line in sys.stdin.read().splitlines():
    words = line.split("\\t")
    print("$", *words[:2], "->", run(words), flush=True)
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Honest files for all calls, in one folder."""
    apart, together = tmp_path_factory.mktemp("apart"), tmp_path_factory.mktemp("together")
    if shutil.which("swipl") is None:
        pytest.skip("SWI-Prolog is not installed (swi-prolog-nox)")
    write_corpus(apart, (*KINDS, "streams"))
    for kind in KINDS:
        shutil.copytree(apart / kind, together, dirs_exist_ok=True)
    shutil.copytree(apart / "streams", together / "shelf")
    (together / "faults.yaml").write_text(
        "faults:\n  - {kind: slow, robot: spot, at_s: 3, lasts_s: 5}\n"
    )
    return together


def results(place: Path, corpus: Path, number: int) -> Iterator[tuple[str, Any]]:
    """Run all calls in a process of its own; yield each file, less the times."""
    shutil.copytree(corpus, place)
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(number))
    idle = {"OPENBLAS_THREAD_TIMEOUT": "4", "OMP_WAIT_POLICY": "passive"}  # sleep, do not spin
    environment = {**os.environ, **threads, **idle, "PYTHONHASHSEED": str(number)}
    calls = "\n".join("\t".join(call).replace("@jobs", str(number)) for call in CALLS)
    ended = subprocess.run(
        [sys.executable, "-c", CHILD], cwd=place, env=environment, input=calls, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    codes = re.findall(r"^\$ (\w+) .*-> (\d+)$", ended.stdout, re.MULTILINE)
    assert len(codes) == len(CALLS), ended.stdout + ended.stderr
    for name, code in codes:
        assert code == "0" or (code == "3" and name in MAY_FALL_SHORT), (name, ended.stderr)
    yield from written(place)
    answers = [line for line in ended.stdout.splitlines() if line.startswith("{")]
    for k, answer in enumerate(answers):
        yield f"answer {k} of --json", untimed(parsed(answer))


def test_other_processes_give_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"  # some files name where others lie
    one = dict(results(place, corpus, 1))
    shutil.rmtree(place)
    two = dict(results(place, corpus, 2))
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
