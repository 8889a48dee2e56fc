"""What a text was understood to say, by whichever reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.unclear import Candidates

Offer = tuple[tuple[Fact, ...], tuple[Fact, ...]]
"""What is so then, and what no longer is."""
Status = Literal["ok", "none", "ask", "failed"]
"""``failed``: the model that was to read it gave no answer."""


@dataclass(frozen=True, slots=True)
class Taken:
    """How a text was taken, whether it was told or wished for."""

    status: Status
    question: str = field(default="", kw_only=True)
    """What to ask back, what was left aside, or why nothing came of it."""
    tokens: int = field(default=0, kw_only=True)
    """What a language model took for it."""
    estimated: bool = field(default=False, kw_only=True)
    """No server counted those tokens."""
    why: str = field(default="", kw_only=True)
    """Which reader answered and why it was this one, where there was a choice."""
    offers: tuple[Offer, ...] = field(default=(), kw_only=True)
    """What is believed where the question is answered by yes, or by which of two it is."""
    candidates: Candidates | None = field(default=None, kw_only=True)
    """What may be named in answer."""


@dataclass(frozen=True, slots=True)
class Reading(Taken):
    """What a report was understood to say."""

    facts: tuple[Fact, ...] = ()
    """What it asserts."""
    retracted: tuple[Fact, ...] = ()
    """What it says no longer holds, without saying what does."""
    events: tuple[Event, ...] = ()
    times: tuple[TimeWords, ...] = ()
    spoken: tuple[Event, ...] = ()
    """What the next report may refer to: the events, certain or not."""
    speaks: bool = True
    """Whether it is a report at all, and no chatter."""
    unreal: bool = False
    """Whether it speaks of what is wished, ordered, imagined or asked, and so is no report of that."""
    before: tuple[Fact, ...] = ()
    """Where things were until then, against what was believed."""
    aside: tuple[Fact, ...] = ()
    """What may be so, but is said without certainty."""
    at_once: tuple[Fact, ...] = ()
    """What it says is so now, and not what was done, in order, with what later parts of it replace."""

    def offered(self) -> Offer:
        """Return what is believed where somebody vouches for all of it."""
        return (tuple(dict.fromkeys((*self.facts, *self.aside))), self.retracted)
