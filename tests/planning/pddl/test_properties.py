"""What must be so for every domain, problem and formula, tried on random ones that make sense."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.planning.pddl import (
    Action,
    And,
    Arithmetic,
    Atom,
    Axiom,
    Compare,
    Domain,
    Effect,
    Exists,
    Facts,
    Fluent,
    Forall,
    Formula,
    Function,
    Imply,
    Metric,
    Not,
    Number,
    Or,
    PddlError,
    Predicate,
    Problem,
    Typed,
    Update,
    check_domain,
    check_problem,
    conflict,
    dnf,
    equivalent,
    expand,
    first_false,
    free_variables,
    implies,
    nnf,
    parse_domain,
    parse_formula,
    parse_problem,
    satisfiable,
    satisfying,
    simplify,
    to_pddl,
)
from commonground.planning.pddl.satisfy import at_most_one, model

OBJECTS = ("a", "b", "c")
ARITIES = {"p": 0, "q": 1, "r": 2}
DERIVED = {"d": 1}
NUMBERS = st.one_of(st.integers(0, 9).map(float), st.floats(0, 1e6, allow_nan=False))
TYPES = st.sampled_from([("object",), ("big",), ("small",), ("big", "small")])


def atoms(terms: tuple[str, ...], names: dict[str, int] = ARITIES) -> st.SearchStrategy[Atom]:
    return st.sampled_from(sorted(names)).flatmap(
        lambda name: st.tuples(*[st.sampled_from(terms)] * names[name]).map(
            lambda args: Atom(name, args)
        )
    )


def fluents(terms: tuple[str, ...]) -> st.SearchStrategy[Fluent]:
    return st.one_of(st.just(Fluent("f")), st.sampled_from(terms).map(lambda t: Fluent("g", (t,))))


def expressions(terms: tuple[str, ...]) -> st.SearchStrategy[Number | Fluent | Arithmetic]:
    plain = st.one_of(NUMBERS.map(Number), fluents(terms))
    return st.recursive(
        plain,
        lambda inner: st.tuples(st.sampled_from("+-*/"), st.tuples(inner, inner)).map(
            lambda pair: Arithmetic(pair[0], pair[1])
        ),
        max_leaves=4,
    )


def compares(terms: tuple[str, ...]) -> st.SearchStrategy[Compare]:
    number = expressions(terms)
    return st.builds(Compare, st.sampled_from(["<", "<=", "=", ">=", ">"]), number, number)


@st.composite
def formulas(
    draw: st.DrawFn,
    terms: tuple[str, ...] = OBJECTS,
    depth: int = 3,
    numeric: bool = True,
    derived: bool = False,
) -> Formula:
    kinds = (
        ["atom", "equal"]
        if depth == 0
        else ["atom", "equal", "not", "and", "or", "imply", "exists", "forall"]
    )
    kind = draw(st.sampled_from([*kinds, "compare"] if numeric else kinds))
    if kind == "atom":
        return draw(atoms(terms, ARITIES | DERIVED if derived else ARITIES))
    if kind == "equal":
        return Atom("=", (draw(st.sampled_from(terms)), draw(st.sampled_from(terms))))
    if kind == "compare":
        return draw(compares(terms))
    inner = formulas(terms, depth - 1, numeric, derived)
    if kind == "not":
        return Not(draw(inner))
    if kind in ("and", "or"):
        parts = tuple(draw(st.lists(inner, max_size=3)))
        return And(parts) if kind == "and" else Or(parts)
    if kind == "imply":
        return Imply(draw(inner), draw(inner))
    name = f"?v{depth}"
    body = draw(formulas((*terms, name), depth - 1, numeric, derived))
    bound = (Typed(name, draw(TYPES)),)
    return Exists(bound, body) if kind == "exists" else Forall(bound, body)


@st.composite
def effects(draw: st.DrawFn, terms: tuple[str, ...], numeric: bool = True) -> Effect:
    bound = (Typed("?e", draw(TYPES)),) if draw(st.booleans()) else ()
    inside = (*terms, "?e") if bound else terms
    change: Atom | Not | Update
    if numeric and draw(st.booleans()):
        operation = draw(st.sampled_from(["assign", "increase", "decrease", "scale-up"]))
        change = Update(operation, draw(fluents(inside)), draw(expressions(inside)))
    else:
        atom = draw(atoms(inside))
        change = draw(st.sampled_from([atom, Not(atom)]))
    condition = draw(formulas(inside, 1, numeric)) if draw(st.booleans()) else And()
    return Effect(change, bound, condition)


@st.composite
def actions(draw: st.DrawFn, index: int, numeric: bool = True) -> Action:
    parameters = tuple(Typed(f"?x{i}", draw(TYPES)) for i in range(draw(st.integers(0, 2))))
    terms = (*OBJECTS, *(typed.name for typed in parameters))
    return Action(
        f"act{index}",
        parameters,
        draw(formulas(terms, 2, numeric, derived=True)),
        tuple(draw(st.lists(effects(terms, numeric), max_size=3))),
    )


@st.composite
def domains(draw: st.DrawFn, numeric: bool = True) -> Domain:
    variables = [tuple(Typed(f"?y{i}", draw(TYPES)) for i in range(n)) for n in ARITIES.values()]
    variables = [tuple(Typed(v.name) for v in group) for group in variables]
    count = draw(st.integers(0, 2))
    head = Predicate("d", (Typed("?h", draw(TYPES)),))
    axioms = tuple(
        Axiom(head, draw(formulas((*OBJECTS, "?h"), 2, numeric)))
        for _ in range(draw(st.integers(0, 2)))
    )
    return Domain(
        "random",
        (":adl",),
        (Typed("big"), Typed("small"), Typed("tiny", ("small",))),
        (Typed("a", ("big",)), Typed("b", ("small",)), Typed("c", ("tiny",))),
        (
            *(Predicate(n, v) for n, v in zip(ARITIES, variables, strict=True)),
            Predicate("d", (Typed("?h"),)),
        ),
        (Function("f"), Function("g", (Typed("?z"),))),
        axioms,
        tuple(draw(actions(i, numeric)) for i in range(count)),
    )


@st.composite
def problems(draw: st.DrawFn, numeric: bool = True) -> Problem:
    values = (Fluent("f"), Fluent("g", ("a",)), Fluent("g", ("b",)))
    literal = atoms(OBJECTS)
    metric = st.builds(Metric, st.sampled_from(["minimize", "maximize"]), expressions(OBJECTS))
    return Problem(
        "some",
        "random",
        (Typed("e", ("small",)),),
        tuple(draw(st.lists(literal, max_size=4))),
        tuple((fluent, draw(NUMBERS)) for fluent in values) if numeric else (),
        draw(formulas(OBJECTS, 2, numeric, derived=True)),
        draw(st.one_of(st.none(), metric)) if numeric else None,
    )


MEMBERS = {"object": OBJECTS, "big": ("a",), "small": ("b", "c"), "tiny": ("c",)}
UNIVERSE = [
    Atom(name, args)
    for name, arity in ARITIES.items()
    for args in itertools.product(OBJECTS, repeat=arity)
]


def some_states(seed: int, count: int = 8) -> list[Facts]:
    rng = random.Random(seed)
    return [
        Facts([a for a in UNIVERSE if rng.random() < rng.random()], MEMBERS) for _ in range(count)
    ]


@given(domains(), problems())
@settings(max_examples=40, deadline=None)
def test_parse_print_parse_is_the_identity(domain: Domain, problem: Problem) -> None:
    check_domain(domain)
    check_problem(domain, problem)
    read = parse_domain(to_pddl(domain))
    assert read == domain
    assert parse_problem(to_pddl(problem), read) == problem


@given(st.text("() ?:-abx01.;=\n", max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_domain, parse_problem, parse_formula):
        try:
            parse(text)
        except PddlError as error:
            assert "\n" not in str(error)


@given(formulas(numeric=False), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_rewriting_keeps_the_truth_in_every_state(formula: Formula, seed: int) -> None:
    variants = [nnf(formula), Not(nnf(formula, False)), expand(formula, MEMBERS)]
    alternatives = dnf(expand(formula, MEMBERS), limit=2000)
    flat = expand(simplify(expand(formula, MEMBERS)), MEMBERS)
    for facts in some_states(seed):
        truth = facts.holds(formula)
        assert all(facts.holds(variant) == truth for variant in [*variants, flat])
        if alternatives is not None:
            assert any(all(facts.holds(part) for part in row) for row in alternatives) == truth
        assert (first_false(formula, facts) is None) == truth


@given(formulas(numeric=False), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_satisfiability_agrees_with_states(formula: Formula, seed: int) -> None:
    found = satisfying(formula, MEMBERS)
    if found is None:
        assert not any(facts.holds(formula) for facts in some_states(seed, 30))
        assert conflict([formula], members=MEMBERS) == (formula,)
    else:
        assert Facts(found, MEMBERS).holds(formula)
    assert equivalent(formula, nnf(formula), MEMBERS)
    assert implies(formula, Or((formula, Atom("p"))), MEMBERS)
    assert not satisfiable(formula, MEMBERS) or not implies(formula, Not(formula), MEMBERS)


@given(st.lists(st.lists(st.integers(-8, 8).filter(bool), min_size=1, max_size=4), max_size=40))
@settings(max_examples=80, deadline=None)
def test_of_all_values_that_satisfy_clauses_the_first_are_found(clauses: list[list[int]]) -> None:
    names = sorted({abs(literal) for clause in clauses for literal in clause})
    rows = (
        dict(zip(names, row, strict=True))
        for row in itertools.product((False, True), repeat=len(names))
    )
    first = (row for row in rows if all(any(row[abs(x)] == (x > 0) for x in c) for c in clauses))
    assert model(tuple(clause) for clause in clauses) == next(first, None)


def test_choices_beside_a_conflict_are_not_tried_one_by_one() -> None:
    """Each way holds a choice of forty places, and ends in what cannot be: flipping decisions took 2^40."""
    ways = [
        And(
            (Or(tuple(Atom("at", (f"O{k}", f"P{i}")) for i in range(40))), Atom("held", (f"O{k}",)))
        )
        for k in range(12)
    ]
    apart = [
        Or((Not(Atom("held", (f"O{k}",))), Not(Atom("at", (f"O{k}", f"P{i}")))))
        for k in range(12)
        for i in range(40)
    ]
    assert not satisfiable(And((Or(tuple(ways)), *apart)))
    assert satisfiable(And((Or(tuple(ways)), *apart[:-1])))


@given(formulas((*OBJECTS, "?x", "?y"), numeric=False), st.integers(0, 10**6))
@settings(max_examples=80, deadline=None)
def test_answers_are_exactly_the_bindings_that_satisfy(formula: Formula, seed: int) -> None:
    variables = (Typed("?x", ("small",)), Typed("?y"))
    assert free_variables(formula) <= {"?x", "?y"}
    assert not free_variables(Exists(variables, formula)) | free_variables(
        Forall(variables, formula)
    )
    for facts in some_states(seed, 4):
        found = [(b["?x"], b["?y"]) for b in facts.answers(formula, variables)]
        wanted = {
            (x, y)
            for x in MEMBERS["small"]
            for y in OBJECTS
            if facts.holds(formula, {"?x": x, "?y": y})
        }
        assert len(found) == len(set(found))
        assert set(found) == wanted


@given(st.lists(st.booleans(), max_size=7))
@settings(max_examples=60, deadline=None)
def test_at_most_one_says_what_pairs_say(chosen: list[bool]) -> None:
    atoms = [Atom("at", (f"P{i}",)) for i in range(len(chosen))]
    fixed = [x if true else Not(x) for x, true in zip(atoms, chosen, strict=True)]
    assert satisfiable(And((*at_most_one(atoms, "at"), *fixed))) == (sum(chosen) <= 1)
