"""What each sense makes so, and how certain a clause is of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.state_words import STATES
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.unclear import CERTAIN
from commonground.grounding.memory.readers.senses import movements, state_changes
from commonground.grounding.memory.readers.senses.remarks import did_the_same
from commonground.grounding.memory.readers.senses.roles import Roles

Row: TypeAlias = Callable[[Roles, Clause], list[Event]]
EVENTS: Mapping[str, Row] = {
    **dict.fromkeys(STATES, state_changes.state),
    "be like": state_changes.be_like,
    "fill": state_changes.fill,
    "contain": state_changes.fill,
    "tune": state_changes.tune,
    "serve": state_changes.serve,
    "put": movements.put,
    "clear": movements.put,
    "throw away": movements.put,
    "take": movements.take,
    "hold": movements.take,
    "have": movements.have,
    "give": movements.give,
    "go to": movements.go,
    "enter": movements.go,
    "end up at": movements.go,
    "bring along": movements.bring_along,
    "leave": movements.leave,
    "be at": movements.be_at,
    "be in room": movements.be_in_room,
    "swap": movements.swap,
    "own": movements.own,
    "robot is given": movements.robot_given,
    "robot is relieved of": movements.robot_relieved,
    "robot is moved": movements.robot_moved,
    "did the same": did_the_same,
}
"""What each sense makes so."""
DENIED: Mapping[str, Row] = {
    **dict.fromkeys(STATES, state_changes.state_ended),
    "be like": state_changes.be_like,
    "contain": state_changes.drain,
    "be at": movements.be_elsewhere,
    "be in room": movements.be_elsewhere,
    "put": movements.be_elsewhere,
    "go to": movements.be_elsewhere,
    "have": movements.have_not,
}
"""What is so where a clause says that something is not so, or no longer."""
_LASTING = frozenset(["own", "have", "contain", "ring", "work again"])
UNDONE = frozenset(["dreamt", "almost", "planned"])


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance, who said it, and what was told before it."""

    utterance: Utterance
    speaker: str | None = None
    told: tuple[Event, ...] = ()
    previous: Mapping[str, Fact] | None = None
    """Where each thing was before its last move."""


def _row(clause: Clause) -> Row | None:
    """Return what the sense of a clause makes so, or what its denial does."""
    return (DENIED if _is_negative(clause) else EVENTS).get(clause.sense)


def _is_negative(clause: Clause) -> bool:
    return clause.negated != (clause.hedge in ("denied", "formerly"))


def _says_nothing(clause: Clause) -> bool:
    """What did not happen, or happened formerly, leaves everything as it is."""
    if not _is_negative(clause) or is_lasting(clause):
        return False
    return clause.hedge != "formerly" or clause.sense not in DENIED


def is_understood(clause: Clause) -> bool:
    """Return whether it is known what a clause makes so."""
    return _row(clause) is not None or _says_nothing(clause)


def events_of(roles: Roles, clause: Clause) -> list[Event]:
    """Return what a clause says happened, as if there were no doubt about it."""
    clause = state_changes.as_tuning(roles, clause)
    row = _row(clause)
    if row is None or _says_nothing(clause):
        return []
    found = row(roles, clause)
    roles.all_used(clause)
    return found


def is_lasting(clause: Clause) -> bool:
    """Return whether a clause says how things are, and not what happened."""
    return clause.sense.startswith("be ") or clause.sense in _LASTING


def doubt_about(clause: Clause, *, dated: bool) -> str:
    """Return what to ask about a clause that nobody vouches for, or why it changes nothing."""
    if clause.heard_from is not None:
        return f"is that certain, or only what {in_words(clause.heard_from)} said?"
    if clause.condition is not None:
        return f"is it so that '{in_words(clause.condition)}'?"
    if clause.hedge == "maybe" or (clause.hedge == "unknown by now" and not dated):
        return CERTAIN
    return f"that is said to be {clause.hedge}" if clause.hedge in UNDONE else ""


def nothing_in(clause: Clause) -> str:
    """Return why a clause leaves nothing to remember."""
    if not _says_nothing(clause):
        return ""
    return f"'{in_words(clause)}': then nothing has changed"
