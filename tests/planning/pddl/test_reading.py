"""Reading and printing PDDL, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.planning.pddl import (
    PddlError,
    Task,
    load_task,
    parse_domain,
    parse_formula,
    parse_problem,
    to_pddl,
)

TASKS = Path(__file__).parent / "tasks"
NAMES = sorted(path.name.removesuffix("-domain.pddl") for path in TASKS.glob("*-domain.pddl"))


def task(name: str) -> Task:
    return load_task(TASKS / f"{name}-domain.pddl", TASKS / f"{name}-problem.pddl")


@pytest.mark.parametrize("name", NAMES)
def test_parse_print_parse_is_the_identity(name: str) -> None:
    read = task(name)
    domain = parse_domain(to_pddl(read.domain))
    assert domain == read.domain
    assert parse_problem(to_pddl(read.problem), domain) == read.problem
    assert to_pddl(domain) == to_pddl(read.domain)


@pytest.mark.parametrize("name", NAMES)
def test_case_is_folded_unless_told_otherwise(name: str) -> None:
    text = (TASKS / f"{name}-domain.pddl").read_text()
    assert parse_domain(text.upper()) == parse_domain(text)
    assert str(parse_formula("(visited-place P12)", fold_case=False)) == "(visited-place P12)"


DOMAIN = """(define (domain d)
  (:requirements :adl)
  (:types room box - thing crate - box)
  (:constants hall - room)
  (:predicates (at ?b - box ?r - room) (open ?r - room) (seen ?r - room))
  (:functions (total-cost) - number (weight ?b - box) - number)
  (:derived (seen ?r - room) (exists (?b - box) (at ?b ?r)))
  (:action move :parameters (?b - box ?from ?to - room)
    :precondition (and (at ?b ?from) (open ?to))
    :effect (and (at ?b ?to) (not (at ?b ?from)) (increase (total-cost) (weight ?b)))))
"""
PROBLEM = """(define (problem p) (:domain d)
  (:objects den - room b1 - box c1 - crate)
  (:init (at b1 hall) (open den) (= (weight b1) 2))
  (:goal (at b1 den)))
"""

MISTAKES = [
    # (which text, old, new, line, column, words of the message)
    ("d", "(:types room", "(:type room", 3, 3, ["':type'", "':types'"]),
    ("d", ":precondition", ":preconditions", 9, 5, ["':preconditions'", "Did you mean ':precondition'"]),
    ("d", "(and (at ?b ?from) (open ?to))", "(and (at ?b ?from) (opem ?to))", 9, 38, ["'opem'", "'open'"]),
    ("d", "(open ?to))\n", "(open ?too))\n", 9, 38, ["'?too'", "not bound", "'?to'"]),
    ("d", "(at ?b ?to) (not", "(at ?b) (not", 10, 18, ["1 argument", "takes 2", "(at ?b - box ?r - room)"]),
    ("d", "(at ?b ?to) (not", "(at ?to ?b) (not", 10, 18, ["must be a box", "'?to' is a room"]),
    ("d", "(at ?b ?to) (not", "(seen ?to) (not", 10, 18, ["derived"]),
    ("d", "crate - box", "crate - bax", None, None, []),
    ("d", "?b - box ?r - room) (open", "?b - bx ?r - room) (open", 5, 20, ["unknown type 'bx'", "'box'"]),
    ("d", "(weight ?b)))))", "(weigth ?b)))))", 10, 73, ["'weigth'", "'weight'"]),
    ("d", "(weight ?b)))))", "-3))))", 10, 73, ["negative cost"]),
    ("d", "(weight ?b)))))", "(weight ?b))))", 1, 1, ["expected ')'"]),
    ("d", "(weight ?b)))))", "(weight ?b))))))", 10, 88, ["closes nothing"]),
    ("d", "(define (domain d)", "(define (domaine d)", 1, 9, ["'(domain name)'"]),
    ("d", ":adl", ":adll", 2, 18, [":adl"]),
    ("d", "(exists (?b - box) (at ?b ?r))", "(not (seen ?r))", 7, 3, ["its own negation"]),
    ("d", "(exists (?b - box) (at ?b ?r))", "(exists ?b (at ?b ?r))", 7, 38, ["list of variables"]),
    ("d", "box - thing", "box - crate", 3, 28, ["own supertype"]),
    ("d", "(:action move", "(:durative-action move", 8, 3, ["durative actions", "without time"]),
    ("d", "(:action move", "(:constraints (and)) (:action move", 8, 3, ["constraints", "not supported"]),
    ("d", "(:action move", "(:process move", 8, 3, ["processes are not supported"]),
    ("d", "(:action move", "(:event move", 8, 3, ["events are not supported"]),
    ("p", "(:goal (at", "(:constraints (and)) (:goal (at", 4, 3, ["constraints", "not supported"]),
    ("d", "?from ?to - room", "?from ?b - room", 8, 45, ["listed twice"]),
    ("d", "(open ?r - room) (seen", "(open ?r - room) (open ?r) (seen", 5, 57, ["declared twice"]),
    ("d", "  (:predicates", "  (:types hut) (:predicates", 5, 3, ["(:types", "appears twice"]),
    ("p", "(open den)", "(open dan)", 3, 23, ["unknown object 'dan'", "'den'"]),
    ("p", "(at b1 hall)", "(at hall b1)", 3, 10, ["must be a box", "'hall' is a room"]),
    ("p", "c1 - crate", "c1 c1 - crate", 2, 36, ["object 'c1' is declared twice"]),
    ("p", "c1 - crate", "c1 - crat", 2, 33, ["unknown type 'crat'", "'crate'"]),
    ("p", "(= (weight b1) 2)", "(= (weight b1) -2)", 3, 37, ["-2", "at least 0"]),
    ("p", "(= (weight b1) 2)", "(= (weight b1) nan)", 3, 49, ["finite number", "'nan'"]),
    ("p", "(= (weight b1) 2)", "(= (weight b1) 1e999)", 3, 49, ["finite number"]),
    ("p", "(at b1 den)", "(at ?x den)", 4, 10, ["'?x'", "not bound"]),
    ("p", "(at b1 den)", "(and (at b1 den)", 1, 1, ["never closed"]),
    ("p", "(at b1 den)", "(or (at b1 den) at)", 4, 26, ["expected a formula"]),
    ("p", "(open den)", "(seen den)", 3, 23, ["derived"]),
    ("p", "(open den)", "(at 5 (open den))", 3, 23, ["timed initial literals are not supported"]),
    ("p", "(:goal (at b1 den))", "", 1, 1, [":goal"]),
    ("p", "(:goal (at b1 den))", "(:goals (at b1 den))", 4, 3, ["':goals'", "':goal'"]),
    ("p", "(at b1 den)", "(ad (at b1 den))", 4, 14, ["'and'"]),
    ("p", "(open den)", "(or (open den))", 3, 23, ["expected an atom", "found '(or …)'"]),
    ("d", "(at ?b ?to) (not", "(oneof (at ?b ?to)) (not", 10, 18, ["'oneof' is not supported"]),
    ("p", "(at b1 den)", "(always (at b1 den))", 4, 10, ["'always' is not supported"]),
]  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m[0]}-{m[2][:24]}")
def test_a_mistake_is_told_with_its_place(
    mistake: tuple[str, str, str, int | None, int, list[str]],
) -> None:
    which, old, new, line, column, words = mistake
    domain_text, problem_text = DOMAIN, PROBLEM
    if which == "d":
        assert old in DOMAIN
        domain_text = DOMAIN.replace(old, new, 1)
    else:
        assert old in PROBLEM
        problem_text = PROBLEM.replace(old, new, 1)
    if (
        line is None
    ):  # an undeclared parent type is declared by its use, as in many published domains
        parse_problem(problem_text, parse_domain(domain_text))
        return
    with pytest.raises(PddlError) as caught:
        parse_problem(problem_text, parse_domain(domain_text, source="d"), source="p")
    message = str(caught.value)
    assert message.startswith(f"{which}:{line}:{column}: "), message
    text = (domain_text if which == "d" else problem_text).splitlines()[line - 1]
    assert 1 <= caught.value.column <= len(text)
    for word in words:
        assert word in message
    assert "\n" not in message


def test_a_predicate_may_be_declared_again_alike() -> None:
    again = DOMAIN.replace("(open ?r - room)", "(open ?r - room) (open ?x - room)", 1)
    parse_problem(PROBLEM, parse_domain(again))


@pytest.mark.parametrize("objects", ["hall - room", "den - room hall - room"])
def test_a_constant_is_not_declared_again_as_an_object(objects: str) -> None:
    again = PROBLEM.replace("den - room b1 - box c1 - crate", objects)
    with pytest.raises(PddlError, match="object 'hall' is declared twice"):
        parse_problem(again, parse_domain(DOMAIN))


def test_a_question_mark_begins_a_word_wherever_it_stands() -> None:
    assert parse_domain(DOMAIN.replace("(at ?b ?from)", "(at?b?from)")) == parse_domain(DOMAIN)


def test_a_problem_of_another_domain_is_refused() -> None:
    domain = parse_domain(DOMAIN)
    assert parse_problem(PROBLEM.replace("(:domain d)", "(:domain D)"), domain).name == "p"
    with pytest.raises(PddlError, match="domain called 'moving', this one is called 'd'"):
        parse_problem(PROBLEM.replace("(:domain d)", "(:domain moving)"), domain)


def test_an_unclosed_action_is_blamed_where_the_next_section_starts() -> None:
    with pytest.raises(PddlError, match=r"d:8:3: expected '\)' before this section"):
        parse_domain(DOMAIN.replace("(at ?b ?r)))", "(at ?b ?r))"), source="d")


def test_the_line_counts_from_the_start_of_a_formula() -> None:
    domain = parse_domain("(define (domain d) (:constants a b) (:predicates (on ?x ?y)))")
    with pytest.raises(PddlError) as caught:
        parse_formula("(and (on a b)\n     (on a))", domain)
    assert (caught.value.line, caught.value.column) == (2, 6)


@pytest.mark.parametrize(
    "text",
    ["", "()", "hello", "(((", ")", "(define)", "(define (domain))", ";", "(" * 100_000, "\x00"],
)
def test_rubbish_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(PddlError) as caught:
        parse_domain(text)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(PddlError, match="cannot be read"):
        load_task(tmp_path / "none.pddl", tmp_path / "none.pddl")
    (tmp_path / "binary.pddl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PddlError, match="not UTF-8"):
        load_task(tmp_path / "binary.pddl", tmp_path / "binary.pddl")


BEGUN = [
    # (what stands in :init, words of the message; none where it is taken)
    ("(open den) (not (open den))", ["(not (open den)) contradicts (open den)"]),
    ("(not (open den)) (open den)", ["3:15: ", "contradicts"]),
    ("(not (opn den))", ["unknown predicate 'opn'", "'open'"]),
    ("(not (open dan))", ["unknown object 'dan'"]),
    ("(not (at hall b1))", ["must be a box", "'hall' is a room"]),
    ("(not (open den hall))", ["has 2 arguments", "takes 1"]),
    ("(not (open ?r))", ["has a variable"]),
    ("(not (seen den))", ["'seen' is derived"]),
    ("(= (weight b1) 2) (= (weight b1) 7)", ["3:31: ", "(weight b1) is given twice: 2 and 7"]),
    ("(= den hall)", ["(= den hall) cannot hold"]),
    ("(not (= den den))", ["contradicts"]),
    ("(open den) (open den) (not (open hall)) (= (weight b1) 2) (= (weight b1) 2.0)", []),
    ("(= den den) (not (= den hall))", []),
]


@pytest.mark.parametrize(("begun", "words"), BEGUN, ids=[begun for begun, _ in BEGUN])
def test_an_initial_state_is_checked_and_does_not_contradict_itself(
    begun: str, words: list[str]
) -> None:
    text = PROBLEM.replace("(at b1 hall) (open den) (= (weight b1) 2)", begun)
    if not words:
        problem = parse_problem(text, parse_domain(DOMAIN))
        assert parse_problem(to_pddl(problem), parse_domain(DOMAIN)) == problem
        return
    with pytest.raises(PddlError) as caught:
        parse_problem(text, parse_domain(DOMAIN), source="p")
    assert all(word in str(caught.value) for word in words), caught.value


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(DOMAIN, encoding="utf-8-sig")
    problem.write_text(PROBLEM, encoding="utf-8-sig")
    assert load_task(domain, problem).problem == parse_problem(PROBLEM, parse_domain(DOMAIN))
