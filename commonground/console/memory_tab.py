"""The tab of the console that tells the lifelong memory things, and asks it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from commonground.console import words
from commonground.console.memory_box import MemoryBox
from commonground.console.operators import OwnBox, Shared

if TYPE_CHECKING:
    from viser import ViserServer

NONE = "No memory is open. Start with --memory FILE to tell it things and ask it."


class MemoryTab:
    """A box of each operator's own, and what came of it."""

    def __init__(
        self,
        server: ViserServer,
        tab: Shared,
        memory: MemoryBox,
        told: Callable[[Any], AbstractContextManager[None]],
        called: Callable[[str, Any], bool],
    ) -> None:
        """``told`` shows errors; ``called`` does what words say to robots, and returns whether they do."""
        gui = server.gui
        if not memory.there:
            with tab:
                gui.add_html(words.lines([NONE]))
            return
        box = OwnBox(server, tab, "Say or ask", -1.0)

        def says(act: Callable[[str], list[str]]) -> Callable[[Any], None]:
            def run(event: Any) -> None:
                text = box.of(event)
                with told(event):
                    if not called(text, event):
                        said.content = words.lines(act(text))

            return run

        def undo(event: Any) -> None:
            with told(event):
                said.content = words.lines(memory.undo())

        with tab:
            said = gui.add_html("")
            gui.add_button("Ask").on_click(says(memory.ask))
            gui.add_button("Tell").on_click(says(memory.tell))
            gui.add_button("Undo the last change").on_click(undo)
