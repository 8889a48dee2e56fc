"""What derived predicates depend on, and rows that stay in their order."""

from __future__ import annotations

from commonground.grounding.prolog.base.relations import Relation as Numbered
from commonground.planning.pddl import parse_domain
from commonground.planning.pddl.relation import Changing
from commonground.planning.pddl.strata import depends

DOMAIN = """(define (domain towers) (:predicates (on ?a ?b) (above ?a ?b) (free ?a) (free2 ?a) (blue ?a))
  (:derived (above ?a ?b) (or (on ?a ?b) (exists (?c) (and (on ?a ?c) (above ?c ?b)))))
  (:derived (free ?a) (not (exists (?b) (above ?b ?a))))
  (:derived (free2 ?a) (and (free ?a) (blue ?a))))"""


def test_a_derived_predicate_depends_on_what_others_depend_on() -> None:
    found = depends(parse_domain(DOMAIN).axioms)
    assert found["above"] == {"on", "above"}, "it is recursive"
    assert found["free"] == {"on", "above"}
    assert found["free2"] == {"free", "blue", "on", "above"}


def test_rows_that_are_counted_do_not_go() -> None:
    numbered = Numbered([("a",), ("b",), ("a",), ("c",)])
    assert list(numbered.since(1)) == [("b",), ("c",)]
    assert not hasattr(numbered, "discard"), "what came after the first ones would be others"
    rows: Changing[str] = Changing()
    for row in (("a", "x"), ("b", "x")):
        assert rows.add(row)
    assert rows.find((1,), ("x",)) == [("a", "x"), ("b", "x")]
    assert rows.discard(("a", "x")) and not rows.discard(("a", "x"))
    assert rows.find((1,), ("x",)) == [("b", "x")] and len(rows) == 1
