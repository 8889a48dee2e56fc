"""The model client against a real server of the protocol that behaves well, badly and maliciously."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from commonground.errors import GroundingError
from commonground.grounding.model import AnswerCache, AskStatus, ChatModel, conversation
from commonground.grounding.model.dialect import Dialect
from commonground.grounding.model.form import Form
from commonground.grounding.model.request import Budget
from commonground.grounding.model.tokens import estimate_tokens
from commonground.grounding.settings import ModelSettings
from tests.grounding.model_server import (
    completion,
    failing,
    hanging_up,
    model_server,
    sending,
    sleeping,
    trickling,
)

QUESTION = [{"role": "system", "content": "Add."}, {"role": "user", "content": "2 and 2?"}]
SCHEMA = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
FORM = Form(SCHEMA)


def _sum(value: Any) -> int:
    """Check an answer: it must be {"sum": n}."""
    try:
        return int(value["sum"])
    except (ValueError, KeyError, TypeError) as error:
        raise GroundingError("there is no integer 'sum'") from error


def _model(address: str, **changes: Any) -> ChatModel:
    values = {"base_url": address, "timeout_s": 20.0, "budget_s": 60.0, **changes}
    return ChatModel(ModelSettings(**values))


def test_a_checked_value_comes_back_with_its_tokens() -> None:
    with model_server('{"sum": 4}') as (address, script):
        model = _model(address)
        answer = model.ask_checked(QUESTION, FORM, _sum)
    assert (answer.status, answer.value, answer.attempts) == (AskStatus.OK, 4, 1)
    assert (answer.usage.prompt, answer.usage.completion, answer.usage.requests) == (900, 60, 1)
    assert not answer.usage.estimated
    request = script.requests[0]
    assert request["temperature"] == 0
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert model.usage == answer.usage


def test_what_was_wrong_is_quoted_back_and_asked_again() -> None:
    with model_server("no idea", '{"sum": "x"}', '```json\n{"sum": 4}\n```') as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert (answer.status, answer.value, answer.attempts) == (AskStatus.OK, 4, 3)
    assert "no JSON object" in script.requests[1]["messages"][-1]["content"]
    assert "no integer 'sum'" in script.requests[2]["messages"][-1]["content"]
    assert answer.usage.prompt == 2700
    roles = [m["role"] for m in script.requests[2]["messages"]]
    # its own answer stands between the two: some chat templates refuse two questions in a row
    assert roles == ["system", "user", "assistant", "user"]
    assert script.requests[2]["messages"][2]["content"] == '{"sum": "x"}'
    assert script.requests[2]["messages"][1] == QUESTION[1]
    assert len({(r["seed"], r["temperature"]) for r in script.requests}) == 3


def test_attempts_are_bounded() -> None:
    with model_server("never right") as (address, script):
        answer = _model(address, max_attempts=2).ask_checked(QUESTION, FORM, _sum)
    assert (answer.status, answer.value, len(script.requests)) == (AskStatus.INVALID, None, 2)


@pytest.mark.parametrize(
    "move",
    [
        sending(b"{"),
        sending({"choices": []}),
        sending({"choices": [{"message": "hello"}]}),
        sending({"choices": [{"message": {"content": ["a", "list"]}}]}),
        sending([1, 2, 3]),
        sending(completion(None)),
        sending(completion("   ")),
        sending(completion('{"sum": 4', finish="length")),
        sending(b"[" * 200_000),
        hanging_up,
        failing(500),
        failing(503, retry_after="0"),
    ],
)
def test_bad_replies_are_survived_and_the_next_good_one_is_taken(move: Any) -> None:
    with model_server(move, '{"sum": 4}') as (address, _):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert (answer.status, answer.value, answer.attempts) == (AskStatus.OK, 4, 2)


def test_a_silent_server_costs_no_more_than_the_budget() -> None:
    began = time.monotonic()
    with model_server(sleeping(20.0)) as (address, _):
        answer = _model(address, timeout_s=0.5, budget_s=1.2).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.TIMEOUT
    assert time.monotonic() - began < 15.0


def test_a_server_that_trickles_bytes_costs_no_more_than_the_timeout() -> None:
    began = time.monotonic()
    slow = trickling('{"sum": 4}', 0.1)
    with model_server(slow) as (address, _):
        answer = _model(address, timeout_s=0.7, budget_s=0.9).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.TIMEOUT
    assert time.monotonic() - began < 15.0


def test_an_endless_reply_is_cut_off() -> None:
    with model_server(sending(b" " * 3_000_000)) as (address, _):
        answer = _model(address, max_attempts=1).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.INVALID
    assert "longer than" in answer.message


def test_rate_limits_are_waited_for_as_the_server_asks() -> None:
    began = time.monotonic()
    with model_server(failing(429, "slow down", retry_after="1"), '{"sum": 4}') as (address, _):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.OK
    assert time.monotonic() - began >= 1.0


def test_a_rate_limit_beyond_the_budget_is_not_waited_for() -> None:
    began = time.monotonic()
    with model_server(failing(429, "tomorrow", retry_after="86400")) as (address, _):
        answer = _model(address, budget_s=1.0).ask_checked(QUESTION, FORM, _sum)
    assert answer.status in (AskStatus.TIMEOUT, AskStatus.UNAVAILABLE)
    assert time.monotonic() - began < 15.0


def test_a_busy_server_is_asked_again_after_pauses_that_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(conversation, "FIRST_WAIT_S", 2.0)
    monkeypatch.setattr(Budget, "wait", lambda self, seconds: waits.append(seconds))
    with model_server(failing(503)) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.UNAVAILABLE and len(script.requests) == 6
    assert waits == [2.0, 4.0, 8.0, 16.0, conversation.LONGEST_WAIT_S]


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_not_tried_again(status: int) -> None:
    with model_server(failing(status, "bad key")) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.UNAVAILABLE
    assert "bad key" in answer.message
    assert len(script.requests) == 1


def test_a_refusal_is_an_answer() -> None:
    refusal = sending(completion(None, message={"refusal": "I cannot help with that."}))
    with model_server(refusal) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.REFUSED
    assert "cannot help" in answer.message
    assert len(script.requests) == 1


def test_nobody_there_is_unavailable() -> None:
    model = _model("http://127.0.0.1:9/v1", max_attempts=2, budget_s=3.0)
    answer = model.ask_checked(QUESTION, FORM, _sum)
    assert answer.status is AskStatus.UNAVAILABLE
    assert "no connection to 127.0.0.1:9" in answer.message


def test_the_form_falls_back_to_what_the_server_knows() -> None:
    def no_schema(handler: Any, request: dict[str, Any]) -> None:
        form = request.get("response_format", {}).get("type", "none")
        form = "guided_json" if "guided_json" in request else form
        if form == "none":
            sending(completion('Sure!\n{"sum": 4}'))(handler, request)
        else:
            failing(400, f"response_format {form} is not supported")(handler, request)

    with model_server(no_schema) as (address, script):
        model = _model(address)
        assert model.ask_checked(QUESTION, FORM, _sum).value == 4
        first = len(script.requests)
        other = [*QUESTION[:1], {"role": "user", "content": "3 and 1?"}]
        assert model.ask_checked(other, FORM, _sum).value == 4
    assert first == 4
    assert len(script.requests) == 5  # what was found out is remembered
    assert '"sum"' in script.requests[-1]["messages"][0]["content"]


def test_parameters_that_a_model_rejects_are_left_out() -> None:
    def strict(handler: Any, request: dict[str, Any]) -> None:
        for name in ("max_tokens", "temperature", "seed"):
            if name in request:
                failing(400, f"unsupported parameter: '{name}'")(handler, request)
                return
        sending(completion('{"sum": 4}'))(handler, request)

    with model_server(strict) as (address, script):
        answer = _model(address).ask_checked(QUESTION, FORM, _sum)
    assert (answer.value, answer.attempts) == (4, 1)
    assert "max_completion_tokens" in script.requests[-1]


def test_requests_that_are_rejected_for_one_thing_at_once_cost_that_thing_only() -> None:
    dialect = Dialect(ModelSettings(seed=1))

    def asked() -> dict[str, Any]:
        return dialect.body(QUESTION, SCHEMA, 100, 0)

    for said in ("unsupported parameter: 'temperature'", "no response_format of that type"):
        together = [asked() for _ in range(4)]
        assert all(dialect.concede(said, body) for body in together)
    assert dialect.how == "guided"
    assert "temperature" not in asked() and {"seed", "max_tokens", "guided_json"} <= asked().keys()


def test_tokens_are_estimated_where_a_server_does_not_count() -> None:
    body = completion('{"sum": 4}')
    del body["usage"]
    with model_server(sending(body)) as (address, _):
        usage = _model(address).ask_checked(QUESTION, FORM, _sum).usage
    assert usage.estimated
    assert 20 <= usage.prompt <= 120
    assert usage.completion == estimate_tokens('{"sum": 4}')


def test_answers_are_cached_by_content_and_only_valid_ones(tmp_path: Path) -> None:
    with model_server("nonsense", '{"sum": 4}', '{"sum": 5}') as (address, script):
        folder = str(tmp_path / "answers")
        first = _model(address, cache=folder)
        assert first.ask_checked(QUESTION, FORM, _sum).value == 4
        assert first.ask_checked(QUESTION, FORM, _sum).usage.cached == 1
        again = _model(address, cache=folder).ask_checked(QUESTION, FORM, _sum)  # another process
        assert (again.value, again.usage.requests, again.attempts) == (4, 0, 0)
        assert len(script.requests) == 2
        other = _model(address, cache=folder, name="another").ask_checked(QUESTION, FORM, _sum)
        assert other.value == 5
    assert len(list((tmp_path / "answers").glob("*.json"))) == 2


def test_a_damaged_cache_entry_counts_as_none(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    cache.put("abc", "kept")
    (tmp_path / "abc.json").write_text('{"key": "other", "answer": 1')
    assert AnswerCache(tmp_path).get("abc") is None
    assert cache.get("abc") == "kept"


def test_a_model_without_a_server_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = ChatModel(ModelSettings())
    assert not model.configured
    with pytest.raises(GroundingError, match="OPENAI_BASE_URL"):
        model.ask_checked(QUESTION, FORM, _sum)


def test_the_key_comes_from_the_environment_and_goes_into_the_header(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_KEY", "sesame")
    with model_server('{"sum": 4}') as (address, script):
        _model(address, api_key_variable="MY_KEY").ask_checked(QUESTION, FORM, _sum)
    assert script.headers[0]["authorization"] == "Bearer sesame"
    assert "sesame" not in json.dumps(script.requests)
