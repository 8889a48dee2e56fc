"""What is wrong with an address, a name, a proxy or a certificate is said once, with what to change."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from commonground.errors import GroundingError
from commonground.grounding.model import AskStatus, ChatModel, Form, conversation, transport
from commonground.grounding.model.answer import Answer
from commonground.grounding.model.faults import shown_wait, wait_asked
from commonground.grounding.model.proxies import ProxyError, is_loopback, proxy_for
from commonground.grounding.model.reading import json_value
from commonground.grounding.model.request import Budget
from commonground.grounding.settings import ModelSettings
from tests.grounding.imitations import Move, gateway, llama_cpp, ollama, vllm
from tests.grounding.model_server import completion, failing, model_server, reply, sending, sleeping

QUESTION = [{"role": "user", "content": "2 and 2?"}]
SCHEMA = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
RIGHT = '{"sum": 4}'
KEY = "sk-open-sesame"
FIRST_WAIT_S = 0.5


def _mind(request: dict[str, Any]) -> str:
    return RIGHT


def _sum(value: Any) -> int:
    if not isinstance(value.get("sum"), int):
        raise GroundingError("there is no integer 'sum'")
    return int(value["sum"])


def _asked(address: str, **settings: Any) -> Answer[int]:
    values = {"base_url": address, "timeout_s": 20.0, "budget_s": 60.0, **settings}
    return ChatModel(ModelSettings(**values)).ask_checked(QUESTION, Form(SCHEMA), _sum)


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http", "https", "all", "no"):
        for spelled in (f"{name}_proxy", f"{name}_proxy".upper()):
            monkeypatch.delenv(spelled, raising=False)


# ---- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("server", "name"),
    [(vllm(_mind), "qwen3"), (llama_cpp(_mind), "whatever"), (ollama(_mind), "llama3.2")],
)
@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_an_address_may_be_the_host_or_its_v1_or_all_of_it(
    server: Move, name: str, end: str, stream: bool
) -> None:
    with model_server(server) as (address, script):
        answer = _asked(address.removesuffix("/v1") + end, name=name, stream=stream)
    assert answer.value == 4 and len(script.requests) == 1
    assert (answer.usage.prompt, answer.usage.estimated) == (900, False)


def test_a_host_that_serves_without_v1_is_asked_there() -> None:
    def rooted(handler: Any, request: dict[str, Any]) -> None:
        if handler.path == "/chat/completions":
            reply(handler, completion(RIGHT))
        else:
            failing(404, "no such page")(handler, request)

    with model_server(rooted, rooted) as (address, _):
        assert _asked(address.removesuffix("/v1")).value == 4


@pytest.mark.parametrize(
    ("content_type", "encoding"), [("text/html; charset=utf-8", "identity"), ("text/x", "utf-8")]
)
def test_an_answer_is_taken_by_whatever_name_it_is_sent(content_type: str, encoding: str) -> None:
    def named(handler: Any, request: dict[str, Any]) -> None:
        reply(handler, completion(RIGHT), content_type=content_type, content_encoding=encoding)

    with model_server(named) as (address, _):
        assert _asked(address).value == 4


def test_a_form_that_a_model_does_not_take_is_no_unknown_model() -> None:
    unable = failing(400, "for this model, response_format json_schema is not available")
    with model_server(unable, RIGHT) as (address, script):
        assert _asked(address).value == 4
    assert len(script.requests) == 2


def test_a_status_of_an_error_that_is_none_ends_in_words() -> None:
    with model_server(sending({"error": {"code": "9" * 5000, "message": "away"}})) as (address, _):
        assert "away" in _asked(address).message


def test_a_key_in_a_refusal_is_struck_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    message = {"role": "assistant", "content": None, "refusal": f"not for {KEY}"}
    with model_server(sending({"choices": [{"message": message}]})) as (address, _):
        answer = _asked(address)
    assert answer.status is AskStatus.REFUSED and KEY not in answer.message


@pytest.mark.parametrize("end", ["", "/chat/completions"])
def test_a_gateway_keeps_its_query_and_gets_its_key(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(gateway(_mind, key=KEY)) as (address, script):
        base = address.removesuffix("/v1") + "/openai/deployments/house"
        answer = _asked(f"{base}{end}?api-version=2024-02-01")
    assert answer.value == 4
    assert script.headers[0]["api-key"] == KEY and "authorization" not in script.headers[0]


def test_the_header_of_a_key_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(RIGHT) as (address, script):
        assert _asked(address, api_key_header="x-key").value == 4
    assert script.headers[0]["x-key"] == KEY


def test_the_usual_header_keeps_its_form_where_an_api_version_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(RIGHT) as (address, script):
        assert _asked(f"{address}?api-version=1", api_key_header="authorization").value == 4
    assert script.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/openai/deployments/house", "Resource not found"),
        ("/openai/deployments/shed?api-version=1", "set it to a model that is there"),
        ("/v1", "a login before it?): 'Sign in'"),
        ("/nowhere", "is there a login before it?"),
    ],
)
def test_a_gateway_asked_wrongly_says_so_in_one_request(
    path: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with model_server(gateway(_mind, key=KEY)) as (address, script):
        answer = _asked(address.removesuffix("/v1") + path, api_key_header="api-key")
    assert answer.status is AskStatus.UNAVAILABLE and len(script.requests) == 1
    assert said in answer.message and "grounding.model.base_url" in answer.message
    assert "\n" not in answer.message


@pytest.mark.parametrize("server", [vllm(_mind, name="m"), ollama(_mind, name="m")])
def test_what_names_the_address_is_said(server: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(server) as (address, script):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v2")
        model = ChatModel(ModelSettings(name="m"))
        answer = model.ask_checked(QUESTION, Form(SCHEMA), _sum)
    assert f"{address}/v2/chat/completions (named by OPENAI_BASE_URL)" in answer.message
    assert "nothing is served at that address" in answer.message and len(script.requests) == 1


@pytest.mark.parametrize(
    "address", ["localhost:8701/v1", "ftp://host/v1", "http:///v1", "http://h:x"]
)
def test_an_address_that_is_none_is_shown_with_what_names_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GroundingError, match="grounding.model.base_url") as raised:
        _asked(address)
    assert address in str(raised.value)
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(GroundingError, match="OPENAI_BASE_URL"):
        ChatModel(ModelSettings()).ask_checked(QUESTION, Form(SCHEMA), _sum)


def test_a_secret_in_a_query_is_not_shown() -> None:
    with model_server(failing(404, "Not Found")) as (address, _):
        answer = _asked(f"{address}?token=sesame&api-version=7")
    assert "sesame" not in answer.message and "api-version=7" in answer.message


# ---- what no further request changes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (vllm(_mind, name="other"), "grounding.model.name is 'm'"),
        (ollama(_mind, name="other"), "grounding.model.name is 'm'"),
        (vllm(_mind, name="m", context=64), "grounding.model.max_answer_tokens"),
        (llama_cpp(_mind, context=3), "longer context"),
        (failing(400, "max_tokens is too large: 1024. At most 512 completion tokens"), "lower"),
        (failing(400, "Invalid model name passed in model=m"), "grounding.model.name"),
        (failing(403, "no"), "api_key_variable"),
        (sending(b"<html><title>Log in</title>"), "'Log in'"),
        (sending({"error": {"message": "the backend is away"}}), "the backend is away"),
        (sending({"error": "no credit"}), "no credit"),
        (sending('{"choices": "caf\u00e9"}'.encode("latin-1")), "no UTF-8 text"),
    ],
)
def test_one_request_and_one_line_say_what_to_change(move: Move, said: str) -> None:
    with model_server(move) as (address, script):
        answer = _asked(address, name="m")
    assert answer.status is AskStatus.UNAVAILABLE and len(script.requests) == 1
    assert said in answer.message and "\n" not in answer.message
    assert address in answer.message


def test_an_error_that_came_as_if_all_were_well_is_waited_for_where_it_passes() -> None:
    busy = sending({"error": {"code": 503, "message": "overloaded"}})
    with model_server(busy, RIGHT) as (address, script):
        assert _asked(address).value == 4
    assert len(script.requests) == 2


def test_a_filter_of_the_server_is_a_refusal() -> None:
    filtered = failing(400, "triggered the content management policy")
    with model_server(filtered) as (address, script):
        assert _asked(address).status is AskStatus.REFUSED
    assert len(script.requests) == 1


def test_a_reply_that_is_packed_unasked_is_named() -> None:
    def packed(handler: Any, request: Any) -> None:
        reply(handler, b"\x8b\x02\x80", content_encoding="br")

    with model_server(packed) as (address, script):
        assert "packed (br)" in _asked(address).message
    assert len(script.requests) == 1


def test_a_server_that_loads_its_model_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(conversation, "FIRST_WAIT_S", FIRST_WAIT_S)
    monkeypatch.setattr(Budget, "wait", lambda self, seconds: waits.append(seconds))
    with model_server(llama_cpp(_mind, loading=3)) as (address, script):
        assert _asked(address).value == 4
    assert len(script.requests) == 4 and waits == [FIRST_WAIT_S * n for n in (1, 2, 4)]


# ---- waiting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ahead", "said"), [(3600, "1 h"), (86400 * 30, "30 days")])
@pytest.mark.parametrize("dated", [False, True])
def test_a_wait_beyond_the_budget_fails_at_once_and_says_how_long(
    ahead: int, said: str, dated: bool
) -> None:
    after = formatdate(time.time() + ahead + 0.5, usegmt=True) if dated else str(ahead)
    with model_server(failing(429, "slow down", retry_after=after)) as (address, script):
        answer = _asked(address)
    assert answer.status is AskStatus.UNAVAILABLE and len(script.requests) == 1
    assert f"asks to wait {said}" in answer.message and "budget_s" in answer.message


def test_the_wait_is_read_in_seconds_parts_of_them_and_dates() -> None:
    now = 1_800_000_000.0
    assert wait_asked({"retry-after": "7"}, now) == 7
    assert wait_asked({"retry-after-ms": "1500", "retry-after": "2"}, now) == 1.5
    assert wait_asked({"retry-after": formatdate(now + 90, usegmt=True)}, now) == 90
    assert wait_asked({"retry-after": formatdate(now - 90, usegmt=True)}, now) == 0
    assert wait_asked({"retry-after": "soon"}, now) == wait_asked({}, now) == 0
    assert [shown_wait(s) for s in (5, 90, 7200)] == ["5 s", "1.5 min", "2 h"]


# ---- proxies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "ftp://x"])
def test_this_machine_is_never_asked_through_a_proxy(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    with model_server(RIGHT) as (address, _):
        assert _asked(address).value == 4
        assert _asked(address.replace("127.0.0.1", "localhost")).value == 4
    assert is_loopback("::1") and is_loopback("127.8.0.1") and not is_loopback("10.0.0.1")


def test_a_proxy_is_used_and_what_no_proxy_lists_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "gate:3128")
    found = proxy_for("http://models.example:8000/v1")
    assert found is not None and found.address == "http://gate:3128"
    assert found.named_by == "http_proxy"
    assert proxy_for("https://models.example/v1") is None
    for listed in ("models.example", ".example", "*", "other, models.example:8000"):
        monkeypatch.setenv("no_proxy", listed)
        assert proxy_for("http://models.example:8000/v1") is None
    monkeypatch.setenv("no_proxy", "fd00::7")
    assert proxy_for("http://[fd00::7]:8000/v1") is None


def test_a_request_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(RIGHT) as (address, script):
        monkeypatch.setenv("HTTP_PROXY", address.removesuffix("/v1"))
        assert _asked("http://models.invalid/v1").value == 4
    assert script.headers[0]["host"] == "models.invalid"


def test_a_proxy_that_is_not_there_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Budget, "wait", lambda self, seconds: None)
    monkeypatch.setenv("ALL_PROXY", "http://me:sesame@127.0.0.1:9")
    answer = _asked("http://models.invalid/v1")
    assert "127.0.0.1, which ALL_PROXY names" in answer.message and "NO_PROXY" in answer.message
    assert "sesame" not in answer.message


@pytest.mark.parametrize(
    ("proxy", "said"),
    [
        ("socks5://p:1080", "socksio"),
        ("ftp://p", "ftp"),
        ("http://p:port", "no address"),
        ("http://me:se/same@p:80", "%2F"),
        ("http://[p", "no address"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_one_line(
    proxy: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ProxyError, match=said):
        proxy_for("http://models.invalid/v1")
    answer = _asked("http://models.invalid/v1")
    assert answer.status is AskStatus.UNAVAILABLE and answer.attempts == 1
    assert said in answer.message and "put models.invalid into NO_PROXY" in answer.message


# ---- TLS --------------------------------------------------------------------------------------------


@contextmanager
def _private(folder: Path) -> Iterator[tuple[str, Path]]:
    """Run a server with a certificate of its own; yield its address and the certificate."""
    pem, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", str(key), "-out", str(pem)],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            reply(self, json.loads(json.dumps(completion(RIGHT))))

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Quiet(HTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", pem
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_what_to_do_about_a_certificate_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with _private(tmp_path) as (where, pem):
        transport._client.cache_clear()
        answer = _asked(f"https://{where}/v1")
        assert (
            answer.attempts == 1 and "set the environment variable SSL_CERT_FILE" in answer.message
        )
        assert "self-signed" in answer.message
        plain = _asked(f"http://{where}/v1")
        assert plain.attempts == 1 and "begins with https://" in plain.message
        transport._client.cache_clear()
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        assert _asked(f"https://{where}/v1").value == 4
    transport._client.cache_clear()


def test_a_plain_server_asked_for_tls_is_named() -> None:
    with model_server(RIGHT) as (address, _):
        answer = _asked(address.replace("http:", "https:"))
    assert answer.attempts == 1 and "begins with http://" in answer.message


def test_certificates_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/cert.pem")
    transport._client.cache_clear()
    answer = _asked("https://127.0.0.1:9/v1")
    transport._client.cache_clear()
    assert answer.attempts == 1
    assert "SSL_CERT_FILE names /nowhere/cert.pem" in answer.message


def _tool_call(**more: Any) -> dict[str, Any]:
    call = {"id": "1", "type": "function", "function": {"name": "answer", "arguments": RIGHT}}
    whole = completion(None, finish="tool_calls")
    whole["choices"][0]["message"]["tool_calls"] = [call]
    return {**whole, **more}


def test_a_tool_call_is_told_as_one() -> None:
    with model_server(sending(_tool_call())) as (address, _):
        answer = _asked(address, max_attempts=1)
    assert answer.status is AskStatus.INVALID
    assert "calls a tool (answer)" in answer.message and "empty" not in answer.message


def test_what_a_server_cuts_off_by_its_own_limit_is_not_raised_here() -> None:
    short = sending(completion('{"sum"', finish="length"))
    with model_server(short) as (address, _):
        answer = _asked(address, max_answer_tokens=512, most_answer_tokens=512)
    assert "after 60 of the 512 tokens" in answer.message
    assert "most_answer_tokens" not in answer.message


def test_what_was_left_to_the_last_try_is_told_as_that() -> None:
    with model_server(sleeping(20.0)) as (address, _):
        answer = _asked(address, timeout_s=0.7, budget_s=1.0)
        alone = _asked(address, timeout_s=0.5, budget_s=0.5)
    assert "was left to the last try: grounding.model.budget_s (1)" in answer.message
    assert answer.status is alone.status is AskStatus.TIMEOUT


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"sum": 4}, "b": {"sum": 5}',
        '{"a": {"sum": 4}, "b": "fi',
        '```json\n{"a": [{"sum": 4}]\n```',
    ],
)
def test_an_answer_cut_short_is_told_as_that(text: str) -> None:
    with pytest.raises(GroundingError, match="breaks off"):
        json_value(text)


def test_a_brace_in_prose_before_an_answer_is_no_answer_cut_short() -> None:
    assert json_value('As {asked}, in full: {"sum": 4}') == {"sum": 4}
