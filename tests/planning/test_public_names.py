"""What planning offers: its public names, and those that PDDLStream's users expect."""

from __future__ import annotations

from pathlib import Path

import commonground.planning
import commonground.planning.streams


def test_every_public_name_can_be_imported() -> None:
    assert 8 <= len(commonground.planning.__all__) <= 12
    for package in (commonground.planning, commonground.planning.streams):
        for name in package.__all__:
            assert getattr(package, name) is not None, name


def test_the_guide_tells_what_each_name_of_streams_is_for() -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/streams.md").read_text()
    names = commonground.planning.streams.__all__
    assert [name for name in names if f"`{name}`" not in guide] == []


def test_a_pddlstream_problem_runs_by_changing_its_imports() -> None:
    from commonground.planning.streams import (
        And,
        PDDLProblem,
        StreamInfo,
        from_fn,
        from_gen_fn,
        from_list_gen_fn,
        from_sampler,
        from_test,
        print_solution,
        solve,
    )

    assert callable(print_solution)
    domain = """(define (domain count) (:requirements :strips :equality)
      (:predicates (Value ?v) (Double ?v ?w) (Even ?v) (Big ?v) (Near ?v ?w) (At ?v))
      (:action go :parameters (?v ?w) :precondition (and (At ?v) (Double ?v ?w) (Even ?w))
        :effect (and (At ?w) (not (At ?v)))))"""
    streams = """(define (stream count)
      (:stream double :inputs (?v) :domain (Value ?v) :outputs (?w)
        :certified (and (Value ?w) (Double ?v ?w)))
      (:stream near :inputs (?v) :domain (Value ?v) :outputs (?w) :certified (Near ?v ?w))
      (:stream guess :inputs (?v) :domain (Value ?v) :outputs (?w) :certified (Near ?v ?w))
      (:stream count :inputs (?v) :domain (Value ?v) :outputs (?w) :certified (Near ?v ?w))
      (:stream even :inputs (?v) :domain (Value ?v) :certified (Even ?v)))"""
    stream_map = {
        "double": from_fn(lambda v: (2 * v,)),
        "near": from_list_gen_fn(lambda v: iter([[(v + 1,), (v - 1,)]])),
        "guess": from_sampler(lambda v: (v,)),
        "count": from_gen_fn(lambda v: ((i,) for i in range(2))),
        "even": from_test(lambda v: v % 2 == 0),
    }
    problem = PDDLProblem(
        domain, {}, streams, stream_map, [("Value", 1), ("At", 1)], And(("At", 8))
    )
    for algorithm in ("incremental", "focused", "binding", "adaptive"):
        plan, cost, certificate = solve(
            problem,
            algorithm=algorithm,
            stream_info={"even": StreamInfo(negate=False, p_success=0.5)},
            unit_costs=True,
            planner="ff-astar",
            max_planner_time=10,
            max_time=20,
            success_cost=float("inf"),
            verbose=False,
            debug=False,
        )
        assert plan is not None and [tuple(args) for _, args in plan] == [(1, 2), (2, 4), (4, 8)]
        assert cost == 3 and ("double", 1, 2) in certificate.all_facts
