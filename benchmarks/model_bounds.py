"""How far servers that are slow, busy or endless exceed what the settings allow one question.

Run ``python benchmarks/model_bounds.py``; servers on loopback. A row a behavior: time or bytes taken, over
the bound.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commonground.grounding.model import ChatModel, Form
from commonground.grounding.settings import ModelSettings
from tests.grounding.model_server import (
    failing,
    hanging_up,
    model_server,
    reply,
    sleeping,
    trickling,
)
from tests.grounding.test_model_door import FLOODS, raw_server

QUESTION = [{"role": "user", "content": "How much is two and two?"}]
FORM = Form({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]})
Serving = Callable[[], AbstractContextManager[tuple[str, Any]]]


def _circling(handler: Any, request: Any) -> None:
    time.sleep(0.2)
    reply(handler, {}, 307, location="/v1/chat/completions")


SLOW: dict[str, Serving] = {
    "silent": lambda: model_server(sleeping(60.0)),
    "slow head": lambda: raw_server(b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n", 0.05),
    "slow body": lambda: model_server(trickling('{"sum": 4}', 0.3)),
    "slow error": lambda: raw_server(b"HTTP/1.1 500 X\r\ncontent-length: 9000\r\n\r\n", b"x", 0.05),
    "slow interim": lambda: raw_server(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05),
    "slow redirects": lambda: model_server(_circling),
    "busy": lambda: model_server(failing(429, retry_after="3600")),
    "failing": lambda: model_server(failing(503)),
    "hanging up": lambda: model_server(hanging_up),
    "wrong": lambda: model_server("It is four."),
}


def main() -> None:
    """Print one row a behavior."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget-s", type=float, default=5.0)
    parser.add_argument("--max-bytes", type=int, default=1_000_000)
    given = parser.parse_args()
    print(f"{'behavior':24} {'taken':>12} {'bound':>12} {'ratio':>6}")
    for name, serving in SLOW.items():
        with serving() as (address, _):
            settings = ModelSettings(
                base_url=address, budget_s=given.budget_s, timeout_s=given.budget_s
            )
            model = ChatModel(settings)
            model._connected()  # loading is no part of a question
            began = time.monotonic()
            model.ask_checked(QUESTION, FORM, int)
            _row(name, time.monotonic() - began, given.budget_s, "s")
    for name, (head, piece) in FLOODS.items():
        with raw_server(head, piece, 0.0) as (address, _):
            settings = ModelSettings(base_url=address, max_bytes=given.max_bytes, max_attempts=10)
            answer = ChatModel(settings).ask_checked(QUESTION, FORM, int)
            _row(f"endless {name}", answer.usage.received, given.max_bytes, "B")


def _row(name: str, taken: float, bound: float, unit: str) -> None:
    print(f"{name:24} {taken:>10.7g} {unit} {bound:>10.7g} {unit} {taken / bound:6.3f}", flush=True)


if __name__ == "__main__":
    main()
