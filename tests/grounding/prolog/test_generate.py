"""Writing bases with a model behind a real server on loopback: right, wrong and malformed answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.assemble_kb import _print_generated
from commonground.cli.job import Job
from commonground.errors import ConfigError, GroundingError
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import errors_of
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.merging import high_level
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.generation.agent_lists import agent_complaints
from commonground.grounding.prolog.generation.generate import (
    Generated,
    Order,
    Status,
    generate_base,
    open_job,
)
from commonground.grounding.prolog.generation.prompts import NAMES, load_prompts
from commonground.grounding.prolog.solve import solve_program
from commonground.grounding.settings import ModelSettings
from tests.grounding.erring_paths import parts_of

HIGH = "Two cups, c1 at left and c2 at right. Agents r1 and r2 carry c1 to top, c2 to bottom of a shelf."
LOW = "Arms r1 and r2 have vacuum grippers. Calls: go(Arm, To), suck(Arm), drop(Arm)."
FINE = '{"consistent": true, "complaints": []}'


def block(program: str) -> str:
    return f"This is what the text says.\n```prolog\n{program}\n```\n"


@pytest.fixture(scope="module")
def parts(data: Path) -> dict[str, str]:
    """The base of the tests, as a model would write it part by part."""
    return parts_of(data / "cups.pl")


ORDER = ("general", "states", "actions", "low_facts", "low_actions", "mappings")


@pytest.fixture
def order() -> Order:
    return Order(HIGH, LOW, load_prompts())


def asked(order: Order, *moves: Any, whole: bool = False) -> tuple[Generated, list[dict[str, Any]]]:
    from tests_model_server import model_server

    with model_server(*moves) as (address, script):
        settings = ModelSettings(base_url=address, max_attempts=2, timeout_s=5)
        return generate_base(order, settings, whole=whole), script.requests


@pytest.fixture(autouse=True)
def _server_module(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the loopback server of the tests beside this folder importable."""
    import importlib.util
    import sys

    path = Path(__file__).parents[1] / "model_server.py"
    spec = importlib.util.spec_from_file_location("tests_model_server", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tests_model_server", module)
    spec.loader.exec_module(module)
    yield


def test_part_by_part(swipl: None, order: Order, parts: dict[str, str]) -> None:
    made, requests = asked(order, FINE, *(block(parts[name]) for name in ORDER))
    assert made.status is Status.OK, (made.reason, made.findings)
    assert len(requests) == 7
    _, plan = solve_program(made.program, "generated")
    assert plan.schedule is not None and plan.schedule.makespan_s == pytest.approx(5.0)
    assert "carry_start" in requests[-1]["messages"][-1]["content"], "later parts see earlier ones"


def test_everything_at_once(swipl: None, order: Order, data: Path) -> None:
    made, requests = asked(order, FINE, block((data / "cups.pl").read_text()), whole=True)
    assert made.status is Status.OK and len(requests) == 2


def test_findings_go_back_until_the_part_is_clean(
    swipl: None, order: Order, parts: dict[str, str]
) -> None:
    answers = [block(parts[name]) for name in ORDER]
    wrong = block(parts["actions"].replace("cup(Cup)", "cop(Cup)"))
    broken = block(parts["actions"].replace("add(available(Agent))]).", "add(available(Agent))"))
    made, requests = asked(order, FINE, *answers[:2], wrong, broken, *answers[2:])
    assert made.status is Status.OK, (made.reason, made.findings)
    said = [r["messages"][-1]["content"] for r in requests]
    assert "cop/1 is called and not defined" in said[4] and "Did you mean 'cup'" in said[4]
    assert "syntax" in said[5]


def test_a_mapping_is_executed_before_it_is_taken(
    swipl: None, order: Order, parts: dict[str, str]
) -> None:
    answers = [block(parts[name]) for name in ORDER]
    wrong = block(
        parts["mappings"].replace(
            "drop_start(Agent), drop_end(Agent)", "suck_start(Agent), suck_end(Agent)"
        )
    )
    made, requests = asked(order, FINE, *answers[:5], wrong, answers[5])
    assert made.status is Status.OK
    assert "breaks the abstraction" in requests[-1]["messages"][-1]["content"]


def test_unsafe_answers_never_run(
    swipl: None, order: Order, parts: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "touched"
    bad = block(parts["general"] + f"\n:- shell('touch {target}').")
    made, requests = asked(order, FINE, bad, *(block(parts[name]) for name in ORDER))
    assert made.status is Status.OK and not target.exists()
    assert "is refused" in requests[2]["messages"][-1]["content"]


def test_the_budget_ends(swipl: None, order: Order, parts: dict[str, str]) -> None:
    wrong = block(
        "agent(r1). resources(agent(_)). action(go_start(A), [nothing(A)], [], [agnt(A)], [])."
    )
    made, requests = asked(order, FINE, wrong)
    assert made.status is Status.UNFINISHED
    assert errors_of(made.findings) and made.program and len(requests) < 40


def test_contradictory_texts_stop_everything(order: Order, swipl: None) -> None:
    said = {"level": "high", "subject": "c2", "complaint": "c2 has no destination"}
    made, requests = asked(order, json.dumps({"consistent": False, "complaints": [said]}))
    assert made.status is Status.INCONSISTENT and len(requests) == 1
    assert "c2 has no destination" in made.complaints[0]


def test_a_missing_arm_is_seen_without_a_model(swipl: None) -> None:
    order = Order("Agents r1, r2 and r3 are there.", "The agents r1, r2 are arms.", load_prompts())
    made, requests = asked(order, FINE)
    assert made.status is Status.INCONSISTENT and not requests
    assert "r3" in made.complaints[0] and "agent" in made.complaints[0]
    assert not agent_complaints("Agent r1 lifts b1.", "The agent r1 is an arm. It lifts b1 and b2.")


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", '{"consistent": "maybe"}', "{" * 2000, '{"other": 1}']
)
def test_malformed_answers_about_the_texts(order: Order, swipl: None, answer: str) -> None:
    made, _ = asked(order, answer)
    assert made.status is Status.UNAVAILABLE and made.reason and not made.program


@pytest.mark.parametrize("program", ["", "agent(r1)."])
def test_only_a_file_that_was_written_is_named(tmp_path: Path, program: str) -> None:
    out = tmp_path / "base.pl"
    with pytest.raises(GroundingError) as error:
        _print_generated(Job(), Generated(Status.UNFINISHED, program, reason="gave up"), out)
    assert (str(out) in str(error.value)) == out.exists() == bool(program)


def test_an_answer_that_is_cut_off(swipl: None, order: Order, parts: dict[str, str]) -> None:
    cut = "```prolog\n" + parts["general"][:20]
    answers = [block(parts[name]) for name in ORDER]
    made, _ = asked(order, FINE, cut, *answers)
    assert made.status is Status.OK


def test_a_server_that_fails(order: Order, swipl: None) -> None:
    from tests_model_server import failing

    made, _ = asked(order, failing(500))
    assert made.status is Status.UNAVAILABLE


def test_the_high_level_is_reused(
    swipl: None, data: Path, tmp_path: Path, parts: dict[str, str]
) -> None:
    for name, text in (("high.txt", HIGH), ("low.txt", LOW)):
        (tmp_path / name).write_text(text)
    order = open_job((tmp_path / "high.txt", tmp_path / "low.txt"), data / "cups.pl", None)
    made, requests = asked(order, FINE, *(block(parts[name]) for name in ORDER[3:]))
    assert made.status is Status.OK and len(requests) == 4


def test_the_high_level_by_itself(engine: Engine, data: Path) -> None:
    base = high_level(load(engine, (data / "cups.pl").read_text()).base)
    assert not base.low and not base.mappings
    assert not any("ll_" in str(f.term) for f in base.init)


def test_own_examples_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "general.yaml").write_text("task: Write facts as we do.\nexamples: []\n")
    prompts = load_prompts(tmp_path)
    assert prompts.steps["general"].task == "Write facts as we do."
    assert set(prompts.steps) == set(NAMES)
    (tmp_path / "general.yaml").write_text("tusk: x\n")
    with pytest.raises(ConfigError, match=r"general\.yaml:1"):
        load_prompts(tmp_path)
    with pytest.raises(GroundingError, match="no such folder"):
        load_prompts(tmp_path / "none")


def test_our_own_examples_are_clean(engine: Engine) -> None:
    """What we show to a model has to pass the checks itself."""
    prompts = load_prompts()
    programs = [
        found
        for name in ORDER
        for example in prompts.steps[name].examples
        for found in re.findall(r"```prolog\n(.*?)```", example.answer, re.DOTALL)
    ]
    assert len(programs) == len(ORDER)
    from commonground.grounding.prolog.base.merging import merged
    from commonground.grounding.prolog.base.reading import read_items
    from commonground.grounding.prolog.base.writing import program_of

    bases = [read_items(engine.read("shown", p), p, "shown").base() for p in programs]
    findings = check(engine, program_of(merged(bases, "shown")))
    assert not errors_of(findings), [f.message for f in findings]
