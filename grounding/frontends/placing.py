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
_WANTED = word_set("want wants need needs find see like expect")
"""Directly before a thing these want it somewhere."""
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
        to = min(span.start for span in parts_of(last.to, Span))
        if not _is_wanted(thing, to, text):
            return clause
        return replace(clause, sense="put", theme=thing, goal=last.to[0], location=None)

    return changed(utterance, put)


def _is_wanted(thing: Phrase, to: int, text: str) -> bool:
    """Return whether a text wants a thing at a place, and has nobody do anything there."""
    spans = [*parts_of(thing, Span)]
    if not spans or any(span.end > to for span in spans):
        return False
    tokens = tokens_of(text)
    words = ["", *(token.text.casefold() for token in tokens)]
    start, behind = min(s.start for s in spans), max(s.end for s in spans)
    first = next(k for k, t in enumerate(tokens) if t.end > start)
    while words[first] in _BEFORE and (words[first] != "that" or words[first - 1] in _WANTED):
        first -= 1
    between = {t.text.casefold() for t in tokens if behind <= t.start < to}
    wanted = words[first] in _WANTED
    told = words[first] in _TELLING and not between.isdisjoint(_THERE)
    rest = _REST.match(text, to)
    done = [d.words.split()[0] for d in phrases_in(tokenize(rest[0]), DEEDS)] if rest else []
    plain = between.isdisjoint(_RELATIVE) and not any(d.endswith(("ed", "en")) for d in done)
    return (wanted or told) and plain
