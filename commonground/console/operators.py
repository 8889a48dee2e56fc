"""Who sits at which browser: a name that an operator gives, kept while connections come and go.

A browser is known by a cookie that the page sets; all tabs of it are one operator.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from commonground.console.door import browser_of

if TYPE_CHECKING:
    from viser import ViserServer

MOST_LETTERS = 40


class Shared:
    """A tab to which several threads add; viser takes one of them at a time."""

    def __init__(self, tab: Any) -> None:
        self._tab, self._lock = tab, threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._tab.__enter__()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            self._tab.__exit__(*error)
        finally:
            self._lock.release()


class Operators:
    """Names by browser."""

    def __init__(self, server: ViserServer, tab: Shared, order: float) -> None:
        """Let each operator give a name in a tab of the page."""
        self._server, self._tab, self._order = server, tab, order
        self._names: dict[str, str] = {}
        self._lock = threading.Lock()
        server.on_client_connect(self._greet)

    def who(self, event: Any) -> str:
        """Return who did something: by name, or by number where he gave none."""
        number = getattr(event, "client_id", None)
        if number is None:
            return "an operator"
        return self._names.get(self._browser(number)) or f"operator {number + 1}"

    def _greet(self, client: Any) -> None:
        browser = self._browser(client.client_id)
        with self._tab:
            box = client.gui.add_text(
                "Your name", self._names.get(browser, ""), order=self._order,
                hint="Said with all that you do, on the page and in the mission's folder",
            )  # fmt: skip

        def take(event: Any) -> None:
            with self._lock:
                self._names[browser] = " ".join(str(box.value).split())[:MOST_LETTERS]

        box.on_update(take)
        if box.value != self._names.get(browser, ""):  # it was typed before anybody listened
            take(None)

    def _browser(self, number: int) -> str:
        """Return what a connection's browser is known by; its own number where it tells nothing."""
        connection = self._server._websock_server._live_connections.get(number)
        headers = getattr(getattr(connection, "request", None), "headers", {})
        return browser_of(headers.get("Host", ""), headers.get("Cookie", "")) or f"#{number}"
