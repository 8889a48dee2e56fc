"""Bases that do harm: a clear finding in bounded time, and no process left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commonground.errors import GroundingError, MissingDependencyError
from commonground.grounding.prolog.base.engine import Engine, PrologStopped
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_base, solve_program
from commonground.planning.result import Status

TIGHT = PrologSettings(call_limit_s=3, goal_limit_s=0.5, memory_limit_mb=512, stack_limit_mb=64)


def runs(process: int) -> bool:
    """Return whether a process is there and not a zombie."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0]
    except OSError:
        return False


def gone(process: int) -> bool:
    """Return whether a process ends, soon."""
    deadline = time.monotonic() + 60
    while runs(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not runs(process)


def with_goal(data: Path, goal: str, clauses: str) -> str:
    program = (data / "cups.pl").read_text()
    return program.replace("place(From), shelf(To)]", f"place(From), shelf(To), {goal}]") + clauses


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("endless(Cup)", "endless(X) :- endless(X).\n"),
        ("endless(Cup)", "endless(X) :- length(_, _), X = no.\n"),
    ],
)
def test_goals_without_end(swipl: None, data: Path, goal: str, clauses: str) -> None:
    program = with_goal(data, goal, clauses)
    with Engine(TIGHT) as engine:
        findings = check(engine, program)
        process = engine.process_id
        assert any("endless(Cup)" in f.message and f.kind == "grounding" for f in findings), (
            findings
        )
    with pytest.raises(GroundingError, match="endless"):
        solve_program(program, "bad", None, TIGHT)
    assert process is None or gone(process)


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("count(_)", "count(0).\ncount(N) :- count(M), N is M + 1.\n"),
        ("endless(_)", "endless(X) :- endless(X).\nendless(me).\n"),
    ],
)
def test_goals_that_hit_a_bound_prove_nothing(
    swipl: None, data: Path, goal: str, clauses: str
) -> None:
    with pytest.raises(GroundingError, match="does not end|memory|more solutions"):
        solve_program(with_goal(data, goal, clauses), "bad", None, TIGHT)


def test_times_that_nothing_takes(swipl: None, data: Path) -> None:
    program = (data / "cups.pl").read_text()
    for seconds in ("1.0e308", "1" + "0" * 50):
        with Engine(TIGHT) as engine:
            findings = check(engine, program + f"duration(grip, {seconds}, {seconds}).\n")
        assert any("from 0 to" in f.message for f in findings)


def test_a_base_that_fills_memory(swipl: None, data: Path) -> None:
    program = with_goal(data, "grow(Cup, [x])", "grow(C, L) :- append(L, L, M), grow(C, M).\n")
    with Engine(TIGHT) as engine:
        findings = check(engine, program)
    assert any("grow" in f.message for f in findings), findings


def test_a_goal_that_does_not_listen_is_killed(swipl: None) -> None:
    with Engine(PrologSettings(call_limit_s=0.5)) as engine:
        engine.read("x", "a.")
        process = engine.process_id
        with pytest.raises(PrologStopped):
            engine._query("numlist(1, 300000000, L), msort(L, _)", 0.5, "kb_tables")
        deadline = time.monotonic() + 60
        while process is not None and runs(process) and time.monotonic() < deadline:
            engine.close()
            time.sleep(0.05)
        assert process is not None and not runs(process)
        assert engine.read("x", "a."), "the next question starts another process"


def test_prolog_ends_with_the_program_that_started_it(swipl: None) -> None:
    script = (
        "import os, time\n"
        "from commonground.grounding.prolog.base.engine import Engine\n"
        "engine = Engine()\n"
        "engine.read('x', 'a.')\n"
        "print(engine.process_id, flush=True)\n"
        "time.sleep(60)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    process = int(program.stdout.readline())
    assert runs(process)
    program.kill()
    program.wait()
    program.stdout.close()
    assert gone(process)


def test_a_program_that_leaves_prolog_open_ends(swipl: None) -> None:
    script = (
        "from commonground.grounding.prolog.base.engine import Engine\n"
        "engine = Engine()\n"
        "engine.read('x', 'a.')\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=300)


def test_prolog_cannot_write_files(swipl: None, tmp_path: Path) -> None:
    """Even what would get past the sandbox meets a process that may not write."""
    target = tmp_path / "written"
    with Engine() as engine:
        engine.read("x", "a.")
        with pytest.raises((PrologStopped, GroundingError)):
            engine._query(f"open('{target}', write, S), write(S, hello), close(S)", 5, "kb_tables")
    assert not target.exists() or target.stat().st_size == 0


def test_without_swi_prolog(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(MissingDependencyError, match="apt-get install swi-prolog-nox"):
        solve_base(data / "cups.pl")


@pytest.mark.parametrize("agents", [0, -3])
def test_no_agents(swipl: None, data: Path, agents: int) -> None:
    with pytest.raises(GroundingError, match="at least 1"):
        solve_base(data / "cups.pl", agents)


def test_impossible_goals_are_proven_and_named(swipl: None, data: Path) -> None:
    program = (data / "cups.pl").read_text()
    for change in ("stands(c2, roof)", "stands(c9, bottom)"):
        _, found = solve_program(program.replace("stands(c2, bottom)", change), "bad")
        assert found.status is Status.UNSOLVABLE
        assert change in found.reason


def test_goals_that_exclude_each_other(swipl: None, data: Path) -> None:
    """Each can be reached, both together cannot: only a search of everything proves that."""
    program = (data / "cups.pl").read_text().replace("stands(c2, bottom)", "stands(c2, top)")
    _, found = solve_program(program, "bad")
    assert found.status is Status.UNSOLVABLE, found.reason


def test_a_mapping_that_cannot_be_executed(swipl: None, data: Path) -> None:
    program = (data / "cups.pl").read_text().replace("suck_start(Agent), suck_end(Agent),\n", "\n")
    _, found = solve_program(program, "bad")
    assert found.status is not Status.SOLVED
    assert "ll_vacuum" in found.reason


def test_a_file_that_is_none(swipl: None, tmp_path: Path) -> None:
    with pytest.raises(GroundingError, match="no such file"):
        solve_base(tmp_path / "nothing.pl")
    (tmp_path / "binary.pl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GroundingError, match="cannot be read as text"):
        solve_base(tmp_path / "binary.pl")


def test_an_empty_base(swipl: None) -> None:
    with Engine() as engine:
        kinds = {f.kind for f in load(engine, "").findings}
    assert kinds == {"missing"}
