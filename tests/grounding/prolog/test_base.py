"""Reading bases, what they may not do, and everything that `check` finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import Weight, errors_of
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.team import with_agents
from commonground.grounding.prolog.base.terms import Struct, Text, Var, from_json, text
from commonground.grounding.prolog.base.writing import program_of
from commonground.grounding.prolog.checks.check import check, summary

NAMES = ("cups", "workshop", "holding")


def kinds(engine: Engine, program: str) -> dict[str, list[str]]:
    """Return kind → messages of all findings."""
    found: dict[str, list[str]] = {}
    for finding in check(engine, program):
        found.setdefault(finding.kind, []).append(f"{finding.line}: {finding.message}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_good_bases_have_no_findings(engine: Engine, data: Path, name: str) -> None:
    findings = check(engine, (data / f"{name}.pl").read_text())
    assert summary(findings) == "nothing to mend"


@pytest.mark.parametrize("name", NAMES)
def test_a_base_survives_being_written_and_read(engine: Engine, data: Path, name: str) -> None:
    base = load(engine, (data / f"{name}.pl").read_text()).base
    again = load(engine, program_of(base)).base
    assert program_of(again) == program_of(base)
    assert len(again.schemas) == len(base.schemas) and again.durations == base.durations


CHANGES = [
    ("agent(r1).", "agent(r1)", "syntax", "2: "),
    ("[agent(Agent), cup(Cup)", "[agent(Agent), cop(Cup)", "undefined", "Did you mean 'cup'"),
    ("[stands(_, To), carrying", "[stood(_, To), carrying", "superfluous", "stood/2"),
    ("[available(Agent), stands(Cup, From)]", "[avalable(Agent), stands(Cup, From)]", "never-satisfied",
     "Did you mean 'available'"),
    ("add(stands(Cup, To))", "add(stands(Cup, To)), add(polished(Cup))", "unread-effect", "polished(Cup)"),
    ("action(carry_end(", "action(carried_end(", "no-end", "carry_end"),
    ("suck_start(Agent), suck_end(Agent),", "suck_start(Agent),", "mapping", "suck_start is never ended"),
    ("go_start(Agent, From), go_end", "move_start(Agent, From), go_end", "mapping", "move_start/2"),
    ("drop_start(Agent), drop_end(Agent)])", "suck_start(Agent), suck_end(Agent)])", "abstraction",
     "ll_vacuum(r1, off) does not hold"),
    ("add(ll_at(Arm, To))", "add(ll_at(Arm, To)), add(stands(c9, To))", "abstraction", "stands(c9, To)"),
    ("ll_arm(r2).\n", "", "levels", "ll_arm(r1) of r2"),
    ("ll_arm(r2).", "ll_arm(r2). ll_arm(r3).", "levels", "no such agent"),
    ("stands(c2, bottom), available", "stands(c2, roof), available", "unreachable-goal", "shelf(roof)"),
    ("goal_state([stands(c1, top)", "goal_state([stands(c7, top)", "undeclared", "c7"),
    ("mapping(carry_start", "mapping(haul_start", "no-mapping", "carry_start is mapped to nothing"),
    ("resources(agent(_)).", "", "missing", "resources"),
    ("duration(drop, 0.5, 1)", "duration(drop, 2, 1)", "format", "shortest"),
    ("duration(drop, 0.5, 1)", "duration(dropp, 1, 1)", "undefined", "Did you mean 'drop'"),
    ("[agent(Agent), cup(Cup), place(From), shelf(To)]", "[agent(Agent), cup(Cup), place(From)]",
     "open-variable", "To"),
    ("init_state([stands(c1, left)", "init_state([stands(c1, Where)", "format", "Where"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "kind", "words"), CHANGES)
def test_each_mistake_is_named(
    engine: Engine, data: Path, old: str, new: str, kind: str, words: str
) -> None:
    program = (data / "cups.pl").read_text()
    assert old in program
    found = kinds(engine, program.replace(old, new, 1))
    assert kind in found, found
    assert any(words in message for message in found[kind]), found[kind]


def test_a_finding_has_its_place(engine: Engine, data: Path) -> None:
    program = (
        (data / "cups.pl").read_text().replace("cup(Cup), place(From)", "cop(Cup), place(From)")
    )
    finding = next(f for f in check(engine, program) if f.kind == "undefined")
    line = program.splitlines()[finding.line - 1]
    assert line[finding.column - 1 :].startswith("cop(Cup)")


FORBIDDEN = [
    ":- shell('touch /tmp/x').",
    ":- initialization(halt).",
    ":- use_module(library(process)).",
    ":- consult('/etc/passwd').",
    "place(X) :- shell(ls), X = a.",
    "place(X) :- open('/etc/passwd', read, S), read(S, X).",
    "place(X) :- findall(Y, read_term(Y, []), X).",
    "place(X) :- \\+ assertz(cup(X)).",
    "place(X) :- call(X).",
    "place(X) :- system:halt(X).",
    "member(X, _) :- X = 1.",
    "place(X) :- G = halt, call(G), X = 1.",
    "place(X) :- forall(cup(X), delete_file(X)).",
]


@pytest.mark.parametrize("clause", FORBIDDEN)
def test_what_reaches_outside_is_refused_before_it_is_loaded(
    engine: Engine, data: Path, clause: str
) -> None:
    program = (data / "cups.pl").read_text() + clause + "\n"
    loaded = load(engine, program)
    wrong = errors_of(loaded.findings)
    assert wrong and wrong[0].kind in ("unsafe", "undefined")
    assert wrong[-1].line == len(program.splitlines())


def test_all_syntax_errors_are_found_in_one_go(engine: Engine) -> None:
    found = kinds(engine, "agent(a.\nok(1).\nfoo(b c).\nbar(.\n")
    assert len(found["syntax"]) == 3


def test_fewer_and_more_agents(engine: Engine, data: Path) -> None:
    base = load(engine, (data / "cups.pl").read_text()).base
    with pytest.raises(GroundingError, match="at most 62"):
        with_agents(base, 10**18)
    one, four = with_agents(base, 1), with_agents(base, 4)
    assert [text(a) for a in one.agents] == ["r1"]
    assert "r2" not in program_of(one)
    assert [text(a) for a in four.agents] == ["r1", "r2", "r3", "r4"]
    homes = {text(f.term) for f in four.init if text(f.term).startswith("ll_at")}
    assert len(homes) == 4, "every copy starts at a place of its own"
    assert not [f for f in check(engine, program_of(four)) if f.weight is Weight.ERROR]


def test_what_holds_of_agents_left_out_holds_of_nobody(engine: Engine, data: Path) -> None:
    program = (data / "cups.pl").read_text().replace("action(", "steady(r2).\naction(", 1)
    one = program_of(with_agents(load(engine, program).base, 1))
    used = one.replace("action(", "calm(A) :- steady(A).\naction(", 1)
    assert not errors_of(load(engine, used).findings)


ATOMS = st.text(min_size=1, max_size=6)
TERMS = st.recursive(
    st.one_of(ATOMS, st.integers(-99, 99), st.builds(Text, ATOMS), st.sampled_from([Var("X"), Var("Y")])),
    lambda inner: st.builds(
        lambda name, args: Struct(name, tuple(args)),
        st.sampled_from(["f", "at", "=", "is", "-", "[]", "strange name", "+", "mod"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)  # fmt: skip


@given(st.lists(TERMS, min_size=1, max_size=5))
def test_terms_survive_being_written_and_read(terms: list[object]) -> None:
    """Written with Prolog's quoting rules, checked against Prolog's own reader in one process."""
    wrapped = [Struct("t", (term,)) for term in terms]  # type: ignore[arg-type]
    program = "".join(f"{text(term)}.\n" for term in wrapped)
    items = _reader().read("written", program)
    assert [from_json(item["term"]) for item in items] == wrapped


_ENGINES: list[Engine] = []


def _reader() -> Engine:
    if not _ENGINES:
        _ENGINES.append(Engine())
    return _ENGINES[0]


@pytest.fixture(scope="module", autouse=True)
def _close_reader(swipl: None) -> object:
    yield
    while _ENGINES:
        _ENGINES.pop().close()
