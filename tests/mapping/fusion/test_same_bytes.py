"""The same maps fuse to the same bytes, however many cores a machine has and whatever is in its memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from threadpoolctl import threadpool_info

from commonground.blas import one_blas_thread

FUSE = """
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.fuse import fuse
from commonground.mapping.fusion.output import save_fused

def as_long_as_clips(run):
    # products as large as those of real maps, which a BLAS shares among its threads
    wide = np.tile(run.objects.embeddings, 8)
    return replace(run, objects=replace(run.objects, embeddings=wide))

team = made_up(seed=3, robots=2, submaps=15, extent_m=160.0)
runs = [as_long_as_clips(run) for run in team.runs]
save_fused(fuse(runs, LocalizationSettings(), np.random.default_rng(0)), Path(sys.argv[1]))
"""


def fused_by_a_process(folder: Path, threads: int) -> dict[str, bytes]:
    """Fuse a team in a process of so many threads, with other hashes and other garbage in its memory."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    odd = {"PYTHONHASHSEED": str(threads), "MALLOC_PERTURB_": str(80 * threads)}
    environment = {**os.environ, **dict.fromkeys(names, str(threads)), **odd}
    subprocess.run([sys.executable, "-c", FUSE, str(folder)], env=environment, check=True)
    files = (f for f in folder.rglob("*") if f.is_file() and f.name != "metrics.json")
    return {str(f.relative_to(folder)): f.read_bytes() for f in files}


def test_any_number_of_threads_gives_the_same_files(tmp_path: Path) -> None:
    one, two = (fused_by_a_process(tmp_path / str(n), n) for n in (1, 2))
    assert {"scene.json", "objects.npz", "posegraph.g2o"} <= one.keys()
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


def blas_threads() -> set[int]:
    return {
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    }


def test_blas_has_one_thread_until_the_last_has_left() -> None:
    free = blas_threads()
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_blas_thread:
            entered.set()
            leave.wait(30)

    with one_blas_thread:
        thread = threading.Thread(target=other)
        thread.start()
        assert entered.wait(30)
    within = blas_threads()
    leave.set()
    thread.join()
    assert within == {1}
    assert blas_threads() == free
