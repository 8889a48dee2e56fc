"""Commands give the same bytes in every process, whatever its hash seed, its BLAS threads and its jobs.

Of what they write only times differ: seconds that something took, and the day it was done. A household's
plans are left out: they are improved for as long as a time limit lets them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.attack.corpus import TINY, write_corpus
from tools.attack.written import written

pytestmark = pytest.mark.slow

TEAM = ("scene.json", "--robots", "robots.yaml")
TINY_WORLD = tuple(word for value in TINY for word in ("--set", value))
CALLS = (
    ("simulate", "--out", "bags", "--robots", "husky,spot", "--length", "6", "--seed", "3",
     "--format", "ros1bag", "--jobs", "@jobs", *TINY_WORLD),
    ("simulate", "--out", "seen", "--robots", "husky", "--length", "6", "--seed", "3", *TINY_WORLD),
    ("map", "seen", "--out", "map", "--robot", "husky"),
    ("ground", *TEAM, "--batch", "suite.yaml", "--out", "grounded.jsonl"),
    ("plan", *TEAM, "--goal", "team=(and (safe O7) (safe O15))", "--out", "plan.json"),
    ("export", "scene.json", "--to", "graphml", "--out", "scene.graphml"),
    ("solve", "domain.pddl", "problem.pddl", "--out", "solved.json"),
    ("assemble", "plan", "cell.pl", "--out", "assembly.json", "--seed", "3"),
)  # fmt: skip
KINDS = ("scene", "assembly", "pddl")
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
    write_corpus(apart, KINDS)
    for kind in KINDS:
        shutil.copytree(apart / kind, together, dirs_exist_ok=True)
    return together


def results(place: Path, corpus: Path, number: int) -> Iterator[tuple[str, bytes]]:
    """Run all calls in a process of its own; yield each file, less the times."""
    shutil.copytree(corpus, place)
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(number))
    environment = {**os.environ, **threads, "PYTHONHASHSEED": str(number)}
    calls = "\n".join("\t".join(call).replace("@jobs", str(number)) for call in CALLS)
    ended = subprocess.run(
        [sys.executable, "-c", CHILD], cwd=place, env=environment, input=calls, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    codes = re.findall(r"-> (\d+)", ended.stdout)
    assert codes == ["0"] * len(CALLS), ended.stdout + ended.stderr
    yield from written(place)


def test_other_processes_give_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    one, two = (dict(results(tmp_path / str(n), corpus, n)) for n in (1, 2))
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
