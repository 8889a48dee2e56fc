"""Words that an answer must fit as a whole: with some, something is put, held, left out or come back from.

Each cue is a pattern with what the answer then does, or must not do. What needs no reading is told so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.meaning import Act

LEFT_OUT = "left out"
"""What an answer does that excludes anything."""


class _Cue(NamedTuple):
    said: re.Pattern[str]
    needs: str = ""
    """What the answer must do: nothing at all fits a cue that needs what no answer does."""
    bars: str = ""
    """What the answer must not do."""
    why: str = ""


def _cue(pattern: str, *, needs: str = "", bars: str = "", why: str) -> _Cue:
    return _Cue(re.compile(pattern, re.IGNORECASE), needs, bars, why)


_DONE = r"(?:been\s+)?(?:done|checked|inspected|seen|visited|looked\s+at|dealt\s+with|covered|handled)\b"
_ONE = r"\b(?:the|that)\s+(?:\w+\s+)?ones?\b(?! of\b)"
_NOT_OTHERS = "".join(
    rf"(?<!\b{who} )"
    for who in ["i", "we", "he", "she", "they", "you", "will", "until", "when", "are", "is"]
)
_SPARED = r"\bleaves? (?:the|that|those) (?:\w+ )?(?:ones?|others?)\b"
_NOT_DENIED = (
    r"(?![^.;!?\n]*(?:\b(?:not|never|no|neither|nor|out|off|clear|away|avoids?)\b|n['’]t\b))"
)
"""What a robot must not do on the way is kept to, not waited for: ``as long as it stays out of the hall``."""
_CUES = (
    _cue(_SPARED, bars="place", why="something is placed"),  # what is left to itself, not put down
    _cue(
        r"\bleaves? (?:\w+ ){1,6}?(?:(?:where|as) (?:it|they) (?:is|are)|in peace|be)\b",
        bars="place", why="something is placed",
    ),
    _cue(rf"{_SPARED} (?:in|on|at|by|near)\b", needs=LEFT_OUT, why="nothing is left out"),
    _cue(
        r"\bkeeps? (?:the|that|those|all|both|every|my|our)\b(?:(?!\b(?:your|and)\b)[^.;,!?])*?"
        r" (?:in|out of|at|away from|off|on|inside)\b(?! (?:your|hand|sight))",
        bars="pick", why="something is held",
    ),
    _cue(
        rf"{_ONE}(?:(?!\b(?:that|which|to|not)\b)[^.;!?,])*"
        rf"(?:\bis|\bare|\bhas|\bhave|'s|'ve)\s+(?:already\s+)?{_DONE}"
        rf"|\b(?:i|we|they|somebody|someone)(?:['’]ve|\s+have|\s+has)?\s+(?:already\s+)?(?:did|{_DONE})"
        rf"\s+{_ONE}",
        needs=LEFT_OUT, why="nothing is left out",
    ),
    _cue(
        r"\b(?:go|drive|walk|move|roll|travel)(?:s|es)? along\b(?! with)",
        bars="place", why="something is placed",
    ),
    _cue(
        r"\b(?:run|move|drive|ship|send|cart|haul|take|bring|carry)\s+(?:it|them)\s+"
        r"(?:\w+\s+)?(?:to|into|onto|back)\b(?! (?:your|its|his|her|their) (?:grip|hand|arm|possession))",
        needs="place", why="nothing is placed",
    ),
    _cue(
        rf"{_NOT_OTHERS}\b(?:(?:come|get|go|head|drive|and) (?:(?:straight|right) )?back|return)"
        r"(?= here\b| again\b| to (?:base|where|(?:your|its|the) (?:start|origin))|\s*[.,;!?]| and\b|\s*$)",
        needs="be", why="nobody does",
    ),
    _cue(
        rf"\b(?:(?:as|so) long as|provid(?:ed|ing)|on condition)\b{_NOT_DENIED}|\bassuming\b"
        r"|\bin (?:the )?(?:case|event)\b|\bwhen (?:i|we) (?:say|tell|give)\b"
        r"|(?:^|(?<=[,.;:!?] )|(?<=\band )|(?<=\bbut ))should (?:the|an?|any|there|one|it|they|anything)\b",
        needs="wait", why="nothing can wait for that",
    ),
    _cue(r"\b(?:pretend|halfway|partway)\b", needs="part", why="no goal does so in part"),
)  # fmt: skip


def wrong_cues(held: Held) -> Iterator[str]:
    """Yield words of a text that its answer does not fit."""
    done: set[str] = {act.do for act in held.parts(Act)}
    done |= {LEFT_OUT} if any(negatives(held.meaning)) else set()
    for cue in _CUES:
        said = cue.said.search(held.text)
        if said and ((cue.needs and cue.needs not in done) or cue.bars in done):
            yield f"the text says '{said[0]}', and {cue.why}"
