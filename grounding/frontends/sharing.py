"""Who shares what, where the words are plain: ``split the pumps, one each``, ``one of you …, the other …``.

The network often has all of a crew do all of it, or names the second of two robots that are both open.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import Crew, Part, Span, Utterance
from commonground.grounding.fidelity.picks import DIFFERENT, SAME_TOO

_EACH = re.compile(r"\bone(?:\s+\w+)?\s+each\b", re.IGNORECASE)
_SHARING = re.compile(r"\b(?:shar|split|divid)\w*\b|\bbetween (?:you|them)\b", re.IGNORECASE)
_OTHER = re.compile(r"\bthe\s+other\b(?!\s+(?:way|side|end|day))", re.IGNORECASE)
_OPEN = ("any one", "either")


def shared_out(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance in which a crew shares what its text says to share."""
    if SAME_TOO.search(text):
        return Utterance(tuple(replace(part, shared=False) for part in utterance.parts))
    each = _EACH.search(text) is not None or DIFFERENT.search(text) is not None
    if each or _SHARING.search(text):
        parts = tuple(_shared(part, everybody=each) for part in utterance.parts)
    else:
        parts = tuple(_other(k, utterance, text) for k in range(len(utterance.parts)))
    return Utterance(parts)


def _shared(part: Part, *, everybody: bool) -> Part:
    crew = part.crew
    if part.stands or crew is None:
        return part
    if len(crew.names) > 1 and crew.choose in ("named", "each", "all"):
        return replace(part, shared=True)
    several = crew.choose in ("all", "any one", "each") and not crew.names and not crew.can
    if everybody and several and crew.near is None:
        return replace(part, shared=True, crew=Crew("all"))
    return part


def _other(at: int, utterance: Utterance, text: str) -> Part:
    """Return a part that is for the other robot where the text says so, and the one before is for any."""
    part = utterance.parts[at]
    before = [p.crew for p in utterance.parts[:at] if p.crew is not None]
    open_before = bool(before) and before[-1].choose in _OPEN
    if part.crew is None or part.crew.choose not in _OPEN or not open_before:
        return part
    begins = min((span.start for span in parts_of(part.step, Span)), default=0)
    ends = max((s.end for p in utterance.parts[:at] for s in parts_of(p.step, Span)), default=0)
    if not _OTHER.search(text, ends, max(begins, ends)):
        return part
    return replace(part, crew=replace(part.crew, choose="other"))
