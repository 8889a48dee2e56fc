"""What is to be somewhere in the end is put there: ``I want the ladder from the shed standing in the yard``.

The network has robots go to the ladder in the yard. There may be none, and nobody is said to go anywhere.
"""

from __future__ import annotations

import re
from dataclasses import replace

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Clause, Phrase, Span, Utterance
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.frontends.otherwise import changed
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.closed import ENDS
from commonground.grounding.words.nouns import word_set

_GOING = frozenset(["end up at", "be at", "go to", "enter"])
_WANTED = word_set("want wants need needs like expect")
"""Directly before a thing these want it somewhere."""
_SEEING = re.compile(r"\b(?:like|want|love)\s+to\s+(?:see|find)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
"""``I'd like to see the van in the yard``; who is to go and see it looks for it there."""
_TELLING = word_set("is that think believe") | ENDS | {",", ""}
"""Behind these a thing begins a clause; that it is to be somewhere has to be said there."""
_THERE = word_set(
    "be sitting standing lying sits stands lies ends end up supposed meant should must belongs goes"
)
_BEFORE = word_set("the that a an my our one two both of")
_RELATIVE = word_set("that which who and or")
"""Behind these it is told which thing is meant, or something else begins."""
_REST = re.compile(r"[^.;!?\n]+")


def placed(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance in which what is wanted somewhere is put there."""

    def put(clause: Clause) -> Clause:
        what = clause.theme or clause.goal
        going = clause.sense in _GOING and clause.mood == "do" and not clause.negated
        if not going or not isinstance(what, Phrase) or not what.where:
            return clause
        *rest, last = what.where
        thing = replace(what, where=tuple(rest))
        if last.how not in ("in", "on") or len(last.to) != 1 or what.det == "all":
            return clause
        to = min((span.start for span in parts_of(last.to, Span)), default=-1)  # there has none
        if not _is_wanted(thing, to, text):
            return clause
        return replace(clause, sense="put", theme=thing, goal=last.to[0], location=None)

    return changed(utterance, put)


def _is_wanted(thing: Phrase, to: int, text: str) -> bool:
    """Return whether a text wants a thing at a place, and has nobody do anything there."""
    spans = [*parts_of(thing, Span)]
    if not spans or any(span.end > to for span in spans):
        return False
    begin = min(span.start for span in spans)
    lead, wished = _lead(begin, text), _SEEING.search(text, 0, begin) is not None
    behind = max(span.end for span in spans)
    between = {t.text.casefold() for t in tokens_of(text) if behind <= t.start < to}
    told = lead in _TELLING and not between.isdisjoint(_THERE)
    wanted = lead in _WANTED or told or wished
    return wanted and between.isdisjoint(_RELATIVE) and not _is_done(text, to)


def _lead(start: int, text: str) -> str:
    """Return the word before a thing and its article."""
    tokens = tokens_of(text)
    words = ["", *(token.text.casefold() for token in tokens)]
    first = next(k for k, token in enumerate(tokens) if token.end > start)
    while words[first] in _BEFORE and (words[first] != "that" or words[first - 1] in _WANTED):
        first -= 1
    return words[first]


def _is_done(text: str, to: int) -> bool:
    """Return whether a sentence goes on with what is done to the thing: ``the van in the yard visited``."""
    rest = _REST.match(text, to)
    done = phrases_in(tokenize(rest[0]), DEEDS) if rest else []
    return any(deed.words.split()[0].endswith(("ed", "en")) for deed in done)
