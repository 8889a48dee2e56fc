"""Words for the mission under way itself, and no instruction: ``Stop!``, ``everybody wait``, ``go on``.

While robots drive, what is said need not be plain: a needless stop costs little, and a missed one much. So
only what is plainly an instruction, or plainly says to go on, lets them drive on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import Literal

Control = Literal["", "stop", "pause", "go on"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOPS = _set("stop halt freeze abort cancel cease quit kill terminate desist")
_PAUSES = ("pause", "wait", "hold", "hold on", "hang on")
_GOES = ("go on", "go ahead", "continue", "resume", "carry on", "proceed", "keep going")
_STILL = ("stand still", "emergency stop", "stop moving", "stop driving")
BESIDE = _set(
    "everybody everyone all both robots please now and the mission it them that right away at once "
    "immediately oh no hey ok okay yes"
)
_POLITE = _set("please then next also and now so but just can could would you")
_ORDERS = _set(
    "go drive move inspect check examine look bring take carry fetch pick put place deliver visit "
    "explore search find"
)
"""How instructions begin; with another verb, robots stand until somebody lets them go on."""
_DOUBTS = _set(
    "wait hold hang pause whoa easy slow slower careful still out not dont never no nobody none "
    "cant cannot wont doesnt isnt"
)
"""With one of these, not even an instruction lets robots drive on."""
_DENYING = re.compile(
    r"^((please|no|just|and|but|so) )*(do not|dont|never|no need to|need not|neednt)"
    r"( (you|ever|please|dare))*$"
)
_ASSENT = _set("yes yeah ok okay thanks thank you good great fine nice well done hello hi")
_LEAST = 3
"""Words of an instruction; what is shorter may be a cry."""


def _plain(word: str) -> str:
    """Return a word without the letters that haste or emphasis doubles: ``stopp``, ``haaalt``."""
    return re.sub(r"(.)\1+", r"\1", word)


STOPS = frozenset(map(_plain, _STOPS))
VERBS: dict[str, Control] = {
    **dict.fromkeys(_GOES, "go on"),
    **dict.fromkeys(_PAUSES, "pause"),
    **dict.fromkeys((*_STOPS, *_STILL), "stop"),
}


def control(text: str, robots: Iterable[str] = ()) -> Control:
    """Return what a text says to a mission as a whole; '' where it says more than that.

    To stop or to wait one robot is not known here: all of them do, which does no harm.
    """
    said, names = _words(text), _names(robots)
    words = [word for word in said if word not in BESIDE and word not in names]
    found = VERBS.get(" ".join(words), "")
    if not found and words and all(_plain(word) in STOPS for word in words):  # stop, stop!
        return "stop"
    some = names | {"no"}
    return "" if found == "go on" and some & set(said) else found


def called(text: str, robots: Iterable[str] = ()) -> Control:
    """Return what a text says to robots that drive; '' where it is an instruction, or lets them drive on.

    What is neither, as a warning, a ban, a cry or another language, is a pause: nobody types it for fun.
    """
    names = _names(robots)
    found = control(text, names)
    clauses = [_words(part) for part in re.split(r"[.,;:!?\n]+", text)]
    meant = [_meant(clause, names) for clause in clauses if clause]
    if found or not meant:
        return found
    for kind in ("stop", "pause"):
        if kind in meant:
            return kind
    return "" if "go on" in meant else "pause"


def _meant(clause: Sequence[str], names: frozenset[str]) -> str:
    """Return what a clause says: stop, pause, go on where robots may, or ''."""
    at = _stop_in(clause)
    if _DENYING.match(" ".join(clause[:at] if at >= 0 else clause[:-1])):
        return _denied(clause, at, names)
    words = list(dropwhile(_POLITE.__contains__, (w for w in clause if w not in names)))
    ordered = len(words) >= _LEAST and words[0] in _ORDERS
    if at >= 0:
        return "pause" if ordered else "stop"  # inspect the bus stop
    if " ".join(words) in _GOES or (words and _ASSENT.issuperset(words)):
        return "go on"
    if not _DOUBTS.isdisjoint(words):
        return "pause"
    return "go on" if ordered else ""


def _denied(clause: Sequence[str], at: int, names: frozenset[str]) -> str:
    """Return what a clause says that denies its word of stopping, at a place, or waiting, at its end."""
    if at < 0:
        return "go on" if clause[-1] in _PAUSES else "pause"
    rest = clause[at + 1 :]
    again = _stop_in(rest) >= 0  # do not stop Spot but stop Husky
    return _meant(rest, names) if again else "go on"


def _stop_in(clause: Sequence[str]) -> int:
    """Return where a clause has its first word of stopping, or -1."""
    return next((k for k, word in enumerate(clause) if _plain(word) in STOPS), -1)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub(r"['’]", "", text.lower()))


def _names(robots: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in robots for word in _words(name))
