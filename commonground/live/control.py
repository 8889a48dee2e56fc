"""Words for the mission under way itself, and no instruction: ``Stop!``, ``everybody wait``, ``go on``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Control = Literal["", "stop", "pause", "go on"]
VERBS: dict[str, Control] = {
    **dict.fromkeys(("stop", "halt", "freeze", "abort", "stand still", "emergency stop"), "stop"),
    **dict.fromkeys(("pause", "wait", "hold on"), "pause"),
    **dict.fromkeys(("go on", "continue", "resume", "carry on", "proceed"), "go on"),
}
BESIDE = {"everybody", "everyone", "all", "robots", "please", "now", "and", "the", "mission"}


def control(text: str, robots: Iterable[str] = ()) -> Control:
    """Return what a text says to a mission as a whole; '' where it says more than that.

    To stop or to wait one robot is not known here: all of them do, which does no harm.
    """
    said = re.findall(r"[^\W_]+", text.lower().replace("'", ""))
    names = {word for name in robots for word in re.findall(r"[^\W_]+", name.lower())}
    words = [word for word in said if word not in BESIDE and word not in names]
    found = VERBS.get(" ".join(words), "")
    if not found and words and all(VERBS.get(word) == "stop" for word in words):  # stop, stop!
        return "stop"
    return "" if found == "go on" and names & set(said) else found
