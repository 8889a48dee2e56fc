"""Problems in files, solved in one call: what is proven of their costs, and what they forgot."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.main import main
from commonground.planning import problems, solve_problem
from commonground.planning.downward import FastDownward
from commonground.planning.downward.configurations import Mode
from commonground.planning.pddl import PddlError, Task, load_task, parse_domain, parse_problem
from commonground.planning.pddl.valueless import missing_costs
from commonground.planning.result import PlanResult, Status

DOMAIN = """(define (domain roads) (:requirements :typing :action-costs :negative-preconditions)
 (:types town)
 (:predicates (at ?t - town) (road ?a ?b - town) (flooded ?t - town))
 (:functions (total-cost) - number (length ?a ?b - town) - number)
 (:action drive :parameters (?a ?b - town)
  :precondition (and (at ?a) (or (road ?a ?b) (road ?b ?a)) (not (flooded ?b)))
  :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))"""

PROBLEM = """(define (problem there) (:domain roads)
 (:objects mill port inn ford - town)
 (:init (at mill) (road mill inn) (road inn port) (road mill ford) (road ford port) (flooded ford)
  (= (total-cost) 0) (= (length mill inn) 3) (= (length inn mill) 3) (= (length port inn) 4) {more})
 (:goal (at port)) (:metric minimize (total-cost)))"""

FORD = "(= (length mill ford) 1) (= (length ford mill) 1) (= (length ford port) 1) (= (length port ford) 1)"


def files(folder: Path, more: str) -> tuple[str, str]:
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM.format(more=more))
    return str(domain), str(problem)


def test_anytime_proves_a_small_problem(tmp_path: Path) -> None:
    solved = solve_problem(*files(tmp_path, f"(= (length inn port) 4) {FORD}"), mode="anytime")
    assert (solved.cost, solved.lower_bound, solved.optimal) == (7, 7, True)
    assert not solved.reason


def test_a_forgotten_cost_is_named(tmp_path: Path) -> None:
    lost = solve_problem(*files(tmp_path, FORD))
    assert lost.status == "unsolvable"
    assert "(length inn port) has no value, so 'drive' cannot be taken there" in lost.reason


def test_no_cost_is_missed_where_no_way_leads(tmp_path: Path) -> None:
    """Of derived predicates that nothing changes it is known where they hold."""
    domain, problem = files(tmp_path, FORD)
    text = Path(domain).read_text()
    text = text.replace("(or (road ?a ?b) (road ?b ?a))", "(linked ?a ?b) (not (shut ?b))").replace(
        "(flooded ?t - town))",
        """(flooded ?t - town) (linked ?a ?b - town) (shut ?t - town))
 (:derived (shut ?t - town) (and (at ?t) (flooded ?t)))
 (:derived (linked ?a ?b - town) (or (road ?a ?b) (road ?b ?a)))""",
    )
    Path(domain).write_text(text)
    reason = solve_problem(domain, problem).reason
    assert "(length inn port) has no value, so 'drive' cannot" in reason
    Path(problem).write_text(PROBLEM.format(more=LENGTHS))
    assert not solve_problem(domain, problem).reason


def test_to_stay_where_one_is_needs_no_cost(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, FORD)
    text = Path(domain).read_text().replace("(or (road ?a ?b) (road ?b ?a))", "")
    Path(domain).write_text(text)
    lengths = "(= (length mill port) 9) (= (length port mill) 9) (= (length inn port) 4)"
    problem = tmp_path / "problem.pddl"
    problem.write_text(PROBLEM.format(more=f"{FORD} {lengths}"))
    assert "(length inn ford)" not in solve_problem(domain, problem).reason  # it is flooded
    assert "(length ford inn) has no value" in solve_problem(domain, problem).reason
    problem.write_text(PROBLEM.format(more=f"{FORD} {lengths} (= (length ford inn) 5)"))
    assert not solve_problem(domain, problem).reason
    problem.write_text(PROBLEM.format(more=FORD))
    assert "(length mill port) and 3 more have no value" in solve_problem(domain, problem).reason


LENGTHS = f"(= (length inn port) 4) {FORD}"


def test_costs_that_nothing_asks_for_are_told(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, LENGTHS)
    assert not solve_problem(domain, problem).reason
    text = Path(problem).read_text()
    Path(problem).write_text(text.replace("(:metric minimize (total-cost))", ""))
    solved = solve_problem(domain, problem, mode="optimal")
    assert (solved.cost, solved.optimal) == (2, True)
    assert "steps are counted, not costs: the problem has no (:metric" in solved.reason
    Path(problem).write_text(text.replace("minimize", "maximize"))
    assert "minimizes (total-cost) only" in solve_problem(domain, problem).reason


def test_steps_are_counted_where_that_is_asked_for(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, FORD)  # without the length of a road
    solved = solve_problem(domain, problem, mode="optimal", unit_costs=True)
    assert (solved.cost, solved.optimal, solved.reason) == (2, True, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--algorithm", "focused"], "--algorithm: only with --streams"),
        (["--engine", "own", "--algorithm", "binding"], "--algorithm and --engine: only with"),
        (
            ["--streams", "s.pddl", "--stream-map", "m.py", "--memory-limit-mb", "100"],
            "--memory-limit-mb: only without streams",
        ),
    ],
)
def test_options_without_effect_are_refused(
    tmp_path: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["solve", *files(tmp_path, LENGTHS), *words])
    assert ended.value.code == 2
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.parametrize("metric", ["", "(:metric minimize (total-cost))"])
@pytest.mark.parametrize(
    ("effect", "values", "status", "words"),
    [
        ("(decrease (fuel) 1)", "(= (fuel) 3)", "solved", ""),
        ("(decrease (fuel) (length ?a ?b))", "(= (fuel) 3)", "solved", ""),
        ("(when (at ?a) (assign (fuel) 1))", "", "solved", ""),
        ("(increase (fuel) 1)", "", "unsolvable", ""),  # what has no value cannot increase
        ("(when (at ?a) (increase (fuel) 1))", "", "error", "by (fuel), and some have no value"),
    ],
)
def test_effects_on_numbers_that_no_cost_reads_are_taken(
    tmp_path: Path, metric: str, effect: str, values: str, status: str, words: str
) -> None:
    domain, problem = files(tmp_path, f"{LENGTHS} {values}")
    for file, old, new in (
        (domain, "(length ?a ?b)))))", f"(length ?a ?b)) {effect})))"),
        (domain, "(total-cost) - number", "(total-cost) (fuel) - number"),
        (problem, "(:metric minimize (total-cost))", metric),
    ):
        text = Path(file).read_text()
        assert old in text
        Path(file).write_text(text.replace(old, new, 1))
    found = solve_problem(domain, problem, mode="optimal")
    assert found.status == status, found.reason
    assert words in found.reason
    assert found.status != "solved" or found.cost == (7 if metric else 2)


def test_a_cost_that_changes_is_refused_by_name(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, LENGTHS)
    text = Path(domain).read_text()
    more = "(length ?a ?b)) (increase (length ?a ?b) 1))))"
    Path(domain).write_text(text.replace("(length ?a ?b)))))", more))
    found = solve_problem(domain, problem)
    assert found.status == "error"
    assert "the cost of 'drive' is (length ?a ?b), which actions change" in found.reason


@pytest.mark.parametrize("flooded", ["", "(flooded inn)"])
def test_costs_of_what_never_happens_are_not_missed(tmp_path: Path, flooded: str) -> None:
    # towns without a road have no length
    roads = "(= (length inn port) 4) (= (length ford mill) 1) (= (length ford port) 1)"
    solved = solve_problem(
        *files(tmp_path, f"{roads} (= (length mill ford) 1) (= (length port ford) 1) {flooded}")
    )
    assert solved.status == ("unsolvable" if flooded else "solved")
    assert "no value" not in solved.reason


def test_costs_are_looked_for_in_a_part_of_a_large_problem() -> None:
    names = [f"o{i}" for i in range(60)]
    domain = parse_domain(
        "(define (domain d) (:requirements :adl :action-costs) (:predicates (p ?a ?b) (r ?a))"
        " (:functions (total-cost) (c ?a ?b ?d)) (:action act :parameters (?x ?y ?z ?u ?v)"
        " :precondition (and (not (p ?x ?u)) (not (p ?u ?v)))"
        " :effect (and (r ?x) (increase (total-cost) (c ?x ?y ?z)))))"
    )
    known = " ".join(f"(p {a} {b})" for a in names for b in names)
    problem = parse_problem(
        f"(define (problem x) (:domain d) (:objects {' '.join(names)}) (:init {known})"
        " (:goal (r o0)) (:metric minimize (total-cost)))",
        domain,
    )
    begin = time.process_time()
    assert not missing_costs(Task(domain, problem))
    assert time.process_time() - begin < 30


def test_hints_of_the_first_competitions_are_told_of_and_not_obeyed(tmp_path: Path) -> None:
    domain, file = files(tmp_path, f"(= (length inn port) 4) {FORD}")
    problem = Path(file)
    text = problem.read_text().rstrip().removesuffix(")")
    problem.write_text(f"{text} (:length (:serial 1) (:parallel 1)))")
    found = solve_problem(domain, problem)
    assert found.status == "solved" and "(:length …) of the problem is not obeyed" in found.reason
    problem.write_text(f"{text} (:length 1) (:length 2))")
    with pytest.raises(PddlError, match="appears twice"):
        solve_problem(domain, problem)


def test_reading_a_problem_ends_with_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems, "LEAST_READING_S", 0.05)
    monkeypatch.setattr(problems, "load_task", lambda *_: time.sleep(60))
    found = solve_problem(*files(tmp_path, FORD), time_limit_s=0.01)
    assert (found.status, found.reason) == ("timeout", problems.READING)


def test_what_catches_everything_ends_with_the_program() -> None:
    """Each time that it is told to end counts; it is not waited for without end."""
    stubborn = """
from commonground import signals
signals._AGAIN_S = 0.02
with signals.alarm(0.02):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
    ended = subprocess.run(
        [sys.executable, "-c", stubborn], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 1 and "does not end" in ended.stderr


BOXES = {
    "domain.pddl": """(define (domain boxes)
 (:predicates (box ?b) (spot ?p) (at ?b ?p) (taken ?p) (moved ?b))
 (:action move :parameters (?b ?p) :precondition (and (box ?b) (spot ?p))
  :effect (and (at ?b ?p) (moved ?b) (increase (total-cost) (far ?p))))
 (:derived (taken ?p) (exists (?b) (at ?b ?p))))""",
    "stream.pddl": """(define (stream boxes)
 (:function (far ?p) (spot ?p))
 (:stream spots :outputs (?p) :certified (spot ?p)))""",
    "map.py": """from commonground.planning.streams import from_gen_fn
stream_map = {"spots": from_gen_fn(lambda: iter([(102,), (12,)])), "far": lambda p: p}""",
    "problem.pddl": """(define (problem one)
 (:domain boxes)
 (:objects red)
 (:init (box red)
   FACT)
 (:goal (moved red)))""",
}


def moved(folder: Path, fact: str, mode: str = "first") -> problems.Solved:
    """Return the answer to a problem of boxes with one more fact."""
    for name, text in BOXES.items():
        (folder / name).write_text(text.replace("FACT", fact))
    domain, problem, streams, module = (str(folder / name) for name in (
        "domain.pddl", "problem.pddl", "stream.pddl", "map.py"
    ))  # fmt: skip
    return problems.solve_stream_problem(
        domain, problem, streams, module, mode=mode, time_limit_s=2.0
    )


def test_a_first_plan_says_that_cheaper_ones_were_not_looked_for(tmp_path: Path) -> None:
    first = moved(tmp_path, "").text()
    assert first.endswith(
        "; cost = 102 (the first plan found, --mode anytime looks for cheaper ones)\n"
    )
    dear = moved(tmp_path, "", "anytime").text()
    assert dear.endswith("; cost = 12 (none cheaper was found, nothing is proven)\n")


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("(at red)", "5:4: (at red) has 1 argument, but 'at' takes 2"),
        ("(at red ?p)", "5:4: the initial fact (at red ?p) has a variable"),
        ("(taken red)", "5:4: 'taken' is derived, so it cannot be given"),
        ("(at red shelf)", "5:4: unknown object 'shelf' in (at red shelf)."),
        ("(not (at red))", "5:9: (at red) has 1 argument, but 'at' takes 2"),
        ("(not (box red))", "5:9: (not (box red)) contradicts (box red)"),
        ("(not (taken red))", "5:9: 'taken' is derived, so it cannot be given"),
        ("(= (far red) 1) (= (far red) 2)", "5:23: (far red) is given twice: 1 and 2"),
    ],
)
def test_mistakes_in_the_facts_of_a_stream_problem_are_told_where_they_are(
    tmp_path: Path, fact: str, told: str
) -> None:
    with pytest.raises(PddlError, match=re.escape(f"problem.pddl:{told}")):
        moved(tmp_path, fact)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("problem.pddl", "(moved red)", "(moved red red)", "6:9: (moved red red) has 2 arguments"),
        ("problem.pddl", "(moved red)", "(moveed red)", "6:9: unknown predicate 'moveed'"),
        ("problem.pddl", "(moved red)", "(moved blue)", "6:9: unknown object 'blue'"),
        ("problem.pddl", "(moved red)", "(moved ?b)", "6:9: variable '?b' of the goal is not"),
        ("problem.pddl", "red)\n", "red red)\n", "3:16: object 'red' is declared twice"),
        ("problem.pddl", "red)))", "red)) (:metric maximize (total-cost)))", "6:22: with streams"),
        ("problem.pddl", "objects red", "objects red - bocks", "3:12: unknown type 'bocks'"),
        ("stream.pddl", "(far ?p) (spot ?p)", "(far ?p) (spt ?p)", "2:22: unknown predicate 'spt'"),
        ("stream.pddl", "certified (spot ?p)", "certified (spot ?p ?p)", "3:42: 'spot' is used"),
        ("domain.pddl", "(far ?p)", "(far ?b ?p)", "4:61: (far ?b ?p) has 2 arguments"),
        ("domain.pddl", "(far ?p)", "(fare ?p)", "4:61: unknown function 'fare'"),
        ("domain.pddl", "(?b ?p) :", "(?b ?p - bocks) :", "3:29: unknown type 'bocks'"),
    ],
)
def test_mistakes_in_the_files_of_a_stream_problem_are_told_where_they_are(
    tmp_path: Path, file: str, old: str, new: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in BOXES[file]
    monkeypatch.setitem(BOXES, file, BOXES[file].replace(old, new, 1))
    with pytest.raises(PddlError) as caught:
        moved(tmp_path, "")
    assert f"{file}:{told}" in str(caught.value)


def test_what_a_stream_yields_for_nobody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BOXES["stream.pddl"].replace("(spot ?p)))", "(spott ?p)))")
    monkeypatch.setitem(BOXES, "stream.pddl", text)
    told = (
        "no action, stream or goal names 'spott' that stream 'spots' yields. Did you mean 'spot'?"
    )
    assert told in moved(tmp_path, "").reason


def test_a_constant_that_nothing_names_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = BOXES["map.py"] + "\nconstant_map = {'red': 1, 'reed': 2}\n"
    monkeypatch.setitem(BOXES, "map.py", text)
    assert moved(tmp_path, "").status == "solved"
    assert "constant_map has 'reed', and nothing names it. Did you mean 'red'?" in caplog.text
    assert caplog.text.count("nothing names it") == 1


def test_a_goal_of_several_types_is_reached_for_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = BOXES["domain.pddl"]
    monkeypatch.setitem(BOXES, "domain.pddl", old.replace("(:pred", "(:types a b) (:pred"))
    goal = "(forall (?b - (either a b)) (moved ?b))"
    text = (
        BOXES["problem.pddl"]
        .replace("(moved red)", goal)
        .replace("objects red", "objects red - a blue - b")
    )
    monkeypatch.setitem(BOXES, "problem.pddl", text.replace("(box red)", "(box red) (box blue)"))
    assert sorted(args[0] for _, args in moved(tmp_path, "").steps) == ["blue", "red"]


def test_a_problem_of_another_domain_is_told_where_it_names_it(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, FORD)
    text = Path(problem).read_text()
    Path(problem).write_text(text.replace("(:domain roads)", "\n(:domain rivers)"))
    with pytest.raises(PddlError, match=r"problem\.pddl:2:10: the problem is for a domain"):
        load_task(domain, problem)


def test_who_interrupts_a_search_gets_the_best_plan_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(FastDownward):
        def solve(self, task: Task, mode: Mode = "first", **more: Any) -> PlanResult:
            found = super().solve(task, mode, **more)
            if mode == "anytime":
                raise KeyboardInterrupt
            return PlanResult(Status.TIMEOUT, time_s=found.time_s)

    with Interrupted() as planner:
        monkeypatch.setattr(problems, "shared_planner", lambda: planner)
        solved = solve_problem(*files(tmp_path, f"(= (length inn port) 4) {FORD}"), mode="anytime")
    assert (solved.status, solved.cost, len(solved.steps)) == ("solved", 7, 2)
    assert solved.reason == "interrupted while cheaper plans were looked for"


def test_what_is_refused_is_not_told_what_else_it_lacks(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, FORD)
    told = Path(domain).read_text().replace("(at ?a) (or", "(> (length ?a ?b) 0) (at ?a) (or")
    Path(domain).write_text(told)
    refused = solve_problem(domain, problem)
    assert refused.status == "error"
    assert "has no conditions on numbers" in refused.reason and ";" not in refused.reason
