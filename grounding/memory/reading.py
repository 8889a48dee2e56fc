"""What a report was understood to say, by whichever reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.timing import TimeWords

Status = Literal["ok", "none", "ask", "failed"]
"""``failed``: the model that was to read it gave no answer."""


@dataclass(slots=True)
class Reading:
    """What a report was understood to say."""

    status: Status
    facts: tuple[Fact, ...] = ()
    """What it asserts."""
    retracted: tuple[Fact, ...] = ()
    """What it says no longer holds, without saying what does."""
    question: str = ""
    """What to ask back."""
    events: tuple[Event, ...] = ()
    times: tuple[TimeWords, ...] = ()
    spoken: tuple[Event, ...] = ()
    """What the next report may refer to: the events, certain or not."""
    speaks: bool = True
    """Whether it is a report at all, and no chatter."""
    unreal: bool = False
    """Whether it speaks of what is wished, ordered, imagined or asked, and so is no report of that."""
    aside: tuple[Fact, ...] = ()
    """What may be so, but is said without certainty."""
    tokens: int = 0
    """What a language model took for it."""
    why: str = ""
    """Which reader answered and why it was this one, where there was a choice."""
