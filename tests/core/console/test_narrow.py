"""What a page may change of the server, and on which addresses it is served."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from commonground.console.door import Door
from commonground.console.serving import _take_values_only, serve
from commonground.errors import RunError


@pytest.mark.parametrize(
    ("updates", "taken"),
    [({"value": 3}, True), ({"update_cb": []}, False), ({"value": 3, "sync_cb": None}, False)],
)
def test_a_page_changes_values_and_nothing_that_buttons_do(
    updates: dict[str, Any], taken: bool
) -> None:
    got: list[dict[str, Any]] = []

    async def handle(client: int, message: Any) -> None:
        got.append(message.updates)

    interface = SimpleNamespace(_incoming_handlers={dict: [handle]})
    _take_values_only(interface, dict)
    (narrowed,) = interface._incoming_handlers[dict]
    asyncio.run(narrowed(1, SimpleNamespace(updates=updates)))
    assert got == [updates] * taken


def test_a_value_of_another_kind_is_passed_over() -> None:
    async def handle(client: int, message: Any) -> None:
        float(message.updates["value"])

    interface = SimpleNamespace(_incoming_handlers={dict: [handle]})
    _take_values_only(interface, dict)
    asyncio.run(interface._incoming_handlers[dict][0](1, SimpleNamespace(updates={"value": "abc"})))


def test_an_address_of_another_machine_is_refused_at_once() -> None:
    pytest.importorskip("viser")
    with pytest.raises(RunError, match=r"--host 203\.0\.113\.7: is no address of this machine"):
        serve(Door("203.0.113.7", "token"), 0)
