"""``commonground solve`` as a user calls it: PDDL and PDDLStream problems, and what bad input gets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commonground.planning.pddl import execute, load_task, parse_plan
from tests.conftest import Call

PROGRAM = [sys.executable, "-m", "commonground", "solve"]
TASKS = Path(__file__).parents[1] / "planning" / "pddl" / "tasks"


def solve(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    call = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, check=False, timeout=120)


def files(name: str) -> tuple[Path, Path]:
    return TASKS / f"{name}-domain.pddl", TASKS / f"{name}-problem.pddl"


def test_a_pddl_problem_solved_optimally(tmp_path: Path) -> None:
    out = tmp_path / "plan.txt"
    shown = solve(*files("blocks"), "--mode", "optimal", "--out", out)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == out.read_text()
    assert "; cost = 6 (optimal)" in shown.stdout
    assert execute(load_task(*files("blocks")), parse_plan(out.read_text())).valid


def test_json_holds_the_plan_and_its_bound(tmp_path: Path, call: Call) -> None:
    out = tmp_path / "plan.json"
    shown = call("solve", *files("gripper"), "--json", "--mode", "optimal", "--out", out)
    answer = json.loads(shown.stdout)
    assert shown.returncode == 0
    assert (answer["status"], answer["cost"], answer["lower_bound"]) == ("solved", 11, 11)
    assert answer["optimal"] and len(answer["plan"]) == 11
    assert set(answer["plan"][0]) == {"action", "args"}
    assert answer["time_s"]["total"] > 0
    assert json.loads(out.read_text())["plan"] == answer["plan"]


def test_no_plan_is_an_honest_no(tmp_path: Path, call: Call) -> None:
    domain, problem = files("blocks")
    text = problem.read_text()
    goal = text[text.index("(:goal") :]
    impossible = tmp_path / "problem.pddl"
    impossible.write_text(text.replace(goal, "(:goal (and (upon a b) (upon b a))))\n"))
    shown = solve(domain, impossible)
    assert shown.returncode == 3
    assert shown.stderr.startswith("commonground: unsolvable: ")
    answer = call("solve", domain, impossible, "--json")
    assert answer.returncode == 3 and json.loads(answer.stdout)["status"] == "unsolvable"


DOMAIN = """(define (domain errands) (:requirements :strips :typing) (:types spot - object)
  (:constants home - spot)
  (:predicates (at ?p - spot) (free ?p - spot) (pose ?q) (way ?p ?q) (done))
  (:functions (length ?p ?q))
  (:action walk :parameters (?p - spot ?q) :precondition (and (at ?p) (way ?p ?q))
    :effect (and (done) (increase (total-cost) (length ?p ?q)))))
"""
STREAMS = """(define (stream errands)
  (:stream sample :inputs (?p) :domain (free ?p) :outputs (?q) :certified (and (pose ?q) (way ?p ?q)))
  (:function (length ?p ?q) (way ?p ?q)))
"""
PROBLEM = """(define (problem p) (:domain errands) (:objects door - spot)
  (:init (at door) (free door)) (:goal (done)))
"""
MODULE = """
from commonground.planning.streams import from_sampler
print("hello")
constant_map = {"door": (0.0, 0.0)}
def stream_map(rng):
    return {"sample": from_sampler(lambda p: ((p[0] + round(rng.uniform(1, 9), 2), p[1]),)),
            "length": lambda p, q: q[0] - p[0]}
"""


class Errands:
    """The files of a small stream problem, any of which a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write(domain=DOMAIN, streams=STREAMS, problem=PROBLEM, module=MODULE)

    def write(self, **texts: str) -> None:
        for name, text in texts.items():
            (self.folder / f"{name}.{'py' if name == 'module' else 'pddl'}").write_text(text)

    def words(self, *more: object, problem: bool = True) -> list[object]:
        f = self.folder
        given = [f / "domain.pddl", *([f / "problem.pddl"] if problem else [])]
        named = ["--streams", f / "streams.pddl", "--stream-map", f / "module.py"]
        return [*given, *named, *more]

    def solve(self, *more: object) -> subprocess.CompletedProcess[str]:
        """Solve it in a process of its own."""
        return solve(*self.words(*more))


@pytest.fixture
def errands(tmp_path: Path) -> Errands:
    return Errands(tmp_path)


def test_a_stream_problem_is_solved_the_same_for_the_same_seed(
    errands: Errands, call: Call
) -> None:
    first, again, other = (errands.solve("--seed", seed) for seed in (1, 1, 2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout != other.stdout
    assert first.stdout.startswith("(walk door [") and "hello" in first.stderr
    words = errands.words("--seed", 1, "--json", "--algorithm", "focused")
    answer = json.loads(call("solve", *words).stdout)
    assert answer["status"] == "solved" and answer["stream_calls"] >= 1
    assert answer["plan"][0]["args"][0] == "door" and 1 <= answer["cost"] <= 9


def test_more_time_gives_better_plans(errands: Errands, call: Call) -> None:
    first = json.loads(call("solve", *errands.words("--json")).stdout)
    longer = errands.words("--json", "--mode", "anytime", "--time-limit-s", 1)
    better = json.loads(call("solve", *longer).stdout)
    assert better["cost"] < first["cost"] and better["cost"] < 1.5


def test_the_module_may_give_init_and_goal(errands: Errands, call: Call) -> None:
    errands.write(
        module=MODULE
        + "init = [(constant_map['door'], '-', 'spot'), ('at', constant_map['door']), "
        + "('free', constant_map['door'])]\ndef goal(): return ('done',)\n"
    )
    assert call("solve", *errands.words(problem=False)).returncode == 0
    twice = call("solve", *errands.words())
    assert twice.returncode == 1 and "both give a goal" in twice.stderr


def test_a_goal_that_no_stream_can_help_is_unsolvable(errands: Errands, call: Call) -> None:
    errands.write(problem=PROBLEM.replace("(:goal (done))", "(:goal (at home))"))
    shown = call("solve", *errands.words("--time-limit-s", 20))
    assert shown.returncode == 3 and "unsolvable: there is no plan, whatever" in shown.stderr


def test_a_stream_that_hangs_is_interrupted(errands: Errands) -> None:
    hanging = "from_sampler(lambda p: __import__('time').sleep(100))"
    start = MODULE.index("from_sampler(lambda")
    errands.write(
        module=MODULE[:start] + hanging + MODULE[MODULE.index(',\n            "length"') :]
    )
    shown = errands.solve("--time-limit-s", 0.5)
    assert shown.returncode == 3 and "timeout: the time was used up" in shown.stderr


BAD: list[tuple[dict[str, str], int, str]] = [
    (
        {"problem": PROBLEM.replace("(at door)", "(at dor)")},
        1,
        "problem.pddl:2:10: unknown object 'dor' in (at dor). Did you mean 'door'?",
    ),
    ({"problem": PROBLEM.replace("- spot", "- spat")}, 1, "problem.pddl:1:49: unknown type 'spat'"),
    ({"problem": PROBLEM.replace("(done))", "(done)")}, 1, "problem.pddl:1:1: expected ')'"),
    ({"domain": DOMAIN.replace("(at ?p) (way", "(att ?p) (way")}, 1, "domain.pddl:5:63: unknown"),
    ({"domain": DOMAIN.replace(":effect", ":efect")}, 1, "Did you mean ':effect'"),
    ({"streams": STREAMS.replace(":inputs", ":input")}, 1, "streams.pddl:2:19: unknown part"),
    (
        {"module": "stream_mop = {}\n"},
        1,
        "has no 'stream_map'; define one. Did you mean 'stream_mop'",
    ),
    ({"module": "def broken(:\n"}, 1, "cannot be loaded: module.py:1:12: "),
    ({"module": "import pddlstream.utils\n"}, 1, "import these names from commonground"),
    ({"module": "1 / 0\n"}, 1, "ZeroDivisionError: division by zero (line 1)"),
    ({"module": "stream_map = {}\n"}, 1, "stream 'sample' has no procedure"),
    (
        {"module": "def stream_map(): raise OSError('disk')\n"},
        1,
        "stream_map() failed: OSError: disk",
    ),
    (
        {"module": MODULE.replace("q[0] - p[0]", "-1")},
        1,
        "function 'length' returned -1; costs are numbers of at least 0",
    ),
    ({"module": MODULE + "\ninit = 3\n"}, 1, "'init' must be a list, not int"),
    (
        {"module": MODULE.replace("q[0] - p[0]", "(_ for _ in ()).throw(GeneratorExit)")},
        1,
        "the code that was given ends the program",
    ),
]


@pytest.mark.parametrize(("texts", "code", "words"), BAD)
def test_mistakes_are_named_where_they_are(
    errands: Errands, call: Call, texts: dict[str, str], code: int, words: str
) -> None:
    errands.write(**texts)
    shown = call("solve", *errands.words("--time-limit-s", 20))
    assert words in shown.stderr and shown.returncode == code
    assert "Traceback" not in shown.stderr and shown.stdout == ""


def test_a_module_that_others_may_have_written_is_not_run(errands: Errands, call: Call) -> None:
    (errands.folder / "module.py").chmod(0o666)
    shown = call("solve", *errands.words())
    assert shown.returncode == 1 and "everybody may change it" in shown.stderr
    assert "hello" not in shown.stderr
    for name in (
        "http://example.org/streams.py",
        str(errands.folder),
        "os; print(1)",
        "no.such.module",
    ):
        domain, streams = errands.folder / "domain.pddl", errands.folder / "streams.pddl"
        refused = call("solve", domain, "--streams", streams, "--stream-map", name)
        assert refused.returncode == 1 and "stream map" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([TASKS / "blocks-domain.pddl"], 2, "a PROBLEM file is needed"),
        ([*files("blocks"), "--streams", "s.pddl"], 2, "go together"),
        ([*files("blocks"), "--mode", "optimum"], 1, "Did you mean 'optimal'"),
        ([TASKS / "blocks-domain.pddl", "nowhere.pddl"], 1, "nowhere.pddl: cannot be read"),
        ([*files("blocks"), "--time-limit-s", "-1"], 2, "time-limit-s"),
        ([*files("blocks"), "--time-limit-s", "1" * 999], 2, "time-limit-s"),
    ],
)
def test_wrong_calls(call: Call, arguments: list[object], code: int, words: str) -> None:
    shown = call("solve", *arguments)
    assert shown.returncode == code and words in shown.stderr, shown.stderr


UPSTREAM = {
    "__init__": "",
    "algorithms/__init__": "",
    "language/__init__": "",
    "algorithms/meta": "from commonground.planning.streams import solve as _solve\n"
    "def solve(problem, algorithm='adaptive', stream_info={}, verbose=True, **kwargs):\n"
    "    assert type(problem).__module__ == 'pddlstream.language.constants'\n"
    "    return _solve(tuple(problem), algorithm, **kwargs) if ALIVE else (None, 9.9, ([], []))\n",
    "language/constants": "from commonground.planning.streams.language import PDDLProblem as P\n"
    "class PDDLProblem(P): pass\n",
}


@pytest.mark.parametrize("alive", [True, False])
def test_the_upstream_engine_is_called_where_it_is_installed(
    errands: Errands, monkeypatch: pytest.MonkeyPatch, alive: bool
) -> None:
    shown = errands.solve("--engine", "upstream")
    assert shown.returncode == 1 and "needs the package 'pddlstream'" in shown.stderr
    for name, text in UPSTREAM.items():
        path = errands.folder / "site" / "pddlstream" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("ALIVE", str(alive)))
    monkeypatch.setenv("PYTHONPATH", str(errands.folder / "site"))
    shown = errands.solve("--engine", "upstream", "--seed", 1)
    assert shown.returncode == (0 if alive else 3), shown.stderr
    if alive:
        assert shown.stdout == errands.solve("--seed", 1).stdout
