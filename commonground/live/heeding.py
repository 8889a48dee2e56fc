"""What words do to a mission under way, wherever they are said: a console, a terminal, another program."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonground.errors import CommongroundError
from commonground.live.control import Control, called, control
from commonground.live.joining import LOOK_S, called_out, only_bans
from commonground.reasons import line

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.scene import SceneGraph

MOST_SAID = 200
"""Letters of words that are told again."""


class Reins(Protocol):
    """Who holds a mission up; ``said`` are the words that told so."""

    def stop(self, by: str = "", *, said: str = "") -> None:
        """Stop all robots for good."""
        ...

    def pause(self, by: str = "", *, said: str = "") -> None:
        """Let all robots stand until somebody goes on."""
        ...

    def go_on(self, by: str = "", *, said: str = "") -> None:
        """Go on after a pause."""
        ...


def heed(reins: Reins, text: str, by: str, robots: Sequence[str], *, going: bool) -> Control:
    """Do what a text says to a mission, or may say while robots drive; return what that is."""
    meant = called(text, robots) if going else control(text, robots)
    if meant == "stop":
        reins.stop(by, said=text)
    elif meant == "pause":
        reins.pause(by, said=text)
    elif meant == "go on":
        reins.go_on(by, said=text)
    return meant


def is_ban(text: str, graph: SceneGraph, read: Callable[[str], Grounding]) -> bool:
    """Return whether words that hold robots up plainly keep them out of somewhere, and want nothing else."""
    with contextlib.suppress(CommongroundError):
        found = read(text)
        return found.status == "ok" and only_bans(found.goals or {}, graph)
    return False


def unclear(text: str) -> str:
    """Return what is asked where words hold robots up and nobody knows what they want."""
    return (
        f"{quoted(text)} is not understood, and nothing of it is kept to: all robots stand until somebody "
        "says what is meant, or “go on” without it"
    )


def quoted(said: str) -> str:
    """Return words as a line of a length that can be read."""
    return f"“{line(said, MOST_SAID)}”"


@contextlib.contextmanager
def calls_heard(folder: Path, hear: Callable[[str, str], object]) -> Iterator[None]:
    """Let what other programs say to a mission be heard while the block lasts: text, and by whom."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK_S):
            for text, by in called_out(folder):
                with contextlib.suppress(CommongroundError):  # refused, and told so
                    hear(text, by)

    thread = threading.Thread(target=look, name=f"calls to {folder.name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(LOOK_S * 5)
