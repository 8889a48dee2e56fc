"""Who sits at which browser: a name that an operator gives, kept while connections come and go.

A browser is known by a cookie that the page sets; all tabs of it are one operator.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from commonground.console.door import browser_of
from commonground.live.control import control

if TYPE_CHECKING:
    from viser import ViserServer

MOST_LETTERS = 40
SETTLED_S, MOST_WAITS = 0.5, 4
"""Letters are all there when none came for so long; after so many times, whatever there is counts."""


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


class OwnBox:
    """A box for words that each tab of a browser has for itself: nobody's go out as another's."""

    def __init__(
        self,
        server: ViserServer,
        tab: Shared,
        label: str,
        order: float,
        send: tuple[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        """``send`` is what a button below it, or Enter, does, by the label of the button."""
        self._tab, self._label, self._order, self._send = tab, label, order, send
        self._boxes: dict[int, Any] = {}
        server.on_client_connect(self._add)
        server.on_client_disconnect(lambda client: self._boxes.pop(client.client_id, None))

    def of(self, event: Any) -> str:
        """Return what stands in the box of who did something, once no more of it comes.

        A page sends a press at once, and letters a moment later: half a sentence is another instruction.
        """
        box = self._boxes.get(event.client_id)
        before = None
        for _ in range(MOST_WAITS):
            text = "" if box is None else str(box.value)
            if text and (text == before or control(text) == "stop"):
                break
            before = text
            time.sleep(SETTLED_S)
        return text

    def put(self, event: Any, text: str) -> None:
        """Let a text stand in the box of who did something."""
        box = self._boxes.get(event.client_id)
        if box is not None:
            box.value = text

    def clear(self, event: Any, text: str) -> None:
        """Empty the box of who said a text, unless he has begun another one."""
        box = self._boxes.get(event.client_id)
        if box is not None and box.value == text:
            box.value = ""

    def _add(self, client: Any) -> None:
        with self._tab:
            if self._send is None:
                box = client.gui.add_text(self._label, "", order=self._order)
            else:
                with client.gui.add_form(None, order=self._order) as form:
                    box = client.gui.add_text(self._label, "", multiline=False)
                    button = client.gui.add_button(self._send[0])
                button.on_click(self._send[1])
                form.on_submit(self._send[1])
            self._boxes[client.client_id] = box


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
