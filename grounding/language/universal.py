"""All of a kind, said of any one: ``any cone by the road, I want it checked``.

What is told to be done with ``it`` is told of whichever there is, so of every one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of

_ANY = re.compile(r"any\s+(?P<one>one\s+)?", re.IGNORECASE)
"""Any one of a kind is one, whichever."""
_IF = re.compile(
    r"\bif\s+(?:(?:there(?:'s|\s+is|\s+are)|you\s+(?:see|find|spot|notice|come\s+across))\s+)?(?:an?|any|some)\s+(?P<what>[^,.;!?]*?)"
    r"(?P<be>'s|\s+is|\s+are)?\s+(?=(?:in|on|at|by|within|near)\s)",
    re.IGNORECASE,
)
"""A condition that only says where something is."""
_TOLD = re.compile(
    r"\s*(?:(?P<mark>[,:])\s*)?(?:then\s+)?(?P<order>(?:[^\s,.;!?]+\s+){1,5}?)(?P<it>it|them)\b(?=[^,.;!?]*(?:[.;!?,]|$))",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(r"\b(?:otherwise|else|if not|failing (?:that|which))\b", re.IGNORECASE)
"""Before what is to be done only where something is not so."""
_HANDLING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT"])
_PUT = re.compile(
    r"puts?\s+(?:it|them)\s+(?:back\s+)?(?:in|into|on|onto|at|by|near|beside|next)\b", re.IGNORECASE
)
"""One after the other may be put somewhere, though not held."""


class _Named(NamedTuple):
    """Where something is named of which there may be any number, and what it is."""

    start: int
    end: int
    what: str
    case: bool = False
    """Whether a condition names it."""
    one: bool = False
    """Whether any one is meant."""


def universal(text: str, find: Find, robots: Sequence[str]) -> str:
    """Return a text that says ``every`` where it tells what to do with any of a kind."""
    called = any_of(robots)
    before = re.compile(rf"(?:^|[.;!?\n])\s*(?:{called}\s*[,:]\s*)?$", re.IGNORECASE)
    behind = re.compile(rf"\s*,\s*(?P<who>{called})(?=\s*,)", re.IGNORECASE)
    for named in (*_any(text, find), *_conditions(text, find)):
        if not before.search(text[: named.start]):
            continue
        call = behind.match(text, named.end)
        told = _TOLD.match(text, call.end() if call else named.end)
        if told is None or not (told["mark"] or named.case):
            continue
        if not (named.one or _is_for_all(told)):
            continue
        if named.case and _OTHERWISE.search(text, told.end()):
            continue
        all_of = "any one" if named.one else "all" if told["it"].casefold() == "them" else "every"
        order = f"{told['order']}{all_of} {named.what}"
        who = f"{call['who']}, " if call else ""
        return text[: named.start] + who + order + text[told.end() :]
    return text


def _is_for_all(told: re.Match[str]) -> bool:
    """Return whether an order may be for every one: nothing that is forbidden, nor taken with one hand."""
    said = tokenize(told["order"])
    taken = phrases_in(said, _HANDLING) and not _PUT.match(told.string, told.start("order"))
    return not taken and NEGATIONS.isdisjoint(token.text for token in said)


def _any(text: str, find: Find) -> Iterator[_Named]:
    """Yield what is named with ``any``."""
    for one in find(text):
        any_of = _ANY.match(text, one.start)
        if any_of:
            what = text[any_of.end() : one.end]
            yield _Named(one.start, one.end, what, one=any_of["one"] is not None)


def _conditions(text: str, find: Find) -> Iterator[_Named]:
    """Yield what there may be somewhere: ``if a cone is on the road``."""
    for case in _IF.finditer(text):
        said = f"the {case['what']} "
        for one in find(said + text[case.end() :])[:1]:
            end = case.end() + one.end - len(said)
            if one.start == 0 and end > case.end():
                what = f"{case['what']} {text[case.end() : end]}"
                yield _Named(case.start(), end, what, case=True)
