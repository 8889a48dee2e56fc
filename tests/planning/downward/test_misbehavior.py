"""Planners that hang, crash, lie or eat memory, and what is left of them afterwards: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.errors import MissingDependencyError
from commonground.planning.downward import DownwardSettings, FastDownward
from commonground.planning.downward.install import translator_folder
from commonground.planning.downward.worker import Worker
from commonground.planning.pddl import Task, load_task, parse_domain, parse_problem
from commonground.planning.result import Status

TASKS = Path(__file__).parents[1] / "pddl" / "tasks"


def blocks() -> Task:
    return load_task(TASKS / "blocks-domain.pddl", TASKS / "blocks-problem.pddl")


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no file may be left by any test here."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    deadline = time.monotonic() + 60
    while (list(folder.iterdir()) or strays(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(folder.iterdir()) == []
    assert strays(folder) == []


def strays(folder: Path) -> list[str]:
    """Return the command lines of processes that were told of a folder or work in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                text = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
                here = str((entry / "cwd").readlink())
            except OSError:
                continue
            if str(folder) in text or here.startswith(str(folder)):
                found.append(text)
    return found


def program(folder: Path, body: str) -> Path:
    path = folder / "downward"
    path.write_text(f"#!{sys.executable}\n{textwrap.dedent(body)}")
    path.chmod(0o755)
    return path


def answer(tmp_path: Path, body: str, limit_s: float = 20) -> tuple[Status, str, float]:
    begin = time.monotonic()
    with FastDownward(DownwardSettings(binary=program(tmp_path, body))) as planner:
        result = planner.solve(blocks(), time_limit_s=limit_s)
    return result.status, result.reason, time.monotonic() - begin


def test_a_search_that_hangs_is_stopped_in_time(tmp_path: Path) -> None:
    status, reason, seconds = answer(tmp_path, "import time; time.sleep(1000)", 0.5)
    # on a busy machine the service has no time left to say it first
    told = any(words in reason for words in ("time was used up", "no answer within"))
    assert status is Status.TIMEOUT and told and seconds < 15


def test_a_search_that_ignores_signals_and_forks_is_stopped(tmp_path: Path) -> None:
    body = """
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.fork()
        time.sleep(30)
    """
    begin = time.monotonic()
    with FastDownward(DownwardSettings(binary=program(tmp_path, body))) as planner:
        assert planner.solve(blocks(), time_limit_s=0.5).status is Status.TIMEOUT
    assert time.monotonic() - begin < 15


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import os; os.abort()", "failed with code -6"),
        ("raise SystemExit(32)", "failed with code 32"),
        ("print('Fatal error: disk on fire'); raise SystemExit(36)", "disk on fire"),
        (
            "open('plan', 'w').write('(lift d)\\n(lift d)\\n; cost = 2 (unit cost)\\n')",
            "plan does not work: step 2",
        ),
        ("open('plan', 'w').write('(sing)\\n; cost = 2 (unit cost)\\n')", "plan cannot be read"),
    ],
)
def test_a_search_that_crashes_or_lies_is_an_error(tmp_path: Path, body: str, words: str) -> None:
    status, reason, _ = answer(tmp_path, body)
    assert status is Status.ERROR and words in reason, reason


def test_a_search_that_ends_in_silence_finds_nothing(tmp_path: Path) -> None:
    status, reason, _ = answer(tmp_path, "raise SystemExit(12)")
    assert status is Status.NOT_FOUND and "without a proof" in reason


def counter(bits: int) -> Task:
    """A counter of many bits: its only plan is exponentially long."""
    actions = "".join(
        f"(:action up{i} :precondition (and (not (b{i})) {' '.join(f'(b{j})' for j in range(i))})"
        f" :effect (and (b{i}) {' '.join(f'(not (b{j}))' for j in range(i))}))"
        for i in range(bits)
    )
    names = " ".join(f"(b{i})" for i in range(bits))
    domain = parse_domain(f"(define (domain c) (:predicates {names}) {actions})")
    return Task(
        domain,
        parse_problem(f"(define (problem p) (:domain c) (:init) (:goal (and {names})))", domain),
    )


def test_time_and_memory_run_out_with_the_real_planner() -> None:
    with FastDownward() as planner:
        late = planner.solve(counter(40), time_limit_s=1.5)
        assert late.status is Status.TIMEOUT
        assert late.time_s["total"] < 10
        full = planner.solve(counter(40), "optimal", time_limit_s=60, memory_limit_mb=64)
        assert full.status is Status.NOT_FOUND and "64 MB" in full.reason
        assert planner.solve(blocks()).solved


def test_a_translator_that_runs_out_of_memory_or_time() -> None:
    objects = " ".join(f"o{i}" for i in range(150))
    domain = parse_domain(
        "(define (domain w) (:predicates (p ?x) (q ?x ?y ?z)) (:action a :parameters (?x ?y ?z) "
        ":precondition (and (p ?x) (p ?y) (p ?z)) :effect (q ?x ?y ?z)))"
    )
    init = " ".join(f"(p o{i})" for i in range(150))
    text = (
        f"(define (problem p) (:domain w) (:objects {objects}) (:init {init}) (:goal (q o1 o2 o3)))"
    )
    task = Task(domain, parse_problem(text, domain))
    with FastDownward() as planner:
        full = planner.solve(task, memory_limit_mb=300, time_limit_s=60)
        assert full.status is Status.NOT_FOUND and "300 MB" in full.reason
        late = planner.solve(task, time_limit_s=1.0)
        assert late.status is Status.TIMEOUT and late.time_s["total"] < 10
        assert planner.solve(blocks()).solved


def kill_when_taken(planner: FastDownward, worker: int) -> None:
    """Kill a worker once it has been given a task; before, another one would take its place."""
    for _ in range(1000):
        if not planner._idle:
            break
        time.sleep(0.01)
    time.sleep(0.5)
    os.kill(worker, signal.SIGKILL)


def test_a_killed_worker_is_replaced() -> None:
    with FastDownward() as planner:
        assert planner.solve(blocks()).solved
        planner._idle[0].process.kill()
        planner._idle[0].process.wait()
        assert planner.solve(blocks()).solved
        busy = planner._idle[0].process.pid
        killer = threading.Thread(target=kill_when_taken, args=(planner, busy))
        killer.start()
        result = planner.solve(counter(40), time_limit_s=20)
        killer.join()
        assert result.status in (Status.ERROR, Status.TIMEOUT)
        assert "ended unexpectedly" in result.reason or "no answer" in result.reason
        assert planner.solve(blocks()).solved


def test_calls_of_several_threads_do_not_mix() -> None:
    names = ["blocks", "gripper", "logistics", "rovers"]
    tasks = {n: load_task(TASKS / f"{n}-domain.pddl", TASKS / f"{n}-problem.pddl") for n in names}
    costs: dict[str, float] = {}
    with FastDownward() as planner:

        def work(name: str) -> None:
            costs[name] = planner.solve(tasks[name], "optimal").cost

        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert costs == {"blocks": 6, "gripper": 11, "logistics": 18, "rovers": 12}


def test_a_killed_program_leaves_nothing(tmp_path: Path) -> None:
    """Even when the parent is killed outright, the worker and its search end and tidy up."""
    script = tmp_path / "parent.py"
    sleeper = program(tmp_path, "import time; time.sleep(60)")
    script.write_text(
        "import sys, tempfile\n"
        f"tempfile.tempdir = {str(tmp_path / 'temporary')!r}\n"
        "from commonground.planning.downward import FastDownward\n"
        "from commonground.planning.pddl import *\n"
        f"task = load_task({str(TASKS / 'blocks-domain.pddl')!r}, {str(TASKS / 'blocks-problem.pddl')!r})\n"
        "planner = FastDownward()\n"
        "from commonground.planning.downward import DownwardSettings\n"
        f"planner.settings = DownwardSettings(binary={str(sleeper)!r})\n"
        "planner.warm_up(); print('up', flush=True)\n"
        "planner.solve(task)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None and parent.stdout.readline() == b"up\n"
        time.sleep(1.0)
        assert strays(tmp_path / "temporary")
        parent.kill()


def test_a_worker_that_nobody_listens_to_leaves_nothing(tmp_path: Path) -> None:
    """A parent that is killed closes both pipes, and which one the worker minds first is chance."""
    worker = Worker(translator_folder(), 60.0)
    assert worker.process.stdin is not None and worker.process.stdout is not None
    worker.process.stdout.close()
    domain, problem = ((TASKS / f"blocks-{one}.pddl").read_text() for one in ("domain", "problem"))
    worker.send(do="translate", domain=domain, problem=problem, memory_mb=2000, options=[])
    assert worker.process.wait(60) == 0
    assert not worker.folder.exists()
    worker.process.stdin.close()


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    with (
        FastDownward(DownwardSettings(binary=tmp_path / "none")) as planner,
        pytest.raises(MissingDependencyError),
    ):
        planner.solve(blocks())


LIMITED = """
import resource, sys
from pathlib import Path
from commonground.planning.downward import FastDownward
from commonground.planning.pddl import load_task

resource.setrlimit(resource.RLIMIT_CPU, (20, 21))
with FastDownward() as planner:
    print(planner.solve(load_task(Path(sys.argv[1]), Path(sys.argv[2])), time_limit_s=60).status)
"""


def test_a_program_with_less_processor_time_than_the_search_may_take_plans() -> None:
    files = (TASKS / "blocks-domain.pddl", TASKS / "blocks-problem.pddl")
    call = [sys.executable, "-c", LIMITED, *map(str, files)]
    ended = subprocess.run(call, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "solved"
