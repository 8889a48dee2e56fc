"""Batches for a model: several questions at a time, what each took, and nothing lost that was answered."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from commonground.errors import GroundingError
from commonground.grounding.batches import (
    answer_suite,
    as_they_come,
    in_order,
    total_spent,
    unfinished,
    write_predictions,
    written,
)
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings, ModelSettings
from commonground.grounding.suites import Item
from tests.grounding.model_server import completion, failing, model_server, reply
from tests.grounding.sites import STYLES, Site, make_site

ITEMS = [Item(id=str(n), text=f"Anna, inspect the statue, remark {n}.") for n in range(6)]


@pytest.fixture(scope="module")
def site() -> Site:
    return make_site(STYLES["harbour"], 1)


def _grounder(site: Site, address: str, **changes: Any) -> Grounder:
    values = {
        "base_url": address,
        "timeout_s": 60.0,
        "budget_s": 120.0,
        "max_attempts": 1,
        **changes,
    }
    settings = {"backend": "openai", "model": ModelSettings(**values)}
    return Grounder(site.graph, site.team, GroundingSettings.model_validate(settings))


@pytest.mark.parametrize("parallel", [1, 3])
def test_so_many_questions_are_under_way_as_the_settings_say(site: Site, parallel: int) -> None:
    """The server answers a question only once as many are there as may be, so the test needs all of them."""
    together = threading.Barrier(parallel, timeout=60)
    under_way: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    def move(handler: Any, request: Any) -> None:
        with lock:
            under_way.append(1)
            most.append(len(under_way))
        together.wait()
        with lock:
            under_way.pop()
        reply(handler, completion('{"assignments": [], "question": "Which one?"}'))

    with model_server(move) as (address, script):
        answers = list(answer_suite(_grounder(site, address, parallel=parallel), ITEMS))
    assert max(most) == parallel and len(script.requests) == len(ITEMS)
    assert {a.answer.message for a in answers} == {"The language model asks: Which one?"}
    assert [a.item.id for a in in_order(ITEMS, answers)] == [item.id for item in ITEMS]


def test_each_answer_and_all_together_say_what_they_took(site: Site) -> None:
    with model_server('{"assignments": [], "question": "Which one?"}') as (address, _):
        prices = {"prompt_price": 2.0, "answer_price": 10.0}
        answers = list(answer_suite(_grounder(site, address, **prices), ITEMS))
    # 900 tokens in and 60 out, at 2 and 10 a million
    assert [a.as_json()["spent"] for a in answers] == 6 * [
        {"prompt": 900, "completion": 60, "requests": 1, "cached": 0, "cost": 0.0024}
    ]
    total = total_spent(answers)
    assert total["prompt"] == 5400 and total["cost"] == pytest.approx(0.0144)


def test_without_a_price_no_cost_is_made_up(site: Site) -> None:
    with model_server('{"assignments": [], "question": "Which one?"}') as (address, _):
        answers = list(answer_suite(_grounder(site, address), ITEMS[:1]))
    assert "cost" not in answers[0].as_json()["spent"]
    assert next(iter(answer_suite(Grounder(site.graph, site.team), ITEMS[:1]))).answer.spent == {}


def test_what_was_answered_is_in_the_file_before_the_rest_is(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "predictions.jsonl"
    with model_server('{"assignments": [], "question": "Which one?"}') as (address, _):
        coming = written(out, answer_suite(_grounder(site, address), ITEMS))
        first = next(coming)
        lines = unfinished(out).read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == [first.item.id]
        assert not out.exists()
        write_predictions(out, in_order(ITEMS, [first, *coming]))
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == list("012345")
    assert not unfinished(out).exists()


def test_a_dead_server_fails_every_instruction_and_answers_none(site: Site) -> None:
    with model_server(failing(401, "bad key")) as (address, _):
        answers = list(answer_suite(_grounder(site, address), ITEMS))
    assert all(a.answer.failed and "goals" not in a.as_json() for a in answers)


@pytest.mark.parametrize("workers", [1, 4])
def test_the_first_error_ends_a_batch(workers: int) -> None:
    def work(number: int) -> int:
        if number == 2:
            raise GroundingError("no server is set up")
        return number

    with pytest.raises(GroundingError, match="no server"):
        list(as_they_come(work, range(50), workers))


def test_settings_allow_no_batch_without_anybody() -> None:
    with pytest.raises(ValidationError, match="parallel"):
        ModelSettings(parallel=0)
